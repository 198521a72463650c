//! What all arms of an OR have in common is a condition of its own, which may find rows: `(a AND b) OR (a AND c)` is
//! `a AND (b OR c)`.

use std::cell::Cell;

use super::access::has_subquery;
use super::from::conjunction;
use super::negation::{has_negation, pushed_down};
use crate::expr::{CompareOp, Expr, Node};
use crate::types::Value;

/// Takes common conditions out of ORs.
pub(super) struct Factoring<'a> {
    params: &'a [Value],
    /// Parameters were taken for equal by their values: the plan is good for these only.
    pub bound: Cell<bool>,
}

impl<'a> Factoring<'a> {
    /// With the values of the statement's parameters, as far as they are known.
    pub fn new(params: &'a [Value]) -> Factoring<'a> {
        Factoring { params, bound: Cell::new(false) }
    }

    /// Splits a condition at its ANDs, and at those that stand in each arm of an OR.
    pub fn split(&self, e: Expr, out: &mut Vec<Expr>) {
        match e.node {
            Node::And(list) => list.into_iter().for_each(|e| self.split(e, out)),
            Node::Not(_) | Node::Or(_) if has_negation(&e) && !has_subquery(&e) => {
                self.split(pushed_down(e), out)
            }
            Node::Or(_) if e.is_repeatable() && !has_subquery(&e) => self.split_or(e, out),
            _ => out.push(e),
        }
    }

    fn split_or(&self, e: Expr, out: &mut Vec<Expr>) {
        let Expr { node: Node::Or(mut arms), ty } = e else { return out.push(e) };
        // an arm that is never true lets no row pass
        let never = |e: &Expr| matches!(&e.node, Node::Literal(v) if v.is_null());
        if arms.iter().any(never) && !arms.iter().all(never) {
            arms.retain(|e| !never(e));
            if let [_] = &arms[..] {
                return arms.into_iter().for_each(|e| self.split(e, out));
            }
        }
        let mut lists = arms.iter().map(|arm| {
            let mut list = Vec::new();
            terms(arm, &mut list);
            list
        });
        let first = lists.next().unwrap_or_default();
        let rest: Vec<Vec<&Expr>> = lists.collect();
        let everywhere = |c: &&Expr| rest.iter().all(|list| list.iter().any(|x| self.same(c, x)));
        let common: Vec<Expr> = first.into_iter().filter(everywhere).cloned().collect();
        if common.is_empty() {
            return out.push(Expr::new(Node::Or(arms), ty));
        }
        let mut left = Vec::with_capacity(arms.len());
        for arm in &arms {
            let mut list = Vec::new();
            terms(arm, &mut list);
            let own = list.into_iter().filter(|x| !common.iter().any(|c| self.same(c, x))).cloned().collect();
            left.push(conjunction(own));
        }
        common.into_iter().for_each(|c| self.split(c, out));
        // an arm with nothing of its own makes the others idle
        if let Some(arms) = left.into_iter().collect::<Option<Vec<Expr>>>() {
            self.split(Expr::new(Node::Or(arms), ty), out);
        }
    }

    /// Whether two conditions say the same.
    fn same(&self, a: &Expr, b: &Expr) -> bool {
        let all =
            |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(a, b));
        match (&a.node, &b.node) {
            (Node::Compare(op, by, x), Node::Compare(other, how, y)) => {
                let turned = matches!(op, CompareOp::Eq | CompareOp::NullSafeEq);
                let pair = |m: usize, n: usize| self.same(&x[0], &y[m]) && self.same(&x[1], &y[n]);
                op == other && by == how && (pair(0, 1) || turned && pair(1, 0))
            }
            (Node::Param(m), Node::Param(n)) if m != n => {
                let value = |n: &u32| self.params.get(*n as usize);
                let equal = value(m).is_some() && value(m) == value(n) && a.ty.class() == b.ty.class();
                if equal {
                    self.bound.set(true);
                }
                equal
            }
            (Node::Once(_, x), Node::Once(_, y)) | (Node::Answer(_, x), Node::Answer(_, y)) => {
                self.same(x, y)
            }
            (Node::Convert(x), Node::Convert(y)) => a.ty == b.ty && self.same(x, y),
            (Node::Is(x, test, negated), Node::Is(y, other, not)) => {
                test == other && negated == not && self.same(x, y)
            }
            (Node::Between { args: x, by, negated }, Node::Between { args: y, by: how, negated: not }) => {
                by == how && negated == not && all(&**x, &**y)
            }
            (
                Node::In { expr: x, list, by, negated, .. },
                Node::In { expr: y, list: other, by: how, negated: not, .. },
            ) => by == how && negated == not && self.same(x, y) && all(list, other),
            _ => a == b,
        }
    }
}

/// The conditions that AND joins.
fn terms<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &e.node {
        Node::And(list) => list.iter().for_each(|e| terms(e, out)),
        _ => out.push(e),
    }
}
