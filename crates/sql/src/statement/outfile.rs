//! Rows as text in a file: the form of SELECT ... INTO OUTFILE.

use crate::ast::FileFormat;
use crate::number;
use crate::types::temporal::format::{write_date, write_datetime, write_time};
use crate::types::{Batch, FieldType, Kind, Value};

/// The text of a value as a file or DUMPFILE holds it.
pub(super) fn value_text(v: &Value, ty: &FieldType, out: &mut Vec<u8>) {
    let digits = if ty.decimals > 6 { 6 } else { ty.decimals };
    match v {
        Value::Null => {}
        Value::Int(i) => number::put_int(out, *i),
        Value::UInt(n) => match (&ty.values, ty.kind) {
            (Some(members), Kind::Enum) => {
                if let Some(m) = n.checked_sub(1).and_then(|i| members.get(i as usize)) {
                    out.extend_from_slice(m);
                }
            }
            (Some(members), Kind::Set) => {
                let mut first = true;
                for (i, m) in members.iter().enumerate() {
                    if n & (1 << i) != 0 {
                        if !first {
                            out.push(b',');
                        }
                        first = false;
                        out.extend_from_slice(m);
                    }
                }
            }
            (_, Kind::Bit) => {
                let bytes = (ty.length as usize).div_ceil(8).min(8);
                out.extend_from_slice(&n.to_be_bytes()[8 - bytes..]);
            }
            _ => number::put_uint(out, *n),
        },
        Value::Double(d) if ty.kind == Kind::Float => number::put_float(out, *d as f32, ty.decimals),
        Value::Double(d) => number::put_double(out, *d, ty.decimals),
        Value::Decimal(d) => out.extend_from_slice(d.to_string().as_bytes()),
        Value::Bytes(b) => out.extend_from_slice(b),
        Value::Date(d) => write_date(*d, out),
        Value::Time(t) => write_time(*t, digits, out),
        Value::DateTime(d) => write_datetime(*d, digits, out),
    }
}

/// Characters that mean something else behind an escape character.
const ESCAPES: &[u8] = b"ntrb0ZN";

/// Characters that numbers consist of.
const OF_NUMBERS: &[u8] = b".0123456789e+-";

/// How rows are written, from what FIELDS and LINES say.
pub(super) struct Format<'f> {
    terminator: &'f [u8],
    line_start: &'f [u8],
    line_end: &'f [u8],
    escape: Option<u8>,
    quote: Option<u8>,
    optionally: bool,
}

impl Format<'_> {
    pub(super) fn of(f: &FileFormat) -> Format<'_> {
        let terminator = f.field_terminator.as_deref().unwrap_or(b"\t");
        let line_end = f.line_terminator.as_deref().unwrap_or(b"\n");
        Format {
            terminator,
            line_start: f.line_start.as_deref().unwrap_or(b""),
            line_end: if line_end.is_empty() { terminator } else { line_end },
            escape: f.escaped.as_deref().map_or(Some(b'\\'), |e| e.first().copied()),
            quote: f.enclosed.as_deref().and_then(|e| e.first().copied()),
            // nothing else would divide them
            optionally: f.optionally && f.field_terminator.as_deref() != Some(b""),
        }
    }

    /// Whether a field that is not enclosed may hold what fields end with, without an escape that could be read back.
    fn is_ambiguous(&self) -> bool {
        self.terminator.first().is_some_and(|b| ESCAPES.contains(b) || OF_NUMBERS.contains(b))
    }

    /// Whether all that divides and encloses fields and lines is ASCII; else 1638.
    pub(super) fn is_ascii(&self) -> bool {
        let single = [self.escape, self.quote];
        single.iter().flatten().all(u8::is_ascii)
            && [self.terminator, self.line_start, self.line_end].iter().all(|s| s.is_ascii())
    }

    /// Whether fields may come to look like several: 1475.
    pub(super) fn is_unsafe(&self) -> bool {
        match self.quote {
            None => self.is_ambiguous(),
            // what is no number is enclosed
            Some(_) => self.optionally && self.terminator.first().is_some_and(|b| OF_NUMBERS.contains(b)),
        }
    }

    /// Nothing divides the fields: each has the width of its column.
    fn is_fixed(&self) -> bool {
        self.terminator.is_empty() && self.quote.is_none()
    }

    /// Writes one row.
    pub(super) fn write_row(&self, types: &[FieldType], rows: &Batch, row: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(self.line_start);
        let mut text = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            if i > 0 {
                out.extend_from_slice(self.terminator);
            }
            let value = rows.columns[i].value(row);
            if value.is_null() {
                match self.escape {
                    _ if self.is_fixed() => out.resize(out.len() + ty.length as usize, b' '),
                    Some(e) => out.extend_from_slice(&[e, b'N']),
                    None => out.extend_from_slice(b"NULL"),
                }
                continue;
            }
            text.clear();
            value_text(&value, ty, &mut text);
            let is_text = ty.is_string() || ty.is_temporal();
            let enclosed = self.quote.filter(|_| !self.optionally || is_text);
            out.extend(enclosed);
            match self.escape {
                Some(e) if is_text || enclosed.is_some() => {
                    self.escaped(&text, e, ty, enclosed.is_some(), out)
                }
                _ => out.extend_from_slice(&text),
            }
            out.extend(enclosed);
            if self.is_fixed() {
                out.resize(out.len() + (ty.length as usize).saturating_sub(text.len()), b' ');
            }
        }
        out.extend_from_slice(self.line_end);
    }

    /// A field, its special characters behind the escape character.
    fn escaped(&self, text: &[u8], escape: u8, ty: &FieldType, enclosed: bool, out: &mut Vec<u8>) {
        let charset = ty.collation.charset;
        let several = ty.is_string() && charset.mbmaxlen > 1;
        let separator = self.terminator.first().filter(|_| !enclosed && !self.is_ambiguous());
        let mut at = 0;
        while let Some(&b) = text.get(at) {
            let len = if several { charset.first_char(&text[at..]).max(1) } else { 1 };
            if len > 1 {
                out.extend_from_slice(&text[at..at + len]);
            } else if b == 0 {
                out.extend_from_slice(&[escape, b'0']);
            } else if self.quote == Some(b) && ESCAPES.contains(&b) {
                out.extend_from_slice(&[b, b]);
            } else {
                let special = b == escape
                    || self.quote == Some(b)
                    || self.line_end.first() == Some(&b)
                    || separator == Some(&b);
                if special {
                    out.push(escape);
                }
                out.push(b);
            }
            at += len;
        }
    }
}
