//! REGEXP, REGEXP_INSTR, REGEXP_SUBSTR, REGEXP_REPLACE, by PCRE2.

use super::pure;
use super::{Call, Definition, Resolve};
use crate::error::{ER_REGEXP_ERROR, SqlError, SqlResult};
use crate::types::FieldType;
use charset::derivation::Purpose;
use charset::{Charset, Collation};
use pcre2::bytes::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

pub(super) const LIST: &[Definition] = &[
    pure("regexp", 2, 2, regexp_type, matches),
    pure("regexp_instr", 2, 2, regexp_type, instr),
    pure(
        "regexp_substr",
        2,
        2,
        |r| {
            let d = r.texts(0..2, Purpose::Comparison)?;
            let n = r.args[0].ty.char_length();
            Ok(r.text_of(u64::from(n), d))
        },
        substr,
    ),
    pure(
        "regexp_replace",
        3,
        3,
        |r| {
            let d = r.texts(0..3, Purpose::Comparison)?;
            Ok(FieldType { ascii: d.ascii, ..super::longest_text(d.collation, d.derivation) })
        },
        replace,
    ),
];

fn regexp_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let d = r.texts(0..2, Purpose::Comparison)?;
    for a in r.args.iter_mut() {
        a.ty.collation = d.collation;
    }
    let len = if r.name.eq_ignore_ascii_case("regexp") { 1 } else { 11 };
    Ok(r.long_of(len))
}

thread_local! {
    /// The last pattern compiled by this thread: patterns rarely change from row to row.
    static LAST: RefCell<Option<Known>> = const { RefCell::new(None) };
}

/// A pattern, its collation, the flags of the session, and what became of it.
type Known = (Vec<u8>, u16, Arc<str>, Regex);

/// The text in UTF-8, or as it is when it is binary.
fn utf8<'a>(b: &'a [u8], c: &Collation) -> Cow<'a, [u8]> {
    if c.id == 63 || c.charset.name.starts_with("utf8") || b.is_ascii() && c.charset.is_ascii_compatible() {
        return Cow::Borrowed(b);
    }
    let mut out = Vec::new();
    if let Some(to) = Charset::by_name("utf8mb4") {
        c.charset.convert(b, to, &mut out);
    }
    Cow::Owned(out)
}

fn with_regex<T>(
    pattern: &[u8],
    c: &'static Collation,
    flags: &Arc<str>,
    f: impl FnOnce(&Regex) -> SqlResult<T>,
) -> SqlResult<T> {
    LAST.with(|last| {
        let mut last = last.borrow_mut();
        let known = matches!(&*last, Some((p, id, f, _)) if p == pattern && *id == c.id && f == flags);
        if !known {
            let text = utf8(pattern, c);
            let binary = c.id == 63;
            let insensitive = c.is_case_insensitive();
            let source = if binary {
                text.iter()
                    .map(|b| if b.is_ascii() { (*b as char).to_string() } else { format!("\\x{b:02X}") })
                    .collect::<String>()
            } else {
                String::from_utf8_lossy(&text).into_owned()
            };
            let regex = RegexBuilder::new()
                .caseless(insensitive)
                .utf(!binary)
                .ucp(!binary)
                .build(&format!("{flags}{source}"))
                .map_err(|e| refused(&e))?;
            *last = Some((pattern.to_vec(), c.id, Arc::clone(flags), regex));
        }
        match &*last {
            Some((_, _, _, regex)) => f(regex),
            None => Err(SqlError::internal("no pattern")),
        }
    })
}

/// A pattern that is none: what is wrong with it, and where.
fn refused(e: &pcre2::Error) -> SqlError {
    let text = e.to_string();
    let parts =
        text.strip_prefix("PCRE2: error compiling pattern at offset ").and_then(|t| t.split_once(": "));
    match parts {
        Some((offset, what)) => SqlError::new(ER_REGEXP_ERROR, &[&format!("{what} at offset {offset}")]),
        None => SqlError::new(ER_REGEXP_ERROR, &[&text]),
    }
}

fn failed(e: pcre2::Error) -> SqlError {
    SqlError::new(ER_REGEXP_ERROR, &[&e])
}

/// `a REGEXP b`.
pub(super) fn matches(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(a), Some(p)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    let collation = c.ty(0).collation;
    let hit =
        with_regex(p, collation, &c.ctx.regex_flags, |r| r.is_match(&utf8(a, collation)).map_err(failed))?;
    c.put_int(i64::from(hit))
}

/// REGEXP_INSTR.
pub(super) fn instr(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(a), Some(p)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    let collation = c.ty(0).collation;
    let text = utf8(a, collation);
    let at = with_regex(p, collation, &c.ctx.regex_flags, |r| {
        Ok(r.find(&text).map_err(failed)?.map(|m| m.start()))
    })?;
    let v = match at {
        None => 0,
        Some(at) if collation.id == 63 => at as i64 + 1,
        Some(at) => String::from_utf8_lossy(&text[..at]).chars().count() as i64 + 1,
    };
    c.put_int(v)
}

/// Puts UTF-8 (or binary) text in the character set of the result.
fn put(c: &mut Call<'_, '_>, text: &[u8]) -> SqlResult<()> {
    let to = c.collation();
    if to.id == 63 || to.charset.name.starts_with("utf8") {
        return c.put_bytes(text);
    }
    c.out.push_bytes_with(|out| {
        if let Some(from) = Charset::by_name("utf8mb4") {
            from.convert(text, to.charset, out);
        }
        Ok(true)
    })
}

/// REGEXP_SUBSTR.
pub(super) fn substr(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(a), Some(p)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    let collation = c.collation();
    let text = utf8(a, collation);
    let found = with_regex(p, collation, &c.ctx.regex_flags, |r| {
        Ok(r.find(&text).map_err(failed)?.map(|m| (m.start(), m.end())))
    })?;
    let part = found.map_or(&b""[..], |(s, e)| &text[s..e]).to_vec();
    put(c, &part)
}

/// REGEXP_REPLACE.
pub(super) fn replace(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(a), Some(p), Some(by)) = (c.bytes(0), c.bytes(1), c.bytes(2)) else { return c.null() };
    let collation = c.collation();
    let text = utf8(a, collation);
    let by = utf8(by, collation).into_owned();
    let limit = c.ctx.max_allowed_packet;
    let out = with_regex(p, collation, &c.ctx.regex_flags, |r| {
        let mut out = Vec::new();
        let mut last = 0;
        for found in r.captures_iter(&text) {
            c.ctx.check_killed()?;
            let found = found.map_err(failed)?;
            let Some(whole) = found.get(0) else { continue };
            // an empty match ends the search
            if whole.start() == whole.end() {
                break;
            }
            out.extend_from_slice(&text[last..whole.start()]);
            let mut i = 0;
            while i < by.len() {
                match (by[i], by.get(i + 1)) {
                    (b'\\', Some(d)) if d.is_ascii_digit() => {
                        if let Some(g) = found.get(usize::from(d - b'0')) {
                            out.extend_from_slice(g.as_bytes());
                        }
                        i += 2;
                    }
                    (b'\\', Some(b'\\')) => {
                        out.push(b'\\');
                        i += 2;
                    }
                    (b, _) => {
                        out.push(b);
                        i += 1;
                    }
                }
            }
            last = whole.end();
            if out.len() > limit {
                break;
            }
        }
        out.extend_from_slice(&text[last.min(text.len())..]);
        Ok(out)
    })?;
    if out.len() > limit {
        return c.too_long();
    }
    put(c, &out)
}
