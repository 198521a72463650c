//! Reading the column entries and all that hangs on them: names, value lists,
//! comments, expressions, defaults.

use std::sync::Arc;

use charset::Collation;

use super::FrmError;
use super::bytes::{Bytes, Cursor, text};
use super::codes::{COLUMN, FORM, expression as kind_of, option, pack, type_code, unireg};
use super::read::{Extra2, Header, find_collation};
use crate::definition::{
    BINARY_COLLATION, CheckDef, ColumnDef, ColumnType, DefaultValue, Generated, GeometryKind, Visibility,
};
use crate::expression;
use crate::layout::{ColumnLayout, Layout, column_width, length_bytes};

/// Size of a column entry before 4.1.
const OLD_COLUMN: usize = 11;

/// Bytes of the shortest VARCHAR before 4.1.
const LEAST_VARCHAR: u16 = 4;

/// Most columns a table can have.
const MAX_COLUMNS: usize = 4096;

/// Members of one ENUM or SET.
type ValueList = Arc<[Box<[u8]>]>;

/// What the form section says of columns.
pub(super) struct Columns {
    pub columns: Vec<ColumnDef>,
    pub checks: Vec<CheckDef>,
    pub places: Places,
}

/// The stored offsets of the columns.
pub(super) struct Places {
    offsets: Vec<u32>,
    /// NULL bits of virtual columns come after those of all others (MySQL 5.7).
    virtual_bits_last: bool,
    columns: Vec<ColumnLayout>,
    null_bits: u32,
}

/// One 17-byte column entry.
struct Entry<'a> {
    bytes: Bytes<'a>,
    length: u16,
    offset: u32,
    flags: u16,
    unireg: u8,
    list: u8,
    code: u8,
    collation: u16,
    comment: usize,
}

pub(super) fn read(
    file: Bytes<'_>,
    form_pos: usize,
    header: &Header,
    extra2: &Extra2<'_>,
    record: &[u8],
) -> Result<Columns, FrmError> {
    let form = file.part(form_pos, FORM)?;
    let count = usize::from(form.u16(258)?);
    if count > MAX_COLUMNS {
        return Err(form.corrupt(258, "more than 4096 columns"));
    }
    let mut at = form_pos + FORM + usize::from(form.u16(260)?);
    let mut section = |len: usize| -> Result<Bytes<'_>, FrmError> {
        let part = file.part(at, len)?;
        at += len;
        Ok(part)
    };
    let size = if header.level < 2 { OLD_COLUMN } else { COLUMN };
    let entries = section(count * size)?;
    let names = section(usize::from(form.u16(268)?))?;
    let lists = section(usize::from(form.u16(274)?))?;
    let comments = section(usize::from(form.u16(284)?))?;
    let expressions = section(usize::from(form.u16(286)?))?;

    let mut names = split_names(names, count)?.into_iter();
    let lists = read_lists(lists, usize::from(form.u16(270)?))?;
    let mut comments = Cursor::new(comments);
    let type_names = read_type_names(extra2, count)?;
    let mut gis = extra2.gis.map(Cursor::new);
    if extra2.column_flags.is_some_and(|f| f.len() != count) {
        return Err(form.corrupt(258, "column flags for another number of columns"));
    }
    let mut decoded: Vec<Option<ValueList>> = vec![None; lists.len()];
    // Two older ways to store expressions follow the order of columns.
    let mut old_expressions = Cursor::new(expressions);

    let mut columns = Vec::with_capacity(count);
    let mut raw_flags = Vec::with_capacity(count);
    let mut offsets = Vec::with_capacity(count);
    for number in 0..count {
        let bytes = entries.part(number * size, size)?;
        let mut entry = read_entry(bytes, header)?;
        let generated = read_generated(&mut entry, header, &mut old_expressions)?;
        entry.unireg &= 0x7f;
        if header.version < 100_200 {
            entry.flags &= !pack::DECIMALS_HIGH;
        }
        let ty = column_type(&entry, header, &lists, type_names[number], &mut gis)?;
        let mut column = ColumnDef::new(&names.next().unwrap_or_default(), ty, binary()?);
        column.collation = column_collation(&entry, header, &column.ty)?;
        if (column.collation.charset.mbminlen > 1 || entry.flags & pack::HEX_MEMBERS != 0)
            && let ColumnType::Enum { values } | ColumnType::Set { values } = &mut column.ty
        {
            *values = decode_list(&mut decoded, values, &entry)?;
        }
        read_attributes(&mut column, &entry);
        column.generated = generated;
        column.comment = text(comments.slice(entry.comment)?);
        if let Some(flags) = extra2.column_flags {
            read_visibility(&mut column, flags[number]);
        }
        let Some(offset) = entry.offset.checked_sub(1) else {
            return Err(entry.bytes.corrupt(5, "a column offset of zero"));
        };
        if offset as usize + column_width(&column) as usize > record.len() {
            return Err(entry.bytes.corrupt(5, "a column beyond the record"));
        }
        offsets.push(offset);
        raw_flags.push((entry.flags, entry.unireg));
        columns.push(column);
    }

    let mut checks = Vec::new();
    let new_form = expressions.len() > 0 && header.version >= 100_200;
    if new_form {
        read_expressions(expressions, &mut columns, &mut checks)?;
    }
    let mut places =
        Places { offsets, virtual_bits_last: header.is_mysql_57(), columns: Vec::new(), null_bits: 0 };
    places.fill(&columns, header.options);
    if places.null_bits.div_ceil(8) as usize > record.len() {
        return Err(form.corrupt(282, "more NULL bits than the record has room for"));
    }
    for ((column, place), (flags, unireg)) in columns.iter_mut().zip(&places.columns).zip(&raw_flags) {
        read_default(column, place, *flags, *unireg, record);
    }
    Ok(Columns { columns, checks, places })
}

fn binary() -> Result<&'static Collation, FrmError> {
    Collation::by_id(BINARY_COLLATION).ok_or(FrmError::Unsupported("unknown collation"))
}

fn read_entry<'a>(bytes: Bytes<'a>, header: &Header) -> Result<Entry<'a>, FrmError> {
    if header.level < 3 {
        let flags = bytes.u16(6)?;
        let length = u16::from(bytes.u8(3)?);
        let code = match old_type_code(flags) {
            // rows of various lengths have no CHAR that could be a VARCHAR
            type_code::STRING if header.options & option::PACK_RECORD != 0 && length >= LEAST_VARCHAR => {
                type_code::OLD_VARCHAR
            }
            code => code,
        };
        let binary = flags & pack::SIGNED != 0;
        let table = header.collation;
        return Ok(Entry {
            bytes,
            length,
            offset: u32::from(bytes.u16(4)?),
            flags,
            unireg: bytes.u8(8)?,
            list: bytes.u8(10)?,
            code,
            // The table's collation; binary blobs and the binary sort of it are told by a flag.
            collation: match (code, binary) {
                (type_code::BLOB, true) => BINARY_COLLATION,
                (_, true) => table.charset.bin_collation_id,
                _ => table.id,
            },
            comment: 0,
        });
    }
    Ok(Entry {
        bytes,
        length: bytes.u16(3)?,
        offset: bytes.u24(5)?,
        flags: bytes.u16(8)?,
        unireg: bytes.u8(10)?,
        list: bytes.u8(12)?,
        code: bytes.u8(13)?,
        collation: u16::from(bytes.u8(14)?) | u16::from(bytes.u8(11)?) << 8,
        comment: usize::from(bytes.u16(15)?),
    })
}

/// The type code of a column of 4.0 and older, told by its flags alone.
fn old_type_code(flags: u16) -> u8 {
    let pack_type = (flags >> 3 & 0xf) as u8;
    if flags & pack::NUMBER != 0 {
        return pack_type;
    }
    match (flags & pack::BLOB != 0, flags & pack::INTERVAL != 0, flags & pack::BITFIELD != 0, pack_type) {
        (true, ..) => type_code::BLOB,
        (_, true, ..) => type_code::ENUM,
        (_, _, true, _) => type_code::SET,
        (.., 0) => type_code::STRING,
        (.., other) => other,
    }
}

/// What the flags of an entry say of its column.
fn read_attributes(column: &mut ColumnDef, entry: &Entry<'_>) {
    column.nullable = entry.flags & pack::MAYBE_NULL != 0;
    let numeric = column.ty.is_integer()
        || matches!(
            column.ty,
            ColumnType::Float { .. }
                | ColumnType::Double { .. }
                | ColumnType::Decimal { .. }
                | ColumnType::OldDecimal { .. }
        );
    if numeric {
        column.unsigned = entry.flags & pack::SIGNED == 0;
        column.zerofill = entry.flags & pack::ZEROFILL != 0;
    }
    if column.width != 0 {
        column.width = entry.length;
    }
    column.auto_increment = entry.unireg == unireg::AUTO_INCREMENT;
    column.compressed = entry.unireg == unireg::COMPRESSED;
    if column.compressed
        && let ColumnType::Varchar { bytes } = &mut column.ty
    {
        *bytes = bytes.saturating_sub(1);
    }
    column.on_update_now = matches!(entry.unireg, unireg::UPDATE_NOW | unireg::BOTH_NOW);
}

/// The expression of a column, where it is stored in one of the two older ways.
fn read_generated(
    entry: &mut Entry<'_>,
    header: &Header,
    old_expressions: &mut Cursor<'_>,
) -> Result<Option<Generated>, FrmError> {
    if header.is_mysql_57() && entry.unireg & 0x80 != 0 {
        entry.unireg = 0;
        return Ok(Some(read_mysql_expression(old_expressions)?));
    }
    if entry.code != type_code::VIRTUAL {
        return Ok(None);
    }
    if header.is_mysql_57() {
        return Err(FrmError::Unsupported("MySQL's JSON type"));
    }
    Ok(Some(read_old_virtual(old_expressions, entry)?))
}

fn read_visibility(column: &mut ColumnDef, flags: u8) {
    column.visibility = match flags & 3 {
        0 => Visibility::Visible,
        1 => Visibility::Invisible,
        2 => Visibility::System,
        _ => Visibility::Hidden,
    };
    column.unversioned = flags & 8 != 0;
}

/// Columns share lists: each is decoded once.
fn decode_list(
    decoded: &mut [Option<ValueList>],
    values: &ValueList,
    entry: &Entry<'_>,
) -> Result<ValueList, FrmError> {
    let slot = &mut decoded[usize::from(entry.list) - 1];
    Ok(match slot {
        Some(list) => list.clone(),
        None => slot.insert(unhex_list(values, entry)?).clone(),
    })
}

fn column_type(
    entry: &Entry<'_>,
    header: &Header,
    lists: &[ValueList],
    type_name: Option<&str>,
    gis: &mut Option<Cursor<'_>>,
) -> Result<ColumnType, FrmError> {
    use type_code as code;
    let corrupt = |what| entry.bytes.corrupt(13, what);
    if let Some(name) = type_name {
        return match name {
            "inet6" => Ok(ColumnType::Inet6),
            "inet4" => Ok(ColumnType::Inet4),
            "uuid" => Ok(ColumnType::Uuid),
            _ => Err(FrmError::Unsupported("an unknown data type")),
        };
    }
    let length = entry.length;
    let decimals = (entry.flags >> 8 & 0x3f) as u8;
    // Fractional digits of a temporal type whose text has `base` characters.
    let fraction = |base: u16| match length.checked_sub(base) {
        None | Some(0) => Ok(0),
        Some(n @ 2..=7) => Ok((n - 1) as u8),
        _ => Err(corrupt("a temporal column of impossible width")),
    };
    let list = || {
        usize::from(entry.list)
            .checked_sub(1)
            .and_then(|i| lists.get(i))
            .cloned()
            .ok_or_else(|| corrupt("an ENUM or SET without its value list"))
    };
    Ok(match entry.code {
        code::TINY => ColumnType::Tiny,
        code::SHORT => ColumnType::Short,
        code::INT24 => ColumnType::Int24,
        code::LONG => ColumnType::Long,
        code::LONGLONG => ColumnType::LongLong,
        code::FLOAT => ColumnType::Float { decimals },
        code::DOUBLE => ColumnType::Double { decimals },
        code::OLD_DECIMAL => ColumnType::OldDecimal { bytes: length, scale: decimals },
        code::DECIMAL => decimal_type(entry, header.version == 0)?,
        code::YEAR => ColumnType::Year,
        code::BIT => {
            if length == 0 || length > 64 {
                return Err(corrupt("a BIT of impossible width"));
            }
            ColumnType::Bit { bits: length as u8, as_char: entry.flags & pack::BIT_AS_CHAR != 0 }
        }
        code::DATE => ColumnType::Date,
        code::OLD_DATE => ColumnType::OldDate,
        code::TIME => ColumnType::Time { decimals: fraction(10)? },
        code::DATETIME => ColumnType::DateTime { decimals: fraction(19)? },
        code::TIMESTAMP => ColumnType::Timestamp { decimals: fraction(19)? },
        // Servers before 5.6 knew no fractions; widths such as 8 or 14 occur.
        code::OLD_TIME => ColumnType::OldTime { decimals: fraction(10)? },
        code::OLD_DATETIME => ColumnType::OldDateTime { decimals: fraction(19)? },
        code::OLD_TIMESTAMP => ColumnType::OldTimestamp { decimals: fraction(19)? },
        code::VARCHAR => ColumnType::Varchar { bytes: length },
        code::OLD_VARCHAR => ColumnType::OldVarchar { bytes: length },
        code::STRING => ColumnType::Char { bytes: length },
        code::TINY_BLOB | code::BLOB | code::MEDIUM_BLOB | code::LONG_BLOB => {
            ColumnType::Blob { length_bytes: width_code(entry)? }
        }
        code::ENUM => ColumnType::Enum { values: list()? },
        code::SET => {
            let values = list()?;
            if values.len() > 64 {
                return Err(corrupt("a SET of more than 64 members"));
            }
            ColumnType::Set { values }
        }
        code::GEOMETRY => ColumnType::Geometry {
            kind: geometry_kind(entry)?,
            srid: match gis {
                Some(at) => read_srid(at)?,
                None => 0,
            },
        },
        _ => return Err(corrupt("an unknown column type")),
    })
}

/// The type of a DECIMAL; the oldest files have the precision for the length.
fn decimal_type(entry: &Entry<'_>, precision_alone: bool) -> Result<ColumnType, FrmError> {
    let length = entry.length;
    let decimals = (entry.flags >> 8 & 0x3f) as u8;
    let signed = entry.flags & pack::SIGNED != 0;
    let precision = if precision_alone {
        length
    } else {
        length.saturating_sub(u16::from(decimals > 0) + u16::from(signed))
    };
    if precision == 0 || precision > 65 || u16::from(decimals) > precision {
        return Err(entry.bytes.corrupt(13, "a DECIMAL of impossible precision"));
    }
    Ok(ColumnType::Decimal { precision: precision as u8, scale: decimals })
}

fn width_code(entry: &Entry<'_>) -> Result<u8, FrmError> {
    match entry.flags >> 3 & 0xf {
        1 => Ok(1),
        2 => Ok(2),
        9 => Ok(3),
        3 => Ok(4),
        _ => Err(entry.bytes.corrupt(8, "a BLOB of impossible width")),
    }
}

fn geometry_kind(entry: &Entry<'_>) -> Result<GeometryKind, FrmError> {
    let number = (entry.collation & 0xff) as u8;
    GeometryKind::from_number(number).ok_or_else(|| entry.bytes.corrupt(14, "an unknown geometry type"))
}

/// Options of one GEOMETRY column: only the SRID is of use.
fn read_srid(at: &mut Cursor<'_>) -> Result<u32, FrmError> {
    let mut srid = 0;
    loop {
        match at.u8()? {
            0 => return Ok(srid),
            81 => srid = at.u32()?,
            1..=40 => drop(at.u8()?),
            41..=80 => drop(at.u16()?),
            82..=120 => drop(at.u32()?),
            121..=160 => drop(at.slice(8)?),
            _ => {
                let len = at.short_length()?;
                at.slice(len)?;
            }
        }
    }
}

fn column_collation(
    entry: &Entry<'_>,
    header: &Header,
    ty: &ColumnType,
) -> Result<&'static Collation, FrmError> {
    if !ty.is_string() && !matches!(ty, ColumnType::OldVarchar { .. }) {
        return binary();
    }
    match entry.collation {
        0 => Ok(header.collation),
        id => find_collation(id, header.version).ok_or(FrmError::Unsupported("unknown collation")),
    }
}

fn split_names(block: Bytes<'_>, count: usize) -> Result<Vec<String>, FrmError> {
    let wrong = || block.corrupt(0, "the column names are not as many as the columns");
    if count == 0 {
        return Ok(Vec::new());
    }
    let names = block
        .data()
        .strip_prefix(b"\xff")
        .and_then(|n| n.split(|&b| b == 0).next())
        .and_then(|n| n.strip_suffix(b"\xff"))
        .ok_or_else(wrong)?;
    let names: Vec<String> = names.split(|&b| b == 0xff).map(text).collect();
    if names.len() != count {
        return Err(wrong());
    }
    Ok(names)
}

fn read_lists(block: Bytes<'_>, count: usize) -> Result<Vec<ValueList>, FrmError> {
    let mut rest = block.data();
    let mut lists = Vec::new();
    for number in 0..count {
        let last = number + 1 == count;
        let Some((&separator, mut values)) = rest.split_first() else {
            return Err(block.corrupt(0, "fewer value lists than announced"));
        };
        let mut list = Vec::new();
        if separator != 0 {
            loop {
                // A 0 in the place of a value ends the list. In the last list a
                // value may itself begin with 0: then more follows within the block.
                match values {
                    [0] => values = &[],
                    [0, ..] if !last => values = &values[1..],
                    _ => {
                        let Some(len) = values.iter().position(|&b| b == separator) else {
                            return Err(block.corrupt(0, "a value list without its end"));
                        };
                        list.push(values[..len].into());
                        values = &values[len + 1..];
                        continue;
                    }
                }
                break;
            }
        }
        rest = values;
        lists.push(list.into());
    }
    Ok(lists)
}

/// Names of plug-in data types by column.
fn read_type_names<'a>(extra2: &Extra2<'a>, count: usize) -> Result<Vec<Option<&'a str>>, FrmError> {
    let mut names = vec![None; count];
    if let Some(segment) = extra2.type_names {
        let mut at = Cursor::new(segment);
        while at.rest() > 0 {
            let column = at.length_encoded()?;
            let len = at.length_encoded()?;
            let name = std::str::from_utf8(at.slice(len)?).unwrap_or("");
            match names.get_mut(column) {
                Some(slot) => *slot = Some(name),
                None => return Err(at.corrupt("a data type for a column that is not there")),
            }
        }
    }
    Ok(names)
}

/// Members stored as hexadecimal text (character sets of wide units).
fn unhex_list(values: &[Box<[u8]>], entry: &Entry<'_>) -> Result<ValueList, FrmError> {
    let digit = |b: u8| (b as char).to_digit(16).map(|d| d as u8);
    values
        .iter()
        .map(|value| {
            let pairs = value.chunks_exact(2);
            if !pairs.remainder().is_empty() {
                return None;
            }
            pairs.map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
        })
        .collect::<Option<Vec<Box<[u8]>>>>()
        .map(Arc::from)
        .ok_or_else(|| entry.bytes.corrupt(12, "ENUM members not in hexadecimal"))
}

/// Expression section of MariaDB 10.2 and later.
fn read_expressions(
    section: Bytes<'_>,
    columns: &mut [ColumnDef],
    checks: &mut Vec<CheckDef>,
) -> Result<(), FrmError> {
    let mut at = Cursor::new(section);
    at.slice(kind_of::HEAD)?;
    while at.rest() > 0 {
        let kind = at.u8()?;
        let number = at.u16()?;
        let len = usize::from(at.u16()?);
        let name_len = usize::from(at.u8()?);
        let name = text(at.slice(name_len)?);
        let expression = text(at.slice(len)?);
        if kind == kind_of::TABLE_CHECK {
            checks.push(CheckDef { name, expression });
            continue;
        }
        let Some(column) = columns.get_mut(usize::from(number)) else {
            return Err(at.corrupt("an expression of a column that is not there"));
        };
        match kind {
            kind_of::VIRTUAL | kind_of::STORED => {
                column.generated = Some(Generated { expression, stored: kind == kind_of::STORED });
            }
            kind_of::DEFAULT => column.default = DefaultValue::Expression(expression.into()),
            kind_of::COLUMN_CHECK => column.check = Some(expression),
            _ => return Err(at.corrupt("an unknown kind of expression")),
        }
    }
    Ok(())
}

/// Expression of one column in MySQL 5.7.
fn read_mysql_expression(at: &mut Cursor<'_>) -> Result<Generated, FrmError> {
    if at.u8()? != 1 {
        return Err(at.corrupt("a generated column in an unknown form"));
    }
    let len = usize::from(at.u16()?);
    let stored = at.u8()? != 0;
    let expression = text(at.slice(len)?);
    // The text brings its own parentheses.
    let expression = match expression::in_parentheses(&expression) {
        Some(inner) => inner.to_owned(),
        None => expression,
    };
    Ok(Generated { expression, stored })
}

/// Expression of one column in MariaDB 5.2 to 10.1; tells the real type too.
fn read_old_virtual(at: &mut Cursor<'_>, entry: &mut Entry<'_>) -> Result<Generated, FrmError> {
    let mut part = Cursor::new(at.part(usize::from(entry.list))?);
    let form = part.u8()?;
    if !(1..=2).contains(&form) {
        return Err(part.corrupt("a generated column in an unknown form"));
    }
    entry.code = part.u8()?;
    let stored = part.u8()? & 1 != 0;
    entry.list = if form == 2 { part.u8()? } else { 0 };
    let len = part.rest();
    Ok(Generated { expression: text(part.slice(len)?), stored })
}

/// The default of a column that has none in the expression section.
fn read_default(column: &mut ColumnDef, place: &ColumnLayout, flags: u16, unireg: u8, record: &[u8]) {
    let null = place.null.is_some_and(|n| record.get(n.byte as usize).is_some_and(|b| b & n.mask != 0));
    if matches!(column.default, DefaultValue::Expression(_)) {
        let zero = crate::layout::zero_value(column);
        let value = (!null && !column.ty.is_blob()).then(|| stored_value(column, place, record));
        if let DefaultValue::Expression(computed) = &mut column.default {
            computed.value = value.filter(|v| place.null.is_some() || *v != zero).map(Vec::into_boxed_slice);
        }
        return;
    }
    column.default = if column.generated.is_some() {
        DefaultValue::None
    } else if matches!(unireg, unireg::DEFAULT_NOW | unireg::BOTH_NOW) {
        DefaultValue::Now
    } else if flags & pack::NO_DEFAULT != 0 || column.auto_increment {
        DefaultValue::None
    } else if null {
        DefaultValue::Null
    } else {
        DefaultValue::Value(stored_value(column, place, record).into())
    };
}

/// The stored bytes of a column in a record, as [`DefaultValue::Value`] has them.
fn stored_value(column: &ColumnDef, place: &ColumnLayout, record: &[u8]) -> Vec<u8> {
    let at = place.offset as usize;
    let bytes = record.get(at..at + place.width as usize).unwrap_or_default();
    match column.ty {
        ColumnType::Char { .. } | ColumnType::OldVarchar { .. }
            if column.collation.id != BINARY_COLLATION =>
        {
            column.collation.charset.trim_spaces(bytes).to_vec()
        }
        ColumnType::Varchar { .. } => {
            let prefix = usize::from(length_bytes(column));
            let mut len = [0; 2];
            let Some((head, data)) = bytes.split_at_checked(prefix) else {
                return Vec::new();
            };
            len[..prefix].copy_from_slice(head);
            let len = usize::from(u16::from_le_bytes(len)).min(data.len());
            // In a COMPRESSED column a 0 before the value says "not compressed".
            let value = &data[..len];
            match value.split_first() {
                Some((0, plain)) if column.compressed => plain.to_vec(),
                _ => value.to_vec(),
            }
        }
        ColumnType::Blob { .. } | ColumnType::Geometry { .. } => Vec::new(),
        ColumnType::Bit { .. } => {
            let mut value = Vec::with_capacity(8);
            if let Some(odd) = place.odd_bits {
                value.push(odd.get(record).unwrap_or(0));
            }
            value.extend_from_slice(bytes);
            value
        }
        _ => bytes.to_vec(),
    }
}

impl Places {
    /// Gives every column its place: stored offset, NULL and odd bits in order.
    fn fill(&mut self, columns: &[ColumnDef], options: u16) {
        let dynamic = options & option::PACK_RECORD != 0;
        let mut bit = u32::from(!dynamic);
        self.columns = columns
            .iter()
            .zip(&self.offsets)
            .map(|(column, &offset)| ColumnLayout {
                offset,
                width: column_width(column),
                length_bytes: length_bytes(column),
                null: None,
                odd_bits: None,
                stored: !column.is_virtual() && !column.is_hash(),
            })
            .collect();
        let late = |column: &ColumnDef| self.virtual_bits_last && column.is_virtual();
        for pass in [false, true] {
            for (column, place) in columns.iter().zip(&mut self.columns) {
                if late(column) == pass {
                    place.take_bits(column, &mut bit);
                }
            }
        }
        self.null_bits = bit;
    }

    /// The layout the file describes.
    pub fn layout(self, computed: &Layout, reclength: u32, options: u16) -> Layout {
        let stored_length =
            self.columns.iter().filter(|c| !c.stored).map(|c| c.offset).min().unwrap_or(reclength);
        Layout {
            dynamic: options & option::PACK_RECORD != 0,
            reclength,
            stored_length: if computed.reclength == reclength {
                computed.stored_length
            } else {
                stored_length
            },
            null_bytes: self.null_bits.div_ceil(8),
            null_bits: self.null_bits,
            columns: self.columns,
        }
    }
}
