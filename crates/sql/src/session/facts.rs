//! What a statement that is printed as it was optimized asks of its session.

use std::sync::Arc;

use super::Session;
use super::select::Planning;
use super::tables::Access;
use crate::ast::{self, Expr, ExprKind, Limit, Literal, Name, Query, Select, SelectItem, Span, TableRef};
use crate::error::SqlResult;
use crate::plan::optimized::{self, Facts};
use crate::plan::{Named, naming};
use crate::table::OpenTable;
use crate::types::{FieldType, Value};

/// A session and the text of its statement, as the rewriting asks them.
pub(crate) struct Asked<'a> {
    pub session: &'a mut Session,
    pub database: String,
    pub text: &'a [u8],
}

impl Asked<'_> {
    /// The rows that a query gives, `most` at most.
    fn read(&mut self, query: &Query, most: usize) -> SqlResult<Vec<Vec<Literal>>> {
        self.session.retry_if_stale(|session| {
            let plan = session.plan(query, b"")?;
            let rows = session
                .with_snapshot(&plan.tables, |session, exec| exec.collect(&plan, &mut session.ctx, most))?;
            let row = |r| {
                let value = |(c, ty): (usize, &FieldType)| optimized::literal(&rows.value(r, c), ty);
                plan.types.iter().enumerate().map(value).collect()
            };
            Ok((0..rows.len().min(most)).map(row).collect())
        })
    }
}

/// The query of all that a table has.
pub(crate) fn all_of(table: ast::TableName) -> Query {
    let mut query = query_of(table, &[], None, 1);
    if let ast::QueryTerm::Select(select) = &mut query.first {
        select.items = vec![SelectItem::Star];
    }
    query
}

/// A query of one table.
fn query_of(table: ast::TableName, columns: &[Name], filter: Option<Expr>, most: u64) -> Query {
    let made = |kind| Expr::new(kind, Span::default());
    let column = |name: &Name| {
        let name = ast::ColumnRef { db: None, table: None, name: name.clone() };
        SelectItem::Expr { expr: made(ExprKind::Column(Box::new(name))), alias: None, text: Span::default() }
    };
    let factor = ast::TableFactor {
        name: table,
        alias: None,
        partitions: Vec::new(),
        hints: Vec::new(),
        system_time: false,
    };
    let select = Select {
        items: columns.iter().map(column).collect(),
        from: vec![TableRef::Table(Box::new(factor))],
        filter,
        ..Select::default()
    };
    let count = Some(made(ExprKind::Literal(Literal::Int(most))));
    Query {
        first: ast::QueryTerm::Select(Box::new(select)),
        limit: Some(Box::new(Limit { count, ..Limit::default() })),
        ..Query::default()
    }
}

impl Facts for Asked<'_> {
    fn table(&mut self, name: &ast::TableName, alias: &str) -> SqlResult<Named> {
        let reader = self.session.take_reader();
        let (view, _) = self.session.split(self.text);
        let mut env = Planning::new(view, &reader, Access::Read);
        let found = crate::plan::PlanEnv::table(&mut env, name, alias, crate::plan::TableUse::Read);
        self.session.give_reader(reader);
        found
    }

    fn database(&self) -> &str {
        &self.database
    }

    fn item_name(&self, e: &Expr, text: Span) -> Name {
        naming::item_name(e, text.of(self.text), self.text, &self.session.ctx).into()
    }

    fn constant(&mut self, e: &Expr) -> Option<(Value, FieldType)> {
        let mark = self.session.ctx.warnings.mark();
        let found = self.session.settled(e);
        self.session.ctx.warnings.rollback_to(mark);
        found
    }

    fn variable(&self, slot: u32) -> Option<String> {
        self.session.statement.routine.as_ref()?.place_of(slot)
    }

    fn count(&mut self, open: &Arc<OpenTable>) -> u64 {
        let table = ast::TableName {
            db: Some((&*open.db).into()),
            name: (&*open.name).into(),
            span: Span::default(),
        };
        let first = open.def().columns.first().map(|c| Name::from(c.name.as_str()));
        let query = query_of(table, first.as_slice(), None, 2);
        self.read(&query, 2).map_or(u64::MAX, |rows| rows.len() as u64)
    }

    fn row(
        &mut self,
        table: &ast::TableName,
        columns: &[Name],
        filter: Option<Expr>,
    ) -> SqlResult<Option<Vec<Literal>>> {
        let query = query_of(table.clone(), columns, filter, 1);
        Ok(self.read(&query, 1)?.into_iter().next())
    }
}
