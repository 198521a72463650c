//! The page store: bytes of table files, their versions and snapshots, a journal, checkpoints, recovery.
//!
//! It knows a table as two files and a *state blob* (the first bytes of the index file, versioned as one value) and gives
//! bytes no meaning beyond the few fields named in [`StateLayout`]. Readers take no lock, write no memory that another
//! thread writes, and copy nothing: [`ReaderSlot::begin`] → [`Snapshot::pin`] → [`Pin::table`] → slices of pages, as of the
//! snapshot. Writers queue per table ([`PagedTable::write_lock`]), work on private copies and publish all of a
//! statement at once ([`TableWriter::commit`]). Clean pages are read in the mapping of the
//! file, or in blocks of a cache with a budget ([`BlockCache`]); it writes through no cache and knows no transactions over several statements.

// Under `loom` only the protocols of readers are built, for the models.
#![cfg_attr(loom, allow(dead_code))]

#[cfg(not(target_os = "linux"))]
compile_error!("the page store needs Linux: it guards its mappings with Linux's signals");

#[cfg(not(loom))]
mod base;
#[cfg(not(loom))]
mod big;
mod blocks;
#[cfg(not(loom))]
mod budget;
#[cfg(not(loom))]
mod cached;
#[cfg(not(loom))]
mod changes;
#[cfg(not(loom))]
mod checkpoint;
#[cfg(not(loom))]
mod commit;
#[cfg(not(loom))]
mod copy;
#[cfg(not(loom))]
mod core;
mod error;
#[cfg(not(loom))]
mod file;
#[cfg(not(loom))]
mod files;
#[cfg(not(loom))]
mod gate;
mod group;
#[cfg(not(loom))]
mod guard;
#[cfg(not(loom))]
mod journal;
#[cfg(not(loom))]
mod map;
#[cfg(all(test, loom, not(shuttle)))]
mod models;
mod options;
#[cfg(not(loom))]
mod prefetch;
#[cfg(not(loom))]
mod prune;
#[cfg(not(loom))]
mod queue;
#[cfg(not(loom))]
mod read;
#[cfg(not(loom))]
mod recover;
mod registry;
#[cfg(not(loom))]
mod replay;
mod requests;
#[cfg(all(test, shuttle))]
mod scenarios;
#[cfg(not(loom))]
mod spill;
#[cfg(not(loom))]
pub mod storage;
#[cfg(not(loom))]
mod store;
mod sync;
#[cfg(not(loom))]
mod table;
mod version;
mod wait_limit;
#[cfg(not(loom))]
mod work;
#[cfg(not(loom))]
mod write;
#[cfg(not(loom))]
mod yielding;

#[cfg(not(loom))]
pub use blocks::{BlockCache, BlockUsage};
#[cfg(not(loom))]
pub use budget::VersionUsage;
#[cfg(not(loom))]
pub use cached::Cached;
#[cfg(not(loom))]
pub use copy::begin_snapshots;
pub use error::{Error, ErrorKind, Result};
#[cfg(not(loom))]
pub use files::links::is_inside;
#[cfg(not(loom))]
pub use files::{FilePlan, MEMORY_FOLDER, SCRATCH_PREFIX, SESSION_FOLDER, scratch_name};
pub use group::Acknowledge;
#[cfg(any(test, feature = "simulation"))]
pub use options::InjectedFault;
pub use options::{DataPaging, Durability, File, Lsn, StateLayout, StoreOptions, TableSpec};
#[cfg(not(loom))]
pub use read::{Fork, PageSource, Pin, ReaderSlot, Snapshot, TableView};
#[cfg(not(loom))]
pub use recover::RecoveryReport;
#[cfg(not(loom))]
pub use requests::PageCounts;
#[cfg(not(loom))]
pub use store::{Assignment, Store};
#[cfg(not(loom))]
pub use table::{FileMemory, PagedTable};
pub use wait_limit::{WaitLimit, assert_unpinned};
#[cfg(not(loom))]
pub use work::Savepoint;
#[cfg(not(loom))]
pub use write::{ExclusiveGuard, PageMut, TableWriter};
