//! What a connection has used, told to `engine.consumers` after each command while `userstat` is on.

use std::time::{Duration, Instant};

use super::SessionState;
use crate::status::Counter;
use crate::status::consumption::{NUMBERS, numbers};

/// Up to where a connection's consumption has been told.
#[derive(Debug)]
pub(crate) struct Told {
    numbers: [u64; NUMBERS],
    timed_out: u64,
    cpu: Duration,
    at: Instant,
}

/// What the processor has worked for this thread: the first number that the kernel tells of it, in nanoseconds.
fn cpu_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split_whitespace().next().and_then(|n| n.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

impl SessionState {
    fn told_now(&self) -> Told {
        Told {
            numbers: numbers(&self.connection.counters),
            timed_out: self.connection.counters.get(Counter::MaxStatementTimeExceeded),
            cpu: cpu_time(),
            at: Instant::now(),
        }
    }

    /// Whether what commands use is noted.
    #[inline]
    pub fn notes_consumption(&self) -> bool {
        self.engine.consumers.is_on()
    }

    /// The connection counts from now on.
    pub(super) fn begin_consumption(&mut self) {
        let encrypted = u64::from(self.info.encryption.is_some());
        self.engine.consumers.note(&self.info.user, &self.info.host, |c| {
            c.connections += 1;
            c.current += 1;
            c.encrypted += encrypted;
        });
        self.told = Some(Box::new(self.told_now()));
    }

    /// What was used up to now is not told.
    pub(super) fn forget_consumption(&mut self) {
        if self.told.is_some() {
            self.told = Some(Box::new(self.told_now()));
        }
    }

    /// Tells what was used since the last time; `busy`: by a command that has ended. A connection that was there before begins with it.
    pub fn note_consumption(&mut self, busy: Duration) {
        let Some(before) = self.told.take() else { return self.begin_consumption() };
        let now = self.told_now();
        // FLUSH STATUS sets counters back
        let since = |now: u64, before: u64| now.checked_sub(before).unwrap_or(now);
        let mut added = now.numbers;
        added.iter_mut().zip(before.numbers).for_each(|(now, before)| *now = since(*now, before));
        let timed_out = since(now.timed_out, before.timed_out);
        let (cpu, connected) =
            (now.cpu.saturating_sub(before.cpu), now.at.saturating_duration_since(before.at));
        self.engine.consumers.note(&self.info.user, &self.info.host, |c| {
            c.numbers.iter_mut().zip(added).for_each(|(sum, n)| *sum = sum.saturating_add(n));
            c.timed_out += timed_out;
            c.connected += connected;
            c.busy += busy;
            c.cpu += cpu;
        });
        self.told = Some(Box::new(now));
    }

    /// The connection ends, or is another account's from now on.
    pub(super) fn end_consumption(&mut self) {
        if self.told.is_none() {
            return;
        }
        self.note_consumption(Duration::ZERO);
        self.told = None;
        self.engine
            .consumers
            .note(&self.info.user, &self.info.host, |c| c.current = c.current.saturating_sub(1));
    }
}
