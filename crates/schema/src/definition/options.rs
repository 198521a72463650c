//! Table options.

use charset::Collation;

/// Row format as asked for by ROW_FORMAT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum RowFormat {
    /// Not given.
    #[default]
    Default = 0,
    /// FIXED
    Fixed = 1,
    /// DYNAMIC
    Dynamic = 2,
    /// COMPRESSED
    Compressed = 3,
    /// REDUNDANT
    Redundant = 4,
    /// COMPACT
    Compact = 5,
    /// PAGE
    Page = 6,
}

/// INSERT_METHOD of a MERGE table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InsertMethod {
    /// NO
    #[default]
    No,
    /// FIRST
    First,
    /// LAST
    Last,
}

/// An option defined by an engine (`name=value`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// Name.
    pub name: String,
    /// Value as text.
    pub value: String,
    /// Given in quotes.
    pub quoted: bool,
}

/// Table options.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// Engine name, as the server spells it (`MyISAM`, `MRG_MyISAM`, `MEMORY`).
    pub engine: String,
    /// Default collation.
    pub collation: &'static Collation,
    /// ROW_FORMAT.
    pub row_format: RowFormat,
    /// MAX_ROWS, 0 = not given.
    pub max_rows: u64,
    /// MIN_ROWS, 0 = not given.
    pub min_rows: u64,
    /// AVG_ROW_LENGTH in bytes, 0 = not given.
    pub avg_row_length: u32,
    /// PACK_KEYS; `None` = DEFAULT.
    pub pack_keys: Option<bool>,
    /// CHECKSUM=1.
    pub checksum: bool,
    /// DELAY_KEY_WRITE=1.
    pub delay_key_write: bool,
    /// KEY_BLOCK_SIZE in bytes, 0 = not given.
    pub key_block_size: u16,
    /// STATS_PERSISTENT.
    pub stats_persistent: Option<bool>,
    /// STATS_AUTO_RECALC.
    pub stats_auto_recalc: Option<bool>,
    /// STATS_SAMPLE_PAGES, 0 = default.
    pub stats_sample_pages: u16,
    /// TRANSACTIONAL.
    pub transactional: Option<bool>,
    /// PAGE_CHECKSUM.
    pub page_checksum: Option<bool>,
    /// SEQUENCE: the table is an SQL sequence.
    pub sequence: Option<bool>,
    /// COMMENT.
    pub comment: String,
    /// CONNECTION.
    pub connection: String,
    /// Engine-defined options.
    pub engine_options: Vec<EngineOption>,

    // What follows is not in the .frm but in the engine's own files.
    /// AUTO_INCREMENT: first value, 0 = not given.
    pub auto_increment: u64,
    /// DATA DIRECTORY.
    pub data_directory: Option<String>,
    /// INDEX DIRECTORY.
    pub index_directory: Option<String>,
    /// UNION of a MERGE table: (database, table); an empty database means the table's own.
    pub union: Vec<(String, String)>,
    /// INSERT_METHOD of a MERGE table.
    pub insert_method: InsertMethod,
}

impl TableOptions {
    /// Options of a plain table.
    #[must_use]
    pub fn new(engine: &str, collation: &'static Collation) -> TableOptions {
        TableOptions {
            engine: engine.to_owned(),
            collation,
            row_format: RowFormat::Default,
            max_rows: 0,
            min_rows: 0,
            avg_row_length: 0,
            pack_keys: None,
            checksum: false,
            delay_key_write: false,
            key_block_size: 0,
            stats_persistent: None,
            stats_auto_recalc: None,
            stats_sample_pages: 0,
            transactional: None,
            page_checksum: None,
            sequence: None,
            comment: String::new(),
            connection: String::new(),
            engine_options: Vec::new(),
            auto_increment: 0,
            data_directory: None,
            index_directory: None,
            union: Vec::new(),
            insert_method: InsertMethod::No,
        }
    }
}

/// An identity for a new version of a definition: time, process and a counter
/// in the form of a version-1 UUID. Only uniqueness matters.
#[must_use]
pub fn new_uuid() -> [u8; 16] {
    use std::hash::{BuildHasher, Hasher};
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let now = crate::clock::now().as_nanos() as u64;
    let mut hasher = std::collections::hash_map::RandomState::new().build_hasher();
    hasher.write_u64(now);
    hasher.write_u64(COUNTER.fetch_add(1, Ordering::Relaxed));
    hasher.write_u32(std::process::id());
    let mut uuid = [0; 16];
    uuid[..8].copy_from_slice(&(now / 100).to_be_bytes());
    uuid[8..].copy_from_slice(&hasher.finish().to_be_bytes());
    uuid[6] = uuid[6] & 0x0f | 0x10;
    uuid[8] = uuid[8] & 0x3f | 0x80;
    uuid
}
