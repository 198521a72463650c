//! Operands that begin with a keyword: functions with a grammar of their own.

use super::Parser;
use crate::ast::*;
use crate::error::SqlResult;
use crate::lex::{Kw, T, Token};
use charset::WeightFormat;

impl<'a> Parser<'a> {
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
                let mut query = Box::new(self.subquery()?);
                query.made_for_existence();
                return self.node(ExprKind::Exists(query), self.span_from(start));
            }
            Kw::MATCH => return self.match_against(),
            Kw::DEFAULT => {
                return self.default_of_column(start);
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
                return self.window_call("row_number", (Vec::new(), Vec::new()), false, start);
            }
            _ => {}
        }
        if self.is_reserved(kw) {
            return Err(self.error());
        }
        let next = self.peek();
        match (kw, next) {
            (_, T::Dot) => self.name_expr_from_keyword(),
            (Kw::DATE, T::Str) => self.temporal_literal(TemporalKind::Date),
            (Kw::TIME, T::Str) => self.temporal_literal(TemporalKind::Time),
            (Kw::TIMESTAMP, T::Str) => self.temporal_literal(TemporalKind::DateTime),
            (Kw::NEXT | Kw::PREVIOUS, T::Kw(Kw::VALUE)) => self.sequence_value(),
            (Kw::SYSDATE, next) if next == T::LParen || self.options.mode.oracle => {
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
            Kw::GET_FORMAT => self.get_format(start),
            Kw::TIMESTAMPADD | Kw::TIMESTAMPDIFF => self.timestamp_function(kw, start),
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
            Kw::LAST_VALUE => self.last_value(start),
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

    /// `GET_FORMAT(DATE, ...)`
    fn get_format(&mut self, start: u32) -> SqlResult<Expr> {
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

    /// `TIMESTAMPADD(unit, ...)` and `TIMESTAMPDIFF(unit, ...)`
    fn timestamp_function(&mut self, kw: Kw, start: u32) -> SqlResult<Expr> {
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

    fn last_value(&mut self, start: u32) -> SqlResult<Expr> {
        self.advance();
        self.expect(T::LParen)?;
        let args = self.expr_list()?;
        self.expect(T::RParen)?;
        if self.at_kw(Kw::OVER) && args.len() == 1 {
            return self.window_call("last_value", (args, Vec::new()), false, start);
        }
        self.function("last_value", args, start)
    }

    /// `DEFAULT(column)`
    fn default_of_column(&mut self, start: u32) -> SqlResult<Expr> {
        self.advance();
        self.expect(T::LParen)?;
        let column = self.column_ref()?;
        self.expect(T::RParen)?;
        Ok(Expr::new(ExprKind::Default(Some(Box::new(column))), self.span_from(start)))
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
    pub(super) fn cast_to(&mut self, expr: Expr, start: u32) -> SqlResult<Expr> {
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
        let against = self.binary(Precedence::BitOr)?;
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
        let mut format = WeightFormat::default();
        let mut binary = false;
        if self.eat_kw(Kw::AS) {
            binary = self.at_kw(Kw::BINARY);
            if !binary && !self.at_kw(Kw::CHAR) {
                return Err(self.error());
            }
            self.advance();
            self.expect(T::LParen)?;
            let at = self.error();
            format.weights = self.small_number()?;
            if format.weights == 0 {
                return Err(at);
            }
            format.flags = 0x40;
            self.expect(T::RParen)?;
        } else if self.eat(T::Comma) {
            // The printed form: (expr, result length, characters, flags).
            format.result = self.small_number()?;
            self.expect(T::Comma)?;
            format.weights = self.small_number()?;
            self.expect(T::Comma)?;
            format.flags = self.small_number()? as u32;
        }
        if !binary && self.eat_kw(Kw::LEVEL) {
            self.weight_levels(&mut format.flags)?;
        }
        self.expect(T::RParen)?;
        self.node(ExprKind::WeightString { expr, format, binary }, self.span_from(start))
    }

    fn small_number(&mut self) -> SqlResult<usize> {
        Ok(usize::try_from(self.number()?).unwrap_or(usize::MAX).min(u32::MAX as usize))
    }

    /// The list behind LEVEL, as bits: those of the levels, of their DESC and of their REVERSE.
    fn weight_levels(&mut self, flags: &mut u32) -> SqlResult<()> {
        loop {
            let level = self.small_number()?.clamp(1, 6);
            if self.eat(T::Minus) {
                let last = self.small_number()?.clamp(1, 6);
                (level..=last).for_each(|n| *flags |= 1 << (n - 1));
            } else {
                let descending = !self.eat_kw(Kw::ASC) && self.eat_kw(Kw::DESC);
                let reverse = self.eat_kw(Kw::REVERSE);
                *flags |= (1 | u32::from(descending) << 8 | u32::from(reverse) << 16) << (level - 1);
            }
            if !self.eat(T::Comma) {
                return Ok(());
            }
        }
    }
}
