//! Statements: parse, bind, plan, execute.

pub mod admin;
pub mod ast;
pub mod bind;
pub mod catalog;
pub mod ddl;
pub mod dml;
pub mod engine;
pub mod error;
pub mod exec;
pub mod expr;
pub mod failure;
pub(crate) mod file_access;
pub mod func;
pub mod information_schema;
pub mod lex;
pub mod locks;
pub mod memory;
pub mod names;
pub mod number;
pub mod parse;
pub mod plan;
pub mod result;
pub mod rights;
pub mod session;
pub mod shape;
pub mod show;
pub mod status;
pub mod types;
pub mod variables;
pub mod warning;

pub use engine::{Engine, EngineOptions, VERSION};
pub use error::{SqlError, SqlResult};
pub use result::{ColumnMeta, Done, Param, ResultShape, ResultSink};
pub use session::{ConnectInfo, GoneHook, KillHook, Prepared, Session, Tracked};
pub use warning::{Level, Warning, Warnings};
