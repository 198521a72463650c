//! Aggregates in subqueries that sum up the rows of a query around.

use super::scope::{LIFTED, Stack};
use crate::ast;
use crate::error::{ER_INVALID_GROUP_FUNC_USE, SqlError, SqlResult};
use crate::expr::{AggregateCall, EvalContext, Expr, Node};
use crate::variables::SqlMode;

/// Whose rows an aggregate sums up.
enum Level {
    /// Those of the query that it stands in.
    Own,
    /// Those of a query around, by its level.
    Outer(usize),
    /// It refers to no column: those of the nearest query where it may stand.
    Any,
}

/// What was before the arguments of an aggregate.
pub struct BeforeAggregate {
    /// How many outer values each level had.
    outer: Vec<usize>,
    in_aggregate: bool,
    takes_aggregates: bool,
}

impl Stack<'_> {
    /// The level whose rows an aggregate at hand sums up: that of the innermost column it refers to.
    fn level_of(&self, level: usize, call: &AggregateCall) -> Level {
        let mut of = None;
        let mut own = false;
        for e in call.args.iter().chain(call.order_by.iter().map(|o| &o.0)) {
            e.walk(&mut |e| match &e.node {
                Node::Outer(n) => of = of.max(self.origin(level, *n)),
                Node::Column(_) | Node::Assign(..) => own = true,
                _ => {}
            });
        }
        match of {
            _ if own => Level::Own,
            Some(level) => Level::Outer(level),
            None => Level::Any,
        }
    }

    /// The level that a value of outside comes from, when it is a column there.
    fn origin(&self, level: usize, n: u32) -> Option<usize> {
        let (reference, _) = self.levels[level].outer.get(n as usize)?;
        match &reference.expr.node {
            _ if reference.alias || reference.name.is_none() => None,
            Node::Outer(n) => self.origin(level.checked_sub(1)?, *n),
            // a column of a merged table is whatever it stands for
            _ => level.checked_sub(1),
        }
    }

    /// The arguments of an aggregate begin.
    pub(super) fn begin_aggregate(&mut self) {
        let takes_aggregates = std::mem::take(&mut self.here().takes_aggregates);
        self.before_aggregates.push(BeforeAggregate {
            outer: self.levels.iter().map(|names| names.outer.len()).collect(),
            in_aggregate: std::mem::replace(&mut self.in_aggregate, true),
            takes_aggregates,
        });
    }

    /// The arguments of the aggregate that began last end.
    pub(super) fn end_aggregate(&mut self) {
        if let Some(before) = self.before_aggregates.pop() {
            self.in_aggregate = before.in_aggregate;
            self.here().takes_aggregates = before.takes_aggregates;
            self.outer_before = before.outer;
        }
    }

    /// The value of an aggregate that sums up the rows of a query around; none where it is one of the query at hand. `here`: it may stand where it
    /// does.
    ///
    /// # Errors
    /// Those of binding it there; 1111 where it may not stand.
    pub(super) fn lifted(
        &mut self,
        a: &ast::AggregateCall,
        call: &AggregateCall,
        here: bool,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<Expr>> {
        let top = self.levels.len() - 1;
        let to = match self.level_of(top, call) {
            Level::Own => None,
            Level::Any if here => None,
            Level::Any => (0..top).rev().find(|level| self.levels[*level].takes_aggregates),
            Level::Outer(level) if self.levels[level].takes_aggregates => Some(level),
            Level::Outer(_) if here && !ctx.sql_mode.has(SqlMode::ANSI) => None,
            Level::Outer(_) => return Err(SqlError::new(ER_INVALID_GROUP_FUNC_USE, &[])),
        };
        let Some(to) = to else { return Ok(None) };
        // what the arguments refer to is bound again, where the rows are
        for (names, before) in self.levels.iter_mut().zip(&self.outer_before).skip(to + 1) {
            names.outer.truncate(*before);
        }
        let above = self.levels.split_off(to + 1);
        let subqueries = self.subqueries.split_off((to + 1).min(self.subqueries.len()));
        let uses = std::mem::take(&mut self.here().alias_use);
        let bound = crate::bind::ExprBinder::new(self, ctx).outer_call(a);
        self.here().alias_use = uses;
        let lifted = bound.map(|call| {
            let ty = call.ty.clone();
            let list = &mut self.here().lifted;
            list.push(call);
            Expr::new(Node::Aggregate(LIFTED + list.len() as u32 - 1), ty)
        });
        self.levels.extend(above);
        self.subqueries.extend(subqueries);
        let mut e = lifted?;
        for level in to + 1..=top {
            let ty = e.ty.clone();
            e = Expr::new(Node::Outer(self.hand_down(level, None, e)), ty);
        }
        Ok(Some(e))
    }
}
