//! Function calls: those the grammar knows by name, and all others.

use super::Parser;
use super::error;
use super::expr::Level;
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::lex::{Kw, T, Token};

/// Names that mean a built-in only when `(` follows at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Special {
    Aggregate(AggregateFunction),
    /// A function with that many arguments (wrong numbers are syntax errors).
    Plain(usize, usize),
    /// NOW, CURTIME: a precision may be given.
    Precision,
    /// ADDDATE, SUBDATE: a number of days, or INTERVAL.
    DateOrDays(bool),
    /// DATE_ADD, DATE_SUB.
    DateArith(bool),
    Cast,
    Extract,
    Position,
    Substring,
    Trim,
    Window,
    /// PERCENTILE_CONT, PERCENTILE_DISC, MEDIAN.
    Percentile,
}

/// Whether `name(` means a built-in function wherever it stands.
pub(crate) fn is_special(name: &[u8]) -> bool {
    match special(name) {
        // These are known as functions only where an expression is wanted.
        Some(Special::DateOrDays(_)) => false,
        Some(Special::Plain(..)) => name.eq_ignore_ascii_case(b"curdate"),
        Some(Special::Trim) => name.len() == 4,
        other => other.is_some(),
    }
}

/// The special function of that name (any case).
fn special(name: &[u8]) -> Option<Special> {
    use AggregateFunction::*;
    let mut lower = [0u8; 16];
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    Some(match &*lower {
        b"adddate" => Special::DateOrDays(false),
        b"bit_and" => Special::Aggregate(BitAnd),
        b"bit_or" => Special::Aggregate(BitOr),
        b"bit_xor" => Special::Aggregate(BitXor),
        b"cast" => Special::Cast,
        b"count" => Special::Aggregate(Count),
        b"cume_dist" | b"dense_rank" | b"first_value" | b"lag" | b"lead" | b"nth_value" | b"ntile"
        | b"percent_rank" | b"rank" => Special::Window,
        b"curdate" => Special::Plain(0, 0),
        b"curtime" | b"now" => Special::Precision,
        b"date_add" => Special::DateArith(false),
        b"date_sub" => Special::DateArith(true),
        b"extract" => Special::Extract,
        b"group_concat" => Special::Aggregate(GroupConcat),
        b"json_arrayagg" => Special::Aggregate(JsonArrayAgg),
        b"json_objectagg" => Special::Aggregate(JsonObjectAgg),
        b"max" => Special::Aggregate(Max),
        b"median" | b"percentile_cont" | b"percentile_disc" => Special::Percentile,
        b"mid" | b"substr" | b"substring" => Special::Substring,
        b"min" => Special::Aggregate(Min),
        b"position" => Special::Position,
        b"session_user" | b"system_user" => Special::Plain(0, 0),
        b"std" | b"stddev" | b"stddev_pop" => Special::Aggregate(Std),
        b"stddev_samp" => Special::Aggregate(StdSamp),
        b"subdate" => Special::DateOrDays(true),
        b"sum" => Special::Aggregate(Sum),
        b"trim" | b"trim_oracle" => Special::Trim,
        b"var_samp" => Special::Aggregate(VarSamp),
        b"variance" | b"var_pop" => Special::Aggregate(Variance),
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    /// `name(` without a blank, at the name.
    pub(crate) fn function_call(&mut self, token: Token) -> SqlResult<Expr> {
        let text = self.text(token);
        let special = special(text);
        let name = self.name_of(token)?;
        self.advance();
        match special {
            Some(special) => self.special_call(special, name, token.start),
            None => self.call_arguments(None, name, token.start, false),
        }
    }

    /// A call whose name was taken, at `(`; a blank may stand before it.
    pub(crate) fn generic_call(&mut self, db: Option<Name>, name: Name, token: Token) -> SqlResult<Expr> {
        if token.kind == T::Ident
            && let Some(special) = special(self.text(token))
        {
            if self.options.mode.ignore_space {
                return self.special_call(special, name, token.start);
            }
            return self.call_arguments(db, name, token.start, true);
        }
        self.call_arguments(db, name, token.start, false)
    }

    /// `db.name(...)`, at `(`.
    pub(crate) fn qualified_call(&mut self, db: Name, name: Name, start: u32) -> SqlResult<Expr> {
        self.call_arguments(Some(db), name, start, false)
    }

    fn call_arguments(&mut self, db: Option<Name>, name: Name, start: u32, spaced: bool) -> SqlResult<Expr> {
        self.expect(T::LParen)?;
        let mut args = Vec::new();
        if !self.at(T::RParen) {
            loop {
                args.push(self.expr()?);
                if db.is_none() && (self.at_kw(Kw::AS) || self.at_ident() || self.at(T::Str)) {
                    // Only functions loaded from outside take named arguments.
                    self.eat_kw(Kw::AS);
                    self.ident_or_text()?;
                    return Err(SqlError::new(error::ER_WRONG_PARAMETERS_TO_NATIVE_FCT, &[&name]));
                }
                if !self.eat(T::Comma) {
                    break;
                }
            }
        }
        self.expect(T::RParen)?;
        let call = FunctionCall { db, name, args, spaced };
        self.node(ExprKind::Function(Box::new(call)), self.span_from(start))
    }

    fn function(&self, name: &str, args: Vec<Expr>, start: u32) -> SqlResult<Expr> {
        let call = FunctionCall { db: None, name: name.into(), args, spaced: false };
        self.node(ExprKind::Function(Box::new(call)), self.span_from(start))
    }

    /// A fixed range of arguments in parentheses; another number is a syntax error.
    fn fixed_arguments(&mut self, min: usize, max: usize) -> SqlResult<Vec<Expr>> {
        self.expect(T::LParen)?;
        let mut args = Vec::new();
        while args.len() < max && !(self.at(T::RParen) && args.len() >= min) {
            if !args.is_empty() {
                self.expect(T::Comma)?;
            }
            args.push(self.expr()?);
            if args.len() >= min && !self.at(T::Comma) {
                break;
            }
        }
        self.expect(T::RParen)?;
        Ok(args)
    }

    /// `(`[digits]`)` or nothing at all.
    fn time_precision(&mut self) -> SqlResult<Vec<Expr>> {
        if !self.eat(T::LParen) {
            return Ok(Vec::new());
        }
        let start = self.tok.start;
        if self.eat(T::RParen) {
            return Ok(Vec::new());
        }
        if !self.at(T::Int) {
            return Err(self.error());
        }
        let value = self.number()?;
        let arg = super::int_literal(value, self.span_from(start));
        self.expect(T::RParen)?;
        Ok(vec![arg])
    }

    fn special_call(&mut self, special: Special, name: Name, start: u32) -> SqlResult<Expr> {
        match special {
            Special::Aggregate(function) => self.aggregate(function, start),
            Special::Plain(min, max) => {
                let args = self.fixed_arguments(min, max)?;
                self.function(&name, args, start)
            }
            Special::Precision => {
                let args = self.time_precision()?;
                self.function(&name, args, start)
            }
            Special::DateOrDays(subtract) => self.date_arith(subtract, true, start),
            Special::DateArith(subtract) => self.date_arith(subtract, false, start),
            Special::Cast => {
                self.expect(T::LParen)?;
                let expr = self.expr()?;
                self.expect_kw(Kw::AS)?;
                self.cast_to(expr, start)
            }
            Special::Extract => {
                self.expect(T::LParen)?;
                let unit = self.interval_unit()?;
                self.expect_kw(Kw::FROM)?;
                let expr = self.expr()?;
                self.expect(T::RParen)?;
                self.node(ExprKind::Extract(unit, Box::new(expr)), self.span_from(start))
            }
            Special::Position => {
                self.expect(T::LParen)?;
                let needle = self.binary(Level::BitOr)?;
                self.expect_kw(Kw::IN)?;
                let hay = self.expr()?;
                self.expect(T::RParen)?;
                self.function("locate", vec![needle, hay], start)
            }
            Special::Substring => {
                self.expect(T::LParen)?;
                let mut args = vec![self.expr()?];
                if self.eat_kw(Kw::FROM) {
                    args.push(self.expr()?);
                    if self.eat_kw(Kw::FOR) {
                        args.push(self.expr()?);
                    }
                } else {
                    self.expect(T::Comma)?;
                    args.push(self.expr()?);
                    if self.eat(T::Comma) {
                        args.push(self.expr()?);
                    }
                }
                self.expect(T::RParen)?;
                self.function(&name, args, start)
            }
            Special::Trim => self.trim(start),
            Special::Window => {
                self.expect(T::LParen)?;
                let args = if self.at(T::RParen) { Vec::new() } else { self.expr_list()? };
                self.window_arity(&name, args.len())?;
                self.expect(T::RParen)?;
                self.window_call(&name, args, Vec::new(), start)
            }
            Special::Percentile => {
                let args = self.fixed_arguments(1, 1)?;
                let mut within = Vec::new();
                if !name.eq_ignore_ascii_case("median") {
                    self.expect_kw(Kw::WITHIN)?;
                    self.expect_kw(Kw::GROUP)?;
                    self.expect(T::LParen)?;
                    self.expect_kw(Kw::ORDER)?;
                    self.expect_kw(Kw::BY)?;
                    within = vec![self.order_item()?];
                    self.expect(T::RParen)?;
                }
                self.window_call(&name, args, within, start)
            }
        }
    }

    /// Window functions take fixed numbers of arguments.
    fn window_arity(&self, name: &str, found: usize) -> SqlResult<()> {
        let (min, max) = match name.to_ascii_lowercase().as_str() {
            "first_value" | "ntile" => (1, 1),
            "lag" | "lead" => (1, 2),
            "nth_value" => (2, 2),
            _ => (0, 0),
        };
        if (min..=max).contains(&found) { Ok(()) } else { Err(self.error()) }
    }

    fn window_call(
        &mut self,
        name: &str,
        args: Vec<Expr>,
        within_group: Vec<OrderItem>,
        start: u32,
    ) -> SqlResult<Expr> {
        let Some(over) = self.over()? else { return Err(self.error()) };
        let call = WindowCall { function: name.to_ascii_lowercase().into(), args, within_group, over };
        self.node(ExprKind::Window(Box::new(call)), self.span_from(start))
    }

    /// OVER name, OVER (...).
    fn over(&mut self) -> SqlResult<Option<Over>> {
        if !self.eat_kw(Kw::OVER) {
            return Ok(None);
        }
        if self.at(T::LParen) {
            return Ok(Some(Over::Spec(self.window_spec()?)));
        }
        Ok(Some(Over::Name(self.ident()?)))
    }

    /// `( [name] [PARTITION BY ..] [ORDER BY ..] [frame] )`.
    pub(crate) fn window_spec(&mut self) -> SqlResult<WindowSpec> {
        self.enter()?;
        self.expect(T::LParen)?;
        let mut spec = WindowSpec::default();
        if self.at_ident() {
            spec.base = Some(self.ident()?);
        }
        if self.eat_kw(Kw::PARTITION) {
            self.expect_kw(Kw::BY)?;
            spec.partition_by = self.comma_list(|p| Ok(p.order_item()?.expr))?;
        }
        if self.eat_kw(Kw::ORDER) {
            self.expect_kw(Kw::BY)?;
            spec.order_by = self.comma_list(Self::order_item)?;
        }
        if matches!(self.kw(), Some(Kw::ROWS | Kw::RANGE)) {
            let range = self.at_kw(Kw::RANGE);
            self.advance();
            let (start, end) = if self.eat_kw(Kw::BETWEEN) {
                let start = self.frame_bound()?;
                self.expect_kw(Kw::AND)?;
                (start, Some(self.frame_bound()?))
            } else {
                (self.frame_bound()?, None)
            };
            let exclude = if self.eat_kw(Kw::EXCLUDE) { Some(self.frame_exclude()?) } else { None };
            spec.frame = Some(Box::new(WindowFrame { range, start, end, exclude }));
        }
        self.expect(T::RParen)?;
        self.leave();
        Ok(spec)
    }

    fn frame_exclude(&mut self) -> SqlResult<Name> {
        let words = if self.eat_kw(Kw::CURRENT) {
            self.expect_kw(Kw::ROW)?;
            "CURRENT ROW"
        } else if self.eat_kw(Kw::GROUP) {
            "GROUP"
        } else if self.eat_kw(Kw::TIES) {
            "TIES"
        } else {
            self.expect_kw(Kw::NO)?;
            self.expect_kw(Kw::OTHERS)?;
            "NO OTHERS"
        };
        Ok(words.into())
    }

    fn frame_bound(&mut self) -> SqlResult<FrameBound> {
        if self.at_kw(Kw::UNBOUNDED) {
            self.advance();
            if self.eat_kw(Kw::PRECEDING) {
                return Ok(FrameBound::UnboundedPreceding);
            }
            self.expect_kw(Kw::FOLLOWING)?;
            return Ok(FrameBound::UnboundedFollowing);
        }
        if self.at_kw(Kw::CURRENT) {
            self.advance();
            self.expect_kw(Kw::ROW)?;
            return Ok(FrameBound::CurrentRow);
        }
        let expr = self.binary(Level::BitOr)?;
        if self.eat_kw(Kw::PRECEDING) {
            return Ok(FrameBound::Preceding(expr));
        }
        self.expect_kw(Kw::FOLLOWING)?;
        Ok(FrameBound::Following(expr))
    }

    /// The arguments of an aggregate, at `(`.
    fn aggregate(&mut self, function: AggregateFunction, start: u32) -> SqlResult<Expr> {
        use AggregateFunction::*;
        self.expect(T::LParen)?;
        let mut call = AggregateCall {
            function,
            distinct: false,
            args: Vec::new(),
            order_by: Vec::new(),
            separator: None,
            limit: None,
            over: None,
        };
        if function == Count && self.at(T::Star) {
            self.advance();
        } else {
            match self.kw() {
                Some(Kw::DISTINCT)
                    if matches!(function, Count | Sum | Min | Max | Avg | GroupConcat | JsonArrayAgg) =>
                {
                    self.advance();
                    call.distinct = true;
                }
                Some(Kw::ALL) if !matches!(function, GroupConcat | JsonArrayAgg | JsonObjectAgg) => {
                    self.advance();
                }
                _ => {}
            }
            call.args.push(self.expr()?);
            let several = match function {
                GroupConcat | JsonArrayAgg => true,
                Count => call.distinct,
                _ => false,
            };
            while several && self.eat(T::Comma) {
                call.args.push(self.expr()?);
            }
            if function == JsonObjectAgg {
                self.expect(T::Comma)?;
                call.args.push(self.expr()?);
            }
            if matches!(function, GroupConcat | JsonArrayAgg) {
                self.aggregate_tail(&mut call)?;
            }
        }
        self.expect(T::RParen)?;
        call.over = self.over()?;
        self.node(ExprKind::Aggregate(Box::new(call)), self.span_from(start))
    }

    /// ORDER BY, SEPARATOR, LIMIT of GROUP_CONCAT.
    fn aggregate_tail(&mut self, call: &mut AggregateCall) -> SqlResult<()> {
        if self.eat_kw(Kw::ORDER) {
            self.expect_kw(Kw::BY)?;
            call.order_by = self.comma_list(Self::order_item)?;
        }
        if call.function == AggregateFunction::GroupConcat && self.eat_kw(Kw::SEPARATOR) {
            call.separator = Some(self.text_literal()?);
        }
        if self.eat_kw(Kw::LIMIT) {
            call.limit = Some(Box::new(self.limit_numbers()?));
        }
        Ok(())
    }

    /// DATE_ADD and its kin, at `(`.
    fn date_arith(&mut self, subtract: bool, days_allowed: bool, start: u32) -> SqlResult<Expr> {
        self.expect(T::LParen)?;
        let expr = Box::new(self.expr()?);
        self.expect(T::Comma)?;
        let (interval, unit) = if self.at_kw(Kw::INTERVAL) {
            // `INTERVAL amount unit`; or, with days, an expression that begins with INTERVAL.
            self.advance();
            let amount = self.expr()?;
            (amount, self.interval_unit()?)
        } else if days_allowed {
            (self.expr()?, IntervalUnit::Day)
        } else {
            return Err(self.error());
        };
        self.expect(T::RParen)?;
        let kind = ExprKind::DateArith { expr, interval: Box::new(interval), unit, subtract };
        self.node(kind, self.span_from(start))
    }

    fn trim(&mut self, start: u32) -> SqlResult<Expr> {
        self.expect(T::LParen)?;
        let side = match self.kw() {
            Some(Kw::BOTH) => Some(TrimSide::Both),
            Some(Kw::LEADING) => Some(TrimSide::Leading),
            Some(Kw::TRAILING) => Some(TrimSide::Trailing),
            _ => None,
        };
        let (remove, expr) = if side.is_some() {
            self.advance();
            let remove = if self.at_kw(Kw::FROM) { None } else { Some(Box::new(self.expr()?)) };
            self.expect_kw(Kw::FROM)?;
            (remove, self.expr()?)
        } else {
            let first = self.expr()?;
            if self.eat_kw(Kw::FROM) { (Some(Box::new(first)), self.expr()?) } else { (None, first) }
        };
        self.expect(T::RParen)?;
        let kind = ExprKind::Trim { side: side.unwrap_or(TrimSide::Both), remove, expr: Box::new(expr) };
        self.node(kind, self.span_from(start))
    }

    /// An operand that begins with a keyword.
    pub(crate) fn keyword_expr(&mut self, kw: Kw) -> SqlResult<Expr> {
        let token = self.tok;
        let start = token.start;
        match kw {
            Kw::NULL | Kw::TRUE | Kw::FALSE => {
                let literal = self.literal()?;
                return Ok(Expr::new(ExprKind::Literal(literal), self.span_from(start)));
            }
            Kw::CASE => return self.case_expr(),
            Kw::INTERVAL => return self.interval_expr(),
            Kw::CONVERT => return self.convert(),
            Kw::EXISTS => {
                self.advance();
                let query = Box::new(self.subquery()?);
                return self.node(ExprKind::Exists(query), self.span_from(start));
            }
            Kw::MATCH => return self.match_against(),
            Kw::DEFAULT => {
                self.advance();
                self.expect(T::LParen)?;
                let column = self.column_ref()?;
                self.expect(T::RParen)?;
                return Ok(Expr::new(ExprKind::Default(Some(Box::new(column))), self.span_from(start)));
            }
            Kw::VALUES if self.on_duplicate => return self.inserted_value(start),
            Kw::CURRENT_TIMESTAMP
            | Kw::LOCALTIME
            | Kw::LOCALTIMESTAMP
            | Kw::CURRENT_TIME
            | Kw::UTC_TIME
            | Kw::UTC_TIMESTAMP => {
                self.advance();
                let args = self.time_precision()?;
                return self.function(kw.word(), args, start);
            }
            Kw::CURRENT_DATE | Kw::CURRENT_USER | Kw::CURRENT_ROLE | Kw::UTC_DATE => {
                self.advance();
                if self.eat(T::LParen) {
                    self.expect(T::RParen)?;
                }
                return self.function(kw.word(), Vec::new(), start);
            }
            Kw::CHAR => return self.char_function(),
            Kw::IF | Kw::REPLACE => return self.keyword_call(3, 3),
            Kw::LEFT | Kw::RIGHT | Kw::MOD | Kw::REPEAT => return self.keyword_call(2, 2),
            Kw::INSERT => return self.keyword_call(4, 4),
            Kw::ROW_NUMBER => {
                self.advance();
                self.expect(T::LParen)?;
                self.expect(T::RParen)?;
                return self.window_call("row_number", Vec::new(), Vec::new(), start);
            }
            _ => {}
        }
        if kw.is_reserved() {
            return Err(self.error());
        }
        let next = self.peek();
        match (kw, next) {
            (_, T::Dot) => self.name_expr_from_keyword(),
            (Kw::DATE, T::Str) => self.temporal_literal(TemporalKind::Date),
            (Kw::TIME, T::Str) => self.temporal_literal(TemporalKind::Time),
            (Kw::TIMESTAMP, T::Str) => self.temporal_literal(TemporalKind::DateTime),
            (Kw::NEXT | Kw::PREVIOUS, T::Kw(Kw::VALUE)) => self.sequence_value(),
            (Kw::SYSDATE, _) => {
                self.advance();
                let args = self.time_precision()?;
                self.function("sysdate", args, start)
            }
            (Kw::ROWNUM, _) => {
                self.advance();
                if self.eat(T::LParen) {
                    self.expect(T::RParen)?;
                }
                self.function("rownum", Vec::new(), start)
            }
            (_, T::LParen) => self.keyword_function(kw, token),
            _ => {
                let name = self.ident()?;
                Ok(self.column(name, start))
            }
        }
    }

    /// `keyword.name...`
    fn name_expr_from_keyword(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        let first = self.ident()?;
        self.expect(T::Dot)?;
        let second = self.ident_after_dot()?;
        if self.at(T::LParen) {
            return self.qualified_call(first, second, start);
        }
        let column = if self.eat(T::Dot) {
            ColumnRef { db: Some(first), table: Some(second), name: self.ident_after_dot()? }
        } else {
            ColumnRef { db: None, table: Some(first), name: second }
        };
        Ok(Expr::new(ExprKind::Column(Box::new(column)), self.span_from(start)))
    }

    /// A keyword (looked at) as a function with a fixed range of arguments.
    fn keyword_call(&mut self, min: usize, max: usize) -> SqlResult<Expr> {
        let token = self.tok;
        let name = self.to_utf8(self.text(token))?;
        self.advance();
        let args = self.fixed_arguments(min, max)?;
        self.function(&name, args, token.start)
    }

    /// A keyword that is not reserved, before `(`.
    fn keyword_function(&mut self, kw: Kw, token: Token) -> SqlResult<Expr> {
        let start = token.start;
        match kw {
            Kw::ASCII
            | Kw::CHARSET
            | Kw::DATE
            | Kw::DAY
            | Kw::HOUR
            | Kw::MINUTE
            | Kw::MONTH
            | Kw::PASSWORD
            | Kw::SECOND
            | Kw::SQL_TSI_DAY
            | Kw::SQL_TSI_HOUR
            | Kw::SQL_TSI_MINUTE
            | Kw::SQL_TSI_MONTH
            | Kw::SQL_TSI_SECOND
            | Kw::SQL_TSI_YEAR
            | Kw::TIME
            | Kw::YEAR => self.keyword_call(1, 1),
            Kw::TIMESTAMP => self.keyword_call(1, 2),
            Kw::TRUNCATE => self.keyword_call(2, 2),
            Kw::USER => self.keyword_call(0, 0),
            Kw::AVG => {
                self.advance();
                self.aggregate(AggregateFunction::Avg, start)
            }
            Kw::COLUMN_CREATE => self.column_create(false),
            Kw::COLUMN_ADD => self.column_create(true),
            Kw::COLUMN_DELETE => self.keyword_call(2, usize::MAX),
            Kw::COLUMN_GET => self.column_get(),
            Kw::GET_FORMAT => {
                self.advance();
                self.expect(T::LParen)?;
                let kind = match self.kw() {
                    Some(Kw::DATE) => TemporalKind::Date,
                    Some(Kw::TIME) => TemporalKind::Time,
                    Some(Kw::DATETIME | Kw::TIMESTAMP) => TemporalKind::DateTime,
                    _ => return Err(self.error()),
                };
                self.advance();
                self.expect(T::Comma)?;
                let expr = self.expr()?;
                self.expect(T::RParen)?;
                self.node(ExprKind::GetFormat(kind, Box::new(expr)), self.span_from(start))
            }
            Kw::TIMESTAMPADD | Kw::TIMESTAMPDIFF => {
                self.advance();
                self.expect(T::LParen)?;
                let unit = self.simple_unit()?;
                self.expect(T::Comma)?;
                let a = Box::new(self.expr()?);
                self.expect(T::Comma)?;
                let b = Box::new(self.expr()?);
                self.expect(T::RParen)?;
                let kind = if kw == Kw::TIMESTAMPADD {
                    ExprKind::TimestampAdd(unit, a, b)
                } else {
                    ExprKind::TimestampDiff(unit, a, b)
                };
                self.node(kind, self.span_from(start))
            }
            Kw::WEIGHT_STRING => self.weight_string(),
            Kw::VALUE => self.inserted_value(start),
            Kw::ROW => {
                self.advance();
                self.expect(T::LParen)?;
                let mut list = vec![self.expr()?];
                self.expect(T::Comma)?;
                list.extend(self.expr_list()?);
                self.expect(T::RParen)?;
                self.node(ExprKind::Row(list), self.span_from(start))
            }
            Kw::NEXTVAL | Kw::LASTVAL => {
                self.advance();
                self.expect(T::LParen)?;
                let name = self.table_name()?;
                self.expect(T::RParen)?;
                Ok(Expr::new(ExprKind::Sequence(name, kw == Kw::LASTVAL), self.span_from(start)))
            }
            Kw::SETVAL => self.setval(),
            Kw::LAST_VALUE => {
                self.advance();
                self.expect(T::LParen)?;
                let args = self.expr_list()?;
                self.expect(T::RParen)?;
                if self.at_kw(Kw::OVER) && args.len() == 1 {
                    return self.window_call("last_value", args, Vec::new(), start);
                }
                self.function("last_value", args, start)
            }
            _ if !kw.may_name_function() => {
                let name = self.ident()?;
                Ok(self.column(name, start))
            }
            _ => {
                let name = self.ident()?;
                self.call_arguments(None, name, start, false)
            }
        }
    }

    /// `VALUES(column)` / `VALUE(column)`, at the word.
    fn inserted_value(&mut self, start: u32) -> SqlResult<Expr> {
        self.advance();
        self.expect(T::LParen)?;
        let column = self.column_ref()?;
        self.expect(T::RParen)?;
        Ok(Expr::new(ExprKind::Values(Box::new(column)), self.span_from(start)))
    }

    fn temporal_literal(&mut self, kind: TemporalKind) -> SqlResult<Expr> {
        let start = self.tok.start;
        self.advance();
        let bytes = self.string_token()?;
        Ok(Expr::new(ExprKind::Literal(Literal::Temporal(kind, bytes)), self.span_from(start)))
    }

    /// NEXT VALUE FOR seq, PREVIOUS VALUE FOR seq.
    fn sequence_value(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        let previous = self.at_kw(Kw::PREVIOUS);
        self.advance();
        self.advance();
        self.expect_kw(Kw::FOR)?;
        let name = self.table_name()?;
        Ok(Expr::new(ExprKind::Sequence(name, previous), self.span_from(start)))
    }

    /// SETVAL(seq, value [, used [, round]]).
    fn setval(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        self.advance();
        self.expect(T::LParen)?;
        let name = self.table_name()?;
        let column = ColumnRef { db: None, table: name.db, name: name.name };
        let mut args = vec![Expr::new(ExprKind::Column(Box::new(column)), name.span)];
        self.expect(T::Comma)?;
        args.push(self.expr()?);
        while args.len() < 4 && self.eat(T::Comma) {
            args.push(self.expr()?);
        }
        self.expect(T::RParen)?;
        self.function("setval", args, start)
    }

    /// CHAR(n, ... [USING cs]).
    fn char_function(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        self.advance();
        self.expect(T::LParen)?;
        let args = self.expr_list()?;
        if self.eat_kw(Kw::USING) {
            let charset = self.charset_name()?;
            self.expect(T::RParen)?;
            return self.node(ExprKind::CharUsing(args, charset), self.span_from(start));
        }
        self.expect(T::RParen)?;
        self.function("char", args, start)
    }

    /// CONVERT(expr, type), CONVERT(expr USING cs).
    fn convert(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        self.advance();
        self.expect(T::LParen)?;
        let expr = self.expr()?;
        if !self.eat_kw(Kw::USING) {
            self.expect(T::Comma)?;
            return self.cast_to(expr, start);
        }
        let charset = self.charset_name()?;
        self.expect(T::RParen)?;
        self.node(ExprKind::ConvertUsing(Box::new(expr), charset), self.span_from(start))
    }

    /// `type [COLLATE name] )` of a cast that began at `start`.
    fn cast_to(&mut self, expr: Expr, start: u32) -> SqlResult<Expr> {
        let ty = self.cast_type()?;
        let mut collation = None;
        if matches!(ty, CastType::Char { .. }) && self.eat_kw(Kw::COLLATE) && !self.eat_kw(Kw::DEFAULT) {
            collation = Some(self.collation_name()?);
        }
        self.expect(T::RParen)?;
        let span = self.span_from(start);
        let cast = self.node(ExprKind::Cast(Box::new(expr), Box::new(ty)), span)?;
        match collation {
            Some(name) => self.node(ExprKind::Collate(Box::new(cast), name), span),
            None => Ok(cast),
        }
    }

    fn match_against(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        self.advance();
        let columns = if self.eat(T::LParen) {
            let list = self.comma_list(|p| {
                let at = p.tok.start;
                let column = p.column_ref()?;
                Ok(Expr::new(ExprKind::Column(Box::new(column)), p.span_from(at)))
            })?;
            self.expect(T::RParen)?;
            list
        } else {
            self.comma_list(|p| {
                let at = p.tok.start;
                let column = p.column_ref()?;
                Ok(Expr::new(ExprKind::Column(Box::new(column)), p.span_from(at)))
            })?
        };
        self.expect_kw(Kw::AGAINST)?;
        self.expect(T::LParen)?;
        let against = self.binary(Level::BitOr)?;
        let mut mode = MatchMode::Natural;
        if self.eat_kw(Kw::IN) {
            if self.eat_kw(Kw::BOOLEAN) {
                self.expect_kw(Kw::MODE)?;
                mode = MatchMode::Boolean;
            } else {
                self.expect_kw(Kw::NATURAL)?;
                self.expect_kw(Kw::LANGUAGE)?;
                self.expect_kw(Kw::MODE)?;
            }
        }
        if mode == MatchMode::Natural && self.eat_kw(Kw::WITH) {
            self.expect_kw(Kw::QUERY)?;
            self.expect_kw(Kw::EXPANSION)?;
            mode = MatchMode::NaturalExpansion;
        }
        self.expect(T::RParen)?;
        let kind = ExprKind::Match(Box::new(MatchAgainst { columns, against, mode }));
        self.node(kind, self.span_from(start))
    }

    fn weight_string(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        self.advance();
        self.expect(T::LParen)?;
        let expr = Box::new(self.expr()?);
        let mut length = None;
        let mut binary = false;
        if self.eat_kw(Kw::AS) {
            binary = self.at_kw(Kw::BINARY);
            if !binary && !self.at_kw(Kw::CHAR) {
                return Err(self.error());
            }
            self.advance();
            self.expect(T::LParen)?;
            length = Some(self.number()?);
            self.expect(T::RParen)?;
        } else if self.eat(T::Comma) {
            // The printed form: (expr, result length, characters, flags).
            self.number()?;
            self.expect(T::Comma)?;
            length = Some(self.number()?);
            self.expect(T::Comma)?;
            self.number()?;
        }
        if self.eat_kw(Kw::LEVEL) {
            loop {
                self.number()?;
                if self.eat(T::Minus) {
                    self.number()?;
                } else {
                    self.eat_kw(Kw::ASC);
                    self.eat_kw(Kw::DESC);
                    self.eat_kw(Kw::REVERSE);
                }
                if !self.eat(T::Comma) {
                    break;
                }
            }
        }
        self.expect(T::RParen)?;
        self.node(ExprKind::WeightString { expr, length, binary }, self.span_from(start))
    }

    /// COLUMN_CREATE(name, value [AS type], ...), COLUMN_ADD(blob, name, value, ...).
    fn column_create(&mut self, add: bool) -> SqlResult<Expr> {
        let token = self.tok;
        let name = self.ident()?;
        self.expect(T::LParen)?;
        let mut args = Vec::new();
        if add {
            args.push(self.expr()?);
            self.expect(T::Comma)?;
        }
        loop {
            args.push(self.expr()?);
            self.expect(T::Comma)?;
            args.push(self.expr()?);
            if self.eat_kw(Kw::AS) {
                self.cast_type()?;
            }
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::RParen)?;
        self.function(&name, args, token.start)
    }

    /// COLUMN_GET(blob, name AS type): a cast of the plain function.
    fn column_get(&mut self) -> SqlResult<Expr> {
        let token = self.tok;
        let name = self.ident()?;
        self.expect(T::LParen)?;
        let blob = self.expr()?;
        self.expect(T::Comma)?;
        let column = self.expr()?;
        self.expect_kw(Kw::AS)?;
        let ty = self.cast_type()?;
        self.expect(T::RParen)?;
        let call = self.function(&name, vec![blob, column], token.start)?;
        self.node(ExprKind::Cast(Box::new(call), Box::new(ty)), self.span_from(token.start))
    }

    /// The type of CAST.
    pub(crate) fn cast_type(&mut self) -> SqlResult<CastType> {
        let Some(kw) = self.kw() else {
            let name = self.ident()?;
            return Ok(CastType::Other(name.to_ascii_uppercase().into()));
        };
        let ty = match kw {
            Kw::SIGNED | Kw::UNSIGNED => {
                self.advance();
                if !self.eat_kw(Kw::INTEGER) {
                    self.eat_kw(Kw::INT);
                }
                return Ok(if kw == Kw::SIGNED { CastType::Signed } else { CastType::Unsigned });
            }
            Kw::INT | Kw::INTEGER => {
                self.advance();
                CastType::Signed
            }
            Kw::DECIMAL | Kw::DEC => {
                self.advance();
                let (m, d) = self.precision_scale()?.unwrap_or((10, 0));
                CastType::Decimal(m, d)
            }
            Kw::DOUBLE => {
                self.advance();
                CastType::Double(self.double_digits()?)
            }
            Kw::FLOAT => {
                self.advance();
                CastType::Float
            }
            Kw::DATE => {
                self.advance();
                CastType::Date
            }
            Kw::TIME => {
                self.advance();
                CastType::Time(self.fraction()?)
            }
            Kw::DATETIME => {
                self.advance();
                CastType::DateTime(self.fraction()?)
            }
            Kw::BINARY => {
                self.advance();
                CastType::Binary(self.optional_length()?)
            }
            Kw::CHAR | Kw::CHARACTER | Kw::VARCHAR | Kw::VARCHARACTER | Kw::VARCHAR2 => {
                self.advance();
                let fixed = matches!(kw, Kw::CHAR | Kw::CHARACTER);
                if !fixed && !self.at(T::LParen) {
                    return Err(self.error());
                }
                let length = self.optional_length()?;
                let mut charset = None;
                let mut binary = false;
                self.cast_charset(&mut charset, &mut binary)?;
                CastType::Char { length, charset, binary }
            }
            Kw::INTERVAL => {
                self.advance();
                self.expect_kw(Kw::DAY_SECOND)?;
                self.optional_length()?;
                CastType::Other("INTERVAL DAY_SECOND".into())
            }
            Kw::NCHAR | Kw::NATIONAL => {
                self.advance();
                if kw == Kw::NATIONAL && !self.eat_kw(Kw::CHAR) && !self.eat_kw(Kw::CHARACTER) {
                    return Err(self.error());
                }
                let length = self.optional_length()?;
                let binary = self.eat_kw(Kw::BINARY);
                CastType::Char { length, charset: Some("utf8mb3".into()), binary }
            }
            Kw::JSON
            | Kw::TEXT
            | Kw::BOOL
            | Kw::BOOLEAN
            | Kw::FIXED
            | Kw::TIMESTAMP
            | Kw::YEAR
            | Kw::NVARCHAR
            | Kw::ENUM
            | Kw::BIT
            | Kw::NUMBER
            | Kw::CLOB
            | Kw::RAW
            | Kw::SERIAL => return Err(self.error()),
            _ if kw.is_reserved() => return Err(self.error()),
            _ => {
                let name = self.ident()?;
                CastType::Other(name.to_ascii_uppercase().into())
            }
        };
        Ok(ty)
    }

    /// The attributes behind CHAR(n) of a cast.
    fn cast_charset(&mut self, charset: &mut Option<Name>, binary: &mut bool) -> SqlResult<()> {
        loop {
            if self.eat_charset()? {
                *charset = Some(self.charset_name()?);
            } else if self.eat_kw(Kw::BINARY) {
                *binary = true;
            } else if self.eat_kw(Kw::ASCII) {
                *charset = Some("latin1".into());
            } else if self.eat_kw(Kw::UNICODE) {
                *charset = Some("ucs2".into());
            } else if self.eat_kw(Kw::BYTE) {
                *charset = Some("binary".into());
            } else {
                return Ok(());
            }
        }
    }

    /// `(m, d)` of DOUBLE if it is there.
    fn double_digits(&mut self) -> SqlResult<Option<(u32, u32)>> {
        if !self.eat(T::LParen) {
            return Ok(None);
        }
        let m = clamp_u32(self.number()?);
        self.expect(T::Comma)?;
        let d = clamp_u32(self.number()?);
        self.expect(T::RParen)?;
        Ok(Some((m, d)))
    }

    /// `(n)` if it is there.
    pub(crate) fn optional_length(&mut self) -> SqlResult<Option<u64>> {
        if !self.at(T::LParen) {
            return Ok(None);
        }
        self.advance();
        let n = self.number()?;
        self.expect(T::RParen)?;
        Ok(Some(n))
    }

    /// `(m [, d])` if it is there.
    fn precision_scale(&mut self) -> SqlResult<Option<(u32, u32)>> {
        if !self.eat(T::LParen) {
            return Ok(None);
        }
        let m = clamp_u32(self.number()?);
        let d = if self.eat(T::Comma) { clamp_u32(self.number()?) } else { 0 };
        self.expect(T::RParen)?;
        Ok(Some((m, d)))
    }

    /// `(n)` of a temporal type; the binder refuses more than 6.
    fn fraction(&mut self) -> SqlResult<u8> {
        Ok(self.optional_length()?.map_or(0, |n| u8::try_from(n).unwrap_or(u8::MAX)))
    }
}

/// Lengths beyond any limit stay beyond it.
pub(crate) fn clamp_u32(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
