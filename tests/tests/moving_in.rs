//! A data directory of MariaDB is opened as it is: its MyISAM tables are used at once, tables of other engines are listed
//! and refused one by one and left alone, its accounts come along.

use isambard_tests::peers::{Peer, oracle_present};
use mysql::prelude::Queryable;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// All files of other engines, with their bytes.
fn foreign_files(datadir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(datadir).expect("data directory").flatten() {
        if !entry.path().is_dir() {
            continue;
        }
        for file in std::fs::read_dir(entry.path()).expect("folder").flatten() {
            let path = file.path();
            let name = file.file_name().to_string_lossy().into_owned();
            let ours = ["MYI", "MYD"].iter().any(|e| name.ends_with(e)) && !name.contains('#');
            if !ours && !name.contains("isambard") {
                all.insert(path.clone(), std::fs::read(&path).expect("file"));
            }
        }
    }
    all
}

#[track_caller]
fn code(result: Result<(), mysql::Error>) -> (u16, String) {
    match result {
        Err(mysql::Error::MySqlError(e)) => (e.code, e.message),
        other => panic!("{other:?}"),
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn a_data_directory_of_mariadb_is_served_as_it_is() {
    if !oracle_present() {
        return;
    }
    let mut maria = Peer::mariadb(&[]);
    maria.keep();
    let mut conn = maria.connect("");
    for sql in [
        "CREATE DATABASE d CHARACTER SET utf8mb4",
        "USE d",
        "CREATE TABLE my (id int AUTO_INCREMENT PRIMARY KEY, s varchar(40), KEY (s)) ENGINE=MyISAM",
        "INSERT INTO my (s) VALUES ('eins'), ('zwei'), ('drei')",
        "CREATE TABLE ino (id int PRIMARY KEY) ENGINE=InnoDB",
        "CREATE TABLE ar (id int PRIMARY KEY) ENGINE=Aria",
        "CREATE TABLE csv (id int NOT NULL) ENGINE=CSV",
        "CREATE TABLE mem (id int) ENGINE=MEMORY",
        "CREATE TABLE part (id int) ENGINE=Aria PARTITION BY HASH (id) PARTITIONS 2",
        "CREATE TABLE merged (id int, s varchar(40)) ENGINE=MERGE UNION=(my)",
        "CREATE VIEW v AS SELECT * FROM my",
        "CREATE TRIGGER tr BEFORE INSERT ON `my` FOR EACH ROW SET new.s = UPPER(new.s)",
        "INSERT INTO ino VALUES (1)",
        "CREATE USER reader IDENTIFIED BY 'secret'",
        "GRANT SELECT ON d.* TO reader",
    ] {
        conn.query_drop(sql).expect(sql);
    }
    drop(conn);
    maria.stop();
    let datadir = maria.datadir.clone();
    let before = foreign_files(&datadir);
    assert!(before.len() > 50);

    let mut peer = Peer::isambard_on(&datadir, &[]);
    peer.keep();
    let mut conn = peer.connect("d");
    let rows: Vec<(u32, String)> = conn.query("SELECT * FROM my ORDER BY id").expect("rows");
    assert_eq!(rows[2], (3, "drei".into()));
    conn.query_drop("INSERT INTO my (s) VALUES ('vier')").expect("insert");
    let tables: Vec<(String, String)> = conn.query("SHOW FULL TABLES").expect("tables");
    let names: Vec<&str> = tables.iter().map(|t| t.0.as_str()).collect();
    assert_eq!(names, ["ar", "csv", "ino", "mem", "merged", "my", "part", "v"]);
    assert_eq!(tables[7].1, "VIEW");
    // Defined otherwise than the table under it.
    assert_eq!(code(conn.query_drop("SELECT * FROM merged")).0, 1168);
    assert_eq!(
        conn.query_first::<(u64, u64), _>("SELECT COUNT(*), MAX(id) FROM v").expect("rows"),
        Some((4, 4))
    );
    let foreign = [("ar", "Aria"), ("csv", "CSV"), ("ino", "InnoDB"), ("part", "partition")];
    for (table, engine) in foreign {
        // Of partitions of an engine that is not here MariaDB says that the definition cannot be read.
        let expected = match table {
            "part" => (1033, "Incorrect information in file: './d/part.frm'".to_string()),
            _ => (1286, format!("Unknown storage engine '{engine}'")),
        };
        for sql in [
            "SELECT * FROM {}",
            "INSERT INTO {} VALUES (1)",
            "DROP TABLE {}",
            "DROP TABLE my, {}",
            "RENAME TABLE my TO x, {} TO y",
            "ALTER TABLE {} COMMENT 'x'",
            "TRUNCATE TABLE {}",
            "CREATE OR REPLACE TABLE {} (a int)",
            "DESCRIBE {}",
            "SHOW CREATE TABLE {}",
            "LOCK TABLES {} WRITE",
            "DROP DATABASE d",
        ] {
            let sql = sql.replace("{}", table);
            let found = code(conn.query_drop(&sql));
            if sql == "DROP DATABASE d" {
                assert_eq!(found.0, 1286);
            } else if table == "part" && (sql.starts_with("DROP") || sql.starts_with("RENAME")) {
                assert_eq!(found.0, if sql.starts_with("DROP") { 1030 } else { 1025 }, "{sql}: {found:?}");
            } else {
                assert_eq!(found, expected, "{sql}");
            }
        }
        let status: mysql::Row =
            conn.query_first(format!("SHOW TABLE STATUS LIKE '{table}'")).expect("status").expect("a row");
        assert_eq!(status.get::<String, _>("Engine").as_deref(), Some(engine));
        assert_eq!(status.get::<String, _>("Comment"), Some(expected.1));
    }
    // A table in memory begins empty, as after any start; its definition stays as it was.
    conn.query_drop("INSERT INTO mem VALUES (5)").expect("insert");
    assert_eq!(conn.query::<u32, _>("SELECT id FROM mem").expect("rows"), [5]);
    // The accounts came along, with the password, the privileges and the socket of root.
    let reader = |password: &str| {
        let opts = mysql::OptsBuilder::new()
            .user(Some("reader"))
            .pass(Some(password))
            .socket(Some(peer.socket.to_string_lossy()))
            .prefer_socket(false);
        mysql::Conn::new(opts)
    };
    assert!(reader("wrong").is_err());
    let mut own = reader("secret").expect("the account of before");
    let count: Option<u32> = own.query_first("SELECT COUNT(*) FROM d.my").expect("count");
    assert_eq!(count, Some(4));
    assert_eq!(code(own.query_drop("DELETE FROM d.my")).0, 1142);
    conn.query_drop("CREATE USER another IDENTIFIED BY 'x'").expect("a new account");
    conn.query_drop("GRANT SELECT, INSERT ON d.* TO another").expect("privileges");
    let log = std::fs::read_to_string(peer.socket.with_file_name("err")).expect("log");
    assert!(
        log.contains("table 'd.ino' is listed, but cannot be opened: Unknown storage engine 'InnoDB'"),
        "{log}"
    );
    assert!(log.contains("database 'mysql':"), "{log}");
    drop((conn, own));
    peer.stop();
    assert_eq!(foreign_files(&datadir), before, "files of other engines changed");

    // And back: MariaDB finds everything, what was written here included.
    let maria = Peer::mariadb_on(datadir.parent().expect("parent").to_path_buf(), datadir.clone(), &[]);
    let mut conn = maria.connect("d");
    let count: Option<u32> = conn.query_first("SELECT COUNT(*) FROM v").expect("the view");
    assert_eq!(count, Some(4));
    let count: Option<u32> = conn.query_first("SELECT COUNT(*) FROM ino").expect("InnoDB");
    assert_eq!(count, Some(1));
    let checked: Vec<(String, String, String, String)> =
        conn.query("CHECK TABLE my EXTENDED").expect("check");
    assert_eq!(checked[0].3, "OK");
}

/// Names with everything in them, objects that are not tables of rows, and files that are damaged or missing.
#[test]
#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn odd_names_and_damaged_files_answer_as_in_mariadb() {
    if !oracle_present() {
        return;
    }
    let mut maria = Peer::mariadb(&[]);
    maria.keep();
    let mut conn = maria.connect("");
    for sql in [
        "CREATE DATABASE `a-b`",
        "CREATE DATABASE `\u{fc}ml\u{e4}ut db`",
        "CREATE TABLE `a-b`.`t-1` (a int) ENGINE=MyISAM",
        "INSERT INTO `a-b`.`t-1` VALUES (1)",
        "CREATE TABLE `a-b`.`in-no` (a int) ENGINE=InnoDB",
        "CREATE TABLE `\u{fc}ml\u{e4}ut db`.`t\u{e4} b/l.e` (a int) ENGINE=MyISAM",
        "INSERT INTO `\u{fc}ml\u{e4}ut db`.`t\u{e4} b/l.e` VALUES (2)",
        "CREATE DATABASE d",
        "USE d",
        "CREATE SEQUENCE s ENGINE=MyISAM",
        "DO NEXTVAL(s)",
        "CREATE TABLE sv (a int) ENGINE=MyISAM WITH SYSTEM VERSIONING",
        "INSERT INTO sv VALUES (1)",
        "DELETE FROM sv",
        "CREATE TABLE packed (a int, b text COMPRESSED) ENGINE=MyISAM",
        "INSERT INTO packed VALUES (1, REPEAT('x', 1000))",
        "CREATE VIEW v AS SELECT * FROM sv",
        "CREATE TABLE my (a int) ENGINE=MyISAM",
        "CREATE TRIGGER tr BEFORE INSERT ON my FOR EACH ROW SET new.a = 7",
        "CREATE TABLE data (a int) ENGINE=MyISAM",
        "CREATE TABLE idx (a int) ENGINE=MyISAM",
        "CREATE TABLE def (a int) ENGINE=MyISAM",
        "CREATE TABLE idxbad (a int) ENGINE=MyISAM",
        "CREATE TABLE defbad (a int) ENGINE=MyISAM",
        "INSERT INTO data VALUES (1)",
        "FLUSH TABLES",
    ] {
        conn.query_drop(sql).expect(sql);
    }
    let datadir = maria.datadir.clone();
    let file = |name: &str| datadir.join("d").join(name);
    for gone in ["data.MYD", "idx.MYI", "def.frm"] {
        std::fs::remove_file(file(gone)).expect(gone);
    }
    std::fs::write(file("idxbad.MYI"), [7; 200]).expect("write");
    std::fs::write(file("defbad.frm"), b"nonsense").expect("write");
    let statements: Vec<String> = ["data", "idx", "def", "idxbad", "defbad"]
        .iter()
        .flat_map(|t| [format!("SELECT * FROM {t}"), format!("INSERT INTO {t} VALUES (1)")])
        .collect();
    let expected: Vec<_> = statements.iter().map(|sql| code(conn.query_drop(sql))).collect();
    drop(conn);
    maria.stop();
    let before = foreign_files(&datadir);
    let packed = std::fs::read(file("packed.MYD")).expect("file");
    let mut peer = Peer::isambard_on(&datadir, &[]);
    peer.keep();
    let mut conn = peer.connect("d");
    for (sql, expected) in statements.iter().zip(&expected) {
        assert_eq!(&code(conn.query_drop(sql)), expected, "{sql}");
    }
    // The view reads the table before it.
    let kept = [("sv", "system versioning"), ("v", "system versioning"), ("packed", "compressed columns")];
    for (table, what) in kept {
        for sql in
            ["SELECT * FROM {}", "INSERT INTO {} VALUES (1)", "DELETE FROM {}", "ALTER TABLE {} ADD x int"]
        {
            let (number, message) = code(conn.query_drop(sql.replace("{}", table)));
            if number != 1235 {
                assert!(
                    table == "v" && matches!(number, 1347 | 1471 | 1288),
                    "{sql} {table}: {number} {message}"
                );
                continue;
            }
            assert!(message.contains(what), "{sql} {table}: {message}");
        }
    }
    // the numbers that the other server had reserved are gone with it
    let next: Option<i64> = conn.query_first("SELECT NEXTVAL(s)").expect("a number");
    assert_eq!(next, Some(1001));
    let one: Option<u32> = conn.query_first("SELECT a FROM `a-b`.`t-1`").expect("select");
    // a file's name is no second name of a table that has one
    let second = conn.query_drop("SELECT a FROM `#mysql50#a@002db`.`t-1`");
    assert_eq!(code(second).0, 1102);
    let three: Option<u32> =
        conn.query_first("SELECT a FROM `\u{fc}ml\u{e4}ut db`.`t\u{e4} b/l.e`").expect("select");
    assert_eq!((one, three), (Some(1), Some(2)));
    assert_eq!(code(conn.query_drop("SELECT * FROM `a-b`.`in-no`")).0, 1286);
    conn.query_drop("INSERT INTO my VALUES (1)").expect("insert");
    let seven: Option<u32> = conn.query_first("SELECT a FROM my").expect("select");
    assert_eq!(seven, Some(7), "the trigger has run");
    drop(conn);
    peer.stop();
    assert_eq!(foreign_files(&datadir), before, "files of other engines changed");
    assert_eq!(std::fs::read(file("packed.MYD")).expect("file"), packed);
    let _ = std::fs::remove_dir_all(datadir.parent().expect("parent"));
}

/// `mysql.user` as MySQL 5.5 has it, made by MariaDB in the place of its own.
#[test]
fn accounts_of_mysql_5_are_taken_over() {
    if !oracle_present() {
        return;
    }
    let mut maria = Peer::mariadb(&[]);
    maria.keep();
    let mut conn = maria.connect("");
    let flags = |names: &str| -> String {
        names
            .split(' ')
            .map(|n| format!("{n}_priv enum('N','Y') CHARACTER SET utf8 NOT NULL DEFAULT 'N', "))
            .collect()
    };
    let user = flags(
        "Select Insert Update Delete Create Drop Reload Shutdown Process File Grant References Index Alter Show_db Super \
         Create_tmp_table Lock_tables Execute Repl_slave Repl_client Create_view Show_view Create_routine Alter_routine \
         Create_user Event Trigger Create_tablespace",
    );
    let database = flags(
        "Select Insert Update Delete Create Drop Grant References Index Alter Create_tmp_table Lock_tables Create_view \
         Show_view Create_routine Alter_routine Execute Event Trigger",
    );
    let yes = ", 'Y'".repeat(29);
    for sql in [
        "CREATE DATABASE five".to_owned(),
        format!(
            "CREATE TABLE five.user (Host char(60) NOT NULL DEFAULT '', User char(16) NOT NULL DEFAULT '', \
             Password char(41) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL DEFAULT '', {user} \
             ssl_type enum('','ANY','X509','SPECIFIED') CHARACTER SET utf8 NOT NULL DEFAULT '', ssl_cipher blob NOT NULL, \
             x509_issuer blob NOT NULL, x509_subject blob NOT NULL, max_questions int(11) unsigned NOT NULL DEFAULT 0, \
             plugin char(64) DEFAULT '', authentication_string text, PRIMARY KEY (Host, User)) \
             ENGINE=MyISAM DEFAULT CHARSET=utf8 COLLATE=utf8_bin"
        ),
        format!(
            "CREATE TABLE five.db (Host char(60) NOT NULL DEFAULT '', Db char(64) NOT NULL DEFAULT '', \
             User char(16) NOT NULL DEFAULT '', {database} PRIMARY KEY (Host, Db, User), KEY User (User)) \
             ENGINE=MyISAM DEFAULT CHARSET=utf8 COLLATE=utf8_bin"
        ),
        format!(
            "INSERT INTO five.user VALUES ('localhost', 'root', PASSWORD('five'){yes}, '', '', '', '', 0, '', '')"
        ),
        "INSERT INTO five.user (Host, User, Password, ssl_cipher, x509_issuer, x509_subject) VALUES \
         ('%', 'app', PASSWORD('app'), '', '', ''), ('%', 'ancient', '5d2e19393cc5ef67', '', '', '')"
            .to_owned(),
        "INSERT INTO five.db (Host, Db, User, Select_priv) VALUES ('%', 'shop', 'app', 'Y')".to_owned(),
    ] {
        conn.query_drop(&sql).expect(&sql);
    }
    drop(conn);
    maria.stop();
    // The folder of MySQL 5: nothing but its own tables.
    let datadir = maria.datadir.with_file_name("five");
    std::fs::create_dir_all(&datadir).expect("folder");
    std::fs::rename(maria.datadir.join("five"), datadir.join("mysql")).expect("the system database");
    let mut peer = Peer::isambard_with_password(&datadir, "five");
    peer.keep();
    let login = |user: &str, password: &str| {
        let opts = mysql::OptsBuilder::new()
            .user(Some(user))
            .pass(Some(password))
            .socket(Some(peer.socket.to_string_lossy()))
            .prefer_socket(false);
        mysql::Conn::new(opts)
    };
    let mut root = login("root", "five").expect("root");
    let grants: Vec<String> = root.query("SHOW GRANTS").expect("grants");
    assert!(
        grants[0].starts_with("GRANT ALL PRIVILEGES ON *.*") && grants[0].ends_with("WITH GRANT OPTION"),
        "{grants:?}"
    );
    root.query_drop("CREATE DATABASE shop").expect("database");
    root.query_drop("CREATE TABLE shop.t (a int)").expect("table");
    assert!(login("root", "").is_err());
    let mut app = login("app", "app").expect("app");
    app.query_drop("SELECT * FROM shop.t").expect("select");
    assert_eq!(code(app.query_drop("INSERT INTO shop.t VALUES (1)")).0, 1142);
    assert!(login("ancient", "").is_err());
    root.query_drop("GRANT INSERT ON shop.* TO app").expect("grant");
    app.query_drop("INSERT INTO shop.t VALUES (1)").err();
    drop((root, app));
    peer.stop();
    let _ = std::fs::remove_dir_all(maria.socket.parent().expect("parent"));
}
