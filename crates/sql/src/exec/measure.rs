//! The operator that measures a SELECT for ANALYZE. It is put around others only then.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::operator::{Chunk, Operator};
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::plan::BlockPlan;

/// Measures the operators of a block: time, rows, bytes on disk.
pub(super) struct Measure<'p> {
    block: &'p BlockPlan,
    input: Box<dyn Operator + 'p>,
    begun: bool,
}

impl<'p> Measure<'p> {
    pub(super) fn new(block: &'p BlockPlan, input: Box<dyn Operator + 'p>) -> Measure<'p> {
        Measure { block, input, begun: false }
    }
}

impl Operator for Measure<'_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        let (begun, bytes) = (Instant::now(), ctx.budget.bytes.load(Ordering::Relaxed));
        let more = self.input.next(out, ctx);
        let loops = u64::from(!std::mem::replace(&mut self.begun, true));
        let rows = if matches!(more, Ok(true)) { out.len() as u64 } else { 0 };
        let spilled = ctx.budget.bytes.load(Ordering::Relaxed) - bytes;
        ctx.measure(self.block, |m| {
            m.loops += loops;
            m.passed += rows;
            m.time += begun.elapsed();
            m.spilled += spilled;
        });
        more
    }

    fn finish(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        self.input.finish(ctx)
    }

    fn rewind(&mut self) -> bool {
        self.begun = false;
        self.input.rewind()
    }
}
