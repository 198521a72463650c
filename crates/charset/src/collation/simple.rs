//! Weights made of one character alone: byte tables, code points, general_ci, the East Asian sets.

use super::units::{padded_bytes, short};
use crate::cjk_set::CjkSet;
use crate::encoding::{BAD, Decoder, common_prefix};
use crate::tables::single_byte::GERMAN2;
use crate::tables::unicode::{GENERAL, GENERAL_LOW};
use std::cmp::Ordering;
use std::marker::PhantomData;

/// Compares through a table of one weight a byte.
#[inline]
pub(crate) fn compare_table(table: &[u8; 256], a: &[u8], b: &[u8], pad: bool) -> Ordering {
    let weight = |byte: u8| table[usize::from(byte)];
    let start = common_prefix(a, b);
    let (a, b) = (&a[start..], &b[start..]);
    for (x, y) in a.iter().zip(b) {
        let order = weight(*x).cmp(&weight(*y));
        if order.is_ne() {
            return order;
        }
    }
    let (rest, order) =
        if a.len() >= b.len() { (&a[b.len()..], Ordering::Greater) } else { (&b[a.len()..], Ordering::Less) };
    if !pad {
        return if rest.is_empty() { Ordering::Equal } else { order };
    }
    match rest.iter().map(|x| weight(*x)).find(|w| *w != weight(b' ')) {
        None => Ordering::Equal,
        Some(w) if w > weight(b' ') => order,
        Some(_) => order.reverse(),
    }
}

/// Compares bytes by their own value.
#[inline]
pub(crate) fn compare_bytes(a: &[u8], b: &[u8], pad: bool) -> Ordering {
    let n = a.len().min(b.len());
    let order = a[..n].cmp(&b[..n]);
    if order.is_ne() || a.len() == b.len() {
        return order;
    }
    let (rest, order) = if a.len() > n { (&a[n..], Ordering::Greater) } else { (&b[n..], Ordering::Less) };
    if !pad {
        return order;
    }
    match rest.iter().find(|x| **x != b' ') {
        None => Ordering::Equal,
        Some(x) if *x > b' ' => order,
        Some(_) => order.reverse(),
    }
}

/// `s` without trailing bytes that weigh as much as a space.
pub(crate) fn trim_table<'a>(table: &[u8; 256], s: &'a [u8]) -> &'a [u8] {
    let mut end = s.len();
    while end > 0 && table[usize::from(s[end - 1])] == table[usize::from(b' ')] {
        end -= 1;
    }
    &s[..end]
}

/// The weight bytes of latin1_german2_ci.
pub(crate) fn german2(s: &[u8]) -> impl Iterator<Item = u32> {
    s.iter().flat_map(|b| {
        let second = GERMAN2[1][usize::from(*b)];
        std::iter::once(GERMAN2[0][usize::from(*b)]).chain((second != 0).then_some(second)).map(u32::from)
    })
}

/// The general_ci weight of a code point; ill-formed units keep their place above all.
#[inline]
pub(crate) fn general_weight(cp: u32, mysql500: bool) -> u32 {
    match cp {
        0xDF if mysql500 => 0xDF,
        0..0x100 => u32::from(GENERAL_LOW[cp as usize]),
        0x100..0x1_0000 => GENERAL.apply(cp),
        0x1_0000..BAD => 0xFFFD,
        _ => cp,
    }
}

/// A byte in each byte of a word.
const fn in_each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Appends the sort key of the ASCII characters that `s` begins with, a byte each, without its end; gives what is left of `s`.
#[inline]
pub(crate) fn general_ascii<'a>(s: &'a [u8], pad: bool, out: &mut Vec<u8>) -> &'a [u8] {
    let (special, high) = (in_each(if pad { b' ' } else { 0 }), in_each(0x80));
    let mut left = s;
    while let Some(chunk) = left.first_chunk() {
        let word = u64::from_le_bytes(*chunk);
        let differ = word ^ special;
        // the lowest of these bits belongs to the first byte that is not ASCII or needs more than its weight
        let stop = (word | differ.wrapping_sub(in_each(1)) & !differ) & high;
        let plain = stop.trailing_zeros() as usize / 8;
        let low = word & !high;
        let letters = (low + in_each(0x80 - b'a')) & !(low + in_each(0x7F - b'z')) & high;
        // the weight of ASCII is its capital letter
        out.extend_from_slice(&(word ^ letters >> 2).to_le_bytes());
        out.truncate(out.len() - (8 - plain));
        left = &left[plain..];
        if plain == 8 {
            continue;
        }
        let spaces = left.iter().take_while(|b| pad && **b == b' ').count();
        let Some(next) = left.get(spaces).filter(|b| spaces > 0 && b.is_ascii()) else { return left };
        let how = if *next < b' ' { 0 } else { 2 };
        (0..spaces).for_each(|_| out.extend_from_slice(&[b' ', how]));
        left = &left[spaces..];
    }
    let weight = |b: u8| (b.is_ascii() && (pad || b != 0)).then(|| GENERAL_LOW[usize::from(b)] as u8);
    padded_bytes(left, if pad { b' ' } else { 0 }, weight, out)
}

/// The sort key of general_ci as far as eight bytes go; behind its end stands `fill`.
#[inline]
pub(crate) fn general_prefix<D: Decoder>(s: &[u8], mysql500: bool, fill: u32) -> u64 {
    if D::ASCII
        && let Some(first) = s.first_chunk::<8>()
        && first.is_ascii()
    {
        return u64::from_be_bytes(first.map(|b| GENERAL_LOW[usize::from(b)] as u8));
    }
    let mut units = General::<D>::new(s, mysql500);
    let (mut prefix, mut room) = (0u64, 64);
    while room > 0 {
        let unit = units.next().unwrap_or(fill);
        let (code, bytes) = short(unit);
        if unit >= 0xFFFF {
            // what follows says nothing without what tells these units apart
            let code = u64::from(code) & 0xFFFF_FF00;
            return prefix | if room >= 32 { code << (room - 32) } else { code >> (32 - room) };
        }
        let bits = 8 * bytes;
        if bits > room {
            return prefix | u64::from(code) >> (bits - room);
        }
        room -= bits;
        prefix |= u64::from(code) << room;
    }
    prefix
}

/// Weights of general_ci.
pub(crate) struct General<'a, D> {
    s: &'a [u8],
    mysql500: bool,
    decoder: PhantomData<D>,
}

impl<'a, D> General<'a, D> {
    pub fn new(s: &'a [u8], mysql500: bool) -> Self {
        Self { s, mysql500, decoder: PhantomData }
    }
}

impl<D: Decoder> Iterator for General<'_, D> {
    type Item = u32;
    #[inline]
    fn next(&mut self) -> Option<u32> {
        if D::ASCII
            && let Some((&byte, rest)) = self.s.split_first()
            && byte < 0x80
        {
            self.s = rest;
            return Some(u32::from(GENERAL_LOW[usize::from(byte)]));
        }
        let (cp, n) = D::next(self.s)?;
        self.s = &self.s[n..];
        Some(general_weight(cp, self.mysql500))
    }
}

/// Code points.
pub(crate) struct CodePoints<'a, D>(&'a [u8], PhantomData<D>);

impl<'a, D> CodePoints<'a, D> {
    pub fn new(s: &'a [u8]) -> Self {
        Self(s, PhantomData)
    }
}

impl<D: Decoder> Iterator for CodePoints<'_, D> {
    type Item = u32;
    #[inline]
    fn next(&mut self) -> Option<u32> {
        let (cp, n) = D::next(self.0)?;
        self.0 = &self.0[n..];
        Some(cp)
    }
}

/// Weights of the East Asian sets; with `bin` the codes themselves.
pub(crate) struct Cjk<'a> {
    pub s: &'a [u8],
    pub set: &'static CjkSet,
    pub bin: bool,
    /// As WEIGHT_STRING has it.
    pub sort: bool,
}

impl Iterator for Cjk<'_> {
    type Item = u32;
    #[inline]
    fn next(&mut self) -> Option<u32> {
        if let Some((&byte, rest)) = self.s.split_first()
            && byte < 0x80
        {
            self.s = rest;
            let weight = if self.bin { byte } else { self.set.single_weights[usize::from(byte)] };
            return Some(u32::from(weight) << 16);
        }
        let code = self.set.next(self.s)?;
        self.s = &self.s[code.len..];
        Some(match code.len {
            _ if !self.bin => self.set.weight(code, self.sort),
            1 if code.well_formed => code.number << 16,
            1 => 0xFF_0000 | code.number << 8,
            2 => code.number << 8,
            _ => code.number,
        })
    }
}

/// A place at or before the first difference of two UTF-8 strings where both have a character boundary.
pub(crate) fn utf8_common_prefix(a: &[u8], b: &[u8]) -> usize {
    let is_continuation = |s: &[u8], at: usize| s.get(at).is_some_and(|b| b & 0xC0 == 0x80);
    let mut at = common_prefix(a, b);
    if is_continuation(a, at) || is_continuation(b, at) {
        // A byte that is not a continuation always begins something.
        while at > 0 {
            at -= 1;
            if !is_continuation(a, at) {
                break;
            }
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::units::{Width, key};
    use super::*;
    use crate::encoding::Utf8;

    /// Sort keys made eight characters at a time are those made one by one.
    #[test]
    fn ascii_keys_are_those_of_weights() {
        let pieces = [
            "a", "Z", "z", "{", "@", "`", "[", "0", " ", "  ", "\t", "\0", "\u{7F}", "é", "\u{A0}", "name ",
            "\u{1}",
        ];
        let mut seed = 7u64;
        for length in 0..40 {
            for _ in 0..200 {
                let mut s = String::new();
                for _ in 0..length {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    // words more often than what ends them
                    let n = (seed >> 33) as usize % (3 * pieces.len());
                    s.push_str(pieces.get(n).unwrap_or(&"x"));
                }
                for pad in [Some(0x20), None] {
                    let (mut fast, mut slow) = (Vec::new(), Vec::new());
                    let left = general_ascii(s.as_bytes(), pad.is_some(), &mut fast);
                    key(General::<Utf8<true>>::new(left, false), pad, Width::Short, &mut fast);
                    key(General::<Utf8<true>>::new(s.as_bytes(), false), pad, Width::Short, &mut slow);
                    assert_eq!(fast, slow, "{s:?} {pad:?}");
                }
            }
        }
    }
}
