//! Geometries as their columns keep them: a number of the reference system, then the well-known binary form.

pub(crate) mod text;

pub(crate) use schema::wkb::MOST_NESTED;
use schema::wkb::Wkb;

/// A place in the plane.
pub(crate) type Place = (f64, f64);

/// A geometry without its reference system.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Point(Place),
    Line(Vec<Place>),
    Polygon(Vec<Vec<Place>>),
    Points(Vec<Place>),
    Lines(Vec<Vec<Place>>),
    Polygons(Vec<Vec<Vec<Place>>>),
    Collection(Vec<Shape>),
}

/// The smallest rectangle with all of a geometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub min: Place,
    pub max: Place,
}

/// The well-known binary form being read.
struct Reader<'a> {
    wkb: Wkb<'a>,
    /// Collections are within each other beyond [`MOST_NESTED`].
    too_deep: bool,
}

/// A geometry with too many collections within each other to be read.
#[derive(Debug)]
pub(crate) struct TooDeep;

impl Reader<'_> {
    /// A number of elements of at least so many bytes, which are there, and at least `least` of them.
    fn count(&mut self, size: usize, least: usize) -> Option<usize> {
        let n = self.wkb.number()? as usize;
        (n >= least && n <= self.wkb.rest.len() / size).then_some(n)
    }

    fn place(&mut self) -> Option<Place> {
        Some((self.wkb.coordinate()?, self.wkb.coordinate()?))
    }

    fn line(&mut self) -> Option<Vec<Place>> {
        (0..self.count(16, 1)?).map(|_| self.place()).collect()
    }

    fn rings(&mut self) -> Option<Vec<Vec<Place>>> {
        (0..self.count(4, 1)?).map(|_| self.line()).collect()
    }

    /// The head of a geometry: its number.
    fn head(&mut self) -> Option<u32> {
        let [order] = self.wkb.bytes()?;
        self.wkb.big = match order {
            0 => true,
            1 => false,
            _ => return None,
        };
        self.wkb.number()
    }

    /// The parts of a geometry of several, each of this number.
    fn parts<T>(&mut self, of: u32, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let one = |reader: &mut Self| (reader.head()? == of).then(|| read(reader)).flatten();
        (0..self.count(9, 1)?).map(|_| one(self)).collect()
    }

    fn shape(&mut self, depth: usize) -> Option<Shape> {
        let number = self.head()?;
        Some(match number {
            1 => Shape::Point(self.place()?),
            2 => Shape::Line(self.line()?),
            3 => Shape::Polygon(self.rings()?),
            4 => Shape::Points(self.parts(1, Self::place)?),
            5 => Shape::Lines(self.parts(2, Self::line)?),
            6 => Shape::Polygons(self.parts(3, Self::rings)?),
            7 if depth < MOST_NESTED => {
                let parts = self.count(9, 0)?;
                Shape::Collection((0..parts).map(|_| self.shape(depth + 1)).collect::<Option<_>>()?)
            }
            _ => {
                self.too_deep = number == 7;
                return None;
            }
        })
    }
}

fn put_count(n: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes());
}

fn put_head(number: u32, out: &mut Vec<u8>) {
    out.push(1);
    out.extend_from_slice(&number.to_le_bytes());
}

fn put_place(p: Place, out: &mut Vec<u8>) {
    out.extend_from_slice(&p.0.to_le_bytes());
    out.extend_from_slice(&p.1.to_le_bytes());
}

fn put_line(line: &[Place], out: &mut Vec<u8>) {
    put_count(line.len(), out);
    line.iter().for_each(|p| put_place(*p, out));
}

fn put_rings(rings: &[Vec<Place>], out: &mut Vec<u8>) {
    put_count(rings.len(), out);
    rings.iter().for_each(|r| put_line(r, out));
}

impl Shape {
    /// Reads the value of a column: the reference system and the shape.
    pub(crate) fn of_column(bytes: &[u8]) -> Result<Option<(u32, Shape)>, TooDeep> {
        let Some((srid, rest)) = bytes.split_first_chunk::<4>() else { return Ok(None) };
        let shape = Shape::of_binary(rest)?;
        Ok(shape.map(|shape| (u32::from_le_bytes(*srid), shape)))
    }

    /// Reads the well-known binary form.
    pub(crate) fn of_binary(bytes: &[u8]) -> Result<Option<Shape>, TooDeep> {
        let mut reader = Reader { wkb: Wkb::new(bytes), too_deep: false };
        let shape = reader.shape(0);
        if reader.too_deep { Err(TooDeep) } else { Ok(shape) }
    }

    /// Appends the well-known binary form.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        put_head(self.number(), out);
        match self {
            Shape::Point(p) => put_place(*p, out),
            Shape::Line(line) => put_line(line, out),
            Shape::Polygon(rings) => put_rings(rings, out),
            Shape::Points(list) => {
                put_count(list.len(), out);
                for p in list {
                    put_head(1, out);
                    put_place(*p, out);
                }
            }
            Shape::Lines(list) => {
                put_count(list.len(), out);
                for line in list {
                    put_head(2, out);
                    put_line(line, out);
                }
            }
            Shape::Polygons(list) => {
                put_count(list.len(), out);
                for rings in list {
                    put_head(3, out);
                    put_rings(rings, out);
                }
            }
            Shape::Collection(list) => {
                put_count(list.len(), out);
                list.iter().for_each(|s| s.write(out));
            }
        }
    }

    /// The value of a column.
    pub(crate) fn to_column(&self, srid: u32) -> Vec<u8> {
        let mut out = srid.to_le_bytes().to_vec();
        self.write(&mut out);
        out
    }

    /// Its number in the binary form.
    pub(crate) fn number(&self) -> u32 {
        match self {
            Shape::Point(_) => 1,
            Shape::Line(_) => 2,
            Shape::Polygon(_) => 3,
            Shape::Points(_) => 4,
            Shape::Lines(_) => 5,
            Shape::Polygons(_) => 6,
            Shape::Collection(_) => 7,
        }
    }

    /// Its word.
    pub(crate) fn name(&self) -> &'static str {
        NAMES[self.number() as usize - 1]
    }

    /// 0, 1 or 2: points, lines, areas; a collection has that of its largest part.
    pub(crate) fn dimension(&self) -> i64 {
        match self {
            Shape::Point(_) | Shape::Points(_) => 0,
            Shape::Line(_) | Shape::Lines(_) => 1,
            Shape::Polygon(_) | Shape::Polygons(_) => 2,
            Shape::Collection(list) => list.iter().map(Shape::dimension).max().unwrap_or(0),
        }
    }

    /// Tells of each place, in their order.
    pub(crate) fn each_place(&self, f: &mut dyn FnMut(Place)) {
        match self {
            Shape::Point(p) => f(*p),
            Shape::Line(list) | Shape::Points(list) => list.iter().for_each(|p| f(*p)),
            Shape::Polygon(lists) | Shape::Lines(lists) => lists.iter().flatten().for_each(|p| f(*p)),
            Shape::Polygons(list) => list.iter().flatten().flatten().for_each(|p| f(*p)),
            Shape::Collection(list) => list.iter().for_each(|s| s.each_place(f)),
        }
    }

    /// The smallest rectangle around it; none of a collection without parts.
    pub(crate) fn bounds(&self) -> Option<Bounds> {
        let mut bounds: Option<Bounds> = None;
        self.each_place(&mut |p| {
            let b = bounds.get_or_insert(Bounds { min: p, max: p });
            b.min = (b.min.0.min(p.0), b.min.1.min(p.1));
            b.max = (b.max.0.max(p.0), b.max.1.max(p.1));
        });
        bounds
    }
}

/// The words of the shapes, in the order of their numbers.
pub(crate) const NAMES: [&str; 7] =
    ["POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION"];

impl Bounds {
    pub(crate) fn contains(&self, other: &Bounds) -> bool {
        self.min.0 <= other.min.0
            && self.min.1 <= other.min.1
            && self.max.0 >= other.max.0
            && self.max.1 >= other.max.1
    }

    /// Whether it lies within the other one: where it is flat and the other is not, not upon the edge.
    pub(crate) fn within(&self, other: &Bounds) -> bool {
        let axis = |min: f64, max: f64, from: f64, to: f64| match min == max && from != to {
            true => from < min && max < to,
            false => from <= min && max <= to,
        };
        axis(self.min.0, self.max.0, other.min.0, other.max.0)
            && axis(self.min.1, self.max.1, other.min.1, other.max.1)
    }

    pub(crate) fn intersects(&self, other: &Bounds) -> bool {
        self.min.0 <= other.max.0
            && self.min.1 <= other.max.1
            && other.min.0 <= self.max.0
            && other.min.1 <= self.max.1
    }
}

/// Whether it ends where it begins: a ring, of whatever length.
pub(crate) fn is_ring(line: &[Place]) -> bool {
    line.first() == line.last()
}

/// The number of the shape that the value of a column is, by its head; none of what is no geometry.
pub(crate) fn kind_of(bytes: &[u8]) -> Option<u32> {
    let (head, _) = bytes.split_first_chunk::<9>()?;
    let number = u32::from_le_bytes([head[5], head[6], head[7], head[8]]);
    (head[4] == 1 && (1..=7).contains(&number)).then_some(number)
}

/// The text of a geometry, for messages.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let mut out = Vec::new();
    if let Ok(Some((_, shape))) = Shape::of_column(bytes) {
        text::write(&shape, &mut out);
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 8] = [
        "POINT(1 2)",
        "LINESTRING(0 0,3 4)",
        "POLYGON((0 0,4 0,4 4,0 0),(1 1,2 1,2 2,1 1))",
        "MULTIPOINT(0 0,1 1)",
        "MULTILINESTRING((1 1,2 2),(3 3,4 4))",
        "MULTIPOLYGON(((0 0,1 0,1 1,0 0)))",
        "GEOMETRYCOLLECTION(POINT(9 9),LINESTRING(0 0,1 1))",
        "GEOMETRYCOLLECTION EMPTY",
    ];

    #[test]
    fn bytes_and_texts_come_back() {
        for written in TEXTS {
            let shape = text::read(written.as_bytes()).expect(written);
            let bytes = shape.to_column(7);
            assert_eq!(Shape::of_column(&bytes).expect("not deep"), Some((7, shape.clone())), "{written}");
            assert_eq!(kind_of(&bytes), Some(shape.number()));
            let mut out = Vec::new();
            text::write(&shape, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), written);
        }
    }

    #[test]
    fn damaged_bytes_are_no_geometry_or_another() {
        for written in TEXTS {
            let bytes = text::read(written.as_bytes()).expect(written).to_column(0);
            for end in 0..bytes.len() {
                assert_eq!(Shape::of_column(&bytes[..end]).expect("not deep"), None, "{written} up to {end}");
            }
            for at in 0..bytes.len() {
                for value in [0, 1, 7, 127, 255] {
                    let mut damaged = bytes.clone();
                    damaged[at] = value;
                    // whatever it is, it is read within its bytes
                    let _ = Shape::of_column(&damaged);
                    let _ = text::read(&damaged);
                }
            }
        }
        let nested = [[1, 7, 0, 0, 0, 1, 0, 0, 0].repeat(MOST_NESTED + 2), vec![0; 9]].concat();
        assert!(Shape::of_binary(&nested).is_err());
    }

    #[test]
    fn within_is_not_upon_the_edge_where_flat() {
        let bounds =
            |written: &str| text::read(written.as_bytes()).and_then(|s| s.bounds()).expect("a shape");
        let square = bounds("LINESTRING(0 0,2 2)");
        assert!(bounds("POINT(1 1)").within(&square) && !bounds("POINT(0 1)").within(&square));
        assert!(bounds("LINESTRING(0 0,1 1)").within(&square) && square.within(&square));
        assert!(
            !bounds("LINESTRING(0 0,0 2)").within(&square) && bounds("LINESTRING(1 0,1 2)").within(&square)
        );
    }
}
