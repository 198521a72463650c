//! UNION, EXCEPT, INTERSECT. Rows keep the order of their terms; what is past the memory is on disk.

use super::distinct_rows::Found;
use super::groups::KeyBatch;
use super::matching::Matching;
use super::materialize::{MaterializedReader, MaterializedRows, Materializer};
use super::operator::{Chunk, Operator};
use super::project::output;
use super::sort::Sorter;
use super::sortkey::{self, KeySpec};
use super::subquery::Runner;
use super::ties::Ties;
use super::unique::Unique;
use super::{Exec, Limiter, distinct_rows};
use crate::ast::{self, SetOpKind};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Frame};
use crate::func::years::completed;
use crate::memory::BATCH_ROWS;
use crate::memory::Budget;
use crate::plan::workings::Sorted;
use crate::plan::{QueryPlan, SetPlan};
use crate::types::{Batch, Class, FieldType, Kind, Vector};
use crate::variables::SqlMode;
use std::ops::Range;
use std::sync::Arc;

/// The operator of a set operation.
///
/// # Errors
/// Those of LIMIT.
pub fn operator<'p>(
    exec: &'p Exec<'_>,
    plan: &'p QueryPlan,
    set: &'p SetPlan,
    ctx: &mut EvalContext,
) -> SqlResult<Box<dyn Operator + 'p>> {
    let unread = exec.unread.take() && set.order.is_empty();
    let limiter = Limiter::new(&set.limit, ctx)?;
    if !set.streams() {
        return Ok(Box::new(Combined {
            exec,
            plan,
            set,
            limiter,
            stage: Stage::Begin,
            settled: false,
            found: 0,
            unread,
        }));
    }
    if let ([(_, only)], true) = (&set.terms[..], limiter.needed() == usize::MAX) {
        // brackets alone: as the query in them
        return exec.operator(only, ctx);
    }
    let enough = limiter.full();
    Ok(Box::new(UnionAll {
        exec,
        plan,
        set,
        limiter,
        at: 0,
        term: None,
        given: 0,
        enough,
        found: 0,
        last: None,
    }))
}

/// UNION ALL: rows come as the terms give them. FOUND_ROWS is all that they give ([`QueryPlan::count_arms`]), or
/// what was taken when the last one reads no table.
struct UnionAll<'p, 'e> {
    exec: &'p Exec<'e>,
    plan: &'p QueryPlan,
    set: &'p SetPlan,
    limiter: Limiter,
    /// The term at hand.
    at: usize,
    term: Option<Term<'p>>,
    /// Rows it gave.
    given: u64,
    /// Nobody wants further rows.
    enough: bool,
    found: u64,
    last: Option<u64>,
}

impl<'p> UnionAll<'p, '_> {
    /// The term at hand, which begins when it is asked for first; none behind the last.
    fn term(&mut self, ctx: &mut EvalContext) -> SqlResult<Option<&mut Term<'p>>> {
        if self.term.is_none() {
            let Some((_, term)) = self.set.terms.get(self.at) else { return Ok(None) };
            self.given = 0;
            self.term = Some(Term::new(self.exec, term, &self.plan.types, ctx)?);
        }
        Ok(self.term.as_mut())
    }

    /// Rows of the term at hand that nobody wants are counted; those of a term with a LIMIT of its own are few.
    fn counts_all(&self) -> bool {
        self.set.counts && self.set.terms.get(self.at).is_some_and(|(_, term)| !term.calc_found_rows)
    }

    /// Goes on to the next term.
    fn end_term(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        if let Some(mut term) = self.term.take() {
            term.finish(ctx)?;
        }
        self.last = self.exec.memory.borrow().found_rows;
        self.found += if self.counts_all() { self.given } else { self.last.unwrap_or(self.given) };
        self.at += 1;
        Ok(())
    }
}

impl Operator for UnionAll<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        while !self.enough {
            let Some(term) = self.term(ctx)? else { return Ok(false) };
            if !term.next(out, ctx)? {
                self.end_term(ctx)?;
                continue;
            }
            self.given += out.len() as u64;
            let (from, to) = self.limiter.take(out.len());
            out.keep(from, to);
            self.enough = self.limiter.full();
            if from < to {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn finish(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        let mut rows = Chunk::default();
        // a term that has begun is ended; the others are only counted
        while self.term.is_some() || self.set.counts && self.at < self.set.terms.len() {
            let all = self.counts_all();
            let began = self.term.is_some();
            let Some(term) = self.term(ctx)? else { break };
            let mut given = 0;
            while (all || !began && given == 0) && term.top.next(&mut rows, ctx)? {
                given += rows.len() as u64;
            }
            self.given += given;
            self.end_term(ctx)?;
        }
        if !self.set.counts {
            self.last = Some(self.limiter.seen);
            self.found = self.limiter.seen;
        }
        self.exec.memory.borrow_mut().found_rows = self.last.map(|_| self.found);
        Ok(())
    }
}

/// The other set operations: all terms are read before the first row comes.
struct Combined<'p, 'e> {
    exec: &'p Exec<'e>,
    plan: &'p QueryPlan,
    set: &'p SetPlan,
    limiter: Limiter,
    stage: Stage,
    /// No further row is wanted.
    settled: bool,
    found: u64,
    /// Nobody looks at the rows but to count them.
    unread: bool,
}

enum Stage {
    Begin,
    Combined(MaterializedReader),
    Sorted(Box<Sorter>, Option<Ties>),
}

impl Combined<'_, '_> {
    /// Puts the terms together, and sorts what they give.
    fn begin(&self, ctx: &mut EvalContext) -> SqlResult<(u64, Stage)> {
        let (exec, plan, set) = (self.exec, self.plan, self.set);
        let specs: Vec<KeySpec> =
            plan.types.iter().enumerate().map(|(i, t)| KeySpec::new(i, t, false)).collect();
        let result = combined((exec, plan), set, &specs, self.unread, ctx)?;
        let found = result.len();
        exec.counters.borrow_mut().read_back(found);
        if ctx.measures() {
            ctx.measure(set, |m| {
                m.loops += 1;
                m.rows += found;
            });
        }
        let mut rows = result.read();
        if set.order.is_empty() {
            return Ok((found, Stage::Combined(rows)));
        }
        let width = plan.types.len();
        let order = || -> Vec<KeySpec> {
            let keys = set.order.iter().enumerate();
            keys.map(|(i, (e, desc))| KeySpec::new(width + i, &e.ty, *desc)).collect()
        };
        let ties = set.limit.with_ties.then(|| Ties::new(order()));
        let mut sorter = Sorter::new(order(), usize::MAX, &ctx.budget);
        let runner = Runner::new(exec, plan);
        let exprs: Vec<_> = set.order.iter().map(|(e, _)| e.clone()).collect();
        let mut b = Batch::default();
        while rows.next_batch(&mut b)? {
            ctx.check_killed()?;
            let keys = output(&exprs, Frame { batch: &b, subqueries: Some(&runner) }, b.len, ctx)?;
            b.columns.extend(keys.columns);
            sorter.push(&b)?;
        }
        sorter.finish()?;
        let most = self.limiter.needed() as u64;
        exec.counters.borrow_mut().sort(Sorted::Temporary, found, most);
        Ok((found, Stage::Sorted(Box::new(sorter), ties)))
    }
}

impl Operator for Combined<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        if let Stage::Begin = self.stage {
            (self.found, self.stage) = self.begin(ctx)?;
            self.settled = self.limiter.full();
        }
        while !self.settled {
            out.select_all();
            let more = match &mut self.stage {
                Stage::Begin => false,
                Stage::Combined(rows) => rows.next_batch(&mut out.rows)?,
                Stage::Sorted(sorter, _) => sorter.next(&mut out.rows)?,
            };
            if !more {
                return Ok(false);
            }
            ctx.check_killed()?;
            let (from, to) = match &mut self.stage {
                Stage::Sorted(_, Some(ties)) => {
                    let (rows, more) = ties.pass(&out.rows, &mut self.limiter);
                    self.settled = !more;
                    (rows.start, rows.end)
                }
                _ => {
                    let rows = self.limiter.take(out.len());
                    self.settled = self.limiter.full();
                    rows
                }
            };
            out.rows.columns.truncate(self.plan.types.len());
            out.keep(from, to);
            if from < to {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn finish(&mut self, _ctx: &mut EvalContext) -> SqlResult<()> {
        self.exec.memory.borrow_mut().found_rows = Some(self.found);
        Ok(())
    }
}

/// The rows of all terms, put together from left to right; without columns where they are `unread` and several threads find them.
fn combined(
    (exec, plan): (&Exec<'_>, &QueryPlan),
    set: &SetPlan,
    specs: &[KeySpec],
    unread: bool,
    ctx: &mut EvalContext,
) -> SqlResult<MaterializedRows> {
    // the last DISTINCT of a row of unions makes the ones before it needless
    let union = |at: usize| set.terms[at].0.is_some_and(|o| o.kind == SetOpKind::Union);
    let distinct = |at: usize| set.terms[at].0.is_some_and(|o| !o.all);
    let mut left: Option<MaterializedRows> = None;
    let mut at = 0;
    while at < set.terms.len() {
        let mut out = Materializer::new(&ctx.budget);
        if let (Some(l), Some(op)) = (&left, set.terms[at].0.filter(|o| o.kind != SetOpKind::Union)) {
            let right = Term::new(exec, &set.terms[at].1, &plan.types, ctx)?;
            match_rows((l, op), right, specs, &mut out, ctx)?;
            at += 1;
        } else {
            // a row of unions, with what came before
            let mut end = at + 1;
            while end < set.terms.len() && union(end) {
                end += 1;
            }
            let last = (at..end).rev().find(|i| distinct(*i));
            let mut seen = last.is_some().then(|| Seen::new(specs, ctx));
            if let Some(l) = &left {
                let (mut left, mut batch) = (l.read(), Batch::default());
                while left.next_batch(&mut batch)? {
                    ctx.check_killed()?;
                    match &mut seen {
                        Some(seen) => seen.push_batch(&batch, &mut out)?,
                        None => out.push_batch(&batch)?,
                    }
                }
            }
            let mut rows = Chunk::default();
            let mut begin = at;
            let whole = at == 0 && last.is_some_and(|last| last + 1 == set.terms.len());
            if let Some(last) = last
                && left.is_none()
                && let Some(mut found) =
                    found_by_threads((exec, plan), &set.terms[at..=last], specs, !(unread && whole), ctx)?
            {
                exec.counters.borrow_mut().tmp_write += found.taken;
                while found.next(&mut rows.rows)? {
                    ctx.check_killed()?;
                    out.push_batch(&rows.rows)?;
                }
                (begin, seen) = (last + 1, None);
            }
            for i in begin..end {
                let mut term = Term::new(exec, &set.terms[i].1, &plan.types, ctx)?;
                while term.next(&mut rows, ctx)? {
                    let batch = &rows.rows;
                    exec.counters.borrow_mut().tmp_write += batch.len as u64;
                    match &mut seen {
                        Some(seen) => seen.push_batch(batch, &mut out)?,
                        None => out.push_batch(batch)?,
                    }
                }
                term.finish(ctx)?;
                if last == Some(i)
                    && let Some(seen) = seen.take()
                {
                    seen.finish(&mut out)?;
                }
            }
            at = end;
        }
        left = Some(out.finish()?);
    }
    left.map_or_else(|| Materializer::new(&ctx.budget).finish(), Ok)
}

/// INTERSECT and EXCEPT: the rows of what came before that pass beside those of a term.
fn match_rows(
    (l, op): (&MaterializedRows, ast::SetOp),
    term: Term<'_>,
    specs: &[KeySpec],
    out: &mut Materializer,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let mut right = Matching::new(op.kind == SetOpKind::Intersect, op.all, &ctx.budget);
    let (mut key, mut scratch) = (Vec::new(), Vec::new());
    add_keys(&mut right, term, specs, ctx)?;
    let mut seen = (!op.all).then(|| Seen::new(specs, ctx));
    let mut take = |batch: &Batch, row: usize| match &mut seen {
        Some(seen) => seen.push(batch, row, out),
        None => out.push(&batch.columns, row),
    };
    let mut left = l.read();
    while let Some((batch, rows)) = left.next_run(BATCH_ROWS)? {
        ctx.check_killed()?;
        for row in rows {
            key.clear();
            sortkey::encode(&batch.columns, specs, row, &mut key, &mut scratch);
            if right.passes(&key, &batch.columns, row)? {
                take(batch, row)?;
            }
        }
    }
    if let Some(mut rest) = right.rest()? {
        let mut batch = Batch::default();
        while rest.batch(&mut batch, BATCH_ROWS)? {
            ctx.check_killed()?;
            (0..batch.len).try_for_each(|row| take(&batch, row))?;
        }
    }
    if let Some(seen) = seen {
        seen.finish(out)?;
    }
    Ok(())
}

/// The rows of the terms of a UNION without those that came before, where several threads can find them.
fn found_by_threads(
    (exec, plan): (&Exec<'_>, &QueryPlan),
    terms: &[(Option<ast::SetOp>, Arc<QueryPlan>)],
    specs: &[KeySpec],
    looked_at: bool,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Found>> {
    let rows = terms.iter().map(|(_, term)| distinct_rows::Rows::of_term(term, &plan.types, ctx));
    match rows.collect::<Option<Vec<_>>>() {
        Some(rows) => distinct_rows::find(exec, &rows, specs, looked_at, ctx),
        None => Ok(None),
    }
}

/// Adds the key of every row of a term.
fn add_keys(
    to: &mut Matching,
    mut term: Term<'_>,
    specs: &[KeySpec],
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let (mut key, mut scratch) = (Vec::new(), Vec::new());
    let mut rows = Chunk::default();
    while term.next(&mut rows, ctx)? {
        for row in 0..rows.rows.len {
            key.clear();
            sortkey::encode(&rows.rows.columns, specs, row, &mut key, &mut scratch);
            to.add(&key)?;
        }
    }
    term.finish(ctx)
}

/// The rows of a result that were not there before.
pub(super) struct Seen<'s> {
    specs: &'s [KeySpec],
    unique: Unique,
    budget: Budget,
    keys: KeyBatch,
    scratch: Vec<u8>,
}

impl<'s> Seen<'s> {
    pub(super) fn new(specs: &'s [KeySpec], ctx: &EvalContext) -> Seen<'s> {
        let budget = ctx.budget.clone();
        Seen { specs, unique: Unique::default(), budget, keys: KeyBatch::default(), scratch: Vec::new() }
    }

    pub(super) fn push(&mut self, batch: &Batch, row: usize, out: &mut Materializer) -> SqlResult<()> {
        self.push_rows(batch, row..row + 1, out)
    }

    fn push_batch(&mut self, batch: &Batch, out: &mut Materializer) -> SqlResult<()> {
        self.push_rows(batch, 0..batch.len, out)
    }

    fn push_rows(&mut self, batch: &Batch, rows: Range<usize>, out: &mut Materializer) -> SqlResult<()> {
        self.keys.clear();
        for row in rows.clone() {
            self.keys.push(|key| sortkey::encode(&batch.columns, self.specs, row, key, &mut self.scratch));
        }
        self.unique.look_ahead(&self.keys);
        for (n, row) in rows.enumerate() {
            if self.unique.see(&self.budget, self.keys.get(n), &batch.columns, row)? {
                out.push(&batch.columns, row)?;
            }
        }
        self.budget.note(self.unique.memory());
        Ok(())
    }

    pub(super) fn finish(mut self, out: &mut Materializer) -> SqlResult<()> {
        if let Some(mut rest) = self.unique.rest(&self.budget)? {
            let mut batch = Batch::default();
            while rest.batch(&mut batch, BATCH_ROWS)? {
                out.push_batch(&batch)?;
            }
        }
        Ok(())
    }
}

/// A term that runs; its rows come in the types of the whole.
struct Term<'p> {
    top: Box<dyn Operator + 'p>,
    from: &'p [FieldType],
    to: &'p [FieldType],
    rows: Chunk,
}

impl<'p> Term<'p> {
    fn new(
        exec: &'p Exec<'_>,
        term: &'p QueryPlan,
        to: &'p [FieldType],
        ctx: &mut EvalContext,
    ) -> SqlResult<Term<'p>> {
        Ok(Term { top: exec.operator(term, ctx)?, from: &term.types, to, rows: Chunk::default() })
    }

    /// Makes `out` the next rows, side by side; false when there are no more.
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        if !self.top.next(&mut self.rows, ctx)? {
            return Ok(false);
        }
        self.rows.pack(ctx);
        out.clear(ctx);
        convert(&mut self.rows.rows, (self.from, self.to), &mut out.rows, ctx)?;
        Ok(true)
    }

    fn finish(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        self.top.finish(ctx)
    }
}

/// Doubles in a column of texts: as they are stored in one, whatever digits their own column shows.
fn texts_of_doubles(v: &Vector, to: &FieldType) -> Vector {
    let mut out = Vector::new(Class::Bytes);
    for i in 0..v.len() {
        if v.is_null(i) {
            out.push_null();
            continue;
        }
        let mut text = Vec::new();
        let made = crate::types::narrow::narrow(v.f64(i), to.char_length() as usize);
        crate::types::convert::ascii_to(&made.text, to, &mut text);
        text.truncate(to.length as usize);
        out.push_bytes(&text);
    }
    out.set_constant(v.is_constant());
    out
}

/// Decimals in a column of texts: with every digit they have, as they are stored in one. A quotient has more than it shows.
fn texts_of_decimals(v: &Vector, to: &FieldType) -> Vector {
    let mut out = Vector::new(Class::Bytes);
    for i in 0..v.len() {
        let crate::types::ValueRef::Decimal(d) = v.get(i) else {
            out.push_null();
            continue;
        };
        let mut digits = d.to_string();
        if !to.is_blob() {
            digits.truncate(to.char_length() as usize);
        }
        let mut text = Vec::new();
        crate::types::convert::ascii_to(digits.as_bytes(), to, &mut text);
        out.push_bytes(&text);
    }
    out.set_constant(v.is_constant());
    out
}

/// Makes `out` a term's rows in the types of the whole. Columns that stay as they are are moved.
pub(super) fn convert(
    batch: &mut Batch,
    (from, to): (&[FieldType], &[FieldType]),
    out: &mut Batch,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    out.len = batch.len;
    for (i, (from, to)) in from.iter().zip(to).enumerate() {
        let v = &batch.columns[i];
        let from = &crate::plan::union::as_term(from, to);
        let padded = to.kind == Kind::Char && to.collation.id == 63;
        let same = from.class() == to.class()
            && from.class() != Class::Decimal
            && !to.is_fixed_double()
            && (!to.is_address() || from.kind == to.kind)
            && !(padded && (from.kind != to.kind || from.length != to.length))
            && (!to.is_string() || from.collation.charset.name == to.collation.charset.name);
        if same && from.kind == Kind::Year && to.kind == Kind::Tiny {
            out.columns.push(clipped(v, batch.len, u8::MAX.into()));
            continue;
        }
        if same && to.kind == Kind::Year && to.length == 4 {
            out.columns.push(full_years(v, batch.len, from));
            continue;
        }
        if same {
            out.columns.push(std::mem::take(&mut batch.columns[i]));
            continue;
        }
        if from.class() == Class::Double && to.is_string() && !to.is_blob() && !to.is_address() {
            let made = texts_of_doubles(v, to);
            out.columns.push(if padded { fitted(&made, batch.len, to.length as usize, true) } else { made });
            continue;
        }
        if from.class() == Class::Decimal && to.is_string() && !to.is_address() && !from.zerofill {
            let made = texts_of_decimals(v, to);
            out.columns.push(if padded { fitted(&made, batch.len, to.length as usize, true) } else { made });
            continue;
        }
        let mut column = crate::expr::Expr::column(0, i as u32, from.clone());
        column.columns_mut(&mut |c| c.slot = i as u32);
        let e = if to.is_address() {
            crate::func::wrapped::to_address(&mut column, to, ctx)?;
            column
        } else {
            crate::expr::Expr::new(crate::expr::Node::Convert(Box::new(column)), to.clone())
        };
        let mark = ctx.warnings.mark();
        let mode = ctx.sql_mode;
        if from.is_temporal() && to.is_temporal() {
            // a date is one of the whole, whatever the mode thinks of it
            ctx.sql_mode = mode.without(SqlMode::NO_ZERO_DATE).without(SqlMode::NO_ZERO_IN_DATE);
        }
        let made = output(&[e], Frame::new(batch), batch.len, ctx);
        ctx.sql_mode = mode;
        let mut made = made?;
        if to.is_address() {
            // text that is no address becomes NULL without a word
            ctx.warnings.rollback_to(mark);
        }
        let cut = to.kind == Kind::Varchar && to.collation.id == 63 && from.class().is_integer();
        if padded || cut {
            for v in &mut made.columns {
                *v = fitted(v, batch.len, to.length as usize, padded);
            }
        }
        out.columns.extend(made.columns);
    }
    Ok(())
}

/// Years of two digits as the whole has them.
fn full_years(v: &Vector, rows: usize, from: &FieldType) -> Vector {
    let zero = if from.is_short_year() { 2000 } else { 0 };
    let mut out = Vector::new(v.class());
    for i in 0..rows {
        if v.is_null(i) {
            out.push_null();
        } else {
            out.push_i64(completed(v.i64(i), zero));
        }
    }
    out
}

/// Years are too large for TINYINT, which YEAR and TINYINT have in common.
fn clipped(v: &Vector, rows: usize, most: i64) -> Vector {
    let mut out = Vector::new(v.class());
    for i in 0..rows {
        if v.is_null(i) {
            out.push_null();
        } else {
            out.push_i64(v.i64(i).min(most));
        }
    }
    out
}

/// Bytes as a column of this length has them: cut, and those of BINARY are filled up with zeros.
fn fitted(v: &Vector, rows: usize, length: usize, padded: bool) -> Vector {
    let mut out = Vector::new(Class::Bytes);
    for i in 0..rows {
        if v.is_null(i) {
            out.push_null();
            continue;
        }
        let b = v.bytes(i);
        if b.len() < length && padded {
            let mut b = b.to_vec();
            b.resize(length, 0);
            out.push_bytes(&b);
        } else {
            out.push_bytes(&b[..b.len().min(length)]);
        }
    }
    out
}

/// An empty vector list for a plan's columns.
#[must_use]
pub fn columns_of(plan: &QueryPlan) -> Vec<Vector> {
    plan.types.iter().map(|t| Vector::new(t.class())).collect()
}
