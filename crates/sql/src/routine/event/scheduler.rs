//! The scheduler: a thread that waits for the event that is due next. It holds no lock while it waits, and no table is read or
//! written by it: what a run changes in `mysql.event` is written by the thread of that run.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle, ThreadId};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::{Event, store, worker};
use crate::engine::Engine;
use crate::error::{self, SqlError, SqlResult};
use crate::status::connection::now_micros;
use crate::status::{Command, connection::Connection};
use crate::variables::{VarDef, VarValue};

/// The scheduler's name in the list of processes, and what USER() says in an event.
pub(crate) const USER: &str = "event_scheduler";

/// Values of `event_scheduler`.
const OFF: u16 = 0;
const ON: u16 = 1;
const DISABLED: u16 = 2;
const ORIGINAL: u16 = 3;

/// The longest wait: the clock on the wall may be set meanwhile.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// How long a stop waits for events that run: they are killed, and see it at their next check.
const STOP_WAIT: Duration = Duration::from_secs(20);

/// The stack of an event's thread: that of a connection.
const STACK: usize = 2 << 20;

/// Database and name of an event, as they are compared.
type Key = (String, String);

fn key(db: &str, name: &str) -> Key {
    (db.to_string(), name.to_lowercase())
}

/// The events that are going to run.
#[derive(Default)]
struct Queue {
    events: HashMap<Key, (i64, Event)>,
    by_time: BTreeSet<(i64, Key)>,
}

impl Queue {
    fn remove(&mut self, key: &Key) {
        if let Some((next, _)) = self.events.remove(key) {
            self.by_time.remove(&(next, key.clone()));
        }
    }

    fn put(&mut self, event: Event, now: i64) {
        let key = key(&event.db, &event.name);
        self.remove(&key);
        if let Some(next) = event.next(now) {
            self.by_time.insert((next, key.clone()));
            self.events.insert(key, (next, event));
        }
    }

    /// Takes the first event if it is due, and puts it where it is to run next; also whether that was its last run.
    fn due(&mut self, now: i64) -> Option<(Event, bool)> {
        let (_, key) = self.by_time.first().filter(|(at, _)| *at <= now).cloned()?;
        let mut event = self.events.get(&key)?.1.clone();
        event.last_executed = Some(now);
        self.put(event.clone(), now);
        let last = !self.events.contains_key(&key);
        Some((event, last))
    }
}

/// What the scheduler, who starts and stops it, and its events share.
#[derive(Default)]
struct State {
    /// The events, while it runs.
    queue: Option<Queue>,
    stop: bool,
    thread: Option<JoinHandle<()>>,
    /// The threads of events that run.
    workers: Vec<ThreadId>,
    /// So many may run at a time.
    most: usize,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// See the module.
pub(crate) struct Scheduler {
    shared: Arc<Shared>,
    /// One start or stop at a time.
    switch: Mutex<()>,
    /// What `event_scheduler` was when the engine was opened.
    original: u16,
}

fn now() -> Duration {
    schema::clock::now()
}

fn seconds(now: Duration) -> i64 {
    i64::try_from(now.as_secs()).unwrap_or(i64::MAX)
}

/// The place of a value of `event_scheduler`.
fn word(value: &VarValue) -> u16 {
    match value {
        VarValue::Word(n) => *n,
        _ => OFF,
    }
}

impl Scheduler {
    /// A scheduler that does not run; `original` is what `event_scheduler` is.
    pub fn new(original: &VarValue) -> Scheduler {
        Scheduler { shared: Arc::default(), switch: Mutex::new(()), original: word(original) }
    }

    /// Whether it runs.
    pub fn is_running(&self) -> bool {
        self.shared.state.lock().queue.is_some()
    }

    /// An event was written or removed.
    pub fn changed(&self, old: Option<(&str, &str)>, new: Option<&Event>) {
        let mut state = self.shared.state.lock();
        let Some(queue) = &mut state.queue else { return };
        if let Some((db, name)) = old {
            queue.remove(&key(db, name));
        }
        if let Some(event) = new {
            // made in the second that runs, it runs in that second
            let now = seconds(now()).min(event.modified.max(event.created));
            queue.put(event.clone(), now);
        }
        self.shared.changed.notify_all();
    }

    /// The events of a database are gone.
    pub fn database_dropped(&self, db: &str) {
        let mut state = self.shared.state.lock();
        let Some(queue) = &mut state.queue else { return };
        queue.events.retain(|key, _| key.0 != db);
        queue.by_time.retain(|(_, key)| key.0 != db);
        self.shared.changed.notify_all();
    }

    /// Starts the thread, unless it runs.
    ///
    /// # Errors
    /// Those of reading `mysql.event`, and of a system without threads.
    pub fn start(&self, engine: &Arc<Engine>) -> SqlResult<()> {
        let _switch = self.switch.lock();
        if self.is_running() {
            return Ok(());
        }
        let now = seconds(now());
        let mut queue = Queue::default();
        for event in store::all(engine, None, None)? {
            queue.put(event, now);
        }
        let connection = engine.connections.add(0, USER, "localhost", usize::MAX)?;
        connection.begin(Command::Daemon, b"", now_micros());
        {
            let mut state = self.shared.state.lock();
            state.queue = Some(queue);
            state.stop = false;
            // the others are for who connects
            state.most = (engine.max_connections() / 2).max(1);
        }
        let (shared, weak) = (Arc::clone(&self.shared), Arc::downgrade(engine));
        let own = Arc::clone(&connection);
        let thread = thread::Builder::new().name("event-scheduler".into());
        match thread.spawn(move || wait_for_events(&shared, &weak, &own)) {
            Ok(thread) => {
                self.shared.state.lock().thread = Some(thread);
                tracing::info!("Event Scheduler: scheduler thread started with id {}", connection.id);
                Ok(())
            }
            Err(e) => {
                self.shared.state.lock().queue = None;
                engine.connections.remove(&connection);
                Err(SqlError::internal(format!("the event scheduler cannot be started: {e}")))
            }
        }
    }

    /// Stops the thread; events that run go on.
    pub fn stop(&self) {
        let _switch = self.switch.lock();
        let thread = {
            let mut state = self.shared.state.lock();
            state.stop = true;
            self.shared.changed.notify_all();
            state.thread.take()
        };
        if let Some(thread) = thread {
            if thread.join().is_err() {
                tracing::error!("Event Scheduler: the thread has ended with a panic");
            }
            tracing::info!("Event Scheduler: Stopped");
        }
        self.shared.state.lock().queue = None;
    }

    /// Waits until the events that run, whose connections were killed, are at their end.
    pub fn wait_for_runs(&self) {
        let end = Instant::now() + STOP_WAIT;
        let own = thread::current().id();
        let mut state = self.shared.state.lock();
        while state.workers.iter().any(|id| *id != own) {
            if self.shared.changed.wait_until(&mut state, end).timed_out() {
                tracing::warn!("Event Scheduler: an event does not come to its end");
                return;
            }
        }
    }

    /// The value that SET GLOBAL event_scheduler gives: it starts or stops the thread.
    ///
    /// # Errors
    /// Those of the start.
    pub fn set(&self, engine: &Arc<Engine>, value: &VarValue) -> SqlResult<VarValue> {
        let wanted = match word(value) {
            ORIGINAL => self.original,
            n => n,
        };
        match wanted {
            ON => self.start(engine)?,
            _ => self.stop(),
        }
        Ok(word_value(wanted))
    }

    /// Whether a value may be set; `text` is how it was written.
    ///
    /// # Errors
    /// 1231 for DISABLED, which only the option says; 1290 where it did.
    pub fn check(&self, def: &VarDef, value: &VarValue, text: &str) -> SqlResult<()> {
        if self.original == DISABLED {
            let option = "--event-scheduler=DISABLED or --skip-grant-tables";
            return Err(SqlError::new(error::codes::ER_OPTION_PREVENTS_STATEMENT, &[&option]));
        }
        if word(value) == DISABLED {
            return Err(SqlError::new(error::ER_WRONG_VALUE_FOR_VAR, &[&def.spelled, &text]));
        }
        Ok(())
    }

    /// Starts with the engine, where the option says so. A damaged table is no reason not to open the data directory.
    pub fn start_with(&self, engine: &Arc<Engine>) {
        match self.original {
            ON => {
                if let Err(e) = self.start(engine) {
                    tracing::error!(
                        "Event Scheduler: An error occurred when initializing system tables: {e}"
                    );
                    engine.variables.set_named("event_scheduler", word_value(OFF));
                }
            }
            ORIGINAL => engine.variables.set_named("event_scheduler", word_value(OFF)),
            _ => {}
        }
    }
}

fn word_value(n: u16) -> VarValue {
    VarValue::Word(n)
}

/// The thread: it ends when it is told to, or with the engine.
fn wait_for_events(shared: &Arc<Shared>, engine: &Weak<Engine>, connection: &Arc<Connection>) {
    let mut state = shared.state.lock();
    while !state.stop && !connection.killed_connection() {
        let now = now();
        let Some(queue) = &mut state.queue else { break };
        if let Some((event, last)) = queue.due(seconds(now)) {
            connection.begin(Command::Daemon, b"", now_micros());
            run(shared, &mut state, engine, (event, last));
            continue;
        }
        let limit = match queue.by_time.first() {
            Some((next, _)) => {
                connection.set_state("Waiting for next activation");
                let at = Duration::from_secs(u64::try_from(*next).unwrap_or(0));
                at.saturating_sub(now).min(LONGEST_WAIT)
            }
            None => {
                connection.set_state("Waiting on empty queue");
                LONGEST_WAIT
            }
        };
        shared.changed.wait_for(&mut state, limit);
    }
    state.queue = None;
    drop(state);
    if let Some(engine) = engine.upgrade() {
        engine.connections.remove(connection);
    }
}

/// A thread that is in the list of those that run events, until its end.
struct Listed(Arc<Shared>);

impl Drop for Listed {
    fn drop(&mut self) {
        let id = thread::current().id();
        self.0.state.lock().workers.retain(|w| *w != id);
        self.0.changed.notify_all();
    }
}

/// Gives an event a thread.
fn run(shared: &Arc<Shared>, state: &mut State, engine: &Weak<Engine>, (event, last): (Event, bool)) {
    let name = format!("[{}@{}][{}.{}]", event.definer.0, event.definer.1, event.db, event.name);
    if state.workers.len() >= state.most {
        tracing::error!("Event Scheduler: {name} is not run, {} events run already", state.most);
        return;
    }
    let (engine, own) = (Weak::clone(engine), Arc::clone(shared));
    let thread = thread::Builder::new().name("event-worker".into()).stack_size(STACK);
    let thread = thread.spawn(move || {
        let _listed = Listed(own);
        if let Some(engine) = engine.upgrade() {
            worker::run(&engine, &event, last);
        }
    });
    match thread {
        Ok(thread) => state.workers.push(thread.thread().id()),
        Err(e) => tracing::error!("Event Scheduler: {name} cannot be run: {e}"),
    }
}
