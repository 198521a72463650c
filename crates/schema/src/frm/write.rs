//! Writing a table definition as MariaDB 10.11 does.

use super::codes::{FORM, INLINE_COMMENT, engine_code, key as flag, option, tag};
use super::write_columns::{self, Form};
use super::{FrmError, MAX_FILE};
use crate::definition::{
    ColumnType, EngineOption, FRM_VERSION, KeyAlgorithm, KeyDef, KeyKind, TableDef, Visibility,
};
use crate::layout::{Layout, engine};

/// Files of this version and newer have the form written here.
const OLDEST_VERSION: u32 = 100_200;

/// The `.frm` file of a table. Byte-identical to the server's own for the same
/// definition, but for [`TableDef::uuid`] and [`TableDef::server_version`],
/// which are written as they are; but the version of a server that wrote another
/// form is not kept, as its readers would take this one for that.
///
/// # Errors
/// [`FrmError::TooLarge`] when a field of the file cannot hold what it should.
pub fn write(def: &TableDef) -> Result<Vec<u8>, FrmError> {
    let layout = def.layout();
    let form = write_columns::form(def, &layout)?;
    let extra2 = extra2(def)?;
    let keys = key_section(def, &layout)?;
    let extra = extra_segment(def)?;

    let keys_pos = 64 + extra2.len() + 4;
    let mut out = header(def, &layout, &keys)?;
    let record = layout.default_record(def);
    let form_pos = keys_pos + keys.reserved + record.len() + extra.len();
    let total = form_pos + form.len();
    if total > MAX_FILE {
        return Err(FrmError::TooLarge("definition of more than 1 MiB"));
    }

    put16(&mut out, 4, extra2.len(), "engine-defined options")?;
    put16(&mut out, 6, keys_pos, "engine-defined options")?;
    put32(&mut out, 10, total as u32);
    put32(&mut out, 55, extra.len() as u32);
    out.extend_from_slice(&extra2);
    out.extend_from_slice(&(form_pos as u32).to_le_bytes());
    let padded = out.len() + keys.reserved;
    out.extend_from_slice(&keys.bytes);
    out.resize(padded, 0);
    out.extend_from_slice(&record);
    out.extend_from_slice(&extra);
    form.append(def, &layout, &mut out);
    Ok(out)
}

/// The key section and the room it is given.
struct Keys {
    bytes: Vec<u8>,
    reserved: usize,
}

pub(super) fn put16(out: &mut [u8], at: usize, value: usize, what: &'static str) -> Result<(), FrmError> {
    let value = u16::try_from(value).map_err(|_| FrmError::TooLarge(what))?;
    out[at..at + 2].copy_from_slice(&value.to_le_bytes());
    Ok(())
}

fn put32(out: &mut [u8], at: usize, value: u32) {
    out[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Appends a u16.
pub(super) fn push16(out: &mut Vec<u8>, value: usize, what: &'static str) -> Result<(), FrmError> {
    let value = u16::try_from(value).map_err(|_| FrmError::TooLarge(what))?;
    out.extend_from_slice(&value.to_le_bytes());
    Ok(())
}

fn header(def: &TableDef, layout: &Layout, keys: &Keys) -> Result<Vec<u8>, FrmError> {
    let options = &def.options;
    let long_hash = def.keys.iter().any(|k| k.algorithm == KeyAlgorithm::LongHash);
    let mut out = vec![0; 64];
    out[0] = 0xfe;
    out[1] = 1;
    out[2] = 10 + u8::from(long_hash || write_columns::has_expressions(def));
    out[3] = engine_code(&options.engine);
    out[8] = 1;
    put16(&mut out, 14, keys.reserved.min(0xffff), "keys")?;
    put16(&mut out, 16, layout.reclength as usize, "record")?;
    let clip = |rows: u64| rows.min(u64::from(u32::MAX)) as u32;
    put32(&mut out, 18, clip(options.max_rows));
    put32(&mut out, 22, clip(options.min_rows));
    out[26] = u8::from(options.max_rows == 1 && options.min_rows == 1 && def.keys.is_empty());
    out[27] = 2;
    put16(&mut out, 28, keys.bytes.len(), "keys")?;
    let mut bits = option::LONG_BLOB_PTR;
    let mut set = |on: bool, bit: u16| {
        if on {
            bits |= bit;
        }
    };
    set(layout.dynamic, option::PACK_RECORD);
    set(options.pack_keys == Some(true), option::PACK_KEYS);
    set(options.pack_keys == Some(false), option::NO_PACK_KEYS);
    set(options.checksum, option::CHECKSUM);
    set(options.delay_key_write, option::DELAY_KEY_WRITE);
    set(options.stats_persistent == Some(true), option::STATS_PERSISTENT);
    set(options.stats_persistent == Some(false), option::NO_STATS_PERSISTENT);
    put16(&mut out, 30, usize::from(bits), "options")?;
    out[33] = 5;
    put32(&mut out, 34, options.avg_row_length);
    let collation = options.collation.id.to_le_bytes();
    out[38] = collation[0];
    out[41] = collation[1];
    let choice = |value: Option<bool>| value.map_or(0, |on| 1 + u8::from(on));
    out[39] =
        choice(options.transactional) | choice(options.page_checksum) << 2 | choice(options.sequence) << 4;
    out[40] = options.row_format as u8;
    put16(&mut out, 42, usize::from(options.stats_sample_pages), "options")?;
    out[44] = match options.stats_auto_recalc {
        None => 0,
        Some(true) => 1,
        Some(false) => 2,
    };
    let checks = def.checks.len() + def.columns.iter().filter(|c| c.check.is_some()).count();
    put16(&mut out, 45, checks, "CHECK constraints")?;
    put32(&mut out, 47, keys.reserved as u32);
    put32(&mut out, 51, if def.server_version < OLDEST_VERSION { FRM_VERSION } else { def.server_version });
    out[61] = def.partition.as_ref().map_or(0, |p| p.engine_code);
    put16(&mut out, 62, usize::from(options.key_block_size), "options")?;
    Ok(out)
}

fn extra2(def: &TableDef) -> Result<Vec<u8>, FrmError> {
    let mut out = Vec::new();
    item(&mut out, tag::VERSION, &def.uuid)?;
    if let Some(partition) = &def.partition {
        item(&mut out, tag::PARTITION_ENGINE, partition.engine.as_bytes())?;
    }
    let listed = !def.options.engine_options.is_empty()
        || def.columns.iter().any(|c| !c.engine_options.is_empty())
        || def.keys.iter().any(|k| !k.engine_options.is_empty());
    if listed {
        let mut value = Vec::new();
        engine_options(&mut value, &def.options.engine_options)?;
        for column in &def.columns {
            engine_options(&mut value, &column.engine_options)?;
        }
        for key in &def.keys {
            engine_options(&mut value, &key.engine_options)?;
        }
        item(&mut out, tag::ENGINE_OPTIONS, &value)?;
    }
    let mut gis = Vec::new();
    let mut names = Vec::new();
    for (number, column) in def.columns.iter().enumerate() {
        if let ColumnType::Geometry { srid, .. } = column.ty {
            gis.extend_from_slice(&[1, 0, 2, 8, 3, 0, 81]);
            gis.extend_from_slice(&srid.to_le_bytes());
            gis.push(0);
        }
        let name: &[u8] = match column.ty {
            ColumnType::Inet6 => b"inet6",
            ColumnType::Inet4 => b"inet4",
            ColumnType::Uuid => b"uuid",
            _ => continue,
        };
        if number < 251 {
            names.push(number as u8);
        } else {
            names.push(252);
            push16(&mut names, number, "columns")?;
        }
        names.push(name.len() as u8);
        names.extend_from_slice(name);
    }
    if !gis.is_empty() {
        item(&mut out, tag::GIS, &gis)?;
    }
    if !names.is_empty() {
        item(&mut out, tag::TYPE_NAMES, &names)?;
    }
    if let Some(period) = &def.application_period {
        let mut value = Vec::new();
        for name in [&period.name, &period.constraint] {
            length(&mut value, name.len())?;
            value.extend_from_slice(name.as_bytes());
        }
        value.extend_from_slice(&period.start.to_le_bytes());
        value.extend_from_slice(&period.end.to_le_bytes());
        item(&mut out, tag::APPLICATION_PERIOD, &value)?;
        let mut value = Vec::new();
        push16(&mut value, period.without_overlaps.len(), "keys")?;
        for key in &period.without_overlaps {
            value.extend_from_slice(&key.to_le_bytes());
        }
        item(&mut out, tag::WITHOUT_OVERLAPS, &value)?;
    }
    if let Some((start, end)) = def.system_period {
        let mut value = start.to_le_bytes().to_vec();
        value.extend_from_slice(&end.to_le_bytes());
        item(&mut out, tag::SYSTEM_PERIOD, &value)?;
    }
    let flags: Vec<u8> =
        def.columns.iter().map(|c| c.visibility as u8 | u8::from(c.unversioned) << 3).collect();
    if flags.iter().any(|&f| f != Visibility::Visible as u8) {
        item(&mut out, tag::COLUMN_FLAGS, &flags)?;
    }
    if !def.keys.is_empty() {
        let flags: Vec<u8> = def.keys.iter().map(|k| u8::from(k.ignored)).collect();
        item(&mut out, tag::INDEX_FLAGS, &flags)?;
    }
    Ok(out)
}

fn item(out: &mut Vec<u8>, tag: u8, value: &[u8]) -> Result<(), FrmError> {
    if value.is_empty() {
        return Ok(());
    }
    out.push(tag);
    length(out, value.len())?;
    out.extend_from_slice(value);
    Ok(())
}

/// A length in one byte, or 0 and a u16.
fn length(out: &mut Vec<u8>, len: usize) -> Result<(), FrmError> {
    if len < 256 {
        out.push(len as u8);
        return Ok(());
    }
    out.push(0);
    push16(out, len, "extra2 item")
}

fn engine_options(out: &mut Vec<u8>, options: &[EngineOption]) -> Result<(), FrmError> {
    for option in options {
        let name = option.name.as_bytes();
        let len = u8::try_from(name.len()).map_err(|_| FrmError::TooLarge("option name"))?;
        if option.value.len() > 0x7fff {
            return Err(FrmError::TooLarge("option value"));
        }
        out.push(len);
        out.extend_from_slice(name);
        push16(out, option.value.len() | usize::from(option.quoted) << 15, "option value")?;
        out.extend_from_slice(option.value.as_bytes());
    }
    out.push(0);
    Ok(())
}

fn key_section(def: &TableDef, layout: &Layout) -> Result<Keys, FrmError> {
    // A long unique key counts one part more than it names: its hash column.
    let parts: usize =
        def.keys.iter().map(|k| k.parts.len() + usize::from(k.algorithm == KeyAlgorithm::LongHash)).sum();
    let count = def.keys.len();
    let mut out = Vec::new();
    if count > 127 || parts > 127 {
        out.push((count & 0x7f) as u8 | 0x80);
        out.push((count >> 7) as u8);
        push16(&mut out, parts, "key parts")?;
    } else {
        out.extend_from_slice(&[count as u8, parts as u8, 0, 0]);
    }
    out.extend_from_slice(&[0, 0]);
    for key in &def.keys {
        push_key(&mut out, def, layout, key)?;
    }
    let names_at = out.len();
    out.push(0xff);
    for key in &def.keys {
        out.extend_from_slice(key.name.as_bytes());
        out.push(0xff);
    }
    out.push(0);
    let mut reserved = count * 489 + 16;
    for key in def.keys.iter().filter(|k| !k.comment.is_empty()) {
        push16(&mut out, key.comment.len(), "key comment")?;
        out.extend_from_slice(key.comment.as_bytes());
        reserved += 2 + key.comment.len();
    }
    let names = out.len() - names_at;
    put16(&mut out, 4, names, "key names")?;
    if out.len() > reserved {
        return Err(FrmError::TooLarge("keys"));
    }
    Ok(Keys { bytes: out, reserved })
}

fn push_key(out: &mut Vec<u8>, def: &TableDef, layout: &Layout, key: &KeyDef) -> Result<(), FrmError> {
    let mut flags = engine::sql_pack_flags(def, key);
    let mut set = |on: bool, bit: u16| {
        if on {
            flags |= bit;
        }
    };
    set(key.is_unique(), flag::UNIQUE);
    set(
        key.kind != KeyKind::Fulltext && key.parts.iter().any(|p| def.columns[p.column].nullable),
        flag::NULL_PART,
    );
    set(key.kind == KeyKind::Fulltext, flag::FULLTEXT);
    set(key.kind == KeyKind::Spatial, flag::SPATIAL);
    set(!key.comment.is_empty(), flag::COMMENT);
    set(key.generated, flag::GENERATED);
    set(key.parser.is_some(), flag::PARSER);
    set(key.block_size != 0, flag::BLOCK_SIZE);
    push16(out, usize::from(flags ^ flag::UNIQUE), "key")?;
    let total: u32 = (0..key.parts.len()).map(|j| engine::part_length(def, key, j)).sum();
    push16(out, total as usize, "key length")?;
    out.push(u8::try_from(key.parts.len()).map_err(|_| FrmError::TooLarge("key parts"))?);
    // FULLTEXT keys have no algorithm of their own in the file.
    out.push(match key.kind {
        KeyKind::Fulltext => 0,
        _ => key.algorithm as u8,
    });
    out.extend_from_slice(&key.block_size.to_le_bytes());
    for (j, part) in key.parts.iter().enumerate() {
        let column = &def.columns[part.column];
        let place = &layout.columns[part.column];
        push16(out, (part.column + 1) | 0x8000, "columns")?;
        push16(out, place.offset as usize + 1, "record")?;
        out.push(u8::from(part.descending) << 7);
        out.extend_from_slice(&write_columns::key_part_flags(column).to_le_bytes());
        push16(out, engine::part_length(def, key, j) as usize, "key part")?;
    }
    Ok(())
}

fn extra_segment(def: &TableDef) -> Result<Vec<u8>, FrmError> {
    let mut out = Vec::new();
    push16(&mut out, def.options.connection.len(), "CONNECTION")?;
    out.extend_from_slice(def.options.connection.as_bytes());
    push16(&mut out, def.options.engine.len(), "engine name")?;
    out.extend_from_slice(def.options.engine.as_bytes());
    let (clause, automatic) =
        def.partition.as_ref().map_or(("", false), |p| (p.clause.as_str(), p.automatic));
    out.extend_from_slice(&(clause.len() as u32).to_le_bytes());
    out.extend_from_slice(clause.as_bytes());
    out.extend_from_slice(&[0, u8::from(automatic)]);
    for parser in def.keys.iter().filter_map(|k| k.parser.as_ref()) {
        out.extend_from_slice(parser.as_bytes());
        out.push(0);
    }
    if def.options.comment.len() > INLINE_COMMENT {
        push16(&mut out, def.options.comment.len(), "table comment")?;
        out.extend_from_slice(def.options.comment.as_bytes());
    }
    Ok(out)
}

/// Appends the fixed part of the form section.
pub(super) fn push_form(out: &mut Vec<u8>, def: &TableDef, layout: &Layout, form: &Form) {
    let at = out.len();
    out.resize(at + FORM, 0);
    let f = &mut out[at..];
    let mut put = |at: usize, value: usize| {
        f[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes());
    };
    put(0, form.len());
    put(2, form.len());
    put(258, def.columns.len());
    put(262, form.lengths);
    put(266, layout.reclength as usize);
    put(268, form.names.len());
    put(270, form.list_count);
    put(272, form.value_count);
    put(274, form.lists.len());
    put(276, form.old_timestamp);
    put(278, 80);
    put(280, 22);
    put(282, def.columns.iter().filter(|c| c.nullable).count());
    put(284, form.comments.len());
    put(286, form.expressions.len());
    let comment = def.options.comment.as_bytes();
    if comment.len() <= INLINE_COMMENT {
        f[46] = comment.len() as u8;
        f[47..47 + comment.len()].copy_from_slice(comment);
    } else {
        f[46] = 255;
    }
}
