//! From syntax to typed expressions.

mod aggregates;
mod comparison;
mod describe;
pub mod expr;
mod forms;
mod operators;
mod rows;
mod types;
mod years;

pub(crate) use comparison::compare;
pub use comparison::comparison_of;
pub(crate) use comparison::{illegal_types, one_kind_of_address, to_address};
pub use expr::{BoundSubquery, ExprBinder, Resolved, Scope};
pub(crate) use operators::bit_operand;
pub(crate) use types::written_out;
pub use types::{coerce, common_collation, merge_types, text_type};
pub(crate) use types::{digits, digits_of, merge_numbers, natural_width, number_of_words};
pub(crate) use years::year_of;
