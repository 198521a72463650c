//! Where a table's columns lie in the record buffer, and what MyISAM is told
//! about them ([`engine`]).
//!
//! A record is `[ NULL and BIT bits ][ columns ][ virtual columns ]`, without
//! padding: see docs/format/frm.md, "The record".

mod default;
pub mod engine;

use std::sync::Arc;

use charset::Charset;

use crate::definition::{ColumnDef, ColumnType, TableDef};

pub use crate::record::{ColumnLayout, Layout, NullBit, OddBits};
pub use default::{encode_value, zero_value};

impl TableDef {
    /// The record layout: the one stored in the file when it is irregular, else computed.
    #[must_use]
    pub fn layout(&self) -> Arc<Layout> {
        match &self.stored_layout {
            Some(layout) => layout.clone(),
            None => Arc::new(Layout::compute(self)),
        }
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
