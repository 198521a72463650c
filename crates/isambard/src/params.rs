//! Parameters of statements.

use sql::result::Param;

use crate::value::{Date, DateTime, Time, Value, ValueRef};

/// A value that can be a parameter. Types of one's own become one of those that are there:
///
/// ```
/// use isambard::{ToParam, ValueRef};
///
/// struct Millimetres(u32);
///
/// impl ToParam for Millimetres {
///     fn to_param(&self) -> ValueRef<'_> {
///         ValueRef::UInt(self.0.into())
///     }
/// }
/// ```
pub trait ToParam {
    /// The value.
    fn to_param(&self) -> ValueRef<'_>;
}

macro_rules! integers {
    ($($kind:ident $variant:ident),*) => {$(
        impl ToParam for $kind {
            fn to_param(&self) -> ValueRef<'_> {
                ValueRef::$variant((*self).into())
            }
        }
    )*};
}
integers!(i8 Int, i16 Int, i32 Int, i64 Int, u8 UInt, u16 UInt, u32 UInt, u64 UInt, bool Int, f64 Double, f32 Float);

impl ToParam for usize {
    fn to_param(&self) -> ValueRef<'_> {
        ValueRef::UInt(*self as u64)
    }
}

impl ToParam for str {
    fn to_param(&self) -> ValueRef<'_> {
        ValueRef::Text(self)
    }
}

impl ToParam for String {
    fn to_param(&self) -> ValueRef<'_> {
        self.as_str().to_param()
    }
}

impl ToParam for [u8] {
    fn to_param(&self) -> ValueRef<'_> {
        ValueRef::Bytes(self)
    }
}

impl<const N: usize> ToParam for [u8; N] {
    fn to_param(&self) -> ValueRef<'_> {
        self.as_slice().to_param()
    }
}

impl ToParam for Vec<u8> {
    fn to_param(&self) -> ValueRef<'_> {
        self.as_slice().to_param()
    }
}

impl<T: ToParam + ?Sized> ToParam for &T {
    fn to_param(&self) -> ValueRef<'_> {
        (**self).to_param()
    }
}

impl<T: ToParam> ToParam for Option<T> {
    fn to_param(&self) -> ValueRef<'_> {
        self.as_ref().map_or(ValueRef::Null, ToParam::to_param)
    }
}

impl ToParam for Date {
    fn to_param(&self) -> ValueRef<'_> {
        ValueRef::Date(*self)
    }
}

impl ToParam for Time {
    fn to_param(&self) -> ValueRef<'_> {
        ValueRef::Time(*self)
    }
}

impl ToParam for DateTime {
    fn to_param(&self) -> ValueRef<'_> {
        ValueRef::DateTime(*self)
    }
}

impl ToParam for ValueRef<'_> {
    fn to_param(&self) -> ValueRef<'_> {
        *self
    }
}

impl ToParam for Value {
    fn to_param(&self) -> ValueRef<'_> {
        self.as_ref()
    }
}

/// A value as the engine takes it.
fn param(value: ValueRef<'_>) -> Param<'_> {
    match value {
        ValueRef::Null => Param::Null,
        ValueRef::Int(v) => Param::Int(v),
        ValueRef::UInt(v) => Param::UInt(v),
        ValueRef::Double(v) => Param::Double(v),
        ValueRef::Float(v) => Param::Float(v),
        ValueRef::Text(v) => Param::Bytes { value: v.as_bytes(), binary: false },
        ValueRef::Bytes(v) => Param::Bytes { value: v, binary: true },
        ValueRef::Date(Date { year, month, day }) => Param::Date { year, month, day },
        ValueRef::Time(Time { negative, hours, minutes, seconds, micros }) => {
            Param::Time { negative, hours, minutes, seconds, micros }
        }
        ValueRef::DateTime(DateTime { date: Date { year, month, day }, hour, minute, second, micros }) => {
            Param::DateTime { year, month, day, hour, minute, second, micros }
        }
    }
}

/// The parameters of a statement, or the values of a row: `()`, a tuple of up to twelve values, an array, a slice, or
/// [`params!`](crate::params) for any number of any types.
pub trait Params: sealed::Sealed {
    /// Hands the parameters to `run` as one slice; for tuples and arrays it lies on the stack.
    #[doc(hidden)]
    fn with<R>(&self, run: impl FnOnce(&[Param<'_>]) -> R) -> R;

    /// Hands on one value after the other.
    #[doc(hidden)]
    fn each(&self, take: &mut dyn FnMut(ValueRef<'_>));
}

mod sealed {
    pub trait Sealed {}
}

/// Parameters of any number and types: `params![id, name, None::<i32>]`.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        [$(&$value as &dyn $crate::ToParam),*].as_slice()
    };
}

impl sealed::Sealed for () {}
impl Params for () {
    fn with<R>(&self, run: impl FnOnce(&[Param<'_>]) -> R) -> R {
        run(&[])
    }

    fn each(&self, _take: &mut dyn FnMut(ValueRef<'_>)) {}
}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: ToParam),*> sealed::Sealed for ($($name,)*) {}
        #[allow(non_snake_case, reason = "one name for type and value")]
        impl<$($name: ToParam),*> Params for ($($name,)*) {
            fn with<R>(&self, run: impl FnOnce(&[Param<'_>]) -> R) -> R {
                let ($($name,)*) = self;
                run(&[$(param($name.to_param())),*])
            }

            fn each(&self, take: &mut dyn FnMut(ValueRef<'_>)) {
                let ($($name,)*) = self;
                $(take($name.to_param());)*
            }
        }
    };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);
tuples!(A B C D E F G H I);
tuples!(A B C D E F G H I J);
tuples!(A B C D E F G H I J K);
tuples!(A B C D E F G H I J K L);

impl<T: ToParam, const N: usize> sealed::Sealed for [T; N] {}
impl<T: ToParam, const N: usize> Params for [T; N] {
    fn with<R>(&self, run: impl FnOnce(&[Param<'_>]) -> R) -> R {
        run(&self.each_ref().map(|v| param(v.to_param())))
    }

    fn each(&self, take: &mut dyn FnMut(ValueRef<'_>)) {
        self.iter().for_each(|v| take(v.to_param()));
    }
}

impl<T: ToParam> sealed::Sealed for &[T] {}
impl<T: ToParam> Params for &[T] {
    fn with<R>(&self, run: impl FnOnce(&[Param<'_>]) -> R) -> R {
        run(&self.iter().map(|v| param(v.to_param())).collect::<Vec<_>>())
    }

    fn each(&self, take: &mut dyn FnMut(ValueRef<'_>)) {
        self.iter().for_each(|v| take(v.to_param()));
    }
}

impl<T: ToParam> sealed::Sealed for &Vec<T> {}
impl<T: ToParam> Params for &Vec<T> {
    fn with<R>(&self, run: impl FnOnce(&[Param<'_>]) -> R) -> R {
        self.as_slice().with(run)
    }

    fn each(&self, take: &mut dyn FnMut(ValueRef<'_>)) {
        self.as_slice().each(take);
    }
}
