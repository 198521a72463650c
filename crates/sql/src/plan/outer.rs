//! Outer joins that are inner ones: a condition that no row of NULLs meets leaves out the rows that found no match.
//! `t LEFT JOIN u ON t.a = u.a WHERE u.b > 5` is `t JOIN u`.

use super::from::JoinTree;
use crate::expr::{CompareOp, Expr, Node, Test};

/// Makes inner joins of the outer joins whose missing rows these conditions leave out.
pub(super) fn simplify(tree: JoinTree, conditions: &[Expr]) -> JoinTree {
    if matches!(tree, JoinTree::Table(_)) {
        return tree;
    }
    inner(tree, conditions.iter().fold(0, |m, c| m | rejected(c)))
}

/// The same where rows of NULLs for these tables are left out.
fn inner(tree: JoinTree, left_out: u64) -> JoinTree {
    match tree {
        JoinTree::Table(_) => tree,
        JoinTree::Inner(list, conditions) => {
            let left_out = conditions.iter().fold(left_out, |m, c| m | rejected(c));
            JoinTree::Inner(list.into_iter().map(|t| inner(t, left_out)).collect(), conditions)
        }
        JoinTree::Straight(left, right, conditions) => {
            let left_out = conditions.iter().fold(left_out, |m, c| m | rejected(c));
            JoinTree::Straight(
                Box::new(inner(*left, left_out)),
                Box::new(inner(*right, left_out)),
                conditions,
            )
        }
        JoinTree::Left(left, right, conditions) => {
            let mut tables = Vec::new();
            right.tables(&mut tables);
            let on = conditions.iter().fold(0, |m, c| m | rejected(c));
            if tables.iter().any(|t| left_out >> t & 1 == 1) {
                let sides = vec![inner(*left, left_out | on), inner(*right, left_out | on)];
                return JoinTree::Inner(sides, conditions);
            }
            // a row of the right side that does not meet ON is none; all of the left side are
            JoinTree::Left(Box::new(inner(*left, left_out)), Box::new(inner(*right, on)), conditions)
        }
    }
}

/// The tables of which a row of NULLs does not meet a condition.
fn rejected(e: &Expr) -> u64 {
    match &e.node {
        Node::And(list) => list.iter().fold(0, |m, e| m | rejected(e)),
        Node::Or(list) => list.iter().fold(u64::MAX, |m, e| m & rejected(e)),
        // false where what is tested is NULL
        Node::Is(e, Test::Null, true) | Node::Is(e, Test::True | Test::False, false) => nulls(e),
        _ => nulls(e),
    }
}

/// The tables whose rows of NULLs make an expression NULL, as far as its form tells.
fn nulls(e: &Expr) -> u64 {
    let any = |list: &[Expr]| list.iter().fold(0, |m, e| m | nulls(e));
    match &e.node {
        Node::Column(c) if c.table < 64 => 1 << c.table,
        Node::Convert(e) | Node::Negate(e, _) | Node::BitNot(e) | Node::Not(e) => nulls(e),
        Node::Arith(_, sides, _) | Node::Xor(sides) => any(&**sides),
        Node::Compare(op, _, sides) if *op != CompareOp::NullSafeEq => any(&**sides),
        // beside a NULL the other comparison may be false, which is not NULL: of the value alone it is known
        Node::Between { args, .. } => nulls(&args[0]),
        Node::In { expr, .. } => nulls(expr),
        Node::Like { args, .. } => any(&**args),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Comparison;
    use crate::types::{FieldType, Value};

    fn equal(op: CompareOp, table: u32) -> Expr {
        let column = Expr::column(table, 0, FieldType::boolean());
        let one = Expr::literal(Value::Int(1), FieldType::boolean());
        Expr::new(Node::Compare(op, Comparison::Int, Box::new([column, one])), FieldType::boolean())
    }

    fn of(node: Node) -> Expr {
        Expr::new(node, FieldType::boolean())
    }

    #[test]
    fn what_leaves_rows_of_nulls_out() {
        let (zero, one) = (|| equal(CompareOp::Eq, 0), || equal(CompareOp::Lt, 1));
        assert_eq!(rejected(&zero()), 1);
        assert_eq!(rejected(&equal(CompareOp::NullSafeEq, 0)), 0);
        assert_eq!(rejected(&of(Node::And(vec![zero(), one()]))), 3);
        assert_eq!(rejected(&of(Node::Or(vec![zero(), one()]))), 0);
        assert_eq!(rejected(&of(Node::Or(vec![zero(), of(Node::Not(Box::new(zero())))]))), 1);
        assert_eq!(rejected(&of(Node::Not(Box::new(of(Node::And(vec![zero(), one()])))))), 0);
        let column = || Box::new(Expr::column(1, 0, FieldType::boolean()));
        assert_eq!(rejected(&of(Node::Is(column(), Test::Null, true))), 2);
        assert_eq!(rejected(&of(Node::Is(column(), Test::Null, false))), 0);
        assert_eq!(rejected(&of(Node::Coalesce(vec![*column()]))), 0);
    }

    #[test]
    fn chains_of_outer_joins_are_inner_up_to_what_is_asked() {
        // (0 LEFT 1) LEFT 2 ON 1 = 2, where 2 is asked for something: all are inner
        let table = |t| Box::new(JoinTree::Table(t));
        let both = |a, b| {
            let sides = [Expr::column(a, 0, FieldType::boolean()), Expr::column(b, 0, FieldType::boolean())];
            Expr::new(Node::Compare(CompareOp::Eq, Comparison::Int, Box::new(sides)), FieldType::boolean())
        };
        let chain = || {
            let first = JoinTree::Left(table(0), table(1), vec![both(0, 1)]);
            JoinTree::Left(Box::new(first), table(2), vec![both(1, 2)])
        };
        let JoinTree::Inner(sides, _) = simplify(chain(), &[equal(CompareOp::Eq, 2)]) else {
            panic!("an outer join")
        };
        assert!(matches!(sides[0], JoinTree::Inner(..)));
        let JoinTree::Left(first, ..) = simplify(chain(), &[equal(CompareOp::Eq, 1)]) else {
            panic!("an inner join")
        };
        assert!(matches!(*first, JoinTree::Inner(..)));
        assert!(matches!(simplify(chain(), &[equal(CompareOp::Eq, 0)]), JoinTree::Left(..)));
    }
}
