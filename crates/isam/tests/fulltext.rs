//! FULLTEXT keys against the same rows indexed in memory: random changes, keys built by sorting, words with trees of their own, and
//! MariaDB's programs on the files, in both directions.

mod common;

use std::fs;
use std::sync::Arc;

use common::Random;
use common::defs::{collation, column, empty, key, table};
use common::mariadb::MariaDb;
use fulltext::memory::MemoryIndex;
use fulltext::{Failure, Index, Posting, Rules, boolean};
use isam::ftdump::{DumpOptions, dump};
use isam::maintain::{CheckOptions, Depth, check};
use isam::myi::Header;
use isam::plain::PlainPages;
use isam::{FulltextIndex, RowBuf, RowPos, RowScratch, Scan, SortSettings, TableFormat, Writer};
use schema::definition::{ColumnType, KeyKind, TableDef};
use schema::frm;

/// Most frequent first.
const VOCABULARY: &[&str] = &[
    "common",
    "Server",
    "TABLE",
    "index",
    "tables",
    "indexes",
    "café",
    "Cafe",
    "database",
    "Data",
    "quick",
    "server",
    "row_format",
    "weights",
    "weight",
    "naïve",
    "naive",
    "overview",
    "journal",
    "crash",
    "x",
    "the",
    "zebra",
    "zebras",
    "ordinary",
    "straße",
    "Common",
    "weighting",
    "unique",
    "uniqueness",
];

fn text(r: &mut Random, set: &charset::Charset, most: u64) -> Vec<u8> {
    let mut text = String::new();
    for _ in 0..r.below(most) {
        // The product of two makes the first ones frequent.
        let n = r.below(VOCABULARY.len() as u64) * r.below(VOCABULARY.len() as u64) / VOCABULARY.len() as u64;
        text.push_str(VOCABULARY[n as usize]);
        if r.once_in(12) {
            text.push_str(&r.below(400).to_string());
        }
        text.push_str([" ", ", ", "-", "\n"][r.below(4) as usize]);
    }
    let mut out = Vec::new();
    charset::Charset::by_name("utf8mb4").unwrap().convert(text.as_bytes(), set, &mut out);
    out
}

fn fill(buf: &mut RowBuf, def: &TableDef, r: &mut Random, id: u32) {
    buf.clear();
    buf.set(0, &id.to_le_bytes());
    for (i, c) in def.columns.iter().enumerate().skip(1) {
        let mut value = text(r, c.collation.charset, if i == 1 { 8 } else { 30 });
        match &c.ty {
            ColumnType::Varchar { bytes } => value.truncate(usize::from(*bytes)),
            ColumnType::Char { bytes } => value.resize(usize::from(*bytes), b' '),
            _ => {}
        }
        match r.once_in(9) {
            true if c.nullable => buf.set_null(i),
            _ => buf.set(i, &value),
        }
    }
}

fn all<I: Index<Error: std::fmt::Debug>>(index: &I, word: &[u8], truncated: bool) -> Vec<Posting> {
    let mut postings = index.postings(word, truncated).unwrap();
    let mut out = Vec::new();
    // By blocks and one by one in turn.
    while out.len() % 5 != 3 {
        if !index.read(&mut postings, &mut out).unwrap() {
            return out;
        }
    }
    while let Some(p) = index.next(&mut postings).unwrap() {
        out.push(p);
    }
    out
}

/// After UPDATE a weight may be a little off.
fn same(a: &[Posting], b: &[Posting]) -> bool {
    let near = |(a, b): (&Posting, &Posting)| a.row == b.row && (a.weight - b.weight).abs() <= 1.1e-5;
    a.len() == b.len() && a.iter().zip(b).all(near)
}

fn rows(format: &TableFormat, pages: &PlainPages) -> Vec<(RowPos, RowBuf)> {
    let (mut scan, mut scratch, mut out) = (Scan::new(), RowScratch::new(), Vec::new());
    while let Some((pos, row)) = scan.next(format, pages, &mut scratch).unwrap() {
        let mut buf = RowBuf::new(&format.layout);
        for i in 0..row.len() {
            match row.column(i) {
                Some(v) => buf.set(i, v),
                None => buf.set_null(i),
            }
        }
        out.push((pos, buf));
    }
    out
}

/// Compares every FULLTEXT key with what the rows say.
fn verify(format: &TableFormat, pages: &PlainPages, r: &mut Random) {
    let options = CheckOptions { depth: Depth::Extended, ..CheckOptions::default() };
    let found = check(format, pages, &options).unwrap();
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    let rows = rows(format, pages);
    for (number, key) in format.keys.iter().enumerate() {
        let Some(fulltext) = &key.fulltext else { continue };
        let texts: Vec<(u64, Vec<Vec<u8>>)> = rows
            .iter()
            .map(|(pos, row)| (pos.0, fulltext.texts(&row.as_view()).map(<[u8]>::to_vec).collect()))
            .collect();
        let texts = texts.iter().map(|(pos, t)| (*pos, t.iter().map(Vec::as_slice)));
        let model = &MemoryIndex::new(fulltext.collation, &fulltext.rules, texts);
        let index = &FulltextIndex::new(format, pages, number).unwrap();
        assert_eq!(index.rows(), rows.len() as u64);
        let mut words: Vec<String> = VOCABULARY.iter().map(|w| (*w).to_owned()).collect();
        words.extend((0..20).map(|_| format!("{}{}", VOCABULARY[r.below(4) as usize], r.below(400))));
        for word in ["w", "com", "ca", "s", "zebra", "uniq", "absent"].map(str::to_owned).iter().chain(&words)
        {
            let mut bytes = Vec::new();
            let set = fulltext.collation.charset;
            charset::Charset::by_name("utf8mb4").unwrap().convert(word.as_bytes(), set, &mut bytes);
            for truncated in [false, true] {
                let want = all(model, &bytes, truncated);
                let got = all(index, &bytes, truncated);
                assert!(same(&got, &want), "key {number}, {word}, {truncated}:\n{got:?}\n{want:?}");
                if !truncated {
                    assert_eq!(index.rows_with(&bytes).unwrap(), want.len() as u64);
                }
                let (mut a, mut b) =
                    (model.postings(&bytes, truncated).unwrap(), index.postings(&bytes, truncated).unwrap());
                let mut at = (model.next(&mut a).unwrap(), index.next(&mut b).unwrap());
                while let (Some(x), Some(y)) = at {
                    assert_eq!(x.row, y.row, "seeks of {word}");
                    let to = x.row + r.below(2000);
                    at = match r.once_in(3) {
                        true => (model.next(&mut a).unwrap(), index.next(&mut b).unwrap()),
                        false if to > x.row => {
                            (model.seek(&mut a, to).unwrap(), index.seek(&mut b, to).unwrap())
                        }
                        false => {
                            (model.seek(&mut a, x.row + 1).unwrap(), index.seek(&mut b, x.row + 1).unwrap())
                        }
                    };
                }
                assert_eq!(at.0.is_some(), at.1.is_some(), "seeks of {word}");
            }
        }
    }
}

fn definition(name: &str, kinds: [ColumnType; 2]) -> TableDef {
    let mut def = table();
    def.columns.push(column("id", ColumnType::Long, false));
    for (name_of, ty) in ["a", "b"].into_iter().zip(kinds) {
        let mut c = column(name_of, ty, name_of == "b");
        c.collation = collation(name);
        def.columns.push(c);
    }
    def.keys = vec![
        key(KeyKind::Primary, &[0], None),
        key(KeyKind::Fulltext, &[1, 2], None),
        key(KeyKind::Fulltext, &[2], None),
    ];
    def
}

fn change(
    writer: &mut Writer<PlainPages>,
    def: &TableDef,
    live: &mut Vec<(RowPos, RowBuf)>,
    r: &mut Random,
    (insert, delete): (u64, u64),
) {
    let dice = r.below(10);
    if dice < insert || live.is_empty() {
        let mut buf = RowBuf::new(&writer.format().layout);
        fill(&mut buf, def, r, r.clone().next() as u32);
        match writer.insert(&buf.as_view()) {
            Ok(pos) => live.push((pos, buf)),
            Err(isam::Error::Duplicate { .. }) => {}
            Err(e) => panic!("{e}"),
        }
    } else if dice < insert + delete {
        let (pos, old) = live.swap_remove(r.below(live.len() as u64) as usize);
        writer.delete(pos, &old.as_view()).unwrap();
    } else {
        let i = r.below(live.len() as u64) as usize;
        let id = live[i].1.as_view().column(0).and_then(|v| v.first_chunk::<4>().copied()).unwrap();
        let mut buf = RowBuf::new(&writer.format().layout);
        fill(&mut buf, def, r, u32::from_le_bytes(id));
        if r.once_in(2) {
            // Only one column of the key changes.
            let old = live[i].1.as_view();
            match old.column(2) {
                Some(v) => buf.set(2, v),
                None => buf.set_null(2),
            }
        }
        writer.update(live[i].0, &live[i].1.as_view(), &buf.as_view()).unwrap();
        live[i].1 = buf;
    }
}

fn sort(writer: &mut Writer<PlainPages>) {
    writer.disable_keys();
    assert!(writer.has_disabled_keys());
    let settings = SortSettings { buffer: 0, ..SortSettings::default() };
    writer.enable_keys(&settings, &|| false).unwrap();
}

fn own_trees(writer: &Writer<PlainPages>) -> usize {
    let format = writer.format();
    let pages = |key| isam::tree::own_trees_of(format, writer.store(), key).unwrap().len();
    (0..format.keys.len()).map(pages).sum()
}

fn run(def: &TableDef, seed: u64) {
    let ops = if std::env::var("ISAMBARD_SOAK").is_ok_and(|v| v == "1") { 6000 } else { 250 };
    let (format, pages) = empty(def);
    let mut writer = Writer::new(format.clone(), pages);
    let (mut r, mut live) = (Random(seed), Vec::new());
    for mix in [(9, 1), (5, 2)] {
        (0..ops).for_each(|_| change(&mut writer, def, &mut live, &mut r, mix));
        verify(&format, writer.store(), &mut r);
    }
    assert_eq!(own_trees(&writer), 0, "insertion makes none");
    sort(&mut writer);
    assert_eq!(own_trees(&writer) > 0, !format.layout.fixed, "words with trees of their own");
    verify(&format, writer.store(), &mut r);
    for mix in [(8, 1), (3, 3), (1, 6)] {
        (0..ops).for_each(|_| change(&mut writer, def, &mut live, &mut r, mix));
        verify(&format, writer.store(), &mut r);
    }
    sort(&mut writer);
    writer.sort_pages().unwrap();
    verify(&format, writer.store(), &mut r);
    while let Some((pos, old)) = live.pop() {
        writer.delete(pos, &old.as_view()).unwrap();
    }
    verify(&format, writer.store(), &mut r);
    assert!((0..3).all(|k| format.state(writer.store()).key_root(k) == u64::MAX), "nothing is left");
}

const TEXT: ColumnType = ColumnType::Blob { length_bytes: 2 };
const WIDE: ColumnType = ColumnType::Varchar { bytes: 400 };

#[test]
fn keys_of_latin1() {
    run(&definition("latin1_swedish_ci", [WIDE, TEXT]), 5);
    run(&definition("latin1_bin", [WIDE, TEXT]), 6);
}

#[test]
fn keys_of_utf8() {
    run(&definition("utf8mb4_general_ci", [WIDE, TEXT]), 7);
    run(&definition("utf8mb4_unicode_ci", [WIDE, TEXT]), 8);
}

#[test]
fn keys_of_fixed_rows() {
    let char = |bytes| ColumnType::Char { bytes };
    run(&definition("latin1_german2_ci", [char(60), char(200)]), 9);
}

#[test]
fn stopwords_and_lengths_are_settings() {
    let def = definition("latin1_swedish_ci", [WIDE, TEXT]);
    let (format, pages) = empty(&def);
    let rules = Rules { min: 1, max: 6, stopwords: fulltext::Stopwords::none() };
    let format = Arc::new(TableFormat::clone(&format).with_rules(&Arc::new(rules)));
    let mut writer = Writer::new(format.clone(), pages);
    let mut buf = RowBuf::new(&format.layout);
    buf.set(0, &1u32.to_le_bytes());
    buf.set(1, b"the x");
    buf.set(2, b"server very");
    writer.insert(&buf.as_view()).unwrap();
    let index = FulltextIndex::new(&format, writer.store(), 1).unwrap();
    for (word, rows) in [("x", 1), ("the", 1), ("very", 1), ("server", 0)] {
        assert_eq!(index.rows_with(word.as_bytes()).unwrap(), rows, "{word}");
    }
}

/// Rows and weights of a key as `myisam_ftdump -d` prints them, in its order; words with trees of their own are left out.
fn dumped(db: &MariaDb, table: &str, key: usize) -> Vec<String> {
    let mut command = std::process::Command::new("myisam_ftdump");
    let out = command.arg("-d").arg(db.dir().join(table)).arg(key.to_string()).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let entry = |line: &str| {
        let parts: Vec<&str> = line.split_whitespace().take(2).collect();
        (parts.len() == 2 && parts[1] != "=>").then(|| parts.join(" "))
    };
    text.lines().filter_map(entry).collect()
}

/// The same, read here.
fn walked(format: &TableFormat, pages: &PlainPages, key: usize) -> Vec<String> {
    let mut cursor = isam::KeyCursor::new(format, key);
    let mut more = cursor.seek(pages, &[], 0, isam::SeekMode::First).unwrap();
    let unit = if format.layout.fixed { format.layout.pack_reclength as u64 } else { 1 };
    let mut out = Vec::new();
    while more {
        let weight = f32::from_be_bytes(*cursor.key().last_chunk().unwrap());
        if weight.is_sign_positive() {
            out.push(format!("{:x} {weight:.7}", cursor.pos().0 * unit));
        }
        more = cursor.next(pages).unwrap();
    }
    out
}

/// Our dump of a table's files and that of the real program, with all its options.
fn dumps_agree(db: &MariaDb, table: &str, def: &TableDef) {
    let read = |extension: &str| fs::read(db.dir().join(format!("{table}.{extension}"))).unwrap();
    let index = read("MYI");
    let format = TableFormat::new(def, Header::parse(&index).unwrap()).unwrap();
    let pages = PlainPages::new(index, Vec::new(), format.offsets.len());
    for key in [1, 2] {
        for flags in ["", "-c", "-d", "-l", "-s", "-cl", "-dls", "-v", "-csv"] {
            let mut command = std::process::Command::new("myisam_ftdump");
            let command = command.args((!flags.is_empty()).then_some(flags)).arg(db.dir().join(table));
            let theirs = command.arg(key.to_string()).output().unwrap().stdout;
            let has = |flag| flags.contains(flag);
            let options = DumpOptions {
                counts: has('c'),
                entries: has('d'),
                lengths: has('l'),
                statistics: has('s'),
                verbose: has('v'),
            };
            let mut ours = Vec::new();
            dump(&format, &pages, key, options, &mut ours).unwrap();
            let text = |bytes: &[u8]| bytes.iter().map(|&b| char::from(b)).collect::<String>();
            let (ours, theirs) = (text(&ours), text(&theirs));
            assert!(theirs.len() > 20, "{theirs}");
            for (a, b) in ours.lines().zip(theirs.lines()) {
                assert_eq!(a, b, "{table}, key {key}, {flags}");
            }
            assert_eq!(ours, theirs, "{table}, key {key}, {flags}");
        }
    }
}

fn both_ways(db: &MariaDb, name: &str, def: &TableDef, seed: u64) {
    let (format, pages) = empty(def);
    let mut writer = Writer::new(format.clone(), pages);
    let (mut r, mut live) = (Random(seed), Vec::new());
    let write = |writer: &Writer<PlainPages>, name: &str| {
        let mut ours = writer.store().clone();
        ours.trim();
        let files = [
            ("frm", frm::write(def).unwrap()),
            ("MYI", ours.index().to_vec()),
            ("MYD", ours.data_file().to_vec()),
        ];
        for (extension, bytes) in files {
            fs::write(db.dir().join(format!("{name}.{extension}")), bytes).unwrap();
        }
    };
    for step in 0..2 {
        (0..250).for_each(|_| change(&mut writer, def, &mut live, &mut r, (7, 1)));
        if step % 2 == 1 {
            sort(&mut writer);
        }
        let copy = format!("{name}{step}");
        write(&writer, &copy);
        let verdict = db.myisamchk(&["-e"], &db.dir().join(&copy));
        assert!(verdict.is_empty(), "{copy}: myisamchk:\n{verdict}");
        dumps_agree(db, &copy, def);
        let entries = walked(&format, writer.store(), 1);
        assert!(entries.len() > 100);
        assert_eq!(dumped(db, &copy, 1), entries, "{copy}: myisam_ftdump");
        // MariaDB finds the same with our key as without one, and goes on writing.
        let words = ["common", "zebra", "+server +table*", "weigh*", "caf* -index"];
        for word in words {
            let ask = |hint: &str| {
                let sql = format!(
                    "SET NAMES utf8mb4; SELECT GROUP_CONCAT(id ORDER BY id) FROM {copy} {hint} \
                     WHERE MATCH(a,b) AGAINST('{word}' IN BOOLEAN MODE);"
                );
                db.sql(&sql)
            };
            assert_eq!(ask(""), ask("IGNORE INDEX (`k[1, 2]`)"), "{copy}: {word}");
        }
        let said = db.sql_force(&format!(
            "SET NAMES utf8mb4; INSERT INTO {copy} SELECT id + 1000000, CONCAT(a, ' server'), CONCAT(b, ' table common café') FROM {copy} \
             WHERE id < 1000000000 LIMIT 60; UPDATE {copy} SET a = CONCAT(LEFT(a, 200), ' overview common') WHERE id % 5 = 0; \
             DELETE FROM {copy} WHERE id % 7 = 1; CHECK TABLE {copy} EXTENDED;"
        ));
        assert!(said.trim_end().ends_with("OK"), "{copy}: {said}");
        let quick = if step % 2 == 0 { format!("REPAIR TABLE {copy} QUICK;") } else { String::new() };
        db.sql_force(&format!("{quick} FLUSH TABLES;"));
        dumps_agree(db, &copy, def);
        // And we read and change what it wrote.
        let read = |extension: &str| fs::read(db.dir().join(format!("{copy}.{extension}"))).unwrap();
        let index = read("MYI");
        let header = Header::parse(&index).unwrap();
        let theirs = Arc::new(TableFormat::new(def, header).unwrap());
        let pages = PlainPages::new(index, read("MYD"), theirs.offsets.len()).with_pages(4096);
        verify(&theirs, &pages, &mut r);
        let mut other = Writer::new(theirs.clone(), pages);
        let mut rows = rows(&theirs, other.store());
        (0..150).for_each(|_| change(&mut other, def, &mut rows, &mut r, (4, 3)));
        verify(&theirs, other.store(), &mut r);
        write(&other, &copy);
        let verdict = db.myisamchk(&["-e"], &db.dir().join(&copy));
        assert!(verdict.is_empty(), "{copy}: myisamchk after we wrote on:\n{verdict}");
    }
}

#[test]
fn files_both_ways() {
    let db = match MariaDb::start("fulltext") {
        Ok(db) => db,
        Err(why) => {
            eprintln!("skipped: {why}");
            return;
        }
    };
    both_ways(&db, "l", &definition("latin1_swedish_ci", [WIDE, TEXT]), 21);
    both_ways(&db, "u", &definition("utf8mb4_general_ci", [WIDE, TEXT]), 22);
    let char = |bytes| ColumnType::Char { bytes };
    both_ways(&db, "f", &definition("latin1_swedish_ci", [char(100), char(240)]), 24);
}

/// Steps of some thousand each: whoever takes more of them in a small table goes round in circles.
const ENDLESS: usize = 1_000;

/// Overwrites something of the key pages.
fn damage(index: &mut [u8], from: usize, r: &mut Random) {
    let pages = ((index.len() - from) / 1024) as u64;
    let page = |r: &mut Random| from + r.below(pages) as usize * 1024;
    let (at, other) = (page(r), page(r));
    match r.below(6) {
        0 => index.copy_within(other..other + 1024, at),
        // Lengths and words of one byte.
        1 => index[at + r.below(1024) as usize] = r.next() as u8,
        2 => index[at + 2 + r.below(1000) as usize] ^= 1 << r.below(8),
        // A child, or the root of a word's own tree.
        3 => {
            let place = at + 2 + r.below(1000) as usize;
            index[place..place + 6].copy_from_slice(&((other / 1024) as u64).to_be_bytes()[2..]);
        }
        // Entries change places.
        4 => {
            let (a, b) = (at + 2 + r.below(300) as usize, at + 400 + r.below(300) as usize);
            let n = 10 * r.below(9) as usize;
            let (left, right) = index.split_at_mut(b);
            left[a..a + n].swap_with_slice(&mut right[..n]);
        }
        _ => {
            let n = r.below(40) as usize;
            index[at + 900..at + 900 + n].fill(0);
        }
    }
}

/// All that searches do in a damaged key. Returns how often there was an error.
fn search_damaged(format: &TableFormat, pages: &PlainPages, what: &str) -> usize {
    let mut errors = 0;
    for (number, key) in format.keys.iter().enumerate() {
        let Some(fulltext) = &key.fulltext else { continue };
        let index = &FulltextIndex::new(format, pages, number).unwrap();
        for word in ["common", "server", "table", "zebra", "w", "absent"] {
            errors += usize::from(index.rows_with(word.as_bytes()).is_err());
        }
        let mut texts = |row: u64, take: &mut dyn FnMut(&[u8])| {
            let mut scratch = RowScratch::new();
            let row = format.row(pages, RowPos(row), &mut scratch)?;
            fulltext.texts(&row).for_each(take);
            Ok(())
        };
        let asked = std::cell::Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > ENDLESS
        };
        for query in [
            "common server zebra table",
            "+common server* tabl*",
            "(+server common) (+table zebra) +weights",
            "(+zebra common) (+quick server) index",
            "\"common server\" c* -w*",
            "+(+common +server) -(table index) >c*",
            "c* (+zebra server) (+weights* index)",
            "common (+weighting server)",
            "s*",
        ] {
            let natural = fulltext::Natural {
                collation: fulltext.collation,
                rules: &fulltext.rules,
                query: query.as_bytes(),
            };
            asked.set(0);
            let found = natural
                .search(&index, &stop)
                .and_then(|hits| natural.expand(&index, &hits, 20, &mut texts, &stop));
            assert!(!matches!(found, Err(Failure::Stopped)), "{what}: {query} goes on for ever");
            errors += usize::from(found.is_err());
            asked.set(0);
            let query_of = || {
                let syntax = fulltext::Syntax::default();
                boolean::Query::new(fulltext.collation, &fulltext.rules, &syntax, query.as_bytes())
            };
            let found = boolean::count(query_of(), &index, &mut texts, &stop);
            assert!(!matches!(found, Err(Failure::Stopped)), "{what}: boolean {query} goes on for ever");
            errors += usize::from(found.is_err());
        }
    }
    errors
}

/// Key pages with wrong bytes, entries in another order, trees that lead into each other: searches, changes and CHECK end, with an
/// error or what is left.
#[test]
fn damaged_keys() {
    let soak = std::env::var("ISAMBARD_SOAK").is_ok_and(|v| v == "1");
    let def = definition("latin1_swedish_ci", [WIDE, TEXT]);
    let (format, pages) = empty(&def);
    let mut writer = Writer::new(format.clone(), pages);
    let (mut r, mut live) = (Random(31), Vec::new());
    (0..500).for_each(|_| change(&mut writer, &def, &mut live, &mut r, (10, 0)));
    sort(&mut writer);
    (0..60).for_each(|_| change(&mut writer, &def, &mut live, &mut r, (4, 3)));
    assert!(own_trees(&writer) > 0);
    let (index, data) = (writer.store().index().to_vec(), writer.store().data_file().to_vec());
    let keys = format.offsets.len().next_multiple_of(1024);
    let sound = search_damaged(&format, writer.store(), "nothing");
    assert_eq!(sound, 0, "errors without damage");
    let mut errors = 0;
    for n in 0..if soak { 5_000 } else { 120 } {
        let mut damaged = index.clone();
        for _ in 0..1 + r.below(3) {
            damage(&mut damaged, keys, &mut r);
        }
        let pages = PlainPages::new(damaged, data.clone(), format.offsets.len()).with_pages(4096);
        let what = format!("damage {n}");
        errors += usize::from(search_damaged(&format, &pages, &what) > 0);
        let options = CheckOptions { depth: Depth::Extended, ..CheckOptions::default() };
        let _ = check(&format, &pages, &options);
        let mut writer = Writer::new(format.clone(), pages);
        for (pos, row) in live.iter().step_by(23) {
            let _ = writer.delete(*pos, &row.as_view());
            let _ = writer.insert(&row.as_view());
        }
        let _ = search_damaged(&format, writer.store(), &what);
        let settings = SortSettings { buffer: 0, ..SortSettings::default() };
        writer.disable_keys();
        let _ = writer.enable_keys(&settings, &|| false);
    }
    assert!(errors > 15, "{errors} damages were noticed");
}

/// Walks to the end or to an error, by blocks, one by one and by searches in turn. Gives the rows.
fn walk_damaged<I: Index>(index: &I, word: &[u8], truncated: bool, most: usize) -> Vec<u64> {
    let (mut out, mut rows) = (Vec::new(), Vec::new());
    let Ok(mut postings) = index.postings(word, truncated) else { return rows };
    for turn in 0.. {
        assert!(rows.len() <= most, "{}: the walk has no end", String::from_utf8_lossy(word));
        out.clear();
        let more = match turn % 3 {
            0 => index.read(&mut postings, &mut out).map(drop),
            1 => index.next(&mut postings).map(|p| out.extend(p)),
            _ => index.seek(&mut postings, rows.last().map_or(0, |row| row + 1)).map(|p| out.extend(p)),
        }
        .map(|_| !out.is_empty());
        match more {
            Ok(true) => rows.extend(out.iter().map(|p| p.row)),
            Ok(false) | Err(_) => return rows,
        }
    }
    rows
}

/// A page that stands in the place of another one: walks end, and never go back.
#[test]
fn walks_over_damaged_trees_end() {
    let def = definition("latin1_swedish_ci", [WIDE, TEXT]);
    let (format, pages) = empty(&def);
    let mut writer = Writer::new(format.clone(), pages);
    let (mut r, mut live) = (Random(11), Vec::new());
    (0..1500).for_each(|_| change(&mut writer, &def, &mut live, &mut r, (10, 0)));
    sort(&mut writer);
    assert!(own_trees(&writer) > 3, "words with trees of their own");
    let whole = writer.store().index().to_vec();
    let first = format.offsets.len().next_multiple_of(1024);
    let blocks = (whole.len() - first) as u64 / 1024;
    let entries = 200_000;
    let (mut refused, mut survived) = (0, 0);
    for _ in 0..300 {
        let mut index = whole.clone();
        let mut place = || first + 1024 * r.below(blocks) as usize;
        let (from, to) = (place(), place());
        index.copy_within(from..from + 1024, to);
        let pages = PlainPages::new(index, Vec::new(), format.offsets.len());
        for key in [1, 2] {
            let Ok(index) = FulltextIndex::new(&format, &pages, key) else { continue };
            for word in ["common", "server", "index", "table"] {
                let rows = walk_damaged(&index, word.as_bytes(), false, entries);
                assert!(rows.is_sorted_by(|a, b| a < b), "{word}: {from} over {to}");
                refused += usize::from(index.rows_with(word.as_bytes()).is_err());
                survived += 1;
            }
            walk_damaged(&index, b"s", true, entries);
        }
    }
    assert!(refused > 0 && refused < survived, "{refused} of {survived} walks met the damage");
}
