//! The record of defaults, and the stored bytes of zero values.

use super::{ColumnLayout, Layout, column_width, length_bytes, pad_spaces};
use crate::definition::{BINARY_COLLATION, ColumnDef, ColumnType, Computed, DefaultValue, TableDef};

pub(super) fn default_record(layout: &Layout, def: &TableDef) -> Vec<u8> {
    let mut record = vec![0; layout.reclength as usize];
    // Everything among the bits starts as 1: the delete mark and unused bits stay so.
    record[..layout.null_bytes as usize].fill(0xff);
    for (column, place) in def.columns.iter().zip(&layout.columns) {
        let zero = zero_value(column);
        let value = match &column.default {
            DefaultValue::Value(value) => value,
            DefaultValue::Expression(Computed { value: Some(value), .. }) => value,
            _ => zero.as_slice(),
        };
        if let Some(null) = place.null {
            // Values that are computed leave the column NULL here.
            let known = match &column.default {
                DefaultValue::Value(_) | DefaultValue::None => true,
                DefaultValue::Expression(computed) => computed.value.is_some(),
                _ => false,
            };
            if known && column.generated.is_none() {
                record[null.byte as usize] &= !null.mask;
            }
        }
        encode_value(column, place, value, &mut record);
    }
    record
}

/// Puts the stored bytes of a value (without length prefix or padding) at the
/// column's place in a record. BLOB data has no place in a record: only its
/// length of zero is written. Bytes that do not fit are dropped.
pub fn encode_value(column: &ColumnDef, place: &ColumnLayout, value: &[u8], record: &mut [u8]) {
    let at = place.offset as usize;
    let width = place.width as usize;
    let Some(out) = record.get_mut(at..at + width) else {
        return;
    };
    match column.ty {
        ColumnType::Char { .. } | ColumnType::OldVarchar { .. } => {
            let mut padded = value[..value.len().min(width)].to_vec();
            if column.collation.id == BINARY_COLLATION {
                padded.resize(width, 0);
            } else {
                pad_spaces(column.collation.charset, &mut padded, width);
            }
            out.copy_from_slice(&padded);
        }
        ColumnType::Varchar { .. } => {
            let prefix = usize::from(length_bytes(column));
            // In a COMPRESSED column a 0 before the value says "not compressed".
            let mark = usize::from(column.compressed && !value.is_empty());
            let len = value.len().min(width - prefix - mark);
            out.fill(0);
            out[..prefix].copy_from_slice(&((mark + len) as u16).to_le_bytes()[..prefix]);
            out[prefix + mark..prefix + mark + len].copy_from_slice(&value[..len]);
        }
        ColumnType::Blob { .. } | ColumnType::Geometry { .. } => out.fill(0),
        ColumnType::Bit { .. } => {
            // The value has one byte more than the place when some bits lie
            // among the NULL bits.
            let whole = value.len().saturating_sub(width);
            let tail = &value[whole..];
            out.fill(0);
            out[width - tail.len()..].copy_from_slice(tail);
            if let Some(odd) = place.odd_bits {
                odd.set(record, if whole > 0 { value[whole - 1] } else { 0 });
            }
        }
        _ => {
            let len = value.len().min(width);
            out.fill(0);
            out[..len].copy_from_slice(&value[..len]);
        }
    }
}

/// Stored bytes of a type's zero value, in the form of [`DefaultValue::Value`]:
/// what a NOT NULL column without a default gets.
#[must_use]
pub fn zero_value(column: &ColumnDef) -> Vec<u8> {
    let width = column_width(column) as usize;
    let mut zero = vec![0; width];
    match column.ty {
        ColumnType::Char { .. }
        | ColumnType::OldVarchar { .. }
        | ColumnType::Varchar { .. }
        | ColumnType::Blob { .. }
        | ColumnType::Geometry { .. } => zero.clear(),
        ColumnType::Decimal { .. } | ColumnType::Time { .. } | ColumnType::DateTime { .. } => {
            if let Some(first) = zero.first_mut() {
                *first = 0x80;
            }
        }
        ColumnType::OldDecimal { scale, .. } => {
            zero.fill(if column.zerofill { b'0' } else { b' ' });
            let text = match scale {
                0 => "0".to_owned(),
                n => format!("0.{}", "0".repeat(usize::from(n))),
            };
            let at = width.saturating_sub(text.len());
            let from = text.len() - (width - at);
            zero[at..].copy_from_slice(&text.as_bytes()[from..]);
        }
        ColumnType::OldTime { decimals } if decimals > 0 => {
            // The zero point lies one second beyond 838:59:59.
            let units = 3_020_400u64 * 10u64.pow(u32::from(decimals.min(6)));
            zero.copy_from_slice(&units.to_be_bytes()[8 - width..]);
        }
        ColumnType::Bit { bits, .. } => zero.resize(usize::from(bits).div_ceil(8), 0),
        ColumnType::Enum { .. } if !column.nullable => zero[0] = 1,
        _ => {}
    }
    zero
}
