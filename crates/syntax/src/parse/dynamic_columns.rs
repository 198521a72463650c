//! The functions of dynamic columns whose arguments name types.

use super::Parser;
use crate::ast::*;
use crate::error::SqlResult;
use crate::lex::{Kw, T};

impl<'a> Parser<'a> {
    /// COLUMN_CREATE(name, value [AS type], ...), COLUMN_ADD(blob, name, value [AS type], ...).
    pub(super) fn column_create(&mut self, add: bool) -> SqlResult<Expr> {
        let token = self.tok;
        let name = self.ident()?;
        self.expect(T::LParen)?;
        let mut args = Vec::new();
        if add {
            args.push(self.expr()?);
            self.expect(T::Comma)?;
        }
        loop {
            args.push(self.expr()?);
            self.expect(T::Comma)?;
            let start = self.tok.start;
            let value = self.expr()?;
            if self.eat_kw(Kw::AS) {
                let ty = Box::new(self.column_value_type()?);
                args.push(self.node(ExprKind::ColumnValue(Box::new(value), ty), self.span_from(start))?);
            } else {
                args.push(value);
            }
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::RParen)?;
        self.function(&name, args, token.start)
    }

    /// COLUMN_GET(blob, name AS type): a cast of the plain function, which is nowhere else without one.
    pub(super) fn column_get(&mut self) -> SqlResult<Expr> {
        let token = self.tok;
        let name = self.ident()?;
        self.expect(T::LParen)?;
        let blob = self.expr()?;
        self.expect(T::Comma)?;
        let column = self.expr()?;
        self.expect_kw(Kw::AS)?;
        let call = self.function(&name, vec![blob, column], token.start)?;
        let cast = self.cast_to(call, token.start)?;
        match cast.kind {
            // a binary collation is the attribute
            ExprKind::Collate(inner, name)
                if name.len() > 4 && name[name.len() - 4..].eq_ignore_ascii_case("_bin") =>
            {
                let ExprKind::Cast(call, ty) = inner.kind else { return Err(self.error()) };
                let ty = match *ty {
                    CastType::Char { length, .. } => {
                        let charset = Some(name[..name.len() - 4].into());
                        CastType::Char { length, charset, binary: true }
                    }
                    other => other,
                };
                self.node(ExprKind::Cast(call, Box::new(ty)), self.span_from(token.start))
            }
            _ => Ok(cast),
        }
    }

    /// The type behind AS of COLUMN_CREATE and COLUMN_ADD.
    fn column_value_type(&mut self) -> SqlResult<ColumnValueType> {
        let Some(kw) = self.kw() else { return Err(self.error()) };
        let ty = match kw {
            Kw::INT | Kw::INTEGER => ColumnValueType::Int,
            Kw::UNSIGNED => {
                self.advance();
                if !matches!(self.kw(), Some(Kw::INT | Kw::INTEGER)) {
                    return Err(self.error());
                }
                ColumnValueType::Unsigned
            }
            Kw::DOUBLE | Kw::FLOAT | Kw::REAL => ColumnValueType::Double,
            Kw::DECIMAL | Kw::DEC => {
                self.advance();
                self.precision_scale()?;
                return Ok(ColumnValueType::Decimal);
            }
            Kw::DATE => ColumnValueType::Date,
            Kw::TIME | Kw::DATETIME => {
                self.advance();
                self.fraction()?;
                return Ok(if kw == Kw::TIME { ColumnValueType::Time } else { ColumnValueType::DateTime });
            }
            Kw::CHAR | Kw::CHARACTER => {
                self.advance();
                return self.column_value_text();
            }
            Kw::NCHAR | Kw::NATIONAL => {
                self.advance();
                if kw == Kw::NATIONAL && !matches!(self.kw(), Some(Kw::CHAR | Kw::CHARACTER)) {
                    return Err(self.error());
                }
                if kw == Kw::NATIONAL {
                    self.advance();
                }
                let charset = Some("utf8mb3".into());
                return Ok(ColumnValueType::Char { charset, collation: None, binary: false });
            }
            _ => return Err(self.error()),
        };
        self.advance();
        Ok(ty)
    }

    /// What follows CHAR there: no length, but a collation.
    fn column_value_text(&mut self) -> SqlResult<ColumnValueType> {
        let (mut charset, mut binary) = (None, false);
        self.cast_charset(&mut charset, &mut binary)?;
        let mut collation = None;
        if self.eat_kw(Kw::COLLATE) && !self.eat_kw(Kw::DEFAULT) {
            collation = Some(self.collation_name()?);
        }
        Ok(ColumnValueType::Char { charset, collation, binary })
    }
}
