//! Plans of statements that change rows.

use std::sync::Arc;

use super::changed_view::ViewCheck;
use super::{Change, QueryPlan, ReturningList};
use crate::ast::{self, TriggerEvent};
use crate::catalog::view::StoredView;
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr};
use crate::table::OpenTable;
use crate::table::partition::routing::Routing;
use crate::table::rules::Rules;
use crate::table::triggers::Triggers;
use crate::types::FieldType;
use crate::types::casts::Casts;
use crate::types::store::Column;

/// What is known of a table for writing, whichever statement writes it.
pub(crate) struct WriteSchema {
    /// Its columns.
    pub columns: Vec<Column>,
    /// The AUTO_INCREMENT column.
    pub auto: Option<usize>,
    /// Generated columns, constraints and such.
    pub rules: Option<Arc<Rules>>,
    /// What a view that rows are written through asks of them.
    pub check: Option<Arc<ViewCheck>>,
    /// Its triggers.
    pub triggers: Option<Arc<Triggers>>,
    /// How rows find their partitions.
    pub routing: Option<Arc<Routing>>,
    /// The view that rows are inserted through.
    pub view: Option<Arc<StoredView>>,
}

impl WriteSchema {
    /// # Errors
    /// Those of compiling the expressions of its definition.
    pub fn new(table: &OpenTable, ctx: &mut EvalContext) -> SqlResult<WriteSchema> {
        Ok(WriteSchema {
            rules: table.rules(ctx)?,
            triggers: table.triggers.clone(),
            routing: table.routing(ctx)?,
            ..WriteSchema::without_rules(table)
        })
    }

    /// The tables that are read for what a view asks of the rows.
    pub fn checked_tables(&self) -> &[Arc<OpenTable>] {
        self.check.as_deref().map_or(&[], ViewCheck::tables)
    }

    /// Whether triggers of an event are there.
    pub fn fires_at(&self, event: TriggerEvent) -> bool {
        let fires = |t: &Triggers| t.of(event, false).chain(t.of(event, true)).next().is_some();
        self.triggers.as_deref().is_some_and(fires)
    }

    /// Whether a column is generated.
    pub fn is_generated(&self, column: usize) -> bool {
        self.rules.as_ref().is_some_and(|r| r.is_generated(column))
    }

    /// Of a table whose rows are not written.
    pub fn without_rules(table: &OpenTable) -> WriteSchema {
        let def = table.def();
        WriteSchema {
            columns: def.columns.iter().map(|c| Column::new(c, &table.db, &table.name)).collect(),
            auto: def.columns.iter().position(|c| c.auto_increment),
            rules: None,
            check: None,
            triggers: None,
            routing: None,
            view: None,
        }
    }
}

/// Where the values of a row come from.
pub(crate) enum Source {
    /// Bound expressions, row by row; `None` is DEFAULT.
    Exprs(Vec<Vec<Option<Expr>>>),
    /// Rows in the statement's text, and the values among them that are expressions.
    Text(ast::TextRows, Vec<Expr>),
    /// A query.
    Query(Arc<QueryPlan>),
}

impl Source {
    /// How many rows the statement has, if that is known before it runs.
    pub fn rows(&self) -> Option<u64> {
        match self {
            Source::Exprs(rows) => Some(rows.len() as u64),
            Source::Text(rows, _) => Some(rows.rows),
            Source::Query(_) => None,
        }
    }
}

/// An INSERT ready to run.
pub(crate) struct InsertPlan {
    pub table: Arc<OpenTable>,
    pub schema: Arc<WriteSchema>,
    /// Assignments that cannot be.
    pub casts: Casts,
    /// The types of the expressions among the values as they were bound; none when no address is among them.
    pub given: Vec<FieldType>,
    /// The columns given, in the order of the values.
    pub columns: Vec<usize>,
    /// The others.
    pub missing: Vec<usize>,
    pub source: Source,
    /// ON DUPLICATE KEY UPDATE.
    pub on_duplicate: Vec<(usize, Assigned)>,
    /// Holds the subqueries of expressions.
    pub holder: Arc<QueryPlan>,
    /// RETURNING.
    pub returning: Option<ReturningList>,
    /// The statement names its columns.
    pub named: bool,
    pub replace: bool,
    /// Values refer to columns of the row they are for, or RETURNING does.
    pub reads_row: bool,
    pub ignore: bool,
    /// Rows with a key that is there are left out without a word (DELAYED).
    pub skips_duplicates: bool,
    /// It calls stored functions that may read tables: they find the rows so far, as in the reference.
    pub functions_read: bool,
    pub cacheable: bool,
}

/// What a column is set to.
pub(crate) enum Assigned {
    /// An expression over the row.
    Expr(Expr),
    /// DEFAULT.
    Default,
}

/// An UPDATE ready to run.
pub(crate) struct UpdatePlan {
    pub change: Change,
    /// For each table of FROM what is set: column, value.
    pub sets: Vec<Vec<(usize, Assigned)>>,
    pub schemas: Vec<Option<Arc<WriteSchema>>>,
    /// Assignments that cannot be.
    pub casts: Casts,
    pub ignore: bool,
    pub single: bool,
    /// It calls stored functions that may read tables: they find what it has changed so far.
    pub functions_read: bool,
}

/// A DELETE ready to run.
pub(crate) struct DeletePlan {
    pub change: Change,
    /// The tables of FROM whose rows go.
    pub targets: Vec<(usize, Arc<WriteSchema>)>,
    /// Every row of one table goes.
    pub all: bool,
    /// It calls stored functions that may read tables: they find what it has deleted so far.
    pub functions_read: bool,
}

/// A bound statement that changes rows.
pub(crate) enum BoundChange {
    Insert(InsertPlan),
    Update(UpdatePlan),
    Delete(DeletePlan),
}
