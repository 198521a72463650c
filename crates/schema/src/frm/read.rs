//! Reading a table definition: header, segments, options; the whole.

use std::sync::Arc;

use charset::Collation;

use super::bytes::{Bytes, Cursor, text};
use super::codes::{FORM, INLINE_COMMENT, engine_name, engine_spelling, option, tag};
use super::read_columns::{self, Columns};
use super::{FrmError, read_keys};
use crate::definition::{EngineOption, PartitionDef, PeriodDef, RowFormat, TableDef, TableOptions};
use crate::layout::Layout;

/// Collation taken when a file names none.
const FALLBACK_COLLATION: u16 = 8;

/// Header fields that several readers need.
pub(super) struct Header {
    /// Format level: 0 to 2 before 4.1, then 3 and more.
    pub level: u8,
    pub version: u32,
    pub options: u16,
    pub reclength: usize,
    pub collation: &'static Collation,
}

impl Header {
    /// MySQL 5.7, which has generated columns of its own.
    pub fn is_mysql_57(&self) -> bool {
        (50_700..100_000).contains(&self.version)
    }
}

/// The items of the extra2 segment.
#[derive(Default)]
pub(super) struct Extra2<'a> {
    uuid: Option<[u8; 16]>,
    partition_engine: Option<&'a [u8]>,
    pub gis: Option<Bytes<'a>>,
    application_period: Option<Bytes<'a>>,
    system_period: Option<Bytes<'a>>,
    pub index_flags: Option<&'a [u8]>,
    pub engine_options: Option<Bytes<'a>>,
    pub column_flags: Option<&'a [u8]>,
    pub type_names: Option<Bytes<'a>>,
    without_overlaps: Option<Bytes<'a>>,
}

/// The items of the extra segment.
struct Extra {
    connection: String,
    engine: String,
    partition: String,
    automatic: bool,
    parsers: Vec<String>,
    comment: Option<String>,
}

pub(super) fn read_table(data: &[u8]) -> Result<TableDef, FrmError> {
    let file = Bytes::new(data);
    if data.len() < 64 || data[0] != 0xfe || data[1] != 1 || !(6..=11).contains(&data[2]) {
        return Err(FrmError::Foreign);
    }
    if data[32] != 0 {
        return Err(FrmError::Unsupported("made by a server older than 3.23"));
    }
    let version = file.u32(51)?;
    let header = Header {
        level: data[2] - 6,
        version,
        options: file.u16(30)?,
        reclength: usize::from(file.u16(16)?),
        collation: find_collation(u16::from(data[38]) | u16::from(data[41]) << 8, version)
            .or_else(|| Collation::by_id(FALLBACK_COLLATION))
            .ok_or(FrmError::Unsupported("unknown collation"))?,
    };

    let extra2_len = usize::from(file.u16(4)?);
    let extra2 =
        if file.u8(64)? == b'/' { Extra2::default() } else { read_extra2(file.part(64, extra2_len)?)? };
    let form_pos = file.u32(64 + extra2_len)? as usize;
    if form_pos == 0 {
        return Err(file.corrupt(64 + extra2_len, "no form section"));
    }
    let form = file.part(form_pos, FORM)?;

    let keys_pos = usize::from(file.u16(6)?);
    let keys_len = match file.u16(14)? {
        0xffff => file.u32(47)? as usize,
        len => usize::from(len),
    };
    let raw_keys = read_keys::read(file.part(keys_pos, keys_len)?, header.level)?;
    let record_pos = keys_pos + keys_len;
    let record = file.slice(record_pos, header.reclength)?;

    let extra_len = file.u32(55)? as usize;
    let extra = read_extra(
        file.part(record_pos + header.reclength, extra_len)?,
        &header,
        form,
        raw_keys.iter().filter(|k| k.has_parser()).count(),
    )?;

    let Columns { columns, checks, places } = read_columns::read(file, form_pos, &header, &extra2, record)?;
    if usize::from(file.u16(45)?) != checks.len() + columns.iter().filter(|c| c.check.is_some()).count()
        && version >= 100_200
    {
        return Err(file.corrupt(45, "the number of CHECK constraints is wrong"));
    }

    let mut def = TableDef {
        columns,
        keys: Vec::new(),
        checks,
        options: read_options(file, &header, form, &extra)?,
        server_version: version,
        uuid: extra2.uuid.unwrap_or([0; 16]),
        partition: None,
        system_period: None,
        application_period: None,
        stored_layout: None,
    };
    def.keys = read_keys::resolve(&def, raw_keys, &extra.parsers, extra2.index_flags)?;
    read_engine_options(&mut def, &extra2)?;
    read_periods(&mut def, &extra2)?;
    if !extra.partition.is_empty() || extra2.partition_engine.is_some() {
        def.partition = Some(PartitionDef {
            clause: extra.partition,
            engine: extra2.partition_engine.map(text).unwrap_or_default(),
            engine_code: data[61],
            automatic: extra.automatic,
            files: Vec::new(),
            connections: Vec::new(),
        });
    }

    let computed = Layout::compute(&def);
    let stored = places.layout(&computed, header.reclength as u32, header.options);
    if stored != computed {
        def.stored_layout = Some(Arc::new(stored));
    }
    Ok(def)
}

/// A collation by the number in a file of this version.
pub(super) fn find_collation(id: u16, version: u32) -> Option<&'static Collation> {
    let old_55 = (50_500..50_600).contains(&version) || (100_000..100_006).contains(&version);
    let id = match id {
        149 if old_55 || (50_300..50_400).contains(&version) => 640,
        213 if old_55 || (50_300..50_400).contains(&version) => 576,
        214 if old_55 => 736,
        215 if old_55 => 672,
        245 if old_55 => 608,
        _ => id,
    };
    Collation::by_id(id)
}

fn read_extra2(segment: Bytes<'_>) -> Result<Extra2<'_>, FrmError> {
    let mut extra2 = Extra2::default();
    let mut at = Cursor::new(segment);
    fn once<T>(slot: &mut Option<T>, value: T, at: &Cursor<'_>) -> Result<(), FrmError> {
        if slot.replace(value).is_some() {
            return Err(at.corrupt("an extra2 item comes twice"));
        }
        Ok(())
    }
    while at.rest() > 0 {
        let item = at.u8()?;
        let len = at.short_length()?;
        let value = at.part(len)?;
        match item {
            tag::VERSION => {
                if let Ok(uuid) = value.data().try_into() {
                    extra2.uuid = Some(uuid);
                }
            }
            tag::PARTITION_ENGINE => extra2.partition_engine = Some(value.data()),
            tag::GIS => once(&mut extra2.gis, value, &at)?,
            tag::APPLICATION_PERIOD => once(&mut extra2.application_period, value, &at)?,
            tag::SYSTEM_PERIOD => once(&mut extra2.system_period, value, &at)?,
            tag::INDEX_FLAGS => once(&mut extra2.index_flags, value.data(), &at)?,
            tag::ENGINE_OPTIONS => once(&mut extra2.engine_options, value, &at)?,
            tag::COLUMN_FLAGS => once(&mut extra2.column_flags, value.data(), &at)?,
            tag::TYPE_NAMES => once(&mut extra2.type_names, value, &at)?,
            tag::WITHOUT_OVERLAPS => once(&mut extra2.without_overlaps, value, &at)?,
            _ if item >= 128 => return Err(FrmError::Unsupported("an unknown mandatory item")),
            _ => {}
        }
    }
    Ok(extra2)
}

fn read_extra(
    segment: Bytes<'_>,
    header: &Header,
    form: Bytes<'_>,
    parsers: usize,
) -> Result<Extra, FrmError> {
    let mut extra = Extra {
        connection: String::new(),
        engine: String::new(),
        partition: String::new(),
        automatic: false,
        parsers: Vec::new(),
        comment: None,
    };
    let mut at = Cursor::new(segment);
    // Every item may be missing together with all that follow.
    if at.rest() >= 2 {
        let len = at.u16()?;
        extra.connection = text(at.slice(usize::from(len))?);
    }
    if at.rest() >= 2 {
        let len = at.u16()?;
        extra.engine = text(at.slice(usize::from(len))?);
    }
    if at.rest() >= 5 {
        let len = at.u32()? as usize;
        extra.partition = text(at.slice(len)?);
        at.u8()?;
    }
    if at.rest() >= 1 && header.version >= 50_110 {
        extra.automatic = at.u8()? != 0;
    }
    for _ in 0..parsers {
        extra.parsers.push(text(at.zero_terminated()?));
    }
    if form.u8(46)? == 255 {
        let len = at.u16()?;
        extra.comment = Some(text(at.slice(usize::from(len))?));
    }
    Ok(extra)
}

fn read_options(
    file: Bytes<'_>,
    header: &Header,
    form: Bytes<'_>,
    extra: &Extra,
) -> Result<TableOptions, FrmError> {
    let data = file.data();
    let engine = match extra.engine.as_str() {
        "" => engine_name(data[3]),
        name => engine_spelling(name),
    };
    let mut options = TableOptions::new(engine, header.collation);
    let bits = header.options;
    options.max_rows = u64::from(file.u32(18)?);
    options.min_rows = u64::from(file.u32(22)?);
    options.avg_row_length = file.u32(34)?;
    options.pack_keys = match (bits & option::PACK_KEYS, bits & option::NO_PACK_KEYS) {
        (0, 0) => None,
        (0, _) => Some(false),
        _ => Some(true),
    };
    options.checksum = bits & option::CHECKSUM != 0;
    options.delay_key_write = bits & option::DELAY_KEY_WRITE != 0;
    options.row_format = match data[40] {
        1 => RowFormat::Fixed,
        2 => RowFormat::Dynamic,
        3 => RowFormat::Compressed,
        4 => RowFormat::Redundant,
        5 => RowFormat::Compact,
        6 => RowFormat::Page,
        _ => RowFormat::Default,
    };
    let choice = |shift: u8| match data[39] >> shift & 3 {
        1 => Some(false),
        2 => Some(true),
        _ => None,
    };
    options.transactional = choice(0);
    options.page_checksum = choice(2);
    options.sequence = choice(4);
    if header.version >= 50_100 {
        options.stats_sample_pages = file.u16(42)?;
        options.stats_auto_recalc = match data[44] {
            1 => Some(true),
            2 => Some(false),
            _ => None,
        };
        options.stats_persistent = match (bits & option::STATS_PERSISTENT, bits & option::NO_STATS_PERSISTENT)
        {
            (0, 0) => None,
            (0, _) => Some(false),
            _ => Some(true),
        };
    }
    options.key_block_size = file.u16(62)?;
    options.connection = extra.connection.clone();
    options.comment = match &extra.comment {
        Some(comment) => comment.clone(),
        None => {
            let len = usize::from(form.u8(46)?);
            if len > INLINE_COMMENT {
                return Err(form.corrupt(46, "table comment too long"));
            }
            text(form.slice(47, len)?)
        }
    };
    Ok(options)
}

fn read_engine_options(def: &mut TableDef, extra2: &Extra2<'_>) -> Result<(), FrmError> {
    let Some(segment) = extra2.engine_options else {
        return Ok(());
    };
    let mut at = Cursor::new(segment);
    let mut list = || -> Result<Vec<EngineOption>, FrmError> {
        let mut options = Vec::new();
        loop {
            let len = usize::from(at.u8()?);
            if len == 0 {
                return Ok(options);
            }
            let name = text(at.slice(len)?);
            let len = at.u16()?;
            options.push(EngineOption {
                name,
                value: text(at.slice(usize::from(len & 0x7fff))?),
                quoted: len & 0x8000 != 0,
            });
        }
    };
    def.options.engine_options = list()?;
    for column in &mut def.columns {
        column.engine_options = list()?;
    }
    for key in &mut def.keys {
        key.engine_options = list()?;
    }
    Ok(())
}

fn read_periods(def: &mut TableDef, extra2: &Extra2<'_>) -> Result<(), FrmError> {
    let count = def.columns.len();
    let column = |at: &mut Cursor<'_>| -> Result<u16, FrmError> {
        let number = at.u16()?;
        if usize::from(number) >= count {
            return Err(at.corrupt("a period over a column that is not there"));
        }
        Ok(number)
    };
    if let Some(segment) = extra2.system_period {
        let mut at = Cursor::new(segment);
        def.system_period = Some((column(&mut at)?, column(&mut at)?));
    }
    if let Some(segment) = extra2.application_period {
        let mut at = Cursor::new(segment);
        let len = at.short_length()?;
        let name = text(at.slice(len)?);
        let len = at.short_length()?;
        let constraint = text(at.slice(len)?);
        let (start, end) = (column(&mut at)?, column(&mut at)?);
        let mut without_overlaps = Vec::new();
        if let Some(segment) = extra2.without_overlaps {
            let mut at = Cursor::new(segment);
            for _ in 0..at.u16()? {
                without_overlaps.push(at.u16()?);
            }
        }
        def.application_period = Some(PeriodDef { name, constraint, start, end, without_overlaps });
    }
    Ok(())
}
