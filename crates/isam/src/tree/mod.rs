//! Key trees: searching, walking and changing them.

pub mod cursor;

pub use cursor::{KeyCursor, SeekMode};
