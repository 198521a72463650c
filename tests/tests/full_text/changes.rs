//! Random statements that change a table of documents.

use crate::corpus::Corpus;
use crate::questions::quoted;
use fastrand::Rng;

/// Draws changes.
pub struct Changes<'c> {
    corpus: &'c Corpus,
    /// The next id that no document has had.
    new: usize,
}

impl<'c> Changes<'c> {
    pub fn new(corpus: &'c Corpus) -> Changes<'c> {
        Changes { corpus, new: corpus.documents.len() + 1 }
    }

    /// A text: of pieces of documents and some words, frequent ones and ones of its own.
    fn text(&self, rng: &mut Rng) -> String {
        let mut text = String::new();
        for _ in 0..rng.usize(0..4) {
            text += &self.corpus.piece(rng, 300);
            for _ in 0..rng.usize(0..6) {
                text = text + " " + self.corpus.word(rng, 0.0);
            }
        }
        if rng.u8(0..10) == 0 {
            text += &format!(" new{} zz{}", rng.u32(..500), self.new);
        }
        text
    }

    /// A value for the texts, most of the time one.
    fn value(&self, rng: &mut Rng) -> String {
        match rng.u8(0..25) {
            0 => "NULL".to_owned(),
            1 => "''".to_owned(),
            _ => quoted(&self.text(rng)),
        }
    }

    fn head(&self, rng: &mut Rng) -> String {
        match rng.u8(0..15) {
            0 => "NULL".to_owned(),
            _ => quoted(&self.corpus.phrase(rng, 3, false).join(" ").chars().take(150).collect::<String>()),
        }
    }

    fn row(&self, rng: &mut Rng, id: usize) -> String {
        format!("({id}, {}, {})", self.head(rng), self.value(rng))
    }

    fn fresh(&mut self, rng: &mut Rng) -> String {
        self.new += 1;
        self.row(rng, self.new - 1)
    }

    /// The next statement.
    pub fn next(&mut self, rng: &mut Rng) -> String {
        let id = rng.usize(1..self.new);
        match rng.u8(0..40) {
            0..=8 => format!("INSERT INTO t VALUES {}", self.fresh(rng)),
            9..=10 => {
                let rows: Vec<String> = (0..rng.usize(2..8)).map(|_| self.fresh(rng)).collect();
                format!("INSERT INTO t VALUES {}", rows.join(", "))
            }
            // The row may be there.
            11..=12 => format!("INSERT IGNORE INTO t VALUES {}", self.row(rng, id)),
            13 => format!("INSERT INTO t VALUES {}", self.row(rng, id)),
            14 => {
                let row = self.row(rng, id);
                format!(
                    "INSERT INTO t VALUES {row} ON DUPLICATE KEY UPDATE body = CONCAT(body, ' again ', VALUES(body))"
                )
            }
            15..=17 => format!("REPLACE INTO t VALUES {}", self.row(rng, id)),
            18..=22 => format!("UPDATE t SET body = {} WHERE id = {id}", self.value(rng)),
            23..=24 => format!("UPDATE t SET word = {} WHERE id = {id}", self.head(rng)),
            25 => {
                format!("UPDATE t SET word = {}, body = {} WHERE id = {id}", self.head(rng), self.value(rng))
            }
            26..=27 => {
                let word = self.corpus.word(rng, 0.0);
                format!(
                    "UPDATE t SET body = CONCAT(body, ' ', {}) WHERE id BETWEEN {id} AND {id} + 3",
                    quoted(word)
                )
            }
            28 => format!("UPDATE t SET body = UPPER(body) WHERE id = {id}"),
            29 => format!(
                "UPDATE t SET body = REPLACE(body, {}, '') WHERE id = {id}",
                quoted(self.corpus.word(rng, 0.0))
            ),
            30 => format!("UPDATE t SET body = word, word = LEFT(body, 150) WHERE id = {id}"),
            31 => format!("UPDATE IGNORE t SET id = {} WHERE id = {id}", rng.usize(1..self.new)),
            32 => format!("UPDATE t SET body = body, word = word WHERE id = {id}"),
            33 => format!("DELETE FROM t WHERE id BETWEEN {id} AND {id} + 4"),
            _ => format!("DELETE FROM t WHERE id = {id}"),
        }
    }
}
