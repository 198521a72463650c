//! Values into the stored bytes of columns, with the server's rules of rounding, clipping and
//! complaining.

mod dates;
mod members;
mod numbers;
mod text;

use super::convert::{self, printable};
use super::decimal::Decimal;
use super::field::{FieldType, Kind};
use super::geometry;
use super::number::Rest;
use super::temporal::{DateTime, Time};
use super::value::{Class, Value, ValueRef};
use crate::error::codes;
use crate::error::{
    ER_DATA_TOO_LONG, ER_TRUNCATED_WRONG_VALUE, ER_TRUNCATED_WRONG_VALUE_FOR_FIELD,
    ER_WARN_DATA_OUT_OF_RANGE, SqlError, SqlResult, WARN_DATA_TRUNCATED,
};
use crate::types::context::ConversionContext;
use schema::definition::{ColumnDef, ColumnType, GeometryKind};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

pub use dates::{put_datetime, put_time, put_timestamp};
pub use numbers::round_to;

/// A column to be stored into, prepared once per statement or table.
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
    /// The database, for messages.
    pub db: Arc<str>,
    /// The table, for messages.
    pub table: Arc<str>,
}

/// What becomes of values that a column does not take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreMode {
    /// They are made to fit, with a warning.
    #[default]
    Lenient,
    /// So, too: a row behind the first one of a statement in strict mode, as tables without transactions cannot undo the
    /// first. Some texts are those of strict mode, and for a text that is no number a DECIMAL keeps what it had.
    LaterRow,
    /// They are errors.
    Strict,
}

impl StoreMode {
    /// Errors or warnings.
    #[must_use]
    pub fn of(strict: bool) -> StoreMode {
        if strict { StoreMode::Strict } else { StoreMode::Lenient }
    }
}

/// What became of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Its bytes are there.
    Value,
    /// NULL, which is for the caller to judge.
    Null,
    /// The column keeps what it had.
    Kept,
}

/// The context of one value that is stored.
struct Storing<'a> {
    ctx: &'a mut ConversionContext,
    mode: StoreMode,
    kept: bool,
}

impl Deref for Storing<'_> {
    type Target = ConversionContext;

    #[inline]
    fn deref(&self) -> &ConversionContext {
        self.ctx
    }
}

impl DerefMut for Storing<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut ConversionContext {
        self.ctx
    }
}

/// Appends the stored bytes of `v` (a value of type `from`) for column `to`.
///
/// # Errors
/// In strict mode, those of values that do not fit: 1264, 1265, 1292, 1366, 1406.
pub fn store(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &Column,
    mode: StoreMode,
    out: &mut Vec<u8>,
    ctx: &mut ConversionContext,
) -> SqlResult<Stored> {
    if v.is_null() {
        return Ok(Stored::Null);
    }
    let mut storing = Storing { ctx, mode, kept: false };
    if to.ty.is_address() {
        let some = to.special(v, from, out, &mut storing)?;
        return Ok(if some { Stored::Value } else { Stored::Null });
    }
    if to.ty.kind == Kind::Geometry {
        to.check_geometry(v, from, storing.ctx.shown_row())?;
    }
    to.encode(v, from, out, &mut storing)?;
    Ok(if storing.kept { Stored::Kept } else { Stored::Value })
}

/// The bytes of a value that a definition has, where nothing but what fits will do: see [`store`]. `None` is NULL.
///
/// # Errors
/// As [`store`].
pub fn stored(
    v: &Value,
    from: &FieldType,
    to: &Column,
    ctx: &mut ConversionContext,
) -> SqlResult<Option<Vec<u8>>> {
    let mut out = Vec::new();
    let stored = store(v.as_ref(), from, to, StoreMode::Strict, &mut out, ctx)?;
    Ok((stored == Stored::Value).then_some(out))
}

/// Appends the zero of a type: what NOT NULL columns without a default get.
pub fn zero(to: &Column, out: &mut Vec<u8>) {
    to.encode_zero(out);
}

/// Appends the statement's time as a column's default or ON UPDATE value.
pub fn put_now(to: &Column, out: &mut Vec<u8>, ctx: &mut ConversionContext) {
    match to.ty.kind {
        Kind::Timestamp => {
            let (s, us) = ctx.now_utc();
            to.put_datetime(DateTime { micros: us, ..DateTime::default() }, Some(s), out);
        }
        Kind::DateTime | Kind::Date => to.put_datetime(ctx.now(), None, out),
        Kind::Time => to.put_time(ctx.now().time(), out),
        _ => to.encode_zero(out),
    }
}

/// Appends a decimal integer literal (as in the text of INSERT) for an integer column; false when it
/// must go the long way.
#[must_use]
pub fn store_digits(text: &[u8], negative: bool, to: &Column, out: &mut Vec<u8>) -> bool {
    let kind = to.ty.kind;
    if !matches!(kind, Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong)
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
    let (low, high) = to.range();
    if i128::from(n) < low || i128::from(n) > high {
        return false;
    }
    to.put_uint(n as u64, out);
    true
}

/// What went wrong with a value.
enum Trouble<'a> {
    /// Something was cut off.
    Truncated,
    /// Spaces or digits were cut off.
    Note,
    OutOfRange,
    /// Not a value of this kind at all.
    Incorrect(&'static str),
    TooLong,
    /// A bad date or time; the warning's number.
    Temporal(&'static str, u16),
    /// Bytes that are no characters.
    BadText(&'a [u8]),
}

impl Column {
    /// The target for a column of `db`.`table`.
    #[must_use]
    pub fn new(def: &ColumnDef, db: &Arc<str>, table: &Arc<str>) -> Column {
        Column {
            name: def.name.clone(),
            ty: FieldType::from_column(def),
            stored: def.ty.clone(),
            not_null: !def.nullable,
            db: Arc::clone(db),
            table: Arc::clone(table),
        }
    }

    /// Appends the stored bytes of the type's zero.
    pub fn encode_zero(&self, out: &mut Vec<u8>) {
        match &self.stored {
            ColumnType::Enum { values } => {
                let n = if values.len() < 256 { 1 } else { 2 };
                out.extend_from_slice(&1u16.to_le_bytes()[..n]);
            }
            ColumnType::Char { bytes } if self.ty.collation.id == 63 => {
                out.resize(out.len() + *bytes as usize, 0);
            }
            ColumnType::Uuid | ColumnType::Inet6 => out.resize(out.len() + 16, 0),
            ColumnType::Inet4 => out.resize(out.len() + 4, 0),
            _ => match self.ty.class() {
                Class::Bytes => {}
                Class::Double => self.put_double(0.0, out),
                Class::Decimal => self.put_decimal(&Decimal::ZERO, out),
                Class::Date | Class::DateTime => self.put_datetime(DateTime::default(), None, out),
                Class::Time => self.put_time(Time::default(), out),
                _ => self.put_uint(0, out),
            },
        }
    }

    /// Appends the stored bytes of a value that is not NULL.
    ///
    /// # Errors
    /// As [`Column::store`].
    fn encode(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<()> {
        match self.ty.kind {
            Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong => {
                self.integer(v, from, out, ctx)
            }
            Kind::Float | Kind::Double => self.double(v, from, out, ctx),
            Kind::Decimal => self.decimal(v, from, out, ctx),
            Kind::Year => self.year(v, from, out, ctx),
            Kind::Bit => self.bit(v, from, out, ctx),
            Kind::Date | Kind::DateTime | Kind::Timestamp => self.datetime(v, from, out, ctx),
            Kind::Time => self.time(v, from, out, ctx),
            Kind::Enum => self.enumeration(v, from, out, ctx),
            Kind::Set => self.set(v, from, out, ctx),
            Kind::Uuid | Kind::Inet4 | Kind::Inet6 => {
                if !self.special(v, from, out, ctx)? {
                    self.encode_zero(out);
                }
                Ok(())
            }
            Kind::Null => Ok(()),
            _ => self.string(v, from, out, ctx),
        }
    }

    fn trouble(
        &self,
        t: Trouble<'_>,
        v: ValueRef<'_>,
        from: &FieldType,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<()> {
        let row = ctx.shown_row();
        let plain = matches!(t, Trouble::Temporal(..));
        let text = || match v {
            // numbers that are no dates are told as they are, whatever their column shows of them
            ValueRef::Int(n) if plain => n.to_string(),
            ValueRef::UInt(n) if plain && !matches!(from.kind, Kind::Enum | Kind::Set) => n.to_string(),
            ValueRef::Double(_) if plain => {
                let mut out = Vec::new();
                convert::write_text(v, &FieldType::double(), &mut out);
                printable(&out, from)
            }
            ValueRef::Time(t) if plain && t.micros != 0 => {
                let mut out = Vec::new();
                convert::write_text(v, &FieldType::time(6), &mut out);
                printable(&out, from)
            }
            ValueRef::DateTime(d) if plain && from.decimals > 0 => {
                let mut out = Vec::new();
                let digits = if d.micros == 0 { 0 } else { 6 };
                convert::write_text(v, &FieldType::datetime(digits), &mut out);
                printable(&out, from)
            }
            ValueRef::DateTime(d) if d.is_zero() => "0000-00-00 00:00:00".to_owned(),
            // with every digit it has: a quotient has more than it shows
            ValueRef::Decimal(d) => d.to_string(),
            _ => {
                let mut out = Vec::new();
                convert::write_text(v, from, &mut out);
                printable(&out, from)
            }
        };
        let e = match t {
            Trouble::Note => {
                ctx.warnings.note(WARN_DATA_TRUNCATED, &[&self.name, &row]);
                return Ok(());
            }
            Trouble::Truncated => SqlError::new(WARN_DATA_TRUNCATED, &[&self.name, &row]),
            Trouble::OutOfRange => SqlError::new(ER_WARN_DATA_OUT_OF_RANGE, &[&self.name, &row]),
            Trouble::Incorrect(what) => self.incorrect(what, &text(), row),
            Trouble::TooLong
                if ctx.mode == StoreMode::Strict
                    || ctx.mode == StoreMode::LaterRow && self.ty.kind != Kind::Bit =>
            {
                SqlError::new(ER_DATA_TOO_LONG, &[&self.name, &row])
            }
            Trouble::TooLong if self.ty.kind == Kind::Bit => {
                SqlError::new(ER_WARN_DATA_OUT_OF_RANGE, &[&self.name, &row])
            }
            Trouble::TooLong => SqlError::new(WARN_DATA_TRUNCATED, &[&self.name, &row]),
            Trouble::Temporal(what, _) if ctx.mode == StoreMode::Strict || self.ty.is_address() => {
                let mut e = self.incorrect(what, &text(), row);
                e.code = ER_TRUNCATED_WRONG_VALUE;
                e
            }
            Trouble::Temporal(_, code) => SqlError::new(code, &[&self.name, &row]),
            Trouble::BadText(bytes) => {
                let shown: String = bytes
                    .iter()
                    .take(6)
                    .map(|b| {
                        if (0x20..0x7f).contains(b) && from.collation.charset.mbminlen == 1 {
                            (*b as char).to_string()
                        } else {
                            format!("\\x{b:02X}")
                        }
                    })
                    .collect();
                let shown = if bytes.len() > 6 { shown + "..." } else { shown };
                self.incorrect("string", &shown, row)
            }
        };
        if ctx.mode == StoreMode::Strict {
            return Err(e);
        }
        ctx.warnings.push_error(crate::warning::Level::Warning, &e);
        Ok(())
    }

    /// As [`Column::trouble`], where more is looked at whatever it is.
    fn raise(&self, t: Trouble<'_>, v: ValueRef<'_>, from: &FieldType, ctx: &mut Storing<'_>) {
        if let Err(e) = self.trouble(t, v, from, ctx) {
            ctx.warnings.raise(e);
        }
    }

    /// The refusal of a zero date for each row there is, when the column is added to a table.
    pub fn refuse_zero_date(&self, what: &str, zero: &str) -> SqlError {
        let mut e = self.incorrect(what, zero, 1);
        e.code = ER_TRUNCATED_WRONG_VALUE;
        e
    }

    fn incorrect(&self, what: &str, text: &str, row: u64) -> SqlError {
        let mut e = SqlError::with_message(
            ER_TRUNCATED_WRONG_VALUE_FOR_FIELD,
            format!(
                "Incorrect {what} value: '{}' for column `{}`.`{}`.`{}` at row {row}",
                clipped(text),
                self.db,
                self.table,
                self.name
            ),
        );
        e.state = *b"22007";
        e
    }

    /// A column of geometries takes nothing else, in whatever mode, one of points only points.
    fn check_geometry(&self, v: ValueRef<'_>, from: &FieldType, row: u64) -> SqlResult<()> {
        let own = self.ty.geometry_kind();
        // one of collections takes every geometry, as there
        let any = matches!(own, GeometryKind::Geometry | GeometryKind::Collection);
        if from.kind == Kind::Geometry && (any || own == from.geometry_kind()) {
            return Ok(());
        }
        let ValueRef::Bytes(bytes) = v else { return Err(no_geometry()) };
        match geometry::kind_of(bytes) {
            None => Err(no_geometry()),
            Some(kind) if any || own as u32 == kind => Ok(()),
            Some(_) => {
                let what = self.ty.sql_name().to_ascii_uppercase();
                Err(self.incorrect(&what, &geometry::shown(bytes), row))
            }
        }
    }

    /// Whether values of this type can be assigned to the column at all; else 4078.
    ///
    /// # Errors
    /// 4078: an address and what is neither text nor an address of its kind; a geometry and what is neither text nor a geometry.
    pub fn takes(&self, from: &FieldType) -> SqlResult<()> {
        let (to, text) =
            (&self.ty, |t: &FieldType| t.is_string() || matches!(t.kind, Kind::Enum | Kind::Set));
        let fits = from.kind == to.kind
            || from.kind == Kind::Null
            || !(to.is_special() || from.is_special())
            || to.is_address() && !from.is_address() && text(from)
            || from.is_address() && !to.is_address() && text(to)
            || to.kind == Kind::Geometry && text(from)
            || from.kind == Kind::Geometry && text(to) && !to.is_address();
        if fits {
            return Ok(());
        }
        let whole = match self.table.is_empty() {
            // a variable of a routine
            true => format!("`{}`", self.name),
            false => format!("`{}`.`{}`.`{}`", self.db, self.table, self.name),
        };
        Err(SqlError::with_message(
            codes::ER_ILLEGAL_PARAMETER_DATA_TYPES2_FOR_OPERATION,
            format!("Cannot cast '{}' as '{}' in assignment of {whole}", from.sql_name(), to.sql_name()),
        ))
    }

    fn rest(&self, rest: Rest, v: ValueRef<'_>, from: &FieldType, ctx: &mut Storing<'_>) -> SqlResult<()> {
        match rest {
            Rest::Clean => Ok(()),
            Rest::Spaces => self.trouble(Trouble::Note, v, from, ctx),
            Rest::Garbage => self.trouble(Trouble::Truncated, v, from, ctx),
        }
    }
}

/// 1416.
fn no_geometry() -> SqlError {
    SqlError::new(codes::ER_CANT_CREATE_GEOMETRY_OBJECT, &[])
}

/// Message texts hold at most 128 bytes of a value.
fn clipped(text: &str) -> String {
    if text.len() <= 128 {
        return text.to_string();
    }
    let mut end = 125;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}...", &text[..end])
}

/// Text with one byte per ASCII character.
fn as_ascii<'a>(b: &'a [u8], from: &FieldType, buffer: &'a mut Vec<u8>) -> &'a [u8] {
    if from.collation.charset.mbminlen == 1 {
        return b;
    }
    if let Some(to) = charset::Charset::by_name("utf8mb4") {
        from.collation.charset.convert(b, to, buffer);
    }
    buffer
}
