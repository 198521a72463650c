//! Letter case: one character to one character, by the tables of the set or of the Unicode version.

use crate::cjk_set::put_code;
use crate::collation::uca::Version;
use crate::collation::{Collation, Rules};
use crate::encoding::{BAD, Decoder, ascii_prefix};
use crate::set::{Encoding, with_decoder};
use crate::tables::{single_byte, unicode};

/// Differences (mod 2^16) by code point, in pages of 256; page 0 is all zero.
#[derive(Debug)]
pub(crate) struct Deltas {
    pub directory: &'static [u8],
    /// Little-endian.
    pub pages: &'static [u8],
}

impl Deltas {
    /// The code point (of the same plane) that `cp` maps to.
    #[inline]
    pub fn apply(&self, cp: u32) -> u32 {
        let Some(&page) = self.directory.get((cp >> 8) as usize) else { return cp };
        let at = (usize::from(page) * 256 + (cp & 0xFF) as usize) * 2;
        match self.pages.get(at..at + 2) {
            Some(d) => cp & !0xFFFF | u32::from((cp as u16).wrapping_add(u16::from_le_bytes([d[0], d[1]]))),
            None => cp,
        }
    }
}

/// The direction of a mapping.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
}

/// Appends `s` in the other case. Unicode strings are cut at the first ill-formed byte.
pub(crate) fn map(collation: &Collation, case: Case, s: &[u8], out: &mut Vec<u8>) {
    match collation.charset.encoding {
        Encoding::Binary => out.extend_from_slice(s),
        Encoding::Byte(set) => {
            let table = match (&collation.rules, case) {
                (Rules::Cp1250Czech, Case::Lower) => single_byte::LOWER_CP1250_CZECH_CS,
                (Rules::Cp1250Czech, Case::Upper) => single_byte::UPPER_CP1250_CZECH_CS,
                (Rules::Latin2Czech, Case::Lower) => single_byte::LOWER_LATIN2_CZECH_CS,
                (Rules::Latin2Czech, Case::Upper) => single_byte::UPPER_LATIN2_CZECH_CS,
                (_, Case::Lower) => set.lower,
                (_, Case::Upper) => set.upper,
            };
            out.extend(s.iter().map(|b| table[usize::from(*b)]));
        }
        Encoding::Cjk(set) => {
            let mut at = 0;
            while let Some(code) = set.next(&s[at..]) {
                at += code.len;
                put_code(if case == Case::Lower { set.lower(code) } else { set.upper(code) }, out);
            }
        }
        ref encoding => with_decoder!(encoding, D => map_unicode::<D>(collation, case, s, out), _ => {}),
    }
}

/// The table of a collation and whether it is a Turkish one.
fn table(rules: &Rules, case: Case) -> (&'static Deltas, bool) {
    let (version, turkish) = match *rules {
        Rules::Uca { tailoring, turkish, .. } => {
            (crate::tables::uca::TAILORINGS[tailoring].base.version, turkish)
        }
        _ => (Version::V400, false),
    };
    let deltas = match (version, case) {
        (Version::V400, Case::Lower) => &unicode::LOWER_GENERAL,
        (Version::V400, Case::Upper) => &unicode::UPPER_GENERAL,
        (Version::V520, Case::Lower) => &unicode::LOWER_V520,
        (Version::V520, Case::Upper) => &unicode::UPPER_V520,
        (Version::V1400, Case::Lower) => &unicode::LOWER_V1400,
        (Version::V1400, Case::Upper) => &unicode::UPPER_V1400,
    };
    (deltas, turkish)
}

fn map_unicode<D: Decoder>(collation: &Collation, case: Case, s: &[u8], out: &mut Vec<u8>) {
    let (deltas, turkish) = table(&collation.rules, case);
    let mut at = 0;
    out.reserve(s.len());
    loop {
        if D::ASCII && !turkish {
            let run = ascii_prefix(&s[at..]);
            let start = out.len();
            out.extend_from_slice(&s[at..at + run]);
            match case {
                Case::Lower => out[start..].make_ascii_lowercase(),
                Case::Upper => out[start..].make_ascii_uppercase(),
            }
            at += run;
        }
        match D::next(&s[at..]) {
            Some((cp, n)) if cp < BAD => {
                at += n;
                let mapped = match (turkish, case, cp) {
                    (true, Case::Lower, 0x49) => 0x131,
                    (true, Case::Upper, 0x69) => 0x130,
                    _ => deltas.apply(cp),
                };
                collation.charset.encode(mapped, out);
            }
            _ => return,
        }
    }
}

/// The lower case identifiers are compared by.
pub(crate) fn general_lower(c: char) -> char {
    char::from_u32(unicode::LOWER_GENERAL.apply(u32::from(c))).unwrap_or(c)
}
