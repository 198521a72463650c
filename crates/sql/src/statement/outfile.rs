//! Rows as text in a file: the form of SELECT ... INTO OUTFILE.

use charset::Charset;

use crate::ast::FileFormat;
use crate::error::{self, SqlError, SqlResult};
use crate::number;
use crate::types::convert::write_text;
use crate::types::temporal::format::{write_date, write_datetime, write_time};
use crate::types::{Batch, FieldType, Kind, ValueRef};

/// The text of a value as a file or DUMPFILE holds it.
pub(super) fn value_text(v: ValueRef<'_>, ty: &FieldType, out: &mut Vec<u8>) {
    let digits = if ty.decimals > 6 { 6 } else { ty.decimals };
    match v {
        ValueRef::Null => {}
        // with the zeros in front
        _ if ty.zerofill || ty.kind == Kind::Year => write_text(v, ty, out),
        ValueRef::Int(i) => number::put_int(out, i),
        ValueRef::UInt(n) => match (&ty.values, ty.kind) {
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
            (_, Kind::Bit) if !ty.digits => {
                let bytes = (ty.length as usize).div_ceil(8).min(8);
                out.extend_from_slice(&n.to_be_bytes()[8 - bytes..]);
            }
            _ => number::put_uint(out, n),
        },
        ValueRef::Double(d) if ty.kind == Kind::Float => number::put_float(out, d as f32, ty.decimals),
        ValueRef::Double(d) => number::put_double(out, d, ty.decimals),
        ValueRef::Decimal(d) => d.write(out),
        ValueRef::Bytes(b) => out.extend_from_slice(b),
        ValueRef::Date(d) => write_date(d, out),
        ValueRef::Time(t) => write_time(t, digits, out),
        ValueRef::DateTime(d) => write_datetime(d, digits, out),
    }
}

/// Characters that mean something else behind an escape character.
const ESCAPES: &[u8] = b"ntrb0ZN";

/// Characters that numbers consist of.
const OF_NUMBERS: &[u8] = b".0123456789e+-";

/// Whether values of a type are enclosed where that is optional.
fn is_text(ty: &FieldType) -> bool {
    ty.is_string() || ty.is_temporal()
}

/// The bytes from which on a column's width is not kept to.
const WIDE: u32 = 1 << 24;

/// How rows are written, from what FIELDS and LINES say.
pub(super) struct Format<'f> {
    terminator: &'f [u8],
    line_start: &'f [u8],
    line_end: &'f [u8],
    escape: Option<u8>,
    quote: Option<u8>,
    /// What is written around fields: the quote's whole character.
    enclosed: &'f [u8],
    optionally: bool,
    /// The character set that values are converted to.
    charset: Option<&'static Charset>,
}

impl Format<'_> {
    /// The format of a statement of a client with this character set.
    ///
    /// # Errors
    /// 1083 for several characters that enclose or escape.
    pub(super) fn of<'f>(f: &'f FileFormat, client: &Charset) -> SqlResult<Format<'f>> {
        for one in [&f.enclosed, &f.escaped].into_iter().flatten() {
            if client.first_char(one) < one.len() {
                return Err(SqlError::new(error::ER_WRONG_FIELD_TERMINATORS, &[]));
            }
        }
        let terminator = f.field_terminator.as_deref().unwrap_or(b"\t");
        let line_end = f.line_terminator.as_deref().unwrap_or(b"\n");
        Ok(Format {
            terminator,
            line_start: f.line_start.as_deref().unwrap_or(b""),
            line_end: if line_end.is_empty() { terminator } else { line_end },
            escape: f.escaped.as_deref().map_or(Some(b'\\'), |e| e.first().copied()),
            quote: f.enclosed.as_deref().and_then(|e| e.first().copied()),
            enclosed: f.enclosed.as_deref().unwrap_or(b""),
            // nothing else would divide them
            optionally: f.optionally && f.field_terminator.as_deref() != Some(b""),
            charset: f.charset.as_deref().and_then(Charset::by_name).filter(|set| !set.is_binary()),
        })
    }

    /// Whether all that divides and encloses fields and lines is ASCII; else 1638.
    pub(super) fn is_ascii(&self) -> bool {
        let single = [self.escape, self.quote];
        single.iter().flatten().all(u8::is_ascii)
            && [self.terminator, self.line_start, self.line_end].iter().all(|s| s.is_ascii())
    }

    /// Whether fields of a row may come to look like several: 1475.
    pub(super) fn is_unsafe(&self, types: &[FieldType]) -> bool {
        let texts = types.iter().any(is_text) && self.quote.is_none() && self.begins_with(ESCAPES);
        // what is enclosed optionally are the texts
        let free = self.quote.is_none() || self.optionally;
        texts || types.iter().any(|ty| !is_text(ty)) && free && self.begins_with(OF_NUMBERS)
    }

    /// Whether bytes of BIT are escaped: what divides the fields begins as numbers do, and no field is enclosed.
    fn escapes_bytes(&self, types: &[FieldType]) -> bool {
        let encloses = self.quote.is_some() && (!self.optionally || types.iter().any(is_text));
        !encloses && self.begins_with(OF_NUMBERS)
    }

    fn begins_with(&self, characters: &[u8]) -> bool {
        self.terminator.first().is_some_and(|b| characters.contains(b))
    }

    /// Nothing divides the fields: each has the width of its column, but where one of them is as wide as a LONGTEXT.
    fn is_fixed(&self, types: &[FieldType]) -> bool {
        self.terminator.is_empty() && self.quote.is_none() && types.iter().all(|ty| ty.length < WIDE)
    }

    /// Writes one row; `damaged` is told of each column whose value the file's character set lacks.
    pub(super) fn write_row(
        &self,
        types: &[FieldType],
        rows: &Batch,
        row: usize,
        out: &mut Vec<u8>,
        damaged: &mut dyn FnMut(usize),
    ) {
        let (unsafe_separator, fixed) = (self.is_unsafe(types), self.is_fixed(types));
        out.extend_from_slice(self.line_start);
        let mut text = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            if i > 0 {
                out.extend_from_slice(self.terminator);
            }
            let value = rows.columns[i].get(row);
            if matches!(value, ValueRef::Null) {
                match self.escape {
                    _ if fixed => out.resize(out.len() + ty.length as usize, b' '),
                    Some(e) => out.extend_from_slice(&[e, b'N']),
                    None => out.extend_from_slice(b"NULL"),
                }
                continue;
            }
            text.clear();
            value_text(value, ty, &mut text);
            if self.converted(&mut text, ty) > 0 {
                damaged(i);
            }
            if fixed {
                text.truncate(ty.length as usize);
            }
            let is_text = is_text(ty);
            let enclosed = if self.optionally && !is_text { &b""[..] } else { self.enclosed };
            out.extend_from_slice(enclosed);
            // bytes of BIT stand as they are otherwise
            let bytes = ty.kind == Kind::Bit;
            match self.escape.filter(|_| !bytes || self.escapes_bytes(types)) {
                Some(e) if is_text || bytes || !enclosed.is_empty() => {
                    let separator = enclosed.is_empty() && !unsafe_separator;
                    self.escaped(&text, e, ty, separator, out);
                }
                _ => out.extend_from_slice(&text),
            }
            out.extend_from_slice(enclosed);
            if fixed {
                out.resize(out.len() + (ty.length as usize).saturating_sub(text.len()), b' ');
            }
        }
        out.extend_from_slice(self.line_end);
    }

    /// Converts a value's text to the file's character set; how many characters that lacks.
    fn converted(&self, text: &mut Vec<u8>, ty: &FieldType) -> usize {
        let Some(to) = self.charset else {
            return 0;
        };
        let from = if ty.is_string() || ty.kind == Kind::Bit {
            ty.collation.charset
        } else {
            charset::system().charset
        };
        let mut all = Vec::with_capacity(text.len());
        let lost = from.convert(text, to, &mut all);
        *text = all;
        lost
    }

    /// A field, its special characters behind the escape character; `separator`: the one between fields is special, too.
    fn escaped(&self, text: &[u8], escape: u8, ty: &FieldType, separator: bool, out: &mut Vec<u8>) {
        let charset = self.charset.unwrap_or(ty.collation.charset);
        let several = (self.charset.is_some() || ty.is_string()) && charset.mbmaxlen > 1;
        let separator = self.terminator.first().filter(|_| separator);
        let (quote, end) = (self.quote, self.line_end.first().copied());
        let special = |b: u8| b == escape || quote == Some(b) || end == Some(b) || separator == Some(&b);
        let whole = !several || charset.is_ascii_compatible();
        let mut at = 0;
        while let Some(&b) = text.get(at) {
            if whole {
                // nearly all: characters of one byte that mean nothing
                let run = text[at..].iter().take_while(|b| matches!(**b, 1..0x80) && !special(**b)).count();
                out.extend_from_slice(&text[at..at + run]);
                at += run;
                if run > 0 {
                    continue;
                }
            }
            let len = if several { charset.first_char(&text[at..]).max(1) } else { 1 };
            if len > 1 {
                out.extend_from_slice(&text[at..at + len]);
            } else if b == 0 {
                out.extend_from_slice(&[escape, b'0']);
            } else if self.quote == Some(b) && ESCAPES.contains(&b) {
                out.extend_from_slice(&[b, b]);
            } else {
                if special(b) {
                    out.push(escape);
                }
                out.push(b);
            }
            at += len;
        }
    }
}
