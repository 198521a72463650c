//! Key trees: searching, walking and changing them.

pub mod cursor;
pub(crate) mod delete;
pub(crate) mod edit;
pub(crate) mod insert;
pub(crate) mod page;
mod walk;

pub use cursor::{KeyCursor, SeekMode};
pub use walk::pages_of;
