//! What clients are told of columns whose values went through a temporary table of the reference (DISTINCT, GROUP BY):
//! they are columns of a table then; and of those of UNION ALL, which goes through none.

use super::query::Item;
use crate::ast::AggregateFunction;
use crate::expr::{AggregateCall, EvalContext, Expr, Node};
use crate::result::{ColumnMeta, NOT_FIXED_DEC, flag, wire};
use crate::types::{FieldType, Kind};

/// Computed text of more characters is a BLOB in such a table.
const LONGEST_VARCHAR: u32 = 512;

/// Columns of a query that groups its rows by `keys`.
pub(super) fn grouped(
    items: &mut [Item],
    keys: &[Expr],
    aggregates: &[AggregateCall],
    column: &dyn Fn(&Expr) -> u16,
) {
    let sorted = |a: &AggregateCall| a.distinct || a.function == AggregateFunction::GroupConcat;
    if aggregates.iter().any(sorted)
        || keys.iter().any(|k| k.as_column().is_some() && column(k) & flag::MULTIPLE_KEY != 0)
    {
        return;
    }
    for item in items {
        stored(&item.expr, &mut item.meta);
        if let Node::Aggregate(n) = item.expr.node
            && let Some(a) = aggregates.get(n as usize)
            && matches!(a.function, AggregateFunction::Min | AggregateFunction::Max)
            && let Some(arg) = a.args.first().filter(|a| a.as_column().is_some())
        {
            item.meta.flags |= column(arg) & flag::NO_DEFAULT_VALUE;
        }
        if item.expr.ty.nullable && item.expr.as_column().is_none() && keys.contains(&item.expr) {
            item.meta.flags |= flag::NUM;
        }
    }
}

/// Columns of SELECT DISTINCT.
pub(super) fn distinct(items: &mut [Item]) {
    let keys = flag::PRI_KEY | flag::UNIQUE_KEY | flag::MULTIPLE_KEY;
    if let [item] = items
        && item.meta.flags & keys != 0
    {
        // a key shows its values one by one
        return;
    }
    for item in items.iter_mut().filter(|i| !i.expr.is_constant()) {
        stored(&item.expr, &mut item.meta);
        if item.expr.ty.nullable {
            item.meta.flags |= flag::NUM;
        }
    }
}

/// A temporary table has the bytes of what was computed as BIT.
pub(super) fn take_bits(output: &mut [Expr]) {
    for e in output {
        e.ty.digits = false;
    }
}

/// What is computed, as a column of a table.
fn stored(e: &Expr, m: &mut ColumnMeta) {
    if e.as_column().is_some() || e.is_constant() {
        return;
    }
    let t = &e.ty;
    if t.is_number() {
        m.flags &= !flag::BINARY;
        if t.kind == Kind::Year {
            m.flags |= flag::ZEROFILL;
        }
    } else if t.is_address() {
        m.flags |= flag::BINARY | flag::UNSIGNED;
    } else if t.is_string() {
        m.decimals = 0;
        let long = !t.is_blob() && t.char_length() > LONGEST_VARCHAR;
        if (long || t.kind == Kind::Blob) && m.length < 0xffff {
            let wide = m.length.checked_div(t.length).unwrap_or(1).max(1);
            m.length = 0xffff * wide;
        }
        if long || t.is_blob() {
            m.ty = wire::BLOB;
            m.flags |= flag::BLOB;
        } else if t.kind == Kind::Char {
            m.ty = wire::VAR_STRING;
        }
    } else if t.kind == Kind::Timestamp {
        m.flags |= flag::UNSIGNED;
    }
}

/// A column of UNION ALL: its rows are sent as they come.
pub(super) fn of_all(name: &str, t: &FieldType, ctx: &EvalContext) -> ColumnMeta {
    let mut m = t.meta(name, ctx.results);
    if t.kind == Kind::Timestamp {
        m.flags &= !flag::UNSIGNED;
    }
    m.flags &= !flag::ZEROFILL;
    if t.is_string() && !t.is_address() {
        m.decimals = NOT_FIXED_DEC;
    }
    if t.is_address() {
        m.flags &= !flag::BINARY;
    }
    if t.is_blob() {
        m.flags &= !flag::BLOB;
        m.ty = t.blob_code();
    }
    m
}
