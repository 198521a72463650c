//! Aggregates whose values stand in a table's state or at the ends of its keys.

use super::Exec;
use super::key_end::{self, Found};
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::plan::shortcut::Shortcut;
use crate::plan::{Access, BlockPlan, Relation};
use crate::types::Value;

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
    let mut nothing = false;
    for s in list {
        out.push(match s {
            Shortcut::Rows => {
                let mut rows = 1u64;
                for t in &b.tables {
                    let own = match &t.relation {
                        Relation::Base(open) => {
                            let pin = exec.snapshot.pin();
                            let count = |open: &crate::table::OpenTable| {
                                let view = pin.table(open.pages()).map_err(|e| open.error(&e.into()))?;
                                Ok(open.state_in(&view).records())
                            };
                            match open.children() {
                                Some(c) => c.read().map(|(_, t)| count(t)).sum::<SqlResult<u64>>()?,
                                None => count(open)?,
                            }
                        }
                        Relation::Virtual(v) => v.ends().map_or(0, |ends| ends.rows),
                        Relation::Derived(_) | Relation::JsonTable(_) => return Ok(None),
                        Relation::Merged => 1,
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
                Value::UInt(if matches!(s, Shortcut::Least) { ends.least } else { ends.greatest })
            }
            Shortcut::End(end) => match key_end::find(exec, b, end, ctx)? {
                Found::Value(v) => v,
                // one table without rows leaves none of the others
                Found::NoRow | Found::Impossible => {
                    nothing = true;
                    Value::Null
                }
                Found::Unknown => return Ok(None),
            },
        });
    }
    if nothing {
        let ends = out.iter_mut().zip(list).filter(|(_, s)| matches!(s, Shortcut::End(_)));
        ends.for_each(|(v, _)| *v = Value::Null);
    }
    Ok(Some(out))
}

/// What EXPLAIN says of a block whose aggregates come from the ends of keys; nothing when rows are read after all.
///
/// # Errors
/// Damaged files.
pub fn remark(
    exec: &Exec<'_>,
    b: &BlockPlan,
    list: &[Shortcut],
    ctx: &mut EvalContext,
) -> SqlResult<Option<&'static str>> {
    for s in list {
        let Shortcut::End(end) = s else { continue };
        match key_end::find(exec, b, end, ctx)? {
            Found::Value(_) => {}
            Found::NoRow => return Ok(Some("No matching min/max row")),
            Found::Impossible => return Ok(Some("Impossible WHERE noticed after reading const tables")),
            Found::Unknown => return Ok(None),
        }
    }
    Ok(Some("Select tables optimized away"))
}
