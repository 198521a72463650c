//! What the names of a prepared statement meant when it was prepared or run last: whether their definitions are others by now is
//! what `Com_stmt_reprepare` counts.

use std::sync::Arc;

use crate::ast::tables::{any_select, names_table, tables_of};
use crate::ast::{DeleteTarget, InsertSource, Query, Span, Statement, TableName, TableRef};
use crate::error::SqlResult;
use crate::result::Done;
use crate::session::Session;
use crate::session::cached::Meaning;
use crate::status::Counter;

/// Names of a statement up to which definitions are compared.
const MOST_NAMES: usize = 256;

/// The names of tables in a statement that reads or changes rows.
fn names_of(statement: &Statement) -> Vec<TableName> {
    let mut all = Vec::new();
    let query = |q: &Query, all: &mut Vec<TableName>| {
        any_select(q, &mut |s| {
            s.from.iter().for_each(|r| add(r, all));
            false
        });
    };
    fn add(r: &TableRef, all: &mut Vec<TableName>) {
        names_table(r, &|_| false, &mut |t| all.push(t.clone()));
    }
    match statement {
        Statement::Select(q) => query(q, &mut all),
        Statement::Insert(i) => {
            all.push(i.table.clone());
            if let InsertSource::Query(q) = &i.source {
                query(q, &mut all);
            }
        }
        Statement::Update(u) => u.tables.iter().for_each(|r| add(r, &mut all)),
        Statement::Delete(d) => match &d.target {
            DeleteTarget::Single(t) => all.push(t.name.clone()),
            DeleteTarget::Multi { from, .. } => from.iter().for_each(|r| add(r, &mut all)),
        },
        _ => {}
    }
    all
}

impl Session {
    /// What the names of a statement mean now, those below views among them.
    pub(super) fn meanings(&mut self, statement: &Statement) -> Vec<(TableName, Meaning)> {
        let mut open = names_of(statement);
        open.reverse();
        let mut all: Vec<(TableName, Meaning)> = Vec::new();
        while let Some(mut name) = open.pop() {
            let Ok((db, table)) = self.table_path(&name) else { continue };
            name = TableName { db: Some((&*db).into()), name: name.name, span: Span::default() };
            if all.len() >= MOST_NAMES || all.iter().any(|(n, _)| *n == name) {
                continue;
            }
            let meaning = match self.temporary(&db, &table) {
                Some(t) => Meaning::of(&t),
                None => match self.view_of(&name) {
                    Ok(Some(view)) => {
                        open.extend(tables_of(&view.query));
                        Meaning::View(view.def.timestamp.clone(), view.def.query.clone())
                    }
                    _ => {
                        let engine = Arc::clone(&self.engine);
                        let found = engine.catalog.table(&db, &table, &|| self.waiter());
                        found.map_or(Meaning::Nothing, |t| Meaning::of(&t))
                    }
                },
            };
            all.push((name, meaning));
        }
        all
    }

    /// EXECUTE of this statement, which is counted when its names mean something else than before.
    pub(super) fn run_as_meant(
        &mut self,
        id: u32,
        statement: &Statement,
        run: impl FnOnce(&mut Session) -> SqlResult<Done>,
    ) -> SqlResult<Done> {
        let now = self.meanings(statement);
        let there = !now.iter().any(|(_, meaning)| *meaning == Meaning::Nothing);
        let changed = there && self.statements.get(&id).is_some_and(|p| p.meant != now);
        let result = run(self);
        if changed {
            // one that cannot be bound any more is tried again the next time
            self.count(Counter::ComStmtReprepare);
            if result.is_ok()
                && let Some(p) = self.statements.get_mut(&id)
            {
                p.meant = now;
            }
        }
        result
    }
}
