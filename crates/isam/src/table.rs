//! A table: its definition, how its files are laid out, and its pages.

mod gather;
mod scan;

use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use pages::storage::OpenMode;
use pages::{DataPaging, FilePlan, PagedTable, StateLayout, Store, TableSpec, TableWriter};

use crate::error::{Error, Result};
use crate::key::encode::{encode, encode_part};
use crate::key::long_hash::LongHash;
use crate::key::{KeyInfo, MAX_FLAT_KEY, SegmentType};
use crate::myi::keydef::CreateSettings;
use crate::myi::{Header, StateMut, StateOffsets, StateView, changed, key_flag};
use crate::pointer::RowPos;
use crate::row::block;
use crate::row::compressed::{self, Compression};
use crate::row::{RowLayout, RowScratch, RowView};
use crate::source::{Near, PageSource};
use schema::definition::{KeyAlgorithm, TableDef};
use schema::layout::engine;
use schema::{file_name, frm};

pub use scan::Scan;

/// How the files of a table are laid out; everything that reads or writes rows and keys goes through it.
#[derive(Clone, Debug)]
pub struct TableFormat {
    /// The head of the `.MYI`.
    pub header: Header,
    /// Where the state's fields lie.
    pub offsets: StateOffsets,
    /// Layout of rows.
    pub layout: Arc<RowLayout>,
    /// Keys, in the order of the definition.
    pub keys: Vec<Arc<KeyInfo>>,
    /// Column that AUTO_INCREMENT counts in the table state, if it leads a key.
    pub auto_column: Option<usize>,
    /// How large it may grow, for tables in memory.
    pub limit: Option<Limit>,
    /// How rows are compressed, where the head of the `.MYI` says that they are.
    pub compression: Option<Arc<Compression>>,
}

/// How large a table in memory may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Bytes of rows and keys together.
    pub bytes: u64,
    /// Rows.
    pub rows: u64,
}

impl TableFormat {
    /// The row whose stored bytes these are ([`RowView::stored`]), not of a compressed table.
    ///
    /// # Errors
    /// 127 if they are none.
    #[inline]
    pub fn row_of<'a>(&'a self, stored: &'a [u8], scratch: &'a mut RowScratch) -> Result<RowView<'a>> {
        let (layout, RowScratch { spans, extra, .. }) = (&*self.layout, scratch);
        if !layout.fixed {
            return block::unpacked(layout, stored, 0, spans, extra);
        }
        if stored.len() != layout.reclength {
            return Err(Error::row(0, "bytes of a fixed row"));
        }
        layout.assemble_bits(stored, extra);
        Ok(RowView::image(layout, stored, extra))
    }

    /// The format of a table from its definition and the head of its `.MYI`.
    ///
    /// # Errors
    /// 190 when the two do not describe the same table, 130 for a head that cannot be used.
    pub fn new(def: &TableDef, header: Header) -> Result<TableFormat> {
        let columns = def.layout();
        let layout = RowLayout::new(def, &columns, &header)?;
        let described = engine::keys(def, &columns);
        if described.len() != header.keys.len() {
            return Err(Error::Definition { what: "number of keys" });
        }
        let mut keys = Vec::with_capacity(described.len());
        let mut first_part = 0;
        for (number, (ours, file)) in described.iter().zip(&header.keys).enumerate() {
            let kinds = key_flag::UNIQUE | key_flag::FULLTEXT | key_flag::SPATIAL;
            if ours.flags & kinds != file.flag & kinds {
                return Err(Error::Definition { what: "kind of a key" });
            }
            let mut parts = Vec::with_capacity(ours.segments.len());
            for (a, b) in ours.segments.iter().zip(&file.segments) {
                let same = a.kind == b.ty
                    && a.length == b.length
                    && a.start == b.start
                    && a.null_bit == b.null_bit
                    && (a.null_bit == 0 || a.null_pos == b.null_pos);
                if file.flag & (key_flag::FULLTEXT | key_flag::SPATIAL) == 0 && !same {
                    return Err(Error::Definition { what: "parts of a key" });
                }
                parts.push(a.column);
            }
            let (rec, page) =
                (usize::from(header.base.rec_reflength), usize::from(header.base.key_reflength));
            let own_trees = !header.is_fixed() && page <= rec;
            let mut key = KeyInfo::new(number, first_part, file, rec, page, &parts, own_trees)?;
            if let Some(fulltext) = &mut key.fulltext {
                let parser = def.keys.get(number).and_then(|k| k.parser.as_ref());
                Arc::make_mut(fulltext).foreign_parser = parser.is_some();
            }
            if let Some(long) = def.keys.get(number).filter(|k| k.algorithm == KeyAlgorithm::LongHash) {
                key.long_hash = Some(Arc::new(LongHash::new(def, long)));
            }
            keys.push(Arc::new(key));
            first_part += file.segments.len();
        }
        let auto_column = match usize::from(header.base.auto_key).checked_sub(1) {
            Some(key) => described.get(key).and_then(|k| k.segments.first()).map(|s| s.column),
            None => None,
        };
        Ok(TableFormat {
            offsets: header.state_offsets(),
            header,
            layout: Arc::new(layout),
            keys,
            auto_column,
            limit: None,
            compression: None,
        })
    }

    /// As [`TableFormat::new`] for any table, with what the head of the data file says of compressed ones. `data` reads the first bytes
    /// of that file, as many as are asked for or as there are.
    ///
    /// # Errors
    /// As there, and 127 for a damaged head of the data file.
    pub fn with_data(
        def: &TableDef,
        mut header: Header,
        data: impl Fn(u64) -> Result<Vec<u8>>,
    ) -> Result<TableFormat> {
        if !header.is_compressed() {
            return TableFormat::new(def, header);
        }
        let start = data(compressed::HEAD as u64)?;
        let length = compressed::head_length(&start)?;
        let plain_pointer = header.base.rec_reflength;
        if let Some(pointer) = Compression::pointer_of(&header, &start) {
            header.set_row_pointer(pointer)?;
        }
        let mut format = TableFormat::new(def, header)?;
        if length > (format.layout.stored.len() as u64 + 1) * compressed::MOST_HEAD {
            return Err(Error::row(0, "length of the head"));
        }
        let mut compression = Compression::read(&data(length)?, &format.layout)?;
        compression.plain_pointer = plain_pointer;
        format.compression = Some(Arc::new(compression));
        Ok(format)
    }

    /// Bytes behind the rows that belong to the data file, all zero.
    #[must_use]
    pub fn data_trailer(&self) -> u64 {
        if self.header.is_compressed() { compressed::TRAILER } else { 0 }
    }

    /// How rows are compressed.
    ///
    /// # Errors
    /// 138 where that is not known.
    pub(crate) fn compression(&self) -> Result<&Compression> {
        self.compression
            .as_deref()
            .ok_or(Error::Unsupported { what: "compressed tables without their data file" })
    }

    /// The format of a table of this store, whose settings say what words of full text are.
    ///
    /// # Errors
    /// As [`TableFormat::new`].
    pub fn in_store(def: &TableDef, header: Header, store: &Store) -> Result<TableFormat> {
        Ok(TableFormat::new(def, header)?.with_rules(&crate::key::rules::rules_of(store)))
    }

    /// As [`TableFormat::in_store`] for a table with files, which lie at `base`.
    fn of_files(def: &TableDef, header: Header, store: &Store, base: &Path) -> Result<TableFormat> {
        let path = with_extension(base, "MYD");
        let data =
            |most| read_file(store, &path, most)?.ok_or_else(|| Error::MissingFile { path: path.clone() });
        Ok(TableFormat::with_data(def, header, data)?.with_rules(&crate::key::rules::rules_of(store)))
    }

    /// The same format with other rules for words of full text.
    #[must_use]
    pub fn with_rules(mut self, rules: &Arc<::fulltext::Rules>) -> TableFormat {
        for key in self.keys.iter_mut().filter(|k| k.is_fulltext()) {
            if let Some(fulltext) = &mut Arc::make_mut(key).fulltext {
                Arc::make_mut(fulltext).rules = Arc::clone(rules);
            }
        }
        self
    }

    /// The state as `src` sees it: row count, lengths, statistics.
    #[inline]
    #[must_use]
    pub fn state<'a, S: PageSource>(&self, src: &'a S) -> StateView<'a> {
        StateView::new(src.state(), self.offsets)
    }

    /// The row at `pos`.
    ///
    /// # Errors
    /// 134 if it was deleted, 127 if the bytes there are no row.
    #[inline]
    pub fn row<'a, S: PageSource>(
        &'a self,
        src: &'a S,
        pos: RowPos,
        scratch: &'a mut RowScratch,
    ) -> Result<RowView<'a>> {
        let layout = &*self.layout;
        let len = self.state(src).data_file_length();
        if !layout.fixed {
            if self.header.is_compressed() {
                let compression = self.compression()?;
                let place = compression.place(src, pos.0, len, &mut scratch.part)?;
                return compression.row(layout, src, pos.0, place, scratch);
            }
            let block = block::read(src, pos.0, len, &mut scratch.part)?;
            return block::row(layout, src, pos.0, &block, len, scratch);
        }
        let each = layout.pack_reclength as u64;
        let offset = pos.0.checked_mul(each).filter(|&o| o.checked_add(each).is_some_and(|end| end <= len));
        let Some(offset) = offset else {
            return Err(Error::row(pos.0, "row pointer leads outside the data file"));
        };
        let bytes = src.data(offset, layout.reclength, &mut scratch.row)?;
        if bytes.first().is_none_or(|&b| b == 0) {
            return Err(Error::Deleted { pos: pos.0 });
        }
        layout.assemble_bits(bytes, &mut scratch.extra);
        Ok(RowView::image(layout, bytes, &scratch.extra))
    }

    /// As [`TableFormat::row`]; rows of fixed length that follow each other are found where the last one was.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn row_near<'a, 's: 'a, S: PageSource>(
        &'a self,
        src: &'s S,
        near: &mut Near<'s>,
        pos: RowPos,
        scratch: &'a mut RowScratch,
    ) -> Result<RowView<'a>> {
        let layout = &*self.layout;
        if !layout.fixed {
            return self.row(src, pos, scratch);
        }
        let each = layout.pack_reclength as u64;
        let offset = pos.0.saturating_mul(each);
        if near.row(offset, layout.reclength).is_none() {
            let follows = near.next == offset;
            near.next = offset.saturating_add(each);
            if !follows {
                return self.row(src, pos, scratch);
            }
            (near.from, near.bytes) = (offset, src.data_run(offset)?);
        }
        near.next = offset.saturating_add(each);
        let Some(bytes) = near.row(offset, layout.reclength) else { return self.row(src, pos, scratch) };
        if bytes[0] == 0 {
            return Err(Error::Deleted { pos: pos.0 });
        }
        layout.assemble_bits(bytes, &mut scratch.extra);
        Ok(RowView::image(layout, bytes, &scratch.extra))
    }

    /// Appends the flat key of the first `values.len()` parts of key `key_no`: stored bytes per part, `None` = NULL.
    #[inline]
    pub fn encode_key(&self, key_no: usize, values: &[Option<&[u8]>], out: &mut Vec<u8>) {
        encode(&self.keys[key_no], values.iter().copied(), out);
    }

    /// Appends one part of a flat search key: as [`TableFormat::encode_key`], part by part.
    #[inline]
    pub fn encode_key_part(&self, key_no: usize, part: usize, value: Option<&[u8]>, out: &mut Vec<u8>) {
        encode_part(&self.keys[key_no].segments[part], value, out);
    }

    /// The number that the stored bytes of the AUTO_INCREMENT column count as; none for negative ones.
    #[must_use]
    pub fn auto_value(&self, value: &[u8]) -> Option<u64> {
        let key = self.keys.get(usize::from(self.header.base.auto_key).checked_sub(1)?)?;
        let ty = key.segments.first()?.ty;
        let little = |v: &[u8]| v.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
        match ty {
            SegmentType::Float => {
                let f = f32::from_le_bytes(*value.first_chunk()?);
                (f > 0.0).then_some(f as u64)
            }
            SegmentType::Double => {
                let f = f64::from_le_bytes(*value.first_chunk()?);
                (f > 0.0).then_some(f as u64)
            }
            SegmentType::Int8
            | SegmentType::Int16
            | SegmentType::Int24
            | SegmentType::Int32
            | SegmentType::Int64 => (value.last()? & 0x80 == 0).then(|| little(value)),
            _ => Some(little(value)),
        }
    }

    /// Room that holds any flat key of the table without growing, in bytes.
    #[must_use]
    pub fn key_room(&self) -> usize {
        MAX_FLAT_KEY
    }
}

/// An open table.
pub struct Table {
    /// Its definition.
    pub def: Arc<TableDef>,
    /// Layout of its files.
    pub format: Arc<TableFormat>,
    /// Its pages.
    pub pages: Arc<PagedTable>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("base", &self.pages.base()).finish_non_exhaustive()
    }
}

impl Deref for Table {
    type Target = TableFormat;

    fn deref(&self) -> &TableFormat {
        &self.format
    }
}

/// What marks of an earlier crash do at open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashMarks {
    /// Fail with 145 or 144.
    Refuse,
    /// Open nevertheless: for CHECK and REPAIR.
    Accept,
}

/// Path of a table's files without extension, relative to the data directory: `db/name` as file names.
#[must_use]
pub fn base_path(db: &str, name: &str) -> PathBuf {
    Path::new(&file_name::encode(db)).join(file_name::encode(name))
}

/// A file of a table: its path without extension, and the extension. A name may have dots: none is replaced.
#[must_use]
pub fn with_extension(base: &Path, extension: &str) -> PathBuf {
    let mut path = base.as_os_str().to_owned();
    path.push(".");
    path.push(extension);
    PathBuf::from(path)
}

/// Adds files of no rows, whose index begins with `head`, in the folders that the definition asks for.
fn files_at(plan: FilePlan, def: &TableDef, base: &Path, head: Vec<u8>) -> FilePlan {
    let folder = |folder: &Option<String>| folder.as_ref().map(PathBuf::from);
    let (data, index) = (folder(&def.options.data_directory), folder(&def.options.index_directory));
    plan.create_in(index.as_deref(), with_extension(base, "MYI"), head).create_in(
        data.as_deref(),
        with_extension(base, "MYD"),
        Vec::new(),
    )
}

/// Takes the folders into a definition in which the links of a table at `base`, relative to the data directory, say that its files
/// lie.
///
/// # Errors
/// Those of the file system.
pub fn find_folders(store: &Store, base: &Path, def: &mut TableDef) -> Result<()> {
    let folder = |extension: &str| -> Result<Option<String>> {
        let path = store.datadir().join(with_extension(base, extension));
        let text = match store.storage().read_link(&path) {
            Ok(text) => text,
            // a name too long for a file is that of none
            Err(e) if e.kind() == io::ErrorKind::InvalidFilename => None,
            Err(e) => return Err(pages::Error::io(path, "read", e).into()),
        };
        let folder = text.as_ref().and_then(|text| text.parent());
        Ok(folder.map(|folder| format!("{}/", folder.display().to_string().trim_end_matches('/'))))
    };
    def.options.data_directory = folder("MYD")?;
    def.options.index_directory = folder("MYI")?;
    Ok(())
}

fn now() -> u64 {
    schema::clock::now().as_secs()
}

/// Reads a whole file of the data directory; `None` if it does not exist.
///
/// # Errors
/// Those of the file system.
pub fn read_file(store: &Store, path: &Path, limit: u64) -> Result<Option<Vec<u8>>> {
    let full = store.datadir().join(path);
    let file = match store.storage().open(&full, OpenMode::Read) {
        Ok(file) => file,
        // a name too long for a file is that of none
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename) => {
            return Ok(None);
        }
        Err(e) => return Err(pages::Error::io(full, "open", e).into()),
    };
    let read = || {
        let mut bytes = vec![0; file.len()?.min(limit) as usize];
        file.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    };
    read().map(Some).map_err(|e| pages::Error::io(full, "read", e).into())
}

impl Table {
    /// Creates the files of a new, empty table: `.frm`, `.MYI`, `.MYD`, all or none of them, durable on return.
    /// Fails if the definition cannot be stored; an existing table of the name is replaced, so look first.
    ///
    /// # Errors
    /// 140 for keys or headers that get too long.
    pub fn create(
        store: &Arc<Store>,
        db: &str,
        name: &str,
        def: &TableDef,
        settings: CreateSettings,
    ) -> Result<()> {
        let base = base_path(db, name);
        let (plan, _) = Table::new_files(def, settings, FilePlan::new(), &base, true)?;
        store.apply(plan)?;
        Ok(())
    }

    /// Adds the files of a new, empty table at `base` to `plan`; returns the head of the `.MYI`, too.
    ///
    /// # Errors
    /// As [`Table::create`].
    pub fn new_files(
        def: &TableDef,
        settings: CreateSettings,
        plan: FilePlan,
        base: &Path,
        with_frm: bool,
    ) -> Result<(FilePlan, Vec<u8>)> {
        let header = Header::for_definition(def, &def.layout(), settings)?;
        let head = header.write_new(now() as u32, def.options.auto_increment.saturating_sub(1));
        let mut plan = plan;
        if with_frm {
            let frm = frm::write(def).map_err(|_| Error::DefinitionTooLarge)?;
            plan = plan.create(with_extension(base, "frm"), frm);
        }
        Ok((files_at(plan, def, base, head.clone()), head))
    }

    /// Removes the files of a table in `plan`.
    #[must_use]
    pub fn drop_files(plan: FilePlan, db: &str, name: &str) -> FilePlan {
        let base = base_path(db, name);
        plan.remove(with_extension(&base, "frm"))
            .remove(with_extension(&base, "MYI"))
            .remove(with_extension(&base, "MYD"))
    }

    /// Renames the files of a table in `plan`.
    #[must_use]
    pub fn rename_files(plan: FilePlan, from: (&str, &str), to: (&str, &str)) -> FilePlan {
        let (from, to) = (base_path(from.0, from.1), base_path(to.0, to.1));
        plan.rename(with_extension(&from, "MYI"), with_extension(&to, "MYI"))
            .rename(with_extension(&from, "MYD"), with_extension(&to, "MYD"))
            .rename(with_extension(&from, "frm"), with_extension(&to, "frm"))
    }

    /// Renames a definition without files of rows, as views have, in `plan`.
    #[must_use]
    pub fn rename_definition(plan: FilePlan, from: (&str, &str), to: (&str, &str)) -> FilePlan {
        let (from, to) = (base_path(from.0, from.1), base_path(to.0, to.1));
        plan.rename(with_extension(&from, "frm"), with_extension(&to, "frm"))
    }

    /// The definition of a table, from its `.frm`.
    ///
    /// # Errors
    /// 155 if there is none.
    pub fn read_definition(store: &Store, db: &str, name: &str) -> Result<frm::Frm> {
        let path = with_extension(&base_path(db, name), "frm");
        let bytes = read_file(store, &path, frm::MAX_FILE as u64 + 1)?.ok_or(Error::NoTable)?;
        frm::read(&bytes).map_err(Error::Frm)
    }

    /// Opens a table. `.frm` and `.MYI` are checked against each other.
    ///
    /// # Errors
    /// 155 without a `.frm`, 130, 190, 144 and 145 by the head of the `.MYI`.
    pub fn open(store: &Arc<Store>, db: &str, name: &str) -> Result<Arc<Table>> {
        match Table::read_definition(store, db, name)? {
            frm::Frm::Table(def) => Table::open_with(store, db, name, Arc::new(*def), CrashMarks::Refuse),
            frm::Frm::View(_) => Err(Error::Unsupported { what: "views" }),
        }
    }

    /// Opens a table whose definition is known.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn open_with(
        store: &Arc<Store>,
        db: &str,
        name: &str,
        def: Arc<TableDef>,
        marks: CrashMarks,
    ) -> Result<Arc<Table>> {
        Table::open_at(store, base_path(db, name), def, marks, |_| None)
    }

    /// Opens a table whose definition is known and whose rows lie at `base`, relative to the data directory, without extension.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn open_at(
        store: &Arc<Store>,
        base: PathBuf,
        def: Arc<TableDef>,
        marks: CrashMarks,
        limit: impl FnOnce(&Header) -> Option<Limit>,
    ) -> Result<Arc<Table>> {
        if let Some(engine) = def.foreign_engine() {
            return Err(Error::ForeignEngine { engine: engine.to_owned() });
        }
        // Their files are those of tables, but their rows mean something else.
        let foreign = [
            (def.system_period.is_some(), "system versioning"),
            (def.columns.iter().any(|c| c.compressed), "compressed columns"),
        ];
        if let Some((_, what)) = foreign.into_iter().find(|(found, _)| *found) {
            return Err(Error::Unsupported { what });
        }
        let path = with_extension(&base, "MYI");
        let head =
            read_file(store, &path, 65536)?.ok_or_else(|| Error::MissingFile { path: path.clone() })?;
        let header = Header::parse(&head)?;
        let offsets = header.state_offsets();
        let state = StateView::new(&head, offsets);
        if marks == CrashMarks::Refuse
            && state.changed() & (changed::CRASHED | changed::CRASHED_ON_REPAIR) != 0
        {
            let repair_failed = state.changed() & changed::CRASHED_ON_REPAIR != 0;
            return Err(Error::Crashed { repair_failed });
        }
        let limit = limit(&header);
        let format = Arc::new(TableFormat { limit, ..TableFormat::of_files(&def, header, store, &base)? });
        let spec = format.spec(base, head[..offsets.len()].to_vec());
        let pages = store.attach(spec)?;
        Ok(Arc::new(Table { def, format, pages }))
    }
}

impl Table {
    /// The format of a table and its state, by the head of its `.MYI` alone: it is not opened.
    ///
    /// # Errors
    /// As [`Table::open_with`].
    pub fn read_head(store: &Store, db: &str, name: &str, def: &TableDef) -> Result<(TableFormat, Vec<u8>)> {
        let base = base_path(db, name);
        let path = with_extension(&base, "MYI");
        let head =
            read_file(store, &path, 65536)?.ok_or_else(|| Error::MissingFile { path: path.clone() })?;
        let header = Header::parse(&head)?;
        let offsets = header.state_offsets();
        let state = head[..offsets.len()].to_vec();
        Ok((TableFormat::of_files(def, header, store, &base)?, state))
    }

    /// The head of a table's `.MYI`, whether its definition agrees or not.
    ///
    /// # Errors
    /// 130 for a head that cannot be used.
    pub fn read_header(store: &Store, db: &str, name: &str) -> Result<Header> {
        let path = with_extension(&base_path(db, name), "MYI");
        Header::parse(&read_file(store, &path, 65536)?.ok_or(Error::MissingFile { path })?)
    }

    /// Creates and opens an empty table without a `.frm`: for a new generation of another one, with this head.
    ///
    /// # Errors
    /// As [`Table::create`].
    pub fn create_scratch(
        store: &Arc<Store>,
        (db, beside): (&str, &str),
        def: &Arc<TableDef>,
        header: &Header,
    ) -> Result<Arc<Table>> {
        let base = base_path(db, beside);
        store.apply(files_at(FilePlan::new(), def, &base, header.write_new(now() as u32, 0)))?;
        Table::open_with(store, db, beside, Arc::clone(def), CrashMarks::Accept)
    }

    /// The steps that put the files of this table, which is closed already, in the place of those at `base`.
    #[must_use]
    pub fn move_files(&self, base: &Path) -> FilePlan {
        let own = self.pages.base();
        FilePlan::new()
            .rename(with_extension(own, "MYI"), with_extension(base, "MYI"))
            .rename(with_extension(own, "MYD"), with_extension(base, "MYD"))
    }
}

/// What happens to the counters when a table is emptied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emptying {
    /// DELETE of all rows: AUTO_INCREMENT stays, the table counts as changed.
    Delete,
    /// TRUNCATE: as newly created.
    Truncate,
}

impl Table {
    /// Empties the table by a new generation of its files; running readers keep the old one. Gives the table as it is from now
    /// on; the old handle is stale.
    ///
    /// # Errors
    /// Those of the page store.
    pub fn empty(&self, writer: TableWriter, how: Emptying) -> Result<Arc<Table>> {
        let (head, state) = {
            let old = self.format.state(&writer);
            let auto = old.auto_increment().max(self.pages.auto_increment().load(Ordering::Acquire));
            let auto = if how == Emptying::Delete { auto } else { 0 };
            let (created, checked, version) = (old.create_time(), old.check_time(), old.version());
            let mut head = self.format.header.write_new(now() as u32, auto);
            let mut state = StateMut::new(&mut head, self.format.offsets);
            if how == Emptying::Delete {
                let (map, flags) = (old.key_map(), old.changed());
                state.set_create_time(created);
                state.set_check_time(checked);
                state.set_version(version);
                state.set_key_map(map);
                state.set_changed(
                    flags | changed::CHANGED | changed::NOT_ANALYZED | changed::NOT_OPTIMIZED_KEYS,
                );
            }
            let state = head[..self.format.offsets.len()].to_vec();
            (head, state)
        };
        let base = self.pages.base().to_owned();
        let files = FilePlan::new()
            .refill(with_extension(&base, "MYI"), head)
            .refill(with_extension(&base, "MYD"), Vec::new());
        let store = self.pages.store()?;
        let pages = store.replace_generation(writer, files, self.format.spec(base, state))?;
        Ok(Arc::new(Table { def: self.def.clone(), format: self.format.clone(), pages }))
    }
}

impl TableFormat {
    /// What the page store is told of a table.
    #[must_use]
    pub fn spec(&self, base: PathBuf, state: Vec<u8>) -> TableSpec {
        let data_page = if self.layout.fixed {
            DataPaging::FixedRows { row_len: self.layout.pack_reclength }
        } else {
            DataPaging::Bytes4K
        };
        // `myisampack` cuts the index off, and leaves its old length in the state
        let view = StateView::new(&state, self.offsets);
        let has_keys = (0..self.keys.len()).any(|key| view.key_active(key));
        let lost = self.header.is_compressed() && !has_keys;
        let pages_lost_from = lost.then_some(self.header.base.keystart);
        TableSpec { base, state, layout: StateLayout::MYI, data_page, pages_lost_from }
    }
}
