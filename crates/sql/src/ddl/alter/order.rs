//! ALTER TABLE ... ORDER BY: the rows of the old table in the order they are to have in the new one.

use crate::table::{RowPos, RowScratch, Scan};
use pages::TableWriter;

use super::change::AlterBuilder;
use crate::error::{self, SqlError, SqlResult};
use crate::exec::sort::Sorter;
use crate::exec::sortkey::{KeySpec, encode_value};
use crate::memory::BATCH_ROWS;
use crate::names::same_name;
use crate::session::Session;
use crate::table::OpenTable;
use crate::types::vector::{Batch, Vector};
use crate::types::{Class, FieldType, ValueRef, load};

/// Positions in the order of the wanted columns; rows that are equal in them stay in the order they have.
pub(super) struct Ordered {
    sorter: Sorter,
    batch: Batch,
    next: usize,
}

impl Ordered {
    /// Sorts the rows of `source`; none when no order is wanted.
    pub(super) fn of(
        session: &mut Session,
        old: &OpenTable,
        source: &TableWriter,
        work: &AlterBuilder,
    ) -> SqlResult<Option<Ordered>> {
        if work.order.is_empty() {
            return Ok(None);
        }
        let columns = columns(old, work)?;
        let mut sorter = Sorter::new(vec![KeySpec::bytes(0, false)], usize::MAX, &session.ctx.budget);
        let mut batch = empty();
        let mut scan = Scan::new();
        let mut scratch = RowScratch::new();
        let (mut key, mut temp) = (Vec::new(), Vec::new());
        while let Some((pos, row)) =
            scan.next(old.format(), source, &mut scratch).map_err(|e| old.error(&e))?
        {
            key.clear();
            for (place, ty, descending) in &columns {
                let value = load::value(row.column(*place), ty, &session.ctx);
                let start = key.len();
                encode_value(value.as_ref(), ty.collation, &mut key, &mut temp);
                if *descending {
                    for b in &mut key[start..] {
                        *b = !*b;
                    }
                }
            }
            batch.columns[0].push(ValueRef::Bytes(&key));
            batch.columns[1].push(ValueRef::UInt(pos.0));
            batch.len += 1;
            if batch.len == BATCH_ROWS {
                session.ctx.check_killed()?;
                sorter.push(&batch)?;
                batch = empty();
            }
        }
        sorter.push(&batch)?;
        sorter.finish()?;
        Ok(Some(Ordered { sorter, batch: Batch::default(), next: 0 }))
    }

    /// The next row.
    pub(super) fn next(&mut self) -> SqlResult<Option<RowPos>> {
        if self.next == self.batch.len {
            self.next = 0;
            if !self.sorter.next(&mut self.batch)? {
                self.batch.len = 0;
                return Ok(None);
            }
        }
        self.next += 1;
        Ok(Some(RowPos(self.batch.columns[1].i64(self.next - 1) as u64)))
    }
}

/// Keys and positions.
fn empty() -> Batch {
    Batch { columns: vec![Vector::new(Class::Bytes), Vector::new(Class::UInt)], len: 0 }
}

/// Places, types and directions of the columns to sort by.
fn columns(old: &OpenTable, work: &AlterBuilder) -> SqlResult<Vec<(usize, FieldType, bool)>> {
    let column = |item: &crate::ast::OrderItem| {
        let name =
            item.expr.bare_name().ok_or_else(|| SqlError::not_supported("ORDER BY of an expression"))?;
        let place = old
            .def()
            .columns
            .iter()
            .position(|c| same_name(&c.name, name))
            .ok_or_else(|| SqlError::new(error::ER_BAD_FIELD_ERROR, &[&name, &"ORDER BY"]))?;
        Ok((place, FieldType::from_column(&old.def().columns[place]), item.descending))
    };
    work.order.iter().map(column).collect()
}
