//! What conditions ask of partitioned tables, whose partitions are left out by it.
//!
//! The inner side of an outer join goes by its ON conditions: a row that does not meet them is missing there whether it is read or
//! not. WHERE asks nothing of it, for it sees the NULLs of rows that found no match.

use super::access::{Candidate, has_subquery};
use super::from::conjuncts;
use super::order::Unit;
use super::sarg::{self, ColumnTest, Sarg};
use super::{PlanTable, Relation};
use crate::expr::{CompareOp, Comparison, Expr, Node};
use crate::types::{FieldType, Kind};

/// A table and a column of it.
type Place = (usize, usize);

/// Notes what is asked of each partitioned table among these units, which are joined by `conditions`.
pub(super) fn note(
    tables: &mut [PlanTable],
    candidates: &[Candidate<'_>],
    units: &[Unit],
    conditions: &[&Expr],
) {
    for unit in units {
        match unit {
            Unit::Table(t) => note_table(&mut tables[*t], *t, candidates, conditions),
            Unit::Left { inner, on, inner_conditions, .. } => {
                let mask = unit.mask();
                let own = on.iter().chain(inner_conditions);
                // what rows of the left side are known to be, ON hands on
                let around = conditions.iter().copied().filter(|e| e.tables() & mask == 0 && is_value(e));
                let all: Vec<&Expr> = own.chain(around).collect();
                note(tables, candidates, inner, &all);
            }
        }
    }
}

/// Whether a condition gives a column a constant.
fn is_value(e: &Expr) -> bool {
    let Node::Compare(CompareOp::Eq, _, sides) = &e.node else { return false };
    sides.iter().any(|e| matches!(e.node, Node::Column(_))) && sides.iter().any(Expr::is_constant)
}

fn note_table(table: &mut PlanTable, number: usize, candidates: &[Candidate<'_>], conditions: &[&Expr]) {
    let Relation::Base(open) = &table.relation else { return };
    if open.def().partition.is_none() {
        return;
    }
    let equal = equal_columns(number, conditions);
    let read = |e: &Expr, condition: usize| {
        let known = |e: &Expr| e.is_constant() && !has_subquery(e);
        if let Some((column, test, exact)) =
            sarg::read(e, number, &|c| candidates[number].types[c].clone(), &known)
        {
            return Some(ColumnTest { column, test, exact, condition });
        }
        // what is asked of a column is asked of those that are equal to it
        equal.iter().find_map(|((other, of_other), own)| {
            let types = &candidates.get(*other)?.types;
            let (column, test, _) = sarg::read(e, *other, &|c| types[c].clone(), &known)?;
            (column == *of_other).then_some(ColumnTest { column: *own, test, exact: false, condition })
        })
    };
    for (condition, e) in conditions.iter().enumerate() {
        if let Some(test) = read(e, condition) {
            if let Sarg::Or(list) = &test.test
                && !test.test.only_points()
            {
                let with = |one: &Sarg| ColumnTest { test: one.clone(), ..test.clone() };
                let alone = |one: &Sarg| match one {
                    Sarg::And(list) => list.iter().map(with).collect(),
                    one => vec![with(one)],
                };
                table.choices.push(list.iter().map(alone).collect());
            }
            table.tests.push(test);
        } else if let Node::Or(branches) = &e.node {
            let tests = |branch: &Expr| {
                let mut all = Vec::new();
                conjuncts(branch.clone(), &mut all);
                all.iter().filter_map(|e| read(e, condition)).collect::<Vec<_>>()
            };
            let branches: Vec<Vec<ColumnTest>> = branches.iter().map(tests).collect();
            if branches.iter().all(|tests| !tests.is_empty()) {
                table.choices.push(branches);
            }
        }
    }
}

/// The columns of other tables that equal columns of table `number` in all rows that meet the conditions, each with that column.
fn equal_columns(number: usize, conditions: &[&Expr]) -> Vec<(Place, usize)> {
    let mut found: Vec<(Place, Place)> = Vec::new();
    let pairs: Vec<(Place, Place)> = conditions.iter().filter_map(|e| equality(e)).collect();
    for (a, b) in pairs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]) {
        if b.0 == number && !found.contains(&(a, b)) {
            found.push((a, b));
        }
    }
    let mut at = 0;
    while let Some((place, own)) = found.get(at).copied() {
        for (a, b) in pairs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]) {
            if b == place && a.0 != number && !found.contains(&(a, own)) {
                found.push((a, own));
            }
        }
        at += 1;
    }
    found.into_iter().map(|(place, own)| (place, own.1)).collect()
}

/// The two columns that a condition says are equal, where what is less than one is less than the other.
fn equality(e: &Expr) -> Option<(Place, Place)> {
    let Node::Compare(CompareOp::Eq, by, sides) = &e.node else { return None };
    let [Node::Column(a), Node::Column(b)] = [&sides[0].node, &sides[1].node] else { return None };
    let (x, y) = (&sides[0].ty, &sides[1].ty);
    let alike = match by {
        Comparison::Int => is_integer(x) && is_integer(y),
        Comparison::Text(by) => {
            let plain = |ty: &FieldType| {
                ty.is_string()
                    && ty.collation.id == by.id
                    && !ty.is_address()
                    && !matches!(ty.kind, Kind::Enum | Kind::Set)
            };
            plain(x) && plain(y)
        }
        Comparison::Temporal => x.kind == y.kind && x.decimals == y.decimals && x.kind != Kind::Timestamp,
        Comparison::Decimal | Comparison::Double | Comparison::Digits(_) => false,
    };
    let place = |c: &crate::expr::ColumnRef| (c.table as usize, c.column as usize);
    alike.then(|| (place(a), place(b)))
}

fn is_integer(ty: &FieldType) -> bool {
    matches!(ty.kind, Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong)
}
