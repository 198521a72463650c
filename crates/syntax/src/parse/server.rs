//! CREATE, ALTER and DROP SERVER.

use super::Parser;
use crate::ast::*;
use crate::error::{self, SqlError, SqlResult};
use crate::lex::{Kw, T};

impl Parser<'_> {
    /// CREATE [OR REPLACE] SERVER, at the last word.
    pub(super) fn create_server(&mut self, or_replace: bool) -> SqlResult<Statement> {
        self.advance();
        let if_not_exists = self.if_not_exists_or_replace(or_replace)?;
        let name = self.ident_or_text()?;
        self.expect_kw(Kw::FOREIGN)?;
        self.expect_kw(Kw::DATA)?;
        self.expect_kw(Kw::WRAPPER)?;
        let wrapper = self.ident_or_text()?;
        let options = self.server_options()?;
        let what = ServerChange::Create { or_replace, if_not_exists, wrapper, options };
        Ok(Statement::Server(Box::new(ServerStatement { name, what })))
    }

    /// ALTER SERVER, at the last word.
    pub(super) fn alter_server(&mut self) -> SqlResult<Statement> {
        self.advance();
        let name = self.ident_or_text()?;
        let what = ServerChange::Alter(self.server_options()?);
        Ok(Statement::Server(Box::new(ServerStatement { name, what })))
    }

    /// DROP SERVER, at the last word.
    pub(super) fn drop_server(&mut self) -> SqlResult<Statement> {
        self.advance();
        let if_exists = self.if_exists()?;
        let name = self.ident_or_text()?;
        Ok(Statement::Server(Box::new(ServerStatement { name, what: ServerChange::Drop { if_exists } })))
    }

    /// OPTIONS (name value, ...), each of them once.
    fn server_options(&mut self) -> SqlResult<ServerOptions> {
        self.expect_kw(Kw::OPTIONS)?;
        self.expect(T::LParen)?;
        let mut options = ServerOptions::default();
        loop {
            let Some(kw) = self.kw() else { return Err(self.error()) };
            let place = match kw {
                Kw::USER => &mut options.user,
                Kw::HOST => &mut options.host,
                Kw::DATABASE => &mut options.database,
                Kw::OWNER => &mut options.owner,
                Kw::PASSWORD => &mut options.password,
                Kw::SOCKET => &mut options.socket,
                Kw::PORT => {
                    self.advance();
                    if options.port.is_some() {
                        return Err(self.error());
                    }
                    let port = i32::try_from(self.number()?)
                        .map_err(|_| SqlError::new(error::ER_DATA_OUT_OF_RANGE, &[&"port", &"INT"]))?;
                    options.port = Some(port);
                    if !self.eat(T::Comma) {
                        break;
                    }
                    continue;
                }
                _ => return Err(self.error()),
            };
            self.advance();
            if place.is_some() {
                return Err(self.error());
            }
            *place = Some(self.text_string()?);
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::RParen)?;
        Ok(options)
    }
}
