//! LOCATE, INSTR, POSITION: at each character boundary the needle is compared, without padding,
//! with a piece of the haystack of the same number of bytes.

use super::{Collation, KeyPad, Rules};
use crate::set::Encoding;
use memchr::memmem;

/// Position in bytes of the first occurrence at or after `from`.
pub(super) fn find(collation: &Collation, hay: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    let rest = hay.get(from..)?;
    if needle.is_empty() {
        return Some(from);
    }
    let last = rest.len().checked_sub(needle.len())?;
    match (&collation.rules, &collation.charset.encoding) {
        (Rules::Binary | Rules::ByteBin, _) => memmem::find(rest, needle).map(|at| from + at),
        // A well-formed needle is found at character boundaries only.
        (Rules::CodePoint, Encoding::Utf8mb3 | Encoding::Utf8mb4)
            if collation.charset.well_formed_len(needle) == needle.len() =>
        {
            memmem::find(rest, needle).map(|at| from + at)
        }
        (Rules::Table(table), _) => {
            let first = table[usize::from(needle[0])];
            (0..=last)
                .find(|&at| {
                    table[usize::from(rest[at])] == first
                        && rest[at..at + needle.len()]
                            .iter()
                            .zip(needle)
                            .all(|(a, b)| table[usize::from(*a)] == table[usize::from(*b)])
                })
                .map(|at| from + at)
        }
        _ => {
            let mut at = 0;
            while at <= last {
                let piece = &rest[at..at + needle.len()];
                if collation.compare_key(piece, needle, KeyPad::NoPad).is_eq() {
                    return Some(from + at);
                }
                at += collation.charset.first_char(&rest[at..]).max(1);
            }
            None
        }
    }
}
