//! `isambard check`.

use std::process::ExitCode;

use clap::Args;
use isambard::Database;
use tracing::Level;

use crate::{DataDirectory, log};

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data: DataDirectory,

    /// Tables as DATABASE/TABLE or DATABASE.TABLE, or whole databases [default: all].
    tables: Vec<String>,

    /// Look up every row in every key as well.
    #[arg(long, short)]
    extended: bool,

    /// Print only what is wrong.
    #[arg(long, short)]
    silent: bool,
}

pub fn run(options: &Options) -> Result<ExitCode, String> {
    log::start(Level::WARN);
    if !options.data.datadir.is_dir() {
        return Err(format!("{}: no such data directory", options.data.datadir.display()));
    }
    let database = Database::from_engine(options.data.open()?);
    let result = check(&database, options).map_err(|e| e.to_string());
    database.close().map_err(|e| e.to_string())?;
    result
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
