//! Tables nobody has open, compressed and made plain again: new files beside the old ones, put in their place at the end.
//!
//! The `.MYD` is renamed first, then the `.MYI`. Who finds the first done and the second not (the new `.MYI` still lies beside) does the
//! second; before the first nothing has happened. So a table is never lost, whenever the work ends.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pages::storage::{OpenMode, RealStorage, Storage, StorageFile};
use parking_lot::Mutex;
use schema::definition::TableDef;

use super::{Pass, compress};
use crate::error::{Error, Result};
use crate::maintain::SortSettings;
use crate::maintain::index_file::{self, Target};
use crate::maintain::salvage::RawData;
use crate::myi::{Header, NIL, StateMut, StateView, changed, header::all_keys, option};
use crate::plain::PlainPage;
use crate::row::compressed::TRAILER;
use crate::source::{PageSource, PageStore};
use crate::table::with_extension;
use crate::{CrashMarks, CreateSettings, RowScratch, Scan, TableFormat, Writer};

/// Tables with fewer bytes of rows are not compressed, unless that is forced.
const WORTH_IT: u64 = 1024;

/// Longest head of a `.MYI`.
const LONGEST_HEAD: u64 = 65536;

/// Extensions of the new files while they are written: other than those of `myisamchk` and `myisampack`, whose rests are not taken for ours.
const NEW_ROWS: &str = "PKD";
const NEW_INDEX: &str = "PKI";

/// Where the base info has the distance of fixed rows.
const ROW_DISTANCE: usize = 48;

/// Why a table was left as it is.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// It is none to which this can be done.
    #[error("{0}")]
    Refused(&'static str),
    /// Its definition cannot be read.
    #[error("{0}")]
    Definition(String),
    /// Its rows or files.
    #[error(transparent)]
    Table(#[from] Error),
}

impl From<pages::Error> for ToolError {
    fn from(e: pages::Error) -> ToolError {
        ToolError::Table(e.into())
    }
}

/// What is done how.
#[derive(Clone, Copy, Debug, Default)]
pub struct PackOptions {
    /// Small tables, too.
    pub force: bool,
    /// The result is looked at, and thrown away.
    pub test: bool,
    /// The old rows stay beside, as `NAME.OLD`.
    pub backup: bool,
    /// Keys are not built: the index has none until somebody does.
    pub without_keys: bool,
}

/// What is told while it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// So many rows were looked at.
    Survey(u64),
    /// So many rows were written.
    Rows(u64),
    /// Keys are built.
    Keys,
}

/// What became of a table.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Rows.
    pub rows: u64,
    /// Bytes of the rows before and after.
    pub bytes: (u64, u64),
    /// Bytes of the shortest compressed row and of the longest.
    pub row_lengths: (u64, u64),
    /// Trees of the columns, and those that are left when columns share them.
    pub trees: (usize, usize),
    /// Its keys were not built.
    pub keys_off: bool,
    /// The work had been done but for a rename.
    pub finished: bool,
}

/// A table's files, which nobody has open.
pub struct ClosedTable {
    storage: RealStorage,
    /// Path without extension.
    base: PathBuf,
    def: Arc<TableDef>,
    header: Header,
    /// The head of the `.MYI`, `keystart` bytes or fewer.
    head: Vec<u8>,
    format: Arc<TableFormat>,
}

/// Bytes read from a file at once.
const WINDOW: u64 = 1 << 16;

/// The rows of a table, read from its file, and a state.
pub(super) struct FileRows {
    data: RawData,
    state: Vec<u8>,
    /// What was read last, and from where.
    window: Mutex<(u64, Vec<u8>)>,
}

impl FileRows {
    /// Bytes of the file.
    pub(super) fn len(&self) -> u64 {
        self.data.len()
    }

    /// Copies bytes that lie in the window, which moves to them; false for those that have no room there.
    fn copy(&self, offset: u64, len: usize, to: &mut Vec<u8>) -> pages::Result<bool> {
        let ends = offset.checked_add(len as u64).is_some_and(|end| end <= self.data.len());
        if !ends || len as u64 > WINDOW / 4 {
            return Ok(false);
        }
        let mut window = self.window.lock();
        let (from, bytes) = &mut *window;
        let inside = |from: u64, bytes: &[u8]| {
            let at = usize::try_from(offset.checked_sub(from)?).ok()?;
            bytes.get(at..at.checked_add(len)?).map(|_| at)
        };
        let at = match inside(*from, bytes) {
            Some(at) => at,
            None => {
                let most = (self.data.len() - offset).min(WINDOW) as usize;
                self.data.data(offset, most, bytes)?;
                *from = offset;
                0
            }
        };
        to.clear();
        to.extend_from_slice(&bytes[at..at + len]);
        Ok(true)
    }
}

impl PageSource for FileRows {
    fn state(&self) -> &[u8] {
        &self.state
    }

    fn index_page(&self, offset: u64, len: usize) -> pages::Result<&[u8]> {
        self.data.index_page(offset, len)
    }

    fn data<'a>(&'a self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> pages::Result<&'a [u8]> {
        match self.copy(offset, len, scratch)? {
            true => Ok(scratch),
            false => self.data.data(offset, len, scratch),
        }
    }

    fn data_run(&self, offset: u64) -> pages::Result<&[u8]> {
        self.data.data_run(offset)
    }
}

/// A file that is written from front to back.
pub(super) struct Output {
    pub(super) file: Arc<dyn StorageFile>,
    at: u64,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_all_at(bytes, self.at)?;
        self.at += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Rows that are written one behind the other; keys wait.
struct NewRows {
    state: Vec<u8>,
    out: BufWriter<Output>,
    written: u64,
    path: PathBuf,
}

impl PageSource for NewRows {
    fn state(&self) -> &[u8] {
        &self.state
    }

    fn index_page(&self, offset: u64, _: usize) -> pages::Result<&[u8]> {
        Err(self.elsewhere(offset))
    }

    fn data<'a>(&'a self, offset: u64, _: usize, _: &'a mut Vec<u8>) -> pages::Result<&'a [u8]> {
        Err(self.elsewhere(offset))
    }

    fn data_run(&self, offset: u64) -> pages::Result<&[u8]> {
        Err(self.elsewhere(offset))
    }
}

impl NewRows {
    fn elsewhere(&self, offset: u64) -> pages::Error {
        pages::Error::corrupt(self.path.clone(), offset, "new rows are written one behind the other")
    }
}

impl PageStore for NewRows {
    type Page<'a> = PlainPage<'a>;

    fn state_mut(&mut self) -> &mut [u8] {
        &mut self.state
    }

    fn index_page_mut(&mut self, offset: u64, _: usize) -> pages::Result<PlainPage<'_>> {
        Err(self.elsewhere(offset))
    }

    fn index_page_new(&mut self, offset: u64, _: usize) -> pages::Result<PlainPage<'_>> {
        Err(self.elsewhere(offset))
    }

    fn data_write(&mut self, offset: u64, bytes: &[u8]) -> pages::Result<()> {
        if offset != self.written {
            return Err(self.elsewhere(offset));
        }
        self.written += bytes.len() as u64;
        self.out.write_all(bytes).map_err(|e| pages::Error::io(&self.path, "write", e))
    }

    fn raise_auto_increment(&self, _: u64) {}
}

fn now() -> u64 {
    schema::clock::now().as_secs()
}

impl ClosedTable {
    /// The table with this path, with or without an extension.
    ///
    /// # Errors
    /// When it is none, in use, or damaged.
    pub fn open(table: &Path) -> std::result::Result<ClosedTable, ToolError> {
        ClosedTable::open_as(table, CrashMarks::Refuse)
    }

    /// As [`ClosedTable::open`], for a table that may be marked as crashed, or as one that a server uses: who calls has the say.
    ///
    /// # Errors
    /// When it is none, or its definition or the heads of its files are damaged.
    pub fn open_damaged(table: &Path) -> std::result::Result<ClosedTable, ToolError> {
        ClosedTable::open_as(table, CrashMarks::Accept)
    }

    fn open_as(table: &Path, taken: CrashMarks) -> std::result::Result<ClosedTable, ToolError> {
        let storage = RealStorage;
        let base = match table.extension().and_then(|e| e.to_str()) {
            Some("frm" | "MYI" | "MYD") => table.with_extension(""),
            _ => table.to_owned(),
        };
        let frm = read(&storage, &with_extension(&base, "frm"), schema::frm::MAX_FILE as u64 + 1)?;
        let def = match schema::frm::read(&frm) {
            Ok(schema::frm::Frm::Table(def)) => Arc::new(*def),
            Ok(schema::frm::Frm::View(_)) => return Err(ToolError::Refused("is a view")),
            Err(e) => return Err(ToolError::Definition(e.to_string())),
        };
        if def.foreign_engine().is_some() {
            return Err(ToolError::Refused("is a table of another engine"));
        }
        let data = with_extension(&base, "MYD");
        let format_of = |header: &Header| {
            TableFormat::with_data(&def, header.clone(), |most| Ok(read(&storage, &data, most)?))
        };
        let read_head = || {
            let head = read(&storage, &with_extension(&base, "MYI"), LONGEST_HEAD)?;
            let header = Header::parse(&head)?;
            let format = format_of(&header)?;
            Ok::<_, Error>((head, header, format))
        };
        let (head, header, format) = match read_head() {
            Ok(found) if taken == CrashMarks::Refuse || found.1.is_compressed() => found,
            // compressed rows tell that they are by their own head
            found if taken == CrashMarks::Accept => {
                let by = packed_header(&def).and_then(|header| {
                    let format = format_of(&header)?;
                    Ok((header.write_new(now() as u32, 0), header, format))
                });
                by.or(found)?
            }
            found => found?,
        };
        if taken == CrashMarks::Refuse {
            check_usable(&head, &header)?;
        }
        if header.options & option::RELIES_ON_SQL_LAYER != 0 {
            return Err(ToolError::Refused("has keys over generated columns, which only a server can build"));
        }
        Ok(ClosedTable { storage, base, def, header, head, format: Arc::new(format) })
    }

    fn file(&self, extension: &str) -> PathBuf {
        with_extension(&self.base, extension)
    }

    /// Whether its rows are compressed.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        self.header.is_compressed()
    }

    /// The head of its `.MYI`.
    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// The bytes of that head.
    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Paths of the new rows and of the new index.
    pub(super) fn new_files(&self) -> (PathBuf, PathBuf) {
        (self.file(NEW_ROWS), self.file(NEW_INDEX))
    }

    /// The format, and all that the data file has, whatever its index says of its length.
    pub(super) fn all_rows(&self) -> Result<(&TableFormat, FileRows)> {
        let data = self.raw(&self.file("MYD"))?;
        let state = self.head[..self.format.offsets.len()].to_vec();
        Ok((&self.format, FileRows { data, state, window: Mutex::default() }))
    }

    fn raw(&self, path: &Path) -> Result<RawData> {
        let failed = |e| pages::Error::io(path, "read", e);
        let file = self.storage.open(path, OpenMode::Read).map_err(failed)?;
        Ok(RawData::new(file, path).map_err(failed)?)
    }

    fn rows(&self, format: &TableFormat, head: &[u8], path: &Path) -> Result<FileRows> {
        let data = self.raw(path)?;
        let length = StateView::new(head, format.offsets).data_file_length();
        if length > data.len() {
            return Err(Error::row(length, "the data file is shorter than its index says"));
        }
        Ok(FileRows { data, state: head[..format.offsets.len()].to_vec(), window: Mutex::default() })
    }

    /// A new file; what an earlier attempt left goes.
    pub(super) fn create(&self, path: &Path) -> Result<Output> {
        let failed = |e| pages::Error::io(path, "create", e);
        match self.storage.remove(path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(failed(e).into()),
            _ => {}
        }
        let file = self.storage.open(path, OpenMode::CreateNew).map_err(failed)?;
        Ok(Output { file, at: 0 })
    }

    pub(super) fn sync(&self, out: &Output, path: &Path) -> Result<()> {
        Ok(out.file.sync().map_err(|e| pages::Error::io(path, "sync", e))?)
    }

    /// Compresses the table. `progress` is called now and then, and ends the work by saying false.
    ///
    /// # Errors
    /// When the table is none that can be compressed, damaged, or its files cannot be written: it stays as it was.
    pub fn pack(
        &self,
        options: PackOptions,
        sort: &SortSettings,
        progress: &mut dyn FnMut(Step) -> bool,
    ) -> std::result::Result<Report, ToolError> {
        self.or_clean(|| self.try_pack(options, sort, progress))
    }

    fn try_pack(
        &self,
        options: PackOptions,
        sort: &SortSettings,
        progress: &mut dyn FnMut(Step) -> bool,
    ) -> std::result::Result<Report, ToolError> {
        let format = &*self.format;
        if self.header.is_compressed() {
            return Err(ToolError::Refused("is already compressed"));
        }
        let state = StateView::new(&self.head, format.offsets);
        let (records, before) = (state.records(), state.data_file_length());
        if !options.force && (records == 1 || records > 0 && before < WORTH_IT) {
            return Err(ToolError::Refused("is too small to compress"));
        }
        let rows = self.rows(format, &self.head, &self.file("MYD"))?;
        let (data, index) = (self.file(NEW_ROWS), self.file(NEW_INDEX));
        let mut out = BufWriter::with_capacity(1 << 18, self.create(&data)?);
        let mut tell = |pass| match pass {
            Pass::Survey(n) => progress(Step::Survey(n)),
            Pass::Write(n) => progress(Step::Rows(n)),
        };
        let packed = compress(format, &rows, &mut out, &data, &mut tell)?;
        let out = out.into_inner().map_err(|e| pages::Error::io(&data, "write", e.into_error()))?;
        out.file.write_all_at(&packed.head, 0).map_err(|e| pages::Error::io(&data, "write", e))?;
        let mut report = Report {
            rows: packed.rows,
            bytes: (before, packed.length),
            row_lengths: packed.row_lengths,
            trees: packed.trees,
            ..Report::default()
        };
        if packed.rows != records {
            return Err(Error::row(0, "the table has another number of rows than its index says").into());
        }
        if options.test {
            self.drop_file(&data)?;
            return Ok(report);
        }
        self.sync(&out, &data)?;
        let mut head = self.head.clone();
        head.truncate(self.header.base.keystart as usize);
        let mut new = StateMut::new(&mut head, format.offsets);
        new.set_options(self.header.options | option::COMPRESS_RECORD);
        new.set_split(packed.rows);
        new.set_data_file_length(packed.length);
        new.set_checksum(u64::from(packed.checksum));
        report.keys_off =
            self.write_index(&mut head, &data, &index, (sort, options.without_keys), progress)?;
        self.swap(&data, &index, options.backup)?;
        Ok(report)
    }

    /// Makes the table plain again.
    ///
    /// # Errors
    /// As [`ClosedTable::pack`].
    pub fn unpack(
        &self,
        sort: &SortSettings,
        progress: &mut dyn FnMut(Step) -> bool,
    ) -> std::result::Result<Report, ToolError> {
        self.or_clean(|| self.try_unpack(sort, progress))
    }

    /// Removes the new files when the work failed, the index first: alone it would tell that the rows have their place already.
    pub(super) fn or_clean<T>(
        &self,
        work: impl FnOnce() -> std::result::Result<T, ToolError>,
    ) -> std::result::Result<T, ToolError> {
        let result = work();
        let (data, index) = (self.file(NEW_ROWS), self.file(NEW_INDEX));
        if result.is_err() && self.storage.identity(&data).is_ok_and(|there| there.is_some()) {
            let _ = self.storage.remove(&index);
            let _ = self.storage.remove(&data);
        }
        result
    }

    fn try_unpack(
        &self,
        sort: &SortSettings,
        progress: &mut dyn FnMut(Step) -> bool,
    ) -> std::result::Result<Report, ToolError> {
        if !self.header.is_compressed() {
            return Err(ToolError::Refused("is not compressed"));
        }
        let rows = self.rows(&self.format, &self.head, &self.file("MYD"))?;
        let mut header = self.header.clone();
        header.options &= !(option::COMPRESS_RECORD | option::TEMP_COMPRESS_RECORD);
        let mut head = self.head.clone();
        head.truncate(self.header.base.keystart as usize);
        if header.is_fixed() {
            // `myisamchk -r` makes them shorter than a deleted row
            let least = header.base.reclength.max(u32::from(header.base.rec_reflength) + 1);
            let checksum = u32::from(header.options & option::CHECKSUM != 0);
            header.base.pack_reclength = header.base.pack_reclength.max(least + checksum);
            let at = self.format.offsets.len() + ROW_DISTANCE;
            head[at..at + 4].copy_from_slice(&header.base.pack_reclength.to_be_bytes());
        }
        let format = Arc::new(TableFormat::new(&self.def, header)?);
        let (data, index) = (self.file(NEW_ROWS), self.file(NEW_INDEX));
        let mut state = StateMut::new(&mut head, format.offsets);
        state.set_options(format.header.options);
        state.set_records(0);
        state.set_split(0);
        state.set_checksum(0);
        state.set_data_file_length(0);
        state.set_key_map(0);
        state.set_dellink(NIL);
        let new = NewRows {
            state: head[..format.offsets.len()].to_vec(),
            out: BufWriter::with_capacity(1 << 18, self.create(&data)?),
            written: 0,
            path: data.clone(),
        };
        let mut writer = Writer::new(Arc::clone(&format), new);
        let (mut n, mut scan, mut scratch) = (0u64, Scan::new(), RowScratch::new());
        while let Some((_, row)) = scan.next(&self.format, &rows, &mut scratch)? {
            writer.insert(&row)?;
            n += 1;
            if n.is_multiple_of(1024) && !progress(Step::Rows(n)) {
                return Err(Error::Pages(pages::ErrorKind::Killed.into()).into());
            }
        }
        let new = writer.into_store();
        head[..format.offsets.len()].copy_from_slice(&new.state);
        let out = new.out.into_inner().map_err(|e| pages::Error::io(&data, "write", e.into_error()))?;
        let written = StateView::new(&head, format.offsets).data_file_length();
        self.sync(&out, &data)?;
        let keys_off = self.write_index(&mut head, &data, &index, (sort, false), progress)?;
        self.swap(&data, &index, false)?;
        let before = StateView::new(&self.head, self.format.offsets).data_file_length() + TRAILER;
        Ok(Report { rows: n, bytes: (before, written), keys_off, ..Report::default() })
    }

    /// Rows in `data` that have the value of a unique key that a row before them has; `head` has their state.
    pub(super) fn repeated(
        &self,
        head: &[u8],
        data: &Path,
        sort: &SortSettings,
    ) -> Result<Vec<crate::RowPos>> {
        let header = Header::parse(head)?;
        let format = TableFormat::with_data(&self.def, header, |most| Ok(read(&self.storage, data, most)?))?;
        let rows = self.rows(&format, head, data)?;
        let file = self.storage.open(data, OpenMode::Read).map_err(|e| pages::Error::io(data, "read", e))?;
        let target = Target { file: &*file, path: data };
        index_file::repeated(&Arc::new(format), head, (&rows, target), (sort, &|| false))
    }

    /// Writes the index for the rows in `data`; says whether keys were left out.
    pub(super) fn write_index(
        &self,
        head: &mut Vec<u8>,
        data: &Path,
        index: &Path,
        (sort, without): (&SortSettings, bool),
        progress: &mut dyn FnMut(Step) -> bool,
    ) -> Result<bool> {
        let header = Header::parse(head)?;
        let format = TableFormat::with_data(&self.def, header, |most| Ok(read(&self.storage, data, most)?))?;
        let unbuilt =
            |key: &Arc<crate::KeyInfo>| key.fulltext.as_ref().is_some_and(|words| words.foreign_parser);
        let keys_off = !format.keys.is_empty() && (without || format.keys.iter().any(unbuilt));
        let mut state = StateMut::new(head, format.offsets);
        state.set_open_count(0);
        state.set_del(0);
        state.set_empty(0);
        state.set_dellink(NIL);
        state.set_key_file_length(format.header.base.keystart);
        for key in 0..format.keys.len() {
            state.set_key_root(key, NIL);
        }
        for list in 0..usize::from(format.header.max_block_size_index) {
            state.set_key_del(list, NIL);
        }
        state.set_recover_time(now());
        state.set_changed(0);
        state.set_key_map(if keys_off { 0 } else { all_keys(format.keys.len()) });
        head.resize(format.header.base.keystart as usize, 0);
        let out = self.create(index)?;
        let rows = self.rows(&format, head, data)?;
        if !progress(Step::Keys) {
            return Err(Error::Pages(pages::ErrorKind::Killed.into()));
        }
        let target = Target { file: &*out.file, path: index };
        let keys = if keys_off { Vec::new() } else { (0..format.keys.len()).collect() };
        index_file::write_under(&Arc::new(format), head.clone(), &rows, target, (&keys, sort))?;
        self.sync(&out, index)?;
        Ok(keys_off)
    }

    fn drop_file(&self, path: &Path) -> Result<()> {
        Ok(self.storage.remove(path).map_err(|e| pages::Error::io(path, "remove", e))?)
    }

    /// Puts the new files in the place of the old ones.
    pub(super) fn swap(&self, data: &Path, index: &Path, backup: bool) -> Result<()> {
        let rename = |from: &Path, to: &Path| {
            self.storage.rename(from, to).map_err(|e| pages::Error::io(from, "rename", e))
        };
        let dir = match self.base.parent() {
            Some(dir) if !dir.as_os_str().is_empty() => dir,
            _ => Path::new("."),
        };
        let durable = || self.storage.sync_dir(dir).map_err(|e| pages::Error::io(dir, "sync", e));
        // both are there before the first one is taken
        durable()?;
        if backup {
            let old = self.file("OLD");
            let _ = self.storage.remove(&old);
            std::fs::hard_link(self.file("MYD"), &old).map_err(|e| pages::Error::io(&old, "link", e))?;
        }
        rename(data, &self.file("MYD"))?;
        durable()?;
        rename(index, &self.file("MYI"))?;
        Ok(durable()?)
    }
}

/// The head of a compressed table, as its definition has it.
fn packed_header(def: &TableDef) -> Result<Header> {
    let mut header = Header::for_definition(def, &def.layout(), CreateSettings::default())?;
    header.options |= option::COMPRESS_RECORD;
    Ok(header)
}

/// Refuses a table that a server uses, or that is marked as crashed.
fn check_usable(head: &[u8], header: &Header) -> std::result::Result<(), ToolError> {
    if head.get(4).is_some_and(|bits| bits & (option::GUARD >> 8) as u8 != 0) {
        return Err(ToolError::Refused(
            "is used by a server, or must be recovered first (FLUSH TABLES lets go of it)",
        ));
    }
    let marks = StateView::new(head, header.state_offsets()).changed();
    if marks & (changed::CRASHED | changed::CRASHED_ON_REPAIR) != 0 {
        return Err(ToolError::Refused("is marked as crashed"));
    }
    Ok(())
}

/// Does the second rename where an earlier attempt did the first one only; says whether it had to.
///
/// # Errors
/// Those of the files.
pub fn finish_earlier(table: &Path) -> Result<bool> {
    let storage = RealStorage;
    let base = match table.extension().and_then(|e| e.to_str()) {
        Some("frm" | "MYI" | "MYD") => table.with_extension(""),
        _ => table.to_owned(),
    };
    let path = |extension: &str| with_extension(&base, extension);
    let (index, data) = (path(NEW_INDEX), path(NEW_ROWS));
    let there = |path: &Path| storage.identity(path).map_err(|e| pages::Error::io(path, "look for", e));
    // while the new rows lie beside, nothing was renamed
    if there(&index)?.is_none() || there(&data)?.is_some() {
        return Ok(false);
    }
    let head = read(&storage, &index, LONGEST_HEAD)?;
    let header = Header::parse(&head)?;
    let length = StateView::new(&head, header.state_offsets()).data_file_length();
    let trailer = if header.is_compressed() { TRAILER } else { 0 };
    let myd = path("MYD");
    let len = storage.open(&myd, OpenMode::Read).and_then(|f| f.len());
    let len = len.map_err(|e| pages::Error::io(&myd, "read", e))?;
    if len != length + trailer {
        return Ok(false);
    }
    storage.rename(&index, &path("MYI")).map_err(|e| pages::Error::io(&index, "rename", e))?;
    Ok(true)
}

/// The first bytes of a file, at most so many.
fn read(storage: &RealStorage, path: &Path, most: u64) -> pages::Result<Vec<u8>> {
    let failed = |e| pages::Error::io(path, "read", e);
    let file = storage.open(path, OpenMode::Read).map_err(failed)?;
    let mut bytes = vec![0; file.len().map_err(failed)?.min(most) as usize];
    file.read_exact_at(&mut bytes, 0).map_err(failed)?;
    Ok(bytes)
}
