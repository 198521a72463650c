//! Dynamic columns as text: their names, and all of them as JSON.

use super::format::{Columns, Outcome};
use super::get::{text_in_utf8, write_plain};
use super::value::Stored;
use crate::error::SqlResult;
use crate::expr::function::Call;

/// Columns in columns that JSON shows; what is deeper takes away all that was shown.
const DEEPEST: usize = 9;

/// COLUMN_LIST: the names, quoted as identifiers.
pub(super) fn list(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(blob) = c.bytes(0) else { return c.null() };
    let columns = Columns::read(blob)?;
    let mut out = Vec::new();
    for i in 0..columns.len() {
        if i > 0 {
            out.push(b',');
        }
        out.push(b'`');
        for b in columns.key(i)?.name().iter() {
            if *b == b'`' {
                out.push(b'`');
            }
            out.push(*b);
        }
        out.push(b'`');
    }
    put(c, &out)
}

/// COLUMN_JSON.
pub(super) fn json(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(blob) = c.bytes(0) else { return c.null() };
    let mut out = Vec::new();
    if !blob.is_empty() {
        write_json(blob, 1, &mut out)?;
    }
    put(c, &out)
}

fn put(c: &mut Call<'_, '_>, utf8: &[u8]) -> SqlResult<()> {
    if c.exceeds(utf8.len()) {
        return c.too_long();
    }
    match std::str::from_utf8(utf8) {
        Ok(text) => c.put_utf8(text),
        Err(_) => c.put_utf8(&String::from_utf8_lossy(utf8)),
    }
}

fn write_json(blob: &[u8], level: usize, out: &mut Vec<u8>) -> Outcome<()> {
    let columns = Columns::read(blob)?;
    out.push(b'{');
    for i in 0..columns.len() {
        if i > 0 {
            out.push(b',');
        }
        out.push(b'"');
        out.extend_from_slice(&columns.key(i)?.name());
        out.extend_from_slice(b"\":");
        let (kind, data) = columns.value(i)?;
        match Stored::read(kind, data)? {
            Stored::Columns(_) if level >= DEEPEST => {
                out.clear();
                return Ok(());
            }
            Stored::Columns(inner) => write_json(&inner, level + 1, out)?,
            Stored::Text(collation, bytes) => quote(&text_in_utf8(collation, &bytes)?, out),
            v @ (Stored::Date(_) | Stored::Time(_) | Stored::DateTime(_)) => {
                out.push(b'"');
                write_plain(&v, out);
                out.push(b'"');
            }
            v => write_plain(&v, out),
        }
    }
    out.push(b'}');
    Ok(())
}

/// A text in quotes; what may not stand in them is written as JSON has it.
fn quote(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &b in text {
        match b {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', b]),
            0..=0x1f => out.extend_from_slice(format!("\\u{b:04X}").as_bytes()),
            b => out.push(b),
        }
    }
    out.push(b'"');
}
