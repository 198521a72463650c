//! Texts that clients pass to `?` have the collation that MariaDB gives them, whatever SET NAMES and its kin have said.

use isambard_tests::compare::{Order, ask, ask_with, difference};
use isambard_tests::peers::{Peer, oracle_present};

/// What changes the collations of a connection.
const SETTINGS: &[&str] = &[
    "DO 1",
    "SET NAMES utf8mb4",
    "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
    "SET collation_connection = utf8mb4_general_ci",
    "SET character_set_client = utf8mb4",
    "SET collation_connection = utf8mb4_bin",
    "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
    "SET CHARACTER SET utf8mb4",
    "SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci",
    "SET character_set_connection = latin1",
    "SET character_set_client = latin1",
    "SET collation_connection = latin1_bin",
    "SET NAMES DEFAULT",
];

/// Questions with the texts 'a', 'B', 'A' for their `?`.
const QUESTIONS: &[&str] = &[
    "SELECT collation(?), collation(concat(?, ?))",
    "SELECT ? < ?, ?",
    "SELECT coercibility(?), ? LIKE ?",
    "SELECT nullif(?, 'x'), ? IN (?)",
];

#[test]
fn texts_have_the_collation_of_the_client() {
    if !oracle_present() {
        return;
    }
    let (own, oracle) = (Peer::isambard(&[]), Peer::mariadb(&[]));
    let (mut ours, mut theirs) = (own.connect(""), oracle.connect(""));
    let texts: Vec<mysql::Value> = ["a", "B", "A"].into_iter().map(mysql::Value::from).collect();
    let mut wrong = Vec::new();
    for (n, setting) in SETTINGS.iter().enumerate() {
        assert_eq!(ask(&mut ours, setting).error, None, "{setting}");
        assert_eq!(ask(&mut theirs, setting).error, None, "{setting}");
        for question in QUESTIONS {
            // prepared anew each time: literals keep the collation of PREPARE in MariaDB
            let sql = format!("{question}, {n}");
            let (a, b) = (ask_with(&mut ours, &sql, Some(&texts)), ask_with(&mut theirs, &sql, Some(&texts)));
            wrong.extend(difference(&a, &b, Order::Exact).map(|d| format!("{setting}; {sql}\n    {d}")));
        }
        // variables keep theirs
        let named = format!("PREPARE p FROM 'SELECT collation(?), ? < ?, {n}'");
        for sql in
            [&*named, "EXECUTE p USING @a, @a, @b", "SET @a = 'a', @b = 'B'", "EXECUTE p USING @a, @a, @b"]
        {
            let (a, b) = (ask(&mut ours, sql), ask(&mut theirs, sql));
            wrong.extend(difference(&a, &b, Order::Exact).map(|d| format!("{setting}; {sql}\n    {d}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
