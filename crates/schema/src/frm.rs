//! Table definition files (`.frm`): reading every layout from 4.1 on, writing
//! MariaDB 10.11's. The bytes are drawn in docs/format/frm.md.

mod bytes;
mod codes;
mod read;
mod read_columns;
mod read_keys;
pub(crate) mod view;
mod write;
mod write_columns;

#[cfg(test)]
mod tests;

use crate::definition::TableDef;

pub use view::ViewDef;
pub use write::write;

/// Largest definition file in bytes that is read or written.
pub const MAX_FILE: usize = 1 << 20;

/// What a `.frm` file defines.
#[derive(Clone, Debug)]
pub enum Frm {
    /// A table.
    Table(Box<TableDef>),
    /// A view.
    View(Box<ViewDef>),
}

/// Why a definition could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrmError {
    /// Not a definition file at all.
    #[error("not a table definition file")]
    Foreign,
    /// Damaged: something at this offset is not as it must be.
    #[error("damaged table definition at byte {offset}: {what}")]
    Corrupt {
        /// Offset in the file.
        offset: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// Well formed, but beyond what is supported.
    #[error("table definition not supported: {0}")]
    Unsupported(&'static str),
    /// The definition does not fit into the file's fields (only when writing).
    #[error("table definition too large: {0}")]
    TooLarge(&'static str),
}

/// Reads a definition file. Never panics, whatever the bytes; memory is bounded
/// by a small multiple of their length.
///
/// # Errors
/// See [`FrmError`]; the server reports all of them as error 1033.
pub fn read(bytes: &[u8]) -> Result<Frm, FrmError> {
    if bytes.len() > MAX_FILE {
        return Err(FrmError::TooLarge("more than 1 MiB"));
    }
    if bytes.starts_with(view::SIGNATURE) {
        return ViewDef::read(bytes).map(|view| Frm::View(Box::new(view)));
    }
    read::read_table(bytes).map(|table| Frm::Table(Box::new(table)))
}

/// Reads a file that must define a table.
///
/// # Errors
/// As [`read`]; a view is [`FrmError::Unsupported`].
pub fn read_table(bytes: &[u8]) -> Result<TableDef, FrmError> {
    match read(bytes)? {
        Frm::Table(table) => Ok(*table),
        Frm::View(_) => Err(FrmError::Unsupported("a view, not a table")),
    }
}
