//! Limits of lock waits, and the debug check that no thread blocks while it holds a pin.

use std::time::{Duration, Instant};

use crate::error::{ErrorKind, Result};

/// A wait limit: a deadline, and a cancellation check that is polled while waiting.
#[derive(Clone, Copy)]
pub struct WaitLimit<'a> {
    until: Option<Instant>,
    kill: &'a dyn Fn() -> bool,
}

impl<'a> WaitLimit<'a> {
    /// Waits for at most `timeout` from now on, and no longer than `kill` says no.
    pub fn new(timeout: Duration, kill: &'a dyn Fn() -> bool) -> WaitLimit<'a> {
        WaitLimit { until: Instant::now().checked_add(timeout), kill }
    }

    /// Of a wait for what ends by itself: for the background, and for tables that nobody else knows.
    pub fn unbounded() -> WaitLimit<'static> {
        WaitLimit { until: None, kill: &|| false }
    }

    /// Whether to wait on.
    ///
    /// # Errors
    /// `Killed`, `LockTimeout`.
    pub fn check(&self) -> Result<()> {
        if (self.kill)() {
            return Err(ErrorKind::Killed.into());
        }
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return Err(ErrorKind::LockTimeout.into());
        }
        Ok(())
    }
}

#[cfg(debug_assertions)]
thread_local! {
    static PINS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// Counts the pins this thread holds (debug builds): `true` when one is taken, `false` when released.
#[inline]
pub(crate) fn note_pin(_pinned: bool) {
    #[cfg(debug_assertions)]
    PINS.set(if _pinned { PINS.get() + 1 } else { PINS.get().saturating_sub(1) });
}

/// In debug builds: this thread holds no pin. To be said before every wait for another session, since that session may wait for
/// the end of all pins.
#[inline]
#[track_caller]
pub fn assert_unpinned() {
    #[cfg(debug_assertions)]
    assert!(std::thread::panicking() || PINS.get() == 0, "a wait with a pin");
}
