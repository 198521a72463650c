//! `isambard describe`.

mod shape;
mod svg;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use isam::TableFormat;
use isam::maintain::describe::{IndexBlocks, each_data_block};
use isam::maintain::salvage::RawData;
use isam::myi::{Header, StateView, changed, option};
use pages::storage::{OpenMode, RealStorage, Storage, StorageFile};
use schema::definition::{KeyKind, TableDef};

use crate::files::{LONGEST_HEAD, TableFiles, bar};
use shape::{DataShape, IndexShape};

#[derive(Args)]
pub struct Options {
    /// Read the head of the index only: no fill of blocks, no fragmentation.
    #[arg(long, short)]
    quick: bool,

    /// Write a map of both files' blocks as a picture (of one table).
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Take tables that seem to be in use by a server.
    #[arg(long, short)]
    force: bool,

    /// No progress bar.
    #[arg(long, short)]
    silent: bool,

    /// Paths of tables, with or without an extension (NAME.MYI).
    #[arg(required = true)]
    tables: Vec<PathBuf>,
}

/// Describes the tables one after another; the exit code is 1 when one of them could not be read whole.
///
/// # Errors
/// When the options do not go together.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    if options.svg.is_some() && (options.tables.len() > 1 || options.quick) {
        return Err("--svg takes one table, and not --quick".into());
    }
    let mut fine = true;
    for (n, path) in options.tables.iter().enumerate() {
        if n > 0 {
            say!("");
        }
        match one(options, &TableFiles::of(path)) {
            Ok(whole) => fine &= whole,
            Err(error) => {
                complain!("isambard: {error}");
                fine = false;
            }
        }
    }
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A table whose head was read.
struct Described {
    def: TableDef,
    format: TableFormat,
    head: Vec<u8>,
    index: Arc<dyn StorageFile>,
    data: RawData,
}

fn open(table: &TableFiles) -> Result<Described, String> {
    let def = table.definition()?;
    let head = table.start("MYI", LONGEST_HEAD)?;
    let header = Header::parse(&head).map_err(|e| table.error(e))?;
    let read = |most| {
        let missing = |_| isam::Error::MissingFile { path: table.file("MYD") };
        table.start("MYD", most).map_err(missing)
    };
    let format = TableFormat::with_data(&def, header, read).map_err(|e| table.error(e))?;
    let open = |extension: &str| {
        let path = table.file(extension);
        RealStorage.open(&path, OpenMode::Read).map_err(|e| format!("{}: {e}", path.display()))
    };
    let index = open("MYI")?;
    let path = table.file("MYD");
    let data = RawData::new(open("MYD")?, &path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(Described { def, format, head, index, data })
}

/// Prints what is known of a table; false = damage was met.
fn one(options: &Options, table: &TableFiles) -> Result<bool, String> {
    if !options.force {
        table.check_unused()?;
    }
    let described = open(table)?;
    let state = StateView::new(&described.head, described.format.offsets);
    say!("Table:            {}", table.shown);
    head(&described, &state);
    keys(&described, &state);
    columns(&described);
    if options.quick {
        return Ok(true);
    }
    let index_length = described.index.len().map_err(|e| table.error(e))?;
    let progress = bar(Some(index_length + described.data.len()), options.silent);
    progress.set_message(table.shown.clone());
    let path = table.file("MYI");
    let blocks = IndexBlocks {
        format: &described.format,
        head: &described.head,
        file: &*described.index,
        path: &path,
    };
    let mut index = IndexShape::new(described.format.keys.len(), index_length);
    index.damage = blocks
        .each(&mut |block| {
            index.add(&block);
            progress.set_position(index.bytes);
        })
        .map_err(|e| table.error(e))?;
    let mut data = DataShape::new(described.data.len());
    each_data_block(&described.format, &described.data, &mut |block| {
        data.add(&block);
        if data.blocks.is_multiple_of(1024) {
            progress.set_position(index_length + block.offset);
        }
        true
    })
    .map_err(|e| table.error(e))?;
    progress.finish_and_clear();
    index.print(&described.def, described.format.header.base.keystart);
    data.print(&described.format);
    if let Some(path) = &options.svg {
        let name = table.base.file_name().unwrap_or_default().to_string_lossy();
        let picture = svg::map(&name, &described.def, &index, &data);
        std::fs::write(path, picture).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    for text in &index.damage {
        complain!("{}: {text}", table.shown);
    }
    if data.damaged > 0 {
        complain!("{}: {} bytes of the data file are no row", table.shown, data.damaged);
    }
    Ok(index.damage.is_empty() && data.damaged == 0)
}

fn moment(seconds: u64) -> String {
    let at =
        i64::try_from(seconds).ok().filter(|s| *s > 0).and_then(|s| jiff::Timestamp::from_second(s).ok());
    match at {
        Some(at) => at.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        None => "never".into(),
    }
}

fn head(described: &Described, state: &StateView<'_>) {
    let Described { def, format, index, data, .. } = described;
    let header = &format.header;
    let rows = match (header.is_compressed(), header.is_fixed()) {
        (true, _) => "compressed",
        (_, true) => "fixed",
        _ => "dynamic",
    };
    say!("Rows:             {} ({rows})", state.records());
    say!("Deleted:          {} with {} bytes", state.del(), state.empty());
    say!("Parts:            {}", state.split());
    let (lengths, real) = (
        (state.data_file_length() + format.data_trailer(), state.key_file_length()),
        (data.len(), index.len().unwrap_or(0)),
    );
    let differs =
        |told: u64, is: u64| if told == is { String::new() } else { format!(" (the file has {is})") };
    say!("Data file:        {} bytes{}", lengths.0, differs(lengths.0, real.0));
    say!("Index file:       {} bytes{}", lengths.1, differs(lengths.1, real.1));
    if header.base.max_data_file_length > 0 {
        say!("Most data:        {} bytes", header.base.max_data_file_length);
    }
    say!(
        "Pointers:         {} bytes to rows, {} to pages",
        header.base.rec_reflength,
        header.base.key_reflength
    );
    say!("Row length:       {} bytes, {} as stored", header.base.reclength, header.base.pack_reclength);
    say!("Character set:    {}", def.options.collation.name);
    say!("Made by:          server {}", version(def.server_version));
    say!("Created:          {}", moment(state.create_time()));
    say!("Checked:          {}", moment(state.check_time()));
    say!("Repaired:         {}", moment(state.recover_time()));
    if header.base.auto_key > 0 {
        say!("AUTO_INCREMENT:   key {}, last value {}", header.base.auto_key, state.auto_increment());
    }
    if header.options & option::CHECKSUM != 0 || header.is_compressed() {
        say!("Checksum:         {}", state.checksum() & 0xFFFF_FFFF);
    }
    let marks = [
        (changed::CRASHED, "crashed"),
        (changed::CRASHED_ON_REPAIR, "crashed, and the last repair failed"),
        (changed::CHANGED, "changed since the last check"),
        (changed::NOT_ANALYZED, "not analyzed"),
        (changed::NOT_OPTIMIZED_KEYS, "keys not optimized"),
        (changed::NOT_SORTED_PAGES, "pages of keys not in order"),
    ];
    let mut said: Vec<&str> =
        marks.iter().filter(|(bit, _)| state.changed() & bit != 0).map(|(_, text)| *text).collect();
    if state.open_count() > 0 {
        said.push("not closed properly");
    }
    say!("Marks:            {}", if said.is_empty() { "none".into() } else { said.join(", ") });
}

fn version(number: u32) -> String {
    format!("{}.{}.{}", number / 10_000, number / 100 % 100, number % 100)
}

fn keys(described: &Described, state: &StateView<'_>) {
    let Described { def, format, .. } = described;
    if def.keys.is_empty() {
        return;
    }
    say!("\nKeys:");
    for (number, (key, info)) in def.keys.iter().zip(&format.keys).enumerate() {
        let kind = match key.kind {
            KeyKind::Primary => "primary",
            KeyKind::Unique => "unique",
            KeyKind::Fulltext => "fulltext",
            KeyKind::Spatial => "spatial",
            _ => "",
        };
        let parts: Vec<String> = key
            .parts
            .iter()
            .enumerate()
            .map(|(n, part)| {
                let name = def.columns.get(part.column).map_or("?", |column| &*column.name);
                let rows = state.rec_per_key(info.first_part + n);
                let prefix = part.prefix.map_or_else(String::new, |bytes| format!(" ({bytes} bytes)"));
                match key.kind {
                    KeyKind::Fulltext | KeyKind::Spatial => format!("{name}{prefix}"),
                    _ => format!("{name}{prefix}: {rows} rows a value"),
                }
            })
            .collect();
        let disabled = if state.key_active(number) { "" } else { ", disabled" };
        let root = match state.key_root(number) {
            isam::myi::NIL => "empty".to_owned(),
            root => format!("root at {root}"),
        };
        let shown = format!("{:>3}  {} {kind}", number + 1, key.name);
        say!("{shown:<32} blocks of {}, {root}{disabled}", info.block_length);
        say!("       {}", parts.join(", "));
    }
}

fn columns(described: &Described) {
    let Described { def, .. } = described;
    let layout = def.layout();
    say!("\nColumns:");
    for (column, place) in def.columns.iter().zip(&layout.columns) {
        let ty = String::from_utf8_lossy(&schema::show_create::type_text(column)).into_owned();
        let at = match place.stored {
            true => format!("bytes {} to {}", place.offset, place.offset + place.width),
            false => "not stored".to_owned(),
        };
        let null = if column.nullable { "" } else { " not null" };
        say!("     {:<27} {ty}{null}, {at}", column.name);
    }
}
