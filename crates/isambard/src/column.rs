//! Columns of results.

use sql::result::{ColumnMeta, NOT_FIXED_DEC, flag, wire};

use crate::error::Error;

/// Collation 63: bytes, not text.
const BINARY: u16 = 63;

/// The type of a result's column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "MySQL's names")]
pub enum ColumnType {
    TinyInt,
    SmallInt,
    MediumInt,
    Int,
    BigInt,
    Float,
    Double,
    Decimal,
    Bit,
    Year,
    Date,
    Time,
    DateTime,
    Timestamp,
    Char,
    VarChar,
    Binary,
    VarBinary,
    /// TINYTEXT to LONGTEXT.
    Text,
    /// TINYBLOB to LONGBLOB.
    Blob,
    Enum,
    Set,
    Geometry,
    /// Of the literal NULL.
    Null,
}

/// A column of a result, as the statement describes it.
#[derive(Debug, Clone, Copy)]
pub struct Column<'r>(&'r ColumnMeta);

impl<'r> Column<'r> {
    /// The heading.
    #[must_use]
    pub fn name(&self) -> &'r str {
        &self.0.name
    }

    /// Its name in the table; none for an expression.
    #[must_use]
    pub fn original_name(&self) -> Option<&'r str> {
        Some(self.0.org_name.as_str()).filter(|name| !name.is_empty())
    }

    /// The table's name or alias; none for an expression.
    #[must_use]
    pub fn table(&self) -> Option<&'r str> {
        Some(self.0.table.as_str()).filter(|name| !name.is_empty())
    }

    /// The database of the table; none for an expression.
    #[must_use]
    pub fn database(&self) -> Option<&'r str> {
        Some(self.0.db.as_str()).filter(|name| !name.is_empty())
    }

    /// The type.
    #[must_use]
    pub fn ty(&self) -> ColumnType {
        let either = |text, bytes| if self.0.collation == BINARY { bytes } else { text };
        // ENUM and SET are announced as CHAR with a flag.
        if self.0.flags & flag::ENUM != 0 {
            return ColumnType::Enum;
        }
        if self.0.flags & flag::SET != 0 {
            return ColumnType::Set;
        }
        match self.0.ty {
            wire::TINY => ColumnType::TinyInt,
            wire::SHORT => ColumnType::SmallInt,
            wire::INT24 => ColumnType::MediumInt,
            wire::LONG => ColumnType::Int,
            wire::LONGLONG => ColumnType::BigInt,
            wire::FLOAT => ColumnType::Float,
            wire::DOUBLE => ColumnType::Double,
            wire::DECIMAL | wire::NEWDECIMAL => ColumnType::Decimal,
            wire::BIT => ColumnType::Bit,
            wire::YEAR => ColumnType::Year,
            wire::DATE | wire::NEWDATE => ColumnType::Date,
            wire::TIME => ColumnType::Time,
            wire::DATETIME => ColumnType::DateTime,
            wire::TIMESTAMP => ColumnType::Timestamp,
            wire::STRING => either(ColumnType::Char, ColumnType::Binary),
            wire::VARCHAR | wire::VAR_STRING => either(ColumnType::VarChar, ColumnType::VarBinary),
            wire::ENUM => ColumnType::Enum,
            wire::SET => ColumnType::Set,
            wire::GEOMETRY => ColumnType::Geometry,
            wire::NULL => ColumnType::Null,
            _ => either(ColumnType::Text, ColumnType::Blob),
        }
    }

    /// Whether values may be NULL.
    #[must_use]
    pub fn nullable(&self) -> bool {
        self.0.flags & flag::NOT_NULL == 0
    }

    /// UNSIGNED.
    #[must_use]
    pub fn unsigned(&self) -> bool {
        self.0.flags & flag::UNSIGNED != 0
    }

    /// Digits after the point, or of the second's fraction; none when not fixed.
    #[must_use]
    pub fn decimals(&self) -> Option<u8> {
        // 31: not fixed as well, for what is computed
        (self.0.decimals < 31.min(NOT_FIXED_DEC)).then_some(self.0.decimals)
    }

    /// The longest value, in bytes as text.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.0.length
    }

    /// Whether values are text: decimals are, though their collation says bytes.
    pub(crate) fn is_text(&self) -> bool {
        self.0.collation != BINARY || matches!(self.0.ty, wire::NEWDECIMAL | wire::DECIMAL)
    }
}

/// The columns of a result, left to right; none when the statement gives no rows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Columns<'r>(pub(crate) &'r [ColumnMeta]);

impl<'r> Columns<'r> {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One by its number, from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Column<'r>> {
        self.0.get(index).map(Column)
    }

    /// All.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Column<'r>> + use<'r> {
        self.0.iter().map(Column)
    }

    /// The headings.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &'r str> + use<'r> {
        self.0.iter().map(|c| c.name.as_str())
    }
}

/// How a column is named: by number from 0, or by its heading without regard to case.
pub trait ColumnIndex {
    /// Its number.
    ///
    /// # Errors
    /// [`Error::NoColumn`].
    fn find(&self, columns: Columns<'_>) -> Result<usize, Error>;
}

impl ColumnIndex for usize {
    fn find(&self, columns: Columns<'_>) -> Result<usize, Error> {
        if *self < columns.len() { Ok(*self) } else { Err(Error::NoColumn(self.to_string())) }
    }
}

impl ColumnIndex for &str {
    fn find(&self, columns: Columns<'_>) -> Result<usize, Error> {
        columns
            .0
            .iter()
            .position(|c| c.name.eq_ignore_ascii_case(self))
            .ok_or_else(|| Error::NoColumn((*self).to_owned()))
    }
}
