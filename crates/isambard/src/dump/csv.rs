//! Comma-separated values (RFC 4180): texts stand in quotes, numbers and NULL without, so that both can be told from texts. LOAD DATA
//! reads it with FIELDS TERMINATED BY ',' ENCLOSED BY '"' ESCAPED BY ''.

use std::io::{self, Write};

use isambard::ValueRef;

use super::Writer;
use super::source::Prepared;
use super::value::{Column, Kind, put_hex, put_text};

pub struct Csv<W> {
    out: W,
    names: bool,
    line: Vec<u8>,
    text: Vec<u8>,
}

impl<W: Write> Csv<W> {
    /// `names`: the first line has the names of the columns.
    pub fn new(out: W, names: bool) -> Csv<W> {
        Csv { out, names, line: Vec::new(), text: Vec::new() }
    }
}

fn quote(line: &mut Vec<u8>, text: &[u8]) {
    line.push(b'"');
    for b in text {
        if *b == b'"' {
            line.push(b'"');
        }
        line.push(*b);
    }
    line.push(b'"');
}

impl<W: Write> Writer for Csv<W> {
    fn begin(&mut self, _: &Prepared, columns: &[Column]) -> io::Result<()> {
        if !self.names {
            return Ok(());
        }
        for (n, column) in columns.iter().enumerate() {
            if n > 0 {
                self.line.push(b',');
            }
            quote(&mut self.line, column.name.as_bytes());
        }
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    fn row(&mut self, columns: &[Column], values: &[ValueRef<'_>]) -> io::Result<()> {
        self.line.clear();
        for (n, (column, value)) in columns.iter().zip(values).enumerate() {
            if n > 0 {
                self.line.push(b',');
            }
            if value.is_null() {
                self.line.extend_from_slice(b"NULL");
                continue;
            }
            self.text.clear();
            match (column.kind, value) {
                (Kind::Binary, ValueRef::Bytes(bytes)) => put_hex(&mut self.text, bytes),
                _ => put_text(&mut self.text, column, *value),
            }
            match column.is_number() {
                true => self.line.extend_from_slice(&self.text),
                false => quote(&mut self.line, &self.text),
            }
        }
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    fn end(&mut self) -> io::Result<u64> {
        self.out.flush().map(|()| 0)
    }
}
