//! The guard against other programs, and the table's header on disk.
//!
//! Before the first acknowledged change of a clean table an option bit that no MyISAM program knows is set in its header,
//! so that others refuse the table, and a stamp is written that names our journal's claim to it. Both go when the table is
//! clean again. `open_count` would not do: MariaDB repairs such a table and writes on.

use std::sync::atomic::Ordering;

use crate::error::{Error, ErrorKind, Result};
use crate::files::links;
use crate::journal::random;
use crate::journal::record::{AttachInfo, Kind, Payload};
use crate::options::{InjectedFault, StateLayout};
use crate::table::PagedTable;

/// The header as the index file has it.
pub(crate) struct DiskHeader {
    bytes: Vec<u8>,
    stamp: u64,
    /// A guarded header that the disk may have instead: its write failed, or that of the one without guard after it.
    attempt: Option<Vec<u8>>,
    /// The journal has a claim to the table.
    claimed: bool,
}

impl DiskHeader {
    pub(crate) fn new(bytes: Vec<u8>) -> DiskHeader {
        DiskHeader { bytes, stamp: 0, attempt: None, claimed: false }
    }
}

impl StateLayout {
    /// Is the guard bit set?
    pub(crate) fn guarded(&self, state: &[u8]) -> bool {
        state[self.guard_at] & self.guard_mask != 0
    }

    /// The stamp; it sits in two fields that MyISAM programs set when they write.
    pub(crate) fn stamp(&self, state: &[u8]) -> u64 {
        self.field(state, self.stamp_at)
    }

    /// Puts guard and stamp into a header.
    pub(crate) fn set_guard(&self, state: &mut [u8], guard: bool, stamp: u64) {
        if guard {
            state[self.guard_at] |= self.guard_mask;
        } else {
            state[self.guard_at] &= !self.guard_mask;
        }
        state[self.stamp_at..self.stamp_at + 8].copy_from_slice(&stamp.to_be_bytes());
    }

    /// Raises the AUTO_INCREMENT field.
    pub(crate) fn raise_auto_increment(&self, state: &mut [u8], value: u64) {
        if value > self.field(state, self.auto_increment_at) {
            state[self.auto_increment_at..self.auto_increment_at + 8].copy_from_slice(&value.to_be_bytes());
        }
    }
}

impl PagedTable {
    /// Makes sure that the table is guarded. The write lock is held.
    pub(crate) fn guard(&self) -> Result<()> {
        if !self.is_journaled() || self.guarded.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut disk = self.disk.lock();
        self.check_unchanged(&disk)?;
        // After a failed attempt the disk may carry its stamp: the claim stays the same.
        let stamp = if disk.attempt.is_some() { disk.stamp } else { random() };
        let info = AttachInfo {
            id: self.id,
            state_len: disk.bytes.len() as u32,
            stamp,
            before: crc32c::crc32c(&disk.bytes),
            index_identity: self.index.file()?.identity(),
            data_identity: self.data.file()?.identity(),
            layout: self.layout,
            base: self.base.clone(),
        };
        // The journal's claim first: a guard that no journal knows would lock the owner out.
        let mut payload = Payload::default();
        payload.attach(&info);
        let journal = &self.core.journal;
        let lsn = journal.append(Kind::Attach, &payload.0, None, |tail, _| {
            tail.guarded.insert(self.id, info);
        })?;
        disk.claimed = true;
        self.claimed_at.store(lsn.unwrap_or(0), Ordering::Relaxed);
        if !self.core.fault_injected(InjectedFault::ClaimUnsynced) {
            journal.sync_to(lsn.unwrap_or(0))?;
        }
        let mut bytes = disk.bytes.clone();
        self.layout.set_guard(&mut bytes, true, stamp);
        disk.stamp = stamp;
        if let Err(e) = self.put_header(&bytes, !self.core.fault_injected(InjectedFault::GuardUnsynced)) {
            disk.attempt = Some(bytes);
            return Err(e);
        }
        disk.bytes = bytes;
        disk.attempt = None;
        self.guarded.store(true, Ordering::Release);
        Ok(())
    }

    /// Do the names still lead to our files? If not, no more changes are accepted: where they would go nobody would find them.
    pub(crate) fn check_names(&self) -> Result<()> {
        for file in [&self.index, &self.data] {
            let (core, own) = (&self.core, file.file()?.identity());
            let ours = links::leads_to(&*core.storage, &core.datadir, &file.path, own)
                .map_err(|e| Error::io(&file.path, "stat", e))?;
            self.replaced.store(!ours, Ordering::Release);
            if !ours {
                return self.check_replaced();
            }
        }
        Ok(())
    }

    /// An error since a checkpoint has found another file under the table's name.
    pub(crate) fn check_replaced(&self) -> Result<()> {
        if self.replaced.load(Ordering::Acquire) {
            let what = "another file has its name".to_owned();
            return Err(ErrorKind::ForeignChange { path: self.index.path.clone(), what }.into());
        }
        Ok(())
    }

    /// Whether the files that bear the table's names are still those that were opened, and the head is what was left there.
    ///
    /// # Errors
    /// `ForeignChange`.
    pub fn check_files(&self) -> Result<()> {
        let disk = self.disk.lock();
        self.check_unchanged(&disk)
    }

    /// Is the table on disk what we left there?
    fn check_unchanged(&self, disk: &DiskHeader) -> Result<()> {
        let path = &self.index.path;
        let foreign =
            |what: &str| Err(ErrorKind::ForeignChange { path: path.clone(), what: what.into() }.into());
        self.check_names()?;
        let mut now = vec![0; disk.bytes.len()];
        self.index.file()?.read_exact_at(&mut now, 0).map_err(|e| Error::io(path, "read", e))?;
        if now != disk.bytes && disk.attempt.as_ref() != Some(&now) {
            return foreign("its header is not what was left there");
        }
        Ok(())
    }

    fn put_header(&self, bytes: &[u8], durably: bool) -> Result<()> {
        let path = &self.index.path;
        self.index.file()?.write_all_at(bytes, 0).map_err(|e| Error::io(path, "write", e))?;
        if !durably {
            return Ok(());
        }
        self.index.file()?.sync().map_err(|e| Error::io(path, "sync", e))
    }

    /// Writes a state as the guarded header and makes the index file durable.
    pub(crate) fn write_header(&self, state: &[u8]) -> Result<()> {
        let mut disk = self.disk.lock();
        let mut bytes = state.to_vec();
        self.layout.set_guard(&mut bytes, self.is_journaled(), disk.stamp);
        self.layout.raise_auto_increment(&mut bytes, self.auto_increment().load(Ordering::Acquire));
        self.put_header(&bytes, !self.core.fault_injected(InjectedFault::EndUnsynced))?;
        disk.bytes = bytes;
        Ok(())
    }

    /// Is there a claim to a table that is not guarded, or not for certain?
    pub(crate) fn has_stale_claim(&self) -> bool {
        self.disk.lock().claimed && !self.guarded.load(Ordering::Acquire)
    }

    /// Completes a failed attempt to set or clear the guard: afterwards the table has neither guard nor claim. Caller holds the write lock.
    pub(crate) fn finish_unguard(&self) -> Result<()> {
        let mut disk = self.disk.lock();
        if disk.attempt.is_some() {
            self.put_header(&disk.bytes, true)?;
            disk.attempt = None;
        }
        self.drop_claim(&mut disk)
    }

    fn drop_claim(&self, disk: &mut DiskHeader) -> Result<()> {
        if disk.claimed {
            let mut payload = Payload::default();
            payload.u32(self.id);
            self.core.journal.append(Kind::Clean, &payload.0, None, |tail, _| {
                tail.guarded.remove(&self.id);
            })?;
            disk.claimed = false;
        }
        Ok(())
    }

    /// Clears the guard of a table whose files hold everything. The write lock is held, and `write_header` came before.
    pub(crate) fn unguard(&self) -> Result<()> {
        let mut disk = self.disk.lock();
        let mut bytes = disk.bytes.clone();
        self.layout.set_guard(&mut bytes, false, disk.stamp);
        if self.core.fault_injected(InjectedFault::CleanEarly) {
            self.drop_claim(&mut disk)?;
        }
        // From here on the guard may be gone from the disk, whatever the write says: who changes the table sets it anew.
        self.guarded.store(self.core.fault_injected(InjectedFault::UnguardTrusted), Ordering::Release);
        let written = self.put_header(&bytes, true);
        let guarded = std::mem::replace(&mut disk.bytes, bytes);
        if let Err(e) = written {
            disk.attempt = Some(guarded);
            return Err(e);
        }
        disk.attempt = None;
        self.drop_claim(&mut disk)?;
        self.guarded.store(false, Ordering::Release);
        Ok(())
    }
}
