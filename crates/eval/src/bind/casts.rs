//! CAST and CONVERT to types.

use super::expr::ExprBinder;
use crate::ast::{self, CastType, ExprKind};
use crate::error::{ER_TOO_BIG_PRECISION, ER_TOO_BIG_SCALE, SqlError, SqlResult};
use crate::expr::Expr;
use crate::expr::typing::{coerce, text_type};
use crate::func;
use crate::types::{Class, Derivation, FieldType, Kind, Value};
use crate::warning::Level;

impl ExprBinder<'_> {
    /// Refuses what CAST cannot have as digits; a second error is about the operator, which there is none of then.
    fn check_digits(&mut self, e: &ast::Expr, t: &CastType) -> SqlResult<()> {
        digits_allowed(e, t).inspect_err(|failed| {
            self.ctx.warnings.push_error(Level::Error, failed);
            if is_column_get(e) {
                return;
            }
            let word = match t {
                CastType::Decimal(..) => "decimal",
                CastType::DateTime(_) => "datetime",
                CastType::Time(_) => "time",
                _ => "double",
            };
            let operator = format!("CAST(expr AS {word})");
            self.ctx.warnings.push(Level::Error, crate::error::codes::ER_UNKNOWN_OPERATOR, &[&operator]);
        })
    }

    /// CAST, or COLUMN_GET, which is written as one.
    pub(super) fn cast_form(&mut self, a: &ast::Expr, t: &CastType) -> SqlResult<Expr> {
        self.check_digits(a, t)?;
        if let Some(got) = self.column_get(a, t)? {
            return Ok(got);
        }
        let a = self.bind(a)?;
        self.cast(a, t)
    }

    pub(super) fn cast(&mut self, a: Expr, t: &CastType) -> SqlResult<Expr> {
        let nullable = a.ty.nullable;
        match t {
            CastType::Signed | CastType::Unsigned => {
                let unsigned = *t == CastType::Unsigned;
                let short = a.as_literal().is_some_and(is_short_unsigned);
                let plain = match a.ty.class() {
                    Class::Bytes => !unsigned || short,
                    Class::Double => false,
                    Class::Int | Class::UInt => {
                        !unsigned || a.ty.unsigned || a.ty.counts_absent_sign() || short
                    }
                    _ => !unsigned,
                };
                let width = crate::expr::typing::natural_width(&a.ty).char_length();
                let width = width - u32::from(unsigned && a.ty.counts_absent_sign());
                let width = if plain { width.clamp(if unsigned { 1 } else { 2 }, 21) } else { 20 };
                let mut ty = FieldType { unsigned, ..FieldType::int(width) };
                if unsigned && width == 10 && a.ty.class() == Class::UInt && a.as_literal().is_none() {
                    ty.kind = Kind::Long;
                }
                self.cast_call(if unsigned { "cast_as_unsigned" } else { "cast_as_signed" }, a, ty)
            }
            CastType::Decimal(m, d) => {
                let m = if *m == 0 && *d == 0 { 10 } else { *m };
                self.cast_call("cast_as_decimal", a, FieldType::decimal(m as u8, *d as u8))
            }
            CastType::Double(spec) => {
                let mut ty = FieldType::double();
                ty.length = 22;
                if let Some((m, d)) = spec {
                    ty.length = *m;
                    ty.decimals = *d as u8;
                }
                Ok(null_too(self.cast_call("cast_as_double", a, ty)?))
            }
            CastType::Float => {
                let mut ty = FieldType::double();
                ty.kind = Kind::Float;
                ty.length = 12;
                Ok(null_too(self.cast_call("cast_as_float", a, ty)?))
            }
            CastType::Char { length, charset, binary } => {
                self.cast_as_char(a, *length, charset.as_deref(), *binary)
            }
            CastType::Binary(length) => self.cast_as_binary(a, *length),
            CastType::Date => self.cast_call("cast_as_date", a, FieldType::date()),
            CastType::Time(d) => self.cast_call("cast_as_time", a, FieldType::time(*d)),
            CastType::DateTime(d) => self.cast_call("cast_as_datetime", a, FieldType::datetime(*d)),
            CastType::Year => {
                let mut ty = FieldType::new(Kind::LongLong, 4, 0).with_nullable(nullable);
                ty.unsigned = true;
                self.cast_call("cast_as_unsigned", a, ty)
            }
            CastType::DaySecond(digits) => {
                let fraction = if *digits == 0 { 0 } else { u32::from(*digits) + 1 };
                let width = u64::from(crate::ast::DAY_SECOND + fraction);
                let latin1 = self.charset("latin1")?.default_collation();
                let mut ty = FieldType::string(width, latin1, Derivation::Implicit);
                ty.decimals = *digits;
                Ok(null_too(self.cast_call("cast_as_day_second", a, ty)?))
            }
            CastType::Other(name) => self.cast_as_other(a, name),
        }
    }

    /// `CAST(a AS CHAR(length) CHARACTER SET charset)`
    fn cast_as_char(
        &mut self,
        mut a: Expr,
        length: Option<u64>,
        charset: Option<&str>,
        binary: bool,
    ) -> SqlResult<Expr> {
        let collation = match charset {
            Some(cs) => self.charset(cs)?.default_collation(),
            None => self.ctx.collation,
        };
        let collation = if binary { collation.charset.bin_collation() } else { collation };
        if collation.id == 63 {
            return self.cast(a, &CastType::Binary(length));
        }
        let text = a.ty.is_string();
        let t = text_type(&a.ty, self.ctx.collation);
        coerce(&mut a, t, self.ctx)?;
        let chars = match length {
            Some(n) => n,
            None if a.ty.collation.id == 63 => u64::from(a.ty.length),
            None => u64::from(a.ty.char_length()),
        };
        let mut ty = FieldType::string(chars, collation, Derivation::Implicit);
        ty.ascii = a.ty.ascii;
        ty.decimals = 0;
        let name = match (length, text) {
            (None, _) => "cast_as_char",
            (Some(_), true) => "cast_as_char_n",
            (Some(_), false) => "cast_as_char_n_of_other",
        };
        self.cast_call(name, a, ty)
    }

    fn cast_as_binary(&mut self, mut a: Expr, length: Option<u64>) -> SqlResult<Expr> {
        let number = !a.ty.is_string();
        if a.ty.is_address() {
            func::wrapped::image(&mut a, self.ctx)?;
        } else {
            let t = text_type(&a.ty, self.ctx.collation);
            coerce(&mut a, t, self.ctx)?;
        }
        let all = if number { a.ty.char_length() } else { a.ty.length };
        let bytes = length.unwrap_or(u64::from(all));
        let mut ty = FieldType::string(bytes, charset::binary(), Derivation::Implicit);
        ty.ascii = false;
        ty.decimals = 0;
        let name = match (length, number) {
            (None, _) => "cast_as_binary",
            (Some(_), false) => "cast_as_binary_n",
            (Some(_), true) => "cast_as_binary_n_of_other",
        };
        self.cast_call(name, a, ty)
    }

    /// Types that the grammar has no words for.
    fn cast_as_other(&mut self, a: Expr, name: &str) -> SqlResult<Expr> {
        let kind = match name {
            "UUID" => ("cast_as_uuid", Kind::Uuid, 36),
            "INET6" => ("cast_as_inet6", Kind::Inet6, 39),
            "INET4" => ("cast_as_inet4", Kind::Inet4, 15),
            _ => return Err(no_cast(name)),
        };
        let known = a.as_literal().is_some();
        let mut e = self.cast_call(kind.0, a, FieldType::new(kind.1, kind.2, 0))?;
        if known {
            // what a constant becomes is seen at once
            let mark = self.ctx.warnings.mark();
            e.ty.nullable = e.value(self.ctx)?.is_null();
            self.ctx.warnings.rollback_to(mark);
        }
        Ok(e)
    }

    fn cast_call(&mut self, name: &str, mut a: Expr, ty: FieldType) -> SqlResult<Expr> {
        if matches!(name, "cast_as_double" | "cast_as_decimal") && a.ty.json {
            func::json::as_number(&mut a, self.ctx)?;
        }
        let mut e = func::call(func::named(name)?, name, vec![a], self.ctx)?;
        let nullable = e.ty.nullable;
        e.ty = ty.with_nullable(nullable);
        Ok(e)
    }
}

/// A type that nothing can be cast to, or none.
fn no_cast(name: &str) -> SqlError {
    let geometries = [
        "geometry",
        "point",
        "linestring",
        "polygon",
        "multipoint",
        "multilinestring",
        "multipolygon",
        "geometrycollection",
    ];
    let lower = name.to_ascii_lowercase();
    if geometries.contains(&&lower[..]) {
        return SqlError::new(crate::error::codes::ER_UNKNOWN_OPERATOR, &[&format!("CAST(expr AS {lower})")]);
    }
    if name.contains(' ') {
        return SqlError::not_supported(format!("CAST AS {name}"));
    }
    SqlError::new(crate::error::codes::ER_UNKNOWN_DATA_TYPE, &[&name])
}

/// Whether it is COLUMN_GET without its cast.
pub(super) fn is_column_get(e: &ast::Expr) -> bool {
    matches!(&e.kind, ExprKind::Function(f) if f.db.is_none() && f.name.eq_ignore_ascii_case("column_get"))
}

/// Digits that a number or a fraction of a second may have in CAST.
fn digits_allowed(e: &ast::Expr, t: &CastType) -> SqlResult<()> {
    let name = || match &e.kind {
        // COLUMN_GET names the column that it looks for
        ExprKind::Function(f) if is_column_get(e) => {
            f.args.last().map_or(String::new(), |e| e.to_text(ast::PrintStyle::default()))
        }
        ExprKind::Column(c) => c.name.to_string(),
        ExprKind::Literal(ast::Literal::String(s)) => String::from_utf8_lossy(&s.bytes).into_owned(),
        _ => e.to_text(ast::PrintStyle::default()),
    };
    if let CastType::Time(d) | CastType::DateTime(d) | CastType::DaySecond(d) = t
        && *d > 6
    {
        return Err(SqlError::new(ER_TOO_BIG_PRECISION, &[&name(), &6]));
    }
    let (CastType::Decimal(m, d) | CastType::Double(Some((m, d)))) = t else { return Ok(()) };
    if *m > 65 {
        return Err(SqlError::new(ER_TOO_BIG_PRECISION, &[&name(), &65]));
    }
    if *d > 38 {
        return Err(SqlError::new(ER_TOO_BIG_SCALE, &[&name(), &38]));
    }
    if *d > *m {
        return Err(SqlError::new(crate::error::ER_M_BIGGER_THAN_D, &[&""]));
    }
    Ok(())
}

/// A cast that may give NULL.
fn null_too(mut e: Expr) -> Expr {
    e.ty.nullable = true;
    e
}

/// Whether a constant AS UNSIGNED has no more digits than it is written with: what is negative becomes a large number.
fn is_short_unsigned(v: &Value) -> bool {
    match v {
        Value::Int(n) => *n >= 0,
        Value::Bytes(text) => text.len() <= 10 && !text.trim_ascii_start().starts_with(b"-"),
        _ => true,
    }
}
