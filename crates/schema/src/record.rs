//! The form of a record: which bytes and bits of it are a column's. [`crate::layout`] computes it from a definition.

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
