//! JSON: for now only what the constraint of JSON columns needs.

use super::{Arguments, Call, Definition, Purity, Resolve};
use crate::error::SqlResult;
use crate::types::FieldType;

/// Deepest nesting that counts as valid.
const MAX_DEPTH: usize = 31;

pub(super) const LIST: &[Definition] = &[Definition {
    name: "json_valid",
    min: 1,
    max: 1,
    purity: Purity::Immutable,
    resolve: valid_type,
    eval: json_valid,
    arguments: Arguments::All,
}];

fn valid_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    Ok(FieldType::int(1))
}

fn json_valid(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = c.bytes(0) else { return c.null() };
    let charset = c.ty(0).collation.charset;
    let mut converted = Vec::new();
    let text = if charset.name.starts_with("utf8") || charset.name == "binary" {
        text
    } else {
        charset.convert(text, charset::system().charset, &mut converted);
        &converted
    };
    let mut reader = Reader { text, at: 0 };
    c.put_int(i64::from(reader.document()))
}

/// Reads JSON text and keeps nothing of it.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, b: u8) -> bool {
        let here = self.peek() == Some(b);
        self.at += usize::from(here);
        here
    }

    fn document(&mut self) -> bool {
        self.space();
        if !self.value(0) {
            return false;
        }
        self.space();
        self.at == self.text.len()
    }

    fn value(&mut self, depth: usize) -> bool {
        match self.peek() {
            Some(b'{') => self.list(depth, b'}', true),
            Some(b'[') => self.list(depth, b']', false),
            Some(b'"') => self.string(),
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            _ => self.number(),
        }
    }

    fn list(&mut self, depth: usize, end: u8, named: bool) -> bool {
        if depth >= MAX_DEPTH {
            return false;
        }
        self.at += 1;
        self.space();
        if self.take(end) {
            return true;
        }
        loop {
            self.space();
            if named {
                if self.peek() != Some(b'"') || !self.string() {
                    return false;
                }
                self.space();
                if !self.take(b':') {
                    return false;
                }
                self.space();
            }
            if !self.value(depth + 1) {
                return false;
            }
            self.space();
            if self.take(end) {
                return true;
            }
            if !self.take(b',') {
                return false;
            }
        }
    }

    fn string(&mut self) -> bool {
        self.at += 1;
        loop {
            match self.peek() {
                None | Some(0..=0x1f) => return false,
                Some(b'"') => {
                    self.at += 1;
                    return true;
                }
                Some(b'\\') => {
                    self.at += 2;
                    if self.text.get(self.at - 1) == Some(&b'u') && !self.escape() {
                        return false;
                    }
                }
                Some(_) => self.at += 1,
            }
        }
    }

    /// The digits behind `\u`; a surrogate needs its pair.
    fn escape(&mut self) -> bool {
        let Some(high) = self.hex() else { return false };
        match high {
            0xd800..=0xdbff => {
                self.take(b'\\')
                    && self.take(b'u')
                    && self.hex().is_some_and(|l| (0xdc00..=0xdfff).contains(&l))
            }
            0xdc00..=0xdfff => false,
            _ => true,
        }
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        digits.iter().try_fold(0, |n, b| Some(n << 4 | char::from(*b).to_digit(16)?))
    }

    fn word(&mut self, word: &[u8]) -> bool {
        let here = self.text[self.at..].starts_with(word);
        self.at += word.len();
        here
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> bool {
        self.take(b'-');
        let zero = self.peek() == Some(b'0');
        match self.digits() {
            0 => return false,
            n if zero && n > 1 => return false,
            _ => {}
        }
        if self.take(b'.') {
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            return self.digits() > 0;
        }
        true
    }
}
