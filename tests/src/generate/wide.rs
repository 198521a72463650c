//! The wider language: joins, subqueries, set operations, rows from queries, several tables changed at once, modes,
//! ALTER TABLE, parameters, LOAD DATA.

use super::kind::{KINDS, Kind};
use super::{Column, Generator, Statement, Table, exact};
use crate::compare::Order;
use mysql::Value;

/// Shown with zeros in front.
fn filled(kind: Kind) -> bool {
    matches!(kind, Kind::TinyZerofill | Kind::Year)
}

impl Generator {
    pub(super) fn wide(&mut self) -> Statement {
        match self.rng.u32(0..100) {
            0..=11 => self.joined(),
            12..=29 => self.nested(),
            30..=36 => self.united(),
            37..=48 => self.grouped(),
            49..=58 => self.insert_rows_of_query(),
            59..=66 => self.change_joined(),
            67..=70 => self.mode(),
            71..=77 => self.alter(),
            78..=91 => self.with_parameters(),
            92..=95 => self.load(),
            _ => self.variables(),
        }
    }

    /// A column of the same kind in each table; `id` when there is none.
    pub(super) fn alike(&mut self, a: &Table, b: &Table) -> (String, String) {
        let pairs: Vec<(String, String)> = a
            .columns
            .iter()
            .flat_map(|x| b.columns.iter().map(move |y| (x, y)))
            .filter(|(x, y)| x.kind == y.kind)
            .map(|(x, y)| (x.name.clone(), y.name.clone()))
            .collect();
        if self.rng.bool() || pairs.is_empty() {
            return ("id".into(), "id".into());
        }
        pairs[self.rng.usize(0..pairs.len())].clone()
    }

    pub(super) fn any_column(&mut self, t: &Table) -> Column {
        t.columns[self.rng.usize(0..t.columns.len())].clone()
    }

    pub(super) fn joined(&mut self) -> Statement {
        let (a, b, c) = (self.table(), self.table(), self.table());
        let kind = ["JOIN", "LEFT JOIN", "RIGHT JOIN", "INNER JOIN", "STRAIGHT_JOIN"][self.rng.usize(0..5)];
        let (ea, eb) = (self.any_column(&a).name, self.any_column(&b).name);
        let sql = match self.rng.u8(0..6) {
            0 => {
                let p = self.predicate(&a, "x.", 1);
                format!(
                    "SELECT id, x.{ea}, y.{eb} FROM {} x {kind} {} y USING (id) WHERE {p}",
                    a.name, b.name
                )
                .replace("STRAIGHT_JOIN", "JOIN")
            }
            1 => {
                let (l, r) = self.alike(&b, &c);
                format!(
                    "SELECT x.id, y.id, z.id FROM {} x {} {} y ON x.id = y.id {} {} z ON y.{l} = z.{r} AND z.id < 150",
                    a.name,
                    if self.rng.bool() { "JOIN" } else { "LEFT JOIN" },
                    b.name,
                    if self.rng.bool() { "JOIN" } else { "LEFT JOIN" },
                    c.name
                )
            }
            2 => format!(
                "SELECT x.id, y.id FROM {} x, {} y WHERE x.id = y.id AND {}",
                a.name,
                b.name,
                self.predicate(&b, "y.", 1)
            ),
            3 => {
                let (l, r) = self.alike(&a, &b);
                format!(
                    "SELECT x.id, count(*), min(y.id) FROM {} x {kind} {} y ON x.{l} = y.{r} GROUP BY x.id",
                    a.name, b.name
                )
            }
            4 => {
                let (l, r) = self.alike(&a, &b);
                let p = self.predicate(&b, "y.", 1);
                format!("SELECT x.id, y.{eb} FROM {} x {kind} {} y ON x.{l} = y.{r} AND {p}", a.name, b.name)
            }
            _ => {
                let (l, r) = self.alike(&a, &b);
                format!(
                    "SELECT x.id, x.{ea}, y.id, y.{eb} FROM {} x {kind} {} y ON x.{l} = y.{r} AND y.id > x.id - 40",
                    a.name, b.name
                )
            }
        };
        Statement::new(sql, Order::Loose)
    }

    pub(super) fn nested(&mut self) -> Statement {
        let (a, b) = (self.table(), self.table());
        let (l, r) = self.alike(&a, &b);
        let p = self.predicate(&b, "", 1);
        let q = self.predicate(&a, "", 1);
        let not = if self.rng.bool() { "NOT " } else { "" };
        let sql = match self.rng.u8(0..11) {
            0 => {
                format!("SELECT id FROM {} WHERE {l} {not}IN (SELECT {r} FROM {} WHERE {p})", a.name, b.name)
            }
            1 => format!(
                "SELECT id FROM {} x WHERE {not}EXISTS (SELECT 1 FROM {} y WHERE y.{r} = x.{l} AND y.id > 20)",
                a.name, b.name
            ),
            2 => format!(
                "SELECT id, (SELECT max(y.id) FROM {} y WHERE y.{r} = x.{l}) FROM {} x WHERE {q}",
                b.name, a.name
            ),
            3 => format!("SELECT id FROM {} WHERE id > (SELECT avg(id) FROM {} WHERE {p})", a.name, b.name),
            4 => format!(
                "SELECT d.n, d.m FROM (SELECT count(*) n, max(id) m FROM {} WHERE {p}) d WHERE d.n >= 0",
                b.name
            ),
            5 => format!(
                "SELECT x.id, d.id FROM {} x JOIN (SELECT id, {r} AS k FROM {}) d ON x.{l} = d.k",
                a.name, b.name
            ),
            6 => format!("SELECT id FROM {} WHERE id >= ALL (SELECT id FROM {} WHERE {p})", a.name, b.name),
            7 => format!("SELECT id FROM {} WHERE id < ANY (SELECT id FROM {} WHERE {p})", a.name, b.name),
            8 => format!("SELECT id FROM {} WHERE (id, {l}) IN (SELECT id, {r} FROM {})", a.name, b.name),
            9 => format!("WITH w AS (SELECT id, {r} FROM {} WHERE {p}) SELECT * FROM w", b.name),
            _ => {
                // of a row known beforehand MariaDB shows ZEROFILL and YEAR without zeros
                let zeros = b.columns.iter().any(|c| c.name == r && filled(c.kind));
                let r = if zeros { "id" } else { &r };
                format!("SELECT (SELECT {r} FROM {} WHERE id = {})", b.name, self.rng.u32(1..400))
            }
        };
        Statement::new(sql, Order::Loose)
    }

    fn united(&mut self) -> Statement {
        let (a, b) = (self.table(), self.table());
        let (l, r) = self.alike(&a, &b);
        let op = ["UNION", "UNION ALL", "EXCEPT", "INTERSECT", "UNION DISTINCT"][self.rng.usize(0..5)];
        let (p, q) = (self.predicate(&a, "", 1), self.predicate(&b, "", 1));
        // equal texts may print unlike: ids make the rows whole
        let order = if self.rng.bool() { " ORDER BY 1, 2" } else { "" };
        let sql = match self.rng.u8(0..3) {
            0 => format!(
                "SELECT id, id % 7 FROM {} WHERE {p} {op} SELECT id, id % 7 FROM {} WHERE {q}{order}",
                a.name, b.name
            ),
            1 => format!(
                "SELECT id, {l} FROM {} WHERE {p} UNION ALL SELECT id, {r} FROM {} WHERE {q}",
                a.name, b.name
            ),
            _ => {
                // values of these print alike in every common type
                let odd = [
                    Kind::Binary,
                    Kind::Year,
                    Kind::TinyZerofill,
                    Kind::VarcharUcs2,
                    Kind::Float,
                    Kind::Double,
                ];
                let pick = |g: &mut Generator, t: &Table| {
                    let c = g.any_column(t);
                    if odd.contains(&c.kind) { t.columns[0].clone() } else { c }
                };
                let (x, y) = (pick(self, &a), pick(self, &b));
                format!(
                    "SELECT id, {} FROM {} WHERE {p} UNION ALL SELECT id, {} FROM {} WHERE {q}",
                    x.name, a.name, y.name, b.name
                )
            }
        };
        Statement::new(sql, Order::Loose)
    }

    pub(super) fn grouped(&mut self) -> Statement {
        let t = self.table();
        let cond = self.condition(&t, "");
        let (g, mut h) = (self.simple(&t), self.simple(&t));
        if g == h {
            // a column twice beside ROLLUP is summed over once
            h = "id + 1".into();
        }
        let c = self.any_column(&t);
        let n = if c.kind.number() { c.name.clone() } else { "id".into() };
        // MariaDB shows the zeros of ZEROFILL where a temporary table holds the value, and none where an index gave it
        let least = match c.kind {
            Kind::Bit | Kind::TinyZerofill | Kind::Year => "min(id)".to_string(),
            // of texts that are equal any may be the least
            k if k.text() => format!("min(hex({}))", c.name),
            _ => format!("min({})", c.name),
        };
        let largest = if c.kind == Kind::TinyZerofill { "id" } else { &n };
        let pool = [
            "count(*)".to_string(),
            format!("sum({n})"),
            format!("max({largest})"),
            format!("avg({n})"),
            format!("count(distinct {})", c.name),
            least,
            format!("group_concat({n} order by {n})"),
            format!("bit_xor({n})"),
            format!("variance({n}) >= 0"),
        ];
        let (e, f) = (&pool[self.rng.usize(0..pool.len())], &pool[self.rng.usize(0..pool.len())]);
        // the reference counts distinct values of sums twice; of equal texts any may be the least of all
        let single = |x: &String| match x.as_str() {
            x if x.contains("distinct") => "count(*)".to_string(),
            x if x.starts_with("min(") && c.kind.text() => "min(id)".to_string(),
            x => x.to_string(),
        };
        // a variance of one group IS NULL and is not, there
        let told = if e.contains("variance") { "count(*)" } else { e };
        let (s, r) = (single(e), single(f));
        // a row known beforehand (an only one, or `id` = constant) leaves MariaDB's ROLLUP no zeros of ZEROFILL
        let filled = |name: &str| t.columns.iter().any(|c| c.name == name && filled(c.kind));
        let (up, on) = (if filled(&g) { "id % 9" } else { &g }, if filled(&h) { "id % 11" } else { &h });
        let sql = match self.rng.u8(0..7) {
            0 => format!("SELECT {up}, {s}, {r} FROM {}{cond} GROUP BY {up} WITH ROLLUP", t.name),
            1 => format!("SELECT {g}, {h}, {e} FROM {}{cond} GROUP BY {g}, {h}", t.name),
            2 => format!("SELECT {up}, {on}, {s} FROM {}{cond} GROUP BY {up}, {on} WITH ROLLUP", t.name),
            3 => format!("SELECT {g}, {told} AS v FROM {}{cond} GROUP BY {g} HAVING v IS NOT NULL", t.name),
            4 => format!("SELECT DISTINCT {g}, {h} FROM {}{cond}", t.name),
            5 => format!("SELECT id % 5 AS k, {e}, {f} FROM {}{cond} GROUP BY k", t.name),
            _ => format!(
                "SELECT {e}, {f} FROM {}{cond} GROUP BY {g} HAVING count(*) > {}",
                t.name,
                self.rng.u8(0..3)
            ),
        };
        Statement::new(sql, Order::Any)
    }

    fn insert_rows_of_query(&mut self) -> Statement {
        let (to, mut from) = (self.table(), self.table());
        if from.name == to.name && !self.plain {
            // the reference looks at its temporary copy of the rows, too
            from = self.tables.iter().find(|t| t.name != to.name).unwrap_or(&to).clone();
        }
        let mut names = Vec::new();
        let mut picks = Vec::new();
        for c in &to.columns {
            if c.name == "id" {
                names.push("id".to_string());
                picks.push(if to.auto && self.rng.bool() { "NULL".into() } else { "id + 100".to_string() });
            } else if self.rng.u8(0..4) != 0 {
                let fit = from.columns.iter().find(|f| f.kind == c.kind && f.name != "id");
                names.push(c.name.clone());
                picks.push(match fit {
                    Some(f) if c.nullable || !f.nullable => f.name.clone(),
                    _ => self.literal(c.kind, c.nullable),
                });
            }
        }
        let verb = ["INSERT INTO", "INSERT IGNORE INTO", "REPLACE INTO", "INSERT INTO"][self.rng.usize(0..4)];
        let mut sql = format!(
            "{verb} {} ({}) SELECT {} FROM {} s WHERE id < {} ORDER BY {} LIMIT {}",
            to.name,
            names.join(", "),
            picks.join(", "),
            from.name,
            self.rng.u16(0..400),
            from.total_order(),
            self.rng.u8(0..12)
        );
        // a table that feeds itself makes the names of ON DUPLICATE KEY UPDATE ambiguous
        if verb == "INSERT INTO" && to.name != from.name && self.rng.bool() {
            let c = self.any_column(&to);
            let v = if c.name == "id" && to.auto {
                // a negative number makes MariaDB's next AUTO_INCREMENT one beyond every type: error 167
                self.rng.u16(1..400).to_string()
            } else if c.kind.number() && self.rng.bool() {
                format!("{}.{} + 1", to.name, c.name)
            } else if names.contains(&c.name) && self.rng.bool() {
                format!("VALUES({})", c.name)
            } else {
                self.literal(c.kind, c.nullable)
            };
            sql += &format!(" ON DUPLICATE KEY UPDATE {}.{} = {v}", to.name, c.name);
        }
        exact(sql)
    }

    /// UPDATE and DELETE of joined tables: values that do not depend on which row comes first.
    fn change_joined(&mut self) -> Statement {
        let (a, b) = (self.table(), self.table());
        let c = self.any_column(&a);
        let v = self.literal(c.kind, c.nullable);
        let p = self.predicate(&b, "y.", 0);
        let cut = self.rng.u16(0..400);
        let sql = match self.rng.u8(0..5) {
            0 if c.name != "id" => {
                format!(
                    "UPDATE {} x JOIN {} y ON x.id = y.id SET x.{} = {v} WHERE x.id = {cut}",
                    a.name, b.name, c.name
                )
            }
            1 if c.name != "id" => format!(
                "UPDATE IGNORE {} x LEFT JOIN {} y ON x.id = y.id SET x.{} = {v} WHERE y.id IS NULL AND x.id = {cut}",
                a.name, b.name, c.name
            ),
            2 => format!(
                "DELETE x FROM {} x JOIN {} y ON x.id = y.id WHERE {p} AND x.id % 4 = 1",
                a.name, b.name
            ),
            3 => format!(
                "DELETE FROM x, y USING {} x JOIN {} y ON x.id = y.id WHERE x.id % 9 = 2",
                a.name, b.name
            ),
            _ => format!(
                "DELETE FROM {} WHERE id IN (SELECT id FROM {} y WHERE {p}) AND id % 5 = 0",
                a.name, b.name
            ),
        };
        exact(sql)
    }

    fn mode(&mut self) -> Statement {
        let modes = [
            "DEFAULT",
            "''",
            "'STRICT_ALL_TABLES'",
            "'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE'",
            "'TRADITIONAL'",
            "'NO_AUTO_VALUE_ON_ZERO'",
            "'ANSI_QUOTES,STRICT_TRANS_TABLES'",
            "'PIPES_AS_CONCAT,NO_UNSIGNED_SUBTRACTION'",
            "'ALLOW_INVALID_DATES'",
            "'ERROR_FOR_DIVISION_BY_ZERO'",
        ];
        // most of the time the mode is the usual one
        let mode = if self.rng.bool() { "DEFAULT" } else { modes[self.rng.usize(0..modes.len())] };
        self.plain = mode == "DEFAULT";
        exact(format!("SET sql_mode = {mode}"))
    }

    fn alter(&mut self) -> Statement {
        let i = self.rng.usize(0..self.tables.len());
        self.made += 1;
        let made = self.made;
        let kind = KINDS[self.rng.usize(0..KINDS.len())];
        let t = &mut self.tables[i];
        let name = t.name.clone();
        let at = self.rng.usize(0..t.columns.len());
        let c = t.columns[at].clone();
        exact(match self.rng.u8(0..8) {
            1 if c.name != "id" && t.columns.len() > 3 => {
                t.columns.remove(at);
                format!("ALTER TABLE {name} DROP COLUMN {}", c.name)
            }
            2 => {
                let new = Column { name: format!("m{made}"), kind, nullable: true };
                let sql = format!("ALTER TABLE {name} ADD COLUMN {} {} AFTER id", new.name, kind.sql());
                t.columns.insert(1, new);
                sql
            }
            3 if c.name != "id" => {
                t.columns[at].name = format!("o{made}");
                format!("ALTER TABLE {name} RENAME COLUMN {} TO o{made}", c.name)
            }
            4 => format!(
                "ALTER TABLE {name} ADD KEY v{made} ({}), COMMENT='{made}'",
                if c.kind.long() { "id" } else { &c.name }
            ),
            5 if self.plain => format!("ALTER TABLE {name} AUTO_INCREMENT = {}", self.rng.u16(1..900)),
            6 => {
                let f = ["FIXED", "DYNAMIC", "DEFAULT"][self.rng.usize(0..3)];
                format!("ALTER TABLE {name} ROW_FORMAT = {f}")
            }
            _ => format!("ALTER TABLE {name} DROP KEY nope{made}"),
        })
    }

    /// A value for a parameter: of the type of the literal it stands for.
    pub(super) fn parameter(&mut self, c: &Column) -> Value {
        let text = if c.name == "id" { self.rng.i32(0..400).to_string() } else { self.literal(c.kind, true) };
        if text == "NULL" {
            return Value::NULL;
        }
        if c.kind == Kind::Bit {
            return Value::Int(self.rng.i64(0..512));
        }
        if let Ok(n) = text.parse::<i64>() {
            return match self.rng.u8(0..4) {
                0 => Value::Bytes(text.into_bytes()),
                _ => Value::Int(n),
            };
        }
        if let Ok(n) = text.parse::<u64>() {
            return Value::UInt(n);
        }
        if let Ok(d) = text.parse::<f64>() {
            return if self.rng.bool() { Value::Double(d) } else { Value::Bytes(text.into_bytes()) };
        }
        let bare = text.trim_matches('\'');
        let number = |s: Option<&str>| s.and_then(|s| s.parse::<u16>().ok()).unwrap_or(0);
        if c.kind.dated() && self.rng.bool() {
            let (date, time) = bare.split_once(' ').unwrap_or((bare, "0:0:0"));
            let mut d = date.split('-');
            let (year, month, day) = (number(d.next()), number(d.next()) as u8, number(d.next()) as u8);
            let mut h = time.split(':');
            let (h, m, s) = (number(h.next()) as u8, number(h.next()) as u8, number(h.next()) as u8);
            return Value::Date(year, month, day, h, m, s, 0);
        }
        Value::Bytes(bare.as_bytes().to_vec())
    }

    fn with_parameters(&mut self) -> Statement {
        let t = self.table();
        let (c, d) = (self.any_column(&t), self.any_column(&t));
        let mut params = vec![self.parameter(&c)];
        let order: Vec<&str> = t.columns.iter().map(|c| c.name.as_str()).collect();
        let order = order.join(", ");
        let name = &t.name;
        let (sql, compare) = match self.rng.u8(0..9) {
            0 => (format!("SELECT * FROM {name} WHERE {} = ?", c.name), Order::Any),
            1 => {
                params.push(self.parameter(&c));
                (format!("SELECT id, {} FROM {name} WHERE {} BETWEEN ? AND ?", d.name, c.name), Order::Any)
            }
            2 => {
                params.push(self.parameter(&d));
                (format!("SELECT id FROM {name} WHERE {} <=> ? OR {} > ?", c.name, d.name), Order::Any)
            }
            3 | 4 => {
                params.clear();
                for c in &t.columns {
                    params.push(self.parameter(c));
                }
                let marks = vec!["?"; t.columns.len()].join(", ");
                let verb = ["INSERT INTO", "REPLACE INTO", "INSERT IGNORE INTO"][self.rng.usize(0..3)];
                (format!("{verb} {name} VALUES ({marks})"), Order::Exact)
            }
            5 => {
                let n = self.rng.u8(0..20);
                params = vec![Value::Int(i64::from(n))];
                (format!("SELECT id FROM {name} ORDER BY {order} LIMIT ?"), Order::Exact)
            }
            6 => {
                params.push(Value::Int(self.rng.i64(0..400)));
                (format!("UPDATE {name} SET {} = ? WHERE id = ? ORDER BY {order}", c.name), Order::Exact)
            }
            7 => {
                params.push(self.parameter(&c));
                (format!("SELECT ?, ?, count(*) FROM {name}"), Order::Exact)
            }
            _ => {
                params.push(self.parameter(&c));
                (format!("SELECT id FROM {name} WHERE {} IN (?, ?)", c.name), Order::Any)
            }
        };
        Statement { params: Some(params), ..Statement::new(sql, compare) }
    }

    fn load(&mut self) -> Statement {
        let t = self.table();
        let mut text = String::new();
        for _ in 0..self.rng.usize(1..6) {
            let mut cells: Vec<String> = Vec::new();
            for c in &t.columns {
                let v = match self.rng.u8(0..25) {
                    0 => self.odd_literal(c.kind),
                    _ if c.name == "id" => self.rng.i32(1..400).to_string(),
                    _ => self.literal(c.kind, c.nullable),
                };
                cells.push(if v == "NULL" {
                    "\\N".into()
                } else {
                    v.trim_start_matches("b'").trim_matches('\'').to_string()
                });
            }
            match self.rng.u8(0..12) {
                0 => {
                    cells.pop();
                }
                1 => cells.push("more".into()),
                _ => {}
            }
            text += &cells.join(";");
            text.push('\n');
        }
        let how = ["", "REPLACE ", "IGNORE "][self.rng.usize(0..3)];
        let sql = format!(
            "LOAD DATA LOCAL INFILE 'rows' {how}INTO TABLE {} CHARACTER SET utf8mb4 FIELDS TERMINATED BY ';'",
            t.name
        );
        Statement { data: Some(text.into_bytes()), ..exact(sql) }
    }

    fn variables(&mut self) -> Statement {
        let t = self.table();
        let c = self.any_column(&t);
        Statement::new(
            match self.rng.u8(0..6) {
                0 => format!("SET @v = {}", self.literal(c.kind, true)),
                // the greatest ENUM is that of the greatest number where MariaDB has a key, else the greatest text
                1 if c.kind == Kind::Enum => {
                    format!("SET @v = (SELECT max(concat({})) FROM {})", c.name, t.name)
                }
                1 => format!("SET @v = (SELECT max({}) FROM {})", c.name, t.name),
                2 if c.kind.text() => format!("SELECT count(*), @v FROM {} WHERE {} = @v", t.name, c.name),
                3 => "SELECT @v, @v IS NULL, concat(@v, '!'), length(@v)".into(),
                4 => format!("SET @w = (SELECT count(*) FROM {}), @v = @w + 1", t.name),
                _ => format!("DO (SELECT max(id) FROM {})", t.name),
            },
            Order::Any,
        )
    }
}
