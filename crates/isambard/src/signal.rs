//! SIGTERM and SIGINT, taken by a thread that waits for them.

#![allow(unsafe_code, reason = "the C library's signal functions")]

use std::io;
use std::mem::MaybeUninit;

/// A signal that asks the process to end or to stop what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

/// The signals taken over. Threads started later inherit that these do not interrupt them.
pub struct Signals {
    set: libc::sigset_t,
}

impl Signals {
    /// Blocks SIGINT and SIGTERM in the calling thread and those it starts. To be called before any thread is.
    ///
    /// # Errors
    /// Those of `pthread_sigmask`.
    pub fn block() -> io::Result<Self> {
        let mut set = MaybeUninit::uninit();
        // SAFETY: `sigemptyset` initialises the set it is given, which lives on this stack; the others read it.
        let (set, result) = unsafe {
            libc::sigemptyset(set.as_mut_ptr());
            let mut set = set.assume_init();
            libc::sigaddset(&mut set, libc::SIGINT);
            libc::sigaddset(&mut set, libc::SIGTERM);
            (set, libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut()))
        };
        if result == 0 { Ok(Self { set }) } else { Err(io::Error::from_raw_os_error(result)) }
    }

    /// Waits for the next one.
    pub fn wait(&self) -> Signal {
        let mut number = 0;
        // SAFETY: both pointers are to live values; sigwait fails only for an invalid set.
        unsafe { libc::sigwait(&self.set, &mut number) };
        if number == libc::SIGINT { Signal::Interrupt } else { Signal::Terminate }
    }
}

/// Sends SIGTERM to this process.
pub fn terminate_self() {
    // SAFETY: `kill` takes no pointers; `getpid` cannot fail.
    let result = unsafe { libc::kill(libc::getpid(), libc::SIGTERM) };
    debug_assert_eq!(result, 0, "a process may signal itself");
}
