//! The way of a MATCH through planning: its key, and whether its search finds a table's rows.
//!
//! A MATCH belongs to the SELECT whose table its columns are of, also where it stands in a subquery. When it stands alone in WHERE or
//! an inner join's ON, or is compared with a constant so that rows with score 0 are out, its search is the table's access path: rows
//! come by rank ([`Order`]), and wherever the block asks for the same MATCH again the score is read from the row's slot. All
//! others are evaluated row by row (`expr::full_text`).

use super::scope::{Names, ScopeTable, Stack};
use super::{Access, BlockPlan, Body, POSITION, Relation, SCORE, access, slots};
use crate::ast::AggregateFunction;
use crate::bind::full_text::Asked;
use crate::error::{
    ER_FT_MATCHING_KEY_NOT_FOUND, ER_TABLE_CANT_HANDLE_FT, ER_WRONG_ARGUMENTS, SqlError, SqlResult,
};
use crate::expr::full_text::{MatchCall, MatchKey, SearchMode};
use crate::expr::typing::{coerce, common_collation, text_type};
use crate::expr::{AggregateCall, CompareOp, EvalContext, Expr, Node};
use crate::table::full_text::table_of;
use crate::types::{FieldType, Value};
use charset::derivation::Purpose;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A search as an access path.
pub struct FullText {
    /// What is searched for; its arguments are the query alone.
    pub call: MatchCall,
    /// In which order rows come.
    pub order: Order,
}

/// The order of a search's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By score as MariaDB's list is sorted; boolean searches: as the key gives them.
    Rank,
    /// As they lie in the table, for something that sorts them.
    Position,
    /// ORDER BY the score, descending; ties as they lie in the table.
    Score,
}

impl Stack<'_> {
    /// The expression of a MATCH at `level`, or above where its columns are all of a query around.
    pub(super) fn match_at(
        &mut self,
        level: usize,
        mut asked: Asked,
        ctx: &mut EvalContext,
    ) -> SqlResult<Expr> {
        let outer = asked.columns.iter().map(|e| match &e.node {
            Node::Outer(n) => self.levels[level].outer.get(*n as usize).map(|(o, _)| o.expr.clone()),
            _ => None,
        });
        if let Some(above) = outer.collect::<Option<Vec<Expr>>>().filter(|_| level > 0) {
            if access::has_subquery(&asked.against) {
                return Err(SqlError::not_supported("MATCH of a query around AGAINST a subquery"));
            }
            asked.columns = above;
            let e = self.match_at(level - 1, asked, ctx)?;
            let ty = e.ty.clone();
            return Ok(Expr::new(Node::Outer(self.hand_down(level, None, e)), ty));
        }
        let names = &mut self.levels[level];
        let call = bind(names, asked, ctx)?;
        let ty = FieldType::double().with_nullable(true);
        Ok(Expr::new(Node::Match(Box::new(call)), ty))
    }
}

/// Finds the key of a MATCH, and a search of the SELECT that is the same.
fn bind(names: &mut Names, asked: Asked, ctx: &mut EvalContext) -> SqlResult<MatchCall> {
    let Asked { mode, mut columns, against } = asked;
    let natural = mode != SearchMode::Boolean;
    let wrong = || SqlError::new(ER_WRONG_ARGUMENTS, &[&"MATCH"]);
    let mut table = None;
    let mut several = false;
    for e in &columns {
        let c = match &e.node {
            Node::Column(c) if (c.table as usize) < names.tables.len() => c,
            // of a query around, beside columns of this one
            Node::Outer(_) if !natural => {
                several = true;
                continue;
            }
            _ => return Err(wrong()),
        };
        let t = &names.tables[c.table as usize];
        several |= table.replace(c.table).is_some_and(|before| before != c.table);
        can_search(t)?;
    }
    let found = match table.filter(|_| !several) {
        Some(t) => key_of(&names.tables[t as usize], &columns, natural).map(|k| (t, k)),
        None if natural => return Err(wrong()),
        None => None,
    };
    let key = match found {
        Some((number, (open, key))) => {
            let t = &names.tables[number as usize];
            // the texts as the key has them, from its last column to its first
            let parts = open.def().keys[key].parts.iter().rev();
            columns =
                parts.map(|p| Expr::column(number, p.column as u32, t.columns[p.column].1.clone())).collect();
            let table = Arc::clone(open);
            Some(MatchKey { number, table, key })
        }
        None => None,
    };
    let collation = match &key {
        Some(k) => table_of(k).keys()[k.key].fulltext.as_ref().map(|f| f.collation),
        None => None,
    };
    let collation = match collation {
        Some(collation) => collation,
        None => {
            for e in &mut columns {
                let text = text_type(&e.ty, ctx.collation);
                coerce(e, text, ctx)?;
            }
            let common = common_collation(&mut columns, Purpose::Comparison, "match", ctx)?.collation;
            // columns that cannot be compared are told before a key that is not there
            if natural {
                return Err(SqlError::new(ER_FT_MATCHING_KEY_NOT_FOUND, &[]));
            }
            common
        }
    };
    let mut args = vec![against];
    args.append(&mut columns);
    Ok(numbered(
        names,
        MatchCall { number: 0, mode, key, collation, args, again: false },
        &ctx.statement.params,
    ))
}

/// Gives a search its number: that of one which is the same.
fn numbered(names: &mut Names, mut call: MatchCall, params: &[Value]) -> MatchCall {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let mut bound = false;
    let value = |e: &Expr| match &e.node {
        Node::Param(n) => params.get(*n as usize).cloned(),
        Node::Literal(v) => Some(v.clone()),
        _ => None,
    };
    let same = |a: &Expr, b: &Expr, bound: &mut bool| {
        let alike = std::ptr::eq(a.ty.collation, b.ty.collation) || a.ty.ascii && b.ty.ascii;
        let own = a.node == b.node;
        *bound = !own && alike && value(a).is_some_and(|v| value(b) == Some(v));
        own || *bound
    };
    let key = |c: &MatchCall| c.key.as_ref().map(|k| (k.number, k.key));
    let known = names.searches.iter().find(|c| {
        c.mode == call.mode
            && key(c) == key(&call)
            && c.args.len() == call.args.len()
            && c.args[1..].iter().zip(&call.args[1..]).all(|(a, b)| a.node == b.node)
            && same(&c.args[0], &call.args[0], &mut bound)
    });
    match known {
        Some(c) => call.number = c.number,
        None => {
            call.number = NEXT.fetch_add(1, Ordering::Relaxed);
            names.searches.push(call.clone());
        }
    }
    names.bound_searches |= bound;
    call
}

/// 1214 for a table of an engine without full text. Such is a derived table that MariaDB makes in memory: it merges simple ones into the
/// query, and those with long texts it makes with another engine.
fn can_search(t: &ScopeTable) -> SqlResult<()> {
    let engine = match &t.relation {
        Relation::Base(open) if open.engine().can().fulltext => return Ok(()),
        Relation::Base(open) => open.engine().info().name,
        // the result of a UNION, in its ORDER BY
        Relation::Derived(_) if t.alias.is_empty() => return Ok(()),
        Relation::Derived(plan) => {
            let simple = match &plan.body {
                Body::Block(b) => {
                    b.group.is_none() && b.windows.is_none() && !b.distinct && b.limit.count.is_none()
                }
                _ => false,
            };
            if simple || t.columns.iter().any(|(_, ty)| ty.is_blob()) {
                return Ok(());
            }
            "MEMORY"
        }
        Relation::JsonTable(_) => "JSON_TABLE function",
        Relation::Virtual(_) | Relation::Merged => "MEMORY",
    };
    Err(SqlError::new(ER_TABLE_CANT_HANDLE_FT, &[&engine]))
}

/// The key that has these columns and no others. As MariaDB counts: each column of the MATCH that a key has counts, also one named
/// twice.
fn key_of<'t>(
    t: &'t ScopeTable,
    columns: &[Expr],
    natural: bool,
) -> Option<(&'t Arc<crate::table::OpenTable>, usize)> {
    let Relation::Base(open) = &t.relation else { return None };
    let state = open.state_of(&t.state);
    let mut counted = Vec::new();
    for (k, info) in open.keys().iter().enumerate() {
        let Some(fulltext) = &info.fulltext else { continue };
        let usable = state.key_active(k) && !open.def().keys[k].ignored && !fulltext.foreign_parser;
        // hints do not keep from a search that cannot do without
        if !usable || !(natural || t.hints.rows.allows(k)) {
            continue;
        }
        let has = |e: &&Expr| e.as_column().is_some_and(|c| fulltext.columns.contains(&(c.column as usize)));
        counted.push((k, fulltext.columns.len(), columns.iter().filter(has).count()));
    }
    let most = counted.iter().map(|c| c.2).max()?;
    let fits = |(_, parts, count): &&(usize, usize, usize)| {
        *count == most && most >= columns.len() && most >= *parts
    };
    counted.iter().find(fits).map(|(key, ..)| (open, *key))
}

/// The searches that find their table's rows, of conditions that all rows must meet. `lasting` becomes false when that depends on the
/// values of parameters.
pub(super) fn finders(
    conditions: &[Expr],
    lasting: &mut bool,
    ctx: &mut EvalContext,
) -> SqlResult<Vec<MatchCall>> {
    let mut found: Vec<MatchCall> = Vec::new();
    for e in conditions {
        let call = match &e.node {
            Node::Match(call) => call,
            Node::Compare(op, _, args) => {
                let (call, constant, op) = match (&bare(&args[0]).node, &bare(&args[1]).node, op) {
                    (Node::Match(call), _, op @ (CompareOp::Gt | CompareOp::Ge)) => (call, &args[1], *op),
                    (_, Node::Match(call), CompareOp::Lt) => (call, &args[0], CompareOp::Gt),
                    (_, Node::Match(call), CompareOp::Le) => (call, &args[0], CompareOp::Ge),
                    _ => continue,
                };
                if !constant.is_constant() {
                    continue;
                }
                let mark = ctx.mark();
                let value = constant.value(ctx);
                ctx.rollback_to(&mark);
                *lasting &= constant.is_foldable();
                let above = match value? {
                    Value::Int(v) => v as f64,
                    Value::UInt(v) => v as f64,
                    Value::Double(v) => v,
                    Value::Decimal(v) => v.to_f64(),
                    _ => continue,
                };
                if !(above > 0.0 || above == 0.0 && op == CompareOp::Gt) {
                    continue;
                }
                call
            }
            _ => continue,
        };
        if call.key.is_some() && can_find(call) {
            found.push((**call).clone());
        }
    }
    // the first key goes before others
    found.sort_by_key(|c| c.key.as_ref().map(|k| k.key));
    Ok(found)
}

/// Without the conversion that a comparison asks for.
fn bare(e: &Expr) -> &Expr {
    match &e.node {
        Node::Convert(inner) => inner,
        _ => e,
    }
}

/// Whether the texts of a row found can be looked at again: virtual columns are not stored.
fn can_find(call: &MatchCall) -> bool {
    let Some(key) = &call.key else { return false };
    let columns = &table_of(key).def().columns;
    let stored = |p: &schema::definition::KeyPart| !columns[p.column].is_virtual();
    call.mode == SearchMode::Natural || table_of(key).def().keys[key.key].parts.iter().all(stored)
}

/// The steps are chosen: the scores of searches that find rows come with them, what others ask of a row is settled. `buffered`: the
/// result is put together before it is sent.
pub(super) fn settle(plan: &mut BlockPlan, buffered: bool) {
    if !buffered && sorts_first(plan) {
        ask_again(plan);
    }
    let mut finding = Vec::new();
    each_step(&plan.steps, &mut |s| {
        if let Access::FullText(f) = &s.access {
            finding.push((f.call.number, s.table as u32));
        }
    });
    slots::for_each_expr_mut(plan, &mut |e| {
        e.walk_mut(&mut |e| {
            let Node::Match(call) = &mut e.node else { return };
            if call.again {
                // its score is among its arguments
            } else if let Some((_, table)) = finding.iter().find(|(n, _)| *n == call.number) {
                *e = Expr::column(*table, SCORE, e.ty.clone());
            } else if call.mode != SearchMode::Boolean
                && let Some(key) = &call.key
            {
                call.args.truncate(1);
                call.args.push(Expr::column(key.number, POSITION, FieldType::bigint(true)));
            }
        });
    });
    by_score(plan);
}

/// Whether the rows of the first table are sorted before they are joined or grouped, as MariaDB does where it needs no temporary table: it
/// computes the list when they come back from the sort.
fn sorts_first(plan: &BlockPlan) -> bool {
    let [first, others @ ..] = &plan.steps[..] else { return false };
    let mine = |e: &Expr| e.tables() & !(1 << first.table) == 0 && e.is_repeatable() && !has_match(e);
    let buffers = |s: &super::Step| {
        matches!(s.access, Access::Scan | Access::KeyScan { .. } | Access::Hash { .. }) && s.rows > 1.0
    };
    if others.iter().any(buffers) || !matches!(first.access, Access::FullText(_)) {
        return false;
    }
    match &plan.group {
        Some(g) => {
            let sorted = |a: &AggregateCall| a.distinct || a.function == AggregateFunction::GroupConcat;
            let apart = g.rollup || g.aggregates.iter().any(sorted);
            apart && !g.keys.is_empty() && g.keys.iter().all(mine)
        }
        None => {
            let mut keys = plan.order.iter().map(|(at, _)| &plan.output[*at]);
            !plan.distinct && !plan.order.is_empty() && keys.all(mine)
        }
    }
}

/// What is computed behind the sort asks boolean searches anew: the score is that of the row then, not of the way it was found.
fn ask_again(plan: &mut BlockPlan) {
    let Some(super::Step { access: Access::FullText(f), table, .. }) = plan.steps.first() else { return };
    if f.call.mode != SearchMode::Boolean {
        return;
    }
    let (number, table) = (f.call.number, *table as u32);
    let mut ask = |e: &mut Expr| {
        e.walk_mut(&mut |e| {
            let Node::Match(call) = &mut e.node else { return };
            if call.number == number {
                call.args.truncate(1);
                call.args.push(Expr::column(table, SCORE, e.ty.clone()));
                call.again = true;
            }
        });
    };
    plan.output.iter_mut().for_each(&mut ask);
    if let Some(g) = &mut plan.group {
        g.items.iter_mut().for_each(&mut ask);
        for a in &mut g.aggregates {
            a.args.iter_mut().for_each(&mut ask);
            a.order_by.iter_mut().for_each(|(e, _)| ask(e));
        }
    }
}

fn each_step(steps: &[super::Step], f: &mut dyn FnMut(&super::Step)) {
    for s in steps {
        f(s);
        if let Access::Nest { steps } = &s.access {
            each_step(steps, f);
        }
    }
}

/// The best rows first, where that is what ORDER BY asks for: nothing is sorted but the list of what was found.
fn by_score(plan: &mut BlockPlan) {
    let ([step], [(at, true)]) = (&mut plan.steps[..], &plan.order[..]) else { return };
    let Access::FullText(f) = &mut step.access else { return };
    let score = plan.output[*at].as_column().is_some_and(|c| c.column == SCORE);
    if score && plan.group.is_none() && plan.windows.is_none() && !plan.distinct {
        f.order = Order::Score;
        plan.ordered_by_access = true;
    }
}

/// A MATCH in what a changed row gets: the row's position is known when it is computed (`Execution::position`).
pub(super) fn of_changed_row(e: &mut Expr, single: bool) -> SqlResult<()> {
    let mut failed = false;
    e.walk_mut(&mut |e| {
        if let Node::Match(call) = &mut e.node
            && call.mode != SearchMode::Boolean
        {
            failed |= !single;
            call.args.truncate(1);
        }
    });
    if failed { Err(SqlError::not_supported("MATCH in assignments of several tables")) } else { Ok(()) }
}

/// A MATCH in RETURNING of an INSERT: MariaDB has searched for nothing then, and says -1.
pub(super) fn of_inserted_row(e: &mut Expr) {
    e.walk_mut(&mut |e| {
        if matches!(e.node, Node::Match(_)) {
            e.node = Node::Literal(Value::Double(-1.0));
        }
    });
}

/// Whether an expression asks for the score of a search that ranks.
pub(crate) fn ranks(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(&e.node, Node::Match(call) if call.mode != SearchMode::Boolean));
    found
}

/// Whether a MATCH, or the score of one, is in an expression.
pub(crate) fn has_match(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| {
        found |= match &e.node {
            Node::Match(_) => true,
            Node::Column(c) => c.column == SCORE && c.table != u32::MAX,
            _ => false,
        };
    });
    found
}
