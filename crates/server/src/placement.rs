//! Bringing the thread of a connection to the processor of its client.
//!
//! A local client and the thread that serves it take turns. On one processor a message between them is a switch from one to the other;
//! on two it interrupts the other processor, which costs several times a small statement in a virtual machine. They begin together, but a
//! thread that slept at a lock wakes where a processor is free, and Linux does not bring the two together again while all processors have
//! as much to do (`docs/decisions/0088-a-thread-beside-its-client.md` has the figures).
//!
//! The server cannot ask where a client of a Unix socket runs. But it can see whether its answers are cheap: the CPU time of sending one is
//! short where the client is, and long where another processor has to be interrupted. A thread whose answers have been dear for some time
//! moves, once; where it runs later is for the scheduler to say, as before.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;

use rustix::process::{Pid, RawPid};
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};

use crate::stream::Stream;

/// One statement out of so many is looked at while answers are cheap; more of them for a while behind a move.
const SAMPLED: u32 = 16;
/// Answers that are dear in a row before the thread moves: one alone met an interrupt, or a client that has just been moved.
const PATIENCE: u32 = 2;
/// With more processors than this there is no trying one after another.
const MOST_PROCESSORS: usize = 8;
/// Longer answers than this, in bytes, say nothing: copying them costs more than waking who reads them.
const LONGEST: u64 = 4096;
/// Nanoseconds beyond twice the cheapest answer that make one dear. An interrupt of another processor takes 10,000 in a virtual machine.
const DEAR: u64 = 4000;

/// Processors of this machine that the server may use.
pub(crate) fn processors() -> usize {
    static PROCESSORS: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));
    *PROCESSORS
}

/// The CPU time, in nanoseconds, of the cheapest answer to anybody, by the kind of socket.
#[derive(Debug)]
pub(crate) struct Cheapest {
    unix: AtomicU64,
    tcp: AtomicU64,
}

impl Default for Cheapest {
    fn default() -> Self {
        Self { unix: AtomicU64::new(u64::MAX), tcp: AtomicU64::new(u64::MAX) }
    }
}

/// What a connection's thread knows of its place.
#[derive(Debug)]
pub(crate) struct Placement<'s> {
    cheapest: &'s AtomicU64,
    /// The client's process, behind a Unix socket.
    client: Option<Pid>,
    /// Statements until the next one that is looked at.
    left: u32,
    /// What `left` begins with, at most [`SAMPLED`].
    interval: u32,
    /// CPU time and bytes sent so far when the answer at hand began to be sent.
    began: Option<(u64, u64)>,
    watch: Watch,
}

/// Answers that were dear, and when to do something about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Watch {
    /// In a row.
    dear: u32,
    /// So many make the thread move; twice as many after each round of moves that did not help.
    patience: u32,
    /// Moves since an answer was cheap.
    moves: usize,
}

impl Default for Watch {
    fn default() -> Self {
        Self { dear: 0, patience: PATIENCE, moves: 0 }
    }
}

impl Watch {
    /// The most dear answers between two moves of a thread whose moves do not help.
    const MOST_PATIENCE: u32 = 4096 / SAMPLED;

    /// Takes note of an answer; whether the thread should move.
    fn note(&mut self, dear: bool, processors: usize) -> bool {
        if !dear {
            *self = Self::default();
            return false;
        }
        self.dear += 1;
        if self.dear < self.patience {
            return false;
        }
        self.dear = 0;
        self.moves += 1;
        if self.moves.is_multiple_of(processors.max(2) - 1) {
            self.patience = (self.patience * 2).min(Self::MOST_PATIENCE);
        }
        true
    }
}

impl<'s> Placement<'s> {
    /// For the connection on `stream`; none where its client is on another machine, or there is one processor only.
    pub(crate) fn of(stream: &Stream, local: bool, cheapest: &'s Cheapest) -> Option<Self> {
        if !local || !stream.is_plain() || processors() < 2 {
            return None;
        }
        let client = stream.is_local().then(|| stream.peer_process()).flatten();
        let cheapest = if stream.is_local() { &cheapest.unix } else { &cheapest.tcp };
        Some(Self {
            cheapest,
            client,
            left: SAMPLED,
            interval: SAMPLED,
            began: None,
            watch: Watch::default(),
        })
    }

    /// An answer is about to be sent; `sent` bytes were before.
    #[inline]
    pub(crate) fn before_answer(&mut self, sent: u64) {
        self.left -= 1;
        if self.left == 0 {
            self.began = Some((cpu_time(), sent));
        }
    }

    /// It was sent.
    #[inline]
    pub(crate) fn after_answer(&mut self, stream: &Stream, sent: u64) {
        if self.left == 0 {
            self.look(stream, sent);
        }
    }

    fn look(&mut self, stream: &Stream, sent: u64) {
        self.left = self.interval;
        let Some((began, sent_before)) = self.began.take() else { return };
        let cost = cpu_time().saturating_sub(began);
        // Nothing at all: it was handed to whoever syncs.
        if !(1..=LONGEST).contains(&(sent - sent_before)) {
            return;
        }
        let cheapest = self.cheapest.load(Ordering::Relaxed);
        if cost < cheapest {
            // Who writes less at the same time may be lost; there will be others.
            self.cheapest.store(cost, Ordering::Relaxed);
        }
        let dear = cost > cheapest.saturating_mul(2).saturating_add(DEAR);
        // where a round of moves has not helped there is no hurry any more
        let hurried = dear && self.watch.patience == PATIENCE;
        self.interval = if hurried { 1 } else { (self.interval + 1).min(SAMPLED) };
        self.left = self.interval;
        if self.watch.note(dear, processors())
            && let Some(place) = self.elsewhere(stream)
        {
            move_to(place);
        }
    }

    /// The processor to try: the client's, where that can be told, else the next one.
    fn elsewhere(&self, stream: &Stream) -> Option<usize> {
        let here = sched_getcpu();
        if let Some(place) = self.client.map_or_else(|| stream.sender_processor(), processor_of) {
            return (place != here).then_some(place);
        }
        if processors() > MOST_PROCESSORS {
            return None;
        }
        let allowed = sched_getaffinity(None).ok()?;
        (here + 1..CpuSet::MAX_CPU).chain(0..here).find(|&processor| allowed.is_set(processor))
    }
}

/// CPU time of this thread in nanoseconds.
fn cpu_time() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Where a process of one thread ran last; of several it is not known which thread is the client.
fn processor_of(process: Pid) -> Option<usize> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
    // Behind the name, which may have anything in it, stands the third of the fields of proc(5).
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).and_then(|text| text.parse::<RawPid>().ok());
    (field(20)? == 1).then(|| field(39)).flatten().and_then(|place| usize::try_from(place).ok())
}

/// Moves this thread; it may go elsewhere at once.
fn move_to(processor: usize) {
    let Ok(allowed) = sched_getaffinity(None) else { return };
    if processor >= CpuSet::MAX_CPU || !allowed.is_set(processor) {
        return;
    }
    let mut only = CpuSet::new();
    only.set(processor);
    if sched_setaffinity(None, &only).is_ok() && sched_setaffinity(None, &allowed).is_err() {
        tracing::warn!("a thread is bound to processor {processor}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_moves_when_answers_stay_dear() {
        let mut watch = Watch::default();
        assert!(!watch.note(true, 2));
        assert!(!watch.note(false, 2), "a cheap one between them");
        assert!(!watch.note(true, 2));
        assert!(watch.note(true, 2));
    }

    #[test]
    fn moves_that_do_not_help_become_rare() {
        let moves = |processors| {
            let mut watch = Watch::default();
            // of 100,000 statements
            (0..100_000 / SAMPLED).filter(|_| watch.note(true, processors)).count()
        };
        assert!((15..60).contains(&moves(2)), "{}", moves(2));
        assert!(moves(8) > moves(2), "a round has more of them");
        let mut watch = Watch::default();
        (0..1000).for_each(|_| _ = watch.note(true, 2));
        watch.note(false, 2);
        assert_eq!(watch, Watch::default(), "one that is cheap begins anew");
    }

    #[test]
    fn where_a_process_runs() {
        let own = rustix::process::getpid();
        // The test's own process has more threads than one, most of the time.
        let place = processor_of(own);
        assert!(place.is_none_or(|place| place < CpuSet::MAX_CPU));
        let mut child = std::process::Command::new("sleep").arg("10").spawn().unwrap();
        let place = processor_of(Pid::from_child(&child));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(place.is_some_and(|place| place < CpuSet::MAX_CPU));
        assert!(processor_of(Pid::from_raw(RawPid::MAX).unwrap()).is_none());
    }

    #[test]
    fn a_moved_thread_is_not_bound() {
        let allowed = sched_getaffinity(None).unwrap();
        let place = (0..CpuSet::MAX_CPU).rfind(|&place| allowed.is_set(place)).unwrap();
        move_to(place);
        assert_eq!(sched_getaffinity(None).unwrap(), allowed);
    }
}
