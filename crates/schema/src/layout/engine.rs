//! What MyISAM is told at CREATE, and what it checks at open: one descriptor
//! per stored column and the segments of every key.
//!
//! These are the definitions as the SQL level hands them over. Packing decided
//! by MyISAM's own create step (a packed first segment, SWAP_KEY, the four
//! synthetic SPATIAL segments, the demotion of a one-byte SKIP_ZERO column)
//! is not applied here.

use super::{Layout, column_width, key_length, length_bytes};
use crate::definition::{BINARY_COLLATION, ColumnDef, ColumnType, KeyAlgorithm, KeyDef, KeyKind, TableDef};

/// Largest key of MyISAM in bytes.
pub const MAX_KEY_LENGTH: u32 = 1000;

/// How a column is stored in a dynamic row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i16)]
pub enum ColumnKind {
    /// Bytes as they are.
    Normal = 0,
    /// Trailing spaces removed.
    SkipEndSpace = 1,
    /// Leading spaces removed.
    SkipPreSpace = 2,
    /// Nothing when all bytes are zero.
    SkipZero = 3,
    /// Length and data.
    Blob = 4,
    /// Length and data.
    Varchar = 8,
}

/// Descriptor of a run of bytes in the record: the NULL bytes or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineColumn {
    /// How it is stored.
    pub kind: ColumnKind,
    /// Offset in the record.
    pub offset: u32,
    /// Bytes in the record.
    pub length: u32,
    /// Mask of the NULL bit, 0 = NOT NULL.
    pub null_bit: u8,
    /// Offset of the NULL byte.
    pub null_pos: u16,
    /// The column it belongs to; `None` for the NULL bytes.
    pub column: Option<usize>,
}

/// Segment types, as numbered in the `.MYI`.
pub mod segment_type {
    /// CHAR.
    pub const TEXT: u8 = 1;
    /// Bytes compared as they are.
    pub const BINARY: u8 = 2;
    /// SMALLINT.
    pub const SHORT_INT: u8 = 3;
    /// INT.
    pub const LONG_INT: u8 = 4;
    /// FLOAT.
    pub const FLOAT: u8 = 5;
    /// DOUBLE.
    pub const DOUBLE: u8 = 6;
    /// Old DECIMAL.
    pub const NUM: u8 = 7;
    /// SMALLINT UNSIGNED.
    pub const USHORT_INT: u8 = 8;
    /// INT UNSIGNED.
    pub const ULONG_INT: u8 = 9;
    /// BIGINT.
    pub const LONGLONG: u8 = 10;
    /// BIGINT UNSIGNED.
    pub const ULONGLONG: u8 = 11;
    /// MEDIUMINT.
    pub const INT24: u8 = 12;
    /// MEDIUMINT UNSIGNED.
    pub const UINT24: u8 = 13;
    /// TINYINT.
    pub const INT8: u8 = 14;
    /// VARCHAR with a one-byte length.
    pub const VARTEXT1: u8 = 15;
    /// VARBINARY with a one-byte length.
    pub const VARBINARY1: u8 = 16;
    /// VARCHAR with a two-byte length, TEXT.
    pub const VARTEXT2: u8 = 17;
    /// VARBINARY with a two-byte length, BLOB.
    pub const VARBINARY2: u8 = 18;
    /// BIT.
    pub const BIT: u8 = 19;
}

/// Segment flags.
pub mod segment_flag {
    /// Trailing (NUM: leading) spaces are cut.
    pub const SPACE_PACK: u16 = 1;
    /// Prefix of the column.
    pub const PART_KEY_SEG: u16 = 4;
    /// VARCHAR.
    pub const VAR_LENGTH_PART: u16 = 8;
    /// Nullable.
    pub const NULL_PART: u16 = 16;
    /// BLOB, TEXT, GEOMETRY.
    pub const BLOB_PART: u16 = 32;
    /// DESC.
    pub const REVERSE_SORT: u16 = 128;
    /// BIT.
    pub const BIT_PART: u16 = 1024;
}

/// Key flags.
pub mod key_flag {
    /// No duplicates.
    pub const UNIQUE: u16 = 1;
    /// First segment prefix compressed.
    pub const PACK_KEY: u16 = 2;
    /// Key of the AUTO_INCREMENT column.
    pub const AUTO_KEY: u16 = 16;
    /// Whole entry prefix compressed.
    pub const BINARY_PACK_KEY: u16 = 32;
    /// FULLTEXT.
    pub const FULLTEXT: u16 = 128;
    /// SPATIAL.
    pub const SPATIAL: u16 = 1024;
}

/// One segment of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSegment {
    /// Type, see [`segment_type`].
    pub kind: u8,
    /// Collation number; 63 for all but character types.
    pub collation: u16,
    /// Flags, see [`segment_flag`].
    pub flags: u16,
    /// Bytes of the value used at most.
    pub length: u16,
    /// Offset of the column in the record.
    pub start: u32,
    /// Mask of the NULL bit, 0 = NOT NULL.
    pub null_bit: u8,
    /// Offset of the NULL byte; of a NOT NULL BIT column, of its odd bits.
    pub null_pos: u32,
    /// BLOB, VARCHAR: size of the length prefix. BIT: number of the first odd bit.
    pub bit_start: u8,
    /// BIT: number of odd bits.
    pub bit_length: u8,
    /// Offset of the byte with the odd bits of a BIT column.
    pub bit_pos: u32,
    /// Number of the column.
    pub column: usize,
}

/// One key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineKey {
    /// 1 B-tree, 2 R-tree, 4 full text, 5 long hash.
    pub algorithm: u8,
    /// Flags, see [`key_flag`].
    pub flags: u16,
    /// KEY_BLOCK_SIZE, 0 = default.
    pub block_size: u16,
    /// Segments; a SPATIAL key has the geometry column only.
    pub segments: Vec<EngineSegment>,
}

/// Descriptors in the order of offsets: the NULL bytes, then every stored
/// column that has bytes of its own.
#[must_use]
pub fn columns(def: &TableDef, layout: &Layout) -> Vec<EngineColumn> {
    let mut order: Vec<usize> =
        (0..def.columns.len()).filter(|&i| layout.columns[i].stored && layout.columns[i].width > 0).collect();
    order.sort_by_key(|&i| layout.columns[i].offset);
    let mut out = Vec::with_capacity(order.len() + 1);
    let gap = |offset: u32, length: u32| EngineColumn {
        kind: ColumnKind::Normal,
        offset,
        length,
        null_bit: 0,
        null_pos: 0,
        column: None,
    };
    let mut end = 0;
    for i in order {
        let place = &layout.columns[i];
        if place.offset > end {
            out.push(gap(end, place.offset - end));
        }
        out.push(EngineColumn {
            kind: column_kind(&def.columns[i], layout.dynamic),
            offset: place.offset,
            length: place.width,
            null_bit: place.null.map_or(0, |n| n.mask),
            null_pos: place.null.map_or(0, |n| n.byte as u16),
            column: Some(i),
        });
        end = place.offset + place.width;
    }
    if layout.stored_length > end {
        out.push(gap(end, layout.stored_length - end));
    }
    out
}

/// How MyISAM stores a column.
#[must_use]
pub fn column_kind(column: &ColumnDef, dynamic: bool) -> ColumnKind {
    match column.ty {
        ColumnType::Blob { .. } | ColumnType::Geometry { .. } => ColumnKind::Blob,
        ColumnType::OldTimestamp { .. } => ColumnKind::Normal,
        ColumnType::Varchar { .. } => ColumnKind::Varchar,
        _ if !dynamic => ColumnKind::Normal,
        ColumnType::Timestamp { .. } => ColumnKind::SkipPreSpace,
        _ if zero_packable(&column.ty) => ColumnKind::SkipZero,
        _ if column_width(column) <= 3 || column.zerofill => ColumnKind::Normal,
        ColumnType::Char { .. } | ColumnType::OldVarchar { .. } => ColumnKind::SkipEndSpace,
        _ => ColumnKind::SkipPreSpace,
    }
}

/// Types whose usual content is all zero bytes.
fn zero_packable(ty: &ColumnType) -> bool {
    !matches!(
        ty,
        ColumnType::Char { .. }
            | ColumnType::OldVarchar { .. }
            | ColumnType::Varchar { .. }
            | ColumnType::Decimal { .. }
            | ColumnType::OldDecimal { .. }
            | ColumnType::Timestamp { .. }
            | ColumnType::OldTimestamp { .. }
            | ColumnType::Enum { .. }
            | ColumnType::Blob { .. }
            | ColumnType::Geometry { .. }
    )
}

/// Key and part whose values AUTO_INCREMENT follows: the first key that starts
/// with the column, else the first that contains it.
#[must_use]
pub fn auto_increment_key(def: &TableDef) -> Option<(usize, usize)> {
    let column = def.columns.iter().position(|c| c.auto_increment)?;
    let leading = def.keys.iter().position(|k| k.parts.first().is_some_and(|p| p.column == column));
    if let Some(key) = leading {
        return Some((key, 0));
    }
    def.keys.iter().enumerate().find_map(|(key, k)| {
        let part = k.parts.iter().position(|p| p.column == column)?;
        Some((key, part))
    })
}

/// The keys in the order of the definition.
#[must_use]
pub fn keys(def: &TableDef, layout: &Layout) -> Vec<EngineKey> {
    let auto_key = auto_increment_key(def).map(|(key, _)| key);
    let mut hash_columns = def.columns.iter().enumerate().filter(|(_, c)| c.is_hash());
    let mut out = Vec::with_capacity(def.keys.len());
    for (number, key) in def.keys.iter().enumerate() {
        let mut flags = match key.kind {
            KeyKind::Primary | KeyKind::Unique => key_flag::UNIQUE,
            KeyKind::Plain => 0,
            KeyKind::Fulltext => key_flag::FULLTEXT,
            KeyKind::Spatial => key_flag::SPATIAL,
        };
        let algorithm = match (key.kind, key.algorithm) {
            (KeyKind::Fulltext, _) => 4,
            (KeyKind::Spatial, _) => 2,
            (_, KeyAlgorithm::Default) => 1,
            (_, other) => other as u8,
        };
        let mut segments = Vec::with_capacity(key.parts.len());
        let packing = def.options.pack_keys == Some(true) || wants_packing(def, key);
        if key.algorithm == KeyAlgorithm::LongHash {
            // The engine sees a key over the hidden hash column alone.
            // It does not forbid duplicates: equal hashes may be of different values.
            flags = 0;
            if let Some((column, _)) = hash_columns.next() {
                segments.push(segment(def, layout, column, 8, false));
            }
            if packing {
                flags |= key_flag::BINARY_PACK_KEY;
            }
        } else {
            for (j, part) in key.parts.iter().enumerate() {
                let column = &def.columns[part.column];
                let length = part_length(def, key, j);
                let mut seg = segment(def, layout, part.column, length, part.descending);
                if packing {
                    pack_segment(column, key, j, &mut seg, &mut flags, sql_key_length(def, key));
                }
                if is_prefix(column, key, j) {
                    seg.flags |= segment_flag::PART_KEY_SEG;
                }
                segments.push(seg);
            }
        }
        if auto_key == Some(number) {
            flags |= key_flag::AUTO_KEY;
        }
        out.push(EngineKey { algorithm, flags, block_size: key.block_size, segments });
    }
    out
}

/// Length of a key part in bytes as the definition stores it.
#[must_use]
pub fn part_length(def: &TableDef, key: &KeyDef, part: usize) -> u32 {
    let part = &key.parts[part];
    let column = &def.columns[part.column];
    match key.kind {
        KeyKind::Spatial => 32,
        KeyKind::Fulltext if column.ty.is_blob() => 1,
        _ => part.prefix.map_or_else(|| key_length(column), u32::from),
    }
}

/// Whether a part covers only a prefix of its column.
fn is_prefix(column: &ColumnDef, key: &KeyDef, part: usize) -> bool {
    column.ty.is_blob() || key.parts[part].prefix.is_some()
}

/// A key of which some part is a string of 8 bytes or more is worth packing,
/// unless PACK_KEYS=0.
fn wants_packing(def: &TableDef, key: &KeyDef) -> bool {
    def.options.pack_keys != Some(false) && sql_pack_flags(def, key) != 0
}

/// The packing flags of a key in the `.frm`.
pub(crate) fn sql_pack_flags(def: &TableDef, key: &KeyDef) -> u16 {
    const PACK_KEY: u16 = 0x02;
    const VAR_LENGTH_KEY: u16 = 0x08;
    const BINARY_PACK_KEY: u16 = 0x20;
    if def.options.pack_keys == Some(false) {
        return 0;
    }
    if key.algorithm == KeyAlgorithm::LongHash {
        // A key that had to become a hash is not packed; one that could be a
        // key of its own, and is a hash by USING HASH, is marked like any other.
        let lengths = (0..key.parts.len()).map(|j| part_length(def, key, j));
        if lengths.clone().any(|n| n == 0) || lengths.sum::<u32>() > MAX_KEY_LENGTH {
            return 0;
        }
    }
    let mut flags = 0;
    for (j, part) in key.parts.iter().enumerate() {
        if part_length(def, key, j) < 8 {
            continue;
        }
        match def.columns[part.column].ty {
            ColumnType::Char { .. } | ColumnType::OldVarchar { .. } | ColumnType::Uuid => flags |= PACK_KEY,
            ColumnType::Varchar { .. } | ColumnType::Blob { .. } => {
                flags |= if j == 0 { VAR_LENGTH_KEY | BINARY_PACK_KEY } else { PACK_KEY };
            }
            _ => {}
        }
    }
    flags
}

/// Key length with NULL and length bytes, as the SQL level counts it.
#[must_use]
pub fn sql_key_length(def: &TableDef, key: &KeyDef) -> u32 {
    (0..key.parts.len())
        .map(|j| {
            let column = &def.columns[key.parts[j].column];
            let variable = matches!(column.ty, ColumnType::Varchar { .. }) || column.ty.is_blob();
            part_length(def, key, j) + u32::from(column.nullable) + 2 * u32::from(variable)
        })
        .sum()
}

fn pack_segment(
    column: &ColumnDef,
    key: &KeyDef,
    part: usize,
    seg: &mut EngineSegment,
    flags: &mut u16,
    key_length: u32,
) {
    let string_kind = matches!(seg.kind, segment_type::TEXT | segment_type::NUM)
        || (seg.kind == segment_type::BINARY && !zero_packable(&column.ty));
    if seg.length > 8 && string_kind {
        if part == 0 {
            *flags |= key_flag::PACK_KEY;
        }
        let long_enough = match column.ty {
            ColumnType::Decimal { scale, .. } | ColumnType::OldDecimal { scale, .. } => {
                u32::from(seg.length) >= 4 + u32::from(scale)
            }
            _ => true,
        };
        if !column.zerofill && long_enough {
            seg.flags |= segment_flag::SPACE_PACK;
        }
    } else if part == 0 && (!key.is_unique() || key_length > 16) {
        *flags |= key_flag::BINARY_PACK_KEY;
    }
}

fn segment(def: &TableDef, layout: &Layout, number: usize, length: u32, descending: bool) -> EngineSegment {
    let column = &def.columns[number];
    let place = &layout.columns[number];
    let mut seg = EngineSegment {
        kind: segment_kind(column),
        collation: segment_collation(column),
        flags: 0,
        length: length as u16,
        start: place.offset,
        null_bit: 0,
        null_pos: 0,
        bit_start: 0,
        bit_length: 0,
        bit_pos: 0,
        column: number,
    };
    match column.ty {
        ColumnType::Varchar { .. } => {
            seg.flags |= segment_flag::VAR_LENGTH_PART;
            seg.bit_start = length_bytes(column);
        }
        ColumnType::Blob { .. } | ColumnType::Geometry { .. } => {
            seg.flags |= segment_flag::BLOB_PART;
            seg.bit_start = length_bytes(column);
        }
        ColumnType::Bit { as_char: false, .. } => {
            seg.flags |= segment_flag::BIT_PART;
            // The position is that of the next bit even if there are none.
            let first = first_bit(def, layout, number);
            seg.bit_start = (first % 8) as u8;
            seg.bit_length = place.odd_bits.map_or(0, |odd| odd.count);
            seg.bit_pos = first / 8;
            seg.null_pos = first / 8;
        }
        _ => {}
    }
    if let Some(null) = place.null {
        seg.flags |= segment_flag::NULL_PART;
        seg.null_bit = null.mask;
        seg.null_pos = null.byte;
    }
    if descending {
        seg.flags |= segment_flag::REVERSE_SORT;
    }
    seg
}

/// Number of the bit at which a column's odd bits start, counted from the
/// start of the record.
fn first_bit(def: &TableDef, layout: &Layout, number: usize) -> u32 {
    if let Some(odd) = layout.columns[number].odd_bits {
        return odd.byte * 8 + u32::from(odd.shift);
    }
    let before = def.columns[..=number].iter().map(|column| {
        let odd = match column.ty {
            ColumnType::Bit { bits, as_char: false } => bits % 8,
            _ => 0,
        };
        u32::from(column.nullable) + u32::from(odd)
    });
    u32::from(!layout.dynamic) + before.sum::<u32>()
}

/// Segment type of a column.
#[must_use]
pub fn segment_kind(column: &ColumnDef) -> u8 {
    use segment_type as t;
    let binary = column.collation.id == BINARY_COLLATION;
    let sign = |signed, unsigned| if column.unsigned { unsigned } else { signed };
    match &column.ty {
        ColumnType::Tiny => sign(t::INT8, t::BINARY),
        ColumnType::Short => sign(t::SHORT_INT, t::USHORT_INT),
        ColumnType::Int24 => sign(t::INT24, t::UINT24),
        ColumnType::Long => sign(t::LONG_INT, t::ULONG_INT),
        ColumnType::LongLong => sign(t::LONGLONG, t::ULONGLONG),
        ColumnType::Float { .. } => t::FLOAT,
        ColumnType::Double { .. } => t::DOUBLE,
        ColumnType::OldDecimal { .. } if column.zerofill => t::BINARY,
        ColumnType::OldDecimal { .. } => t::NUM,
        ColumnType::Bit { as_char: false, .. } => t::BIT,
        ColumnType::Date => t::UINT24,
        ColumnType::OldDate | ColumnType::OldTimestamp { decimals: 0 } => t::ULONG_INT,
        ColumnType::OldTime { decimals: 0 } => t::INT24,
        ColumnType::OldDateTime { decimals: 0 } => t::ULONGLONG,
        ColumnType::Char { .. } | ColumnType::OldVarchar { .. } => {
            if binary {
                t::BINARY
            } else {
                t::TEXT
            }
        }
        ColumnType::Varchar { .. } => match (length_bytes(column), binary) {
            (1, false) => t::VARTEXT1,
            (1, true) => t::VARBINARY1,
            (_, false) => t::VARTEXT2,
            (_, true) => t::VARBINARY2,
        },
        ColumnType::Blob { .. } if !binary => t::VARTEXT2,
        ColumnType::Blob { .. } | ColumnType::Geometry { .. } => t::VARBINARY2,
        ColumnType::Enum { .. } | ColumnType::Set { .. } => match column_width(column) {
            1 => t::BINARY,
            2 => t::USHORT_INT,
            3 => t::UINT24,
            4 => t::ULONG_INT,
            _ => t::ULONGLONG,
        },
        _ => t::BINARY,
    }
}

fn segment_collation(column: &ColumnDef) -> u16 {
    match column.ty {
        _ if column.is_string() => column.collation.id,
        ColumnType::Uuid | ColumnType::Inet4 | ColumnType::Inet6 => 8,
        _ => BINARY_COLLATION,
    }
}
