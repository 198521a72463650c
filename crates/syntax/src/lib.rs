//! Statements as text and as trees: words, parser, tree and its printing, fingerprints; errors and warnings, which all above speak of.

pub mod ast;
pub mod error;
pub mod fingerprint;
pub mod lex;
pub mod names;
pub mod number;
pub mod parse;
pub mod warning;

pub use error::{SqlError, SqlResult};
pub use warning::{Level, Warning, Warnings};
