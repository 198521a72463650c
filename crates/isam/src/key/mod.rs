//! Keys: what an entry of an index page is, how it is built from a row, compared, packed and read back.

use std::cmp::Ordering;

use std::sync::Arc;

use charset::{ByteOrder, Collation, KeyPad};

use crate::error::{Error, Result};
use crate::myi::{KeyDefinition, key_flag, seg_flag};
use crate::row::view::Pad;

pub(crate) mod collect;
pub mod compare;
pub mod decode;
pub mod encode;
pub mod long_hash;
pub mod pack;
pub(crate) mod rules;
pub(crate) mod runs;
pub(crate) mod sort;
pub(crate) mod weights;

/// Longest flat key with row pointer that any table opened here has, in bytes.
pub const MAX_FLAT_KEY: usize = crate::myi::header::MAX_KEY_BUFFER as usize + 8;

/// Bytes of the longest word of a FULLTEXT key.
pub const MAX_WORD: usize = 254;
/// Bytes of a weight.
pub(crate) const WEIGHT_BYTES: usize = 4;

/// How values of a segment compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SegmentType {
    Text,
    Binary,
    Int16,
    Int32,
    Float,
    Double,
    Num,
    Uint16,
    Uint32,
    Int64,
    Uint64,
    Int24,
    Uint24,
    Int8,
    VarText,
    VarBinary,
    Bit,
    /// Carried along, not compared: what a full-text entry has behind its word.
    Carried,
}

impl SegmentType {
    pub(crate) fn from_number(n: u8) -> Option<SegmentType> {
        use SegmentType::*;
        Some(match n {
            1 => Text,
            2 => Binary,
            3 => Int16,
            4 => Int32,
            5 => Float,
            6 => Double,
            7 => Num,
            8 => Uint16,
            9 => Uint32,
            10 => Int64,
            11 => Uint64,
            12 => Int24,
            13 => Uint24,
            14 => Int8,
            15 | 17 => VarText,
            16 | 18 => VarBinary,
            19 => Bit,
            _ => return None,
        })
    }

    /// Bytes of a number of this type, or `None` if the length is the segment's.
    pub(crate) fn width(self) -> Option<usize> {
        use SegmentType::*;
        Some(match self {
            Int8 => 1,
            Int16 | Uint16 => 2,
            Int24 | Uint24 => 3,
            Int32 | Uint32 | Float => 4,
            Int64 | Uint64 | Double => 8,
            _ => return None,
        })
    }
}

/// A segment (part) of a key.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Column of the table.
    pub column: usize,
    /// Kind of comparison.
    pub ty: SegmentType,
    /// The flags of [`seg_flag`].
    pub flag: u16,
    /// Largest number of bytes of the value.
    pub length: usize,
    /// Collation of the values.
    pub collation: &'static Collation,
    /// An entry starts with an indicator byte.
    pub nullable: bool,
    /// Descending.
    pub descending: bool,
    /// Value is stored with its length (VARCHAR, BLOB, space packed).
    pub(crate) counted: bool,
    /// Most characters of the value that go into the key, for character sets with characters of several bytes.
    pub(crate) chars: Option<usize>,
    /// Padding of fixed text.
    pub(crate) pad: Option<Pad>,
}

impl Segment {
    /// Is the value stored with its length in the row (VARCHAR, BLOB)?
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.flag & (seg_flag::VAR_LENGTH_PART | seg_flag::BLOB_PART) != 0
    }

    /// Does the entry hold the whole column value, so that it can answer for the column?
    #[must_use]
    pub fn covers(&self) -> bool {
        self.flag & (seg_flag::PART_KEY_SEG | seg_flag::BLOB_PART) == 0
            && !matches!(self.ty, SegmentType::Num)
    }
}

/// How entries lie in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// All of the same length.
    Fixed,
    /// Of variable length, not compressed.
    Variable,
    /// First segment compressed against the entry before.
    String,
    /// Whole entry compressed against the entry before.
    Binary,
}

/// First parts of a key that are one number: a single comparison tells their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fast {
    No,
    /// INT segments, NOT NULL, ascending, of so many bytes together; they are flipped so that they compare as unsigned.
    Four(u32),
    Eight(u64),
}

impl Fast {
    /// Of a single part.
    fn of(segment: &Segment) -> Fast {
        match segment.ty {
            _ if segment.descending || segment.counted => Fast::No,
            SegmentType::Int32 => Fast::Four(1 << 31),
            SegmentType::Uint32 => Fast::Four(0),
            SegmentType::Int64 => Fast::Eight(1 << 63),
            SegmentType::Uint64 => Fast::Eight(0),
            _ => Fast::No,
        }
    }

    /// Of the first part of a key, and of the first two.
    fn of_first(segments: &[Segment], packing: Packing) -> [Fast; 2] {
        // a number that may be NULL has a byte before it, in entries that are not all of one length
        match segments {
            [s] if s.nullable && packing == Packing::Variable => [Fast::of(s), Fast::No],
            // which a damaged definition may say of others
            [s, rest @ ..] if packing == Packing::Fixed && segments.iter().all(|s| !s.nullable) => {
                let both = match (Fast::of(s), rest.first().map(Fast::of)) {
                    (Fast::Four(a), Some(Fast::Four(b))) => Fast::Eight(u64::from(a) << 32 | u64::from(b)),
                    _ => Fast::No,
                };
                [Fast::of(s), both]
            }
            _ => [Fast::No; 2],
        }
    }
}

/// A key as it is worked with.
#[derive(Clone, Debug)]
pub struct KeyInfo {
    /// Its number in the table.
    pub number: usize,
    /// The flags of [`key_flag`].
    pub flag: u16,
    /// Bytes of a page.
    pub block_length: usize,
    /// Exact entry length of a fixed key (with row pointer).
    pub keylength: usize,
    /// Longest flat key with row pointer and overhead.
    pub maxlength: usize,
    /// The parts of its entries: those of the definition, but for FULLTEXT keys (a word and what it weighs). Empty for SPATIAL
    /// keys ([`crate::tree::spatial`]).
    pub segments: Vec<Segment>,
    /// Parts of the definition, which have statistics each.
    pub defined_parts: usize,
    /// What a FULLTEXT key has beside.
    pub fulltext: Option<Arc<FulltextKey>>,
    /// Column of the geometries of a SPATIAL key.
    pub geometry: Option<usize>,
    /// Number of its first part among all parts of the table (statistics).
    pub first_part: usize,
    /// How entries lie in a page.
    pub packing: Packing,
    /// Bytes of a row pointer.
    pub rec_ref: usize,
    /// Bytes of a page pointer.
    pub key_ref: usize,
    /// What it makes of a row, when it is a long unique key.
    pub long_hash: Option<Arc<long_hash::LongHash>>,
    pub(crate) fast: [Fast; 2],
    /// Weights of bytes, by which first parts are compressed; else by the bytes themselves.
    pub(crate) packed_by: Option<&'static [u8; 256]>,
    /// How values of the first part compare byte by byte, where they do ([`crate::tree::packed`]).
    pub(crate) by_bytes: Option<ByteOrder>,
}

/// What a FULLTEXT key has beside other keys.
#[derive(Clone, Debug)]
pub struct FulltextKey {
    /// Columns of the table from the last to the first of the key, the order in which texts are read.
    pub columns: Vec<usize>,
    /// Collation of all of them.
    pub collation: &'static Collation,
    /// Which words count.
    pub rules: Arc<fulltext::Rules>,
    /// Its words come from a parser that is not here.
    pub foreign_parser: bool,
    /// Layout of the trees that frequent words have of their own, if words may have them.
    pub second: Option<Arc<KeyInfo>>,
}

/// How the values of a key's first part compare byte by byte, where they are compressed.
fn compressed_order(packing: Packing, first: &Segment) -> Option<ByteOrder> {
    match packing {
        Packing::String => byte_order(first),
        Packing::Binary if first.counted => byte_order(first),
        Packing::Binary | Packing::Fixed | Packing::Variable => None,
    }
}

/// How the values of a part compare byte by byte: as [`compare::compare`] does.
fn byte_order(seg: &Segment) -> Option<ByteOrder> {
    match seg.ty {
        _ if seg.descending => None,
        SegmentType::Text => seg.collation.byte_order(KeyPad::Pad),
        SegmentType::VarText => seg.collation.byte_order(KeyPad::Own),
        SegmentType::Binary => Some(ByteOrder::bytes(seg.flag & seg_flag::SPACE_PACK != 0)),
        SegmentType::VarBinary => Some(ByteOrder::bytes(false)),
        _ => None,
    }
}

impl KeyInfo {
    /// The number that its first `parts` parts are together.
    #[inline]
    pub(crate) fn first_as_number(&self, parts: usize) -> Fast {
        match parts {
            1 | 2 => self.fast[parts - 1],
            _ => Fast::No,
        }
    }

    /// No two rows may be equal in it.
    #[must_use]
    pub fn is_unique(&self) -> bool {
        self.flag & key_flag::UNIQUE != 0
    }

    /// It may wait while rows come: it is neither unique nor SPATIAL nor the AUTO_INCREMENT key, whose number from 1 on
    /// the head of the file has as `auto_key`.
    pub(crate) fn may_wait(&self, auto_key: u8) -> bool {
        !self.is_unique()
            && self.long_hash.is_none()
            && self.flag & (key_flag::SPATIAL | key_flag::AUTO_KEY) == 0
            && usize::from(auto_key) != self.number + 1
    }

    /// A FULLTEXT key.
    #[must_use]
    pub fn is_fulltext(&self) -> bool {
        self.flag & key_flag::FULLTEXT != 0
    }

    /// A SPATIAL key.
    #[must_use]
    pub fn is_spatial(&self) -> bool {
        self.flag & key_flag::SPATIAL != 0
    }

    /// A key with one entry a row, made of column values: neither FULLTEXT nor SPATIAL.
    #[must_use]
    pub fn is_btree(&self) -> bool {
        self.flag & (key_flag::FULLTEXT | key_flag::SPATIAL) == 0
    }
}

/// Order of a search value against an entry when all compared parts are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tie<'a> {
    /// The search value stands before all entries equal to it.
    Before,
    /// The search value stands behind all entries equal to it.
    Behind,
    /// The row pointers (big-endian) decide.
    Pointer(&'a [u8]),
}

impl Tie<'_> {
    /// Order of an entry with this row pointer relative to the search value.
    #[inline]
    pub(crate) fn order(self, entry_pointer: &[u8]) -> Ordering {
        match self {
            Tie::Before => Ordering::Greater,
            Tie::Behind => Ordering::Less,
            Tie::Pointer(p) => entry_pointer.cmp(p),
        }
    }
}

impl KeyInfo {
    /// The working form of a stored key definition. `columns[i]` is the table column of segment i; `own_trees`: words may have
    /// trees of their own.
    pub(crate) fn new(
        number: usize,
        first_part: usize,
        def: &KeyDefinition,
        rec_ref: usize,
        key_ref: usize,
        columns: &[usize],
        own_trees: bool,
    ) -> Result<KeyInfo> {
        if def.flag & key_flag::FULLTEXT != 0 {
            let mut info = KeyInfo::fulltext(number, first_part, def, rec_ref, key_ref, columns)?;
            if let Some(fulltext) = info.fulltext.as_mut().filter(|_| !own_trees) {
                Arc::make_mut(fulltext).second = None;
            }
            return Ok(info);
        }
        let mut segments = Vec::new();
        if def.flag & (key_flag::FULLTEXT | key_flag::SPATIAL) == 0 {
            for (s, &column) in def.segments.iter().zip(columns) {
                let ty = SegmentType::from_number(s.ty).ok_or(Error::Format { what: "key segment type" })?;
                let collation = Collation::by_id(s.collation)
                    .ok_or(Error::Format { what: "collation of a key segment" })?;
                let length = usize::from(s.length);
                if ty.width().is_some_and(|w| w != length) {
                    return Err(Error::Format { what: "length of a number in a key" });
                }
                let counted =
                    s.flag & (seg_flag::SPACE_PACK | seg_flag::VAR_LENGTH_PART | seg_flag::BLOB_PART) != 0;
                let textual = matches!(ty, SegmentType::Text | SegmentType::VarText);
                let mbmaxlen = usize::from(collation.charset.mbmaxlen.max(1));
                segments.push(Segment {
                    column,
                    ty,
                    flag: s.flag,
                    length,
                    collation,
                    nullable: s.null_bit != 0,
                    descending: s.flag & seg_flag::REVERSE_SORT != 0,
                    counted,
                    chars: (textual && mbmaxlen > 1).then_some(length / mbmaxlen),
                    pad: (ty == SegmentType::Text).then(|| Pad::of(collation)),
                });
            }
            if segments.len() != def.segments.len() {
                return Err(Error::Definition { what: "number of key parts" });
            }
        }
        let packing = if def.flag & key_flag::BINARY_PACK_KEY != 0 {
            Packing::Binary
        } else if def.flag & key_flag::PACK_KEY != 0 {
            Packing::String
        } else if def.flag & key_flag::VAR_LENGTH_KEY != 0 {
            Packing::Variable
        } else {
            Packing::Fixed
        };
        let fast = Fast::of_first(&segments, packing);
        let by_bytes = segments.first().and_then(|first| compressed_order(packing, first));
        Ok(KeyInfo {
            number,
            flag: def.flag,
            block_length: usize::from(def.block_length),
            keylength: usize::from(def.keylength),
            maxlength: usize::from(def.maxlength),
            segments,
            defined_parts: def.segments.len(),
            fulltext: None,
            geometry: columns.first().copied().filter(|_| def.flag & key_flag::SPATIAL != 0),
            long_hash: None,
            first_part,
            packing,
            rec_ref,
            key_ref,
            fast,
            packed_by: None,
            by_bytes,
        })
    }

    /// A FULLTEXT key: its entries are a word, its weight in the row, and the row.
    fn fulltext(
        number: usize,
        first_part: usize,
        def: &KeyDefinition,
        rec_ref: usize,
        key_ref: usize,
        columns: &[usize],
    ) -> Result<KeyInfo> {
        let collation = def.segments.first().and_then(|s| Collation::by_id(s.collation));
        let collation = collation.ok_or(Error::Format { what: "collation of a key segment" })?;
        let segment = |ty, length: usize, counted| Segment {
            column: 0,
            ty,
            flag: 0,
            length,
            collation,
            nullable: false,
            descending: false,
            counted,
            chars: None,
            pad: None,
        };
        let weight = segment(SegmentType::Carried, WEIGHT_BYTES, false);
        let first = KeyInfo {
            number,
            flag: def.flag,
            block_length: usize::from(def.block_length),
            keylength: usize::from(def.keylength),
            maxlength: usize::from(def.maxlength),
            segments: vec![segment(SegmentType::VarText, MAX_WORD, true), weight],
            defined_parts: def.segments.len(),
            fulltext: None,
            geometry: None,
            long_hash: None,
            first_part,
            packing: Packing::String,
            rec_ref,
            key_ref,
            fast: [Fast::No; 2],
            packed_by: collation.byte_weights(),
            by_bytes: collation.byte_order(KeyPad::Own),
        };
        let second = KeyInfo {
            keylength: WEIGHT_BYTES + rec_ref,
            maxlength: WEIGHT_BYTES + rec_ref,
            segments: vec![weight],
            packing: Packing::Fixed,
            packed_by: None,
            by_bytes: None,
            ..first.clone()
        };
        let fulltext = FulltextKey {
            columns: columns.iter().rev().copied().collect(),
            collation,
            rules: rules::compiled_in(),
            foreign_parser: false,
            second: Some(Arc::new(second)),
        };
        Ok(KeyInfo { fulltext: Some(Arc::new(fulltext)), ..first })
    }
}
