//! What can go wrong with a table, as typed values that carry MySQL's engine error numbers.

use crate::pointer::RowPos;

/// Result of the functions of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An engine error. [`Error::number`] is the handler error number MySQL would report (Appendix A of the server surface).
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An index page or entry breaks the format.
    #[error("index is corrupted at offset {offset}: {what}")]
    Index {
        /// Byte offset of the page in the `.MYI`.
        offset: u64,
        /// What was expected.
        what: &'static str,
    },
    /// A row or block of the data file breaks the format.
    #[error("data file is corrupted at row pointer {pos}: {what}")]
    Row {
        /// Row pointer or byte offset in the `.MYD`.
        pos: u64,
        /// What was expected.
        what: &'static str,
    },
    /// The row pointer leads to a deleted row.
    #[error("record at {pos} was already deleted")]
    Deleted {
        /// The row pointer.
        pos: u64,
    },
    /// The header says the table is crashed.
    #[error("table is marked as crashed")]
    Crashed {
        /// The last repair failed too.
        repair_failed: bool,
    },
    /// The `.MYI` header is not one of a MyISAM table this version reads.
    #[error("incorrect file format: {what}")]
    Format {
        /// The field that is wrong.
        what: &'static str,
    },
    /// `.frm` and `.MYI` describe different tables.
    #[error("the definition and the index file disagree: {what}")]
    Definition {
        /// Where they differ.
        what: &'static str,
    },
    /// A unique key has an equal entry.
    #[error("duplicate entry for key {key}")]
    Duplicate {
        /// Number of the key.
        key: usize,
        /// The row that has the value.
        existing: RowPos,
    },
    /// A row that must be in the index is not found by its key.
    #[error("key {key} has no entry for the row at {pos:?}")]
    KeyMissing {
        /// Number of the key.
        key: usize,
        /// The row.
        pos: RowPos,
    },
    /// A column of a SPATIAL key has no geometry. Nothing was changed.
    #[error("no geometry for key {key}")]
    NoGeometry {
        /// Number of the key.
        key: usize,
    },
    /// The row differs from what the caller says it was.
    #[error("the row changed since it was read")]
    Changed,
    /// The data file has reached its row pointers' range.
    #[error("no more room in record file")]
    DataFull,
    /// The index file has reached its page pointers' range.
    #[error("no more room in index file")]
    IndexFull,
    /// A table in memory has as many bytes or rows as it may. Nothing was changed.
    #[error("table is full")]
    TableFull,
    /// A row is too long for its format.
    #[error("row is too big")]
    RowTooBig,
    /// The table cannot be created with these options.
    #[error("wrong create options: {what}")]
    CreateOptions {
        /// The offending option or limit.
        what: &'static str,
    },
    /// The definition does not fit into a `.frm`.
    #[error("definition is too large")]
    DefinitionTooLarge,
    /// It does not for the text of its partitions.
    #[error("definition of partitions is too large")]
    PartitionsTooLarge,
    /// Not available for this table yet.
    #[error("not supported: {what}")]
    Unsupported {
        /// The operation.
        what: &'static str,
    },
    /// The table is compressed.
    #[error("table is read only")]
    ReadOnly,
    /// The key is disabled.
    #[error("key {key} is disabled")]
    KeyDisabled {
        /// Number of the key.
        key: usize,
    },
    /// The page store refused.
    #[error(transparent)]
    Pages(#[from] pages::Error),
    /// The table has no definition file.
    #[error("table does not exist")]
    NoTable,
    /// The table's rows are in files of another engine.
    #[error("unknown storage engine '{engine}'")]
    ForeignEngine {
        /// As the definition names it.
        engine: String,
    },
    /// The `.frm` cannot be used.
    #[error(transparent)]
    Frm(schema::frm::FrmError),
    /// The table has a definition, but this file is missing.
    #[error("file '{}' is missing", path.display())]
    MissingFile {
        /// Relative to the data directory.
        path: std::path::PathBuf,
    },
}

impl Error {
    /// MySQL's engine error number.
    #[must_use]
    pub fn number(&self) -> u16 {
        match self {
            Error::Index { .. } => 126,
            Error::Row { .. } => 127,
            Error::Deleted { .. } => 134,
            Error::Crashed { repair_failed: false } => 145,
            Error::Crashed { repair_failed: true } => 144,
            Error::Format { .. } => 130,
            Error::Definition { .. } => 190,
            Error::Duplicate { .. } => 121,
            Error::KeyMissing { .. } => 120,
            Error::NoGeometry { .. } => 158,
            Error::Changed => 123,
            Error::DataFull | Error::TableFull => 135,
            Error::IndexFull => 136,
            Error::RowTooBig => 139,
            Error::CreateOptions { .. } | Error::DefinitionTooLarge | Error::PartitionsTooLarge => 140,
            Error::Unsupported { .. } => 138,
            Error::ReadOnly => 165,
            Error::KeyDisabled { .. } => 124,
            Error::NoTable => 155,
            Error::ForeignEngine { .. } => 158,
            Error::Frm(_) => 130,
            Error::MissingFile { .. } => 2,
            Error::Pages(e) => match e.kind() {
                pages::ErrorKind::Corrupt { path, .. } if path.extension().is_some_and(|e| e == "MYD") => 127,
                pages::ErrorKind::Corrupt { .. } => 126,
                pages::ErrorKind::LockTimeout => 146,
                pages::ErrorKind::DiskFull { .. } => 189,
                _ => 122,
            },
        }
    }

    pub(crate) fn index(offset: u64, what: &'static str) -> Error {
        Error::Index { offset, what }
    }

    pub(crate) fn row(pos: u64, what: &'static str) -> Error {
        Error::Row { pos, what }
    }
}
