//! Values and their types: scalars, column vectors, decimals, temporals, conversions from and to
//! stored bytes.

pub mod casts;
pub mod collations;
pub mod context;
pub mod convert;
pub mod decimal;
pub mod decimals;
pub mod declared;
pub mod definition;
pub mod field;
pub(crate) mod geometry;
pub mod literal;
pub mod load;
pub mod narrow;
pub mod number;
pub mod output;
pub mod store;
pub mod temporal;
pub mod value;
pub mod vector;

pub use decimal::Decimal;
pub use field::{Derivation, FieldType, Kind, Source, SourceTable};
pub use value::{Class, Value, ValueRef};
pub use vector::{Batch, Vector};
