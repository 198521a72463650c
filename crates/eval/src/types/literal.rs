//! Values of literals that stand in the statement's text.

use super::{Decimal, FieldType, Value};
use crate::fingerprint::{LiteralKind, LiteralToken};

/// The digits of a number's token, without its sign.
pub fn digits_of<'a>(token: &LiteralToken, text: &'a [u8]) -> &'a [u8] {
    let t = token.text(text);
    let t = if token.negative { t.get(1..).unwrap_or_default() } else { t };
    t.trim_ascii()
}

/// The value of a literal of the text that is no string.
pub fn literal(token: &LiteralToken, text: &[u8]) -> (Value, FieldType) {
    let digits = digits_of(token, text);
    let number = || std::str::from_utf8(digits).unwrap_or("0");
    match token.kind {
        LiteralKind::Int | LiteralKind::UInt => {
            let n: u64 = number().parse().unwrap_or(u64::MAX);
            if token.negative {
                match i64::try_from(n) {
                    Ok(n) => (Value::Int(-n), FieldType::int(digits.len() as u32)),
                    Err(_) => decimal(digits, true),
                }
            } else if let Ok(n) = i64::try_from(n) {
                (Value::Int(n), FieldType::int(digits.len() as u32))
            } else {
                (Value::UInt(n), FieldType::bigint(true))
            }
        }
        LiteralKind::Decimal => decimal(digits, token.negative),
        LiteralKind::Float => {
            let x: f64 = number().parse().unwrap_or(0.0);
            (Value::Double(if token.negative { -x } else { x }), FieldType::double())
        }
        LiteralKind::Bool => {
            let yes = token.text(text).first().is_some_and(|b| b.eq_ignore_ascii_case(&b't'));
            (Value::Int(i64::from(yes)), FieldType::boolean())
        }
        LiteralKind::HexNumber | LiteralKind::HexString => {
            let t = token.text(text);
            let t = if token.kind == LiteralKind::HexNumber { &t[2..] } else { &t[2..t.len() - 1] };
            (
                Value::Bytes(unhex(t)),
                FieldType { hex: token.kind == LiteralKind::HexNumber, ..hex_type(t.len()) },
            )
        }
        LiteralKind::Bit => {
            let t: Vec<u8> = token.text(text).iter().copied().filter(|b| matches!(b, b'0' | b'1')).collect();
            // the 0 of `0b` is no digit
            let t = if token.text(text).first() == Some(&b'0') { &t[1..] } else { &t[..] };
            let mut out = vec![0u8; t.len().div_ceil(8)];
            for (i, b) in t.iter().rev().enumerate() {
                if *b == b'1' {
                    let at = out.len() - 1 - i / 8;
                    out[at] |= 1 << (i % 8);
                }
            }
            let n = out.len();
            (Value::Bytes(out), hex_type(n * 2))
        }
        LiteralKind::String | LiteralKind::Null | LiteralKind::Default => (Value::Null, FieldType::null()),
    }
}

fn hex_type(digits: usize) -> FieldType {
    let mut ty =
        FieldType::string(digits as u64 / 2 + 1, charset::binary(), crate::types::Derivation::Coercible);
    ty.hex = true;
    ty
}

fn unhex(digits: &[u8]) -> Vec<u8> {
    let nibble = |b: u8| char::from(b).to_digit(16).unwrap_or(0) as u8;
    let (odd, rest) = digits.split_at(digits.len() % 2);
    odd.iter().map(|b| nibble(*b)).chain(rest.chunks(2).map(|p| nibble(p[0]) << 4 | nibble(p[1]))).collect()
}

/// Whether a number has more digits than there is room for: it is told of (1916), and is the largest one.
#[must_use]
pub fn is_too_large(token: &LiteralToken, text: &[u8]) -> bool {
    let digits = || digits_of(token, text);
    token.kind == LiteralKind::Decimal && digits().len() > 65 && Decimal::parse(digits()).overflow
}

fn decimal(digits: &[u8], negative: bool) -> (Value, FieldType) {
    let parsed = Decimal::parse(digits);
    let d = match parsed.overflow {
        true => Decimal::largest(super::decimal::MAX_PRECISION, 0, parsed.value.is_negative()),
        false => parsed.value,
    };
    let d = if negative { d.negated() } else { d };
    (Value::Decimal(d), FieldType::decimal(d.precision(), d.scale()))
}
