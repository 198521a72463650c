//! Functions of texts, dates and numbers over columns of every kind; values of unlike types as keys; tables made of them.

use super::kind::Kind;
use super::{Column, Generator, Statement, Table};
use crate::compare::Order;

impl Generator {
    pub(super) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.rng.usize(0..from.len())]
    }

    fn column_where(&mut self, t: &Table, fits: impl Fn(Kind) -> bool) -> Column {
        let all: Vec<&Column> = t.columns.iter().filter(|c| c.name != "id" && fits(c.kind)).collect();
        if all.is_empty() { t.columns[0].clone() } else { all[self.rng.usize(0..all.len())].clone() }
    }

    /// A function of a text, or of what becomes one.
    #[expect(clippy::too_many_lines, reason = "an arm for each function")]
    fn of_text(&mut self, t: &Table, p: &str) -> String {
        let c = format!("{p}{}", self.column_where(t, |k| k.text() || k.bytes()).name);
        let d = format!("{p}{}", self.any_column(t).name);
        let n = self
            .pick(&["0", "1", "2", "-1", "-3", "7", "NULL", "id", "'2'", "1.5"])
            .replace("id", &format!("{p}id"));
        let w = self.pick(&[
            "'a'",
            "'B'",
            "'ä'",
            "''",
            "' '",
            "'bc'",
            "NULL",
            "7",
            "x'41'",
            "_latin1 0xE4",
            "'%'",
        ]);
        match self.rng.u8(0..52) {
            0 => format!("concat_ws({w}, {c}, {d})"),
            1 => format!("insert(concat({c}, 'x'), {n}, 2, {w})"),
            2 => format!("instr({c}, {w})"),
            3 => format!("lpad({c}, 6, {w})"),
            4 => format!("rpad(concat({c}, 'x'), 6, {w})"),
            5 => format!("trim(both {w} from {c})"),
            6 => format!("trim(leading {w} from {c})"),
            7 => format!("trim(trailing {w} from {c})"),
            8 => format!("mid({c}, {n}, 2)"),
            9 => format!("ord({c})"),
            10 => format!("ascii({c})"),
            11 => format!("char_length({c})"),
            12 => format!("bit_length({c})"),
            13 => format!("quote(convert({c} using utf8mb4))"),
            14 => format!("repeat({c}, {n})"),
            15 => format!("replace({c}, {w}, {d})"),
            16 => format!("reverse({c})"),
            17 => format!("right({c}, {n})"),
            18 => format!("soundex({c})"),
            19 => format!("strcmp({c}, {w})"),
            20 => format!("substring_index({c}, 'b', {n})"),
            21 => format!("hex({c})"),
            22 => format!("unhex(hex({c}))"),
            23 => format!("to_base64({c})"),
            24 => format!("from_base64({c})"),
            25 => format!("crc32({c})"),
            26 => format!("md5({c})"),
            27 => format!("sha1({c})"),
            28 => format!("field({c}, {w}, {d})"),
            29 => format!("find_in_set({c}, 'a,b,abc,')"),
            30 => format!("elt({n}, {c}, {d})"),
            31 => format!("make_set({n}, {c}, 'q', {d})"),
            32 => format!(
                "{c} LIKE '{}'",
                self.pick(&["a\\%%", "%\\_%", "\\%", "%!%", "_", "__", "a_c%", "%\\\\%", "B%"])
            ),
            33 => format!(
                "{c} LIKE '{}' ESCAPE '{}'",
                self.pick(&["a!%%", "%!_%", "5!!!%", "%|%%", "!", "a!"]),
                self.pick(&["!", "|", ""])
            ),
            34 => format!("{c} NOT LIKE {d}"),
            35 => format!("{c} REGEXP '{}'", self.pick(&["^a", "b$", "[a-c]+", "x|y", "^.{2,3}$", "\\\\s"])),
            36 => format!("regexp_replace({c}, '[ab]', {w})"),
            37 => format!("regexp_instr({c}, 'b')"),
            38 => format!("regexp_substr({c}, '[a-b]+')"),
            39 => format!("cast({c} as char({}))", self.rng.u8(0..5)),
            40 => format!(
                "convert({c} using {})",
                self.pick(&["latin1", "utf8mb4", "ucs2", "binary", "utf16", "utf8mb3"])
            ),
            41 => format!("left({c}, {n})"),
            42 => format!("locate({w}, {c}, {n})"),
            43 => format!("upper({d})"),
            44 => format!("lower(concat({c}, {d}))"),
            45 => format!("{c} = {w} COLLATE utf8mb4_bin"),
            46 => format!("concat({c}, {d}, {w})"),
            47 => format!("length(concat({c}, {d}))"),
            48 => format!("space({n})"),
            49 => format!("char({n}, 66)"),
            50 => format!("cast({c} as binary(4))"),
            _ => format!("ifnull({c}, {d})"),
        }
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each function")]
    fn of_date(&mut self, t: &Table, p: &str) -> String {
        let c = self.column_where(t, |k| k.dated() || matches!(k, Kind::Time | Kind::Time3));
        let c = match self.rng.u8(0..8) {
            n if n == 0 || c.name == "id" => self
                .pick(&[
                    "'2020-02-29'",
                    "'2019-12-31 23:59:59.999999'",
                    "20200229",
                    "NULL",
                    "'10:11:12'",
                    "'0000-00-00'",
                    "20191231235959.5",
                ])
                .into(),
            _ => format!("{p}{}", c.name),
        };
        let d = format!("{p}{}", self.column_where(t, Kind::dated).name);
        let unit = self.pick(&[
            "MICROSECOND",
            "SECOND",
            "MINUTE",
            "HOUR",
            "DAY",
            "WEEK",
            "MONTH",
            "QUARTER",
            "YEAR",
            "SECOND_MICROSECOND",
            "MINUTE_MICROSECOND",
            "MINUTE_SECOND",
            "HOUR_MICROSECOND",
            "HOUR_SECOND",
            "HOUR_MINUTE",
            "DAY_MICROSECOND",
            "DAY_SECOND",
            "DAY_MINUTE",
            "DAY_HOUR",
            "YEAR_MONTH",
        ]);
        let single = self.pick(&[
            "MICROSECOND",
            "SECOND",
            "MINUTE",
            "HOUR",
            "DAY",
            "WEEK",
            "MONTH",
            "QUARTER",
            "YEAR",
        ]);
        let n = self.pick(&[
            "1",
            "-1",
            "13",
            "'1:2'",
            "'-1 2'",
            "'1 2:3'",
            "1.5",
            "'1.5'",
            "NULL",
            "'abc'",
            "''",
            "99999",
            "1e3",
            "'1-2'",
            "'1:2:3.4'",
            "-0.5",
            "'1e1'",
            "0",
            "3000000",
        ]);
        let format = self.pick(&[
            "%Y-%m-%d",
            "%a %b %c",
            "%D %e %j",
            "%H:%i:%s.%f",
            "%h %I %l %p",
            "%r %T",
            "%W %w %y %%",
            "%M %k",
            "%q",
        ]);
        match self.rng.u8(0..36) {
            0..=3 => format!("{c} + INTERVAL {n} {unit}"),
            4 | 5 => format!("date_sub({c}, INTERVAL {n} {unit})"),
            6 => format!("adddate({c}, {n})"),
            7 => format!("addtime({c}, {n})"),
            8 => format!("subtime({c}, '1:2:3')"),
            9 => format!("timestampadd({single}, {n}, {c})"),
            10 => format!("timestampdiff({single}, {c}, {d})"),
            11 => format!("extract({unit} FROM {c})"),
            12 => format!("week({c}, {})", self.rng.u8(0..8)),
            13 => format!("yearweek({c}, {})", self.rng.u8(0..8)),
            14 => format!("date_format({c}, '{format}')"),
            15 => format!("time_format({c}, '{format}')"),
            16 => format!("str_to_date({c}, '%Y-%m-%d')"),
            17 => format!("timediff({c}, {d})"),
            18 => format!("unix_timestamp({c})"),
            19 => format!("to_days({c})"),
            20 => format!("to_seconds({c})"),
            21 => format!("from_days({n})"),
            22 => format!("sec_to_time({n})"),
            23 => format!("makedate(2020, {n})"),
            24 => format!("maketime(1, 2, {n})"),
            25 => format!("period_add(202001, {n})"),
            26 => format!("last_day({c})"),
            27 => format!("dayname({c})"),
            28 => format!("quarter({c})"),
            29 => format!("microsecond({c})"),
            30 => format!("time({c})"),
            31 => format!("date({c})"),
            32 => format!("timestamp({c}, '1:2:3')"),
            33 => format!(
                "cast({c} as {})",
                self.pick(&[
                    "date",
                    "time",
                    "time(2)",
                    "datetime",
                    "datetime(3)",
                    "signed",
                    "decimal(20,3)",
                    "char"
                ])
            ),
            34 => format!("from_unixtime({p}id)"),
            _ => format!("convert_tz({c}, '+00:00', '+05:30')"),
        }
    }

    fn of_number(&mut self, t: &Table, p: &str) -> String {
        let c = format!("{p}{}", self.column_where(t, Kind::number).name);
        let d = format!("{p}{}", self.column_where(t, Kind::number).name);
        let n = self.pick(&["0", "1", "-2", "3", "NULL", "'2'", "1.5", "2e0"]);
        match self.rng.u8(0..27) {
            0 => format!("round({d}, {n})"),
            1 => format!("truncate({d}, {n})"),
            2 => format!("format({d}, 2)"),
            3 => format!("conv({d}, 10, 16)"),
            4 => format!("{c} & 6"),
            5 => format!("{c} | {d}"),
            6 => format!("~{d}"),
            7 => format!("{d} << {n}"),
            8 => format!("{c} DIV {d}"),
            9 => format!("{d} % 3"),
            10 => format!("{d} / {n}"),
            11 => format!("{d} * {n} - {c}"),
            12 => format!("-{c}"),
            13 => format!("sign({c})"),
            14 => format!("ceil({d})"),
            15 => format!("floor({d})"),
            16 => format!("bin({d})"),
            17 => format!("oct({d})"),
            18 => format!("bit_count({d})"),
            19 => format!("interval({d}, 1, 10, 100)"),
            20 => format!("cast({c} as signed)"),
            21 => format!("cast({c} as unsigned)"),
            22 => format!("cast({d} as decimal(30,3))"),
            23 => format!("{c} + {n}"),
            24 => format!("abs({c})"),
            25 => format!("mod({d}, 7)"),
            _ => format!("{d} BETWEEN {n} AND {p}id"),
        }
    }

    /// Values of unlike types made one.
    fn unlike(&mut self, t: &Table, p: &str) -> String {
        // BIT that a function gives is a number there until a temporary table holds it
        let (a, b) =
            (self.column_where(t, |k| k != Kind::Bit).name, self.column_where(t, |k| k != Kind::Bit).name);
        let (a, b) = (format!("{p}{a}"), format!("{p}{b}"));
        let v = self.pick(&["NULL", "1", "'a'", "2.5", "1e1", "TRUE"]);
        match self.rng.u8(0..10) {
            0 => format!("if({p}id % 2, {a}, {b})"),
            1 => format!("CASE WHEN {p}id % 3 = 0 THEN {a} WHEN {p}id % 3 = 1 THEN {b} ELSE {v} END"),
            2 => format!("CASE {a} WHEN {b} THEN {v} ELSE {a} END"),
            3 => format!("coalesce({a}, {b}, {v})"),
            4 => format!("ifnull({a}, {v})"),
            5 => format!("nullif({a}, {v})"),
            6 => format!("greatest({a}, {b})"),
            7 => format!("least({a}, {v})"),
            8 => format!("if({a}, {b}, {v})"),
            _ => format!("coalesce({a}, {v})"),
        }
    }

    fn of_any(&mut self, t: &Table, p: &str) -> String {
        match self.rng.u8(0..8) {
            0..=2 => self.of_text(t, p),
            3 | 4 => self.of_date(t, p),
            5 | 6 => self.of_number(t, p),
            _ => self.unlike(t, p),
        }
    }

    pub(super) fn functions(&mut self) -> Statement {
        let t = self.table();
        let name = &t.name;
        // how often a value is computed that has to be warned of is the choice of the plan, and of each function there
        let (sql, order) = match self.rng.u8(0..11) {
            0 | 1 => {
                let e = self.of_text(&t, "");
                // FIELD looks at its arguments until it has found one, there
                let order = if e.starts_with("field") { Order::Rows } else { Order::Loose };
                (format!("SELECT id, {e} FROM {name}"), order)
            }
            2 => (format!("SELECT id, {} FROM {name}", self.of_number(&t, "")), Order::Loose),
            3 | 4 => {
                let e = self.of_date(&t, "");
                (format!("SELECT id, {e} FROM {name}"), Order::Rows)
            }
            5 => (format!("SELECT id, {} FROM {name}", self.unlike(&t, "")), Order::Rows),
            6 => {
                let (e, f) = (self.of_any(&t, ""), self.of_any(&t, ""));
                (format!("SELECT {e}, {f} FROM {name} WHERE id < 200"), Order::Rows)
            }
            7 => (format!("SELECT id FROM {name} WHERE {}", self.of_text(&t, "")), Order::Rows),
            8 => {
                let (e, f) = (self.of_number(&t, ""), self.of_number(&t, ""));
                (format!("SELECT id FROM {name} WHERE {e} = {f}"), Order::Rows)
            }
            9 => (format!("SELECT count(*), count({}) FROM {name}", self.of_any(&t, "")), Order::Rows),
            _ => (
                format!("SELECT count(*) FROM (SELECT DISTINCT {} FROM {name}) d", self.unlike(&t, "")),
                Order::Rows,
            ),
        };
        Statement::new(sql, order)
    }

    /// Joins that name no columns, tables used twice, subqueries that look outwards.
    pub(super) fn composed(&mut self) -> Statement {
        let (a, b) = (self.table(), self.table());
        let (x, y) = (&a.name, &b.name);
        // the reference takes a merged table's `d IS NULL` of dates that may not be NULL for a condition of the join
        let p = format!("id > {}", self.rng.u8(0..99));
        let q = self.predicate(&b, "y.", 1);
        let (l, r) = self.alike(&a, &b);
        let kind = self.pick(&["JOIN", "LEFT JOIN", "RIGHT JOIN"]);
        let e = self.unlike(&a, "x.");
        let sql = match self.rng.u8(0..18) {
            0 => format!("SELECT * FROM {x} x {kind} {y} y USING (id)"),
            1 => format!("SELECT * FROM {x} x NATURAL {kind} {y} y"),
            2 => format!("SELECT x.*, y.id FROM {x} x {kind} {y} y ON x.{l} = y.{r} AND x.id = y.id"),
            3 => format!("SELECT * FROM {x} x {kind} {y} y USING (id) WHERE {q}"),
            4 => format!(
                "SELECT id, count(*) FROM {x} x {kind} {y} y USING (id) GROUP BY id HAVING count(*) > 0"
            ),
            5 => format!(
                "SELECT a.id, b.id FROM (SELECT * FROM {x} WHERE {p}) a {kind} (SELECT * FROM {x} WHERE id < 99) b ON a.id = b.id"
            ),
            6 => format!(
                "WITH w AS (SELECT * FROM {x} WHERE {p}) SELECT a.id, b.{l} FROM w a {kind} w b ON a.id = b.id"
            ),
            7 => format!(
                "WITH w AS (SELECT id, {l} AS k FROM {x}) SELECT id FROM w WHERE k IN (SELECT k FROM w WHERE id < 50)"
            ),
            8 => format!("SELECT id, (SELECT count(*) FROM {y} y WHERE y.id < x.id AND {q}) FROM {x} x"),
            9 => format!("SELECT id FROM {x} x WHERE (SELECT count(*) FROM {y} y WHERE y.{r} = x.{l}) > 1"),
            10 => format!("SELECT id FROM {x} x WHERE {l} = (SELECT min({r}) FROM {y} y WHERE y.id > x.id)"),
            11 => format!(
                "SELECT x.id FROM {x} x WHERE NOT EXISTS (SELECT * FROM {y} y WHERE y.id = x.id AND {q})"
            ),
            12 => format!(
                "SELECT id % 7 AS k, count(*) FROM {x} x GROUP BY k HAVING k IN (SELECT id % 5 FROM {y})"
            ),
            13 => format!(
                "SELECT d.id, x.{l} FROM {x} x JOIN (SELECT id + 1 AS id FROM {x} WHERE {p}) d ON x.id = d.id"
            ),
            14 => format!(
                "SELECT max(c) FROM (SELECT count(*) AS c FROM {x} GROUP BY id % 3 UNION ALL SELECT count(*) FROM {y}) d"
            ),
            15 => format!("SELECT id, {e} AS v FROM {x} x HAVING v IS NOT NULL"),
            16 => format!(
                "SELECT x.id FROM {x} x WHERE x.{l} IN (SELECT y.{r} FROM {y} y WHERE y.id = x.id + 1 OR {q})"
            ),
            _ => format!("SELECT id, {e} FROM {x} x WHERE id IN (SELECT id FROM {y} y WHERE {q})"),
        };
        // of many columns that a join compares the plan may look at one alone
        let order = if sql.contains("NATURAL") || sql.contains(&e) { Order::Rows } else { Order::Loose };
        Statement::new(sql, order)
    }
}
