//! The single-byte collations with rules of their own: both Czech ones and Thai. Each turns a string
//! into bytes that are compared as such.

use crate::tables::single_byte::{CP1250_CZECH, LATIN2_CZECH};

/// Index into the Czech tables of the sequence at the start of `s`, and its bytes: ch, Ch and CH are one.
#[inline]
fn czech(s: &[u8]) -> (usize, usize) {
    match *s {
        [b'c', b'h', ..] => (256, 2),
        [b'C', b'h', ..] => (257, 2),
        [b'C', b'H', ..] => (258, 2),
        [b, ..] => (usize::from(b), 1),
        [] => (0, 0),
    }
}

/// cp1250_czech_cs: the weights of both levels, one after the other.
pub(crate) fn cp1250_czech(s: &[u8]) -> impl Iterator<Item = u8> {
    [0, 1].into_iter().flat_map(move |level| {
        let mut rest = s;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let (token, n) = czech(rest);
            rest = &rest[n..];
            Some(CP1250_CZECH[level][token])
        })
    })
}

/// cp1250_czech_cs compares without trailing spaces.
pub(crate) fn cp1250_czech_key(s: &[u8]) -> impl Iterator<Item = u8> {
    let end = s.iter().rposition(|b| *b != b' ').map_or(0, |at| at + 1);
    cp1250_czech(&s[..end])
}

/// Appends the four levels of latin2_czech_cs: per word levels 1 and 2, then levels 3 and 4 of the whole string.
/// A run of spaces and tabs is one separator; at the end it is dropped.
pub(crate) fn latin2_czech(s: &[u8], out: &mut Vec<u8>) {
    let is_space = |b: &u8| matches!(b, 0x20 | 0x09);
    let end = s.iter().rposition(|b| !is_space(b)).map_or(0, |at| at + 1);
    let s = &s[..end];
    let level = |word: &[u8], level: usize, out: &mut Vec<u8>| {
        let mut at = 0;
        while at < word.len() {
            let (token, n) = czech(&word[at..]);
            at += n;
            let weight = LATIN2_CZECH[level][token];
            if weight != 0 {
                out.push(weight);
            }
        }
    };
    for_words(s, |word, run| {
        let separator = if run == 0 { 1 } else { 2 };
        level(word, 0, out);
        out.push(separator);
        level(word, 1, out);
        out.push(separator);
    });
    for_words(s, |word, run| {
        level(word, 2, out);
        out.push(if run == 0 { 1 } else { 2 });
    });
    for_words(s, |word, run| {
        level(word, 3, out);
        out.extend(std::iter::repeat_n(2, run));
    });
    out.push(0);
}

/// Calls `f` with each word and the length of the run of spaces after it (0 at the end).
fn for_words(s: &[u8], mut f: impl FnMut(&[u8], usize)) {
    let is_space = |b: &u8| matches!(b, 0x20 | 0x09);
    let mut rest = s;
    loop {
        let end = rest.iter().position(is_space).unwrap_or(rest.len());
        let run = rest[end..].iter().position(|b| !is_space(b)).unwrap_or(rest.len() - end);
        f(&rest[..end], run);
        if run == 0 {
            return;
        }
        rest = &rest[end + run..];
    }
}

/// Turns a tis620 string into its thai_ci order in place: leading vowels after their consonant, tone marks to the end.
/// The server moves the rest of the string left at each mark and writes the mark into the last byte, so that
/// of several marks only the last one stays and the last byte is left over in front of it.
pub(crate) fn thai(s: &mut [u8]) {
    let is_consonant = |b: u8| (0xA1..=0xCE).contains(&b);
    let Some(&last) = s.last() else { return };
    let mut bias = 0xF8u8;
    let mut mark = None;
    let (mut from, mut to) = (0, 0);
    while from < s.len() {
        let byte = s[from];
        from += 1;
        match byte {
            0..0x80 => bias = bias.wrapping_sub(8),
            0xA1..=0xCE => bias = bias.wrapping_sub(8),
            0xE0..=0xE4 if s.get(from).copied().is_some_and(is_consonant) => {
                s[to] = s[from];
                to += 1;
                from += 1;
            }
            0xE7..=0xEC => {
                let order = if byte == 0xEC { 1 } else { byte - 0xE7 + 2 };
                mark = Some(bias.wrapping_add(order));
                continue;
            }
            _ => {}
        }
        s[to] = byte.to_ascii_lowercase();
        to += 1;
    }
    if let Some(mark) = mark {
        s[to..].fill(last);
        if let Some(end) = s.last_mut() {
            *end = mark;
        }
    }
}

/// Calls `f` with the Thai order of `s`, without allocating for short strings.
pub(crate) fn with_thai<R>(s: &[u8], f: impl FnOnce(&[u8]) -> R) -> R {
    let mut short = [0u8; 256];
    match short.get_mut(..s.len()) {
        Some(buffer) => {
            buffer.copy_from_slice(s);
            thai(buffer);
            f(buffer)
        }
        None => {
            let mut buffer = s.to_vec();
            thai(&mut buffer);
            f(&buffer)
        }
    }
}

/// What LOCATE of latin2_czech_cs takes for the same: a table of the server's that serves nothing else.
pub(crate) fn latin2_czech_find(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' | 0xE0..=0xED | 0xEF | 0xF1..=0xF6 | 0xF8..=0xFE => byte - 0x20,
        0x7F => 0,
        0x80..=0x9E => byte - 0x7F,
        0xB1 | 0xB3 | 0xB5 | 0xB6 => byte - 0x11,
        0xB9..=0xBC | 0xBE | 0xBF => byte - 0x10,
        0x9F | 0xA1 | 0xA3 | 0xA6..=0xA8 | 0xAD | 0xB0 | 0xB2 | 0xB4 | 0xB7 | 0xB8 | 0xBD => 0x9F,
        0xD0 | 0xD7 | 0xDF | 0xF0 | 0xF7 | 0xFF => 0x9F,
        other => other,
    }
}

/// What LIKE and LOCATE of thai_ci take for the same: letter case, and oddly 60 with E and 7E with Y.
pub(crate) fn thai_like(byte: u8) -> u8 {
    match byte {
        0x60 => b'e',
        0x7E => b'y',
        other => other.to_ascii_lowercase(),
    }
}
