//! Statements through engine and session, in process.

mod common;

use common::Database;

#[test]
fn databases_and_tables_are_listed() {
    let mut db = Database::new();
    assert_eq!(db.rows("show databases like 'te%'"), ["test"]);
    db.run("create table t (id int not null auto_increment primary key, name varchar(20) not null, key k (name))");
    assert_eq!(db.rows("show tables"), ["t"]);
    assert_eq!(
        db.rows("describe t"),
        ["id|int(11)|NO|PRI|NULL|auto_increment", "name|varchar(20)|NO|MUL|NULL|"]
    );
    assert_eq!(db.error("create table t (a int)"), "1050 (42S01): Table 't' already exists");
    assert_eq!(db.error("select * from nope"), "1146 (42S02): Table 'test.nope' doesn't exist");
    assert!(db.rows("show create table t")[0].starts_with("t|CREATE TABLE `t` (\n  `id` int(11) NOT NULL"));
    db.run("rename table t to u");
    db.run("drop table u");
    assert!(db.rows("show tables").is_empty());
    assert_eq!(db.error("drop table u"), "1051 (42S02): Unknown table 'test.u'");
}

#[test]
fn settings_have_effect_and_errors() {
    let mut db = Database::new();
    assert_eq!(db.rows("show variables like 'autocommit'"), ["autocommit|ON"]);
    db.run("set autocommit=0");
    assert_eq!(db.rows("show variables like 'autocommit'"), ["autocommit|OFF"]);
    assert_eq!(db.error("set nonsense=1"), "1193 (HY000): Unknown system variable 'nonsense'");
    assert_eq!(db.error("set max_connections=5").split(':').next(), Some("1229 (HY000)"));
}

#[test]
fn tables_are_altered() {
    let mut db = Database::new();
    db.run("create table t (a int, b varchar(10))");
    db.run("insert into t values (1,'a'),(2,'b')");
    let a = db.run("alter table t add c int not null, add d int first, add primary key (a)");
    assert_eq!((a.affected, a.info.as_str()), (2, "Records: 2  Duplicates: 0  Warnings: 0"));
    assert_eq!(db.rows("select * from t order by a"), ["NULL|1|a|0", "NULL|2|b|0"]);
    db.run("create index kb on t (b)");
    assert_eq!(db.rows("select a from t where b='b'"), ["2"]);
    db.run("create table u select a, b, a + 1 as e from t");
    assert_eq!(db.rows("select * from u order by a"), ["1|a|2", "2|b|3"]);
    db.run("truncate table u");
    assert_eq!(db.rows("select count(*) from u"), ["0"]);
    assert_eq!(db.error("alter table t add unique (c)"), "1062 (23000): Duplicate entry '0' for key 'c'");
    assert_eq!(db.rows("show tables"), ["t", "u"]);
}

#[test]
fn past_its_memory_a_statement_goes_to_disk() {
    let mut db = Database::new();
    db.run("create table n (i int, g int, s varchar(40))");
    db.run("insert into n values (1,1,'x'),(2,2,'y'),(3,3,'z'),(4,4,'w')");
    for _ in 0..10 {
        db.run("insert into n select i + (select max(i) from n), (i * 7) % 1009, concat(s, i) from n");
    }
    let queries = [
        "select i from n order by s desc, i",
        "select g, count(*), max(s) from n group by g order by g",
        "select distinct g from n order by g",
        "select a.i from n a join n b on a.g = b.i order by a.i",
    ];
    for q in queries {
        db.run(
            "set sort_buffer_size = default, tmp_memory_table_size = default, max_heap_table_size = default",
        );
        db.run("flush status");
        let whole = db.rows(q);
        let made = "show session status like 'Created_tmp_files'";
        assert_eq!(db.rows(made), ["Created_tmp_files|0"], "{q}");
        db.run("set sort_buffer_size = 65536, tmp_memory_table_size = 1024, max_heap_table_size = 16384");
        assert_eq!(db.rows(q), whole);
        assert_ne!(db.rows(made), ["Created_tmp_files|0"], "{q} stayed in memory");
    }
}

#[test]
fn files_of_the_machine_need_their_privilege() {
    let only = tempfile::tempdir().expect("folder");
    let only_path = only.path().canonicalize().expect("path");
    let only_path = only_path.to_str().expect("UTF-8");
    let out = tempfile::tempdir().expect("folder");
    let out = out.path().to_str().expect("UTF-8").to_string();
    for folder in [only_path, &out] {
        std::fs::write(format!("{folder}/in"), "secret").expect("file");
        let readable = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        std::fs::set_permissions(format!("{folder}/in"), readable).expect("mode");
    }
    let (_, name) = only_path.rsplit_once('/').expect("a folder in another");
    let mut db = Database::with(&[("secure_file_priv", &format!("{only_path}/../{name}"))]);
    db.run("create table t (b text)");
    db.run("create user n@localhost, f@localhost");
    db.run("grant all on test.* to n@localhost, f@localhost");
    db.run("grant file on *.* to f@localhost");
    let login = |user: &str, with_password| sql::ConnectInfo {
        user: user.into(),
        db: Some("test".into()),
        with_password,
        ..common::root()
    };
    let error = |session: &mut sql::Session, statement: &str| {
        common::ask(session, statement).error.unwrap_or_else(|| "none".into())
    };
    let mut n = db.engine.connect(&login("n", false)).expect("connect");
    let needs =
        "1227 (42000): Access denied; you need (at least one of) the FILE privilege(s) for this operation";
    for statement in [
        "select 1 into outfile 'ONLY/x'",
        "select 1 into dumpfile 'ONLY/x'",
        "select a from nosuch into outfile 'x'",
        "explain select 1 into outfile 'ONLY/x'",
        "prepare p from \"select 1 into outfile 'ONLY/x'\"",
        "execute immediate \"select 1 into outfile 'ONLY/x'\"",
        "set statement max_statement_time=10 for select 1 into outfile 'ONLY/x'",
    ] {
        assert_eq!(error(&mut n, &statement.replace("ONLY", only_path)), needs, "{statement}");
    }
    for using in ["NO", "YES"] {
        let mut n = db.engine.connect(&login("n", using == "YES")).expect("connect");
        let denied =
            format!("1045 (28000): Access denied for user 'n'@'localhost' (using password: {using})");
        for statement in [
            "load data infile 'ONLY/in' into table t",
            "load data infile 'ONLY/in' into table nosuch",
            "load data infile '/etc/passwd' into table mysql.db",
        ] {
            assert_eq!(error(&mut n, &statement.replace("ONLY", only_path)), denied, "{statement}");
        }
    }
    let mut f = db.engine.connect(&login("f", false)).expect("connect");
    let limited = "1290 (HY000): The MariaDB server is running with the --secure-file-priv option so it cannot \
                   execute this statement";
    for statement in [
        "select 1 into outfile 'OUT/x'",
        "select 1 into dumpfile 'ONLY/../x'",
        "select 1 into outfile 'x'",
        "load data infile 'OUT/in' into table t",
        "load data infile 't.frm' into table t",
    ] {
        let statement = statement.replace("ONLY", only_path).replace("OUT", &out);
        assert_eq!(error(&mut f, &statement), limited, "{statement}");
    }
    assert_eq!(
        error(&mut f, "set global secure_file_priv=''"),
        "1238 (HY000): Variable 'secure_file_priv' is a read only variable"
    );
    for statement in ["select 1 into outfile 'ONLY/x'", "load data infile 'ONLY/in' into table t"] {
        assert_eq!(error(&mut f, &statement.replace("ONLY", only_path)), "none");
    }
    let files = format!("select load_file('{only_path}/in'), load_file('{out}/in'), load_file(null)");
    let loaded = |session: &mut sql::Session| common::ask(session, &files).rows[0].join(",");
    assert_eq!(loaded(&mut f), "secret,NULL,NULL");
    assert_eq!(loaded(&mut n), "NULL,NULL,NULL");
    // what was prepared with the privilege does not keep it
    let prepared = f.prepare(format!("select load_file('{only_path}/in')").as_bytes());
    assert!(prepared.is_ok());
    assert_eq!(db.rows("select @@secure_file_priv"), [format!("{only_path}/")]);
    assert!(db.error(&format!("backup server to '{out}/b'")).starts_with("1290 "));
    db.run(&format!("backup server to '{only_path}/b'"));
}

#[test]
fn strings_longer_than_a_packet_are_null() {
    let mut db = Database::with(&[("max_allowed_packet", "1M")]);
    // As MariaDB, which lets MAKE_SET and REGEXP_REPLACE grow beyond.
    db.run("set names latin1, @b = repeat('a', 600000), @m = 1048576");
    for (within, beyond) in [
        ("replace('xx', 'x', repeat('b', @m / 2))", "replace('xx', 'x', @b)"),
        ("replace(@b, 'a', 'c')", "replace(@b, 'a', 'bb')"),
        ("hex(repeat('a', @m / 2))", "hex(@b)"),
        ("insert(@b, 1, 0, repeat('a', @m - 600000))", "insert(@b, 1, 0, @b)"),
        ("insert(@b, 1, 600000, @b)", "insert(@b, 1, 1, @b)"),
        ("concat(@b, repeat('a', @m - 600000))", "concat(@b, @b)"),
        ("concat_ws('', @b, repeat('a', @m - 600000))", "concat_ws(',', @b, repeat('a', @m - 600000))"),
        ("export_set(1, @b, '', '', 2)", "export_set(3, @b, '', '', 2)"),
        ("export_set(1, 'a', 'b', @b, 2)", "export_set(0, '', '', @b, 3)"),
        (
            "export_set(18446744073709551615, '', 'c', '', 64)",
            "export_set(0, 'c', repeat('a', 100000), '', 64)",
        ),
        ("make_set(1, @b, @b)", "make_set(3, @b, @b)"),
        (r"quote(repeat('\\', 524287))", r"quote(repeat('\\', 524288))"),
        ("to_base64(repeat('a', 775000))", "to_base64(repeat('a', 780000))"),
        ("lpad('', @m, 'x')", "lpad('', @m + 1, 'x')"),
        ("rpad(_utf8mb4'', 262144, _utf8mb4'x')", "rpad(_utf8mb4'', 262145, _utf8mb4'x')"),
        ("space(@m)", "space(@m + 1)"),
        ("repeat('ab', @m / 2)", "repeat('ab', @m / 2 + 1)"),
        (
            "weight_string(convert(repeat('a', @m / 2) using utf8mb4))",
            "weight_string(convert(@b using utf8mb4))",
        ),
        ("regexp_replace('aaa', 'a', repeat('b', 300000))", "regexp_replace('aa', 'a', @b)"),
    ] {
        assert_eq!(db.rows(&format!("select length({within}) is null")), ["0"], "{within}");
        assert_eq!(db.rows(&format!("select length({beyond}) is null")), ["1"], "{beyond}");
        let shown = db.rows("show warnings");
        assert!(shown.len() == 1 && shown[0].starts_with("Warning|1301|Result of "), "{beyond}: {shown:?}");
    }
}

#[test]
fn comments_are_no_empty_query() {
    let mut db = Database::new();
    for text in ["--", "-- x", "# x", "/* x */", "--\n"] {
        db.run(text);
    }
    for text in ["", " ", ";"] {
        assert_eq!(db.error(text), "1065 (42000): Query was empty", "{text:?}");
    }
    assert_eq!(db.error("use ``"), "1046 (3D000): No database selected");
    assert_eq!(db.session.init_db("").map_err(|e| e.code), Err(1046));
    let nowhere = sql::ConnectInfo { db: Some("nowhere".into()), ..common::root() };
    assert_eq!(db.session.change_user(&nowhere).map_err(|e| e.code), Err(1049));
    assert_eq!(db.rows("select database(), current_user()"), ["test|root@localhost"]);
}

/// NOWAIT holds for each execution, that of a plan that was kept as well.
#[test]
fn a_kept_plan_waits_as_its_statement_says() {
    let mut db = Database::new();
    db.run("create table t (a int primary key)");
    db.run("insert into t values (1)");
    let mut other = db.connect();
    common::ask(&mut other, "set lock_wait_timeout = 20");
    let statement = other.prepare(b"select a from test.t where a = 1 for update nowait").expect("prepared");
    for _ in 0..2 {
        other.execute(statement.id, &[], &mut common::Collector::default()).expect("the row");
    }
    db.run("lock tables t write");
    let begun = std::time::Instant::now();
    let refused = other.execute(statement.id, &[], &mut common::Collector::default());
    assert_eq!(refused.expect_err("the table is locked").code, 1205);
    assert!(begun.elapsed() < std::time::Duration::from_secs(10), "it waited for {:?}", begun.elapsed());
}

/// Tables are opened as their rows are read, not all before the first.
#[test]
fn information_schema_makes_rows_as_they_are_read() {
    let mut db = Database::new();
    let columns: Vec<String> = (0..60).map(|n| format!("c{n} int")).collect();
    for table in 0..60 {
        db.run(&format!("create table t{table:02} ({})", columns.join(", ")));
    }
    let open = |db: &mut Database| db.rows("show open tables from test").len();
    let all = "select table_name, column_name from information_schema.columns where table_schema = 'test'";
    db.run("flush tables");
    assert_eq!(open(&mut db), 0);
    assert_eq!(db.rows(&format!("{all} limit 1")), ["t00|c0"]);
    let some = open(&mut db);
    assert!((1..40).contains(&some), "{some} tables were opened for one row");
    let rows = db.rows(all);
    assert_eq!((rows.len(), rows[3599].as_str()), (3600, "t59|c59"));
    assert_eq!(open(&mut db), 60);
    // read again by a join that meets every row twice
    let joined = format!(
        "select count(*) from (select 1 union select 2) d, ({all}) c, information_schema.tables t where t.table_schema = 'test' and t.engine > ''"
    );
    assert_eq!(db.rows(&joined), ["432000"]);
}

/// Definitions of tables in memory outlive a restart, their rows do not; nothing of them but the definition lies on the disk.
#[test]
fn tables_in_memory_begin_empty_after_a_restart() {
    let mut db = Database::new();
    db.run("create table m (a int auto_increment primary key, b varchar(50), key (b)) engine=memory comment='kept'");
    db.run("create table d (a int)");
    db.run("insert into m (b) values ('one'), ('two')");
    db.run("insert into d values (1)");
    db.run("rename table m to n");
    db.run("flush tables");
    assert_eq!(db.rows("select * from n"), ["1|one", "2|two"]);
    let folder = db.dir.path().join("test");
    let files = || {
        let names = std::fs::read_dir(&folder).expect("the database").map(|e| e.expect("a file").file_name());
        let mut names: Vec<_> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(files(), ["d.MYD", "d.MYI", "d.frm", "db.opt", "n.frm"]);
    let common::Database { session, engine, dir } = db;
    drop(session);
    engine.shutdown().expect("a clean stop");
    drop(engine);
    let engine = sql::Engine::open(dir.path(), sql::EngineOptions::default()).expect("a start");
    let session = common::connect(&engine);
    let mut db = common::Database { session, engine, dir };
    db.run("use test");
    assert_eq!(db.rows("show tables"), ["d", "n"]);
    assert_eq!(db.rows("select count(*) from n"), ["0"]);
    assert_eq!(db.rows("select a from d"), ["1"]);
    db.run("insert into n (b) values ('three')");
    assert_eq!(db.rows("select * from n"), ["1|three"]);
    assert!(db.rows("show create table n")[0].contains("ENGINE=MEMORY AUTO_INCREMENT=2"));
    db.run("alter table n engine=myisam");
    assert_eq!(files(), ["d.MYD", "d.MYI", "d.frm", "db.opt", "n.MYD", "n.MYI", "n.frm"]);
    db.run("create table left_over (a int) engine=memory");
    db.run("insert into left_over values (1)");
    let in_memory = dir_in_memory(&db, "test");
    assert_eq!(list(&db, &in_memory).len(), 2);
    db.run("drop database test");
    assert_eq!(list(&db, &in_memory).len(), 0, "files in memory are left");
}

/// The folder of a database's tables in memory.
#[test]
fn an_index_beside_the_rows_has_the_words_of_the_settings() {
    let mut db = Database::with(&[("ft_min_word_len", "2")]);
    db.run("create table t (a int, c text, fulltext key c (c))");
    db.run("insert into t values (1, 'ab xyz'), (2, 'qq ww'), (3, 'ee rr')");
    db.run("create index i on t (a)");
    db.run("delete from t where a = 1");
    db.run("drop index i on t");
    db.run("update t set c = 'zz' where a = 2");
    db.run("delete from t");
    assert_eq!(db.rows("check table t extended"), ["test.t|check|status|OK"]);
}

#[test]
fn equal_texts_with_other_words_leave_no_word_behind() {
    let mut db = Database::new();
    db.run("create table t (c varchar(50) collate utf8mb4_unicode_ci, fulltext key c (c))");
    for (before, after) in [("ma\u{df}", "mass"), ("mass", "ma\u{df}"), ("Word", "word")] {
        db.run(&format!("insert into t values ('{before}')"));
        db.run(&format!("update t set c = '{after}'"));
        assert_eq!(db.rows("check table t extended"), ["test.t|check|status|OK"]);
        db.run("delete from t");
        assert_eq!(db.rows("check table t extended"), ["test.t|check|status|OK"]);
    }
}

fn full_text() -> Database {
    let mut db = Database::new();
    db.run("create table t (id int primary key, c text, s double, fulltext key c (c))");
    for n in 0..300 {
        let word = ["common", "other"][n % 2];
        let rare = if n % 10 == 0 { "rare rarer" } else { "text" };
        db.run(&format!("insert into t values ({n}, '{word} {rare} number{n}', 0)"));
    }
    db
}

/// MariaDB's answers to 147 groups of queries, by way of SQL.
#[test]
fn full_text_vectors() {
    let mut db = Database::new();
    db.run("set names utf8mb4");
    for statement in include_str!("../../fulltext/tests/vectors/schema.sql").split(";\n") {
        let text: Vec<&str> = statement.lines().filter(|l| !l.starts_with("--")).collect();
        if text.iter().any(|l| !l.trim().is_empty()) {
            db.run(&text.join("\n"));
        }
    }
    let mut own = String::new();
    let queries = include_str!("../../fulltext/tests/vectors/queries.sql").lines();
    for query in queries.filter(|l| !l.starts_with("--") && !l.trim().is_empty()) {
        for row in db.run(query.trim_end_matches(';')).rows {
            own.push_str(&row.join("\t"));
            own.push('\n');
        }
    }
    let expected = include_str!("../../fulltext/tests/vectors/expected.tsv");
    for (own, expected) in own.split("## ").zip(expected.split("## ")) {
        assert_eq!(own, expected);
    }
    assert_eq!(own.len(), expected.len());
}

#[test]
fn assignments_take_the_scores_of_their_rows() {
    // beside no other server: MariaDB 10.11 ends with a signal here
    let mut db = full_text();
    for query in ["'rare number7'", "'rare' with query expansion", "'+rare number20' in boolean mode"] {
        let scores = db.rows(&format!("select id, match(c) against ({query}) from t"));
        db.run(&format!("update t set s = match(c) against ({query})"));
        assert_eq!(db.rows("select id, s from t"), scores);
        assert!(scores.iter().any(|s| !s.ends_with("|0")), "{scores:?}");
    }
}

#[test]
fn searches_read_the_rows_that_are_asked_for() {
    let mut db = full_text();
    let read = |db: &mut Database, sql: &str| {
        let read = |db: &mut Database| -> u64 {
            let rows = db.rows("show status like 'Handler_read%'");
            rows.iter().filter_map(|r| r.rsplit_once('|')?.1.parse::<u64>().ok()).sum()
        };
        let before = read(db);
        let rows = db.rows(sql).len();
        (rows, read(db) - before)
    };
    let m = "match(c) against ('rare')";
    assert_eq!(read(&mut db, &format!("select id from t where {m} limit 3")), (3, 3));
    assert_eq!(read(&mut db, &format!("select id, {m} s from t where {m} order by s desc limit 3")), (3, 3));
    let boolean = "match(c) against ('+rare' in boolean mode)";
    assert_eq!(read(&mut db, &format!("select id from t where {boolean} limit 4")), (4, 4));
    assert_eq!(db.rows(&format!("select count(*) from t where {m}")), ["30"]);
    assert_eq!(db.rows(&format!("select count(*) from t where {boolean} and id > 100")), ["19"]);
}

#[test]
fn a_search_ends_when_its_time_is_over() {
    let mut db = full_text();
    let words: Vec<String> = (0..100_000).map(|n| format!("+(a{n}* b{n}* c{n}*)")).collect();
    db.run("set max_statement_time = 0.005");
    let told = db.error(&format!(
        "select count(*) from t where match(c) against ('{}' in boolean mode)",
        words.join(" ")
    ));
    assert!(told.contains("max_statement_time"), "{told}");
}

#[test]
fn rows_that_were_exchanged_get_no_index() {
    let mut db = Database::new();
    db.run("create table t (a int)");
    db.run("create table u (a int)");
    db.run("insert into t values (1)");
    db.run("insert into u values (1), (2), (3)");
    db.run("flush tables");
    assert_eq!(db.rows("select * from t"), ["1"]);
    let folder = db.dir.path().join("test");
    for file in ["MYD", "MYI"] {
        std::fs::rename(folder.join(format!("u.{file}")), folder.join(format!("t.{file}"))).expect("renamed");
    }
    let told = db.error("create index i on t (a)");
    assert!(told.contains("another file has its name"), "{told}");
    let names = std::fs::read_dir(&folder).expect("the database").map(|e| e.expect("a file").file_name());
    let scratch: Vec<_> = names.filter(|n| n.to_string_lossy().starts_with('#')).collect();
    assert!(scratch.is_empty(), "{scratch:?}");
}

fn dir_in_memory(db: &Database, name: &str) -> std::path::PathBuf {
    db.dir.path().join(pages::MEMORY_FOLDER).join(name)
}

fn list(db: &Database, folder: &std::path::Path) -> Vec<(std::path::PathBuf, bool)> {
    db.engine.store().storage().list(folder).expect("a folder")
}

#[test]
fn analyze_as_json_tells_what_it_measured_and_changes_rows() {
    let mut db = Database::new();
    db.run("create table n (x int, y int)");
    db.run("insert into n select seq % 10, seq from seq_1_to_60");
    let told = db.rows("analyze format=json select x, sum(y) from n where y > 6 group by x").join("\n");
    for part in ["\"r_loops\": 1", "\"r_rows\": 60", "\"r_filtered\": 90", "\"r_groups\": 10", "n.y > 6"] {
        assert!(told.contains(part), "{part} in {told}");
    }
    let told = db.rows("analyze format=json update n set x = 100 where y <= 15").join("\n");
    assert!(told.contains("\"update\": 1") && told.contains("\"r_filtered\": 25"), "{told}");
    assert_eq!(db.rows("select count(*) from n where x = 100"), ["15"]);
}

/// Two statements whose triggers write each other's tables lock both at their start, in one order: neither waits for the other.
#[test]
fn triggers_that_write_each_others_tables() {
    let mut db = Database::new();
    for (a, b) in [("t1", "t2"), ("t2", "t1")] {
        db.run(&format!("create table {a} (x int)"));
        db.run(&format!("create table log_{a} (x int)"));
        db.run(&format!(
            "create trigger {a}i after insert on {a} for each row begin \
             if @inner is null then insert into log_{b} values (new.x); insert into log_{a} values (new.x); end if; end"
        ));
    }
    // what is called counts as well
    db.run("create procedure p2(n int) update t2 set x = n where x = -1");
    db.run("create trigger t1d before delete on t1 for each row call p2(old.x)");
    db.run("create trigger t2d before delete on t2 for each row update t1 set x = 0 where x = -1");
    const ROUNDS: usize = 60;
    std::thread::scope(|scope| {
        for own in ["t1", "t2", "t1", "t2"] {
            let mut session = db.connect();
            scope.spawn(move || {
                for n in 0..ROUNDS {
                    let insert = common::ask(&mut session, &format!("insert into {own} values ({n}),(1000)"));
                    assert_eq!(insert.error, None);
                    let delete =
                        common::ask(&mut session, &format!("delete from {own} where x = 1000 limit 1"));
                    assert_eq!(delete.error, None);
                }
            });
        }
    });
    let rows = (ROUNDS * 8).to_string();
    assert_eq!(db.rows("select count(*) from log_t1"), [rows.as_str()]);
    assert_eq!(db.rows("select count(*) from log_t2"), [rows.as_str()]);
}

#[test]
fn partitions_by_a_function_that_has_no_value_for_some_integers_are_all_read() {
    let mut db = Database::new();
    db.run(
        "create table t (a bigint) partition by range (a * 4) (partition p0 values less than (9), \
         partition p1 values less than maxvalue)",
    );
    db.run("insert into t values (1), (3), (2305843009213693951)");
    // four times the greatest integers of the interval are no BIGINT
    let wide = "a between 2305843009213693950 and 2305843009213693955";
    assert_eq!(db.rows(&format!("select a from t where {wide}")), ["2305843009213693951"]);
    let narrow = db.rows("explain partitions select a from t where a between 1 and 2");
    assert!(narrow[0].starts_with("1|SIMPLE|t|p0|"), "{narrow:?}");
}

#[test]
fn clients_are_told_the_number_of_the_last_row() {
    let mut db = Database::new();
    db.run("create table t (id int not null auto_increment primary key, a int, check (a <> 99))");
    db.run("create table u (id int not null auto_increment primary key, b int, unique (b))");
    // the numbers that the reference tells
    let told = [
        ("insert into t values (2,1),(3,3)", 3),
        ("insert into t(a,id) values (3,9),(1,2) on duplicate key update a=7", 2),
        ("insert into t(a,id) values (1,2),(3,10) on duplicate key update a=8", 10),
        ("insert into t(a,id) values (3,12),(1,2) on duplicate key update a=8", 2),
        ("insert into t(a,id) values (1,2),(1,3) on duplicate key update a=a", 0),
        ("insert into t(a,id) values (3,20),(1,3) on duplicate key update id=id+100", 103),
        ("insert into t(a,id) values (3,21),(1,9) on duplicate key update a=last_insert_id(5)", 5),
        ("insert ignore into t(a,id) values (3,30),(1,9)", 9),
        ("insert ignore into t(a,id) values (3,30),(1,9)", 0),
        ("insert ignore into t(a,id) values (3,50),(99,51)", 51),
        ("insert ignore into t(a,id) select 3,41 union select 1,9", 9),
        ("insert into t(a,id) select 3,60 on duplicate key update a=a+1", 0),
        ("insert into t(a,id) select 3,0 on duplicate key update a=a+1", 104),
        ("replace into t(a,id) select 3,60 union select 1,2", 2),
        ("insert ignore into u(id,b) values (2,2),(0,2)", 3),
        ("insert ignore into u(id,b) values (0,2),(0,3)", 3),
        ("insert ignore into u(id,b) values (0,61) on duplicate key update id=2", 4),
        ("insert into u(id,b) values (0,2) on duplicate key update b=b", 0),
        ("create trigger tt before insert on t for each row set new.id=new.a", 0),
        ("insert into t(id,a) values (1,214)", 214),
        ("insert into t(id,a) select 1,215", 0),
    ];
    for (statement, number) in told {
        assert_eq!(db.run(statement).last_insert_id, number, "{statement}");
    }
}
