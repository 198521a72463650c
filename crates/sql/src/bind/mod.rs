//! From syntax to typed expressions.

mod aggregates;
mod comparison;
pub mod expr;
mod forms;
mod operators;
mod types;

pub(crate) use comparison::compare;
pub use comparison::comparison_of;
pub use expr::{BoundSubquery, ExprBinder, Resolved, Scope};
pub(crate) use operators::bit_operand;
pub use types::{coerce, common_collation, merge_types, text_type};
pub(crate) use types::{digits, merge_numbers, natural_width};
