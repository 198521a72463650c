//! Columns that the condition of a scan does not ask for are read afterwards, of the rows that meet it.

use super::*;
use crate::exec::source;
use crate::plan::access::has_subquery;
use crate::table::reader::Reading;
use crate::types::FieldType;

/// What a step does about columns that can wait.
#[derive(Default)]
pub(super) enum Late {
    /// It did not read a batch that was followed by another.
    #[default]
    Unknown,
    /// All columns are read at once.
    Never,
    Columns(Box<LateColumns>),
}

/// A column that is read: number in the table, slot, type.
type Column = (usize, usize, FieldType);

/// The columns of a table that is scanned.
pub(super) struct LateColumns {
    /// Those that the condition asks for.
    first: Vec<Column>,
    rest: Vec<Column>,
    /// The rows of `out` have only the first ones.
    waiting: bool,
    /// Most rows met the condition lately: all columns are read at once.
    common: bool,
}

impl Late {
    /// The columns that are read now, when those others wait; `begins`: there is no row yet.
    pub fn first(&mut self, begins: bool) -> Option<&[Column]> {
        let Late::Columns(c) = self else { return None };
        if begins {
            c.waiting = !c.common;
        }
        c.waiting.then_some(&c.first)
    }

    /// Looks at how many of the rows of a batch met the condition.
    pub fn learn(&mut self, passed: usize, of: usize) {
        if let Late::Columns(c) = self {
            c.common = passed > of / 2;
        }
    }
}

impl JoinStep<'_, '_> {
    /// After the first batch of many: finds out which columns can wait.
    pub(super) fn settle_late(&mut self) {
        if !matches!(self.late, Late::Unknown) {
            return;
        }
        self.late = Late::Never;
        let (step, table) = (self.step, self.table);
        let Some(filter) = step.filter.as_ref().filter(|f| !has_subquery(f)) else { return };
        let plain = self.before.is_none()
            && step.kind == StepKind::Inner
            && step.on.is_none()
            && matches!(step.access, Access::Scan)
            && matches!(table.relation, Relation::Base(_))
            && table.computed.is_empty()
            && table.number.is_none();
        let can = self.reader.as_deref_mut().is_some_and(|reader| reader.late().is_some());
        if !plain || !can {
            return;
        }
        let mut asked = Vec::new();
        filter.columns(&mut |c| asked.push(c.slot as usize));
        let (first, rest): (Vec<_>, Vec<_>) =
            table.columns.iter().cloned().partition(|c| asked.contains(&c.1));
        // a batch of long values may end before all rows that wait for theirs are complete
        if !rest.is_empty() && !Reading::is_wide(&first) {
            self.late = Late::Columns(Box::new(LateColumns { first, rest, waiting: false, common: false }));
        }
    }

    /// Reads the columns that waited, of the rows that are selected, which are then those of `out`; without a selection of all.
    pub(super) fn read_late(&mut self, all: bool, ctx: &mut EvalContext) -> SqlResult<()> {
        let Late::Columns(c) = &mut self.late else { return Ok(()) };
        if !std::mem::take(&mut c.waiting) {
            return Ok(());
        }
        let reader = self.reader.as_deref_mut().and_then(Reader::late);
        let Some(reader) = reader else { return Ok(()) };
        if all {
            self.selected.clear();
            self.selected.extend(0..self.out.len as u32);
        }
        let exec = self.joined.exec;
        let done = source::complete(exec, &c.rest, reader, &mut self.out, &self.selected, ctx)?;
        if done < self.selected.len() {
            let again = u64::from(self.out.len as u32 - 1 - self.selected[done - 1]);
            self.selected.truncate(done);
            // the batch ended with the table
            let ended = !std::mem::replace(&mut self.open, true);
            self.at -= usize::from(ended);
            let mut counters = exec.counters.borrow_mut();
            counters.rnd_next -= again + u64::from(ended);
            counters.rows -= again;
            self.tally.read -= again;
            self.tally.met -= again;
        }
        let late = |slot: usize| c.rest.iter().any(|c| c.1 == slot);
        if self.selected.len() < self.out.len {
            let len = self.out.len;
            let early = self.out.columns.iter_mut().enumerate().filter(|(slot, _)| !late(*slot));
            for (_, v) in early.filter(|(_, v)| v.len() >= len && !v.is_constant()) {
                let mut kept = ctx.take(v.class());
                kept.gather(v, &self.selected);
                ctx.recycle(std::mem::replace(v, kept));
            }
            self.out.len = self.selected.len();
        }
        Ok(())
    }
}
