//! Rows: the image of a row, its fixed, its packed and its compressed form, and how its columns are read from either without copying.

pub(crate) mod block;
pub mod buf;
pub mod checksum;
pub mod columns;
pub mod compressed;
pub mod list;
pub(crate) mod pack;
pub(crate) mod store;
pub mod view;

pub use buf::RowBuf;
pub use checksum::checksum;
pub use columns::{Gathered, RowBatch, RowColumns};
pub use compressed::Compression;
pub use list::RowList;
pub use view::{ColumnForm, ColumnLayout, Pad, RowLayout, RowScratch, RowView};
