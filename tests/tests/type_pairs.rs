//! Every pair of column types, compared, joined and merged on Isambard and MariaDB; and what expressions announce to
//! clients and become in CREATE TABLE ... SELECT.
//!
//! `ISAMBARD_SOAK` takes all pairs, else a part of them, chosen by `ISAMBARD_SEED`.

use isambard_tests::compare::{Answer, Order, ask, difference};
use isambard_tests::peers::{Peer, oracle_present};

/// Name, definition and four values of each column.
const COLUMNS: &[(&str, &str, [&str; 4])] = &[
    ("ti", "TINYINT", ["-128", "127", "0", "1"]),
    ("tu", "TINYINT UNSIGNED", ["255", "0", "1", "65"]),
    ("si", "SMALLINT", ["-32768", "32767", "0", "1"]),
    ("mi", "MEDIUMINT", ["-8388608", "8388607", "0", "1"]),
    ("i", "INT", ["-2147483648", "2147483647", "0", "1"]),
    ("iu", "INT UNSIGNED", ["4294967295", "0", "1", "2001"]),
    ("bi", "BIGINT", ["-9223372036854775808", "9223372036854775807", "0", "1"]),
    ("bu", "BIGINT UNSIGNED", ["18446744073709551615", "9223372036854775808", "0", "1"]),
    ("bo", "BOOL", ["1", "0", "1", "0"]),
    ("de", "DECIMAL(10,2)", ["-99999999.99", "1.50", "0", "1"]),
    ("du", "DECIMAL(20,5) UNSIGNED", ["99999999999.99999", "1.5", "0", "1"]),
    ("f", "FLOAT", ["-1.5", "3.4e38", "0", "1"]),
    ("d", "DOUBLE", ["-1.5", "1.7e308", "0", "1"]),
    ("fm", "FLOAT(7,3)", ["-1.5", "1234.567", "0", "1"]),
    ("bt", "BIT(10)", ["b'1111111111'", "b'1000001'", "0", "1"]),
    ("y", "YEAR", ["1901", "2155", "0", "2001"]),
    ("dt", "DATE", ["'2001-01-01'", "'9999-12-31'", "'0000-00-00'", "'1970-01-01'"]),
    ("tm", "TIME", ["'-838:59:59'", "'10:00:00'", "'00:00:00'", "'00:00:01'"]),
    ("t3", "TIME(3)", ["'838:59:59'", "'10:00:00.123'", "'00:00:00'", "'00:00:01'"]),
    (
        "ts",
        "DATETIME",
        ["'2001-01-01 00:00:00'", "'9999-12-31 23:59:59'", "'0000-00-00 00:00:00'", "'1970-01-01 00:00:01'"],
    ),
    (
        "t6",
        "DATETIME(6)",
        [
            "'2001-01-01 00:00:00.000001'",
            "'9999-12-31 23:59:59.999999'",
            "'0000-00-00 00:00:00'",
            "'1970-01-01 00:00:01'",
        ],
    ),
    (
        "st",
        "TIMESTAMP NULL",
        ["'2001-01-01 00:00:00'", "'2038-01-19 03:14:07'", "'0000-00-00 00:00:00'", "'1970-01-02 00:00:01'"],
    ),
    ("c", "CHAR(20) CHARACTER SET latin1", ["'a'", "'A '", "'1'", "'2001-01-01'"]),
    ("v", "VARCHAR(20) CHARACTER SET latin1", ["'a'", "'A '", "'1.50'", "'10:00:00'"]),
    ("vu", "VARCHAR(20) CHARACTER SET utf8mb4", ["'a'", "'é'", "'1'", "''"]),
    ("cb", "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", ["'A'", "'E'", "'0'", "'x'"]),
    ("tx", "TEXT CHARACTER SET latin1", ["'a'", "'B'", "'-1'", "'2001-01-01 00:00:00'"]),
    ("tt", "TINYTEXT CHARACTER SET latin1", ["'a'", "''", "'1'", "'b'"]),
    ("uc", "VARCHAR(20) CHARACTER SET ucs2", ["'a'", "'A'", "'1'", "'2001-01-01'"]),
    ("b", "BINARY(6)", ["'a'", "'A'", "'1'", "''"]),
    ("vb", "VARBINARY(20)", ["'a'", "'A'", "'1'", "'10:00:00'"]),
    ("bl", "BLOB", ["'a'", "'A '", "'1'", "''"]),
    ("tb", "TINYBLOB", ["'a'", "'b'", "'1'", "''"]),
    ("e", "ENUM('a','1','b') CHARACTER SET latin1", ["'a'", "'1'", "'b'", "1"]),
    ("s", "SET('a','b','1') CHARACTER SET latin1", ["'a'", "'a,b'", "'1'", "''"]),
    (
        "uu",
        "UUID",
        [
            "'00000000-0000-0000-0000-000000000001'",
            "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
            "'123e4567-e89b-12d3-a456-426655440000'",
            "'00000000-0000-0000-0000-000000000000'",
        ],
    ),
    ("i4", "INET4", ["'0.0.0.0'", "'255.255.255.255'", "'1.2.3.4'", "'0.0.0.1'"]),
    ("i6", "INET6", ["'::'", "'::1'", "'::ffff:1.2.3.4'", "'ffff::'"]),
];

const NUMBERS: &[&str] =
    &["ti", "tu", "si", "mi", "i", "iu", "bi", "bu", "bo", "de", "du", "f", "d", "fm", "bt", "y"];
const FLOATS: &[&str] = &["f", "d", "fm"];
const WORDS: &[&str] = &["e", "s"];
const TIMES: &[&str] = &["tm", "t3"];
const ADDRESSES: &[&str] = &["uu", "i4", "i6"];
const DATES: &[&str] = &["dt", "ts", "t6", "st"];
const BYTES: &[&str] = &["b", "vb", "bl", "tb"];
const ANY: &[&str] = &[];

/// What differs for a reason: columns of one side, columns of the other (or any), a part of the statement, the reason.
type Excuse = (&'static [&'static str], &'static [&'static str], &'static str, &'static str);

const EXCUSED: &[Excuse] = &[
    (
        NUMBERS,
        NUMBERS,
        "IN (SELECT",
        "MariaDB looks up in a table of the right type: beyond its range NULLs are not seen",
    ),
    (WORDS, ANY, "IN (SELECT", "MariaDB looks texts up there that = compares as numbers"),
    (TIMES, NUMBERS, "", "numbers that are no times: MariaDB takes the end of the range"),
    (TIMES, WORDS, "", "words that are no times"),
    (ADDRESSES, ANY, "UNION", "a UNION of addresses and text is text"),
    (ADDRESSES, ANY, "<> ALL (SELECT", "MariaDB: text that is no address differs from all"),
    (FLOATS, ANY, "UNION", "MariaDB prints the doubles behind FLOAT where they become text"),
    (
        &["bt"],
        ANY,
        "SELECT",
        "what is computed of BIT MariaDB prints as a number unless it went through a table",
    ),
    (&["y"], DATES, "", "a YEAR beside dates is a day of zero in it for MariaDB"),
    (&["y"], ANY, "UNION", "the YEAR 0000 as text"),
    (&["c"], &["cb"], "IN (SELECT", "MariaDB looks spaces up that = ignores"),
    (
        &["st"],
        ANY,
        "IN (SELECT",
        "MariaDB looks up in a table of the right type: beyond its range NULLs are not seen",
    ),
    (&["st"], ANY, "NULLIF", "the flag UNSIGNED of what is computed of TIMESTAMP"),
    (&["uc"], BYTES, "", "bytes of ucs2 text beside binary text"),
];

/// Whether a statement about two columns is excused.
fn excused(x: &str, y: &str, statement: &str) -> bool {
    EXCUSED.iter().any(|(some, others, part, _)| {
        let fits = |a: &str, b: &str| some.contains(&a) && (others.is_empty() || others.contains(&b));
        statement.contains(part) && (fits(x, y) || fits(y, x))
    })
}

/// Isambard and MariaDB with the same database.
struct Both {
    ours: mysql::Conn,
    theirs: mysql::Conn,
    _peers: [Peer; 2],
}

impl Both {
    fn start() -> Both {
        let peers = [Peer::isambard(&[]), Peer::mariadb(&[])];
        let [ours, theirs] = [0, 1].map(|n: usize| peers[n].connect(""));
        let mut both = Both { ours, theirs, _peers: peers };
        for s in ["CREATE DATABASE d CHARACTER SET latin1", "USE d", "SET NAMES utf8mb4"] {
            both.same(s);
        }
        both
    }

    fn ask(&mut self, sql: &str) -> (Answer, Answer) {
        (ask(&mut self.ours, sql), ask(&mut self.theirs, sql))
    }

    /// A statement of the preparation, which must go well on both.
    fn same(&mut self, sql: &str) {
        let (a, b) = self.ask(sql);
        assert_eq!(a.error, b.error, "{sql}");
    }

    /// What differs between the answers.
    fn differences(&mut self, sql: &str) -> Vec<String> {
        let (mut a, mut b) = self.ask(sql);
        let mut found = Vec::new();
        // how often a join computes a condition is the choice of the plan; conversions that fail are told in
        // words that name the column there
        a.warnings.clear();
        b.warnings.clear();
        if let Some(d) = difference(&a, &b, Order::Any) {
            found.push(format!("{sql}\n    {d}"));
        } else if a.error.is_none() {
            for (name, (x, y)) in a.columns.iter().zip(a.types.iter().zip(&b.types)) {
                if x != y {
                    found.push(format!("{sql}\n    type of {name}: ours {x}, theirs {y}"));
                }
            }
        }
        found
    }
}

fn is_long(ty: &str) -> bool {
    ["TEXT", "TINYTEXT", "BLOB", "TINYBLOB"].iter().any(|t| ty.split(' ').next() == Some(t))
}

/// The tables `p` and `q` without keys, `k` with one on each column.
fn fill(both: &mut Both) {
    both.same("SET sql_mode = ''");
    let list: Vec<String> = COLUMNS.iter().map(|(n, t, _)| format!("{n} {t}")).collect();
    for table in ["p", "q", "k"] {
        both.same(&format!("CREATE TABLE {table} (id INT NOT NULL, {})", list.join(", ")));
    }
    for row in 0..4 {
        for (table, values) in [("p", row), ("q", 3 - row)] {
            let list: Vec<&str> = COLUMNS.iter().map(|c| c.2[values]).collect();
            both.same(&format!("INSERT INTO {table} VALUES ({row}, {})", list.join(", ")));
        }
    }
    both.same("INSERT INTO p (id) VALUES (9)");
    both.same("INSERT INTO q (id) VALUES (9)");
    both.same("INSERT INTO k SELECT * FROM q");
    let keys: Vec<String> = COLUMNS
        .iter()
        .map(|(n, t, _)| format!("ADD KEY k_{n} ({n}{})", if is_long(t) { "(10)" } else { "" }))
        .collect();
    both.same(&format!("ALTER TABLE k {}", keys.join(", ")));
}

/// Expressions of two columns.
fn expressions(x: &str, y: &str) -> Vec<String> {
    [
        "X=Y",
        "X<=>Y",
        "X<Y",
        "X>=Y",
        "X<>Y",
        "X IN (Y)",
        "X IN (Y,X)",
        "X NOT IN (Y,NULL)",
        "X BETWEEN Y AND Y",
        "X NOT BETWEEN Y AND X",
        "CASE X WHEN Y THEN 1 ELSE 2 END",
        "NULLIF(X,Y)",
        "GREATEST(X,Y)",
        "LEAST(X,Y)",
        "IF(id>1,X,Y)",
        "COALESCE(X,Y)",
        "IFNULL(Y,X)",
        "CASE WHEN id>1 THEN X ELSE Y END",
    ]
    .iter()
    .map(|e| e.replace('X', x).replace('Y', y))
    .collect()
}

/// Statements about two columns, and what shows their effect.
fn statements(x: &str, y: &str) -> Vec<(String, Option<&'static str>)> {
    let all = [
        format!(
            "SELECT p.id, p.{x} IN (SELECT q.{y} FROM q), p.{x} NOT IN (SELECT q.{y} FROM q), p.{x} = ANY (SELECT q.{y} \
             FROM q), p.{x} <> ALL (SELECT q.{y} FROM q WHERE q.id<9) FROM p ORDER BY id"
        ),
        format!("SELECT id FROM p WHERE {x} IN (SELECT {y} FROM q) ORDER BY id"),
        format!("SELECT p.id, q.id FROM p JOIN q ON p.{x}=q.{y} ORDER BY 1,2"),
        format!("SELECT p.id, k.id FROM p JOIN k ON p.{x}=k.{y} ORDER BY 1,2"),
        format!("SELECT p.id, k.id FROM p LEFT JOIN k ON k.{x}=p.{y} ORDER BY 1,2"),
        format!("SELECT {x} FROM p UNION SELECT {y} FROM q ORDER BY 1"),
    ];
    let made = [
        format!("SELECT IF(id>1,{x},{y}) a, COALESCE({x},{y}) b, IFNULL({y},{x}) c FROM p"),
        format!("SELECT {x} a FROM p UNION SELECT {y} FROM q"),
    ];
    let made = made.map(|query| format!("CREATE OR REPLACE TABLE made AS {query}"));
    let show = Some("SHOW CREATE TABLE made");
    all.into_iter().map(|s| (s, None)).chain(made.into_iter().map(|s| (s, show))).collect()
}

fn report(wrong: &[String]) {
    if let Some(path) = std::env::var_os("ISAMBARD_REPORT") {
        std::fs::write(path, wrong.join("\n")).expect("the report");
    }
    let shown: Vec<&str> = wrong.iter().take(40).map(|w| w.as_str()).collect();
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn pairs_of_types_agree() {
    if !oracle_present() {
        return;
    }
    let seed = std::env::var("ISAMBARD_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let soak = std::env::var_os("ISAMBARD_SOAK").is_some();
    let mut both = Both::start();
    fill(&mut both);
    let mut pairs: Vec<(&str, &str)> =
        COLUMNS.iter().flat_map(|a| COLUMNS.iter().map(move |b| (a.0, b.0))).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut pairs);
    if !soak {
        pairs.truncate(150);
    }
    let mut wrong = Vec::new();
    for (x, y) in pairs {
        let list: Vec<String> =
            expressions(x, y).into_iter().filter(|e| !excused(x, y, &format!("SELECT {e}"))).collect();
        // all at once; one by one where they differ
        if !list.is_empty()
            && !both.differences(&format!("SELECT {} FROM p ORDER BY id", list.join(", "))).is_empty()
        {
            for e in list {
                wrong.extend(both.differences(&format!("SELECT {e} FROM p ORDER BY id")));
            }
        }
        for (s, shown) in statements(x, y) {
            let _ = both.ask("DROP TABLE IF EXISTS made");
            let found = both.differences(&s);
            if excused(x, y, &s) {
                continue;
            }
            if let (true, Some(shown)) = (found.is_empty(), shown) {
                wrong.extend(both.differences(shown).iter().map(|d| format!("{s}: {d}")));
            }
            wrong.extend(found);
        }
    }
    report(&wrong);
}

/// Expressions, one a line: what they are to clients, and as columns of a new table.
#[test]
fn expressions_announce_the_same_types() {
    if !oracle_present() {
        return;
    }
    let mut both = Both::start();
    let mut wrong = Vec::new();
    for line in include_str!("data/expressions/types.txt").lines().filter(|l| !l.is_empty()) {
        if let Some(statement) = line.strip_prefix("! ") {
            both.same(statement);
            continue;
        }
        wrong.extend(both.differences(&format!("SELECT {line} FROM t")));
        let made = both.differences(&format!("CREATE OR REPLACE TABLE made AS SELECT {line} AS q FROM t"));
        if made.is_empty() {
            let shown = both.differences("SHOW CREATE TABLE made");
            wrong.extend(shown.iter().map(|d| format!("{line}: {d}")));
        }
        wrong.extend(made);
    }
    report(&wrong);
}

/// Statements of the scripts, one a line.
#[test]
fn scripts_of_expressions_agree() {
    if !oracle_present() {
        return;
    }
    let mut both = Both::start();
    let mut wrong = Vec::new();
    for line in include_str!("data/expressions/script.sql").lines().filter(|l| !l.is_empty()) {
        // words of warnings about dates name the column there
        let quiet = line.strip_prefix("~ ");
        let statement = quiet.unwrap_or(line).trim_end_matches(';');
        let (mut a, mut b) = both.ask(statement);
        if quiet.is_some() {
            a.warnings.clear();
            b.warnings.clear();
        }
        let order = if statement.contains("ORDER BY") { Order::Exact } else { Order::Any };
        if let Some(d) = difference(&a, &b, order) {
            wrong.push(format!("{statement}\n    {d}"));
        }
    }
    report(&wrong);
}
