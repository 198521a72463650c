//! Spill files: whole images of pages that a statement has changed and that go neither into memory nor into the journal.
//!
//! The statement's commit names the file in one small record; from then on readers and the checkpoint find the pages in its
//! mapping, and recovery in the file, until a checkpoint has brought them into the table. `docs/format/journal.md` has the bytes.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, ErrorKind, Result};
use crate::files::SESSION_FOLDER;
use crate::journal::record::{Reader, SpillRef};
use crate::map::{Faults, ReadMap};
use crate::options::File;
use crate::storage::{OpenMode, Storage, StorageFile};
use crate::table::PagedTable;
use crate::version::Keeper;

const PREFIX: &str = "isambard.spill.";
/// Bytes written and read at a time.
const BATCH: usize = 1 << 20;
/// Address space mapped at first; a larger file doubles it.
const FIRST_MAP: u64 = 256 << 20;
/// Bytes of a row in the table of contents.
const ROW: usize = 24;

/// The path of a spill file.
pub(crate) fn path_of(datadir: &Path, number: u64) -> PathBuf {
    datadir.join(format!("{PREFIX}{number:06}"))
}

/// The number in the name of a spill file.
pub(crate) fn number_of(path: &Path) -> Option<u64> {
    path.file_name()?.to_str()?.strip_prefix(PREFIX)?.parse().ok()
}

/// The file, for the journal.
pub(crate) struct SpillFile {
    pub(crate) path: PathBuf,
    number: u64,
    file: Arc<dyn StorageFile>,
    storage: Arc<dyn Storage>,
    durable: AtomicBool,
}

impl SpillFile {
    pub(crate) fn is_durable(&self) -> bool {
        self.durable.load(Ordering::Acquire)
    }

    pub(crate) fn sync(&self) -> Result<()> {
        if !self.is_durable() {
            self.file.sync().map_err(|e| Error::io(&self.path, "sync", e))?;
            self.durable.store(true, Ordering::Release);
        }
        Ok(())
    }

    pub(crate) fn remove(&self) -> Result<()> {
        self.storage.remove(&self.path).map_err(|e| Error::io(&self.path, "remove", e))
    }

    fn write(&self, bytes: &[u8], at: u64) -> Result<()> {
        self.file.write_all_at(bytes, at).map_err(|e| Error::io(&self.path, "write", e))
    }
}

/// Where a page is in the file.
#[derive(Clone, Copy)]
struct Place {
    at: u64,
    len: u32,
    crc: u32,
}

/// The spill file of a running statement.
pub(crate) struct Spill {
    file: Arc<SpillFile>,
    places: HashMap<(File, u64), Place, foldhash::fast::FixedState>,
    len: u64,
    map: Arc<ReadMap>,
    map_len: u64,
    faults: Faults,
    /// A committed record names it: it is the journal's.
    kept: bool,
}

impl Spill {
    /// A new file with a durable name; for a session's table it lies where that lies.
    pub(crate) fn create(table: &PagedTable) -> Result<Spill> {
        let (core, faults) = (&table.core, table.data.faults());
        let folder =
            if table.is_journaled() { core.datadir.clone() } else { core.datadir.join(SESSION_FOLDER) };
        let (path, number, file) = loop {
            let number = core.next_spill.fetch_add(1, Ordering::Relaxed);
            let path = path_of(&folder, number);
            match core.storage.open(&path, OpenMode::CreateNew) {
                Ok(file) => break (path, number, file),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(Error::io(path, "create", e)),
            }
        };
        let storage = core.storage.clone();
        let file = Arc::new(SpillFile { path, number, file, storage, durable: AtomicBool::new(false) });
        let made = core.sync_dir(&folder).and_then(|()| map(&file, FIRST_MAP, &faults));
        let map = match made {
            Ok(map) => map,
            Err(e) => {
                let _ = file.remove();
                return Err(e);
            }
        };
        let places = HashMap::default();
        Ok(Spill { file, places, len: 0, map, map_len: FIRST_MAP, faults, kept: false })
    }

    pub(crate) fn file(&self) -> &Arc<SpillFile> {
        &self.file
    }

    pub(crate) fn bytes_written(&self) -> u64 {
        self.len
    }

    /// Says that a committed record names it.
    pub(crate) fn keep(&mut self) {
        self.kept = true;
    }

    /// What keeps the pages' bytes in memory.
    pub(crate) fn keeper(&self) -> Keeper {
        self.map.clone()
    }

    /// Writes pages; one that was written before gets its old place.
    pub(crate) fn write<'a>(&mut self, pages: impl Iterator<Item = (File, u64, &'a [u8])>) -> Result<()> {
        let mut buffer = Vec::new();
        for (file, page, bytes) in pages {
            let crc = crc32c::crc32c(bytes);
            if let Some(place) = self.places.get_mut(&(file, page)) {
                if place.len as usize != bytes.len() {
                    return Err(ErrorKind::Misuse("a page changed its length within a statement").into());
                }
                let unwritten = self.len - buffer.len() as u64;
                if place.at < unwritten {
                    self.file.write(bytes, place.at)?;
                } else {
                    let from = (place.at - unwritten) as usize;
                    buffer[from..from + bytes.len()].copy_from_slice(bytes);
                }
                place.crc = crc;
                continue;
            }
            buffer.extend_from_slice(bytes);
            self.places.insert((file, page), Place { at: self.len, len: bytes.len() as u32, crc });
            self.len += bytes.len() as u64;
            if buffer.len() >= BATCH {
                self.file.write(&buffer, self.len - buffer.len() as u64)?;
                buffer.clear();
            }
        }
        if !buffer.is_empty() {
            self.file.write(&buffer, self.len - buffer.len() as u64)?;
        }
        while self.map_len < self.len {
            self.map_len *= 2;
            self.map = map(&self.file, self.map_len, &self.faults)?;
        }
        Ok(())
    }

    fn bytes_at(&self, place: Place) -> &[u8] {
        assert!(place.at + u64::from(place.len) <= self.map_len);
        // SAFETY: inside the mapping, which lives as long as self. Pages are overwritten by `write` only, through &mut self, and
        // never once the file is sealed; nobody else writes the file.
        unsafe { std::slice::from_raw_parts(self.map.base().add(place.at as usize), place.len as usize) }
    }

    /// The bytes of a page, if it is here.
    pub(crate) fn page(&self, file: File, page: u64) -> Option<&[u8]> {
        self.places.get(&(file, page)).map(|&place| self.bytes_at(place))
    }

    pub(crate) fn contains(&self, file: File, page: u64) -> bool {
        self.places.contains_key(&(file, page))
    }

    /// Pages whose newest bytes are elsewhere are not part of the commit.
    pub(crate) fn forget(&mut self, file: File, page: u64) {
        self.places.remove(&(file, page));
    }

    /// All pages.
    pub(crate) fn pages(&self) -> impl Iterator<Item = (File, u64, &[u8])> {
        self.places.iter().map(|(&(file, page), &place)| (file, page, self.bytes_at(place)))
    }

    /// Writes the table of contents. `place_of` gives a page's offset in its file, and its bytes that count.
    pub(crate) fn seal(
        &mut self,
        table: u32,
        place_of: impl Fn(File, u64, usize) -> (u64, usize),
    ) -> Result<SpillRef> {
        let mut rows: Vec<(File, u64, usize, Place)> = Vec::with_capacity(self.places.len());
        for (&(file, page), &place) in &self.places {
            let (offset, len) = place_of(file, page, place.len as usize);
            if len > 0 {
                rows.push((file, offset, len, place));
            }
        }
        rows.sort_unstable_by_key(|&(file, offset, ..)| (file, offset));
        let contents_at = self.len;
        let (mut bytes, mut crc, mut at) = (Vec::new(), 0, contents_at);
        for chunk in rows.chunks(BATCH / ROW) {
            bytes.clear();
            for &(file, offset, len, place) in chunk {
                let page_crc = if len == place.len as usize {
                    place.crc
                } else {
                    crc32c::crc32c(&self.bytes_at(place)[..len])
                };
                bytes.extend_from_slice(&((file as u32) << 30 | len as u32).to_le_bytes());
                bytes.extend_from_slice(&page_crc.to_le_bytes());
                bytes.extend_from_slice(&offset.to_le_bytes());
                bytes.extend_from_slice(&place.at.to_le_bytes());
            }
            crc = crc32c::crc32c_append(crc, &bytes);
            self.file.write(&bytes, at)?;
            at += bytes.len() as u64;
        }
        Ok(SpillRef { table, number: self.file.number, contents_at, rows: rows.len() as u64, crc })
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        if !self.kept
            && let Err(e) = self.file.remove()
        {
            tracing::warn!("{e}");
        }
    }
}

fn map(file: &SpillFile, len: u64, faults: &Faults) -> Result<Arc<ReadMap>> {
    let made = file.file.system_file().and_then(|system| ReadMap::new(&system, len as usize, faults.clone()));
    made.map(Arc::new).map_err(|e| Error::io(&file.path, "map", e))
}

/// What a spill file is worth after a crash.
pub(crate) enum Found {
    Whole,
    /// Its bytes had not all reached the disk.
    Torn,
    Missing,
}

/// One page in the table of contents.
pub(crate) struct Row {
    pub(crate) file: File,
    pub(crate) offset: u64,
    at: u64,
    len: usize,
    crc: u32,
}

/// A spill file as recovery reads it.
pub(crate) struct SpillReader {
    path: PathBuf,
    file: Arc<dyn StorageFile>,
    spill: SpillRef,
}

impl SpillReader {
    /// `None`: there is no such file.
    pub(crate) fn open(
        storage: &dyn Storage,
        datadir: &Path,
        spill: &SpillRef,
    ) -> Result<Option<SpillReader>> {
        let path = path_of(datadir, spill.number);
        match storage.open(&path, OpenMode::Read) {
            Ok(file) => Ok(Some(SpillReader { path, file, spill: *spill })),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(Error::io(path, "open", e)),
        }
    }

    /// Compares all checksums.
    pub(crate) fn check(storage: &dyn Storage, datadir: &Path, spill: &SpillRef) -> Result<Found> {
        let Some(reader) = SpillReader::open(storage, datadir, spill)? else { return Ok(Found::Missing) };
        let mut whole = true;
        let contents = reader.each(&mut |row, bytes| {
            whole &= crc32c::crc32c(bytes) == row.crc;
            Ok(())
        })?;
        Ok(if contents && whole { Found::Whole } else { Found::Torn })
    }

    /// Hands out all pages by offset; false when the file ends too early or its contents are not those of the record.
    pub(crate) fn each(&self, with: &mut dyn FnMut(&Row, &[u8]) -> Result<()>) -> Result<bool> {
        let len = self.file.len().map_err(|e| Error::io(&self.path, "stat", e))?;
        let SpillRef { contents_at, rows, .. } = self.spill;
        if rows
            .checked_mul(ROW as u64)
            .and_then(|size| size.checked_add(contents_at))
            .is_none_or(|end| end > len)
        {
            return Ok(false);
        }
        let read = |bytes: &mut [u8], at| {
            self.file.read_exact_at(bytes, at).map_err(|e| Error::io(&self.path, "read", e))
        };
        let (mut contents, mut page, mut crc, mut done) = (Vec::new(), Vec::new(), 0, 0);
        // The contents first: what they say is not trusted before their checksum is.
        while done < rows {
            contents.resize((rows - done).min((BATCH / ROW) as u64) as usize * ROW, 0);
            read(&mut contents, contents_at + done * ROW as u64)?;
            crc = crc32c::crc32c_append(crc, &contents);
            done += (contents.len() / ROW) as u64;
        }
        if crc != self.spill.crc {
            return Ok(false);
        }
        done = 0;
        while done < rows {
            contents.resize((rows - done).min((BATCH / ROW) as u64) as usize * ROW, 0);
            read(&mut contents, contents_at + done * ROW as u64)?;
            for bytes in contents.chunks_exact(ROW) {
                let Some(row) = Row::decode(bytes) else { return Ok(false) };
                if row.at.checked_add(row.len as u64).is_none_or(|end| end > contents_at) {
                    return Ok(false);
                }
                page.resize(row.len, 0);
                read(&mut page, row.at)?;
                with(&row, &page)?;
            }
            done += (contents.len() / ROW) as u64;
        }
        Ok(true)
    }
}

impl Row {
    fn decode(bytes: &[u8]) -> Option<Row> {
        let mut reader = Reader(bytes);
        let (head, crc) = (reader.u32()?, reader.u32()?);
        let file = match head >> 30 {
            0 => File::Index,
            1 => File::Data,
            _ => return None,
        };
        Some(Row {
            file,
            len: (head & ((1 << 30) - 1)) as usize,
            crc,
            offset: reader.u64()?,
            at: reader.u64()?,
        })
    }
}
