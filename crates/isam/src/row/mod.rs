//! Rows: the image of a row, its fixed and its packed form, and how its columns are read from either without copying.

pub mod buf;
pub mod view;

pub use buf::RowBuf;
pub use view::{ColumnForm, ColumnLayout, Pad, RowLayout, RowScratch, RowView};
