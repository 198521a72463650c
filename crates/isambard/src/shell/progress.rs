//! While a statement runs: Ctrl-C stops it, and after two seconds a line tells how far it is.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::{Condvar, Mutex};
use sql::Engine;

use crate::signal::{Signal, Signals};

/// Statements shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(2);

/// What Ctrl-C stops.
#[derive(Default)]
pub struct Interrupts {
    statement: Mutex<Option<(Arc<Engine>, u64)>>,
}

impl Interrupts {
    /// Takes SIGINT and SIGTERM over.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn start() -> std::io::Result<Arc<Self>> {
        let interrupts = Arc::new(Self::default());
        let signals = Signals::block()?;
        let own = Arc::clone(&interrupts);
        thread::Builder::new().name("signals".into()).spawn(move || {
            loop {
                let signal = signals.wait();
                match &*own.statement.lock() {
                    Some((engine, id)) if signal == Signal::Interrupt => {
                        // A statement that has just ended needs no kill.
                        let _ = engine.kill(*id, false);
                    }
                    // Between statements everything acknowledged is safe; the next open recovers.
                    _ => std::process::exit(if signal == Signal::Interrupt { 130 } else { 143 }),
                }
            }
        })?;
        Ok(interrupts)
    }

    /// A statement begins.
    pub fn running(&self, engine: &Arc<Engine>, id: u64) {
        *self.statement.lock() = Some((Arc::clone(engine), id));
    }

    /// It has ended.
    pub fn idle(&self) {
        *self.statement.lock() = None;
    }
}

/// The line below a long statement; gone when dropped.
pub struct Progress {
    ended: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Watches the statement of connection `id`; `rows` counts the rows it has given.
    pub fn start(engine: &Arc<Engine>, id: u64, rows: &Arc<AtomicU64>) -> Self {
        let ended = Arc::new((Mutex::new(false), Condvar::new()));
        if !std::io::stderr().is_terminal() {
            return Self { ended, thread: None };
        }
        let (engine, rows, own) = (Arc::clone(engine), Arc::clone(rows), Arc::clone(&ended));
        let thread = thread::Builder::new().name("progress".into()).spawn(move || {
            let (flag, bell) = &*own;
            let mut over = flag.lock();
            // It may have ended before this thread got here: nobody rings again then.
            if !*over {
                bell.wait_for(&mut over, PATIENCE);
            }
            if *over {
                return;
            }
            let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
            let bar = ProgressBar::new_spinner()
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            while !*over {
                bar.set_message(message(&engine, id, rows.load(Ordering::Relaxed)));
                bar.tick();
                bell.wait_for(&mut over, Duration::from_millis(200));
            }
            bar.finish_and_clear();
        });
        Self { ended, thread: thread.ok() }
    }
}

fn message(_engine: &Engine, _id: u64, rows: u64) -> String {
    if rows == 0 { "running; Ctrl-C stops it".into() } else { format!("{rows} rows; Ctrl-C stops it") }
}

impl Drop for Progress {
    fn drop(&mut self) {
        *self.ended.0.lock() = true;
        self.ended.1.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic there has been reported by itself.
            let _ = thread.join();
        }
    }
}
