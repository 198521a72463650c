//! The matrix of procedures, functions, views and triggers.

use super::{After, Case, Nothing, Own, Peer, Tables, USERS, Users, make, own_connection, run, verdict};

const OBJECTS: &[&str] = &[
    "DROP DATABASE IF EXISTS m",
    "CREATE DATABASE m",
    "CREATE TABLE m.t (a INT) ENGINE=MyISAM",
    "CREATE TABLE m.u (a INT, b INT) ENGINE=MyISAM",
    "INSERT INTO m.t VALUES (1),(2)",
    "CREATE PROCEDURE m.pr() SELECT 1 AS one",
    "CREATE PROCEDURE m.pi() SQL SECURITY INVOKER SELECT a FROM m.t",
    "CREATE PROCEDURE m.pd() SELECT a FROM m.t",
    "CREATE FUNCTION m.fu() RETURNS INT RETURN 5",
    "CREATE VIEW m.v AS SELECT a FROM m.t",
    "CREATE SQL SECURITY INVOKER VIEW m.vi AS SELECT a FROM m.t",
    "CREATE VIEW m.vv AS SELECT a FROM m.v WHERE a > 0",
    "CREATE VIEW m.vf AS SELECT m.fu() AS x",
    "CREATE TRIGGER m.tr BEFORE INSERT ON m.u FOR EACH ROW SET NEW.b = 7",
];

const STATEMENTS: &[(&str, After)] = &[
    ("CALL m.pr()", Nothing),
    ("CALL m.pi()", Nothing),
    ("CALL m.pd()", Nothing),
    ("CALL m.none()", Nothing),
    ("SELECT m.fu()", Nothing),
    ("PREPARE s FROM 'SELECT m.fu()'", Nothing),
    ("SHOW CREATE PROCEDURE m.pr", Nothing),
    ("SHOW CREATE FUNCTION m.fu", Nothing),
    (
        "SELECT ROUTINE_NAME, ROUTINE_DEFINITION FROM information_schema.routines WHERE ROUTINE_SCHEMA='m' ORDER BY 1",
        Nothing,
    ),
    ("ALTER PROCEDURE m.pr COMMENT 'x'", Tables),
    ("ALTER FUNCTION m.fu COMMENT 'x'", Tables),
    ("DROP PROCEDURE m.pr", Tables),
    ("DROP FUNCTION m.fu", Tables),
    ("DROP PROCEDURE IF EXISTS m.none", Nothing),
    ("CREATE PROCEDURE m.pn() SELECT 1", Tables),
    ("CREATE FUNCTION m.fn() RETURNS INT RETURN 1", Tables),
    ("CREATE OR REPLACE PROCEDURE m.pr() SELECT 1", Tables),
    ("CREATE DEFINER=root@localhost PROCEDURE m.pn() SELECT 1", Tables),
    ("GRANT EXECUTE ON PROCEDURE m.pr TO p", Own),
    ("GRANT ALTER ROUTINE ON FUNCTION m.fu TO p", Own),
    ("REVOKE EXECUTE ON PROCEDURE m.pr FROM nobody", Users),
    ("SELECT * FROM m.v", Nothing),
    ("SELECT * FROM m.vi", Nothing),
    ("SELECT * FROM m.vf", Nothing),
    ("EXPLAIN SELECT * FROM m.v", Nothing),
    ("EXPLAIN UPDATE m.v SET a=9", Nothing),
    ("EXPLAIN DELETE FROM m.v", Nothing),
    ("EXPLAIN DELETE FROM m.v WHERE a=5", Nothing),
    ("EXPLAIN INSERT INTO m.v VALUES (7)", Nothing),
    ("EXPLAIN REPLACE INTO m.v VALUES (7)", Nothing),
    ("EXPLAIN UPDATE m.vv SET a=9", Nothing),
    ("EXPLAIN DELETE FROM m.vv", Nothing),
    ("EXPLAIN INSERT INTO m.vv VALUES (7)", Nothing),
    ("EXPLAIN SELECT * FROM m.vv", Nothing),
    ("EXPLAIN DELETE v FROM m.v, m.u", Nothing),
    ("INSERT INTO m.v VALUES (7)", Tables),
    ("INSERT INTO m.vi VALUES (7)", Tables),
    ("UPDATE m.v SET a=a+10", Tables),
    ("UPDATE m.vi SET a=9", Tables),
    ("DELETE FROM m.v", Tables),
    ("SHOW CREATE VIEW m.v", Nothing),
    ("SHOW FULL COLUMNS FROM m.v", Nothing),
    ("CREATE VIEW m.vn AS SELECT a FROM m.t", Tables),
    ("CREATE OR REPLACE VIEW m.v AS SELECT a FROM m.t", Tables),
    ("ALTER VIEW m.v AS SELECT a FROM m.t", Tables),
    ("DROP VIEW m.v", Tables),
    ("SELECT TABLE_NAME FROM information_schema.views WHERE TABLE_SCHEMA='m' ORDER BY 1", Nothing),
    ("INSERT INTO m.u VALUES (3,3)", Tables),
    ("CREATE TRIGGER m.tn BEFORE INSERT ON m.t FOR EACH ROW SET NEW.a = 1", Tables),
    ("DROP TRIGGER m.tr", Tables),
    ("SHOW CREATE TRIGGER m.tr", Nothing),
    ("SELECT TRIGGER_NAME FROM information_schema.triggers WHERE TRIGGER_SCHEMA='m'", Nothing),
    ("SHOW GRANTS", Nothing),
    ("SHOW DATABASES LIKE 'm'", Nothing),
    ("USE m", Nothing),
];

/// Where MariaDB lets through what its manual would have refused, as rows changed through a view by who may not read the table, Isambard
/// refuses.
const STRICTER: &[&str] = &[
    "INSERT INTO m.vi VALUES (7)",
    "UPDATE m.v SET a=a+10",
    "UPDATE m.vi SET a=9",
    "CREATE VIEW m.vn AS SELECT a FROM m.t",
    "CREATE OR REPLACE VIEW m.v AS SELECT a FROM m.t",
    "ALTER VIEW m.v AS SELECT a FROM m.t",
];

/// Whether a difference is one of those.
pub fn is_stricter(what: &str, ours: &str) -> bool {
    !ours.starts_with("ok") && STRICTER.iter().any(|sql| what.ends_with(sql))
}

const GLOBAL: &str = "SELECT,INSERT,UPDATE,DELETE,DROP,EXECUTE,CREATE ROUTINE,ALTER ROUTINE,CREATE VIEW,SHOW VIEW,TRIGGER,\
    GRANT OPTION,SUPER,SET USER";
const TABLE: &str = "SELECT,INSERT,UPDATE,DELETE,DROP,CREATE VIEW,SHOW VIEW,TRIGGER,GRANT OPTION";
const ROUTINE: &str = "EXECUTE,ALTER ROUTINE,GRANT OPTION";

fn cases() -> Vec<Case> {
    let mut all = vec![Case { name: "nothing".into(), grants: Vec::new(), many: false }];
    let database = GLOBAL.trim_end_matches("SUPER,SET USER");
    let levels = [
        ("*.*", GLOBAL),
        ("m.*", database),
        ("m.t", TABLE),
        ("m.u", TABLE),
        ("m.v", TABLE),
        ("m.vi", TABLE),
        ("PROCEDURE m.pr", ROUTINE),
        ("PROCEDURE m.pi", ROUTINE),
        ("FUNCTION m.fu", ROUTINE),
    ];
    for (object, privileges) in levels {
        for p in privileges.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (word, with) = if p == "GRANT OPTION" { ("USAGE", " WITH GRANT OPTION") } else { (p, "") };
            let one = vec![format!("GRANT {word} ON {object} TO p{with}")];
            all.push(Case { name: format!("{object} {p}"), grants: one, many: false });
            let but_one = vec![
                format!("GRANT ALL ON {object} TO p WITH GRANT OPTION"),
                format!("REVOKE {p} ON {object} FROM p"),
            ];
            all.push(Case { name: format!("{object} all but {p}"), grants: but_one, many: true });
        }
    }
    let both = ["GRANT SELECT ON m.t TO p", "GRANT ALL ON PROCEDURE m.pi TO p", "GRANT SELECT ON m.vi TO p"];
    // who explains a change through a view needs not read it, but to see its text, and to read what is below
    for what in ["UPDATE", "DELETE", "INSERT", "INSERT, DELETE", "SELECT", "SELECT, UPDATE, INSERT, DELETE"] {
        for below in ["SELECT", "SELECT (a)", "UPDATE, DELETE, INSERT"] {
            for view in ["m.v", "m.vv"] {
                for inner in ["SHOW VIEW", "SELECT, SHOW VIEW"] {
                    let grants = [
                        format!("GRANT SHOW VIEW, {what} ON {view} TO p"),
                        format!("GRANT {below} ON m.t TO p"),
                        format!("GRANT {inner} ON m.v TO p"),
                    ];
                    let name = format!("{view} {what}, below {below}, {inner}");
                    all.push(Case { name, grants: grants.to_vec(), many: false });
                }
            }
        }
    }
    all.push(Case { name: "both".into(), grants: both.map(String::from).to_vec(), many: false });
    all
}

/// Case, statement and verdict of all.
pub fn verdicts(peer: &Peer) -> Vec<(String, String)> {
    let mut root = peer.connect("");
    run(&mut root, "CREATE USER nobody");
    let mut out = Vec::new();
    for case in &cases() {
        for sql in OBJECTS {
            run(&mut root, sql);
        }
        make(&mut root, case);
        let mut p = own_connection(peer);
        for (sql, after) in STATEMENTS {
            let v = verdict(&mut p, sql);
            let ran = v.starts_with("ok");
            out.push((format!("{}: {sql}", case.name), v));
            if !ran {
                continue;
            }
            match after {
                Tables => {
                    for sql in OBJECTS {
                        run(&mut root, sql);
                    }
                    make(&mut root, case);
                    p = own_connection(peer);
                }
                Own => {
                    make(&mut root, case);
                    p = own_connection(peer);
                }
                Users => {
                    for sql in USERS {
                        run(&mut root, sql);
                    }
                    run(&mut root, "CREATE USER nobody");
                }
                _ => {}
            }
        }
    }
    out
}
