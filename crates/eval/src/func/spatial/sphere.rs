//! Distances on a sphere.

use super::{Call, Definition, Resolve, pure, too_deep};
use crate::error::{SqlError, SqlResult, codes};
use crate::types::FieldType;
use crate::types::geometry::{Place, Shape, kind_of};
use std::f64::consts::PI;

pub(super) const LIST: &[Definition] =
    &[pure("st_distance_sphere", 2, 255, distance_sphere_type, distance_sphere)];

/// Metres to the middle of the Earth, when nothing else is said.
const RADIUS: f64 = 6_370_986.0;

/// As messages about values have it.
const NAME: &str = "ST_Distance_Sphere";

fn distance_sphere_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.text(1)?;
    if r.len() == 3 {
        r.double(2)?;
    }
    Ok(FieldType::double())
}

fn unsupported() -> SqlError {
    SqlError::new(codes::ER_GIS_UNSUPPORTED_ARGUMENT, &[&"st_distance_sphere"])
}

/// The places of one or several points.
fn places(bytes: &[u8]) -> SqlResult<Vec<Place>> {
    match (Shape::of_column(bytes).map_err(too_deep)?, kind_of(bytes)) {
        (Some((_, Shape::Point(p))), _) => Ok(vec![p]),
        (Some((_, Shape::Points(list))), _) => Ok(list),
        (Some(_), _) | (None, Some(2 | 3 | 5..)) => Err(unsupported()),
        (None, Some(_)) => Err(SqlError::new(codes::ER_CANT_CREATE_GEOMETRY_OBJECT, &[])),
        (None, None) => Err(SqlError::new(codes::ER_GIS_INVALID_DATA, &[&NAME])),
    }
}

/// The shortest way along the surface from one of some points to one of others, each a longitude and a latitude in degrees.
fn distance_sphere(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(a), Some(b)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    // further arguments are not looked at, and then the third is not either
    let radius = if c.len() == 3 { c.double(2) } else { Some(RADIUS) };
    let Some(radius) = radius else { return c.null() };
    if radius <= 0.0 {
        return Err(unsupported());
    }
    let (a, b) = (places(a)?, places(b)?);
    let mut shortest = f64::INFINITY;
    for to in &b {
        c.ctx.check_killed()?;
        for from in &a {
            shortest = shortest.min(distance(*from, *to, radius)?);
        }
    }
    // a sphere that is too large has no distances
    c.put_double(if shortest.is_finite() { shortest } else { 0.0 })
}

fn out_of_range(what: &str) -> SqlError {
    SqlError::new(codes::ER_STD_OUT_OF_RANGE_ERROR, &[&what, &NAME])
}

/// By the haversine formula, in the order of MariaDB's operations.
fn distance(from: Place, to: Place, radius: f64) -> SqlResult<f64> {
    let within = |v: f64, most: f64| (-most..=most).contains(&v);
    if !within(from.0, 180.0) || !within(to.0, 180.0) {
        return Err(out_of_range("Longitude should be [-180,180]"));
    }
    if !within(from.1, 90.0) || !within(to.1, 90.0) {
        return Err(out_of_range("Latitude should be [-90,90]"));
    }
    let radians = |degrees: f64| degrees * PI / 180.0;
    let (lat1, lat2) = (radians(from.1), radians(to.1));
    let turned = radians(to.0) - radians(from.0);
    let square = |v: f64| v * v;
    let angle = square(((lat2 - lat1) / 2.0).sin()) + lat1.cos() * lat2.cos() * square((turned / 2.0).sin());
    // opposite places may come out a little beyond
    Ok(radius * 2.0 * angle.sqrt().min(1.0).asin())
}
