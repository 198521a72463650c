//! The tables and routines that a statement or a program names.

use crate::ast::program::{Instruction, Program};
use crate::ast::{
    Assignment, CommonTable, DeleteTarget, ExplainTarget, Expr, ExprKind, InsertSource, JoinCondition, Limit,
    Name, OrderItem, Query, QueryTerm, Select, SelectItem, SetItem, Statement, TableFactor, TableName,
    TableRef,
};

/// Common tables may name each other twice and twice again: beyond this many tables nobody counts.
const MAX_TABLES: usize = 10_000;

/// A table as it is named.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableUse {
    pub name: TableName,
    /// What the rest of the statement calls it.
    pub alias: Name,
    /// Its rows may be changed.
    pub write: bool,
}

/// A table of WITH.
struct Common<'a> {
    table: &'a CommonTable,
    /// Its query is being looked at: its name stands for itself there.
    open: bool,
    /// It named itself: its rows are made once, however often it is named.
    recursive: bool,
}

/// What a statement names, in the order it is written; a table of WITH counts each time it is named.
#[derive(Default)]
pub(crate) struct Uses<'a> {
    pub tables: Vec<TableUse>,
    /// Functions (true) and procedures: database, name.
    pub routines: Vec<(bool, Option<&'a Name>, &'a Name)>,
    /// A name that two tables of one FROM have.
    pub ambiguous: Option<&'a str>,
    /// The tables of WITH around, the inner ones last.
    common: Vec<Common<'a>>,
}

impl<'a> Uses<'a> {
    pub fn of(statement: &'a Statement) -> Uses<'a> {
        let mut uses = Uses::default();
        uses.statement(statement);
        uses
    }

    /// What one instruction of a program uses.
    pub fn of_instruction(i: &'a Instruction) -> Uses<'a> {
        let mut uses = Uses::default();
        match i {
            Instruction::Statement(s) => uses.statement(s),
            Instruction::Set(_, e)
            | Instruction::Operand(_, e, _)
            | Instruction::JumpUnless(e, ..)
            | Instruction::Return(e) => uses.expr(e),
            Instruction::Open(_, args) => uses.exprs(args),
            _ => {}
        }
        uses
    }

    /// What a query uses: that of a view, or of a cursor.
    pub fn of_query(q: &'a Query) -> Uses<'a> {
        let mut uses = Uses::default();
        uses.query(q);
        uses
    }

    fn statement(&mut self, s: &'a Statement) {
        match s {
            Statement::Insert(i) => {
                self.target(&i.table, &i.table.name);
                match &i.source {
                    InsertSource::Values(rows) => rows.iter().for_each(|r| self.exprs(r)),
                    InsertSource::Rows(r) => r.exprs.iter().for_each(|e| self.expr(&e.expr)),
                    InsertSource::Query(q) => self.query(q),
                }
                self.assignments(&i.on_duplicate);
                self.items(&i.returning);
            }
            Statement::Update(u) => {
                u.tables.iter().for_each(|t| self.table(t, true));
                self.assignments(&u.assignments);
                self.exprs(&u.filter);
                self.ends(&u.order_by, u.limit.as_deref());
            }
            Statement::Delete(d) => {
                match &d.target {
                    DeleteTarget::Single(t) => self.target(&t.name, t.shown_name()),
                    DeleteTarget::Multi { from, .. } => from.iter().for_each(|t| self.table(t, true)),
                }
                self.exprs(&d.filter);
                self.ends(&d.order_by, d.limit.as_deref());
                self.items(&d.returning);
            }
            Statement::LoadData(l) => {
                self.target(&l.table, &l.table.name);
                self.assignments(&l.assignments);
            }
            Statement::Select(q) => self.query(q),
            Statement::Set(items) => items.iter().for_each(|i| match i {
                SetItem::User(_, e) | SetItem::Local(_, e) | SetItem::System(_, Some(e)) => self.expr(e),
                _ => {}
            }),
            Statement::Call(name, args) => {
                self.routines.push((false, name.db.as_ref(), &name.name));
                self.exprs(args);
            }
            Statement::Do(list) => self.exprs(list),
            Statement::CreateTable(c) => {
                if !c.temporary {
                    self.target(&c.name, &c.name.name);
                }
                c.query.iter().for_each(|q| self.query(q));
            }
            Statement::SetStatement(_, s) => self.statement(s),
            Statement::Explain(e) => {
                if let ExplainTarget::Statement(s, _) = &e.target {
                    self.statement(s);
                }
            }
            _ => {}
        }
    }

    fn target(&mut self, name: &TableName, alias: &str) {
        self.tables.push(TableUse { name: name.clone(), alias: alias.into(), write: true });
    }

    fn assignments(&mut self, list: &'a [Assignment]) {
        list.iter().for_each(|a| self.expr(&a.value));
    }

    fn items(&mut self, list: &'a [SelectItem]) {
        for item in list {
            if let SelectItem::Expr { expr, .. } = item {
                self.expr(expr);
            }
        }
    }

    fn exprs(&mut self, list: impl IntoIterator<Item = &'a Expr>) {
        list.into_iter().for_each(|e| self.expr(e));
    }

    fn ends(&mut self, order_by: &'a [OrderItem], limit: Option<&'a Limit>) {
        order_by.iter().for_each(|o| self.expr(&o.expr));
        if let Some(limit) = limit {
            self.exprs(limit.offset.iter().chain(&limit.count));
        }
    }

    fn query(&mut self, q: &'a Query) {
        let around = self.common.len();
        self.common.extend(q.with.iter().flat_map(|w| &w.tables).map(|table| Common {
            table,
            open: false,
            recursive: false,
        }));
        self.term(&q.first);
        q.rest.iter().for_each(|(_, t)| self.term(t));
        self.ends(&q.order_by, q.limit.as_deref());
        self.common.truncate(around);
    }

    fn term(&mut self, t: &'a QueryTerm) {
        match t {
            QueryTerm::Select(s) => self.select(s),
            QueryTerm::Nested(q) => self.query(q),
            QueryTerm::Values(rows) => rows.iter().for_each(|r| self.exprs(r)),
        }
    }

    fn select(&mut self, s: &'a Select) {
        let mut names = Vec::new();
        s.from.iter().for_each(|t| add_names(t, &mut names));
        names.sort_unstable();
        self.ambiguous = self.ambiguous.or(names.windows(2).find(|w| w[0] == w[1]).map(|w| w[0].1));
        s.from.iter().for_each(|t| self.table(t, false));
        self.items(&s.items);
        self.exprs(s.filter.iter().chain(&s.having));
        s.group_by.iter().for_each(|o| self.expr(&o.expr));
    }

    fn table(&mut self, t: &'a TableRef, write: bool) {
        match t {
            TableRef::Table(t) => self.named(t, write),
            TableRef::Derived(d) => self.query(&d.query),
            TableRef::JsonTable(j) => self.expr(&j.expr),
            TableRef::Nested(list) => list.iter().for_each(|t| self.table(t, write)),
            TableRef::Join(j) => {
                self.table(&j.left, write);
                self.table(&j.right, write);
                if let JoinCondition::On(e) = &j.condition {
                    self.expr(e);
                }
            }
        }
    }

    /// A table, or what a table of WITH that has this name uses.
    fn named(&mut self, t: &'a TableFactor, write: bool) {
        let is = |c: &Common<'_>| c.table.name.eq_ignore_ascii_case(&t.name.name);
        let found = self.common.iter().rposition(is).filter(|_| t.name.db.is_none());
        let Some(at) = found else {
            if self.tables.len() < MAX_TABLES {
                self.tables.push(TableUse { name: t.name.clone(), alias: t.shown_name().into(), write });
            }
            return;
        };
        let common = &mut self.common[at];
        common.recursive |= common.open;
        if common.open || common.recursive || self.tables.len() >= MAX_TABLES {
            return;
        }
        common.open = true;
        let table = common.table;
        self.query(&table.query);
        self.common[at].open = false;
    }

    fn expr(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::Function(f) if f.db.is_some() || crate::func::find(&f.name).is_none() => {
                self.routines.push((true, f.db.as_ref(), &f.name));
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

/// The names that the tables of a FROM go by.
fn add_names<'a>(t: &'a TableRef, to: &mut Vec<(Option<&'a Name>, &'a str)>) {
    match t {
        TableRef::Table(t) => to.push((t.name.db.as_ref().filter(|_| t.alias.is_none()), t.shown_name())),
        TableRef::Derived(d) => to.push((None, &d.alias)),
        TableRef::JsonTable(_) => {}
        TableRef::Nested(list) => list.iter().for_each(|t| add_names(t, to)),
        TableRef::Join(j) => {
            add_names(&j.left, to);
            add_names(&j.right, to);
        }
    }
}

/// What the instructions and the queries of cursors of a program use, each for itself.
pub(crate) fn of_program(program: &Program) -> impl Iterator<Item = (Option<&Instruction>, Uses<'_>)> {
    let cursors = program.cursors.iter().map(|c| (None, Uses::of_query(&c.query)));
    program.code.iter().map(|i| (Some(i), Uses::of_instruction(i))).chain(cursors)
}
