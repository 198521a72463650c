//! Types, values, expressions and functions, and what a session is to them: settings, counters, locks by name, files.

pub mod bind;
pub mod expr;
pub mod failure;
pub mod file_access;
pub mod func;
pub mod locks;
pub mod memory;
pub mod old_password;
pub mod result;
pub mod status;
pub mod types;
pub mod variables;

pub use syntax::{ast, error, fingerprint, names, warning};
#[cfg(test)]
pub use syntax::{lex, parse};
