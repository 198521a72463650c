//! Aggregates whose values stand in a table's state or at the ends of its keys.

use crate::table::RowScratch;
use crate::table::{KeyCursor, SeekMode};

use super::Exec;
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::plan::shortcut::Shortcut;
use crate::plan::{Access, BlockPlan, Relation};
use crate::table::OpenTable;
use crate::types::{FieldType, Value, Vector, load};

/// The values of the aggregates; nothing when a key is disabled, so that rows must be read after all.
///
/// # Errors
/// Damaged files.
pub fn values(
    exec: &Exec<'_>,
    b: &BlockPlan,
    list: &[Shortcut],
    ctx: &mut EvalContext,
) -> SqlResult<Option<Vec<Value>>> {
    let mut out = Vec::with_capacity(list.len());
    for s in list {
        out.push(match s {
            Shortcut::Rows => {
                let mut rows = 1u64;
                for t in &b.tables {
                    let own = match &t.relation {
                        Relation::Base(open) => {
                            let pin = exec.snapshot.pin();
                            let view = pin.table(open.pages()).map_err(|e| open.error(&e.into()))?;
                            open.state_in(&view).records()
                        }
                        Relation::Virtual(v) => v.ends().map_or(0, |ends| ends.rows),
                        Relation::Derived(_) => return Ok(None),
                    };
                    rows = rows.saturating_mul(own);
                }
                Value::Int(i64::try_from(rows).unwrap_or(i64::MAX))
            }
            Shortcut::Found => {
                let Some(Access::FullText(search)) = b.steps.first().map(|s| &s.access) else {
                    return Ok(None);
                };
                let rows = super::full_text::count(exec, search, ctx)?;
                Value::Int(i64::try_from(rows).unwrap_or(i64::MAX))
            }
            Shortcut::Least | Shortcut::Greatest => {
                let Relation::Virtual(v) = &b.tables[0].relation else { return Ok(None) };
                let Some(ends) = v.ends() else { return Ok(None) };
                Value::UInt(if *s == Shortcut::Least { ends.least } else { ends.greatest })
            }
            Shortcut::First { key } | Shortcut::Last { key } => {
                let t = &b.tables[0];
                let Relation::Base(open) = &t.relation else { return Ok(None) };
                let last = matches!(s, Shortcut::Last { .. });
                match end(exec, open, *key, last, &t.columns, ctx)? {
                    Some(v) => v,
                    None => return Ok(None),
                }
            }
        });
    }
    Ok(Some(out))
}

/// The value of a key's first part at one of its ends; nothing when the key is disabled.
fn end(
    exec: &Exec<'_>,
    open: &OpenTable,
    key: usize,
    last: bool,
    columns: &[(usize, usize, FieldType)],
    ctx: &mut EvalContext,
) -> SqlResult<Option<Value>> {
    let format = open.format();
    let pin = exec.snapshot.pin();
    let view = pin.table(open.pages()).map_err(|e| open.error(&e.into()))?;
    if !format.state(&view).key_active(key) {
        return Ok(None);
    }
    let part = format.keys[key].segments[0];
    let Some((_, _, ty)) = columns.iter().find(|c| c.0 == part.column) else { return Ok(None) };
    let mut cursor = KeyCursor::new(format, key);
    let mut counters = exec.counters.borrow_mut();
    let found = if last {
        counters.last += 1;
        cursor.seek(&view, &[], 0, SeekMode::Last)
    } else if part.nullable {
        counters.key += 1;
        let mut null = Vec::new();
        format.encode_key_part(key, 0, None, &mut null);
        cursor.seek(&view, &null, 1, SeekMode::Greater)
    } else {
        counters.first += 1;
        cursor.seek(&view, &[], 0, SeekMode::First)
    };
    if !found.map_err(|e| open.error(&e))? {
        return Ok(Some(Value::Null));
    }
    let mut scratch = RowScratch::new();
    let row = format.row(&view, cursor.pos(), &mut scratch).map_err(|e| open.error(&e))?;
    let mut value = Vector::new(ty.class());
    load::push(row.column(part.column), ty, &mut value, ctx);
    Ok(Some(value.value(0)))
}
