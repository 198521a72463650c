//! SPATIAL keys against a list: random rows come, change and go, each search is compared with a scan, and each phase ends with a check of all
//! pages.

use super::common::Random;
use super::common::defs::{column, empty, key, table};
use isam::maintain::{CheckOptions, Depth, check};
use isam::plain::PlainPages;
use isam::spatial::{Rect, Relation, SpatialWalk};
use isam::{Error, RowBuf, RowPos, SortSettings, TableFormat, Writer};
use schema::definition::{ColumnType, GeometryKind, KeyKind, TableDef};

const RELATIONS: [Relation; 5] =
    [Relation::Contains, Relation::Within, Relation::Intersects, Relation::Disjoint, Relation::Equals];

fn places(list: &[(f64, f64)]) -> Vec<u8> {
    list.iter().flat_map(|(x, y)| [x.to_le_bytes(), y.to_le_bytes()].concat()).collect()
}

/// A point, or a line between two.
fn value(r: &mut Random) -> Vec<u8> {
    let size = if r.once_in(20) { 400 } else { 12 };
    let mut number = |n| r.below(n) as f64 / 2.0;
    let from = (number(1000) - 100.0, number(1000) - 100.0);
    let to = (from.0 + number(size), from.1 - number(size));
    match from == to {
        true => [&[0, 0, 0, 0, 1, 1, 0, 0, 0], places(&[from]).as_slice()].concat(),
        false => [&[0, 0, 0, 0, 1, 2, 0, 0, 0, 2, 0, 0, 0], places(&[from, to]).as_slice()].concat(),
    }
}

fn definition(block_size: u16) -> TableDef {
    let mut def = table();
    def.columns.push(column("id", ColumnType::Long, false));
    def.columns.push(column("g", ColumnType::Geometry { kind: GeometryKind::Geometry, srid: 0 }, false));
    let mut spatial = key(KeyKind::Spatial, &[1], None);
    spatial.block_size = block_size;
    def.keys = vec![key(KeyKind::Primary, &[0], None), spatial];
    def
}

fn found(format: &TableFormat, pages: &PlainPages, relation: Relation, asked: Rect) -> Vec<RowPos> {
    let mut walk = SpatialWalk::new(format, 1, relation, asked);
    let mut rows = Vec::new();
    while walk.next_leaf(pages, &mut rows).unwrap() {}
    rows.sort_unstable();
    rows
}

fn verify(format: &TableFormat, pages: &PlainPages, live: &[(RowPos, RowBuf, Vec<u8>)], r: &mut Random) {
    let options = CheckOptions { depth: Depth::Extended, ..CheckOptions::default() };
    let findings = check(format, pages, &options).unwrap().findings;
    assert!(findings.is_empty(), "{findings:?}");
    let there: Vec<(RowPos, Rect)> =
        live.iter().map(|(pos, _, value)| (*pos, Rect::of_value(value).unwrap())).collect();
    for round in 0..60 {
        let asked = match there.get(r.below(there.len() as u64 + 1) as usize) {
            Some((_, rect)) if round % 3 == 0 => *rect,
            _ => {
                let mut side =
                    || (r.below(500) as f64 - 60.0, r.below(if round % 2 == 0 { 300 } else { 9 }) as f64);
                let (x, y) = (side(), side());
                Rect { x: (x.0, x.0 + x.1), y: (y.0, y.0 + y.1) }
            }
        };
        for relation in RELATIONS {
            let mut expected: Vec<RowPos> =
                there.iter().filter(|(_, rect)| relation.holds(rect, &asked)).map(|(pos, _)| *pos).collect();
            expected.sort_unstable();
            assert_eq!(found(format, pages, relation, asked), expected, "{relation:?} {asked:?}");
            let about = format.rows_related(pages, 1, relation, &asked).unwrap();
            assert!((0.0..=there.len().max(1) as f64).contains(&about));
        }
    }
}

fn row(format: &TableFormat, id: u32, value: &[u8]) -> RowBuf {
    let mut row = RowBuf::new(&format.layout);
    row.clear();
    row.set(0, &id.to_le_bytes());
    row.set(1, value);
    row
}

fn run(block_size: u16, seed: u64, ops: usize) {
    let (format, pages) = empty(&definition(block_size));
    let mut writer = Writer::new(format.clone(), pages);
    let mut r = Random(seed);
    let mut live: Vec<(RowPos, RowBuf, Vec<u8>)> = Vec::new();
    let mut next = 0;
    for phase in 0..4 {
        for _ in 0..ops {
            if live.is_empty() || r.below(10) < [9, 5, 3, 7][phase] {
                let value = value(&mut r);
                let new = row(&format, next, &value);
                next += 1;
                live.push((writer.insert(&new.as_view()).unwrap(), new, value));
            } else if r.once_in(3) {
                let i = r.below(live.len() as u64) as usize;
                let value = value(&mut r);
                let (pos, old, before) = &mut live[i];
                let new = row(&format, next, &value);
                next += 1;
                writer.update(*pos, &old.as_view(), &new.as_view()).unwrap();
                (*old, *before) = (new, value);
            } else {
                let i = r.below(live.len() as u64) as usize;
                let (pos, old, _) = live.swap_remove(i);
                writer.delete(pos, &old.as_view()).unwrap();
            }
        }
        verify(&format, writer.store(), &live, &mut r);
    }
    let nothing = row(&format, next, &[]);
    assert!(matches!(writer.insert(&nothing.as_view()), Err(Error::NoGeometry { key: 1 })));
    // Built at once, it finds the same.
    assert!(!writer.bulk_begin_all(1000), "not an empty table");
    writer.sort_pages().unwrap();
    verify(&format, writer.store(), &live, &mut r);
    let (rows, mut built) = (writer.into_store(), Vec::new());
    let (_, pages) = empty(&definition(block_size));
    let mut writer = Writer::new(format.clone(), pages);
    assert!(writer.bulk_begin_all(1000));
    for (_, row, value) in live {
        built.push((writer.insert(&row.as_view()).unwrap(), row, value));
    }
    assert!(found(&format, &rows, Relation::Disjoint, Rect::NOTHING).len() == built.len());
    writer.bulk_end(&SortSettings { buffer: 0, ..SortSettings::default() }, &|| false).unwrap();
    verify(&format, writer.store(), &built, &mut r);
    // And emptied one by one nothing is left.
    for (pos, old, _) in built {
        writer.delete(pos, &old.as_view()).unwrap();
    }
    verify(&format, writer.store(), &[], &mut r);
    assert_eq!(format.state(writer.store()).key_root(1), u64::MAX);
}

#[test]
fn rectangles_come_and_go() {
    run(0, 11, 900);
    run(2048, 12, 600);
}
