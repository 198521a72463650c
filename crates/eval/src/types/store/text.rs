//! Texts into columns.

use super::{Column, Storing, Trouble};
use crate::error::SqlResult;
use crate::types::field::{FieldType, Kind};
use crate::types::value::ValueRef;
use crate::types::{convert, load, narrow};
use charset::{Charset, Collation};
use schema::definition::ColumnType;

/// A decimal with every digit it has: a quotient has more than it shows.
fn all_digits(d: impl std::fmt::Display, to: &Collation, buffer: &mut Vec<u8>) {
    let ascii = d.to_string();
    if to.charset.is_ascii_compatible() {
        buffer.extend_from_slice(ascii.as_bytes());
    } else {
        for c in ascii.chars() {
            let _ = to.charset.encode(c.into(), buffer);
        }
    }
}

impl Column {
    /// The text of a value in the column's character set.
    pub(super) fn text<'a>(
        &self,
        v: ValueRef<'a>,
        from: &FieldType,
        buffer: &'a mut Vec<u8>,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<&'a [u8]> {
        let (text, bad) = self.made(v, from, buffer, ctx)?;
        if let Some(bad) = bad {
            self.trouble(Trouble::BadText(bad.rest), v, from, ctx)?;
        }
        Ok(text)
    }

    /// The same, with what of it is no text, which is not told of.
    fn made<'a>(
        &self,
        v: ValueRef<'a>,
        from: &FieldType,
        buffer: &'a mut Vec<u8>,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<(&'a [u8], Option<Bad<'a>>)> {
        let to = self.ty.collation;
        if let ValueRef::Bytes(b) = v {
            if to.id == 63
                && from.is_address()
                && let Some(image) = load::special_bytes(b, from.kind)
            {
                // from column to column it is not written out
                buffer.extend_from_slice(&image);
                return Ok((buffer, None));
            }
            if to.id == 63 || from.kind == Kind::Bit {
                return Ok((b, None));
            }
            if from.is_address() && to.charset.mbminlen > 1 {
                convert::ascii_to(b, &self.ty, buffer);
                return Ok((buffer, None));
            }
            let same = from.collation.id == 63 || from.collation.charset.name == to.charset.name;
            if same {
                if to.charset.mbminlen > 1
                    && from.collation.id == 63
                    && let Some(padded) = to.charset.padded(b)
                    && to.charset.well_formed_len(&padded) == padded.len()
                {
                    *buffer = padded;
                    return Ok((buffer, None));
                }
                let good = to.charset.well_formed_len(b);
                if good == b.len() {
                    return Ok((b, None));
                }
                self.replace_bad(b, buffer);
                return Ok((buffer, Some(Bad::of(b, good, to.charset))));
            }
            if b.is_ascii()
                && to.charset.is_ascii_compatible()
                && from.collation.charset.is_ascii_compatible()
            {
                return Ok((b, None));
            }
            let bad = from.collation.charset.convert(b, to.charset, buffer) > 0;
            let at = || first_unconvertible(b, from.collation, to);
            return Ok((buffer, bad.then(|| Bad::of(b, at(), from.collation.charset))));
        }
        if let ValueRef::UInt(x) = v
            && !self.ty.is_blob()
            && matches!(from.kind, Kind::Bit | Kind::Year)
        {
            // BIT and YEAR are numbers but in BLOB
            let x = if from.kind == Kind::Year && from.length == 2 { x % 100 } else { x };
            convert::ascii_to(x.to_string().as_bytes(), &self.ty, buffer);
            return Ok((buffer, None));
        }
        if from.zerofill && !self.ty.is_blob() && matches!(v, ValueRef::Int(_) | ValueRef::UInt(_)) {
            // zeros are shown, and stored in BLOB only
            convert::write_text_in(v, &FieldType { zerofill: false, ..from.clone() }, &self.ty, buffer);
            return Ok((buffer, None));
        }
        if let ValueRef::Double(x) = v
            && !self.ty.is_blob()
        {
            let made = narrow::narrow(x, self.ty.char_length() as usize);
            if made.cut {
                self.trouble(Trouble::TooLong, v, from, ctx)?;
            }
            convert::ascii_to(&made.text, &self.ty, buffer);
            return Ok((buffer, None));
        }
        if let ValueRef::Decimal(d) = v
            && !(from.zerofill && self.ty.is_blob())
        {
            all_digits(d, to, buffer);
            return Ok((buffer, None));
        }
        convert::write_text_in(v, from, &self.ty, buffer);
        // bits are bytes in TEXT, and no text of its character set where they happen to be none
        let buffer = &*buffer;
        let good = if from.kind == Kind::Bit { to.charset.well_formed_len(buffer) } else { buffer.len() };
        Ok((buffer, (good < buffer.len()).then(|| Bad::of(buffer, good, to.charset))))
    }

    /// Bytes that are no characters become `?`.
    pub(super) fn replace_bad(&self, b: &[u8], out: &mut Vec<u8>) {
        let cs = self.ty.collation.charset;
        let mut rest = b;
        while !rest.is_empty() {
            let good = cs.well_formed_len(rest);
            out.extend_from_slice(&rest[..good]);
            rest = &rest[good..];
            if !rest.is_empty() {
                cs.encode(u32::from(b'?'), out);
                rest = &rest[1..];
            }
        }
    }

    /// Whether what is no text would be stored: what lies behind the column's last character is not looked at.
    fn meets(&self, bad: &Bad<'_>) -> bool {
        match &self.stored {
            ColumnType::Char { bytes } | ColumnType::Varchar { bytes } | ColumnType::OldVarchar { bytes } => {
                bad.chars < *bytes as usize / usize::from(self.ty.collation.charset.mbmaxlen.max(1))
            }
            ColumnType::Blob { length_bytes } => bad.at < blob_limit(*length_bytes),
            _ => true,
        }
    }

    pub(super) fn string(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<()> {
        let mut buffer = ctx.scratch.pop().unwrap_or_default();
        buffer.clear();
        let result = self.made(v, from, &mut buffer, ctx).and_then(|(t, bad)| {
            let bad = bad.filter(|bad| self.meets(bad));
            let told = bad.is_some();
            if let Some(bad) = bad {
                self.trouble(Trouble::BadText(bad.rest), v, from, ctx)?;
            }
            let start = out.len();
            out.extend_from_slice(t);
            Ok((start, told))
        });
        ctx.scratch.push(buffer);
        let (start, told) = result?;
        let cs = self.ty.collation.charset;
        let text = &out[start..];
        let (limit, fixed) = match &self.stored {
            ColumnType::Char { bytes } => (*bytes as usize, true),
            ColumnType::Varchar { bytes } | ColumnType::OldVarchar { bytes } => (*bytes as usize, false),
            ColumnType::Blob { length_bytes } => {
                let limit = blob_limit(*length_bytes);
                if text.len() > limit {
                    let keep =
                        if self.ty.collation.id == 63 { limit } else { cs.well_formed_len(&text[..limit]) };
                    if !told {
                        self.trouble(Trouble::TooLong, v, from, ctx)?;
                    }
                    out.truncate(start + keep);
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        let chars = limit / usize::from(cs.mbmaxlen.max(1));
        if text.len() > chars {
            let keep = cs.prefix(text, chars);
            if keep < text.len() {
                let spaces = self.ty.collation.id != 63 && cs.trim_spaces(&text[keep..]).is_empty();
                if told {
                    // of what is no text already
                } else if !spaces {
                    self.trouble(Trouble::TooLong, v, from, ctx)?;
                } else if !fixed {
                    self.trouble(Trouble::Note, v, from, ctx)?;
                }
                out.truncate(start + keep);
            }
        }
        if fixed && self.ty.collation.id == 63 {
            out.resize(start + limit, 0);
        }
        Ok(())
    }
}

/// The longest value of a BLOB.
fn blob_limit(length_bytes: u8) -> usize {
    match length_bytes {
        1 => 0xff,
        2 => 0xffff,
        3 => 0xff_ffff,
        _ => u32::MAX as usize,
    }
}

/// What of a text is none, or has no place in a character set.
struct Bad<'a> {
    /// It, and what follows.
    rest: &'a [u8],
    /// Where it begins.
    at: usize,
    /// How many characters stand before it.
    chars: usize,
}

impl<'a> Bad<'a> {
    fn of(text: &'a [u8], at: usize, charset: &Charset) -> Bad<'a> {
        Bad { rest: &text[at..], at, chars: charset.char_len(&text[..at]) }
    }
}

/// Where the first character stands that `to` does not have.
fn first_unconvertible(b: &[u8], from: &Collation, to: &Collation) -> usize {
    let mut at = 0;
    let mut sink = Vec::new();
    while at < b.len() {
        match from.charset.decode(&b[at..]) {
            Some((c, n)) => {
                sink.clear();
                if !to.charset.encode(c, &mut sink) {
                    return at;
                }
                at += n.max(1);
            }
            None => return at,
        }
    }
    0
}
