//! INSERTs that meet at one table: the first who finds it taken waits for its lock, those who come meanwhile leave their rows with it, and it
//! writes and publishes all of them in one turn. So a busy table has one commit, and each page of its keys is changed once, for many statements.
//!
//! One statement at most is the leader of the next turn. It waits as every writer does; the others wait for it. A leader that
//! gives up, and one that leaves rows for another turn, names the next.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::{RowBuf, RowList};
use crate::error::{SqlError, SqlResult};
use crate::status::Connection;

/// How often who waits looks whether it was killed.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How a session's AUTO_INCREMENT numbers are counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NumberSettings {
    /// `SET insert_id`: of the first row that asks for one; 0 when none is set.
    pub first: u64,
    /// Where the statement goes on from there, 0 where it has not begun so.
    pub then: u64,
    /// `auto_increment_increment`.
    pub increment: u64,
    /// `auto_increment_offset`.
    pub offset: u64,
}

/// Rows of a statement that are ready to be written.
pub(crate) struct ReadyRows {
    pub rows: RowList,
    /// Whose they are.
    pub connection: Arc<Connection>,
    pub numbers: NumberSettings,
    pub outcome: Outcome,
}

/// What became of them.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Rows that were tried.
    pub tried: u64,
    /// Rows written.
    pub written: u64,
    /// Where numbers go on.
    pub numbers: NumberSettings,
    /// The first number that was made, 0 if none.
    pub first_number: u64,
    /// The number of the last row.
    pub last_number: u64,
    /// The row that ended the statement, and the key that refused it.
    pub refused: Option<(usize, RowBuf)>,
    /// What else ended it.
    pub error: Option<SqlError>,
    /// The commit they are in: who tells the client waits as its own session's `durability` asks.
    pub commit: Option<pages::Lsn>,
}

/// Of a table.
#[derive(Default)]
pub(crate) struct InsertQueue {
    waiting: Mutex<Waiting>,
    /// There is a leader: a hint.
    led: AtomicBool,
}

#[derive(Default)]
struct Waiting {
    led: bool,
    /// Those who wait for the leader.
    list: VecDeque<Arc<Entry>>,
}

struct Entry {
    state: Mutex<EntryState>,
    changed: Condvar,
}

enum EntryState {
    /// Its rows wait for a leader.
    Waiting(ReadyRows),
    /// A leader has them.
    Taken,
    /// It is the leader of the next turn.
    Leads(ReadyRows),
    /// What became of them.
    Done(SqlResult<ReadyRows>),
    /// Nobody waits for them any more.
    Left,
}

/// How a statement comes out of the queue.
pub(crate) enum Turn<'q> {
    /// It writes for others: [`Leader::take`] once it has the table.
    Lead(Leader<'q>, ReadyRows),
    /// Its rows were written.
    Written(ReadyRows),
}

/// The statement that takes the next turn. One that is dropped before it took rows leaves the turn to the next.
pub(crate) struct Leader<'q> {
    queue: &'q InsertQueue,
    took: bool,
}

impl<'q> Leader<'q> {
    fn of(queue: &'q InsertQueue) -> Leader<'q> {
        Leader { queue, took: false }
    }

    /// It has the table: takes rows of others, as long as those taken are fewer than `most`. Who comes from now on waits for another turn.
    pub fn take(mut self, most: usize) -> TakenRows<'q> {
        self.took = true;
        self.queue.take(most)
    }
}

impl Drop for Leader<'_> {
    fn drop(&mut self) {
        if !self.took {
            self.queue.name_next(&mut self.queue.waiting.lock());
        }
    }
}

/// The rows of others that a leader writes. Those whose statements were not told when it is dropped get an error.
pub(crate) struct TakenRows<'q> {
    queue: &'q InsertQueue,
    entries: Vec<(Arc<Entry>, ReadyRows)>,
}

impl InsertQueue {
    /// Whether rows may be left here for a leader.
    pub fn is_led(&self) -> bool {
        self.led.load(Ordering::Relaxed)
    }

    /// Comes with rows: as the leader, if there is none, else waits for it. `check` is asked every 20 ms, with whether the rows are still here:
    /// the statement may end by its error then. Once a leader has them they are written though nobody waits for them.
    ///
    /// # Errors
    /// Those of `check`; that of the leader's commit.
    pub fn enter(
        &self,
        rows: ReadyRows,
        check: &mut dyn FnMut(bool) -> SqlResult<()>,
    ) -> SqlResult<Turn<'_>> {
        let entry = {
            let mut waiting = self.waiting.lock();
            if !waiting.led {
                self.set_led(&mut waiting, true);
                return Ok(Turn::Lead(Leader::of(self), rows));
            }
            let state = Mutex::new(EntryState::Waiting(rows));
            let entry = Arc::new(Entry { state, changed: Condvar::new() });
            waiting.list.push_back(Arc::clone(&entry));
            entry
        };
        pages::assert_unpinned();
        loop {
            let mut state = entry.state.lock();
            let waits = match std::mem::replace(&mut *state, EntryState::Taken) {
                EntryState::Done(result) => return result.map(Turn::Written),
                EntryState::Leads(rows) => return Ok(Turn::Lead(Leader::of(self), rows)),
                EntryState::Taken | EntryState::Left => false,
                waiting @ EntryState::Waiting(_) => {
                    *state = waiting;
                    true
                }
            };
            if !entry.changed.wait_for(&mut state, POLL_INTERVAL).timed_out() {
                continue;
            }
            drop(state);
            if let Err(e) = check(waits) {
                return self.leave(&entry, e);
            }
        }
    }

    /// Ends a wait by an error. Rows that were written meanwhile count as such.
    fn leave(&self, entry: &Arc<Entry>, e: SqlError) -> SqlResult<Turn<'_>> {
        let mut waiting = self.waiting.lock();
        waiting.list.retain(|other| !Arc::ptr_eq(other, entry));
        match std::mem::replace(&mut *entry.state.lock(), EntryState::Left) {
            EntryState::Done(result) => result.map(Turn::Written),
            EntryState::Leads(_) => {
                self.name_next(&mut waiting);
                Err(e)
            }
            EntryState::Waiting(_) | EntryState::Taken | EntryState::Left => Err(e),
        }
    }

    fn take(&self, most: usize) -> TakenRows<'_> {
        let (mut entries, mut rows) = (Vec::new(), 0);
        let mut waiting = self.waiting.lock();
        while rows < most
            && let Some(entry) = waiting.list.pop_front()
        {
            let taken = std::mem::replace(&mut *entry.state.lock(), EntryState::Taken);
            if let EntryState::Waiting(taken) = taken {
                rows += taken.rows.len();
                entries.push((entry, taken));
            }
        }
        self.name_next(&mut waiting);
        TakenRows { queue: self, entries }
    }

    /// Makes the first who waits the leader; there is none when nobody waits.
    fn name_next(&self, waiting: &mut Waiting) {
        while let Some(entry) = waiting.list.pop_front() {
            let mut state = entry.state.lock();
            if let EntryState::Waiting(rows) = std::mem::replace(&mut *state, EntryState::Taken) {
                *state = EntryState::Leads(rows);
                self.set_led(waiting, true);
                entry.changed.notify_one();
                return;
            }
        }
        self.set_led(waiting, false);
    }

    fn set_led(&self, waiting: &mut Waiting, led: bool) {
        waiting.led = led;
        self.led.store(led, Ordering::Relaxed);
    }
}

impl TakenRows<'_> {
    /// Rows of all of them.
    pub fn rows(&self) -> usize {
        self.entries.iter().map(|(_, rows)| rows.rows.len()).sum()
    }

    /// The statements, in the order in which they came.
    pub fn statements(&mut self) -> impl Iterator<Item = &mut ReadyRows> {
        self.entries.iter_mut().map(|(_, rows)| rows)
    }

    /// Everything is written, and published in this commit.
    pub fn written(mut self, commit: Option<pages::Lsn>) {
        for (entry, mut rows) in self.entries.drain(..) {
            rows.outcome.commit = commit;
            entry.end(Ok(rows));
        }
    }

    /// Nothing is written, for a reason that concerns all.
    pub fn failed(mut self, e: &SqlError) {
        for (entry, _) in self.entries.drain(..) {
            entry.end(Err(e.clone()));
        }
    }

    /// Nothing is written, as the leader was killed: the rows wait for the next one.
    pub fn give_back(mut self) {
        let queue = self.queue;
        let mut waiting = queue.waiting.lock();
        for (entry, mut rows) in self.entries.drain(..).rev() {
            let mut state = entry.state.lock();
            if !matches!(*state, EntryState::Left) {
                rows.outcome = Outcome::default();
                *state = EntryState::Waiting(rows);
                drop(state);
                waiting.list.push_front(entry);
            }
        }
        if !waiting.led {
            queue.name_next(&mut waiting);
        }
    }
}

impl Drop for TakenRows<'_> {
    fn drop(&mut self) {
        for (entry, _) in self.entries.drain(..) {
            entry.end(Err(SqlError::internal("the statement that wrote these rows broke off")));
        }
    }
}

impl Entry {
    fn end(&self, result: SqlResult<ReadyRows>) {
        let mut state = self.state.lock();
        *state = EntryState::Done(result);
        self.changed.notify_one();
    }
}
