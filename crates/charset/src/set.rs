//! Character sets: encoding, well-formedness, counting.

use crate::Collation;
use crate::tables::CHARSETS;

/// A character set. There is one static value of each; compare them with `==` (by name) or by address.
#[derive(Debug)]
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

#[derive(Debug)]
pub(crate) enum Encoding {
    Binary,
    Utf8mb3,
    Utf8mb4,
    Ucs2,
    Utf16,
    Utf16le,
    Utf32,
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

    /// Whether every byte below 80 is the ASCII character and no other character contains one as a
    /// first byte: ASCII text needs no conversion to or from this set. False for ucs2, utf16, utf32, swe7..
    #[must_use]
    pub fn is_ascii_compatible(&self) -> bool {
        todo!()
    }

    /// Whether this is one of utf8mb3, utf8mb4, ucs2, utf16, utf16le, utf32.
    #[must_use]
    pub fn is_unicode(&self) -> bool {
        todo!()
    }

    /// Number of characters; an ill-formed byte counts as one.
    #[must_use]
    pub fn char_len(&self, _s: &[u8]) -> usize {
        todo!()
    }

    /// Bytes of the first `chars` characters (all of `s` when it has fewer).
    #[must_use]
    pub fn prefix(&self, _s: &[u8], _chars: usize) -> usize {
        todo!()
    }

    /// Bytes of the longest well-formed beginning; `s.len()` when all of it is well-formed.
    #[must_use]
    pub fn well_formed_len(&self, _s: &[u8]) -> usize {
        todo!()
    }

    /// The bytes of the first character of `s`, 1 (at least) if it is ill-formed, 0 if `s` is empty.
    #[must_use]
    pub fn first_char(&self, _s: &[u8]) -> usize {
        todo!()
    }

    /// The first character as a Unicode code point and its bytes. None at the end, when it is
    /// ill-formed, and for a character without a Unicode value.
    #[must_use]
    pub fn decode(&self, _s: &[u8]) -> Option<(u32, usize)> {
        todo!()
    }

    /// Appends a code point in this set. False, and nothing appended, when the set lacks it.
    pub fn encode(&self, _cp: u32, _out: &mut Vec<u8>) -> bool {
        todo!()
    }

    /// Appends `s` converted to another set; characters the target lacks and ill-formed bytes
    /// become `?`. Returns their number. To and from `binary` the bytes are kept.
    pub fn convert(&self, s: &[u8], _to: &Charset, out: &mut Vec<u8>) -> usize {
        out.extend_from_slice(s);
        0
    }

    /// The bytes of a space in this set (1, 2 or 4 bytes), for padding.
    #[must_use]
    pub fn space(&self) -> &'static [u8] {
        todo!()
    }

    /// `s` without trailing spaces (U+0020 of this set). For `binary`, all of `s`.
    #[must_use]
    pub fn trim_spaces<'a>(&self, _s: &'a [u8]) -> &'a [u8] {
        todo!()
    }

    /// Full text: whether the first character of `s` belongs to a word (letter, digit, mark or
    /// underscore), and its bytes. `(false, 0)` at the end.
    #[must_use]
    pub fn word_char(&self, _s: &[u8]) -> (bool, usize) {
        todo!()
    }
}
