//! Documents made of values, and values of documents: JSON_ARRAY, JSON_OBJECT, JSON_QUOTE, JSON_UNQUOTE, and the layouts.

use super::text::{Json, Style, escape, unescaped, value_at};
use super::{append_value, document_type, json, made_type, put, put_text, read, recoded, told, utf8};
use crate::error::{ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT, SqlError, SqlResult};
use crate::expr::function::{Call, Definition, Resolve};
use crate::types::FieldType;

pub(super) const LIST: &[Definition] = &[
    json("json_array", 0, 255, all_type, array),
    json("json_object", 0, 255, object_type, object),
    json("json_quote", 1, 1, quote_type, quote),
    json("json_unquote", 1, 1, plain_type, unquote),
    json("json_compact", 1, 1, document_type, compact),
    json("json_loose", 1, 1, loose_type, loose),
    json("json_detailed", 1, 2, detailed_type, detailed),
    json("json_normalize", 1, 1, normal_type, normalize),
    // what JSON_ARRAYAGG and JSON_OBJECTAGG put together, and around it
    json("json_ element", 1, 1, all_type, element),
    json("json_ member", 2, 2, member_type, member),
    json("json_ array", 1, 1, bracketed_type, |c| bracketed(c, b"[", b"]")),
    json("json_ object", 1, 1, document_type, |c| bracketed(c, b"{", b"}")),
];

fn array(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let mut out = vec![b'['];
    for i in 0..c.len() {
        if i > 0 {
            out.extend_from_slice(b", ");
        }
        append_value(c, i, &mut out);
    }
    out.push(b']');
    put_text(c, &out)
}

fn object_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    if !r.len().is_multiple_of(2) {
        return Err(SqlError::new(ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT, &[&r.name]));
    }
    let n = r.len();
    made_type(r, 0..n)
}

fn all_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let n = r.len();
    made_type(r, 0..n)
}

fn normal_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(FieldType { json: true, ..own_type(r, |chars| 5 * chars)? })
}

fn object(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let mut out = vec![b'{'];
    for i in (0..c.len()).step_by(2) {
        if i > 0 {
            out.extend_from_slice(b", ");
        }
        out.push(b'"');
        escape(&utf8(c, i).unwrap_or_default(), &mut out);
        out.extend_from_slice(b"\": ");
        append_value(c, i + 1, &mut out);
    }
    out.push(b'}');
    put_text(c, &out)
}

fn element(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let mut out = Vec::new();
    append_value(c, 0, &mut out);
    put_text(c, &out)
}

fn member_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(all_type(r)?.with_nullable(true))
}

fn member(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(name) = utf8(c, 0) else { return c.null() };
    let mut out = vec![b'"'];
    escape(&name, &mut out);
    out.extend_from_slice(b"\":");
    append_value(c, 1, &mut out);
    put_text(c, &out)
}

fn bracketed(c: &mut Call<'_, '_>, before: &[u8], behind: &[u8]) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    put_text(c, &[before, &text, behind].concat())
}

/// A list in brackets.
fn bracketed_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let mut ty = document_type(r)?;
    ty.length = ty.length.saturating_add(2 * u32::from(ty.collation.charset.mbminlen));
    Ok(ty)
}

/// The argument is text; the value is one in a collation of its own.
fn plain_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    own_type(r, |chars| chars)
}

fn own_type(r: &mut Resolve<'_>, length: impl Fn(u64) -> u64) -> SqlResult<FieldType> {
    r.text(0)?;
    let d = super::own_collation("utf8mb4_bin");
    let chars = length(u64::from(r.args[0].ty.char_length()));
    Ok(FieldType::string(chars, d.collation, d.derivation).with_nullable(true))
}

fn quote_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let number = r.args[0].ty.is_number();
    let nullable = number || r.nullable();
    let ty = own_type(r, |chars| 12 * chars + 2)?.with_nullable(nullable);
    if number {
        // what is a number is NULL
        r.args[0] = crate::expr::Expr::literal(crate::types::Value::Null, FieldType::null());
    }
    Ok(ty)
}

fn quote(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = recoded(c, 0) else { return c.null() };
    let mut out = vec![b'"'];
    escape(&text, &mut out);
    out.push(b'"');
    put_text(c, &out)
}

fn unquote(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    if text.trim_ascii_start().first() != Some(&b'"') {
        return put_text(c, &text);
    }
    match told(c, value_at(&text, 0), 0) {
        Some((Json::Text(raw), _)) => put_text(c, &unescaped(raw)),
        _ => put_text(c, &text),
    }
}

fn laid_out(c: &mut Call<'_, '_>, style: Style) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    match read(c, &text, 0) {
        Some(value) => put(c, &value, style),
        None => c.null(),
    }
}

fn compact(c: &mut Call<'_, '_>) -> SqlResult<()> {
    laid_out(c, Style::Compact)
}

fn loose_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    document_type(r).map(|ty| FieldType { json: true, ..super::of_length(ty, |chars| 2 * chars) })
}

fn loose(c: &mut Call<'_, '_>) -> SqlResult<()> {
    laid_out(c, Style::Loose)
}

fn detailed_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.int(1)?;
    Ok(FieldType { json: true, ..super::text_of(r.derived(0)) })
}

fn detailed(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let step = match c.len() {
        1 => 4,
        _ => match c.int(1) {
            Some(n) => n.clamp(0, 8) as usize,
            None => return c.null(),
        },
    };
    laid_out(c, Style::Detailed(step))
}

fn normalize(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = recoded(c, 0) else { return c.null() };
    let Some(value) = read(c, &text, 0) else { return c.null() };
    let mut out = Vec::new();
    super::look::normalized(&value, &mut out);
    put_text(c, &out)
}
