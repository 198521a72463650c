//! `isambard check`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use isambard::Database;
use tracing::Level;

use crate::files::{Scratch, TableFiles, bar};
use crate::{DataDirectory, log};

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data: DataDirectory,

    /// Tables as DATABASE/TABLE or DATABASE.TABLE, or whole databases of the data directory [default: all]; or paths of tables
    /// wherever they lie (NAME.MYI), whose files stay as they are.
    tables: Vec<String>,

    /// Look up every row in every key as well.
    #[arg(long, short)]
    extended: bool,

    /// Print only what is wrong.
    #[arg(long, short)]
    silent: bool,

    /// Take tables that seem to be in use by a server (paths).
    #[arg(long, short)]
    force: bool,

    /// Folder for the private data directory in which files get second names (paths).
    #[arg(long, short, value_name = "T")]
    tmpdir: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<ExitCode, String> {
    log::start(Level::WARN);
    let paths = options.tables.iter().filter(|name| is_path(name)).count();
    if paths > 0 {
        return match paths == options.tables.len() {
            true => files(options),
            false => Err("name either tables of the data directory or paths of tables".into()),
        };
    }
    if !options.data.datadir.is_dir() {
        return Err(format!("{}: no such data directory", options.data.datadir.display()));
    }
    let database = Database::from_engine(options.data.open()?);
    let result = check(&database, options).map_err(|e| e.to_string());
    database.close().map_err(|e| e.to_string())?;
    result
}

/// Whether a table is named by the path of its files.
fn is_path(name: &str) -> bool {
    let path = Path::new(name);
    path.extension().is_some_and(|e| e == "frm" || e == "MYI" || e == "MYD")
        || name.matches('/').count() > 1
        || name.starts_with(['/', '.'])
}

/// Checks tables that no server has open; nothing is written into their folder.
fn files(options: &Options) -> Result<ExitCode, String> {
    let scratch = Scratch::in_tmpdir(options.tmpdir.as_deref(), &[])?;
    let mut connection = scratch.connect()?;
    let mut sound = true;
    let bar = bar((options.tables.len() > 1).then_some(options.tables.len() as u64), options.silent);
    for name in &options.tables {
        let table = TableFiles::of(Path::new(name));
        bar.set_message(table.shown.clone());
        let found = one_of_files(options, &table, (&scratch, &mut connection));
        bar.inc(1);
        bar.suspend(|| match found {
            Ok(found) => {
                for (kind, text) in found {
                    let fine = kind == "status" && text == "OK";
                    sound &= fine || kind == "note" || kind == "info";
                    if !(fine && options.silent) {
                        say!("{}: {kind}: {text}", table.shown);
                    }
                }
            }
            Err(error) => {
                complain!("isambard: {error}");
                sound = false;
            }
        });
    }
    bar.finish_and_clear();
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn one_of_files(
    options: &Options,
    table: &TableFiles,
    (scratch, connection): (&Scratch, &mut isambard::Connection),
) -> Result<Vec<(&'static str, String)>, String> {
    if !options.force {
        table.check_unused()?;
    }
    table.definition()?;
    let place = scratch.place(table)?;
    for extension in ["frm", "MYI", "MYD"] {
        scratch.link(table, &place, extension)?;
    }
    let session = connection.session();
    let found = sql::admin::check_unopened(session, &place.db, &place.name, options.extended);
    scratch.clear(&place);
    found.map_err(|e| table.error(e.message))
}

fn check(database: &Database, options: &Options) -> Result<ExitCode, isambard::Error> {
    let connection = database.connect()?;
    let mut sound = true;
    for (db, table) in tables(&connection, &options.tables)? {
        let quoted = format!("`{}`.`{}`", db.replace('`', "``"), table.replace('`', "``"));
        let how = if options.extended { "EXTENDED" } else { "MEDIUM" };
        for row in &connection.query(&format!("CHECK TABLE {quoted} {how}"), ())? {
            let (kind, text): (String, String) = (row.get(2)?, row.get(3)?);
            let fine = kind == "status" && (text == "OK" || text.starts_with("Table is already"));
            sound &= fine || kind == "note" || kind == "info";
            if !(fine && options.silent) {
                say!("{db}.{table}: {kind}: {text}");
            }
        }
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The tables asked for, as pairs of database and table.
fn tables(
    connection: &isambard::Connection,
    asked: &[String],
) -> Result<Vec<(String, String)>, isambard::Error> {
    let mut found = Vec::new();
    let mut whole = Vec::new();
    for name in asked {
        match name.split_once(['/', '.']) {
            Some((db, table)) => found.push((db.to_owned(), table.to_owned())),
            None => whole.push(name.clone()),
        }
    }
    if asked.is_empty() {
        for row in &connection.query("SHOW DATABASES", ())? {
            let name: String = row.get(0)?;
            if !matches!(name.as_str(), "information_schema" | "performance_schema") {
                whole.push(name);
            }
        }
    }
    for db in whole {
        let query =
            format!("SHOW FULL TABLES FROM `{}` WHERE Table_type = 'BASE TABLE'", db.replace('`', "``"));
        for row in &connection.query(&query, ())? {
            found.push((db.clone(), row.get(0)?));
        }
    }
    Ok(found)
}
