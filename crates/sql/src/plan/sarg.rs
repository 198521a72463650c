//! Conditions that a key can answer: collected while planning, turned into intervals of flat key
//! bytes when the statement runs.
//!
//! Intervals may hold too much, never too little: conditions that the intervals do not say exactly
//! stay as filters.

use crate::error::SqlResult;
use crate::expr::{CompareOp, Comparison, EvalContext, Expr, Node, Test};
use crate::func::IMAGE;
use crate::plan::access::has_subquery;
use crate::plan::stored::{Stored, to_stored};
use crate::table::interval::{Bound, Interval};
use crate::table::keys::order_values;
use crate::table::virtual_table::Limit;
use crate::table::{KeyInfo, TableFormat};
use crate::types::{Class, FieldType, Kind, Value};
use charset::LikeRange;
use std::cmp::Ordering;

/// More intervals than this are not planned for: further parts are left to the filter.
pub const MAX_INTERVALS: usize = 16_384;

/// The most values of a NOT IN that make intervals.
const NOT_IN: usize = 1000;

/// A test of one column by constants.
#[derive(Clone)]
pub struct ColumnTest {
    /// The column.
    pub column: usize,
    /// What is tested.
    pub test: Sarg,
    /// The intervals say all of the condition, whatever the constants (integer columns).
    pub exact: bool,
    /// The condition's number among the block's.
    pub condition: usize,
}

/// A test that a key can answer.
#[derive(Clone)]
pub enum Sarg {
    /// `column op value`.
    Compare(CompareOp, Expr),
    /// `column BETWEEN low AND high`.
    Between(Expr, Expr),
    /// `column IN (...)`.
    In(Vec<Expr>),
    /// `column IS NULL`.
    IsNull,
    /// `column IS NOT NULL`.
    IsNotNull,
    /// `column LIKE pattern`.
    Like(Expr, Option<u32>),
    /// `column NOT BETWEEN low AND high`.
    NotBetween(Expr, Expr),
    /// `column NOT IN (...)`.
    NotIn(Vec<Expr>),
    /// One of these.
    Or(Vec<Sarg>),
    /// All of these.
    And(Vec<Sarg>),
}

impl Sarg {
    /// How many intervals it gives at most.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Sarg::In(list) => list.len(),
            Sarg::NotIn(list) => list.len() + 1,
            Sarg::NotBetween(..) | Sarg::Compare(CompareOp::Ne, _) => 2,
            Sarg::Or(list) | Sarg::And(list) => list.iter().map(Sarg::count).sum(),
            _ => 1,
        }
    }

    /// The values that it compares with.
    #[must_use]
    pub fn values(&self) -> Vec<&Expr> {
        match self {
            Sarg::Compare(_, e) | Sarg::Like(e, _) => vec![e],
            Sarg::Between(low, high) | Sarg::NotBetween(low, high) => vec![low, high],
            Sarg::In(list) | Sarg::NotIn(list) => list.iter().collect(),
            Sarg::IsNull | Sarg::IsNotNull => Vec::new(),
            Sarg::Or(list) | Sarg::And(list) => list.iter().flat_map(Sarg::values).collect(),
        }
    }

    /// Whether it leaves out single values and NULL alone.
    #[must_use]
    pub fn is_wide(&self) -> bool {
        match self {
            Sarg::Compare(CompareOp::Ne, _) | Sarg::IsNotNull | Sarg::NotIn(_) | Sarg::NotBetween(..) => true,
            Sarg::And(list) => list.iter().all(Sarg::is_wide),
            Sarg::Or(list) => list.iter().any(Sarg::is_wide),
            _ => false,
        }
    }

    /// Whether all intervals are single values.
    #[must_use]
    pub fn only_points(&self) -> bool {
        match self {
            Sarg::Compare(op, _) => matches!(op, CompareOp::Eq | CompareOp::NullSafeEq),
            Sarg::In(_) | Sarg::IsNull => true,
            Sarg::Or(list) => list.iter().all(Sarg::only_points),
            _ => false,
        }
    }
}

/// The tests that bound a key, part by part.
#[derive(Clone)]
pub struct RangeCondition {
    /// For each leading part its tests (all must hold) and the column's type.
    pub parts: Vec<(FieldType, Vec<Sarg>)>,
}

impl RangeCondition {
    /// Whether a subquery says where its intervals end.
    #[must_use]
    pub fn asks_subqueries(&self) -> bool {
        self.parts.iter().flat_map(|(_, tests)| tests).flat_map(Sarg::values).any(has_subquery)
    }
}

/// Digits of decimals that are different as doubles, too.
const DIGITS_OF_DOUBLE: u8 = 15;

/// The column an expression is, seen through harmless conversions: `true` when converted.
fn column_of(e: &Expr) -> Option<(usize, usize, bool)> {
    match &e.node {
        Node::Column(c) => Some((c.table as usize, c.column as usize, false)),
        Node::Convert(inner) => {
            let Node::Column(c) = &inner.node else { return None };
            let ordered = match inner.ty.class() {
                Class::Int | Class::UInt if inner.ty.kind != Kind::Enum => {
                    matches!(
                        inner.ty.kind,
                        Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong | Kind::Year
                    ) && matches!(e.ty.class(), Class::Int | Class::UInt | Class::Decimal | Class::Double)
                }
                // no two decimals of so many digits are the same double
                Class::Decimal if inner.ty.precision() <= DIGITS_OF_DOUBLE => {
                    matches!(e.ty.class(), Class::Decimal | Class::Double)
                }
                Class::Decimal => e.ty.class() == Class::Decimal,
                // its text: equal where the number is, in another order
                Class::UInt if inner.ty.kind == Kind::Enum => e.ty.class() == Class::Bytes,
                Class::Date => matches!(e.ty.class(), Class::DateTime | Class::Date),
                Class::DateTime => e.ty.class() == Class::DateTime && inner.ty.kind != Kind::Timestamp,
                _ => false,
            };
            ordered.then_some((c.table as usize, c.column as usize, true))
        }
        Node::Call(f, args) if f.def.name == IMAGE => {
            let Node::Column(c) = &args.first()?.node else { return None };
            Some((c.table as usize, c.column as usize, true))
        }
        _ => None,
    }
}

/// What tests ask of the values of a table that makes its rows, as far as it can be told.
///
/// # Errors
/// Those of evaluating constants.
pub fn limits(
    tests: &[ColumnTest],
    value: &mut dyn FnMut(&Expr) -> SqlResult<Value>,
) -> SqlResult<Vec<(usize, Limit)>> {
    let mut all = Vec::new();
    for test in tests {
        let limit = match &test.test {
            Sarg::Compare(CompareOp::Eq | CompareOp::NullSafeEq, e) => Limit::Equal(value(e)?),
            Sarg::Compare(CompareOp::Lt | CompareOp::Le, e) => Limit::Between(None, Some(value(e)?)),
            Sarg::Compare(CompareOp::Gt | CompareOp::Ge, e) => Limit::Between(Some(value(e)?), None),
            Sarg::Between(low, high) => Limit::Between(Some(value(low)?), Some(value(high)?)),
            Sarg::In(list) => Limit::OneOf(list.iter().map(&mut *value).collect::<SqlResult<_>>()?),
            _ => continue,
        };
        all.push((test.column, limit));
    }
    Ok(all)
}

/// Whether a key orders a column as it is compared; of ENUM, whose texts are in another order, it finds single values.
fn usable(by: Comparison, column: &FieldType, points: bool) -> bool {
    if column.kind == Kind::Enum && !points {
        return false;
    }
    match by {
        Comparison::Text(c) => column.is_string() && c.id == column.collation.id,
        Comparison::Double | Comparison::Digits(_) => !column.is_string(),
        Comparison::Int | Comparison::Decimal | Comparison::Temporal => !column.is_string(),
    }
}

/// Whether texts that are equal by `by` are equal in the column's collation too: then a key finds all of them, and some more.
pub(super) fn is_finer(by: &charset::Collation, column: &FieldType) -> bool {
    let of_column = column.collation;
    let set = if by.charset.is_binary() {
        of_column.charset.mbmaxlen == 1
    } else {
        by.name.ends_with("_bin") && std::ptr::eq(by.charset, of_column.charset)
    };
    set && (of_column.pad_space || !by.pad_space)
        && column.is_string()
        && !matches!(column.kind, Kind::Enum | Kind::Set)
        && !column.is_address()
}

/// The test that compares a column. By so many digits, it is with the value as the column has it: equal ones are then the same.
fn compared(op: CompareOp, by: Comparison, value: &Expr, ty: &FieldType) -> Sarg {
    if !matches!(by, Comparison::Digits(_)) || ty.class() != Class::Double {
        return Sarg::Compare(op, value.clone());
    }
    let op = match op {
        CompareOp::Lt => CompareOp::Le,
        CompareOp::Gt => CompareOp::Ge,
        op => op,
    };
    let stored = match &value.node {
        Node::Literal(Value::Double(x)) => Expr::literal(Value::Double(ty.told_double(*x)), ty.clone()),
        _ => Expr::new(Node::Convert(Box::new(value.clone())), ty.clone()),
    };
    Sarg::Compare(op, stored)
}

fn is_exact_integer(ty: &FieldType, by: Comparison) -> bool {
    matches!(ty.kind, Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong)
        && by == Comparison::Int
}

/// Reads a condition as a test of one column of `table`; `known` tells whether an expression has a
/// value before the table is read.
pub fn read(
    e: &Expr,
    table: usize,
    types: &dyn Fn(usize) -> FieldType,
    known: &dyn Fn(&Expr) -> bool,
) -> Option<(usize, Sarg, bool)> {
    let column = |side: &Expr| column_of(side).filter(|c| c.0 == table);
    match &e.node {
        Node::Compare(op, by, sides) => {
            let (c, value, op) = match (column(&sides[0]), column(&sides[1])) {
                (Some(c), _) if known(&sides[1]) => (c, &sides[1], *op),
                (_, Some(c)) if known(&sides[0]) => (c, &sides[0], flipped(*op)),
                _ => return None,
            };
            let ty = types(c.1);
            let points = matches!(op, CompareOp::Eq | CompareOp::NullSafeEq);
            let finer = matches!((op, by), (CompareOp::Eq, Comparison::Text(by)) if is_finer(by, &ty));
            (finer || usable(*by, &ty, points))
                .then(|| (c.1, compared(op, *by, value, &ty), is_exact_integer(&ty, *by)))
        }
        Node::Between { args, by, negated } => {
            let c = column(&args[0])?;
            let ty = types(c.1);
            let sarg = if *negated { Sarg::NotBetween } else { Sarg::Between };
            (usable(*by, &ty, false) && known(&args[1]) && known(&args[2])).then(|| {
                (c.1, sarg(args[1].clone(), args[2].clone()), !negated && is_exact_integer(&ty, *by))
            })
        }
        Node::In { expr, list, by, negated, .. } if !negated || list.len() <= NOT_IN => {
            let c = column(expr)?;
            let ty = types(c.1);
            let sarg = if *negated { Sarg::NotIn } else { Sarg::In };
            (usable(*by, &ty, !negated) && list.iter().all(known))
                .then(|| (c.1, sarg(list.clone()), !negated && is_exact_integer(&ty, *by)))
        }
        Node::Is(inner, Test::Null, negated) => {
            let Node::Column(c) = &inner.node else { return None };
            (c.table as usize == table && (!*negated || types(c.column as usize).nullable)).then(|| {
                let sarg = if *negated { Sarg::IsNotNull } else { Sarg::IsNull };
                (c.column as usize, sarg, true)
            })
        }
        Node::Like { args, collation, escape, negated: false } => {
            let Node::Column(c) = &args[0].node else { return None };
            if c.table as usize != table {
                return None;
            }
            let ty = types(c.column as usize);
            (known(&args[1])
                && ty.is_string()
                && ty.collation.id == collation.id
                && !ty.is_address()
                && !matches!(ty.kind, Kind::Enum | Kind::Set))
            .then(|| (c.column as usize, Sarg::Like(args[1].clone(), *escape), false))
        }
        Node::And(list) => {
            let mut tests = Vec::new();
            let mut on = None;
            for e in list {
                let (c, sarg, _) = read(e, table, types, known)?;
                if on.is_some_and(|o| o != c) {
                    return None;
                }
                on = Some(c);
                tests.push(sarg);
            }
            Some((on?, Sarg::And(tests), false))
        }
        Node::Or(list) => {
            let mut tests = Vec::new();
            let (mut on, mut all_exact) = (None, true);
            // what is never true adds nothing
            let never = |e: &&Expr| matches!(&e.node, Node::Literal(v) if v.is_null());
            for e in list.iter().filter(|e| !never(e)) {
                let (c, sarg, exact) = read(e, table, types, known)?;
                if on.is_some_and(|o| o != c) {
                    return None;
                }
                on = Some(c);
                all_exact &= exact;
                tests.push(sarg);
            }
            Some((on?, Sarg::Or(tests), all_exact))
        }
        _ => None,
    }
}

/// The comparison with its sides exchanged.
pub(super) fn flipped(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        other => other,
    }
}

/// One end of an interval of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    /// No bound but that NULL is excluded.
    NotNull,
    /// NULL, or stored bytes; whether it belongs to the interval.
    At(Option<Vec<u8>>, bool),
}

#[derive(Clone, Debug)]
struct Piece {
    low: End,
    high: End,
}

impl Piece {
    fn point(v: Option<Vec<u8>>) -> Piece {
        Piece { low: End::At(v.clone(), true), high: End::At(v, true) }
    }

    fn all() -> Piece {
        Piece { low: End::NotNull, high: End::NotNull }
    }

    fn as_point(&self) -> Option<&Option<Vec<u8>>> {
        match (&self.low, &self.high) {
            (End::At(a, true), End::At(b, true)) if a == b => Some(a),
            _ => None,
        }
    }
}

/// Interval of two ends, if there is one.
fn between(low: Option<End>, high: Option<End>) -> Vec<Piece> {
    match (low, high) {
        (Some(low), Some(high)) => vec![Piece { low, high }],
        _ => Vec::new(),
    }
}

/// How values of a column become ends of intervals.
#[derive(Clone, Copy)]
struct Bounds {
    /// Words of a list.
    words: bool,
    /// Ends belong to their intervals: prefixes and padding must not lose rows.
    loose: bool,
}

impl Bounds {
    fn of(ty: &FieldType, whole: bool) -> Bounds {
        let words = matches!(ty.kind, Kind::Enum | Kind::Set);
        Bounds { words, loose: ty.is_string() && !words || !whole }
    }

    fn upper(self, s: Stored, inclusive: bool) -> Option<End> {
        match s {
            Stored::Exact(b) => Some(End::At(Some(b), inclusive || self.loose)),
            Stored::After(b) => Some(End::At(Some(b), true)),
            Stored::BelowAll => None,
            Stored::AboveAll | Stored::Unknown => Some(End::NotNull),
        }
    }

    fn lower(self, s: Stored, inclusive: bool) -> Option<End> {
        match s {
            Stored::Exact(b) => Some(End::At(Some(b), inclusive || self.loose)),
            Stored::After(b) => Some(End::At(Some(b), false)),
            Stored::AboveAll => None,
            Stored::BelowAll | Stored::Unknown => Some(End::NotNull),
        }
    }
}

/// Turns conditions into intervals.
struct Maker<'a> {
    format: &'a TableFormat,
    key: &'a KeyInfo,
    out: Vec<Interval>,
}

/// The intervals of key `key_no` for a condition, ascending and apart from each other. `value` gives
/// the constants.
///
/// # Errors
/// Those of evaluating constants.
pub fn intervals(
    format: &TableFormat,
    key_no: usize,
    condition: &RangeCondition,
    value: &mut dyn FnMut(&Expr) -> SqlResult<Value>,
) -> SqlResult<Vec<Interval>> {
    let key = &format.keys[key_no];
    let mut maker = Maker { format, key, out: Vec::new() };
    // the tests of each part are evaluated once
    let mut tests = Vec::new();
    for (part, (ty, sargs)) in condition.parts.iter().enumerate() {
        let mut pieces: Option<Vec<Piece>> = None;
        for sarg in sargs {
            let list = maker.pieces(part, ty, sarg, value)?;
            pieces = Some(match pieces {
                None => maker.union(part, list),
                Some(before) => {
                    let list = maker.union(part, list);
                    maker.intersect(part, &before, &list)
                }
            });
        }
        tests.push(pieces.unwrap_or_else(|| vec![Piece::all()]));
    }
    maker.expand(0, &mut Vec::new(), &tests);
    Ok(maker.out)
}

impl Maker<'_> {
    fn whole_column(&self, part: usize) -> bool {
        self.key.segments[part].covers()
    }

    fn pieces(
        &self,
        part: usize,
        ty: &FieldType,
        sarg: &Sarg,
        value: &mut dyn FnMut(&Expr) -> SqlResult<Value>,
    ) -> SqlResult<Vec<Piece>> {
        let bounds = Bounds::of(ty, self.whole_column(part));
        // an ENUM and a SET are ordered by number, their text is not
        let unordered = bounds.words;
        Ok(match sarg {
            Sarg::Compare(op, e) => {
                let v = value(e)?;
                if v.is_null() {
                    return Ok(if *op == CompareOp::NullSafeEq { self.null(part) } else { Vec::new() });
                }
                let s = to_stored(&v, ty);
                match op {
                    CompareOp::Eq | CompareOp::NullSafeEq => self.equal(s),
                    _ if unordered => vec![Piece::all()],
                    CompareOp::Lt => between(Some(End::NotNull), bounds.upper(s, false)),
                    CompareOp::Le => between(Some(End::NotNull), bounds.upper(s, true)),
                    CompareOp::Gt => between(bounds.lower(s, false), Some(End::NotNull)),
                    CompareOp::Ge => between(bounds.lower(s, true), Some(End::NotNull)),
                    CompareOp::Ne => self.without(part, vec![s], bounds),
                }
            }
            Sarg::NotBetween(low, high) => {
                let mut all = Vec::new();
                let (low, high) = (value(low)?, value(high)?);
                if unordered {
                    return Ok(vec![Piece::all()]);
                }
                if !low.is_null() {
                    all.extend(between(Some(End::NotNull), bounds.upper(to_stored(&low, ty), false)));
                }
                if !high.is_null() {
                    all.extend(between(bounds.lower(to_stored(&high, ty), false), Some(End::NotNull)));
                }
                all
            }
            Sarg::NotIn(list) => {
                let mut values = Vec::with_capacity(list.len());
                for e in list {
                    let v = value(e)?;
                    if v.is_null() {
                        return Ok(Vec::new());
                    }
                    values.push(to_stored(&v, ty));
                }
                self.without(part, values, bounds)
            }
            Sarg::And(list) => self.all_of(part, ty, list, value)?,
            Sarg::Between(low, high) => {
                let (low, high) = (value(low)?, value(high)?);
                if low.is_null() || high.is_null() {
                    return Ok(Vec::new());
                }
                if unordered {
                    return Ok(vec![Piece::all()]);
                }
                between(bounds.lower(to_stored(&low, ty), true), bounds.upper(to_stored(&high, ty), true))
            }
            Sarg::In(list) => {
                let mut all = Vec::new();
                for e in list {
                    let v = value(e)?;
                    if !v.is_null() {
                        all.extend(self.equal(to_stored(&v, ty)));
                    }
                }
                all
            }
            Sarg::IsNull => self.null(part),
            Sarg::IsNotNull => vec![Piece::all()],
            Sarg::Like(pattern, escape) => {
                let Value::Bytes(p) = value(pattern)? else { return Ok(Vec::new()) };
                self.like(part, ty, &p, *escape)
            }
            Sarg::Or(list) => {
                let mut all = Vec::new();
                for s in list {
                    all.extend(self.pieces(part, ty, s, value)?);
                }
                all
            }
        })
    }

    /// What a pattern of LIKE leaves.
    fn like(&self, part: usize, ty: &FieldType, pattern: &[u8], escape: Option<u32>) -> Vec<Piece> {
        let chars = self.key.segments[part].length / usize::from(ty.collation.charset.mbmaxlen.max(1));
        let (mut low, mut high) = (Vec::new(), Vec::new());
        match ty.collation.like_range(pattern, escape, chars, &mut low, &mut high) {
            LikeRange::All => vec![Piece::all()],
            _ => vec![Piece { low: End::At(Some(low), true), high: End::At(Some(high), true) }],
        }
    }

    /// What several tests leave.
    fn all_of(
        &self,
        part: usize,
        ty: &FieldType,
        list: &[Sarg],
        value: &mut dyn FnMut(&Expr) -> SqlResult<Value>,
    ) -> SqlResult<Vec<Piece>> {
        let mut left: Option<Vec<Piece>> = None;
        for s in list {
            let next = self.union(part, self.pieces(part, ty, s, value)?);
            left = Some(match left {
                None => next,
                Some(left) => self.intersect(part, &left, &next),
            });
        }
        Ok(left.unwrap_or_default())
    }

    /// All but these values.
    fn without(&self, part: usize, values: Vec<Stored>, bounds: Bounds) -> Vec<Piece> {
        if bounds.words || bounds.loose {
            return vec![Piece::all()];
        }
        let exact = |s: Stored| if let Stored::Exact(b) = s { Some(b) } else { None };
        let mut points: Vec<Vec<u8>> = values.into_iter().filter_map(exact).collect();
        points.sort_by(|a, b| self.order(part, Some(a), Some(b)));
        points.dedup();
        let mut low = End::NotNull;
        let mut all = Vec::with_capacity(points.len() + 1);
        for point in points {
            all.push(Piece { low, high: End::At(Some(point.clone()), false) });
            low = End::At(Some(point), false);
        }
        all.push(Piece { low, high: End::NotNull });
        all
    }

    /// NULL, which a NOT NULL column never holds.
    fn null(&self, part: usize) -> Vec<Piece> {
        if self.key.segments[part].nullable { vec![Piece::point(None)] } else { Vec::new() }
    }

    fn equal(&self, s: Stored) -> Vec<Piece> {
        match s {
            Stored::Exact(b) => vec![Piece::point(Some(b))],
            Stored::Unknown => vec![Piece::all()],
            _ => Vec::new(),
        }
    }

    /// Orders two values of part `part`.
    fn order(&self, part: usize, a: Option<&[u8]>, b: Option<&[u8]>) -> Ordering {
        match (a, b) {
            (None, None) => Ordering::Equal,
            (None, _) => Ordering::Less,
            (_, None) => Ordering::Greater,
            (Some(a), Some(b)) => order_values(self.key, part, a, b),
        }
    }

    /// Orders low ends: which begins first.
    fn order_low(&self, part: usize, a: &End, b: &End) -> Ordering {
        let rank = |e: &End| match e {
            End::At(None, true) => 0,
            End::At(None, false) | End::NotNull => 1,
            End::At(Some(_), _) => 2,
        };
        match rank(a).cmp(&rank(b)) {
            Ordering::Equal => match (a, b) {
                (End::At(Some(x), xi), End::At(Some(y), yi)) => {
                    self.order(part, Some(x), Some(y)).then(yi.cmp(xi))
                }
                _ => Ordering::Equal,
            },
            o => o,
        }
    }

    /// Orders high ends: which stops first.
    fn order_high(&self, part: usize, a: &End, b: &End) -> Ordering {
        match (a, b) {
            (End::NotNull, End::NotNull) => Ordering::Equal,
            (End::NotNull, _) => Ordering::Greater,
            (_, End::NotNull) => Ordering::Less,
            (End::At(x, xi), End::At(y, yi)) => self.order(part, x.as_deref(), y.as_deref()).then(xi.cmp(yi)),
        }
    }

    /// Whether an interval from `low` to `high` holds nothing.
    fn empty(&self, part: usize, low: &End, high: &End) -> bool {
        match (low, high) {
            (End::At(a, ai), End::At(b, bi)) => match self.order(part, a.as_deref(), b.as_deref()) {
                Ordering::Less => false,
                Ordering::Equal => !(*ai && *bi),
                Ordering::Greater => true,
            },
            (End::NotNull, End::At(None, _)) => true,
            _ => false,
        }
    }

    /// Whether `high` of one interval reaches `low` of the next.
    fn touches(&self, part: usize, high: &End, low: &End) -> bool {
        match (high, low) {
            (End::At(a, ai), End::At(b, bi)) => match self.order(part, a.as_deref(), b.as_deref()) {
                Ordering::Less => false,
                Ordering::Equal => *ai || *bi,
                Ordering::Greater => true,
            },
            (End::At(None, _), End::NotNull) => false,
            _ => true,
        }
    }

    fn union(&self, part: usize, mut list: Vec<Piece>) -> Vec<Piece> {
        list.retain(|p| !self.empty(part, &p.low, &p.high));
        list.sort_by(|a, b| self.order_low(part, &a.low, &b.low));
        let mut out: Vec<Piece> = Vec::new();
        for p in list {
            match out.last_mut() {
                Some(last) if self.touches(part, &last.high, &p.low) => {
                    if self.order_high(part, &p.high, &last.high) == Ordering::Greater {
                        last.high = p.high;
                    }
                }
                _ => out.push(p),
            }
        }
        out
    }

    fn intersect(&self, part: usize, a: &[Piece], b: &[Piece]) -> Vec<Piece> {
        let mut out = Vec::new();
        for x in a {
            for y in b {
                let low =
                    if self.order_low(part, &x.low, &y.low) == Ordering::Less { &y.low } else { &x.low };
                let high =
                    if self.order_high(part, &x.high, &y.high) == Ordering::Less { &x.high } else { &y.high };
                if !self.empty(part, low, high) {
                    out.push(Piece { low: low.clone(), high: high.clone() });
                }
            }
        }
        out
    }

    fn flat(&self, prefix: &[Option<Vec<u8>>], last: Option<&Option<Vec<u8>>>) -> (Vec<u8>, usize) {
        let values: Vec<Option<&[u8]>> = prefix.iter().chain(last).map(|v| v.as_deref()).collect();
        let mut out = Vec::new();
        self.format.encode_key(self.key.number, &values, &mut out);
        (out, values.len())
    }

    fn expand(&mut self, part: usize, prefix: &mut Vec<Option<Vec<u8>>>, tests: &[Vec<Piece>]) {
        if part == tests.len() {
            if prefix.is_empty() {
                self.out.push(Interval::default());
            } else {
                let (flat, parts) = self.flat(prefix, None);
                self.out.push(Interval::point(flat, parts));
            }
            return;
        }
        let seg = self.key.segments[part];
        let mut pieces: Vec<&Piece> = tests[part].iter().collect();
        if seg.descending {
            pieces.reverse();
        }
        for p in pieces {
            if let (Some(v), true) = (p.as_point(), self.whole_column(part) || part + 1 == tests.len()) {
                prefix.push(v.clone());
                self.expand(part + 1, prefix, tests);
                prefix.pop();
                continue;
            }
            let end = |e: &End, is_low: bool| -> Option<Bound> {
                let (value, inclusive) = match e {
                    End::At(v, i) => (v.clone(), *i),
                    End::NotNull if is_low && seg.nullable => (None, false),
                    End::NotNull => {
                        if prefix.is_empty() {
                            return None;
                        }
                        let (flat, parts) = self.flat(prefix, None);
                        return Some(Bound { flat, parts, inclusive: true });
                    }
                };
                let (flat, parts) = self.flat(prefix, Some(&value));
                Some(Bound { flat, parts, inclusive })
            };
            let (low, high) = (end(&p.low, true), end(&p.high, false));
            self.out.push(if seg.descending {
                Interval { low: high, high: low }
            } else {
                Interval { low, high }
            });
        }
    }
}

/// A constant's value in a statement without rows.
///
/// # Errors
/// Those of the evaluation.
pub fn constant_value(e: &Expr, ctx: &mut EvalContext) -> SqlResult<Value> {
    match &e.node {
        Node::Literal(v) => Ok(v.clone()),
        _ => e.value(ctx),
    }
}
