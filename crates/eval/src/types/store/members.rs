//! Members of ENUM and SET, and addresses (UUID, INET4, INET6), into columns.

use super::{Column, Storing, Trouble};
use crate::error::{ER_TRUNCATED_WRONG_VALUE, SqlResult};
use crate::types::field::{FieldType, Kind};
use crate::types::number::{self, Rest};
use crate::types::value::ValueRef;
use crate::types::{convert, load};
use charset::Charset;

impl Column {
    pub(super) fn enumeration(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<()> {
        let Some(values) = &self.ty.values else { return Ok(()) };
        let count = values.len() as u64;
        let number = |x: i128| u64::try_from(x).ok().filter(|x| *x >= 1 && *x <= count);
        let found = match v {
            ValueRef::Int(x) => number(i128::from(x)),
            ValueRef::UInt(x) if !matches!(from.kind, Kind::Enum | Kind::Set) => number(i128::from(x)),
            ValueRef::Double(x) => number(x as i128),
            ValueRef::Decimal(d) => number(d.trunc_i128()),
            ValueRef::UInt(0) if from.kind == Kind::Enum => {
                // The error value of another ENUM stays what it is.
                self.put_uint(0, out);
                return Ok(());
            }
            _ => {
                let mut buffer = Vec::new();
                let text = self.text(v, from, &mut buffer, ctx)?;
                match self.ty.member(text) {
                    Some(i) => Some(i as u64 + 1),
                    None => {
                        let read = number_in(text, from.collation.charset);
                        read.filter(|(_, negative, _)| !negative).and_then(|(x, ..)| number(i128::from(x)))
                    }
                }
            }
        };
        if found.is_none() {
            self.trouble(Trouble::Truncated, v, from, ctx)?;
        }
        self.put_uint(found.unwrap_or(0), out);
        Ok(())
    }

    pub(super) fn set(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<()> {
        let Some(values) = &self.ty.values else { return Ok(()) };
        let all = if values.len() >= 64 { u64::MAX } else { (1 << values.len()) - 1 };
        let (bits, good) = match v {
            ValueRef::Int(x) => (x as u64 & all, x as u64 & !all == 0),
            ValueRef::UInt(x) if !matches!(from.kind, Kind::Enum | Kind::Set) => (x & all, x & !all == 0),
            ValueRef::Double(x) => {
                // what is too large has no low bits
                let x = if x.abs() < 9.2e18 { x as i64 as u64 } else { 1 << 63 };
                (x & all, x & !all == 0)
            }
            ValueRef::Decimal(d) => {
                let x = d.trunc_i128();
                let fits = (i64::MIN.into()..=u64::MAX.into()).contains(&x);
                let x = if fits { x as u64 } else { 1 << 63 };
                (x & all, x & !all == 0)
            }
            _ => {
                let mut buffer = Vec::new();
                let text = self.text(v, from, &mut buffer, ctx)?;
                self.ty.set_bits(text, from.collation.charset, all)
            }
        };
        if !good {
            self.trouble(Trouble::Truncated, v, from, ctx)?;
        }
        self.put_uint(bits, out);
        Ok(())
    }

    /// UUID, INET4, INET6. False when NULL stands for a text that is none.
    pub(super) fn special(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<bool> {
        let width = if self.ty.kind == Kind::Inet4 { 4 } else { 16 };
        if let ValueRef::Bytes(b) = v
            && from.collation.id == 63
            && b.len() == width
            && from.kind != self.ty.kind
        {
            out.extend_from_slice(b);
            return Ok(true);
        }
        let mut text = Vec::new();
        convert::write_text(v, from, &mut text);
        if let Some(b) = load::special_stored(&text, self.ty.kind) {
            out.extend_from_slice(&b);
            return Ok(true);
        }
        let what = self.ty.address_name();
        self.trouble(Trouble::Temporal(what, ER_TRUNCATED_WRONG_VALUE), v, from, ctx)?;
        if from.is_string() && !self.not_null {
            return Ok(false);
        }
        out.resize(out.len() + width, 0);
        Ok(true)
    }
}

/// The number that stands for members, whether it has a minus sign, and whether nothing stands behind it.
///
/// As in MariaDB the bytes that a column has are read in the character set `given` of the text that was stored. Where
/// characters take two bytes or more, one that ends the digits is read with them, and there may be no digits: `3x` of
/// UCS2 is 3, `zz` that became two bytes is 0.
fn number_in(bytes: &[u8], given: &Charset) -> Option<(u64, bool, bool)> {
    if given.is_ascii_compatible() {
        let (r, negative) = number::read_integer(bytes);
        let rest = number::rest(bytes, r.used);
        return (rest != Rest::Garbage && !r.overflow).then_some((r.value, negative, rest == Rest::Clean));
    }
    if bytes.is_empty() || !bytes.len().is_multiple_of(usize::from(given.mbminlen)) {
        return None;
    }
    let mut text = Vec::new();
    given.convert(bytes, charset::system().charset, &mut text);
    let text = text.trim_ascii_start();
    let (r, negative) = number::read_integer(text);
    let behind = std::str::from_utf8(text.get(r.used..)?).ok()?;
    (behind.chars().count() <= 1 && !r.overflow).then_some((r.value, negative, true))
}

/// Members of ENUM and SET.
impl FieldType {
    /// The number of the member equal to `text`, from 0.
    pub fn member(&self, text: &[u8]) -> Option<usize> {
        let values = self.values.as_ref()?;
        let cs = self.collation.charset;
        // of bytes a space at the end counts
        let text = if self.collation.is_binary() { text } else { cs.trim_spaces(text) };
        values.iter().position(|m| self.collation.compare(m, text).is_eq())
    }

    /// The members named in a text, and whether all were known. `given` is the character set that the text had
    /// before it was converted to that of the column.
    pub fn set_bits(&self, text: &[u8], given: &Charset, all: u64) -> (u64, bool) {
        if text.is_empty() {
            return (0, true);
        }
        let mut bits = 0;
        let mut good = true;
        let mut any = false;
        let mut comma = Vec::new();
        convert::ascii_to(b",", self, &mut comma);
        let step = usize::from(self.collation.charset.mbminlen);
        let mut start = 0;
        loop {
            let mut end = start;
            while end < text.len() && !text[end..].starts_with(&comma) {
                end += step;
            }
            let end_ = end.min(text.len());
            match self.member(&text[start..end_]) {
                Some(i) => {
                    bits |= 1 << i;
                    any = true;
                }
                None => good = false,
            }
            if end >= text.len() {
                break;
            }
            start = end + comma.len();
        }
        if !good
            && !any
            && let Some((number, _, true)) = number_in(text, given)
        {
            return (number & all, number & !all == 0);
        }
        (bits, good)
    }
}
