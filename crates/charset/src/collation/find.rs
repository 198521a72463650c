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

/// The first place where all bytes weigh the same; `from` is added. Each byte of `hay` is looked at about twice, however often the
/// needle nearly fits (Knuth, Morris, Pratt).
fn find_bytes<W: PartialEq>(
    hay: &[u8],
    needle: &[u8],
    from: usize,
    weight: impl Fn(u8) -> W,
) -> Option<usize> {
    let same = |a: u8, b: u8| weight(a) == weight(b);
    // For each length that fits: the longest shorter one that fits at its end, too.
    let mut shorter = vec![0usize; needle.len()];
    let mut fits = 0;
    for i in 1..needle.len() {
        while fits > 0 && !same(needle[i], needle[fits]) {
            fits = shorter[fits - 1];
        }
        fits += usize::from(same(needle[i], needle[fits]));
        shorter[i] = fits;
    }
    fits = 0;
    for (i, b) in hay.iter().enumerate() {
        while fits > 0 && !same(*b, needle[fits]) {
            fits = shorter[fits - 1];
        }
        fits += usize::from(same(*b, needle[fits]));
        if fits == needle.len() {
            return Some(from + i + 1 - fits);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::find_bytes;

    #[test]
    fn bytes_that_nearly_fit_are_looked_at_twice_only() {
        let fold = |b: u8| b.to_ascii_lowercase();
        let slow = |hay: &[u8], needle: &[u8]| {
            hay.windows(needle.len()).position(|w| w.eq_ignore_ascii_case(needle))
        };
        // Every pair of short texts of two letters in both cases.
        let texts = |len: u32| {
            (0..4u32.pow(len))
                .map(move |n| (0..len).map(|i| b"aAbB"[(n >> (2 * i) & 3) as usize]).collect::<Vec<u8>>())
        };
        for hay in texts(5) {
            for needle in (1..4).flat_map(texts) {
                assert_eq!(find_bytes(&hay, &needle, 0, fold), slow(&hay, &needle), "{hay:?} {needle:?}");
            }
        }
        // 10^11 comparisons otherwise.
        let hay = vec![b'a'; 1_000_000];
        let mut needle = vec![b'A'; 100_000];
        needle.push(b'b');
        assert_eq!(find_bytes(&hay, &needle, 0, fold), None);
    }
}
