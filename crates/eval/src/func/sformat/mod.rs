//! SFORMAT: replacement fields in a text, as the C++ library {fmt} has them, whose messages and widths are visible.

mod float;
mod spec;
mod write;

use super::pure;
use super::{Call, Definition, Resolve, Stops};
use crate::error::{SqlResult, WARN_SFORMAT_ERROR};
use crate::expr::typing::common_collation;
use crate::types::{Class, FieldType, Kind, ValueRef};
use charset::Charset;
use charset::derivation::Purpose;
use std::borrow::Cow;

pub(super) const LIST: &[Definition] = &[pure("sformat", 1, 255, resolve, sformat).stopping(Stops::First)];

/// A value as {fmt} sees it.
#[derive(Clone, Debug)]
enum Argument<'a> {
    Int(i64),
    Double(f64),
    Float(f32),
    Text(Cow<'a, [u8]>),
}

/// Why there is no text.
enum Failure {
    /// A mistake in the format.
    Message(Cow<'static, str>),
    /// The text would be longer than a packet.
    TooLong,
}

impl From<&'static str> for Failure {
    fn from(message: &'static str) -> Failure {
        Failure::Message(Cow::Borrowed(message))
    }
}

type Outcome<T> = Result<T, Failure>;

fn resolve(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    // numbers count for the collation as their texts would, and stay numbers
    let mut texts = Vec::with_capacity(r.len());
    for i in 0..r.len() {
        let kept = r.args[i].clone();
        r.text(i)?;
        let text = std::mem::replace(&mut r.args[i], kept);
        texts.push(text);
    }
    let d = common_collation(&mut texts, Purpose::Value, r.name, r.ctx)?;
    for (i, text) in texts.into_iter().enumerate() {
        let ty = &r.args[i].ty;
        match ty.class() {
            Class::Int | Class::Double if i > 0 => {}
            Class::UInt if i > 0 && ty.is_number() => {}
            Class::Decimal if i > 0 => r.double(i)?,
            _ => r.args[i] = text,
        }
    }
    Ok(super::longest_text(d.collation, d.derivation).with_nullable(true))
}

fn sformat(c: &mut Call<'_, '_>) -> SqlResult<()> {
    // only sets whose characters are wider than a byte give way to UTF-8: texts in others are taken as they are
    let charset = c.collation().charset;
    let wide = (charset.mbminlen > 1).then(|| Charset::by_name("utf8mb4")).flatten();
    let narrow = |bytes| match wide {
        Some(to) => {
            let mut out = Vec::new();
            charset.convert(bytes, to, &mut out);
            Cow::Owned(out)
        }
        None => Cow::Borrowed(bytes),
    };
    let mut arguments = Vec::with_capacity(c.len());
    for i in 0..c.len() {
        arguments.push(match c.value(i) {
            // a number that is NULL is 0
            ValueRef::Null if c.ty(i).is_number() && i > 0 => match (c.ty(i).class(), c.ty(i).kind) {
                (Class::Double, Kind::Float) => Argument::Float(0.0),
                (Class::Double, _) => Argument::Double(0.0),
                _ => Argument::Int(0),
            },
            ValueRef::Null => return c.null(),
            ValueRef::Int(v) => Argument::Int(v),
            ValueRef::UInt(v) => Argument::Int(v as i64),
            ValueRef::Double(v) if c.ty(i).kind == Kind::Float => Argument::Float(v as f32),
            ValueRef::Double(v) => Argument::Double(v),
            ValueRef::Bytes(b) => Argument::Text(narrow(b)),
            _ => return c.null(),
        });
    }
    let Argument::Text(format) = arguments.remove(0) else { return c.null() };
    let most = usize::try_from(c.ctx.session_memory).unwrap_or(usize::MAX).min(c.ctx.max_allowed_packet);
    match write::format(&format, &arguments, most) {
        Ok(text) => match wide {
            Some(from) => {
                let mut out = Vec::with_capacity(text.len() * 2);
                from.convert(&text, charset, &mut out);
                c.put_bytes(&out)
            }
            None => c.put_bytes(&text),
        },
        Err(Failure::TooLong) => c.null(),
        Err(Failure::Message(message)) => {
            c.ctx.warnings.warn(WARN_SFORMAT_ERROR, &[&message]);
            c.null()
        }
    }
}
