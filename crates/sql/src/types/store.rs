//! Values into stored columns, with the checks, roundings and warnings of an assignment.
//!
//! The stored forms are those of `isam::RowBuf::set`. What does not fit is an error while
//! [`EvalContext::strict`] holds, else a warning and the nearest value that fits.

use std::sync::Arc;

use charset::Charset;
use isam::definition::{ColumnDef, ColumnType};

use super::convert::{self, printable};
use super::decimal::{Decimal, Rounding};
use super::field::{FieldType, Kind};
use super::number::{self, Rest};
use super::temporal::parse::{self, Found, TimeText};
use super::temporal::{DateTime, Time};
use super::value::{Value, ValueRef};
use crate::error::{
    ER_DATA_TOO_LONG, ER_TRUNCATED_WRONG_VALUE, ER_TRUNCATED_WRONG_VALUE_FOR_FIELD,
    ER_WARN_DATA_OUT_OF_RANGE, SqlError, SqlResult, WARN_DATA_TRUNCATED,
};
use crate::expr::EvalContext;
use crate::warning::Level;

/// A column that values are stored into.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type as expressions see it.
    pub ty: FieldType,
    /// Its stored type.
    pub stored: ColumnType,
    /// NOT NULL.
    pub not_null: bool,
    /// `db`.`table` for messages.
    pub db: Arc<str>,
    /// See `db`.
    pub table: Arc<str>,
    /// Bytes of an integer.
    width: usize,
    /// Characters of a string.
    chars: usize,
    /// Bytes of a string.
    bytes: usize,
}

impl Column {
    /// The target for a column of `db`.`table`.
    #[must_use]
    pub fn new(def: &ColumnDef, db: &Arc<str>, table: &Arc<str>) -> Column {
        let ty = FieldType::from_column(def);
        let width = match def.ty {
            ColumnType::Tiny => 1,
            ColumnType::Short => 2,
            ColumnType::Int24 => 3,
            ColumnType::Long => 4,
            _ => 8,
        };
        let bytes = match &def.ty {
            ColumnType::Char { bytes } | ColumnType::Varchar { bytes } | ColumnType::OldVarchar { bytes } => {
                usize::from(*bytes)
            }
            ColumnType::Blob { length_bytes } => (1usize << (8 * usize::from(*length_bytes))) - 1,
            _ => ty.length as usize,
        };
        let chars = match &def.ty {
            ColumnType::Blob { .. } => usize::MAX,
            _ => bytes / usize::from(def.collation.charset.mbmaxlen.max(1)),
        };
        Column {
            name: def.name.clone(),
            ty,
            stored: def.ty.clone(),
            not_null: !def.nullable,
            db: Arc::clone(db),
            table: Arc::clone(table),
            width,
            chars,
            bytes,
        }
    }

    fn fractions(&self) -> u8 {
        match self.stored {
            ColumnType::Time { decimals }
            | ColumnType::DateTime { decimals }
            | ColumnType::Timestamp { decimals } => decimals,
            _ => 0,
        }
    }
}

/// Reports a value that does not fit.
fn problem(ctx: &mut EvalContext, code: u16, args: &[&dyn std::fmt::Display]) -> SqlResult<()> {
    if ctx.strict {
        return Err(SqlError::new(code, args));
    }
    ctx.warnings.push(Level::Warning, code, args);
    Ok(())
}

fn row_of(ctx: &EvalContext) -> u64 {
    ctx.row.max(1)
}

fn out_of_range(to: &Column, ctx: &mut EvalContext) -> SqlResult<()> {
    let row = row_of(ctx);
    problem(ctx, ER_WARN_DATA_OUT_OF_RANGE, &[&to.name, &row])
}

fn truncated(to: &Column, ctx: &mut EvalContext) -> SqlResult<()> {
    let row = row_of(ctx);
    problem(ctx, WARN_DATA_TRUNCATED, &[&to.name, &row])
}

fn note_truncated(to: &Column, ctx: &mut EvalContext) {
    let row = row_of(ctx);
    ctx.warnings.push(Level::Note, WARN_DATA_TRUNCATED, &[&to.name, &row]);
}

/// `Incorrect integer value: 'x' for column ...`; `code` is 1366 or, for temporal types, 1292.
fn incorrect(code: u16, what: &str, text: &str, to: &Column, ctx: &mut EvalContext) -> SqlResult<()> {
    let row = row_of(ctx);
    let shown: String = text.chars().take(128).collect();
    let args: [&dyn std::fmt::Display; 6] = [&what, &shown, &to.db, &to.table, &to.name, &row];
    let message = crate::error::message(ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, &args);
    let error = SqlError { code, state: crate::error::sqlstate(code), message };
    if ctx.strict {
        return Err(error);
    }
    ctx.warnings.push_text(Level::Warning, code, error.message);
    Ok(())
}

fn shown(v: ValueRef<'_>, from: &FieldType) -> String {
    match v {
        ValueRef::Bytes(b) => printable(b, from),
        _ => {
            let mut out = Vec::new();
            convert::write_text(v, from, &mut out);
            String::from_utf8_lossy(&out).into_owned()
        }
    }
}

/// Appends the stored bytes of `v` (a value of type `from`) for column `to`. False for NULL, which is
/// for the caller to judge.
///
/// # Errors
/// In strict mode, those of values that do not fit: 1264, 1265, 1292, 1366, 1406.
pub fn store(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    out: &mut Vec<u8>,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    if v.is_null() {
        return Ok(false);
    }
    match to.ty.kind {
        Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong => {
            integer(v, from, to, out, ctx)?
        }
        Kind::Char
        | Kind::Varchar
        | Kind::TinyBlob
        | Kind::Blob
        | Kind::MediumBlob
        | Kind::LongBlob
        | Kind::Geometry => {
            string(v, from, to, out, ctx)?;
        }
        Kind::Decimal => decimal(v, from, to, out, ctx)?,
        Kind::Float | Kind::Double => double(v, from, to, out, ctx)?,
        Kind::Date | Kind::DateTime | Kind::Timestamp => date(v, from, to, out, ctx)?,
        Kind::Time => time(v, from, to, out, ctx)?,
        Kind::Year => year(v, from, to, out, ctx)?,
        Kind::Enum => enumeration(v, from, to, out, ctx)?,
        Kind::Set => set(v, from, to, out, ctx)?,
        Kind::Bit => bit(v, from, to, out, ctx)?,
        Kind::Uuid | Kind::Inet4 | Kind::Inet6 => special(v, from, to, out, ctx)?,
        Kind::Null => return Ok(false),
    }
    Ok(true)
}

/// The zero of a type: what NOT NULL columns without a default get.
pub fn zero(to: &Column, out: &mut Vec<u8>) {
    match to.ty.kind {
        Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong => {
            out.resize(out.len() + to.width, 0)
        }
        Kind::Decimal => Decimal::ZERO.to_binary(to.ty.precision(), to.ty.decimals, out),
        Kind::Float => out.extend_from_slice(&[0; 4]),
        Kind::Double => out.extend_from_slice(&[0; 8]),
        Kind::Date => out.extend_from_slice(&[0; 3]),
        Kind::DateTime => put_datetime(DateTime::default(), to.fractions(), out),
        Kind::Timestamp => out.resize(out.len() + 4 + usize::from(to.fractions().div_ceil(2)), 0),
        Kind::Time => put_time(Time::default(), to.fractions(), out),
        Kind::Year => out.push(0),
        // the first member
        Kind::Enum => put_index(1, to, out),
        Kind::Set => put_index(0, to, out),
        Kind::Bit => out.resize(out.len() + (to.ty.length as usize).div_ceil(8), 0),
        Kind::Uuid | Kind::Inet6 => out.extend_from_slice(&[0; 16]),
        Kind::Inet4 => out.extend_from_slice(&[0; 4]),
        _ => {}
    }
}

fn put_integer(n: i128, to: &Column, out: &mut Vec<u8>) {
    out.extend_from_slice(&n.to_le_bytes()[..to.width]);
}

fn integer_range(to: &Column) -> (i128, i128) {
    let bits = 8 * to.width as u32;
    if to.ty.unsigned { (0, (1 << bits) - 1) } else { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) }
}

fn integer(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    out: &mut Vec<u8>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let (min, max) = integer_range(to);
    let n: i128 = match v {
        ValueRef::Int(n) => i128::from(n),
        ValueRef::UInt(n) => i128::from(n),
        ValueRef::Double(d) => {
            let r = d.round_ties_even();
            if r.is_nan() { 0 } else { r.clamp(-1e30, 1e30) as i128 }
        }
        ValueRef::Decimal(d) => d.round(0, Rounding::HalfUp).0.to_i128(),
        ValueRef::Bytes(b) if from.hex => i128::from(convert::bytes_to_u64(b)),
        ValueRef::Bytes(b) => {
            // fast for plain digits; anything else is read as a decimal and rounded
            let p = Decimal::parse(b);
            if p.used == 0 {
                incorrect(ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, "integer", &shown(v, from), to, ctx)?;
                put_integer(0, to, out);
                return Ok(());
            }
            let n = p.value.round(0, Rounding::HalfUp).0.to_i128();
            if p.overflow || n < min || n > max {
                out_of_range(to, ctx)?;
            } else if number::rest(b, p.used) == Rest::Garbage {
                truncated(to, ctx)?;
            }
            put_integer(n.clamp(min, max), to, out);
            return Ok(());
        }
        ValueRef::Date(d) => i128::from(d.date_number()),
        ValueRef::DateTime(d) => i128::from(d.rounded(0).unwrap_or(d).to_number()),
        ValueRef::Time(t) => i128::from(t.rounded(0).to_number()),
        ValueRef::Null => 0,
    };
    if n < min || n > max {
        out_of_range(to, ctx)?;
    }
    put_integer(n.clamp(min, max), to, out);
    Ok(())
}

fn decimal(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    out: &mut Vec<u8>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let (precision, scale) = (to.ty.precision(), to.ty.decimals);
    let mut cut = false;
    let d = match v {
        ValueRef::Bytes(b) if !from.hex => {
            let p = Decimal::parse(b);
            if p.used == 0 {
                incorrect(ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, "decimal", &shown(v, from), to, ctx)?;
            } else if number::rest(b, p.used) == Rest::Garbage {
                truncated(to, ctx)?;
            }
            p.value
        }
        ValueRef::Double(x) => number::decimal_of_double(x, scale).0,
        _ => convert::to_decimal(v, from, ctx),
    };
    let (mut rounded, _) = d.round(i32::from(scale), Rounding::HalfUp);
    cut |= !matches!(v, ValueRef::Double(_)) && !rounded.sub(&d).0.is_zero();
    if to.ty.unsigned && rounded.is_negative() && !rounded.is_zero() {
        out_of_range(to, ctx)?;
        rounded = Decimal::ZERO;
        cut = false;
    }
    let (fitted, over) = rounded.fit(precision, scale);
    if over {
        out_of_range(to, ctx)?;
    } else if cut {
        note_truncated(to, ctx);
    }
    fitted.to_binary(precision, scale, out);
    Ok(())
}

fn double(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    out: &mut Vec<u8>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let mut x = match v {
        ValueRef::Bytes(b) if !from.hex => {
            let r = number::read_double(b);
            if r.used == 0 {
                incorrect(ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, "double", &shown(v, from), to, ctx)?;
            } else if r.overflow {
                out_of_range(to, ctx)?;
            } else if number::rest(b, r.used) == Rest::Garbage {
                truncated(to, ctx)?;
            }
            r.value
        }
        _ => convert::to_f64(v, from, ctx),
    };
    if to.ty.unsigned && x < 0.0 {
        out_of_range(to, ctx)?;
        x = 0.0;
    }
    let decimals = to.ty.decimals;
    if decimals < 31 {
        let digits = to.ty.length.saturating_sub(u32::from(decimals)) as i32;
        let limit = 10f64.powi(digits) - 10f64.powi(-i32::from(decimals));
        let rounded = number::round_double(x, i64::from(decimals), false);
        if rounded.abs() > limit {
            out_of_range(to, ctx)?;
            x = limit.copysign(x);
        } else {
            x = rounded;
        }
    }
    if to.ty.kind == Kind::Float {
        let max = f64::from(f32::MAX);
        if x.abs() > max {
            out_of_range(to, ctx)?;
            x = max.copysign(x);
        }
        out.extend_from_slice(&(x as f32).to_le_bytes());
    } else {
        out.extend_from_slice(&x.to_le_bytes());
    }
    Ok(())
}

fn string(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    out: &mut Vec<u8>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let ValueRef::Bytes(b) = v else {
        let mut text = ctx.scratch.pop().unwrap_or_default();
        text.clear();
        convert::write_text_in(v, from, &to.ty, &mut text);
        let done = put_string(&text, to, out, ctx);
        ctx.scratch.push(text);
        return done;
    };
    let (source, target) = (from.collation.charset, to.ty.collation.charset);
    if std::ptr::eq(source, target) || target.name == "binary" {
        return put_checked(b, to, out, ctx);
    }
    if source.name == "binary" || (b.is_ascii() && source.mbminlen == 1 && target.mbminlen == 1) {
        return put_checked(b, to, out, ctx);
    }
    let mut text = ctx.scratch.pop().unwrap_or_default();
    text.clear();
    let lost = source.convert(b, target, &mut text);
    let done = if lost > 0 {
        incorrect(ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, "string", &first_lost(b, source, target), to, ctx)
            .and_then(|()| put_string(&text, to, out, ctx))
    } else {
        put_string(&text, to, out, ctx)
    };
    ctx.scratch.push(text);
    done
}

/// The bytes from the first character on that the target does not have, as messages show them.
fn first_lost(b: &[u8], source: &Charset, target: &Charset) -> String {
    let mut at = 0;
    while at < b.len() {
        let Some((_, n)) = source.decode(&b[at..]) else { break };
        let mut one = Vec::new();
        if source.convert(&b[at..at + n], target, &mut one) > 0 {
            break;
        }
        at += n.max(1);
    }
    escaped(&b[at.min(b.len())..])
}

fn escaped(b: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut s = String::new();
    for x in b.iter().take(6) {
        if x.is_ascii_graphic() || *x == b' ' {
            s.push(char::from(*x));
        } else {
            let _ = write!(s, "\\x{x:02X}");
        }
    }
    if b.len() > 6 {
        s.push_str("...");
    }
    s
}

/// Stores text that claims to be in the column's character set.
fn put_checked(b: &[u8], to: &Column, out: &mut Vec<u8>, ctx: &mut EvalContext) -> SqlResult<()> {
    let set = to.ty.collation.charset;
    if b.is_ascii() && set.mbminlen == 1 {
        return put_string(b, to, out, ctx);
    }
    let good = set.well_formed_len(b);
    if good < b.len() {
        incorrect(ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, "string", &escaped(&b[good..]), to, ctx)?;
        let mut text = b[..good].to_vec();
        let rest: Vec<u8> = b[good..].iter().map(|x| if x.is_ascii() { *x } else { b'?' }).collect();
        text.extend_from_slice(&rest);
        return put_string(&text, to, out, ctx);
    }
    put_string(b, to, out, ctx)
}

fn put_string(b: &[u8], to: &Column, out: &mut Vec<u8>, ctx: &mut EvalContext) -> SqlResult<()> {
    let set = to.ty.collation.charset;
    let mut keep = b.len();
    if b.len() > to.chars {
        keep = set.prefix(b, to.chars).min(b.len());
    }
    if keep > to.bytes {
        keep = to.bytes - (to.bytes - set.well_formed_len(&b[..to.bytes]).min(to.bytes));
    }
    if keep < b.len() {
        let spaces = to.ty.collation.id != 63 && b[keep..].iter().all(|x| *x == b' ');
        let row = row_of(ctx);
        if !spaces {
            if ctx.strict {
                return Err(SqlError::new(ER_DATA_TOO_LONG, &[&to.name, &row]));
            }
            ctx.warnings.push(Level::Warning, WARN_DATA_TRUNCATED, &[&to.name, &row]);
        } else if to.ty.kind != Kind::Char {
            note_truncated(to, ctx);
        }
    }
    out.extend_from_slice(&b[..keep]);
    // BINARY(n) is filled with zero bytes
    if to.ty.kind == Kind::Char && to.ty.collation.id == 63 {
        let end = out.len() + to.bytes - keep;
        out.resize(end, 0);
    }
    Ok(())
}

fn put_fraction(micros: u32, digits: u8, out: &mut Vec<u8>) {
    match digits.div_ceil(2) {
        0 => {}
        1 => out.push((micros / 10_000) as u8),
        2 => out.extend_from_slice(&((micros / 100) as u16).to_be_bytes()),
        _ => out.extend_from_slice(&micros.to_be_bytes()[1..]),
    }
}

/// Appends the stored form of a DATETIME with `digits` digits of fraction.
pub fn put_datetime(d: DateTime, digits: u8, out: &mut Vec<u8>) {
    let d = d.truncated(digits);
    let ymd = (u64::from(d.year) * 13 + u64::from(d.month)) << 5 | u64::from(d.day);
    let hms = u64::from(d.hour) << 12 | u64::from(d.minute) << 6 | u64::from(d.second);
    let n = 0x80_0000_0000 + (ymd << 17 | hms);
    out.extend_from_slice(&n.to_be_bytes()[3..]);
    put_fraction(d.micros, digits, out);
}

/// Appends the stored form of a TIME with `digits` digits of fraction.
pub fn put_time(t: Time, digits: u8, out: &mut Vec<u8>) {
    let t = t.truncated(digits);
    let bytes = usize::from(digits.div_ceil(2));
    let fraction = match bytes {
        0 => 0,
        1 => t.micros / 10_000,
        2 => t.micros / 100,
        _ => t.micros,
    };
    let hms = i64::from(t.hours) << 12 | i64::from(t.minute) << 6 | i64::from(t.second);
    let n = hms << (8 * bytes) | i64::from(fraction);
    let n = (0x80_0000i64 << (8 * bytes)) + if t.negative { -n } else { n };
    out.extend_from_slice(&n.to_be_bytes()[5 - bytes..]);
}

/// Appends the stored form of a TIMESTAMP.
pub fn put_timestamp(seconds: i64, micros: u32, digits: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(&(seconds as u32).to_be_bytes());
    let unit = super::temporal::MICRO_UNIT[usize::from(digits.min(6))];
    put_fraction(micros - micros % unit, digits, out);
}

fn put_date(d: DateTime, out: &mut Vec<u8>) {
    let n = u32::from(d.day) + 32 * u32::from(d.month) + 512 * u32::from(d.year);
    out.extend_from_slice(&n.to_le_bytes()[..3]);
}

/// Appends the statement's time as a column's default or ON UPDATE value.
pub fn put_now(to: &Column, out: &mut Vec<u8>, ctx: &mut EvalContext) {
    let digits = to.fractions();
    match to.ty.kind {
        Kind::Timestamp => {
            let (s, us) = ctx.now_utc();
            put_timestamp(s, us, digits, out);
        }
        Kind::DateTime => put_datetime(ctx.now(), digits, out),
        Kind::Date => put_date(ctx.now(), out),
        Kind::Time => put_time(ctx.now().time(), digits, out),
        _ => zero(to, out),
    }
}

fn date(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    out: &mut Vec<u8>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let what = match to.ty.kind {
        Kind::Date => "date",
        _ => "datetime",
    };
    let rules = convert::date_rules(ctx.sql_mode);
    let mut cut = false;
    let found: Option<DateTime> = match v {
        ValueRef::Bytes(b) => match parse::datetime(b, rules) {
            Found::Good(t) => Some(t.value),
            Found::ExcessFraction(t) => {
                note_truncated(to, ctx);
                Some(t.value)
            }
            Found::Truncated(t) => {
                cut = true;
                Some(t.value)
            }
            Found::OutOfRange | Found::Bad => None,
        },
        ValueRef::Date(d) | ValueRef::DateTime(d) => rules.accept(d).then_some(d),
        ValueRef::Time(t) => {
            let today = ctx.now().date_only();
            super::temporal::calendar::add_micros(today, i128::from(t.to_micros()))
        }
        _ => {
            let mark = ctx.warnings.mark();
            let d = convert::to_datetime(v, from, rules, ctx);
            ctx.warnings.rollback_to(mark);
            d
        }
    };
    let Some(mut d) = found else {
        incorrect(ER_TRUNCATED_WRONG_VALUE, what, &shown(v, from), to, ctx)?;
        zero(to, out);
        return Ok(());
    };
    if cut {
        truncated(to, ctx)?;
    }
    if to.ty.kind == Kind::Date {
        if !d.is_midnight() {
            note_truncated(to, ctx);
        }
        put_date(d, out);
        return Ok(());
    }
    d = d.rounded(to.fractions()).unwrap_or(d);
    if to.ty.kind == Kind::DateTime {
        put_datetime(d, to.fractions(), out);
        return Ok(());
    }
    if d.is_zero() {
        zero(to, out);
        return Ok(());
    }
    let (seconds, gap) = ctx.time_zone.to_utc(d);
    if d.month == 0 || d.day == 0 || !(1..=i64::from(i32::MAX)).contains(&seconds) {
        if d.month == 0 || d.day == 0 {
            incorrect(ER_TRUNCATED_WRONG_VALUE, what, &shown(v, from), to, ctx)?;
        } else {
            out_of_range(to, ctx)?;
        }
        zero(to, out);
        return Ok(());
    }
    if gap {
        incorrect(ER_TRUNCATED_WRONG_VALUE, what, &shown(v, from), to, ctx)?;
    }
    put_timestamp(seconds, d.micros, to.fractions(), out);
    Ok(())
}

fn time(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    out: &mut Vec<u8>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let rules = convert::date_rules(ctx.sql_mode);
    let found = match v {
        ValueRef::Time(t) => Some(t),
        ValueRef::Date(_) => Some(Time::default()),
        ValueRef::DateTime(d) => {
            if !d.is_zero_date() {
                note_truncated(to, ctx);
            }
            Some(d.time())
        }
        ValueRef::Bytes(b) => {
            let pick = |t: TimeText, ctx: &mut EvalContext| -> SqlResult<Time> {
                Ok(match t {
                    TimeText::Time(t) => t,
                    TimeText::Clipped(t) => {
                        out_of_range(to, ctx)?;
                        t
                    }
                    TimeText::DateTime(d) => {
                        note_truncated(to, ctx);
                        d.time()
                    }
                })
            };
            match parse::time(b, rules) {
                Found::Good(t) => Some(pick(t, ctx)?),
                Found::ExcessFraction(t) => {
                    note_truncated(to, ctx);
                    Some(pick(t, ctx)?)
                }
                Found::Truncated(t) => {
                    truncated(to, ctx)?;
                    Some(pick(t, ctx)?)
                }
                Found::OutOfRange | Found::Bad => None,
            }
        }
        _ => {
            let mark = ctx.warnings.mark();
            let t = convert::to_time(v, from, ctx);
            ctx.warnings.rollback_to(mark);
            t
        }
    };
    let Some(t) = found else {
        incorrect(ER_TRUNCATED_WRONG_VALUE, "time", &shown(v, from), to, ctx)?;
        zero(to, out);
        return Ok(());
    };
    put_time(t.rounded(to.fractions()), to.fractions(), out);
    Ok(())
}

fn year(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    out: &mut Vec<u8>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let mut text_digits = 0;
    let n: i128 = match v {
        ValueRef::Bytes(b) if !from.hex => {
            let (r, _) = number::read_integer(b);
            if r.used == 0 {
                incorrect(ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, "year", &shown(v, from), to, ctx)?;
                out.push(0);
                return Ok(());
            }
            if number::rest(b, r.used) == Rest::Garbage {
                truncated(to, ctx)?;
            }
            text_digits = r.used;
            i128::from(r.value.cast_signed())
        }
        ValueRef::Date(d) | ValueRef::DateTime(d) => i128::from(d.year),
        ValueRef::Double(x) => x.round_ties_even() as i128,
        ValueRef::Decimal(d) => d.round(0, Rounding::HalfUp).0.to_i128(),
        _ => i128::from(convert::to_i64(v, from, false, ctx)),
    };
    let full = match n {
        0 if text_digits != 0 && text_digits < 4 => 2000,
        0 => 0,
        1..=69 => n + 2000,
        70..=99 => n + 1900,
        1901..=2155 => n,
        _ => {
            out_of_range(to, ctx)?;
            0
        }
    };
    out.push(if full == 0 { 0 } else { (full - 1900) as u8 });
    Ok(())
}

fn put_index(n: u64, to: &Column, out: &mut Vec<u8>) {
    let members = to.ty.values.as_ref().map_or(0, |v| v.len());
    let width = match to.ty.kind {
        Kind::Enum => 1 + usize::from(members > 255),
        _ => match members.div_ceil(8) {
            n @ 0..=4 => n.max(1),
            _ => 8,
        },
    };
    out.extend_from_slice(&n.to_le_bytes()[..width]);
}

/// The text of a value in the column's character set.
fn text_in(v: ValueRef<'_>, from: &FieldType, to: &Column) -> Vec<u8> {
    let mut text = Vec::new();
    convert::write_text_in(v, from, &to.ty, &mut text);
    text
}

fn enumeration(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    out: &mut Vec<u8>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let Some(values) = to.ty.values.clone() else { return Ok(()) };
    let by_number = |n: i128| (n >= 1 && n <= values.len() as i128).then_some(n as u64);
    let is_text = matches!(v, ValueRef::Bytes(_)) && !from.hex || matches!(from.kind, Kind::Enum | Kind::Set);
    let found = if is_text {
        let text = text_in(v, from, to);
        let text = text.trim_ascii_end();
        match values.iter().position(|m| to.ty.collation.compare(m, text).is_eq()) {
            Some(i) => Some(i as u64 + 1),
            None => {
                let (r, _) = number::read_integer(text);
                (r.used > 0 && r.used == text.len()).then(|| by_number(i128::from(r.value))).flatten()
            }
        }
    } else {
        let n = match v {
            ValueRef::Double(x) => x as i128,
            ValueRef::Decimal(d) => d.trunc_i128(),
            _ => i128::from(convert::to_i64(v, from, false, ctx)),
        };
        by_number(n)
    };
    if found.is_none() {
        truncated(to, ctx)?;
    }
    put_index(found.unwrap_or(0), to, out);
    Ok(())
}

fn set(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    out: &mut Vec<u8>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let Some(values) = to.ty.values.clone() else { return Ok(()) };
    let all = if values.len() >= 64 { u64::MAX } else { (1 << values.len()) - 1 };
    let is_text = matches!(v, ValueRef::Bytes(_)) && !from.hex || matches!(from.kind, Kind::Enum | Kind::Set);
    let mut unknown = false;
    let mut bits = 0u64;
    if is_text {
        let text = text_in(v, from, to);
        if !text.is_empty() {
            for word in text.split(|b| *b == b',') {
                match values.iter().position(|m| to.ty.collation.compare(m, word).is_eq()) {
                    Some(i) => bits |= 1 << i,
                    None => unknown = true,
                }
            }
            if unknown {
                let (r, _) = number::read_integer(&text);
                if r.used == text.len() && r.value <= all {
                    bits = r.value;
                    unknown = false;
                }
            }
        }
    } else {
        bits = convert::to_i64(v, from, true, ctx).cast_unsigned();
        unknown = bits & !all != 0;
        bits &= all;
    }
    if unknown {
        truncated(to, ctx)?;
    }
    put_index(bits, to, out);
    Ok(())
}

fn bit(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    out: &mut Vec<u8>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let bits = to.ty.length;
    let n = match v {
        ValueRef::Bytes(b) => {
            let b = &b[b.iter().take_while(|x| **x == 0).count()..];
            if b.len() > 8 { None } else { Some(convert::bytes_to_u64(b)) }
        }
        ValueRef::Double(x) => Some(number::double_to_int(x, true).0.cast_unsigned()),
        _ => Some(convert::to_i64(v, from, true, ctx).cast_unsigned()),
    };
    let max = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
    let value = match n {
        Some(n) if n <= max => n,
        _ => {
            let row = row_of(ctx);
            if ctx.strict {
                return Err(SqlError::new(ER_DATA_TOO_LONG, &[&to.name, &row]));
            }
            ctx.warnings.push(Level::Warning, ER_WARN_DATA_OUT_OF_RANGE, &[&to.name, &row]);
            max
        }
    };
    let bytes = (bits as usize).div_ceil(8);
    out.extend_from_slice(&value.to_be_bytes()[8 - bytes..]);
    Ok(())
}

fn special(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    out: &mut Vec<u8>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let text = shown(v, from);
    let (what, bytes): (&str, Option<Vec<u8>>) = match to.ty.kind {
        Kind::Inet4 => ("inet4", text.trim().parse::<std::net::Ipv4Addr>().ok().map(|a| a.octets().to_vec())),
        Kind::Inet6 => {
            let six = text.trim().parse::<std::net::Ipv6Addr>().ok();
            let four = || text.trim().parse::<std::net::Ipv4Addr>().ok().map(|a| a.to_ipv6_mapped());
            ("inet6", six.or_else(four).map(|a| a.octets().to_vec()))
        }
        _ => {
            let hex: Vec<u8> = text.bytes().filter(|b| !matches!(b, b'-' | b'{' | b'}')).collect();
            let digit = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
            let whole: Option<Vec<u8>> = (hex.len() == 32)
                .then(|| hex.chunks(2).map(|p| Some(digit(p[0])? << 4 | digit(p[1])?)).collect())
                .flatten();
            ("uuid", whole.map(|w| [&w[10..16], &w[8..10], &w[6..8], &w[4..6], &w[0..4]].concat()))
        }
    };
    match bytes {
        Some(b) => out.extend_from_slice(&b),
        None => {
            incorrect(ER_TRUNCATED_WRONG_VALUE, what, &text, to, ctx)?;
            zero(to, out);
        }
    }
    Ok(())
}

/// Appends a decimal integer literal (as in the text of INSERT) for an integer column; false when it
/// must go the long way.
#[must_use]
pub fn store_digits(text: &[u8], negative: bool, to: &Column, out: &mut Vec<u8>) -> bool {
    if !matches!(to.ty.kind, Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong)
        || text.len() > 18
    {
        return false;
    }
    let mut n: i64 = 0;
    for b in text {
        n = n * 10 + i64::from(b.wrapping_sub(b'0'));
    }
    if negative {
        n = -n;
    }
    let (min, max) = integer_range(to);
    if i128::from(n) < min || i128::from(n) > max {
        return false;
    }
    out.extend_from_slice(&n.to_le_bytes()[..to.width]);
    true
}

/// A stored value's owned form: see [`store`].
///
/// # Errors
/// As [`store`].
pub fn stored(v: &Value, from: &FieldType, to: &Column, ctx: &mut EvalContext) -> SqlResult<Option<Vec<u8>>> {
    let mut out = Vec::new();
    Ok(store(v.as_ref(), from, to, &mut out, ctx)?.then_some(out))
}
