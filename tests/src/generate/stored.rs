//! What the server keeps and runs: triggers, functions, procedures, blocks of statements, sequences.

use super::kind::{KINDS, Kind};
use super::{Column, Generator, Statement, Table, exact};
use crate::compare::Order;

/// The table that triggers and routines write.
pub(super) const LOG: &str = "lg";

/// A function or a procedure.
#[derive(Clone, Debug)]
pub(super) struct Routine {
    name: String,
    parameters: Vec<Column>,
    function: bool,
}

impl Routine {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// How many routines and triggers there are at most.
const MOST: usize = 8;

/// A body is nested no deeper.
const DEPTH: u8 = 2;

/// What a body may use.
#[derive(Clone)]
struct Names {
    /// What may be read, told as the columns of a table.
    read: Table,
    /// What may be set.
    set: Vec<Column>,
    function: bool,
    /// The body of a trigger: of what, `t3 before insert`.
    trigger: String,
}

impl Generator {
    pub(super) fn create_log(&mut self) -> Statement {
        self.objects().logs = true;
        let columns = "what varchar(40), v varchar(200) character set utf8mb4";
        exact(format!("CREATE OR REPLACE TABLE {LOG} ({columns}) ENGINE=MyISAM"))
    }

    pub(super) fn stored(&mut self) -> Statement {
        let calls = !self.objects().routines.is_empty();
        match self.rng.u32(0..100) {
            0..=14 => self.trigger(),
            15..=29 => self.routine(),
            30..=39 => {
                let t = self.block_table();
                let block = self.block(&t, 0);
                exact(format!("BEGIN NOT ATOMIC {block} END"))
            }
            40..=44 => self.sequence(),
            _ if calls => self.call(),
            _ => self.routine(),
        }
    }

    /// Names for a block that has neither parameters nor rows.
    fn block_table(&mut self) -> Names {
        let read = Table { name: String::new(), columns: Vec::new(), auto: false };
        Names { read, set: Vec::new(), function: false, trigger: String::new() }
    }

    fn variable_kind(&mut self) -> Kind {
        // MariaDB keeps no zeros of ZEROFILL in all places
        match KINDS[self.rng.usize(0..KINDS.len())] {
            Kind::TinyZerofill | Kind::Year | Kind::Float => Kind::Int,
            kind => kind,
        }
    }

    fn trigger(&mut self) -> Statement {
        let triggers = &self.objects().triggers;
        let count = triggers.len();
        if count > 0 && (count >= MOST || self.rng.u8(0..4) == 0) {
            let i = self.rng.usize(0..count);
            let name = self.objects().triggers.swap_remove(i);
            return exact(match self.rng.u8(0..4) {
                0 => {
                    self.objects().triggers.push(name.clone());
                    format!(
                        "SELECT event_manipulation, action_order, action_statement, action_timing, sql_mode FROM \
                         information_schema.triggers WHERE trigger_schema = 'd' AND trigger_name = '{name}'"
                    )
                }
                _ => format!("DROP TRIGGER IF EXISTS {name}"),
            });
        }
        let t = self.table();
        let name = self.fresh("g");
        let (time, event) = (["BEFORE", "AFTER"][self.rng.usize(0..2)], self.rng.usize(0..3));
        let event = ["INSERT", "UPDATE", "DELETE"][event];
        let rows: &[&str] = match event {
            "INSERT" => &["NEW"],
            "UPDATE" => &["OLD", "NEW"],
            _ => &["OLD"],
        };
        let of = |row: &str| -> Vec<Column> {
            t.columns.iter().map(|c| Column { name: format!("{row}.{}", c.name), ..c.clone() }).collect()
        };
        let read = Table {
            name: t.name.clone(),
            columns: rows.iter().flat_map(|row| of(row)).collect(),
            auto: false,
        };
        // the key stays: another would meet rows in the order of their places
        let set = if time == "BEFORE" && event != "DELETE" { of("NEW").split_off(1) } else { Vec::new() };
        let trigger = format!("{} {} {}", t.name, time.to_lowercase(), event.to_lowercase());
        let names = Names { read, set, function: true, trigger };
        let body = if self.rng.u8(0..3) == 0 {
            self.simple_statement(&names)
        } else {
            format!("BEGIN {} END", self.block(&names, 0))
        };
        self.objects().triggers.push(name.clone());
        exact(format!("CREATE TRIGGER {name} {time} {event} ON {} FOR EACH ROW {body}", t.name))
    }

    fn routine(&mut self) -> Statement {
        let count = self.objects().routines.len();
        if count > 0 && (count >= MOST || self.rng.u8(0..5) == 0) {
            let i = self.rng.usize(0..count);
            let r = self.objects().routines.swap_remove(i);
            let kind = if r.function { "FUNCTION" } else { "PROCEDURE" };
            if self.rng.u8(0..3) == 0 {
                let name = r.name.clone();
                self.objects().routines.push(r);
                return exact(match self.rng.u8(0..3) {
                    0 => format!("SHOW CREATE {kind} {name}"),
                    1 => format!(
                        "SELECT parameter_name, parameter_mode, dtd_identifier, numeric_precision, numeric_scale FROM information_schema.parameters WHERE specific_schema = 'd' AND \
                         specific_name = '{name}' ORDER BY ordinal_position"
                    ),
                    _ => format!("ALTER {kind} {name} COMMENT 'c' SQL SECURITY INVOKER"),
                });
            }
            return exact(format!("DROP {kind} {}", r.name));
        }
        let function = self.rng.bool();
        let name = self.fresh(if function { "f" } else { "p" });
        let parameters: Vec<Column> = (0..self.rng.usize(0..4))
            .map(|i| Column { name: format!("a{i}"), kind: self.variable_kind(), nullable: true })
            .collect();
        let read = Table { name: String::new(), columns: parameters.clone(), auto: false };
        let names = Names { read, set: parameters.clone(), function, trigger: String::new() };
        let mut told = Vec::new();
        for p in &parameters {
            let way = if function { "" } else { ["IN ", "", "OUT ", "INOUT "][self.rng.usize(0..4)] };
            told.push(format!("{way}{} {}", p.name, p.kind.sql()));
        }
        let traits = ["", "DETERMINISTIC ", "READS SQL DATA ", "COMMENT 'x' "][self.rng.usize(0..4)];
        let sql = if function {
            let kind = self.variable_kind();
            let body = if self.rng.u8(0..3) == 0 {
                format!("RETURN {}", self.value(&names, kind))
            } else {
                let block = self.block(&names, 0);
                let last = self.value(&names, kind);
                format!("BEGIN {block} RETURN {last}; END")
            };
            format!("CREATE FUNCTION {name}({}) RETURNS {} {traits}{body}", told.join(", "), kind.sql())
        } else {
            let block = self.block(&names, 0);
            format!("CREATE PROCEDURE {name}({}) {traits}BEGIN {block} END", told.join(", "))
        };
        self.objects().routines.push(Routine { name, parameters, function });
        exact(sql)
    }

    /// A value for something of a kind: of what may be read, or a constant.
    fn value(&mut self, names: &Names, kind: Kind) -> String {
        let alike: Vec<&Column> = names.read.columns.iter().filter(|c| c.kind == kind).collect();
        match self.rng.u8(0..6) {
            0 | 1 if !alike.is_empty() => alike[self.rng.usize(0..alike.len())].name.clone(),
            2 | 3 if !names.read.columns.is_empty() => self.computed(names),
            4 if kind.text() => "concat(ifnull(@t, ''), 'x')".into(),
            _ => self.literal(kind, true),
        }
    }

    /// An expression of what may be read.
    fn computed(&mut self, names: &Names) -> String {
        let prefix = match names.read.columns[0].name.split_once('.') {
            // the generator of expressions names `id` by itself
            Some((row, _)) => format!("{row}."),
            None => String::new(),
        };
        let has_id = names.read.columns.iter().any(|c| c.name == format!("{prefix}id"));
        let e = self.expression(&names.read, "");
        let id = if has_id { format!(", {prefix}id)") } else { ", 7)".into() };
        e.replace(", id)", &id)
    }

    fn test(&mut self, names: &Names) -> String {
        if names.read.columns.is_empty() || self.rng.u8(0..4) == 0 {
            return ["@n > 3", "@t IS NULL", "@n <=> @h", "1", "NULL", "row_count() >= 0"]
                [self.rng.usize(0..6)]
            .into();
        }
        self.predicate(&names.read, "", 1)
    }

    fn block(&mut self, names: &Names, depth: u8) -> String {
        let mut names = names.clone();
        let mut sql = String::new();
        let level = self.rng.u16(0..1000);
        for i in 0..self.rng.usize(0..3) {
            let c = Column { name: format!("x{level}_{i}"), kind: self.variable_kind(), nullable: true };
            let default = if self.rng.bool() {
                format!(" DEFAULT {}", self.value(&names, c.kind))
            } else {
                String::new()
            };
            sql += &format!("DECLARE {} {}{default}; ", c.name, c.kind.sql());
            names.read.columns.push(c.clone());
            names.set.push(c);
        }
        let handler = match self.rng.u8(0..9) {
            0 => "CONTINUE HANDLER FOR SQLEXCEPTION",
            1 => "EXIT HANDLER FOR SQLEXCEPTION",
            2 => "CONTINUE HANDLER FOR SQLWARNING",
            3 => "CONTINUE HANDLER FOR 1062, 1048",
            4 => "EXIT HANDLER FOR SQLSTATE '45000'",
            5 => "CONTINUE HANDLER FOR NOT FOUND",
            _ => "",
        };
        if !handler.is_empty() {
            let what = match self.rng.u8(0..3) {
                0 => {
                    "GET DIAGNOSTICS CONDITION 1 @c = RETURNED_SQLSTATE, @m = MESSAGE_TEXT, @e = MYSQL_ERRNO"
                        .into()
                }
                1 => self.simple_statement(&names),
                _ => "SET @h = ifnull(@h, 0) + 1".to_string(),
            };
            sql += &format!("DECLARE {handler} {what}; ");
        }
        for _ in 0..self.rng.usize(1..4) {
            sql += &self.step(&names, depth);
            sql += "; ";
        }
        sql
    }

    /// A statement of a body, without its semicolon.
    fn step(&mut self, names: &Names, depth: u8) -> String {
        if depth >= DEPTH {
            return self.simple_statement(names);
        }
        // counts the rounds of this loop alone
        let k = format!("@k{}", self.rng.u32(0..1_000_000));
        match self.rng.u8(0..14) {
            0 | 1 => {
                let (p, a) = (self.test(names), self.step(names, depth + 1));
                let otherwise = match self.rng.u8(0..3) {
                    0 => format!(" ELSE {};", self.step(names, depth + 1)),
                    1 => format!(" ELSEIF {} THEN {};", self.test(names), self.step(names, depth + 1)),
                    _ => String::new(),
                };
                format!("IF {p} THEN {a};{otherwise} END IF")
            }
            2 => {
                let a = self.step(names, depth + 1);
                let n = self.rng.u8(1..5);
                format!("FOR i IN 1..{n} DO SET @n = i; {a}; END FOR")
            }
            3 => {
                let (a, b) = (self.step(names, depth + 1), self.step(names, depth + 1));
                let p = self.test(names);
                let c = self.rng.u8(1..4);
                format!("CASE WHEN {p} THEN {a}; WHEN @n = {c} THEN {b}; ELSE SET @n = 1; END CASE")
            }
            4 => {
                let n = self.rng.u8(1..6);
                let a = self.step(names, depth + 1);
                format!("SET {k} = 0; WHILE {k} < {n} DO SET {k} = {k} + 1; {a}; END WHILE")
            }
            5 => {
                let p = self.test(names);
                let a = self.step(names, depth + 1);
                let label = format!("l{}", self.rng.u32(0..100_000));
                format!(
                    "SET {k} = 0; {label}: LOOP SET {k} = {k} + 1; IF {k} > 3 THEN LEAVE {label}; \
                     END IF; IF {p} THEN ITERATE {label}; END IF; {a}; END LOOP"
                )
            }
            6 if names.trigger.is_empty() => {
                let t = self.table();
                let (c, p, order) = (self.any_column(&t), self.predicate(&t, "", 0), t.total_order());
                let a = self.step(names, depth + 1);
                let r = format!("r{}", self.rng.u32(0..100_000));
                format!(
                    "FOR {r} IN (SELECT id, {0} AS v FROM {1} WHERE {p} ORDER BY {order} LIMIT 5) DO SET @n = {r}.id, @t \
                     = {r}.v; {a}; END FOR",
                    c.name, t.name
                )
            }
            7 => {
                let inner = self.block(names, depth + 1);
                format!("BEGIN {inner} END")
            }
            8 => {
                let a = self.step(names, depth + 1);
                format!("SET {k} = 0; REPEAT SET {k} = {k} + 1; {a}; UNTIL {k} >= 3 END REPEAT")
            }
            _ => self.simple_statement(names),
        }
    }

    /// A statement that holds no others.
    fn simple_statement(&mut self, names: &Names) -> String {
        let settable = !names.set.is_empty();
        let readable = !names.read.columns.is_empty();
        match self.rng.u8(0..16) {
            0..=3 if settable => {
                let c = names.set[self.rng.usize(0..names.set.len())].clone();
                let v =
                    if self.rng.u8(0..9) == 0 { self.odd_literal(c.kind) } else { self.value(names, c.kind) };
                format!("SET {} = {v}", c.name)
            }
            4 | 5 => {
                let told = if readable { self.computed(names) } else { "@n".into() };
                format!("INSERT INTO {LOG} (what, v) VALUES ('{}', left({told}, 100))", names.trigger)
            }
            6 => "SET @n = ifnull(@n, 0) + 1".into(),
            7 if readable => {
                let e = self.computed(names);
                format!("SET @t = {e}")
            }
            8 => self.signal(names),
            9 if settable => {
                let t = self.table();
                let c = names.set[self.rng.usize(0..names.set.len())].clone();
                let from = t.columns.iter().find(|x| x.kind == c.kind).map_or("id", |x| &x.name).to_string();
                let order = t.total_order();
                if names.trigger.is_empty() || !c.name.starts_with("NEW") {
                    let p = self.predicate(&t, "", 0);
                    format!(
                        "SELECT {from} INTO {} FROM {} WHERE {p} ORDER BY {order} LIMIT 1",
                        c.name, t.name
                    )
                } else {
                    format!("SET {} = (SELECT {from} FROM {} ORDER BY {order} LIMIT 1)", c.name, t.name)
                }
            }
            10 if names.trigger.is_empty() => {
                let t = self.table();
                let one = std::mem::replace(&mut self.tables, vec![t]);
                let insert = self.insert();
                self.tables = one;
                insert
            }
            11 if names.trigger.is_empty() => {
                let t = self.table();
                let c = self.any_column(&t);
                if c.name == "id" {
                    return format!("DELETE FROM {} WHERE id = {}", t.name, self.rng.u16(1..400));
                }
                let v = self.value(names, c.kind);
                format!("UPDATE {} SET {} = {v} WHERE id = {}", t.name, c.name, self.rng.u16(1..400))
            }
            12 if !names.function => {
                let t = self.table();
                let one = std::mem::replace(&mut self.tables, vec![t]);
                let s = self.aggregate();
                self.tables = one;
                if s.order == Order::Exact { s.sql } else { "SELECT @n, @t, @h".into() }
            }
            13 if !names.function => {
                let told = if readable { self.computed(names) } else { "@t".into() };
                format!("SELECT {told} AS told")
            }
            14 if !names.function && !self.objects().routines.is_empty() => match self.call().sql {
                call if call.starts_with("CALL") => call,
                _ => "DO 1".into(),
            },
            15 if !names.function => {
                let t = self.table();
                let v = self.rng.u16(1..400);
                format!("EXECUTE IMMEDIATE 'SELECT count(*), ? FROM {} WHERE id < ?' USING @t, {v}", t.name)
            }
            _ => "SET @h = ifnull(@h, 0) + 1".into(),
        }
    }

    /// SIGNAL or RESIGNAL where a test holds.
    fn signal(&mut self, names: &Names) -> String {
        let p = self.test(names);
        let signal = [
            "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no', MYSQL_ERRNO = 1644",
            "SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT = 'careful'",
            "RESIGNAL",
        ];
        format!("IF {p} THEN {}; END IF", self.pick(&signal))
    }

    /// Uses a routine.
    fn call(&mut self) -> Statement {
        let routines = self.objects().routines.clone();
        let r = routines[self.rng.usize(0..routines.len())].clone();
        let mut values: Vec<String> = Vec::new();
        for p in &r.parameters {
            // whether an argument is a variable MariaDB looks at when it has converted those before
            values.push(if r.function {
                if self.rng.u8(0..8) == 0 { self.odd_literal(p.kind) } else { self.literal(p.kind, true) }
            } else {
                ["@n", "@t", "@o1", "@o2"][self.rng.usize(0..4)].into()
            });
        }
        let name = &r.name;
        if !r.function {
            self.queue.push_back(exact("SELECT @n, @t, @h, @o1, @o2, @c, @e, @m".into()));
            return exact(format!("CALL {name}({})", values.join(", ")));
        }
        if self.rng.bool() {
            return exact(format!("SELECT {name}({})", values.join(", ")));
        }
        let t = self.table();
        for (v, p) in values.iter_mut().zip(&r.parameters) {
            if let Some(c) = t.columns.iter().find(|c| c.kind == p.kind) {
                v.clone_from(&c.name);
            }
        }
        let order = t.total_order();
        exact(format!("SELECT id, {name}({}) FROM {} ORDER BY {order} LIMIT 9", values.join(", "), t.name))
    }

    fn sequence(&mut self) -> Statement {
        let n = self.rng.u8(1..4);
        let (from, by) = (self.rng.i16(-20..20), self.rng.i16(-3..5));
        let v = self.rng.i16(-50..50);
        exact(match self.rng.u8(0..9) {
            0 => format!(
                "CREATE OR REPLACE SEQUENCE q{n} START WITH {from} INCREMENT BY {by} MINVALUE -40 MAXVALUE 40 CYCLE"
            ),
            1 => format!("CREATE SEQUENCE IF NOT EXISTS q{n} NOCACHE"),
            2 => format!("DROP SEQUENCE IF EXISTS q{n}"),
            3 => format!("SELECT setval(q{n}, {v})"),
            4 => format!("SELECT lastval(q{n})"),
            5 => format!("SHOW CREATE SEQUENCE q{n}"),
            6 => format!("ALTER SEQUENCE q{n} RESTART {v}"),
            _ => format!("SELECT nextval(q{n}), NEXT VALUE FOR q{n}"),
        })
    }
}
