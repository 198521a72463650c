//! IS NULL as ODBC programs expect it: of dates, and of the number made last.

use super::Relation;
use super::scope::Names;
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Node};
use crate::types::{FieldType, Value};

/// `IS NULL` of a DATE or DATETIME column that cannot be NULL finds the zero date, as ODBC programs expect.
///
/// # Errors
/// None in practice: those of building a comparison.
pub(super) fn zero_dates(names: &Names, e: &mut Expr, ctx: &mut EvalContext) -> SqlResult<()> {
    match &mut e.node {
        Node::And(list) | Node::Or(list) => list.iter_mut().try_for_each(|e| zero_dates(names, e, ctx)),
        Node::Is(inner, crate::expr::Test::Null, false) => {
            let Node::Column(c) = &inner.node else { return Ok(()) };
            if !matches!(inner.ty.kind, crate::types::Kind::Date | crate::types::Kind::DateTime) {
                return Ok(());
            }
            let column = c.column as usize;
            let Some(table) = names.tables.get(c.table as usize) else { return Ok(()) };
            let never_null = match &table.relation {
                Relation::Base(open) => open.def().columns.get(column).is_some_and(|d| !d.nullable),
                // where the row of a result may be missing, IS NULL asks for that alone, but for one below a view
                Relation::Derived(plan) if !inner.ty.nullable || table.view.hidden => {
                    plan.types.get(column).is_some_and(|ty| !ty.nullable)
                }
                _ => false,
            };
            if !never_null {
                return Ok(());
            }
            let zero = match inner.ty.class() {
                crate::types::Class::Date => Value::Date(Default::default()),
                _ => Value::DateTime(Default::default()),
            };
            let zero = Expr::literal(zero, inner.ty.clone().with_nullable(false));
            let outer = inner.ty.nullable;
            let equal = crate::bind::compare(crate::expr::CompareOp::Eq, (**inner).clone(), zero, ctx)?;
            let is_null = std::mem::replace(e, equal);
            if outer {
                // the row may be missing, too
                let equal = std::mem::replace(e, Expr::literal(Value::Null, FieldType::null()));
                *e = Expr::new(Node::Or(vec![is_null, equal]), FieldType::boolean());
            }
            Ok(())
        }
        Node::Not(inner) if asks_for_null(inner) => {
            // NOT reaches the parts, so `NOT (d IS NOT NULL)` is `d IS NULL`, too
            let inner = std::mem::replace(&mut **inner, Expr::literal(Value::Null, FieldType::null()));
            let ty = e.ty.clone();
            let opposite = |list: Vec<Expr>| list.into_iter().map(crate::bind::expr::not).collect();
            *e = match inner.node {
                Node::And(list) => Expr::new(Node::Or(opposite(list)), ty),
                Node::Or(list) => Expr::new(Node::And(opposite(list)), ty),
                Node::Is(inner, test, negated) => Expr::new(Node::Is(inner, test, !negated), ty),
                node => crate::bind::expr::not(Expr::new(node, ty)),
            };
            zero_dates(names, e, ctx)
        }
        _ => Ok(()),
    }
}

/// `IS NULL` of a column that is never NULL is known.
pub(super) fn settle(names: &Names, e: &mut Expr) {
    let Node::Is(inner, crate::expr::Test::Null, false) = &e.node else { return };
    let Some(c) = inner.as_column().filter(|_| !inner.ty.nullable) else { return };
    if matches!(names.tables.get(c.table as usize).map(|t| &t.relation), Some(Relation::Base(_))) {
        *e = Expr::literal(Value::Int(0), FieldType::boolean());
    }
}

/// Whether a condition has `d IS NOT NULL` of a date in it.
fn asks_for_null(e: &Expr) -> bool {
    match &e.node {
        Node::And(list) | Node::Or(list) => list.iter().any(asks_for_null),
        Node::Is(inner, crate::expr::Test::Null, true) => {
            matches!(inner.node, Node::Column(_))
                && matches!(inner.ty.kind, crate::types::Kind::Date | crate::types::Kind::DateTime)
        }
        _ => false,
    }
}

/// With `sql_auto_is_null`, `IS NULL` of an AUTO_INCREMENT column as the whole condition finds the row inserted last,
/// once. Tells whether the condition is such.
pub(super) fn new_row(names: &Names, e: &mut Expr, ctx: &mut EvalContext) -> SqlResult<bool> {
    let Node::Is(inner, crate::expr::Test::Null, false) = &e.node else { return Ok(false) };
    let Some(c) = inner.as_column().filter(|_| ctx.auto_is_null && !inner.ty.nullable) else {
        return Ok(false);
    };
    let Some(Relation::Base(open)) = names.tables.get(c.table as usize).map(|t| &t.relation) else {
        return Ok(false);
    };
    if !open.def().columns.get(c.column as usize).is_some_and(|d| d.auto_increment) {
        return Ok(false);
    }
    if std::mem::take(&mut ctx.connection.fresh_id) {
        let id = Value::UInt(ctx.connection.last_insert_id);
        let id = Expr::literal(id, FieldType::bigint(true).with_nullable(false));
        *e = crate::bind::compare(crate::expr::CompareOp::Eq, (**inner).clone(), id, ctx)?;
    }
    Ok(true)
}
