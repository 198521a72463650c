//! The hash of strings that MariaDB keeps in the keys of long unique values. It is made of the weights of a string without the spaces
//! that do not count; what the weights are differs from WEIGHT_STRING for some collations.

use super::{Collation, Rules};
use crate::set::Encoding;

/// The hash of values that follow each other.
#[derive(Clone, Copy, Debug)]
pub struct SortHash {
    sum: u64,
    step: u64,
}

impl Default for SortHash {
    fn default() -> SortHash {
        SortHash { sum: 1, step: 4 }
    }
}

impl SortHash {
    /// Adds a byte.
    #[inline]
    pub fn byte(&mut self, b: u8) {
        let times = (self.sum & 63).wrapping_add(self.step);
        self.sum ^= times.wrapping_mul(u64::from(b)).wrapping_add(self.sum << 8);
        self.step = self.step.wrapping_add(3);
    }

    /// Adds bytes as they are.
    pub fn bytes(&mut self, s: &[u8]) {
        s.iter().for_each(|b| self.byte(*b));
    }

    /// Adds NULL, as partitioning by KEY does.
    pub fn null(&mut self) {
        self.sum ^= self.sum << 1 | 1;
    }

    /// All of it.
    #[must_use]
    pub fn whole(&self) -> u64 {
        self.sum
    }

    /// What is kept of it.
    #[must_use]
    pub fn value(&self) -> u32 {
        self.sum as u32
    }
}

/// The weight of a byte of TIS 620 in hashes.
fn thai_weight(b: u8) -> u8 {
    match b {
        b'[' => b'\\',
        b'\\' => b']',
        b']' => b'[',
        b'`' => b'E',
        b'~' => b'Y',
        _ => b.to_ascii_uppercase(),
    }
}

impl Collation {
    /// Whether [`Collation::add_to_hash`] knows how MariaDB hashes its strings: not for Czech of Latin 2.
    #[must_use]
    pub fn has_sort_hash(&self) -> bool {
        !matches!(self.rules, Rules::Latin2Czech)
    }

    /// Adds a string to a hash, as MariaDB does.
    pub fn add_to_hash(&self, s: &[u8], hash: &mut SortHash) {
        let s = match (self.pad_space, &self.rules) {
            (false, _) => s,
            // what weighs as much as a space is one
            (true, Rules::Table(table)) => {
                let space = |b: &u8| table[usize::from(*b)] == table[usize::from(b' ')];
                &s[..s.iter().rposition(|b| !space(b)).map_or(0, |last| last + 1)]
            }
            _ => self.charset.trim_spaces(s),
        };
        let mut weights = Vec::new();
        match (&self.rules, &self.charset.encoding) {
            (Rules::Table(table), _) => s.iter().for_each(|b| hash.byte(table[usize::from(*b)])),
            (Rules::Binary | Rules::ByteBin | Rules::CjkBin | Rules::Cp1250Czech, _) => hash.bytes(s),
            // both by the weights of general_ci, four bytes each
            (Rules::General { .. } | Rules::CodePoint, Encoding::Utf32) => {
                Collation::by_name("utf32_general_ci").unwrap_or(self).weights(s, &mut weights);
                for weight in weights.chunks_exact(2) {
                    hash.bytes(&[0, 0, weight[0], weight[1]]);
                }
            }
            (Rules::CodePoint, _) => hash.bytes(s),
            (Rules::General { .. }, _) => {
                self.weights(s, &mut weights);
                for weight in weights.chunks_exact(2) {
                    hash.byte(weight[1]);
                    hash.byte(weight[0]);
                }
            }
            // neither the order of vowels and consonants nor the levels count
            (Rules::Thai, _) => s.iter().for_each(|b| hash.byte(thai_weight(*b))),
            // byte by byte, the second ones of characters, too
            (Rules::Cjk, _) if matches!(self.charset.name, "big5" | "gbk") => {
                s.iter().for_each(|b| hash.byte(b.to_ascii_uppercase()));
            }
            // of several levels the first one counts
            (Rules::Uca { .. }, _) => {
                self.first_weights(s, &mut weights);
                hash.bytes(&weights);
            }
            _ => {
                self.weights(s, &mut weights);
                hash.bytes(&weights);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(collation: &str, s: &[u8]) -> u32 {
        let mut hash = SortHash::default();
        Collation::by_name(collation).unwrap().add_to_hash(s, &mut hash);
        hash.value()
    }

    /// Keys that MariaDB 10.11 wrote.
    #[test]
    fn as_mariadb() {
        for (collation, s, value) in [
            ("binary", &b"a"[..], 0x2e4),
            ("binary", b"abc", 0x2f4_6a46),
            ("binary", b"", 1),
            ("latin1_swedish_ci", b"abc", 0x246_ddc6),
            ("latin1_swedish_ci", b"abc  ", 0x246_ddc6),
            ("latin1_swedish_nopad_ci", b"ab   ", 0xd353_3eb2),
            ("latin1_bin", b"ab ", 0x2_f692),
            ("utf8mb4_general_ci", b"abc", 0x9fa7_9ba0),
            ("utf8mb4_general_ci", "é".as_bytes(), 0x2_5a58),
            ("utf8mb4_bin", "é".as_bytes(), 0x4_df13),
            ("utf8mb4_unicode_ci", b"abc", 0x5957_d8f5),
            ("utf8mb4_unicode_ci", "é".as_bytes(), 0x1_4fdd),
            ("big5_chinese_ci", b"\xa4\x7aa", 0x44a_74da),
            ("gbk_chinese_ci", b"\x81\x61", 0x3_854f),
        ] {
            assert_eq!(hash(collation, s), value, "{collation} {s:x?}");
        }
        assert!(!Collation::by_name("latin2_czech_cs").unwrap().has_sort_hash());
    }
}
