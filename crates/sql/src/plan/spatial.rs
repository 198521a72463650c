//! Rows that a SPATIAL key finds: a relation of its column with a constant geometry.

use crate::table::spatial::{Rect, Relation};

use super::Relation as Table;
use super::access::Candidate;
use super::estimate;
use super::scope::Names;
use crate::expr::{EvalContext, Expr, Node};
use crate::table::OpenTable;
use crate::types::Value;

/// A search in a SPATIAL key. The conditions are looked at again for each row: rectangles decide for rectangles alone.
pub struct Search {
    /// The key.
    pub key: usize,
    /// How the rectangles of rows relate to that of the value.
    pub relation: Relation,
    /// The geometry.
    pub value: Expr,
}

/// Functions that a key can answer: how the rectangle of their first argument relates to that of the second one where they are true.
const FUNCTIONS: &[(&str, Relation)] = &[
    ("mbrcontains", Relation::Contains),
    ("mbrwithin", Relation::Within),
    ("mbrintersects", Relation::Intersects),
    ("mbrdisjoint", Relation::Disjoint),
    ("mbrequals", Relation::Equals),
    ("mbroverlaps", Relation::Intersects),
    ("st_contains", Relation::Contains),
    ("st_within", Relation::Within),
    ("st_intersects", Relation::Intersects),
    ("st_disjoint", Relation::Disjoint),
    ("st_equals", Relation::Equals),
    ("st_overlaps", Relation::Intersects),
    ("st_touches", Relation::Intersects),
    ("st_crosses", Relation::Intersects),
];

/// The SPATIAL keys that a condition concerns, each with the search that it asks for.
pub(super) fn searches(cond: &Expr, c: &Candidate<'_>, open: &OpenTable) -> Vec<Search> {
    let Node::Call(function, args) = &cond.node else { return Vec::new() };
    let known = FUNCTIONS.iter().find(|(name, _)| *name == function.def.name);
    let (Some((_, relation)), [a, b]) = (known, &args[..]) else { return Vec::new() };
    let column = |e: &Expr| {
        e.as_column().filter(|column| column.table as usize == c.number).map(|column| column.column as usize)
    };
    let (column, value, relation) = match (column(a), column(b)) {
        (Some(column), _) if b.is_constant() => (column, b, *relation),
        (_, Some(column)) if a.is_constant() => (column, a, turned(*relation)),
        _ => return Vec::new(),
    };
    keys_of(column, c, open).map(|key| Search { key, relation, value: value.clone() }).collect()
}

/// The SPATIAL keys of a column.
fn keys_of<'a>(column: usize, c: &'a Candidate<'_>, open: &'a OpenTable) -> impl Iterator<Item = usize> + 'a {
    let active = |k: usize| c.state.as_ref().is_some_and(|state| state.key_active(k));
    (0..open.keys().len())
        .filter(move |&k| open.keys()[k].geometry == Some(column) && active(k) && c.hints.rows.allows(k))
}

/// The SPATIAL keys that the reference server counts among those that may find rows, though they have no order: those whose column is
/// compared with a constant.
pub(super) fn compared(cond: &Expr, c: &Candidate<'_>, open: &OpenTable) -> Vec<usize> {
    let Node::Compare(_, _, args) = &cond.node else { return Vec::new() };
    let column = |a: &Expr, b: &Expr| {
        let column = a.as_column().filter(|column| column.table as usize == c.number && b.is_constant())?;
        Some(column.column as usize)
    };
    match column(&args[0], &args[1]).or_else(|| column(&args[1], &args[0])) {
        Some(column) => keys_of(column, c, open).collect(),
        None => Vec::new(),
    }
}

/// As the second argument sees it.
fn turned(relation: Relation) -> Relation {
    match relation {
        Relation::Contains => Relation::Within,
        Relation::Within => Relation::Contains,
        same => same,
    }
}

/// The rectangle of a geometry; none of NULL and of what is none.
pub(crate) fn rect_of(value: &Value) -> Option<Rect> {
    if let Value::Bytes(bytes) = value { Rect::of_value(bytes) } else { None }
}

/// How many rows a search finds, by looking at the key.
pub(super) fn rows(
    search: &Search,
    open: &OpenTable,
    reader: &pages::ReaderSlot,
    ctx: &mut EvalContext,
) -> Option<f64> {
    let e = if let Node::Once(_, inner) = &search.value.node { inner } else { &search.value };
    if !estimate::is_known(e, ctx.statement.params.len()) {
        return None;
    }
    let mark = ctx.mark();
    let value = e.value(ctx);
    ctx.rollback_to(&mark);
    let rect = rect_of(&value.ok()?)?;
    let snapshot = reader.begin(&open.all_pages().collect::<Vec<_>>()).ok()?;
    let pin = snapshot.pin();
    let view = pin.table(open.pages()).ok()?;
    open.format().rows_related(&view, search.key, search.relation, &rect).ok()
}

/// Counts the rows of searches of the tables of a SELECT.
pub(super) type Count<'a> = &'a dyn Fn(&Candidate<'_>, &Search) -> Option<f64>;

/// See [`Count`].
pub(super) fn counter<'a, 'c: 'a>(
    names: &'a Names,
    reader: &'a pages::ReaderSlot,
    known: &'a std::cell::RefCell<super::key_order::Known<'c>>,
) -> impl Fn(&Candidate<'_>, &Search) -> Option<f64> + 'a {
    move |c, search| {
        let Table::Base(open) = &names.tables[c.number].relation else { return None };
        rows(search, open, reader, known.borrow_mut().0)
    }
}
