//! Many rows into an empty table: entries that are collected while rows are written give the trees that the rows give, with whatever memory and
//! threads; what is refused, changed and deleted meanwhile is not in them. Many rows into a table that has some: the same.

mod common;

use std::cmp::Ordering;

use common::Random;
use common::defs::{collation, column, empty, key, table};
use isam::key::compare::compare;
use isam::maintain::{CheckOptions, Depth, check};
use isam::plain::PlainPages;
use isam::{Error, KeyCursor, ManyRows, RowBuf, RowPos, RowScratch, Scan, SeekMode, SortSettings, Writer};
use schema::definition::{ColumnType, KeyKind, TableDef};

/// A number without repetitions if `sparse`, one with, and a text.
fn definition(second: KeyKind) -> TableDef {
    let mut def = table();
    def.columns = vec![
        column("id", ColumnType::Long, false),
        column("n", ColumnType::Long, true),
        column("s", ColumnType::Varchar { bytes: 120 }, true),
    ];
    def.columns[2].collation = collation("utf8mb4_general_ci");
    def.keys = vec![
        key(KeyKind::Primary, &[0], None),
        key(second, &[1, 0], None),
        key(KeyKind::Plain, &[2], None),
        key(KeyKind::Plain, &[1], None),
    ];
    def
}

fn fill(row: &mut RowBuf, id: i32, r: &mut Random) {
    const WORDS: [&str; 6] = ["alpha ", "Alpha ", "stra\u{df}e ", "\u{e4}rger ", "b", ""];
    row.clear();
    row.set(0, &id.to_le_bytes());
    match r.below(20) {
        0 => row.set_null(1),
        _ => row.set(1, &(r.below(5000) as i32 - 2500).to_le_bytes()),
    }
    let text = format!("{}{}{}", WORDS[r.below(6) as usize], WORDS[r.below(6) as usize], r.below(3000));
    match r.below(20) {
        0 => row.set_null(2),
        _ => row.set(2, text.as_bytes()),
    }
}

/// The entries of all keys in order.
fn entries(writer: &Writer<PlainPages>) -> Vec<Vec<(Vec<u8>, RowPos)>> {
    let format = writer.format().clone();
    let walk = |n: usize| {
        let (mut all, key) = (Vec::new(), &format.keys[n]);
        let mut cursor = KeyCursor::new(&format, n);
        let mut more = cursor.seek(writer.store(), &[], 0, SeekMode::First).unwrap();
        while more {
            all.push((cursor.key().to_vec(), cursor.pos()));
            more = cursor.next(writer.store()).unwrap();
        }
        let ascend = |a: &(Vec<u8>, RowPos), b: &(Vec<u8>, RowPos)| {
            compare(key, &a.0, &b.0, key.segments.len()).then(a.1.cmp(&b.1)) == Ordering::Less
        };
        assert!(all.is_sorted_by(ascend), "key {n}");
        all
    };
    (0..format.keys.len()).map(walk).collect()
}

/// How many rows are written, in which order of numbers, and what else happens.
#[derive(Clone, Copy)]
struct Case {
    rows: i32,
    ascending: bool,
    duplicates: bool,
    deletes: bool,
}

fn load(case: Case, settings: Option<&SortSettings>) -> Vec<Vec<(Vec<u8>, RowPos)>> {
    let (format, pages) = empty(&definition(KeyKind::Unique));
    let mut writer = Writer::new(format.clone(), pages);
    if let Some(settings) = settings {
        assert!(writer.bulk_begin(None));
        writer.gather_keys(settings);
    }
    let mut r = Random(9);
    let mut row = RowBuf::new(&format.layout);
    let (mut refused, mut written) = (0, 0);
    for n in 0..case.rows {
        let id = if case.ascending { n } else { (i64::from(n) * 7919 % 100_003) as i32 };
        fill(&mut row, id, &mut r);
        let pos = writer.insert(&row.as_view()).unwrap();
        written += 1;
        if case.duplicates && n % 997 == 500 {
            assert!(
                matches!(writer.insert(&row.as_view()), Err(Error::Duplicate { key: 0, existing }) if existing == pos)
            );
            refused += 1;
        }
        if case.deletes && n == case.rows / 2 {
            writer.delete(pos, &row.as_view()).unwrap();
            written -= 1;
        }
    }
    assert_eq!(refused > 0, case.duplicates);
    if let Some(settings) = settings {
        writer.bulk_end(settings, &|| false).unwrap();
        writer.end_waiting(&|| false).unwrap();
    }
    let all = entries(&writer);
    assert!(
        all.iter().all(|key| key.len() == written),
        "{:?} of {written}",
        all.iter().map(Vec::len).collect::<Vec<_>>()
    );
    all
}

#[test]
fn trees_are_those_of_rows_one_by_one() {
    let cases = [
        (true, false, false),
        (true, true, false),
        (false, true, false),
        (true, true, true),
        (false, false, true),
    ];
    for (ascending, duplicates, deletes) in cases {
        let case = Case { rows: 12_000, ascending, duplicates, deletes };
        let expected = load(case, None);
        for (buffer, threads) in [(0, 1), (0, 3), (1 << 20, 2), (64 << 20, 1), (64 << 20, 2)] {
            let settings = SortSettings { buffer, threads, ..SortSettings::default() };
            let got = load(case, Some(&settings));
            assert!(got == expected, "{ascending} {duplicates} {deletes} {buffer} {threads}");
        }
    }
}

/// Of rows that are there all at once, the first repeated value of the first key is told of; the one that is seen later is in the way.
#[test]
fn duplicates_are_found_in_the_end() {
    for (buffer, threads) in [(0, 1), (0, 2), (64 << 20, 2)] {
        let settings = SortSettings { buffer, threads, ..SortSettings::default() };
        let (format, pages) = empty(&definition(KeyKind::Unique));
        let mut writer = Writer::new(format.clone(), pages);
        assert!(writer.bulk_begin_all(30_000));
        writer.gather_keys(&settings);
        let mut r = Random(5);
        let mut row = RowBuf::new(&format.layout);
        let mut places = Vec::new();
        for n in 0..30_000 {
            // 29,000 is there twice, and so is 17 before it
            fill(&mut row, [n, 17, 29_000][usize::from(n == 20_000) + 2 * usize::from(n == 29_900)], &mut r);
            places.push(writer.insert(&row.as_view()).unwrap());
        }
        let built = writer.bulk_end(&settings, &|| false);
        let existing = places[20_000];
        assert!(matches!(built, Err(Error::Duplicate { key: 0, existing: e }) if e == existing), "{built:?}");
    }
}

/// KILL ends the building of keys, by one thread and by several.
#[test]
fn building_can_be_killed() {
    for threads in [1, 3] {
        let settings = SortSettings { buffer: 0, threads, ..SortSettings::default() };
        let (format, pages) = empty(&definition(KeyKind::Plain));
        let mut writer = Writer::new(format.clone(), pages);
        assert!(writer.bulk_begin(None));
        writer.gather_keys(&settings);
        let mut r = Random(5);
        let mut row = RowBuf::new(&format.layout);
        for n in 0..30_000 {
            fill(&mut row, n, &mut r);
            writer.insert(&row.as_view()).unwrap();
        }
        let killed = writer.bulk_end(&settings, &|| true).unwrap_err();
        assert!(
            matches!(&killed, Error::Pages(e) if matches!(e.kind(), pages::ErrorKind::Killed)),
            "{killed}"
        );
    }
}

/// Rows that are taken over from another table give the bytes that they give when they are made anew, and the same trees.
#[test]
fn rows_that_are_taken_over_are_those_that_are_made() {
    let mut r = Random(11);
    let (format, pages) = empty(&definition(KeyKind::Plain));
    let mut from = Writer::new(format.clone(), pages);
    let mut row = RowBuf::new(&format.layout);
    for id in 0..3000 {
        fill(&mut row, id, &mut r);
        from.insert(&row.as_view()).unwrap();
    }
    let (alike, pages) = empty(&definition(KeyKind::Plain));
    let (mut taken, mut made) =
        (Writer::new(alike.clone(), pages.clone()), Writer::new(alike.clone(), pages));
    assert!(alike.layout.is_alike(&format.layout));
    let (mut scratch, mut stored) = (RowScratch::new(), Vec::new());
    Scan::new()
        .each_stored(&format, from.store(), &mut scratch, |bytes| {
            stored.push(bytes.to_vec());
            true
        })
        .unwrap();
    assert_eq!(stored.len(), 3000);
    for bytes in &stored {
        let view = format.row_of(bytes, &mut scratch).unwrap();
        assert_eq!(taken.insert_as_read(&view).unwrap(), made.insert(&view).unwrap());
    }
    assert_eq!(taken.store().data_file(), made.store().data_file());
    assert_eq!(taken.store().data_file(), from.store().data_file());
    assert_eq!(entries(&taken), entries(&made));
    assert!(format.row_of(&stored[0][..stored[0].len() - 1], &mut scratch).is_err());
    let mut other = definition(KeyKind::Plain);
    other.columns[1].nullable = false;
    assert!(!empty(&other).0.layout.is_alike(&format.layout));
}

#[test]
fn building_of_unique_keys_can_be_killed() {
    let mut def = definition(KeyKind::Unique);
    def.keys.truncate(1);
    let (format, pages) = empty(&def);
    let mut writer = Writer::new(format.clone(), pages);
    assert!(!writer.bulk_begin(None), "no key waits");
    writer.gather_keys(&SortSettings::default());
    let (mut r, mut row) = (Random(9), RowBuf::new(&format.layout));
    for n in 0..12_000_i64 {
        fill(&mut row, (n * 7919 % 100_003) as i32, &mut r);
        writer.insert(&row.as_view()).unwrap();
    }
    assert!(
        matches!(writer.end_waiting(&|| true), Err(Error::Pages(e)) if matches!(e.kind(), pages::ErrorKind::Killed))
    );
}

/// Unique keys whose values come in no order, of texts that differ in letters' case, marks and spaces, and of numbers, some of them NULL: the same rows are refused for the
/// same key, by the same row, wherever the first one comes, and rows go on behind it.
#[test]
fn values_in_no_order_are_refused_as_in_rows_one_by_one() {
    const LETTERS: [&str; 12] =
        ["a", "A", "\u{e4}", "ss", "\u{df}", "S", " ", "  ", "b", "\u{1f600}", "0", "\u{301}"];
    let collations =
        ["utf8mb4_general_ci", "utf8mb4_bin", "utf8mb4_unicode_ci", "utf8mb4_nopad_bin", "latin1_german2_ci"];
    let mut late = 0;
    for seed in 0..400_u16 {
        let mut def = definition(KeyKind::Unique);
        let name = collations[usize::from(seed) % collations.len()];
        def.columns[2].collation = collation(name);
        def.keys[1] = key(KeyKind::Unique, &[1], None);
        def.keys[2] = key(KeyKind::Unique, &[2], None);
        let range = [50, 2000, 200_000, 2_000_000][usize::from(seed) % 4];
        let rows = 20 + i32::from(seed % 7) * 250;
        let run = |settings: Option<&SortSettings>| {
            let (format, pages) = empty(&def);
            let mut writer = Writer::new(format.clone(), pages);
            if let Some(settings) = settings {
                writer.bulk_begin(None);
                writer.gather_keys(settings);
            }
            let mut r = Random(u64::from(seed) + 1);
            let mut row = RowBuf::new(&format.layout);
            let mut told = Vec::new();
            for _ in 0..rows {
                row.clear();
                row.set(0, &(r.below(1 << 30) as i32).to_le_bytes());
                match r.below(40) {
                    0 => row.set_null(1),
                    _ => row.set(1, &(r.below(range) as i32).to_le_bytes()),
                }
                let mut text = r.below(range).to_string();
                for _ in 0..r.below(4) {
                    text += LETTERS[r.below(LETTERS.len() as u64) as usize];
                }
                if name.starts_with("latin1") {
                    text.retain(|c| (c as u32) < 256);
                    let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
                    row.set(2, &bytes);
                } else {
                    row.set(2, text.as_bytes());
                }
                told.push(match writer.insert(&row.as_view()) {
                    Ok(pos) => (usize::MAX, pos),
                    Err(Error::Duplicate { key, existing }) => (key, existing),
                    Err(e) => panic!("{e}"),
                });
            }
            if let Some(settings) = settings {
                writer.bulk_end(settings, &|| false).unwrap();
                writer.end_waiting(&|| false).unwrap();
            }
            (told, entries(&writer))
        };
        let expected = run(None);
        late += usize::from(expected.0.iter().position(|t| t.0 != usize::MAX).is_some_and(|at| at > 100));
        // with room for a few hashes only, too
        for buffer in [300, 64 << 20] {
            let settings = SortSettings { buffer, threads: 1, ..SortSettings::default() };
            assert!(run(Some(&settings)) == expected, "{seed} {name} {buffer}");
        }
    }
    assert!(late > 50, "{late} cases in which many rows went before");
}

/// Rows that a table has, those of them that are deleted, and those that come.
#[derive(Clone, Copy, Debug)]
struct Filled {
    rows: i32,
    deleted: i32,
    more: i32,
}

fn fill_up(case: Filled, kind: KeyKind, settings: Option<&SortSettings>) -> Vec<Vec<(Vec<u8>, RowPos)>> {
    let (format, pages) = empty(&definition(kind));
    let mut writer = Writer::new(format.clone(), pages);
    let (mut r, mut row) = (Random(11), RowBuf::new(&format.layout));
    let mut rows = Vec::new();
    for n in 0..case.rows {
        fill(&mut row, n, &mut r);
        rows.push((writer.insert(&row.as_view()).unwrap(), row.clone()));
    }
    for (pos, row) in &rows[..case.deleted as usize] {
        writer.delete(*pos, &row.as_view()).unwrap();
    }
    if let Some(settings) = settings {
        writer.begin_waiting(settings);
    }
    for n in 0..case.more {
        fill(&mut row, case.rows + n, &mut r);
        let pos = writer.insert(&row.as_view()).unwrap();
        if n % 997 == 500 {
            assert!(
                matches!(writer.insert(&row.as_view()), Err(Error::Duplicate { key: 0, existing }) if existing == pos)
            );
        }
    }
    writer.end_waiting(&|| false).unwrap();
    let options = CheckOptions { depth: Depth::Extended, ..CheckOptions::default() };
    assert_eq!(check(&format, writer.store(), &options).unwrap().findings, [], "{case:?}");
    entries(&writer)
}

/// Many for the rows that are there, few, and more than there are; into trees whose leaves are full, and nearly empty.
#[test]
fn rows_into_a_filled_table_give_the_trees_of_rows_one_by_one() {
    let cases =
        [(9_000, 0, 9_000), (20_000, 0, 300), (20_000, 19_000, 600), (300, 0, 12_000), (300, 300, 9_000)];
    for (rows, deleted, more) in cases {
        let case = Filled { rows, deleted, more };
        let kind = if rows > 9_000 { KeyKind::Unique } else { KeyKind::Plain };
        let expected = fill_up(case, kind, None);
        for (buffer, threads) in [(0, 1), (0, 3), (8 << 20, 1), (8 << 20, 2)] {
            let settings = SortSettings { buffer, threads, ..SortSettings::default() };
            assert!(fill_up(case, kind, Some(&settings)) == expected, "{case:?} {buffer} {threads}");
        }
    }
}

#[test]
fn keys_that_wait_can_be_killed() {
    for threads in [1, 3] {
        let (format, pages) = empty(&definition(KeyKind::Plain));
        let mut writer = Writer::new(format.clone(), pages);
        let (mut r, mut row) = (Random(9), RowBuf::new(&format.layout));
        for n in 0..24_000 {
            if n == 12_000 {
                let settings = SortSettings { buffer: 0, threads, ..SortSettings::default() };
                writer.begin_waiting(&settings);
            }
            fill(&mut row, n, &mut r);
            writer.insert(&row.as_view()).unwrap();
        }
        let killed = writer.end_waiting(&|| true).unwrap_err();
        assert!(
            matches!(&killed, Error::Pages(e) if matches!(e.kind(), pages::ErrorKind::Killed)),
            "{killed}"
        );
    }
}

/// Changes every `updated`th row of a table and deletes every `deleted`th.
fn change(
    rows: i32,
    updated: i32,
    deleted: i32,
    settings: Option<&SortSettings>,
) -> Vec<Vec<(Vec<u8>, RowPos)>> {
    let (format, pages) = empty(&definition(KeyKind::Unique));
    let mut writer = Writer::new(format.clone(), pages);
    let (mut r, mut row) = (Random(13), RowBuf::new(&format.layout));
    let mut all = Vec::new();
    for n in 0..rows {
        fill(&mut row, n, &mut r);
        all.push((writer.insert(&row.as_view()).unwrap(), row.clone()));
    }
    if let Some(settings) = settings {
        writer.begin_changes(ManyRows::Update, settings);
    }
    for (n, (pos, old)) in (0..).zip(&mut all).filter(|(n, _)| n % updated == 0) {
        // the unique keys, too: of a row that is refused nothing waits
        fill(&mut row, if n % 3 == 0 { rows + n } else { n }, &mut r);
        writer.update(*pos, &old.as_view(), &row.as_view()).unwrap();
        let other = all_but(n, rows);
        let mut taken = row.clone();
        taken.set(0, &other.to_le_bytes());
        if other % updated != 0 {
            let refused = writer.update(*pos, &row.as_view(), &taken.as_view());
            assert!(matches!(refused, Err(Error::Duplicate { key: 0, .. })), "{n} {other}");
        }
        *old = row.clone();
    }
    writer.end_waiting(&|| false).unwrap();
    if let Some(settings) = settings {
        writer.begin_changes(ManyRows::Delete, settings);
    }
    for (_, (pos, row)) in (0..).zip(&all).filter(|(n, _)| n % deleted == 0) {
        writer.delete(*pos, &row.as_view()).unwrap();
    }
    // one that comes back is looked for where nothing waits
    let (_, back) = &all[0];
    writer.insert(&back.as_view()).unwrap();
    assert!(matches!(writer.insert(&back.as_view()), Err(Error::Duplicate { key: 0, .. })));
    writer.end_waiting(&|| false).unwrap();
    let options = CheckOptions { depth: Depth::Extended, ..CheckOptions::default() };
    assert_eq!(check(&format, writer.store(), &options).unwrap().findings, [], "{rows} {updated} {deleted}");
    entries(&writer)
}

/// Another row than `n`.
fn all_but(n: i32, rows: i32) -> i32 {
    (n + 1) % rows
}

#[test]
fn many_rows_changed_or_deleted_give_the_trees_of_rows_one_by_one() {
    for (rows, updated, deleted) in [(9_000, 1, 2), (20_000, 70, 90), (9_000, 2, 1), (3_000, 3, 3)] {
        let expected = change(rows, updated, deleted, None);
        for (buffer, threads) in [(0, 1), (0, 3), (8 << 20, 1), (8 << 20, 2)] {
            let settings = SortSettings { buffer, threads, ..SortSettings::default() };
            let changed = change(rows, updated, deleted, Some(&settings));
            assert!(changed == expected, "{rows} {updated} {deleted} {buffer} {threads}");
        }
    }
}

/// Where `tmpdir` takes nothing the rows are changed all the same, as far as they have waited and from there on.
#[test]
fn keys_that_wait_do_without_a_tmpdir() {
    let nowhere = std::env::temp_dir().join("isambard-no-such-folder");
    let settings = SortSettings { buffer: 0, threads: 2, tmpdir: nowhere, ..SortSettings::default() };
    for (rows, updated, deleted) in [(20_000, 1, 2), (20_000, 2, 1)] {
        let changed = change(rows, updated, deleted, Some(&settings));
        assert!(changed == change(rows, updated, deleted, None), "{rows} {updated} {deleted}");
    }
    let case = Filled { rows: 9_000, deleted: 0, more: 20_000 };
    let filled = fill_up(case, KeyKind::Plain, Some(&settings));
    assert!(filled == fill_up(case, KeyKind::Plain, None));
}

/// A key that does not have a row is found when its entries are put into the tree.
#[test]
fn keys_that_wait_find_that_a_row_is_missing() {
    for rows in [100, 5_000] {
        let (format, pages) = empty(&definition(KeyKind::Plain));
        let mut writer = Writer::new(format.clone(), pages);
        let (mut r, mut row) = (Random(17), RowBuf::new(&format.layout));
        for n in 0..rows {
            fill(&mut row, n, &mut r);
            writer.insert(&row.as_view()).unwrap();
        }
        let pos = writer
            .insert(
                &{
                    fill(&mut row, rows, &mut r);
                    row.clone()
                }
                .as_view(),
            )
            .unwrap();
        let mut other = row.clone();
        other.set(1, &9_999i32.to_le_bytes());
        writer.begin_changes(ManyRows::Delete, &SortSettings::default());
        writer.delete(pos, &other.as_view()).unwrap();
        let missing = writer.end_waiting(&|| false).unwrap_err();
        assert!(matches!(missing, Error::Index { what: "the row is not in the index", .. }), "{missing}");
    }
}
