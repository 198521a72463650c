//! SET in all its forms.

use super::Parser;
use crate::ast::*;
use crate::error::SqlResult;
use crate::lex::{Kw, T};

impl<'a> Parser<'a> {
    /// SET, at the word.
    pub(crate) fn set(&mut self) -> SqlResult<Statement> {
        self.advance();
        if self.at_kw(Kw::STATEMENT) && self.peek() != T::Eq && self.peek() != T::Assign {
            self.advance();
            let mut items = Vec::new();
            loop {
                let start = self.tok.start;
                let variable = self.set_variable(VariableScope::Implicit)?;
                let _ = start;
                items.push(self.set_value(variable)?);
                if !self.eat(T::Comma) {
                    break;
                }
            }
            self.expect_kw(Kw::FOR)?;
            let statement = self.statement()?;
            return Ok(Statement::SetStatement(items, Box::new(statement)));
        }
        // GLOBAL and SESSION hold for the names behind them as well
        let mut scope = VariableScope::Implicit;
        let mut items = vec![self.set_item(true, &mut scope)?];
        while self.eat(T::Comma) {
            items.push(self.set_item(false, &mut scope)?);
        }
        Ok(Statement::Set(items))
    }

    fn peek_assign(&mut self) -> bool {
        matches!(self.peek(), T::Eq | T::Assign)
    }

    fn expect_assign(&mut self) -> SqlResult<()> {
        if self.eat(T::Eq) || self.eat(T::Assign) { Ok(()) } else { Err(self.error()) }
    }

    /// One item; TRANSACTION may only be the `first`.
    fn set_item(&mut self, first: bool, last_scope: &mut VariableScope) -> SqlResult<SetItem> {
        match self.tok.kind {
            T::UserVar => {
                let name = self.to_utf8(&self.text(self.tok)[1..])?;
                self.advance();
                self.expect_assign()?;
                return Ok(SetItem::User(name, self.expr()?));
            }
            T::At => {
                let name = self.quoted_variable()?;
                self.expect_assign()?;
                return Ok(SetItem::User(name, self.expr()?));
            }
            T::AtAt => {
                let variable = self.set_at_at()?;
                return self.set_value(variable);
            }
            _ => {}
        }
        if let Some(slot) = self.local_to_set()? {
            self.expect_assign()?;
            return Ok(SetItem::Local(slot, self.expr_or_default()?));
        }
        match self.kw() {
            Some(Kw::NAMES) => {
                self.advance();
                self.set_names()
            }
            Some(Kw::CHARACTER | Kw::CHAR | Kw::CHARSET) if !self.peek_assign() => {
                if !self.eat_charset()? {
                    return Err(self.error());
                }
                if self.eat_kw(Kw::DEFAULT) {
                    return Ok(SetItem::CharacterSet(None));
                }
                Ok(SetItem::CharacterSet(Some(self.charset_name()?)))
            }
            Some(Kw::PASSWORD) if matches!(self.peek(), T::Eq | T::Assign | T::Kw(Kw::FOR)) => {
                self.advance();
                let user = if self.eat_kw(Kw::FOR) { Some(self.account()?) } else { None };
                self.expect_assign()?;
                Ok(SetItem::Password(user, self.password_value()?))
            }
            Some(Kw::TRANSACTION) if first && !self.peek_assign() => {
                self.advance();
                self.set_transaction(VariableScope::Implicit)
            }
            Some(Kw::ROLE) if !self.peek_assign() => {
                self.advance();
                if self.eat_kw(Kw::NONE) {
                    return Ok(SetItem::Role(None));
                }
                Ok(SetItem::Role(Some(self.ident_or_text()?)))
            }
            Some(Kw::DEFAULT) if self.peek() == T::Kw(Kw::ROLE) => {
                self.advance();
                self.advance();
                self.set_default_role()
            }
            Some(kw @ (Kw::GLOBAL | Kw::SESSION | Kw::LOCAL)) => {
                let scope = if kw == Kw::GLOBAL { VariableScope::Global } else { VariableScope::Session };
                self.advance();
                *last_scope = scope;
                if first && self.at_kw(Kw::TRANSACTION) && !self.peek_assign() {
                    self.advance();
                    return self.set_transaction(scope);
                }
                let variable = self.set_variable(scope)?;
                self.set_value(variable)
            }
            _ => {
                let variable = self.set_variable(*last_scope)?;
                self.set_value(variable)
            }
        }
    }

    /// Behind DEFAULT ROLE.
    fn set_default_role(&mut self) -> SqlResult<SetItem> {
        let role = if self.eat_kw(Kw::NONE) {
            None
        } else if self.eat_kw(Kw::CURRENT_ROLE) {
            Some("CURRENT_ROLE".into())
        } else {
            Some(self.ident_or_text()?)
        };
        let user = if self.eat_kw(Kw::FOR) { Some(self.account()?) } else { None };
        Ok(SetItem::DefaultRole(role, user))
    }

    /// `@@[scope.][base.]name`; the scope may stand with or without a point before a base.
    fn set_at_at(&mut self) -> SqlResult<SystemVariable> {
        self.system_variable()
    }

    /// `[base.]name`, also DEFAULT.name for the default key cache.
    fn set_variable(&mut self, scope: VariableScope) -> SqlResult<SystemVariable> {
        if self.at_kw(Kw::DEFAULT) && self.peek() == T::Dot {
            self.advance();
            self.advance();
            let name = self.ident_after_dot()?;
            return Ok(SystemVariable { scope, base: Some("default".into()), name });
        }
        let first = self.ident()?;
        if self.eat(T::Dot) {
            let name = self.ident_after_dot()?;
            return Ok(SystemVariable { scope, base: Some(first), name });
        }
        Ok(SystemVariable { scope, base: None, name: first })
    }

    fn set_value(&mut self, variable: SystemVariable) -> SqlResult<SetItem> {
        self.expect_assign()?;
        let start = self.tok.start;
        let value = match self.kw() {
            Some(Kw::DEFAULT) if self.peek() != T::LParen => {
                self.advance();
                None
            }
            Some(kw @ (Kw::ON | Kw::ALL)) => {
                self.advance();
                Some(self.column(kw.word().into(), start))
            }
            Some(Kw::BINARY) if !self.begins_operand_behind() => {
                self.advance();
                Some(self.column("binary".into(), start))
            }
            Some(kw @ (Kw::ROW | Kw::SYSTEM)) if self.peek() != T::LParen && self.peek() != T::Dot => {
                self.advance();
                Some(self.column(kw.word().into(), start))
            }
            _ => Some(self.expr()?),
        };
        Ok(SetItem::System(variable, value))
    }

    /// Whether an operand follows the current word (BINARY 'a' is an expression, BINARY alone a word).
    fn begins_operand_behind(&mut self) -> bool {
        !matches!(self.peek(), T::Comma | T::Eof | T::Semi | T::Kw(Kw::FOR))
    }

    /// Behind NAMES.
    fn set_names(&mut self) -> SqlResult<SetItem> {
        if self.eat(T::Eq) {
            // The server reads the value before it refuses.
            self.expr()?;
            return Err(self.error());
        }
        if self.eat_kw(Kw::DEFAULT) {
            return Ok(SetItem::Names(None, None));
        }
        let charset = self.charset_name()?;
        let collation = if self.eat_kw(Kw::COLLATE) {
            if self.eat_kw(Kw::DEFAULT) { None } else { Some(self.collation_name()?) }
        } else {
            None
        };
        Ok(SetItem::Names(Some(charset), collation))
    }

    /// Behind TRANSACTION.
    fn set_transaction(&mut self, scope: VariableScope) -> SqlResult<SetItem> {
        let (mut isolation, mut read_only) = (None, None);
        loop {
            match self.kw() {
                Some(Kw::ISOLATION) if isolation.is_none() => {
                    self.advance();
                    self.expect_kw(Kw::LEVEL)?;
                    isolation = Some(self.isolation_level()?);
                }
                Some(Kw::READ) if read_only.is_none() => {
                    self.advance();
                    let only = self.at_kw(Kw::ONLY);
                    if !only && !self.at_kw(Kw::WRITE) {
                        return Err(self.error());
                    }
                    self.advance();
                    read_only = Some(only);
                }
                _ => return Err(self.error()),
            }
            if !self.eat(T::Comma) {
                return Ok(SetItem::Transaction { scope, isolation, read_only });
            }
        }
    }

    fn isolation_level(&mut self) -> SqlResult<IsolationLevel> {
        if self.eat_kw(Kw::SERIALIZABLE) {
            return Ok(IsolationLevel::Serializable);
        }
        if self.eat_kw(Kw::REPEATABLE) {
            self.expect_kw(Kw::READ)?;
            return Ok(IsolationLevel::RepeatableRead);
        }
        self.expect_kw(Kw::READ)?;
        if self.eat_kw(Kw::COMMITTED) {
            return Ok(IsolationLevel::ReadCommitted);
        }
        self.expect_kw(Kw::UNCOMMITTED)?;
        Ok(IsolationLevel::ReadUncommitted)
    }

    /// PASSWORD('x'), OLD_PASSWORD('x'), 'hash'.
    pub(crate) fn password_value(&mut self) -> SqlResult<PasswordValue> {
        let old = self.at_kw(Kw::OLD_PASSWORD);
        if old || self.at_kw(Kw::PASSWORD) {
            self.advance();
            self.expect(T::LParen)?;
            let text = self.string_token()?;
            self.expect(T::RParen)?;
            return Ok(if old { PasswordValue::Old(text) } else { PasswordValue::Plain(text) });
        }
        Ok(PasswordValue::Hash(self.text_string()?))
    }
}
