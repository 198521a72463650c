//! Rows that a key refuses.

use crate::error::{ER_DUP_ENTRY_WITH_KEY_NAME, SqlError};
use crate::expr::EvalContext;
use crate::plan::change::WriteSchema;
use crate::table::{OpenTable, RowView};
use crate::types::load;

/// The error of a row that a key refuses.
pub(super) fn duplicate(
    table: &OpenTable,
    schema: &WriteSchema,
    row: &RowView<'_>,
    key: usize,
    ctx: &mut EvalContext,
) -> SqlError {
    let def = table.def();
    // a table under a MERGE table may have keys more
    let Some(info) = table.keys().get(key) else {
        return SqlError::new(crate::error::codes::ER_DUP_KEY, &[&table.name]);
    };
    if info.long_hash.is_some() {
        let parts = def.keys[key].parts.iter().map(|part| {
            let to = &schema.columns[part.column];
            (row.column(part.column), to.ty.clone(), &to.stored, part.prefix.map(usize::from))
        });
        return duplicate_entry(&load::key_text(parts, ctx), &def.keys[key].name);
    }
    let parts = info.segments.iter().map(|seg| {
        let to = &schema.columns[seg.column];
        let prefix = (!seg.covers()).then_some(seg.length);
        (row.column(seg.column), to.ty.clone(), &to.stored, prefix)
    });
    let text = load::key_text(parts, ctx);
    duplicate_entry(&text, &def.keys[key].name)
}

fn duplicate_entry(values: &str, key: &str) -> SqlError {
    let mut e = SqlError::new(ER_DUP_ENTRY_WITH_KEY_NAME, &[&values, &key]);
    e.code = crate::error::ER_DUP_ENTRY;
    e
}
