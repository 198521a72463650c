//! `a.x = b.y AND a.x = 5` says that b.y is 5, too: rows of both tables are left out, or found by keys, before they are joined.

use crate::expr::{CompareOp, Comparison, Expr, Node};
use crate::types::{FieldType, Kind};

/// A column that is compared as an integer.
fn column(e: &Expr) -> Option<(u32, u32)> {
    let whole = e.ty.class().is_integer() && !matches!(e.ty.kind, Kind::Year | Kind::Enum | Kind::Set);
    match &e.node {
        Node::Column(c) if whole => Some((c.table, c.column)),
        _ => None,
    }
}

/// The sides of an equality of integers.
fn sides(e: &Expr) -> Option<&[Expr; 2]> {
    match &e.node {
        Node::Compare(CompareOp::Eq, Comparison::Int, sides) => Some(sides),
        _ => None,
    }
}

/// Adds to conditions of an inner join those that follow from equal columns one of which is a constant.
pub(super) fn complete(pool: &mut Vec<Expr>) {
    let mut pairs: Vec<(Expr, Expr)> = Vec::new();
    // columns that are constants
    let mut known: Vec<((u32, u32), Expr)> = Vec::new();
    for [a, b] in pool.iter().filter_map(sides) {
        match (column(a), column(b)) {
            (Some(x), Some(y)) if x.0 != y.0 => pairs.push((a.clone(), b.clone())),
            (Some(x), None) if is_constant(b) => known.push((x, b.clone())),
            (None, Some(y)) if is_constant(a) => known.push((y, a.clone())),
            _ => {}
        }
    }
    if known.is_empty() {
        return;
    }
    let mut at = 0;
    while at < known.len() {
        let (from, value) = known[at].clone();
        for (a, b) in &pairs {
            for (side, other) in [(a, b), (b, a)] {
                let Some(new) = column(other).filter(|_| column(side) == Some(from)) else { continue };
                if known.iter().all(|(c, _)| *c != new) {
                    let ty = FieldType::boolean().with_nullable(other.ty.nullable || value.ty.nullable);
                    let args = Box::new([other.clone(), value.clone()]);
                    pool.push(Expr::new(Node::Compare(CompareOp::Eq, Comparison::Int, args), ty));
                    known.push((new, value.clone()));
                }
            }
        }
        at += 1;
    }
}

/// Whether a value is the same for all rows, and cheap.
fn is_constant(e: &Expr) -> bool {
    matches!(e.node, Node::Literal(_) | Node::Param(_)) && e.ty.class().is_integer()
}
