//! Random texts and queries, answered here and by MariaDB: the same rows in the same order with the same scores. Skipped when MariaDB
//! is not installed.

#[path = "../../schema/tests/common/mariadb.rs"]
#[allow(dead_code)]
mod mariadb;

use std::fmt::Write as _;

use charset::{Charset, Collation};
use fulltext::boolean::{Query, Search};
use fulltext::memory::MemoryIndex;
use fulltext::{Hit, Natural, Rules, Syntax, ranked};
use mariadb::MariaDb;

/// A small generator of pseudo-random numbers (xorshift), so that runs can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) % n.max(1)
    }

    fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// The frequent ones first; spellings that are equal in some collations, beginnings of each other, stopwords and short words among them.
const WORDS: &[&str] = &[
    "alpha",
    "beta",
    "Alpha",
    "gamma",
    "alphabet",
    "delta",
    "BETA",
    "betas",
    "epsilon",
    "zeta",
    "naïve",
    "naive",
    "the",
    "very",
    "café",
    "cafe",
    "Cafés",
    "row",
    "theta",
    "straße",
    "strasse",
    "strase",
    "lambda",
    "kappa",
    "sigma",
    "omega",
    "o'neil",
    "x_y_z",
    "Ångström",
    "gammas",
    "deltas",
    "ab",
    "upsilon",
    "iota",
    "omicron",
    "under_score",
];

fn word(r: &mut Random) -> &'static str {
    let n = WORDS.len() as u64;
    WORDS[(r.below(n) * (1 + r.below(n)) / n) as usize]
}

fn text(r: &mut Random, most: u64) -> String {
    let mut text = String::new();
    for _ in 0..r.below(most) {
        text.push_str(word(r));
        text.push_str([" ", " ", ", ", "-", "\n", ". "][r.below(6) as usize]);
    }
    text
}

/// A random boolean query of some depth.
fn boolean(r: &mut Random, depth: u32, out: &mut String) {
    for _ in 0..=r.below(4) {
        out.push_str(["", "", "", "+", "+", "-", ">", "<", "~", "+>", "+<<", "-+"][r.below(12) as usize]);
        match r.below(10) {
            0 if depth > 0 => {
                out.push('(');
                boolean(r, depth - 1, out);
                out.push(')');
            }
            1 => {
                let _ = write!(out, "\"{} {}\"", word(r), word(r));
            }
            2 => {
                let whole = word(r);
                let cut = whole.char_indices().nth(2 + r.below(3) as usize).map_or(whole.len(), |(at, _)| at);
                let _ = write!(out, "{}*", &whole[..cut]);
            }
            _ => out.push_str(word(r)),
        }
        out.push_str([" ", " ", " ", "  ", ",", "\n"][r.below(6) as usize]);
    }
}

struct Rows {
    collation: &'static Collation,
    rules: Rules,
    /// Column a, which may be NULL, and column b, in the table's character set; row n is the n-th, from 1.
    rows: Vec<(Option<Vec<u8>>, Vec<u8>)>,
}

impl Rows {
    fn converted(&self, text: &str) -> Vec<u8> {
        let mut out = Vec::new();
        Charset::by_name("utf8mb4").unwrap().convert(text.as_bytes(), self.collation.charset, &mut out);
        out
    }

    /// Columns of a row from the last to the first.
    fn texts(&self, row: u64) -> Vec<&[u8]> {
        let (a, b) = &self.rows[row as usize - 1];
        std::iter::once(b.as_slice()).chain(a.as_deref()).collect()
    }

    fn all(&self) -> std::ops::RangeInclusive<u64> {
        1..=self.rows.len() as u64
    }

    /// Answers: as access path, of every row, and of every row without an index.
    fn natural(&self, index: &MemoryIndex, query: &str, expansion: bool) -> [Vec<(u64, f32)>; 2] {
        let query = &self.converted(query);
        let natural = Natural { collation: self.collation, rules: &self.rules, query };
        let never = || false;
        let mut hits = natural.search(&index, &never).unwrap();
        let mut sorted: Vec<Hit> = hits.iter().filter(|h| h.score() > 0.0).copied().collect();
        sorted.sort_by(|a, b| b.score().total_cmp(&a.score()).then(a.row.cmp(&b.row)));
        assert_eq!(natural.count(&index, &never).unwrap(), sorted.len() as u64);
        for most in [0, 1, 3, sorted.len()] {
            assert_eq!(natural.best(&index, most, &never).unwrap(), sorted[..most.min(sorted.len())]);
        }
        if expansion {
            let read = &mut |row: u64, f: &mut dyn FnMut(&[u8])| {
                self.texts(row).into_iter().for_each(f);
                Ok(())
            };
            hits = natural.expand(&index, &hits, 20, read, &never).unwrap();
        }
        let of = |row| hits.binary_search_by_key(&row, |h: &Hit| h.row).map_or(0.0, |at| hits[at].score());
        let every = self.all().map(|row| (row, of(row))).collect();
        ranked(&mut hits);
        [hits.iter().map(|h| (h.row, h.score())).filter(|h| h.1 > 0.0).collect(), every]
    }

    fn boolean(&self, index: &MemoryIndex, text: &str) -> [Vec<(u64, f32)>; 3] {
        let never = || false;
        let query = || Query::new(self.collation, &self.rules, &Syntax::default(), &self.converted(text));
        let read = &mut |row: u64, f: &mut dyn FnMut(&[u8])| {
            self.texts(row).into_iter().for_each(f);
            Ok(())
        };
        let (mut search, mut found) = (Search::new(query(), &index, &never).unwrap(), Vec::new());
        while let Some(row) = search.next(&index, read, &never).unwrap() {
            found.push(row);
        }
        let mut by_row = query();
        let every = self.all().map(|row| (row, by_row.score(&self.texts(row), &never).unwrap())).collect();
        let mut bare = query();
        let joined = |row: u64| {
            let (a, b) = &self.rows[row as usize - 1];
            let all: Vec<&[u8]> = a.as_deref().into_iter().chain([b.as_slice()]).collect();
            all.join(&b' ')
        };
        let without = self.all().map(|row| (row, bare.score(&[&joined(row)], &never).unwrap()));
        [found, every, without.filter(|s| s.1 > 0.0).collect()]
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}

fn run(db: &MariaDb, name: &str, rows: usize, queries: usize, seed: u64) {
    let mut r = Random(seed);
    let collation = Collation::by_name(name).unwrap();
    let mut table = Rows { collation, rules: Rules::default(), rows: Vec::new() };
    let set = collation.charset.name;
    let mut sql = format!(
        "SET NAMES utf8mb4; DROP TABLE IF EXISTS t, p; CREATE TABLE t (id int primary key, a varchar(500), b text, \
         FULLTEXT ab (a, b)) CHARSET {set} COLLATE {name}; CREATE TABLE p (id int primary key, a varchar(500), b text) \
         CHARSET {set} COLLATE {name};\n"
    );
    for id in 1..=rows {
        let (a, b) = ((!r.once_in(8)).then(|| text(&mut r, 6)), text(&mut r, 25));
        let shown = a.as_deref().map_or("NULL".to_owned(), quoted);
        let _ = writeln!(sql, "INSERT INTO t VALUES ({id}, {shown}, {});", quoted(&b));
        table.rows.push((a.map(|a| table.converted(&a)), table.converted(&b)));
    }
    sql.push_str("INSERT INTO p SELECT * FROM t ORDER BY id;\n");
    if seed.is_multiple_of(2) {
        // words with trees of their own
        sql.push_str("REPAIR TABLE t QUICK;\n");
    }
    db.sql(&sql);
    let index = &MemoryIndex::new(collation, &table.rules, table.all().map(|row| (row, table.texts(row))));
    let (mut sql, mut answers) = ("SET NAMES utf8mb4;\n".to_owned(), Vec::new());
    let mut ask = |table: &str, text: &str, mode: &str, filter: bool, answer: Vec<(u64, f32)>| {
        let score = format!("MATCH(a,b) AGAINST({} {mode})", quoted(text));
        let rest = if filter { format!("WHERE {score}") } else { "ORDER BY id".to_owned() };
        let _ = writeln!(sql, "SELECT '##'; SELECT id, {score} FROM {table} {rest};");
        answers.push((format!("{table} {rest} {score}"), answer));
    };
    for n in 0..queries {
        if n % 3 > 0 {
            let mut query = String::new();
            boolean(&mut r, 3, &mut query);
            let [found, every, without] = table.boolean(index, &query);
            ask("t", &query, "IN BOOLEAN MODE", true, found);
            ask("t", &query, "IN BOOLEAN MODE", false, every);
            ask("p", &query, "IN BOOLEAN MODE", true, without);
        } else {
            let (query, expansion) = (text(&mut r, 5), r.once_in(3));
            let [found, every] = table.natural(index, &query, expansion);
            let mode = if expansion { "WITH QUERY EXPANSION" } else { "" };
            ask("t", &query, mode, true, found);
            ask("t", &query, mode, false, every);
        }
    }
    let said = db.sql(&sql);
    let mut theirs = said.split("##\n").skip(1);
    for (what, answer) in &answers {
        let mut ours = String::new();
        for (row, score) in answer {
            let _ = writeln!(ours, "{row}\t{}", f64::from(*score));
        }
        let theirs = theirs.next().expect("an answer");
        assert_eq!(ours, number_form(theirs), "{name}, seed {seed}: {what}");
    }
}

/// MariaDB prints small and large numbers with an exponent.
fn number_form(answer: &str) -> String {
    let mut out = String::new();
    for line in answer.lines() {
        let (row, score) = line.split_once('\t').unwrap();
        let _ = writeln!(out, "{row}\t{}", score.parse::<f64>().unwrap());
    }
    out
}

#[test]
fn random_queries_find_what_mariadb_finds() {
    let db = match MariaDb::start("fulltext-queries") {
        Ok(db) => db,
        Err(why) => {
            eprintln!("skipped: {why}");
            return;
        }
    };
    let soak = std::env::var("ISAMBARD_SOAK").is_ok_and(|v| v == "1");
    let queries = if soak { 5000 } else { 100 };
    for (n, name) in ["latin1_swedish_ci", "utf8mb4_general_ci", "utf8mb4_bin", "utf8mb4_unicode_ci"]
        .into_iter()
        .enumerate()
    {
        run(&db, name, 300, queries, 31 + n as u64);
    }
}
