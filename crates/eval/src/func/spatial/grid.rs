//! What is asked of shapes exactly: whether they are simple, and what is around them.
//!
//! As the reference server has it, places are taken as whole numbers: seventeen digits, counted from the first of the largest
//! coordinate; what is behind them is cut off. Products of such numbers are exact.

use super::{Call, geometry, put_shape};
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::types::geometry::{Place, Shape, is_ring};
use crate::types::number::power_of_ten;
use std::cmp::Ordering;

/// A place in whole numbers.
pub(super) type Spot = (i64, i64);

/// The places of one shape in whole numbers.
pub(super) struct Grid {
    scale: f64,
}

/// Digits that coordinates keep.
const DIGITS: i32 = 17;

/// The least power of ten that the largest coordinate counts for.
const LEAST: i32 = -2;

impl Grid {
    pub(super) fn of(shape: &Shape) -> Grid {
        let farthest = shape.bounds().map_or(0.0, |b| {
            [b.min.0, b.min.1, b.max.0, b.max.1].iter().fold(0.0, |far: f64, v| far.max(v.abs()))
        });
        let power = (LEAST..=308).find(|n| power_of_ten(*n) >= farthest).unwrap_or(309);
        Grid { scale: power_of_ten(DIGITS - power) }
    }

    pub(super) fn spot(&self, p: Place) -> Spot {
        ((p.0 * self.scale) as i64, (p.1 * self.scale) as i64)
    }
}

/// On which side of the line from `a` to `b` a spot lies: less than none is to the right.
pub(super) fn side(a: Spot, b: Spot, p: Spot) -> Ordering {
    let wide = |from: i64, to: i64| i128::from(to) - i128::from(from);
    let left = wide(a.0, b.0) * wide(a.1, p.1);
    let right = wide(a.1, b.1) * wide(a.0, p.0);
    left.cmp(&right)
}

/// A way from one spot to another; a lone spot goes nowhere.
type Segment = (Spot, Spot);

/// Whether a spot on the line of a segment lies between its ends, or is one of them.
fn is_between(s: Segment, p: Spot) -> bool {
    let within = |a: i64, b: i64, v: i64| v >= a.min(b) && v <= a.max(b);
    within(s.0.0, s.1.0, p.0) && within(s.0.1, s.1.1, p.1)
}

/// Whether a spot lies upon a segment, elsewhere than at its ends.
fn is_upon(s: Segment, p: Spot) -> bool {
    p != s.0 && p != s.1 && is_between(s, p) && side(s.0, s.1, p).is_eq()
}

/// Whether two segments have more in common than ends.
fn interfere(a: Segment, b: Segment) -> bool {
    if is_upon(a, b.0) || is_upon(a, b.1) || is_upon(b, a.0) || is_upon(b, a.1) {
        return true;
    }
    let parted = |s: Segment, o: Segment| {
        let (from, to) = (side(s.0, s.1, o.0), side(s.0, s.1, o.1));
        from.is_ne() && to == from.reverse()
    };
    parted(a, b) && parted(b, a)
}

fn add_line(grid: &Grid, line: &[Place], out: &mut Vec<Segment>) {
    let mut spots: Vec<Spot> = line.iter().map(|p| grid.spot(*p)).collect();
    spots.dedup();
    match spots[..] {
        [lone] => out.push((lone, lone)),
        _ => out.extend(spots.windows(2).map(|w| (w[0], w[1]))),
    }
}

fn add(grid: &Grid, shape: &Shape, out: &mut Vec<Segment>) {
    match shape {
        Shape::Point(p) => add_line(grid, &[*p], out),
        Shape::Points(list) => list.iter().for_each(|p| add_line(grid, &[*p], out)),
        Shape::Line(line) => add_line(grid, line, out),
        Shape::Lines(lists) | Shape::Polygon(lists) => lists.iter().for_each(|l| add_line(grid, l, out)),
        Shape::Polygons(list) => list.iter().flatten().for_each(|l| add_line(grid, l, out)),
        Shape::Collection(list) => list.iter().for_each(|s| add(grid, s, out)),
    }
}

/// Whether at most two ends meet anywhere; a lone spot counts for both.
fn ends_are_few(segments: &[Segment]) -> bool {
    let mut ends: Vec<Spot> = segments.iter().flat_map(|s| [s.0, s.1]).collect();
    ends.sort_unstable();
    ends.chunk_by(|a, b| a == b).all(|same| same.len() <= 2)
}

/// Whether a shape neither crosses nor touches itself, but for two ends that meet.
///
/// # Errors
/// 1317 when the statement is killed.
pub(super) fn shape_is_simple(shape: &Shape, ctx: &EvalContext) -> SqlResult<bool> {
    let mut segments = Vec::new();
    add(&Grid::of(shape), shape, &mut segments);
    if !ends_are_few(&segments) {
        return Ok(false);
    }
    let span = |a: i64, b: i64| (a.min(b), a.max(b));
    segments.sort_unstable_by_key(|s| s.0.0.min(s.1.0));
    for (i, a) in segments.iter().enumerate() {
        ctx.check_killed()?;
        let (last, (low, high)) = (a.0.0.max(a.1.0), span(a.0.1, a.1.1));
        for b in segments[i + 1..].iter().take_while(|b| b.0.0.min(b.1.0) <= last) {
            let (from, to) = span(b.0.1, b.1.1);
            if from <= high && to >= low && interfere(*a, *b) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// 1, 0, or -1 for what is no geometry, NULL among it.
pub(super) fn is_simple(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let simple = match geometry(c, 0)? {
        Some((_, shape)) => i64::from(shape_is_simple(&shape, c.ctx)?),
        None => -1,
    };
    c.put_int(simple)
}

/// Whether lines are closed and simple; -1 for what is no line, NULL among it.
pub(super) fn is_a_ring(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some((_, shape)) = geometry(c, 0)? else { return c.put_int(-1) };
    let closed = match &shape {
        Shape::Line(line) => is_ring(line),
        Shape::Lines(list) => list.iter().all(|line| is_ring(line)),
        _ => return c.put_int(-1),
    };
    let ring = closed && shape_is_simple(&shape, c.ctx)?;
    c.put_int(i64::from(ring))
}

/// The places of one side of a hull, of those that come along it: where it turns, it turns to the right.
fn one_side<'p>(places: impl Iterator<Item = &'p (Spot, Place)>) -> Vec<(Spot, Place)> {
    let mut out: Vec<(Spot, Place)> = Vec::new();
    for p in places {
        while let [.., a, b] = out[..]
            && side(a.0, b.0, p.0).is_ge()
        {
            out.pop();
        }
        out.push(*p);
    }
    out
}

/// The smallest shape without a dent around another: an area that begins with its lowest place and goes on along its left side.
fn hull(shape: &Shape) -> Shape {
    let grid = Grid::of(shape);
    let mut places: Vec<(Spot, Place)> = Vec::new();
    shape.each_place(&mut |p| places.push((grid.spot(p), p)));
    // the first of several places that are the same stays
    places.sort_by_key(|(spot, _)| (spot.1, spot.0));
    places.dedup_by_key(|(spot, _)| *spot);
    let mut around = one_side(places.iter());
    let mut back = one_side(places.iter().rev());
    match (&around[..], &back[..]) {
        ([], _) => Shape::Collection(Vec::new()),
        ([one], _) => Shape::Point(one.1),
        ([from, to], [_, _]) => Shape::Line(vec![from.1, to.1]),
        _ => {
            around.pop();
            around.append(&mut back);
            Shape::Polygon(vec![around.into_iter().map(|(_, place)| place).collect()])
        }
    }
}

pub(super) fn convex_hull(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match geometry(c, 0)? {
        Some((_, shape)) => put_shape(c, 0, Some(hull(&shape))),
        None => c.null(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::geometry::text;

    fn around(written: &str) -> String {
        let mut out = Vec::new();
        text::write(&hull(&text::read(written.as_bytes()).expect("a shape")), &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn hulls() {
        assert_eq!(around("MULTIPOINT(1 1,1 1)"), "POINT(1 1)");
        assert_eq!(around("MULTIPOINT(5 1,1 5,3 3)"), "LINESTRING(5 1,1 5)");
        assert_eq!(around("MULTIPOINT(0 0,2 0,2 2,0 2,1 1)"), "POLYGON((0 0,0 2,2 2,2 0,0 0))");
        // seventeen digits make this straight
        assert_eq!(around("MULTIPOINT(0 0,0.1 0.3,0.3 0.9,0.7 2.1)"), "LINESTRING(0 0,0.7 2.1)");
        assert_eq!(
            around("MULTIPOINT(0 0,1e300 -1e300,-1e300 1e300)"),
            "LINESTRING(1e300 -1e300,-1e300 1e300)"
        );
        assert_eq!(around("GEOMETRYCOLLECTION EMPTY"), "GEOMETRYCOLLECTION EMPTY");
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        for far in [f64::MAX, 1e17, 1.0, f64::MIN_POSITIVE, 0.0] {
            let corners = Shape::Points(vec![(far, far), (-far, -far), (far, -far), (-far, far)]);
            let grid = Grid::of(&corners);
            let most = 100_000_000_000_000_001;
            assert!(grid.spot((far, 0.0)).0.abs() <= most);
            assert!(interfere(((-most, -most), (most, most)), ((-most, most), (most, -most))));
            hull(&corners);
        }
    }
}
