//! The running value of an aggregate function for one group: whatever its function, and one by one ([`super::running`] keeps those of all groups).

use super::groups::KeyBatch;
use super::materialize::Materializer;
use super::sort::Sorter;
use super::sortkey::KeySpec;
use super::unique::Unique;
use crate::ast::AggregateFunction as F;
use crate::error::{ER_CUT_VALUE_GROUP_CONCAT, ER_DATA_OUT_OF_RANGE, SqlError, SqlResult};
use crate::expr::{AggregateCall, EvalContext};
use crate::func::years::place_in_order;
use crate::memory::BATCH_ROWS;
use crate::types::Batch;
use crate::types::convert::place_of_text;
use crate::types::load::special_stored;
use crate::types::temporal::{DateTime, Time};
use crate::types::{Class, Decimal, FieldType, Kind, Value, ValueRef, Vector};
use crate::warning::Level;
use std::cmp::{Ordering, Reverse};

/// The running value of one aggregate for one group.
#[derive(Default)]
pub struct Accumulator {
    pub(super) state: State,
    /// DISTINCT: the values that came. Boxed, as most accumulators have none.
    pub(super) seen: Option<Box<Unique>>,
}

/// What an accumulator holds, by its function.
#[derive(Default)]
pub(super) enum State {
    #[default]
    Empty,
    Count(u64),
    Int {
        sum: i128,
        count: u64,
    },
    Decimal {
        sum: Decimal,
        count: u64,
    },
    Double {
        sum: f64,
        count: u64,
    },
    Extreme(Value),
    Bits(u64),
    /// Count, mean, sum of squared distances.
    Spread {
        count: u64,
        mean: f64,
        squares: f64,
    },
    Concat(Box<Concat>),
    /// Of a stored function: the rows, once there is one.
    Rows(Option<Box<Materializer>>),
}

impl State {
    /// The same once more; nothing of a GROUP_CONCAT.
    pub(super) fn copy(&self) -> State {
        match self {
            State::Empty | State::Concat(_) | State::Rows(_) => State::Empty,
            State::Count(n) => State::Count(*n),
            State::Int { sum, count } => State::Int { sum: *sum, count: *count },
            State::Decimal { sum, count } => State::Decimal { sum: *sum, count: *count },
            State::Double { sum, count } => State::Double { sum: *sum, count: *count },
            State::Extreme(v) => State::Extreme(v.clone()),
            State::Bits(bits) => State::Bits(*bits),
            State::Spread { count, mean, squares } => {
                State::Spread { count: *count, mean: *mean, squares: *squares }
            }
        }
    }
}

/// The texts of a GROUP_CONCAT.
#[derive(Default)]
pub(super) struct Concat {
    /// Without ORDER BY: the text as it grows.
    text: Vec<u8>,
    rows: u64,
    cut: bool,
    /// With ORDER BY: keys and texts, until the end.
    sorted: Vec<(Vec<Value>, Vec<u8>)>,
    /// Bytes of `sorted`.
    bytes: usize,
    /// What took the rows when they were too many.
    sorter: Option<Box<Sorter>>,
    /// Rows that it took.
    spilled: i64,
}

impl Accumulator {
    pub(super) fn counted(n: u64) -> Accumulator {
        Accumulator { state: State::Count(n), seen: None }
    }

    /// Bytes of memory beyond the accumulator itself, roughly: what a budget counts.
    #[must_use]
    pub fn memory(&self) -> usize {
        let seen = self.seen.as_ref().map_or(0, |s| s.memory());
        seen + match &self.state {
            State::Concat(c) => size_of::<Concat>() + c.text.capacity() + c.bytes,
            State::Rows(Some(rows)) => size_of::<Materializer>() + rows.memory(),
            State::Extreme(Value::Bytes(b)) => b.capacity(),
            _ => 0,
        }
    }
}

/// An integer, whatever its sign.
#[inline]
pub(super) fn integer(v: &Vector, row: usize) -> i128 {
    let x = v.i64(row);
    if v.class() == Class::UInt { i128::from(x.cast_unsigned()) } else { i128::from(x) }
}

/// So many bytes of the values of a GROUP_CONCAT are looked at: one more than it may have, which says that it is cut.
pub(super) fn concat_room(ctx: &EvalContext) -> usize {
    ctx.group_concat_max_len.min(ctx.max_allowed_packet).saturating_add(1)
}

/// Appends to a text that gets no longer than `room`.
fn append_short(text: &mut Vec<u8>, more: &[u8], room: usize) {
    let room = room.saturating_sub(text.len()).min(more.len());
    text.extend_from_slice(&more[..room]);
}

/// Warns of the texts of a finished group that were cut, in the order of the rows that were too much.
pub(super) fn tell_cuts(ctx: &mut EvalContext) {
    let mut rows = std::mem::take(&mut ctx.statement.concat_cuts.untold);
    rows.sort_unstable();
    for row in rows.drain(..) {
        ctx.warnings.push(Level::Warning, ER_CUT_VALUE_GROUP_CONCAT, &[&row, &"GROUP_CONCAT("]);
    }
    ctx.statement.concat_cuts.untold = rows;
}

/// How the rows of a group come together: what an aggregate does with them.
pub(crate) trait Accumulate {
    fn accumulator(&self) -> Accumulator;
    fn add_batch(
        &self,
        acc: &mut Accumulator,
        args: &[&Vector],
        rows: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<()>;
    fn distinct_keys(&self, args: &[&Vector], rows: usize, keys: &mut KeyBatch);
    fn add_row(
        &self,
        acc: &mut Accumulator,
        args: &[&Vector],
        row: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<()>;
    fn finish(&self, acc: Accumulator, ctx: &mut EvalContext) -> SqlResult<Value>;
}

impl Accumulate for AggregateCall {
    /// A fresh accumulator.
    fn accumulator(&self) -> Accumulator {
        let state = match self.function {
            F::Count => State::Count(0),
            F::Sum | F::Avg => match self.args.first().map(|a| a.ty.class()) {
                Some(Class::Int | Class::UInt) => State::Int { sum: 0, count: 0 },
                Some(Class::Decimal) => State::Decimal { sum: Decimal::ZERO, count: 0 },
                _ => State::Double { sum: 0.0, count: 0 },
            },
            F::Min | F::Max => State::Extreme(Value::Null),
            F::BitAnd => State::Bits(u64::MAX),
            F::BitOr | F::BitXor => State::Bits(0),
            F::Std | F::StdSamp | F::Variance | F::VarSamp => {
                State::Spread { count: 0, mean: 0.0, squares: 0.0 }
            }
            F::Stored => State::Rows(None),
            _ => State::Concat(Box::default()),
        };
        Accumulator { state, seen: self.distinct.then(Box::default) }
    }

    /// Adds all rows of a batch to one group; `args` are the vectors of [`AggregateCall::args`] (and
    /// then those of `order_by`), `rows` the number of rows.
    ///
    /// # Errors
    /// Those of the arithmetic.
    fn add_batch(
        &self,
        acc: &mut Accumulator,
        args: &[&Vector],
        rows: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        if acc.seen.is_none() {
            match (&mut acc.state, args.first()) {
                (State::Count(n), None) => {
                    *n += rows as u64;
                    return Ok(());
                }
                (State::Count(n), Some(v)) if args.len() == 1 => {
                    if v.is_constant() {
                        *n += if v.is_null(0) { 0 } else { rows as u64 };
                    } else {
                        *n += rows as u64 - v.nulls().iter().take(rows).filter(|n| **n != 0).count() as u64;
                    }
                    return Ok(());
                }
                (State::Int { sum, count }, Some(v)) if v.class() == Class::Int && !v.is_constant() => {
                    // NULLs hold 0 in the data.
                    let values = &v.i64s()[..rows];
                    for chunk in values.chunks(1 << 16) {
                        // 2^16 values of 47 bits cannot overflow; others go the wide way.
                        if chunk.iter().all(|x| x.unsigned_abs() < 1 << 46) {
                            *sum += i128::from(chunk.iter().sum::<i64>());
                        } else {
                            *sum += chunk.iter().map(|x| i128::from(*x)).sum::<i128>();
                        }
                    }
                    *count += rows as u64 - v.nulls().iter().take(rows).filter(|n| **n != 0).count() as u64;
                    return Ok(());
                }
                _ => {}
            }
        } else {
            return add_distinct(self, acc, args, rows, ctx);
        }
        for row in 0..rows {
            self.add_row(acc, args, row, ctx)?;
        }
        Ok(())
    }

    /// Appends what tells the values of these rows from others, where they count.
    fn distinct_keys(&self, args: &[&Vector], rows: usize, keys: &mut KeyBatch) {
        let own = own(self, args);
        for row in (0..rows).filter(|row| takes(self, own, *row)) {
            keys.push(|key| key_of_row(self, own, row, key));
        }
    }

    /// Adds one row to a group.
    ///
    /// # Errors
    /// Those of the arithmetic.
    fn add_row(
        &self,
        acc: &mut Accumulator,
        args: &[&Vector],
        row: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let own = own(self, args);
        if !takes(self, own, row) {
            return Ok(());
        }
        if let Some(seen) = &mut acc.seen {
            let mut key = ctx.scratch.pop().unwrap_or_default();
            key.clear();
            key_of_row(self, own, row, &mut key);
            let new = seen.see(&ctx.budget, &key, args.iter().copied(), row);
            ctx.scratch.push(key);
            if !new? {
                return Ok(());
            }
        }
        take_row(self, acc, args, row, ctx)
    }

    /// The group's value.
    ///
    /// # Errors
    /// 1690 when a sum is out of range.
    fn finish(&self, mut acc: Accumulator, ctx: &mut EvalContext) -> SqlResult<Value> {
        if let Some(mut seen) = acc.seen.take()
            && let Some(mut rest) = seen.rest(&ctx.budget)?
        {
            let mut rows = Batch::default();
            while rest.batch(&mut rows, BATCH_ROWS)? {
                let args: Vec<&Vector> = rows.columns.iter().collect();
                (0..rows.len).try_for_each(|row| take_row(self, &mut acc, &args, row, ctx))?;
            }
        }
        let average = self.function == F::Avg;
        Ok(match acc.state {
            State::Empty => Value::Null,
            State::Count(n) => Value::Int(n as i64),
            State::Int { count: 0, .. }
            | State::Decimal { count: 0, .. }
            | State::Double { count: 0, .. } => Value::Null,
            State::Int { sum, count } => decimal_result(from_i128(sum), count, average, ctx),
            State::Decimal { sum, count } => decimal_result(sum, count, average, ctx),
            State::Double { sum, count } => {
                let v = if average { sum / count as f64 } else { sum };
                if !v.is_finite() {
                    return Err(SqlError::new(ER_DATA_OUT_OF_RANGE, &[&"DOUBLE", &"sum()"]));
                }
                Value::Double(v)
            }
            State::Extreme(v) => v,
            State::Bits(v) => Value::UInt(v),
            State::Spread { count, squares, .. } => {
                let sample = matches!(self.function, F::StdSamp | F::VarSamp);
                let n = if sample { count.saturating_sub(1) } else { count };
                if n == 0 {
                    Value::Null
                } else {
                    let v = squares / n as f64;
                    Value::Double(if matches!(self.function, F::Std | F::StdSamp) { v.sqrt() } else { v })
                }
            }
            State::Rows(rows) => super::stored::finish(self, rows.map(|r| *r), ctx)?,
            State::Concat(mut c) => {
                if c.sorter.is_some() || !c.sorted.is_empty() {
                    join_sorted(self, &mut c, ctx)?;
                }
                count_rows(self, &c, ctx);
                if c.rows == 0 { Value::Null } else { Value::Bytes(c.text) }
            }
        })
    }
}

/// Adds the rows of a batch whose values did not come before.
fn add_distinct(
    call: &AggregateCall,
    acc: &mut Accumulator,
    args: &[&Vector],
    rows: usize,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let own = own(call, args);
    let mut keys = KeyBatch::default();
    let mut which = Vec::with_capacity(rows);
    for row in 0..rows {
        if takes(call, own, row) {
            keys.push(|key| key_of_row(call, own, row, key));
            which.push(row);
        }
    }
    if let Some(seen) = &acc.seen {
        seen.look_ahead(&keys);
    }
    for (n, row) in which.into_iter().enumerate() {
        let Some(seen) = &mut acc.seen else { break };
        if seen.see(&ctx.budget, keys.get(n), args.iter().copied(), row)? {
            take_row(call, acc, args, row, ctx)?;
        }
    }
    Ok(())
}

/// The vectors of the arguments, without those of ORDER BY behind them.
fn own<'v, 'a>(call: &AggregateCall, args: &'v [&'a Vector]) -> &'v [&'a Vector] {
    &args[..call.args.len().min(args.len())]
}

/// Whether a row with these arguments counts: a NULL is left out.
#[inline]
fn takes(call: &AggregateCall, own: &[&Vector], row: usize) -> bool {
    matches!(call.function, F::BitAnd | F::Stored) || !own.iter().any(|v| v.is_null(row))
}

/// Appends what tells a row's values from others.
fn key_of_row(call: &AggregateCall, own: &[&Vector], row: usize, key: &mut Vec<u8>) {
    for (v, e) in own.iter().zip(&call.args) {
        distinct_key(v.get(row), &e.ty, key);
    }
}

/// Adds a row that counts.
fn take_row(
    call: &AggregateCall,
    acc: &mut Accumulator,
    args: &[&Vector],
    row: usize,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let own = &args[..call.args.len().min(args.len())];
    let first = own.first();
    match &mut acc.state {
        State::Count(n) => *n += 1,
        State::Rows(rows) => super::stored::push(rows, own, row, ctx)?,
        State::Int { sum, count } => {
            if let Some(v) = first {
                *sum += integer(v, row);
                *count += 1;
            }
        }
        State::Decimal { sum, count } => {
            if let Some(ValueRef::Decimal(d)) = first.map(|v| v.get(row)) {
                *sum = sum.add(d).0;
                *count += 1;
            }
        }
        State::Double { sum, count } => {
            if let Some(v) = first {
                *sum += v.f64(row);
                *count += 1;
            }
        }
        State::Extreme(best) => {
            if let Some(v) = first {
                let x = v.get(row);
                let take = best.is_null() || {
                    let o = order(x, best.as_ref(), &call.args[0].ty);
                    o == if call.function == F::Min { Ordering::Less } else { Ordering::Greater }
                };
                if take {
                    match (&mut *best, x) {
                        (Value::Bytes(b), ValueRef::Bytes(x)) => {
                            b.clear();
                            b.extend_from_slice(x);
                        }
                        (best, x) => *best = x.to_owned(),
                    }
                }
            }
        }
        State::Bits(bits) => {
            if let Some(v) = first.filter(|v| !v.is_null(row)) {
                let x = v.i64(row) as u64;
                match call.function {
                    F::BitAnd => *bits &= x,
                    F::BitOr => *bits |= x,
                    _ => *bits ^= x,
                }
            }
        }
        State::Spread { count, mean, squares } => {
            if let Some(v) = first {
                let x = v.f64(row);
                *count += 1;
                let before = x - *mean;
                *mean += before / *count as f64;
                *squares += before * (x - *mean);
            }
        }
        State::Concat(c) => {
            concat_row(call, c, args, row, ctx)?;
        }
        State::Empty => {}
    }
    Ok(())
}

/// Adds a row to GROUP_CONCAT.
fn concat_row(
    call: &AggregateCall,
    c: &mut Concat,
    args: &[&Vector],
    row: usize,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let own = &args[..call.args.len().min(args.len())];
    if call.order_by.is_empty() && call.limit.is_none() {
        if c.cut {
            return Ok(());
        }
        if c.rows > 0 {
            c.text.extend_from_slice(&call.separator);
        }
        c.rows += 1;
        own.iter().for_each(|v| append_short(&mut c.text, v.bytes(row), concat_room(ctx)));
        cut(call, c, ctx);
    } else {
        let mut text = Vec::new();
        let room = if call.distinct { usize::MAX } else { concat_room(ctx) };
        own.iter().for_each(|v| append_short(&mut text, v.bytes(row), room));
        let keys = args[own.len()..].iter().zip(&call.order_by);
        let keys = keys.map(|(v, (e, _))| match v.is_null(row) && !call.nulls_first {
            true => zero(&e.ty),
            false => v.value(row),
        });
        let keys = keys.collect();
        sort_row(call, c, keys, text, ctx)?;
    }
    Ok(())
}

/// Cuts a GROUP_CONCAT that grew too long.
fn cut(call: &AggregateCall, c: &mut Concat, ctx: &mut EvalContext) {
    let max = concat_room(ctx) - 1;
    if c.text.len() > max {
        let cs = call.ty.collation.charset;
        let keep = cs.well_formed_len(&c.text[..max]);
        c.text.truncate(if call.ty.collation.id == 63 { max } else { keep });
        c.cut = true;
    }
}

/// Adds a group's rows to those of the groups before it, which warning 1260 counts through.
fn count_rows(call: &AggregateCall, c: &Concat, ctx: &mut EvalContext) {
    let of = std::ptr::from_ref(call).addr();
    let cuts = &mut ctx.statement.concat_cuts;
    let before = match cuts.counted.iter_mut().find(|(call, _)| *call == of) {
        Some((_, counted)) => counted,
        None => &mut cuts.counted.push_mut((of, 0)).1,
    };
    *before += c.rows;
    if c.cut {
        cuts.untold.push(*before);
    }
}

/// Keeps a row of a GROUP_CONCAT that is put together at the end.
fn sort_row(
    call: &AggregateCall,
    c: &mut Concat,
    keys: Vec<Value>,
    text: Vec<u8>,
    ctx: &EvalContext,
) -> SqlResult<()> {
    let wanted = call.limit.map_or(u64::MAX, |(offset, count)| offset.saturating_add(count));
    let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
    if call.order_by.is_empty() && c.sorted.len() >= wanted {
        return Ok(());
    }
    if let Some(sorter) = &mut c.sorter {
        c.spilled += 1;
        return sorter.push(&as_batch(call, c.spilled, &keys, &text));
    }
    let heap = |v: &Value| if let Value::Bytes(b) = v { b.len() } else { 0 };
    c.bytes += size_of::<(Vec<Value>, Vec<u8>)>() + keys.len() * size_of::<Value>() + text.len();
    c.bytes += keys.iter().map(heap).sum::<usize>();
    c.sorted.push((keys, text));
    if c.bytes > ctx.budget.sort && !call.order_by.is_empty() {
        let specs = call.order_by.iter().enumerate();
        let mut specs: Vec<KeySpec> =
            specs.map(|(i, (e, descending))| KeySpec::ordering(i, e, *descending)).collect();
        // of equal ones the last comes first
        specs.push(KeySpec::new(call.order_by.len(), &FieldType::bigint(false), true));
        let mut sorter = Sorter::new(specs, wanted, &ctx.budget);
        for (keys, text) in std::mem::take(&mut c.sorted) {
            sorter.push(&as_batch(call, c.spilled, &keys, &text))?;
            c.spilled += 1;
        }
        c.bytes = size_of::<Sorter>();
        c.sorter = Some(Box::new(sorter));
    }
    Ok(())
}

/// A row for the sorter: keys, the row's place among all, the text.
fn as_batch(call: &AggregateCall, place: i64, keys: &[Value], text: &[u8]) -> Batch {
    let mut columns: Vec<Vector> = call.order_by.iter().map(|(e, _)| Vector::new(e.ty.class())).collect();
    for (v, key) in columns.iter_mut().zip(keys) {
        v.push(key.as_ref());
    }
    let mut places = Vector::new(Class::Int);
    places.push_i64(place);
    columns.push(places);
    let mut v = Vector::new(Class::Bytes);
    v.push_bytes(text);
    columns.push(v);
    Batch { columns, len: 1 }
}

fn decimal_result(sum: Decimal, count: u64, average: bool, ctx: &EvalContext) -> Value {
    if !average {
        return Value::Decimal(sum);
    }
    match sum.div(&Decimal::from(count), ctx.div_precision_increment) {
        Some((d, _)) => Value::Decimal(d),
        None => Value::Null,
    }
}

fn join_sorted(call: &AggregateCall, c: &mut Concat, ctx: &mut EvalContext) -> SqlResult<()> {
    let (offset, count) = call.limit.unwrap_or((0, u64::MAX));
    let skip = usize::try_from(offset).unwrap_or(usize::MAX);
    let take = usize::try_from(count).unwrap_or(usize::MAX);
    if let Some(mut sorter) = c.sorter.take() {
        sorter.finish()?;
        let (mut rows, mut at) = (Batch::default(), 0usize);
        while !c.cut && sorter.next(&mut rows)? {
            for row in 0..rows.len {
                let wanted = at >= skip && at - skip < take;
                at += 1;
                if wanted && !c.cut {
                    append(call, c, rows.columns[call.order_by.len() + 1].bytes(row), ctx);
                }
            }
        }
        return Ok(());
    }
    let mut rows = std::mem::take(&mut c.sorted);
    if let Some(order) = by_numbers(call, &rows) {
        for n in order.into_iter().skip(skip).take(take) {
            append(call, c, &rows[n as usize].1, ctx);
            if c.cut {
                break;
            }
        }
        return Ok(());
    }
    if !call.order_by.is_empty() {
        // of equal ones the last comes first
        rows.reverse();
    }
    rows.sort_by(|(a, _), (b, _)| {
        for ((x, y), (e, descending)) in a.iter().zip(b).zip(&call.order_by) {
            let o = match (e.members(), x.as_ref(), y.as_ref()) {
                (Some(m), ValueRef::Bytes(x), ValueRef::Bytes(y)) => {
                    place_of_text(m, x).cmp(&place_of_text(m, y))
                }
                (_, ValueRef::Null, y) if call.nulls_first => y.is_null().cmp(&true),
                (_, _, ValueRef::Null) if call.nulls_first => Ordering::Greater,
                _ => order(x.as_ref(), y.as_ref(), &e.ty),
            };
            let o = if *descending { o.reverse() } else { o };
            if o != Ordering::Equal {
                return o;
            }
        }
        Ordering::Equal
    });
    for (_, text) in rows.iter().skip(skip).take(take) {
        append(call, c, text, ctx);
        if c.cut {
            break;
        }
    }
    Ok(())
}

/// The order of rows with one key that is an integer or a date in all of them.
fn by_numbers(call: &AggregateCall, rows: &[(Vec<Value>, Vec<u8>)]) -> Option<Vec<u32>> {
    let [(e, descending)] = &call.order_by[..] else { return None };
    if e.ty.is_short_year() {
        return None;
    }
    let flip = if *descending { u64::MAX } else { 0 };
    let class = rows.first()?.0.first()?.class();
    let number = |(n, (keys, _)): (usize, &(Vec<Value>, Vec<u8>))| {
        let number = match keys.first()? {
            Value::Int(x) => x.cast_unsigned() ^ (1 << 63),
            Value::UInt(x) => *x,
            Value::DateTime(d) => d.packed().cast_unsigned() ^ (1 << 63),
            _ => return None,
        };
        // of equal ones the last comes first
        (keys[0].class() == class).then_some((number ^ flip, Reverse(u32::try_from(n).ok()?)))
    };
    let mut order = rows.iter().enumerate().map(number).collect::<Option<Vec<_>>>()?;
    order.sort_unstable();
    Some(order.into_iter().map(|(_, n)| n.0).collect())
}

fn append(call: &AggregateCall, c: &mut Concat, text: &[u8], ctx: &mut EvalContext) {
    if c.rows > 0 {
        c.text.extend_from_slice(&call.separator);
    }
    c.rows += 1;
    c.text.extend_from_slice(text);
    cut(call, c, ctx);
}

/// What a NULL is for ORDER BY of GROUP_CONCAT: the value that a column has of which nothing is said.
fn zero(ty: &FieldType) -> Value {
    match ty.class() {
        Class::Null => Value::Null,
        Class::Int => Value::Int(0),
        Class::UInt => Value::UInt(0),
        Class::Double => Value::Double(0.0),
        Class::Decimal => Value::Decimal(Decimal::ZERO),
        Class::Bytes => Value::Bytes(match ty.kind {
            Kind::Uuid => b"00000000-0000-0000-0000-000000000000".to_vec(),
            Kind::Inet4 => b"0.0.0.0".to_vec(),
            Kind::Inet6 => b"::".to_vec(),
            Kind::Char if ty.collation.is_binary() => vec![0; ty.length as usize],
            _ => Vec::new(),
        }),
        Class::Date => Value::Date(DateTime::default()),
        Class::DateTime => Value::DateTime(DateTime::default()),
        Class::Time => Value::Time(Time::default()),
    }
}

/// The order of two values of type `ty`, neither NULL.
pub(super) fn order(a: ValueRef<'_>, b: ValueRef<'_>, ty: &FieldType) -> Ordering {
    match (a, b) {
        (ValueRef::Int(a), ValueRef::Int(b)) => a.cmp(&b),
        (ValueRef::UInt(a), ValueRef::UInt(b)) if ty.is_short_year() => {
            place_in_order(a).cmp(&place_in_order(b))
        }
        (ValueRef::UInt(a), ValueRef::UInt(b)) => a.cmp(&b),
        (ValueRef::Double(a), ValueRef::Double(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
        (ValueRef::Decimal(a), ValueRef::Decimal(b)) => a.cmp(b),
        (ValueRef::Bytes(a), ValueRef::Bytes(b)) if ty.is_address() => {
            special_stored(a, ty.kind).cmp(&special_stored(b, ty.kind))
        }
        (ValueRef::Bytes(a), ValueRef::Bytes(b)) => ty.collation.compare(a, b),
        (ValueRef::Date(a) | ValueRef::DateTime(a), ValueRef::Date(b) | ValueRef::DateTime(b)) => a.cmp(&b),
        (ValueRef::Time(a), ValueRef::Time(b)) => a.packed().cmp(&b.packed()),
        _ => Ordering::Equal,
    }
}

/// Appends bytes that are equal exactly for values that are equal.
pub fn distinct_key(v: ValueRef<'_>, ty: &FieldType, out: &mut Vec<u8>) {
    match v {
        ValueRef::Null => out.push(0),
        ValueRef::Int(v) => {
            out.push(1);
            out.extend_from_slice(&(v.cast_unsigned() ^ (1 << 63)).to_be_bytes());
        }
        ValueRef::UInt(v) => {
            out.push(1);
            out.extend_from_slice(&v.to_be_bytes());
        }
        ValueRef::Double(v) => {
            out.push(1);
            let v = if v == 0.0 { 0.0 } else { v };
            out.extend_from_slice(&v.to_bits().to_ne_bytes());
        }
        ValueRef::Decimal(d) => {
            out.push(1);
            let start = out.len();
            d.write(out);
            // Zeros behind the point, and a point with nothing behind it, do not make a difference.
            if d.scale() > 0 {
                while out.len() > start && out.last() == Some(&b'0') {
                    out.pop();
                }
                out.pop_if(|last| *last == b'.');
            }
            out.push(0);
        }
        ValueRef::Bytes(b) => {
            out.push(1);
            ty.collation.weight_string(b, out);
        }
        ValueRef::Date(d) | ValueRef::DateTime(d) => {
            out.push(1);
            out.extend_from_slice(&d.packed().to_ne_bytes());
        }
        ValueRef::Time(t) => {
            out.push(1);
            out.extend_from_slice(&t.packed().to_ne_bytes());
        }
    }
}

/// A sum of integers as a decimal.
fn from_i128(v: i128) -> Decimal {
    if let Ok(v) = i64::try_from(v) {
        return Decimal::from(v);
    }
    Decimal::parse(v.to_string().as_bytes()).value
}
