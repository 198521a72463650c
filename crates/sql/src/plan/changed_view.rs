//! What a statement that changes rows needs to know of the views among its tables.

use std::sync::Arc;

use super::access::has_subquery;
use super::scope::{MergedView, Names};
use crate::catalog::view::{CheckOption, StoredView};
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::Expr;

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
}

impl ChangedView {
    /// What CHECK OPTION asks of new rows of table `n`.
    ///
    /// # Errors
    /// 1235 where it asks other tables, too.
    pub fn check(&self, n: usize) -> SqlResult<Option<ViewCheck>> {
        let mut list = Vec::new();
        for c in &self.conditions {
            let mut c = c.clone();
            if has_subquery(&c) || c.tables() & !(1 << n) != 0 {
                return Err(SqlError::not_supported("CHECK OPTION that reads other tables"));
            }
            c.columns_mut(&mut |c| c.slot = c.column);
            list.push(c);
        }
        let condition = super::from::conjunction(list);
        Ok(condition.map(|condition| ViewCheck { view: Arc::clone(&self.view), condition }))
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
