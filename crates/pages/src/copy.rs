//! Copies of tables as of a snapshot, while writers go on: backup.

use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::read::{ReaderSlot, Snapshot};
use crate::storage::StorageFile;
use crate::table::PagedTable;

/// Bytes copied under one pin.
const BATCH: usize = 256 << 10;

/// A file of a table that is being copied.
struct Target<'a> {
    file: &'a dyn StorageFile,
    bytes: Vec<u8>,
    written: u64,
}

impl Target<'_> {
    fn put(&mut self, source: &std::path::Path) -> Result<u64> {
        if !self.bytes.is_empty() {
            self.file.write_all_at(&self.bytes, self.written).map_err(|e| Error::io(source, "copy", e))?;
        }
        let len = self.bytes.len() as u64;
        self.written += len;
        self.bytes.clear();
        Ok(len)
    }
}

/// Begins a snapshot of each table, all as of the same moment, so that each can end by itself. There must be a session for
/// every table.
///
/// # Errors
/// As [`ReaderSlot::begin`]; no snapshot is left then.
pub fn begin_snapshots<'s>(
    sessions: &'s [ReaderSlot],
    tables: &[Arc<PagedTable>],
) -> Result<Vec<Snapshot<'s>>> {
    if sessions.len() < tables.len() {
        return Err(ErrorKind::Misuse("a session is needed for every table").into());
    }
    let sessions = &sessions[..tables.len()];
    for (i, (session, table)) in sessions.iter().zip(tables).enumerate() {
        if let Err(e) = session.announce(table) {
            sessions[..i].iter().for_each(ReaderSlot::withdraw);
            return Err(e);
        }
    }
    // All are announced: whoever reclaims keeps what this moment sees.
    let lsn = sessions.first().map_or(0, ReaderSlot::newest);
    for (session, table) in sessions.iter().zip(tables) {
        if let Err(e) = table.admit(session.id()) {
            sessions.iter().for_each(ReaderSlot::withdraw);
            return Err(e);
        }
    }
    Ok(sessions.iter().map(|session| session.begun(lsn)).collect())
}

impl Snapshot<'_> {
    /// Copies a table's two files as of the snapshot into empty files: clean and unguarded, for every MyISAM program.
    /// `step` is told of the bytes copied, and may stop it. The copies are not synced.
    ///
    /// # Errors
    /// Those of reading and writing, `SnapshotTooOld`, and what `step` says.
    pub fn copy_files(
        &self,
        table: &Arc<PagedTable>,
        index: &dyn StorageFile,
        data: &dyn StorageFile,
        step: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<()> {
        let mut target = Target { file: data, bytes: Vec::with_capacity(BATCH), written: 0 };
        loop {
            let end = {
                let pin = self.pin();
                let view = pin.table(table)?;
                let mut at = target.written;
                while at < view.data_len() && target.bytes.len() < BATCH {
                    let run = view.data_run(at)?;
                    target.bytes.extend_from_slice(run);
                    at += run.len() as u64;
                }
                at >= view.data_len()
            };
            step(target.put(&table.data.path)?)?;
            if end {
                break;
            }
        }
        let mut target = Target { file: index, bytes: Vec::with_capacity(BATCH), written: 0 };
        let mut head;
        loop {
            let end = {
                let pin = self.pin();
                let view = pin.table(table)?;
                head = view.state().to_vec();
                let mut at = target.written;
                while at < view.index_len() && target.bytes.len() < BATCH {
                    let run = view.index_run(at)?;
                    target.bytes.extend_from_slice(run);
                    at += run.len() as u64;
                }
                at >= view.index_len()
            };
            step(target.put(&table.index.path)?)?;
            if end {
                break;
            }
        }
        // The head in the file may be older, and guarded.
        let layout = table.layout;
        let counter = table.auto_increment().load(std::sync::atomic::Ordering::Acquire);
        layout.raise_auto_increment(&mut head, counter);
        let stamp = layout.stamp(&head);
        layout.set_guard(&mut head, false, stamp);
        index.write_all_at(&head, 0).map_err(|e| Error::io(&table.index.path, "copy", e))?;
        table.check_fault()
    }
}
