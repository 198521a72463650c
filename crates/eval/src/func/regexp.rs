//! REGEXP, REGEXP_INSTR, REGEXP_SUBSTR, REGEXP_REPLACE, by PCRE2.

use super::pure;
use super::{Call, Definition, Resolve, Stops};
use crate::error::{ER_REGEXP_ERROR, SqlError, SqlResult, codes};
use crate::expr::typing::compare_in;
use crate::expr::{EvalContext, Expr, Node};
use crate::types::{FieldType, Value};
use crate::warning::Level;
use charset::derivation::Purpose;
use charset::{Charset, Collation};
use pcre2::bytes::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

pub(super) const LIST: &[Definition] = &[
    pure("regexp", 2, 2, regexp_type, matches).stopping(Stops::Order(&[&[1], &[0]])),
    pure("regexp_instr", 2, 2, regexp_type, instr).stopping(Stops::Order(&[&[1], &[0]])),
    pure(
        "regexp_substr",
        2,
        2,
        |r| {
            let d = patterned(r, 2)?;
            let n = r.args[0].ty.char_length();
            let ty = r.text_of(u64::from(n), d);
            let nullable = ty.nullable || is_of_rows(&r.args[1]);
            Ok(ty.with_nullable(nullable))
        },
        substr,
    )
    .stopping(Stops::Each),
    pure(
        "regexp_replace",
        3,
        3,
        |r| {
            let d = patterned(r, 3)?;
            let nullable = r.nullable() || is_of_rows(&r.args[1]);
            let ty = super::longest_text(d.collation, d.derivation).with_nullable(nullable);
            Ok(FieldType { ascii: d.ascii, ..ty })
        },
        replace,
    )
    .stopping(Stops::Order(&[&[0], &[2], &[1]])),
];

/// The first `n` arguments as texts of one collation. Bytes beside texts stay as they are, whatever characters they make.
fn patterned(r: &mut Resolve<'_>, n: usize) -> SqlResult<charset::derivation::Derived> {
    if r.ctx.regex_extra {
        let text = "PCRE2 doesn't support the EXTRA flag. Ignored.";
        r.ctx.warnings.push_text(Level::Warning, codes::ER_UNKNOWN_ERROR, text.to_string());
    }
    let bytes: Vec<bool> = r.args.iter().map(|a| a.ty.collation.id == 63 && a.ty.is_string()).collect();
    let d = r.texts(0..n, Purpose::Comparison)?;
    for (a, bytes) in r.args.iter_mut().zip(bytes) {
        compare_in(a, if bytes { charset::binary() } else { d.collation });
    }
    // which collation of two a pattern is read by, its search says
    let one = r.args[0].ty.collation.id == r.args[1].ty.collation.id;
    if let (Some(Value::Bytes(pattern)), true) = (r.args[1].as_literal(), one) {
        // a constant that is no pattern is an error, whatever it is looked for in
        with_regex(pattern, d.collation, &r.ctx.regex_flags, |_| Ok(()))?;
    }
    Ok(d)
}

fn regexp_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    patterned(r, 2)?;
    let len = if r.name.eq_ignore_ascii_case("regexp") { 1 } else { 11 };
    let ty = r.long_of(len);
    let nullable = ty.nullable || is_of_rows(&r.args[1]);
    Ok(ty.with_nullable(nullable))
}

thread_local! {
    /// The last pattern compiled by this thread: patterns rarely change from row to row.
    static LAST: RefCell<Option<Known>> = const { RefCell::new(None) };
}

/// A pattern, its collation, the flags of the session, and what became of it.
type Known = (Vec<u8>, u16, Arc<str>, Regex);

/// Whether the pattern is one of each row, which may be none.
fn is_of_rows(pattern: &Expr) -> bool {
    let mut found = false;
    pattern.walk(&mut |e| {
        found |= matches!(
            e.node,
            Node::Column(_) | Node::Outer(_) | Node::Aggregate(_) | Node::Window(_) | Node::Subquery(_)
        );
    });
    found
}

/// What a search gave; nothing where the pattern, one of each row, is none.
///
/// # Errors
/// 1139 for a constant pattern.
fn searched<T>(c: &Call<'_, '_>, result: SqlResult<T>) -> SqlResult<Option<T>> {
    match result {
        Err(e) if e.code == ER_REGEXP_ERROR && is_of_rows(&c.types[1]) => Ok(None),
        other => other.map(Some),
    }
}

/// The collation of a comparison: bytes beside a text take its.
fn compared(c: &Call<'_, '_>) -> &'static Collation {
    let [a, b] = [c.ty(0).collation, c.ty(1).collation];
    if a.id == 63 { b } else { a }
}

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

/// What a search found; one that came to no end found nothing, with a warning.
fn found<T: Default>(result: Result<T, pcre2::Error>, ctx: &mut EvalContext) -> T {
    result.unwrap_or_else(|e| {
        let text = e.to_string();
        let what = text.strip_prefix("PCRE2: error matching: ").unwrap_or(&text);
        ctx.warnings.warn(ER_REGEXP_ERROR, &[&what]);
        T::default()
    })
}

/// Whether argument `i` can be searched for characters: bytes beside a text may be none, of which it warns.
fn is_searchable(c: &mut Call<'_, '_>, i: usize, by: &Collation) -> bool {
    let trouble = match c.bytes(i) {
        Some(b) if by.id != 63 && c.ty(i).collation.id == 63 => utf8_trouble(b),
        _ => None,
    };
    if let Some(what) = &trouble {
        c.ctx.warnings.warn(ER_REGEXP_ERROR, &[&format!("UTF-8 error: {what}")]);
    }
    trouble.is_none()
}

/// What is wrong with bytes as UTF-8, in the words of the library.
fn utf8_trouble(b: &[u8]) -> Option<String> {
    let mut i = 0;
    while let Some(&first) = b.get(i) {
        let more = match first {
            0..=0x7f => 0,
            0x80..=0xbf => return Some("isolated byte with 0x80 bit set".into()),
            0xc0..=0xdf => 1,
            0xe0..=0xef => 2,
            0xf0..=0xf7 => 3,
            0xf8..=0xfb => 4,
            0xfc..=0xfd => 5,
            0xfe..=0xff => return Some("illegal byte (0xfe or 0xff)".into()),
        };
        let missing = (i + 1 + more).saturating_sub(b.len());
        if missing > 0 {
            return Some(format!("{missing} byte{} missing at end", if missing == 1 { "" } else { "s" }));
        }
        let rest = &b[i + 1..=i + more];
        if let Some(n) = rest.iter().position(|b| b & 0xc0 != 0x80) {
            return Some(format!("byte {} top bits not 0x80", n + 2));
        }
        let what = match (first, rest.first().copied().unwrap_or(0)) {
            (0xc0 | 0xc1, _) => "overlong 2-byte sequence",
            (0xe0, ..=0x9f) if more == 2 => "overlong 3-byte sequence",
            (0xed, 0xa0..) => "code points 0xd800-0xdfff are not defined",
            (0xf0, ..=0x8f) if more == 3 => "overlong 4-byte sequence",
            (0xf4, 0x90..) | (0xf5..=0xf7, _) => "code points greater than 0x10ffff are not defined",
            (0xf8..=0xfb, _) => "5-byte character is not allowed (RFC 3629)",
            (0xfc.., _) => "6-byte character is not allowed (RFC 3629)",
            _ => "",
        };
        if !what.is_empty() {
            return Some(what.into());
        }
        i += 1 + more;
    }
    None
}

/// `a REGEXP b`.
pub(super) fn matches(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(a), Some(p)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    let (collation, text) = (compared(c), utf8(a, c.ty(0).collation));
    let result = with_regex(p, collation, &c.ctx.regex_flags, |r| Ok(r.is_match(&text)));
    let Some(result) = searched(c, result)? else { return c.null() };
    let hit = is_searchable(c, 0, collation) && found(result, c.ctx);
    c.put_int(i64::from(hit))
}

/// REGEXP_INSTR.
pub(super) fn instr(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(a), Some(p)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    let (collation, text) = (compared(c), utf8(a, c.ty(0).collation));
    let result =
        with_regex(p, collation, &c.ctx.regex_flags, |r| Ok(r.find(&text).map(|m| m.map(|m| m.start()))));
    let Some(result) = searched(c, result)? else { return c.null() };
    let at = if is_searchable(c, 0, collation) { found(result, c.ctx) } else { None };
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
    let (collation, text) = (c.collation(), utf8(a, c.ty(0).collation));
    let result = with_regex(p, collation, &c.ctx.regex_flags, |r| {
        Ok(r.find(&text).map(|m| m.map(|m| (m.start(), m.end()))))
    });
    let Some(result) = searched(c, result)? else { return c.null() };
    let place = if is_searchable(c, 0, collation) { found(result, c.ctx) } else { None };
    let part = place.map_or(&b""[..], |(s, e)| &text[s..e]).to_vec();
    put(c, &part)
}

/// REGEXP_REPLACE.
pub(super) fn replace(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(a), Some(p), Some(by)) = (c.bytes(0), c.bytes(1), c.bytes(2)) else { return c.null() };
    let collation = c.collation();
    let text = utf8(a, c.ty(0).collation);
    let by = utf8(by, c.ty(2).collation).into_owned();
    if !is_searchable(c, 0, collation) {
        let text = text.into_owned();
        return put(c, &text);
    }
    let limit = c.ctx.max_allowed_packet;
    let mut trouble = None;
    let out = with_regex(p, collation, &c.ctx.regex_flags, |r| {
        let mut out = Vec::new();
        let mut last = 0;
        for found in r.captures_iter(&text) {
            c.ctx.check_killed()?;
            let found = match found {
                Ok(found) => found,
                Err(e) => {
                    trouble = Some(e);
                    break;
                }
            };
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
                    // before anything else a backslash is left out
                    (b'\\', Some(b)) => {
                        out.push(*b);
                        i += 2;
                    }
                    (b'\\', None) => i += 1,
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
    });
    let Some(out) = searched(c, out)? else { return c.null() };
    if let Some(e) = trouble {
        found::<()>(Err(e), c.ctx);
    }
    if out.len() > limit {
        return c.too_long();
    }
    put(c, &out)
}
