//! From syntax to typed expressions.

pub mod expr;

pub use expr::{BoundSubquery, ExprBinder, Resolved, Scope};
