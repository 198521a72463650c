//! Several keys that find a table's rows together: the branches of an OR, each by the key that has fewest rows for it.

use super::keys::constant_test;
use super::{Access, Candidate, Chooser, Path, has_subquery};
use crate::expr::{Expr, Node};
use crate::plan::KeyRange;
use crate::plan::estimate::range_rows;
use crate::plan::from::conjuncts;
use crate::plan::sarg::{self, ColumnTest, RangeCondition, Sarg};
use crate::table::OpenTable;
use crate::table::engine::KeyOrder;

/// The most branches of an OR whose keys are looked at.
const MAX_BRANCHES: usize = 64;

/// What keys find of a table for one condition.
#[derive(Clone, Default)]
pub(super) struct Merge {
    /// For each branch; none where a branch has no key.
    keys: Option<Vec<KeyRange>>,
    /// Rows, as estimated.
    rows: f64,
    /// The keys of any branch.
    possible: Vec<usize>,
}

impl Chooser<'_> {
    /// Rows that the branches of an OR find by keys: where all of them use the first part of one key, by its intervals.
    pub(super) fn merge_path(
        &self,
        c: &Candidate<'_>,
        open: &OpenTable,
        conditions: &[Option<Expr>],
        (best, possible): (&mut Path, &mut Vec<usize>),
    ) {
        // rows of tables below are told apart by their table as well
        if c.allowed.is_empty() || open.children().is_some() {
            return;
        }
        for cond in conditions.iter().flatten() {
            let Node::Or(branches) = &cond.node else { continue };
            if cond.tables() != 1 << c.number {
                continue;
            }
            let merge = self.merge_of(c, open, cond, branches);
            possible.extend(merge.possible);
            let Some(keys) = merge.keys else { continue };
            let mut cost = keys.len() as f64 + merge.rows * 1.2;
            if one_range(&keys).is_some() {
                cost = cost.max(self.least_cost(c, merge.rows));
            }
            if cost < best.cost {
                let points = keys.iter().all(|k| k.is_point(&open.keys()[k.key]));
                let access = match one_range(&keys) {
                    Some(range) => range,
                    None if self.merging.1 || self.merging.0 && points => Access::IndexMerge(keys),
                    None => continue,
                };
                let (answered, possible) = (Vec::new(), Vec::new());
                *best = Path { access, rows: merge.rows, cost, answered, possible, ranged: None };
            }
        }
        possible.sort_unstable();
        possible.dedup();
    }

    /// The keys of a condition.
    fn merge_of(&self, c: &Candidate<'_>, open: &OpenTable, cond: &Expr, branches: &[Expr]) -> Merge {
        let same = |m: &&(usize, Expr, Merge)| m.0 == c.number && m.1 == *cond;
        if let Some((.., known)) = self.merges.borrow().iter().find(same) {
            return known.clone();
        }
        let mut flat = Vec::new();
        branches.iter().for_each(|b| flatten(b, &mut flat));
        let mut merge = Merge { keys: Some(Vec::new()), ..Merge::default() };
        if flat.len() > MAX_BRANCHES {
            return Merge::default();
        }
        for branch in flat {
            let found = self.branch(c, open, branch, &mut merge.possible);
            match (found, &mut merge.keys) {
                (Some((key, rows)), Some(keys)) => {
                    keys.push(key);
                    merge.rows += rows;
                }
                _ => merge.keys = None,
            }
        }
        merge.rows = merge.rows.min(c.rows.max(1.0));
        self.merges.borrow_mut().push((c.number, cond.clone(), merge.clone()));
        merge
    }

    /// The key that finds fewest rows of one branch.
    fn branch(
        &self,
        c: &Candidate<'_>,
        open: &OpenTable,
        branch: &Expr,
        possible: &mut Vec<usize>,
    ) -> Option<(KeyRange, f64)> {
        let mut all = Vec::new();
        conjuncts(branch.clone(), &mut all);
        let known = |e: &Expr| e.tables() == 0 && !has_subquery(e);
        let read = |e: &Expr| {
            let (column, test, exact) = sarg::read(e, c.number, &|n| c.types[n].clone(), &known)?;
            Some(ColumnTest { column, test, exact, condition: 0 }).filter(constant_test)
        };
        let tests: Vec<ColumnTest> = all.iter().filter_map(read).collect();
        let mut best: Option<(KeyRange, f64)> = None;
        for &key in c.allowed.iter().filter(|k| open.key_order(**k) == KeyOrder::Ordered) {
            let Some((condition, _)) = super::keys::range_condition(c, &open.keys()[key], &tests) else {
                continue;
            };
            possible.push(key);
            let counted = self.dive.and_then(|dive| dive(c, key, &condition));
            let rows = counted.unwrap_or_else(|| range_rows(&condition, c.rows.max(1.0)));
            if best.as_ref().is_none_or(|(_, fewest)| rows < *fewest) {
                best = Some((KeyRange { key, condition }, rows));
            }
        }
        best
    }
}

/// The branches of an OR, and those of ORs among them.
pub(super) fn flatten<'e>(e: &'e Expr, to: &mut Vec<&'e Expr>) {
    match &e.node {
        Node::Or(list) => list.iter().for_each(|e| flatten(e, to)),
        _ => to.push(e),
    }
}

/// Branches that all ask for the first part of one key, as one range of it.
fn one_range(keys: &[KeyRange]) -> Option<Access> {
    let first = keys.first()?;
    if keys.iter().any(|k| k.key != first.key || k.condition.parts.len() != 1) {
        return None;
    }
    let mut branches = Vec::new();
    for k in keys {
        let (_, tests) = k.condition.parts.first()?;
        branches.push(match &tests[..] {
            [one] => one.clone(),
            more => Sarg::And(more.to_vec()),
        });
    }
    let (ty, _) = first.condition.parts.first()?;
    let condition = RangeCondition { parts: vec![(ty.clone(), vec![Sarg::Or(branches)])] };
    Some(Access::Range { key: first.key, condition, descending: false })
}
