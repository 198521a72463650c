//! Pointers to rows and pages, as numbers and as bytes.

/// A row pointer as stored in index entries: the row's number (fixed rows) or byte offset (dynamic, compressed).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowPos(pub u64);

/// A row pointer as entries hold it, in `out[..n]` big-endian.
#[inline]
pub(crate) fn put_pointer(value: u64, n: usize, out: &mut Vec<u8>) {
    let bytes = value.to_be_bytes();
    out.extend_from_slice(&bytes[8 - n.min(8)..]);
}

/// A big-endian pointer of up to 8 bytes.
#[inline]
pub(crate) fn pointer(b: &[u8]) -> u64 {
    b.iter().fold(0, |n, &x| n << 8 | u64::from(x))
}
