//! CREATE, ALTER and DROP SEQUENCE; SETVAL.

use super::Parser;
use super::create::CreateHead;
use crate::ast::*;
use crate::error::{SqlError, SqlResult, codes};
use crate::lex::{Kw, T};

/// Sets an option that is said once.
fn once<V>(place: &mut Option<V>, value: V, word: &str) -> SqlResult<()> {
    if place.is_some() {
        return Err(SqlError::new(codes::ER_DUP_ARGUMENT, &[&word]));
    }
    *place = Some(value);
    Ok(())
}

impl Parser<'_> {
    /// CREATE [OR REPLACE] [TEMPORARY] SEQUENCE, at the last word.
    pub(super) fn create_sequence(&mut self, head: &CreateHead) -> SqlResult<Statement> {
        self.advance();
        let if_not_exists = self.if_not_exists_or_replace(head.or_replace)?;
        let name = self.table_name()?;
        let mut options = SequenceOptions::default();
        while self.sequence_option(&mut options, false)? {}
        let mut table = TableOptions::default();
        self.table_options(&mut table)?;
        Ok(Statement::CreateSequence(Box::new(CreateSequence {
            or_replace: head.or_replace,
            temporary: head.temporary,
            if_not_exists,
            name,
            options,
            table,
        })))
    }

    /// ALTER SEQUENCE, at the last word.
    pub(super) fn alter_sequence(&mut self) -> SqlResult<Statement> {
        self.advance();
        let if_exists = self.if_exists()?;
        let name = self.table_name()?;
        let mut options = SequenceOptions::default();
        while self.sequence_option(&mut options, true)? {}
        if options == SequenceOptions::default() {
            return Err(self.error());
        }
        Ok(Statement::AlterSequence(Box::new(AlterSequence { if_exists, name, options })))
    }

    /// DROP [TEMPORARY] SEQUENCE, at the last word.
    pub(super) fn drop_sequence(&mut self, temporary: bool) -> SqlResult<Statement> {
        self.advance();
        let if_exists = self.if_exists()?;
        let names = self.table_names()?;
        Ok(Statement::DropSequence(DropTables { temporary, if_exists, names, wait: LockWait::Default }))
    }

    fn sequence_option(&mut self, o: &mut SequenceOptions, alter: bool) -> SqlResult<bool> {
        let Some(kw) = self.kw() else { return Ok(false) };
        match kw {
            Kw::INCREMENT => {
                self.advance();
                let _ = self.eat_kw(Kw::BY) || self.eat(T::Eq);
                once(&mut o.increment, self.whole_number()?, "INCREMENT")?;
            }
            Kw::START => {
                self.advance();
                let _ = self.eat_kw(Kw::WITH) || self.eat(T::Eq);
                once(&mut o.start, self.whole_number()?, "START")?;
            }
            Kw::MINVALUE => {
                self.advance();
                self.eat(T::Eq);
                once(&mut o.min, Some(self.whole_number()?), "MINVALUE")?;
            }
            Kw::MAXVALUE => {
                self.advance();
                self.eat(T::Eq);
                once(&mut o.max, Some(self.whole_number()?), "MAXVALUE")?;
            }
            Kw::NOMINVALUE => {
                self.advance();
                once(&mut o.min, None, "MINVALUE")?;
            }
            Kw::NOMAXVALUE => {
                self.advance();
                once(&mut o.max, None, "MAXVALUE")?;
            }
            Kw::NO => {
                let next = self.peek();
                match next {
                    T::Kw(Kw::MINVALUE) => {
                        self.advance();
                        self.advance();
                        once(&mut o.min, None, "MINVALUE")?;
                    }
                    T::Kw(Kw::MAXVALUE) => {
                        self.advance();
                        self.advance();
                        once(&mut o.max, None, "MAXVALUE")?;
                    }
                    _ => {
                        self.advance();
                        return Err(self.error());
                    }
                }
            }
            Kw::CACHE => {
                self.advance();
                self.eat(T::Eq);
                once(&mut o.cache, self.whole_number()?, "CACHE")?;
            }
            Kw::NOCACHE => {
                self.advance();
                once(&mut o.cache, 0, "CACHE")?;
            }
            Kw::CYCLE | Kw::NOCYCLE => {
                self.advance();
                once(&mut o.cycle, kw == Kw::CYCLE, "CYCLE")?;
            }
            Kw::RESTART if alter => {
                self.advance();
                let with = self.eat_kw(Kw::WITH) || self.eat(T::Eq);
                let number = with || self.at(T::Minus) || self.at(T::Int);
                let value = if number { Some(self.whole_number()?) } else { None };
                once(&mut o.restart, value, "RESTART")?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// SETVAL(seq, value [, used [, round]]).
    pub(super) fn setval(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        self.advance();
        self.expect(T::LParen)?;
        let name = self.table_name()?;
        self.expect(T::Comma)?;
        let value = self.whole_number()?;
        let used = !self.eat(T::Comma) || self.is_used()?;
        let round = if self.eat(T::Comma) { self.whole_number()? } else { 0 };
        self.expect(T::RParen)?;
        let set = SetSequence { name, value, used, round };
        Ok(Expr::new(ExprKind::SetSequence(Box::new(set)), self.span_from(start)))
    }

    /// Whether SETVAL's number counts as taken.
    fn is_used(&mut self) -> SqlResult<bool> {
        if self.eat_kw(Kw::FALSE) {
            return Ok(false);
        }
        Ok(self.eat_kw(Kw::TRUE) || self.whole_number()? != 0)
    }

    /// A whole number with its sign, from -(2^63-1) to 2^63-1.
    pub(super) fn whole_number(&mut self) -> SqlResult<i64> {
        let negative = self.eat(T::Minus);
        if !negative {
            self.eat(T::Plus);
        }
        if !self.at(T::Int) {
            return Err(self.error());
        }
        let text = self.text(self.tok);
        let n: Option<i64> = std::str::from_utf8(text).ok().and_then(|t| t.parse().ok());
        let Some(n) = n else { return Err(self.error()) };
        self.advance();
        Ok(if negative { -n } else { n })
    }
}
