//! Framing: 3-byte lengths, sequence numbers, joining and splitting of payloads at 16 MB.
//!
//! A payload of 0xffffff bytes or more travels in several packets: full ones of 0xffffff bytes and a shorter last one
//! (an empty one when the length is a multiple). [`PacketReader`] hands out the joined payload as one slice of its
//! buffer; [`PacketWriter`] splits when a packet is ended. Both keep their memory between packets.

use std::io;
use std::time::Instant;

use crate::reply::{DurabilityGate, Sent};
use crate::stream::Stream;

/// The longest payload of one packet, in bytes; a longer one is continued in the next.
pub const MAX_PAYLOAD: usize = 0xff_ffff;

/// Bytes in front of each payload: length (3) and sequence number (1).
pub const HEADER: usize = 4;

/// Room both buffers begin with, in bytes: holds the usual statement and its answer. Idle connections keep it.
const INITIAL_BUFFER: usize = 4 * 1024;

/// Buffers that grew past this many bytes for one statement are given back after it.
const KEPT_BUFFER: usize = 1024 * 1024;

/// Why no payload came.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The peer closed the stream between two packets.
    #[error("the client closed the connection")]
    Closed,
    /// The peer closed the stream inside a packet.
    #[error("the client closed the connection inside a packet")]
    Truncated,
    /// Nothing came within the read timeout.
    #[error("timeout while reading")]
    Timeout,
    /// A sequence number was not the expected one.
    #[error("packets out of order: got {got}, expected {expected}")]
    OutOfOrder {
        /// The number in the packet.
        got: u8,
        /// The number that should have been there.
        expected: u8,
    },
    /// The payload is longer than the limit.
    #[error("payload of more than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The socket failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Takes payloads from a stream.
#[derive(Debug)]
pub struct PacketReader {
    buffer: Vec<u8>,
    /// Bytes `start..end` were received and not yet handed out.
    start: usize,
    end: usize,
    received: u64,
    /// When the client must have sent what is waited for.
    deadline: Option<Instant>,
}

impl Default for PacketReader {
    fn default() -> Self {
        Self::new()
    }
}

impl PacketReader {
    /// With the usual buffer.
    #[must_use]
    pub fn new() -> Self {
        Self { buffer: vec![0; INITIAL_BUFFER], start: 0, end: 0, received: 0, deadline: None }
    }

    /// From now on no read goes on beyond this time, however the bytes drip in. `None`: the stream's own timeout counts from
    /// read to read.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Bytes received so far.
    #[must_use]
    pub fn received(&self) -> u64 {
        self.received
    }

    /// Bytes of its buffer.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.buffer.capacity()
    }

    /// Bytes received and not handed out yet: the client has sent ahead.
    #[must_use]
    pub fn buffered(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Takes the bytes received and not handed out.
    pub fn take_buffered(&mut self) -> Vec<u8> {
        let bytes = self.buffered().to_vec();
        (self.start, self.end) = (0, 0);
        bytes
    }

    /// Puts bytes that another reader of the same stream received behind those buffered here.
    pub fn append(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        self.buffer[self.end..self.end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// The next payload, at most `limit` bytes. `sequence` is the expected number and becomes the one after the last
    /// packet read.
    ///
    /// The buffer grows with the bytes that arrive, not with the length a header claims.
    ///
    /// # Errors
    /// See [`ReadError`]; after any of them the stream is out of step and has to be closed.
    #[inline]
    pub fn read(&mut self, stream: &Stream, sequence: &mut u8, limit: usize) -> Result<&[u8], ReadError> {
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
            if self.buffer.len() > KEPT_BUFFER {
                self.buffer = vec![0; INITIAL_BUFFER];
            }
        }
        let length = self.header(stream, 0, sequence)?;
        if length > limit {
            return Err(ReadError::TooLarge { limit });
        }
        self.fill(stream, HEADER + length)?;
        if length == MAX_PAYLOAD {
            return self.join(stream, sequence, limit);
        }
        let at = self.start + HEADER;
        self.start = at + length;
        Ok(&self.buffer[at..at + length])
    }

    /// Reads the continuations of a full packet that stands at `start` and moves them together.
    #[cold]
    fn join(&mut self, stream: &Stream, sequence: &mut u8, limit: usize) -> Result<&[u8], ReadError> {
        let mut joined = MAX_PAYLOAD;
        // Offset from `start` of the next packet's header as it was received.
        let mut next = HEADER + MAX_PAYLOAD;
        loop {
            let length = self.header(stream, next, sequence)?;
            if joined + length > limit {
                return Err(ReadError::TooLarge { limit });
            }
            self.fill(stream, next + HEADER + length)?;
            let from = self.start + next + HEADER;
            self.buffer.copy_within(from..from + length, self.start + HEADER + joined);
            joined += length;
            next += HEADER + length;
            if length < MAX_PAYLOAD {
                let at = self.start + HEADER;
                self.start += next;
                return Ok(&self.buffer[at..at + joined]);
            }
        }
    }

    /// The length in the header `offset` bytes after `start`; checks and advances the sequence number.
    #[inline]
    fn header(&mut self, stream: &Stream, offset: usize, sequence: &mut u8) -> Result<usize, ReadError> {
        self.fill(stream, offset + HEADER)?;
        let at = self.start + offset;
        let [a, b, c, got] = [self.buffer[at], self.buffer[at + 1], self.buffer[at + 2], self.buffer[at + 3]];
        if let Some(number) = stream.frame_number() {
            // Frames are numbered then: packets begin anew with each, and an answer's first one takes the number of its frame.
            *sequence = number;
        } else if got != *sequence {
            return Err(ReadError::OutOfOrder { got, expected: *sequence });
        } else {
            *sequence = sequence.wrapping_add(1);
        }
        Ok(usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16)
    }

    /// Waits until `wanted` bytes stand after `start`.
    #[inline]
    fn fill(&mut self, stream: &Stream, wanted: usize) -> Result<(), ReadError> {
        while self.end - self.start < wanted {
            if self.end == self.buffer.len() || self.start + wanted > self.buffer.len() {
                // Doubling bounds what a header that lies can make us allocate.
                let missing = wanted - (self.end - self.start);
                self.make_room(missing.min(self.buffer.len()));
            }
            if let Some(deadline) = self.deadline {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Err(ReadError::Timeout);
                }
                stream.set_read_timeout(Some(left))?;
            }
            match stream.recv(&mut self.buffer[self.end..]) {
                Ok(0) if self.start == self.end => return Err(ReadError::Closed),
                Ok(0) => return Err(ReadError::Truncated),
                Ok(got) => {
                    self.end += got;
                    self.received += got as u64;
                }
                // A part of a record or frame: the deadline is looked at again.
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    return Err(ReadError::Timeout);
                }
                Err(e) => return Err(e.into()),
            }
        }
        Ok(())
    }

    /// Makes the buffer hold at least `more` bytes after `end`.
    #[cold]
    fn make_room(&mut self, more: usize) {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.buffer.len() - self.end < more {
            self.buffer.resize((self.end + more).max(self.buffer.len() * 2), 0);
        }
    }
}

/// See [`PacketWriter::mark`].
#[derive(Debug, Clone, Copy)]
pub struct WriterMark {
    length: usize,
    sequence: u8,
    sent: u64,
}

/// Collects packets and sends them together.
#[derive(Debug)]
pub struct PacketWriter {
    out: Vec<u8>,
    /// Where the header of the packet being written stands.
    packet: usize,
    sequence: u8,
    sent: u64,
    /// What has to be passed before bytes go to the socket.
    gate: Option<DurabilityGate>,
}

impl Default for PacketWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl PacketWriter {
    /// Bytes of its buffer.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.out.capacity()
    }

    /// With the usual buffer.
    #[must_use]
    pub fn new() -> Self {
        Self { out: Vec::with_capacity(INITIAL_BUFFER), packet: 0, sequence: 0, sent: 0, gate: None }
    }

    pub(crate) fn set_gate(&mut self, gate: DurabilityGate) {
        self.gate = Some(gate);
    }

    /// The number of the next packet.
    #[must_use]
    pub fn sequence(&self) -> u8 {
        self.sequence
    }

    /// Sets the number of the next packet: one more than that of the request's last packet.
    pub fn set_sequence(&mut self, sequence: u8) {
        self.sequence = sequence;
    }

    /// Bytes sent so far.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Bytes waiting to be sent.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.out.len()
    }

    /// The send buffer: payload bytes are appended to it between [`PacketWriter::begin`] and [`PacketWriter::end`].
    #[inline]
    pub fn out(&mut self) -> &mut Vec<u8> {
        &mut self.out
    }

    /// Begins a packet; gives the buffer for its payload.
    #[inline]
    pub fn begin(&mut self) -> &mut Vec<u8> {
        self.packet = self.out.len();
        self.out.extend_from_slice(&[0; HEADER]);
        &mut self.out
    }

    /// Bytes of the payload written since [`PacketWriter::begin`].
    #[inline]
    #[must_use]
    pub fn payload_len(&self) -> usize {
        self.out.len() - self.packet - HEADER
    }

    /// Where the payload begun by [`PacketWriter::begin`] starts in the buffer.
    #[inline]
    #[must_use]
    pub fn payload_at(&self) -> usize {
        self.packet + HEADER
    }

    /// Ends the packet: writes its header, splits it if it is too long for one.
    #[inline]
    pub fn end(&mut self) {
        let length = self.payload_len();
        if length >= MAX_PAYLOAD {
            self.end_split(length);
            return;
        }
        let header = (length as u32) | u32::from(self.sequence) << 24;
        self.out[self.packet..self.packet + HEADER].copy_from_slice(&header.to_le_bytes());
        self.sequence = self.sequence.wrapping_add(1);
    }

    /// Makes room for the headers of the continuations, from the last backwards.
    #[cold]
    fn end_split(&mut self, length: usize) {
        let continuations = length / MAX_PAYLOAD;
        self.out.resize(self.out.len() + continuations * HEADER, 0);
        let first = self.packet + HEADER;
        for part in (0..=continuations).rev() {
            let from = first + part * MAX_PAYLOAD;
            let size = (length - part * MAX_PAYLOAD).min(MAX_PAYLOAD);
            let to = from + part * HEADER;
            self.out.copy_within(from..from + size, to);
            let header = (size as u32) | u32::from(self.sequence.wrapping_add(part as u8)) << 24;
            self.out[to - HEADER..to].copy_from_slice(&header.to_le_bytes());
        }
        self.sequence = self.sequence.wrapping_add(continuations as u8).wrapping_add(1);
    }

    /// A point to go back to with [`PacketWriter::rollback`], as long as nothing is sent.
    #[must_use]
    pub fn mark(&self) -> WriterMark {
        WriterMark { length: self.out.len(), sequence: self.sequence, sent: self.sent }
    }

    /// Drops what was written since `mark`; whether that was possible (nothing was sent since).
    pub fn rollback(&mut self, mark: &WriterMark) -> bool {
        let unsent = self.sent == mark.sent && mark.length <= self.out.len();
        if unsent {
            self.out.truncate(mark.length);
            self.sequence = mark.sequence;
        }
        unsent
    }

    /// Appends `count` whole packets made before; they are renumbered when their first number is not the due one.
    #[inline]
    pub fn put_packets(&mut self, packets: &[u8], count: usize) {
        let at = self.out.len();
        self.out.extend_from_slice(packets);
        if packets.get(3).is_some_and(|&first| first != self.sequence) {
            self.renumber(at);
        }
        self.sequence = self.sequence.wrapping_add(count as u8);
    }

    #[cold]
    fn renumber(&mut self, mut at: usize) {
        let mut sequence = self.sequence;
        while at + HEADER <= self.out.len() {
            let length = usize::from(self.out[at])
                | usize::from(self.out[at + 1]) << 8
                | usize::from(self.out[at + 2]) << 16;
            self.out[at + 3] = sequence;
            sequence = sequence.wrapping_add(1);
            at += HEADER + length;
        }
    }

    /// Sends what is pending.
    ///
    /// # Errors
    /// Those of the socket; what was not sent is dropped, the stream has to be closed.
    #[inline]
    pub fn flush(&mut self, stream: &Stream) -> io::Result<()> {
        if self.out.is_empty() {
            return Ok(());
        }
        if let Some(gate) = &self.gate {
            gate.open()?;
        }
        let result = stream.send(&self.out);
        self.sent += self.out.len() as u64;
        self.out.clear();
        if self.out.capacity() > KEPT_BUFFER {
            self.out.shrink_to(INITIAL_BUFFER);
        }
        result
    }

    /// As [`PacketWriter::flush`] at the end of an answer: it is sent by somebody else when it tells of a commit that is not
    /// durable yet.
    ///
    /// # Errors
    /// As `flush`.
    #[inline]
    pub(crate) fn finish(&mut self, stream: &Stream) -> io::Result<()> {
        if let Some(gate) = &self.gate
            && gate.is_shut()
        {
            let len = self.out.len() as u64;
            if let Sent::Handed = gate.hand_over(&mut self.out, stream.is_plain()) {
                self.sent += len;
                return Ok(());
            }
        }
        self.flush(stream)
    }

    /// The pending packets; for those who keep them (column definitions, tests).
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    fn pair() -> (Stream, Stream) {
        let (a, b) = UnixStream::pair().expect("socketpair");
        (a.into(), b.into())
    }

    /// Sends from a thread of its own, as large payloads do not fit the socket's buffer.
    fn send(stream: Stream, bytes: Vec<u8>) -> std::thread::JoinHandle<()> {
        std::thread::spawn(move || {
            // The reader may close early.
            let _ = stream.send(&bytes);
        })
    }

    #[test]
    fn payloads_around_the_packet_limit_come_back_whole() {
        for length in
            [0, 1, MAX_PAYLOAD - 1, MAX_PAYLOAD, MAX_PAYLOAD + 1, 2 * MAX_PAYLOAD, 2 * MAX_PAYLOAD + 77]
        {
            let payload: Vec<u8> = (0..length).map(|i| ((i * 31) >> 3) as u8).collect();
            let mut writer = PacketWriter::new();
            writer.begin().extend_from_slice(&payload);
            writer.end();
            writer.begin().extend_from_slice(b"next");
            writer.end();
            let packets = length / MAX_PAYLOAD + 2;
            assert_eq!(usize::from(writer.sequence()), packets);
            let (a, b) = pair();
            let sender = send(a, writer.bytes().to_vec());
            let mut reader = PacketReader::new();
            let mut sequence = 0;
            assert!(reader.read(&b, &mut sequence, usize::MAX).expect("payload") == payload, "{length}");
            assert_eq!(reader.read(&b, &mut sequence, usize::MAX).expect("next"), b"next");
            assert_eq!(usize::from(sequence), packets);
            assert!(matches!(reader.read(&b, &mut sequence, 10), Err(ReadError::Closed)));
            sender.join().expect("sender");
        }
    }

    #[test]
    fn a_header_that_lies_allocates_nothing() {
        let (a, b) = pair();
        a.send(&[0xff, 0xff, 0xff, 0, 1, 2, 3]).expect("send");
        drop(a);
        let mut reader = PacketReader::new();
        assert!(matches!(reader.read(&b, &mut 0, usize::MAX), Err(ReadError::Truncated)));
        assert!(reader.buffer.len() <= 4 * INITIAL_BUFFER);
    }

    #[test]
    fn limits_and_sequence_are_checked() {
        let (a, b) = pair();
        a.send(&[5, 0, 0, 0, 1, 2, 3, 4, 5]).expect("send");
        assert!(matches!(PacketReader::new().read(&b, &mut 0, 4), Err(ReadError::TooLarge { limit: 4 })));
        let (a, b) = pair();
        a.send(&[1, 0, 0, 3, 1]).expect("send");
        assert!(matches!(
            PacketReader::new().read(&b, &mut 0, 4),
            Err(ReadError::OutOfOrder { got: 3, expected: 0 })
        ));
        // The limit holds for the joined payload, not for each packet.
        let (a, b) = pair();
        let mut writer = PacketWriter::new();
        writer.begin().resize(HEADER + MAX_PAYLOAD + 10, 7);
        writer.end();
        let sender = send(a, writer.bytes().to_vec());
        assert!(matches!(
            PacketReader::new().read(&b, &mut 0, MAX_PAYLOAD + 9),
            Err(ReadError::TooLarge { .. })
        ));
        drop(b);
        sender.join().expect("sender");
    }

    #[test]
    fn kept_packets_are_renumbered() {
        let mut writer = PacketWriter::new();
        writer.set_sequence(1);
        for text in [&b"one"[..], b"two"] {
            writer.begin().extend_from_slice(text);
            writer.end();
        }
        let kept = writer.bytes().to_vec();
        let mut other = PacketWriter::new();
        other.set_sequence(1);
        other.put_packets(&kept, 2);
        assert_eq!(other.bytes(), kept);
        other.out().clear();
        other.set_sequence(255);
        other.put_packets(&kept, 2);
        assert_eq!(other.bytes(), b"\x03\0\0\xffone\x03\0\0\0two");
        assert_eq!(other.sequence(), 1);
    }

    proptest::proptest! {
        /// Whatever bytes arrive: payloads or a typed error, and never more bytes than were sent.
        #[test]
        fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            let (a, b) = pair();
            a.send(&bytes).expect("send");
            drop(a);
            let mut reader = PacketReader::new();
            let mut sequence = 0;
            let mut total = 0;
            while let Ok(payload) = reader.read(&b, &mut sequence, 150) {
                total += payload.len() + HEADER;
                sequence = reader.buffered().get(3).copied().unwrap_or(0);
            }
            assert!(total <= bytes.len());
        }
    }
}
