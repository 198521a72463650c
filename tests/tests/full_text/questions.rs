//! Random searches: what stands in AGAINST, and the statements around it.

use crate::corpus::Corpus;
use fastrand::Rng;
use std::fmt::Write as _;

/// How the rows of two answers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// One by one.
    Rows,
    /// By their last column, in their order; which rows of equal scores come is each server's own affair.
    Scores,
}

/// A text as a literal.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Draws searches.
pub struct Questions<'c> {
    corpus: &'c Corpus,
    /// Ids are below.
    ids: usize,
    /// Words of this statement are not of the most frequent ones, which make every search a long one.
    rare: bool,
}

const MODES: [&str; 3] = [" IN BOOLEAN MODE", "", " WITH QUERY EXPANSION"];

impl<'c> Questions<'c> {
    pub fn new(corpus: &'c Corpus) -> Questions<'c> {
        Questions { corpus, ids: corpus.documents.len() + corpus.documents.len() / 10, rare: false }
    }

    fn drawn(&self, rng: &mut Rng) -> &str {
        self.corpus.word(rng, if self.rare { 0.35 } else { 0.0 })
    }

    /// A word of the documents, or what may be taken for one.
    fn word(&self, rng: &mut Rng) -> String {
        let word = self.drawn(rng).to_owned();
        match rng.u8(0..40) {
            0..=2 => word.to_uppercase(),
            3 => word.to_lowercase(),
            4 => {
                let accented = |c| match c {
                    'a' => 'á',
                    'e' => 'È',
                    'o' => 'ö',
                    's' => 'ß',
                    'n' => 'ñ',
                    c => c,
                };
                word.chars().map(accented).collect()
            }
            5 => format!("{word}zzq"),
            6 => rng.u32(..3000).to_string(),
            7 => format!("{word}'s"),
            8 => ["the", "Which", "don't", "VERY", "o'clock", "who", "théir"][rng.usize(..7)].to_owned(),
            9 => word.chars().take(rng.usize(if self.rare { 3 } else { 1 }..4)).collect(),
            10 => word.chars().cycle().take(rng.usize(80..90)).collect(),
            11 => format!("{word}_{}", self.drawn(rng)),
            12 => format!("{word}-{}", self.drawn(rng)),
            13 => ["日本", "😀", "²", "Ⅷ", "_", "____", "łódź", "naïve", "façade"][rng.usize(..9)].to_owned(),
            _ => word,
        }
    }

    fn natural(&self, rng: &mut Rng) -> String {
        match rng.u8(0..20) {
            0 => self.corpus.piece(rng, 400),
            1 => String::new(),
            n => {
                let words = if n < 4 { rng.usize(5..40) } else { rng.usize(1..6) };
                let mut text = String::new();
                let mut before = String::new();
                for _ in 0..words {
                    if before.is_empty() || rng.u8(0..10) > 0 {
                        before = self.word(rng);
                    }
                    text.push_str(&before);
                    text.push_str([" ", " ", " ", ", ", "\n", " +", "\"", "-", "."][rng.usize(..9)]);
                }
                text
            }
        }
    }

    fn boolean(&self, rng: &mut Rng, depth: usize, out: &mut String) {
        let items = if depth == 0 && rng.u8(0..30) == 0 { rng.usize(6..25) } else { rng.usize(1..5) };
        for _ in 0..items {
            let operators = [0, 1, 1, 1, 1, 2, 3][rng.usize(..7)];
            for _ in 0..operators {
                out.push_str(["+", "+", "+", "-", ">", "<", "~", " ", "@"][rng.usize(..9)]);
            }
            match rng.u8(0..20) {
                0..=3 if depth < 4 => {
                    out.push('(');
                    self.boolean(rng, depth + 1, out);
                    if rng.u8(0..30) > 0 {
                        out.push(')');
                    }
                }
                4..=6 => self.phrase(rng, out),
                7..=9 => {
                    let word = self.word(rng);
                    let letters = rng.usize(if self.rare { 4 } else { 2 }..8);
                    out.extend(word.chars().take(letters));
                    out.push('*');
                }
                _ => out.push_str(&self.word(rng)),
            }
            out.push_str([" ", " ", " ", " ", " ", " ", "", "\n", ",", ")", "*", "\""][rng.usize(..12)]);
        }
    }

    fn phrase(&self, rng: &mut Rng, out: &mut String) {
        out.push('"');
        for (n, word) in self.corpus.phrase(rng, 4, self.rare).iter().enumerate() {
            if n > 0 {
                out.push_str([" ", " ", " ", ", ", "  ", "-", "(", "+"][rng.usize(..8)]);
            }
            out.push_str(word);
            if rng.u8(0..40) == 0 {
                out.push('*');
            }
        }
        if rng.u8(0..15) == 0 {
            let _ = write!(out, " {}", self.word(rng));
        }
        if rng.u8(0..30) > 0 {
            out.push('"');
        }
        if rng.u8(0..30) == 0 {
            out.push_str(" @8");
        }
    }

    /// What stands in AGAINST, and the mode: `mode` 0 is boolean, 1 natural, 2 with expansion.
    fn against(&self, rng: &mut Rng, mode: usize) -> String {
        let mut text = String::new();
        match mode {
            0 => self.boolean(rng, 0, &mut text),
            1 => text = self.natural(rng),
            // A frequent word there makes MariaDB read most of the index.
            _ => text = (0..rng.usize(1..3)).map(|_| self.word(rng) + " ").collect(),
        }
        format!("{}{}", quoted(&text), MODES[mode])
    }

    /// A MATCH of table `t`.
    fn search(&self, rng: &mut Rng, t: &str) -> String {
        let mode = match rng.u8(0..100) {
            0..=54 => 0,
            55..=98 => 1,
            _ => 2,
        };
        let columns = [format!("{t}.word, {t}.body"), format!("{t}.body, {t}.word"), format!("{t}.body")];
        format!("MATCH ({}) AGAINST ({})", columns[rng.usize(..3)], self.against(rng, mode))
    }

    fn id(&self, rng: &mut Rng) -> usize {
        rng.usize(..self.ids)
    }

    /// A statement that searches, and how its answers are compared.
    pub fn next(&mut self, rng: &mut Rng) -> (String, Compared) {
        self.rare = rng.u8(0..12) > 0;
        let m = self.search(rng, "t");
        let id = self.id(rng);
        let few = rng.usize(1..40);
        let sql = match rng.u8(0..30) {
            0..=6 => format!("SELECT id, {m} FROM t WHERE {m} LIMIT 2000"),
            7..=10 => format!("SELECT COUNT(*) FROM t WHERE {m}"),
            11..=13 => format!("SELECT id, {m} AS s FROM t WHERE {m} ORDER BY s DESC, id LIMIT {few}"),
            14..=15 => {
                let sql = format!("SELECT id, {m} AS s FROM t WHERE {m} ORDER BY s DESC LIMIT {few}");
                return (sql, Compared::Scores);
            }
            16 => format!("SELECT id, {m} FROM t WHERE {m} LIMIT {few}, 10"),
            17..=18 => format!("SELECT id, {m} FROM t WHERE id BETWEEN {id} AND {id} + 300"),
            19 => {
                let least = ["0", "0.5", "1", "2.5", "8", "1e-5"][rng.usize(..6)];
                let than = [">", ">="][rng.usize(..2)];
                format!("SELECT id, {m} FROM t WHERE {m} {than} {least} LIMIT 2000")
            }
            20 => format!("SELECT id FROM t WHERE NOT {m} AND id BETWEEN {id} AND {id} + 300"),
            21 => {
                format!("SELECT id, {m} FROM t WHERE ({m} OR id % 7 = 0) AND id BETWEEN {id} AND {id} + 300")
            }
            22..=23 => {
                let other = self.search(rng, "t");
                format!("SELECT id, {m}, {other} FROM t WHERE {other} AND {m} LIMIT 2000")
            }
            24 => format!(
                "SELECT COUNT(*), SUM({m}), MAX({m}), MIN(id), MAX(id) FROM t WHERE {m} AND id > {id}"
            ),
            25 => format!("SELECT id % 7 AS g, COUNT(*), MAX({m}) FROM t WHERE {m} GROUP BY g ORDER BY g"),
            26 => {
                let m = self.search(rng, "a");
                // With ORDER BY a.id the score would be that of the row looked at again.
                format!("SELECT a.id, b.id, {m} FROM t a JOIN t b ON b.id = a.id + 1 WHERE {m} LIMIT 500")
            }
            27 => {
                let against = self.against(rng, 0);
                format!(
                    "SELECT id, MATCH (word) AGAINST ({against}) FROM t WHERE id BETWEEN {id} AND {id} + 300"
                )
            }
            28 => format!("SELECT id, {m} AS s FROM t WHERE id BETWEEN {id} AND {id} + 300 HAVING s > 0"),
            _ => format!("SELECT id FROM t WHERE id IN (SELECT id FROM t WHERE {m}) ORDER BY id LIMIT 500"),
        };
        (sql, Compared::Rows)
    }
}
