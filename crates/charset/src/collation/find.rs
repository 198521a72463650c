//! LOCATE, INSTR, POSITION: at each character boundary the needle is compared, without padding,
//! with a piece of the haystack of the same number of bytes. Single-byte sets compare byte by byte.

use super::special::{latin2_czech_find, thai_like};
use super::{Collation, KeyPad, Rules};
use crate::set::Encoding;
use crate::tables::single_byte::GERMAN2;
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
        (Rules::Cp1250Czech, _) => memmem::find(rest, needle).map(|at| from + at),
        (Rules::Table(table), _) => find_bytes(rest, needle, from, |b| table[usize::from(b)]),
        (Rules::Latin2Czech, _) => find_bytes(rest, needle, from, latin2_czech_find),
        (Rules::Thai, _) => find_bytes(rest, needle, from, thai_like),
        (Rules::German2, _) => {
            find_bytes(rest, needle, from, |b| (GERMAN2[0][usize::from(b)], GERMAN2[1][usize::from(b)]))
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

/// The first place where all bytes weigh the same; `from` is added.
fn find_bytes<W: PartialEq>(
    hay: &[u8],
    needle: &[u8],
    from: usize,
    weight: impl Fn(u8) -> W,
) -> Option<usize> {
    let at = hay
        .windows(needle.len())
        .position(|w| w.iter().zip(needle).all(|(a, b)| weight(*a) == weight(*b)))?;
    Some(from + at)
}
