//! What is measured of geometries: areas and lengths.

use crate::types::geometry::{Place, Shape};

/// The area within a ring, summed up in the order of the reference server: so the last digit is the same.
fn ring_area(ring: &[Place]) -> f64 {
    ring.windows(2).map(|w| (w[0].0 + w[1].0) * (w[0].1 - w[1].1)).sum::<f64>().abs() / 2.0
}

/// The area of a polygon: that of its first ring without those of the others.
pub(super) fn rings_area(rings: &[Vec<Place>]) -> f64 {
    let mut areas = rings.iter().map(|r| ring_area(r));
    let outer = areas.next().unwrap_or(0.0);
    areas.fold(outer, |left, hole| left - hole).abs()
}

/// The area; none of several points or lines, and of what has such parts.
pub(super) fn area(shape: &Shape) -> Option<f64> {
    Some(match shape {
        Shape::Polygon(rings) => rings_area(rings),
        Shape::Polygons(list) => list.iter().map(|rings| rings_area(rings)).sum(),
        Shape::Collection(list) => return list.iter().map(area).sum(),
        Shape::Point(_) | Shape::Line(_) => 0.0,
        Shape::Points(_) | Shape::Lines(_) => return None,
    })
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
