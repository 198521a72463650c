//! CREATE, ALTER and DROP of procedures and functions, around their bodies.

use std::sync::Arc;

use super::Parser;
use crate::ast::program::{Mode, Parameter};
use crate::ast::*;
use crate::error::{self, SqlError, SqlResult, codes};
use crate::lex::{Kw, T};
use crate::parse::builder::{Builder, Kind};

impl Parser<'_> {
    /// CREATE [OR REPLACE] [DEFINER = ...] PROCEDURE or FUNCTION, at that word.
    pub(crate) fn create_routine(
        &mut self,
        or_replace: bool,
        definer: Option<Account>,
    ) -> SqlResult<Statement> {
        let aggregate = self.eat_kw(Kw::AGGREGATE);
        if aggregate && !self.at_kw(Kw::FUNCTION) {
            return Err(self.error());
        }
        let function = self.at_kw(Kw::FUNCTION);
        if self.routine.is_some() {
            return Err(SqlError::new(codes::ER_SP_NO_RECURSIVE_CREATE, &[&routine_word(function)]));
        }
        self.advance();
        let if_not_exists = self.if_not_exists_or_replace(or_replace)?;
        let name = self.routine_name()?;
        if function && matches!(self.kw(), Some(Kw::RETURNS | Kw::SONAME)) {
            // a function of a library
            return Err(SqlError::not_supported("CREATE FUNCTION ... SONAME"));
        }
        let kind = if function { Kind::Function } else { Kind::Procedure };
        let mut builder = Builder::new(kind);
        builder.program.aggregate = aggregate;
        self.routine = Some(Box::new(builder));
        let read = self.routine_rest(function);
        let builder = self.routine.take();
        let (parameters, returns, characteristics, body) = read?;
        let Some(builder) = builder else { return Err(self.error()) };
        let (returned, fetches_group) = (builder.returned, builder.fetches_group);
        let mut program = builder.program;
        program.text = self.sql().into();
        program.returns.clone_from(&returns);
        undeclared::check(&program)?;
        Ok(Statement::CreateRoutine(Box::new(CreateRoutine {
            or_replace,
            if_not_exists,
            definer,
            function,
            fetches_group,
            name,
            parameters,
            returns,
            returned,
            characteristics,
            body,
            program: Arc::new(program),
        })))
    }

    /// A name as routines have them.
    pub(super) fn routine_name(&mut self) -> SqlResult<TableName> {
        let start = self.tok.start;
        let first = self.ident()?;
        let (db, name) = match self.eat(T::Dot) {
            true => (Some(first), self.ident_after_dot()?),
            false => (None, first),
        };
        if let Some(db) = &db {
            super::check_db_name(db)?;
        }
        if name.is_empty() || name.ends_with(' ') {
            return Err(SqlError::new(error::ER_SP_WRONG_NAME, &[&name]));
        }
        if name.chars().count() > 64 {
            return Err(SqlError::new(error::ER_TOO_LONG_IDENT, &[&name]));
        }
        Ok(TableName { db, name, span: self.span_from(start) })
    }

    fn routine_rest(
        &mut self,
        function: bool,
    ) -> SqlResult<(Span, Option<Box<DataType>>, Characteristics, Span)> {
        if !self.at(T::LParen) {
            return Err(self.error());
        }
        let start = self.tok.end;
        self.advance();
        while !self.at(T::RParen) {
            let parameter = self.parameter()?;
            let name = parameter.name.clone();
            if !self.body().parameter(parameter) {
                return Err(SqlError::new(codes::ER_SP_DUP_PARAM, &[&name]));
            }
            if !self.eat(T::Comma) {
                break;
            }
            if self.at(T::RParen) {
                return Err(self.error());
            }
        }
        let parameters = Span::new(start, self.tok.start);
        self.expect(T::RParen)?;
        let returns = if function {
            self.expect_kw(Kw::RETURNS)?;
            if self.at_kw(Kw::ROW) {
                return Err(self.error());
            }
            Some(Box::new(self.declared_type()?))
        } else {
            None
        };
        let characteristics = self.characteristics(true)?;
        let start = self.tok.start;
        if self.at(T::Eof) {
            return Err(self.error());
        }
        self.body_statement()?;
        Ok((parameters, returns, characteristics, self.span_from(start)))
    }

    fn parameter(&mut self) -> SqlResult<Parameter> {
        let mode = match self.kw() {
            Some(Kw::IN) => Some(Mode::In),
            Some(Kw::OUT) => Some(Mode::Out),
            Some(Kw::INOUT) => Some(Mode::InOut),
            _ => None,
        };
        if mode.is_some() {
            self.advance();
        }
        let name = self.ident()?;
        let ty = self.variable_type()?;
        Ok(Parameter { mode: mode.unwrap_or_default(), name, ty })
    }

    fn characteristics(&mut self, create: bool) -> SqlResult<Characteristics> {
        let mut c = Characteristics::default();
        loop {
            let next = self.peek();
            match (self.kw(), next) {
                (Some(Kw::COMMENT), _) => {
                    self.advance();
                    c.comment = Some(self.string_token()?);
                }
                (Some(Kw::LANGUAGE), _) => {
                    self.advance();
                    self.expect_kw(Kw::SQL)?;
                }
                (Some(Kw::DETERMINISTIC), _) if create => {
                    self.advance();
                    c.deterministic = Some(true);
                }
                (Some(Kw::NOT), T::Kw(Kw::DETERMINISTIC)) if create => {
                    self.advance();
                    self.advance();
                    c.deterministic = Some(false);
                }
                (Some(Kw::CONTAINS), T::Kw(Kw::SQL)) => {
                    self.advance();
                    self.advance();
                    c.access = Some(DataAccess::Contains);
                }
                (Some(Kw::NO), T::Kw(Kw::SQL)) => {
                    self.advance();
                    self.advance();
                    c.access = Some(DataAccess::None);
                }
                (Some(kw @ (Kw::READS | Kw::MODIFIES)), _) => {
                    self.advance();
                    self.expect_kw(Kw::SQL)?;
                    self.expect_kw(Kw::DATA)?;
                    c.access = Some(if kw == Kw::READS { DataAccess::Reads } else { DataAccess::Modifies });
                }
                (Some(Kw::SQL), T::Kw(Kw::SECURITY)) => {
                    self.advance();
                    self.advance();
                    let invoker = self.eat_kw(Kw::INVOKER);
                    if !invoker {
                        self.expect_kw(Kw::DEFINER)?;
                    }
                    c.invoker = Some(invoker);
                }
                _ => return Ok(c),
            }
        }
    }

    /// ALTER PROCEDURE or FUNCTION, at that word.
    pub(crate) fn alter_routine(&mut self) -> SqlResult<Statement> {
        let function = self.at_kw(Kw::FUNCTION);
        self.advance();
        let name = self.routine_name()?;
        let characteristics = self.characteristics(false)?;
        Ok(Statement::AlterRoutine(Box::new(AlterRoutine { function, name, characteristics })))
    }

    /// DROP PROCEDURE or FUNCTION, at that word.
    pub(crate) fn drop_routine(&mut self) -> SqlResult<Statement> {
        let function = self.at_kw(Kw::FUNCTION);
        self.advance();
        let if_exists = self.if_exists()?;
        let name = self.routine_name()?;
        if self.routine.is_some() {
            return Err(SqlError::new(codes::ER_SP_NO_DROP_SP, &[&routine_word(function)]));
        }
        Ok(Statement::DropRoutine(Box::new(DropRoutine { function, if_exists, name })))
    }
}
