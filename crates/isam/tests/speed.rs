//! How long a look-up, a step and a scan take. Not a test: run with
//! `cargo test --release -p isambard-isam --test speed -- --ignored --nocapture`.

mod common;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use common::Random;
use common::defs::{column, key, table};
use isam::{CreateSettings, KeyCursor, RowBuf, RowScratch, Scan, SeekMode, SortSettings, Table, Writer};
use pages::{Store, StoreOptions};
use schema::definition::{ColumnType, KeyKind};

/// Processor time of this thread, so that a busy machine does not matter much.
#[derive(Clone, Copy)]
struct Instant(u64);

impl Instant {
    fn now() -> Instant {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        Instant(text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0))
    }

    fn elapsed(self) -> Duration {
        Duration::from_nanos(Instant::now().0 - self.0)
    }
}

/// An empty folder with a database `d`, and a store in it.
fn empty_store(name: &str) -> (PathBuf, Arc<Store>) {
    let dir = std::env::temp_dir().join(format!("isam-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(dir.join("d")).unwrap();
    let (store, _) = Store::open_dir(&dir, StoreOptions::default()).unwrap();
    (dir, store)
}

#[test]
#[ignore = "a measurement: it prints times and asserts nothing; run it alone, in release, with --ignored --nocapture"]
#[expect(clippy::too_many_lines, reason = "a measurement, step by step")]
fn speed() {
    let (dir, store) = empty_store("speed");
    let mut def = table();
    def.columns.push(column("id", ColumnType::Long, false));
    def.columns.push(column("k", ColumnType::Long, false));
    def.columns.push(column("c", ColumnType::Char { bytes: 120 }, false));
    def.columns.push(column("pad", ColumnType::Char { bytes: 60 }, false));
    def.keys.push(key(KeyKind::Primary, &[0], None));
    def.keys.push(key(KeyKind::Plain, &[1], None));
    Table::create(&store, "d", "sbtest1", &def, CreateSettings::default()).unwrap();
    let t = Table::open(&store, "d", "sbtest1").unwrap();
    let n = 100_000u32;
    let mut r = Random(5);
    let mut buf = RowBuf::new(&t.layout);
    let lock = t.pages.write_lock(1, Duration::from_secs(1), &|| false).unwrap();
    let mut writer = Writer::new(t.format.clone(), lock);
    let begun = Instant::now();
    let bulk = writer.bulk_begin(None);
    for i in 1..=n {
        buf.clear();
        buf.set(0, &i.to_le_bytes());
        buf.set(1, &(r.below(u64::from(n)) as u32).to_le_bytes());
        buf.set(2, b"31451373586-15688153734-79729593694-96509299839-83724898275-86711833539-78981337422-35049690573-51724173961-87474696253");
        buf.set(3, b"98996621624-36689827414-04092488557-09587706818-65008859162");
        writer.insert(&buf.as_view()).unwrap();
    }
    if bulk {
        writer.bulk_end(&SortSettings::default(), &|| false).unwrap();
    }
    writer.store_mut().commit().unwrap();
    drop(writer);
    println!("bulk insert: {:.0} ns a row", begun.elapsed().as_nanos() as f64 / f64::from(n));

    let session = store.reader_slot();
    let mut cursor = KeyCursor::new(&t, 0);
    let mut scratch = RowScratch::new();
    let mut flat = Vec::with_capacity(64);
    let mut sum = 0u64;
    let rounds = 2_000_000u32;
    let begun = Instant::now();
    for _ in 0..rounds {
        let id = 1 + r.below(u64::from(n)) as u32;
        let snapshot = session.begin(&[&t.pages]).unwrap();
        let pin = snapshot.pin();
        let view = pin.table(&t.pages).unwrap();
        flat.clear();
        t.encode_key(0, &[Some(&id.to_le_bytes())], &mut flat);
        assert!(cursor.seek(&view, &flat, 1, SeekMode::Exact).unwrap());
        let row = t.row(&view, cursor.pos(), &mut scratch).unwrap();
        sum += u64::from(row.column(2).unwrap()[0]);
    }
    println!("point look-up with snapshot: {:.0} ns", begun.elapsed().as_nanos() as f64 / f64::from(rounds));

    let snapshot = session.begin(&[&t.pages]).unwrap();
    let pin = snapshot.pin();
    let view = pin.table(&t.pages).unwrap();
    let begun = Instant::now();
    for _ in 0..rounds {
        let id = 1 + r.below(u64::from(n)) as u32;
        flat.clear();
        t.encode_key(0, &[Some(&id.to_le_bytes())], &mut flat);
        assert!(cursor.seek(&view, &flat, 1, SeekMode::Exact).unwrap());
        sum += cursor.pos().0;
    }
    println!("seek: {:.0} ns", begun.elapsed().as_nanos() as f64 / f64::from(rounds));
    let begun = Instant::now();
    let mut steps = 0u64;
    for _ in 0..20 {
        let mut more = cursor.seek(&view, &[], 0, SeekMode::First).unwrap();
        while more {
            steps += 1;
            sum += cursor.pos().0;
            more = cursor.next(&view).unwrap();
        }
    }
    println!("step: {:.1} ns", begun.elapsed().as_nanos() as f64 / steps as f64);
    let begun = Instant::now();
    let mut rows = 0u64;
    for _ in 0..20 {
        Scan::new()
            .each(&t, &view, &mut scratch, |_, row| {
                rows += 1;
                sum += u64::from(row.column(1).unwrap()[0]);
                true
            })
            .unwrap();
    }
    println!("scan: {:.1} ns a row", begun.elapsed().as_nanos() as f64 / rows as f64);
    drop(pin);
    drop(snapshot);

    let begun = Instant::now();
    let changes = 200_000u32;
    let mut old = RowBuf::new(&t.layout);
    for i in 0..changes {
        let id = 1 + r.below(u64::from(n)) as u32;
        let lock = t.pages.write_lock(1, Duration::from_secs(1), &|| false).unwrap();
        let mut writer = Writer::new(t.format.clone(), lock);
        flat.clear();
        t.encode_key(0, &[Some(&id.to_le_bytes())], &mut flat);
        assert!(cursor.seek(writer.store(), &flat, 1, SeekMode::Exact).unwrap());
        let pos = cursor.pos();
        old.copy_from(&t.row(writer.store(), pos, &mut scratch).unwrap());
        buf.copy_from(&old.as_view());
        buf.set(1, &i.to_le_bytes());
        writer.update(pos, &old.as_view(), &buf.as_view()).unwrap();
        writer.store_mut().commit().unwrap();
    }
    println!("update of an indexed column: {:.0} ns", begun.elapsed().as_nanos() as f64 / f64::from(changes));
    println!("({sum})");
    store.shutdown().unwrap();
    let _ = std::fs::remove_dir_all(&dir);
}

#[test]
#[ignore = "a measurement: it prints times and asserts nothing; run it alone, in release, with --ignored --nocapture"]
fn loading() {
    let (dir, store) = empty_store("loading");
    let mut def = table();
    def.columns.push(column("id", ColumnType::Long, false));
    def.columns.push(column("host", ColumnType::Char { bytes: 32 }, false));
    def.columns.push(column("path", ColumnType::Varchar { bytes: 100 }, false));
    def.columns.push(column("stamp", ColumnType::Long, false));
    let n = 1_000_000u32;
    for (what, keys) in
        [("no key", vec![]), ("host", vec![1]), ("path", vec![2]), ("stamp", vec![3]), ("all", vec![1, 2, 3])]
    {
        def.keys = keys.iter().map(|&c| key(KeyKind::Plain, &[c], None)).collect();
        let name = format!("t{}", keys.iter().map(|k| format!("_{k}")).collect::<String>());
        Table::create(&store, "d", &name, &def, CreateSettings::default()).unwrap();
        let t = Table::open(&store, "d", &name).unwrap();
        let mut r = Random(5);
        let mut buf = RowBuf::new(&t.layout);
        let lock = t.pages.write_lock(1, Duration::from_secs(1), &|| false).unwrap();
        let mut writer = Writer::new(t.format.clone(), lock);
        let begun = Instant::now();
        let bulk = writer.bulk_begin(None);
        for i in 1..=n {
            let (a, b) = (r.next(), r.next());
            buf.clear();
            buf.set(0, &i.to_le_bytes());
            buf.set(1, format!("host{:05}.example.com", a % 20_000).as_bytes());
            buf.set(2, format!("/data/{:03x}/{a:016x}/{:x}", b % 4096, b >> 40).as_bytes());
            buf.set(3, &(1_200_000_000 + i / 50).to_le_bytes());
            writer.insert(&buf.as_view()).unwrap();
        }
        let rows = begun.elapsed();
        if bulk {
            writer.bulk_end(&SortSettings::default(), &|| false).unwrap();
        }
        let keys = begun.elapsed() - rows;
        writer.store_mut().commit().unwrap();
        let commit = begun.elapsed() - rows - keys;
        let ns = |d: Duration| d.as_nanos() as f64 / f64::from(n);
        println!("{what}: rows {:.0}, keys {:.0}, commit {:.0} ns a row", ns(rows), ns(keys), ns(commit));
        drop(writer);
    }
    drop(store);
    let _ = std::fs::remove_dir_all(&dir);
}
