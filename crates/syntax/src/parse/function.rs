//! Function calls: those the grammar knows by name, and all others.

use super::Parser;
use super::error;
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

/// Window functions take fixed numbers of arguments.
fn window_arity(name: &str) -> (usize, usize) {
    match name.to_ascii_lowercase().as_str() {
        "first_value" | "ntile" => (1, 1),
        "lag" | "lead" => (1, 2),
        "nth_value" => (2, 2),
        _ => (0, 0),
    }
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
        match super::oracle::own_schema(&db) {
            Some(oracle) => self.schema_call(name, oracle, start),
            None => self.call_arguments(Some(db), name, start, false),
        }
    }

    pub(super) fn call_arguments(
        &mut self,
        db: Option<Name>,
        name: Name,
        start: u32,
        spaced: bool,
    ) -> SqlResult<Expr> {
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
        let locals = if db.is_none() { self.named_in_path(&name, &args) } else { Vec::new() };
        let name = if db.is_none() { self.name_in_mode(name, args.len())? } else { name };
        let call = FunctionCall { db, name, args, spaced, locals };
        self.node(ExprKind::Function(Box::new(call)), self.span_from(start))
    }

    /// The variables of the routine that an XPath names as `$name`.
    fn named_in_path(&self, name: &str, args: &[Expr]) -> Vec<(Name, u32)> {
        let Some(routine) = &self.routine else { return Vec::new() };
        let takes_path = ["extractvalue", "updatexml"].iter().any(|f| f.eq_ignore_ascii_case(name));
        let path = match args.get(1).filter(|_| takes_path).map(|e| &e.kind) {
            Some(ExprKind::Literal(Literal::String(s))) => String::from_utf8_lossy(&s.bytes),
            _ => return Vec::new(),
        };
        let ends = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        let names = path.split('$').skip(1).filter_map(|rest| rest.trim_start().split(ends).next());
        names.filter_map(|n| Some((Name::from(n), routine.variable(n)?))).collect()
    }

    pub(super) fn function(&self, name: &str, args: Vec<Expr>, start: u32) -> SqlResult<Expr> {
        let call = FunctionCall { db: None, name: name.into(), args, spaced: false, locals: Vec::new() };
        self.node(ExprKind::Function(Box::new(call)), self.span_from(start))
    }

    /// A fixed range of arguments in parentheses; another number is a syntax error.
    pub(super) fn fixed_arguments(&mut self, min: usize, max: usize) -> SqlResult<Vec<Expr>> {
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
    pub(super) fn time_precision(&mut self) -> SqlResult<Vec<Expr>> {
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
                let needle = self.binary(Precedence::BitOr)?;
                self.expect_kw(Kw::IN)?;
                let hay = self.expr()?;
                self.expect(T::RParen)?;
                self.function("locate", vec![needle, hay], start)
            }
            Special::Substring => {
                let args = self.substring_arguments()?;
                self.function(&self.name_in_mode(name, args.len())?, args, start)
            }
            Special::Trim => {
                self.trim(start, name.eq_ignore_ascii_case("trim_oracle") || self.options.mode.oracle)
            }
            Special::Window => {
                let (min, max) = window_arity(&name);
                let args = self.fixed_arguments(min, max)?;
                self.window_call(&name, (args, Vec::new()), false, start)
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
                self.window_call(&name, (args, within), true, start)
            }
        }
    }

    /// The windows of those with an order of their own have no more than PARTITION BY.
    pub(super) fn window_call(
        &mut self,
        name: &str,
        (args, within_group): (Vec<Expr>, Vec<OrderItem>),
        partition_only: bool,
        start: u32,
    ) -> SqlResult<Expr> {
        let Some(over) = self.over(partition_only)? else { return Err(self.error()) };
        let call = WindowCall { function: name.to_ascii_lowercase().into(), args, within_group, over };
        self.node(ExprKind::Window(Box::new(call)), self.span_from(start))
    }

    /// OVER name, OVER (...).
    fn over(&mut self, partition_only: bool) -> SqlResult<Option<Over>> {
        if !self.eat_kw(Kw::OVER) {
            return Ok(None);
        }
        if self.at(T::LParen) {
            return Ok(Some(Over::Spec(self.window(partition_only)?)));
        }
        Ok(Some(Over::Name(self.ident()?)))
    }

    /// `( [name] [PARTITION BY ..] [ORDER BY ..] [frame] )`.
    pub(crate) fn window_spec(&mut self) -> SqlResult<WindowSpec> {
        self.window(false)
    }

    fn window(&mut self, partition_only: bool) -> SqlResult<WindowSpec> {
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
        if partition_only && !self.at(T::RParen) {
            return Err(self.error());
        }
        if self.eat_kw(Kw::ORDER) {
            self.expect_kw(Kw::BY)?;
            spec.order_by = self.comma_list(Self::order_item)?;
        }
        if matches!(self.kw(), Some(Kw::ROWS | Kw::RANGE)) {
            let range = self.at_kw(Kw::RANGE);
            self.advance();
            let (start, end) = if self.eat_kw(Kw::BETWEEN) {
                let start = self.frame_bound(false)?;
                self.expect_kw(Kw::AND)?;
                (start, Some(self.frame_bound(false)?))
            } else {
                (self.frame_bound(true)?, None)
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

    /// A bound of a frame; one that stands alone is where the frame begins.
    fn frame_bound(&mut self, alone: bool) -> SqlResult<FrameBound> {
        if self.at_kw(Kw::UNBOUNDED) {
            self.advance();
            if self.eat_kw(Kw::PRECEDING) {
                return Ok(FrameBound::UnboundedPreceding);
            }
            if alone {
                return Err(self.error());
            }
            self.expect_kw(Kw::FOLLOWING)?;
            return Ok(FrameBound::UnboundedFollowing);
        }
        if self.at_kw(Kw::CURRENT) {
            self.advance();
            self.expect_kw(Kw::ROW)?;
            return Ok(FrameBound::CurrentRow);
        }
        let literal = !matches!(self.tok.kind, T::Ident | T::Quoted | T::LParen | T::Param | T::UserVar)
            && matches!(self.kw(), None | Some(Kw::NULL | Kw::TRUE | Kw::FALSE | Kw::DATE | Kw::TIME));
        let expr = self.primary()?;
        if !literal || !matches!(expr.kind, ExprKind::Literal(_) | ExprKind::Lifted(..)) {
            return Err(self.error_at(expr.span.start as usize));
        }
        if self.eat_kw(Kw::PRECEDING) {
            return Ok(FrameBound::Preceding(expr));
        }
        if alone {
            return Err(self.error());
        }
        self.expect_kw(Kw::FOLLOWING)?;
        Ok(FrameBound::Following(expr))
    }

    /// The arguments of an aggregate, at `(`.
    pub(super) fn aggregate(&mut self, function: AggregateFunction, start: u32) -> SqlResult<Expr> {
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
                    // of all values and of different ones the ends are the same
                    call.distinct = !matches!(function, Min | Max);
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
        call.over = self.over(false)?;
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

    /// `(text, from, count)`, `(text FROM from FOR count)`.
    pub(super) fn substring_arguments(&mut self) -> SqlResult<Vec<Expr>> {
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
        Ok(args)
    }

    pub(super) fn trim(&mut self, start: u32, oracle: bool) -> SqlResult<Expr> {
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
        let side = side.unwrap_or(TrimSide::Both);
        let kind = ExprKind::Trim { side, remove, expr: Box::new(expr), oracle };
        self.node(kind, self.span_from(start))
    }
}
