//! HANDLER ... READ: what it shows and asks of rows is bound as a SELECT of its table; the way to the rows is the statement's own.

use std::sync::Arc;

use schema::definition::{ColumnDef, DefaultValue, TableDef, Visibility};

use super::query::{plan_nested, stack};
use super::{BlockPlan, Body, PlanEnv, QueryPlan};
use crate::ast::{
    self, Handler, IndexHint, IndexHintKind, Name, Query, QueryTerm, Select, SelectItem, TableRef,
};
use crate::bind::ExprBinder;
use crate::error::codes::ER_SUBQUERIES_NOT_SUPPORTED;
use crate::error::{
    ER_KEY_DOES_NOT_EXISTS, ER_NO_DEFAULT_FOR_FIELD, ER_TOO_MANY_KEY_PARTS, ER_WRONG_ARGUMENTS, SqlError,
    SqlResult,
};
use crate::expr::{EvalContext, Expr};
use crate::table::OpenTable;
use crate::types::store::Column;
use crate::types::{FieldType, Value, load};

/// What messages call the statement.
const NAME: &str = "HANDLER ... READ";

/// A READ that is bound.
pub struct HandlerPlan {
    /// The table.
    pub table: Arc<OpenTable>,
    /// Its columns, the condition and the limit, as if all rows were read.
    pub rows: Arc<QueryPlan>,
    /// The key, when it reads by one.
    pub key: Option<usize>,
    /// What leading parts of the key are compared with, and their columns.
    pub values: Vec<(Expr, Column)>,
}

impl HandlerPlan {
    /// The plan's one block.
    ///
    /// # Errors
    /// None: a SELECT of a table is a block.
    pub fn block(&self) -> SqlResult<&BlockPlan> {
        match &self.rows.body {
            Body::Block(b) => Ok(b),
            _ => Err(SqlError::internal("HANDLER without a block")),
        }
    }
}

/// Binds `HANDLER alias READ`.
///
/// # Errors
/// 1054 for columns that are not there, 1176 for such keys, 1070 for too many values, 1210 for values that are not constant,
/// 1970 for subqueries.
pub fn plan_read(
    read: &Handler,
    (alias, table): (&str, &Arc<OpenTable>),
    env: &mut dyn PlanEnv,
    ctx: &mut EvalContext,
) -> SqlResult<HandlerPlan> {
    let Handler::Read { index, how, filter, limit, .. } = read else {
        return Err(SqlError::internal("HANDLER that reads nothing"));
    };
    let tested = filter.iter().chain(match how {
        ast::HandlerRead::Key(_, list) => &list[..],
        _ => &[],
    });
    if tested.into_iter().any(has_subquery) {
        return Err(SqlError::new(ER_SUBQUERIES_NOT_SUPPORTED, &[&"HANDLER..READ"]));
    }
    let query = query_of(alias, table, filter.as_ref(), limit.as_ref());
    let mut stack = stack(env);
    let rows = plan_nested(&mut stack, &query, ctx)?;
    let Some(index) = index else {
        return Ok(HandlerPlan { table: Arc::clone(table), rows, key: None, values: Vec::new() });
    };
    let keys = &table.def().keys;
    let Some(key) = keys.iter().position(|k| k.name.eq_ignore_ascii_case(index)) else {
        return Err(SqlError::new(ER_KEY_DOES_NOT_EXISTS, &[index, &alias]));
    };
    let list: &[ast::Expr] = if let ast::HandlerRead::Key(_, list) = how { list } else { &[] };
    let parts = &table.keys()[key].segments;
    if list.len() > parts.len() {
        return Err(SqlError::new(ER_TOO_MANY_KEY_PARTS, &[&parts.len()]));
    }
    let mut values = Vec::with_capacity(list.len());
    for (e, part) in list.iter().zip(parts) {
        let def = &table.def().columns[part.column];
        let value = if e.kind == ast::ExprKind::Default(None) {
            default_of(def, ctx)
        } else {
            let mut b = ExprBinder::new(&mut stack, ctx);
            b.clause = NAME;
            b.allow_aggregates = false;
            b.bind(e)?
        };
        let mut constant = true;
        value.walk(&mut |e| constant &= e.as_column().is_none());
        if !constant {
            return Err(SqlError::new(ER_WRONG_ARGUMENTS, &[&NAME]));
        }
        values.push((value, Column::new(def, &table.db, &table.name)));
    }
    Ok(HandlerPlan { table: Arc::clone(table), rows, key: Some(key), values })
}

/// Whether a query stands in an expression.
fn has_subquery(e: &ast::Expr) -> bool {
    use ast::ExprKind as K;
    let mut found =
        matches!(e.kind, K::Subquery(_) | K::Exists(_) | K::InSubquery { .. } | K::Quantified { .. });
    e.kind.for_children(&mut |c| found = found || has_subquery(c));
    found
}

/// DEFAULT as a value: that of the column; zero, with a warning, where it has none.
fn default_of(def: &ColumnDef, ctx: &mut EvalContext) -> Expr {
    let ty = FieldType::from_column(def);
    match &def.default {
        DefaultValue::Value(bytes) => Expr::literal(load::value(Some(bytes), &ty, ctx), ty),
        DefaultValue::None if !def.nullable => {
            ctx.warnings.warn(ER_NO_DEFAULT_FOR_FIELD, &[&def.name]);
            Expr::literal(Value::Int(0), FieldType::bigint(false))
        }
        _ => Expr::literal(Value::Null, FieldType::null()),
    }
}

/// `SELECT * FROM table AS alias USE INDEX () WHERE ... LIMIT ...`, one row where no limit is said.
fn query_of(alias: &str, table: &OpenTable, filter: Option<&ast::Expr>, limit: Option<&ast::Limit>) -> Query {
    let hint = IndexHint { kind: IndexHintKind::Use, scope: None, indexes: Vec::new() };
    let factor = ast::TableFactor {
        name: ast::TableName {
            db: Some(Name::from(&*table.db)),
            name: Name::from(&*table.name),
            span: ast::Span::default(),
        },
        alias: Some(Name::from(alias)),
        partitions: Vec::new(),
        hints: vec![hint],
        system_time: false,
    };
    let hidden = table.def().columns.iter().any(|c| c.visibility != Visibility::Visible);
    let select = Select {
        items: if hidden { all_columns(table.def()) } else { vec![SelectItem::Star] },
        from: vec![TableRef::Table(Box::new(factor))],
        filter: filter.cloned(),
        ..Select::default()
    };
    let one = ast::Expr::new(ast::ExprKind::Literal(ast::Literal::Int(1)), ast::Span::default());
    let limit = limit.filter(|l| l.count.is_some()).cloned();
    let limit =
        limit.unwrap_or(ast::Limit { count: Some(one), offset: None, examined: None, with_ties: false });
    Query {
        first: QueryTerm::Select(Box::new(select)),
        limit: Some(Box::new(ast::Limit { examined: None, ..limit })),
        ..Query::default()
    }
}

/// The columns by name: those that `*` leaves out are shown as well.
fn all_columns(def: &TableDef) -> Vec<SelectItem> {
    let users =
        def.columns.iter().filter(|c| matches!(c.visibility, Visibility::Visible | Visibility::Invisible));
    let item = |c: &ColumnDef| {
        let name = ast::ColumnRef { db: None, table: None, name: Name::from(&*c.name) };
        let expr = ast::Expr::new(ast::ExprKind::Column(Box::new(name)), ast::Span::default());
        SelectItem::Expr { expr, alias: None, text: ast::Span::default() }
    };
    users.map(item).collect()
}
