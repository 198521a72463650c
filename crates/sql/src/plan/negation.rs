//! NOT is taken into what it denies: `NOT (a < 5 OR b = 1)` is `a >= 5 AND b <> 1`, whose parts may find rows. What is unknown
//! stays unknown.

use crate::expr::{CompareOp, Comparison, Expr, Node, Test};
use crate::types::{Class, FieldType, Value};

/// A condition without NOT before what can be turned round.
pub(super) fn pushed_down(e: Expr) -> Expr {
    let Expr { node, ty } = e;
    match node {
        Node::And(list) => Expr::new(Node::And(list.into_iter().map(pushed_down).collect()), ty),
        Node::Or(list) => Expr::new(Node::Or(list.into_iter().map(pushed_down).collect()), ty),
        Node::Not(inner) => negated(*inner, ty),
        node => Expr::new(node, ty),
    }
}

/// Whether there is a NOT that [`pushed_down`] takes away.
pub(super) fn has_negation(e: &Expr) -> bool {
    match &e.node {
        Node::And(list) | Node::Or(list) => list.iter().any(has_negation),
        Node::Not(inner) => match &inner.node {
            Node::Not(of) => is_truth(of) || is_integer_column(of),
            Node::Compare(op, ..) => opposite(*op).is_some(),
            Node::Column(_) => is_integer_column(inner),
            Node::Literal(v) => v.is_null(),
            _ => is_truth(inner),
        },
        _ => false,
    }
}

/// The opposite of a condition; `ty` is the type of that.
fn negated(e: Expr, ty: FieldType) -> Expr {
    let deny = |e: Expr| {
        let ty = FieldType::boolean().with_nullable(e.ty.nullable);
        negated(e, ty)
    };
    let node = match e.node {
        Node::And(list) => Node::Or(list.into_iter().map(deny).collect()),
        Node::Or(list) => Node::And(list.into_iter().map(deny).collect()),
        Node::Compare(op, by, sides) => match opposite(op) {
            Some(op) => Node::Compare(op, by, sides),
            None => Node::Not(Box::new(Expr::new(Node::Compare(op, by, sides), e.ty))),
        },
        Node::Between { args, by, negated } => Node::Between { args, by, negated: !negated },
        Node::In { expr, list, by, negated, lookup } => {
            Node::In { expr, list, by, negated: !negated, lookup }
        }
        Node::Like { args, collation, escape, negated } => {
            Node::Like { args, collation, escape, negated: !negated }
        }
        Node::Is(of, test, negated) => Node::Is(of, test, !negated),
        Node::Literal(v) if v.is_null() => Node::Literal(v),
        Node::Not(inner) if is_truth(&inner) => return pushed_down(*inner),
        Node::Not(inner) if is_integer_column(&inner) => with_zero(CompareOp::Ne, *inner),
        Node::Column(_) if is_integer_column(&e) => with_zero(CompareOp::Eq, e),
        node => Node::Not(Box::new(Expr::new(node, e.ty))),
    };
    Expr::new(node, ty)
}

fn opposite(op: CompareOp) -> Option<CompareOp> {
    Some(match op {
        CompareOp::Eq => CompareOp::Ne,
        CompareOp::Ne => CompareOp::Eq,
        CompareOp::Lt => CompareOp::Ge,
        CompareOp::Ge => CompareOp::Lt,
        CompareOp::Gt => CompareOp::Le,
        CompareOp::Le => CompareOp::Gt,
        // never unknown, and no other comparison is that
        CompareOp::NullSafeEq => return None,
    })
}

/// Whether its values are 0, 1 and NULL.
fn is_truth(e: &Expr) -> bool {
    matches!(
        e.node,
        Node::And(_)
            | Node::Or(_)
            | Node::Not(_)
            | Node::Compare(..)
            | Node::Between { .. }
            | Node::In { .. }
            | Node::Like { .. }
            | Node::Is(_, Test::Null | Test::True | Test::False, _)
    )
}

fn is_integer_column(e: &Expr) -> bool {
    matches!(e.node, Node::Column(_)) && matches!(e.ty.class(), Class::Int | Class::UInt) && e.ty.is_number()
}

fn with_zero(op: CompareOp, column: Expr) -> Node {
    let zero = Expr::literal(Value::Int(0), FieldType::int(1).with_nullable(false));
    Node::Compare(op, Comparison::Int, Box::new([column, zero]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::ColumnRef;

    fn column(n: u32) -> Expr {
        Expr::new(Node::Column(ColumnRef { table: 0, column: n, slot: n }), FieldType::int(11))
    }

    fn less(n: u32) -> Expr {
        let five = Expr::literal(Value::Int(5), FieldType::int(1));
        let node = Node::Compare(CompareOp::Lt, Comparison::Int, Box::new([column(n), five]));
        Expr::new(node, FieldType::boolean())
    }

    fn not(e: Expr) -> Expr {
        Expr::new(Node::Not(Box::new(e)), FieldType::boolean())
    }

    #[test]
    fn alternatives_are_denied_one_by_one() {
        let e = pushed_down(not(Expr::new(Node::Or(vec![less(0), not(less(1))]), FieldType::boolean())));
        let Node::And(list) = e.node else { panic!("{e:?}") };
        assert!(matches!(list[0].node, Node::Compare(CompareOp::Ge, ..)));
        assert!(matches!(list[1].node, Node::Compare(CompareOp::Lt, ..)));
    }

    #[test]
    fn a_number_denied_twice_is_a_truth() {
        let e = pushed_down(not(not(column(0))));
        assert!(matches!(e.node, Node::Compare(CompareOp::Ne, ..)), "{e:?}");
        let e = pushed_down(not(not(not(column(0)))));
        assert!(matches!(e.node, Node::Compare(CompareOp::Eq, ..)), "{e:?}");
    }

    #[test]
    fn what_is_never_unknown_stays() {
        let Node::Compare(_, by, sides) = less(0).node else { panic!() };
        let same = Expr::new(Node::Compare(CompareOp::NullSafeEq, by, sides), FieldType::boolean());
        assert!(matches!(pushed_down(not(same)).node, Node::Not(_)));
    }
}
