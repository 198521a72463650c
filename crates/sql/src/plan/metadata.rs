//! What clients are told of the columns of a result set.

use super::scope::Names;
use super::{Body, QueryPlan, Relation};
use crate::expr::{EvalContext, Expr, Node};
use crate::result::{ColumnMeta, Finer, flag};
use crate::types::{FieldType, Kind};

/// What clients are told of a column of the select list.
pub(super) fn meta(names: &Names, e: &Expr, name: &str, ctx: &EvalContext) -> ColumnMeta {
    let mut m = e.ty.meta(name, ctx.results);
    let Some(c) = e.as_column() else {
        if let Some(column) = variable(e, ctx) {
            // sent as the column that it is stored in
            if e.ty.is_number() {
                m.flags &= !flag::BINARY;
            } else if e.ty.is_string() {
                m.decimals = 0;
            }
            m.org_name = column.name.to_string();
            return m;
        }
        if e.ty.is_number() {
            m.length = crate::func::shown_length(e);
        } else if e.ty.is_blob() {
            // only columns are marked as BLOBs; the type tells how long values may be
            m.flags &= !flag::BLOB;
            // of GROUP_CONCAT nothing but that it is one
            if e.ty.decimals != 0 || !is_list(e) {
                m.ty = e.ty.blob_code();
            }
        }
        if e.ty.is_address() {
            m.flags &= !flag::BINARY;
        }
        return m;
    };
    if e.ty.is_number() {
        m.flags &= !flag::BINARY;
    }
    let Some(t) = names.tables.get(c.table as usize) else { return m };
    if e.ty.collation.id != t.columns[c.column as usize].1.collation.id {
        // a column with COLLATE is a column no more
        return m;
    }
    m.table.clone_from(&t.alias);
    m.org_name.clone_from(&t.columns[c.column as usize].0);
    match &t.relation {
        Relation::Base(open) => {
            m.db.clone_from(&t.db);
            m.org_table.clone_from(&t.name);
            let def = open.def();
            m.flags |= key_flags(def, c.column as usize);
            if def.columns[c.column as usize].holds_json() {
                m.finer = Finer::Format("json");
            }
            if e.ty.kind.integer_digits().is_some() {
                m.length = u32::from(def.columns[c.column as usize].width);
            }
        }
        Relation::Virtual(v) => {
            if v.primary() == Some(c.column as usize) {
                m.flags |= flag::PRI_KEY | flag::PART_KEY | flag::NO_DEFAULT_VALUE;
            }
            m.db.clone_from(&t.db);
            m.org_table.clone_from(&t.name);
        }
        Relation::Merged | Relation::JsonTable(_) => {}
        Relation::Derived(p) => {
            let merged = is_mergeable(p) && !t.view.is_view;
            if let Some(inner) = p.schema.columns.get(c.column as usize) {
                if merged {
                    // a table that is nothing but columns of others: its columns are theirs
                    m.flags = inner.flags & if e.ty.nullable { !flag::NOT_NULL } else { !0 };
                    m.length = inner.length;
                    m.org_table.clone_from(&t.alias);
                } else {
                    if !inner.org_name.is_empty() {
                        m.org_name.clone_from(&inner.org_name);
                    }
                    m.org_table.clone_from(&inner.org_table);
                    m.flags |= inner.flags & flag::NO_DEFAULT_VALUE;
                    if e.ty.is_string() {
                        m.decimals = 0;
                    }
                }
                if !t.view.is_view {
                    m.db.clone_from(&inner.db);
                }
                m.finer = inner.finer;
            }
        }
    }
    m
}

/// The column that the variable of a routine is stored in, when the expression is nothing else.
fn variable<'c>(e: &Expr, ctx: &'c EvalContext) -> Option<&'c crate::types::store::Column> {
    let Node::Param(slot) = e.node else { return None };
    ctx.statement.columns.as_ref()?.get(slot as usize)?.as_deref()
}

/// GROUP_CONCAT, JSON_ARRAYAGG, JSON_OBJECTAGG.
fn is_list(e: &Expr) -> bool {
    match &e.node {
        Node::Aggregate(_) => true,
        Node::Call(f, args) => {
            f.def.name.starts_with("json_ ") && matches!(args[..], [Expr { node: Node::Aggregate(_), .. }])
        }
        _ => false,
    }
}

/// A column of a merged view or subquery of FROM is one of that to clients.
pub(super) fn of_derived(names: &Names, (table, column): (usize, usize), m: &mut ColumnMeta) {
    let t = &names.tables[table];
    if t.view.merged.is_none() {
        return;
    }
    m.table.clone_from(&t.alias);
    m.org_table.clone_from(&t.alias);
    m.org_name.clone_from(&t.columns[column].0);
    m.merged = true;
}

/// The metadata of a column of a a set operation, which is one of a temporary table to clients.
pub(super) fn meta_of_set(name: &str, ty: &FieldType, ctx: &EvalContext) -> ColumnMeta {
    // a table's TEXT has room for as much as its kind
    let room = FieldType { length: ty.kind.blob_capacity(), ..ty.clone() };
    let mut m = if ty.is_blob() { &room } else { ty }.meta(name, ctx.results);
    m.org_name = name.to_string();
    if ty.is_number() {
        m.flags &= !flag::BINARY;
        // a year is filled in a table, other numbers have lost it
        m.flags = if ty.kind == Kind::Year { m.flags | flag::ZEROFILL } else { m.flags & !flag::ZEROFILL };
    }
    if ty.is_string() {
        m.decimals = 0;
    }
    m
}

/// Whether the reference puts the select list of this derived table in the place of its columns: one SELECT over
/// tables that neither groups nor cuts its rows.
fn is_mergeable(plan: &QueryPlan) -> bool {
    match &plan.body {
        Body::Block(b) => {
            b.group.is_none()
                && b.windows.is_none()
                && !b.distinct
                && b.limit.count.is_none()
                && !b.tables.is_empty()
        }
        _ => false,
    }
}

/// The key and column flags that clients see of a table's column.
#[must_use]
pub fn key_flags(def: &schema::definition::TableDef, column: usize) -> u16 {
    use schema::definition::{DefaultValue, KeyKind};
    let mut f = 0;
    for k in &def.keys {
        let Some(at) = k.parts.iter().position(|p| p.column == column) else { continue };
        f |= flag::PART_KEY;
        if k.kind == KeyKind::Primary {
            f |= flag::PRI_KEY;
        } else if k.kind == KeyKind::Unique && k.parts.len() == 1 {
            f |= flag::UNIQUE_KEY;
        } else if at == 0 {
            f |= flag::MULTIPLE_KEY;
        }
    }
    let c = &def.columns[column];
    if c.auto_increment {
        f |= flag::AUTO_INCREMENT;
    }
    if c.on_update_now {
        f |= flag::ON_UPDATE_NOW;
    }
    let timestamp = matches!(c.ty, schema::definition::ColumnType::Timestamp { .. });
    if timestamp && (c.on_update_now || c.default == DefaultValue::Now) {
        f |= flag::TIMESTAMP;
    }
    if c.default == DefaultValue::None && !c.nullable && !c.auto_increment {
        f |= flag::NO_DEFAULT_VALUE;
    }
    f
}
