//! Column types as written to column types as stored.

use charset::{Charset, Collation};
use schema::definition::{ColumnType, GeometryKind, NOT_FIXED_DECIMALS};

use crate::ast::{DataType, TypeName};
use crate::error::{self, SqlError, SqlResult};
use crate::types::collations::{charset_named, combine};
use crate::types::definition::MAX_VARCHAR;
use crate::variables::SqlMode;
use crate::warning::Warnings;

/// Most characters of a CHAR and bytes of a BINARY.
const MAX_CHAR: u64 = 255;

/// A resolved type.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The stored type.
    pub ty: ColumnType,
    /// Display width; 0 where types have none.
    pub width: u16,
    /// UNSIGNED.
    pub unsigned: bool,
    /// ZEROFILL.
    pub zerofill: bool,
    /// The column's collation.
    pub collation: &'static Collation,
    /// JSON: a json_valid check belongs to the column.
    pub json: bool,
}

/// What a type is resolved with.
pub struct TypeContext<'a> {
    /// `sql_mode`.
    pub mode: SqlMode,
    /// Collation of the table.
    pub collation: &'static Collation,
    /// Collation of string literals without introducer.
    pub literals: &'static Collation,
    /// Where notes go.
    pub warnings: &'a mut Warnings,
}

/// The binary collation.
pub fn binary() -> &'static Collation {
    Collation::by_id(63).unwrap_or_else(charset::system)
}

fn column_collation(t: &DataType, cx: &TypeContext<'_>) -> SqlResult<&'static Collation> {
    let c = combine(t.charset.as_deref(), t.collation.as_deref(), cx.collation)?;
    if t.binary && t.collation.is_none() {
        return Ok(Collation::by_id(c.charset.bin_collation_id).unwrap_or(c));
    }
    Ok(c)
}

fn too_long(column: &str, max: u64) -> SqlError {
    SqlError::new(error::ER_TOO_BIG_FIELDLENGTH, &[&column, &max])
}

fn width_error(column: &str, max: u64) -> SqlError {
    SqlError::new(error::ER_TOO_BIG_DISPLAYWIDTH, &[&column, &max])
}

/// The smallest BLOB or TEXT that holds `bytes`.
fn blob_for(bytes: u64) -> ColumnType {
    let length_bytes = match bytes {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xff_ffff => 3,
        _ => 4,
    };
    ColumnType::Blob { length_bytes }
}

/// BLOB(n), TEXT(n).
fn blob_of(name: &str, length: Option<u64>, mbmaxlen: u64) -> SqlResult<ColumnType> {
    match length {
        Some(n) if n > u64::from(u32::MAX) => Err(width_error(name, u64::from(u32::MAX))),
        Some(n) if n > 0 => Ok(blob_for(n.saturating_mul(mbmaxlen))),
        _ => Ok(ColumnType::Blob { length_bytes: 2 }),
    }
}

/// Resolves the type of column `name`.
///
/// # Errors
/// 1063, 1074, 1097, 1291, 1367, 1425, 1426, 1427, 1439, 4161 and those of character sets.
#[expect(clippy::too_many_lines, reason = "an arm for each type")]
pub fn resolve(name: &str, t: &DataType, cx: &mut TypeContext<'_>) -> SqlResult<Resolved> {
    let mut r = Resolved {
        ty: ColumnType::Long,
        width: 0,
        unsigned: t.unsigned || t.zerofill,
        zerofill: t.zerofill,
        collation: charset::system(),
        json: false,
    };
    match t.name {
        TypeName::TinyInt
        | TypeName::SmallInt
        | TypeName::MediumInt
        | TypeName::Int
        | TypeName::BigInt
        | TypeName::Bool
        | TypeName::Serial => integer(name, t, &mut r)?,
        TypeName::Float | TypeName::Double | TypeName::Real => float(name, t, cx, &mut r)?,
        TypeName::Decimal => {
            r.ty = decimal(name, t)?;
        }
        TypeName::Bit => {
            r.unsigned = true;
            r.ty = bit(name, t)?;
        }
        TypeName::Year => {
            r.ty = ColumnType::Year;
            r.unsigned = true;
            r.zerofill = true;
            r.width = if t.length == Some(2) { 2 } else { 4 };
            if let Some(n) = t.length
                && n != 4
            {
                let old = format!("YEAR({n})");
                cx.warnings.note(error::ER_WARN_DEPRECATED_SYNTAX, &[&old, &"YEAR(4)"]);
            }
        }
        TypeName::Date => r.ty = ColumnType::Date,
        TypeName::Time => r.ty = ColumnType::Time { decimals: fraction(name, t)? },
        TypeName::DateTime => r.ty = ColumnType::DateTime { decimals: fraction(name, t)? },
        TypeName::Timestamp => {
            r.unsigned = true;
            r.ty = ColumnType::Timestamp { decimals: fraction(name, t)? };
        }
        TypeName::Char | TypeName::VarChar => string(name, t, cx, &mut r)?,
        TypeName::Binary | TypeName::VarBinary => {
            let t = DataType { charset: Some("binary".into()), collation: None, ..t.clone() };
            string(name, &t, cx, &mut r)?;
        }
        TypeName::TinyBlob | TypeName::Blob | TypeName::MediumBlob | TypeName::LongBlob => {
            r.collation = binary();
            r.ty = blob(name, t, 1)?;
        }
        TypeName::TinyText | TypeName::Text | TypeName::MediumText | TypeName::LongText => {
            r.collation = column_collation(t, cx)?;
            r.ty = blob(name, t, u64::from(r.collation.charset.mbmaxlen))?;
        }
        TypeName::Enum | TypeName::Set => members(name, t, cx, &mut r)?,
        TypeName::Json => {
            r.collation = Collation::by_name("utf8mb4_bin").unwrap_or(cx.collation);
            r.ty = ColumnType::Blob { length_bytes: 4 };
            r.json = true;
        }
        TypeName::Geometry
        | TypeName::Point
        | TypeName::LineString
        | TypeName::Polygon
        | TypeName::MultiPoint
        | TypeName::MultiLineString
        | TypeName::MultiPolygon
        | TypeName::GeometryCollection => {
            r.collation = binary();
            let kind = geometry_kind(t.name);
            r.ty = ColumnType::Geometry { kind, srid: t.srid };
        }
        TypeName::Uuid => {
            r.collation = binary();
            r.ty = ColumnType::Uuid;
        }
        TypeName::Inet4 => {
            r.collation = binary();
            r.ty = ColumnType::Inet4;
        }
        TypeName::Inet6 => {
            r.collation = binary();
            r.ty = ColumnType::Inet6;
        }
        TypeName::Other => {
            let other = t.other.as_deref().unwrap_or("");
            return Err(SqlError::new(error::ER_UNKNOWN_DATA_TYPE, &[&other]));
        }
    }
    Ok(r)
}

fn decimal(name: &str, t: &DataType) -> SqlResult<ColumnType> {
    let scale = t.decimals.unwrap_or(0);
    if scale > 38 {
        return Err(SqlError::new(error::ER_TOO_BIG_SCALE, &[&name, &38]));
    }
    let precision = match t.length {
        None | Some(0) => 10,
        Some(p) if p > 65 => {
            return Err(SqlError::new(error::ER_TOO_BIG_PRECISION, &[&name, &65]));
        }
        Some(p) => p as u8,
    };
    // digits that are asked for as none are ten, but have no room for others behind the point
    let room = if t.length == Some(0) { 0 } else { u32::from(precision) };
    if scale > room {
        return Err(SqlError::new(error::ER_M_BIGGER_THAN_D, &[&name]));
    }
    Ok(ColumnType::Decimal { precision, scale: scale as u8 })
}

fn bit(name: &str, t: &DataType) -> SqlResult<ColumnType> {
    let bits = match t.length {
        None | Some(0) => 1,
        Some(n) if n > 64 => return Err(width_error(name, 64)),
        Some(n) => n as u8,
    };
    Ok(ColumnType::Bit { bits, as_char: false })
}

/// The type of BLOBs and of TEXTs with characters of so many bytes.
fn blob(name: &str, t: &DataType, mbmaxlen: u64) -> SqlResult<ColumnType> {
    Ok(match t.name {
        TypeName::TinyBlob | TypeName::TinyText => ColumnType::Blob { length_bytes: 1 },
        TypeName::MediumBlob | TypeName::MediumText => ColumnType::Blob { length_bytes: 3 },
        TypeName::LongBlob | TypeName::LongText => ColumnType::Blob { length_bytes: 4 },
        _ => blob_of(name, t.length, mbmaxlen)?,
    })
}

fn geometry_kind(name: TypeName) -> GeometryKind {
    match name {
        TypeName::Point => GeometryKind::Point,
        TypeName::LineString => GeometryKind::LineString,
        TypeName::Polygon => GeometryKind::Polygon,
        TypeName::MultiPoint => GeometryKind::MultiPoint,
        TypeName::MultiLineString => GeometryKind::MultiLineString,
        TypeName::MultiPolygon => GeometryKind::MultiPolygon,
        TypeName::GeometryCollection => GeometryKind::Collection,
        _ => GeometryKind::Geometry,
    }
}

fn integer(name: &str, t: &DataType, r: &mut Resolved) -> SqlResult<()> {
    r.ty = match t.name {
        TypeName::TinyInt | TypeName::Bool => ColumnType::Tiny,
        TypeName::SmallInt => ColumnType::Short,
        TypeName::MediumInt => ColumnType::Int24,
        TypeName::Int => ColumnType::Long,
        _ => ColumnType::LongLong,
    };
    if t.name == TypeName::Serial {
        r.unsigned = true;
    }
    r.width = match t.length {
        _ if t.name == TypeName::Bool => 1,
        None | Some(0) => r.ty.default_width(r.unsigned),
        Some(n) if n > 255 => return Err(width_error(name, 255)),
        Some(n) => n as u16,
    };
    Ok(())
}

fn float(name: &str, t: &DataType, cx: &TypeContext<'_>, r: &mut Resolved) -> SqlResult<()> {
    let mut double = match t.name {
        TypeName::Double => true,
        TypeName::Real => !cx.mode.has(SqlMode::REAL_AS_FLOAT),
        _ => false,
    };
    let mut decimals = NOT_FIXED_DECIMALS;
    match (t.length, t.decimals) {
        (None, _) | (Some(0), Some(0)) => {}
        (Some(p), None) => {
            // FLOAT(p): the precision in bits chooses the type and leaves no trace.
            if p > 53 {
                return Err(SqlError::new(error::ER_WRONG_FIELD_SPEC, &[&name]));
            }
            double = double || p > 24;
        }
        (Some(m), Some(d)) => {
            if u64::from(d) > m {
                return Err(SqlError::new(error::ER_M_BIGGER_THAN_D, &[&name]));
            }
            if m > 255 {
                return Err(width_error(name, 255));
            }
            if d > 30 {
                return Err(SqlError::new(error::ER_TOO_BIG_SCALE, &[&name, &30]));
            }
            decimals = d as u8;
            r.width = m as u16;
        }
    }
    r.ty = if double { ColumnType::Double { decimals } } else { ColumnType::Float { decimals } };
    if decimals == NOT_FIXED_DECIMALS {
        r.width = r.ty.default_width(r.unsigned);
    }
    Ok(())
}

fn fraction(name: &str, t: &DataType) -> SqlResult<u8> {
    match t.length {
        Some(n) if n > 6 => Err(SqlError::new(error::ER_TOO_BIG_PRECISION, &[&name, &6])),
        Some(n) => Ok(n as u8),
        None => Ok(0),
    }
}

fn string(name: &str, t: &DataType, cx: &mut TypeContext<'_>, r: &mut Resolved) -> SqlResult<()> {
    r.collation = column_collation(t, cx)?;
    let mbmaxlen = u64::from(r.collation.charset.mbmaxlen);
    if matches!(t.name, TypeName::Char | TypeName::Binary) {
        let n = t.length.unwrap_or(1);
        if n > MAX_CHAR {
            return Err(too_long(name, MAX_CHAR));
        }
        r.ty = ColumnType::Char { bytes: (n * mbmaxlen) as u16 };
        return Ok(());
    }
    let binary = t.name == TypeName::VarBinary;
    r.ty = varchar(name, (t.length.unwrap_or(1), mbmaxlen), binary, cx.mode, cx.warnings)?;
    Ok(())
}

/// A VARCHAR of so many characters; without strict mode one that is too long becomes a text.
///
/// # Errors
/// 1074.
pub fn varchar(
    name: &str,
    (chars, mbmaxlen): (u64, u64),
    binary: bool,
    mode: SqlMode,
    warnings: &mut Warnings,
) -> SqlResult<ColumnType> {
    let bytes = chars.saturating_mul(mbmaxlen);
    if bytes <= MAX_VARCHAR {
        return Ok(ColumnType::Varchar { bytes: bytes as u16 });
    }
    if mode.strict() {
        return Err(too_long(name, MAX_VARCHAR / mbmaxlen));
    }
    let (from, to) = if binary { ("VARBINARY", "BLOB") } else { ("VARCHAR", "TEXT") };
    warnings.note(error::ER_AUTO_CONVERT, &[&name, &from, &to]);
    Ok(blob_for(bytes))
}

fn members(name: &str, t: &DataType, cx: &mut TypeContext<'_>, r: &mut Resolved) -> SqlResult<()> {
    r.collation = column_collation(t, cx)?;
    let set = t.name == TypeName::Set;
    let to = r.collation.charset;
    let mut values: Vec<Box<[u8]>> = Vec::with_capacity(t.values.len());
    for v in &t.values {
        let from = match v.charset {
            Some(n) => charset_named(n)?,
            None => cx.literals.charset,
        };
        let mut bytes = Vec::with_capacity(v.bytes.len());
        if from.name == to.name || from.name == "binary" || to.name == "binary" {
            bytes.extend_from_slice(&v.bytes);
        } else {
            from.convert(&v.bytes, to, &mut bytes);
        }
        if to.name != "binary" {
            trim_spaces(&mut bytes, to);
        }
        if set && contains_comma(&bytes, to) {
            let text = crate::types::convert::text_of(&bytes, to);
            return Err(SqlError::new(error::ER_ILLEGAL_VALUE_FOR_TYPE, &[&"set", &text]));
        }
        values.push(bytes.into_boxed_slice());
    }
    if set && values.len() > 64 {
        return Err(SqlError::new(error::ER_TOO_BIG_SET, &[&name]));
    }
    if values.len() > 65535 {
        return Err(SqlError::new(error::ER_TOO_BIG_SET, &[&name]));
    }
    for (i, v) in values.iter().enumerate() {
        let later = values[i + 1..].iter().any(|w| r.collation.compare(v, w).is_eq());
        if later {
            let kind = if set { "SET" } else { "ENUM" };
            let text = crate::types::convert::text_of(v, to);
            if cx.mode.strict() {
                return Err(SqlError::new(error::ER_DUPLICATED_VALUE_IN_TYPE, &[&name, &text, &kind]));
            }
            cx.warnings.note(error::ER_DUPLICATED_VALUE_IN_TYPE, &[&name, &text, &kind]);
        }
    }
    r.ty = if set {
        ColumnType::Set { values: values.into() }
    } else {
        ColumnType::Enum { values: values.into() }
    };
    Ok(())
}

fn space_of(cs: &Charset) -> &'static [u8] {
    match cs.name {
        "ucs2" | "utf16" => b"\0 ",
        "utf16le" => b" \0",
        "utf32" => b"\0\0\0 ",
        _ => b" ",
    }
}

fn trim_spaces(bytes: &mut Vec<u8>, cs: &Charset) {
    let space = space_of(cs);
    while bytes.ends_with(space) && bytes.len().is_multiple_of(space.len()) {
        bytes.truncate(bytes.len() - space.len());
    }
}

fn contains_comma(bytes: &[u8], cs: &Charset) -> bool {
    let mut comma = Vec::new();
    match Charset::by_name("latin1") {
        Some(latin1) if cs.name != "binary" => {
            latin1.convert(b",", cs, &mut comma);
        }
        _ => comma.push(b','),
    }
    bytes.chunks(comma.len().max(1)).any(|c| c == comma)
}

/// 1287 for each column that is a YEAR(2) though the statement does not write it.
pub fn warn_short_years(count: usize, warnings: &mut crate::warning::Warnings) {
    for _ in 0..count {
        warnings.note(error::ER_WARN_DEPRECATED_SYNTAX, &[&"YEAR(2)", &"YEAR(4)"]);
    }
}

/// Whether a column is a YEAR(2).
pub fn is_short_year(c: &schema::definition::ColumnDef) -> bool {
    c.ty == ColumnType::Year && c.width == 2
}
