//! The tables that triggers of a statement's tables write: locked when it begins, with its own, in the order of names, so that
//! two statements whose triggers write each other's tables never wait for each other.

use std::any::Any;
use std::sync::Arc;

use pages::Lsn;

use super::target::{Held, Target, give_back, take};
use crate::ast::program::Program;
use crate::error::{SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::failure::from_pages;
use crate::plan::change::WriteSchema;
use crate::session::Session;
use crate::session::lent;
use crate::table::OpenTable;
use crate::table::triggers::{OfTriggers, Programs, Reading};

/// A table of a statement: its number, itself, how it is written.
pub(super) type Wanted = (usize, Arc<OpenTable>, Arc<WriteSchema>);

/// What a statement has for its triggers.
struct Lent {
    /// Locks that statements of triggers take instead of their own. Those in use are taken out.
    tables: Vec<(Arc<OpenTable>, Option<Held>)>,
    /// What the triggers read.
    reading: Reading,
    /// The triggers, and what they call and fire.
    programs: Programs,
    /// An INSERT that reads nothing takes its lock: it finds rows that are not published yet.
    inserting: bool,
    /// What was published before the statement's end.
    published: Option<Lsn>,
}

/// Those of the statement around, to look at.
fn known(ctx: &EvalContext) -> Option<&Lent> {
    ctx.calls.lent.as_ref()?.downcast_ref::<lent::Lent>()?.locks.downcast_ref()
}

fn lent(session: &mut Session) -> Option<&mut Lent> {
    session.ctx.calls.lent.as_mut()?.downcast_mut::<lent::Lent>()?.locks.downcast_mut()
}

impl Lent {
    fn entry(&mut self, table: &OpenTable) -> Option<&mut Option<Held>> {
        let found = self.tables.iter_mut().find(|(t, _)| t.db == table.db && t.name == table.name)?;
        Some(&mut found.1)
    }

    /// Publishes what triggers have written into a table so far.
    fn publish(&mut self, table: &OpenTable) -> SqlResult<()> {
        let Some(Some(held)) = self.entry(table) else { return Ok(()) };
        if held.get().is_dirty() {
            let lsn = held.get_mut().commit_unless(&|| false).map_err(|e| from_pages(&e, &table.name))?;
            self.published = Some(lsn);
        }
        Ok(())
    }
}

/// The lock of a table, if the statement around has it.
///
/// # Errors
/// Those of publishing what it holds.
pub(super) fn borrow(session: &mut Session, table: &OpenTable) -> SqlResult<Option<Held>> {
    let Some(lent) = lent(session) else { return Ok(None) };
    if !lent.inserting {
        lent.publish(table)?;
    }
    Ok(lent.entry(table).and_then(Option::take))
}

/// Gives such a lock back; gives one that was none.
pub(super) fn put_back(session: &mut Session, table: &OpenTable, held: Held) -> Option<Held> {
    match lent(session).and_then(|l| l.entry(table)) {
        Some(place @ None) => {
            *place = Some(held);
            None
        }
        _ => Some(held),
    }
}

/// Whether what a statement of a trigger writes into a table is published with the statement around.
pub(super) fn waits(session: &Session, table: &OpenTable) -> bool {
    let Some(lent) = known(&session.ctx) else { return false };
    let lent_out = |(t, held): &(Arc<OpenTable>, Option<Held>)| {
        held.is_none() && t.db == table.db && t.name == table.name
    };
    lent.reading == Reading::Nothing && lent.tables.iter().any(lent_out)
}

/// Publishes what waits in one of these tables: see [`lent::Lent`].
fn publish(locks: &mut (dyn Any + Send), tables: &[Arc<OpenTable>]) -> SqlResult<()> {
    match locks.downcast_mut::<Lent>() {
        Some(lent) => tables.iter().try_for_each(|t| lent.publish(t)),
        None => Ok(()),
    }
}

/// Whether the statement of a trigger's table must publish its rows before the trigger runs, as far as that is known.
pub(super) fn must_publish(ctx: &EvalContext, program: &Arc<Program>) -> Option<bool> {
    let lent = known(ctx)?;
    let covers = lent.programs.iter().any(|(_, p)| Arc::ptr_eq(p, program));
    covers.then_some(lent.reading == Reading::Any)
}

/// The statement that locked them ends: the locks, and what was published before.
pub(super) fn release(session: &mut Session) -> (Vec<(Arc<OpenTable>, Held)>, Option<Lsn>) {
    let lent = session.ctx.calls.lent.take().and_then(|l| l.downcast::<lent::Lent>().ok());
    let Some(lent) = lent.and_then(|l| l.locks.downcast::<Lent>().ok()) else { return Default::default() };
    let held = lent.tables.into_iter().filter_map(|(table, held)| held.map(|h| (table, h)));
    (held.collect(), lent.published)
}

/// As [`Target::lock`] for an INSERT that reads nothing.
///
/// # Errors
/// As there.
pub(super) fn lock_to_insert(
    session: &mut Session,
    table: &Arc<OpenTable>,
    schema: &Arc<WriteSchema>,
) -> SqlResult<Target> {
    if let Some(lent) = lent(session) {
        lent.inserting = true;
    }
    let target = Target::lock(session, table, schema);
    if let Some(lent) = lent(session) {
        lent.inserting = false;
    }
    target
}

/// Locks the tables of a statement and those that their triggers write.
///
/// # Errors
/// 1205, 1213, 1317; the internal error of a stale table. Nothing is locked then.
pub(super) fn lock(session: &mut Session, wanted: &[Wanted]) -> SqlResult<Vec<(usize, Target)>> {
    let fire = wanted.iter().any(|w| w.2.triggers.is_some());
    let lends = fire && session.ctx.calls.lent.is_none();
    let OfTriggers { tables: mut further, reading, programs } = match lends {
        true => {
            let tables: Vec<_> = wanted.iter().map(|w| Arc::clone(&w.1)).collect();
            session.of_triggers(&tables)?
        }
        false => OfTriggers::default(),
    };
    // what the statements around use is no trigger's to write: 1442 when it comes to that
    further.retain(|t| !session.ctx.calls.is_taken(&t.db, &t.name));
    let mut order: Vec<(&Arc<OpenTable>, Option<&Wanted>)> =
        wanted.iter().map(|w| (&w.1, Some(w))).chain(further.iter().map(|t| (t, None))).collect();
    order.sort_by(|a, b| (&a.0.db, &a.0.name).cmp(&(&b.0.db, &b.0.name)));
    let (mut locked, mut list) = (Vec::new(), Vec::new());
    for (table, own) in order {
        let done = match (table.is_stale(), own) {
            (true, _) => Err(SqlError::stale()),
            (false, Some((n, _, schema))) => {
                Target::lock_alone(session, table, schema).map(|t| locked.push((*n, t)))
            }
            (false, None) => {
                take(session, table, &mut None).map(|held| list.push((Arc::clone(table), Some(held))))
            }
        };
        if let Err(e) = done {
            locked.into_iter().for_each(|(_, t): (usize, Target)| t.rollback(session));
            list.into_iter().for_each(|(t, held)| {
                if let Some(held) = held {
                    give_back(session, &t, held);
                }
            });
            return Err(e);
        }
    }
    if lends && let Some((_, first)) = locked.first_mut() {
        first.lends = true;
        let lent = Lent { tables: list, reading, programs, inserting: false, published: None };
        session.ctx.calls.lent = Some(Box::new(lent::Lent { locks: Box::new(lent), publish }));
    }
    Ok(locked)
}
