//! Key trees of every kind against a sorted list: random inserts and deletes, all seeks, walks both ways, and after each phase a
//! check of all pages.

mod common;
#[path = "trees/rectangles.rs"]
mod rectangles;

use std::cmp::Ordering;

use common::Random;
use common::defs::{collation, column, empty, key, table};
use isam::key::compare::compare;
use isam::key::encode::encode_row;
use isam::maintain::{CheckOptions, Depth, check};
use isam::plain::PlainPages;
use isam::tree::{TOGETHER, Ways};
use isam::{KeyCursor, ManyRows, RangeEnd, RowBuf, RowPos, SeekMode, SortSettings, TableFormat, Writer};
use schema::definition::{ColumnType, KeyDef, KeyKind, TableDef};

struct Model {
    /// Flat key and position, in order.
    entries: Vec<(Vec<u8>, RowPos)>,
}

fn value(r: &mut Random, ty: &ColumnType) -> Vec<u8> {
    match ty {
        ColumnType::Tiny => vec![r.below(256) as u8],
        ColumnType::Long => match r.below(3) {
            0 => (r.below(20) as i32 - 10).to_le_bytes().to_vec(),
            _ => (r.next() as i32).to_le_bytes().to_vec(),
        },
        ColumnType::LongLong => (r.next() as i64 >> r.below(64)).to_le_bytes().to_vec(),
        ColumnType::Double { .. } => (r.next() as i32 as f64 / 7.0).to_le_bytes().to_vec(),
        ColumnType::Char { bytes } | ColumnType::Varchar { bytes } => {
            common::values::text(r, usize::from(*bytes) / 4, false).into_bytes()
        }
        _ => common::values::text(r, 900, false).into_bytes(),
    }
}

fn fill(buf: &mut RowBuf, def: &TableDef, r: &mut Random) {
    buf.clear();
    for (i, c) in def.columns.iter().enumerate() {
        if c.nullable && r.once_in(5) {
            buf.set_null(i);
        } else {
            buf.set(i, &value(r, &c.ty));
        }
    }
}

fn order(format: &TableFormat, number: usize, a: &(Vec<u8>, RowPos), b: &(Vec<u8>, RowPos)) -> Ordering {
    let key = &format.keys[number];
    compare(key, &a.0, &b.0, key.segments.len()).then(a.1.cmp(&b.1))
}

fn verify(format: &TableFormat, pages: &PlainPages, models: &[Model], r: &mut Random) {
    let options = CheckOptions { depth: Depth::Extended, ..CheckOptions::default() };
    let found = check(format, pages, &options).unwrap();
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    for (number, model) in models.iter().enumerate() {
        let key = &format.keys[number];
        let mut cursor = KeyCursor::new(format, number);
        let mut walked = Vec::new();
        let mut more = cursor.seek(pages, &[], 0, SeekMode::First).unwrap();
        while more {
            walked.push((cursor.key().to_vec(), cursor.pos()));
            more = cursor.next(pages).unwrap();
        }
        assert_eq!(walked, model.entries, "key {number} forward");
        walked.clear();
        more = cursor.seek(pages, &[], 0, SeekMode::Last).unwrap();
        while more {
            walked.push((cursor.key().to_vec(), cursor.pos()));
            more = cursor.prev(pages).unwrap();
        }
        walked.reverse();
        assert_eq!(walked, model.entries, "key {number} backward");
        for _ in 0..60 {
            let Some((probe, pos)) = model.entries.get(r.below(model.entries.len() as u64 + 1) as usize)
            else {
                break;
            };
            let parts = 1 + r.below(key.segments.len() as u64) as usize;
            let is = |i: usize| compare(key, &model.entries[i].0, probe, parts);
            let n = model.entries.len();
            let low = (0..n).position(|i| is(i) != Ordering::Less).unwrap_or(n);
            let high = (0..n).position(|i| is(i) == Ordering::Greater).unwrap_or(n);
            let expect = |mode| match mode {
                SeekMode::Exact | SeekMode::GreaterEqual => Some(low),
                SeekMode::Greater => Some(high).filter(|&i| i < n),
                SeekMode::ExactLast | SeekMode::LessEqual => high.checked_sub(1),
                SeekMode::Less => low.checked_sub(1),
                _ => None,
            };
            for mode in [
                SeekMode::Exact,
                SeekMode::ExactLast,
                SeekMode::GreaterEqual,
                SeekMode::Greater,
                SeekMode::LessEqual,
                SeekMode::Less,
            ] {
                let hit = cursor.seek(pages, probe, parts, mode).unwrap();
                let want = expect(mode);
                assert_eq!(hit, want.is_some(), "{mode:?}");
                if let Some(at) = want {
                    assert_eq!(
                        (cursor.key(), cursor.pos()),
                        (&model.entries[at].0[..], model.entries[at].1),
                        "{mode:?}"
                    );
                    // From anywhere both directions go on.
                    assert_eq!(cursor.next(pages).unwrap(), at + 1 < n);
                    assert_eq!(cursor.seek(pages, probe, parts, mode).unwrap(), hit);
                    assert_eq!(cursor.prev(pages).unwrap(), at > 0);
                    if at > 0 {
                        assert_eq!(cursor.pos(), model.entries[at - 1].1);
                    }
                }
            }
            assert!(cursor.seek(pages, probe, key.segments.len(), SeekMode::Exact).unwrap());
            while cursor.pos() != *pos {
                assert!(cursor.next(pages).unwrap());
            }
            assert!(cursor.reseek(pages).unwrap());
            assert_eq!(cursor.pos(), *pos);
            let end = RangeEnd { flat: probe, parts, inclusive: true };
            let estimate = format.records_in_range(pages, number, Some(end), Some(end)).unwrap();
            assert!(estimate >= 1 && estimate <= n as u64);
        }
        verify_ways(format, pages, number, model, r);
    }
}

/// Several keys that are looked for side by side are found as one by one, and walks go on from there.
fn verify_ways(format: &TableFormat, pages: &PlainPages, number: usize, model: &Model, r: &mut Random) {
    let key = &format.keys[number];
    let (mut cursor, mut alone) = (KeyCursor::new(format, number), KeyCursor::new(format, number));
    let mut ways = Ways::default();
    for _ in 0..20 {
        let mut probes: Vec<Vec<u8>> = Vec::new();
        while probes.len() < r.below(TOGETHER as u64 + 4) as usize && !model.entries.is_empty() {
            let mut probe = model.entries[r.below(model.entries.len() as u64) as usize].0.clone();
            // a number or character beside it, which mostly is not there
            if r.once_in(3)
                && model.entries.iter().all(|e| e.0.len() == probe.len())
                && let Some(last) = probe.last_mut()
            {
                *last ^= 1;
            }
            probes.push(probe);
        }
        let parts = 1 + r.below(key.segments.len() as u64) as usize;
        cursor.find_ways(pages, probes.iter().map(Vec::as_slice), parts, &mut ways).unwrap();
        for (n, probe) in probes.iter().enumerate() {
            let found = cursor.seek_on_way(pages, &ways, n, probe, parts).unwrap();
            let expected = n < TOGETHER && alone.seek(pages, probe, parts, SeekMode::Exact).unwrap();
            assert_eq!(found, expected, "key {number}");
            let mut more = found;
            for _ in 0..r.below(90) {
                if more {
                    assert_eq!((cursor.key(), cursor.pos()), (alone.key(), alone.pos()));
                    more = cursor.next(pages).unwrap();
                    assert_eq!(alone.next(pages).unwrap(), more);
                }
            }
        }
    }
}

/// Little memory or some, one thread or two.
fn some_settings(r: &mut Random) -> SortSettings {
    let (buffer, threads) = (1 << r.below(17), 1 + r.below(2) as usize);
    SortSettings { buffer, threads, ..SortSettings::default() }
}

/// Adds a row to what the keys must have, or takes it out.
fn note(format: &TableFormat, models: &mut [Model], row: &RowBuf, pos: RowPos, add: bool) {
    for (number, model) in models.iter_mut().enumerate() {
        let mut flat = Vec::new();
        encode_row(&format.keys[number], &row.as_view(), &mut flat);
        let entry = (flat, pos);
        let at = model.entries.partition_point(|e| order(format, number, e, &entry) == Ordering::Less);
        if add {
            model.entries.insert(at, entry);
        } else {
            assert_eq!(model.entries.remove(at), entry);
        }
    }
}

/// Changes one row of so many, each once, while keys wait; then deletes as many.
fn change_many(
    (writer, def): (&mut Writer<PlainPages>, &TableDef),
    share: u64,
    live: &mut Vec<(RowPos, RowBuf)>,
    models: &mut [Model],
    r: &mut Random,
) {
    let format = writer.format().clone();
    writer.begin_changes(ManyRows::Update, &some_settings(r));
    for (pos, old) in live.iter_mut() {
        if !r.once_in(share) {
            continue;
        }
        let mut buf = RowBuf::new(&format.layout);
        fill(&mut buf, def, r);
        match writer.update(*pos, &old.as_view(), &buf.as_view()) {
            Ok(()) => {
                note(&format, models, old, *pos, false);
                note(&format, models, &buf, *pos, true);
                *old = buf;
            }
            Err(isam::Error::Duplicate { .. }) => {}
            Err(e) => panic!("{e}"),
        }
    }
    writer.end_waiting(&|| false).unwrap();
    verify(&format, writer.store(), models, r);
    writer.begin_changes(ManyRows::Delete, &some_settings(r));
    live.retain(|(pos, old)| {
        let stays = !r.once_in(share);
        if !stays {
            writer.delete(*pos, &old.as_view()).unwrap();
            note(&format, models, old, *pos, false);
        }
        stays
    });
    writer.end_waiting(&|| false).unwrap();
}

fn run(def: &TableDef, seed: u64, ops: usize) {
    let (format, pages) = empty(def);
    let mut writer = Writer::new(format.clone(), pages);
    let mut r = Random(seed);
    let mut live: Vec<(RowPos, RowBuf)> = Vec::new();
    let mut models: Vec<Model> = format.keys.iter().map(|_| Model { entries: Vec::new() }).collect();
    let edit = |models: &mut Vec<Model>, row: &RowBuf, pos, add| note(&format, models, row, pos, add);
    for phase in 0..4 {
        for step in 0..ops / 4 {
            // Keys that refuse nothing wait now and then; in the half of a phase nothing but insertions comes.
            let many = phase % 2 == 0 && step < ops / 8;
            if step == 0 || r.once_in(200) {
                writer.end_waiting(&|| false).unwrap();
                if many || r.once_in(2) {
                    writer.begin_waiting(&some_settings(&mut r));
                }
            }
            let insert = many || r.below(10) < [9, 6, 4, 1][phase];
            if insert || live.is_empty() {
                let mut buf = RowBuf::new(&format.layout);
                fill(&mut buf, def, &mut r);
                let refused = writer.find_duplicate(&buf.as_view()).unwrap();
                match writer.insert(&buf.as_view()) {
                    Ok(pos) => {
                        assert!(refused.is_none());
                        edit(&mut models, &buf, pos, true);
                        live.push((pos, buf));
                    }
                    Err(isam::Error::Duplicate { key, existing }) => {
                        assert_eq!(refused, Some((key, existing)))
                    }
                    Err(e) => panic!("{e}"),
                }
            } else if r.once_in(4) {
                let i = r.below(live.len() as u64) as usize;
                let mut buf = RowBuf::new(&format.layout);
                fill(&mut buf, def, &mut r);
                let (pos, old) = &mut live[i];
                match writer.update(*pos, &old.as_view(), &buf.as_view()) {
                    Ok(()) => {
                        edit(&mut models, old, *pos, false);
                        edit(&mut models, &buf, *pos, true);
                        *old = buf;
                    }
                    Err(isam::Error::Duplicate { .. }) => {}
                    Err(e) => panic!("{e}"),
                }
            } else {
                let i = r.below(live.len() as u64) as usize;
                let (pos, old) = live.swap_remove(i);
                writer.delete(pos, &old.as_view()).unwrap();
                edit(&mut models, &old, pos, false);
            }
        }
        writer.end_waiting(&|| false).unwrap();
        verify(&format, writer.store(), &models, &mut r);
    }
    for share in [40, 2] {
        change_many((&mut writer, def), share, &mut live, &mut models, &mut r);
        verify(&format, writer.store(), &models, &mut r);
    }
    // Built by sorting, the trees hold the same.
    writer.disable_keys();
    if writer.has_disabled_keys() {
        let settings = SortSettings { buffer: 0, ..SortSettings::default() };
        writer.enable_keys(&settings, &|| false).unwrap();
        verify(&format, writer.store(), &models, &mut r);
    }
    // And emptied one by one nothing is left.
    for (pos, old) in live {
        writer.delete(pos, &old.as_view()).unwrap();
        edit(&mut models, &old, pos, false);
    }
    verify(&format, writer.store(), &models, &mut r);
    assert!(format.keys.iter().all(|k| format.state(writer.store()).key_root(k.number) == u64::MAX));
}

fn kinds(columns: Vec<(ColumnType, bool)>, keys: Vec<KeyDef>, pack: Option<bool>) -> TableDef {
    let mut def = table();
    for (i, (ty, nullable)) in columns.into_iter().enumerate() {
        def.columns.push(column(&format!("c{i}"), ty, nullable));
    }
    def.keys = keys;
    def.options.pack_keys = pack;
    def
}

fn ops() -> usize {
    if std::env::var("ISAMBARD_SOAK").is_ok_and(|v| v == "1") { 20000 } else { 2400 }
}

fn plain(columns: &[usize]) -> KeyDef {
    key(KeyKind::Plain, columns, None)
}

#[test]
fn fixed_keys() {
    let def = kinds(
        vec![
            (ColumnType::Long, false),
            (ColumnType::LongLong, false),
            (ColumnType::Double { decimals: 31 }, false),
        ],
        vec![plain(&[0]), plain(&[1]), plain(&[2, 0]), key(KeyKind::Unique, &[1, 0], None)],
        Some(false),
    );
    run(&def, 11, ops());
    let mut unsigned = kinds(
        vec![(ColumnType::Long, false), (ColumnType::Char { bytes: 100 }, false)],
        vec![plain(&[0]), plain(&[1])],
        Some(false),
    );
    unsigned.columns[0].unsigned = true;
    run(&unsigned, 12, ops());
}

#[test]
fn nullable_and_descending_keys() {
    let mut def = kinds(
        vec![(ColumnType::Long, true), (ColumnType::Tiny, true), (ColumnType::Char { bytes: 40 }, true)],
        vec![plain(&[0]), plain(&[1, 0]), plain(&[0, 2]), key(KeyKind::Unique, &[0, 1], None)],
        None,
    );
    def.keys[1].parts[0].descending = true;
    def.keys[2].parts[1].descending = true;
    run(&def, 21, ops());
}

/// Keys of one part that may be NULL, whose values are all of one length: they are searched by halving.
#[test]
fn nullable_keys_of_one_part() {
    let types = [
        ColumnType::Tiny,
        ColumnType::Long,
        ColumnType::Long,
        ColumnType::LongLong,
        ColumnType::LongLong,
        ColumnType::Double { decimals: 31 },
        ColumnType::Char { bytes: 12 },
    ];
    let keys = (0..types.len()).map(|n| plain(&[n])).collect();
    let mut def = kinds(types.into_iter().map(|ty| (ty, true)).collect(), keys, Some(false));
    (def.columns[2].unsigned, def.columns[4].unsigned) = (true, true);
    run(&def, 22, ops());
}

/// Keys whose first parts are one number together, with signs, without, descending, and behind others.
#[test]
fn fixed_keys_of_several_numbers() {
    let types = [ColumnType::Long, ColumnType::Long, ColumnType::LongLong, ColumnType::Tiny];
    let pairs = [[0, 1], [1, 0], [1, 2], [2, 1], [0, 3], [3, 0], [0, 1]].map(|columns| plain(&columns));
    let keys = pairs.into_iter().chain([plain(&[0, 1, 3])]).collect();
    let mut def = kinds(types.into_iter().map(|ty| (ty, false)).collect(), keys, Some(false));
    def.columns[1].unsigned = true;
    def.keys[6].parts[1].descending = true;
    run(&def, 23, ops());
}

#[test]
fn string_packed_keys() {
    let def = kinds(
        vec![
            (ColumnType::Char { bytes: 80 }, false),
            (ColumnType::Char { bytes: 255 }, true),
            (ColumnType::Long, false),
        ],
        vec![plain(&[0]), plain(&[1]), plain(&[0, 2]), plain(&[1, 0])],
        Some(true),
    );
    run(&def, 31, ops());
}

#[test]
fn binary_packed_and_variable_keys() {
    let columns = || {
        vec![
            (ColumnType::Varchar { bytes: 200 }, true),
            (ColumnType::Varchar { bytes: 600 }, false),
            (ColumnType::Long, false),
            (ColumnType::Blob { length_bytes: 2 }, true),
        ]
    };
    let keys = || {
        vec![
            plain(&[0]),
            key(KeyKind::Plain, &[1], Some(300)),
            plain(&[2, 0]),
            key(KeyKind::Plain, &[3], Some(40)),
        ]
    };
    run(&kinds(columns(), keys(), None), 41, ops());
    run(&kinds(columns(), keys(), Some(false)), 42, ops());
    run(&kinds(vec![(ColumnType::Long, false)], vec![plain(&[0])], Some(true)), 43, ops());
}

#[test]
fn keys_of_several_bytes_a_character() {
    let mut def = kinds(
        vec![(ColumnType::Varchar { bytes: 80 }, true), (ColumnType::Char { bytes: 80 }, false)],
        vec![plain(&[0]), plain(&[1]), key(KeyKind::Unique, &[1, 0], None)],
        None,
    );
    for c in &mut def.columns {
        c.collation = collation("utf8mb4_general_ci");
    }
    run(&def, 51, ops());
}

#[test]
fn large_blocks() {
    let mut def = kinds(
        vec![(ColumnType::Long, false), (ColumnType::Varchar { bytes: 100 }, false)],
        vec![plain(&[0]), plain(&[1])],
        None,
    );
    def.keys[0].block_size = 4096;
    def.keys[1].block_size = 2048;
    run(&def, 61, ops());
}
