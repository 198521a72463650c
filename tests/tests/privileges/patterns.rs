//! Which of two grants decides where the patterns of both fit a database, and what is told of columns that may not be read.

use super::{Peer, own_connection, run, verdict};

/// All fit the database `m12_`.
const PATTERNS: [&str; 18] = [
    "m12\\_", "m12_", "m_2_", "_12_", "m___", "____", "m%", "m1%", "m12%", "%2_", "%12_", "m%2_", "m1%2_",
    "m_%", "m1_%", "m1%%", "%", "____%",
];

/// For each two patterns, one that gives INSERT and one that gives SELECT: what the user may do.
pub fn verdicts(peer: &Peer) -> Vec<(String, String)> {
    let mut root = peer.connect("");
    for sql in ["DROP DATABASE IF EXISTS m12_", "CREATE DATABASE m12_", "CREATE TABLE m12_.t (a INT)"] {
        run(&mut root, sql);
    }
    let mut out = Vec::new();
    for (i, a) in PATTERNS.iter().enumerate() {
        for (k, b) in PATTERNS.iter().enumerate().filter(|(k, _)| *k != i) {
            run(&mut root, "CREATE OR REPLACE USER p");
            // in either order
            let mut grants = [("INSERT", a), ("SELECT", b)];
            if (i + k) % 2 == 0 {
                grants.reverse();
            }
            for (right, pattern) in grants {
                run(&mut root, &format!("GRANT {right} ON `{pattern}`.* TO p"));
            }
            let mut p = own_connection(peer);
            for sql in ["INSERT INTO m12_.t VALUES (1)", "SELECT MAX(a) FROM m12_.t"] {
                out.push((format!("INSERT on {a}, SELECT on {b}: {sql}"), verdict(&mut p, sql)));
            }
        }
    }
    out
}

const COLUMNS: &[&str] = &[
    "DROP DATABASE IF EXISTS m",
    "CREATE DATABASE m",
    "CREATE TABLE m.t (a INT, b INT, c INT)",
    "CREATE TABLE m.u (x INT, y INT)",
    "CREATE OR REPLACE USER p",
    "GRANT SELECT (a, b) ON m.t TO p",
    "GRANT SELECT ON m.u TO p",
    "ALTER TABLE m.t DROP b",
];

const OF_COLUMNS: &[&str] = &[
    "SELECT a FROM m.t",
    "SELECT b FROM m.t",
    "SELECT c FROM m.t",
    "SELECT d FROM m.t",
    "SELECT t.d FROM m.t",
    "SELECT d.a FROM m.t",
    "SELECT a FROM m.t WHERE d = 1",
    "SELECT a FROM m.t GROUP BY d",
    "SELECT a FROM m.t HAVING d",
    "SELECT a FROM m.t ORDER BY d",
    "SELECT d FROM m.t, m.u",
    "SELECT d FROM m.u, m.t",
    "SELECT u.d FROM m.u, m.t",
    "SELECT d FROM m.u",
    "SELECT (SELECT d FROM m.t) FROM m.u",
    "SELECT a FROM m.t WHERE EXISTS (SELECT d FROM m.u)",
    "UPDATE m.t SET d = 1",
    "INSERT INTO m.t (d) VALUES (1)",
];

/// What is told of columns that are not there, or may not be read.
pub fn columns(peer: &Peer) -> Vec<(String, String)> {
    let mut root = peer.connect("");
    COLUMNS.iter().for_each(|sql| run(&mut root, sql));
    let mut p = own_connection(peer);
    OF_COLUMNS.iter().map(|sql| ((*sql).to_owned(), verdict(&mut p, sql))).collect()
}
