//! A table of made-up content, in memory or on disk.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pages::storage::{OpenMode, Storage};
use pages::{
    DataPaging, FilePlan, PagedTable, Result, StateLayout, Store, StoreOptions, TableSpec, TableWriter,
};

pub const STATE_LEN: usize = 300;
pub const DIR: &str = "/d";
/// Where counters of our own are kept in the state.
pub const COUNTER_AT: usize = 200;

pub fn options() -> StoreOptions {
    StoreOptions {
        background: false,
        segment_size: 32 << 10,
        journal_size: 1 << 20,
        ..StoreOptions::default()
    }
}

pub fn never() -> bool {
    false
}

pub fn fresh_state() -> Vec<u8> {
    let mut state = vec![0; STATE_LEN];
    state[..4].copy_from_slice(&[0xfe, 0xfe, 7, 1]);
    set(&mut state, StateLayout::MYI.index_len_at, 1024);
    state
}

pub fn set(state: &mut [u8], at: usize, value: u64) {
    state[at..at + 8].copy_from_slice(&value.to_be_bytes());
}

pub fn get(state: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(state[at..at + 8].try_into().unwrap())
}

/// Writes the files of an empty table.
pub fn create(store: &Store, name: &str) -> Result<()> {
    store.apply(files(name))
}

pub fn files(name: &str) -> FilePlan {
    let mut index = fresh_state();
    index.resize(1024, 0);
    FilePlan::new().create(format!("{name}.MYI"), index).create(format!("{name}.MYD"), Vec::new())
}

pub fn spec(
    storage: &dyn Storage,
    dir: &Path,
    name: &str,
    data_page: DataPaging,
) -> std::io::Result<TableSpec> {
    let index = storage.open(&dir.join(format!("{name}.MYI")), OpenMode::Read)?;
    let mut state = vec![0; STATE_LEN];
    index.read_exact_at(&mut state, 0)?;
    Ok(TableSpec { base: name.into(), state, layout: StateLayout::MYI, data_page, pages_lost_from: None })
}

pub fn attach(store: &Store, name: &str) -> Arc<PagedTable> {
    attach_as(store, name, DataPaging::Bytes4K)
}

pub fn attach_as(store: &Store, name: &str, paging: DataPaging) -> Arc<PagedTable> {
    let spec = spec(&**store.storage(), store.datadir(), name, paging).unwrap();
    store.attach(spec).unwrap()
}

pub fn lock(table: &Arc<PagedTable>) -> TableWriter {
    table.write_lock(1 << 40, Duration::from_secs(20), &never).unwrap()
}

pub fn set_len(writer: &mut TableWriter, at: usize, len: u64) {
    let state = writer.state_mut();
    let len = len.max(get(state, at));
    set(state, at, len);
}

/// Writes data and raises the length over it.
pub fn put_data(writer: &mut TableWriter, offset: u64, bytes: &[u8]) -> Result<()> {
    writer.data_write(offset, bytes)?;
    set_len(writer, StateLayout::MYI.data_len_at, offset + bytes.len() as u64);
    Ok(())
}

/// A block of 1 KiB filled with `byte`; the file grows as needed.
pub fn put_block(writer: &mut TableWriter, number: u64, byte: u8) -> Result<()> {
    let offset = number * 1024;
    let known = get(pages::PageSource::state(writer), StateLayout::MYI.index_len_at) > offset;
    if known {
        writer.index_page_mut(offset, 1024)?.set_all(&[byte; 1024]);
    } else {
        writer.index_page_new(offset, 1024)?.set_all(&[byte; 1024]);
    }
    set_len(writer, StateLayout::MYI.index_len_at, offset + 1024);
    Ok(())
}

/// The data file as a reader sees it now.
pub fn content(store: &Store, table: &Arc<PagedTable>) -> Vec<u8> {
    let session = store.reader_slot();
    let snapshot = session.begin(&[table]).unwrap();
    let pin = snapshot.pin();
    let view = pin.table(table).unwrap();
    let mut scratch = Vec::new();
    view.data(0, view.data_len() as usize, &mut scratch).unwrap().to_vec()
}
