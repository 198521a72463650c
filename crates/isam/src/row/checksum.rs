//! The checksum of a row: CRC-32 over its columns.

use super::pack;
use super::view::{ColumnForm, RowView};
use crate::myi::ColumnKind;

/// Checksum of a row, as the live checksum of its table counts it. `scratch` is overwritten.
#[must_use]
pub fn checksum(row: &RowView<'_>, scratch: &mut Vec<u8>) -> u32 {
    let layout = row.layout;
    scratch.clear();
    if layout.fixed && !layout.null_fields {
        pack::image(row, scratch);
        return crc32fast::hash(scratch);
    }
    let mut crc = crc32fast::Hasher::new();
    for s in &layout.stored {
        if layout.null_fields && s.null_mask != 0 && s.column.is_some_and(|c| row.is_null(c as usize)) {
            continue;
        }
        match (s.kind, s.column.map(|c| (c as usize, layout.columns[c as usize].form))) {
            (ColumnKind::Varchar | ColumnKind::Blob, Some((c, _)))
            | (_, Some((c, ColumnForm::Varchar(_)))) => crc.update(row.column(c).unwrap_or(&[])),
            (_, None) if s.offset == 0 && s.length as usize == layout.null_bytes => {
                scratch.clear();
                pack::null_area(row, scratch);
                crc.update(scratch);
            }
            _ => {
                scratch.clear();
                pack::image_value(row, s, scratch);
                crc.update(scratch);
            }
        }
    }
    crc.finalize()
}
