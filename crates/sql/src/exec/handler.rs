//! HANDLER ... READ: rows from where a cursor stands, one by one, so that it stands at the last one that was looked at.

use super::operator::reset;
use super::{Exec, Limiter, join, source};
use crate::ast::{BinaryOp, HandlerRead};
use crate::error::codes::ER_KEY_DOESNT_SUPPORT;
use crate::error::{ER_CHECKREAD, ER_ILLEGAL_HA, SqlError, SqlResult};
use crate::expr::{EvalContext, Expr, Frame, Node, Rows};
use crate::plan::handler::HandlerPlan;
use crate::plan::{self, BlockPlan};
use crate::result::ResultSink;
use crate::table::engine::KeyOrder;
use crate::table::reader::{Counted, Reader, Reading};
use crate::table::row_cursor::{KeyTest, RowCursor, Step};
use crate::table::{Near, PageSource, RowPos, RowScratch};
use crate::types::store::{self, StoreMode, Stored};
use crate::types::{Batch, Value, load, output};

/// Rows that are looked at with one pin, at most.
const AT_ONCE: usize = 256;

/// The steps of a READ: the first one, and those behind it.
fn steps(how: &HandlerRead) -> (Step, Step) {
    match how {
        HandlerRead::First => (Step::First, Step::Next),
        HandlerRead::Last => (Step::Last, Step::Prev),
        HandlerRead::Next => (Step::Next, Step::Next),
        HandlerRead::Prev => (Step::Prev, Step::Prev),
        HandlerRead::Key(BinaryOp::Ge, _) => (Step::Seek(KeyTest::AtLeast), Step::Next),
        HandlerRead::Key(BinaryOp::Gt, _) => (Step::Seek(KeyTest::Above), Step::Next),
        HandlerRead::Key(BinaryOp::Le, _) => (Step::Seek(KeyTest::AtMost), Step::Prev),
        HandlerRead::Key(BinaryOp::Lt, _) => (Step::Seek(KeyTest::Below), Step::Prev),
        HandlerRead::Key(..) => (Step::Seek(KeyTest::Equal), Step::NextSame),
    }
}

/// Whether the key can be read so.
///
/// # Errors
/// 4143 for full-text keys, and for hashed ones that are not asked for whole values.
pub fn check_key(plan: &HandlerPlan, how: &HandlerRead) -> SqlResult<()> {
    let Some(key) = plan.key else { return Ok(()) };
    let info = &plan.table.keys()[key];
    let refused =
        |kind: &str| Err(SqlError::new(ER_KEY_DOESNT_SUPPORT, &[&kind, &plan.table.def().keys[key].name]));
    if info.is_fulltext() {
        return refused("FULLTEXT");
    }
    if let HandlerRead::Key(op, values) = how
        && plan.table.key_order(key) == KeyOrder::Hashed
        && (*op != BinaryOp::Eq || values.len() < info.segments.len())
    {
        return refused("HASH");
    }
    Ok(())
}

/// Makes the key that is looked for; false when a part is NULL that cannot be: then the statement has no answer but that it is over.
///
/// # Errors
/// Those of evaluating.
pub fn want(plan: &HandlerPlan, cursor: &mut RowCursor, ctx: &mut EvalContext) -> SqlResult<bool> {
    let wanted = cursor.wanted();
    let (Some(key), format) = (plan.key, plan.table.format()) else { return Ok(true) };
    for (expr, column) in &plan.values {
        wanted.image.clear();
        let computed = match &expr.node {
            Node::Literal(_) | Node::Param(_) => None,
            _ => Some(expr.value(ctx)?),
        };
        ctx.check_failed()?;
        // what does not fit is made to fit, and nobody is told
        let mark = ctx.mark();
        let EvalContext { statement, conversion, .. } = ctx;
        let value = match (&computed, &expr.node) {
            (Some(value), _) | (None, Node::Literal(value)) => value,
            (None, Node::Param(n)) => &statement.params[*n as usize],
            _ => &Value::Null,
        };
        let stored =
            store::store(value.as_ref(), &expr.ty, column, StoreMode::Lenient, &mut wanted.image, conversion);
        ctx.rollback_to(&mark);
        let image = match stored? {
            Stored::Null if column.not_null => return Ok(false),
            Stored::Null => None,
            Stored::Value | Stored::Kept => Some(&wanted.image[..]),
        };
        format.encode_key_part(key, wanted.parts, image, &mut wanted.flat);
        wanted.parts += 1;
    }
    Ok(true)
}

/// Sends the rows; the sink has its schema already. Gives the number of rows that were looked at.
///
/// # Errors
/// Those of reading, evaluating and sending; 1031 for steps along a hashed key that stands nowhere.
pub fn send(
    exec: &Exec<'_>,
    plan: &HandlerPlan,
    how: &HandlerRead,
    cursor: &mut RowCursor,
    ctx: &mut EvalContext,
    sink: &mut dyn ResultSink,
) -> SqlResult<u64> {
    let block = plan.block()?;
    let mut limiter = Limiter::new(&block.limit, ctx)?;
    cursor.begin(plan.key);
    if limiter.full() {
        return Ok(0);
    }
    if let Some(key) = plan.key
        && plan.table.key_order(key) == KeyOrder::Hashed
    {
        let leaps = matches!(how, HandlerRead::First | HandlerRead::Last);
        if leaps || cursor.is_nowhere() && !matches!(how, HandlerRead::Key(..)) {
            let engine = plan.table.engine().info().name;
            return Err(SqlError::new(ER_ILLEGAL_HA, &[&engine, &plan.table.db, &plan.table.name]));
        }
    }
    let steps = steps(how);
    let mut run = Run { exec, plan, block, cursor, next: steps.0, then: steps.1, looked_at: 0 };
    if run.is_plain() {
        run.send_plain(&mut limiter, ctx, sink)?;
    } else {
        run.send_tested(&mut limiter, ctx, sink)?;
    }
    Ok(run.looked_at)
}

/// A READ that runs.
struct Run<'r, 'e> {
    exec: &'r Exec<'e>,
    plan: &'r HandlerPlan,
    block: &'r BlockPlan,
    cursor: &'r mut RowCursor,
    /// The step that is next, and those behind it.
    next: Step,
    then: Step,
    looked_at: u64,
}

impl Run<'_, '_> {
    /// Whether rows go from the page into the sink as they are.
    fn is_plain(&self) -> bool {
        let b = self.block;
        let tested = |s: &plan::Step| s.conditions().next().is_some();
        b.direct.is_some() && b.constant.is_none() && b.impossible.is_none() && !b.steps.iter().any(tested)
    }

    /// Goes to the next row.
    fn step<S: PageSource>(&mut self, src: &S, scratch: &mut RowScratch) -> SqlResult<Option<RowPos>> {
        let (open, key) = (&*self.plan.table, self.plan.key);
        let step = std::mem::replace(&mut self.next, self.then);
        self.exec.counters.borrow_mut().stepped(key.is_some(), step, self.cursor.is_nowhere());
        if self.cursor.is_lost(open, step, src) {
            return Err(SqlError::new(ER_CHECKREAD, &[&open.name]));
        }
        let found = self.cursor.step(open, key, step, src, scratch).map_err(|e| open.error(&e))?;
        self.looked_at += u64::from(found.is_some());
        Ok(found)
    }

    fn send_plain(
        &mut self,
        limiter: &mut Limiter,
        ctx: &mut EvalContext,
        sink: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        let Some(direct) = &self.block.direct else { return Ok(()) };
        let exec = self.exec;
        let open = &*self.plan.table;
        let mut scratch = RowScratch::new();
        let mut more = true;
        while more {
            {
                let pin = exec.snapshot.pin();
                let view = pin.table(open.pages()).map_err(|e| open.error(&e.into()))?;
                let mut near = Near::default();
                // rows that are skipped are looked at as well
                for _ in 0..AT_ONCE {
                    more = !limiter.full();
                    if !more || sink.wants_flush() {
                        break;
                    }
                    let Some(pos) = self.step(&view, &mut scratch)? else {
                        more = false;
                        break;
                    };
                    if !limiter.pass() {
                        continue;
                    }
                    let row = open.row_near(&view, &mut near, pos, &mut scratch);
                    let row = row.map_err(|e| open.error(&e))?;
                    sink.begin_row();
                    for (c, ty) in direct.columns.iter().zip(&direct.types) {
                        load::put(row.column(*c), ty, sink, ctx);
                    }
                    sink.end_row();
                }
            }
            if more {
                if sink.wants_flush() {
                    exec.flush(&self.plan.rows, sink)?;
                }
                ctx.check_killed()?;
            }
        }
        Ok(())
    }

    /// The same with a condition, or with columns that are computed.
    fn send_tested(
        &mut self,
        limiter: &mut Limiter,
        ctx: &mut EvalContext,
        sink: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        let (exec, block) = (self.exec, self.block);
        // conditions may wait: each row is read with a pin of its own
        exec.snapshot.unpin_until_read();
        let classes = block.classes.get_or_init(|| join::classes(block));
        let conditions = block.steps.iter().flat_map(plan::Step::conditions);
        let conditions: Vec<&Expr> = block.constant.iter().chain(conditions).collect();
        let mut rows = Batch::default();
        let mut reader = OneRow { run: self, scratch: RowScratch::new(), found: false };
        let mut selected = Vec::new();
        while !limiter.full() {
            reset(&mut rows, classes);
            source::fill(exec, &block.tables[0], &mut reader, &mut rows, 1, ctx)?;
            if !reader.found {
                break;
            }
            ctx.check_killed()?;
            let passes = block.impossible.is_none() && meets(&conditions, &rows, &mut selected, ctx)?;
            ctx.check_failed()?;
            if !passes || !limiter.pass() {
                continue;
            }
            reader.run.send_row(&rows, ctx, sink)?;
        }
        Ok(())
    }

    /// Sends the one row of a batch.
    fn send_row(&mut self, rows: &Batch, ctx: &mut EvalContext, sink: &mut dyn ResultSink) -> SqlResult<()> {
        let frame = Frame { batch: rows, subqueries: None };
        sink.begin_row();
        for (e, ty) in self.block.output.iter().take(self.block.visible).zip(&self.plan.rows.types) {
            if let Node::Column(c) = &e.node {
                output::put(rows.columns[c.slot as usize].get(0), ty, sink, ctx);
            } else {
                let v = e.eval(frame, Rows::All(1), ctx)?;
                output::put(v.get(0), ty, sink, ctx);
                ctx.done(v);
            }
        }
        sink.end_row();
        if sink.wants_flush() {
            self.exec.flush(&self.plan.rows, sink)?;
        }
        Ok(())
    }
}

/// Whether the one row of a batch meets all conditions.
fn meets(
    conditions: &[&Expr],
    rows: &Batch,
    selected: &mut Vec<u32>,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    for e in conditions {
        selected.clear();
        e.filter(Frame { batch: rows, subqueries: None }, Rows::All(1), ctx, selected)?;
        if selected.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The next row of a READ, as a reader.
struct OneRow<'o, 'r, 'e> {
    run: &'o mut Run<'r, 'e>,
    scratch: RowScratch,
    found: bool,
}

impl Reader for OneRow<'_, '_, '_> {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, _: usize) -> SqlResult<bool> {
        let open = &*self.run.plan.table;
        let pin = reading.snapshot.pin();
        let view = pin.table(open.pages()).map_err(|e| open.error(&e.into()))?;
        let found = self.run.step(&view, &mut self.scratch)?;
        self.found = found.is_some();
        if let Some(pos) = found {
            let row = open.row(&view, pos, &mut self.scratch).map_err(|e| open.error(&e))?;
            for (column, slot, ty) in reading.columns {
                load::push(row.column(*column), ty, &mut out.columns[*slot], reading.conversion);
            }
            out.len += 1;
        }
        Ok(self.found)
    }

    /// It goes on.
    fn rewind(&mut self) {}

    fn counted(&self) -> Counted {
        Counted::Before
    }
}
