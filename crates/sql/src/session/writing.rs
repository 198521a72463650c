//! Who is writing, and FLUSH TABLES WITH READ LOCK, which lets nobody.
//!
//! A statement that writes marks its own connection before it looks whether a global lock is held; who takes the lock
//! sets it before looking at the marks. Of two, one sees the other, and writers share no memory to write.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering, fence};
use std::time::{Duration, Instant};

use super::Session;
use crate::engine::Engine;
use crate::error::{self, SqlError, SqlResult};
use crate::status::Connection;

/// How often who waits looks again.
const LOOK: Duration = Duration::from_millis(2);

/// The lock of FLUSH TABLES WITH READ LOCK.
#[derive(Default)]
pub struct GlobalReadLock {
    holders: AtomicU32,
}

impl GlobalReadLock {
    fn held(&self) -> bool {
        self.holders.load(Ordering::Acquire) > 0
    }
}

/// Holds the global read lock until it is dropped.
pub(crate) struct GlobalReadHold(Arc<Engine>);

impl Drop for GlobalReadHold {
    fn drop(&mut self) {
        self.0.global_read_lock.holders.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The mark of a statement that writes; LOCK TABLES ... WRITE keeps one.
pub(crate) struct WriteMark(Arc<Connection>);

impl Drop for WriteMark {
    fn drop(&mut self) {
        let writing = &self.0.writing;
        writing.store(writing.load(Ordering::Relaxed) - 1, Ordering::Release);
    }
}

impl Session {
    /// Marks the session as writing; waits while another session holds the global read lock.
    ///
    /// # Errors
    /// 1223 when this session holds it itself, 1205, 1317.
    pub(crate) fn mark_writing(&self) -> SqlResult<WriteMark> {
        if self.global_read_hold.is_some() {
            return Err(SqlError::new(error::ER_CANT_UPDATE_WITH_READLOCK, &[]));
        }
        let writing = &self.connection.writing;
        let nested = writing.load(Ordering::Relaxed);
        let lock = &self.engine.global_read_lock;
        writing.store(nested + 1, Ordering::Relaxed);
        let mark = WriteMark(Arc::clone(&self.connection));
        fence(Ordering::SeqCst);
        if nested > 0 || self.internal || !lock.held() {
            return Ok(mark);
        }
        drop(mark);
        self.wait_to_write()
    }

    #[cold]
    fn wait_to_write(&self) -> SqlResult<WriteMark> {
        let end = Instant::now().checked_add(self.lock_timeout());
        self.connection.set_state("Waiting for backup lock");
        let result = loop {
            std::thread::sleep(LOOK);
            if let Err(e) = self.connection.check_killed() {
                break Err(e);
            }
            if end.is_some_and(|end| Instant::now() >= end) {
                break Err(SqlError::new(error::ER_LOCK_WAIT_TIMEOUT, &[]));
            }
            self.connection.writing.store(1, Ordering::Relaxed);
            let mark = WriteMark(Arc::clone(&self.connection));
            fence(Ordering::SeqCst);
            if !self.engine.global_read_lock.held() {
                break Ok(mark);
            }
        };
        self.connection.set_state("");
        result
    }

    /// Takes the global read lock: waits for the statements that write, and lets no more of them begin.
    ///
    /// # Errors
    /// 1205, 1317.
    pub(crate) fn lock_all_for_reading(&mut self) -> SqlResult<()> {
        if self.global_read_hold.is_some() {
            return Ok(());
        }
        let engine = Arc::clone(&self.engine);
        engine.global_read_lock.holders.fetch_add(1, Ordering::SeqCst);
        let hold = GlobalReadHold(Arc::clone(&engine));
        fence(Ordering::SeqCst);
        let end = Instant::now().checked_add(self.lock_timeout());
        self.connection.set_state("Waiting for backup lock");
        let own = self.connection.id;
        let writing =
            || engine.connections.all().iter().any(|c| c.id != own && c.writing.load(Ordering::Acquire) > 0);
        let mut result = Ok(());
        while writing() {
            std::thread::sleep(LOOK);
            if let Err(e) = self.connection.check_killed() {
                result = Err(e);
                break;
            }
            if end.is_some_and(|end| Instant::now() >= end) {
                result = Err(SqlError::new(error::ER_LOCK_WAIT_TIMEOUT, &[]));
                break;
            }
        }
        self.connection.set_state("");
        result?;
        self.global_read_hold = Some(hold);
        Ok(())
    }
}
