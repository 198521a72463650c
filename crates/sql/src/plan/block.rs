//! Planning of one SELECT: its clauses are bound in the order in which they see each other's names.

use std::sync::Arc;

use super::by_row::{self, ByRow};
use super::from::{JoinTree, bind_from, conjunction, conjuncts};
use super::grouped::{self, group_column, group_items, part_twins};
use super::metadata::meta;
use super::query::{Item, alias_of, keep_zeros, limit, position, position_of_parameter, select_item};
use super::scope::{AliasUse, Names, ScopeTable, Stack};
use super::{
    BlockPlan, Body, GroupPlan, LimitPlan, PlanTable, QueryPlan, Relation, TableUse, access, fixed, is_null,
    keyed, pushed, semijoin, slots,
};
use crate::ast::{self, ExprKind, Literal, Select, SelectItem};
use crate::bind::{ExprBinder, no_window};
use crate::error::{ER_NO_TABLES_USED, SqlError, SqlResult};
use crate::expr::window::WindowCall;
use crate::expr::{AggregateCall, ColumnRef, EvalContext, Expr, Node};
use crate::result::{ResultSchema, flag};
use crate::types::{FieldType, Value};

/// Plans a SELECT.
pub(super) fn plan(
    stack: &mut Stack<'_>,
    select: &Select,
    order_by: &[ast::OrderItem],
    limit_clause: Option<&ast::Limit>,
    ctx: &mut EvalContext,
) -> SqlResult<QueryPlan> {
    let positions = std::mem::take(&mut stack.positions);
    let pushed = std::mem::take(&mut stack.pushed);
    let Names { outer, only_existence, unordered, in_subquery, sought, .. } = std::mem::take(stack.here());
    *stack.here() = Names { outer, only_existence, in_subquery, sought, ..Names::default() };
    stack.changes |= positions;
    let mut block = Block::new(select, order_by, positions);
    let usage = match (positions, std::mem::take(&mut stack.locks_next)) {
        (true, _) => TableUse::Change,
        (false, true) => TableUse::Lock,
        (false, false) => TableUse::Read,
    };
    let around = std::mem::replace(&mut stack.usage, usage);
    let tree = match &select.from[..] {
        [] => JoinTree::Inner(Vec::new(), Vec::new()),
        from => bind_from(stack, from, ctx, &mut block.cacheable)?,
    };
    stack.usage = around;
    block.bind_list(stack, ctx)?;
    block.bind_filter(stack, ctx)?;
    pushed::push(stack, &tree, &block.conditions, ctx);
    block.bind_groups(stack, ctx)?;
    block.bind_having(stack, ctx)?;
    block.bind_order(stack, ctx)?;
    let limit = limit(stack, limit_clause, ctx)?;
    if limit.with_ties && order_by.is_empty() {
        return Err(SqlError::new(crate::error::codes::ER_WITH_TIES_NEEDS_ORDER, &[]));
    }
    if ctx.push_from_having {
        block.lower_having();
    }
    if limit.count.is_none() && limit.offset.is_none() && limit.examined.is_none() {
        block.take_pushed(pushed);
        if unordered {
            block.forget_order();
        }
    }
    block.finish(stack, tree, limit, positions, ctx)
}

/// A SELECT whose clauses are being bound.
pub(super) struct Block<'q> {
    pub(super) select: &'q Select,
    order_by: &'q [ast::OrderItem],
    /// Whether the plan may serve the statement again.
    pub(super) cacheable: bool,
    /// Whether this finds the rows of UPDATE or DELETE.
    changes: bool,
    /// The select list.
    pub(super) items: Vec<Item>,
    pub(super) aggregates: Vec<AggregateCall>,
    /// Window functions, and whether the window of each is written in place.
    pub(super) windows: Vec<WindowCall>,
    pub(super) inline: Vec<bool>,
    /// What rows must meet, all of it.
    conditions: Vec<Expr>,
    /// GROUP BY, and DESC for each.
    keys: Vec<Expr>,
    descending: Vec<bool>,
    having: Option<Expr>,
    /// What is computed for each row: first the list, of `visible` columns, then what only ORDER BY asks for.
    output: Vec<Expr>,
    visible: usize,
    /// ORDER BY: columns of `output`, and DESC.
    order: Vec<(usize, bool)>,
}

impl<'q> Block<'q> {
    fn new(select: &'q Select, order_by: &'q [ast::OrderItem], changes: bool) -> Block<'q> {
        Block {
            changes,
            select,
            order_by,
            cacheable: true,
            items: Vec::new(),
            aggregates: Vec::new(),
            windows: Vec::new(),
            inline: Vec::new(),
            conditions: Vec::new(),
            keys: Vec::new(),
            descending: Vec::new(),
            having: None,
            output: Vec::new(),
            visible: 0,
            order: Vec::new(),
        }
    }

    /// Conditions of HAVING on the columns of GROUP BY alone choose rows before they are grouped.
    fn lower_having(&mut self) {
        if self.keys.is_empty() || self.select.rollup || self.changes {
            return;
        }
        let Some(having) = self.having.take() else { return };
        let mut all = Vec::new();
        conjuncts(having, &mut all);
        let lowered = |e: &Expr| e.tables() != 0 && pushed::of_groups(e, &self.keys);
        let (lower, left): (Vec<Expr>, Vec<Expr>) = all.into_iter().partition(lowered);
        let implied: Vec<Expr> = left.iter().filter_map(|e| pushed::implied(e, &self.keys)).collect();
        lower.into_iter().chain(implied).for_each(|e| self.choose_rows(e));
        self.having = conjunction(left);
    }

    /// Adds a condition on rows.
    fn choose_rows(&mut self, condition: Expr) {
        if !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
    }

    /// Takes conditions on the rows that the SELECT gives: as conditions on rows, or on groups.
    fn take_pushed(&mut self, pushed: Vec<Expr>) {
        let grouped = !self.keys.is_empty() || !self.aggregates.is_empty();
        if self.select.rollup || self.changes {
            return;
        }
        for condition in pushed {
            if self.select.options.distinct && !pushed::of_equals(&condition) {
                continue;
            }
            let Some(own) = pushed::translated(&condition, &self.items) else { continue };
            let parted = |w: &WindowCall| pushed::of_groups(&own, &w.partition);
            if !self.windows.iter().all(parted) {
                continue;
            }
            if !grouped || pushed::of_groups(&own, &self.keys) {
                self.choose_rows(own);
            } else if self.windows.is_empty() {
                if let Some(implied) = pushed::implied(&own, &self.keys) {
                    self.choose_rows(implied);
                }
                let before = self.having.take();
                self.having = conjunction(before.into_iter().chain([own]).collect());
            }
        }
    }

    /// Leaves out ORDER BY, where nobody sees the order.
    fn forget_order(&mut self) {
        if self.windows.is_empty() {
            self.order.clear();
            self.order_by = &[];
            self.output.truncate(self.visible);
        }
    }

    /// Makes the plan of what was bound, and chooses the access paths.
    fn finish(
        mut self,
        stack: &mut Stack<'_>,
        tree: JoinTree,
        limit: LimitPlan,
        positions: bool,
        ctx: &mut EvalContext,
    ) -> SqlResult<QueryPlan> {
        let select = self.select;
        let grouped = !self.keys.is_empty()
            || !self.aggregates.is_empty()
            || (self.having.is_some() && !select.group_by.is_empty());
        let having_column = self.having.as_ref().and_then(|h| grouped::ungrouped(h, &self.keys));
        let mut having = Vec::new();
        if !grouped && let Some(h) = self.having.take() {
            // HAVING without groups is a condition on rows
            conjuncts(h, &mut having);
        }
        if ctx.sql_mode.has(crate::variables::SqlMode::ONLY_FULL_GROUP_BY) && !positions {
            self.check_grouping(stack, grouped, having_column)?;
        }
        if positions {
            self.select_positions(stack);
        }
        self.columns_of_temporary(stack, grouped, ctx)?;
        let windows = self.window_plan();
        let types: Vec<FieldType> = self.output[..self.visible].iter().map(type_of_output).collect();
        let columns = self.items.iter().map(|i| i.meta.clone());
        let schema = Arc::new(ResultSchema::new(columns.collect(), ctx.results));
        let names = std::mem::take(&mut self.items).into_iter().map(|i| i.name).collect();
        let only_existence = self.only_existence(stack, grouped);
        let mut cacheable = self.cacheable;
        let limited = limit.count.is_some() || limit.offset.is_some();
        if !grouped && windows.is_none() && !limited && having.is_empty() {
            cacheable &= self.plan_keyed(stack, &tree, ctx);
        }
        let fixed = self.fixed_columns(!grouped && !limit.with_ties);
        let tree = self.join_subqueries(stack, tree, ctx);
        let group = grouped.then(|| self.group_plan(stack, &fixed, windows.is_none() && !limit.with_ties));
        let mut plan = BlockPlan {
            tables: stack.here().tables.iter().map(plan_table).collect(),
            slots: 0,
            classes: std::sync::OnceLock::new(),
            steps: Vec::new(),
            constant: None,
            dated: Vec::new(),
            group,
            windows,
            having: self.having,
            output: self.output,
            visible: self.visible,
            distinct: select.options.distinct,
            order: self.order,
            ordered_by_access: false,
            by_place: Vec::new(),
            limit,
            impossible: None,
            number: select.number,
            only_existence,
            direct: None,
        };
        let scope = &stack.levels[stack.levels.len() - 1];
        let straight = select.options.straight_join;
        let conditions = access::Conditions {
            filter: self.conditions,
            having,
            may_rank: !positions || plan.count_tables() > 1,
            may_stop: !positions && !select.options.calc_found_rows,
            sorted: !self.order_by.is_empty(),
            buffered: select.options.buffer_result,
            settles: !positions,
        };
        cacheable &= access::choose(&mut plan, tree, conditions, scope, straight, stack.env.reader(), ctx)?;
        cacheable &= slots::finish(&mut plan, ctx)?;
        // UPDATE and DELETE of one table are not limited
        if !(positions && plan.count_tables() == 1) {
            super::examined::check(&plan, stack.here(), ctx.max_join_size)?;
            // other values of parameters have other prices
            cacheable &= ctx.max_join_size == u64::MAX;
        }
        Ok(QueryPlan {
            schema,
            types,
            names,
            body: Body::Block(Box::new(plan)),
            subqueries: Vec::new(),
            tables: Vec::new(),
            views: 0,
            cacheable,
            calc_found_rows: select.options.calc_found_rows,
        })
    }

    /// The columns that have one value in all rows, by which nothing is sorted if it `may_leave` them out.
    fn fixed_columns(&mut self, may_leave: bool) -> Vec<(u32, u32)> {
        let fixed = fixed::columns(&self.conditions);
        if may_leave {
            self.order.retain(|(at, _)| !fixed::is_among(&self.output[*at], &fixed));
        }
        fixed
    }

    /// Whether only the existence of rows is asked for.
    fn only_existence(&mut self, stack: &mut Stack<'_>, grouped: bool) -> bool {
        let plain = |e: &Expr| matches!(e.node, Node::Column(_));
        let only = stack.here().only_existence && !grouped && self.order.is_empty();
        if only && self.output.iter().all(plain) {
            // nobody looks at the columns, nor at how many there are: a key may say enough
            self.output = vec![Expr::literal(Value::Int(1), FieldType::boolean())];
            self.visible = 1;
        }
        only
    }

    /// Joins subqueries of WHERE where that is cheaper; not to tables whose rows are changed.
    fn join_subqueries(&mut self, stack: &mut Stack<'_>, tree: JoinTree, ctx: &mut EvalContext) -> JoinTree {
        if self.changes {
            return tree;
        }
        semijoin::note(stack, &self.conditions);
        match self.select.options.straight_join {
            true => tree,
            false => semijoin::join(stack, tree, &mut self.conditions, ctx),
        }
    }

    /// Plans the SELECT for all outer rows at once, where it is a subquery of which that may be asked. False: for the present values of
    /// parameters only.
    fn plan_keyed(&self, stack: &mut Stack<'_>, tree: &JoinTree, ctx: &mut EvalContext) -> bool {
        let parts = keyed::Parts {
            tree,
            conditions: &self.conditions,
            output: &self.output[..self.visible],
            straight: self.select.options.straight_join,
            number: self.select.number,
        };
        let keyed = keyed::plan(stack, &parts, ctx);
        let lasting = keyed.as_ref().is_none_or(|k| k.plan.cacheable);
        stack.here().keyed = keyed.map(Box::new);
        let by_row = by_row::plan(stack, &parts, ctx);
        let both = by_row.as_ref().is_none_or(ByRow::is_lasting);
        stack.here().by_row = by_row.map(Box::new);
        lasting && both
    }

    /// Binds the select list.
    fn bind_list(&mut self, stack: &mut Stack<'_>, ctx: &mut EvalContext) -> SqlResult<()> {
        stack.here().alias_use = AliasUse::Below;
        stack.here().takes_aggregates = true;
        stack.here().windows.allowed = true;
        stack.here().coming = self.select.items.iter().filter_map(alias_of).collect();
        for item in &self.select.items {
            let before = self.items.len();
            select_item(stack, item, ctx, Some(&mut self.aggregates), &mut self.items, &mut self.cacheable)?;
            let new = self.items[before..].iter().map(|i| (i.name.clone(), i.expr.clone()));
            stack.here().aliases.extend(new);
        }
        if stack.here().tables.is_empty()
            && self.select.items.iter().any(|i| !matches!(i, SelectItem::Expr { .. }))
        {
            return Err(SqlError::new(ER_NO_TABLES_USED, &[]));
        }
        Ok(())
    }

    /// Binds WHERE: its names are looked for after those of the list, which it does not see.
    fn bind_filter(&mut self, stack: &mut Stack<'_>, ctx: &mut EvalContext) -> SqlResult<()> {
        stack.here().takes_aggregates = false;
        stack.here().windows.allowed = false;
        stack.here().alias_use = AliasUse::No;
        if let Some(f) = &self.select.filter {
            let mut b = ExprBinder::new(stack, ctx);
            b.clause = "WHERE";
            b.rewrites = !self.changes;
            b.allow_aggregates = false;
            let mut e = b.bind_condition(f)?;
            self.cacheable &= b.cacheable;
            is_null::zero_dates(stack.here(), &mut e, ctx)?;
            self.cacheable &= !is_null::new_row(stack.here(), &mut e, ctx)?;
            conjuncts(e, &mut self.conditions);
            self.conditions.iter_mut().for_each(|e| is_null::settle(stack.here(), e));
        }
        if let Some(e) = stack.here().late.take() {
            return Err(e);
        }
        Ok(())
    }

    /// Binds GROUP BY.
    fn bind_groups(&mut self, stack: &mut Stack<'_>, ctx: &mut EvalContext) -> SqlResult<()> {
        stack.here().alias_use = AliasUse::AfterColumns;
        for g in &self.select.group_by {
            let e = self.bind_group_key(stack, &g.expr, ctx)?;
            no_window(&e, crate::error::codes::ER_WRONG_PLACEMENT_OF_WINDOW_FUNCTION)?;
            let mut grouped = false;
            e.walk(&mut |e| grouped |= matches!(e.node, Node::Aggregate(_)));
            if grouped {
                let name = match &g.expr.kind {
                    ExprKind::Literal(Literal::Int(n)) => {
                        self.items[position(*n, self.items.len(), "GROUP BY")?].name.clone()
                    }
                    ExprKind::Param(n) => {
                        let at = position_of_parameter(*n, self.items.len(), "GROUP BY", ctx)?;
                        at.and_then(|i| self.items.get(i)).map(|i| i.name.clone()).unwrap_or_default()
                    }
                    _ => String::from_utf8_lossy(g.expr.span.of(stack.env.text())).into_owned(),
                };
                return Err(SqlError::new(crate::error::ER_WRONG_GROUP_FIELD, &[&name]));
            }
            self.keys.push(e);
            self.descending.push(g.descending);
        }

        if self.select.rollup {
            part_twins(&mut self.keys, &self.select.group_by, &mut self.items);
        }
        Ok(())
    }

    fn bind_group_key(
        &mut self,
        stack: &mut Stack<'_>,
        expr: &ast::Expr,
        ctx: &mut EvalContext,
    ) -> SqlResult<Expr> {
        let listed = match &expr.kind {
            ExprKind::Param(n) => position_of_parameter(*n, self.items.len(), "GROUP BY", ctx)?,
            _ => super::query::numbered(expr, self.items.len(), "GROUP BY")?,
        };
        if let Some(i) = listed {
            self.cacheable &= !matches!(expr.kind, ExprKind::Param(_));
            return Ok(self.items[i].expr.clone());
        }
        Ok(match &expr.kind {
            ExprKind::Column(c) if c.table.is_none() => {
                let names = stack.here();
                let alias = names.alias(c, "GROUP BY")?;
                let found = match names.find(c, "GROUP BY") {
                    Err(_) if alias.is_some() => None,
                    found => found?,
                };
                match (alias, found) {
                    (Some(i), None) => self.items[i].expr.clone(),
                    (alias, Some((t, column))) => {
                        let e = names.column_expr(t, column);
                        if alias.is_some_and(|i| self.items[i].expr.as_column() != e.as_column()) {
                            self.cacheable = false;
                            ctx.warnings.remark(crate::error::ER_NON_UNIQ_ERROR, &[&c.name, &"GROUP BY"]);
                        }
                        e
                    }
                    (None, None) => {
                        let mut b = ExprBinder::new(stack, ctx);
                        b.clause = "GROUP BY";
                        b.bind(expr)?
                    }
                }
            }
            _ => {
                let mut b = ExprBinder::new(stack, ctx);
                b.clause = "GROUP BY";
                b.allow_aggregates = false;
                let e = b.bind(expr)?;
                self.cacheable &= b.cacheable;
                e
            }
        })
    }

    /// Binds HAVING, which sees what is in the list and in GROUP BY.
    fn bind_having(&mut self, stack: &mut Stack<'_>, ctx: &mut EvalContext) -> SqlResult<()> {
        let group_columns = self
            .keys
            .iter()
            .zip(&self.select.group_by)
            .filter_map(|(e, g)| group_column(e, &g.expr, &self.items));
        stack.here().group_columns = group_columns.collect();
        stack.here().takes_aggregates = true;
        stack.here().alias_use = AliasUse::Having;
        stack.here().has_groups = !self.select.group_by.is_empty()
            || !self.aggregates.is_empty()
            || !stack.here().lifted.is_empty();
        if let Some(h) = &self.select.having {
            let mut b = ExprBinder::new(stack, ctx);
            b.clause = "HAVING";
            b.aggregates = std::mem::take(&mut self.aggregates);
            let mut h = b.bind_condition(h)?;
            self.cacheable &= b.cacheable;
            self.aggregates = std::mem::take(&mut b.aggregates);
            no_window(&h, crate::error::codes::ER_WRONG_PLACEMENT_OF_WINDOW_FUNCTION)?;
            is_null::zero_dates(stack.here(), &mut h, ctx)?;
            self.cacheable &= !is_null::new_row(stack.here(), &mut h, ctx)?;
            for name in std::mem::take(&mut stack.ambiguous) {
                self.cacheable = false;
                ctx.warnings.remark(crate::error::ER_NON_UNIQ_ERROR, &[&name, &"HAVING"]);
            }
            self.having = Some(h);
        }
        Ok(())
    }

    /// Binds ORDER BY; what is not in the list is appended to the output.
    fn bind_order(&mut self, stack: &mut Stack<'_>, ctx: &mut EvalContext) -> SqlResult<()> {
        stack.here().alias_use = AliasUse::AfterColumns;
        stack.here().windows.allowed = !self.changes;
        self.output = self.items.iter().map(|i| i.expr.clone()).collect();
        self.visible = self.output.len();
        // UPDATE and DELETE have no list that a number could mean
        let listed = if self.changes { 0 } else { self.visible };
        for o in self.order_by {
            let at = match &o.expr.kind {
                // the number that a parameter has is that of a column, too
                ExprKind::Param(n) => {
                    let at = position_of_parameter(*n, listed, "ORDER BY", ctx)?;
                    self.cacheable &= at.is_none();
                    at
                }
                ExprKind::Column(c) if c.table.is_none() => stack.here().alias(c, "ORDER BY")?,
                _ => super::query::numbered(&o.expr, listed, "ORDER BY")?,
            };
            let at = match at {
                Some(i) => i,
                None => {
                    let mut b = ExprBinder::new(stack, ctx);
                    b.clause = "ORDER BY";
                    b.aggregates = std::mem::take(&mut self.aggregates);
                    let e = b.bind(&o.expr)?;
                    self.cacheable &= b.cacheable;
                    self.aggregates = std::mem::take(&mut b.aggregates);
                    if e.is_foldable() {
                        continue;
                    }
                    // COLLATE makes another order of the same column
                    let alike = |x: &Expr| std::ptr::eq(x.ty.collation, e.ty.collation);
                    let same = e
                        .as_column()
                        .and_then(|c| self.output.iter().position(|x| x.as_column() == Some(c) && alike(x)));
                    same.unwrap_or_else(|| {
                        self.output.push(e);
                        self.output.len() - 1
                    })
                }
            };
            self.order.push((at, o.descending));
        }
        self.take_view_order(stack);
        stack.here().windows.allowed = false;
        self.bind_windows(stack, ctx)?;
        self.order_by_groups();
        stack.here().alias_use = AliasUse::No;
        stack.here().takes_aggregates = false;
        let lifted = std::mem::take(&mut stack.here().lifted);
        if !lifted.is_empty() {
            let base = self.aggregates.len() as u32;
            self.aggregates.extend(lifted);
            let listed = self.items.iter_mut().map(|i| &mut i.expr);
            let windows = self.windows.iter_mut().flat_map(WindowCall::exprs_mut);
            for e in listed.chain(&mut self.output).chain(&mut self.having).chain(windows) {
                e.settle_lifted(super::scope::LIFTED, base);
            }
        }
        Ok(())
    }

    /// As in the reference server, groups that windows went over come in the order of their keys where none is asked for.
    fn order_by_groups(&mut self) {
        let asked = !self.order_by.is_empty() || !self.order.is_empty();
        if self.windows.is_empty() || asked || self.select.rollup || self.changes {
            return;
        }
        if self.select.options.big_result || !super::grouping::in_table(&self.aggregates) {
            // rows were sorted for the groups before: they stay as the windows leave them
            return;
        }
        for (n, key) in self.keys.iter().enumerate().filter(|(_, key)| !key.is_constant()) {
            let at = self.output.iter().position(|e| e == key).unwrap_or_else(|| {
                self.output.push(key.clone());
                self.output.len() - 1
            });
            self.order.push((at, self.descending.get(n) == Some(&true)));
        }
    }

    /// The order of a merged view is that of a query that has none and reads nothing else.
    fn take_view_order(&mut self, stack: &mut Stack<'_>) {
        let one = matches!(&self.select.from[..], [ast::TableRef::Table(_)]);
        let plain = self.keys.is_empty() && self.aggregates.is_empty() && !self.select.options.distinct;
        if !one || !plain || self.changes || !self.order_by.is_empty() {
            return;
        }
        let Some(merged) =
            stack.levels[stack.levels.len() - 1].tables.last().and_then(|t| t.view.merged.as_ref())
        else {
            return;
        };
        let mut merged = merged;
        // a view of nothing but a view has its order
        while merged.order.is_empty() {
            let names = &stack.levels[stack.levels.len() - 1];
            let below = names.tables.iter().rev().filter_map(|t| t.view.merged.as_ref());
            let Some(view) = &merged.view else { return };
            let alone = matches!(view.mergeable().map(|s| &s.from[..]), Some([ast::TableRef::Table(_)]));
            let is_this =
                |m: &super::scope::MergedView| m.view.as_ref().is_some_and(|v| Arc::ptr_eq(v, view));
            match below.skip_while(|m| !is_this(m)).nth(1) {
                Some(next) if alone => merged = next,
                _ => return,
            }
        }
        for (e, descending) in merged.order.clone() {
            self.output.push(e);
            self.order.push((self.output.len() - 1, descending));
        }
    }

    /// ONLY_FULL_GROUP_BY: no column stands beside groups that is not grouped by.
    fn check_grouping(
        &self,
        stack: &mut Stack<'_>,
        grouped: bool,
        having_column: Option<ColumnRef>,
    ) -> SqlResult<()> {
        if self.keys.is_empty()
            && let Some(c) = having_column
        {
            let name = &stack.here().tables[c.table as usize].columns[c.column as usize].0;
            return Err(SqlError::new(crate::error::codes::ER_NON_GROUPING_FIELD_USED, &[name, &"HAVING"]));
        }
        if grouped {
            let all = if self.keys.is_empty() { self.output.len() } else { self.visible };
            let windows = self.windows.iter().flat_map(WindowCall::exprs);
            grouped::only_grouped(stack.here(), self.output[..all].iter().chain(windows), &self.keys)?;
        }
        Ok(())
    }

    /// Puts the positions of the tables' rows in place of the list, for UPDATE and DELETE.
    fn select_positions(&mut self, stack: &mut Stack<'_>) {
        let hidden = self.output.split_off(self.visible);
        let visible = self.visible;
        // Rows of derived tables lie nowhere: their values are given.
        let names = stack.here();
        let tables = &names.tables[..names.with_rows()];
        self.output = Vec::with_capacity(tables.len());
        let mut derived = Vec::new();
        for (t, table) in tables.iter().enumerate() {
            let t = t as u32;
            if let Relation::Base(_) = table.relation {
                self.output.push(Expr::column(t, super::POSITION, FieldType::bigint(true)));
                continue;
            }
            self.output.push(Expr::literal(Value::Null, FieldType::bigint(true)));
            if table.view.merged.is_some() {
                continue;
            }
            let columns = table.columns.iter().enumerate();
            derived.extend(columns.map(|(c, (_, ty))| Expr::column(t, c as u32, ty.clone())));
        }
        self.output.append(&mut derived);
        let n = self.output.len();
        self.order.retain(|(at, _)| *at >= visible);
        self.order.iter_mut().for_each(|(at, _)| *at += n - visible);
        self.output.extend(hidden);
        self.visible = n;
    }

    /// Types and flags of columns that go through a temporary table.
    fn columns_of_temporary(
        &mut self,
        stack: &mut Stack<'_>,
        grouped: bool,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        if grouped && self.keys.is_empty() {
            // the one row of nothing has NULL in them
            for i in self.items.iter_mut().filter(|i| matches!(i.expr.node, Node::Column(_))) {
                i.meta.flags &= !crate::result::flag::NOT_NULL;
            }
        }
        if !grouped && !self.windows.is_empty() {
            // what is kept for the windows may be NULL, and is of no key
            let of_table =
                flag::NOT_NULL | flag::PRI_KEY | flag::UNIQUE_KEY | flag::MULTIPLE_KEY | flag::PART_KEY;
            for (i, e) in self.items.iter_mut().zip(&mut self.output) {
                if matches!(i.expr.node, Node::Column(_)) {
                    i.meta.flags &= !of_table;
                    e.ty.nullable = true;
                }
            }
        }
        if grouped && !self.select.rollup && self.keys.iter().any(|k| !k.is_constant()) {
            keep_zeros(&mut self.output, &mut self.items, &self.aggregates);
            let names = stack.here();
            let column = |e: &Expr| meta(names, e, "", ctx);
            super::temporary::take_bits_and_moments(&mut self.output);
            if super::temporary::groups_in_table(&self.keys, &self.aggregates, &column) {
                super::temporary::grouped(&mut self.items, &self.keys, &self.aggregates, &column);
                super::temporary::take_numbers(self.output.iter_mut().chain(&mut self.keys));
                super::temporary::take_decimals(self.aggregates.iter_mut().flat_map(|a| &mut a.args));
            }
            for list in [&mut self.output, &mut self.keys] {
                super::temporary::take_years(list, ctx)?;
                super::temporary::take_texts(list, ctx)?;
            }
        }
        let distinct = self.aggregates.iter_mut().filter(|a| a.distinct);
        super::temporary::take_numbers(distinct.flat_map(|a| &mut a.args));
        super::temporary::take_numbers(self.windows.iter_mut().flat_map(WindowCall::exprs_mut));
        if !self.windows.is_empty() {
            super::temporary::take_bits_and_moments(&mut self.output);
            super::temporary::take_windows(&mut self.output, grouped);
        }
        if self.select.options.distinct
            && !stack.here().tables.is_empty()
            && (!grouped || !self.keys.is_empty())
        {
            super::temporary::distinct(&mut self.items);
            super::temporary::take_bits_and_moments(&mut self.output);
            super::temporary::take_numbers(&mut self.output);
            super::temporary::take_years(&mut self.output, ctx)?;
            super::temporary::take_texts(&mut self.output, ctx)?;
        }
        for (e, item) in
            self.output.iter_mut().zip(&self.items).filter(|(e, _)| e.ty.kind == crate::types::Kind::Year)
        {
            e.ty.zerofill |= item.meta.flags & flag::ZEROFILL != 0;
        }
        Ok(())
    }

    /// Whether ORDER BY asks for the order that groups come in anyway: by all their keys.
    fn is_order_of_groups(&self) -> bool {
        let by_key = |((at, desc), key): (&(usize, bool), &Expr)| {
            let same = self.output[*at].as_column().is_some_and(|c| key.as_column() == Some(c));
            !desc && same && std::ptr::eq(self.output[*at].ty.collation, key.ty.collation)
        };
        let simple = !self.select.rollup && !self.select.options.distinct;
        simple
            && !self.changes
            && self.order.len() == self.keys.len()
            && !self.descending.contains(&true)
            && self.order.iter().zip(&self.keys).all(by_key)
    }

    fn group_plan(&mut self, stack: &mut Stack<'_>, fixed: &[(u32, u32)], plain: bool) -> GroupPlan {
        let eager = !self.keys.is_empty() && !self.select.rollup;
        let items = if eager { group_items(&mut self.output, self.aggregates.len()) } else { Vec::new() };
        let unordered = !self.order_by.is_empty()
            && self.order.is_empty()
            && super::grouping::is_unordered(&self.keys, &self.aggregates, stack.here());
        if plain && self.is_order_of_groups() {
            self.order.clear();
        }
        let one = !self.select.rollup && self.keys.iter().all(|k| fixed::is_among(k, fixed));
        GroupPlan {
            keys: std::mem::take(&mut self.keys),
            descending: std::mem::take(&mut self.descending),
            aggregates: std::mem::take(&mut self.aggregates),
            items,
            rollup: self.select.rollup,
            unordered,
            one,
            in_order: false,
            shortcut: None,
            read: std::sync::OnceLock::new(),
        }
    }
}

/// A column of the result, which has a display width where it is one of a table.
fn type_of_output(e: &Expr) -> FieldType {
    let mut t = e.ty.clone();
    if e.as_column().is_none() && t.display_width().is_some() && !t.zerofill {
        t.zeros = 0;
    }
    t
}

/// A table of the block, before access paths are chosen.
pub(super) fn plan_table(t: &ScopeTable) -> PlanTable {
    let records = match &t.relation {
        Relation::Base(open) => Some(open.state_of(&t.state).records()),
        _ => None,
    };
    PlanTable {
        records,
        relation: t.relation.clone(),
        alias: t.alias.clone(),
        db: t.db.clone(),
        name: t.name.clone(),
        columns: Vec::new(),
        computed: Vec::new(),
        tests: Vec::new(),
        choices: Vec::new(),
        pruned: false,
        position: None,
        score: None,
        number: None,
        semijoin: t.semijoin.is_some(),
    }
}
