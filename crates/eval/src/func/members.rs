//! Strings by their number, and sets of them: ELT, FIND_IN_SET, MAKE_SET, EXPORT_SET.

use super::pure;
use super::string::fix_numeric;
use super::{Arguments, Call, Definition, Resolve, Stops};
use crate::error::SqlResult;
use crate::types::{FieldType, ValueRef, convert};
use charset::derivation::Purpose;

pub(super) const LIST: &[Definition] = &[
    pure("elt", 2, 255, elt_type, elt).taking(Arguments::Asked(super::joined::elt)).stopping(Stops::Chosen),
    pure("find_in_set", 2, 2, find_in_set_type, find_in_set),
    pure("make_set", 2, 255, make_set_type, make_set)
        .taking(Arguments::Asked(super::joined::make_set))
        .stopping(Stops::First),
    pure("export_set", 3, 5, export_set_type, export_set).stopping(Stops::Order(&[&[0, 1, 2], &[3], &[4]])),
];

fn elt_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    let n = r.len();
    let d = r.texts(1..n, Purpose::Value)?;
    let chars = r.args[1..].iter().map(|a| u64::from(a.ty.char_length())).max().unwrap_or(0);
    Ok(r.text_of(chars, d).with_nullable(true))
}

fn elt(c: &mut Call<'_, '_>) -> SqlResult<()> {
    // as in the reference the number has 32 bits, whatever stands above them
    let n = c.bits(0).unwrap_or(0) as u32 as usize;
    if n < 1 || n >= c.len() {
        return c.null();
    }
    match c.bytes(n) {
        Some(b) => c.put_bytes(b),
        None => c.null(),
    }
}

fn find_in_set_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let d = r.texts(0..2, Purpose::Comparison)?;
    for a in r.args.iter_mut() {
        crate::expr::typing::compare_in(a, d.collation);
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
    let mut blank = Vec::new();
    convert::ascii_to(b" ", c.ty(1), &mut blank);
    let blanks = |text: &[u8]| text.rchunks(step.max(1)).take_while(|x| *x == blank).count();
    let (mut start, mut at, mut n) = (0, 0, 1);
    loop {
        let end = at >= list.len();
        if end || list[at..].starts_with(&comma) {
            // blanks at the end count, whatever the collation
            let member = &list[start..at.min(list.len())];
            if collation.compare(member, wanted).is_eq() && blanks(member) == blanks(wanted) {
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
    let Some(bits) = c.bits(0) else { return c.null() };
    let (args, row) = (c.args, c.row);
    let ty = &c.expr.ty;
    let chosen = args[1..].iter().enumerate().take(64).filter(|(i, _)| bits >> i & 1 != 0);
    let length: usize = chosen
        .map(|(_, a)| match a.get(row) {
            ValueRef::Bytes(b) => b.len() + usize::from(ty.collation.charset.mbminlen),
            _ => 0,
        })
        .sum();
    if c.exceeds(length.saturating_sub(usize::from(ty.collation.charset.mbminlen))) {
        return c.too_long();
    }
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
    let (Some(bits), Some(on), Some(off)) = (c.bits(0), c.bytes(1), c.bytes(2)) else { return c.null() };
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
    let ons = (0..n).filter(|i| bits >> i & 1 != 0).count();
    let length = on.len() * ons + off.len() * (n - ons) + separator.len() * n.saturating_sub(1);
    if c.exceeds(length) {
        return c.too_long();
    }
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
