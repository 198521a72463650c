//! JSON, an object a line: numbers as numbers with all their digits, everything else as text.

use std::io::{self, Write};

use isambard::ValueRef;

use super::Writer;
use super::source::Prepared;
use super::value::{Column, Kind, put_hex, put_text};

pub struct Json<W> {
    out: W,
    line: Vec<u8>,
    text: Vec<u8>,
}

impl<W: Write> Json<W> {
    pub fn new(out: W) -> Json<W> {
        Json { out, line: Vec::new(), text: Vec::new() }
    }
}

/// A text in quotes; bytes that are no UTF-8 become U+FFFD.
fn quote(line: &mut Vec<u8>, text: &[u8]) {
    line.push(b'"');
    for c in String::from_utf8_lossy(text).chars() {
        match c {
            '"' => line.extend_from_slice(b"\\\""),
            '\\' => line.extend_from_slice(b"\\\\"),
            '\n' => line.extend_from_slice(b"\\n"),
            '\r' => line.extend_from_slice(b"\\r"),
            '\t' => line.extend_from_slice(b"\\t"),
            c if (c as u32) < 0x20 || c as u32 == 0x7F => {
                line.extend_from_slice(format!("\\u{:04x}", c as u32).as_bytes());
            }
            c => line.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    line.push(b'"');
}

/// Whether a text is a number as JSON has them: those of ZEROFILL columns are not.
fn is_number(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let leads = digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit();
    digits.first().is_some_and(u8::is_ascii_digit) && !leads
}

impl<W: Write> Writer for Json<W> {
    fn begin(&mut self, _: &Prepared, _: &[Column]) -> io::Result<()> {
        Ok(())
    }

    fn row(&mut self, columns: &[Column], values: &[ValueRef<'_>]) -> io::Result<()> {
        self.line.clear();
        self.line.push(b'{');
        for (n, (column, value)) in columns.iter().zip(values).enumerate() {
            if n > 0 {
                self.line.push(b',');
            }
            quote(&mut self.line, column.name.as_bytes());
            self.line.push(b':');
            if value.is_null() {
                self.line.extend_from_slice(b"null");
                continue;
            }
            self.text.clear();
            match (column.kind, value) {
                (Kind::Binary, ValueRef::Bytes(bytes)) => put_hex(&mut self.text, bytes),
                _ => put_text(&mut self.text, column, *value),
            }
            match column.is_number() && is_number(&self.text) {
                true => self.line.extend_from_slice(&self.text),
                false => quote(&mut self.line, &self.text),
            }
        }
        self.line.extend_from_slice(b"}\n");
        self.out.write_all(&self.line)
    }

    fn end(&mut self) -> io::Result<u64> {
        self.out.flush().map(|()| 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_numbers_are_numbers() {
        let mut line = Vec::new();
        quote(&mut line, "a\"b\\c\n\u{1}ü".as_bytes());
        assert_eq!(String::from_utf8(line).expect("UTF-8"), "\"a\\\"b\\\\c\\n\\u0001ü\"");
        assert!(is_number(b"0") && is_number(b"-0.5") && is_number(b"12.50") && is_number(b"1e20"));
        assert!(!is_number(b"007") && !is_number(b"nan") && !is_number(b""));
    }
}
