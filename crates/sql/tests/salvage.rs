//! Random damage to data files: REPAIR TABLE keeps every sound row that `myisamchk` keeps of a copy, and what it leaves pleases
//! CHECK TABLE and `myisamchk -e`. `ISAMBARD_DAMAGES` sets how many (200 unless told, 20,000 with `ISAMBARD_SOAK`),
//! `ISAMBARD_SEED` where they begin, `ISAMBARD_FIRST` the first of them that is done.

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use common::{Database, ask};

/// `.frm`, `.MYI` and `.MYD`.
type Files = [Vec<u8>; 3];

const EXTENSIONS: [&str; 3] = ["frm", "MYI", "MYD"];

const TABLES: &[&str] = &[
    "(a int, b varchar(80), c text) character set latin1",
    "(a int not null, b varchar(300), c varchar(20) not null, primary key (a)) character set latin1",
    "(a int, b text, c mediumblob, key (a)) character set utf8mb4",
    "(a int, b varchar(80), c char(30), unique (a), key (b)) pack_keys=1 character set latin1",
    "(a int primary key, b varchar(40), c char(200)) checksum=1 character set latin1",
    "(a bigint not null, b tinyblob not null, c varchar(30) not null) character set latin1",
    "(a int, b char(40), c char(9), key (a)) row_format=fixed character set latin1",
    "(a int not null, b char(20) not null, c char(1) not null, primary key (a)) row_format=fixed character set latin1",
    "(a int, b varchar(20), c varchar(9), d int default 5, e double, f datetime default '2020-02-02 02:02:02', g bit(7)) character set latin1",
];

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|v| v.parse().ok())
}

fn text(rng: &mut fastrand::Rng, longest: usize) -> String {
    if rng.u8(0..8) == 0 {
        return "''".into();
    }
    let n = rng.usize(0..=longest);
    let kind = rng.u8(0..3);
    let chars = (0..n).map(|i| match kind {
        0 => rng.alphanumeric(),
        1 => [' ', 'e', 'a', 't'][i % 4],
        _ => char::from(rng.u8(1..32)),
    });
    let text: String = chars.collect();
    format!("'{}'", text.replace(['\\', '\''], "-"))
}

/// Files of healthy tables with holes, rows in several parts, NULLs and long values.
fn healthy(db: &mut Database, rng: &mut fastrand::Rng) -> Vec<Files> {
    let folder = db.dir.path().join("test");
    let mut all = Vec::new();
    for (n, columns) in TABLES.iter().enumerate() {
        db.run(&format!("create table h{n} {columns}"));
        let rows = [30, 120, 300][n % 3];
        let long = if columns.contains("blob") || columns.contains("text") { 200 } else { 30 };
        let nullable = !columns.contains("varchar(30) not null") && !columns.contains("char(1) not null");
        for i in 1..=rows {
            let b = if rng.u8(0..9) == 0 && nullable { "null".into() } else { text(rng, long) };
            let c = text(rng, 1 + 8 * usize::from(nullable));
            db.run(&format!("insert ignore into h{n} (a, b, c) values ({i}, {b}, {c})"));
        }
        for _ in 0..rows / 4 {
            let (i, b) = (rng.u32(1..=rows), text(rng, long * 2));
            match rng.u8(0..3) {
                0 => drop(db.run(&format!("delete from h{n} where a = {i}"))),
                1 => drop(db.run(&format!("update ignore h{n} set b = {b} where a = {i}"))),
                _ => {
                    db.run(&format!("delete from h{n} where a = {}", i / 2));
                    let big = text(rng, long * 4);
                    db.run(&format!("insert ignore into h{n} (a, b, c) values ({}, {big}, 'n')", i + 1000));
                }
            }
        }
    }
    db.run("flush tables");
    for n in 0..TABLES.len() {
        all.push(EXTENSIONS.map(|e| std::fs::read(folder.join(format!("h{n}.{e}"))).expect("read")));
    }
    all
}

/// Damages the data file; says how.
fn damage(rng: &mut fastrand::Rng, data: &mut Vec<u8>) -> String {
    let mut done = Vec::new();
    for _ in 0..[1, 1, 1, 2, 5][rng.usize(0..5)] {
        let len = data.len();
        if len < 8 {
            break;
        }
        let at = rng.usize(0..len);
        let word = at & !3;
        let end = |rng: &mut fastrand::Rng, most: usize| (at + rng.usize(1..most)).min(len);
        done.push(match rng.u8(0..12) {
            0 | 1 => {
                data[at] ^= 1 << rng.u8(0..8);
                format!("bit at {at}")
            }
            2 | 3 => {
                data[at] = rng.u8(..);
                format!("byte at {at}")
            }
            // where block heads are: other kinds, lengths and links
            4 => {
                data[word] = rng.u8(0..15);
                format!("kind at {word}")
            }
            5 => {
                let n = word + rng.usize(1..16);
                data[n.min(len - 1)] = rng.u8(..);
                format!("head at {word}")
            }
            6 => {
                let (a, b) = (rng.u8(..), rng.u8(0..14));
                for (i, byte) in [b, a, rng.u8(..), 0].into_iter().enumerate() {
                    if let Some(place) = data.get_mut(word + i) {
                        *place = byte;
                    }
                }
                format!("length at {word}")
            }
            7 => {
                let end = end(rng, 300);
                data[at..end].fill(0);
                format!("zeros in {at}..{end}")
            }
            8 => {
                let end = end(rng, 300);
                data[at..end].iter_mut().for_each(|b| *b = rng.u8(..));
                format!("noise in {at}..{end}")
            }
            9 => {
                let (from, n) = (rng.usize(0..len) & !3, rng.usize(1..64) * 4);
                let n = n.min(len - from.max(word));
                data.copy_within(from..from + n, word);
                format!("{n} bytes from {from} to {word}")
            }
            10 => {
                let n = rng.usize(1..200).min(len - 1);
                data.truncate(len - n);
                format!("cut by {n}")
            }
            _ => {
                let n = (rng.usize(1..20) * 4).min(len - word);
                data.drain(word..word + n);
                format!("{n} bytes gone at {word}")
            }
        });
    }
    done.join(", ")
}

fn write(folder: &Path, table: &str, files: &Files) {
    for (extension, bytes) in EXTENSIONS.iter().zip(files) {
        std::fs::write(folder.join(format!("{table}.{extension}")), bytes).expect("write");
    }
}

/// Rows with the number of times that each is there.
type Rows = BTreeMap<Vec<String>, usize>;

fn rows_of(db: &mut Database, table: &str) -> Result<Rows, String> {
    let answer = ask(&mut db.session, &format!("select * from {table}"));
    match answer.error {
        Some(e) => Err(e),
        None => Ok(answer.rows.into_iter().fold(Rows::new(), |mut all, row| {
            *all.entry(row).or_default() += 1;
            all
        })),
    }
}

/// Rows of `original` that are in `kept`.
fn sound(original: &Rows, kept: &Rows) -> usize {
    original.iter().map(|(row, n)| *kept.get(row).unwrap_or(&0).min(n)).sum()
}

/// What one damage came to: sound rows kept here, there, rows that never were here, there.
struct Outcome {
    counts: [usize; 4],
    wrong: Vec<String>,
}

fn one(db: &mut Database, files: &Files, original: &Rows, way: &str, exact: bool) -> Outcome {
    let dir = db.dir.path().to_owned();
    write(&dir.join("w"), "t", files);
    write(&dir.join("m"), "t", files);
    let mut wrong = Vec::new();
    let option = if way == "extended" { "-o" } else { "-r" };
    let index = dir.join("m/t.MYI");
    let out = Command::new("myisamchk").args([option, "-fs"]).arg(&index).output().expect("myisamchk");
    let theirs = match out.status.success() {
        true => rows_of(db, "m.t"),
        false => Err(String::from_utf8_lossy(&out.stderr).into_owned()),
    };
    let repaired = ask(&mut db.session, &format!("repair table w.t {way}"));
    let ours = match repaired.rows.last() {
        Some(last) if last[2..] == ["status", "OK"] => rows_of(db, "w.t"),
        last => Err(format!("{last:?} {:?}", repaired.error)),
    };
    let ours = ours.unwrap_or_else(|e| {
        wrong.push(format!("not repaired: {e}"));
        Rows::new()
    });
    let theirs = theirs.unwrap_or_default();
    let check = ask(&mut db.session, "check table w.t extended");
    if check.rows.last().is_none_or(|r| r[2..] != ["status", "OK"]) {
        wrong.push(format!("CHECK TABLE: {:?} {:?}", check.rows, check.error));
    }
    if exact {
        db.run("flush tables");
        let out = Command::new("myisamchk").arg("-es").arg(dir.join("w/t.MYI")).output().expect("myisamchk");
        if !out.status.success() || !out.stdout.is_empty() || !out.stderr.is_empty() {
            wrong.push(format!("myisamchk: {}", String::from_utf8_lossy(&[out.stdout, out.stderr].concat())));
        }
    }
    for t in ["w.t", "m.t"] {
        ask(&mut db.session, &format!("drop table {t}"));
    }
    let all = |rows: &Rows| rows.values().sum::<usize>();
    let (a, b) = (sound(original, &ours), sound(original, &theirs));
    if a < b {
        wrong.push(format!("keeps {a} sound rows, myisamchk {b}"));
    }
    Outcome { counts: [a, b, all(&ours) - a, all(&theirs) - b], wrong }
}

/// A block of less than 64 KB.
struct Block {
    kind: u8,
    at: usize,
    end: usize,
}

/// The blocks of a healthy data file.
fn blocks(data: &[u8]) -> Vec<Block> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < data.len() {
        let word = |i: usize| usize::from(data[at + i]) << 8 | usize::from(data[at + i + 1]);
        let len = match data[at] {
            0 => word(2),
            1 | 7 => 3 + word(1),
            3 | 9 => 4 + word(1) + usize::from(data[at + 3]),
            5 => 13 + word(3),
            11 => 11 + word(1),
            kind => panic!("block of kind {kind} at {at}"),
        };
        all.push(Block { kind: data[at], at, end: at + len });
        at += len;
    }
    all
}

#[test]
fn repair_keeps_what_myisamchk_keeps() {
    if Command::new("myisamchk").arg("-V").output().is_err() {
        eprintln!("myisamchk is not installed: nothing to compare with");
        return;
    }
    let soak = std::env::var_os("ISAMBARD_SOAK").is_some();
    let cases = number("ISAMBARD_DAMAGES").unwrap_or(if soak { 20_000 } else { 200 });
    let seed = number("ISAMBARD_SEED").unwrap_or(1);
    let mut db = Database::with(&[("durability", "none")]);
    let mut rng = fastrand::Rng::with_seed(seed);
    let tables = healthy(&mut db, &mut rng);
    let originals: Vec<Rows> =
        (0..tables.len()).map(|n| rows_of(&mut db, &format!("h{n}")).expect("rows")).collect();
    db.run("create database w");
    db.run("create database m");
    let mut sums = [0; 4];
    let mut wrong = Vec::new();
    // A block whose number of bytes behind the row is wrong: the next begins at a multiple of 4 all the same.
    for n in [0, 2, 4] {
        let mut files = tables[n].clone();
        let data = &mut files[2];
        let heads = (0..data.len())
            .step_by(4)
            .filter(|at| data[*at] == 3 && data[at + 1] == 0 && data[at + 3] & 3 != 0);
        let Some(head) = heads.min() else { continue };
        data[head + 3] ^= 2;
        for way in ["", "extended", "use_frm", "quick"] {
            let found = one(&mut db, &files, &originals[n], way, false);
            wrong.extend(
                found
                    .wrong
                    .iter()
                    .map(|w| format!("table {n}, {way}, head at {head}: {w} ({:?})", found.counts)),
            );
        }
    }
    // The head of a row in the last bytes of another row's part: that row would reach into the next block.
    for n in [2, 5] {
        let mut files = tables[n].clone();
        let data = &mut files[2];
        let blocks = blocks(data);
        let row = blocks.iter().find(|b| b.kind == 3 && b.end - b.at > 40).expect("a row");
        let part = blocks.iter().find(|b| matches!(b.kind, 7 | 9 | 11) && b.end - b.at > 60).expect("a part");
        data.copy_within(row.at..row.at + 24, part.end - 24);
        for way in ["", "extended", "use_frm", "quick"] {
            let found = one(&mut db, &files, &originals[n], way, true);
            let at = part.end - 24;
            wrong.extend(found.wrong.iter().map(|w| format!("table {n}, {way}, row in part at {at}: {w}")));
        }
    }
    // More bytes behind a row than any writer leaves: those are whole rows.
    for kind in [3, 9] {
        let mut files = tables[8].clone();
        let at = blocks(&files[2]).iter().find(|b| b.kind == kind && b.at > 1000).expect("a block").at;
        files[2][at + 3] = 0xbb;
        for way in ["", "extended", "use_frm", "quick"] {
            let found = one(&mut db, &files, &originals[8], way, true);
            wrong.extend(found.wrong.iter().map(|w| format!("table 8, {way}, length at {at}: {w}")));
        }
    }
    for case in number("ISAMBARD_FIRST").unwrap_or(0)..cases {
        let mut rng = fastrand::Rng::with_seed(seed.wrapping_mul(1_000_003).wrapping_add(case));
        let n = rng.usize(0..tables.len());
        let mut files = tables[n].clone();
        let what = damage(&mut rng, &mut files[2]);
        let way = ["", "", "extended", "use_frm", "quick"][rng.usize(0..5)];
        let found = one(&mut db, &files, &originals[n], way, case % 8 == 0);
        for (sum, count) in sums.iter_mut().zip(found.counts) {
            *sum += count;
        }
        for w in found.wrong {
            wrong.push(format!("case {case}, table {n}, {way}, {what}: {w} ({:?})", found.counts));
        }
    }
    println!(
        "up to damage {cases}: sound rows kept here {}, by myisamchk {}; others {}, {}",
        sums[0], sums[1], sums[2], sums[3]
    );
    assert!(wrong.is_empty(), "{} of {cases}:\n{}", wrong.len(), wrong.join("\n"));
}

/// One or two bytes of the head of the `.MYI` are other ones: REPAIR keeps all rows, by the definition where the head says nothing
/// that can be used. Where it is a sound head of another table, REPAIR says so and touches nothing, and USE_FRM keeps all.
#[test]
fn repair_does_without_a_head() {
    if Command::new("myisamchk").arg("-V").output().is_err() {
        eprintln!("myisamchk is not installed: nothing to compare with");
        return;
    }
    let soak = std::env::var_os("ISAMBARD_SOAK").is_some();
    let cases = number("ISAMBARD_DAMAGES").unwrap_or(if soak { 20_000 } else { 200 });
    let seed = number("ISAMBARD_SEED").unwrap_or(1);
    let mut db = Database::with(&[("durability", "none")]);
    let mut rng = fastrand::Rng::with_seed(seed);
    let tables = healthy(&mut db, &mut rng);
    let originals: Vec<Rows> =
        (0..tables.len()).map(|n| rows_of(&mut db, &format!("h{n}")).expect("rows")).collect();
    db.run("create database w");
    db.run("create database m");
    let (mut wrong, mut contradicted) = (Vec::new(), 0);
    for case in number("ISAMBARD_FIRST").unwrap_or(0)..cases {
        let mut rng = fastrand::Rng::with_seed(seed.wrapping_mul(1_000_003).wrapping_add(case));
        let n = rng.usize(0..tables.len());
        let mut files = tables[n].clone();
        // the first is the case of the head's own length
        let places: Vec<usize> = match case {
            0 => vec![11],
            _ => (0..rng.usize(1..3)).map(|_| rng.usize(0..700.min(files[1].len()))).collect(),
        };
        places.iter().for_each(|at| files[1][*at] = if case == 0 { 29 } else { rng.u8(..) });
        let way = ["", "", "extended", "quick"][rng.usize(0..4)];
        let mut found = one(&mut db, &files, &originals[n], way, case % 8 == 0);
        if found.wrong.iter().any(|w| w.contains("Got error 190")) {
            contradicted += 1;
            found = one(&mut db, &files, &originals[n], "use_frm", false);
        }
        let all = originals[n].values().sum::<usize>();
        if found.counts[0] != all || found.counts[2] != 0 {
            found.wrong.push(format!("keeps {} of {all} rows", found.counts[0]));
        }
        wrong.extend(found.wrong.iter().map(|w| format!("case {case}, table {n}, {way}, {places:?}: {w}")));
    }
    println!("{cases} heads, {contradicted} of other tables");
    assert!(wrong.is_empty(), "{} of {cases}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(contradicted * 10 < cases, "{contradicted} of {cases} refused");
}

/// Without a head nobody knows how the rows of a packed table are packed, nor whether damaged ones are damaged: the files stay.
#[test]
fn a_head_is_not_made_for_rows_it_does_not_fit() {
    let mut db = Database::with(&[("durability", "none")]);
    db.run("create table t (a int, b varchar(30)) character set latin1");
    db.run("insert into t values (1, 'one'), (2, 'two'), (3, 'three')");
    db.run("create table f (a int not null, b char(7) not null) character set latin1");
    db.run("insert into f values (1, 'one'), (2, 'two'), (3, 'three')");
    db.run("flush tables");
    let folder = db.dir.path().join("test");
    let path = |table: &str, extension: &str| folder.join(format!("{table}.{extension}"));
    for (table, data) in [("t", None), ("f", None), ("t", Some(30)), ("f", Some(5))] {
        let mut files = EXTENSIONS.map(|e| std::fs::read(path(table, e)).expect("read"));
        let healthy = files.clone();
        files[1][11] = 29;
        match data {
            Some(cut) => files[2].truncate(cut),
            None => files[2].splice(0..0, [0xFE, 0xFE, 8, 1]).for_each(drop),
        }
        write(&folder, table, &files);
        db.run("flush tables");
        let answer = ask(&mut db.session, &format!("repair table {table}"));
        assert_eq!(answer.rows.last().map(|r| r[3].as_str()), Some("Corrupt"), "{:?}", answer.rows);
        let left = EXTENSIONS.map(|e| std::fs::read(path(table, e)).expect("read"));
        assert!(left == files, "{table}: the files were changed");
        write(&folder, table, &healthy);
    }
    let mut damaged = std::fs::read(path("t", "MYI")).expect("read");
    damaged[11] = 29;
    std::fs::write(path("t", "MYI"), damaged).expect("write");
    db.run("flush tables");
    let answer = ask(&mut db.session, "repair table t");
    let told: Vec<_> =
        answer.rows.iter().map(|r| (r[2].as_str(), r[3].contains("head of the MYI"))).collect();
    assert_eq!(told, [("warning", true), ("status", false)], "{:?}", answer.rows);
    assert_eq!(rows_of(&mut db, "t").expect("rows").len(), 3);
}

/// What a row of a healthy table holds, or held, is not taken for rows, though it looks like some.
#[test]
fn contents_are_no_rows() {
    // block heads of rows (id, text) whose text is "like a row"; those behind others, at all four places
    let like = |id: u32| {
        let row = [&[0], &id.to_le_bytes()[..], &13u32.to_le_bytes(), b"like a row..."].concat();
        [&[3, 0, row.len() as u8, 2], &row[..], &[0, 0]].concat()
    };
    let mut rows: Vec<u8> = (1000..1040).flat_map(like).collect();
    let mut db = Database::with(&[("durability", "none")]);
    db.run("create table t (id int not null, v longblob not null) character set latin1");
    for i in 0..200 {
        db.run(&format!("insert into t values ({i}, repeat('x', 40 + {i}))"));
    }
    db.run("delete from t where id % 2 = 0");
    for i in 200..240 {
        rows.insert(0, b'-');
        let hex: String = rows.iter().map(|b| format!("{b:02x}")).collect();
        db.run(&format!("insert into t values ({i}, x'{hex}')"));
    }
    db.run("delete from t where id % 7 = 0");
    let mut before = rows_of(&mut db, "t").expect("rows");
    for statement in
        ["optimize table t", "repair table t", "repair table t extended", "repair table t use_frm"]
    {
        db.run(statement);
        assert_eq!(rows_of(&mut db, "t").expect("rows"), before, "{statement}");
        db.run("delete from t where id % 11 = 0");
        db.run("insert into t select id + 500, repeat(v, 2) from t where id between 190 and 230");
        before = rows_of(&mut db, "t").expect("rows");
        db.run("optimize table t");
        assert_eq!(rows_of(&mut db, "t").expect("rows"), before, "optimize behind {statement}");
    }
}
