//! Random literals that a column of a type takes as they are: no warning, no conversion that loses.

use fastrand::Rng;

/// Letters of the scripts that a character set is made for.
const ALPHABETS: &[(&[&str], &str)] = &[
    (&["cp1251", "koi8r", "koi8u", "cp866"], "абвгдежзийклмнопАБВГДЕЖЗ"),
    (&["sjis", "cp932", "ujis", "eucjpms"], "あいうえおかきくけこアイウエオ日本語漢字東京"),
    (&["gbk", "gb2312"], "的一是不了人我在有他这中大来上国们"),
    (&["big5"], "的一是不了人我在有他這中大來上國們"),
    (&["euckr"], "가나다라마바사아자차카타파하한글"),
    (&["latin2", "cp1250", "cp852", "keybcs2", "macce"], "áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"),
    (&["latin1", "cp850", "macroman"], "äöüßÄÖÜéèêñçåÅæØø"),
    (&["hp8", "dec8"], "äöüÄÖÜéèêñç"),
    (&["greek"], "αβγδεζηθικλμΑΒΓΔΕΖάέ"),
    (&["hebrew"], "אבגדהוזחטיכלמנ"),
    (&["cp1256"], "ابتثجحخدذرزس"),
    (&["tis620"], "กขคงจฉชซเแโไะาิีอฮ่้"),
    (&["latin5"], "çğıöşüÇĞİÖŞÜ"),
    (&["latin7", "cp1257"], "āčēģīķļņšūžąęėįųĀČĒ"),
    (&["armscii8"], "աբգդեզէըթժԱԲԳԴԵԶ"),
    (&["geostd8"], "აბგდევზთიკლმნოპ"),
    (&["utf8mb4", "utf16", "utf16le", "utf32"], "äßçÑчЖ漢字かな한가אب😀🍣ÅåſǅﬁĳŁłĦ"),
    (&["utf8mb3", "ucs2"], "äßçÑчЖ漢字かな한가אبÅåſǅﬁĳŁłĦ"),
];

fn between(ty: &str) -> usize {
    let inner = ty.split_once('(').and_then(|(_, r)| r.split([')', ',']).next());
    inner.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
}

fn decimals(ty: &str) -> usize {
    let inner = ty.split_once('(').and_then(|(_, r)| r.split(')').next());
    let last = inner.and_then(|n| n.split(',').next_back());
    last.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
}

fn integer(rng: &mut Rng, bits: u32, unsigned: bool) -> String {
    let full = u64::MAX >> (64 - bits);
    let n = match rng.u8(0..8) {
        0 => 0,
        1 => full,
        2 => full >> 1,
        3 => (full >> 1) + 1,
        4 | 5 => rng.u64(0..40) & full,
        _ => rng.u64(..) & full,
    };
    if unsigned {
        return n.to_string();
    }
    let shift = 64 - bits;
    (((n << shift) as i64) >> shift).to_string()
}

/// Text with shared beginnings, doubled values, trailing blanks, letters of the set's own script.
fn text(rng: &mut Rng, ty: &str, max: usize) -> String {
    const STEMS: [&str; 9] =
        ["", "apple", "Apple pie", "zebra", "common beginning of text ", "x", "ZZ", "Mixed Case", "ch"];
    let set = ty.split_once("character set ").map_or("latin1", |(_, s)| s.split(' ').next().unwrap_or(""));
    let own = ALPHABETS.iter().find(|(sets, _)| sets.contains(&set)).map_or("", |a| a.1);
    let own: Vec<char> = own.chars().collect();
    let mut s = String::from(STEMS[rng.usize(0..STEMS.len())]);
    for _ in 0..rng.u8(0..6) {
        match rng.u8(0..10) {
            0 => s.push(' '),
            1 => s.push('\t'),
            2..=3 => s.push(rng.char('a'..='f')),
            4 => s.push(rng.char('A'..='F')),
            5 => s.push_str(["0", "!", "-", "~"][rng.usize(0..if set == "swe7" { 3 } else { 4 })]),
            _ if own.is_empty() => s.push('q'),
            _ => s.push(own[rng.usize(0..own.len())]),
        }
    }
    if rng.u8(0..8) == 0 {
        s = s.repeat(rng.usize(1..40));
    }
    if rng.u8(0..6) == 0 {
        s.push_str("  ");
    }
    // A length column counts bytes.
    let bytes = if ty.starts_with("tinytext") { 60 } else { usize::MAX };
    let mut s: String = s.chars().take(max.min(bytes)).collect();
    if set == "tis620" || ty.starts_with("char") {
        // What CHAR loses at its end, and Thai vowels without a letter, are other tests' subjects.
        s.truncate(s.trim_end_matches(' ').len());
    }
    s
}

/// Words, some of them in most texts, as columns with the comment `words` get them.
fn words(rng: &mut Rng, max: usize) -> String {
    const WORDS: [&str; 16] = [
        "common",
        "server",
        "Table",
        "index",
        "tables",
        "indexes",
        "Server",
        "the",
        "quick",
        "row",
        "weights",
        "rarely",
        "COMMON",
        "naive",
        "don't",
        "row_format",
    ];
    let mut s = String::new();
    for _ in 0..rng.u8(0..14) {
        // The product makes the first ones frequent.
        s.push_str(WORDS[rng.usize(0..16) * rng.usize(0..16) / 16]);
        if rng.u8(0..5) == 0 {
            s.push_str(&rng.u16(0..300).to_string());
        }
        s.push_str([" ", " ", ", ", "-", "\n"][rng.usize(0..5)]);
    }
    s.truncate(s.len().min(max));
    s.truncate(s.trim_end().len());
    s
}

fn quoted(s: &str) -> String {
    format!("'{}'", s.replace('\\', "\\\\").replace('\'', "''"))
}

fn bytes(rng: &mut Rng, max: usize) -> String {
    let n = if rng.u8(0..5) == 0 { max } else { rng.usize(0..=max).min(40) };
    let small = rng.bool();
    let byte = |rng: &mut Rng| if small { [0, 1, 0x20, 0xFF, b'a'][rng.usize(0..5)] } else { rng.u8(..) };
    let hex: String = (0..n).map(|_| format!("{:02x}", byte(rng))).collect();
    format!("x'{hex}'")
}

/// A literal for a column of this type, as [`crate::tables`] writes types.
#[expect(clippy::too_many_lines, reason = "an arm for each type")]
pub fn literal(rng: &mut Rng, ty: &str) -> String {
    if !ty.contains("not null") && rng.u8(0..6) == 0 {
        return "NULL".into();
    }
    let unsigned = ty.contains("unsigned") || ty.contains("zerofill");
    let n = between(ty);
    let word = ty.split(['(', ' ']).next().unwrap_or("");
    let fraction = |rng: &mut Rng| match decimals(ty) {
        0 => String::new(),
        d => format!(".{:0d$}", rng.u32(0..10u32.pow(d as u32))),
    };
    let clock = |rng: &mut Rng| {
        let (h, m, s) = (rng.u8(0..24), rng.u8(0..60), rng.u8(0..60));
        format!("{h:02}:{m:02}:{s:02}")
    };
    if ty.ends_with("comment 'words'") {
        let longest = if n > 0 { n } else { 400 };
        return quoted(&words(rng, longest));
    }
    match word {
        "tinyint" => integer(rng, 8, unsigned),
        "smallint" => integer(rng, 16, unsigned),
        "mediumint" => integer(rng, 24, unsigned),
        "int" => integer(rng, 32, unsigned),
        "bigint" => integer(rng, 64, unsigned),
        "float" | "double" => match rng.u8(0..4) {
            0 => "0".into(),
            1 => format!("{}{}.{}", if unsigned { "" } else { "-" }, rng.u32(0..1000), rng.u8(0..100)),
            2 => format!("{}e{}", rng.u8(0..100), rng.u8(0..20)),
            _ => format!("{}.5", rng.u8(0..50)),
        },
        "decimal" => {
            let (d, whole) = (decimals(ty) as u32, n as u32 - decimals(ty) as u32);
            let sign = if !unsigned && rng.u8(0..3) == 0 { "-" } else { "" };
            let big = 10u64.pow(whole.min(18));
            let whole = if rng.bool() { rng.u64(0..big) } else { rng.u64(0..30) };
            match d {
                0 => format!("{sign}{whole}"),
                d => format!("{sign}{whole}.{:02}", rng.u8(0..100).min(if d == 1 { 9 } else { 99 })),
            }
        }
        "year" if rng.u8(0..5) == 0 => "0".into(),
        "year" => rng.u16(1901..2156).to_string(),
        "date" => format!("'{:04}-{:02}-{:02}'", rng.u16(1000..2200), rng.u8(1..13), rng.u8(1..29)),
        "time" => {
            let sign = if rng.u8(0..3) == 0 { "-" } else { "" };
            format!(
                "'{sign}{:02}:{:02}:{:02}{}'",
                rng.u16(0..800),
                rng.u8(0..60),
                rng.u8(0..60),
                fraction(rng)
            )
        }
        "datetime" | "timestamp" => {
            let year = if word == "timestamp" { rng.u16(1972..2037) } else { rng.u16(1000..2200) };
            let (month, day) = (rng.u8(1..13), rng.u8(1..29));
            format!("'{year:04}-{month:02}-{day:02} {}{}'", clock(rng), fraction(rng))
        }
        "bit" => (rng.u64(..) >> (64 - n.max(1))).to_string(),
        "enum" => rng.u8(1..4).to_string(),
        "set" => rng.u8(0..8).to_string(),
        "binary" | "varbinary" => bytes(rng, n.max(1)),
        "tinyblob" => bytes(rng, 200),
        "blob" | "mediumblob" | "longblob" => {
            let max = if rng.u8(0..20) == 0 { 9000 } else { 300 };
            bytes(rng, max)
        }
        "text" | "mediumtext" | "longtext" if rng.u8(0..30) == 0 => {
            let s = text(rng, ty, 200);
            quoted(&s.repeat(50))
        }
        "text" | "tinytext" | "mediumtext" | "longtext" => quoted(&text(rng, ty, 2000)),
        // Version 8 and over need a variant.
        "uuid" => format!(
            "'{:08x}-{:04x}-{:04x}-9{:03x}-{:012x}'",
            rng.u32(..),
            rng.u16(..),
            rng.u16(..),
            rng.u16(0..0x1000),
            rng.u64(..) >> 16
        ),
        "inet6" => format!("'{:x}::{:x}'", rng.u16(1..), rng.u16(..)),
        "point" => {
            // SRID, byte order, kind, two coordinates.
            let mut b = vec![0, 0, 0, 0, 1, 1, 0, 0, 0];
            b.extend(f64::from(rng.u8(..)).to_le_bytes());
            b.extend(f64::from(rng.u8(..)).to_le_bytes());
            let hex: String = b.iter().map(|b| format!("{b:02x}")).collect();
            format!("x'{hex}'")
        }
        _ => quoted(&text(rng, ty, n.max(1))),
    }
}
