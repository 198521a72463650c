//! The global read lock (FLUSH TABLES WITH READ LOCK) against writing statements.
//!
//! A writer sets a mark on its own connection before it checks the lock; the locker sets the lock before it checks the marks. One
//! of the two always sees the other, and writers share no cache line they write to.

use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};
use std::time::Duration;

use super::Session;
use crate::engine::Engine;
use crate::error::{self, SqlError, SqlResult};
use crate::locks::Weight;
use crate::status::Connection;

/// How often who waits looks again.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Holds the global read lock until it is dropped.
pub(crate) struct GlobalReadLockGuard(Arc<Engine>, u64);

impl Drop for GlobalReadLockGuard {
    fn drop(&mut self) {
        let lock = &self.0.global_read_lock;
        let mut who = lock.who.lock();
        if let Some(at) = who.iter().position(|id| *id == self.1) {
            who.swap_remove(at);
        }
        drop(who);
        lock.holders.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The mark of a statement that writes; LOCK TABLES ... WRITE keeps one.
pub(crate) struct WriteIntent {
    connection: Arc<Connection>,
    /// It has the write lock of a table.
    target: bool,
}

impl Drop for WriteIntent {
    fn drop(&mut self) {
        if self.target {
            let targets = &self.connection.targets;
            targets.store(targets.load(Ordering::Relaxed) - 1, Ordering::Relaxed);
        }
        let writing = &self.connection.writing;
        writing.store(writing.load(Ordering::Relaxed) - 1, Ordering::Release);
    }
}

impl WriteIntent {
    fn new(connection: &Arc<Connection>) -> WriteIntent {
        WriteIntent { connection: Arc::clone(connection), target: false }
    }

    /// Notes that the statement has the write lock of a table.
    pub fn note_target(&mut self) {
        if std::mem::replace(&mut self.target, true) {
            return;
        }
        let targets = &self.connection.targets;
        targets.store(targets.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}

impl Session {
    /// Marks the session as writing; waits while another session holds the global read lock.
    ///
    /// # Errors
    /// 1223 when this session holds it itself, 1205, 1213, 1317.
    pub(crate) fn begin_write(&self) -> SqlResult<WriteIntent> {
        if self.global_read_hold.is_some() {
            return Err(SqlError::new(error::ER_CANT_UPDATE_WITH_READLOCK, &[]));
        }
        let writing = &self.connection.writing;
        let nested = writing.load(Ordering::Relaxed);
        let lock = &self.engine.global_read_lock;
        writing.store(nested + 1, Ordering::Relaxed);
        let mark = WriteIntent::new(&self.connection);
        fence(Ordering::SeqCst);
        if nested > 0 || self.internal || !lock.held() {
            return Ok(mark);
        }
        drop(mark);
        self.wait_to_write()
    }

    #[cold]
    fn wait_to_write(&self) -> SqlResult<WriteIntent> {
        pages::assert_unpinned();
        let waiter = self.waiter();
        let waiting = waiter.begin("Waiting for backup lock", Weight::Other);
        let lock = &self.engine.global_read_lock;
        loop {
            waiting.check(|| lock.who.lock().clone())?;
            std::thread::sleep(waiting.sleep_time(POLL_INTERVAL));
            self.connection.writing.store(1, Ordering::Relaxed);
            let mark = WriteIntent::new(&self.connection);
            fence(Ordering::SeqCst);
            if !lock.held() {
                return self.connection.check_killed().map(|()| mark);
            }
        }
    }

    /// Takes the global read lock: waits for the statements that write, and lets no more of them begin.
    ///
    /// # Errors
    /// 1205, 1213, 1317.
    pub(crate) fn lock_all_for_reading(&mut self) -> SqlResult<()> {
        if self.global_read_hold.is_some() {
            return Ok(());
        }
        let engine = Arc::clone(&self.engine);
        let own = self.connection.id;
        engine.global_read_lock.who.lock().push(own);
        engine.global_read_lock.holders.fetch_add(1, Ordering::SeqCst);
        let hold = GlobalReadLockGuard(Arc::clone(&engine), own);
        fence(Ordering::SeqCst);
        pages::assert_unpinned();
        let waiter = self.waiter();
        let waiting = waiter.begin("Waiting for backup lock", Weight::Other);
        loop {
            let mut writing = engine.connections.all();
            writing.retain(|c| c.id != own && c.writing.load(Ordering::Acquire) > 0);
            if writing.is_empty() {
                break;
            }
            waiting.check(|| writing.iter().map(|c| c.id).collect())?;
            std::thread::sleep(waiting.sleep_time(POLL_INTERVAL));
        }
        drop(waiting);
        // Who was killed while it waited takes nothing that became free.
        self.connection.check_killed()?;
        self.global_read_hold = Some(hold);
        Ok(())
    }
}
