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
    let column = Column { rows, columns, n };
    if ty.class() == Class::Bytes {
        let mut bytes = 0;
        rows.each(columns, n, |b| bytes += b.map_or(0, <[u8]>::len));
        out.reserve_bytes(rows.len(), bytes);
    }
    match (ty.class(), ty.kind) {
        (Class::Int, Kind::Long) => integers(column, out, |b| match b.first_chunk() {
            Some(b) if !ty.unsigned => i64::from(i32::from_le_bytes(*b)),
            _ => load::int(b, ty),
        }),
        (Class::UInt, Kind::Long) => integers(column, out, |b| match b.first_chunk() {
            Some(b) => i64::from(u32::from_le_bytes(*b)),
            None => load::uint(b, ty).cast_signed(),
        }),
        (Class::Int | Class::UInt, Kind::LongLong) => {
            integers(column, out, |b| match b.first_chunk() {
                Some(b) => i64::from_le_bytes(*b),
                None => load::uint(b, ty).cast_signed(),
            });
        }
        (Class::Int, _) => integers(column, out, |b| load::int(b, ty)),
        (Class::UInt, _) => integers(column, out, |b| load::uint(b, ty).cast_signed()),
        (Class::Date, Kind::Date) if !ty.old_format => {
            integers(column, out, load::packed_date);
        }
        (Class::Double, _) => {
            fill(column, out, Vector::f64s_mut, 0.0, |b, to| *to = load::double(b, ty));
        }
        (Class::Decimal, _) if !ty.old_format => {
            let form = StoredForm::new(ty.precision(), ty.decimals);
            let scale = form.scale();
            if form.is_short() && out.short_decimals_mut(scale).is_some() {
                return fill(
                    column,
                    out,
                    |v| v.short_decimals_mut(scale).expect("there as it was just now"),
                    0,
                    |b, to| *to = form.read_short(b),
                );
            }
            fill(column, out, Vector::decimals_mut, Decimal::ZERO, |b, to| form.read_to(b, to));
        }
        (Class::Bytes, Kind::Varchar) => rows.each(columns, n, |b| match b {
            Some(b) => out.push_bytes(b),
            None => out.push_null(),
        }),
        _ => rows.each(columns, n, |b| load::push(b, ty, out, ctx)),
    }
}

/// One of the columns of some rows.
#[derive(Clone, Copy)]
struct Column<'r> {
    rows: &'r RowBatch<'r>,
    columns: &'r RowColumns,
    n: usize,
}

/// Appends values that are integers in a vector.
#[inline]
fn integers(column: Column<'_>, out: &mut Vector, value: impl Fn(&[u8]) -> i64) {
    fill(column, out, Vector::i64s_mut, 0, |b, to| *to = value(b));
}

/// Appends values to those that `values` gives of a vector. Each is `zero` first, which stays for NULL, and is then read where it
/// shall be: a decimal is not moved ([`StoredForm::read_to`]).
#[inline]
fn fill<T: Copy>(
    column: Column<'_>,
    out: &mut Vector,
    values: impl Fn(&mut Vector) -> &mut Vec<T>,
    zero: T,
    read: impl Fn(&[u8], &mut T),
) {
    let (mut nulls, had) = (Vec::new(), out.len());
    let values = values(out);
    values.resize(had + column.rows.len(), zero);
    let mut row = had;
    column.rows.each(column.columns, column.n, |b| {
        match b {
            Some(b) => read(b, &mut values[row]),
            None => nulls.push(row),
        }
        row += 1;
    });
    out.set_len(row);
    nulls.into_iter().for_each(|row| out.set_null(row));
}
