//! USE, FORCE and IGNORE INDEX: which keys the planner may take for what.

use super::Relation;
use crate::ast::{IndexHint, IndexHintKind, IndexHintScope};
use crate::error::{ER_KEY_DOES_NOT_EXISTS, ER_WRONG_USAGE, SqlError, SqlResult};

/// The hints on keys for one purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hint {
    /// Only these keys; `None` = all.
    only: Option<Vec<usize>>,
    /// Not these keys.
    never: Vec<usize>,
    /// Whether reading without a key is the last resort.
    pub force: bool,
}

impl Hint {
    /// Whether the key may be used.
    #[must_use]
    pub fn allows(&self, key: usize) -> bool {
        self.only.as_ref().is_none_or(|keys| keys.contains(&key)) && !self.never.contains(&key)
    }
}

/// The hints of one table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// For finding rows.
    pub rows: Hint,
    /// For ORDER BY and GROUP BY.
    pub order: Hint,
}

impl Hints {
    /// Resolves the names of keys.
    ///
    /// # Errors
    /// 1176 for a key that is not there, 1221 for USE beside FORCE.
    pub fn resolve(hints: &[IndexHint], relation: &Relation, alias: &str) -> SqlResult<Hints> {
        let mut resolved = Hints::default();
        let has = |kind| hints.iter().any(|h| h.kind == kind);
        if has(IndexHintKind::Use) && has(IndexHintKind::Force) {
            return Err(SqlError::new(ER_WRONG_USAGE, &[&"USE INDEX", &"FORCE INDEX"]));
        }
        for hint in hints {
            let mut keys = Vec::new();
            for name in &hint.indexes {
                let number = match relation {
                    Relation::Base(t) => named(&t.def().keys, name),
                    _ => None,
                };
                keys.push(number.ok_or_else(|| SqlError::new(ER_KEY_DOES_NOT_EXISTS, &[name, &alias]))?);
            }
            let apply = |to: &mut Hint| match hint.kind {
                IndexHintKind::Ignore => to.never.extend(&keys),
                kind => {
                    to.only.get_or_insert_default().extend(&keys);
                    to.force |= kind == IndexHintKind::Force;
                }
            };
            if matches!(hint.scope, None | Some(IndexHintScope::Join)) {
                apply(&mut resolved.rows);
            }
            // a key gives groups their order as it gives it to rows
            if matches!(hint.scope, None | Some(IndexHintScope::OrderBy | IndexHintScope::GroupBy)) {
                apply(&mut resolved.order);
            }
        }
        Ok(resolved)
    }
}

/// The key of this name, or the only one whose name begins so.
fn named(keys: &[schema::definition::KeyDef], name: &str) -> Option<usize> {
    if let Some(exact) = keys.iter().position(|k| k.name.eq_ignore_ascii_case(name)) {
        return Some(exact);
    }
    let begins = |k: &schema::definition::KeyDef| {
        k.name.get(..name.len()).is_some_and(|start| !name.is_empty() && start.eq_ignore_ascii_case(name))
    };
    let mut fits = keys.iter().enumerate().filter(|(_, k)| begins(k)).map(|(n, _)| n);
    fits.next().filter(|_| fits.next().is_none())
}
