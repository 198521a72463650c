//! The library as a program uses it.

use std::ops::ControlFlow;

use isambard::{
    ColumnType, Connection, Database, Date, DateTime, Error, OpenOptions, Rows, Time, Value, params,
};

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
        assert!(rows.columns().iter().any(|c| c.name() == "select_type"), "{sql}");
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

#[test]
fn rows_are_read_as_they_are_made() -> Result<(), Error> {
    let (_directory, database) = open();
    let connection = database.connect()?;
    connection.execute("CREATE DATABASE d; USE d; CREATE TABLE t (a INT, s VARCHAR(1000))", ())?;
    let mut appender = connection.appender("t", &[])?;
    for n in 0..1000 {
        appender.append((n, "x".repeat(1000)))?;
    }
    assert_eq!(appender.finish()?, 1000);

    // a million rows of a kilobyte each, and the first thousand looked at
    let mut seen = 0u64;
    let statement = connection.prepare("SELECT x.a, y.s FROM t x, t y WHERE x.a >= ?")?;
    statement.query_each((0,), |row| {
        seen += u64::from(row.get_ref(1)?.to_string().len() == 1000);
        Ok(if seen == 1000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    assert_eq!(seen, 1000);
    // An error of the reader ends the query as well, and is what the caller gets.
    let mut seen = 0u64;
    let failed = connection.query_each("SELECT a FROM t ORDER BY a", (), |row| {
        seen += 1;
        row.get::<String>("b").map(|_| ControlFlow::Continue(()))
    });
    assert_eq!((failed, seen), (Err(Error::NoColumn("b".into())), 1));
    // The connection is busy while rows are read, and free again afterwards.
    let mut inner = Vec::new();
    connection.query_each("SELECT 1 UNION ALL SELECT 2", (), |_| {
        inner.push(connection.execute("SELECT 2", ()));
        let prepared = connection.prepare("SELECT 3");
        inner.push(prepared.map(|_| 0));
        Ok(ControlFlow::Continue(()))
    })?;
    assert_eq!(inner, vec![Err(Error::InUse); 4]);
    // A statement dropped while another is read is closed afterwards.
    let mut dropped = Some(statement);
    connection.query_each("SELECT 1", (), |_| {
        dropped.take();
        Ok(ControlFlow::Continue(()))
    })?;
    let open: i64 = connection.query_value("SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'PREPARED_STMT_COUNT'", ())?;
    assert_eq!(open, 0);
    // All rows of all result sets.
    let all = connection.query_map("SELECT 1; SELECT 2 UNION ALL SELECT 3", (), |row| row.get::<i32>(0))?;
    assert_eq!(all, [1, 2, 3]);
    assert!(connection.query_map("SET @x = 1", (), |row| row.get::<i32>(0))?.is_empty());
    Ok(())
}

#[test]
fn statements_are_kept_for_the_next_use() -> Result<(), Error> {
    let (_directory, database) = open();
    let connection = database.connect()?;
    connection.execute(
        "CREATE DATABASE d; USE d; CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1), (2)",
        (),
    )?;
    let prepared = |connection: &Connection| -> Result<i64, Error> {
        connection
            .query_row("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'", (), |row| row.get::<String>(1))
            .map(|s| s.parse().unwrap_or(-1))
    };
    let before = prepared(&connection)?;
    for n in 0..20 {
        let one = connection.prepare_cached("SELECT a + ? FROM t ORDER BY a")?;
        // Two at a time are two.
        let other = connection.prepare_cached("SELECT a + ? FROM t ORDER BY a")?;
        assert_eq!(one.query_map((n,), |row| row.get::<i64>(0))?, [n + 1, n + 2]);
        assert_eq!(other.query_value::<i64>((n,))?, n + 1);
    }
    assert_eq!(prepared(&connection)? - before, 2);
    // A table that changed is no hindrance.
    connection.execute("ALTER TABLE t ADD b INT; DELETE FROM t WHERE a = 1", ())?;
    assert_eq!(connection.prepare_cached("SELECT a + ? FROM t ORDER BY a")?.query_value::<i64>((1,))?, 3);
    // Those not used for long are closed.
    for n in 0..100 {
        connection.prepare_cached(&format!("SELECT {n}"))?.query_value::<i64>(())?;
    }
    let open: i64 = connection.query_value("SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'PREPARED_STMT_COUNT'", ())?;
    assert_eq!(open, 16);
    Ok(())
}

#[test]
fn an_appender_fills_tables() -> Result<(), Error> {
    let (_directory, database) = open();
    let connection = database.connect()?;
    connection.execute("CREATE DATABASE d; CREATE DATABASE `odd ``name`", ())?;
    connection.execute("CREATE TABLE `odd ``name`.`t.1` (id INT AUTO_INCREMENT PRIMARY KEY, `a ``b` VARCHAR(20), c DOUBLE, UNIQUE (`a ``b`))", ())?;
    let table = ("odd `name", "t.1");
    let mut appender = connection.appender(table, &["a `b", "c"])?;
    for n in 0..10_000 {
        appender.append((format!("row {n}"), if n % 10 == 0 { None } else { Some(f64::from(n)) }))?;
    }
    assert_eq!(appender.append((1,)), Err(Error::RowWidth { given: 1, wanted: 2 }));
    assert_eq!(appender.finish()?, 10_000);
    let sums = connection.query_row(
        "SELECT COUNT(*), COUNT(c), MAX(id), SUM(c) FROM `odd ``name`.`t.1`",
        (),
        |row| Ok((row.get::<u64>(0)?, row.get::<u64>(1)?, row.get::<u64>(2)?, row.get::<f64>(3)?)),
    )?;
    assert_eq!(sums, (10_000, 9_000, 10_000, (0..10_000).filter(|n| n % 10 != 0).map(f64::from).sum()));
    // all columns, a row that is there, and what Drop inserts
    let mut appender = connection.appender(table, &[])?;
    appender.append((20_000, "row 7", 0.0))?;
    assert_eq!(appender.flush().expect_err("duplicate").code(), Some(1062));
    appender.append(params![20_001, "new", None::<f64>])?;
    drop(appender);
    let count: u64 =
        connection.query_value("SELECT COUNT(*) FROM `odd ``name`.`t.1` WHERE id > 10000", ())?;
    assert_eq!(count, 1);
    assert_eq!(connection.appender(("d", "none"), &[]).err().and_then(|e| e.code()), Some(1146));
    assert_eq!(connection.appender(table, &["none"]).err().and_then(|e| e.code()), Some(1054));
    let check = connection.query("CHECK TABLE `odd ``name`.`t.1` EXTENDED", ())?;
    assert_eq!(check.row(0).expect("row").get::<String>("Msg_text")?, "OK");
    Ok(())
}

#[test]
fn columns_are_described() -> Result<(), Error> {
    let (_directory, database) = open();
    let connection = database.connect()?;
    connection.execute("CREATE DATABASE d; USE d; CREATE TABLE t (a INT UNSIGNED NOT NULL, b VARCHAR(5), c VARBINARY(5), e ENUM('x'), s SET('y'), t TEXT, l BLOB, n DECIMAL(8,3), d DATETIME(2), f DOUBLE)", ())?;
    let rows = connection.query("SELECT a, b AS heading, c, e, s, t, l, n, d, f, 1 + a FROM t alias", ())?;
    let columns = rows.columns();
    use ColumnType::*;
    let types: Vec<_> = columns.iter().map(|c| c.ty()).collect();
    assert_eq!(types, [Int, VarChar, VarBinary, Enum, Set, Text, Blob, Decimal, DateTime, Double, BigInt]);
    assert_eq!(columns.names().skip(1).step_by(9).collect::<Vec<_>>(), ["heading", "1 + a"]);
    let of = |n| columns.get(n).expect("column");
    assert_eq!((of(0).nullable(), of(0).unsigned(), of(1).nullable()), (false, true, true));
    assert_eq!(
        (of(1).original_name(), of(1).table(), of(1).database()),
        (Some("b"), Some("alias"), Some("d"))
    );
    assert_eq!((of(10).original_name(), of(10).table()), (None, None));
    assert_eq!((of(7).decimals(), of(8).decimals(), of(9).decimals()), (Some(3), Some(2), None));
    Ok(())
}

#[test]
fn another_thread_interrupts() -> Result<(), Error> {
    fn moves<T: Send>(_: &T) {}
    let (_directory, database) = open();
    let connection = database.connect()?;
    moves(&connection);
    let handle = connection.interrupt_handle();
    let (started, wait) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        started.send(()).expect("send");
        let long = connection.query_value::<i64>("SELECT COUNT(*) FROM information_schema.COLLATIONS a, information_schema.COLLATIONS b, information_schema.COLLATIONS c, information_schema.COLLATIONS d", ());
        (long, connection)
    });
    wait.recv().expect("started");
    while !thread.is_finished() {
        handle.interrupt();
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let (long, connection) = thread.join().expect("thread");
    assert_eq!(long.expect_err("interrupted").code(), Some(1317));
    // The connection goes on.
    assert_eq!(connection.query_value::<i64>("SELECT 1", ())?, 1);
    Ok(())
}

#[test]
fn a_directory_may_have_to_be_there() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let missing = directory.path().join("missing");
    assert!(OpenOptions::new().create(false).open(&missing).is_err());
    assert!(!missing.exists());
    assert!(OpenOptions::new().variable("no_such_variable", "1").open(&missing).is_err());
}

#[test]
fn the_order_of_a_join_goes_by_all_its_tables() -> Result<(), Error> {
    let (_directory, database) = open();
    let connection = database.connect()?;
    connection.execute("CREATE DATABASE d; USE d", ())?;
    connection.execute(
        "CREATE TABLE fact (a INT NOT NULL, b INT NOT NULL, n INT NOT NULL, KEY (a), KEY (b))",
        (),
    )?;
    connection.execute("INSERT INTO fact SELECT seq % 200, seq % 199, seq FROM seq_1_to_40000", ())?;
    for name in ["first", "second"] {
        connection.execute(&format!("CREATE TABLE {name} (id INT PRIMARY KEY, kind INT NOT NULL)"), ())?;
        connection.execute(&format!("INSERT INTO {name} SELECT seq, seq % 4 FROM seq_0_to_199"), ())?;
    }
    let sql = "SELECT first.kind, SUM(n), COUNT(*) FROM fact, first, second \
               WHERE a = first.id AND b = second.id AND second.kind < 2 GROUP BY first.kind ORDER BY 1";
    let tables = |depth: u32| -> Result<Vec<String>, Error> {
        connection.execute(&format!("SET optimizer_search_depth = {depth}"), ())?;
        let rows = connection.query(&format!("EXPLAIN {sql}"), ())?;
        (0..rows.len()).map(|n| rows.row(n).expect("a table").get::<String>("table")).collect()
    };
    // the two small ones have nothing in common: each pair of their rows would be looked up
    assert_eq!(tables(1)?[2], "fact");
    assert_ne!(tables(62)?[2], "fact");
    let sums = |threads: u32| -> Result<Vec<(i64, i64, i64)>, Error> {
        connection.execute(&format!("SET isambard_threads = {threads}"), ())?;
        let rows = connection.query(sql, ())?;
        (0..rows.len())
            .map(|n| rows.row(n).expect("a group"))
            .map(|row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .collect()
    };
    let alone = sums(1)?;
    let joined: i64 = connection.query_value("SELECT COUNT(*) FROM fact WHERE b % 4 < 2", ())?;
    assert_eq!(alone.iter().map(|row| row.2).sum::<i64>(), joined);
    for threads in 2..4 {
        assert_eq!(sums(threads)?, alone);
    }
    Ok(())
}
