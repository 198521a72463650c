//! MariaDB's answers to the queries of `vectors/`, found in memory. Only statements of one MATCH are read here; the others belong
//! to those who know SQL.

use std::collections::HashMap;

use charset::{Charset, Collation};
use fulltext::boolean::{Query, Search};
use fulltext::memory::MemoryIndex;
use fulltext::{Natural, Rules, Syntax, ranked};

type Row = (u64, Vec<Option<Vec<u8>>>);

struct Table {
    collation: &'static Collation,
    columns: Vec<String>,
    rows: Vec<Row>,
    keys: Vec<Vec<usize>>,
}

/// Splits a literal off: its text, and what follows.
fn literal(s: &str) -> (String, &str) {
    let mut text = String::new();
    let mut rest = s.strip_prefix('\'').expect("a literal");
    loop {
        let (before, after) = rest.split_once('\'').expect("an end of the literal");
        text.push_str(before);
        match after.strip_prefix('\'') {
            Some(more) => {
                text.push('\'');
                rest = more;
            }
            None => return (text, after),
        }
    }
}

fn converted(charset: &'static Charset, text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    Charset::by_name("utf8mb4").unwrap().convert(text.as_bytes(), charset, &mut out);
    out
}

fn tables() -> HashMap<String, Table> {
    let schema = include_str!("vectors/schema.sql");
    let mut tables: HashMap<String, Table> = HashMap::new();
    let schema: String = schema.lines().filter(|l| !l.starts_with("--")).collect::<Vec<_>>().join("\n");
    let mut rest = schema.as_str();
    while let Some(at) = rest.find("CREATE TABLE ") {
        rest = &rest[at + 13..];
        if rest.starts_with("IF NOT") {
            break;
        }
        let (name, after) = rest.split_once(" (").unwrap();
        let (body, after) = after.split_once("\n)").unwrap();
        let (options, after) = after.split_once(';').unwrap();
        let collation = Collation::by_name(options.rsplit('=').next().unwrap()).unwrap();
        let lines = body.lines().map(str::trim).filter(|l| !l.is_empty());
        let (keys, columns): (Vec<&str>, Vec<&str>) = lines.partition(|l| l.starts_with("FULLTEXT"));
        let columns: Vec<String> = columns.iter().map(|l| l.split(' ').next().unwrap().to_owned()).collect();
        let key = |l: &&str| {
            let (_, parts) = l.trim_end_matches(',').rsplit_once('(').unwrap();
            let parts = parts.trim_end_matches(')').split(", ");
            parts.map(|p| columns.iter().position(|c| c == p).unwrap()).collect()
        };
        let keys = keys.iter().map(key).collect();
        let mut rows = Vec::new();
        rest = after.split_once("VALUES").unwrap().1;
        while let Some(row) = rest.trim_start().strip_prefix('(') {
            let (id, mut values) = row.split_once(',').unwrap();
            let id: u64 = id.parse().unwrap();
            let mut row = vec![Some(id.to_string().into_bytes())];
            loop {
                if let Some(after) = values.strip_prefix("NULL") {
                    row.push(None);
                    values = after;
                } else if values.starts_with('\'') {
                    let (text, after) = literal(values);
                    row.push(Some(converted(collation.charset, &text)));
                    values = after;
                } else {
                    let end = values.find([',', ')']).unwrap();
                    row.push(Some(values[..end].into()));
                    values = &values[end..];
                }
                let (end, after) = values.split_at(1);
                values = after;
                if end == ")" {
                    break;
                }
            }
            rows.push((id, row));
            rest = &values[1..];
        }
        tables.insert(name.to_owned(), Table { collation, columns, rows, keys });
    }
    let plain = &tables["plain"];
    let plainft = Table {
        collation: plain.collation,
        columns: plain.columns.clone(),
        rows: plain.rows.clone(),
        keys: vec![vec![1, 2]],
    };
    tables.insert("plainft".to_owned(), plainft);
    tables
}

#[derive(PartialEq)]
enum Mode {
    Natural,
    Expansion,
    Boolean,
}

struct Match {
    columns: Vec<String>,
    query: String,
    mode: Mode,
}

/// `MATCH(..) AGAINST('..' ...)` and what follows.
fn parse_match(s: &str) -> Option<(Match, &str)> {
    let (columns, rest) = s.strip_prefix("MATCH(")?.split_once(") AGAINST(")?;
    if !rest.starts_with('\'') {
        return None;
    }
    let (query, rest) = literal(rest);
    let (mode, rest) = rest.split_once(')')?;
    let mode = match mode.trim() {
        "" => Mode::Natural,
        "WITH QUERY EXPANSION" => Mode::Expansion,
        "IN BOOLEAN MODE" => Mode::Boolean,
        _ => return None,
    };
    Some((Match { columns: columns.split(',').map(str::to_owned).collect(), query, mode }, rest))
}

/// Columns of a row, from the last to the first of the key.
fn texts<'r>(row: &'r Row, key: &[usize]) -> Vec<&'r [u8]> {
    key.iter().rev().filter_map(|&c| row.1[c].as_deref()).collect()
}

fn answer(table: &Table, m: &Match, all: bool) -> Vec<(u64, f32)> {
    let rules = Rules::default();
    let never = || false;
    let query = converted(table.collation.charset, &m.query);
    let columns: Vec<usize> =
        m.columns.iter().map(|c| table.columns.iter().position(|x| x == c).unwrap()).collect();
    let same = |key: &&Vec<usize>| {
        let mut a = (*key).clone();
        let mut b = columns.clone();
        a.sort_unstable();
        b.sort_unstable();
        a == b
    };
    let key = table.keys.iter().find(same);
    let by_row = |query: &mut Query| {
        let score = |row: &Row| match key {
            Some(key) => query.score(&texts(row, key), &never).unwrap(),
            None => {
                let values = columns.iter().filter_map(|&c| row.1[c].as_deref());
                query.score(&[&values.collect::<Vec<_>>().join(&b' ')], &never).unwrap()
            }
        };
        table.rows.iter().map(|row| row.0).zip(table.rows.iter().map(score)).collect::<Vec<_>>()
    };
    if m.mode == Mode::Boolean && (all || key.is_none()) {
        let mut scores = by_row(&mut Query::new(table.collation, &rules, &Syntax::default(), &query));
        scores.retain(|s| all || s.1 > 0.0);
        return scores;
    }
    let key = key.expect("a key");
    let rows = table.rows.iter().map(|row| (row.0, texts(row, key)));
    let index = &MemoryIndex::new(table.collation, &rules, rows);
    let read = |row: u64, f: &mut dyn FnMut(&[u8])| {
        let row = table.rows.iter().find(|r| r.0 == row).expect("a row");
        texts(row, key).into_iter().for_each(f);
        Ok(())
    };
    if m.mode == Mode::Boolean {
        let query = Query::new(table.collation, &rules, &Syntax::default(), &query);
        let mut search = Search::new(query, &index, &never).unwrap();
        let mut found = Vec::new();
        while let Some(row) = search.next(&index, &mut { read }, &never).unwrap() {
            found.push(row);
        }
        return found;
    }
    let natural = Natural { collation: table.collation, rules: &rules, query: &query };
    let mut hits = natural.search(&index, &never).unwrap();
    if m.mode == Mode::Expansion {
        hits = natural.expand(&index, &hits, 20, &mut { read }, &never).unwrap();
    }
    if all {
        let score = |id: u64| hits.iter().find(|h| h.row == id).map_or(0.0, |h| h.score());
        return table.rows.iter().map(|row| (row.0, score(row.0))).collect();
    }
    ranked(&mut hits);
    hits.iter().map(|h| (h.row, h.score())).filter(|h| h.1 > 0.0).collect()
}

#[test]
fn mariadbs_answers() {
    let expected = include_str!("vectors/expected.tsv");
    let mut expected_of: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut label = "";
    for line in expected.lines() {
        if line.starts_with("## ") {
            label = line;
        } else {
            expected_of.entry(label).or_default().push(line);
        }
    }
    let tables = tables();
    let (mut compared, mut left, mut wrong) = (0, Vec::new(), Vec::new());
    let mut group: Vec<&str> = Vec::new();
    let mut run = |label: &str, statements: &[&str]| {
        let [statement] = statements else {
            left.push(label.to_owned());
            return;
        };
        let parsed = (|| {
            let (m, rest) = parse_match(statement.strip_prefix("SELECT id, ")?)?;
            let (table, rest) = rest.strip_prefix(" FROM ")?.split_once(' ')?;
            if rest == "ORDER BY id;" {
                return Some((m, table, true));
            }
            let (again, rest) = parse_match(rest.strip_prefix("WHERE ")?)?;
            let same = again.columns == m.columns && again.query == m.query && again.mode == m.mode;
            (same && rest == ";").then_some((m, table, false))
        })();
        let Some((m, table, all)) = parsed else {
            left.push(label.to_owned());
            return;
        };
        let got = answer(&tables[table], &m, all);
        let got: Vec<String> = got.iter().map(|(id, score)| format!("{id}\t{}", f64::from(*score))).collect();
        let want = expected_of.get(label).cloned().unwrap_or_default();
        compared += 1;
        if got != want {
            wrong.push(format!("{label}\n  {statement}\n  got {got:?}\n  not {want:?}"));
        }
    };
    let mut label = "";
    for line in include_str!("vectors/queries.sql").lines().chain(["SELECT '## ';"]) {
        if let Some(next) = line.strip_prefix("SELECT '## ") {
            if !label.is_empty() {
                run(label, &group);
            }
            label = expected
                .lines()
                .find(|l| {
                    l.strip_prefix("## ") == Some(next.trim_end_matches("';").replace("''", "'").as_str())
                })
                .unwrap_or("");
            group.clear();
        } else if !line.starts_with("--") {
            group.push(line);
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared >= 120, "compared {compared}, left {left:#?}");
}
