//! The whole language: views, WITH, windows, JSON, sequences, RETURNING; with `stored`, what the server keeps and runs.

use super::kind::Kind;
use super::{Column, Generator, Statement, Table, exact, stored};
use crate::compare::Order;

/// What exists besides tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    /// Views, told as tables.
    views: Vec<Table>,
    /// The log that triggers and routines write is there.
    pub logs: bool,
    /// Triggers by name.
    pub triggers: Vec<String>,
    /// Functions and procedures.
    pub routines: Vec<stored::Routine>,
    /// Numbers names.
    pub made: usize,
}

impl Objects {
    /// Forgets what a statement did not make.
    pub fn failed(&mut self, sql: &str) {
        let made = |name: &str| sql.starts_with("CREATE ") && sql.split([' ', '(']).any(|word| word == name);
        self.views.retain(|v| !made(&v.name));
        self.triggers.retain(|t| !made(t));
        self.routines.retain(|r| !made(r.name()));
    }
}

/// How many views there are at most.
const VIEWS: usize = 6;

impl Generator {
    /// What exists besides tables, of a generator that has such.
    pub(super) fn objects(&mut self) -> &mut Objects {
        self.whole.get_or_insert_default()
    }

    /// A name that was never used.
    pub(super) fn fresh(&mut self, letter: &str) -> String {
        let objects = self.objects();
        objects.made += 1;
        format!("{letter}{}", objects.made)
    }

    pub(super) fn of_whole_language(&mut self) -> Statement {
        if !self.objects().logs {
            return self.create_log();
        }
        match self.rng.u32(0..100) {
            0..=24 => self.windows(),
            25..=36 => self.with(),
            37..=42 => self.view(),
            43..=58 => self.on_views(),
            59..=72 => self.json(),
            73..=76 => self.rows_returned(),
            77..=80 => self.prepared(),
            _ => self.stored(),
        }
    }

    /// An order of rows in which only rows that print alike are equal.
    fn whole_order(&mut self, t: &Table, prefix: &str) -> String {
        let name = |c: &Column| format!("{prefix}{}", c.name);
        let mut parts: Vec<String> = t.columns.iter().map(name).collect();
        let told = |c: &&Column| c.kind.text() || c.kind.bytes();
        parts.extend(t.columns.iter().filter(told).map(|c| format!("hex({prefix}{})", c.name)));
        for part in &mut parts {
            if self.rng.u8(0..5) == 0 {
                *part += " DESC";
            }
        }
        parts.join(", ")
    }

    /// A frame of rows; of ranges when the order is one number.
    fn frame(&mut self, number: bool) -> String {
        let unit = if number && self.rng.bool() { "RANGE" } else { "ROWS" };
        // a frame whose end lies before its beginning has rows there
        let (n, m) = (self.rng.u8(2..5), self.rng.u8(2..5));
        let (few, many) = (n.min(m), n.max(m));
        match self.rng.u8(0..11) {
            0 => format!("{unit} UNBOUNDED PRECEDING"),
            1 => format!("{unit} BETWEEN {n} PRECEDING AND {m} FOLLOWING"),
            2 => format!("{unit} BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"),
            3 => format!("{unit} BETWEEN {few} FOLLOWING AND {many} FOLLOWING"),
            4 => format!("{unit} BETWEEN {many} PRECEDING AND {few} PRECEDING"),
            5 => format!("{unit} BETWEEN UNBOUNDED PRECEDING AND {n} FOLLOWING"),
            6 => format!("{unit} {n} PRECEDING"),
            7 => format!("{unit} BETWEEN {n} PRECEDING AND CURRENT ROW"),
            8 => format!("{unit} BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"),
            9 => format!("{unit} BETWEEN {n} FOLLOWING AND UNBOUNDED FOLLOWING"),
            _ => String::new(),
        }
    }

    /// One function over a window, and the window.
    fn window(&mut self, t: &Table) -> (String, String) {
        let c = self.any_column(t);
        // what lies below zero is an error of unsigned numbers in MariaDB's ranges
        let unsigned = [Kind::TinyZerofill, Kind::SmallUnsigned, Kind::BigUnsigned].contains(&c.kind);
        let n = if c.kind.number() && !unsigned { c.name.clone() } else { "id".into() };
        let part = match self.rng.u8(0..5) {
            0 | 1 => String::new(),
            2 => "PARTITION BY id % 3".into(),
            3 => format!("PARTITION BY {}", self.simple(t)),
            _ => {
                let e = self.expression(t, "");
                format!("PARTITION BY {e}")
            }
        };
        let whole = self.rng.bool();
        let order = match (whole, self.rng.u8(0..3)) {
            (true, _) => self.whole_order(t, ""),
            (_, 0) => String::new(),
            (_, 1) => "id".into(),
            _ => format!("{n} DESC"),
        };
        // equal rows come in any order: only what is the same for all of them may be asked for
        let list: &[&str] = match (whole, order.is_empty()) {
            (true, _) => &[
                "row_number()",
                "ntile(4)",
                "lag(V, 1)",
                "lead(V)",
                "lag(V, 2)",
                "first_value(V)",
                "last_value(V)",
                "nth_value(V, 2)",
                "rank()",
            ],
            (_, true) => &["count(*)", "sum(N)", "min(N)", "max(N)", "avg(N)", "count(V)"],
            _ => &[
                "rank()",
                "dense_rank()",
                "percent_rank()",
                "cume_dist()",
                "sum(N)",
                "count(V)",
                "avg(N)",
                "min(N)",
                "max(N)",
                "bit_or(N)",
                "count(*)",
            ],
        };
        let function = self.pick(list);
        let framed = function.contains('N') || function.contains("_value") || function.contains("count");
        let frame = if framed && !order.is_empty() {
            if whole { self.frame(false) } else { self.frame(true).replace("ROWS", "RANGE") }
        } else {
            String::new()
        };
        let sorted = if order.is_empty() { String::new() } else { format!("ORDER BY {order}") };
        let v = self.any_column(t);
        let v = if matches!(v.kind, Kind::TinyZerofill | Kind::Year) { "id".into() } else { v.name };
        (function.replace('V', &v).replace('N', &n), format!("{part} {sorted} {frame}").trim().to_string())
    }

    fn windows(&mut self) -> Statement {
        let t = self.table();
        let cond = self.condition(&t, "");
        let (f, w) = self.window(&t);
        let name = &t.name;
        let sql = match self.rng.u8(0..9) {
            0 => {
                let (g, v) = self.window(&t);
                format!("SELECT id, {f} OVER ({w}) AS x, {g} OVER ({v}) AS y FROM {name}{cond}")
            }
            1 => format!(
                "SELECT id, {f} OVER w AS x, count(*) OVER w AS y FROM {name}{cond} WINDOW w AS ({w})"
            ),
            2 => format!(
                "SELECT * FROM (SELECT id, {f} OVER ({w}) AS x FROM {name}{cond}) d WHERE x IS NOT NULL"
            ),
            3 => {
                let g = self.simple(&t);
                let over = self.pick(&["ORDER BY k", "ORDER BY count(*)", "ORDER BY sum(id) DESC, k", ""]);
                let f =
                    if over.is_empty() { "sum(count(*))" } else { self.pick(&["rank()", "sum(count(*))"]) };
                format!("SELECT {g} AS k, count(*), {f} OVER ({over}) AS x FROM {name}{cond} GROUP BY k")
            }
            4 => {
                let order = self.whole_order(&t, "");
                let (up, limit) = (self.pick(&["", " DESC"]), self.rng.u8(0..20));
                format!(
                    "SELECT id, {f} OVER ({w}) AS x FROM {name}{cond} ORDER BY x{up}, {order} LIMIT {limit}"
                )
            }
            5 => format!("SELECT DISTINCT rank() OVER ({w}) AS x FROM {name}{cond}"),
            6 => {
                let m = self.pick(&[
                    "median(id)",
                    "percentile_cont(0.4) WITHIN GROUP (ORDER BY id)",
                    "percentile_disc(0.7) WITHIN GROUP (ORDER BY id DESC)",
                ]);
                let part = self.simple(&t);
                format!("SELECT {part}, {m} OVER (PARTITION BY {part}) AS x FROM {name}{cond}")
            }
            7 => {
                let b = self.table();
                let p = self.predicate(&b, "y.", 1);
                format!(
                    "SELECT x.id, count(*) OVER (PARTITION BY x.id) AS n, sum(y.id) OVER (ORDER BY x.id) AS s \
                     FROM {name} x JOIN {} y ON x.id = y.id WHERE {p}",
                    b.name
                )
            }
            _ => format!("SELECT id, {f} OVER ({w}) AS x FROM {name}{cond}"),
        };
        Statement::new(sql, Order::Loose)
    }

    /// WITH, also recursive.
    fn with(&mut self) -> Statement {
        let (a, b) = (self.table(), self.table());
        let (p, q) = (self.predicate(&a, "", 1), self.predicate(&b, "", 1));
        let (l, r) = self.alike(&a, &b);
        let n = self.rng.u8(1..30);
        let (a, b) = (a.name, b.name);
        let union = self.pick(&["UNION", "UNION ALL"]);
        let sql = match self.rng.u8(0..9) {
            0 => format!(
                "WITH x AS (SELECT id, {l} AS k FROM {a} WHERE {p}), y AS (SELECT id, {r} AS k FROM {b} WHERE {q}) \
                 SELECT x.id, y.id FROM x JOIN y ON x.k = y.k"
            ),
            1 => format!(
                "WITH RECURSIVE c AS (SELECT 1 AS n {union} SELECT n + 1 FROM c WHERE n < {n}) \
                 SELECT n, (SELECT count(*) FROM {a} WHERE id <= n) FROM c"
            ),
            2 => format!(
                "WITH RECURSIVE c (n, s) AS (SELECT 1, cast('a' AS char(40)) UNION ALL SELECT n + 1, concat(s, n) FROM c \
                 WHERE n < {n}) SELECT * FROM c"
            ),
            3 => format!(
                "WITH RECURSIVE w AS (SELECT id FROM {a} WHERE {p} UNION SELECT y.id + {n} FROM {b} y JOIN w ON \
                 y.id = w.id WHERE y.id < 400) SELECT * FROM w"
            ),
            4 => format!(
                "WITH x AS (SELECT id FROM {a} WHERE {p}), y AS (SELECT id FROM x WHERE id > {n}) SELECT count(*), \
                 (SELECT count(*) FROM x) FROM y WHERE id NOT IN (SELECT max(id) FROM x)"
            ),
            5 => format!(
                "WITH RECURSIVE w AS (SELECT {n} AS n UNION ALL SELECT n + 1 FROM w WHERE n < {n} + 9) SELECT t.id, w.n \
                 FROM {a} t RIGHT JOIN w ON t.id = w.n"
            ),
            6 => format!(
                "WITH x AS (SELECT id, {l} AS k FROM {a}), y AS (SELECT k, count(*) AS n, max(id) AS m FROM x GROUP BY \
                 k) SELECT n, m FROM y WHERE n >= (SELECT avg(n) FROM y)"
            ),
            7 => format!(
                "WITH RECURSIVE f (i, x, y) AS (SELECT 1, 0, 1 {union} SELECT i + 1, y, x + y FROM f WHERE i < {n}) SELECT \
                 * FROM f WHERE i IN (SELECT id FROM {b} WHERE {q}) OR i < 4"
            ),
            _ => format!(
                "WITH x AS (SELECT id FROM {a} WHERE {p}) SELECT * FROM x EXCEPT SELECT id FROM {b} WHERE {q}"
            ),
        };
        Statement::new(sql, Order::Loose)
    }

    /// Makes, shows or drops a view.
    fn view(&mut self) -> Statement {
        let views = &self.objects().views;
        let known = (!views.is_empty()).then_some(views.len());
        if let Some(n) = known {
            let i = self.rng.usize(0..n);
            let name = self.objects().views[i].name.clone();
            match self.rng.u8(0..10) {
                _ if n >= VIEWS => {
                    self.objects().views.remove(i);
                    return exact(format!("DROP VIEW {name}"));
                }
                0 | 1 => {
                    self.objects().views.remove(i);
                    return exact(format!("DROP VIEW {name}"));
                }
                2 => return exact(format!("SHOW CREATE VIEW {name}")),
                3 => return exact(format!("DESCRIBE {name}")),
                4 => return exact(format!("CHECK TABLE {name}")),
                5 => {
                    // of a view that is invalid MariaDB warns there
                    return Statement::new(
                        format!(
                            "SELECT is_updatable, check_option, view_definition FROM information_schema.views WHERE \
                         table_schema = 'd' AND table_name = '{name}'"
                        ),
                        Order::Rows,
                    );
                }
                _ => {}
            }
        }
        let name = self.fresh("v");
        let t = self.with_views(Generator::table);
        let p = self.predicate(&t, "", 1);
        let algorithm = self.pick(&["", "", "ALGORITHM = MERGE ", "ALGORITHM = TEMPTABLE "]);
        let id = Column { name: "id".into(), kind: Kind::Int, nullable: false };
        let mut columns = vec![id.clone()];
        let sql = match self.rng.u8(0..6) {
            0 => {
                let b = self.with_views(Generator::table);
                let (x, y) = (self.any_column(&t), self.any_column(&b));
                columns.push(Column { name: "x".into(), ..x.clone() });
                columns.push(Column { name: "y".into(), nullable: true, ..y.clone() });
                let join = self.pick(&["JOIN", "LEFT JOIN"]);
                format!(
                    "SELECT a.id, a.{} AS x, b.{} AS y FROM {} a {join} {} b ON a.id = b.id",
                    x.name, y.name, t.name, b.name
                )
            }
            1 => {
                columns.push(Column { name: "n".into(), kind: Kind::BigInt, nullable: false });
                format!("SELECT id, count(*) AS n FROM {} WHERE {p} GROUP BY id", t.name)
            }
            2 => {
                columns.push(Column { name: "e".into(), kind: Kind::VarcharUtf8, nullable: true });
                format!(
                    "SELECT id, cast({} AS char(40)) AS e FROM {} WHERE {p}",
                    self.any_column(&t).name,
                    t.name
                )
            }
            3 => {
                let b = self.table();
                format!("SELECT id FROM {} WHERE {p} UNION SELECT id FROM {}", t.name, b.name)
            }
            _ => {
                columns =
                    t.columns.iter().filter(|c| c.name == "id" || self.rng.u8(0..4) != 0).cloned().collect();
                let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
                let check = self.pick(&["", "", " WITH CHECK OPTION", " WITH LOCAL CHECK OPTION"]);
                let check = if algorithm.contains("TEMP") { "" } else { check };
                format!("SELECT {} FROM {} WHERE {p}{check}", names.join(", "), t.name)
            }
        };
        self.objects().views.push(Table { name: name.clone(), columns, auto: false });
        exact(format!("CREATE {algorithm}VIEW {name} AS {sql}"))
    }

    /// Calls `make` with the views among the tables.
    fn with_views<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let count = self.tables.len();
        let views = self.objects().views.clone();
        self.tables.extend(views);
        let made = make(self);
        self.tables.truncate(count);
        made
    }

    /// Reads and changes by way of views.
    fn on_views(&mut self) -> Statement {
        self.with_views(|g| match g.rng.u8(0..14) {
            0..=3 => g.select(),
            4 => g.aggregate(),
            5 | 6 => g.join(),
            7 => g.nested(),
            8 => g.joined(),
            9 => g.windows(),
            10 => exact(g.insert()),
            11 => g.update(),
            12 => g.delete(),
            _ => g.grouped(),
        })
    }

    /// A document, sound most of the time.
    fn document(&mut self) -> String {
        let documents = [
            r#"{"a": 1, "b": [1, 2, {"c": "x"}]}"#,
            r#"[1, 2.5, "a", null, true, [], {}]"#,
            r#"{"a": {"b": {"c": [10, 20]}}, "k": "v"}"#,
            r#"{"a":"Bär","b":"say \"hi\"","c":"\u00e4"}"#,
            r#"[[1, 2], [3, [4, 5]], "x"]"#,
            r#""text""#,
            "17",
            "-1.5e3",
            "null",
            "true",
            "[]",
            "{}",
            r#"{"a": 1"#,
            "nonsense",
            "",
            r#"[1, 2,]"#,
            r#"{"x": [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}]}"#,
        ];
        let text = self.pick(&documents).replace('\\', "\\\\");
        if self.rng.u8(0..20) == 0 { "NULL".into() } else { format!("'{text}'") }
    }

    fn path(&mut self) -> String {
        let paths = [
            "$",
            "$.a",
            "$.b",
            "$[0]",
            "$[1]",
            "$.b[2].c",
            "$.a.b",
            "$.*",
            "$[*]",
            "$**.c",
            "$.b[*]",
            "$[1][1]",
            "$.x[*].id",
            "$.x[1]",
            "$.\"a\"",
            "$.nope",
            "$[9]",
            "$.",
            "a",
            "$[last]",
            "$[-1]",
            "$[0 to 1]",
            "$.b[last-1]",
            "$.a.b.c[0]",
        ];
        format!("'{}'", self.pick(&paths))
    }

    /// One expression of JSON functions: over constants, or over columns with `t`.
    fn of_json(&mut self, t: Option<&Table>) -> String {
        let (mut p, q) = (self.path(), self.path());
        let (mut d, mut e) = (self.document(), self.document());
        let which = self.rng.u8(0..33);
        // behind `**` MariaDB's JSON_QUERY and JSON_EXISTS find names of the outermost object alone
        if matches!(which, 24 | 25) {
            p = p.replace("**", ".*");
        }
        // where MariaDB sees the fault of a document depends there on how it walks
        let walks = !matches!(which, 0 | 12 | 14 | 16..=18 | 22 | 28 | 29)
            || [&p, &q].iter().any(|p| p.contains("last") || p.contains('-'));
        for text in [&mut d, &mut e] {
            if walks && ["\": 1'", "nonsense", "''", ",]"].iter().any(|end| text.contains(end)) {
                *text = "'[1, {\"a\": 2}]'".into();
            }
        }
        let v = match t {
            Some(t) => self.any_column(t).name,
            None => ["1", "'x'", "NULL", "1.50", "'[1]'", "cast('[1]' as json)", "true"]
                [self.rng.usize(0..7)]
            .replace("cast('[1]' as json)", "json_array(1)"),
        };
        match which {
            0 => format!("json_extract({d}, {p})"),
            1 => format!("json_extract({d}, {p}, {q})"),
            2 => format!("json_set({d}, {p}, {v})"),
            3 => format!("json_insert({d}, {p}, {v}, {q}, {v})"),
            4 => format!("json_replace({d}, {p}, {v})"),
            5 => format!("json_remove({d}, {p})"),
            6 => format!("json_array_append({d}, {p}, {v})"),
            7 => format!("json_array_insert({d}, {p}, {v})"),
            8 => format!("json_contains({d}, {e})"),
            9 => format!("json_contains({d}, {e}, {p})"),
            10 => format!("json_contains_path({d}, 'one', {p}, {q})"),
            11 => format!("json_contains_path({d}, 'all', {p})"),
            12 => format!("json_keys({d})"),
            13 => format!("json_keys({d}, {p})"),
            14 => format!("json_length({d})"),
            15 => format!("json_length({d}, {p})"),
            16 => format!("json_depth({d})"),
            17 => format!("json_type({d})"),
            18 => format!("json_valid({d})"),
            19 => format!("json_merge_patch({d}, {e})"),
            20 => format!("json_merge_preserve({d}, {e})"),
            21 => format!("json_quote({v})"),
            22 => format!("json_unquote({d})"),
            23 => format!("json_value({d}, {p})"),
            24 => format!("json_query({d}, {p})"),
            25 => format!("json_exists({d}, {p})"),
            26 => format!("json_search({d}, 'all', 'x')"),
            27 => format!("json_search({d}, 'one', '%a%')"),
            28 => format!("json_compact({d})"),
            29 => format!("json_detailed({d})"),
            30 => format!("json_array({v}, {v}, {d})"),
            31 => format!("json_object('k', {v}, 'd', {d})"),
            _ => format!("json_overlaps({d}, {e})"),
        }
    }

    /// A table joined with a document, of its rows or of none.
    fn json_table(&mut self, t: &Table, cond: &str) -> Statement {
        let document = [
            "json_array(id, json_object('a', id, 'b', json_array(id, id + 1)), 'x', null)",
            "json_object('a', json_array(id % 3, id), 'b', json_array(json_array(id), json_array()))",
            "if(id % 2, json_array(id), null)",
            "'[{\"a\": 1, \"b\": [2, [3]]}, {\"b\": {\"a\": 4}}, [5, {\"a\": null}], 6]'",
            "concat('{\"a\": [', id, ', {\"b\": [', id, ', 1]}]}')",
        ][self.rng.usize(0..5)];
        let paths = ["$", "$[*]", "$.a[*]", "$.b[*]", "$.*", "$[1]", "$.b[0]"];
        let mut path = || paths[self.rng.usize(0..paths.len())];
        let (rows, nested, beside, of) = (path(), path(), path(), path());
        let response =
            ["", " NULL ON EMPTY", " DEFAULT '-1' ON EMPTY", " DEFAULT '-2' ON EMPTY DEFAULT '-3' ON ERROR"]
                [self.rng.usize(0..4)];
        let ty = ["json", "varchar(60)", "text"][self.rng.usize(0..3)];
        let columns = format!(
            "o FOR ORDINALITY, x {ty} PATH '{of}'{response}, e int EXISTS PATH '{nested}', \
             NESTED PATH '{nested}' COLUMNS (p FOR ORDINALITY, y json PATH '$'), \
             NESTED PATH '{beside}' COLUMNS (z json PATH '{of}', NESTED PATH '$[*]' COLUMNS (q FOR ORDINALITY))"
        );
        let (join, on) =
            [(", ", ""), (" STRAIGHT_JOIN ", ""), (" LEFT JOIN ", " ON o > 1"), (" LEFT JOIN ", " ON p = o")]
                [self.rng.usize(0..4)];
        let list =
            ["id, o, x, e, p, y, z, q", "id, count(*), max(o), sum(p), count(z)"][self.rng.usize(0..2)];
        let group = if list.contains("count") { " GROUP BY id" } else { "" };
        Statement::new(
            format!(
                "SELECT {list} FROM {}{join}json_table({document}, '{rows}' COLUMNS ({columns})) j{on}{cond}{group}",
                t.name
            ),
            Order::Loose,
        )
    }

    fn json(&mut self) -> Statement {
        let t = self.table();
        let cond = self.condition(&t, "");
        match self.rng.u8(0..8) {
            6 | 7 => self.json_table(&t, &cond),
            0 => {
                let e = self.of_json(Some(&t));
                Statement::new(format!("SELECT id, {e} AS j FROM {}{cond}", t.name), Order::Loose)
            }
            1 => {
                let order = self.whole_order(&t, "");
                // of other character sets MariaDB gives bytes that are no text
                let c = self.any_column(&t);
                let latin = [Kind::VarcharUcs2, Kind::VarcharLatin1, Kind::LongText, Kind::Enum, Kind::Set];
                let c = if latin.contains(&c.kind) { "id".into() } else { c.name };
                Statement::new(
                    format!("SELECT json_arrayagg({c} ORDER BY {order}) AS j FROM {}{cond}", t.name),
                    Order::Loose,
                )
            }
            2 => {
                // of other character sets MariaDB gives bytes that are no text
                let c = self.any_column(&t);
                let latin = [Kind::VarcharUcs2, Kind::VarcharLatin1, Kind::LongText, Kind::Enum, Kind::Set];
                let c = if latin.contains(&c.kind) { "id".into() } else { c.name };
                Statement::new(
                    format!(
                        "SELECT id, json_objectagg(id, {c}) AS j FROM {}{cond} GROUP BY id, hex({c})",
                        t.name
                    ),
                    Order::Loose,
                )
            }
            _ => {
                let list: Vec<String> = (0..self.rng.usize(1..4))
                    .map(|i| {
                        let e = self.of_json(None);
                        format!("{e} AS j{i}")
                    })
                    .collect();
                exact(format!("SELECT {}", list.join(", ")))
            }
        }
    }

    /// INSERT, REPLACE and DELETE that return rows.
    fn rows_returned(&mut self) -> Statement {
        let t = self.table();
        let e = self.expression(&t, "");
        if self.rng.bool() {
            let (p, c) = (self.predicate(&t, "", 0), self.any_column(&t).name);
            return Statement::new(
                format!("DELETE FROM {} WHERE {p} AND id % 3 = 0 RETURNING id, {c}, {e} AS e", t.name),
                Order::Any,
            );
        }
        let one = std::mem::replace(&mut self.tables, vec![t.clone()]);
        let insert = self.insert();
        self.tables = one;
        exact(format!("{insert} RETURNING id, {e} AS e"))
    }

    /// Statements prepared by SQL, with variables.
    fn prepared(&mut self) -> Statement {
        let t = self.table();
        let c = self.any_column(&t);
        // a literal of bits is text as a parameter in MariaDB
        let c = if c.kind == Kind::Bit { t.columns[0].clone() } else { c };
        let (v, w) = (self.literal(c.kind, true), self.literal(c.kind, true));
        let compare = self.pick(&["=", "<=>", ">", "<", "<>"]);
        let text = format!("SELECT id, ? FROM {} WHERE {} {compare} ?", t.name, c.name);
        if self.rng.bool() {
            return Statement::new(format!("EXECUTE IMMEDIATE '{text}' USING {v}, {w}"), Order::Loose);
        }
        for sql in [
            format!("SET @p = {v}, @q = {w}"),
            "EXECUTE s USING @p, @q".into(),
            "EXECUTE s USING @q, @p".into(),
        ] {
            self.queue.push_back(Statement::new(sql, Order::Loose));
        }
        exact(format!("PREPARE s FROM '{text}'"))
    }
}
