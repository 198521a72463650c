//! Rows: head, lengths, values, and what of them is on other pages.

use crate::header::{Column, Header, Kind};
use crate::page::Pages;
use crate::{Error, Row, little};

/// Flag: six bytes with the transaction that wrote the row follow. After a clean end all of them have committed.
const TRANSACTION: u8 = 0x01;
/// Flag: parts of the row are on other pages.
const EXTENTS: u8 = 0x80;
/// Bytes of a reference to other pages.
const EXTENT: usize = 7;
/// Longest data of a row without its BLOBs: VARCHARs of the longest record.
const MOST: usize = 1 << 20;

/// Pages where a part of the row is.
struct Extent {
    page: usize,
    /// Number of pages, or the place on a page of tails.
    count: usize,
    tail: bool,
    /// The first of a BLOB's.
    starts_blob: bool,
}

impl Extent {
    fn read(bytes: &[u8]) -> Extent {
        let count = little(&bytes[5..7]) as usize;
        Extent {
            page: little(&bytes[..5]) as usize,
            count: count & 0x3fff,
            tail: count & 0x8000 != 0,
            starts_blob: count & 0x4000 != 0,
        }
    }

    /// Room that was reserved and not needed.
    fn unused(&self) -> bool {
        self.page == 0
    }
}

/// Bytes to take from, front to back.
struct Bytes<'a> {
    rest: &'a [u8],
    page: usize,
}

impl<'a> Bytes<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or(Error::Damaged("a row's end", self.page))?;
        self.rest = rest;
        Ok(taken)
    }

    /// A number: one byte, or two behind 255.
    fn number(&mut self) -> Result<usize, Error> {
        match self.take(1)?[0] {
            0xff => Ok(self.take(2)?.iter().fold(0, |n, b| n << 8 | usize::from(*b))),
            small => Ok(usize::from(small)),
        }
    }
}

fn bit(bytes: &[u8], (byte, bit): (usize, u8)) -> bool {
    bit != 0 && bytes.get(byte).is_some_and(|b| b & bit != 0)
}

/// Reads the row whose head is `head`, on page `page`.
pub(crate) fn read(header: &Header, pages: &Pages<'_>, page: usize, head: &[u8]) -> Result<Row, Error> {
    let damaged = |what| Error::Damaged(what, page);
    let mut head = Bytes { rest: head, page };
    let flags = head.take(1)?[0];
    if flags & !(TRANSACTION | EXTENTS) != 0 {
        return Err(damaged("unknown flags of a row"));
    }
    if flags & TRANSACTION != 0 {
        head.take(6)?;
    }
    let mut extents = Vec::new();
    let mut more = 0;
    if flags & EXTENTS != 0 {
        more = head.number()?.checked_sub(1).ok_or(damaged("a list of no pages"))?;
        extents.push(Extent::read(head.take(EXTENT)?));
    }
    let length_bytes = if header.lengths { head.number()? } else { 0 };
    head.take(usize::from(header.row_checksums))?;
    let nulls = head.take(header.null_bytes)?;
    let empties = head.take(header.empty_bytes)?;
    extents.extend(head.take(more * EXTENT)?.chunks_exact(EXTENT).map(Extent::read));

    let mut row: Row = vec![None; header.columns.len()];
    for column in header.columns.iter().filter(|c| c.fixed()) {
        row[column.number] = Some(head.take(column.width)?.to_vec());
    }
    let mut lengths = Bytes { rest: head.take(length_bytes)?, page };

    // Which columns have data, and how much.
    let mut here: Vec<(&Column, usize)> = Vec::with_capacity(header.columns.len());
    for column in header.columns.iter().filter(|c| !c.fixed()) {
        if bit(nulls, column.null) {
            continue;
        }
        if bit(empties, column.empty) {
            let zeros = if column.kind == Kind::NoZeros { column.width } else { 0 };
            row[column.number] = Some(vec![0; zeros]);
            continue;
        }
        let length = match column.length_bytes {
            0 => column.width,
            n => little(lengths.take(n)?) as usize,
        };
        let most = match column.kind {
            Kind::Blob => usize::MAX,
            Kind::Varchar => column.width - column.length_bytes,
            _ => column.width,
        };
        if length > most {
            return Err(damaged("a value longer than its column"));
        }
        here.push((column, length));
    }
    if !lengths.rest.is_empty() {
        return Err(damaged("lengths without a column"));
    }

    // Pages of the BLOBs: the last ones that have data. What comes before continues the head.
    let mut groups: Vec<&[Extent]> = extents.chunk_by(|_, next| !next.starts_blob).collect();
    let mut beyond = Vec::new();
    if groups.first().is_some_and(|g| !g[0].starts_blob) {
        beyond = gather(pages, groups.remove(0), MOST)?;
    }
    let blobs = here.iter().filter(|(c, _)| c.kind == Kind::Blob).count();
    let inside = blobs.checked_sub(groups.len()).ok_or(damaged("pages of a BLOB that is not there"))?;
    let mut beyond = Bytes { rest: &beyond, page };
    let (mut blob, mut left_head) = (0, false);
    for (column, length) in here {
        if column.kind == Kind::Blob {
            blob += 1;
            if blob > inside {
                let bytes = gather(pages, groups[blob - inside - 1], length)?;
                if bytes.len() != length {
                    return Err(damaged("a BLOB's end is missing"));
                }
                row[column.number] = Some(bytes);
                continue;
            }
        }
        // A value stands in the head when it fits whole; from the first that does not, all are beyond.
        left_head |= head.rest.len() < length;
        let from = if left_head { &mut beyond } else { &mut head };
        row[column.number] = Some(from.take(length)?.to_vec());
    }
    Ok(row)
}

/// The bytes on the pages of a list, up to `limit`.
fn gather(pages: &Pages<'_>, extents: &[Extent], limit: usize) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    for extent in extents.iter().filter(|e| !e.unused()) {
        if extent.tail {
            pages.tail(extent.page, extent.count, limit, &mut out)?;
        } else {
            pages.full(extent.page, extent.count, limit, &mut out)?;
        }
    }
    Ok(out)
}
