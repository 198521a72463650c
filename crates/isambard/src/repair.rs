//! `isambard repair`.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use indicatif::ProgressBar;
use isam::SortSettings;
use isam::maintain::compress::files::{ClosedTable, Step};
use isam::myi::option;
use isambard::Connection;

use crate::files::{Linked, Scratch, TableFiles, bar};

#[derive(Args)]
#[allow(clippy::struct_excessive_bools)] // as the command line has them
pub struct Options {
    /// Copy every row that can be read into new files and build the keys by sorting; this is done anyhow, but for -o and -q.
    #[arg(long, short, conflicts_with_all = ["safe_recover", "quick"])]
    recover: bool,

    /// Put the rows into their keys one by one: slower, and needs no room for sorting.
    #[arg(long, short = 'o', conflicts_with = "quick")]
    safe_recover: bool,

    /// Leave the rows where they are and build the keys only; a damaged data file is copied all the same.
    #[arg(long, short)]
    quick: bool,

    /// Take the definition (.frm) in the place of a .MYI that is lost or says nothing. The counter of AUTO_INCREMENT starts at
    /// the highest value that is there.
    #[arg(long, conflicts_with = "quick")]
    use_frm: bool,

    /// Keep the old files as NAME-TIME.MYD.BAK and NAME-TIME.MYI.BAK.
    #[arg(long, short = 'B', visible_alias = "backup")]
    keep_backup: bool,

    /// Take tables that seem to be in use by a server.
    #[arg(long, short)]
    force: bool,

    /// Print only what went wrong.
    #[arg(long, short)]
    silent: bool,

    /// Bytes of memory for building keys.
    #[arg(long, value_name = "BYTES", default_value_t = 128 << 20)]
    sort_buffer_size: u64,

    /// Folder for what does not fit into memory while keys are sorted.
    #[arg(long, short, value_name = "D")]
    tmpdir: Option<PathBuf>,

    /// Paths of tables, with or without an extension (NAME.MYI).
    #[arg(required = true)]
    tables: Vec<PathBuf>,
}

/// Repairs the tables one after another; the exit code is 1 when one of them could not be.
///
/// # Errors
/// None: each table has its own line.
#[allow(clippy::unnecessary_wraps)] // as all commands
pub fn run(options: &Options) -> Result<ExitCode, String> {
    let mut fine = true;
    let mut place: Option<(PathBuf, Scratch, Connection)> = None;
    let bar = bar((options.tables.len() > 1).then_some(options.tables.len() as u64), options.silent);
    for path in &options.tables {
        let table = TableFiles::of(path);
        bar.set_message(table.shown.clone());
        let repaired = one(options, &table, &mut place, &bar);
        bar.inc(1);
        bar.suspend(|| fine &= tell(options, &table, repaired));
    }
    bar.finish_and_clear();
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Type and text of each line that is told of a table.
type Found = Vec<(String, String)>;

/// Prints what became of a table; says whether it is whole now.
fn tell(options: &Options, table: &TableFiles, repaired: Result<Found, String>) -> bool {
    let found = match repaired {
        Ok(found) => found,
        Err(error) => {
            complain!("isambard: {error}");
            return false;
        }
    };
    let fine = is_repaired(&found);
    for (kind, text) in &found {
        let wrong = kind.eq_ignore_ascii_case("error") || !fine;
        if wrong {
            complain!("{}: {kind}: {text}", table.shown);
        } else if !options.silent {
            say!("{}: {kind}: {text}", table.shown);
        }
    }
    fine
}

fn is_repaired(found: &Found) -> bool {
    found.last().is_some_and(|(kind, text)| kind == "status" && text == "OK")
}

fn one(
    options: &Options,
    table: &TableFiles,
    place: &mut Option<(PathBuf, Scratch, Connection)>,
    bar: &ProgressBar,
) -> Result<Found, String> {
    if !options.force {
        table.check_unused()?;
        table.check_no_server()?;
    }
    table.definition()?;
    if let Some(open) = packed_table(table)? {
        return packed(options, table, &open, bar);
    }
    let folder = table.folder();
    // new files are renamed in the end, which only the same filesystem can do
    if place.as_ref().is_none_or(|(known, ..)| *known != folder) {
        let scratch = Scratch::new(&folder, &settings(options))?;
        let connection = scratch.connect()?;
        *place = Some((folder, scratch, connection));
    }
    let Some((_, scratch, connection)) = place else { return Err(table.error("no place for new files")) };
    let linked = scratch.place(table)?;
    let found = plain(options, table, (scratch, connection, &linked));
    let closed = connection.execute(&format!("FLUSH TABLES {}", linked.quoted()), ());
    let result = match (found, closed) {
        (Ok(found), Ok(_)) if is_repaired(&found) => {
            put_in_place(options, table, &linked).map(|()| found).map_err(|e| table.error(e))
        }
        (Ok(found), _) => Ok(found),
        (Err(e), _) => Err(e),
    };
    scratch.clear(&linked);
    result
}

fn settings(options: &Options) -> Vec<(&'static str, String)> {
    let mut settings = vec![
        ("myisam_sort_buffer_size", options.sort_buffer_size.to_string()),
        // nothing here has to outlive this process
        ("durability", "none".to_owned()),
    ];
    if let Some(tmpdir) = &options.tmpdir {
        settings.push(("tmpdir", tmpdir.display().to_string()));
    }
    settings
}

/// The table, if its rows are packed: the head of the data file must be one of this definition, whatever the `.MYI` says.
fn packed_table(table: &TableFiles) -> Result<Option<ClosedTable>, String> {
    let magic = table.start("MYD", 3)? == [0xFE, 0xFE, 0x08];
    if !magic {
        return Ok(None);
    }
    let says_so = table
        .start("MYI", 6)
        .is_ok_and(|head| head.get(5).is_some_and(|bits| bits & option::COMPRESS_RECORD as u8 != 0));
    match ClosedTable::open_damaged(&table.base) {
        Ok(open) if open.is_packed() => Ok(Some(open)),
        Err(e) if says_so => Err(table.error(e)),
        _ => Ok(None),
    }
}

/// REPAIR TABLE on second names of the files: whatever happens, the first ones stay as they are.
fn plain(
    options: &Options,
    table: &TableFiles,
    (scratch, connection, linked): (&Scratch, &Connection, &Linked),
) -> Result<Found, String> {
    scratch.link(table, linked, "frm")?;
    if table.has("MYD") {
        scratch.link(table, linked, "MYD")?;
    }
    if options.quick && table.has("MYI") {
        // the index is changed where it lies
        fs::copy(table.file("MYI"), linked.file("MYI")).map_err(|e| table.error(e))?;
    } else if table.has("MYI") {
        scratch.link(table, linked, "MYI")?;
    }
    let how = match options {
        Options { use_frm: true, .. } => " USE_FRM",
        Options { quick: true, .. } => " QUICK",
        Options { safe_recover: true, .. } => " EXTENDED",
        _ => "",
    };
    let rows = connection
        .query(&format!("REPAIR TABLE {}{how}", linked.quoted()), ())
        .map_err(|e| table.error(e))?;
    let text = |row: &isambard::Row<'_>| Ok::<_, isambard::Error>((row.get(2)?, row.get(3)?));
    rows.iter().map(|row| text(&row).map_err(|e| table.error(e))).collect()
}

/// The new files take the place of the old ones: the rows first. Who is stopped between both repairs the table again.
fn put_in_place(options: &Options, table: &TableFiles, linked: &Linked) -> std::io::Result<()> {
    let old = ["MYD", "MYI"].map(|extension| table.file(extension));
    let new = ["MYD", "MYI"].map(|extension| linked.file(extension));
    if options.keep_backup {
        keep_old(table)?;
    }
    for (from, to) in new.iter().zip(&old) {
        let made = fs::metadata(from)?;
        match fs::metadata(to) {
            // the rows stayed where they are
            Ok(was) if was.ino() == made.ino() && was.dev() == made.dev() => continue,
            Ok(was) => {
                fs::set_permissions(from, was.permissions())?;
                if (was.uid(), was.gid()) != (made.uid(), made.gid()) {
                    chown(from, Some(was.uid()), Some(was.gid()))?;
                }
            }
            Err(_) => {}
        }
        File::open(from)?.sync_all()?;
    }
    for (from, to) in new.iter().zip(&old) {
        if !is_same(from, to) {
            // a symbolic link stays one: what it leads to is replaced
            fs::rename(from, fs::canonicalize(to).unwrap_or_else(|_| to.clone()))?;
        }
    }
    File::open(table.folder())?.sync_all()
}

/// Gives the old files names under which they stay.
fn keep_old(table: &TableFiles) -> std::io::Result<()> {
    let seconds = schema::clock::now().as_secs();
    let now = jiff::Timestamp::from_second(i64::try_from(seconds).unwrap_or(0)).unwrap_or_default();
    let time = now.to_zoned(jiff::tz::TimeZone::system()).strftime("%y%m%d%H%M%S");
    for extension in ["MYD", "MYI"].into_iter().filter(|extension| table.has(extension)) {
        let mut name = table.base.as_os_str().to_owned();
        name.push(format!("-{time}.{extension}.BAK"));
        let path = table.file(extension);
        fs::hard_link(&path, &name).or_else(|_| fs::copy(&path, &name).map(drop))?;
    }
    Ok(())
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((fs::metadata(a), fs::metadata(b)), (Ok(a), Ok(b)) if a.ino() == b.ino() && a.dev() == b.dev())
}

/// A compressed table keeps its rows as they are packed; those that cannot be read are left out.
fn packed(
    options: &Options,
    table: &TableFiles,
    open: &ClosedTable,
    bar: &ProgressBar,
) -> Result<Found, String> {
    let sort = SortSettings { buffer: options.sort_buffer_size as usize, ..SortSettings::default() };
    let sort = match &options.tmpdir {
        Some(tmpdir) => SortSettings { tmpdir: tmpdir.clone(), ..sort },
        None => sort,
    };
    if options.keep_backup {
        keep_old(table).map_err(|e| table.error(e))?;
    }
    let report = open
        .repair(&sort, &mut |step| {
            bar.set_message(match step {
                Step::Survey(n) | Step::Rows(n) => format!("{}: {n} rows", table.shown),
                Step::Keys => format!("{}: building keys", table.shown),
            });
            true
        })
        .map_err(|e| table.error(e))?;
    let line = |kind: &str, text: String| (kind.to_owned(), text);
    let mut found: Found = report.notes.into_iter().map(|text| line("info", text)).collect();
    if report.rows != report.before {
        found.push(line(
            "warning",
            format!("Number of rows changed from {} to {}", report.before, report.rows),
        ));
    }
    found.push(line("status", "OK".into()));
    Ok(found)
}
