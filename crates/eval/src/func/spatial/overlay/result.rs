//! What is put together of the pieces: rings, lines and points.

use super::super::surface::together;
use super::{FIRST, Map, Piece, Rule, SECOND, height};
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::func::spatial::grid::{Spot, side};
use crate::types::geometry::{Place, Shape};
use foldhash::HashMap;
use std::cmp::Ordering;

/// Areas with the corners of their rings.
type Areas = Vec<(Vec<usize>, Vec<Vec<usize>>)>;

/// A corner of the map: which shapes have it, and whether lines or areas of the result do.
#[derive(Default)]
struct Corner {
    shapes: u8,
    covered: bool,
    /// Ends that meet there.
    ends: usize,
    /// Pieces that end there.
    pieces: Vec<usize>,
    /// Those of lines of the result.
    lines: Vec<usize>,
}

fn holds(rule: Rule, shapes: u8) -> bool {
    rule(shapes & FIRST != 0, shapes & SECOND != 0)
}

/// Whether the result is to the left and to the right of a piece.
fn sides(piece: &Piece, rule: Rule) -> (bool, bool) {
    (holds(rule, piece.left), holds(rule, piece.right))
}

/// Whether a piece is a part of a line of the result.
fn is_line(piece: &Piece, rule: Rule) -> bool {
    sides(piece, rule) == (false, false) && holds(rule, piece.left | piece.right | piece.lines)
}

impl Map {
    /// The shapes of the result, those that begin lower and more to the left before others.
    pub(super) fn result(&self, rule: Rule, ctx: &EvalContext) -> SqlResult<Shape> {
        let corners = self.corners_of(rule, ctx)?;
        let mut parts: Vec<(Spot, Shape)> = Vec::new();
        for (ring, holes) in self.areas(rule, &corners) {
            let rings = std::iter::once(&ring).chain(&holes).map(|ring| self.places(ring)).collect();
            parts.push((self.lowest(&ring), Shape::Polygon(rings)));
        }
        for line in self.lines(rule, &corners) {
            parts.push((self.lowest(&line), Shape::Line(self.places(&line))));
        }
        for (n, corner) in &corners {
            if !corner.covered && holds(rule, corner.shapes) {
                parts.push((self.lowest(&[*n]), Shape::Point(self.corners[*n].1)));
            }
        }
        parts.sort_by_key(|(lowest, _)| *lowest);
        Ok(together(parts.into_iter().map(|(_, shape)| shape).collect()))
    }

    fn places(&self, way: &[usize]) -> Vec<Place> {
        way.iter().map(|c| self.corners[*c].1).collect()
    }

    fn lowest(&self, way: &[usize]) -> Spot {
        way.iter().map(|c| height(self.spot(*c))).min().unwrap_or_default()
    }

    fn corners_of(&self, rule: Rule, ctx: &EvalContext) -> SqlResult<HashMap<usize, Corner>> {
        let mut corners: HashMap<usize, Corner> = HashMap::default();
        for (n, piece) in self.pieces.iter().enumerate() {
            let ((left, right), line) = (sides(piece, rule), is_line(piece, rule));
            for end in [piece.low, piece.high] {
                let corner = corners.entry(end).or_default();
                corner.shapes |= piece.left | piece.right | piece.lines;
                corner.covered |= left || right || line;
                corner.ends += piece.times;
                corner.pieces.push(n);
                if line {
                    corner.lines.push(n);
                }
            }
        }
        for (n, shapes) in &self.points {
            ctx.check_killed()?;
            let corner = corners.entry(*n).or_default();
            // where no piece ends none has told of areas around
            let around = if corner.ends == 0 { self.areas_at(*n) } else { 0 };
            corner.shapes |= shapes | around;
            corner.covered |= holds(rule, around);
            corner.ends += 1;
        }
        for tip in &self.tips {
            corners.entry(*tip).or_default().ends += 1;
        }
        Ok(corners)
    }

    /// The areas of the result.
    fn areas(&self, rule: Rule, corners: &HashMap<usize, Corner>) -> Areas {
        let mut ways: HashMap<usize, Vec<usize>> = HashMap::default();
        let mut starts = Vec::new();
        for piece in &self.pieces {
            // the result is on the right of each way
            let (from, to) = match sides(piece, rule) {
                (false, true) => (piece.low, piece.high),
                (true, false) => (piece.high, piece.low),
                _ => continue,
            };
            ways.entry(from).or_default().push(to);
            starts.push(from);
        }
        starts.sort_by_key(|c| height(self.spot(*c)));
        let (mut shells, mut holes): (Areas, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        for start in starts {
            let Some((mut ring, last)) = self.ring(start, &mut ways) else { continue };
            let (from, next) = (self.spot(start), self.spot(ring[1]));
            let shell = side(from, next, self.spot(last)).is_lt();
            if !shell {
                ring.reverse();
            }
            self.straighten(&mut ring, corners);
            if shell { shells.push((ring, Vec::new())) } else { holes.push(ring) }
        }
        for hole in holes {
            let around = |shell: &&mut (Vec<usize>, Vec<Vec<usize>>)| self.is_within(&shell.0, hole[0]);
            // of several the innermost, which begins last
            if let Some((_, own)) = shells.iter_mut().rev().find(around) {
                own.push(hole);
            }
        }
        shells
    }

    /// The ring that begins here, closed, and the corner before it comes back; its ways are used up.
    fn ring(&self, start: usize, ways: &mut HashMap<usize, Vec<usize>>) -> Option<(Vec<usize>, usize)> {
        let first = ways.get_mut(&start)?.pop()?;
        let (mut before, mut here) = (start, first);
        let mut ring = vec![start, first];
        loop {
            let out = ways.get(&here).map_or(&[][..], Vec::as_slice);
            // the way that bounds the same piece of the result: the next one around to the left, looking back
            let next = (0..out.len()).min_by(|a, b| self.turn(here, before, out[*a], out[*b]));
            let closes = here == start && next.is_none_or(|n| self.turn(here, before, first, out[n]).is_lt());
            if closes {
                return Some((ring, before));
            }
            let next = ways.get_mut(&here)?.swap_remove(next?);
            (before, here) = (here, next);
            ring.push(here);
        }
    }

    /// Which of two ways from a corner comes first, counterclockwise from the way back.
    fn turn(&self, here: usize, back: usize, a: usize, b: usize) -> Ordering {
        let (here, back) = (self.spot(here), self.spot(back));
        let half = |to: usize| match side(here, back, self.spot(to)) {
            Ordering::Greater => 0,
            Ordering::Equal => 1,
            Ordering::Less => 2,
        };
        half(a).cmp(&half(b)).then_with(|| side(here, self.spot(a), self.spot(b)).reverse())
    }

    /// Takes corners out that only what is left out, or lies upon it, made corners.
    fn straighten(&self, ring: &mut Vec<usize>, corners: &HashMap<usize, Corner>) {
        let closed = std::mem::take(ring);
        let last = closed.len() - 1;
        for (n, corner) in closed[..last].iter().enumerate() {
            let before = closed[if n == 0 { last - 1 } else { n - 1 }];
            if !self.is_needless(before, *corner, closed[n + 1], corners) {
                ring.push(*corner);
            }
        }
        ring.extend(ring.first().copied());
    }

    /// Whether a way goes straight on at a corner that only other pieces made one.
    fn is_needless(&self, from: usize, at: usize, to: usize, corners: &HashMap<usize, Corner>) -> bool {
        let Some(corner) = corners.get(&at).filter(|c| c.ends > 2) else { return false };
        let origin = |end: usize| {
            let mut pieces = corner.pieces.iter().map(|n| &self.pieces[*n]);
            pieces.find(|p| p.low == end || p.high == end).map(|p| p.origin)
        };
        // where it was cut by another one, it may have been bent by the last digit
        origin(from) == origin(to) || side(self.spot(from), self.spot(at), self.spot(to)).is_eq()
    }

    /// The lines of the result, cut where other than two of their pieces meet.
    fn lines(&self, rule: Rule, corners: &HashMap<usize, Corner>) -> Vec<Vec<usize>> {
        let mut unused: Vec<bool> = self.pieces.iter().map(|p| is_line(p, rule)).collect();
        let mut lines = Vec::new();
        let mut n = 0;
        while n < self.pieces.len() {
            if !unused[n] {
                n += 1;
                continue;
            }
            let start = self.pieces[n].low;
            let mut arms: Vec<usize> = corners[&start].lines.iter().copied().filter(|m| unused[*m]).collect();
            // from the left; pieces that begin here, as all that were lower are used
            arms.sort_by(|a, b| if self.is_left(*a, *b) { Ordering::Less } else { Ordering::Greater });
            let mut line = self.arm(start, arms[0], &mut unused, corners);
            if let (true, [_, other]) = (corners[&start].lines.len() == 2, &arms[..])
                && unused[*other]
            {
                line.reverse();
                line.pop();
                line.append(&mut self.arm(start, *other, &mut unused, corners));
            }
            let last = line.len() - 1;
            let kept = |i: usize| {
                i == 0 || i == last || !self.is_needless(line[i - 1], line[i], line[i + 1], corners)
            };
            lines.push((0..=last).filter(|i| kept(*i)).map(|i| line[i]).collect());
        }
        lines
    }

    /// A line from a corner on, which begins with this piece.
    fn arm(
        &self,
        start: usize,
        first: usize,
        unused: &mut [bool],
        corners: &HashMap<usize, Corner>,
    ) -> Vec<usize> {
        let (mut line, mut piece) = (vec![start], first);
        loop {
            unused[piece] = false;
            let Piece { low, high, .. } = self.pieces[piece];
            let here = if line.last() == Some(&low) { high } else { low };
            line.push(here);
            let ways = &corners[&here].lines;
            match ways.iter().find(|w| unused[**w]) {
                Some(next) if ways.len() == 2 && here != start => piece = *next,
                _ => return line,
            }
        }
    }

    /// Whether a corner lies within a ring.
    fn is_within(&self, ring: &[usize], corner: usize) -> bool {
        let level = height(self.spot(corner));
        let left = ring.windows(2).filter(|w| {
            let (a, b) = (self.spot(w[0]), self.spot(w[1]));
            let (low, high) = if height(a) < height(b) { (a, b) } else { (b, a) };
            height(low) <= level && level < height(high) && side(low, high, self.spot(corner)).is_lt()
        });
        left.count() % 2 == 1
    }
}
