//! A client's connection: a TCP or unix socket, and what was agreed on upon it: TLS, then compression.
//!
//! | layer | what it does |
//! |---|---|
//! | [`compression`] | frames of zlib |
//! | [`tls`] | encryption |
//! | `Socket` | bytes as they travel |

pub mod compression;
pub mod tls;

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use compression::Compression;
use rustix::net::sockopt::{socket_incoming_cpu, socket_peercred};
use rustix::process::Pid;
use rustls::ServerConfig;
use sql::status::encryption::Encryption;
use tls::TlsSession;

use crate::protocol::command;

/// A connected client. Reading and writing take `&self`, so that another thread may shut it down.
#[derive(Debug)]
pub struct Stream {
    socket: Socket,
    tls: OnceLock<TlsSession>,
    compression: OnceLock<Compression>,
}

/// A connected socket.
#[derive(Debug)]
pub(crate) enum Socket {
    /// Over the network.
    Tcp(TcpStream),
    /// Over a unix socket.
    Unix(UnixStream),
}

/// COM_QUIT as a packet.
const GOOD_BYE: [u8; 5] = [1, 0, 0, 0, command::QUIT];

/// Unread bytes of an encrypted connection that may be no more than its good-bye: COM_QUIT and TLS' own in records of their own.
const ENCRYPTED_GOOD_BYE: u64 = 80;

impl Socket {
    fn recv(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let got = match self {
                Self::Tcp(s) => (&*s).read(buffer),
                Self::Unix(s) => (&*s).read(buffer),
            };
            match got {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }

    fn send(&self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Tcp(s) => (&*s).write_all(bytes),
            Self::Unix(s) => (&*s).write_all(bytes),
        }
    }

    pub(crate) fn set_read_timeout(&self, limit: Option<Duration>) -> io::Result<()> {
        match self {
            Self::Tcp(s) => s.set_read_timeout(limit),
            Self::Unix(s) => s.set_read_timeout(limit),
        }
    }

    fn set_write_timeout(&self, limit: Option<Duration>) -> io::Result<()> {
        match self {
            Self::Tcp(s) => s.set_write_timeout(limit),
            Self::Unix(s) => s.set_write_timeout(limit),
        }
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(s) => s.as_fd(),
            Self::Unix(s) => s.as_fd(),
        }
    }
}

impl Stream {
    /// Reads what is there, waiting for at least one byte; 0 at the end of the stream.
    ///
    /// # Errors
    /// Those of `recv`; `WouldBlock` when the read timeout has passed, `Interrupted` when something came, but nothing whole yet (TLS,
    /// compression).
    #[inline]
    pub fn recv(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.compression.get() {
            None => self.recv_frames(buffer),
            Some(compression) => compression.recv(|frames| self.recv_frames(frames), buffer),
        }
    }

    #[inline]
    fn recv_frames(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.tls.get() {
            None => self.socket.recv(buffer),
            Some(tls) => tls.recv(&self.socket, buffer),
        }
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// Those of `send`; `WouldBlock` when the write timeout has passed.
    #[inline]
    pub fn send(&self, bytes: &[u8]) -> io::Result<()> {
        match self.compression.get() {
            None => self.send_frames(bytes),
            Some(compression) => compression.send(bytes, |frames| self.send_frames(frames)),
        }
    }

    #[inline]
    fn send_frames(&self, bytes: &[u8]) -> io::Result<()> {
        match self.tls.get() {
            None => self.socket.send(bytes),
            Some(tls) => tls.send(&self.socket, bytes),
        }
    }

    /// The number of the next compressed frame; `None` when there are no frames.
    #[inline]
    #[must_use]
    pub fn frame_number(&self) -> Option<u8> {
        self.compression.get().map(Compression::number)
    }

    /// Whether bytes go to the socket as they are; [`Stream::send_now`] works on no other.
    #[inline]
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.tls.get().is_none() && self.compression.get().is_none()
    }

    /// Whether nobody but this machine can listen.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        matches!(self.socket, Socket::Unix(_)) || self.tls.get().is_some()
    }

    /// Whether it is a socket of this machine.
    #[must_use]
    pub fn is_local(&self) -> bool {
        matches!(self.socket, Socket::Unix(_))
    }

    /// Begins TLS; `early` are bytes of the handshake that were received already. Gives what was agreed on.
    ///
    /// # Errors
    /// Those of the socket, `TimedOut` after `deadline`, `InvalidData` when the two sides do not agree.
    pub fn encrypt(
        &self,
        config: Arc<ServerConfig>,
        early: &[u8],
        deadline: Instant,
    ) -> io::Result<Encryption> {
        let (session, encryption) = TlsSession::accept(&self.socket, config, early, deadline)?;
        self.tls.set(session).map_err(|_| io::Error::other("encrypted twice"))?;
        Ok(encryption)
    }

    /// From now on both sides send compressed frames.
    pub fn compress(&self) {
        self.compression.get_or_init(Compression::new);
    }

    /// Writes as much of `bytes` as goes without waiting. All, too, when the client is gone: there is nobody to write to.
    pub fn send_now(&self, bytes: &[u8]) -> usize {
        use rustix::io::Errno;
        use rustix::net::{SendFlags, send};
        let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
        debug_assert!(self.is_plain(), "records and frames are sent whole");
        let mut sent = 0;
        while let Some(rest) = bytes.get(sent..).filter(|rest| !rest.is_empty()) {
            match send(&self.socket, rest, flags) {
                Ok(more) => sent += more,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => return bytes.len(),
            }
        }
        sent
    }

    /// Whether the peer has closed the connection and sent nothing more before but a good-bye; does not wait.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        if !self.is_plain() {
            return self.is_hung_up();
        }
        let mut bytes = [0u8; 6];
        match self.peek(&mut bytes) {
            Some(Ok(got)) => got == 0 || bytes[..got] == GOOD_BYE,
            Some(Err(_)) => true,
            None => false,
        }
    }

    /// Whether reading would not wait: something was received, or the stream has ended.
    pub(crate) fn has_bytes(&self) -> bool {
        self.peek(&mut [0]).is_some()
    }

    /// Looks at bytes that were received, without taking them; none where reading would wait.
    fn peek(&self, bytes: &mut [u8]) -> Option<Result<usize, rustix::io::Errno>> {
        use rustix::io::Errno;
        use rustix::net::{RecvFlags, recv};
        match recv(&self.socket, bytes, RecvFlags::DONTWAIT | RecvFlags::PEEK) {
            Ok((got, _)) => Some(Ok(got)),
            Err(Errno::AGAIN | Errno::INTR) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// The process at the other end of a Unix socket, as the kernel knows it.
    pub(crate) fn peer_process(&self) -> Option<Pid> {
        match &self.socket {
            Socket::Unix(socket) => Some(socket_peercred(socket).ok()?.pid),
            Socket::Tcp(_) => None,
        }
    }

    /// Where the last packet of a TCP connection was received: for one within this machine, where its sender runs.
    pub(crate) fn sender_processor(&self) -> Option<usize> {
        match &self.socket {
            Socket::Unix(_) => None,
            Socket::Tcp(socket) => Some(socket_incoming_cpu(socket).ok()? as usize),
        }
    }

    /// As [`Stream::is_closed`] where a good-bye cannot be read from the socket.
    fn is_hung_up(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut fds = [PollFd::new(&self.socket, PollFlags::RDHUP)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let asked = poll(&mut fds, Some(&now));
        let gone = PollFlags::RDHUP | PollFlags::HUP | PollFlags::ERR;
        matches!(asked, Ok(1..))
            && fds[0].revents().intersects(gone)
            && rustix::io::ioctl_fionread(&self.socket).is_ok_and(|unread| unread <= ENCRYPTED_GOOD_BYE)
    }

    /// Limits how long [`Stream::recv`] waits; `None` waits for ever.
    ///
    /// # Errors
    /// Those of `setsockopt`.
    pub fn set_read_timeout(&self, limit: Option<Duration>) -> io::Result<()> {
        self.socket.set_read_timeout(limit)
    }

    /// Limits how long [`Stream::send`] waits; `None` waits for ever.
    ///
    /// # Errors
    /// Those of `setsockopt`.
    pub fn set_write_timeout(&self, limit: Option<Duration>) -> io::Result<()> {
        self.socket.set_write_timeout(limit)
    }

    /// Tells the client that nothing more comes; by the connection's own thread.
    pub fn say_goodbye(&self) {
        if let Some(tls) = self.tls.get() {
            tls.close(&self.socket);
        }
    }

    /// Ends one or both directions; a thread that waits in [`Stream::recv`] wakes with 0 bytes.
    pub fn shutdown(&self, how: Shutdown) {
        // An error means that the peer has gone already.
        let _ = match &self.socket {
            Socket::Tcp(s) => s.shutdown(how),
            Socket::Unix(s) => s.shutdown(how),
        };
    }
}

impl From<Socket> for Stream {
    fn from(socket: Socket) -> Self {
        Self { socket, tls: OnceLock::new(), compression: OnceLock::new() }
    }
}

impl From<TcpStream> for Stream {
    fn from(socket: TcpStream) -> Self {
        Socket::Tcp(socket).into()
    }
}

impl From<UnixStream> for Stream {
    fn from(socket: UnixStream) -> Self {
        Socket::Unix(socket).into()
    }
}
