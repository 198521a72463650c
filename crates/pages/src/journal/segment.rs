//! Segments: the files of the journal.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Result};
use crate::options::Lsn;
use crate::storage::{OpenMode, PlainSegment, SegmentWriter, Storage, StorageFile};

use super::record::Reader;

/// Bytes before the first record.
pub(crate) const SEGMENT_HEADER: usize = 64;
const MAGIC: &[u8; 8] = b"ISAMJRN1";
const PREFIX: &str = "isambard.journal.";
static ZEROS: [u8; 1 << 16] = [0; 1 << 16];

/// The head of a segment in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentHead {
    pub(crate) sequence: u64,
    pub(crate) salt: u64,
    pub(crate) first_lsn: Lsn,
    pub(crate) size: u64,
    /// Checksum of the last record before.
    pub(crate) before: u32,
    /// Number of the file with the segment before; zero for the first.
    pub(crate) previous_file: u64,
    /// How many records before the first were not durable yet when the head was written.
    pub(crate) undurable: u32,
}

impl SegmentHead {
    pub(crate) fn encode(&self) -> [u8; SEGMENT_HEADER] {
        let mut bytes = [0; SEGMENT_HEADER];
        bytes[0..8].copy_from_slice(MAGIC);
        bytes[8..16].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.salt.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.first_lsn.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.size.to_le_bytes());
        bytes[40..44].copy_from_slice(&self.before.to_le_bytes());
        bytes[44..48].copy_from_slice(&self.undurable.to_le_bytes());
        bytes[48..56].copy_from_slice(&self.previous_file.to_le_bytes());
        let crc = crc32c::crc32c(&bytes[..60]);
        bytes[60..64].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<SegmentHead> {
        let bytes = bytes.get(..SEGMENT_HEADER)?;
        let mut reader = Reader(bytes);
        if reader.take(8)? != MAGIC {
            return None;
        }
        let head = SegmentHead {
            sequence: reader.u64()?,
            salt: reader.u64()?,
            first_lsn: reader.u64()?,
            size: reader.u64()?,
            before: reader.u32()?,
            undurable: reader.u32()?,
            previous_file: reader.u64()?,
        };
        let crc = u32::from_le_bytes(bytes[60..64].try_into().ok()?);
        ((cfg!(fuzzing) || crc32c::crc32c(&bytes[..60]) == crc) && head.first_lsn > 0).then_some(head)
    }

    /// All records up to this one were durable when the head was written.
    pub(crate) fn durable(&self) -> Lsn {
        (self.first_lsn - 1).saturating_sub(u64::from(self.undurable))
    }

    /// Where the chain of checksums starts in this segment.
    pub(crate) fn chain(&self) -> u32 {
        crc32c::crc32c(&self.salt.to_le_bytes())
    }
}

/// A segment file.
pub(crate) struct Segment {
    pub(crate) path: PathBuf,
    pub(crate) size: usize,
    file: Arc<dyn StorageFile>,
    writer: Box<dyn SegmentWriter>,
    pub(crate) last_lsn: AtomicU64,
}

impl Segment {
    /// A new file of zeros, synced and named durably.
    pub(crate) fn create(storage: &dyn Storage, datadir: &Path, number: u64, size: usize) -> Result<Segment> {
        let path = datadir.join(format!("{PREFIX}{number:06}"));
        let made = (|| {
            let file = storage.open(&path, OpenMode::CreateNew)?;
            // At a full disk it fails at once, and takes nothing from others meanwhile.
            file.reserve(0, size as u64)?;
            let mut at = 0;
            while at < size {
                let len = ZEROS.len().min(size - at);
                file.write_all_at(&ZEROS[..len], at as u64)?;
                at += len;
            }
            file.sync()?;
            storage.sync_dir(datadir)?;
            let writer = file.clone().segment_writer(size)?;
            Ok((file, writer))
        })();
        match made {
            Ok((file, writer)) => Ok(Segment { path, size, file, writer, last_lsn: AtomicU64::new(0) }),
            Err(e) => {
                let _ = storage.remove(&path);
                Err(Error::io(&path, "create", e))
            }
        }
    }

    /// Stands for a segment as long as there is no room for one: it takes no record.
    pub(crate) fn none() -> Segment {
        let file = Arc::new(Nothing);
        Segment {
            path: PathBuf::new(),
            size: SEGMENT_HEADER,
            writer: Box::new(PlainSegment(file.clone())),
            file,
            last_lsn: AtomicU64::new(0),
        }
    }

    pub(crate) fn is_none(&self) -> bool {
        self.path.as_os_str().is_empty()
    }

    pub(crate) fn write(&self, at: usize, bytes: &[u8]) -> Result<()> {
        self.writer.write(at, bytes).map_err(|e| Error::io(&self.path, "write", e))
    }

    /// As `write`, for many bytes: by a call, which costs less than the faults of as many pages that the last sync has made read-only, and
    /// than finding them at the next one.
    pub(crate) fn write_many(&self, at: usize, bytes: &[u8]) -> Result<()> {
        self.file.write_all_at(bytes, at as u64).map_err(|e| Error::io(&self.path, "write", e))
    }

    /// As `write`, durable on return.
    pub(crate) fn write_durably(&self, at: usize, bytes: &[u8]) -> Result<()> {
        self.file.write_durably(bytes, at as u64).map_err(|e| Error::io(&self.path, "write", e))
    }

    pub(crate) fn sync(&self) -> Result<()> {
        self.file.sync().map_err(|e| Error::io(&self.path, "sync", e))
    }

    /// Makes an old segment unreadable for recovery, durably, before it is used again or removed.
    pub(crate) fn retire(&self, durably: bool) -> Result<()> {
        self.write(0, &ZEROS[..SEGMENT_HEADER])?;
        if durably {
            self.sync()?;
        }
        self.last_lsn.store(0, Ordering::Relaxed);
        Ok(())
    }
}

/// A file that keeps nothing.
struct Nothing;

impl StorageFile for Nothing {
    fn read_exact_at(&self, _: &mut [u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::UnexpectedEof.into())
    }

    fn write_all_at(&self, _: &[u8], _: u64) -> io::Result<()> {
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    fn set_len(&self, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn len(&self) -> io::Result<u64> {
        Ok(0)
    }

    fn identity(&self) -> u64 {
        0
    }

    fn system_file(&self) -> io::Result<std::fs::File> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn segment_writer(self: Arc<Self>, _: usize) -> io::Result<Box<dyn SegmentWriter>> {
        Ok(Box::new(PlainSegment(self)))
    }
}

/// Is it the name of a segment file?
pub(crate) fn is_segment(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
        name.strip_prefix(PREFIX)
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// The number in a segment's file name.
pub(crate) fn number_of(path: &Path) -> u64 {
    path.file_name()
        .and_then(|name| name.to_str())
        .and_then(|name| name.strip_prefix(PREFIX))
        .and_then(|rest| rest.parse().ok())
        .unwrap_or(0)
}
