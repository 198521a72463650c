//! Character sets: encoding, well-formedness, counting.

use crate::Collation;
use crate::byte_set::ByteSet;
use crate::cjk_set::CjkSet;
use crate::encoding::{BAD, Decoder, ascii_prefix, put_utf8, put_utf16};
use crate::tables::CHARSETS;
use crate::tables::unicode::WORDS;

/// A character set. There is one static value of each; `==` compares by identity.
pub struct Charset {
    /// Lower-case name, e.g. `utf8mb4`.
    pub name: &'static str,
    /// What SHOW CHARACTER SET says about it.
    pub description: &'static str,
    /// Bytes of the shortest character.
    pub mbminlen: u8,
    /// Bytes of the longest character.
    pub mbmaxlen: u8,
    /// Id of its default collation.
    pub default_collation_id: u16,
    /// Id of its `_bin` collation (of `binary`: 63).
    pub bin_collation_id: u16,
    pub(crate) encoding: Encoding,
}

/// How the bytes of a set are read.
#[derive(Debug)]
pub(crate) enum Encoding {
    Binary,
    Byte(&'static ByteSet),
    Cjk(&'static CjkSet),
    Utf8mb3,
    Utf8mb4,
    Ucs2,
    Utf16,
    Utf16le,
    Utf32,
}

/// Runs `$body` with `$decoder` standing for the decoder of a Unicode encoding; `$other` for the rest.
macro_rules! with_decoder {
    ($encoding:expr, $decoder:ident => $body:expr, _ => $other:expr) => {
        match $encoding {
            $crate::set::Encoding::Utf8mb3 => {
                type $decoder = $crate::encoding::Utf8<false>;
                $body
            }
            $crate::set::Encoding::Utf8mb4 => {
                type $decoder = $crate::encoding::Utf8<true>;
                $body
            }
            $crate::set::Encoding::Ucs2 => {
                type $decoder = $crate::encoding::Ucs2;
                $body
            }
            $crate::set::Encoding::Utf16 => {
                type $decoder = $crate::encoding::Utf16<false>;
                $body
            }
            $crate::set::Encoding::Utf16le => {
                type $decoder = $crate::encoding::Utf16<true>;
                $body
            }
            $crate::set::Encoding::Utf32 => {
                type $decoder = $crate::encoding::Utf32;
                $body
            }
            _ => $other,
        }
    };
}
pub(crate) use with_decoder;

impl std::fmt::Debug for Charset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Charset {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}
impl Eq for Charset {}

impl Charset {
    /// The set of that name, in any letter case. `utf8` is utf8mb3.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Charset> {
        let name = if name.eq_ignore_ascii_case("utf8") { "utf8mb3" } else { name };
        CHARSETS.iter().find(|c| c.name.eq_ignore_ascii_case(name))
    }

    /// All sets, in the order of SHOW CHARACTER SET.
    pub fn all() -> impl ExactSizeIterator<Item = &'static Charset> + Clone {
        CHARSETS.iter()
    }

    /// Its default collation.
    #[must_use]
    pub fn default_collation(&self) -> &'static Collation {
        Collation::by_id(self.default_collation_id).expect("default collation")
    }

    /// Its `_bin` collation; `binary` for the set of that name.
    #[must_use]
    pub fn bin_collation(&self) -> &'static Collation {
        Collation::by_id(self.bin_collation_id).expect("bin collation")
    }

    /// Bytes that become text of a set of wide characters get zero bytes before them until they are whole
    /// characters; nothing when they are.
    #[must_use]
    pub fn padded(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let least = usize::from(self.mbminlen.max(1));
        let missing = (least - bytes.len() % least) % least;
        (missing > 0).then(|| {
            let mut out = vec![0; missing];
            out.extend_from_slice(bytes);
            out
        })
    }

    /// Whether every byte below 80 that begins a character is the ASCII character: ASCII text needs no
    /// conversion to or from this set. False for ucs2, utf16, utf16le, utf32, swe7, and for sjis (it has another `\\`).
    #[must_use]
    pub fn is_ascii_compatible(&self) -> bool {
        match self.encoding {
            Encoding::Binary | Encoding::Utf8mb3 | Encoding::Utf8mb4 => true,
            Encoding::Byte(set) => set.ascii,
            Encoding::Cjk(set) => set.ascii,
            _ => false,
        }
    }

    /// Whether this is one of utf8mb3, utf8mb4, ucs2, utf16, utf16le, utf32.
    #[must_use]
    pub fn is_unicode(&self) -> bool {
        !matches!(self.encoding, Encoding::Binary | Encoding::Byte(_) | Encoding::Cjk(_))
    }

    /// Whether this is the set `binary`.
    #[must_use]
    pub fn is_binary(&self) -> bool {
        matches!(self.encoding, Encoding::Binary)
    }

    /// Number of characters. An ill-formed byte counts as one, but utf16 is counted up to the first
    /// ill-formed place, and ucs2 and utf32 by their length.
    #[must_use]
    pub fn char_len(&self, s: &[u8]) -> usize {
        match self.encoding {
            Encoding::Binary | Encoding::Byte(_) => s.len(),
            Encoding::Ucs2 => s.len() / 2,
            Encoding::Utf32 => s.len() / 4,
            _ => self.skip(s, usize::MAX).0,
        }
    }

    /// Bytes of the first `chars` characters (all of `s` when it has fewer).
    #[must_use]
    pub fn prefix(&self, s: &[u8], chars: usize) -> usize {
        match self.encoding {
            Encoding::Binary | Encoding::Byte(_) => chars.min(s.len()),
            Encoding::Ucs2 => chars.saturating_mul(2).min(s.len()),
            Encoding::Utf32 => chars.saturating_mul(4).min(s.len()),
            // No string of so many bytes has more characters.
            _ if chars >= s.len() => s.len(),
            _ => self.skip(s, chars).1,
        }
    }

    /// Characters and bytes of the first `chars` characters of a set with characters of different lengths.
    fn skip(&self, s: &[u8], chars: usize) -> (usize, usize) {
        let (mut n, mut at) = (0, 0);
        let ascii = self.mbminlen == 1;
        while n < chars && at < s.len() {
            if ascii && s[at] < 0x80 {
                let run = ascii_prefix(&s[at..]).min(chars - n);
                n += run;
                at += run;
                continue;
            }
            match self.encoding {
                Encoding::Utf16 | Encoding::Utf16le if !self.starts_well(&s[at..]) => return (n, s.len()),
                _ => at += self.first_char(&s[at..]),
            }
            n += 1;
        }
        (n, at)
    }

    fn starts_well(&self, s: &[u8]) -> bool {
        match self.encoding {
            Encoding::Binary => true,
            Encoding::Byte(_) => !s.is_empty(),
            Encoding::Cjk(set) => set.next(s).is_some_and(|c| c.well_formed),
            ref e => with_decoder!(e, D => D::next(s).is_some_and(|(cp, _)| cp < BAD), _ => false),
        }
    }

    /// Bytes of the longest well-formed beginning; `s.len()` when all of it is well-formed.
    #[must_use]
    pub fn well_formed_len(&self, s: &[u8]) -> usize {
        match self.encoding {
            Encoding::Binary => s.len(),
            Encoding::Byte(_) => s.len(),
            Encoding::Ucs2 => s.len() & !1,
            Encoding::Cjk(set) => {
                let mut at = 0;
                loop {
                    at += ascii_prefix(&s[at..]);
                    match set.next(&s[at..]) {
                        Some(code) if code.well_formed => at += code.len,
                        _ => return at,
                    }
                }
            }
            ref e => with_decoder!(e, D => {
                let mut at = 0;
                loop {
                    if D::ASCII {
                        at += ascii_prefix(&s[at..]);
                    }
                    match D::next(&s[at..]) {
                        Some((cp, n)) if cp < BAD => at += n,
                        _ => return at,
                    }
                }
            }, _ => s.len()),
        }
    }

    /// The bytes of the first character of `s`; at an ill-formed place what is stepped over (one byte; one unit of utf16
    /// and utf32); 0 if `s` is empty.
    #[must_use]
    pub fn first_char(&self, s: &[u8]) -> usize {
        match self.encoding {
            Encoding::Binary | Encoding::Byte(_) => s.len().min(1),
            Encoding::Cjk(set) => set.next(s).map_or(0, |c| c.len),
            ref e => with_decoder!(e, D => D::next(s).map_or(0, |(_, n)| n), _ => 0),
        }
    }

    /// The first character as a Unicode code point and its bytes. None at the end, when it is
    /// ill-formed, and for a character without a Unicode value. Bytes of `binary` are taken as latin1 has them by number.
    #[must_use]
    pub fn decode(&self, s: &[u8]) -> Option<(u32, usize)> {
        match self.encoding {
            Encoding::Binary => Some((u32::from(*s.first()?), 1)),
            Encoding::Byte(set) => Some((set.code_point(*s.first()?)?, 1)),
            Encoding::Cjk(set) => {
                let code = set.next(s).filter(|c| c.well_formed)?;
                Some((set.code_point(code)?, code.len))
            }
            ref e => with_decoder!(e, D => D::next(s).filter(|(cp, _)| *cp < BAD), _ => None),
        }
    }

    /// Appends a code point in this set. False, and nothing appended, when the set lacks it.
    pub fn encode(&self, cp: u32, out: &mut Vec<u8>) -> bool {
        match self.encoding {
            _ if cp >= BAD => return false,
            Encoding::Binary => match u8::try_from(cp) {
                Ok(byte) => out.push(byte),
                Err(_) => return false,
            },
            Encoding::Byte(set) => match set.byte(cp) {
                Some(byte) => out.push(byte),
                None => return false,
            },
            Encoding::Cjk(set) => return set.encode(cp, out),
            Encoding::Utf8mb3 | Encoding::Ucs2 if cp > 0xFFFF => return false,
            Encoding::Utf8mb3 | Encoding::Utf8mb4 => put_utf8(cp, out),
            Encoding::Ucs2 => out.extend_from_slice(&(cp as u16).to_be_bytes()),
            Encoding::Utf16 => return put_utf16(cp, false, out),
            Encoding::Utf16le => return put_utf16(cp, true, out),
            Encoding::Utf32 => out.extend_from_slice(&cp.to_be_bytes()),
        }
        true
    }

    /// Appends `s` converted to another set; characters the target lacks and ill-formed bytes
    /// become `?`. Returns their number. To `binary` and to the same set the bytes are kept; from `binary` they are
    /// taken as characters of the target, filled up with zeros on the left where its units are longer.
    pub fn convert(&self, s: &[u8], to: &Charset, out: &mut Vec<u8>) -> usize {
        if self == to || to.is_binary() {
            out.extend_from_slice(s);
            return 0;
        }
        if self.is_binary() {
            return to.adopt(s, out);
        }
        let ascii = self.is_ascii_compatible() && to.is_ascii_compatible();
        let (mut at, mut lost) = (0, 0);
        out.reserve(s.len());
        while at < s.len() {
            if ascii {
                let run = ascii_prefix(&s[at..]);
                out.extend_from_slice(&s[at..at + run]);
                at += run;
                if at == s.len() {
                    break;
                }
            }
            let (cp, bytes) = self.step(&s[at..]);
            at += bytes;
            if !cp.is_some_and(|cp| to.encode(cp, out)) {
                to.encode(u32::from(b'?'), out);
                lost += 1;
            }
        }
        lost
    }

    /// Appends bytes of no set as characters of this one, `?` for each that is ill-formed. Returns their number.
    fn adopt(&self, s: &[u8], out: &mut Vec<u8>) -> usize {
        let unit = usize::from(self.mbminlen);
        let filled: Vec<u8>;
        let mut rest = s;
        if !s.len().is_multiple_of(unit) {
            filled = [&[0; 4][..unit - s.len() % unit], s].concat();
            rest = &filled;
        }
        let mut lost = 0;
        loop {
            let (good, bad) = rest.split_at(self.well_formed_len(rest));
            out.extend_from_slice(good);
            let Some((_, after)) = bad.split_first() else { return lost };
            self.encode(u32::from(b'?'), out);
            lost += 1;
            rest = after;
        }
    }

    /// For conversions: the code point if there is one, and the bytes to go on by (one at an ill-formed place).
    fn step(&self, s: &[u8]) -> (Option<u32>, usize) {
        let (cp, bytes) = match self.encoding {
            Encoding::Binary => (Some(u32::from(s[0])), 1),
            Encoding::Byte(set) => (set.code_point(s[0]), 1),
            Encoding::Cjk(set) => set.decode(s).unwrap_or((None, 1)),
            ref e => {
                with_decoder!(e, D => D::next(s).map_or((None, 1), |(cp, n)| (Some(cp), n)), _ => (None, 1))
            }
        };
        match cp {
            Some(cp) if cp >= BAD => (None, 1),
            _ => (cp, bytes),
        }
    }

    /// The bytes of a space in this set (1, 2 or 4 bytes), for padding.
    #[must_use]
    pub fn space(&self) -> &'static [u8] {
        match self.encoding {
            Encoding::Ucs2 | Encoding::Utf16 => b"\0 ",
            Encoding::Utf16le => b" \0",
            Encoding::Utf32 => b"\0\0\0 ",
            _ => b" ",
        }
    }

    /// `s` without trailing spaces (U+0020 of this set). For `binary`, all of `s`.
    #[must_use]
    pub fn trim_spaces<'a>(&self, s: &'a [u8]) -> &'a [u8] {
        let space = self.space();
        let mut end = s.len();
        match space.len() {
            _ if self.is_binary() => {}
            1 => {
                while end > 0 && s[end - 1] == b' ' {
                    end -= 1;
                }
            }
            n => {
                while end >= n && end.is_multiple_of(n) && &s[end - n..end] == space {
                    end -= n;
                }
            }
        }
        &s[..end]
    }

    /// Full text: whether bytes below 0x80 are characters of ASCII wherever they stand ([`is_ascii_word`] says which of them belong to
    /// words).
    #[inline]
    #[must_use]
    pub fn has_ascii_words(&self) -> bool {
        matches!(self.encoding, Encoding::Utf8mb3 | Encoding::Utf8mb4)
    }

    /// Full text: whether the first character of `s` belongs to a word (letter, digit, mark or
    /// underscore), and its bytes. `(false, 0)` at the end. Above U+FFFF nothing belongs to a word.
    #[must_use]
    pub fn word_char(&self, s: &[u8]) -> (bool, usize) {
        match self.encoding {
            Encoding::Byte(set) => match s.first() {
                Some(&b) => (set.is_word(b), 1),
                None => (false, 0),
            },
            _ => {
                let word = self.decode(s).is_some_and(|(cp, _)| is_word(cp));
                (word, self.first_char(s))
            }
        }
    }
}

/// Full text: whether a character of ASCII belongs to a word.
#[inline]
#[must_use]
pub fn is_ascii_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a code point belongs to a word in the multi-byte sets.
fn is_word(cp: u32) -> bool {
    WORDS.get(cp as usize / 8).is_some_and(|bits| bits >> (cp % 8) & 1 != 0)
}
