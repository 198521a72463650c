//! Casts to text, bytes and address types: the type of the result is set by the binder.

use super::pure;
use super::string::{same_text, same_text_null};
use super::{Call, Definition};
use crate::error::SqlResult;
use crate::types::{Kind, convert};

pub(super) const LIST: &[Definition] = &[
    pure("convert_using", 1, 1, same_text, convert_using),
    pure("cast_as_char", 1, 1, same_text, cast_char),
    pure("cast_as_char_n", 1, 1, char_n_type, cast_char),
    pure(CHAR_OF_OTHER, 1, 1, char_n_type, cast_char),
    pure("cast_as_binary", 1, 1, same_text, |c| match c.bytes(0) {
        Some(b) => c.put_bytes(b),
        None => c.null(),
    }),
    pure("cast_as_binary_n", 1, 1, same_text, cast_binary),
    pure(BINARY_OF_OTHER, 1, 1, same_text, cast_binary),
    pure("cast_as_uuid", 1, 1, same_text_null, |c| cast_special(c, Kind::Uuid, false)),
    pure("cast_as_inet4", 1, 1, same_text_null, |c| cast_special(c, Kind::Inet4, false)),
    pure("cast_as_inet6", 1, 1, same_text_null, |c| cast_special(c, Kind::Inet6, false)),
    // what is sought among addresses: text that is none differs from all of them
    pure("sought_uuid", 1, 1, same_text_null, |c| cast_special(c, Kind::Uuid, true)),
    pure("sought_inet4", 1, 1, same_text_null, |c| cast_special(c, Kind::Inet4, true)),
    pure("sought_inet6", 1, 1, same_text_null, |c| cast_special(c, Kind::Inet6, true)),
    pure(IMAGE, 1, 1, same_text_null, address_image),
];

/// CAST ... AS CHAR(n) of a number or moment: one that is cut is an error where a changing statement is strict.
const CHAR_OF_OTHER: &str = "cast_as_char_n_of_other";

/// The same AS BINARY(n).
const BINARY_OF_OTHER: &str = "cast_as_binary_n_of_other";

/// Tells that a value was cut: no error where it is a text.
fn cut(c: &mut Call<'_, '_>, what: &str, shown: &str) {
    let warnings = &mut c.ctx.warnings;
    match &c.expr.node {
        crate::expr::Node::Call(f, _) if matches!(f.def.name, CHAR_OF_OTHER | BINARY_OF_OTHER) => {
            warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&what, &shown]);
        }
        _ => warnings.remark(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&what, &shown]),
    }
}

/// CAST ... AS CHAR(n): in strict mode its value may be NULL, as that of CAST ... AS CHAR.
fn char_n_type(r: &mut super::Resolve<'_>) -> SqlResult<crate::types::FieldType> {
    let ty = same_text(r)?;
    let nullable = ty.nullable || r.ctx.sql_mode.strict();
    Ok(ty.with_nullable(nullable))
}

fn convert_using(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let (from, to) = (c.ty(0).collation, c.collation());
    put_converted(c, b, from, to)
}

/// Puts text in another character set; bytes without one are taken as they are, bad ones become `?`.
pub(super) fn put_converted(
    c: &mut Call<'_, '_>,
    b: &[u8],
    from: &'static charset::Collation,
    to: &'static charset::Collation,
) -> SqlResult<()> {
    if to.id == 63 || from.charset.name == to.charset.name {
        return c.put_bytes(b);
    }
    if from.id != 63 {
        let mut lost = 0;
        c.out.push_bytes_with(|out| {
            lost = from.charset.convert(b, to.charset, out);
            SqlResult::Ok(true)
        })?;
        if lost > 0 {
            warn_lost(c, b, from, to);
        }
        return Ok(());
    }
    let padded = to.charset.padded(b);
    let b = padded.as_deref().unwrap_or(b);
    warn_malformed(c, b, to);
    put_repaired(c, b, to)
}

/// Warning 1300: bytes that are no text of the character set, from the first of them on.
fn warn_malformed(c: &mut Call<'_, '_>, b: &[u8], to: &charset::Collation) {
    let good = to.charset.well_formed_len(b);
    if good < b.len() {
        let shown = convert::printable_bytes(&b[good..], 64);
        c.ctx.warnings.warn(crate::error::ER_INVALID_CHARACTER_STRING, &[&to.charset.name, &shown]);
    }
}

/// Puts text; what is none of its character set becomes `?`.
fn put_repaired(c: &mut Call<'_, '_>, b: &[u8], to: &'static charset::Collation) -> SqlResult<()> {
    c.out.push_bytes_with(|out| {
        let mut rest = b;
        while !rest.is_empty() {
            let good = to.charset.well_formed_len(rest);
            out.extend_from_slice(&rest[..good]);
            rest = &rest[good..];
            if !rest.is_empty() {
                to.charset.encode(u32::from(b'?'), out);
                rest = &rest[1..];
            }
        }
        Ok(true)
    })
}

/// Warning 1977 names the first character that the target has not.
fn warn_lost(c: &mut Call<'_, '_>, b: &[u8], from: &charset::Collation, to: &charset::Collation) {
    let mut at = 0;
    let mut out = Vec::new();
    while at < b.len() {
        let n = from.charset.first_char(&b[at..]).clamp(1, b.len() - at);
        out.clear();
        if from.charset.convert(&b[at..at + n], to.charset, &mut out) > 0 {
            let shown: String = b[at..at + n].iter().map(|x| format!("{x:02X}")).collect();
            c.ctx.warnings.warn(
                crate::error::ER_CANNOT_CONVERT_CHARACTER,
                &[&from.charset.name, &shown, &to.charset.name],
            );
            return;
        }
        at += n;
    }
}

fn cast_char(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let (from, to) = (c.ty(0).collation, c.collation());
    let limit = match &c.expr.node {
        crate::expr::Node::Call(f, _) if f.def.name.starts_with("cast_as_char_n") => {
            c.expr.ty.char_length() as usize
        }
        _ => usize::MAX,
    };
    let mut lost = false;
    let text = if from.id == 63 && to.id != 63 || from.charset.name == to.charset.name {
        to.charset.padded(b).filter(|_| from.id == 63).unwrap_or_else(|| b.to_vec())
    } else {
        let mut out = Vec::new();
        lost = from.charset.convert(b, to.charset, &mut out) > 0;
        if lost {
            warn_lost(c, b, from, to);
        }
        out
    };
    if limit < usize::MAX && c.exceeds(limit) {
        c.warn_too_long();
    }
    let bytes = from.id == 63 && to.id != 63;
    let keep = to.charset.prefix(&text, limit);
    if bytes && to.charset.well_formed_len(&text) < keep {
        warn_malformed(c, &text, to);
    }
    if keep < text.len() {
        let what = format!("CHAR({limit})");
        let shown = match lost {
            true => convert::printable(&text, &c.expr.ty),
            false => convert::printable(b, c.ty(0)),
        };
        cut(c, &what, &shown);
    }
    match bytes {
        true => put_repaired(c, &text[..keep], to),
        false => c.put_bytes(&text[..keep]),
    }
}

fn cast_binary(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let limit = c.expr.ty.length as usize;
    // The length counts characters of the operand.
    let keep = c.ty(0).collation.charset.prefix(b, limit);
    let address = matches!(&c.types[0].node, crate::expr::Node::Call(f, _) if f.def.name == IMAGE);
    if keep < b.len() && address {
        return c.put_bytes(&b[..keep]);
    }
    if keep < b.len() {
        let what = format!("BINARY({limit})");
        let shown = convert::printable(b, c.ty(0));
        cut(c, &what, &shown);
        return c.put_bytes(&b[..keep]);
    }
    let limit = if c.exceeds(limit) {
        c.warn_too_long();
        c.ctx.max_allowed_packet
    } else {
        limit
    };
    c.out.push_bytes_with(|out| {
        let start = out.len();
        out.extend_from_slice(b);
        out.resize(start + limit.max(b.len()), 0);
        Ok(true)
    })
}

/// The bytes that an UUID, INET4 or INET6 is stored as: they are ordered by them.
pub const IMAGE: &str = "address_image";

fn address_image(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    match crate::types::load::special_stored(b, c.ty(0).kind) {
        Some(image) => c.put_bytes(&image),
        None if b.is_empty() => c.put_bytes(b""),
        None => c.null(),
    }
}

fn cast_special(c: &mut Call<'_, '_>, kind: Kind, sought: bool) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let text = String::from_utf8_lossy(&convert::ascii(b, c.ty(0))).into_owned();
    let binary = c.ty(0).collation.id == 63;
    let shown = match kind {
        Kind::Inet4 => match <[u8; 4]>::try_from(b) {
            Ok(a) if binary => Some(std::net::Ipv4Addr::from(a).to_string()),
            _ => text.parse::<std::net::Ipv4Addr>().ok().map(|a| a.to_string()),
        },
        Kind::Inet6 => match <[u8; 16]>::try_from(b) {
            Ok(a) if binary => Some(crate::types::load::inet6_text(a)),
            _ => text.parse::<std::net::Ipv6Addr>().ok().map(|a| crate::types::load::inet6_text(a.octets())),
        },
        _ => match <[u8; 16]>::try_from(b) {
            Ok(a) if binary => Some(crate::types::load::uuid_text(a)),
            _ => crate::types::load::parse_uuid(&text).map(crate::types::load::uuid_text),
        },
    };
    match shown {
        Some(t) => c.put_bytes(t.as_bytes()),
        None => {
            let what = match kind {
                Kind::Inet4 => "inet4",
                Kind::Inet6 => "inet6",
                _ => "uuid",
            };
            let shown = convert::printable(b, c.ty(0));
            let message = crate::error::message(crate::error::ER_WRONG_VALUE, &[&what, &shown]);
            c.ctx.warnings.push_text(
                crate::warning::Level::Warning,
                crate::error::ER_TRUNCATED_WRONG_VALUE,
                message,
            );
            if sought { c.put_bytes(b"") } else { c.null() }
        }
    }
}
