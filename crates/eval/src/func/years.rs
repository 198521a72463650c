//! Which year a constant means.

use crate::expr::EvalContext;
use crate::types::decimal::Decimal;
use crate::types::{FieldType, Kind, ValueRef, convert};

/// The width for which every year of two digits is completed, 0 too.
pub const OF_CENTURY: u32 = 0;

/// Values of YEAR(2) in the order of the years that they mean, 1970 to 2069.
pub fn place_in_order(digits: u64) -> u64 {
    (digits + 30) % 100
}

/// A year of a temporary table, where those of two digits are completed.
pub fn completed(year: i64, zero: i64) -> i64 {
    match year {
        0 => zero,
        1..=69 => year + 2000,
        70..=99 => year + 1900,
        _ => year,
    }
}

/// The year that a constant means beside a YEAR column of this width: years of two digits are completed, those of YEAR(2)
/// cut; what is no year stays the number it is.
pub fn year_of(v: ValueRef<'_>, ty: &FieldType, width: u32, ctx: &mut EvalContext) -> i64 {
    let whole =
        |d: Decimal| i64::try_from(d.to_i128()).unwrap_or(if d.is_negative() { i64::MIN } else { i64::MAX });
    // the text of a year 0 in other than four digits is that of 2000
    let mut text_zero = width == OF_CENTURY;
    let n = match v {
        ValueRef::Bytes(b) if ty.hex => i64::try_from(convert::bytes_to_u64(b)).unwrap_or(i64::MAX),
        ValueRef::Bytes(b) => {
            let text = convert::ascii(b, ty);
            let number = Decimal::parse(&text);
            if number.used == 0 {
                convert::to_decimal(v, ty, ctx);
                0
            } else {
                text_zero = text.len() != 4;
                let n = whole(number.value);
                if !matches!(n, 0..=99 | 1901..=2155) {
                    // what is behind a number that is no year is told of
                    convert::to_decimal(v, ty, ctx);
                }
                n
            }
        }
        ValueRef::Decimal(d) => whole(*d),
        ValueRef::Date(d) | ValueRef::DateTime(d) => i64::from(d.year),
        ValueRef::Double(d) => d as i64,
        ValueRef::UInt(n) if !matches!(ty.kind, Kind::Enum | Kind::Set) => {
            i64::try_from(n).unwrap_or(i64::MAX)
        }
        ValueRef::Int(n) => n,
        ValueRef::UInt(_) => convert::to_i64(v, ty, false, ctx),
        ValueRef::Time(_) | ValueRef::Null => 0,
    };
    match n {
        1901..=2155 if width == 2 => n % 100,
        _ if width == 2 => n,
        _ => completed(n, if text_zero { 2000 } else { 0 }),
    }
}
