//! Statements: parse, bind, plan, execute.

pub mod error;
pub mod result;
pub mod warning;

pub use error::{SqlError, SqlResult};
pub use result::{ColumnMeta, Done, Param, ResultShape, ResultSink};
pub use warning::{Level, Warning, Warnings};
