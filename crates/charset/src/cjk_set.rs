//! The East Asian multi-byte sets: codes of one byte, of lead and trail byte, and (ujis, eucjpms)
//! of three bytes after 8F. A byte that begins no code counts as a character of its own.

use crate::encoding::BAD;
use std::sync::OnceLock;

/// The tables of an East Asian set. Numbers in them are little-endian.
#[derive(Debug)]
pub(crate) struct CjkSet {
    pub ascii: bool,
    /// Unicode of the one-byte codes (FFFF: none, FFFE: ill-formed).
    pub single: &'static [u8; 512],
    /// Row of a lead byte and column of a trail byte; FF: not one.
    pub leads: &'static [u8; 256],
    pub trails: &'static [u8; 256],
    pub trail_count: usize,
    /// Unicode by row and column.
    pub double: &'static [u8],
    /// Unicode of 8F xx yy by (xx-A1)*94 + yy-A1; empty when the set has none.
    pub triple: &'static [u8],
    pub single_weights: &'static [u8; 256],
    /// Weights of two bytes by row and column; None: the code itself.
    pub double_weights: Option<&'static [u8]>,
    /// Comparisons use the code although there are weights (big5).
    pub weigh_by_code: bool,
    /// Pairs (code, other case) by ascending code, 4 bytes each.
    pub lower: &'static [u8],
    pub upper: &'static [u8],
    /// Pairs (Unicode, code) where several codes have one Unicode value.
    pub exceptions: &'static [u8],
    pub reverse: OnceLock<Box<[u16]>>,
}

fn le16(table: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes([*table.get(at * 2)?, *table.get(at * 2 + 1)?]))
}

fn le32(table: &[u8], at: usize) -> Option<u32> {
    table.get(at * 4..at * 4 + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

const ILL_FORMED: u16 = 0xFFFE;

/// A character: its code as a big-endian number and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    pub number: u32,
    pub len: usize,
    /// Whether it is a code of the set, assigned or not.
    pub well_formed: bool,
}

impl CjkSet {
    fn cell(&self, lead: u8, trail: u8) -> Option<usize> {
        let (row, column) = (self.leads[usize::from(lead)], self.trails[usize::from(trail)]);
        (row != 0xFF && column != 0xFF).then_some(usize::from(row) * self.trail_count + usize::from(column))
    }

    fn triple_cell(&self, second: u8, third: u8) -> Option<usize> {
        let column = |b: u8| (0xA1..=0xFE).contains(&b).then(|| usize::from(b) - 0xA1);
        Some(column(second)? * 94 + column(third)?)
    }

    /// The first character; None at the end.
    #[inline]
    pub fn next(&self, s: &[u8]) -> Option<Code> {
        let a = *s.first()?;
        if a < 0x80 {
            return Some(Code { number: u32::from(a), len: 1, well_formed: true });
        }
        if let Some(&b) = s.get(1)
            && let Some(at) = self.cell(a, b)
            && le16(self.double, at).is_some_and(|cp| cp != ILL_FORMED)
        {
            return Some(Code { number: u32::from(a) << 8 | u32::from(b), len: 2, well_formed: true });
        }
        if a == 0x8F
            && !self.triple.is_empty()
            && let [_, b, c, ..] = *s
            && self.triple_cell(b, c).is_some()
        {
            let number = 0x8F_0000 | u32::from(b) << 8 | u32::from(c);
            return Some(Code { number, len: 3, well_formed: true });
        }
        let well_formed = le16(self.single, usize::from(a)) != Some(ILL_FORMED);
        Some(Code { number: u32::from(a), len: 1, well_formed })
    }

    /// The Unicode value of a well-formed code.
    pub fn code_point(&self, code: Code) -> Option<u32> {
        let [_, a, b, c] = code.number.to_be_bytes();
        let cp = match code.len {
            1 => le16(self.single, usize::from(c)),
            2 => le16(self.double, self.cell(b, c)?),
            _ if a == 0x8F => le16(self.triple, self.triple_cell(b, c)?),
            _ => None,
        }?;
        (cp < ILL_FORMED).then_some(u32::from(cp))
    }

    /// Codes by Unicode value, made at the first use: 0 none; a code of one or two bytes; of 8F xx yy, xx and yy
    /// without its top bit (a low byte below 80 after a high one of A1 and more marks them).
    fn reverse(&self) -> &[u16] {
        self.reverse.get_or_init(|| {
            let mut table = vec![0u16; 0x1_0000].into_boxed_slice();
            let mut set = |cp: u32, code: u32| {
                table[cp as usize & 0xFFFF] = match code {
                    0x8F_0000.. => (code & 0xFF7F) as u16,
                    _ => code as u16,
                };
            };
            let columns = if self.triple.is_empty() { 0..0 } else { 0xA1..0xFFu8 };
            for b in columns.clone() {
                for c in columns.clone() {
                    let code = Code {
                        number: 0x8F_0000 | u32::from(b) << 8 | u32::from(c),
                        len: 3,
                        well_formed: true,
                    };
                    if let Some(cp) = self.code_point(code) {
                        set(cp, code.number);
                    }
                }
            }
            for a in 0x80..=0xFFu8 {
                for b in 0..=0xFFu8 {
                    let code = Code { number: u32::from(a) << 8 | u32::from(b), len: 2, well_formed: true };
                    if let Some(cp) = self.code_point(code) {
                        set(cp, code.number);
                    }
                }
            }
            for a in 0..=0xFFu8 {
                let code = Code { number: u32::from(a), len: 1, well_formed: true };
                if let Some(cp) = self.code_point(code) {
                    set(cp, code.number);
                }
            }
            for i in 0..self.exceptions.len() / 8 {
                if let (Some(cp), Some(code)) =
                    (le32(self.exceptions, 2 * i), le32(self.exceptions, 2 * i + 1))
                {
                    set(cp, code);
                }
            }
            table
        })
    }

    /// Appends the code of a code point; false when there is none.
    pub fn encode(&self, cp: u32, out: &mut Vec<u8>) -> bool {
        if cp < 0x80 && self.ascii {
            out.push(cp as u8);
            return true;
        }
        let Ok(cp) = u16::try_from(cp) else { return false };
        let code = self.reverse()[usize::from(cp)];
        let [a, b] = code.to_be_bytes();
        match code {
            0 if cp != 0 => return false,
            0..=0xFF => out.push(b),
            _ if !self.triple.is_empty() && b < 0x80 => out.extend_from_slice(&[0x8F, a, b | 0x80]),
            _ => out.extend_from_slice(&[a, b]),
        }
        true
    }

    /// The weight bytes as a number of three bytes, the first one in front: comparing them is comparing bytes.
    /// `sort`: as WEIGHT_STRING has it, which differs from comparisons in big5.
    #[inline]
    pub fn weight(&self, code: Code, sort: bool) -> u32 {
        let [_, _, a, b] = code.number.to_be_bytes();
        match code.len {
            1 if code.well_formed => u32::from(self.single_weights[usize::from(b)]) << 16,
            1 => 0xFF_0000 | code.number << 8,
            2 => {
                let weight = match self.double_weights {
                    Some(table) if sort || !self.weigh_by_code => {
                        self.cell(a, b).and_then(|at| le16(table, at)).map_or(code.number, u32::from)
                    }
                    _ => code.number,
                };
                weight << 8
            }
            _ => code.number,
        }
    }

    /// The other case of a code.
    pub fn lower(&self, code: Code) -> u32 {
        Self::find(self.lower, code.number)
    }

    /// The other case of a code.
    pub fn upper(&self, code: Code) -> u32 {
        Self::find(self.upper, code.number)
    }

    fn find(table: &[u8], number: u32) -> u32 {
        let (mut low, mut high) = (0, table.len() / 8);
        while low < high {
            let middle = usize::midpoint(low, high);
            match le32(table, 2 * middle) {
                Some(n) if n == number => return le32(table, 2 * middle + 1).unwrap_or(number),
                Some(n) if n < number => low = middle + 1,
                _ => high = middle,
            }
        }
        number
    }

    /// The code point of the first character for conversions: `BAD` if ill-formed, None inside if unassigned.
    pub fn decode(&self, s: &[u8]) -> Option<(Option<u32>, usize)> {
        let code = self.next(s)?;
        if !code.well_formed {
            return Some((Some(BAD), 1));
        }
        Some((self.code_point(code), code.len))
    }
}

/// Appends a code of 1 to 3 bytes.
pub(crate) fn put_code(number: u32, out: &mut Vec<u8>) {
    let bytes = number.to_be_bytes();
    let skip = match number {
        0..=0xFF => 3,
        0x100..=0xFFFF => 2,
        _ => 1,
    };
    out.extend_from_slice(&bytes[skip..]);
}
