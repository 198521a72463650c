//! The `.MYI` file's head: definitions that never change while a table is open, and the state that does.

pub mod header;
pub mod keydef;
mod mend;
pub mod state;

pub use header::{Base, ColumnDefinition, ColumnKind, Header, KeyDefinition, SegmentDefinition};
pub use state::{StateMut, StateOffsets, StateView};

/// "No position": the end of chains, the root of an empty tree.
pub const NIL: u64 = u64::MAX;

/// Table option bits (header offset 4).
pub mod option {
    /// Dynamic rows.
    pub const PACK_RECORD: u16 = 0x0001;
    /// Some key has entries of variable length.
    pub const PACK_KEYS: u16 = 0x0002;
    /// Compressed, read only.
    pub const COMPRESS_RECORD: u16 = 0x0004;
    /// Created as a temporary table.
    pub const TMP_TABLE: u16 = 0x0010;
    /// Live checksum.
    pub const CHECKSUM: u16 = 0x0020;
    /// `DELAY_KEY_WRITE=1`.
    pub const DELAY_KEY_WRITE: u16 = 0x0040;
    /// Index on a virtual column.
    pub const RELIES_ON_SQL_LAYER: u16 = 0x0200;
    /// The row checksum skips NULL columns.
    pub const NULL_FIELDS: u16 = 0x0400;
    /// The page store's own guard: the files are in use and behind the journal.
    pub const GUARD: u16 = 0x0800;
    /// A compressed table under repair.
    pub const TEMP_COMPRESS_RECORD: u16 = 0x8000;
    /// Every bit a reader accepts.
    pub const KNOWN: u16 = PACK_RECORD
        | PACK_KEYS
        | COMPRESS_RECORD
        | TMP_TABLE
        | CHECKSUM
        | DELAY_KEY_WRITE
        | RELIES_ON_SQL_LAYER
        | NULL_FIELDS
        | GUARD
        | TEMP_COMPRESS_RECORD;
}

/// Key flags of a key definition.
pub mod key_flag {
    /// No duplicates.
    pub const UNIQUE: u16 = 1;
    /// First segment prefix compressed.
    pub const PACK_KEY: u16 = 2;
    /// Some segment drops spaces.
    pub const SPACE_PACK_USED: u16 = 4;
    /// Entries have variable length.
    pub const VAR_LENGTH_KEY: u16 = 8;
    /// Used for AUTO_INCREMENT.
    pub const AUTO_KEY: u16 = 16;
    /// Whole entry prefix compressed.
    pub const BINARY_PACK_KEY: u16 = 32;
    /// Some segment may be NULL.
    pub const NULL_PART_KEY: u16 = 64;
    /// Full text.
    pub const FULLTEXT: u16 = 128;
    /// R-tree.
    pub const SPATIAL: u16 = 1024;
    /// NULLs compare equal (internal temporary tables only).
    pub const NULL_ARE_EQUAL: u16 = 2048;
}

/// Segment flags.
pub mod seg_flag {
    /// Trailing (leading for NUM) spaces are cut.
    pub const SPACE_PACK: u16 = 1;
    /// First segment of a PACK_KEY key.
    pub const PACK_KEY: u16 = 2;
    /// Only a prefix of the column.
    pub const PART_KEY_SEG: u16 = 4;
    /// VARCHAR.
    pub const VAR_LENGTH_PART: u16 = 8;
    /// Nullable.
    pub const NULL_PART: u16 = 16;
    /// BLOB.
    pub const BLOB_PART: u16 = 32;
    /// Number, stored big-endian.
    pub const SWAP_KEY: u16 = 64;
    /// Descending.
    pub const REVERSE_SORT: u16 = 128;
    /// Not compared.
    pub const NO_SORT: u16 = 256;
    /// BIT column.
    pub const BIT_PART: u16 = 1024;
}

/// `changed` bits of the state (offset 26).
pub mod changed {
    /// Changed since the last check.
    pub const CHANGED: u8 = 1;
    /// Crashed.
    pub const CRASHED: u8 = 2;
    /// A repair failed.
    pub const CRASHED_ON_REPAIR: u8 = 4;
    /// Statistics are old.
    pub const NOT_ANALYZED: u8 = 8;
    /// Keys not built by sorting.
    pub const NOT_OPTIMIZED_KEYS: u8 = 16;
    /// Index pages not in order.
    pub const NOT_SORTED_PAGES: u8 = 32;
}
