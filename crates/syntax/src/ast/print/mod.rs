//! Expressions back to text, as MariaDB prints them in SHOW CREATE TABLE and view definitions: in its canonical
//! words, with no more parentheses than needed, conditions in the form the parser of the server leaves them
//! (`a AND NOT b` is `a <> 0 and b = 0`).

mod cast;
mod change;
mod function;
mod optimized;
mod query;
mod strength;
#[cfg(test)]
mod tests;

use super::*;
use strength::{is_isnull, strength};

/// How expressions are printed.
#[derive(Clone, Copy, Debug)]
pub struct PrintStyle {
    /// ANSI_QUOTES: identifiers in double quotes.
    pub ansi_quotes: bool,
    /// The connection's character set: CAST(.. AS CHAR) is printed with it.
    pub charset: &'static str,
    /// The character set of literals, where they are converted.
    pub client: Option<&'static charset::Charset>,
    /// For a note: SELECTs are printed with their numbers, where there are several.
    pub note: Option<Numbers>,
    /// For the text of a view.
    pub view: Option<ViewText>,
}

/// Which text of a view.
#[derive(Clone, Copy, Debug)]
pub enum ViewText {
    /// The one that is parsed when it is read: names are in the client's character set, as literals are.
    Stored(&'static charset::Charset),
    /// The one that is shown: in UTF-8, literals without introducers.
    Shown,
    /// The statement that makes it: in UTF-8, literals with their introducers.
    Statement,
}

/// Whether SELECTs have their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Every one.
    Shown,
    /// There is one only.
    Hidden,
}

impl Default for PrintStyle {
    fn default() -> Self {
        PrintStyle { ansi_quotes: false, charset: "utf8mb4", client: None, note: None, view: None }
    }
}

/// Appends an identifier in its quotes.
pub fn quote_identifier(name: &str, style: PrintStyle, out: &mut String) {
    let quote = if style.ansi_quotes { '"' } else { '`' };
    out.push(quote);
    for c in name.chars() {
        if c == quote {
            out.push(quote);
        }
        out.push(c);
    }
    out.push(quote);
}

/// Appends a string literal in single quotes, escaped as SHOW CREATE TABLE escapes comments and defaults.
pub fn quote_string(text: &[u8], out: &mut Vec<u8>) {
    quote_with(text, b"''", out);
}

fn quote_with(text: &[u8], quote: &[u8], out: &mut Vec<u8>) {
    out.push(b'\'');
    for &b in text {
        match b {
            b'\'' => out.extend_from_slice(quote),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0 => out.extend_from_slice(b"\\0"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            0x1a => out.extend_from_slice(b"\\Z"),
            _ => out.push(b),
        }
    }
    out.push(b'\'');
}

impl BinaryOp {
    /// The operator as it is printed.
    pub fn symbol(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Subtract => "-",
            Multiply => "*",
            Divide => "/",
            IntDivide => "DIV",
            Modulo => "MOD",
            BitOr => "|",
            BitAnd => "&",
            BitXor => "^",
            ShiftLeft => "<<",
            ShiftRight => ">>",
            Eq => "=",
            NullSafeEq => "<=>",
            Ne => "<>",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Xor => "xor",
            Concat => "||",
            SoundsLike => "sounds like",
        }
    }

    /// The comparison that is true where this one is false; `None` when there is none.
    pub fn negated(self) -> Option<BinaryOp> {
        use BinaryOp::*;
        Some(match self {
            Eq => Ne,
            Ne => Eq,
            Lt => Ge,
            Ge => Lt,
            Gt => Le,
            Le => Gt,
            _ => return None,
        })
    }

    fn strength(self) -> Precedence {
        use BinaryOp::*;
        match self {
            Add | Subtract => Precedence::Additive,
            Multiply | Divide | IntDivide | Modulo => Precedence::Multiplicative,
            BitOr => Precedence::BitOr,
            BitAnd => Precedence::BitAnd,
            BitXor => Precedence::BitXor,
            ShiftLeft | ShiftRight => Precedence::Shift,
            Eq | NullSafeEq | Ne | Lt | Le | Gt | Ge | SoundsLike => Precedence::Comparison,
            Xor => Precedence::Xor,
            Concat => Precedence::Concat,
        }
    }
}

impl Expr {
    /// Appends the expression's text. Strings keep the bytes of the connection.
    pub fn print(&self, style: PrintStyle, out: &mut Vec<u8>) {
        Printer { style, out }.expr(self, false, Precedence::Or);
    }

    /// The expression's text, for messages: bytes that are no UTF-8 are replaced.
    pub fn to_text(&self, style: PrintStyle) -> String {
        let mut out = Vec::new();
        self.print(style, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }
}

struct Printer<'a> {
    style: PrintStyle,
    out: &'a mut Vec<u8>,
}

impl Printer<'_> {
    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn sequence(&mut self, name: &super::TableName) {
        if let Some(db) = &name.db {
            self.name(db);
            self.text(".");
        }
        self.name(&name.name);
    }

    fn name(&mut self, name: &str) {
        let mut quoted = String::with_capacity(name.len() + 2);
        quote_identifier(name, self.style, &mut quoted);
        if let Some(ViewText::Stored(client)) = self.style.view
            && !name.is_ascii()
            && let Some(utf8) = charset::Charset::by_name("utf8mb4")
        {
            utf8.convert(quoted.as_bytes(), client, self.out);
            return;
        }
        self.text(&quoted);
    }

    fn string(&mut self, bytes: &[u8]) {
        quote_with(bytes, b"\\'", self.out);
    }

    fn hex(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.text(&format!("{b:02x}"));
        }
    }

    fn comma_list(&mut self, list: &[Expr]) {
        for (i, e) in list.iter().enumerate() {
            if i > 0 {
                self.text(",");
            }
            self.expr(e, false, Precedence::Or);
        }
    }

    fn call(&mut self, name: &str, args: &[Expr]) {
        self.text(name);
        self.text("(");
        self.comma_list(args);
        self.text(")");
    }

    /// An expression, or its negation, in parentheses when it binds looser than `min`.
    fn expr(&mut self, e: &Expr, negated: bool, min: Precedence) {
        let strength = strength(e, negated);
        let parens = strength < min;
        if parens {
            self.text("(");
        }
        self.bare(e, negated);
        if parens {
            self.text(")");
        }
    }

    fn column(&mut self, c: &ColumnRef) {
        for part in [c.db.as_deref(), c.table.as_deref()].into_iter().flatten() {
            self.name(part);
            self.text(".");
        }
        self.name(&c.name);
    }

    /// An operand of AND and OR: a bare column is compared with zero.
    fn condition(&mut self, e: &Expr, negated: bool, min: Precedence) {
        match &e.kind {
            ExprKind::Column(c) => self.column(c),
            ExprKind::Field(f) => self.field(f),
            _ => return self.expr(e, negated, min),
        }
        self.text(if negated { " = 0" } else { " <> 0" });
    }

    fn chain(&mut self, list: &[Expr], and: bool, negated: bool) {
        let (word, strength) =
            if and != negated { (" and ", Precedence::And) } else { (" or ", Precedence::Or) };
        let mut first = true;
        for e in list {
            if !first {
                self.text(word);
            }
            first = false;
            self.condition(e, negated, strength);
        }
    }

    fn bare(&mut self, e: &Expr, negated: bool) {
        if negated {
            return self.negation(e);
        }
        match &e.kind {
            ExprKind::Literal(l) => self.literal(l),
            ExprKind::Lifted(_, l) => self.literal(l),
            ExprKind::Param(_) => self.text("?"),
            ExprKind::Local(_, name) => self.text(name),
            ExprKind::Column(c) => self.column(c),
            ExprKind::Field(f) => self.field(f),
            ExprKind::Mark(mark, list) => self.mark(*mark, list),
            ExprKind::UserVariable(n) => {
                self.text("@");
                self.name(n);
            }
            ExprKind::SystemVariable(v) => self.system_variable(v),
            ExprKind::Assign(n, v) => {
                self.text("@");
                self.name(n);
                self.text(":=");
                self.expr(v, false, Precedence::Or);
            }
            ExprKind::Unary(op, inner) => self.unary(*op, inner),
            ExprKind::Binary(BinaryOp::Concat, a, b) if self.style.view.is_some() => {
                self.text("concat(");
                self.expr(a, false, Precedence::Or);
                self.text(",");
                self.expr(b, false, Precedence::Or);
                self.text(")");
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::And(list) => self.chain(list, true, false),
            ExprKind::Or(list) => self.chain(list, false, false),
            ExprKind::Is { expr, test, negated } => self.is(expr, *test, *negated),
            ExprKind::Between { expr, low, high, negated } => self.between(expr, low, high, *negated),
            ExprKind::InList { expr, list, negated } => self.in_list(expr, list, *negated),
            ExprKind::InSubquery { expr, query, negated } => {
                self.expr(expr, false, Precedence::Predicate);
                self.text(if *negated { " not in " } else { " in " });
                self.subquery(query);
            }
            ExprKind::Like { expr, pattern, escape, negated } => {
                self.like(expr, pattern, escape.as_deref(), *negated);
            }
            ExprKind::Regexp { expr, pattern, negated } => self.regexp(expr, pattern, *negated),
            ExprKind::Row(list) => self.call("", list),
            ExprKind::Subquery(query) => self.subquery(query),
            ExprKind::Exists(query) => {
                self.text("exists");
                self.subquery(query);
            }
            ExprKind::Quantified { expr, op, all, query } => {
                self.expr(expr, false, Precedence::Comparison);
                self.text(&format!(" {} {} ", op.symbol(), if *all { "all" } else { "any" }));
                self.subquery(query);
            }
            ExprKind::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref());
            }
            ExprKind::Cast(inner, ty) => self.cast(inner, ty),
            ExprKind::ColumnValue(inner, ty) => self.column_value(inner, ty),
            ExprKind::ConvertUsing(inner, charset) => {
                self.text("convert(");
                self.expr(inner, false, Precedence::Or);
                self.text(&format!(" using {})", charset.to_ascii_lowercase()));
            }
            ExprKind::Collate(inner, name) => {
                self.expr(inner, false, Precedence::Collate);
                self.text(&format!(" collate {}", name.to_ascii_lowercase()));
            }
            _ => self.call_form(&e.kind),
        }
    }

    fn system_variable(&mut self, v: &SystemVariable) {
        self.text(match v.scope {
            VariableScope::Implicit => "@@",
            VariableScope::Global => "@@global.",
            VariableScope::Session => "@@session.",
        });
        if let Some(base) = &v.base {
            self.name(base);
            self.text(".");
        }
        self.text(&v.name);
    }

    fn case(&mut self, operand: Option<&Expr>, branches: &[(Expr, Expr)], otherwise: Option<&Expr>) {
        self.text("case");
        if let Some(operand) = operand {
            self.text(" ");
            self.expr(operand, false, Precedence::Or);
        }
        for (when, then) in branches {
            self.text(" when ");
            self.expr(when, false, Precedence::Or);
            self.text(" then ");
            self.expr(then, false, Precedence::Or);
        }
        if let Some(otherwise) = otherwise {
            self.text(" else ");
            self.expr(otherwise, false, Precedence::Or);
        }
        self.text(" end");
    }

    /// What is printed like the call of a function.
    fn call_form(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::DateArith { expr, interval, unit, subtract } => {
                self.expr(expr, false, Precedence::Additive);
                self.interval(interval, *unit, *subtract);
            }
            ExprKind::TimestampAdd(unit, n, date) => {
                self.expr(date, false, Precedence::Additive);
                self.interval(n, *unit, false);
            }
            ExprKind::TimestampDiff(unit, a, b) => {
                self.text(&format!("timestampdiff({},", unit.word().to_ascii_uppercase()));
                self.expr(a, false, Precedence::Or);
                self.text(",");
                self.expr(b, false, Precedence::Or);
                self.text(")");
            }
            ExprKind::Extract(unit, inner) => {
                self.text(&format!("extract({} from ", unit.word()));
                self.expr(inner, false, Precedence::Or);
                self.text(")");
            }
            ExprKind::GetFormat(kind, inner) => {
                self.text(&format!("get_format({}, ", temporal_word(*kind, "DATETIME")));
                self.expr(inner, false, Precedence::Or);
                self.text(")");
            }
            ExprKind::Trim { side, remove, expr, oracle } => {
                self.trim(*side, remove.as_deref(), expr, *oracle);
            }
            ExprKind::CharUsing(args, charset) => {
                self.text("char(");
                self.comma_list(args);
                self.text(&format!(" using {})", charset.to_ascii_lowercase()));
            }
            ExprKind::WeightString { expr, format, binary } => {
                self.text("weight_string(");
                self.expr(expr, false, Precedence::Or);
                let flags = format.flags | u32::from(!binary && format.flags & 0x3f == 0);
                self.text(&format!(",{},{},{flags})", format.result, format.weights));
            }
            ExprKind::Function(call) => self.function(call),
            ExprKind::Aggregate(call) => self.aggregate(call),
            ExprKind::Window(call) => {
                self.call(&call.function, &call.args);
                if !call.within_group.is_empty() {
                    self.text(" within group (");
                    self.order_by(&call.within_group);
                    self.text(")");
                }
                self.over(&call.over);
            }
            ExprKind::Match(m) => {
                self.match_against(m);
            }
            ExprKind::Default(None) => self.text("default"),
            ExprKind::Default(Some(c)) => {
                self.text("default(");
                self.column(c);
                self.text(")");
            }
            ExprKind::Values(c) => {
                self.text("value(");
                self.column(c);
                self.text(")");
            }
            ExprKind::Sequence(name, previous) => {
                self.text(if *previous { "lastval(" } else { "nextval(" });
                self.sequence(name);
                self.text(")");
            }
            ExprKind::SetSequence(s) => {
                self.text("setval(");
                self.sequence(&s.name);
                self.text(&format!(",{},{},{})", s.value, u8::from(s.used), s.round));
            }
            ExprKind::IntervalFunction(args) => self.call("interval", args),
            _ => {}
        }
    }

    fn match_against(&mut self, m: &MatchAgainst) {
        self.text("(match ");
        self.comma_list(&m.columns);
        self.text(" against (");
        self.expr(&m.against, false, Precedence::Or);
        self.text(match m.mode {
            MatchMode::Natural => "))",
            MatchMode::NaturalExpansion => " with query expansion))",
            MatchMode::Boolean => " in boolean mode))",
        });
    }

    /// The negation of a condition: pushed inwards as far as it goes.
    fn negation(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Column(_) | ExprKind::Field(_) => self.condition(e, true, Precedence::Comparison),
            ExprKind::Unary(UnaryOp::Not, inner) => self.twice_negated(inner),
            ExprKind::And(list) => self.chain(list, true, true),
            ExprKind::Or(list) => self.chain(list, false, true),
            ExprKind::Binary(BinaryOp::Xor, a, b) => {
                // one side is denied, by taking its NOT away where it has one
                let (a, negated, b) = match (&a.kind, &b.kind) {
                    (ExprKind::Unary(UnaryOp::Not, inner), _) => (&**inner, false, &**b),
                    (_, ExprKind::Unary(UnaryOp::Not, inner)) => (&**a, false, &**inner),
                    _ => (&**a, true, &**b),
                };
                self.expr(a, negated, Precedence::Xor);
                self.text(" xor ");
                self.expr(b, false, Precedence::And);
            }
            ExprKind::Binary(BinaryOp::SoundsLike, a, b) => self.sounds_like(a, b, "<>"),
            ExprKind::Binary(op, a, b) if op.negated().is_some() => {
                self.binary(op.negated().unwrap_or(*op), a, b);
            }
            ExprKind::Is { expr, test: test @ (IsTest::Null | IsTest::Unknown), negated } => {
                self.is(expr, *test, !negated);
            }
            ExprKind::Between { expr, low, high, negated } => self.between(expr, low, high, !negated),
            ExprKind::InList { expr, list, negated } => self.in_list(expr, list, !negated),
            ExprKind::Like { expr, pattern, escape, negated } => {
                self.like(expr, pattern, escape.as_deref(), !negated);
            }
            ExprKind::Regexp { expr, pattern, negated: true } => self.regexp(expr, pattern, false),
            ExprKind::Function(call) if is_isnull(call) => {
                self.expr(&call.args[0], false, Precedence::Comparison);
                self.text(" is not null");
            }
            ExprKind::Literal(Literal::Bool(b)) => self.text(if *b { "0" } else { "1" }),
            _ => {
                self.text("!");
                self.expr(e, false, Precedence::Unary);
            }
        }
    }

    /// NOT NOT of something: a condition as it is, anything else compared with 0, whatever further negations there are.
    fn twice_negated(&mut self, e: &Expr) {
        let (mut base, mut negated) = (e, false);
        while let ExprKind::Unary(UnaryOp::Not, inner) = &base.kind {
            (base, negated) = (inner, !negated);
        }
        let condition = match &base.kind {
            ExprKind::Column(_) | ExprKind::Field(_) | ExprKind::And(_) | ExprKind::Or(_) => true,
            ExprKind::Is { .. } | ExprKind::Between { .. } | ExprKind::InList { .. } => true,
            ExprKind::Like { .. } | ExprKind::Regexp { .. } | ExprKind::Literal(Literal::Bool(_)) => true,
            ExprKind::Binary(op, ..) => {
                op.negated().is_some() || matches!(op, BinaryOp::Xor | BinaryOp::SoundsLike)
            }
            ExprKind::Function(call) => is_isnull(call),
            _ => false,
        };
        if condition {
            return self.condition(base, negated, Precedence::Comparison);
        }
        self.expr(base, false, Precedence::Comparison);
        self.text(if negated { " = 0" } else { " <> 0" });
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr) {
        match op {
            UnaryOp::Not => self.negation(inner),
            UnaryOp::Negate => {
                // Two signs before a number cancel out.
                if let ExprKind::Unary(UnaryOp::Negate, n) = &inner.kind
                    && let ExprKind::Literal(Literal::Int(_) | Literal::Decimal(_) | Literal::Float(_)) =
                        n.kind
                {
                    return self.expr(n, false, Precedence::Or);
                }
                self.text("-");
                self.expr(inner, false, Precedence::Unary);
            }
            UnaryOp::BitNot => {
                self.text("~");
                self.expr(inner, false, Precedence::Unary);
            }
            UnaryOp::Binary => {
                self.text("cast(");
                self.expr(inner, false, Precedence::Or);
                self.text(" as char charset binary)");
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) {
        match op {
            BinaryOp::SoundsLike => return self.sounds_like(a, b, "="),
            BinaryOp::Concat if self.style.note.is_some() => {
                self.text("concat(");
                self.expr(a, false, Precedence::Or);
                self.text(",");
                self.expr(b, false, Precedence::Or);
                return self.text(")");
            }
            _ => {}
        }
        let strength = op.strength();
        self.expr(a, false, strength);
        self.text(&format!(" {} ", op.symbol()));
        self.expr(b, false, strength.tighter());
    }

    fn sounds_like(&mut self, a: &Expr, b: &Expr, op: &str) {
        self.text("soundex(");
        self.expr(a, false, Precedence::Or);
        self.text(&format!(") {op} soundex("));
        self.expr(b, false, Precedence::Or);
        self.text(")");
    }

    fn is(&mut self, expr: &Expr, test: IsTest, negated: bool) {
        self.expr(expr, false, Precedence::Comparison);
        self.text(if negated { " is not " } else { " is " });
        self.text(match test {
            IsTest::Null | IsTest::Unknown => "null",
            IsTest::True => "true",
            IsTest::False => "false",
        });
    }

    fn between(&mut self, expr: &Expr, low: &Expr, high: &Expr, negated: bool) {
        self.expr(expr, false, Precedence::Predicate);
        self.text(if negated { " not between " } else { " between " });
        self.expr(low, false, Precedence::BitOr);
        self.text(" and ");
        self.expr(high, false, Precedence::BitOr);
    }

    fn in_list(&mut self, expr: &Expr, list: &[Expr], negated: bool) {
        if let [one] = list {
            // IN with one value is a comparison.
            return self.binary(if negated { BinaryOp::Ne } else { BinaryOp::Eq }, expr, one);
        }
        self.expr(expr, false, Precedence::Predicate);
        self.text(if negated { " not in (" } else { " in (" });
        self.comma_list(list);
        self.text(")");
    }

    fn like(&mut self, expr: &Expr, pattern: &Expr, escape: Option<&Expr>, negated: bool) {
        self.expr(expr, false, Precedence::Predicate);
        // The server prints two blanks here.
        self.text(if negated { "  not like " } else { " like " });
        self.expr(pattern, false, Precedence::BitOr);
        if let Some(escape) = escape {
            self.text(" escape ");
            self.expr(escape, false, Precedence::Unary);
        }
    }

    fn regexp(&mut self, expr: &Expr, pattern: &Expr, negated: bool) {
        if negated {
            self.text("!(");
        }
        self.expr(expr, false, Precedence::Predicate);
        self.text(" regexp ");
        self.expr(pattern, false, Precedence::BitOr);
        if negated {
            self.text(")");
        }
    }

    fn interval(&mut self, amount: &Expr, unit: IntervalUnit, subtract: bool) {
        self.text(if subtract { " - interval " } else { " + interval " });
        self.expr(amount, false, Precedence::Or);
        self.text(&format!(" {}", unit.word()));
    }

    fn trim(&mut self, side: TrimSide, remove: Option<&Expr>, expr: &Expr, oracle: bool) {
        let (name, word) = match side {
            TrimSide::Both => ("trim", "both"),
            TrimSide::Leading => ("ltrim", "leading"),
            TrimSide::Trailing => ("rtrim", "trailing"),
        };
        match remove {
            None => self.oracle_name(name, oracle),
            Some(remove) => {
                self.oracle_name("trim", oracle);
                self.text(&format!("{word} "));
                self.expr(remove, false, Precedence::Or);
                self.text(" from ");
            }
        }
        self.expr(expr, false, Precedence::Or);
        self.text(")");
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Null | Literal::NullText(_) => self.text("NULL"),
            Literal::Bool(b) => self.text(if *b { "1" } else { "0" }),
            Literal::Int(n) => self.text(&n.to_string()),
            Literal::Decimal(text) => {
                let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
                let whole = whole.trim_start_matches('0');
                self.text(if whole.is_empty() { "0" } else { whole });
                if !fraction.is_empty() {
                    self.text(".");
                    self.text(fraction);
                }
            }
            Literal::Float(text) => self.text(text),
            Literal::String(s) => {
                self.literal_string(s);
            }
            Literal::HexNumber(bytes) | Literal::Bit(bytes) => {
                self.text("0x");
                self.hex(bytes);
            }
            Literal::HexString(bytes) => {
                self.text("X'");
                self.hex(bytes);
                self.text("'");
            }
            Literal::Temporal(kind, text) => {
                self.text(temporal_word(*kind, "TIMESTAMP"));
                self.string(text);
            }
            Literal::Odbc(kind, s) if plainly_temporal(*kind, &s.bytes) => {
                self.text(temporal_word(*kind, "TIMESTAMP"));
                self.string(&s.bytes);
            }
            Literal::Odbc(kind, s) => {
                self.text(match kind {
                    TemporalKind::Date => "{d ",
                    TemporalKind::Time => "{t ",
                    TemporalKind::DateTime => "{ts ",
                });
                self.literal_string(s);
                self.text("}");
            }
        }
    }

    fn order_by(&mut self, items: &[OrderItem]) {
        self.text("order by ");
        self.order_items(items);
    }

    fn order_items(&mut self, items: &[OrderItem]) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.text(",");
            }
            self.expr(&item.expr, false, Precedence::Or);
            if item.descending {
                self.text(" desc");
            }
        }
    }

    fn limit(&mut self, limit: &Limit) {
        let Some(count) = &limit.count else { return };
        if limit.with_ties {
            if let Some(offset) = &limit.offset {
                self.text(" offset ");
                self.expr(offset, false, Precedence::Or);
                self.text(" rows ");
            }
            self.text(" fetch first ");
            self.expr(count, false, Precedence::Or);
            self.text(" rows with ties");
            return;
        }
        self.text(" limit ");
        if let Some(offset) = &limit.offset {
            self.expr(offset, false, Precedence::Or);
            self.text(",");
        }
        self.expr(count, false, Precedence::Or);
    }

    fn over(&mut self, over: &Over) {
        self.text(" over ");
        match over {
            Over::Name(name) => self.name(name),
            Over::Spec(spec) => {
                self.text("(");
                if let Some(base) = &spec.base {
                    self.name(base);
                }
                if !spec.partition_by.is_empty() {
                    self.text(" partition by ");
                    self.comma_list(&spec.partition_by);
                }
                if !spec.order_by.is_empty() {
                    self.text(" ");
                    self.order_by(&spec.order_by);
                }
                if let Some(frame) = &spec.frame {
                    self.frame(frame);
                }
                self.text(")");
            }
        }
    }

    fn frame(&mut self, frame: &WindowFrame) {
        self.text(if frame.range { " range " } else { " rows " });
        match &frame.end {
            Some(end) => {
                self.text("between ");
                self.bound(&frame.start);
                self.text(" and ");
                self.bound(end);
            }
            None => self.bound(&frame.start),
        }
        if let Some(exclude) = &frame.exclude {
            self.text(" exclude ");
            self.text(&exclude.to_ascii_lowercase());
        }
    }

    fn bound(&mut self, bound: &FrameBound) {
        let (expr, word) = match bound {
            FrameBound::UnboundedPreceding => (None, "unbounded preceding"),
            FrameBound::UnboundedFollowing => (None, "unbounded following"),
            FrameBound::CurrentRow => (None, "current row"),
            FrameBound::Preceding(e) => (Some(e), " preceding"),
            FrameBound::Following(e) => (Some(e), " following"),
        };
        if let Some(e) = expr {
            self.expr(e, false, Precedence::BitOr);
        }
        self.text(word);
    }
}

/// Whether a text is surely a literal of this kind.
fn plainly_temporal(kind: TemporalKind, text: &[u8]) -> bool {
    let parts = |text: &[u8], between: u8, limits: [(u32, u32); 3]| {
        let numbers: Vec<&[u8]> = text.split(|b| *b == between).collect();
        numbers.len() == 3
            && numbers.iter().zip(limits).all(|(digits, (low, high))| {
                let number = std::str::from_utf8(digits).ok().and_then(|d| d.parse::<u32>().ok());
                digits.iter().all(u8::is_ascii_digit) && number.is_some_and(|n| (low..=high).contains(&n))
            })
    };
    let date = |text: &[u8]| parts(text, b'-', [(1, 9999), (1, 12), (1, 28)]);
    let time = |text: &[u8], hours| parts(text, b':', [(0, hours), (0, 59), (0, 59)]);
    match kind {
        TemporalKind::Date => date(text),
        TemporalKind::Time => time(text, 838),
        TemporalKind::DateTime => {
            text.len() > 11 && text[10] == b' ' && date(&text[..10]) && time(&text[11..], 23)
        }
    }
}

fn temporal_word(kind: TemporalKind, datetime: &'static str) -> &'static str {
    match kind {
        TemporalKind::Date => "DATE",
        TemporalKind::Time => "TIME",
        TemporalKind::DateTime => datetime,
    }
}
