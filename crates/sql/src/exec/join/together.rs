//! Look-ups for many rows of the input together.
//!
//! Row by row, a look-up in a table that is larger than the processor's caches waits for memory in turn: for the pages on its way, then for
//! its row. For many rows at once the keys are computed a column at a time, and the table goes all their ways side by side.

use super::*;
use crate::exec::lookup::Part;
use crate::exec::source;
use crate::expr::{Node, VecRef};
use crate::plan::KeyPartValue;
use crate::plan::access::has_subquery;
use crate::table::points::Points;
use crate::table::reader::Reading;

/// So few rows are looked up one by one.
const FEW: usize = 4;

/// What a step does about looking up together.
#[derive(Default)]
pub(super) enum Together {
    /// No input was looked at.
    #[default]
    Unknown,
    /// Each row is looked up by itself.
    Never,
    /// Rows are looked up together where their values allow it.
    Yes(Box<Waiting>),
}

/// Keys that are looked up together.
#[derive(Default)]
pub(super) struct Waiting {
    points: Points,
    /// Those of the input are there.
    ready: bool,
}

/// Values of a part for all rows of the input.
enum PartValues<'v> {
    Same(Value),
    Each(VecRef<'v>),
}

impl JoinStep<'_, '_> {
    /// Looks at a new input, of which nothing was read: computes the keys that its rows are looked up by where that is done together.
    pub(super) fn gather_points(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        if matches!(self.together, Together::Unknown) {
            self.together = match self.is_looked_up_together(ctx)? {
                true => Together::Yes(Box::default()),
                false => Together::Never,
            };
        }
        let Together::Yes(mut waiting) = std::mem::take(&mut self.together) else {
            self.together = Together::Never;
            return Ok(());
        };
        let fits = self.input.len() >= FEW && self.weights.is_empty() && ctx.batch_rows() > 1;
        waiting.ready = fits && self.compute_points(&mut waiting.points, ctx)?;
        self.together = Together::Yes(waiting);
        Ok(())
    }

    /// Whether the keys of this step's look-ups may be computed before rows are read.
    fn is_looked_up_together(&mut self, ctx: &mut EvalContext) -> SqlResult<bool> {
        let Access::Lookup { key, parts, descending: false, .. } = &self.step.access else {
            return Ok(false);
        };
        let plain = |p: &KeyPartValue| {
            let value = &p.value;
            !p.null_safe && value.is_repeatable() && !has_subquery(value) && !buffer::reads_variable(value)
        };
        let fits = self.or_null.is_none()
            // nobody stops before the last row
            && self.joined.at_once == usize::MAX
            && self.table.number.is_none()
            && !Reading::is_wide(&self.table.columns)
            && parts.iter().all(plain)
            && parts.iter().any(|p| p.value.tables() != 0);
        Ok(fits && self.key_reader(*key, false, ctx)?.is_some_and(|reader| reader.points().is_some()))
    }

    /// The keys of all rows of the input; false where a value of one of them says nothing, warns or fails.
    fn compute_points(&mut self, points: &mut Points, ctx: &mut EvalContext) -> SqlResult<bool> {
        let Access::Lookup { key, parts, unique, .. } = &self.step.access else { return Ok(false) };
        let Relation::Base(open) = &self.table.relation else { return Ok(false) };
        let runner = self.joined.runner(&self.kept);
        let frame = Frame { batch: &self.input.rows, subqueries: Some(&runner) };
        let which = self.input.which();
        let values = all_at_once(true, ctx, |ctx| {
            let values = parts.iter().map(|p| match &p.value.node {
                Node::Once(_, e) => Ok(PartValues::Same(eval_without_warnings(e, ctx)?)),
                _ => Ok(PartValues::Each(p.value.eval(frame, which, ctx)?)),
            });
            values.collect::<SqlResult<Vec<PartValues<'_>>>>()
        })?;
        let Some(values) = values else { return Ok(false) };
        points.clear();
        (points.parts, points.single) = (parts.len(), *unique);
        let rows = self.input.len();
        let (mut looked_up, mut said) = (rows as u64, true);
        'rows: for row in 0..rows {
            self.point.start();
            for (part, values) in parts.iter().zip(&values) {
                let each;
                let value = match values {
                    PartValues::Same(value) => value,
                    PartValues::Each(vector) => {
                        each = vector.value(row);
                        &each
                    }
                };
                match self.point.add(open, *key, part, value) {
                    Part::Added => {}
                    Part::Unknown => {
                        said = false;
                        break 'rows;
                    }
                    Part::Never => {
                        // nobody looks for what equals NULL
                        looked_up -= u64::from(value.is_null());
                        continue 'rows;
                    }
                }
            }
            points.push(row as u32, self.point.flat());
        }
        for values in values {
            if let PartValues::Each(vector) = values {
                ctx.done(vector);
            }
        }
        if said {
            self.tally.loops += rows as u64;
            self.joined.exec.counters.borrow_mut().key += looked_up;
        }
        Ok(said)
    }

    /// Reads rows for keys that wait, until `out` holds `most` or no key waits. False where rows are looked up one by one.
    pub(super) fn look_up_together(&mut self, most: usize, ctx: &mut EvalContext) -> SqlResult<bool> {
        let Together::Yes(waiting) = &mut self.together else { return Ok(false) };
        if !waiting.ready {
            return Ok(false);
        }
        let Some(reader) = self.key_reader.as_deref_mut().and_then(KeyReader::points) else {
            return Ok(false);
        };
        ctx.check_killed()?;
        let (had, points) = (self.out.len, &mut waiting.points);
        let begun = ctx.measures().then(Instant::now);
        let out = (&mut self.out, &mut self.from);
        self.open = source::fill_points(self.joined.exec, self.table, reader, points, out, most, ctx)?;
        self.tally.reading += begun.map_or(Duration::ZERO, |begun| begun.elapsed());
        let read = (self.out.len - had) as u64;
        self.tally.read += read;
        self.tally.met += read;
        for from in &mut self.from[had..] {
            *from = self.input.row(*from as usize) as u32;
        }
        let at = if self.open { points.last_row() } else { points.next_row() };
        self.at = at.map_or(self.input.len(), |row| row as usize);
        Ok(true)
    }
}
