//! XA statements.

use super::Parser;
use crate::ast::{Statement, Xa, XaStart, Xid};
use crate::error::{self, SqlError, SqlResult};
use crate::lex::{Kw, T};

/// Bytes of a part of an xid.
const MAX_PART: usize = 64;

impl Parser<'_> {
    pub(super) fn xa(&mut self) -> SqlResult<Statement> {
        self.advance();
        let Some(kw) = self.kw() else { return Err(self.error()) };
        let statement = match kw {
            Kw::START | Kw::BEGIN => {
                self.advance();
                let xid = self.xid()?;
                let how = match self.kw() {
                    Some(Kw::JOIN) => XaStart::Join,
                    Some(Kw::RESUME) => XaStart::Resume,
                    _ => return Ok(Statement::Xa(Xa::Start(xid, XaStart::New))),
                };
                self.advance();
                Xa::Start(xid, how)
            }
            Kw::END => {
                self.advance();
                let xid = self.xid()?;
                let suspend = self.eat_kw(Kw::SUSPEND);
                if suspend && self.eat_kw(Kw::FOR) {
                    self.expect_kw(Kw::MIGRATE)?;
                }
                Xa::End(xid, suspend)
            }
            Kw::PREPARE => {
                self.advance();
                Xa::Prepare(self.xid()?)
            }
            Kw::COMMIT => {
                self.advance();
                let xid = self.xid()?;
                let one_phase = self.eat_kw(Kw::ONE);
                if one_phase {
                    self.expect_kw(Kw::PHASE)?;
                }
                Xa::Commit(xid, one_phase)
            }
            Kw::ROLLBACK => {
                self.advance();
                Xa::Rollback(self.xid()?)
            }
            Kw::RECOVER => {
                self.advance();
                Xa::Recover(self.recovers_as_sql()?)
            }
            _ => return Err(self.error()),
        };
        Ok(Statement::Xa(statement))
    }

    /// [FORMAT = {RAW | SQL}].
    fn recovers_as_sql(&mut self) -> SqlResult<bool> {
        if !self.eat_kw(Kw::FORMAT) {
            return Ok(false);
        }
        self.expect(T::Eq)?;
        let name = self.ident_or_text()?;
        match () {
            () if name.eq_ignore_ascii_case("raw") => Ok(false),
            () if name.eq_ignore_ascii_case("sql") => Ok(true),
            () => Err(SqlError::new(error::ER_UNKNOWN_EXPLAIN_FORMAT, &[&"XA RECOVER", &name])),
        }
    }

    /// Global part [, part of the branch [, number of the format]].
    fn xid(&mut self) -> SqlResult<Xid> {
        let global = self.xid_part()?;
        let mut xid = Xid { format: 1, global, branch: Box::default() };
        if self.eat(T::Comma) {
            xid.branch = self.xid_part()?;
            if self.eat(T::Comma) {
                let error = self.error();
                xid.format =
                    u32::try_from(self.number()?).ok().filter(|&n| i32::try_from(n).is_ok()).ok_or(error)?;
            }
        }
        Ok(xid)
    }

    fn xid_part(&mut self) -> SqlResult<Box<[u8]>> {
        let part = self.text_string()?;
        if part.len() > MAX_PART {
            return Err(self.error());
        }
        Ok(part)
    }
}
