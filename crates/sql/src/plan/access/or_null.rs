//! `column = value OR column IS NULL`: what a key finds by two look-ups, of the value and of NULL.
//!
//! The condition itself is always tested again. So it may say more than that in each of its branches
//! (`a = 5 OR a IS NULL AND b > 7`), and a look-up may find too much.

use super::keys::Tests;
use super::{Candidate, Chooser, Path};
use crate::expr::{CompareOp, Expr, Node};
use crate::plan::from::conjuncts;
use crate::plan::sarg::{self, ColumnTest, RangeCondition, Sarg};
use crate::plan::{Access, KeyPartValue};
use crate::table::OpenTable;

/// A column that equals one value or is NULL in all rows that meet a condition: the test of the value. One that is NOT NULL equals it.
pub(super) type EqualOrNull = ColumnTest;

/// Rows up to which a table is small: NULLs are not counted in it.
const SMALL: f64 = 100.0;

/// The share of a table's rows from which on they are not read one by one.
const MANY: f64 = 0.25;

/// Rows of one look-up that are fewer than what a second one costs.
const FEW: f64 = 4.0;

/// Rows up to which it does not matter what a buffer of rows would leave out.
const SMALL_JOINED: f64 = 1000.0;

/// The share of a table's rows that may be NULL where each row before reads them; half of it where a buffer holds all of the table, less
/// where it holds less.
const MOST_NULL: f64 = 0.1;

/// The columns of which condition number `condition` says that they equal one value or are NULL.
pub(super) fn read(
    cond: &Expr,
    condition: usize,
    c: &Candidate<'_>,
    known: &dyn Fn(&Expr) -> bool,
    into: &mut Vec<EqualOrNull>,
) {
    let Node::Or(_) = &cond.node else { return };
    let mut flat = Vec::new();
    super::merge::flatten(cond, &mut flat);
    let tests = |branch: &Expr| -> Vec<(usize, Sarg, bool)> {
        let mut all = Vec::new();
        conjuncts(branch.clone(), &mut all);
        all.iter().filter_map(|e| sarg::read(e, c.number, &|n| c.types[n].clone(), known)).collect()
    };
    // what is never true adds nothing
    let never = |e: &&Expr| matches!(&e.node, Node::Literal(v) if v.is_null());
    let mut branches = flat.into_iter().filter(|e| !never(e)).map(tests);
    let Some(first) = branches.next() else { return };
    let rest: Vec<_> = branches.collect();
    let mut columns: Vec<usize> = first.iter().map(|(column, ..)| *column).collect();
    columns.sort_unstable();
    columns.dedup();
    for column in columns {
        let mut found = Found::default();
        if std::iter::once(&first).chain(&rest).all(|tests| found.take(column, tests)) && found.null {
            let exact = found.exact;
            let test =
                |value| ColumnTest { column, test: Sarg::Compare(CompareOp::Eq, value), exact, condition };
            into.extend(found.value.map(test));
        }
    }
}

/// What the branches of an OR ask of a column.
#[derive(Default)]
struct Found {
    value: Option<Expr>,
    exact: bool,
    null: bool,
}

impl Found {
    /// Takes the tests of one more branch; false where it asks for something else.
    fn take(&mut self, column: usize, tests: &[(usize, Sarg, bool)]) -> bool {
        tests.iter().filter(|(of, ..)| *of == column).any(|(_, test, exact)| {
            let (op, value) = match test {
                Sarg::IsNull => {
                    self.null = true;
                    return true;
                }
                Sarg::Compare(op @ (CompareOp::Eq | CompareOp::NullSafeEq), value) => (*op, value),
                Sarg::In(list) if list.len() == 1 => (CompareOp::Eq, &list[0]),
                _ => return false,
            };
            match &self.value {
                // what equals NULL is no row
                _ if matches!(&value.node, Node::Literal(v) if v.is_null()) => {
                    self.null |= op == CompareOp::NullSafeEq;
                }
                None => (self.value, self.exact) = (Some(value.clone()), *exact),
                Some(before) => return value == before,
            }
            true
        })
    }
}

/// The intervals of a key that a look-up by constants stands for.
pub(in crate::plan) fn as_range(parts: &[KeyPartValue]) -> RangeCondition {
    let part = |p: &KeyPartValue| {
        let op = if p.null_safe { CompareOp::NullSafeEq } else { CompareOp::Eq };
        let equal = Sarg::Compare(op, p.value.clone());
        let test = if p.or_null { Sarg::Or(vec![equal, Sarg::IsNull]) } else { equal };
        (p.ty.clone(), vec![test])
    };
    RangeCondition { parts: parts.iter().map(part).collect() }
}

/// What the intervals of a range cost beside their rows, in comparison with a look-up.
fn beside_rows(condition: &RangeCondition) -> f64 {
    let count = |s: &[Sarg]| s.iter().map(Sarg::count).min().unwrap_or(1);
    let all: usize = condition.parts.iter().map(|(_, s)| count(s)).product();
    all.saturating_sub(1) as f64 * 0.5
}

impl Path {
    /// Whether the path looks for NULL as well.
    pub(super) fn is_or_null(&self) -> bool {
        matches!(&self.access, Access::Lookup { parts, .. } if parts.iter().any(|p| p.or_null))
    }

    /// Whether what a key offers without NULL is better than the look-up with it in a table of so many rows. The reference server takes
    /// the latter wherever it is by more parts.
    pub(super) fn is_better_than_or_null(&self, or_null: &Path, rows: f64) -> bool {
        match (&self.access, &or_null.access) {
            (Access::Range { condition, .. }, Access::Lookup { parts, .. }) => {
                condition.parts.len() > parts.len() && self.cost + beside_rows(condition) < or_null.cost
            }
            // two look-ups where one finds hardly more
            _ => rows > SMALL && self.rows < FEW && self.cost <= or_null.cost,
        }
    }
}

impl Chooser<'_> {
    /// A way by a value and by NULL that is dearer than another one: what else the key offers is noted, its intervals.
    pub(super) fn unless_dear(
        &self,
        c: &Candidate<'_>,
        k: usize,
        tests: &Tests,
        path: Path,
        best: f64,
    ) -> Path {
        if path.cost < best || !path.is_or_null() {
            return path;
        }
        let range = c.open.and_then(|open| self.range_path(c, k, &open.keys()[k], &tests.all));
        range.map_or(path, |range| Path { cost: range.cost.max(best), ..range })
    }

    /// What so many rows of constants and of NULL cost at least: of many, reading all of the table is cheaper, and MariaDB's way.
    pub(super) fn least_cost(&self, c: &Candidate<'_>, rows: f64) -> f64 {
        let many = rows > c.rows * MANY && c.rows > SMALL && !self.limited;
        if many { c.rows + 2.0 } else { 0.0 }
    }

    /// Whether looking for NULL, too, reads less for each row before than reading the table once for all of them.
    pub(super) fn has_few_nulls(
        &self,
        c: &Candidate<'_>,
        open: &OpenTable,
        k: usize,
        parts: &[KeyPartValue],
        tests: &Tests,
    ) -> bool {
        let Some(at) = parts.iter().position(|p| p.or_null) else { return true };
        let constant = parts.iter().all(|p| p.value.tables() == 0);
        // by parts before it whose values differ from row to row, few are found
        if constant || c.rows <= SMALL || parts[..at].iter().any(|p| p.value.tables() != 0) {
            return true;
        }
        let many = match () {
            () if c.rows <= SMALL_JOINED => c.rows * MOST_NULL,
            () if tests.hashes => return false,
            () => c.rows * tests.kept * MOST_NULL / 2.0,
        };
        if let Some((.., nulls)) = self.nulls.borrow().iter().find(|n| (n.0, n.1, n.2) == (c.number, k, at)) {
            return *nulls <= many;
        }
        let mut condition = as_range(&parts[..at]);
        let column = open.keys()[k].segments[at].column;
        condition.parts.push((c.types[column].clone(), vec![Sarg::IsNull]));
        let counted = self.dive.and_then(|dive| dive(c, k, &condition));
        let nulls = counted.unwrap_or(0.0);
        self.nulls.borrow_mut().push((c.number, k, at, nulls));
        nulls <= many
    }
}
