//! IN a list.

use super::compare::order;
use super::context::CONSTANT_BYTES;
use super::eval::{Frame, Rows, VecRef};
use super::{Comparison, EvalContext, Expr, Node};
use crate::error::SqlResult;
use crate::types::{Class, Decimal, Value, Vector};
use charset::{Collation, KeyPad};
use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering as AtomicOrdering};

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
    /// Its values are the same in an execution: they are prepared when rows come for which that is worth it. The number is the list's.
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

/// Items of a list from which on it is worth to put it in order for an execution, whatever the rows.
const MANY: usize = 16;

/// Rows of a batch from which on it is worth to put any list in order.
const MANY_ROWS: usize = 64;

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
            None if settled => InLookup::Later(NEXT.fetch_add(1, AtomicOrdering::Relaxed), constants),
            None => InLookup::Listed(constants),
        }
    }
}

impl EvalContext {
    /// Computes what a strict statement does not fail by.
    pub(crate) fn leniently<T>(&mut self, f: impl FnOnce(&mut EvalContext) -> SqlResult<T>) -> SqlResult<T> {
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
            // who keeps the set keeps the value, where nobody else looks at it
            let e = match &e.node {
                Node::Once(_, e) if list.len() > MANY => e,
                _ => e,
            };
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
    Text(Texts),
}

/// Texts in the order of their collation.
#[derive(Clone, Debug)]
struct Texts {
    collation: &'static Collation,
    /// How each of them begins, where the collation tells it by a number: what begins otherwise is none of them.
    prefixes: Vec<u64>,
    texts: Vec<Box<[u8]>>,
}

/// Short texts that were looked for lately, by their bytes, and whether they are in the list: many columns have a few different ones only.
struct Met([(u64, u8, bool); Met::SLOTS]);

impl Met {
    const SLOTS: usize = 16;

    fn new() -> Met {
        // no text of these bytes has such a length
        Met([(0, u8::MAX, false); Met::SLOTS])
    }

    /// The bytes of a text of at most eight; with the length they are the text.
    #[inline]
    fn word(text: &[u8]) -> Option<u64> {
        let four = |b: &[u8; 4]| u64::from(u32::from_le_bytes(*b));
        match (text.len(), text.first_chunk(), text.last_chunk()) {
            (4..=8, Some(first), Some(last)) => Some(four(first) | four(last) << 32),
            (n @ 1..=3, ..) => {
                Some(u64::from(text[0]) | u64::from(text[n / 2]) << 8 | u64::from(text[n - 1]) << 16)
            }
            _ => None,
        }
    }

    #[inline]
    fn is_in(&mut self, texts: &Texts, text: &[u8]) -> bool {
        let Some(word) = Met::word(text) else { return texts.contains(text) };
        let length = text.len() as u8;
        let slot = &mut self.0[(word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60) as usize];
        if (slot.0, slot.1) != (word, length) {
            *slot = (word, length, texts.contains(text));
        }
        slot.2
    }
}

/// Texts that are looked at one by one.
const FEW: usize = 8;

impl Texts {
    fn new(collation: &'static Collation, mut texts: Vec<Box<[u8]>>) -> Texts {
        texts.sort_by(|a, b| collation.compare(a, b));
        let prefixes = if collation.has_key_prefix() {
            texts.iter().map(|text| collation.key_prefix(text, KeyPad::Own)).collect()
        } else {
            Vec::new()
        };
        Texts { collation, prefixes, texts }
    }

    #[inline]
    fn contains(&self, text: &[u8]) -> bool {
        if self.prefixes.is_empty() {
            return self.texts.binary_search_by(|s| self.collation.compare(s, text)).is_ok();
        }
        let begins = self.collation.key_prefix(text, KeyPad::Own);
        // the processor guesses well only what is decided at once
        if self.prefixes.len() <= FEW && !self.prefixes.iter().fold(false, |any, p| any | (*p == begins)) {
            return false;
        }
        let first = self.prefixes.partition_point(|p| *p < begins);
        let alike = self.prefixes[first..].partition_point(|p| *p == begins);
        self.texts[first..first + alike].binary_search_by(|s| self.collation.compare(s, text)).is_ok()
    }
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
            // one is found where another one lies near
            Comparison::Digits(_) => return None,
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
                let texts = values
                    .iter()
                    .map(|v| if let Value::Bytes(v) = v { Some(v.as_slice().into()) } else { None })
                    .collect::<Option<_>>()?;
                Sorted::Text(Texts::new(c, texts))
            }
        };
        Some(InSet { values, has_null })
    }

    /// Appends the rows for which `v [NOT] IN` the list is true; `at` says where a row's value is, by the row's place among `rows`.
    pub(super) fn select(
        &self,
        v: &Vector,
        negated: bool,
        at: impl Fn(usize) -> usize,
        rows: Rows<'_>,
        out: &mut Vec<u32>,
    ) {
        if negated && self.has_null {
            return;
        }
        if let Sorted::Text(texts) = &self.values {
            let mut met = Met::new();
            return select(v, negated, at, rows, out, |i| met.is_in(texts, v.bytes(i)));
        }
        select(v, negated, at, rows, out, |i| self.contains(v, i));
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
            Sorted::Text(texts) => texts.contains(v.bytes(i)),
        }
    }
}

/// Appends the rows with a value of `v`, which stands where `at` says, that is in a list.
#[inline]
fn select(
    v: &Vector,
    negated: bool,
    at: impl Fn(usize) -> usize,
    rows: Rows<'_>,
    out: &mut Vec<u32>,
    mut is_in: impl FnMut(usize) -> bool,
) {
    let hit = |n: &usize| !v.is_null(at(*n)) && is_in(at(*n)) != negated;
    out.extend((0..rows.len()).filter(hit).map(|n| rows.row(n) as u32));
}

/// The set of a list's values, where it is worth to make one for so many rows.
pub(super) fn prepared(
    (list, lookup): (&[Expr], &InLookup),
    by: Comparison,
    rows: usize,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Arc<InSet>>> {
    match lookup {
        // what user variables are assigned to may change
        InLookup::Later(number, constants)
            if !ctx.statement.assigned && (rows >= MANY_ROWS || rows > 0 && list.len() > MANY) =>
        {
            ctx.in_set(*number, *constants, by, list)
        }
        _ => Ok(None),
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
            _ => {
                made = prepared((list, lookup), by, rows.len(), ctx)?;
                made.as_deref()
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_told_apart() {
        let texts: Vec<Vec<u8>> = (0..=9)
            .flat_map(|n| {
                let same = vec![b'a'; n];
                let changed =
                    (0..n).map(move |at| (0..n).map(|i| if i == at { b'b' } else { b'a' }).collect());
                std::iter::once(same).chain(changed)
            })
            .collect();
        for a in &texts {
            for b in &texts {
                let alike = a.len() == b.len() && Met::word(a).is_some() && Met::word(a) == Met::word(b);
                assert_eq!(alike, a == b && (1..=8).contains(&a.len()), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn met_texts_are_answered_alike() {
        let collation = Collation::by_name("latin1_swedish_ci").unwrap();
        let list = [b"MAIL".as_slice(), b"ship", b"a long one"];
        let texts = Texts::new(collation, list.map(Box::from).to_vec());
        let mut met = Met::new();
        for _ in 0..3 {
            for text in
                ["MAIL", "mail", "SHIP", "AIR", "REG AIR", "", "SHI", "SHIPS", "MAIL ", "a LONG one", "A"]
            {
                assert_eq!(met.is_in(&texts, text.as_bytes()), texts.contains(text.as_bytes()), "{text}");
            }
        }
    }
}
