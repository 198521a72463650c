//! Random statements on Isambard and MariaDB: rows, affected rows, errors, warnings agree.
//!
//! `ISAMBARD_STATEMENTS` sets how many (unless told 4,000, and 1,500 of the wider and the whole language; when
//! `ISAMBARD_SOAK` is set ten times as many, and 200,000 of the whole language), `ISAMBARD_SEED` which of them (no seed has the statements of another); `ISAMBARD_TRACE` is a file for the statements of the
//! last seed, `ISAMBARD_FIRST` begins at the seed that a report names, `ISAMBARD_FOCUS` makes mostly the newest kinds of statements.

use isambard_tests::compare::{Answer, Order, ask, ask_with, difference, forget_row, nameless};
use isambard_tests::generate::{Generator, Statement};
use isambard_tests::known;
use isambard_tests::peers::{Peer, oracle_present};
use mysql::prelude::Queryable;
use std::io::Write as _;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// The tables a statement names, for the report.
fn definitions(conn: &mut mysql::Conn, generator: &Generator, sql: &str) -> String {
    let words: Vec<&str> = sql.split(|c: char| !c.is_alphanumeric()).collect();
    let mut out = String::new();
    for (kind, column) in [("PROCEDURE", 2), ("FUNCTION", 2), ("TRIGGER", 2), ("VIEW", 1)] {
        let list = match kind {
            "TRIGGER" => {
                "SELECT trigger_name, event_object_table FROM information_schema.triggers".to_string()
            }
            "VIEW" => {
                "SELECT table_name, table_name FROM information_schema.tables WHERE table_type = 'VIEW'"
                    .into()
            }
            _ => format!(
                "SELECT routine_name, routine_name FROM information_schema.routines WHERE routine_type = '{kind}'"
            ),
        };
        for row in ask(conn, &list).rows {
            let [Some(name), Some(word)] = &row[..] else { continue };
            if words.contains(&word.as_str()) {
                let text = ask(conn, &format!("SHOW CREATE {kind} {name}")).rows;
                let text = text.first().and_then(|r| r[column].clone()).unwrap_or_default();
                out += &format!("\n    {}", text.replace('\n', " "));
            }
        }
    }
    for t in generator.tables().iter().filter(|t| words.contains(&t.as_str())) {
        for row in ask(conn, &format!("SHOW CREATE TABLE {t}")).rows {
            let text = row.last().cloned().flatten().unwrap_or_default().replace("\n  ", " ");
            out += &format!("\n    {}", text.replace('\n', " "));
        }
    }
    out
}

/// Whether MariaDB contradicts itself: asked in another way for the same rows it gives ours.
///
/// - Without the merge of indexes: of a prefix of a TEXT it leaves out rows, as in `c <=> '' OR id <= 107` with keys on
///   `c(10)` and `id`.
/// - Without conditions on entries of keys: of a join of two VARCHAR(12) in latin1 by a key on `(c1, c2)`, with `c2 <> 1.5`, it leaves
///   out rows.
/// - Without keys: `c0 = 3000.5e0` of a DATETIME finds 0000-00-00 where `c0` has no key, `c0 BETWEEN 'A' AND 'a'` of a VARCHAR in
///   utf8mb4_bin all that lies between.
/// - As numbers: `count(distinct c)` of a BIT of a view is less than `count(distinct 0+c)`.
/// - By way of a temporary table: `SELECT coalesce(binary, ucs2)` is announced as bytes, HEX shows 0062006F0062, SELECT
///   DISTINCT sends these bytes, and yet 'bob' is what the statement itself sends.
/// - Without NO_ZERO_DATE: `d` is 0000-00-00 and NOT NULL; under that mode IFNULL(d, d) is 0000-00-00, as is IFNULL(d, @x),
///   but IFNULL(d, TIMESTAMP'2023-04-07 20:14:28') is 2023-04-07 20:14:28, and so is IFNULL(d, ?).
fn by_another_way(
    our_conn: &mut mysql::Conn,
    theirs: &mut mysql::Conn,
    s: &Statement,
    ours: &Answer,
) -> bool {
    if !(s.sql.starts_with("SELECT") || s.sql.starts_with("WITH")) || s.sql.contains(":=") {
        return false;
    }
    let sql = format!(
        "SET STATEMENT optimizer_switch = 'index_merge=off,index_condition_pushdown=off' FOR {}",
        s.sql
    );
    let mut again = ask_with(theirs, &sql, s.params.as_deref());
    again.warnings.iter_mut().for_each(nameless);
    // the warnings that are told after the next statement are those of the last one
    let _ = ask_with(our_conn, &s.sql, s.params.as_deref());
    if difference(ours, &again, s.order).is_none() {
        return true;
    }
    for sql in [known::without_keys(theirs, &s.sql), known::counted_as_numbers(&s.sql)].into_iter().flatten()
    {
        let again = ask_with(theirs, &sql, s.params.as_deref());
        if sorted(&ours.rows) == sorted(&again.rows) {
            return true;
        }
    }
    let merged = ["coalesce(", "ifnull(", "if(", "CASE "].iter().any(|f| s.sql.contains(f));
    if merged && s.params.is_none() && ours.types.iter().any(|t| t.ends_with(BYTES)) {
        let sql = format!("SELECT * FROM ({} LIMIT 18446744073709551615) d", s.sql);
        let stored = ask(theirs, &sql);
        return sorted(&ours.rows) == sorted(&stored.rows);
    }
    let zero = |v: &Option<String>| v.as_ref().is_some_and(|v| v.contains("0000-00-00"));
    if ["coalesce(", "ifnull("].iter().any(|f| s.sql.contains(f)) && ours.rows.iter().flatten().any(zero) {
        let sql = format!("SET STATEMENT sql_mode = '' FOR {}", s.sql);
        return sorted(&ours.rows) == sorted(&ask_with(theirs, &sql, s.params.as_deref()).rows);
    }
    false
}

/// How the type of bytes ends: their character set.
const BYTES: &str = " 63";

fn sorted(rows: &[Vec<Option<String>>]) -> Vec<&Vec<Option<String>>> {
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort();
    rows
}

/// Whether rows come in the same order but for texts that are equal in their collation: those come in the order of
/// the rows' places, which are others in memory.
fn same_but_for_ties(ours: &Answer, theirs: &Answer) -> bool {
    let plain = |v: &Option<String>| v.as_ref().map(|v| v.trim_end().to_lowercase());
    let alike = |(a, b): (&Vec<Option<String>>, &Vec<Option<String>>)| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| plain(a) == plain(b))
    };
    ours.rows.len() == theirs.rows.len() && ours.rows.iter().zip(&theirs.rows).all(alike)
}

/// Begins the list of warnings anew, as a statement with a table does.
fn forget_warnings(ours: &mut mysql::Conn, theirs: &mut mysql::Conn, generator: &Generator) {
    if let Some(t) = generator.tables().first() {
        for conn in [ours, theirs] {
            let _ = conn.query_drop(format!("SELECT 1 FROM {t} LIMIT 0"));
        }
    }
}

/// How much of the language is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Plain,
    Wide,
    Whole,
}

/// What routines and triggers leave in variables.
const VALUES: &str = "SELECT @n, @t, @h, @o1, @o2, @c, @e, @m";

/// Begins with equal variables, where answers differed.
const VARIABLES: &str = "SET @n=1, @t='a', @h=1, @o1=1, @o2=2, @c=0, @e=0, @m=0";

/// What a statement of the whole language may take: a view of joins joined with itself has rows without end.
const SECONDS: u64 = 20;

/// The error of a statement that took longer (ER_STATEMENT_TIMEOUT).
const TOO_LONG: u16 = 1969;

/// As the generator names the engine of its tables.
const MYISAM: &str = "ENGINE=MyISAM";

/// `engine`: that of the tables on our side; MariaDB's are of MyISAM.
#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn run(
    (ours, theirs): (&mut mysql::Conn, &mut mysql::Conn),
    (seed, language, engine): (u64, Language, &str),
    count: u64,
    max: usize,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let now = std::time::UNIX_EPOCH.elapsed().expect("a clock").as_secs();
    for conn in [&mut *ours, &mut *theirs] {
        if language == Language::Whole {
            // or a second passes between one server and the other
            conn.query_drop(format!("SET timestamp = {now}")).expect("a variable");
            // with what the last run stored in it
            conn.query_drop("DROP DATABASE IF EXISTS d").expect("database");
        }
        conn.query_drop("CREATE DATABASE IF NOT EXISTS d").expect("database");
        conn.query_drop("USE d").expect("use");
        if language == Language::Whole {
            conn.query_drop(format!("SET max_statement_time = {SECONDS}")).expect("a variable");
        }
    }
    let mut generator = match language {
        Language::Whole => Generator::whole(seed),
        _ => Generator::new(seed, language == Language::Wide),
    };
    let mut trace = std::env::var_os("ISAMBARD_TRACE").and_then(|p| std::fs::File::create(p).ok());
    let mut settle = false;
    let mut prepared = String::new();
    for n in 0..count {
        let before = wrong.len();
        let s = generator.next_statement();
        if let Some(trace) = &mut trace {
            let _ = writeln!(
                trace,
                "{};{}",
                s.sql,
                s.params.as_ref().map_or(String::new(), |p| format!(" -- {p:?}"))
            );
        }
        if let Some(data) = &s.data {
            for conn in [&mut *ours, &mut *theirs] {
                let data = data.clone();
                conn.set_local_infile_handler(Some(mysql::LocalInfileHandler::new(move |_, to| {
                    to.write_all(&data)
                })));
            }
        }
        if language == Language::Whole && !s.sql.starts_with("SHOW") {
            // what runs a routine begins the list of warnings anew when that names a table
            forget_warnings(ours, theirs, &generator);
        }
        if language == Language::Whole
            && (known::changes_invalid_view(ours, &s.sql)
                || known::passes_bits(&s.sql)
                || known::loses_updates(theirs, &s.sql))
        {
            continue;
        }
        if let Some(text) = s.sql.strip_prefix("PREPARE s FROM '").and_then(|t| t.strip_suffix('\'')) {
            text.clone_into(&mut prepared);
        }
        let params = s.params.as_deref();
        let sql = s.sql.replace(MYISAM, &format!("ENGINE={engine}"));
        let (mut a, mut b) = (ask_with(ours, &sql, params), ask_with(theirs, &s.sql, params));
        if [&a, &b].into_iter().all(|answer| answer.error.as_ref().is_some_and(|e| e.0 == TOO_LONG)) {
            if s.sql.starts_with("SELECT") || s.sql.starts_with("WITH") {
                continue;
            }
            // how far a change came is told by the clock: nothing behind it can be compared
            break;
        }
        if sql != s.sql || s.sql.starts_with("SHOW CREATE") {
            for text in a.rows.iter_mut().flatten().flatten() {
                *text = text.replace(&format!("ENGINE={engine}"), MYISAM);
            }
        }
        let maintains =
            ["CHECK ", "ANALYZE ", "OPTIMIZE ", "REPAIR "].iter().any(|word| s.sql.starts_with(word))
                || s.sql.ends_with("ABLE KEYS");
        if maintains && !MYISAM.ends_with(engine) {
            // Files are looked after by MyISAM alone. What MEMORY says of it is kept by statements without tables.
            forget_warnings(ours, theirs, &generator);
            continue;
        }
        if s.sql.starts_with("SELECT") || s.sql.starts_with("WITH") || s.sql.starts_with("SET") {
            a.warnings.iter_mut().for_each(nameless);
            b.warnings.iter_mut().for_each(nameless);
        }
        if !MYISAM.ends_with(engine) {
            // rows come in the order of another plan, and with them what they warn of; UPDATE numbers the rows that the plan reads
            if s.sql.starts_with("UPDATE") {
                for (_, _, text) in a.warnings.iter_mut().chain(&mut b.warnings) {
                    text.truncate(text.find(" at row ").unwrap_or(text.len()));
                }
            }
            a.warnings.sort();
            b.warnings.sort();
        }
        if s.sql.starts_with("ALTER") {
            forget_row(&mut a);
            forget_row(&mut b);
            if a.error.is_some() && b.error.is_some() {
                generator.undo();
                // a date that ALTER refused makes MariaDB warn of the same date in the temporary tables of every
                // GROUP BY that follows, until rows are changed again
                settle = true;
            }
        }
        if s.sql.contains("@u :=") && b.rows.is_empty() {
            // There the text that the variable has is from now on one in the character set of the value that it was
            // not given, byte by byte: SET @u = _ucs2'x'; SELECT @u := 'ä' FROM t WHERE FALSE; SELECT hex(@u), @u.
            for conn in [&mut *ours, &mut *theirs] {
                conn.query_drop("SET @u = ''").expect("a variable");
            }
        }
        if s.sql.starts_with("DELETE")
            && s.sql.contains(" RETURNING ")
            && b.columns.is_empty()
            && b.error.is_none()
        {
            // where MariaDB knows beforehand that there is no row, it gives no result
            a.columns.clear();
        }
        if language == Language::Whole {
            for answer in [&mut a, &mut b] {
                known::of_routines(answer);
            }
            if a.rows == b.rows {
                known::forget_conversions(&s.sql, &mut a, &mut b);
            }
            if s.sql.contains("CALL p") && a.error.is_none() && a.warnings.is_empty() {
                // what was there before a CALL that names no table stays there
                b.warnings.clear();
            }
            if a.error.is_some()
                && b.error.is_some()
                && (s.sql.starts_with("SELECT") || s.sql.starts_with("WITH"))
            {
                // rows that went before the one that failed: as many as the buffers of a server had sent
                a.rows.clear();
                b.rows.clear();
            }
        }
        let mut differs = difference(&a, &b, s.order);
        let mut explained = false;
        if language == Language::Whole && differs.is_some() {
            explained = known::is_explained(&s.sql, &a, &b)
                || known::misses_a_table(theirs, &s.sql, &b)
                || known::numbers_zeros(theirs, &s.sql)
                || a.error.is_none() && known::computes_past_limit(ours, theirs, &s.sql, &b);
            if explained {
                // triggers ran for other rows
                for conn in [&mut *ours, &mut *theirs] {
                    conn.query_drop(VARIABLES).expect("variables");
                }
            }
            if explained || known::leaves_rows(theirs, &s.sql) {
                differs = None;
            } else if let Some(sql) = known::executed_without_keys(theirs, &s.sql, &prepared)
                && sorted(&ask(theirs, &sql).rows) == sorted(&a.rows)
            {
                differs = None;
            }
        }
        if !MYISAM.ends_with(engine) && same_but_for_ties(&a, &b) {
            differs = difference(&a, &b, Order::Any);
        }
        if a.error.is_some() {
            generator.failed(&s.sql);
        }
        if let Some(what) = differs.filter(|_| !by_another_way(ours, theirs, &s, &a)) {
            let params = s.params.as_ref().map_or(String::new(), |p| format!("\n    with {p:?}"));
            let data =
                s.data.as_ref().map_or(String::new(), |d| format!("\n    {}", String::from_utf8_lossy(d)));
            let made = definitions(theirs, &generator, &s.sql);
            wrong.push(format!("seed {seed} statement {n}: {}{params}{data}\n    {what}{made}", s.sql));
            if language == Language::Whole {
                for conn in [&mut *ours, &mut *theirs] {
                    conn.query_drop(VARIABLES).expect("variables");
                }
            }
        }
        if let (true, Some(t)) = (std::mem::take(&mut settle), generator.tables().first()) {
            for conn in [&mut *ours, &mut *theirs] {
                let _ = conn.query_drop(format!("UPDATE {t} SET id = id WHERE id + 0 = 123456"));
            }
        }
        let reads = ["SELECT", "SHOW", "WITH"].iter().any(|word| s.sql.starts_with(word));
        if language == Language::Whole && !reads {
            known::narrow_variables(ours, theirs);
        }
        if language == Language::Whole && known::leaves_variables_to_order(&s.sql) {
            let told: Vec<_> = [&mut *ours, &mut *theirs].into_iter().map(|c| ask(c, VALUES).rows).collect();
            if told[0] != told[1] {
                for conn in [&mut *ours, &mut *theirs] {
                    conn.query_drop(VARIABLES).expect("variables");
                }
            }
        }
        let compared = matches!(s.order, Order::Exact | Order::Any) && b.warnings.len() < 64;
        if !compared {
            // statements without tables keep the warnings, of which not all were compared
            forget_warnings(ours, theirs, &generator);
        }
        let tables = generator.tables();
        let changes = !s.sql.starts_with("SELECT") && !s.sql.starts_with("SHOW");
        if changes && !tables.is_empty() {
            let sums = format!("CHECKSUM TABLE {}", tables.join(", "));
            let (mut our_sums, mut their_sums) = (ask(ours, &sums), ask(theirs, &sums));
            let by_order = language == Language::Whole
                && known::leaves_variables_to_order(&s.sql)
                && ask(ours, known::LOGGED).rows == ask(theirs, known::LOGGED).rows;
            if by_order && our_sums != their_sums {
                for sums in [&mut our_sums, &mut their_sums] {
                    sums.rows
                        .iter_mut()
                        .filter(|row| row[0].as_deref() == Some("d.lg"))
                        .for_each(|row| row[1] = None);
                }
                // go on from equal logs
                for conn in [&mut *ours, &mut *theirs] {
                    let _ = conn.query_drop("TRUNCATE TABLE lg");
                }
            }
            if let Some(what) = difference(&our_sums, &their_sums, Order::Exact) {
                // which rows a statement changed before it failed is a question of the plan
                let failed = language == Language::Whole
                    && (a.error.is_some() && b.error.is_some()
                        || explained
                        || known::keeps_no_decimal(theirs, &s.sql, &b)
                        || known::computes_from_variables(&s.sql)
                        || known::reuses_numbers(ours, theirs, &s.sql));
                if failed {
                    for conn in [&mut *ours, &mut *theirs] {
                        conn.query_drop(VARIABLES).expect("variables");
                    }
                }
                if wrong.len() == before && !failed {
                    let data = s
                        .data
                        .as_ref()
                        .map_or(String::new(), |d| format!("\n    {}", String::from_utf8_lossy(d)));
                    let made = definitions(theirs, &generator, &s.sql);
                    wrong.push(format!("seed {seed} statement {n}: {}{data}\n    {what}{made}", s.sql));
                }
                // go on from equal tables, or every later answer differs too
                for t in &tables {
                    let all = format!("SELECT * FROM {t}");
                    let Some(what) = difference(&ask(ours, &all), &ask(theirs, &all), Order::Any) else {
                        continue;
                    };
                    if !failed {
                        wrong.push(format!("seed {seed} after statement {n}, {t}: {what}"));
                    }
                    for conn in [&mut *ours, &mut *theirs] {
                        let _ = conn.query_drop(format!("DROP TABLE {t}"));
                    }
                    generator.forget(t);
                }
            }
        }
        if n % 200 == 199 || n + 1 == count {
            for t in &generator.tables() {
                let check = (format!("CHECK TABLE {t} EXTENDED"), Order::Exact);
                let check = Some(check).filter(|_| MYISAM.ends_with(engine));
                for (ask_for, order) in [(format!("SELECT * FROM {t}"), Order::Any)].into_iter().chain(check)
                {
                    if let Some(what) = difference(&ask(ours, &ask_for), &ask(theirs, &ask_for), order) {
                        wrong.push(format!("seed {seed} after statement {n}, {ask_for}: {what}"));
                    }
                }
            }
        }
        if wrong.len() >= max {
            break;
        }
    }
    for t in generator.tables() {
        for conn in [&mut *ours, &mut *theirs] {
            let _ = conn.query_drop(format!("DROP TABLE {t}"));
        }
    }
    wrong
}

/// The comparison itself can fail: a changed row, a missing warning, another error are seen.
#[test]
fn the_comparison_sees_differences() {
    if !oracle_present() {
        return;
    }
    let peer = Peer::mariadb(&[]);
    let mut conn = peer.connect("");
    let one = ask(&mut conn, "SELECT 1, 'a'");
    assert!(difference(&one, &ask(&mut conn, "SELECT 1, 'a'"), Order::Exact).is_none());
    for other in
        ["SELECT 2, 'a'", "SELECT 1, 'A'", "SELECT 1", "SELECT nope", "SELECT 1, 'a' UNION SELECT 2, 'b'"]
    {
        assert!(difference(&one, &ask(&mut conn, other), Order::Any).is_some(), "{other} passed as equal");
    }
    let mut warned = one.clone();
    warned.warnings.push(("Warning".into(), 1292, "x".into()));
    assert!(difference(&one, &warned, Order::Exact).is_some());
    // an error hides no other difference
    let failed = ask(&mut conn, "SELECT nope");
    warned = failed.clone();
    warned.warnings.push(("Warning".into(), 1292, "x".into()));
    assert!(difference(&failed, &warned, Order::Any).is_some());
}

/// `many` statements when soaked.
fn answer_alike(language: Language, engine: &str, (usual, many): (u64, u64)) {
    if !oracle_present() {
        return;
    }
    let (ours, theirs) = (Peer::isambard(&[]), Peer::mariadb(&[]));
    let usual = if std::env::var_os("ISAMBARD_SOAK").is_some() { many } else { usual };
    let total = number("ISAMBARD_STATEMENTS", usual);
    // the seed that a report names begins a thousand statements: `ISAMBARD_FIRST` runs those again
    let first = number("ISAMBARD_FIRST", (number("ISAMBARD_SEED", 1).max(1) - 1) * 1_000 + 1);
    let max = number("ISAMBARD_MAX_DIFFERENCES", 20) as usize;
    let mut wrong = Vec::new();
    let (mut done, mut seed) = (0, first);
    while done < total && wrong.len() < max {
        let count = 1_000.min(total - done);
        let (mut ours, mut theirs) = (ours.connect(""), theirs.connect(""));
        ours.query_drop("SET max_heap_table_size = 1 << 30").expect("a variable");
        // of a prefix of a TEXT it leaves out rows; what a change has left out cannot be asked for again
        theirs.query_drop("SET optimizer_switch = 'index_merge=off'").expect("a variable");
        let found = run((&mut ours, &mut theirs), (seed, language, engine), count, max - wrong.len());
        // told at once: a long run is worth reading before its end
        found.iter().for_each(|f| eprintln!("{f}"));
        wrong.extend(found);
        done += count;
        seed += 1;
    }
    assert!(wrong.is_empty(), "{} differences in {done} statements", wrong.len());
    println!("{done} statements answered alike");
}

#[test]
fn random_statements_answer_alike() {
    answer_alike(Language::Plain, "MyISAM", (4_000, 40_000));
}

/// Joins, subqueries, UNION, ROLLUP, LOAD DATA, ALTER, parameters, `sql_mode`, and more column types.
#[test]
fn random_statements_of_the_wider_language_answer_alike() {
    answer_alike(Language::Wide, "MyISAM", (1_500, 15_000));
}

/// And views, triggers, routines, windows, WITH, JSON, sequences, RETURNING.
#[test]
fn random_statements_of_the_whole_language_answer_alike() {
    answer_alike(Language::Whole, "MyISAM", (1_500, 200_000));
}

/// Tables in memory, BLOBs among their columns, give what MariaDB's MyISAM gives.
#[test]
fn random_statements_on_tables_in_memory_answer_alike() {
    answer_alike(Language::Plain, "MEMORY", (1_000, 10_000));
}

/// As above, with the wider language.
#[test]
fn random_statements_of_the_wider_language_on_tables_in_memory_answer_alike() {
    answer_alike(Language::Wide, "MEMORY", (1_000, 10_000));
}
