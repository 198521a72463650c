//! A table, rows, a question. `cargo run --example first_steps [FOLDER]`

use isambard::{Connection, Database, Error};

fn main() -> Result<(), Error> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "first-steps".into());
    let database = Database::open(&folder)?;
    let connection = database.connect()?;
    for (author, titles) in books(&connection)? {
        println!("{author}: {titles} books");
    }
    drop(connection);
    database.close()
}

/// Fills a table and counts by author.
pub fn books(connection: &Connection) -> Result<Vec<(String, i64)>, Error> {
    connection.execute("CREATE DATABASE IF NOT EXISTS library", ())?;
    connection.execute(
        "CREATE OR REPLACE TABLE library.book (id INT PRIMARY KEY AUTO_INCREMENT, author VARCHAR(60), title VARCHAR(200), KEY (author))",
        (),
    )?;
    let insert = connection.prepare("INSERT INTO library.book (author, title) VALUES (?, ?)")?;
    for (author, title) in
        [("Verne", "Vingt mille lieues"), ("Austen", "Emma"), ("Verne", "Le Tour du monde")]
    {
        insert.execute((author, title))?;
    }
    connection
        .prepare("SELECT author, COUNT(*) FROM library.book GROUP BY author ORDER BY author")?
        .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))
}
