//! One statement on two servers: rows, affected rows, error numbers, warnings.

use mysql::prelude::Queryable;

/// What a server said to one statement.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Answer {
    /// Column headings of the result set.
    pub columns: Vec<String>,
    /// Type, length, digits, flags and character set of each column.
    pub types: Vec<String>,
    /// Database, table and column that each comes from, and what table and column are called.
    pub origins: Vec<String>,
    /// Rows as text; `None` is NULL.
    pub rows: Vec<Vec<Option<String>>>,
    /// Rows affected, when there is no result set.
    pub affected: u64,
    /// LAST_INSERT_ID of the statement.
    pub insert_id: u64,
    /// The info text.
    pub info: String,
    /// Error number and text.
    pub error: Option<(u16, String)>,
    /// SHOW WARNINGS after it.
    pub warnings: Vec<(String, u16, String)>,
}

/// Larger results are compared by their number of rows: joins of views can have more than memory holds.
const MOST_ROWS: usize = 300_000;

/// `max_error_count` as it is unless told.
const MAX_WARNINGS: usize = 64;

fn cell(v: mysql::Value) -> Option<String> {
    match v {
        mysql::Value::NULL => None,
        mysql::Value::Bytes(b) => Some(match String::from_utf8(b) {
            Ok(s) => s,
            Err(e) => format!("0x{}", e.into_bytes().iter().map(|b| format!("{b:02X}")).collect::<String>()),
        }),
        other => Some(other.as_sql(true)),
    }
}

/// Runs one statement and takes down everything a client can see.
///
/// # Panics
/// When the connection breaks: that is a fault of the server.
pub fn ask(conn: &mut mysql::Conn, statement: &str) -> Answer {
    ask_with(conn, statement, None)
}

/// As [`ask`], with values for `?` through the binary protocol.
///
/// # Panics
/// When the connection breaks.
pub fn ask_with(conn: &mut mysql::Conn, statement: &str, params: Option<&[mysql::Value]>) -> Answer {
    let mut answer = Answer::default();
    let failed = match params {
        None => match conn.query_iter(statement) {
            Ok(mut result) => take(&mut answer, &mut result),
            Err(e) => Some(e),
        },
        Some(p) => match conn.exec_iter(statement, mysql::Params::Positional(p.to_vec())) {
            Ok(mut result) => take(&mut answer, &mut result),
            Err(e) => Some(e),
        },
    };
    match failed {
        None => {}
        Some(mysql::Error::MySqlError(e)) => answer.error = Some((e.code, e.message)),
        Some(e) => panic!("connection broke at {statement}: {e}"),
    }
    if !statement.trim_start().to_ascii_uppercase().starts_with("SHOW") {
        let warnings: Vec<(String, u16, Vec<u8>)> =
            conn.query("SHOW WARNINGS").unwrap_or_else(|e| panic!("SHOW WARNINGS after {statement}: {e}"));
        // a message may quote bytes that are no text
        let text = |m: Vec<u8>| String::from_utf8_lossy(&m).into_owned();
        answer.warnings = warnings.into_iter().map(|(l, c, m)| (l, c, text(m))).collect();
    }
    answer
}

/// Forgets at which row ALTER TABLE met a value that it refuses: where rows lie in the file is each server's own
/// affair once others were deleted.
pub fn forget_row(answer: &mut Answer) {
    let cut = |m: &mut String| m.truncate(m.find(" at row ").unwrap_or(m.len()));
    if let Some((1292, message)) = &mut answer.error {
        cut(message);
        answer.warnings.iter_mut().for_each(|w| cut(&mut w.2));
    }
}

/// Takes the rows and counts of a result; gives the error that ended it.
fn take<T: mysql::prelude::Protocol>(
    answer: &mut Answer,
    result: &mut mysql::QueryResult<'_, '_, '_, T>,
) -> Option<mysql::Error> {
    answer.columns = result.columns().as_ref().iter().map(|c| c.name_str().into_owned()).collect();
    answer.types = result.columns().as_ref().iter().map(type_of).collect();
    answer.origins = result.columns().as_ref().iter().map(origin_of).collect();
    let (mut more, mut beyond) = (false, 0_u64);
    while let Some(set) = result.iter() {
        if std::mem::replace(&mut more, true) {
            // CALL: what follows the first result
            let named = |c: &mysql::Column| Some(c.name_str().into_owned());
            answer.rows.push(set.columns().as_ref().iter().map(named).collect());
        }
        for row in set {
            match row {
                Ok(_) if answer.rows.len() >= MOST_ROWS => beyond += 1,
                Ok(row) => answer.rows.push(row.unwrap().into_iter().map(cell).collect()),
                Err(e) => return Some(e),
            }
        }
    }
    if beyond > 0 {
        answer.rows = vec![vec![Some(format!("{MOST_ROWS} rows and {beyond} more"))]];
    }
    answer.affected = result.affected_rows();
    answer.insert_id = result.last_insert_id().unwrap_or(0);
    answer.info = result.info_str().into_owned();
    None
}

fn type_of(c: &mysql::Column) -> String {
    format!(
        "{:?} {} {} {:?} {}",
        c.column_type(),
        c.column_length(),
        c.decimals(),
        c.flags(),
        c.character_set()
    )
}

fn origin_of(c: &mysql::Column) -> String {
    let of = format!("{}.{}.{}", c.schema_str(), c.org_table_str(), c.org_name_str());
    format!("{of} as {}.{}", c.table_str(), c.name_str())
}

/// Warnings of queries about text and numbers that are no dates name no column and row in Isambard, and begin otherwise.
pub fn nameless((_, code, text): &mut (String, u16, String)) {
    if *code != 1292 {
        return;
    }
    if let Some(end) = text.find("' for column `") {
        text.truncate(end + 1);
    }
    if text.contains("time value: ") || text.contains("date value: ") {
        *text = text.replacen("Truncated incorrect ", "Incorrect ", 1);
    }
}

/// How strictly two answers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Rows in the order they came.
    Exact,
    /// Rows as a multiset: the statement has no total ORDER BY.
    Any,
    /// As `Any`, and warnings as a set: how often a condition of a join is computed is the choice of the plan.
    Loose,
    /// Rows as a multiset, whatever was warned of: which conditions of a list are computed at all is the choice of the
    /// plan.
    Rows,
}

/// The first difference, or nothing.
#[must_use]
pub fn difference(ours: &Answer, theirs: &Answer, order: Order) -> Option<String> {
    let code = |a: &Answer| a.error.as_ref().map(|e| e.0);
    if code(ours) != code(theirs) {
        return Some(format!("error: ours {:?}, theirs {:?}", ours.error, theirs.error));
    }
    if ours.error != theirs.error {
        return Some(format!("error text: ours {:?}, theirs {:?}", ours.error, theirs.error));
    }
    if ours.columns != theirs.columns {
        return Some(format!("columns: ours {:?}, theirs {:?}", ours.columns, theirs.columns));
    }
    // which rows come before an error is the order of the visit, when nothing else orders them;
    // everything else is compared all the same
    let rows_told = ours.error.is_none() || order == Order::Exact;
    let (mut a, mut b) = (ours.rows.clone(), theirs.rows.clone());
    if order != Order::Exact {
        a.sort();
        b.sort();
    }
    if rows_told && a != b {
        let at = a.iter().zip(&b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
        let only = |x: &[Vec<Option<String>>], y: &[Vec<Option<String>>]| -> Vec<Vec<Option<String>>> {
            x.iter().filter(|r| !y.contains(r)).take(3).cloned().collect()
        };
        return Some(format!(
            "rows ({} and {}), first at {at}; only ours {:?}, only theirs {:?}",
            a.len(),
            b.len(),
            only(&a, &b),
            only(&b, &a)
        ));
    }
    if ours.affected != theirs.affected {
        return Some(format!("affected: ours {}, theirs {}", ours.affected, theirs.affected));
    }
    if ours.insert_id != theirs.insert_id {
        return Some(format!("insert id: ours {}, theirs {}", ours.insert_id, theirs.insert_id));
    }
    if ours.info != theirs.info {
        return Some(format!("info: ours {:?}, theirs {:?}", ours.info, theirs.info));
    }
    let full = |a: &Answer| a.warnings.len() >= MAX_WARNINGS;
    if order == Order::Rows || order == Order::Loose && (full(ours) || full(theirs)) {
        return None;
    }
    let (ours, theirs) = (told(ours, order), told(theirs, order));
    if ours != theirs {
        let at = ours.iter().zip(&theirs).position(|(x, y)| x != y).unwrap_or(0);
        return Some(format!(
            "warnings ({} and {}): ours {:?}, theirs {:?}",
            ours.len(),
            theirs.len(),
            ours.get(at),
            theirs.get(at)
        ));
    }
    None
}

type Warning = (String, u16, String);

/// The warnings in an order that can be compared: where the rows have none, theirs has none either. When the list is
/// full it holds those of the rows that came first: only their number counts then.
fn told(a: &Answer, order: Order) -> Vec<Warning> {
    let mut list = a.warnings.clone();
    if order != Order::Exact {
        list.sort();
        if order == Order::Loose {
            list.dedup();
        } else if list.len() >= MAX_WARNINGS {
            list.iter_mut().for_each(|w| *w = Warning::default());
        }
    }
    list
}
