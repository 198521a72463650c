//! Which cache the pages of each table are read through, and what the caches hold and count.
//!
//! Index pages are read in the mapping of their file, unless CACHE INDEX has assigned the table to a named key cache or
//! `isambard_map_index` is off: then they are read into the cache, and take no more memory than its `key_buffer_size`. Pages of rows
//! are mapped, too, but for the tables that `isambard_cache_rows` names.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pages::{
    Assignment, BlockCache, BlockUsage, File, MEMORY_FOLDER, PageCounts, PagedTable, SESSION_FOLDER, Store,
};
use parking_lot::{Mutex, RwLock};
use schema::file_name;

use crate::variables::GlobalVariables;

/// Name of the cache that all tables belong to at first.
pub(crate) const DEFAULT: &str = "default";

/// The caches of a server.
pub(crate) struct TableCaches {
    default: Arc<BlockCache>,
    rows: Arc<BlockCache>,
    /// The store asks for them while it opens a table: nothing that goes through its tables may be called while they are held.
    rules: RwLock<Rules>,
    /// Held while the variables are carried over: the last change stays.
    refreshing: Mutex<()>,
}

#[derive(Default)]
struct Rules {
    named: HashMap<Box<str>, Named>,
    /// Tables that CACHE INDEX has assigned, by path, and the name of their cache.
    assigned: HashMap<PathBuf, Box<str>>,
    /// Indexes of the default cache are mapped.
    map_index: bool,
    rows: TableList,
    /// What was counted before the last FLUSH STATUS, or the last change of the size.
    flushed: HashMap<Box<str>, PageCounts>,
}

struct Named {
    cache: Arc<BlockCache>,
    /// Without a size it is a cache in name only.
    has_size: bool,
}

/// What a cache holds, and what was asked of it since FLUSH STATUS.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CacheStatus {
    pub(crate) usage: BlockUsage,
    /// Of indexes that are mapped as well.
    pub(crate) counts: PageCounts,
    /// Changed pages that are not in their files yet.
    pub(crate) dirty: u64,
}

/// The tables that `isambard_cache_rows` names.
#[derive(Default)]
struct TableList(Vec<(Option<String>, Option<String>)>);

impl TableList {
    /// `*`, `shop.*` and `shop.orders`, with commas between them. What is none of these names no table.
    fn parse(text: &str) -> TableList {
        let entries = text.split(',').map(str::trim).filter_map(|entry| {
            let name = |name: &str| (name != "*").then(|| file_name::encode(name.trim_matches('`')));
            match entry.split_once('.') {
                Some((db, table)) => Some((name(db), name(table))),
                None => (entry == "*").then_some((None, None)),
            }
        });
        TableList(entries.collect())
    }

    /// Of partitions the table counts, which the names of their files begin with.
    fn has(&self, base: &Path) -> bool {
        let mut parts = base.iter().map(|part| part.to_string_lossy());
        let (Some(db), Some(file)) = (parts.next(), parts.next()) else { return false };
        let table = file.split("#P#").next().unwrap_or_default();
        self.0.iter().any(|(of_db, of_table)| {
            of_db.as_ref().is_none_or(|name| *name == db)
                && of_table.as_ref().is_none_or(|name| name == table)
        })
    }
}

impl TableCaches {
    /// The caches as the variables have them; tables of this store are assigned to them from now on.
    pub(crate) fn over(store: &Store, variables: &GlobalVariables) -> Arc<TableCaches> {
        let caches = Arc::new(TableCaches {
            default: store.block_cache(0),
            rows: store.block_cache(0),
            rules: RwLock::default(),
            refreshing: Mutex::default(),
        });
        store.assign_by(caches.clone());
        caches.refresh(store, variables);
        caches
    }

    /// The variables have changed.
    pub(crate) fn refresh(&self, store: &Store, variables: &GlobalVariables) {
        let _alone = self.refreshing.lock();
        store.set_cache_budget(&self.rows, variables.named("isambard_row_cache_size").as_u64());
        let default = (Box::from(DEFAULT), self.default.clone(), variables.named("key_buffer_size").as_u64());
        let mut sizes = vec![default];
        {
            let mut rules = self.rules.write();
            rules.map_index = variables.named("isambard_map_index").as_bool();
            rules.rows = TableList::parse(variables.named("isambard_cache_rows").as_text());
            for settings in variables.key_caches.all() {
                let size = settings.whole().map_or(0, |(bytes, _)| bytes);
                let named = rules.named.entry(settings.name().into());
                let named =
                    named.or_insert_with(|| Named { cache: store.block_cache(size), has_size: false });
                named.has_size = size > 0;
                sizes.push((settings.name().into(), named.cache.clone(), size));
            }
        }
        for (name, cache, size) in sizes {
            if cache.budget() != size {
                store.set_cache_budget(&cache, size);
                // as in MariaDB it counts from zero then
                let counts = store.cache_counts(&cache).0;
                self.rules.write().flushed.insert(name, counts);
            }
        }
        store.reassign();
    }

    /// The key caches and their names.
    fn all(&self) -> Vec<(Box<str>, Arc<BlockCache>)> {
        let rules = self.rules.read();
        let named = rules.named.iter().map(|(name, named)| (name.clone(), named.cache.clone()));
        named.chain([(DEFAULT.into(), self.default.clone())]).collect()
    }

    /// CACHE INDEX: the index of a table belongs to this cache from now on.
    pub(crate) fn assign_index(&self, table: &PagedTable, cache: &str) {
        {
            let mut rules = self.rules.write();
            if cache == DEFAULT {
                rules.assigned.remove(table.base());
            } else {
                rules.assigned.insert(table.base().to_owned(), cache.into());
            }
        }
        self.assign(table);
    }

    /// What a key cache holds and counts; `None` when nobody has made it.
    pub(crate) fn status(&self, store: &Store, name: &str) -> Option<CacheStatus> {
        let (_, cache) = self.all().into_iter().find(|(of, _)| **of == *name)?;
        let (counts, dirty) = store.cache_counts(&cache);
        let before = self.rules.read().flushed.get(name).copied().unwrap_or_default();
        Some(CacheStatus { usage: cache.usage(), counts: counts.since(before), dirty })
    }

    /// The cache of rows.
    pub(crate) fn of_rows(&self) -> BlockUsage {
        self.rows.usage()
    }

    /// FLUSH STATUS: counts from zero.
    pub(crate) fn flush_status(&self, store: &Store) {
        let counts = self.all().into_iter().map(|(name, cache)| (name, store.cache_counts(&cache).0));
        let counts = counts.collect();
        self.rules.write().flushed = counts;
    }

    /// The name of the cache that a file of a table is read through; `None` when it is mapped.
    pub(crate) fn name_of(&self, table: &PagedTable, file: File) -> Option<Box<str>> {
        let cache = table.cache_of(file)?;
        let rules = self.rules.read();
        let named = rules.named.iter().find(|(_, named)| Arc::ptr_eq(&named.cache, &cache));
        match named {
            Some((name, _)) => Some(name.clone()),
            None if Arc::ptr_eq(&cache, &self.rows) => Some("rows".into()),
            None => Some(DEFAULT.into()),
        }
    }
}

impl Assignment for TableCaches {
    fn assign(&self, table: &PagedTable) {
        let base = table.base();
        // Their files are no more than where their pages would go.
        if base.starts_with(MEMORY_FOLDER) || base.starts_with(SESSION_FOLDER) {
            return;
        }
        let rules = self.rules.read();
        let named = rules.assigned.get(base).and_then(|name| rules.named.get(name));
        match named.filter(|named| named.has_size) {
            Some(named) => table.assign_index(&named.cache, false),
            None => table.assign_index(&self.default, rules.map_index),
        }
        table.assign_rows(Some(&self.rows).filter(|_| rules.rows.has(base)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_tables() {
        let has = |list: &str, base: &str| TableList::parse(list).has(Path::new(base));
        assert!(has("*", "d/t") && has("a.b, d.*", "d/t") && has("d.t", "d/t#P#p0"));
        assert!(has("`d d`.t", "d@0020d/t") && has("*.t", "d/t"));
        assert!(!has("", "d/t") && !has("d", "d/t") && !has("d.u", "d/t") && !has("e.*", "d/t"));
    }
}
