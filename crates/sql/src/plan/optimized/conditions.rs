//! Conditions as they are after equalities were put together: what is equal to a constant is that constant elsewhere, what is
//! always true is left out.

use super::constants::{self, Sort, decided, field_type, is_basic, mark, sort_of_type, value};
use super::names::{Names, made};
use super::truth;
use crate::ast::{BinaryOp, Expr, ExprKind, Field, IsTest, Literal, TemporalKind, UnaryOp};
use crate::types::{Class, FieldType, Kind};

/// Columns that are equal, and what they are equal to.
#[derive(Clone, Debug)]
pub(super) struct Equality {
    pub fields: Vec<Field>,
    pub value: Option<Expr>,
    /// The value as the columns have it, for functions of them.
    pub exact: Option<Expr>,
}

/// Conditions that must all be true.
#[derive(Default)]
pub(super) struct Conjunction {
    pub equalities: Vec<Equality>,
    pub rest: Vec<Expr>,
    /// One of them is never true.
    pub never: bool,
    /// What is decided by an equality is kept all the same: that of an outer join.
    keeps: bool,
}

pub(super) fn same_field(a: &Field, b: &Field) -> bool {
    (a.select, a.table, a.column) == (b.select, b.table, b.column)
}

/// The parts of a condition, with NOT in front of as little as possible.
pub(super) fn flatten(e: Expr, out: &mut Vec<Expr>) {
    match positive(e, false).kind {
        ExprKind::And(list) => list.into_iter().for_each(|e| flatten(e, out)),
        kind => out.push(made(kind)),
    }
}

/// NOT goes inwards.
fn positive(e: Expr, negated: bool) -> Expr {
    let all = |list: Vec<Expr>| list.into_iter().map(|e| positive(e, negated)).collect();
    match e.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => {
            if !negated && matches!(inner.kind, ExprKind::Field(_)) {
                return made(ExprKind::Unary(UnaryOp::Not, inner));
            }
            positive(*inner, !negated)
        }
        ExprKind::And(list) if negated => made(ExprKind::Or(all(list))),
        ExprKind::Or(list) if negated => made(ExprKind::And(all(list))),
        ExprKind::And(list) => made(ExprKind::And(all(list))),
        ExprKind::Or(list) => made(ExprKind::Or(all(list))),
        ExprKind::Field(f) => {
            if negated {
                return made(ExprKind::Unary(UnaryOp::Not, Box::new(made(ExprKind::Field(f)))));
            }
            made(ExprKind::Binary(BinaryOp::Ne, Box::new(made(ExprKind::Field(f))), Box::new(truth(false))))
        }
        kind if !negated => made(kind),
        ExprKind::Binary(op, a, b) if op.negated().is_some() => {
            made(ExprKind::Binary(op.negated().unwrap_or(op), a, b))
        }
        ExprKind::InList { expr, list, negated: n } => made(ExprKind::InList { expr, list, negated: !n }),
        ExprKind::Between { expr, low, high, negated: n } => {
            made(ExprKind::Between { expr, low, high, negated: !n })
        }
        ExprKind::Like { expr, pattern, escape, negated: n } => {
            made(ExprKind::Like { expr, pattern, escape, negated: !n })
        }
        ExprKind::Is { expr, test: test @ (IsTest::Null | IsTest::Unknown), negated: n } => {
            made(ExprKind::Is { expr, test, negated: !n })
        }
        kind => made(ExprKind::Unary(UnaryOp::Not, Box::new(made(kind)))),
    }
}

impl Conjunction {
    /// Gathers conditions; `above` are equalities that are known to hold.
    pub fn new(names: &mut Names<'_>, list: Vec<Expr>, above: &[Equality]) -> Conjunction {
        let mut all = Conjunction::default();
        for e in list {
            all.add(names, e, false);
        }
        all.settle(names, above);
        all
    }

    /// Gathers the conditions of an outer join.
    pub fn of_outer_join(names: &mut Names<'_>, list: Vec<Expr>, above: &[Equality]) -> Conjunction {
        let mut all = Conjunction { keeps: true, ..Conjunction::default() };
        for e in list {
            all.add(names, e, false);
        }
        all.settle(names, above);
        all
    }

    /// Adds a condition; one that follows from others is computed.
    fn add(&mut self, names: &mut Names<'_>, e: Expr, follows: bool) {
        match e.kind {
            ExprKind::And(list) => list.into_iter().for_each(|e| self.add(names, e, follows)),
            // NOT of a number is an equality
            ExprKind::Unary(UnaryOp::Not, inner) if is_integer(names, &inner) => {
                self.add(names, made(ExprKind::Binary(BinaryOp::Eq, inner, Box::new(truth(false)))), follows);
            }
            ExprKind::Binary(BinaryOp::Eq, a, b) => {
                if let (ExprKind::Row(x), ExprKind::Row(y)) = (&a.kind, &b.kind)
                    && x.len() == y.len()
                {
                    for (a, b) in x.iter().zip(y) {
                        let pair = ExprKind::Binary(BinaryOp::Eq, Box::new(a.clone()), Box::new(b.clone()));
                        self.add(names, made(pair), follows);
                    }
                    return;
                }
                if !self.equal(names, &a, &b, follows) {
                    self.rest.push(made(ExprKind::Binary(BinaryOp::Eq, a, b)));
                }
            }
            ExprKind::InList { expr, list, negated } if list.len() == 1 => {
                let op = if negated { BinaryOp::Ne } else { BinaryOp::Eq };
                for value in list {
                    self.add(names, made(ExprKind::Binary(op, expr.clone(), Box::new(value))), follows);
                }
            }
            kind => self.rest.push(made(kind)),
        }
    }

    /// Notes that two sides are equal, when one is a column and the other a column or a constant that is compared as it is.
    fn equal(&mut self, names: &mut Names<'_>, a: &Expr, b: &Expr, follows: bool) -> bool {
        match (own_field(names, a), own_field(names, b)) {
            (Some(x), Some(y)) => {
                if same_field(&x, &y) || !alike(names, &x, &y) {
                    return false;
                }
                self.merge(names, x, y);
                true
            }
            (Some(x), None) => self.equal_constant(names, x, b, follows),
            // a side that has become a constant stays where it is
            (None, Some(_)) if follows => match value(names, a) {
                Some((v, of)) if !v.is_null() => {
                    let constant = match is_basic(a) {
                        true => a.clone(),
                        false => made(ExprKind::Literal(constants::literal(&v, &of))),
                    };
                    let pair = ExprKind::Binary(BinaryOp::Eq, Box::new(constant), Box::new(b.clone()));
                    self.rest.push(made(pair));
                    true
                }
                _ => false,
            },
            (None, Some(y)) => self.equal_constant(names, y, a, follows),
            (None, None) => false,
        }
    }

    fn place(&self, f: &Field) -> Option<usize> {
        self.equalities.iter().position(|e| e.fields.iter().any(|o| same_field(o, f)))
    }

    fn merge(&mut self, names: &mut Names<'_>, x: Field, y: Field) {
        match (self.place(&x), self.place(&y)) {
            (Some(i), Some(j)) if i == j => {}
            (Some(i), Some(j)) => {
                let other = self.equalities.remove(j);
                let i = if j < i { i - 1 } else { i };
                self.equalities[i].fields.extend(other.fields);
                if let Some(v) = other.value {
                    self.give_value(names, i, v, other.exact);
                }
            }
            (Some(i), None) => self.equalities[i].fields.push(y),
            (None, Some(j)) => self.equalities[j].fields.push(x),
            (None, None) => self.equalities.push(Equality { fields: vec![x, y], value: None, exact: None }),
        }
    }

    fn equal_constant(&mut self, names: &mut Names<'_>, f: Field, e: &Expr, follows: bool) -> bool {
        if matches!(e.kind, ExprKind::Mark(..)) {
            return false;
        }
        let Some(ty) = field_type(names.here(), &f).cloned() else { return false };
        let Some((v, of)) = value(names, e) else { return false };
        if v.is_null() {
            return false;
        }
        let constant = match (sort_of_type(&ty), sort_of_type(&of)) {
            (Sort::Number, Sort::Number) if ty.kind == Kind::Year => match of_two_digits(e) {
                Some(year) => made(ExprKind::Literal(Literal::Int(year))),
                None => e.clone(),
            },
            (Sort::Number, Sort::Number) if same_numbers(&ty, &of) => e.clone(),
            (Sort::Listed, Sort::Text) => e.clone(),
            (Sort::Text, Sort::Text) => {
                let explicit = matches!(e.kind, ExprKind::Collate(..));
                if explicit && !std::ptr::eq(of.collation, ty.collation) {
                    return false;
                }
                converted(e, &of, &ty)
            }
            (Sort::Temporal, _) => match (constants::temporal(names, e, &ty), &e.kind) {
                (Some(_), ExprKind::Literal(Literal::Temporal(kind, _)))
                    if (*kind == TemporalKind::Time) == (ty.class() == Class::Time) =>
                {
                    e.clone()
                }
                (Some(literal), _) => made(ExprKind::Literal(literal)),
                (None, _) => return false,
            },
            _ => return false,
        };
        let constant = match follows && !is_basic(&constant) {
            true => made(ExprKind::Literal(constants::literal(&v, &of))),
            false => constant,
        };
        let given = if ty.class().is_temporal() { e } else { &constant };
        let exact = constants::exact(names, given, &ty);
        match self.place(&f) {
            Some(i) => self.give_value(names, i, constant, exact),
            None => self.equalities.push(Equality { fields: vec![f], value: Some(constant), exact }),
        }
        true
    }

    /// An equality has one value: another one must be the same.
    pub fn give_value(&mut self, names: &mut Names<'_>, i: usize, v: Expr, exact: Option<Expr>) {
        match self.equalities[i].value.clone() {
            None => (self.equalities[i].value, self.equalities[i].exact) = (Some(v), exact),
            Some(known) => {
                let test = made(ExprKind::Binary(BinaryOp::Eq, Box::new(known), Box::new(v)));
                self.never |= decided(names, &test) == Some(false);
            }
        }
    }

    /// Constants go where columns are equal to them, until nothing changes.
    pub fn settle(&mut self, names: &mut Names<'_>, above: &[Equality]) {
        loop {
            let mut known: Vec<Equality> = above.iter().filter(|e| e.value.is_some()).cloned().collect();
            known.extend(self.equalities.iter().filter(|e| e.value.is_some()).cloned());
            let mut changed = false;
            for mut e in std::mem::take(&mut self.rest) {
                let new = substitute(names, &mut e, &known, Use::Operand);
                let folded = fold(names, e, &known);
                match decided(names, &folded) {
                    Some(_) if new && self.keeps => self.rest.push(folded),
                    Some(true) => {}
                    Some(false) => self.never = true,
                    None if new || matches!(folded.kind, ExprKind::And(_)) || is_equality(&folded) => {
                        let before = (self.equalities.len(), self.rest.len());
                        self.add(names, folded, new);
                        changed |= self.rest.len() != before.1 + 1;
                    }
                    None => self.rest.push(folded),
                }
            }
            if !changed || self.never {
                return;
            }
        }
    }

    /// Columns that equal others and no constant, the first in `order` before the others.
    pub fn heads(&self, order: &dyn Fn(&Field) -> usize) -> Vec<Equality> {
        let mut heads: Vec<Equality> =
            self.equalities.iter().filter(|e| e.value.is_none()).cloned().collect();
        heads.iter_mut().for_each(|e| e.fields.sort_by_key(|f| (order(f), f.column)));
        heads
    }

    /// The conditions as they are printed; columns that are equal are written as the first one in `order`.
    pub fn print(mut self, names: &mut Names<'_>, order: &dyn Fn(&Field) -> usize) -> Vec<Expr> {
        for e in &mut self.equalities {
            e.fields.sort_by_key(|f| (order(f), f.column));
        }
        let heads = self.heads(order);
        let mut list = Vec::new();
        let column = |f: &Field| Box::new(made(ExprKind::Field(Box::new(f.clone()))));
        for e in self.equalities {
            match e.value {
                Some(mut v) => {
                    mark(names, &mut v);
                    let equal =
                        |f: &Field| made(ExprKind::Binary(BinaryOp::Eq, column(f), Box::new(v.clone())));
                    list.extend(e.fields.iter().map(equal));
                }
                None => {
                    let Some((head, others)) = e.fields.split_first() else { continue };
                    let equal = |f: &Field| made(ExprKind::Binary(BinaryOp::Eq, column(f), column(head)));
                    list.extend(others.iter().map(equal));
                }
            }
        }
        for mut e in self.rest {
            behead(names, &mut e, &heads);
            convert_sides(names, &mut e);
            cache_bounds(names, &mut e);
            mark(names, &mut e);
            list.push(e);
        }
        list
    }
}

fn is_equality(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Binary(BinaryOp::Eq, ..))
}

/// A constant text, converted where a column of another character set is compared with it.
fn converted(e: &Expr, of: &FieldType, ty: &FieldType) -> Expr {
    let (from, to) = (of.collation.charset.name, ty.collation.charset.name);
    let literal = matches!(e.kind, ExprKind::Literal(_) | ExprKind::Lifted(..) | ExprKind::Field(_));
    if literal || from == to || to == "binary" || from == "binary" {
        return e.clone();
    }
    made(ExprKind::ConvertUsing(Box::new(e.clone()), to.into()))
}

/// Constant texts beside columns of another character set.
fn convert_sides(names: &mut Names<'_>, e: &mut Expr) {
    let mut column = None;
    e.kind.for_children(&mut |child| {
        if let ExprKind::Field(f) = &child.kind
            && f.value.is_none()
        {
            column = column.take().or_else(|| field_type(names.frames.last()?, f).cloned());
        }
    });
    if let Some(ty) = column.filter(|ty| ty.class() == Class::Bytes && ty.is_string()) {
        e.kind.for_children_mut(&mut |child| {
            if let Some((_, of)) = value(names, child)
                && of.is_string()
            {
                *child = converted(child, &of, &ty);
            }
        });
    }
    e.kind.for_children_mut(&mut |child| convert_sides(names, child));
}

/// Bounds that are compared as dates and times are made so once.
pub(super) fn cache_bounds(names: &mut Names<'_>, e: &mut Expr) {
    if let ExprKind::Between { expr, low, high, .. } = &mut e.kind
        && sort(names, expr) == Sort::Temporal
    {
        for bound in [low, high] {
            if is_basic(bound) && sort(names, bound) != Sort::Temporal {
                let plain = std::mem::replace(&mut **bound, truth(true));
                **bound = constants::cached(plain);
            }
        }
    }
    e.kind.for_children_mut(&mut |child| cache_bounds(names, child));
}

/// Whether two numbers are of one sort: integers, decimals or doubles.
fn same_numbers(a: &FieldType, b: &FieldType) -> bool {
    a.class() == b.class() || a.class().is_integer() && b.class().is_integer()
}

fn is_integer(names: &mut Names<'_>, e: &Expr) -> bool {
    own_field(names, e)
        .is_some_and(|f| field_type(names.here(), &f).is_some_and(|ty| ty.class().is_integer()))
}

/// The year that a number of two digits means.
fn of_two_digits(e: &Expr) -> Option<u64> {
    match e.kind {
        ExprKind::Literal(Literal::Int(n @ 1..=69)) => Some(2000 + n),
        ExprKind::Literal(Literal::Int(n @ 70..=99)) => Some(1900 + n),
        _ => None,
    }
}

/// A column of the present SELECT whose value is not known.
fn own_field(names: &mut Names<'_>, e: &Expr) -> Option<Field> {
    match &e.kind {
        ExprKind::Field(f) if f.select == names.here().number && f.value.is_none() => Some((**f).clone()),
        _ => None,
    }
}

/// Whether two columns are compared as what they are.
fn alike(names: &mut Names<'_>, a: &Field, b: &Field) -> bool {
    let frame = names.here();
    let (Some(x), Some(y)) = (field_type(frame, a), field_type(frame, b)) else { return false };
    match (sort_of_type(x), sort_of_type(y)) {
        (Sort::Number, Sort::Number) => same_numbers(x, y),
        (Sort::Text, Sort::Text) => std::ptr::eq(x.collation, y.collation),
        (Sort::Temporal, Sort::Temporal) => x.class() == y.class(),
        _ => false,
    }
}

/// What a column is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It is an operand of a comparison, or of AND and OR.
    Operand,
    /// Its very value counts.
    Value,
}

/// Puts constants in the place of columns that are equal to them.
fn substitute(names: &mut Names<'_>, e: &mut Expr, known: &[Equality], usage: Use) -> bool {
    if let ExprKind::Field(f) = &e.kind {
        let Some(found) = known.iter().find(|k| k.fields.iter().any(|o| same_field(o, f))) else {
            return false;
        };
        let Some(v) = found.value.clone() else { return false };
        let Some(ty) = field_type(names.here(), f) else { return false };
        let literal = matches!(&v.kind, ExprKind::Literal(Literal::Float(_)));
        let v = match usage {
            Use::Value => found.exact.clone().filter(|_| !ty.zerofill),
            Use::Operand => Some(v).filter(|_| ty.class() != Class::Double || literal),
        };
        let Some(v) = v else { return false };
        *e = v;
        return true;
    }
    let comparison = match &e.kind {
        ExprKind::Binary(op, a, b) => op.negated().is_some() && comparable(names, a, b),
        ExprKind::Between { expr, low, high, .. } => {
            comparable(names, expr, low) && comparable(names, expr, high)
        }
        ExprKind::InList { expr, list, .. } => {
            let of = sort(names, expr);
            list.iter().all(|v| comparable(names, expr, v) && [of, Sort::Unknown].contains(&sort(names, v)))
        }
        _ => false,
    };
    let logical = matches!(e.kind, ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Unary(UnaryOp::Not, _));
    // IS NULL, LIKE and the like ask for the value itself
    let usage = if comparison || logical { Use::Operand } else { Use::Value };
    let mixed = matches!(&e.kind, ExprKind::Binary(op, ..) if op.negated().is_some()) && !comparison;
    let mut changed = false;
    e.kind.for_children_mut(&mut |child| {
        if !(mixed && matches!(child.kind, ExprKind::Field(_))) {
            changed |= substitute(names, child, known, usage);
        }
    });
    changed
}

/// Whether two sides are compared as what the one is that is a column.
fn comparable(names: &mut Names<'_>, a: &Expr, b: &Expr) -> bool {
    let collated = |e: &Expr| matches!(e.kind, ExprKind::Collate(..));
    match (sort(names, a), sort(names, b)) {
        (Sort::Text, Sort::Text) if collated(a) || collated(b) => false,
        (Sort::Unknown, _) | (_, Sort::Unknown) => true,
        // a constant becomes what the column is
        (Sort::Number, Sort::Temporal) | (Sort::Temporal, Sort::Number) => true,
        (Sort::Listed, Sort::Text) | (Sort::Text, Sort::Listed) => true,
        (Sort::Number | Sort::Temporal, _) if is_basic(b) => true,
        (_, Sort::Number | Sort::Temporal) if is_basic(a) => true,
        (a, b) => a == b,
    }
}

fn sort(names: &mut Names<'_>, e: &Expr) -> Sort {
    match &e.kind {
        ExprKind::Field(f) => field_type(names.here(), f).map_or(Sort::Unknown, sort_of_type),
        ExprKind::Literal(Literal::Int(_) | Literal::Decimal(_) | Literal::Float(_)) => Sort::Number,
        _ => value(names, e).map_or(Sort::Unknown, |(_, ty)| sort_of_type(&ty)),
    }
}

/// AND and OR without what is always or never true.
fn fold(names: &mut Names<'_>, e: Expr, known: &[Equality]) -> Expr {
    if let ExprKind::Is { expr, test: IsTest::Null, negated: false } = &e.kind
        && let Some(f) = own_field(names, expr)
        && !names.here().sources[f.table].missing
        && field_type(names.here(), &f).is_some_and(|ty| !ty.nullable && sort_of_type(ty) != Sort::Temporal)
    {
        return truth(false);
    }
    let ExprKind::Or(list) = e.kind else { return e };
    let mut arms = Vec::new();
    for arm in list {
        let mut parts = Vec::new();
        flatten(arm, &mut parts);
        let arm = Conjunction::new(names, parts, known);
        if arm.never {
            continue;
        }
        let frame_order = |f: &Field| f.table;
        let mut parts = arm.print(names, &frame_order);
        match parts.len() {
            0 => return truth(true),
            1 => arms.extend(parts.pop()),
            _ => arms.push(made(ExprKind::And(parts))),
        }
    }
    match arms.len() {
        0 => truth(false),
        1 => arms.remove(0),
        _ => made(ExprKind::Or(arms)),
    }
}

/// Columns that equal others are written as the first of them.
pub(super) fn behead(names: &mut Names<'_>, e: &mut Expr, heads: &[Equality]) {
    if let ExprKind::Field(f) = &mut e.kind
        && let Some(equality) = heads.iter().find(|h| h.fields.iter().any(|o| same_field(o, f)))
    {
        **f = equality.fields[0].clone();
    }
    let mixed =
        matches!(&e.kind, ExprKind::Binary(op, a, b) if op.negated().is_some() && !comparable(names, a, b));
    e.kind.for_children_mut(&mut |child| {
        if !(mixed && matches!(child.kind, ExprKind::Field(_))) {
            behead(names, child, heads);
        }
    });
}

/// HAVING: folded, and with the marks of what is computed once.
pub(super) fn of_groups(names: &mut Names<'_>, e: Expr) -> Expr {
    let mut parts = Vec::new();
    flatten(e, &mut parts);
    let mut list = Vec::new();
    for e in parts {
        let mut e = fold(names, e, &[]);
        match decided(names, &e) {
            Some(true) => {}
            Some(false) => return truth(false),
            None => {
                convert_sides(names, &mut e);
                mark(names, &mut e);
                list.push(e);
            }
        }
    }
    whole(list)
}

/// One condition of several.
pub(super) fn whole(mut list: Vec<Expr>) -> Expr {
    match list.len() {
        0 => truth(true),
        1 => list.remove(0),
        _ => made(ExprKind::And(list)),
    }
}

/// A value that a known row gives a column.
pub(super) fn row_value(f: &Field, value: &Literal) -> Expr {
    made(ExprKind::Field(Box::new(Field { value: Some(value.clone()), ..f.clone() })))
}
