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
    for (i, c) in def.columns.iter_mut().enumerate() {
        match base_column(plan, i) {
            Some(of) if of.source != Source::Extreme => {
                let as_there = copied(of.column, &c.name, plan.types[i].nullable);
                c.default = as_there.default;
            }
            Some(_) => {}
            None if c.default == DefaultValue::None && !c.nullable || is_counted(plan, i) => {
                c.default = DefaultValue::Value(schema::layout::zero_value(c).into());
            }
            None => {}
        }
    }
    Ok(def.columns)
}

/// The columns of a row that a cursor finds, whatever their names.
///
/// # Errors
/// 1060.
pub(crate) fn cursor_columns(plan: &QueryPlan) -> SqlResult<Vec<ColumnDef>> {
    let mut columns: Vec<ColumnDef> = Vec::with_capacity(plan.types.len());
    for (i, name) in plan.names.iter().enumerate() {
        if columns.iter().any(|c| same_name(&c.name, name)) {
            return Err(SqlError::new(error::ER_DUP_FIELDNAME, &[name]));
        }
        columns.push(column_of_query(plan, i));
    }
    Ok(columns)
}

/// Adds the columns of the query; those that the statement spells out too keep their definition
/// but stand where the query has them. Gives the place of each column of the query.
pub(crate) fn add_columns(plan: &QueryPlan, def: &mut TableDef) -> SqlResult<Vec<usize>> {
    let mut written = std::mem::take(&mut def.columns);
    let mut of_query: Vec<ColumnDef> = Vec::with_capacity(plan.types.len());
    for (i, name) in plan.names.iter().enumerate() {
        check_column_name(name)?;
        if of_query.iter().any(|c| same_name(&c.name, name)) {
            return Err(SqlError::new(error::ER_DUP_FIELDNAME, &[name]));
        }
        if let Some(w) = written.iter().position(|c| same_name(&c.name, name)) {
            of_query.push(written.remove(w));
            continue;
        }
        of_query.push(column_of_query(plan, i));
    }
    let first = written.len();
    def.columns = written;
    def.columns.extend(of_query);
    Ok((0..plan.types.len()).map(|i| first + i).collect())
}

/// A column of a table made of the query's result.
fn column_of_query(plan: &QueryPlan, i: usize) -> ColumnDef {
    let (meta, name, ty) = (&plan.schema.columns[i], &plan.names[i], &plan.types[i]);
    if let Some(of) = base_column(plan, i) {
        return of.copied(name, ty.nullable);
    }
    if is_variable(plan, i) {
        return column_of(name, &of_variable(ty));
    }
    if is_stored_call(plan, i) {
        let words = matches!(ty.kind, Kind::Enum | Kind::Set);
        let kind = if words { Kind::Varchar } else { ty.kind };
        return column_of(name, &FieldType { kind, ..ty.clone() });
    }
    let mut column = match is_computed(plan, i) && ty.kind == Kind::Char {
        true => {
            // what is computed of CHAR values is VARCHAR; an empty text stays CHAR(0)
            let kind = if ty.length == 0 { Kind::Char } else { Kind::Varchar };
            column_of(name, &FieldType { kind, ..ty.clone() })
        }
        false => column_of(name, ty),
    };
    if ty.kind == Kind::LongBlob && meta.db.eq_ignore_ascii_case(crate::names::INFORMATION_SCHEMA) {
        // as it is declared there, however long its values may be
        column.ty = ColumnType::Blob { length_bytes: 4 };
    }
    if is_long(&column) && is_made(plan, i) {
        column.ty = ColumnType::Blob { length_bytes: 2 };
    }
    let of_table = !meta.merged && is_kept(plan, i) && !matches!(column.ty, ColumnType::Blob { .. });
    if !column.nullable && column.default == DefaultValue::None && of_table {
        column.default = DefaultValue::Value(schema::layout::zero_value(&column).into());
    }
    column
}

/// Where a column of a query has its definition from.
struct Origin<'p> {
    column: &'p ColumnDef,
    source: Source,
}

#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// It is the column of a table.
    Column,
    /// It is one of a merged view or subquery.
    Merged,
    /// It is the least or greatest value.
    Extreme,
}

impl Origin<'_> {
    /// The column of a table that is made of it. Where the rows of that one may lack a value, a column that must be given
    /// one still must; only columns of tables keep their default.
    fn copied(&self, name: &str, nullable: bool) -> ColumnDef {
        let c = self.column;
        let lacks =
            !c.nullable && c.default == DefaultValue::None && !c.auto_increment && c.generated.is_none();
        let nullable = nullable || self.source == Source::Extreme;
        let mut new = copied(c, name, nullable);
        if lacks {
            new.default = DefaultValue::None;
        } else if self.source != Source::Column {
            new.default = if new.nullable { DefaultValue::Null } else { DefaultValue::None };
        }
        new
    }
}

/// The column of a table that column `i` is or whose least or greatest value it is, if need be through subqueries in FROM.
fn base_column(plan: &QueryPlan, i: usize) -> Option<Origin<'_>> {
    if let Some(column) = extreme_of_column(plan, i) {
        return Some(Origin { column, source: Source::Extreme });
    }
    let meta = &plan.schema.columns[i];
    let source = if meta.merged { Source::Merged } else { Source::Column };
    let named = plan.tables.iter().find(|t| {
        !meta.merged && !meta.org_name.is_empty() && *t.db == *meta.db && *t.name == *meta.org_table
    });
    if let Some(column) = named.and_then(|t| t.def().columns.iter().find(|c| c.name == meta.org_name)) {
        return Some(Origin { column, source });
    }
    let Body::Block(block) = &plan.body else { return None };
    let e = block.output.get(i)?;
    let c = e.as_column().filter(|c| c.table != u32::MAX)?;
    let column = match &block.tables.get(c.table as usize)?.relation {
        // COLLATE makes another column of it
        Relation::Base(open) => {
            open.def().columns.get(c.column as usize).filter(|d| std::ptr::eq(d.collation, e.ty.collation))
        }
        Relation::Derived(inner) => {
            let of = base_column(inner, c.column as usize)?;
            let source = if of.source == Source::Column { source } else { of.source };
            return Some(Origin { source, ..of });
        }
        Relation::JsonTable(json) => {
            let same = |d: &&ColumnDef| !e.ty.is_string() || std::ptr::eq(d.collation, e.ty.collation);
            json.defs.get(c.column as usize).filter(same)
        }
        _ => None,
    };
    column.map(|column| Origin { column, source })
}

/// Whether column `i`, which may be NULL here, is one that is computed in a subquery of FROM and never NULL there.
fn is_counted(plan: &QueryPlan, i: usize) -> bool {
    let Body::Block(block) = &plan.body else { return false };
    let Some(c) = block.output.get(i).and_then(|e| e.as_column()).filter(|c| c.table != u32::MAX) else {
        return false;
    };
    match block.tables.get(c.table as usize).map(|t| &t.relation) {
        // rows of UNION that may be missing have no default
        Some(Relation::Derived(inner)) => {
            let column = c.column as usize;
            !matches!(inner.body, Body::Set(_))
                && (!inner.types[column].nullable || is_counted(inner, column))
        }
        _ => false,
    }
}

/// Whether column `i` is one of rows that were kept, of a subquery in FROM or of a set operation: as a column of a table it
/// has a default, though it is computed.
fn is_kept(plan: &QueryPlan, i: usize) -> bool {
    let block = match &plan.body {
        Body::Block(block) => block,
        Body::Set(set) => return !set.streams(),
        Body::Recursive(_) | Body::Values(_) | Body::Working(_) => return false,
    };
    let Some(crate::expr::Node::Column(c)) = block.output.get(i).map(|e| &e.node) else { return false };
    block.tables.get(c.table as usize).is_some_and(|t| matches!(t.relation, Relation::Derived(_)))
}

/// Whether column `i` is a variable of a routine, or a parameter.
fn is_variable(plan: &QueryPlan, i: usize) -> bool {
    let Body::Block(block) = &plan.body else { return false };
    // literals are never NULL
    block.output.get(i).is_some_and(|e| matches!(e.node, crate::expr::Node::Param(_)) && e.ty.nullable)
}

/// Whether column `i` is the result of a stored function.
fn is_stored_call(plan: &QueryPlan, i: usize) -> bool {
    let Body::Block(block) = &plan.body else { return false };
    let Some(e) = block.output.get(i) else { return false };
    let aggregate = match &e.node {
        crate::expr::Node::Aggregate(n) => Some(*n),
        crate::expr::Node::Column(c) if c.table == u32::MAX => Some(c.column),
        _ => None,
    };
    let calls = block.group.as_ref().map_or(&[][..], |g| &g.aggregates);
    match aggregate.and_then(|n| calls.get(n as usize)) {
        Some(call) => call.function == crate::ast::AggregateFunction::Stored,
        None => crate::expr::calls::is_stored_function(e),
    }
}

/// The type of a column that holds a variable's value.
fn of_variable(ty: &FieldType) -> FieldType {
    let zerofill = ty.zerofill;
    let mut ty = FieldType { zerofill: zerofill && ty.kind == Kind::Year, ..ty.clone() };
    if zerofill {
        ty.length = ty.length.max(ty.widest_integer());
    }
    if matches!(ty.kind, Kind::Enum | Kind::Set) {
        ty.kind = Kind::Varchar;
    }
    ty
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
    match &block.tables.get(column.table as usize)?.relation {
        // in another collation it is another column
        Relation::Base(open) => open
            .def()
            .columns
            .get(column.column as usize)
            .filter(|c| !arg.ty.is_string() || std::ptr::eq(c.collation, arg.ty.collation)),
        Relation::Derived(inner) => base_column(inner, column.column as usize).map(|of| of.column),
        _ => None,
    }
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
    let mut new = ColumnDef { ty: c.ty.renewed(), ..c.clone() };
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
