//! Columns that have one value in all rows: `WHERE a = 5` says so of `a`. Nothing is sorted by them, and what is grouped by them alone is one
//! group.

use crate::expr::{CompareOp, Comparison, Expr, Node, Test};
use crate::types::Class;

/// A table and the number of its column.
type Column = (u32, u32);

/// The columns that these conditions fix.
pub(super) fn columns(conditions: &[Expr]) -> Vec<Column> {
    conditions.iter().filter_map(fixed).collect()
}

/// Whether an expression is one of these columns, or the same for all rows anyway.
pub(super) fn is_among(e: &Expr, columns: &[Column]) -> bool {
    match e.as_column() {
        Some(c) => columns.contains(&(c.table, c.column)),
        None => e.is_foldable(),
    }
}

fn fixed(e: &Expr) -> Option<Column> {
    let column = |e: &Expr| e.as_column().map(|c| (c.table, c.column));
    match &e.node {
        Node::Compare(CompareOp::Eq | CompareOp::NullSafeEq, by, sides) => {
            let [a, b] = &**sides;
            let (side, value) = if a.as_column().is_some() { (a, b) } else { (b, a) };
            let constant = value.is_constant() && value.is_repeatable();
            (constant && says_all(side, *by)).then(|| column(side))?
        }
        Node::Is(of, Test::Null, false) => column(of),
        _ => None,
    }
}

/// Whether only one value of a column equals another one that it is compared with in this way: of integers and decimals several are the same
/// double. (Texts that are equal may differ, but not in their order.)
fn says_all(column: &Expr, by: Comparison) -> bool {
    let class = column.ty.class();
    match by {
        Comparison::Text(collation) => std::ptr::eq(collation, column.ty.collation),
        Comparison::Int => class.is_integer(),
        Comparison::Decimal => class.is_integer() || class == Class::Decimal,
        Comparison::Double | Comparison::Digits(_) => class == Class::Double,
        Comparison::Temporal => matches!(class, Class::Date | Class::Time | Class::DateTime),
    }
}
