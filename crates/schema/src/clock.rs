//! The clock on the wall: for dates that are shown or kept. It jumps, so that nothing is measured, waited for or decided by it.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Seconds that tests have set the clock forward.
static SHIFT: AtomicI64 = AtomicI64::new(0);

/// Time since 1970; zero when the clock is set to an earlier year.
#[must_use]
#[allow(clippy::disallowed_methods, reason = "the one place that looks")]
pub fn now() -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    match SHIFT.load(Ordering::Relaxed) {
        0 => now,
        shift => {
            let seconds = i64::try_from(now.as_secs()).unwrap_or(i64::MAX).saturating_add(shift);
            Duration::new(u64::try_from(seconds).unwrap_or(0), now.subsec_nanos())
        }
    }
}

/// For tests: the clock of this process jumps to so many seconds from the real time.
#[doc(hidden)]
pub fn jump(seconds: i64) {
    SHIFT.store(seconds, Ordering::Relaxed);
}
