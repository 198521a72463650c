//! Integers and strings of the protocol: little-endian, length-encoded, NUL-terminated.

/// Bytes that do not follow the protocol: the request ends too early, or a length points outside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("malformed packet")]
pub struct Malformed;

/// Reads the fields of a payload from front to back; every read is checked against the end.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Starts at the first byte of `payload`.
    #[must_use]
    pub fn new(payload: &'a [u8]) -> Self {
        Self { rest: payload }
    }

    /// The bytes not read yet.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether all was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (head, tail) = self.rest.split_at_checked(count).ok_or(Malformed)?;
        self.rest = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (head, tail) = self.rest.split_first_chunk::<N>().ok_or(Malformed)?;
        self.rest = tail;
        Ok(*head)
    }

    /// One byte.
    pub fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.array::<1>()?[0])
    }

    /// Two bytes, little-endian.
    pub fn u16(&mut self) -> Result<u16, Malformed> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// Three bytes, little-endian.
    pub fn u24(&mut self) -> Result<u32, Malformed> {
        let [a, b, c] = self.array()?;
        Ok(u32::from_le_bytes([a, b, c, 0]))
    }

    /// Four bytes, little-endian.
    pub fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Eight bytes, little-endian.
    pub fn u64(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A length-encoded integer: one byte up to 250, else a marker (252, 253, 254) and 2, 3 or 8 bytes.
    pub fn lenenc(&mut self) -> Result<u64, Malformed> {
        match self.u8()? {
            0xfc => Ok(u64::from(self.u16()?)),
            0xfd => Ok(u64::from(self.u24()?)),
            0xfe => self.u64(),
            0xfb | 0xff => Err(Malformed),
            small => Ok(u64::from(small)),
        }
    }

    /// A length-encoded string.
    pub fn lenenc_bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = usize::try_from(self.lenenc()?).map_err(|_| Malformed)?;
        self.bytes(length)
    }

    /// A string that ends with a NUL byte, which is skipped.
    pub fn nul_bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let end = self.rest.iter().position(|&b| b == 0).ok_or(Malformed)?;
        let text = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Ok(text)
    }

    /// A string that ends with a NUL byte or with the payload: old clients leave the last NUL out.
    pub fn nul_bytes_or_rest(&mut self) -> &'a [u8] {
        self.nul_bytes().unwrap_or_else(|Malformed| std::mem::take(&mut self.rest))
    }
}

/// Appends a length-encoded integer.
#[inline]
pub fn put_lenenc(out: &mut Vec<u8>, value: u64) {
    if value < 251 {
        out.push(value as u8);
    } else {
        put_long_lenenc(out, value);
    }
}

#[cold]
#[inline(never)]
fn put_long_lenenc(out: &mut Vec<u8>, value: u64) {
    let bytes = value.to_le_bytes();
    match value {
        0..=0xffff => {
            out.push(0xfc);
            out.extend_from_slice(&bytes[..2]);
        }
        0x1_0000..=0xff_ffff => {
            out.push(0xfd);
            out.extend_from_slice(&bytes[..3]);
        }
        _ => {
            out.push(0xfe);
            out.extend_from_slice(&bytes);
        }
    }
}

/// Appends a length-encoded string.
#[inline]
pub fn put_lenenc_bytes(out: &mut Vec<u8>, text: &[u8]) {
    if text.len() < 251 {
        // One reservation for both parts: this is the inner loop of every text result set.
        out.reserve(text.len() + 1);
        out.push(text.len() as u8);
    } else {
        put_long_lenenc(out, text.len() as u64);
    }
    out.extend_from_slice(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_encoded_integers_take_the_shortest_form_and_come_back() {
        for (value, length) in [
            (0, 1),
            (250, 1),
            (251, 3),
            (0xffff, 3),
            (0x1_0000, 4),
            (0xff_ffff, 4),
            (0x100_0000, 9),
            (u64::MAX, 9),
        ] {
            let mut out = Vec::new();
            put_lenenc(&mut out, value);
            assert_eq!(out.len(), length, "{value}");
            let mut fields = Fields::new(&out);
            assert_eq!(fields.lenenc(), Ok(value));
            assert!(fields.is_empty());
            assert_eq!(Fields::new(&out[..length - 1]).lenenc(), Err(Malformed));
        }
    }

    #[test]
    fn lengths_beyond_the_payload_are_refused() {
        assert_eq!(Fields::new(&[5, b'a', b'b']).lenenc_bytes(), Err(Malformed));
        let absurd = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
        assert_eq!(Fields::new(&absurd).lenenc_bytes(), Err(Malformed));
        assert_eq!(Fields::new(b"abc").nul_bytes(), Err(Malformed));
        assert_eq!(Fields::new(b"abc").nul_bytes_or_rest(), b"abc");
    }
}
