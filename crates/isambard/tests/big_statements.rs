//! Statements far larger than the memory they may use and than the journal.

use std::path::Path;
use std::process::Command;

use isambard::{Error, OpenOptions};

const SETTINGS: [(&str, &str); 3] =
    [("statement_memory", "1M"), ("journal_size", "16M"), ("durability", "none")];

fn spills(dir: &Path) -> usize {
    let entries = std::fs::read_dir(dir).expect("data directory");
    entries.filter(|e| e.as_ref().is_ok_and(|e| e.file_name().to_string_lossy().contains("spill"))).count()
}

#[test]
fn a_table_larger_than_memory_and_journal_is_filled_changed_and_emptied_by_single_statements()
-> Result<(), Error> {
    let directory = tempfile::tempdir().expect("temporary directory");
    let dir = directory.path().join("data");
    let database = SETTINGS.iter().fold(OpenOptions::new(), |o, (n, v)| o.variable(n, v)).open(&dir)?;
    let connection = database.connect()?;
    connection.execute("CREATE DATABASE d; USE d", ())?;
    connection.execute(
        "CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, k INT, s VARCHAR(300), KEY (k)) ENGINE=MyISAM; \
         INSERT INTO t (k, s) VALUES (0, REPEAT('x', 200)), (1, REPEAT('y', 210))",
        (),
    )?;
    // The last doubling alone is twice the journal's size.
    for _ in 0..17 {
        connection.execute("INSERT INTO t (k, s) SELECT id * 7, s FROM t", ())?;
    }
    let count = 1_i64 << 18;
    let sum = |sql: &str| connection.query_value::<i64>(sql, ());
    assert_eq!(sum("SELECT COUNT(*) FROM t")?, count);
    let keys = sum("SELECT CAST(SUM(k) AS SIGNED) FROM t")?;
    assert_eq!(connection.execute("UPDATE t SET k = k + 1, s = REVERSE(CONCAT(s, 'z'))", ())?, count as u64);
    assert_eq!(sum("SELECT CAST(SUM(k) AS SIGNED) FROM t")?, keys + count);
    assert_eq!(sum("SELECT COUNT(*) FROM t WHERE s LIKE 'z%'")?, count);
    assert_eq!(connection.execute("DELETE FROM t WHERE s LIKE 'zy%'", ())?, count as u64 / 2);
    assert_eq!(sum("SELECT COUNT(*) FROM t FORCE INDEX (k) WHERE k >= 0")?, count / 2);
    connection.execute("ALTER TABLE t ADD COLUMN n INT NOT NULL DEFAULT 5 FIRST", ())?;
    assert_eq!(sum("SELECT CAST(SUM(n) AS SIGNED) FROM t")?, count / 2 * 5);
    drop(connection);
    database.close()?;
    assert_eq!(spills(&dir), 0, "no spill file is left");
    let table = dir.join("d/t.MYI");
    if let Ok(out) = Command::new("myisamchk").arg("-es").arg(&table).output() {
        assert!(out.status.success() && out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
    }
    let database = SETTINGS.iter().fold(OpenOptions::new(), |o, (n, v)| o.variable(n, v)).open(&dir)?;
    let connection = database.connect()?;
    assert_eq!(connection.query_value::<i64>("SELECT COUNT(*) FROM d.t WHERE s LIKE 'zx%'", ())?, count / 2);
    Ok(())
}
