//! Conditions on the rows of a table that is made first become conditions of the query that makes them: of `SELECT a, COUNT(*) FROM t GROUP
//! BY a` only the groups that are asked for are made, of rows that a key finds.
//!
//! The query is planned again with the conditions that its columns can meet. The query around keeps them: what a query cannot check it
//! leaves alone.

use std::sync::Arc;

use super::access::has_subquery;
use super::equalities;
use super::from::{JoinTree, conjunction};
use super::query::{Item, plan_separate};
use super::scope::Stack;
use super::{QueryPlan, Relation, ctes, outer, view};
use crate::ast::{Name, Query};
use crate::catalog::view::StoredView;
use crate::error::SqlResult;
use crate::expr::{ArithOp, Comparison, EvalContext, Expr, Node};
use crate::types::{Class, FieldType};

/// Queries of a statement that are planned again at most: each of some that lie in one another plans those below it once more.
pub(super) const MOST_AGAIN: u32 = 64;

/// The query of a table whose rows are made first.
pub enum Text {
    /// A subquery of FROM or a common table, with the names that WITH gives its columns.
    Query(Arc<Query>, Vec<Name>),
    /// A view.
    View(Arc<StoredView>),
}

/// What the query was bound in.
pub struct Source {
    text: Text,
    /// Common tables in sight.
    ctes: usize,
    /// Views around.
    depth: usize,
}

/// Notes the query of the table bound last.
pub(super) fn note(stack: &mut Stack<'_>, text: Text, ctes: usize) {
    let depth = stack.depth;
    if let Some(table) = stack.here().tables.last_mut() {
        table.view.source = Some(Box::new(Source { text, ctes, depth }));
    }
}

/// Plans the tables of a FROM that are made first again, where conditions on them are known.
pub(super) fn push(stack: &mut Stack<'_>, tree: &JoinTree, conditions: &[Expr], ctx: &mut EvalContext) {
    let made = stack.here().tables.iter().enumerate().filter(|(_, t)| t.view.source.is_some());
    let wanted = made.fold(0u64, |mask, (t, _)| mask | 1 << t);
    if !ctx.push_into_derived || wanted == 0 {
        return;
    }
    let mut met = Vec::new();
    let tree = outer::simplify(tree.clone(), conditions);
    gather(&tree, conditions.to_vec(), wanted, &mut met);
    for (t, conditions) in met {
        let own: Vec<Expr> = conditions.iter().filter_map(|c| about(c, t as u32)).collect();
        let Some(source) = stack.here().tables[t].view.source.take() else { continue };
        if own.is_empty() || source.depth != stack.depth || stack.again == 0 {
            continue;
        }
        stack.again -= 1;
        let mark = ctx.warnings.mark();
        stack.pushed = own;
        let planned = plan_again(stack, &source, ctx);
        stack.pushed.clear();
        ctx.warnings.rollback_to(mark);
        let table = &mut stack.here().tables[t];
        if let (Ok(plan), Relation::Derived(before)) = (planned, &table.relation)
            && same_columns(&plan, before)
        {
            table.relation = Relation::Derived(plan);
        }
    }
}

fn same_columns(a: &QueryPlan, b: &QueryPlan) -> bool {
    a.types.len() == b.types.len() && a.types.iter().zip(&b.types).all(|(a, b)| is_like(a, b))
}

/// For each of these tables the conditions that its rows must meet, wherever they stand.
fn gather(tree: &JoinTree, around: Vec<Expr>, wanted: u64, out: &mut Vec<(usize, Vec<Expr>)>) {
    let mut tables = Vec::new();
    tree.tables(&mut tables);
    if tables.iter().all(|t| wanted >> t & 1 == 0) {
        return;
    }
    let with = |on: &[Expr]| -> Vec<Expr> { around.iter().chain(on).cloned().collect() };
    match tree {
        JoinTree::Table(t) => {
            let mut all = around;
            equalities::complete(&mut all);
            out.push((*t, all));
        }
        JoinTree::Inner(list, on) => list.iter().for_each(|t| gather(t, with(on), wanted, out)),
        JoinTree::Straight(a, b, on) => {
            gather(a, with(on), wanted, out);
            gather(b, with(on), wanted, out);
        }
        JoinTree::Left(a, b, on) => {
            gather(a, around, wanted, out);
            gather(b, on.clone(), wanted, out);
        }
    }
}

/// What a condition says about the rows of one table.
fn about(e: &Expr, table: u32) -> Option<Expr> {
    part_of(e, &|e| {
        let (mut columns, mut own) = (0, true);
        e.columns(&mut |c| {
            columns += 1;
            own &= c.table == table && c.column != super::POSITION;
        });
        e.walk(&mut |e| own &= is_plain(e));
        own && columns > 0 && e.is_repeatable() && !has_subquery(e)
    })
}

/// What of a condition is made of such terms: of an AND those that are, of an OR what each arm has of them.
fn part_of(e: &Expr, of: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
    match &e.node {
        Node::And(list) => conjunction(list.iter().filter_map(|e| part_of(e, of)).collect()),
        Node::Or(arms) => {
            let arms = arms.iter().map(|e| part_of(e, of)).collect::<Option<Vec<Expr>>>()?;
            let nullable = arms.iter().any(|e| e.ty.nullable);
            Some(Expr::new(Node::Or(arms), FieldType::boolean().with_nullable(nullable)))
        }
        _ => of(e).then(|| e.clone()),
    }
}

/// Whether a part of a condition means the same in another query of the statement.
fn is_plain(e: &Expr) -> bool {
    !matches!(
        e.node,
        Node::Outer(_)
            | Node::Aggregate(_)
            | Node::Window(_)
            | Node::UserVariable(_)
            | Node::Match(_)
            | Node::Row(_)
    )
}

fn plan_again(stack: &mut Stack<'_>, source: &Source, ctx: &mut EvalContext) -> SqlResult<Arc<QueryPlan>> {
    match &source.text {
        Text::View(v) => view::plan_again(stack, v, ctx),
        Text::Query(query, columns) => {
            let later = stack.ctes.split_off(source.ctes.min(stack.ctes.len()));
            let plan = plan_separate(stack, query, ctx);
            stack.ctes.extend(later);
            match &columns[..] {
                [] => plan,
                columns => ctes::renamed(plan?, columns),
            }
        }
    }
}

/// A condition on the columns of a query, as one on what they are computed from. None where that could be another one.
pub(super) fn translated(condition: &Expr, items: &[Item]) -> Option<Expr> {
    let mut fits = true;
    condition.walk(&mut |e| {
        if let Node::Column(c) = &e.node {
            let item = items.get(c.column as usize).map(|i| &i.expr);
            fits &= item.is_some_and(|item| {
                let mut plain =
                    item.is_repeatable() && !has_subquery(item) && is_like(&item.ty, &e.ty) && is_mild(item);
                item.walk(&mut |e| {
                    plain &= !matches!(e.node, Node::Window(_) | Node::UserVariable(_) | Node::Outer(_));
                });
                plain && (!item.ty.is_fixed_double() || item.as_column().is_some())
            });
        }
    });
    if !fits {
        return None;
    }
    let mut own = condition.clone();
    replace(&mut own, items);
    Some(own)
}

/// Whether computing a value once more warns of nothing: no text is taken for a number, nothing is divided.
fn is_mild(e: &Expr) -> bool {
    let mut mild = true;
    e.walk(&mut |part| {
        mild &= match &part.node {
            Node::Arith(ArithOp::Divide | ArithOp::IntDivide | ArithOp::Modulo, ..) => false,
            Node::Arith(_, args, _) => args.iter().all(|a| !is_bytes(a)),
            Node::Negate(a, _) => !is_bytes(a),
            Node::Convert(a) => is_bytes(part) == is_bytes(a),
            _ => true,
        };
    });
    mild
}

fn is_bytes(e: &Expr) -> bool {
    e.ty.class() == Class::Bytes
}

fn replace(e: &mut Expr, items: &[Item]) {
    if let Node::Column(c) = &e.node {
        if let Some(item) = items.get(c.column as usize) {
            *e = item.expr.clone();
            if e.ty.class() == Class::Decimal && e.as_column().is_none() {
                // the column has as many digits as its type tells
                let ty = e.ty.clone();
                *e = Expr::new(Node::Convert(Box::new(item.expr.clone())), ty);
            }
        }
        return;
    }
    e.for_children_mut(&mut |e| replace(e, items));
}

/// Whether values of one type are compared as those of the other.
fn is_like(a: &FieldType, b: &FieldType) -> bool {
    let whole = |t: &FieldType| t.class().is_integer();
    let same = a.kind == b.kind || whole(a) && whole(b) && a.class() == b.class();
    same && a.decimals == b.decimals && std::ptr::eq(a.collation, b.collation)
}

/// Whether a condition is met by all rows of a group or by none: it is about what they are grouped by. Texts of a group need not be the
/// same bytes, so they have to be compared as they are when groups are made.
pub(super) fn of_groups(e: &Expr, keys: &[Expr]) -> bool {
    e.is_repeatable() && !has_subquery(e) && is_of_groups(e, keys)
}

/// What a condition on groups says of the rows they are made of.
pub(super) fn implied(e: &Expr, keys: &[Expr]) -> Option<Expr> {
    part_of(e, &|e| e.tables() != 0 && of_groups(e, keys))
}

/// Whether a condition is met by all rows that are equal, or by none.
pub(super) fn of_equals(e: &Expr) -> bool {
    let mut columns = Vec::new();
    e.walk(&mut |e| columns.extend(e.as_column().is_some().then(|| e.clone())));
    of_groups(e, &columns)
}

fn is_of_groups(e: &Expr, keys: &[Expr]) -> bool {
    let key = |e: &Expr| keys.iter().any(|k| same_key(k, e));
    let compared = |args: &[Expr], by: &Comparison| {
        args.iter().all(|e| match (key(e), by) {
            (true, Comparison::Text(collation)) => std::ptr::eq(e.ty.collation, *collation),
            (true, _) => !is_text(e),
            (false, _) => is_of_groups(e, keys),
        })
    };
    match &e.node {
        _ if key(e) => !is_text(e),
        Node::Column(_) | Node::Aggregate(_) | Node::Window(_) | Node::Match(_) | Node::UserVariable(_) => {
            false
        }
        Node::Compare(_, by, args) => compared(&args[..], by),
        Node::Between { args, by, .. } => compared(&args[..], by),
        Node::In { expr, list, by, .. } => {
            compared(std::slice::from_ref(&**expr), by) && list.iter().all(|e| is_of_groups(e, keys))
        }
        Node::Is(of, _, _) if key(of) => true,
        _ => {
            let mut all = true;
            e.for_children(&mut |e| all &= is_of_groups(e, keys));
            all
        }
    }
}

fn same_key(a: &Expr, b: &Expr) -> bool {
    match (a.as_column(), b.as_column()) {
        (Some(a), Some(b)) => (a.table, a.column) == (b.table, b.column),
        (None, None) => a == b && a.as_literal().is_none(),
        _ => false,
    }
}

/// Values that are equal may differ in their bytes.
fn is_text(e: &Expr) -> bool {
    matches!(e.ty.class(), Class::Bytes | Class::Double)
}
