//! The page store: bytes of table files, their versions and snapshots, a journal, checkpoints, recovery.
//!
//! It knows a table as two files and a *state blob* (the first bytes of the index file, versioned as one value) and gives
//! bytes no meaning beyond the few fields named in [`StateLayout`]. Readers take no lock, write no memory that another
//! thread writes, and copy nothing: [`Session::begin`] → [`Snapshot::pin`] → [`Pin::table`] → slices of pages, as of the
//! snapshot. Writers queue per table ([`PagedTable::write_lock`]), work on private copies and publish all of a
//! statement at once ([`TableWriter::commit`]). It is no buffer pool (clean pages are read in the mapping of the
//! file) and knows no transactions over several statements.

mod api;
mod error;
pub mod storage;

pub use api::*;
pub use error::{Error, ErrorKind, Result};
