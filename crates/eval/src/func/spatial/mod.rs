//! Functions of geometries: made of texts, bytes and each other, taken apart, measured; their smallest rectangles compared.
//! Relations of the shapes themselves are in `relate`, what needs exact numbers in `grid`, middles and edges in `surface`.

mod geojson;
mod grid;
mod measure;
mod overlay;
mod relate;
mod sphere;
mod surface;

use super::{Call, Definition, Resolve, longest_text, pure, statement};
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::Node;
use crate::types::geometry::{Bounds, Place, Shape, TooDeep, is_ring, text};
use crate::types::{Derivation, FieldType, Kind, Value};
use schema::definition::GeometryKind;

/// All of them, in several lists.
pub(super) const LISTS: [&[Definition]; 3] = [LIST, geojson::LIST, sphere::LIST];

const LIST: &[Definition] = &[
    pure("st_geometryfromtext", 1, 2, from_text_type, from_text),
    pure("st_geometryfromwkb", 1, 2, from_binary_type, from_binary),
    pure("st_astext", 1, 1, as_text_type, as_text),
    pure("st_aswkb", 1, 1, as_binary_type, as_binary),
    pure("point", 2, 2, point_type, point),
    pure("linestring", 1, 255, |r| made_type(r, GeometryKind::LineString), line_string),
    pure("polygon", 1, 255, |r| made_type(r, GeometryKind::Polygon), polygon),
    pure("multipoint", 1, 255, |r| made_type(r, GeometryKind::MultiPoint), multi_point),
    pure("multilinestring", 1, 255, |r| made_type(r, GeometryKind::MultiLineString), multi_line_string),
    pure("multipolygon", 1, 255, |r| made_type(r, GeometryKind::MultiPolygon), multi_polygon),
    pure("geometrycollection", 1, 255, |r| made_type(r, GeometryKind::Collection), collection),
    pure("st_x", 1, 1, double_type, |c| coordinate(c, |p| p.0)),
    pure("st_y", 1, 1, double_type, |c| coordinate(c, |p| p.1)),
    pure("srid", 1, 1, |r| int_type(r, 10), srid),
    pure("st_dimension", 1, 1, |r| int_type(r, 10), |c| number(c, |s| Some(s.dimension()))),
    pure("st_numpoints", 1, 1, |r| int_type(r, 10), |c| number(c, points_of)),
    pure("st_numgeometries", 1, 1, |r| int_type(r, 10), |c| number(c, parts_of)),
    pure("st_numinteriorrings", 1, 1, |r| int_type(r, 10), |c| number(c, holes_of)),
    pure("st_isempty", 1, 1, |r| int_type(r, 21), |c| number(c, |_| Some(0))),
    pure("st_isclosed", 1, 1, |r| int_type(r, 2), is_closed),
    pure("st_issimple", 1, 1, |r| int_type(r, 2), grid::is_simple),
    pure("st_isring", 1, 1, |r| int_type(r, 2), grid::is_a_ring),
    pure("st_convexhull", 1, 1, |r| taken_type(r, GeometryKind::Geometry), grid::convex_hull),
    pure("st_centroid", 1, 1, |r| taken_type(r, GeometryKind::Point), surface::centroid),
    pure("st_pointonsurface", 1, 1, |r| taken_type(r, GeometryKind::Point), surface::point_on_surface),
    pure("st_boundary", 1, 1, |r| taken_type(r, GeometryKind::Geometry), surface::boundary),
    pure("st_geometrytype", 1, 1, geometry_type_type, geometry_type),
    pure("st_area", 1, 1, double_type, area),
    pure("st_length", 1, 1, double_type, length),
    pure("st_envelope", 1, 1, |r| taken_type(r, GeometryKind::Polygon), envelope),
    pure(
        "st_startpoint",
        1,
        1,
        |r| taken_type(r, GeometryKind::Geometry),
        |c| end_of_line(c, <[Place]>::first),
    ),
    pure("st_endpoint", 1, 1, |r| taken_type(r, GeometryKind::Geometry), |c| end_of_line(c, <[Place]>::last)),
    pure("st_exteriorring", 1, 1, |r| taken_type(r, GeometryKind::Geometry), exterior_ring),
    pure("st_pointn", 2, 2, nth_type, |c| nth(c, point_n)),
    pure("st_geometryn", 2, 2, nth_type, |c| nth(c, geometry_n)),
    pure("st_interiorringn", 2, 2, nth_type, |c| nth(c, ring_n)),
    pure("mbrequals", 2, 2, pair_type, |c| compare(c, |a, b| a == b)),
    pure("mbrcontains", 2, 2, pair_type, |c| compare(c, Bounds::contains)),
    pure("mbrwithin", 2, 2, pair_type, |c| compare(c, Bounds::within)),
    pure("mbrintersects", 2, 2, pair_type, |c| compare(c, Bounds::intersects)),
    pure("mbrdisjoint", 2, 2, pair_type, |c| compare(c, |a, b| !a.intersects(b))),
    pure("mbroverlaps", 2, 2, pair_type, |c| compare(c, relate::rectangles_overlap)),
    pure("st_equals", 2, 2, pair_type, relate::equals),
    pure("st_contains", 2, 2, pair_type, relate::contains),
    pure("st_within", 2, 2, pair_type, relate::within),
    pure("st_intersects", 2, 2, pair_type, relate::intersects),
    pure("st_disjoint", 2, 2, pair_type, relate::disjoint),
    pure("st_touches", 2, 2, pair_type, relate::touches),
    pure("st_crosses", 2, 2, pair_type, relate::crosses),
    pure("st_overlaps", 2, 2, pair_type, relate::overlaps),
    pure("st_relate", 3, 3, relate::relate_type, relate::relate),
    pure("st_union", 2, 2, overlay::two_type, overlay::union),
    pure("st_intersection", 2, 2, overlay::two_type, overlay::intersection),
    pure("st_difference", 2, 2, overlay::two_type, overlay::difference),
    pure("st_symdifference", 2, 2, overlay::two_type, overlay::sym_difference),
    pure("st_distance", 2, 2, relate::distance_type, relate::distance),
];

/// Other names of these.
pub(super) const SYNONYMS: &[(&str, &str)] = &[
    ("geomfromtext", "st_geometryfromtext"),
    ("geometryfromtext", "st_geometryfromtext"),
    ("st_geomfromtext", "st_geometryfromtext"),
    ("pointfromtext", "st_geometryfromtext"),
    ("st_pointfromtext", "st_geometryfromtext"),
    ("linefromtext", "st_geometryfromtext"),
    ("st_linefromtext", "st_geometryfromtext"),
    ("linestringfromtext", "st_geometryfromtext"),
    ("st_linestringfromtext", "st_geometryfromtext"),
    ("polyfromtext", "st_geometryfromtext"),
    ("st_polyfromtext", "st_geometryfromtext"),
    ("polygonfromtext", "st_geometryfromtext"),
    ("st_polygonfromtext", "st_geometryfromtext"),
    ("mpointfromtext", "st_geometryfromtext"),
    ("st_mpointfromtext", "st_geometryfromtext"),
    ("multipointfromtext", "st_geometryfromtext"),
    ("st_multipointfromtext", "st_geometryfromtext"),
    ("mlinefromtext", "st_geometryfromtext"),
    ("st_mlinefromtext", "st_geometryfromtext"),
    ("multilinestringfromtext", "st_geometryfromtext"),
    ("st_multilinestringfromtext", "st_geometryfromtext"),
    ("mpolyfromtext", "st_geometryfromtext"),
    ("st_mpolyfromtext", "st_geometryfromtext"),
    ("multipolygonfromtext", "st_geometryfromtext"),
    ("st_multipolygonfromtext", "st_geometryfromtext"),
    ("geomcollfromtext", "st_geometryfromtext"),
    ("st_geomcollfromtext", "st_geometryfromtext"),
    ("geometrycollectionfromtext", "st_geometryfromtext"),
    ("st_geometrycollectionfromtext", "st_geometryfromtext"),
    ("geomfromwkb", "st_geometryfromwkb"),
    ("geometryfromwkb", "st_geometryfromwkb"),
    ("st_geomfromwkb", "st_geometryfromwkb"),
    ("pointfromwkb", "st_geometryfromwkb"),
    ("st_pointfromwkb", "st_geometryfromwkb"),
    ("linefromwkb", "st_geometryfromwkb"),
    ("st_linefromwkb", "st_geometryfromwkb"),
    ("linestringfromwkb", "st_geometryfromwkb"),
    ("st_linestringfromwkb", "st_geometryfromwkb"),
    ("polyfromwkb", "st_geometryfromwkb"),
    ("st_polyfromwkb", "st_geometryfromwkb"),
    ("polygonfromwkb", "st_geometryfromwkb"),
    ("st_polygonfromwkb", "st_geometryfromwkb"),
    ("mpointfromwkb", "st_geometryfromwkb"),
    ("st_mpointfromwkb", "st_geometryfromwkb"),
    ("multipointfromwkb", "st_geometryfromwkb"),
    ("st_multipointfromwkb", "st_geometryfromwkb"),
    ("mlinefromwkb", "st_geometryfromwkb"),
    ("st_mlinefromwkb", "st_geometryfromwkb"),
    ("multilinestringfromwkb", "st_geometryfromwkb"),
    ("st_multilinestringfromwkb", "st_geometryfromwkb"),
    ("mpolyfromwkb", "st_geometryfromwkb"),
    ("st_mpolyfromwkb", "st_geometryfromwkb"),
    ("multipolygonfromwkb", "st_geometryfromwkb"),
    ("st_multipolygonfromwkb", "st_geometryfromwkb"),
    ("geomcollfromwkb", "st_geometryfromwkb"),
    ("st_geomcollfromwkb", "st_geometryfromwkb"),
    ("geometrycollectionfromwkb", "st_geometryfromwkb"),
    ("st_geometrycollectionfromwkb", "st_geometryfromwkb"),
    ("astext", "st_astext"),
    ("aswkt", "st_astext"),
    ("st_aswkt", "st_astext"),
    ("aswkb", "st_aswkb"),
    ("asbinary", "st_aswkb"),
    ("st_asbinary", "st_aswkb"),
    ("x", "st_x"),
    ("y", "st_y"),
    ("st_srid", "srid"),
    ("dimension", "st_dimension"),
    ("numpoints", "st_numpoints"),
    ("numgeometries", "st_numgeometries"),
    ("numinteriorrings", "st_numinteriorrings"),
    ("isempty", "st_isempty"),
    ("isclosed", "st_isclosed"),
    ("issimple", "st_issimple"),
    ("isring", "st_isring"),
    ("convexhull", "st_convexhull"),
    ("centroid", "st_centroid"),
    ("pointonsurface", "st_pointonsurface"),
    ("boundary", "st_boundary"),
    ("geometrytype", "st_geometrytype"),
    ("area", "st_area"),
    ("glength", "st_length"),
    ("envelope", "st_envelope"),
    ("startpoint", "st_startpoint"),
    ("endpoint", "st_endpoint"),
    ("exteriorring", "st_exteriorring"),
    ("pointn", "st_pointn"),
    ("geometryn", "st_geometryn"),
    ("interiorringn", "st_interiorringn"),
    ("mbrequal", "mbrequals"),
    ("intersects", "mbrintersects"),
    ("disjoint", "mbrdisjoint"),
    ("equals", "st_equals"),
    ("contains", "st_contains"),
    ("within", "st_within"),
    ("touches", "st_touches"),
    ("mbrtouches", "st_touches"),
    ("crosses", "st_crosses"),
    ("overlaps", "mbroverlaps"),
];

/// Open brackets of a text from which on MariaDB has no stack for it.
const DEEP_TEXT: usize = 2000;

fn too_deep(_: TooDeep) -> SqlError {
    let stack = 299_008;
    SqlError::new(crate::error::ER_STACK_OVERRUN_NEED_MORE, &[&stack, &stack, &16000])
}

/// 4079 for an argument that cannot be a geometry.
fn check(r: &Resolve<'_>, i: usize, name: &str) -> SqlResult<()> {
    let Some(argument) = r.args.get(i) else { return Ok(()) };
    // what a parameter is becomes known when it has its value
    if matches!(argument.node, Node::Param(_)) {
        return Ok(());
    }
    let ty = &argument.ty;
    let bytes = ty.is_string() && ty.collation.id == 63 && !ty.is_address() && ty.values.is_none();
    if ty.kind == Kind::Null || bytes {
        return Ok(());
    }
    Err(illegal(ty, name))
}

fn illegal(ty: &FieldType, name: &str) -> SqlError {
    SqlError::new(codes::ER_ILLEGAL_PARAMETER_DATA_TYPE_FOR_OPERATION, &[&ty.sql_name(), &name])
}

/// The canonical name of the function that is bound.
fn name_of<'a>(r: &'a Resolve<'_>) -> &'a str {
    let lower = r.name.to_ascii_lowercase();
    let synonym = SYNONYMS.iter().find(|(name, _)| *name == lower).map(|(_, own)| *own);
    synonym
        .or_else(|| LISTS.iter().copied().flatten().find(|d| d.name == lower).map(|d| d.name))
        .unwrap_or(r.name)
}

fn check_own(r: &Resolve<'_>, count: usize) -> SqlResult<()> {
    (0..count).try_for_each(|i| check(r, i, name_of(r)))
}

fn double_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    check_own(r, 1)?;
    Ok(FieldType::double())
}

fn int_type(r: &mut Resolve<'_>, length: u32) -> SqlResult<FieldType> {
    check_own(r, 1)?;
    Ok(FieldType::new(Kind::Long, length, 0))
}

fn pair_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    check_own(r, 2)?;
    Ok(FieldType { boolean: true, ..FieldType::new(Kind::Long, 1, 0) })
}

fn taken_type(r: &mut Resolve<'_>, kind: GeometryKind) -> SqlResult<FieldType> {
    check_own(r, 1)?;
    Ok(FieldType::geometry(kind))
}

fn nth_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    check_own(r, 1)?;
    r.int(1)?;
    Ok(FieldType::geometry(GeometryKind::Geometry))
}

fn from_text_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    if let Some(ty) = r.args.first().map(|a| &a.ty).filter(|t| !t.is_string() && t.kind != Kind::Null) {
        return Err(illegal(ty, "st_geometryfromtext"));
    }
    r.plain_text(0)?;
    r.int(1)?;
    Ok(FieldType::geometry(GeometryKind::Geometry))
}

fn from_binary_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    check_own(r, 1)?;
    r.int(1)?;
    Ok(FieldType::geometry(GeometryKind::Geometry))
}

fn as_text_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    check_own(r, 1)?;
    let mut ty = longest_text(r.ctx.collation, Derivation::Coercible);
    ty.length = u32::MAX;
    ty.ascii = true;
    Ok(ty)
}

fn as_binary_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    check_own(r, 1)?;
    let mut ty = longest_text(charset::binary(), Derivation::Implicit);
    ty.length = u32::MAX;
    Ok(ty)
}

fn geometry_type_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    check_own(r, 1)?;
    Ok(r.ascii_text(20).with_nullable(true))
}

fn point_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    for i in 0..2 {
        if let Some(ty) = r.args.get(i).map(|a| &a.ty).filter(|t| t.kind == Kind::Geometry) {
            return Err(illegal(ty, "point"));
        }
        r.double(i)?;
    }
    Ok(FieldType::geometry(GeometryKind::Point))
}

/// The type of a geometry that is made of others.
fn made_type(r: &mut Resolve<'_>, kind: GeometryKind) -> SqlResult<FieldType> {
    check_own(r, r.len())?;
    for a in r.args.iter() {
        let shown = match a.as_literal() {
            _ if a.ty.kind == Kind::Geometry => continue,
            Some(Value::Null) => "NULL".to_owned(),
            Some(Value::Bytes(b)) => {
                let digits: String = b.iter().map(|b| format!("{b:02X}")).collect();
                format!("X'{digits}'")
            }
            _ => continue,
        };
        return Err(SqlError::new(codes::ER_ILLEGAL_VALUE_FOR_TYPE, &[&"non geometric", &shown]));
    }
    Ok(FieldType::geometry(kind))
}

/// An argument as a geometry; none for NULL and what is no geometry.
fn geometry(c: &Call<'_, '_>, i: usize) -> SqlResult<Option<(u32, Shape)>> {
    let Some(bytes) = c.bytes(i) else { return Ok(None) };
    Shape::of_column(bytes).map_err(too_deep)
}

fn put_shape(c: &mut Call<'_, '_>, srid: u32, shape: Option<Shape>) -> SqlResult<()> {
    match shape {
        Some(shape) => c.put_bytes(&shape.to_column(srid)),
        None => c.null(),
    }
}

/// The reference system that a second argument gives; 0 for NULL.
fn given_srid(c: &Call<'_, '_>) -> u32 {
    c.bits(1).map_or(0, |n| n as u32)
}

fn from_text(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(text), srid) = (c.bytes(0), given_srid(c)) else { return c.null() };
    if text::nesting(text) > DEEP_TEXT {
        return Err(too_deep(TooDeep));
    }
    put_shape(c, srid, text::read(text))
}

fn from_binary(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(bytes), srid) = (c.bytes(0), given_srid(c)) else { return c.null() };
    if c.ty(0).kind == Kind::Geometry {
        return c.put_bytes(bytes);
    }
    let shape = Shape::of_binary(bytes).map_err(too_deep)?;
    put_shape(c, srid, shape)
}

fn as_text(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some((_, shape)) = geometry(c, 0)? else { return c.null() };
    let mut out = Vec::new();
    text::write(&shape, &mut out);
    if c.exceeds(out.len()) {
        return c.too_long();
    }
    c.put_ascii(&out)
}

fn as_binary(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some((_, shape)) = geometry(c, 0)? else { return c.null() };
    let mut out = Vec::new();
    shape.write(&mut out);
    c.put_bytes(&out)
}

fn point(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(x), Some(y)) = (c.double(0), c.double(1)) else { return c.null() };
    put_shape(c, 0, Some(Shape::Point((x, y))))
}

/// A geometry of arguments of one kind; NULL where one is of another.
fn made<T>(
    c: &mut Call<'_, '_>,
    part: impl Fn(Shape) -> Option<T>,
    make: impl Fn(Vec<T>) -> Option<Shape>,
) -> SqlResult<()> {
    let mut parts = Vec::with_capacity(c.len());
    for i in 0..c.len() {
        match geometry(c, i)?.and_then(|(_, shape)| part(shape)) {
            Some(p) => parts.push(p),
            None => return c.null(),
        }
    }
    put_shape(c, 0, make(parts))
}

fn as_point(shape: Shape) -> Option<Place> {
    if let Shape::Point(p) = shape { Some(p) } else { None }
}

fn as_line(shape: Shape) -> Option<Vec<Place>> {
    if let Shape::Line(line) = shape { Some(line) } else { None }
}

fn line_string(c: &mut Call<'_, '_>) -> SqlResult<()> {
    made(c, as_point, |list| Some(Shape::Line(list)))
}

fn polygon(c: &mut Call<'_, '_>) -> SqlResult<()> {
    made(c, |s| as_line(s).filter(|ring| is_ring(ring)), |list| Some(Shape::Polygon(list)))
}

fn multi_point(c: &mut Call<'_, '_>) -> SqlResult<()> {
    made(c, as_point, |list| Some(Shape::Points(list)))
}

fn multi_line_string(c: &mut Call<'_, '_>) -> SqlResult<()> {
    made(c, as_line, |list| Some(Shape::Lines(list)))
}

fn multi_polygon(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let rings = |shape| if let Shape::Polygon(rings) = shape { Some(rings) } else { None };
    made(c, rings, |list| Some(Shape::Polygons(list)))
}

fn collection(c: &mut Call<'_, '_>) -> SqlResult<()> {
    made(c, Some, |list| Some(Shape::Collection(list)))
}

fn coordinate(c: &mut Call<'_, '_>, of: fn(Place) -> f64) -> SqlResult<()> {
    match geometry(c, 0)? {
        Some((_, Shape::Point(p))) => c.put_double(of(p) + 0.0),
        _ => c.null(),
    }
}

fn srid(c: &mut Call<'_, '_>) -> SqlResult<()> {
    // what follows it is not looked at
    let number = c.bytes(0).filter(|b| b.len() > 4).and_then(|b| b.first_chunk::<4>());
    c.put_opt_int(number.map(|b| i64::from(u32::from_le_bytes(*b))))
}

fn number(c: &mut Call<'_, '_>, of: fn(&Shape) -> Option<i64>) -> SqlResult<()> {
    let n = geometry(c, 0)?.and_then(|(_, shape)| of(&shape));
    c.put_opt_int(n)
}

fn points_of(shape: &Shape) -> Option<i64> {
    if let Shape::Line(line) = shape { Some(line.len() as i64) } else { None }
}

fn parts_of(shape: &Shape) -> Option<i64> {
    Some(match shape {
        Shape::Points(list) => list.len(),
        Shape::Lines(list) => list.len(),
        Shape::Polygons(list) => list.len(),
        Shape::Collection(list) => list.len(),
        _ => return None,
    } as i64)
}

fn holes_of(shape: &Shape) -> Option<i64> {
    if let Shape::Polygon(rings) = shape { Some(rings.len() as i64 - 1) } else { None }
}

/// 1, 0, or -1 for what is no line, NULL among it.
fn is_closed(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let closed = match geometry(c, 0)? {
        Some((_, Shape::Line(line))) => i64::from(is_ring(&line)),
        Some((_, Shape::Lines(list))) => i64::from(list.iter().all(|line| is_ring(line))),
        _ => -1,
    };
    c.put_int(closed)
}

fn geometry_type(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match geometry(c, 0)? {
        Some((_, shape)) => c.put_ascii(shape.name().as_bytes()),
        None => c.null(),
    }
}

fn area(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match geometry(c, 0)?.and_then(|(_, shape)| measure::area(&shape)) {
        Some(area) => c.put_double(area),
        None => c.null(),
    }
}

fn length(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match geometry(c, 0)?.and_then(|(_, shape)| measure::length(&shape)) {
        Some(length) => c.put_double(length),
        None => c.null(),
    }
}

fn envelope(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some((srid, shape)) = geometry(c, 0)? else { return c.null() };
    let around = shape.bounds().map_or(Shape::Collection(Vec::new()), |b| {
        let (low, high) = (b.min, b.max);
        Shape::Polygon(vec![vec![low, (high.0, low.1), high, (low.0, high.1), low]])
    });
    put_shape(c, srid, Some(around))
}

fn end_of_line(c: &mut Call<'_, '_>, which: fn(&[Place]) -> Option<&Place>) -> SqlResult<()> {
    match geometry(c, 0)? {
        Some((srid, Shape::Line(line))) => put_shape(c, srid, which(&line).map(|p| Shape::Point(*p))),
        _ => c.null(),
    }
}

fn exterior_ring(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match geometry(c, 0)? {
        Some((srid, Shape::Polygon(mut rings))) => {
            let ring = (!rings.is_empty()).then(|| Shape::Line(rings.swap_remove(0)));
            put_shape(c, srid, ring)
        }
        _ => c.null(),
    }
}

fn nth(c: &mut Call<'_, '_>, part: fn(&Shape, usize) -> Option<Shape>) -> SqlResult<()> {
    let n = c.int(1).and_then(|n| usize::try_from(n).ok()).and_then(|n| n.checked_sub(1));
    match (geometry(c, 0)?, n) {
        (Some((srid, shape)), Some(n)) => put_shape(c, srid, part(&shape, n)),
        _ => c.null(),
    }
}

fn point_n(shape: &Shape, n: usize) -> Option<Shape> {
    if let Shape::Line(line) = shape { line.get(n).map(|p| Shape::Point(*p)) } else { None }
}

fn geometry_n(shape: &Shape, n: usize) -> Option<Shape> {
    match shape {
        Shape::Points(list) => list.get(n).map(|p| Shape::Point(*p)),
        Shape::Lines(list) => list.get(n).map(|line| Shape::Line(line.clone())),
        Shape::Polygons(list) => list.get(n).map(|rings| Shape::Polygon(rings.clone())),
        Shape::Collection(list) => list.get(n).cloned(),
        _ => None,
    }
}

fn ring_n(shape: &Shape, n: usize) -> Option<Shape> {
    if let Shape::Polygon(rings) = shape {
        rings.get(n + 1).map(|ring| Shape::Line(ring.clone()))
    } else {
        None
    }
}

/// Compares the smallest rectangles of two geometries; NULL where one has none.
fn compare(c: &mut Call<'_, '_>, f: fn(&Bounds, &Bounds) -> bool) -> SqlResult<()> {
    let a = geometry(c, 0)?.and_then(|(_, shape)| shape.bounds());
    let b = geometry(c, 1)?.and_then(|(_, shape)| shape.bounds());
    c.put_opt_int(a.zip(b).map(|(a, b)| i64::from(f(&a, &b))))
}
