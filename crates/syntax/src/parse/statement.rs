//! Which statement it is.

use super::Parser;
use super::error;
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::lex::{Kw, T};

impl<'a> Parser<'a> {
    /// One statement, up to `;` or the end.
    pub(crate) fn statement(&mut self) -> SqlResult<Statement> {
        self.enter()?;
        let statement = self.statement_inner();
        self.leave();
        statement
    }

    fn statement_inner(&mut self) -> SqlResult<Statement> {
        let Some(kw) = self.kw() else {
            if self.at(T::LParen) {
                return Ok(Statement::Select(Box::new(self.query_with(true)?)));
            }
            return Err(self.error());
        };
        match kw {
            Kw::SELECT | Kw::WITH | Kw::VALUES => Ok(Statement::Select(Box::new(self.query_with(true)?))),
            Kw::INSERT | Kw::REPLACE => self.insert(),
            Kw::UPDATE => self.update(),
            Kw::DELETE => self.delete(),
            Kw::LOAD => self.load(),
            Kw::HANDLER => self.handler(),
            Kw::SET => self.set(),
            Kw::SHOW => self.show(),
            Kw::DESCRIBE | Kw::DESC | Kw::EXPLAIN => self.describe(),
            Kw::ANALYZE => self.analyze(),
            Kw::CREATE => self.create(),
            Kw::ALTER => self.alter(),
            Kw::DROP => self.drop(),
            Kw::RENAME => self.rename(),
            Kw::TRUNCATE => self.truncate(),
            Kw::USE => {
                self.advance();
                Ok(Statement::Use(self.ident()?))
            }
            Kw::BEGIN => self.begin(),
            Kw::IF | Kw::CASE | Kw::LOOP | Kw::WHILE | Kw::REPEAT | Kw::FOR => self.anonymous(),
            Kw::SIGNAL | Kw::RESIGNAL => Ok(Statement::Signal(std::sync::Arc::new(self.signal()?))),
            Kw::GET => Ok(Statement::Diagnose(std::sync::Arc::new(self.get_diagnostics()?))),
            Kw::START => self.start(),
            Kw::COMMIT => {
                self.advance();
                Ok(Statement::Commit(self.completion()?))
            }
            Kw::ROLLBACK => self.rollback(),
            Kw::SAVEPOINT => {
                self.advance();
                Ok(Statement::Savepoint(self.ident()?))
            }
            Kw::RELEASE => self.release(),
            Kw::LOCK => self.lock_tables(),
            Kw::UNLOCK => {
                self.advance();
                self.table_word()?;
                Ok(Statement::UnlockTables)
            }
            Kw::CHECK | Kw::CHECKSUM | Kw::REPAIR | Kw::OPTIMIZE => self.maintain(),
            Kw::CACHE => self.cache_index(),
            Kw::FLUSH => self.flush(),
            Kw::RESET => self.reset(),
            Kw::KILL => self.kill(),
            Kw::PREPARE => self.prepare(),
            Kw::EXECUTE => self.execute(),
            Kw::DEALLOCATE => self.deallocate(),
            Kw::DO => {
                self.advance();
                Ok(Statement::Do(self.expr_list()?))
            }
            Kw::CALL => self.call(),
            Kw::GRANT | Kw::REVOKE => self.grant(),
            Kw::HELP => {
                self.advance();
                Ok(Statement::Help(self.ident_or_text()?))
            }
            Kw::SHUTDOWN => self.shutdown(),
            Kw::BACKUP => self.backup(),
            Kw::PURGE => self.purge(),
            Kw::BINLOG => {
                self.advance();
                self.string_token()?;
                Ok(Statement::OtherAdmin("BINLOG".into()))
            }
            Kw::CHANGE | Kw::STOP | Kw::INSTALL | Kw::UNINSTALL => self.other_admin(kw),
            Kw::XA => self.xa(),
            _ => Err(self.error()),
        }
    }

    fn release(&mut self) -> SqlResult<Statement> {
        self.advance();
        self.expect_kw(Kw::SAVEPOINT)?;
        Ok(Statement::ReleaseSavepoint(self.ident()?))
    }

    fn deallocate(&mut self) -> SqlResult<Statement> {
        self.advance();
        self.expect_kw(Kw::PREPARE)?;
        Ok(Statement::Deallocate(self.ident()?))
    }

    fn call(&mut self) -> SqlResult<Statement> {
        self.advance();
        let mut name = self.routine_name()?;
        if self.eat(T::Dot) {
            // database.package.routine
            name.name = self.ident_after_dot()?;
        }
        let mut args = Vec::new();
        if self.eat(T::LParen) {
            if !self.at(T::RParen) {
                args = self.comma_list(Self::argument_of_call)?;
            }
            self.expect(T::RParen)?;
        }
        Ok(Statement::Call(name, args))
    }

    /// An argument of CALL. A column of a trigger's row is not read by the body where it stands alone: it depends on the
    /// procedure what becomes of it.
    fn argument_of_call(&mut self) -> SqlResult<Expr> {
        let read = self.routine.as_ref().map(|r| r.fields_read()).unwrap_or_default();
        let e = self.expr()?;
        if let (ExprKind::Local(slot, _), Some(routine)) = (&e.kind, &mut self.routine)
            && !read.get(*slot as usize).copied().unwrap_or(false)
        {
            routine.pass_field(*slot);
        }
        Ok(e)
    }

    fn shutdown(&mut self) -> SqlResult<Statement> {
        self.advance();
        if self.eat_kw(Kw::WAIT) {
            self.expect_kw(Kw::FOR)?;
            self.expect_kw(Kw::ALL)?;
            if !self.eat_kw(Kw::SLAVES) {
                self.expect_kw(Kw::REPLICAS)?;
            }
        }
        Ok(Statement::Shutdown)
    }

    fn truncate(&mut self) -> SqlResult<Statement> {
        self.advance();
        self.eat_kw(Kw::TABLE);
        let name = self.table_name()?;
        let wait = self.lock_wait()?;
        Ok(Statement::Truncate(name, wait))
    }

    fn begin(&mut self) -> SqlResult<Statement> {
        if self.peek() == T::Kw(Kw::NOT) {
            return self.anonymous();
        }
        self.advance();
        self.eat_kw(Kw::WORK);
        Ok(Statement::Begin(Begin::default()))
    }

    fn prepare(&mut self) -> SqlResult<Statement> {
        self.advance();
        let name = self.ident()?;
        self.expect_kw(Kw::FROM)?;
        Ok(Statement::Prepare(name, self.expr()?))
    }

    /// BACKUP SERVER TO, at the word; BACKUP STAGE and BACKUP LOCK are passed over.
    fn backup(&mut self) -> SqlResult<Statement> {
        self.advance();
        if self.eat_kw(Kw::SERVER) {
            self.expect_kw(Kw::TO)?;
            let folder = self.string_token()?;
            let skip_damaged = self.eat_kw(Kw::SKIP);
            if skip_damaged {
                if !self.at_word("DAMAGED") {
                    return Err(self.error());
                }
                self.advance();
            }
            return Ok(Statement::BackupServer(folder, skip_damaged));
        }
        if self.at_kw(Kw::TABLE) {
            return Err(self.error());
        }
        self.skip_statement()?;
        Ok(Statement::OtherAdmin(Kw::BACKUP.word().into()))
    }

    /// Statements that are known by their first word only: the rest is passed over.
    pub(crate) fn other_admin(&mut self, kw: Kw) -> SqlResult<Statement> {
        self.advance();
        self.skip_statement()?;
        Ok(Statement::OtherAdmin(kw.word().into()))
    }

    /// PURGE {BINARY | MASTER} LOGS {TO 'file' | BEFORE date}.
    fn purge(&mut self) -> SqlResult<Statement> {
        self.advance();
        if !self.eat_kw(Kw::BINARY) {
            self.expect_kw(Kw::MASTER)?;
        }
        self.expect_kw(Kw::LOGS)?;
        if self.eat_kw(Kw::TO) {
            self.string_token()?;
        } else {
            self.expect_kw(Kw::BEFORE)?;
            let before = self.expr()?;
            if has_subquery(&before) {
                return Err(SqlError::new(error::codes::ER_SUBQUERIES_NOT_SUPPORTED, &[&"PURGE..BEFORE"]));
            }
        }
        Ok(Statement::OtherAdmin("PURGE".into()))
    }

    /// Goes to the end of the statement.
    pub(crate) fn skip_statement(&mut self) -> SqlResult<()> {
        while !matches!(self.tok.kind, T::Eof | T::Semi) {
            if self.at(T::Bad) {
                return Err(self.error());
            }
            self.advance();
        }
        Ok(())
    }

    /// START TRANSACTION (START SLAVE ... is passed over).
    fn start(&mut self) -> SqlResult<Statement> {
        self.advance();
        if matches!(self.kw(), Some(Kw::SLAVE | Kw::REPLICA | Kw::ALL)) {
            self.skip_statement()?;
            return Ok(Statement::OtherAdmin("START".into()));
        }
        self.expect_kw(Kw::TRANSACTION)?;
        let mut begin = Begin::default();
        let mut first = true;
        loop {
            match self.kw() {
                Some(Kw::WITH) if !begin.snapshot => {
                    self.advance();
                    self.expect_kw(Kw::CONSISTENT)?;
                    self.expect_kw(Kw::SNAPSHOT)?;
                    begin.snapshot = true;
                }
                Some(Kw::READ) => {
                    self.advance();
                    let read_only = self.at_kw(Kw::ONLY);
                    if !read_only && !self.at_kw(Kw::WRITE) {
                        return Err(self.error());
                    }
                    self.advance();
                    if begin.read_only.is_some_and(|r| r != read_only) {
                        return Err(self.error());
                    }
                    begin.read_only = Some(read_only);
                }
                _ if first => return Ok(Statement::Begin(begin)),
                _ => return Err(self.error()),
            }
            first = false;
            if !self.eat(T::Comma) {
                return Ok(Statement::Begin(begin));
            }
        }
    }

    /// [WORK] [AND [NO] CHAIN] [[NO] RELEASE].
    fn completion(&mut self) -> SqlResult<Completion> {
        self.eat_kw(Kw::WORK);
        self.chain_release()
    }

    fn chain_release(&mut self) -> SqlResult<Completion> {
        let mut completion = Completion::default();
        if self.eat_kw(Kw::AND) {
            let no = self.eat_kw(Kw::NO);
            self.expect_kw(Kw::CHAIN)?;
            completion.chain = Some(!no);
        }
        if self.at_kw(Kw::NO) {
            self.advance();
            self.expect_kw(Kw::RELEASE)?;
            completion.release = Some(false);
        } else if self.at_kw(Kw::RELEASE) {
            if completion.chain == Some(true) {
                return Err(self.error());
            }
            self.advance();
            completion.release = Some(true);
        }
        Ok(completion)
    }

    fn rollback(&mut self) -> SqlResult<Statement> {
        self.advance();
        self.eat_kw(Kw::WORK);
        if self.eat_kw(Kw::TO) {
            let next = self.peek();
            if self.at_kw(Kw::SAVEPOINT) && self.is_ident(next) {
                self.advance();
            }
            return Ok(Statement::RollbackTo(self.ident()?));
        }
        Ok(Statement::Rollback(self.chain_release()?))
    }

    fn execute(&mut self) -> SqlResult<Statement> {
        self.advance();
        if self.eat_kw(Kw::IMMEDIATE) {
            let text = self.expr()?;
            let using = if self.eat_kw(Kw::USING) { self.comma_list(Self::argument)? } else { Vec::new() };
            return Ok(Statement::ExecuteImmediate(text, using));
        }
        let name = self.ident()?;
        let using = if self.eat_kw(Kw::USING) { self.comma_list(Self::argument)? } else { Vec::new() };
        Ok(Statement::Execute(name, using))
    }

    /// What a parameter of EXECUTE is given.
    fn argument(&mut self) -> SqlResult<Argument> {
        if self.at_kw(Kw::DEFAULT) && self.peek() != T::LParen {
            self.advance();
            return Ok(Argument::Default);
        }
        if self.eat_kw(Kw::IGNORE) {
            return Ok(Argument::Ignore);
        }
        Ok(Argument::Value(self.expr()?))
    }

    /// DESCRIBE / EXPLAIN of a table or a statement.
    fn describe(&mut self) -> SqlResult<Statement> {
        self.advance();
        let mut explain = Explain {
            analyze: false,
            extended: false,
            partitions: false,
            format: None,
            target: ExplainTarget::Statement(Box::new(Statement::UnlockTables), Span::default()),
        };
        match self.kw() {
            Some(Kw::EXTENDED) if self.peek_explainable() => {
                self.advance();
                explain.extended = true;
            }
            Some(Kw::PARTITIONS) if self.peek_explainable() => {
                self.advance();
                explain.partitions = true;
            }
            Some(Kw::FORMAT) if self.peek() == T::Eq => {
                self.advance();
                self.advance();
                let token = self.tok;
                let name = self.ident_or_text()?;
                self.check_format(&name, token.start)?;
                explain.format = Some(name);
            }
            Some(Kw::FOR) => {}
            _ if self.at_explainable() => {}
            _ => return self.describe_table(),
        }
        if self.eat_kw(Kw::FOR) {
            self.expect_kw(Kw::CONNECTION)?;
            explain.target = ExplainTarget::Connection(self.expr()?);
            return Ok(Statement::Explain(Box::new(explain)));
        }
        self.explained(explain)
    }

    fn check_format(&self, name: &str, _at: u32) -> SqlResult<()> {
        if name.eq_ignore_ascii_case("json") || name.eq_ignore_ascii_case("traditional") {
            return Ok(());
        }
        Err(SqlError::new(error::ER_UNKNOWN_EXPLAIN_FORMAT, &[&"EXPLAIN/ANALYZE", &name]))
    }

    fn at_explainable(&self) -> bool {
        matches!(
            self.tok.kind,
            T::LParen
                | T::Kw(
                    Kw::SELECT | Kw::WITH | Kw::VALUES | Kw::INSERT | Kw::REPLACE | Kw::UPDATE | Kw::DELETE
                )
        )
    }

    fn peek_explainable(&mut self) -> bool {
        matches!(
            self.peek(),
            T::LParen
                | T::Kw(
                    Kw::SELECT | Kw::WITH | Kw::VALUES | Kw::INSERT | Kw::REPLACE | Kw::UPDATE | Kw::DELETE
                )
        )
    }

    fn describe_table(&mut self) -> SqlResult<Statement> {
        let table = self.table_name()?;
        let column = match self.tok.kind {
            T::Str => Some(self.ident_or_text()?),
            _ if self.at_ident() => Some(self.ident()?),
            _ => None,
        };
        Ok(Statement::Describe(table, column))
    }

    fn explained(&mut self, mut explain: Explain) -> SqlResult<Statement> {
        if !self.at_explainable() {
            return Err(self.error());
        }
        let start = self.tok.start;
        let statement = self.statement()?;
        explain.target = ExplainTarget::Statement(Box::new(statement), self.span_from(start));
        Ok(Statement::Explain(Box::new(explain)))
    }

    /// ANALYZE TABLE, or ANALYZE of a statement.
    fn analyze(&mut self) -> SqlResult<Statement> {
        if let T::Kw(Kw::TABLE | Kw::TABLES | Kw::LOCAL | Kw::NO_WRITE_TO_BINLOG) = self.peek() {
            return self.maintain();
        }
        self.advance();
        let mut explain = Explain {
            analyze: true,
            extended: false,
            partitions: false,
            format: None,
            target: ExplainTarget::Statement(Box::new(Statement::UnlockTables), Span::default()),
        };
        if self.at_kw(Kw::FORMAT) && self.peek() == T::Eq {
            self.advance();
            self.advance();
            let token = self.tok;
            let name = self.ident_or_text()?;
            self.check_format(&name, token.start)?;
            explain.format = Some(name);
        }
        self.explained(explain)
    }

    /// TABLE or TABLES.
    pub(crate) fn table_word(&mut self) -> SqlResult<()> {
        if self.eat_kw(Kw::TABLES) { Ok(()) } else { self.expect_kw(Kw::TABLE) }
    }
}

/// Whether a subquery is in an expression.
fn has_subquery(e: &Expr) -> bool {
    let mut found = matches!(
        e.kind,
        ExprKind::Subquery(_)
            | ExprKind::Exists(..)
            | ExprKind::InSubquery { .. }
            | ExprKind::Quantified { .. }
    );
    e.kind.for_children(&mut |c| found = found || has_subquery(c));
    found
}
