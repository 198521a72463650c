//! Keys built by sorting have the order of comparisons: every type and many collations, with NULL, descending, in first and second place.

mod common;

use std::cmp::Ordering;

use common::Random;
use common::defs::{collation, column, empty, key, table};
use isam::key::compare::compare;
use isam::{KeyCursor, RowBuf, SeekMode, SortSettings, Writer};
use schema::definition::{ColumnDef, ColumnType, KeyDef, KeyKind};

fn columns() -> Vec<ColumnDef> {
    use ColumnType::*;
    let numbers = [Tiny, Short, Int24, Long, LongLong, Float { decimals: 31 }, Double { decimals: 31 }];
    let mut all: Vec<ColumnDef> = numbers.iter().map(|ty| column("c", ty.clone(), false)).collect();
    all.extend(numbers[..5].iter().map(|ty| {
        let mut c = column("c", ty.clone(), false);
        c.unsigned = true;
        c
    }));
    let collations = [
        "latin1_swedish_ci",
        "latin1_bin",
        "latin1_german2_ci",
        "latin1_nopad_bin",
        "latin1_swedish_nopad_ci",
        "cp1250_czech_cs",
        "utf8mb4_general_ci",
        "utf8mb4_general_nopad_ci",
        "utf8mb3_general_ci",
        "utf8mb4_bin",
        "utf8mb4_unicode_ci",
        "utf8mb4_uca1400_ai_ci",
        "binary",
    ];
    for name in collations {
        for ty in [Char { bytes: 40 }, Varchar { bytes: 60 }, Blob { length_bytes: 2 }] {
            let mut c = column("c", ty, false);
            c.collation = collation(name);
            all.push(c);
        }
    }
    all
}

fn number(r: &mut Random) -> f64 {
    match r.below(6) {
        0 => 0.0,
        1 => -0.0,
        2 => f64::from(r.next() as i32) / 3.0,
        3 => -1e30,
        4 => 1e-30,
        _ => r.below(9) as f64 - 4.0,
    }
}

/// Values with long beginnings in common, of which many are the same.
fn value(r: &mut Random, c: &ColumnDef) -> Vec<u8> {
    let bits = [u64::MAX, 3, 255, 1 << 31, 1 << 63][r.below(5) as usize];
    let integer = (r.next() & bits).to_le_bytes();
    match &c.ty {
        ColumnType::Tiny => integer[..1].to_vec(),
        ColumnType::Short => integer[..2].to_vec(),
        ColumnType::Int24 => integer[..3].to_vec(),
        ColumnType::Long => integer[..4].to_vec(),
        ColumnType::LongLong => integer.to_vec(),
        ColumnType::Float { .. } => (number(r) as f32).to_le_bytes().to_vec(),
        ColumnType::Double { .. } => number(r).to_le_bytes().to_vec(),
        _ => {
            const PARTS: [&str; 10] = [
                "abcdefgh",
                "ABCDEFGH",
                "common beginning ",
                "x",
                "\u{e9}",
                "  ",
                "\u{1}",
                "a\u{0}",
                "",
                "\u{df}s",
            ];
            let mut text = String::new();
            for _ in 0..r.below(4) {
                text.push_str(PARTS[r.below(10) as usize]);
            }
            match c.collation.charset.name {
                "latin1" | "cp1250" => text.chars().map(|c| c as u8).collect(),
                _ => text.into_bytes(),
            }
        }
    }
}

/// A value of the pool, often with a small change.
fn near(r: &mut Random, c: &ColumnDef, pool: &[Vec<u8>]) -> Vec<u8> {
    if r.once_in(4) {
        return value(r, c);
    }
    let mut v = pool[r.below(pool.len() as u64) as usize].clone();
    match &c.ty {
        ColumnType::Float { .. } | ColumnType::Double { .. } => {}
        ColumnType::Char { .. } | ColumnType::Varchar { .. } | ColumnType::Blob { .. } => match r.below(8) {
            0 => v.push(b' '),
            1 => v.push(0),
            2 => v.extend_from_slice(b"abcdefghi"),
            3 => v.make_ascii_uppercase(),
            4 if v.get(7).is_some_and(u8::is_ascii_lowercase) => v[7] ^= 1,
            _ => {}
        },
        _ => v[0] ^= r.below(2) as u8,
    }
    v
}

fn sorted_as_compared(mut first: ColumnDef, second: ColumnDef, seed: u64) {
    let mut r = Random(seed);
    let mut def = table();
    first.nullable = r.once_in(2);
    let parts = if r.once_in(3) { vec![0] } else { vec![0, 1] };
    def.columns = vec![first, second];
    def.columns[1].nullable = r.once_in(2);
    let prefix = |c: &ColumnDef| matches!(c.ty, ColumnType::Blob { .. }).then_some(30);
    let mut key: KeyDef = key(KeyKind::Plain, &parts, None);
    for part in &mut key.parts {
        part.prefix = prefix(&def.columns[part.column]);
        part.descending = r.once_in(4);
    }
    def.keys = vec![key];
    let (format, pages) = empty(&def);
    let mut writer = Writer::new(format.clone(), pages);
    assert!(writer.bulk_begin(None));
    let rows = 100 + r.below(200);
    let pools: Vec<Vec<Vec<u8>>> =
        def.columns.iter().map(|c| (0..3).map(|_| value(&mut r, c)).collect()).collect();
    let mut row = RowBuf::new(&format.layout);
    for _ in 0..rows {
        row.clear();
        for (i, c) in def.columns.iter().enumerate() {
            if c.nullable && r.once_in(6) { row.set_null(i) } else { row.set(i, &near(&mut r, c, &pools[i])) }
        }
        writer.insert(&row.as_view()).unwrap();
    }
    writer.bulk_end(&SortSettings::default(), &|| false).unwrap();
    let mut cursor = KeyCursor::new(&format, 0);
    let mut more = cursor.seek(writer.store(), &[], 0, SeekMode::First).unwrap();
    let (mut before, mut seen) = (None::<(Vec<u8>, isam::RowPos)>, 0);
    while more {
        let here = (cursor.key().to_vec(), cursor.pos());
        if let Some((key, pos)) = &before {
            let order =
                compare(&format.keys[0], key, &here.0, parts.len()).then(cursor.pos().cmp(pos).reverse());
            assert_eq!(order, Ordering::Less, "{:?}: {key:?} {:?}", def.columns, here.0);
        }
        (before, seen) = (Some(here), seen + 1);
        more = cursor.next(writer.store()).unwrap();
    }
    assert_eq!(seen, rows);
}

#[test]
fn digits_have_the_order_of_comparisons() {
    let columns = columns();
    let rounds = if std::env::var("ISAMBARD_SOAK").is_ok_and(|v| v == "1") { 200 } else { 6 };
    let mut r = Random(77);
    for (i, first) in columns.iter().enumerate() {
        for round in 0..rounds {
            let second = &columns[r.below(columns.len() as u64) as usize];
            sorted_as_compared(first.clone(), second.clone(), 1 + (i * 1000 + round) as u64);
        }
    }
}
