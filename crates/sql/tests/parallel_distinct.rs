//! DISTINCT and UNION on several threads give what one thread gives: rows, their order, warnings, counters; in memory and from disk.

mod common;

use common::Database;

/// Tables of 6,000 rows whose values repeat: fixed rows, and rows of several lengths of which some were changed and deleted.
fn tables() -> Database {
    let mut db = Database::new();
    db.run("set sql_mode = ''");
    let columns =
        "id int, n int, u bigint unsigned, d decimal(12,2), f double, c char(9), y date, e enum('p','q','r')";
    db.run(&format!("create table fixed ({columns}, s char(12) character set utf8mb4) engine=myisam"));
    db.run(&format!("create table moved ({columns}, s varchar(300) character set latin1) engine=myisam"));
    db.run("create table small (n int, s varchar(9) character set latin1) engine=myisam");
    db.run("insert into small values (1, 'X'), (2, 'nowhere'), (null, null), (1, 'x')");
    let values = "seq, nullif(seq * 7919 % 1000, 3), seq * 104729 % 499 + 18446744073709540000, \
                  seq * 31 % 977 / 7, seq * 13 % 101 / 3, concat('c', seq % 11), \
                  '2020-01-01' + interval seq % 40 day, 1 + seq % 3, \
                  elt(1 + seq % 7, 'x', 'X', 'y ', 'y', concat('é', seq % 30), concat('E', seq % 30), concat('name', seq))";
    for table in ["fixed", "moved"] {
        db.run(&format!("insert into {table} select {values} from seq_1_to_6000"));
        db.run(&format!("delete from {table} where id % 17 = 3"));
        db.run(&format!("update {table} set n = n + 1, s = concat(s, 'w') where id % 13 = 5"));
    }
    db.run("update moved set s = concat('long', repeat('é', id % 250)) where id % 19 = 4");
    db
}

/// The counters of the session.
fn counted(db: &mut Database) -> Vec<(String, u64)> {
    let sql = "show session status where variable_name like 'handler%' or variable_name like 'rows%read' or variable_name like 'sort%'";
    let rows = db.run(sql).rows;
    rows.into_iter().map(|r| (r[0].clone(), r[1].parse().unwrap())).collect()
}

type Answer = (String, Vec<String>, Vec<String>, Vec<u64>);

/// What a statement gives, warns of and costs.
fn answer(db: &mut Database, sql: &str) -> Answer {
    let before = counted(db);
    let given = db.ask(sql);
    let after = counted(db);
    let cost: Vec<u64> = before
        .iter()
        .zip(&after)
        .filter(|(b, _)| b.0 != "Sort_merge_passes")
        .map(|(b, a)| a.1 - b.1)
        .collect();
    (
        format!("{:?} {:?}", given.error, given.rows),
        db.rows("show warnings"),
        db.rows("select found_rows()"),
        cost,
    )
}

fn same_on_all_threads(db: &mut Database, sql: &str) {
    for &bytes in MEMORY {
        db.run(&format!("set tmp_memory_table_size = {bytes}, isambard_threads = 1"));
        let one = answer(db, sql);
        for threads in [2, 4] {
            db.run(&format!("set isambard_threads = {threads}"));
            let many = answer(db, sql);
            assert!(one.0 == many.0, "{threads} threads, {bytes} bytes: {sql}");
            assert_eq!((&one.1, &one.2), (&many.1, &many.2), "{threads} threads, {bytes} bytes: {sql}");
            // groups on disk are not counted, and which these are differs
            if bytes == MEMORY[0] || !sql.contains("group by") {
                assert_eq!(one.3, many.3, "{threads} threads, {bytes} bytes: {sql}");
            }
        }
    }
}

const MEMORY: &[usize] = &[16 << 20, 1 << 10, 60 << 10];

#[test]
fn distinct_rows_are_those_of_one_thread() {
    let mut db = tables();
    let lists = [
        "s",
        "n",
        "s, n",
        "u",
        "d, e",
        "f",
        "c, y",
        "y",
        "*",
        "upper(s), n % 7",
        "id",
        "n is null",
        "null, 1",
        "s collate utf8mb4_unicode_ci",
        "concat(s, c)",
        "d + 1, n",
    ];
    for table in ["fixed", "moved"] {
        for (l, list) in lists.iter().enumerate() {
            let list = if table == "moved" {
                list.replace("utf8mb4_unicode_ci", "latin1_bin")
            } else {
                list.to_string()
            };
            let condition = ["", " where n < 500", " where s like 'x%' or n = 2", " where id < 0"][l % 4];
            let behind =
                ["", " order by 1", " limit 7", " order by 1 desc limit 3, 20", " order by id % 5, 1"][l % 5];
            same_on_all_threads(&mut db, &format!("select distinct {list} from {table}{condition}{behind}"));
            same_on_all_threads(&mut db, &format!("select distinct {list} from {table}"));
        }
    }
    for sql in [
        "select sql_calc_found_rows distinct s from moved limit 5",
        "select count(*) from (select distinct s, c from fixed) x",
        "select distinct a.s, b.c from fixed a join moved b on a.id = b.id",
        "select distinct a.n, b.s from fixed a left join small b on a.n = b.n order by 2, 1",
        "select * from small where n in (select distinct n from fixed)",
        "select n, exists (select distinct s from fixed f where f.n = small.n) from small",
        "select distinct n from fixed where @v is null",
        "select distinct (select max(n) from small) + n from fixed",
        // each warns
        "select distinct s + 0 from moved",
        "select distinct cast(c as signed), n from fixed where id < 90",
        "select distinct n - u from fixed",
    ] {
        same_on_all_threads(&mut db, sql);
    }
}

#[test]
fn unions_are_those_of_one_thread() {
    let mut db = tables();
    for sql in [
        "select s from fixed union select s from moved",
        "select s from fixed where n < 300 union select s from fixed",
        "select n, s from fixed union all select n, s from moved union select n, s from small union all select n, s from small",
        "select n from fixed union select d from moved union select f from fixed where n > 990",
        "select y from fixed union select s from moved",
        "select n, null from fixed union select id, c from moved where n % 3 order by 2, 1 limit 100",
        "select s from fixed union select s from moved limit 10, 5",
        "select sql_calc_found_rows s from fixed union select s from moved limit 3",
        "select count(*) from (select n, c from fixed union select n, c from moved) x",
        "select s from small union select s from fixed except select s from moved where n < 500",
        "(select s from fixed intersect select s from moved) union select s from small union select c from fixed",
        "select 1 n union select n from fixed",
        "select distinct n from fixed union select n from moved",
        "select n, count(*) from fixed group by n union select n, id from moved",
        "select a.s from fixed a join moved b on a.id = b.id union select s from small",
        "select n from fixed where 1 = 0 union select n from moved",
        // the second warns: the first is read again
        "select n from fixed union select s + 0 from moved",
        "select s + 0 from moved union select n from fixed union select c from small, fixed",
        "select n from fixed union select 9223372036854775807 + n from moved",
    ] {
        same_on_all_threads(&mut db, sql);
    }
}

#[test]
fn many_rows_are_parted() {
    let mut db = Database::new();
    db.run("create table wide (id int, k int, s varchar(60) character set utf8mb4) engine=myisam");
    db.run("insert into wide select seq, seq * 7919 % 50021, concat('name', seq * 31 % 60013) from seq_1_to_160000");
    let new = "concat(s, '-', id % 3)";
    for sql in [
        "select distinct s from wide".to_string(),
        "select distinct id from wide".to_string(),
        format!("select distinct {new} from wide"),
        format!("select {new} from wide where id % 7 union select {new} from wide"),
        "select s, k from wide where id < 90000 union select s, k from wide where id > 50000 union select s, id from wide".to_string(),
    ] {
        db.run("set isambard_threads = 1, tmp_memory_table_size = 100000000");
        let one = db.rows(&sql);
        for (threads, bytes) in [(2, 100_000_000), (3, 3_000_000), (4, 200_000), (2, 20_000)] {
            db.run(&format!("set isambard_threads = {threads}, tmp_memory_table_size = {bytes}"));
            assert!(db.rows(&sql) == one, "{threads} threads, {bytes} bytes: {sql}");
        }
    }
}
