//! COMPRESS, UNCOMPRESS, UNCOMPRESSED_LENGTH: four bytes of length, low byte first, and a zlib stream.

use super::pure;
use super::{Call, Definition, Resolve};
use crate::error::{
    ER_TOO_BIG_FOR_UNCOMPRESS, ER_ZLIB_Z_BUF_ERROR, ER_ZLIB_Z_DATA_ERROR, SqlError, SqlResult,
};
use crate::types::{Derivation, FieldType, Kind};
use flate2::{Compression, Decompress, FlushDecompress, Status};
use std::io::Write;

pub(super) const LIST: &[Definition] = &[
    pure("compress", 1, 1, compress_type, compress),
    pure("uncompress", 1, 1, uncompress_type, uncompress),
    pure("uncompressed_length", 1, 1, length_type, uncompressed_length),
];

/// Bytes between two looks at whether the statement was killed.
const PART: usize = 1 << 20;
/// A byte of a zlib stream stands for this many bytes at most.
const RATIO: usize = 1032;
/// Length of the length.
const HEAD: usize = 4;

fn compress_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let n = r.text_bytes(0)?;
    Ok(FieldType::string(n * 120 / 100 + 12, charset::binary(), Derivation::Coercible).with_nullable(true))
}

fn compress(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    if b.is_empty() {
        return c.put_bytes(b"");
    }
    let head = (b.len() as u32 & LENGTH).to_le_bytes();
    let mut encoder = flate2::write::ZlibEncoder::new(head.to_vec(), Compression::default());
    for part in b.chunks(PART) {
        c.ctx.check_killed()?;
        encoder.write_all(part).map_err(|e| SqlError::internal(e.to_string()))?;
    }
    let mut out = encoder.finish().map_err(|e| SqlError::internal(e.to_string()))?;
    if out.last() == Some(&b' ') {
        // a CHAR column would lose the blank
        out.push(b'.');
    }
    if c.exceeds(out.len()) {
        return c.too_long();
    }
    c.put_bytes(&out)
}

fn uncompress_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let t = super::longest_text(charset::binary(), Derivation::Coercible);
    Ok(t.with_nullable(true))
}

/// The bits of the first four bytes that count.
const LENGTH: u32 = 0x3fff_ffff;

/// The length stored in the first four bytes; a warning when nothing follows them.
fn stored_length(b: &[u8], c: &mut Call<'_, '_>) -> Option<usize> {
    match b.split_first_chunk::<HEAD>() {
        Some((head, [_, ..])) => Some((u32::from_le_bytes(*head) & LENGTH) as usize),
        _ => {
            c.ctx.warnings.warn(ER_ZLIB_Z_DATA_ERROR, &[]);
            None
        }
    }
}

fn uncompress(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    if b.is_empty() {
        return c.put_bytes(b"");
    }
    let Some(length) = stored_length(b, c) else { return c.null() };
    let most = c.ctx.max_allowed_packet;
    if length > most {
        c.ctx.warnings.warn(ER_TOO_BIG_FOR_UNCOMPRESS, &[&most]);
        return c.null();
    }
    match inflate(&b[HEAD..], length, c)? {
        Ok(out) => c.put_bytes(&out),
        Err(code) => {
            c.ctx.warnings.warn(code, &[]);
            c.null()
        }
    }
}

/// The bytes of a zlib stream, `length` at most, or the number of the warning.
fn inflate(mut from: &[u8], length: usize, c: &Call<'_, '_>) -> SqlResult<Result<Vec<u8>, u16>> {
    let length_of_all = length.min(from.len().saturating_mul(RATIO));
    let mut out = Vec::with_capacity(length_of_all);
    let mut stream = Decompress::new(true);
    loop {
        c.ctx.check_killed()?;
        let part = &from[..from.len().min(PART)];
        let (read, written) = (stream.total_in(), out.len());
        let Ok(status) = stream.decompress_vec(part, &mut out, FlushDecompress::None) else {
            return Ok(Err(ER_ZLIB_Z_DATA_ERROR));
        };
        if out.len() > length {
            return Ok(Err(ER_ZLIB_Z_BUF_ERROR));
        }
        if status == Status::StreamEnd {
            return Ok(Ok(out));
        }
        let read = (stream.total_in() - read) as usize;
        from = &from[read..];
        if read == 0 && out.len() == written {
            if out.len() < out.capacity() {
                return Ok(Err(ER_ZLIB_Z_DATA_ERROR));
            }
            if out.len() >= length {
                return Ok(Err(ER_ZLIB_Z_BUF_ERROR));
            }
            out.reserve(length.min(PART));
        }
    }
}

fn length_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    Ok(FieldType::new(Kind::Long, 10, 0).with_nullable(true))
}

fn uncompressed_length(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    if b.is_empty() {
        return c.put_int(0);
    }
    match stored_length(b, c) {
        Some(length) => c.put_int(length as i64),
        None => c.null(),
    }
}
