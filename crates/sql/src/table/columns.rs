//! Columns of many rows into vectors: one loop a column, for the type that it has.

use super::{RowBatch, RowColumns};
use crate::types::context::ConversionContext;
use crate::types::decimal::{Decimal, StoredForm};
use crate::types::{Class, FieldType, Kind, Vector, load};

/// Appends the `n`-th of the columns of these rows; the same values as [`load::push`] gives of each.
pub(super) fn append(
    rows: &RowBatch<'_>,
    columns: &RowColumns,
    n: usize,
    ty: &FieldType,
    out: &mut Vector,
    ctx: &ConversionContext,
) {
    match (ty.class(), ty.kind) {
        (Class::Int, Kind::Long) => integers(rows, columns, n, out, |b| match b.first_chunk() {
            Some(b) if !ty.unsigned => i64::from(i32::from_le_bytes(*b)),
            _ => load::int(b, ty),
        }),
        (Class::UInt, Kind::Long) => integers(rows, columns, n, out, |b| match b.first_chunk() {
            Some(b) => i64::from(u32::from_le_bytes(*b)),
            None => load::uint(b, ty).cast_signed(),
        }),
        (Class::Int | Class::UInt, Kind::LongLong) => {
            integers(rows, columns, n, out, |b| match b.first_chunk() {
                Some(b) => i64::from_le_bytes(*b),
                None => load::uint(b, ty).cast_signed(),
            });
        }
        (Class::Int, _) => integers(rows, columns, n, out, |b| load::int(b, ty)),
        (Class::UInt, _) => integers(rows, columns, n, out, |b| load::uint(b, ty).cast_signed()),
        (Class::Date, Kind::Date) if !ty.old_format => {
            integers(rows, columns, n, out, load::packed_date);
        }
        (Class::Double, _) => {
            let (mut nulls, had) = (Vec::new(), out.len());
            let values = out.f64s_mut();
            values.reserve(rows.len());
            rows.each(columns, n, |b| match b {
                Some(b) => values.push(load::double(b, ty)),
                None => {
                    nulls.push(values.len());
                    values.push(0.0);
                }
            });
            out.set_len(had + rows.len());
            nulls.into_iter().for_each(|row| out.set_null(row));
        }
        (Class::Decimal, _) if !ty.old_format => {
            let form = StoredForm::new(ty.precision(), ty.decimals);
            let (mut nulls, had) = (Vec::new(), out.len());
            let values = out.decimals_mut();
            values.resize(had + rows.len(), Decimal::ZERO);
            let mut row = had;
            rows.each(columns, n, |b| {
                match b {
                    Some(b) => form.read_to(b, &mut values[row]),
                    None => nulls.push(row),
                }
                row += 1;
            });
            out.set_len(row);
            nulls.into_iter().for_each(|row| out.set_null(row));
        }
        (Class::Bytes, Kind::Varchar) => rows.each(columns, n, |b| match b {
            Some(b) => out.push_bytes(b),
            None => out.push_null(),
        }),
        _ => rows.each(columns, n, |b| load::push(b, ty, out, ctx)),
    }
}

/// Appends values that are integers in a vector.
#[inline]
fn integers(
    rows: &RowBatch<'_>,
    columns: &RowColumns,
    n: usize,
    out: &mut Vector,
    value: impl Fn(&[u8]) -> i64,
) {
    let (mut nulls, had) = (Vec::new(), out.len());
    let values = out.i64s_mut();
    values.reserve(rows.len());
    rows.each(columns, n, |b| match b {
        Some(b) => values.push(value(b)),
        None => {
            nulls.push(values.len());
            values.push(0);
        }
    });
    out.set_len(had + rows.len());
    nulls.into_iter().for_each(|row| out.set_null(row));
}
