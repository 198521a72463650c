//! TCP and unix sockets behind one type.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::protocol::command;

/// A connected socket. Reading and writing take `&self`, so that another thread may shut it down.
#[derive(Debug)]
pub enum Stream {
    /// Over the network.
    Tcp(TcpStream),
    /// Over a unix socket.
    Unix(UnixStream),
}

/// COM_QUIT as a packet.
const GOOD_BYE: [u8; 5] = [1, 0, 0, 0, command::QUIT];

impl Stream {
    /// Reads what is there, waiting for at least one byte; 0 at the end of the stream.
    ///
    /// # Errors
    /// Those of `recv`; `WouldBlock` when the read timeout has passed.
    #[inline]
    pub fn recv(&self, buffer: &mut [u8]) -> io::Result<usize> {
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

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// Those of `send`; `WouldBlock` when the write timeout has passed.
    #[inline]
    pub fn send(&self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Tcp(s) => (&*s).write_all(bytes),
            Self::Unix(s) => (&*s).write_all(bytes),
        }
    }

    /// Writes as much of `bytes` as goes without waiting. All, too, when the client is gone: there is nobody to write to.
    pub fn send_now(&self, bytes: &[u8]) -> usize {
        use rustix::io::Errno;
        use rustix::net::{SendFlags, send};
        let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
        let mut sent = 0;
        while let Some(rest) = bytes.get(sent..).filter(|rest| !rest.is_empty()) {
            let result = match self {
                Self::Tcp(s) => send(s, rest, flags),
                Self::Unix(s) => send(s, rest, flags),
            };
            match result {
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
        use rustix::io::Errno;
        use rustix::net::{RecvFlags, recv};
        let flags = RecvFlags::DONTWAIT | RecvFlags::PEEK;
        let mut bytes = [0u8; 6];
        let got = match self {
            Self::Tcp(s) => recv(s, &mut bytes, flags),
            Self::Unix(s) => recv(s, &mut bytes, flags),
        };
        match got {
            Ok((got, _)) => got == 0 || bytes[..got] == GOOD_BYE,
            Err(Errno::AGAIN | Errno::INTR) => false,
            Err(_) => true,
        }
    }

    /// Limits how long [`Stream::recv`] waits; `None` waits for ever.
    ///
    /// # Errors
    /// Those of `setsockopt`.
    pub fn set_read_timeout(&self, limit: Option<Duration>) -> io::Result<()> {
        match self {
            Self::Tcp(s) => s.set_read_timeout(limit),
            Self::Unix(s) => s.set_read_timeout(limit),
        }
    }

    /// Limits how long [`Stream::send`] waits; `None` waits for ever.
    ///
    /// # Errors
    /// Those of `setsockopt`.
    pub fn set_write_timeout(&self, limit: Option<Duration>) -> io::Result<()> {
        match self {
            Self::Tcp(s) => s.set_write_timeout(limit),
            Self::Unix(s) => s.set_write_timeout(limit),
        }
    }

    /// Ends one or both directions; a thread that waits in [`Stream::recv`] wakes with 0 bytes.
    pub fn shutdown(&self, how: Shutdown) {
        // An error means that the peer has gone already.
        let _ = match self {
            Self::Tcp(s) => s.shutdown(how),
            Self::Unix(s) => s.shutdown(how),
        };
    }
}

impl From<TcpStream> for Stream {
    fn from(socket: TcpStream) -> Self {
        Self::Tcp(socket)
    }
}

impl From<UnixStream> for Stream {
    fn from(socket: UnixStream) -> Self {
        Self::Unix(socket)
    }
}
