//! Comparing, hashing and sort keys: which weights each family has.

use super::simple::{
    Cjk, CodePoints, General, compare_bytes, compare_table, general_ascii, general_prefix, german2,
    trim_table, utf8_common_prefix,
};
use super::special::{cp1250_czech, cp1250_czech_key, latin2_czech, with_thai};
use super::uca::{First, SPACE_SECOND, SPACE_THIRD, Upper, before_contractions, compare_ascii};
use super::units::{self, Width};
use super::{Collation, Rules};
use crate::encoding::{BAD, Decoder};
use crate::set::{Encoding, with_decoder};
use crate::tables::uca::TAILORINGS;
use std::cmp::Ordering;

const SPACE: u32 = 0x20;
/// A space of the East Asian sets, whose units have the first byte in front.
const CJK_SPACE: u32 = 0x20_0000;

/// The part of a Thai string that NO PAD comparison looks at.
fn until_nul(s: &[u8], pad: bool) -> &[u8] {
    match s.iter().position(|b| *b == 0) {
        Some(end) if !pad => &s[..end],
        _ => s,
    }
}

fn bytes(s: &[u8]) -> impl Iterator<Item = u32> {
    s.iter().map(|b| u32::from(*b))
}

impl Collation {
    /// Compares with or without padding.
    pub(super) fn order(&self, a: &[u8], b: &[u8], pad: bool) -> Ordering {
        let space = |unit: u32| pad.then_some(unit);
        match (&self.rules, &self.charset.encoding) {
            (Rules::Table(table), _) => compare_table(table, a, b, pad),
            (Rules::Binary | Rules::ByteBin, _) => compare_bytes(a, b, pad),
            (Rules::German2, _) => units::compare(german2(a), german2(b), space(SPACE)),
            (Rules::Cp1250Czech, _) => cp1250_czech_key(a).cmp(cp1250_czech_key(b)),
            (Rules::Latin2Czech, _) => {
                if a == b {
                    return Ordering::Equal;
                }
                let (mut x, mut y) = (Vec::new(), Vec::new());
                latin2_czech(a, &mut x);
                latin2_czech(b, &mut y);
                x.cmp(&y)
            }
            (Rules::Thai, _) => {
                with_thai(a, |a| with_thai(b, |b| compare_bytes(until_nul(a, pad), until_nul(b, pad), pad)))
            }
            (Rules::CjkBin | Rules::Cjk, Encoding::Cjk(set)) => {
                let bin = matches!(self.rules, Rules::CjkBin);
                let cjk = |s| Cjk { s, set, bin, sort: false };
                units::compare(cjk(a), cjk(b), space(CJK_SPACE))
            }
            (rules, encoding) => {
                with_decoder!(encoding, D => order_unicode::<D>(rules, a, b, pad), _ => compare_bytes(a, b, pad))
            }
        }
    }

    /// See [`Collation::key_prefix`].
    pub(super) fn prefix(&self, s: &[u8], pad: bool) -> u64 {
        let fill = |space: u8| if pad { space } else { 0 };
        match &self.rules {
            Rules::Table(table) => {
                if let Some(first) = s.first_chunk::<8>() {
                    let mut weights = *first;
                    for w in &mut weights {
                        *w = table[usize::from(*w)];
                    }
                    return u64::from_be_bytes(weights);
                }
                let mut weights = [fill(table[0x20]); 8];
                weights.iter_mut().zip(s).for_each(|(w, b)| *w = table[usize::from(*b)]);
                u64::from_be_bytes(weights)
            }
            Rules::Binary | Rules::ByteBin => {
                if let Some(first) = s.first_chunk::<8>() {
                    return u64::from_be_bytes(*first);
                }
                let mut bytes = [fill(0x20); 8];
                bytes.iter_mut().zip(s).for_each(|(to, b)| *to = *b);
                u64::from_be_bytes(bytes)
            }
            Rules::General { mysql500 } => with_decoder!(&self.charset.encoding, D => {
                general_prefix::<D>(s, *mysql500, u32::from(fill(0x20)))
            }, _ => 0),
            _ => 0,
        }
    }

    pub(super) fn hash_weights(&self, s: &[u8], seed: u64) -> u64 {
        let space = |unit: u32| self.pad_space.then_some(unit);
        match (&self.rules, &self.charset.encoding) {
            (Rules::Table(table), _) => {
                let s = if self.pad_space { trim_table(table, s) } else { s };
                units::hash_table(s, table, seed)
            }
            (Rules::Binary | Rules::ByteBin, _)
            | (Rules::CodePoint, Encoding::Utf8mb3 | Encoding::Utf8mb4) => {
                let s = if self.pad_space { self.charset.trim_spaces(s) } else { s };
                units::hash_bytes(s, seed)
            }
            (Rules::German2, _) => units::hash(german2(s), space(SPACE), seed),
            (Rules::Cp1250Czech, _) => units::hash(cp1250_czech_key(s).map(u32::from), None, seed),
            (Rules::Latin2Czech, _) => {
                let mut key = Vec::new();
                latin2_czech(s, &mut key);
                units::hash_bytes(&key, seed)
            }
            (Rules::Thai, _) => {
                let pad = self.pad_space;
                with_thai(s, |s| units::hash(bytes(until_nul(s, pad)), space(SPACE), seed))
            }
            (Rules::CjkBin | Rules::Cjk, Encoding::Cjk(set)) => {
                let bin = matches!(self.rules, Rules::CjkBin);
                units::hash(Cjk { s, set, bin, sort: false }, space(CJK_SPACE), seed)
            }
            (rules, encoding) => with_decoder!(encoding, D => match *rules {
                Rules::General { mysql500 } => units::hash(General::<D>::new(s, mysql500), space(SPACE), seed),
                Rules::Uca { tailoring, .. } => {
                    // Equal strings have equal weights on the first level; that is enough to spread them.
                    let table = TAILORINGS[tailoring].table();
                    units::hash(First::<D>::new(table, s), space(table.space), seed)
                }
                _ => units::hash(CodePoints::<D>::new(s), space(SPACE), seed),
            }, _ => units::hash_bytes(s, seed)),
        }
    }

    pub(super) fn sort_key(&self, s: &[u8], pad: bool, out: &mut Vec<u8>) {
        out.reserve(s.len() * 2 + 8);
        let space = |unit: u32| pad.then_some(unit);
        match (&self.rules, &self.charset.encoding) {
            (Rules::Table(table), _) => {
                units::key_table(s, table, pad, out);
            }
            (Rules::Binary | Rules::ByteBin, _) => units::key(bytes(s), space(SPACE), Width::Byte, out),
            (Rules::German2, _) => units::key(german2(s), space(SPACE), Width::Byte, out),
            (Rules::Cp1250Czech, _) => units::key(cp1250_czech_key(s).map(u32::from), None, Width::Byte, out),
            (Rules::Latin2Czech, _) => {
                let mut key = Vec::new();
                latin2_czech(s, &mut key);
                units::key(bytes(&key), None, Width::Byte, out);
            }
            (Rules::Thai, _) => {
                with_thai(s, |s| units::key(bytes(until_nul(s, pad)), space(SPACE), Width::Byte, out));
            }
            (Rules::CjkBin | Rules::Cjk, Encoding::Cjk(set)) => {
                let bin = matches!(self.rules, Rules::CjkBin);
                let width = Width::Code { bytes: self.charset.mbmaxlen };
                units::key(Cjk { s, set, bin, sort: false }, space(CJK_SPACE), width, out);
            }
            (rules, encoding) => with_decoder!(encoding, D => match *rules {
                Rules::General { mysql500 } => {
                    let s = if D::ASCII { general_ascii(s, pad, out) } else { s };
                    units::key(General::<D>::new(s, mysql500), space(SPACE), Width::Short, out);
                }
                Rules::Uca { tailoring, levels, .. } => {
                    let table = TAILORINGS[tailoring].table();
                    units::key(First::<D>::new(table, s), space(table.space), Width::Weight, out);
                    if levels.second {
                        units::key(Upper::<D>::new(table, s, false), Some(SPACE_SECOND), Width::Weight, out);
                    }
                    if levels.third {
                        units::key(Upper::<D>::new(table, s, true), Some(SPACE_THIRD), Width::Weight, out);
                    }
                }
                _ => units::key(CodePoints::<D>::new(s), space(SPACE), Width::CodePoint, out),
            }, _ => units::key(bytes(s), None, Width::Byte, out)),
        }
    }

    /// The weights of the first level, two bytes each, of a collation by the Unicode algorithm.
    pub(super) fn first_weights(&self, s: &[u8], out: &mut Vec<u8>) {
        let Rules::Uca { tailoring, .. } = self.rules else { return };
        let table = TAILORINGS[tailoring].table();
        with_decoder!(&self.charset.encoding, D => {
            First::<D>::new(table, s).for_each(|w| out.extend_from_slice(&(w as u16).to_be_bytes()));
        }, _ => {});
    }

    /// The weights as WEIGHT_STRING() shows them.
    pub(super) fn weights(&self, s: &[u8], out: &mut Vec<u8>) {
        let two = |w: u32, out: &mut Vec<u8>| out.extend_from_slice(&(w as u16).to_be_bytes());
        match (&self.rules, &self.charset.encoding) {
            (Rules::Table(table), _) => out.extend(s.iter().map(|b| table[usize::from(*b)])),
            (Rules::Binary | Rules::ByteBin, _) => out.extend_from_slice(s),
            (Rules::German2, _) => out.extend(german2(s).map(|w| w as u8)),
            (Rules::Cp1250Czech, _) => out.extend(cp1250_czech(s)),
            (Rules::Latin2Czech, _) => latin2_czech(s, out),
            (Rules::Thai, _) => with_thai(s, |s| out.extend_from_slice(s)),
            (Rules::CjkBin, _) => out.extend_from_slice(s),
            (Rules::Cjk, Encoding::Cjk(set)) => {
                let mut at = 0;
                while let Some(code) = set.next(&s[at..]) {
                    at += code.len;
                    if code.well_formed {
                        let weight = set.weight(code, true).to_be_bytes();
                        out.extend_from_slice(&weight[1..1 + code.len]);
                    } else {
                        out.push(code.number as u8);
                    }
                }
            }
            (rules, encoding) => with_decoder!(encoding, D => match *rules {
                Rules::General { mysql500 } => {
                    for w in General::<D>::new(s, mysql500).take_while(|w| *w < BAD) {
                        two(w, out);
                    }
                }
                Rules::Uca { tailoring, levels, .. } => {
                    let table = TAILORINGS[tailoring].table();
                    First::<D>::new(table, s).for_each(|w| two(w, out));
                    if levels.second {
                        Upper::<D>::new(table, s, false).for_each(|w| two(w, out));
                    }
                    if levels.third {
                        Upper::<D>::new(table, s, true).for_each(|w| two(w, out));
                    }
                }
                _ => {
                    let skip = if matches!(self.charset.encoding, Encoding::Utf8mb3 | Encoding::Ucs2) { 2 } else { 1 };
                    for cp in CodePoints::<D>::new(s).take_while(|cp| *cp < BAD) {
                        out.extend_from_slice(&cp.to_be_bytes()[skip..]);
                    }
                }
            }, _ => out.extend_from_slice(s)),
        }
    }
}

fn order_unicode<D: Decoder>(rules: &Rules, a: &[u8], b: &[u8], pad: bool) -> Ordering {
    let space = |unit: u32| pad.then_some(unit);
    let start = if D::ASCII { utf8_common_prefix(a, b) } else { 0 };
    match *rules {
        Rules::General { mysql500 } => {
            let general = |s| General::<D>::new(s, mysql500);
            units::compare(general(&a[start..]), general(&b[start..]), space(SPACE))
        }
        Rules::Uca { tailoring, levels, .. } => {
            if a == b {
                return Ordering::Equal;
            }
            let table = TAILORINGS[tailoring].table();
            let start = before_contractions::<D>(table, a, start);
            let (a, b) = (&a[start..], &b[start..]);
            let upper = |third, space| {
                units::compare(
                    Upper::<D>::new(table, a, third),
                    Upper::<D>::new(table, b, third),
                    Some(space),
                )
            };
            let first = match if D::ASCII { compare_ascii(table, a, b) } else { Ok(0) } {
                Err(order) => return order,
                Ok(same) => units::compare(
                    First::<D>::new(table, &a[same..]),
                    First::<D>::new(table, &b[same..]),
                    space(table.space),
                ),
            };
            first
                .then_with(|| if levels.second { upper(false, SPACE_SECOND) } else { Ordering::Equal })
                .then_with(|| if levels.third { upper(true, SPACE_THIRD) } else { Ordering::Equal })
        }
        _ => {
            units::compare(CodePoints::<D>::new(&a[start..]), CodePoints::<D>::new(&b[start..]), space(SPACE))
        }
    }
}
