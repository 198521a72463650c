//! Bounds-checked access to the little-endian fields of a file.

use super::FrmError;

/// The file, or a part of it that still knows its place in the file.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a> {
    data: &'a [u8],
    base: usize,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(data: &'a [u8]) -> Bytes<'a> {
        Bytes { data, base: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.data.len()
    }

    pub(super) fn data(&self) -> &'a [u8] {
        self.data
    }

    /// An error about the byte at `at`.
    pub(super) fn corrupt(&self, at: usize, what: &'static str) -> FrmError {
        FrmError::Corrupt { offset: self.base.saturating_add(at), what }
    }

    /// The part of `len` bytes at `at`.
    pub(super) fn part(&self, at: usize, len: usize) -> Result<Bytes<'a>, FrmError> {
        let data = at
            .checked_add(len)
            .and_then(|end| self.data.get(at..end))
            .ok_or_else(|| self.corrupt(at, "a section ends beyond its room"))?;
        Ok(Bytes { data, base: self.base + at })
    }

    pub(super) fn slice(&self, at: usize, len: usize) -> Result<&'a [u8], FrmError> {
        self.part(at, len).map(|part| part.data)
    }

    pub(super) fn u8(&self, at: usize) -> Result<u8, FrmError> {
        Ok(self.slice(at, 1)?[0])
    }

    pub(super) fn u16(&self, at: usize) -> Result<u16, FrmError> {
        let b = self.slice(at, 2)?;
        Ok(u16::from_le_bytes([b[0], b[1]]))
    }

    pub(super) fn u24(&self, at: usize) -> Result<u32, FrmError> {
        let b = self.slice(at, 3)?;
        Ok(u32::from_le_bytes([b[0], b[1], b[2], 0]))
    }

    pub(super) fn u32(&self, at: usize) -> Result<u32, FrmError> {
        let b = self.slice(at, 4)?;
        Ok(u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }
}

/// Reads fields one after another.
pub(super) struct Cursor<'a> {
    bytes: Bytes<'a>,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: Bytes<'a>) -> Cursor<'a> {
        Cursor { bytes, at: 0 }
    }

    pub(super) fn rest(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn corrupt(&self, what: &'static str) -> FrmError {
        self.bytes.corrupt(self.at, what)
    }

    pub(super) fn u8(&mut self) -> Result<u8, FrmError> {
        let v = self.bytes.u8(self.at)?;
        self.at += 1;
        Ok(v)
    }

    pub(super) fn u16(&mut self) -> Result<u16, FrmError> {
        let v = self.bytes.u16(self.at)?;
        self.at += 2;
        Ok(v)
    }

    pub(super) fn u32(&mut self) -> Result<u32, FrmError> {
        let v = self.bytes.u32(self.at)?;
        self.at += 4;
        Ok(v)
    }

    pub(super) fn slice(&mut self, len: usize) -> Result<&'a [u8], FrmError> {
        let v = self.bytes.slice(self.at, len)?;
        self.at += len;
        Ok(v)
    }

    pub(super) fn part(&mut self, len: usize) -> Result<Bytes<'a>, FrmError> {
        let v = self.bytes.part(self.at, len)?;
        self.at += len;
        Ok(v)
    }

    /// The bytes before the next 0 byte, which is passed over.
    pub(super) fn zero_terminated(&mut self) -> Result<&'a [u8], FrmError> {
        let rest = &self.bytes.data()[self.at..];
        let len = rest.iter().position(|&b| b == 0).ok_or_else(|| self.corrupt("a text without its end"))?;
        self.at += len + 1;
        Ok(&rest[..len])
    }

    /// A length of the extra2 segment: one byte, or 0 and a u16 of 256 and more.
    pub(super) fn short_length(&mut self) -> Result<usize, FrmError> {
        match self.u8()? {
            0 => match self.u16()? {
                n @ 256.. => Ok(usize::from(n)),
                _ => Err(self.corrupt("a length in the long form below 256")),
            },
            n => Ok(usize::from(n)),
        }
    }

    /// An integer of the client/server protocol.
    pub(super) fn length_encoded(&mut self) -> Result<usize, FrmError> {
        match self.u8()? {
            n @ 0..=250 => Ok(usize::from(n)),
            252 => Ok(usize::from(self.u16()?)),
            253 => {
                let low = usize::from(self.u16()?);
                Ok(low | usize::from(self.u8()?) << 16)
            }
            _ => Err(self.corrupt("a length too large")),
        }
    }
}

/// Text of the file as a string. Names and comments are UTF-8; what is not
/// (old files could hold other bytes) is replaced, not refused.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
