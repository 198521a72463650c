//! What a grouped query may name, and what of its list is computed when.

use super::query::Item;
use super::scope::{GroupColumn, Names};
use crate::ast::{self, ExprKind, Literal};
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::{Expr, Node};
use crate::types::{FieldType, Value};

/// ONLY_FULL_GROUP_BY: columns stand in the list only when they are grouped, or inside of what is; without GROUP BY not
/// beside aggregates.
///
/// # Errors
/// 1055, 1140.
pub(super) fn only_grouped<'e>(
    names: &Names,
    list: impl Iterator<Item = &'e Expr>,
    keys: &[Expr],
) -> SqlResult<()> {
    for e in list {
        let Some(c) = ungrouped(e, keys) else { continue };
        if keys.is_empty() {
            return Err(SqlError::new(codes::ER_MIX_OF_GROUP_FUNC_AND_FIELDS, &[]));
        }
        let Some(t) = names.tables.get(c.table as usize) else { continue };
        let column = t.columns.get(c.column as usize).map_or("", |c| &c.0);
        let dot = if t.db.is_empty() { "" } else { "." };
        let name = format!("{}{dot}{}.{column}", t.db, t.alias);
        return Err(SqlError::new(codes::ER_WRONG_FIELD_WITH_GROUP, &[&name]));
    }
    Ok(())
}

/// The first column of an expression that is not in an aggregate and not grouped.
pub(super) fn ungrouped(e: &Expr, keys: &[Expr]) -> Option<crate::expr::ColumnRef> {
    if keys.iter().any(|k| k.node == e.node && k.ty.kind == e.ty.kind) {
        return None;
    }
    let mut found = e.as_column();
    e.for_children(&mut |e| found = found.or_else(|| ungrouped(e, keys)));
    found
}

/// ROLLUP of one column by two names: the later one becomes an expression, in the list as well, so that each can be
/// NULL without the other.
pub(super) fn part_twins(keys: &mut [Expr], written: &[ast::OrderItem], items: &mut [Item]) {
    for i in 1..keys.len() {
        let Some(c) = keys[i].as_column().filter(|c| keys[..i].iter().any(|k| k.as_column() == Some(*c)))
        else {
            continue;
        };
        let ExprKind::Column(w) = &written[i].expr.kind else { continue };
        let mut listed = items.iter_mut().filter(|item| item.expr.as_column() == Some(c));
        let Some(item) = listed.find(|item| item.name.eq_ignore_ascii_case(&w.name)) else { continue };
        let ty = item.expr.ty.clone();
        let own = std::mem::replace(&mut item.expr, Expr::literal(Value::Null, FieldType::null()));
        item.expr = Expr::new(Node::Coalesce(vec![own]), ty);
        keys[i] = item.expr.clone();
    }
}

/// What HAVING may call a column that is grouped.
pub(super) fn group_column(key: &Expr, written: &ast::Expr, items: &[Item]) -> Option<GroupColumn> {
    let c = key.as_column()?;
    let same = |i: &&Item| i.expr.as_column() == Some(c);
    let listed = match &written.kind {
        ExprKind::Literal(Literal::Int(n)) => items.get((*n as usize).wrapping_sub(1)),
        // what is called so is meant, unless the column of FROM went before it
        ExprKind::Column(w) => match items.iter().find(|i| i.name.eq_ignore_ascii_case(&w.name)) {
            Some(named) => Some(named).filter(same),
            None => items.iter().find(same),
        },
        _ => None,
    };
    let place = (c.table as usize, c.column as usize);
    Some(GroupColumn { place, name: listed.map(|i| i.name.clone()) })
}

/// Takes the computed expressions without aggregates out of the list of a grouped query: each is computed when a
/// group begins, and stands behind the aggregates then.
pub(super) fn group_items(output: &mut [Expr], aggregates: usize) -> Vec<Expr> {
    let mut items: Vec<Expr> = Vec::new();
    for e in output {
        let mut fits = e.is_repeatable() && !e.is_constant();
        e.walk(&mut |e| {
            fits &= !matches!(
                e.node,
                Node::Aggregate(_) | Node::Window(_) | Node::Subquery(_) | Node::UserVariable(_)
            );
        });
        if fits && !matches!(e.node, Node::Column(_) | Node::Outer(_)) {
            let place = Expr::new(Node::Aggregate((aggregates + items.len()) as u32), e.ty.clone());
            items.push(std::mem::replace(e, place));
        }
    }
    items
}
