//! `.MRG` files: which tables a MERGE table stands for.
//!
//! One table a line, by the name of its files: alone for one of the same database, `./database/table` for others. Lines that begin with `#`
//! say something else, of which `#INSERT_METHOD=` is known.

use crate::definition::{InsertMethod, TableOptions};
use crate::file_name;

const METHOD: &str = "#INSERT_METHOD=";

/// Largest file that is read.
pub const MAX_FILE: u64 = 1 << 20;

/// Reads the file of a table of the database `db` into its options.
pub fn read(bytes: &[u8], db: &str, options: &mut TableOptions) {
    options.union.clear();
    options.insert_method = InsertMethod::No;
    for line in String::from_utf8_lossy(bytes).lines() {
        let line = line.trim_end_matches('\r');
        if let Some(method) = line.strip_prefix(METHOD) {
            options.insert_method = match method.to_ascii_uppercase().as_str() {
                "FIRST" => InsertMethod::First,
                "LAST" => InsertMethod::Last,
                _ => InsertMethod::No,
            };
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        options.union.push(table_of(line, db));
    }
}

/// The table that a line names.
fn table_of(line: &str, db: &str) -> (String, String) {
    let mut parts = line.rsplit('/');
    let file = parts.next().unwrap_or_default();
    let file = file.strip_suffix(".MYI").or_else(|| file.strip_suffix(".MYD")).unwrap_or(file);
    let named = |name: &str| {
        // old files have the names themselves
        file_name::decode(name).unwrap_or_else(|| name.to_owned())
    };
    let other = parts.next().map(named).filter(|other| other != db && !matches!(other.as_str(), "." | ".."));
    (other.unwrap_or_default(), named(file))
}

/// The bytes of the file of a table.
#[must_use]
pub fn write(options: &TableOptions) -> Vec<u8> {
    let mut out = String::new();
    for (db, table) in &options.union {
        if !db.is_empty() {
            out.push_str("./");
            out.push_str(&file_name::encode(db));
            out.push('/');
        }
        out.push_str(&file_name::encode(table));
        out.push('\n');
    }
    match options.insert_method {
        InsertMethod::No => {}
        InsertMethod::First => out.push_str("#INSERT_METHOD=FIRST\n"),
        InsertMethod::Last => out.push_str("#INSERT_METHOD=LAST\n"),
    }
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> TableOptions {
        TableOptions::new("MRG_MyISAM", charset::Collation::by_name("latin1_swedish_ci").unwrap())
    }

    #[test]
    fn files_as_mariadb_writes_them() {
        let bytes = b"a\nq@0020r\n./d2/c\n#INSERT_METHOD=LAST\n";
        let mut o = options();
        read(bytes, "d1", &mut o);
        let named = |db: &str, table: &str| (db.to_owned(), table.to_owned());
        assert_eq!(o.union, [named("", "a"), named("", "q r"), named("d2", "c")]);
        assert_eq!(o.insert_method, InsertMethod::Last);
        assert_eq!(write(&o), bytes);
    }

    #[test]
    fn other_ways_to_write_them() {
        let mut o = options();
        read(b"../d1/a\r\n\n# b\n/var/lib/mysql/d2/c.MYI\n#INSERT_METHOD=first", "d1", &mut o);
        assert_eq!(o.union, [(String::new(), "a".to_owned()), ("d2".to_owned(), "c".to_owned())]);
        assert_eq!(o.insert_method, InsertMethod::First);
        read(b"\xff\xfe", "d1", &mut o);
        assert_eq!(o.union.len(), 1);
    }
}
