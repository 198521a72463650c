//! A file that keeps room on the disk, for what makes room at a full one.
//!
//! Where the disk is full nothing but removing rows and tables helps, and that needs a few bytes itself: records of the journal,
//! and for TRUNCATE the files of an empty table. The file goes when these find no room, and comes back when there is some.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::error::{Error, ErrorKind, Result};
use crate::storage::{OpenMode, Storage};

const NAME: &str = "isambard.reserve";
const PIECE: usize = 64 << 10;

/// The file.
pub(crate) struct Reserve {
    storage: Arc<dyn Storage>,
    path: PathBuf,
    size: usize,
    state: Mutex<Room>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    /// Perhaps one of an earlier start.
    Unknown,
    Kept,
    Given,
}

impl Reserve {
    /// Room for two segments, the one in use and the next, and for small files beside.
    pub(crate) fn new(storage: Arc<dyn Storage>, datadir: &Path, segment_size: usize) -> Reserve {
        let size = 2 * segment_size + (segment_size / 4).next_multiple_of(4096);
        Reserve { storage, path: datadir.join(NAME), size, state: Mutex::new(Room::Unknown) }
    }

    /// Makes the file when it is not there.
    pub(crate) fn make(&self) -> Result<()> {
        let mut state = self.state.lock();
        if *state == Room::Kept {
            return Ok(());
        }
        let io = |e| Error::io(&self.path, "create", e);
        if self.storage.identity(&self.path).map_err(io)?.is_none() {
            let made = self.storage.open(&self.path, OpenMode::CreateNew).and_then(|file| {
                // All or nothing, where that can be asked for: not the last byte of the others.
                file.reserve(0, self.size as u64)?;
                let zeros = [0; PIECE];
                (0..self.size)
                    .step_by(PIECE)
                    .try_for_each(|at| file.write_all_at(&zeros[..PIECE.min(self.size - at)], at as u64))?;
                file.sync()
            });
            if let Err(e) = made {
                let _ = self.storage.remove(&self.path);
                return Err(io(e));
            }
        }
        if std::mem::replace(&mut *state, Room::Kept) == Room::Given {
            tracing::info!("there is room on the disk again");
        }
        Ok(())
    }

    /// Does something, and when the disk is full gives the file up and does it again.
    pub(crate) fn with_reserve<T>(&self, act: &mut dyn FnMut() -> Result<T>) -> Result<T> {
        match act() {
            Err(e) if matches!(e.kind(), ErrorKind::DiskFull { .. }) && self.give() => act(),
            other => other,
        }
    }

    pub(crate) fn is_given(&self) -> bool {
        *self.state.lock() == Room::Given
    }

    /// Gives the room free; false when there is none to give.
    fn give(&self) -> bool {
        let mut state = self.state.lock();
        if *state == Room::Given {
            return false;
        }
        *state = Room::Given;
        let given = self.storage.remove(&self.path).is_ok();
        if given {
            tracing::warn!(
                "the disk is full: TRUNCATE, DROP TABLE and DELETE go on with the room of '{}'",
                self.path.display()
            );
        }
        given
    }
}
