//! Triggers: their bodies run as functions do, with the columns of NEW and OLD as variables.

use std::sync::Arc;

use super::call::{Before, enter, run_program, trace};
use super::function::Host;
use super::locals::{Locals, resolve_all};
use super::store::Routine;
use crate::admin::bootstrap::Keep;
use crate::ast::DataAccess;
use crate::ast::program::{Mode, Variable};
use crate::error::{SqlError, SqlResult};
use crate::rights::privilege::{SELECT, TRIGGER, UPDATE};
use crate::session::Session;
use crate::table::OpenTable;
use crate::table::triggers::{RowField, StoredTrigger};
use crate::types::Value;
use crate::types::store::Column;
use crate::warning::Warnings;

impl Session {
    /// Makes the session that triggers run in, if there is none.
    pub(crate) fn make_host(&mut self) {
        let state = &self.state;
        self.ctx.host.get_or_insert_with(|| Box::new(Host::of(state)));
        super::function::sync(&mut self.ctx, &mut self.state);
    }

    /// Runs a trigger in this session, which is that of a host; gives the values of those of its fields that it has assigned.
    ///
    /// # Errors
    /// Those of the trigger.
    pub(crate) fn run_trigger(
        &mut self,
        table: &OpenTable,
        columns: &[Column],
        trigger: &Arc<StoredTrigger>,
        given: Vec<Value>,
    ) -> SqlResult<Vec<Option<Value>>> {
        let c = &mut self.ctx.connection;
        let connection = (c.found_rows, c.last_insert_id, c.last_insert_id_set);
        let row = self.ctx.row;
        // its list begins with what the statement has told so far
        let fresh = Warnings::beginning_with(&self.ctx.warnings);
        let rows = std::mem::take(&mut self.ctx.calls.rows);
        let around = std::mem::replace(&mut self.ctx.warnings, fresh);
        let floor = std::mem::replace(&mut self.ctx.calls.floor, self.ctx.calls.in_use.len());
        self.apply_settings();
        let outcome = self.trigger_body(table, columns, trigger, given);
        self.ctx.calls.rows = rows;
        self.ctx.calls.in_use.truncate(self.ctx.calls.floor);
        self.ctx.calls.floor = floor;
        let mut within = std::mem::replace(&mut self.ctx.warnings, around);
        if outcome.is_err() {
            within.forget_first(self.ctx.warnings.entries());
            // what a trigger that went well has to warn of is told to nobody
            self.ctx.warnings.tell_again(within.entries());
        }
        self.ctx.row = row;
        let c = &mut self.ctx.connection;
        (c.found_rows, c.last_insert_id, c.last_insert_id_set) = connection;
        outcome
    }

    fn trigger_body(
        &mut self,
        table: &OpenTable,
        columns: &[Column],
        trigger: &Arc<StoredTrigger>,
        given: Vec<Value>,
    ) -> SqlResult<Vec<Option<Value>>> {
        let create = trigger.create.as_ref().map_err(Clone::clone)?;
        let fields = &trigger.fields;
        let program = &create.program;
        let known = self.routines.of(program).trigger.clone();
        let routine = known.unwrap_or_else(|| Arc::new(routine_of(&table.db, trigger)));
        self.routines.of(program).trigger = Some(Arc::clone(&routine));
        let full = &routine.of_call().full;
        enter(self, &routine, full)?;
        if let Some(own) = self.ctx.calls.running.last_mut() {
            own.trigger = true;
            own.table = Some((Arc::clone(&table.db), Arc::clone(&table.name)));
        }
        let db: Arc<str> = Arc::clone(&table.db);
        let prepared = Before::of(self, &routine).and_then(|before| {
            match self.in_database(Some(Arc::clone(&db)), |s| locals_of(s, trigger, columns, fields)) {
                Ok(locals) => Ok((locals, before)),
                Err(e) => {
                    before.restore(self);
                    Err(e)
                }
            }
        });
        let (locals, before) = match prepared {
            Ok(found) => found,
            Err(e) => {
                self.ctx.calls.running.pop();
                return Err(e);
            }
        };
        let mut values = vec![Value::Null; locals.columns.len()];
        for (f, v) in fields.iter().zip(given) {
            values[f.slot] = v;
        }
        let allowed = self.may_run(table, fields);
        let around = std::mem::take(&mut self.ctx.calls.assigned);
        let mut sink = Keep::default();
        let result = allowed.and_then(|()| {
            self.in_database(Some(db), |s| run_program(s, program, (locals, None, None), values, &mut sink))
        });
        before.restore(self);
        self.ctx.calls.running.pop();
        let assigned = std::mem::replace(&mut self.ctx.calls.assigned, around);
        if result.is_err() {
            trace(self, full);
        }
        let mut outcome = result?;
        let take = |f: &RowField| {
            let set = assigned.iter().any(|slot| *slot as usize == f.slot);
            set.then(|| outcome.values.get_mut(f.slot).map(std::mem::take).unwrap_or(Value::Null))
        };
        Ok(fields.iter().map(take).collect())
    }
}

impl Session {
    /// What the definer of a trigger needs: TRIGGER, and privileges on the columns of its rows.
    fn may_run(&self, table: &OpenTable, fields: &[RowField]) -> SqlResult<()> {
        self.rights.need_table(&table.db, &table.name, TRIGGER)?;
        for f in fields {
            let bits = if f.read { SELECT } else { 0 } | if f.assigned { UPDATE } else { 0 };
            let name = &table.def().columns[f.column].name;
            self.rights.need_column(&table.db, &table.name, name, bits)?;
        }
        Ok(())
    }
}

impl Session {
    /// A column of NEW or OLD as an argument of CALL: what the definer of the trigger needs depends on the parameter as
    /// it is now.
    ///
    /// # Errors
    /// 1143.
    pub(super) fn may_pass(&self, slot: u32, mode: Mode) -> SqlResult<()> {
        let variables = self.statement.routine.as_ref().map(|p| &p.variables);
        let row = variables.and_then(|v| v.get(slot as usize)).and_then(Variable::row_column);
        let table = self.ctx.calls.running.last().and_then(|r| r.table.as_ref());
        let (Some((_, column, _)), Some((db, table))) = (row, table) else { return Ok(()) };
        let bits = match mode {
            Mode::In => SELECT,
            Mode::Out => UPDATE,
            Mode::InOut => SELECT | UPDATE,
        };
        self.rights.need_column(db, table, column, bits)
    }
}

/// What the run of any routine asks of it.
fn routine_of(db: &str, trigger: &StoredTrigger) -> Routine {
    let (user, host) = trigger.definer();
    let mut routine = Routine::new(
        (db.to_string(), trigger.name().to_string(), true),
        (user.to_string(), host.to_string()),
        0,
        Default::default(),
        trigger.sql_mode(),
        [trigger.client().name, trigger.connection().name, trigger.database().name],
    );
    routine.access = DataAccess::Modifies;
    routine
}

/// The types of the variables: of fields, those of their columns, which may be NULL while the trigger runs.
fn locals_of(
    session: &mut Session,
    trigger: &StoredTrigger,
    columns: &[Column],
    fields: &[RowField],
) -> SqlResult<Arc<Locals>> {
    let program = &trigger.create.as_ref().map_err(Clone::clone)?.program;
    if let Some(known) = &session.routines.of(program).locals {
        return Ok(Arc::clone(known));
    }
    let mut locals = resolve_all(session, program, trigger.database())?;
    for f in fields {
        let Some(place) = Arc::make_mut(&mut locals.columns).get_mut(f.slot) else {
            return Err(SqlError::internal("a field without a variable"));
        };
        let mut column = columns[f.column].clone();
        column.not_null = false;
        column.ty = column.ty.with_nullable(true);
        *place = Some(Arc::new(column));
    }
    let rows = Arc::make_mut(&mut locals.rows);
    rows.missing.extend_from_slice(&trigger.gone);
    rows.of_trigger.extend(fields.iter().map(|f| f.slot as u32));
    let locals = Arc::new(locals);
    session.routines.of(program).locals = Some(Arc::clone(&locals));
    Ok(locals)
}
