//! The range of keys that a LIKE pattern can match.

use super::like::{Characters, Task, Token, escape_number, token, with_characters};
use super::uca::{Levels, Table, Version};
use super::{Collation, LikeRange, Rules};
use crate::set::Encoding;
use crate::tables::single_byte::GERMAN2;
use crate::tables::uca::TAILORINGS;

/// See [`Collation::like_range`].
pub(super) fn like_range(
    collation: &Collation,
    pattern: &[u8],
    escape: Option<u32>,
    max_chars: usize,
    min: &mut Vec<u8>,
    max: &mut Vec<u8>,
) -> LikeRange {
    // In these the order is not one of beginnings.
    if matches!(collation.rules, Rules::Cp1250Czech | Rules::Latin2Czech | Rules::Thai) {
        return LikeRange::All;
    }
    let starters = match collation.rules {
        Rules::Uca { tailoring, levels, .. } => Some((TAILORINGS[tailoring].table(), levels)),
        _ => None,
    };
    let escape = escape_number(collation, escape);
    let mut prefix = Vec::new();
    let task = Beginning { pattern, escape, max_chars, starters, prefix: &mut prefix };
    let (chars, whole) = with_characters(collation, task);
    if chars == 0 && !whole {
        return LikeRange::All;
    }
    min.extend_from_slice(&prefix);
    max.extend_from_slice(&prefix);
    if !whole {
        let (low, high) = ends(collation);
        for _ in chars..max_chars {
            // Without padding the beginning itself is the smallest.
            if collation.pad_space {
                min.extend_from_slice(&low);
            }
            max.extend_from_slice(&high);
        }
    }
    LikeRange::Between
}

/// Takes the characters in front of the first wildcard.
struct Beginning<'a> {
    pattern: &'a [u8],
    escape: Option<u32>,
    max_chars: usize,
    starters: Option<(&'a Table, Levels)>,
    prefix: &'a mut Vec<u8>,
}

impl Task for Beginning<'_> {
    /// Number of characters taken, and whether they are all that a matching key can have.
    type Result = (usize, bool);
    fn run(self, c: &impl Characters) -> (usize, bool) {
        let (mut at, mut chars) = (0, 0);
        while let Some((token, n)) = token(c, &self.pattern[at..], self.escape) {
            let Token::Literal(literal) = token else { return (chars, false) };
            // The key ends here; so does what is known of it.
            if chars == self.max_chars {
                return (chars, true);
            }
            // A contraction may begin here and move the weights away.
            if let Some((table, levels)) = self.starters
                && table.starters.iter().any(|s| table.same(*s, literal, levels))
            {
                return (chars, false);
            }
            // The token's last character is the literal; an escape may stand before it.
            let bytes = &self.pattern[at..at + n];
            let skip = match c.next(bytes) {
                Some((_, first)) if first < n => first,
                _ => 0,
            };
            self.prefix.extend_from_slice(&bytes[skip..]);
            at += n;
            chars += 1;
        }
        (chars, true)
    }
}

/// A character with the smallest weights of the collation and one with the greatest, in bytes. The greatest may be ill-formed.
fn ends(collation: &Collation) -> (Vec<u8>, Vec<u8>) {
    let by_weight = |weight: &dyn Fn(u8) -> u8| {
        let low = (0..=255u8).min_by_key(|b| weight(*b)).unwrap_or(0);
        let high = (0..=255u8).max_by_key(|b| weight(*b)).unwrap_or(255);
        (vec![low], vec![high])
    };
    let set = collation.charset;
    let encoded = |cp: u32| {
        let mut bytes = Vec::new();
        set.encode(cp, &mut bytes);
        bytes
    };
    let low = match collation.rules {
        Rules::Table(table) => return by_weight(&|b| table[usize::from(b)]),
        Rules::German2 => return by_weight(&|b| GERMAN2[0][usize::from(b)]),
        Rules::Uca { tailoring, .. } => encoded(TAILORINGS[tailoring].table().lowest),
        _ => encoded(0),
    };
    let high = match (&set.encoding, &collation.rules) {
        (Encoding::Ucs2, Rules::Uca { tailoring, .. })
            if TAILORINGS[*tailoring].base.version == Version::V1400 =>
        {
            encoded(0xFFFD)
        }
        (Encoding::Ucs2, _) => encoded(0xFFFF),
        // Ill-formed units, greater than every character.
        (Encoding::Utf16, _) => vec![0xDF, 0xFF],
        (Encoding::Utf16le, _) => vec![0xFF, 0xDF],
        (Encoding::Utf32, _) => vec![0xFF; 4],
        _ => vec![0xFF],
    };
    (low, high)
}
