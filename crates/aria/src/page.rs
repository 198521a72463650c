//! The pages of `.MAD`: heads of rows, tails, pages full of data, and the maps of free space between them.

use crate::header::Header;
use crate::{Error, PAGE, little};

/// Every page of this number is a map: three bits each for the pages behind it.
const MAP_EVERY: usize = 21825;
/// Kinds of pages, in the low bits of byte 7.
const HEAD: u8 = 1;
const TAIL: u8 = 2;
const FULL: u8 = 3;
const KIND: u8 = 7;
/// Where rows and data begin.
const ROWS: usize = 12;
const DATA: usize = 8;
/// Where the checksum is; the directory of rows ends there.
const END: usize = PAGE - 4;

/// The data file.
#[derive(Debug)]
pub(crate) struct Pages<'f> {
    data: &'f [u8],
    checksums: bool,
}

impl<'f> Pages<'f> {
    pub fn new(data: &'f [u8], header: &Header) -> Result<Pages<'f>, Error> {
        let length = usize::try_from(header.data_len).ok().filter(|l| l.is_multiple_of(PAGE));
        let data = length.and_then(|l| data.get(..l)).ok_or(Error::Damaged("the data file is short", 0))?;
        Ok(Pages { data, checksums: header.page_checksums })
    }

    /// A page of this kind.
    fn page(&self, number: usize, kind: u8) -> Result<&'f [u8], Error> {
        let start = number.checked_mul(PAGE);
        let page = start.and_then(|s| self.data.get(s..)?.get(..PAGE));
        let page = page.ok_or(Error::Damaged("a page beyond the end", number))?;
        if number.is_multiple_of(MAP_EVERY) || page[7] & KIND != kind {
            return Err(Error::Damaged("a page of another kind", number));
        }
        if self.checksums {
            let mut sum = crc32fast::Hasher::new_with_initial(number as u32);
            sum.update(&page[..END]);
            if page[END..] != sum.finalize().to_le_bytes() {
                return Err(Error::Damaged("the checksum", number));
            }
        }
        Ok(page)
    }

    /// Place `entry` of a page's directory; `None` when it is free.
    fn entry(page: &'f [u8], number: usize, entry: usize) -> Result<Option<&'f [u8]>, Error> {
        let count = usize::from(page[8]);
        if entry >= count {
            return Err(Error::Damaged("a row that its page has not", number));
        }
        let at = END - 4 * (entry + 1);
        let (offset, length) = (little(&page[at..at + 2]) as usize, little(&page[at + 2..at + 4]) as usize);
        if offset == 0 {
            return Ok(None);
        }
        let bytes = page[..END - 4 * count].get(offset..offset + length).filter(|_| offset >= ROWS);
        bytes.map(Some).ok_or(Error::Damaged("the directory of rows", number))
    }

    /// The heads of all rows, with the numbers of their pages.
    pub fn heads(&self) -> impl Iterator<Item = Result<(usize, &'f [u8]), Error>> + '_ {
        let of_page = move |number: usize| -> Result<Vec<(usize, &'f [u8])>, Error> {
            let page = self.page(number, HEAD)?;
            let mut rows = Vec::new();
            for entry in 0..usize::from(page[8]) {
                rows.extend(Pages::entry(page, number, entry)?.map(|bytes| (number, bytes)));
            }
            Ok(rows)
        };
        (0..self.data.len() / PAGE)
            .filter(|n| !n.is_multiple_of(MAP_EVERY) && self.data[n * PAGE + 7] & KIND == HEAD)
            .flat_map(move |number| match of_page(number) {
                Ok(rows) => rows.into_iter().map(Ok).collect::<Vec<_>>(),
                Err(e) => vec![Err(e)],
            })
    }

    /// Puts the data of `count` full pages behind `out`, up to `limit` bytes.
    pub fn full(&self, first: usize, count: usize, limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        for number in first..first.saturating_add(count) {
            let room = limit.saturating_sub(out.len()).min(END - DATA);
            out.extend_from_slice(&self.page(number, FULL)?[DATA..DATA + room]);
        }
        Ok(())
    }

    /// Puts a tail behind `out`, up to `limit` bytes.
    pub fn tail(&self, number: usize, entry: usize, limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        let bytes = Pages::entry(self.page(number, TAIL)?, number, entry)?;
        let bytes = bytes.ok_or(Error::Damaged("a tail that is free", number))?;
        out.extend_from_slice(&bytes[..bytes.len().min(limit.saturating_sub(out.len()))]);
        Ok(())
    }
}
