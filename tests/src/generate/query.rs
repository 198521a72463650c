//! Statements that read rows.

use super::kind::Kind;
use super::{Column, Generator, Statement, Table, exact};
use crate::compare::Order;

impl Generator {
    pub(super) fn predicate(&mut self, t: &Table, prefix: &str, depth: u8) -> String {
        if depth > 0 && self.rng.u8(0..3) == 0 {
            let a = self.predicate(t, prefix, depth - 1);
            let b = self.predicate(t, prefix, depth - 1);
            return match self.rng.u8(0..6) {
                0 | 1 => format!("({a} OR {b})"),
                2 => format!("NOT ({a})"),
                3 => format!("({a} XOR {b})"),
                _ => format!("({a} AND {b})"),
            };
        }
        let c = t.columns[self.rng.usize(0..t.columns.len())].clone();
        let name = format!("{prefix}{}", c.name);
        let id = c.name == "id";
        let v = if id { self.rng.i32(0..400).to_string() } else { self.literal(c.kind, false) };
        let w = if id { self.rng.i32(0..400).to_string() } else { self.literal(c.kind, false) };
        match self.rng.u8(0..12) {
            0 | 1 => format!("{name} = {v}"),
            2 => format!("{name} > {v}"),
            3 => format!("{name} <= {v}"),
            4 => format!("{name} BETWEEN {v} AND {w}"),
            5 => format!("{name} IN ({v}, {w}, {})", self.literal(c.kind, false)),
            6 => format!("{name} IS NULL"),
            7 => format!("{name} IS NOT NULL"),
            8 => format!("{name} <=> {}", self.literal(c.kind, true)),
            9 if c.kind.text() => {
                format!(
                    "{name} LIKE '{}'",
                    ["a%", "%b%", "_b%", "h%o", "%", "B_r", "10"][self.rng.usize(0..7)]
                )
            }
            10 if c.kind.number() => format!("{name} % 3 = 1"),
            _ => format!("{name} <> {v}"),
        }
    }

    pub(super) fn condition(&mut self, t: &Table, prefix: &str) -> String {
        if self.rng.u8(0..6) == 0 {
            String::new()
        } else {
            format!(" WHERE {}", self.predicate(t, prefix, 2))
        }
    }

    pub(super) fn expression(&mut self, t: &Table, prefix: &str) -> String {
        let c = t.columns[self.rng.usize(0..t.columns.len())].clone();
        let n = format!("{prefix}{}", c.name);
        if c.kind.number() {
            match self.rng.u8(0..9) {
                0 => format!("{n} + 1"),
                1 => format!("{n} / 7"),
                2 => format!("{n} DIV 3"),
                3 => format!("-{n}"),
                4 => format!("abs({n})"),
                5 => format!("if({n} > 5, 'big', {n})"),
                6 => format!("coalesce({n}, 7)"),
                7 => format!("cast({n} as char)"),
                _ => n,
            }
        } else if c.kind.text() {
            match self.rng.u8(0..11) {
                0 => format!("upper({n})"),
                1 => format!("length({n})"),
                2 => format!("concat({n}, '-', id)").replace(", id)", &format!(", {prefix}id)")),
                3 => format!("substring({n}, 2, 3)"),
                4 => format!("left({n}, 2)"),
                5 => format!("trim({n})"),
                6 => format!("ifnull({n}, 'none')"),
                7 => format!("case {n} when 'a' then 1 when 'b' then 2 else 3 end"),
                8 => format!("replace({n}, 'b', 'cc')"),
                9 => format!("locate('b', {n})"),
                _ => n,
            }
        } else if c.kind.dated() {
            match self.rng.u8(0..7) {
                0 => format!("year({n})"),
                1 => format!("{n} + interval 3 day"),
                2 => format!("date_format({n}, '%Y/%m/%d %H:%i')"),
                3 => format!("dayofweek({n})"),
                4 => format!("datediff({n}, '2020-01-01')"),
                5 => format!("last_day({n})"),
                _ => n,
            }
        } else {
            n
        }
    }

    pub(super) fn select(&mut self) -> Statement {
        let t = self.table();
        let cond = self.condition(&t, "");
        let order: Vec<String> = t
            .columns
            .iter()
            .map(|c| if self.rng.u8(0..4) == 0 { format!("{} DESC", c.name) } else { c.name.clone() })
            .collect();
        match self.rng.u8(0..6) {
            0 => Statement::new(format!("SELECT * FROM {}{cond}", t.name), Order::Any),
            1 => {
                let sql = format!("SELECT DISTINCT {} FROM {}{cond}", self.simple(&t), t.name);
                Statement::new(sql, Order::Any)
            }
            2 => exact(format!(
                "SELECT * FROM {}{cond} ORDER BY {} LIMIT {}",
                t.name,
                order.join(", "),
                self.rng.u8(0..30)
            )),
            3 => exact(format!(
                "SELECT {} FROM {}{cond} ORDER BY {} LIMIT {}, {}",
                self.expression(&t, ""),
                t.name,
                order.join(", "),
                self.rng.u8(0..9),
                self.rng.u8(0..30)
            )),
            _ => {
                let list: Vec<String> = (0..self.rng.usize(1..4)).map(|_| self.expression(&t, "")).collect();
                Statement::new(format!("SELECT {} FROM {}{cond}", list.join(", "), t.name), Order::Any)
            }
        }
    }

    /// A column whose equal values also print alike.
    pub(super) fn simple(&mut self, t: &Table) -> String {
        let plain: Vec<&Column> = t
            .columns
            .iter()
            .filter(|c| {
                !c.kind.text() && c.kind != Kind::Bit && c.kind != Kind::Binary && c.kind != Kind::Blob
                    || c.kind == Kind::Enum
            })
            .collect();
        plain[self.rng.usize(0..plain.len())].name.clone()
    }

    pub(super) fn aggregate(&mut self) -> Statement {
        let t = self.table();
        let cond = self.condition(&t, "");
        let c = t.columns[self.rng.usize(0..t.columns.len())].clone();
        let n = if c.kind.number() { c.name.clone() } else { "id".into() };
        // whether MariaDB shows the zeros of ZEROFILL here depends on the way to the rows
        let end = if c.kind == Kind::TinyZerofill { "id" } else { &n };
        let aggregates = [
            "count(*)".to_string(),
            format!("count({})", c.name),
            format!("sum({n})"),
            format!("avg({n})"),
            format!("min({end})"),
            format!("max({end})"),
            format!("count(distinct {})", c.name),
            format!("bit_or({n})"),
        ];
        let list: Vec<String> = (0..self.rng.usize(1..4))
            .map(|_| aggregates[self.rng.usize(0..aggregates.len())].clone())
            .collect();
        match self.rng.u8(0..3) {
            0 => exact(format!("SELECT {} FROM {}{cond}", list.join(", "), t.name)),
            1 => {
                let g = self.simple(&t);
                Statement::new(
                    format!("SELECT {g}, {} FROM {}{cond} GROUP BY {g}", list.join(", "), t.name),
                    Order::Any,
                )
            }
            _ => {
                let g = self.simple(&t);
                let having = format!("HAVING count(*) > {}", self.rng.u8(0..3));
                exact(format!(
                    "SELECT {g} AS g, {} FROM {}{cond} GROUP BY {g} {having} ORDER BY g{}",
                    list.join(", "),
                    t.name,
                    if self.rng.bool() { " DESC" } else { "" }
                ))
            }
        }
    }

    pub(super) fn join(&mut self) -> Statement {
        let (a, b) = (self.table(), self.table());
        let on = match self.rng.u8(0..4) {
            0 => {
                let pair = a.columns.iter().find_map(|x| {
                    b.columns.iter().find(|y| y.kind == x.kind && x.name != "id").map(|y| (x, y))
                });
                pair.map_or("x.id = y.id".into(), |(x, y)| format!("x.{} = y.{}", x.name, y.name))
            }
            1 => "x.id = y.id + 1".into(),
            _ => "x.id = y.id".to_string(),
        };
        let kind = ["JOIN", "LEFT JOIN", "INNER JOIN"][self.rng.usize(0..3)];
        let ea = self.expression(&a, "x.");
        let eb = self.expression(&b, "y.");
        let cond =
            if self.rng.bool() { format!(" WHERE {}", self.predicate(&a, "x.", 1)) } else { String::new() };
        let more = if self.rng.u8(0..3) == 0 {
            format!(" AND {}", self.predicate(&b, "y.", 1))
        } else {
            String::new()
        };
        let sql = if self.rng.u8(0..4) == 0 {
            format!("SELECT count(*), max(y.id) FROM {} x {kind} {} y ON {on}{more}{cond}", a.name, b.name)
        } else {
            format!("SELECT {ea}, {eb}, x.id, y.id FROM {} x {kind} {} y ON {on}{more}{cond}", a.name, b.name)
        };
        Statement::new(sql, Order::Any)
    }

    pub(super) fn scalar(&mut self) -> Statement {
        let pool = [
            "1 + 1",
            "7 / 2",
            "7 DIV 2",
            "-7 % 3",
            "concat('a', 1, NULL)",
            "ifnull(NULL, 3)",
            "1 = '1'",
            "'a' = 'A '",
            "5 BETWEEN 1 AND 9",
            "greatest(1, 2.5, '3')",
            "round(2.345, 2)",
            "truncate(-1.999, 1)",
            "substring_index('a.b.c', '.', 2)",
            "lpad('x', 4, 'ab')",
            "date_add('2020-01-31', interval 1 month)",
            "str_to_date('01,5,2013', '%d,%m,%Y')",
            "hex('abc')",
            "field('b', 'a', 'b')",
            "1 XOR NULL",
            "cast('12abc' as signed)",
            "'5' + '6.5'",
            "1 << 4",
            "~0",
            "5 <=> NULL",
            "nullif(1, 1)",
            "elt(2, 'x', 'y')",
            "reverse('abc')",
            "crc32('x')",
            "md5('x')",
            "timestampdiff(day, '2020-01-01', '2021-01-01')",
            "sign(-3)",
            "ceil(1.2)",
            "floor(-1.2)",
            "mod(10, 4)",
            "pow(2, 10)",
            "repeat('ab', 3)",
            "time_to_sec('01:00:01')",
            "date('2020-02-29 10:11:12')",
            "'abc' LIKE 'A_c'",
            "'abc' REGEXP '^a'",
            "char_length('äöü')",
            "1 / 0",
            "10 DIV 0",
        ];
        let list: Vec<&str> =
            (0..self.rng.usize(1..4)).map(|_| pool[self.rng.usize(0..pool.len())]).collect();
        exact(format!("SELECT {}", list.join(", ")))
    }
}
