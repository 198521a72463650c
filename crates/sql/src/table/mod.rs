//! What a table is to SQL, whoever keeps its rows. Everything above reads and writes rows through this module, and this is the one
//! place where the crate below it, `isam`, is named.

mod columns;
pub mod engine;
mod failure;
pub mod full_text;
pub mod index_merge;
pub(crate) mod insert_queue;
pub mod interval;
pub mod key_walk;
pub mod keys;
pub mod loose;
pub mod merge;
pub mod myisam;
pub(crate) mod numbers;
mod open;
pub mod partition;
pub mod parts;
pub mod places;
pub mod points;
pub mod reader;
pub mod row_cursor;
pub(crate) mod rules;
pub mod sequence;
pub mod spatial;
mod stored_reader;
pub mod triggers;
pub mod virtual_table;
pub(crate) mod write_room;

pub use failure::from_engine;
pub(crate) use failure::unreadable_definition;
pub use open::{OpenTable, SharedReadLock};

// Rows as they cross the seam, and where they lie.
pub(crate) use isam::{Gathered, RowBatch, RowColumns};
pub use isam::{PageSource, RowBuf, RowList, RowPos, RowScratch, RowView, WriteScratch};
// Keys: how entries are made of rows, and walks over them.
pub use isam::tree::{InnerPages, KeyCursor, RangeEnd, SeekMode, TOGETHER, Ways};
pub use isam::{KeyInfo, Segment};
// Tables whose rows and keys lie in pages, on the disk or in memory.
pub use isam::myi::StateView as TableState;
pub use isam::source::PageStore;
pub use isam::{Error as EngineError, Near, Scan, Table as StoredTable, TableFormat, Writer};
