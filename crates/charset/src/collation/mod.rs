//! Collations: the order and equality of strings.

mod borders;
mod by_bytes;
mod find;
mod levels;
mod like;
mod order;
mod range;
mod simple;
mod sort_hash;
mod special;
pub(crate) mod uca;
mod units;

pub use levels::WeightFormat;
pub use sort_hash::SortHash;

use crate::case::{self, Case};
use crate::set::Charset;
use crate::tables::{BY_ID, BY_NAME, COLLATIONS};
use std::cmp::Ordering;

pub use borders::Stopped;
pub use by_bytes::ByteOrder;
pub(crate) use uca::Levels;

/// A collation. There is one static value of each; `==` compares by identity.
pub struct Collation {
    /// Its number, as stored in tables and sent to clients.
    pub id: u16,
    /// Full lower-case name, e.g. `utf8mb4_uca1400_ai_ci`.
    pub name: &'static str,
    /// The set whose strings it orders.
    pub charset: &'static Charset,
    /// Whether it is the default of its set.
    pub is_default: bool,
    /// PAD SPACE (true) or NO PAD.
    pub pad_space: bool,
    /// SORTLEN of information_schema.
    pub sortlen: u8,
    pub(crate) rules: Rules,
}

/// The family a collation belongs to.
#[derive(Debug)]
pub(crate) enum Rules {
    /// `binary`.
    Binary,
    /// The bytes of a single-byte set.
    ByteBin,
    /// One weight a byte.
    Table(&'static [u8; 256]),
    German2,
    Cp1250Czech,
    Latin2Czech,
    Thai,
    /// Code points.
    CodePoint,
    /// general_ci; `mysql500`: with a sharp s of its own.
    General {
        mysql500: bool,
    },
    /// By the Unicode collation algorithm; `tailoring` is a place in `TAILORINGS`.
    Uca {
        tailoring: usize,
        levels: Levels,
        turkish: bool,
    },
    /// The codes of an East Asian set.
    CjkBin,
    /// Weights of an East Asian set.
    Cjk,
}

/// How trailing spaces count when keys are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPad {
    /// As the collation says.
    Own,
    /// The shorter string goes on with spaces, whatever the collation says (key segments of type TEXT in a PAD collation).
    Pad,
    /// A proper beginning is less than the whole.
    NoPad,
}

/// What [`Collation::like_range`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikeRange {
    /// No useful range: all keys must be looked at.
    All,
    /// Every match lies between the two keys, ends included; LIKE must still be asked for each.
    Between,
}

impl std::fmt::Debug for Collation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Collation {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}
impl Eq for Collation {}

impl Collation {
    /// The collation with this number.
    #[must_use]
    pub fn by_id(id: u16) -> Option<&'static Collation> {
        COLLATIONS.get(usize::from(*BY_ID.get(usize::from(id))?).checked_sub(1)?)
    }

    /// The collation of this full name, in any letter case; `utf8_x` is `utf8mb3_x`. Short names such as
    /// `uca1400_ai_ci` need a set: [`Collation::by_name_in`].
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Collation> {
        let mut lower = [0u8; 64];
        let mut n = 0;
        let rest = match name.get(..5) {
            Some(p) if p.eq_ignore_ascii_case("utf8_") => {
                lower[..8].copy_from_slice(b"utf8mb3_");
                n = 8;
                &name[5..]
            }
            _ => name,
        };
        lower.get_mut(n..n + rest.len())?.copy_from_slice(rest.as_bytes());
        n += rest.len();
        lower[..n].make_ascii_lowercase();
        let at = BY_NAME
            .binary_search_by(|&i| COLLATIONS[usize::from(i)].name.as_bytes().cmp(&lower[..n]))
            .ok()?;
        Some(&COLLATIONS[usize::from(BY_NAME[at])])
    }

    /// The collation a COLLATE clause names for a string of `charset`: a full name, or a short one
    /// (`uca1400_ai_ci`) completed with the set. The result may belong to another set (error 1253).
    #[must_use]
    pub fn by_name_in(name: &str, charset: &Charset) -> Option<&'static Collation> {
        Self::by_name(name).or_else(|| Self::by_name(&format!("{}_{name}", charset.name)))
    }

    /// All collations by ascending number.
    pub fn all() -> impl ExactSizeIterator<Item = &'static Collation> + Clone {
        COLLATIONS.iter()
    }

    /// The name without its set where the server lists it so: `Some("uca1400_ai_ci")` for all uca1400 ones.
    #[must_use]
    pub fn short_name(&self) -> Option<&'static str> {
        self.name.find("_uca1400_").map(|at| &self.name[at + 1..])
    }

    /// Order of two strings, with the collation's own padding rule: SQL's `=`, `<`, `>`.
    #[must_use]
    pub fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        self.compare_key(a, b, KeyPad::Own)
    }

    /// As [`Collation::compare`] with the padding rule of a key segment.
    #[must_use]
    pub fn compare_key(&self, a: &[u8], b: &[u8], pad: KeyPad) -> Ordering {
        let pad = match pad {
            KeyPad::Own => self.pad_space,
            KeyPad::Pad => true,
            KeyPad::NoPad => false,
        };
        self.order(a, b, pad)
    }

    /// Whether `s` begins with what is equal to `beginning`, in whole characters.
    #[must_use]
    pub fn begins_with(&self, s: &[u8], beginning: &[u8]) -> bool {
        let equal = |cut: usize| self.compare_key(&s[..cut], beginning, KeyPad::NoPad).is_eq();
        let cut = self.charset.prefix(s, self.charset.char_len(beginning));
        if equal(cut) {
            return true;
        }
        let one_weight_each = matches!(
            self.rules,
            Rules::Binary
                | Rules::ByteBin
                | Rules::Table(_)
                | Rules::CodePoint
                | Rules::General { .. }
                | Rules::Cjk
                | Rules::CjkBin
        );
        if one_weight_each {
            return false;
        }
        // A character may be equal to two, or to none.
        let mut at = 0;
        loop {
            if equal(at) {
                return true;
            }
            match self.charset.first_char(&s[at..]) {
                0 => return false,
                n => at += n,
            }
        }
    }

    /// A number that orders strings as [`Collation::compare_key`] does, as far as it goes: strings with different numbers are in
    /// the order of these. 0 where there is no cheap one.
    #[must_use]
    pub fn key_prefix(&self, s: &[u8], pad: KeyPad) -> u64 {
        let pad = match pad {
            KeyPad::Own => self.pad_space,
            KeyPad::Pad => true,
            KeyPad::NoPad => false,
        };
        self.prefix(s, pad)
    }

    /// The weight of each byte, if bytes are all that it compares and each has one.
    #[must_use]
    pub fn byte_weights(&self) -> Option<&'static [u8; 256]> {
        match self.rules {
            Rules::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Whether [`Collation::key_prefix`] tells strings apart.
    #[must_use]
    pub fn has_key_prefix(&self) -> bool {
        matches!(self.rules, Rules::Table(_) | Rules::Binary | Rules::ByteBin | Rules::General { .. })
    }

    /// Appends a key such that the bytewise order of keys is the order of the strings, whatever their length, with the
    /// padding rule in it. No key is the beginning of another, so keys of several columns can be concatenated.
    pub fn weight_string(&self, s: &[u8], out: &mut Vec<u8>) {
        self.sort_key(s, self.pad_space, out);
    }

    /// As [`Collation::weight_string`], of a value of a key: in the order of [`Collation::compare_key`].
    pub fn key_weights(&self, s: &[u8], pad: KeyPad, out: &mut Vec<u8>) {
        let pad = match pad {
            KeyPad::Own => self.pad_space,
            KeyPad::Pad => true,
            KeyPad::NoPad => false,
        };
        self.sort_key(s, pad, out);
    }

    /// Appends what SQL's WEIGHT_STRING(s) returns: the weights without padding.
    pub fn sql_weight_string(&self, s: &[u8], out: &mut Vec<u8>) {
        self.weights(s, out);
    }

    /// Hash of a string; strings that are equal hash equal.
    #[must_use]
    pub fn hash(&self, s: &[u8], seed: u64) -> u64 {
        self.hash_weights(s, seed)
    }

    /// `s LIKE pattern`. `escape` is a code point of the set (its number in bytes for sets without Unicode values); None: no escape character.
    #[must_use]
    pub fn like(&self, s: &[u8], pattern: &[u8], escape: Option<u32>) -> bool {
        like::like(self, s, pattern, escape, &|| false).unwrap_or_default()
    }

    /// As [`Collation::like`]; `stop` is asked now and then whether to end.
    ///
    /// # Errors
    /// [`Stopped`] when `stop` says so.
    pub fn like_until(
        &self,
        s: &[u8],
        pattern: &[u8],
        escape: Option<u32>,
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, Stopped> {
        like::like(self, s, pattern, escape, stop)
    }

    /// Bounds of the keys that can match `pattern`, for a key part of `max_chars` characters: appends the smallest to
    /// `min` and the largest to `max`. Compare them with the collation's own padding.
    pub fn like_range(
        &self,
        pattern: &[u8],
        escape: Option<u32>,
        max_chars: usize,
        min: &mut Vec<u8>,
        max: &mut Vec<u8>,
    ) -> LikeRange {
        range::like_range(self, pattern, escape, max_chars, min, max)
    }

    /// Position in bytes, at or after `from`, of the first occurrence of `needle`: the rule of LOCATE and INSTR. An empty
    /// needle is found at `from`.
    #[must_use]
    pub fn find(&self, hay: &[u8], needle: &[u8], from: usize) -> Option<usize> {
        find::find(self, hay, needle, from, &|| false).unwrap_or_default()
    }

    /// As [`Collation::find`]; `stop` is asked now and then whether to end.
    ///
    /// # Errors
    /// [`Stopped`] when `stop` says so.
    pub fn find_until(
        &self,
        hay: &[u8],
        needle: &[u8],
        from: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<usize>, Stopped> {
        find::find(self, hay, needle, from, stop)
    }

    /// Appends `s` in lower case.
    pub fn lower(&self, s: &[u8], out: &mut Vec<u8>) {
        case::map(self, Case::Lower, s, out);
    }

    /// Appends `s` in upper case.
    pub fn upper(&self, s: &[u8], out: &mut Vec<u8>) {
        case::map(self, Case::Upper, s, out);
    }

    /// Whether this is `binary` itself.
    #[must_use]
    pub fn is_binary(&self) -> bool {
        self.id == 63
    }

    /// Whether this is `binary` or a `_bin` collation: equality is (but for padding) equality of bytes, and columns carry the BINARY flag.
    #[must_use]
    pub fn is_bin(&self) -> bool {
        self.id == 63 || self.name.ends_with("_bin")
    }

    /// Whether `'a' = 'A'`.
    #[must_use]
    pub fn is_case_insensitive(&self) -> bool {
        self.name.ends_with("_ci") || self.name.ends_with("_thai_520_w2")
    }
}
