//! Unions, differences and what shapes have in common.
//!
//! The edges and lines of both shapes are cut wherever they meet, until they meet at their ends alone (`Map::cut`); each piece then
//! knows on which of its sides it has which of the areas. Pieces with the result on one side are put together to rings, lines and
//! points that no area of the result has to others (`result`). All of that is asked of places on a grid, exactly. What is computed,
//! where two edges cross, is put on the grid like the rest; pieces that meet anew because of that are cut again, and when that
//! does not end the shapes are refused.

mod result;

use super::grid::{Grid, Spot, side};
use super::relate::is_drawn_well;
use super::{Call, check_own, geometry, put_shape};
use crate::error::{SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::func::Resolve;
use crate::types::FieldType;
use crate::types::geometry::{Place, Shape};
use foldhash::HashMap;
use schema::definition::GeometryKind;
use std::cmp::Ordering;

/// Which places the result has: of those in the first area or not, in the second or not.
type Rule = fn(bool, bool) -> bool;

/// Steps of the grid up to which crossings are the same: some units of the last digit of the largest coordinate.
const NEAR: i64 = 128;

/// How often pieces may be cut anew.
const ROUNDS: usize = 8;

/// In how many places pieces may meet at once: two shapes of many edges could cross in more than memory holds.
const MOST_CUTS: usize = 1 << 20;

pub(super) fn two_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    check_own(r, 2)?;
    Ok(FieldType::geometry(GeometryKind::Geometry))
}

pub(super) fn union(c: &mut Call<'_, '_>) -> SqlResult<()> {
    overlay(c, |a, b| a || b)
}

pub(super) fn intersection(c: &mut Call<'_, '_>) -> SqlResult<()> {
    overlay(c, |a, b| a && b)
}

pub(super) fn difference(c: &mut Call<'_, '_>) -> SqlResult<()> {
    overlay(c, |a, b| a && !b)
}

pub(super) fn sym_difference(c: &mut Call<'_, '_>) -> SqlResult<()> {
    overlay(c, |a, b| a != b)
}

fn refused(what: &str) -> SqlError {
    SqlError::not_supported(what)
}

/// Adds the areas of a shape to a list.
fn collect_areas(shape: &Shape, out: &mut Vec<Vec<Vec<Place>>>) {
    match shape {
        Shape::Polygon(rings) => out.push(rings.clone()),
        Shape::Polygons(list) => out.extend(list.iter().cloned()),
        Shape::Collection(list) => list.iter().for_each(|s| collect_areas(s, out)),
        _ => {}
    }
}

/// Areas that cross themselves or each other are refused: it is not said what is in them.
fn check_areas(shape: &Shape) -> SqlResult<()> {
    let mut areas = Vec::new();
    collect_areas(shape, &mut areas);
    let grid = Grid::of(shape);
    // a ring upon one line has nothing in it
    let drawn = areas.iter().flatten().all(|ring| {
        let spots: Vec<Spot> = ring.iter().map(|p| grid.spot(*p)).collect();
        let other = spots.iter().find(|spot| **spot != spots[0]);
        other.is_some_and(|other| spots.iter().any(|spot| side(spots[0], *other, *spot).is_ne()))
    });
    if areas.is_empty() || drawn && is_drawn_well(&Shape::Polygons(areas)) {
        return Ok(());
    }
    Err(refused("unions, differences and intersections of shapes that are not drawn well"))
}

fn overlay(c: &mut Call<'_, '_>, rule: Rule) -> SqlResult<()> {
    let (Some((_, a)), Some((_, b))) = (geometry(c, 0)?, geometry(c, 1)?) else { return c.null() };
    if a.bounds().is_none() || b.bounds().is_none() {
        return c.null();
    }
    check_areas(&a)?;
    check_areas(&b)?;
    let both = [a, b];
    let mut map = Map::default();
    let both = Shape::Collection(both.into());
    let grid = Grid::of(&both);
    if let Shape::Collection(list) = &both {
        list.iter().zip([FIRST, SECOND]).for_each(|(shape, owner)| map.add(&grid, shape, owner));
    }
    map.cut(&grid, c.ctx)?;
    map.tell_sides(c.ctx)?;
    let shape = map.result(rule, c.ctx)?;
    put_shape(c, 0, Some(shape))
}

/// The two shapes as bits.
const FIRST: u8 = 1;
const SECOND: u8 = 2;

/// A piece of an edge: numbers of corners, the lower one first (of two that are as high, the left one).
#[derive(Clone, Copy)]
struct Piece {
    low: usize,
    high: usize,
    /// The shapes whose areas end there.
    owner: u8,
    /// The shapes that have it as a part of a line.
    lines: u8,
    /// How many pieces it was.
    times: usize,
    /// The edge or line that it was cut from, by a number.
    origin: usize,
    /// The areas on its left and right, looking upwards.
    left: u8,
    right: u8,
}

/// All edges, lines and points of two shapes.
#[derive(Default)]
struct Map {
    corners: Vec<(Spot, Place)>,
    numbers: HashMap<Spot, usize>,
    /// Corners where edges cross, by the squares of the plane that they lie in.
    crossings: HashMap<Spot, Vec<usize>>,
    pieces: Vec<Piece>,
    /// Corners that are points, and of which shapes.
    points: HashMap<usize, u8>,
    /// Corners where lines end.
    tips: Vec<usize>,
}

/// The order from below, and from the left.
fn height(s: Spot) -> Spot {
    (s.1, s.0)
}

/// How far a spot is on the way between two others.
fn along(from: Spot, to: Spot, spot: Spot) -> i128 {
    let wide = |a: i64, b: i64| i128::from(b) - i128::from(a);
    wide(from.0, to.0) * wide(from.0, spot.0) + wide(from.1, to.1) * wide(from.1, spot.1)
}

impl Map {
    fn corner(&mut self, grid: &Grid, place: Place) -> usize {
        let spot = grid.spot(place);
        *self.numbers.entry(spot).or_insert_with(|| {
            self.corners.push((spot, place));
            self.corners.len() - 1
        })
    }

    /// The corner where edges cross. Where several cross in one place, each two have it a little elsewhere: the first is taken.
    fn crossing_corner(&mut self, grid: &Grid, place: Place) -> usize {
        let spot = grid.spot(place);
        if let Some(known) = self.numbers.get(&spot) {
            return *known;
        }
        let square = |x: i64, y: i64| (x.div_euclid(2 * NEAR), y.div_euclid(2 * NEAR));
        let near = |n: &usize| {
            let other = self.spot(*n);
            other.0.abs_diff(spot.0) <= NEAR as u64 && other.1.abs_diff(spot.1) <= NEAR as u64
        };
        for (x, y) in [(-NEAR, -NEAR), (-NEAR, NEAR), (NEAR, -NEAR), (NEAR, NEAR)] {
            let list = self.crossings.get(&square(spot.0 + x, spot.1 + y));
            if let Some(known) = list.and_then(|list| list.iter().copied().find(near)) {
                return known;
            }
        }
        let corner = self.corner(grid, place);
        self.crossings.entry(square(spot.0, spot.1)).or_default().push(corner);
        corner
    }

    fn spot(&self, n: usize) -> Spot {
        self.corners[n].0
    }

    /// Adds the way between two corners, like another piece in all but that.
    fn connect(&mut self, a: usize, b: usize, like: Piece) {
        let (low, high) = if height(self.spot(a)) < height(self.spot(b)) { (a, b) } else { (b, a) };
        if low != high {
            self.pieces.push(Piece { low, high, ..like });
        }
    }

    fn add(&mut self, grid: &Grid, shape: &Shape, owner: u8) {
        match shape {
            Shape::Point(p) => self.add_way(grid, &[*p], 0, owner),
            Shape::Points(list) => list.iter().for_each(|p| self.add_way(grid, &[*p], 0, owner)),
            Shape::Line(line) => self.add_way(grid, line, 0, owner),
            Shape::Lines(list) => list.iter().for_each(|line| self.add_way(grid, line, 0, owner)),
            Shape::Polygon(rings) => rings.iter().for_each(|ring| self.add_way(grid, ring, owner, 0)),
            Shape::Polygons(list) => {
                list.iter().flatten().for_each(|ring| self.add_way(grid, ring, owner, 0));
            }
            Shape::Collection(list) => list.iter().for_each(|s| self.add(grid, s, owner)),
        }
    }

    /// Adds a ring or a line; one that goes nowhere is a point.
    fn add_way(&mut self, grid: &Grid, way: &[Place], owner: u8, lines: u8) {
        let mut corners: Vec<usize> = way.iter().map(|p| self.corner(grid, *p)).collect();
        corners.dedup();
        if let [lone] = corners[..] {
            *self.points.entry(lone).or_default() |= owner | lines;
        }
        if lines != 0 {
            self.tips.extend(corners.first().into_iter().chain(corners.last()));
        }
        for w in corners.windows(2) {
            let origin = self.pieces.len();
            let like = Piece { low: 0, high: 0, owner, lines, times: 1, origin, left: 0, right: 0 };
            self.connect(w[0], w[1], like);
        }
    }

    /// Cuts pieces until they meet at corners only.
    fn cut(&mut self, grid: &Grid, ctx: &EvalContext) -> SqlResult<()> {
        for _ in 0..ROUNDS {
            self.join();
            let cuts = self.nodes(grid, ctx)?;
            if cuts.is_empty() {
                return Ok(());
            }
            let mut of_piece: HashMap<usize, Vec<usize>> = HashMap::default();
            cuts.into_iter().for_each(|(piece, corner)| of_piece.entry(piece).or_default().push(corner));
            for (n, piece) in std::mem::take(&mut self.pieces).into_iter().enumerate() {
                let (low, high) = (self.spot(piece.low), self.spot(piece.high));
                let mut way = of_piece.remove(&n).unwrap_or_default();
                way.sort_by_key(|c| along(low, high, self.spot(*c)));
                way.insert(0, piece.low);
                way.push(piece.high);
                way.windows(2).for_each(|w| self.connect(w[0], w[1], piece));
            }
        }
        Err(refused("unions, differences and intersections of shapes whose edges nearly coincide"))
    }

    /// Pieces in order from below, several between the same corners as one. What an area has twice there it does not end at.
    fn join(&mut self) {
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.sort_by_key(|p| (height(self.spot(p.low)), height(self.spot(p.high))));
        for piece in pieces {
            match self.pieces.last_mut().filter(|last| (last.low, last.high) == (piece.low, piece.high)) {
                Some(last) => {
                    last.owner ^= piece.owner;
                    last.lines |= piece.lines;
                    last.times += piece.times;
                }
                None => self.pieces.push(piece),
            }
        }
        self.pieces.retain(|p| p.owner | p.lines != 0);
    }

    /// Where pieces meet elsewhere than at ends of both: which piece is to be cut, and at which corner.
    fn nodes(&mut self, grid: &Grid, ctx: &EvalContext) -> SqlResult<Vec<(usize, usize)>> {
        let mut cuts = Vec::new();
        for i in 0..self.pieces.len() {
            ctx.check_killed()?;
            let a = self.pieces[i];
            let top = self.spot(a.high).1;
            let span = |m: &Map, p: Piece| {
                let (x, y) = (m.spot(p.low).0, m.spot(p.high).0);
                (x.min(y), x.max(y))
            };
            let (from, to) = span(self, a);
            for j in i + 1..self.pieces.len() {
                let b = self.pieces[j];
                if self.spot(b.low).1 > top {
                    break;
                }
                let (first, last) = span(self, b);
                if first <= to && last >= from {
                    self.meeting(grid, (i, a), (j, b), &mut cuts)?;
                }
            }
            if cuts.len() > MOST_CUTS {
                return Err(refused(
                    "unions, differences and intersections of shapes that meet in so many places",
                ));
            }
        }
        let points: Vec<usize> = self.points.keys().copied().collect();
        for (n, piece) in self.pieces.iter().enumerate() {
            ctx.check_killed()?;
            cuts.extend(points.iter().filter(|point| self.is_upon(*piece, **point)).map(|point| (n, *point)));
        }
        Ok(cuts)
    }

    /// Whether a corner lies upon a piece, elsewhere than at its ends.
    fn is_upon(&self, piece: Piece, corner: usize) -> bool {
        let (low, at, high) = (self.spot(piece.low), self.spot(corner), self.spot(piece.high));
        height(low) < height(at) && height(at) < height(high) && side(low, high, at).is_eq()
    }

    fn meeting(
        &mut self,
        grid: &Grid,
        (i, a): (usize, Piece),
        (j, b): (usize, Piece),
        cuts: &mut Vec<(usize, usize)>,
    ) -> SqlResult<()> {
        let of = |m: &Map, p: Piece, corner: usize| side(m.spot(p.low), m.spot(p.high), m.spot(corner));
        let before = cuts.len();
        for (n, piece, corner) in [(i, a, b.low), (i, a, b.high), (j, b, a.low), (j, b, a.high)] {
            if self.is_upon(piece, corner) {
                cuts.push((n, corner));
            }
        }
        if cuts.len() > before {
            return Ok(());
        }
        let (below, above) = (of(self, a, b.low), of(self, a, b.high));
        let (own, other) = (of(self, b, a.low), of(self, b, a.high));
        if below.is_ne() && above == below.reverse() && own.is_ne() && other == own.reverse() {
            // the one that is to the left below comes first, as in the reference server
            let (left, right) = if below == Ordering::Greater { (b, a) } else { (a, b) };
            let place = self.crossing(left, right);
            if !place.0.is_finite() || !place.1.is_finite() {
                return Err(refused("unions, differences and intersections of coordinates so far apart"));
            }
            let corner = self.crossing_corner(grid, place);
            for (n, piece) in [(i, a), (j, b)] {
                if corner != piece.low && corner != piece.high {
                    cuts.push((n, corner));
                }
            }
        }
        Ok(())
    }

    fn crossing(&self, first: Piece, second: Piece) -> Place {
        let place = |n: usize| self.corners[n].1;
        let way = |p: Piece| (place(p.high).0 - place(p.low).0, place(p.high).1 - place(p.low).1);
        let (a, b, from, to) = (way(first), way(second), place(first.low), place(second.low));
        let share = ((to.0 - from.0) * b.1 - (to.1 - from.1) * b.0) / (a.0 * b.1 - a.1 * b.0);
        (from.0 + a.0 * share, from.1 + a.1 * share)
    }

    /// Tells each piece which areas are on its sides: those whose pieces stand to the left of it, each an odd number of times.
    fn tell_sides(&mut self, ctx: &EvalContext) -> SqlResult<()> {
        let mut here: Vec<usize> = Vec::new();
        for n in 0..self.pieces.len() {
            ctx.check_killed()?;
            let piece = self.pieces[n];
            let level = height(self.spot(piece.low));
            here.retain(|other| height(self.spot(self.pieces[*other].high)) > level);
            here.push(n);
            // those that begin here as well follow in the list
            let begin_here = (n + 1..self.pieces.len()).take_while(|m| self.pieces[*m].low == piece.low);
            let left = here.iter().copied().chain(begin_here).filter(|m| *m != n && self.is_left(*m, n));
            let left = left.fold(0, |areas, m| areas ^ self.pieces[m].owner);
            self.pieces[n].left = left;
            self.pieces[n].right = left ^ piece.owner;
        }
        Ok(())
    }

    /// Whether a piece stands to the left of another one, right above where that begins.
    fn is_left(&self, other: usize, piece: usize) -> bool {
        let (other, piece) = (self.pieces[other], self.pieces[piece]);
        let (low, high) = (self.spot(piece.low), self.spot(piece.high));
        match other.low == piece.low {
            true => side(low, high, self.spot(other.high)).is_gt(),
            false => side(self.spot(other.low), self.spot(other.high), low).is_lt(),
        }
    }

    /// The areas that a corner without pieces lies in.
    fn areas_at(&self, corner: usize) -> u8 {
        let spot = self.spot(corner);
        let level = height(spot);
        let left = self.pieces.iter().filter(|p| {
            let (low, high) = (self.spot(p.low), self.spot(p.high));
            height(low) <= level && level < height(high) && side(low, high, spot).is_lt()
        });
        left.fold(0, |areas, p| areas ^ p.owner)
    }
}
