//! Groups made by several threads are those that one thread makes: rows, their order, first rows of groups, warnings.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};

use common::{Database, ask};

/// Tables of 6,000 rows: fixed rows, rows of several lengths, and in memory; all with rows that were changed and deleted, and rows
/// of several parts.
fn tables() -> Database {
    let mut db = Database::new();
    db.run("set sql_mode = ''");
    let columns = "id int, a int, n int, u bigint unsigned, d decimal(12,2), f double, c char(9), dt datetime, y date, e enum('p','q','r')";
    db.run(&format!("create table fixed ({columns}, s char(12) character set utf8mb4) engine=myisam"));
    db.run(&format!(
        "create table moved ({columns}, s varchar(300) character set utf8mb4, b blob) engine=myisam"
    ));
    db.run(&format!("create table kept ({columns}, s varchar(300) character set utf8mb4) engine=memory"));
    let values = "seq, seq * 7919 % 1000, nullif(seq % 5, 3), seq * 104729 % 4999 + 18446744073709540000, \
                  seq * 31 % 977 / 7, seq * 13 % 101 / 3, concat('c', seq % 11), \
                  '2020-01-01' + interval seq % 400 hour, '2020-01-01' + interval seq % 40 day, 1 + seq % 3, \
                  elt(1 + seq % 7, 'x', 'X', 'y ', 'y', concat('é', seq % 30), concat('E', seq % 30), concat('name', seq))";
    for table in ["fixed", "moved", "kept"] {
        let more = if table == "moved" { ", repeat('z', seq % 60)" } else { "" };
        db.run(&format!("insert into {table} select {values}{more} from seq_1_to_6000"));
        db.run(&format!("delete from {table} where id % 17 = 3"));
        db.run(&format!("update {table} set a = a + 1, s = concat(s, 'w') where id % 13 = 5"));
    }
    db.run("update moved set s = concat('long', repeat('é', id % 250)) where id % 19 = 4");
    db.run("update moved set b = repeat('q', 3000) where id % 97 = 1");
    db
}

const KEYS: &[&str] = &[
    "",
    "a",
    "n",
    "u",
    "d",
    "f",
    "c",
    "s",
    "dt",
    "y",
    "e",
    "a % 7, n",
    "s, n",
    "n, s",
    "upper(s)",
    "a div 100, c",
    "id",
    "concat(s, c)",
    "y, e, n",
];

const LISTS: &[&str] = &[
    "count(*)",
    "count(*), count(n), sum(a), avg(a), min(a), max(u), min(u), sum(n)",
    "sum(a), sum(d), max(d), s, id",
    "id, s, c, dt",
    "count(*), min(s), max(y), bit_xor(a), group_concat(id), sum(f)",
    "count(distinct n), count(*)",
];

/// The counters of the session.
fn counted(db: &mut Database) -> Vec<(String, u64)> {
    let rows = db
        .run("show session status where variable_name like 'handler%' or variable_name like 'rows%read'")
        .rows;
    rows.into_iter().map(|r| (r[0].clone(), r[1].parse().unwrap())).collect()
}

fn since(before: &[(String, u64)], after: &[(String, u64)]) -> Vec<(String, u64)> {
    before.iter().zip(after).map(|(b, a)| (b.0.clone(), a.1 - b.1)).collect()
}

#[test]
fn groups_are_those_of_one_thread() {
    let mut db = tables();
    let mut asked = 0;
    for table in ["fixed", "moved", "kept"] {
        for (k, keys) in KEYS.iter().enumerate() {
            for (l, list) in LISTS.iter().enumerate() {
                let condition =
                    ["", " where a < 500", " where s like 'x%' or n = 2", " where id % 3"][(k + l) % 4];
                let behind =
                    ["", " order by null", " limit 7", " order by 1 desc, 2 limit 9", " having count(*) > 1"]
                        [(k * 5 + l * 3) % 5];
                let group = if keys.is_empty() { String::new() } else { format!(" group by {keys}") };
                let behind = if keys.is_empty() || list.starts_with("count(*)") && behind.contains(", 2") {
                    ""
                } else {
                    behind
                };
                let sql = format!("select {list} from {table}{condition}{group}{behind}");
                // much memory, and so little that nearly all groups go to disk
                for bytes in [16 << 20, 1 << 10, 60 << 10] {
                    db.run(&format!("set tmp_memory_table_size = {bytes}, isambard_threads = 1"));
                    let before = counted(&mut db);
                    let (one, warned) = (db.ask(&sql), db.rows("show warnings"));
                    let cost = since(&before, &counted(&mut db));
                    for threads in [2, 4] {
                        db.run(&format!("set isambard_threads = {threads}"));
                        let before = counted(&mut db);
                        let (many, also) = (db.ask(&sql), db.rows("show warnings"));
                        assert_eq!(
                            (&one.error, &one.rows),
                            (&many.error, &many.rows),
                            "{threads} threads: {sql}"
                        );
                        assert_eq!(warned, also, "{threads} threads: {sql}");
                        let also = since(&before, &counted(&mut db));
                        // groups on disk are not counted, and which these are differs
                        if bytes == 16 << 20 {
                            assert_eq!(cost, also, "{threads} threads: {sql}");
                        }
                        asked += 1;
                    }
                }
            }
        }
    }
    assert!(asked > 2000);
}

#[test]
fn many_groups_are_parted_and_merged() {
    let mut db = Database::new();
    db.run("create table wide (id int, k int, s varchar(60) character set utf8mb4) engine=myisam");
    db.run("insert into wide select seq, seq * 7919 % 50021, concat('name', seq * 31 % 60013) from seq_1_to_160000");
    for list in [
        "k, count(*), sum(id), id, s from wide group by k",
        // each row begins a group: one thread goes on
        "id, count(*), s from wide group by id",
        "s, max(id), min(k) from wide where id % 5 group by s",
        // so are most of these, but their keys do not lie close together: rows are kept and grouped in partitions
        "concat(s, '-', id % 3) x, count(*), max(id), sum(k), id from wide group by x",
        "s collate utf8mb4_unicode_ci x, id % 4 y, min(id), count(nullif(k, 7)), id from wide group by x, y",
        "id * 1000003 % 16777213 x, nullif(k % 100, 3) y, avg(k), s from wide group by x, y",
        "s collate utf8mb4_bin x, -id % 5 y, sum(id * 1.5), count(*) from wide where k % 9 group by x, y",
    ] {
        for behind in ["", " order by null", " limit 20", " order by 2 desc, 1"] {
            let sql = format!("select {list}{behind}");
            db.run("set sql_mode = '', isambard_threads = 1, tmp_memory_table_size = 100000000");
            let one = db.rows(&sql);
            for (threads, bytes) in [(2, 100_000_000), (3, 3_000_000), (2, 50_000)] {
                db.run(&format!("set isambard_threads = {threads}, tmp_memory_table_size = {bytes}"));
                assert!(db.rows(&sql) == one, "{threads} threads, {bytes} bytes: {sql}");
            }
        }
    }
}

/// Groups of integers that lie close together stay with the threads that found them; each thread finds all of them, or some.
#[test]
fn near_groups_of_several_threads() {
    let mut db = Database::new();
    db.run("create table near (id int, k int not null, u bigint unsigned not null, n int, s varchar(20), d decimal(9,2)) engine=myisam");
    db.run(
        "insert into near select seq, cast(seq * 7919 % 9001 as signed) - 4000, seq div 7 + 18446744073709500000, nullif(seq * 31 % 8009, 5), \
         concat('s', seq % 91), seq % 977 / 4 from seq_1_to_60000",
    );
    db.run("delete from near where id % 23 = 5");
    for keys in ["k", "u", "n", "k div 2", "id div 3", "k, 1 + 1"] {
        for (list, behind) in [
            ("count(*), sum(d), min(id), max(s), id, s", ""),
            ("count(*), avg(d), upper(s) x, sum(id)", "order by null"),
            ("sum(d) t, id", "having t > 800 and id % 3"),
            ("count(*) c, id", "order by c desc, id limit 30"),
            ("count(*), id", "limit 10"),
            ("count(s), count(distinct s)", ""),
        ] {
            let sql = format!("select {list} from near group by {keys} {behind}");
            db.run("set isambard_threads = 1, tmp_memory_table_size = 100000000");
            let one = db.rows(&sql);
            for (threads, bytes) in [(2, 100_000_000), (3, 100_000_000), (5, 2_000_000), (2, 400_000)] {
                db.run(&format!("set isambard_threads = {threads}, tmp_memory_table_size = {bytes}"));
                assert!(db.rows(&sql) == one, "{threads} threads, {bytes} bytes: {sql}");
            }
        }
        let sql = format!("select distinct {keys} from near where id > 100");
        db.run("set isambard_threads = 1");
        let one = db.rows(&sql);
        for threads in [2, 3] {
            db.run(&format!("set isambard_threads = {threads}"));
            assert!(db.rows(&sql) == one, "{threads} threads: {sql}");
        }
    }
}

/// LIMIT leaves the groups that began first: threads know them once one has read the first rows, or when all were read.
#[test]
fn groups_that_began_first() {
    let mut db = Database::new();
    db.run("set sql_mode = ''");
    db.run("create table begun (id int, f int, l int, s varchar(40) character set utf8mb4, c char(3), d decimal(9,2)) engine=myisam");
    // `f` has all its values early, `l` most of them late
    db.run(
        "insert into begun select seq, seq * 31 % 13, if(seq < 9000, seq % 3, seq * 7919 % 5003), \
         concat('name', seq * 31 % 39989), concat('c', seq * 7 % 40), seq % 977 / 4 from seq_1_to_60000",
    );
    db.run("delete from begun where id % 23 = 5");
    let limits = ["limit 10", "limit 0", "limit 3, 1", "limit 100", "limit 4990, 300", "limit 17000"];
    let lists = ["count(*)", "count(*), sum(id), min(d), id, s", "max(s), avg(d)"];
    for keys in
        ["s", "f", "l", "c", "id", "l, c", "id * 1000003 % 16777213", "s collate utf8mb4_bin, f", "upper(s)"]
    {
        for (n, limit) in (0..2 * lists.len()).flat_map(|n| limits.iter().map(move |l| (n, l))) {
            let (list, condition) = (lists[n / 2], ["", " where id > 5000 and id % 3"][n % 2]);
            let sql = format!("select {list} from begun{condition} group by {keys} order by null {limit}");
            db.run("set isambard_threads = 1, tmp_memory_table_size = 100000000");
            let before = counted(&mut db);
            let one = db.rows(&sql);
            let cost = since(&before, &counted(&mut db));
            for (threads, bytes) in [(2 + n % 2, 100_000_000), (3 - n % 2, [300_000, 2_000][n % 2])] {
                db.run(&format!("set isambard_threads = {threads}, tmp_memory_table_size = {bytes}"));
                let before = counted(&mut db);
                assert!(db.rows(&sql) == one, "{threads} threads, {bytes} bytes: {sql}");
                if bytes == 100_000_000 {
                    assert_eq!(cost, since(&before, &counted(&mut db)), "{threads} threads: {sql}");
                }
            }
        }
    }
}

#[test]
fn distinct_values_are_counted_on_several_threads() {
    let mut db = Database::new();
    db.run("set sql_mode = ''");
    db.run("create table wide (id int, k int, d decimal(12,3), f double, s varchar(60) character set utf8mb4) engine=myisam");
    db.run(
        "insert into wide select seq, nullif(seq * 7919 % 50021, 77), seq * 31 % 90001 / 8, seq * 17 % 9973 / 3, \
         elt(1 + seq % 4, concat('Name', seq * 31 % 60013), concat('näme', seq * 31 % 60013), null, concat(seq * 31 % 99991, 'x ')) \
         from seq_1_to_160000",
    );
    for list in [
        "count(distinct s)",
        "count(distinct s collate utf8mb4_unicode_ci), count(*), max(id), id",
        "count(distinct s collate utf8mb4_bin), count(distinct id, s), sum(d)",
        "count(distinct k), count(distinct k, s), count(k)",
        "count(distinct d), count(distinct f), count(distinct concat(s, id % 3))",
        "count(distinct id), count(distinct id % 10), count(distinct null)",
        "count(distinct id), sum(distinct k), avg(distinct d)",
    ] {
        for condition in ["", " where id % 3", " where id < 0"] {
            let sql = format!("select {list} from wide{condition}");
            db.run("set isambard_threads = 1, tmp_memory_table_size = 100000000");
            let one = db.rows(&sql);
            for (threads, bytes) in [(2, 100_000_000), (3, 4_000_000), (2, 1_000)] {
                db.run(&format!("set isambard_threads = {threads}, tmp_memory_table_size = {bytes}"));
                assert_eq!(db.rows(&sql), one, "{threads} threads, {bytes} bytes: {sql}");
            }
        }
    }
}

#[test]
fn warnings_and_errors_come_in_the_order_of_the_rows() {
    let mut db = tables();
    for sql in [
        "select sum(a), count(s + 0) from moved",
        "select n, sum(a + s) from moved where id % 7 = 2 group by n",
        "select cast(s as signed), count(*) from moved where id between 5 and 90 group by 1",
        "select n, sum(a - u) from moved group by n",
        "select count(*) from moved where 9223372036854775807 + a > 5",
        "select a / 0, count(*) from fixed where id < 50 group by 1",
        // of the first row of a group
        "select s + 0, count(*) from moved group by n",
        "select s + 0, count(*) from fixed group by a order by null",
    ] {
        db.run("set isambard_threads = 1");
        let before = counted(&mut db);
        let (one, warned) = (db.ask(sql), db.rows("show warnings"));
        let cost = since(&before, &counted(&mut db));
        assert!(one.error.is_some() || !warned.is_empty() || sql.contains("/ 0"), "{sql}");
        db.run("set isambard_threads = 3");
        let before = counted(&mut db);
        let (many, also) = (db.ask(sql), db.rows("show warnings"));
        assert_eq!((one.error, one.rows, warned), (many.error, many.rows, also), "{sql}");
        // what threads have read in vain is not counted
        assert_eq!(cost, since(&before, &counted(&mut db)), "{sql}");
    }
}

#[test]
fn what_one_session_alone_has_is_evaluated_by_its_thread() {
    let mut db = tables();
    db.run("set isambard_threads = 4, @n = 0");
    db.run("select count(@n := @n + 1) from fixed");
    let rows = db.rows("select count(*) from fixed");
    assert_eq!(db.rows("select @n"), rows);
    assert_eq!(db.rows("select count(*) from fixed where @n > 1"), rows);
    assert_eq!(db.rows("select count(*) from fixed where connection_id() = (select connection_id())"), rows);
    assert_eq!(
        db.rows("select count(distinct now(6)), count(*) from fixed where now() > 1")[0],
        format!("1|{}", rows[0])
    );
    db.run("set @s = (select count(*) from fixed f where exists (select sum(a) from moved m where m.id > f.id and f.id < 40))");
    assert!(db.rows("select @s > 0") == ["1"]);
}

#[test]
fn threads_see_one_moment() {
    let mut db = tables();
    db.run("create table sums (id int, v int, s varchar(100)) engine=myisam");
    db.run("insert into sums select seq, 100, repeat('s', seq % 90) from seq_1_to_4000");
    let mut writer = db.connect();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut n = 0;
            while !over.load(Ordering::Relaxed) {
                n += 1;
                // one statement: the sum stays, rows move to the end of the file
                let sql = format!(
                    "update sums set v = v + if(id % 2, {n}, -{n}), s = repeat('t', (id + {n}) % 95)"
                );
                assert!(ask(&mut writer, &sql).error.is_none());
            }
        });
        db.run("set isambard_threads = 4");
        for _ in 0..60 {
            assert_eq!(
                db.rows("select sum(v), count(*), count(distinct id) from sums"),
                ["400000|4000|4000"]
            );
            assert_eq!(
                db.rows("select sum(v), count(*), min(id), max(id) from sums"),
                ["400000|4000|1|4000"]
            );
        }
        over.store(true, Ordering::Relaxed);
    });
}

#[test]
fn rows_in_order_are_those_of_one_thread() {
    let mut db = tables();
    let orders = [
        "a, id",
        "a",
        "n desc",
        "n, s",
        "s",
        "s desc, a",
        "d",
        "f desc",
        "c, a desc",
        "u",
        "dt desc",
        "y, e",
        "upper(s)",
        "a % 7",
        "concat(s, c)",
        "s collate utf8mb4_unicode_ci",
        "binary s",
        "-a",
        "id % 3, n desc",
    ];
    let lists = [
        "*",
        "id",
        "s, a",
        "id + 1, upper(s), a",
        "a % 7, count(*) over_all, id",
        "length(s), id, n is null",
    ];
    let mut asked = 0;
    for table in ["fixed", "moved", "kept"] {
        for (o, order) in orders.iter().enumerate() {
            for (l, list) in lists.iter().enumerate() {
                let list = list.replace("count(*) over_all", "c");
                let condition =
                    ["", " where a < 500", " where s like 'x%' or n = 2", " where id % 3", " where id < 0"]
                        [(o + l) % 5];
                let limit = [
                    " limit 1",
                    " limit 7",
                    "",
                    " limit 100, 50",
                    " limit 5990, 100",
                    " limit 3000",
                    " limit 0",
                    " limit 20, 20000",
                ][(o * 5 + l) % 8];
                let sql = format!("select {list} from {table}{condition} order by {order}{limit}");
                let sql = if (o + l) % 7 == 0 {
                    sql.replacen("select", "select sql_calc_found_rows", 1)
                } else {
                    sql
                };
                // the second is past what rows and keys take, not what is thought of them
                for bytes in [16 << 20, 900 << 10, 1 << 10] {
                    db.run(&format!(
                        "set sort_buffer_size = {bytes}, tmp_memory_table_size = {bytes}, isambard_threads = 1"
                    ));
                    let before = counted(&mut db);
                    let one = (db.ask(&sql), db.rows("show warnings"), db.rows("select found_rows()"));
                    let cost = since(&before, &counted(&mut db));
                    for threads in [2, 4] {
                        db.run(&format!("set isambard_threads = {threads}"));
                        let before = counted(&mut db);
                        let many = (db.ask(&sql), db.rows("show warnings"), db.rows("select found_rows()"));
                        assert_eq!(
                            (&one.0.error, &one.0.rows),
                            (&many.0.error, &many.0.rows),
                            "{threads} threads: {sql}"
                        );
                        assert_eq!((&one.1, &one.2), (&many.1, &many.2), "{threads} threads: {sql}");
                        assert_eq!(cost, since(&before, &counted(&mut db)), "{threads} threads: {sql}");
                        asked += 1;
                    }
                }
            }
        }
    }
    assert!(asked > 1000);
}

#[test]
fn sorts_begin_threads_where_the_rows_are_all_they_need() {
    let mut db = tables();
    let begun = |db: &mut Database| {
        db.run("show session status like 'isambard_threads_begun'").rows[0][1].parse::<u64>().unwrap()
    };
    db.run("set isambard_threads = 3");
    let before = begun(&mut db);
    db.run("select id, s from moved order by s limit 10");
    assert_eq!(begun(&mut db), before + 2);
    db.run("select id, s from moved order by s");
    assert_eq!(begun(&mut db), before + 4);
    // a sum of doubles, a variable or a subquery is for one thread
    for sql in [
        "select id, @n := id from moved order by @n limit 10",
        "select id, (select 1 from kept k where k.id = moved.id) from moved order by 2, 1 limit 3",
    ] {
        let before = begun(&mut db);
        db.run(sql);
        assert_eq!(begun(&mut db), before, "{sql}");
    }
}
