//! Names of the columns of common table expressions.

use super::{Body, LimitPlan, QueryPlan, SetPlan};
use crate::ast;
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
