//! Statements over far more rows than they may hold: what they allocate stays near their budget. The allocator
//! counts; the same statement with room for everything shows what it would take.

#![allow(unsafe_code)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use common::Database;

struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn grew(by: usize) {
    let live = LIVE.fetch_add(by, Ordering::Relaxed) + by;
    PEAK.fetch_max(live, Ordering::Relaxed);
}

// SAFETY: every call is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grew(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        grew(size);
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test at a time: the allocator is everybody's.
static ONE: Mutex<()> = Mutex::new(());

/// Bytes that a statement allocates at the same time at most.
fn peak(f: impl FnOnce()) -> usize {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    f();
    PEAK.load(Ordering::Relaxed).saturating_sub(before)
}

/// `tmp_memory_table_size` of the bounded runs. The tables have more than twenty times as much.
const BUDGET: usize = 1 << 19;

/// What a statement may take: the budget for each of the few things it holds at the same time (groups, a sort, the
/// result), and batches of rows on their way.
const BOUND: usize = 6 * BUDGET + (3 << 20);

fn small(db: &mut Database) {
    db.run(&format!(
        "set sort_buffer_size = {BUDGET}, tmp_memory_table_size = {BUDGET}, max_heap_table_size = {BUDGET}"
    ));
}

fn large(db: &mut Database) {
    db.run("set sort_buffer_size = 1073741824, tmp_memory_table_size = 1073741824, max_heap_table_size = 1073741824");
}

/// 131,072 rows of more than 120 bytes each, all different.
fn filled() -> Database {
    let mut db = Database::with(&[("statement_memory", "1048576"), ("version_cache_size", "16777216")]);
    db.run("create table n (i int not null auto_increment primary key, g int, s varchar(200), z bigint) engine=myisam");
    db.run("insert into n (g, z) values (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)");
    for _ in 0..14 {
        db.run("insert into n (g, z) select g, z from n");
    }
    db.run("update n set g = i * 7 % 100003, s = concat(md5(i), md5(i + 1), md5(i + 2), lpad(i, 12, 'x'))");
    db
}

#[test]
fn statements_stay_near_their_budget() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut db = filled();
    db.run("create table m (key (i)) select i, g, s, z from n");
    db.run("set group_concat_max_len = 1000");
    // the statement, and whether it takes much when it may
    let statements = [
        ("select count(*) from (select s from n union select s from m) q", true),
        ("select count(*), max(s) from (select s from n union select s from m) q", true),
        ("select count(*), max(s) from (select s from n union all select s from m) q", true),
        // rows that are only counted are not kept
        ("select count(*) from (select s from n union all select s from m) q", false),
        ("select count(*) from (select s from n intersect select s from m) q", true),
        ("select count(*) from (select s from n except select s from m where i % 2) q", true),
        ("select count(*), sum(c) from (select s, g, count(*) c from n group by s, g with rollup) q", true),
        ("select count(*) from (select s, count(*) c from n group by s order by c desc, s) q", true),
        ("select count(*), max(s) from (select i, s from n limit 10000000) q", true),
        ("select count(*) from n where s in (select s from m)", true),
        ("select count(*) from n where (g, s) in (select g, s from m)", true),
        ("select count(*) from n where s > all (select s from m)", false),
        ("select count(distinct s), count(distinct g, s) from n", true),
        ("select count(*), sum(c) from (select i % 7 k, count(distinct s) c from n group by k) q", true),
        ("select length(group_concat(distinct s order by g)) from n", true),
        ("select i % 3 k, length(group_concat(s order by s desc)) from n group by k", true),
        (
            "select count(*), sum(length(c)) from (select g % 10000 k, group_concat(s, s, s) c from n group by k) q",
            true,
        ),
        ("select count(distinct s) from n union select 1", true),
        ("select count(*), sum(length(a.s)) from n a join n b on a.s = b.s", true),
    ];
    let mut wrong = Vec::new();
    for (sql, much) in statements {
        let query = sql.starts_with("select");
        small(&mut db);
        let mut found = Vec::new();
        let bounded = peak(|| found = db.run(sql).rows);
        let mut free = 0;
        if query {
            large(&mut db);
            let mut expected = Vec::new();
            free = peak(|| expected = db.run(sql).rows);
            assert!(found == expected, "{sql}");
        }
        println!("{:6} KB within {} KB, {:7} KB without: {sql}", bounded >> 10, BUDGET >> 10, free >> 10);
        if bounded > BOUND {
            wrong.push(format!("{sql}: {} KB", bounded >> 10));
        }
        // a statement that never takes much proves nothing
        if query && much && free < 2 * BOUND {
            wrong.push(format!("{sql}: takes only {} KB at its will", free >> 10));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_are_read_and_written_by_the_piece() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut db = filled();
    let place = tempfile::tempdir().expect("folder");
    let file = place.path().join("rows.txt");
    small(&mut db);
    let out = peak(|| _ = db.run(&format!("select * from n into outfile '{}'", file.display())));
    db.run("create table c like n");
    let back = peak(|| _ = db.run(&format!("load data infile '{}' into table c", file.display())));
    assert_eq!(db.rows("checksum table n, c")[0][7..], db.rows("checksum table n, c")[1][7..]);
    println!("out {} KB, back {} KB", out >> 10, back >> 10);
    assert!(out < BOUND && back < BOUND, "{out} {back}");
}

#[test]
fn rows_are_copied_within_bounds() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut db = filled();
    db.run("set myisam_sort_buffer_size = 1048576");
    let rows = |db: &mut Database, t: &str| {
        let checked = db.rows(&format!("check table {t} extended"));
        assert!(checked.len() == 1 && checked[0].ends_with("OK"), "{checked:?}");
        db.rows(&format!("select count(*), sum(i), sum(crc32(s)), sum(g) from {t}"))
    };
    for options in ["", "row_format=fixed", "checksum=1"] {
        db.run(&format!(
            "create table m (i int not null auto_increment primary key, g int, s varchar(200), z bigint) engine=myisam {options}"
        ));
        let mut took = Vec::new();
        took.push(peak(|| _ = db.run("insert into m select * from n")));
        db.run("alter table m add key (g), add unique (i)");
        took.push(peak(|| _ = db.run("repair table m")));
        db.run("create table o like m");
        took.push(peak(|| _ = db.run("insert into o select * from m")));
        took.push(peak(|| _ = db.run("alter table o force")));
        // the rows are 17 MB at least
        println!("{options}: {took:?}");
        assert!(took.iter().all(|took| *took < 12 << 20), "{options}: {took:?}");
        let expected = rows(&mut db, "m");
        assert_eq!(expected, rows(&mut db, "n"), "{options}");
        assert_eq!(expected, rows(&mut db, "o"), "{options}");
        db.run("delete from o where i % 10 = 0");
        let left = rows(&mut db, "o");
        db.run("optimize table o");
        assert_eq!(left, rows(&mut db, "o"), "{options}");
        db.run("drop table m, o");
    }
}

#[test]
fn long_values_are_sorted_by_the_piece() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut db = Database::with(&[("statement_memory", "1048576")]);
    db.run("create table b (i int not null auto_increment primary key, l longblob) engine=myisam");
    db.run("insert into b (l) values (repeat('a', 300000)), (repeat('b', 300000))");
    for _ in 0..7 {
        db.run("insert into b (l) select concat(char(97 + i % 26), repeat('x', 300000)) from b");
    }
    small(&mut db);
    for sql in [
        "select count(*), sum(length(l)) from (select i, l from b order by l, i limit 100000) q",
        "select count(*) from (select distinct concat(i, l) from b) q",
        "select sum(length(a.l)) from b a join b c on a.i = c.i",
    ] {
        let took = peak(|| _ = db.run(sql));
        println!("{} KB: {sql}", took >> 10);
        // the blobs are 75 MB; batches hold one to two MB of them
        assert!(took < 24 << 20, "{sql}: {} KB", took >> 10);
    }
}

#[test]
fn long_values_are_made_for_few_rows_at_a_time() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut db = Database::new();
    db.run("create table k (i int not null auto_increment primary key, g int, s char(1)) engine=myisam");
    db.run("insert into k (g, s) values (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')");
    for _ in 0..9 {
        db.run("insert into k (g, s) select g, s from k");
    }
    small(&mut db);
    // 320 MB of values each
    let long = "repeat(s, 160000)";
    let statements = [
        format!("select max(length({long})) from k"),
        format!("select count(*) from k where length({long}) > 5"),
        format!("select count(*) from k where {long} like '%b'"),
        format!("select count(*) from k where {long} > 'b' and upper({long}) < 'D'"),
        format!("select count(*) from k where {long} in ('a', 'b') or reverse({long}) between 'a' and 'c'"),
        format!("select sum(crc32({long})), max(left({long}, 3)) from k group by g"),
        format!("select count(*) from (select left({long}, 5) l from k group by left({long}, 10)) q"),
        format!(
            "select count(*) from (select i from k order by right({long}, 9), length({long}) limit 3000) q"
        ),
        format!("select count(*) from k where case when {long} = 'x' then 1 else length({long}) end > 1"),
        format!("select count(*) from k where if(length({long}) > 1, locate('b', {long}), 0)"),
        "select count(*) from k a join k b on a.i = b.i where length(concat(repeat(a.s, 160000), b.s)) = 160001"
            .to_owned(),
        "select count(*) from k a join k b on left(repeat(a.s, 160000), 2) = b.s".to_owned(),
        format!("update k set g = length({long})"),
        format!("delete from k where instr({long}, 'x')"),
    ];
    let mut wrong = Vec::new();
    for sql in statements {
        let bounded = peak(|| drop(db.run(&sql)));
        println!("{:6} KB: {sql}", bounded >> 10);
        if bounded > BOUND {
            wrong.push(format!("{sql}: {} KB", bounded >> 10));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn long_arguments_are_made_as_long_as_they_are_needed() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut db = Database::new();
    db.run("create table k (i int, a char(1), b char(1)) engine=myisam");
    db.run("insert into k values (1, 'a', 'y'), (2, 'z', 'b'), (3, null, 'c'), (4, 'd', 'D')");
    let long = |of: &str| format!("repeat({of}, 2000000)");
    let list: Vec<String> = (0..40).map(|i| long(&format!("char({})", 97 + i * 7 % 25))).collect();
    let list = list.join(",");
    // (what is asked, what comes); each list is 80 MB
    let asked = [
        (format!("select left(greatest({list}), 3), left(least({list}), 3)"), "yyy|aaa".to_owned()),
        (format!("select field({}, {list})", long("'c'")), "12".into()),
        (format!("select field(concat({}, 'x'), {list})", long("'c'")), "0".into()),
        (format!("select length(elt(3, {list})), elt(41, {list})"), "2000000|NULL".into()),
        (
            format!("select {} in ({list}), 'x' not in ({list}), null in ({list})", long("'c'")),
            "1|1|NULL".into(),
        ),
        (
            format!("select concat(a, repeat('a', 1999999)) in ({list}), a in (b, {list}) from k"),
            "1|0 0|0 NULL|NULL 0|1".into(),
        ),
        (format!("select length(group_concat({list})) from k where i = 1"), "1048576".into()),
        (format!("select length(group_concat({list} order by 1)) from k where i = 1"), "1048576".into()),
        (format!("select interval(5, {list}), length(char({list}))"), "40|40".into()),
        (
            format!(
                "select case 'x' {} else 'none' end",
                list.split(',').map(|_| "when repeat('y', 2000000) then 1 ").collect::<String>()
            ),
            "none".into(),
        ),
        (format!("select length(concat({list}, {list}))"), "NULL".into()),
        (
            format!(
                "select left(greatest({0}, {1}, {2}), 1), left(least({0}, {1}, {2}, {0}), 1), field({1}, {0}, {2}, {1}) from k",
                long("a"),
                long("b"),
                long("'m'")
            ),
            "y|a|3 z|b|3 NULL|NULL|3 m|d|1".into(),
        ),
    ];
    for (sql, expected) in asked {
        let mut rows = Vec::new();
        let took = peak(|| rows = db.run(&sql).rows);
        let rows: Vec<String> = rows.iter().map(|r| r.join("|")).collect();
        assert_eq!(rows.join(" "), expected, "{}", &sql[..60]);
        println!("{} KB: {}", took >> 10, &sql[..60]);
        // a call holds few of its arguments at once: of four rows where there are rows
        assert!(took < 64 << 20, "{}: {} KB", &sql[..60], took >> 10);
    }
}

/// The time of a long list of IN grows as the list does, not with its square: eight times as many values take well below
/// 64 times as long.
#[test]
fn long_lists_of_in_take_linear_time() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut db = Database::new();
    db.run("create table k (i int, s varchar(20)) engine=myisam");
    db.run("insert into k select seq * 1000, concat('text ', seq * 1000) from seq_1_to_100");
    for (column, value) in [("i", "{}"), ("s", "'text {}'"), ("i + 0", "{}"), ("concat(s)", "'text {}'")] {
        let mut took = |n: usize| {
            let list: Vec<String> = (1..=n).map(|i| value.replace("{}", &i.to_string())).collect();
            let sql = format!("select count(*) from k where {column} in ({})", list.join(","));
            let begin = std::time::Instant::now();
            let rows = db.run(&sql).rows;
            assert_eq!(rows[0][0], (n / 1000).min(100).to_string(), "{column}: {n}");
            begin.elapsed()
        };
        // the best of three: other work on the machine is not meant
        let mut best = |n: usize| (0..3).map(|_| took(n)).min().unwrap_or_default();
        let (short, long) = (best(5_000), best(40_000));
        println!("{column}: {short:?}, {long:?}");
        assert!(long < short * 32, "{column}: 5,000 values {short:?}, 40,000 values {long:?}");
    }
}

/// A table of MEMORY takes its rows' own lengths, whatever its columns could hold, and emptying it gives the memory back.
#[test]
fn tables_in_memory_take_what_their_rows_need() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut db = Database::new();
    db.run("set max_heap_table_size = 1 << 30");
    db.run("create table warm (a int) engine=memory");
    let live = || LIVE.load(Ordering::Relaxed);
    let before = live();
    db.run(
        "create table w (i int primary key, s varchar(10000), t text, key using btree (t(20))) engine=memory",
    );
    db.run("insert into w select seq, 'short', concat('text ', seq) from seq_1_to_50000");
    let grown = live().saturating_sub(before);
    println!("{} KB for 50000 rows", grown >> 10);
    assert!(grown > 50_000 * 20, "{grown}: where are the rows?");
    assert!(grown < 50_000 * 150, "{grown} bytes");
    db.run("insert into w select seq, repeat('x', 1000), '' from seq_100001_to_120000");
    assert!(live().saturating_sub(before) < grown + 20_000 * 1_300);
    // What stays is the writer's stock of pages.
    const LEFT: usize = 5 << 20;
    for emptied in ["truncate table w", "delete from w", "drop table w"] {
        let full = live().saturating_sub(before);
        assert!(full > 3 * LEFT, "{full} before {emptied}");
        db.run(emptied);
        let left = live().saturating_sub(before);
        assert!(left < LEFT, "{left} bytes are left after {emptied}");
        if emptied != "drop table w" {
            db.run("insert into w select seq, repeat('x', 1000), '' from seq_1_to_20000");
        }
    }
}

#[test]
fn searches_stay_near_their_budget() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut db = Database::with(&[("statement_memory", "1048576"), ("version_cache_size", "16777216")]);
    db.run("create table d (i int not null auto_increment primary key, t varchar(60)) engine=myisam");
    db.run("insert into d (t) values ('a'), ('b'), ('c'), ('d'), ('e'), ('f'), ('g'), ('h')");
    for _ in 0..16 {
        db.run("insert into d (t) select t from d");
    }
    db.run("update d set t = concat('word', i % 8, ' more', i % 16, ' ', if(i % 997, '', 'rare'))");
    db.run("alter table d add fulltext key (t)");
    let words = "word0 word1 word2 word3 word4 word5";
    let natural = format!("match (t) against ('{words}')");
    let expansion = "match (t) against ('rare' with query expansion)";
    let boolean = format!("match (t) against ('{words}' in boolean mode)");
    let statements = [
        format!("select count(i), sum(i) from d where {natural}"),
        format!("select count(*), sum(i) from (select i from d where {natural} limit 10000000) q"),
        format!("select i, {natural} from d where {natural} order by {natural} desc limit 300000, 100"),
        format!("select count(*), sum(i) from d where {natural} > 1 or i % 5 = 0"),
        format!("select count(*), sum(i), max({natural}) from d"),
        format!("select count(*), sum(i) from (select i from d where {expansion} limit 10000000) q"),
        format!("select i, {expansion} from d where {expansion} order by {expansion} desc limit 300000, 100"),
        format!("select i, {boolean} from d where {boolean} order by {boolean} desc limit 300000, 100"),
    ];
    let mut wrong = Vec::new();
    for sql in statements {
        small(&mut db);
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        let bounded = peak(|| found = db.run(&sql).rows);
        large(&mut db);
        let free = peak(|| expected = db.run(&sql).rows);
        println!("{:6} KB within {} KB, {:7} KB without: {sql}", bounded >> 10, BUDGET >> 10, free >> 10);
        assert!(
            !expected.is_empty() && found == expected,
            "{sql}: {:?} for {:?}",
            found.first(),
            expected.first()
        );
        if bounded > BOUND / 2 || free < BOUND {
            wrong.push(format!("{sql}: {} KB, {} KB at its will", bounded >> 10, free >> 10));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
