//! Values into a result sink, as the type shows them.

use super::context::ConversionContext;
use crate::result::ResultSink;
use crate::types::convert;
use crate::types::{Class, FieldType, Kind, ValueRef};
use charset::Collation;

/// Whether text of this type goes to the client as it is.
#[must_use]
pub fn is_plain(ty: &FieldType, results: Option<&'static Collation>) -> bool {
    match results {
        None => true,
        Some(to) => {
            ty.collation.id == 63 || ty.collation.charset.name == to.charset.name || {
                let unicode = |n: &str| n.starts_with("utf8");
                // utf8mb3 is a part of utf8mb4.
                unicode(ty.collation.charset.name) && to.charset.name == "utf8mb4"
            }
        }
    }
}

/// Puts one value of type `ty` into the sink: text is converted to `character_set_results`, ENUM
/// and SET become their words, BIT its bytes, ZEROFILL is applied.
pub fn put(value: ValueRef<'_>, ty: &FieldType, sink: &mut dyn ResultSink, ctx: &mut ConversionContext) {
    match value {
        ValueRef::Null => sink.put_null(),
        ValueRef::Int(v) if !ty.zerofill => sink.put_int(v),
        ValueRef::UInt(v) if !ty.zerofill && plain_number(ty) => sink.put_uint(v),
        ValueRef::Int(v) => sink.put_zerofill(v.max(0) as u64, ty.zeros.into()),
        ValueRef::UInt(v) if plain_number(ty) => sink.put_zerofill(v, ty.zeros.into()),
        ValueRef::Double(v) if !ty.zerofill => {
            if ty.kind == Kind::Float {
                sink.put_float(v as f32, ty.decimals);
            } else {
                sink.put_double(v, ty.decimals);
            }
        }
        ValueRef::Bytes(b) => {
            if is_plain(ty, ctx.results) {
                sink.put_bytes(b);
            } else if let Some(to) = ctx.results {
                // most text needs no conversion whatever the sets are, and no copy
                let set = ty.collation.charset;
                if set.is_ascii_compatible() && to.charset.is_ascii_compatible() && b.is_ascii() {
                    return sink.put_bytes(b);
                }
                let mut out = ctx.scratch.pop().unwrap_or_default();
                out.clear();
                ty.collation.charset.convert(b, to.charset, &mut out);
                sink.put_bytes(&out);
                ctx.scratch.push(out);
            }
        }
        ValueRef::Date(d) => sink.put_date(d.year, d.month, d.day),
        ValueRef::Time(t) => {
            sink.put_time(t, convert::fraction_digits(ty));
        }
        ValueRef::DateTime(d) => {
            let dec = convert::datetime_digits(d, ty);
            sink.put_datetime(d, dec);
        }
        _ => {
            let mut out = ctx.scratch.pop().unwrap_or_default();
            out.clear();
            convert::write_text(value, ty, &mut out);
            let words = matches!(ty.kind, Kind::Enum | Kind::Set) && ty.class() == Class::UInt;
            match ctx.results {
                Some(to) if words && !is_plain(ty, ctx.results) => {
                    let mut text = ctx.scratch.pop().unwrap_or_default();
                    text.clear();
                    ty.collation.charset.convert(&out, to.charset, &mut text);
                    sink.put_bytes(&text);
                    ctx.scratch.push(text);
                }
                _ => sink.put_bytes(&out),
            }
            ctx.scratch.push(out);
        }
    }
}

fn plain_number(ty: &FieldType) -> bool {
    !matches!(ty.kind, Kind::Enum | Kind::Set | Kind::Bit)
}
