//! String functions.

use super::pure;
use super::{Arguments, Call, Definition, Purity, Resolve, Stops};
use crate::error::SqlResult;
use crate::file_access::Loaded;
use crate::types::{Derivation, FieldType, ValueRef, convert};
use charset::derivation::Purpose;
use charset::{Charset, WeightFormat};
use memchr::memmem;

pub(super) const LIST: &[Definition] = &[
    pure("concat", 1, 255, concat_type, concat)
        .taking(Arguments::Asked(super::joined::concat))
        .stopping(Stops::Each),
    pure("concat_ws", 2, 255, concat_ws_type, concat_ws)
        .taking(Arguments::Asked(super::joined::concat_ws))
        .stopping(Stops::First),
    pure("length", 1, 1, length_type, |c| {
        let v = c.bytes(0).map(|b| b.len() as i64);
        c.put_opt_int(v)
    }),
    pure("bit_length", 1, 1, length_type, |c| {
        let v = c.bytes(0).map(|b| b.len() as i64 * 8);
        c.put_opt_int(v)
    }),
    pure("char_length", 1, 1, length_type, |c| {
        let cs = c.ty(0).collation.charset;
        let v = c.bytes(0).map(|b| cs.char_len(b) as i64);
        c.put_opt_int(v)
    }),
    pure("lower", 1, 1, same_text, |c| letter_case(c, false)),
    pure("upper", 1, 1, same_text, |c| letter_case(c, true)),
    pure("substring", 2, 3, substring_type, |c| substring_from(c, false)),
    pure("left", 2, 2, left_type, |c| ends(c, true)),
    pure("right", 2, 2, left_type, |c| ends(c, false)),
    pure("trim", 1, 2, trim_type, |c| trim(c, true, true)).stopping(Stops::Each),
    pure("ltrim", 1, 2, trim_type, |c| trim(c, true, false)).stopping(Stops::Each),
    pure("rtrim", 1, 2, trim_type, |c| trim(c, false, true)).stopping(Stops::Each),
    pure("lpad", 2, 3, pad_type, |c| pad(c, true)),
    pure("rpad", 2, 3, pad_type, |c| pad(c, false)),
    pure("repeat", 2, 2, repeat_type, repeat),
    pure("space", 1, 1, space_type, space),
    pure("replace", 3, 3, replace_type, |c| replace(c, false)).stopping(Stops::Each),
    pure("reverse", 1, 1, same_text, reverse),
    pure("insert", 4, 4, insert_type, insert),
    pure("instr", 2, 2, instr_type, |c| locate(c, 0, 1)),
    pure("locate", 2, 3, locate_type, |c| locate(c, 1, 0)).stopping(Stops::Order(&[&[0, 1], &[2]])),
    pure("quote", 1, 1, quote_type, quote),
    pure("soundex", 1, 1, soundex_type, soundex),
    pure("substring_index", 3, 3, substring_index_type, substring_index),
    pure("weight_string", 4, 4, weight_type, weight_string),
    Definition {
        name: "load_file",
        min: 1,
        max: 1,
        purity: Purity::Volatile,
        resolve: |r| {
            r.text(0)?;
            Ok(super::longest_text(charset::binary(), Derivation::Coercible))
        },
        eval: load_file,
        arguments: Arguments::All,
        stops: Stops::Never,
    },
];

pub(super) fn same_text(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let d = r.derived(0);
    let chars = u64::from(r.args[0].ty.char_length());
    let mut d = d;
    fix_numeric(r, &mut d);
    Ok(r.text_of(chars, d))
}

pub(super) fn same_text_null(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(same_text(r)?.with_nullable(true))
}

/// Text made of numbers has the connection's collation and may give way.
pub(super) fn fix_numeric(r: &Resolve<'_>, d: &mut charset::derivation::Derived) {
    if matches!(d.derivation, Derivation::Numeric | Derivation::Ignorable) {
        d.derivation = Derivation::Coercible;
        d.collation = r.ctx.collation;
    }
}

/// NULL for whatever may not be read.
fn load_file(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(name), Some(files)) = (c.bytes(0), c.ctx.files.clone()) else { return c.null() };
    if !c.ctx.may_use_files {
        return c.null();
    }
    let folder = c.ctx.connection.database.as_deref().map(|db| files.folder(db));
    match files.load(name, folder.as_deref(), c.ctx.max_allowed_packet) {
        Loaded::Bytes(bytes) => c.put_bytes(&bytes),
        Loaded::Nothing => c.null(),
        Loaded::TooLong => c.too_long(),
    }
}

pub(super) fn concat_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
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
        if total > c.ctx.max_allowed_packet {
            return c.too_long();
        }
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
    let wide = r.name.eq_ignore_ascii_case("bit_length");
    Ok(if wide { r.int_of(11) } else { r.long_of(10) })
}

pub(super) fn small_int(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    Ok(r.int_of(3))
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
pub(super) fn cs(c: &Call<'_, '_>, i: usize) -> &'static Charset {
    c.ty(i).collation.charset
}

pub(super) fn substring_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.int(1)?;
    r.int(2)?;
    let mut d = r.derived(0);
    fix_numeric(r, &mut d);
    let mut chars = u64::from(r.args[0].ty.char_length());
    match r.known_int(1) {
        Some(0) => chars = 0,
        Some(p) if p > 0 => chars = chars.saturating_sub(p as u64 - 1),
        Some(p) => chars = chars.min(p.unsigned_abs()),
        None => {}
    }
    if let Some(n) = r.known_int(2) {
        chars = chars.min(n.max(0) as u64);
    }
    Ok(r.text_of(chars, d))
}

/// Oracle also counts from 0, which is the first character as 1 is.
pub(super) fn substring_from(c: &mut Call<'_, '_>, oracle: bool) -> SqlResult<()> {
    let (Some(b), Some(start)) = (c.bytes(0), c.int(1)) else { return c.null() };
    let start = if oracle && start == 0 { 1 } else { start };
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
    if let Some(n) = r.known_int(1) {
        chars = chars.min(n.max(0) as u64);
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

pub(super) fn trim_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let n = r.len();
    // messages name first what is removed
    r.args.reverse();
    let d = r.texts(0..n, Purpose::Comparison);
    r.args.reverse();
    let mut d = d?;
    fix_numeric(r, &mut d);
    let chars = u64::from(r.args[0].ty.char_length());
    Ok(r.text_of(chars, d))
}

pub(super) fn trim(c: &mut Call<'_, '_>, leading: bool, trailing: bool) -> SqlResult<()> {
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
            b = &b[..trimmed_end(cs, b, remove)];
        }
    }
    c.put_bytes(b)
}

/// Where a text ends without what is removed from its end, in sets where bytes do not tell where characters begin: each piece that
/// is removed begins with a character.
fn trimmed_end(cs: &Charset, b: &[u8], remove: &[u8]) -> usize {
    let pieces = b.rchunks(remove.len()).take_while(|piece| *piece == remove).count();
    let first = b.len() - pieces * remove.len();
    // The last place in the run where a piece, but no character begins: those behind it go.
    let (mut at, mut end, mut next) = (0, first, first);
    while next < b.len() {
        while at < next {
            at += cs.first_char(&b[at..]).max(1);
        }
        if at != next {
            end = next + remove.len();
        }
        next += remove.len();
    }
    end
}

pub(super) fn pad_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.int(1)?;
    let mut d = r.derived(0);
    if r.len() == 3 {
        r.text(2)?;
        // The string and the padding share a collation; the length between them does not count.
        let mut both = vec![r.args[0].clone(), r.args[2].clone()];
        let name = r.name.to_string();
        d = crate::expr::typing::common_collation(&mut both, Purpose::Value, &name, r.ctx)?;
        if let (Some(b), Some(a)) = (both.pop(), both.pop()) {
            r.args[0] = a;
            r.args[2] = b;
        }
    }
    fix_numeric(r, &mut d);
    let chars = match r.known_int(1) {
        Some(n) => n.max(0) as u64,
        _ => u64::from(u32::MAX / 4),
    };
    Ok(r.text_of(chars, d).with_nullable(true))
}

pub(super) fn pad(c: &mut Call<'_, '_>, left: bool) -> SqlResult<()> {
    let (Some(b), Some(n)) = (c.bytes(0), c.int(1)) else { return c.null() };
    let cs = c.collation().charset;
    let filler: &[u8] = if c.len() == 3 {
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
    if filler.is_empty() {
        return c.null();
    }
    let missing = n - have;
    // As MariaDB counts: every character as long as the longest of its set.
    if c.exceeds(n.saturating_mul(usize::from(cs.mbmaxlen))) {
        return c.too_long();
    }
    let fill_chars = cs.char_len(filler).max(1);
    c.out.push_bytes_with(|out| {
        if !left {
            out.extend_from_slice(b);
        }
        fill(out, filler, missing / fill_chars);
        out.extend_from_slice(&filler[..cs.prefix(filler, missing % fill_chars)]);
        if left {
            out.extend_from_slice(b);
        }
        Ok(true)
    })
}

/// Appends `bytes` so many times; what is there already is copied in ever larger pieces.
fn fill(out: &mut Vec<u8>, bytes: &[u8], times: usize) {
    let (start, wanted) = (out.len(), bytes.len() * times);
    out.reserve(wanted);
    if times > 0 {
        out.extend_from_slice(bytes);
    }
    while out.len() - start < wanted {
        let made = out.len() - start;
        out.extend_from_within(start..start + made.min(wanted - made));
    }
}

fn repeat_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.int(1)?;
    let mut d = r.derived(0);
    fix_numeric(r, &mut d);
    let chars = match r.known_int(1) {
        Some(n) => u64::from(r.args[0].ty.char_length()).saturating_mul(n.max(0) as u64),
        _ => {
            let mut t = super::longest_text(d.collation, d.derivation);
            t.ascii = d.ascii;
            return Ok(t);
        }
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
        fill(out, b, n);
        Ok(true)
    })
}

fn space_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    let chars = match r.known_int(0) {
        Some(n) => n.max(0) as u64,
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
        fill(out, blank, n);
        Ok(true)
    })
}

pub(super) fn replace_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let mut d = r.texts(0..3, Purpose::Comparison)?;
    fix_numeric(r, &mut d);
    let chars = u64::from(r.args[0].ty.char_length());
    // Whatever is looked for may be a single character.
    let to = u64::from(r.args[2].ty.char_length()).max(1);
    let chars = chars.saturating_mul(to);
    Ok(r.text_of(chars, d))
}

/// To Oracle a replacement that is NULL is an empty one.
pub(super) fn replace(c: &mut Call<'_, '_>, oracle: bool) -> SqlResult<()> {
    let (Some(b), Some(from)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    if from.is_empty() {
        return c.put_bytes(b);
    }
    let collation = c.collation();
    let cs = collation.charset;
    let Some(to) = c.bytes(2).or(oracle.then_some(&[])) else {
        // where bytes are compared nobody asks for a replacement of what is not there
        let bytes = cs.mbmaxlen == 1 || collation.name.ends_with("_bin");
        return if bytes && memmem::find(b, from).is_none() { c.put_bytes(b) } else { c.null() };
    };
    let single = cs.mbmaxlen == 1 || cs.name.starts_with("utf8");
    // How many there are tells how long the result will be, before any of it is made.
    let mut places = Vec::new();
    let finder = memmem::Finder::new(from);
    let mut at = 0;
    if single {
        // One more than there is room for is enough to know.
        let most = match to.len().checked_sub(from.len()) {
            Some(more @ 1..) => c.ctx.max_allowed_packet.saturating_sub(b.len()) / more + 1,
            _ => usize::MAX,
        };
        places.extend(finder.find_iter(b).take(most));
    } else {
        while let Some(next) = finder.find(&b[at..]).map(|n| at + n) {
            // Only at the begin of a character.
            while at < next {
                at += cs.first_char(&b[at..]).max(1);
            }
            if at == next {
                places.push(at);
                at += from.len();
            }
            if at >= b.len() {
                break;
            }
        }
    }
    let length = (b.len() - places.len() * from.len()).saturating_add(places.len().saturating_mul(to.len()));
    if c.exceeds(length) {
        return c.too_long();
    }
    c.out.push_bytes_with(|out| {
        let mut last = 0;
        for place in places {
            out.extend_from_slice(&b[last..place]);
            out.extend_from_slice(to);
            last = place + from.len();
        }
        out.extend_from_slice(&b[last..]);
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
        let t = crate::expr::typing::text_type(&e.ty, r.ctx.collation);
        crate::expr::typing::coerce(e, t, r.ctx)?;
    }
    let mut d = crate::expr::typing::common_collation(&mut both, Purpose::Value, "insert", r.ctx)?;
    if let (Some(b), Some(a)) = (both.pop(), both.pop()) {
        r.args[0] = a;
        r.args[3] = b;
    }
    fix_numeric(r, &mut d);
    let length = |ty: &FieldType| if d.collation.id == 63 { ty.length } else { ty.char_length() };
    let chars = u64::from(length(&r.args[0].ty)) + u64::from(length(&r.args[3].ty));
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
    if c.exceeds(b.len() - (end - start) + new.len()) {
        return c.too_long();
    }
    c.out.push_bytes_with(|out| {
        out.extend_from_slice(&b[..start]);
        out.extend_from_slice(new);
        out.extend_from_slice(&b[end..]);
        Ok(true)
    })
}

fn instr_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.name = "locate";
    let d = r.texts(0..2, Purpose::Comparison)?;
    for a in r.args.iter_mut() {
        crate::expr::typing::compare_in(a, d.collation);
    }
    Ok(r.long_of(11))
}

fn locate_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(2)?;
    // What is searched is told first.
    r.args.swap(0, 1);
    let d = r.texts(0..2, Purpose::Comparison);
    r.args.swap(0, 1);
    let d = d?;
    for a in r.args[..2].iter_mut() {
        crate::expr::typing::compare_in(a, d.collation);
    }
    Ok(r.long_of(11))
}

fn locate(c: &mut Call<'_, '_>, hay: usize, needle: usize) -> SqlResult<()> {
    let (Some(h), Some(n)) = (c.bytes(hay), c.bytes(needle)) else { return c.null() };
    let cs = cs(c, hay);
    let mut from = 0;
    if c.len() == 3 {
        let Some(p) = c.int(2) else { return c.null() };
        if p <= 0 || p > h.len() as i64 || p - 1 > cs.char_len(h) as i64 {
            return c.put_int(0);
        }
        from = cs.prefix(h, (p - 1) as usize);
    }
    if n.is_empty() {
        // nothing is found where the search begins, counted in bytes
        return c.put_int(from as i64 + 1);
    }
    let found = c.ty(hay).collation.find_until(h, n, from, &|| c.ctx.is_killed());
    let Ok(found) = found else { return Err(c.ctx.killed()) };
    match found {
        Some(at) => {
            let v = cs.char_len(&h[..at]) as i64 + 1;
            c.put_int(v)
        }
        None => c.put_int(0),
    }
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
    let special = |b: &&u8| matches!(**b, b'\'' | b'\\' | 0 | 0x1a);
    // In wide character sets the bytes of other characters are counted, too; those are as short as without a mark.
    let marks = if cs.mbminlen == 1 { b.iter().filter(special).count() } else { 0 };
    if c.exceeds(b.len() + marks + 2 * usize::from(cs.mbminlen)) {
        return c.too_long();
    }
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
        // beyond ASCII whatever is no sign of Latin 1
        let letter = match char::from_u32(ch) {
            Some(c) if c.is_ascii() => c.is_ascii_alphabetic(),
            _ => !binary && ch >= 0xc0,
        };
        if letter {
            let k = code(ch);
            if letters == 0 {
                let upper = char::from_u32(ch).map_or(ch, |c| c.to_ascii_uppercase() as u32);
                cs.encode(upper, &mut out);
                last = k;
                letters = 1;
            } else if !matches!(k, b'0' | b'-') && k != last {
                convert::ascii_to(&[k], &c.expr.ty, &mut out);
                letters += 1;
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

fn substring_index_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(2)?;
    let mut d = r.texts(0..2, Purpose::Comparison)?;
    fix_numeric(r, &mut d);
    let chars = u64::from(r.args[0].ty.char_length());
    Ok(r.text_of(chars, d))
}

fn substring_index(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(b), Some(delimiter), Some(n)) = (c.bytes(0), c.bytes(1), c.short_int(2)) else {
        return c.null();
    };
    if b.is_empty() || delimiter.is_empty() || n == 0 {
        return c.put_bytes(b"");
    }
    let cs = c.collation().charset;
    if n < 0 && cs.mbmaxlen == 1 {
        // from the right the delimiters are sought from the end
        let finder = memmem::FinderRev::new(delimiter);
        let mut left = n.unsigned_abs();
        let mut end = b.len();
        while let Some(start) = finder.rfind(&b[..end]) {
            left -= 1;
            if left == 0 {
                return c.put_bytes(&b[start + delimiter.len()..]);
            }
            end = start;
        }
        return c.put_bytes(b);
    }
    if n > 0 {
        let end = delimiters(cs, b, delimiter).nth(usize::try_from(n - 1).unwrap_or(usize::MAX));
        return c.put_bytes(&b[..end.unwrap_or(b.len())]);
    }
    // in sets of longer characters they are counted from the left, whichever are wanted
    let all = delimiters(cs, b, delimiter).count() as u64;
    let start = all
        .checked_sub(u64::from(n.unsigned_abs()))
        .and_then(|skip| delimiters(cs, b, delimiter).nth(usize::try_from(skip).unwrap_or(usize::MAX)));
    c.put_bytes(start.map_or(b, |at| &b[at + delimiter.len()..]))
}

/// Where a delimiter stands from the left, at the begin of a character, one behind the other.
fn delimiters(cs: &Charset, b: &[u8], delimiter: &[u8]) -> impl Iterator<Item = usize> {
    let single = cs.mbmaxlen == 1 || cs.name.starts_with("utf8");
    let finder = memmem::Finder::new(delimiter).into_owned();
    let width = delimiter.len();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < b.len() {
            let next = at + finder.find(&b[at..])?;
            while !single && at < next {
                at += cs.first_char(&b[at..]).max(1);
            }
            if single || at == next {
                at = next + width;
                return Some(next);
            }
        }
        None
    })
}

/// The clauses of WEIGHT_STRING, which are constants.
fn weight_format(args: [Option<i64>; 3]) -> WeightFormat {
    let number = |n: Option<i64>| usize::try_from(n.unwrap_or(0)).unwrap_or(0);
    WeightFormat { result: number(args[0]), weights: number(args[1]), flags: number(args[2]) as u32 }
}

fn weight_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let number = |i: usize| match r.args.get(i).and_then(|a| a.as_literal()) {
        Some(crate::types::Value::Int(n)) => Some(*n),
        _ => None,
    };
    let format = weight_format([number(1), number(2), number(3)]);
    let text = &r.args[0].ty;
    // latin2_czech_cs and cp1250_czech_cs weigh the whole text, whatever is asked
    let whole = matches!(text.collation.id, 2 | 34);
    let n = match format {
        WeightFormat { result, .. } if result > 0 => result as u64,
        WeightFormat { weights, .. } if weights > 0 && !whole => text.collation.weight_width(weights as u64),
        _ => text.collation.weight_width(u64::from(text.char_length())),
    };
    Ok(FieldType::string(n, charset::binary(), text.derivation).with_nullable(true))
}

fn weight_string(c: &mut Call<'_, '_>) -> SqlResult<()> {
    if c.ty(0).derivation == Derivation::Numeric {
        return c.null();
    }
    let Some(b) = c.bytes(0) else { return c.null() };
    let collation = c.ty(0).collation;
    let format = weight_format([c.int(1), c.int(2), c.int(3)]);
    let padded = format.weights.max(format.result).saturating_mul(usize::from(collation.charset.mbmaxlen));
    if padded > c.ctx.max_allowed_packet {
        return c.too_long();
    }
    // Weights are at most a few times as long as the text, which is no longer than a packet.
    let mut weights = Vec::new();
    collation.formatted_weights(b, format, &mut weights);
    if c.exceeds(weights.len()) {
        return c.too_long();
    }
    c.put_bytes(&weights)
}
