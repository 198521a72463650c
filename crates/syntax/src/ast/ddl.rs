//! Statements that make, change and drop objects.

use super::{Expr, Limit, LockWait, Name, Query, Span, TableName};

/// CREATE TABLE.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateTable {
    /// OR REPLACE.
    pub or_replace: bool,
    /// TEMPORARY.
    pub temporary: bool,
    /// IF NOT EXISTS.
    pub if_not_exists: bool,
    /// Name.
    pub name: TableName,
    /// LIKE other; everything else is then empty.
    pub like: Option<TableName>,
    /// Columns, in order.
    pub columns: Vec<ColumnDef>,
    /// Indexes in order, those given with a column too (as `IndexDef` with `from_column`).
    pub indexes: Vec<IndexDef>,
    /// Foreign keys.
    pub foreign_keys: Vec<ForeignKey>,
    /// Table CHECKs (those of columns are with the columns).
    pub checks: Vec<CheckDef>,
    /// Options.
    pub options: TableOptions,
    /// PARTITION BY ...
    pub partition: Option<Box<super::PartitionBy>>,
    /// [IGNORE|REPLACE] [AS] SELECT ...
    pub query: Option<Box<Query>>,
    /// What duplicates do with the query's rows.
    pub on_duplicate: super::OnDuplicate,
    /// PERIOD FOR / WITH SYSTEM VERSIONING was given.
    pub versioned: bool,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnDef {
    /// Name.
    pub name: Name,
    /// The table's name before it.
    pub table: Option<Name>,
    /// The database's name before that.
    pub db: Option<Name>,
    /// Type.
    pub ty: DataType,
    /// NOT NULL (false), NULL (true), or nothing said.
    pub nullable: Option<bool>,
    /// DEFAULT.
    pub default: Option<Expr>,
    /// ON UPDATE current_timestamp(n): the precision.
    pub on_update: Option<u8>,
    /// AUTO_INCREMENT (also through SERIAL).
    pub auto_increment: bool,
    /// [PRIMARY] KEY or UNIQUE [KEY].
    pub key: Option<ColumnKey>,
    /// COMMENT.
    pub comment: Option<Box<[u8]>>,
    /// [GENERATED ALWAYS] AS (expr).
    pub generated: Option<Box<Generated>>,
    /// CHECK (expr), with or without a constraint's name.
    pub check: Option<Box<CheckDef>>,
    /// INVISIBLE.
    pub invisible: bool,
    /// COMPRESSED.
    pub compressed: bool,
    /// REFERENCES ... (accepted as a foreign key of one column).
    pub references: Option<Box<ForeignKey>>,
    /// Attributes for other engines (name = value).
    pub attributes: Vec<(Name, OptionValue)>,
    /// Place in the text.
    pub span: Span,
}

/// A key given with a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ColumnKey {
    Primary,
    Unique,
}

/// A generated column's expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    /// The expression.
    pub expr: Expr,
    /// Its text, without the outer parentheses.
    pub text: Span,
    /// STORED/PERSISTENT; else VIRTUAL.
    pub stored: bool,
}

/// A CHECK.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckDef {
    /// The constraint's name.
    pub name: Option<Name>,
    /// The condition.
    pub expr: Expr,
    /// Its text, without the outer parentheses.
    pub text: Span,
    /// IF NOT EXISTS (ALTER TABLE).
    pub if_not_exists: bool,
}

/// The names of types, several spellings folded into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TypeName {
    TinyInt,
    SmallInt,
    MediumInt,
    Int,
    BigInt,
    /// FLOAT; FLOAT(p) with p > 24 is a double (the binder decides).
    Float,
    Double,
    /// REAL: double, or float under REAL_AS_FLOAT.
    Real,
    Decimal,
    Bit,
    /// BOOL, BOOLEAN: tinyint(1).
    Bool,
    Year,
    Date,
    Time,
    DateTime,
    Timestamp,
    Char,
    VarChar,
    Binary,
    VarBinary,
    TinyBlob,
    /// BLOB; with a length the smallest that holds it.
    Blob,
    MediumBlob,
    LongBlob,
    TinyText,
    Text,
    MediumText,
    LongText,
    Enum,
    Set,
    /// LONGTEXT with a json_valid check.
    Json,
    /// SERIAL: BIGINT UNSIGNED NOT NULL AUTO_INCREMENT UNIQUE (the parser sets those).
    Serial,
    Geometry,
    Point,
    LineString,
    Polygon,
    MultiPoint,
    MultiLineString,
    MultiPolygon,
    GeometryCollection,
    Uuid,
    Inet4,
    Inet6,
    /// A type name the server does not know; `DataType::other` has it. Error 4161.
    Other,
}

/// A column type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct DataType {
    /// Which.
    pub name: TypeName,
    /// (length) or (precision, ...).
    pub length: Option<u64>,
    /// (..., scale).
    pub decimals: Option<u32>,
    /// UNSIGNED.
    pub unsigned: bool,
    /// ZEROFILL (makes it unsigned).
    pub zerofill: bool,
    /// CHARACTER SET; `ascii` and `unicode` words give latin1 and ucs2; NCHAR gives utf8mb3; BYTE makes it binary.
    pub charset: Option<Name>,
    /// COLLATE.
    pub collation: Option<Name>,
    /// BINARY attribute: the character set's _bin collation.
    pub binary: bool,
    /// Values of ENUM and SET.
    pub values: Vec<super::StringLiteral>,
    /// Name of an unknown type.
    pub other: Option<Name>,
    /// REF_SYSTEM_ID.
    pub srid: u32,
    /// Place in the text.
    pub span: Span,
}

impl DataType {
    /// A type without any particulars.
    #[must_use]
    pub fn of(name: TypeName) -> DataType {
        DataType {
            name,
            length: None,
            decimals: None,
            unsigned: false,
            zerofill: false,
            charset: None,
            collation: None,
            binary: false,
            values: Vec::new(),
            other: None,
            srid: 0,
            span: Span::default(),
        }
    }
}

/// Kinds of indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IndexKind {
    Plain,
    Unique,
    Primary,
    Fulltext,
    Spatial,
}

/// USING.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IndexAlgorithm {
    BTree,
    Hash,
    RTree,
}

/// An index.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexDef {
    /// Kind.
    pub kind: IndexKind,
    /// Name of the index, or of its constraint when only that was given.
    pub name: Option<Name>,
    /// IF NOT EXISTS.
    pub if_not_exists: bool,
    /// Columns.
    pub parts: Vec<IndexPart>,
    /// USING, TYPE.
    pub algorithm: Option<IndexAlgorithm>,
    /// KEY_BLOCK_SIZE.
    pub key_block_size: Option<u64>,
    /// COMMENT.
    pub comment: Option<Box<[u8]>>,
    /// WITH PARSER.
    pub parser: Option<Name>,
    /// IGNORED (true), NOT IGNORED (false).
    pub ignored: Option<bool>,
    /// Given as an attribute of its column.
    pub from_column: bool,
    /// WITHOUT OVERLAPS period.
    pub without_overlaps: Option<Name>,
    /// Options for other engines.
    pub attributes: Vec<(Name, OptionValue)>,
}

impl IndexDef {
    /// An index without name, columns and options.
    #[must_use]
    pub fn new(kind: IndexKind) -> Self {
        Self {
            kind,
            name: None,
            if_not_exists: false,
            parts: Vec::new(),
            algorithm: None,
            key_block_size: None,
            comment: None,
            parser: None,
            ignored: None,
            from_column: false,
            without_overlaps: None,
            attributes: Vec::new(),
        }
    }
}

/// A column of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexPart {
    /// Column.
    pub column: Name,
    /// Prefix, in characters (bytes for binary columns).
    pub length: Option<u64>,
    /// DESC (from 10.8 on).
    pub descending: bool,
}

/// A foreign key (MyISAM checks only its syntax).
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignKey {
    /// The constraint's name.
    pub constraint: Option<Name>,
    /// The index's name.
    pub name: Option<Name>,
    /// Columns.
    pub columns: Vec<IndexPart>,
    /// The table referred to.
    pub table: TableName,
    /// Its columns.
    pub references: Vec<IndexPart>,
    /// ON DELETE action, upper case.
    pub on_delete: Option<Name>,
    /// ON UPDATE action, upper case.
    pub on_update: Option<Name>,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum OptionValue {
    Default,
    Number(u64),
    Word(Name),
    Text(Box<[u8]>),
}

/// ROW_FORMAT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum RowFormat {
    Default,
    Fixed,
    Dynamic,
    Compressed,
    Redundant,
    Compact,
    Page,
}

/// INSERT_METHOD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum InsertMethod {
    No,
    First,
    Last,
}

/// Table options; the last of several equal ones counts.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct TableOptions {
    pub engine: Option<Name>,
    pub row_format: Option<RowFormat>,
    pub max_rows: Option<u64>,
    pub min_rows: Option<u64>,
    pub avg_row_length: Option<u64>,
    /// PACK_KEYS: `Some(None)` is DEFAULT.
    pub pack_keys: Option<Option<bool>>,
    pub checksum: Option<bool>,
    pub delay_key_write: Option<bool>,
    pub comment: Option<Box<[u8]>>,
    pub auto_increment: Option<u64>,
    pub data_directory: Option<Box<[u8]>>,
    pub index_directory: Option<Box<[u8]>>,
    /// Names as typed; the word `default` (with no quotes) for DEFAULT.
    pub charset: Option<Name>,
    pub collation: Option<Name>,
    /// Two character sets where one is that of the database, which is known when the statement runs.
    pub unlike_default: Option<(Name, Name)>,
    pub union: Option<Vec<TableName>>,
    pub insert_method: Option<InsertMethod>,
    pub key_block_size: Option<u64>,
    pub password: Option<Box<[u8]>>,
    pub connection: Option<Box<[u8]>>,
    pub tablespace: Option<Name>,
    /// STATS_PERSISTENT: `Some(None)` is DEFAULT.
    pub stats_persistent: Option<Option<bool>>,
    pub stats_auto_recalc: Option<Option<bool>>,
    pub stats_sample_pages: Option<Option<u64>>,
    pub page_checksum: Option<bool>,
    pub transactional: Option<Option<bool>>,
    /// WITH SYSTEM VERSIONING.
    pub versioned: bool,
    /// SEQUENCE = 1.
    pub sequence: bool,
    /// Options of the form name = value that the grammar does not know.
    pub other: Vec<(Name, OptionValue)>,
}

impl TableOptions {
    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        *self == TableOptions::default()
    }
}

/// ALTER TABLE.
#[derive(Clone, Debug, PartialEq)]
pub struct AlterTable {
    /// IGNORE.
    pub ignore: bool,
    /// ONLINE.
    pub online: bool,
    /// IF EXISTS.
    pub if_exists: bool,
    /// Name.
    pub name: TableName,
    /// WAIT n, NOWAIT.
    pub wait: LockWait,
    /// What is done, in order.
    pub ops: Vec<AlterOp>,
}

/// Where a column goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ColumnPlace {
    /// At the end, or where it is.
    #[default]
    Unsaid,
    /// FIRST.
    First,
    /// AFTER column.
    After(Name),
}

/// One action of ALTER TABLE.
#[derive(Clone, Debug, PartialEq)]
pub enum AlterOp {
    /// ADD [COLUMN].
    AddColumn {
        /// IF NOT EXISTS.
        if_not_exists: bool,
        /// Definition.
        column: Box<ColumnDef>,
        /// Place.
        place: ColumnPlace,
    },
    /// ADD INDEX, KEY, UNIQUE, PRIMARY KEY, FULLTEXT, SPATIAL.
    AddIndex(Box<IndexDef>),
    /// ADD FOREIGN KEY.
    AddForeignKey(Box<ForeignKey>),
    /// ADD CHECK.
    AddCheck(Box<CheckDef>),
    /// ALTER column SET DEFAULT expr (Some) / DROP DEFAULT.
    AlterDefault {
        /// IF EXISTS.
        if_exists: bool,
        /// Column.
        column: Name,
        /// New default.
        default: Option<Expr>,
    },
    /// CHANGE old definition, and MODIFY definition (old is then the same name).
    ChangeColumn {
        /// IF EXISTS.
        if_exists: bool,
        /// Present name.
        old: Name,
        /// New definition.
        column: Box<ColumnDef>,
        /// Place.
        place: ColumnPlace,
    },
    /// RENAME COLUMN a TO b.
    RenameColumn {
        /// IF EXISTS.
        if_exists: bool,
        /// Present name.
        old: Name,
        /// New name.
        new: Name,
    },
    /// DROP [COLUMN].
    DropColumn {
        /// IF EXISTS.
        if_exists: bool,
        /// Column.
        name: Name,
    },
    /// DROP INDEX / KEY.
    DropIndex {
        /// IF EXISTS.
        if_exists: bool,
        /// Index.
        name: Name,
    },
    /// DROP PRIMARY KEY.
    DropPrimaryKey {
        /// IF EXISTS.
        if_exists: bool,
    },
    /// DROP FOREIGN KEY.
    DropForeignKey {
        /// IF EXISTS.
        if_exists: bool,
        /// Constraint.
        name: Name,
    },
    /// DROP CONSTRAINT.
    DropConstraint {
        /// IF EXISTS.
        if_exists: bool,
        /// Constraint.
        name: Name,
    },
    /// ALTER INDEX name [NOT] IGNORED.
    AlterIndex {
        /// IF EXISTS.
        if_exists: bool,
        /// Index.
        name: Name,
        /// IGNORED.
        ignored: bool,
    },
    /// RENAME INDEX a TO b.
    RenameIndex {
        /// IF EXISTS.
        if_exists: bool,
        /// Present name.
        old: Name,
        /// New name.
        new: Name,
    },
    /// RENAME [TO|AS|=] name.
    Rename(TableName),
    /// DISABLE KEYS.
    DisableKeys,
    /// ENABLE KEYS.
    EnableKeys,
    /// ORDER BY.
    OrderBy(Vec<super::OrderItem>),
    /// CONVERT TO CHARACTER SET cs [COLLATE c]; None is DEFAULT.
    ConvertTo(Option<Name>, Option<Name>),
    /// Table options.
    Options(Box<TableOptions>),
    /// FORCE.
    Force,
    /// ALGORITHM = word (upper case).
    Algorithm(Name),
    /// LOCK = word (upper case).
    Lock(Name),
    /// DISCARD / IMPORT TABLESPACE: true for import.
    Tablespace(bool),
    /// What is done with partitions.
    Partition(Box<super::PartitionOp>),
    /// ADD/DROP SYSTEM VERSIONING, PERIOD.
    Versioning(Span),
}

/// CREATE INDEX.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateIndex {
    /// OR REPLACE.
    pub or_replace: bool,
    /// Table.
    pub table: TableName,
    /// The index.
    pub index: IndexDef,
    /// WAIT.
    pub wait: LockWait,
    /// ALGORITHM, upper case.
    pub algorithm: Option<Name>,
    /// LOCK, upper case.
    pub lock: Option<Name>,
}

/// DROP INDEX.
#[derive(Clone, Debug, PartialEq)]
pub struct DropIndex {
    /// IF EXISTS.
    pub if_exists: bool,
    /// Index.
    pub name: Name,
    /// Table.
    pub table: TableName,
    /// WAIT.
    pub wait: LockWait,
}

/// DROP TABLE, DROP VIEW.
#[derive(Clone, Debug, PartialEq)]
pub struct DropTables {
    /// TEMPORARY.
    pub temporary: bool,
    /// IF EXISTS.
    pub if_exists: bool,
    /// Names.
    pub names: Vec<TableName>,
    /// WAIT.
    pub wait: LockWait,
}

/// RENAME TABLE.
#[derive(Clone, Debug, PartialEq)]
pub struct RenameTable {
    /// IF EXISTS.
    pub if_exists: bool,
    /// (from, to).
    pub pairs: Vec<(TableName, TableName)>,
    /// WAIT.
    pub wait: LockWait,
}

/// Options of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseOptions {
    /// CHARACTER SET; the word `default` for DEFAULT.
    pub charset: Option<Name>,
    /// COLLATE.
    pub collation: Option<Name>,
    /// COMMENT.
    pub comment: Option<Box<[u8]>>,
}

/// CREATE DATABASE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateDatabase {
    /// OR REPLACE.
    pub or_replace: bool,
    /// IF NOT EXISTS.
    pub if_not_exists: bool,
    /// Name.
    pub name: Name,
    /// Options.
    pub options: DatabaseOptions,
}

/// CREATE / ALTER VIEW.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateView {
    /// ALTER VIEW.
    pub alter: bool,
    /// OR REPLACE.
    pub or_replace: bool,
    /// IF NOT EXISTS.
    pub if_not_exists: bool,
    /// ALGORITHM, upper case.
    pub algorithm: Option<Name>,
    /// DEFINER.
    pub definer: Option<super::Account>,
    /// SQL SECURITY INVOKER (true), DEFINER (false).
    pub invoker: Option<bool>,
    /// Name.
    pub name: TableName,
    /// Column names.
    pub columns: Vec<Name>,
    /// The query.
    pub query: Query,
    /// WITH CHECK OPTION: CASCADED (true), LOCAL (false).
    pub check_option: Option<bool>,
    /// The text behind AS.
    pub body: super::Span,
}

/// Objects that are recognised only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherObject {
    /// CREATE, ALTER or DROP.
    pub verb: &'static str,
    /// TRIGGER, PROCEDURE, FUNCTION, EVENT, SEQUENCE, SERVER, TABLESPACE, PACKAGE ...
    pub object: &'static str,
    /// IF EXISTS / IF NOT EXISTS.
    pub if_exists: bool,
    /// Name, when it could be read.
    pub name: Option<TableName>,
}

/// Used where a statement may carry LIMIT.
pub type OptionalLimit = Option<Box<Limit>>;
