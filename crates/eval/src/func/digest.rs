//! Digests and encodings of bytes.

use super::digits::write_hex;
use super::pure;
use super::{Call, Definition, Resolve, Stops};
use crate::error::SqlResult;
use crate::old_password;
use crate::types::{Derivation, FieldType};

pub(super) const LIST: &[Definition] = &[
    pure("md5", 1, 1, |r| digest_type(r, 32), digest::<md5::Md5>),
    pure("sha1", 1, 1, |r| digest_type(r, 40), digest::<sha1::Sha1>),
    pure("sha2", 2, 2, sha2_type, sha2).stopping(Stops::Each),
    super::statement("password", 1, 1, password_type, password),
    pure("old_password", 1, 1, |r| Ok(digest_type(r, 16)?.with_nullable(true)), old_password),
    pure("to_base64", 1, 1, to_base64_type, to_base64),
    pure("from_base64", 1, 1, from_base64_type, from_base64),
];

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

/// Bytes between two looks at whether the statement was killed.
const PART: usize = 1 << 20;

/// The digest of bytes, in hexadecimal digits.
fn digest_of<D: sha2::Digest>(b: &[u8], c: &Call<'_, '_>) -> SqlResult<Vec<u8>> {
    let mut d = D::new();
    for part in b.chunks(PART) {
        c.ctx.check_killed()?;
        d.update(part);
    }
    Ok(lower_hex(&d.finalize()))
}

fn digest<D: sha2::Digest>(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match c.bytes(0) {
        Some(b) => {
            let t = digest_of::<D>(b, c)?;
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
        Some(crate::types::Value::Int(0 | 256) | crate::types::Value::Null) => 64,
        _ => 128,
    };
    Ok(r.ascii_text(bits).with_nullable(true))
}

fn sha2(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    // a length that is NULL is none, as 0 is
    let t = match c.int(1).unwrap_or(0) {
        0 | 256 => digest_of::<sha2::Sha256>(b, c)?,
        224 => digest_of::<sha2::Sha224>(b, c)?,
        384 => digest_of::<sha2::Sha384>(b, c)?,
        512 => digest_of::<sha2::Sha512>(b, c)?,
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
    c.put_ascii(&t)
}

fn password_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let chars = if r.ctx.old_passwords { old_password::LENGTH } else { 41 };
    digest_type(r, chars as u64)
}

fn old_password(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match c.bytes(0) {
        Some(b) => c.put_ascii(old_password::text(b).as_bytes()),
        None => c.null(),
    }
}

fn password(c: &mut Call<'_, '_>) -> SqlResult<()> {
    use sha1::Digest;
    if c.ctx.old_passwords {
        return old_password(c);
    }
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

/// What each byte stands for; 64 for nothing.
const SIX_BITS: [u8; 256] = {
    let mut table = [64; 256];
    let mut digit = 0;
    while digit < 64 {
        table[BASE64[digit] as usize] = digit as u8;
        digit += 1;
    }
    table
};

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn to_base64_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let n = r.text_bytes(0)?;
    let chars = n.div_ceil(3) * 4;
    Ok(r.ascii_text(chars + chars.saturating_sub(1) / 76).with_nullable(true))
}

fn to_base64(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let length = b.len().div_ceil(3).saturating_mul(4);
    if c.exceeds(length + length.saturating_sub(1) / 76) {
        return c.too_long();
    }
    let mut out = Vec::with_capacity(length + length / 76);
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
    let n = r.text_bytes(0)?;
    r.plain_text(0)?;
    Ok(FieldType::string(n.div_ceil(4) * 3, charset::binary(), Derivation::Coercible).with_nullable(true))
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
        } else if SIX_BITS[usize::from(*x)] < 64 && padding == 0 {
            v = v << 6 | u32::from(SIX_BITS[usize::from(*x)]);
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
