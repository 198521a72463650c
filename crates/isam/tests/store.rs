//! Tables over the real page store: made, written, read as of a snapshot, closed clean, opened again, emptied.

mod common;

use std::sync::Arc;
use std::time::Duration;

use charset::Collation;
use common::Random;
use isam::{
    CreateSettings, Emptying, Error, KeyCursor, RowBuf, RowPos, RowScratch, Scan, SeekMode, Table, Writer,
};
use pages::{Store, StoreOptions};
use schema::definition::{ColumnDef, ColumnType, KeyAlgorithm, KeyDef, KeyKind, KeyPart, TableDef};

fn column(name: &str, ty: ColumnType, nullable: bool) -> ColumnDef {
    let latin1 = Collation::by_name("latin1_swedish_ci").unwrap();
    let mut c = ColumnDef::new(name, ty, latin1);
    c.nullable = nullable;
    c
}

fn key(name: &str, kind: KeyKind, column: usize) -> KeyDef {
    KeyDef {
        name: name.into(),
        kind,
        parts: vec![KeyPart { column, prefix: None, descending: false }],
        algorithm: KeyAlgorithm::Default,
        block_size: 0,
        comment: String::new(),
        parser: None,
        ignored: false,
        generated: false,
        engine_options: Vec::new(),
    }
}

fn definition(dynamic: bool) -> TableDef {
    let mut def = TableDef::new("MyISAM", Collation::by_name("latin1_swedish_ci").unwrap());
    let mut id = column("id", ColumnType::Long, false);
    id.auto_increment = true;
    def.columns.push(id);
    def.columns.push(column("k", ColumnType::Long, true));
    def.columns.push(column(
        "c",
        if dynamic { ColumnType::Varchar { bytes: 60 } } else { ColumnType::Char { bytes: 60 } },
        true,
    ));
    def.keys.push(key("PRIMARY", KeyKind::Primary, 0));
    def.keys.push(key("k", KeyKind::Plain, 1));
    def.keys.push(key("c", KeyKind::Plain, 2));
    def
}

fn no_kill() -> bool {
    false
}

fn fill(buf: &mut RowBuf, r: &mut Random, id: u32) {
    buf.clear();
    buf.set(0, &id.to_le_bytes());
    if r.once_in(10) {
        buf.set_null(1);
    } else {
        buf.set(1, &(r.below(50) as u32).to_le_bytes());
    }
    let text = common::values::text(r, 50, false);
    buf.set(2, text.as_bytes());
}

fn check_everything(table: &Arc<Table>, store: &Arc<Store>, expected: &[(u32, Vec<Option<Vec<u8>>>)]) {
    let session = store.reader_slot();
    let snapshot = session.begin(&[&table.pages]).unwrap();
    let pin = snapshot.pin();
    let view = pin.table(&table.pages).unwrap();
    assert_eq!(table.state(&view).records(), expected.len() as u64);
    let mut scratch = RowScratch::new();
    let mut found = 0;
    Scan::new()
        .each(table, &view, &mut scratch, |_, _| {
            found += 1;
            true
        })
        .unwrap();
    assert_eq!(found, expected.len());
    for number in 0..table.keys.len() {
        let mut cursor = KeyCursor::new(table, number);
        let mut n = 0;
        let mut before: Option<Vec<u8>> = None;
        let mut more = cursor.seek(&view, &[], 0, SeekMode::First).unwrap();
        while more {
            if let Some(b) = &before {
                assert_ne!(cursor.compare(b, 1), std::cmp::Ordering::Less);
            }
            before = Some(cursor.key().to_vec());
            n += 1;
            more = cursor.next(&view).unwrap();
        }
        assert_eq!(n, expected.len());
        more = cursor.seek(&view, &[], 0, SeekMode::Last).unwrap();
        while more {
            n -= 1;
            more = cursor.prev(&view).unwrap();
        }
        assert_eq!(n, 0);
    }
    let mut cursor = KeyCursor::new(table, 0);
    let mut flat = Vec::new();
    for (id, columns) in expected {
        flat.clear();
        table.encode_key(0, &[Some(&id.to_le_bytes())], &mut flat);
        assert!(cursor.seek(&view, &flat, 1, SeekMode::Exact).unwrap());
        let row = table.row(&view, cursor.pos(), &mut scratch).unwrap();
        for (i, c) in columns.iter().enumerate() {
            assert_eq!(row.column(i), c.as_deref(), "column {i} of {id}");
        }
    }
}

#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn exercise(dynamic: bool) {
    let dir = std::env::temp_dir().join(format!("isam-store-{dynamic}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(dir.join("d")).unwrap();
    let options = StoreOptions { background: false, ..StoreOptions::default() };
    let (store, _) = Store::open_dir(&dir, options.clone()).unwrap();
    Table::create(&store, "d", "t", &definition(dynamic), CreateSettings::default()).unwrap();
    let mut table = Table::open(&store, "d", "t").unwrap();
    let mut r = Random(7);
    let mut expected: Vec<(u32, Vec<Option<Vec<u8>>>)> = Vec::new();
    let mut places: Vec<RowPos> = Vec::new();
    let (mut buf, mut old) = (RowBuf::new(&table.layout), RowBuf::new(&table.layout));
    for statement in 0..60u32 {
        let writer = table.pages.write_lock(1, Duration::from_secs(5), &no_kill).unwrap();
        let mut writer = Writer::new(table.format.clone(), writer);
        for i in 0..40 {
            let n = expected.len() as u64;
            match r.below(4) {
                0 | 1 => {
                    let id = statement * 100 + i;
                    fill(&mut buf, &mut r, id);
                    let pos = writer.insert(&buf.as_view()).unwrap();
                    let columns = (0..3).map(|c| buf.as_view().column(c).map(<[u8]>::to_vec)).collect();
                    expected.push((id, columns));
                    places.push(pos);
                    let again = writer.insert(&buf.as_view());
                    assert!(matches!(again, Err(Error::Duplicate { key: 0, existing }) if existing == pos));
                }
                2 if n > 0 => {
                    let at = r.below(n) as usize;
                    let id = expected[at].0;
                    let mut scratch = RowScratch::new();
                    old.copy_from(&table.row(writer.store(), places[at], &mut scratch).unwrap());
                    fill(&mut buf, &mut r, id);
                    writer.update(places[at], &old.as_view(), &buf.as_view()).unwrap();
                    expected[at].1 = (0..3).map(|c| buf.as_view().column(c).map(<[u8]>::to_vec)).collect();
                }
                _ if n > 0 => {
                    let at = r.below(n) as usize;
                    let mut scratch = RowScratch::new();
                    old.copy_from(&table.row(writer.store(), places[at], &mut scratch).unwrap());
                    writer.delete(places[at], &old.as_view()).unwrap();
                    expected.swap_remove(at);
                    places.swap_remove(at);
                }
                _ => {}
            }
        }
        let mut pages = writer.into_store();
        pages.commit().unwrap();
        drop(pages);
        if statement % 20 == 7 {
            check_everything(&table, &store, &expected);
            store.detach(&table.pages).unwrap();
            let base = dir.join("d/t");
            if let Ok(out) = std::process::Command::new("myisamchk").arg("-e").arg(&base).output() {
                let text = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
                assert!(!text.contains("warning") && !text.contains("error"), "{text}");
            }
            table = Table::open(&store, "d", "t").unwrap();
        }
    }
    check_everything(&table, &store, &expected);

    // A new generation; who reads goes on with the old one.
    let session = store.reader_slot();
    let snapshot = session.begin(&[&table.pages]).unwrap();
    let writer = table.pages.write_lock(1, Duration::from_secs(5), &no_kill).unwrap();
    let emptied = table.empty(writer, Emptying::Delete).unwrap();
    {
        let pin = snapshot.pin();
        let view = pin.table(&table.pages).unwrap();
        assert_eq!(table.state(&view).records(), expected.len() as u64);
    }
    drop(snapshot);
    check_everything(&emptied, &store, &[]);
    {
        let writer = emptied.pages.write_lock(1, Duration::from_secs(5), &no_kill).unwrap();
        let mut writer = Writer::new(emptied.format.clone(), writer);
        assert!(writer.auto_increment() > 5000, "AUTO_INCREMENT stays");
        fill(&mut buf, &mut r, 1);
        writer.insert(&buf.as_view()).unwrap();
        writer.into_store().commit().unwrap();
    }
    store.shutdown().unwrap();
    drop((table, emptied, session, store));
    let (store, report) = Store::open_dir(&dir, options).unwrap();
    assert_eq!(report.records, 0);
    let table = Table::open(&store, "d", "t").unwrap();
    let id = 1u32.to_le_bytes().to_vec();
    let columns = (0..3).map(|c| buf.as_view().column(c).map(<[u8]>::to_vec)).collect();
    assert_eq!(buf.as_view().column(0), Some(&id[..]));
    check_everything(&table, &store, &[(1, columns)]);
    store.shutdown().unwrap();
    let _ = std::fs::remove_dir_all(&dir);
}

#[test]
fn fixed_rows() {
    exercise(false);
}

#[test]
fn dynamic_rows() {
    exercise(true);
}
