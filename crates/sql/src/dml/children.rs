//! Writing to the tables under a MERGE table: all are locked, and one is written at a time.

use std::sync::Arc;

use super::target::{Held, Target, give_back, take};
use crate::error::SqlResult;
use crate::session::Session;
use crate::session::writing::WriteIntent;
use crate::table::{OpenTable, RowPos, Writer, merge};

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
    let writer = |table: &OpenTable, held| Writer::new(Arc::clone(table.format()), held);
    let Some(under) = table.children().filter(|c| !c.tables().is_empty()) else {
        return Ok((writer(table, take(session, table, mark)?), None));
    };
    let tables: Box<[Arc<OpenTable>]> = under.tables().into();
    let mut order: Vec<usize> = (0..tables.len()).collect();
    order.sort_by_key(|n| (&tables[*n].db, &tables[*n].name));
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

impl Target {
    /// Turns to the table in which the row at `pos` lies; gives its place there.
    #[inline]
    pub fn enter(&mut self, pos: RowPos) -> RowPos {
        let Some(children) = &mut self.children else { return pos };
        let (number, place) = merge::inner(pos);
        if number != children.current
            && let Some(writer) = children.idle.get_mut(number).and_then(Option::take)
        {
            let before = std::mem::replace(&mut self.writer, writer);
            children.idle[children.current] = Some(before);
            children.current = number;
        }
        place
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

    /// Rows there are.
    pub(super) fn records(&self) -> u64 {
        self.writers().map(|(table, writer)| table.state_in(writer.store()).records()).sum()
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
