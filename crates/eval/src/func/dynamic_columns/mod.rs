//! Dynamic columns: columns that a row has in a blob, each with a name or number, a type and a value.

mod format;
mod get;
mod show;
#[cfg(test)]
mod tests;
mod value;

use super::json::utf8_of;
use super::{Call, Definition, LONGEST, Resolve, pure, statement};
use crate::error::{self, SqlError, SqlResult};
use crate::expr::{Expr, Node};
use crate::types::temporal::DateTime;
use crate::types::{Class, Decimal, Derivation, FieldType, Kind as FieldKind, Value, ValueRef, convert};
use format::{Columns, Fault, Key};
use std::borrow::Cow;
use value::{Kind, Stored};

pub(super) const LIST: &[Definition] = &[
    statement("column_create", 4, 255, create_type, |c| change(c, false)),
    statement("column_add", 5, 255, create_type, |c| change(c, true)),
    pure("column_delete", 2, 255, delete_type, delete),
    pure("column_exists", 2, 2, exists_type, exists),
    pure("column_check", 1, 1, check_type, check),
    pure("column_list", 1, 1, text_type, show::list),
    pure("column_json", 1, 1, text_type, show::json),
    statement("column_get", 2, 3, get_type, get::get),
];

/// Arguments of each column of COLUMN_CREATE: its name, its value, and what [`typed`] tells of the value.
const PER_COLUMN: usize = 4;

/// The number of the collation that addresses are text in (latin1_swedish_ci).
const ADDRESS: u32 = 8;

/// The type of a value that is always NULL.
const NO_KIND: i64 = -1;

impl From<Fault> for SqlError {
    fn from(fault: Fault) -> SqlError {
        let code = match fault {
            Fault::Format => error::ER_DYN_COL_WRONG_FORMAT,
            Fault::Limit => error::ER_DYN_COL_IMPLEMENTATION_LIMIT,
            Fault::Data => error::ER_DYN_COL_DATA,
            Fault::Charset => error::ER_DYN_COL_WRONG_CHARSET,
        };
        SqlError::new(code, &[])
    }
}

/// Whether a call of a function makes dynamic columns: as a value it is stored as such, not as text.
fn makes_columns(e: &Expr) -> bool {
    let Node::Call(f, _) = &e.node else { return false };
    matches!(f.def.name, "column_create" | "column_add" | "column_delete")
}

/// How a value is stored: its type and, of a text, its collation, of a decimal, the digits before its point. `explicit` is the
/// type that the statement gives it, with the collation. Asked before constants are computed.
#[must_use]
pub fn typed(value: &Expr, explicit: Option<(FieldType, bool)>) -> [Expr; 2] {
    let columns = makes_columns(value) && explicit.as_ref().is_none_or(|(ty, _)| ty.is_string());
    let given = explicit.is_some();
    let (ty, unsigned) = explicit.unwrap_or_else(|| (value.ty.clone(), value.ty.unsigned));
    let (kind, detail) = match ty.class() {
        _ if columns => (Some(Kind::Columns), 0),
        _ if ty.is_address() => (Some(Kind::Text), ADDRESS),
        Class::Null => (None, 0),
        Class::UInt if matches!(ty.kind, FieldKind::Enum | FieldKind::Set) => {
            (Some(Kind::Text), u32::from(ty.collation.id))
        }
        Class::Int | Class::UInt if unsigned || !given && ty.class() == Class::UInt => (Some(Kind::UInt), 0),
        Class::Int | Class::UInt => (Some(Kind::Int), 0),
        Class::Double => (Some(Kind::Double), 0),
        Class::Decimal => (Some(Kind::Decimal), digits_of(value)),
        Class::Bytes => (Some(Kind::Text), u32::from(ty.collation.id)),
        Class::Date => (Some(Kind::Date), 0),
        Class::Time => (Some(Kind::Time), 0),
        Class::DateTime => (Some(Kind::DateTime), 0),
    };
    let kind = kind.map_or(NO_KIND, |k| i64::from(k.code()));
    [kind, i64::from(detail)].map(|n| Expr::literal(Value::Int(n), FieldType::bigint(false)))
}

/// The digits before the point that a decimal is stored with, and one: a column's are those of its type (and [`OF_COLUMN`] is
/// added), a literal's those that are written, and what is computed has whole groups of nine (0).
fn digits_of(e: &Expr) -> u32 {
    let digits = || u32::from(e.ty.precision().saturating_sub(e.ty.decimals)) + 1;
    let decimal = e.ty.class() == Class::Decimal;
    match &e.node {
        Node::Literal(_) | Node::Param(_) if decimal => digits(),
        Node::Column(_) | Node::Outer(_) if decimal => OF_COLUMN + digits(),
        Node::Negate(inner, _) => digits_of(inner),
        _ => 0,
    }
}

/// Of the digits of a column's type, groups of nothing but zeros at the beginning are not stored.
const OF_COLUMN: u32 = 256;

/// The digits of a column's decimal without the first groups that are zero, when `own` of them are not.
fn without_zeros(digits: u8, own: u8) -> u8 {
    let first = digits % 9;
    let mut left = digits;
    if first > 0 && own <= left - first {
        left -= first;
    }
    while left > 0 && left.is_multiple_of(9) && own + 9 <= left {
        left -= 9;
    }
    left
}

/// A name: a number stays one.
fn key_type(r: &mut Resolve<'_>, i: usize) -> SqlResult<()> {
    match r.args.get(i).map(|a| &a.ty) {
        Some(ty) if is_number(ty) => Ok(()),
        _ => r.text(i),
    }
}

fn is_number(ty: &FieldType) -> bool {
    match ty.class() {
        Class::Int => true,
        Class::UInt => !matches!(ty.kind, FieldKind::Enum | FieldKind::Set) && !ty.hex,
        _ => false,
    }
}

fn blob() -> FieldType {
    let mut ty = FieldType::string(LONGEST, charset::binary(), Derivation::Coercible);
    ty.kind = FieldKind::LongBlob;
    ty.with_nullable(true)
}

fn create_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let first = r.len() % PER_COLUMN;
    if first == 1 {
        r.text(0)?;
    }
    for i in (first..r.len()).step_by(PER_COLUMN) {
        key_type(r, i)?;
    }
    Ok(blob())
}

fn delete_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    for i in 1..r.len() {
        key_type(r, i)?;
    }
    Ok(blob())
}

fn exists_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    key_type(r, 1)?;
    Ok(r.long_of(1))
}

fn check_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    Ok(r.long_of(1))
}

fn text_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    // names are UTF-8, whatever the connection has
    let utf8 = charset::Charset::by_name("utf8mb4");
    let collation = utf8.map_or(r.ctx.collation, charset::Charset::default_collation);
    let mut ty = FieldType::string(LONGEST, collation, Derivation::Coercible);
    ty.kind = FieldKind::LongBlob;
    if r.name.eq_ignore_ascii_case("column_json") {
        ty.decimals = 0;
    }
    Ok(ty.with_nullable(true))
}

/// What COLUMN_GET gives is set by the binder.
fn get_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    key_type(r, 1)?;
    Ok(blob())
}

/// An argument that names a column.
enum Named<'a> {
    Number(i128),
    Name(Cow<'a, [u8]>),
}

/// The name that argument `i` is; `None` is NULL.
fn name_of<'a>(c: &Call<'a, '_>, i: usize) -> Option<Named<'a>> {
    match c.value(i) {
        ValueRef::Int(v) => Some(Named::Number(v.into())),
        ValueRef::UInt(v) => Some(Named::Number(v.into())),
        ValueRef::Bytes(b) => Some(Named::Name(in_utf8(b, c.ty(i).collation.charset))),
        _ => None,
    }
}

/// A text in UTF-8; of bytes without a character set each is a character.
fn in_utf8<'a>(text: &'a [u8], from: &'static charset::Charset) -> Cow<'a, [u8]> {
    if from.is_binary() && !text.is_ascii() {
        return Cow::Owned(text.iter().map(|b| char::from(*b)).collect::<String>().into_bytes());
    }
    utf8_of(text, from)
}

/// The keys of columns that are made or changed. Where one has a name, all have: a number is the name of its digits.
fn keys(names: Vec<Named<'_>>, named: bool) -> Result<Vec<Key<'_>>, Fault> {
    let key = |name| match name {
        Named::Number(n) if named => Ok(Key::Name(Cow::Owned(n.to_string().into_bytes()))),
        Named::Number(n) => u16::try_from(n).map(Key::Number).map_err(|_| Fault::Data),
        Named::Name(name) => Ok(Key::Name(name)),
    };
    names.into_iter().map(key).collect()
}

/// COLUMN_CREATE, COLUMN_ADD.
fn change(c: &mut Call<'_, '_>, add: bool) -> SqlResult<()> {
    let first = usize::from(add);
    let mut names = Vec::new();
    let mut named = false;
    for i in (first..c.len()).step_by(PER_COLUMN) {
        let Some(name) = name_of(c, i) else { return c.null() };
        let nested = c.int(i + 2) == Some(i64::from(Kind::Columns.code()));
        named |= nested || matches!(name, Named::Name(_));
        names.push(name);
    }
    let blob = match add {
        true => match c.bytes(0) {
            Some(blob) => blob,
            None => return c.null(),
        },
        false => &[],
    };
    let keys = keys(names, named)?;
    let mut values = Vec::with_capacity(keys.len());
    for i in (first..c.len()).step_by(PER_COLUMN) {
        values.push(stored(c, i + 1)?);
    }
    // the bytes of a time depend on whether columns have names
    let old_named = Columns::read(blob)?.named();
    let changes = keys.into_iter().zip(values).map(|(key, value)| {
        let value = value.map(|v| (v.kind(), v.write(named || old_named)));
        (key, value)
    });
    let out = match add {
        true => format::update(blob, changes.collect(), named)?,
        false => format::create(changes.collect(), named)?,
    };
    put_blob(c, &out)
}

/// COLUMN_DELETE.
fn delete(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let mut names = Vec::new();
    for i in 1..c.len() {
        let Some(name) = name_of(c, i) else { return c.null() };
        names.push(name);
    }
    let Some(blob) = c.bytes(0) else { return c.null() };
    let named = names.iter().any(|n| matches!(n, Named::Name(_)));
    let changes = keys(names, named)?.into_iter().map(|key| (key, None)).collect();
    let out = format::update(blob, changes, named)?;
    put_blob(c, &out)
}

fn put_blob(c: &mut Call<'_, '_>, out: &[u8]) -> SqlResult<()> {
    if c.exceeds(out.len()) {
        return c.too_long();
    }
    c.put_bytes(out)
}

/// The value of argument `i`, whose type the two arguments behind it tell; `None` is NULL.
fn stored<'a>(c: &mut Call<'a, '_>, i: usize) -> SqlResult<Option<Stored<'a>>> {
    let v = c.value(i);
    let (kind, detail) = (c.int(i + 1).unwrap_or(NO_KIND), c.int(i + 2).unwrap_or(0));
    let kind = u8::try_from(kind).ok().and_then(Kind::from_code);
    let Some(kind) = kind.filter(|_| !v.is_null()) else { return Ok(None) };
    let ty = c.operand_type(i);
    let rules = convert::date_rules(c.ctx.sql_mode);
    Ok(Some(match kind {
        Kind::Int => Stored::Int(convert::to_i64(v, ty, false, c.ctx)),
        Kind::UInt => Stored::UInt(convert::to_i64(v, ty, false, c.ctx) as u64),
        Kind::Double => Stored::Double(convert::to_f64(v, ty, c.ctx)),
        Kind::Decimal => {
            let d = convert::to_decimal(v, ty, c.ctx);
            Stored::Decimal(d, int_digits(v, ty, &d, detail))
        }
        Kind::Text => Stored::Text(detail as u16, text(v, ty)),
        Kind::Columns => Stored::Columns(text(v, ty)),
        Kind::Date => Stored::Date(match v {
            ValueRef::Time(_) => DateTime::default(),
            _ => convert::to_datetime(v, ty, rules, c.ctx).unwrap_or_default().date_only(),
        }),
        Kind::DateTime => match v {
            ValueRef::Time(t) => Stored::Dayless(t),
            _ => Stored::DateTime(convert::to_datetime(v, ty, rules, c.ctx).unwrap_or_default()),
        },
        Kind::Time => Stored::Time(convert::to_time(v, ty, c.ctx).unwrap_or_default()),
    }))
}

fn text<'a>(v: ValueRef<'a>, ty: &FieldType) -> Cow<'a, [u8]> {
    match v {
        ValueRef::Bytes(b) => Cow::Borrowed(b),
        v => {
            let mut out = Vec::new();
            convert::write_text(v, ty, &mut out);
            Cow::Owned(out)
        }
    }
}

/// The digits before the point that a decimal is stored with: those of a text as they are there, of an integer those that it
/// has; `known` is one more than those that [`typed`] knows of.
fn int_digits(v: ValueRef<'_>, ty: &FieldType, d: &Decimal, known: i64) -> u8 {
    let own = d.int_digits();
    match v {
        ValueRef::Decimal(_) if known > i64::from(OF_COLUMN) => {
            let digits = u8::try_from(known - i64::from(OF_COLUMN) - 1).unwrap_or(0);
            own.max(without_zeros(digits, own))
        }
        ValueRef::Decimal(_) if known > 0 => own.max(u8::try_from(known - 1).unwrap_or(0)),
        ValueRef::Decimal(_) => own.max(1).next_multiple_of(9),
        ValueRef::Bytes(b) => {
            let text = convert::ascii(b, ty);
            let digits = text.iter().skip_while(|b| !b.is_ascii_digit() && **b != b'.');
            let written = digits.take_while(|b| b.is_ascii_digit()).count();
            // digits before an exponent are not those before the point
            if text.iter().any(|b| b.eq_ignore_ascii_case(&b'e')) {
                return own.max(1);
            }
            own.max(u8::try_from(written.min(65)).unwrap_or(0))
        }
        _ => own.max(1),
    }
}

/// COLUMN_EXISTS.
fn exists(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let key = match name_of(c, 1) {
        None => return c.null(),
        Some(Named::Number(n)) => match u16::try_from(n) {
            Ok(n) => Key::Number(n),
            Err(_) => return c.null(),
        },
        Some(Named::Name(name)) => Key::Name(name),
    };
    let Some(blob) = c.bytes(0) else { return c.null() };
    let found = Columns::read(blob)?.find(&key)?.is_some();
    c.put_int(found.into())
}

/// COLUMN_CHECK: every column and value can be read.
fn check(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(blob) = c.bytes(0) else { return c.null() };
    let good = is_good(blob);
    c.put_int(good.into())
}

fn is_good(blob: &[u8]) -> bool {
    let read = || {
        for column in Columns::read(blob)?.checked()? {
            if let Stored::Text(collation, _) = Stored::read(column.kind, &column.data)? {
                charset::Collation::by_id(collation).ok_or(Fault::Charset)?;
            }
        }
        Ok::<_, Fault>(())
    };
    read().is_ok()
}
