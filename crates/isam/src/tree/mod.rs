//! Key trees: searching, walking and changing them.

pub(crate) mod bulk;
pub mod cursor;
pub(crate) mod delete;
pub(crate) mod edit;
pub(crate) mod insert;
pub(crate) mod merge;
pub(crate) mod packed;
pub(crate) mod page;
pub mod range;
pub(crate) mod sorted;
pub mod spatial;
mod walk;
mod ways;
pub(crate) mod words;

pub use cursor::{KeyCursor, SeekMode};
pub use range::RangeEnd;
pub use walk::{InnerPages, own_trees_of, pages_of};
pub use ways::{TOGETHER, Ways};
