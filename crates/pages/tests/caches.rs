//! Clean pages read through caches with a budget: what is in them, what they count, and what they do when there is no room.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use common::*;
use pages::storage::MemoryStorage;
use pages::{BlockCache, File, FilePlan, PageSource, PagedTable, Store};

const BLOCKS: u64 = 40;
/// Memory that a block of 1 KiB takes: less than this, and more than 1 KiB.
const BLOCK: u64 = 1024 + 33;

fn open() -> Arc<Store> {
    let storage = Arc::new(MemoryStorage::new());
    Store::open(storage, Path::new(DIR), options()).unwrap().0
}

/// A table whose pages are clean: blocks of their number, and a few pages of rows.
fn table(store: &Arc<Store>, name: &str) -> Arc<PagedTable> {
    create(store, name).unwrap();
    let table = attach(store, name);
    change(&table, 0);
    store.checkpoint_clean().unwrap();
    table
}

/// Gives all blocks another content.
fn change(table: &Arc<PagedTable>, by: u8) {
    let mut writer = lock(table);
    for block in 1..=BLOCKS {
        put_block(&mut writer, block, (block as u8).wrapping_add(by)).unwrap();
    }
    put_data(&mut writer, 0, &vec![by; 20_000]).unwrap();
    writer.commit().unwrap();
}

/// Reads some blocks, each in a pin of its own.
fn read(store: &Arc<Store>, table: &Arc<PagedTable>, blocks: std::ops::RangeInclusive<u64>, by: u8) {
    let session = store.reader_slot();
    let snapshot = session.begin(&[table]).unwrap();
    for block in blocks {
        let pin = snapshot.pin();
        let view = pin.table(table).unwrap();
        let page = view.index_page(block * 1024, 1024).unwrap();
        assert!(page.iter().all(|&byte| byte == (block as u8).wrapping_add(by)), "block {block}");
    }
}

fn rows(store: &Arc<Store>, table: &Arc<PagedTable>, by: u8) {
    let session = store.reader_slot();
    let snapshot = session.begin(&[table]).unwrap();
    let pin = snapshot.pin();
    let view = pin.table(table).unwrap();
    let mut scratch = Vec::new();
    assert!(view.data(100, 19_000, &mut scratch).unwrap().iter().all(|&byte| byte == by));
    let mut at = 0;
    while at < view.data_len() {
        let run = view.data_run(at).unwrap();
        assert!(run.iter().all(|&byte| byte == by));
        at += run.len() as u64;
    }
    assert_eq!(at, 20_000);
}

fn blocks(cache: &BlockCache) -> u64 {
    let usage = cache.usage();
    assert!(usage.bytes <= cache.budget(), "{usage:?} in {}", cache.budget());
    usage.blocks
}

#[test]
fn a_page_is_read_once_and_found_then() {
    let store = open();
    let table = table(&store, "a");
    let cache = store.block_cache(1 << 20);
    table.assign_index(&cache, false);
    let before = table.page_counts(File::Index);
    for _ in 0..3 {
        read(&store, &table, 1..=BLOCKS, 0);
    }
    let counts = table.page_counts(File::Index).since(before);
    assert_eq!((counts.requests, counts.reads), (3 * BLOCKS, BLOCKS));
    assert_eq!((blocks(&cache), cache.usage().reads), (BLOCKS, BLOCKS));
    let (of_cache, dirty) = store.cache_counts(&cache);
    assert_eq!((of_cache.requests, of_cache.reads, dirty), (before.requests + 3 * BLOCKS, BLOCKS, 0));
}

#[test]
fn a_small_budget_holds_and_everything_is_read_right() {
    let store = open();
    let table = table(&store, "a");
    for room in [0, 1, 5, 39] {
        let cache = store.block_cache(room * BLOCK);
        table.assign_index(&cache, false);
        for _ in 0..4 {
            read(&store, &table, 1..=BLOCKS, 0);
            assert!(blocks(&cache) <= room);
        }
        if room > 0 {
            assert!(cache.usage().reads > room, "others have made room: {:?}", cache.usage());
        }
    }
}

#[test]
fn what_is_used_again_and_again_stays() {
    let store = open();
    let table = table(&store, "a");
    let cache = store.block_cache(24 * BLOCK);
    table.assign_index(&cache, false);
    for _ in 0..20 {
        read(&store, &table, 1..=2, 0);
        for block in 3..=BLOCKS {
            read(&store, &table, block..=block, 0);
            read(&store, &table, 1..=2, 0);
        }
    }
    let before = cache.usage().reads;
    read(&store, &table, 1..=2, 0);
    assert_eq!(cache.usage().reads, before, "the two that are always used are there");
}

#[test]
fn a_change_is_seen_as_soon_as_it_is_committed_and_after_it_was_written() {
    let store = open();
    let table = table(&store, "a");
    let cache = store.block_cache(1 << 20);
    table.assign_index(&cache, false);
    table.assign_rows(Some(&cache));
    for by in 1..6 {
        read(&store, &table, 1..=BLOCKS, by - 1);
        rows(&store, &table, by - 1);
        let old = store.reader_slot();
        let snapshot = old.begin(&[&table]).unwrap();
        snapshot.unpin_until_read();
        change(&table, by);
        read(&store, &table, 1..=BLOCKS, by);
        rows(&store, &table, by);
        store.checkpoint().unwrap();
        read(&store, &table, 1..=BLOCKS, by);
        let pin = snapshot.pin();
        let view = pin.table(&table).unwrap();
        assert_eq!(view.index_page(1024, 1024).unwrap()[0], 1 + (by - 1), "as of the old snapshot");
        drop(pin);
        drop(snapshot);
        store.prune_versions();
        store.checkpoint_clean().unwrap();
        read(&store, &table, 1..=BLOCKS, by);
        rows(&store, &table, by);
    }
    let counts = table.page_counts(File::Index);
    assert_eq!((counts.changed, counts.written), (6 * BLOCKS, 6 * BLOCKS));
}

#[test]
fn a_block_that_is_looked_at_stays_until_the_pin_ends() {
    let store = open();
    let table = table(&store, "a");
    let cache = store.block_cache(4 * BLOCK);
    table.assign_index(&cache, false);
    let session = store.reader_slot();
    let snapshot = session.begin(&[&table]).unwrap();
    let pin = snapshot.pin();
    let view = pin.table(&table).unwrap();
    let held = view.index_page(1024, 1024).unwrap();
    for _ in 0..5 {
        read(&store, &table, 2..=BLOCKS, 0);
        table.assign_index(&store.block_cache(1 << 20), false);
        table.assign_index(&cache, false);
        store.set_cache_budget(&cache, 0);
        store.set_cache_budget(&cache, 4 * BLOCK);
    }
    assert!(held.iter().all(|&byte| byte == 1));
    drop(pin);
    store.set_cache_budget(&cache, 0);
    assert_eq!((cache.usage().blocks, cache.usage().bytes), (0, 0));
}

#[test]
fn counts_stay_with_the_cache_that_was_asked() {
    let store = open();
    let (cold, hot) = (store.block_cache(1 << 20), store.block_cache(1 << 20));
    let table = table(&store, "a");
    table.assign_index(&cold, true);
    read(&store, &table, 1..=10, 0);
    let (of_cold, _) = store.cache_counts(&cold);
    assert!(of_cold.requests >= 10 && of_cold.reads == 0 && cold.usage().blocks == 0, "mapped: {of_cold:?}");
    table.assign_index(&hot, false);
    read(&store, &table, 1..=7, 0);
    assert_eq!(store.cache_counts(&cold).0, of_cold);
    let (of_hot, _) = store.cache_counts(&hot);
    assert_eq!((of_hot.requests, of_hot.reads), (7, 7));
    store.detach(&table).unwrap();
    drop(table);
    assert_eq!(store.cache_counts(&hot).0, of_hot, "closed tables count");
    assert_eq!((hot.usage().blocks, hot.usage().bytes), (0, 0), "and keep nothing");
}

#[test]
fn a_table_that_is_closed_while_it_is_read_through_a_cache_gives_its_blocks_back() {
    let store = open();
    let cache = store.block_cache(1 << 20);
    for round in 0..3 {
        let table = table(&store, &format!("t{round}"));
        table.assign_index(&cache, false);
        table.assign_rows(Some(&cache));
        read(&store, &table, 1..=BLOCKS, 0);
        rows(&store, &table, 0);
        let session = store.reader_slot();
        let guard = table.exclusive(session.id(), Duration::from_secs(5), &never).unwrap();
        guard.discard(FilePlan::new()).unwrap();
    }
    store.prune_versions();
    assert_eq!((cache.usage().blocks, cache.usage().bytes), (0, 0));
    assert!(PageSource::state(&lock(&table(&store, "after"))).len() > 8);
}
