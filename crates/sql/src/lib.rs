//! Statements: bind, plan, execute.

pub mod admin;
pub(crate) mod caches;
pub mod catalog;
pub mod ddl;
pub mod dml;
pub mod engine;
pub mod exec;
pub mod information_schema;
pub(crate) mod logs;
pub mod plan;
pub mod rights;
pub(crate) mod routine;
pub mod session;
pub mod show;
pub mod statement;
pub mod table;

pub use eval::{
    bind, expr, failure, file_access, func, locks, memory, old_password, result, status, types, variables,
};
pub use syntax::{ast, error, fingerprint, lex, names, number, parse, warning};

pub use engine::{Engine, EngineOptions, VERSION};
pub use error::{SqlError, SqlResult};
pub use result::{ColumnMeta, Done, Param, ResultSchema, ResultSink};
pub use session::{ConnectInfo, GoneHook, KillHook, Session, Tracked};
pub use statement::Prepared;
pub use warning::{Level, Warning, Warnings};
