//! Columns of rows that LIMIT leaves, read by the rows' places: what is sorted has only the keys of the sort and the place.

use super::operator::{Chunk, Operator};
use super::{Exec, source};
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::plan::{BlockPlan, PlanTable, Relation};
use crate::table::RowPos;
use crate::table::places::PlaceReader;
use crate::types::FieldType;

/// Makes rows of one table of their places. What goes out has no values of the keys that stood before the place, but room for them.
pub(super) struct Complete<'p, 'e> {
    exec: &'p Exec<'e>,
    input: Box<dyn Operator + 'p>,
    reader: PlaceReader<'p>,
    /// Columns in front of the place.
    keys: usize,
    /// Columns that go out.
    width: usize,
    /// What is read: number in the table, place in a chunk, type.
    columns: Vec<(usize, usize, FieldType)>,
    /// Rows of the input, the next of them.
    rows: Chunk,
    at: usize,
    places: Vec<RowPos>,
}

/// The operator, where a block reads columns so.
pub(super) fn operator<'p>(
    exec: &'p Exec<'_>,
    b: &'p BlockPlan,
    input: Box<dyn Operator + 'p>,
) -> Box<dyn Operator + 'p> {
    let [PlanTable { relation: Relation::Base(open), position: Some(_), .. }] = &b.tables[..] else {
        return input;
    };
    if b.by_place.is_empty() {
        return input;
    }
    let keys = b.order.len();
    let columns = b.by_place.iter().map(|(number, slot, ty)| (*number, slot + keys, ty.clone())).collect();
    let reader = PlaceReader::new(open);
    let (rows, places) = (Chunk::default(), Vec::new());
    Box::new(Complete { exec, input, reader, keys, width: keys + b.slots, columns, rows, at: 0, places })
}

impl Operator for Complete<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        if self.at == self.rows.len() {
            self.at = 0;
            self.rows.forget();
            if !self.input.next(&mut self.rows, ctx)? {
                return Ok(false);
            }
            self.rows.pack(ctx);
        }
        let place = &self.rows.rows.columns[self.keys];
        self.places.clear();
        self.places.extend((self.at..self.rows.len()).map(|row| RowPos(place.i64(row).cast_unsigned())));
        out.forget();
        out.rows.columns.resize_with(self.width, Default::default);
        for (_, at, ty) in &self.columns {
            out.rows.columns[*at].reset(ty.class());
        }
        source::read_places(self.exec, &mut self.reader, &self.columns, &self.places, &mut out.rows, ctx)?;
        self.at += out.rows.len;
        Ok(true)
    }

    fn finish(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        self.input.finish(ctx)
    }

    fn rewind(&mut self) -> bool {
        self.at = 0;
        self.rows.forget();
        self.input.rewind()
    }
}
