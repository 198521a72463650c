//! Records of the journal: their bytes. `docs/format/journal.md` has the layout.

use std::path::{Path, PathBuf};

use crate::changes::Move;
use crate::file::LARGEST_FILE;
use crate::options::{File, Lsn, StateLayout};

/// Bytes before a record's payload.
pub(crate) const RECORD_HEADER: usize = 24;
/// Longest run of bytes in one entry.
const MAX_RUN: usize = (1 << 30) - 1;

/// What a record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Kind {
    /// A table is guarded from now on: its id, files and stamp.
    Attach = 1,
    /// Changes of one or several tables.
    Commit = 2,
    /// A table is clean on disk and no longer guarded.
    Clean = 3,
    /// A checkpoint begins: all guarded tables.
    Begin = 4,
    /// It is done: nothing before its begin is needed.
    End = 5,
    /// Files are about to be renamed and removed.
    Files = 6,
    /// And were.
    FilesDone = 7,
    /// A commit whose page images are in spill files.
    Spilled = 8,
}

impl Kind {
    pub(crate) fn of(number: u32) -> Option<Kind> {
        use Kind::{Attach, Begin, Clean, Commit, End, Files, FilesDone, Spilled};
        [Attach, Commit, Clean, Begin, End, Files, FilesDone, Spilled]
            .into_iter()
            .find(|&kind| kind as u32 == number)
    }
}

/// Where changed bytes belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    File(File),
    State,
}

/// In the two high bits of an entry's head: bytes moved inside an index block.
const MOVE: u32 = 3;
/// Moves are shorter and go less far.
const MAX_MOVE: usize = 1 << 16;

/// A change of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry<'a> {
    /// These bytes stand at the offset.
    Bytes(Target, u64, &'a [u8]),
    /// The index file has at `to` what it had at `from`.
    Move { from: u64, to: u64, len: usize },
}

/// What the journal knows of a guarded table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AttachInfo {
    pub(crate) id: u32,
    pub(crate) state_len: u32,
    pub(crate) stamp: u64,
    /// CRC-32C of the state on disk before the guard was set.
    pub(crate) before: u32,
    pub(crate) index_identity: u64,
    pub(crate) data_identity: u64,
    pub(crate) layout: StateLayout,
    pub(crate) base: PathBuf,
}

/// The pages of a table that a commit has in a spill file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpillRef {
    pub(crate) table: u32,
    pub(crate) number: u64,
    /// Where the table of contents begins.
    pub(crate) contents_at: u64,
    pub(crate) rows: u64,
    /// Checksum of the contents.
    pub(crate) crc: u32,
}

/// A renaming or removal, decided by identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileStep {
    Rename { identity: u64, from: PathBuf, to: PathBuf },
    Remove { identity: u64, path: PathBuf },
}

/// Builds a payload.
#[derive(Default)]
pub(crate) struct Payload(pub(crate) Vec<u8>);

impl Payload {
    pub(crate) fn u32(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn path(&mut self, path: &Path) {
        use std::os::unix::ffi::OsStrExt;
        let bytes = path.as_os_str().as_bytes();
        self.u32(bytes.len() as u32);
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn attach(&mut self, info: &AttachInfo) {
        self.u32(info.id);
        self.u32(info.state_len);
        self.u64(info.stamp);
        self.u32(info.before);
        self.u64(info.index_identity);
        self.u64(info.data_identity);
        let layout = &info.layout;
        for at in [
            layout.index_len_at,
            layout.data_len_at,
            layout.guard_at,
            layout.stamp_at,
            layout.auto_increment_at,
        ] {
            self.u32(at as u32);
        }
        self.u32(u32::from(layout.guard_mask));
        self.path(&info.base);
    }

    /// Names the spill files of a commit, if there are any; returns the kind that the record is of.
    pub(crate) fn spills(&mut self, spills: impl Iterator<Item = SpillRef>) -> Kind {
        let place = self.0.len();
        let mut count = 0_u32;
        for spill in spills {
            if count == 0 {
                self.u32(0);
            }
            count += 1;
            self.u32(spill.table);
            self.u64(spill.number);
            self.u64(spill.contents_at);
            self.u64(spill.rows);
            self.u32(spill.crc);
        }
        if count == 0 {
            return Kind::Commit;
        }
        self.0[place..place + 4].copy_from_slice(&count.to_le_bytes());
        Kind::Spilled
    }

    /// Begins a table in a commit; returns the place for `end_table`.
    pub(crate) fn begin_table(&mut self, id: u32, auto_increment: u64) -> usize {
        self.u32(id);
        let place = self.0.len();
        self.u32(0);
        self.u64(auto_increment);
        place
    }

    pub(crate) fn end_table(&mut self, place: usize, entries: u32) {
        self.0[place..place + 4].copy_from_slice(&entries.to_le_bytes());
    }

    /// Changed bytes of a table; returns the number of entries made.
    pub(crate) fn bytes(&mut self, target: Target, offset: u64, bytes: &[u8]) -> u32 {
        let target = match target {
            Target::File(File::Index) => 0,
            Target::File(File::Data) => 1,
            Target::State => 2,
        };
        let mut entries = 0;
        for (i, run) in bytes.chunks(MAX_RUN).enumerate() {
            self.u32((target << 30) | run.len() as u32);
            self.u64(offset + (i * MAX_RUN) as u64);
            self.0.extend_from_slice(run);
            entries += 1;
        }
        entries
    }

    /// Bytes moved inside the index block at `page`; returns the number of entries made.
    pub(crate) fn moved(&mut self, page: u64, moved: Move) -> u32 {
        self.u32((MOVE << 30) | moved.len() as u32);
        self.u64(page + moved.to() as u64);
        self.u32((moved.from() as i32 - moved.to() as i32).cast_unsigned());
        1
    }

    pub(crate) fn files(&mut self, forget: &[u32], steps: &[FileStep]) {
        self.u32(forget.len() as u32);
        forget.iter().for_each(|&id| self.u32(id));
        self.u32(steps.len() as u32);
        for step in steps {
            match step {
                FileStep::Rename { identity, from, to } => {
                    self.u32(1);
                    self.u64(*identity);
                    self.path(from);
                    self.path(to);
                }
                FileStep::Remove { identity, path } => {
                    self.u32(2);
                    self.u64(*identity);
                    self.path(path);
                }
            }
        }
    }
}

/// Reads a payload. `None` where it does not make sense.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(head)
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    #[inline]
    pub(crate) fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn path(&mut self) -> Option<PathBuf> {
        use std::os::unix::ffi::OsStrExt;
        let len = self.u32()? as usize;
        Some(PathBuf::from(std::ffi::OsStr::from_bytes(self.take(len)?)))
    }

    pub(crate) fn attach(&mut self) -> Option<AttachInfo> {
        let (id, state_len) = (self.u32()?, self.u32()?);
        let (stamp, before) = (self.u64()?, self.u32()?);
        let (index_identity, data_identity) = (self.u64()?, self.u64()?);
        let mut at = || self.u32().map(|at| at as usize);
        let layout = StateLayout {
            index_len_at: at()?,
            data_len_at: at()?,
            guard_at: at()?,
            stamp_at: at()?,
            auto_increment_at: at()?,
            guard_mask: u8::try_from(at()?).ok()?,
        };
        layout.fits(state_len as usize).then_some(())?;
        Some(AttachInfo {
            id,
            state_len,
            stamp,
            before,
            index_identity,
            data_identity,
            layout,
            base: self.path()?,
        })
    }

    /// The spill files that a record of kind `Spilled` begins with.
    pub(crate) fn spills(&mut self) -> Option<Vec<SpillRef>> {
        (0..self.u32()?)
            .map(|_| {
                Some(SpillRef {
                    table: self.u32()?,
                    number: self.u64()?,
                    contents_at: self.u64()?,
                    rows: self.u64()?,
                    crc: self.u32()?,
                })
            })
            .collect()
    }

    /// A change of a table.
    #[inline]
    pub(crate) fn entry(&mut self) -> Option<Entry<'a>> {
        let head = self.u32()?;
        let (what, len) = (head >> 30, head as usize & MAX_RUN);
        let offset = self.u64()?;
        let target = match what {
            0 => Target::File(File::Index),
            1 => Target::File(File::Data),
            2 => Target::State,
            _ => {
                let distance = self.u32()?.cast_signed();
                let from = offset.checked_add_signed(i64::from(distance))?;
                let near = len < MAX_MOVE && distance.unsigned_abs() < MAX_MOVE as u32;
                let sane = near && offset.max(from) < LARGEST_FILE;
                return sane.then_some(Entry::Move { from, to: offset, len });
            }
        };
        Some(Entry::Bytes(target, offset, self.take(len)?))
    }

    pub(crate) fn files(&mut self) -> Option<(Vec<u32>, Vec<FileStep>)> {
        let forget = (0..self.u32()?).map(|_| self.u32()).collect::<Option<_>>()?;
        let steps = (0..self.u32()?)
            .map(|_| match self.u32()? {
                1 => Some(FileStep::Rename { identity: self.u64()?, from: self.path()?, to: self.path()? }),
                2 => Some(FileStep::Remove { identity: self.u64()?, path: self.path()? }),
                _ => None,
            })
            .collect::<Option<_>>()?;
        Some((forget, steps))
    }
}

/// The header of a record, sealed with the chain of checksums.
pub(crate) fn seal(
    kind: Kind,
    lsn: Lsn,
    payload_len: usize,
    payload_crc: u32,
    chain: u32,
) -> ([u8; RECORD_HEADER], u32) {
    let mut header = [0; RECORD_HEADER];
    header[0..4].copy_from_slice(&(payload_len as u32).to_le_bytes());
    header[4..8].copy_from_slice(&(kind as u32).to_le_bytes());
    header[8..16].copy_from_slice(&lsn.to_le_bytes());
    header[16..20].copy_from_slice(&payload_crc.to_le_bytes());
    let crc = crc32c::crc32c_append(chain, &header[..20]);
    header[20..24].copy_from_slice(&crc.to_le_bytes());
    (header, crc)
}

/// A record as read.
pub(crate) struct Record<'a> {
    pub(crate) kind: Kind,
    pub(crate) payload: &'a [u8],
    /// Bytes it takes in the segment.
    pub(crate) size: usize,
    pub(crate) chain: u32,
}

/// The record at the start of `bytes` if it is whole, has this LSN, and follows what `chain` stands for.
pub(crate) fn open(bytes: &[u8], lsn: Lsn, chain: Option<u32>) -> Option<Record<'_>> {
    let header = bytes.get(..RECORD_HEADER)?;
    let mut fields = Reader(header);
    let (len, kind) = (fields.u32()? as usize, Kind::of(fields.u32()?)?);
    if fields.u64()? != lsn {
        return None;
    }
    let (payload_crc, crc) = (fields.u32()?, fields.u32()?);
    // Without a chain (in tests) any will do.
    // Builds for fuzzing look at what lies behind the checksums.
    if !cfg!(fuzzing) && chain.is_some_and(|chain| crc32c::crc32c_append(chain, &header[..20]) != crc) {
        return None;
    }
    let payload = bytes[RECORD_HEADER..].get(..len)?;
    if !cfg!(fuzzing) && crc32c::crc32c(payload) != payload_crc {
        return None;
    }
    Some(Record { kind, payload, size: record_size(len), chain: crc })
}

/// Bytes a record with this payload takes.
pub(crate) fn record_size(payload_len: usize) -> usize {
    (RECORD_HEADER + payload_len).next_multiple_of(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_read_back() {
        let info = AttachInfo {
            id: 3,
            state_len: 400,
            stamp: 0x1234_5678_9abc_def0,
            before: 99,
            index_identity: 77,
            data_identity: 78,
            layout: StateLayout::MYI,
            base: "db/t@0020x".into(),
        };
        let mut payload = Payload::default();
        payload.attach(&info);
        assert_eq!(Reader(&payload.0).attach().as_ref(), Some(&info));
        for len in 0..payload.0.len() {
            assert_eq!(Reader(&payload.0[..len]).attach(), None);
        }
        let steps = vec![
            FileStep::Rename { identity: 5, from: "a".into(), to: "b".into() },
            FileStep::Remove { identity: 6, path: "c/d".into() },
        ];
        let mut payload = Payload::default();
        payload.files(&[1, 2], &steps);
        assert_eq!(Reader(&payload.0).files(), Some((vec![1, 2], steps)));
    }

    #[test]
    fn entries_read_back() {
        let mut changes = crate::changes::Changes::default();
        changes.moved(500, 100, 300);
        changes.moved(10, 40, 900);
        let mut payload = Payload::default();
        let mut count = payload.bytes(Target::File(File::Data), 77, b"bytes");
        for moved in changes.moves() {
            count += payload.moved(1 << 20, *moved);
        }
        count += payload.bytes(Target::State, 5, b"s");
        let mut reader = Reader(&payload.0);
        let read: Option<Vec<Entry<'_>>> = (0..count).map(|_| reader.entry()).collect();
        let base = 1 << 20;
        let expected = vec![
            Entry::Bytes(Target::File(File::Data), 77, b"bytes"),
            Entry::Move { from: base + 500, to: base + 100, len: 300 },
            Entry::Move { from: base + 10, to: base + 40, len: 900 },
            Entry::Bytes(Target::State, 5, b"s"),
        ];
        assert_eq!((read, reader.0.len()), (Some(expected), 0));
        // a source before the file, and one beyond the largest
        for (offset, distance) in [(3, -4i32), (u64::MAX - 2, 1), (0, 1 << 16)] {
            let mut payload = Payload::default();
            payload.u32(MOVE << 30 | 4);
            payload.u64(offset);
            payload.u32(distance.cast_unsigned());
            assert_eq!(Reader(&payload.0).entry(), None);
        }
    }

    #[test]
    fn a_record_is_bound_to_its_place_and_its_bytes() {
        let payload = b"some bytes";
        let (header, next) = seal(Kind::Commit, 9, payload.len(), crc32c::crc32c(payload), 1234);
        let mut bytes = [&header[..], payload].concat();
        let record = open(&bytes, 9, Some(1234)).unwrap();
        assert_eq!((record.kind, record.payload, record.chain), (Kind::Commit, &payload[..], next));
        assert!(open(&bytes, 10, Some(1234)).is_none());
        assert!(open(&bytes, 9, Some(1235)).is_none());
        for i in 0..bytes.len() {
            bytes[i] ^= 1;
            assert!(open(&bytes, 9, Some(1234)).is_none(), "byte {i}");
            bytes[i] ^= 1;
        }
    }
}
