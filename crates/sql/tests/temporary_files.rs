//! The files of statements that are larger than their memory: the same answers as without them, in the same order;
//! gone with the statement, killed or not; what a full directory does.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use common::{Database, ask};

const SMALL: &str =
    "set sort_buffer_size = 65536, tmp_memory_table_size = 16384, max_heap_table_size = 16384";
const LARGE: &str =
    "set sort_buffer_size = 268435456, tmp_memory_table_size = 268435456, max_heap_table_size = 268435456";

/// Queries that hold more than a small budget, each in another place.
const QUERIES: [&str; 38] = [
    "select i from n order by s desc",
    "select s, d from n order by s, d limit 2000",
    "select distinct s from n",
    "select distinct s, d from n order by d",
    "select g, count(*), max(s), sum(f), group_concat(i) from n group by g",
    "select g, count(*) c, sum(f) from n group by g order by c desc",
    "select s, count(*), group_concat(distinct d) from n group by s having count(*) > 1",
    "select s, avg(f), group_concat(repeat(s, 20)) from n group by s",
    "select g, s, count(*), sum(f), min(d) from n group by g, s with rollup",
    "select g, s, count(*) c from n group by g, s with rollup having c > 1",
    "select * from (select g, s, t, count(*) c from n group by g, s, t with rollup) q order by c",
    "select s, g from n union select s, i from n where i % 3",
    "select s, g from n union all select s, i from n where i % 3 union distinct select s, d from n",
    "select s, g from n where i % 2 union select s, i from n union all select s, g from n where i < 9",
    "select s, g from n where i % 2 intersect select s, g from n where i % 3",
    "select s, g from n where i % 2 except select s, g from n where i % 3",
    "select s, t from n where i % 2 intersect all select s, t from n where i % 3",
    "select s, t from n where i % 2 except all select s, t from n where i % 3",
    "select s from n union select d from n order by 1 desc limit 3000",
    "select * from (select i, s, b, t from n limit 100000) q where i % 5 = 2",
    "select x.i, y.s from (select i, g from n limit 700) x join (select i, s from n limit 900) y on x.g < y.i and y.i < 30",
    "select i, g in (select i from n where i % 3 = 0) from n",
    "select i, s not in (select s from n where i % 5 = 0) from n",
    "select i, (g, s) in (select g, s from n where i % 4) from n",
    "select i, (g, s) not in (select g, s from n where i % 4 and s is not null) from n",
    "select i, s > any (select s from n), s = any (select s from n where i % 2), g <> all (select i from n) from n",
    "select count(distinct s), sum(distinct f), avg(distinct f / 3), count(distinct g, s), max(distinct t) from n",
    "select g % 4 k, count(distinct s), sum(distinct f / 7), bit_xor(i) from n group by k",
    "select group_concat(distinct s order by s desc), group_concat(distinct s), group_concat(i order by d, s) from n",
    "select g % 3 k, group_concat(s, i order by s desc, d), group_concat(i order by b desc limit 7, 300) from n group by k",
    "select g % 3 k, group_concat(distinct d, s order by t), group_concat(s limit 5) from n group by k with rollup",
    "select a.i, b.s from n a join n b on a.g = b.i order by a.i",
    "select a.i, c.i from n a left join (n b join n c on b.i = c.g) on a.i = c.i and b.s > 'Name 1' order by 1, 2",
    // few keys of many rows: a part of the table does not fit either
    "select a.i, b.i, b.s from (select i, g % 3 k from n where i < 40) a join n b on a.k = b.g % 2",
    "select a.i, b.i, b.s from (select i, g % 3 k from n where i < 60) a left join n b on a.k = b.g % 2 and b.i % 50 = a.i",
    "select a.i, b.i, c.i, c.b from n a join n b on a.g = b.i left join n c on c.g = b.g and c.s = a.s where a.i % 2",
    "select count(*), sum(b.d), max(c.b) from n a join n b on a.g = b.i left join n c on c.g = b.g and c.s = a.s",
    "select concat(s, i), repeat(s, 100) x from n order by x, i limit 2000, 2000",
];

fn filled(set: &[(&str, &str)]) -> Database {
    let mut db = Database::with(set);
    db.run(
        "create table n (i int not null auto_increment primary key, g int, s varchar(40), d decimal(12,3), f double, \
         b blob, t datetime(3)) engine=myisam",
    );
    db.run("insert into n (g) values (0),(1),(2),(3),(4),(5),(6),(7)");
    for _ in 0..9 {
        db.run("insert into n (g) select g from n");
    }
    db.run(
        "update n set g = i * 7 % 1009, s = if(i % 11, concat('Name ', i * 13 % 2003), null), d = i * 17 % 5003 / 8, \
         f = i / 7, b = repeat(char(65 + i % 26), i % 60), t = '2020-02-28 23:59:59.125' + interval i * 31 % 4001 hour",
    );
    db.run("set group_concat_max_len = 100000000");
    db
}

#[test]
fn disk_and_memory_answer_alike() {
    let mut db = filled(&[]);
    let mut wrong = Vec::new();
    for sql in QUERIES {
        db.run(LARGE);
        db.run("flush status");
        let expected = db.run(sql);
        let made = "show session status like 'Created_tmp_files'";
        assert_eq!(db.rows(made), ["Created_tmp_files|0"], "{sql}");
        db.run(SMALL);
        let found = db.run(sql);
        if db.rows(made) == ["Created_tmp_files|0"] {
            wrong.push(format!("{sql}: stayed in memory"));
        }
        if found.rows != expected.rows {
            let at = found.rows.iter().zip(&expected.rows).position(|(a, b)| a != b);
            let show = |r: &[Vec<String>]| at.map(|at| format!("{:.300?}", r[at]));
            wrong.push(format!(
                "{sql}: {} and {} rows, row {at:?}\n  disk   {:?}\n  memory {:?}",
                found.rows.len(),
                expected.rows.len(),
                show(&found.rows),
                show(&expected.rows)
            ));
        }
        assert_eq!(found.warnings, expected.warnings, "{sql}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Open files that lie in a directory.
fn open_in(dir: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir("/proc/self/fd").expect("/proc");
    all.filter_map(|f| std::fs::read_link(f.ok()?.path()).ok()).filter(|p| p.starts_with(dir)).collect()
}

#[test]
fn files_go_with_the_statement() {
    let dir = common::TempDir::new();
    let mut db = filled(&[("tmpdir", dir.path().to_str().expect("path"))]);
    db.run(SMALL);
    for sql in QUERIES {
        db.run(sql);
        assert_eq!(open_in(dir.path()), [] as [PathBuf; 0], "{sql}");
    }
    // an error in the middle
    let e = db.error(
        "select s, g, (select i from n where n.g = q.g limit 2) from (select s, g from n limit 9999) q",
    );
    assert!(e.starts_with("1242"), "{e}");
    assert_eq!(open_in(dir.path()), [] as [PathBuf; 0]);
    // a kill in the middle
    let id = db.rows("select connection_id()")[0].clone();
    let mut other = db.connect();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(700));
        ask(&mut other, &format!("kill query {id}"));
        Instant::now()
    });
    let e = db.error(
        "select count(*) from (select a.i, b.i x, a.s, b.b from n a join n b union select a.i, b.i, a.s, b.b from n a join n b) q",
    );
    let late = killer.join().expect("killer").elapsed();
    assert!(e.starts_with("1317"), "{e}");
    assert!(late < Duration::from_secs(5), "{late:?}");
    assert_eq!(open_in(dir.path()), [] as [PathBuf; 0]);
    assert_eq!(std::fs::read_dir(dir.path()).expect("tmpdir").count(), 0, "nothing has a name");
}

/// A file system of its own, as small as it is told; gone at the end.
struct Small(common::TempDir);

impl Small {
    fn new(size: &str) -> Option<Small> {
        let dir = common::TempDir::new();
        let options = format!("size={size}");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(dir.path()).output();
        mounted.is_ok_and(|o| o.status.success()).then_some(Small(dir))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_directory_is_an_error_of_the_statement() {
    let Some(small) = Small::new("96k") else {
        eprintln!("only root may mount a file system: not tested");
        return;
    };
    let mut db = filled(&[("tmpdir", small.0.path().to_str().expect("path"))]);
    db.run("create table m (key (i)) select i, s, g, 0 z from n");
    db.run(SMALL);
    let (mut full, mut fit) = (0, 0);
    let changes = [
        "create table c select s from n union select s from m",
        "insert into m select * from (select i, s, g, 1 from n limit 100000) q",
        "update n join m on n.i = m.i set m.z = n.g, n.g = m.z",
    ];
    for sql in QUERIES.iter().chain(&changes) {
        match db.ask(sql).error {
            Some(e) => {
                assert!(
                    e.starts_with("1021 ") && e.contains("waiting for someone to free some space"),
                    "{sql}: {e}"
                );
                full += 1;
            }
            None => fit += 1,
        }
        assert_eq!(open_in(small.0.path()), [] as [PathBuf; 0], "{sql}");
    }
    assert!(full > 15 && fit > 0, "{full} of {} found the directory full", full + fit);
    // nothing is changed, nothing is in the way
    assert_eq!(db.rows("select count(*), sum(z) from m"), ["4096|0"]);
    assert_eq!(db.rows("show tables like 'c'"), [] as [&str; 0]);
    db.run(LARGE);
    db.run(QUERIES[0]);
}

/// TEMPORARY tables lie in `tmpdir`, without names: what is written there has its room or is refused, and they are gone with their session.
#[test]
fn temporary_tables_lie_in_tmpdir() {
    let Some(small) = Small::new("12m") else {
        eprintln!("only root may mount a file system: not tested");
        return;
    };
    let dir = small.0.path();
    let mut db = Database::with(&[("tmpdir", dir.to_str().expect("path"))]);
    db.run("create table n (i int not null auto_increment primary key, s varchar(200), key (s))");
    db.run("create temporary table t (i int not null auto_increment primary key, s varchar(200), key (s))");
    assert!(!open_in(dir).is_empty());
    assert_eq!(std::fs::read_dir(dir).expect("tmpdir").count(), 0, "nothing has a name");
    assert!(!db.dir.path().join("#sqltmp").exists());
    db.run("insert into t (s) values (repeat('a', 100)), (repeat('b', 150)), (repeat('c', 200)), ('d')");
    let mut rows = 4;
    let error = loop {
        // Whole statements are undone, and nothing is in their way afterwards.
        match db.ask("insert into t (s) select concat(left(md5(i), 8), s) from t").error {
            Some(e) => break e,
            None => rows *= 2,
        }
        assert!(rows < 1_000_000, "12 MB are never full");
    };
    assert!(error.starts_with("1021 "), "{error}");
    assert!(rows > 10_000, "{rows}");
    assert_eq!(db.rows("select count(*), count(distinct i) from t"), [format!("{rows}|{rows}")]);
    assert_eq!(db.rows("check table t extended"), ["test.t|check|status|OK"]);
    assert!(db.ask("insert into t (s) select s from t").error.is_some_and(|e| e.starts_with("1021 ")));
    db.run("delete from t where i > 100");
    db.run("insert into t (s) values ('new')");
    assert_eq!(db.rows("check table t extended"), ["test.t|check|status|OK"]);
    db.run("truncate table t");
    db.run("insert into t (s) select 'e' from t");
    db.run("insert into n (s) values ('stays')");
    assert_eq!(db.rows("check table t"), ["test.t|check|status|OK"]);
    // A statement that is killed.
    db.run("insert into t (s) values ('1'), ('2'), ('3'), ('4')");
    (0..6).for_each(|_| drop(db.run("insert into t (s) select s from t")));
    let id = db.rows("select connection_id()")[0].clone();
    let mut other = db.connect();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        ask(&mut other, &format!("kill query {id}"));
    });
    let e = db.error("insert into t (s) select 'x' from seq_1_to_1000000 where sleep(0.001) = 0");
    killer.join().expect("killer");
    assert!(e.starts_with("1317"), "{e}");
    assert_eq!(db.rows("check table t extended"), ["test.t|check|status|OK"]);
    let e = db.ask("alter table t add x int, add key (x, s), rename u");
    assert_eq!(e.error, None);
    db.run("create temporary table v like u");
    db.run("create temporary table w engine=memory select * from u limit 3");
    assert_eq!(db.rows("select count(*) from u join w using (i)"), ["3"]);
    db.run("drop table w");
    db.run("optimize table u");
    db.run("repair table u");
    assert!(!open_in(dir).is_empty());
    // The session ends.
    let fresh = db.connect();
    drop(std::mem::replace(&mut db.session, fresh));
    assert_eq!(open_in(dir), [] as [PathBuf; 0]);
    assert_eq!(db.rows("select s from n"), ["stays"]);
}
