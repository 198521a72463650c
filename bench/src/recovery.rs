//! How long recovery takes, beside merely reading the journal.
//!
//! Small commits (a row, a part of an index block, the state) fill a journal over eight tables without a checkpoint; the store is
//! dropped as by a kill. Both times begin with the files out of the system's cache.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pages::{DataPaging, Durability, FilePlan, PagedTable, StateLayout, Store, StoreOptions, TableSpec};

const TABLES: u64 = 8;
const ROW: usize = 190;
const ROWS: u64 = 40_000;
const BLOCKS: u64 = 2000;
const STATE: usize = 300;

/// One run.
#[derive(Debug, Clone, Copy)]
pub struct Recovery {
    /// Bytes of journal.
    pub bytes: u64,
    /// Records that recovery applied.
    pub records: u64,
    /// Reading the journal, file by file.
    pub reading: Duration,
    /// Opening the store, which recovers.
    pub recovery: Duration,
    /// Seconds of CPU that recovery took.
    pub cpu: f64,
}

fn options(journal: u64) -> StoreOptions {
    StoreOptions {
        durability: Durability::None,
        journal_size: journal * 2,
        background: false,
        ..StoreOptions::default()
    }
}

/// Fills a journal of `size` bytes in `dir`, which is empty, reads it, and recovers.
///
/// # Errors
/// Those of the files and of the store.
pub fn measure(dir: &Path, size: u64) -> io::Result<Recovery> {
    fill(dir, size).map_err(io::Error::other)?;
    let journal: Vec<PathBuf> =
        files(dir)?.into_iter().filter(|p| p.to_string_lossy().contains("isambard.journal")).collect();
    forget(dir)?;
    let begun = Instant::now();
    let (mut bytes, mut buffer) = (0, vec![0; 1 << 20]);
    for path in &journal {
        let mut file = File::open(path)?;
        loop {
            let n = file.read(&mut buffer)?;
            if n == 0 {
                break;
            }
            bytes += n as u64;
        }
    }
    let reading = begun.elapsed();
    forget(dir)?;
    let (begun, cpu_before) = (Instant::now(), cpu()?);
    let (store, report) = Store::open_dir(dir, options(size)).map_err(io::Error::other)?;
    let (recovery, cpu) = (begun.elapsed(), cpu()? - cpu_before);
    store.shutdown().map_err(io::Error::other)?;
    Ok(Recovery { bytes, records: report.records, reading, recovery, cpu })
}

fn fill(dir: &Path, size: u64) -> pages::Result<()> {
    let (store, _) = Store::open_dir(dir, options(size))?;
    let mut tables = Vec::new();
    for number in 0..TABLES {
        tables.push(create(&store, &format!("t{number}"))?);
    }
    // Tables that lie on disk already: the journal has their changes only.
    store.checkpoint_clean()?;
    let mut dice = 1_u64;
    let mut below = |n: u64| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        (dice >> 11) % n
    };
    let mut round = 0_u64;
    while store.journal_used() < size {
        let table = &tables[below(TABLES) as usize];
        let mut writer = table.write_lock(1, Duration::from_secs(1), &|| false)?;
        writer.data_write(below(ROWS) * ROW as u64, &[round as u8; 120])?;
        writer
            .index_page_mut((1 + below(BLOCKS)) * 1024, 1024)?
            .write(below(800) as usize, &[round as u8; 180]);
        writer.state_mut()[200..208].copy_from_slice(&round.to_be_bytes());
        writer.commit()?;
        round += 1;
    }
    store.sync_journal()?;
    Ok(())
}

fn create(store: &Arc<Store>, name: &str) -> pages::Result<Arc<PagedTable>> {
    let layout = StateLayout::MYI;
    let mut state = vec![0; STATE];
    state[..4].copy_from_slice(&[0xfe, 0xfe, 7, 1]);
    let put =
        |state: &mut [u8], at: usize, value: u64| state[at..at + 8].copy_from_slice(&value.to_be_bytes());
    put(&mut state, layout.index_len_at, 1024);
    let mut index = state.clone();
    index.resize(1024, 0);
    store.apply(
        FilePlan::new().create(format!("{name}.MYI"), index).create(format!("{name}.MYD"), Vec::new()),
    )?;
    let data_page = DataPaging::FixedRows { row_len: ROW };
    let table =
        store.attach(TableSpec { base: name.into(), state, layout, data_page, pages_lost_from: None })?;
    let mut writer = table.write_lock(1, Duration::from_secs(1), &|| false)?;
    for row in 0..ROWS {
        writer.data_write(row * ROW as u64, &[1; ROW])?;
        put(writer.state_mut(), layout.data_len_at, (row + 1) * ROW as u64);
    }
    for block in 1..=BLOCKS {
        put(writer.state_mut(), layout.index_len_at, (block + 1) * 1024);
        writer.index_page_new(block * 1024, 1024)?.set_all(&[1; 1024]);
    }
    writer.commit()?;
    drop(writer);
    Ok(table)
}

fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(dir)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    paths.sort();
    Ok(paths)
}

/// Seconds of CPU that the process has used.
fn cpu() -> io::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).map(|field| field.parse::<f64>().unwrap_or(0.0)).sum();
    Ok(ticks / 100.0)
}

/// Puts all files out of the system's cache.
fn forget(dir: &Path) -> io::Result<()> {
    for path in files(dir)? {
        let file = File::open(path)?;
        file.sync_all()?;
        rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed)?;
    }
    Ok(())
}
