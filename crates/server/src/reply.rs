//! Answers that wait for the disk.
//!
//! An answer that tells of a commit must not be sent before the commit is durable. The connection's thread does not wait for it: it leaves
//! the answer here, and whoever syncs the journal sends it. That saves two switches of threads a commit.

use std::io;
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, Thread};

use parking_lot::Mutex;
use sql::session::{Acknowledge, PendingCommit};

use crate::answer;
use crate::packet::PacketWriter;
use crate::stream::Stream;

/// Nothing is on its way.
const IDLE: u32 = 0;
/// An answer is.
const BUSY: u32 = 1;
/// And the connection's thread sleeps until it is gone.
const WANTED: u32 = 2;

/// Longer answers are sent by the connection itself.
const LONGEST: usize = 4 * 1024;

/// Stands between a connection's answers and its socket.
#[derive(Debug)]
pub(crate) struct DurabilityGate(Arc<Reply>);

struct Reply {
    commit: Arc<PendingCommit>,
    line: Arc<Line>,
    packets: Mutex<Vec<u8>>,
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reply").field("state", &self.line.state).finish_non_exhaustive()
    }
}

/// Where an answer goes, and whether one is on its way.
struct Line {
    stream: Arc<Stream>,
    state: AtomicU32,
    /// The connection's.
    thread: Thread,
}

/// What became of an answer.
pub(crate) enum Sent {
    /// It is sent, or will be.
    Handed,
    /// The connection is to send what is in the buffer.
    Now,
}

impl DurabilityGate {
    /// To be made by the connection's own thread.
    pub(crate) fn new(commit: Arc<PendingCommit>, stream: &Arc<Stream>) -> DurabilityGate {
        DurabilityGate(Arc::new(Reply {
            commit,
            line: Arc::new(Line {
                stream: Arc::clone(stream),
                state: AtomicU32::new(IDLE),
                thread: thread::current(),
            }),
            packets: Mutex::default(),
        }))
    }

    /// Returns when the connection may send: what it told before is on the way, and what it will tell of is durable.
    #[inline]
    pub(crate) fn open(&self) -> io::Result<()> {
        self.0.line.clear();
        if self.0.commit.is_pending() {
            self.0.commit.wait().map_err(|e| io::Error::other(e.message))?;
        }
        Ok(())
    }

    /// Is there a commit to wait for?
    #[inline]
    pub(crate) fn is_shut(&self) -> bool {
        self.0.commit.is_pending()
    }

    /// Takes an answer that tells of a commit, and no other, out of `out`. Those of a stream that is not plain stay with the connection,
    /// which has the state of its encryption.
    pub(crate) fn hand_over(&self, out: &mut Vec<u8>, plain: bool) -> Sent {
        let reply = &self.0;
        reply.line.clear();
        if out.len() > LONGEST || !plain {
            if let Err(error) = reply.commit.wait() {
                refuse(out, &error);
            }
            return Sent::Now;
        }
        std::mem::swap(&mut *reply.packets.lock(), out);
        reply.line.state.store(BUSY, Ordering::Relaxed);
        let then: Arc<dyn Acknowledge> = reply.clone();
        let result = reply.commit.when_durable(&then);
        if matches!(result, Ok(false)) {
            return Sent::Handed;
        }
        reply.line.state.store(IDLE, Ordering::Relaxed);
        std::mem::swap(&mut *reply.packets.lock(), out);
        if let Err(error) = result {
            refuse(out, &error);
        }
        Sent::Now
    }
}

/// Puts an error in the place of an answer.
fn refuse(packets: &mut Vec<u8>, error: &sql::SqlError) {
    let mut writer = PacketWriter::new();
    writer.set_sequence(packets.get(3).copied().unwrap_or(1));
    answer::put_error(writer.begin(), error, None);
    writer.end();
    packets.clear();
    packets.extend_from_slice(writer.bytes());
}

impl Line {
    #[inline]
    fn clear(&self) {
        if self.state.load(Ordering::Acquire) != IDLE {
            self.sleep();
        }
    }

    /// Waits until an answer handed over is gone: only clients that do not wait for theirs come here in earnest.
    #[cold]
    fn sleep(&self) {
        for _ in 0..10 {
            thread::yield_now();
            if self.state.load(Ordering::Acquire) == IDLE {
                return;
            }
        }
        let wanted = self.state.compare_exchange(BUSY, WANTED, Ordering::AcqRel, Ordering::Acquire);
        while wanted.is_ok() && self.state.load(Ordering::Acquire) != IDLE {
            thread::park();
        }
    }

    fn done(&self) {
        if self.state.swap(IDLE, Ordering::AcqRel) == WANTED {
            self.thread.unpark();
        }
    }
}

impl Acknowledge for Reply {
    fn durable(&self, kept: bool) {
        let mut packets = std::mem::take(&mut *self.packets.lock());
        if !kept {
            refuse(&mut packets, &self.commit.failure());
        }
        let sent = self.line.stream.send_now(&packets);
        if sent == packets.len() {
            packets.clear();
            *self.packets.lock() = packets;
            self.line.done();
            return;
        }
        // A client that does not read: nobody else shall wait for it.
        let rest = packets.split_off(sent);
        let line = Arc::clone(&self.line);
        let send = move || {
            if line.stream.send(&rest).is_err() {
                line.stream.shutdown(Shutdown::Both);
            }
            line.done();
        };
        if thread::Builder::new().name("late answer".into()).spawn(send).is_err() {
            self.line.stream.shutdown(Shutdown::Both);
            self.line.done();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    #[test]
    fn an_error_takes_the_place_and_number_of_the_answer() {
        let mut packets = b"\x07\0\0\x03\0\0\0\x02\0\0\0".to_vec();
        refuse(&mut packets, &sql::SqlError::internal("gone"));
        assert_eq!(packets[3], 3);
        assert_eq!(packets[4], 0xff);
        assert_eq!(usize::from(packets[0]) + 4, packets.len());
    }

    #[test]
    fn a_client_that_does_not_read_holds_up_nobody() {
        let (ours, theirs) = UnixStream::pair().expect("socketpair");
        let stream = Arc::new(Stream::from(ours));
        let line =
            Line { stream: Arc::clone(&stream), state: AtomicU32::new(BUSY), thread: thread::current() };
        let chunk = vec![7; 4096];
        let mut filled = 0;
        loop {
            let sent = stream.send_now(&chunk);
            filled += sent;
            if sent < chunk.len() {
                break;
            }
        }
        assert_eq!(stream.send_now(&chunk), 0);
        line.done();
        drop(stream);
        drop(line);
        let mut all = Vec::new();
        std::io::Read::read_to_end(&mut &theirs, &mut all).expect("read");
        assert_eq!(all.len(), filled);
    }
}
