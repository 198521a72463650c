//! Control and comparison functions: GREATEST, LEAST, FIELD, INTERVAL, ELT ...

use super::{Arguments, Call, Definition, Purity, Resolve, Stops};
use crate::error::{SqlError, SqlResult};
use crate::expr::{Expr, Node};
use crate::types::{Class, FieldType, Kind, ValueRef};
use charset::derivation::Purpose;
use std::cmp::Ordering;

pub(super) const LIST: &[Definition] = &[
    Definition {
        name: "greatest",
        min: 2,
        max: 255,
        purity: Purity::Immutable,
        resolve: extreme_type,
        eval: greatest,
        arguments: Arguments::Folded,
        stops: Stops::Each,
    },
    Definition {
        name: "least",
        min: 2,
        max: 255,
        purity: Purity::Immutable,
        resolve: extreme_type,
        eval: least,
        arguments: Arguments::Folded,
        stops: Stops::Each,
    },
    Definition {
        name: "field",
        min: 2,
        max: 255,
        purity: Purity::Immutable,
        resolve: field_type,
        eval: field,
        arguments: Arguments::Sought(same),
        stops: Stops::First,
    },
    Definition {
        name: "interval",
        min: 2,
        max: 255,
        purity: Purity::Immutable,
        resolve: interval_type,
        eval: interval,
        arguments: Arguments::All,
        stops: Stops::First,
    },
    Definition {
        name: "strcmp",
        min: 2,
        max: 2,
        purity: Purity::Immutable,
        resolve: strcmp_type,
        eval: strcmp,
        arguments: Arguments::All,
        stops: Stops::Never,
    },
    Definition {
        name: "sleep",
        min: 1,
        max: 1,
        purity: Purity::Volatile,
        resolve: sleep_type,
        eval: sleep,
        arguments: Arguments::All,
        stops: Stops::Never,
    },
    Definition {
        name: "benchmark",
        min: 2,
        max: 2,
        purity: Purity::Volatile,
        resolve: benchmark_type,
        eval: benchmark,
        arguments: Arguments::All,
        stops: Stops::First,
    },
    Definition {
        name: "name_const",
        min: 2,
        max: 2,
        purity: Purity::Immutable,
        resolve: name_const_type,
        eval: last,
        arguments: Arguments::All,
        stops: Stops::Never,
    },
    Definition {
        name: "last_value",
        min: 1,
        max: 255,
        purity: Purity::Immutable,
        resolve: last_value_type,
        eval: last,
        arguments: Arguments::All,
        stops: Stops::Never,
    },
];

/// An assignment as the last argument may be NULL where its value may.
fn last_value_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(match r.args.last() {
        Some(a) => match &a.node {
            Node::Assign(_, value) => a.ty.clone().with_nullable(value.ty.nullable),
            _ => a.ty.clone(),
        },
        None => FieldType::null(),
    })
}

/// The order of two values of one class.
fn order(a: ValueRef<'_>, b: ValueRef<'_>, ty: &FieldType) -> Ordering {
    match (a, b) {
        (ValueRef::Int(a), ValueRef::Int(b)) => a.cmp(&b),
        (ValueRef::UInt(a), ValueRef::UInt(b)) => a.cmp(&b),
        (ValueRef::Int(a), ValueRef::UInt(b)) => i128::from(a).cmp(&i128::from(b)),
        (ValueRef::UInt(a), ValueRef::Int(b)) => i128::from(a).cmp(&i128::from(b)),
        (ValueRef::Double(a), ValueRef::Double(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
        (ValueRef::Decimal(a), ValueRef::Decimal(b)) => a.cmp(b),
        (ValueRef::Bytes(a), ValueRef::Bytes(b)) if ty.is_address() => {
            // ordered as they are stored
            let stored = |v| crate::types::load::special_stored(v, ty.kind);
            stored(a).cmp(&stored(b))
        }
        (ValueRef::Bytes(a), ValueRef::Bytes(b)) => ty.collation.compare(a, b),
        (ValueRef::Date(a) | ValueRef::DateTime(a), ValueRef::Date(b) | ValueRef::DateTime(b)) => a.cmp(&b),
        (ValueRef::Time(a), ValueRef::Time(b)) => a.packed().cmp(&b.packed()),
        _ => Ordering::Equal,
    }
}

fn extreme_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let nullable = r.nullable();
    let real = || r.args.iter().filter(|a| a.ty.kind != Kind::Null);
    let text = real().any(|a| a.ty.is_string());
    let temporal = real().any(|a| a.ty.is_temporal());
    let number = real().any(|a| a.ty.is_number() && !a.ty.is_temporal());
    let n = r.len();
    let name = r.name.to_ascii_lowercase();
    for pair in r.args.windows(2) {
        crate::func::wrapped::meet(&pair[0].ty, &pair[1].ty, &name)?;
    }
    if let Some(address) = r.args.iter().map(|a| &a.ty).find(|t| t.is_address()) {
        let ty = address.clone().with_nullable(nullable || text_beside_address(r));
        for i in 0..n {
            crate::func::wrapped::to_address(&mut r.args[i], &ty, r.ctx)?;
        }
        return Ok(ty);
    }
    if temporal {
        return temporal_extreme(r);
    }
    if text && number {
        return number_beside_text(r, nullable);
    }
    if text {
        let blob = r.args.iter().any(|a| a.ty.is_blob());
        let hex = crate::expr::typing::are_hex(r.args);
        let char_only = r.args.iter().all(|a| a.ty.kind == Kind::Char || is_null_parameter(a));
        let d = r.texts(0..n, Purpose::Value)?;
        let width = |t: &FieldType| if d.collation.id == 63 { t.length } else { t.char_length() };
        let chars = r.args.iter().map(|a| u64::from(width(&a.ty))).max().unwrap_or(0);
        let mut t = r.text_of(chars, d);
        t.hex = hex;
        t.nullable &= !hex || nullable;
        if blob {
            t.kind = Kind::blob_for(t.length);
        } else if char_only {
            t.kind = Kind::Char;
        }
        return Ok(t);
    }
    let types: Vec<&FieldType> = r.args.iter().map(|a| &a.ty).collect();
    let merged = crate::expr::typing::merge_types(&types, r.ctx.collation);
    let mut t = crate::expr::typing::widened(merged, r.args);
    let parameter = |a: &crate::expr::Expr| matches!(a.node, crate::expr::Node::Param(_));
    if t.kind == Kind::Null && !r.args.iter().any(parameter) {
        return Ok(t);
    }
    if r.args.iter().any(|a| a.ty.kind == Kind::Null) {
        let digits = |a: &crate::expr::Expr| {
            if matches!(a.ty.class(), Class::Double | Class::Decimal) { a.ty.decimals } else { 0 }
        };
        let decimals = r.args.iter().map(digits).max().unwrap_or(0);
        let length = if decimals < 31 { 17 + u32::from(decimals) } else { 23 };
        t = FieldType { length, decimals, ..FieldType::double() };
    } else if t.class() == Class::Double {
        if r.args.iter().any(|a| a.ty.kind != Kind::Float) {
            t.kind = Kind::Double;
        }
        t.length = if t.decimals < 31 { 17 + u32::from(t.decimals) } else { 23 };
    } else if t.class().is_integer() && !matches!(t.kind, Kind::Year | Kind::Bit) {
        let digits = r.args.iter().map(|a| crate::expr::typing::digits_of(a).0).max().unwrap_or(1);
        t.length = u32::from(digits) + u32::from(!t.unsigned);
    }
    if t.class() != Class::Null {
        let mut to = t.clone();
        if to.class() == Class::Decimal {
            to.decimals = crate::result::NOT_FIXED_DEC;
        }
        for i in 0..n {
            r.convert(i, to.clone())?;
        }
    }
    Ok(t.with_nullable(nullable))
}

/// The type of the extreme of numbers and texts: a double with the digits of its arguments.
fn number_beside_text(r: &mut Resolve<'_>, nullable: bool) -> SqlResult<FieldType> {
    let decimals = r
        .args
        .iter()
        .filter(|a| a.ty.kind != Kind::Null)
        .map(|a| match &a.ty {
            t if !t.is_string() => t.decimals,
            t if matches!(t.kind, Kind::Enum | Kind::Set) => 0,
            t if t.collation.id == 63 && a.as_literal().is_some() => 0,
            _ => crate::result::NOT_FIXED_DEC,
        })
        .max()
        .unwrap_or(crate::result::NOT_FIXED_DEC);
    for i in 0..r.len() {
        r.double(i)?;
    }
    let t = FieldType::double().with_nullable(nullable);
    let length = if decimals < 31 { 17 + u32::from(decimals) } else { 23 };
    let decimals = if decimals < 31 { decimals } else { t.decimals };
    Ok(FieldType { length, decimals, ..t })
}

fn is_null_parameter(a: &crate::expr::Expr) -> bool {
    a.ty.kind == Kind::Null && matches!(a.node, crate::expr::Node::Param(_))
}

/// GREATEST and LEAST where a date or time is among the values.
fn temporal_extreme(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let real = || r.args.iter().filter(|a| a.ty.kind != Kind::Null);
    let all = |kind: Kind| real().filter(|a| a.ty.is_temporal()).all(|a| a.ty.kind == kind);
    let (times, dates) = (all(Kind::Time), all(Kind::Date));
    let stamps = r.args.iter().all(|a| a.ty.kind == Kind::Timestamp);
    let open = real().any(has_open_digits);
    let mut dec = 0;
    for i in (0..r.len()).filter(|i| r.args[*i].ty.kind != Kind::Null).collect::<Vec<_>>() {
        let open = has_open_digits(&r.args[i]);
        dec = dec.max(if open { digits_of_text(r, i, times) } else { r.args[i].ty.decimals.min(6) });
    }
    let mut t = if times {
        FieldType::time(dec)
    } else if dates {
        FieldType::date()
    } else {
        FieldType::datetime(dec)
    };
    if stamps {
        t.kind = Kind::Timestamp;
    }
    for i in 0..r.len() {
        super::temporal::compared(&mut r.args[i], r.ctx)?;
        let same = r.args[i].ty.class() == t.class();
        if !same && !times && !r.args[i].ty.is_temporal() && r.args[i].ty.kind != Kind::Null {
            let name = "compare_datetime";
            let f = super::find(name).ok_or_else(|| SqlError::internal(name))?;
            let null = crate::expr::Expr::literal(crate::types::Value::Null, FieldType::null());
            let a = std::mem::replace(&mut r.args[i], null);
            r.args[i] = super::call(f, name, vec![a], r.ctx)?;
        } else if !same {
            r.convert(i, t.clone())?;
        }
    }
    if open && !dates {
        // room for all digits
        t.length = if times { FieldType::time(6) } else { FieldType::datetime(6) }.length;
    }
    Ok(t.with_nullable(true))
}

/// Whether the type of a text does not tell how many digits of a second it may have.
fn has_open_digits(a: &crate::expr::Expr) -> bool {
    let t = &a.ty;
    let told = t.hex
        || matches!(t.kind, Kind::Enum | Kind::Set)
        || a.as_column().is_none() && t.decimals != crate::result::NOT_FIXED_DEC;
    t.is_string() && !told
}

/// Digits of the second's fraction in a text: a constant has its own, what is no date or time might have all.
fn digits_of_text(r: &mut Resolve<'_>, i: usize, time: bool) -> u8 {
    let Some(text) = super::fraction::text_now(r, i) else { return 6 };
    let ctx = &mut *r.ctx;
    let mark = ctx.warnings.mark();
    let rules = crate::types::convert::part_rules(ctx.sql_mode);
    let ty = FieldType::string(text.len() as u64, charset::system(), crate::types::Derivation::Coercible);
    let v = crate::types::ValueRef::Bytes(&text);
    let known = if time {
        crate::types::convert::to_time(v, &ty, ctx).is_some()
    } else {
        crate::types::convert::to_datetime(v, &ty, rules, ctx).is_some()
    };
    ctx.warnings.rollback_to(mark);
    match known {
        false => 6,
        // a point between the parts of a date is none of a fraction
        true if !time && !text.iter().any(|c| matches!(c, b' ' | b'T')) => 0,
        true => super::fraction::text_digits(&text),
    }
}

/// Whether a text is to be read as an address, which it may not be.
fn text_beside_address(r: &Resolve<'_>) -> bool {
    r.args.iter().any(|a| !a.ty.is_address())
}

fn pick(c: &mut Call<'_, '_>, wanted: Ordering) -> SqlResult<()> {
    let mut best = c.value(0);
    for i in 0..c.len() {
        let v = c.value(i);
        if v.is_null() {
            return c.null();
        }
        if order(v, best, &c.expr.ty) == wanted {
            best = v;
        }
    }
    if let ValueRef::Date(d) | ValueRef::DateTime(d) = best
        && !crate::types::convert::date_rules(c.ctx.sql_mode).accept(d)
    {
        // a day that its month does not have, and a zero that the mode forbids, are compared, but are no values
        let date = c.expr.ty.class() == Class::Date;
        let v = if date { ValueRef::Date(d) } else { ValueRef::DateTime(d) };
        let shown = FieldType::datetime(if d.micros == 0 { 0 } else { 6 });
        crate::types::convert::wrong("datetime", v, &shown, c.ctx);
        return c.null();
    }
    if let ValueRef::Time(t) = best {
        // what is clipped to the range of times has as many digits as the others
        best = ValueRef::Time(t.truncated(c.expr.ty.decimals.min(6)));
    }
    if let (ValueRef::DateTime(d), Class::Date) = (best, c.expr.ty.class()) {
        // a text may have had a time, which a date has not
        best = ValueRef::Date(d.date_only());
    }
    c.out.push(best);
    Ok(())
}

fn greatest(c: &mut Call<'_, '_>) -> SqlResult<()> {
    pick(c, Ordering::Greater)
}

fn least(c: &mut Call<'_, '_>) -> SqlResult<()> {
    pick(c, Ordering::Less)
}

/// Arguments of FIELD: all text, all integers, or doubles.
fn field_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let n = r.len();
    let all = |f: fn(&FieldType) -> bool| r.args.iter().all(|a| a.ty.kind == Kind::Null || f(&a.ty));
    if all(|t| t.is_string() || t.is_temporal()) {
        let d = r.texts(0..n, Purpose::Comparison)?;
        for a in r.args.iter_mut() {
            crate::expr::typing::compare_in(a, d.collation);
        }
    } else if all(|t| t.class().is_integer()) {
    } else if all(|t| t.class().is_integer() || t.class() == Class::Decimal) {
        for i in 0..n {
            let mut t = FieldType::decimal(65, 38);
            t.decimals = crate::result::NOT_FIXED_DEC;
            r.convert(i, t)?;
        }
    } else {
        for i in 0..n {
            r.double(i)?;
        }
    }
    Ok(FieldType::int(3).with_nullable(false))
}

/// Whether FIELD has found what it looks for.
fn same(wanted: ValueRef<'_>, v: ValueRef<'_>, ty: &FieldType) -> bool {
    order(wanted, v, ty).is_eq()
}

fn field(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let wanted = c.value(0);
    if wanted.is_null() {
        return c.put_int(0);
    }
    let ty = c.ty(0);
    for i in 1..c.len() {
        let v = c.value(i);
        if !v.is_null() && same(wanted, v, ty) {
            return c.put_int(i as i64);
        }
    }
    c.put_int(0)
}

fn interval_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let n = r.len();
    let all = |f: fn(&FieldType) -> bool| r.args.iter().all(|a| a.ty.kind == Kind::Null || f(&a.ty));
    if all(|t| t.class().is_integer()) {
    } else if all(|t| t.class().is_integer() || t.class() == Class::Decimal) {
        for i in 0..n {
            let mut t = FieldType::decimal(65, 38);
            t.decimals = crate::result::NOT_FIXED_DEC;
            r.convert(i, t)?;
        }
    } else {
        for i in 0..n {
            r.double(i)?;
        }
    }
    Ok(FieldType::int(2).with_nullable(false))
}

fn interval(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let v = c.value(0);
    if v.is_null() {
        return c.put_int(-1);
    }
    let ty = c.ty(0);
    for i in 1..c.len() {
        let bound = c.value(i);
        if !bound.is_null() && order(v, bound, ty) == Ordering::Less {
            return c.put_int(i as i64 - 1);
        }
    }
    let n = c.len() as i64;
    c.put_int(n - 1)
}

fn strcmp_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let d = r.texts(0..2, Purpose::Comparison)?;
    for a in r.args.iter_mut() {
        crate::expr::typing::compare_in(a, d.collation);
    }
    Ok(r.int_of(2))
}

fn strcmp(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match (c.bytes(0), c.bytes(1)) {
        (Some(a), Some(b)) => {
            let o = c.ty(0).collation.compare(a, b);
            c.put_int(o as i64)
        }
        _ => c.null(),
    }
}

fn sleep_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.double(0)?;
    Ok(FieldType::int(1).with_nullable(false))
}

fn sleep(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(seconds) = c.double(0).filter(|s| *s >= 0.0) else {
        return c.put_int(0);
    };
    let end = std::time::Instant::now().checked_add(std::time::Duration::from_secs_f64(seconds.min(1e9)));
    if let Some(end) = end {
        match c.ctx.locks.clone() {
            Some(locks) => locks.sleep(end),
            None => std::thread::sleep(end.saturating_duration_since(std::time::Instant::now())),
        }
        c.ctx.check_killed()?;
    }
    c.put_int(0)
}

fn benchmark_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    Ok(FieldType::int(1).with_nullable(false))
}

fn benchmark(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(n) = c.int(0).filter(|n| *n >= 0) else { return c.null() };
    let e = c.types[1].clone();
    // what needs the row was computed with it, and is not computed again
    let mut alone = true;
    e.walk(&mut |e| {
        alone &= !matches!(
            e.node,
            Node::Column(_) | Node::Aggregate(_) | Node::Window(_) | Node::Subquery(_) | Node::Operand(_)
        );
    });
    for i in 0..if alone { n } else { 0 } {
        if i % 256 == 0 && c.ctx.is_killed() {
            // No error of its own: the statement ends where it looks next, after this row.
            break;
        }
        e.value(c.ctx)?;
    }
    c.put_int(0)
}

fn name_const_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let written = |e: &Expr| matches!(e.node, Node::Literal(_) | Node::Param(_));
    if !r.args.iter().all(written) {
        return Err(SqlError::new(crate::error::codes::ER_WRONG_ARGUMENTS, &[&"NAME_CONST"]));
    }
    let mut t = r.args[1].ty.clone().with_nullable(true);
    if t.is_string() {
        t.derivation = crate::types::Derivation::Implicit;
    }
    Ok(t)
}

/// The last argument, when all were evaluated.
fn last(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let v = c.value(c.len() - 1);
    c.out.push(v);
    Ok(())
}
