//! Definition statements are atomic across a crash: random databases, tables and rows on a simulated storage, cut at
//! every write, sync and change of a name; by kill and by power cut, and once more during recovery. After it the old or
//! the new is there, whole, and nothing else; of a sample `myisamchk -e` says so, too. `ISAMBARD_SOAK=1` runs many more,
//! `ISAMBARD_SEED` one workload wholly.

mod common;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use common::{Collector, connect};
use pages::storage::{CrashMode, MemoryStorage, Operation, Storage};
use sql::{Engine, EngineOptions, Session};

const DIR: &str = "/d";
/// Folders for DATA DIRECTORY and INDEX DIRECTORY.
const OUTSIDE: [&str; 2] = ["/e", "/f"];

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n.max(1)
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

fn open(storage: &Arc<MemoryStorage>, durability: &str) -> Result<Arc<Engine>, sql::SqlError> {
    let options =
        EngineOptions { set: vec![("durability".into(), durability.into())], ..EngineOptions::default() };
    Engine::open_on(storage.clone() as Arc<dyn Storage>, Path::new(DIR), options, |store| {
        store.background = false;
        store.segment_size = 64 << 10;
    })
}

/// A stopped data directory with its system tables.
fn fresh() -> Arc<MemoryStorage> {
    static MADE: OnceLock<Arc<MemoryStorage>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let storage = Arc::new(MemoryStorage::simulated());
        for dir in OUTSIDE {
            storage.create_dir(Path::new(dir)).expect("a folder");
        }
        storage.sync_dir(Path::new("/")).expect("durable folders");
        open(&storage, "commit").expect("a new directory").shutdown().expect("a clean stop");
        storage
    });
    Arc::new(made.after_crash(CrashMode::Kill, 0).expect("a copy"))
}

fn rows(session: &mut Session, sql: &str) -> Result<Vec<Vec<String>>, sql::SqlError> {
    let mut sink = Collector::default();
    session.query(sql.as_bytes(), &mut sink)?;
    Ok(sink.answers.pop().map(|a| a.rows).unwrap_or_default())
}

/// Everything that a client can see.
fn dump(engine: &Arc<Engine>) -> Vec<String> {
    let mut session = connect(engine);
    let mut all = Vec::new();
    for db in rows(&mut session, "show databases").expect("databases") {
        let db = &db[0];
        if db == "information_schema" || db == "mysql" {
            continue;
        }
        all.push(rows(&mut session, &format!("show create database `{db}`")).expect("database")[0].join(" "));
        for table in rows(&mut session, &format!("show tables from `{db}`")).expect("tables") {
            let name = format!("`{db}`.`{}`", table[0]);
            let definition = rows(&mut session, &format!("show create table {name}")).expect("definition");
            all.push(format!("{db} {}", definition[0].join(" ")));
            let mut found: Vec<String> = rows(&mut session, &format!("select * from {name}"))
                .expect("rows")
                .into_iter()
                .map(|row| row.join("|"))
                .collect();
            found.sort();
            all.extend(found);
        }
        let triggers =
            "select trigger_name, event_object_table, action_order, action_statement, event_manipulation";
        let triggers = format!("{triggers} from information_schema.triggers where trigger_schema = '{db}'");
        all.extend(rows(&mut session, &triggers).expect("triggers").into_iter().map(|row| row.join("|")));
    }
    all
}

/// A workload: the statements of a seed. Some fail, always the same ones.
#[expect(clippy::too_many_lines, reason = "an arm for each kind of statement")]
fn statements(seed: u64) -> Vec<String> {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    // the tables of every other seed lie elsewhere
    let (one, both) = match seed % 2 {
        0 => ("data directory='/e'", "data directory='/e' index directory='/f'"),
        _ => ("", ""),
    };
    let mut all: Vec<String> = vec![
        "create database d1 character set latin2 comment 'first'".into(),
        "create database d2".into(),
        format!(
            "create table d1.a (id int not null auto_increment primary key, s varchar(40), key (s), fulltext key w (s)) {both}"
        ),
        "insert into d1.a (s) values ('one'),('two'),('three')".into(),
        format!("create table d1.b (x char(10), y int not null, unique key (y)) checksum=1 {one}"),
        "insert into d1.b values ('p',1),('q',2)".into(),
    ];
    for number in 0..16 {
        let table =
            |dice: &mut Dice| format!("{}.{}", dice.one(&["d1", "d1", "d2"]), dice.one(&["a", "b", "c"]));
        let (t, u, v) = (table(&mut dice), table(&mut dice), table(&mut dice));
        let text = match dice.below(42) {
            0 => format!("create table {t} (id int primary key, k{number} text, fulltext key (k{number}))"),
            1 => format!("create or replace table {t} (id int, n{number} decimal(10,2), key (id))"),
            2 => format!("create table {t} like {u}"),
            3 => format!(
                "create table {t} (key (w)) select {number} as w, repeat('x', 300) as z union select 7, 'y'"
            ),
            4 => format!("create or replace table {t} select * from {u}"),
            5 => format!("drop table {t}"),
            6 => format!("drop table if exists {t}, {u}, {v}"),
            7 => format!("rename table {t} to {u}"),
            8 => "rename table d1.a to d1.t, d1.b to d1.a, d1.t to d1.b".into(),
            9 => format!("rename table {t} to d1.t, {u} to {t}, d1.t to {u}"),
            10 => format!("alter table {t} comment 'no. {number}'"),
            11 => format!(
                "alter table {t} add column c{number} varchar(20) not null default 'new', add key (c{number})"
            ),
            12 => format!("alter table {t} rename to {u}, comment 'moved'"),
            13 => format!("alter table {t} add column d{number} int, rename to {u}"),
            14 => format!("alter table {t} {} keys", dice.one(&["disable", "enable"])),
            15 => format!("truncate table {t}"),
            16 => format!("drop database {}", dice.one(&["d1", "d2", "d3"])),
            17 => format!("create database {} collate latin1_bin", dice.one(&["d1", "d2", "d3"])),
            18 => {
                format!("alter database {} character set koi8r comment 'c{number}'", dice.one(&["d1", "d2"]))
            }
            19 => format!("create or replace database {}", dice.one(&["d2", "d3"])),
            20 => format!("create temporary table {t} (a int); insert into {t} values ({number})"),
            21 => format!("{} table {t}", dice.one(&["analyze", "check"])),
            22 => format!("flush tables; insert into d1.b values ('f', {number})"),
            23 => format!("insert into d1.a (s) values ('{number}'),('more'),(repeat('l', {number}))"),
            24 => format!("insert into d1.b values ('r{number}', {number})"),
            25 => "delete from d1.a".into(),
            // Keys of empty tables are built when all rows have come.
            28 | 29 => {
                let rows: Vec<String> =
                    (0..150).map(|n| format!("('{} words')", (n * 37 + number) % 101)).collect();
                format!(
                    "truncate table d1.a; insert into d1.a (s) values {}; delete from {t}; \
                     insert into {t} select * from d1.a; insert into {u} select * from {t}",
                    rows.join(",")
                )
            }
            // The rows stay in their file, which the journal may be ahead of.
            30 => format!("insert into d1.a (s) values ('i{number}'); create index i{number} on d1.a (s)"),
            31 => format!(
                "update d1.a set s = concat(s, ' changed') where id % 3 = 0; delete from d1.a where s like '1%'; \
                 insert into d1.b values ('k', 1{number}); alter table d1.b add key i{number} (x, y), rename to {t}"
            ),
            32 => "insert into d1.a (s) values ('d'); drop index s on d1.a; create index s on d1.a (s(3))"
                .into(),
            33 => format!(
                "update d1.b set x = 'u{number}'; alter table d1.b add unique v{number} (y), drop key y"
            ),
            34 | 35 => format!(
                "create trigger g{} {} on {t} for each row set @a = {number}",
                number % 3,
                dice.one(&["before insert", "after update"])
            ),
            36 => format!("create or replace trigger g1 before delete on {t} for each row set @b = {number}"),
            38 => format!(
                "create or replace table {t} (id int, z{number} int, key (id)) index directory='/f'; insert into {t} values ({number}, 1)"
            ),
            39 => format!("create table {t} data directory='/e' select {number} as w"),
            40 => format!(
                "create or replace table {t} (id int, y{number} int) data directory='/f' partition by hash (id) \
                 (partition p0 data directory='/e', partition p1); insert into {t} values (1, 2), (2, 1); \
                 alter table {t} remove partitioning"
            ),
            41 => {
                format!("create or replace table {t} (x{number} int) data directory='/e' select * from {u}")
            }
            37 => format!("drop trigger if exists {}.g{}", dice.one(&["d1", "d2"]), number % 3),
            // Holes between rows: both rewrite the table beside itself and exchange the files.
            kind => {
                let how = dice.one(if kind == 26 {
                    &["optimize table", "repair table"]
                } else {
                    &["optimize local table", "alter table"]
                });
                let end = if how == "alter table" { " force" } else { "" };
                format!(
                    "insert into {t} select * from {t}; insert into d1.a (s) values (repeat('h', {number})),('i'); \
                     delete from d1.a where id % 2 = 0; delete from {t} limit 1; {how} {t}{end}; {how} d1.a{end}"
                )
            }
        };
        all.extend(text.split("; ").map(str::to_owned));
    }
    all
}

fn is_definition(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default();
    matches!(first, "create" | "drop" | "rename" | "alter" | "truncate") && !text.contains("temporary")
}

/// What a workload makes of the data directory, statement by statement.
struct Expected {
    statements: Vec<String>,
    /// `states[n]`: after n statements.
    states: Vec<Vec<String>>,
    /// The state that a power cut cannot undo, after n statements.
    durable: Vec<usize>,
    operations: u64,
    /// Statements that succeed.
    done: usize,
}

fn expect(seed: u64, durability: &str) -> Expected {
    let storage = fresh();
    let engine = open(&storage, durability).expect("open");
    let statements = statements(seed);
    let (mut states, mut durable, mut successes) = (vec![dump(&engine)], vec![0], 0);
    let mut session = connect(&engine);
    for (n, text) in statements.iter().enumerate() {
        let done = rows(&mut session, text).is_ok();
        states.push(dump(&engine));
        successes += usize::from(done);
        // DROP TABLE IF EXISTS of nothing does nothing.
        let changed = states[n] != states[n + 1];
        let synced = done && (durability == "commit" || is_definition(text) && changed);
        durable.push(if synced { n + 1 } else { durable[n] });
    }
    drop(session);
    // The clean stop counts: it can be interrupted, too.
    engine.shutdown().expect("a clean stop");
    Expected { statements, states, durable, operations: storage.operations(), done: successes }
}

/// Nothing of what was under way is left, and each table has all its files.
fn check_files(storage: &MemoryStorage) {
    let list = |dir: &Path| storage.list(dir).expect("list");
    let mut behind = Vec::new();
    for (path, is_dir) in list(Path::new(DIR)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name == "#sqltmp" {
            assert_eq!(list(&path), [], "tables of sessions are left");
            continue;
        }
        assert!(!name.starts_with("#sql"), "{name} is left");
        assert!(!name.contains("kept-journal"), "a table of ours was taken for a foreign one");
        if !is_dir {
            continue;
        }
        let files: Vec<PathBuf> = list(&path).into_iter().map(|(path, _)| path).collect();
        assert!(files.contains(&path.join("db.opt")), "{name} has no options");
        for file in &files {
            let shown = file.display();
            if storage.read_link(file).expect("a name").is_some() {
                behind.push(storage.canonical(file).expect("what a link leads to"));
            }
            assert!(!shown.to_string().contains("#sql"), "{shown} is left");
            if file.file_name().is_some_and(|n| n == "db.opt") {
                continue;
            }
            if file.extension().is_some_and(|e| e == "TRN") {
                let bytes = storage.bytes(file).expect("a file");
                let table = schema::trg::read_name(&bytes).expect("a trigger's table");
                assert!(
                    files.contains(&path.join(table).with_extension("TRG")),
                    "{shown} has no TRG beside it"
                );
                continue;
            }
            // a partitioned table has files for each partition, and a list of them
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let (table, part) = stem.split_once("#P#").map_or((&*stem, false), |(table, _)| (table, true));
            let partitioned = files.contains(&path.join(format!("{table}.par")));
            let needed: &[&str] = match (partitioned, part) {
                (true, true) => &["MYI", "MYD"],
                (true, false) => &["frm", "par"],
                (false, _) => &["frm", "MYI", "MYD"],
            };
            for extension in needed {
                assert!(
                    files.contains(&file.with_extension(extension)),
                    "{shown} has no {extension} beside it"
                );
            }
        }
    }
    behind.sort();
    let mut outside: Vec<PathBuf> =
        OUTSIDE.iter().flat_map(|dir| list(Path::new(dir))).map(|(path, _)| path).collect();
    outside.sort();
    assert_eq!(outside, behind, "files elsewhere, and what links lead to");
}

/// What `myisamchk -e` says of the tables of a stopped data directory; it has to be installed.
fn myisamchk(storage: &MemoryStorage) -> u64 {
    let scratch = tempfile::tempdir().expect("a folder");
    let mut tables = 0;
    for db in ["d1", "d2", "d3"] {
        let Ok(files) = storage.list(&Path::new(DIR).join(db)) else { continue };
        let names = files.into_iter().map(|(path, _)| path);
        for index in names.filter(|path| path.extension().is_some_and(|e| e == "MYI")) {
            for extension in ["MYI", "MYD"] {
                let path = storage.canonical(&index.with_extension(extension)).expect("a file");
                let bytes = storage.bytes(&path).expect("a file");
                std::fs::write(scratch.path().join(format!("t.{extension}")), bytes).expect("a copy");
            }
            let checked = std::process::Command::new("myisamchk")
                .args(["-e", "--silent"])
                .arg(scratch.path().join("t.MYI"))
                .output()
                .expect("run myisamchk");
            let said = String::from_utf8_lossy(&checked.stdout) + String::from_utf8_lossy(&checked.stderr);
            assert!(said.is_empty() && checked.status.success(), "{}: {said}", index.display());
            tables += 1;
        }
    }
    tables
}

/// The full-text key `w` of a table, if it has one, finds what the rows say.
fn words_are_those_of_rows(session: &mut Session, table: &str) {
    let definition = rows(session, &format!("show create table {table}")).expect("definition")[0].join(" ");
    if !definition.contains("FULLTEXT KEY `w` (`s`)") {
        return;
    }
    for word in ["words", "more", "llll*", "three", "changed"] {
        let mut find = |hint: &str| {
            let search = format!("match (s) against ('{word}' in boolean mode)");
            rows(session, &format!("select id from {table} {hint} where {search} order by id"))
                .expect("a search")
        };
        assert_eq!(find(""), find("ignore index (w)"), "rows of {table} with {word}");
    }
}

/// What a restarted server shows is one of the states from `from` to `to`.
fn verify(storage: &Arc<MemoryStorage>, expected: &Expected, from: usize, to: usize, sample: bool) -> u64 {
    let engine = open(storage, "second").expect("recovery");
    check_files(storage);
    let found = dump(&engine);
    let place = expected.states[from..=to].iter().position(|state| *state == found);
    assert!(
        place.is_some(),
        "no state between {from} and {to}: {found:#?}\nbefore: {:#?}\nafter: {:#?}",
        expected.states[from],
        expected.states[to]
    );
    let mut session = connect(&engine);
    for table in rows(&mut session, "select concat(table_schema,'.',table_name) from information_schema.tables where table_schema like 'd_'")
        .expect("tables")
    {
        let checked = rows(&mut session, &format!("check table {} extended", table[0])).expect("check");
        assert_eq!(checked.last().map(|row| row[3].as_str()), Some("OK"), "{checked:?}");
        words_are_those_of_rows(&mut session, &table[0]);
    }
    // And everything can go on.
    rows(&mut session, "create table if not exists mysql.after (a int)").expect("a new table");
    rows(&mut session, "insert into mysql.after values (1)").expect("a new row");
    drop(session);
    engine.shutdown().expect("a clean stop");
    if sample { myisamchk(storage) } else { 0 }
}

/// What there was to look at.
#[derive(Default)]
struct Looked {
    points: u64,
    /// Tables that myisamchk looked at.
    tables: u64,
}

/// Crashes the workload at one operation, if it has not ended before.
fn crash_once(seed: u64, durability: &str, expected: &Expected, at: u64, sample: bool, looked: &mut Looked) {
    let storage = fresh();
    storage.crash_at(at);
    let mut acknowledged = 0;
    if let Ok(engine) = open(&storage, durability) {
        let mut session = connect(&engine);
        for text in &expected.statements {
            let _ = rows(&mut session, text);
            if storage.crashed() {
                break;
            }
            acknowledged += 1;
        }
        drop(session);
        let _ = engine.shutdown();
    }
    if !storage.crashed() {
        return;
    }
    looked.points += 1;
    let to = (acknowledged + 1).min(expected.statements.len());
    for mode in [CrashMode::Kill, CrashMode::PowerCut] {
        let choice = seed * 10_000 + at;
        let from = if mode == CrashMode::Kill { acknowledged } else { expected.durable[acknowledged] };
        let after = Arc::new(storage.after_crash(mode, choice).expect("after the crash"));
        let again = Arc::new(after.after_crash(CrashMode::Kill, 0).expect("a copy"));
        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let tables = verify(&after, expected, from, to, sample);
            again.crash_at(again.operations() + choice % 23);
            drop(open(&again, "second"));
            let twice = Arc::new(again.after_crash(mode, choice).expect("after the second crash"));
            tables + verify(&twice, expected, from, to, sample)
        }));
        let text = expected.statements.get(acknowledged).map_or("(stop)", String::as_str);
        let place = || format!("seed {seed}, {durability}, operation {at}, {mode:?}, in: {text}");
        looked.tables += checked.unwrap_or_else(|_| panic!("{}", place()));
    }
}

#[test]
fn definitions_are_whole_after_a_crash_at_every_operation() {
    let soak = std::env::var_os("ISAMBARD_SOAK").is_some();
    let first = std::env::var("ISAMBARD_SEED").ok().and_then(|v| v.parse().ok());
    let (seeds, step) = match (first, soak) {
        (Some(seed), _) => (seed..seed + 1, 1),
        (None, true) => (1..60, 1),
        (None, false) => (1..7, 3),
    };
    let tool = std::process::Command::new("myisamchk").arg("--version").output().is_ok();
    if !tool {
        eprintln!("NOTICE: myisamchk is not installed, the sample is checked by our own check alone");
    }
    let (mut looked, mut done, mut all) = (Looked::default(), 0, 0);
    for seed in seeds {
        let durability = ["commit", "second", "none"][seed as usize % 3];
        let expected = expect(seed, durability);
        done += expected.done;
        all += expected.statements.len();
        let mut at = seed % step;
        while at < expected.operations {
            let sample = tool && (seed + at / step).is_multiple_of(23);
            crash_once(seed, durability, &expected, at, sample, &mut looked);
            at += step;
        }
    }
    println!(
        "{} crash points in {all} statements, {done} of which do something; myisamchk -e on {} tables",
        looked.points, looked.tables
    );
    assert!(looked.points > 300 && done * 2 > all && (looked.tables > 100 || !tool));
}

/// A full or failing disk at any operation of a statement that changes keys: the table has the old keys or the new ones, all its
/// rows, and nothing of the attempt is left.
#[test]
fn keys_are_the_old_or_the_new_whatever_the_disk_says() {
    let made = fresh();
    let engine = open(&made, "commit").expect("open");
    let mut session = connect(&engine);
    for sql in [
        "create database d",
        "create table d.t (a int primary key, s varchar(50), key (s)) select seq a, concat('s', seq % 7) s from d.seq_1_to_300",
        "insert into d.t values (1000, 'after')",
    ] {
        rows(&mut session, sql).expect(sql);
    }
    drop(session);
    engine.store().sync_journal().expect("a sync");
    for sql in [
        "create index b on d.t (s, a)",
        "alter table d.t drop key s, add unique u (a)",
        "alter table d.t drop key s, add fulltext key w (s)",
    ] {
        let (mut refused, mut tried) = (0, 0);
        for at in 0.. {
            let storage = Arc::new(made.after_crash(CrashMode::Kill, 0).expect("a copy"));
            let engine = open(&storage, "commit").expect("open");
            let mut session = connect(&engine);
            let show =
                |session: &mut Session| rows(session, "show create table d.t").expect("show")[0].join("");
            let before = show(&mut session);
            let hit = Arc::new(AtomicU64::new(0));
            let seen = Arc::clone(&hit);
            storage.set_fault(Some(Box::new(move |operation, _| {
                let due = operation != Operation::Read && seen.fetch_add(1, Ordering::Relaxed) == at;
                due.then_some(std::io::ErrorKind::StorageFull)
            })));
            let result = rows(&mut session, sql);
            storage.set_fault(None);
            if hit.load(Ordering::Relaxed) <= at {
                break;
            }
            drop((session, engine));
            let after = Arc::new(storage.after_crash(CrashMode::Kill, 0).expect("a copy"));
            let engine = open(&after, "commit").expect("open");
            let mut session = connect(&engine);
            let changed = show(&mut session) != before;
            assert!(changed || result.is_err(), "{sql} at {at}: told and not done");
            refused += u32::from(!changed);
            tried += 1;
            let count = rows(&mut session, "select count(*), sum(a) from d.t").expect("count");
            assert_eq!(count[0], ["301", "46150"], "{sql} at {at}");
            let checked = rows(&mut session, "check table d.t extended").expect("check");
            assert_eq!(checked.last().map(|row| row[3].as_str()), Some("OK"), "{sql} at {at}: {checked:?}");
            drop(session);
            engine.shutdown().expect("a clean stop");
            check_files(&after);
        }
        assert!(refused > 5 && tried > refused, "{sql}: {refused} of {tried}");
    }
}

/// The journal's files are gone: what was in use cannot be opened, and REPAIR TABLE makes a table of what its files have.
#[test]
fn a_table_without_its_journal_can_be_repaired() {
    let storage = fresh();
    let engine = open(&storage, "commit").expect("open");
    let mut session = connect(&engine);
    for sql in ["create database d", "create table d.t (a int primary key, s varchar(50), key (s))"] {
        rows(&mut session, sql).expect(sql);
    }
    for n in 0..50 {
        rows(&mut session, &format!("insert into d.t values ({n}, repeat('{n}', 9))")).expect("a row");
        if n == 30 {
            engine.store().checkpoint().expect("a checkpoint");
        }
    }
    let after = Arc::new(storage.after_crash(CrashMode::Kill, 0).expect("a kill"));
    for (path, _) in after.list(Path::new(DIR)).expect("list") {
        if path.to_string_lossy().contains("isambard.journal") {
            after.remove(&path).expect("remove");
        }
    }
    let engine = open(&after, "commit").expect("open");
    let mut session = connect(&engine);
    assert_eq!(rows(&mut session, "select * from d.t").expect_err("guarded").code, 1035);
    assert_eq!(rows(&mut session, "check table d.t").expect("check")[0][2], "Error");
    let repaired = rows(&mut session, "repair table d.t").expect("repair");
    assert_eq!(repaired.last().map(|row| row[3].as_str()), Some("OK"), "{repaired:?}");
    let count = rows(&mut session, "select count(*) from d.t").expect("count");
    assert!(count[0][0].parse::<u32>().is_ok_and(|n| n >= 31), "{count:?}");
    assert_eq!(rows(&mut session, "check table d.t extended").expect("check")[0][3], "OK");
}
