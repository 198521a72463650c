//! Names of common table expressions: of their columns, and where they are read.

use super::{Body, LimitPlan, QueryPlan, SetPlan};
use crate::ast::{self, Query, QueryTerm};
use crate::error::{SqlError, SqlResult};
use crate::result::{ColumnMeta, ResultSchema};
use std::sync::Arc;

/// The query with the names that WITH gives its columns.
pub(super) fn renamed(plan: Arc<QueryPlan>, names: &[ast::Name]) -> SqlResult<Arc<QueryPlan>> {
    if names.len() != plan.types.len() {
        return Err(SqlError::new(crate::error::ER_WITH_COL_WRONG_LIST, &[]));
    }
    let names: Vec<String> = names.iter().map(|n| n.to_string()).collect();
    let columns = plan
        .schema
        .columns
        .iter()
        .zip(&names)
        .map(|(c, n)| ColumnMeta { name: n.clone(), ..c.clone() })
        .collect();
    let (types, tables, cacheable) = (plan.types.clone(), plan.tables.clone(), plan.cacheable);
    let views = plan.views;
    Ok(Arc::new(QueryPlan {
        schema: Arc::new(ResultSchema { columns, names: plan.schema.names, ..ResultSchema::default() }),
        types,
        names,
        body: Body::Set(Box::new(SetPlan {
            terms: vec![(None, plan)],
            order: Vec::new(),
            limit: LimitPlan::default(),
            counts: false,
        })),
        subqueries: Vec::new(),
        tables,
        views,
        cacheable,
        calc_found_rows: false,
    }))
}

/// Whether a table of this name is read anywhere in FROM.
pub(super) fn mentions(query: &Query, name: &str) -> bool {
    fn table(r: &ast::TableRef, name: &str) -> bool {
        match r {
            ast::TableRef::Table(t) => t.name.db.is_none() && t.name.name.eq_ignore_ascii_case(name),
            ast::TableRef::Derived(d) => mentions(&d.query, name),
            ast::TableRef::Join(j) => table(&j.left, name) || table(&j.right, name),
            ast::TableRef::Nested(l) => l.iter().any(|r| table(r, name)),
            ast::TableRef::JsonTable(_) => false,
        }
    }
    let term = |t: &QueryTerm| match t {
        QueryTerm::Select(s) => s.from.iter().any(|r| table(r, name)),
        QueryTerm::Nested(q) => mentions(q, name),
        QueryTerm::Values(_) => false,
    };
    term(&query.first) || query.rest.iter().any(|(_, t)| term(t))
}
