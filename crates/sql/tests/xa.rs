//! XA branches beside other sessions, as MariaDB 10.11 keeps them with MyISAM tables.

mod common;

use common::{Database, ask};

#[test]
fn a_branch_is_its_connections_own() {
    let mut db = Database::new();
    let mut other = db.connect();
    db.run("xa start 'x'");
    let refused = |other: &mut sql::Session, sql: &str| ask(other, sql).error.expect("refused");
    assert_eq!(refused(&mut other, "xa start 'x'"), "1440 (XAE08): XAER_DUPID: The XID already exists");
    db.run("xa end 'x'");
    db.run("xa prepare 'x'");
    assert_eq!(refused(&mut other, "xa commit 'x'"), "1397 (XAE04): XAER_NOTA: Unknown XID");
    assert_eq!(ask(&mut other, "xa recover").rows, [["1", "1", "0", "x"]]);
    db.run("xa rollback 'x'");
    assert!(ask(&mut other, "xa recover").rows.is_empty());
}

#[test]
fn what_a_lost_connection_has_prepared_can_be_told_rolled_back() {
    let mut db = Database::new();
    let mut other = db.connect();
    for (xid, prepared) in [("kept", true), ("gone", false)] {
        for sql in [format!("xa start '{xid}'"), format!("xa end '{xid}'")] {
            assert_eq!(ask(&mut other, &sql).error, None);
        }
        if prepared {
            assert_eq!(ask(&mut other, &format!("xa prepare '{xid}'")).error, None);
        }
        drop(other);
        other = db.connect();
    }
    assert_eq!(db.rows("xa recover"), ["1|4|0|kept"]);
    assert_eq!(db.error("xa rollback 'gone'"), "1397 (XAE04): XAER_NOTA: Unknown XID");
    assert_eq!(db.error("xa start 'kept'"), "1440 (XAE08): XAER_DUPID: The XID already exists");
    assert_eq!(
        db.error("xa commit 'kept'"),
        "1402 (XA100): XA_RBROLLBACK: Transaction branch was rolled back"
    );
    db.run("xa start 'kept'");
}

#[test]
fn functions_and_triggers_begin_no_branch() {
    let mut db = Database::new();
    db.run("create table t (a int)");
    db.run("create function f() returns int begin xa start 'z'; return 1; end");
    db.run("create trigger tr before insert on t for each row xa start 'z'");
    let outside = "1400 (XAE09): XAER_OUTSIDE: Some work is done outside global transaction";
    assert_eq!(db.error("select f()"), outside);
    assert_eq!(db.error("insert into t values (1)"), outside);
    // the name is free
    db.run("xa start 'z'");
}
