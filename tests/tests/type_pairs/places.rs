//! The places where values of two types meet. `X` and `Y` stand for the columns, or `Y` and `Z` for constants.

/// Expressions of two columns of `p`, with all rows of it.
pub const EXPRESSIONS: &[&str] = &[
    "X=Y",
    "X<=>Y",
    "X<Y",
    "X>=Y",
    "X<>Y",
    "X IN (Y)",
    "X IN (Y,X)",
    "X IN (Y,1)",
    "X IN ('a',Y)",
    "X NOT IN (Y,NULL)",
    "X BETWEEN Y AND Y",
    "X BETWEEN Y AND 1",
    "X NOT BETWEEN Y AND X",
    "BINARY X=Y",
    "CASE X WHEN Y THEN 1 ELSE 2 END",
    "CASE X WHEN 1 THEN 1 WHEN Y THEN 2 END",
    "NULLIF(X,Y)",
    "GREATEST(X,Y)",
    "LEAST(X,Y)",
    "IF(id>1,X,Y)",
    "COALESCE(X,Y)",
    "IFNULL(Y,X)",
    "CASE WHEN id>1 THEN X ELSE Y END",
];

/// Statements about two columns.
pub const STATEMENTS: &[&str] = &[
    "SELECT p.id, p.X IN (SELECT q.Y FROM q) FROM p",
    "SELECT p.id, p.X NOT IN (SELECT q.Y FROM q) FROM p",
    "SELECT p.id, p.X = ANY (SELECT q.Y FROM q) FROM p",
    "SELECT p.id, p.X <> ALL (SELECT q.Y FROM q WHERE q.id<9) FROM p",
    "SELECT p.id, p.X < ANY (SELECT q.Y FROM q) FROM p",
    "SELECT p.id, p.X = (SELECT q.Y FROM q WHERE q.id=2) FROM p",
    "SELECT id FROM p WHERE X IN (SELECT Y FROM q)",
    "SELECT id FROM p WHERE X NOT IN (SELECT Y FROM q WHERE id<9)",
    "SELECT p.id, q.id FROM p JOIN q ON p.X=q.Y",
    "SELECT p.id, k.id FROM p JOIN k ON p.X=k.Y",
    "SELECT p.id, k.id FROM p LEFT JOIN k ON k.X=p.Y",
    "SELECT p.id, k.id FROM p JOIN k ON k.X<p.Y",
    "SELECT X FROM p UNION SELECT Y FROM q",
    "SELECT X FROM p UNION ALL SELECT Y FROM q",
    "SELECT id FROM p ORDER BY COALESCE(X,Y), id",
    "SELECT COUNT(*), MIN(id) FROM p GROUP BY IF(id>1,X,Y)",
    "SELECT MIN(COALESCE(X,Y)), MAX(IF(id>1,X,Y)), COUNT(DISTINCT X,Y) FROM p",
    "SELECT DISTINCT CASE WHEN id>1 THEN X ELSE Y END FROM p",
];

/// Tables made of two columns.
pub const MADE: &[&str] = &[
    "SELECT IF(id>1,X,Y) a, COALESCE(X,Y) b, IFNULL(Y,X) c, GREATEST(X,Y) d, NULLIF(X,Y) e FROM p",
    "SELECT X a FROM p UNION SELECT Y FROM q",
];

/// Expressions of a column of `q` and constants.
pub const BESIDE_CONSTANTS: &[&str] = &[
    "X=Y",
    "Y<=>X",
    "X<Y",
    "X>=Y",
    "X IN (Y,Z)",
    "X NOT IN (Y,NULL)",
    "Y IN (X,Z)",
    "X BETWEEN Y AND Z",
    "Y BETWEEN X AND Z",
    "CASE X WHEN Y THEN 1 WHEN Z THEN 2 END",
    "NULLIF(X,Y)",
    "GREATEST(X,Y)",
    "IF(id>1,X,Y)",
    "COALESCE(X,Y)",
];

/// Statements about a column and constants, with `k`, whose columns have keys, and `q`, whose have none.
pub const SEARCHES: &[&str] = &[
    "SELECT id FROM T WHERE X=Y",
    "SELECT id FROM T WHERE X<=>Y",
    "SELECT id FROM T WHERE X<Y",
    "SELECT id FROM T WHERE X>=Y",
    "SELECT id FROM T WHERE X IN (Y,Z)",
    "SELECT id FROM T WHERE X NOT IN (Y,Z)",
    "SELECT id FROM T WHERE X BETWEEN Y AND Z",
    "SELECT MIN(X) FROM T WHERE X>Y",
    "SELECT MAX(X) FROM T WHERE X<=Y",
    "SELECT MIN(X),MAX(X) FROM T WHERE X BETWEEN Y AND Z",
    "SELECT MAX(X) FROM T WHERE X=Y",
];

/// The same question in other words, where MariaDB may answer otherwise: without a key, and row by row in the place of
/// a look-up in a set.
pub fn in_other_words(sql: &str) -> Option<String> {
    if sql.contains(" FROM k WHERE ") {
        return Some(sql.replace(" FROM k WHERE ", " FROM q WHERE "));
    }
    if sql.contains(" JOIN k ON ") {
        return Some(sql.replace(" JOIN k ON ", " JOIN q k ON "));
    }
    let inner = sql.find(" (SELECT ")?;
    let end = inner + sql[inner..].find(')')?;
    let subquery = &sql[inner + 9..end];
    let (right, from) = subquery.split_once(" FROM q")?;
    let right = right.trim_start_matches("q.");
    let (before, rest) = (&sql[..inner], &sql[end + 1..]);
    let start = before.rfind(", ").map(|n| n + 2).or_else(|| before.rfind("WHERE ").map(|n| n + 6))?;
    let (left, operator) = before[start..].split_once(' ')?;
    let left = left.trim_start_matches("p.");
    let sum = |op: &str| {
        format!(
            "(SELECT CASE WHEN SUM(p.{left}{op}q.{right}) THEN 1 WHEN COUNT(*)>COUNT(p.{left}{op}q.{right}) THEN NULL \
             ELSE 0 END FROM q{from})"
        )
    };
    let told = match operator {
        "IN" | "= ANY" => sum("="),
        "< ANY" => sum("<"),
        "NOT IN" | "<> ALL" => format!("1-{}", sum("=")),
        _ => return None,
    };
    Some(format!("{}{told}{rest}", &before[..start]))
}

/// A statement that makes all comparisons of which the given one's plan may leave some out: where a key, a hash table, a cache or
/// a sorted set of values stands between, or the first match ends the search.
pub fn compared_in_full(sql: &str) -> Option<String> {
    if sql.contains(" FROM k WHERE ") {
        return Some(sql.replace(" FROM k WHERE ", " FROM q WHERE "));
    }
    if let Some((_, condition)) = sql.split_once(" ON ") {
        return Some(format!("SELECT {condition} FROM p JOIN q JOIN q k"));
    }
    let (before, rest) = sql.split_once(" (SELECT ")?;
    let (subquery, _) = rest.split_once(')')?;
    let (right, from) = subquery.split_once(" FROM q")?;
    let start = before.rfind(", ").map(|n| n + 2).or_else(|| before.rfind("WHERE ").map(|n| n + 6))?;
    let (left, operator) = before[start..].split_once(' ')?;
    let sign = if operator == "< ANY" { "<" } else { "=" };
    let (left, right) = (left.trim_start_matches("p."), right.trim_start_matches("q."));
    Some(format!("SELECT p.{left}{sign}q.{right} FROM p JOIN q{}", from.replace("WHERE id", "WHERE q.id")))
}
