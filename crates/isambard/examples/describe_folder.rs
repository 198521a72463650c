//! What lies in a folder of `.frm`, `.MYD` and `.MYI` files. `cargo run --example describe_folder FOLDER`

use isambard::{Connection, Database, Error};

fn main() -> Result<(), Error> {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: describe_folder FOLDER");
        std::process::exit(2);
    };
    let database = Database::open(&folder)?;
    let connection = database.connect()?;
    for line in tables(&connection)? {
        println!("{line}");
    }
    drop(connection);
    database.close()
}

/// A line for each table that is not the server's own.
pub fn tables(connection: &Connection) -> Result<Vec<String>, Error> {
    connection
        .prepare(
            "SELECT table_schema, table_name, engine, table_rows, data_length + index_length
             FROM information_schema.tables
             WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('mysql', 'information_schema')
             ORDER BY table_schema, table_name",
        )?
        .query_map((), |row| {
            let (db, name): (String, String) = (row.get(0)?, row.get(1)?);
            let (engine, rows, bytes): (Option<String>, Option<u64>, Option<u64>) =
                (row.get(2)?, row.get(3)?, row.get(4)?);
            Ok(match (engine, rows, bytes) {
                (Some(engine), Some(rows), Some(bytes)) => {
                    format!("{db}.{name}: {engine}, {rows} rows, {bytes} bytes")
                }
                _ => format!("{db}.{name}: cannot be opened"),
            })
        })
}
