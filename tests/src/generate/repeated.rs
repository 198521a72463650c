//! Statements that are said again, with parameters of other types, after settings and tables have changed.

use super::kind::Kind;
use super::{Column, Generator, Statement, exact};
use crate::compare::Order;
use mysql::Value;

impl Generator {
    pub(super) fn repeated(&mut self) -> Statement {
        if self.kept.len() > 12 {
            let old = self.rng.usize(0..self.kept.len());
            self.kept.swap_remove(old);
        }
        if self.kept.is_empty() || self.rng.u8(0..5) == 0 {
            let new = self.keepable();
            self.kept.push(new.clone());
            return self.filled_in(new);
        }
        if self.rng.u8(0..5) == 0 {
            return self.set_between();
        }
        let again = self.kept[self.rng.usize(0..self.kept.len())].clone();
        self.filled_in(again)
    }

    fn filled_in(&mut self, (mut s, columns): (Statement, Vec<Column>)) -> Statement {
        if !columns.is_empty() {
            s.params = Some(columns.iter().map(|c| self.any_value(c)).collect());
        }
        s
    }

    /// A value for a parameter that may have nothing to do with the column.
    fn any_value(&mut self, c: &Column) -> Value {
        // dates and fractions beside these are bytes or years to the reference
        if matches!(c.kind, Kind::Bit | Kind::Year | Kind::VarcharUcs2) {
            return self.parameter(c);
        }
        match self.rng.u8(0..12) {
            0 => Value::NULL,
            1 => Value::Int(self.rng.i64(-5..300)),
            2 => Value::Double(3000.5),
            3 => Value::Bytes(b"12".to_vec()),
            4 => Value::Bytes("ä".into()),
            5 if c.kind.dated() => Value::Date(2020, 1, 2, 3, 4, 5, 0),
            6 => Value::UInt(300),
            7 if matches!(c.kind, Kind::Time | Kind::Time3) => Value::Time(false, 0, 10, 11, 12, 0),
            _ => self.parameter(c),
        }
    }

    fn keepable(&mut self) -> (Statement, Vec<Column>) {
        let t = self.table();
        let (c, d) = (self.any_column(&t), self.any_column(&t));
        let (name, x, y) = (&t.name, &c.name, &d.name);
        let text = |sql: String| (Statement::new(sql, Order::Any), Vec::new());
        let with = |sql: String, columns: &[&Column]| {
            let order = if sql.contains("WHERE") || !sql.contains("FROM") { Order::Rows } else { Order::Any };
            (Statement::new(sql, order), columns.iter().map(|c| (*c).clone()).collect())
        };
        match self.rng.u8(0..18) {
            0 => text(format!("SELECT id, id / 7 FROM {name}")),
            1 => text(format!("SELECT sum({x}) / 3, avg({x}) FROM {name}")),
            2 => text(format!("SELECT id, {x}, '2x' + 1, 'ä' FROM {name}")),
            3 => text(format!("SELECT length(group_concat({x} ORDER BY id)) > 0 FROM {name}")),
            4 => text(format!("SELECT id FROM {name} WHERE {x} = {}", self.literal(c.kind, false))),
            5 => text(format!("SELECT unix_timestamp('2020-01-02'), from_unixtime(id) FROM {name}")),
            6 => text(format!("SELECT id - 1000, \"a\" || 'b' FROM {name}")),
            7 => text(format!("SELECT * FROM {name}")),
            8 => text(format!("SELECT id, {x} FROM {name} WHERE {}", self.predicate(&t, "", 1))),
            9 => text(format!("SELECT charset('a'), collation(concat({x}, 'b')) FROM {name}")),
            10 => with(format!("SELECT id FROM {name} WHERE {x} = ?"), &[&c]),
            11 => with(format!("SELECT id, ? FROM {name} WHERE {x} > ? AND {y} <> ?"), &[&c, &c, &d]),
            12 => with("SELECT ?, ? * 1, concat(?, 'a'), coalesce(?, 2)".into(), &[&c, &c, &c, &c]),
            13 => with(format!("SELECT id, ifnull({x}, ?), if(id % 2, ?, {x}) FROM {name}"), &[&c, &c]),
            14 => with(format!("UPDATE IGNORE {name} SET {x} = ? WHERE id = 7 OR id = 8"), &[&c]),
            15 => with(format!("SELECT id FROM {name} WHERE {x} = ? OR {y} = ?"), &[&c, &d]),
            16 => with(format!("SELECT id FROM {name} WHERE {x} LIKE ? OR id = ?"), &[&c, &c]),
            _ => with(
                "SELECT CASE ? WHEN ? THEN 'equal' ELSE 'unlike' END, ? < ?, greatest(?, ?)".into(),
                &[&c, &c, &c, &d, &c, &d],
            ),
        }
    }

    fn set_between(&mut self) -> Statement {
        let settings = [
            "div_precision_increment = 9",
            "div_precision_increment = 1",
            "div_precision_increment = DEFAULT",
            "time_zone = '-08:00'",
            "time_zone = DEFAULT",
            "character_set_connection = latin1",
            "character_set_connection = utf8mb4",
            "collation_connection = utf8mb4_bin",
            "collation_connection = utf8mb4_general_ci",
            "sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'",
            "sql_mode = 'NO_UNSIGNED_SUBTRACTION'",
            "sql_mode = 'NO_BACKSLASH_ESCAPES'",
            "sql_mode = DEFAULT",
            "group_concat_max_len = 1048576",
            "group_concat_max_len = DEFAULT",
        ];
        let setting = settings[self.rng.usize(0..settings.len())];
        // most of the time the usual settings
        let undo = setting.split(" = ").next().unwrap_or("");
        let usual = match undo {
            "character_set_connection" | "collation_connection" => {
                "collation_connection = utf8mb4_general_ci".into()
            }
            _ => format!("{undo} = DEFAULT"),
        };
        for _ in 0..3 {
            let again = self.kept[self.rng.usize(0..self.kept.len())].clone();
            let again = self.filled_in(again);
            self.queue.push_back(again);
        }
        self.queue.push_back(exact(format!("SET {usual}")));
        exact(format!("SET {setting}"))
    }
}
