//! NATURAL_SORT_KEY: texts that compare as a person would sort them, numbers in them by their values.

use super::string::fix_numeric;
use super::{Call, Definition, Resolve, pure};
use crate::error::SqlResult;
use crate::types::FieldType;

pub(super) const LIST: &[Definition] = &[pure("natural_sort_key", 1, 1, key_type, key)];

/// A digit becomes two characters at most, but no two digits stand alone side by side.
fn key_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let mut d = r.derived(0);
    fix_numeric(r, &mut d);
    let chars = u64::from(r.args[0].ty.char_length());
    Ok(r.text_of(chars + chars.div_ceil(2), d).with_nullable(true))
}

fn key(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = c.bytes(0) else { return c.null() };
    let digits = Digits::of(c.ty(0).collation.charset.space());
    let mut key = Vec::with_capacity(text.len() + text.len() / 2 + 4);
    let mut length = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let run = digits.run(rest);
        if run == 0 {
            let unit = digits.width().min(rest.len());
            key.extend_from_slice(&rest[..unit]);
            at += unit;
            continue;
        }
        let zeros = (0..run - 1).take_while(|n| digits.at(rest, *n) == Some(b'0')).count();
        length.clear();
        put_length(run - zeros, &mut length);
        digits.put(&length, &mut key);
        key.extend_from_slice(&rest[zeros * digits.width()..run * digits.width()]);
        at += run * digits.width();
    }
    if key.len() > c.ctx.max_allowed_packet {
        return c.too_long();
    }
    c.put_bytes(&key)
}

/// What stands before so many digits, so that longer numbers come behind shorter ones: one character up to 9 digits, two up to 18, three
/// up to 27, and else the length less one, as a number is written itself.
fn put_length(n: usize, out: &mut Vec<u8>) {
    let place = (n - 1) / 9;
    if let 0..=2 = place {
        out.extend(std::iter::repeat_n(b'9', place));
        out.push(b'0' + ((n - 1) % 9) as u8);
        return;
    }
    let length = (n - 1).to_string();
    out.extend_from_slice(b"9990");
    put_length(length.len(), out);
    out.extend_from_slice(length.as_bytes());
}

/// How a character set writes digits: in one byte, or in units with zeros around it.
struct Digits<'s> {
    blank: &'s [u8],
    /// Where in a unit the digit is.
    place: usize,
}

impl Digits<'_> {
    fn of(blank: &[u8]) -> Digits<'_> {
        Digits { blank, place: blank.iter().position(|b| *b != 0).unwrap_or(0) }
    }

    fn width(&self) -> usize {
        self.blank.len().max(1)
    }

    /// The digit that is unit `n`, if it is one.
    fn at(&self, text: &[u8], n: usize) -> Option<u8> {
        let unit = text.get(n * self.width()..(n + 1) * self.width())?;
        let digit = unit[self.place];
        let alone = unit.iter().enumerate().all(|(i, b)| i == self.place || *b == 0);
        (alone && digit.is_ascii_digit()).then_some(digit)
    }

    /// How many digits a text begins with.
    fn run(&self, text: &[u8]) -> usize {
        (0..).take_while(|n| self.at(text, *n).is_some()).count()
    }

    fn put(&self, digits: &[u8], out: &mut Vec<u8>) {
        for digit in digits {
            let start = out.len();
            out.extend_from_slice(self.blank);
            out[start + self.place] = *digit;
        }
    }
}
