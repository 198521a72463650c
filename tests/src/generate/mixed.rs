//! Settings between executions, RETURNING, user variables row by row, names that are columns and aliases, BINARY.
//! Comparisons of unlike types are those of the type pairs' own test.

use super::kind::Kind;
use super::{Column, Generator, Statement, exact};
use crate::compare::Order;

impl Generator {
    pub(super) fn mixed(&mut self) -> Statement {
        match self.rng.u32(0..100) {
            0..=14 => self.setting(),
            15..=39 => self.returning(),
            40..=69 => self.user_variables(),
            70..=84 => self.aliased(),
            _ => self.binary(),
        }
    }

    fn column_of(&mut self, fits: impl Fn(Kind) -> bool) -> Option<(String, Column)> {
        let t = self.table();
        let all: Vec<&Column> = t.columns.iter().filter(|c| c.name != "id" && fits(c.kind)).collect();
        let c = (!all.is_empty()).then(|| all[self.rng.usize(0..all.len())].clone())?;
        Some((t.name, c))
    }

    /// What plans that are kept depend on. `character_set_results` waits for headings and messages that follow it,
    /// `group_concat_max_len` for the row numbers of warning 1260.
    fn setting(&mut self) -> Statement {
        let settings = [
            "div_precision_increment = 7",
            "div_precision_increment = 0",
            "div_precision_increment = DEFAULT",
            "time_zone = '+03:00'",
            "time_zone = DEFAULT",
        ];
        exact(format!("SET {}", settings[self.rng.usize(0..settings.len())]))
    }

    /// Not DELETE: one that finds no row gives no result set there.
    fn returning(&mut self) -> Statement {
        let t = self.table();
        let c = self.column(&t);
        let list = match self.rng.u8(0..4) {
            0 => "*".to_string(),
            1 => format!("id, {}", c.name),
            2 => format!("{} AS id, id + 1 AS n", c.name),
            _ => format!("id, (SELECT 7), {} IS NULL", c.name),
        };
        let id = self.rng.u16(1..400);
        let mut values = Vec::new();
        for c in &t.columns {
            values.push(if c.name == "id" { id.to_string() } else { self.literal(c.kind, c.nullable) });
        }
        let verb = ["REPLACE INTO", "INSERT IGNORE INTO"][self.rng.usize(0..2)];
        exact(format!("{verb} {} VALUES ({}) RETURNING {list}", t.name, values.join(", ")))
    }

    fn column(&mut self, t: &super::Table) -> Column {
        t.columns[self.rng.usize(0..t.columns.len())].clone()
    }

    fn user_variables(&mut self) -> Statement {
        let Some((t, c)) = self.column_of(|k| !matches!(k, Kind::Float | Kind::Double)) else {
            return exact("SET @u = 1, @s = ''".into());
        };
        let id = self.rng.u16(1..400);
        let name = &c.name;
        exact(match self.rng.u8(0..9) {
            0 => format!("SELECT @u := {name}, @u IS NULL FROM {t} WHERE id = {id} ORDER BY {name}"),
            1 => "SELECT @u, length(@u), concat(@u, '!'), @u IS NULL".into(),
            2 => format!("SELECT {name} INTO @u FROM {t} ORDER BY id, {name} LIMIT 1"),
            3 => format!("SET @s = 0; SELECT max(id) FROM {t}").replace("; ", ", @q = (") + ")",
            4 => "SELECT @s := coalesce(@s, 0) + 1, @s".into(),
            5 => format!("SELECT count(*) FROM {t} WHERE id <= @q"),
            // the text of an aggregate is kept with the character set of the value before, there
            6 => format!("SELECT @u := max(id) FROM {t}"),
            7 => format!("SELECT count(*), sum(@s := coalesce(@s, 0) + 1) FROM {t}"),
            _ => "SELECT @u <=> @u, nullif(@s, 3), ifnull(@u, 'none'), if(@s > 2, 'more', 'less')".into(),
        })
    }

    /// Aliases that are names of columns, too.
    fn aliased(&mut self) -> Statement {
        let Some((t, c)) = self.column_of(Kind::number) else {
            return exact("SELECT 1 AS a GROUP BY a HAVING a = 1 ORDER BY a".into());
        };
        let name = &c.name;
        Statement::new(
            match self.rng.u8(0..5) {
                0 => format!("SELECT min(id) AS {name}, count(*) FROM {t} GROUP BY {name}"),
                1 => format!("SELECT id % 3 AS {name}, count(*) AS n FROM {t} GROUP BY 1 HAVING {name} > 0"),
                2 => format!("SELECT {name} AS id, id AS {name} FROM {t} ORDER BY id, {name}"),
                3 => format!("SELECT id % 4 AS id, count(*) FROM {t} GROUP BY {t}.id % 4 ORDER BY id"),
                _ => format!("SELECT -id AS {name} FROM {t} HAVING {name} < -100"),
            },
            Order::Any,
        )
    }

    fn binary(&mut self) -> Statement {
        let text = |k: Kind| k.text() && !matches!(k, Kind::Enum | Kind::VarcharUcs2);
        let Some((t, c)) = self.column_of(text) else {
            return exact("SELECT BINARY 'a' = 'A', CAST('abc' AS BINARY(2)), hex(CAST('ä' AS CHAR))".into());
        };
        let name = &c.name;
        let v = self.literal(c.kind, false);
        Statement::new(
            match self.rng.u8(0..6) {
                0 => format!("SELECT id FROM {t} WHERE BINARY {name} = {v}"),
                1 => format!("SELECT id FROM {t} WHERE {name} = BINARY {v}"),
                2 => format!("SELECT id, hex(CAST({name} AS BINARY)), CAST({name} AS CHAR) FROM {t}"),
                3 => format!("SELECT id FROM {t} WHERE BINARY {name} IN ({v}, 'a', 'abc')"),
                4 => format!("SELECT id, hex(CONVERT({name} USING ucs2)) FROM {t}"),
                _ => format!("SELECT id, hex(BINARY {name}) FROM {t} WHERE BINARY {name} > {v}"),
            },
            Order::Any,
        )
    }
}
