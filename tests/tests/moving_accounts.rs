//! The accounts of a MariaDB that keeps them in Aria tables: 300 of all sorts, told and answered alike afterwards.

use isambard_tests::peers::{Peer, oracle_present};
use mysql::prelude::Queryable;
use std::path::Path;

const GLOBAL: &[&str] = &[
    "SELECT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "CREATE",
    "DROP",
    "RELOAD",
    "SHUTDOWN",
    "PROCESS",
    "FILE",
    "REFERENCES",
    "INDEX",
    "ALTER",
    "SHOW DATABASES",
    "SUPER",
    "CREATE TEMPORARY TABLES",
    "LOCK TABLES",
    "EXECUTE",
    "REPLICATION SLAVE",
    "BINLOG MONITOR",
    "CREATE VIEW",
    "SHOW VIEW",
    "CREATE ROUTINE",
    "ALTER ROUTINE",
    "CREATE USER",
    "EVENT",
    "TRIGGER",
    "CREATE TABLESPACE",
    "DELETE HISTORY",
    "SET USER",
    "CONNECTION ADMIN",
    "READ_ONLY ADMIN",
    "SLAVE MONITOR",
];
const DATABASE: &[&str] = &[
    "SELECT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "CREATE",
    "DROP",
    "REFERENCES",
    "INDEX",
    "ALTER",
    "CREATE TEMPORARY TABLES",
    "LOCK TABLES",
    "EXECUTE",
    "CREATE VIEW",
    "SHOW VIEW",
    "CREATE ROUTINE",
    "ALTER ROUTINE",
    "EVENT",
    "TRIGGER",
    "DELETE HISTORY",
];

fn some(rng: &mut fastrand::Rng, of: &[&str]) -> String {
    let mut chosen: Vec<&str> = of.iter().copied().filter(|_| rng.u8(0..4) == 0).collect();
    if chosen.is_empty() {
        chosen.push(of[rng.usize(0..of.len())]);
    }
    if rng.u8(0..10) == 0 { "ALL PRIVILEGES".into() } else { chosen.join(", ") }
}

/// An account of the test: name, password.
struct User {
    name: String,
    user: String,
    password: String,
    /// Whether the client of the test can try to log in: from this host, with a plugin that it knows.
    tried: bool,
}

fn login(socket: &Path, user: &str, password: &str) -> u16 {
    let opts = mysql::OptsBuilder::new()
        .user(Some(user))
        .pass(Some(password))
        .socket(Some(socket.to_string_lossy()))
        .prefer_socket(false);
    match mysql::Conn::new(opts) {
        Ok(_) => 0,
        Err(mysql::Error::MySqlError(e)) => e.code,
        Err(e) => panic!("{user}: {e}"),
    }
}

/// What SHOW tells of an account, its grants in any order.
fn told(conn: &mut mysql::Conn, name: &str) -> (String, Vec<String>) {
    let create: String = conn
        .query_first(format!("SHOW CREATE USER {name}"))
        .unwrap_or_else(|e| panic!("{name}: {e}"))
        .expect("row");
    let mut grants: Vec<String> = conn.query(format!("SHOW GRANTS FOR {name}")).expect("grants");
    grants.sort();
    (create, grants)
}

fn make_accounts(conn: &mut mysql::Conn, rng: &mut fastrand::Rng) -> Vec<User> {
    let hosts =
        ["%", "localhost", "10.%", "192.168.1.0/255.255.255.0", "%.example.com", "db_.example.org", "::1"];
    let mut users: Vec<User> = Vec::new();
    let mut sql = |text: &str| conn.query_drop(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    for n in 0..330 {
        let user = match n {
            0 => String::new(),
            n if n % 20 == 0 => format!("{n}{}", "long name ".repeat(9).trim_end()),
            n if n % 33 == 0 => format!("grün{n}'s"),
            n => format!("user{n}"),
        };
        let host = if n == 0 { "10.9.%" } else { hosts[[0, 0, 1, 2, 3, 4, 5, 6][rng.usize(0..8)]] };
        let name = format!("'{}'@'{host}'", user.replace('\'', "''"));
        let mut password = if n % 11 == 0 { String::new() } else { format!("secret {n} ü") };
        // For an account that is not there MariaDB asks with the plugin of any other.
        let mut tried = matches!(host, "%" | "localhost");
        let mut create = format!("CREATE USER {name} IDENTIFIED BY '{password}'");
        match n % 17 {
            3 => create = format!("CREATE USER {name} IDENTIFIED VIA unix_socket"),
            5 if n > 100 => {
                create = format!("CREATE USER {name} IDENTIFIED VIA ed25519 USING PASSWORD('x')");
                tried = false;
            }
            7 => create.push_str(" REQUIRE SSL"),
            8 => create.push_str(" REQUIRE SUBJECT '/CN=x' AND ISSUER 'y' WITH MAX_QUERIES_PER_HOUR 7"),
            9 => create.push_str(" WITH MAX_USER_CONNECTIONS 3 MAX_STATEMENT_TIME 2.5"),
            10 => create.push_str(" ACCOUNT LOCK"),
            11 => {
                create.push_str(" PASSWORD EXPIRE");
            }
            12 => create.push_str(" PASSWORD EXPIRE INTERVAL 90 DAY"),
            13 => create.push_str(" PASSWORD EXPIRE NEVER"),
            14 => {
                create = format!(
                    "CREATE USER {name} IDENTIFIED VIA unix_socket OR mysql_native_password USING PASSWORD('{password}')"
                );
            }
            15 => {
                create = format!("CREATE USER {name} IDENTIFIED VIA mysql_native_password USING 'invalid'");
                password = "invalid".into();
            }
            _ => {}
        }
        sql(&create);
        if rng.bool() {
            let option = if rng.u8(0..5) == 0 { " WITH GRANT OPTION" } else { "" };
            sql(&format!("GRANT {} ON *.* TO {name}{option}", some(rng, GLOBAL)));
        }
        for _ in 0..rng.usize(0..4) {
            let db = ["shop", "shop\\_%", "a b`c", "ümlaut", "test%"][rng.usize(0..5)].replace('`', "``");
            let option = if rng.u8(0..5) == 0 { " WITH GRANT OPTION" } else { "" };
            sql(&format!("GRANT {} ON `{db}`.* TO {name}{option}", some(rng, DATABASE)));
        }
        users.push(User { name, user, password, tried });
        // Others are changed and go, so that rows grow, move and leave holes.
        let old = rng.usize(0..users.len());
        let other = users[old].name.clone();
        match rng.u8(0..9) {
            0 if users.len() > 20 => {
                sql(&format!("DROP USER {other}"));
                users.remove(old);
            }
            1 => sql(&format!("GRANT {} ON *.* TO {other}", some(rng, GLOBAL))),
            2 => sql(&format!("ALTER USER {other} WITH MAX_QUERIES_PER_HOUR 100000")),
            3 => sql(&format!("REVOKE INSERT, DELETE, DROP, EXECUTE ON *.* FROM {other}")),
            _ => {}
        }
    }
    users
}

#[test]
fn three_hundred_accounts_are_taken_over() {
    if !oracle_present() {
        return;
    }
    let mut maria = Peer::mariadb(&[]);
    maria.keep();
    let mut conn = maria.connect("");
    let seed = std::env::var("ISAMBARD_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let mut rng = fastrand::Rng::with_seed(seed);
    for sql in [
        "SET sql_mode='NO_ENGINE_SUBSTITUTION'",
        "INSTALL SONAME 'auth_ed25519'",
        "CREATE DATABASE shop",
        "CREATE TABLE shop.t (a int, b int) ENGINE=MyISAM",
        "CREATE FUNCTION shop.f() RETURNS int RETURN 1",
    ] {
        conn.query_drop(sql).expect(sql);
    }
    let users = make_accounts(&mut conn, &mut rng);
    assert!(users.len() >= 280, "{}", users.len());
    let (one, two) = (&users[5].name, &users[6].name);
    for sql in [
        "CREATE ROLE auditor".to_owned(),
        "GRANT SELECT ON shop.* TO auditor".to_owned(),
        format!("GRANT auditor TO {one}"),
        format!("GRANT SELECT, INSERT ON shop.t TO {one}"),
        format!("GRANT UPDATE (b) ON shop.t TO {two}"),
        format!("GRANT EXECUTE ON FUNCTION shop.f TO {two}"),
        format!("GRANT PROXY ON {one} TO {two}"),
    ] {
        conn.query_drop(&sql).expect(&sql);
    }
    let expected: Vec<_> = users.iter().map(|u| told(&mut conn, &u.name)).collect();
    let answers: Vec<(u16, u16)> = users
        .iter()
        .map(|u| match u.tried {
            true => (login(&maria.socket, &u.user, &u.password), login(&maria.socket, &u.user, "wrong")),
            false => (0, 0),
        })
        .collect();
    drop(conn);
    maria.stop();

    let datadir = maria.datadir.clone();
    let mut peer = Peer::isambard_on(&datadir, &[]);
    peer.keep();
    let mut conn = peer.connect("");
    for (u, expected) in users.iter().zip(&expected) {
        assert_eq!(&told(&mut conn, &u.name), expected, "{}", u.name);
    }
    let mut right = 0;
    for (u, (good, bad)) in users.iter().zip(&answers) {
        if !u.tried {
            continue;
        }
        let found = (login(&peer.socket, &u.user, &u.password), login(&peer.socket, &u.user, "wrong"));
        assert_eq!(found, (*good, *bad), "{}", u.name);
        right += u32::from(found.0 == 0 && found.1 == 1045);
    }
    assert!(right > 40, "only {right} of the accounts can log in from here");
    let log = std::fs::read_to_string(peer.socket.with_file_name("err")).expect("log");
    let line = "accounts of mysql.global_priv and mysql.db are taken over";
    assert!(log.contains(line), "{log}");
    assert!(expected.iter().any(|(_, grants)| grants.iter().any(|g| g.contains(" ON FUNCTION "))), "{two}");
    // Changed here, and still so after a restart: they are taken over once.
    conn.query_drop("CREATE USER here IDENTIFIED BY 'x'").expect("create");
    conn.query_drop(format!("DROP USER {}", users[9].name)).expect("drop");
    drop(conn);
    peer.stop();
    let mut peer = Peer::isambard_on(&datadir, &[]);
    peer.keep();
    assert_eq!(login(&peer.socket, "here", "x"), 0);
    let mut conn = peer.connect("");
    assert!(conn.query_drop(format!("SHOW GRANTS FOR {}", users[9].name)).is_err());
    drop(conn);
    peer.stop();
    // MariaDB finds its accounts as they were.
    let maria = Peer::mariadb_on(datadir.parent().expect("parent").to_path_buf(), datadir.clone(), &[]);
    let mut conn = maria.connect("");
    for (u, expected) in users.iter().zip(&expected) {
        assert_eq!(&told(&mut conn, &u.name), expected, "{}", u.name);
    }
}

#[test]
fn accounts_of_a_server_that_was_killed_wait_for_a_clean_stop() {
    if !oracle_present() {
        return;
    }
    let mut maria = Peer::mariadb(&[]);
    maria.keep();
    let mut conn = maria.connect("");
    conn.query_drop("CREATE USER reader IDENTIFIED BY 'secret'").expect("user");
    maria.kill();
    let datadir = maria.datadir.clone();
    let mut peer = Peer::isambard_on(&datadir, &[]);
    peer.keep();
    let log = std::fs::read_to_string(peer.socket.with_file_name("err")).expect("log");
    let told = "table 'mysql.global_priv': it was not closed: MariaDB did not stop cleanly";
    assert!(log.contains(told) && log.contains("start and stop MariaDB once"), "{log}");
    assert_eq!(login(&peer.socket, "reader", "secret"), 1045);
    peer.stop();
    // The way on that the log gives.
    let dir = datadir.parent().expect("parent").to_path_buf();
    let mut maria = Peer::mariadb_on(dir, datadir.clone(), &[]);
    maria.keep();
    maria.stop();
    let mut peer = Peer::isambard_on(&datadir, &[]);
    assert_eq!(login(&peer.socket, "reader", "secret"), 0);
    assert_eq!(login(&peer.socket, "reader", "wrong"), 1045);
    peer.stop();
}
