//! Statements that change rows.

use super::{Column, Generator, Statement, exact};
use std::fmt::Write as _;

impl Generator {
    pub(super) fn insert(&mut self) -> String {
        let t = self.table();
        let all = self.rng.bool();
        let columns: Vec<Column> = if all {
            t.columns.clone()
        } else {
            t.columns
                .iter()
                .filter(|c| c.name == "id" && !t.auto || self.rng.u8(0..4) != 0)
                .cloned()
                .collect()
        };
        if columns.is_empty() {
            return format!("INSERT INTO {} () VALUES ()", t.name);
        }
        let verb = match self.rng.u8(0..10) {
            0 | 1 => "INSERT IGNORE INTO",
            2 => "REPLACE INTO",
            _ => "INSERT INTO",
        };
        let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
        let mut sql = format!(
            "{verb} {}{} ",
            t.name,
            if all { String::new() } else { format!(" ({})", names.join(", ")) }
        );
        let from = self.table();
        if self.rng.u8(0..15) == 0 && (self.plain || from.name != t.name) {
            let picks: Vec<String> = columns
                .iter()
                .map(|c| {
                    let fit = from.columns.iter().find(|f| f.kind == c.kind && c.name != "id");
                    match fit {
                        Some(f) if c.nullable || !f.nullable => f.name.clone(),
                        _ => self.literal(c.kind, c.nullable),
                    }
                })
                .collect();
            let _ = write!(
                sql,
                "SELECT {} FROM {} ORDER BY {} LIMIT {}",
                picks.join(", "),
                from.name,
                from.total_order(),
                self.rng.u8(0..5)
            );
            return sql;
        }
        let mut rows = Vec::new();
        for _ in 0..*[1usize, 1, 1, 2, 3, 10].get(self.rng.usize(0..6)).unwrap_or(&1) {
            let values: Vec<String> = columns
                .iter()
                .map(|c| match self.rng.u8(0..60) {
                    0 => "DEFAULT".into(),
                    1 => self.odd_literal(c.kind),
                    2 if c.kind.number() => format!("{}+{}", self.literal(c.kind, false), self.rng.u8(0..5)),
                    3 if c.name == "id" && t.auto => "NULL".into(),
                    _ if c.name == "id" && (!t.auto || self.rng.bool()) => self.rng.i32(1..400).to_string(),
                    _ if c.name == "id" => "0".into(),
                    _ => self.literal(c.kind, c.nullable),
                })
                .collect();
            rows.push(format!("({})", values.join(", ")));
        }
        let _ = write!(sql, "VALUES {}", rows.join(", "));
        if verb == "INSERT INTO" && self.rng.u8(0..8) == 0 {
            let c = columns[self.rng.usize(0..columns.len())].clone();
            let v = if c.name == "id" && t.auto {
                // not negative: see the rows of a query
                self.rng.u16(1..400).to_string()
            } else if c.kind.number() && self.rng.bool() {
                format!("{} + 1", c.name)
            } else if self.rng.bool() {
                format!("VALUES({})", c.name)
            } else {
                self.literal(c.kind, c.nullable)
            };
            let _ = write!(sql, " ON DUPLICATE KEY UPDATE {} = {v}", c.name);
        }
        sql
    }

    pub(super) fn update(&mut self) -> Statement {
        let t = self.table();
        let c = t.columns[self.rng.usize(0..t.columns.len())].clone();
        let value = match self.rng.u8(0..8) {
            0 if c.kind.number() => format!("{} * 2", c.name),
            1 if c.kind.number() => format!("{} - 1", c.name),
            2 if c.kind.text() => format!("concat({}, 'x')", c.name),
            3 => self.odd_literal(c.kind),
            _ => self.literal(c.kind, c.nullable),
        };
        // which rows are changed before a failure depends on the order of the visit: one row then
        let id = self.rng.i32(0..400);
        let cond = if self.rng.u8(0..3) == 0
            && !value.contains(['*', '-', 'x', '/'])
            && c.name != "id"
            && !value.starts_with('\'')
        {
            self.condition(&t, "")
        } else {
            format!(" WHERE id = {id}")
        };
        let order: Vec<&str> = t.columns.iter().map(|c| c.name.as_str()).collect();
        let ignore = if self.rng.u8(0..6) == 0 { "IGNORE " } else { "" };
        exact(format!(
            "UPDATE {ignore}{} SET {} = {value}{cond} ORDER BY {}",
            t.name,
            c.name,
            order.join(", ")
        ))
    }

    pub(super) fn delete(&mut self) -> Statement {
        let t = self.table();
        let order: Vec<&str> = t.columns.iter().map(|c| c.name.as_str()).collect();
        let cond = self.condition(&t, "");
        exact(if self.rng.bool() {
            format!("DELETE FROM {}{cond} ORDER BY {} LIMIT {}", t.name, t.total_order(), self.rng.u8(0..9))
        } else {
            let p = self.predicate(&t, "", 1);
            // MariaDB's DELETE by a range of a key that it changes misses rows where texts are equal and stored
            // unlike ('' and ' '): CREATE TABLE t (id INT, c INT, s VARCHAR(12), KEY (s), KEY (id)) with both texts
            // mixed; SELECT WHERE s <=> ' ' finds two rows of which DELETE takes one. Sorted rows are found first.
            let texts = t.columns.iter().any(|c| c.kind.text() && p.contains(&c.name));
            let sorted = if texts { format!(" ORDER BY {}", order.join(", ")) } else { String::new() };
            format!("DELETE FROM {} WHERE ({p}) AND id % 3 = 0{sorted}", t.name)
        })
    }
}
