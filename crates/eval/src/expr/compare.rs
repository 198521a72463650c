//! Comparison, BETWEEN and IN.

use super::context::CONSTANT_BYTES;
use super::eval::{Frame, Rows, VecRef};
use super::{CompareOp, Comparison, EvalContext, Expr, Node};
use crate::error::SqlResult;
use crate::types::{Class, Decimal, Value, Vector};
use charset::{Collation, KeyPad};
use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering as AtomicOrdering};

impl CompareOp {
    /// Whether an ordering satisfies the operator.
    #[inline]
    #[must_use]
    pub fn holds(self, o: Ordering) -> bool {
        match self {
            CompareOp::Eq | CompareOp::NullSafeEq => o == Ordering::Equal,
            CompareOp::Ne => o != Ordering::Equal,
            CompareOp::Lt => o == Ordering::Less,
            CompareOp::Le => o != Ordering::Greater,
            CompareOp::Gt => o == Ordering::Greater,
            CompareOp::Ge => o != Ordering::Less,
        }
    }

    /// The operator with its sides exchanged.
    #[must_use]
    pub fn swapped(self) -> CompareOp {
        match self {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
            op => op,
        }
    }

    /// The sign as it is written.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            CompareOp::Eq => "=",
            CompareOp::NullSafeEq => "<=>",
            CompareOp::Ne => "<>",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        }
    }
}

/// Compares integers of either signedness (`i64` bits).
#[inline]
fn cmp_int(a: i64, a_unsigned: bool, b: i64, b_unsigned: bool) -> Ordering {
    match (a_unsigned, b_unsigned) {
        (false, false) => a.cmp(&b),
        (true, true) => (a as u64).cmp(&(b as u64)),
        (false, true) => {
            if a < 0 {
                Ordering::Less
            } else {
                (a as u64).cmp(&(b as u64))
            }
        }
        (true, false) => {
            if b < 0 {
                Ordering::Greater
            } else {
                (a as u64).cmp(&(b as u64))
            }
        }
    }
}

/// Compares row `i` of `a` with row `j` of `b`; neither is NULL.
#[inline]
pub(super) fn order(by: Comparison, a: &Vector, i: usize, b: &Vector, j: usize) -> Ordering {
    match by {
        Comparison::Int => cmp_int(a.i64(i), a.class() == Class::UInt, b.i64(j), b.class() == Class::UInt),
        Comparison::Temporal => a.i64(i).cmp(&b.i64(j)),
        Comparison::Double => a.f64(i).partial_cmp(&b.f64(j)).unwrap_or(Ordering::Equal),
        Comparison::Decimal => {
            let at = |v: &Vector, i: usize| if v.is_constant() { 0 } else { i };
            a.decimals()[at(a, i)].cmp(&b.decimals()[at(b, j)])
        }
        Comparison::Text(c) => c.compare(a.bytes(i), b.bytes(j)),
    }
}

impl Comparison {
    /// The order of two values that are not NULL, both of the class this comparison wants.
    #[must_use]
    pub fn order_values(self, a: &Value, b: &Value) -> Ordering {
        match (self, a, b) {
            (Comparison::Text(c), Value::Bytes(a), Value::Bytes(b)) => c.compare(a, b),
            (_, Value::Int(a), Value::Int(b)) => a.cmp(b),
            (_, Value::UInt(a), Value::UInt(b)) => a.cmp(b),
            (_, Value::Int(a), Value::UInt(b)) => cmp_int(*a, false, *b as i64, true),
            (_, Value::UInt(a), Value::Int(b)) => cmp_int(*a as i64, true, *b, false),
            (_, Value::Double(a), Value::Double(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            (_, Value::Decimal(a), Value::Decimal(b)) => a.cmp(b),
            (_, Value::Date(a) | Value::DateTime(a), Value::Date(b) | Value::DateTime(b)) => a.cmp(b),
            (_, Value::Time(a), Value::Time(b)) => a.packed().cmp(&b.packed()),
            (_, Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
            _ => Ordering::Equal,
        }
    }
}

/// `a op b` row by row.
pub(super) fn compare(
    op: CompareOp,
    by: Comparison,
    a: &Vector,
    b: &Vector,
    ctx: &mut EvalContext,
) -> Vector {
    let mut out = ctx.take(Class::Int);
    let constant = a.is_constant() && b.is_constant();
    let n = if a.is_constant() { b.len() } else { a.len() };
    if op == CompareOp::NullSafeEq {
        for i in 0..n {
            let equal = match (a.is_null(i), b.is_null(i)) {
                (true, true) => true,
                (false, false) => order(by, a, i, b, i).is_eq(),
                _ => false,
            };
            out.push_i64(i64::from(equal));
        }
    } else {
        for i in 0..n {
            if a.is_null(i) || b.is_null(i) {
                out.push_null();
            } else {
                out.push_i64(i64::from(op.holds(order(by, a, i, b, i))));
            }
        }
    }
    out.set_constant(constant);
    out
}

/// Appends the rows for which `a op b` is true.
pub(super) fn select(
    op: CompareOp,
    by: Comparison,
    a: &Vector,
    b: &Vector,
    rows: Rows<'_>,
    out: &mut Vec<u32>,
) {
    let n = rows.len();
    // The frequent shape: signed integers (or packed temporals) without NULL against a constant.
    let plain = match by {
        Comparison::Int => a.class() == Class::Int && b.class() == Class::Int,
        Comparison::Temporal => true,
        _ => false,
    };
    if plain && !a.is_constant() && b.is_constant() && !a.any_null() && !b.any_null() {
        let c = b.i64(0);
        let v = &a.i64s()[..n];
        let mut run = |holds: &dyn Fn(i64) -> bool| match rows {
            Rows::All(_) => {
                out.extend(v.iter().enumerate().filter(|(_, x)| holds(**x)).map(|(i, _)| i as u32));
            }
            Rows::Some(r) => out.extend(v.iter().zip(r).filter(|(x, _)| holds(**x)).map(|(_, r)| *r)),
        };
        match op {
            CompareOp::Eq | CompareOp::NullSafeEq => run(&|x| x == c),
            CompareOp::Ne => run(&|x| x != c),
            CompareOp::Lt => run(&|x| x < c),
            CompareOp::Le => run(&|x| x <= c),
            CompareOp::Gt => run(&|x| x > c),
            CompareOp::Ge => run(&|x| x >= c),
        }
        return;
    }
    if let Comparison::Text(c) = by
        && !a.is_constant()
        && b.is_constant()
        && !b.is_null(0)
    {
        let all = (0..n).filter(text_filter(op, c, a, b.bytes(0)));
        return out.extend(all.map(|i| rows.row(i) as u32));
    }
    for i in 0..n {
        let hit = match (a.is_null(i), b.is_null(i)) {
            (false, false) => op.holds(order(by, a, i, b, i)),
            (true, true) => op == CompareOp::NullSafeEq,
            _ => false,
        };
        if hit {
            out.push(rows.row(i) as u32);
        }
    }
}

/// As [`select`], of values of a column where they lie, and a text that is not NULL.
pub(super) fn select_texts(
    op: CompareOp,
    collation: &Collation,
    column: &Vector,
    text: &[u8],
    rows: Rows<'_>,
    out: &mut Vec<u32>,
) {
    let mut holds = text_filter(op, collation, column, text);
    match rows {
        Rows::All(n) => out.extend((0..n).filter(holds).map(|i| i as u32)),
        Rows::Some(r) => out.extend(r.iter().copied().filter(|i| holds(&(*i as usize)))),
    }
}

/// Whether a value of a vector, by its number, compares so with a text. How they begin decides most comparisons.
fn text_filter<'v>(
    op: CompareOp,
    collation: &'v Collation,
    v: &'v Vector,
    text: &'v [u8],
) -> impl FnMut(&usize) -> bool + use<'v> {
    let known = collation.has_key_prefix();
    let prefix = move |s: &[u8]| if known { collation.key_prefix(s, KeyPad::Own) } else { 0 };
    let begins = prefix(text);
    move |i| {
        if v.is_null(*i) {
            return false;
        }
        let value = v.bytes(*i);
        op.holds(prefix(value).cmp(&begins).then_with(|| collation.compare(value, text)))
    }
}

/// `v [NOT] BETWEEN low AND high`, three-valued.
pub(super) fn between(
    by: Comparison,
    v: &Vector,
    low: &Vector,
    high: &Vector,
    negated: bool,
    rows: usize,
    ctx: &mut EvalContext,
) -> Vector {
    let mut out = ctx.take(Class::Int);
    let constant = v.is_constant() && low.is_constant() && high.is_constant();
    for i in 0..if constant { 1 } else { rows } {
        if v.is_null(i) {
            out.push_null();
            continue;
        }
        let above = (!low.is_null(i)).then(|| order(by, v, i, low, i).is_ge());
        let below = (!high.is_null(i)).then(|| order(by, v, i, high, i).is_le());
        match (above, below) {
            (Some(a), Some(b)) => out.push_i64(i64::from((a && b) != negated)),
            (Some(false), _) | (_, Some(false)) => out.push_i64(i64::from(negated)),
            _ => out.push_null(),
        }
    }
    out.set_constant(constant);
    out
}

/// A constant IN list, prepared for look-up.
#[derive(Clone, Debug)]
pub struct InSet {
    values: Sorted,
    has_null: bool,
}

/// How it is found out whether a value is in a list. The list itself tells expressions apart.
#[derive(Clone, Debug)]
pub enum InLookup {
    /// Its values are known.
    Set(Box<InSet>),
    /// Its values are the same in an execution: they are prepared when the first row comes. The number is the list's.
    Later(u32, Constants),
    /// It is looked through item by item.
    Listed(Constants),
}

/// How the constants of a list are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constants {
    /// All items are of one type: in MariaDB they are converted before a statement becomes strict, and what does not convert warns.
    Prepared,
    /// As anything else is computed.
    Computed,
}

impl PartialEq for InLookup {
    fn eq(&self, _: &InLookup) -> bool {
        true
    }
}

/// The values of an item.
#[inline]
fn eval_item<'a>(
    e: &Expr,
    constants: Constants,
    frame: Frame<'a>,
    rows: Rows<'_>,
    ctx: &mut EvalContext,
) -> SqlResult<VecRef<'a>> {
    match (&e.node, constants) {
        (Node::Once(..), Constants::Prepared) => ctx.leniently(|ctx| e.eval(frame, rows, ctx)),
        _ => e.eval(frame, rows, ctx),
    }
}

/// Items of a list from which on it is worth to put it in order for an execution.
const MANY: usize = 16;

impl InLookup {
    /// Of a list whose items are converted for the comparison.
    #[must_use]
    pub fn new(by: Comparison, list: &[Expr], one_type: bool) -> InLookup {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let settled =
            list.iter().all(|e| matches!(e.node, Node::Literal(_) | Node::Param(_) | Node::Once(..)));
        let constants = if settled && one_type { Constants::Prepared } else { Constants::Computed };
        match InSet::new(by, list) {
            Some(set) => InLookup::Set(Box::new(set)),
            None if list.len() > MANY && settled => {
                InLookup::Later(NEXT.fetch_add(1, AtomicOrdering::Relaxed), constants)
            }
            None => InLookup::Listed(constants),
        }
    }
}

impl EvalContext {
    /// Computes what a strict statement does not fail by.
    fn leniently<T>(&mut self, f: impl FnOnce(&mut EvalContext) -> SqlResult<T>) -> SqlResult<T> {
        let strict = std::mem::replace(&mut self.warnings.escalate, false);
        let result = f(self);
        self.warnings.escalate = strict;
        result
    }

    /// The set of a list's values in this execution; none when they are not all of one class.
    fn in_set(
        &mut self,
        number: u32,
        constants: Constants,
        by: Comparison,
        list: &[Expr],
    ) -> SqlResult<Option<Arc<InSet>>> {
        if let Some((_, set)) = self.statement.in_sets.iter().find(|(n, _)| *n == number) {
            return Ok(set.clone());
        }
        let mut values = Vec::with_capacity(list.len());
        let mut bytes = 0;
        for e in list {
            // who keeps the set keeps the value
            let e = if let Node::Once(_, e) = &e.node { e } else { e };
            let value = match constants {
                Constants::Prepared => self.leniently(|ctx| e.value(ctx))?,
                Constants::Computed => e.value(self)?,
            };
            bytes += if let Value::Bytes(b) = &value { b.len() } else { 0 };
            if bytes > CONSTANT_BYTES {
                self.statement.in_sets.push((number, None));
                return Ok(None);
            }
            values.push(value);
        }
        self.check_killed()?;
        let set = InSet::of(by, &values.iter().collect::<Vec<_>>()).map(Arc::new);
        self.statement.in_sets.push((number, set.clone()));
        Ok(set)
    }
}

#[derive(Clone, Debug)]
enum Sorted {
    /// As `i128`, so that signed and unsigned are one order.
    Int(Vec<i128>),
    Double(Vec<f64>),
    Decimal(Vec<Decimal>),
    Temporal(Vec<i64>),
    Text(&'static Collation, Vec<Box<[u8]>>),
}

impl InSet {
    /// Prepares constant values; `None` when one is not of the comparison's class.
    #[must_use]
    pub fn new(by: Comparison, list: &[Expr]) -> Option<InSet> {
        InSet::of(by, &list.iter().map(Expr::as_literal).collect::<Option<Vec<_>>>()?)
    }

    /// As [`InSet::new`].
    fn of(by: Comparison, list: &[&Value]) -> Option<InSet> {
        let has_null = list.iter().any(|v| v.is_null());
        let values: Vec<&Value> = list.iter().copied().filter(|v| !v.is_null()).collect();
        let values = match by {
            Comparison::Int => {
                let mut set: Vec<i128> = values
                    .iter()
                    .map(|v| match v {
                        Value::Int(v) => Some(i128::from(*v)),
                        Value::UInt(v) => Some(i128::from(*v)),
                        _ => None,
                    })
                    .collect::<Option<_>>()?;
                set.sort_unstable();
                Sorted::Int(set)
            }
            Comparison::Double => {
                let mut set: Vec<f64> = values
                    .iter()
                    .map(|v| if let Value::Double(v) = v { Some(*v) } else { None })
                    .collect::<Option<_>>()?;
                set.sort_by(f64::total_cmp);
                Sorted::Double(set)
            }
            Comparison::Decimal => {
                let mut set: Vec<Decimal> = values
                    .iter()
                    .map(|v| if let Value::Decimal(v) = v { Some(*v) } else { None })
                    .collect::<Option<_>>()?;
                set.sort_unstable();
                Sorted::Decimal(set)
            }
            Comparison::Temporal => {
                let mut set: Vec<i64> = values
                    .iter()
                    .map(|v| match v {
                        Value::Date(d) | Value::DateTime(d) => Some(d.packed()),
                        Value::Time(t) => Some(t.packed()),
                        _ => None,
                    })
                    .collect::<Option<_>>()?;
                set.sort_unstable();
                Sorted::Temporal(set)
            }
            Comparison::Text(c) => {
                let mut set: Vec<Box<[u8]>> = values
                    .iter()
                    .map(|v| if let Value::Bytes(v) = v { Some(v.as_slice().into()) } else { None })
                    .collect::<Option<_>>()?;
                set.sort_by(|a, b| c.compare(a, b));
                Sorted::Text(c, set)
            }
        };
        Some(InSet { values, has_null })
    }

    /// Whether value `i` (not NULL) is in the list.
    #[inline]
    fn contains(&self, v: &Vector, i: usize) -> bool {
        match &self.values {
            Sorted::Int(set) => {
                let x = v.i64(i);
                let x = if v.class() == Class::UInt { i128::from(x as u64) } else { i128::from(x) };
                set.binary_search(&x).is_ok()
            }
            Sorted::Double(set) => {
                let x = v.f64(i);
                set.binary_search_by(|s| s.partial_cmp(&x).unwrap_or(Ordering::Less)).is_ok()
            }
            Sorted::Decimal(set) => {
                let x = &v.decimals()[if v.is_constant() { 0 } else { i }];
                set.binary_search(x).is_ok()
            }
            Sorted::Temporal(set) => set.binary_search(&v.i64(i)).is_ok(),
            Sorted::Text(c, set) => {
                let x = v.bytes(i);
                set.binary_search_by(|s| c.compare(s, x)).is_ok()
            }
        }
    }
}

/// What a value is looked for in.
pub(super) struct InList<'n> {
    pub list: &'n [Expr],
    pub by: Comparison,
    pub negated: bool,
    pub lookup: &'n InLookup,
}

impl Expr {
    pub(super) fn eval_in<'a>(
        &self,
        expr: &Expr,
        &InList { list, by, negated, lookup }: &InList<'_>,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let v = expr.eval(frame, rows, ctx)?;
        let made;
        let constants = match lookup {
            InLookup::Later(_, constants) | InLookup::Listed(constants) => *constants,
            InLookup::Set(_) => Constants::Computed,
        };
        let set = match lookup {
            InLookup::Set(set) => Some(&**set),
            // what user variables are assigned to may change
            InLookup::Later(number, constants) if !ctx.statement.assigned && !rows.is_empty() => {
                made = ctx.in_set(*number, *constants, by, list)?;
                made.as_deref()
            }
            _ => None,
        };
        let mut out = ctx.take(Class::Int);
        if let Some(set) = set {
            let n = if v.is_constant() { 1 } else { rows.len() };
            for i in 0..n {
                if v.is_null(i) {
                    out.push_null();
                } else if set.contains(&v, i) {
                    out.push_i64(i64::from(!negated));
                } else if set.has_null {
                    out.push_null();
                } else {
                    out.push_i64(i64::from(negated));
                }
            }
            out.set_constant(v.is_constant());
            ctx.done(v);
            return Ok(VecRef::Owned(out));
        }
        if rows.len() == 1 {
            let found = self.found_in_one(&v, (list, constants), by, frame, rows, ctx)?;
            ctx.done(v);
            match found {
                Some(found) => out.push_i64(i64::from(found != negated)),
                None => out.push_null(),
            }
            return Ok(VecRef::Owned(out));
        }
        // an item at a time, as they may be long
        let mut constant = v.is_constant();
        let mut found =
            vec![if v.is_null(0) { None } else { Some(false) }; if constant { 1 } else { rows.len() }];
        if !constant {
            found.iter_mut().enumerate().for_each(|(i, f)| *f = (!v.is_null(i)).then_some(false));
        }
        for e in list {
            let item = eval_item(e, constants, frame, rows, ctx)?;
            ctx.check_killed()?;
            if constant && !item.is_constant() {
                constant = false;
                found.resize(rows.len(), found[0]);
            }
            for (i, found) in found.iter_mut().enumerate() {
                if *found == Some(true) || v.is_null(i) {
                    continue;
                }
                if item.is_null(i) {
                    *found = None;
                } else if order(by, &v, i, &item, i).is_eq() {
                    *found = Some(true);
                }
            }
            ctx.done(item);
        }
        for found in found {
            match found {
                Some(found) => out.push_i64(i64::from(found != negated)),
                None => out.push_null(),
            }
        }
        out.set_constant(constant);
        ctx.done(v);
        Ok(VecRef::Owned(out))
    }

    /// Whether the value of one row is among the items, which are looked at until it is found.
    fn found_in_one(
        &self,
        v: &Vector,
        (list, constants): (&[Expr], Constants),
        by: Comparison,
        frame: Frame<'_>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<bool>> {
        if v.is_null(0) {
            return Ok(None);
        }
        let mut found = Some(false);
        for e in list {
            let item = eval_item(e, constants, frame, rows, ctx)?;
            if item.is_null(0) {
                found = None;
            } else if order(by, v, 0, &item, 0).is_eq() {
                ctx.done(item);
                return Ok(Some(true));
            }
            ctx.done(item);
        }
        Ok(found)
    }
}
