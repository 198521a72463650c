//! The last step of planning a block: slots for the columns that are read, and the ways that need no machinery.

use super::access::{self, has_subquery};
use super::{Access, BlockPlan, Direct, PlanTable, Ranged, Relation};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Node};
use crate::types::{FieldType, Value};

/// Gives slots to columns, aggregates their places behind them, and finds out whether rows can go
/// straight to the sink.
pub(super) fn finish(plan: &mut BlockPlan, ctx: &mut EvalContext) -> SqlResult<bool> {
    // which columns are read
    let mut used: Vec<(u32, u32, FieldType)> = Vec::new();
    let mut note = |e: &Expr| {
        e.walk(&mut |e| {
            if let Node::Column(c) = &e.node
                && c.table != u32::MAX
                && !used.iter().any(|u| u.0 == c.table && u.1 == c.column)
            {
                used.push((c.table, c.column, e.ty.clone()));
            }
        });
    };
    for_each_expr(plan, &mut |e| note(e));
    let lasting = add_inputs(plan, &mut used, ctx)?;
    for (slot, (table, column, ty)) in used.iter().enumerate() {
        let t = &mut plan.tables[*table as usize];
        if *column == super::POSITION {
            t.position = Some(slot);
        } else if *column == super::SCORE {
            t.score = Some(slot);
        } else if !t.is_virtual(*column) {
            t.columns.push((*column as usize, slot, ty.clone()));
        }
    }
    plan.slots = used.len();
    let base = plan.slots as u32;
    let slot_of = |c: &mut crate::expr::ColumnRef| {
        if c.table != u32::MAX
            && let Some(s) = used.iter().position(|u| u.0 == c.table && u.1 == c.column)
        {
            c.slot = s as u32;
        }
    };
    for_each_expr_mut(plan, &mut |e| {
        e.columns_mut(&mut |c| slot_of(c));
        e.replace_aggregates(base);
    });
    for (number, t) in plan.tables.iter_mut().enumerate() {
        t.compute(number as u32, &used, ctx)?;
    }
    name_rolled_keys(plan);
    let first = plan.window_slot() as u32;
    plan.output.iter_mut().for_each(|e| super::window::settle(e, first));
    if plan.group.as_ref().is_some_and(|g| g.shortcut.is_none()) {
        let shortcut = super::shortcut::find(plan);
        plan.group.iter_mut().for_each(|g| g.shortcut = shortcut.clone());
    }
    mark_covering(plan);
    super::loose::mark(plan);
    direct(plan);
    put_off(plan, ctx);
    Ok(lasting)
}

/// Adds the columns that virtual columns among `used` are computed from. False when their expressions hold for
/// this statement only.
fn add_inputs(
    plan: &BlockPlan,
    used: &mut Vec<(u32, u32, FieldType)>,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    let mut lasting = true;
    let mut at = 0;
    while let Some((table, column, _)) = used.get(at).cloned() {
        at += 1;
        let t = &plan.tables[table as usize];
        let Relation::Base(open) = &t.relation else { continue };
        if !t.is_virtual(column) {
            continue;
        }
        let Some(rules) = open.rules(ctx)? else { continue };
        lasting &= open.keeps_rules();
        for input in rules.inputs(column as usize) {
            if !used.iter().any(|u| u.0 == table && u.1 as usize == input) {
                used.push((table, input as u32, rules.columns[input].ty.clone()));
            }
        }
    }
    Ok(lasting)
}

impl PlanTable {
    /// Whether a column of a base table is virtual.
    fn is_virtual(&self, column: u32) -> bool {
        match &self.relation {
            Relation::Base(t) => t.def().columns.get(column as usize).is_some_and(|c| c.is_virtual()),
            _ => false,
        }
    }

    /// Takes up the virtual columns among `used`, whose places there are their slots.
    fn compute(
        &mut self,
        number: u32,
        used: &[(u32, u32, FieldType)],
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        if !used.iter().any(|u| u.0 == number && self.is_virtual(u.1)) {
            return Ok(());
        }
        let Relation::Base(open) = &self.relation else { return Ok(()) };
        let Some(rules) = open.rules(ctx)? else { return Ok(()) };
        let slot_of = |column: usize| used.iter().position(|u| u.0 == number && u.1 as usize == column);
        for g in rules.generated.iter().filter(|g| !g.stored) {
            let Some(slot) = slot_of(g.column) else { continue };
            let mut expr = g.expr.clone();
            expr.columns_mut(&mut |c| c.slot = slot_of(c.column as usize).map_or(c.slot, |s| s as u32));
            let to = rules.columns[g.column].clone();
            self.computed.push(crate::table::rules::VirtualColumn { expr, slot, to });
        }
        Ok(())
    }
}

/// ROLLUP: what is computed as a key is computed, stands behind the aggregates, so that it can be NULL in the rows of
/// sums.
fn name_rolled_keys(plan: &mut BlockPlan) {
    let Some(g) = plan.group.as_ref().filter(|g| g.rollup) else { return };
    let first = plan.slots as u32 + g.aggregates.len() as u32;
    for (n, key) in g.keys.iter().enumerate().filter(|(_, k)| k.as_column().is_none()) {
        let windows = plan.windows.iter_mut().flat_map(|w| &mut w.exprs);
        for e in plan.output.iter_mut().chain(&mut plan.having).chain(windows) {
            e.walk_mut(&mut |e| {
                if e.ty.kind == key.ty.kind && e.node == key.node {
                    let column =
                        crate::expr::ColumnRef { table: u32::MAX, column: u32::MAX, slot: first + n as u32 };
                    e.node = Node::Column(column);
                }
            });
        }
    }
}

/// Calls `f` for every expression of a plan.
pub fn for_each_expr(plan: &BlockPlan, f: &mut dyn FnMut(&Expr)) {
    plan.constant.iter().for_each(&mut *f);
    plan.having.iter().for_each(&mut *f);
    plan.output.iter().for_each(&mut *f);
    plan.windows.iter().flat_map(|w| &w.exprs).for_each(&mut *f);
    if let Some(g) = &plan.group {
        g.keys.iter().chain(&g.items).for_each(&mut *f);
        for a in &g.aggregates {
            a.args.iter().for_each(&mut *f);
            a.order_by.iter().for_each(|(e, _)| f(e));
        }
    }
    plan.steps.iter().for_each(|s| step_exprs(s, f));
}

fn step_exprs(s: &super::Step, f: &mut dyn FnMut(&Expr)) {
    s.on.iter().chain(&s.filter).for_each(&mut *f);
    match &s.access {
        Access::Lookup { parts, .. } => parts.iter().for_each(|p| f(&p.value)),
        Access::Spatial(search) => f(&search.value),
        Access::JsonTable(document) => f(document),
        Access::Hash { build, probe, .. } => build.iter().chain(probe).for_each(&mut *f),
        Access::Nest { steps } => steps.iter().for_each(|s| step_exprs(s, f)),
        _ => {}
    }
}

pub(super) fn for_each_expr_mut(plan: &mut BlockPlan, f: &mut dyn FnMut(&mut Expr)) {
    plan.constant.iter_mut().for_each(&mut *f);
    plan.having.iter_mut().for_each(&mut *f);
    plan.output.iter_mut().for_each(&mut *f);
    plan.windows.iter_mut().flat_map(|w| &mut w.exprs).for_each(&mut *f);
    if let Some(g) = &mut plan.group {
        g.keys.iter_mut().chain(&mut g.items).for_each(&mut *f);
        for a in &mut g.aggregates {
            a.args.iter_mut().for_each(&mut *f);
            a.order_by.iter_mut().for_each(|(e, _)| f(e));
        }
    }
    plan.steps.iter_mut().for_each(|s| step_exprs_mut(s, f));
}

fn step_exprs_mut(s: &mut super::Step, f: &mut dyn FnMut(&mut Expr)) {
    s.on.iter_mut().chain(&mut s.filter).for_each(&mut *f);
    match &mut s.access {
        Access::Lookup { parts, .. } => parts.iter_mut().for_each(|p| f(&mut p.value)),
        Access::Spatial(search) => f(&mut search.value),
        Access::JsonTable(document) => f(document),
        Access::Hash { build, probe, .. } => build.iter_mut().chain(probe).for_each(&mut *f),
        Access::Nest { steps } => steps.iter_mut().for_each(|s| step_exprs_mut(s, f)),
        _ => {}
    }
}

/// The key that is walked to find rows.
fn walked(access: &Access) -> Option<usize> {
    match access {
        Access::KeyScan { key, .. } | Access::Lookup { key, .. } | Access::Range { key, .. } => Some(*key),
        _ => None,
    }
}

/// Steps whose columns all stand in the key they walk need no rows.
fn mark_covering(plan: &mut BlockPlan) {
    let tables = &plan.tables;
    for s in &mut plan.steps {
        if matches!(s.access, Access::Scan) {
            let orders = std::mem::take(&mut s.orders);
            let ordered = |k: &usize| orders.iter().find(|(key, _)| key == k);
            let table = &tables[s.table];
            // what comes in the order of ORDER BY is not sorted
            let in_order = smallest_covering(table, s, |k| ordered(k).is_some());
            if let Some((key, descending)) = in_order.as_ref().and_then(ordered).copied() {
                s.access = Access::KeyScan { key, descending };
                match &mut plan.group {
                    Some(g) => g.in_order = true,
                    None => plan.ordered_by_access = true,
                }
            } else if let Some(Ranged { key, condition, rows }) = covered_range(table, s) {
                // nothing but the key is read, and not all of it
                (s.access, s.rows) = (Access::Range { key, condition, descending: false }, rows);
            } else if let Some(key) = smallest_covering(table, s, |_| true) {
                s.access = Access::KeyScan { key, descending: false };
            }
        }
        let Some(key) = walked(&s.access) else { continue };
        if let Relation::Base(t) = &tables[s.table].relation
            && t.engine().can().reads_from_keys
        {
            let info = &t.keys()[key];
            s.covering = tables[s.table].columns.iter().all(|(c, _, _)| access::part_for(info, *c).is_some());
        }
    }
}

/// The part of a key that has all columns a scan reads, where one was found.
fn covered_range(t: &PlanTable, step: &mut super::Step) -> Option<Ranged> {
    let ranged = step.ranged.take()?;
    smallest_covering(t, step, |k| *k == ranged.key).map(|_| *ranged)
}

/// The smallest key of these that has all columns a scan reads.
fn smallest_covering(t: &PlanTable, step: &super::Step, of: impl Fn(&usize) -> bool) -> Option<usize> {
    let Relation::Base(open) = &t.relation else { return None };
    let covers = |k: &usize| {
        let info = &open.keys()[*k];
        !info.segments.is_empty() && t.columns.iter().all(|(c, _, _)| access::part_for(info, *c).is_some())
    };
    if t.position.is_some() || !t.computed.is_empty() || !open.engine().can().reads_from_keys {
        return None;
    }
    step.usable.iter().copied().filter(|k| of(k) && covers(k)).min_by_key(|k| open.keys()[*k].maxlength)
}

/// Bytes of a row's columns from which on it is worth to read them by its place.
const WORTH_A_PLACE: u32 = 24;

/// Of a table that is sorted and of which LIMIT leaves few rows, puts off reading the columns that neither the order nor a condition
/// asks for: rows are sorted with their places.
fn put_off(plan: &mut BlockPlan, ctx: &mut EvalContext) {
    let sorted = !plan.order.is_empty() && !plan.ordered_by_access && plan.limit.count.is_some();
    let plain = plan.group.is_none() && plan.windows.is_none() && !plan.distinct && plan.having.is_none();
    let ([step], [t]) = (&plan.steps[..], &plan.tables[..]) else { return };
    let Relation::Base(open) = &t.relation else { return };
    let known = t.position.is_some() || t.score.is_some() || !t.computed.is_empty() || step.covering;
    if !sorted
        || !plain
        || known
        || plan.direct.is_some()
        || plan.limit.with_ties
        || open.children().is_some()
    {
        return;
    }
    let mut asked = Vec::new();
    for e in plan.order.iter().map(|(at, _)| &plan.output[*at]).chain(step.conditions()) {
        if has_subquery(e) {
            return;
        }
        e.columns(&mut |c| asked.push(c.slot as usize));
    }
    let records = t.records.unwrap_or(0);
    let few = |n: u64| n <= records / 8;
    let wanted = plan.limit.count.as_ref().map(|e| e.value(ctx));
    match wanted {
        Some(Ok(Value::Int(n))) if u64::try_from(n).is_ok_and(few) => {}
        Some(Ok(Value::UInt(n))) if few(n) => {}
        _ => return,
    }
    let rest = |c: &&(usize, usize, FieldType)| !asked.contains(&c.1);
    let width = t.columns.iter().filter(rest).map(|c| c.2.length.min(64)).sum::<u32>();
    if width < WORTH_A_PLACE {
        return;
    }
    let mut shown = Vec::new();
    for e in &plan.output[..plan.visible] {
        e.walk(&mut |e| e.as_column().iter().for_each(|c| shown.push(c.slot as usize)));
    }
    let slot = plan.slots;
    plan.slots += 1;
    let t = &mut plan.tables[0];
    plan.by_place = t.columns.iter().filter(|c| shown.contains(&c.1)).cloned().collect();
    t.columns.retain(|c| asked.contains(&c.1));
    t.position = Some(slot);
}

/// Whether rows are looked for by what subqueries answer.
fn asks_subqueries(access: &Access) -> bool {
    match access {
        Access::Lookup { parts, .. } => parts.iter().any(|p| has_subquery(&p.value)),
        Access::Range { condition, .. } => condition.asks_subqueries(),
        _ => false,
    }
}

/// Rows of one table found by key alone, and only columns asked for.
fn direct(plan: &mut BlockPlan) {
    if plan.group.is_some()
        || plan.windows.is_some()
        || plan.having.is_some()
        || plan.distinct
        || plan.constant.is_some()
        || plan.impossible.is_some()
        || plan.steps.len() != 1
        || (!plan.order.is_empty() && !plan.ordered_by_access)
        || plan.output.len() != plan.visible
        || plan.limit.examined.is_some()
        || plan.limit.with_ties
    {
        return;
    }
    let step = &plan.steps[0];
    if !plan.tables[step.table].computed.is_empty() {
        return;
    }
    let is_file = matches!(&plan.tables[step.table].relation, Relation::Base(t) if t.children().is_none());
    if step.filter.is_some() || !is_file || asks_subqueries(&step.access) {
        return;
    }
    let mut columns = Vec::new();
    for e in &plan.output {
        match e.as_column() {
            Some(c) if c.column != super::POSITION => columns.push(c.column as usize),
            _ => return,
        }
    }
    let types = plan.output.iter().map(|e| e.ty.clone()).collect();
    let key = walked(&step.access).filter(|_| step.covering);
    let parts = match (&plan.tables[step.table].relation, key) {
        (Relation::Base(open), Some(key)) => {
            columns.iter().map(|c| access::part_for(&open.keys()[key], *c)).collect()
        }
        _ => None,
    };
    plan.direct = Some(Direct { columns, parts, types });
}
