//! Middles and edges of shapes, and places within them.

use super::measure::rings_area;
use super::{Call, as_line, as_point, geometry, put_shape};
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::types::geometry::{Place, Shape};

/// The middle of the area within a ring, and that area. A ring around nothing has the mean of its places.
fn ring_centre(ring: &[Place]) -> (Place, f64) {
    let (mut x, mut y, mut twice) = (0.0, 0.0, 0.0);
    for w in ring.windows(2) {
        let part = w[0].0 * w[1].1 - w[1].0 * w[0].1;
        twice += part;
        x += (w[0].0 + w[1].0) * part;
        y += (w[0].1 + w[1].1) * part;
    }
    if twice != 0.0 {
        return ((x / twice / 3.0, y / twice / 3.0), f64::abs(twice) / 2.0);
    }
    // the first place is the last one as well
    let counted = if ring.len() > 1 { &ring[1..] } else { ring };
    let sum = counted.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
    let n = counted.len().max(1) as f64;
    ((sum.0 / n, sum.1 / n), 0.0)
}

/// The sum of places, each as often as its weight says, and of the weights.
#[derive(Default)]
struct Balance {
    sum: Place,
    weight: f64,
}

impl Balance {
    fn add(&mut self, p: Place, weight: f64) {
        self.sum = (self.sum.0 + p.0 * weight, self.sum.1 + p.1 * weight);
        self.weight += weight;
    }

    /// The middle; where nothing weighs anything, it is where both coordinates are 0.
    fn middle(&self) -> Place {
        let weight = self.weight.abs();
        if weight == 0.0 { (0.0, 0.0) } else { (self.sum.0 / weight, self.sum.1 / weight) }
    }
}

fn rings_centre(rings: &[Vec<Place>]) -> Place {
    let Some((outer, holes)) = rings.split_first() else { return (0.0, 0.0) };
    let (middle, area) = ring_centre(outer);
    if holes.is_empty() {
        return middle;
    }
    let mut balance = Balance::default();
    balance.add(middle, area);
    for hole in holes {
        let (middle, area) = ring_centre(hole);
        balance.add(middle, -area);
    }
    balance.middle()
}

/// The middle of areas; of other shapes none.
pub(super) fn centroid(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some((srid, shape)) = geometry(c, 0)? else { return c.null() };
    let middle = match shape {
        Shape::Polygon(rings) => rings_centre(&rings),
        Shape::Polygons(list) => {
            let mut balance = Balance::default();
            list.iter().for_each(|rings| balance.add(rings_centre(rings), rings_area(rings)));
            balance.middle()
        }
        _ => return c.null(),
    };
    if !middle.0.is_finite() || !middle.1.is_finite() {
        return c.null();
    }
    put_shape(c, srid, Some(Shape::Point(middle)))
}

/// The parts of a shape's edge: ends of lines, rings of areas.
fn edges(shape: &Shape, out: &mut Vec<Shape>) {
    let distinct = |line: &[Place]| {
        let mut line = line.to_vec();
        line.dedup();
        line
    };
    match shape {
        Shape::Point(_) | Shape::Points(_) => {}
        Shape::Line(line) => match distinct(line)[..] {
            [one] => out.push(Shape::Point(one)),
            [first, .., last] => out.extend([Shape::Point(first), Shape::Point(last)]),
            [] => {}
        },
        Shape::Lines(list) => list.iter().for_each(|line| edges(&Shape::Line(line.clone()), out)),
        Shape::Polygon(rings) => {
            for ring in rings {
                let ring = distinct(ring);
                out.push(match ring[..] {
                    [one] => Shape::Point(one),
                    _ => Shape::Line(ring),
                });
            }
        }
        Shape::Polygons(list) => list.iter().for_each(|rings| edges(&Shape::Polygon(rings.clone()), out)),
        Shape::Collection(list) => list.iter().for_each(|s| edges(s, out)),
    }
}

/// Several shapes as one, of the narrowest kind that has them.
pub(super) fn together(mut parts: Vec<Shape>) -> Shape {
    if let [_] = parts[..] {
        return parts.swap_remove(0);
    }
    let all = |number: u32| !parts.is_empty() && parts.iter().all(|s| s.number() == number);
    let (points, lines, areas) = (all(1), all(2), all(3));
    let parts = parts.into_iter();
    if points {
        Shape::Points(parts.filter_map(as_point).collect())
    } else if lines {
        Shape::Lines(parts.filter_map(as_line).collect())
    } else if areas {
        let rings = |s| if let Shape::Polygon(rings) = s { Some(rings) } else { None };
        Shape::Polygons(parts.filter_map(rings).collect())
    } else {
        Shape::Collection(parts.collect())
    }
}

pub(super) fn boundary(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some((_, shape)) = geometry(c, 0)? else { return c.null() };
    let mut parts = Vec::new();
    edges(&shape, &mut parts);
    put_shape(c, 0, Some(together(parts)))
}

/// A way upwards.
#[derive(Clone, Copy)]
struct Slope {
    low: Place,
    high: Place,
}

impl Slope {
    fn of(a: Place, b: Place) -> Option<Slope> {
        match a.1.partial_cmp(&b.1)? {
            std::cmp::Ordering::Less => Some(Slope { low: a, high: b }),
            std::cmp::Ordering::Greater => Some(Slope { low: b, high: a }),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Where it is at this height, in the order of the reference server's operations.
    fn at(&self, y: f64) -> f64 {
        let (low, high) = (self.low, self.high);
        low.0 + (y - low.1) * (high.0 - low.0) / (high.1 - low.1)
    }

    /// The height at which it meets another one.
    fn meets(&self, other: &Slope) -> f64 {
        let way = |s: &Slope| (s.high.0 - s.low.0, s.high.1 - s.low.1);
        let (a, b) = (way(self), way(other));
        let apart = (other.low.0 - self.low.0, other.low.1 - self.low.1);
        let share = (apart.0 * b.1 - apart.1 * b.0) / (a.0 * b.1 - a.1 * b.0);
        self.low.1 + share * a.1
    }
}

/// All ways upwards in a shape, and the heights of its places.
fn slopes(shape: &Shape, ways: &mut Vec<Slope>, heights: &mut Vec<f64>) {
    let mut along = |line: &[Place]| {
        heights.extend(line.iter().map(|p| p.1));
        ways.extend(line.windows(2).filter_map(|w| Slope::of(w[0], w[1])));
    };
    match shape {
        Shape::Point(p) => along(&[*p]),
        Shape::Points(list) => list.iter().for_each(|p| along(&[*p])),
        Shape::Line(line) => along(line),
        Shape::Lines(lists) | Shape::Polygon(lists) => lists.iter().for_each(|line| along(line)),
        Shape::Polygons(list) => list.iter().flatten().for_each(|line| along(line)),
        Shape::Collection(list) => list.iter().for_each(|s| slopes(s, ways, heights)),
    }
}

/// Where the next two of the ways meet between two heights; the upper one where none do.
fn next_crossing(ways: &mut [Slope], from: f64, to: f64) -> f64 {
    ways.sort_by(|a, b| a.at(from).total_cmp(&b.at(from)).then(a.at(to).total_cmp(&b.at(to))));
    let crossed = ways.windows(2).filter(|w| w[0].at(to) > w[1].at(to)).map(|w| w[0].meets(&w[1]));
    crossed.filter(|y| *y > from && *y < to).fold(to, f64::min)
}

/// A way that waits for the one that closes what it opens.
#[derive(Clone, Copy)]
enum Open {
    None,
    /// It is of a slice below: what closes it leaves nothing between them.
    Below,
    At(f64),
}

/// A place within the lowest slice that is not empty between two ways through it. As there, lines are the sides of areas as
/// well.
fn place_within(shape: &Shape, ctx: &EvalContext) -> SqlResult<Option<Place>> {
    let (mut ways, mut heights) = (Vec::new(), Vec::new());
    slopes(shape, &mut ways, &mut heights);
    ways.sort_by(|a, b| a.low.1.total_cmp(&b.low.1));
    heights.sort_by(f64::total_cmp);
    heights.dedup();
    let mut ahead = ways.into_iter().peekable();
    let (mut here, mut open) = (Vec::new(), Open::None);
    for w in heights.windows(2) {
        let (mut from, top) = (w[0], w[1]);
        here.retain(|s: &Slope| s.high.1 > from);
        here.extend(std::iter::from_fn(|| ahead.next_if(|s| s.low.1 <= from)));
        while from < top && !here.is_empty() {
            ctx.check_killed()?;
            let to = next_crossing(&mut here, from, top);
            let y = from + (to - from) / 2.0;
            let mut sides: Vec<f64> = here.iter().map(|s| s.at(y)).collect();
            sides.sort_by(f64::total_cmp);
            if let Open::At(_) = open {
                open = Open::Below;
            }
            for x in sides {
                open = match open {
                    Open::None => Open::At(x),
                    Open::At(left) if x > left => return Ok(Some(((left + x) / 2.0, y))),
                    Open::At(_) | Open::Below => Open::None,
                };
            }
            from = to;
        }
    }
    Ok(None)
}

pub(super) fn point_on_surface(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some((srid, shape)) = geometry(c, 0)? else { return c.null() };
    let place = place_within(&shape, c.ctx)?;
    let finite = place.filter(|p| p.0.is_finite() && p.1.is_finite());
    put_shape(c, srid, finite.map(Shape::Point))
}
