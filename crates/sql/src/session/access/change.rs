//! What statements that change rows need.

use super::super::Session;
use crate::ast::{ColumnRef, Delete, DeleteTarget, Insert, TableFactor, TableName, TableRef, Update};
use crate::error::SqlResult;
use crate::rights::privilege::{DELETE, INSERT, SELECT, UPDATE};

/// The tables named in FROM, subqueries left out.
fn factors<'a>(list: &'a [TableRef], out: &mut Vec<&'a TableFactor>) {
    for r in list {
        match r {
            TableRef::Table(t) => out.push(t),
            TableRef::Join(j) => {
                factors(std::slice::from_ref(&j.left), out);
                factors(std::slice::from_ref(&j.right), out);
            }
            TableRef::Nested(list) => factors(list, out),
            TableRef::Derived(_) | TableRef::JsonTable(_) => {}
        }
    }
}

impl Session {
    pub(super) fn require_insert(&mut self, i: &Insert) -> SqlResult<()> {
        let replace = if i.replace { DELETE } else { 0 };
        let update = if i.on_duplicate.is_empty() { 0 } else { UPDATE };
        self.require_table(&i.table, INSERT | replace | update)
    }

    pub(super) fn require_update(&mut self, u: &Update) -> SqlResult<()> {
        if let [TableRef::Table(t)] = &u.tables[..] {
            return self.require_table(&t.name, UPDATE);
        }
        let mut tables = Vec::new();
        factors(&u.tables, &mut tables);
        for t in &tables {
            let (db, name) = self.table_path(&t.name)?;
            if !self.rights.has_any(&db, &name, UPDATE) {
                self.require_table(&t.name, SELECT)?;
            }
        }
        let mut changed = vec![false; tables.len()];
        for a in &u.assignments {
            if let Some(n) = self.owner_of(&tables, &a.column) {
                changed[n] = true;
            }
        }
        for (t, changed) in tables.iter().zip(changed) {
            self.require_table(&t.name, if changed { UPDATE } else { SELECT })?;
        }
        Ok(())
    }

    /// The table that a name of SET belongs to; `None` when it cannot be told, then binding tells what is wrong.
    fn owner_of(&mut self, tables: &[&TableFactor], c: &ColumnRef) -> Option<usize> {
        if let Some(table) = &c.table {
            return tables.iter().position(|t| t.shown_name() == &**table);
        }
        let mut has = |name: &TableName| -> Option<bool> {
            let (db, name) = self.table_path(name).ok()?;
            let open = match self.temporary(&db, &name) {
                Some(t) => t,
                None => self.engine.catalog.table(&db, &name, &|| self.waiter()).ok()?,
            };
            Some(open.def().columns.iter().any(|d| crate::names::same_name(&d.name, &c.name)))
        };
        tables.iter().position(|t| has(&t.name) == Some(true))
    }

    pub(super) fn require_delete(&mut self, d: &Delete) -> SqlResult<()> {
        let (targets, from) = match &d.target {
            DeleteTarget::Single(t) => return self.require_table(&t.name, DELETE),
            DeleteTarget::Multi { targets, from } => (targets, from),
        };
        // Even where it is the alias of a table whose database is named.
        if targets.iter().any(|t| t.db.is_none()) {
            self.current_database()?;
        }
        let mut tables = Vec::new();
        factors(from, &mut tables);
        for t in &tables {
            self.require_table(&t.name, SELECT)?;
        }
        for target in targets {
            if let Some(t) = tables.iter().find(|t| *t.shown_name() == *target.name) {
                self.require_table(&t.name, DELETE)?;
            }
        }
        Ok(())
    }
}
