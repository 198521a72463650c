//! Constants: numbers, strings with their character set, dates and times.

use super::expr::ExprBinder;
use crate::ast;
use crate::error::{
    ER_DATA_OVERFLOW, ER_ILLEGAL_VALUE_FOR_TYPE, ER_INVALID_CHARACTER_STRING, ER_UNKNOWN_CHARACTER_SET,
    ER_WRONG_VALUE, SqlError, SqlResult,
};
use crate::expr::{Expr, Node};
use crate::types::temporal::parse::{self, Found, TimeText};
use crate::types::{Decimal, Derivation, FieldType, Kind, Value, number};

impl ExprBinder<'_> {
    pub(super) fn literal(&mut self, l: &ast::Literal) -> SqlResult<Expr> {
        let not_null = |t: FieldType| t.with_nullable(false);
        Ok(match l {
            ast::Literal::Null => Expr::literal(Value::Null, FieldType::null()),
            ast::Literal::NullText(charset) => {
                let set = charset.and_then(charset::Charset::by_name);
                let collation = set.map_or(self.ctx.collation, charset::Charset::default_collation);
                Expr::literal(Value::Null, FieldType::string(0, collation, Derivation::Ignorable))
            }
            ast::Literal::Bool(b) => {
                // as wide as the longer of the two words
                Expr::literal(
                    Value::Int(i64::from(*b)),
                    not_null(FieldType { length: 5, ..FieldType::boolean() }),
                )
            }
            ast::Literal::Int(v) => {
                let mut digits = Vec::with_capacity(20);
                number::write_uint(*v, &mut digits);
                let length = digits.len() as u32;
                match i64::try_from(*v) {
                    Ok(i) => Expr::literal(Value::Int(i), FieldType::int(length)),
                    Err(_) => {
                        let mut t = FieldType::new(Kind::LongLong, length, 0);
                        t.unsigned = true;
                        Expr::literal(Value::UInt(*v), t)
                    }
                }
            }
            ast::Literal::Decimal(text) => {
                let mut p = Decimal::parse(text.as_bytes());
                if p.overflow {
                    p.value = Decimal::largest(crate::types::decimal::MAX_PRECISION, 0, false);
                    // where a prepared statement runs that was told before
                    if !self.ctx.statement.prepared {
                        self.ctx.warnings.remark(ER_DATA_OVERFLOW, &[&"", &"DECIMAL"]);
                    }
                }
                // digits as they are written: a zero before the point is one
                let whole = text.bytes().take_while(u8::is_ascii_digit).count().min(65) as u8;
                let (int, scale) = (p.value.int_digits().max(whole), p.value.scale());
                let t = FieldType::decimal(int.saturating_add(scale), scale);
                Expr::literal(Value::Decimal(p.value), t)
            }
            ast::Literal::Float(text) => {
                let r = number::read_double(text.as_bytes());
                if r.overflow {
                    return Err(SqlError::new(ER_ILLEGAL_VALUE_FOR_TYPE, &[&"double", &text]));
                }
                let mut t = FieldType::double();
                t.length = text.len() as u32;
                Expr::literal(Value::Double(r.value), t)
            }
            ast::Literal::String(s) => self.string(s)?,
            ast::Literal::HexNumber(b) | ast::Literal::Bit(b) => {
                let mut t = FieldType::string(b.len() as u64, charset::binary(), Derivation::Coercible);
                t.hex = true;
                t.unsigned = true;
                t.decimals = 0;
                Expr::literal(Value::Bytes(b.to_vec()), t)
            }
            ast::Literal::HexString(b) => {
                let mut t = FieldType::string(b.len() as u64, charset::binary(), Derivation::Coercible);
                t.unsigned = true;
                t.decimals = 0;
                Expr::literal(Value::Bytes(b.to_vec()), t)
            }
            ast::Literal::Temporal(kind, text) => self.temporal(*kind, text)?,
            ast::Literal::Odbc(kind, s) => match self.temporal(*kind, &s.bytes) {
                Err(e) if e.code == ER_WRONG_VALUE => self.string(s)?,
                other => other?,
            },
        })
    }

    /// A literal; integers are as wide as they are written, which the notes of EXPLAIN about keys tell.
    pub(super) fn literal_as_written(&mut self, l: &ast::Literal, span: ast::Span) -> SqlResult<Expr> {
        let mut bound = self.literal(l)?;
        if matches!(l, ast::Literal::Int(_)) {
            let written = FieldType::int(span.end.saturating_sub(span.start));
            if bound.ty.class() == written.class() && written.length > bound.ty.length {
                bound.ty = written.with_nullable(bound.ty.nullable);
            }
        }
        Ok(bound)
    }

    /// A temporal literal; what it loses of a fraction is told each time.
    fn temporal(&mut self, kind: ast::TemporalKind, text: &[u8]) -> SqlResult<Expr> {
        let (e, whole) = match temporal_literal(kind, text, self.ctx.sql_mode) {
            Err(e) if self.ctx.statement.prepared => return self.no_more_a_date(kind, text).ok_or(e),
            read => read?,
        };
        if !whole {
            let shown = crate::types::convert::printable_utf8(text);
            self.ctx.warnings.note(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&word(kind), &shown]);
            self.cacheable = false;
        }
        Ok(e)
    }

    /// A literal of a prepared statement that `sql_mode` has come to refuse: NULL, with a warning whenever it is computed.
    fn no_more_a_date(&self, kind: ast::TemporalKind, text: &[u8]) -> Option<Expr> {
        let (e, _) = temporal_literal(kind, text, crate::variables::SqlMode::default()).ok()?;
        let written = string_literal(text, self.ctx.collation);
        Some(Expr::new(Node::Convert(Box::new(written)), e.ty.with_nullable(true)))
    }

    /// A string, in the character set of its introducer or of the connection.
    fn string(&mut self, s: &ast::StringLiteral) -> SqlResult<Expr> {
        let collation = match s.charset {
            None => {
                let (from, to) = (self.ctx.client, self.ctx.collation.charset);
                let ascii = s.bytes.is_ascii() && to.is_ascii_compatible();
                if ascii || std::ptr::eq(from, to) {
                    return Ok(string_literal(&s.bytes, self.ctx.collation));
                }
                let mut bytes = Vec::with_capacity(s.bytes.len());
                from.convert(&s.bytes, to, &mut bytes);
                return Ok(string_literal(&bytes, self.ctx.collation));
            }
            Some(name) => {
                let cs = charset::Charset::by_name(name)
                    .ok_or_else(|| SqlError::new(ER_UNKNOWN_CHARACTER_SET, &[&name]))?;
                let padded = cs.padded(&s.bytes);
                if let Some(bytes) = padded.as_deref().filter(|b| cs.well_formed_len(b) == b.len()) {
                    return Ok(string_literal(bytes, cs.default_collation()));
                }
                if cs.well_formed_len(&s.bytes) < s.bytes.len() {
                    let bad: String = s.bytes[cs.well_formed_len(&s.bytes)..]
                        .iter()
                        .take(6)
                        .map(|b| format!("{b:02X}"))
                        .collect();
                    return Err(SqlError::new(ER_INVALID_CHARACTER_STRING, &[&name, &bad]));
                }
                cs.default_collation()
            }
        };
        Ok(string_literal(&s.bytes, collation))
    }
}

/// A string constant.
fn string_literal(bytes: &[u8], collation: &'static charset::Collation) -> Expr {
    let mut t = FieldType::string(collation.charset.char_len(bytes) as u64, collation, Derivation::Coercible);
    t.ascii = bytes.is_ascii() && collation.charset.is_ascii_compatible();
    Expr::literal(Value::Bytes(bytes.to_vec()), t)
}

/// Whether a text is a literal of this kind, whatever `sql_mode` refuses.
#[must_use]
pub fn is_temporal(kind: ast::TemporalKind, text: &[u8]) -> bool {
    temporal_literal(kind, text, crate::variables::SqlMode::default()).is_ok()
}

fn word(kind: ast::TemporalKind) -> &'static str {
    match kind {
        ast::TemporalKind::Date => "DATE",
        ast::TemporalKind::Time => "TIME",
        ast::TemporalKind::DateTime => "DATETIME",
    }
}

/// The literal, and whether it has all digits that are written.
fn temporal_literal(
    kind: ast::TemporalKind,
    text: &[u8],
    mode: crate::variables::SqlMode,
) -> SqlResult<(Expr, bool)> {
    let word = word(kind);
    let bad = || SqlError::new(ER_WRONG_VALUE, &[&word, &crate::types::convert::printable_utf8(text)]);
    let digits = |text: &[u8]| {
        let point = text.iter().rposition(|b| *b == b'.');
        point.map_or(0, |p| text[p + 1..].iter().take_while(|b| b.is_ascii_digit()).count().min(6) as u8)
    };
    let rules = crate::types::convert::date_rules(mode);
    match kind {
        ast::TemporalKind::Date => match parse::datetime(text, rules) {
            Found::Good(t) if !t.has_time => {
                Ok((nullable(Expr::literal(Value::Date(t.value), FieldType::date()), &t.value), true))
            }
            _ => Err(bad()),
        },
        ast::TemporalKind::DateTime => match parse::datetime(text, rules) {
            found @ (Found::Good(t) | Found::ExcessFraction(t)) if t.has_time => {
                let whole = matches!(found, Found::Good(_));
                let e = Expr::literal(Value::DateTime(t.value), FieldType::datetime(digits(text)));
                Ok((nullable(e, &t.value), whole))
            }
            _ => Err(bad()),
        },
        ast::TemporalKind::Time => match parse::time(text, rules) {
            found @ (Found::Good(TimeText::Time(t)) | Found::ExcessFraction(TimeText::Time(t))) => {
                let whole = matches!(found, Found::Good(_));
                Ok((Expr::literal(Value::Time(t), FieldType::time(digits(text))), whole))
            }
            _ => Err(bad()),
        },
    }
}

/// A date without a month or a day may be refused elsewhere.
fn nullable(mut e: Expr, date: &crate::types::temporal::DateTime) -> Expr {
    e.ty.nullable |= date.month == 0 || date.day == 0;
    e
}
