//! Differences from MariaDB that are known and explained: random statements do not count them.

use crate::compare::Answer;

/// What is left to each server where routines, views and windows are.
///
/// - The number of a row where none is read or written is the one of whatever was done before.
/// - The columns of a result whose first row fails come before the error or not at all.
/// - Why a view is invalid is told with the clause that was being read.
/// - What a function gives is stored in a column whose name MariaDB has from the list that is selected.
/// - A full list of warnings holds those of the rows that came first.
pub fn of_routines(a: &mut Answer) {
    let cut = |text: &mut String| {
        for end in [" at row ", " for column 'f", " for column ``.``.`f"] {
            if let Some(at) = text.find(end) {
                text.truncate(at);
            }
        }
    };
    if let Some((number, text)) = &mut a.error {
        cut(text);
        if *number == 1356 {
            // which of several views that are invalid is named
            text.clear();
        }
        // whether numbers out of range are told with the database of their column
        *text = text.replace("`d`.", "").replace("\"d\".", "");
        a.columns.clear();
    }
    for (_, number, text) in &mut a.warnings {
        cut(text);
        if *number == 1356 {
            text.clear();
        }
        *text = text.replace("`d`.", "").replace("\"d\".", "");
    }
    // of views whose tables have no key MariaDB warns where LIMIT is
    a.warnings.retain(|w| w.1 != 1355);
    for text in a.rows.iter_mut().flatten().flatten() {
        cut(text);
        // of views that are invalid, columns are shown with their database
        *text = text.replace("`d`.", "").replace("\"d\".", "");
    }
    if a.warnings.iter().any(|w| w.1 == 1356) {
        a.warnings.retain(|w| w.1 == 1356);
    }
    if a.warnings.iter().any(|w| w.1 == 1645) {
        // a RESIGNAL of nothing in a trigger doubles the warnings that the statement had
        a.warnings.retain(|w| w.1 == 1645);
    }
    if a.error.is_some() {
        // a trigger that is not sound is told once or twice, and where it stands
        a.warnings.retain(|w| w.1 != 4094);
        a.warnings.dedup();
    }
    if a.warnings.len() >= 64 {
        for w in &mut a.warnings {
            let number = if of_conversion(w) { w.1 } else { 0 };
            *w = (String::new(), number, String::new());
        }
    }
}

/// Whether a warning says that a value is no number (1918), no text (1300) or too large for HEX (1916).
fn of_conversion(w: &(String, u16, String)) -> bool {
    [1300, 1916, 1918].contains(&w.1)
}

/// Whether a literal of bits is passed to EXECUTE IMMEDIATE: MariaDB compares and adds it as text of another type, and stores it as a number.
pub fn passes_bits(sql: &str) -> bool {
    sql.contains("EXECUTE IMMEDIATE") && sql.contains(" USING ") && sql.contains("b'")
}

/// Whether a statement changes rows through a view that is invalid: MariaDB changes them where nothing asks for what is not there, and
/// tells otherwise why the view is not updatable.
pub fn changes_invalid_view(ours: &mut mysql::Conn, sql: &str) -> bool {
    use mysql::prelude::Queryable;
    let rest = ["INSERT ", "REPLACE ", "UPDATE ", "DELETE "].iter().find_map(|w| sql.strip_prefix(w));
    let skipped = ["IGNORE", "INTO", "FROM"];
    let name = rest.and_then(|r| r.split([' ', '(']).find(|w| !w.is_empty() && !skipped.contains(w)));
    let Some(name) = name.filter(|n| n.starts_with('v')) else { return false };
    let asked = ours.query_drop(format!("SELECT 1 FROM {name} LIMIT 0"));
    matches!(asked, Err(mysql::Error::MySqlError(e)) if e.code == 1356)
}

/// Whether MariaDB answers this otherwise in a way that is its own mistake, or nobody's:
///
/// - ORDER BY beside a window, and PARTITION BY, find a column of a view ambiguous that is there once (1052).
/// - BIT_OR, BIT_AND and BIT_XOR over frames of RANGE keep bits of rows that have left the frame.
/// - Frames of RANGE compute with what stands where a NULL is, and fail with 1690 from time to time.
/// - A BIT in JSON_ARRAYAGG with ORDER BY comes as its bytes, which are no JSON; beside a BINARY, characters up to U+00FF
///   become one byte each in JSON, and of larger ones escapes that are no JSON.
/// - That a function changes a table of the statement (1442) is told before or after what else is wrong in it.
/// - A date of zeros that is computed becomes NULL in a temporary table while `NO_ZERO_DATE` is set, and for Isambard in HAVING.
/// - Whose triggers fail first where rows of several tables are deleted; what later rows warn of when RETURNING of an INSERT
///   has failed.
/// - Which row is the first that a DELETE or UPDATE without ORDER BY fails at: the value in the message is another one.
/// - That a table which a trigger reads is missing is told before or after that a column of NEW is.
/// - An UPDATE of joined tables stores zeros for NULL in a table that has BEFORE triggers, without a word (1048, 1265).
/// - A CHECK OPTION that reads other tables is refused (1235, COMPAT.md), before or after a column that lacks a default (1423).
/// - Rows of one group come to JSON_OBJECTAGG in any order, where they are sorted.
/// - Of two mistakes in one statement, a view that is invalid and another one, either is told first; CHECK TABLE of a view
///   that is invalid for two reasons names either.
pub fn is_explained(sql: &str, ours: &Answer, theirs: &Answer) -> bool {
    let number = |a: &Answer| a.error.as_ref().map_or(0, |(number, _)| *number);
    let (our, their) = (number(ours), number(theirs));
    let windows = sql.contains(" OVER ");
    if windows && our == 0 && their == 1052 {
        let places = ["in ORDER BY", "in GROUP BY"];
        return theirs.error.as_ref().is_some_and(|(_, text)| places.iter().any(|p| text.contains(p)));
    }
    if windows && sql.contains(" RANGE ") && our == 0 && their == 1690 {
        return true;
    }
    if ["json_arrayagg(", "json_array(", "json_object(", "json_objectagg("].iter().any(|f| sql.contains(f)) {
        let raw = |text: &String| text.starts_with("0x") || text.contains('\0') || text.contains("[\\u00");
        if theirs.rows.iter().flatten().flatten().any(raw) {
            return true;
        }
    }
    // what a handler has kept of it: @c, @e and @m behind the others
    let kept = |a: &Answer| {
        Some(a.rows.first()?.split_at_checked(5)).flatten().map(|(v, e)| (v.to_vec(), e.to_vec()))
    };
    let of_handler = || {
        let ((v, _), (w, e)) = kept(ours).zip(kept(theirs))?;
        Some(v == w && e.get(1).is_some_and(|e| e.as_deref() == Some("1442")))
    };
    if their == 1442 && our != 0 || sql.starts_with("SELECT @n, @t, ") && of_handler() == Some(true) {
        return true;
    }
    if (our, their) == (1054, 1054) && ours.rows == theirs.rows {
        // which clause of a routine's statement is named
        let name = |a: &Answer| {
            let text = a.error.as_ref().map(|(_, text)| text.as_str()).unwrap_or_default();
            text.rsplit_once(" in '").map(|(column, _)| column.to_owned())
        };
        return name(ours) == name(theirs);
    }
    if of_changes(sql, ours, theirs) {
        return true;
    }
    if (our, their) == (1054, 1146) && ours.error.as_ref().is_some_and(|(_, text)| text.contains("in 'NEW'"))
    {
        return true;
    }
    if sql.contains("json_objectagg(") && sql.contains(" GROUP BY ") && (our, their) == (0, 0) {
        let members = |a: &Answer| -> Vec<Vec<Vec<String>>> {
            let parts = |v: &Option<String>| {
                let text = v.as_deref().unwrap_or_default();
                let mut parts: Vec<String> =
                    text.trim_matches(['{', '}']).split(", ").map(str::to_owned).collect();
                parts.sort();
                parts
            };
            a.rows.iter().map(|row| row.iter().map(parts).collect()).collect()
        };
        if ours.rows != theirs.rows && members(ours) == members(theirs) {
            return true;
        }
    }
    if sql.starts_with("CHECK TABLE v") {
        let wrong = |a: &Answer| a.rows.iter().any(|row| row.iter().any(|v| v.as_deref() == Some("Error")));
        return wrong(ours) && wrong(theirs) && ours.rows.len() == theirs.rows.len();
    }
    let changes = sql.starts_with("DELETE ") || sql.starts_with("UPDATE ");
    if changes && our == their && [1292, 1366].contains(&our) && !sql.contains(" ORDER BY ") {
        // the text up to the value, and behind it
        let parts = |a: &Answer| {
            let (_, text) = a.error.clone().unwrap_or_default();
            let (head, rest) = text.split_once('\'').unwrap_or_default();
            let (_, tail) = rest.rsplit_once('\'').unwrap_or_default();
            (head.to_owned(), tail.to_owned())
        };
        return parts(ours) == parts(theirs);
    }
    if windows && sql.contains(" RANGE ") && our == 0 && their == 0 {
        return ["bit_or(", "bit_and(", "bit_xor("].iter().any(|f| sql.contains(f));
    }
    if (our, their) == (0, 0)
        && ours.rows != theirs.rows
        && without_zero_dates(sql, ours) == without_zero_dates(sql, theirs)
    {
        return ["(SELECT ", "DISTINCT ", "GROUP BY", " HAVING "].iter().any(|place| sql.contains(place));
    }
    let of_views = [1054, 1288, 1348, 1356, 1394, 1395, 1471];
    our != their && (our == 1356 || their == 1356) && of_views.contains(&our) && of_views.contains(&their)
}

/// The part of [`is_explained`] that is about changes of rows.
fn of_changes(sql: &str, ours: &Answer, theirs: &Answer) -> bool {
    let number = |a: &Answer| a.error.as_ref().map_or(0, |(number, _)| *number);
    let (our, their) = (number(ours), number(theirs));
    let told_of_nulls = |w: &&(String, u16, String)| [1048, 1265].contains(&w.1);
    let others =
        |a: &Answer| -> Vec<_> { a.warnings.iter().filter(|w| !told_of_nulls(w)).cloned().collect() };
    let silent = their == 0 && !theirs.warnings.iter().any(|w| told_of_nulls(&w));
    let warned = our == 0
        && ours.warnings.iter().any(|w| told_of_nulls(&w))
        && others(ours) == theirs.warnings
        && (ours.affected, &ours.rows) == (theirs.affected, &theirs.rows);
    let joined = sql.contains(" JOIN ") || sql.starts_with("UPDATE v") || sql.starts_with("UPDATE IGNORE v");
    if sql.starts_with("UPDATE ") && joined && silent && ([1048, 1265].contains(&our) || warned) {
        return true;
    }
    if (our, their) == (1235, 1423) {
        return true;
    }
    let refused =
        ours.error.as_ref().is_some_and(|(_, text)| text.contains("CHECK OPTION that reads other tables"));
    if refused && their == 0 {
        return true;
    }
    let inserts = sql.starts_with("INSERT ") || sql.starts_with("REPLACE ");
    if our != 0 && our == their && inserts && sql.contains(" RETURNING ") {
        // MariaDB goes on with later rows
        return ours.error == theirs.error;
    }
    let several = sql.starts_with("DELETE ") && (sql.contains(" USING ") || !sql.starts_with("DELETE FROM "));
    several && our != 0 && their != 0
}

/// The rows with NULL for each date of zeros, and none where the statement asks for what is not NULL.
fn without_zero_dates(sql: &str, a: &Answer) -> Vec<Vec<Option<String>>> {
    let zero = |value: &Option<String>| value.as_ref().is_some_and(|text| text.starts_with("0000-00-00"));
    let mut rows: Vec<Vec<Option<String>>> = a.rows.clone();
    if sql.contains(" IS NOT NULL") {
        rows.retain(|row| !row.iter().any(zero));
    }
    rows.iter_mut().flatten().for_each(|value| {
        if zero(value) {
            *value = None;
        }
    });
    rows.sort();
    rows
}

/// Forgets warnings of values that are no numbers (1918), no text (1300) or too large for HEX (1916) where they are all
/// that differs: how many are told depends on how many rows the plan reads, whether a table of one row was read before,
/// and whether groups of a unique column are looked at further. So do those of CAST in a view, where conditions on its
/// column contradict each other: MariaDB reads no row then.
pub fn forget_conversions(sql: &str, ours: &mut Answer, theirs: &mut Answer) {
    let grouped = sql.starts_with("SELECT ") && (sql.contains("DISTINCT ") || sql.contains(" GROUP BY "));
    if grouped && ours.warnings.is_empty() && theirs.warnings.iter().all(|w| w.1 == 1264) {
        // of a date of zeros in the temporary table of a SELECT, where a statement before refused one
        theirs.warnings.clear();
    }
    let cut = |w: &(String, u16, String)| w.1 == 1292 && w.2.starts_with("Truncated incorrect CHAR(");
    if sql.contains(" FROM v") && theirs.warnings.is_empty() && ours.warnings.iter().all(cut) {
        ours.warnings.clear();
    }
    if ours.warnings.len() < 64 || theirs.warnings.len() < 64 {
        for answer in [ours, theirs] {
            answer.warnings.retain(|w| !of_conversion(w));
        }
    }
}

/// Whether MariaDB missed a table that is there (1146): one that a trigger reads or writes, now
/// and then.
pub fn misses_a_table(theirs: &mut mysql::Conn, sql: &str, answer: &Answer) -> bool {
    use mysql::prelude::Queryable;
    let changes = ["INSERT ", "REPLACE ", "UPDATE ", "DELETE "].iter().any(|word| sql.starts_with(word));
    let Some((1146, text)) = answer.error.as_ref().filter(|_| changes) else { return false };
    let Some((_, rest)) = text.split_once("Table '") else { return false };
    let name = rest.split('\'').next().unwrap_or_default();
    theirs.query_drop(format!("SELECT 1 FROM {name} LIMIT 0")).is_ok()
}

/// Whether MariaDB numbered rows of a LOAD DATA whose number was given as 0 although `NO_AUTO_VALUE_ON_ZERO` keeps them: it does
/// where a trigger runs before them.
pub fn numbers_zeros(theirs: &mut mysql::Conn, sql: &str) -> bool {
    use mysql::prelude::Queryable;
    let Some(table) = sql.strip_prefix("LOAD DATA ").and_then(|rest| rest.split_once("INTO TABLE ")) else {
        return false;
    };
    let table = table.1.split([' ', '(']).next().unwrap_or_default();
    let asked = format!(
        "SELECT 1 FROM information_schema.triggers WHERE event_object_schema = database() AND \
         event_object_table = '{table}' AND event_manipulation = 'INSERT' AND action_timing = 'BEFORE' AND \
         find_in_set('NO_AUTO_VALUE_ON_ZERO', @@sql_mode)"
    );
    theirs.query_first::<u8, _>(asked).is_ok_and(|found| found.is_some())
}

/// Whether a SELECT fails by a number out of range among the rows past its LIMIT: MariaDB computes them all for the temporary
/// table that it sorts. Without LIMIT `ours` must fail like that.
pub fn computes_past_limit(
    ours: &mut mysql::Conn,
    theirs: &mut mysql::Conn,
    sql: &str,
    answer: &Answer,
) -> bool {
    use mysql::prelude::Queryable;
    let Some((all, _)) = sql.rsplit_once(" LIMIT ") else { return false };
    if !sql.starts_with("SELECT ") || answer.error.as_ref().is_none_or(|e| e.0 != 1690) {
        return false;
    }
    let whole: Result<Vec<mysql::Row>, _> = ours.query(all);
    uses_temporary(theirs, sql).is_some()
        && matches!(whole, Err(mysql::Error::MySqlError(e)) if e.code == 1690)
}

/// Whether MariaDB kept bytes that are no decimal (1918 where they are read): where strict mode refuses a text for a DECIMAL in a
/// later row of an INSERT, what is stored is what happens to be in the row, which Isambard has from the row before.
pub fn keeps_no_decimal(theirs: &mut mysql::Conn, sql: &str, answer: &Answer) -> bool {
    use mysql::prelude::Queryable;
    if !sql.starts_with("INSERT ") && !sql.starts_with("REPLACE ") {
        return false;
    }
    let refused = answer.warnings.iter().find(|w| w.1 == 1366 && w.2.starts_with("Incorrect decimal value"));
    let Some((_, rest)) = refused.and_then(|w| w.2.rsplit_once("for column ")) else { return false };
    let parts: Vec<&str> = rest.split('`').filter(|part| !matches!(*part, "" | "." | "d")).collect();
    let [table, column, ..] = parts[..] else { return false };
    // read, each row warns of what it is
    let _ = theirs.query_drop(format!("DO (SELECT max({column} + 0) FROM {table})"));
    let told: Vec<(String, u16, String)> = theirs.query("SHOW WARNINGS").unwrap_or_default();
    told.iter().any(|w| w.1 == 1918)
}

/// Whether MariaDB left rows that a DELETE of one table should have deleted, which are deleted then: as it reads by a key of
/// texts that are packed (`PACK_KEYS`), it stops behind the first ones.
pub fn leaves_rows(theirs: &mut mysql::Conn, sql: &str) -> bool {
    use mysql::prelude::Queryable;
    let Some((table, rest)) = sql.strip_prefix("DELETE FROM ").and_then(|r| r.split_once(" WHERE ")) else {
        return false;
    };
    if table.contains(' ') || rest.contains(" LIMIT ") {
        return false;
    }
    let deletes = rest.split(" RETURNING ").next().unwrap_or(rest);
    let left = format!("SELECT 1 FROM {table} WHERE {deletes}");
    let mut found = false;
    while theirs.query_first::<u8, _>(&left).is_ok_and(|row| row.is_some()) {
        found = true;
        // an error behind rows of RETURNING would go unseen
        if theirs.query_drop(format!("DELETE FROM {table} WHERE {deletes}")).is_err() {
            break;
        }
    }
    found
}

/// Whether an INSERT with ON DUPLICATE KEY UPDATE gave a number twice in MariaDB: a row that changes nothing of the one that
/// was there leaves its number to the next; behind a row with a number of its own that changes one, the numbers begin there
/// again. The later of the two rows is lost, or changes the earlier.
pub fn reuses_numbers(ours: &mut mysql::Conn, theirs: &mut mysql::Conn, sql: &str) -> bool {
    use mysql::prelude::Queryable;
    let numbered = ["(0, ", "(NULL, ", "(DEFAULT, "].iter().any(|row| sql.contains(row));
    if !numbered || !sql.contains(" ON DUPLICATE KEY UPDATE ") || !sql.contains("), (") {
        return false;
    }
    let Some(table) = sql.split_once("INTO ").and_then(|(_, rest)| rest.split([' ', '(']).next()) else {
        return false;
    };
    let count = format!("SELECT count(*) FROM {table}");
    let rows = |conn: &mut mysql::Conn| conn.query_first::<u64, _>(&count).ok().flatten();
    if rows(theirs) < rows(ours) {
        return true;
    }
    // the row that was changed has a number of this statement
    let Ok(Some(first)) = ours.query_first::<u64, _>("SELECT last_insert_id()") else { return false };
    let has_own = |row: &str| row.starts_with(|c: char| c.is_ascii_digit() && c != '0');
    if first == 0 || rows(theirs) != rows(ours) || !sql.split("), (").skip(1).any(has_own) {
        return false;
    }
    let numbered = format!("SELECT * FROM {table} WHERE id >= {first} ORDER BY id");
    let found = |conn: &mut mysql::Conn| -> Option<Vec<Vec<mysql::Value>>> {
        let rows: Vec<mysql::Row> = conn.query(&numbered).ok()?;
        Some(rows.into_iter().map(mysql::Row::unwrap).collect())
    };
    let (a, b) = (found(ours), found(theirs));
    a.is_some() && b.is_some() && a != b
}

/// Whether a change of rows computes something from variables that triggers set: MariaDB computes what depends on variables
/// alone once, and what is a variable alone for each row.
pub fn computes_from_variables(sql: &str) -> bool {
    let changes = ["INSERT ", "REPLACE ", "UPDATE "].iter().any(|word| sql.contains(word));
    changes && ["ifnull(@t", "ifnull(@n", "ifnull(@h", "concat(@"].iter().any(|read| sql.contains(read))
}

/// Gives variables that hold text of ucs2 or its like another character set, in both servers: as a number MariaDB takes each for
/// 0, though '1' of any other is 1.
pub fn narrow_variables(ours: &mut mysql::Conn, theirs: &mut mysql::Conn) {
    use mysql::prelude::Queryable;
    const NAMES: [&str; 5] = ["@n", "@t", "@h", "@o1", "@o2"];
    let asked =
        NAMES.map(|name| format!("charset({name}) IN ('ucs2', 'utf16', 'utf16le', 'utf32')")).join(", ");
    let asked = format!("SELECT {asked}");
    ours.query_drop(&asked).expect("character sets");
    let wide: Option<mysql::Row> = theirs.query_first(&asked).expect("character sets");
    let wide = wide.map_or_else(Vec::new, mysql::Row::unwrap);
    for (name, _) in NAMES.iter().zip(wide).filter(|(_, wide)| *wide == mysql::Value::Bytes(b"1".to_vec())) {
        for conn in [&mut *ours, &mut *theirs] {
            // by way of the client: MariaDB's CONVERT of the variable to itself keeps the bytes
            let row: Option<(Option<String>,)> =
                conn.query_first(format!("SELECT {name}")).expect("a variable");
            let Some(text) = row.and_then(|r| r.0) else { continue };
            let text = text.replace('\\', "\\\\").replace('\'', "\\'");
            conn.query_drop(format!("SET {name} = '{text}'")).expect("a variable");
        }
    }
}

/// How many rows triggers have written.
pub const LOGGED: &str = "SELECT count(*) FROM lg";

/// Whether the order in which a statement finds rows decides what its triggers leave in variables and write to another
/// table: it is the plan's.
pub fn leaves_variables_to_order(sql: &str) -> bool {
    (sql.starts_with("DELETE ") || sql.starts_with("UPDATE ")) && !sql.contains(" ORDER BY ")
}

/// Whether an UPDATE through a view of a join would sort rows in a temporary table: MariaDB changes some or none of them then.
pub fn loses_updates(theirs: &mut mysql::Conn, sql: &str) -> bool {
    let through = sql.starts_with("UPDATE v") || sql.starts_with("UPDATE IGNORE v");
    if !through || !sql.contains(" ORDER BY ") {
        return false;
    }
    uses_temporary(theirs, sql).is_some_and(|steps| steps > 1)
}

/// Of how many steps the plan of a statement is that needs a temporary table.
fn uses_temporary(conn: &mut mysql::Conn, sql: &str) -> Option<usize> {
    use mysql::prelude::Queryable;
    let plan: Vec<mysql::Row> = conn.query(format!("EXPLAIN {sql}")).ok()?;
    let temporary = |row: &mysql::Row| {
        row.get_opt::<String, _>("Extra").and_then(Result::ok).is_some_and(|e| e.contains("Using temporary"))
    };
    plan.iter().any(temporary).then_some(plan.len())
}

/// COUNT(DISTINCT c) of a view with `c` as a number: MariaDB counts fewer values of a BIT than there are.
pub fn counted_as_numbers(sql: &str) -> Option<String> {
    let of_view = sql.contains("count(distinct ") && sql.contains(" FROM v");
    of_view.then(|| sql.replace("count(distinct ", "count(distinct 0+"))
}

/// The EXECUTE of a SELECT of one table, `prepared`, without its keys.
pub fn executed_without_keys(conn: &mut mysql::Conn, sql: &str, prepared: &str) -> Option<String> {
    let values = sql.strip_prefix("EXECUTE s")?;
    let without = without_keys(conn, prepared)?;
    Some(format!("EXECUTE IMMEDIATE '{without}'{values}"))
}

/// The SELECT of one table without its keys.
pub fn without_keys(conn: &mut mysql::Conn, sql: &str) -> Option<String> {
    use mysql::prelude::Queryable;
    let (before, rest) = sql.split_once(" FROM ")?;
    let (table, after) = rest.split_once(" WHERE ")?;
    if table.contains(' ') || after.contains(" FROM ") {
        return None;
    }
    let keys: Vec<mysql::Row> = conn.query(format!("SHOW KEYS FROM {table}")).ok()?;
    let mut names: Vec<String> = keys.iter().filter_map(|k| k.get("Key_name")).collect();
    names.dedup();
    let names = names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    Some(format!("{before} FROM {table} IGNORE INDEX ({names}) WHERE {after}"))
}
