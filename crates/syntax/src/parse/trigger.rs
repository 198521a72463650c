//! CREATE TRIGGER and DROP TRIGGER.

use std::sync::Arc;

use super::Parser;
use super::builder::{Builder, Kind};
use crate::ast::*;
use crate::error::{SqlError, SqlResult, codes};
use crate::lex::{Kw, T};

impl Parser<'_> {
    /// CREATE [OR REPLACE] [DEFINER = ...] TRIGGER, at the word.
    pub(super) fn create_trigger(
        &mut self,
        or_replace: bool,
        definer: Option<Account>,
    ) -> SqlResult<Statement> {
        let start = self.tok.start;
        if self.routine.is_some() {
            return Err(SqlError::new(codes::ER_SP_NO_RECURSIVE_CREATE, &[&"TRIGGER"]));
        }
        self.advance();
        let if_not_exists = self.if_not_exists_or_replace(or_replace)?;
        let name = self.routine_name()?;
        let after = self.at_kw(Kw::AFTER);
        if !after && !self.at_kw(Kw::BEFORE) {
            return Err(self.error());
        }
        self.advance();
        let event = match self.kw() {
            Some(Kw::INSERT) => TriggerEvent::Insert,
            Some(Kw::UPDATE) => TriggerEvent::Update,
            Some(Kw::DELETE) => TriggerEvent::Delete,
            _ => return Err(self.error()),
        };
        self.advance();
        let on = self.tok.start;
        self.expect_kw(Kw::ON)?;
        let table = self.table_name()?;
        let on = self.span_from(on);
        self.expect_kw(Kw::FOR)?;
        self.expect_kw(Kw::EACH)?;
        self.expect_kw(Kw::ROW)?;
        let head = self.span_from(start);
        let order = match self.kw() {
            Some(kw @ (Kw::FOLLOWS | Kw::PRECEDES)) if self.peek() != T::Colon => {
                self.advance();
                Some((kw == Kw::FOLLOWS, self.ident()?))
            }
            _ => None,
        };
        let tail = self.prev_end;
        if self.at(T::Eof) {
            return Err(self.error());
        }
        let body = self.tok.start;
        let mut builder = Builder::new(Kind::Trigger);
        let (new, old) = (event != TriggerEvent::Delete, event != TriggerEvent::Insert);
        builder.row = (new && !after, new, old);
        self.routine = Some(Box::new(builder));
        let read = self.body_statement();
        let builder = self.routine.take();
        read?;
        let Some(builder) = builder else { return Err(self.error()) };
        let mut program = builder.program;
        program.text = self.sql().into();
        undeclared::check(&program)?;
        Ok(Statement::CreateTrigger(Box::new(CreateTrigger {
            or_replace,
            if_not_exists,
            definer,
            name,
            after,
            event,
            table,
            order,
            head,
            on,
            tail: self.span_from(tail),
            body: self.span_from(body),
            program: Arc::new(program),
        })))
    }

    /// DROP TRIGGER, at that word.
    pub(super) fn drop_trigger(&mut self) -> SqlResult<Statement> {
        self.advance();
        let if_exists = self.if_exists()?;
        let name = self.routine_name()?;
        Ok(Statement::DropTrigger(DropTrigger { if_exists, name }))
    }
}
