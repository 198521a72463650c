//! How records reach the kernel, and the disk.
//!
//! A store into the mapped segment is the cheapest way to the kernel, but the first store into a page after a sync is a fault, and
//! the sync has to look for the pages touched. While all who commit wait for the disk anyway (`durability = commit`), records are
//! staged in memory instead, and the leader of the group hands them to the kernel and the disk in one call. Whoever is content
//! with the kernel (`second`, `none`) has the staged records stored into the mapping, and staging stops for a while.

use std::sync::atomic::Ordering;

use crate::error::{Error, ErrorKind, Result};
use crate::group::{Acknowledge, Outcome};
use crate::options::{InjectedFault, Lsn};

use super::record::{Kind, RECORD_HEADER, record_size};
use super::{Journal, Tail};
use std::sync::Arc;

/// Waits for the disk without one for the kernel before records are staged.
pub(super) const EAGER: u32 = 100;
/// Larger records go into the mapping at once.
const LARGEST_STAGED: usize = 64 << 10;
/// Room for staged records that is kept.
const ROOM: usize = 1 << 20;

/// Records at the end of the newest segment that its mapping does not have.
#[derive(Default)]
pub(super) struct Staged {
    bytes: Vec<u8>,
    /// LSN of the first one.
    first: Lsn,
    /// Those that a leader is writing just now begin with this one.
    in_flight: Option<Lsn>,
    /// Bytes were stored into a mapping since the last sync.
    pub(super) mapped: bool,
    /// Room of a group written before.
    spare: Vec<u8>,
}

impl Staged {
    /// The oldest record that the kernel does not have.
    fn from(&self) -> Lsn {
        self.in_flight.unwrap_or(if self.bytes.is_empty() { Lsn::MAX } else { self.first })
    }

    pub(super) fn forget(&mut self) {
        *self = Staged::default();
    }
}

impl Journal {
    /// Is a record of this kind and size to be staged?
    pub(super) fn stages(&self, kind: Kind, size: usize) -> bool {
        matches!(kind, Kind::Commit | Kind::Spilled)
            && size <= LARGEST_STAGED
            && self.eager.load(Ordering::Relaxed) == 0
    }

    pub(super) fn stage(&self, tail: &mut Tail, lsn: Lsn, header: &[u8; RECORD_HEADER], payload: &[u8]) {
        let staged = &mut tail.staged;
        if staged.bytes.is_empty() {
            staged.first = lsn;
            self.memory_from.store(staged.in_flight.unwrap_or(lsn), Ordering::Release);
        }
        let end = staged.bytes.len() + record_size(payload.len());
        staged.bytes.extend_from_slice(header);
        staged.bytes.extend_from_slice(payload);
        staged.bytes.resize(end, 0);
    }

    /// Stores what is staged into the mapping.
    pub(super) fn unstage(&self, tail: &mut Tail) -> Result<()> {
        if tail.staged.bytes.is_empty() {
            return Ok(());
        }
        tail.staged.mapped = true;
        let at = tail.at - tail.staged.bytes.len();
        // When this fails they stay staged.
        tail.segment.write(at, &tail.staged.bytes)?;
        tail.staged.bytes.clear();
        self.memory_from.store(tail.staged.from(), Ordering::Release);
        Ok(())
    }

    /// Makes sure that a kill of the process does not lose the record. Usually nothing is to be done.
    #[inline]
    pub(crate) fn flush_to_kernel(&self, lsn: Lsn) -> Result<()> {
        if lsn >= self.memory_from.load(Ordering::Acquire) {
            return self.flush_staged(lsn);
        }
        self.check()
    }

    #[cold]
    fn flush_staged(&self, lsn: Lsn) -> Result<()> {
        self.eager.store(EAGER, Ordering::Relaxed);
        let in_flight = {
            let mut tail = self.tail.lock();
            self.unstage(&mut tail)?;
            tail.staged.in_flight
        };
        // Records before this one are on their way, and it is nothing without them.
        if in_flight.is_some_and(|in_flight| in_flight <= lsn) { self.sync_to(lsn) } else { self.check() }
    }

    /// A commit waits for the disk.
    fn note_disk_wait(&self) {
        let eager = self.eager.load(Ordering::Relaxed);
        if eager > 0 {
            // Of two at once one may be lost: it does not matter.
            self.eager.store(eager - 1, Ordering::Relaxed);
        }
    }

    /// As [`Journal::sync_to`], for a commit.
    pub(crate) fn commit_to(&self, lsn: Lsn) -> Result<()> {
        self.note_disk_wait();
        self.sync_to(lsn)
    }

    /// Makes a commit durable (true), or has `then` called when it is.
    pub(crate) fn commit_later(&self, lsn: Lsn, then: &Arc<dyn Acknowledge>) -> Result<bool> {
        self.note_disk_wait();
        if self.durable() >= lsn {
            return Ok(true);
        }
        match self.group.later(lsn, then, &|| self.sync_now())? {
            Outcome::Durable => Ok(true),
            Outcome::Later => Ok(false),
            Outcome::Failed => Err(self.failure()),
        }
    }

    /// Makes the journal durable up to `lsn`; concurrent callers share one sync.
    pub(crate) fn sync_to(&self, lsn: Lsn) -> Result<()> {
        if self.durable() >= lsn {
            return Ok(());
        }
        match self.group.wait(lsn, &|| self.sync_now())? {
            Outcome::Failed => Err(self.failure()),
            _ => Ok(()),
        }
    }

    fn failure(&self) -> Error {
        self.check().err().unwrap_or_else(|| ErrorKind::Misuse("a failed journal is not poisoned").into())
    }

    /// For a thread of its own: syncs while commits wait that no thread waits for. Ends with `stop_group_commit`.
    pub(crate) fn group_commit_thread(&self) {
        self.group.lead_in_background(&|| self.sync_now());
    }

    pub(crate) fn stop_group_commit(&self) {
        self.group.stop();
    }

    /// Makes all that is appended durable. One at a time, see `Group`.
    fn sync_now(&self) -> Result<Lsn> {
        self.check()?;
        let result = self.sync_appended();
        if let Err(e) = &result {
            // After a failed fsync the kernel may drop dirty pages and report success next time: no later sync can be trusted.
            self.poison(e);
        }
        result
    }

    fn sync_appended(&self) -> Result<Lsn> {
        let mut guard = self.tail.lock();
        let tail = &mut *guard;
        let upto = tail.lsn;
        let spills = std::mem::take(&mut tail.unsynced_spills);
        let segment = tail.segment.clone();
        let staged = if tail.unsynced.is_empty() && !tail.staged.mapped && !tail.staged.bytes.is_empty() {
            tail.staged.in_flight = Some(tail.staged.first);
            let room = std::mem::take(&mut tail.staged.spare);
            let bytes = std::mem::replace(&mut tail.staged.bytes, room);
            Some((tail.at - bytes.len(), bytes))
        } else {
            self.unstage(tail)?;
            tail.staged.mapped = false;
            None
        };
        let full = std::mem::take(&mut tail.unsynced);
        drop(guard);
        if !self.fault.is(InjectedFault::SpillUnsynced) {
            spills.iter().try_for_each(|spill| spill.sync())?;
        }
        let Some((at, mut bytes)) = staged else {
            full.iter().chain([&segment]).try_for_each(|segment| segment.sync())?;
            return Ok(upto);
        };
        segment.write_durably(at, &bytes)?;
        let mut tail = self.tail.lock();
        tail.staged.in_flight = None;
        if bytes.capacity() <= ROOM {
            bytes.clear();
            tail.staged.spare = bytes;
        }
        self.memory_from.store(tail.staged.from(), Ordering::Release);
        Ok(upto)
    }
}
