//! What a table is: columns, keys, checks, options. `.frm` files are read into
//! and written from a [`TableDef`]; the record layout ([`crate::layout`]) and
//! the text of SHOW CREATE TABLE ([`crate::show_create`]) follow from it.
//!
//! Nothing here knows bytes of files. Texts of expressions (defaults, checks,
//! generated columns) are kept as text: whoever executes them parses them.

mod options;

use std::fmt;
use std::sync::Arc;

use charset::Collation;

use crate::record::Layout;

pub use options::{EngineOption, InsertMethod, RowFormat, TableOptions, new_uuid};

/// Version number written into new `.frm` files (10.11.19). A number of the
/// 10.11 series keeps readers from applying the rules for older files.
pub const FRM_VERSION: u32 = 101_119;

/// Collation number of `binary`.
pub const BINARY_COLLATION: u16 = 63;

/// "Number of decimals" of a FLOAT or DOUBLE without a fixed scale.
pub const NOT_FIXED_DECIMALS: u8 = 31;

/// The definition of one table.
#[derive(Clone, Debug)]
pub struct TableDef {
    /// Columns in the order of CREATE TABLE, hidden ones included.
    pub columns: Vec<ColumnDef>,
    /// Keys in the order of the `.MYI` file; see [`TableDef::sort_keys`].
    pub keys: Vec<KeyDef>,
    /// Table-level CHECK constraints.
    pub checks: Vec<CheckDef>,
    /// Table options.
    pub options: TableOptions,
    /// Server version that made the definition (major·10000 + minor·100 + patch).
    pub server_version: u32,
    /// Identity of this version of the definition, drawn at CREATE and ALTER.
    pub uuid: [u8; 16],
    /// Partitioning.
    pub partition: Option<PartitionDef>,
    /// System-versioning period: numbers of the row-start and row-end columns.
    pub system_period: Option<(u16, u16)>,
    /// Application-time period.
    pub application_period: Option<PeriodDef>,
    /// Record layout found in a file that does not follow the present rules
    /// (old servers); [`TableDef::layout`] prefers it.
    pub stored_layout: Option<Arc<Layout>>,
}

/// A CHECK constraint of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckDef {
    /// Constraint name.
    pub name: String,
    /// Expression without outer parentheses.
    pub expression: String,
}

/// Partitioning as found in a `.frm`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionDef {
    /// Partition clause as SQL text.
    pub clause: String,
    /// Engine of the partitions.
    pub engine: String,
    /// Engine code of the partitions (header byte 61).
    pub engine_code: u8,
    /// Partitioned by the engine, not by the user.
    pub automatic: bool,
    /// The files with rows, in the order of the partitions; nobody knows them while the clause was not read.
    pub files: Vec<PartitionFile>,
    /// CONNECTION of each partition.
    pub connections: Vec<String>,
}

/// A partition or subpartition that has files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartitionFile {
    /// What stands behind `table#P#` in the names of its files: `p0`, `p0#SP#s0`.
    pub name: String,
    /// The partition's name.
    pub partition: String,
    /// The subpartition's name.
    pub subpartition: Option<String>,
    /// MAX_ROWS.
    pub max_rows: u64,
    /// MIN_ROWS.
    pub min_rows: u64,
    /// DATA DIRECTORY.
    pub data_directory: Option<String>,
    /// INDEX DIRECTORY.
    pub index_directory: Option<String>,
}

/// An application-time period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodDef {
    /// Period name.
    pub name: String,
    /// Name of the implicit CHECK.
    pub constraint: String,
    /// Number of the column with the start.
    pub start: u16,
    /// Number of the column with the end.
    pub end: u16,
    /// Numbers of the keys declared WITHOUT OVERLAPS.
    pub without_overlaps: Vec<u16>,
}

/// One column.
#[derive(Clone)]
pub struct ColumnDef {
    /// Name.
    pub name: String,
    /// Type.
    pub ty: ColumnType,
    /// Display width: integers, FLOAT, DOUBLE and YEAR only, 0 otherwise.
    pub width: u16,
    /// May hold NULL.
    pub nullable: bool,
    /// UNSIGNED (numeric types).
    pub unsigned: bool,
    /// ZEROFILL (numeric types).
    pub zerofill: bool,
    /// AUTO_INCREMENT.
    pub auto_increment: bool,
    /// Collation. For strings, ENUM and SET the column's; `binary` marks
    /// BINARY, VARBINARY and BLOB. For other types it has no meaning.
    pub collation: &'static Collation,
    /// Default.
    pub default: DefaultValue,
    /// ON UPDATE CURRENT_TIMESTAMP.
    pub on_update_now: bool,
    /// Generated column.
    pub generated: Option<Generated>,
    /// Column-level CHECK, without outer parentheses.
    pub check: Option<String>,
    /// Comment.
    pub comment: String,
    /// Visibility.
    pub visibility: Visibility,
    /// WITHOUT SYSTEM VERSIONING.
    pub unversioned: bool,
    /// COMPRESSED column (values hold compressed data; not served).
    pub compressed: bool,
    /// Engine-defined options.
    pub engine_options: Vec<EngineOption>,
}

/// Column types as stored. BINARY, VARBINARY and BLOB are [`ColumnType::Char`],
/// [`ColumnType::Varchar`] and [`ColumnType::Blob`] with the `binary` collation;
/// JSON is a LONGTEXT with a `json_valid` check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// TINYINT, 1 byte.
    Tiny,
    /// SMALLINT, 2 bytes.
    Short,
    /// MEDIUMINT, 3 bytes.
    Int24,
    /// INT, 4 bytes.
    Long,
    /// BIGINT, 8 bytes.
    LongLong,
    /// FLOAT; `decimals` is [`NOT_FIXED_DECIMALS`] without (M,D).
    Float {
        /// Fixed number of decimals.
        decimals: u8,
    },
    /// DOUBLE; `decimals` is [`NOT_FIXED_DECIMALS`] without (M,D).
    Double {
        /// Fixed number of decimals.
        decimals: u8,
    },
    /// DECIMAL in binary form.
    Decimal {
        /// Digits in all, 1 to 65.
        precision: u8,
        /// Digits after the point, 0 to 38.
        scale: u8,
    },
    /// DECIMAL of 4.1 and older: text of `bytes` bytes.
    OldDecimal {
        /// Width in bytes.
        bytes: u16,
        /// Digits after the point.
        scale: u8,
    },
    /// YEAR, 1 byte.
    Year,
    /// BIT(n).
    Bit {
        /// Bits, 1 to 64.
        bits: u8,
        /// All bits in whole bytes of their own (engines without native bits).
        as_char: bool,
    },
    /// DATE, 3 bytes.
    Date,
    /// DATE of 4.0 and older, 4 bytes.
    OldDate,
    /// TIME, big-endian form.
    Time {
        /// Fractional digits.
        decimals: u8,
    },
    /// TIME in the form of 5.5 and older.
    OldTime {
        /// Fractional digits.
        decimals: u8,
    },
    /// DATETIME, big-endian form.
    DateTime {
        /// Fractional digits.
        decimals: u8,
    },
    /// DATETIME in the form of 5.5 and older.
    OldDateTime {
        /// Fractional digits.
        decimals: u8,
    },
    /// TIMESTAMP, big-endian form.
    Timestamp {
        /// Fractional digits.
        decimals: u8,
    },
    /// TIMESTAMP in the form of 5.5 and older.
    OldTimestamp {
        /// Fractional digits.
        decimals: u8,
    },
    /// CHAR or BINARY.
    Char {
        /// Width in bytes: characters × mbmaxlen.
        bytes: u16,
    },
    /// VARCHAR of 4.1 and older: padded like CHAR.
    OldVarchar {
        /// Width in bytes.
        bytes: u16,
    },
    /// VARCHAR or VARBINARY.
    Varchar {
        /// Largest value in bytes (without the length prefix).
        bytes: u16,
    },
    /// TEXT and BLOB family.
    Blob {
        /// Size of the length prefix, 1 (TINY) to 4 (LONG).
        length_bytes: u8,
    },
    /// ENUM; values in the column's character set.
    Enum {
        /// Members in order.
        values: Arc<[Box<[u8]>]>,
    },
    /// SET; values in the column's character set.
    Set {
        /// Members in order, at most 64.
        values: Arc<[Box<[u8]>]>,
    },
    /// GEOMETRY family.
    Geometry {
        /// Which of the family.
        kind: GeometryKind,
        /// Reference system (REF_SYSTEM_ID).
        srid: u32,
    },
    /// UUID, 16 bytes.
    Uuid,
    /// INET4, 4 bytes.
    Inet4,
    /// INET6, 16 bytes.
    Inet6,
}

/// Geometry types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum GeometryKind {
    /// GEOMETRY
    Geometry = 0,
    /// POINT
    Point = 1,
    /// LINESTRING
    LineString = 2,
    /// POLYGON
    Polygon = 3,
    /// MULTIPOINT
    MultiPoint = 4,
    /// MULTILINESTRING
    MultiLineString = 5,
    /// MULTIPOLYGON
    MultiPolygon = 6,
    /// GEOMETRYCOLLECTION
    Collection = 7,
}

impl GeometryKind {
    /// The kind of that number, as definitions and columns have it.
    #[must_use]
    pub fn from_number(n: u8) -> Option<GeometryKind> {
        Some(match n {
            0 => GeometryKind::Geometry,
            1 => GeometryKind::Point,
            2 => GeometryKind::LineString,
            3 => GeometryKind::Polygon,
            4 => GeometryKind::MultiPoint,
            5 => GeometryKind::MultiLineString,
            6 => GeometryKind::MultiPolygon,
            7 => GeometryKind::Collection,
            _ => return None,
        })
    }

    /// The name of the type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            GeometryKind::Geometry => "geometry",
            GeometryKind::Point => "point",
            GeometryKind::LineString => "linestring",
            GeometryKind::Polygon => "polygon",
            GeometryKind::MultiPoint => "multipoint",
            GeometryKind::MultiLineString => "multilinestring",
            GeometryKind::MultiPolygon => "multipolygon",
            GeometryKind::Collection => "geometrycollection",
        }
    }
}

/// Default of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// None: an INSERT without the column needs a value (or takes the type's zero).
    None,
    /// NULL, given or implied.
    Null,
    /// A constant as stored bytes: the column's bytes in the record; VARCHAR
    /// without length prefix, CHAR without its padding, BLOB data, BIT(n) as
    /// (n+7)/8 bytes big-endian.
    Value(Box<[u8]>),
    /// An expression, as text without outer parentheses. Constants of BLOB and
    /// TEXT columns are stored in this form too.
    Expression(Computed),
    /// CURRENT_TIMESTAMP with the column's precision.
    Now,
}

/// A default that is an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// Its text, without outer parentheses.
    pub text: String,
    /// What it gave when the table was defined, if it reads nothing: stored bytes as of [`DefaultValue::Value`].
    /// MariaDB takes it from here, and computes the defaults of other columns. None is NULL, or not known; so is the
    /// zero of a column that cannot be NULL.
    pub value: Option<Box<[u8]>>,
}

impl From<String> for Computed {
    fn from(text: String) -> Computed {
        Computed { text, value: None }
    }
}

/// Generated column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Expression without outer parentheses.
    pub expression: String,
    /// STORED (PERSISTENT); otherwise VIRTUAL and not part of the stored row.
    pub stored: bool,
}

/// Visibility of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Visibility {
    /// Ordinary.
    #[default]
    Visible = 0,
    /// INVISIBLE.
    Invisible = 1,
    /// Made by the server, can be named.
    System = 2,
    /// Made by the server, cannot be named.
    Hidden = 3,
}

/// Kinds of key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// PRIMARY KEY.
    Primary,
    /// UNIQUE KEY.
    Unique,
    /// KEY.
    Plain,
    /// FULLTEXT KEY.
    Fulltext,
    /// SPATIAL KEY.
    Spatial,
}

/// Algorithms of a key as named by USING.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum KeyAlgorithm {
    /// Not given: the engine's own.
    #[default]
    Default = 0,
    /// BTREE
    Btree = 1,
    /// RTREE
    Rtree = 2,
    /// HASH
    Hash = 3,
    /// Full text; only with [`KeyKind::Fulltext`], where it is implied.
    Fulltext = 4,
    /// A unique key over values too long for a key: the real key is over a
    /// hidden hash column.
    LongHash = 5,
}

/// One key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyDef {
    /// Name; `PRIMARY` for the primary key.
    pub name: String,
    /// Kind.
    pub kind: KeyKind,
    /// Parts in order.
    pub parts: Vec<KeyPart>,
    /// USING.
    pub algorithm: KeyAlgorithm,
    /// KEY_BLOCK_SIZE in bytes, 0 = not given. Keys of a table with a
    /// KEY_BLOCK_SIZE carry the table's when they have none of their own.
    pub block_size: u16,
    /// Comment.
    pub comment: String,
    /// WITH PARSER name (full text).
    pub parser: Option<String>,
    /// IGNORED.
    pub ignored: bool,
    /// Made for a foreign key, not by the user.
    pub generated: bool,
    /// Engine-defined options.
    pub engine_options: Vec<EngineOption>,
}

/// One part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPart {
    /// Number of the column in [`TableDef::columns`].
    pub column: usize,
    /// Length of the prefix in bytes (characters × mbmaxlen); `None` = the whole column.
    pub prefix: Option<u16>,
    /// DESC.
    pub descending: bool,
}

impl TableDef {
    /// The engine that keeps the rows, when it is neither MyISAM nor MEMORY nor MERGE, nor partitions of MyISAM: such a table cannot be
    /// opened here.
    #[must_use]
    pub fn foreign_engine(&self) -> Option<&str> {
        if let Some(partition) = &self.partition {
            let known = partition.engine.eq_ignore_ascii_case("MyISAM") && !partition.files.is_empty();
            return (!known).then_some("partition");
        }
        let ours = ["MyISAM", "MEMORY", "MRG_MyISAM"]
            .iter()
            .any(|name| self.options.engine.eq_ignore_ascii_case(name));
        (!ours).then_some(&self.options.engine)
    }

    /// A table without columns and keys.
    #[must_use]
    pub fn new(engine: &str, collation: &'static Collation) -> TableDef {
        TableDef {
            columns: Vec::new(),
            keys: Vec::new(),
            checks: Vec::new(),
            options: TableOptions::new(engine, collation),
            server_version: FRM_VERSION,
            uuid: new_uuid(),
            partition: None,
            system_period: None,
            application_period: None,
            stored_layout: None,
        }
    }

    /// Gives each long unique key its hidden column, behind all others; old ones go.
    pub fn renew_hash_columns(&mut self) {
        self.columns.retain(|c| !c.is_hash());
        let Some(collation) = Collation::by_name("latin1_swedish_ci") else { return };
        let mut number = 0;
        for _ in self.keys.iter().filter(|k| k.algorithm == KeyAlgorithm::LongHash) {
            let name = loop {
                number += 1;
                let name = format!("DB_ROW_HASH_{number}");
                if self.column_number(&name).is_none() {
                    break name;
                }
            };
            let mut column = ColumnDef::new(&name, ColumnType::LongLong, collation);
            column.unsigned = true;
            column.width = 8;
            column.visibility = Visibility::Hidden;
            self.columns.push(column);
        }
    }

    /// Number of the column with this name, compared without regard to ASCII case.
    #[must_use]
    pub fn column_number(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.name.eq_ignore_ascii_case(name))
    }

    /// Option bit PACK_RECORD: rows have variable length and no delete mark.
    #[must_use]
    pub fn pack_record(&self) -> bool {
        let format = self.options.row_format;
        matches!(format, RowFormat::Dynamic | RowFormat::Page)
            || self.columns.iter().any(|c| {
                c.ty.is_blob() || (matches!(c.ty, ColumnType::Varchar { .. }) && format != RowFormat::Fixed)
            })
    }

    /// Number of the primary key: the one so named, else the first key if it
    /// is unique over whole NOT NULL columns.
    #[must_use]
    pub fn primary_key(&self) -> Option<usize> {
        let key = self.keys.first()?;
        let promoted = key.kind == KeyKind::Unique
            && key.algorithm != KeyAlgorithm::LongHash
            && key.parts.iter().all(|p| p.prefix.is_none() && !self.columns[p.column].nullable);
        (key.kind == KeyKind::Primary || promoted).then_some(0)
    }

    /// Brings the keys into the order of the files: PRIMARY, unique keys without
    /// nullable parts, other unique keys, plain (and spatial) keys, full text.
    /// Within a group whole-column unique keys precede those with prefixes;
    /// otherwise the order of the statement stays.
    pub fn sort_keys(&mut self) {
        let columns = &self.columns;
        let rank = |key: &KeyDef| -> (u8, bool, bool) {
            let nullable = key.parts.iter().any(|p| columns[p.column].nullable);
            let prefix = key.parts.iter().any(|p| p.prefix.is_some());
            match key.kind {
                KeyKind::Primary => (0, false, false),
                KeyKind::Unique if key.algorithm == KeyAlgorithm::LongHash => (2, false, false),
                KeyKind::Unique => (1, nullable, prefix),
                KeyKind::Plain | KeyKind::Spatial => (3, false, false),
                KeyKind::Fulltext => (4, false, false),
            }
        };
        self.keys.sort_by_key(rank);
    }
}

impl ColumnDef {
    /// A nullable column with the type's usual width, no default and no options.
    #[must_use]
    pub fn new(name: &str, ty: ColumnType, collation: &'static Collation) -> ColumnDef {
        let width = ty.default_width(false);
        // YEAR counts as unsigned and zero-filled.
        let year = ty == ColumnType::Year;
        ColumnDef {
            name: name.to_owned(),
            ty,
            width,
            nullable: true,
            unsigned: year,
            zerofill: year,
            auto_increment: false,
            collation,
            default: DefaultValue::Null,
            on_update_now: false,
            generated: None,
            check: None,
            comment: String::new(),
            visibility: Visibility::Visible,
            unversioned: false,
            compressed: false,
            engine_options: Vec::new(),
        }
    }

    /// Of a character type (CHAR, VARCHAR, TEXT, ENUM, SET and their binary kin).
    #[must_use]
    pub fn is_string(&self) -> bool {
        self.ty.is_string()
    }

    /// BINARY, VARBINARY, BLOB: a string type of the `binary` collation.
    #[must_use]
    pub fn is_binary_string(&self) -> bool {
        matches!(
            self.ty,
            ColumnType::Char { .. }
                | ColumnType::OldVarchar { .. }
                | ColumnType::Varchar { .. }
                | ColumnType::Blob { .. }
        ) && self.collation.id == BINARY_COLLATION
    }

    /// Largest length in characters of a CHAR or VARCHAR.
    #[must_use]
    pub fn char_length(&self) -> Option<u32> {
        match self.ty {
            ColumnType::Char { bytes } | ColumnType::Varchar { bytes } | ColumnType::OldVarchar { bytes } => {
                Some(u32::from(bytes) / u32::from(self.collation.charset.mbmaxlen.max(1)))
            }
            _ => None,
        }
    }

    /// A virtual generated column: not part of stored rows.
    #[must_use]
    pub fn is_virtual(&self) -> bool {
        self.generated.as_ref().is_some_and(|g| !g.stored)
    }

    /// The hidden column of a long unique key.
    #[must_use]
    pub fn is_hash(&self) -> bool {
        self.visibility == Visibility::Hidden && self.name.starts_with("DB_ROW_HASH_")
    }

    /// A JSON column: LONGTEXT with the usual check.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.ty == ColumnType::Blob { length_bytes: 4 }
            && self.check.as_deref().is_some_and(|check| self.asks_for_json(check))
    }

    /// A column that takes documents only, whatever its type and what else is asked of it.
    #[must_use]
    pub fn holds_json(&self) -> bool {
        let Some(check) = self.check.as_deref() else { return false };
        // one of several conditions that all must hold; others may bind it otherwise
        let all = !check.contains(" or ") && !check.contains(" xor ");
        self.asks_for_json(check) || all && check.split(" and ").any(|part| self.asks_for_json(part))
    }

    fn asks_for_json(&self, condition: &str) -> bool {
        condition
            .strip_prefix("json_valid(`")
            .and_then(|rest| rest.strip_suffix("`)"))
            .is_some_and(|name| name.replace("``", "`") == self.name)
    }
}

impl ColumnType {
    /// VARCHAR of 4.1 and older as it is now; other types as they are.
    #[must_use]
    pub fn renewed(&self) -> ColumnType {
        match self {
            ColumnType::OldVarchar { bytes } => ColumnType::Varchar { bytes: *bytes },
            other => other.clone(),
        }
    }

    /// Display width the server gives when the statement names none; 0 for
    /// types without display width.
    #[must_use]
    pub fn default_width(&self, unsigned: bool) -> u16 {
        match (self, unsigned) {
            (ColumnType::Tiny, false) => 4,
            (ColumnType::Tiny, true) => 3,
            (ColumnType::Short, false) => 6,
            (ColumnType::Short, true) => 5,
            (ColumnType::Int24, false) => 9,
            (ColumnType::Int24, true) => 8,
            (ColumnType::Long, false) => 11,
            (ColumnType::Long, true) => 10,
            (ColumnType::LongLong, _) => 20,
            (ColumnType::Float { .. }, _) => 12,
            (ColumnType::Double { .. }, _) => 22,
            (ColumnType::Year, _) => 4,
            _ => 0,
        }
    }

    /// TEXT, BLOB or GEOMETRY.
    #[must_use]
    pub fn is_blob(&self) -> bool {
        matches!(self, ColumnType::Blob { .. } | ColumnType::Geometry { .. })
    }

    /// One of the five integer types.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        matches!(
            self,
            ColumnType::Tiny
                | ColumnType::Short
                | ColumnType::Int24
                | ColumnType::Long
                | ColumnType::LongLong
        )
    }

    /// A type with a collation that matters.
    #[must_use]
    pub fn is_string(&self) -> bool {
        matches!(
            self,
            ColumnType::Char { .. }
                | ColumnType::OldVarchar { .. }
                | ColumnType::Varchar { .. }
                | ColumnType::Blob { .. }
                | ColumnType::Enum { .. }
                | ColumnType::Set { .. }
        )
    }

    /// Fractional digits of a temporal type.
    #[must_use]
    pub fn fraction(&self) -> Option<u8> {
        match *self {
            ColumnType::Time { decimals }
            | ColumnType::OldTime { decimals }
            | ColumnType::DateTime { decimals }
            | ColumnType::OldDateTime { decimals }
            | ColumnType::Timestamp { decimals }
            | ColumnType::OldTimestamp { decimals } => Some(decimals),
            _ => None,
        }
    }
}

impl KeyDef {
    /// A key over whole columns, ascending.
    #[must_use]
    pub fn new(name: &str, kind: KeyKind, columns: &[usize]) -> KeyDef {
        KeyDef {
            name: name.to_owned(),
            kind,
            parts: columns.iter().map(|&c| KeyPart::whole(c)).collect(),
            algorithm: KeyAlgorithm::Default,
            block_size: 0,
            comment: String::new(),
            parser: None,
            ignored: false,
            generated: false,
            engine_options: Vec::new(),
        }
    }

    /// PRIMARY or UNIQUE.
    #[must_use]
    pub fn is_unique(&self) -> bool {
        matches!(self.kind, KeyKind::Primary | KeyKind::Unique)
    }
}

impl KeyPart {
    /// The whole column, ascending.
    #[must_use]
    pub fn whole(column: usize) -> KeyPart {
        KeyPart { column, prefix: None, descending: false }
    }
}

impl fmt::Debug for ColumnDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ColumnDef")
            .field("name", &self.name)
            .field("ty", &self.ty)
            .field("nullable", &self.nullable)
            .field("default", &self.default)
            .finish_non_exhaustive()
    }
}
