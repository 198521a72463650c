//! Which partitions can have rows that meet conditions on single columns. What is found may be too much, never too little.

use super::sarg::{ColumnTest, Sarg};
use super::stored::{Stored, ends_of_integer, to_stored};
use crate::error::SqlResult;
use crate::expr::{CompareOp, EvalContext, Expr, Node};
use crate::table::partition::routing::{
    Bound, Hash, HashOf, Method, Number, Routing, integer, integer_below,
};
use crate::table::{OpenTable, RowBuf};
use crate::types::decimal::Rounding;
use crate::types::temporal::calendar::days_in_month;
use crate::types::{Batch, Value, load};

/// Most combinations of values that are looked at one by one.
const MOST: usize = 1024;

/// Most integers of an interval that are looked at one by one, as in the reference server.
const MOST_IN_INTERVAL: Number = 32;

/// What is asked of a column.
#[derive(Clone, Debug, Default)]
struct Asked {
    /// One of these stored values; `None` is NULL.
    points: Option<Vec<Option<Vec<u8>>>>,
    /// No less and no more than these, and not NULL; whether the end itself counts.
    low: Option<(Vec<u8>, bool)>,
    high: Option<(Vec<u8>, bool)>,
    /// None of these.
    except: Vec<Vec<u8>>,
    /// Nothing meets it.
    never: bool,
}

impl Asked {
    fn is_bounded(&self) -> bool {
        self.low.is_some() || self.high.is_some()
    }

    fn meet(&mut self, points: Vec<Option<Vec<u8>>>) {
        self.points = Some(match self.points.take() {
            Some(own) => own.into_iter().filter(|v| points.contains(v)).collect(),
            None => points,
        });
    }
}

/// The partitions that are looked for.
pub(crate) struct Pruner<'a> {
    table: &'a OpenTable,
    routing: &'a Routing,
    asked: Vec<Asked>,
    row: RowBuf,
    batch: Batch,
}

/// The numbers of the files that can have rows which meet the tests, and one branch of each choice; nothing when all can.
///
/// # Errors
/// Those of constants and of the partitioning function.
pub(crate) fn prune(
    table: &OpenTable,
    (tests, choices): (&[ColumnTest], &[Vec<Vec<ColumnTest>>]),
    value: &mut dyn FnMut(&Expr, &mut EvalContext) -> SqlResult<Value>,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Vec<usize>>> {
    let mut left = by_tests(table, tests, value, ctx)?;
    for branches in choices {
        let mut any = Some(Vec::new());
        for branch in branches {
            let both: Vec<ColumnTest> = tests.iter().chain(branch).cloned().collect();
            let found = by_tests(table, &both, value, ctx)?;
            any = any.zip(found).map(|(any, found): (Vec<usize>, _)| [any, found].concat());
        }
        left = match (left, any.map(sorted)) {
            (Some(left), Some(any)) => Some(left.into_iter().filter(|n| any.contains(n)).collect()),
            (left, any) => left.or(any),
        };
    }
    let count = table.children().map_or(0, |c| c.tables().len());
    Ok(left.filter(|left| left.len() < count))
}

/// The files that can have rows which meet all tests.
fn by_tests(
    table: &OpenTable,
    tests: &[ColumnTest],
    value: &mut dyn FnMut(&Expr, &mut EvalContext) -> SqlResult<Value>,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Vec<usize>>> {
    if tests.is_empty() {
        return Ok(None);
    }
    let Some(routing) = table.routing(ctx)? else { return Ok(None) };
    let mut asked: Vec<Asked> = vec![Asked::default(); table.def().columns.len()];
    for test in tests {
        note(&routing, test, &mut asked[test.column], value, ctx)?;
    }
    let mark = ctx.warnings.mark();
    (0..asked.len()).for_each(|column| settle(&routing, column, &mut asked[column], ctx));
    if asked.iter().any(|a| a.never) {
        return Ok(Some(Vec::new()));
    }
    if asked.iter().all(|a| a.points.is_none() && !a.is_bounded()) {
        return Ok(None);
    }
    let mut pruner =
        Pruner { table, routing: &routing, asked, row: table.new_row(), batch: Batch::default() };
    let found = pruner.files(ctx);
    ctx.warnings.rollback_to(mark);
    found
}

/// Leaves of the single values those that meet the rest; an interval of one value is that value.
fn settle(routing: &Routing, column: usize, asked: &mut Asked, ctx: &EvalContext) {
    for (end, closed) in [&mut asked.low, &mut asked.high].into_iter().flatten() {
        *closed &= !asked.except.contains(end);
    }
    if let (None, Some((low, low_closed)), Some((high, high_closed))) =
        (&asked.points, &asked.low, &asked.high)
    {
        let of = |b: &[u8]| load::value(Some(b), &routing.columns[column].ty, ctx);
        let order = routing.compare(column, &of(low), &of(high));
        let both_closed = *low_closed && *high_closed;
        asked.never |= order.is_gt() || order.is_eq() && !both_closed;
        if low == high && both_closed {
            asked.points = Some(vec![Some(low.clone())]);
        }
    }
    let Some(mut points) = asked.points.take() else { return };
    points.retain(|point| {
        let Some(bytes) = point else { return !asked.is_bounded() && asked.except.is_empty() };
        let value = load::value(Some(bytes), &routing.columns[column].ty, ctx);
        !asked.except.contains(bytes) && is_within(routing, column, asked, &value, ctx)
    });
    asked.points = Some(points);
}

/// Whether a value of a column lies in the interval that is asked for.
fn is_within(routing: &Routing, column: usize, asked: &Asked, value: &Value, ctx: &EvalContext) -> bool {
    let end = |end: &Option<(Vec<u8>, bool)>, below: bool| {
        end.as_ref().is_none_or(|(b, closed)| {
            let end = load::value(Some(b), &routing.columns[column].ty, ctx);
            let order = routing.compare(column, value, &end);
            order.is_eq() && *closed || if below { order.is_gt() } else { order.is_lt() }
        })
    };
    end(&asked.low, true) && end(&asked.high, false)
}

/// Notes what a test asks of its column.
fn note(
    routing: &Routing,
    test: &ColumnTest,
    asked: &mut Asked,
    value: &mut dyn FnMut(&Expr, &mut EvalContext) -> SqlResult<Value>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    if let Some(points) = points_of(routing, test.column, &test.test, &mut |e| value(e, ctx))? {
        asked.meet(points);
        return Ok(());
    }
    let mut bound = |op: CompareOp, e: &Expr, asked: &mut Asked| -> SqlResult<()> {
        let v = value(e, ctx)?;
        note_bound(routing, test.column, (op, &v), asked, ctx);
        Ok(())
    };
    match &test.test {
        Sarg::Compare(op @ (CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge), e) => {
            bound(*op, e, asked)
        }
        Sarg::Between(low, high) => {
            bound(CompareOp::Ge, low, asked)?;
            bound(CompareOp::Le, high, asked)
        }
        Sarg::Compare(CompareOp::Ne, e) => {
            except(routing, test.column, std::slice::from_ref(e), asked, &mut |e| value(e, ctx))
        }
        Sarg::NotIn(list) => except(routing, test.column, list, asked, &mut |e| value(e, ctx)),
        _ => Ok(()),
    }
}

/// Notes an end of an interval; of two the narrower one counts.
fn note_bound(
    routing: &Routing,
    column: usize,
    (op, value): (CompareOp, &Value),
    asked: &mut Asked,
    ctx: &EvalContext,
) {
    if *value == Value::Null {
        asked.never = true;
        return;
    }
    let ty = &routing.columns[column].ty;
    let lower = matches!(op, CompareOp::Gt | CompareOp::Ge);
    let closed = matches!(op, CompareOp::Le | CompareOp::Ge);
    let new = match to_stored(value, ty) {
        Stored::Exact(b) => (b, closed),
        Stored::After(b) => (b, !lower),
        Stored::Unknown => return,
        Stored::BelowAll if !lower && ty.unsigned => {
            asked.never = true;
            return;
        }
        outside => match (ends_of_integer(ty), outside) {
            (Some((least, _)), Stored::BelowAll) => (least, lower),
            (Some((_, most)), _) => (most, !lower),
            (None, _) => return,
        },
    };
    let end = if lower { &mut asked.low } else { &mut asked.high };
    if let Some(own) = end {
        let of = |b: &[u8]| load::value(Some(b), ty, ctx);
        let order = routing.compare(column, &of(&new.0), &of(&own.0));
        let narrower = if lower { order.is_gt() } else { order.is_lt() };
        if !narrower && (!order.is_eq() || new.1) {
            return;
        }
    }
    *end = Some(new);
}

/// Notes values that leave rows out.
fn except(
    routing: &Routing,
    column: usize,
    list: &[Expr],
    asked: &mut Asked,
    value: &mut dyn FnMut(&Expr) -> SqlResult<Value>,
) -> SqlResult<()> {
    let ty = &routing.columns[column].ty;
    // of other types, equal values may lie in different bytes, and bytes may be equal where values are not
    if !ty.class().is_integer() || ty.is_temporal() {
        return Ok(());
    }
    for e in list {
        if let Stored::Exact(b) = to_stored(&value(e)?, ty) {
            asked.except.push(b);
        }
    }
    Ok(())
}

/// The stored values that a test asks for, when it asks for single ones.
fn points_of(
    routing: &Routing,
    column: usize,
    test: &Sarg,
    value: &mut dyn FnMut(&Expr) -> SqlResult<Value>,
) -> SqlResult<Option<Vec<Option<Vec<u8>>>>> {
    let ty = &routing.columns[column].ty;
    let mut one = |e: &Expr, null_safe: bool, out: &mut Vec<Option<Vec<u8>>>| -> SqlResult<bool> {
        let v = value(e)?;
        if v == Value::Null {
            if null_safe {
                out.push(None);
            }
            return Ok(true);
        }
        match to_stored(&v, ty) {
            Stored::Exact(b) => out.push(Some(b)),
            Stored::Unknown => return Ok(false),
            _ => {}
        }
        Ok(true)
    };
    let mut out = Vec::new();
    let known = match test {
        Sarg::Compare(CompareOp::Eq, e) => one(e, false, &mut out)?,
        Sarg::Compare(CompareOp::NullSafeEq, e) => one(e, true, &mut out)?,
        Sarg::In(list) => {
            let mut known = true;
            for e in list {
                known &= one(e, false, &mut out)?;
            }
            known
        }
        Sarg::IsNull => {
            out.extend(ty.nullable.then_some(None));
            true
        }
        Sarg::Or(list) => {
            for part in list {
                match points_of(routing, column, part, value)? {
                    Some(points) => out.extend(points),
                    None => return Ok(None),
                }
            }
            true
        }
        _ => false,
    };
    Ok(known.then_some(out))
}

impl Pruner<'_> {
    fn files(&mut self, ctx: &mut EvalContext) -> SqlResult<Option<Vec<usize>>> {
        let count = self.table.children().map_or(0, |c| c.tables().len());
        let subs = self.routing.sub.as_ref().map_or(1, |s| s.1);
        let whole = self.whole(count / subs.max(1), ctx)?;
        let routing = self.routing;
        let within = match &routing.sub {
            Some((hash, n)) => self.by_hash(hash, *n, ctx)?,
            None => None,
        };
        if whole.is_none() && within.is_none() {
            return Ok(None);
        }
        let whole = whole.unwrap_or_else(|| (0..count / subs.max(1)).collect());
        let within = within.unwrap_or_else(|| (0..subs).collect());
        let mut all: Vec<usize> =
            whole.iter().flat_map(|p| within.iter().map(move |s| p * subs + s)).collect();
        all.sort_unstable();
        all.dedup();
        Ok((all.len() < count).then_some(all))
    }

    /// The partitions, whatever their subpartitions.
    fn whole(&mut self, count: usize, ctx: &mut EvalContext) -> SqlResult<Option<Vec<usize>>> {
        let routing = self.routing;
        match &routing.method {
            Method::Hash(hash, n) => self.by_hash(hash, *n, ctx),
            Method::Range(e, bounds) => self.by_range(e, bounds, ctx),
            Method::List(e, values) => {
                if let Some(found) = self.each(&columns_of(e), ctx, &mut |p, ctx| p.placed(ctx))? {
                    return Ok(Some(found));
                }
                if let ([column], false) = (&columns_of(e)[..], is_column(e))
                    && let Some(found) = self.integers(*column, ctx, &mut |p, ctx| p.placed(ctx))?
                {
                    return Ok(Some(found));
                }
                let Some((low, high)) = self.interval(e, ctx)? else { return Ok(None) };
                let inside = |n: &Option<Number>| match n {
                    Some(n) => low.is_none_or(|l| *n >= l) && high.is_none_or(|h| *n <= h),
                    None => !is_column(e),
                };
                let own = values.of.iter().filter(|(n, _)| inside(n)).map(|(_, p)| *p);
                Ok(Some(sorted(own.chain(values.default).collect())))
            }
            Method::RangeColumns(columns, bounds) => self.by_columns(columns, bounds, count, ctx),
            Method::ListColumns(columns, values) => {
                if let Some(found) = self.each(columns, ctx, &mut |p, ctx| p.placed(ctx))? {
                    return Ok(Some(found));
                }
                let fits = |(row, _): &&(Vec<Value>, usize)| {
                    columns.iter().zip(row).all(|(c, v)| self.meets(*c, v, ctx))
                };
                let own: Vec<usize> = values.of.iter().filter(fits).map(|(_, p)| *p).collect();
                Ok(Some(sorted(own.into_iter().chain(values.default).collect())))
            }
        }
    }

    /// Whether a value of a column meets what is asked of it.
    fn meets(&self, column: usize, value: &Value, ctx: &EvalContext) -> bool {
        let asked = &self.asked[column];
        let order = |b: &Option<Vec<u8>>| {
            let own = load::value(b.as_deref(), &self.routing.columns[column].ty, ctx);
            self.routing.compare(column, value, &own)
        };
        if let Some(points) = &asked.points {
            return points.iter().any(|p| order(p).is_eq());
        }
        if *value == Value::Null {
            return !asked.is_bounded();
        }
        is_within(self.routing, column, asked, value, ctx)
    }

    /// The partition of the row at hand; nothing where none takes it.
    fn placed(&mut self, ctx: &mut EvalContext) -> SqlResult<Option<usize>> {
        let subs = self.routing.sub.as_ref().map_or(1, |s| s.1);
        match self.routing.part(&self.row, &mut self.batch, ctx) {
            Ok(part) => Ok(Some(part / subs)),
            Err(e) if e.code == crate::error::codes::ER_NO_PARTITION_FOR_GIVEN_VALUE => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Calls `f` for each combination of values that these columns may have; nothing when they are not known, or too many.
    fn each(
        &mut self,
        columns: &[usize],
        ctx: &mut EvalContext,
        f: &mut dyn FnMut(&mut Self, &mut EvalContext) -> SqlResult<Option<usize>>,
    ) -> SqlResult<Option<Vec<usize>>> {
        let mut lists = Vec::with_capacity(columns.len());
        let mut all = 1usize;
        for column in columns {
            let Some(points) = self.asked[*column].points.clone() else { return Ok(None) };
            all = all.saturating_mul(points.len());
            lists.push((*column, points));
        }
        if all > MOST || lists.is_empty() {
            return Ok(None);
        }
        let mut found = Vec::new();
        for n in 0..all {
            let mut rest = n;
            for (column, points) in &lists {
                match &points[rest % points.len()] {
                    Some(b) => self.row.set(*column, b),
                    None => self.row.set_null(*column),
                }
                rest /= points.len();
            }
            found.extend(f(self, ctx)?);
        }
        Ok(Some(sorted(found)))
    }

    fn by_hash(&mut self, hash: &Hash, n: usize, ctx: &mut EvalContext) -> SqlResult<Option<Vec<usize>>> {
        let columns = match &hash.of {
            HashOf::Expr(e) => columns_of(e),
            HashOf::Key(key) => key.columns().collect(),
        };
        let routing = self.routing;
        let found = self.each(&columns, ctx, &mut |p, ctx| {
            routing.load(&p.row, &mut p.batch, ctx);
            hash.of(n, &p.row, &p.batch, ctx).map(Some)
        })?;
        if found.is_some() {
            return Ok(found);
        }
        let [column] = &columns[..] else { return Ok(None) };
        self.integers(*column, ctx, &mut |p, ctx| {
            routing.load(&p.row, &mut p.batch, ctx);
            hash.of(n, &p.row, &p.batch, ctx).map(Some)
        })
    }

    /// Calls `f` for each integer of a short interval.
    fn integers(
        &mut self,
        column: usize,
        ctx: &mut EvalContext,
        f: &mut dyn FnMut(&mut Self, &mut EvalContext) -> SqlResult<Option<usize>>,
    ) -> SqlResult<Option<Vec<usize>>> {
        let ty = &self.routing.columns[column].ty;
        let Asked { low: Some((low, low_closed)), high: Some((high, high_closed)), .. } = &self.asked[column]
        else {
            return Ok(None);
        };
        let width = low.len();
        let end = |bytes: &[u8]| integer(&load::value(Some(bytes), ty, ctx));
        if !ty.class().is_integer() || ty.is_temporal() || width > 8 {
            return Ok(None);
        }
        let (Some(low), Some(high)) = (end(low), end(high)) else { return Ok(None) };
        let (low, high) = (low + Number::from(!low_closed), high - Number::from(!high_closed));
        if high - low > MOST_IN_INTERVAL {
            return Ok(None);
        }
        let except = self.asked[column].except.clone();
        let mut found = Vec::new();
        for n in low..=high {
            let bytes = &n.to_le_bytes()[..width];
            if except.iter().any(|e| e == bytes) {
                continue;
            }
            self.row.set(column, bytes);
            // of a value that the function has none for, no more is known
            match f(self, ctx) {
                Ok(place) => found.extend(place),
                Err(_) => return Ok(None),
            }
        }
        Ok(Some(sorted(found)))
    }

    /// The integers between which a function of one column lies, where it rises with the column.
    fn interval(
        &mut self,
        e: &Expr,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<(Option<Number>, Option<Number>)>> {
        let columns = columns_of(e);
        let ([column], true) = (&columns[..], is_column(e) || is_rising(e)) else { return Ok(None) };
        let asked = self.asked[*column].clone();
        if !asked.is_bounded() {
            return Ok(None);
        }
        let exact = is_column(e);
        let mut end = |end: &Option<(Vec<u8>, bool)>, step: Number, ctx: &mut EvalContext| {
            let Some((bytes, closed)) = end else { return Ok(None) };
            self.row.set(*column, bytes);
            self.routing.load(&self.row, &mut self.batch, ctx);
            let ty = &self.routing.columns[*column].ty;
            let stored = load::value(Some(bytes), ty, ctx);
            let mut value = e.value_in(crate::expr::Frame::new(&self.batch), ctx)?;
            if let (Value::Null, Some(day)) = (&value, day_behind(&stored))
                && let Stored::Exact(bytes) = to_stored(&day, ty)
            {
                // what comes before the day and has a value is less than that of the day
                self.row.set(*column, &bytes);
                self.routing.load(&self.row, &mut self.batch, ctx);
                value = e.value_in(crate::expr::Frame::new(&self.batch), ctx)?;
                return Ok(integer_below(&value).map(|n| if step < 0 { n - 1 } else { n }));
            }
            let n = integer_below(&value);
            let next = match &stored {
                // behind it come others of the same integer
                Value::Decimal(d) => step < 0 && d.round(0, Rounding::Floor).0 == *d,
                _ => true,
            };
            let edge = if step < 0 { begins(e, &stored) } else { ends(e, &stored, ty.decimals) };
            let steps = !closed && (exact && next || edge);
            Ok::<_, crate::error::SqlError>(n.map(|n| if steps { n + step } else { n }))
        };
        let low = end(&asked.low, 1, ctx)?;
        let high = end(&asked.high, -1, ctx)?;
        Ok((low.is_some() || high.is_some()).then_some((low, high)))
    }

    fn by_range(
        &mut self,
        e: &Expr,
        bounds: &[Option<Number>],
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<Vec<usize>>> {
        if let Some(found) = self.each(&columns_of(e), ctx, &mut |p, ctx| p.placed(ctx))? {
            return Ok(Some(found));
        }
        // where the value falls again as the column rises, only each integer tells
        if let ([column], false) = (&columns_of(e)[..], is_column(e) || is_rising(e))
            && let Some(found) = self.integers(*column, ctx, &mut |p, ctx| p.placed(ctx))?
        {
            return Ok(Some(found));
        }
        let Some((low, high)) = self.interval(e, ctx)? else { return Ok(None) };
        let place = |n: Number| bounds.partition_point(|b| b.is_some_and(|b| n >= b));
        let from = low.map_or(0, place);
        let to = high.map_or(bounds.len(), |h| place(h) + 1).min(bounds.len());
        let mut found: Vec<usize> = (from..to).collect();
        // dates that are none give NULL, which lies in the first one
        if !is_column(e) && from > 0 && gives_null(e) && !self.is_within_month(e, ctx) {
            found.insert(0, 0);
        }
        Ok(Some(found))
    }

    /// Whether an interval lies between two days of one month: there is no date among them that is none.
    fn is_within_month(&self, e: &Expr, ctx: &EvalContext) -> bool {
        let [column] = columns_of(e)[..] else { return false };
        let day = |end: &Option<(Vec<u8>, bool)>| {
            let value = load::value(Some(&end.as_ref()?.0), &self.routing.columns[column].ty, ctx);
            let (Value::Date(d) | Value::DateTime(d)) = value else { return None };
            let exists = d.month != 0 && (1..=days_in_month(d.year, d.month)).contains(&d.day);
            exists.then_some((d.year, d.month))
        };
        let (low, high) = (day(&self.asked[column].low), day(&self.asked[column].high));
        low.is_some() && low == high
    }

    /// RANGE COLUMNS: values of the first columns, and an interval of the next.
    fn by_columns(
        &mut self,
        columns: &[usize],
        bounds: &[Vec<Bound>],
        count: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<Vec<usize>>> {
        let known = columns.iter().take_while(|c| self.asked[**c].points.is_some()).count();
        if known == 0 && !self.asked[columns[0]].is_bounded() {
            return Ok(None);
        }
        let mut prefixes: Vec<Vec<Value>> = vec![Vec::new()];
        for column in &columns[..known] {
            let points = self.asked[*column].points.clone().unwrap_or_default();
            let ty = &self.routing.columns[*column].ty;
            let values: Vec<Value> = points.iter().map(|p| load::value(p.as_deref(), ty, ctx)).collect();
            if prefixes.len() * values.len() > MOST {
                return Ok(None);
            }
            let longer = |p: &Vec<Value>| {
                let p = p.clone();
                values.iter().map(move |v| p.iter().cloned().chain([v.clone()]).collect()).collect::<Vec<_>>()
            };
            prefixes = prefixes.iter().flat_map(longer).collect();
        }
        let next = columns.get(known).copied();
        let value = |end: &Option<(Vec<u8>, bool)>, c: usize| {
            end.as_ref().map(|(b, _)| load::value(Some(b), &self.routing.columns[c].ty, ctx))
        };
        let (low, high) = match next {
            Some(c) => (value(&self.asked[c].low, c), value(&self.asked[c].high, c)),
            None => (None, None),
        };
        let mut found = Vec::new();
        for prefix in prefixes {
            let with = |end: &Option<Value>| prefix.iter().chain(end).cloned().collect::<Vec<_>>();
            let (first, last) = (with(&low), with(&high));
            // rows up to an open end are below a bound that is that end
            let above = low.is_some() && next.is_some_and(|c| matches!(self.asked[c].low, Some((_, false))));
            let open = high.is_some() && next.is_some_and(|c| matches!(self.asked[c].high, Some((_, false))));
            // a row with these first values is below the bound, or may be
            let below = |row: &[Value], bound: &[Bound], equal: bool| {
                for ((column, value), bound) in columns.iter().zip(row).zip(bound) {
                    let Bound::Value(bound) = bound else { return true };
                    match self.routing.compare(*column, value, bound) {
                        std::cmp::Ordering::Less => return true,
                        std::cmp::Ordering::Greater => return false,
                        std::cmp::Ordering::Equal => {}
                    }
                }
                equal
            };
            let goes_on = |row: &[Value], bound: &[Bound]| matches!(bound.get(row.len()), Some(Bound::Max));
            // rows behind an open end are behind each bound that begins with it
            let begins = |b: &[Bound]| below(&first, b, !above && first.len() < columns.len());
            let from = bounds.partition_point(|b| !begins(b));
            let to = bounds.partition_point(|b| !below(&last, b, open || goes_on(&last, b)));
            found.extend(from..=to.min(count.saturating_sub(1)));
        }
        found.retain(|n| *n < count);
        Ok(Some(sorted(found)))
    }
}

fn sorted(mut list: Vec<usize>) -> Vec<usize> {
    list.sort_unstable();
    list.dedup();
    list
}

fn columns_of(e: &Expr) -> Vec<usize> {
    let mut list = Vec::new();
    e.columns(&mut |c| list.push(c.column as usize));
    sorted(list)
}

fn is_column(e: &Expr) -> bool {
    matches!(e.node, Node::Column(_))
}

/// Functions that rise with their one argument.
fn is_rising(e: &Expr) -> bool {
    let Node::Call(f, args) = &e.node else { return false };
    args.len() == 1
        && matches!(f.def.name, "to_days" | "to_seconds" | "year" | "unix_timestamp")
        && columns_of(e).len() == 1
}

/// The first day behind a date whose month or day is none.
fn day_behind(value: &Value) -> Option<Value> {
    let (Value::Date(d) | Value::DateTime(d)) = value else { return None };
    if d.month != 0 && d.day != 0 {
        return None;
    }
    let mut day = *d;
    (day.month, day.day) = (d.month.max(1), 1);
    (day.hour, day.minute, day.second, day.micros) = (0, 0, 0, 0);
    Some(match value {
        Value::Date(_) => Value::Date(day),
        _ => Value::DateTime(day),
    })
}

/// Whether a function has a value from this moment on, and a lower one before it.
fn begins(e: &Expr, value: &Value) -> bool {
    let Node::Call(f, _) = &e.node else { return false };
    let (Value::Date(d) | Value::DateTime(d)) = value else { return false };
    let midnight = (d.hour, d.minute, d.second, d.micros) == (0, 0, 0, 0);
    match f.def.name {
        "year" => midnight && d.month == 1 && d.day == 1,
        "to_days" => midnight,
        "to_seconds" => d.micros == 0,
        _ => false,
    }
}

/// Whether a function has a higher value from the next one of the column on, which has so many decimals.
fn ends(e: &Expr, value: &Value, decimals: u8) -> bool {
    let Node::Call(f, _) = &e.node else { return false };
    let last = |micros: u32| micros + 10u32.pow(6 - u32::from(decimals.min(6))) >= 1_000_000;
    match (value, f.def.name) {
        (Value::Date(_), "to_days" | "to_seconds") => true,
        (Value::DateTime(d), "to_days") => (d.hour, d.minute, d.second) == (23, 59, 59) && last(d.micros),
        (Value::DateTime(d), "to_seconds") => last(d.micros),
        _ => false,
    }
}

/// Functions that give NULL for dates that are none.
fn gives_null(e: &Expr) -> bool {
    matches!(&e.node, Node::Call(f, _) if matches!(f.def.name, "to_days" | "to_seconds"))
}
