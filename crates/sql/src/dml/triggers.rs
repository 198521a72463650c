//! Triggers of the table that a statement changes: when they run, and what they make of the row.

use std::sync::Arc;

use super::target::Target;
use crate::ast::program::Instruction;
use crate::ast::{Expr, ExprKind, Statement, TriggerEvent};
use crate::error::{ER_BAD_NULL_ERROR, ER_NO_DEFAULT_FOR_FIELD, SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::failure::from_pages;
use crate::session::Session;
use crate::session::scope::has_subquery;
use crate::table::triggers::StoredTrigger;
use crate::types::store::{self, Column, StoreMode, Stored};
use crate::types::{Batch, Kind, Value, load};
use crate::variables::SqlMode;

/// Why a column that takes no NULL has none yet: a trigger may give it a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// NULL was given.
    Given,
    /// Nothing was given, and it has no default.
    Missing,
}

/// NULLs that are judged when the triggers before the change have run.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    /// Such triggers are there.
    pub on: bool,
    columns: Vec<(usize, Lack)>,
}

impl Pending {
    /// Of the next row.
    pub fn clear(&mut self) {
        self.columns.clear();
    }

    /// A column has a value.
    pub fn settle(&mut self, column: usize) {
        if !self.columns.is_empty() {
            self.columns.retain(|(c, _)| *c != column);
        }
    }

    /// A column has none.
    pub fn add(&mut self, column: usize, lack: Lack) {
        self.settle(column);
        self.columns.push((column, lack));
    }

    /// Whether a column has none.
    pub fn has(&self, column: usize) -> bool {
        self.columns.iter().any(|(c, _)| *c == column)
    }
}

impl Target {
    /// Whether triggers of this event are there.
    pub(super) fn has_triggers(&self, event: TriggerEvent, after: bool) -> bool {
        self.schema.triggers.as_ref().is_some_and(|t| t.of(event, after).next().is_some())
    }

    /// Whether columns may hold NULLs until the row is whole: triggers before INSERT or UPDATE are there.
    pub(super) fn judges_nulls(&self) -> bool {
        self.schema.triggers.as_ref().is_some_and(|t| t.judge_nulls())
    }

    /// NULLs wait for the triggers before this event, if there are any.
    pub(super) fn defer_nulls(&mut self, event: TriggerEvent) {
        if self.schema.triggers.is_some() {
            self.pending.on = match event {
                TriggerEvent::Insert => self.judges_nulls(),
                _ => self.has_triggers(event, false),
            };
            self.pending.clear();
        }
    }

    /// Runs the triggers before an event, and judges the NULLs that are left; `alone` is an error for them whatever the mode.
    ///
    /// # Errors
    /// Those of the triggers; 1048, 1364.
    pub(super) fn before(
        &mut self,
        event: TriggerEvent,
        mut alone: bool,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        if self.schema.triggers.is_none() {
            return Ok(());
        }
        self.fire(event, false, ctx)?;
        if self.wrote && !ctx.sql_mode.has(SqlMode::STRICT_ALL_TABLES) {
            ctx.set_strict(false);
        }
        let mut pending = std::mem::take(&mut self.pending.columns);
        pending.sort_unstable_by_key(|(column, _)| *column);
        let schema = Arc::clone(&self.schema);
        for (column, lack) in pending {
            let to = &schema.columns[column];
            if to.ty.kind == Kind::Timestamp {
                let mut now = Vec::new();
                store::put_now(to, &mut now, ctx);
                self.new.set(column, &now);
                continue;
            }
            if schema.auto == Some(column) && event == TriggerEvent::Insert {
                continue;
            }
            match lack {
                Lack::Missing => {
                    // as in MariaDB: NULLs behind it are warned of alone
                    alone = false;
                    ctx.warnings.warn(ER_NO_DEFAULT_FOR_FIELD, &[&to.name]);
                }
                Lack::Given if alone => return Err(SqlError::new(ER_BAD_NULL_ERROR, &[&to.name])),
                Lack::Given => ctx.warnings.warn(ER_BAD_NULL_ERROR, &[&to.name]),
            }
            ctx.check_failed()?;
        }
        ctx.check_failed()
    }

    /// Runs the triggers after an event.
    ///
    /// # Errors
    /// Those of the triggers.
    #[inline]
    pub(super) fn after(&mut self, event: TriggerEvent, ctx: &mut EvalContext) -> SqlResult<()> {
        match self.schema.triggers {
            Some(_) => self.fire(event, true, ctx),
            None => Ok(()),
        }
    }

    /// Runs the triggers of an event, one after the other; each sees what the one before made of the row.
    pub(super) fn fire(&mut self, event: TriggerEvent, after: bool, ctx: &mut EvalContext) -> SqlResult<()> {
        let Some(triggers) = self.schema.triggers.clone() else { return Ok(()) };
        for trigger in triggers.of(event, after) {
            if event != TriggerEvent::Delete {
                if !after {
                    self.compute(&[], ctx)?;
                }
                self.complete_new(ctx)?;
            }
            if event != TriggerEvent::Insert {
                self.complete_old(ctx)?;
            }
            ctx.calls.wrote = false;
            self.run_trigger(trigger, event != TriggerEvent::Delete && !after, ctx)?;
            self.wrote |= ctx.calls.wrote;
        }
        Ok(())
    }

    fn run_trigger(
        &mut self,
        trigger: &Arc<StoredTrigger>,
        assigns: bool,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let create = trigger.create.as_ref().map_err(Clone::clone)?;
        let fields = &trigger.fields;
        let known = super::prelock::must_publish(ctx, &create.program);
        if known.unwrap_or_else(|| *trigger.reads.get_or_init(|| may_read(trigger))) {
            self.publish()?;
        }
        let schema = Arc::clone(&self.schema);
        let mut given = Vec::with_capacity(fields.len());
        for f in fields {
            let row = if f.new { &self.new } else { &self.old };
            let to = &schema.columns[f.column];
            let value = match f.new && self.pending.has(f.column) {
                true => Value::Null,
                false => load::value(row.as_view().column(f.column), &to.ty, ctx),
            };
            given.push(value);
        }
        let mut values = Vec::new();
        within_host(ctx, |session| {
            values =
                session.run_trigger(&self.table, &schema.columns, trigger, std::mem::take(&mut given))?;
            Ok(())
        })?;
        for (f, value) in fields.iter().zip(values) {
            if let Some(value) = value.filter(|_| assigns && f.new) {
                self.assign(f.column, &value, &schema.columns[f.column], ctx)?;
            }
        }
        Ok(())
    }

    /// Columns of `batch`, which has `new` from its beginning, that wait for the triggers are NULL.
    pub(super) fn show_nulls(&self, batch: &mut Batch) {
        for (column, _) in &self.pending.columns {
            let v = &mut batch.columns[*column];
            v.reset(self.schema.columns[*column].ty.class());
            v.push_null();
        }
    }

    /// Takes a value over that a trigger gave a column of NEW; it is of the column's type.
    fn assign(&mut self, column: usize, value: &Value, to: &Column, ctx: &mut EvalContext) -> SqlResult<()> {
        if self.schema.rules.as_ref().is_some_and(|r| r.is_generated(column)) {
            return Ok(());
        }
        self.pending.settle(column);
        if value.is_null() {
            if !to.not_null {
                self.new.set_null(column);
                return Ok(());
            }
            self.pending.add(column, Lack::Given);
            self.set_zero(column);
            return Ok(());
        }
        self.explicit_auto_increment |= self.schema.auto == Some(column);
        if load::value(self.new.as_view().column(column), &to.ty, ctx) == *value {
            return Ok(());
        }
        let mut bytes = Vec::new();
        // the trigger has converted it by its own `sql_mode`: what that lets through nobody refuses here
        let mark = ctx.mark();
        let stored = store::store(value.as_ref(), &to.ty, to, StoreMode::Lenient, &mut bytes, ctx);
        ctx.rollback_to(&mark);
        if let Stored::Value = stored? {
            self.new.set(column, &bytes);
        }
        Ok(())
    }

    /// Stored functions that read tables are called (or not): row by row, and each call finds the rows before.
    pub(super) fn show_to_functions(&mut self, read: bool, ctx: &mut EvalContext) {
        self.shown = read;
        ctx.statement.by_row |= read;
    }

    /// A row is done: stored functions find it, where some read tables.
    ///
    /// # Errors
    /// Those of writing the journal.
    #[inline]
    pub(super) fn show_row(&mut self) -> SqlResult<()> {
        if self.shown { self.publish() } else { Ok(()) }
    }

    /// Lets others see what the statement has changed so far: a trigger that looks at the table finds its rows.
    fn publish(&mut self) -> SqlResult<()> {
        if self.children.is_some() {
            return Ok(());
        }
        if let Err(e) = self.writer.end_waiting(&|| false) {
            return Err(self.error(&e));
        }
        let held = self.writer.store_mut();
        if held.get().is_dirty() {
            let lsn = held.get_mut().commit_unless(&|| false);
            self.published = Some(lsn.map_err(|e| from_pages(&e, &self.table.name))?);
        }
        Ok(())
    }
}

/// Whether a trigger may look at tables.
fn may_read(trigger: &StoredTrigger) -> bool {
    let Ok(create) = &trigger.create else { return false };
    create.program.code.iter().any(|i| match i {
        Instruction::Statement(s) => !matches!(&**s, Statement::Set(_)),
        Instruction::Set(_, e) | Instruction::Operand(_, e, _) | Instruction::JumpUnless(e, ..) => looks(e),
        Instruction::Open(..) => true,
        _ => false,
    })
}

/// Whether an expression may look at tables: it has a subquery, or calls a function that is none of ours.
fn looks(e: &Expr) -> bool {
    fn calls(e: &Expr) -> bool {
        let mut found = matches!(&e.kind, ExprKind::Function(f) if f.db.is_some() || crate::func::find(&f.name).is_none());
        e.kind.for_children(&mut |c| found = found || calls(c));
        found
    }
    has_subquery(e) || calls(e)
}

/// Does something in the session that functions and triggers have, with this context.
fn within_host(ctx: &mut EvalContext, mut work: impl FnMut(&mut Session) -> SqlResult<()>) -> SqlResult<()> {
    let Some(mut host) = ctx.host.take() else {
        return Err(SqlError::internal("a trigger without a session"));
    };
    let done = host.within(ctx, &mut |session| match session.downcast_mut::<Session>() {
        Some(session) => work(session),
        None => Err(SqlError::internal("triggers have a host of another kind")),
    });
    ctx.host = Some(host);
    done
}
