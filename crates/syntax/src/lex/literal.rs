//! The values of literal and name tokens.

use super::{ClientBytes, LexMode};

/// The character sets an introducer may name.
pub static CHARSETS: [&str; 41] = [
    "armscii8", "ascii", "big5", "binary", "cp1250", "cp1251", "cp1256", "cp1257", "cp850", "cp852", "cp866",
    "cp932", "dec8", "eucjpms", "euckr", "gb2312", "gbk", "geostd8", "greek", "hebrew", "hp8", "keybcs2",
    "koi8r", "koi8u", "latin1", "latin2", "latin5", "latin7", "macce", "macroman", "sjis", "swe7", "tis620",
    "ucs2", "ujis", "utf16", "utf16le", "utf32", "utf8mb3", "utf8mb4", "utf8",
];

/// The index of a character set's name (any case) in [`CHARSETS`].
pub fn charset_index(name: &[u8]) -> Option<u8> {
    if !(3..=8).contains(&name.len()) {
        return None;
    }
    CHARSETS.iter().position(|c| c.as_bytes().eq_ignore_ascii_case(name)).map(|i| i as u8)
}

/// The canonical name at an index of [`CHARSETS`]: `utf8` is utf8mb3.
pub fn charset_name(index: u8) -> &'static str {
    match CHARSETS.get(index as usize) {
        Some(&"utf8") | None => "utf8mb3",
        Some(name) => name,
    }
}

/// What a scan over a quoted string found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StringScan {
    /// Behind the closing quote.
    pub end: usize,
    /// It holds backslashes or doubled quotes.
    pub escaped: bool,
}

/// Finds the end of the string whose opening quote is at `open`; `None` when it is not closed.
#[inline]
pub fn string_end(sql: &[u8], open: usize, mode: LexMode) -> Option<StringScan> {
    let quote = sql[open];
    if let ClientBytes::Double(_) = mode.client {
        return string_end_double(sql, open, mode);
    }
    let mut at = open + 1;
    let mut escaped = false;
    // Short strings without a quote or backslash in their first bytes are the rule: look at bytes one by one
    // for a while before the wide search is set up.
    let near = (at + 16).min(sql.len());
    while at < near {
        let b = sql[at];
        if b == quote {
            if sql.get(at + 1) == Some(&quote) {
                escaped = true;
                at += 2;
                continue;
            }
            return Some(StringScan { end: at + 1, escaped });
        }
        if b == b'\\' && !mode.no_backslash_escapes {
            escaped = true;
            at += 1;
        }
        at += 1;
    }
    loop {
        let rest = sql.get(at..)?;
        at += memchr::memchr2(quote, b'\\', rest)?;
        if sql[at] == quote {
            if sql.get(at + 1) != Some(&quote) {
                return Some(StringScan { end: at + 1, escaped });
            }
            escaped = true;
            at += 2;
        } else if mode.no_backslash_escapes {
            at += 1;
        } else {
            escaped = true;
            at += 2;
        }
    }
}

fn string_end_double(sql: &[u8], open: usize, mode: LexMode) -> Option<StringScan> {
    let quote = sql[open];
    let mut at = open + 1;
    let mut escaped = false;
    while let Some(&b) = sql.get(at) {
        if mode.client.hides_next(b) {
            at += 2;
        } else if b == quote {
            if sql.get(at + 1) != Some(&quote) {
                return Some(StringScan { end: at + 1, escaped });
            }
            escaped = true;
            at += 2;
        } else if b == b'\\' && !mode.no_backslash_escapes {
            escaped = true;
            at += 2;
        } else {
            at += 1;
        }
    }
    None
}

/// Appends the value of a quoted string; `text` includes the quotes (and nothing before them).
pub fn unescape(text: &[u8], mode: LexMode, out: &mut Vec<u8>) {
    let Some(&quote) = text.first() else { return };
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    let mut at = 0;
    while let Some(&b) = inner.get(at) {
        if mode.client.hides_next(b) {
            let end = (at + 2).min(inner.len());
            out.extend_from_slice(&inner[at..end]);
            at = end;
        } else if b == quote {
            out.push(quote);
            at += 2;
        } else if b == b'\\' && !mode.no_backslash_escapes {
            at += 1;
            let Some(&e) = inner.get(at) else { break };
            match e {
                b'n' => out.push(b'\n'),
                b't' => out.push(b'\t'),
                b'r' => out.push(b'\r'),
                b'b' => out.push(8),
                b'0' => out.push(0),
                b'Z' => out.push(0x1a),
                // `\%` and `\_` keep their backslash, for LIKE.
                b'%' | b'_' => out.extend_from_slice(&[b'\\', e]),
                _ => out.push(e),
            }
            at += 1;
        } else {
            let rest = &inner[at..];
            let run = if let ClientBytes::Double(_) = mode.client {
                1
            } else {
                memchr::memchr2(quote, b'\\', rest).unwrap_or(rest.len()).max(1)
            };
            out.extend_from_slice(&rest[..run]);
            at += run;
        }
    }
}

/// The bytes of hex digits; an odd number of digits has a zero before it.
pub fn hex_bytes(digits: &[u8]) -> Box<[u8]> {
    let value = |b: u8| (b as char).to_digit(16).unwrap_or(0) as u8;
    let mut out = Vec::with_capacity(digits.len().div_ceil(2));
    let (head, rest) = digits.split_at(digits.len() % 2);
    out.extend(head.iter().map(|&b| value(b)));
    out.extend(rest.chunks_exact(2).map(|p| value(p[0]) << 4 | value(p[1])));
    out.into_boxed_slice()
}

/// The bytes of binary digits, filled up with zeros at the left.
pub fn bit_bytes(digits: &[u8]) -> Box<[u8]> {
    let mut out = vec![0u8; digits.len().div_ceil(8)];
    let len = out.len();
    for (i, &b) in digits.iter().rev().enumerate() {
        if b == b'1' {
            out[len - 1 - i / 8] |= 1 << (i % 8);
        }
    }
    out.into_boxed_slice()
}

/// The value of decimal digits when it fits.
pub fn parse_u64(digits: &[u8]) -> Option<u64> {
    if digits.len() <= 19 {
        // At most 10^19 - 1: no overflow.
        return Some(digits.iter().fold(0u64, |v, &d| v * 10 + u64::from(d.wrapping_sub(b'0'))));
    }
    digits.iter().try_fold(0u64, |v, &d| v.checked_mul(10)?.checked_add(u64::from(d.wrapping_sub(b'0'))))
}
