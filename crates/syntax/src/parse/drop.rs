//! DROP and RENAME.

use super::Parser;

use crate::ast::*;
use crate::error::SqlResult;
use crate::lex::Kw;

impl Parser<'_> {
    /// DROP, at the word.
    pub(crate) fn drop(&mut self) -> SqlResult<Statement> {
        self.advance();
        let temporary = self.eat_kw(Kw::TEMPORARY);
        let Some(kw) = self.kw() else { return Err(self.error()) };
        if temporary && !matches!(kw, Kw::TABLE | Kw::TABLES | Kw::SEQUENCE) {
            return Err(self.error());
        }
        match kw {
            Kw::TABLE | Kw::TABLES | Kw::VIEW => {
                self.advance();
                let if_exists = self.if_exists()?;
                let names = self.table_names()?;
                let wait = self.lock_wait()?;
                if matches!(self.kw(), Some(Kw::RESTRICT | Kw::CASCADE)) {
                    self.advance();
                }
                let drop = DropTables { temporary, if_exists, names, wait };
                Ok(if kw == Kw::VIEW { Statement::DropView(drop) } else { Statement::DropTable(drop) })
            }
            Kw::DATABASE | Kw::SCHEMA => {
                self.advance();
                let if_exists = self.if_exists()?;
                Ok(Statement::DropDatabase { if_exists, name: self.ident()? })
            }
            Kw::INDEX => {
                self.advance();
                let if_exists = self.if_exists()?;
                let name = self.ident()?;
                self.expect_kw(Kw::ON)?;
                let table = self.table_name()?;
                let wait = self.lock_wait()?;
                let drop = DropIndex { if_exists, name, table, wait };
                Ok(Statement::DropIndex(Box::new(drop)))
            }
            Kw::USER => {
                self.advance();
                let if_exists = self.if_exists()?;
                Ok(Statement::DropUser { if_exists, users: self.comma_list(Self::account)? })
            }
            Kw::ROLE => {
                self.advance();
                let if_exists = self.if_exists()?;
                let roles = self.comma_list(Self::account)?;
                Ok(Statement::Role(RoleStatement {
                    drop: true,
                    or_replace: false,
                    if_exists,
                    roles,
                    admin: None,
                }))
            }
            Kw::PREPARE => {
                self.advance();
                Ok(Statement::Deallocate(self.ident()?))
            }
            Kw::PROCEDURE | Kw::FUNCTION => self.drop_routine(),
            Kw::TRIGGER => self.drop_trigger(),
            Kw::EVENT => self.drop_event(),
            Kw::SEQUENCE => self.drop_sequence(temporary),
            Kw::SERVER => self.drop_server(),
            Kw::PACKAGE => self.drop_object(kw),
            _ => Err(self.error()),
        }
    }

    fn drop_object(&mut self, kw: Kw) -> SqlResult<Statement> {
        self.advance();
        self.eat_kw(Kw::BODY);
        let if_exists = self.if_exists()?;
        let name = self.table_name()?;
        Ok(Statement::OtherObject(OtherObject {
            verb: "DROP",
            object: kw.word(),
            if_exists,
            name: Some(name),
        }))
    }

    /// RENAME TABLE, RENAME USER, at RENAME.
    pub(crate) fn rename(&mut self) -> SqlResult<Statement> {
        self.advance();
        if self.eat_kw(Kw::USER) {
            let pairs = self.comma_list(|p| {
                let from = p.account()?;
                p.expect_kw(Kw::TO)?;
                Ok((from, p.account()?))
            })?;
            return Ok(Statement::RenameUser(pairs));
        }
        self.table_word()?;
        let if_exists = self.if_exists()?;
        let mut wait = LockWait::Default;
        let pairs = self.comma_list(|p| {
            let from = p.table_name()?;
            wait = p.lock_wait()?;
            p.expect_kw(Kw::TO)?;
            Ok((from, p.table_name()?))
        })?;
        Ok(Statement::RenameTable(RenameTable { if_exists, pairs, wait }))
    }
}
