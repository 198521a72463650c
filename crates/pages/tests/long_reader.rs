//! What a reader that stays costs: measured by the memory of the process, so it has one of its own.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::*;
use pages::storage::MemoryStorage;
use pages::{ReaderSlot, Store, StoreOptions};

const BLOCKS: u64 = 30;

/// A reader that stays while a writer commits on and on: what is kept for it is bounded by the table, not by time.
#[test]
fn a_long_reader_costs_bounded_memory() {
    let options = StoreOptions {
        version_cache_size: 64 << 20,
        version_spill_size: 0,
        segment_size: 256 << 10,
        journal_size: 1 << 20,
        checkpoint_interval: Duration::from_millis(20),
        idle_after: Duration::from_millis(30),
        ..StoreOptions::default()
    };
    let (store, _) =
        Store::open(Arc::new(MemoryStorage::new()), std::path::Path::new("/d"), options).unwrap();
    create(&store, "t").unwrap();
    let table = attach(&store, "t");
    let mut writer = lock(&table);
    let commit = |writer: &mut pages::TableWriter, counter: u64| {
        for block in 1..=BLOCKS {
            put_block(writer, block, counter as u8).unwrap();
        }
        writer.commit().unwrap();
    };
    commit(&mut writer, 1);
    let readers: Vec<ReaderSlot> = (0..3).map(|_| store.reader_slot()).collect();
    let mut snapshots = Vec::new();
    for (i, reader) in readers.iter().enumerate() {
        commit(&mut writer, 2 + i as u64);
        let snapshot = reader.begin(&[&table]).unwrap();
        snapshot.unpin_until_read();
        snapshots.push(snapshot);
    }
    let before = resident();
    for counter in 0..20_000 {
        commit(&mut writer, counter);
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < 40 << 20, "{} MB more after 600 MB of versions", grown >> 20);
    for (i, snapshot) in snapshots.iter().enumerate() {
        let pin = snapshot.pin();
        let view = pin.table(&table).unwrap();
        assert!((1..=BLOCKS).all(|block| view.index_page(block * 1024, 1024).unwrap()[9] == 2 + i as u8));
    }
    drop(snapshots);
    drop(writer);
    store.shutdown().unwrap();
}

fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    let field = |n: usize| statm.split_whitespace().nth(n).unwrap().parse::<u64>().unwrap() * 4096;
    // Private memory: mapped files in memory are not ours to count.
    field(1) - field(2)
}
