//! Values of rows.

use std::fmt::{self, Display};

use crate::error::Error;

/// A DATE; parts may be zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Date {
    /// 0 to 9999.
    pub year: u16,
    /// 0 to 12.
    pub month: u8,
    /// 0 to 31.
    pub day: u8,
}

/// A DATETIME or TIMESTAMP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DateTime {
    /// The day.
    pub date: Date,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
    /// 0 to 999999.
    pub micros: u32,
}

/// A TIME: -838:59:59.999999 to 838:59:59.999999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Time {
    /// Before zero.
    pub negative: bool,
    /// 0 to 838.
    pub hours: u32,
    /// 0 to 59.
    pub minutes: u8,
    /// 0 to 59.
    pub seconds: u8,
    /// 0 to 999999.
    pub micros: u32,
}

impl Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

fn fraction(f: &mut fmt::Formatter<'_>, micros: u32) -> fmt::Result {
    if micros == 0 { Ok(()) } else { write!(f, ".{micros:06}") }
}

impl Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:02}:{:02}:{:02}", self.date, self.hour, self.minute, self.second)?;
        fraction(f, self.micros)
    }
}

impl Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(f, "{sign}{:02}:{:02}:{:02}", self.hours, self.minutes, self.seconds)?;
        fraction(f, self.micros)
    }
}

/// A value of a row, borrowed from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ValueRef<'r> {
    /// NULL.
    Null,
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// DOUBLE.
    Double(f64),
    /// FLOAT.
    Float(f32),
    /// Text, and DECIMAL as text.
    Text(&'r str),
    /// Binary strings, BIT, and text that is no UTF-8.
    Bytes(&'r [u8]),
    /// DATE.
    Date(Date),
    /// TIME.
    Time(Time),
    /// DATETIME, TIMESTAMP.
    DateTime(DateTime),
}

/// A value of its own.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "as in ValueRef")]
pub enum Value {
    Null,
    Int(i64),
    UInt(u64),
    Double(f64),
    Float(f32),
    Text(String),
    Bytes(Vec<u8>),
    Date(Date),
    Time(Time),
    DateTime(DateTime),
}

impl ValueRef<'_> {
    /// A copy of its own.
    #[must_use]
    pub fn to_owned(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Int(v) => Value::Int(v),
            Self::UInt(v) => Value::UInt(v),
            Self::Double(v) => Value::Double(v),
            Self::Float(v) => Value::Float(v),
            Self::Text(v) => Value::Text(v.to_owned()),
            Self::Bytes(v) => Value::Bytes(v.to_vec()),
            Self::Date(v) => Value::Date(v),
            Self::Time(v) => Value::Time(v),
            Self::DateTime(v) => Value::DateTime(v),
        }
    }

    /// Whether it is NULL.
    #[must_use]
    pub fn is_null(self) -> bool {
        self == Self::Null
    }
}

impl Value {
    /// A view of it.
    #[must_use]
    pub fn as_ref(&self) -> ValueRef<'_> {
        match self {
            Self::Null => ValueRef::Null,
            Self::Int(v) => ValueRef::Int(*v),
            Self::UInt(v) => ValueRef::UInt(*v),
            Self::Double(v) => ValueRef::Double(*v),
            Self::Float(v) => ValueRef::Float(*v),
            Self::Text(v) => ValueRef::Text(v),
            Self::Bytes(v) => ValueRef::Bytes(v),
            Self::Date(v) => ValueRef::Date(*v),
            Self::Time(v) => ValueRef::Time(*v),
            Self::DateTime(v) => ValueRef::DateTime(*v),
        }
    }
}

/// As the text protocol shows it.
impl Display for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        match self {
            Self::Null => return f.write_str("NULL"),
            Self::Int(v) => return v.fmt(f),
            Self::UInt(v) => return v.fmt(f),
            Self::Text(v) => return f.write_str(v),
            Self::Date(v) => return v.fmt(f),
            Self::Time(v) => return v.fmt(f),
            Self::DateTime(v) => return v.fmt(f),
            Self::Bytes(v) => text.extend_from_slice(v),
            Self::Double(v) => sql::number::put_double(&mut text, *v, sql::result::NOT_FIXED_DEC),
            Self::Float(v) => sql::number::put_float(&mut text, *v, sql::result::NOT_FIXED_DEC),
        }
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

/// Types a column's value can be had as. Numbers convert when nothing is lost; text is not parsed, but for DECIMAL
/// into `f64`; everything converts to `String`. NULL converts to `Option` only.
pub trait FromValue: Sized {
    /// Its name for error messages.
    const WANTED: &'static str;

    /// The value as this type, or nothing.
    fn from_value(value: ValueRef<'_>) -> Option<Self>;

    /// The value as this type.
    ///
    /// # Errors
    /// [`Error::Conversion`].
    fn take(value: ValueRef<'_>, column: usize) -> Result<Self, Error> {
        Self::from_value(value).ok_or_else(|| Error::Conversion {
            column,
            value: value.to_string(),
            wanted: Self::WANTED,
        })
    }
}

macro_rules! integers {
    ($($kind:ident),*) => {$(
        impl FromValue for $kind {
            const WANTED: &'static str = stringify!($kind);
            fn from_value(value: ValueRef<'_>) -> Option<Self> {
                match value {
                    ValueRef::Int(v) => v.try_into().ok(),
                    ValueRef::UInt(v) => v.try_into().ok(),
                    // SUM and AVG of integers are DECIMAL: whole ones are integers.
                    ValueRef::Text(v) => v.parse().ok(),
                    _ => None,
                }
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, u8, u16, u32, u64, usize, i128);

impl FromValue for bool {
    const WANTED: &'static str = "bool";
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        i64::from_value(value).map(|v| v != 0)
    }
}

impl FromValue for f64 {
    const WANTED: &'static str = "f64";
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Double(v) => Some(v),
            ValueRef::Float(v) => Some(v.into()),
            ValueRef::Int(v) => Some(v as Self),
            ValueRef::UInt(v) => Some(v as Self),
            ValueRef::Text(v) => v.parse().ok(),
            _ => None,
        }
    }
}

impl FromValue for f32 {
    const WANTED: &'static str = "f32";
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Float(v) => Some(v),
            other => f64::from_value(other).map(|v| v as Self),
        }
    }
}

impl FromValue for String {
    const WANTED: &'static str = "String";
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Null => None,
            ValueRef::Text(v) => Some(v.to_owned()),
            ValueRef::Bytes(v) => Self::from_utf8(v.to_vec()).ok(),
            other => Some(other.to_string()),
        }
    }
}

impl FromValue for Vec<u8> {
    const WANTED: &'static str = "Vec<u8>";
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Text(v) => Some(v.as_bytes().to_vec()),
            ValueRef::Bytes(v) => Some(v.to_vec()),
            _ => None,
        }
    }
}

impl FromValue for Value {
    const WANTED: &'static str = "Value";
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        Some(value.to_owned())
    }
}

impl<T: FromValue> FromValue for Option<T> {
    const WANTED: &'static str = T::WANTED;
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::from_value(value).map(Some) }
    }
}

impl FromValue for Date {
    const WANTED: &'static str = "Date";
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Date(v) => Some(v),
            ValueRef::DateTime(v) => Some(v.date),
            _ => None,
        }
    }
}

impl FromValue for DateTime {
    const WANTED: &'static str = "DateTime";
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::DateTime(v) => Some(v),
            ValueRef::Date(date) => Some(Self { date, ..Self::default() }),
            _ => None,
        }
    }
}

impl FromValue for Time {
    const WANTED: &'static str = "Time";
    fn from_value(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Time(v) => Some(v),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_lose_nothing() {
        assert_eq!(i32::from_value(ValueRef::Int(-5)), Some(-5));
        assert_eq!(u8::from_value(ValueRef::Int(256)), None);
        assert_eq!(u64::from_value(ValueRef::Int(-1)), None);
        assert_eq!(i64::from_value(ValueRef::UInt(u64::MAX)), None);
        assert_eq!(i64::from_value(ValueRef::Text("15")), Some(15));
        assert_eq!(i64::from_value(ValueRef::Text("1.5")), None);
        assert_eq!(f64::from_value(ValueRef::Text("1.5")), Some(1.5));
        assert_eq!(String::from_value(ValueRef::Null), None);
        assert_eq!(Option::<String>::from_value(ValueRef::Null), Some(None));
        assert_eq!(String::from_value(ValueRef::Double(1e15)), Some("1e15".to_owned()));
        let error = u8::take(ValueRef::Int(256), 3).expect_err("too large");
        assert_eq!(error.to_string(), "column 3: 256 is not u8");
    }
}
