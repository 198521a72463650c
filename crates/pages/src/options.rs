//! Settings of a store, and what the floor above tells about a table.

use std::path::PathBuf;
use std::time::Duration;

/// Number of a journal record; snapshots and versions are ordered by it.
pub type Lsn = u64;

/// One of a table's two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum File {
    /// `NAME.MYI`
    Index,
    /// `NAME.MYD`
    Data,
}

/// What an acknowledged change survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// A power cut, at once (group commit).
    Commit,
    /// A power cut loses at most about a second; a kill of the process nothing.
    Second,
    /// A kill of the process loses nothing; a power cut what the system had not written yet.
    None,
}

/// Settings of a store.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// See [`Durability`]; can be changed with [`Store::set_durability`].
    pub durability: Durability,
    /// Bytes the journal may take before writers wait for the checkpoint. It never takes more than twice as much.
    pub journal_size: u64,
    /// How long a commit waits at twice `journal_size` while no checkpoint gets on; then it fails (`JournalFull`).
    pub journal_wait: Duration,
    /// Bytes of one journal segment.
    pub segment_size: usize,
    /// Bytes of working pages that a statement keeps in memory; more go to its spill file.
    pub statement_memory: usize,
    /// A commit that would take more bytes of journal goes through a spill file.
    pub largest_record: usize,
    /// Time between checkpoints.
    pub checkpoint_interval: Duration,
    /// A table with no write for so long is made clean (and unguarded) by the next checkpoint.
    pub idle_after: Duration,
    /// Bytes of memory for old versions that running statements still see. Past it they move to an unlinked file in the data
    /// directory; see [`Store::set_version_limits`].
    ///
    /// [`Store::set_version_limits`]: crate::Store::set_version_limits
    pub version_cache_size: u64,
    /// Bytes of that file; past it the oldest snapshot is given up, and its reader gets `SnapshotTooOld`.
    pub version_spill_size: u64,
    /// Where the files of sessions' tables lie, without names. None: in memory.
    pub tmpdir: Option<PathBuf>,
    /// Pages of a session's table in memory from which on a commit brings them into its files.
    pub session_pages: usize,
    /// Run the background threads (tests that count every write turn it off).
    pub background: bool,
    /// A mistake made on purpose, for tests that must find it.
    #[cfg(any(test, feature = "simulation"))]
    pub fault: Option<InjectedFault>,
}

impl StoreOptions {
    /// The mistake that is made on purpose: none but in tests.
    pub(crate) fn injected(&self) -> Injected {
        Injected(
            #[cfg(any(test, feature = "simulation"))]
            self.fault,
        )
    }
}

/// Which mistake is made on purpose. Without the feature `simulation` it takes no room and is never one.
#[derive(Clone, Copy)]
pub(crate) struct Injected(#[cfg(any(test, feature = "simulation"))] Option<InjectedFault>);

impl Injected {
    #[cfg(any(test, feature = "simulation"))]
    #[inline]
    pub(crate) fn is(self, fault: InjectedFault) -> bool {
        self.0 == Some(fault)
    }

    #[cfg(not(any(test, feature = "simulation")))]
    #[inline]
    pub(crate) fn is(self, _: InjectedFault) -> bool {
        false
    }
}

/// Mistakes that the crash simulation must catch: a step of the protocol left out or done too early.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectedFault {
    /// A bulk load's bytes are not durable before the record that makes them count.
    BulkUnsynced,
    /// A bulk load writes into a table that is not guarded yet.
    BulkUnguarded,
    /// Recovery takes a spill file for whole without looking at its checksums.
    SpillUnchecked,
    /// Recovery leaves what a statement without a commit has written beyond a file's end.
    RecoveryUncut,
    /// Recovery clears the guard before the pages are durable.
    RecoveryUnsynced,
    /// Recovery removes the journal before the tables are done.
    JournalGoneFirst,
    /// Recovery does not compare a record with the chain of checksums.
    ChainUnchecked,
    /// A commit is acknowledged before its record is durable.
    AckUnsynced,
    /// Changed ranges are journaled without the image they belong to.
    RangesOnly,
    /// Bytes that a statement moved and that were put back are not journaled, though the move is.
    UndoneMoves,
    /// The same for a page that was imaged before the table's newest claim.
    ImageBeforeClaim,
    /// A record becomes durable without its spill file.
    SpillUnsynced,
    /// A spill file is removed before a checkpoint has brought its pages home.
    SpillFreedEarly,
    /// The guard is set before the journal's claim is durable.
    ClaimUnsynced,
    /// Changes are acknowledged before the guard is durable.
    GuardUnsynced,
    /// The checkpoint writes pages whose records are not durable.
    BaseFirst,
    /// The checkpoint ends before the pages are durable.
    EndUnsynced,
    /// Segments are freed that hold records the checkpoint does not cover.
    SegmentsEarly,
    /// Segments are retired without waiting for the disk, so that a younger one may go first.
    RetireUnsynced,
    /// The journal lets go of a table before its guard is cleared.
    CleanEarly,
    /// The guard is taken for set after clearing it has failed.
    UnguardTrusted,
    /// Files are renamed and removed before the plan is durable.
    FilesUnsynced,
    /// A plan is taken for done before the names are durable.
    NamesUnsynced,
    /// A new file gets its name before its content is durable.
    ContentUnsynced,
    /// A checkpoint frees the record of a plan that could not be carried out.
    PlanForgotten,
    /// Commits go on past the journal's bound.
    JournalUnbounded,
    /// A checkpoint that goes on after a failure does so from a new begin each time.
    BeginAgain,
}

#[cfg(any(test, feature = "simulation"))]
impl InjectedFault {
    /// All of them.
    pub const ALL: [InjectedFault; 27] = [
        InjectedFault::BulkUnsynced,
        InjectedFault::BulkUnguarded,
        InjectedFault::SpillUnchecked,
        InjectedFault::RecoveryUncut,
        InjectedFault::RecoveryUnsynced,
        InjectedFault::JournalGoneFirst,
        InjectedFault::ChainUnchecked,
        InjectedFault::AckUnsynced,
        InjectedFault::RangesOnly,
        InjectedFault::UndoneMoves,
        InjectedFault::ImageBeforeClaim,
        InjectedFault::SpillUnsynced,
        InjectedFault::SpillFreedEarly,
        InjectedFault::ClaimUnsynced,
        InjectedFault::GuardUnsynced,
        InjectedFault::BaseFirst,
        InjectedFault::EndUnsynced,
        InjectedFault::SegmentsEarly,
        InjectedFault::RetireUnsynced,
        InjectedFault::CleanEarly,
        InjectedFault::UnguardTrusted,
        InjectedFault::FilesUnsynced,
        InjectedFault::NamesUnsynced,
        InjectedFault::ContentUnsynced,
        InjectedFault::PlanForgotten,
        InjectedFault::JournalUnbounded,
        InjectedFault::BeginAgain,
    ];
}

impl Default for StoreOptions {
    fn default() -> Self {
        StoreOptions {
            durability: Durability::Second,
            journal_size: 256 << 20,
            journal_wait: Duration::from_secs(10),
            segment_size: 4 << 20,
            statement_memory: 32 << 20,
            largest_record: 4 << 20,
            checkpoint_interval: Duration::from_secs(30),
            idle_after: Duration::from_secs(5),
            version_cache_size: 128 << 20,
            version_spill_size: 16 << 30,
            tmpdir: None,
            session_pages: 1024,
            background: true,
            #[cfg(any(test, feature = "simulation"))]
            fault: None,
        }
    }
}

/// Where pages finds the fields of the state blob that it must know. Offsets in bytes; 8-byte big-endian fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateLayout {
    /// Length of the index file in use.
    pub index_len_at: usize,
    /// Length of the data file in use.
    pub data_len_at: usize,
    /// The byte that holds the guard bit.
    pub guard_at: usize,
    /// The guard bit.
    pub guard_mask: u8,
    /// The 8 bytes of the stamp.
    pub stamp_at: usize,
    /// The AUTO_INCREMENT value.
    pub auto_increment_at: usize,
}

impl StateLayout {
    /// The `.MYI` header.
    pub const MYI: StateLayout = StateLayout {
        index_len_at: 60,
        data_len_at: 68,
        guard_at: 4,
        guard_mask: 0x08,
        stamp_at: 108,
        auto_increment_at: 92,
    };

    /// A big-endian field of a state that fits.
    #[inline]
    pub(crate) fn field(&self, state: &[u8], at: usize) -> u64 {
        state.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_be_bytes)
    }

    #[inline]
    pub(crate) fn index_len(&self, state: &[u8]) -> u64 {
        self.field(state, self.index_len_at)
    }

    #[inline]
    pub(crate) fn data_len(&self, state: &[u8]) -> u64 {
        self.field(state, self.data_len_at)
    }

    /// Do all fields lie inside a state of this length?
    pub(crate) fn fits(&self, state_len: usize) -> bool {
        let fields = [self.index_len_at, self.data_len_at, self.stamp_at, self.auto_increment_at];
        fields.iter().all(|at| at.checked_add(8).is_some_and(|end| end <= state_len))
            && self.guard_at < state_len
    }
}

/// How the data file is cut into pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataPaging {
    /// Rows of one length; a page is a run of whole rows near 8 KiB, so that no row straddles.
    FixedRows {
        /// Bytes from row to row.
        row_len: usize,
    },
    /// Pages of 4 KiB.
    Bytes4K,
}

/// A table to attach.
#[derive(Clone, Debug)]
pub struct TableSpec {
    /// Path without extension, relative to the data directory, in file-name encoding: `db/name`.
    pub base: PathBuf,
    /// The state blob: the first bytes of the index file, as read from disk. Its length and first 24 bytes must still be the
    /// file's when it is attached, else the answer is `Stale`; the rest is read again.
    pub state: Vec<u8>,
    /// Where its fields are.
    pub layout: StateLayout,
    /// How the data file is cut.
    pub data_page: DataPaging,
    /// The index has no pages: its file may end here, whatever length the state says.
    pub pages_lost_from: Option<u64>,
}
