//! The checksum of a row: CRC-32 over its columns.

use super::pack;
use super::view::{ColumnForm, RowView};
use crate::myi::ColumnKind;

/// Checksum of a row, as the live checksum of its table counts it. `scratch` is overwritten.
#[must_use]
pub fn checksum(row: &RowView<'_>, scratch: &mut Vec<u8>) -> u32 {
    sum(row, None, scratch)
}

/// [`checksum`] of a row as it lies in the file, with the bits of its NULL bytes that mean nothing.
#[must_use]
pub fn stored_checksum(row: &RowView<'_>, scratch: &mut Vec<u8>) -> u32 {
    sum(row, Some(row.nulls), scratch)
}

/// `nulls` are the NULL bytes, if not those that the row would be written with.
fn sum(row: &RowView<'_>, nulls: Option<&[u8]>, scratch: &mut Vec<u8>) -> u32 {
    let layout = row.layout;
    scratch.clear();
    let nulls = nulls.filter(|n| n.len() == layout.null_bytes);
    if layout.fixed && !layout.null_fields {
        if nulls.is_some() && row.bytes.len() >= layout.reclength {
            return crc32fast::hash(&row.bytes[..layout.reclength]);
        }
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
                match nulls {
                    Some(nulls) => scratch.extend_from_slice(nulls),
                    None => pack::null_area(row, scratch),
                }
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

/// Checksum of a row as CHECKSUM TABLE ... EXTENDED counts it: NULL columns never count, and BIT columns count as they are read.
/// For most rows it is that of [`checksum`] under CHECKSUM=1.
#[must_use]
pub fn checksum_extended(row: &RowView<'_>, scratch: &mut Vec<u8>) -> u32 {
    let layout = row.layout;
    let mut crc = crc32fast::Hasher::new();
    scratch.clear();
    pack::null_area(row, scratch);
    crc.update(scratch);
    for (c, column) in layout.columns.iter().enumerate() {
        let Some(value) = row.column(c) else { continue };
        match column.form {
            ColumnForm::Varchar(_) | ColumnForm::Bit { .. } => crc.update(value),
            _ => match layout.stored.iter().find(|s| s.column == Some(c as u32)) {
                Some(s) if s.kind != ColumnKind::Varchar && s.kind != ColumnKind::Blob => {
                    scratch.clear();
                    pack::image_value(row, s, scratch);
                    crc.update(scratch);
                }
                _ => crc.update(value),
            },
        }
    }
    crc.finalize()
}
