//! Threads that prepare entries of keys beside the one who writes pages.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::{self, Scope};
use std::time::Duration;

use crate::error::{Error, Result};

/// Entries of all keys together of which fewer are not worth a thread.
pub(crate) const FEW_ENTRIES: u64 = 20_000;

/// How long to wait until KILL is looked at again.
const PAUSE: Duration = Duration::from_millis(5);

pub(crate) fn killed() -> Error {
    Error::Pages(pages::ErrorKind::Killed.into())
}

/// Begins a thread.
///
/// # Errors
/// There is none to be had.
pub(crate) fn begin<'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() + Send + 'scope,
) -> Result<()> {
    match thread::Builder::new().name(name.into()).spawn_scoped(scope, work) {
        Ok(_) => Ok(()),
        Err(e) => Err(Error::Pages(pages::Error::io(Path::new("a thread"), "start", e))),
    }
}

/// Waits for what another thread sends next; none when it has ended. `stop` is asked meanwhile.
///
/// # Errors
/// `Killed` when `stop` says so.
pub(crate) fn receive<T>(from: &Receiver<T>, stop: &dyn Fn() -> bool) -> Result<Option<T>> {
    loop {
        match from.recv_timeout(PAUSE) {
            Ok(sent) => return Ok(Some(sent)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) if stop() => return Err(killed()),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
