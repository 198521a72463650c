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
        let made = "show session status like 'Created_tmp_disk_tables'";
        assert_eq!(db.rows(made), ["Created_tmp_disk_tables|0"], "{q}");
        db.run("set sort_buffer_size = 65536, tmp_memory_table_size = 1024, max_heap_table_size = 16384");
        assert_eq!(db.rows(q), whole);
        assert_ne!(db.rows(made), ["Created_tmp_disk_tables|0"], "{q} stayed in memory");
    }
}
