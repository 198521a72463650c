//! `isambard dump`.

mod csv;
mod json;
#[cfg(feature = "parquet")]
mod parquet;
mod source;
mod sql_text;
mod value;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use isambard::{Connection, Error, Row, ValueRef};

use crate::files::{Scratch, TableFiles, bar};
use source::{Prepared, Wanted};
use value::Column;

/// What rows are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Comma-separated, texts in quotes, NULL without; binary values as hexadecimal digits.
    Csv,
    /// One JSON object a line; binary values as hexadecimal digits.
    Json,
    /// CREATE TABLE and INSERT statements.
    Sql,
    /// Apache Parquet.
    Parquet,
}

#[derive(Args)]
#[allow(clippy::struct_excessive_bools)] // as the command line has them
pub struct Options {
    /// What to write.
    #[arg(long, short, value_enum, default_value_t = Format::Sql)]
    format: Format,

    /// File to write one table to [default: standard output].
    #[arg(long, short, value_name = "FILE", conflicts_with = "dir")]
    output: Option<PathBuf>,

    /// Folder in which each table gets a file of its own.
    #[arg(long, value_name = "D")]
    dir: Option<PathBuf>,

    /// Take what can be read of a damaged data file; what cannot is told.
    #[arg(long)]
    salvage: bool,

    /// Take the definition (.frm) and the rows (.MYD) alone, though there is a .MYI. This is done anyhow where there is none.
    #[arg(long)]
    without_index: bool,

    /// CSV without the line of names; SQL without CREATE TABLE.
    #[arg(long)]
    rows_only: bool,

    /// Take tables that seem to be in use by a server.
    #[arg(long)]
    force: bool,

    /// Print only what went wrong.
    #[arg(long, short)]
    silent: bool,

    /// Folder for the private data directory in which files get second names; `--salvage` copies rows there.
    #[arg(long, short, value_name = "T")]
    tmpdir: Option<PathBuf>,

    /// Paths of tables, with or without an extension (NAME.MYD).
    #[arg(required = true)]
    tables: Vec<PathBuf>,
}

/// Writes rows of one table.
trait Writer {
    /// Before the first row.
    fn begin(&mut self, table: &Prepared, columns: &[Column]) -> io::Result<()>;
    /// A row.
    fn row(&mut self, columns: &[Column], values: &[ValueRef<'_>]) -> io::Result<()>;
    /// Behind the last row; gives how many values could not be told and are NULL.
    fn end(&mut self) -> io::Result<u64>;
}

/// Writes the tables one after another; the exit code is 1 when one of them could not be read whole.
///
/// # Errors
/// When the options do not go together.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    if options.tables.len() > 1 && options.output.is_some() {
        return Err("--output takes one table; --dir takes many".into());
    }
    let to_stdout = options.output.is_none() && options.dir.is_none();
    if options.format == Format::Parquet && to_stdout {
        return Err("Parquet needs --output FILE or --dir D".into());
    }
    let scratch = Scratch::in_tmpdir(options.tmpdir.as_deref(), &[("durability", "none".to_owned())])?;
    let connection = scratch.connect()?;
    let ready = "SET NAMES utf8mb4, time_zone = '+00:00', sql_mode = '', max_statement_time = 0";
    connection.execute(ready, ()).map_err(|e| e.to_string())?;
    let mut fine = true;
    for path in &options.tables {
        let table = TableFiles::of(path);
        if let Err(error) = one(options, &table, (&scratch, &connection)) {
            complain!("isambard: {error}");
            fine = false;
        }
    }
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn one(
    options: &Options,
    table: &TableFiles,
    (scratch, connection): (&Scratch, &Connection),
) -> Result<(), String> {
    if !options.force {
        table.check_unused()?;
    }
    let wanted = Wanted { salvage: options.salvage, without_index: options.without_index };
    let prepared = source::prepare(table, wanted, (scratch, connection))?;
    for note in &prepared.notes {
        complain!("{}: {note}", table.shown);
    }
    let result = write_table(options, table, &prepared, connection);
    let closed = connection.execute(&format!("FLUSH TABLES {}", prepared.place.quoted()), ());
    scratch.clear(&prepared.place);
    let (rows, lost) = result?;
    closed.map_err(|e| table.error(e))?;
    if lost > 0 {
        complain!("{}: {lost} dates that are none (such as 0000-00-00) are NULL in Parquet", table.shown);
    }
    if !options.silent && (options.output.is_some() || options.dir.is_some()) {
        say!("{}: {rows} rows", table.shown);
    }
    Ok(())
}

/// The file that the table goes to.
fn target(options: &Options, table: &TableFiles) -> Option<PathBuf> {
    let extension = match options.format {
        Format::Csv => "csv",
        Format::Json => "jsonl",
        Format::Sql => "sql",
        Format::Parquet => "parquet",
    };
    let name = table.base.file_name().unwrap_or_default();
    let in_dir = || options.dir.as_ref().map(|dir| isam::table::with_extension(&dir.join(name), extension));
    options.output.clone().or_else(in_dir)
}

fn writer(options: &Options, path: Option<&Path>) -> io::Result<Box<dyn Writer>> {
    let out: Box<dyn Write + Send> = match path {
        Some(path) => Box::new(File::create(path)?),
        None => Box::new(io::stdout()),
    };
    let out = BufWriter::with_capacity(1 << 18, out);
    Ok(match options.format {
        Format::Csv => Box::new(csv::Csv::new(out, !options.rows_only)),
        Format::Json => Box::new(json::Json::new(out)),
        Format::Sql => Box::new(sql_text::SqlText::new(out, !options.rows_only)),
        #[cfg(feature = "parquet")]
        Format::Parquet => Box::new(parquet::Parquet::new(out)),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => return Err(io::Error::other("this program was built without `parquet`")),
    })
}

/// Writes the rows; gives how many, and how many values could not be told.
fn write_table(
    options: &Options,
    table: &TableFiles,
    prepared: &Prepared,
    connection: &Connection,
) -> Result<(u64, u64), String> {
    let columns: Vec<Column> = Column::all(&prepared.def)
        .into_iter()
        // who loads the rows computes them anew
        .filter(|column| options.format != Format::Sql || !column.generated)
        .collect();
    let path = target(options, table);
    let mut writer = writer(options, path.as_deref()).map_err(|e| match &path {
        Some(path) => format!("{}: {e}", path.display()),
        None => table.error(e),
    })?;
    let names: Vec<String> = columns.iter().map(Column::quoted).collect();
    let query = format!("SELECT {} FROM {}", names.join(", "), prepared.place.quoted());
    let progress = bar(prepared.rows, options.silent);
    progress.set_message(table.shown.clone());
    let (mut rows, mut failed) = (0u64, None);
    let mut written = writer.begin(prepared, &columns);
    let mut each = |row: &Row<'_>| -> Result<ControlFlow<()>, Error> {
        let values = (0..columns.len()).map(|n| row.get_ref(n)).collect::<Result<Vec<_>, _>>()?;
        if let Err(e) = writer.row(&columns, &values) {
            failed = Some(e);
            return Ok(ControlFlow::Break(()));
        }
        rows += 1;
        if rows.is_multiple_of(1024) {
            progress.set_position(rows);
        }
        Ok(ControlFlow::Continue(()))
    };
    let read = match (&written, columns.is_empty()) {
        (Ok(()), false) => connection.query_each(&query, (), &mut each),
        _ => Ok(()),
    };
    if let Some(e) = failed {
        written = Err(e);
    }
    let ended = written.and_then(|()| writer.end());
    progress.finish_and_clear();
    read.map_err(|e| table.error(format_args!("{e}; `isambard dump --salvage` takes what can be read")))?;
    match ended {
        Ok(lost) => Ok((rows, lost)),
        // whoever closes the pipe has seen enough
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe && path.is_none() => Ok((rows, 0)),
        Err(e) => Err(table.error(e)),
    }
}
