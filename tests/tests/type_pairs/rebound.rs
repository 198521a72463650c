//! One prepared statement executed with parameters of one type after another.

use super::{Both, Order, Place, columns};
use isambard_tests::compare::{Answer, ask_with};
use isambard_tests::peers::oracle_present;
use mysql::Value;

/// Where a parameter decides over the result's type, or over how something is found or computed.
const PLACES: &[&str] = &[
    "SELECT ?",
    "SELECT ? + 1",
    "SELECT -?",
    "SELECT ? / 3",
    "SELECT ROUND(?)",
    "SELECT CONCAT(?, 'x')",
    "SELECT COALESCE(?, id), id FROM q ORDER BY id",
    "SELECT IF(id > 1, ?, i), id FROM q ORDER BY id",
    "SELECT MAX(?), MIN(i) FROM q",
    "SELECT * FROM (SELECT ? AS a) x",
    "SELECT ? UNION SELECT 'abc' ORDER BY 1",
    "SELECT DISTINCT ? FROM q",
    "SELECT (SELECT ?)",
    "SELECT id FROM k WHERE i = ? ORDER BY id",
    "SELECT id FROM k WHERE v = ? ORDER BY id",
    "SELECT id FROM k WHERE de < ? ORDER BY id",
    "SELECT id FROM k WHERE ts >= ? ORDER BY id",
    "SELECT id FROM q WHERE de / ? > 0.1 ORDER BY id",
];

/// More of the same types: with other digits, lengths and ranges.
fn parameters() -> Vec<(&'static str, Value)> {
    let text = |s: &str| Value::Bytes(s.as_bytes().to_vec());
    let mut list = columns::parameters();
    list.extend([
        ("double huge", Value::Double(1.5e100)),
        ("double third", Value::Double(1.0 / 3.0)),
        ("float third", Value::Float(1.0 / 3.0)),
        ("text long", text("a rather long text, longer than the others")),
        ("text wide", text("größe 日本")),
        ("datetime whole", Value::Date(2001, 1, 1, 10, 0, 0, 0)),
        ("time micros", Value::Time(false, 0, 10, 0, 0, 5)),
    ]);
    list
}

/// What differs and may, by a part of what is told: the place, the difference, the reason.
const EXCUSES: &[(&str, &str, &str)] = &[
    ("SELECT ? + 1", "8385960", "MariaDB loses the sign of a negative TIME"),
    ("SELECT ? + 1", "in '? + 1'", "the message names the parameter, not its value"),
    ("SELECT -?", "\"-0\"", "a negative zero in the binary protocol"),
    ("SELECT -?", " 22 39 ", "MariaDB keeps the digits of the parameter before"),
    ("SELECT -?", "1.0000000000", "the same"),
    ("SELECT ? UNION", "10:00:00.000005", "MariaDB loses the microseconds"),
    (
        "SELECT * FROM (SELECT ? AS a) x",
        "MYSQL_TYPE_STRING 0 0",
        "an empty text is CHAR(0) in MariaDB's table",
    ),
    ("SELECT * FROM (SELECT ? AS a) x", "MYSQL_TYPE_TIME 23", "announced as the parameter is"),
    ("SELECT * FROM (SELECT ? AS a) x", "MYSQL_TYPE_DATETIME 19", "the same"),
];

/// The answers agree, or Isambard answers as MariaDB does to the same statement prepared anew: what MariaDB remembers of
/// earlier parameters is no part of the statement.
fn agree(both: &mut Both, sql: &str, value: &Value, round: usize) -> bool {
    let values = std::slice::from_ref(value);
    if both.differences(sql, Some(values), Order::Loose).is_empty() {
        return true;
    }
    let without = |mut a: Answer| {
        a.warnings.clear();
        (a.rows, a.types, a.error)
    };
    let anew = format!("{sql} /* {round} */");
    let ours = without(ask_with(&mut both.ours, sql, Some(values)));
    let theirs = without(ask_with(&mut both.theirs, &anew, Some(values)));
    ours == theirs
}

#[test]
fn parameters_bound_anew_agree() {
    if !oracle_present() {
        return;
    }
    let mut both = Both::start();
    both.fill();
    let parameters = parameters();
    let mut rng = fastrand::Rng::with_seed(1);
    for sql in PLACES {
        let mut before = "";
        for round in 0..60 {
            let (name, value) = &parameters[rng.usize(..parameters.len())];
            let place = Place { template: sql, of: [before, name], order: Order::Loose };
            if !agree(&mut both, sql, value, round) {
                both.compare(place, sql, Some(std::slice::from_ref(value)));
            }
            before = name;
        }
    }
    both.wrong.retain(|w| !EXCUSES.iter().any(|(place, part, _)| w.starts_with(place) && w.contains(part)));
    both.report();
}
