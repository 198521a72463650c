//! What of a statement's parameters its plan depends on: a plan that is kept serves only parameters like those it was
//! made for.

use super::Session;
use crate::ast::{Expr, ExprKind, Query, QueryTerm, SelectItem, TableRef};
use crate::types::{Class, FieldType, Kind, Value};

/// The parameters a plan was made for.
#[derive(Default)]
pub(crate) struct ParamTypes {
    types: Vec<ParamType>,
    /// They are shown in the result, whose columns then have their lengths.
    shown: bool,
}

impl ParamTypes {
    /// Of the parameters that the session has now; `shown`: see [`are_shown`].
    pub(crate) fn of(session: &Session, shown: bool) -> ParamTypes {
        ParamTypes { types: types(session, shown).collect(), shown }
    }

    /// Whether a plan made for these serves the parameters that the session has now.
    pub(crate) fn fit(&self, session: &Session) -> bool {
        self.types.iter().copied().eq(types(session, self.shown))
    }
}

fn types(session: &Session, shown: bool) -> impl Iterator<Item = ParamType> + '_ {
    let types = &session.statement.param_types;
    session
        .ctx
        .statement
        .params
        .iter()
        .enumerate()
        .map(move |(at, v)| ParamType::new(v, types.get(at), shown))
}

/// What of one parameter a plan depends on.
#[derive(Clone, Copy, PartialEq)]
struct ParamType {
    /// The value's class: NULL may stand where the type tells of another.
    class: Class,
    kind: Kind,
    unsigned: bool,
    decimals: u8,
    /// Of those that are shown their length, of a DECIMAL else only how wide a number its digits need.
    length: u32,
    collation: u16,
    /// Text of other characters than ASCII.
    wide: bool,
}

impl ParamType {
    fn new(value: &Value, ty: Option<&FieldType>, shown: bool) -> ParamType {
        let class = value.class();
        let wide = matches!(value, Value::Bytes(b) if !b.is_ascii());
        let Some(ty) = ty else {
            let collation = charset::binary().id;
            return ParamType {
                class,
                kind: Kind::Null,
                unsigned: false,
                decimals: 0,
                length: 0,
                collation,
                wide,
            };
        };
        let length = match ty.kind {
            _ if shown => ty.length,
            Kind::Decimal => match ty.precision() {
                0..=18 => 18,
                19..=38 => 38,
                _ => 65,
            },
            _ => 0,
        };
        let (kind, unsigned, decimals) = (ty.kind, ty.unsigned, ty.decimals);
        ParamType { class, kind, unsigned, decimals, length, collation: ty.collation.id, wide }
    }
}

/// Whether a parameter is part of a column of the query's result.
pub(crate) fn are_shown(q: &Query) -> bool {
    let shown = |term: &QueryTerm| match term {
        QueryTerm::Select(select) => {
            let in_items = |i: &SelectItem| matches!(i, SelectItem::Expr { expr, .. } if has_parameter(expr));
            select.items.iter().any(in_items) || select.from.iter().any(shown_by)
        }
        QueryTerm::Values(rows) => rows.iter().flatten().any(has_parameter),
        QueryTerm::Nested(inner) => are_shown(inner),
    };
    let named = q.with.iter().flat_map(|with| &with.tables).any(|table| are_shown(&table.query));
    named || std::iter::once(&q.first).chain(q.rest.iter().map(|(_, term)| term)).any(shown)
}

/// Whether a parameter is part of a column of a subquery of FROM.
fn shown_by(table: &TableRef) -> bool {
    match table {
        TableRef::Derived(derived) => are_shown(&derived.query),
        TableRef::Join(join) => shown_by(&join.left) || shown_by(&join.right),
        TableRef::Nested(tables) => tables.iter().any(shown_by),
        TableRef::Table(_) | TableRef::JsonTable(_) => false,
    }
}

fn has_parameter(e: &Expr) -> bool {
    let mut found = match &e.kind {
        ExprKind::Param(_) | ExprKind::Lifted(..) => true,
        ExprKind::Subquery(q) => are_shown(q),
        _ => false,
    };
    e.kind.for_children(&mut |child| found = found || has_parameter(child));
    found
}
