//! CREATE, ALTER and DROP EVENT.

use std::sync::Arc;

use super::Parser;
use super::builder::{Builder, Kind};
use crate::ast::*;
use crate::error::{SqlError, SqlResult, codes};
use crate::lex::{Kw, T};

impl Parser<'_> {
    /// CREATE [OR REPLACE] [DEFINER = ...] EVENT, at the word.
    pub(super) fn create_event(
        &mut self,
        or_replace: bool,
        definer: Option<Account>,
    ) -> SqlResult<Statement> {
        self.advance();
        let if_not_exists = self.if_not_exists_or_replace(or_replace)?;
        let name = self.routine_name()?;
        self.expect_kw(Kw::ON)?;
        let mut clauses = EventClauses { definer, schedule: Some(self.schedule()?), ..Default::default() };
        if self.eat_kw(Kw::ON) {
            clauses.preserve = Some(self.on_completion()?);
        }
        self.event_status(&mut clauses)?;
        if !self.at_kw(Kw::DO) {
            return Err(self.error());
        }
        self.event_body(&mut clauses)?;
        let create = CreateEvent { or_replace, if_not_exists, name, clauses };
        Ok(Statement::CreateEvent(Box::new(create)))
    }

    /// ALTER [DEFINER = ...] EVENT, at the word.
    pub(super) fn alter_event(&mut self, definer: Option<Account>) -> SqlResult<Statement> {
        self.advance();
        let name = self.routine_name()?;
        let mut clauses = EventClauses { definer, ..Default::default() };
        if self.at_kw(Kw::ON) && self.peek() == T::Kw(Kw::SCHEDULE) {
            self.advance();
            clauses.schedule = Some(self.schedule()?);
        }
        if self.eat_kw(Kw::ON) {
            clauses.preserve = Some(self.on_completion()?);
        }
        let mut rename = None;
        if self.eat_kw(Kw::RENAME) {
            self.expect_kw(Kw::TO)?;
            rename = Some(self.routine_name()?);
        }
        self.event_status(&mut clauses)?;
        self.event_body(&mut clauses)?;
        if clauses.is_empty() && rename.is_none() {
            return Err(self.error());
        }
        Ok(Statement::AlterEvent(Box::new(AlterEvent { name, rename, clauses })))
    }

    /// DROP EVENT, at that word.
    pub(super) fn drop_event(&mut self) -> SqlResult<Statement> {
        self.advance();
        let if_exists = self.if_exists()?;
        let name = self.routine_name()?;
        Ok(Statement::DropEvent(DropEvent { if_exists, name }))
    }

    /// SCHEDULE AT or EVERY.
    fn schedule(&mut self) -> SqlResult<Schedule> {
        self.expect_kw(Kw::SCHEDULE)?;
        if self.eat_kw(Kw::AT) {
            return Ok(Schedule::At(self.expr()?));
        }
        self.expect_kw(Kw::EVERY)?;
        let amount = self.expr()?;
        let unit = self.interval_unit()?;
        let starts = if self.eat_kw(Kw::STARTS) { Some(self.expr()?) } else { None };
        let ends = if self.eat_kw(Kw::ENDS) { Some(self.expr()?) } else { None };
        Ok(Schedule::Every { amount, unit, starts, ends })
    }

    /// COMPLETION [NOT] PRESERVE.
    fn on_completion(&mut self) -> SqlResult<bool> {
        self.expect_kw(Kw::COMPLETION)?;
        let not = self.eat_kw(Kw::NOT);
        self.expect_kw(Kw::PRESERVE)?;
        Ok(!not)
    }

    /// ENABLE, DISABLE [ON SLAVE]; COMMENT.
    fn event_status(&mut self, clauses: &mut EventClauses) -> SqlResult<()> {
        if self.eat_kw(Kw::ENABLE) {
            clauses.status = Some(EventStatus::Enabled);
        } else if self.eat_kw(Kw::DISABLE) {
            clauses.status = Some(EventStatus::Disabled);
            if self.eat_kw(Kw::ON) {
                self.expect_kw(Kw::SLAVE)?;
                clauses.status = Some(EventStatus::SlavesideDisabled);
            }
        }
        if self.eat_kw(Kw::COMMENT) {
            clauses.comment = Some(self.string_token()?);
        }
        Ok(())
    }

    /// DO and the body, where they stand here.
    fn event_body(&mut self, clauses: &mut EventClauses) -> SqlResult<()> {
        if !self.at_kw(Kw::DO) {
            return Ok(());
        }
        if self.routine.is_some() {
            return Err(SqlError::new(codes::ER_EVENT_RECURSION_FORBIDDEN, &[]));
        }
        self.advance();
        if self.at(T::Eof) {
            return Err(self.error());
        }
        let start = self.tok.start;
        self.routine = Some(Box::new(Builder::new(Kind::Procedure)));
        let read = self.body_statement();
        let builder = self.routine.take();
        read?;
        let Some(builder) = builder else { return Err(self.error()) };
        let mut program = builder.program;
        program.text = self.sql().into();
        undeclared::check(&program)?;
        clauses.body = Some(EventBody { text: self.span_from(start), program: Arc::new(program) });
        Ok(())
    }
}
