//! Expressions by precedence climbing.

use super::MAX_DEPTH;
use super::{Parser, too_deep};
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::lex::{Kw, T, literal};

/// What the token behind an operand means.
enum Infix {
    Or,
    And,
    Binary(BinaryOp, Precedence),
    Is,
    Between,
    In,
    Like,
    Regexp,
    /// NOT before one of the four above.
    Not,
    None,
}

impl<'a> Parser<'a> {
    /// A whole expression.
    pub(crate) fn expr(&mut self) -> SqlResult<Expr> {
        let expr = self.binary(Precedence::Or)?;
        self.height = self.height.max(expr.height());
        Ok(expr)
    }

    pub(crate) fn expr_list(&mut self) -> SqlResult<Vec<Expr>> {
        self.comma_list(Self::expr)
    }

    /// An expression, or DEFAULT alone.
    pub(crate) fn expr_or_default(&mut self) -> SqlResult<Expr> {
        if self.at_kw(Kw::DEFAULT) && self.peek() != T::LParen {
            let span = Span::new(self.tok.start, self.tok.end);
            self.advance();
            return Ok(Expr::new(ExprKind::Default(None), span));
        }
        if self.at_kw(Kw::IGNORE) {
            // IGNORE as a value: nothing is assigned.
            return Err(SqlError::not_supported("IGNORE as a value"));
        }
        self.expr()
    }

    /// A node, refused when its tree grew too high.
    pub(crate) fn node(&self, kind: ExprKind, span: Span) -> SqlResult<Expr> {
        let expr = Expr::new(kind, span);
        if expr.height() > MAX_DEPTH {
            return Err(too_deep());
        }
        Ok(expr)
    }

    /// An expression of operators at least as tight as `level`.
    pub(crate) fn binary(&mut self, level: Precedence) -> SqlResult<Expr> {
        self.enter()?;
        let left = self.prefix(level)?;
        let expr = self.binary_from(left, level);
        self.leave();
        expr
    }

    /// NOT, or an operand.
    fn prefix(&mut self, level: Precedence) -> SqlResult<Expr> {
        if self.at_kw(Kw::NOT) {
            let start = self.tok.start;
            if self.options.mode.high_not_precedence {
                self.advance();
                let operand = self.nested_unary()?;
                return self.node(ExprKind::Unary(UnaryOp::Not, Box::new(operand)), self.span_from(start));
            }
            if level > Precedence::Not {
                return Err(self.error());
            }
            self.advance();
            let operand = self.binary(Precedence::Not)?;
            return self.node(ExprKind::Unary(UnaryOp::Not, Box::new(operand)), self.span_from(start));
        }
        self.unary()
    }

    fn infix(&mut self) -> Infix {
        use BinaryOp::*;
        let kind = self.tok.kind;
        let (op, level) = match kind {
            T::Eq => (Eq, Precedence::Comparison),
            T::Comma | T::RParen | T::Eof => return Infix::None,
            T::Ne => (Ne, Precedence::Comparison),
            T::Lt => (Lt, Precedence::Comparison),
            T::Le => (Le, Precedence::Comparison),
            T::Gt => (Gt, Precedence::Comparison),
            T::Ge => (Ge, Precedence::Comparison),
            T::NullEq => (NullSafeEq, Precedence::Comparison),
            T::Plus => (Add, Precedence::Additive),
            T::Minus => (Subtract, Precedence::Additive),
            T::Star => (Multiply, Precedence::Multiplicative),
            T::Slash => (Divide, Precedence::Multiplicative),
            T::Percent => (Modulo, Precedence::Multiplicative),
            T::Pipe => (BitOr, Precedence::BitOr),
            T::Amp => (BitAnd, Precedence::BitAnd),
            T::Caret => (BitXor, Precedence::BitXor),
            T::Shl => (ShiftLeft, Precedence::Shift),
            T::Shr => (ShiftRight, Precedence::Shift),
            T::AndAnd => return Infix::And,
            T::OrOr if self.options.mode.pipes_as_concat => (Concat, Precedence::Concat),
            T::OrOr => return Infix::Or,
            T::Kw(kw) => match kw {
                Kw::AND => return Infix::And,
                Kw::OR => return Infix::Or,
                Kw::XOR => (Xor, Precedence::Xor),
                Kw::DIV => (IntDivide, Precedence::Multiplicative),
                Kw::MOD => (Modulo, Precedence::Multiplicative),
                Kw::IS => return Infix::Is,
                Kw::BETWEEN => return Infix::Between,
                Kw::IN => return Infix::In,
                Kw::LIKE => return Infix::Like,
                Kw::REGEXP | Kw::RLIKE => return Infix::Regexp,
                Kw::NOT => return Infix::Not,
                _ => return Infix::None,
            },
            T::Ident if self.at_word("SOUNDS") => (SoundsLike, Precedence::Predicate),
            _ => return Infix::None,
        };
        Infix::Binary(op, level)
    }

    /// Goes on behind an operand.
    pub(crate) fn binary_from(&mut self, mut left: Expr, level: Precedence) -> SqlResult<Expr> {
        loop {
            left = match self.infix() {
                Infix::None => return Ok(left),
                Infix::Or if level <= Precedence::Or => self.chain(left, Precedence::Or)?,
                Infix::And if level <= Precedence::And => self.chain(left, Precedence::And)?,
                Infix::Binary(op, at) if level <= at => self.infix_operator(left, op, at)?,
                Infix::Is if level <= Precedence::Comparison => self.is_test(left)?,
                Infix::Not if level <= Precedence::Predicate => {
                    if !matches!(self.peek(), T::Kw(Kw::BETWEEN | Kw::IN | Kw::LIKE | Kw::REGEXP | Kw::RLIKE))
                    {
                        self.advance();
                        return Err(self.error());
                    }
                    self.advance();
                    self.predicate(left, true)?
                }
                Infix::Between | Infix::In | Infix::Like | Infix::Regexp
                    if level <= Precedence::Predicate =>
                {
                    self.predicate(left, false)?
                }
                _ => return Ok(left),
            };
        }
    }

    /// `left AND b AND c ...`, flat.
    fn chain(&mut self, left: Expr, level: Precedence) -> SqlResult<Expr> {
        let is_and = level == Precedence::And;
        let start = left.span.start;
        let mut list = vec![left];
        loop {
            let more = match self.tok.kind {
                T::Kw(Kw::AND) | T::AndAnd => is_and,
                T::Kw(Kw::OR) => !is_and,
                T::OrOr => !is_and && !self.options.mode.pipes_as_concat,
                _ => false,
            };
            if !more {
                break;
            }
            self.advance();
            list.push(self.binary(level.tighter())?);
        }
        let kind = if is_and { ExprKind::And(list) } else { ExprKind::Or(list) };
        self.node(kind, self.span_from(start))
    }

    fn infix_operator(&mut self, left: Expr, op: BinaryOp, level: Precedence) -> SqlResult<Expr> {
        let start = left.span.start;
        self.advance();
        if op == BinaryOp::SoundsLike {
            self.expect_kw(Kw::LIKE)?;
        }
        if level == Precedence::Comparison
            && op != BinaryOp::NullSafeEq
            && let Some(Kw::ANY | Kw::SOME | Kw::ALL) = self.kw()
            && (self.at_kw(Kw::ALL) || self.peek() == T::LParen)
        {
            let all = self.at_kw(Kw::ALL);
            self.advance();
            let query = Box::new(self.subquery()?);
            let kind = ExprKind::Quantified { expr: Box::new(left), op, all, query };
            return self.node(kind, self.span_from(start));
        }
        if level == Precedence::Additive && self.at_kw(Kw::INTERVAL) {
            let (amount, unit) = self.interval()?;
            if let Some(unit) = unit {
                let kind = ExprKind::DateArith {
                    expr: Box::new(left),
                    interval: Box::new(amount),
                    unit,
                    subtract: op == BinaryOp::Subtract,
                };
                return self.node(kind, self.span_from(start));
            }
            let right = self.binary_from(amount, level.tighter())?;
            return self.node(ExprKind::Binary(op, Box::new(left), Box::new(right)), self.span_from(start));
        }
        let right = self.binary(level.tighter())?;
        if op == BinaryOp::Concat && self.options.mode.oracle {
            return self.function("concat_operator_oracle", vec![left, right], start);
        }
        self.node(ExprKind::Binary(op, Box::new(left), Box::new(right)), self.span_from(start))
    }

    fn is_test(&mut self, left: Expr) -> SqlResult<Expr> {
        let start = left.span.start;
        self.advance();
        let negated = self.eat_kw(Kw::NOT);
        let test = match self.kw() {
            Some(Kw::NULL) => IsTest::Null,
            Some(Kw::TRUE) => IsTest::True,
            Some(Kw::FALSE) => IsTest::False,
            Some(Kw::UNKNOWN) => IsTest::Unknown,
            _ => return Err(self.error()),
        };
        self.advance();
        self.node(ExprKind::Is { expr: Box::new(left), test, negated }, self.span_from(start))
    }

    /// BETWEEN, IN, LIKE, REGEXP behind `left`.
    fn predicate(&mut self, left: Expr, negated: bool) -> SqlResult<Expr> {
        let start = left.span.start;
        let kw = self.kw();
        self.advance();
        let expr = Box::new(left);
        let kind = match kw {
            Some(Kw::BETWEEN) => {
                let low = Box::new(self.binary(Precedence::BitOr)?);
                self.expect_kw(Kw::AND)?;
                let high = Box::new(self.binary(Precedence::Predicate)?);
                ExprKind::Between { expr, low, high, negated }
            }
            Some(Kw::IN) => {
                self.expect(T::LParen)?;
                if self.at_query() {
                    self.selects += 1;
                    let query = Box::new(self.query_in_parens()?);
                    ExprKind::InSubquery { expr, query, negated }
                } else {
                    let first = self.expr()?;
                    if let ExprKind::Subquery(_) = first.kind
                        && first.span.end == self.prev_end
                        && self.at_query_tail()
                    {
                        let query = Box::new(self.query_from_parens(first)?);
                        self.expect(T::RParen)?;
                        let kind = ExprKind::InSubquery { expr, query, negated };
                        return self.node(kind, self.span_from(start));
                    }
                    let mut list = vec![first];
                    if let ExprKind::Subquery(_) = list[0].kind
                        && self.at(T::RParen)
                        && list[0].span.end == self.prev_end
                    {
                        // `IN ((SELECT ...))`: the inner parentheses mean nothing.
                        self.advance();
                        if let Some(Expr { kind: ExprKind::Subquery(query), .. }) = list.pop() {
                            let kind = ExprKind::InSubquery { expr, query, negated };
                            return self.node(kind, self.span_from(start));
                        }
                        return Err(self.error());
                    }
                    while self.eat(T::Comma) {
                        list.push(self.expr()?);
                    }
                    self.expect(T::RParen)?;
                    ExprKind::InList { expr, list, negated }
                }
            }
            Some(Kw::LIKE) => {
                let pattern = Box::new(self.binary(Precedence::BitOr)?);
                let escape = if self.at_kw(Kw::ESCAPE) {
                    self.advance();
                    Some(Box::new(self.binary(Precedence::Unary)?))
                } else {
                    None
                };
                ExprKind::Like { expr, pattern, escape, negated }
            }
            _ => {
                let pattern = Box::new(self.binary(Precedence::BitOr)?);
                ExprKind::Regexp { expr, pattern, negated }
            }
        };
        self.node(kind, self.span_from(start))
    }

    /// Behind INTERVAL (looked at): an amount with its unit, or the function INTERVAL(n, a, ...), which has no unit.
    fn interval(&mut self) -> SqlResult<(Expr, Option<IntervalUnit>)> {
        let start = self.tok.start;
        self.expect_kw(Kw::INTERVAL)?;
        let amount = if self.at(T::LParen) {
            let first = self.operand()?;
            if let ExprKind::Row(list) = first.kind {
                let expr = self.node(ExprKind::IntervalFunction(list), self.span_from(start))?;
                return Ok((expr, None));
            }
            self.binary_from(first, Precedence::Or)?
        } else {
            self.expr()?
        };
        let unit = self.interval_unit()?;
        Ok((amount, Some(unit)))
    }

    /// A unit of INTERVAL.
    pub(crate) fn interval_unit(&mut self) -> SqlResult<IntervalUnit> {
        use IntervalUnit::*;
        let unit = match self.kw() {
            Some(Kw::DAY_HOUR) => DayHour,
            Some(Kw::DAY_MICROSECOND) => DayMicrosecond,
            Some(Kw::DAY_MINUTE) => DayMinute,
            Some(Kw::DAY_SECOND) => DaySecond,
            Some(Kw::HOUR_MICROSECOND) => HourMicrosecond,
            Some(Kw::HOUR_MINUTE) => HourMinute,
            Some(Kw::HOUR_SECOND) => HourSecond,
            Some(Kw::MINUTE_MICROSECOND) => MinuteMicrosecond,
            Some(Kw::MINUTE_SECOND) => MinuteSecond,
            Some(Kw::SECOND_MICROSECOND) => SecondMicrosecond,
            Some(Kw::YEAR_MONTH) => YearMonth,
            _ => return self.simple_unit(),
        };
        self.advance();
        Ok(unit)
    }

    /// A unit of one field.
    pub(crate) fn simple_unit(&mut self) -> SqlResult<IntervalUnit> {
        use IntervalUnit::*;
        let unit = match self.kw() {
            Some(Kw::DAY | Kw::SQL_TSI_DAY) => Day,
            Some(Kw::HOUR | Kw::SQL_TSI_HOUR) => Hour,
            Some(Kw::MICROSECOND) => Microsecond,
            Some(Kw::MINUTE | Kw::SQL_TSI_MINUTE) => Minute,
            Some(Kw::MONTH | Kw::SQL_TSI_MONTH) => Month,
            Some(Kw::QUARTER | Kw::SQL_TSI_QUARTER) => Quarter,
            Some(Kw::SECOND | Kw::SQL_TSI_SECOND) => Second,
            Some(Kw::WEEK | Kw::SQL_TSI_WEEK) => Week,
            Some(Kw::YEAR | Kw::SQL_TSI_YEAR) => Year,
            _ => return Err(self.error()),
        };
        self.advance();
        Ok(unit)
    }

    /// A unary operator's operand: nesting is counted.
    fn nested_unary(&mut self) -> SqlResult<Expr> {
        self.enter()?;
        let expr = self.unary();
        self.leave();
        expr
    }

    /// Prefix operators and operands.
    fn unary(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        let op = match self.tok.kind {
            T::Minus => UnaryOp::Negate,
            T::Tilde => UnaryOp::BitNot,
            T::Bang => UnaryOp::Not,
            T::Kw(Kw::BINARY) => UnaryOp::Binary,
            T::Plus => {
                self.advance();
                return self.nested_unary();
            }
            _ => return self.operand(),
        };
        self.advance();
        if op == UnaryOp::Negate && self.at_kw(Kw::INTERVAL) {
            return self.negated_interval(start);
        }
        let operand = self.nested_unary()?;
        self.node(ExprKind::Unary(op, Box::new(operand)), self.span_from(start))
    }

    /// An operand with the COLLATEs behind it.
    fn operand(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        let mut expr = self.primary()?;
        while self.at_kw(Kw::COLLATE) {
            self.advance();
            let name = self.collation_name()?;
            expr = self.node(ExprKind::Collate(Box::new(expr), name), self.span_from(start))?;
        }
        Ok(expr)
    }

    pub(super) fn primary(&mut self) -> SqlResult<Expr> {
        let token = self.tok;
        let start = token.start;
        match token.kind {
            T::Ident | T::Quoted => self.name_expr(),
            T::Int
            | T::Str
            | T::Decimal
            | T::Float
            | T::HexNum
            | T::HexStr
            | T::BitNum
            | T::BitStr
            | T::NStr
            | T::BackslashN
            | T::Introducer(_) => self.literal_expr(),
            T::LParen => self.paren_expr(),
            T::Param => {
                if !self.options.params {
                    return Err(self.error());
                }
                self.advance();
                self.params += 1;
                Ok(Expr::new(ExprKind::Param(self.params - 1), self.span_from(start)))
            }
            T::UserVar => {
                let name = self.to_utf8(&self.text(token)[1..])?;
                self.advance();
                self.user_variable(name, start)
            }
            T::At => {
                let name = self.quoted_variable()?;
                self.user_variable(name, start)
            }
            T::AtAt => {
                let variable = self.system_variable()?;
                Ok(Expr::new(ExprKind::SystemVariable(Box::new(variable)), self.span_from(start)))
            }
            T::LBrace => self.odbc_expr(),
            T::Dot => self.name_expr(),
            T::Kw(kw) => self.keyword_expr(kw),
            _ => Err(self.error()),
        }
    }

    /// At `@` before a quoted name.
    pub(crate) fn quoted_variable(&mut self) -> SqlResult<Name> {
        let token = self.peek_token();
        if token.start != self.tok.end {
            self.advance();
            return Err(self.error());
        }
        self.advance();
        let name = match token.kind {
            T::Quoted => self.name_of(token)?,
            T::Str => self.to_utf8(&self.string_bytes(token))?,
            _ => return Err(self.error()),
        };
        self.advance();
        Ok(name)
    }

    fn user_variable(&mut self, name: Name, start: u32) -> SqlResult<Expr> {
        if self.at(T::Assign) {
            self.advance();
            let value = self.binary(Precedence::Or)?;
            return self.node(ExprKind::Assign(name, Box::new(value)), self.span_from(start));
        }
        Ok(Expr::new(ExprKind::UserVariable(name), self.span_from(start)))
    }

    /// `@@[scope.][base.]name` at `@@`.
    pub(crate) fn system_variable(&mut self) -> SqlResult<SystemVariable> {
        self.expect(T::AtAt)?;
        let mut variable = SystemVariable { scope: VariableScope::Implicit, base: None, name: "".into() };
        // The lexer takes a word before a point for a name, so scopes come as names too.
        if !self.at(T::Quoted) && self.peek() == T::Dot {
            let word = self.text(self.tok).to_ascii_lowercase();
            let scope = match word.as_slice() {
                b"global" => Some(VariableScope::Global),
                b"session" | b"local" => Some(VariableScope::Session),
                _ => None,
            };
            if let Some(scope) = scope {
                variable.scope = scope;
                self.advance();
                self.advance();
            }
        }
        let bare = variable.scope == VariableScope::Implicit && !self.at(T::Quoted);
        if bare && self.text(self.tok).eq_ignore_ascii_case(b"default") {
            return Err(self.error());
        }
        if bare && matches!(self.kw(), Some(Kw::GLOBAL | Kw::SESSION | Kw::LOCAL)) {
            self.advance();
            return Err(self.error());
        }
        let first = self.variable_word()?;
        if self.eat(T::Dot) {
            variable.base = Some(first);
            variable.name = self.variable_word()?;
        } else {
            variable.name = first;
        }
        Ok(variable)
    }

    fn variable_word(&mut self) -> SqlResult<Name> {
        self.ident()
    }

    /// `{ident expr}`: temporal literals and plain wrappers of ODBC.
    fn odbc_expr(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        self.advance();
        let name = self.ident()?;
        let mut inner = self.expr()?;
        self.expect(T::RBrace)?;
        let kind = match name.to_ascii_lowercase().as_str() {
            "d" => Some(TemporalKind::Date),
            "t" => Some(TemporalKind::Time),
            "ts" => Some(TemporalKind::DateTime),
            _ => None,
        };
        let span = self.span_from(start);
        if let (Some(kind), ExprKind::Literal(Literal::String(s))) = (kind, &inner.kind) {
            return Ok(Expr::new(ExprKind::Literal(Literal::Odbc(kind, s.clone())), span));
        }
        inner.span = span;
        Ok(inner)
    }

    /// A literal, possibly lifted.
    fn literal_expr(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        let literal = self.literal()?;
        let span = self.span_from(start);
        if let Some(index) = self.take_lifted(start) {
            return Ok(Expr::new(ExprKind::Lifted(index, Box::new(literal)), span));
        }
        Ok(Expr::new(ExprKind::Literal(literal), span))
    }

    /// A literal token (several when strings stand side by side).
    pub(crate) fn literal(&mut self) -> SqlResult<Literal> {
        let token = self.tok;
        let text = self.text(token);
        let literal = match token.kind {
            T::Int => match literal::parse_u64(text) {
                Some(value) => Literal::Int(value),
                None => Literal::Decimal(self.to_utf8(text)?),
            },
            T::Decimal => Literal::Decimal(self.to_utf8(text)?),
            T::Float => Literal::Float(self.to_utf8(text)?),
            T::HexNum => Literal::HexNumber(literal::hex_bytes(&text[2..])),
            T::HexStr => Literal::HexString(literal::hex_bytes(&text[2..text.len() - 1])),
            T::BitNum => Literal::Bit(literal::bit_bytes(&text[2..])),
            T::BitStr => Literal::Bit(literal::bit_bytes(&text[2..text.len() - 1])),
            T::BackslashN => Literal::Null,
            T::Str => {
                let bytes = self.string_bytes(token);
                self.advance();
                let bytes = self.joined(bytes);
                return Ok(self.string_literal(bytes, None));
            }
            T::NStr => {
                let bytes = self.string_bytes(token);
                self.advance();
                let bytes = self.joined(bytes);
                return Ok(self.string_literal(bytes, Some("utf8mb3")));
            }
            T::Introducer(index) => {
                let charset = Some(literal::charset_name(index));
                self.advance();
                let token = self.tok;
                let text = self.text(token);
                let bytes = match token.kind {
                    T::Str => {
                        let bytes = self.string_bytes(token);
                        self.advance();
                        self.joined(bytes)
                    }
                    T::HexNum | T::BitNum | T::HexStr | T::BitStr => {
                        self.advance();
                        match token.kind {
                            T::HexNum => literal::hex_bytes(&text[2..]),
                            T::HexStr => literal::hex_bytes(&text[2..text.len() - 1]),
                            T::BitNum => literal::bit_bytes(&text[2..]),
                            _ => literal::bit_bytes(&text[2..text.len() - 1]),
                        }
                    }
                    _ => return Err(self.error()),
                };
                return Ok(self.string_literal(bytes, charset));
            }
            T::Kw(Kw::NULL) => Literal::Null,
            T::Kw(Kw::TRUE) => Literal::Bool(true),
            T::Kw(Kw::FALSE) => Literal::Bool(false),
            _ => return Err(self.error()),
        };
        self.advance();
        Ok(literal)
    }

    /// The strings that follow the first, joined to it.
    fn string_literal(&self, bytes: Box<[u8]>, charset: Option<&'static str>) -> Literal {
        if bytes.is_empty() && self.options.mode.empty_is_null {
            return Literal::NullText(charset);
        }
        Literal::String(Box::new(StringLiteral { bytes, charset }))
    }

    fn joined(&mut self, first: Box<[u8]>) -> Box<[u8]> {
        if !self.at(T::Str) {
            return first;
        }
        let mut bytes = first.into_vec();
        while self.at(T::Str) {
            bytes.extend_from_slice(&self.string_bytes(self.tok));
            self.advance();
        }
        bytes.into_boxed_slice()
    }

    /// `( ... )`: an expression, a row, or a subquery.
    fn paren_expr(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        self.expect(T::LParen)?;
        let expr = if self.at_query() {
            self.selects += 1;
            let query = self.query_in_parens()?;
            self.node(ExprKind::Subquery(Box::new(query)), self.span_from(start))?
        } else {
            let mut first = self.expr()?;
            if let ExprKind::Subquery(_) = first.kind
                && first.span.end == self.prev_end
                && self.at_query_tail()
            {
                // `((SELECT ..) UNION ..)`: what looked like an operand began a query.
                let query = self.query_from_parens(first)?;
                self.expect(T::RParen)?;
                self.node(ExprKind::Subquery(Box::new(query)), self.span_from(start))?
            } else if self.at(T::Comma) {
                let mut list = vec![first];
                while self.eat(T::Comma) {
                    list.push(self.expr()?);
                }
                self.expect(T::RParen)?;
                self.node(ExprKind::Row(list), self.span_from(start))?
            } else {
                self.expect(T::RParen)?;
                // A subquery in doubled parentheses: its span grows, so that outer levels see its end.
                if let ExprKind::Subquery(_) = first.kind {
                    first.span = self.span_from(start);
                }
                first
            }
        };
        Ok(expr)
    }

    /// Behind `(`: a query up to and including `)`.
    pub(crate) fn query_in_parens(&mut self) -> SqlResult<Query> {
        let query = self.query()?;
        self.expect(T::RParen)?;
        self.subquery_height(&query);
        Ok(query)
    }

    /// `(query)`.
    pub(crate) fn subquery(&mut self) -> SqlResult<Query> {
        self.expect(T::LParen)?;
        if !self.at_query() && !self.at(T::LParen) {
            return Err(self.error());
        }
        self.selects += 1;
        self.query_in_parens()
    }

    /// A name: column, or function call.
    fn name_expr(&mut self) -> SqlResult<Expr> {
        let token = self.tok;
        let start = token.start;
        if token.kind == T::Ident && self.sql().get(token.end as usize) == Some(&b'(') {
            return self.function_call(token);
        }
        if token.kind == T::Dot {
            // `.table.column`
            self.advance();
            let table = self.ident_after_dot()?;
            self.expect(T::Dot)?;
            let name = self.ident_after_dot()?;
            let column = ColumnRef { db: None, table: Some(table), name };
            return Ok(Expr::new(ExprKind::Column(Box::new(column)), self.span_from(start)));
        }
        let first = self.name_of(token)?;
        self.advance();
        match self.tok.kind {
            T::LParen => self.generic_call(None, first, token),
            T::Dot if self.sql().get(self.tok.end as usize) != Some(&b'.') => {
                self.advance();
                let second = self.ident_after_dot()?;
                if self.at(T::LParen) {
                    return self.qualified_call(first, second, start);
                }
                let column = if self.eat(T::Dot) {
                    ColumnRef { db: Some(first), table: Some(second), name: self.ident_after_dot()? }
                } else {
                    ColumnRef { db: None, table: Some(first), name: second }
                };
                if let Some(slot) = self.local_variable(&column)? {
                    // its heading is what is written
                    let name = self.to_utf8(&self.sql()[start as usize..self.prev_end as usize])?;
                    return Ok(Expr::new(ExprKind::Local(slot, name), self.span_from(start)));
                }
                Ok(Expr::new(ExprKind::Column(Box::new(column)), self.span_from(start)))
            }
            _ => Ok(self.column(first, start)),
        }
    }

    pub(crate) fn column(&self, name: Name, start: u32) -> Expr {
        if let Some(slot) = self.routine.as_ref().and_then(|r| r.variable(&name)) {
            return Expr::new(ExprKind::Local(slot, name), self.span_from(start));
        }
        let column = ColumnRef { db: None, table: None, name };
        Expr::new(ExprKind::Column(Box::new(column)), self.span_from(start))
    }

    /// `[[db.]table.]column`.
    pub(crate) fn column_ref(&mut self) -> SqlResult<ColumnRef> {
        self.eat(T::Dot);
        let first = self.ident()?;
        if !self.eat(T::Dot) {
            return Ok(ColumnRef { db: None, table: None, name: first });
        }
        let second = self.ident_after_dot()?;
        if !self.eat(T::Dot) {
            return Ok(ColumnRef { db: None, table: Some(first), name: second });
        }
        let name = self.ident_after_dot()?;
        Ok(ColumnRef { db: Some(first), table: Some(second), name })
    }

    /// An expression that begins with INTERVAL.
    pub(crate) fn interval_expr(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        let (amount, unit) = self.interval()?;
        let Some(unit) = unit else { return Ok(amount) };
        self.expect(T::Plus)?;
        // Everything up to AND and OR belongs to the date.
        let expr = self.binary(Precedence::Comparison)?;
        let kind =
            ExprKind::DateArith { expr: Box::new(expr), interval: Box::new(amount), unit, subtract: false };
        self.node(kind, self.span_from(start))
    }

    /// Behind a minus: `- INTERVAL ... + date` is the date less that, `- INTERVAL(...)` a number.
    fn negated_interval(&mut self, start: u32) -> SqlResult<Expr> {
        let mut expr = self.interval_expr()?;
        if let ExprKind::DateArith { subtract, .. } = &mut expr.kind {
            *subtract = true;
            expr.span = self.span_from(start);
            return Ok(expr);
        }
        self.node(ExprKind::Unary(UnaryOp::Negate, Box::new(expr)), self.span_from(start))
    }

    /// CASE ... END.
    pub(crate) fn case_expr(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        self.expect_kw(Kw::CASE)?;
        let operand = if self.at_kw(Kw::WHEN) { None } else { Some(Box::new(self.expr()?)) };
        let mut branches = Vec::new();
        while self.at_kw(Kw::WHEN) {
            self.advance();
            let when = self.expr()?;
            self.expect_kw(Kw::THEN)?;
            branches.push((when, self.expr()?));
        }
        if branches.is_empty() {
            return Err(self.error());
        }
        let otherwise = if self.eat_kw(Kw::ELSE) { Some(Box::new(self.expr()?)) } else { None };
        self.expect_kw(Kw::END)?;
        self.node(ExprKind::Case { operand, branches, otherwise }, self.span_from(start))
    }
}
