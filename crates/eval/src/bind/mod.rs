//! From syntax to typed expressions.

mod aggregates;
mod case;
mod casts;
mod comparison;
mod describe;
mod dynamic_columns;
pub mod expr;
pub mod forms;
pub mod full_text;
mod in_list;
mod json_aggregates;
pub mod literals;
mod operators;
mod rows;
mod subquery;
mod windows;
mod years;

pub use comparison::compare;
pub use comparison::comparison_of;
pub use expr::{BoundSubquery, ExprBinder, Resolved, Scope};
pub use windows::Windows;
pub use windows::no_window;
