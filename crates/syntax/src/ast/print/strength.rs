//! Which parentheses are needed.

use crate::ast::*;

/// ISNULL(x), which prints as an operator.
pub(super) fn is_isnull(call: &FunctionCall) -> bool {
    call.db.is_none() && call.args.len() == 1 && call.name.eq_ignore_ascii_case("isnull")
}

/// How strongly the text of an expression (or its negation) binds.
pub(super) fn strength(e: &Expr, negated: bool) -> Precedence {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => {
            if !negated {
                return strength(inner, true);
            }
            match inner.kind {
                ExprKind::Column(_) | ExprKind::Field(_) => Precedence::Comparison,
                _ => strength(inner, false),
            }
        }
        ExprKind::Column(_) | ExprKind::Field(_) if negated => Precedence::Comparison,
        ExprKind::And(_) => {
            if negated {
                Precedence::Or
            } else {
                Precedence::And
            }
        }
        ExprKind::Or(_) => {
            if negated {
                Precedence::And
            } else {
                Precedence::Or
            }
        }
        ExprKind::Binary(op, ..) if !negated || *op == BinaryOp::Xor || op.negated().is_some() => {
            op.strength()
        }
        ExprKind::Is { test: IsTest::Null | IsTest::Unknown, .. } => Precedence::Comparison,
        ExprKind::Is { .. } if !negated => Precedence::Comparison,
        ExprKind::Between { .. } | ExprKind::Like { .. } => Precedence::Predicate,
        ExprKind::InList { list, .. } => {
            if list.len() == 1 {
                Precedence::Comparison
            } else {
                Precedence::Predicate
            }
        }
        ExprKind::InSubquery { .. } if !negated => Precedence::Predicate,
        ExprKind::Quantified { .. } if !negated => Precedence::Comparison,
        ExprKind::Regexp { negated: n, .. } if *n == negated => Precedence::Predicate,
        ExprKind::Regexp { .. } => Precedence::Unary,
        ExprKind::DateArith { .. } | ExprKind::TimestampAdd(..) if !negated => Precedence::Additive,
        ExprKind::Assign(..) if !negated => Precedence::Or,
        ExprKind::Collate(..) if !negated => Precedence::Collate,
        ExprKind::Unary(UnaryOp::Negate | UnaryOp::BitNot, _) if !negated => Precedence::Unary,
        ExprKind::Function(call) if call.db.is_none() => {
            let n = call.args.len();
            if is_isnull(call) {
                Precedence::Comparison
            } else if !negated && n == 2 && call.name.eq_ignore_ascii_case("mod") {
                Precedence::Multiplicative
            } else if !negated
                && n == 2
                && (call.name.eq_ignore_ascii_case("datediff")
                    || call.name.eq_ignore_ascii_case("add_months"))
            {
                Precedence::Additive
            } else if negated {
                Precedence::Unary
            } else {
                Precedence::Highest
            }
        }
        _ if negated => Precedence::Unary,
        _ => Precedence::Highest,
    }
}
