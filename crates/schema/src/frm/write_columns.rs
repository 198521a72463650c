//! Writing column entries, names, value lists, comments and expressions.

use super::FrmError;
use super::codes::{COLUMN, FORM, expression, pack, type_code, unireg};
use super::write::{push_form, push16};
use crate::definition::{BINARY_COLLATION, ColumnDef, ColumnType, DefaultValue, TableDef};
use crate::layout::{Layout, column_width, varchar_bytes};

/// The parts of the form section.
pub(super) struct Form {
    entries: Vec<u8>,
    pub names: Vec<u8>,
    pub lists: Vec<u8>,
    pub comments: Vec<u8>,
    pub expressions: Vec<u8>,
    /// Sum of the columns' lengths.
    pub lengths: usize,
    pub list_count: usize,
    /// Members of all lists and one end mark for each.
    pub value_count: usize,
    /// 1-based offset of the first old TIMESTAMP that follows the clock.
    pub old_timestamp: usize,
}

impl Form {
    /// Length of the whole form section in bytes.
    pub fn len(&self) -> usize {
        FORM + self.entries.len()
            + self.names.len()
            + self.lists.len()
            + self.comments.len()
            + self.expressions.len()
    }

    pub fn append(&self, def: &TableDef, layout: &Layout, out: &mut Vec<u8>) {
        push_form(out, def, layout, self);
        out.extend_from_slice(&self.entries);
        out.extend_from_slice(&self.names);
        out.extend_from_slice(&self.lists);
        out.extend_from_slice(&self.comments);
        out.extend_from_slice(&self.expressions);
    }
}

/// Whether the table needs the expression section, and with it format version 11.
pub(super) fn has_expressions(def: &TableDef) -> bool {
    !def.checks.is_empty()
        || def.columns.iter().any(|c| {
            c.generated.is_some() || c.check.is_some() || matches!(c.default, DefaultValue::Expression(_))
        })
}

pub(super) fn form(def: &TableDef, layout: &Layout) -> Result<Form, FrmError> {
    let mut form = Form {
        entries: Vec::with_capacity(def.columns.len() * COLUMN),
        names: vec![0xff],
        lists: Vec::new(),
        comments: Vec::new(),
        expressions: Vec::new(),
        lengths: 0,
        list_count: 0,
        value_count: 0,
        old_timestamp: 0,
    };
    let mut lists = Lists { lists: Vec::new() };
    for (column, place) in def.columns.iter().zip(&layout.columns) {
        let length = length_field(column);
        let unireg = unireg_code(column);
        if matches!(column.ty, ColumnType::OldTimestamp { .. })
            && matches!(unireg, unireg::DEFAULT_NOW | unireg::UPDATE_NOW | unireg::BOTH_NOW)
            && form.old_timestamp == 0
        {
            form.old_timestamp = place.offset as usize + 1;
        }
        let list = match &column.ty {
            ColumnType::Enum { values } | ColumnType::Set { values } => {
                lists.number(values, column.collation.charset.mbminlen > 1 || has_nul(values))?
            }
            _ => 0,
        };
        let collation = collation_field(column);
        form.lengths += length;
        form.entries.extend_from_slice(&[0; 3]);
        push16(&mut form.entries, length, "column")?;
        form.entries.extend_from_slice(&(place.offset + 1).to_le_bytes()[..3]);
        form.entries.extend_from_slice(&pack_flags(column).to_le_bytes());
        form.entries.push(unireg);
        form.entries.push((collation >> 8) as u8);
        form.entries.push(list);
        form.entries.push(type_number(column));
        form.entries.push(collation as u8);
        push16(&mut form.entries, column.comment.len(), "column comment")?;
        form.names.extend_from_slice(column.name.as_bytes());
        form.names.push(0xff);
        form.comments.extend_from_slice(column.comment.as_bytes());
    }
    form.names.push(0);
    lists.append(&mut form);
    if has_expressions(def) {
        expressions(def, &mut form.expressions)?;
    }
    if form.len() > 0xffff {
        return Err(FrmError::TooLarge("columns"));
    }
    Ok(form)
}

/// The length field of a column entry: display width or bytes.
fn length_field(column: &ColumnDef) -> usize {
    let characters = |value: &[u8]| column.collation.charset.char_len(value);
    let mbmaxlen = usize::from(column.collation.charset.mbmaxlen);
    let temporal = |base: usize, decimals: u8| match decimals {
        0 => base,
        n => base + 1 + usize::from(n),
    };
    match &column.ty {
        ColumnType::Tiny
        | ColumnType::Short
        | ColumnType::Int24
        | ColumnType::Long
        | ColumnType::LongLong
        | ColumnType::Float { .. }
        | ColumnType::Double { .. }
        | ColumnType::Year => usize::from(column.width),
        ColumnType::Decimal { precision, scale } => {
            usize::from(*precision) + usize::from(*scale > 0) + usize::from(!column.unsigned)
        }
        ColumnType::Bit { bits, .. } => usize::from(*bits),
        ColumnType::Date | ColumnType::OldDate => 10,
        ColumnType::Time { decimals } | ColumnType::OldTime { decimals } => temporal(10, *decimals),
        ColumnType::DateTime { decimals }
        | ColumnType::OldDateTime { decimals }
        | ColumnType::Timestamp { decimals }
        | ColumnType::OldTimestamp { decimals } => temporal(19, *decimals),
        ColumnType::Varchar { .. } => usize::from(varchar_bytes(column)),
        ColumnType::Char { bytes }
        | ColumnType::OldVarchar { bytes }
        | ColumnType::OldDecimal { bytes, .. } => usize::from(*bytes),
        ColumnType::Blob { .. } | ColumnType::Geometry { .. } => 8,
        ColumnType::Enum { values } => values.iter().map(|v| characters(v)).max().unwrap_or(0) * mbmaxlen,
        ColumnType::Set { values } => {
            let text: usize = values.iter().map(|v| characters(v)).sum();
            (text + values.len().saturating_sub(1)) * mbmaxlen
        }
        ColumnType::Inet6 => 39,
        ColumnType::Uuid => 36,
        ColumnType::Inet4 => 15,
    }
}

/// The pack flags of a column entry.
pub(super) fn pack_flags(column: &ColumnDef) -> u16 {
    let kind = u16::from(type_number(column)) << 3;
    let number = || {
        let mut flags = pack::NUMBER;
        if !column.unsigned {
            flags |= pack::SIGNED;
        }
        if column.zerofill {
            flags |= pack::ZEROFILL;
        }
        flags
    };
    let byte_sorted =
        u16::from(column.collation.id == BINARY_COLLATION || column.collation.name.ends_with("_bin"));
    // Width of an ENUM, SET or BLOB as the type code of an integer of that width.
    let width = |bytes: u32| match bytes {
        1 => 1 << 3,
        2 => 2 << 3,
        3 => 9 << 3,
        4 => 3 << 3,
        _ => 8 << 3,
    };
    let mut flags = match &column.ty {
        _ if column.is_hash() => 0,
        ty if ty.is_integer() => number() | kind,
        ColumnType::Float { decimals } | ColumnType::Double { decimals } => {
            number() | kind | u16::from(*decimals) << 8
        }
        ColumnType::Decimal { scale, .. } | ColumnType::OldDecimal { scale, .. } => {
            number() | u16::from(*scale) << 8
        }
        ColumnType::Year => pack::NUMBER | pack::ZEROFILL | kind,
        ColumnType::Bit { as_char, .. } => pack::NUMBER | if *as_char { pack::BIT_AS_CHAR } else { 0 },
        ColumnType::Timestamp { .. } | ColumnType::OldTimestamp { .. } => pack::NUMBER | kind,
        ColumnType::Char { .. } | ColumnType::OldVarchar { .. } | ColumnType::Varchar { .. } => byte_sorted,
        ColumnType::Blob { length_bytes } => pack::BLOB | byte_sorted | width(u32::from(*length_bytes)),
        ColumnType::Enum { values } | ColumnType::Set { values } => {
            let kind =
                if matches!(column.ty, ColumnType::Enum { .. }) { pack::INTERVAL } else { pack::BITFIELD };
            let wide = column.collation.charset.mbminlen > 1;
            let hex = if has_nul(values) && !wide { pack::HEX_MEMBERS } else { 0 };
            kind | hex | byte_sorted | width(column_width(column))
        }
        ColumnType::Geometry { .. } => pack::GEOMETRY | pack::SIGNED | width(4),
        ColumnType::Uuid | ColumnType::Inet4 | ColumnType::Inet6 => pack::SIGNED,
        _ => kind,
    };
    if column.nullable {
        flags |= pack::MAYBE_NULL;
    }
    if matches!(column.default, DefaultValue::None) && !column.auto_increment && column.generated.is_none() {
        flags |= pack::NO_DEFAULT;
    }
    flags
}

/// The pack flags as the key parts repeat them: without decimals. (The server
/// also leaves out NO_DEFAULT of columns that only a primary key made NOT NULL.)
pub(super) fn key_part_flags(column: &ColumnDef) -> u16 {
    let flags = pack_flags(column);
    match column.ty {
        ColumnType::Float { .. }
        | ColumnType::Double { .. }
        | ColumnType::Decimal { .. }
        | ColumnType::OldDecimal { .. } => flags & !pack::DECIMALS,
        _ => flags,
    }
}

/// Whether the members of an ENUM or SET are stored as hexadecimal text for
/// the sake of a 0 byte among them.
fn has_nul(values: &[Box<[u8]>]) -> bool {
    values.iter().any(|value| value.contains(&0))
}

fn unireg_code(column: &ColumnDef) -> u8 {
    let now = matches!(column.default, DefaultValue::Now);
    match (column.auto_increment, now, column.on_update_now) {
        (true, ..) => unireg::AUTO_INCREMENT,
        (_, true, false) => unireg::DEFAULT_NOW,
        (_, false, true) => unireg::UPDATE_NOW,
        (_, true, true) => unireg::BOTH_NOW,
        _ if column.compressed => unireg::COMPRESSED,
        _ => 0,
    }
}

fn type_number(column: &ColumnDef) -> u8 {
    use type_code as code;
    match &column.ty {
        ColumnType::Tiny => code::TINY,
        ColumnType::Short => code::SHORT,
        ColumnType::Int24 => code::INT24,
        ColumnType::Long => code::LONG,
        ColumnType::LongLong => code::LONGLONG,
        ColumnType::Float { .. } => code::FLOAT,
        ColumnType::Double { .. } => code::DOUBLE,
        ColumnType::Decimal { .. } => code::DECIMAL,
        ColumnType::OldDecimal { .. } => code::OLD_DECIMAL,
        ColumnType::Year => code::YEAR,
        ColumnType::Bit { .. } => code::BIT,
        ColumnType::Date => code::DATE,
        ColumnType::OldDate => code::OLD_DATE,
        ColumnType::Time { .. } => code::TIME,
        ColumnType::OldTime { .. } => code::OLD_TIME,
        ColumnType::DateTime { .. } => code::DATETIME,
        ColumnType::OldDateTime { .. } => code::OLD_DATETIME,
        ColumnType::Timestamp { .. } => code::TIMESTAMP,
        ColumnType::OldTimestamp { .. } => code::OLD_TIMESTAMP,
        ColumnType::Char { .. } | ColumnType::Uuid | ColumnType::Inet4 | ColumnType::Inet6 => code::STRING,
        ColumnType::OldVarchar { .. } => code::OLD_VARCHAR,
        ColumnType::Varchar { .. } => code::VARCHAR,
        ColumnType::Blob { length_bytes: 1 } => code::TINY_BLOB,
        ColumnType::Blob { length_bytes: 3 } => code::MEDIUM_BLOB,
        ColumnType::Blob { length_bytes: 4 } => code::LONG_BLOB,
        ColumnType::Blob { .. } => code::BLOB,
        ColumnType::Enum { .. } => code::ENUM,
        ColumnType::Set { .. } => code::SET,
        ColumnType::Geometry { .. } => code::GEOMETRY,
    }
}

/// The two collation bytes of a column entry.
fn collation_field(column: &ColumnDef) -> u16 {
    match column.ty {
        ColumnType::Geometry { kind, .. } => kind as u16,
        ColumnType::Float { .. }
        | ColumnType::Double { .. }
        | ColumnType::Decimal { .. }
        | ColumnType::OldDecimal { .. } => 0,
        ColumnType::OldVarchar { .. } => column.collation.id,
        _ if column.is_string() => column.collation.id,
        _ => 8,
    }
}

/// The distinct value lists in order of first use.
struct Lists {
    lists: Vec<(Vec<Box<[u8]>>, bool)>,
}

impl Lists {
    /// Number of a list, 1 and up.
    fn number(&mut self, values: &[Box<[u8]>], wide: bool) -> Result<u8, FrmError> {
        let found = self.lists.iter().position(|(list, w)| *w == wide && list.as_slice() == values);
        let number = found.unwrap_or_else(|| {
            self.lists.push((values.to_vec(), wide));
            self.lists.len() - 1
        });
        u8::try_from(number + 1).map_err(|_| FrmError::TooLarge("ENUM and SET lists"))
    }

    fn append(&self, form: &mut Form) {
        for (list, wide) in &self.lists {
            let hex: Vec<Box<[u8]>>;
            let values = if *wide {
                hex = list.iter().map(|v| hexadecimal(v)).collect();
                &hex
            } else {
                list
            };
            let separator = separator(values);
            form.lists.push(separator);
            for value in values {
                form.lists.extend_from_slice(value);
                form.lists.push(separator);
            }
            form.lists.push(0);
            form.value_count += values.len() + 1;
        }
        form.list_count = self.lists.len();
    }
}

fn hexadecimal(value: &[u8]) -> Box<[u8]> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    value.iter().flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]).collect()
}

/// A byte that no value contains: 0xFF, a comma, else the lowest.
fn separator(values: &[Box<[u8]>]) -> u8 {
    let mut used = [false; 256];
    for value in values {
        for &byte in value.iter() {
            used[usize::from(byte)] = true;
        }
    }
    [0xff, b','].into_iter().chain(1..=254).find(|&b| !used[usize::from(b)]).unwrap_or(0xff)
}

fn expressions(def: &TableDef, out: &mut Vec<u8>) -> Result<(), FrmError> {
    out.resize(expression::HEAD, 0);
    let mut entry = |kind: u8, number: u16, name: &str, text: &str| -> Result<(), FrmError> {
        out.push(kind);
        out.extend_from_slice(&number.to_le_bytes());
        push16(out, text.len(), "expression")?;
        out.push(u8::try_from(name.len()).map_err(|_| FrmError::TooLarge("constraint name"))?);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(text.as_bytes());
        Ok(())
    };
    for (number, column) in def.columns.iter().enumerate() {
        let number = number as u16;
        if let Some(generated) = &column.generated {
            let kind = if generated.stored { expression::STORED } else { expression::VIRTUAL };
            entry(kind, number, &column.name, &generated.expression)?;
        }
        if let DefaultValue::Expression(computed) = &column.default {
            entry(expression::DEFAULT, number, &column.name, &computed.text)?;
        }
        if let Some(check) = &column.check {
            entry(expression::COLUMN_CHECK, number, &column.name, check)?;
        }
    }
    for check in &def.checks {
        entry(expression::TABLE_CHECK, u16::MAX, &check.name, &check.expression)?;
    }
    Ok(())
}
