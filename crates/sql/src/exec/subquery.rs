//! Subqueries of expressions.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::accumulate::order;
use super::answers::Answers;
use super::keyed::Way;
use super::keyset::{KeySet, KeySetBuilder};
use super::materialize::{MaterializedRows, Materializer};
use super::sortkey;
use super::{Exec, Running};
use crate::error::{ER_OPERAND_COLUMNS, ER_SUBQUERY_NO_1_ROW, SqlError, SqlResult};
use crate::expr::full_text::{HitList, MatchCall};
use crate::expr::{
    CompareOp, Comparison, EvalContext, Frame, Rows, SubqueryKind, SubqueryNode, SubqueryRunner, VecRef,
    order_digits,
};
use crate::memory::BATCH_ROWS;
use crate::plan::{QueryPlan, SubqueryPlan};
use crate::types::number::round_stored;
use crate::types::{Batch, Class, Value, ValueRef, Vector};
use crate::warning::Warning;

/// By the address of a plan, which is asked for with each row: nobody else chooses it.
type ByPlan<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// What independent subqueries gave, by the address of their plan.
#[derive(Default)]
pub struct Memory {
    known: ByPlan<usize, Rc<Known>>,
    /// Their warnings, which are told again when rows are evaluated anew.
    remarks: ByPlan<usize, Box<[Warning]>>,
    /// How correlated ones are answered.
    pub(super) ways: ByPlan<usize, Way>,
    /// What those answered that were run for single rows, by the column that is asked for, too.
    pub(super) answers: ByPlan<(usize, u32), Answers>,
    /// The rows that the query run last found, for FOUND_ROWS; `None` for those it sent.
    pub found_rows: Option<u64>,
}

/// What is kept of the rows of a subquery that runs once.
enum Known {
    /// A scalar, or whether there are rows.
    Value(Value),
    /// A row of values, NULLs when there is none.
    Row(Vec<Value>),
    /// IN and its like.
    Set {
        /// The keys of rows without NULL.
        keys: KeySet,
        /// There is no row at all.
        empty: bool,
        /// A row has a NULL.
        null: bool,
        /// The rows, where several columns are compared.
        rows: Option<MaterializedRows>,
        /// Room for a key and its weights.
        room: RefCell<(Vec<u8>, Vec<u8>)>,
    },
    /// The smallest or the largest value, as the type of the column orders them: the one that decides of an order with ANY or ALL.
    End {
        /// A row of it, NULL for none.
        value: Batch,
        /// There is no row at all.
        empty: bool,
        /// A row is NULL.
        null: bool,
    },
    /// The smallest and the largest value, NULL for none: what other comparisons with ANY and ALL ask for.
    Ends {
        /// Both.
        low: Value,
        /// Of them.
        high: Value,
        /// There is no row at all.
        empty: bool,
        /// A row is NULL.
        null: bool,
    },
}

/// The operators of correlated subqueries between their runs for one outer row and for the next, by number of the subquery.
/// Whoever evaluates expressions for many rows has them.
#[derive(Default)]
pub struct Kept<'p>(RefCell<Vec<(u32, Running<'p>)>>);

impl<'p> Kept<'p> {
    fn take(&self, id: u32) -> Option<Running<'p>> {
        let mut list = self.0.borrow_mut();
        let at = list.iter().position(|(of, _)| *of == id)?;
        Some(list.swap_remove(at).1)
    }

    fn put(&self, id: u32, running: Running<'p>) {
        self.0.borrow_mut().push((id, running));
    }
}

/// Runs the subqueries of one plan.
pub struct Runner<'r, 'p, 'e> {
    exec: &'p Exec<'e>,
    /// The plan whose expressions are evaluated.
    plan: &'p QueryPlan,
    kept: Option<&'r Kept<'p>>,
}

impl<'r, 'p, 'e> Runner<'r, 'p, 'e> {
    /// For expressions that are evaluated once, or for few rows.
    pub fn new(exec: &'p Exec<'e>, plan: &'p QueryPlan) -> Self {
        Runner { exec, plan, kept: None }
    }

    /// Makes the operators of a subquery once, if they can run again.
    pub fn keeping(exec: &'p Exec<'e>, plan: &'p QueryPlan, kept: &'r Kept<'p>) -> Self {
        Runner { exec, plan, kept: Some(kept) }
    }

    /// The execution.
    pub(super) fn exec(&self) -> &'p Exec<'e> {
        self.exec
    }

    /// Whether it is for the rows of a query.
    pub(super) fn is_for_many(&self) -> bool {
        self.kept.is_some()
    }

    pub(super) fn open(&self, id: u32, plan: &'p QueryPlan, ctx: &mut EvalContext) -> SqlResult<Running<'p>> {
        match self.kept.and_then(|kept| kept.take(id)) {
            Some(running) => Ok(running),
            None => self.exec.open(plan, ctx),
        }
    }

    fn finish(&self, id: u32, running: Running<'p>, ctx: &mut EvalContext) -> SqlResult<()> {
        if self.plan.subqueries[id as usize].independent {
            running.finish(ctx)
        } else {
            self.keep(id, running, ctx)
        }
    }

    /// Keeps the operators for another run, where they can run again.
    pub(super) fn keep(&self, id: u32, running: Running<'p>, ctx: &mut EvalContext) -> SqlResult<()> {
        let Some(kept) = self.kept else { return running.finish(ctx) };
        if let Some(running) = running.finish_and_rewind(ctx)? {
            kept.put(id, running);
        }
        Ok(())
    }
}

impl SubqueryRunner for Runner<'_, '_, '_> {
    fn run(
        &self,
        node: &SubqueryNode,
        outer: &[Value],
        left: &[Value],
        ctx: &mut EvalContext,
    ) -> SqlResult<Value> {
        let sub = &self.plan.subqueries[node.id as usize];
        if sub.independent {
            return match self.sought(sub, node, left, ctx)? {
                Some(answer) => Ok(answer),
                None => self.known(sub, node, ctx)?.answer(node, left, ctx),
            };
        }
        let saved = std::mem::replace(&mut ctx.statement.outer, outer.to_vec());
        let answer = self.answer(sub, node, left, ctx);
        ctx.statement.outer = saved;
        answer
    }

    fn run_all(
        &self,
        node: &SubqueryNode,
        left: &Vector,
        rows: usize,
        out: &mut Vector,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        let sub = &self.plan.subqueries[node.id as usize];
        // of one row it may be asked whether a row has its value
        let by_row = sub.by_row.is_some() && !ctx.measures();
        if rows < 2 || by_row || !sub.independent || out.class() != Class::Int {
            return Ok(false);
        }
        match &*self.known(sub, node, ctx)? {
            Known::Set { keys, empty, null, rows: None, room } => {
                let mut room = room.borrow_mut();
                for row in 0..rows {
                    let truth = if *empty {
                        Some(false)
                    } else {
                        member_of_column(node, keys, *null, left.get(row), &mut room)?
                    };
                    out.push(told(truth, node.kind.is_negated()).as_ref());
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn search(
        &self,
        call: &MatchCall,
        query: &[u8],
        ctx: &mut EvalContext,
    ) -> SqlResult<std::sync::Arc<dyn HitList>> {
        super::full_text::search(self.exec, call, query, ctx)
    }
}

impl<'p> Runner<'_, 'p, '_> {
    /// The answer of a subquery that is run for one row.
    pub(super) fn found(
        &self,
        plan: &'p QueryPlan,
        node: &SubqueryNode,
        left: &[Value],
        ctx: &mut EvalContext,
    ) -> SqlResult<Value> {
        match node.kind {
            SubqueryKind::Scalar | SubqueryKind::Exists => self.value(plan, node, ctx),
            SubqueryKind::Column(n) => Ok(nth(&self.row(plan, node, ctx)?, n)),
            SubqueryKind::In { negated } => {
                let mut truth = Some(false);
                let mut rows = Compared::new(self, plan, node, ctx)?;
                while let Some(batch) = rows.next(ctx)? {
                    for row in 0..batch.len {
                        truth = either(truth, equal(node, left, batch, row));
                    }
                }
                rows.finish(self, ctx)?;
                Ok(told(truth, negated))
            }
            SubqueryKind::Quantified { op, all } => {
                let mut truth = Some(all);
                let mut rows = Compared::new(self, plan, node, ctx)?;
                while let Some(batch) = rows.next(ctx)? {
                    for row in 0..batch.len {
                        let o = compare(left[0].as_ref(), batch.columns[0].get(row), node.by.first());
                        truth = quantified(truth, holds(op, o), all);
                    }
                }
                rows.finish(self, ctx)?;
                Ok(told(truth, false))
            }
        }
    }

    /// A scalar; whether there is a row.
    fn value(&self, plan: &'p QueryPlan, node: &SubqueryNode, ctx: &mut EvalContext) -> SqlResult<Value> {
        let kind = node.kind;
        let (mut value, mut rows, mut columns) = (Value::Null, 0, 1);
        let most = if kind == SubqueryKind::Exists { 1 } else { 2 };
        let mut running = self.open(node.id, plan, ctx)?;
        while rows < most
            && let Some(found) = running.next_chunk(ctx)?
        {
            if rows == 0 && kind == SubqueryKind::Scalar {
                let columns_found = &found.rows.columns;
                columns = columns_found.len();
                value = columns_found.first().map_or(Value::Null, |v| v.value(found.row(0)));
            }
            rows += found.len();
        }
        self.finish(node.id, running, ctx)?;
        if kind == SubqueryKind::Exists {
            return Ok(Value::Int(i64::from(rows > 0)));
        }
        if rows > 1 {
            if ctx.statement.ignore {
                ctx.warnings.remark(ER_SUBQUERY_NO_1_ROW, &[]);
                return Ok(Value::Null);
            }
            return Err(SqlError::new(ER_SUBQUERY_NO_1_ROW, &[]));
        }
        if columns != 1 {
            return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&1]));
        }
        Ok(value)
    }

    /// The values of a subquery of one row; none when it has no row.
    fn row(&self, plan: &'p QueryPlan, node: &SubqueryNode, ctx: &mut EvalContext) -> SqlResult<Vec<Value>> {
        let (mut row, mut rows) = (Vec::new(), 0);
        let mut running = self.open(node.id, plan, ctx)?;
        while rows < 2
            && let Some(found) = running.next_chunk(ctx)?
        {
            if rows == 0 {
                row = found.rows.columns.iter().map(|v| v.value(found.row(0))).collect();
            }
            rows += found.len();
        }
        self.finish(node.id, running, ctx)?;
        if rows > 1 {
            return Err(SqlError::new(ER_SUBQUERY_NO_1_ROW, &[]));
        }
        Ok(row)
    }

    fn known(
        &self,
        sub: &'p Arc<SubqueryPlan>,
        node: &SubqueryNode,
        ctx: &mut EvalContext,
    ) -> SqlResult<Rc<Known>> {
        let at = Arc::as_ptr(sub) as usize;
        if let Some(k) = self.exec.memory.borrow().known.get(&at) {
            if let Some(warnings) = self.exec.memory.borrow().remarks.get(&at)
                && !ctx.statement.told.contains(&at)
            {
                ctx.warnings.tell_again(warnings);
                ctx.statement.told.push(at);
            }
            return Ok(Rc::clone(k));
        }
        let saved = std::mem::take(&mut ctx.statement.outer);
        let mark = ctx.warnings.mark();
        let known = self.learn(&sub.plan, node, ctx);
        ctx.statement.outer = saved;
        let known = Rc::new(known?);
        let remarks = ctx.warnings.since(mark);
        if !remarks.is_empty() {
            self.exec.memory.borrow_mut().remarks.insert(at, remarks.into());
            ctx.statement.told.push(at);
        }
        self.exec.memory.borrow_mut().known.insert(at, Rc::clone(&known));
        Ok(known)
    }

    fn learn(&self, plan: &'p QueryPlan, node: &SubqueryNode, ctx: &mut EvalContext) -> SqlResult<Known> {
        let (mut empty, mut null) = (true, false);
        match node.kind {
            SubqueryKind::Scalar | SubqueryKind::Exists => Ok(Known::Value(self.value(plan, node, ctx)?)),
            SubqueryKind::Column(_) => Ok(Known::Row(self.row(plan, node, ctx)?)),
            SubqueryKind::Quantified { op, all } if node.decides && is_order(op) => {
                let way = if matches!(op, CompareOp::Lt | CompareOp::Le) == all {
                    Ordering::Less
                } else {
                    Ordering::Greater
                };
                self.end(plan, node, way, ctx)
            }
            SubqueryKind::Quantified { op, all } if !asks_for_set(op, all) => {
                let (mut low, mut high) = (Value::Null, Value::Null);
                let mut rows = Compared::new(self, plan, node, ctx)?;
                while let Some(batch) = rows.next(ctx)? {
                    let v = &batch.columns[0];
                    for row in 0..batch.len {
                        empty = false;
                        let x = v.get(row);
                        null |= x.is_null();
                        let beyond = |end: &Value, way: Ordering| {
                            !x.is_null()
                                && (end.is_null() || compare(x, end.as_ref(), node.by.first()) == Some(way))
                        };
                        if beyond(&low, Ordering::Less) {
                            low = x.to_owned();
                        }
                        if beyond(&high, Ordering::Greater) {
                            high = x.to_owned();
                        }
                    }
                }
                rows.finish(self, ctx)?;
                Ok(Known::Ends { low, high, empty, null })
            }
            SubqueryKind::In { .. } | SubqueryKind::Quantified { .. } => {
                let budget = ctx.budget.clone();
                let mut keys = KeySetBuilder::new(&budget);
                let mut whole_rows = (plan.types.len() > 1).then(|| Materializer::new(&budget));
                let (mut key, mut scratch) = (Vec::new(), Vec::new());
                let mut rows = Compared::new(self, plan, node, ctx)?;
                while let Some(batch) = rows.next(ctx)? {
                    empty &= batch.len == 0;
                    for row in 0..batch.len {
                        key.clear();
                        let mut whole = true;
                        for (i, v) in batch.columns.iter().enumerate() {
                            whole &= !v.is_null(row);
                            encode(v.get(row), node, i, &mut key, &mut scratch);
                        }
                        if whole {
                            keys.insert(&key)?;
                        } else {
                            null = true;
                        }
                    }
                    if let Some(rows) = &mut whole_rows {
                        rows.push_batch(batch)?;
                    }
                }
                rows.finish(self, ctx)?;
                let rows = whole_rows.map(Materializer::finish).transpose()?;
                Ok(Known::Set { keys: keys.finish()?, empty, null, rows, room: RefCell::new((key, scratch)) })
            }
        }
    }
}

impl<'p> Runner<'_, 'p, '_> {
    /// The value of a subquery that goes furthest one `way`. As MIN and MAX, it is found before values become what they are compared
    /// as: of texts beside numbers it is the first or the last text.
    fn end(
        &self,
        plan: &'p QueryPlan,
        node: &SubqueryNode,
        way: Ordering,
        ctx: &mut EvalContext,
    ) -> SqlResult<Known> {
        let (mut empty, mut null, mut best) = (true, false, Value::Null);
        let mut running = self.open(node.id, plan, ctx)?;
        while let Some(batch) = running.next(ctx)? {
            let v = &batch.columns[0];
            for row in 0..batch.len {
                empty = false;
                let x = v.get(row);
                if x.is_null() {
                    null = true;
                } else if best.is_null() || order(x, best.as_ref(), &plan.types[0]) == way {
                    best = x.to_owned();
                }
            }
        }
        self.finish(node.id, running, ctx)?;
        let mut column = Vector::new(plan.types[0].class());
        column.push(best.as_ref());
        Ok(Known::End { value: Batch { columns: vec![column], len: 1 }, empty, null })
    }
}

/// The rows of a subquery, its columns in the class in which they are compared.
struct Compared<'n, 'p> {
    rows: Running<'p>,
    node: &'n SubqueryNode,
    /// They are compared as they come.
    plain: bool,
    made: Batch,
}

impl<'n, 'p> Compared<'n, 'p> {
    fn new(
        runner: &Runner<'_, 'p, '_>,
        plan: &'p QueryPlan,
        node: &'n SubqueryNode,
        ctx: &mut EvalContext,
    ) -> SqlResult<Compared<'n, 'p>> {
        let plain = node.compare_as.iter().all(|e| e.as_column().is_some());
        Ok(Compared { rows: runner.open(node.id, plan, ctx)?, node, plain, made: Batch::default() })
    }

    fn next(&mut self, ctx: &mut EvalContext) -> SqlResult<Option<&Batch>> {
        let Some(batch) = self.rows.next(ctx)? else { return Ok(None) };
        if self.plain {
            return Ok(Some(batch));
        }
        for v in self.made.columns.drain(..) {
            ctx.recycle(v);
        }
        for e in &self.node.compare_as {
            self.made.columns.push(match e.eval(Frame::new(batch), Rows::All(batch.len), ctx)? {
                VecRef::Borrowed(v) => v.clone(),
                VecRef::Owned(v) => v,
            });
        }
        self.made.len = batch.len;
        Ok(Some(&self.made))
    }

    fn finish(self, runner: &Runner<'_, 'p, '_>, ctx: &mut EvalContext) -> SqlResult<()> {
        runner.finish(self.node.id, self.rows, ctx)
    }
}

/// Value `n` of a row that may not be there.
fn nth(row: &[Value], n: u32) -> Value {
    row.get(n as usize).cloned().unwrap_or_default()
}

/// Whether the answer is that of IN or NOT IN.
fn asks_for_set(op: CompareOp, all: bool) -> bool {
    matches!((op, all), (CompareOp::Eq | CompareOp::NullSafeEq, false) | (CompareOp::Ne, true))
}

/// Whether values are asked to come before or behind those of the subquery.
fn is_order(op: CompareOp) -> bool {
    matches!(op, CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge)
}

/// A truth value; unknown is NULL.
pub(super) fn told(truth: Option<bool>, negated: bool) -> Value {
    truth.map_or(Value::Null, |t| Value::Int(i64::from(t != negated)))
}

fn either(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (None, _) | (_, None) => None,
        _ => Some(false),
    }
}

/// What is known of ANY or ALL after another row.
fn quantified(before: Option<bool>, row: Option<bool>, all: bool) -> Option<bool> {
    if before == Some(!all) || row == Some(!all) {
        Some(!all)
    } else if before.is_none() || row.is_none() {
        None
    } else {
        Some(all)
    }
}

/// Whether a row equals the left operands.
fn equal(node: &SubqueryNode, left: &[Value], batch: &Batch, row: usize) -> Option<bool> {
    let mut truth = Some(true);
    for (i, l) in left.iter().enumerate() {
        match compare(l.as_ref(), batch.columns[i].get(row), node.by.get(i)) {
            None => truth = truth.filter(|t| !t),
            Some(o) if o.is_ne() => return Some(false),
            Some(_) => {}
        }
    }
    truth
}

impl Known {
    fn answer(&self, node: &SubqueryNode, left: &[Value], ctx: &mut EvalContext) -> SqlResult<Value> {
        match self {
            Known::Value(v) => Ok(v.clone()),
            Known::Row(row) => Ok(match node.kind {
                SubqueryKind::Column(n) => nth(row, n),
                _ => Value::Null,
            }),
            Known::Set { keys, empty, null, rows, room } => {
                let truth = if *empty {
                    Some(false)
                } else {
                    member(node, keys, *null, rows.as_ref(), left, &mut room.borrow_mut())?
                };
                Ok(told(truth, node.kind.is_negated()))
            }
            Known::End { value, empty, null } => {
                let SubqueryKind::Quantified { op, all } = node.kind else { return Ok(Value::Null) };
                let mut truth = Some(all);
                if !empty {
                    let end = node.compare_as[0].value_in(Frame::new(value), ctx)?;
                    truth = holds(op, compare(left[0].as_ref(), end.as_ref(), node.by.first()));
                    if *null {
                        truth = quantified(truth, None, all);
                    }
                }
                Ok(told(truth, false))
            }
            Known::Ends { low, high, empty, null } => {
                let SubqueryKind::Quantified { op, all } = node.kind else { return Ok(Value::Null) };
                let mut truth = Some(all);
                if !empty {
                    let x = left[0].as_ref();
                    let with = |end: &Value| holds(op, compare(x, end.as_ref(), node.by.first()));
                    // what holds for none of the two ends holds for nothing between them
                    truth = quantified(truth, with(low), all);
                    truth = quantified(truth, with(high), all);
                    if *null {
                        truth = quantified(truth, None, all);
                    }
                }
                Ok(told(truth, false))
            }
        }
    }
}

fn encode(v: ValueRef<'_>, node: &SubqueryNode, i: usize, key: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    encode_as(v, node.by.get(i), key, scratch);
}

/// Appends a value as bytes that are equal for those that compare as equal.
pub(super) fn encode_as(v: ValueRef<'_>, by: Option<&Comparison>, key: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    match (by, v) {
        (Some(Comparison::Text(c)), _) => sortkey::encode_value(v, c, key, scratch),
        // one side may be signed, the other unsigned
        (Some(Comparison::Int), ValueRef::Int(x)) => integer(i128::from(x), key),
        (Some(Comparison::Int), ValueRef::UInt(x)) => integer(i128::from(x), key),
        (Some(Comparison::Digits(digits)), ValueRef::Double(x)) => {
            let near = ValueRef::Double(round_stored(x, *digits));
            sortkey::encode_value(near, charset::binary(), key, scratch);
        }
        _ => sortkey::encode_value(v, charset::binary(), key, scratch),
    }
}

/// An integer of either signedness as bytes of equal length.
fn integer(v: i128, key: &mut Vec<u8>) {
    key.push(if v < 0 { 1 } else { 2 });
    key.extend_from_slice(&(v as u64).to_be_bytes());
}

fn holds(op: CompareOp, o: Option<Ordering>) -> Option<bool> {
    let o = o?;
    Some(match op {
        CompareOp::Eq | CompareOp::NullSafeEq => o.is_eq(),
        CompareOp::Ne => o.is_ne(),
        CompareOp::Lt => o.is_lt(),
        CompareOp::Le => o.is_le(),
        CompareOp::Gt => o.is_gt(),
        CompareOp::Ge => o.is_ge(),
    })
}

/// `value IN rows` of one column, which are not none: true, false, or unknown because of NULLs.
#[inline]
fn member_of_column(
    node: &SubqueryNode,
    keys: &KeySet,
    null: bool,
    value: ValueRef<'_>,
    (key, scratch): &mut (Vec<u8>, Vec<u8>),
) -> SqlResult<Option<bool>> {
    if value.is_null() {
        return Ok(None);
    }
    key.clear();
    encode(value, node, 0, key, scratch);
    Ok(if keys.contains(key)? { Some(true) } else { (!null).then_some(false) })
}

/// `left IN rows`: true, false, or unknown because of NULLs.
fn member(
    node: &SubqueryNode,
    keys: &KeySet,
    null: bool,
    rows: Option<&MaterializedRows>,
    left: &[Value],
    room: &mut (Vec<u8>, Vec<u8>),
) -> SqlResult<Option<bool>> {
    let (Some(rows), [_, _, ..]) = (rows, left) else {
        return member_of_column(node, keys, null, left[0].as_ref(), room);
    };
    let (key, scratch) = room;
    if left.iter().all(|v| !v.is_null()) {
        key.clear();
        for (i, v) in left.iter().enumerate() {
            encode(v.as_ref(), node, i, key, scratch);
        }
        if keys.contains(key)? {
            return Ok(Some(true));
        }
        if !null {
            return Ok(Some(false));
        }
    }
    // a part may differ
    let mut truth = Some(false);
    let mut reader = rows.read();
    while truth != Some(true)
        && let Some((batch, rows)) = reader.next_run(BATCH_ROWS)?
    {
        for row in rows {
            truth = either(truth, equal(node, left, batch, row));
        }
    }
    Ok(truth)
}

/// Order of two values of one class; nothing when one is NULL.
#[must_use]
pub fn compare(a: ValueRef<'_>, b: ValueRef<'_>, by: Option<&Comparison>) -> Option<Ordering> {
    if a.is_null() || b.is_null() {
        return None;
    }
    let collation = match by {
        Some(Comparison::Text(c)) => *c,
        _ => charset::binary(),
    };
    if let (Some(Comparison::Digits(digits)), ValueRef::Double(x), ValueRef::Double(y)) = (by, a, b) {
        return Some(order_digits(x, y, *digits));
    }
    if let (ValueRef::Bytes(x), ValueRef::Bytes(y)) = (a, b) {
        return Some(collation.compare(x, y));
    }
    if let (ValueRef::Int(x), ValueRef::UInt(y)) = (a, b) {
        return Some(i128::from(x).cmp(&i128::from(y)));
    }
    if let (ValueRef::UInt(x), ValueRef::Int(y)) = (a, b) {
        return Some(i128::from(x).cmp(&i128::from(y)));
    }
    let (mut x, mut y, mut scratch) = (Vec::new(), Vec::new(), Vec::new());
    sortkey::encode_value(a, collation, &mut x, &mut scratch);
    sortkey::encode_value(b, collation, &mut y, &mut scratch);
    Some(x.cmp(&y))
}
