//! The smallest rectangle around a geometry, from the bytes of its column.

use schema::wkb::{MOST_NESTED, Wkb};

/// Bytes of a rectangle in a page.
pub(crate) const RECT_BYTES: usize = 32;

/// A rectangle, its edges included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Smallest and largest x.
    pub x: (f64, f64),
    /// Smallest and largest y.
    pub y: (f64, f64),
}

/// The well-known binary form being read, and the rectangle so far.
struct Binary<'a> {
    wkb: Wkb<'a>,
    rect: Rect,
}

impl Rect {
    /// Around nothing: what a geometry without points has. It is within all others.
    pub const NOTHING: Rect = Rect { x: (f64::MAX, -f64::MAX), y: (f64::MAX, -f64::MAX) };

    /// Around the geometry that a column has; none when the bytes are no geometry.
    #[must_use]
    pub fn of_value(value: &[u8]) -> Option<Rect> {
        let mut binary = Binary { wkb: Wkb::new(value.get(4..)?), rect: Rect::NOTHING };
        binary.geometry(0)?;
        Some(binary.rect)
    }

    /// As pages have it.
    pub(crate) fn read(bytes: &[u8]) -> Option<Rect> {
        let (numbers, _) = bytes.get(..RECT_BYTES)?.as_chunks::<8>();
        let at = |n: usize| f64::from_be_bytes(numbers[n]);
        Some(Rect { x: (at(0), at(1)), y: (at(2), at(3)) })
    }

    /// As pages have it.
    pub(crate) fn bytes(&self) -> [u8; RECT_BYTES] {
        let mut out = [0; RECT_BYTES];
        for (to, number) in
            out.as_chunks_mut::<8>().0.iter_mut().zip([self.x.0, self.x.1, self.y.0, self.y.1])
        {
            *to = number.to_be_bytes();
        }
        out
    }

    /// Around both.
    pub(crate) fn with(&self, other: &Rect) -> Rect {
        Rect {
            x: (self.x.0.min(other.x.0), self.x.1.max(other.x.1)),
            y: (self.y.0.min(other.y.0), self.y.1.max(other.y.1)),
        }
    }

    pub(crate) fn area(&self) -> f64 {
        (self.x.1 - self.x.0) * (self.y.1 - self.y.0)
    }

    /// What both have.
    pub(crate) fn common(&self, other: &Rect) -> Rect {
        Rect {
            x: (self.x.0.max(other.x.0), self.x.1.min(other.x.1)),
            y: (self.y.0.max(other.y.0), self.y.1.min(other.y.1)),
        }
    }

    /// Whether all of the other one lies in it.
    pub(crate) fn contains(&self, other: &Rect) -> bool {
        self.x.0 <= other.x.0 && self.x.1 >= other.x.1 && self.y.0 <= other.y.0 && self.y.1 >= other.y.1
    }

    /// Whether they have a place in common.
    pub(crate) fn intersects(&self, other: &Rect) -> bool {
        self.x.0 <= other.x.1 && self.x.1 >= other.x.0 && self.y.0 <= other.y.1 && self.y.1 >= other.y.0
    }
}

impl Binary<'_> {
    fn place(&mut self) -> Option<()> {
        let (x, y) = (self.wkb.coordinate()?, self.wkb.coordinate()?);
        self.rect = self.rect.with(&Rect { x: (x, x), y: (y, y) });
        Some(())
    }

    fn line(&mut self) -> Option<()> {
        (0..self.wkb.number()?).try_for_each(|_| self.place())
    }

    fn rings(&mut self) -> Option<()> {
        (0..self.wkb.number()?).try_for_each(|_| self.line())
    }

    fn geometry(&mut self, depth: usize) -> Option<()> {
        let [order] = self.wkb.bytes()?;
        self.wkb.big = order == 0;
        match self.wkb.number()? {
            1 => self.place(),
            2 => self.line(),
            3 => self.rings(),
            4..=7 if depth < MOST_NESTED => {
                (0..self.wkb.number()?).try_for_each(|_| self.geometry(depth + 1))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(parts: &[&[u8]]) -> Vec<u8> {
        [&[0; 4], parts.concat().as_slice()].concat()
    }

    fn place(x: f64, y: f64) -> Vec<u8> {
        [x.to_le_bytes(), y.to_le_bytes()].concat()
    }

    #[test]
    fn rectangles_of_geometries() {
        let point = [&[1, 1, 0, 0, 0], place(3.0, -4.0).as_slice()].concat();
        assert_eq!(Rect::of_value(&value(&[&point])), Some(Rect { x: (3.0, 3.0), y: (-4.0, -4.0) }));
        let line = [&[1, 2, 0, 0, 0, 2, 0, 0, 0], place(1.0, 2.0).as_slice(), &place(0.0, 9.0)].concat();
        let collection = value(&[&[1, 7, 0, 0, 0, 2, 0, 0, 0], &point, &line]);
        assert_eq!(Rect::of_value(&collection), Some(Rect { x: (0.0, 3.0), y: (-4.0, 9.0) }));
        assert_eq!(Rect::of_value(&value(&[&[1, 7, 0, 0, 0, 0, 0, 0, 0]])), Some(Rect::NOTHING));
        for end in 0..collection.len() {
            assert_eq!(Rect::of_value(&collection[..end]), None);
        }
        let nested = value(&[&[1, 7, 0, 0, 0, 1, 0, 0, 0].repeat(MOST_NESTED + 2)]);
        assert_eq!(Rect::of_value(&nested), None);
    }

    #[test]
    fn bytes_come_back() {
        let rect = Rect { x: (-1.5, 2.0), y: (0.0, 1e300) };
        assert_eq!(Rect::read(&rect.bytes()), Some(rect));
        assert_eq!(Rect::read(&[0; 31]), None);
    }
}
