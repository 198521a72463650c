//! DECLARE, FOR, SIGNAL and GET DIAGNOSTICS.

use std::sync::Arc;

use super::{Parser, int_literal};
use crate::ast::program::{
    Condition, Cursor, Diagnosed, Handler, Instruction, RecordType, Signal, VariableType,
};
use crate::ast::*;
use crate::error::{self, SqlError, SqlResult, codes};
use crate::lex::{Kw, T};

impl Parser<'_> {
    /// The declarations of a block: its handlers, and the ends of the EXIT ones.
    pub(super) fn declarations(&mut self) -> SqlResult<(Vec<u32>, Vec<u32>)> {
        let (mut handlers, mut exits) = (Vec::new(), Vec::new());
        let (mut cursors, mut seen) = (false, Vec::<Condition>::new());
        while self.at_kw(Kw::DECLARE) {
            self.advance();
            let next = self.peek();
            match (self.kw(), next) {
                (Some(Kw::CONTINUE | Kw::EXIT | Kw::UNDO), T::Kw(Kw::HANDLER)) => {
                    let (handler, exit) = self.declare_handler(&mut seen)?;
                    handlers.push(handler);
                    exits.extend(exit);
                }
                (_, T::Kw(Kw::CONDITION)) => {
                    if cursors || !handlers.is_empty() {
                        return Err(SqlError::new(codes::ER_SP_VARCOND_AFTER_CURSHNDLR, &[]));
                    }
                    self.declare_condition()?;
                }
                (_, T::Kw(Kw::CURSOR)) => {
                    if !handlers.is_empty() {
                        return Err(SqlError::new(codes::ER_SP_CURSOR_AFTER_HANDLER, &[]));
                    }
                    cursors = true;
                    self.declare_cursor()?;
                }
                _ => {
                    self.declare_variables(cursors || !handlers.is_empty())?;
                }
            }
            self.expect(T::Semi)?;
        }
        Ok((handlers, exits))
    }

    fn declare_variables(&mut self, late: bool) -> SqlResult<()> {
        let names = self.comma_list(Self::ident)?;
        let ty = self.variable_type()?;
        if late {
            return Err(SqlError::new(codes::ER_SP_VARCOND_AFTER_CURSHNDLR, &[]));
        }
        let default = if self.eat_kw(Kw::DEFAULT) || self.eat(T::Assign) { Some(self.expr()?) } else { None };
        let mut first = None;
        for name in &names {
            let Some(slot) = self.body().declare(name, ty.clone()) else {
                return Err(SqlError::new(codes::ER_SP_DUP_VAR, &[name]));
            };
            if let VariableType::Record(RecordType::Cursor(cursor)) = ty {
                self.emit(Instruction::Shape(slot, cursor));
            }
            match (&default, first) {
                (None, _) => self.emit(Instruction::Clear(slot)),
                (Some(e), None) => self.emit(Instruction::Set(slot, e.clone())),
                // computed once
                (Some(e), Some(from)) => {
                    let local = Expr::new(ExprKind::Local(from, names[0].clone()), e.span);
                    self.emit(Instruction::Set(slot, local))
                }
            };
            first = first.or(Some(slot));
        }
        Ok(())
    }

    /// A type, or TYPE OF table.column.
    pub(super) fn variable_type(&mut self) -> SqlResult<VariableType> {
        if self.at_kw(Kw::TYPE) && self.peek() == T::Kw(Kw::OF) {
            self.advance();
            self.advance();
            let first = self.ident()?;
            if !self.eat(T::Dot) {
                let found = self.body().variable(&first);
                let ty =
                    found.and_then(|s| self.body().program.variables.get(s as usize)).map(|v| v.ty.clone());
                return ty.ok_or_else(|| SqlError::new(error::ER_SP_UNDECLARED_VAR, &[&first]));
            }
            let second = self.ident_after_dot()?;
            let (db, table, column) = match self.eat(T::Dot) {
                true => (Some(first), second, self.ident_after_dot()?),
                false => (None, first, second),
            };
            return Ok(VariableType::Like(TableName { db, name: table, span: Span::default() }, column));
        }
        if self.at_kw(Kw::ROW) {
            return self.record_type().map(VariableType::Record);
        }
        Ok(VariableType::Declared(Box::new(self.declared_type()?)))
    }

    /// The type of a variable, a parameter or a result.
    pub(super) fn declared_type(&mut self) -> SqlResult<DataType> {
        let mut ty = self.data_type()?;
        if self.at_kw(Kw::COLLATE) {
            self.advance();
            ty.collation = Some(self.collation_name()?);
        }
        Ok(ty)
    }

    fn declare_condition(&mut self) -> SqlResult<()> {
        let name = self.ident()?;
        self.advance();
        self.expect_kw(Kw::FOR)?;
        let condition = match self.tok.kind {
            T::Kw(Kw::SQLSTATE) => Condition::State(self.sqlstate()?),
            _ => Condition::Code(self.error_number()?),
        };
        match self.body().condition(name.clone(), condition) {
            true => Ok(()),
            false => Err(SqlError::new(codes::ER_SP_DUP_COND, &[&name])),
        }
    }

    /// SQLSTATE [VALUE] 'xxxxx'.
    fn sqlstate(&mut self) -> SqlResult<[u8; 5]> {
        self.expect_kw(Kw::SQLSTATE)?;
        self.eat_kw(Kw::VALUE);
        let text = self.string_token()?;
        let good = |b: &u8| b.is_ascii_digit() || b.is_ascii_uppercase();
        match <[u8; 5]>::try_from(&*text) {
            Ok(state) if state.iter().all(good) && &state[..2] != b"00" => Ok(state),
            _ => Err(SqlError::new(codes::ER_SP_BAD_SQLSTATE, &[&String::from_utf8_lossy(&text)])),
        }
    }

    fn error_number(&mut self) -> SqlResult<u16> {
        let number = self.number()?;
        match u16::try_from(number) {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(SqlError::new(error::ER_WRONG_VALUE, &[&"CONDITION", &number])),
        }
    }

    fn declare_handler(&mut self, seen: &mut Vec<Condition>) -> SqlResult<(u32, Option<u32>)> {
        if self.at_kw(Kw::UNDO) {
            return Err(self.error());
        }
        let exit = self.at_kw(Kw::EXIT);
        self.advance();
        self.advance();
        self.expect_kw(Kw::FOR)?;
        let mut conditions = Vec::new();
        loop {
            let c = match self.tok.kind {
                T::Kw(Kw::SQLSTATE) => Condition::State(self.sqlstate()?),
                T::Kw(Kw::SQLWARNING) => {
                    self.advance();
                    Condition::Warning
                }
                T::Kw(Kw::SQLEXCEPTION) => {
                    self.advance();
                    Condition::Exception
                }
                T::Kw(Kw::NOT) => {
                    self.advance();
                    self.expect_kw(Kw::FOUND)?;
                    Condition::NotFound
                }
                _ if self.at_ident() => {
                    let name = self.ident()?;
                    let found = self.body().find_condition(&name);
                    found.ok_or_else(|| SqlError::new(codes::ER_SP_COND_MISMATCH, &[&name]))?
                }
                _ => Condition::Code(self.error_number()?),
            };
            if seen.contains(&c) {
                return Err(SqlError::new(codes::ER_SP_DUP_HANDLER, &[]));
            }
            seen.push(c);
            conditions.push(c);
            if !self.eat(T::Comma) {
                break;
            }
        }
        let over = self.emit(Instruction::Jump(0));
        let body = self.body();
        let (entry, depth) = (body.here(), body.depth);
        let number = body.handler(Handler { exit, conditions, entry, depth });
        body.begin_wall();
        body.depth += 1;
        self.body_statement()?;
        self.body().depth -= 1;
        let end = if exit {
            Some(self.emit(Instruction::Exit(depth, 0)))
        } else {
            self.emit(Instruction::Resume(depth));
            None
        };
        self.body().end_label();
        let here = self.body().here();
        self.body().patch(over, here);
        Ok((number, end))
    }

    fn declare_cursor(&mut self) -> SqlResult<()> {
        let name = self.ident()?;
        self.advance();
        let mut parameters = Vec::new();
        self.body().begin_names();
        if self.eat(T::LParen) {
            if !self.at(T::RParen) {
                loop {
                    if matches!(self.kw(), Some(Kw::OUT | Kw::INOUT)) {
                        return Err(SqlError::not_supported("OUT/INOUT cursor parameter"));
                    }
                    self.eat_kw(Kw::IN);
                    let parameter = self.ident()?;
                    let ty = self.variable_type()?;
                    match self.body().declare(&parameter, ty) {
                        Some(slot) => parameters.push(slot),
                        None => return Err(SqlError::new(codes::ER_SP_DUP_PARAM, &[&parameter])),
                    }
                    if !self.eat(T::Comma) {
                        break;
                    }
                }
            }
            self.expect(T::RParen)?;
        }
        self.expect_kw(Kw::FOR)?;
        let query = self.cursor_query()?;
        self.body().end_names();
        let cursor = Cursor { name: name.clone(), parameters, query };
        match self.body().cursor(cursor) {
            Some(_) => Ok(()),
            None => Err(SqlError::new(codes::ER_SP_DUP_CURS, &[&name])),
        }
    }

    fn cursor_query(&mut self) -> SqlResult<Arc<Query>> {
        if !self.at(T::LParen) && !matches!(self.kw(), Some(Kw::SELECT | Kw::WITH | Kw::VALUES)) {
            let known =
                self.kw().is_some_and(|kw| matches!(kw, Kw::SHOW | Kw::INSERT | Kw::UPDATE | Kw::DELETE));
            return Err(if known { SqlError::new(codes::ER_SP_BAD_CURSOR_QUERY, &[]) } else { self.error() });
        }
        match self.statement()? {
            Statement::Select(q) if q.into.is_none() => Ok(Arc::new(*q)),
            Statement::Select(_) => Err(SqlError::new(codes::ER_SP_BAD_CURSOR_SELECT, &[])),
            _ => Err(SqlError::new(codes::ER_SP_BAD_CURSOR_QUERY, &[])),
        }
    }

    /// FOR, at the word.
    pub(super) fn for_statement(&mut self, label: Option<Name>) -> SqlResult<()> {
        self.advance();
        let name = self.ident()?;
        self.expect_kw(Kw::IN)?;
        self.body().begin_names();
        let first_cursor = self.body().cursor_count();
        if self.at(T::LParen) && self.is_query_behind() {
            self.advance();
            let query = self.cursor_query()?;
            self.expect(T::RParen)?;
            let cursor = Cursor { name: "".into(), parameters: Vec::new(), query };
            let number = self.body().cursor(cursor).unwrap_or_default();
            self.for_cursor(label.as_ref(), name, number, Vec::new())?
        } else {
            let cursor = match self.at_ident() && matches!(self.peek(), T::Kw(Kw::DO) | T::LParen) {
                true => {
                    let wanted = self.name_of(self.tok)?;
                    self.body().find_cursor(&wanted)
                }
                false => None,
            };
            match cursor {
                Some(number) => {
                    self.advance();
                    let arguments = self.cursor_arguments(number)?;
                    self.for_cursor(label.as_ref(), name, number, arguments)?
                }
                None => self.for_range(label.as_ref(), name)?,
            }
        }
        self.body().forget_from(first_cursor);
        self.body().end_names();
        if self.at_ident() {
            let end = self.ident()?;
            if !label.is_some_and(|n| crate::names::same_name(&n, &end)) {
                return Err(SqlError::new(codes::ER_SP_LABEL_MISMATCH, &[&end]));
            }
        }
        Ok(())
    }

    fn is_query_behind(&mut self) -> bool {
        matches!(self.peek(), T::Kw(Kw::SELECT | Kw::WITH | Kw::VALUES))
    }

    fn label_of_loop(&mut self, label: Option<&Name>, begin: u32) -> SqlResult<()> {
        match self.body().begin_label(label.cloned(), Some(begin)) {
            true => Ok(()),
            false => Err(SqlError::new(codes::ER_SP_LABEL_REDEFINE, &[&label.map_or("", |n| n)])),
        }
    }

    fn end_of_for(&mut self) -> SqlResult<()> {
        self.expect_kw(Kw::DO)?;
        self.statement_list(&[Kw::END])?;
        self.expect_kw(Kw::END)?;
        self.expect_kw(Kw::FOR)
    }

    fn for_cursor(
        &mut self,
        label: Option<&Name>,
        name: Name,
        cursor: u32,
        arguments: Vec<Expr>,
    ) -> SqlResult<()> {
        self.emit(Instruction::Open(cursor, arguments));
        let record = VariableType::Record(RecordType::Cursor(cursor));
        let slot = self.body().slot(name.clone(), record);
        self.body().alias(&name, slot);
        self.emit(Instruction::Shape(slot, cursor));
        let begin = self.emit(Instruction::FetchRecord(cursor, slot));
        let test = self.emit(Instruction::JumpUnlessFound(cursor, 0));
        self.label_of_loop(label, begin)?;
        self.end_of_for()?;
        self.emit(Instruction::Jump(begin));
        self.body().end_label();
        let here = self.body().here();
        self.body().patch(test, here);
        self.emit(Instruction::Close(cursor));
        Ok(())
    }

    fn for_range(&mut self, label: Option<&Name>, name: Name) -> SqlResult<()> {
        let reverse = self.eat_kw(Kw::REVERSE);
        let low = self.range_bound()?;
        let high = self.expr()?;
        let span = low.span;
        let bigint = DataType::of(TypeName::BigInt);
        let ty = VariableType::Declared(Box::new(bigint));
        let (start, stop) = if reverse { (high, low) } else { (low, high) };
        let slot = self.body().slot(name.clone(), ty.clone());
        let bound = self.body().slot("".into(), ty);
        self.emit(Instruction::Set(slot, start));
        self.emit(Instruction::Set(bound, stop));
        let local = |slot: u32, name: &Name| Expr::new(ExprKind::Local(slot, name.clone()), span);
        let op = if reverse { BinaryOp::Ge } else { BinaryOp::Le };
        let bounds = ExprKind::Binary(op, Box::new(local(slot, &name)), Box::new(local(bound, &name)));
        let condition = self.node(bounds, span)?;
        let test = self.emit(Instruction::JumpUnless(condition, 0, 0));
        self.body().alias(&name, slot);
        // ITERATE goes to the step, which stands before the test
        let over = self.emit(Instruction::Jump(0));
        let step = self.body().here();
        let op = if reverse { BinaryOp::Subtract } else { BinaryOp::Add };
        let next = ExprKind::Binary(op, Box::new(local(slot, &name)), Box::new(int_literal(1, span)));
        let next = self.node(next, span)?;
        self.emit(Instruction::Set(slot, next));
        self.emit(Instruction::Jump(test));
        let begin = self.body().here();
        self.body().patch(over, begin);
        self.label_of_loop(label, step)?;
        self.end_of_for()?;
        self.emit(Instruction::Jump(step));
        let here = self.body().here();
        self.body().patch(test, here);
        self.body().patch_after(test, here);
        self.body().end_label();
        Ok(())
    }

    /// The lower bound of a range, up to behind its two points, which the lexer may have taken for those of numbers.
    fn range_bound(&mut self) -> SqlResult<Expr> {
        let token = self.tok;
        let text = self.text(token);
        if token.kind == T::Decimal
            && text.ends_with(b".")
            && self.sql().get(token.end as usize) == Some(&b'.')
        {
            let digits = &text[..text.len() - 1];
            let value = std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok()).unwrap_or(u64::MAX);
            self.seek(token.end as usize + 1);
            return Ok(int_literal(value, Span::new(token.start, token.end - 1)));
        }
        let e = self.expr()?;
        self.expect(T::Dot)?;
        let at = self.tok;
        if at.kind == T::Decimal && self.text(at).starts_with(b".") {
            // `.5` is a point and a number
            self.seek(at.start as usize + 1);
            return Ok(e);
        }
        self.expect(T::Dot)?;
        Ok(e)
    }

    /// SIGNAL or RESIGNAL, at the word.
    pub(super) fn signal(&mut self) -> SqlResult<Signal> {
        let again = self.at_kw(Kw::RESIGNAL);
        self.advance();
        let state = match self.tok.kind {
            T::Kw(Kw::SQLSTATE) => Some(self.sqlstate()?),
            T::Kw(Kw::SET) | T::Semi | T::Eof if again => None,
            _ if self.at_ident() => {
                let name = self.ident()?;
                let found = self.routine.as_ref().and_then(|r| r.find_condition(&name));
                match found {
                    Some(Condition::State(s)) => Some(s),
                    Some(_) => return Err(SqlError::new(codes::ER_SIGNAL_BAD_CONDITION_TYPE, &[])),
                    None => return Err(SqlError::new(codes::ER_SP_COND_MISMATCH, &[&name])),
                }
            }
            _ => return Err(self.error()),
        };
        let mut items: Vec<(SignalItem, Expr)> = Vec::new();
        if self.eat_kw(Kw::SET) {
            loop {
                let item = self.signal_item()?;
                self.expect(T::Eq)?;
                let value = self.simple_value("SELECT")?;
                if items.iter().any(|(i, _)| *i == item) {
                    return Err(SqlError::new(codes::ER_DUP_SIGNAL_SET, &[&item.word()]));
                }
                items.push((item, value));
                if !self.eat(T::Comma) {
                    break;
                }
            }
        }
        Ok(Signal { again, state, items })
    }

    /// A literal or a variable: nothing else may stand in SIGNAL and GET DIAGNOSTICS.
    fn simple_value(&mut self, clause: &str) -> SqlResult<Expr> {
        let begins_literal = match self.tok.kind {
            T::Str | T::NStr | T::HexStr | T::HexNum | T::BitStr | T::BitNum => true,
            T::Int | T::Decimal | T::Float | T::Introducer(_) | T::BackslashN => true,
            T::UserVar | T::At | T::AtAt => true,
            T::Kw(Kw::NULL | Kw::TRUE | Kw::FALSE) => true,
            T::Kw(Kw::DATE | Kw::TIME | Kw::TIMESTAMP) => self.peek() == T::Str,
            _ => false,
        };
        if !begins_literal && !self.at_ident() {
            return Err(self.error());
        }
        let within = self.routine.is_some();
        let unknown = |name: &dyn std::fmt::Display| match within {
            true => SqlError::new(codes::ER_SP_UNDECLARED_VAR, &[name]),
            false => SqlError::new(error::ER_BAD_FIELD_ERROR, &[name, &clause]),
        };
        if !begins_literal && self.peek() == T::LParen {
            let name = self.ident()?;
            return Err(unknown(&name));
        }
        let value = self.primary()?;
        match &value.kind {
            ExprKind::Column(c) => Err(unknown(&c.name)),
            ExprKind::Assign(..) => Err(self.error()),
            _ => Ok(value),
        }
    }

    fn signal_item(&mut self) -> SqlResult<SignalItem> {
        let found = self.kw().and_then(SignalItem::of).filter(|i| *i != SignalItem::ReturnedSqlstate);
        let item = found.ok_or_else(|| self.error())?;
        self.advance();
        Ok(item)
    }

    /// GET DIAGNOSTICS, at the first word.
    pub(super) fn get_diagnostics(&mut self) -> SqlResult<Diagnosed> {
        self.advance();
        self.eat_kw(Kw::CURRENT);
        self.expect_kw(Kw::DIAGNOSTICS)?;
        if self.eat_kw(Kw::CONDITION) {
            let number = self.simple_value("GET DIAGNOSTICS")?;
            let items = self.comma_list(|p| {
                let target = p.diagnosed_target()?;
                p.expect(T::Eq)?;
                let item = p.kw().and_then(SignalItem::of).ok_or_else(|| p.error())?;
                p.advance();
                Ok((target, item))
            })?;
            return Ok(Diagnosed::Condition(number, items));
        }
        let items = self.comma_list(|p| {
            let target = p.diagnosed_target()?;
            p.expect(T::Eq)?;
            let rows = p.at_kw(Kw::ROW_COUNT);
            if !rows && !p.at_kw(Kw::NUMBER) {
                return Err(p.error());
            }
            p.advance();
            Ok((target, rows))
        })?;
        Ok(Diagnosed::Statement(items))
    }
}
