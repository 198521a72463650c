//! GeoJSON: shapes written as documents, and documents read as shapes, in one pass and in place.
//!
//! A document is read as far as it says what the shape is; of the rest of an object only the syntax is looked at, and nothing
//! behind the outermost one.

use super::super::json::text::{Json, Reader, Trouble, unescaped};
use super::super::json::{tell, utf8};
use super::{Call, Definition, Resolve, as_text_type, geometry, illegal, pure, put_shape, statement};
use crate::error::{SqlError, SqlResult, codes};
use crate::types::geometry::{Bounds, Place, Shape, is_ring};
use crate::types::number::{read_double, round_double, write_double};
use crate::types::{FieldType, Kind, ValueRef, convert};
use crate::warning::Level;
use schema::definition::{GeometryKind, NOT_FIXED_DECIMALS};

pub(super) const LIST: &[Definition] = &[
    pure("st_asgeojson", 1, 3, as_geojson_type, as_geojson),
    // what is wrong with a document is told when it is looked at
    statement("st_geomfromgeojson", 1, 3, from_geojson_type, from_geojson),
];

/// The types of shapes, in the order of their numbers.
const TYPES: [&str; 7] =
    ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"];

/// Integers from argument `from` on; no geometries.
fn integers(r: &mut Resolve<'_>, from: usize, name: &str, convert: bool) -> SqlResult<()> {
    for i in from..r.len() {
        if r.args[i].ty.kind == Kind::Geometry {
            return Err(illegal(&r.args[i].ty, name));
        }
        if convert {
            r.int(i)?;
        }
    }
    Ok(())
}

fn as_geojson_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let ty = as_text_type(r)?;
    integers(r, 1, "st_asgeojson", true)?;
    Ok(ty)
}

/// The document of a shape: the digits behind the point may be bounded, and 1 among the options asks for a bounding box.
fn as_geojson(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some((_, shape)) = geometry(c, 0)? else { return c.null() };
    let digits = c.short_int(1).and_then(|n| u32::try_from(n).ok());
    let boxed = c.bits(2).is_some_and(|options| options & 1 == 1);
    let mut writer = Writer { digits, out: Vec::new() };
    writer.shape(&shape, boxed);
    let out = writer.out;
    if c.exceeds(out.len()) {
        return c.too_long();
    }
    c.put_ascii(&out)
}

struct Writer {
    digits: Option<u32>,
    out: Vec<u8>,
}

impl Writer {
    fn coordinate(&mut self, v: f64) {
        let v = self.digits.map_or(v, |digits| round_double(v, i64::from(digits), false));
        // a zero has no sign here
        write_double(v + 0.0, NOT_FIXED_DECIMALS, &mut self.out);
    }

    fn place(&mut self, p: &Place) {
        self.out.push(b'[');
        self.coordinate(p.0);
        self.out.extend_from_slice(b", ");
        self.coordinate(p.1);
        self.out.push(b']');
    }

    fn list<T>(&mut self, list: &[T], put: impl Fn(&mut Self, &T)) {
        self.out.push(b'[');
        for (i, part) in list.iter().enumerate() {
            if i > 0 {
                self.out.extend_from_slice(b", ");
            }
            put(self, part);
        }
        self.out.push(b']');
    }

    fn places(&mut self, list: &[Place]) {
        self.list(list, Self::place);
    }

    fn rings(&mut self, list: &[Vec<Place>]) {
        self.list(list, |w, ring| w.places(ring));
    }

    /// The smallest rectangle, with all digits; without places it is turned inside out.
    fn bounds(&mut self, shape: &Shape) {
        let none = Bounds { min: (f64::MAX, f64::MAX), max: (f64::MIN, f64::MIN) };
        let b = shape.bounds().unwrap_or(none);
        self.out.extend_from_slice(b"\"bbox\": ");
        let digits = self.digits.take();
        self.list(&[b.min.0, b.min.1, b.max.0, b.max.1], |w, v| w.coordinate(*v));
        self.digits = digits;
        self.out.extend_from_slice(b", ");
    }

    fn shape(&mut self, shape: &Shape, boxed: bool) {
        self.out.push(b'{');
        if boxed {
            self.bounds(shape);
        }
        self.out.extend_from_slice(b"\"type\": \"");
        self.out.extend_from_slice(TYPES[shape.number() as usize - 1].as_bytes());
        let parts: &[u8] = match shape {
            Shape::Collection(_) => b"\", \"geometries\": ",
            _ => b"\", \"coordinates\": ",
        };
        self.out.extend_from_slice(parts);
        match shape {
            Shape::Point(p) => self.place(p),
            Shape::Line(list) | Shape::Points(list) => self.places(list),
            Shape::Polygon(lists) | Shape::Lines(lists) => self.rings(lists),
            Shape::Polygons(list) => self.list(list, |w, rings| w.rings(rings)),
            Shape::Collection(list) => self.list(list, |w, part| w.shape(part, false)),
        }
        self.out.push(b'}');
    }
}

fn from_geojson_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let name = "st_geomfromgeojson";
    let ty = r.args.first().map(|a| &a.ty);
    let no_text = |t: &&FieldType| t.kind == Kind::Geometry || !t.is_string() && t.kind != Kind::Null;
    if let Some(ty) = ty.filter(no_text) {
        return Err(illegal(ty, name));
    }
    r.text(0)?;
    // the option stays as it is: an error shows it
    integers(r, 1, name, false)?;
    r.int(2)?;
    Ok(FieldType::geometry(GeometryKind::Geometry))
}

/// Whether coordinates beyond the second are an error, which is option 1; the others leave them out.
fn refuses_height(c: &mut Call<'_, '_>) -> SqlResult<bool> {
    let option = c.value(1);
    if matches!(option, ValueRef::Null) {
        return Ok(false);
    }
    let ty = c.ty(1);
    match convert::to_i64(option, ty, false, c.ctx) {
        1 => Ok(true),
        2..=4 => Ok(false),
        _ => {
            let mut text = Vec::new();
            convert::write_text(option, ty, &mut text);
            let shown = match option {
                ValueRef::Bytes(_) => convert::printable(&text, ty),
                _ => convert::printable_utf8(&text),
            };
            let args: [&dyn std::fmt::Display; 3] = [&"option", &shown, &"ST_GeomFromGeoJSON"];
            Err(SqlError::new(codes::ER_WRONG_VALUE_FOR_TYPE, &args))
        }
    }
}

fn from_geojson(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    let flat = refuses_height(c)?;
    let srid = c.bits(2).map_or(0, |n| n as u32);
    match (Document { flat }).read(&text) {
        Ok(shape) => put_shape(c, srid, shape),
        Err(Fault::Height) => Err(SqlError::new(codes::ER_GIS_INVALID_DATA, &[&"ST_GeomFromGeoJSON"])),
        Err(Fault::Text(trouble)) => {
            tell(c, trouble, 0, Level::Warning);
            c.null()
        }
        Err(Fault::Shape(code)) => {
            c.ctx.warnings.warn(code, &[]);
            c.null()
        }
    }
}

/// What is wrong with a document.
enum Fault {
    /// It is no JSON.
    Text(Trouble),
    /// It is no shape: the number of the warning.
    Shape(u16),
    /// A place has more than two coordinates where that is an error.
    Height,
}

impl From<Trouble> for Fault {
    fn from(trouble: Trouble) -> Fault {
        Fault::Text(trouble)
    }
}

type Read<T> = Result<T, Fault>;

const INCORRECT: Fault = Fault::Shape(codes::ER_GEOJSON_INCORRECT);

/// What an object says it is.
#[derive(Clone, Copy, PartialEq)]
enum What {
    /// A shape by its number, but for collections.
    Simple(usize),
    Collection,
    Feature,
    Features,
}

/// The names under which an object has its shape.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Coordinates,
    Geometries,
    Geometry,
    Features,
}

impl What {
    fn named(name: &[u8]) -> Option<What> {
        let is = |own: &str| own.as_bytes().eq_ignore_ascii_case(name);
        match TYPES.iter().position(|own| is(own)) {
            Some(6) => Some(What::Collection),
            Some(n) => Some(What::Simple(n)),
            None if is("Feature") => Some(What::Feature),
            None => is("FeatureCollection").then_some(What::Features),
        }
    }

    /// Whether it is read from this part, when what it is was said before.
    fn has(self, part: Part) -> bool {
        match self {
            What::Simple(_) => part == Part::Coordinates,
            What::Collection | What::Features => matches!(part, Part::Geometries | Part::Features),
            What::Feature => part == Part::Geometry,
        }
    }

    /// The same when it is said after the part.
    fn had(self, part: Part) -> bool {
        match self {
            What::Simple(_) => part == Part::Coordinates,
            What::Collection => matches!(part, Part::Geometries | Part::Coordinates),
            What::Feature => part == Part::Geometry,
            What::Features => part == Part::Features,
        }
    }
}

/// An object as far as it was read.
#[derive(Default)]
struct Object {
    what: Option<What>,
    /// A part that came before it was known what the object is, and where it begins.
    kept: Option<(Part, usize)>,
    shape: Option<Shape>,
}

/// What reads a value, of a name in objects.
type Visit<'f, 'a> = dyn FnMut(Option<&'a [u8]>, &mut Reader<'a>) -> Read<()> + 'f;

/// Goes over what is in the array or object at hand.
fn each<'a>(r: &mut Reader<'a>, depth: usize, f: &mut Visit<'_, 'a>) -> Read<()> {
    let mut fault = None;
    r.each(depth, &mut |name, r| match f(name, r) {
        Ok(()) => Ok(true),
        Err(Fault::Text(trouble)) => Err(trouble),
        Err(other) => {
            fault = Some(other);
            Ok(false)
        }
    })?;
    fault.map_or(Ok(()), Err)
}

/// What comes next is an array or object that begins so.
fn expect(r: &mut Reader<'_>, bracket: u8) -> Read<()> {
    match r.next()? {
        first if first == bracket => Ok(()),
        b'[' | b'{' => Err(INCORRECT),
        first => {
            r.scalar(first)?;
            Err(INCORRECT)
        }
    }
}

fn list<'a, T>(
    r: &mut Reader<'a>,
    depth: usize,
    read: impl Fn(&mut Reader<'a>, usize) -> Read<T>,
) -> Read<Vec<T>> {
    expect(r, b'[')?;
    let mut all = Vec::new();
    each(r, depth, &mut |_, r| {
        all.push(read(r, depth + 1)?);
        Ok(())
    })?;
    Ok(all)
}

/// A list that has something in it.
fn filled<T>(list: Vec<T>) -> Read<Vec<T>> {
    if list.is_empty() { Err(Fault::Shape(codes::ER_GEOJSON_EMPTY_COORDINATES)) } else { Ok(list) }
}

struct Document {
    /// Places have two coordinates and no more.
    flat: bool,
}

impl Document {
    /// The shape; none of a text that does not begin as JSON.
    fn read(&self, text: &[u8]) -> Read<Option<Shape>> {
        let mut r = Reader::at(text, 0);
        match r.next() {
            Ok(b'{') => self.object(&mut r, 0).map(Some),
            Ok(b'[') => Err(INCORRECT),
            Ok(first) if r.scalar(first).is_ok() => Err(INCORRECT),
            _ => Ok(None),
        }
    }

    fn place(&self, r: &mut Reader<'_>, depth: usize) -> Read<Place> {
        expect(r, b'[')?;
        let (mut place, mut n) = ([0.0; 2], 0);
        each(r, depth, &mut |_, r| {
            let first = r.next()?;
            if matches!(first, b'[' | b'{') {
                return Err(INCORRECT);
            }
            let Json::Number(text) = r.scalar(first)? else { return Err(INCORRECT) };
            let number = read_double(text);
            if number.overflow {
                return Err(INCORRECT);
            }
            if let Some(coordinate) = place.get_mut(n) {
                *coordinate = number.value;
            }
            n += 1;
            Ok(())
        })?;
        match n {
            0 | 1 => Err(INCORRECT),
            3.. if self.flat => Err(Fault::Height),
            _ => Ok((place[0], place[1])),
        }
    }

    fn places(&self, r: &mut Reader<'_>, depth: usize) -> Read<Vec<Place>> {
        list(r, depth, |r, depth| self.place(r, depth))
    }

    fn line(&self, r: &mut Reader<'_>, depth: usize) -> Read<Vec<Place>> {
        let line = self.places(r, depth)?;
        if line.is_empty() { Err(Fault::Shape(codes::ER_GEOJSON_TOO_FEW_POINTS)) } else { Ok(line) }
    }

    fn rings(&self, r: &mut Reader<'_>, depth: usize) -> Read<Vec<Vec<Place>>> {
        let rings = list(r, depth, |r, depth| {
            let ring = self.line(r, depth)?;
            if is_ring(&ring) { Ok(ring) } else { Err(Fault::Shape(codes::ER_GEOJSON_NOT_CLOSED)) }
        })?;
        filled(rings)
    }

    /// The shape whose part begins here.
    fn part(&self, what: What, r: &mut Reader<'_>, depth: usize) -> Read<Shape> {
        Ok(match what {
            What::Simple(0) => Shape::Point(self.place(r, depth)?),
            What::Simple(1) => Shape::Line(self.line(r, depth)?),
            What::Simple(2) => Shape::Polygon(self.rings(r, depth)?),
            What::Simple(3) => Shape::Points(filled(self.places(r, depth)?)?),
            What::Simple(4) => Shape::Lines(filled(list(r, depth, |r, depth| self.line(r, depth))?)?),
            What::Simple(_) => Shape::Polygons(filled(list(r, depth, |r, depth| self.rings(r, depth))?)?),
            What::Feature => self.object(r, depth)?,
            What::Collection | What::Features => {
                Shape::Collection(list(r, depth, |r, depth| self.object(r, depth))?)
            }
        })
    }

    fn object(&self, r: &mut Reader<'_>, depth: usize) -> Read<Shape> {
        expect(r, b'{')?;
        let mut object = Object::default();
        each(r, depth, &mut |name, r| self.member(&mut object, name.unwrap_or_default(), r, depth + 1))?;
        object.shape.ok_or(INCORRECT)
    }

    /// One member of an object.
    fn member(&self, object: &mut Object, name: &[u8], r: &mut Reader<'_>, depth: usize) -> Read<()> {
        let name = unescaped(name);
        let is = |own: &[u8]| own.eq_ignore_ascii_case(&name);
        let part = match () {
            _ if object.shape.is_some() => return Ok(r.skip(depth)?),
            () if is(b"type") => return self.named(object, r, depth),
            () if is(b"coordinates") => Part::Coordinates,
            () if is(b"geometries") => Part::Geometries,
            () if is(b"geometry") => Part::Geometry,
            () if is(b"features") => Part::Features,
            () => return Ok(r.skip(depth)?),
        };
        expect(r, if part == Part::Geometry { b'{' } else { b'[' })?;
        match object.what {
            Some(what) if what.has(part) => object.shape = Some(self.part(what, r, depth)?),
            Some(What::Feature) => r.skip(depth)?,
            Some(_) => return Err(INCORRECT),
            // a geometry is the one part that takes the place of another one
            None if object.kept.is_some() && part != Part::Geometry => return Err(INCORRECT),
            None => {
                object.kept = Some((part, r.place()));
                r.skip(depth)?;
            }
        }
        Ok(())
    }

    /// What an object is, with the part that came before.
    fn named(&self, object: &mut Object, r: &mut Reader<'_>, depth: usize) -> Read<()> {
        let first = r.next()?;
        if matches!(first, b'[' | b'{') {
            return Err(INCORRECT);
        }
        let Json::Text(name) = r.scalar(first)? else { return Err(INCORRECT) };
        let what = What::named(name).ok_or(INCORRECT)?;
        object.what = Some(what);
        let Some((part, at)) = object.kept else { return Ok(()) };
        if !what.had(part) {
            return Err(INCORRECT);
        }
        object.shape = Some(self.part(what, &mut Reader::at(r.text(), at), depth)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::geometry::text;

    const TEXTS: [&str; 7] = [
        "POINT(1 2.5)",
        "LINESTRING(0 0,3 4)",
        "POLYGON((0 0,4 0,4 4,0 0),(1 1,2 1,2 2,1 1))",
        "MULTIPOINT(0 0,1 1)",
        "MULTILINESTRING((1 1,2 2),(3 3,4 4))",
        "MULTIPOLYGON(((0 0,1 0,1 1,0 0)))",
        "GEOMETRYCOLLECTION(POINT(9 9),LINESTRING(0 0,1 1))",
    ];

    fn document(written: &str) -> (Shape, Vec<u8>) {
        let shape = text::read(written.as_bytes()).expect(written);
        let mut writer = Writer { digits: None, out: Vec::new() };
        writer.shape(&shape, true);
        (shape, writer.out)
    }

    #[test]
    fn documents_come_back() {
        for written in TEXTS {
            let (shape, out) = document(written);
            let back = (Document { flat: true }).read(&out).ok().flatten();
            assert_eq!(back, Some(shape), "{written}");
        }
    }

    #[test]
    fn damaged_documents_are_read_without_harm() {
        for written in TEXTS {
            let (_, out) = document(written);
            for at in 0..out.len() {
                let _ = (Document { flat: false }).read(&out[..at]);
                for b in b"{}[]\",:x9\\" {
                    let mut damaged = out.clone();
                    damaged[at] = *b;
                    let _ = (Document { flat: at % 2 == 0 }).read(&damaged);
                }
            }
        }
        for open in ["[", "{\"geometries\":[", "{\"type\":\"Feature\",\"geometry\":"] {
            let _ = (Document { flat: false }).read(open.repeat(100_000).as_bytes());
        }
    }
}
