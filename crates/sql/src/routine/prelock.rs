//! What triggers write, by themselves and by what they call.

use std::sync::Arc;

use super::uses::{self, Uses};
use crate::ast::program::{Instruction, Program};
use crate::ast::tables::tables_of;
use crate::ast::{InsertSource, Statement, TableName};
use crate::engine::Engine;
use crate::error::SqlResult;
use crate::session::Session;
use crate::table::OpenTable;
use crate::table::triggers::{OfTriggers, Programs, Reading};

/// Adds the programs of the routines that are used there; `db` is the database of names without one. Those that cannot be found are left
/// for the statement that calls them to complain of.
pub(crate) fn add_routines(engine: &Arc<Engine>, db: Option<&Arc<str>>, uses: &Uses<'_>, to: &mut Programs) {
    for (function, of, name) in &uses.routines {
        let Some(db) = of.map(|of| Arc::from(&**of)).or_else(|| db.cloned()) else { continue };
        let Ok(Some(routine)) = engine.routines.find(engine, &db, name, *function) else { continue };
        if let Ok(program) = routine.program() {
            add_program(db, program, to);
        }
    }
}

/// Adds a program that is not among them.
fn add_program(db: Arc<str>, program: Arc<Program>, to: &mut Programs) {
    if !to.iter().any(|(_, known)| Arc::ptr_eq(known, &program)) {
        to.push((db, program));
    }
}

/// Adds the triggers of a table.
pub(crate) fn add_triggers(table: &OpenTable, to: &mut Programs) {
    for t in table.triggers.iter().flat_map(|t| &t.list) {
        if let Ok(create) = &t.create {
            add_program(Arc::clone(&table.db), Arc::clone(&create.program), to);
        }
    }
}

/// What an instruction, or the query of a cursor, reads by itself, which uses so many tables.
fn reading_of(instruction: Option<&Instruction>, tables: usize) -> Reading {
    match instruction {
        None => Reading::Any,
        Some(Instruction::Statement(s)) => match &**s {
            Statement::Insert(i) if tables == 1 && !matches!(i.source, InsertSource::Query(..)) => {
                Reading::Nothing
            }
            Statement::Update(_) | Statement::Delete(_) if tables == 1 => Reading::Changed,
            Statement::Select(_) | Statement::Set(_) | Statement::Do(_) | Statement::Call(..)
                if tables == 0 =>
            {
                Reading::Nothing
            }
            _ => Reading::Any,
        },
        Some(_) if tables == 0 => Reading::Nothing,
        Some(_) => Reading::Any,
    }
}

/// Whether a program may read tables, by itself or by what it calls.
pub(super) fn may_read(program: &Program) -> bool {
    uses::of_program(program).any(|(_, uses)| !uses.tables.is_empty() || !uses.routines.is_empty())
}

impl Session {
    /// The tables that the triggers of these write, and the triggers of those, but for the tables themselves and those under them.
    /// What cannot be found is left for the statement that uses it to complain of.
    ///
    /// # Errors
    /// Those of waits.
    pub(crate) fn of_triggers(&mut self, tables: &[Arc<OpenTable>]) -> SqlResult<OfTriggers> {
        let (mut found, mut open): (Vec<Arc<OpenTable>>, Programs) = (Vec::new(), Vec::new());
        let mut reading = Reading::Nothing;
        tables.iter().for_each(|t| add_triggers(t, &mut open));
        let mut at = 0;
        while let Some((db, program)) = open.get(at).cloned() {
            at += 1;
            if !program.handlers.is_empty() {
                // who goes on after an error keeps what was done before it
                reading = reading.max(Reading::Changed);
            }
            let mut names: Vec<TableName> = Vec::new();
            for (instruction, uses) in uses::of_program(&program) {
                reading = reading.max(reading_of(instruction, uses.tables.len()));
                add_routines(&self.engine, Some(&db), &uses, &mut open);
                names.extend(uses.tables.into_iter().filter(|t| t.write).map(|t| t.name));
            }
            while let Some(t) = names.pop() {
                let db: Arc<str> = t.db.as_deref().map_or_else(|| Arc::clone(&db), Arc::from);
                if self.temporary(&db, &t.name).is_some() {
                    continue;
                }
                if let Some(view) = self.engine.catalog.view(&db, &t.name, &|| self.waiter())? {
                    reading = Reading::Any;
                    names.extend(tables_of(&view.query));
                    continue;
                }
                let Ok(table) = self.engine.catalog.table(&db, &t.name, &|| self.waiter()) else { continue };
                let same = |o: &Arc<OpenTable>| o.db == table.db && o.name == table.name;
                let own = tables.iter().any(|t| same(t) || t.named_children().iter().any(same));
                if table.children().is_some() {
                    reading = Reading::Any;
                }
                if own || found.iter().any(same) || table.children().is_some() {
                    continue;
                }
                add_triggers(&table, &mut open);
                found.push(table);
            }
        }
        Ok(OfTriggers { tables: found, reading, programs: open })
    }
}
