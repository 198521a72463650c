//! Every pair of column types, and columns beside constants and parameters, in every place where two types meet, on
//! Isambard and MariaDB: values, types, metadata, warnings; and what expressions announce to clients and become in
//! CREATE TABLE ... SELECT.
//!
//! `ISAMBARD_SOAK` takes all pairs, `ISAMBARD_COLUMN` those of one column, constant or parameter, else a part of them, chosen by
//! `ISAMBARD_SEED`. `ISAMBARD_REPORT` names a file for
//! all differences: place, columns, what differs, the statement.

mod columns;
mod excuses;
mod places;
mod rebound;
mod variables;

use columns::{COLUMNS, CONSTANTS};
use excuses::excused;
use isambard_tests::compare::{Answer, Order, ask_with, difference, nameless};
use isambard_tests::peers::{Peer, oracle_present};

/// Isambard and MariaDB with the same database.
struct Both {
    ours: mysql::Conn,
    theirs: mysql::Conn,
    _peers: [Peer; 2],
    wrong: Vec<String>,
}

/// Where a difference was found.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The template.
    template: &'a str,
    /// The columns or constants in it.
    of: [&'a str; 2],
    order: Order,
}

impl Both {
    fn start() -> Both {
        let peers = [Peer::isambard(&[]), Peer::mariadb(&[])];
        let [ours, theirs] = [0, 1].map(|n: usize| peers[n].connect(""));
        let mut both = Both { ours, theirs, _peers: peers, wrong: Vec::new() };
        for s in ["CREATE DATABASE d CHARACTER SET latin1", "USE d", "SET NAMES utf8mb4"] {
            both.same(s);
        }
        both
    }

    fn ask(&mut self, sql: &str, params: Option<&[mysql::Value]>) -> (Answer, Answer) {
        (ask_with(&mut self.ours, sql, params), ask_with(&mut self.theirs, sql, params))
    }

    /// A statement of the preparation, which must go well on both.
    fn same(&mut self, sql: &str) {
        let (a, b) = self.ask(sql, None);
        assert_eq!(a.error, b.error, "{sql}");
    }

    /// What differs between the answers.
    fn differences(&mut self, sql: &str, params: Option<&[mysql::Value]>, order: Order) -> Vec<String> {
        let (mut a, mut b) = self.ask(sql, params);
        if order != Order::Exact {
            a.warnings.iter_mut().chain(&mut b.warnings).for_each(nameless);
        }
        let mut found: Vec<String> = difference(&a, &b, order).into_iter().collect();
        if a.error.is_none() && b.error.is_none() {
            for (name, (x, y)) in a.columns.iter().zip(a.types.iter().zip(&b.types)) {
                if x != y {
                    found.push(format!("type of {name}: ours {x}, theirs {y}"));
                }
            }
        }
        found
    }

    /// Notes what differs unless it is excused; whether nothing does.
    fn compare(&mut self, place: Place<'_>, sql: &str, params: Option<&[mysql::Value]>) -> bool {
        let mut found = self.differences(sql, params, place.order);
        let [x, y] = place.of;
        if found.iter().any(|d| d.starts_with("rows"))
            && let Some(other) = places::in_other_words(sql)
        {
            // MariaDB contradicts itself, and Isambard agrees with one of its answers
            let sorted = |mut rows: Vec<Vec<Option<String>>>| {
                rows.sort();
                rows
            };
            let ours = sorted(ask_with(&mut self.ours, sql, params).rows);
            if ours == sorted(ask_with(&mut self.theirs, &other, params).rows) {
                found.retain(|d| !d.starts_with("rows"));
            }
        }
        if found.iter().any(|d| d.starts_with("warnings"))
            && let Some(full) = places::compared_in_full(sql)
            && self.warned_of(sql, &full, params)
        {
            found.retain(|d| !d.starts_with("warnings"));
        }
        for d in &found {
            if !excused(place.template, place.of, d) {
                self.wrong.push(format!("{}\t{x}\t{y}\t{d}\t{sql}", place.template));
            }
        }
        found.is_empty()
    }

    /// Whether all that Isambard warns of in a statement is what MariaDB warns of in it or in another one, which compares
    /// more: what a plan does not look at it does not convert.
    fn warned_of(&mut self, sql: &str, full: &str, params: Option<&[mysql::Value]>) -> bool {
        let (ours, theirs) = self.ask(sql, params);
        let full = ask_with(&mut self.theirs, full, params.map(|p| &p[..full.matches('?').count()]));
        let nameless = |a: Answer| {
            let mut list = a.warnings;
            list.iter_mut().for_each(nameless);
            list
        };
        let mut known = nameless(full);
        known.extend(nameless(theirs));
        nameless(ours).iter().all(|w| known.contains(w))
    }

    /// Expressions in one statement, and one by one where it differs.
    fn expressions(
        &mut self,
        list: &[(&str, String)],
        of: [&str; 2],
        rest: &str,
        params: Option<&[mysql::Value]>,
    ) {
        if params.is_none() {
            let all: Vec<&str> = list.iter().map(|e| e.1.as_str()).collect();
            let all = format!("SELECT {} {rest}", all.join(", "));
            if self.differences(&all, params, Order::Loose).is_empty() {
                return;
            }
        }
        for (template, e) in list {
            let place = Place { template, of, order: Order::Loose };
            self.compare(place, &format!("SELECT {e} {rest}"), params);
        }
    }

    /// The tables `p` and `q` without keys, `k` with one on each column; `m` is empty.
    fn fill(&mut self) {
        self.same("SET sql_mode = '', max_error_count = 1000");
        let list: Vec<String> = COLUMNS.iter().map(|(n, t, _)| format!("{n} {t}")).collect();
        for table in ["p", "q", "k", "m"] {
            self.same(&format!("CREATE TABLE {table} (id INT NOT NULL, {})", list.join(", ")));
        }
        for row in 0..4 {
            for (table, values) in [("p", row), ("q", 3 - row)] {
                let list: Vec<&str> = COLUMNS.iter().map(|c| c.2[values]).collect();
                self.same(&format!("INSERT INTO {table} VALUES ({row}, {})", list.join(", ")));
            }
        }
        self.same("INSERT INTO p (id) VALUES (9)");
        self.same("INSERT INTO q (id) VALUES (9)");
        self.same("INSERT INTO k SELECT * FROM q");
        let keys: Vec<String> = COLUMNS
            .iter()
            .map(|(n, t, _)| format!("ADD KEY k_{n} ({n}{})", if is_long(t) { "(10)" } else { "" }))
            .collect();
        self.same(&format!("ALTER TABLE k {}", keys.join(", ")));
    }

    fn report(&self) {
        let wrong = &self.wrong;
        if let Some(path) = std::env::var_os("ISAMBARD_REPORT") {
            let name = std::thread::current().name().unwrap_or_default().to_owned();
            let path = std::path::PathBuf::from(path).with_extension(name);
            std::fs::write(path, wrong.join("\n")).expect("the report");
        }
        let shown: Vec<&str> = wrong.iter().take(40).map(|w| w.as_str()).collect();
        assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), shown.join("\n"));
    }
}

fn is_long(ty: &str) -> bool {
    ty.split(' ').next().is_some_and(|t| t.ends_with("TEXT") || t.ends_with("BLOB"))
}

/// A column, two constants or a parameter.
trait Named: Copy {
    fn name(&self) -> &'static str;
}

impl Named for columns::Column {
    fn name(&self) -> &'static str {
        self.0
    }
}

impl Named for (&'static str, &'static str) {
    fn name(&self) -> &'static str {
        self.0
    }
}

impl Named for usize {
    fn name(&self) -> &'static str {
        columns::parameters()[*self].0
    }
}

/// All pairs of the two lists, or `part` of them.
fn sample<A: Named, B: Named>(some: &[A], others: &[B], part: usize) -> Vec<(A, B)> {
    let seed = std::env::var("ISAMBARD_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let mut pairs: Vec<(A, B)> = some.iter().flat_map(|a| others.iter().map(move |b| (*a, *b))).collect();
    if let Ok(name) = std::env::var("ISAMBARD_COLUMN") {
        pairs.retain(|(a, b)| [a.name(), b.name()].contains(&name.as_str()));
        return pairs;
    }
    fastrand::Rng::with_seed(seed).shuffle(&mut pairs);
    if std::env::var_os("ISAMBARD_SOAK").is_none() {
        pairs.truncate(part);
    }
    pairs
}

/// A template with names or values in it.
fn filled(template: &str, x: &str, y: &str, z: &str, table: &str) -> String {
    let mut out = String::with_capacity(template.len() * 2);
    let bytes = template.as_bytes();
    for (i, c) in template.char_indices() {
        let alone =
            |at: Option<usize>| at.and_then(|n| bytes.get(n)).is_none_or(|b| !b.is_ascii_alphanumeric());
        let whole = alone(i.checked_sub(1)) && alone(Some(i + 1));
        match c {
            'X' if whole => out.push_str(x),
            'Y' if whole => out.push_str(y),
            'Z' if whole => out.push_str(z),
            'T' if whole => out.push_str(table),
            c => out.push(c),
        }
    }
    out
}

#[test]
fn pairs_of_types_agree() {
    if !oracle_present() {
        return;
    }
    let mut both = Both::start();
    both.fill();
    for ((x, ..), (y, ..)) in sample(COLUMNS, COLUMNS, 60) {
        let list: Vec<(&str, String)> =
            places::EXPRESSIONS.iter().map(|e| (*e, filled(e, x, y, "", ""))).collect();
        both.expressions(&list, [x, y], "FROM p ORDER BY id", None);
        for s in places::STATEMENTS {
            // how often a join or a set computes a condition is the choice of the plan
            let place = Place { template: s, of: [x, y], order: Order::Loose };
            both.compare(place, &filled(s, x, y, "", ""), None);
        }
        for s in places::MADE {
            let _ = both.ask("DROP TABLE IF EXISTS made", None);
            let place = Place { template: s, of: [x, y], order: Order::Loose };
            let sql = format!("CREATE OR REPLACE TABLE made AS {}", filled(s, x, y, "", ""));
            if both.compare(place, &sql, None) {
                both.compare(place, "SHOW CREATE TABLE made", None);
                both.compare(place, "SELECT * FROM made", None);
            }
        }
    }
    both.report();
}

#[test]
fn columns_beside_constants_agree() {
    if !oracle_present() {
        return;
    }
    let mut both = Both::start();
    both.fill();
    for ((x, ..), (y, z)) in sample(COLUMNS, CONSTANTS, 60) {
        let list: Vec<(&str, String)> =
            places::BESIDE_CONSTANTS.iter().map(|e| (*e, filled(e, x, y, z, ""))).collect();
        both.expressions(&list, [x, y], "FROM q ORDER BY id", None);
        for s in places::SEARCHES {
            for t in ["q", "k"] {
                let place = Place { template: s, of: [x, y], order: Order::Loose };
                both.compare(place, &filled(s, x, y, z, t), None);
            }
        }
    }
    both.report();
}

#[test]
fn columns_beside_parameters_agree() {
    if !oracle_present() {
        return;
    }
    let mut both = Both::start();
    both.fill();
    let parameters = columns::parameters();
    let numbers: Vec<usize> = (0..parameters.len()).collect();
    for ((x, ..), n) in sample(COLUMNS, &numbers, 25) {
        let (name, value) = &parameters[n];
        let all = places::BESIDE_CONSTANTS.iter().chain(places::SEARCHES);
        for s in all {
            let from = if s.contains(" FROM ") { "" } else { " FROM q ORDER BY id" };
            let select = if from.is_empty() { "" } else { "SELECT " };
            let sql = format!("{select}{}{from}", filled(s, x, "?", "?", "k"));
            let values = vec![value.clone(); sql.matches('?').count()];
            let place = Place { template: s, of: [x, name], order: Order::Loose };
            both.compare(place, &sql, Some(&values));
        }
    }
    both.report();
}

/// What a value of any type becomes in a column of any other.
#[test]
fn values_stored_in_other_types_agree() {
    if !oracle_present() {
        return;
    }
    let mut both = Both::start();
    both.fill();
    for (mode, ignore) in
        [("", ""), ("STRICT_ALL_TABLES", ""), ("STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE", "IGNORE ")]
    {
        both.same(&format!("SET sql_mode = '{mode}'"));
        let place = |template, x, y| Place { template, of: [x, y], order: Order::Exact };
        for ((x, ..), (y, _, _)) in sample(COLUMNS, COLUMNS, 20) {
            let rows = if mode.is_empty() || !ignore.is_empty() {
                vec![""]
            } else {
                vec!["WHERE id=0", "WHERE id=1", "WHERE id=2", "WHERE id=3"]
            };
            for r in rows {
                both.same("TRUNCATE m");
                let t = "INSERT m SELECT";
                both.compare(
                    place(t, x, y),
                    &format!("INSERT {ignore}INTO m (id, {x}) SELECT id, {y} FROM p {r}"),
                    None,
                );
                both.compare(place(t, x, y), &format!("SELECT {x} FROM m ORDER BY id"), None);
            }
            both.same("TRUNCATE m");
            both.same("INSERT INTO m SELECT * FROM p WHERE id<9");
            both.compare(place("UPDATE m", x, y), &format!("UPDATE {ignore}m SET {x}={y} ORDER BY id"), None);
            both.compare(place("UPDATE m", x, y), &format!("SELECT {x} FROM m ORDER BY id"), None);
        }
        for ((x, ..), (y, z)) in sample(COLUMNS, CONSTANTS, 20) {
            both.same("TRUNCATE m");
            for (n, c) in [(1, y), (2, z)] {
                both.compare(
                    place("INSERT m VALUES", x, c),
                    &format!("INSERT {ignore}INTO m (id, {x}) VALUES ({n}, {c})"),
                    None,
                );
            }
            both.compare(place("INSERT m VALUES", x, y), &format!("SELECT {x} FROM m ORDER BY id"), None);
        }
    }
    both.report();
}

/// Expressions, one a line: what they are to clients, and as columns of a new table.
#[test]
fn expressions_announce_the_same_types() {
    if !oracle_present() {
        return;
    }
    let mut both = Both::start();
    let mut wrong = Vec::new();
    for line in include_str!("../data/expressions/types.txt").lines().filter(|l| !l.is_empty()) {
        if let Some(statement) = line.strip_prefix("! ") {
            both.same(statement);
            continue;
        }
        wrong.extend(both.differences(&format!("SELECT {line} FROM t"), None, Order::Any));
        let made = both.differences(
            &format!("CREATE OR REPLACE TABLE made AS SELECT {line} AS q FROM t"),
            None,
            Order::Any,
        );
        if made.is_empty() {
            let shown = both.differences("SHOW CREATE TABLE made", None, Order::Any);
            wrong.extend(shown.iter().map(|d| format!("{line}: {d}")));
        }
        wrong.extend(made);
    }
    both.wrong = wrong;
    both.report();
}

/// Statements of the scripts, one a line.
#[test]
fn scripts_of_expressions_agree() {
    if !oracle_present() {
        return;
    }
    let mut both = Both::start();
    let mut wrong = Vec::new();
    for line in include_str!("../data/expressions/script.sql").lines().filter(|l| !l.is_empty()) {
        // words of warnings about dates name the column there
        let quiet = line.strip_prefix("~ ");
        let statement = quiet.unwrap_or(line).trim_end_matches(';');
        let (mut a, mut b) = both.ask(statement, None);
        if quiet.is_some() {
            a.warnings.clear();
            b.warnings.clear();
        }
        let order = if statement.contains("ORDER BY") { Order::Exact } else { Order::Any };
        if let Some(d) = difference(&a, &b, order) {
            wrong.push(format!("{statement}\n    {d}"));
        }
    }
    both.wrong = wrong;
    both.report();
}

/// Which table and column a column comes from: clients that change rows in place go by it.
#[test]
fn columns_tell_where_they_come_from() {
    if !oracle_present() {
        return;
    }
    let mut both = Both::start();
    for s in [
        "CREATE TABLE o1 (a INT PRIMARY KEY, b VARCHAR(10), c TIMESTAMP)",
        "CREATE TABLE o2 (a INT, d TEXT)",
        "INSERT INTO o1 VALUES (1, 'x', '2020-01-01'), (2, 'y', '2020-01-02')",
        "INSERT INTO o2 VALUES (1, 'p'), (3, 'q')",
        "CREATE TEMPORARY TABLE o3 (e INT)",
    ] {
        both.same(s);
    }
    let mut wrong = Vec::new();
    for sql in ORIGINS {
        for params in [None, Some(&[][..])] {
            let (a, b) = both.ask(sql, params);
            wrong.extend(difference(&a, &b, Order::Any).map(|d| format!("{sql}: {d}")));
            if a.origins != b.origins {
                wrong.push(format!("{sql}: ours {:?}, theirs {:?}", a.origins, b.origins));
            }
        }
    }
    both.wrong = wrong;
    both.report();
}

const ORIGINS: &[&str] = &[
    "SELECT * FROM o1",
    "SELECT a AS x, b AS a, c + 0, a + 1, 1 FROM o1 AS t",
    "SELECT o1.*, y.d AS e FROM o1 JOIN d.o2 y USING (a)",
    "SELECT * FROM o1 NATURAL LEFT JOIN o2",
    "SELECT * FROM o3",
    "SELECT a, b FROM o1 UNION SELECT a, d FROM o2",
    "SELECT a AS x FROM o1 UNION ALL SELECT 5",
    "(SELECT a FROM o1 LIMIT 1) UNION (SELECT a FROM o2 LIMIT 1) ORDER BY a",
    "SELECT * FROM (SELECT a AS x, b FROM o1) AS z",
    "SELECT z.x AS y FROM (SELECT a AS x, b FROM o1) AS z",
    "SELECT * FROM (SELECT a FROM o1 UNION SELECT a FROM o2) AS u",
    "WITH w AS (SELECT a AS x FROM o1) SELECT x, x AS y FROM w",
    "SELECT a, COUNT(*), MAX(b) AS m FROM o1 GROUP BY a",
    "SELECT DISTINCT b FROM o1",
    "SELECT b FROM o1 ORDER BY c DESC",
    "SELECT (SELECT d FROM o2 WHERE o2.a = o1.a) AS s, IFNULL(b, 'n') FROM o1",
    "SELECT a, b FROM o1 WHERE a IN (SELECT a FROM o2)",
    "SELECT a, NULL FROM o1 HAVING a > 1",
    "VALUES (1, 'a'), (2, 'b')",
];
