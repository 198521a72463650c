//! Databases go by mariadb-dump from Isambard to MariaDB and back; the client programs work.

use isambard_tests::peers::{Peer, oracle_present, scratch};
use mysql::prelude::Queryable;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Tables of all column types, and the rows that matter to a dump.
const TABLES: &str = include_str!("data/dump.sql");

fn program(peer: &Peer, name: &str, args: &[&str], stdin: Option<&[u8]>) -> Result<Vec<u8>, String> {
    let mut child = Command::new(name)
        .args(["--no-defaults", "-uroot", "-S"])
        .arg(&peer.socket)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{name}: {e}"))?;
    let mut pipe = child.stdin.take().expect("a pipe");
    let text = stdin.unwrap_or_default().to_vec();
    let feeder = std::thread::spawn(move || {
        let _ = pipe.write_all(&text);
    });
    let out = child.wait_with_output().map_err(|e| format!("{name}: {e}"))?;
    let _ = feeder.join();
    if out.status.success() {
        Ok(out.stdout)
    } else {
        Err(format!("{name} {args:?} on {}: {}", peer.name, String::from_utf8_lossy(&out.stderr)))
    }
}

fn must(peer: &Peer, name: &str, args: &[&str], stdin: Option<&[u8]>) -> Vec<u8> {
    program(peer, name, args, stdin).unwrap_or_else(|e| panic!("{e}"))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Random rows: text of several alphabets, bytes of all values, NULLs, numbers of every size.
fn fill(peer: &Peer, db: &str, rows: usize) {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut conn = peer.connect(db);
    conn.query_drop("SET NAMES utf8mb4").expect("names");
    conn.query_drop(
        "CREATE TABLE many (id int NOT NULL AUTO_INCREMENT, n bigint, s varchar(200), bin varbinary(60), t text, \
         d decimal(12,4), f double, dt datetime(6), e enum('x','y'), c char(10) CHARACTER SET latin1, b blob, \
         PRIMARY KEY (id), KEY (n), KEY s (s(30)), UNIQUE (bin, id)) ENGINE=MyISAM DEFAULT CHARSET=utf8mb4",
    )
    .expect("table");
    let mut done = 0;
    while done < rows {
        let mut sql = String::from("INSERT INTO many (n, s, bin, t, d, f, dt, e, c, b) VALUES ");
        for i in 0..200 {
            if i > 0 {
                sql.push(',');
            }
            let mut cells: Vec<String> = Vec::new();
            let words = ["a", "Zß", "日本", "😀", "\\'", "\\\\", "\\n", "\\0", "ж", "\t"];
            let word = |rng: &mut fastrand::Rng, n: usize| -> String {
                let all: String = (0..rng.usize(0..n)).map(|_| words[rng.usize(0..words.len())]).collect();
                format!("'{all}'")
            };
            let hex = |rng: &mut fastrand::Rng, n: usize| -> String {
                let all: String = (0..rng.usize(0..n)).map(|_| format!("{:02x}", rng.u8(..))).collect();
                format!("x'{all}'")
            };
            cells.push(rng.i64(..).to_string());
            cells.push(word(&mut rng, 30));
            cells.push(hex(&mut rng, 60));
            cells.push(word(&mut rng, 200));
            cells.push(format!("{}.{:04}", rng.i32(-9_999_999..9_999_999), rng.u32(0..10_000)));
            cells.push(format!("{:e}", (rng.f64() - 0.5) * 10f64.powi(rng.i32(-200..200))));
            cells.push(format!(
                "'{:04}-{:02}-{:02} 12:{:02}:01.{:06}'",
                rng.u32(1000..9999),
                rng.u32(1..13),
                rng.u32(1..29),
                rng.u32(0..60),
                rng.u32(0..1_000_000)
            ));
            cells.push(rng.u8(1..3).to_string());
            cells.push(["'ab'", "'é '", "''", "'ÿ'"][rng.usize(0..4)].to_string());
            cells.push(hex(&mut rng, 300));
            for c in &mut cells {
                if rng.u8(0..10) == 0 {
                    *c = "NULL".into();
                }
            }
            sql.push('(');
            sql.push_str(&cells.join(","));
            sql.push(')');
        }
        conn.query_drop(&sql).expect("rows");
        done += 200;
    }
    // holes, so that the order of rows in the file is not that of the ids
    conn.query_drop("DELETE FROM many WHERE id % 7 = 3").expect("delete");
    conn.query_drop("INSERT INTO many (s) VALUES ('into a hole'),('another')").expect("reuse");
}

fn dump(peer: &Peer, db: &str, more: &[&str]) -> Vec<u8> {
    let mut args = vec!["--skip-comments", "--skip-extended-insert", "--order-by-primary"];
    args.extend(more);
    args.push(db);
    must(peer, "mariadb-dump", &args, None)
}

/// Rows of tables without a unique key come in any order: the lines of a dump, sorted.
fn sorted(dump: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = dump.split(|b| *b == b'\n').collect();
    lines.sort_unstable();
    lines
}

fn same(a: &[u8], b: &[u8], what: &str) {
    let (a, b) = (sorted(a), sorted(b));
    let show = |l: &[u8]| String::from_utf8_lossy(&l[..l.len().min(300)]).into_owned();
    let only = |x: &[&[u8]], y: &[&[u8]]| -> Vec<String> {
        x.iter().filter(|l| y.binary_search(l).is_err()).map(|l| show(l)).take(10).collect()
    };
    let (left, right) = (only(&a, &b), only(&b, &a));
    assert!(
        left.is_empty() && right.is_empty(),
        "{what}:\n- {}\n+ {}",
        left.join("\n- "),
        right.join("\n+ ")
    );
    assert_eq!(a.len(), b.len(), "{what}: number of lines");
    assert!(a.len() > 3_000, "{what}: {} lines are too few to tell anything", a.len());
}

fn checksums(peer: &Peer, db: &str) -> Vec<(String, Option<u64>)> {
    let mut conn = peer.connect(db);
    let tables: Vec<String> = conn.query("SHOW TABLES").expect("tables");
    tables
        .into_iter()
        .map(|t| {
            let row: Option<(String, Option<u64>)> =
                conn.query_first(format!("CHECKSUM TABLE `{t}` EXTENDED")).expect("checksum");
            (t, row.expect("a row").1)
        })
        .collect()
}

#[test]
fn dumps_go_to_mariadb_and_back() {
    if !oracle_present() {
        return;
    }
    let (ours, theirs) = (Peer::isambard(&[]), Peer::mariadb(&[]));
    must(&ours, "mariadb", &["--default-character-set=utf8mb4"], Some(TABLES.as_bytes()));
    fill(&ours, "dmp", 4_000);
    let rounds: [&[&str]; 3] = [&[], &["--hex-blob"], &["--single-transaction", "--routines", "--events"]];
    let first_sums = checksums(&ours, "dmp");
    assert!(first_sums.iter().all(|s| s.1.is_some()), "{first_sums:?}");
    for (n, more) in rounds.iter().enumerate() {
        let first = dump(&ours, "dmp", more);
        let (there, back) = (format!("there{n}"), format!("back{n}"));
        must(&theirs, "mariadb", &["-e", &format!("CREATE DATABASE {there} CHARACTER SET utf8mb4")], None);
        must(&theirs, "mariadb", &[&there], Some(&first));
        let second = dump(&theirs, &there, more);
        same(&first, &second, &format!("dump {more:?} restored in MariaDB"));
        assert_eq!(first_sums, checksums(&theirs, &there), "checksums in MariaDB, {more:?}");
        must(&ours, "mariadb", &["-e", &format!("CREATE DATABASE {back} CHARACTER SET utf8mb4")], None);
        must(&ours, "mariadb", &[&back], Some(&second));
        same(&second, &dump(&ours, &back, more), &format!("dump {more:?} come back"));
        assert_eq!(first_sums, checksums(&ours, &back), "checksums come back, {more:?}");
    }
    // whole databases with their CREATE DATABASE
    let all = must(&ours, "mariadb-dump", &["--databases", "dmp", "back0"], None);
    for drop in ["DROP DATABASE there0", "DROP DATABASE IF EXISTS dmp"] {
        must(&theirs, "mariadb", &["-e", drop], None);
    }
    must(&theirs, "mariadb", &[], Some(&all));
    assert_eq!(first_sums, checksums(&theirs, "dmp"));
    assert_eq!(first_sums, checksums(&theirs, "back0"));
    // tab-separated files written by the server, loaded by the client
    let tabs = theirs.datadir.join("tabs");
    std::fs::create_dir(&tabs).expect("folder");
    let folder = tabs.to_string_lossy().into_owned();
    must(
        &theirs,
        "mariadb-dump",
        &["--tab", &folder, "--default-character-set=binary", "dmp", "many", "strs"],
        None,
    );
    must(&ours, "mariadb", &["back0", "-e", "TRUNCATE many; TRUNCATE strs"], None);
    let files: Vec<String> = ["many", "strs"].iter().map(|t| format!("{folder}/{t}.txt")).collect();
    let said = text(must(
        &ours,
        "mariadb-import",
        &["--local", "--default-character-set=binary", "back0", &files[0], &files[1]],
        None,
    ));
    assert!(said.contains("back0.many: Records:") && said.contains("Skipped: 0"), "{said}");
    assert_eq!(first_sums, checksums(&ours, "back0"), "after mariadb-import");
}

#[test]
fn client_programs_work() {
    if !oracle_present() {
        return;
    }
    let ours = Peer::isambard(&[]);
    must(&ours, "mariadb", &["--default-character-set=utf8mb4"], Some(TABLES.as_bytes()));
    let admin = |args: &[&str]| text(must(&ours, "mariadb-admin", args, None));
    assert_eq!(admin(&["ping"]).trim(), "mysqld is alive");
    let status = admin(&["status"]);
    for word in ["Uptime: ", "Threads: ", "Questions: ", "Slow queries: ", "Opens: ", "Open tables: "] {
        assert!(status.contains(word), "{status}");
    }
    assert!(admin(&["processlist"]).contains("show processlist"));
    assert!(admin(&["extended-status"]).contains("| Questions"));
    assert!(admin(&["variables"]).contains("| max_allowed_packet"));
    assert!(admin(&["version"]).contains("Server version"));
    admin(&["create", "fresh"]);
    admin(&["-f", "drop", "fresh"]);
    admin(&["flush-tables"]);
    admin(&["refresh"]);
    let show = |args: &[&str]| text(must(&ours, "mariadb-show", args, None));
    assert!(show(&[]).contains("| dmp "));
    assert!(show(&["dmp"]).contains("| odd name-1 |"));
    assert!(show(&["dmp", "ints"]).contains("bigint(20) unsigned"));
    assert!(show(&["--keys", "dmp", "ints"]).contains("PRIMARY"));
    assert!(show(&["--status", "dmp"]).contains("MyISAM"));
    assert!(show(&["--count", "dmp"]).contains("rows in set"));
    let check = |args: &[&str]| text(must(&ours, "mariadb-check", args, None));
    for args in [
        &["dmp"][..],
        &["--extended", "dmp"],
        &["--databases", "dmp"],
        &["--auto-repair", "dmp"],
        &["--fast", "dmp", "ints"],
    ] {
        let said = check(args);
        let bad: Vec<&str> =
            said.lines().filter(|l| !l.ends_with("OK") && !l.ends_with("up to date")).collect();
        assert!(bad.is_empty() && said.contains("dmp.ints"), "{args:?}: {said}");
    }
    // the client's own commands
    let batch = |script: &str, args: &[&str]| text(must(&ours, "mariadb", args, Some(script.as_bytes())));
    let said = batch("status", &["dmp"]);
    for word in ["Current database:\tdmp", "Current user:\t\troot@localhost", "Server version:", "Uptime:"] {
        assert!(said.contains(word), "{said}");
    }
    assert!(batch("SELECT id, a FROM ints WHERE id = 1\\G", &["dmp"]).contains("id: 1\n a: -128\n"));
    let script = ours.datadir.with_file_name("script.sql");
    std::fs::write(&script, "SELECT 'sourced';\nSELECT 2;\n").expect("script");
    assert_eq!(batch(&format!("source {}", script.display()), &["-N"]), "sourced\n2\n");
    assert_eq!(
        batch("delimiter //\nSELECT 1; SELECT 2//\nuse dmp\nSELECT database()//", &["-N"]),
        "1\n2\ndmp\n"
    );
    assert_eq!(batch("SELECT 1;\nSELECT nonsense;", &["-N", "--force"]), "1\n");
    assert_eq!(batch("connect dmp\nSELECT database();", &["-N"]), "dmp\n");
    assert!(batch("SELECT id FROM ints;", &["-t", "dmp"]).starts_with("+----+\n| id |\n+----+\n"));
    assert!(batch("SELECT id FROM ints LIMIT 1;", &["--html", "dmp"]).contains("<TH>id</TH>"));
    assert!(batch("SELECT id FROM ints LIMIT 1;", &["--xml", "dmp"]).contains("<field name=\"id\">"));
    assert!(
        batch("INSERT INTO empty1 VALUES (1),(2)", &["-vvv", "dmp"])
            .contains("Records: 2  Duplicates: 0  Warnings: 0")
    );
    assert!(batch("SELECT 1/0; SHOW WARNINGS", &["--show-warnings"]).contains("1365"));
    // reading the tables' columns for completion (COM_FIELD_LIST) needs a terminal: script(1) makes one
    let line = format!(
        "printf 'select * from ints where id = 1;\\nexit\\n' | script -qec 'mariadb --no-defaults -uroot -S {} dmp' /dev/null",
        ours.socket.display()
    );
    let out = Command::new("sh").arg("-c").arg(&line).output().expect("script");
    let said = text(out.stdout);
    assert!(said.contains("Reading table information for completion"), "{said}");
    assert!(said.contains("1 row in set") && !said.contains("ERROR"), "{said}");
}

/// Everything at once, the tables of `mysql` included, goes to both servers; those tables are the same as MariaDB's.
#[test]
fn all_databases_are_dumped_and_restored() {
    if !oracle_present() {
        return;
    }
    let (own, maria) = (Peer::isambard(&[]), Peer::mariadb(&[]));
    let mut conn = own.connect("");
    for sql in ["CREATE DATABASE d", "CREATE TABLE d.t (a int PRIMARY KEY)", "INSERT INTO d.t VALUES (1),(2)"]
    {
        conn.query_drop(sql).expect(sql);
    }
    let tables: Vec<String> = conn.query("SHOW TABLES FROM mysql").expect("tables");
    let mut theirs = maria.connect("");
    let plain = |text: &str| {
        let list = text.rsplit_once("ENGINE=").map_or(text, |(body, _)| body).to_owned();
        (list, text.split_once("COMMENT=").map(|(_, comment)| comment.to_owned()))
    };
    // ours of accounts are told by their own tests
    let accounts = [
        "user",
        "global_priv",
        "db",
        "tables_priv",
        "columns_priv",
        "procs_priv",
        "proxies_priv",
        "roles_mapping",
    ];
    let mut compared = 0;
    for t in tables.iter().filter(|t| !accounts.contains(&t.as_str())) {
        let show = format!("SHOW CREATE TABLE mysql.`{t}`");
        let ours: Option<(String, String)> = conn.query_first(&show).expect("ours");
        let right: Option<(String, String)> = theirs.query_first(&show).expect("theirs");
        assert_eq!(ours.map(|r| plain(&r.1)), right.map(|r| plain(&r.1)), "{t}");
        compared += 1;
    }
    assert!(compared >= 22, "{compared} tables of mysql");
    let dump = must(&own, "mariadb-dump", &["--all-databases"], None);
    assert!(text(dump.clone()).contains("general_log"));
    for peer in [&maria, &Peer::isambard(&[])] {
        must(peer, "mariadb", &[], Some(&dump));
        let rows: Vec<i32> = peer.connect("d").query("SELECT a FROM t ORDER BY a").expect("rows");
        assert_eq!(rows, [1, 2], "{}", peer.name);
    }
}

/// The files of SELECT ... INTO OUTFILE with every form of FIELDS and LINES, byte for byte.
#[test]
fn files_of_rows_are_the_same() {
    if !oracle_present() {
        return;
    }
    let folder = scratch("outfile");
    std::fs::create_dir_all(&folder).expect("folder");
    let (maria, ours) =
        (Peer::mariadb(&["--secure-file-priv="]), Peer::isambard(&["--set", "secure_file_priv="]));
    let tables = [
        "CREATE TABLE t (a VARCHAR(20), b VARCHAR(20), n INT, d DOUBLE, t TEXT, dt DATE)",
        r#"INSERT INTO t VALUES ('abc', 'xnx', 1, 1.5, 'tbt', '2001-01-11'), ('a,b"c\\d', 'x\ny', 12, 0.25, 'b"b', '2011-11-11'),
          (NULL, '', 0, NULL, 'N', '2002-02-02'), ('bcb', 'NULL', 11, 1e30, '\\N', NULL)"#,
        "CREATE TABLE m (a VARCHAR(10) CHARACTER SET sjis, b VARCHAR(10) CHARACTER SET utf8mb4, c VARCHAR(10) CHARACTER SET gbk,
          u VARCHAR(4) CHARACTER SET ucs2, v VARBINARY(5), e ENUM('a,b', '\"'), y YEAR, ti TIME, i INET6, f DECIMAL(5,2))",
        r#"INSERT INTO m VALUES (_sjis x'835C5C41', 'ä,"\\', _gbk x'815C5C2C', 'a,\\', 'a,\0b\\', 1, 2001, '10:11:12', '::1', 1.44),
          ('"', 'b', 'b', 'b', '"', 2, 2011, '-11:00:00', '1::', -92)"#,
        "CREATE TABLE w (a VARCHAR(5), n INT, d DATE, dc DECIMAL(6,2), ti TINYINT UNSIGNED, y YEAR)",
        "INSERT INTO w VALUES ('ab', 1, '2001-02-03', -1.5, 3, 2002), ('x', -12345, NULL, NULL, NULL, 1999)",
    ];
    let mut forms = vec![String::new()];
    for terminator in [",", "b", "1", ".", "-", "N", "0", "bc", "n", "", "\\t", "é"] {
        forms.push(format!("FIELDS TERMINATED BY '{terminator}'"));
        for enclosed in ["\"", "1", "b", "0"] {
            forms.push(format!("FIELDS TERMINATED BY '{terminator}' ENCLOSED BY '{enclosed}'"));
            forms.push(format!(
                "FIELDS TERMINATED BY '{terminator}' OPTIONALLY ENCLOSED BY '{enclosed}' ESCAPED BY 'c'"
            ));
        }
    }
    for rest in [
        "ESCAPED BY ''",
        "ESCAPED BY 'a'",
        "ESCAPED BY '1'",
        "TERMINATED BY 'x' ENCLOSED BY 'b' ESCAPED BY 'b'",
    ] {
        forms.push(format!("FIELDS {rest}"));
    }
    for lines in
        ["TERMINATED BY 'b'", "TERMINATED BY '1' STARTING BY 'x'", "TERMINATED BY ','", "TERMINATED BY ''"]
    {
        forms.push(format!("FIELDS TERMINATED BY ',' LINES {lines}"));
        forms.push(format!("LINES {lines}"));
    }
    let mut files: Vec<Vec<(Vec<u8>, Vec<String>)>> = Vec::new();
    for peer in [&maria, &ours] {
        let mut conn = peer.connect("");
        conn.query_drop("CREATE DATABASE o; USE o; SET NAMES utf8mb4").expect("database");
        for table in tables {
            conn.query_drop(table).expect("table");
        }
        let mut written = Vec::new();
        for table in ["t", "m", "w"] {
            for (n, form) in forms.iter().enumerate() {
                let path = folder.join(format!("{}-{table}{n}", peer.name));
                conn.query_drop(format!("SELECT * INTO OUTFILE '{}' {form} FROM {table}", path.display()))
                    .expect("OUTFILE");
                let warnings = conn.query("SHOW WARNINGS").expect("warnings");
                let warnings = warnings
                    .into_iter()
                    .map(|(_, code, text): (String, u16, String)| format!("{code} {text}"));
                written.push((std::fs::read(&path).expect("file"), warnings.collect()));
            }
        }
        files.push(written);
    }
    let mut wrong = Vec::new();
    for (n, (theirs, ours)) in files[0].iter().zip(&files[1]).enumerate() {
        if theirs != ours {
            let show = |(file, warnings): &(Vec<u8>, Vec<String>)| {
                format!("{} {warnings:?}", String::from_utf8_lossy(file))
            };
            let form = &forms[n % forms.len()];
            wrong.push(format!("table {} {form}\n< {}\n> {}", n / forms.len(), show(theirs), show(ours)));
        }
    }
    std::fs::remove_dir_all(folder).expect("remove");
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files[0].len(), wrong.join("\n"));
}

/// LOAD DATA of characters whose further bytes look like separators, of fields without separators, of lines that end as
/// fields do.
#[test]
fn files_of_rows_are_read_the_same() {
    if !oracle_present() {
        return;
    }
    let folder = scratch("infile");
    std::fs::create_dir_all(&folder).expect("folder");
    let files: [(&str, &[u8]); 5] = [
        ("sjis", b"\x83\x5c\x5c\x5cA\tx\n\x83\x5cn\t\x83\x5c\n\\\x83\x5c\\\t\\\x83\x5c"),
        ("gbk", b"a\x815\\tb\tq\n\x81\x5ct\t\x81\x5c\n\x81"),
        ("fixed", b"ab   1          2001-02-03-1.50   3  2002\nx    -12345\n     0                    99.99   2552000\n"),
        ("odd", b"ab\\n   1\nxx\n\nlonger than all the widths of the row are together, and more\nab   12"),
        ("commas", b"a,b,c,d,e\n,\"f\",g"),
    ];
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).expect("file");
    }
    let (maria, ours) =
        (Peer::mariadb(&["--secure-file-priv="]), Peer::isambard(&["--set", "secure_file_priv="]));
    let loads = [
        ("s", "sjis", "CHARACTER SET sjis"),
        ("g", "gbk", "CHARACTER SET gbk"),
        ("g", "gbk", "CHARACTER SET big5"),
        ("g", "gbk", "CHARACTER SET latin1"),
        ("f", "fixed", "FIELDS TERMINATED BY ''"),
        ("f", "fixed", "FIELDS TERMINATED BY '' IGNORE 1 LINES (a, n)"),
        ("f", "fixed", "FIELDS TERMINATED BY '' (a, n, d, dc, ti, y) SET n = n + 1"),
        ("f", "fixed", "FIELDS TERMINATED BY '' (a, @x)"),
        ("b", "fixed", "FIELDS TERMINATED BY ''"),
        ("b", "fixed", "FIELDS TERMINATED BY '' LINES TERMINATED BY ''"),
        ("o", "fixed", "FIELDS TERMINATED BY '' LINES TERMINATED BY ''"),
        ("o", "odd", "FIELDS TERMINATED BY ''"),
        ("o", "odd", "FIELDS TERMINATED BY '' ESCAPED BY ''"),
        ("c", "commas", "FIELDS TERMINATED BY ',' LINES TERMINATED BY ''"),
        ("c", "commas", "FIELDS TERMINATED BY ',' LINES TERMINATED BY ','"),
        ("c", "commas", "FIELDS TERMINATED BY ',' ENCLOSED BY '\"' LINES TERMINATED BY ''"),
    ];
    let mut answers: Vec<Vec<String>> = Vec::new();
    for peer in [&maria, &ours] {
        let mut conn = peer.connect("");
        conn.query_drop("CREATE DATABASE i; USE i").expect("database");
        for (table, columns) in [
            ("s", "a VARCHAR(20), b VARCHAR(20)) CHARACTER SET sjis"),
            ("g", "a VARCHAR(20), b VARCHAR(20)) CHARACTER SET gbk"),
            ("f", "a VARCHAR(5), n INT, d DATE, dc DECIMAL(6,2), ti TINYINT UNSIGNED, y YEAR)"),
            ("b", "a TEXT)"),
            ("o", "a VARCHAR(3), n INT(3))"),
            ("c", "a VARCHAR(10), b VARCHAR(10))"),
        ] {
            conn.query_drop(format!("CREATE TABLE {table} ({columns}")).expect("table");
        }
        let mut told = Vec::new();
        for (table, file, form) in loads {
            let path = folder.join(file);
            let sql = format!("LOAD DATA INFILE '{}' IGNORE INTO TABLE {table} {form}", path.display());
            let end = conn.query_drop(sql).err().map(|e| e.to_string());
            let warnings: Vec<(String, u16, String)> = conn.query("SHOW WARNINGS").expect("warnings");
            let rows: Vec<mysql::Row> = conn.query(format!("SELECT * FROM {table}")).expect("rows");
            told.push(format!("{file} {form}: {end:?} {warnings:?} {rows:?}"));
            conn.query_drop(format!("TRUNCATE {table}")).expect("truncate");
        }
        answers.push(told);
    }
    std::fs::remove_dir_all(folder).expect("remove");
    for (theirs, ours) in answers[0].iter().zip(&answers[1]) {
        assert_eq!(theirs, ours);
    }
}
