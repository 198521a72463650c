//! The compressed protocol: packets travel in frames of zlib.
//!
//! A frame has a header of 7 bytes: length of what follows (3), number (1), length when it is unpacked (3), or 0 where it is not packed.
//! Frames know nothing of packets: one holds several, or a part of one.

use std::io;

use flate2::{Compress, Decompress, FlushCompress, FlushDecompress, Status};
use parking_lot::Mutex;

/// Bytes in front of each frame.
const HEADER: usize = 7;

/// What is shorter than this is sent as it is.
const WORTH: usize = 50;

/// Plain bytes of a frame that is sent: enough to find what repeats, not so many that the client waits.
const PART: usize = 256 * 1024;

/// No byte of zlib stands for more bytes than this.
const MOST: usize = 1100;

/// Bytes asked of the stream at a time.
const READ: usize = 16 * 1024;

/// Buffers that grew past this many bytes are given back.
const KEPT: usize = 1024 * 1024;

/// The state of both directions. The connection's own thread uses it.
#[derive(Debug)]
pub struct Compression(Mutex<State>);

#[derive(Debug)]
struct State {
    /// Of the next frame: a frame's answer has the number after it.
    sequence: u8,
    /// Received, not yet a whole frame.
    frames: Vec<u8>,
    /// Unpacked, `at..` not yet handed out.
    plain: Vec<u8>,
    at: usize,
    packer: Compress,
    unpacker: Decompress,
    out: Vec<u8>,
}

impl Default for Compression {
    fn default() -> Self {
        Self::new()
    }
}

impl Compression {
    /// Nothing received, nothing sent.
    #[must_use]
    pub fn new() -> Self {
        Self(Mutex::new(State {
            sequence: 0,
            frames: Vec::new(),
            plain: Vec::new(),
            at: 0,
            packer: Compress::new(flate2::Compression::fast(), true),
            unpacker: Decompress::new(true),
            out: Vec::new(),
        }))
    }

    /// The number of the next frame.
    #[must_use]
    pub fn number(&self) -> u8 {
        self.0.lock().sequence
    }

    /// Reads plain bytes; `lower` reads bytes of frames.
    ///
    /// # Errors
    /// Those of `lower`; `InvalidData` for a frame that cannot be unpacked, `Interrupted` when none is whole yet.
    pub fn recv(
        &self,
        lower: impl FnOnce(&mut [u8]) -> io::Result<usize>,
        buffer: &mut [u8],
    ) -> io::Result<usize> {
        let mut state = self.0.lock();
        if state.at == state.plain.len() && !state.next_frame()? {
            let from = state.frames.len();
            state.frames.resize(from + READ, 0);
            let got = lower(&mut state.frames[from..]);
            state.frames.truncate(from + got.as_ref().copied().unwrap_or(0));
            if got? == 0 {
                return Ok(0);
            }
            if !state.next_frame()? || state.plain.is_empty() {
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
        let left = &state.plain[state.at..];
        let taken = left.len().min(buffer.len());
        buffer[..taken].copy_from_slice(&left[..taken]);
        state.at += taken;
        if taken == 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        Ok(taken)
    }

    /// Sends plain bytes; `lower` sends frames.
    ///
    /// # Errors
    /// Those of `lower`.
    pub fn send(&self, bytes: &[u8], mut lower: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut state = self.0.lock();
        for part in bytes.chunks(PART) {
            state.pack(part)?;
            lower(&state.out)?;
        }
        if state.out.capacity() > KEPT {
            state.out = Vec::new();
        }
        Ok(())
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

impl State {
    /// Unpacks the next frame when it is whole.
    fn next_frame(&mut self) -> io::Result<bool> {
        if self.frames.len() < HEADER {
            return Ok(false);
        }
        let (packed, unpacked) = (number(&self.frames[..3]), number(&self.frames[4..7]));
        let end = HEADER + packed;
        if self.frames.len() < end {
            return Ok(false);
        }
        self.sequence = self.frames[3].wrapping_add(1);
        self.plain.clear();
        self.plain.shrink_to(KEPT);
        self.at = 0;
        let body = &self.frames[HEADER..end];
        if unpacked == 0 {
            self.plain.extend_from_slice(body);
        } else {
            if unpacked > body.len().saturating_mul(MOST) {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame that cannot be that short"));
            }
            self.plain.reserve_exact(unpacked);
            self.unpacker.reset(true);
            let ended = self.unpacker.decompress_vec(body, &mut self.plain, FlushDecompress::Finish);
            if !matches!(ended, Ok(Status::StreamEnd)) || self.plain.len() != unpacked {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame that cannot be unpacked"));
            }
        }
        self.frames.drain(..end);
        self.frames.shrink_to(KEPT);
        Ok(true)
    }

    /// Makes `out` the frame of these bytes.
    fn pack(&mut self, part: &[u8]) -> io::Result<()> {
        self.out.clear();
        self.out.resize(HEADER, 0);
        let mut unpacked = 0;
        if part.len() >= WORTH {
            self.packer.reset();
            // No longer than what it packs, or it is not worth it.
            self.out.reserve(part.len());
            let status = self.packer.compress_vec(part, &mut self.out, FlushCompress::Finish);
            let status = status.map_err(io::Error::other)?;
            if status == Status::StreamEnd && self.out.len() < HEADER + part.len() {
                unpacked = part.len();
            }
        }
        if unpacked == 0 {
            self.out.truncate(HEADER);
            self.out.extend_from_slice(part);
        }
        let packed = self.out.len() - HEADER;
        self.out[..3].copy_from_slice(&(packed as u32).to_le_bytes()[..3]);
        self.out[3] = self.sequence;
        self.out[4..7].copy_from_slice(&(unpacked as u32).to_le_bytes()[..3]);
        self.sequence = self.sequence.wrapping_add(1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads everything that lies in `frames`, a few bytes at a time.
    fn read_all(frames: &[u8], step: usize) -> io::Result<Vec<u8>> {
        let compression = Compression::new();
        let mut rest = frames;
        let mut all = Vec::new();
        loop {
            let mut buffer = [0; 1000];
            let lower = |buffer: &mut [u8]| {
                let taken = rest.len().min(step).min(buffer.len());
                buffer[..taken].copy_from_slice(&rest[..taken]);
                rest = &rest[taken..];
                Ok(taken)
            };
            match compression.recv(lower, &mut buffer) {
                Ok(0) => return Ok(all),
                Ok(got) => all.extend_from_slice(&buffer[..got]),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
    }

    #[test]
    fn bytes_come_back() {
        for length in [1, 49, 50, 51, 1000, PART - 1, PART, PART + 1, 3 * PART + 5] {
            for noise in [false, true] {
                let mut seed = 1u32;
                let bytes: Vec<u8> = (0..length)
                    .map(|i| {
                        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        if noise { (seed >> 24) as u8 } else { (i / 100) as u8 }
                    })
                    .collect();
                let mut frames = Vec::new();
                let sender = Compression::new();
                let sent = sender.send(&bytes, |frame| {
                    frames.extend_from_slice(frame);
                    Ok(())
                });
                assert!(sent.is_ok());
                assert!(noise || length < 1000 || frames.len() < length / 4);
                for step in [3, 5000] {
                    if step > 3 || length <= 1000 {
                        assert!(read_all(&frames, step).expect("frames") == bytes, "{length} {noise} {step}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_frame_that_lies_is_refused() {
        let mut frames = Vec::new();
        let sent = Compression::new().send(&[7; 500], |frame| {
            frames.extend_from_slice(frame);
            Ok(())
        });
        assert!(sent.is_ok());
        for (at, byte) in [(4, 1), (5, 0xff), (6, 0xff), (9, 0xff)] {
            let mut wrong = frames.clone();
            wrong[at] ^= byte;
            assert_eq!(read_all(&wrong, 100).expect_err("wrong").kind(), io::ErrorKind::InvalidData, "{at}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_frames_are_read_or_refused(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            let _ = read_all(&bytes, 17);
            let mut framed = vec![bytes.len() as u8, 0, 0, 0, 9, 0, 0];
            framed.extend_from_slice(&bytes);
            let _ = read_all(&framed, 17);
        }
    }
}
