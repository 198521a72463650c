//! MIN and MAX of a key's column within bounds: one entry of the key has the value, no rows are read.
//!
//! As in MariaDB a constant takes part as the column would store it, so that `k <= 5.5` of an integer column means
//! `k <= 6`. Conditions that no seek answers are tested on the value that is found.

use super::shortcut::{Shortcut, only_aggregates};
use super::{BlockPlan, GroupPlan, Relation};
use crate::ast::AggregateFunction;
use crate::expr::{AggregateCall, CompareOp, Comparison, Expr, Node, Test};
use crate::table::OpenTable;
use crate::table::engine::KeyOrder;
use crate::types::FieldType;
use crate::types::store::Column;

/// What a condition asks of one column.
#[derive(Clone, Debug)]
pub enum Asked {
    /// `column op constant`; a list of one constant is an equality.
    Compare(CompareOp, Expr),
    /// `column BETWEEN constant AND constant`.
    Between(Expr, Expr),
    /// `column IS NULL`.
    IsNull,
}

/// A condition on a column of the key.
#[derive(Clone, Debug)]
pub struct Bound {
    /// What it asks.
    pub asked: Asked,
    /// The condition itself.
    pub whole: Expr,
}

/// A part of a key with what it equals.
pub type Equality = (Column, Asked);

/// An end of a key, or of what bounds leave of it.
#[derive(Clone, Debug)]
pub struct KeyEnd {
    /// The table.
    pub table: usize,
    /// The key.
    pub key: usize,
    /// The greatest value, not the least.
    pub last: bool,
    /// What the parts before the column equal, with their columns.
    pub before: Vec<Equality>,
    /// The column.
    pub column: Column,
    /// The type of its values.
    pub ty: FieldType,
    /// What the aggregate is of: the column, or its text.
    pub value: Expr,
    /// What else is asked of the column.
    pub bounds: Vec<Bound>,
}

/// A condition with its column: table and number.
struct Condition<'a> {
    table: usize,
    column: usize,
    /// The collation that the column has there.
    collation: u16,
    asked: Asked,
    whole: &'a Expr,
}

/// The shortcuts of all aggregates of a block under the conditions of its WHERE, if there are such. `inner` has the tables that all rows
/// come from: what is joined to them on the outer side of a join takes no row away.
pub fn within(
    plan: &BlockPlan,
    conditions: &[Expr],
    inner: &[usize],
    allowed: &dyn Fn(usize) -> Vec<usize>,
) -> Option<Vec<Shortcut>> {
    let g = plan.group.as_ref().filter(|g| finds_ends(g))?;
    if plan.impossible.is_some() || !plan.output.iter().chain(&plan.having).all(only_aggregates) {
        return None;
    }
    let read: Vec<Condition<'_>> = conditions.iter().map(read).collect::<Option<_>>()?;
    let ends: Vec<KeyEnd> = g
        .aggregates
        .iter()
        .map(|a| {
            let [arg] = &a.args[..] else { return None };
            let table = column_of(arg)?.as_column()?.table as usize;
            end(plan, a, arg, &read, &allowed(table)).filter(|_| inner.contains(&table))
        })
        .collect::<Option<_>>()?;
    // each table has an end looked for, which has its conditions
    let looked_at = |t: usize| ends.iter().any(|e| e.table == t);
    let all = inner.iter().all(|t| looked_at(*t)) && read.iter().all(|c| looked_at(c.table));
    all.then(|| ends.into_iter().map(|e| Shortcut::End(Box::new(e))).collect())
}

/// Whether it is about the least and the greatest of everything.
fn finds_ends(g: &GroupPlan) -> bool {
    g.keys.is_empty()
        && g.items.is_empty()
        && !g.aggregates.is_empty()
        && g.aggregates.iter().all(|a| matches!(a.function, AggregateFunction::Min | AggregateFunction::Max))
}

/// The end of a table's key that has the value of an aggregate, no condition being there.
pub(super) fn unbounded(plan: &BlockPlan, a: &AggregateCall, allowed: &[usize]) -> Option<Shortcut> {
    let [arg] = &a.args[..] else { return None };
    end(plan, a, arg, &[], allowed).map(|e| Shortcut::End(Box::new(e)))
}

fn end(
    plan: &BlockPlan,
    a: &AggregateCall,
    arg: &Expr,
    conditions: &[Condition<'_>],
    allowed: &[usize],
) -> Option<KeyEnd> {
    let source = column_of(arg)?;
    let column = source.as_column()?;
    let table = column.table as usize;
    let Relation::Base(open) = &plan.tables.get(table)?.relation else { return None };
    if a.ty.class() != arg.ty.class() {
        return None;
    }
    let mine: Vec<&Condition<'_>> = conditions.iter().filter(|c| c.table == table).collect();
    let number = column.column as usize;
    // the value of a virtual one is not in the row
    let collated = |column: usize, by: u16| is_collated(open, column, by);
    if !collated(number, source.ty.collation.id)
        || !mine.iter().all(|c| collated(c.column, c.collation))
        || open.def().columns[number].is_virtual()
    {
        return None;
    }
    allowed.iter().find_map(|&key| {
        let ends = Ends { open, key, column: number };
        let (before, bounds) = ends.bounds(&mine)?;
        Some(KeyEnd {
            table,
            key,
            last: a.function == AggregateFunction::Max,
            before,
            column: ends.stored(ends.column),
            ty: source.ty.clone(),
            value: arg.clone(),
            bounds,
        })
    })
}

/// Whether a collation is that of a table's column: COLLATE and CONVERT leave a column as it is, but not its order.
pub(super) fn is_collated(open: &OpenTable, column: usize, by: u16) -> bool {
    let ty = FieldType::from_column(&open.def().columns[column]);
    ty.is_address() || ty.collation.id == by
}

/// A key whose ends may have a column's least and greatest values.
struct Ends<'a> {
    open: &'a OpenTable,
    key: usize,
    column: usize,
}

impl Ends<'_> {
    fn stored(&self, column: usize) -> Column {
        Column::new(&self.open.def().columns[column], &self.open.db, &self.open.name)
    }

    /// What the parts before the column equal, and what is asked of the column; nothing when the key does not do.
    fn bounds(&self, conditions: &[&Condition<'_>]) -> Option<(Vec<Equality>, Vec<Bound>)> {
        let segments = &self.open.keys()[self.key].segments;
        // as MariaDB, which asks a table in memory for the order of its first key
        let ordered = self.open.engine().can().reads_from_keys || self.open.key_order(0) == KeyOrder::Ordered;
        if !ordered || self.open.key_order(self.key) != KeyOrder::Ordered {
            return None;
        }
        let part = segments.iter().position(|s| s.column == self.column)?;
        if !segments[..=part].iter().all(|s| s.covers() && !s.descending) {
            return None;
        }
        let mut before = Vec::with_capacity(part);
        for s in &segments[..part] {
            let mut of_part = conditions.iter().filter(|c| c.column == s.column);
            let only = of_part.next().filter(|_| of_part.next().is_none())?;
            let equal = match &only.asked {
                Asked::Compare(op, _) => matches!(op, CompareOp::Eq | CompareOp::NullSafeEq),
                Asked::IsNull => true,
                Asked::Between(..) => false,
            };
            before.push(equal.then(|| (self.stored(s.column), only.asked.clone()))?);
        }
        let in_key = |c: &&Condition<'_>| segments[..=part].iter().any(|s| s.column == c.column);
        if !conditions.iter().all(in_key) {
            return None;
        }
        let of_column = conditions.iter().filter(|c| c.column == self.column);
        let bounds = of_column.map(|c| Bound { asked: c.asked.clone(), whole: c.whole.clone() }).collect();
        Some((before, bounds))
    }
}

/// The column that an expression is, converted or not.
fn column_of(e: &Expr) -> Option<&Expr> {
    match &e.node {
        Node::Column(c) if c.table != u32::MAX => Some(e),
        Node::Convert(inner) => column_of(inner),
        Node::Call(f, args) if f.def.name == crate::func::IMAGE => column_of(args.first()?),
        _ => None,
    }
}

/// Whether a key has a column in the order of a comparison.
fn ordered(by: Comparison, column: &Expr) -> bool {
    let ty = &column.ty;
    match by {
        Comparison::Text(c) => ty.is_address() || ty.is_string() && c.id == ty.collation.id,
        _ => true,
    }
}

fn read(e: &Expr) -> Option<Condition<'_>> {
    let known = |e: &Expr| e.is_constant() && e.tables() == 0;
    let of = |column: &Expr, asked| {
        let c = column.as_column()?;
        let (table, collation) = (c.table as usize, column.ty.collation.id);
        Some(Condition { table, column: c.column as usize, collation, asked, whole: e })
    };
    match &e.node {
        Node::Compare(op, by, sides) if *op != CompareOp::Ne => {
            let (column, value, op) = match (column_of(&sides[0]), column_of(&sides[1])) {
                (Some(c), None) if known(&sides[1]) => (c, &sides[1], *op),
                (None, Some(c)) if known(&sides[0]) => (c, &sides[0], super::sarg::flipped(*op)),
                _ => return None,
            };
            ordered(*by, column).then(|| of(column, Asked::Compare(op, value.clone())))?
        }
        Node::Between { args, by, negated: false } => {
            let column = column_of(&args[0]).filter(|c| ordered(*by, c))?;
            let both = known(&args[1]) && known(&args[2]);
            both.then(|| of(column, Asked::Between(args[1].clone(), args[2].clone())))?
        }
        Node::In { expr, list, by, negated: false, .. } => {
            let column = column_of(expr).filter(|c| ordered(*by, c))?;
            let [only] = &list[..] else { return None };
            known(only).then(|| of(column, Asked::Compare(CompareOp::Eq, only.clone())))?
        }
        Node::Is(inner, Test::Null, false) => of(inner, Asked::IsNull),
        _ => None,
    }
}
