//! How often long work asks whether it shall go on.

use crate::Stopped;

/// Steps between two questions: some hundred microseconds.
const STEPS: u32 = 4096;

/// Counts steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patience(u32);

impl Patience {
    /// A step. `stop` is asked at some of them.
    #[inline]
    pub fn step(&mut self, stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        self.steps(1, stop)
    }

    /// So many steps at once.
    #[inline]
    pub fn steps(&mut self, n: usize, stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        self.0 = self.0.saturating_add(u32::try_from(n).unwrap_or(u32::MAX));
        if self.0 < STEPS {
            return Ok(());
        }
        self.0 = 0;
        if stop() { Err(Stopped) } else { Ok(()) }
    }
}
