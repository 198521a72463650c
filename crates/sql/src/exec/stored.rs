//! Stored aggregate functions: the rows of a group are kept until it is complete, then the function runs over them.

use super::materialize::{MaterializedReader, Materializer};
use crate::error::{SqlError, SqlResult};
use crate::expr::calls::GroupRows;
use crate::expr::{AggregateCall, EvalContext};
use crate::types::{Batch, Class, FieldType, Value, ValueRef, Vector};

/// Keeps the arguments of a row. A column of its own stands before them, as there may be none.
///
/// # Errors
/// Those of the temporary file.
pub(super) fn push(
    rows: &mut Option<Box<Materializer>>,
    args: &[&Vector],
    row: usize,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let rows = rows.get_or_insert_with(|| Box::new(Materializer::new(&ctx.budget)));
    let one = |value: ValueRef<'_>, class: Class| {
        let mut v = Vector::new(class);
        v.push(value);
        v
    };
    let mut columns = Vec::with_capacity(args.len() + 1);
    columns.push(one(ValueRef::Int(0), Class::Int));
    columns.extend(args.iter().map(|v| one(v.get(row), v.class())));
    rows.push_batch(&Batch { columns, len: 1 })
}

/// The value of the function.
///
/// # Errors
/// Those of the function.
pub(super) fn finish(
    call: &AggregateCall,
    rows: Option<Materializer>,
    ctx: &mut EvalContext,
) -> SqlResult<Value> {
    let types: Vec<&FieldType> = call.args.iter().map(|e| &e.ty).collect();
    let reader = rows.map(Materializer::finish).transpose()?.map(|rows| rows.read());
    let Some(mut host) = ctx.host.take() else {
        return Err(SqlError::internal("an aggregate function without a session"));
    };
    let value = host.aggregate(ctx, call.stored, &mut Rows { reader, types });
    ctx.host = Some(host);
    value
}

/// The rows of a group.
struct Rows<'c> {
    reader: Option<MaterializedReader>,
    types: Vec<&'c FieldType>,
}

impl GroupRows for Rows<'_> {
    fn next(&mut self) -> SqlResult<Option<Vec<(Value, FieldType)>>> {
        let Some(reader) = &mut self.reader else { return Ok(None) };
        let Some((batch, row)) = reader.next_row()? else { return Ok(None) };
        let values = batch.columns.iter().skip(1).zip(&self.types);
        Ok(Some(values.map(|(v, ty)| (v.value(row), (*ty).clone())).collect()))
    }
}
