//! A table that is dumped: its rows under a definition without keys, so that nothing but the definition and the data file is needed.

use std::fs;
use std::path::Path;

use isam::maintain::compress::files::ClosedTable;
use isam::myi::{Header, StateMut, StateView, header::all_keys, option};
use isam::{CreateSettings, SortSettings, TableFormat};
use isambard::Connection;
use schema::definition::TableDef;

use crate::files::{LONGEST_HEAD, Linked, Scratch, TableFiles};

/// Bytes behind compressed rows.
const TRAILER: u64 = 7;

/// How rows are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// In a damaged data file.
    pub salvage: bool,
    /// Without what the `.MYI` says.
    pub without_index: bool,
}

/// A table that can be read.
pub struct Prepared {
    /// Where its rows are read.
    pub place: Linked,
    /// Its whole definition.
    pub def: TableDef,
    /// Its own name.
    pub name: String,
    /// How many rows it should have, where that is known.
    pub rows: Option<u64>,
    /// The next AUTO_INCREMENT value, where that is known.
    pub auto_increment: u64,
    /// What is to be told.
    pub notes: Vec<String>,
}

/// What the `.MYI` says, where it can be used.
struct Index {
    header: Header,
    records: u64,
    data_length: u64,
    auto_increment: u64,
}

fn index_of(table: &TableFiles) -> Option<Index> {
    let head = table.start("MYI", LONGEST_HEAD).ok()?;
    let header = Header::parse(&head).ok()?;
    let state = StateView::new(&head, header.state_offsets());
    let (records, data_length) = (state.records(), state.data_file_length());
    Some(Index { records, data_length, auto_increment: state.auto_increment(), header })
}

/// The definition without keys, and what needs them.
fn without_keys(def: &TableDef) -> TableDef {
    let mut def = def.clone();
    def.keys.clear();
    def.checks.clear();
    def.partition = None;
    def.options.auto_increment = 0;
    for column in &mut def.columns {
        column.auto_increment = false;
    }
    def
}

/// Makes the table readable in a private data directory.
///
/// # Errors
/// When files are missing, or the definition does not fit the rows.
pub fn prepare(
    table: &TableFiles,
    wanted: Wanted,
    (scratch, connection): (&Scratch, &Connection),
) -> Result<Prepared, String> {
    let def = table.definition()?;
    let bare = without_keys(&def);
    let place = scratch.place(table)?;
    let frm = schema::frm::write(&bare).map_err(|e| table.error(e))?;
    fs::write(place.file("frm"), frm).map_err(|e| table.error(e))?;
    scratch.link(table, &place, "MYD")?;
    let mut notes = Vec::new();
    let index = if wanted.without_index { None } else { index_of(table) };
    if index.is_none() && !wanted.without_index && table.has("MYI") {
        notes.push("the head of the .MYI file cannot be used; the definition (.frm) stands in for it".into());
    }
    let written = match &index {
        Some(index) => write_head(table, &place, &bare, bare_header(&index.header, &bare), Some(index)),
        None => Err(String::new()),
    };
    if written.is_err() {
        let packed = table.start("MYD", 3)? == [0xFE, 0xFE, 0x08];
        let mut header = Header::for_definition(&bare, &bare.layout(), CreateSettings::default())
            .map_err(|e| table.error(e))?;
        if packed {
            header.options |= option::COMPRESS_RECORD;
        }
        if index.is_some() {
            notes.push("the .MYI file is that of another definition; it is left alone".into());
        }
        write_head(table, &place, &bare, header, None)?;
    }
    let mut prepared = Prepared {
        name: place.name.clone(),
        rows: index.as_ref().map(|index| index.records),
        auto_increment: index.as_ref().map_or(0, |index| index.auto_increment.saturating_add(1)),
        place,
        def,
        notes,
    };
    if wanted.salvage {
        salvage(table, &mut prepared, connection)?;
    }
    Ok(prepared)
}

/// The head without keys.
fn bare_header(header: &Header, bare: &TableDef) -> Header {
    let mut header = header.clone();
    header.keys.clear();
    header.fulltext_keys = 0;
    header.options &= !(option::RELIES_ON_SQL_LAYER | option::PACK_KEYS);
    header.base.keys = 0;
    header.base.auto_key = 0;
    header.max_block_size_index = 0;
    header.state_info_length = 176;
    header.header_length = u16::try_from(header.definitions_length()).unwrap_or(u16::MAX);
    header.base.keystart = header.base.keystart.max(u64::from(header.header_length));
    debug_assert!(bare.keys.is_empty());
    header
}

/// Writes a `.MYI` of nothing but a head.
fn write_head(
    table: &TableFiles,
    place: &Linked,
    bare: &TableDef,
    header: Header,
    index: Option<&Index>,
) -> Result<(), String> {
    let data = table.file("MYD");
    let length = fs::metadata(&data).map_err(|e| format!("{}: {e}", data.display()))?.len();
    let read = |most| {
        table.start("MYD", most).map_err(|_| isam::Error::MissingFile { path: Path::new("MYD").to_owned() })
    };
    let format = TableFormat::with_data(bare, header.clone(), read).map_err(|e| table.error(e))?;
    let rows_end = if header.is_compressed() { length.saturating_sub(TRAILER) } else { length };
    let told = index.map(|index| index.data_length).filter(|told| *told <= rows_end);
    let mut end = told.unwrap_or(rows_end);
    if format.layout.fixed {
        end -= end % (format.layout.pack_reclength as u64).max(1);
    }
    let seconds = schema::clock::now().as_secs();
    let mut head = header.write_new(u32::try_from(seconds).unwrap_or(0), 0);
    let mut state = StateMut::new(&mut head, format.offsets);
    state.set_data_file_length(end);
    state.set_key_map(all_keys(0));
    // a table of one row or none may be read without its file
    state.set_records(index.map_or(0, |index| index.records).max(2));
    fs::write(place.file("MYI"), head).map_err(|e| table.error(e))
}

/// Copies what can be read into new files in the private place.
fn salvage(table: &TableFiles, prepared: &mut Prepared, connection: &Connection) -> Result<(), String> {
    let place = &prepared.place;
    let open = ClosedTable::open_damaged(&place.base).map_err(|e| table.error(e))?;
    if open.is_packed() {
        let report = open.repair(&SortSettings::default(), &mut |_| true).map_err(|e| table.error(e))?;
        prepared.notes.extend(report.notes);
        prepared.rows = Some(report.rows);
        return Ok(());
    }
    let query = format!("REPAIR TABLE {}", place.quoted());
    let rows = connection.query(&query, ()).map_err(|e| table.error(e))?;
    let mut fine = false;
    for row in &rows {
        let (kind, text): (String, String) =
            (row.get(2).map_err(|e| table.error(e))?, row.get(3).map_err(|e| table.error(e))?);
        fine = kind == "status" && text == "OK";
        // how many rows there were is not known here
        if !fine && !text.starts_with("Number of rows changed") {
            prepared.notes.push(format!("{kind}: {text}"));
        }
    }
    if fine { Ok(()) } else { Err(table.error("nothing could be salvaged")) }
}
