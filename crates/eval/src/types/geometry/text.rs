//! The well-known text form of geometries.

use super::{NAMES, Place, Shape};
use crate::types::number::write_double;

/// As many digits as it takes.
const ALL_DIGITS: u8 = schema::definition::NOT_FIXED_DECIMALS;

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn take(&mut self, byte: u8) -> bool {
        self.skip_spaces();
        match self.rest.split_first() {
            Some((first, rest)) if *first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.take(byte).then_some(())
    }

    fn word(&mut self) -> &'a [u8] {
        self.skip_spaces();
        let end = self.rest.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn coordinate(&mut self) -> Option<f64> {
        self.skip_spaces();
        let begin = matches!(self.rest.first()?, b'0'..=b'9' | b'+' | b'-');
        let digits =
            self.rest.strip_prefix(b"-").or_else(|| self.rest.strip_prefix(b"+")).unwrap_or(self.rest);
        if !begin || !digits.first()?.is_ascii_digit() {
            return None;
        }
        let mut end = self.rest.len() - digits.len();
        let run = |from: usize| self.rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        end += run(end);
        if self.rest.get(end) == Some(&b'.') {
            end += 1 + run(end + 1);
        }
        if matches!(self.rest.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.rest.get(end + 1), Some(b'+' | b'-')));
            let digits = run(end + 1 + sign);
            if digits > 0 {
                end += 1 + sign + digits;
            }
        }
        let v: f64 = std::str::from_utf8(&self.rest[..end]).ok()?.parse().ok()?;
        self.rest = &self.rest[end..];
        v.is_finite().then_some(v)
    }

    fn place(&mut self) -> Option<Place> {
        Some((self.coordinate()?, self.coordinate()?))
    }

    /// `( part , part ... )`
    fn list<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.expect(b'(')?;
        let mut list = vec![read(self)?];
        while self.take(b',') {
            list.push(read(self)?);
        }
        self.expect(b')')?;
        Some(list)
    }

    fn line(&mut self) -> Option<Vec<Place>> {
        self.list(Self::place)
    }

    fn rings(&mut self) -> Option<Vec<Vec<Place>>> {
        self.list(|r| r.line().filter(|ring| super::is_ring(ring)))
    }

    /// A shape; a collection has none within it.
    fn shape(&mut self, within: bool) -> Option<Shape> {
        let word = self.word();
        let number = NAMES.iter().position(|name| name.as_bytes().eq_ignore_ascii_case(word))?;
        Some(match number {
            0 => {
                self.expect(b'(')?;
                let place = self.place()?;
                self.expect(b')')?;
                Shape::Point(place)
            }
            1 => Shape::Line(self.line()?),
            2 => Shape::Polygon(self.rings()?),
            3 => Shape::Points(self.line()?),
            4 => Shape::Lines(self.list(Self::line)?),
            5 => Shape::Polygons(self.list(Self::rings)?),
            _ if within => return None,
            _ => Shape::Collection(self.collection()?),
        })
    }

    fn collection(&mut self) -> Option<Vec<Shape>> {
        let before = self.rest;
        if self.word().eq_ignore_ascii_case(b"EMPTY") {
            return Some(Vec::new());
        }
        self.rest = before;
        if self.take(b'(') && self.take(b')') {
            return Some(Vec::new());
        }
        self.rest = before;
        self.list(|r| r.shape(true))
    }
}

/// How many brackets of a text are open at once at most.
pub(crate) fn nesting(text: &[u8]) -> usize {
    let (mut now, mut most) = (0usize, 0);
    for b in text {
        match b {
            b'(' => now += 1,
            b')' => now = now.saturating_sub(1),
            _ => {}
        }
        most = most.max(now);
    }
    most
}

/// Reads a text; what follows the shape is not looked at.
pub(crate) fn read(text: &[u8]) -> Option<Shape> {
    Reader { rest: text }.shape(false)
}

fn put_place(p: Place, out: &mut Vec<u8>) {
    // a zero has no sign here
    write_double(p.0 + 0.0, ALL_DIGITS, out);
    out.push(b' ');
    write_double(p.1 + 0.0, ALL_DIGITS, out);
}

fn put_list<T>(list: &[T], out: &mut Vec<u8>, put: impl Fn(&T, &mut Vec<u8>)) {
    out.push(b'(');
    for (i, part) in list.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        put(part, out);
    }
    out.push(b')');
}

fn put_line(line: &[Place], out: &mut Vec<u8>) {
    put_list(line, out, |p, out| put_place(*p, out));
}

/// Appends the text.
pub(crate) fn write(shape: &Shape, out: &mut Vec<u8>) {
    out.extend_from_slice(shape.name().as_bytes());
    match shape {
        Shape::Point(p) => put_list(&[*p], out, |p, out| put_place(*p, out)),
        Shape::Line(list) | Shape::Points(list) => put_line(list, out),
        Shape::Polygon(lists) | Shape::Lines(lists) => put_list(lists, out, |line, out| put_line(line, out)),
        Shape::Polygons(list) => {
            put_list(list, out, |rings, out| put_list(rings, out, |line, out| put_line(line, out)))
        }
        Shape::Collection(list) if list.is_empty() => out.extend_from_slice(b" EMPTY"),
        Shape::Collection(list) => put_list(list, out, write),
    }
}
