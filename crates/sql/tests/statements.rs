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
