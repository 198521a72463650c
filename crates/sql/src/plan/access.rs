//! How each table's rows are found, and in which order tables are joined.

mod keys;
mod merge;
pub(super) mod or_null;

use self::keys::Tests;
use super::estimate::{self, Estimate, estimator};
use super::factor::Factoring;
use super::from::{JoinTree, conjunction, conjuncts, equality};
use super::full_text;
use super::group_order;
use super::hints::Hints;
use super::key_end;
use super::key_order;
use super::order::{self, LAST_RESORT, Unit, first_table, flatten};
use super::outer;
use super::sarg::{self, ColumnTest};
use super::scope::Names;
use super::spatial;
use super::{Access, BlockPlan, Ranged, Relation, Step, StepKind};
use super::{eliminate, equalities, partition_tests};
use crate::error::SqlResult;
use crate::expr::full_text::MatchCall;
use crate::expr::{CompareOp, Comparison, EvalContext, Expr, Node, SubqueryKind, SubqueryNode};
use crate::table::engine::KeyOrder;
use crate::table::{KeyInfo, OpenTable, TableState};
use crate::types::{Class, FieldType, Value, convert};
use std::cell::RefCell;

/// The part of a key that holds all of a column's value.
#[must_use]
pub fn part_for(key: &KeyInfo, column: usize) -> Option<usize> {
    key.segments.iter().position(|s| s.column == column && s.covers())
}

/// What the planner knows of one table.
pub(super) struct Candidate<'a> {
    pub(super) number: usize,
    pub(super) rows: f64,
    pub(super) open: Option<&'a OpenTable>,
    pub(super) state: Option<TableState<'a>>,
    pub(super) types: Vec<FieldType>,
    /// Keys that may find rows.
    pub(super) allowed: Vec<usize>,
    /// Keys that may give the order.
    pub(super) ordering: Vec<usize>,
    pub(super) hints: &'a Hints,
    /// The document of a JSON_TABLE.
    pub(super) document: Option<&'a Expr>,
    /// The partitions that conditions leave.
    pub(super) partitions: Option<Vec<usize>>,
}

/// What all rows of a block must meet.
pub struct Conditions {
    /// WHERE.
    pub filter: Vec<Expr>,
    /// HAVING without groups.
    pub having: Vec<Expr>,
    /// Whether a full-text search may find rows; one table's rows that are changed are looked at one by one.
    pub may_rank: bool,
    /// Whether rows that LIMIT leaves may remain unread: nobody counts them, and none is changed.
    pub may_stop: bool,
    /// Whether something sorts the rows.
    pub sorted: bool,
    /// SQL_BUFFER_RESULT.
    pub buffered: bool,
    /// Whether a look-up of a number given as a text stands for its condition; rows that are changed are looked at again.
    pub settles: bool,
}

/// Chooses the steps of a block from its joins and its WHERE conditions. False when they are good for the present values of
/// parameters only.
///
/// # Errors
/// Those of evaluating constants.
pub fn choose(
    plan: &mut BlockPlan,
    tree: JoinTree,
    conditions: Conditions,
    names: &Names,
    straight: bool,
    reader: &pages::ReaderSlot,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    let mut pool = Vec::new();
    let mut constant = Vec::new();
    let mut whole = Vec::new();
    let factoring = Factoring::new(&ctx.statement.params);
    conditions.filter.into_iter().for_each(|c| factoring.split(c, &mut whole));
    let mut lasting = !factoring.bound.get();
    let filters = whole.len();
    conditions.having.into_iter().for_each(|c| factoring.split(c, &mut whole));
    let mut late = Vec::new();
    for (n, c) in whole.into_iter().enumerate() {
        let pool = if n < filters { &mut pool } else { &mut late };
        if c.tables() == 0 && (c.is_constant() || plan.tables.is_empty()) {
            if c.is_foldable() {
                let v = c.value(ctx)?;
                if !is_true(&v, &c.ty, ctx) {
                    let clause = if n < filters { "Impossible WHERE" } else { "Impossible HAVING" };
                    plan.impossible.get_or_insert(clause);
                }
                continue;
            }
            constant.push(c);
        } else {
            pool.push(c);
        }
    }
    plan.constant = conjunction(constant);
    plan.dated = pool.iter().filter_map(dated_text).collect();
    let (mut order, mut before) = (Vec::new(), Vec::new());
    tree.straight(&mut before);
    super::json_table::note_order(&names.tables, &mut before);
    let factoring = Factoring::new(&ctx.statement.params);
    flatten(outer::simplify(tree, &pool), &factoring, &mut pool, &mut order);
    lasting &= !factoring.bound.get() && !names.bound_searches;
    let finders =
        if conditions.may_rank { full_text::finders(&pool, &mut lasting, ctx)? } else { Vec::new() };
    pool.append(&mut late);
    let mut candidates: Vec<Candidate<'_>> =
        names.tables.iter().enumerate().map(|(i, t)| candidate(i, t)).collect();
    let inner: Vec<usize> = order.iter().filter_map(Unit::table).collect();
    let shortcut = key_end::within(plan, &pool, &inner, &|t| candidates[t].allowed.clone());
    plan.group.iter_mut().for_each(|g| g.shortcut = shortcut.clone());
    equalities::complete(&mut pool);
    partition_tests::note(&mut plan.tables, &candidates, &order, &pool.iter().collect::<Vec<_>>());
    super::estimate::count_in_partitions(plan, &mut candidates, ctx);
    let (eliminates, merges) = (ctx.table_elimination, ctx.index_merge);
    let (depth, memory) = (ctx.search_depth, ctx.budget.table);
    let shared = if plan.group.is_some() && ctx.threads != 1 { order::SHARED } else { 1.0 };
    let known: RefCell<key_order::Known<'_>> = RefCell::new((ctx, Vec::new()));
    let estimate = estimator(names, reader, &known);
    let count = spatial::counter(names, reader, &known);
    let dive = estimate::diver(names, reader, &known);
    let mut chooser = Chooser {
        straight,
        count: Some(&count),
        dive: Some(&dive),
        merging: merges,
        first_rows: plan.limit.count.is_some()
            && plan.group.is_none()
            && plan.windows.is_none()
            && !conditions.sorted,
        shared,
        settles: conditions.settles,
        or_null: conditions.may_rank || conditions.settles,
        limited: plan.limit.count.is_some(),
        finders: &finders,
        order: if conditions.sorted { full_text::Order::Position } else { full_text::Order::Rank },
        ..Chooser::new(&estimate, &candidates, pool, before, (depth, memory))
    };
    lasting &= chooser.choose_by_order(plan, &order, &known, conditions.may_stop)?;
    let (leader, looked_at) = (chooser.leader, chooser.in_order);
    plan.steps = chooser.steps(order);
    super::estimate::rows_of_partitions(plan);
    put_last(plan, chooser.pool.into_iter().flatten().collect());
    eliminate::tables(plan, eliminates);
    key_order::use_order(plan, &candidates, leader);
    plan.steps.iter_mut().zip(looked_at).for_each(|(step, rows)| step.rows = rows);
    lasting &= group_order::choose(plan, &candidates, &known)?;
    full_text::settle(plan, conditions.buffered);
    push_down_to_virtual(plan, &candidates);
    Ok(lasting)
}

/// What reading the rows that meet these conditions costs in the greedy order, in rows that are scanned.
pub(super) fn price(
    tree: JoinTree,
    conditions: &[Expr],
    names: &Names,
    reader: &pages::ReaderSlot,
    ctx: &mut EvalContext,
) -> f64 {
    let (mut pool, mut order, mut before) = (Vec::new(), Vec::new(), Vec::new());
    tree.straight(&mut before);
    super::json_table::note_order(&names.tables, &mut before);
    let (depth, memory) = (ctx.search_depth, ctx.budget.table);
    {
        let factoring = Factoring::new(&ctx.statement.params);
        conditions.iter().for_each(|c| factoring.split(c.clone(), &mut pool));
        flatten(outer::simplify(tree, &pool), &factoring, &mut pool, &mut order);
    }
    equalities::complete(&mut pool);
    let candidates: Vec<Candidate<'_>> =
        names.tables.iter().enumerate().map(|(i, t)| candidate(i, t)).collect();
    let known: RefCell<key_order::Known<'_>> = RefCell::new((ctx, Vec::new()));
    let estimate = estimator(names, reader, &known);
    let mut chooser = Chooser::new(&estimate, &candidates, pool, before, (depth, memory));
    chooser.price(&order)
}

/// What no step could take (it refers to outer rows only) is checked at the last one.
fn put_last(plan: &mut BlockPlan, mut all: Vec<Expr>) {
    if all.is_empty() {
        return;
    }
    let place = match plan.steps.last_mut() {
        Some(last) => &mut last.filter,
        None => &mut plan.constant,
    };
    if let Some(f) = place.take() {
        conjuncts(f, &mut all);
    }
    *place = conjunction(all);
}

/// Tells tables that make their rows what constants ask of them.
fn push_down_to_virtual(plan: &mut BlockPlan, candidates: &[Candidate<'_>]) {
    for step in plan.steps.iter().filter(|s| s.kind == StepKind::Inner) {
        let table = &mut plan.tables[step.table];
        let (Relation::Virtual(_), Some(filter)) = (&table.relation, &step.filter) else { continue };
        let types = &candidates[step.table].types;
        let mut all = Vec::new();
        conjuncts(filter.clone(), &mut all);
        for (condition, e) in all.iter().enumerate() {
            let read = sarg::read(e, step.table, &|c| types[c].clone(), &|e| e.is_constant());
            if let Some((column, test, exact)) = read {
                table.tests.push(sarg::ColumnTest { column, test, exact, condition });
            }
        }
    }
}

/// Whether a value of this type counts as true: a text by the number it begins with.
pub fn is_true(v: &crate::types::Value, ty: &FieldType, ctx: &mut EvalContext) -> bool {
    use crate::types::Value;
    match v {
        Value::Null => false,
        Value::Int(x) => *x != 0,
        Value::UInt(x) => *x != 0,
        Value::Double(x) => *x != 0.0,
        v => convert::to_bool(v.as_ref(), ty, ctx),
    }
}

fn candidate(number: usize, t: &super::scope::ScopeTable) -> Candidate<'_> {
    let types = t.columns.iter().map(|c| c.1.clone()).collect();
    match &t.relation {
        Relation::Base(open) => {
            let state = open.state_of(&t.state);
            let usable = |k: &usize| open.keys()[*k].is_btree() && state.key_active(*k);
            let keys = || (0..open.keys().len()).filter(usable);
            let allowed = keys().filter(|k| t.hints.rows.allows(*k)).collect();
            let ordered = |k: &usize| t.hints.order.allows(*k) && open.key_order(*k) == KeyOrder::Ordered;
            let ordering = keys().filter(ordered).collect();
            Candidate {
                number,
                rows: state.records() as f64,
                state: Some(state),
                open: Some(open),
                types,
                allowed,
                ordering,
                hints: &t.hints,
                document: None,
                partitions: None,
            }
        }
        Relation::Virtual(v) => without_keys(number, v.estimate(), types, &t.hints),
        Relation::Merged => without_keys(number, 1.0, types, &t.hints),
        Relation::JsonTable(json) => {
            let rows = super::json_table::ROWS;
            Candidate { document: Some(&json.argument), ..without_keys(number, rows, types, &t.hints) }
        }
        Relation::Derived(p) => {
            without_keys(number, t.semijoin.unwrap_or_else(|| p.rows_given()), types, &t.hints)
        }
    }
}

/// A table whose rows are made.
fn without_keys(number: usize, rows: f64, types: Vec<FieldType>, hints: &Hints) -> Candidate<'_> {
    Candidate {
        number,
        rows,
        state: None,
        open: None,
        types,
        allowed: Vec::new(),
        ordering: Vec::new(),
        hints,
        document: None,
        partitions: None,
    }
}

pub(super) struct Chooser<'a> {
    /// Counts the rows of a range by looking at the key, when its ends are known.
    estimate: Estimate<'a>,
    pub(super) candidates: &'a [Candidate<'a>],
    /// The table whose key gives the order of few rows: it goes first.
    pub(super) leader: Option<usize>,
    /// Conditions not yet checked by a step.
    pub(super) pool: Vec<Option<Expr>>,
    /// Tables already joined.
    pub(super) done: u64,
    /// Tables that are found by hash tables, whatever keys they have.
    hashed: u64,
    pub(super) straight: bool,
    /// For each table those that STRAIGHT_JOIN puts before it; empty where nothing does.
    pub(super) before: Vec<u64>,
    /// Few of the joined rows may be wanted.
    pub(super) first_rows: bool,
    /// [`Conditions::settles`].
    settles: bool,
    /// `optimizer_search_depth`.
    pub(super) depth: usize,
    /// Bytes that a hash table may take.
    pub(super) memory: usize,
    /// What joins cost whose first table is read by several threads.
    pub(super) shared: f64,
    /// Full-text searches that find rows of their tables.
    pub(super) finders: &'a [MatchCall],
    /// Counts the rows that SPATIAL keys find.
    count: Option<spatial::Count<'a>>,
    /// The order of what they find.
    order: full_text::Order,
    /// Counts the rows of a range, whatever else is asked of its key.
    dive: Option<estimate::Dive<'a>>,
    /// `index_merge` of `optimizer_switch`: of keys whose rows come in file order, and of any.
    merging: (bool, bool),
    /// What keys find together of a table for a condition: worked out once, as orders of joins ask for it again and again.
    merges: RefCell<Vec<(usize, Expr, merge::Merge)>>,
    /// The NULLs of a key part of a table, likewise.
    nulls: RefCell<Vec<(usize, usize, usize, f64)>>,
    /// Whether rows may be found by a value, then by NULL: one table's rows that are changed are found in the order of the key.
    or_null: bool,
    /// LIMIT may end the reading early.
    limited: bool,
    /// The one table is read in the order of a key, whatever finds its rows: how many are looked at, about.
    pub(super) in_order: Option<f64>,
}

/// What a full-text search costs: more than one row by its key, less than all else.
const SEARCH_COST: f64 = 0.6;

/// An access path with its price.
pub(super) struct Path {
    pub(super) access: Access,
    pub(super) rows: f64,
    pub(super) cost: f64,
    /// Conditions of the pool that it answers wholly.
    pub(super) answered: Vec<usize>,
    possible: Vec<usize>,
    /// Where all rows are read: the shortest part of a key that they could be found in.
    ranged: Option<Box<Ranged>>,
}

impl<'a> Chooser<'a> {
    /// For inner joins of which all rows are wanted. The depth is `optimizer_search_depth`, memory that of a hash table.
    fn new(
        estimate: Estimate<'a>,
        candidates: &'a [Candidate<'a>],
        pool: Vec<Expr>,
        before: Vec<u64>,
        (depth, memory): (usize, usize),
    ) -> Chooser<'a> {
        Chooser {
            estimate,
            leader: None,
            candidates,
            pool: pool.into_iter().map(Some).collect(),
            done: 0,
            hashed: 0,
            straight: false,
            before,
            first_rows: false,
            settles: false,
            depth,
            memory,
            shared: 1.0,
            finders: &[],
            count: None,
            order: full_text::Order::Position,
            dive: None,
            merging: (true, true),
            merges: RefCell::default(),
            nulls: RefCell::default(),
            or_null: true,
            limited: false,
            in_order: None,
        }
    }

    fn steps(&mut self, units: Vec<Unit>) -> Vec<Step> {
        let order = self.order(&units);
        let mut left: Vec<Unit> = units;
        if let Some(order) = &order {
            let mut all: Vec<Option<Unit>> = left.into_iter().map(Some).collect();
            left = order.units.iter().filter_map(|n| all[*n].take()).collect();
            self.hashed = order.hashed;
        }
        let straight = self.straight || order.is_some();
        let mut steps = Vec::new();
        while !left.is_empty() {
            let mut best: Option<(usize, Path)> = None;
            for (i, u) in left.iter().enumerate() {
                let led = self.done == 0 && self.leader.is_some_and(|t| u.table() != Some(t));
                if led || !self.may_come(u, self.done) {
                    continue;
                }
                match u {
                    Unit::Table(t) => {
                        let path = self.path(*t, &self.pool);
                        let path = self.search(*t, path);
                        if best.as_ref().is_none_or(|(_, b)| path.cost < b.cost) {
                            best = Some((i, path));
                        }
                    }
                    Unit::Left { .. } => {
                        // as soon as its left side is there: it removes no rows
                        if best.is_none() {
                            let path = Path {
                                access: Access::Scan,
                                rows: 1.0,
                                cost: 0.0,
                                answered: Vec::new(),
                                possible: Vec::new(),
                                ranged: None,
                            };
                            best = Some((i, path));
                        }
                    }
                }
                if straight && best.is_some() {
                    break;
                }
            }
            let Some((i, path)) = best else { break };
            match left.remove(i) {
                Unit::Table(t) => {
                    for a in &path.answered {
                        self.pool[*a] = None;
                    }
                    self.done |= 1 << t;
                    let filter = self.take_ready(1 << t);
                    let joining = self.joining_keys(t);
                    steps.push(Step {
                        table: t,
                        kind: StepKind::Inner,
                        access: path.access,
                        on: None,
                        filter,
                        rows: path.rows,
                        covering: false,
                        loose: None,
                        possible: path.possible,
                        joining,
                        usable: self.candidates[t].allowed.clone(),
                        orders: Vec::new(),
                        ranged: path.ranged,
                    });
                }
                Unit::Left { inner, on, inner_conditions, .. } => {
                    steps.push(self.outer_step(inner, on, inner_conditions))
                }
            }
        }
        steps
    }

    /// The keys by which table `t` could be looked up, were it read behind tables that come later.
    fn joining_keys(&self, t: usize) -> Vec<usize> {
        let c = &self.candidates[t];
        let Some(open) = c.open else { return Vec::new() };
        let mut keys = Vec::new();
        let joins = |cond: &&Expr| cond.tables() >> t & 1 == 1 && cond.tables() != 1 << t;
        for cond in self.pool.iter().flatten().filter(joins) {
            let any = |e: &Expr| e.tables() >> t & 1 == 0 && !has_subquery(e);
            let Some((column, test, _)) = sarg::read(cond, t, &|c2| c.types[c2].clone(), &any) else {
                continue;
            };
            if matches!(test, sarg::Sarg::Compare(crate::expr::CompareOp::Eq, _)) {
                let first = |k: &usize| open.keys()[*k].segments.first().is_some_and(|s| s.column == column);
                keys.extend(c.allowed.iter().copied().filter(first));
            }
        }
        keys
    }

    /// The conditions that can be checked now.
    fn take_ready(&mut self, new: u64) -> Option<Expr> {
        let done = self.done;
        let mut ready = Vec::new();
        let waiting = self.pool.iter().flatten().filter(|c| c.tables() & !done != 0 && c.tables() & new != 0);
        ready.extend(waiting.filter_map(|c| order::implied(c, new)));
        for slot in &mut self.pool {
            if slot.as_ref().is_some_and(|c| c.tables() & !done == 0) {
                ready.extend(slot.take());
            }
        }
        conjunction(ready)
    }

    fn outer_step(&mut self, inner: Vec<Unit>, on: Vec<Expr>, inner_conditions: Vec<Expr>) -> Step {
        let mask = inner.iter().fold(0, |m, u| m | u.mask());
        if let [Unit::Table(t)] = inner.as_slice() {
            let t = *t;
            let mut on = on;
            on.extend(inner_conditions);
            let conditions: Vec<Option<Expr>> = on.into_iter().map(Some).collect();
            let path = self.path(t, &conditions);
            let rest = conditions
                .into_iter()
                .enumerate()
                .filter(|(i, _)| !path.answered.contains(i))
                .filter_map(|(_, c)| c)
                .collect();
            self.done |= mask;
            let filter = self.take_ready(0);
            return Step {
                table: t,
                kind: StepKind::Left,
                access: path.access,
                on: conjunction(rest),
                filter,
                rows: path.rows,
                covering: false,
                loose: None,
                possible: path.possible,
                joining: Vec::new(),
                usable: self.candidates[t].allowed.clone(),
                orders: Vec::new(),
                ranged: path.ranged,
            };
        }
        // several tables may be missing together: they are joined among themselves first
        let before = self.before.iter().map(|b| b & mask).collect();
        let limits = (self.depth, self.memory);
        let mut nested = Chooser {
            straight: self.straight,
            first_rows: self.first_rows,
            settles: self.settles,
            order: self.order,
            count: self.count,
            dive: self.dive,
            merging: self.merging,
            or_null: self.or_null,
            ..Chooser::new(self.estimate, self.candidates, inner_conditions, before, limits)
        };
        let table = first_table(&inner);
        let steps = nested.steps(inner);
        let mut on = on;
        on.extend(nested.pool.into_iter().flatten());
        self.done |= mask;
        let filter = self.take_ready(0);
        Step {
            table,
            kind: StepKind::Left,
            access: Access::Nest { steps },
            on: conjunction(on),
            filter,
            rows: 1.0,
            covering: false,
            loose: None,
            possible: Vec::new(),
            joining: Vec::new(),
            usable: Vec::new(),
            orders: Vec::new(),
            ranged: None,
        }
    }

    /// The best way to table `t` with the conditions at hand, after the tables that are done.
    pub(super) fn path(&self, t: usize, conditions: &[Option<Expr>]) -> Path {
        let c = &self.candidates[t];
        if let Some(document) = c.document {
            let access = Access::JsonTable(Box::new(document.clone()));
            let (answered, possible) = (Vec::new(), Vec::new());
            return Path { access, rows: c.rows, cost: c.rows + 1.0, answered, possible, ranged: None };
        }
        let done = self.done;
        let known = |e: &Expr| e.tables() & !done == 0 && !differs(e);
        let mut tests = Tests::default();
        let mut hash: (Vec<Expr>, Vec<Expr>, u64) = Default::default();
        for (i, cond) in conditions.iter().enumerate() {
            let Some(cond) = cond else { continue };
            if let Some((column, test, exact)) = sarg::read(cond, t, &|c2| c.types[c2].clone(), &known) {
                tests.all.push(ColumnTest { column, test, exact, condition: i });
            }
            if self.or_null && c.open.is_some() {
                or_null::read(cond, i, c, &known, &mut tests.or_null);
            }
            if let Some((build, probe, null_safe)) = self.hash_pair(cond, t)
                && hash.0.len() < 64
            {
                hash.2 |= u64::from(null_safe) << hash.0.len();
                hash.0.push(build);
                hash.1.push(probe);
            }
        }
        if !tests.or_null.is_empty() {
            tests.kept = order::share_of_all(self, t, conditions);
            tests.hashes = !hash.0.is_empty();
        }
        // FORCE INDEX: any key is better than none.
        let scan_cost = match () {
            () if self.in_order.is_some() => 0.0,
            () if c.hints.rows.force => LAST_RESORT,
            () => c.rows.max(1.0) + 1.0,
        };
        let mut best = Path {
            access: Access::Scan,
            rows: c.rows,
            cost: scan_cost,
            answered: Vec::new(),
            possible: Vec::new(),
            ranged: None,
        };
        let mut possible = Vec::new();
        let mut ranged: Option<Box<Ranged>> = None;
        if let Some(open) = c.open {
            for &k in &c.allowed {
                let Some(path) = self.key_path(c, open, k, &tests) else { continue };
                possible.push(k);
                let path = self.unless_dear(c, k, &tests, path, best.cost);
                let findable =
                    open.key_order(k) == KeyOrder::Ordered || path.names_all_parts(&open.keys()[k]);
                if findable && path.cost < best.cost {
                    best = path;
                } else if let (Access::Range { key, condition, .. }, true) = (path.access, findable)
                    && ranged.as_ref().is_none_or(|r| path.rows < r.rows)
                {
                    ranged = Some(Box::new(Ranged { key, condition, rows: path.rows }));
                }
            }
        }
        if let Some(open) = c.open
            && open.format().has_spatial_keys()
        {
            self.spatial_path(c, open, conditions, (&mut best, &mut possible));
        }
        if let Some(open) = c.open {
            self.merge_path(c, open, conditions, (&mut best, &mut possible));
        }
        let wanted = self.hashed >> t & 1 == 1;
        if (wanted || matches!(best.access, Access::Scan)) && !hash.0.is_empty() && done != 0 {
            best.answered.clear();
            best.access = Access::Hash { build: hash.0, probe: hash.1, null_safe: hash.2 };
            best.cost = scan_cost / 4.0;
            best.rows = (c.rows / 10.0).max(1.0);
        }
        best.possible = possible;
        best.ranged = ranged.filter(|_| matches!(best.access, Access::Scan));
        best
    }

    /// The first search that each SPATIAL key answers.
    fn spatial_path(
        &self,
        c: &Candidate<'_>,
        open: &OpenTable,
        conditions: &[Option<Expr>],
        (best, possible): (&mut Path, &mut Vec<usize>),
    ) {
        let mut answering = Vec::new();
        for cond in conditions.iter().flatten() {
            possible.extend(spatial::compared(cond, c, open));
            for search in spatial::searches(cond, c, open) {
                possible.push(search.key);
                if answering.contains(&search.key) {
                    continue;
                }
                answering.push(search.key);
                let count = self.count.and_then(|count| count(c, &search));
                let rows = count.unwrap_or_else(|| (c.rows / 10.0).max(1.0));
                let cost = 1.0 + rows * 1.2;
                if cost < best.cost {
                    let access = Access::Spatial(Box::new(search));
                    *best =
                        Path { access, rows, cost, answered: Vec::new(), possible: Vec::new(), ranged: None };
                }
            }
        }
        possible.sort_unstable();
        possible.dedup();
    }

    /// A full-text search goes before every other path.
    fn search(&self, t: usize, other: Path) -> Path {
        let mine = |c: &&MatchCall| c.key.as_ref().is_some_and(|k| k.number as usize == t);
        let Some(call) = self.finders.iter().find(mine) else { return other };
        let keys = self.finders.iter().filter(mine).filter_map(|c| Some(c.key.as_ref()?.key));
        let mut possible = other.possible;
        possible.extend(keys);
        possible.dedup();
        let mut call = call.clone();
        call.args.truncate(1);
        let search = full_text::FullText { call, order: self.order };
        Path {
            access: Access::FullText(search),
            rows: 1.0,
            cost: SEARCH_COST,
            answered: Vec::new(),
            possible,
            ranged: None,
        }
    }

    /// `this table = tables before`, when both sides hash alike; whether by `<=>`.
    pub(super) fn hash_pair(&self, cond: &Expr, t: usize) -> Option<(Expr, Expr, bool)> {
        let (a, b, by, null_safe) = equality(cond)?;
        // what a hash is made of is computed where nobody searches
        if self.done == 0 || has_subquery(cond) || full_text::has_match(cond) {
            return None;
        }
        let (ma, mb) = (a.tables(), b.tables());
        let me = 1u64 << t;
        let (build, probe) = if ma == me && mb != 0 && mb & !self.done == 0 {
            (a, b)
        } else if mb == me && ma != 0 && ma & !self.done == 0 {
            (b, a)
        } else {
            return None;
        };
        let alike = match by {
            Comparison::Int => build.ty.class() == probe.ty.class(),
            Comparison::Double => build.ty.class() == Class::Double && probe.ty.class() == Class::Double,
            // columns whose values have these digits are equal where those are
            Comparison::Digits(_) => plain_column(build) && plain_column(probe),
            Comparison::Decimal => build.ty.class() == Class::Decimal && probe.ty.class() == Class::Decimal,
            Comparison::Text(_) => build.ty.class() == Class::Bytes && probe.ty.class() == Class::Bytes,
            Comparison::Temporal => build.ty.class() == probe.ty.class(),
        };
        // conversions warn for each pair of rows
        if null_safe && (build.as_column().is_none() || probe.as_column().is_none()) {
            return None;
        }
        let (mut build, mut probe) = (build.clone(), probe.clone());
        if let Comparison::Text(collation) = by {
            build.ty.collation = collation;
            probe.ty.collation = collation;
        }
        if let Comparison::Digits(digits) = by {
            for e in [&mut build, &mut probe] {
                let ty = FieldType { decimals: digits, ..FieldType::double() };
                let inner = std::mem::replace(e, Expr::literal(Value::Null, FieldType::null()));
                *e = Expr::new(Node::Convert(Box::new(inner)), ty);
            }
        }
        alike.then_some((build, probe, null_safe))
    }
}

/// Whether it is a column, or one converted.
fn plain_column(e: &Expr) -> bool {
    let of = match &e.node {
        Node::Convert(inner) => inner,
        _ => e,
    };
    of.as_column().is_some()
}

/// The text that a condition says to be a date, when it is told only now whether it is one.
fn dated_text(condition: &Expr) -> Option<Expr> {
    let Node::Compare(CompareOp::Eq, Comparison::Temporal, sides) = &condition.node else { return None };
    let text = |e: &&Expr| match &e.node {
        Node::Once(_, inner) => match &inner.node {
            Node::Call(f, args) => f.def.name.starts_with("compare_") && args[0].ty.is_string(),
            _ => false,
        },
        _ => false,
    };
    sides.iter().find(text).cloned()
}

pub(crate) fn has_subquery(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.node, Node::Subquery(_) | Node::Assign(..)));
    found
}

/// Whether a value is not to be looked up in keys: it assigns user variables, or asks a subquery that may answer otherwise for another row.
pub(super) fn differs(e: &Expr) -> bool {
    let one =
        |s: &SubqueryNode| s.constant && matches!(s.kind, SubqueryKind::Scalar | SubqueryKind::Column(_));
    let mut found = false;
    e.walk(&mut |e| {
        found |= match &e.node {
            Node::Subquery(s) => !one(s),
            Node::Assign(..) => true,
            _ => false,
        }
    });
    found
}

/// Whether an expression needs the row and settings only, and nothing that the session alone has.
pub(crate) fn is_apart(e: &Expr) -> bool {
    let mut apart = !has_subquery(e);
    e.walk(&mut |e| {
        apart &= match &e.node {
            Node::Call(f, _) => f.is_immutable(),
            Node::UserVariable(_)
            | Node::Assign(..)
            | Node::Subquery(_)
            | Node::Match(_)
            | Node::Outer(_) => false,
            _ => true,
        };
    });
    apart
}
