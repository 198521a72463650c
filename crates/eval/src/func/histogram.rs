//! DECODE_HISTOGRAM: the histograms of `mysql.column_stats` as texts.

use super::{Call, Definition, Resolve, pure};
use crate::error::SqlResult;
use crate::types::{Derivation, FieldType};
use std::fmt::Write as _;

pub(super) const LIST: &[Definition] = &[pure("decode_histogram", 2, 2, resolve, eval)];

fn resolve(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.plain_text(0)?;
    r.text(1)?;
    Ok(super::longest_text(charset::system(), Derivation::Coercible).with_nullable(true))
}

/// The widths of the parts between 0, the bounds of the buckets, and 1.
fn widths(bounds: impl Iterator<Item = f64>, digits: usize) -> String {
    let mut out = String::new();
    let mut before = 0.0;
    for bound in bounds.chain([1.0]) {
        let comma = if out.is_empty() { "" } else { "," };
        // writing to memory does not fail
        let _ = write!(out, "{comma}{:.digits$}", bound - before);
        before = bound;
    }
    out
}

fn eval(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(kind), Some(histogram)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    // as texts are compared: blanks at the end do not count
    let kind = kind.trim_ascii_end();
    let is = |name: &str| kind.eq_ignore_ascii_case(name.as_bytes());
    let text = if is("SINGLE_PREC_HB") {
        widths(histogram.iter().map(|b| f64::from(*b) / 255.0), 3)
    } else if is("DOUBLE_PREC_HB") {
        let (pairs, _) = histogram.as_chunks::<2>();
        widths(pairs.iter().map(|pair| f64::from(u16::from(pair[1]) << 8 | u16::from(pair[0])) / 65535.0), 5)
    } else if is("JSON_HB") {
        return c.put_bytes(histogram);
    } else {
        return c.null();
    };
    if c.exceeds(text.len()) {
        return c.too_long();
    }
    c.put_utf8(&text)
}
