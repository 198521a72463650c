//! What the paths cost, in nanoseconds. `cargo test --release -p isambard-pages --test cost -- --ignored --nocapture`

mod common;

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use common::*;
use pages::storage::{MemoryStorage, RealStorage, Storage};
use pages::{DataPaging, Durability, Store, StoreOptions};

fn measure(what: &str, times: u64, mut f: impl FnMut(u64)) {
    for i in 0..times / 10 {
        f(i);
    }
    let mut best = f64::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        for i in 0..times {
            f(i);
        }
        best = best.min(start.elapsed().as_nanos() as f64 / times as f64);
    }
    println!("{what:<64} {best:>9.1} ns");
}

#[test]
#[ignore = "a measurement: it prints times and asserts nothing; run it alone, in release, with --ignored --nocapture"]
fn cost() {
    costs("memory", Arc::new(MemoryStorage::new()), Path::new("/d"));
    let dir = std::env::temp_dir().join(format!("isambard-pages-cost-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    costs("files", Arc::new(RealStorage), &dir);
    std::fs::remove_dir_all(dir).unwrap();
}

#[expect(clippy::too_many_lines, reason = "a measurement, step by step")]
fn costs(name: &str, storage: Arc<dyn Storage>, dir: &Path) {
    println!("-- {name}");
    let options = StoreOptions { durability: Durability::Second, ..StoreOptions::default() };
    let (store, _) = Store::open(storage, dir, options).unwrap();
    create(&store, "t").unwrap();
    const ROW: usize = 190;
    let table = attach_as(&store, "t", DataPaging::FixedRows { row_len: ROW });
    let mut writer = lock(&table);
    for block in 1..2000 {
        put_block(&mut writer, block, 1).unwrap();
    }
    put_data(&mut writer, 0, &vec![1; ROW * 100_000]).unwrap();
    writer.commit().unwrap();
    drop(writer);
    let session = store.reader_slot();
    let reads = |state: &str| {
        measure(&format!("begin, pin, end ({state})"), 2_000_000, |_| {
            let snapshot = session.begin(&[&table]).unwrap();
            black_box(snapshot.pin());
        });
        measure(&format!("begin, pin, table, 3 index pages, 1 row, end ({state})"), 1_000_000, |i| {
            let snapshot = session.begin(&[&table]).unwrap();
            let pin = snapshot.pin();
            let view = pin.table(&table).unwrap();
            for page in [1, 2 + i % 40, 50 + i % 1900] {
                black_box(view.index_page(page * 1024, 1024).unwrap()[3]);
            }
            let mut scratch = Vec::new();
            let row = view.data((i * 7919) % 100_000 * ROW as u64, ROW, &mut scratch).unwrap();
            black_box(row[0]);
        });
        let snapshot = session.begin(&[&table]).unwrap();
        let pin = snapshot.pin();
        measure(&format!("pin.table ({state})"), 5_000_000, |_| {
            black_box(pin.table(&table).unwrap());
        });
        let view = pin.table(&table).unwrap();
        measure(&format!("index page look-up, 64 pages ({state})"), 5_000_000, |i| {
            black_box(view.index_page((1 + i % 64) * 1024, 1024).unwrap());
        });
        measure(&format!("row look-up, 100 rows ({state})"), 5_000_000, |i| {
            let mut scratch = Vec::new();
            black_box(view.data(i % 100 * ROW as u64, ROW, &mut scratch).unwrap());
        });
        drop(pin);
        measure(&format!("pin again ({state})"), 2_000_000, |_| {
            black_box(snapshot.pin());
        });
    };
    reads("dirty");
    store.checkpoint_clean().unwrap();
    store.checkpoint_clean().unwrap();
    reads("clean");
    let mut writer = lock(&table);
    measure("update one row, commit", 300_000, |i| {
        let offset = (i * 7919) % 100_000 * ROW as u64;
        writer.data_write(offset, &i.to_le_bytes()).unwrap();
        writer.commit().unwrap();
    });
    measure("update one of 100 rows, commit", 300_000, |i| {
        let offset = i % 100 * ROW as u64;
        writer.data_write(offset, &i.to_le_bytes()).unwrap();
        writer.commit().unwrap();
    });
    measure("update row and index page, state, commit", 300_000, |i| {
        let offset = i % 100 * ROW as u64;
        writer.data_write(offset, &i.to_le_bytes()).unwrap();
        let mut page = writer.index_page_mut((1 + i % 50) * 1024, 1024).unwrap();
        page.copy_within(100..500, 108);
        page.write(100, &i.to_le_bytes());
        set(writer.state_mut(), COUNTER_AT, i);
        writer.commit().unwrap();
    });
    let mut end = ROW as u64 * 100_000;
    measure("append a row, change an index page, state, commit", 200_000, |i| {
        put_data(&mut writer, end, &[7; ROW]).unwrap();
        end += ROW as u64;
        let mut page = writer.index_page_mut((1 + i % 50) * 1024, 1024).unwrap();
        page.copy_within(100..500, 108);
        page.write(100, &i.to_le_bytes());
        writer.commit().unwrap();
    });
    measure("append a row (no commit)", 200_000, |_| {
        put_data(&mut writer, end, &[7; ROW]).unwrap();
        end += ROW as u64;
    });
    writer.commit().unwrap();
    drop(writer);
    measure("write lock, release", 1_000_000, |_| {
        black_box(lock(&table));
    });
    store.shutdown().unwrap();
}

/// CPU time of the calling thread in nanoseconds.
fn cpu_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split_whitespace().next().unwrap().parse().unwrap()
}

/// What a look-up costs one thread, alone and beside others that do the same, and beside a writer: a shared line that somebody
/// writes would show.
#[test]
#[ignore = "a measurement: it prints times and asserts nothing; run it alone, in release, with --ignored --nocapture"]
fn scaling() {
    let options = StoreOptions { durability: Durability::None, ..StoreOptions::default() };
    let (store, _) = Store::open(Arc::new(MemoryStorage::new()), Path::new("/d"), options).unwrap();
    for name in ["t", "other"] {
        create(&store, name).unwrap();
    }
    const ROW: usize = 190;
    let paging = DataPaging::FixedRows { row_len: ROW };
    let (table, other) = (attach_as(&store, "t", paging), attach_as(&store, "other", paging));
    for table in [&table, &other] {
        let mut writer = lock(table);
        for block in 1..2000 {
            put_block(&mut writer, block, 1).unwrap();
        }
        put_data(&mut writer, 0, &vec![1; ROW * 100_000]).unwrap();
        writer.commit().unwrap();
    }
    store.checkpoint_clean().unwrap();
    store.checkpoint_clean().unwrap();
    let look_ups = |times: u64| {
        let session = store.reader_slot();
        let mut scratch = Vec::new();
        let start = cpu_time();
        for i in 0..times {
            let snapshot = session.begin(&[&table]).unwrap();
            let pin = snapshot.pin();
            let view = pin.table(&table).unwrap();
            for page in [1, 2 + i % 40, 50 + i % 1900] {
                black_box(view.index_page(page * 1024, 1024).unwrap()[3]);
            }
            let row = view.data((i * 7919) % 100_000 * ROW as u64, ROW, &mut scratch).unwrap();
            black_box(row[0]);
        }
        (cpu_time() - start) / times as f64
    };
    let write = |table, stop: &std::sync::atomic::AtomicBool| {
        let mut writer = lock(table);
        let mut i = 0_u64;
        while !stop.load(std::sync::atomic::Ordering::Relaxed) {
            writer.data_write(i % 100 * ROW as u64, &i.to_le_bytes()).unwrap();
            set(writer.state_mut(), COUNTER_AT, i);
            writer.commit().unwrap();
            i += 1;
        }
    };
    const TIMES: u64 = 3_000_000;
    look_ups(TIMES);
    for round in 0..3 {
        let alone = look_ups(TIMES);
        let both: Vec<f64> = std::thread::scope(|scope| {
            let threads = [(); 2].map(|()| scope.spawn(|| look_ups(TIMES)));
            threads.map(|thread| thread.join().unwrap()).to_vec()
        });
        let beside = |table| {
            let stop = std::sync::atomic::AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| write(table, &stop));
                let cost = look_ups(TIMES);
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
                cost
            })
        };
        println!(
            "round {round}: alone {alone:.1} ns, two readers {both:.1?} ns, beside a writer of another table {:.1} ns, of this one {:.1} ns",
            beside(&other),
            beside(&table)
        );
    }
    store.shutdown().unwrap();
}
