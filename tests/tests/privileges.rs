//! The privilege matrix: many kinds of statements for one user who has one privilege, or all but one, on everything, on a
//! database, on tables or on a column. MariaDB and Isambard must come to the same verdicts.

#[path = "privileges/patterns.rs"]
mod patterns;
#[path = "privileges/stored.rs"]
mod stored;

use isambard_tests::peers::{Peer, oracle_present};
use mysql::prelude::Queryable;
use mysql::{Conn, OptsBuilder, Row};

const GLOBAL: &str = "SELECT,INSERT,UPDATE,DELETE,CREATE,DROP,RELOAD,SHUTDOWN,PROCESS,FILE,GRANT OPTION,REFERENCES,INDEX,\
    ALTER,SHOW DATABASES,SUPER,CREATE TEMPORARY TABLES,LOCK TABLES,EXECUTE,REPLICATION SLAVE,BINLOG MONITOR,CREATE VIEW,\
    SHOW VIEW,CREATE ROUTINE,ALTER ROUTINE,CREATE USER,EVENT,TRIGGER,CREATE TABLESPACE,DELETE HISTORY,SET USER,\
    FEDERATED ADMIN,CONNECTION ADMIN,READ_ONLY ADMIN,REPLICATION SLAVE ADMIN,REPLICATION MASTER ADMIN,BINLOG ADMIN,\
    BINLOG REPLAY,SLAVE MONITOR";
const DATABASE: &str = "SELECT,INSERT,UPDATE,DELETE,CREATE,DROP,GRANT OPTION,REFERENCES,INDEX,ALTER,\
    CREATE TEMPORARY TABLES,LOCK TABLES,EXECUTE,CREATE VIEW,SHOW VIEW,CREATE ROUTINE,ALTER ROUTINE,EVENT,TRIGGER,\
    DELETE HISTORY";
const TABLE: &str = "SELECT,INSERT,UPDATE,DELETE,CREATE,DROP,GRANT OPTION,REFERENCES,INDEX,ALTER,CREATE VIEW,SHOW VIEW,\
    TRIGGER,DELETE HISTORY";
const COLUMN: &str = "SELECT,INSERT,UPDATE,REFERENCES";

/// What brings everything back.
const ROWS: &[&str] = &[
    "TRUNCATE m.t",
    "TRUNCATE m.u",
    "INSERT INTO m.t VALUES (1,1,'x'),(2,2,'y')",
    "INSERT INTO m.u VALUES (1,10)",
];
const TABLES: &[&str] = &[
    "DROP DATABASE IF EXISTS m",
    "DROP DATABASE IF EXISTS mnew",
    "CREATE DATABASE m",
    "CREATE TABLE m.t (a INT PRIMARY KEY, b INT, c VARCHAR(10)) ENGINE=MyISAM",
    "CREATE TABLE m.u (a INT, b INT) ENGINE=MyISAM",
    "INSERT INTO m.t VALUES (1,1,'x'),(2,2,'y')",
    "INSERT INTO m.u VALUES (1,10)",
];
const USERS: &[&str] = &["DROP USER IF EXISTS nu, nobody", "DROP ROLE IF EXISTS nr"];

/// The case whose statements run while `read_only` is set.
const READ_ONLY: &str = "read only";

/// Temporary tables may change then.
const TEMPORARY: &[(&str, After)] = &[
    ("CREATE TEMPORARY TABLE m.tmp (a INT)", Nothing),
    ("INSERT INTO m.tmp SELECT a FROM m.t", Nothing),
    ("UPDATE m.tmp SET a=2", Nothing),
    ("UPDATE m.tmp, m.t SET t.b=1 WHERE tmp.a=t.a", Nothing),
    ("DELETE FROM m.tmp", Nothing),
    ("REPLACE INTO m.tmp VALUES (1)", Nothing),
    ("ALTER TABLE m.tmp ADD b INT", Nothing),
    ("CREATE INDEX i ON m.tmp (a)", Nothing),
    ("DROP INDEX i ON m.tmp", Nothing),
    ("TRUNCATE m.tmp", Nothing),
    ("RENAME TABLE m.tmp TO m.tmp2", Nothing),
    ("SELECT a FROM m.tmp FOR UPDATE", Nothing),
    ("SELECT a FROM m.t FOR UPDATE", Nothing),
    ("SELECT a FROM m.t LOCK IN SHARE MODE", Nothing),
    ("SELECT 1 FOR UPDATE", Nothing),
    ("DROP TABLE m.tmp, m.t", Nothing),
    ("DROP TABLE m.tmp", Nothing),
    ("INSERT INTO m.t SELECT 1, 1, 1 FROM DUAL WHERE 0", Nothing),
    ("UPDATE m.t SET a=1 WHERE 0", Nothing),
    ("INSERT INTO m.nope VALUES (1)", Nothing),
    ("START TRANSACTION READ WRITE", Nothing),
    ("START TRANSACTION", Nothing),
    ("COMMIT", Nothing),
    ("PREPARE s FROM 'INSERT INTO m.t VALUES (9,9,9)'", Nothing),
    ("EXECUTE s", Nothing),
    ("LOCK TABLES m.t READ", Nothing),
    ("UNLOCK TABLES", Nothing),
    ("LOCK TABLES m.t WRITE", Nothing),
    ("REPAIR TABLE m.t", Nothing),
    ("ANALYZE TABLE m.t", Nothing),
    ("SET PASSWORD FOR p = PASSWORD('x')", Nothing),
];

/// What a statement that ran leaves to be mended.
#[derive(Clone, Copy, PartialEq)]
enum After {
    Nothing,
    Rows,
    Tables,
    Users,
    /// The user itself.
    Own,
    /// The connection.
    Connection,
}
use After::{Connection, Nothing, Own, Rows, Tables, Users};

/// Statements that need one privilege, or none.
const SIMPLE: &[(&str, After)] = &[
    ("SELECT * FROM m.t", Nothing),
    ("SELECT a FROM m.t", Nothing),
    ("SELECT COUNT(*) FROM m.t", Nothing),
    ("SELECT (SELECT MAX(a) FROM m.t) AS x", Nothing),
    ("SELECT a FROM m.nope", Nothing),
    ("SELECT a FROM m.t UNION SELECT a FROM m.u", Nothing),
    ("WITH x AS (SELECT a FROM m.t) SELECT a FROM x", Nothing),
    ("EXPLAIN SELECT a FROM m.t", Nothing),
    ("DO (SELECT a FROM m.t LIMIT 1)", Nothing),
    ("SET @x = (SELECT a FROM m.t LIMIT 1)", Nothing),
    ("SET STATEMENT max_statement_time=500 FOR SELECT a FROM m.t", Nothing),
    ("PREPARE s FROM 'SELECT a FROM m.t'", Nothing),
    ("PREPARE s FROM 'UPDATE m.t SET a=9'", Nothing),
    ("PREPARE s FROM 'DROP TABLE m.t'", Nothing),
    ("EXECUTE IMMEDIATE 'SELECT a FROM m.t'", Nothing),
    ("DROP TABLE m.t", Tables),
    ("DROP TABLE m.nope", Nothing),
    ("DROP TEMPORARY TABLE m.t", Nothing),
    ("TRUNCATE m.t", Rows),
    ("ALTER TABLE m.t ADD d INT", Tables),
    ("ALTER TABLE m.t ADD INDEX (b)", Tables),
    ("ALTER TABLE m.t DISABLE KEYS", Nothing),
    ("ALTER TABLE m.nope ADD d INT", Nothing),
    ("CREATE INDEX i ON m.t (b)", Tables),
    ("DROP INDEX `PRIMARY` ON m.t", Tables),
    ("CREATE TABLE m.n (a INT)", Tables),
    ("CREATE TABLE IF NOT EXISTS m.t (a INT)", Nothing),
    ("CREATE TEMPORARY TABLE m.tt (a INT)", Connection),
    ("CREATE DATABASE mnew", Tables),
    ("CREATE DATABASE IF NOT EXISTS m", Nothing),
    ("ALTER DATABASE m CHARACTER SET utf8mb4", Tables),
    ("DROP DATABASE m", Tables),
    ("DROP DATABASE IF EXISTS mnope", Nothing),
    ("CHECK TABLE m.t", Nothing),
    ("CHECKSUM TABLE m.t", Nothing),
    ("CACHE INDEX m.t IN default", Nothing),
    ("LOAD INDEX INTO CACHE m.t", Nothing),
    ("CACHE INDEX m.t IN no_such_cache", Nothing),
    ("SET GLOBAL cache_of_the_matrix.key_buffer_size=0", Nothing),
    ("FLUSH TABLES", Nothing),
    ("FLUSH TABLES m.t", Nothing),
    ("FLUSH TABLES WITH READ LOCK", Connection),
    ("FLUSH PRIVILEGES", Nothing),
    ("FLUSH STATUS", Nothing),
    ("FLUSH USER_RESOURCES", Nothing),
    ("RESET QUERY CACHE", Nothing),
    ("KILL 99999999", Nothing),
    ("USE m", Connection),
    ("SHOW DATABASES LIKE 'm'", Nothing),
    ("SHOW TABLES FROM m", Nothing),
    ("SHOW TRIGGERS FROM m", Nothing),
    ("SHOW EVENTS FROM m", Nothing),
    ("SHOW FULL COLUMNS FROM m.t", Nothing),
    ("DESCRIBE m.nope", Nothing),
    ("SHOW INDEX FROM m.u", Nothing),
    ("SHOW CREATE TABLE m.t", Nothing),
    ("SHOW CREATE DATABASE m", Nothing),
    ("SHOW CREATE USER root@localhost", Nothing),
    ("SHOW GRANTS FOR root@localhost", Nothing),
    ("SHOW GRANTS FOR nobody", Nothing),
    ("SHOW GRANTS", Nothing),
    ("SHOW MASTER STATUS", Nothing),
    ("SHOW SLAVE STATUS", Nothing),
    ("SHOW SLAVE HOSTS", Nothing),
    ("SHOW BINARY LOGS", Nothing),
    ("SHOW ENGINE MyISAM STATUS", Nothing),
    ("SELECT LOAD_FILE('/nonexistent')", Nothing),
    ("SET GLOBAL max_connections=151", Nothing),
    ("SET GLOBAL key_buffer_size=@@key_buffer_size", Nothing),
    ("SET GLOBAL read_only=0", Nothing),
    ("SET GLOBAL binlog_format=@@global.binlog_format", Nothing),
    ("SET GLOBAL slave_net_timeout=@@global.slave_net_timeout", Nothing),
    ("SET SESSION sql_log_bin=1", Nothing),
    ("SET sql_log_off=0", Nothing),
    ("SET SESSION server_id=1", Nothing),
    ("SET SESSION wait_timeout=28800", Nothing),
    ("SET PASSWORD = ''", Nothing),
    ("SET PASSWORD FOR root@'nowhere' = ''", Nothing),
    ("SET ROLE nope", Nothing),
    ("SET DEFAULT ROLE NONE", Nothing),
    ("CREATE USER nu", Users),
    ("CREATE ROLE nr", Users),
    ("DROP USER nosuch", Nothing),
    ("DROP ROLE nosuch", Nothing),
    ("RENAME USER nosuch TO other", Nothing),
    ("ALTER USER nosuch IDENTIFIED BY ''", Nothing),
    ("REVOKE ALL PRIVILEGES, GRANT OPTION FROM nosuch", Nothing),
    ("GRANT nosuch TO p", Nothing),
    ("CALL m.nope()", Nothing),
    ("SELECT COUNT(*) FROM mysql.user WHERE User='nosuch'", Nothing),
    ("SELECT COUNT(*) FROM information_schema.processlist WHERE USER='root' LIMIT 1", Nothing),
    ("SELECT TABLE_NAME FROM information_schema.tables WHERE table_schema='m' ORDER BY 1", Nothing),
    (
        "SELECT COLUMN_NAME, PRIVILEGES FROM information_schema.columns WHERE table_schema='m' AND table_name='t' \
         ORDER BY 1",
        Nothing,
    ),
    ("SELECT SCHEMA_NAME FROM information_schema.schemata WHERE schema_name='m'", Nothing),
    (
        "SELECT PRIVILEGE_TYPE FROM information_schema.schema_privileges WHERE grantee LIKE '''p''%' ORDER BY 1",
        Nothing,
    ),
    (
        "SELECT PRIVILEGE_TYPE FROM information_schema.table_privileges WHERE grantee LIKE '''p''%' ORDER BY 1",
        Nothing,
    ),
    (
        "SELECT PRIVILEGE_TYPE FROM information_schema.column_privileges WHERE grantee LIKE '''p''%' ORDER BY 1",
        Nothing,
    ),
    ("SELECT COUNT(*)>0 FROM information_schema.user_privileges WHERE grantee LIKE '''root%'", Nothing),
];

/// Statements that need several privileges: with all but one as well.
const MANY: &[(&str, After)] = &[
    ("SELECT t.a FROM m.t JOIN m.u USING (a)", Nothing),
    ("INSERT INTO m.t VALUES (5,5,'x')", Rows),
    ("INSERT INTO m.t (a) VALUES (5)", Rows),
    ("INSERT INTO m.t (b) VALUES (5)", Nothing),
    ("INSERT INTO m.t (a) SELECT a+10 FROM m.u", Rows),
    ("INSERT INTO m.t (a) VALUES (1) ON DUPLICATE KEY UPDATE a=a+10", Rows),
    ("INSERT INTO m.t (a) VALUES (1) ON DUPLICATE KEY UPDATE b=5", Rows),
    ("REPLACE INTO m.t VALUES (1,5,'z')", Rows),
    ("REPLACE INTO m.t (a) VALUES (1)", Rows),
    ("LOAD DATA INFILE '/nonexistent' INTO TABLE mnope.t", Nothing),
    ("UPDATE m.t SET b=9", Rows),
    ("UPDATE m.t SET a=9 WHERE b=1", Rows),
    ("UPDATE m.t SET a=a+9 WHERE a=1", Rows),
    ("UPDATE m.t SET b=9 ORDER BY a LIMIT 1", Rows),
    ("UPDATE m.t, m.u SET t.b=9 WHERE t.a=u.a", Rows),
    ("UPDATE m.t JOIN m.u ON t.a=u.a SET u.b=t.b", Rows),
    ("UPDATE m.t SET b=(SELECT MAX(b) FROM m.u)", Rows),
    ("DELETE FROM m.t", Rows),
    ("DELETE FROM m.t WHERE a=1", Rows),
    ("DELETE FROM m.t ORDER BY a LIMIT 1", Rows),
    ("DELETE m.t FROM m.t JOIN m.u ON t.a=u.a", Rows),
    ("DELETE m.t, m.u FROM m.t, m.u", Rows),
    ("EXPLAIN DELETE FROM m.t WHERE a=1", Nothing),
    ("EXPLAIN UPDATE m.t SET b=1 WHERE a=1", Nothing),
    ("EXPLAIN INSERT INTO m.t (a) VALUES (77)", Nothing),
    ("CREATE OR REPLACE TABLE m.t (a INT)", Tables),
    ("CREATE TABLE m.n LIKE m.t", Tables),
    ("CREATE TABLE m.n SELECT a FROM m.t", Tables),
    ("CREATE TEMPORARY TABLE m.tt LIKE m.t", Connection),
    ("CREATE TEMPORARY TABLE m.tt SELECT a FROM m.t", Connection),
    ("CREATE OR REPLACE DATABASE m", Tables),
    ("RENAME TABLE m.t TO m.n", Tables),
    ("ALTER TABLE m.t RENAME m.n", Tables),
    ("LOCK TABLES m.t READ", Connection),
    ("LOCK TABLES m.t WRITE", Connection),
    ("ANALYZE TABLE m.t", Nothing),
    ("OPTIMIZE TABLE m.t", Nothing),
    ("REPAIR TABLE m.t", Nothing),
    ("FLUSH TABLES m.t WITH READ LOCK", Connection),
    ("GRANT SELECT ON *.* TO p", Own),
    ("GRANT SELECT ON m.* TO p", Own),
    ("GRANT SELECT ON m.t TO p", Own),
    ("GRANT SELECT (a) ON m.t TO p", Own),
    ("GRANT SELECT ON m.* TO nobody", Nothing),
    ("REVOKE SELECT ON m.* FROM nobody", Nothing),
];

/// What p has.
struct Case {
    name: String,
    grants: Vec<String>,
    /// Only statements that need several privileges are of interest.
    many: bool,
}

fn cases() -> Vec<Case> {
    let mut all = vec![Case { name: "nothing".into(), grants: Vec::new(), many: false }];
    let levels: [(&str, &[&str], &str); 5] = [
        ("global", &["*.*"], GLOBAL),
        ("database", &["m.*"], DATABASE),
        ("table", &["m.t"], TABLE),
        ("tables", &["m.t", "m.u"], TABLE),
        ("column", &["m.t"], COLUMN),
    ];
    for (level, objects, privileges) in levels {
        let column = if level == "column" { " (a)" } else { "" };
        for p in privileges.split(',').map(str::trim) {
            let (word, with) = if p == "GRANT OPTION" { ("USAGE", " WITH GRANT OPTION") } else { (p, "") };
            let one = objects.iter().map(|o| format!("GRANT {word}{column} ON {o} TO p{with}")).collect();
            all.push(Case { name: format!("{level} {p}"), grants: one, many: false });
            // Beyond those of databases, global privileges are needed singly.
            if level == "global" && !DATABASE.split(',').any(|d| d.trim() == p) {
                continue;
            }
            let mut but_one = Vec::new();
            for o in objects {
                but_one.push(match level {
                    "column" => format!("GRANT SELECT(a),INSERT(a),UPDATE(a),REFERENCES(a) ON {o} TO p"),
                    _ => format!("GRANT ALL ON {o} TO p WITH GRANT OPTION"),
                });
                but_one.push(format!("REVOKE {p}{column} ON {o} FROM p"));
            }
            all.push(Case { name: format!("{level} all but {p}"), grants: but_one, many: true });
        }
    }
    // last, for it is a setting of the server
    let but_one = ["GRANT ALL ON *.* TO p WITH GRANT OPTION", "REVOKE READ_ONLY ADMIN ON *.* FROM p"];
    all.push(Case { name: READ_ONLY.into(), grants: but_one.map(String::from).to_vec(), many: false });
    all
}

fn own_connection(peer: &Peer) -> Conn {
    let opts =
        OptsBuilder::new().user(Some("p")).socket(Some(peer.socket.to_string_lossy())).prefer_socket(false);
    Conn::new(opts).expect("p connects")
}

fn run(conn: &mut Conn, sql: &str) {
    conn.query_drop(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
}

/// The error's number, or the rows of what lists something.
fn verdict(conn: &mut Conn, sql: &str) -> String {
    match conn.query::<Row, _>(sql) {
        Ok(rows) => {
            let lists = ["SHOW TABLES", "SHOW DATABASES", "SHOW INDEX", "SHOW FULL", "SELECT"];
            if !lists.iter().any(|l| sql.starts_with(l)) {
                return "ok".into();
            }
            let text = |r: Row| r.unwrap().into_iter().map(|v| v.as_sql(true)).collect::<Vec<_>>().join(",");
            format!("ok: {}", rows.into_iter().map(text).collect::<Vec<_>>().join("; "))
        }
        Err(mysql::Error::MySqlError(e)) => e.code.to_string(),
        Err(e) => panic!("{sql}: {e}"),
    }
}

fn make(root: &mut Conn, case: &Case) {
    run(root, "DROP USER IF EXISTS p");
    run(root, "CREATE USER p");
    for g in &case.grants {
        run(root, g);
    }
}

fn verdicts(peer: &Peer) -> Vec<(String, String)> {
    let mut root = peer.connect("");
    let mut out = Vec::new();
    for case in &cases() {
        for sql in TABLES {
            run(&mut root, sql);
        }
        make(&mut root, case);
        let mut p = own_connection(peer);
        let simple = if case.many { &[][..] } else { SIMPLE };
        let read_only = case.name == READ_ONLY;
        run(&mut root, &format!("SET GLOBAL read_only={}", u8::from(read_only)));
        let temporary = if read_only { TEMPORARY } else { &[] };
        for (sql, after) in simple.iter().chain(MANY).chain(temporary) {
            let v = verdict(&mut p, sql);
            let ran = v.starts_with("ok");
            out.push((format!("{}: {sql}", case.name), v));
            if !ran {
                continue;
            }
            if *after == Connection {
                // The end of the old one may come late: what it holds must be gone.
                let _ = p.query_drop("UNLOCK TABLES");
                p = own_connection(peer);
            }
            let mend = match after {
                Rows => ROWS,
                Tables => TABLES,
                Users => USERS,
                Own => {
                    make(&mut root, case);
                    p = own_connection(peer);
                    &[]
                }
                Nothing | Connection => &[],
            };
            for sql in mend {
                run(&mut root, sql);
            }
        }
    }
    out
}

#[test]
fn verdicts_are_those_of_mariadb() {
    if !oracle_present() {
        return;
    }
    let maria = Peer::mariadb(&["--skip-innodb", "--sync-frm=0"]);
    let isambard = Peer::isambard(&[]);
    let (theirs, ours) = std::thread::scope(|s| {
        let theirs = s.spawn(|| verdicts(&maria));
        let ours = s.spawn(|| verdicts(&isambard));
        (theirs.join().expect("mariadb"), ours.join().expect("isambard"))
    });
    compare(&theirs, &ours, 10_000);
}

/// Procedures, functions, views and triggers.
#[test]
fn verdicts_on_what_is_stored() {
    if !oracle_present() {
        return;
    }
    let maria = Peer::mariadb(&["--skip-innodb", "--sync-frm=0"]);
    let isambard = Peer::isambard(&[]);
    let (theirs, ours) = std::thread::scope(|s| {
        let theirs = s.spawn(|| stored::verdicts(&maria));
        let ours = s.spawn(|| stored::verdicts(&isambard));
        (theirs.join().expect("mariadb"), ours.join().expect("isambard"))
    });
    compare(&theirs, &ours, 5_000);
}

#[test]
fn patterns_and_columns_decide_as_in_mariadb() {
    if !oracle_present() {
        return;
    }
    let maria = Peer::mariadb(&["--skip-innodb", "--sync-frm=0"]);
    let isambard = Peer::isambard(&[]);
    compare(&patterns::verdicts(&maria), &patterns::verdicts(&isambard), 100);
    compare(&patterns::columns(&maria), &patterns::columns(&isambard), 5);
}

fn compare(theirs: &[(String, String)], ours: &[(String, String)], least: usize) {
    let different: Vec<String> = theirs
        .iter()
        .zip(ours)
        .filter(|(a, b)| a != b && !stored::is_stricter(&a.0, &b.1))
        .map(|((what, a), (_, b))| format!("{what}\n    MariaDB {a}\n    Isambard {b}"))
        .collect();
    assert_eq!(theirs.len(), ours.len());
    assert!(theirs.len() > least, "only {} verdicts", theirs.len());
    assert!(
        different.is_empty(),
        "{} of {} verdicts differ:\n{}",
        different.len(),
        theirs.len(),
        different.iter().take(60).cloned().collect::<Vec<_>>().join("\n")
    );
}

/// What root does while p is connected: (who, statement). `p` is the connection that stays, `new` one made for the statement. What is
/// taken of a database is not p's current one, whose privileges MariaDB asks for at USE alone.
const OPEN: &[(&str, &str)] = &[
    ("p", "SELECT a FROM m.t"),
    ("root", "GRANT SELECT ON m.t TO p"),
    ("p", "SELECT a FROM m.t"),
    ("p", "INSERT INTO m.t (a) VALUES (50)"),
    ("root", "GRANT INSERT ON m.t TO p"),
    ("p", "INSERT INTO m.t (a) VALUES (50)"),
    ("root", "REVOKE INSERT ON m.t FROM p"),
    ("p", "INSERT INTO m.t (a) VALUES (51)"),
    ("p", "SELECT COUNT(*) FROM m.t"),
    ("root", "REVOKE SELECT ON m.t FROM p"),
    ("p", "SELECT a FROM m.t"),
    ("root", "GRANT SELECT (a) ON m.t TO p"),
    ("p", "SELECT a FROM m.t WHERE a = 1"),
    ("p", "SELECT b FROM m.t"),
    ("root", "REVOKE SELECT (a) ON m.t FROM p"),
    ("p", "SELECT a FROM m.t"),
    ("root", "GRANT SELECT, UPDATE ON m.* TO p"),
    ("p", "SELECT a FROM m.t WHERE a = 1"),
    ("p", "UPDATE m.t SET b = 5 WHERE a = 50"),
    ("p", "USE m"),
    ("p", "SELECT a FROM t WHERE a = 1"),
    ("root", "REVOKE UPDATE ON m.* FROM p"),
    ("p", "USE m"),
    ("p", "UPDATE t SET b = 6 WHERE a = 50"),
    ("p", "USE information_schema"),
    ("root", "REVOKE SELECT ON m.* FROM p"),
    ("p", "SELECT a FROM m.t"),
    ("p", "USE m"),
    ("root", "GRANT ALL ON m.* TO p WITH GRANT OPTION"),
    ("p", "USE m"),
    ("p", "CREATE TABLE n (a INT)"),
    ("p", "PREPARE s FROM 'SELECT COUNT(*) FROM m.n'"),
    ("p", "EXECUTE s"),
    ("p", "USE information_schema"),
    ("root", "REVOKE ALL PRIVILEGES, GRANT OPTION FROM p"),
    ("p", "EXECUTE s"),
    ("new", "EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM m.n'"),
    ("p", "USE mysql"),
    ("root", "GRANT SELECT ON *.* TO p"),
    ("new", "SELECT a FROM m.t WHERE a = 1"),
    ("root", "REVOKE SELECT ON *.* FROM p"),
    ("new", "SELECT a FROM m.t WHERE a = 1"),
    ("root", "GRANT SELECT, INSERT ON m.t TO p"),
    ("p", "SELECT a FROM m.t WHERE a = 1"),
    ("root", "DROP USER p"),
    ("p", "SELECT a FROM m.t WHERE a = 1"),
    ("p", "INSERT INTO m.t (a) VALUES (60)"),
    ("p", "SELECT 1"),
    ("p", "SET PASSWORD = PASSWORD('x')"),
    ("p", "SHOW GRANTS"),
    ("root", "CREATE USER p"),
    ("p", "SELECT a FROM m.t WHERE a = 1"),
    ("root", "GRANT SELECT ON m.t TO p"),
    ("p", "SELECT a FROM m.t WHERE a = 1"),
];

fn verdicts_on_an_open_connection(peer: &Peer) -> Vec<String> {
    let mut root = peer.connect("");
    for sql in TABLES {
        run(&mut root, sql);
    }
    run(&mut root, "CREATE USER p");
    let mut p = own_connection(peer);
    let steps = OPEN.iter().map(|(who, sql)| match *who {
        "root" => {
            run(&mut root, sql);
            String::new()
        }
        "new" => verdict(&mut own_connection(peer), sql),
        _ => verdict(&mut p, sql),
    });
    steps.collect()
}

/// REVOKE and DROP USER take from those who are connected, too.
#[test]
fn grants_act_on_open_connections() {
    if !oracle_present() {
        return;
    }
    let [theirs, ours] = [Peer::mariadb(&["--skip-innodb"]), Peer::isambard(&[])]
        .map(|peer| verdicts_on_an_open_connection(&peer));
    let steps = OPEN.iter().zip(theirs.iter().zip(&ours)).enumerate();
    let different: Vec<String> = steps
        .filter(|(_, (_, (a, b)))| a != b)
        .map(|(n, ((who, sql), (a, b)))| format!("{n} {who}: {sql}: MariaDB {a}, Isambard {b}"))
        .collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
    let refused = theirs.iter().filter(|v| *v == "1142").count();
    assert!(refused > 8, "only {refused} refused: {theirs:?}");
}

/// Accounts of one user for several hosts, and one of anybody.
const HOSTS: &[&str] = &[
    "DROP DATABASE IF EXISTS m",
    "DROP DATABASE IF EXISTS n",
    "CREATE DATABASE m",
    "CREATE DATABASE n",
    "CREATE TABLE m.t (a INT)",
    "CREATE TABLE m.u (a INT)",
    "CREATE TABLE m.c (a INT, b INT)",
    "CREATE TABLE m.e (a INT)",
    "CREATE TABLE n.t (a INT)",
    "CREATE PROCEDURE m.p() SELECT 1",
    "CREATE PROCEDURE m.q() SELECT 1",
    "CREATE USER p@localhost",
    "CREATE USER p@'local%'",
    "CREATE USER p@'%'",
    "CREATE USER p@'10.%'",
    "CREATE USER ''@'%'",
    "GRANT SELECT ON m.t TO p@'%'",
    "GRANT INSERT ON m.t TO p@'10.%'",
    "GRANT SELECT ON m.u TO p@localhost",
    "GRANT INSERT ON m.u TO p@'%'",
    "GRANT SELECT (a) ON m.c TO p@'%'",
    "GRANT SELECT (b) ON m.c TO p@'local%'",
    "GRANT SELECT ON m.e TO ''@'%'",
    "GRANT EXECUTE ON PROCEDURE m.p TO p@'%'",
    "GRANT EXECUTE ON PROCEDURE m.q TO ''@'%'",
    "GRANT SELECT ON n.* TO p@localhost",
    "GRANT INSERT ON n.* TO p@'%'",
    "GRANT DELETE ON n.* TO ''@'%'",
    "GRANT CREATE ROUTINE ON *.* TO p@'%'",
];

const OF_HOSTS: &[&str] = &[
    "SELECT a FROM m.t",
    "INSERT INTO m.t VALUES (1)",
    "SELECT a FROM m.u",
    "INSERT INTO m.u VALUES (1)",
    "SELECT a FROM m.c",
    "SELECT b FROM m.c",
    "SELECT a FROM m.e",
    "CALL m.p()",
    "CALL m.q()",
    "SELECT a FROM n.t",
    "INSERT INTO n.t VALUES (1)",
    "DELETE FROM n.t",
    "CREATE PROCEDURE m.r() SELECT 1",
    "SELECT m.none()",
    "CREATE VIEW m.v AS SELECT m.none()",
    "GRANT EXECUTE ON PROCEDURE m.p TO p@localhost",
    "GRANT ALTER ROUTINE ON PROCEDURE m.p TO p@localhost",
    "SHOW GRANTS FOR CURRENT_USER()",
];

/// What the same user has from other hosts counts where one of these fits as well.
#[test]
fn accounts_for_other_hosts_count() {
    if !oracle_present() {
        return;
    }
    let verdicts = |peer: &Peer| -> Vec<String> {
        let mut root = peer.connect("");
        HOSTS.iter().for_each(|sql| run(&mut root, sql));
        let mut p = own_connection(peer);
        OF_HOSTS.iter().map(|sql| verdict(&mut p, sql)).collect()
    };
    let [theirs, ours] = [Peer::mariadb(&["--skip-innodb"]), Peer::isambard(&[])].map(|peer| verdicts(&peer));
    let pairs = OF_HOSTS.iter().zip(theirs.iter().zip(&ours));
    let different: Vec<String> = pairs
        .filter(|(_, (a, b))| a != b)
        .map(|(sql, (a, b))| format!("{sql}: MariaDB {a}, Isambard {b}"))
        .collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(theirs.iter().filter(|v| v.starts_with('1')).count() > 6, "{theirs:?}");
}
