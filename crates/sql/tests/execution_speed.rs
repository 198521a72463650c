//! How long statements take that stay within their memory: a simple loop, to compare one build with another.
//! `cargo test --release -p isambard-sql --test execution_speed -- --ignored --nocapture`; `ISAMBARD_STATEMENT` picks by name.

mod common;

use std::time::Instant;

use common::Database;

#[test]
#[ignore = "a measurement"]
fn statements_in_memory() {
    let mut db = Database::new();
    db.run("create table n (i int not null auto_increment primary key, g int, s varchar(40), d decimal(12,3), f double, p varchar(120)) engine=myisam");
    db.run("insert into n (g) values (0),(1),(2),(3),(4),(5),(6),(7)");
    for _ in 0..13 {
        db.run("insert into n (g) select g from n");
    }
    db.run("update n set g = i * 7 % 1009, s = concat('Name ', i * 13 % 20003), d = i * 17 % 5003 / 8, f = i / 7, p = repeat('x', i % 120)");
    db.run("create table m as select i, g, s, 0 z from n where i % 4 = 0");
    db.run("set sort_buffer_size = 268435456, tmp_memory_table_size = 268435456, max_heap_table_size = 268435456");
    let statements = [
        ("UNION DISTINCT", "select count(*) from (select g, s from n union select g, s from m) q"),
        ("UNION ALL", "select count(*) from (select g, s from n union all select g, s from m) q"),
        ("INTERSECT", "select count(*) from (select g, s from n intersect select g, s from m) q"),
        ("ROLLUP", "select g, s, count(*), sum(d) from n group by g, s with rollup"),
        ("derived table", "select sum(i), max(s) from (select i, s, d from n limit 1000000) q"),
        ("IN subquery", "select count(*) from n where s in (select s from m where i > 1000 limit 1000000)"),
        (
            "IN of rows",
            "select count(*) from m where (g, s) in (select g + 0, s from n where i < 300 limit 1000000)",
        ),
        ("COUNT(DISTINCT)", "select count(distinct s), sum(distinct d) from n"),
        ("COUNT(DISTINCT) in groups", "select g, count(distinct s) from n group by g"),
        ("GROUP_CONCAT ORDER BY", "select length(group_concat(i order by s desc)) from n group by g"),
        (
            "hash join",
            "select count(*), sum(length(n.p)), max(n.s) from m join n on m.s = n.s where m.i < 50000",
        ),
        ("GROUP BY", "select g, count(*), sum(d), max(s) from n group by g"),
        ("DISTINCT", "select distinct s from n"),
        ("ORDER BY", "select i, s from n order by s desc, i"),
        ("UPDATE of joined tables", "update m join n on m.i = n.i set m.z = m.z + n.g"),
        ("DELETE of joined tables", "delete m from m join n on m.i = n.i where n.g < 0"),
    ];
    let only = std::env::var("ISAMBARD_STATEMENT").unwrap_or_default();
    for (name, sql) in statements.into_iter().filter(|(name, _)| name.contains(&only)) {
        let mut best = f64::MAX;
        for _ in 0..9 {
            let start = Instant::now();
            db.run(sql);
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
        }
        println!("{name:28} {best:9.2} ms");
    }
}
