//! Numbers, YEAR and BIT into columns.

use super::{Column, StoreMode, Storing, Trouble, as_ascii};
use crate::error::{SqlResult, WARN_DATA_TRUNCATED};
use crate::types::convert;
use crate::types::decimal::{Decimal, Rounding};
use crate::types::field::{FieldType, Kind};
use crate::types::number::{self, Rest};
use crate::types::value::ValueRef;
use schema::definition::ColumnType;

impl Column {
    /// The range of the integer type.
    pub(super) fn range(&self) -> (i128, i128) {
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

    pub(super) fn put_uint(&self, v: u64, out: &mut Vec<u8>) {
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

    pub(super) fn put_integer(
        &self,
        v: i128,
        v_ref: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<()> {
        let (low, high) = self.range();
        if v < low || v > high {
            self.trouble(Trouble::OutOfRange, v_ref, from, ctx)?;
        }
        self.put_uint(v.clamp(low, high) as u64, out);
        Ok(())
    }

    pub(super) fn integer(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
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
                let bigint = self.ty.kind == Kind::LongLong && !self.ty.unsigned;
                let wide = if bigint && r == number::TOO_LARGE {
                    // the largest integer is this number as a double
                    i128::from(i64::MAX)
                } else if r.abs() < 1e30 {
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
    pub(super) fn whole(&self, d: &Decimal, unsigned: bool, from: &FieldType, ctx: &mut Storing<'_>) -> i128 {
        let (low, high) =
            if unsigned { (0, i128::from(u64::MAX)) } else { (i128::from(i64::MIN), i128::from(i64::MAX)) };
        let x = d.to_i128();
        // less than zero is out of range even where it rounds to zero
        let fits = (low..=high).contains(&x) && !(unsigned && d.is_negative() && !d.is_zero());
        if fits {
            return x;
        }
        self.raise(Trouble::OutOfRange, ValueRef::Decimal(d), from, ctx);
        x.clamp(low, high)
    }

    pub(super) fn integer_text(
        &self,
        b: &[u8],
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
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

    pub(super) fn year(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<()> {
        // the year 0 of two digits is 2000, that of YEAR(2) too
        let short = self.ty.is_short_year() && from.kind != Kind::Year;
        let mut text_zero = short || from.is_short_year();
        let x: i128 = match v {
            ValueRef::Int(x) => i128::from(x),
            ValueRef::UInt(x) => i128::from(x),
            ValueRef::Double(x) => {
                // what is behind the point is cut
                if (0.0..=2155.0).contains(&x) { x as i128 } else { -1 }
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
                text_zero = text.len() != 4;
                let year = p.value.to_i128();
                // what is no year is told of alone
                if matches!(year, 0..=99 | 1901..=2155) {
                    self.rest(number::rest(text, p.used), v, from, ctx)?;
                }
                year
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

    pub(super) fn bit(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
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
                // cut, where integers round; what is too large has the highest bit alone
                let r = x.trunc();
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

    pub(super) fn put_double(&self, v: f64, out: &mut Vec<u8>) {
        if self.ty.kind == Kind::Float {
            out.extend_from_slice(&(v as f32).to_le_bytes());
        } else {
            out.extend_from_slice(&v.to_le_bytes());
        }
    }

    pub(super) fn double(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
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
            let whole = number::power_of_ten((self.ty.length as i32).saturating_sub(d).clamp(0, 300));
            max = max.min(whole - number::power_of_ten(-d));
            x = number::round_stored(x, self.ty.decimals);
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

    pub(super) fn put_decimal(&self, d: &Decimal, out: &mut Vec<u8>) {
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

    pub(super) fn decimal(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
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
                    ctx.kept = ctx.mode == StoreMode::LaterRow;
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
        // what stands behind the number is told of before the number
        if rest == Rest::Garbage {
            self.trouble(Trouble::Truncated, v, from, ctx)?;
            if ctx.mode == StoreMode::LaterRow {
                // the column keeps what it had
                ctx.kept = true;
                self.put_decimal(&Decimal::ZERO, out);
                return Ok(());
            }
        }
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
        if rest == Rest::Spaces || fitted != d {
            self.trouble(Trouble::Note, v, from, ctx)?;
        }
        self.put_decimal(&fitted, out);
        Ok(())
    }
}

/// A decimal rounded for a column: used where no column is at hand.
#[must_use]
pub fn round_to(d: &Decimal, scale: u8) -> Decimal {
    d.round(i32::from(scale), Rounding::HalfUp).0
}
