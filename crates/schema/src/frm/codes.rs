//! Numbers of the file format.

/// Type codes of column entries.
pub(super) mod type_code {
    pub const OLD_DECIMAL: u8 = 0;
    pub const TINY: u8 = 1;
    pub const SHORT: u8 = 2;
    pub const LONG: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const DOUBLE: u8 = 5;
    pub const OLD_TIMESTAMP: u8 = 7;
    pub const LONGLONG: u8 = 8;
    pub const INT24: u8 = 9;
    pub const OLD_DATE: u8 = 10;
    pub const OLD_TIME: u8 = 11;
    pub const OLD_DATETIME: u8 = 12;
    pub const YEAR: u8 = 13;
    pub const DATE: u8 = 14;
    pub const VARCHAR: u8 = 15;
    pub const BIT: u8 = 16;
    pub const TIMESTAMP: u8 = 17;
    pub const DATETIME: u8 = 18;
    pub const TIME: u8 = 19;
    /// Generated column of MariaDB 5.2 to 10.1; JSON of MySQL 5.7.
    pub const VIRTUAL: u8 = 245;
    pub const DECIMAL: u8 = 246;
    pub const ENUM: u8 = 247;
    pub const SET: u8 = 248;
    pub const TINY_BLOB: u8 = 249;
    pub const MEDIUM_BLOB: u8 = 250;
    pub const LONG_BLOB: u8 = 251;
    pub const BLOB: u8 = 252;
    pub const OLD_VARCHAR: u8 = 253;
    pub const STRING: u8 = 254;
    pub const GEOMETRY: u8 = 255;
}

/// Pack flags of column entries.
pub(super) mod pack {
    /// Numbers: signed. Strings: the collation sorts by bytes.
    pub const SIGNED: u16 = 0x0001;
    pub const NUMBER: u16 = 0x0002;
    pub const ZEROFILL: u16 = 0x0004;
    pub const INTERVAL: u16 = 0x0100;
    pub const BITFIELD: u16 = 0x0200;
    pub const BLOB: u16 = 0x0400;
    pub const GEOMETRY: u16 = 0x0800;
    pub const BIT_AS_CHAR: u16 = 0x1000;
    /// ENUM, SET: members are stored as hexadecimal text.
    pub const HEX_MEMBERS: u16 = 0x1000;
    /// Number of decimals of FLOAT, DOUBLE and DECIMAL.
    pub const DECIMALS: u16 = 0x3f00;
    pub const NO_DEFAULT: u16 = 0x4000;
    pub const MAYBE_NULL: u16 = 0x8000;
    /// Bit of the decimals that older files use otherwise.
    pub const DECIMALS_HIGH: u16 = 0x2000;
}

/// Unireg codes of column entries.
pub(super) mod unireg {
    pub const AUTO_INCREMENT: u8 = 15;
    pub const DEFAULT_NOW: u8 = 21;
    pub const UPDATE_NOW: u8 = 22;
    pub const BOTH_NOW: u8 = 23;
    pub const COMPRESSED: u8 = 24;
}

/// Key flags (with bit 0 not inverted).
pub(super) mod key {
    pub const UNIQUE: u16 = 0x0001;
    pub const NULL_PART: u16 = 0x0040;
    pub const FULLTEXT: u16 = 0x0080;
    pub const SPATIAL: u16 = 0x0400;
    pub const COMMENT: u16 = 0x1000;
    pub const GENERATED: u16 = 0x2000;
    pub const PARSER: u16 = 0x4000;
    pub const BLOCK_SIZE: u16 = 0x8000;
}

/// Table option bits.
pub(super) mod option {
    pub const PACK_RECORD: u16 = 0x0001;
    pub const PACK_KEYS: u16 = 0x0002;
    pub const LONG_BLOB_PTR: u16 = 0x0008;
    pub const CHECKSUM: u16 = 0x0020;
    pub const DELAY_KEY_WRITE: u16 = 0x0040;
    pub const NO_PACK_KEYS: u16 = 0x0080;
    pub const STATS_PERSISTENT: u16 = 0x1000;
    pub const NO_STATS_PERSISTENT: u16 = 0x2000;
}

/// Tags of the extra2 segment.
pub(super) mod tag {
    pub const VERSION: u8 = 0;
    pub const PARTITION_ENGINE: u8 = 1;
    pub const GIS: u8 = 2;
    pub const APPLICATION_PERIOD: u8 = 3;
    pub const SYSTEM_PERIOD: u8 = 4;
    pub const INDEX_FLAGS: u8 = 5;
    pub const ENGINE_OPTIONS: u8 = 128;
    pub const COLUMN_FLAGS: u8 = 129;
    pub const TYPE_NAMES: u8 = 130;
    pub const WITHOUT_OVERLAPS: u8 = 131;
}

/// Kinds of entry in the expression section.
pub(super) mod expression {
    pub const VIRTUAL: u8 = 0;
    pub const STORED: u8 = 1;
    pub const DEFAULT: u8 = 2;
    pub const COLUMN_CHECK: u8 = 3;
    pub const TABLE_CHECK: u8 = 4;
    /// Reserved bytes at the start of the section.
    pub const HEAD: usize = 16;
}

/// Size of the fixed part of the form section.
pub(super) const FORM: usize = 288;
/// Size of a column entry.
pub(super) const COLUMN: usize = 17;
/// Longest table comment kept in the form section.
pub(super) const INLINE_COMMENT: usize = 180;

/// Engine codes and names: header byte 3.
const ENGINES: [(u8, &str); 15] = [
    (6, "MEMORY"),
    (9, "MyISAM"),
    (10, "MRG_MyISAM"),
    (12, "InnoDB"),
    (16, "ARCHIVE"),
    (17, "CSV"),
    (18, "FEDERATED"),
    (19, "BLACKHOLE"),
    (20, "partition"),
    (28, "PERFORMANCE_SCHEMA"),
    (41, "S3"),
    (42, "Aria"),
    (43, "Aria"),
    (44, "SEQUENCE"),
    (8, "MRG_MyISAM"),
];

/// Name of an engine by its code; empty if unknown.
pub(super) fn engine_name(code: u8) -> &'static str {
    ENGINES.iter().find(|(c, _)| *c == code).map_or("", |(_, name)| name)
}

/// The name of an engine as servers spell it now: older ones had other cases (`MRG_MYISAM`).
pub(super) fn engine_spelling(name: &str) -> &str {
    ENGINES.iter().find(|(_, n)| n.eq_ignore_ascii_case(name)).map_or(name, |(_, n)| n)
}

/// Code of an engine by its name; 0 if unknown.
pub(super) fn engine_code(name: &str) -> u8 {
    ENGINES.iter().find(|(_, n)| n.eq_ignore_ascii_case(name)).map_or(0, |(code, _)| *code)
}

#[cfg(test)]
mod tests {
    use super::engine_spelling;

    #[test]
    fn engines_are_spelled_as_servers_do_now() {
        assert_eq!(engine_spelling("MRG_MYISAM"), "MRG_MyISAM");
        assert_eq!(engine_spelling("Memory"), "MEMORY");
        assert_eq!(engine_spelling("CONNECT"), "CONNECT");
    }
}
