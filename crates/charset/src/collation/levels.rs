//! WEIGHT_STRING with its clauses: so many weights, padded, of some levels, inverted, reversed.

use super::{Collation, Rules};

/// The levels asked for; none: all.
const LEVELS: u32 = 0x3f;
/// Missing characters are spaces.
const PAD_WITH_SPACE: u32 = 0x40;
/// The result is filled up to its length.
const PAD_TO_RESULT: u32 = 0x80;
/// The bits of the first level's DESC and REVERSE.
const DESC: u32 = 0x100;
const REVERSE: u32 = 0x1_0000;

/// What WEIGHT_STRING is asked for, in the numbers of its form with four arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeightFormat {
    /// Longest result in bytes; 0: as long as it gets.
    pub result: usize,
    /// Characters that are weighed; 0: all.
    pub weights: usize,
    /// Levels (one bit each from 0x01), 0x40: pad with spaces, 0x80: fill the result, from 0x100 on DESC of each
    /// level, from 0x10000 on REVERSE.
    pub flags: u32,
}

impl Collation {
    /// Appends what SQL's WEIGHT_STRING returns for `s`.
    pub fn formatted_weights(&self, s: &[u8], format: WeightFormat, out: &mut Vec<u8>) {
        let start = out.len();
        let levels = match self.rules {
            Rules::Latin2Czech => 4,
            Rules::Cp1250Czech => 2,
            _ => 1,
        };
        if levels > 1 {
            self.chosen_levels(s, levels, format.flags & LEVELS, out);
        } else {
            self.padded_weights(s, format, out);
            let made = &mut out[start..];
            if format.flags & DESC != 0 {
                made.iter_mut().for_each(|b| *b = !*b);
            }
            if format.flags & REVERSE != 0 {
                made.reverse();
            }
        }
        if format.result > 0 {
            if format.flags & PAD_TO_RESULT != 0 {
                let unit =
                    if levels > 1 { vec![if levels == 4 { b' ' } else { 0 }] } else { self.pad_unit() };
                while !unit.is_empty() && out.len() - start < format.result {
                    out.extend_from_slice(&unit);
                }
            }
            out.truncate(start + format.result);
        }
    }

    /// The weights of the first characters, and of what stands for missing ones.
    fn padded_weights(&self, s: &[u8], format: WeightFormat, out: &mut Vec<u8>) {
        if format.weights == 0 {
            return self.weights(s, out);
        }
        let size = match self.rules {
            Rules::German2 | Rules::Thai => 1,
            Rules::Uca { levels, .. } if levels == super::Levels::FIRST => 2,
            _ => 0,
        };
        if size > 0 {
            return self.some_weights(s, format, size, out);
        }
        let used = &s[..self.charset.prefix(s, format.weights)];
        let missing = format.weights - self.charset.char_len(used);
        if format.flags & PAD_WITH_SPACE == 0 || missing == 0 {
            return self.weights(used, out);
        }
        if self.pad_space {
            let mut text = used.to_vec();
            (0..missing).for_each(|_| text.extend_from_slice(self.charset.space()));
            return self.weights(&text, out);
        }
        self.weights(used, out);
        let unit = self.pad_unit();
        (0..missing).for_each(|_| out.extend_from_slice(&unit));
    }

    /// The first weights, each of `size` bytes, of which a character may have several or none.
    fn some_weights(&self, s: &[u8], format: WeightFormat, size: usize, out: &mut Vec<u8>) {
        let start = out.len();
        self.weights(s, out);
        out.truncate(start + format.weights.saturating_mul(size).min(out.len() - start));
        if format.flags & PAD_WITH_SPACE != 0 {
            let unit = self.pad_unit();
            let missing = format.weights - (out.len() - start) / size;
            (0..missing).for_each(|_| out.extend_from_slice(&unit));
        }
    }

    /// The weight that results are filled up with.
    fn pad_unit(&self) -> Vec<u8> {
        if let Rules::Uca { .. } = self.rules
            && !self.pad_space
        {
            return vec![2, 0];
        }
        let mut unit = Vec::new();
        self.weights(self.charset.space(), &mut unit);
        if !self.pad_space {
            unit.fill(0);
        }
        unit
    }

    /// Some of the levels that the Czech collations weigh one after the other.
    fn chosen_levels(&self, s: &[u8], levels: u32, asked: u32, out: &mut Vec<u8>) {
        let all = (1u32 << levels) - 1;
        let asked = match asked {
            0 => all,
            // those that are not there are the last one
            n if n > all => n & all | 1 << (levels - 1),
            n => n,
        };
        let mut weights = Vec::new();
        self.weights(s, &mut weights);
        let parts: Vec<&[u8]> = match self.rules {
            // each ends with 1, the last one with 0
            Rules::Latin2Czech => weights.split_inclusive(|b| *b <= 1).collect(),
            _ => {
                let (first, second) = weights.split_at(weights.len() / 2);
                vec![first, second]
            }
        };
        for (i, part) in parts.iter().enumerate() {
            if asked & 1 << i != 0 {
                out.extend_from_slice(part);
            }
        }
    }

    /// The longest result for so many characters, as column types of WEIGHT_STRING have it.
    #[must_use]
    pub fn weight_width(&self, chars: u64) -> u64 {
        match self.rules {
            Rules::Binary | Rules::ByteBin | Rules::Table(_) => chars,
            Rules::German2 | Rules::Cp1250Czech | Rules::General { .. } => chars * 2,
            Rules::Latin2Czech => (chars + 1) * 4,
            Rules::Thai => chars * 4,
            Rules::CodePoint => chars * 3,
            Rules::Uca { .. } => chars * 16,
            _ => chars * u64::from(self.charset.mbmaxlen),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(collation: &str, result: usize, weights: usize, flags: u32) -> String {
        let mut out = Vec::new();
        let format = WeightFormat { result, weights, flags };
        Collation::by_name(collation).expect("collation").formatted_weights(b"aBc", format, &mut out);
        out.iter().map(|b| format!("{b:02X}")).collect()
    }

    #[test]
    fn levels_lengths_and_directions_are_those_of_mariadb() {
        for (collation, result, n, flags, expected) in [
            ("latin1_swedish_ci", 3, 2, 0xc0, "414220"),
            ("latin1_swedish_ci", 1, 2, 0xc0, "41"),
            ("latin1_swedish_ci", 2, 10, 0, "4142"),
            ("latin1_swedish_ci", 0, 0, 0x101, "BEBDBC"),
            ("latin1_swedish_ci", 0, 0, 0x1_0101, "BCBDBE"),
            ("latin1_swedish_nopad_ci", 0, 5, 0x41, "4142430000"),
            ("latin1_swedish_nopad_ci", 9, 2, 0xc0, "414200000000000000"),
            ("latin2_czech_cs", 0, 0, 0x01, "03040501"),
            ("latin2_czech_cs", 0, 0, 0x05, "0304050103101101"),
            ("latin2_czech_cs", 0, 0, 0x10, "03101100"),
            ("latin2_czech_cs", 0, 0, 0x101, "03040501"),
            ("cp1250_czech_cs", 0, 0, 0x02, "020102"),
            ("cp1250_czech_cs", 0, 5, 0x40, "A4A5A6020102"),
            ("cp1250_czech_cs", 0, 0, 0x04, "020102"),
        ] {
            assert_eq!(weights(collation, result, n, flags), expected, "{collation} {result} {n} {flags:x}");
        }
    }
}
