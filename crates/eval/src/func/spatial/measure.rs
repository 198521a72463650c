//! What is measured of geometries: areas, lengths, whether lines cross themselves.

use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::types::geometry::{Place, Shape};

/// Twice the area within a ring, with the sign of its direction.
fn ring_area(ring: &[Place]) -> f64 {
    ring.windows(2).map(|w| w[0].0 * w[1].1 - w[0].1 * w[1].0).sum::<f64>()
}

fn rings_area(rings: &[Vec<Place>]) -> f64 {
    let mut areas = rings.iter().map(|r| ring_area(r).abs() / 2.0);
    let outer = areas.next().unwrap_or(0.0);
    (outer - areas.sum::<f64>()).abs()
}

/// The area; none of several points.
pub(super) fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Polygon(rings) => rings_area(rings),
        Shape::Polygons(list) => list.iter().map(|rings| rings_area(rings)).sum(),
        Shape::Collection(list) => list.iter().map(area).sum(),
        _ => 0.0,
    }
}

fn line_length(line: &[Place]) -> f64 {
    line.windows(2).map(|w| ((w[0].0 - w[1].0).powi(2) + (w[0].1 - w[1].1).powi(2)).sqrt()).sum()
}

/// The length; of lines and points, else none.
pub(super) fn length(shape: &Shape) -> Option<f64> {
    match shape {
        Shape::Point(_) => Some(0.0),
        Shape::Line(line) => Some(line_length(line)),
        Shape::Lines(list) => Some(list.iter().map(|line| line_length(line)).sum()),
        Shape::Collection(list) => list.iter().map(length).sum(),
        _ => None,
    }
}

/// On which side of the line from `a` to `b` the place lies.
fn side(a: Place, b: Place, p: Place) -> f64 {
    (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0)
}

fn is_between(a: Place, b: Place, p: Place) -> bool {
    p.0 >= a.0.min(b.0) && p.0 <= a.0.max(b.0) && p.1 >= a.1.min(b.1) && p.1 <= a.1.max(b.1)
}

/// Whether two segments have a place in common.
fn meet(a: (Place, Place), b: (Place, Place)) -> bool {
    let (s1, s2) = (side(a.0, a.1, b.0), side(a.0, a.1, b.1));
    let (s3, s4) = (side(b.0, b.1, a.0), side(b.0, b.1, a.1));
    if s1 * s2 < 0.0 && s3 * s4 < 0.0 {
        return true;
    }
    s1 == 0.0 && is_between(a.0, a.1, b.0)
        || s2 == 0.0 && is_between(a.0, a.1, b.1)
        || s3 == 0.0 && is_between(b.0, b.1, a.0)
        || s4 == 0.0 && is_between(b.0, b.1, a.1)
}

/// Whether a line neither crosses nor touches itself, but for its two ends.
///
/// # Errors
/// 1317 when the statement is killed.
pub(super) fn is_simple_line(line: &[Place], ctx: &EvalContext) -> SqlResult<bool> {
    let mut places = line.to_vec();
    places.dedup();
    let segments: Vec<(Place, Place)> = places.windows(2).map(|w| (w[0], w[1])).collect();
    let closed = places.first() == places.last();
    if closed && segments.len() == 2 {
        return Ok(true);
    }
    for (i, a) in segments.iter().enumerate() {
        ctx.check_killed()?;
        for (j, b) in segments.iter().enumerate().skip(i + 1) {
            let touches = match (j == i + 1, closed && i == 0 && j + 1 == segments.len()) {
                // one goes back over the other
                (true, _) => {
                    side(a.0, a.1, b.1) == 0.0 && is_between(a.0, a.1, b.1) || {
                        side(b.0, b.1, a.0) == 0.0 && is_between(b.0, b.1, a.0) && a.0 != b.1
                    }
                }
                (false, true) => {
                    side(b.0, b.1, a.1) == 0.0 && is_between(b.0, b.1, a.1)
                        || side(a.0, a.1, b.0) == 0.0 && is_between(a.0, a.1, b.0)
                }
                (false, false) => meet(*a, *b),
            };
            if touches {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
