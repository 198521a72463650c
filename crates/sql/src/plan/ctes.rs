//! Common table expressions: in sight of the queries behind them, merged into those or made first, with the names of their columns.

use super::from::{JoinTree, add_derived};
use super::query::plan_separate;
use super::scope::{CommonTable, Stack};
use super::{Body, LimitPlan, QueryPlan, SetPlan, derived, pushed};
use crate::ast;
use crate::error::{SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::result::{ColumnMeta, ResultSchema};
use std::sync::Arc;

/// Plans a common table expression, which is in sight from here on.
///
/// # Errors
/// Those of its query, 1060.
pub(super) fn bind(stack: &mut Stack<'_>, t: &ast::CommonTable, ctx: &mut EvalContext) -> SqlResult<()> {
    let plan = plan_separate(stack, &t.query, ctx)?;
    let plan = match &t.columns[..] {
        [] => plan,
        columns => renamed(plan, columns)?,
    };
    different(plan.names.iter())?;
    let query = Some((Arc::clone(&t.query), t.columns.clone()));
    stack.ctes.push(CommonTable { name: t.name.to_string(), plan, query });
    Ok(())
}

/// Columns of a table that is made have names of their own.
///
/// # Errors
/// 1060.
pub(super) fn different<'n>(names: impl Iterator<Item = &'n String> + Clone) -> SqlResult<()> {
    for (i, name) in names.clone().enumerate() {
        if names.clone().take(i).any(|other| other.eq_ignore_ascii_case(name)) {
            return Err(SqlError::new(crate::error::ER_DUP_FIELDNAME, &[name]));
        }
    }
    Ok(())
}

/// Binds a reference to the common table expression of this number.
///
/// # Errors
/// Those of its query.
pub(super) fn named(
    stack: &mut Stack<'_>,
    number: usize,
    alias: String,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<JoinTree> {
    let query = stack.ctes[number].query.clone();
    if let Some((query, columns)) = &query
        && columns.is_empty()
    {
        // it sees those before it
        let later = stack.ctes.split_off(number);
        let merged = derived::try_merge(stack, query, &alias, ctx, cacheable);
        stack.ctes.extend(later);
        if let Some(tree) = merged? {
            return Ok(tree);
        }
    }
    let plan = Arc::clone(&stack.ctes[number].plan);
    let tree = add_derived(stack, plan, alias, &[])?;
    if let Some((query, columns)) = query {
        pushed::note(stack, pushed::Text::Query(query, columns), number);
    }
    Ok(tree)
}

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
