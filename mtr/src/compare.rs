//! Two records of a test, statement by statement, and why statements differ.

use std::collections::HashMap;
use std::collections::HashSet;

use crate::record::{End, Record, Statement};
use crate::suite::find;

/// A statement that answered something else.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The statement as MariaDB was asked it.
    pub text: String,
    /// MariaDB's answer.
    pub expected: String,
    /// Isambard's; nothing when the statement was not reached.
    pub found: Option<String>,
    /// Why.
    pub cause: String,
    /// It follows from an earlier difference.
    pub follows: bool,
}

/// The statements of a test that are equal and those that are not.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// How many MariaDB answered.
    pub total: usize,
    /// How many Isambard answered the same.
    pub equal: usize,
    /// The others.
    pub differences: Vec<Difference>,
}

/// Compares Isambard's record with MariaDB's.
pub fn compare(expected: &Record, found: &Record) -> Comparison {
    let (a, b) = (&expected.statements, &found.statements);
    let mut out = Comparison { total: a.len(), ..Comparison::default() };
    if found.end == End::Passed {
        // the whole record is equal, whatever numbers of connections its statements name
        return Comparison { equal: a.len(), ..out };
    }
    let mut tainted: HashMap<String, String> = HashMap::new();
    for (i, j) in align(a, b) {
        let own = j.map(|j| &b[j]);
        if own.is_some_and(|s| s.answer == a[i].answer) {
            out.equal += 1;
            for name in names_made(&a[i].text) {
                tainted.remove(&name);
            }
            continue;
        }
        out.differences.push(difference(&a[i], own, &mut tainted));
    }
    out
}

fn difference(
    expected: &Statement,
    found: Option<&Statement>,
    tainted: &mut HashMap<String, String>,
) -> Difference {
    let lossy = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    let text = lossy(&expected.text);
    let (want, have) = (lossy(&expected.answer), found.map(|s| lossy(&s.answer)));
    let (mut cause, missing) = match &have {
        None => ("not reached (the test ended or took another branch)".to_owned(), false),
        Some(have) => cause_of(&text, &want, have),
    };
    let mut follows = false;
    if have.is_some() && !missing {
        let source = words(&text).find_map(|w| tainted.get(&w).cloned());
        if let Some(source) = source {
            (cause, follows) = (source, true);
        } else if error_of(have.as_deref().unwrap_or_default())
            .is_some_and(|e| ["1146", "1305", "1243", "1049", "1051", "1050"].contains(&&*e.number))
            && error_of(&want).is_none()
        {
            (cause, follows) = ("follows from an earlier failure".to_owned(), true);
        }
    }
    let first = first_word(&text);
    if have.is_some() && !["SELECT", "SHOW", "EXPLAIN", "DESCRIBE", "DESC", "ANALYZE"].contains(&&*first) {
        for name in names_made(&expected.text) {
            tainted.insert(name, cause.clone());
        }
    }
    Difference { text, expected: want, found: have, cause, follows }
}

/// Pairs every statement of `a` with its like in `b`, if that was reached.
fn align(a: &[Statement], b: &[Statement]) -> Vec<(usize, Option<usize>)> {
    const FAR: usize = 60;
    let same = |i: usize, j: usize| a.get(i).zip(b.get(j)).is_some_and(|(x, y)| x.text == y.text);
    let mut pairs = Vec::with_capacity(a.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() {
        if same(i, j) {
            pairs.push((i, Some(j)));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let near = (1..FAR).find_map(|d| {
            let fits = |x: usize| same(i + x, j + d - x) && (d <= 3 || same(i + x + 1, j + d - x + 1));
            (0..=d).find(|x| fits(*x)).map(|x| (x, d - x))
        });
        match near {
            Some((left, right)) => {
                pairs.extend((i..i + left).map(|n| (n, None)));
                (i, j) = (i + left, j + right);
            }
            None => {
                // the same statement with another value in it
                let like = b.get(j).is_some_and(|y| {
                    let n = 12.min(y.text.len()).min(a[i].text.len());
                    n > 0 && y.text[..n] == a[i].text[..n]
                });
                pairs.push((i, like.then_some(j)));
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    pairs
}

struct Failure {
    number: String,
    message: String,
}

/// The error that a recorded answer tells of.
fn error_of(answer: &str) -> Option<Failure> {
    // an error that the test does not expect
    if let Some(at) = answer.find(" failed") {
        let rest = &answer[at..];
        if let Some(open) = rest.find(" (")
            && let Some(close) = rest[open..].find("): ")
        {
            let number = rest[open + 2..open + close].to_owned();
            if number.bytes().all(|b| b.is_ascii_digit()) {
                let told = rest[open + close + 3..].trim();
                let told = told.split_once("', instead of").map_or(told, |(m, _)| m);
                let message = told.strip_prefix('\'').unwrap_or(told).to_owned();
                return Some(Failure { number, message });
            }
        }
    }
    // one that it expects
    for line in answer.lines() {
        if let Some(rest) = line.strip_prefix("ERROR ")
            && let Some((state, message)) = rest.split_once(": ")
            && state.len() == 5
        {
            return Some(Failure { number: state.to_owned(), message: message.to_owned() });
        }
    }
    answer
        .contains("Got one of the listed errors")
        .then(|| Failure { number: "listed".into(), message: String::new() })
}

/// Why an answer differs, and whether a missing feature is named in it.
fn cause_of(text: &str, want: &str, have: &str) -> (String, bool) {
    let lower = text.to_lowercase();
    let (expected, found) = (error_of(want), error_of(have));
    if lower.contains("seq_") && lower.contains("_to_") {
        return ("SEQUENCE engine (seq_1_to_N)".into(), true);
    }
    if let Some(e) = &found
        && let Some(feature) = missing_feature(e, &lower)
    {
        return (feature, true);
    }
    if have.contains("1266\tUsing storage engine MyISAM") && !want.contains("1266") {
        return (format!("ENGINE={}", engine_of(&lower)), true);
    }
    let told = match (&expected, &found) {
        (None, Some(e)) => Some(format!("error {} where MariaDB has none", e.number)),
        (Some(_), None) => Some("MariaDB refuses, Isambard does not".into()),
        // of expected errors only the state is recorded, of others the number
        (Some(a), Some(b)) if a.number != b.number => Some("other error number".into()),
        (Some(a), Some(b)) if a.message != b.message => Some("error text differs".into()),
        _ => None,
    };
    if let Some(told) = told {
        return (told, false);
    }
    kind_of_difference(&lower, want, have)
}

fn kind_of_difference(lower: &str, want: &str, have: &str) -> (String, bool) {
    let plan = |a: &str| a.contains("\ttype\tpossible_keys");
    let json = lower.contains("format=json") || want.contains("\"query_block\"");
    let first = first_word(lower);
    if json && (first == "EXPLAIN" || first == "ANALYZE" || first == "DESCRIBE") {
        return ("EXPLAIN/ANALYZE FORMAT=JSON".into(), true);
    }
    if plan(want) || first == "EXPLAIN" {
        if want.contains("\tr_rows\t") {
            return ("ANALYZE of a statement (r_rows)".into(), true);
        }
        if want.contains("\tfiltered\t") {
            return ("EXPLAIN EXTENDED (filtered, note 1003)".into(), true);
        }
        return ("EXPLAIN: another plan or Extra".into(), false);
    }
    let cause = if without_warnings(want) == without_warnings(have) {
        "warnings differ"
    } else if lower.trim_start().starts_with("show warnings") || lower.trim_start().starts_with("show errors")
    {
        "SHOW WARNINGS differs"
    } else if first == "SHOW" && lower.contains("status") {
        "SHOW STATUS counters"
    } else if first == "SHOW" && lower.contains("create table") {
        "SHOW CREATE TABLE differs"
    } else if first == "SHOW" {
        "SHOW ... differs"
    } else if lower.contains("information_schema") {
        "information_schema contents"
    } else if sorted(want) == sorted(have) {
        "row order without (full) ORDER BY"
    } else {
        "RESULT DIFFERS"
    };
    (cause.into(), false)
}

fn sorted(answer: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = answer.lines().collect();
    lines.sort_unstable();
    lines
}

/// An answer up to its warnings, which stand last.
fn without_warnings(answer: &str) -> &str {
    answer.find("\nWarnings:\n").map_or(answer, |at| &answer[..=at])
}

/// The name of the missing feature that an error of Isambard tells of.
fn missing_feature(e: &Failure, lower: &str) -> Option<String> {
    if let Some(feature) = between(&e.message, "doesn't yet support '", "'") {
        return Some(match feature {
            "ALTER VIEW" | "SHOW CREATE VIEW" | "CREATE VIEW" => "views".into(),
            "CREATE PROCEDURE" | "CREATE FUNCTION" | "BEGIN NOT ATOMIC" => "stored routines".into(),
            "CREATE TRIGGER" => "triggers".into(),
            "CREATE EVENT" | "ALTER EVENT" => "events".into(),
            f if f.contains("SPATIAL keys") => "writing to tables with SPATIAL keys".into(),
            "this statement" => {
                let two: Vec<&str> = lower.split_whitespace().take(2).collect();
                format!("statement not known: {}", two.join(" ").to_uppercase())
            }
            f => f.to_owned(),
        });
    }
    if e.message.contains("partition") {
        return Some("partitioning".into());
    }
    let quoted = || between(&e.message, "'", "'").unwrap_or_default().to_owned();
    match &*e.number {
        "1286" => Some(format!("storage engine {}", quoted())),
        "1109" => Some(format!("information_schema.{}", quoted().to_lowercase())),
        "1128" => Some(format!("function {}", quoted())),
        "1193" => Some(format!("system variable {}", quoted())),
        "1146" if lower.contains("mysql.") => Some("missing table of mysql".into()),
        "1064" => Some("syntax error (1064)".into()),
        "2013" => Some("lost connection".into()),
        "1305" if e.message.contains("FUNCTION") => {
            let name = between(&e.message, "FUNCTION ", " does").unwrap_or_default().to_uppercase();
            let name = name.rsplit('.').next().unwrap_or_default();
            Some(match name {
                n if n.starts_with("JSON") => "JSON functions".into(),
                n if n.starts_with("ST_") || n.starts_with("MBR") || n.ends_with("FROMTEXT") => {
                    "spatial functions".into()
                }
                n if n.starts_with("COLUMN_") => "dynamic columns".into(),
                "AES_ENCRYPT" | "AES_DECRYPT" | "DES_ENCRYPT" | "DES_DECRYPT" | "ENCODE" | "DECODE"
                | "ENCRYPT" | "OLD_PASSWORD" => "encryption functions".into(),
                "EXTRACTVALUE" | "UPDATEXML" => "XML functions".into(),
                n => format!("function {n}"),
            })
        }
        _ => None,
    }
}

fn engine_of(lower: &str) -> String {
    let after = lower.find("engine").map_or("", |at| &lower[at + 6..]);
    let name: String = after
        .trim_start_matches([' ', '=', '\'', '"', '`'])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect();
    if name.is_empty() { "(default_storage_engine)".into() } else { name.to_uppercase() }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let start = text.find(before)? + before.len();
    let end = text[start..].find(after)? + start;
    Some(&text[start..end])
}

fn first_word(text: &str) -> String {
    let mut text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
    while let Some(rest) = text.strip_prefix("/*") {
        let rest = rest.trim_start_matches(['!', 'M']).trim_start_matches(|c: char| c.is_ascii_digit());
        text = rest.trim_start();
    }
    text.chars().take_while(char::is_ascii_alphabetic).collect::<String>().to_uppercase()
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$' && c != '@')
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
}

/// The names a statement may have made, changed or removed.
fn names_made(text: &[u8]) -> HashSet<String> {
    const BEFORE: &[&str] = &[
        "table",
        "into",
        "update",
        "from",
        "view",
        "procedure",
        "function",
        "trigger",
        "on",
        "prepare",
        "exists",
        "ignore",
        "replace",
        "database",
        "schema",
        "sequence",
        "event",
        "index",
        "insert",
    ];
    const NONE: &[&str] = &[
        "if",
        "table",
        "set",
        "values",
        "select",
        "exists",
        "not",
        "ignore",
        "dual",
        "where",
        "from",
        "into",
        "temporary",
    ];
    if find(text, b" ").is_none() {
        return HashSet::new();
    }
    let text = String::from_utf8_lossy(text);
    let all: Vec<String> = words(&text).collect();
    let made = all.windows(2).filter(|w| BEFORE.contains(&&*w[0]) && !NONE.contains(&&*w[1]));
    let mut names: HashSet<String> = made.map(|w| w[1].clone()).collect();
    if all.first().is_some_and(|w| w == "set") {
        names.extend(all.iter().filter(|w| w.starts_with('@')).cloned());
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(list: &[(&str, &str)]) -> Record {
        let statements = list
            .iter()
            .map(|(t, a)| Statement { text: t.as_bytes().to_vec(), answer: a.as_bytes().to_vec() })
            .collect();
        Record { end: End::Differs, millis: 0, statements }
    }

    #[test]
    fn statements_are_paired_past_missing_ones() {
        let a = record(&[
            ("create view v as select 1", ""),
            ("select 1", "1"),
            ("select 2", "2"),
            ("select 3", "3"),
        ]);
        let b = record(&[("select 1", "1"), ("select 3", "4")]);
        let c = compare(&a, &b);
        assert_eq!((c.total, c.equal), (4, 1));
        let reached: Vec<bool> = c.differences.iter().map(|d| d.found.is_some()).collect();
        assert_eq!(reached, [false, false, true]);
        assert_eq!(c.differences[2].cause, "RESULT DIFFERS");
    }

    #[test]
    fn causes_are_named_once() {
        let refused = "mysqltest: At line 1: query 'x' failed: ER_NOT_SUPPORTED_YET (1235): This version of Isambard \
                       doesn't yet support 'CREATE VIEW'";
        let a =
            record(&[("create view v as select 1", ""), ("select * from v", "1\n1\n"), ("select 5", "5\n")]);
        let b = record(&[
            ("create view v as select 1", refused),
            ("select * from v", "mysqltest: At line 2: query 'y' failed: ER_NO_SUCH_TABLE (1146): no"),
            ("select 5", "ERROR 42000: no\n"),
        ]);
        let c = compare(&a, &b);
        let causes: Vec<(&str, bool)> = c.differences.iter().map(|d| (&*d.cause, d.follows)).collect();
        assert_eq!(
            causes,
            [("views", false), ("views", true), ("error 42000 where MariaDB has none", false)]
        );
    }
}
