//! Window functions of one SELECT: their windows bound, and the sorts that serve them. Several windows share a sort where the
//! order of one begins that of another.

use std::cmp::Ordering;

use super::block::Block;
use super::query::Item;
use super::scope::{AliasUse, Stack};
use crate::ast::{self, ExprKind, Over, WindowSpec};
use crate::bind::{ExprBinder, no_window};
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::window::{FrameSpec, WindowCall, WindowFunction};
use crate::expr::{AggregateCall, ColumnRef, EvalContext, Expr, Node};
use crate::types::FieldType;

/// Columns of this number on, of no table, are values of window functions.
pub const WINDOW_COLUMN: u32 = 1 << 29;

/// The window functions of a SELECT.
pub struct WindowPlan {
    /// What is computed of the rows first: keys of sorts and arguments.
    pub exprs: Vec<Expr>,
    /// The sorts in the order in which they run; the rows come out in that of the last.
    pub sorts: Vec<WindowSort>,
    /// The functions.
    pub calls: Vec<PlannedCall>,
}

/// A sort of the rows, and what is computed behind it.
pub struct WindowSort {
    /// Numbers of [`WindowPlan::exprs`], and whether descending.
    pub keys: Vec<(usize, bool)>,
    /// Numbers of [`WindowPlan::calls`].
    pub calls: Vec<usize>,
}

/// A function: expressions are numbers of [`WindowPlan::exprs`].
pub struct PlannedCall {
    /// Which.
    pub function: WindowFunction,
    /// The aggregate of [`WindowFunction::Aggregate`].
    pub aggregate: Option<AggregateCall>,
    /// The arguments.
    pub args: Vec<usize>,
    /// So many first keys of its sort are PARTITION BY.
    pub partition: usize,
    /// So many behind them are ORDER BY.
    pub order: usize,
    /// The frame.
    pub frame: FrameSpec,
    /// The type of the value.
    pub ty: FieldType,
}

/// A window as it is bound.
#[derive(Clone)]
struct Bound {
    partition: Vec<Expr>,
    order: Vec<(Expr, bool)>,
    frame: FrameSpec,
}

impl Block<'_> {
    /// Binds the windows of the functions that were met, and those that WINDOW names.
    pub(super) fn bind_windows(&mut self, stack: &mut Stack<'_>, ctx: &mut EvalContext) -> SqlResult<()> {
        let windows = std::mem::take(&mut stack.here().windows);
        let (mut calls, overs) = (windows.calls, windows.overs);
        let named = &self.select.windows;
        for (i, (name, _)) in named.iter().enumerate() {
            if named[..i].iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
                return Err(SqlError::new(codes::ER_DUP_WINDOW_NAME, &[name]));
            }
        }
        stack.here().alias_use = AliasUse::AfterColumns;
        let aggregates = !calls.is_empty();
        for (call, over) in calls.iter_mut().zip(&overs) {
            if let Over::Spec(spec) = over {
                set(call, self.window(stack, spec, named, aggregates, ctx)?);
            }
        }
        let mut bound = Vec::with_capacity(named.len());
        for (n, (_, spec)) in named.iter().enumerate() {
            bound.push(self.window(stack, spec, &named[..n], aggregates, ctx)?);
        }
        for (call, over) in calls.iter_mut().zip(&overs) {
            if let Over::Name(name) = over {
                let found = named.iter().position(|(other, _)| other.eq_ignore_ascii_case(name));
                let at = found.ok_or_else(|| SqlError::new(codes::ER_WRONG_WINDOW_SPEC_NAME, &[name]))?;
                set(call, bound[at].clone());
            }
        }
        stack.here().alias_use = AliasUse::No;
        calls.iter().try_for_each(check)?;
        self.windows = calls;
        self.inline = overs.iter().map(|o| matches!(o, Over::Spec(_))).collect();
        Ok(())
    }

    /// Binds a window that may build upon one of these.
    fn window(
        &mut self,
        stack: &mut Stack<'_>,
        spec: &WindowSpec,
        named: &[(ast::Name, WindowSpec)],
        aggregates: bool,
        ctx: &mut EvalContext,
    ) -> SqlResult<Bound> {
        let mut spec = std::borrow::Cow::Borrowed(spec);
        while let Some(base) = &spec.base {
            let at = named.iter().position(|(name, _)| name.eq_ignore_ascii_case(base));
            let Some(at) = at else {
                return Err(SqlError::new(codes::ER_WRONG_WINDOW_SPEC_NAME, &[base]));
            };
            let under = &named[at].1;
            if !spec.partition_by.is_empty() {
                return Err(SqlError::new(codes::ER_PARTITION_LIST_IN_REFERENCING_WINDOW_SPEC, &[base]));
            }
            if !spec.order_by.is_empty() && !under.order_by.is_empty() {
                return Err(SqlError::new(codes::ER_ORDER_LIST_IN_REFERENCING_WINDOW_SPEC, &[base]));
            }
            if under.frame.is_some() {
                return Err(SqlError::new(codes::ER_WINDOW_FRAME_IN_REFERENCED_WINDOW_SPEC, &[base]));
            }
            let mut whole = under.clone();
            if whole.order_by.is_empty() {
                whole.order_by.clone_from(&spec.order_by);
            }
            whole.frame.clone_from(&spec.frame);
            spec = std::borrow::Cow::Owned(whole);
        }
        let mut partition = Vec::with_capacity(spec.partition_by.len());
        for e in &spec.partition_by {
            partition.push(self.window_key(stack, e, "GROUP BY", aggregates, ctx)?);
        }
        let mut order = Vec::with_capacity(spec.order_by.len());
        for o in &spec.order_by {
            order.push((self.window_key(stack, &o.expr, "ORDER BY", aggregates, ctx)?, o.descending));
        }
        let mut b = ExprBinder::new(stack, ctx);
        let frame = b.frame(spec.frame.as_deref(), &order)?;
        self.cacheable &= b.cacheable;
        Ok(Bound { partition, order, frame })
    }

    /// Binds an element of PARTITION BY, whose names are those of columns first, or of ORDER BY, which names the list first.
    fn window_key(
        &mut self,
        stack: &mut Stack<'_>,
        e: &ast::Expr,
        clause: &'static str,
        aggregates: bool,
        ctx: &mut EvalContext,
    ) -> SqlResult<Expr> {
        if let ExprKind::Column(c) = &e.kind
            && c.table.is_none()
            && (clause == "ORDER BY" || !matches!(stack.here().find(c, clause), Ok(Some(_))))
            && let Some(i) = stack.here().alias(c, clause)?
        {
            let listed = self.items[i].expr.clone();
            no_window(&listed, codes::ER_WINDOW_FUNCTION_IN_WINDOW_SPEC)?;
            return Ok(listed);
        }
        if clause == "GROUP BY"
            && let ExprKind::Column(c) = &e.kind
            && c.table.is_none()
            && let Ok(Some((t, column))) = stack.here().find(c, clause)
            && let Ok(Some(i)) = stack.here().alias(c, clause)
            && self.items[i].expr.as_column() != stack.here().column_expr(t, column).as_column()
        {
            self.cacheable = false;
            ctx.warnings.remark(crate::error::ER_NON_UNIQ_ERROR, &[&c.name, &clause]);
        }
        if e.has_window() {
            return Err(SqlError::new(codes::ER_WRONG_PLACEMENT_OF_WINDOW_FUNCTION, &[]));
        }
        let mut b = ExprBinder::new(stack, ctx);
        b.clause = clause;
        b.allow_aggregates = aggregates;
        b.aggregates = std::mem::take(&mut self.aggregates);
        let bound = b.bind(e);
        self.cacheable &= b.cacheable;
        self.aggregates = std::mem::take(&mut b.aggregates);
        let bound = bound?;
        no_window(&bound, codes::ER_WINDOW_FUNCTION_IN_WINDOW_SPEC)?;
        Ok(bound)
    }

    /// What the windows compute, when there are any.
    pub(super) fn window_plan(&mut self) -> Option<Box<WindowPlan>> {
        let calls = std::mem::take(&mut self.windows);
        if calls.is_empty() {
            return None;
        }
        let mut places = Places { exprs: Vec::new(), ranks: Vec::new(), hidden: 0 };
        // the windows that WINDOW names come behind the others
        let inline = |n: &usize| self.inline.get(*n).copied().unwrap_or(true);
        let first = (0..calls.len()).filter(inline).chain((0..calls.len()).filter(|n| !inline(n)));
        let mut lists: Vec<Vec<(usize, bool)>> = vec![Vec::new(); calls.len()];
        for n in first {
            lists[n] = keys_of(&calls[n], &mut places, &self.items);
        }
        let sorts = sorts(&lists, &places.ranks);
        let calls = calls.into_iter().map(|c| planned(c, &mut places)).collect();
        Some(Box::new(WindowPlan { exprs: places.exprs, sorts, calls }))
    }
}

/// The keys that a function's rows are sorted by. MEDIAN and its like sort the rows of a partition by a value of theirs.
fn keys_of(call: &WindowCall, places: &mut Places, items: &[Item]) -> Vec<(usize, bool)> {
    let partition = call.partition.iter().map(|e| (e, false));
    let order = call.order.iter().map(|(e, desc)| (e, *desc));
    partition.chain(order).map(|(e, desc)| (places.key(e, items), desc)).collect()
}

fn planned(call: WindowCall, places: &mut Places) -> PlannedCall {
    let args = call.args.iter().map(|e| places.place(e)).collect();
    let (partition, order) = (call.partition.len(), call.order.len());
    PlannedCall {
        function: call.function,
        aggregate: call.aggregate,
        args,
        partition,
        order,
        frame: call.frame,
        ty: call.ty,
    }
}

fn set(call: &mut WindowCall, window: Bound) {
    call.partition = window.partition;
    if matches!(call.function, WindowFunction::PercentileCont | WindowFunction::PercentileDisc) {
        // the order within the group is the function's own
        return;
    }
    call.order = window.order;
    call.frame = window.frame;
}

/// What a function asks of its window.
fn check(call: &WindowCall) -> SqlResult<()> {
    if call.function.needs_order() && call.order.is_empty() {
        let name = call.function.word();
        return Err(SqlError::new(codes::ER_NO_ORDER_LIST_IN_WINDOW_SPEC, &[&name]));
    }
    Ok(())
}

/// Expressions that windows need, each once.
struct Places {
    exprs: Vec<Expr>,
    /// Where MariaDB's temporary table has them: sorts come in that order.
    ranks: Vec<i64>,
    hidden: i64,
}

impl Places {
    fn place(&mut self, e: &Expr) -> usize {
        let same = |x: &Expr| x.node == e.node && x.ty == e.ty && e.is_repeatable();
        self.exprs.iter().position(same).unwrap_or_else(|| {
            self.exprs.push(e.clone());
            self.ranks.push(i64::MAX);
            self.exprs.len() - 1
        })
    }

    /// The place of a key: columns of the list are where they are, others before them, the last one first.
    fn key(&mut self, e: &Expr, items: &[Item]) -> usize {
        let at = self.place(e);
        if self.ranks[at] == i64::MAX {
            let listed = items.iter().position(|i| i.expr.node == e.node);
            self.ranks[at] = listed.map_or_else(
                || {
                    self.hidden += 1;
                    -self.hidden
                },
                |i| i as i64,
            );
        }
        at
    }
}

/// The sorts for these lists of keys, a list a function.
fn sorts(lists: &[Vec<(usize, bool)>], ranks: &[i64]) -> Vec<WindowSort> {
    let compare = |a: &usize, b: &usize| {
        for ((x, xd), (y, yd)) in lists[*a].iter().zip(&lists[*b]) {
            let o = (ranks[*x], xd).cmp(&(ranks[*y], yd));
            if o != Ordering::Equal {
                return o;
            }
        }
        lists[*a].len().cmp(&lists[*b].len())
    };
    let mut order: Vec<usize> = (0..lists.len()).collect();
    order.sort_by(compare);
    let mut out: Vec<WindowSort> = Vec::new();
    for n in order {
        match out.last_mut().filter(|s| lists[n].starts_with(&s.keys)) {
            Some(sort) => {
                sort.keys.clone_from(&lists[n]);
                sort.calls.push(n);
            }
            None => out.push(WindowSort { keys: lists[n].clone(), calls: vec![n] }),
        }
    }
    out
}

/// Gives the values of window functions their slots, from `base` on.
pub(super) fn settle(e: &mut Expr, base: u32) {
    e.walk_mut(&mut |e| {
        if let Node::Window(n) = e.node {
            e.node = Node::Column(ColumnRef { table: u32::MAX, column: WINDOW_COLUMN + n, slot: base + n });
        }
    });
}
