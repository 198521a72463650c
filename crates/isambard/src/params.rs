//! Parameters of statements.

use sql::result::Param;

use crate::value::{Date, DateTime, Time, Value};

/// A value that can be a parameter.
pub trait ToParam {
    /// The value as the engine takes it.
    fn to_param(&self) -> Param<'_>;
}

macro_rules! integers {
    ($($kind:ident $variant:ident),*) => {$(
        impl ToParam for $kind {
            fn to_param(&self) -> Param<'_> {
                Param::$variant((*self).into())
            }
        }
    )*};
}
integers!(i8 Int, i16 Int, i32 Int, i64 Int, u8 UInt, u16 UInt, u32 UInt, u64 UInt, bool Int, f64 Double, f32 Float);

impl ToParam for usize {
    fn to_param(&self) -> Param<'_> {
        Param::UInt(*self as u64)
    }
}

impl ToParam for str {
    fn to_param(&self) -> Param<'_> {
        Param::Bytes { value: self.as_bytes(), binary: false }
    }
}

impl ToParam for String {
    fn to_param(&self) -> Param<'_> {
        self.as_str().to_param()
    }
}

impl ToParam for [u8] {
    fn to_param(&self) -> Param<'_> {
        Param::Bytes { value: self, binary: true }
    }
}

impl<const N: usize> ToParam for [u8; N] {
    fn to_param(&self) -> Param<'_> {
        self.as_slice().to_param()
    }
}

impl ToParam for Vec<u8> {
    fn to_param(&self) -> Param<'_> {
        self.as_slice().to_param()
    }
}

impl<T: ToParam + ?Sized> ToParam for &T {
    fn to_param(&self) -> Param<'_> {
        (**self).to_param()
    }
}

impl<T: ToParam> ToParam for Option<T> {
    fn to_param(&self) -> Param<'_> {
        self.as_ref().map_or(Param::Null, ToParam::to_param)
    }
}

impl ToParam for Date {
    fn to_param(&self) -> Param<'_> {
        Param::Date { year: self.year, month: self.month, day: self.day }
    }
}

impl ToParam for Time {
    fn to_param(&self) -> Param<'_> {
        let Self { negative, hours, minutes, seconds, micros } = *self;
        Param::Time { negative, hours, minutes, seconds, micros }
    }
}

impl ToParam for DateTime {
    fn to_param(&self) -> Param<'_> {
        let Self { date: Date { year, month, day }, hour, minute, second, micros } = *self;
        Param::DateTime { year, month, day, hour, minute, second, micros }
    }
}

impl ToParam for Value {
    fn to_param(&self) -> Param<'_> {
        match self {
            Self::Null => Param::Null,
            Self::Int(v) => Param::Int(*v),
            Self::UInt(v) => Param::UInt(*v),
            Self::Double(v) => Param::Double(*v),
            Self::Float(v) => Param::Float(*v),
            Self::Text(v) => v.to_param(),
            Self::Bytes(v) => v.to_param(),
            Self::Date(v) => v.to_param(),
            Self::Time(v) => v.to_param(),
            Self::DateTime(v) => v.to_param(),
        }
    }
}

/// The parameters of a statement: `()`, a tuple of up to twelve values, an array or a slice.
pub trait Params {
    /// Hands the parameters to `run` as one slice; for tuples and arrays it lies on the stack.
    fn with<R>(&self, run: impl FnOnce(&[Param<'_>]) -> R) -> R;
}

impl Params for () {
    fn with<R>(&self, run: impl FnOnce(&[Param<'_>]) -> R) -> R {
        run(&[])
    }
}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: ToParam),*> Params for ($($name,)*) {
            fn with<R>(&self, run: impl FnOnce(&[Param<'_>]) -> R) -> R {
                #[allow(non_snake_case, reason = "one name for type and value")]
                let ($($name,)*) = self;
                run(&[$($name.to_param()),*])
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

impl<T: ToParam, const N: usize> Params for [T; N] {
    fn with<R>(&self, run: impl FnOnce(&[Param<'_>]) -> R) -> R {
        run(&self.each_ref().map(ToParam::to_param))
    }
}

impl<T: ToParam> Params for &[T] {
    fn with<R>(&self, run: impl FnOnce(&[Param<'_>]) -> R) -> R {
        run(&self.iter().map(ToParam::to_param).collect::<Vec<_>>())
    }
}

impl<T: ToParam> Params for &Vec<T> {
    fn with<R>(&self, run: impl FnOnce(&[Param<'_>]) -> R) -> R {
        self.as_slice().with(run)
    }
}
