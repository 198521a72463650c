//! The body of a routine: blocks, flow, and the statements that only bodies have. Instructions are made while it is read.

use std::sync::Arc;

use super::Parser;
use crate::ast::program::{Instruction, Target, VariableType};
use crate::ast::*;
use crate::error::{self, SqlError, SqlResult, codes};
use crate::lex::{Kw, T};
use crate::parse::builder::{Builder, Kind};

impl Parser<'_> {
    /// What is kept of the body that is read. There is one whenever a body is read.
    pub(super) fn body(&mut self) -> &mut Builder {
        self.routine.get_or_insert_with(|| Box::new(Builder::new(Kind::Anonymous)))
    }

    fn kind(&self) -> Kind {
        self.routine.as_ref().map_or(Kind::Anonymous, |r| r.kind)
    }

    pub(super) fn emit(&mut self, instruction: Instruction) -> u32 {
        let place = self.prev_end;
        let body = self.body();
        body.place = place;
        body.emit(instruction)
    }

    /// A statement of a body, without the `;` behind it.
    pub(super) fn body_statement(&mut self) -> SqlResult<()> {
        self.enter()?;
        let result = self.body_statement_inner();
        self.leave();
        result
    }

    fn body_statement_inner(&mut self) -> SqlResult<()> {
        let begin = self.tok.start;
        self.body().begin = begin;
        if self.at_ident() && self.peek() == T::Colon {
            let name = self.ident()?;
            self.advance();
            return self.labelled(name);
        }
        let Some(kw) = self.kw() else {
            if self.at_ident() {
                // it might be a label: what is wrong is behind it
                self.advance();
                return Err(self.error());
            }
            return self.plain_statement();
        };
        match kw {
            Kw::BEGIN => self.block(None),
            Kw::IF => self.if_statement(),
            Kw::CASE => self.case_statement(),
            Kw::LOOP | Kw::WHILE | Kw::REPEAT | Kw::FOR => self.loop_statement(None),
            Kw::LEAVE | Kw::ITERATE => self.leave_or_iterate(kw),
            Kw::RETURN => self.return_statement(),
            Kw::OPEN => self.open_cursor(),
            Kw::FETCH => self.fetch(),
            Kw::CLOSE => {
                self.advance();
                let cursor = self.cursor_name()?;
                self.emit(Instruction::Close(cursor));
                Ok(())
            }
            Kw::SET => self.set_in_body(),
            Kw::SIGNAL | Kw::RESIGNAL => {
                let signal = self.signal()?;
                self.emit(Instruction::Signal(Arc::new(signal)));
                Ok(())
            }
            Kw::GET => {
                let diagnosed = self.get_diagnostics()?;
                self.emit(Instruction::Diagnose(Arc::new(diagnosed)));
                Ok(())
            }
            _ => self.plain_statement(),
        }
    }

    /// A statement as there are outside of bodies.
    fn plain_statement(&mut self) -> SqlResult<()> {
        let statement = self.statement()?;
        super::routine_limits::check(&statement, self.kind())?;
        self.emit(Instruction::Statement(Arc::new(statement)));
        Ok(())
    }

    /// Statements, each with a `;` behind it, up to a word that ends the list.
    pub(super) fn statement_list(&mut self, ends: &[Kw]) -> SqlResult<()> {
        loop {
            if let T::Kw(kw) = self.tok.kind
                && ends.contains(&kw)
                && self.peek() != T::Colon
            {
                return Ok(());
            }
            self.body_statement()?;
            self.expect(T::Semi)?;
        }
    }

    /// As [`Self::statement_list`], of one statement or more.
    fn statements(&mut self, ends: &[Kw]) -> SqlResult<()> {
        self.body_statement()?;
        self.expect(T::Semi)?;
        self.statement_list(ends)
    }

    fn labelled(&mut self, name: Name) -> SqlResult<()> {
        match self.kw() {
            Some(Kw::BEGIN) => self.block(Some(name)),
            Some(Kw::LOOP | Kw::WHILE | Kw::REPEAT | Kw::FOR) => self.loop_statement(Some(name)),
            _ => Err(self.error()),
        }
    }

    fn begin_label(&mut self, name: Option<&Name>, begin: Option<u32>) -> SqlResult<()> {
        if self.body().begin_label(name.cloned(), begin) {
            return Ok(());
        }
        Err(SqlError::new(codes::ER_SP_LABEL_REDEFINE, &[&name.map_or("", |n| n)]))
    }

    /// The label behind END.
    fn end_label(&mut self, name: Option<&Name>) -> SqlResult<()> {
        if self.at_ident() {
            let end = self.ident()?;
            if !name.is_some_and(|n| crate::names::same_name(n, &end)) {
                return Err(SqlError::new(codes::ER_SP_LABEL_MISMATCH, &[&end]));
            }
        }
        Ok(())
    }

    /// BEGIN ... END, at the word.
    pub(super) fn block(&mut self, label: Option<Name>) -> SqlResult<()> {
        self.advance();
        if self.at_kw(Kw::NOT) {
            self.advance();
            self.expect_kw(Kw::ATOMIC)?;
        }
        let first_cursor = self.body().cursor_count();
        self.begin_label(label.as_ref(), None)?;
        self.body().begin_names();
        let begin = self.body().here();
        let (handlers, exits) = self.declarations()?;
        let outer = self.body().enter_scope(handlers, begin);
        self.statement_list(&[Kw::END])?;
        self.expect_kw(Kw::END)?;
        let body = self.body();
        body.scope = outer;
        let end = body.here();
        for at in exits {
            body.patch(at, end);
        }
        body.forget_from(first_cursor);
        body.end_names();
        body.end_label();
        self.end_label(label.as_ref())
    }

    /// IF, at the word.
    fn if_statement(&mut self) -> SqlResult<()> {
        let mut ends = Vec::new();
        let mut tests = Vec::new();
        loop {
            self.advance();
            let condition = self.expr()?;
            self.expect_kw(Kw::THEN)?;
            let test = self.emit(Instruction::JumpUnless(condition, 0, 0));
            tests.push(test);
            self.statements(&[Kw::ELSEIF, Kw::ELSE, Kw::END])?;
            ends.push(self.emit(Instruction::Jump(0)));
            let here = self.body().here();
            self.body().patch(test, here);
            if !self.at_kw(Kw::ELSEIF) {
                break;
            }
        }
        if self.eat_kw(Kw::ELSE) {
            self.statements(&[Kw::END])?;
        }
        self.expect_kw(Kw::END)?;
        self.expect_kw(Kw::IF)?;
        self.meet(&ends, &tests);
        Ok(())
    }

    /// Jumps to, and goes on after a failed condition at, this place.
    fn meet(&mut self, ends: &[u32], tests: &[u32]) {
        let body = self.body();
        let here = body.here();
        for at in ends {
            body.patch(*at, here);
        }
        for at in tests {
            body.patch_after(*at, here);
        }
    }

    /// CASE, at the word.
    fn case_statement(&mut self) -> SqlResult<()> {
        self.advance();
        let (mut ends, mut tests) = (Vec::new(), Vec::new());
        let operand = if self.at_kw(Kw::WHEN) {
            None
        } else {
            let e = self.expr()?;
            let slot = self.body().slot("".into(), VariableType::Any);
            tests.push(self.emit(Instruction::Operand(slot, e, 0)));
            Some(slot)
        };
        if !self.at_kw(Kw::WHEN) {
            return Err(self.error());
        }
        while self.at_kw(Kw::WHEN) {
            self.advance();
            let when = self.expr()?;
            let condition = match operand {
                None => when,
                Some(slot) => {
                    let span = when.span;
                    let left = Expr::new(ExprKind::Local(slot, "".into()), span);
                    self.node(ExprKind::Binary(BinaryOp::Eq, Box::new(left), Box::new(when)), span)?
                }
            };
            self.expect_kw(Kw::THEN)?;
            let test = self.emit(Instruction::JumpUnless(condition, 0, 0));
            tests.push(test);
            self.statements(&[Kw::WHEN, Kw::ELSE, Kw::END])?;
            ends.push(self.emit(Instruction::Jump(0)));
            let here = self.body().here();
            self.body().patch(test, here);
        }
        if self.eat_kw(Kw::ELSE) {
            self.statements(&[Kw::END])?;
        } else {
            self.emit(Instruction::NoCase);
        }
        self.expect_kw(Kw::END)?;
        self.expect_kw(Kw::CASE)?;
        self.meet(&ends, &tests);
        Ok(())
    }

    /// LOOP, WHILE, REPEAT, FOR, at the word.
    fn loop_statement(&mut self, label: Option<Name>) -> SqlResult<()> {
        if self.at_kw(Kw::FOR) {
            return self.for_statement(label);
        }
        let kw = self.kw();
        self.advance();
        let begin = self.body().here();
        self.begin_label(label.as_ref(), Some(begin))?;
        match kw {
            Some(Kw::WHILE) => {
                let condition = self.expr()?;
                self.expect_kw(Kw::DO)?;
                let test = self.emit(Instruction::JumpUnless(condition, 0, 0));
                self.statements(&[Kw::END])?;
                self.expect_kw(Kw::END)?;
                self.expect_kw(Kw::WHILE)?;
                self.emit(Instruction::Jump(begin));
                self.meet(&[test], &[test]);
            }
            Some(Kw::REPEAT) => {
                self.statements(&[Kw::UNTIL])?;
                self.expect_kw(Kw::UNTIL)?;
                let condition = self.expr()?;
                self.expect_kw(Kw::END)?;
                self.expect_kw(Kw::REPEAT)?;
                let test = self.emit(Instruction::JumpUnless(condition, begin, 0));
                self.meet(&[], &[test]);
            }
            _ => {
                self.statements(&[Kw::END])?;
                self.expect_kw(Kw::END)?;
                self.expect_kw(Kw::LOOP)?;
                self.emit(Instruction::Jump(begin));
            }
        }
        self.body().end_label();
        self.end_label(label.as_ref())
    }

    fn leave_or_iterate(&mut self, kw: Kw) -> SqlResult<()> {
        self.advance();
        let name = self.ident()?;
        let found = if kw == Kw::LEAVE { self.body().leave(&name) } else { self.body().iterate(&name) };
        if found { Ok(()) } else { Err(SqlError::new(codes::ER_SP_LILABEL_MISMATCH, &[&kw.word(), &name])) }
    }

    fn return_statement(&mut self) -> SqlResult<()> {
        self.advance();
        if self.kind() != Kind::Function {
            return Err(SqlError::new(codes::ER_SP_BADRETURN, &[]));
        }
        let e = self.expr()?;
        self.body().returned = true;
        self.emit(Instruction::Return(e));
        Ok(())
    }

    pub(super) fn cursor_name(&mut self) -> SqlResult<u32> {
        let name = self.ident()?;
        self.body().find_cursor(&name).ok_or_else(|| SqlError::new(codes::ER_SP_CURSOR_MISMATCH, &[&name]))
    }

    fn open_cursor(&mut self) -> SqlResult<()> {
        self.advance();
        let cursor = self.cursor_name()?;
        let arguments = self.cursor_arguments(cursor)?;
        self.emit(Instruction::Open(cursor, arguments));
        Ok(())
    }

    /// The values of a cursor's parameters.
    pub(super) fn cursor_arguments(&mut self, cursor: u32) -> SqlResult<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.eat(T::LParen) {
            if !self.at(T::RParen) {
                arguments = self.expr_list()?;
            }
            self.expect(T::RParen)?;
        }
        let c = self.body().program.cursors.get(cursor as usize);
        if let Some((name, wanted)) = c.map(|c| (c.name.clone(), c.parameters.len()))
            && wanted != arguments.len()
        {
            return Err(SqlError::new(codes::ER_WRONG_PARAMCOUNT_TO_CURSOR, &[&name]));
        }
        Ok(arguments)
    }

    fn fetch(&mut self) -> SqlResult<()> {
        self.advance();
        if self.eat_kw(Kw::GROUP) {
            self.expect_kw(Kw::NEXT)?;
            self.expect_kw(Kw::ROW)?;
            if !self.body().program.aggregate {
                return Err(SqlError::new(codes::ER_NOT_AGGREGATE_FUNCTION, &[]));
            }
            self.body().fetches_group = true;
            self.emit(Instruction::FetchGroup);
            return Ok(());
        }
        if self.at_kw(Kw::NEXT) && self.peek() == T::Kw(Kw::FROM) {
            self.advance();
            self.advance();
        } else {
            self.eat_kw(Kw::FROM);
        }
        let cursor = self.cursor_name()?;
        self.expect_kw(Kw::INTO)?;
        let targets = self.comma_list(|p| match p.tok.kind {
            T::UserVar | T::At => Err(p.error()),
            _ => p.target(),
        })?;
        self.emit(Instruction::Fetch(cursor, targets));
        Ok(())
    }

    /// A variable that gets a value: `@name`, one of the routine, NEW.column.
    pub(super) fn target(&mut self) -> SqlResult<Target> {
        match self.tok.kind {
            T::UserVar => {
                let name = self.to_utf8(&self.text(self.tok)[1..])?;
                self.advance();
                Ok(Target::User(name))
            }
            T::At => Ok(Target::User(self.quoted_variable()?)),
            _ => {
                let name = self.ident()?;
                if self.at(T::Dot) && self.routine.is_some() {
                    if self.is_row(&name) {
                        return Err(SqlError::new(error::ER_SP_UNDECLARED_VAR, &[&name]));
                    }
                    self.check_target(&name)?;
                    self.advance();
                    let field = self.ident_after_dot()?;
                    return Ok(Target::Local(self.assigned_field(&name, &field)?));
                }
                let found = self.routine.as_ref().and_then(|r| r.variable(&name));
                found.map(Target::Local).ok_or_else(|| SqlError::new(error::ER_SP_UNDECLARED_VAR, &[&name]))
            }
        }
    }

    /// SET in a body: each assignment is an instruction.
    fn set_in_body(&mut self) -> SqlResult<()> {
        let Statement::Set(items) = self.statement()? else {
            return Err(SqlError::new(error::ER_SP_BADSTATEMENT, &[&"SET STATEMENT"]));
        };
        for item in items {
            match item {
                SetItem::Local(slot, e) => self.emit(Instruction::Set(slot, e)),
                SetItem::System(SystemVariable { base: Some(base), name, .. }, _)
                    if !name.starts_with("key_") =>
                {
                    return Err(SqlError::new(error::ER_UNKNOWN_STRUCTURED_VARIABLE, &[&base]));
                }
                other => {
                    let statement = Statement::Set(vec![other]);
                    super::routine_limits::check(&statement, self.kind())?;
                    self.emit(Instruction::Statement(Arc::new(statement)))
                }
            };
        }
        Ok(())
    }

    /// Variables that are called as what SET has a form of its own for must be in quotes there; behind the name.
    ///
    /// # Errors
    /// 1453; 1064 for what is no password.
    fn refuse_shadow(&mut self, word: Option<Kw>, name: &str) -> SqlResult<()> {
        match word {
            Some(Kw::NAMES) => {}
            Some(Kw::PASSWORD) => {
                self.advance();
                self.password_value()?;
            }
            _ => return Ok(()),
        }
        Err(SqlError::new(codes::ER_SP_BAD_VAR_SHADOW, &[&name]))
    }

    /// A variable of the body at the beginning of an assignment.
    pub(super) fn local_to_set(&mut self) -> SqlResult<Option<u32>> {
        if self.routine.is_none() || !self.at_ident() {
            return Ok(None);
        }
        match self.peek() {
            T::Eq | T::Assign => {
                let name = self.name_of(self.tok)?;
                let found = self.routine.as_ref().and_then(|r| r.variable(&name));
                if found.is_some() {
                    let word = self.kw();
                    self.advance();
                    self.refuse_shadow(word, &name)?;
                }
                Ok(found)
            }
            T::Dot => {
                let name = self.name_of(self.tok)?;
                let trigger = self.kind() == Kind::Trigger
                    && (name.eq_ignore_ascii_case("new") || name.eq_ignore_ascii_case("old"));
                if !trigger && self.record_named(&name).is_none() {
                    return Ok(None);
                }
                self.advance();
                self.advance();
                let field = self.ident_after_dot()?;
                self.assigned_field(&name, &field).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// NEW.column, where it may be assigned.
    fn assigned_field(&mut self, record: &Name, field: &Name) -> SqlResult<u32> {
        let (assigned, new, _) = self.body().row;
        if self.is_row(record) && record.eq_ignore_ascii_case("old") {
            return Err(SqlError::new(codes::ER_TRG_CANT_CHANGE_ROW, &[&"OLD", &""]));
        }
        if record.eq_ignore_ascii_case("new") && new && !assigned {
            return Err(SqlError::new(codes::ER_TRG_CANT_CHANGE_ROW, &[&"NEW", &"after "]));
        }
        self.check_row(record)?;
        self.check_field(record, field)?;
        let slot = self.body().field(record, field);
        let slot = slot.ok_or_else(|| SqlError::new(error::ER_SP_UNDECLARED_VAR, &[record]))?;
        self.body().use_field(slot, true);
        Ok(slot)
    }

    /// Whether a name means a row of the trigger that is read.
    fn is_row(&self, name: &str) -> bool {
        self.kind() == Kind::Trigger && (name.eq_ignore_ascii_case("new") || name.eq_ignore_ascii_case("old"))
    }

    /// Whether the row of that name is there.
    pub(super) fn check_row(&self, record: &str) -> SqlResult<()> {
        let Some(body) = self.routine.as_ref().filter(|r| r.kind == Kind::Trigger) else { return Ok(()) };
        let (_, new, old) = body.row;
        if record.eq_ignore_ascii_case("old") && !old {
            return Err(SqlError::new(codes::ER_TRG_NO_SUCH_ROW_IN_TRG, &[&"OLD", &"on INSERT"]));
        }
        if record.eq_ignore_ascii_case("new") && !new {
            return Err(SqlError::new(codes::ER_TRG_NO_SUCH_ROW_IN_TRG, &[&"NEW", &"on DELETE"]));
        }
        Ok(())
    }

    /// The variable of the body that a column's name means.
    pub(super) fn local_variable(&mut self, c: &ColumnRef) -> SqlResult<Option<u32>> {
        if self.routine.is_none() || c.db.is_some() {
            return Ok(None);
        }
        match &c.table {
            None => Ok(self.routine.as_ref().and_then(|r| r.variable(&c.name))),
            Some(record) => {
                if self.record_named(record).is_none() {
                    self.check_row(record)?;
                }
                self.check_field(record, &c.name)?;
                let slot = self.body().field(record, &c.name);
                if let Some(slot) = slot {
                    self.body().use_field(slot, false);
                }
                Ok(slot)
            }
        }
    }

    /// BEGIN NOT ATOMIC and flow outside of routines.
    pub(crate) fn anonymous(&mut self) -> SqlResult<Statement> {
        let outer = self.routine.replace(Box::new(Builder::new(Kind::Anonymous)));
        let read = self.body_statement();
        let body = std::mem::replace(&mut self.routine, outer);
        read?;
        let mut program = body.map(|b| b.program).unwrap_or_default();
        program.text = self.sql().into();
        undeclared::check(&program)?;
        Ok(Statement::Compound(Arc::new(program)))
    }
}
