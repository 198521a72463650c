//! Group commit.
//!
//! One thread at a time is the leader: it syncs everything appended so far and wakes the commits covered by that sync. The first
//! committer becomes the leader; later ones wait for the next sync. A committer either blocks, or registers an [`Acknowledge`]
//! callback and continues, which saves two context switches per commit. When only callbacks are waiting, the background thread in
//! [`Group::lead_in_background`] takes over as leader, so that no connection keeps working for the others.

use std::sync::Arc;

use crate::error::Result;
use crate::options::Lsn;
use crate::sync::{AtomicU32, AtomicU64, Mutex, Ordering, Step, left_out, thread};

/// Called when a commit is durable.
pub trait Acknowledge: Send + Sync {
    /// `kept`: the commit is durable. Otherwise the journal has failed, and it must not be acknowledged. Must not block.
    fn durable(&self, kept: bool);
}

/// What a waiting thread is told.
const WAITING: u32 = 0;
const DURABLE: u32 = 1;
const FAILED: u32 = 2;
/// It is to lead.
const LEAD: u32 = 3;
const STOP: u32 = 4;

struct Sleeper {
    signal: AtomicU32,
    thread: thread::Thread,
}

impl Sleeper {
    fn new() -> Arc<Sleeper> {
        Arc::new(Sleeper { signal: AtomicU32::new(WAITING), thread: thread::current() })
    }

    fn signal(&self, what: u32) {
        self.signal.store(what, Ordering::Release);
        self.thread.unpark();
    }

    fn sleep(&self) -> u32 {
        loop {
            match self.signal.load(Ordering::Acquire) {
                WAITING => thread::park(),
                told => return told,
            }
        }
    }
}

enum Who {
    Thread(Arc<Sleeper>),
    Later(Arc<dyn Acknowledge>),
}

struct Waiting {
    lsn: Lsn,
    who: Who,
}

#[derive(Default)]
struct GroupState {
    /// Somebody syncs, or has been told to.
    leading: bool,
    failed: bool,
    stopped: bool,
    waiting: Vec<Waiting>,
    /// The thread in `tend` while it has nothing to do.
    background_leader: Option<Arc<Sleeper>>,
}

/// What became of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Durable,
    Failed,
    /// It will be told.
    Later,
}

pub(crate) struct Group {
    durable: AtomicU64,
    state: Mutex<GroupState>,
}

/// Makes all that is appended durable; up to where.
pub(crate) type MakeDurable<'a> = &'a dyn Fn() -> Result<Lsn>;

impl Group {
    pub(crate) fn new(durable: Lsn) -> Group {
        Group { durable: AtomicU64::new(durable), state: Mutex::new(GroupState::default()) }
    }

    /// Records up to this one are durable.
    #[inline]
    pub(crate) fn durable(&self) -> Lsn {
        self.durable.load(Ordering::Acquire)
    }

    /// Waits until the record is durable, or makes it so. An error is that of the own sync.
    pub(crate) fn wait(&self, lsn: Lsn, sync: MakeDurable<'_>) -> Result<Outcome> {
        let sleeper;
        {
            let mut state = self.state.lock();
            // What is durable is so before the leader takes the lock to look who waits.
            if self.durable() >= lsn {
                return Ok(Outcome::Durable);
            }
            if state.failed {
                return Ok(Outcome::Failed);
            }
            if state.leading {
                let me = Sleeper::new();
                state.waiting.push(Waiting { lsn, who: Who::Thread(me.clone()) });
                sleeper = Some(me);
            } else {
                state.leading = true;
                sleeper = None;
            }
        }
        match sleeper.map_or(LEAD, |me| me.sleep()) {
            LEAD => self.lead(sync, false).map(|()| Outcome::Durable),
            DURABLE => Ok(Outcome::Durable),
            _ => Ok(Outcome::Failed),
        }
    }

    /// As [`Group::wait`], but when a sync runs already `then` is called after a later one instead.
    pub(crate) fn later(
        &self,
        lsn: Lsn,
        then: &Arc<dyn Acknowledge>,
        sync: MakeDurable<'_>,
    ) -> Result<Outcome> {
        {
            let mut state = self.state.lock();
            if self.durable() >= lsn {
                return Ok(Outcome::Durable);
            }
            if state.failed {
                return Ok(Outcome::Failed);
            }
            if state.leading {
                state.waiting.push(Waiting { lsn, who: Who::Later(then.clone()) });
                return Ok(Outcome::Later);
            }
            state.leading = true;
        }
        self.lead(sync, false).map(|()| Outcome::Durable)
    }

    /// Leads when it is called, until [`Group::stop`].
    pub(crate) fn lead_in_background(&self, sync: MakeDurable<'_>) {
        loop {
            let me = Sleeper::new();
            {
                let mut state = self.state.lock();
                if state.stopped {
                    return;
                }
                state.background_leader = Some(me.clone());
            }
            if me.sleep() == STOP {
                return;
            }
            // Those who wait are told of an error, and the journal remembers it.
            let _ = self.lead(sync, true);
        }
    }

    pub(crate) fn stop(&self) {
        let background_leader = {
            let mut state = self.state.lock();
            state.stopped = true;
            state.background_leader.take()
        };
        if let Some(background_leader) = background_leader {
            background_leader.signal(STOP);
        }
    }

    /// Syncs, tells whom it concerns, and finds the next to lead. `stay`: leads on while somebody waits.
    fn lead(&self, sync: MakeDurable<'_>, stay: bool) -> Result<()> {
        let mut first = None;
        loop {
            let result = sync();
            if let Ok(lsn) = result {
                self.durable.fetch_max(lsn, Ordering::AcqRel);
            }
            let kept = result.is_ok();
            let (met, next, go_on) = {
                let mut state = self.state.lock();
                state.failed |= !kept;
                let durable = self.durable();
                let ends = |waiting: &mut Waiting| !kept || waiting.lsn <= durable || left_out(Step::Met);
                let met: Vec<Waiting> = state.waiting.extract_if(.., ends).collect();
                let (next, go_on) = if left_out(Step::Lead) { (None, false) } else { state.next(stay) };
                state.leading = next.is_some() || go_on;
                (met, next, go_on)
            };
            // First the next sync, then those who have waited for this one.
            if let Some(next) = next {
                next.signal(LEAD);
            }
            for waiting in met {
                match waiting.who {
                    Who::Thread(sleeper) => sleeper.signal(if kept { DURABLE } else { FAILED }),
                    Who::Later(then) => then.durable(kept),
                }
            }
            let first = first.get_or_insert(result);
            if !go_on {
                return std::mem::replace(first, Ok(0)).map(drop);
            }
        }
    }
}

impl GroupState {
    /// Who leads next: another thread, or (`true`) the one that asks.
    fn next(&mut self, stay: bool) -> (Option<Arc<Sleeper>>, bool) {
        if self.waiting.is_empty() || stay {
            return (None, !self.waiting.is_empty());
        }
        let thread = self.waiting.iter().position(|waiting| matches!(waiting.who, Who::Thread(_)));
        let next = match thread.map(|at| self.waiting.swap_remove(at).who) {
            Some(Who::Thread(sleeper)) => Some(sleeper),
            _ => self.background_leader.take(),
        };
        let alone = next.is_none();
        (next, alone)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use std::sync::atomic::{AtomicBool, AtomicUsize};

    #[derive(Default)]
    struct Told {
        kept: AtomicUsize,
        lost: AtomicUsize,
    }

    impl Acknowledge for Told {
        fn durable(&self, kept: bool) {
            (if kept { &self.kept } else { &self.lost }).fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Threads that wait, others that leave a call: all are told, after their record was synced, and syncs are shared.
    #[test]
    fn everybody_is_told_and_syncs_are_shared() {
        let group = Arc::new(Group::new(0));
        let (appended, syncs) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicUsize::new(0)));
        let told = Arc::new(Told::default());
        let sync = {
            let (appended, syncs) = (appended.clone(), syncs.clone());
            move || {
                let upto = appended.load(Ordering::SeqCst);
                std::thread::sleep(std::time::Duration::from_micros(200));
                syncs.fetch_add(1, Ordering::SeqCst);
                Ok(upto)
            }
        };
        let background_leader = {
            let (group, sync) = (group.clone(), sync.clone());
            std::thread::spawn(move || group.lead_in_background(&sync))
        };
        let immediately = Arc::new(AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (group, appended, told, sync) = (&group, &appended, &told, &sync);
                let immediately = &immediately;
                scope.spawn(move || {
                    let then: Arc<dyn Acknowledge> = told.clone();
                    for _ in 0..100 {
                        let lsn = appended.fetch_add(1, Ordering::SeqCst) + 1;
                        if number % 2 == 0 {
                            assert_eq!(group.wait(lsn, sync).unwrap(), Outcome::Durable);
                            assert!(group.durable() >= lsn);
                        } else if group.later(lsn, &then, sync).unwrap() == Outcome::Durable {
                            assert!(group.durable() >= lsn);
                            immediately.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                });
            }
        });
        while told.kept.load(Ordering::SeqCst) + immediately.load(Ordering::SeqCst) < 400 {
            std::thread::yield_now();
        }
        assert_eq!(group.durable(), 800);
        assert!(syncs.load(Ordering::SeqCst) < 700);
        group.stop();
        background_leader.join().unwrap();
    }

    #[test]
    fn a_failing_sync_fails_all_who_wait() {
        let group = Arc::new(Group::new(0));
        let told = Arc::new(Told::default());
        let (began, go) = (AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let leader = scope.spawn(|| {
                group.wait(1, &|| {
                    began.store(true, Ordering::SeqCst);
                    while !go.load(Ordering::SeqCst) {
                        std::thread::yield_now();
                    }
                    Err(ErrorKind::Misuse("injected fault").into())
                })
            });
            while !began.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            let then: Arc<dyn Acknowledge> = told.clone();
            let never: MakeDurable<'_> = &|| panic!("nobody else is to sync");
            assert_eq!(group.later(2, &then, never).unwrap(), Outcome::Later);
            let waiting = scope.spawn(|| group.wait(3, &|| panic!("nobody else is to sync")));
            while group.state.lock().waiting.len() < 2 {
                std::thread::yield_now();
            }
            go.store(true, Ordering::SeqCst);
            assert!(leader.join().unwrap().is_err());
            assert_eq!(waiting.join().unwrap().unwrap(), Outcome::Failed);
            assert_eq!(group.later(4, &then, never).unwrap(), Outcome::Failed);
        });
        assert_eq!((told.kept.load(Ordering::SeqCst), told.lost.load(Ordering::SeqCst)), (0, 1));
    }
}
