//! Types of CAST.

use super::Parser;
use crate::ast::*;
use crate::error::SqlResult;
use crate::lex::{Kw, T};

impl<'a> Parser<'a> {
    /// The type of CAST.
    pub(crate) fn cast_type(&mut self) -> SqlResult<CastType> {
        let Some(kw) = self.kw() else {
            let name = self.ident()?;
            return Ok(CastType::Other(other_type(&name)));
        };
        let ty = match kw {
            Kw::SIGNED | Kw::UNSIGNED => {
                self.advance();
                if !self.eat_kw(Kw::INTEGER) {
                    self.eat_kw(Kw::INT);
                }
                return Ok(if kw == Kw::SIGNED { CastType::Signed } else { CastType::Unsigned });
            }
            Kw::INT | Kw::INTEGER => {
                self.advance();
                CastType::Signed
            }
            Kw::DECIMAL | Kw::DEC => {
                self.advance();
                let (m, d) = self.precision_scale()?.unwrap_or((10, 0));
                CastType::Decimal(m, d)
            }
            Kw::DOUBLE => {
                self.advance();
                CastType::Double(self.double_digits()?)
            }
            Kw::FLOAT => {
                self.advance();
                CastType::Float
            }
            Kw::DATE => {
                self.advance();
                CastType::Date
            }
            Kw::TIME => {
                self.advance();
                CastType::Time(self.fraction()?)
            }
            Kw::DATETIME => {
                self.advance();
                CastType::DateTime(self.fraction()?)
            }
            Kw::BINARY => {
                self.advance();
                CastType::Binary(self.optional_length()?)
            }
            Kw::CHAR | Kw::CHARACTER | Kw::VARCHAR | Kw::VARCHARACTER | Kw::VARCHAR2 => self.char_type(kw)?,
            Kw::INTERVAL => {
                self.advance();
                self.expect_kw(Kw::DAY_SECOND)?;
                // the digits are not optional
                if !self.at(T::LParen) {
                    return Err(self.error());
                }
                CastType::DaySecond(self.fraction()?)
            }
            Kw::NCHAR | Kw::NATIONAL => self.national_type(kw)?,
            Kw::JSON
            | Kw::TEXT
            | Kw::BOOL
            | Kw::BOOLEAN
            | Kw::FIXED
            | Kw::TIMESTAMP
            | Kw::YEAR
            | Kw::NVARCHAR
            | Kw::ENUM
            | Kw::BIT
            | Kw::NUMBER
            | Kw::CLOB
            | Kw::RAW
            | Kw::SERIAL => return Err(self.error()),
            _ if kw.is_reserved() => return Err(self.error()),
            _ => {
                let name = self.ident()?;
                CastType::Other(other_type(&name))
            }
        };
        Ok(ty)
    }

    fn char_type(&mut self, kw: Kw) -> SqlResult<CastType> {
        self.advance();
        let fixed = matches!(kw, Kw::CHAR | Kw::CHARACTER);
        if !fixed && !self.at(T::LParen) {
            return Err(self.error());
        }
        let length = self.optional_length()?;
        let mut charset = None;
        let mut binary = false;
        self.cast_charset(&mut charset, &mut binary)?;
        Ok(CastType::Char { length, charset, binary })
    }

    fn national_type(&mut self, kw: Kw) -> SqlResult<CastType> {
        self.advance();
        if kw == Kw::NATIONAL && !self.eat_kw(Kw::CHAR) && !self.eat_kw(Kw::CHARACTER) {
            return Err(self.error());
        }
        let length = self.optional_length()?;
        let binary = self.eat_kw(Kw::BINARY);
        Ok(CastType::Char { length, charset: Some("utf8mb3".into()), binary })
    }

    /// The attributes behind CHAR(n) of a cast.
    pub(super) fn cast_charset(&mut self, charset: &mut Option<Name>, binary: &mut bool) -> SqlResult<()> {
        loop {
            if self.eat_charset()? {
                *charset = Some(self.charset_name()?);
            } else if self.eat_kw(Kw::BINARY) {
                *binary = true;
            } else if self.eat_kw(Kw::ASCII) {
                *charset = Some("latin1".into());
            } else if self.eat_kw(Kw::UNICODE) {
                *charset = Some("ucs2".into());
            } else if self.eat_kw(Kw::BYTE) {
                *charset = Some("binary".into());
            } else {
                return Ok(());
            }
        }
    }

    /// `(m, d)` of DOUBLE if it is there.
    fn double_digits(&mut self) -> SqlResult<Option<(u32, u32)>> {
        if !self.eat(T::LParen) {
            return Ok(None);
        }
        let m = clamp_u32(self.number()?);
        self.expect(T::Comma)?;
        let d = clamp_u32(self.number()?);
        self.expect(T::RParen)?;
        Ok(Some((m, d)))
    }

    /// `(n)` if it is there.
    pub(crate) fn optional_length(&mut self) -> SqlResult<Option<u64>> {
        if !self.at(T::LParen) {
            return Ok(None);
        }
        self.advance();
        let n = self.number()?;
        self.expect(T::RParen)?;
        Ok(Some(n))
    }

    /// `(m [, d])` if it is there.
    pub(super) fn precision_scale(&mut self) -> SqlResult<Option<(u32, u32)>> {
        if !self.eat(T::LParen) {
            return Ok(None);
        }
        let m = clamp_u32(self.number()?);
        let d = if self.eat(T::Comma) { clamp_u32(self.number()?) } else { 0 };
        self.expect(T::RParen)?;
        Ok(Some((m, d)))
    }

    /// `(n)` of a temporal type; the binder refuses more than 6.
    pub(super) fn fraction(&mut self) -> SqlResult<u8> {
        Ok(self.optional_length()?.map_or(0, |n| u8::try_from(n).unwrap_or(u8::MAX)))
    }
}

/// Lengths beyond any limit stay beyond it.
pub(crate) fn clamp_u32(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A type without a word of the grammar: those that there are in capitals, others as they are written.
fn other_type(name: &str) -> Box<str> {
    let capitals = name.to_ascii_uppercase();
    if matches!(&capitals[..], "UUID" | "INET4" | "INET6") { capitals.into() } else { name.into() }
}
