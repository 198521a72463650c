//! The tables that triggers of a statement's tables write: locked when it begins, with its own, in the order of names, so that
//! two statements whose triggers write each other's tables never wait for each other.

use std::sync::Arc;

use super::target::{Held, Target, give_back, take};
use crate::error::{SqlError, SqlResult};
use crate::plan::change::WriteSchema;
use crate::session::Session;
use crate::table::OpenTable;

/// A table of a statement: its number, itself, how it is written.
pub(super) type Wanted = (usize, Arc<OpenTable>, Arc<WriteSchema>);

/// Locks that statements of triggers take instead of their own. Those in use are taken out.
struct Lent(Vec<(Arc<OpenTable>, Option<Held>)>);

fn lent(session: &mut Session) -> Option<&mut Lent> {
    session.ctx.calls.lent.as_mut()?.downcast_mut::<Lent>()
}

fn entry<'a>(session: &'a mut Session, table: &OpenTable) -> Option<&'a mut Option<Held>> {
    let found = lent(session)?.0.iter_mut().find(|(t, _)| t.db == table.db && t.name == table.name)?;
    Some(&mut found.1)
}

/// The lock of a table, if the statement around has it.
pub(super) fn borrow(session: &mut Session, table: &OpenTable) -> Option<Held> {
    entry(session, table)?.take()
}

/// Gives such a lock back; gives one that was none.
pub(super) fn put_back(session: &mut Session, table: &OpenTable, held: Held) -> Option<Held> {
    match entry(session, table) {
        Some(place @ None) => {
            *place = Some(held);
            None
        }
        _ => Some(held),
    }
}

/// The statement that locked them ends.
pub(super) fn release(session: &mut Session) {
    let Some(lent) = session.ctx.calls.lent.take().and_then(|l| l.downcast::<Lent>().ok()) else { return };
    for (table, held) in lent.0 {
        if let Some(held) = held {
            give_back(session, &table, held);
        }
    }
}

/// Locks the tables of a statement and those that their triggers write.
///
/// # Errors
/// 1205, 1213, 1317; the internal error of a stale table. Nothing is locked then.
pub(super) fn lock(session: &mut Session, wanted: &[Wanted]) -> SqlResult<Vec<(usize, Target)>> {
    let fire = wanted.iter().any(|w| w.2.triggers.is_some());
    let mut further = match fire && session.ctx.calls.lent.is_none() {
        true => {
            let tables: Vec<_> = wanted.iter().map(|w| Arc::clone(&w.1)).collect();
            session.written_by_triggers(&tables)?
        }
        false => Vec::new(),
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
    if !list.is_empty()
        && let Some((_, first)) = locked.first_mut()
    {
        first.lends = true;
        session.ctx.calls.lent = Some(Box::new(Lent(list)));
    }
    Ok(locked)
}
