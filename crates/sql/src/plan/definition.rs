//! The columns of tables that are made of a query's results.

use schema::definition::{ColumnDef, ColumnType, DefaultValue, TableDef, Visibility};

use super::temporary::LONGEST_VARCHAR;
use super::{Body, QueryPlan, Relation};
use crate::error::{self, SqlError, SqlResult};
use crate::names::{check_column_name, same_name};
use crate::types::definition::column_of;
use crate::types::{FieldType, Kind};

/// The columns of a view, as those of a table that is made of it: what is computed has a default.
///
/// # Errors
/// 1060, 1166.
pub(crate) fn view_columns(plan: &QueryPlan) -> SqlResult<Vec<ColumnDef>> {
    let mut def = TableDef::new("MyISAM", charset::system());
    add_columns(plan, &mut def)?;
    for (c, meta) in def.columns.iter_mut().zip(&plan.schema.columns) {
        if !c.nullable && c.default == DefaultValue::None && meta.org_table.is_empty() {
            c.default = DefaultValue::Value(schema::layout::zero_value(c).into());
        }
    }
    Ok(def.columns)
}

/// Adds the columns of the query; those that the statement spells out too keep their definition
/// but stand where the query has them. Gives the place of each column of the query.
pub(crate) fn add_columns(plan: &QueryPlan, def: &mut TableDef) -> SqlResult<Vec<usize>> {
    let mut written = std::mem::take(&mut def.columns);
    let mut of_query: Vec<ColumnDef> = Vec::with_capacity(plan.types.len());
    for (i, meta) in plan.schema.columns.iter().enumerate() {
        let name = &plan.names[i];
        check_column_name(name)?;
        if of_query.iter().any(|c| same_name(&c.name, name)) {
            return Err(SqlError::new(error::ER_DUP_FIELDNAME, &[name]));
        }
        if let Some(w) = written.iter().position(|c| same_name(&c.name, name)) {
            of_query.push(written.remove(w));
            continue;
        }
        if let Some(c) = extreme_of_column(plan, i) {
            of_query.push(copied(&ColumnDef { default: DefaultValue::Null, ..c.clone() }, name, true));
            continue;
        }
        let base = plan
            .tables
            .iter()
            .find(|t| !meta.org_name.is_empty() && *t.db == *meta.db && *t.name == *meta.org_table)
            .and_then(|t| t.def().columns.iter().find(|c| c.name == meta.org_name));
        of_query.push(match base {
            Some(c) => copied(c, name, plan.types[i].nullable),
            None if is_computed(plan, i) && plan.types[i].kind == Kind::Char => {
                // what is computed of CHAR values is VARCHAR; an empty text stays CHAR(0)
                let kind = if plan.types[i].length == 0 { Kind::Char } else { Kind::Varchar };
                column_of(name, &FieldType { kind, ..plan.types[i].clone() })
            }
            None => column_of(name, &plan.types[i]),
        });
        if let Some(c) = of_query.last_mut().filter(|c| base.is_none() && is_long(c) && is_made(plan, i)) {
            c.ty = ColumnType::Blob { length_bytes: 2 };
        }
    }
    let first = written.len();
    def.columns = written;
    def.columns.extend(of_query);
    Ok((0..plan.types.len()).map(|i| first + i).collect())
}

/// The column whose least or greatest value column `i` is.
fn extreme_of_column(plan: &QueryPlan, i: usize) -> Option<&ColumnDef> {
    use crate::ast::AggregateFunction as F;
    use crate::expr::Node;
    let Body::Block(block) = &plan.body else { return None };
    let n = match &block.output.get(i)?.node {
        Node::Aggregate(n) => *n,
        Node::Column(c) if c.table == u32::MAX => c.column,
        _ => return None,
    };
    let call = block.group.as_ref()?.aggregates.get(n as usize)?;
    if !matches!(call.function, F::Min | F::Max) {
        return None;
    }
    // words are compared as text
    let arg = match &call.args.first()?.node {
        Node::Convert(inner) => inner,
        _ => call.args.first()?,
    };
    let column = arg.as_column()?;
    let Relation::Base(open) = &block.tables.get(column.table as usize)?.relation else { return None };
    open.def().columns.get(column.column as usize)
}

/// Whether a VARCHAR holds more than what is computed may have: longer texts are TEXT.
fn is_long(c: &ColumnDef) -> bool {
    let ColumnType::Varchar { bytes } = c.ty else { return false };
    u32::from(bytes) > LONGEST_VARCHAR * u32::from(c.collation.charset.mbmaxlen)
}

/// Whether column `i` is computed, if need be in a derived table. What went through the table of a UNION is not.
fn is_made(plan: &QueryPlan, i: usize) -> bool {
    let Body::Block(block) = &plan.body else { return false };
    let Some(e) = block.output.get(i) else { return false };
    match e.as_column().filter(|c| c.table != u32::MAX) {
        None => true,
        Some(c) => match block.tables.get(c.table as usize).map(|t| &t.relation) {
            Some(Relation::Derived(inner)) => is_made(inner, c.column as usize),
            Some(Relation::Base(open)) => {
                let own = open.def().columns.get(c.column as usize).map(|d| d.collation);
                own.is_some_and(|own| !std::ptr::eq(own, e.ty.collation))
            }
            _ => false,
        },
    }
}

/// Whether column `i` is an expression of a single SELECT, and no column of its tables.
fn is_computed(plan: &QueryPlan, i: usize) -> bool {
    match &plan.body {
        Body::Block(block) => {
            block.output.get(i).is_some_and(|e| e.as_column().is_none_or(|c| c.table == u32::MAX))
        }
        _ => false,
    }
}

/// A column as that of another table.
fn copied(c: &ColumnDef, name: &str, nullable: bool) -> ColumnDef {
    let mut new = c.clone();
    new.name = name.to_string();
    if new.auto_increment {
        new.auto_increment = false;
        new.default = DefaultValue::Value(schema::layout::zero_value(&new).into());
    }
    if nullable && !new.nullable {
        new.nullable = true;
        if new.default == DefaultValue::None {
            new.default = DefaultValue::Null;
        }
    }
    if new.generated.take().is_some() && new.nullable && new.default == DefaultValue::None {
        new.default = DefaultValue::Null;
    }
    new.check = None;
    new.visibility = Visibility::Visible;
    new
}
