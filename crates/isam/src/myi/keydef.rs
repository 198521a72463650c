//! What CREATE puts into a new `.MYI`: flags, lengths, block sizes and pointer sizes derived from the definition.

use super::header::{MAX_BLOCK, MAX_KEY_BUFFER};
use super::{
    Base, ColumnDefinition, ColumnKind, Header, KeyDefinition, SegmentDefinition, key_flag, option, seg_flag,
};
use crate::error::{Error, Result};
use schema::definition::TableDef;
use schema::layout::{Layout, engine};

/// Sum that marks "a LONGBLOB has no limit".
const UNLIMITED: u64 = (1 << 31) - 1;

/// Server settings that CREATE looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreateSettings {
    /// `myisam_data_pointer_size`, 2 to 7.
    pub data_pointer_size: u8,
    /// `myisam_block_size`, a power of two from 1024 to 16384.
    pub block_size: u16,
    /// `max_heap_table_size`: bytes of rows and keys that a table in memory may have.
    pub memory: u64,
}

impl CreateSettings {
    /// Bytes that a table in memory may have; 0 for others.
    fn limit(self, def: &TableDef) -> u64 {
        if def.options.engine.eq_ignore_ascii_case("MEMORY") { self.memory } else { 0 }
    }
}

impl Default for CreateSettings {
    fn default() -> CreateSettings {
        CreateSettings { data_pointer_size: 6, block_size: 1024, memory: 16 << 20 }
    }
}

/// Bytes a pointer needs for values up to `n`.
fn need(n: u64, default: u8) -> u8 {
    match n {
        0 => default,
        n if n >= 1 << 48 => 7,
        n if n >= 1 << 40 => 6,
        n if n >= 1 << 32 => 5,
        n if n >= 1 << 24 => 4,
        n if n >= 1 << 16 => 3,
        _ => 2,
    }
}

impl Header {
    /// The head of a new table.
    ///
    /// # Errors
    /// 140 when a key or the header gets too long.
    pub fn for_definition(def: &TableDef, layout: &Layout, settings: CreateSettings) -> Result<Header> {
        let dynamic = layout.dynamic;
        let checksum = def.options.checksum;
        let mut columns = column_definitions(def, layout)?;

        let pack_fields = settle_pack_fields(&mut columns);
        let pack_bits = pack_fields.div_ceil(8);
        let reclength: u64 = columns.iter().map(|c| u64::from(c.length)).sum();
        let RowLengths { min, max, varchar_long } = RowLengths::of(&columns, pack_fields, dynamic, checksum);
        let (records, rec_reflength) = row_pointer(def, dynamic, min, max, settings);
        let pack_reclength =
            if dynamic { reclength + varchar_long } else { reclength.max(u64::from(rec_reflength) + 1) }
                + u64::from(checksum);

        let mut options = table_options(def, dynamic, &columns);

        let mut keys = Vec::with_capacity(def.keys.len());
        let mut auto_key = 0;
        for (i, key) in engine::keys(def, layout).iter().enumerate() {
            let made = key_definition(key, u64::from(rec_reflength), settings)?;
            if made.flag & (key_flag::VAR_LENGTH_KEY | key_flag::BINARY_PACK_KEY | key_flag::PACK_KEY) != 0 {
                options |= option::PACK_KEYS;
            }
            let leading = key.segments.first().map(|s| s.column);
            if made.flag & key_flag::AUTO_KEY != 0 && leading.is_some_and(|c| def.columns[c].auto_increment) {
                auto_key = i as u8 + 1;
            }
            keys.push(made);
        }
        if keys.iter().any(|k| k.flag & key_flag::SPATIAL == 0 && virtual_key(def, k, layout)) {
            options |= option::RELIES_ON_SQL_LAYER;
        }
        let max_block = keys.iter().map(|k| k.block_length).max().unwrap_or(0);
        let max_key = keys.iter().map(|k| k.maxlength).max().unwrap_or(0);
        let rows = if records != 0 {
            records
        } else {
            (u64::MAX >> (64 - 8 * u32::from(rec_reflength))) / min.max(1)
        };
        let key_reflength = key_pointer_size(&keys, rows);

        let fulltext_keys = keys.iter().filter(|k| k.flag & key_flag::FULLTEXT != 0).count();
        let alignment =
            u64::from(if max_block == 0 { settings.block_size } else { max_block }).next_power_of_two();
        let base = Base {
            max_data_file_length: settings.limit(def),
            keystart: 0,
            records,
            reloc: def.options.min_rows.min(records),
            reclength: u32::try_from(reclength).map_err(|_| Error::RowTooBig)?,
            pack_reclength: u32::try_from(pack_reclength).map_err(|_| Error::RowTooBig)?,
            min_pack_length: min as u32,
            max_pack_length: u32::try_from(max).unwrap_or(u32::MAX),
            min_block_length: 20,
            fields: columns.len() as u32,
            pack_fields: pack_fields as u32,
            rec_reflength,
            key_reflength,
            keys: keys.len() as u8,
            auto_key,
            pack_bits: pack_bits as u16,
            blobs: columns.iter().filter(|c| c.kind == ColumnKind::Blob).count() as u16,
            max_key_block_length: max_block,
            max_key_length: (max_key + 4).next_multiple_of(8),
            ..Base::default()
        };
        let mut header = Header {
            options,
            state_info_length: 176,
            header_length: 0,
            language: def.options.collation.id as u8,
            max_block_size_index: (max_block / 1024) as u8,
            fulltext_keys: fulltext_keys as u8,
            base,
            keys,
            columns,
        };
        header.set_length(alignment)?;
        Ok(header)
    }

    /// Notes how long the head is, and where the keys begin.
    fn set_length(&mut self, alignment: u64) -> Result<()> {
        let length = self.definitions_length();
        self.header_length =
            u16::try_from(length).map_err(|_| Error::CreateOptions { what: "too many columns and keys" })?;
        self.base.keystart = (length as u64).next_multiple_of(alignment);
        if self.base.keystart > 65535 {
            return Err(Error::CreateOptions { what: "too many columns and keys" });
        }
        Ok(())
    }
}

/// A key over a virtual column is written by the SQL level only.
fn virtual_key(def: &TableDef, key: &KeyDefinition, layout: &Layout) -> bool {
    key.segments.iter().any(|s| {
        layout
            .columns
            .iter()
            .zip(&def.columns)
            .any(|(place, c)| !place.stored && place.offset == s.start && (place.width > 0 || c.is_hash()))
    })
}

fn key_definition(key: &engine::EngineKey, rec_ref: u64, settings: CreateSettings) -> Result<KeyDefinition> {
    let mut flag =
        key.flags & (key_flag::UNIQUE | key_flag::PACK_KEY | key_flag::AUTO_KEY | key_flag::BINARY_PACK_KEY);
    let mut alg = key.algorithm;
    let mut segments: Vec<SegmentDefinition> = key
        .segments
        .iter()
        .map(|s| SegmentDefinition {
            ty: s.kind,
            collation: s.collation,
            null_bit: s.null_bit,
            bit_start: s.bit_start,
            bit_length: s.bit_length,
            flag: s.flags,
            length: s.length,
            start: s.start,
            null_pos: s.null_pos,
        })
        .collect();
    let (keylength, extra, skip);
    if key.flags & key_flag::SPATIAL != 0 {
        flag = key_flag::SPATIAL;
        alg = 2;
        for i in 0..4u32 {
            segments.push(SegmentDefinition {
                ty: 6,
                collation: 7,
                flag: seg_flag::SWAP_KEY,
                length: 8,
                start: 8 * i,
                ..SegmentDefinition::default()
            });
        }
        (keylength, extra, skip) = (rec_ref + 32, 1, 32);
    } else if key.flags & key_flag::FULLTEXT != 0 {
        flag = key_flag::FULLTEXT | key_flag::PACK_KEY | key_flag::VAR_LENGTH_KEY;
        alg = 4;
        (keylength, extra, skip) = (rec_ref + 254 + 4, 1, 254);
    } else {
        (keylength, extra, skip) = plain_key(&mut segments, &mut flag, rec_ref);
    }
    let maxlength = keylength + extra;
    if maxlength >= u64::from(MAX_KEY_BUFFER) {
        return Err(Error::CreateOptions { what: "key is too long" });
    }
    let bs = match key.block_size {
        0 => u64::from(settings.block_size),
        n => u64::from(n).next_power_of_two(),
    }
    .clamp(1024, u64::from(MAX_BLOCK));
    let len = if flag & key_flag::FULLTEXT != 0 { maxlength - 223 } else { maxlength };
    let block = (((len + rec_ref + 5) * 4 + 5 + 2) / bs + 1) * bs;
    if block > u64::from(MAX_BLOCK) {
        return Err(Error::CreateOptions { what: "key is too long" });
    }
    Ok(KeyDefinition {
        alg,
        flag,
        block_length: block as u16,
        keylength: keylength as u16,
        minlength: (maxlength - skip) as u16,
        maxlength: maxlength as u16,
        segments,
    })
}

impl Header {
    /// Bytes of the shortest dynamic row, by the columns.
    #[must_use]
    pub fn least_pack(&self) -> u64 {
        let checksum = self.options & option::CHECKSUM != 0;
        let packed = self.columns.iter().filter(|c| c.kind.has_pack_bit()).count();
        RowLengths::of(&self.columns, packed, !self.is_fixed(), checksum).min
    }
}

/// Lengths of a row as it is stored.
struct RowLengths {
    min: u64,
    max: u64,
    /// Columns of VARCHAR with a length of two bytes.
    varchar_long: u64,
}

impl RowLengths {
    fn of(columns: &[ColumnDefinition], pack_fields: usize, dynamic: bool, checksum: bool) -> RowLengths {
        let (mut min, mut max, mut varchar_long) = (0u64, 0u64, 0u64);
        for c in columns {
            let length = u64::from(c.length);
            match c.kind {
                ColumnKind::Blob => {
                    if max != UNLIMITED {
                        if length == 12 { max = UNLIMITED } else { max += 1 << (8 * (length - 8)) }
                    }
                }
                ColumnKind::SkipEndSpace | ColumnKind::SkipPreSpace => {
                    min += 1;
                    if max != UNLIMITED {
                        max += if length > 255 { 2 } else { 1 };
                    }
                }
                ColumnKind::Varchar => {
                    min += 1;
                    max += 1;
                    if length >= 257 {
                        varchar_long += 1;
                        max += 2;
                    }
                    if !dynamic {
                        min += length - 1;
                    }
                }
                ColumnKind::SkipZero => {}
                _ => min += length,
            }
        }
        min += u64::from(checksum) + pack_fields.div_ceil(8) as u64;
        if max != UNLIMITED {
            let reclength: u64 = columns.iter().map(|c| u64::from(c.length)).sum();
            max += reclength + pack_fields as u64 + u64::from(checksum && dynamic);
        }
        RowLengths { min, max, varchar_long }
    }
}
/// Bytes of a pointer into the index file of a table of so many rows.
fn key_pointer_size(keys: &[KeyDefinition], rows: u64) -> u8 {
    let max_block = keys.iter().map(|k| k.block_length).max().unwrap_or(0);
    let mut total = 0u64;
    for k in keys {
        let block = u64::from(k.block_length);
        let per_page = ((block - 5) / (2 * u64::from(k.maxlength))).max(1);
        total = total.saturating_add((rows / per_page).saturating_mul(block));
    }
    let total = total.saturating_add(u64::from(max_block) * keys.len() as u64 * 16) / 1024;
    if keys.is_empty() { 3 } else { need(total, 3) }
}
fn column_definitions(def: &TableDef, layout: &Layout) -> Result<Vec<ColumnDefinition>> {
    engine::columns(def, layout)
        .iter()
        .map(|c| {
            Ok(ColumnDefinition {
                kind: ColumnKind::from_number(c.kind as u16).ok_or(Error::Format { what: "column type" })?,
                length: u16::try_from(c.length).map_err(|_| Error::RowTooBig)?,
                null_bit: c.null_bit,
                null_pos: c.null_pos,
            })
        })
        .collect()
}
/// Settles the flags of a key of values; returns its length, what pointers and lengths add to it, and what the
/// shortest key lacks.
fn plain_key(segments: &mut [SegmentDefinition], flag: &mut u16, rec_ref: u64) -> (u64, u64, u64) {
    if *flag & key_flag::PACK_KEY != 0 {
        let first = &mut segments[0];
        if first.flag & (seg_flag::SPACE_PACK | seg_flag::BLOB_PART | seg_flag::VAR_LENGTH_PART) == 0 {
            *flag = *flag & !key_flag::PACK_KEY | key_flag::BINARY_PACK_KEY | key_flag::VAR_LENGTH_KEY;
        } else {
            first.flag |= seg_flag::PACK_KEY;
            *flag |= key_flag::VAR_LENGTH_KEY;
            if first.ty == engine::segment_type::NUM {
                first.flag &= !seg_flag::SPACE_PACK;
            }
        }
    }
    let (mut length, mut more, mut less) = (rec_ref, 0u64, 0u64);
    for s in segments {
        let seg_length = u64::from(s.length);
        length += seg_length;
        if s.flag & seg_flag::SPACE_PACK != 0 {
            *flag |= key_flag::SPACE_PACK_USED | key_flag::VAR_LENGTH_KEY;
        }
        if s.flag & (seg_flag::VAR_LENGTH_PART | seg_flag::BLOB_PART) != 0 {
            *flag |= key_flag::VAR_LENGTH_KEY;
        }
        if s.null_bit != 0 {
            s.flag |= seg_flag::NULL_PART;
            *flag |= key_flag::NULL_PART_KEY | key_flag::VAR_LENGTH_KEY;
            length += 1;
        }
        if s.flag & (seg_flag::SPACE_PACK | seg_flag::VAR_LENGTH_PART | seg_flag::BLOB_PART) != 0 {
            let long = seg_length >= 255;
            more += if long { 3 } else { 1 };
            less += seg_length + if long { 2 } else { 0 };
        }
        if matches!(s.ty, 3..=6 | 8..=14) {
            s.flag |= seg_flag::SWAP_KEY;
        }
        if s.ty == engine::segment_type::DOUBLE {
            // Without meaning, but the reference server sets it.
            s.flag |= 2048;
        }
    }
    (length, more, less)
}

/// The options that the columns and the definition ask for.
fn table_options(def: &TableDef, dynamic: bool, columns: &[ColumnDefinition]) -> u16 {
    let checksum = def.options.checksum;
    let nullable = columns.iter().any(|c| c.null_bit != 0 || c.kind == ColumnKind::Varchar);
    let mut options = 0;
    if dynamic {
        options |= option::PACK_RECORD;
    }
    if checksum {
        options |= option::CHECKSUM;
        if nullable {
            options |= option::NULL_FIELDS;
        }
    }
    if def.options.delay_key_write {
        options |= option::DELAY_KEY_WRITE;
    }
    options
}

/// Counts the columns with a bit in the head of a packed row; one that would need a byte for itself gives it up.
fn settle_pack_fields(columns: &mut [ColumnDefinition]) -> usize {
    let mut pack_fields = columns.iter().filter(|c| c.kind.has_pack_bit()).count();
    if pack_fields % 8 == 1
        && let Some(c) = columns.iter_mut().rev().find(|c| c.kind == ColumnKind::SkipZero && c.length == 1)
    {
        c.kind = ColumnKind::Normal;
        pack_fields -= 1;
    }
    pack_fields
}

/// The rows that MAX_ROWS, or the size of the data file, lets in, and the bytes of a pointer to one.
fn row_pointer(def: &TableDef, dynamic: bool, min: u64, max: u64, settings: CreateSettings) -> (u64, u8) {
    let (max_rows, mut data_len) =
        (def.options.max_rows, def.options.max_rows.wrapping_mul(u64::from(def.options.avg_row_length)));
    let mut records = max_rows;
    if data_len == 0 && max_rows != 0 {
        data_len = if max == UNLIMITED { u64::MAX } else { max_rows.saturating_mul(max) };
    } else if max_rows == 0 {
        records = data_len / (min + if dynamic { 3 } else { 0 }).max(1);
    }
    let pointer = settings.data_pointer_size.clamp(2, 7);
    let bytes = if dynamic { need(data_len, pointer) } else { need(records, pointer) };
    (records, bytes)
}
