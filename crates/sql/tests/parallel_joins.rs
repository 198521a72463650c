//! Joins that begin with few rows, whose rest several threads join, give what one thread gives: rows, their order, warnings, counters.

mod common;

use common::Database;

/// A star: few rows that lead to many. `far` has no key, `odd` texts that are no numbers in a few rows.
fn tables() -> Database {
    let mut db = Database::new();
    db.run("set sql_mode = ''");
    db.run("create table area (id int primary key, name varchar(20), kind int)");
    db.run("insert into area select seq, concat('area ', seq), seq % 3 from seq_1_to_12");
    db.run("create table shop (id int primary key, area int, name varchar(20), opened date, key (area), key (opened))");
    db.run("insert into shop select seq, seq * 7 % 13, concat('shop ', seq), '2020-01-01' + interval seq % 90 day from seq_1_to_150");
    db.run(
        "create table sale (id int primary key, shop int, good int, n int, price decimal(10,2), text varchar(30), at datetime, \
         key (shop), key (good, n), key (at))",
    );
    db.run(
        "insert into sale select seq, nullif(seq * 7919 % 151, 9), seq * 31 % 400, seq % 17, seq * 13 % 977 / 4, \
         concat('t', seq % 23), '2021-03-01' + interval seq % 5000 minute from seq_1_to_9000",
    );
    db.run("create table far (good int, weight double, label varchar(12))");
    db.run("insert into far select seq, seq / 3, concat('good', seq % 40) from seq_1_to_380");
    db.run("create table odd (shop int, number varchar(10), key (shop))");
    db.run("insert into odd select seq % 151, if(seq % 400 = 7, concat('x', seq), seq) from seq_1_to_2000");
    db.run("delete from sale where id % 29 = 3");
    db.run("update sale set text = concat(text, repeat('y', id % 200)) where id % 31 = 4");
    db
}

/// What is joined. The first tables are found by scans, keys, ranges and constants, and are of one row, none, or many.
const JOINS: &[&str] = &[
    "area straight_join shop on shop.area = area.id straight_join sale on sale.shop = shop.id",
    "area straight_join shop on shop.area = area.id straight_join sale on sale.shop = shop.id left join far on far.good = sale.good",
    "shop force index (opened) straight_join sale on sale.shop = shop.id and sale.n > 3 where shop.opened < '2020-02-20'",
    "shop force index (primary) straight_join sale on sale.shop = shop.id left join area on area.id = shop.area",
    "area straight_join shop on shop.area = area.id left join sale on sale.shop = shop.id and sale.n = 5 where area.id = 4",
    "area straight_join shop on shop.area = area.id straight_join sale on sale.shop = shop.id where area.id = 40",
    "shop straight_join sale on sale.shop = shop.id straight_join sale other on other.id = sale.id + 1 where shop.area = 2",
    "far straight_join sale on sale.good = far.good and sale.n = 4 straight_join shop on shop.id = sale.shop",
    "shop left join (sale join far on far.good = sale.good) on sale.shop = shop.id and far.weight > 50",
];

/// Lists, and what stands behind the join.
const LISTS: &[(&str, &str)] = &[
    ("count(*), sum(sale.price), max(sale.text), min(sale.id)", ""),
    ("shop.name, count(*), sum(sale.n), max(sale.at), sale.id", "group by shop.id"),
    (
        "year(sale.at) + hour(sale.at) h, upper(sale.text) u, count(*), sum(sale.price)",
        "group by hour(sale.at)",
    ),
    ("sale.text, count(distinct sale.good), count(*)", "group by sale.text order by null"),
    ("sale.good, count(*) c", "group by sale.good having c > 3 order by c desc, sale.good limit 20"),
    ("count(distinct sale.good, sale.n), count(distinct sale.text)", ""),
    ("distinct sale.n, shop.area", ""),
    ("distinct sale.text", "order by 1 desc limit 15"),
    ("sale.id, shop.id, sale.text", "order by sale.price, sale.id, shop.id limit 40"),
    ("sale.id, shop.name, concat(sale.text, shop.id) x", "order by sale.text, sale.id, shop.id"),
    ("group_concat(sale.id), avg(sale.n / 3)", "group by sale.n"),
];

fn counted(db: &mut Database) -> Vec<(String, u64)> {
    let rows = db.run("show session status where variable_name like 'handler_read_key' or variable_name like 'handler_read_next'").rows;
    rows.into_iter().map(|r| (r[0].clone(), r[1].parse().unwrap())).collect()
}

fn begun(db: &mut Database) -> u64 {
    db.run("show global status like 'isambard_threads_begun'").rows[0][1].parse().unwrap()
}

#[test]
fn joins_are_those_of_one_thread() {
    let mut db = tables();
    let mut shared = 0;
    for (j, join) in JOINS.iter().enumerate() {
        for (l, (list, behind)) in LISTS.iter().enumerate() {
            let sql = format!("select {list} from {join} {behind}");
            for bytes in [16 << 20, 240 << 10, 60 << 10, 1 << 10] {
                let set =
                    format!("tmp_memory_table_size = {bytes}, sort_buffer_size = {}", bytes.max(1 << 12));
                db.run(&format!("set {set}, isambard_threads = 1"));
                db.run("flush status");
                let (one, warned) = (db.ask(&sql), db.rows("show warnings"));
                let cost = counted(&mut db);
                assert!(one.error.is_none(), "{:?}: {sql}", one.error);
                for threads in [2, 5] {
                    db.run(&format!("set isambard_threads = {threads}"));
                    db.run("flush status");
                    let before = begun(&mut db);
                    let (many, also) = (db.ask(&sql), db.rows("show warnings"));
                    shared += u64::from(begun(&mut db) > before);
                    assert!(one.rows == many.rows, "{threads} threads, {bytes} bytes, {j} {l}: {sql}");
                    assert_eq!(
                        (&one.error, &warned),
                        (&many.error, &also),
                        "{threads} threads, {bytes} bytes: {sql}"
                    );
                    if bytes == 16 << 20 {
                        assert_eq!(cost, counted(&mut db), "{threads} threads: {sql}");
                    }
                }
            }
        }
    }
    // many of them have work for several threads
    assert!(shared > 200, "{shared}");
}

#[test]
fn what_is_wrong_with_a_row_is_told_as_on_one_thread() {
    let mut db = tables();
    let from = "area straight_join shop on shop.area = area.id straight_join odd on odd.shop = shop.id";
    for sql in [
        format!("select sum(odd.number + 1) from {from}"),
        format!("select shop.id, count(*) from {from} and odd.number + 0 > 100 group by shop.id"),
        format!("select cast(odd.number as signed) x, count(*) from {from} group by odd.shop"),
        format!("select distinct odd.number * 2 from {from} where shop.id % 3 = 1"),
        format!("select odd.number * 9223372036854775807 * 1e300 from {from} order by odd.number limit 5"),
        format!("select sum(9223372036854775800 + odd.shop) from {from}"),
        format!("select count(*) from {from} where area.name + 0 = 0"),
    ] {
        db.run("set isambard_threads = 1");
        let (one, warned) = (db.ask(&sql), db.rows("show warnings"));
        assert!(one.error.is_some() || !warned.is_empty(), "{sql}");
        for threads in [2, 4] {
            db.run(&format!("set isambard_threads = {threads}"));
            let (many, also) = (db.ask(&sql), db.rows("show warnings"));
            assert_eq!((&one.error, &one.rows), (&many.error, &many.rows), "{threads} threads: {sql}");
            assert_eq!(warned, also, "{threads} threads: {sql}");
        }
    }
}
