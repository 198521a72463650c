//! COLUMN_GET: a value as another type.

use super::format::{Columns, Fault, Key, Outcome};
use super::value::Stored;
use super::{Named, in_utf8, name_of};
use crate::error::{ER_BAD_DATA, ER_DATA_OVERFLOW, ER_UNKNOWN_ERROR, ER_WARN_DATA_OUT_OF_RANGE, SqlResult};
use crate::expr::function::Call;
use crate::func::cast::put_converted;
use crate::func::temporal::{put_datetime, put_time};
use crate::result::NOT_FIXED_DEC;
use crate::types::temporal::{DateTime, format};
use crate::types::{Class, Decimal, Derivation, FieldType, ValueRef, convert, number};
use crate::warning::Level;
use charset::Collation;
use std::borrow::Cow;

/// The largest number that is looked for; of it the low 16 bits count.
const LARGEST: i128 = i32::MAX as i128;

pub(super) fn get(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(name) = name_of(c, 1) else { return c.null() };
    let Some(blob) = c.bytes(0) else { return c.null() };
    let columns = Columns::read(blob)?;
    let key = match name {
        Named::Number(n) if !(0..=LARGEST).contains(&n) => return c.null(),
        Named::Number(n) if columns.named() => Key::Name(Cow::Owned(n.to_string().into_bytes())),
        Named::Number(n) => Key::Number(n as u16),
        Named::Name(name) => Key::Name(name),
    };
    let Some(i) = columns.find(&key)? else { return c.null() };
    let (kind, data) = columns.value(i)?;
    put(c, &Stored::read(kind, data)?)
}

/// Puts a value as the type of the call.
fn put(c: &mut Call<'_, '_>, v: &Stored<'_>) -> SqlResult<()> {
    let class = c.expr.ty.class();
    match (class, v) {
        (Class::Bytes, v) => put_text(c, v),
        // columns in a column are but text
        (_, Stored::Columns(_)) => c.null(),
        (Class::Int, v) => put_int(c, v, false),
        (Class::UInt, v) => put_int(c, v, true),
        (Class::Double, v) => put_double(c, v),
        (Class::Decimal, v) => put_decimal(c, v),
        (_, v) => put_moment(c, v),
    }
}

/// A value and its type; `None` for columns in a column.
fn plain<'a>(v: &'a Stored<'_>) -> Outcome<Option<(ValueRef<'a>, FieldType)>> {
    Ok(Some(match v {
        Stored::Int(v) => (ValueRef::Int(*v), FieldType::bigint(false)),
        Stored::UInt(v) => (ValueRef::UInt(*v), FieldType::bigint(true)),
        Stored::Double(v) => (ValueRef::Double(*v), FieldType::double()),
        Stored::Decimal(v, _) => (ValueRef::Decimal(v), FieldType::decimal(v.precision(), v.scale())),
        Stored::Text(collation, bytes) => {
            let collation = collation_of(*collation)?;
            let ty = FieldType::string(bytes.len() as u64, collation, Derivation::Implicit);
            (ValueRef::Bytes(bytes), ty)
        }
        Stored::Date(v) => (ValueRef::Date(*v), FieldType::date()),
        Stored::Time(v) => (ValueRef::Time(*v), FieldType::time(if v.micros > 0 { 6 } else { 0 })),
        Stored::DateTime(v) => {
            (ValueRef::DateTime(*v), FieldType::datetime(if v.micros > 0 { 6 } else { 0 }))
        }
        Stored::Dayless(v) => (ValueRef::Time(*v), FieldType::time(6)),
        Stored::Columns(_) => return Ok(None),
    }))
}

pub(super) fn collation_of(id: u16) -> Outcome<&'static Collation> {
    Collation::by_id(id).ok_or(Fault::Charset)
}

/// Text that is no number from its beginning to its end.
fn warn_bad(c: &mut Call<'_, '_>, text: &[u8], ty: &FieldType, to: &str) {
    let shown = convert::printable(text, ty);
    c.ctx.warnings.warn(ER_BAD_DATA, &[&shown, &to]);
}

fn put_int(c: &mut Call<'_, '_>, v: &Stored<'_>, unsigned: bool) -> SqlResult<()> {
    let Some((v, ty)) = plain(v)? else { return c.null() };
    let to = if unsigned { "UNSIGNED INT" } else { "INT" };
    let (value, negative) = match v {
        ValueRef::Bytes(b) => {
            let text = convert::ascii(b, &ty);
            let (read, negative) = number::read_integer(&text);
            if read.overflow || read.used < text.len() || text.is_empty() {
                warn_bad(c, b, &ty, to);
            }
            (read.value as i64, negative)
        }
        ValueRef::Double(x) => {
            let (value, over) = number::double_to_int(x, unsigned);
            if over {
                let mut shown = Vec::new();
                number::write_double(x, NOT_FIXED_DEC, &mut shown);
                let shown = String::from_utf8_lossy(&shown).into_owned();
                c.ctx.warnings.warn(ER_DATA_OVERFLOW, &[&shown, &to]);
            }
            return c.put_int(value);
        }
        ValueRef::Decimal(_) => {
            let value = convert::to_i64(v, &ty, unsigned, c.ctx);
            return c.put_int(value);
        }
        ValueRef::UInt(v) => (v as i64, false),
        v => {
            let value = convert::to_i64(v, &ty, unsigned, c.ctx);
            (value, value < 0)
        }
    };
    let complement = match (unsigned, negative) {
        (true, true) if value != 0 => {
            "Cast to unsigned converted negative integer to it's positive complement"
        }
        (false, false) if value < 0 => {
            "Cast to signed converted positive out-of-range integer to it's negative complement"
        }
        _ => return c.put_int(value),
    };
    c.ctx.warnings.push_text(Level::Note, ER_UNKNOWN_ERROR, complement.into());
    c.put_int(value)
}

fn put_double(c: &mut Call<'_, '_>, v: &Stored<'_>) -> SqlResult<()> {
    let Some((v, ty)) = plain(v)? else { return c.null() };
    let value = match v {
        ValueRef::Bytes(b) => {
            let text = convert::ascii(b, &ty);
            let read = number::read_double(&text);
            if read.overflow || read.used < text.len() || text.is_empty() {
                warn_bad(c, b, &ty, "DOUBLE");
            }
            read.value
        }
        v => convert::to_f64(v, &ty, c.ctx),
    };
    c.out.push_f64(value);
    Ok(())
}

fn put_decimal(c: &mut Call<'_, '_>, v: &Stored<'_>) -> SqlResult<()> {
    let Some((v, ty)) = plain(v)? else { return c.null() };
    let value = match v {
        ValueRef::Bytes(b) => {
            let text = convert::ascii(b, &ty);
            let read = Decimal::parse(&text);
            if read.overflow || read.used < text.len() || text.is_empty() {
                warn_bad(c, b, &ty, "DECIMAL");
            }
            read.value
        }
        // what 81 digits hold is told of by its range alone
        ValueRef::Double(x) if x.abs() < 1e81 => Decimal::from_f64(x).0,
        v => convert::to_decimal(v, &ty, c.ctx),
    };
    let to = &c.expr.ty;
    let (fitted, over) = value.fit(to.precision(), to.decimals);
    if over {
        let heading = c.bytes(2).map_or("(null)".into(), String::from_utf8_lossy);
        let row = c.ctx.row.max(1);
        c.ctx.warnings.warn(ER_WARN_DATA_OUT_OF_RANGE, &[&heading, &row]);
    }
    c.out.push_decimal(&fitted);
    Ok(())
}

/// A date or time.
fn put_moment(c: &mut Call<'_, '_>, v: &Stored<'_>) -> SqlResult<()> {
    let Some((v, ty)) = plain(v)? else { return c.null() };
    let v = match v {
        // beyond the signed ones it is a double
        ValueRef::UInt(x) if i64::try_from(x).is_err() => ValueRef::Double(x as f64),
        v => v,
    };
    let ty = if matches!(v, ValueRef::Double(_)) { FieldType::double() } else { ty };
    let mode = c.ctx.sql_mode;
    let digits = convert::fraction_digits(&c.expr.ty);
    let rules = convert::date_rules(mode);
    match c.expr.ty.class() {
        Class::Time => match convert::to_time(v, &ty, c.ctx) {
            Some(t) if rules.round => put_time(c, t.rounded(digits).unwrap_or(t)),
            Some(t) => put_time(c, t),
            None => c.null(),
        },
        Class::Date => {
            let rules = crate::types::temporal::parse::DateRules { round: false, ..rules };
            match convert::to_datetime(v, &ty, rules, c.ctx).map(DateTime::date_only) {
                Some(d) => put_datetime(c, d),
                None => c.null(),
            }
        }
        _ => {
            let found = convert::to_datetime(v, &ty, rules, c.ctx);
            match found.and_then(|d| convert::rounded_datetime(d, digits, c.ctx)) {
                Some(d) => put_datetime(c, d),
                None => c.null(),
            }
        }
    }
}

fn put_text(c: &mut Call<'_, '_>, v: &Stored<'_>) -> SqlResult<()> {
    match v {
        Stored::Text(collation, bytes) => {
            let (from, to) = (collation_of(*collation)?, c.collation());
            put_converted(c, bytes, from, to)
        }
        Stored::Columns(bytes) => {
            let to = c.collation();
            put_converted(c, bytes, charset::binary(), to)
        }
        v => {
            let mut out = Vec::new();
            write_plain(v, &mut out);
            c.put_ascii(&out)
        }
    }
}

/// The text of a value that is none itself.
pub(super) fn write_plain(v: &Stored<'_>, out: &mut Vec<u8>) {
    let fraction = |micros: u32| if micros > 0 { 6 } else { 0 };
    match v {
        Stored::Int(v) => number::write_int(*v, out),
        Stored::UInt(v) => number::write_uint(*v, out),
        Stored::Double(v) => number::write_double(*v, NOT_FIXED_DEC, out),
        Stored::Decimal(v, _) => v.write(out),
        Stored::Date(v) => format::write_date(*v, out),
        Stored::Time(v) | Stored::Dayless(v) => format::write_time(*v, fraction(v.micros), out),
        Stored::DateTime(v) => format::write_datetime(*v, fraction(v.micros), out),
        Stored::Text(..) | Stored::Columns(_) => {}
    }
}

/// The text of a text value, in UTF-8.
pub(super) fn text_in_utf8<'a>(collation: u16, bytes: &'a [u8]) -> Outcome<Cow<'a, [u8]>> {
    Ok(in_utf8(bytes, collation_of(collation)?.charset))
}
