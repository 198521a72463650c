//! Random statements over random tables, for two servers to agree on.
//!
//! Everything is a function of the seed. Statements stay inside what has one right answer: rows
//! are ordered by every column where LIMIT cuts, rows of statements that may fail half way are
//! visited in one order only.

mod alter;
mod change;
mod functions;
mod kind;
mod large;
mod mixed;
mod query;
mod repeated;
mod stored;
mod whole;
mod wide;

use crate::compare::Order;
pub use large::{Large, Theme};

use fastrand::Rng;
use kind::{KINDS, Kind, PLAIN_KINDS};
use std::collections::VecDeque;
use std::fmt::Write as _;

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

impl Table {
    /// An order of rows in which texts that are equal are not.
    fn total_order(&self) -> String {
        let texts = self.columns.iter().filter(|c| c.kind.text()).map(|c| format!("hex({})", c.name));
        let parts: Vec<String> = self.columns.iter().map(|c| c.name.clone()).chain(texts).collect();
        parts.join(", ")
    }
}

/// A statement and how its rows are to be compared.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The text.
    pub sql: String,
    /// The comparison.
    pub order: Order,
    /// Values of its `?`: it goes through the binary protocol then.
    pub params: Option<Vec<mysql::Value>>,
    /// What the client sends for LOAD DATA LOCAL.
    pub data: Option<Vec<u8>>,
}

impl Statement {
    fn new(sql: String, order: Order) -> Statement {
        Statement { sql, order, params: None, data: None }
    }
}

/// Makes statements.
pub struct Generator {
    rng: Rng,
    tables: Vec<Table>,
    /// As they were before the last statement.
    before: Vec<Table>,
    made: usize,
    /// `sql_mode` is the usual one.
    plain: bool,
    /// The wider language and the wider column types, too.
    wide: bool,
    /// Views, triggers, routines, windows, WITH and JSON, too.
    whole: Option<whole::Objects>,
    /// `ISAMBARD_FOCUS`: mostly functions, ALTER and statements said again.
    focus: bool,
    /// Statements that follow the last one.
    queue: VecDeque<Statement>,
    /// Statements that are said again, with the columns that their parameters are for.
    kept: Vec<(Statement, Vec<Column>)>,
}

impl Generator {
    /// A generator; the same seed gives the same statements. `wide` adds the wider language and more column types.
    #[must_use]
    pub fn new(seed: u64, wide: bool) -> Generator {
        Generator {
            rng: Rng::with_seed(seed),
            tables: Vec::new(),
            before: Vec::new(),
            made: 0,
            plain: true,
            wide,
            whole: None,
            focus: std::env::var_os("ISAMBARD_FOCUS").is_some(),
            queue: VecDeque::new(),
            kept: Vec::new(),
        }
    }

    /// A generator of the whole language: the wider one with views, triggers, routines, windows, WITH and JSON.
    #[must_use]
    pub fn whole(seed: u64) -> Generator {
        Generator { whole: Some(whole::Objects::default()), ..Generator::new(seed, true) }
    }

    /// The tables that exist by now.
    #[must_use]
    pub fn tables(&self) -> Vec<String> {
        let log = self.whole.as_ref().filter(|w| w.logs).map(|_| stored::LOG.to_string());
        self.tables.iter().map(|t| t.name.clone()).chain(log).collect()
    }

    /// A table that is gone.
    pub fn forget(&mut self, name: &str) {
        self.tables.retain(|t| t.name != name);
        if let Some(whole) = self.whole.as_mut().filter(|_| name == stored::LOG) {
            whole.logs = false;
        }
    }

    /// A statement failed: what it was to make is not there.
    pub fn failed(&mut self, sql: &str) {
        if let Some(whole) = &mut self.whole {
            whole.failed(sql);
        }
    }

    /// The last statement changed no table.
    pub fn undo(&mut self) {
        self.tables.clone_from(&self.before);
    }

    /// The next statement.
    pub fn next_statement(&mut self) -> Statement {
        self.before.clone_from(&self.tables);
        if self.tables.len() < 3 {
            return exact(self.create_table());
        }
        if let Some(next) = self.queue.pop_front() {
            return next;
        }
        if self.whole.is_some() && self.rng.bool() {
            return self.of_whole_language();
        }
        if self.wide && self.focus && self.rng.u8(0..10) < 6 {
            return self.more();
        }
        if self.wide && self.rng.u8(0..10) < 4 {
            return match self.rng.u8(0..6) {
                0 => self.mixed(),
                1 | 2 => self.more(),
                _ => self.wide(),
            };
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

    /// Functions over all types still have differences: they come with `ISAMBARD_FOCUS` alone.
    fn more(&mut self) -> Statement {
        match self.rng.u8(if self.focus { 0..10 } else { 4..10 }) {
            0..=3 => self.functions(),
            4..=6 => self.repeated(),
            7 | 8 => self.composed(),
            _ => self.altered(),
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
            let kind = KINDS[self.rng.usize(0..if self.wide { KINDS.len() } else { PLAIN_KINDS })];
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
                    k if k.long() => format!("{}(10)", c.name),
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
            4 if columns.iter().all(|c| !c.kind.long()) => 4,
            _ => 0,
        }];
        self.tables.push(Table { name, columns, auto });
        sql
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
                let kind = KINDS[self.rng.usize(0..if self.wide { KINDS.len() } else { PLAIN_KINDS })];
                let column = Column { name: format!("n{made}"), kind, nullable: true };
                let sql = format!("ALTER TABLE {} ADD COLUMN {} {}", t.name, column.name, kind.sql());
                t.columns.push(column);
                sql
            }
            1 => {
                let c = &t.columns[self.rng.usize(0..t.columns.len())];
                let part = if c.kind.long() { format!("{}(5)", c.name) } else { c.name.clone() };
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
    Statement::new(sql, Order::Exact)
}
