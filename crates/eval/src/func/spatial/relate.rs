//! Relations of the shapes themselves, by the crate `geo`. As the reference server has it, a shape contains what lies on its edge, and lines
//! cross and overlap that have a place in common without one being in the other.

use std::panic::{AssertUnwindSafe, catch_unwind};

use geo::relate::IntersectionMatrix;
use geo::{Coord, Distance, Euclidean, Geometry, LineString, MultiLineString, MultiPoint, MultiPolygon};
use geo::{Point, Polygon, Relate, Validation};

use super::super::{Call, Resolve};
use super::{check_own, geometry};
use crate::error::{SqlError, SqlResult};
use crate::types::geometry::{Bounds, Place, Shape};
use crate::types::{FieldType, Kind};

fn point(p: Place) -> Point {
    Point::new(p.0, p.1)
}

/// A line without places that repeat the one before.
fn line(places: &[Place]) -> LineString {
    let mut out: Vec<Coord> = places.iter().map(|p| Coord { x: p.0, y: p.1 }).collect();
    out.dedup();
    LineString::new(out)
}

/// A line of one place is that place.
fn line_or_point(places: &[Place]) -> Geometry {
    let line = line(places);
    match line.0[..] {
        [one] => Geometry::Point(one.into()),
        _ => Geometry::LineString(line),
    }
}

fn polygon(rings: &[Vec<Place>]) -> Option<Polygon> {
    let mut rings = rings.iter().map(|ring| line(ring));
    let outer = rings.next().filter(|ring| ring.0.len() > 3)?;
    Some(Polygon::new(outer, rings.collect()))
}

/// A shape as `geo` has it. Where its own kind cannot have it, it is one of fewer dimensions.
fn drawn(shape: &Shape) -> Geometry {
    let collected = |all: Vec<Geometry>| Geometry::GeometryCollection(all.into());
    match shape {
        Shape::Point(p) => Geometry::Point(point(*p)),
        Shape::Line(places) => line_or_point(places),
        Shape::Polygon(rings) => match polygon(rings) {
            Some(polygon) => Geometry::Polygon(polygon),
            None => rings.first().map_or_else(|| collected(Vec::new()), |ring| line_or_point(ring)),
        },
        Shape::Points(list) => {
            Geometry::MultiPoint(MultiPoint::new(list.iter().map(|p| point(*p)).collect()))
        }
        Shape::Lines(list) => {
            let lines: Vec<LineString> = list.iter().map(|l| line(l)).collect();
            match lines.iter().all(|line| line.0.len() > 1) {
                true => Geometry::MultiLineString(MultiLineString::new(lines)),
                false => collected(list.iter().map(|l| line_or_point(l)).collect()),
            }
        }
        Shape::Polygons(list) => match list.iter().map(|rings| polygon(rings)).collect::<Option<Vec<_>>>() {
            Some(polygons) => Geometry::MultiPolygon(MultiPolygon::new(polygons)),
            None => collected(list.iter().map(|rings| drawn(&Shape::Polygon(rings.clone()))).collect()),
        },
        Shape::Collection(list) => collected(list.iter().map(drawn).collect()),
    }
}

/// Two shapes of the arguments; none where one is NULL, no geometry, or without places.
fn pair(c: &Call<'_, '_>) -> SqlResult<Option<(Shape, Shape)>> {
    let (Some((_, a)), Some((_, b))) = (geometry(c, 0)?, geometry(c, 1)?) else { return Ok(None) };
    Ok(Some((a, b)).filter(|(a, b)| a.bounds().is_some() && b.bounds().is_some()))
}

/// What interiors, edges and outsides of two shapes have in common.
fn matrix(a: &Shape, b: &Shape) -> SqlResult<IntersectionMatrix> {
    let (a, b) = (drawn(a), drawn(b));
    let related = || (a.is_valid() && b.is_valid()).then(|| a.relate(&b));
    // its algorithms are made for shapes that are drawn well
    match catch_unwind(AssertUnwindSafe(related)) {
        Ok(Some(matrix)) => Ok(matrix),
        Ok(None) | Err(_) => {
            Err(SqlError::not_supported("relations of shapes that cross themselves or are not drawn well"))
        }
    }
}

/// Whether a shape neither crosses itself nor has parts that overlap.
pub(super) fn is_drawn_well(shape: &Shape) -> bool {
    let shape = drawn(shape);
    catch_unwind(AssertUnwindSafe(|| shape.is_valid())).unwrap_or(false)
}

fn apart(a: &Shape, b: &Shape) -> bool {
    a.bounds().zip(b.bounds()).is_none_or(|(a, b)| !a.intersects(&b))
}

fn put(c: &mut Call<'_, '_>, holds: Option<bool>) -> SqlResult<()> {
    c.put_opt_int(holds.map(i64::from))
}

/// A relation that shapes with nothing in common do not have.
fn related(c: &mut Call<'_, '_>, holds: fn(&IntersectionMatrix) -> bool) -> SqlResult<()> {
    let found = match pair(c)? {
        None => None,
        Some((a, b)) if apart(&a, &b) => Some(false),
        Some((a, b)) => Some(holds(&matrix(&a, &b)?)),
    };
    put(c, found)
}

pub(super) fn contains(c: &mut Call<'_, '_>) -> SqlResult<()> {
    related(c, IntersectionMatrix::is_covers)
}

pub(super) fn within(c: &mut Call<'_, '_>) -> SqlResult<()> {
    related(c, IntersectionMatrix::is_coveredby)
}

pub(super) fn intersects(c: &mut Call<'_, '_>) -> SqlResult<()> {
    related(c, IntersectionMatrix::is_intersects)
}

pub(super) fn touches(c: &mut Call<'_, '_>) -> SqlResult<()> {
    related(c, IntersectionMatrix::is_touches)
}

pub(super) fn equals(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let found = match pair(c)? {
        None => None,
        Some((a, b)) if a.bounds() != b.bounds() => Some(false),
        Some((a, b)) if a == b => Some(true),
        Some((a, b)) => Some(matrix(&a, &b)?.is_equal_topo()),
    };
    put(c, found)
}

pub(super) fn disjoint(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let found = match pair(c)? {
        None => None,
        Some((a, b)) => Some(apart(&a, &b) || matrix(&a, &b)?.is_disjoint()),
    };
    put(c, found)
}

/// Whether two shapes have something in common and neither is in the other.
fn partly(a: &Shape, b: &Shape) -> SqlResult<bool> {
    if apart(a, b) {
        return Ok(false);
    }
    let matrix = matrix(a, b)?;
    Ok(matrix.is_intersects() && !matrix.is_covers() && !matrix.is_coveredby())
}

pub(super) fn crosses(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let found = match pair(c)? {
        None
        | Some((Shape::Polygon(_) | Shape::Polygons(_), _) | (_, Shape::Point(_) | Shape::Points(_))) => None,
        Some((a, b)) => Some(partly(&a, &b)?),
    };
    put(c, found)
}

pub(super) fn overlaps(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let found = match pair(c)? {
        None => None,
        Some((a, b)) => Some(a.dimension() == b.dimension() && partly(&a, &b)?),
    };
    put(c, found)
}

pub(super) fn distance(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some((a, b)) = pair(c)? else { return c.null() };
    let (a, b) = (drawn(&a), drawn(&b));
    match catch_unwind(AssertUnwindSafe(|| Euclidean.distance(&a, &b))) {
        Ok(distance) => c.put_double(distance),
        Err(_) => Err(SqlError::not_supported("distances of shapes that are not drawn well")),
    }
}

pub(super) fn distance_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    check_own(r, 2)?;
    Ok(FieldType::double())
}

pub(super) fn relate_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    check_own(r, 2)?;
    r.plain_text(2)?;
    Ok(FieldType { boolean: true, ..FieldType::new(Kind::Long, 1, 0) })
}

/// Nine letters: T for something, F for nothing, * for either; digits are T.
pub(super) fn relate(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some((a, b)), Some(text)) = (pair(c)?, c.bytes(2)) else { return c.null() };
    let letter = |letter: &u8| match letter {
        b'T' | b'F' | b'*' => Some(char::from(*letter)),
        b'0' | b'1' | b'2' => Some('T'),
        _ => None,
    };
    let Some(spec) = text.iter().map(letter).collect::<Option<String>>() else { return c.null() };
    let holds = matrix(&a, &b)?.matches(&spec).ok();
    put(c, holds)
}

/// Whether two rectangles of equal dimension have one of that in common, and neither is in the other.
pub(super) fn rectangles_overlap(a: &Bounds, b: &Bounds) -> bool {
    let dimension = |min: Place, max: Place| u8::from(min.0 < max.0) + u8::from(min.1 < max.1);
    let low = (a.min.0.max(b.min.0), a.min.1.max(b.min.1));
    let high = (a.max.0.min(b.max.0), a.max.1.min(b.max.1));
    let own = dimension(a.min, a.max);
    a.intersects(b)
        && own == dimension(b.min, b.max)
        && own == dimension(low, high)
        && !a.contains(b)
        && !b.contains(a)
}
