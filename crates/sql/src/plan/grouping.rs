//! The order groups come in when nobody asks for one.

use super::Relation;
use super::scope::Names;
use crate::ast::AggregateFunction as F;
use crate::expr::{AggregateCall, Expr, Node};
use crate::table::engine::KeyOrder;

/// Whether ORDER BY NULL leaves the groups as they began. The reference server sorts all the same for some aggregates, and
/// where it reads a key the rows come sorted.
pub(super) fn is_unordered(keys: &[Expr], aggregates: &[AggregateCall], names: &Names) -> bool {
    let mut keyed = false;
    for e in keys {
        e.walk(&mut |e| {
            let Node::Column(c) = &e.node else { return };
            if let Some(Relation::Base(open)) = names.tables.get(c.table as usize).map(|t| &t.relation) {
                let has = |k: &std::sync::Arc<crate::table::KeyInfo>| {
                    let ordered = open.key_order(k.number) == KeyOrder::Ordered;
                    ordered && k.segments.iter().any(|s| s.column == c.column as usize)
                };
                keyed |= open.keys().iter().any(has);
            }
        });
    }
    in_table(aggregates) && !keyed
}

/// Whether the reference server keeps the groups in a table and counts there, and does not sort their rows first.
pub(super) fn in_table(aggregates: &[AggregateCall]) -> bool {
    aggregates.iter().all(|a| {
        let simple = matches!(a.function, F::Count | F::Sum | F::Avg | F::Min | F::Max)
            || matches!(a.function, F::BitAnd | F::BitOr | F::BitXor)
            || matches!(a.function, F::Std | F::StdSamp | F::Variance | F::VarSamp);
        simple && !a.distinct
    })
}
