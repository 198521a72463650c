//! Where a table's columns lie in the record buffer, and what MyISAM is told
//! about them ([`engine`]).
//!
//! A record is `[ NULL and BIT bits ][ columns ][ virtual columns ]`, without
//! padding: see docs/format/frm.md, "The record".

mod default;
pub mod engine;

use charset::Charset;

use crate::definition::{ColumnDef, ColumnType, TableDef};

pub use default::{encode_value, zero_value};

/// Record layout of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// PACK_RECORD: rows of variable length, no delete mark among the NULL bits.
    pub dynamic: bool,
    /// Size of the record in bytes, virtual columns included.
    pub reclength: u32,
    /// Size in bytes of the part of the record that is stored.
    pub stored_length: u32,
    /// Bytes of NULL and BIT bits at the start of the record.
    pub null_bytes: u32,
    /// Used bits of those bytes, the delete mark included.
    pub null_bits: u32,
    /// Columns in the order of the definition.
    pub columns: Vec<ColumnLayout>,
}

/// Place of one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnLayout {
    /// Offset in bytes of the column's own bytes.
    pub offset: u32,
    /// Size in bytes, length prefix and BLOB pointer included.
    pub width: u32,
    /// Size of the length prefix of a VARCHAR (1, 2) or BLOB (1 to 4), else 0.
    pub length_bytes: u8,
    /// The NULL bit of a nullable column.
    pub null: Option<NullBit>,
    /// The bits of a BIT column that lie among the NULL bits.
    pub odd_bits: Option<OddBits>,
    /// False for virtual columns: not part of the stored row.
    pub stored: bool,
}

/// A NULL bit; set means NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullBit {
    /// Offset of the byte in the record.
    pub byte: u32,
    /// Mask of the bit in the byte.
    pub mask: u8,
}

/// The `n mod 8` most significant bits of a BIT(n) column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OddBits {
    /// Offset of the byte with the lowest of them.
    pub byte: u32,
    /// Its bit number in that byte; they may run over into the next byte.
    pub shift: u8,
    /// How many, 1 to 7.
    pub count: u8,
}

impl OddBits {
    /// Reads the bits from a record, or `None` if the record is too short.
    #[must_use]
    pub fn get(&self, record: &[u8]) -> Option<u8> {
        let at = self.byte as usize;
        let mut word = u16::from(*record.get(at)?);
        if self.shift + self.count > 8 {
            word |= u16::from(*record.get(at + 1)?) << 8;
        }
        Some((word >> self.shift) as u8 & self.mask())
    }

    /// Writes the low `count` bits of `bits` into a record that holds them.
    pub fn set(&self, record: &mut [u8], bits: u8) {
        let at = self.byte as usize;
        let mask = u16::from(self.mask()) << self.shift;
        let value = u16::from(bits & self.mask()) << self.shift;
        record[at] = record[at] & !(mask as u8) | value as u8;
        if self.shift + self.count > 8 {
            record[at + 1] = record[at + 1] & !((mask >> 8) as u8) | (value >> 8) as u8;
        }
    }

    fn mask(&self) -> u8 {
        ((1u16 << self.count) - 1) as u8
    }
}

impl Layout {
    /// The layout by the present rules: NULL bits in column order, stored
    /// columns in column order, then virtual ones, then hidden hash columns.
    #[must_use]
    pub fn compute(def: &TableDef) -> Layout {
        let dynamic = def.pack_record();
        let mut bit = u32::from(!dynamic);
        let mut columns = Vec::with_capacity(def.columns.len());
        for column in &def.columns {
            let mut place = ColumnLayout {
                offset: 0,
                width: column_width(column),
                length_bytes: length_bytes(column),
                null: None,
                odd_bits: None,
                stored: !column.is_virtual() && !column.is_hash(),
            };
            place.take_bits(column, &mut bit);
            columns.push(place);
        }
        let null_bytes = bit.div_ceil(8);
        let mut end = null_bytes;
        let mut stored_length = end;
        for pass in 0..3 {
            for (column, place) in def.columns.iter().zip(&mut columns) {
                let group = if column.is_hash() { 2 } else { u8::from(column.is_virtual()) };
                if group == pass {
                    place.offset = end;
                    end = end.saturating_add(place.width);
                }
            }
            if pass == 0 {
                stored_length = end;
            }
        }
        Layout {
            dynamic,
            reclength: end.max(1),
            stored_length: stored_length.max(1),
            null_bytes,
            null_bits: bit,
            columns,
        }
    }

    /// The record with the defaults of all columns; unused NULL bits are set.
    #[must_use]
    pub fn default_record(&self, def: &TableDef) -> Vec<u8> {
        default::default_record(self, def)
    }
}

impl ColumnLayout {
    /// Takes the column's NULL bit and odd bits from the running bit number.
    pub(crate) fn take_bits(&mut self, column: &ColumnDef, bit: &mut u32) {
        if column.nullable {
            self.null = Some(NullBit { byte: *bit / 8, mask: 1 << (*bit % 8) });
            *bit += 1;
        }
        if let ColumnType::Bit { bits, as_char: false } = column.ty
            && bits % 8 != 0
        {
            self.odd_bits = Some(OddBits { byte: *bit / 8, shift: (*bit % 8) as u8, count: bits % 8 });
            *bit += u32::from(bits % 8);
        }
    }
}

/// Bytes a fraction of `decimals` digits takes in the big-endian temporal forms.
#[must_use]
pub fn fraction_bytes(decimals: u8) -> u32 {
    u32::from(decimals.min(6)).div_ceil(2)
}

/// Size in bytes of a binary DECIMAL.
#[must_use]
pub fn decimal_bytes(precision: u8, scale: u8) -> u32 {
    const LEFT: [u32; 9] = [0, 1, 1, 2, 2, 3, 3, 4, 4];
    let group = |digits: u8| u32::from(digits / 9) * 4 + LEFT[usize::from(digits % 9)];
    group(precision.saturating_sub(scale)) + group(scale)
}

/// Size in bytes of an ENUM with this many members.
#[must_use]
pub fn enum_bytes(members: usize) -> u32 {
    if members < 256 { 1 } else { 2 }
}

/// Size in bytes of a SET with this many members.
#[must_use]
pub fn set_bytes(members: usize) -> u32 {
    match members.div_ceil(8) as u32 {
        bytes @ 0..=4 => bytes.max(1),
        _ => 8,
    }
}

/// Size in bytes of a column in the record, length prefix and pointer included.
#[must_use]
pub fn column_width(column: &ColumnDef) -> u32 {
    match &column.ty {
        ColumnType::Tiny | ColumnType::Year => 1,
        ColumnType::Short => 2,
        ColumnType::Int24 | ColumnType::Date => 3,
        ColumnType::Long | ColumnType::Float { .. } | ColumnType::OldDate => 4,
        ColumnType::LongLong | ColumnType::Double { .. } => 8,
        ColumnType::Decimal { precision, scale } => decimal_bytes(*precision, *scale),
        ColumnType::Bit { bits, as_char: false } => u32::from(bits / 8),
        ColumnType::Bit { bits, .. } => u32::from(*bits).div_ceil(8),
        ColumnType::Time { decimals } => 3 + fraction_bytes(*decimals),
        ColumnType::DateTime { decimals } => 5 + fraction_bytes(*decimals),
        ColumnType::Timestamp { decimals } => 4 + fraction_bytes(*decimals),
        ColumnType::OldTime { decimals } => match decimals {
            0 => 3,
            1..=2 => 4,
            3..=5 => 5,
            _ => 6,
        },
        ColumnType::OldDateTime { decimals } => match decimals {
            1..=2 => 6,
            3..=5 => 7,
            _ => 8,
        },
        ColumnType::OldTimestamp { decimals } => 4 + fraction_bytes(*decimals),
        ColumnType::Char { bytes }
        | ColumnType::OldVarchar { bytes }
        | ColumnType::OldDecimal { bytes, .. } => u32::from(*bytes),
        ColumnType::Varchar { .. } => u32::from(length_bytes(column)) + u32::from(varchar_bytes(column)),
        ColumnType::Blob { length_bytes } => u32::from(*length_bytes) + 8,
        ColumnType::Geometry { .. } => 12,
        ColumnType::Enum { values } => enum_bytes(values.len()),
        ColumnType::Set { values } => set_bytes(values.len()),
        ColumnType::Uuid | ColumnType::Inet6 => 16,
        ColumnType::Inet4 => 4,
    }
}

/// Largest stored value of a VARCHAR in bytes: one more than asked for when COMPRESSED.
pub(crate) fn varchar_bytes(column: &ColumnDef) -> u16 {
    match column.ty {
        ColumnType::Varchar { bytes } => bytes.saturating_add(u16::from(column.compressed)),
        _ => 0,
    }
}

/// Size of a column's length prefix: VARCHAR 1 or 2, BLOB 1 to 4, others 0.
#[must_use]
pub fn length_bytes(column: &ColumnDef) -> u8 {
    match column.ty {
        ColumnType::Varchar { .. } => 1 + u8::from(varchar_bytes(column) >= 256),
        ColumnType::Blob { length_bytes } => length_bytes,
        ColumnType::Geometry { .. } => 4,
        _ => 0,
    }
}

/// Length in bytes of a key part over the whole column, without NULL and length
/// bytes; 0 for BLOB and TEXT, which need a prefix.
#[must_use]
pub fn key_length(column: &ColumnDef) -> u32 {
    match column.ty {
        ColumnType::Varchar { .. } => u32::from(varchar_bytes(column)),
        ColumnType::Bit { bits, .. } => u32::from(bits).div_ceil(8),
        ColumnType::Blob { .. } | ColumnType::Geometry { .. } => 0,
        _ => column_width(column),
    }
}

/// Appends the space character of a character set until `out` has `len` bytes.
pub(crate) fn pad_spaces(charset: &Charset, out: &mut Vec<u8>, len: usize) {
    let space = charset.space();
    while out.len() < len {
        let take = space.len().min(len - out.len());
        out.extend_from_slice(&space[..take]);
    }
}
