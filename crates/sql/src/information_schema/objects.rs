//! Databases, tables and keys.

use std::sync::Arc;

use crate::table::TableState;
use crate::table::engine::{HASHED_ROWS, KeyOrder, engine_of};
use crate::table::merge::is_merge;
use pages::{File, FileMemory};
use schema::definition::{KeyAlgorithm, KeyKind, RowFormat, TableDef};

use super::by_table::Rows;
use super::{InfoSchemaContext, Wanted, s};
use crate::catalog::engines::Stored;
use crate::error::{SqlResult, codes};
use crate::names::INFORMATION_SCHEMA;
use crate::table::OpenTable;
use crate::types::Value;
use crate::warning::Level;

fn u(v: u64) -> Value {
    Value::UInt(v)
}

fn i(v: i64) -> Value {
    Value::Int(v)
}

impl InfoSchemaContext {
    /// The databases that are wanted.
    pub(super) fn databases(&self, wanted: Wanted<'_>) -> SqlResult<Vec<String>> {
        let mut names = self.engine.catalog.database_names()?;
        names.retain(|n| wanted.has_db(n) && self.rights.shows_database(n));
        Ok(names)
    }

    pub(super) fn schemata(&self, wanted: Wanted<'_>) -> SqlResult<Vec<Vec<Value>>> {
        let mut rows = Vec::new();
        for name in self.databases(wanted)? {
            let Ok(db) = self.engine.catalog.database(&name) else { continue };
            rows.push(vec![
                s("def"),
                s(&name),
                s(db.collation.charset.name),
                s(db.collation.name),
                Value::Null,
                s(&db.comment),
            ]);
        }
        Ok(rows)
    }

    /// A table, opened; or the error of opening it.
    ///
    /// # Errors
    /// The statement is killed.
    pub(super) fn opened(&self, db: &str, name: &str) -> SqlResult<SqlResult<Arc<OpenTable>>> {
        let table = self.engine.catalog.table(db, name, &|| self.waiter.clone());
        self.waiter.check_killed()?;
        Ok(table)
    }

    pub(super) fn table_names(&self, wanted: Wanted<'_>) -> SqlResult<Vec<Vec<Value>>> {
        let mut rows = Vec::new();
        for db in self.databases(wanted)? {
            if db == INFORMATION_SCHEMA {
                for name in super::names() {
                    rows.push(vec![s(&db), s(name), s("SYSTEM VIEW")]);
                }
                continue;
            }
            for name in self.engine.catalog.table_names(&db)? {
                if !self.rights.sees_table(&db, &name) {
                    continue;
                }
                rows.push(vec![s(&db), s(&name), s(self.engine.catalog.table_type(&db, &name))]);
            }
        }
        Ok(rows)
    }

    /// The first columns of TABLES, for which no table is opened.
    pub(super) fn table_name(&self, db: &str, name: &str, rows: &mut Rows) -> SqlResult<()> {
        let mut row = vec![s("def"), s(db), s(name), s(self.engine.catalog.table_type(db, name))];
        row.resize(23, Value::Null);
        rows.push(row);
        Ok(())
    }

    /// The rows of TABLES for information_schema itself.
    pub(super) fn own_tables(&self, wanted: Wanted<'_>, rows: &mut Rows) {
        if !wanted.has_db(INFORMATION_SCHEMA) {
            return;
        }
        for name in super::names().filter(|n| wanted.has_table(n)) {
            let mut row = vec![Value::Null; 23];
            for (place, text) in [
                (0, "def"),
                (1, INFORMATION_SCHEMA),
                (2, name),
                (3, "SYSTEM VIEW"),
                (4, "MEMORY"),
                (6, "Fixed"),
            ] {
                row[place] = s(text);
            }
            row[5] = u(11);
            row[17] = s("utf8mb3_general_ci");
            row[19] = s("");
            row[20] = s("");
            row[22] = s("Y");
            rows.push(row);
        }
    }

    pub(super) fn table(&self, db: &str, name: &str, rows: &mut Rows) -> SqlResult<()> {
        let mut row = vec![s("def"), s(db), s(name), s("BASE TABLE")];
        match self.opened(db, name)? {
            Ok(t) => {
                if t.is_sequence() {
                    row[3] = s("SEQUENCE");
                }
                self.table_row(&t, &mut row);
            }
            Err(e) => {
                row.resize(23, Value::Null);
                match self.engine.catalog.stored(db, name) {
                    Stored::Foreign(engine) => {
                        row[4] = s(engine);
                        row[20] = s(&e.message);
                    }
                    Stored::View => {
                        row[3] = s("VIEW");
                        row[20] = s(self.view_comment(db, name)?);
                    }
                    _ => {
                        row[20] = s(&e.message);
                        if e.code == codes::ER_WRONG_MRG_TABLE {
                            self.warnings.lock().push_text(Level::Warning, e.code, e.message);
                        }
                    }
                }
            }
        }
        rows.push(row);
        Ok(())
    }

    pub(super) fn table_row(&self, t: &OpenTable, row: &mut Vec<Value>) {
        let def = t.def();
        let format = t.format();
        let bytes = t.state();
        let state = TableState::new(&bytes, format.offsets);
        let base = &format.header.base;
        let compressed = format.header.is_compressed();
        let fixed = format.layout.fixed;
        let row_format = if compressed {
            "Compressed"
        } else if fixed {
            "Fixed"
        } else {
            "Dynamic"
        };
        // that of a compressed table is told as it was before
        let pointer = format.compression.as_ref().map_or(base.rec_reflength, |c| c.plain_pointer);
        let limit = 1u64.checked_shl(8 * u32::from(pointer)).unwrap_or(0).wrapping_sub(1);
        let max_data = if fixed {
            limit.saturating_add(1).saturating_mul(u64::from(base.pack_reclength)).saturating_sub(1)
        } else {
            limit
        };
        // pointers count the smallest blocks, whatever those of the keys are
        let pointers = 1u64.checked_shl(8 * u32::from(base.key_reflength)).unwrap_or(0);
        let max_index = pointers.checked_mul(1024).map_or(u64::MAX, |bytes| bytes.saturating_sub(1024));
        // A table in memory has one bound for rows and keys.
        let (max_data, max_index) = match format.limit {
            Some(limit) => (limit.bytes, 0),
            None => (max_data, max_index),
        };
        let partitioned = def.partition.is_some();
        let merge = t.children().is_some() && !partitioned;
        let (max_data, max_index) = if t.children().is_some() { (0, 0) } else { (max_data, max_index) };
        let durable = t.engine().can().durable;
        let records = state.records();
        let data = state.data_file_length();
        let free = state.empty();
        let average = match merge {
            true => format.layout.reclength as u64,
            false if partitioned => data.checked_div(records).unwrap_or(0),
            false => data.saturating_sub(free).checked_div(records).unwrap_or(0),
        };
        let auto = def.columns.iter().any(|c| c.auto_increment);
        let counter = state.auto_increment().max(t.counter()).saturating_add(1);
        let leading = def
            .columns
            .iter()
            .position(|c| c.auto_increment)
            .is_some_and(|c| def.keys.iter().any(|k| k.parts.first().is_some_and(|p| p.column == c)));
        row.extend([
            s(def.partition.as_ref().map_or(t.engine().info().name, |p| &p.engine)),
            u(10 + u64::from(crate::table::rules::has_rules(t.def()))),
            s(row_format),
            u(records),
            u(average),
            u(data),
            u(max_data),
            u(if merge { 0 } else { state.key_file_length() }),
            u(if merge { 0 } else { free }),
            match auto {
                true if merge => u(0),
                true => u(if leading || partitioned { counter } else { 1 }),
                false => Value::Null,
            },
            if merge { Value::Null } else { self.time(state.create_time()) },
            if durable { self.time(self.update_time(t)) } else { Value::Null },
            if durable { self.time(state.check_time()) } else { Value::Null },
            s(def.options.collation.name),
            if format.layout.checksum || compressed {
                u(state.checksum() & 0xffff_ffff)
            } else {
                Value::Null
            },
            s(create_options(def)),
            s(&def.options.comment),
            u(max_index),
            s(if t.temporary { "Y" } else { "N" }),
        ]);
    }

    fn update_time(&self, t: &OpenTable) -> u64 {
        if let Some(parts) = t.children().filter(|c| c.are_partitions()) {
            return parts.tables().iter().map(|t| self.update_time(t)).max().unwrap_or(0);
        }
        let path = self.engine.datadir().join(t.pages().base()).with_extension("MYD");
        let modified = std::fs::metadata(path).and_then(|m| m.modified());
        modified.ok().and_then(|m| m.duration_since(std::time::UNIX_EPOCH).ok()).map_or(0, |d| d.as_secs())
    }

    pub(super) fn statistics(&self, db: &str, name: &str, rows: &mut Rows) -> SqlResult<()> {
        if let Ok(t) = self.opened(db, name)? {
            let state = t.state();
            let state = t.state_of(&state);
            index_rows(db, name, t.def(), Some(&state), rows);
        }
        Ok(())
    }

    /// How the files of a table lie in memory. Tables that have none on disk are left out.
    pub(super) fn table_io(&self, db: &str, name: &str, rows: &mut Rows) -> SqlResult<()> {
        let Ok(t) = self.opened(db, name)? else { return Ok(()) };
        if !t.engine().can().durable {
            return Ok(());
        }
        for (file, kind) in [(File::Data, "DATA"), (File::Index, "INDEX")] {
            // it may have been dropped meanwhile
            let Ok(memory) = t.pages().file_memory(file) else { continue };
            let FileMemory { bytes, cached, unwritten } = memory;
            let dirty = cached.dirty.map_or(Value::Null, u);
            // the system counts whole pages
            let cache = self.engine.caches.name_of(t.pages(), file);
            let counts = t.pages().page_counts(file);
            // what is mapped is read by the system
            let reads = cache.as_ref().map_or(Value::Null, |_| u(counts.reads));
            let cache = cache.map_or(Value::Null, s);
            let row = [u(bytes), u(cached.bytes.min(bytes)), dirty, u(unwritten)];
            let row = row.into_iter().chain([cache, u(counts.requests), reads]);
            rows.push([s(db), s(name), s(kind)].into_iter().chain(row).collect());
        }
        Ok(())
    }

    pub(super) fn key_columns(&self, db: &str, name: &str, rows: &mut Rows) -> SqlResult<()> {
        let Ok(t) = self.opened(db, name)? else { return Ok(()) };
        for key in t.def().keys.iter().filter(|k| k.is_unique()) {
            for (p, part) in key.parts.iter().enumerate() {
                let column = &t.def().columns[part.column].name;
                let mut row = vec![s("def"), s(db), s(&key.name), s("def"), s(db), s(name), s(column)];
                row.push(i(p as i64 + 1));
                row.resize(12, Value::Null);
                rows.push(row);
            }
        }
        Ok(())
    }

    pub(super) fn constraints(&self, db: &str, name: &str, rows: &mut Rows) -> SqlResult<()> {
        let Ok(t) = self.opened(db, name)? else { return Ok(()) };
        let mut add = |constraint: &str, kind| {
            rows.push(vec![s("def"), s(db), s(constraint), s(db), s(name), s(kind)]);
        };
        for key in &t.def().keys {
            match key.kind {
                KeyKind::Primary => add(&key.name, "PRIMARY KEY"),
                KeyKind::Unique => add(&key.name, "UNIQUE"),
                _ => {}
            }
        }
        for c in t.def().columns.iter().filter(|c| c.check.is_some()) {
            add(&c.name, "CHECK");
        }
        for c in &t.def().checks {
            add(&c.name, "CHECK");
        }
        Ok(())
    }

    pub(super) fn checks(&self, db: &str, name: &str, rows: &mut Rows) -> SqlResult<()> {
        let Ok(t) = self.opened(db, name)? else { return Ok(()) };
        for c in &t.def().columns {
            if let Some(check) = &c.check {
                rows.push(vec![s("def"), s(db), s(name), s(&c.name), s("Column"), s(check)]);
            }
        }
        for c in &t.def().checks {
            rows.push(vec![s("def"), s(db), s(name), s(&c.name), s("Table"), s(&c.expression)]);
        }
        Ok(())
    }

    pub(super) fn open_tables(&self, wanted: Wanted<'_>) -> Vec<Vec<Value>> {
        self.engine
            .catalog
            .open_tables()
            .iter()
            .filter(|t| wanted.has_db(&t.db) && self.rights.sees_table(&t.db, &t.name))
            .map(|t| vec![s(&t.db), s(&t.name), i(0), i(0)])
            .collect()
    }
}

/// The options of a table that are not at their defaults, as `Create_options` lists them.
fn create_options(def: &TableDef) -> String {
    let o = &def.options;
    let mut list: Vec<String> = Vec::new();
    let mut number = |name: &str, v: u64| {
        if v != 0 {
            list.push(format!("{name}={v}"));
        }
    };
    number("min_rows", o.min_rows);
    number("max_rows", o.max_rows);
    number("avg_row_length", u64::from(o.avg_row_length));
    if let Some(p) = o.pack_keys {
        list.push(format!("pack_keys={}", u8::from(p)));
    }
    if let Some(p) = o.stats_persistent {
        list.push(format!("stats_persistent={}", u8::from(p)));
    }
    if o.checksum {
        list.push("checksum=1".into());
    }
    if let Some(p) = o.page_checksum {
        list.push(format!("page_checksum={}", u8::from(p)));
    }
    if o.delay_key_write {
        list.push("delay_key_write=1".into());
    }
    let format = match o.row_format {
        RowFormat::Default => "",
        RowFormat::Fixed => "FIXED",
        RowFormat::Dynamic => "DYNAMIC",
        RowFormat::Compressed => "COMPRESSED",
        RowFormat::Redundant => "REDUNDANT",
        RowFormat::Compact => "COMPACT",
        RowFormat::Page => "PAGE",
    };
    if !format.is_empty() {
        list.push(format!("row_format={format}"));
    }
    if o.key_block_size != 0 {
        list.push(format!("key_block_size={}", o.key_block_size));
    }
    if let Some(t) = o.transactional {
        list.push(format!("transactional={}", u8::from(t)));
    }
    for (name, folder) in [("DATA", &o.data_directory), ("INDEX", &o.index_directory)] {
        if let Some(folder) = folder {
            list.push(format!("{name} DIRECTORY='{}'", folder.replace('\\', "\\\\").replace('\'', "\\'")));
        }
    }
    for e in &o.engine_options {
        list.push(format!("`{}`='{}'", e.name, e.value.replace('\'', "''")));
    }
    if def.partition.is_some() {
        list.push("partitioned".into());
    }
    list.join(" ")
}

/// The rows of STATISTICS for the keys of one table.
pub(crate) fn index_rows(
    db: &str,
    name: &str,
    def: &TableDef,
    state: Option<&TableState<'_>>,
    rows: &mut Vec<Vec<Value>>,
) {
    let records = state.map_or(0, TableState::records);
    let engine = engine_of(def);
    let mut part_number = 0;
    for (k, key) in def.keys.iter().enumerate() {
        for (p, part) in key.parts.iter().enumerate() {
            let column = &def.columns[part.column];
            let per_key = state.map_or(0, |state| u64::from(state.rec_per_key(part_number)));
            // a long unique key has one part, its hash
            part_number += usize::from(p == 0 || key.algorithm != KeyAlgorithm::LongHash);
            let fulltext = key.kind == KeyKind::Fulltext;
            let hashed = engine.key_order(key) == KeyOrder::Hashed;
            let whole_unique = key.is_unique() && p + 1 == key.parts.len();
            let whole = p + 1 == key.parts.len();
            let cardinality = if state.is_none() {
                Value::Null
            } else if hashed && whole {
                i((if key.is_unique() { records } else { records / HASHED_ROWS }) as i64)
            } else if !engine.can().maintenance && (whole_unique || !is_merge(def)) {
                // nobody counts their values
                Value::Null
            } else if whole_unique && key.parts.iter().all(|p| !def.columns[p.column].nullable) {
                i(records as i64)
            } else {
                let values = records.checked_div(per_key);
                values.map_or(Value::Null, |n| i(n.max(records.min(1)) as i64))
            };
            let sub_part = match (key.kind, part.prefix) {
                (KeyKind::Spatial, _) => i(32),
                (_, Some(bytes)) => {
                    let mb = if column.is_binary_string() { 1 } else { column.collation.charset.mbmaxlen };
                    i(i64::from(bytes) / i64::from(mb.max(1)))
                }
                _ => Value::Null,
            };
            let index_type = match (key.kind, key.algorithm) {
                _ if hashed => "HASH",
                (KeyKind::Fulltext, _) => "FULLTEXT",
                (KeyKind::Spatial, _) => "SPATIAL",
                (_, KeyAlgorithm::Rtree) => "RTREE",
                (_, KeyAlgorithm::LongHash) => "HASH",
                _ => "BTREE",
            };
            rows.push(vec![
                s("def"),
                s(db),
                s(name),
                i(i64::from(!key.is_unique())),
                s(db),
                s(&key.name),
                i(p as i64 + 1),
                s(&column.name),
                match (fulltext || hashed, part.descending) {
                    (true, _) => Value::Null,
                    (_, true) => s("D"),
                    _ => s("A"),
                },
                cardinality,
                sub_part,
                Value::Null,
                s(if column.nullable { "YES" } else { "" }),
                s(index_type),
                s(if state.is_none_or(|state| state.key_active(k)) { "" } else { "disabled" }),
                s(&key.comment),
                s(if key.ignored { "YES" } else { "NO" }),
            ]);
        }
    }
}
