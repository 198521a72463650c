//! Statements: parse, bind, plan, execute.

pub mod ast;
pub mod engine;
pub mod error;
pub mod lex;
pub mod parse;
pub mod result;
pub mod session;
pub mod shape;
pub mod warning;

pub use engine::{Engine, EngineOptions};
pub use error::{SqlError, SqlResult};
pub use result::{ColumnMeta, Done, Param, ResultShape, ResultSink};
pub use session::{ConnectInfo, Prepared, Session};
pub use warning::{Level, Warning, Warnings};
