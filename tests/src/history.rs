//! Random statements that change one table of [`crate::tables`], the same on any server.
//!
//! Statements that may fail half way visit one row, or visit rows in the order written, so that two servers
//! keep the same rows.

use crate::literals::literal;
use crate::tables::Definition;
use fastrand::Rng;

/// A stream of statements on a table.
pub struct History {
    rng: Rng,
    definition: Definition,
    /// `rid`s are taken from here.
    range: u32,
    /// Only one row at a time may be updated.
    careful: bool,
}

impl History {
    /// The same seed gives the same statements; `rows` is about how many rows there will be at most.
    #[must_use]
    pub fn new(seed: u64, definition: Definition, rows: u32) -> History {
        let careful = definition.has_unique_values();
        History { rng: Rng::with_seed(seed), definition, range: rows.max(10), careful }
    }

    fn row(&mut self) -> String {
        let mut row = format!("({}", self.rng.u32(1..self.range));
        for ty in self.definition.columns {
            row.push_str(", ");
            row.push_str(&literal(&mut self.rng, ty));
        }
        row.push(')');
        row
    }

    fn rows(&mut self, most: usize) -> String {
        (0..self.rng.usize(1..=most)).map(|_| self.row()).collect::<Vec<_>>().join(", ")
    }

    /// Rows enough that MyISAM builds the keys of an empty table by sorting.
    pub fn many(&mut self, table: &str) -> String {
        let rows: Vec<String> = (0..250).map(|_| self.row()).collect();
        format!("INSERT IGNORE INTO {table} VALUES {}", rows.join(", "))
    }

    /// Assignments to some columns.
    fn assignments(&mut self) -> String {
        let columns = self.definition.columns;
        let mut set = Vec::new();
        for (i, ty) in columns.iter().enumerate() {
            if columns.len() < 3 || self.rng.u8(0..3) == 0 {
                set.push(format!("c{i} = {}", literal(&mut self.rng, ty)));
            }
        }
        if set.is_empty() {
            set.push(format!("rid = {}", self.rng.u32(1..self.range)));
        }
        set.join(", ")
    }

    /// Rows by their `rid`: one, or a few that lie together.
    fn some(&mut self) -> String {
        let at = self.rng.u32(1..self.range);
        let width = if self.rng.u8(0..4) == 0 { self.range / 40 } else { 0 };
        format!("rid BETWEEN {at} AND {}", at + width)
    }

    /// The next statement; `progress` from 0 to 1 tells how far the history is: rows come first and go last.
    pub fn next(&mut self, table: &str, progress: f32) -> String {
        let growing = [40, 25, 15][((progress * 3.0) as usize).min(2)];
        match self.rng.u32(0..100) {
            n if n < growing => match self.rng.u8(0..10) {
                0..=5 => format!("INSERT INTO {table} VALUES {}", self.row()),
                6..=7 => format!("INSERT INTO {table} VALUES {}", self.rows(12)),
                8 => format!("INSERT IGNORE INTO {table} VALUES {}", self.rows(6)),
                _ => format!("REPLACE INTO {table} VALUES {}", self.rows(3)),
            },
            n if n < growing + 5 && !self.definition.columns.is_empty() => {
                let (row, set) = (self.row(), self.assignments());
                format!("INSERT INTO {table} VALUES {row} ON DUPLICATE KEY UPDATE {set}")
            }
            n if n < 70 => {
                let set = self.assignments();
                let only = self.rng.u32(1..self.range);
                if self.careful || set.contains("rid =") {
                    // Several rows may have it, and lie in other places at each server.
                    let values: String =
                        (0..self.definition.columns.len()).map(|i| format!(", HEX(c{i})")).collect();
                    format!("UPDATE {table} SET {set} WHERE rid = {only} ORDER BY rid{values} LIMIT 1")
                } else {
                    format!("UPDATE {table} SET {set} WHERE {}", self.some())
                }
            }
            99 if self.rng.u32(0..60) == 0 => format!("DELETE FROM {table}"),
            98 if self.rng.u32(0..60) == 0 => format!("TRUNCATE TABLE {table}"),
            97 if self.rng.u32(0..30) == 0 => format!("ANALYZE TABLE {table}"),
            // Frequent words get trees of their own when a key is built.
            96 if self.definition.has_fulltext() => format!("REPAIR TABLE {table} QUICK"),
            _ => format!("DELETE FROM {table} WHERE {}", self.some()),
        }
    }
}
