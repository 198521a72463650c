//! The head of a compressed data file: how each column is coded, and the trees.

use super::bits::BitReader;
use super::tree::Tree;
use crate::error::{Error, Result};
use crate::myi::{ColumnKind, Header};
use crate::row::view::{ColumnForm, RowLayout};

/// Bytes of the fixed part of the head.
pub const HEAD: usize = 32;

/// The first bytes; the version follows.
pub(crate) const MAGIC: [u8; 3] = [0xFE, 0xFE, 0x08];

/// A bit says whether the spaces at an end are counted.
pub(crate) const FLAG_SELECTED: u8 = 1;
/// A bit says whether all is spaces.
pub(crate) const FLAG_SPACES: u8 = 2;
/// The last bytes are always zero.
pub(crate) const FLAG_ZERO_FILL: u8 = 4;

/// How the bytes of a column come about; the numbers are those of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// Byte by byte.
    Normal = 0,
    /// Spaces at the end are counted.
    EndSpace = 1,
    /// Spaces at the beginning are counted.
    PreSpace = 2,
    /// A bit says whether all is zero.
    SkipZero = 3,
    /// A bit says whether it is empty; length and bytes.
    Blob = 4,
    /// The same in all rows.
    Constant = 5,
    /// A number of a table of values.
    Interval = 6,
    /// All zero.
    Zero = 7,
    /// As [`Base::Blob`].
    Varchar = 8,
}

/// How a column is coded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coding {
    pub base: Base,
    /// The bits of `FLAG_...`.
    pub flags: u8,
    /// Bits of a length, or bytes that are always zero.
    pub length_bits: u32,
    /// Number of its tree.
    pub tree: usize,
}

/// What the head of a compressed table's data file says.
#[derive(Debug)]
pub struct Compression {
    /// Offset of the first row.
    pub first_row: u64,
    /// Bytes of the shortest packed row.
    pub shortest: u64,
    /// Bytes of the longest.
    pub longest: u64,
    /// Bytes of the longest head of a row.
    pub longest_prefix: u8,
    /// Bytes of row pointers in keys, for tables that had fixed rows.
    pub pointer: u8,
    /// Bytes of row pointers as the head of the `.MYI` has them.
    pub plain_pointer: u8,
    /// The form of lengths: 1 (old) or 2.
    pub(crate) version: u8,
    /// Rows tell how many bytes their BLOBs have.
    pub(crate) has_blobs: bool,
    /// One for each column definition of the `.MYI`.
    pub(crate) codings: Vec<Coding>,
    pub(crate) trees: Vec<Tree>,
}

fn bad(what: &'static str) -> Error {
    Error::Row { pos: 0, what }
}

fn le4(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 4).map_or(0, |b| b.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
}

/// Bytes of the head, read from its first [`HEAD`] bytes.
///
/// # Errors
/// 127 if these do not begin a compressed data file.
pub fn head_length(start: &[u8]) -> Result<u64> {
    // the version is not looked at by other programs: all but the first are the second
    if start.len() < HEAD || start[..3] != MAGIC {
        return Err(bad("the data file of a compressed table has another beginning"));
    }
    match le4(start, 4) {
        n if n >= HEAD as u64 => Ok(n),
        _ => Err(bad("length of the head")),
    }
}

impl Compression {
    /// Bytes of row pointers in the keys of the table, when they are not those its `.MYI` tells: tables that had fixed rows point to
    /// them by offset now.
    #[must_use]
    pub fn pointer_of(header: &Header, start: &[u8]) -> Option<u8> {
        use crate::myi::option::{PACK_RECORD, TEMP_COMPRESS_RECORD};
        let was_fixed = header.options & (PACK_RECORD | TEMP_COMPRESS_RECORD) == 0;
        start.get(27).copied().filter(|n| was_fixed && (1..=8).contains(n))
    }

    /// Reads the head, of which these are all bytes, of the table with these rows.
    ///
    /// # Errors
    /// 127 if it is damaged, or that of another table.
    pub fn read(bytes: &[u8], layout: &RowLayout) -> Result<Compression> {
        let first_row = head_length(bytes)?;
        if bytes.len() as u64 != first_row {
            return Err(bad("the head is cut off"));
        }
        let (shortest, longest) = (le4(bytes, 8), le4(bytes, 12));
        let trees = usize::from(u16::from_le_bytes([bytes[24], bytes[25]]));
        if trees > layout.stored.len() || trees == 0 && !layout.stored.is_empty() {
            return Err(bad("number of trees"));
        }
        let mut bits = BitReader::new(bytes);
        bits.take_bytes(HEAD);
        let tree_bits = usize::BITS - trees.saturating_sub(1).leading_zeros();
        let mut codings = Vec::with_capacity(layout.stored.len());
        for _ in &layout.stored {
            let base = base(bits.take(5)).ok_or_else(|| bad("kind of a column"))?;
            let (flags, length_bits) = (bits.take(6) as u8, bits.take(5));
            let tree = bits.take(tree_bits.max(1)) as usize;
            codings.push(Coding { base, flags, length_bits, tree });
        }
        let mut read = Vec::with_capacity(trees);
        for _ in 0..trees {
            read.push(Tree::read(&mut bits).ok_or_else(|| bad("a tree"))?);
        }
        if bits.align() as u64 != first_row || bits.overrun() {
            return Err(bad("length of the head"));
        }
        let has_blobs = layout.stored.iter().any(|s| s.kind == ColumnKind::Blob);
        let compression = Compression {
            first_row,
            shortest,
            longest,
            longest_prefix: bytes[26],
            pointer: bytes[27],
            plain_pointer: bytes[27],
            version: bytes[3],
            has_blobs,
            codings,
            trees: read,
        };
        compression.check(layout)?;
        Ok(compression)
    }

    /// Whether each column can be decoded as it is coded.
    fn check(&self, layout: &RowLayout) -> Result<()> {
        for (coding, column) in self.codings.iter().zip(&layout.stored) {
            let tree = self.trees.get(coding.tree).ok_or_else(|| bad("number of a tree"))?;
            let length = column.length as usize;
            let table = tree.table.as_ref().map(Vec::len);
            let trees_fit = match coding.base {
                Base::Constant => table.is_some_and(|n| n >= length),
                Base::Interval => table.is_some_and(|n| n / length.max(1) >= tree.elements.max(1)),
                Base::Zero => true,
                _ => table.is_none(),
            };
            let counts = matches!(coding.base, Base::Blob | Base::Varchar);
            let form_fits = match column.form {
                ColumnForm::Blob(_) => matches!(coding.base, Base::Blob | Base::Zero),
                ColumnForm::Varchar(_) => coding.base != Base::Blob,
                _ => !counts,
            };
            let zeros = coding.flags & FLAG_ZERO_FILL != 0;
            if !trees_fit || !form_fits || zeros && coding.length_bits as usize > length {
                return Err(bad("a column is coded as it cannot be"));
            }
        }
        Ok(())
    }
}

fn base(number: u32) -> Option<Base> {
    Some(match number {
        0 => Base::Normal,
        1 => Base::EndSpace,
        2 => Base::PreSpace,
        3 => Base::SkipZero,
        4 => Base::Blob,
        5 => Base::Constant,
        6 => Base::Interval,
        // obsolete kinds are nothing but zeros, too
        7 | 9 => Base::Zero,
        8 => Base::Varchar,
        _ => return None,
    })
}
