//! Files both ways: what Isambard writes MariaDB reads, checks and writes on, and the other way round.
//!
//! Each table goes through the same random history of single-row statements in MariaDB and here; the files must then be the
//! same to the byte (but for unused bytes and time stamps). Skipped when MariaDB is not installed.

mod common;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use common::mariadb::MariaDb;
use common::tables::{SPECS, Spec};
use common::{Random, values};
use isam::maintain::{CheckOptions, Depth, Severity, check};
use isam::myi::{Header, StateView};
use isam::plain::PlainPages;
use isam::{CreateSettings, Error, RowBuf, RowPos, RowScratch, Scan, TableFormat, Writer};
use schema::frm;

fn read(dir: &Path, name: &str, extension: &str) -> Vec<u8> {
    let path = dir.join(format!("{name}.{extension}"));
    fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn open(dir: &Path, name: &str) -> (Arc<TableFormat>, PlainPages) {
    let def = frm::read_table(&read(dir, name, "frm")).unwrap_or_else(|e| panic!("{name}.frm: {e}"));
    let index = read(dir, name, "MYI");
    let header = Header::parse(&index).unwrap_or_else(|e| panic!("{name}.MYI: {e}"));
    let format = TableFormat::new(&def, header).unwrap_or_else(|e| panic!("{name}: {e}"));
    let state_len = format.offsets.len();
    (Arc::new(format), PlainPages::new(index, read(dir, name, "MYD"), state_len).with_pages(4096))
}

/// All rows in file order.
fn rows(format: &TableFormat, pages: &PlainPages) -> Vec<(RowPos, Vec<Option<Vec<u8>>>)> {
    let (mut scan, mut scratch, mut out) = (Scan::new(), RowScratch::new(), Vec::new());
    while let Some((pos, row)) =
        scan.next(format, pages, &mut scratch).unwrap_or_else(|e| panic!("scan: {e}"))
    {
        out.push((pos, (0..row.len()).map(|i| row.column(i).map(<[u8]>::to_vec)).collect()));
    }
    out
}

fn set(buf: &mut RowBuf, columns: &[Option<Vec<u8>>]) {
    buf.clear();
    for (i, c) in columns.iter().enumerate() {
        match c {
            Some(v) => buf.set(i, v),
            None => buf.set_null(i),
        }
    }
}

fn rid(columns: &[Option<Vec<u8>>]) -> u32 {
    let b = columns[0].as_ref().and_then(|v| v.first_chunk::<4>().copied()).unwrap_or_default();
    u32::from_le_bytes(b)
}

/// The head without what depends on the moment or the process.
fn normal(index: &[u8], format: &TableFormat) -> Vec<u8> {
    let mut head = index[..format.header.base.keystart as usize].to_vec();
    let part_b = format.offsets.part_b();
    head[24..26].fill(0); // open_count
    head[108..116].fill(0); // process, unique
    head[120..124].fill(0); // update_count
    head[part_b + 8..part_b + 12].fill(0); // version
    head[part_b + 20..part_b + 44].fill(0); // times
    head
}

fn hex(b: &[u8]) -> String {
    b.iter().map(|x| format!("{x:02x}")).collect::<Vec<_>>().join(" ")
}

fn compare_files(name: &str, spec: &Spec, format: &TableFormat, ours: &PlainPages, theirs: &PlainPages) {
    for key in &format.keys {
        compare_tree(name, spec, format, ours, theirs, key.number);
    }
    let (a, b) = (normal(ours.index(), format), normal(theirs.index(), format));
    if let Some(at) = (0..a.len().min(b.len())).find(|&i| a[i] != b[i]) {
        panic!(
            "{name} {spec:?}: heads differ at {at:#x} (part B at {:#x}):\n ours   {}\n theirs {}",
            format.offsets.part_b(),
            hex(&a[24..format.offsets.part_b()]),
            hex(&b[24..format.offsets.part_b()]),
        );
    }
    if spec.options.contains("FIXED") {
        // The bytes behind a VARCHAR's value are what the server's buffer held.
        assert_eq!(rows(format, ours), rows(format, theirs), "{name} {spec:?}: rows");
        return;
    }
    let (a, b) = (ours.data_file(), theirs.data_file());
    assert_eq!(a.len(), b.len(), "{name} {spec:?}: lengths of the data files");
    if a != b {
        let at = (0..a.len()).find(|&i| a[i] != b[i]).unwrap_or(0);
        let from = at.saturating_sub(16);
        panic!(
            "{name} {spec:?}: data files differ at {at:#x} (row length {}), from {from:#x}:\n ours   {}\n theirs {}",
            format.layout.pack_reclength,
            hex(&a[from..(at + 48).min(a.len())]),
            hex(&b[from..(at + 48).min(b.len())])
        );
    }
}

fn compare_tree(
    name: &str,
    spec: &Spec,
    format: &TableFormat,
    ours: &PlainPages,
    theirs: &PlainPages,
    key: usize,
) {
    let info = &format.keys[key];
    let root = StateView::new(ours.index(), format.offsets).key_root(key);
    if root == u64::MAX {
        return;
    }
    for page in isam::tree::pages_of(format, ours, key).unwrap_or_else(|e| panic!("{name}: {e}")) {
        let at = page as usize;
        let (a, b) = (&ours.index()[at..], &theirs.index()[at..]);
        let used = usize::from(u16::from_be_bytes([a[0], a[1]]) & 0x7FFF);
        if a[..used] != b[..used] {
            let diff = (2..used).find(|&i| a[i] != b[i]).unwrap_or(0);
            let from = diff.saturating_sub(24);
            panic!(
                "{name} {spec:?}: key {key} ({:?}, {} bytes) page {page:#x} of tree {root:#x} differs at {diff} of {used}:\n ours   {} .. {}\n theirs {} .. {}",
                info.packing,
                info.keylength,
                hex(&a[..2]),
                hex(&a[from..diff + 40]),
                hex(&b[..2]),
                hex(&b[from..diff + 40]),
            );
        }
    }
    let mut cursor = isam::KeyCursor::new(format, key);
    let (mut n, mut more) =
        (0, cursor.seek(ours, &[], 0, isam::SeekMode::First).unwrap_or_else(|e| panic!("{e}")));
    while more {
        n += 1;
        more = cursor.next(ours).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    assert_eq!(n, StateView::new(ours.index(), format.offsets).records(), "{name}: entries of key {key}");
}

struct Live {
    rid: u32,
    pos: RowPos,
    pool: usize,
}

#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn run(db: &MariaDb, number: usize, spec: &Spec, ops: usize, seed: u64) {
    let mut r = Random(seed * 7919 + number as u64 * 104_729 + 1);
    let name = format!("t{number}");
    let types = spec.types();

    // A pool of rows, so that the same stored bytes are used here: they are read from a table without keys.
    let pool_size = 300.min(ops);
    let mut literals = Vec::new();
    for i in 0..pool_size {
        let values: Vec<String> = types.iter().skip(1).map(|ty| values::literal(&mut r, ty)).collect();
        let mut row = format!("{}", i + 1);
        for v in &values {
            row.push(',');
            row.push_str(v);
        }
        literals.push(row);
    }
    let bare = Spec { keys: &[], ..*spec };
    let mut sql = format!("DROP TABLE IF EXISTS pool;{};{};", bare.create("pool"), spec.create(&name));
    for row in &literals {
        let _ = write!(sql, "INSERT INTO pool VALUES ({row});");
    }
    sql.push_str("FLUSH TABLES;");
    db.sql(&sql);
    let (pool_format, pool_pages) = open(&db.dir(), "pool");
    let pool: Vec<Vec<Option<Vec<u8>>>> =
        rows(&pool_format, &pool_pages).into_iter().map(|(_, c)| c).collect();
    assert_eq!(pool.len(), pool_size, "{name} {spec:?}: rows of the pool");

    let (format, mut theirs) = open(&db.dir(), &name);
    let def = frm::read_table(&read(&db.dir(), &name, "frm")).unwrap_or_else(|e| panic!("{e}"));
    let made = Header::for_definition(&def, &def.layout(), CreateSettings::default())
        .unwrap_or_else(|e| panic!("{name} {spec:?}: {e}"));
    assert_eq!(made.base, format.header.base, "{name} {spec:?}: head made at CREATE");
    assert_eq!(made.keys, format.header.keys, "{name} {spec:?}: head made at CREATE");
    assert_eq!(made, format.header, "{name} {spec:?}: head made at CREATE");
    let fresh = made.write_new(1, 0);
    assert_eq!(normal(&fresh, &format), normal(theirs.index(), &format), "{name} {spec:?}: new head");
    let fresh = PlainPages::new(fresh, Vec::new(), format.offsets.len()).with_pages(4096);

    // The history.
    let mut writer = Writer::new(format.clone(), fresh);
    let (mut old, mut new) = (RowBuf::new(&format.layout), RowBuf::new(&format.layout));
    let mut live: Vec<Live> = Vec::new();
    let mut by_rid: HashMap<u32, usize> = HashMap::new();
    let mut sql = String::new();
    let columns: Vec<String> =
        std::iter::once("rid".to_owned()).chain((0..spec.columns.len()).map(|i| format!("c{i}"))).collect();
    let phase = ops / 3;
    let limit = std::env::var("ISAMBARD_LIMIT").ok().and_then(|v| v.parse().ok()).unwrap_or(usize::MAX);
    for op in 0..ops.min(limit) {
        // First mostly inserts, then all, then mostly deletes.
        let kind = match (op / phase.max(1), r.below(10)) {
            (0, 0..=7) | (1, 0..=3) | (2.., 0..=1) => 0,
            (0, 8) | (1, 4..=6) | (2.., 2..=3) => 1,
            _ => 2,
        };
        let pick = r.below(pool_size as u64) as usize;
        let pool_rid = rid(&pool[pick]);
        set(&mut new, &pool[pick]);
        match kind {
            0 => {
                if by_rid.contains_key(&pool_rid) {
                    continue;
                }
                let _ = writeln!(sql, "INSERT INTO {name} VALUES ({});", literals[pick]);
                match writer.insert(&new.as_view()) {
                    Ok(pos) => {
                        by_rid.insert(pool_rid, live.len());
                        live.push(Live { rid: pool_rid, pos, pool: pick });
                    }
                    Err(Error::Duplicate { .. }) => {}
                    Err(e) => panic!("{name} {spec:?}: insert: {e}"),
                }
            }
            1 | 2 if live.is_empty() => {}
            1 => {
                let i = r.below(live.len() as u64) as usize;
                if by_rid.contains_key(&pool_rid) {
                    continue;
                }
                set(&mut old, &pool[live[i].pool]);
                let assignments: Vec<String> = columns
                    .iter()
                    .zip(split_literals(&literals[pick]))
                    .map(|(c, v)| format!("{c}={v}"))
                    .collect();
                let _ =
                    writeln!(sql, "UPDATE {name} SET {} WHERE rid={};", assignments.join(","), live[i].rid);
                match writer.update(live[i].pos, &old.as_view(), &new.as_view()) {
                    Ok(()) => {
                        by_rid.remove(&live[i].rid);
                        by_rid.insert(pool_rid, i);
                        live[i].rid = pool_rid;
                        live[i].pool = pick;
                    }
                    Err(Error::Duplicate { .. }) => {}
                    Err(e) => panic!("{name} {spec:?}: update: {e}"),
                }
            }
            _ => {
                let i = r.below(live.len() as u64) as usize;
                let gone = live.swap_remove(i);
                by_rid.remove(&gone.rid);
                if let Some(moved) = live.get(i) {
                    by_rid.insert(moved.rid, i);
                }
                set(&mut old, &pool[gone.pool]);
                let _ = writeln!(sql, "DELETE FROM {name} WHERE rid={};", gone.rid);
                writer
                    .delete(gone.pos, &old.as_view())
                    .unwrap_or_else(|e| panic!("{name} {spec:?}: delete at op {op}: {e}"));
            }
        }
    }
    if limit < ops {
        eprintln!("last: {}", sql.lines().last().unwrap_or(""));
    }
    let sorted = number % 2 == 1;
    if sorted {
        let _ = writeln!(sql, "ALTER TABLE {name} DISABLE KEYS;");
        writer.disable_keys();
        for (i, columns) in pool.iter().enumerate().filter(|(i, _)| i % 3 == 0) {
            if by_rid.contains_key(&rid(columns)) {
                continue;
            }
            let _ = writeln!(sql, "INSERT INTO {name} VALUES ({});", literals[i]);
            set(&mut new, columns);
            match writer.insert(&new.as_view()) {
                Ok(_) | Err(Error::Duplicate { .. }) => {}
                Err(e) => panic!("{name} {spec:?}: insert: {e}"),
            }
        }
        let _ = writeln!(sql, "ALTER TABLE {name} ENABLE KEYS;");
        let settings = isam::SortSettings { buffer: 1, tmpdir: db.scratch(), ..Default::default() };
        writer
            .enable_keys(&settings, &|| false)
            .unwrap_or_else(|e| panic!("{name} {spec:?}: enable keys: {e}"));
    }
    sql.push_str("FLUSH TABLES;");
    db.sql_force(&sql);
    let mut ours = writer.into_store();
    ours.trim();
    theirs = open(&db.dir(), &name).1;

    // What we wrote is valid, and MariaDB says the same of it as of its own.
    let copy = format!("u{number}");
    for (extension, bytes) in [
        ("frm", read(&db.dir(), &name, "frm")),
        ("MYI", ours.index().to_vec()),
        ("MYD", ours.data_file().to_vec()),
    ] {
        fs::write(db.dir().join(format!("{copy}.{extension}")), bytes).unwrap_or_else(|e| panic!("{e}"));
    }
    compare_files(&name, spec, &format, &ours, &theirs);
    for depth in [Depth::Medium, Depth::Extended] {
        let lengths = Some((ours.index().len() as u64, ours.data_file().len() as u64));
        let options = CheckOptions { depth, file_lengths: lengths, ..CheckOptions::default() };
        let found = check(&format, &ours, &options).unwrap_or_else(|e| panic!("{name}: check: {e}"));
        assert!(found.findings.is_empty(), "{name} {spec:?}: own check: {:?}", found.findings);
    }
    damage(db, number, spec, &format, &ours, &mut r);
    let verdict = db.myisamchk(&["-e"], &db.dir().join(&copy));
    assert!(verdict.is_empty(), "{name} {spec:?}: myisamchk:\n{verdict}");
    let sums = db.sql(&format!("CHECKSUM TABLE {name} EXTENDED; CHECKSUM TABLE {copy} EXTENDED;"));
    let sums: Vec<&str> = sums.lines().map(|l| l.rsplit('\t').next().unwrap_or("")).collect();
    assert!(sums.len() == 2 && sums[0] == sums[1], "{name} {spec:?}: checksums {sums:?}");
    // MariaDB goes on writing.
    let more = format!(
        "INSERT INTO {copy} SELECT * FROM pool WHERE rid NOT IN (SELECT rid FROM {name}) ON DUPLICATE KEY UPDATE rid=rid; \
         DELETE FROM {copy} WHERE rid % 3 = 0; CHECK TABLE {copy} EXTENDED;"
    );
    let said = db.sql_force(&more);
    assert!(said.trim_end().ends_with("OK"), "{name} {spec:?}: CHECK TABLE: {said}");
    if std::env::var_os("ISAMBARD_KEEP").is_none() {
        db.sql(&format!("DROP TABLE {name}, {copy}"));
    }
}

/// Damages the files at random; our check must come to the same verdict as myisamchk.
fn damage(
    db: &MariaDb,
    number: usize,
    spec: &Spec,
    format: &TableFormat,
    whole: &PlainPages,
    r: &mut Random,
) {
    let base = db.scratch().join("damaged");
    let roots_end = (124 + 8 * format.keys.len()) as u64;
    let rounds = std::env::var("ISAMBARD_DAMAGES").ok().and_then(|v| v.parse().ok());
    for round in 0..rounds.unwrap_or(if number.is_multiple_of(3) { 12 } else { 2 }) {
        let (mut index, mut data) = (whole.index().to_vec(), whole.data_file().to_vec());
        let keystart = format.header.base.keystart as usize;
        let what = match r.below(8) {
            0 | 1 => {
                // The counters; not the fields without meaning.
                let at = 24 + r.below(roots_end - 24) as usize;
                if matches!(at, 27 | 84..=91 | 108..=123) {
                    continue;
                }
                let bit = 1u8 << r.below(8);
                index[at] ^= bit;
                format!("state byte {at:#x} ^ {bit:#x}")
            }
            2..=4 if index.len() > keystart => {
                let at = keystart + r.below((index.len() - keystart) as u64) as usize;
                let b = r.below(256) as u8;
                index[at] = b;
                format!("index byte {at:#x} = {b:#x}")
            }
            5 | 6 if !data.is_empty() => {
                let at = r.below(data.len() as u64) as usize;
                let b = r.below(256) as u8;
                data[at] = b;
                format!("data byte {at:#x} = {b:#x}")
            }
            7 => {
                let n = r.below(100) as usize;
                data.truncate(data.len().saturating_sub(n));
                format!("data cut by {n}")
            }
            _ => {
                index.extend_from_slice(&[0; 100]);
                "index longer".to_owned()
            }
        };
        fs::write(base.with_extension("MYI"), &index).unwrap_or_else(|e| panic!("{e}"));
        fs::write(base.with_extension("MYD"), &data).unwrap_or_else(|e| panic!("{e}"));
        let theirs = db.myisamchk(&["-e"], &base);
        let lengths = Some((index.len() as u64, data.len() as u64));
        let options =
            CheckOptions { depth: Depth::Extended, file_lengths: lengths, ..CheckOptions::default() };
        let pages = PlainPages::new(index, data, format.offsets.len()).with_pages(4096);
        let ours = check(format, &pages, &options).unwrap_or_else(|e| panic!("{what}: {e}"));
        if StateView::new(pages.index(), format.offsets).data_file_length() < pages.data_file().len() as u64 {
            // myisamchk takes what lies behind the data length as rows; here nobody would ever read it.
            continue;
        }
        let verdict = |error: bool, warning: bool| {
            if error {
                "error"
            } else if warning {
                "warning"
            } else {
                "ok"
            }
        };
        let a = verdict(!ours.is_ok(), ours.findings.iter().any(|f| f.severity == Severity::Warning));
        let b = verdict(theirs.contains("error:"), theirs.contains("warning:"));
        if a != b {
            DISAGREE.lock().unwrap_or_else(|e| e.into_inner()).push(format!(
                "t{number} {spec:?} round {round}: {what}\n  ours {a}: {:?}\n  theirs {b}: {theirs}",
                ours.findings
            ));
        }
    }
}

static DISAGREE: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());

/// Splits a list of literals at its top-level commas.
fn split_literals(list: &str) -> Vec<String> {
    let (mut out, mut current, mut quoted, mut depth) = (Vec::new(), String::new(), false, 0);
    let mut chars = list.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => quoted = !quoted,
            '\\' if quoted => {
                current.push(c);
                current.extend(chars.next());
                continue;
            }
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                out.push(std::mem::take(&mut current));
                continue;
            }
            _ => {}
        }
        current.push(c);
    }
    out.push(current);
    out
}

#[test]
fn same_history_same_files() {
    let db = match MariaDb::start("both-ways") {
        Ok(db) => db,
        Err(why) => {
            eprintln!("skipped: {why}");
            return;
        }
    };
    let soak = std::env::var("ISAMBARD_SOAK").is_ok_and(|v| v == "1");
    let only: Option<usize> = std::env::var("ISAMBARD_TABLE").ok().and_then(|v| v.parse().ok());
    let ops: usize = std::env::var("ISAMBARD_OPS").ok().and_then(|v| v.parse().ok()).unwrap_or(700);
    let rounds = if soak { 8 } else { 1 };
    let mut failed = Vec::new();
    for round in 0..rounds {
        for (i, spec) in SPECS.iter().enumerate() {
            if only.is_some_and(|n| n != i) {
                continue;
            }
            let n = if soak { ops * (1 + round % 8) } else { ops };
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                run(&db, i, spec, n, round as u64 + 1)
            }));
            if result.is_err() {
                failed.push(i);
                if std::env::var_os("ISAMBARD_KEEP").is_none() {
                    db.sql_force(&format!("DROP TABLE IF EXISTS t{i}, u{i}"));
                }
            }
        }
    }
    assert!(failed.is_empty(), "tables that failed: {failed:?}");
    let disagree = DISAGREE.lock().unwrap_or_else(|e| e.into_inner());
    assert!(disagree.is_empty(), "checks disagree:\n{}", disagree.join("\n"));
}

/// SPATIAL keys: MariaDB's trees are read and changed here, and what is then there MariaDB checks, searches and changes.
#[test]
fn rectangles_both_ways() {
    let Ok(db) = MariaDb::start("rectangles") else {
        eprintln!("skipped: no MariaDB");
        return;
    };
    db.sql(
        "CREATE TABLE r0 (rid INT NOT NULL, g GEOMETRY NOT NULL, SPATIAL KEY (g)) ENGINE=MyISAM;
         INSERT INTO r0 SELECT seq, ST_GeomFromText(CONCAT('LINESTRING(', seq*79%100, ' ', seq*31%97, ',', seq*79%100+seq%9, ' ', seq*31%97+seq%4, ')')) FROM seq_1_to_1500;
         DELETE FROM r0 WHERE rid%7=0; FLUSH TABLES;",
    );
    let (format, pages) = open(&db.dir(), "r0");
    let sound = |pages: &PlainPages| {
        let options = CheckOptions { depth: Depth::Extended, ..CheckOptions::default() };
        let findings = check(&format, pages, &options).unwrap_or_else(|e| panic!("{e}")).findings;
        assert!(findings.is_empty(), "{findings:?}");
    };
    sound(&pages);
    let all = rows(&format, &pages);
    let mut writer = Writer::new(format.clone(), pages);
    let (mut old, mut new) = (RowBuf::new(&format.layout), RowBuf::new(&format.layout));
    for (pos, columns) in &all {
        set(&mut old, columns);
        match rid(columns) % 3 {
            0 => writer.delete(*pos, &old.as_view()).unwrap_or_else(|e| panic!("{e}")),
            1 => {
                let mut changed = columns.clone();
                changed[1] = all[all.len() - 1 - rid(columns) as usize % all.len()].1[1].clone();
                set(&mut new, &changed);
                writer.update(*pos, &old.as_view(), &new.as_view()).unwrap_or_else(|e| panic!("{e}"));
            }
            _ => drop(writer.insert(&old.as_view()).unwrap_or_else(|e| panic!("{e}"))),
        }
    }
    let mut ours = writer.into_store();
    ours.trim();
    sound(&ours);
    fs::write(db.dir().join("r0.MYI"), ours.index()).unwrap_or_else(|e| panic!("{e}"));
    fs::write(db.dir().join("r0.MYD"), ours.data_file()).unwrap_or_else(|e| panic!("{e}"));
    let verdict = db.myisamchk(&["-e"], &db.dir().join("r0"));
    assert!(verdict.is_empty(), "{verdict}");
    let window = "ST_GeomFromText('POLYGON((20 20,20 60,50 60,50 20,20 20))')";
    for function in ["MBRIntersects", "MBRWithin", "MBRContains"] {
        let counts = db.sql(&format!(
            "SELECT COUNT(*), SUM(rid) FROM r0 FORCE INDEX(g) WHERE {function}(g, {window}); \
             SELECT COUNT(*), SUM(rid) FROM r0 IGNORE INDEX(g) WHERE {function}(g, {window});"
        ));
        let counts: Vec<&str> = counts.lines().collect();
        assert!(counts.len() == 2 && counts[0] == counts[1], "{function}: {counts:?}");
    }
    let said = db.sql_force(
        "DELETE FROM r0 WHERE rid%5=0; UPDATE r0 SET g=POINT(rid,rid) WHERE rid%4=1; \
         INSERT INTO r0 SELECT seq, POINT(seq%50,seq%31) FROM seq_1_to_400; CHECK TABLE r0 EXTENDED; FLUSH TABLES;",
    );
    assert!(said.trim_end().ends_with("OK"), "{said}");
    sound(&open(&db.dir(), "r0").1);
}
