//! Which parentheses are needed.

use crate::ast::*;

/// Binding strength of what an expression prints as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    Or,
    Xor,
    And,
    Comparison,
    Predicate,
    BitOr,
    BitAnd,
    Shift,
    Additive,
    Multiplicative,
    BitXor,
    Concat,
    Unary,
    Collate,
    Highest,
}

impl Strength {
    /// The next tighter one.
    pub(super) fn next(self) -> Strength {
        use Strength::*;
        match self {
            Or => Xor,
            Xor => And,
            And => Comparison,
            Comparison => Predicate,
            Predicate => BitOr,
            BitOr => BitAnd,
            BitAnd => Shift,
            Shift => Additive,
            Additive => Multiplicative,
            Multiplicative => BitXor,
            BitXor => Concat,
            Concat => Unary,
            Unary => Collate,
            Collate | Highest => Highest,
        }
    }
}

/// ISNULL(x), which prints as an operator.
pub(super) fn is_isnull(call: &FunctionCall) -> bool {
    call.db.is_none() && call.args.len() == 1 && call.name.eq_ignore_ascii_case("isnull")
}

/// How strongly the text of an expression (or its negation) binds.
pub(super) fn strength(e: &Expr, negated: bool) -> Strength {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => {
            if !negated {
                return strength(inner, true);
            }
            match inner.kind {
                ExprKind::Column(_) => Strength::Comparison,
                _ => strength(inner, false),
            }
        }
        ExprKind::Column(_) if negated => Strength::Comparison,
        ExprKind::And(_) => {
            if negated {
                Strength::Or
            } else {
                Strength::And
            }
        }
        ExprKind::Or(_) => {
            if negated {
                Strength::And
            } else {
                Strength::Or
            }
        }
        ExprKind::Binary(op, ..) if !negated || *op == BinaryOp::Xor || op.negated().is_some() => {
            op.strength()
        }
        ExprKind::Is { test: IsTest::Null | IsTest::Unknown, .. } => Strength::Comparison,
        ExprKind::Is { .. } if !negated => Strength::Comparison,
        ExprKind::Between { .. } | ExprKind::Like { .. } => Strength::Predicate,
        ExprKind::InList { list, .. } => {
            if list.len() == 1 {
                Strength::Comparison
            } else {
                Strength::Predicate
            }
        }
        ExprKind::InSubquery { .. } if !negated => Strength::Predicate,
        ExprKind::Quantified { .. } if !negated => Strength::Comparison,
        ExprKind::Regexp { negated: n, .. } if *n == negated => Strength::Predicate,
        ExprKind::Regexp { .. } => Strength::Unary,
        ExprKind::DateArith { .. } | ExprKind::TimestampAdd(..) if !negated => Strength::Additive,
        ExprKind::Assign(..) if !negated => Strength::Or,
        ExprKind::Collate(..) if !negated => Strength::Collate,
        ExprKind::Unary(UnaryOp::Negate | UnaryOp::BitNot, _) if !negated => Strength::Unary,
        ExprKind::Function(call) if call.db.is_none() => {
            let n = call.args.len();
            if is_isnull(call) {
                Strength::Comparison
            } else if !negated && n == 2 && call.name.eq_ignore_ascii_case("mod") {
                Strength::Multiplicative
            } else if !negated
                && n == 2
                && (call.name.eq_ignore_ascii_case("datediff")
                    || call.name.eq_ignore_ascii_case("add_months"))
            {
                Strength::Additive
            } else if negated {
                Strength::Unary
            } else {
                Strength::Highest
            }
        }
        _ if negated => Strength::Unary,
        _ => Strength::Highest,
    }
}
