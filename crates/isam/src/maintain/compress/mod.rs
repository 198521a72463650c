//! Making a compressed table of a plain one (`isambard pack`): a first pass looks at the values of each column, a second one writes
//! their codes. docs/format/compressed.md has the bytes.

mod choose;
pub mod files;
mod huffman;
pub mod repair;
mod survey;
mod write;

use std::io::Write;

pub use write::Packed;

use crate::error::{Error, Result};
use crate::myi::ColumnKind;
use crate::row::view::{ColumnForm, RowLayout, StoredColumn};
use crate::row::{RowScratch, RowView, pack};
use crate::source::PageSource;
use crate::{Scan, TableFormat};

/// Rows between two questions whether to go on.
const ROWS_A_TURN: u64 = 1024;

/// What is told while a table is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// So many rows were looked at.
    Survey(u64),
    /// So many rows were written.
    Write(u64),
}

/// Writes the data file of a compressed table with the rows of `rows`. `progress` is called now and then, and ends the work by saying
/// false.
///
/// # Errors
/// 127 for damaged rows, those of writing, `Killed`.
pub fn compress<S: PageSource>(
    format: &TableFormat,
    rows: &S,
    out: &mut dyn Write,
    path: &std::path::Path,
    progress: &mut dyn FnMut(Pass) -> bool,
) -> Result<Packed> {
    let layout = &*format.layout;
    let mut columns: Vec<survey::Survey> = layout
        .stored
        .iter()
        .map(|s| survey::Survey::new(s.length as usize, (is_counted(s), s.kind == ColumnKind::Blob)))
        .collect();
    let mut n = 0u64;
    each(format, rows, |row, scratch| {
        for (survey, stored) in columns.iter_mut().zip(&layout.stored) {
            survey.note(stored_value(row, stored, scratch));
        }
        n += 1;
        Ok(!n.is_multiple_of(ROWS_A_TURN) || progress(Pass::Survey(n)))
    })?;
    let mut choices: Vec<choose::Choice> = columns.into_iter().map(choose::Choice::new).collect();
    let symbols = choose::trees(&mut choices);
    write::write(format, rows, (&choices, &symbols), (out, path), progress)
}

/// Goes over all rows.
fn each<S: PageSource>(
    format: &TableFormat,
    rows: &S,
    mut f: impl FnMut(&RowView<'_>, &mut Vec<u8>) -> Result<bool>,
) -> Result<()> {
    let (mut scan, mut scratch, mut value) = (Scan::new(), RowScratch::new(), Vec::new());
    let mut result = Ok(true);
    scan.each(format, rows, &mut scratch, |_, row| {
        result = f(&row, &mut value);
        matches!(result, Ok(true))
    })?;
    match result? {
        true => Ok(()),
        false => Err(Error::Pages(pages::ErrorKind::Killed.into())),
    }
}

/// Whether values of the column are told by their length.
fn is_counted(stored: &StoredColumn) -> bool {
    matches!(stored.kind, ColumnKind::Varchar | ColumnKind::Blob)
}

/// The bytes that are coded of a column.
fn stored_value<'a>(row: &RowView<'a>, stored: &StoredColumn, scratch: &'a mut Vec<u8>) -> &'a [u8] {
    let layout: &RowLayout = row.layout;
    if is_counted(stored) {
        return stored.column.and_then(|c| row.column(c as usize)).unwrap_or(&[]);
    }
    let (offset, length) = (stored.offset as usize, stored.length as usize);
    if row.spans.is_empty() && !matches!(stored.form, ColumnForm::Varchar(_)) {
        // fixed rows are taken as they are
        return &row.bytes[offset..offset + length];
    }
    scratch.clear();
    if stored.column.is_none() && offset == 0 && length == layout.null_bytes {
        match row.nulls.len() == length {
            true => scratch.extend_from_slice(row.nulls),
            false => pack::null_area(row, scratch),
        }
    } else {
        pack::image_value(row, stored, scratch);
    }
    scratch
}
