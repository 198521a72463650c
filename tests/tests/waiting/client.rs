//! A client of a few lines that can send without reading and go away at any moment.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use isambard_tests::peers::Peer;

/// Protocol 4.1, a database, secure passwords, plug-ins for them.
const CAPABILITIES: u32 = 0x0000_0200 | 0x0000_0008 | 0x0000_8000 | 0x0008_0000;

pub struct Client {
    stream: UnixStream,
    /// Received, no whole packet yet.
    rest: Vec<u8>,
    pub id: u32,
}

impl Client {
    /// A connection of root, who has no password.
    pub fn new(peer: &Peer, db: &str) -> Client {
        let stream = UnixStream::connect(&peer.socket).expect("connect");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let mut client = Client { stream, rest: Vec::new(), id: 0 };
        let greeting = client.packet().expect("a greeting");
        let version = greeting.iter().position(|b| *b == 0).expect("a version");
        client.id = u32::from_le_bytes(greeting[version + 1..version + 5].try_into().expect("4 bytes"));
        let mut login = CAPABILITIES.to_le_bytes().to_vec();
        login.extend_from_slice(&(16u32 << 20).to_le_bytes());
        login.push(45);
        login.extend_from_slice(&[0; 23]);
        login.extend_from_slice(b"root\0\0");
        login.extend_from_slice(db.as_bytes());
        login.extend_from_slice(b"\0mysql_native_password\0");
        client.put(1, &login);
        assert_eq!(client.packet().expect("an answer").first(), Some(&0), "login");
        client
    }

    fn put(&mut self, sequence: u8, payload: &[u8]) {
        let mut packet = (payload.len() as u32).to_le_bytes().to_vec();
        packet[3] = sequence;
        packet.extend_from_slice(payload);
        self.stream.write_all(&packet).expect("sent");
    }

    /// The next packet; none when the connection has ended.
    fn packet(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(&[a, b, c, _]) = self.rest.get(..4) {
                let end = 4 + u32::from_le_bytes([a, b, c, 0]) as usize;
                if self.rest.len() >= end {
                    return Some(self.rest.drain(..end).skip(4).collect());
                }
            }
            self.receive().ok().filter(|got| *got > 0)?;
        }
    }

    /// Reads what is there, or waits for it.
    fn receive(&mut self) -> std::io::Result<usize> {
        let mut bytes = [0; 1 << 12];
        let got = self.stream.read(&mut bytes)?;
        self.rest.extend_from_slice(&bytes[..got]);
        Ok(got)
    }

    /// Sends a statement and reads nothing.
    pub fn ask(&mut self, sql: &str) {
        self.put(0, &[b"\x03", sql.as_bytes()].concat());
    }

    /// Whether an answer has begun to come, or the connection has ended.
    pub fn has_answer(&mut self) -> bool {
        self.stream.set_nonblocking(true).expect("no wait");
        let received = self.receive();
        self.stream.set_nonblocking(false).expect("waits");
        !self.rest.is_empty() || received.is_ok()
    }

    /// The error in the first packet of an answer, 0 when it is none; none when the connection has ended.
    pub fn error(&mut self) -> Option<u16> {
        let packet = self.packet()?;
        Some(if packet.first() == Some(&0xff) { u16::from_le_bytes([packet[1], packet[2]]) } else { 0 })
    }

    /// Reads what comes within `time`, for an error among it.
    pub fn look_for_error(&mut self, time: Duration) -> Option<u16> {
        let end = Instant::now() + time;
        self.stream.set_read_timeout(Some(time)).expect("a timeout");
        let mut bytes = vec![0; 1 << 20];
        while Instant::now() < end {
            let Ok(got @ 1..) = self.stream.read(&mut bytes) else { break };
            self.rest.extend_from_slice(&bytes[..got]);
            let mut at = 0;
            while let Some(&[a, b, c, _]) = self.rest.get(at..at + 4) {
                let length = u32::from_le_bytes([a, b, c, 0]) as usize;
                let Some(packet) = self.rest.get(at + 4..at + 4 + length) else { break };
                if packet.first() == Some(&0xff) {
                    return Some(u16::from_le_bytes([packet[1], packet[2]]));
                }
                at += 4 + length;
            }
            self.rest.drain(..at);
        }
        None
    }

    /// Runs a statement without rows.
    pub fn run(&mut self, sql: &str) {
        self.ask(sql);
        assert_eq!(self.error(), Some(0), "{sql}");
    }

    /// Goes away without a word.
    pub fn leave(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}
