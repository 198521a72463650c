//! `isambard ftdump`.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use isam::TableFormat;
use isam::ftdump::{DumpError, DumpOptions, dump};
use isam::myi::{Header, option};
use isam::plain::PlainPages;

#[derive(Args)]
pub struct Options {
    /// Print each word with its rows and its global weight.
    #[arg(long, short)]
    count: bool,

    /// Print each entry: place of the row, weight, word.
    #[arg(long, short)]
    dump: bool,

    /// Print how long words are.
    #[arg(long, short)]
    length: bool,

    /// Print totals (as without options).
    #[arg(long, short)]
    stats: bool,

    /// Print progress.
    #[arg(long, short)]
    verbose: bool,

    /// Path of the table, with or without an extension.
    table: PathBuf,

    /// Number of the key among the table's keys, from 0 on.
    key: usize,
}

pub fn run(options: &Options) -> Result<ExitCode, String> {
    if options.count && options.dump {
        say!("You cannot use these options together!");
        return Ok(ExitCode::FAILURE);
    }
    let (format, pages) = open(&options.table)?;
    if !format.keys.get(options.key).is_some_and(|key| key.is_fulltext()) {
        return Err(format!("key {} of {} is no FULLTEXT key", options.key, options.table.display()));
    }
    let what = DumpOptions {
        counts: options.count,
        entries: options.dump,
        lengths: options.length,
        statistics: options.stats,
        verbose: options.verbose,
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    match dump(&format, &pages, options.key, what, &mut out) {
        Err(DumpError::Table(e)) => {
            // What was found before the damage is worth seeing.
            let _ = out.flush();
            Err(format!("{}: {e}", options.table.display()))
        }
        // Whoever closes the pipe has seen enough.
        Err(DumpError::Output(_)) => Ok(ExitCode::SUCCESS),
        Ok(()) => Ok(if out.flush().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }),
    }
}

/// The definition and the index of a table nobody has open.
fn open(table: &Path) -> Result<(TableFormat, PlainPages), String> {
    let told = |path: &Path, e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let read = |extension: &str| {
        let path = match table.extension().and_then(|e| e.to_str()) {
            Some("frm" | "MYI" | "MYD") => table.with_extension(extension),
            _ => isam::table::with_extension(table, extension),
        };
        std::fs::read(&path).map(|bytes| (bytes, path.clone())).map_err(|e| told(&path, &e))
    };
    let (definition, path) = read("frm")?;
    let def = schema::frm::read_table(&definition).map_err(|e| told(&path, &e))?;
    let (index, path) = read("MYI")?;
    if index.get(4).is_some_and(|bits| bits & (option::GUARD >> 8) as u8 != 0) {
        return Err(told(&path, &"a server uses it, or must recover it first (FLUSH TABLES lets go of it)"));
    }
    let header = Header::parse(&index).map_err(|e| told(&path, &e))?;
    let format = TableFormat::new(&def, header).map_err(|e| told(&path, &e))?;
    let state = format.offsets.len();
    Ok((format, PlainPages::new(index, Vec::new(), state)))
}
