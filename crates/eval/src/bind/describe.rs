//! Expressions as error 1690 shows them.

use super::expr::{Scope, compare_op};
use crate::ast::{self, ExprKind};
use crate::expr::CompareOp;
use crate::variables::SqlMode;

/// The text of an expression for error 1690.
pub(super) fn describe(e: &ast::Expr, scope: &mut dyn Scope, mode: SqlMode) -> String {
    let mut out = String::new();
    describe_into(e, scope, &mut out);
    quoted(out, mode)
}

/// The text of a call of the function `name` for error 1690.
pub(super) fn describe_call(name: &str, args: &[ast::Expr], scope: &mut dyn Scope, mode: SqlMode) -> String {
    let mut out = String::new();
    call_into(name, args, scope, &mut out);
    quoted(out, mode)
}

/// Names in the quotes of the session's mode.
fn quoted(text: String, mode: SqlMode) -> String {
    if mode.has(SqlMode::ANSI_QUOTES) { text.replace('`', "\"") } else { text }
}

fn call_into(name: &str, args: &[ast::Expr], scope: &mut dyn Scope, out: &mut String) {
    out.push_str(name);
    out.push('(');
    for (i, a) in args.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        describe_into(a, scope, out);
    }
    out.push(')');
}

/// A variable has its place behind its name; columns of NEW and OLD are no variables.
fn describe_local(slot: u32, name: &str, out: &mut String) {
    use std::fmt::Write as _;
    out.push_str(name);
    if !name.contains('.') {
        let _ = write!(out, "@{slot}");
    }
}

fn describe_into(e: &ast::Expr, scope: &mut dyn Scope, out: &mut String) {
    use std::fmt::Write as _;
    if out.len() > 300 {
        return;
    }
    match &e.kind {
        ExprKind::Literal(l) => describe_literal(l, out),
        ExprKind::Lifted(_, l) => describe_literal(l, out),
        ExprKind::Column(c) => out.push_str(&scope.display(c)),
        ExprKind::Param(_) => out.push('?'),
        ExprKind::Local(slot, name) => describe_local(*slot, name, out),
        ExprKind::UserVariable(n) => {
            let _ = write!(out, "@`{n}`");
        }
        ExprKind::Unary(op, a) => {
            out.push_str(match op {
                ast::UnaryOp::Negate => "-",
                ast::UnaryOp::BitNot => "~",
                ast::UnaryOp::Not => "!",
                ast::UnaryOp::Binary => "BINARY ",
            });
            let nested = matches!(a.kind, ExprKind::Binary(..));
            if nested {
                out.push('(');
            }
            describe_into(a, scope, out);
            if nested {
                out.push(')');
            }
        }
        ExprKind::Binary(op, a, b) => {
            for (i, side) in [a, b].into_iter().enumerate() {
                if i == 1 {
                    let _ = write!(out, " {} ", sign(*op));
                }
                let nested = matches!(side.kind, ExprKind::Binary(inner, ..) if looser(inner, *op, i == 1));
                if nested {
                    out.push('(');
                }
                describe_into(side, scope, out);
                if nested {
                    out.push(')');
                }
            }
        }
        ExprKind::Function(f) => call_into(&f.name.to_ascii_lowercase(), &f.args, scope, out),
        ExprKind::Aggregate(f) => {
            let _ = write!(out, "{}(", aggregate_name(f.function));
            for a in &f.args {
                describe_into(a, scope, out);
            }
            out.push(')');
        }
        ExprKind::Cast(e, t) => {
            out.push_str("cast(");
            describe_into(e, scope, out);
            out.push_str(match t.as_ref() {
                ast::CastType::Signed => " as signed)",
                ast::CastType::Unsigned => " as unsigned)",
                ast::CastType::Double(_) => " as double)",
                ast::CastType::Date => " as date)",
                _ => " as ...)",
            });
        }
        ExprKind::Assign(name, a) => {
            let _ = write!(out, "(@{name}:=");
            describe_into(a, scope, out);
            out.push(')');
        }
        _ => out.push_str("..."),
    }
}

fn sign(op: ast::BinaryOp) -> &'static str {
    match op {
        ast::BinaryOp::Add => "+",
        ast::BinaryOp::Subtract => "-",
        ast::BinaryOp::Multiply => "*",
        ast::BinaryOp::Divide => "/",
        ast::BinaryOp::IntDivide => "DIV",
        ast::BinaryOp::Modulo => "MOD",
        ast::BinaryOp::BitOr => "|",
        ast::BinaryOp::BitAnd => "&",
        ast::BinaryOp::BitXor => "^",
        ast::BinaryOp::ShiftLeft => "<<",
        ast::BinaryOp::ShiftRight => ">>",
        op => compare_op(op).map_or("", CompareOp::sign),
    }
}

fn aggregate_name(function: ast::AggregateFunction) -> &'static str {
    match function {
        ast::AggregateFunction::Count => "count",
        ast::AggregateFunction::Sum => "sum",
        ast::AggregateFunction::Min => "min",
        ast::AggregateFunction::Max => "max",
        ast::AggregateFunction::Avg => "avg",
        _ => "aggregate",
    }
}

/// Whether an operand needs parentheses under an operator.
fn looser(inner: ast::BinaryOp, outer: ast::BinaryOp, right: bool) -> bool {
    let rank = |op: ast::BinaryOp| match op {
        ast::BinaryOp::BitXor => 7,
        ast::BinaryOp::Multiply
        | ast::BinaryOp::Divide
        | ast::BinaryOp::IntDivide
        | ast::BinaryOp::Modulo => 6,
        ast::BinaryOp::Add | ast::BinaryOp::Subtract => 5,
        ast::BinaryOp::ShiftLeft | ast::BinaryOp::ShiftRight => 4,
        ast::BinaryOp::BitAnd => 3,
        ast::BinaryOp::BitOr => 2,
        _ => 1,
    };
    rank(inner) < rank(outer) || (right && rank(inner) == rank(outer))
}

fn describe_literal(l: &ast::Literal, out: &mut String) {
    use std::fmt::Write as _;
    match l {
        ast::Literal::Null | ast::Literal::NullText(_) => out.push_str("NULL"),
        ast::Literal::Bool(b) => out.push_str(if *b { "1" } else { "0" }),
        ast::Literal::Int(v) => {
            let _ = write!(out, "{v}");
        }
        ast::Literal::Decimal(t) | ast::Literal::Float(t) => out.push_str(t),
        ast::Literal::String(s) => {
            let mut text = Vec::new();
            ast::quote_string(&s.bytes, &mut text);
            out.push_str(&String::from_utf8_lossy(&text));
        }
        ast::Literal::HexNumber(b) | ast::Literal::Bit(b) => {
            out.push_str("0x");
            for b in b.iter() {
                let _ = write!(out, "{b:02X}");
            }
        }
        ast::Literal::HexString(b) => {
            out.push_str("X'");
            for b in b.iter() {
                let _ = write!(out, "{b:02X}");
            }
            out.push('\'');
        }
        ast::Literal::Temporal(k, t) => {
            let word = match k {
                ast::TemporalKind::Date => "DATE",
                ast::TemporalKind::Time => "TIME",
                ast::TemporalKind::DateTime => "TIMESTAMP",
            };
            let _ = write!(out, "{word}'{}'", String::from_utf8_lossy(t));
        }
        ast::Literal::Odbc(_, s) => {
            let _ = write!(out, "'{}'", String::from_utf8_lossy(&s.bytes));
        }
    }
}
