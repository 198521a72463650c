//! Aggregate functions as the binder collects them.

use super::Expr;
use crate::ast::AggregateFunction;
use crate::types::FieldType;

/// One aggregate of a query.
#[derive(Clone, Debug)]
pub struct AggregateCall {
    /// Which.
    pub function: AggregateFunction,
    /// The number under which the host knows a stored function.
    pub stored: u64,
    /// DISTINCT.
    pub distinct: bool,
    /// Arguments, already converted to the class the accumulator wants; none for COUNT(*).
    pub args: Vec<Expr>,
    /// ORDER BY of GROUP_CONCAT: expression and whether descending.
    pub order_by: Vec<(Expr, bool)>,
    /// NULLs of ORDER BY come first, as those of JSON_ARRAYAGG; else they are the values of columns of which nothing is said.
    pub nulls_first: bool,
    /// Of a GROUP_CONCAT that is ordered by its own arguments: argument `i` computed of the value that it is ordered by, column `i`
    /// of a batch. Empty when arguments and ORDER BY are computed each for itself.
    pub of_values: Vec<Expr>,
    /// SEPARATOR of GROUP_CONCAT, in the result's character set.
    pub separator: Box<[u8]>,
    /// LIMIT of GROUP_CONCAT: offset, count.
    pub limit: Option<(u64, u64)>,
    /// The result's type.
    pub ty: FieldType,
}
