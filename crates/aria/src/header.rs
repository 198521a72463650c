//! The head of `.MAI`: state, numbers chosen at CREATE, columns.

use crate::{Error, PAGE, big16, big64};

/// Start of every index file of this version.
const MAGIC: [u8; 4] = [0xfe, 0xfe, 0x09, 0x03];
/// Option: a checksum of each row stands in it.
const ROW_CHECKSUMS: usize = 0x20;
/// Option: pages end in their checksum.
const PAGE_CHECKSUMS: usize = 0x0800;
/// Mark of a row format: pages.
const PAGED: u8 = 3;
/// State: crashed.
const CRASHED: usize = 2;

/// How the values of a column are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Always all bytes.
    Plain,
    /// All bytes, or none when all are zero.
    NoZeros,
    /// CHAR without the spaces at its end.
    Char,
    /// VARCHAR.
    Varchar,
    /// BLOB and TEXT.
    Blob,
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Number in the definition.
    pub number: usize,
    /// How it is stored.
    pub kind: Kind,
    /// Bytes in a record of the server: VARCHAR with its length bytes, BLOB with length and pointer.
    pub width: usize,
    /// Bytes of a stored length; 0 for columns that have none.
    pub(crate) length_bytes: usize,
    /// Byte and bit among the NULL bits; no bit when it is NOT NULL.
    pub(crate) null: (usize, u8),
    /// Byte and bit among the bits of empty values; no bit for plain columns.
    pub(crate) empty: (usize, u8),
}

impl Column {
    /// Whether the column stands before the lengths.
    pub(crate) fn fixed(&self) -> bool {
        self.kind == Kind::Plain && self.null.1 == 0
    }
}

#[derive(Debug)]
pub(crate) struct Header {
    pub rows: u64,
    pub data_len: u64,
    pub page_checksums: bool,
    pub row_checksums: bool,
    /// Whether rows have a list of lengths.
    pub lengths: bool,
    pub null_bytes: usize,
    pub empty_bytes: usize,
    pub columns: Vec<Column>,
}

impl Header {
    pub fn parse(index: &[u8]) -> Result<Header, Error> {
        if index.get(..4) != Some(&MAGIC) {
            return Err(Error::NotAria);
        }
        let damaged = |what| Error::Damaged(what, 0);
        let short = || damaged("the head of the index file is short");
        let at = |at: usize| big16(index, at).ok_or_else(short);
        let (options, length, base) = (at(4)?, at(6)?, at(0x0c)?);
        if index.get(0x16..0x18) != Some(&[PAGED, PAGED]) {
            return Err(Error::Unknown("its rows are not in pages"));
        }
        if at(base + 0x64)? != PAGE {
            return Err(Error::Unknown("the size of its pages"));
        }
        if at(0x18)? != 0 {
            return Err(Error::NotClosed);
        }
        if at(0x1a)? & CRASHED != 0 {
            return Err(Error::Crashed);
        }
        let rows = big64(index, 0x31).ok_or_else(short)?;
        let data_len = big64(index, 0x61).ok_or_else(short)?;
        let (count, packed, null_bytes) = (at(base + 0x50)?, at(base + 0x58)?, at(base + 0x5c)?);
        let empty_bytes = packed.div_ceil(8);
        let start = length.checked_sub(22 * count).ok_or_else(|| damaged("too many columns"))?;
        let list = index.get(start..length).ok_or_else(short)?;
        let mut seen = vec![false; count];
        let mut columns = Vec::with_capacity(count);
        for d in list.chunks_exact(20).take(count) {
            let column = column(d)?;
            let fits = |(byte, bit): (usize, u8), bytes| bit == 0 || bit.is_power_of_two() && byte < bytes;
            if !fits(column.null, null_bytes) || !fits(column.empty, empty_bytes) {
                return Err(damaged("a column has no place for its bits"));
            }
            match seen.get_mut(column.number) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(damaged("numbers of columns")),
            }
            columns.push(column);
        }
        Ok(Header {
            rows,
            data_len,
            page_checksums: options & PAGE_CHECKSUMS != 0,
            row_checksums: options & ROW_CHECKSUMS != 0,
            lengths: at(base + 0x56)? != 0,
            null_bytes,
            empty_bytes,
            columns,
        })
    }
}

/// One of the descriptions of columns, 20 bytes.
fn column(d: &[u8]) -> Result<Column, Error> {
    let at = |at: usize| big16(d, at).unwrap_or(0);
    let (number, kind, width, fill) = (at(0), at(4), at(6), at(8));
    let damaged = Err(Error::Damaged("a column's width", 0));
    let (kind, length_bytes) = match kind {
        0 => (Kind::Plain, 0),
        3 => (Kind::NoZeros, 0),
        1 => (Kind::Char, if width < 256 { 1 } else { 2 }),
        8 if matches!(fill, 1 | 2) && width >= fill => (Kind::Varchar, fill),
        4 if (9..=12).contains(&width) => (Kind::Blob, width - 8),
        4 | 8 => return damaged,
        _ => return Err(Error::Unknown("a column's kind")),
    };
    Ok(Column { number, kind, width, length_bytes, null: (at(10), d[14]), empty: (at(12), d[15]) })
}
