//! LOCATE, INSTR, POSITION: at each character boundary the needle is compared, without padding,
//! with a piece of the haystack of the same number of bytes. Single-byte sets compare byte by byte.

use super::borders::{BETWEEN_QUESTIONS, Borders, Stopped};
use super::simple::general_weight;
use super::special::{latin2_czech_find, thai_like};
use super::uca::Table;
use super::{Collation, KeyPad, Rules};
use crate::cjk_set::CjkSet;
use crate::encoding::Decoder;
use crate::set::{Encoding, with_decoder};
use crate::tables::single_byte::GERMAN2;
use crate::tables::uca::TAILORINGS;
use memchr::memmem;

/// Bytes that comparing at each place may look at before another way is worth its beginning.
const FEW: usize = 1 << 16;

/// Position in bytes of the first occurrence at or after `from`. `stop` is asked now and then.
pub(super) fn find(
    collation: &Collation,
    hay: &[u8],
    needle: &[u8],
    from: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Option<usize>, Stopped> {
    let Some(rest) = hay.get(from..) else { return Ok(None) };
    if needle.is_empty() {
        return Ok(Some(from));
    }
    let Some(last) = rest.len().checked_sub(needle.len()) else { return Ok(None) };
    let found = match (&collation.rules, &collation.charset.encoding) {
        (Rules::Binary | Rules::ByteBin | Rules::Cp1250Czech, _) => memmem::find(rest, needle),
        // A well-formed needle is found at character boundaries only.
        (Rules::CodePoint, Encoding::Utf8mb3 | Encoding::Utf8mb4)
            if collation.charset.well_formed_len(needle) == needle.len() =>
        {
            memmem::find(rest, needle)
        }
        (Rules::Table(table), _) => find_bytes(rest, needle, |b| table[usize::from(b)], stop)?,
        (Rules::Latin2Czech, _) => find_bytes(rest, needle, latin2_czech_find, stop)?,
        (Rules::Thai, _) => find_bytes(rest, needle, thai_like, stop)?,
        (Rules::German2, _) => {
            let weights = |b| (GERMAN2[0][usize::from(b)], GERMAN2[1][usize::from(b)]);
            find_bytes(rest, needle, weights, stop)?
        }
        _ => {
            let many = last.saturating_mul(needle.len()) > FEW;
            match many.then(|| by_weights(collation, rest, needle, stop)).flatten() {
                Some(found) => found?,
                None => piece_by_piece(collation, rest, needle, last, stop)?,
            }
        }
    };
    Ok(found.map(|at| from + at))
}

/// Compares at each character boundary.
fn piece_by_piece(
    collation: &Collation,
    hay: &[u8],
    needle: &[u8],
    last: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Option<usize>, Stopped> {
    let (mut at, mut compared) = (0, 0);
    while at <= last {
        let piece = &hay[at..at + needle.len()];
        if collation.compare_key(piece, needle, KeyPad::NoPad).is_eq() {
            return Ok(Some(at));
        }
        compared += needle.len();
        if compared > BETWEEN_QUESTIONS {
            compared = 0;
            if stop() {
                return Err(Stopped);
            }
        }
        at += collation.charset.first_char(&hay[at..]).max(1);
    }
    Ok(None)
}

type Found = Result<Option<usize>, Stopped>;

/// The search in collations where each character of both texts has one weight; None where that is not so.
fn by_weights(collation: &Collation, hay: &[u8], needle: &[u8], stop: &dyn Fn() -> bool) -> Option<Found> {
    // What is not well formed may be cut into other characters at the end of a piece.
    if collation.charset.well_formed_len(needle) != needle.len() {
        return None;
    }
    match (&collation.rules, &collation.charset.encoding) {
        (Rules::Cjk, Encoding::Cjk(set)) => search(|s| cjk(set, s, false), hay, needle, stop),
        (Rules::CjkBin, Encoding::Cjk(set)) => search(|s| cjk(set, s, true), hay, needle, stop),
        (rules, encoding) => {
            with_decoder!(encoding, D => search_unicode::<D>(rules, hay, needle, stop), _ => None)
        }
    }
}

fn search_unicode<D: Decoder>(
    rules: &Rules,
    hay: &[u8],
    needle: &[u8],
    stop: &dyn Fn() -> bool,
) -> Option<Found> {
    match *rules {
        Rules::General { mysql500 } => {
            search(|s| D::next(s).map(|(cp, n)| (Some(general_weight(cp, mysql500)), n)), hay, needle, stop)
        }
        Rules::CodePoint => search(|s| D::next(s).map(|(cp, n)| (Some(cp), n)), hay, needle, stop),
        Rules::Uca { tailoring, levels, .. } if !levels.second && !levels.third => {
            let table: &Table = TAILORINGS[tailoring].table();
            search(|s| D::next(s).map(|(cp, n)| (table.only_weight(cp), n)), hay, needle, stop)
        }
        Rules::Uca { tailoring, levels, .. } => {
            let table: &Table = TAILORINGS[tailoring].table();
            search(|s| D::next(s).map(|(cp, n)| (table.only_weights(cp, levels), n)), hay, needle, stop)
        }
        _ => None,
    }
}

/// The weight of the first character, and its bytes.
fn cjk(set: &CjkSet, s: &[u8], bin: bool) -> Option<(Option<u32>, usize)> {
    let code = set.next(s)?;
    let weight = if bin { code.number } else { set.weight(code, false) };
    Some((code.well_formed.then_some(weight), code.len))
}

/// Looks for the needle's weights; `next` gives that of the first character, none when it is not a single one, and its bytes.
fn search<W: PartialEq>(
    next: impl Fn(&[u8]) -> Option<(Option<W>, usize)>,
    hay: &[u8],
    needle: &[u8],
    stop: &dyn Fn() -> bool,
) -> Option<Found> {
    let mut wanted = Vec::new();
    let mut at = 0;
    while let Some((weight, n)) = next(&needle[at..]) {
        wanted.push(weight?);
        at += n;
    }
    let borders = Borders::of(wanted.len(), |i, j| wanted[i] == wanted[j]);
    // Where each of the characters that fit begins.
    let mut begins = vec![0usize; wanted.len()];
    let (mut fits, mut at, mut seen) = (0, 0, 0usize);
    let mut found = None;
    while let Some((weight, n)) = next(&hay[at..]) {
        let weight = weight?;
        begins[seen % wanted.len()] = at;
        seen += 1;
        at += n;
        fits = borders.step(fits, |i| wanted[i] == weight);
        // The piece has as many bytes as the needle.
        if found.is_none() && fits == wanted.len() && at - begins[seen % wanted.len()] == needle.len() {
            found = Some(begins[seen % wanted.len()]);
            break;
        }
        if seen.is_multiple_of(BETWEEN_QUESTIONS) && stop() {
            return Some(Err(Stopped));
        }
    }
    Some(Ok(found))
}

/// The first place where all bytes weigh the same. Each byte of `hay` is looked at about twice, however often the needle nearly
/// fits.
fn find_bytes<W: PartialEq>(
    hay: &[u8],
    needle: &[u8],
    weight: impl Fn(u8) -> W,
    stop: &dyn Fn() -> bool,
) -> Result<Option<usize>, Stopped> {
    let borders = Borders::of(needle.len(), |i, j| weight(needle[i]) == weight(needle[j]));
    let mut fits = 0;
    for (n, part) in hay.chunks(BETWEEN_QUESTIONS).enumerate() {
        if n > 0 && stop() {
            return Err(Stopped);
        }
        for (i, b) in part.iter().enumerate() {
            let wanted = weight(*b);
            fits = borders.step(fits, |j| weight(needle[j]) == wanted);
            if fits == needle.len() {
                return Ok(Some(n * BETWEEN_QUESTIONS + i + 1 - fits));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn never() -> bool {
        false
    }

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
                assert_eq!(
                    find_bytes(&hay, &needle, fold, &never).unwrap(),
                    slow(&hay, &needle),
                    "{hay:?} {needle:?}"
                );
            }
        }
        // 10^11 comparisons otherwise.
        let hay = vec![b'a'; 1_000_000];
        let mut needle = vec![b'A'; 100_000];
        needle.push(b'b');
        assert_eq!(find_bytes(&hay, &needle, fold, &never), Ok(None));
        assert_eq!(find_bytes(&hay, &needle, fold, &|| true), Err(Stopped));
    }

    #[test]
    fn by_weights_is_as_piece_by_piece() {
        let mut seed = 5u64;
        let mut next = |most: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % most
        };
        let letters = [
            "a",
            "A",
            "b",
            "\u{e4}",
            "\u{c4}",
            "\u{3042}",
            "\u{30a2}",
            "\u{df}",
            "\u{1f600}",
            "\u{4e00}",
            "s",
            "\u{ff71}",
        ];
        let utf8 = crate::Charset::by_name("utf8mb4").unwrap();
        let mut linear = 0;
        for collation in Collation::all() {
            for _ in 0..150 {
                let mut text = |most: usize, kinds: usize| {
                    let picked: String = (0..1 + next(most)).map(|_| letters[next(kinds)]).collect();
                    let mut out = Vec::new();
                    utf8.convert(picked.as_bytes(), collation.charset, &mut out);
                    // half a character now and then
                    out.truncate(out.len() - usize::from(next(8) == 0).min(out.len() - 1));
                    out
                };
                let kinds = if linear % 3 == 0 { 3 } else { 12 };
                let (hay, needle) = (text(12, kinds), text(3, kinds));
                let Some(last) = hay.len().checked_sub(needle.len()) else { continue };
                if let Some(found) = by_weights(collation, &hay, &needle, &never) {
                    linear += 1;
                    let slow = piece_by_piece(collation, &hay, &needle, last, &never);
                    assert_eq!(found, slow, "{} {hay:x?} {needle:x?}", collation.name);
                }
            }
        }
        assert!(linear > 5_000, "{linear}");
    }

    #[test]
    fn needles_that_nearly_fit_in_characters_of_many_bytes() {
        let hay = vec![b'a'; 1_000_000];
        for name in [
            "utf8mb4_general_ci",
            "utf8mb4_unicode_ci",
            "utf8mb4_uca1400_ai_ci",
            "utf8mb4_uca1400_as_ci",
            "utf8mb4_uca1400_ai_cs",
            "utf8mb4_uca1400_as_cs",
            "sjis_japanese_ci",
            "gbk_chinese_ci",
        ] {
            let collation = Collation::by_name(name).unwrap();
            let letter = if collation.is_case_insensitive() { b'A' } else { b'a' };
            let mut needle = vec![letter; 100_000];
            needle.push(b'b');
            assert_eq!(collation.find(&hay, &needle, 0), None, "{name}");
            assert_eq!(collation.find(&hay, &needle[..100_000], 7), Some(7), "{name}");
        }
    }
}
