//! Semi-joins: `x IN (SELECT ...)`, `= ANY` and EXISTS in WHERE as joins.
//!
//! What the subquery gives is made distinct and joined to the tables of the query around, like a derived table: the order of joins may begin with
//! it and find the other rows by their keys, where the query would read all of them and ask for each whether it is a member. An outer row
//! meets one row of the distinct ones at most, so it comes once.

use std::sync::Arc;

use super::from::{JoinTree, MOST_TABLES};
use super::keyed::Membership;
use super::order::LOOK_UP;
use super::scope::{Names, ScopeTable, Stack};
use super::{Body, QueryPlan, Relation, SubqueryPlan, access};
use crate::expr::{CompareOp, Comparison, EvalContext, Expr, Node, SubqueryKind, SubqueryNode};
use crate::types::{Class, FieldType, Kind};

/// Reading a row of the subquery, and making it distinct.
const MADE: f64 = 4.0;

/// Joins the subqueries of `conditions` where that is cheaper than to ask them for each row; their conditions become equalities.
pub(super) fn join(
    stack: &mut Stack<'_>,
    mut tree: JoinTree,
    conditions: &mut [Expr],
    ctx: &mut EvalContext,
) -> JoinTree {
    if !stack.here().outer.is_empty() {
        // it runs for each row of the query around, and would make these rows each time
        return tree;
    }
    let mut price = None;
    for n in 0..conditions.len() {
        let Some(asked) = candidate(stack, &conditions[n]) else { continue };
        let price = *price.get_or_insert_with(|| {
            let reader = stack.env.reader();
            access::price(tree.clone(), conditions, &stack.levels[stack.levels.len() - 1], reader, ctx)
        });
        if asked.rows * (MADE + LOOK_UP) >= price || stack.here().tables.len() >= MOST_TABLES {
            continue;
        }
        let id = asked.id;
        let sides = asked.sides;
        let Some(plan) = take(stack, id) else { continue };
        let number = stack.here().tables.len();
        conditions[n] = equalities(sides, &plan, number as u32);
        stack.here().tables.push(table(plan, asked.rows));
        tree = JoinTree::Inner(vec![tree, JoinTree::Table(number)], Vec::new());
    }
    tree
}

/// Notes the EXISTS of WHERE: like IN they may be answered from a set.
pub(super) fn note(stack: &mut Stack<'_>, conditions: &[Expr]) {
    for e in conditions {
        match &e.node {
            Node::And(list) | Node::Or(list) => note(stack, list),
            Node::Not(e) => note(stack, std::slice::from_ref(e)),
            Node::Subquery(node) if node.kind == SubqueryKind::Exists => {
                let sub = stack.subqueries.last_mut().and_then(|list| list.get_mut(node.id as usize));
                if let Some(sub) = sub.and_then(Arc::get_mut).filter(|s| s.keyed.is_some()) {
                    sub.membership = Some(Membership::Exists);
                }
            }
            _ => {}
        }
    }
}

/// A subquery that can be joined.
struct Asked {
    /// Its number.
    id: usize,
    /// What its columns equal, and how that is compared.
    sides: Vec<(Expr, Comparison)>,
    /// Rows that are read for it, as estimated.
    rows: f64,
}

/// What a condition asks of a subquery, where the join gives the same and may find rows by a key.
fn candidate(stack: &Stack<'_>, condition: &Expr) -> Option<Asked> {
    let Node::Subquery(node) = &condition.node else { return None };
    let member = match node.kind {
        SubqueryKind::In { negated: false } | SubqueryKind::Quantified { op: CompareOp::Eq, all: false } => {
            true
        }
        SubqueryKind::Exists => false,
        _ => return None,
    };
    let id = node.id as usize;
    let sub = stack.subqueries.last()?.get(id)?;
    if !node.compare_as.iter().enumerate().all(|(i, e)| e.as_column().is_some_and(|c| c.column as usize == i))
    {
        return None;
    }
    let mut sides: Vec<(Expr, Comparison)> = node.left.iter().cloned().zip(node.by.iter().copied()).collect();
    let (plan, rows) = match &sub.keyed {
        Some(keyed) => {
            for (e, by) in keyed.outer.iter().zip(&keyed.by) {
                sides.push((of_this_query(e, node)?, *by));
            }
            (&keyed.plan, keyed.rows)
        }
        None if sub.independent && member => (&*sub.plan, rows(&sub.plan)?),
        None => return None,
    };
    let Body::Block(block) = &plan.body else { return None };
    let names = &stack.levels[stack.levels.len() - 1];
    let fits = plan.types.len() == sides.len()
        && block.visible == block.output.len()
        && sides.iter().zip(&plan.types).all(|((e, by), ty)| {
            e.is_repeatable() && !access::has_subquery(e) && e.tables() != 0 && alike(*by, &e.ty, ty)
        });
    (fits && sides.iter().any(|(e, _)| is_found(e, names))).then_some(Asked { id, sides, rows })
}

/// Rows that a subquery reads, where all that it gives is needed and in no order.
pub(super) fn rows(plan: &QueryPlan) -> Option<f64> {
    let Body::Block(b) = &plan.body else { return None };
    let limited = b.limit.count.is_some() || b.limit.offset.is_some() || b.limit.examined.is_some();
    let reads = !b.steps.is_empty() && !limited && b.order.is_empty() && !b.reads_nothing();
    reads.then(|| plan.rows_read())
}

/// The outer side of an equality of a subquery, as the query around sees it.
fn of_this_query(e: &Expr, node: &SubqueryNode) -> Option<Expr> {
    let mut e = e.clone();
    let mut whole = true;
    e.walk_mut(&mut |e| {
        if let Node::Outer(n) = e.node {
            match node.outer.get(n as usize) {
                Some(outer) => e.node = outer.node.clone(),
                None => whole = false,
            }
        }
    });
    whole.then_some(e)
}

/// Whether a value equals one of distinct values at most: both are of one kind, and compared by what made them distinct.
pub(super) fn alike(by: Comparison, left: &FieldType, ty: &FieldType) -> bool {
    let special = |ty: &FieldType| {
        matches!(
            ty.kind,
            Kind::Year
                | Kind::Bit
                | Kind::Enum
                | Kind::Set
                | Kind::Geometry
                | Kind::Uuid
                | Kind::Inet4
                | Kind::Inet6
        )
    };
    if special(left) || special(ty) {
        return false;
    }
    match by {
        Comparison::Int => left.class().is_integer() && ty.class().is_integer(),
        Comparison::Double => left.class() == Class::Double && ty.class() == Class::Double,
        Comparison::Digits(_) => false,
        Comparison::Decimal => {
            left.class() == Class::Decimal && (ty.class() == Class::Decimal || ty.class().is_integer())
        }
        Comparison::Text(collation) => {
            left.class() == Class::Bytes
                && ty.class() == Class::Bytes
                && std::ptr::eq(collation, ty.collation)
        }
        Comparison::Temporal => left.class() == ty.class(),
    }
}

/// Whether rows may be found by a key that begins with this column.
pub(super) fn is_found(e: &Expr, names: &Names) -> bool {
    let Some(c) = e.as_column() else { return false };
    let Some(t) = names.tables.get(c.table as usize) else { return false };
    let Relation::Base(open) = &t.relation else { return false };
    let state = open.state_of(&t.state);
    open.keys().iter().enumerate().any(|(k, key)| {
        let first = key.segments.first().is_some_and(|s| s.column == c.column as usize && s.covers());
        first && key.is_btree() && state.key_active(k) && t.hints.rows.allows(k)
    })
}

/// Takes the plan of a subquery for a join; its rows become distinct.
fn take(stack: &mut Stack<'_>, id: usize) -> Option<Arc<QueryPlan>> {
    let sub: &mut SubqueryPlan = Arc::get_mut(stack.subqueries.last_mut()?.get_mut(id)?)?;
    let mut keyed = sub.keyed.take().map(|k| Arc::new(k.plan));
    let plan = keyed.as_mut().unwrap_or(&mut sub.plan);
    let Body::Block(block) = &mut Arc::get_mut(plan)?.body else { return None };
    block.distinct = true;
    block.direct = None;
    let plan = Arc::clone(plan);
    sub.joined = true;
    Some(plan)
}

/// The distinct rows of a subquery as a table of the query around.
fn table(plan: Arc<QueryPlan>, rows: f64) -> ScopeTable {
    let columns: Vec<(String, FieldType)> =
        plan.names.iter().cloned().zip(plan.types.iter().map(FieldType::fixed)).collect();
    ScopeTable {
        alias: String::new(),
        db: String::new(),
        name: String::new(),
        invisible: vec![true; columns.len()],
        columns,
        hints: super::hints::Hints::default(),
        state: Vec::new(),
        unreadable: None,
        relation: Relation::Derived(plan),
        view: super::view::ViewPart::default(),
        semijoin: Some(rows),
    }
}

/// `sides` = the columns of table `number`.
fn equalities(sides: Vec<(Expr, Comparison)>, plan: &QueryPlan, number: u32) -> Expr {
    let mut all = Vec::with_capacity(sides.len());
    for (i, (e, by)) in sides.into_iter().enumerate() {
        let column = Expr::column(number, i as u32, plan.types[i].fixed());
        let ty = FieldType::boolean().with_nullable(e.ty.nullable || column.ty.nullable);
        all.push(Expr::new(Node::Compare(CompareOp::Eq, by, Box::new([e, column])), ty));
    }
    super::from::conjunction(all).expect("a side")
}
