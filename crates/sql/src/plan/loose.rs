//! Loose scans: GROUP BY and DISTINCT that need no more of each group of a key's entries than its ends.

use super::access::{self, is_apart};
use super::key_end::is_collated;
use super::{Access, BlockPlan, Relation};
use crate::ast::AggregateFunction;
use crate::expr::{Comparison, Expr, Node, Test};
use crate::table::engine::KeyOrder;
use crate::table::loose::Wanted;
use crate::table::{OpenTable, Segment};
use crate::types::Class;

/// Fewer rows of a group are read one after the other.
const SMALL_GROUP: u32 = 10;

/// The columns that make a group, and the one of MIN and MAX.
#[derive(Default)]
struct Asked {
    columns: Vec<usize>,
    ends: Option<usize>,
    min: bool,
    max: bool,
}

/// Marks the step of a block whose key may be read so, choosing the key where all of it is read.
pub(super) fn mark(plan: &mut BlockPlan) {
    let Some(asked) = asked(plan) else { return };
    let step = &plan.steps[0];
    let table = &plan.tables[step.table];
    let Relation::Base(open) = &table.relation else { return };
    let state = open.state();
    let fits = |key: usize| {
        let covers = table.columns.iter().all(|(c, ..)| access::part_for(&open.keys()[key], *c).is_some());
        if !covers || open.key_order(key) != KeyOrder::Ordered {
            return None;
        }
        let wanted = wanted(open, key, &asked)?;
        let each = open.state_of(&state).rec_per_key(open.keys()[key].first_part + wanted.parts - 1);
        let steps = each == 0;
        (steps || each >= SMALL_GROUP).then_some((Wanted { steps, ..wanted }, each))
    };
    let found = match &step.access {
        Access::KeyScan { key, descending: false } => {
            let other = || {
                step.usable.iter().copied().filter(|_| plan.limit.count.is_none() && !plan.ordered_by_access)
            };
            let all = std::iter::once(*key).chain(other());
            all.filter_map(|k| fits(k).map(|f| (k, f))).next()
        }
        Access::Range { key, condition, descending: false } if condition.parts.len() == 1 => {
            fits(*key).map(|f| (*key, f))
        }
        _ => None,
    };
    let Some((key, (wanted, each))) = found else { return };
    let records = open.state_of(&state).records() as f64;
    let step = &mut plan.steps[0];
    if let Access::KeyScan { key: read, .. } = &mut step.access {
        *read = key;
    }
    step.loose = Some(wanted);
    // where nobody counted, as the reference server: ten groups
    let each = if each == 0 { (records / 10.0).floor() + 1.0 } else { f64::from(each) };
    let groups = (records / each).floor() + 1.0;
    step.rows = (groups * (step.rows / records.max(1.0)).min(1.0)).floor().max(1.0);
}

/// What a block asks of its groups, where it is no more than the ends.
fn asked(plan: &BlockPlan) -> Option<Asked> {
    let [step] = &plan.steps[..] else { return None };
    let table = &plan.tables[step.table];
    let Relation::Base(open) = &table.relation else { return None };
    if open.children().is_some()
        || !step.covering
        || plan.windows.is_some()
        || plan.limit.examined.is_some()
        || table.position.is_some()
        || table.score.is_some()
        || table.number.is_some()
        || !table.computed.is_empty()
    {
        return None;
    }
    let mut asked = Asked::default();
    let column = |e: &Expr| {
        let column = e.as_column()?.column as usize;
        is_collated(open, column, e.ty.collation.id).then_some(column)
    };
    match &plan.group {
        Some(g) => {
            if g.rollup || g.one && !g.keys.is_empty() || g.shortcut.is_some() {
                return None;
            }
            asked.columns = g.keys.iter().map(column).collect::<Option<_>>()?;
            for a in &g.aggregates {
                let extreme = matches!(a.function, AggregateFunction::Min | AggregateFunction::Max);
                let summed = matches!(
                    a.function,
                    AggregateFunction::Count | AggregateFunction::Sum | AggregateFunction::Avg
                );
                match &a.args[..] {
                    [e] if extreme => {
                        let c = column(e)?;
                        if asked.ends.is_some_and(|known| known != c) {
                            return None;
                        }
                        asked.ends = Some(c);
                        asked.min |= a.function == AggregateFunction::Min;
                        asked.max |= a.function == AggregateFunction::Max;
                    }
                    args if summed && a.distinct && !args.is_empty() => {
                        for e in args {
                            asked.columns.push(column(e)?);
                        }
                    }
                    _ => return None,
                }
            }
        }
        None if plan.distinct => {
            let output = &plan.output[..plan.visible];
            asked.columns = output.iter().map(column).collect::<Option<_>>()?;
        }
        None => return None,
    }
    asked.columns.sort_unstable();
    asked.columns.dedup();
    if asked.ends.is_some_and(|c| asked.columns.contains(&c)) {
        (asked.ends, asked.min, asked.max) = (None, false, false);
    }
    let alike = |e: &Expr| is_apart(e) && is_alike(e, open, &asked.columns);
    (!asked.columns.is_empty() && step.conditions().all(alike)).then_some(asked)
}

/// Whether a condition holds for all rows of a group or for none: its columns are those of the group, and it does not tell apart what a key
/// finds equal, as texts of other cases and numbers of other signs.
fn is_alike(e: &Expr, open: &OpenTable, columns: &[usize]) -> bool {
    let mut only_numbers = true;
    e.columns(&mut |c| {
        let exact = matches!(
            crate::types::FieldType::from_column(&open.def().columns[c.column as usize]).class(),
            Class::Int | Class::UInt | Class::Decimal | Class::Date | Class::DateTime | Class::Time
        );
        only_numbers &= exact && columns.contains(&(c.column as usize));
    });
    let alike = |e: &Expr| is_alike(e, open, columns);
    let of_group = |e: &Expr| e.as_column().is_some_and(|c| columns.contains(&(c.column as usize)));
    // a text of the group compared with constants in its own collation
    let compared = |e: &Expr, by: &Comparison, others: &[Expr]| {
        let own = match (by, e.as_column()) {
            (Comparison::Text(c), Some(column)) => is_collated(open, column.column as usize, c.id),
            _ => false,
        };
        own && of_group(e) && others.iter().all(Expr::is_constant)
    };
    only_numbers
        || match &e.node {
            Node::And(list) | Node::Or(list) => list.iter().all(alike),
            Node::Not(inner) => alike(inner),
            Node::Is(inner, Test::Null, _) => of_group(inner),
            Node::Compare(_, by, sides) => {
                compared(&sides[0], by, &sides[1..]) || compared(&sides[1], by, &sides[..1])
            }
            Node::Between { args, by, .. } => compared(&args[0], by, &args[1..]),
            Node::In { expr, list, by, .. } => compared(expr, by, list),
            _ => false,
        }
}

/// What is wanted of the groups of a key, if its leading parts make them.
fn wanted(open: &OpenTable, key: usize, asked: &Asked) -> Option<Wanted> {
    let segments = &open.keys()[key].segments;
    let parts = asked.columns.len();
    let mut leading: Vec<usize> =
        segments.get(..parts)?.iter().filter(|s| s.covers()).map(|s| s.column).collect();
    leading.sort_unstable();
    let next = |s: &Segment| Some(s.column) == asked.ends && s.covers() && !s.descending;
    if leading != asked.columns || asked.ends.is_some() && !segments.get(parts).is_some_and(next) {
        return None;
    }
    Some(Wanted { parts, first_value: asked.min, last: asked.max, steps: false })
}

/// Whether the rows of a DISTINCT come in their order, each of them once or right behind itself.
pub(super) fn is_distinct(plan: &BlockPlan) -> bool {
    let [step] = &plan.steps[..] else { return false };
    let (Access::KeyScan { key, .. } | Access::Range { key, .. }) = &step.access else { return false };
    let Relation::Base(open) = &plan.tables[step.table].relation else { return false };
    let segments = open.keys()[*key].segments.iter().map(|s| Some(s.column));
    let output = plan.output[..plan.visible].iter().map(|e| e.as_column().map(|c| c.column as usize));
    step.loose.is_some()
        && plan.group.is_none()
        && plan.order.is_empty()
        && plan.limit.count.is_none()
        && output.zip(segments).all(|(a, b)| a == b)
}
