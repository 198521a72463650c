//! What PARTITION BY may look like, whatever the table's columns are.

use schema::definition::{ColumnType, TableDef};

use crate::ast::{
    self, BinaryOp, ExprKind, PartitionBound, PartitionBy, PartitionElement, PartitionMethod,
    PartitionValues, UnaryOp,
};
use crate::error::{SqlError, SqlResult, codes};
use crate::names::same_name;

/// Functions that partitioning functions may call.
const ALLOWED: &[&str] = &[
    "abs",
    "ceiling",
    "ceil",
    "datediff",
    "day",
    "dayofmonth",
    "dayofweek",
    "dayofyear",
    "floor",
    "hour",
    "microsecond",
    "minute",
    "mod",
    "month",
    "quarter",
    "second",
    "time_to_sec",
    "to_days",
    "to_seconds",
    "unix_timestamp",
    "weekday",
    "year",
    "yearweek",
];

/// Brings a clause into one form, and checks its partitions one against the other.
///
/// # Errors
/// 1479-1485, 1492, 1499, 1504, 1517, 1653, 1657, 1658, 4030.
pub(super) fn shape(by: &mut PartitionBy) -> SqlResult<()> {
    let kind = match &by.method {
        PartitionMethod::Hash(_) => None,
        PartitionMethod::Range(_) | PartitionMethod::RangeColumns(_) => Some("RANGE"),
        PartitionMethod::List(_) | PartitionMethod::ListColumns(_) => Some("LIST"),
    };
    if let (Some(kind), true) = (kind, by.partitions.is_empty()) {
        return Err(SqlError::new(codes::ER_PARTITIONS_MUST_BE_DEFINED_ERROR, &[&kind]));
    }
    let columns = match &by.method {
        PartitionMethod::RangeColumns(c) | PartitionMethod::ListColumns(c) => Some(c.len()),
        _ => None,
    };
    let last = by.partitions.len().saturating_sub(1);
    let mut defaults = 0;
    for (n, partition) in by.partitions.iter().enumerate() {
        values(partition, kind, columns, n == last)?;
        defaults += usize::from(partition.values == PartitionValues::Default);
        if defaults > 1 {
            return Err(SqlError::new(codes::ER_PARTITION_DEFAULT_ERROR, &[]));
        }
    }
    if by.count.is_some_and(|n| !by.partitions.is_empty() && n != by.partitions.len() as u64) {
        return Err(SqlError::new(codes::ER_PARTITION_WRONG_NO_PART_ERROR, &[]));
    }
    if by.count.is_some_and(|n| n > crate::table::partition::MOST) {
        return Err(SqlError::new(codes::ER_TOO_MANY_PARTITIONS_ERROR, &[]));
    }
    subpartitions(by)?;
    names(by)
}

/// VALUES of one partition.
fn values(
    partition: &PartitionElement,
    kind: Option<&'static str>,
    columns: Option<usize>,
    last: bool,
) -> SqlResult<()> {
    let only =
        |kind: &str, what: &str| Err(SqlError::new(codes::ER_PARTITION_WRONG_VALUES_ERROR, &[&kind, &what]));
    let max = || Err(SqlError::new(codes::ER_PARTITION_MAXVALUE_ERROR, &[]));
    match (&partition.values, kind) {
        (PartitionValues::None, None) => Ok(()),
        (PartitionValues::None, Some(kind)) => {
            let what = if kind == "RANGE" { "LESS THAN" } else { "IN" };
            Err(SqlError::new(codes::ER_PARTITION_REQUIRES_VALUES_ERROR, &[&kind, &what]))
        }
        (PartitionValues::Max | PartitionValues::LessThan(_), None | Some("LIST")) => {
            only("RANGE", "LESS THAN")
        }
        (PartitionValues::In(_), None | Some("RANGE")) => only("LIST", "IN"),
        (PartitionValues::Default, None | Some("RANGE")) => only("LIST", "DEFAULT"),
        (PartitionValues::Default, _) => Ok(()),
        (PartitionValues::Max, _) => match (columns, last) {
            (Some(n), _) if n > 1 => Err(SqlError::new(codes::ER_PARTITION_COLUMN_LIST_ERROR, &[])),
            (_, true) => Ok(()),
            (_, false) => max(),
        },
        (PartitionValues::LessThan(list), _) => match (columns, &list[..]) {
            (None, [PartitionBound::Max]) if !last => max(),
            (None, [_]) => Ok(()),
            (None, _) => Err(SqlError::new(codes::ER_TOO_MANY_VALUES_ERROR, &[&"RANGE"])),
            (Some(n), list) if n != list.len() => {
                Err(SqlError::new(codes::ER_PARTITION_COLUMN_LIST_ERROR, &[]))
            }
            (Some(_), _) => Ok(()),
        },
        (PartitionValues::In(list), _) => {
            for tuple in list {
                if tuple.values.contains(&PartitionBound::Max) {
                    return max();
                }
                match columns.unwrap_or(1) {
                    1 if tuple.row => {
                        return Err(SqlError::new(codes::ER_ROW_SINGLE_PARTITION_FIELD_ERROR, &[]));
                    }
                    n if n != tuple.values.len() => {
                        return Err(SqlError::new(codes::ER_PARTITION_COLUMN_LIST_ERROR, &[]));
                    }
                    _ => {}
                }
            }
            Ok(())
        }
    }
}

/// MAXVALUE in parentheses is that without them; subpartitions have the options of their partition where they name none.
fn subpartitions(by: &mut PartitionBy) -> SqlResult<()> {
    let plain = matches!(by.method, PartitionMethod::Range(_));
    for partition in &mut by.partitions {
        let max = matches!(&partition.values, PartitionValues::LessThan(l) if l[..] == [PartitionBound::Max]);
        if plain && max {
            partition.values = PartitionValues::Max;
        } else if !plain && partition.values == PartitionValues::Max {
            partition.values = PartitionValues::LessThan(vec![PartitionBound::Max]);
        }
    }
    let first = by.partitions.first().map_or(0, |p| p.subpartitions.len());
    let Some(sub) = &by.sub else {
        return match by.partitions.iter().any(|p| !p.subpartitions.is_empty()) {
            true => Err(SqlError::new(codes::ER_SUBPARTITION_ERROR, &[])),
            false => Ok(()),
        };
    };
    for partition in &mut by.partitions {
        if partition.subpartitions.len() != first {
            return Err(SqlError::new(codes::ER_PARTITION_WRONG_NO_SUBPART_ERROR, &[]));
        }
        let own = &partition.options;
        for s in &mut partition.subpartitions {
            s.options.comment = s.options.comment.take().or_else(|| own.comment.clone());
            s.options.max_rows = s.options.max_rows.or(own.max_rows);
            s.options.min_rows = s.options.min_rows.or(own.min_rows);
        }
    }
    match sub.count {
        Some(n) if first > 0 && n != first as u64 => {
            Err(SqlError::new(codes::ER_PARTITION_WRONG_NO_SUBPART_ERROR, &[]))
        }
        Some(n) if n > crate::table::partition::MOST => {
            Err(SqlError::new(codes::ER_TOO_MANY_PARTITIONS_ERROR, &[]))
        }
        _ => Ok(()),
    }
}

/// All partitions are of one engine, which some name only where the table names it: `engine`.
///
/// # Errors
/// 1497.
pub(super) fn engines(by: &PartitionBy, engine: Option<&str>) -> SqlResult<()> {
    let of = |e: &PartitionElement| e.options.engine.as_deref().or(engine).map(str::to_ascii_lowercase);
    let files = |e: &PartitionElement| match e.subpartitions.is_empty() {
        true => vec![of(e)],
        false => e.subpartitions.iter().map(|s| of(s).or_else(|| of(e))).collect(),
    };
    let mut all = by.partitions.iter().flat_map(files);
    let Some(first) = all.next() else { return Ok(()) };
    match all.any(|other| other != first)
        || engine.is_some_and(|e| first.is_some_and(|f| f != e.to_ascii_lowercase()))
    {
        true => Err(SqlError::new(codes::ER_MIX_HANDLER_ERROR, &[])),
        false => Ok(()),
    }
}

/// No two partitions have one name.
fn names(by: &PartitionBy) -> SqlResult<()> {
    let mut all: Vec<&str> = Vec::new();
    let subs = by.partitions.iter().flat_map(|p| &p.subpartitions);
    for e in by.partitions.iter().chain(subs) {
        if e.name.is_empty() || e.name.ends_with(' ') {
            return Err(SqlError::new(codes::ER_WRONG_PARTITION_NAME, &[]));
        }
        if e.name.chars().count() > crate::names::MAX_NAME {
            return Err(SqlError::new(codes::ER_TOO_LONG_IDENT, &[&e.name]));
        }
        if all.iter().any(|o| same_name(o, &e.name)) {
            return Err(SqlError::new(codes::ER_SAME_NAME_PARTITION, &[&e.name]));
        }
        all.push(&e.name);
    }
    Ok(())
}

/// What a partitioning function may be made of.
///
/// # Errors
/// 1486, 1564.
pub(super) fn function(e: &ast::Expr) -> SqlResult<()> {
    let refused = || Err(SqlError::new(codes::ER_PARTITION_FUNCTION_IS_NOT_ALLOWED, &[]));
    match &e.kind {
        ExprKind::Literal(_) | ExprKind::Column(_) => {}
        ExprKind::Unary(UnaryOp::Negate, _) => {}
        ExprKind::Binary(
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::IntDivide | BinaryOp::Modulo,
            ..,
        ) => {}
        ExprKind::Extract(..) => {}
        ExprKind::Function(f) if ALLOWED.iter().any(|n| f.name.eq_ignore_ascii_case(n)) && f.db.is_none() => {
        }
        ExprKind::Param(_) => return Err(SqlError::new(codes::ER_WRONG_EXPR_IN_PARTITION_FUNC_ERROR, &[])),
        _ => return refused(),
    }
    let mut result = Ok(());
    e.kind.for_children(&mut |child| {
        if result.is_ok() {
            result = function(child);
        }
    });
    result
}

/// Functions of dates, and of times.
const OF_DATES: &[&str] = &[
    "datediff",
    "day",
    "dayofmonth",
    "dayofweek",
    "dayofyear",
    "month",
    "quarter",
    "to_days",
    "to_seconds",
    "weekday",
    "year",
    "yearweek",
];
const OF_TIMES: &[&str] = &["hour", "microsecond", "minute", "second", "time_to_sec"];

/// A column of TIMESTAMP stands for another value in each time zone, but in UNIX_TIMESTAMP; nothing else may be in that. Functions of
/// dates and times are asked of columns that have those alone.
///
/// # Errors
/// 1486.
pub(super) fn time_zones(e: &ast::Expr, def: &TableDef) -> SqlResult<()> {
    let type_of =
        |c: &ast::ColumnRef| def.columns.iter().find(|d| same_name(&d.name, &c.name)).map(|d| &d.ty);
    let is_timestamp = |c: &ast::ColumnRef| matches!(type_of(c), Some(ColumnType::Timestamp { .. }));
    let wrong = || Err(SqlError::new(codes::ER_WRONG_EXPR_IN_PARTITION_FUNC_ERROR, &[]));
    let is = |f: &ast::FunctionCall, list: &[&str]| list.iter().any(|n| f.name.eq_ignore_ascii_case(n));
    match &e.kind {
        ExprKind::Function(f) if f.name.eq_ignore_ascii_case("unix_timestamp") => {
            return match f.args.first().map(|a| &a.kind) {
                Some(ExprKind::Column(c)) if is_timestamp(c) => Ok(()),
                _ => wrong(),
            };
        }
        ExprKind::Function(f) if is(f, OF_DATES) || is(f, OF_TIMES) => {
            let count = if f.name.eq_ignore_ascii_case("yearweek") { 1 } else { f.args.len() };
            let fits = |a: &ast::Expr| match &a.kind {
                ExprKind::Column(c) => match type_of(c) {
                    Some(ColumnType::DateTime { .. }) => true,
                    Some(ColumnType::Date) => is(f, OF_DATES),
                    Some(ColumnType::Time { .. }) => is(f, OF_TIMES),
                    _ => false,
                },
                _ => false,
            };
            if !f.args.iter().take(count).all(fits) {
                return wrong();
            }
        }
        ExprKind::Column(c) if is_timestamp(c) => return wrong(),
        ExprKind::Extract(unit, of) => {
            use ast::IntervalUnit as U;
            let date = match unit {
                U::Week => return wrong(),
                U::Day | U::Month | U::Quarter | U::Year | U::YearMonth => true,
                U::DayMicrosecond | U::DaySecond | U::DayMinute | U::DayHour => true,
                _ => false,
            };
            let ExprKind::Column(c) = &of.kind else { return wrong() };
            return match type_of(c) {
                Some(ColumnType::DateTime { .. }) => Ok(()),
                Some(ColumnType::Date) if date => Ok(()),
                Some(ColumnType::Time { .. }) if !date => Ok(()),
                _ => wrong(),
            };
        }
        _ => {}
    }
    let mut result = Ok(());
    e.kind.for_children(&mut |child| {
        if result.is_ok() {
            result = time_zones(child, def);
        }
    });
    result
}

/// What VALUES may be made of: no columns, nothing of the session.
///
/// # Errors
/// 1486.
pub(super) fn constant(e: &ast::Expr) -> SqlResult<()> {
    let wrong = matches!(
        e.kind,
        ExprKind::UserVariable(_)
            | ExprKind::SystemVariable(_)
            | ExprKind::Param(_)
            | ExprKind::Subquery(_)
            | ExprKind::Exists(_)
            | ExprKind::InSubquery { .. }
            | ExprKind::Aggregate(_)
    );
    if wrong {
        return Err(SqlError::new(codes::ER_WRONG_EXPR_IN_PARTITION_FUNC_ERROR, &[]));
    }
    let mut result = Ok(());
    e.kind.for_children(&mut |child| {
        if result.is_ok() {
            result = constant(child);
        }
    });
    result
}
