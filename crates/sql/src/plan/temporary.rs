//! What clients are told of columns whose values went through a temporary table of the reference (DISTINCT, GROUP BY):
//! they are columns of a table then; and of those of UNION ALL, which goes through none.

use super::query::Item;
use crate::ast::AggregateFunction;
use crate::error::SqlResult;
use crate::expr::{AggregateCall, EvalContext, Expr, Node};
use crate::func::wrapped::wrap;
use crate::result::{ColumnMeta, NOT_FIXED_DEC, flag, wire};
use crate::types::{Class, FieldType, Kind, Value};

/// Computed text of more characters is a BLOB in such a table.
pub(crate) const LONGEST_VARCHAR: u32 = 512;

/// Whether groups of these keys are rows of a temporary table, and not found one after the other in order.
pub(super) fn groups_in_table(
    keys: &[Expr],
    aggregates: &[AggregateCall],
    column: &dyn Fn(&Expr) -> ColumnMeta,
) -> bool {
    let sorted = |a: &AggregateCall| a.distinct || a.function == AggregateFunction::GroupConcat;
    !aggregates.iter().any(sorted)
        && !keys.iter().any(|k| k.as_column().is_some() && column(k).flags & flag::MULTIPLE_KEY != 0)
}

/// A temporary table has as many digits of a decimal as its type tells.
pub(super) fn take_decimals<'e>(list: impl IntoIterator<Item = &'e mut Expr>) {
    take_digits(list.into_iter().filter(|e| e.has_hidden_digits()));
}

/// The same of decimals and of doubles of fixed digits.
pub(super) fn take_numbers<'e>(list: impl IntoIterator<Item = &'e mut Expr>) {
    let computed = |e: &Expr| e.ty.is_fixed_double() && e.as_column().is_none() && !e.is_constant();
    take_digits(list.into_iter().filter(|e| e.has_hidden_digits() || computed(e)));
}

/// The same of what window functions give: where nothing is computed of it, and of groups in every case.
pub(super) fn take_windows(list: &mut [Expr], grouped: bool) {
    let value = |e: &Expr| {
        let number = e.ty.class() == Class::Decimal || e.ty.is_fixed_double();
        number && matches!(e.node, Node::Window(_))
    };
    if !grouped {
        return take_digits(list.iter_mut().filter(|e| value(e)));
    }
    for e in list {
        e.walk_mut(&mut |e| take_digits(std::iter::once(e).filter(|e| value(e))));
    }
}

fn take_digits<'e>(list: impl Iterator<Item = &'e mut Expr>) {
    for e in list {
        let mut aggregate = false;
        e.walk(&mut |e| aggregate |= matches!(e.node, Node::Aggregate(_)));
        if !aggregate {
            let ty = e.ty.clone();
            let inner = std::mem::replace(e, Expr::literal(Value::Null, FieldType::null()));
            *e = Expr::new(Node::Convert(Box::new(inner)), ty);
        }
    }
}

/// Columns of a query whose groups by `keys` are rows of such a table.
pub(super) fn grouped(
    items: &mut [Item],
    keys: &[Expr],
    aggregates: &[AggregateCall],
    column: &dyn Fn(&Expr) -> ColumnMeta,
) {
    for item in items {
        stored(&item.expr, &mut item.meta);
        if let Node::Aggregate(n) = item.expr.node
            && let Some(a) = aggregates.get(n as usize)
            && matches!(a.function, AggregateFunction::Min | AggregateFunction::Max)
            && let Some(arg) = a.args.first().filter(|a| a.as_column().is_some())
        {
            let of = column(arg);
            item.meta.flags |= of.flags & (flag::NO_DEFAULT_VALUE | flag::ENUM | flag::SET);
            if matches!(arg.ty.kind, Kind::Enum | Kind::Set | Kind::Char | Kind::Float) {
                (item.meta.ty, item.meta.length) = (of.ty, of.length);
            }
        }
        if keys.contains(&item.expr) {
            group_key(item);
        }
    }
}

/// Columns of SELECT DISTINCT.
pub(super) fn distinct(items: &mut [Item]) {
    let keys = flag::PRI_KEY | flag::UNIQUE_KEY | flag::MULTIPLE_KEY;
    if let [item] = items
        && item.meta.flags & keys != 0
    {
        // a key shows its values one by one
        return;
    }
    for item in items.iter_mut().filter(|i| !i.expr.is_constant()) {
        stored(&item.expr, &mut item.meta);
        group_key(item);
    }
}

/// Keys of groups that may be NULL carry a flag, bits do not: they are numbers in such a table.
fn group_key(item: &mut Item) {
    if item.expr.ty.nullable && item.expr.ty.kind != Kind::Bit {
        item.meta.flags |= flag::NUM;
    }
}

/// A temporary table has the bytes of what was computed as BIT, and all six digits of moments of which nobody knows how many come.
pub(super) fn take_bits_and_moments(output: &mut [Expr]) {
    for e in output {
        e.ty.digits = false;
        if e.ty.is_temporal() && e.ty.decimals == crate::result::NOT_FIXED_DEC {
            e.ty.decimals = 6;
        }
    }
}

/// A temporary table has the full years of what was computed as YEAR of values of YEAR(2).
pub(super) fn take_years(list: &mut [Expr], ctx: &mut EvalContext) -> SqlResult<()> {
    for e in list.iter_mut().filter(|e| e.ty.kind == Kind::Year && !e.ty.is_short_year()) {
        let (mut short, mut aggregate) = (false, false);
        e.walk(&mut |e| {
            short |= e.ty.is_short_year();
            aggregate |= matches!(e.node, Node::Aggregate(_));
        });
        if short && !aggregate {
            let ty = e.ty.clone();
            let width = Expr::literal(Value::Int(i64::from(ty.length)), FieldType::int(1));
            wrap(e, "full_year", vec![width], ty, ctx)?;
        }
    }
    Ok(())
}

/// A temporary table has as much of a computed text as its type has room for: numbers in it may be wider than their
/// columns show them.
pub(super) fn take_texts(list: &mut [Expr], ctx: &mut EvalContext) -> SqlResult<()> {
    for e in list.iter_mut().filter(|e| e.ty.is_string() && !e.ty.is_blob() && !e.ty.is_address()) {
        let room = if e.ty.collation.id == 63 { e.ty.length } else { e.ty.char_length() };
        let (mut wider, mut aggregate) = (false, false);
        e.walk(&mut |e| {
            let column = matches!(e.node, Node::Column(_) | Node::Outer(_));
            wider |= column && e.ty.widest_text().is_some_and(|w| w > room);
            aggregate |= matches!(e.node, Node::Aggregate(_));
        });
        let merged = matches!(e.node, Node::If(_) | Node::Case { .. } | Node::Coalesce(_));
        if merged && wider && !aggregate {
            let ty = e.ty.clone();
            let nullable = ty.nullable;
            let room = Expr::literal(Value::Int(i64::from(room)), FieldType::int(10));
            wrap(e, "left", vec![room], ty, ctx)?;
            e.ty.nullable = nullable;
        }
    }
    Ok(())
}

/// What is computed, as a column of a table.
fn stored(e: &Expr, m: &mut ColumnMeta) {
    if e.as_column().is_some() || e.is_constant() {
        return;
    }
    let t = &e.ty;
    if t.is_number() {
        m.flags &= !flag::BINARY;
        if t.kind == Kind::Year {
            m.flags |= flag::ZEROFILL;
        }
    } else if t.is_address() {
        m.flags |= flag::BINARY | flag::UNSIGNED;
    } else if t.is_string() {
        m.decimals = 0;
        let long = !t.is_blob() && t.char_length() > LONGEST_VARCHAR;
        let shortest = u32::from(t.collation.charset.mbminlen.max(1));
        let wide = m.length.checked_div(t.length / shortest).unwrap_or(1).max(1);
        if (long || t.kind == Kind::Blob) && m.length < 0xffff {
            // as many characters as there is room for the shortest
            m.length = (0xffff / shortest) * wide;
        } else if shortest > 1 && t.is_blob() {
            m.length = (Kind::blob_for(t.length).blob_capacity() / shortest).saturating_mul(wide);
        }
        if long || t.is_blob() {
            m.ty = wire::BLOB;
            m.flags |= flag::BLOB;
        } else if t.kind == Kind::Char {
            m.ty = wire::VAR_STRING;
        }
    } else if t.kind == Kind::Timestamp {
        m.flags |= flag::UNSIGNED;
    }
}

/// A column of UNION ALL: its rows are sent as they come.
pub(super) fn of_all(name: &str, t: &FieldType, ctx: &EvalContext) -> ColumnMeta {
    let mut m = t.meta(name, ctx.results);
    if t.kind == Kind::Timestamp {
        m.flags &= !flag::UNSIGNED;
    }
    m.flags &= !flag::ZEROFILL;
    if t.is_string() && !t.is_address() {
        m.decimals = NOT_FIXED_DEC;
    }
    if t.is_address() {
        m.flags &= !flag::BINARY;
    }
    if t.is_blob() {
        m.flags &= !flag::BLOB;
        m.ty = t.blob_code();
    }
    m
}
