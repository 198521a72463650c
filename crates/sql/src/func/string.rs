//! String functions.

use super::{Call, Definition, Purity, Resolve};
use crate::error::SqlResult;
use crate::types::{Class, Derivation, FieldType, Kind, ValueRef, convert, number};
use charset::Charset;
use charset::derivation::Purpose;

const fn def(
    name: &'static str,
    min: u8,
    max: u8,
    resolve: fn(&mut Resolve<'_>) -> SqlResult<FieldType>,
    eval: fn(&mut Call<'_, '_>) -> SqlResult<()>,
) -> Definition {
    Definition { name, min, max, purity: Purity::Immutable, resolve, eval }
}

pub(super) const LIST: &[Definition] = &[
    def("concat", 1, 255, concat_type, concat),
    def("concat_ws", 2, 255, concat_ws_type, concat_ws),
    def("length", 1, 1, length_type, |c| {
        let v = c.bytes(0).map(|b| b.len() as i64);
        c.put_opt_int(v)
    }),
    def("bit_length", 1, 1, length_type, |c| {
        let v = c.bytes(0).map(|b| b.len() as i64 * 8);
        c.put_opt_int(v)
    }),
    def("char_length", 1, 1, length_type, |c| {
        let cs = c.ty(0).collation.charset;
        let v = c.bytes(0).map(|b| cs.char_len(b) as i64);
        c.put_opt_int(v)
    }),
    def("lower", 1, 1, same_text, |c| letter_case(c, false)),
    def("upper", 1, 1, same_text, |c| letter_case(c, true)),
    def("substring", 2, 3, substring_type, substring),
    def("left", 2, 2, left_type, |c| ends(c, true)),
    def("right", 2, 2, left_type, |c| ends(c, false)),
    def("trim", 1, 2, trim_type, |c| trim(c, true, true)),
    def("ltrim", 1, 2, trim_type, |c| trim(c, true, false)),
    def("rtrim", 1, 2, trim_type, |c| trim(c, false, true)),
    def("lpad", 2, 3, pad_type, |c| pad(c, true)),
    def("rpad", 2, 3, pad_type, |c| pad(c, false)),
    def("repeat", 2, 2, repeat_type, repeat),
    def("space", 1, 1, space_type, space),
    def("replace", 3, 3, replace_type, replace),
    def("reverse", 1, 1, same_text, reverse),
    def("insert", 4, 4, insert_type, insert),
    def("instr", 2, 2, instr_type, |c| locate(c, 0, 1)),
    def("locate", 2, 3, locate_type, |c| locate(c, 1, 0)),
    def("elt", 2, 255, elt_type, elt),
    def("find_in_set", 2, 2, find_in_set_type, find_in_set),
    def("make_set", 2, 255, make_set_type, make_set),
    def("export_set", 3, 5, export_set_type, export_set),
    def("hex", 1, 1, hex_type, hex),
    def("unhex", 1, 1, unhex_type, unhex),
    def("bin", 1, 1, bin_type, |c| base_text(c, 2)),
    def("oct", 1, 1, bin_type, |c| base_text(c, 8)),
    def("conv", 3, 3, conv_type, conv),
    def("ascii", 1, 1, small_int, |c| {
        let v = c.bytes(0).map(|b| i64::from(b.first().copied().unwrap_or(0)));
        c.put_opt_int(v)
    }),
    def("ord", 1, 1, ord_type, ord),
    def("char", 1, 255, char_type, char_),
    def("chr", 1, 1, chr_type, char_),
    def("quote", 1, 1, quote_type, quote),
    def("soundex", 1, 1, soundex_type, soundex),
    def("format", 2, 3, format_type, format),
    def("substring_index", 3, 3, substring_index_type, substring_index),
    def(
        "md5",
        1,
        1,
        |r| digest_type(r, 32),
        |c| {
            use md5::Digest;
            digest(c, |b| md5::Md5::digest(b).to_vec())
        },
    ),
    def(
        "sha1",
        1,
        1,
        |r| digest_type(r, 40),
        |c| {
            use sha1::Digest;
            digest(c, |b| sha1::Sha1::digest(b).to_vec())
        },
    ),
    def("sha2", 2, 2, sha2_type, sha2),
    def("password", 1, 1, |r| digest_type(r, 41), password),
    def("to_base64", 1, 1, to_base64_type, to_base64),
    def("from_base64", 1, 1, from_base64_type, from_base64),
    def("regexp", 2, 2, regexp_type, super::regexp::matches),
    def("regexp_instr", 2, 2, regexp_type, super::regexp::instr),
    def(
        "regexp_substr",
        2,
        2,
        |r| {
            let d = r.texts(0..2, Purpose::Comparison)?;
            let n = r.args[0].ty.char_length();
            Ok(r.text_of(u64::from(n), d))
        },
        super::regexp::substr,
    ),
    def(
        "regexp_replace",
        3,
        3,
        |r| {
            let d = r.texts(0..3, Purpose::Comparison)?;
            Ok(r.text_of(u64::from(u32::MAX / 4), d))
        },
        super::regexp::replace,
    ),
    def("weight_string", 1, 1, weight_type, weight_string),
    def(
        "load_file",
        1,
        1,
        |r| {
            r.text(0)?;
            Ok(FieldType::string(u64::from(u32::MAX), charset::binary(), Derivation::Implicit))
        },
        |c| c.null(),
    ),
    def("convert_using", 1, 1, same_text, convert_using),
    def("cast_as_char", 1, 1, same_text, cast_char),
    def("cast_as_char_n", 1, 1, same_text_null, cast_char),
    def("cast_as_binary", 1, 1, same_text, |c| match c.bytes(0) {
        Some(b) => c.put_bytes(b),
        None => c.null(),
    }),
    def("cast_as_binary_n", 1, 1, same_text, cast_binary),
    def("cast_as_uuid", 1, 1, same_text_null, |c| cast_special(c, Kind::Uuid)),
    def("cast_as_inet4", 1, 1, same_text_null, |c| cast_special(c, Kind::Inet4)),
    def("cast_as_inet6", 1, 1, same_text_null, |c| cast_special(c, Kind::Inet6)),
];

fn same_text(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let d = r.derived(0);
    let chars = u64::from(r.args[0].ty.char_length());
    let mut d = d;
    fix_numeric(r, &mut d);
    Ok(r.text_of(chars, d))
}

fn same_text_null(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(same_text(r)?.with_nullable(true))
}

/// Text made of numbers has the connection's collation and may give way.
fn fix_numeric(r: &Resolve<'_>, d: &mut charset::derivation::Derived) {
    if matches!(d.derivation, Derivation::Numeric | Derivation::Ignorable) {
        d.derivation = Derivation::Coercible;
        d.collation = r.ctx.collation;
    }
}

fn concat_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let n = r.len();
    let d = r.texts(0..n, Purpose::Value)?;
    let chars = r.args.iter().map(|a| u64::from(a.ty.char_length())).sum();
    Ok(r.text_of(chars, d))
}

fn concat(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let mut total = 0;
    for i in 0..c.len() {
        match c.bytes(i) {
            Some(b) => total += b.len(),
            None => return c.null(),
        }
    }
    if total > c.ctx.max_allowed_packet {
        return c.too_long();
    }
    let (args, row) = (c.args, c.row);
    c.out.push_bytes_with(|out| {
        for a in args {
            if let ValueRef::Bytes(b) = a.get(row) {
                out.extend_from_slice(b);
            }
        }
        Ok(true)
    })
}

fn concat_ws_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let n = r.len();
    let d = r.texts(0..n, Purpose::Value)?;
    let sum: u64 = r.args[1..].iter().map(|a| u64::from(a.ty.char_length())).sum();
    let chars = sum + u64::from(r.args[0].ty.char_length()) * (n as u64 - 2);
    let nullable = r.args[0].ty.nullable;
    Ok(r.text_of(chars, d).with_nullable(nullable))
}

fn concat_ws(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(separator) = c.bytes(0) else { return c.null() };
    let (args, row) = (c.args, c.row);
    let limit = c.ctx.max_allowed_packet;
    let mut total = 0;
    let mut parts = 0usize;
    for a in &args[1..] {
        if let ValueRef::Bytes(b) = a.get(row) {
            total += b.len();
            parts += 1;
        }
    }
    if total + parts.saturating_sub(1) * separator.len() > limit {
        return c.too_long();
    }
    c.out.push_bytes_with(|out| {
        let mut first = true;
        for a in &args[1..] {
            if let ValueRef::Bytes(b) = a.get(row) {
                if !first {
                    out.extend_from_slice(separator);
                }
                first = false;
                out.extend_from_slice(b);
            }
        }
        Ok(true)
    })
}

fn length_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    Ok(r.int_of(10))
}

fn small_int(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    Ok(r.int_of(3))
}

fn ord_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    Ok(r.int_of(21))
}

fn letter_case(c: &mut Call<'_, '_>, upper: bool) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let collation = c.collation();
    c.out.push_bytes_with(|out| {
        if collation.id == 63 {
            out.extend_from_slice(b);
        } else if upper {
            collation.upper(b, out);
        } else {
            collation.lower(b, out);
        }
        Ok(true)
    })
}

/// The character set of argument `i`.
fn cs(c: &Call<'_, '_>, i: usize) -> &'static Charset {
    c.ty(i).collation.charset
}

fn substring_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.int(1)?;
    r.int(2)?;
    let mut d = r.derived(0);
    fix_numeric(r, &mut d);
    let mut chars = u64::from(r.args[0].ty.char_length());
    let literal = |i: usize| match r.args.get(i).and_then(|a| a.as_literal()) {
        Some(crate::types::Value::Int(v)) => Some(*v),
        _ => None,
    };
    match literal(1) {
        Some(0) => chars = 0,
        Some(p) if p > 0 => chars = chars.saturating_sub(p as u64 - 1),
        Some(p) => chars = chars.min(p.unsigned_abs()),
        None => {}
    }
    if let Some(n) = literal(2) {
        chars = chars.min(n.max(0) as u64);
    }
    Ok(r.text_of(chars, d))
}

fn substring(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(b), Some(start)) = (c.bytes(0), c.int(1)) else { return c.null() };
    let n = if c.len() == 3 {
        match c.int(2) {
            Some(n) => n,
            None => return c.null(),
        }
    } else {
        i64::MAX
    };
    if n <= 0 || start == 0 {
        return c.put_bytes(b"");
    }
    let cs = cs(c, 0);
    let skip = if start > 0 {
        (start - 1) as u64
    } else {
        let total = cs.char_len(b) as u64;
        match total.checked_sub(start.unsigned_abs()) {
            Some(s) => s,
            None => return c.put_bytes(b""),
        }
    };
    let from = cs.prefix(b, usize::try_from(skip).unwrap_or(usize::MAX));
    let rest = &b[from..];
    let end = cs.prefix(rest, usize::try_from(n).unwrap_or(usize::MAX));
    c.put_bytes(&rest[..end])
}

fn left_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.int(1)?;
    let mut d = r.derived(0);
    fix_numeric(r, &mut d);
    let mut chars = u64::from(r.args[0].ty.char_length());
    if let Some(crate::types::Value::Int(n)) = r.args[1].as_literal() {
        chars = chars.min((*n).max(0) as u64);
    }
    Ok(r.text_of(chars, d))
}

fn ends(c: &mut Call<'_, '_>, left: bool) -> SqlResult<()> {
    let (Some(b), Some(n)) = (c.bytes(0), c.int(1)) else { return c.null() };
    if n <= 0 {
        return c.put_bytes(b"");
    }
    let n = usize::try_from(n).unwrap_or(usize::MAX);
    let cs = cs(c, 0);
    if left {
        return c.put_bytes(&b[..cs.prefix(b, n)]);
    }
    let total = cs.char_len(b);
    let from = cs.prefix(b, total.saturating_sub(n));
    c.put_bytes(&b[from..])
}

fn trim_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let n = r.len();
    let mut d = r.texts(0..n, Purpose::Comparison)?;
    fix_numeric(r, &mut d);
    let chars = u64::from(r.args[0].ty.char_length());
    Ok(r.text_of(chars, d))
}

fn trim(c: &mut Call<'_, '_>, leading: bool, trailing: bool) -> SqlResult<()> {
    let Some(mut b) = c.bytes(0) else { return c.null() };
    let cs = c.collation().charset;
    let remove: &[u8] = if c.len() == 2 {
        match c.bytes(1) {
            Some(r) => r,
            None => return c.null(),
        }
    } else {
        cs.space()
    };
    if remove.is_empty() || remove.len() > b.len() {
        return c.put_bytes(b);
    }
    if leading {
        while b.starts_with(remove) {
            b = &b[remove.len()..];
        }
    }
    if trailing {
        if cs.mbmaxlen == 1 || cs.name.starts_with("utf8") {
            while b.ends_with(remove) {
                b = &b[..b.len() - remove.len()];
            }
        } else {
            // The end must lie at a character boundary.
            while b.ends_with(remove) {
                let cut = b.len() - remove.len();
                let mut at = 0;
                while at < cut {
                    at += cs.first_char(&b[at..]).max(1);
                }
                if at != cut {
                    break;
                }
                b = &b[..cut];
            }
        }
    }
    c.put_bytes(b)
}

fn pad_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.int(1)?;
    let mut d = r.derived(0);
    if r.len() == 3 {
        r.text(2)?;
        // The string and the padding share a collation; the length between them does not count.
        let mut both = vec![r.args[0].clone(), r.args[2].clone()];
        let name = r.name.to_string();
        d = crate::bind::common_collation(&mut both, Purpose::Value, &name, r.ctx)?;
        if let (Some(b), Some(a)) = (both.pop(), both.pop()) {
            r.args[0] = a;
            r.args[2] = b;
        }
    }
    fix_numeric(r, &mut d);
    let chars = match r.args[1].as_literal() {
        Some(crate::types::Value::Int(n)) => (*n).max(0) as u64,
        _ => u64::from(u32::MAX / 4),
    };
    Ok(r.text_of(chars, d).with_nullable(true))
}

fn pad(c: &mut Call<'_, '_>, left: bool) -> SqlResult<()> {
    let (Some(b), Some(n)) = (c.bytes(0), c.int(1)) else { return c.null() };
    let cs = c.collation().charset;
    let fill: &[u8] = if c.len() == 3 {
        match c.bytes(2) {
            Some(f) => f,
            None => return c.null(),
        }
    } else {
        cs.space()
    };
    if n < 0 {
        return c.null();
    }
    let n = usize::try_from(n).unwrap_or(usize::MAX);
    let have = cs.char_len(b);
    if n <= have {
        return c.put_bytes(&b[..cs.prefix(b, n)]);
    }
    if fill.is_empty() {
        return c.null();
    }
    let missing = n - have;
    if missing.saturating_mul(usize::from(cs.mbmaxlen)).saturating_add(b.len()) > c.ctx.max_allowed_packet
        && missing.saturating_add(b.len()) > c.ctx.max_allowed_packet
    {
        return c.too_long();
    }
    let fill_chars = cs.char_len(fill).max(1);
    c.out.push_bytes_with(|out| {
        if !left {
            out.extend_from_slice(b);
        }
        for _ in 0..missing / fill_chars {
            out.extend_from_slice(fill);
        }
        out.extend_from_slice(&fill[..cs.prefix(fill, missing % fill_chars)]);
        if left {
            out.extend_from_slice(b);
        }
        Ok(true)
    })
}

fn repeat_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.int(1)?;
    let mut d = r.derived(0);
    fix_numeric(r, &mut d);
    let chars = match r.args[1].as_literal() {
        Some(crate::types::Value::Int(n)) => {
            u64::from(r.args[0].ty.char_length()).saturating_mul((*n).max(0) as u64)
        }
        _ => u64::from(u32::MAX / 4),
    };
    Ok(r.text_of(chars, d).with_nullable(true))
}

fn repeat(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(b), Some(n)) = (c.bytes(0), c.int(1)) else { return c.null() };
    if n <= 0 || b.is_empty() {
        return c.put_bytes(b"");
    }
    let n = usize::try_from(n).unwrap_or(usize::MAX);
    if b.len().saturating_mul(n) > c.ctx.max_allowed_packet {
        return c.too_long();
    }
    c.out.push_bytes_with(|out| {
        for _ in 0..n {
            out.extend_from_slice(b);
        }
        Ok(true)
    })
}

fn space_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    let chars = match r.args[0].as_literal() {
        Some(crate::types::Value::Int(n)) => (*n).max(0) as u64,
        _ => u64::from(u32::MAX / 4),
    };
    Ok(r.ascii_text(chars).with_nullable(true))
}

fn space(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(n) = c.int(0) else { return c.null() };
    let n = usize::try_from(n.max(0)).unwrap_or(usize::MAX);
    let blank = c.collation().charset.space();
    if n.saturating_mul(blank.len()) > c.ctx.max_allowed_packet {
        return c.too_long();
    }
    c.out.push_bytes_with(|out| {
        for _ in 0..n {
            out.extend_from_slice(blank);
        }
        Ok(true)
    })
}

fn replace_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let mut d = r.texts(0..3, Purpose::Comparison)?;
    fix_numeric(r, &mut d);
    let chars = u64::from(r.args[0].ty.char_length());
    let to = u64::from(r.args[2].ty.char_length());
    let from = u64::from(r.args[1].ty.char_length()).max(1);
    let chars = if to > from { chars.saturating_mul(to) / from } else { chars };
    Ok(r.text_of(chars, d))
}

fn replace(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(b), Some(from), Some(to)) = (c.bytes(0), c.bytes(1), c.bytes(2)) else { return c.null() };
    if from.is_empty() {
        return c.put_bytes(b);
    }
    let cs = c.collation().charset;
    let single = cs.mbmaxlen == 1 || cs.name.starts_with("utf8");
    c.out.push_bytes_with(|out| {
        let mut at = 0;
        while at < b.len() {
            if b[at..].starts_with(from) {
                out.extend_from_slice(to);
                at += from.len();
                continue;
            }
            let n = if single { 1 } else { cs.first_char(&b[at..]).max(1) };
            out.extend_from_slice(&b[at..(at + n).min(b.len())]);
            at += n;
        }
        Ok(true)
    })
}

fn reverse(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let cs = cs(c, 0);
    c.out.push_bytes_with(|out| {
        let start = out.len();
        if cs.mbmaxlen == 1 {
            out.extend(b.iter().rev());
            return Ok(true);
        }
        out.resize(start + b.len(), 0);
        let mut at = 0;
        let mut end = out.len();
        while at < b.len() {
            let n = cs.first_char(&b[at..]).max(1).min(b.len() - at);
            end -= n;
            out[end..end + n].copy_from_slice(&b[at..at + n]);
            at += n;
        }
        Ok(true)
    })
}

fn insert_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(1)?;
    r.int(2)?;
    let mut both = vec![r.args[0].clone(), r.args[3].clone()];
    for e in &mut both {
        let t = crate::bind::text_type(&e.ty, r.ctx.collation);
        crate::bind::coerce(e, t, r.ctx)?;
    }
    let mut d = crate::bind::common_collation(&mut both, Purpose::Value, "insert", r.ctx)?;
    if let (Some(b), Some(a)) = (both.pop(), both.pop()) {
        r.args[0] = a;
        r.args[3] = b;
    }
    fix_numeric(r, &mut d);
    let chars = u64::from(r.args[0].ty.char_length()) + u64::from(r.args[3].ty.char_length());
    Ok(r.text_of(chars, d))
}

fn insert(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(b), Some(pos), Some(n), Some(new)) = (c.bytes(0), c.int(1), c.int(2), c.bytes(3)) else {
        return c.null();
    };
    let cs = c.collation().charset;
    let total = cs.char_len(b) as i64;
    if pos < 1 || pos > total {
        return c.put_bytes(b);
    }
    let start = cs.prefix(b, (pos - 1) as usize);
    let n = if n < 0 || n > total - (pos - 1) { total - (pos - 1) } else { n };
    let end = start + cs.prefix(&b[start..], n as usize);
    c.out.push_bytes_with(|out| {
        out.extend_from_slice(&b[..start]);
        out.extend_from_slice(new);
        out.extend_from_slice(&b[end..]);
        Ok(true)
    })
}

fn instr_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let d = r.texts(0..2, Purpose::Comparison)?;
    for a in r.args.iter_mut() {
        a.ty.collation = d.collation;
    }
    Ok(r.int_of(21).with_nullable(r.nullable()))
}

fn locate_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(2)?;
    let d = r.texts(0..2, Purpose::Comparison)?;
    for a in r.args[..2].iter_mut() {
        a.ty.collation = d.collation;
    }
    let nullable = r.nullable();
    Ok(FieldType::int(21).with_nullable(nullable))
}

fn locate(c: &mut Call<'_, '_>, hay: usize, needle: usize) -> SqlResult<()> {
    let (Some(h), Some(n)) = (c.bytes(hay), c.bytes(needle)) else { return c.null() };
    let cs = cs(c, hay);
    let mut from = 0;
    let mut start = 0i64;
    if c.len() == 3 {
        let Some(p) = c.int(2) else { return c.null() };
        if p <= 0 || p - 1 > cs.char_len(h) as i64 {
            return c.put_int(0);
        }
        start = p - 1;
        from = cs.prefix(h, start as usize);
    }
    if n.is_empty() {
        return c.put_int(start + 1);
    }
    match c.ty(hay).collation.find(h, n, from) {
        Some(at) => {
            let v = cs.char_len(&h[..at]) as i64 + 1;
            c.put_int(v)
        }
        None => c.put_int(0),
    }
}

fn elt_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    let n = r.len();
    let d = r.texts(1..n, Purpose::Value)?;
    let chars = r.args[1..].iter().map(|a| u64::from(a.ty.char_length())).max().unwrap_or(0);
    Ok(r.text_of(chars, d).with_nullable(true))
}

fn elt(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let n = c.int(0).unwrap_or(0);
    if n < 1 || n >= c.len() as i64 {
        return c.null();
    }
    match c.bytes(n as usize) {
        Some(b) => c.put_bytes(b),
        None => c.null(),
    }
}

fn find_in_set_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let d = r.texts(0..2, Purpose::Comparison)?;
    for a in r.args.iter_mut() {
        a.ty.collation = d.collation;
    }
    Ok(r.int_of(3))
}

fn find_in_set(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(wanted), Some(list)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    if list.is_empty() {
        return c.put_int(0);
    }
    let collation = c.ty(1).collation;
    let mut comma = Vec::new();
    convert::ascii_to(b",", c.ty(1), &mut comma);
    if wanted.windows(comma.len()).any(|w| w == comma) {
        return c.put_int(0);
    }
    let step = usize::from(collation.charset.mbminlen);
    let (mut start, mut at, mut n) = (0, 0, 1);
    loop {
        let end = at >= list.len();
        if end || list[at..].starts_with(&comma) {
            if collation.compare(&list[start..at.min(list.len())], wanted).is_eq() {
                return c.put_int(n);
            }
            if end {
                return c.put_int(0);
            }
            n += 1;
            at += comma.len();
            start = at;
        } else {
            at += step;
        }
    }
}

fn make_set_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    let n = r.len();
    let d = r.texts(1..n, Purpose::Value)?;
    let chars: u64 = r.args[1..].iter().map(|a| u64::from(a.ty.char_length())).sum();
    let nullable = r.args[0].ty.nullable;
    Ok(r.text_of(chars + n as u64 - 2, d).with_nullable(nullable))
}

fn make_set(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(bits) = c.int(0) else { return c.null() };
    let (args, row) = (c.args, c.row);
    let ty = &c.expr.ty;
    c.out.push_bytes_with(|out| {
        let mut first = true;
        for (i, a) in args[1..].iter().enumerate().take(64) {
            if bits >> i & 1 == 0 {
                continue;
            }
            if let ValueRef::Bytes(b) = a.get(row) {
                if !first {
                    convert::ascii_to(b",", ty, out);
                }
                first = false;
                out.extend_from_slice(b);
            }
        }
        Ok(true)
    })
}

fn export_set_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    r.int(4)?;
    let n = r.len().min(4);
    let mut d = r.texts(1..n, Purpose::Value)?;
    fix_numeric(r, &mut d);
    let on = r.args[1].ty.char_length().max(r.args[2].ty.char_length());
    let sep = r.args.get(3).map_or(1, |a| a.ty.char_length());
    Ok(r.text_of(u64::from(on) * 64 + u64::from(sep) * 63, d))
}

fn export_set(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(bits), Some(on), Some(off)) = (c.int(0), c.bytes(1), c.bytes(2)) else { return c.null() };
    let mut comma = Vec::new();
    convert::ascii_to(b",", &c.expr.ty, &mut comma);
    let separator = if c.len() > 3 {
        match c.bytes(3) {
            Some(s) => s,
            None => return c.null(),
        }
    } else {
        &comma
    };
    let n = if c.len() > 4 {
        match c.int(4) {
            Some(n) if (0..=64).contains(&n) => n as usize,
            Some(_) => 64,
            None => return c.null(),
        }
    } else {
        64
    };
    c.out.push_bytes_with(|out| {
        for i in 0..n {
            if i > 0 {
                out.extend_from_slice(separator);
            }
            out.extend_from_slice(if bits >> i & 1 != 0 { on } else { off });
        }
        Ok(true)
    })
}

// ---- digits

fn hex_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let number = r.args[0].ty.is_number();
    let chars = if number {
        let mark = r.ctx.warnings.mark();
        crate::bind::bit_operand(&mut r.args[0], r.ctx)?;
        r.ctx.warnings.rollback_to(mark);
        16
    } else {
        r.text(0)?;
        u64::from(r.args[0].ty.length) * 2
    };
    Ok(r.ascii_text(chars))
}

fn hex(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match c.value(0) {
        ValueRef::Bytes(b) => {
            let ty = &c.expr.ty;
            c.out.push_bytes_with(|out| {
                if ty.collation.charset.mbminlen == 1 {
                    write_hex(b, out);
                } else {
                    let mut text = Vec::new();
                    write_hex(b, &mut text);
                    convert::ascii_to(&text, ty, out);
                }
                Ok(true)
            })
        }
        ValueRef::Int(v) => {
            let t = format!("{v:X}");
            c.put_ascii(t.as_bytes())
        }
        ValueRef::UInt(v) => {
            let t = format!("{v:X}");
            c.put_ascii(t.as_bytes())
        }
        _ => c.null(),
    }
}

fn write_hex(b: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.reserve(b.len() * 2);
    for x in b {
        out.push(DIGITS[usize::from(x >> 4)]);
        out.push(DIGITS[usize::from(x & 15)]);
    }
}

fn unhex_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let n = r.args[0].ty.char_length();
    Ok(FieldType::string(u64::from(n.div_ceil(2)), charset::binary(), Derivation::Implicit)
        .with_nullable(true))
}

fn unhex(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let digit = |d: u8| (d as char).to_digit(16).map(|d| d as u8);
    c.out.push_bytes_with(|out| {
        let mut rest = b;
        if b.len() % 2 == 1 {
            match digit(b[0]) {
                Some(d) => out.push(d),
                None => return Ok(false),
            }
            rest = &b[1..];
        }
        for pair in rest.chunks(2) {
            match (digit(pair[0]), digit(pair[1])) {
                (Some(h), Some(l)) => out.push(h << 4 | l),
                _ => return Ok(false),
            }
        }
        Ok(true)
    })
}

fn bin_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    if !r.args[0].ty.class().is_integer() {
        r.text(0)?;
    }
    Ok(r.ascii_text(64).with_nullable(true))
}

fn base_text(c: &mut Call<'_, '_>, base: u32) -> SqlResult<()> {
    let v = match c.value(0) {
        ValueRef::Int(v) => v as u64,
        ValueRef::UInt(v) => v,
        ValueRef::Bytes(b) => {
            let (r, _) = number::read_integer(b);
            r.value
        }
        _ => return c.null(),
    };
    let t = if base == 2 { format!("{v:b}") } else { format!("{v:o}") };
    c.put_ascii(t.as_bytes())
}

fn conv_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.int(1)?;
    r.int(2)?;
    Ok(r.ascii_text(65).with_nullable(true))
}

fn conv(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(b), Some(from), Some(to)) = (c.bytes(0), c.int(1), c.int(2)) else { return c.null() };
    let base = from.unsigned_abs();
    let (signed_in, signed_out) = (from < 0, to < 0);
    let out_base = to.unsigned_abs();
    if !(2..=62).contains(&base) || !(2..=62).contains(&out_base) || b.is_empty() {
        return c.null();
    }
    let text = b.trim_ascii_start();
    let (negative, digits) = match text.first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let mut v = 0u64;
    let mut overflow = false;
    for d in digits {
        let d = match d {
            b'0'..=b'9' => u64::from(d - b'0'),
            b'A'..=b'Z' => u64::from(d - b'A') + 10,
            b'a'..=b'z' if base > 36 => u64::from(d - b'a') + 36,
            b'a'..=b'z' => u64::from(d - b'a') + 10,
            _ => break,
        };
        if d >= base {
            break;
        }
        match v.checked_mul(base).and_then(|v| v.checked_add(d)) {
            Some(n) => v = n,
            None => {
                overflow = true;
                break;
            }
        }
    }
    if signed_in && !negative && !overflow && v > i64::MAX as u64 {
        v = i64::MAX as u64;
    }
    if overflow {
        v = if signed_in { if negative { 1 << 63 } else { i64::MAX as u64 } } else { u64::MAX };
    } else if negative {
        v = v.wrapping_neg();
    }
    let mut out = Vec::new();
    let mut minus = false;
    if signed_out && (v as i64) < 0 {
        minus = true;
        v = v.wrapping_neg();
    }
    loop {
        let d = (v % out_base) as u8;
        out.push(match d {
            0..=9 => b'0' + d,
            10..=35 => b'A' + d - 10,
            _ => b'a' + d - 36,
        });
        v /= out_base;
        if v == 0 {
            break;
        }
    }
    if minus {
        out.push(b'-');
    }
    out.reverse();
    c.put_ascii(&out)
}

fn ord(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    if b.is_empty() {
        return c.put_int(0);
    }
    let n = cs(c, 0).first_char(b).clamp(1, b.len());
    let v = b[..n].iter().fold(0i64, |v, x| v << 8 | i64::from(*x));
    c.put_int(v)
}

fn char_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    for i in 0..r.len() {
        r.int(i)?;
    }
    let n = r.len() as u64 * 4;
    Ok(FieldType::string(n, charset::binary(), Derivation::Coercible).with_nullable(true))
}

fn chr_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    Ok(FieldType::string(4, r.ctx.collation, Derivation::Coercible).with_nullable(true))
}

fn char_(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let mut out = Vec::new();
    for i in 0..c.len() {
        let v = match c.value(i) {
            ValueRef::Int(v) => v as u32,
            ValueRef::UInt(v) => v as u32,
            _ => continue,
        };
        let bytes = v.to_be_bytes();
        let skip = bytes.iter().take_while(|b| **b == 0).count().min(3);
        out.extend_from_slice(&bytes[skip..]);
    }
    let collation = c.collation();
    if collation.id != 63 {
        let good = collation.charset.well_formed_len(&out);
        if good < out.len() {
            let shown: String = out[good..].iter().take(6).map(|b| format!("{b:02X}")).collect();
            c.ctx
                .warnings
                .warn(crate::error::ER_INVALID_CHARACTER_STRING, &[&collation.charset.name, &shown]);
            if c.ctx.sql_mode.strict() {
                return c.null();
            }
            out.truncate(good);
        }
    }
    c.put_bytes(&out)
}

fn quote_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let mut d = r.derived(0);
    fix_numeric(r, &mut d);
    let chars = u64::from(r.args[0].ty.char_length()) * 2 + 2;
    Ok(r.text_of(chars, d).with_nullable(false))
}

fn quote(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.put_ascii(b"NULL") };
    let cs = cs(c, 0);
    let ty = &c.expr.ty;
    c.out.push_bytes_with(|out| {
        convert::ascii_to(b"'", ty, out);
        let mut at = 0;
        while at < b.len() {
            let n = cs.first_char(&b[at..]).max(1).min(b.len() - at);
            let ch = &b[at..at + n];
            let code = if n == usize::from(cs.mbminlen) {
                ch.iter().fold(0u32, |v, x| v << 8 | u32::from(*x))
            } else {
                0xffff
            };
            match code {
                0x27 | 0x5c => {
                    convert::ascii_to(b"\\", ty, out);
                    out.extend_from_slice(ch);
                }
                0 => convert::ascii_to(b"\\0", ty, out),
                0x1a => convert::ascii_to(b"\\Z", ty, out),
                _ => out.extend_from_slice(ch),
            }
            at += n;
        }
        convert::ascii_to(b"'", ty, out);
        Ok(true)
    })
}

fn soundex_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let mut d = r.derived(0);
    fix_numeric(r, &mut d);
    let chars = u64::from(r.args[0].ty.char_length()).max(4);
    Ok(r.text_of(chars, d))
}

fn soundex(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let cs = cs(c, 0);
    let code = |ch: u32| -> u8 {
        match char::from_u32(ch).map(|c| c.to_ascii_uppercase()) {
            Some('B' | 'F' | 'P' | 'V') => b'1',
            Some('C' | 'G' | 'J' | 'K' | 'Q' | 'S' | 'X' | 'Z') => b'2',
            Some('D' | 'T') => b'3',
            Some('L') => b'4',
            Some('M' | 'N') => b'5',
            Some('R') => b'6',
            Some('H' | 'W') => b'-',
            _ => b'0',
        }
    };
    let mut out: Vec<u8> = Vec::new();
    let mut letters = 0;
    let mut last = b'0';
    let mut at = 0;
    while let Some((ch, n)) = cs.decode(&b[at..]) {
        at += n.max(1);
        let binary = cs.name == "binary";
        let letter = char::from_u32(ch)
            .is_some_and(|c| if binary { c.is_ascii_alphabetic() } else { c.is_alphabetic() });
        if letter {
            let k = code(ch);
            if letters == 0 {
                let upper = char::from_u32(ch).map_or(ch, |c| c.to_uppercase().next().unwrap_or(c) as u32);
                cs.encode(upper, &mut out);
                last = k;
                letters = 1;
            } else if k == b'-' {
            } else {
                if k != b'0' && k != last {
                    convert::ascii_to(&[k], &c.expr.ty, &mut out);
                    letters += 1;
                }
                last = k;
            }
        }
        if at >= b.len() {
            break;
        }
    }
    while letters > 0 && letters < 4 {
        convert::ascii_to(b"0", &c.expr.ty, &mut out);
        letters += 1;
    }
    c.put_bytes(&out)
}

fn format_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    match super::number_class(&r.args[0].ty) {
        Class::Int | Class::UInt | Class::Decimal => {
            let mut t = FieldType::decimal(65, 38);
            t.decimals = crate::result::NOT_FIXED_DEC;
            r.convert(0, t)?;
        }
        _ => r.double(0)?,
    }
    r.int(1)?;
    if r.len() == 3 {
        r.text(2)?;
    }
    let nullable = r.nullable();
    Ok(r.ascii_text(100).with_nullable(nullable))
}

/// Decimal point and thousands separator of a locale.
fn locale_signs(name: &[u8]) -> (u8, &'static str) {
    match name.to_ascii_lowercase().as_slice() {
        b"de_de" | b"es_es" | b"it_it" | b"nl_nl" | b"da_dk" | b"tr_tr" | b"id_id" | b"pt_br" | b"de_at"
        | b"de_be" => (
            b',',
            if name.eq_ignore_ascii_case(b"de_at") || name.eq_ignore_ascii_case(b"it_it") { "" } else { "." },
        ),
        b"fr_fr" | b"ru_ru" | b"pl_pl" | b"cs_cz" | b"fi_fi" | b"sv_se" | b"nb_no" | b"no_no" | b"bg_bg"
        | b"uk_ua" | b"pt_pt" => {
            let sep = match name.to_ascii_lowercase().as_slice() {
                b"ru_ru" | b"uk_ua" => ".",
                b"cs_cz" | b"fi_fi" | b"sv_se" => " ",
                b"nb_no" | b"no_no" => ".",
                _ => "",
            };
            (b',', sep)
        }
        b"de_ch" => (b'.', "'"),
        _ => (b'.', ","),
    }
}

fn format(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(places) = c.int(1) else { return c.null() };
    let places = places.clamp(0, 38) as u8;
    let mut text = Vec::new();
    match c.value(0) {
        ValueRef::Decimal(d) => {
            let (d, _) = d.round(i32::from(places), crate::types::decimal::Rounding::HalfUp);
            d.write(&mut text);
        }
        ValueRef::Double(v) => {
            let v = number::round_double(v, i64::from(places), false);
            number::write_double(v, places.min(30), &mut text);
            text.resize(text.len() + usize::from(places.saturating_sub(30)), b'0');
        }
        _ => return c.null(),
    }
    let (point, group) = match c.bytes(2) {
        Some(l) => locale_signs(l),
        None => (b'.', ","),
    };
    let (sign, digits) = match text.strip_prefix(b"-") {
        Some(d) => ("-", d.to_vec()),
        None => ("", text.clone()),
    };
    let (int, frac) = match digits.iter().position(|b| *b == b'.') {
        Some(p) => (&digits[..p], Some(&digits[p + 1..])),
        None => (&digits[..], None),
    };
    let mut out = sign.as_bytes().to_vec();
    for (i, d) in int.iter().enumerate() {
        if i > 0 && (int.len() - i) % 3 == 0 {
            out.extend_from_slice(group.as_bytes());
        }
        out.push(*d);
    }
    if let Some(f) = frac {
        out.push(point);
        out.extend_from_slice(f);
    }
    c.put_ascii(&out)
}

fn substring_index_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(2)?;
    let mut d = r.texts(0..2, Purpose::Comparison)?;
    fix_numeric(r, &mut d);
    let chars = u64::from(r.args[0].ty.char_length());
    Ok(r.text_of(chars, d))
}

fn substring_index(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(b), Some(delimiter), Some(n)) = (c.bytes(0), c.bytes(1), c.int(2)) else { return c.null() };
    if b.is_empty() || delimiter.is_empty() || n == 0 {
        return c.put_bytes(b"");
    }
    let cs = c.collation().charset;
    let single = cs.mbmaxlen == 1 || cs.name.starts_with("utf8");
    let mut places = Vec::new();
    let mut at = 0;
    while at + delimiter.len() <= b.len() {
        if b[at..].starts_with(delimiter) {
            places.push(at);
            at += delimiter.len();
        } else {
            at += if single { 1 } else { cs.first_char(&b[at..]).max(1) };
        }
    }
    if n > 0 {
        let end = usize::try_from(n - 1).ok().and_then(|i| places.get(i)).copied().unwrap_or(b.len());
        return c.put_bytes(&b[..end]);
    }
    // From the right the delimiters are sought from the end.
    let mut left = n.unsigned_abs();
    let mut end = b.len();
    loop {
        let mut found = None;
        let mut p = end;
        while p >= delimiter.len() {
            let start = p - delimiter.len();
            if &b[start..p] == delimiter {
                found = Some(start);
                break;
            }
            p -= 1;
        }
        match found {
            Some(start) => {
                left -= 1;
                if left == 0 {
                    return c.put_bytes(&b[start + delimiter.len()..]);
                }
                end = start;
            }
            None => return c.put_bytes(b),
        }
    }
}

// ---- digests and encodings

fn digest_type(r: &mut Resolve<'_>, chars: u64) -> SqlResult<FieldType> {
    r.text(0)?;
    Ok(r.ascii_text(chars))
}

fn lower_hex(b: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(b.len() * 2);
    write_hex(b, &mut out);
    out.make_ascii_lowercase();
    out
}

fn digest(c: &mut Call<'_, '_>, f: fn(&[u8]) -> Vec<u8>) -> SqlResult<()> {
    match c.bytes(0) {
        Some(b) => {
            let t = lower_hex(&f(b));
            c.put_ascii(&t)
        }
        None => c.null(),
    }
}

fn sha2_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.int(1)?;
    let bits = match r.args[1].as_literal() {
        Some(crate::types::Value::Int(224)) => 56,
        Some(crate::types::Value::Int(384)) => 96,
        Some(crate::types::Value::Int(512)) => 128,
        Some(crate::types::Value::Int(0 | 256)) => 64,
        _ => 128,
    };
    Ok(r.ascii_text(bits).with_nullable(true))
}

fn sha2(c: &mut Call<'_, '_>) -> SqlResult<()> {
    use sha2::Digest;
    let (Some(b), Some(bits)) = (c.bytes(0), c.int(1)) else { return c.null() };
    let d = match bits {
        0 | 256 => sha2::Sha256::digest(b).to_vec(),
        224 => sha2::Sha224::digest(b).to_vec(),
        384 => sha2::Sha384::digest(b).to_vec(),
        512 => sha2::Sha512::digest(b).to_vec(),
        _ => {
            let e = crate::error::message(crate::error::ER_WRONG_PARAMETERS_TO_NATIVE_FCT, &[&"sha2"]);
            c.ctx.warnings.push_text(
                crate::warning::Level::Warning,
                crate::error::ER_WRONG_PARAMETERS_TO_NATIVE_FCT,
                e,
            );
            return c.null();
        }
    };
    let t = lower_hex(&d);
    c.put_ascii(&t)
}

fn password(c: &mut Call<'_, '_>) -> SqlResult<()> {
    use sha1::Digest;
    match c.bytes(0) {
        None | Some([]) => c.put_ascii(b""),
        Some(b) => {
            let twice = sha1::Sha1::digest(sha1::Sha1::digest(b));
            let mut t = vec![b'*'];
            write_hex(&twice, &mut t);
            c.put_ascii(&t)
        }
    }
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn to_base64_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let n = u64::from(r.args[0].ty.length);
    let chars = n.div_ceil(3) * 4;
    Ok(r.ascii_text(chars + chars.saturating_sub(1) / 76).with_nullable(true))
}

fn to_base64(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let mut out = Vec::with_capacity(b.len() * 4 / 3 + 8);
    let mut column = 0;
    for chunk in b.chunks(3) {
        if column == 76 {
            out.push(b'\n');
            column = 0;
        }
        let v = chunk.iter().fold(0u32, |v, x| v << 8 | u32::from(*x)) << (8 * (3 - chunk.len()));
        for k in 0..4 {
            if k > chunk.len() {
                out.push(b'=');
            } else {
                out.push(BASE64[(v >> (18 - 6 * k) & 63) as usize]);
            }
        }
        column += 4;
    }
    c.put_ascii(&out)
}

fn from_base64_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let n = u64::from(r.args[0].ty.length);
    Ok(FieldType::string(n / 4 * 3 + 3, charset::binary(), Derivation::Implicit).with_nullable(true))
}

fn from_base64(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let mut out = Vec::with_capacity(b.len());
    let mut v = 0u32;
    let (mut n, mut padding) = (0, 0);
    let mut good = true;
    let mut at = 0;
    for x in b {
        if x.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if *x == b'=' {
            padding += 1;
            v <<= 6;
        } else if let Some(d) = BASE64.iter().position(|d| d == x).filter(|_| padding == 0) {
            v = v << 6 | d as u32;
        } else {
            good = false;
            break;
        }
        at += 1;
        n += 1;
        if n == 4 {
            if padding > 2 {
                good = false;
                break;
            }
            out.extend_from_slice(&v.to_be_bytes()[1..4 - padding]);
            n = 0;
            v = 0;
        }
    }
    if !good || n != 0 {
        c.ctx.warnings.warn(crate::error::ER_BAD_BASE64_DATA, &[&at]);
        return c.null();
    }
    c.put_bytes(&out)
}

fn regexp_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let d = r.texts(0..2, Purpose::Comparison)?;
    for a in r.args.iter_mut() {
        a.ty.collation = d.collation;
    }
    let nullable = r.nullable();
    let len = if r.name.eq_ignore_ascii_case("regexp") { 1 } else { 11 };
    Ok(FieldType::int(len).with_nullable(nullable))
}

fn weight_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let n = u64::from(r.args[0].ty.length) * 8;
    Ok(FieldType::string(n, charset::binary(), Derivation::Coercible).with_nullable(true))
}

fn weight_string(c: &mut Call<'_, '_>) -> SqlResult<()> {
    if c.ty(0).derivation == Derivation::Numeric {
        return c.null();
    }
    let Some(b) = c.bytes(0) else { return c.null() };
    let collation = c.ty(0).collation;
    c.out.push_bytes_with(|out| {
        collation.sql_weight_string(b, out);
        Ok(true)
    })
}

// ---- casts: the type of the result is set by the binder

fn convert_using(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let (from, to) = (c.ty(0).collation, c.collation());
    put_converted(c, b, from, to)
}

/// Puts text in another character set; bytes without one are taken as they are, bad ones become `?`.
fn put_converted(
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
    let good = to.charset.well_formed_len(b);
    if good < b.len() {
        let shown: String = b[good..].iter().take(6).map(|b| format!("{b:02X}")).collect();
        c.ctx.warnings.warn(crate::error::ER_INVALID_CHARACTER_STRING, &[&to.charset.name, &shown]);
    }
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
        crate::expr::Node::Call(f, _) if f.def.name == "cast_as_char_n" => c.expr.ty.char_length() as usize,
        _ => usize::MAX,
    };
    let text = if from.id == 63 && to.id != 63 || from.charset.name == to.charset.name {
        b.to_vec()
    } else {
        let mut out = Vec::new();
        from.charset.convert(b, to.charset, &mut out);
        out
    };
    let keep = to.charset.prefix(&text, limit);
    if keep < text.len() {
        let what = format!("CHAR({limit})");
        let shown = convert::printable(b, c.ty(0));
        c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&what, &shown]);
    }
    put_converted(c, &text[..keep], if from.id == 63 { from } else { to }, to)
}

fn cast_binary(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let limit = c.expr.ty.length as usize;
    // The length counts characters of the operand.
    let keep = c.ty(0).collation.charset.prefix(b, limit);
    if keep < b.len() {
        let what = format!("BINARY({limit})");
        let shown = convert::printable(b, c.ty(0));
        c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&what, &shown]);
        return c.put_bytes(&b[..keep]);
    }
    if limit > c.ctx.max_allowed_packet {
        return c.too_long();
    }
    c.out.push_bytes_with(|out| {
        let start = out.len();
        out.extend_from_slice(b);
        out.resize(start + limit.max(b.len()), 0);
        Ok(true)
    })
}

fn cast_special(c: &mut Call<'_, '_>, kind: Kind) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let text = String::from_utf8_lossy(b).into_owned();
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
            let message = crate::error::message(crate::error::ER_WRONG_VALUE, &[&what, &text]);
            c.ctx.warnings.push_text(
                crate::warning::Level::Warning,
                crate::error::ER_TRUNCATED_WRONG_VALUE,
                message,
            );
            c.null()
        }
    }
}
