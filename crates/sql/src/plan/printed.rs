//! Bound expressions as text, for EXPLAIN FORMAT=JSON: in the server's own words, columns by table and name.

use super::sarg::{RangeCondition, Sarg};
use super::window::WINDOW_COLUMN;
use super::{BlockPlan, KeyPartValue, Relation};
use crate::expr::{ArithOp, Expr, Node, SubqueryKind, Test};
use crate::lex::Kw;
use crate::types::Value;
use crate::types::convert::write_text;

/// How strongly an operator binds.
const OR: u8 = 1;
const XOR: u8 = 2;
const AND: u8 = 3;
const NOT: u8 = 4;
const COMPARISON: u8 = 5;
const BIT_OR: u8 = 6;
const BIT_AND: u8 = 7;
const SHIFT: u8 = 8;
const SUM: u8 = 9;
const PRODUCT: u8 = 10;
const BIT_XOR: u8 = 11;
const SIGN: u8 = 12;
const ATOM: u8 = 13;

/// Prints what belongs to one SELECT.
pub(super) struct Printed<'a> {
    /// The SELECT.
    pub block: &'a BlockPlan,
    /// The number that EXPLAIN gives its `n`-th subquery.
    pub subquery: &'a dyn Fn(u32) -> u64,
    /// Names are always in quotes.
    pub quotes_all: bool,
}

impl Printed<'_> {
    /// The text of an expression.
    pub fn text(&self, e: &Expr) -> String {
        let mut out = String::new();
        self.expr(e, OR, &mut out);
        out
    }

    /// The text of what bounds a range of a key, and of further conditions.
    pub fn conditions(
        &self,
        range: Option<(usize, &[usize], &RangeCondition)>,
        rest: Option<&Expr>,
    ) -> String {
        let mut list = Vec::new();
        if let Some((table, columns, condition)) = range {
            for (column, (_, tests)) in columns.iter().zip(&condition.parts) {
                let name = self.column(table, *column);
                list.extend(tests.iter().map(|t| self.test(&name, t)));
            }
        }
        let parts = match rest.map(|e| &e.node) {
            Some(Node::And(parts)) => &parts[..],
            _ => rest.map(std::slice::from_ref).unwrap_or_default(),
        };
        let least = if list.is_empty() && parts.len() == 1 { OR } else { AND };
        for part in parts {
            let mut text = String::new();
            self.expr(part, least, &mut text);
            // what a key cannot answer alone bounds it and is tested again
            if !list.contains(&text) {
                list.push(text);
            }
        }
        list.join(" and ")
    }

    /// What a look-up asks of the columns of its key.
    pub fn look_up(&self, table: usize, columns: &[usize], parts: &[KeyPartValue]) -> String {
        let part = |(column, part): (&usize, &KeyPartValue)| {
            let op = if part.null_safe { "<=>" } else { "=" };
            let mut value = String::new();
            self.expr(&part.value, BIT_OR, &mut value);
            format!("{} {op} {value}", self.column(table, *column))
        };
        columns.iter().zip(parts).map(part).collect::<Vec<_>>().join(" and ")
    }

    /// A column by its table and name.
    pub fn column(&self, table: usize, column: usize) -> String {
        let Some(t) = self.block.tables.get(table) else { return "?".into() };
        let name = match &t.relation {
            Relation::Base(o) => o.def().columns.get(column).map(|c| c.name.clone()),
            Relation::Virtual(v) => v.columns().get(column).map(|c| c.0.clone()),
            Relation::Derived(p) => p.names.get(column).cloned(),
            Relation::JsonTable(j) => j.defs.get(column).map(|c| c.name.clone()),
            Relation::Merged => None,
        };
        let name = name.as_deref().unwrap_or("?");
        if self.quotes_all {
            return format!("`{}`.`{}`", t.alias.replace('`', "``"), name.replace('`', "``"));
        }
        format!("{}.{}", quoted(&t.alias), quoted(name))
    }

    fn test(&self, column: &str, test: &Sarg) -> String {
        let value = |e: &Expr| {
            let mut out = String::new();
            self.expr(e, BIT_OR, &mut out);
            out
        };
        match test {
            Sarg::Compare(op, e) => format!("{column} {} {}", op.sign(), value(e)),
            Sarg::Between(low, high) => format!("{column} between {} and {}", value(low), value(high)),
            Sarg::In(list) => {
                format!("{column} in ({})", list.iter().map(value).collect::<Vec<_>>().join(","))
            }
            Sarg::NotBetween(low, high) => format!("{column} not between {} and {}", value(low), value(high)),
            Sarg::NotIn(list) => {
                format!("{column} not in ({})", list.iter().map(value).collect::<Vec<_>>().join(","))
            }
            Sarg::And(list) => list.iter().map(|t| self.test(column, t)).collect::<Vec<_>>().join(" and "),
            Sarg::IsNull => format!("{column} is null"),
            Sarg::IsNotNull => format!("{column} is not null"),
            Sarg::Like(e, _) => format!("{column} like {}", value(e)),
            Sarg::Or(list) => list.iter().map(|t| self.test(column, t)).collect::<Vec<_>>().join(" or "),
        }
    }

    fn list(&self, list: &[Expr], out: &mut String) {
        for (i, e) in list.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            self.expr(e, OR, out);
        }
    }

    fn joined(&self, list: &[Expr], word: &str, strength: u8, out: &mut String) {
        for (i, e) in list.iter().enumerate() {
            if i > 0 {
                out.push_str(word);
            }
            self.expr(e, strength + u8::from(i > 0), out);
        }
    }

    /// Appends an expression, in parentheses when it binds less than `least`.
    fn expr(&self, e: &Expr, least: u8, out: &mut String) {
        let inner = through(e);
        let strength = strength(inner);
        if strength < least {
            out.push('(');
            self.plain(inner, strength, out);
            out.push(')');
        } else {
            self.plain(inner, strength, out);
        }
    }

    fn plain(&self, e: &Expr, strength: u8, out: &mut String) {
        match &e.node {
            Node::Literal(v) => literal(v, e, out),
            Node::Param(_) => out.push('?'),
            Node::Column(c) if c.table == u32::MAX && c.column >= WINDOW_COLUMN => {
                self.window(c.column - WINDOW_COLUMN, out);
            }
            Node::Window(n) => self.window(*n, out),
            Node::Column(c) if c.table == u32::MAX => self.aggregate(c.column, out),
            Node::Column(c) => out.push_str(&self.column(c.table as usize, c.column as usize)),
            Node::Outer(n) => out.push_str(&format!("outer#{n}")),
            Node::Aggregate(n) => self.aggregate(*n, out),
            Node::Negate(a, _) => self.sign("-", a, out),
            Node::BitNot(a) => self.sign("~", a, out),
            Node::Not(a) => {
                out.push('!');
                self.expr(a, SIGN, out);
            }
            Node::Is(a, test, negated) => {
                self.expr(a, COMPARISON, out);
                out.push_str(if *negated { " is not " } else { " is " });
                out.push_str(match test {
                    Test::Null => "null",
                    Test::True => "true",
                    Test::False => "false",
                });
            }
            Node::Arith(op, args, _) => self.binary(args, op.sign(), strength, out),
            Node::Compare(op, _, args) => self.binary(args, op.sign(), strength, out),
            Node::And(list) => self.joined(list, " and ", AND, out),
            Node::Or(list) => self.joined(list, " or ", OR, out),
            Node::Xor(args) => self.binary(args, "xor", strength, out),
            Node::Between { args, negated, .. } => {
                self.expr(&args[0], BIT_OR, out);
                out.push_str(if *negated { " not between " } else { " between " });
                self.expr(&args[1], BIT_OR, out);
                out.push_str(" and ");
                self.expr(&args[2], BIT_OR, out);
            }
            Node::In { expr, list, negated, .. } => {
                self.expr(expr, BIT_OR, out);
                out.push_str(if *negated { " not in (" } else { " in (" });
                self.list(list, out);
                out.push(')');
            }
            Node::Like { args, negated, .. } => {
                self.expr(&args[0], BIT_OR, out);
                out.push_str(if *negated { " not like " } else { " like " });
                self.expr(&args[1], BIT_OR, out);
            }
            _ => self.call(e, out),
        }
    }

    fn call(&self, e: &Expr, out: &mut String) {
        match &e.node {
            Node::If(args) => self.function("if", &args[..], out),
            Node::Coalesce(list) => self.function("coalesce", list, out),
            Node::Case { operands, branches, otherwise } => {
                self.case(operands, branches, otherwise.as_deref(), out)
            }
            Node::Call(f, args) => self.function(f.def.name, args, out),
            Node::UserVariable(name) => out.push_str(&format!("@`{name}`")),
            Node::Assign(name, value) => {
                out.push_str(&format!("@`{name}`:="));
                self.expr(value, OR, out);
            }
            Node::Subquery(s) => self.subquery(s.id, s.kind, &s.left, out),
            Node::Row(list) => {
                out.push('(');
                self.list(list, out);
                out.push(')');
            }
            Node::Match(_) => out.push_str("match ... against (...)"),
            _ => {}
        }
    }

    fn case(&self, operands: &[Expr], arms: &[(Expr, Expr)], other: Option<&Expr>, out: &mut String) {
        out.push_str("case");
        let of_operand =
            |e: &Expr| matches!(&e.node, Node::Compare(_, _, a) if matches!(a[0].node, Node::Operand(_)));
        // x as it was written, when all WHENs are compared with it
        let whole = arms.iter().all(|(when, _)| of_operand(when));
        if let Some(x) = operands.first().filter(|_| whole) {
            out.push(' ');
            self.expr(through(x), OR, out);
        }
        for (when, then) in arms {
            out.push_str(" when ");
            match &when.node {
                Node::Compare(_, _, a) if whole && !operands.is_empty() => self.expr(&a[1], OR, out),
                _ => self.expr(when, OR, out),
            }
            out.push_str(" then ");
            self.expr(then, OR, out);
        }
        if let Some(other) = other {
            out.push_str(" else ");
            self.expr(other, OR, out);
        }
        out.push_str(" end");
    }

    fn subquery(&self, id: u32, kind: SubqueryKind, left: &[Expr], out: &mut String) {
        let number = (self.subquery)(id);
        match kind {
            SubqueryKind::Scalar | SubqueryKind::Column(_) => {}
            SubqueryKind::Exists => out.push_str("exists"),
            SubqueryKind::In { negated } => {
                self.list(left, out);
                out.push_str(if negated { " not in " } else { " in " });
            }
            SubqueryKind::Quantified { op, all } => {
                self.list(left, out);
                out.push_str(&format!(" {} {} ", op.sign(), if all { "all" } else { "any" }));
            }
        }
        out.push_str(&format!("(subquery#{number})"));
    }

    fn function(&self, name: &str, args: &[Expr], out: &mut String) {
        out.push_str(name);
        out.push('(');
        self.list(args, out);
        out.push(')');
    }

    fn sign(&self, sign: &str, e: &Expr, out: &mut String) {
        out.push_str(sign);
        self.expr(e, ATOM, out);
    }

    fn binary(&self, args: &[Expr; 2], word: &str, strength: u8, out: &mut String) {
        self.expr(&args[0], strength, out);
        out.push(' ');
        out.push_str(word);
        out.push(' ');
        self.expr(&args[1], strength + 1, out);
    }

    /// A window function.
    fn window(&self, n: u32, out: &mut String) {
        let Some(w) = &self.block.windows else { return };
        let Some(call) = w.calls.get(n as usize) else { return };
        let name = call.aggregate.as_ref().map_or(call.function.word(), |a| a.function.opening());
        out.push_str(name.trim_end_matches('('));
        out.push('(');
        for (i, at) in call.args.iter().enumerate() {
            out.push_str(if i > 0 { "," } else { "" });
            self.expr(&w.exprs[*at], OR, out);
        }
        out.push_str(") over (...)");
    }

    fn aggregate(&self, n: u32, out: &mut String) {
        let Some(a) = self.block.group.as_ref().and_then(|g| g.aggregates.get(n as usize)) else {
            // computed of the group's first row
            let at = self
                .block
                .group
                .as_ref()
                .and_then(|g| g.items.get((n as usize).checked_sub(g.aggregates.len())?));
            return at.map_or((), |e| self.expr(e, OR, out));
        };
        out.push_str(a.function.opening());
        if a.distinct {
            out.push_str("distinct ");
        }
        if a.args.is_empty() {
            out.push('0');
        }
        self.list(&a.args, out);
        out.push(')');
    }
}

/// What is below conversions that nobody wrote.
fn through(e: &Expr) -> &Expr {
    match &e.node {
        Node::Convert(inner) | Node::Once(_, inner) | Node::Answer(_, inner) => through(inner),
        _ => e,
    }
}

fn strength(e: &Expr) -> u8 {
    match &e.node {
        Node::Or(_) => OR,
        Node::Xor(_) => XOR,
        Node::And(_) => AND,
        Node::Not(_) => NOT,
        Node::Is(..) | Node::Compare(..) | Node::Between { .. } | Node::In { .. } | Node::Like { .. } => {
            COMPARISON
        }
        Node::Subquery(s) if !s.left.is_empty() => COMPARISON,
        Node::Negate(..) | Node::BitNot(_) => SIGN,
        Node::Arith(op, ..) => match op {
            ArithOp::BitOr => BIT_OR,
            ArithOp::BitAnd => BIT_AND,
            ArithOp::ShiftLeft | ArithOp::ShiftRight => SHIFT,
            ArithOp::Add | ArithOp::Subtract => SUM,
            ArithOp::BitXor => BIT_XOR,
            ArithOp::Multiply | ArithOp::Divide | ArithOp::IntDivide | ArithOp::Modulo => PRODUCT,
        },
        _ => ATOM,
    }
}

fn literal(v: &Value, e: &Expr, out: &mut String) {
    let quotes = match v {
        Value::Null => return out.push_str("NULL"),
        Value::Bytes(_) => true,
        Value::Date(_) => {
            out.push_str("DATE");
            true
        }
        Value::Time(_) => {
            out.push_str("TIME");
            true
        }
        Value::DateTime(_) => {
            out.push_str("TIMESTAMP");
            true
        }
        _ => false,
    };
    let mut text = Vec::new();
    write_text(v.as_ref(), &e.ty, &mut text);
    if !quotes {
        return out.push_str(&String::from_utf8_lossy(&text));
    }
    let mut whole = Vec::new();
    crate::ast::quote_string(&text, &mut whole);
    out.push_str(&String::from_utf8_lossy(&whole));
}

/// A name, in quotes when it is a word of the language or has other characters.
pub(super) fn quoted(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii())
        && !name.is_empty()
        && !name.bytes().all(|b| b.is_ascii_digit());
    if plain && Kw::find(name.as_bytes()).is_none() {
        name.into()
    } else {
        format!("`{}`", name.replace('`', "``"))
    }
}
