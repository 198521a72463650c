//! What PARTITION BY may look like, whatever the table's columns are.

use schema::definition::{ColumnType, TableDef};

use crate::ast::{
    self, BinaryOp, ExprKind, PartitionBound, PartitionBy, PartitionElement, PartitionKind, PartitionMethod,
    PartitionOp, PartitionTuple, PartitionValues, UnaryOp,
};
use crate::ddl::DefinitionBuilder;
use crate::error::{SqlError, SqlResult, codes};
use crate::names::same_name;
use crate::table::partition::names_of;
use crate::types::Value;

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

/// Which statement a clause is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// CREATE TABLE, PARTITION BY and what a definition has.
    Clause,
    /// ADD and REORGANIZE, whose partitions are counted and named by themselves.
    Change,
}

impl DefinitionBuilder<'_> {
    /// Brings a clause into one form, and checks its partitions one against the other.
    ///
    /// # Errors
    /// 1479-1485, 1492, 1499, 1504, 1517, 1566, 1653, 1657, 1658, 1697, 4030.
    pub(in crate::ddl) fn shape(&mut self, by: &mut PartitionBy) -> SqlResult<()> {
        let kind = match by.method.kind() {
            PartitionKind::Hash => None,
            PartitionKind::Range => Some("RANGE"),
            PartitionKind::List => Some("LIST"),
        };
        if let (Some(kind), true) = (kind, by.partitions.is_empty()) {
            return Err(SqlError::new(codes::ER_PARTITIONS_MUST_BE_DEFINED_ERROR, &[&kind]));
        }
        self.all_values(by, From::Clause)?;
        if by.count.is_some_and(|n| !by.partitions.is_empty() && n != by.partitions.len() as u64) {
            return Err(SqlError::new(codes::ER_PARTITION_WRONG_NO_PART_ERROR, &[]));
        }
        if by.count.is_some_and(|n| n > crate::table::partition::MOST) {
            return Err(SqlError::new(codes::ER_TOO_MANY_PARTITIONS_ERROR, &[]));
        }
        subpartitions(by)?;
        names(by)
    }

    /// Partitions that ALTER TABLE adds, before anything is said of those that there are.
    ///
    /// # Errors
    /// 1479-1481, 1566, 1653, 1697, 4030.
    pub(super) fn check_new(&mut self, by: &PartitionBy, op: &PartitionOp) -> SqlResult<()> {
        let (new, replace) = match op {
            PartitionOp::Add { partitions, .. } => (&partitions[..], false),
            PartitionOp::Reorganize { names, into } if !names.is_empty() => (&into[..], true),
            PartitionOp::ConvertToPartition { partition, .. } => (std::slice::from_ref(&**partition), false),
            _ => return Ok(()),
        };
        if replace && new.iter().all(|p| p.values == PartitionValues::Default) {
            by.method.kind().check(&PartitionValues::Default, "IN")?;
            return Err(SqlError::new(codes::ER_PARTITION_COLUMN_LIST_ERROR, &[]));
        }
        let alone = PartitionBy { partitions: new.to_vec(), ..by.clone() };
        self.all_values(&alone, From::Change)
    }

    /// VALUES of all partitions: first whether they are of the right kind, then whether they are values at all.
    fn all_values(&mut self, by: &PartitionBy, from: From) -> SqlResult<()> {
        let kind = by.method.kind();
        for partition in &by.partitions {
            kind.check(&partition.values, if from == From::Change { "IN" } else { "DEFAULT" })?;
        }
        let columns = match &by.method {
            PartitionMethod::RangeColumns(c) | PartitionMethod::ListColumns(c) => Some(c.len()),
            _ => None,
        };
        let last = by.partitions.len().saturating_sub(1);
        let mut defaults = 0;
        for (n, partition) in by.partitions.iter().enumerate() {
            values(partition, columns, n == last, from)?;
            self.constants(partition, kind, columns.is_none())?;
            defaults += usize::from(partition.values == PartitionValues::Default);
            if defaults > 1 {
                return Err(SqlError::new(codes::ER_PARTITION_DEFAULT_ERROR, &[]));
            }
        }
        Ok(())
    }

    /// Values are integers where they are not those of columns, and NULL is less than nothing.
    fn constants(
        &mut self,
        partition: &PartitionElement,
        kind: PartitionKind,
        integers: bool,
    ) -> SqlResult<()> {
        let bounds: Vec<&PartitionBound> = match &partition.values {
            PartitionValues::LessThan(list) => list.iter().collect(),
            PartitionValues::In(list) => list.iter().flat_map(|t| &t.values).collect(),
            _ => return Ok(()),
        };
        for bound in bounds {
            let PartitionBound::Value(e) = bound else { continue };
            let mark = self.ctx.warnings.mark();
            let (value, ty) = self.constant(e)?;
            self.ctx.warnings.rollback_to(mark);
            if value == Value::Null && kind == PartitionKind::Range {
                return Err(SqlError::new(codes::ER_NULL_IN_VALUES_LESS_THAN, &[]));
            }
            if integers && (value != Value::Null && !ty.class().is_integer() || ty.is_temporal()) {
                return Err(SqlError::new(codes::ER_VALUES_IS_NOT_INT_TYPE_ERROR, &[&partition.name]));
            }
        }
        Ok(())
    }
}

/// As many values of one partition as there are columns, and MAXVALUE in the last alone.
fn values(partition: &PartitionElement, columns: Option<usize>, last: bool, from: From) -> SqlResult<()> {
    let max = || Err(SqlError::new(codes::ER_PARTITION_MAXVALUE_ERROR, &[]));
    let count = || Err(SqlError::new(codes::ER_PARTITION_COLUMN_LIST_ERROR, &[]));
    match &partition.values {
        PartitionValues::Max if columns.is_some_and(|n| n > 1) => count(),
        PartitionValues::Max if !last => max(),
        PartitionValues::LessThan(list) => match (columns, &list[..]) {
            (None, [PartitionBound::Max]) if !last => max(),
            (None, [_]) => Ok(()),
            (None, _) if from == From::Change => count(),
            (None, _) => Err(SqlError::new(codes::ER_TOO_MANY_VALUES_ERROR, &[&"RANGE"])),
            (Some(n), list) if n != list.len() => count(),
            (Some(_), _) => Ok(()),
        },
        PartitionValues::In(list) => {
            let wanted = columns.unwrap_or(1);
            let several = |t: &PartitionTuple| t.row && wanted == 1 && from == From::Clause;
            if list.iter().any(several) {
                return Err(SqlError::new(codes::ER_ROW_SINGLE_PARTITION_FIELD_ERROR, &[]));
            }
            match list.iter().all(|t| t.values.len() == wanted) {
                true => Ok(()),
                false => count(),
            }
        }
        _ => Ok(()),
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

/// No two partitions have one name, nor has a subpartition that of a partition.
pub(super) fn names(by: &PartitionBy) -> SqlResult<()> {
    let own = names_of(by);
    let mut all: Vec<&str> = Vec::new();
    let subs = own.iter().flat_map(|(_, subs)| subs);
    for name in own.iter().map(|(name, _)| name).chain(subs) {
        if name.is_empty() || name.ends_with(' ') {
            return Err(SqlError::new(codes::ER_WRONG_PARTITION_NAME, &[]));
        }
        if name.chars().count() > crate::names::MAX_NAME {
            return Err(SqlError::new(codes::ER_TOO_LONG_IDENT, &[name]));
        }
        all.push(name);
    }
    let again = |n: &usize| all[..*n].iter().any(|other| same_name(other, all[*n]));
    match (0..all.len()).find(again).map(|n| all[n]) {
        Some(name) => Err(SqlError::new(codes::ER_SAME_NAME_PARTITION, &[&name])),
        None => Ok(()),
    }
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

/// What VALUES may be made of: no columns, nothing of the session, and of functions those that partitioning functions may have.
///
/// # Errors
/// 1486, 1564.
pub(super) fn constant(e: &ast::Expr) -> SqlResult<()> {
    match e.kind {
        ExprKind::UserVariable(_)
        | ExprKind::SystemVariable(_)
        | ExprKind::Param(_)
        | ExprKind::Subquery(_) => Err(SqlError::new(codes::ER_WRONG_EXPR_IN_PARTITION_FUNC_ERROR, &[])),
        _ => function(e),
    }
}
