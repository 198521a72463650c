//! Strings of every character set and collation: comparison, weights, LIKE, LOCATE, letter case, conversion
//! and counting agree with MariaDB.
//!
//! `ISAMBARD_SECONDS` sets how long (8 unless told), `ISAMBARD_SEED` where the strings begin.

use charset::{Charset, Collation};
use fastrand::Rng;
use isambard_tests::peers::{Peer, oracle_present};
use mysql::prelude::Queryable;
use std::time::{Duration, Instant};

/// Pieces that bring out the differences between collations, as UTF-8.
const PIECES: &[&str] = &[
    "a",
    "A",
    "b",
    "c",
    "h",
    "H",
    "C",
    "ch",
    "Ch",
    "CH",
    "cH",
    "l",
    "z",
    "Z",
    "y",
    "0",
    " ",
    "  ",
    "\t",
    "\0",
    "!",
    "~",
    "`",
    "e",
    "E",
    "s",
    "ss",
    "ß",
    "é",
    "É",
    "e\u{301}",
    "\u{301}",
    "\u{300}",
    "ä",
    "Ä",
    "ö",
    "ü",
    "æ",
    "œ",
    "ij",
    "ŋ",
    "ı",
    "İ",
    "i",
    "I",
    "dž",
    "DŽ",
    "lj",
    "nj",
    "l·",
    "aa",
    "Aa",
    "Å",
    "ll",
    "к",
    "й",
    "и\u{306}",
    "К",
    "α",
    "Ω",
    "ς",
    "ا",
    "ا\u{653}",
    "ก",
    "เก",
    "ไ",
    "์",
    "่",
    "ำ",
    "漢",
    "字",
    "か",
    "ガ",
    "ｶ",
    "한",
    "က",
    "က\u{103c}\u{103d}",
    "\u{1031}\u{1000}",
    "\u{ffff}",
    "\u{fffd}",
    "\u{ffa0}",
    "😀",
    "𠀀",
    "𐐀",
    "𐐨",
    "\u{10ffff}",
    "%",
    "_",
    "\\",
    "%",
    "_",
];

fn utf8mb4() -> &'static Charset {
    Charset::by_name("utf8mb4").expect("utf8mb4")
}

/// A well-formed string of a set.
fn text(rng: &mut Rng, set: &'static Charset) -> Vec<u8> {
    let mut out = Vec::new();
    for _ in 0..rng.usize(0..6) {
        let start = out.len();
        match rng.u8(0..10) {
            0..6 => {
                let lost = utf8mb4().convert(PIECES[rng.usize(0..PIECES.len())].as_bytes(), set, &mut out);
                if lost > 0 {
                    out.truncate(start);
                }
            }
            6..8 => {
                let top = [0x80, 0x250, 0x600, 0x3000, 0x1_0000, 0x1_2000, 0x11_0000][rng.usize(0..7)];
                set.encode(rng.u32(0..top), &mut out);
            }
            _ => {
                // Any bytes, as far as they are characters.
                let bytes: Vec<u8> = (0..4).map(|_| rng.u8(..)).collect();
                let good = set.well_formed_len(&bytes);
                out.extend_from_slice(&bytes[..good]);
            }
        }
        // Pieces of a multi-byte set may only be put together at character boundaries.
        if set.well_formed_len(&out) < out.len() {
            out.truncate(start);
        }
    }
    out
}

fn hex(s: &[u8]) -> String {
    use std::fmt::Write as _;
    s.iter().fold(String::new(), |mut out, b| {
        let _ = write!(out, "{b:02X}");
        out
    })
}

/// A question and what we say to it.
struct Case {
    sql: String,
    names: [&'static str; 10],
    ours: [String; 10],
    /// Oddities of the server that are not followed.
    known: [bool; 10],
    what: String,
}

fn case(rng: &mut Rng, c: &'static Collation) -> Case {
    let set = c.charset;
    let a = text(rng, set);
    // Often related to the first.
    let mut b = Vec::new();
    match rng.u8(0..6) {
        0 => c.lower(&a, &mut b),
        1 => c.upper(&a, &mut b),
        2 => b.clone_from(&a),
        3 => b.extend_from_slice(&a[..set.prefix(&a, 1)]),
        _ => b = text(rng, set),
    }
    if rng.bool() && rng.bool() {
        b.extend_from_slice(set.space());
    }
    let mut pattern = Vec::new();
    if rng.bool() {
        set.encode(0x25, &mut pattern);
    }
    pattern.extend_from_slice(&b);
    if rng.bool() {
        set.encode([0x25, 0x5F][rng.usize(0..2)], &mut pattern);
    }
    let to = Charset::all().nth(rng.usize(0..Charset::all().len())).expect("a set");
    let literal = |s: &[u8]| match set.name {
        "binary" => format!("X'{}'", hex(s)),
        name => format!("(_{name} X'{}' COLLATE {})", hex(s), c.name),
    };
    let (la, lb, lp) = (literal(&a), literal(&b), literal(&pattern));
    let sql = format!(
        "SELECT STRCMP({la},{lb}), HEX(WEIGHT_STRING({la})), {la} LIKE {lp}, LOCATE({lb},{la}), HEX(LOWER({la})), \
         HEX(UPPER({la})), HEX(CONVERT({la} USING {})), CHAR_LENGTH({la}), HEX(LEFT({la},2)), {lb} LIKE {la}",
        to.name
    );
    let apply = |f: &dyn Fn(&mut Vec<u8>)| {
        let mut out = Vec::new();
        f(&mut out);
        hex(&out)
    };
    let escape = Some(0x5C);
    let located = c.find(&a, &b, 0).map_or(0, |at| set.char_len(&a[..at]) + 1);
    let ours = [
        (c.compare(&a, &b) as i8).to_string(),
        apply(&|out| c.sql_weight_string(&a, out)),
        u8::from(c.like(&a, &pattern, escape)).to_string(),
        located.to_string(),
        apply(&|out| c.lower(&a, out)),
        apply(&|out| c.upper(&a, out)),
        apply(&|out| {
            set.convert(&a, to, out);
        }),
        set.char_len(&a).to_string(),
        hex(&a[..set.prefix(&a, 2)]),
        u8::from(c.like(&b, &a, escape)).to_string(),
    ];
    let names = [
        "STRCMP",
        "WEIGHT_STRING",
        "LIKE",
        "LOCATE",
        "LOWER",
        "UPPER",
        "CONVERT",
        "CHAR_LENGTH",
        "LEFT",
        "LIKE2",
    ];
    let mut known = [false; 10];
    // A needle without weights is found by some collations of several levels, by others not.
    // Where letter case counts and accents do not, so may letters with them be or not.
    known[3] = c.compare(&b, b"").is_eq() || c.name.ends_with("_ai_cs");
    // This collation has no Unicode values for 80-9F, though its set has; and %pattern% ignores letter case.
    known[6] = c.name == "latin2_czech_cs";
    known[2] = c.name == "latin2_czech_cs";
    known[9] = known[2];
    // The server cuts what grows.
    known[6] |= c.is_binary() && to.mbminlen == 4;
    let what = format!("{} a={} b={} p={} to {}", c.name, hex(&a), hex(&b), hex(&pattern), to.name);
    Case { sql, names, ours, known, what }
}

#[test]
fn strings_as_mariadb_has_them() {
    if !oracle_present() {
        return;
    }
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let mut rng = Rng::with_seed(number("ISAMBARD_SEED", 1));
    let peer = Peer::mariadb(&[]);
    let mut conn = peer.connect("");
    conn.query_drop("SET NAMES utf8mb4").expect("names");
    let end = Instant::now() + Duration::from_secs(number("ISAMBARD_SECONDS", 8));
    let all: Vec<&Collation> = Collation::all().collect();
    let (mut asked, mut wrong) = (0, Vec::new());
    while Instant::now() < end && wrong.len() < 200 {
        // The many UCA ones of the same weights take turns with the others.
        let pool = if rng.bool() { &all[..] } else { &all[..260] };
        let c = pool[rng.usize(0..pool.len())];
        let case = case(&mut rng, c);
        asked += 1;
        let row: mysql::Row = match conn.query_first(&case.sql) {
            Ok(Some(row)) => row,
            Ok(None) => continue,
            Err(e) => {
                wrong.push(format!("{}: {e}", case.what));
                continue;
            }
        };
        for (i, ours) in case.ours.iter().enumerate() {
            let theirs = row.get::<Option<String>, _>(i).flatten().unwrap_or_else(|| "NULL".into());
            if *ours != theirs && !case.known[i] {
                wrong.push(format!("{} {}: {ours}, MariaDB {theirs}", case.names[i], case.what));
            }
        }
    }
    assert!(asked > 100, "only {asked} cases were asked");
    assert!(wrong.is_empty(), "{} of {asked} differ:\n{}", wrong.len(), wrong.join("\n"));
}
