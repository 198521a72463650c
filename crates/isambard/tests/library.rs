//! The library as a program uses it.

use isambard::{Database, Date, DateTime, Error, Rows, Time, Value};

fn open() -> (tempfile::TempDir, Database) {
    let directory = tempfile::tempdir().expect("temporary directory");
    let database = Database::open(directory.path().join("data")).expect("open");
    (directory, database)
}

#[test]
fn rows_have_types() -> Result<(), Error> {
    let (_directory, database) = open();
    let connection = database.connect()?;
    connection.execute("CREATE DATABASE d; USE d", ())?;
    connection.execute(
        "CREATE TABLE t (i INT, u BIGINT UNSIGNED, f DOUBLE, n DECIMAL(10,2), s VARCHAR(20), b BLOB, d DATE, t TIME(6), dt DATETIME(6))",
        (),
    )?;
    let insert = connection.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
    assert_eq!(insert.parameters(), 9);
    let date = Date { year: 2024, month: 2, day: 29 };
    let time = Time { negative: true, hours: 100, minutes: 1, seconds: 2, micros: 3 };
    let moment = DateTime { date, hour: 23, minute: 59, second: 58, micros: 999_999 };
    let affected =
        insert.execute((-5, u64::MAX, 1.5, "12.34", "größe", vec![0u8, 255], date, time, moment))?;
    assert_eq!(affected, 1);
    insert.execute([None::<i32>; 9])?;
    let rows = connection.query("SELECT * FROM t ORDER BY i IS NULL", ())?;
    assert_eq!((rows.len(), rows.columns().len()), (2, 9));
    let row = rows.row(0).expect("row");
    assert_eq!(row.get::<i32>("i")?, -5);
    assert_eq!(row.get::<u64>("U")?, u64::MAX);
    assert_eq!(row.get::<f64>(2)?, 1.5);
    assert_eq!((row.get::<String>(3)?, row.get::<f64>(3)?), ("12.34".into(), 12.34));
    assert_eq!(row.get::<String>(4)?, "größe");
    assert_eq!(row.get::<Vec<u8>>(5)?, [0, 255]);
    assert_eq!(row.get::<Date>(6)?, date);
    assert_eq!(row.get::<Time>(7)?, time);
    assert_eq!(row.get::<DateTime>(8)?, moment);
    assert!(rows.row(1).expect("row").values().all(|v| v.is_null()));
    assert_eq!(rows.row(1).expect("row").get::<Option<i64>>(0)?, None);
    // A value that does not fit, a column that is not there.
    assert!(matches!(row.get::<u8>(0), Err(Error::Conversion { column: 0, .. })));
    assert!(matches!(row.get::<i64>("none"), Err(Error::NoColumn(_))));
    assert!(matches!(row.get::<i64>(9), Err(Error::NoColumn(_))));
    // Values as parameters again.
    let values: Vec<Value> = row.values().map(|v| v.to_owned()).collect();
    assert_eq!(insert.execute(&values)?, 1);
    let count: i64 = connection.query_value("SELECT COUNT(*) FROM t WHERE u = ?", (u64::MAX,))?;
    assert_eq!(count, 2);
    Ok(())
}

#[test]
fn changes_give_rows_back() -> Result<(), Error> {
    let (_directory, database) = open();
    let connection = database.connect()?;
    connection.execute("CREATE DATABASE d; USE d", ())?;
    connection.execute("CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, s VARCHAR(3000))", ())?;
    let insert = connection.prepare("INSERT INTO t (s) VALUES (?) RETURNING id, LENGTH(s) AS l")?;
    for n in 1..=3i64 {
        let rows = insert.query((format!("{n:0w$}", w = n as usize),))?;
        assert_eq!((rows.len(), rows.columns().len()), (1, 2));
        let row = rows.row(0).expect("row");
        assert_eq!((row.get::<i64>("id")?, row.get::<i64>("l")?), (n, n));
    }
    // more than a statement may hold in memory, with the table's lock given back before the rows are read
    connection.execute("SET tmp_memory_table_size = 100000", ())?;
    let sql = "INSERT INTO t (s) SELECT REPEAT(a.id, 3000) FROM t a, t b, t c, t d, t e RETURNING id, s";
    let rows = connection.query(sql, ())?;
    assert_eq!(rows.len(), 243);
    assert_eq!(rows.row(242).expect("row").get::<i64>(0)?, 246);
    assert!((0..243).all(|n| rows.row(n).is_some_and(|r| r.get::<String>(1).is_ok_and(|s| s.len() == 3000))));
    let gone = connection.query("DELETE FROM t WHERE id > ? RETURNING id", (3,))?;
    assert_eq!(gone.len(), 243);
    assert_eq!(connection.query("DELETE FROM t RETURNING *", ())?.len(), 3);
    Ok(())
}

#[test]
fn analyze_runs_the_statement() -> Result<(), Error> {
    let (_directory, database) = open();
    let connection = database.connect()?;
    connection.execute("CREATE DATABASE d; USE d", ())?;
    connection.execute("CREATE TABLE t (a INT PRIMARY KEY, b INT)", ())?;
    for (sql, sum) in [
        ("INSERT INTO t VALUES (1, 1), (2, 2)", 3),
        ("INSERT INTO t SELECT a + 2, b + 2 FROM t", 10),
        ("UPDATE t SET b = 10 WHERE a = 1", 19),
        ("DELETE FROM t WHERE a > 3 RETURNING a", 15),
        ("REPLACE INTO t VALUES (1, 0)", 5),
        ("SELECT * FROM t", 5),
    ] {
        let before: Option<i64> = connection.query_value("SELECT SUM(b) FROM t", ())?;
        connection.query(&format!("EXPLAIN {sql}"), ())?;
        assert_eq!(connection.query_value::<Option<i64>>("SELECT SUM(b) FROM t", ())?, before, "{sql}");
        let rows = connection.query(&format!("ANALYZE {sql}"), ())?;
        assert!(rows.columns().iter().any(|c| c.name == "select_type"), "{sql}");
        assert_eq!(connection.query_value::<i64>("SELECT SUM(b) FROM t", ())?, sum, "{sql}");
    }
    Ok(())
}

#[test]
fn errors_have_mysqls_numbers() -> Result<(), Error> {
    let (_directory, database) = open();
    let connection = database.connect()?;
    assert_eq!(connection.execute("SELEC 1", ()).expect_err("syntax").code(), Some(1064));
    assert_eq!(
        connection.query("SELECT * FROM none.t", ()).map(|r| r.len()).expect_err("table").code(),
        Some(1146)
    );
    assert!(database.connect_to("none").is_err_and(|e| e.code() == Some(1049)));
    connection
        .execute("CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY); INSERT INTO d.t VALUES (1)", ())?;
    assert_eq!(
        connection.execute("INSERT INTO d.t VALUES (?)", (1,)).expect_err("duplicate").code(),
        Some(1062)
    );
    assert_eq!(connection.query_value::<i64>("SELECT a FROM d.t WHERE a = 2", ()), Err(Error::NoRow));
    // The connection goes on.
    assert_eq!(connection.query_value::<i64>("SELECT a FROM d.t", ())?, 1);
    Ok(())
}

#[test]
fn statements_live_side_by_side() -> Result<(), Error> {
    let (_directory, database) = open();
    let connection = database.connect()?;
    connection
        .execute("CREATE DATABASE d; USE d; CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT)", ())?;
    let insert = connection.prepare("INSERT INTO t (v) VALUES (?)")?;
    let select = connection.prepare("SELECT v FROM t WHERE id = ?")?;
    let mut rows = Rows::default();
    for v in 1..=100 {
        insert.execute((v * v,))?;
        assert_eq!(connection.last_insert_id(), v);
        select.query_into((v,), &mut rows)?;
        assert_eq!(rows.iter().map(|r| r.get::<u64>(0)).collect::<Result<Vec<_>, _>>()?, [v * v]);
        // Another statement of the same connection inside the closure.
        let pair = select.query_row((v,), |row| {
            Ok((row.get::<u64>(0)?, connection.query_value::<u64>("SELECT COUNT(*) FROM t", ())?))
        })?;
        assert_eq!(pair, (v * v, v));
    }
    assert_eq!(connection.execute("UPDATE t SET v = 0 WHERE id > ?", (90,))?, 10);
    Ok(())
}

#[test]
fn what_was_written_is_there_after_a_close_and_without_one() -> Result<(), Error> {
    let directory = tempfile::tempdir().expect("temporary directory");
    let path = directory.path().join("data");
    let database = Database::open(&path)?;
    let connection = database.connect()?;
    connection.execute("CREATE DATABASE d; CREATE TABLE d.t (a INT, b VARCHAR(10), KEY (a))", ())?;
    connection.execute("INSERT INTO d.t VALUES (1, 'one'), (2, 'two')", ())?;
    // The directory belongs to this process.
    assert!(Database::open(&path).is_err());
    drop(connection);
    database.close()?;
    assert!(path.join("d/t.MYD").exists());
    for expected in [2, 3] {
        let database = Database::open(&path)?;
        let connection = database.connect_to("d")?;
        assert_eq!(connection.query_value::<i64>("SELECT COUNT(*) FROM t", ())?, expected);
        let name: String = connection.query_value("SELECT b FROM t WHERE a = 2", ())?;
        assert_eq!(name, "two");
        connection.execute("INSERT INTO t VALUES (3, 'three')", ())?;
    }
    Ok(())
}

#[test]
fn connections_work_in_parallel() -> Result<(), Error> {
    let (_directory, database) = open();
    database.connect()?.execute("CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY, b INT)", ())?;
    std::thread::scope(|scope| {
        for part in 0..4 {
            let database = database.clone();
            scope.spawn(move || {
                let connection = database.connect_to("d").expect("connect");
                let insert = connection.prepare("INSERT INTO t VALUES (?, ?)").expect("prepare");
                for n in 0..200 {
                    insert.execute((part * 1000 + n, n)).expect("insert");
                }
            });
        }
    });
    let connection = database.connect_to("d")?;
    let (count, sum) = connection.query_row("SELECT COUNT(*), SUM(b) FROM t", (), |row| {
        Ok((row.get::<i64>(0)?, row.get::<i64>(1)?))
    })?;
    assert_eq!((count, sum), (800, 4 * 199 * 100));
    Ok(())
}
