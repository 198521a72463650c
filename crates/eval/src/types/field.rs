//! The type of a column or an expression.

use super::value::Class;
use crate::result::{ColumnMeta, Finer, NOT_FIXED_DEC, flag, wire};
use charset::Collation;
pub use charset::derivation::Derivation;
use schema::definition::{ColumnDef, ColumnType, GeometryKind, NOT_FIXED_DECIMALS, TableDef};
use std::sync::Arc;

/// The SQL types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    Null,
    Tiny,
    Short,
    Int24,
    Long,
    LongLong,
    Float,
    Double,
    Decimal,
    Year,
    Bit,
    Date,
    Time,
    DateTime,
    Timestamp,
    Char,
    Varchar,
    TinyBlob,
    Blob,
    MediumBlob,
    LongBlob,
    Enum,
    Set,
    Geometry,
    Uuid,
    Inet4,
    Inet6,
}

impl Kind {
    /// The BLOB that has room for so many bytes.
    #[must_use]
    pub fn blob_for(bytes: u32) -> Kind {
        match bytes {
            0..=0xff => Kind::TinyBlob,
            0x100..=0xffff => Kind::Blob,
            0x1_0000..=0xff_ffff => Kind::MediumBlob,
            _ => Kind::LongBlob,
        }
    }

    /// Bytes that a BLOB of this kind holds.
    #[must_use]
    pub fn blob_capacity(self) -> u32 {
        match self {
            Kind::TinyBlob => 0xff,
            Kind::Blob => 0xffff,
            Kind::MediumBlob => 0xff_ffff,
            _ => u32::MAX,
        }
    }

    /// Digits of the largest unsigned value of an integer type.
    #[must_use]
    pub fn integer_digits(self) -> Option<u32> {
        Some(match self {
            Kind::Tiny => 3,
            Kind::Short => 5,
            Kind::Int24 => 8,
            Kind::Long => 10,
            Kind::LongLong => 20,
            _ => return None,
        })
    }
}

/// Everything the binder, the evaluator and the client must know of a column's or expression's
/// values.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldType {
    /// The type.
    pub kind: Kind,
    /// Longest text in bytes of the type's character set (display width for numbers).
    pub length: u32,
    /// Digits after the point, or of the second's fraction; [`NOT_FIXED_DEC`] when not fixed.
    pub decimals: u8,
    /// UNSIGNED.
    pub unsigned: bool,
    /// ZEROFILL: numbers print with leading zeros up to `zeros`.
    pub zerofill: bool,
    /// Characters that ZEROFILL fills, and the display width of an integer column, which tells nothing of how long values
    /// may be; of a geometry its kind.
    pub zeros: u8,
    /// May be NULL.
    pub nullable: bool,
    /// Collation of text; `binary` for everything else.
    pub collation: &'static Collation,
    /// How the collation came about.
    pub derivation: Derivation,
    /// All characters are known to be ASCII.
    pub ascii: bool,
    /// Members of an ENUM or SET; also of a text that is MIN or MAX of one, which is ordered as the column is.
    pub values: Option<Arc<[Box<[u8]>]>>,
    /// A literal in hexadecimal or bits: text that is a number where a number is wanted.
    pub hex: bool,
    /// A column in a stored form of old servers (temporal types, DECIMAL).
    pub old_format: bool,
    /// A truth value, which error texts call `boolean`.
    pub boolean: bool,
    /// A BIT that was computed: its text is a number's digits. The bytes are those of a column, of a temporary table too.
    pub digits: bool,
    /// Text that is a JSON document: in another document it stands as it is.
    pub json: bool,
    /// Text of a date or time that was computed: as a number it is that of its parts.
    pub moment: bool,
    /// A number that is a part of a date or time: its text has no room for a sign.
    pub signless: bool,
    /// The stored column whose values these are, for warnings; no part of the type.
    pub source: Source,
}

/// A stored column, whose name is put together when a message asks for it. All are equal: types do not differ by it.
#[derive(Clone, Debug, Default)]
pub struct Source {
    of: Option<(Arc<SourceTable>, u32)>,
    /// Nothing is said of texts that become numbers.
    quiet: bool,
}

/// A table whose columns are [`Source`]s: one for all of them.
#[derive(Debug)]
pub struct SourceTable {
    db: Arc<str>,
    name: Arc<str>,
    columns: SourceColumns,
}

#[derive(Debug)]
enum SourceColumns {
    Stored(Arc<TableDef>),
    Made(Vec<String>),
}

impl SourceTable {
    /// A table of a database.
    #[must_use]
    pub fn stored(db: &Arc<str>, name: &Arc<str>, def: &Arc<TableDef>) -> Arc<SourceTable> {
        let columns = SourceColumns::Stored(Arc::clone(def));
        Arc::new(SourceTable { db: Arc::clone(db), name: Arc::clone(name), columns })
    }

    /// The rows of a query, with these columns.
    #[must_use]
    pub fn made(columns: Vec<String>) -> Arc<SourceTable> {
        let columns = SourceColumns::Made(columns);
        Arc::new(SourceTable { db: "".into(), name: "(temporary)".into(), columns })
    }
}

impl Source {
    /// A column of a table, by its number.
    #[must_use]
    pub fn of(table: &Arc<SourceTable>, column: usize) -> Source {
        Source { of: Some((Arc::clone(table), column as u32)), quiet: false }
    }

    /// Whether there is a column.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.of.is_some()
    }

    /// Nothing is said of texts of the column that become numbers.
    pub fn set_quiet(&mut self) {
        self.quiet = true;
    }

    /// Whether that is so.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// As messages write it: database, table and column.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        let (table, column) = self.of.as_ref()?;
        let column = match &table.columns {
            SourceColumns::Stored(def) => def.columns.get(*column as usize).map(|c| c.name.as_str()),
            SourceColumns::Made(names) => names.get(*column as usize).map(String::as_str),
        };
        Some(format!("`{}`.`{}`.`{}`", table.db, table.name, column.unwrap_or_default()))
    }
}

impl PartialEq for Source {
    fn eq(&self, _: &Source) -> bool {
        true
    }
}

/// Longest text a value may have at all.
pub const MAX_LENGTH: u32 = u32::MAX;

impl FieldType {
    /// A type with the collation `binary` and derivation of a number.
    #[must_use]
    pub fn new(kind: Kind, length: u32, decimals: u8) -> FieldType {
        FieldType {
            kind,
            length,
            decimals,
            unsigned: false,
            zerofill: false,
            zeros: 0,
            nullable: true,
            collation: charset::binary(),
            derivation: Derivation::Numeric,
            ascii: true,
            values: None,
            hex: false,
            old_format: false,
            boolean: false,
            digits: false,
            moment: false,
            signless: false,
            source: Source::default(),
            json: false,
        }
    }

    /// The type of NULL.
    #[must_use]
    pub fn null() -> FieldType {
        FieldType { derivation: Derivation::Ignorable, ..FieldType::new(Kind::Null, 0, 0) }
    }

    /// An integer of this display width: INT up to 11 characters wide, else BIGINT.
    #[must_use]
    pub fn int(length: u32) -> FieldType {
        let kind = if length < 10 { Kind::Long } else { Kind::LongLong };
        FieldType::new(kind, length, 0)
    }

    /// BIGINT.
    #[must_use]
    pub fn bigint(unsigned: bool) -> FieldType {
        FieldType { unsigned, ..FieldType::new(Kind::LongLong, if unsigned { 20 } else { 21 }, 0) }
    }

    /// A truth value: INT of width 1.
    #[must_use]
    pub fn boolean() -> FieldType {
        FieldType { boolean: true, ..FieldType::new(Kind::Long, 1, 0) }
    }

    /// DOUBLE without fixed decimals.
    #[must_use]
    pub fn double() -> FieldType {
        FieldType::new(Kind::Double, 23, NOT_FIXED_DEC)
    }

    /// How many characters the widest value of an integer type takes; 0 for other types.
    #[must_use]
    pub fn widest_integer(&self) -> u32 {
        match (self.kind, self.unsigned) {
            (Kind::Tiny, false) => 4,
            (Kind::Tiny, true) => 3,
            (Kind::Short, false) => 6,
            (Kind::Short, true) => 5,
            (Kind::Int24, _) => 8,
            (Kind::Long, false) => 11,
            (Kind::Long, true) => 10,
            (Kind::LongLong, _) => 20,
            _ => 0,
        }
    }

    /// DECIMAL(precision, scale).
    #[must_use]
    pub fn decimal(precision: u8, scale: u8) -> FieldType {
        let p = precision.clamp(1, 65);
        let s = scale.min(38);
        FieldType::new(Kind::Decimal, u32::from(p) + u32::from(s > 0) + 1, s)
    }

    /// As a column has it: a decimal or moment that shows the digits of each value (a user variable, FROM_UNIXTIME of a double) gets the
    /// most there are, and BIT is bytes.
    #[must_use]
    pub fn fixed(&self) -> FieldType {
        if self.kind == Kind::Decimal && self.decimals == NOT_FIXED_DEC {
            return FieldType { nullable: self.nullable, ..FieldType::decimal(65, 38) };
        }
        let mut ty = FieldType { digits: false, moment: false, signless: false, ..self.clone() };
        if ty.is_temporal() && ty.decimals == NOT_FIXED_DEC {
            ty.decimals = 6;
        }
        ty
    }

    /// Whether the width has room for a sign that values never have, as that of parts of dates.
    #[must_use]
    pub fn counts_absent_sign(&self) -> bool {
        self.signless && self.length > 1
    }

    /// DATE.
    #[must_use]
    pub fn date() -> FieldType {
        FieldType::new(Kind::Date, 10, 0)
    }

    /// TIME with `dec` digits of fraction.
    #[must_use]
    pub fn time(dec: u8) -> FieldType {
        let dec = dec.min(6);
        FieldType::new(Kind::Time, 10 + if dec > 0 { u32::from(dec) + 1 } else { 0 }, dec)
    }

    /// DATETIME with `dec` digits of fraction.
    #[must_use]
    pub fn datetime(dec: u8) -> FieldType {
        let dec = dec.min(6);
        FieldType::new(Kind::DateTime, 19 + if dec > 0 { u32::from(dec) + 1 } else { 0 }, dec)
    }

    /// A string of at most `chars` characters; long ones become the BLOB kinds.
    #[must_use]
    pub fn string(chars: u64, collation: &'static Collation, derivation: Derivation) -> FieldType {
        let bytes =
            chars.saturating_mul(u64::from(collation.charset.mbmaxlen)).min(u64::from(MAX_LENGTH)) as u32;
        let mut t = FieldType::new(Kind::Varchar, bytes, NOT_FIXED_DEC);
        t.collation = collation;
        t.derivation = derivation;
        t.ascii = false;
        t.fix_string_kind();
        t
    }

    /// Chooses VARCHAR or a BLOB kind by the length, as results show it.
    pub fn fix_string_kind(&mut self) {
        if self.length > 0xff_ffff {
            self.kind = Kind::LongBlob;
        } else if self.length > 65535 {
            self.kind = Kind::MediumBlob;
        } else if self.length > 65532 {
            self.kind = Kind::Blob;
        } else {
            self.kind = Kind::Varchar;
        }
    }

    /// The same type, NULL allowed or not.
    #[must_use]
    pub fn with_nullable(mut self, nullable: bool) -> FieldType {
        self.nullable = nullable;
        self
    }

    /// The type of a column.
    #[must_use]
    pub fn from_column(c: &ColumnDef) -> FieldType {
        let w = u32::from(c.width);
        let frac = |base: u32, dec: u8| base + if dec > 0 { u32::from(dec) + 1 } else { 0 };
        let dec31 = |d: u8| if d >= 31 { NOT_FIXED_DEC } else { d };
        let (kind, length, decimals) = match &c.ty {
            ColumnType::Tiny => (Kind::Tiny, w, 0),
            ColumnType::Short => (Kind::Short, w, 0),
            ColumnType::Int24 => (Kind::Int24, w, 0),
            ColumnType::Long => (Kind::Long, w, 0),
            ColumnType::LongLong => (Kind::LongLong, w, 0),
            ColumnType::Float { decimals } => (Kind::Float, w, dec31(*decimals)),
            ColumnType::Double { decimals } => (Kind::Double, w, dec31(*decimals)),
            ColumnType::Decimal { precision, scale } => (
                Kind::Decimal,
                u32::from(*precision) + u32::from(*scale > 0) + u32::from(!c.unsigned),
                *scale,
            ),
            ColumnType::OldDecimal { bytes, scale } => (Kind::Decimal, u32::from(*bytes), *scale),
            ColumnType::Year => (Kind::Year, w, 0),
            ColumnType::Bit { bits, .. } => (Kind::Bit, u32::from(*bits), 0),
            ColumnType::Date | ColumnType::OldDate => (Kind::Date, 10, 0),
            ColumnType::Time { decimals } | ColumnType::OldTime { decimals } => {
                (Kind::Time, frac(10, *decimals), *decimals)
            }
            ColumnType::DateTime { decimals } | ColumnType::OldDateTime { decimals } => {
                (Kind::DateTime, frac(19, *decimals), *decimals)
            }
            ColumnType::Timestamp { decimals } | ColumnType::OldTimestamp { decimals } => {
                (Kind::Timestamp, frac(19, *decimals), *decimals)
            }
            ColumnType::Char { bytes } => (Kind::Char, u32::from(*bytes), 0),
            ColumnType::OldVarchar { bytes } | ColumnType::Varchar { bytes } => {
                (Kind::Varchar, u32::from(*bytes), 0)
            }
            ColumnType::Blob { length_bytes } => match length_bytes {
                1 => (Kind::TinyBlob, 255, 0),
                2 => (Kind::Blob, 65535, 0),
                3 => (Kind::MediumBlob, 0xff_ffff, 0),
                _ => (Kind::LongBlob, u32::MAX, 0),
            },
            ColumnType::Enum { values } => {
                let longest = values.iter().map(|v| c.collation.charset.char_len(v)).max().unwrap_or(0);
                (Kind::Enum, (longest * usize::from(c.collation.charset.mbmaxlen)) as u32, 0)
            }
            ColumnType::Set { values } => {
                let sum: usize = values.iter().map(|v| c.collation.charset.char_len(v) + 1).sum();
                (Kind::Set, (sum.saturating_sub(1) * usize::from(c.collation.charset.mbmaxlen)) as u32, 0)
            }
            ColumnType::Geometry { .. } => (Kind::Geometry, u32::MAX, 0),
            ColumnType::Uuid => (Kind::Uuid, 36, 0),
            ColumnType::Inet4 => (Kind::Inet4, 15, 0),
            ColumnType::Inet6 => (Kind::Inet6, 39, 0),
        };
        let mut t = FieldType::new(kind, length, decimals);
        t.unsigned = c.unsigned || matches!(kind, Kind::Year | Kind::Bit | Kind::Timestamp);
        t.zerofill = c.zerofill || kind == Kind::Year;
        t.zeros =
            if let ColumnType::Geometry { kind, .. } = c.ty { kind as u8 } else { length.min(255) as u8 };
        t.nullable = c.nullable;
        if c.ty.is_string() {
            t.collation = c.collation;
            t.derivation = Derivation::Implicit;
            t.ascii = false;
        } else if matches!(kind, Kind::Bit | Kind::Geometry) {
            t.derivation = Derivation::Implicit;
        }
        t.old_format = matches!(
            c.ty,
            ColumnType::OldDecimal { .. }
                | ColumnType::OldDate
                | ColumnType::OldTime { .. }
                | ColumnType::OldDateTime { .. }
                | ColumnType::OldTimestamp { .. }
        );
        t.values = match &c.ty {
            ColumnType::Enum { values } | ColumnType::Set { values } => Some(Arc::clone(values)),
            _ => None,
        };
        t.json = c.is_json();
        t
    }

    /// The width of a column where its values are computed with: how wide an integer is shown tells nothing of
    /// its digits.
    #[must_use]
    pub fn as_operand(mut self) -> FieldType {
        if self.kind.integer_digits().is_some() {
            self.length = self.natural_length();
        }
        self
    }

    /// Characters of the longest value of an integer type; the type's own length for others.
    #[must_use]
    pub fn natural_length(&self) -> u32 {
        match self.kind.integer_digits() {
            Some(20) => 20,
            // one digit less than without a sign
            Some(8) if !self.unsigned => 9,
            Some(digits) => digits + u32::from(!self.unsigned),
            None => self.length,
        }
    }

    /// The display width of an integer column: its values as bytes are announced and stored in so many.
    #[must_use]
    pub fn display_width(&self) -> Option<u32> {
        (self.zeros > 0 && self.kind.integer_digits().is_some()).then_some(self.zeros.into())
    }

    /// Characters of the longest text of a number, where it may be wider than its type shows it.
    #[must_use]
    pub fn widest_text(&self) -> Option<u32> {
        match self.kind {
            Kind::Float | Kind::Double if self.decimals < NOT_FIXED_DEC => Some(400),
            _ => self.display_width().map(|_| self.natural_length()),
        }
    }

    /// How values of this type are represented while they are computed with.
    #[inline]
    #[must_use]
    pub fn class(&self) -> Class {
        match self.kind {
            Kind::Null => Class::Null,
            Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong => {
                if self.unsigned {
                    Class::UInt
                } else {
                    Class::Int
                }
            }
            Kind::Year | Kind::Bit | Kind::Enum | Kind::Set => Class::UInt,
            Kind::Float | Kind::Double => Class::Double,
            Kind::Decimal => Class::Decimal,
            Kind::Date => Class::Date,
            Kind::Time => Class::Time,
            Kind::DateTime | Kind::Timestamp => Class::DateTime,
            _ => Class::Bytes,
        }
    }

    /// Whether values are compared and shown as text (ENUM and SET too, but not BIT).
    #[must_use]
    pub fn is_string(&self) -> bool {
        matches!(
            self.kind,
            Kind::Char
                | Kind::Varchar
                | Kind::TinyBlob
                | Kind::Blob
                | Kind::MediumBlob
                | Kind::LongBlob
                | Kind::Enum
                | Kind::Set
                | Kind::Geometry
                | Kind::Uuid
                | Kind::Inet4
                | Kind::Inet6
        )
    }

    /// Whether it is a double of a fixed number of digits after the point.
    #[must_use]
    pub fn is_fixed_double(&self) -> bool {
        self.class() == Class::Double && self.decimals < NOT_FIXED_DECIMALS
    }

    /// A double with as many digits after the point as this type tells: what a column of it has.
    #[must_use]
    pub fn told_double(&self, x: f64) -> f64 {
        if !self.is_fixed_double() {
            return x;
        }
        let x = super::number::round_stored(x, self.decimals);
        if self.kind == Kind::Float { f64::from(x as f32) } else { x }
    }

    /// Whether this is a number type (BIT and YEAR too).
    #[must_use]
    pub fn is_number(&self) -> bool {
        matches!(
            self.kind,
            Kind::Tiny
                | Kind::Short
                | Kind::Int24
                | Kind::Long
                | Kind::LongLong
                | Kind::Float
                | Kind::Double
                | Kind::Decimal
                | Kind::Year
                | Kind::Bit
        )
    }

    /// Whether this is YEAR(2), whose values are the last two digits of years.
    #[inline]
    #[must_use]
    pub fn is_short_year(&self) -> bool {
        self.kind == Kind::Year && self.length == 2
    }

    /// Whether this is UUID, INET4 or INET6.
    #[must_use]
    pub fn is_address(&self) -> bool {
        matches!(self.kind, Kind::Uuid | Kind::Inet4 | Kind::Inet6)
    }

    /// The name of UUID, INET4, INET6 in messages.
    #[must_use]
    pub fn address_name(&self) -> &'static str {
        match self.kind {
            Kind::Inet4 => "inet4",
            Kind::Inet6 => "inet6",
            _ => "uuid",
        }
    }

    /// The type's name in messages about types.
    #[must_use]
    pub fn sql_name(&self) -> &'static str {
        let binary = self.collation.id == 63;
        match self.kind {
            Kind::Null => "null",
            Kind::Tiny if self.unsigned => "tiny unsigned",
            Kind::Short if self.unsigned => "smallint unsigned",
            Kind::Int24 if self.unsigned => "mediumint unsigned",
            Kind::Long if self.unsigned => "int unsigned",
            Kind::LongLong if self.unsigned => "bigint unsigned",
            Kind::Tiny => "tinyint",
            Kind::Short => "smallint",
            Kind::Int24 => "mediumint",
            Kind::Long if self.boolean => "boolean",
            Kind::Long => "int",
            // literals are of the widest type here
            Kind::LongLong if self.length < 11 => "int",
            Kind::LongLong => "bigint",
            Kind::Float => "float",
            Kind::Double => "double",
            Kind::Decimal => "decimal",
            Kind::Year => "year",
            Kind::Bit => "bit",
            Kind::Date => "date",
            Kind::Time => "time",
            Kind::DateTime => "datetime",
            Kind::Timestamp => "timestamp",
            Kind::Char => {
                if binary {
                    "binary"
                } else {
                    "char"
                }
            }
            Kind::Varchar => {
                if binary {
                    "varbinary"
                } else {
                    "varchar"
                }
            }
            Kind::TinyBlob => {
                if binary {
                    "tinyblob"
                } else {
                    "tinytext"
                }
            }
            Kind::Blob => {
                if binary {
                    "blob"
                } else {
                    "text"
                }
            }
            Kind::MediumBlob => {
                if binary {
                    "mediumblob"
                } else {
                    "mediumtext"
                }
            }
            Kind::LongBlob => {
                if binary {
                    "longblob"
                } else {
                    "longtext"
                }
            }
            Kind::Enum => "enum",
            Kind::Set => "set",
            Kind::Geometry => self.geometry_kind().name(),
            Kind::Uuid | Kind::Inet4 | Kind::Inet6 => self.address_name(),
        }
    }

    /// Whether there are types that cannot be assigned to it: of addresses and geometries.
    #[must_use]
    pub fn is_special(&self) -> bool {
        self.is_address() || self.kind == Kind::Geometry
    }

    /// A geometry that may be NULL.
    #[must_use]
    pub fn geometry(kind: GeometryKind) -> FieldType {
        let ty = FieldType::new(Kind::Geometry, u32::MAX, 0);
        FieldType { zeros: kind as u8, derivation: Derivation::Implicit, ..ty }
    }

    /// Which geometry this is.
    #[must_use]
    pub fn geometry_kind(&self) -> GeometryKind {
        GeometryKind::from_number(self.zeros).unwrap_or(GeometryKind::Geometry)
    }

    /// Whether this is DATE, TIME, DATETIME or TIMESTAMP.
    #[must_use]
    pub fn is_temporal(&self) -> bool {
        self.class().is_temporal()
    }

    /// Whether this is one of the BLOB or TEXT kinds.
    #[must_use]
    pub fn is_blob(&self) -> bool {
        matches!(self.kind, Kind::TinyBlob | Kind::Blob | Kind::MediumBlob | Kind::LongBlob | Kind::Geometry)
    }

    /// Longest text in characters.
    #[must_use]
    pub fn char_length(&self) -> u32 {
        self.length / u32::from(self.collation.charset.mbmaxlen.max(1))
    }

    /// Digits in all of a DECIMAL or an integer.
    #[must_use]
    pub fn precision(&self) -> u8 {
        let signs = match self.kind {
            Kind::Decimal => u32::from(self.decimals > 0) + u32::from(!self.unsigned),
            _ => u32::from(!self.unsigned),
        };
        self.length.saturating_sub(signs).clamp(1, 65) as u8
    }

    /// The wire type code.
    #[must_use]
    pub fn wire_type(&self) -> u8 {
        match self.kind {
            Kind::Null => wire::NULL,
            Kind::Tiny => wire::TINY,
            Kind::Short => wire::SHORT,
            Kind::Int24 => wire::INT24,
            Kind::Long => wire::LONG,
            Kind::LongLong => wire::LONGLONG,
            Kind::Float => wire::FLOAT,
            Kind::Double => wire::DOUBLE,
            Kind::Decimal => wire::NEWDECIMAL,
            Kind::Year => wire::YEAR,
            Kind::Bit => wire::BIT,
            Kind::Date => wire::DATE,
            Kind::Time => wire::TIME,
            Kind::DateTime => wire::DATETIME,
            Kind::Timestamp => wire::TIMESTAMP,
            Kind::Varchar => wire::VAR_STRING,
            // The wire has one blob code and tells the sizes by the length.
            Kind::TinyBlob | Kind::Blob | Kind::MediumBlob | Kind::LongBlob => wire::BLOB,
            Kind::Char | Kind::Enum | Kind::Set | Kind::Uuid | Kind::Inet4 | Kind::Inet6 => wire::STRING,
            Kind::Geometry => wire::GEOMETRY,
        }
    }

    /// The wire type code of a BLOB that is computed: of its own size.
    #[must_use]
    pub fn blob_code(&self) -> u8 {
        match self.kind {
            Kind::TinyBlob => wire::TINY_BLOB,
            Kind::MediumBlob => wire::MEDIUM_BLOB,
            Kind::LongBlob => wire::LONG_BLOB,
            _ => self.wire_type(),
        }
    }

    /// The metadata of a result column of this type. Text is announced in `results`
    /// (`character_set_results`) unless that is `None` (NULL: no conversion) or the text is binary.
    #[must_use]
    pub fn meta(&self, name: &str, results: Option<&'static Collation>) -> ColumnMeta {
        let text = (self.is_string() || self.kind == Kind::Null) && self.collation.id != 63;
        let (collation, length) = match results {
            Some(to) if text => {
                // A TEXT is announced with as many characters as it has room for the shortest.
                let chars = if self.is_blob() {
                    u64::from(self.length / u32::from(self.collation.charset.mbminlen.max(1)))
                } else {
                    u64::from(self.char_length())
                };
                let bytes = chars * u64::from(to.charset.mbmaxlen);
                (to.id, bytes.min(u64::from(u32::MAX)) as u32)
            }
            // shown as text of the client, whatever they are stored as
            Some(to) if self.is_address() && to.charset.is_ascii_compatible() => {
                (to.id, self.length * u32::from(to.charset.mbmaxlen))
            }
            _ if text => (self.collation.id, self.length),
            // text of latin1 where nothing is converted
            None if self.is_address() => (8, self.length),
            _ => (63, self.length),
        };
        let mut flags = 0;
        if !self.nullable {
            flags |= flag::NOT_NULL;
        }
        if self.unsigned && (self.kind == Kind::Timestamp || !self.is_temporal()) || self.is_address() {
            flags |= flag::UNSIGNED;
        }
        if self.zerofill {
            flags |= flag::ZEROFILL;
        }
        if self.collation.is_bin() || !text {
            flags |= flag::BINARY;
        }
        match self.kind {
            Kind::Enum => flags |= flag::ENUM,
            Kind::Set => flags |= flag::SET,
            k if self.is_blob() && k != Kind::Varchar => flags |= flag::BLOB,
            _ => {}
        }
        ColumnMeta {
            name: name.to_string(),
            collation,
            length,
            ty: self.wire_type(),
            flags,
            decimals: match self.kind {
                Kind::Float | Kind::Double => self.decimals.min(31),
                Kind::Decimal => self.decimals.min(38),
                _ => self.decimals,
            },
            finer: self.finer(),
            ..ColumnMeta::default()
        }
    }

    /// What its type code does not say.
    fn finer(&self) -> Finer {
        match self.kind {
            Kind::Geometry if self.geometry_kind() == GeometryKind::Geometry => Finer::Nothing,
            Kind::Geometry | Kind::Uuid | Kind::Inet4 | Kind::Inet6 => Finer::Type(self.sql_name()),
            _ if self.json => Finer::Format("json"),
            _ => Finer::Nothing,
        }
    }
}
