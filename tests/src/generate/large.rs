//! Queries that hold many rows: groups, sorts, sets of rows, joins, over tables of some thousand rows of all types.
//!
//! Names of columns tell how many values they have: `f3` few, `m3` nearly one for each row. Texts come in upper and lower case, with
//! spaces behind them and with accents, so that equal ones are not alike.

use super::kind::{KINDS, Kind};
use super::{Column, Generator, Statement, Table};
use crate::compare::Order;
use std::fmt::Write as _;

/// Kinds that only these tables have.
const MORE_KINDS: [Kind; 4] = [Kind::Uuid, Kind::Inet6, Kind::Time6, Kind::VarcharGeneral];

/// Rows of each table.
const ROWS: [u32; 4] = [4_000, 2_500, 900, 150];

/// Values of a column of few.
const FEW: u32 = 23;

/// What a query is about, for the counts of those that spilled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Theme {
    Tables,
    Groups,
    Sorts,
    Distinct,
    Sets,
    Joins,
    Subqueries,
    Derived,
    Changes,
}

/// A statement over large tables.
#[derive(Clone, Debug)]
pub struct Large {
    /// What it is about.
    pub theme: Theme,
    /// The statement.
    pub statement: Statement,
    /// Which of several equal texts comes is nobody's promise.
    pub folded: bool,
}

fn few(c: &Column) -> bool {
    c.name.starts_with('f')
}

/// Whether equal values may be written in several ways.
fn ambiguous(kind: Kind) -> bool {
    kind.text() && kind != Kind::Enum
}

/// Whether the value is shown with zeros or as bytes, or not, by the way to it.
fn shown_oddly(kind: Kind) -> bool {
    matches!(kind, Kind::Bit | Kind::Year | Kind::TinyZerofill)
}

impl Generator {
    /// The statements that make new tables and fill them.
    pub fn large_tables(&mut self) -> Vec<Large> {
        let mut all: Vec<Kind> = KINDS.into_iter().chain(MORE_KINDS).collect();
        self.rng.shuffle(&mut all);
        all.truncate(15);
        let mut out: Vec<String> = Vec::new();
        self.tables.clear();
        for (n, rows) in ROWS.into_iter().enumerate() {
            let name = format!("l{n}");
            self.rng.shuffle(&mut all);
            let mut columns = vec![Column { name: "id".into(), kind: Kind::Int, nullable: false }];
            for (i, kind) in all[..9].iter().enumerate() {
                let name = format!("{}{i}", if self.rng.u8(0..5) < 3 { 'm' } else { 'f' });
                columns.push(Column { name, kind: *kind, nullable: self.rng.u8(0..4) != 0 });
            }
            let mut sql = format!("CREATE OR REPLACE TABLE {name} (");
            for c in &columns {
                let null = if c.nullable { " NULL" } else { " NOT NULL" };
                let _ = write!(sql, "{} {}{null}, ", c.name, c.kind.sql());
            }
            sql += if self.rng.u8(0..4) == 0 { "KEY (id)" } else { "PRIMARY KEY (id)" };
            for i in 0..self.rng.usize(0..3) {
                let c = &columns[self.rng.usize(1..columns.len())];
                let prefix = if c.kind.long() { "(10)" } else { "" };
                let _ = write!(sql, ", KEY k{i} ({}{prefix})", c.name);
            }
            out.push(sql + ") ENGINE=MyISAM DEFAULT CHARSET=latin1");
            let mut id = 0;
            while id < rows {
                let mut sql = format!("INSERT INTO {name} VALUES ");
                for _ in 0..500.min(rows - id) {
                    id += 1;
                    let _ = write!(sql, "{}({id}", if sql.ends_with(')') { "," } else { "" });
                    for c in &columns[1..] {
                        let value = self.spread(c.kind, c.nullable, if few(c) { FEW } else { rows * 2 });
                        let _ = write!(sql, ",{value}");
                    }
                    sql.push(')');
                }
                out.push(sql);
            }
            out.push(format!("DELETE FROM {name} WHERE id % 17 = {}", self.rng.u8(0..17)));
            self.tables.push(Table { name, columns, auto: false });
        }
        out.into_iter()
            .map(|sql| Large {
                theme: Theme::Tables,
                statement: Statement::new(sql, Order::Rows),
                folded: false,
            })
            .collect()
    }

    /// One of so many values.
    fn spread(&mut self, kind: Kind, nullable: bool, many: u32) -> String {
        if nullable && self.rng.u8(0..12) == 0 {
            return "NULL".into();
        }
        let n = self.rng.u32(0..many);
        let i = i64::from(n);
        match kind {
            Kind::TinyInt => (i % 250 - 125).to_string(),
            Kind::SmallUnsigned => (n * 7 % 60_000).to_string(),
            Kind::Int => (i * 7_919 % 100_000 - 50_000).to_string(),
            Kind::MediumInt => (i * 31 - 9_000).to_string(),
            Kind::BigInt => (i * 1_000_000_007 - 4_000_000_000).to_string(),
            Kind::BigUnsigned => (u64::MAX - u64::from(n) * 3).to_string(),
            Kind::Decimal => format!("{}.{:02}", i * 37 % 20_000 - 10_000, n % 100),
            Kind::LongDecimal => format!("{}.{:09}", i * 998_244_353 - 3_000_000_000, n),
            // their sums are exact in every order
            Kind::Double => format!("{}", f64::from(n) * 0.25 - 300.0),
            Kind::Float => format!("{}", f64::from(n % 9_000) * 0.5 - 100.0),
            Kind::TinyZerofill => (n % 200).to_string(),
            Kind::Bit => format!("b'{:b}'", n % 512),
            Kind::Set => {
                ["''", "'x'", "'y'", "'x,y'", "'z'", "'x,z'", "'y,z'", "'x,y,z'"][n as usize % 8].into()
            }
            Kind::Enum => ["'red'", "'green'", "'blue'"][n as usize % 3].into(),
            _ if kind.dated() || matches!(kind, Kind::Year | Kind::Time | Kind::Time3 | Kind::Time6) => {
                moment(kind, n)
            }
            Kind::Uuid => format!(
                "'{:08x}-{:04x}-{}{:03x}-8{:03x}-{:012x}'",
                n.wrapping_mul(2_654_435_761),
                n & 0xFFFF,
                1 + n % 4,
                n % 4_096,
                n / 7 % 4_096,
                u64::from(n) * 65_537
            ),
            Kind::Inet6 if n.is_multiple_of(3) => format!("'::ffff:10.{}.{}.{}'", n % 7, n / 256, n % 256),
            Kind::Inet6 => format!("'2001:db8:{:x}::{:x}'", n % 5, n),
            Kind::Binary => format!("x'{:010X}'", u64::from(n) * 0x0101_0001),
            Kind::Varbinary => format!("x'{n:08X}'"),
            Kind::Blob => format!("'{}'", format!("b{n}").repeat(1 + n as usize % 9)),
            _ => self.text(kind, n),
        }
    }

    fn text(&mut self, kind: Kind, n: u32) -> String {
        let stem = ["ab", "bé", "Cd", "de", "zé", "x "][n as usize % 6];
        let mut text = format!("{stem}{n}");
        if n.is_multiple_of(5) {
            // an end that letters of either case begin
            text = format!("{n}{}", stem.trim_end());
        }
        if matches!(kind, Kind::Text | Kind::LongText) {
            text = text.repeat(1 + n as usize % 20);
        }
        match self.rng.u8(0..10) {
            0 | 1 => text = text.to_uppercase(),
            2 => text.push(' '),
            3 => text = text.replace('é', "e"),
            _ => {}
        }
        format!("'{text}'")
    }

    fn column_that(&mut self, t: &Table, fits: impl Fn(&Column) -> bool) -> Column {
        let all: Vec<&Column> = t.columns.iter().filter(|c| fits(c)).collect();
        if all.is_empty() { t.columns[0].clone() } else { all[self.rng.usize(0..all.len())].clone() }
    }

    /// A condition over the values that there are.
    fn within(&mut self, t: &Table, prefix: &str) -> String {
        let c = self.column_that(t, |_| true);
        let many = if few(&c) { FEW } else { 3_000 };
        let value = self.spread(c.kind, false, many);
        let name = format!("{prefix}{}", c.name);
        match self.rng.u8(0..9) {
            0 => format!("{prefix}id % {} <> 1", self.rng.u8(2..9)),
            1 => format!("{prefix}id > {}", self.rng.u16(0..900)),
            2 => format!("{name} IS NOT NULL"),
            3 => format!("{name} > {value}"),
            4 => format!("{name} <= {value}"),
            5 => format!("{name} <> {value}"),
            6 => format!("({name} >= {value} OR {prefix}id % 5 = 2)"),
            7 => self.predicate(t, prefix, 1),
            _ => format!("{prefix}id % 7 < {}", self.rng.u8(3..8)),
        }
    }

    fn maybe_within(&mut self, t: &Table, prefix: &str) -> String {
        if self.rng.u8(0..5) < 2 { String::new() } else { format!(" WHERE {}", self.within(t, prefix)) }
    }

    /// What rows may be grouped by, and how the group is shown so that equal values look alike.
    fn key(&mut self, t: &Table, prefix: &str) -> (String, String) {
        if self.rng.u8(0..8) == 0 {
            let by = format!("{prefix}id {} {}", ["%", "DIV"][self.rng.usize(0..2)], self.rng.u16(3..400));
            return (by.clone(), by);
        }
        let c = self.column_that(t, |_| true);
        let name = format!("{prefix}{}", c.name);
        match c.kind {
            k if ambiguous(k) => (name.clone(), format!("min(binary {name})")),
            k if shown_oddly(k) => (name.clone(), format!("min({name} + 0)")),
            k if k.dated() && self.rng.u8(0..5) == 0 => (format!("year({name})"), format!("year({name})")),
            _ => (name.clone(), name),
        }
    }

    fn number(&mut self, t: &Table, prefix: &str) -> String {
        let sums = |c: &Column| c.kind.number() || matches!(c.kind, Kind::Double | Kind::Float);
        format!("{prefix}{}", self.column_that(t, sums).name)
    }

    /// An aggregate whose value no order of rows changes.
    fn aggregate_of(&mut self, t: &Table, prefix: &str, distinct: bool) -> String {
        let n = self.number(t, prefix);
        let c = self.column_that(t, |_| true);
        let d = self.column_that(t, |c| !ambiguous(c.kind));
        let (c_name, d_name) = (format!("{prefix}{}", c.name), format!("{prefix}{}", d.name));
        let end = match c.kind {
            // of equal texts any may be the least
            k if ambiguous(k) => format!("binary {c_name}"),
            k if shown_oddly(k) || matches!(k, Kind::Enum | Kind::Set) => format!("{c_name} + 0"),
            _ => c_name.clone(),
        };
        let id = format!("{prefix}id");
        match self.rng.u8(0..if distinct { 14 } else { 9 }) {
            0 | 1 => "count(*)".into(),
            2 => format!("count({c_name})"),
            3 => format!("sum({n})"),
            4 => format!("avg({n})"),
            5 => format!("min({end})"),
            6 => format!("max({end})"),
            7 => format!("bit_xor({id})"),
            8 => format!("md5(group_concat({id}, {n} ORDER BY {d_name} DESC, {id}))"),
            9 | 10 => format!("count(DISTINCT {c_name})"),
            11 => format!("count(DISTINCT {c_name}, {d_name})"),
            12 => format!("sum(DISTINCT {n})"),
            _ if shown_oddly(d.kind) => format!("count(DISTINCT {n})"),
            _ => format!("group_concat(DISTINCT {d_name} ORDER BY {d_name} {})", self.direction()),
        }
    }

    fn direction(&mut self) -> &'static str {
        ["", "DESC"][self.rng.usize(0..2)]
    }

    fn limit(&mut self) -> String {
        match self.rng.u8(0..6) {
            0 => format!(" LIMIT {}", self.rng.u16(0..300)),
            1 => format!(" LIMIT {}, {}", self.rng.u16(0..900), self.rng.u16(1..900)),
            2 => " LIMIT 7".into(),
            _ => String::new(),
        }
    }

    /// Keys, aggregates and what stands behind the rows they are of.
    fn grouping(&mut self, t: &Table, prefix: &str, from: &str) -> (String, Order) {
        let rollup = self.rng.u8(0..7) == 0;
        let mut keys: Vec<(String, String)> = Vec::new();
        for _ in 0..[1, 1, 1, 2, 2, 3][self.rng.usize(0..6)] {
            let key = self.key(t, prefix);
            if !keys.iter().any(|k| k.0 == key.0) {
                keys.push(key);
            }
        }
        let mut list: Vec<String> = keys.iter().map(|k| k.1.clone()).collect();
        // without DISTINCT several threads may do it
        let distinct = !rollup && self.rng.bool();
        for _ in 0..self.rng.usize(1..4) {
            list.push(self.aggregate_of(t, prefix, distinct));
        }
        let by: Vec<&str> = keys.iter().map(|k| k.0.as_str()).collect();
        let by = by.join(", ");
        let having = match self.rng.u8(0..6) {
            0 => format!(" HAVING count(*) > {}", self.rng.u8(0..4)),
            1 => format!(" HAVING max({prefix}id) % 3 <> 0"),
            _ => String::new(),
        };
        let head = format!("SELECT {} FROM {from} GROUP BY {by}", list.join(", "));
        if rollup {
            return (format!("{head} WITH ROLLUP{having}"), Order::Any);
        }
        let all: Vec<String> = (1..=list.len()).map(|n| n.to_string()).collect();
        let (tail, order) = match self.rng.u8(0..6) {
            0 => (" ORDER BY NULL".to_string(), Order::Any),
            1 | 2 => (String::new(), Order::Exact),
            3 => (self.limit(), Order::Exact),
            _ => {
                let direction = self.direction();
                let last = list.len();
                (format!(" ORDER BY {last} {direction}, {}{}", all.join(", "), self.limit()), Order::Exact)
            }
        };
        (format!("{head}{having}{tail}"), order)
    }

    fn grouped_rows(&mut self) -> (String, Order) {
        let t = self.table();
        let cond = self.maybe_within(&t, "");
        if self.rng.u8(0..6) == 0 {
            let list: Vec<String> =
                (0..self.rng.usize(1..4)).map(|_| self.aggregate_of(&t, "", true)).collect();
            return (format!("SELECT {} FROM {}{cond}", list.join(", "), t.name), Order::Exact);
        }
        self.grouping(&t, "", &format!("{}{cond}", t.name))
    }

    fn sorted_rows(&mut self) -> (String, Order) {
        let t = self.table();
        let cond = self.maybe_within(&t, "");
        let mut by = Vec::new();
        for _ in 0..self.rng.usize(1..4) {
            let c = self.column_that(&t, |_| true);
            let e = match self.rng.u8(0..8) {
                0 if c.kind.text() => format!("left({}, 2)", c.name),
                1 => format!("length({})", c.name),
                2 => format!("{} IS NULL", c.name),
                _ => c.name,
            };
            by.push(format!("{e} {}", self.direction()));
        }
        let list = match self.rng.u8(0..3) {
            0 => "*".to_string(),
            1 => "id".to_string(),
            _ => format!("id, {}", self.any_column(&t).name),
        };
        let (direction, limit) = (self.direction(), self.limit());
        let by = by.join(", ");
        (format!("SELECT {list} FROM {}{cond} ORDER BY {by}, id {direction}{limit}", t.name), Order::Exact)
    }

    fn distinct_rows(&mut self) -> (String, Order) {
        let t = self.table();
        let cond = self.maybe_within(&t, "");
        let mut list: Vec<String> = Vec::new();
        for _ in 0..self.rng.usize(1..4) {
            let c = self.column_that(&t, |c| c.kind != Kind::Bit).name;
            if !list.contains(&c) {
                list.push(c);
            }
        }
        let all: Vec<String> = list.iter().map(|c| format!("{c} {}", self.direction())).collect();
        let from = format!("SELECT DISTINCT {} FROM {}{cond}", list.join(", "), t.name);
        match self.rng.u8(0..4) {
            0 => (format!("{from} ORDER BY {}", all.join(", ")), Order::Exact),
            1 => (format!("SELECT count(*) FROM ({from}) q"), Order::Exact),
            _ => (from, Order::Any),
        }
    }

    /// Columns of two tables that hold the same kind of values; `narrow`: not of few values in both.
    fn pair(&mut self, a: &Table, b: &Table, narrow: bool) -> (Column, Column) {
        let same = |x: &Column, y: &Column| {
            x.kind == y.kind && x.name != "id" && y.name != "id" && !(narrow && few(x) && few(y))
        };
        let pairs: Vec<(&Column, &Column)> = a
            .columns
            .iter()
            .flat_map(|x| b.columns.iter().map(move |y| (x, y)))
            .filter(|(x, y)| same(x, y))
            .collect();
        if pairs.is_empty() {
            return (a.columns[0].clone(), b.columns[0].clone());
        }
        let (x, y) = pairs[self.rng.usize(0..pairs.len())];
        (x.clone(), y.clone())
    }

    fn set_of_rows(&mut self) -> (String, Order) {
        let tables = [self.table(), self.table(), self.table()];
        let arms = self.rng.usize(2..4);
        let mut kinds: Vec<Kind> = Vec::new();
        for _ in 0..self.rng.usize(1..4) {
            let kind = self.column_that(&tables[0], |c| c.kind != Kind::Bit).kind;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let mut sql = String::new();
        for (n, t) in tables[..arms].iter().enumerate() {
            let mut list: Vec<String> = Vec::new();
            for kind in &kinds {
                // of a table without such a column there are NULLs
                let found = t.columns.iter().find(|c| c.kind == *kind);
                // under a name of its own: arms that become derived tables refuse names that come twice
                list.push(found.map_or(format!("NULL AS n{}", list.len()), |c| c.name.clone()));
            }
            if n > 0 {
                let all =
                    ["UNION", "UNION", "UNION ALL", "EXCEPT", "INTERSECT", "EXCEPT ALL", "INTERSECT ALL"];
                let op = all[self.rng.usize(0..all.len())];
                // among several arms MariaDB may never come to an end with these, and hears no KILL
                let endless = arms > 2 && op.ends_with("T ALL");
                let _ = write!(sql, " {} ", if endless { "UNION" } else { op });
            }
            let cond = self.maybe_within(t, "");
            let _ = write!(sql, "SELECT {} FROM {}{cond}", list.join(", "), t.name);
        }
        let places: Vec<String> = (1..=kinds.len()).map(|n| n.to_string()).collect();
        match self.rng.u8(0..4) {
            0 => (format!("{sql} ORDER BY {}", places.join(", ")), Order::Exact),
            1 => (format!("SELECT count(*) FROM ({sql}) q"), Order::Exact),
            _ => (sql, Order::Any),
        }
    }

    /// Two or three joined tables with their condition.
    fn join_of(&mut self, a: &Table, b: &Table) -> String {
        let narrow = self.rng.u8(0..4) != 0;
        let (l, r) = self.pair(a, b, narrow);
        let kind = ["JOIN", "LEFT JOIN", "RIGHT JOIN"][[0, 0, 1, 1, 2][self.rng.usize(0..5)]];
        let equal = if self.rng.u8(0..6) == 0 { "<=>" } else { "=" };
        let mut on = format!("x.{} {equal} y.{}", l.name, r.name);
        if few(&l) && few(&r) {
            on += " AND x.id < 300 AND y.id < 300";
        } else if self.rng.u8(0..3) == 0 {
            let _ = write!(on, " AND y.id > x.id - {}", self.rng.u16(0..2_000));
        }
        if self.rng.u8(0..4) == 0 {
            let more = self.within(b, "y.");
            let _ = write!(on, " AND {more}");
        }
        let mut from = format!("{} x {kind} {} y ON {on}", a.name, b.name);
        // without a hash table for the second the third may come first: a product of all three
        if self.rng.u8(0..5) == 0 && equal == "=" {
            let c = self.table();
            let (m, n) = self.pair(b, &c, true);
            let more = if few(&m) || few(&n) { " AND z.id < 40" } else { "" };
            let outer = ["JOIN", "LEFT JOIN"][self.rng.usize(0..2)];
            let _ = write!(from, " {outer} {} z ON y.{} = z.{}{more}", c.name, m.name, n.name);
        }
        match self.rng.u8(0..4) {
            0 => {
                let more = self.within(a, "x.");
                let _ = write!(from, " WHERE {more}");
            }
            1 if kind == "LEFT JOIN" => from += " WHERE y.id IS NULL",
            _ => {}
        }
        from
    }

    fn joined_rows(&mut self) -> (String, Order) {
        let (a, b) = (self.table(), self.table());
        let from = self.join_of(&a, &b);
        match self.rng.u8(0..5) {
            0 => {
                let (end, n) = (self.aggregate_of(&b, "y.", true), self.number(&a, "x."));
                let list = format!("count(*), sum(x.id), bit_xor(y.id * 7), sum({n}), {end}");
                (format!("SELECT {list} FROM {from}"), Order::Exact)
            }
            1 | 2 => self.grouping(&a, "x.", &from),
            3 => {
                let (c, d) = (self.any_column(&a).name, self.any_column(&b).name);
                let limit = self.limit();
                let third = if from.contains(" z ON ") { ", z.id" } else { "" };
                let order = format!("ORDER BY x.{c}, x.id, y.id{third}{limit}");
                (format!("SELECT x.id, y.id, x.{c}, y.{d} FROM {from} {order}"), Order::Exact)
            }
            _ => (format!("SELECT x.id, y.id FROM {from}"), Order::Any),
        }
    }

    fn rows_of_subqueries(&mut self) -> (String, Order) {
        let (a, b) = (self.table(), self.table());
        let (l, r) = self.pair(&a, &b, false);
        let (p, q) = (self.within(&a, "x."), self.within(&b, "y."));
        let not = ["", "NOT "][self.rng.usize(0..2)];
        let (l, r, a, b) = (l.name, r.name, a.name, b.name);
        let sql = match self.rng.u8(0..6) {
            0 | 1 => {
                format!("SELECT x.id FROM {a} x WHERE x.{l} {not}IN (SELECT y.{r} FROM {b} y WHERE {q})")
            }
            2 => format!(
                "SELECT x.id, x.{l} IN (SELECT y.{r} FROM {b} y WHERE {q} AND y.{r} IS NOT NULL) FROM {a} x WHERE {p}"
            ),
            3 => format!(
                "SELECT x.id FROM {a} x WHERE x.id < 120 AND {not}EXISTS (SELECT 1 FROM {b} y WHERE y.{r} = x.{l} AND {q})"
            ),
            4 => format!(
                "SELECT x.id FROM {a} x WHERE (x.{l}, x.id % 9) {not}IN (SELECT y.{r}, y.id % 9 FROM {b} y WHERE {q})"
            ),
            _ => format!(
                "SELECT x.id FROM {a} x WHERE x.id < 60 AND x.id > (SELECT count(DISTINCT y.{r}) % 50 FROM {b} y WHERE y.id > x.id)"
            ),
        };
        (sql, Order::Any)
    }

    fn rows_of_derived_tables(&mut self) -> (String, Order) {
        let (a, b) = (self.table(), self.table());
        let (l, r) = self.pair(&a, &b, false);
        let q = self.maybe_within(&b, "");
        let inner = self.aggregate_of(&b, "", true);
        let cond = self.maybe_within(&a, "x.");
        let outer = ["JOIN", "LEFT JOIN"][self.rng.usize(0..2)];
        let (l, r, a, b) = (l.name, r.name, a.name, b.name);
        let groups = format!("(SELECT {r} k, {inner} v, count(*) n FROM {b}{q} GROUP BY {r})");
        let sql = match self.rng.u8(0..3) {
            0 => format!("SELECT x.id, d.v, d.n FROM {a} x {outer} {groups} d ON x.{l} = d.k{cond}"),
            1 => format!(
                "SELECT count(*), max(d.id), sum(x.id) FROM {a} x {outer} (SELECT DISTINCT {r} k, id FROM {b}{q}) d ON x.{l} = d.k AND d.id % 50 = x.id % 50{cond}"
            ),
            _ => format!("SELECT q.n, count(*), max(q.v) FROM {groups} q GROUP BY q.n"),
        };
        (sql, Order::Any)
    }

    /// Tables made and changed by such queries, and what is in them then.
    fn changed_rows(&mut self) -> (String, Order) {
        let t = self.table();
        let cond = self.maybe_within(&t, "");
        let c = self.column_that(&t, |c| !matches!(c.kind, Kind::Bit | Kind::Timestamp)).name;
        let (n, name) = (self.number(&t, ""), &t.name);
        let rows = match self.rng.u8(0..3) {
            0 => format!("SELECT {c} AS k, count(*) n, max(id) m, sum({n}) s FROM {name}{cond} GROUP BY {c}"),
            1 => format!("SELECT {c} AS k, id FROM {name}{cond} ORDER BY {c}, id"),
            _ => format!("SELECT {c} AS k FROM {name}{cond} UNION SELECT {c} FROM {name}"),
        };
        let all = Statement::new("SELECT * FROM made".into(), Order::Any);
        self.queue.push_back(all.clone());
        if self.rng.bool() {
            let other = self.table();
            let (l, r) = self.pair(&t, &other, false);
            let (l, r, from) = (l.name, r.name, &other.name);
            let q = self.within(&other, "y.");
            for sql in [
                format!("CREATE OR REPLACE TABLE made SELECT id, {l} k, 0 v FROM {name} WHERE id % 3"),
                format!(
                    "UPDATE made x JOIN (SELECT {r} k, count(*) n FROM {from} GROUP BY 1) d ON x.k = d.k SET x.v = d.n"
                ),
                format!("DELETE x FROM made x JOIN {from} y ON x.id = y.id WHERE {q}"),
            ] {
                self.queue.push_back(Statement::new(sql, Order::Rows));
                self.queue.push_back(all.clone());
            }
        }
        (format!("CREATE OR REPLACE TABLE made {rows}"), Order::Rows)
    }

    /// The next query over the tables of [`Generator::large_tables`].
    pub fn large_query(&mut self) -> Large {
        if let Some(statement) = self.queue.pop_front() {
            return Large { theme: Theme::Changes, statement, folded: true };
        }
        let theme = match self.rng.u8(0..100) {
            0..=29 => Theme::Groups,
            30..=44 => Theme::Sorts,
            45..=54 => Theme::Distinct,
            55..=66 => Theme::Sets,
            67..=84 => Theme::Joins,
            85..=90 => Theme::Subqueries,
            91..=96 => Theme::Derived,
            _ => Theme::Changes,
        };
        let (sql, order) = match theme {
            Theme::Groups | Theme::Tables => self.grouped_rows(),
            Theme::Sorts => self.sorted_rows(),
            Theme::Distinct => self.distinct_rows(),
            Theme::Sets => self.set_of_rows(),
            Theme::Joins => self.joined_rows(),
            Theme::Subqueries => self.rows_of_subqueries(),
            Theme::Derived => self.rows_of_derived_tables(),
            Theme::Changes => self.changed_rows(),
        };
        let folded = matches!(theme, Theme::Distinct | Theme::Sets | Theme::Changes);
        Large { theme, statement: Statement::new(sql, order), folded }
    }
}

fn moment(kind: Kind, n: u32) -> String {
    let sign = if n % 7 == 3 { "-" } else { "" };
    match kind {
        Kind::Year => (1970 + n % 100).to_string(),
        Kind::Date => format!("'{:04}-{:02}-{:02}'", 1980 + n % 60, 1 + n / 60 % 12, 1 + n / 720 % 28),
        Kind::DateTime6 => format!("'2020-02-{:02} 23:{:02}:01.{:06}'", 1 + n % 28, n % 60, n * 17),
        Kind::Time => format!("'{sign}{:02}:{:02}:{:02}'", n % 200, n % 60, n / 60 % 60),
        Kind::Time3 | Kind::Time6 => format!("'{sign}{:02}:59:{:02}.{:06}'", n % 90, n % 60, n * 100),
        _ => format!("'20{:02}-{:02}-{:02} {:02}:30:15'", n % 30, 1 + n / 30 % 12, 1 + n / 360 % 28, n % 24),
    }
}
