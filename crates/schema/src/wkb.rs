//! Numbers of the well-known binary form, in which columns keep geometries behind the number of their reference system.

/// Collections within each other up to which a geometry is read.
pub const MOST_NESTED: usize = 200;

/// Bytes that are read from their beginning.
#[derive(Clone, Copy, Debug)]
pub struct Wkb<'a> {
    /// What was not read yet.
    pub rest: &'a [u8],
    /// The order of bytes of the geometry that is read.
    pub big: bool,
}

impl<'a> Wkb<'a> {
    /// Before the first byte.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Wkb<'a> {
        Wkb { rest: bytes, big: false }
    }

    /// The next bytes, if they are there.
    pub fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*bytes)
    }

    /// A type or a count.
    pub fn number(&mut self) -> Option<u32> {
        let bytes = self.bytes()?;
        Some(if self.big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    /// A finite coordinate.
    pub fn coordinate(&mut self) -> Option<f64> {
        let bytes = self.bytes()?;
        let v = if self.big { f64::from_be_bytes(bytes) } else { f64::from_le_bytes(bytes) };
        v.is_finite().then_some(v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_both_orders() {
        let bytes =
            [&[0, 0, 0, 7][..], &1.5f64.to_be_bytes(), &[7, 0, 0, 0], &f64::NAN.to_le_bytes(), &[1]].concat();
        let mut read = Wkb { rest: &bytes, big: true };
        assert_eq!((read.number(), read.coordinate()), (Some(7), Some(1.5)));
        read.big = false;
        assert_eq!((read.number(), read.coordinate()), (Some(7), None));
        assert_eq!((read.number(), read.bytes::<1>(), read.bytes::<1>()), (None, Some([1]), None));
    }
}
