//! Reads Aria tables (ROW_FORMAT=PAGE) that MariaDB has closed cleanly: its system tables, in which the accounts are.
//!
//! Nothing is written, no key is used, and the log of Aria is not known: a table that was open when its server died is
//! refused. The layout was found by looking at files; `docs/decisions/0050-aria-as-found.md` tells it and how it was found.

mod header;
mod page;
mod row;

pub use header::{Column, Kind};

use header::Header;
use page::Pages;

/// Bytes of a page. Servers started with another `aria_block_size` are refused.
pub const PAGE: usize = 8192;

/// Why a table cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Not the index file of an Aria table.
    #[error("not an Aria table")]
    NotAria,
    /// An Aria table of a form that is not read here.
    #[error("its form is not known here: {0}")]
    Unknown(&'static str),
    /// The server had the table open and did not close it: what is missing is in Aria's log.
    #[error("it was not closed: MariaDB did not stop cleanly")]
    NotClosed,
    /// Marked as crashed.
    #[error("it is marked as crashed")]
    Crashed,
    /// The bytes contradict themselves.
    #[error("it is damaged: {0} (page {1})")]
    Damaged(&'static str, usize),
}

/// The values of a row by column number; `None` is NULL.
pub type Row = Vec<Option<Vec<u8>>>;

/// A table: both its files in memory.
#[derive(Debug)]
pub struct Table<'f> {
    header: Header,
    pages: Pages<'f>,
}

impl<'f> Table<'f> {
    /// Takes the contents of `.MAI` and `.MAD`.
    ///
    /// # Errors
    /// A table of another form, one that was not closed, and damage that the header shows.
    pub fn new(index: &[u8], data: &'f [u8]) -> Result<Table<'f>, Error> {
        let header = Header::parse(index)?;
        let pages = Pages::new(data, &header)?;
        Ok(Table { header, pages })
    }

    /// The columns, in the order of the file. Their numbers are those of the definition without its virtual columns.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.header.columns
    }

    /// Rows that the header counts.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.header.rows
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All rows, in the order of the file. After an error there are no more.
    pub fn rows(&self) -> impl Iterator<Item = Result<Row, Error>> + '_ {
        let mut heads = self.pages.heads();
        let (mut found, mut over) = (0, false);
        std::iter::from_fn(move || {
            if over {
                return None;
            }
            let next = match heads.next() {
                Some(Ok((page, bytes))) => {
                    found += 1;
                    row::read(&self.header, &self.pages, page, bytes)
                }
                Some(Err(e)) => Err(e),
                None if found == self.header.rows => {
                    over = true;
                    return None;
                }
                None => Err(Error::Damaged("rows are missing, or there are too many", 0)),
            };
            over = next.is_err();
            Some(next)
        })
    }
}

/// Two bytes, high byte first.
fn big16(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
}

/// Eight bytes, high byte first.
fn big64(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_be_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// Up to eight bytes, low byte first.
fn little(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b))
}
