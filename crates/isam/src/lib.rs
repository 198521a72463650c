//! MyISAM tables: files, rows, keys. See docs/ARCHITECTURE.md.

mod beside;
mod bulk;
pub mod error;
pub mod ftdump;
pub mod fulltext;
pub mod key;
pub mod maintain;
pub mod myi;
pub mod plain;
mod pointer;
pub mod row;
mod sorting;
pub mod source;
pub mod statistics;
pub mod table;
pub mod tree;
mod waiting;
pub mod write;

pub use error::{Error, Result};
pub use fulltext::FulltextIndex;
pub use key::{KeyInfo, Segment};
pub use myi::keydef::CreateSettings;
pub use pointer::RowPos;
pub use row::{Compression, Gathered, RowBatch, RowBuf, RowColumns, RowLayout, RowList, RowScratch, RowView};
pub use sorting::SortSettings;
pub use source::{Near, PageSource};
pub use statistics::StatsMethod;
pub use table::{CrashMarks, Emptying, Limit, Scan, Table, TableFormat};
pub use tree::spatial;
pub use tree::{KeyCursor, RangeEnd, SeekMode};
pub use waiting::ManyRows;
pub use write::{WriteScratch, Writer};
