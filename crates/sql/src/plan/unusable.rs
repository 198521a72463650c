//! Notes 1105: conditions that ask a key's column in a way that the key cannot answer, because they compare in another type or collation.

use super::printed::Printed;
use super::{Access, BlockPlan, Body, QueryPlan, Relation, Step, sarg};
use crate::expr::{CompareOp, Comparison, Expr, Node};
use crate::table::OpenTable;
use crate::types::{Derivation, Kind};

/// A column, and the value it is compared with.
struct Unlike<'p> {
    open: &'p OpenTable,
    table: usize,
    column: usize,
    word: &'static str,
    value: &'p Expr,
    collation: Option<&'static charset::Collation>,
    /// Whether every part of a key is looked at: equalities are.
    every_part: bool,
}

/// The notes of a statement's plan.
pub fn notes(plan: &QueryPlan) -> Vec<String> {
    let mut out = Vec::new();
    of_query(plan, &mut out);
    out
}

fn of_query(plan: &QueryPlan, out: &mut Vec<String>) {
    match &plan.body {
        Body::Set(set) => set.terms.iter().for_each(|(_, term)| of_query(term, out)),
        // MIN and MAX of a key's ends look at conditions in their own way
        Body::Block(b) if b.impossible.is_none() && !from_key_ends(b) => {
            let number = |n: u32| u64::from(n) + 2;
            let printed = Printed { block: b, subquery: &number, quotes_all: true };
            for step in steps_within(b) {
                for u in conditions(step).filter_map(|e| unlike(b, e)).flatten() {
                    u.tell(b, &printed, out);
                }
            }
            for s in &b.steps {
                if let Relation::Derived(p) = &b.tables[s.table].relation {
                    of_query(p, out);
                }
            }
        }
        _ => {}
    }
    plan.subqueries.iter().filter(|s| !s.joined).for_each(|s| of_query(&s.plan, out));
}

/// The keys that would find rows of a step's table, were the conditions of their columns' type.
pub(super) fn keys(b: &BlockPlan, step: &Step) -> Vec<usize> {
    // statements that change rows look at ranges only
    if b.tables.len() == 1 && b.finds_changes() {
        return Vec::new();
    }
    let all = steps_within(b);
    let found = all.iter().flat_map(|s| conditions(s)).filter_map(|e| any_of(b, e)).flatten();
    let mine = found.filter(|u| u.table == step.table);
    mine.flat_map(|u| {
        let first = move |k: &usize| u.open.keys()[*k].segments.first().is_some_and(|s| s.column == u.column);
        step.usable.iter().copied().filter(first).collect::<Vec<_>>()
    })
    .collect()
}

fn from_key_ends(b: &BlockPlan) -> bool {
    b.group.as_ref().is_some_and(|g| g.shortcut.is_some())
}

/// All steps of a block, those inside outer joins too.
fn steps_within(b: &BlockPlan) -> Vec<&Step> {
    fn add<'p>(steps: &'p [Step], out: &mut Vec<&'p Step>) {
        for s in steps {
            out.push(s);
            if let Access::Nest { steps } = &s.access {
                add(steps, out);
            }
        }
    }
    let mut out = Vec::new();
    add(&b.steps, &mut out);
    out
}

/// What all rows of a step must meet.
fn conditions(step: &Step) -> impl Iterator<Item = &Expr> {
    [&step.on, &step.filter].into_iter().flatten().flat_map(|e| match &e.node {
        Node::And(list) => &list[..],
        _ => std::slice::from_ref(e),
    })
}

/// The columns of keys that a condition compares in another type: one, or both sides of an equality of two tables.
fn unlike<'p>(b: &'p BlockPlan, e: &'p Expr) -> Option<Vec<Unlike<'p>>> {
    match &e.node {
        Node::Compare(op, by, sides) => {
            let [left, right] = &**sides;
            let there = side(b, left, (*op, *by), right);
            let back = side(b, right, (sarg::flipped(*op), *by), left);
            Some(there.into_iter().chain(back).collect())
        }
        Node::Between { args, by, negated: false } if args.len() == 3 => {
            side(b, &args[0], (CompareOp::Ge, *by), &args[1]).map(|u| vec![u])
        }
        Node::In { expr, list, by, negated: false, .. } => {
            let first = side(b, expr, (CompareOp::Eq, *by), list.first()?)?;
            Some(vec![Unlike { every_part: false, ..first }])
        }
        Node::Like { args, collation, negated: false, .. } => {
            let u = side(b, &args[0], (CompareOp::Ge, Comparison::Text(collation)), &args[1])?;
            Some(vec![Unlike { word: "like", ..u }])
        }
        _ => None,
    }
}

/// As [`unlike`]; conditions of which one must hold ask for a key where all of them do.
fn any_of<'p>(b: &'p BlockPlan, e: &'p Expr) -> Option<Vec<Unlike<'p>>> {
    match &e.node {
        Node::Or(list) => {
            let all = list.iter().map(|e| unlike(b, e)).collect::<Option<Vec<_>>>()?;
            if all.iter().any(Vec::is_empty) { None } else { Some(all.into_iter().flatten().collect()) }
        }
        _ => unlike(b, e),
    }
}

fn side<'p>(
    b: &'p BlockPlan,
    column: &'p Expr,
    (op, by): (CompareOp, Comparison),
    value: &'p Expr,
) -> Option<Unlike<'p>> {
    let Node::Column(c) = &through(column).node else { return None };
    let table = c.table as usize;
    let Relation::Base(open) = &b.tables.get(table)?.relation else { return None };
    if value.tables() >> table & 1 == 1 {
        return None;
    }
    let ty = &through(column).ty;
    let collation = match by {
        Comparison::Text(c) if !ty.is_string() || c.id == ty.collation.id || c.id == charset::binary().id => {
            return None;
        }
        Comparison::Text(c) if op == CompareOp::Eq && sarg::is_finer(c, ty) => return None,
        Comparison::Text(c) => Some(c),
        Comparison::Temporal if !ty.is_temporal() => None,
        // their numbers are what keys have
        _ if matches!(ty.kind, Kind::Enum | Kind::Set) => return None,
        _ if ty.is_string() => None,
        _ => return None,
    };
    let equal = matches!(op, CompareOp::Eq | CompareOp::NullSafeEq);
    let word = match op {
        CompareOp::NullSafeEq => "=",
        CompareOp::Ne => "<",
        op => op.sign(),
    };
    Some(Unlike { open, table, column: c.column as usize, word, value, collation, every_part: equal })
}

impl Unlike<'_> {
    fn tell(&self, b: &BlockPlan, printed: &Printed<'_>, out: &mut Vec<String>) {
        let steps = steps_within(b);
        let Some(step) = steps.iter().find(|s| s.table == self.table) else { return };
        let table = &b.tables[self.table];
        let name = &self.open.def().columns[self.column];
        let mut value = printed.text(self.value);
        if let Some(c) = self.collation
            && self.value.ty.derivation == Derivation::Explicit
        {
            value = format!("{value} collate {}", c.name);
        }
        for &key in &step.usable {
            let info = &self.open.keys()[key];
            let Some(part) = info.segments.iter().position(|s| s.column == self.column) else { continue };
            if part > 0 && !self.every_part {
                continue;
            }
            let (what, of_column, of_value) = match self.collation {
                Some(c) => ("collation", name.collation.name, c.name),
                None => ("type", through_column(b, self).sql_name(), type_of(self.value)),
            };
            out.push(format!(
                "Cannot use key {} part[{part}] for lookup: {}.{}.{} of {what} `{of_column}` {} \"{value}\" of {what} `{of_value}`",
                quoted(&self.open.def().keys[key].name),
                quoted(&table.db),
                quoted(&table.name),
                quoted(&name.name),
                self.word,
            ));
        }
    }
}

fn through_column(b: &BlockPlan, u: &Unlike<'_>) -> crate::types::FieldType {
    let read = b.tables[u.table].columns.iter().find(|c| c.0 == u.column).map(|c| c.2.clone());
    read.unwrap_or_else(|| crate::types::FieldType::from_column(&u.open.def().columns[u.column]))
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// The type of a value as it was written: integers beside texts have become decimals.
fn type_of(e: &Expr) -> &'static str {
    use crate::types::Value;
    let e = through(e);
    match &e.node {
        Node::Literal(Value::Decimal(d)) if d.scale() == 0 => {
            if d.to_string().len() < 10 {
                "int"
            } else {
                "bigint"
            }
        }
        _ => e.ty.sql_name(),
    }
}

/// What is below conversions that nobody wrote.
fn through(e: &Expr) -> &Expr {
    match &e.node {
        Node::Convert(inner) | Node::Once(_, inner) | Node::Answer(_, inner) => through(inner),
        Node::Call(f, args) if f.def.name.starts_with("compare_") => args.first().map_or(e, through),
        _ => e,
    }
}
