//! Many rows by an appender, then read as they are made. `cargo run --release --example bulk_load [FOLDER]`

use std::ops::ControlFlow;

use isambard::{Connection, Database, Error};

fn main() -> Result<(), Error> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "bulk-load".into());
    let database = Database::open(&folder)?;
    let connection = database.connect()?;
    let begun = std::time::Instant::now();
    let (rows, highest) = measurements(&connection, 200_000)?;
    println!("{rows} rows in {:?}, the highest is {highest}", begun.elapsed());
    drop(connection);
    database.close()
}

/// Appends so many rows; gives how many there are and the highest value.
pub fn measurements(connection: &Connection, rows: u32) -> Result<(u64, f64), Error> {
    connection.execute("CREATE DATABASE IF NOT EXISTS weather", ())?;
    connection.execute(
        "CREATE OR REPLACE TABLE weather.measured (station INT, at DATETIME, degrees DOUBLE, KEY (station, at))",
        (),
    )?;
    let mut appender = connection.appender(("weather", "measured"), &["station", "at", "degrees"])?;
    for n in 0..rows {
        let at = format!("2026-01-{:02} {:02}:00:00", n / 24 % 28 + 1, n % 24);
        appender.append((n % 100, at, f64::from(n % 350) / 10.0))?;
    }
    let appended = appender.finish()?;
    let mut highest = f64::MIN;
    connection.prepare("SELECT degrees FROM weather.measured")?.query_each((), |row| {
        highest = highest.max(row.get(0)?);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok((appended, highest))
}
