//! Writing to the tables under a MERGE table: all are locked, and one is written at a time.

use std::sync::Arc;

use super::target::{Held, Target, give_back, take};
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::EvalContext;
use crate::session::Session;
use crate::session::writing::WriteIntent;
use crate::table::{EngineError, OpenTable, RowPos, Writer, merge};

/// The tables under a MERGE table that a statement writes.
pub(super) struct Children {
    tables: Box<[Arc<OpenTable>]>,
    /// Their writers, but for that of the table that is written now: the target has it.
    idle: Vec<Option<Writer<Held>>>,
    current: usize,
}

/// Takes the write locks of a table: its own, or those of the tables under it in the order of their names.
///
/// # Errors
/// 1205, 1317; the internal error of a stale table.
pub(super) fn lock(
    session: &mut Session,
    table: &Arc<OpenTable>,
    mark: &mut Option<WriteIntent>,
) -> SqlResult<(Writer<Held>, Option<Box<Children>>)> {
    let writer = |table: &OpenTable, held| {
        let writer = Writer::new(Arc::clone(table.format()), held);
        if table.engine().can().durable { writer } else { writer.counting() }
    };
    let Some(under) = table.children().filter(|c| !c.tables().is_empty()) else {
        return Ok((writer(table, take(session, table, mark)?), None));
    };
    let tables: Box<[Arc<OpenTable>]> = under.tables().into();
    let order = under.in_order_of_names();
    let mut idle: Vec<Option<Writer<Held>>> = tables.iter().map(|_| None).collect();
    for n in order {
        match take(session, &tables[n], mark) {
            Ok(held) => idle[n] = Some(writer(&tables[n], held)),
            Err(e) => {
                for (table, taken) in tables.iter().zip(idle) {
                    taken.into_iter().for_each(|w| give_back(session, table, w.into_store()));
                }
                return Err(e);
            }
        }
    }
    let current = under.insert().unwrap_or(0);
    match idle[current].take() {
        Some(first) => Ok((first, Some(Box::new(Children { tables, idle, current })))),
        None => Err(crate::error::SqlError::internal("a table without a writer")),
    }
}

impl Children {
    /// Takes the writer of another table.
    #[inline]
    fn turn_to(&mut self, number: usize, writer: &mut Writer<Held>) {
        if number != self.current
            && let Some(other) = self.idle.get_mut(number).and_then(Option::take)
        {
            let before = std::mem::replace(writer, other);
            self.idle[self.current] = Some(before);
            self.current = number;
        }
    }
}

impl Target {
    /// Turns to the table in which the row at `pos` lies; gives its place there.
    #[inline]
    pub fn enter(&mut self, pos: RowPos) -> RowPos {
        let Some(children) = &mut self.children else { return pos };
        let (number, place) = merge::inner(pos);
        children.turn_to(number, &mut self.writer);
        place
    }

    /// Turns to the partition that the row in `new` belongs to; nothing for tables without.
    ///
    /// # Errors
    /// 1526 when there is none, 1748 when it is not among those that the statement names.
    #[inline]
    pub fn route(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        match &self.schema.routing {
            Some(_) => self.route_by_value(ctx),
            None => Ok(()),
        }
    }

    fn route_by_value(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        let (Some(routing), Some(children)) = (&self.schema.routing, &mut self.children) else {
            return Ok(());
        };
        let shown = self.shows_values;
        let number = routing.part(&self.new, &mut self.room.batch, ctx).map_err(|e| match shown {
            false => crate::table::partition::routing::without_value(e),
            true => e,
        })?;
        if self.table.children().is_some_and(|c| !c.is_read(number)) {
            return Err(SqlError::new(codes::ER_ROW_DOES_NOT_MATCH_GIVEN_PARTITION_SET, &[]));
        }
        children.turn_to(number, &mut self.writer);
        Ok(())
    }

    /// Whether the row at `pos` leaves its partition with the values in `new`: then that of those is written now.
    ///
    /// # Errors
    /// As [`Target::route`].
    #[inline]
    pub fn leaves(&mut self, pos: RowPos, ctx: &mut EvalContext) -> SqlResult<bool> {
        if self.schema.routing.is_none() {
            return Ok(false);
        }
        self.route_by_value(ctx)?;
        Ok(self.part_number() != merge::inner(pos).0)
    }

    /// Puts the row in `new` into the partition that is written now, and takes that at `pos` out of its own.
    ///
    /// # Errors
    /// A duplicate there; damaged files.
    pub fn move_row(&mut self, pos: RowPos) -> Result<(), EngineError> {
        self.writer.insert(&self.new.as_view())?;
        let place = self.enter(pos);
        self.writer.delete(place, &self.old.as_view())
    }

    /// A row that no partition takes: IGNORE passes over it with a warning.
    ///
    /// # Errors
    /// The error itself without IGNORE.
    pub fn refuse_or_pass(&self, e: SqlError, ignore: bool, ctx: &mut EvalContext) -> SqlResult<()> {
        let passes = matches!(
            e.code,
            codes::ER_NO_PARTITION_FOR_GIVEN_VALUE | codes::ER_ROW_DOES_NOT_MATCH_GIVEN_PARTITION_SET
        );
        if !ignore || !passes {
            return Err(e);
        }
        if !self.quiet {
            ctx.warnings.push_error(crate::warning::Level::Warning, &e);
        }
        Ok(())
    }

    /// The number of the table that is written now.
    pub fn part_number(&self) -> usize {
        self.children.as_ref().map_or(0, |c| c.current)
    }

    /// The position of a row of the table that is written now.
    #[inline]
    pub fn outer(&self, place: RowPos) -> RowPos {
        self.children.as_ref().map_or(place, |c| merge::outer(c.current, place))
    }

    /// The table that is written now.
    #[inline]
    pub fn part(&self) -> &Arc<OpenTable> {
        self.children.as_ref().map_or(&self.table, |c| &c.tables[c.current])
    }

    /// The tables that are written, and their writers.
    pub(super) fn writers(&self) -> impl Iterator<Item = (&Arc<OpenTable>, &Writer<Held>)> {
        let others = self.children.iter().flat_map(|c| c.tables.iter().zip(&c.idle));
        std::iter::once((self.part(), &self.writer))
            .chain(others.filter_map(|(table, writer)| writer.as_ref().map(|w| (table, w))))
    }

    /// As [`Target::writers`], that of the table which is written now first.
    pub(super) fn writers_mut(&mut self) -> impl Iterator<Item = &mut Writer<Held>> {
        let others = self.children.iter_mut().flat_map(|c| c.idle.iter_mut().flatten());
        std::iter::once(&mut self.writer).chain(others)
    }

    /// Rows there are.
    pub(super) fn records(&self) -> u64 {
        self.writers().map(|(table, writer)| table.state_in(writer.store()).records()).sum()
    }

    /// Whether all that are written keep their highest AUTO_INCREMENT value: tables under a MERGE table may have such columns or not.
    pub(super) fn counts_itself(&self) -> bool {
        let counts = |t: &Arc<OpenTable>| t.format().auto_column.is_some();
        self.children.as_ref().is_none_or(|c| c.tables.iter().all(counts))
    }

    /// The highest AUTO_INCREMENT value.
    pub(super) fn auto_increment(&self) -> u64 {
        self.writers().map(|(_, writer)| writer.auto_increment()).max().unwrap_or(0)
    }

    /// Its locks, taken apart.
    pub(super) fn into_held(self) -> (Vec<(Arc<OpenTable>, Held)>, Option<WriteIntent>) {
        let mut held = vec![(Arc::clone(self.part()), self.writer.into_store())];
        if let Some(children) = self.children {
            let others = children.tables.iter().zip(children.idle);
            held.extend(others.filter_map(|(t, w)| w.map(|w| (Arc::clone(t), w.into_store()))));
        }
        (held, self.mark)
    }
}
