//! What functions and conditions refuse by its type, whatever its value is: addresses, geometries, and documents where a
//! moment is wanted.

use super::wrapped::illegal_types;
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::{Expr, Node};
use crate::types::{FieldType, Kind};

/// The arguments that are looked at.
enum Which {
    All,
    First,
    Third,
}

use Which::{All, First, Third};

/// Functions of numbers and moments that take neither addresses nor geometries, and how the error calls them.
const REFUSING: &[(&str, &str, Which)] = &[
    ("abs", "abs", All),
    ("acos", "acos", All),
    ("asin", "asin", All),
    ("atan", "atan", All),
    ("atan2", "atan", All),
    ("benchmark", "benchmark", First),
    ("bit_count", "bit_count", All),
    ("cast_as_date", "cast_as_date", All),
    ("cast_as_datetime", "cast_as_datetime", All),
    ("cast_as_decimal", "decimal_typecast", All),
    ("cast_as_double", "double_typecast", First),
    ("cast_as_float", "float_typecast", First),
    ("cast_as_signed", "cast_as_signed", All),
    ("cast_as_time", "cast_as_time", All),
    ("cast_as_unsigned", "cast_as_unsigned", All),
    ("ceiling", "ceiling", All),
    ("convert_tz", "convert_tz", First),
    ("cos", "cos", All),
    ("cot", "cot", All),
    ("date", "cast_as_date", All),
    ("date_format", "date_format", First),
    ("datediff", "to_days", All),
    ("day", "dayofmonth", All),
    ("dayofyear", "dayofyear", All),
    ("degrees", "degrees", All),
    ("exp", "exp", All),
    ("floor", "floor", All),
    ("from_days", "from_days", All),
    ("from_unixtime", "from_unixtime", First),
    ("get_lock", "get_lock", All),
    ("hour", "hour", All),
    ("is_free_lock", "is_free_lock", All),
    ("is_used_lock", "is_used_lock", All),
    ("last_day", "last_day", All),
    ("last_insert_id", "last_insert_id", All),
    ("ln", "ln", All),
    ("locate", "locate", Third),
    ("log", "log", All),
    ("log10", "log10", All),
    ("log2", "log2", All),
    ("makedate", "makedate", All),
    ("maketime", "maketime", All),
    ("microsecond", "microsecond", All),
    ("minute", "minute", All),
    ("period_add", "period_add", All),
    ("period_diff", "period_diff", All),
    ("pow", "pow", All),
    ("quarter", "quarter", All),
    ("radians", "radians", All),
    ("rand", "rand", All),
    ("release_lock", "release_lock", All),
    ("round", "round", First),
    ("sec_to_time", "sec_to_time", All),
    ("second", "second", All),
    ("sign", "sign", All),
    ("sin", "sin", All),
    ("sleep", "sleep", All),
    ("sqrt", "sqrt", All),
    ("tan", "tan", All),
    ("time", "cast_as_time", All),
    ("time_format", "time_format", First),
    ("timediff", "timediff", All),
    ("timestamp", "timestamp", All),
    ("timestampdiff", "timestampdiff", All),
    ("to_days", "to_days", All),
    ("to_seconds", "to_seconds", All),
    ("truncate", "truncate", First),
    ("week", "week", All),
    ("year", "year", All),
    ("yearweek", "yearweek", All),
];

/// Those that take addresses, and no geometries.
const REFUSING_GEOMETRY: [&str; 5] =
    ["cast_as_char", "cast_as_char_n", "inet_aton", "json_depth", "json_length"];

/// Those of two operands that name both of them, and refuse documents, too.
const OF_MOMENTS: [&str; 3] = ["addtime", "subtime", "str_to_date"];

/// 4078 and 4079 for arguments that a function does not take.
///
/// # Errors
/// 4078 and 4079.
pub fn arguments(function: &str, args: &[Expr]) -> SqlResult<()> {
    // most calls have none of these types
    if !args.iter().any(|a| a.ty.is_special() || a.ty.json) {
        return Ok(());
    }
    if OF_MOMENTS.contains(&function)
        && let [a, b] = args
        && [a, b].iter().any(|e| is_no_moment(&e.ty))
    {
        return Err(both(&name(&a.ty), &name(&b.ty), function));
    }
    if function == "add_months"
        && let Some(moment) = args.first()
    {
        interval(moment)?;
    }
    if REFUSING_GEOMETRY.contains(&function)
        && let Some(e) = args.first().filter(|e| e.ty.kind == Kind::Geometry)
    {
        return Err(one(&e.ty, function.trim_end_matches("_n")));
    }
    let Some((_, operation, which)) = REFUSING.iter().find(|(name, ..)| *name == function) else {
        return Ok(());
    };
    let looked_at = match which {
        All => args,
        First => args.get(..1).unwrap_or_default(),
        Third => args.get(2..).unwrap_or_default(),
    };
    let operation = if function == "timestamp" && args.len() == 1 { "cast_as_datetime" } else { operation };
    match looked_at.iter().find(|e| e.ty.is_special()) {
        Some(e) => Err(one(&e.ty, operation)),
        None => Ok(()),
    }
}

/// 4078 for what no interval is added to.
///
/// # Errors
/// 4078.
pub fn interval(moment: &Expr) -> SqlResult<()> {
    if !is_no_moment(&moment.ty) {
        return Ok(());
    }
    Err(both(&name(&moment.ty), "interval", "date_add_interval"))
}

/// 4079 for what EXTRACT takes no part of.
///
/// # Errors
/// 4079.
pub fn extracted(moment: &Expr, operation: &str) -> SqlResult<()> {
    if is_no_moment(&moment.ty) { Err(one(&moment.ty, operation)) } else { Ok(()) }
}

/// 4078 for a column that is compared with 0 where it stands as a condition. What is computed has a truth value.
///
/// # Errors
/// 4078.
pub fn condition(e: &Expr, operation: &str, zero: &FieldType) -> SqlResult<()> {
    let column = matches!(e.node, Node::Column(_) | Node::Outer(_));
    if column && e.ty.is_special() { Err(illegal_types(&e.ty, zero, operation)) } else { Ok(()) }
}

fn is_no_moment(ty: &FieldType) -> bool {
    ty.is_special() || ty.json
}

fn name(ty: &FieldType) -> String {
    match ty.json {
        true if ty.is_blob() => String::from("longblob/json"),
        true => String::from("varchar/json"),
        false => ty.sql_name().to_string(),
    }
}

fn one(ty: &FieldType, operation: &str) -> SqlError {
    SqlError::new(codes::ER_ILLEGAL_PARAMETER_DATA_TYPE_FOR_OPERATION, &[&name(ty), &operation])
}

fn both(a: &str, b: &str, operation: &str) -> SqlError {
    SqlError::new(codes::ER_ILLEGAL_PARAMETER_DATA_TYPES2_FOR_OPERATION, &[&a, &b, &operation])
}
