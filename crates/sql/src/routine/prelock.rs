//! What triggers write, by themselves and by what they call.

use std::sync::Arc;

use crate::ast::program::{Instruction, Program};
use crate::ast::tables::{any_select, names_table, tables_of};
use crate::ast::{
    DeleteTarget, Expr, ExprKind, InsertSource, Query, SelectItem, SetItem, Statement, TableName, TableRef,
};
use crate::error::SqlResult;
use crate::session::Session;
use crate::table::OpenTable;

/// What the statements of a program use.
#[derive(Default)]
struct Uses {
    /// Tables that they change.
    written: Vec<TableName>,
    /// Functions (true) and procedures: database, name.
    routines: Vec<(bool, Option<String>, String)>,
}

impl Uses {
    fn program(&mut self, program: &Program) {
        for i in &program.code {
            match i {
                Instruction::Statement(s) => self.statement(s),
                Instruction::Set(_, e)
                | Instruction::Operand(_, e, _)
                | Instruction::JumpUnless(e, ..)
                | Instruction::Return(e) => {
                    self.expr(e);
                }
                _ => {}
            }
        }
        program.cursors.iter().for_each(|c| self.query(&c.query));
    }

    fn statement(&mut self, s: &Statement) {
        match s {
            Statement::Insert(i) => {
                self.written.push(i.table.clone());
                match &i.source {
                    InsertSource::Values(rows) => rows.iter().flatten().for_each(|e| self.expr(e)),
                    InsertSource::Rows(r) => r.exprs.iter().for_each(|e| self.expr(&e.expr)),
                    InsertSource::Query(q) => self.query(q),
                }
                i.on_duplicate.iter().for_each(|a| self.expr(&a.value));
            }
            Statement::Update(u) => {
                u.tables.iter().for_each(|t| self.tables(t));
                u.assignments.iter().for_each(|a| self.expr(&a.value));
                u.filter.iter().for_each(|e| self.expr(e));
            }
            Statement::Delete(d) => {
                match &d.target {
                    DeleteTarget::Single(t) => self.written.push(t.name.clone()),
                    DeleteTarget::Multi { from, .. } => from.iter().for_each(|t| self.tables(t)),
                }
                d.filter.iter().for_each(|e| self.expr(e));
            }
            Statement::Select(q) => self.query(q),
            Statement::Set(items) => items.iter().for_each(|i| match i {
                SetItem::User(_, e) | SetItem::Local(_, e) | SetItem::System(_, Some(e)) => self.expr(e),
                _ => {}
            }),
            Statement::Call(name, args) => {
                let db = name.db.as_deref().map(str::to_string);
                self.routines.push((false, db, name.name.to_string()));
                args.iter().for_each(|e| self.expr(e));
            }
            Statement::Do(list) => list.iter().for_each(|e| self.expr(e)),
            _ => {}
        }
    }

    fn tables(&mut self, t: &TableRef) {
        names_table(t, &|_| false, &mut |t| self.written.push(t.clone()));
    }

    fn query(&mut self, q: &Query) {
        any_select(q, &mut |s| {
            for item in &s.items {
                if let SelectItem::Expr { expr, .. } = item {
                    self.expr(expr);
                }
            }
            s.filter.iter().chain(&s.having).for_each(|e| self.expr(e));
            s.group_by.iter().for_each(|o| self.expr(&o.expr));
            false
        });
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Function(f) if f.db.is_some() || crate::func::find(&f.name).is_none() => {
                self.routines.push((true, f.db.as_deref().map(str::to_string), f.name.to_string()));
            }
            ExprKind::Subquery(q)
            | ExprKind::Exists(q)
            | ExprKind::InSubquery { query: q, .. }
            | ExprKind::Quantified { query: q, .. } => self.query(q),
            _ => {}
        }
        e.kind.for_children(&mut |c| self.expr(c));
    }
}

/// Programs yet to look at: their database, themselves.
type Programs = Vec<(Arc<str>, Arc<Program>)>;

fn add_triggers(table: &OpenTable, to: &mut Programs) {
    for t in table.triggers.iter().flat_map(|t| &t.list) {
        if let Ok(create) = &t.create {
            to.push((Arc::clone(&table.db), Arc::clone(&create.program)));
        }
    }
}

impl Session {
    /// The tables that the triggers of these write, and the triggers of those, but for the tables themselves. What cannot be
    /// found is left for the statement that uses it to complain of.
    ///
    /// # Errors
    /// Those of waits.
    pub(crate) fn written_by_triggers(
        &mut self,
        tables: &[Arc<OpenTable>],
    ) -> SqlResult<Vec<Arc<OpenTable>>> {
        let (mut found, mut open): (Vec<Arc<OpenTable>>, Programs) = (Vec::new(), Vec::new());
        tables.iter().for_each(|t| add_triggers(t, &mut open));
        let mut at = 0;
        while let Some((db, program)) = open.get(at).cloned() {
            at += 1;
            let mut uses = Uses::default();
            uses.program(&program);
            for (function, of, name) in uses.routines {
                let db: Arc<str> = of.map_or_else(|| Arc::clone(&db), Arc::from);
                let engine = Arc::clone(&self.engine);
                let Ok(Some(routine)) = engine.routines.find(&engine, &db, &name, function) else { continue };
                let Ok(program) = routine.program() else { continue };
                if !open.iter().any(|(_, known)| Arc::ptr_eq(known, &program)) {
                    open.push((db, program));
                }
            }
            let mut names = uses.written;
            while let Some(t) = names.pop() {
                let db: Arc<str> = t.db.as_deref().map_or_else(|| Arc::clone(&db), Arc::from);
                if self.temporary(&db, &t.name).is_some() {
                    continue;
                }
                if let Some(view) = self.engine.catalog.view(&db, &t.name, &|| self.waiter())? {
                    names.extend(tables_of(&view.query));
                    continue;
                }
                let Ok(table) = self.engine.catalog.table(&db, &t.name, &|| self.waiter()) else { continue };
                let same = |o: &Arc<OpenTable>| o.db == table.db && o.name == table.name;
                if tables.iter().any(same) || found.iter().any(same) || table.children().is_some() {
                    continue;
                }
                add_triggers(&table, &mut open);
                found.push(table);
            }
        }
        Ok(found)
    }
}
