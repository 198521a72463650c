//! What a statement that changes rows needs to know of the views among its tables.

use std::sync::Arc;

use super::QueryPlan;
use super::access::has_subquery;
use super::scope::{MergedView, Names};
use crate::catalog::view::{CheckOption, StoredView};
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::Expr;
use crate::table::OpenTable;

/// A view that a statement which changes rows names, merged into it.
pub struct ChangedView {
    /// The view.
    pub view: Arc<StoredView>,
    /// The name it goes by.
    pub alias: String,
    /// Its columns: name, and the table and column that it is, where it is nothing else.
    pub columns: Vec<(String, Option<(usize, usize)>)>,
    /// The tables that each of its columns is computed from, as bits.
    pub uses: Vec<u64>,
    /// The numbers of the tables below it that have rows.
    pub tables: Vec<usize>,
    /// What its CHECK OPTION asks of new rows.
    conditions: Vec<Expr>,
}

/// What a view asks of the rows that are written through it.
pub struct ViewCheck {
    /// The view.
    pub view: Arc<StoredView>,
    /// The condition; slots are the numbers of the table's columns.
    pub condition: Expr,
    /// Its subqueries, where it has any.
    pub subqueries: Option<Arc<QueryPlan>>,
}

impl ViewCheck {
    /// The tables that it reads beside the row.
    pub fn tables(&self) -> &[Arc<OpenTable>] {
        self.subqueries.as_ref().map_or(&[], |s| &s.tables)
    }
}

impl ChangedView {
    /// What CHECK OPTION asks of new rows of table `n`; `rows` is the query that the view was bound for.
    ///
    /// # Errors
    /// 1235 where it asks for columns of other tables of the view, too.
    pub fn check(&self, n: usize, rows: &QueryPlan) -> SqlResult<Option<ViewCheck>> {
        let mut list = Vec::new();
        for c in &self.conditions {
            let mut c = c.clone();
            if c.tables() & !(1 << n) != 0 {
                return Err(SqlError::not_supported("CHECK OPTION that reads several tables of a view"));
            }
            c.columns_mut(&mut |c| c.slot = c.column);
            list.push(c);
        }
        let Some(condition) = super::from::conjunction(list) else { return Ok(None) };
        let subqueries = has_subquery(&condition).then(|| {
            let (subqueries, tables) = (rows.subqueries.clone(), rows.tables.clone());
            Arc::new(QueryPlan { subqueries, tables, ..QueryPlan::without_rows() })
        });
        Ok(Some(ViewCheck { view: Arc::clone(&self.view), condition, subqueries }))
    }

    /// 1369.
    pub fn failed(view: &StoredView) -> SqlError {
        SqlError::new(codes::ER_VIEW_CHECK_FAILED, &[&view.db, &view.name])
    }
}

/// The views that a statement names, once its tables are bound.
pub(super) fn all(names: &Names) -> Vec<ChangedView> {
    let mut all = Vec::new();
    for (number, t) in names.tables.iter().enumerate() {
        let (false, Some(merged)) = (t.view.hidden, &t.view.merged) else { continue };
        // rows are changed through views alone
        let Some(view) = &merged.view else { continue };
        let place = |e: &Expr| e.as_column().map(|c| (c.table as usize, c.column as usize));
        let columns = t.columns.iter().zip(&merged.exprs).map(|(c, e)| (c.0.clone(), place(e)));
        let below = merged.first..number;
        let tables = below.filter(|n| names.tables[*n].view.merged.is_none()).collect();
        all.push(ChangedView {
            view: Arc::clone(view),
            alias: t.alias.clone(),
            columns: columns.collect(),
            uses: merged.exprs.iter().map(Expr::tables).collect(),
            tables,
            conditions: conditions(names, number, view, merged),
        });
    }
    all
}

fn conditions(names: &Names, number: usize, view: &StoredView, merged: &MergedView) -> Vec<Expr> {
    let mut list = match view.check_option() {
        CheckOption::None => return Vec::new(),
        CheckOption::Local | CheckOption::Cascaded => merged.asked.clone(),
    };
    if view.check_option() == CheckOption::Cascaded {
        let below = names.tables[merged.first..number].iter().filter_map(|t| t.view.merged.as_ref());
        below.for_each(|m| list.extend(m.asked.iter().cloned()));
    }
    list
}
