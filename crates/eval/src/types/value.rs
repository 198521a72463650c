//! Scalar values: owned ([`Value`]) and borrowed ([`ValueRef`]).

use super::decimal::Decimal;
use super::temporal::{DateTime, Time};

/// How a value is represented while expressions are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Only NULL.
    Null,
    /// `i64`.
    Int,
    /// `u64`; also BIT, ENUM and SET columns, which know their text through the type.
    UInt,
    /// `f64`.
    Double,
    /// [`Decimal`].
    Decimal,
    /// Text or binary bytes in the type's character set.
    Bytes,
    /// A date: a [`DateTime`] without a time.
    Date,
    /// A time of day or interval.
    Time,
    /// A date with a time.
    DateTime,
}

impl Class {
    /// All, in their order.
    pub const ALL: [Class; 9] = [
        Class::Null,
        Class::Int,
        Class::UInt,
        Class::Double,
        Class::Decimal,
        Class::Bytes,
        Class::Date,
        Class::Time,
        Class::DateTime,
    ];

    /// Whether this is one of the number classes.
    #[must_use]
    pub fn is_number(self) -> bool {
        matches!(self, Class::Int | Class::UInt | Class::Double | Class::Decimal)
    }

    /// Whether this is an integer class.
    #[must_use]
    pub fn is_integer(self) -> bool {
        matches!(self, Class::Int | Class::UInt)
    }

    /// Whether this is one of the temporal classes.
    #[must_use]
    pub fn is_temporal(self) -> bool {
        matches!(self, Class::Date | Class::Time | Class::DateTime)
    }
}

/// An owned value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// NULL.
    #[default]
    Null,
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// A double.
    Double(f64),
    /// A decimal.
    Decimal(Decimal),
    /// Bytes in the type's character set.
    Bytes(Vec<u8>),
    /// A date (its time part is zero).
    Date(DateTime),
    /// A time.
    Time(Time),
    /// A date and time.
    DateTime(DateTime),
}

/// A borrowed value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueRef<'a> {
    /// NULL.
    Null,
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// A double.
    Double(f64),
    /// A decimal.
    Decimal(&'a Decimal),
    /// Bytes in the type's character set.
    Bytes(&'a [u8]),
    /// A date.
    Date(DateTime),
    /// A time.
    Time(Time),
    /// A date and time.
    DateTime(DateTime),
}

impl Value {
    /// The value borrowed.
    #[must_use]
    pub fn as_ref(&self) -> ValueRef<'_> {
        match self {
            Value::Null => ValueRef::Null,
            Value::Int(v) => ValueRef::Int(*v),
            Value::UInt(v) => ValueRef::UInt(*v),
            Value::Double(v) => ValueRef::Double(*v),
            Value::Decimal(v) => ValueRef::Decimal(v),
            Value::Bytes(v) => ValueRef::Bytes(v),
            Value::Date(v) => ValueRef::Date(*v),
            Value::Time(v) => ValueRef::Time(*v),
            Value::DateTime(v) => ValueRef::DateTime(*v),
        }
    }

    /// Whether this is NULL.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The class of the value.
    #[must_use]
    pub fn class(&self) -> Class {
        self.as_ref().class()
    }
}

impl ValueRef<'_> {
    /// An owned copy.
    #[must_use]
    pub fn to_owned(self) -> Value {
        match self {
            ValueRef::Null => Value::Null,
            ValueRef::Int(v) => Value::Int(v),
            ValueRef::UInt(v) => Value::UInt(v),
            ValueRef::Double(v) => Value::Double(v),
            ValueRef::Decimal(v) => Value::Decimal(*v),
            ValueRef::Bytes(v) => Value::Bytes(v.to_vec()),
            ValueRef::Date(v) => Value::Date(v),
            ValueRef::Time(v) => Value::Time(v),
            ValueRef::DateTime(v) => Value::DateTime(v),
        }
    }

    /// Whether this is NULL.
    #[must_use]
    pub fn is_null(self) -> bool {
        matches!(self, ValueRef::Null)
    }

    /// The class of the value.
    #[must_use]
    pub fn class(self) -> Class {
        match self {
            ValueRef::Null => Class::Null,
            ValueRef::Int(_) => Class::Int,
            ValueRef::UInt(_) => Class::UInt,
            ValueRef::Double(_) => Class::Double,
            ValueRef::Decimal(_) => Class::Decimal,
            ValueRef::Bytes(_) => Class::Bytes,
            ValueRef::Date(_) => Class::Date,
            ValueRef::Time(_) => Class::Time,
            ValueRef::DateTime(_) => Class::DateTime,
        }
    }
}
