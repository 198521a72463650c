//! Random statements over random tables, for two servers to agree on.
//!
//! Everything is a function of the seed. Statements stay inside what has one right answer: rows
//! are ordered by every column where LIMIT cuts, rows of statements that may fail half way are
//! visited in one order only.

use crate::compare::Order;
use fastrand::Rng;
use std::fmt::Write as _;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    TinyInt,
    SmallUnsigned,
    Int,
    BigInt,
    BigUnsigned,
    Decimal,
    Double,
    VarcharUtf8,
    VarcharLatin1,
    Char,
    Varbinary,
    Text,
    Date,
    DateTime,
    Time,
    Enum,
    Year,
}

const KINDS: [Kind; 17] = [
    Kind::TinyInt,
    Kind::SmallUnsigned,
    Kind::Int,
    Kind::BigInt,
    Kind::BigUnsigned,
    Kind::Decimal,
    Kind::Double,
    Kind::VarcharUtf8,
    Kind::VarcharLatin1,
    Kind::Char,
    Kind::Varbinary,
    Kind::Text,
    Kind::Date,
    Kind::DateTime,
    Kind::Time,
    Kind::Enum,
    Kind::Year,
];

impl Kind {
    fn sql(self) -> &'static str {
        match self {
            Kind::TinyInt => "tinyint",
            Kind::SmallUnsigned => "smallint unsigned",
            Kind::Int => "int",
            Kind::BigInt => "bigint",
            Kind::BigUnsigned => "bigint unsigned",
            Kind::Decimal => "decimal(10,2)",
            Kind::Double => "double",
            Kind::VarcharUtf8 => "varchar(24) character set utf8mb4 collate utf8mb4_general_ci",
            Kind::VarcharLatin1 => "varchar(12) character set latin1",
            Kind::Char => "char(10) character set utf8mb4 collate utf8mb4_general_ci",
            Kind::Varbinary => "varbinary(16)",
            Kind::Text => "text character set utf8mb4 collate utf8mb4_general_ci",
            Kind::Date => "date",
            Kind::DateTime => "datetime",
            Kind::Time => "time",
            Kind::Enum => "enum('red','green','blue')",
            Kind::Year => "year",
        }
    }

    fn number(self) -> bool {
        matches!(
            self,
            Kind::TinyInt
                | Kind::SmallUnsigned
                | Kind::Int
                | Kind::BigInt
                | Kind::BigUnsigned
                | Kind::Decimal
        )
    }

    fn text(self) -> bool {
        matches!(self, Kind::VarcharUtf8 | Kind::VarcharLatin1 | Kind::Char | Kind::Text | Kind::Enum)
    }
}

#[derive(Clone, Debug)]
struct Column {
    name: String,
    kind: Kind,
    nullable: bool,
}

#[derive(Clone, Debug)]
struct Table {
    name: String,
    columns: Vec<Column>,
    auto: bool,
}

/// A statement and how its rows are to be compared.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The text.
    pub sql: String,
    /// The comparison.
    pub order: Order,
}

/// Makes statements.
pub struct Generator {
    rng: Rng,
    tables: Vec<Table>,
    made: usize,
}

impl Generator {
    /// A generator; the same seed gives the same statements.
    #[must_use]
    pub fn new(seed: u64) -> Generator {
        Generator { rng: Rng::with_seed(seed), tables: Vec::new(), made: 0 }
    }

    /// The tables that exist by now.
    #[must_use]
    pub fn tables(&self) -> Vec<String> {
        self.tables.iter().map(|t| t.name.clone()).collect()
    }

    /// The next statement.
    pub fn next_statement(&mut self) -> Statement {
        if self.tables.len() < 3 {
            return exact(self.create_table());
        }
        match self.rng.u32(0..1000) {
            0..=339 => exact(self.insert()),
            340..=439 => self.update(),
            440..=489 => self.delete(),
            490..=769 => self.select(),
            770..=869 => self.aggregate(),
            870..=939 => self.join(),
            940..=959 => self.scalar(),
            960..=979 => exact(self.broken()),
            980..=992 => exact(self.ddl()),
            993..=995 => {
                let t = self.table().name.clone();
                exact(format!("TRUNCATE TABLE {t}"))
            }
            996 => {
                let i = self.rng.usize(0..self.tables.len());
                let t = self.tables.remove(i);
                exact(format!("DROP TABLE {}", t.name))
            }
            _ => {
                let t = self.table().name.clone();
                exact(format!("SHOW CREATE TABLE {t}"))
            }
        }
    }

    fn table(&mut self) -> Table {
        let i = self.rng.usize(0..self.tables.len());
        self.tables[i].clone()
    }

    fn create_table(&mut self) -> String {
        self.made += 1;
        let name = format!("t{}", self.made);
        let auto = self.rng.bool();
        let mut columns = vec![Column { name: "id".into(), kind: Kind::Int, nullable: false }];
        for i in 0..self.rng.usize(2..8) {
            let kind = KINDS[self.rng.usize(0..KINDS.len())];
            columns.push(Column { name: format!("c{i}"), kind, nullable: self.rng.u8(0..3) != 0 });
        }
        let mut sql = format!("CREATE TABLE {name} (");
        for c in &columns {
            let null = if c.nullable { "" } else { " NOT NULL" };
            let more = if auto && c.name == "id" { " AUTO_INCREMENT" } else { "" };
            let _ = write!(sql, "{} {}{null}{more}, ", c.name, c.kind.sql());
        }
        sql += if auto || self.rng.bool() { "PRIMARY KEY (id)" } else { "KEY (id)" };
        for i in 0..self.rng.usize(0..4) {
            let unique = self.rng.u8(0..6) == 0;
            let mut parts = Vec::new();
            for _ in 0..self.rng.usize(1..3) {
                let c = &columns[self.rng.usize(0..columns.len())];
                let part = match c.kind {
                    Kind::Text => format!("{}(10)", c.name),
                    Kind::VarcharUtf8 if self.rng.u8(0..4) == 0 => format!("{}(3)", c.name),
                    _ => c.name.clone(),
                };
                if !parts.iter().any(|p: &String| p.split('(').next() == part.split('(').next()) {
                    parts.push(part);
                }
            }
            let _ =
                write!(sql, ", {} k{i} ({})", if unique { "UNIQUE KEY" } else { "KEY" }, parts.join(", "));
        }
        sql += ") ENGINE=MyISAM DEFAULT CHARSET=latin1";
        sql += ["", " PACK_KEYS=1", " PACK_KEYS=0", " CHECKSUM=1", " ROW_FORMAT=FIXED"][match self
            .rng
            .u8(0..8)
        {
            n @ 1..=3 => n as usize,
            4 if columns.iter().all(|c| c.kind != Kind::Text) => 4,
            _ => 0,
        }];
        self.tables.push(Table { name, columns, auto });
        sql
    }

    fn literal(&mut self, kind: Kind, nullable: bool) -> String {
        if nullable && self.rng.u8(0..7) == 0 {
            return "NULL".into();
        }
        let words = [
            "a", "A", "abc", "ABC ", "b", "bob", "Bär", "baz", "", " ", "zz", "hello", "Hello", "x y", "ß",
            "ss", "10", "2x",
        ];
        match kind {
            Kind::TinyInt => self.rng.i32(-20..20).to_string(),
            Kind::SmallUnsigned => self.rng.i32(0..300).to_string(),
            Kind::Int | Kind::BigInt => self.rng.i32(-60..60).to_string(),
            Kind::BigUnsigned => match self.rng.u8(0..12) {
                0 => "18446744073709551615".into(),
                1 => "9223372036854775808".into(),
                _ => self.rng.u32(0..100).to_string(),
            },
            Kind::Decimal => format!("{}.{:02}", self.rng.i32(-300..300), self.rng.u8(0..100)),
            Kind::Double => {
                ["0", "1.5", "-2.25", "1e10", "3.125", "-0.5", "100", "1e-3"][self.rng.usize(0..8)].into()
            }
            Kind::VarcharUtf8 | Kind::VarcharLatin1 | Kind::Char | Kind::Text | Kind::Varbinary => {
                format!("'{}'", words[self.rng.usize(0..words.len())])
            }
            Kind::Date => {
                format!("'20{:02}-{:02}-{:02}'", self.rng.u8(0..30), self.rng.u8(1..13), self.rng.u8(1..29))
            }
            Kind::DateTime => format!(
                "'20{:02}-{:02}-{:02} {:02}:{:02}:{:02}'",
                self.rng.u8(0..30),
                self.rng.u8(1..13),
                self.rng.u8(1..29),
                self.rng.u8(0..24),
                self.rng.u8(0..60),
                self.rng.u8(0..60)
            ),
            Kind::Time => {
                format!("'{:02}:{:02}:{:02}'", self.rng.u8(0..30), self.rng.u8(0..60), self.rng.u8(0..60))
            }
            Kind::Enum => ["'red'", "'green'", "'blue'"][self.rng.usize(0..3)].into(),
            Kind::Year => (1990 + self.rng.u32(0..60)).to_string(),
        }
    }

    /// A literal that may not fit: too long, too large, of another type.
    fn odd_literal(&mut self) -> String {
        let odd = [
            "300",
            "-1",
            "'abc'",
            "'12abc'",
            "99999999999",
            "'2020-02-30'",
            "1.005",
            "'purple'",
            "'a very long string indeed, longer than any column'",
            "''",
            "NULL",
            "1e40",
            "'0000-00-00'",
            "x'4142'",
            "'-5'",
            "1/3",
        ];
        odd[self.rng.usize(0..odd.len())].into()
    }

    fn insert(&mut self) -> String {
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
        if self.rng.u8(0..15) == 0 {
            let from = self.table();
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
            let order: Vec<&str> = from.columns.iter().map(|c| c.name.as_str()).collect();
            let _ = write!(
                sql,
                "SELECT {} FROM {} ORDER BY {} LIMIT {}",
                picks.join(", "),
                from.name,
                order.join(", "),
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
                    1 => self.odd_literal(),
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
            let v = if c.kind.number() && self.rng.bool() {
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

    fn predicate(&mut self, t: &Table, prefix: &str, depth: u8) -> String {
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

    fn condition(&mut self, t: &Table, prefix: &str) -> String {
        if self.rng.u8(0..6) == 0 {
            String::new()
        } else {
            format!(" WHERE {}", self.predicate(t, prefix, 2))
        }
    }

    fn update(&mut self) -> Statement {
        let t = self.table();
        let c = t.columns[self.rng.usize(0..t.columns.len())].clone();
        let value = match self.rng.u8(0..8) {
            0 if c.kind.number() => format!("{} * 2", c.name),
            1 if c.kind.number() => format!("{} - 1", c.name),
            2 if c.kind.text() => format!("concat({}, 'x')", c.name),
            3 => self.odd_literal(),
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

    fn delete(&mut self) -> Statement {
        let t = self.table();
        let order: Vec<&str> = t.columns.iter().map(|c| c.name.as_str()).collect();
        let cond = self.condition(&t, "");
        exact(if self.rng.bool() {
            format!("DELETE FROM {}{cond} ORDER BY {} LIMIT {}", t.name, order.join(", "), self.rng.u8(0..9))
        } else {
            format!("DELETE FROM {} WHERE {} AND id % 3 = 0", t.name, self.predicate(&t, "", 1))
        })
    }

    fn expression(&mut self, t: &Table, prefix: &str) -> String {
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
        } else if matches!(c.kind, Kind::Date | Kind::DateTime) {
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

    fn select(&mut self) -> Statement {
        let t = self.table();
        let cond = self.condition(&t, "");
        let order: Vec<String> = t
            .columns
            .iter()
            .map(|c| if self.rng.u8(0..4) == 0 { format!("{} DESC", c.name) } else { c.name.clone() })
            .collect();
        match self.rng.u8(0..6) {
            0 => Statement { sql: format!("SELECT * FROM {}{cond}", t.name), order: Order::Any },
            1 => {
                let sql = format!("SELECT DISTINCT {} FROM {}{cond}", self.simple(&t), t.name);
                Statement { sql, order: Order::Any }
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
                Statement {
                    sql: format!("SELECT {} FROM {}{cond}", list.join(", "), t.name),
                    order: Order::Any,
                }
            }
        }
    }

    /// A column whose equal values also print alike.
    fn simple(&mut self, t: &Table) -> String {
        let plain: Vec<&Column> =
            t.columns.iter().filter(|c| !c.kind.text() || c.kind == Kind::Enum).collect();
        plain[self.rng.usize(0..plain.len())].name.clone()
    }

    fn aggregate(&mut self) -> Statement {
        let t = self.table();
        let cond = self.condition(&t, "");
        let c = t.columns[self.rng.usize(0..t.columns.len())].clone();
        let n = if c.kind.number() { c.name.clone() } else { "id".into() };
        let aggregates = [
            "count(*)".to_string(),
            format!("count({})", c.name),
            format!("sum({n})"),
            format!("avg({n})"),
            format!("min({n})"),
            format!("max({n})"),
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
                Statement {
                    sql: format!("SELECT {g}, {} FROM {}{cond} GROUP BY {g}", list.join(", "), t.name),
                    order: Order::Any,
                }
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

    fn join(&mut self) -> Statement {
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
        Statement { sql, order: Order::Any }
    }

    fn scalar(&mut self) -> Statement {
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

    fn broken(&mut self) -> String {
        let t = self.table();
        let pool = [
            format!("SELECT nope FROM {}", t.name),
            format!("SELECT * FROM {} WHERE nope = 1", t.name),
            "SELECT * FROM missing".into(),
            format!("SELEC * FROM {}", t.name),
            format!("SELECT * FROM {} ORDER BY", t.name),
            format!("INSERT INTO {} (id, id) VALUES (1, 2)", t.name),
            format!("INSERT INTO {} (id) VALUES (1, 2)", t.name),
            format!("INSERT INTO {} (nope) VALUES (1)", t.name),
            format!("CREATE TABLE {} (a int)", t.name),
            "DROP TABLE missing".into(),
            "DROP TABLE IF EXISTS missing".into(),
            format!("ALTER TABLE {} ADD COLUMN id int", t.name),
            format!("ALTER TABLE {} DROP COLUMN nope", t.name),
            format!("UPDATE {} SET nope = 1", t.name),
            format!("SELECT id FROM {0} x, {0} y", t.name),
            "SELECT unknown_function(1)".into(),
            "SELECT 1 FROM dual WHERE".into(),
            "USE nowhere".into(),
            "SET nonsense_variable = 1".into(),
            format!("SELECT sum(id), nope FROM {}", t.name),
            "SELECT 'unclosed".into(),
        ];
        pool[self.rng.usize(0..pool.len())].clone()
    }

    fn ddl(&mut self) -> String {
        let i = self.rng.usize(0..self.tables.len());
        self.made += 1;
        let made = self.made;
        let t = &mut self.tables[i];
        match self.rng.u8(0..6) {
            0 => {
                let kind = KINDS[self.rng.usize(0..KINDS.len())];
                let column = Column { name: format!("n{made}"), kind, nullable: true };
                let sql = format!("ALTER TABLE {} ADD COLUMN {} {}", t.name, column.name, kind.sql());
                t.columns.push(column);
                sql
            }
            1 => {
                let c = &t.columns[self.rng.usize(0..t.columns.len())];
                let part = if c.kind == Kind::Text { format!("{}(5)", c.name) } else { c.name.clone() };
                format!("ALTER TABLE {} ADD KEY x{made} ({part})", t.name)
            }
            2 => format!("ALTER TABLE {} COMMENT='number {made}'", t.name),
            3 => format!("CREATE INDEX i{made} ON {} (id)", t.name),
            4 => {
                let old = std::mem::replace(&mut t.name, format!("r{made}"));
                format!("RENAME TABLE {old} TO {}", t.name)
            }
            _ => format!("ALTER TABLE {} ENGINE=MyISAM", t.name),
        }
    }
}

fn exact(sql: String) -> Statement {
    Statement { sql, order: Order::Exact }
}
