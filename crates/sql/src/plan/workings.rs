//! What a plan works with beside its tables, as the reference server does: temporary tables and sorts. EXPLAIN tells it, and the counters of
//! SHOW STATUS count it.

use super::explained_step::is_buffered;
use super::{Access, BlockPlan, Body, GroupPlan, QueryPlan, Relation, Step, StepKind, full_text};
use crate::ast::AggregateFunction;
use crate::expr::Expr;

/// What is chosen for a statement before it runs: `Select_*` and `Created_tmp_tables`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Created_tmp_tables
    pub tmp_tables: u64,
    /// Select_scan: first tables that are read whole.
    pub scans: u64,
    /// Select_range: first tables read by ranges.
    pub ranges: u64,
    /// Select_full_join: further tables read whole.
    pub full_joins: u64,
    /// Select_full_range_join: further tables read by ranges.
    pub range_joins: u64,
    /// Feature_window_functions: SELECTs with window functions.
    pub windows: u64,
}

/// What is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sorted {
    /// The first table, read whole.
    #[default]
    Scan,
    /// The first table, read by a key.
    Range,
    /// A temporary table.
    Temporary,
    /// The places of rows that are changed, which are then read again.
    Places,
}

/// What a block works with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Workings {
    /// Groups are kept in a temporary table, a row each.
    pub groups: bool,
    /// Groups come in the order of their keys although nothing else asks for it.
    pub sorts_groups: bool,
    /// Rows are sorted before they are grouped.
    pub sorts_rows: bool,
    /// DISTINCT keeps rows in a temporary table.
    pub distinct: bool,
    /// Joined rows are kept in a temporary table to be sorted.
    pub joined: bool,
    /// Rows are kept in a temporary table for window functions.
    pub windows: bool,
    /// ORDER BY sorts.
    pub sorts: bool,
    /// What is sorted, when something is.
    pub sorted: Sorted,
}

impl Workings {
    /// Using temporary
    #[must_use]
    pub fn temporary(&self) -> bool {
        self.groups || self.distinct || self.joined || self.windows
    }

    /// Using filesort
    #[must_use]
    pub fn filesort(&self) -> bool {
        self.sorts || self.sorts_groups || self.sorts_rows
    }
}

/// What a block works with.
#[must_use]
pub fn of(b: &BlockPlan) -> Workings {
    let grouping =
        b.group.as_ref().filter(|g| !(g.keys.is_empty() || g.one || g.in_order && b.order.is_empty()));
    let sorts = !b.order.is_empty() && !b.ordered_by_access;
    let windows = b.windows.is_some();
    if grouping.is_none() && !windows && !b.distinct && !sorts && b.order.is_empty() {
        return Workings::default();
    }
    let first = first_tables(b);
    // rows that come through a join buffer have lost the order of the first table
    let buffered = b.steps.iter().enumerate().any(|(n, s)| is_buffered(b, s, n));
    let outside = |e: &Expr| buffered || e.tables() & !first != 0 && !equals_one_of(b, e, first);
    let sorts_rows = grouping.is_some_and(|g| sorts_rows(g) && !g.keys.iter().any(outside));
    let by_match = b.order.iter().any(|(at, _)| full_text::has_match(&b.output[*at]));
    let groups = grouping.is_some() && !sorts_rows;
    let distinct = b.distinct && !super::loose::is_distinct(b);
    let sorts = sorts || by_match && !b.order.is_empty();
    let joined = !groups
        && !windows
        && !distinct
        && (by_match || sorts && b.order.iter().any(|(at, _)| outside(&b.output[*at])));
    let by_key = b.steps.iter().find(|s| !is_constant(b, s)).is_some_and(|s| {
        matches!(
            s.access,
            Access::Range { .. }
                | Access::Spatial(_)
                | Access::IndexMerge(_)
                | Access::Lookup { .. }
                | Access::FullText(_)
        )
    });
    let sorted = match () {
        () if groups || distinct || joined || windows => Sorted::Temporary,
        () if changes(b) => Sorted::Places,
        () if by_key => Sorted::Range,
        () => Sorted::Scan,
    };
    let sorts_groups = groups && b.order.is_empty() && grouping.is_some_and(|g| !g.unordered);
    Workings { groups, sorts_groups, sorts_rows, distinct, joined, windows, sorts, sorted }
}

/// Whether the reference server sorts the rows by the keys and groups them as they come: each aggregate that needs all its values by itself,
/// and the sums of ROLLUP, are then made once.
fn sorts_rows(g: &GroupPlan) -> bool {
    g.rollup || g.aggregates.iter().any(|a| a.distinct || a.function == AggregateFunction::GroupConcat)
}

/// Whether a column is looked up by one of these tables: it orders rows as that one does.
fn equals_one_of(b: &BlockPlan, e: &Expr, tables: u64) -> bool {
    let Some(column) = e.as_column() else { return false };
    let inner = |s: &&Step| s.table == column.table as usize && s.kind == StepKind::Inner;
    let Some(step) = b.steps.iter().find(inner) else { return false };
    let (Access::Lookup { key, parts, .. }, Relation::Base(open)) =
        (&step.access, &b.tables[step.table].relation)
    else {
        return false;
    };
    let among = |e: &Expr| e.as_column().is_some_and(|c| tables >> c.table & 1 != 0);
    let of_key = &open.def().keys[*key].parts;
    of_key.iter().zip(parts).any(|(k, p)| k.column == column.column as usize && !p.or_null && among(&p.value))
}

/// The first table that has more than one row, and those before it.
fn first_tables(b: &BlockPlan) -> u64 {
    let mut mask = 0;
    for s in &b.steps {
        mask |= 1 << s.table;
        if !is_constant(b, s) {
            break;
        }
    }
    mask
}

/// Whether a step finds its one row before anything runs.
fn is_constant(b: &BlockPlan, s: &Step) -> bool {
    let Access::Lookup { parts, unique: true, .. } = &s.access else { return false };
    let first = b.steps.first().is_some_and(|f| std::ptr::eq(f, s));
    (first || s.kind == StepKind::Left) && parts.iter().all(|p| p.value.tables() == 0)
}

/// Adds what a plan chose, and what is below it.
pub fn count(plan: &QueryPlan, into: &mut Chosen) {
    match &plan.body {
        // one row by its key
        Body::Block(b) if b.direct.is_some() && b.steps.first().is_some_and(|s| is_constant(b, s)) => {}
        Body::Block(b) => count_block(b, into),
        Body::Set(set) => {
            if !set.streams() {
                // the result is a table that is read
                into.tmp_tables += 1;
                into.scans += 1;
            }
            set.terms.iter().for_each(|(_, term)| count(term, into));
        }
        Body::Recursive(r) => {
            into.tmp_tables += 1;
            r.plans().for_each(|p| count(p, into));
        }
        Body::Values(_) | Body::Working(_) => {}
    }
    plan.subqueries.iter().filter(|s| !s.joined).for_each(|s| count(&s.plan, into));
}

/// Whether a block finds rows of its one table to change them.
fn changes(b: &BlockPlan) -> bool {
    b.tables.len() == 1 && b.finds_changes()
}

fn count_block(b: &BlockPlan, into: &mut Chosen) {
    into.windows += u64::from(b.windows.is_some());
    if b.steps.is_empty() || b.impossible.is_some() || b.reads_nothing() {
        return;
    }
    let mut first = true;
    // rows of one table that are changed are found by no SELECT
    let changes = changes(b);
    for s in &b.steps {
        if is_constant(b, s) {
            continue;
        }
        if !changes {
            count_step(s, first, into);
        }
        first = false;
    }
    for t in &b.tables {
        if let Relation::Derived(p) = &t.relation {
            into.tmp_tables += 1;
            count(p, into);
        }
    }
    let w = of(b);
    into.tmp_tables +=
        u64::from(w.groups) + u64::from(w.distinct) + u64::from(w.joined) + u64::from(w.windows);
    if let Some(g) = &b.group {
        let keeps = |a: &&crate::expr::AggregateCall| {
            a.distinct && !matches!(a.function, AggregateFunction::Min | AggregateFunction::Max)
                || a.function == AggregateFunction::GroupConcat
        };
        into.tmp_tables += g.aggregates.iter().filter(keeps).count() as u64;
    }
}

fn count_step(s: &Step, first: bool, into: &mut Chosen) {
    match (&s.access, first) {
        (Access::Scan | Access::KeyScan { .. } | Access::Hash { .. } | Access::JsonTable(_), true) => {
            into.scans += 1
        }
        (Access::Scan | Access::KeyScan { .. } | Access::Hash { .. } | Access::JsonTable(_), false) => {
            into.full_joins += 1
        }
        (Access::Range { .. } | Access::Spatial(_) | Access::IndexMerge(_), true) => into.ranges += 1,
        (Access::Range { .. } | Access::Spatial(_) | Access::IndexMerge(_), false) => into.range_joins += 1,
        (Access::Nest { steps }, _) => steps.iter().for_each(|inner| count_step(inner, false, into)),
        (Access::Lookup { .. } | Access::FullText(_), _) => {}
    }
}
