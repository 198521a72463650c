//! Values into the stored bytes of columns, with the server's rules of rounding, clipping and
//! complaining.

use super::convert::{self, printable};
use super::decimal::{Decimal, Rounding};
use super::field::{FieldType, Kind};
use super::load;
use super::number::{self, Rest};
use super::temporal::parse::{self, DateRules, Found, TimeText};
use super::temporal::{DateTime, MICRO_UNIT, Time};
use super::value::{Class, Value, ValueRef};
use crate::error::codes;
use crate::error::{
    ER_DATA_TOO_LONG, ER_TRUNCATED_WRONG_VALUE, ER_TRUNCATED_WRONG_VALUE_FOR_FIELD,
    ER_WARN_DATA_OUT_OF_RANGE, SqlError, SqlResult, WARN_DATA_TRUNCATED,
};
use crate::expr::EvalContext;
use crate::variables::SqlMode;
use charset::Collation;
use isam::definition::{ColumnDef, ColumnType};
use std::sync::Arc;

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
    if to.ty.is_address() {
        return to.special(v, from, out, ctx);
    }
    to.encode(v, from, out, ctx)?;
    Ok(true)
}

/// A stored value's owned form: see [`store`].
///
/// # Errors
/// As [`store`].
pub fn stored(v: &Value, from: &FieldType, to: &Column, ctx: &mut EvalContext) -> SqlResult<Option<Vec<u8>>> {
    let mut out = Vec::new();
    Ok(store(v.as_ref(), from, to, &mut out, ctx)?.then_some(out))
}

/// Appends the zero of a type: what NOT NULL columns without a default get.
pub fn zero(to: &Column, out: &mut Vec<u8>) {
    to.encode_zero(out);
}

/// Appends the statement's time as a column's default or ON UPDATE value.
pub fn put_now(to: &Column, out: &mut Vec<u8>, ctx: &mut EvalContext) {
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

/// Appends the stored form of a DATETIME with `digits` digits of fraction.
pub fn put_datetime(d: DateTime, digits: u8, out: &mut Vec<u8>) {
    let ymd = (i64::from(d.year) * 13 + i64::from(d.month)) << 5 | i64::from(d.day);
    let hms = i64::from(d.hour) << 12 | i64::from(d.minute) << 6 | i64::from(d.second);
    let v = 0x80_0000_0000 + (ymd << 17 | hms);
    out.extend_from_slice(&v.to_be_bytes()[3..]);
    put_fraction(d.micros, digits, out);
}

/// Appends the stored form of a TIME with `digits` digits of fraction.
pub fn put_time(t: Time, digits: u8, out: &mut Vec<u8>) {
    let n = (digits as usize).min(6);
    let t = t.truncated(digits);
    let bytes = n.div_ceil(2);
    let hms = i64::from(t.hours) << 12 | i64::from(t.minute) << 6 | i64::from(t.second);
    let f = i64::from(t.micros / MICRO_UNIT[bytes * 2]);
    let v = hms << (8 * bytes) | f;
    let v = if t.negative { -v } else { v };
    let v = v + (0x80_0000 << (8 * bytes));
    out.extend_from_slice(&v.to_be_bytes()[5 - bytes..]);
}

/// Appends the stored form of a TIMESTAMP.
pub fn put_timestamp(seconds: i64, micros: u32, digits: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(&(seconds as u32).to_be_bytes());
    put_fraction(micros, digits, out);
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
    pub fn encode(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
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
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let row = ctx.row.max(1);
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
            Trouble::TooLong if ctx.strict || ctx.careful && self.ty.kind != Kind::Bit => {
                SqlError::new(ER_DATA_TOO_LONG, &[&self.name, &row])
            }
            Trouble::TooLong if self.ty.kind == Kind::Bit => {
                SqlError::new(ER_WARN_DATA_OUT_OF_RANGE, &[&self.name, &row])
            }
            Trouble::TooLong => SqlError::new(WARN_DATA_TRUNCATED, &[&self.name, &row]),
            Trouble::Temporal(what, _) if ctx.strict || self.ty.is_address() => {
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
                        if (0x20..0x7f).contains(b) {
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
        if ctx.strict {
            return Err(e);
        }
        ctx.warnings.push_error(crate::warning::Level::Warning, &e);
        Ok(())
    }

    /// As [`Column::trouble`], where more is looked at whatever it is.
    fn raise(&self, t: Trouble<'_>, v: ValueRef<'_>, from: &FieldType, ctx: &mut EvalContext) {
        if let Err(e) = self.trouble(t, v, from, ctx) {
            ctx.warnings.raise(e);
        }
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

    /// Whether values of this type can be assigned to the column at all; else 4078.
    ///
    /// # Errors
    /// 4078: an address and what is neither text nor an address of its kind.
    pub fn takes(&self, from: &FieldType) -> SqlResult<()> {
        let (to, text) =
            (&self.ty, |t: &FieldType| t.is_string() || matches!(t.kind, Kind::Enum | Kind::Set));
        let fits = from.kind == to.kind
            || from.kind == Kind::Null
            || !(to.is_address() || from.is_address())
            || to.is_address() && !from.is_address() && text(from)
            || from.is_address() && !to.is_address() && text(to);
        if fits {
            return Ok(());
        }
        Err(SqlError::with_message(
            codes::ER_ILLEGAL_PARAMETER_DATA_TYPES2_FOR_OPERATION,
            format!(
                "Cannot cast '{}' as '{}' in assignment of `{}`.`{}`.`{}`",
                from.sql_name(),
                to.sql_name(),
                self.db,
                self.table,
                self.name
            ),
        ))
    }

    fn rest(&self, rest: Rest, v: ValueRef<'_>, from: &FieldType, ctx: &mut EvalContext) -> SqlResult<()> {
        match rest {
            Rest::Clean => Ok(()),
            Rest::Spaces => self.trouble(Trouble::Note, v, from, ctx),
            Rest::Garbage => self.trouble(Trouble::Truncated, v, from, ctx),
        }
    }

    // ---- integers

    /// The range of the integer type.
    fn range(&self) -> (i128, i128) {
        let bits = match self.ty.kind {
            Kind::Tiny => 8,
            Kind::Short => 16,
            Kind::Int24 => 24,
            Kind::Long => 32,
            _ => 64,
        };
        if self.ty.unsigned {
            (0, (1i128 << bits) - 1)
        } else {
            (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
        }
    }

    fn put_uint(&self, v: u64, out: &mut Vec<u8>) {
        let n = match (&self.stored, self.ty.kind) {
            (ColumnType::Enum { values }, _) => 1 + usize::from(values.len() > 255),
            (ColumnType::Set { values }, _) => match values.len().div_ceil(8) {
                n @ 1..=4 => n,
                0 => 1,
                _ => 8,
            },
            (ColumnType::Bit { bits, .. }, _) => {
                let n = (*bits as usize).div_ceil(8).clamp(1, 8);
                out.extend_from_slice(&v.to_be_bytes()[8 - n..]);
                return;
            }
            (_, Kind::Tiny | Kind::Year) => 1,
            (_, Kind::Short) => 2,
            (_, Kind::Int24) => 3,
            (_, Kind::Long) => 4,
            _ => 8,
        };
        out.extend_from_slice(&v.to_le_bytes()[..n]);
    }

    fn put_integer(
        &self,
        v: i128,
        v_ref: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let (low, high) = self.range();
        if v < low || v > high {
            self.trouble(Trouble::OutOfRange, v_ref, from, ctx)?;
        }
        self.put_uint(v.clamp(low, high) as u64, out);
        Ok(())
    }

    fn integer(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        match v {
            ValueRef::Int(x) => self.put_integer(i128::from(x), v, from, out, ctx),
            ValueRef::UInt(x) => self.put_integer(i128::from(x), v, from, out, ctx),
            ValueRef::Double(x) => {
                let r = x.round_ties_even();
                // INT alone tells of it twice
                if self.ty.unsigned && r >= 18_446_744_073_709_551_616.0 && self.ty.kind == Kind::Long {
                    self.raise(Trouble::OutOfRange, v, from, ctx);
                }
                let wide = if r.abs() < 1e30 {
                    r as i128
                } else if r < 0.0 {
                    i128::MIN
                } else {
                    i128::MAX
                };
                self.put_integer(wide, v, from, out, ctx)
            }
            ValueRef::Decimal(d) => {
                let x = self.whole(d, self.ty.unsigned, from, ctx);
                self.put_integer(x, v, from, out, ctx)
            }
            ValueRef::Bytes(b) if from.hex => {
                self.put_integer(i128::from(convert::bytes_to_u64(b)), v, from, out, ctx)
            }
            ValueRef::Bytes(b) => self.integer_text(b, v, from, out, ctx),
            ValueRef::Date(d) => self.put_integer(i128::from(d.date_number()), v, from, out, ctx),
            ValueRef::DateTime(d) => self.put_integer(i128::from(d.to_number()), v, from, out, ctx),
            ValueRef::Time(t) => self.put_integer(i128::from(t.to_number()), v, from, out, ctx),
            ValueRef::Null => Ok(()),
        }
    }

    /// A decimal as the widest integer: that it does not fit is told apart from what the column says to the integer.
    fn whole(&self, d: &Decimal, unsigned: bool, from: &FieldType, ctx: &mut EvalContext) -> i128 {
        let (low, high) =
            if unsigned { (0, i128::from(u64::MAX)) } else { (i128::from(i64::MIN), i128::from(i64::MAX)) };
        let x = d.to_i128();
        if (low..=high).contains(&x) {
            return x;
        }
        self.raise(Trouble::OutOfRange, ValueRef::Decimal(d), from, ctx);
        x.clamp(low, high)
    }

    fn integer_text(
        &self,
        b: &[u8],
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        // The frequent shape: a short run of digits, perhaps with a sign.
        let digits = b.strip_prefix(b"-").unwrap_or(b);
        if !digits.is_empty() && digits.len() <= 18 && digits.iter().all(u8::is_ascii_digit) {
            let x = digits.iter().fold(0i64, |x, c| x * 10 + i64::from(c - b'0'));
            let x = if digits.len() < b.len() { -x } else { x };
            return self.put_integer(i128::from(x), v, from, out, ctx);
        }
        let mut ascii = Vec::new();
        let text = as_ascii(b, from, &mut ascii);
        let p = Decimal::parse(text);
        if p.used == 0 {
            self.trouble(Trouble::Incorrect("integer"), v, from, ctx)?;
            self.put_uint(0, out);
            return Ok(());
        }
        let x = if p.overflow {
            if p.value.is_negative() { i128::MIN } else { i128::MAX }
        } else {
            p.value.to_i128()
        };
        let (low, high) = self.range();
        if (low..=high).contains(&x) {
            self.rest(number::rest(text, p.used), v, from, ctx)?;
        }
        self.put_integer(x, v, from, out, ctx)
    }

    fn year(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let mut text_zero = false;
        let x: i128 = match v {
            ValueRef::Int(x) => i128::from(x),
            ValueRef::UInt(x) => i128::from(x),
            ValueRef::Double(x) => {
                let r = x.round_ties_even();
                if r.abs() < 1e18 { r as i128 } else { -1 }
            }
            ValueRef::Decimal(d) => self.whole(d, true, from, ctx),
            ValueRef::Bytes(b) if from.hex => i128::from(convert::bytes_to_u64(b)),
            ValueRef::Bytes(b) => {
                let mut ascii = Vec::new();
                let text = as_ascii(b, from, &mut ascii);
                let p = Decimal::parse(text);
                if p.used == 0 {
                    self.trouble(Trouble::Incorrect("integer"), v, from, ctx)?;
                    out.push(0);
                    return Ok(());
                }
                self.rest(number::rest(text, p.used), v, from, ctx)?;
                text_zero = text.len() != 4;
                p.value.to_i128()
            }
            ValueRef::Date(d) | ValueRef::DateTime(d) => {
                let what = if matches!(v, ValueRef::Date(_)) { "date" } else { "datetime" };
                // that it is more than a year is told of one that fits
                if d.year == 0 || (1901..=2155).contains(&d.year) {
                    self.trouble(Trouble::Temporal(what, WARN_DATA_TRUNCATED), v, from, ctx)?;
                }
                i128::from(d.year)
            }
            ValueRef::Time(_) => {
                self.trouble(Trouble::Temporal("time", WARN_DATA_TRUNCATED), v, from, ctx)?;
                0
            }
            ValueRef::Null => 0,
        };
        let year = match x {
            0 if text_zero => 2000,
            0 => 0,
            1..=69 => 2000 + x,
            70..=99 => 1900 + x,
            1901..=2155 => x,
            _ => {
                self.trouble(Trouble::OutOfRange, v, from, ctx)?;
                0
            }
        };
        out.push(if year == 0 { 0 } else { (year - 1900) as u8 });
        Ok(())
    }

    fn bit(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let bits = self.ty.length.clamp(1, 64);
        let max = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let too_big;
        let x = match v {
            ValueRef::Bytes(b) => {
                let used = &b[b.iter().take_while(|x| **x == 0).count()..];
                too_big = used.len() > 8 || convert::bytes_to_u64(used) > max;
                convert::bytes_to_u64(used)
            }
            ValueRef::UInt(x) => {
                too_big = x > max;
                x
            }
            ValueRef::Int(x) => {
                too_big = x as u64 > max;
                x as u64
            }
            ValueRef::Double(x) => {
                let r = x.round_ties_even();
                // what is too large has the highest bit alone
                let i = if r.abs() < 9.2e18 { r as i64 } else { i64::MIN } as u64;
                too_big = i > max;
                i
            }
            ValueRef::Decimal(d) => {
                let i = self.whole(d, true, from, ctx) as u64;
                too_big = i > max;
                i
            }
            _ => {
                let mut text = Vec::new();
                convert::write_text(v, from, &mut text);
                too_big = text.len() > 8 || convert::bytes_to_u64(&text) > max;
                convert::bytes_to_u64(&text)
            }
        };
        if too_big {
            self.trouble(Trouble::TooLong, v, from, ctx)?;
        }
        self.put_uint(if too_big { max } else { x }, out);
        Ok(())
    }

    // ---- reals and decimals

    fn put_double(&self, v: f64, out: &mut Vec<u8>) {
        if self.ty.kind == Kind::Float {
            out.extend_from_slice(&(v as f32).to_le_bytes());
        } else {
            out.extend_from_slice(&v.to_le_bytes());
        }
    }

    fn double(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let mut x = match v {
            ValueRef::Bytes(b) if !from.hex => {
                let mut ascii = Vec::new();
                let text = as_ascii(b, from, &mut ascii);
                let r = number::read_double(text);
                if r.used == 0 {
                    self.trouble(Trouble::Incorrect("double"), v, from, ctx)?;
                } else if r.overflow {
                    self.trouble(Trouble::OutOfRange, v, from, ctx)?;
                } else {
                    self.rest(number::rest(text, r.used), v, from, ctx)?;
                }
                r.value
            }
            _ => convert::to_f64(v, from, ctx),
        };
        let mut out_of_range = false;
        if self.ty.unsigned && x < 0.0 {
            x = 0.0;
            out_of_range = true;
        }
        let mut max = if self.ty.kind == Kind::Float { f64::from(f32::MAX) } else { f64::MAX };
        if self.ty.decimals < 31 {
            let d = i32::from(self.ty.decimals);
            let whole = 10f64.powi((self.ty.length as i32).saturating_sub(d).clamp(0, 300));
            max = max.min(whole - 10f64.powi(-d));
            x = number::round_double(x, i64::from(self.ty.decimals), false);
        }
        if x.abs() > max {
            x = max.copysign(x);
            out_of_range = true;
        }
        if out_of_range {
            self.trouble(Trouble::OutOfRange, v, from, ctx)?;
        }
        self.put_double(x, out);
        Ok(())
    }

    fn put_decimal(&self, d: &Decimal, out: &mut Vec<u8>) {
        match &self.stored {
            ColumnType::OldDecimal { bytes, scale } => {
                let mut text = Vec::new();
                d.write_scaled(*scale, &mut text);
                let width = *bytes as usize;
                let fill = if self.ty.zerofill { b'0' } else { b' ' };
                out.extend(std::iter::repeat_n(fill, width.saturating_sub(text.len())));
                out.extend_from_slice(&text[..text.len().min(width)]);
            }
            ColumnType::Decimal { precision, scale } => d.to_binary(*precision, *scale, out),
            _ => {}
        }
    }

    fn decimal(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let (precision, scale) = match &self.stored {
            ColumnType::Decimal { precision, scale } => (*precision, *scale),
            ColumnType::OldDecimal { scale, .. } => (self.ty.precision(), *scale),
            _ => (10, 0),
        };
        let mut rest = Rest::Clean;
        let mut overflow = false;
        let d = match v {
            ValueRef::Bytes(b) if !from.hex => {
                let mut ascii = Vec::new();
                let text = as_ascii(b, from, &mut ascii);
                let p = Decimal::parse(text);
                if p.used == 0 {
                    self.trouble(Trouble::Incorrect("decimal"), v, from, ctx)?;
                    ctx.kept = ctx.careful;
                } else {
                    rest = number::rest(text, p.used);
                }
                overflow = p.overflow;
                p.value
            }
            ValueRef::Double(x) => {
                let (d, o) = Decimal::from_f64(x);
                overflow = o;
                d
            }
            _ => convert::to_decimal(v, from, ctx),
        };
        if self.ty.unsigned && d.is_negative() {
            self.trouble(Trouble::OutOfRange, v, from, ctx)?;
            self.put_decimal(&Decimal::ZERO, out);
            return Ok(());
        }
        let (fitted, over) = d.fit(precision, scale);
        if over || overflow {
            self.trouble(Trouble::OutOfRange, v, from, ctx)?;
            self.put_decimal(&Decimal::largest(precision, scale, d.is_negative()), out);
            return Ok(());
        }
        if rest == Rest::Garbage {
            self.trouble(Trouble::Truncated, v, from, ctx)?;
            ctx.kept = ctx.careful;
        } else if rest == Rest::Spaces || fitted != d {
            self.trouble(Trouble::Note, v, from, ctx)?;
        }
        self.put_decimal(&fitted, out);
        Ok(())
    }

    // ---- dates and times

    /// The rules for dates that are stored: in strict mode the forbidden ones are errors.
    fn rules(&self, ctx: &EvalContext) -> DateRules {
        convert::date_rules(ctx.sql_mode)
    }

    fn datetime(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let what = if self.ty.kind == Kind::Date { "date" } else { "datetime" };
        let mut rules = self.rules(ctx);
        if self.ty.kind == Kind::Timestamp {
            rules.no_zero_in_date = true;
            rules.allow_invalid = false;
        }
        // a zero date that the mode forbids is out of range, not something else than a date
        let no_zero = rules.no_zero_date && self.ty.kind != Kind::Timestamp;
        rules.no_zero_date &= !no_zero;
        let mut cut = false;
        let (mut note, mut number) = (false, false);
        let value = match v {
            ValueRef::Date(d) | ValueRef::DateTime(d) => rules.accept(d).then_some(d),
            ValueRef::Time(t) => {
                note = self.ty.kind == Kind::Date && t != Time::default();
                let today = ctx.now().date_only();
                super::temporal::calendar::add_micros(today, i128::from(t.to_micros()))
            }
            ValueRef::Bytes(b) if !from.hex => {
                let mut ascii = Vec::new();
                match parse::datetime(as_ascii(b, from, &mut ascii), rules) {
                    Found::Good(t) => Some(t.value),
                    Found::ExcessFraction(t) => {
                        note = true;
                        Some(t.value)
                    }
                    Found::Truncated(t) => {
                        cut = true;
                        Some(t.value)
                    }
                    Found::OutOfRange | Found::Bad => None,
                }
            }
            _ => {
                number = true;
                let mark = ctx.warnings.mark();
                // a YEAR is the number it is
                let year = FieldType::bigint(true);
                let d =
                    convert::to_datetime(v, if from.kind == Kind::Year { &year } else { from }, rules, ctx);
                ctx.warnings.rollback_to(mark);
                d
            }
        };
        let Some(d) = value else {
            self.trouble(Trouble::Temporal(what, WARN_DATA_TRUNCATED), v, from, ctx)?;
            self.put_datetime(DateTime::default(), None, out);
            return Ok(());
        };
        if cut {
            self.trouble(Trouble::Temporal(what, WARN_DATA_TRUNCATED), v, from, ctx)?;
        } else if note
            || self.ty.kind == Kind::Date && !d.time().truncated(0).is_zero() && !(number && d.is_zero_date())
        {
            self.trouble(Trouble::Note, v, from, ctx)?;
        }
        if d.is_zero_date() && no_zero {
            self.trouble(Trouble::Temporal(what, ER_WARN_DATA_OUT_OF_RANGE), v, from, ctx)?;
        }
        let d = if ctx.sql_mode.has(SqlMode::TIME_ROUND_FRACTIONAL) && self.ty.kind != Kind::Date {
            d.rounded(self.ty.decimals).unwrap_or(d)
        } else {
            d
        };
        if self.ty.kind == Kind::Timestamp {
            if d.is_zero() {
                self.put_datetime(d, None, out);
                return Ok(());
            }
            let (seconds, gap) = ctx.time_zone.to_utc(d);
            if !(1..=0x7fff_ffff).contains(&seconds) {
                let code = if d.is_zero_date() { WARN_DATA_TRUNCATED } else { ER_WARN_DATA_OUT_OF_RANGE };
                self.trouble(Trouble::Temporal("datetime", code), v, from, ctx)?;
                self.put_datetime(DateTime::default(), None, out);
                return Ok(());
            }
            if gap {
                let e =
                    SqlError::new(crate::error::ER_WARN_INVALID_TIMESTAMP, &[&self.name, &ctx.row.max(1)]);
                if ctx.strict {
                    return Err(e);
                }
                ctx.warnings.push_error(crate::warning::Level::Warning, &e);
            }
            self.put_datetime(d, Some(seconds), out);
            return Ok(());
        }
        self.put_datetime(d, None, out);
        Ok(())
    }

    /// Appends the stored form; `utc` is the instant of a TIMESTAMP (absent for the zero value).
    fn put_datetime(&self, d: DateTime, utc: Option<i64>, out: &mut Vec<u8>) {
        match &self.stored {
            ColumnType::Date => {
                let v = u32::from(d.year) << 9 | u32::from(d.month) << 5 | u32::from(d.day);
                out.extend_from_slice(&v.to_le_bytes()[..3]);
            }
            ColumnType::OldDate => out.extend_from_slice(&(d.date_number() as u32).to_le_bytes()),
            ColumnType::DateTime { decimals } => put_datetime(d, *decimals, out),
            ColumnType::Timestamp { decimals } => {
                put_timestamp(utc.unwrap_or(0), if utc.is_some() { d.micros } else { 0 }, *decimals, out);
            }
            ColumnType::OldTimestamp { decimals } => {
                let seconds = utc.unwrap_or(0) as u32;
                if *decimals == 0 {
                    out.extend_from_slice(&seconds.to_le_bytes());
                } else {
                    out.extend_from_slice(&seconds.to_be_bytes());
                    let n = (*decimals as usize).min(6);
                    let f = if utc.is_some() { d.micros / MICRO_UNIT[n] } else { 0 };
                    out.extend_from_slice(&f.to_be_bytes()[4 - n.div_ceil(2)..]);
                }
            }
            ColumnType::OldDateTime { decimals: 0 } => {
                out.extend_from_slice(&d.to_number().to_le_bytes());
            }
            ColumnType::OldDateTime { decimals } => {
                let n = (*decimals as usize).min(6);
                let days = (i64::from(d.year) * 13 + i64::from(d.month)) * 32 + i64::from(d.day);
                let s =
                    ((days * 24 + i64::from(d.hour)) * 60 + i64::from(d.minute)) * 60 + i64::from(d.second);
                let v = s * i64::from(1_000_000 / MICRO_UNIT[n]) + i64::from(d.micros / MICRO_UNIT[n]);
                let bytes = [8, 6, 6, 7, 7, 7, 8][n];
                out.extend_from_slice(&v.to_be_bytes()[8 - bytes..]);
            }
            _ => {}
        }
    }

    fn time(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let rules = DateRules::default();
        let found = match v {
            ValueRef::Time(t) => Found::Good(TimeText::Time(t)),
            ValueRef::Date(d) | ValueRef::DateTime(d) => Found::Good(TimeText::DateTime(d)),
            ValueRef::Bytes(b) if !from.hex => {
                let mut ascii = Vec::new();
                parse::time(as_ascii(b, from, &mut ascii), rules)
            }
            ValueRef::UInt(_) if matches!(from.kind, Kind::Enum | Kind::Set) => {
                let mut text = Vec::new();
                convert::write_text(v, from, &mut text);
                parse::time(as_ascii(&text, from, &mut Vec::new()), rules)
            }
            _ => convert::number_to_time(v, rules),
        };
        let code = |t: &TimeText| {
            if matches!(t, TimeText::Clipped(_)) { ER_WARN_DATA_OUT_OF_RANGE } else { WARN_DATA_TRUNCATED }
        };
        let t = match found {
            Found::Good(t) => {
                // a zero date is no date to be cut off
                if matches!(t, TimeText::DateTime(d) if !(d.is_zero_date() && matches!(v, ValueRef::Date(_) | ValueRef::DateTime(_))))
                {
                    self.trouble(Trouble::Note, v, from, ctx)?;
                }
                t
            }
            Found::ExcessFraction(t) => {
                self.trouble(Trouble::Note, v, from, ctx)?;
                t
            }
            Found::Truncated(t) => {
                self.trouble(Trouble::Temporal("time", code(&t)), v, from, ctx)?;
                t
            }
            Found::OutOfRange | Found::Bad => {
                self.trouble(Trouble::Temporal("time", WARN_DATA_TRUNCATED), v, from, ctx)?;
                TimeText::Time(Time::default())
            }
        };
        let t = match t {
            TimeText::Time(t) | TimeText::Clipped(t) => t,
            TimeText::DateTime(d) => d.time(),
        };
        let t =
            if ctx.sql_mode.has(SqlMode::TIME_ROUND_FRACTIONAL) { t.rounded(self.ty.decimals) } else { t };
        self.put_time(t, out);
        Ok(())
    }

    fn put_time(&self, t: Time, out: &mut Vec<u8>) {
        let t = t.truncated(self.ty.decimals);
        match &self.stored {
            ColumnType::Time { decimals } => put_time(t, *decimals, out),
            ColumnType::OldTime { decimals: 0 } => {
                out.extend_from_slice(&t.to_number().to_le_bytes()[..3]);
            }
            ColumnType::OldTime { decimals } => {
                let n = (*decimals as usize).min(6);
                let unit = i64::from(1_000_000 / MICRO_UNIT[n]);
                let v = t.to_micros() / i64::from(MICRO_UNIT[n]) + 3_020_400 * unit;
                let bytes = [3, 4, 4, 5, 5, 5, 6][n];
                out.extend_from_slice(&v.to_be_bytes()[8 - bytes..]);
            }
            _ => {}
        }
    }

    // ---- text

    /// The text of a value in the column's character set.
    fn text<'a>(
        &self,
        v: ValueRef<'a>,
        from: &FieldType,
        buffer: &'a mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<&'a [u8]> {
        let to = self.ty.collation;
        if let ValueRef::Bytes(b) = v {
            if to.id == 63
                && from.is_address()
                && let Some(image) = load::special_bytes(b, from.kind)
            {
                // from column to column it is not written out
                buffer.extend_from_slice(&image);
                return Ok(buffer);
            }
            if to.id == 63 || from.kind == Kind::Bit {
                return Ok(b);
            }
            if from.is_address() && to.charset.mbminlen > 1 {
                convert::ascii_to(b, &self.ty, buffer);
                return Ok(buffer);
            }
            let same = from.collation.id == 63 || from.collation.charset.name == to.charset.name;
            if same {
                if to.charset.mbminlen > 1
                    && from.collation.id == 63
                    && let Some(padded) = to.charset.padded(b)
                    && to.charset.well_formed_len(&padded) == padded.len()
                {
                    *buffer = padded;
                    return Ok(buffer);
                }
                let good = to.charset.well_formed_len(b);
                if good == b.len() {
                    return Ok(b);
                }
                self.trouble(Trouble::BadText(&b[good..]), v, from, ctx)?;
                self.replace_bad(b, buffer);
                return Ok(buffer);
            }
            if b.is_ascii()
                && to.charset.is_ascii_compatible()
                && from.collation.charset.is_ascii_compatible()
            {
                return Ok(b);
            }
            if from.collation.charset.convert(b, to.charset, buffer) > 0 {
                let bad = first_unconvertible(b, from.collation, to);
                self.trouble(Trouble::BadText(&b[bad..]), v, from, ctx)?;
            }
            return Ok(buffer);
        }
        if let ValueRef::UInt(x) = v
            && !self.ty.is_blob()
            && matches!(from.kind, Kind::Bit | Kind::Year)
        {
            // BIT and YEAR are numbers but in BLOB
            let x = if from.kind == Kind::Year && from.length == 2 { x % 100 } else { x };
            convert::ascii_to(x.to_string().as_bytes(), &self.ty, buffer);
            return Ok(buffer);
        }
        if let ValueRef::Decimal(d) = v {
            // with every digit it has: a quotient has more than it shows
            let mut ascii = String::new();
            let _ = std::fmt::Write::write_fmt(&mut ascii, format_args!("{d}"));
            if to.charset.is_ascii_compatible() {
                buffer.extend_from_slice(ascii.as_bytes());
            } else {
                for c in ascii.chars() {
                    let _ = to.charset.encode(c.into(), buffer);
                }
            }
            return Ok(buffer);
        }
        convert::write_text_in(v, from, &self.ty, buffer);
        Ok(buffer)
    }

    /// Bytes that are no characters become `?`.
    fn replace_bad(&self, b: &[u8], out: &mut Vec<u8>) {
        let cs = self.ty.collation.charset;
        let mut rest = b;
        while !rest.is_empty() {
            let good = cs.well_formed_len(rest);
            out.extend_from_slice(&rest[..good]);
            rest = &rest[good..];
            if !rest.is_empty() {
                cs.encode(u32::from(b'?'), out);
                rest = &rest[1..];
            }
        }
    }

    fn string(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let mut buffer = ctx.scratch.pop().unwrap_or_default();
        buffer.clear();
        let result = self.text(v, from, &mut buffer, ctx).map(|t| {
            let start = out.len();
            out.extend_from_slice(t);
            start
        });
        ctx.scratch.push(buffer);
        let start = result?;
        let cs = self.ty.collation.charset;
        let text = &out[start..];
        let (limit, fixed) = match &self.stored {
            ColumnType::Char { bytes } => (*bytes as usize, true),
            ColumnType::Varchar { bytes } | ColumnType::OldVarchar { bytes } => (*bytes as usize, false),
            ColumnType::Blob { length_bytes } => {
                let limit = match length_bytes {
                    1 => 0xff,
                    2 => 0xffff,
                    3 => 0xff_ffff,
                    _ => u32::MAX as usize,
                };
                if text.len() > limit {
                    let keep =
                        if self.ty.collation.id == 63 { limit } else { cs.well_formed_len(&text[..limit]) };
                    self.trouble(Trouble::TooLong, v, from, ctx)?;
                    out.truncate(start + keep);
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        let chars = limit / usize::from(cs.mbmaxlen.max(1));
        if text.len() > chars {
            let keep = cs.prefix(text, chars);
            if keep < text.len() {
                let spaces = self.ty.collation.id != 63 && cs.trim_spaces(&text[keep..]).is_empty();
                if !spaces {
                    self.trouble(Trouble::TooLong, v, from, ctx)?;
                } else if !fixed {
                    self.trouble(Trouble::Note, v, from, ctx)?;
                }
                out.truncate(start + keep);
            }
        }
        if fixed && self.ty.collation.id == 63 {
            out.resize(start + limit, 0);
        }
        Ok(())
    }

    fn enumeration(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let Some(values) = &self.ty.values else { return Ok(()) };
        let count = values.len() as u64;
        let number = |x: i128| u64::try_from(x).ok().filter(|x| *x >= 1 && *x <= count);
        let found = match v {
            ValueRef::Int(x) => number(i128::from(x)),
            ValueRef::UInt(x) if !matches!(from.kind, Kind::Enum | Kind::Set) => number(i128::from(x)),
            ValueRef::Double(x) => number(x as i128),
            ValueRef::Decimal(d) => number(d.trunc_i128()),
            ValueRef::UInt(0) if from.kind == Kind::Enum => {
                // The error value of another ENUM stays what it is.
                self.put_uint(0, out);
                return Ok(());
            }
            _ => {
                let mut buffer = Vec::new();
                let text = self.text(v, from, &mut buffer, ctx)?;
                match self.ty.member(text) {
                    Some(i) => Some(i as u64 + 1),
                    None => {
                        let (r, negative) = number::read_integer(text);
                        let clean = number::rest(text, r.used) != Rest::Garbage;
                        if clean && !negative && !text.is_empty() {
                            number(i128::from(r.value))
                        } else {
                            None
                        }
                    }
                }
            }
        };
        if found.is_none() {
            self.trouble(Trouble::Truncated, v, from, ctx)?;
        }
        self.put_uint(found.unwrap_or(0), out);
        Ok(())
    }

    fn set(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let Some(values) = &self.ty.values else { return Ok(()) };
        let all = if values.len() >= 64 { u64::MAX } else { (1 << values.len()) - 1 };
        let (bits, good) = match v {
            ValueRef::Int(x) => (x as u64 & all, x as u64 & !all == 0),
            ValueRef::UInt(x) if !matches!(from.kind, Kind::Enum | Kind::Set) => (x & all, x & !all == 0),
            ValueRef::Double(x) => {
                // what is too large has no low bits
                let x = if x.abs() < 9.2e18 { x as i64 as u64 } else { 1 << 63 };
                (x & all, x & !all == 0)
            }
            ValueRef::Decimal(d) => {
                let x = d.trunc_i128();
                let x = if x.unsigned_abs() <= u64::MAX.into() { x as u64 } else { 1 << 63 };
                (x & all, x & !all == 0)
            }
            _ => {
                let mut buffer = Vec::new();
                let text = self.text(v, from, &mut buffer, ctx)?;
                self.ty.set_bits(text, all)
            }
        };
        if !good {
            self.trouble(Trouble::Truncated, v, from, ctx)?;
        }
        self.put_uint(bits, out);
        Ok(())
    }

    /// UUID, INET4, INET6. False when NULL stands for a text that is none.
    fn special(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        let width = if self.ty.kind == Kind::Inet4 { 4 } else { 16 };
        if let ValueRef::Bytes(b) = v
            && from.collation.id == 63
            && b.len() == width
            && from.kind != self.ty.kind
        {
            out.extend_from_slice(b);
            return Ok(true);
        }
        let mut text = Vec::new();
        convert::write_text(v, from, &mut text);
        if let Some(b) = load::special_stored(&text, self.ty.kind) {
            out.extend_from_slice(&b);
            return Ok(true);
        }
        let what = self.ty.address_name();
        self.trouble(Trouble::Temporal(what, ER_TRUNCATED_WRONG_VALUE), v, from, ctx)?;
        if from.is_string() && !self.not_null {
            return Ok(false);
        }
        out.resize(out.len() + width, 0);
        Ok(true)
    }
}

/// Members of ENUM and SET.
impl FieldType {
    /// The number of the member equal to `text`, from 0.
    pub(crate) fn member(&self, text: &[u8]) -> Option<usize> {
        let values = self.values.as_ref()?;
        let cs = self.collation.charset;
        let text = cs.trim_spaces(text);
        values.iter().position(|m| self.collation.compare(m, text).is_eq())
    }

    /// The members named in a text, and whether all were known.
    pub(crate) fn set_bits(&self, text: &[u8], all: u64) -> (u64, bool) {
        if text.is_empty() {
            return (0, true);
        }
        let mut bits = 0;
        let mut good = true;
        let mut any = false;
        let mut comma = Vec::new();
        convert::ascii_to(b",", self, &mut comma);
        let step = usize::from(self.collation.charset.mbminlen);
        let mut start = 0;
        loop {
            let mut end = start;
            while end < text.len() && !text[end..].starts_with(&comma) {
                end += step;
            }
            let end_ = end.min(text.len());
            match self.member(&text[start..end_]) {
                Some(i) => {
                    bits |= 1 << i;
                    any = true;
                }
                None => good = false,
            }
            if end >= text.len() {
                break;
            }
            start = end + comma.len();
        }
        if !good && !any {
            let (r, _) = number::read_integer(text);
            if number::rest(text, r.used) == Rest::Clean && !r.overflow && !text.is_empty() {
                return (r.value & all, r.value & !all == 0);
            }
        }
        (bits, good)
    }
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

/// Where the first character stands that `to` does not have.
fn first_unconvertible(b: &[u8], from: &Collation, to: &Collation) -> usize {
    let mut at = 0;
    let mut sink = Vec::new();
    while at < b.len() {
        match from.charset.decode(&b[at..]) {
            Some((c, n)) => {
                sink.clear();
                if !to.charset.encode(c, &mut sink) {
                    return at;
                }
                at += n.max(1);
            }
            None => return at,
        }
    }
    0
}

/// Appends the fraction of a temporal in the newer stored form.
fn put_fraction(micros: u32, decimals: u8, out: &mut Vec<u8>) {
    let n = (decimals as usize).min(6);
    let bytes = n.div_ceil(2);
    if bytes == 0 {
        return;
    }
    let kept = micros - micros % MICRO_UNIT[n];
    let v = kept / MICRO_UNIT[bytes * 2];
    out.extend_from_slice(&v.to_be_bytes()[4 - bytes..]);
}

/// A decimal rounded for a column: used where no column is at hand.
#[must_use]
pub fn round_to(d: &Decimal, scale: u8) -> Decimal {
    d.round(i32::from(scale), Rounding::HalfUp).0
}
