//! Random SQL literals for column types.

use super::Random;

fn number(ty: &str) -> usize {
    ty.split_once('(')
        .and_then(|(_, r)| r.split([')', ',']).next())
        .and_then(|n| n.trim().parse().ok())
        .unwrap_or(0)
}

fn integer(r: &mut Random, bits: u32, unsigned: bool) -> String {
    let full = if bits == 64 { u64::MAX } else { (1u64 << bits) - 1 };
    let n = match r.below(6) {
        0 => 0,
        1 => full,
        2 => full >> 1,
        3 => (full >> 1) + 1,
        4 => r.below(40),
        _ => r.next() & full,
    };
    if unsigned {
        n.to_string()
    } else {
        // Sign extended.
        let shift = 64 - bits;
        ((n << shift) as i64 >> shift).to_string()
    }
}

/// Text with shared beginnings, doubled values, trailing spaces, letters of several cases and lengths.
pub fn text(r: &mut Random, max: usize, wide: bool) -> String {
    const STEMS: [&str; 8] =
        ["", "apple", "Apple pie", "zebra", "common prefix of text ", "x", "ZZ", "mixed Case"];
    let mut s = String::from(STEMS[r.below(8) as usize]);
    for _ in 0..r.below(5) {
        let c = match r.below(if wide { 12 } else { 9 }) {
            0 => ' ',
            1 => '\t',
            2..=5 => char::from(b'a' + r.below(6) as u8),
            6 => char::from(b'A' + r.below(6) as u8),
            7 => '0',
            8 => '!',
            9 => 'é',
            10 => 'Ä',
            _ => 'ß',
        };
        s.push(c);
    }
    if r.once_in(8) {
        s = s.repeat(1 + r.below(40) as usize);
    }
    if r.once_in(6) {
        s.push_str("  ");
    }
    s.chars().take(max).collect()
}

fn quoted(s: &str) -> String {
    format!("'{}'", s.replace('\\', "\\\\").replace('\'', "''"))
}

fn bytes(r: &mut Random, max: usize) -> String {
    let n = if r.once_in(5) { max } else { r.below(max as u64 + 1).min(40) as usize };
    let mut out = String::from("x'");
    let small = r.once_in(2);
    for _ in 0..n {
        let b = if small { [0, 1, 0x20, 0xFF, b'a'][r.below(5) as usize] } else { r.below(256) as u8 };
        out.push_str(&format!("{b:02x}"));
    }
    out.push('\'');
    out
}

/// A literal for a column of this type (as in CREATE TABLE, lower case).
#[expect(clippy::too_many_lines, reason = "an arm for each type")]
pub fn literal(r: &mut Random, ty: &str) -> String {
    let nullable = !ty.contains("not null");
    if nullable && r.once_in(6) {
        return "NULL".into();
    }
    let unsigned = ty.contains("unsigned");
    let wide = !ty.contains("ascii");
    let n = number(ty);
    let word = ty.split(['(', ' ']).next().unwrap_or("");
    let fraction = |r: &mut Random| format!(".{:06}", r.below(1_000_000));
    match word {
        "tinyint" => integer(r, 8, unsigned),
        "smallint" => integer(r, 16, unsigned),
        "mediumint" => integer(r, 24, unsigned),
        "int" => integer(r, 32, unsigned),
        "bigint" => integer(r, 64, unsigned),
        "float" | "double" => match r.below(4) {
            0 => "0".into(),
            1 => format!("-{}.{}", r.below(1000), r.below(100)),
            2 => format!("{}e{}", r.below(100), r.below(20)),
            _ => format!("{}.5", r.below(50)),
        },
        "decimal" => match r.below(4) {
            0 => "0".into(),
            1 => format!("-{}.{}", r.below(100_000), r.below(100)),
            2 => format!("{}.{}", r.next() % 100_000_000, r.below(1000)),
            _ => r.below(30).to_string(),
        },
        "year" => {
            if r.once_in(5) {
                "0".into()
            } else {
                (1901 + r.below(255)).to_string()
            }
        }
        "date" => format!("'{:04}-{:02}-{:02}'", 1000 + r.below(1200), 1 + r.below(12), 1 + r.below(28)),
        "time" => format!(
            "'{}{}:{:02}:{:02}{}'",
            if r.once_in(3) { "-" } else { "" },
            r.below(800),
            r.below(60),
            r.below(60),
            fraction(r)
        ),
        "datetime" => {
            if r.once_in(6) {
                return "'0000-00-00 00:00:00'".into();
            }
            format!(
                "'{:04}-{:02}-{:02} {:02}:{:02}:{:02}{}'",
                1970 + r.below(60),
                1 + r.below(12),
                1 + r.below(28),
                r.below(24),
                r.below(60),
                r.below(60),
                fraction(r)
            )
        }
        "timestamp" => format!(
            "'{:04}-{:02}-{:02} {:02}:{:02}:{:02}{}'",
            1972 + r.below(60),
            1 + r.below(12),
            1 + r.below(28),
            r.below(24),
            r.below(60),
            r.below(60),
            fraction(r)
        ),
        "bit" => {
            let max = if n >= 64 { u64::MAX } else { (1u64 << n.max(1)) - 1 };
            (r.next() & max).to_string()
        }
        "enum" => format!("{}", 1 + r.below(3)),
        "set" => format!("{}", r.below(8)),
        "binary" | "varbinary" => bytes(r, n.max(1)),
        "tinyblob" => bytes(r, 200),
        "blob" | "mediumblob" | "longblob" => {
            let max = if r.once_in(20) { 9000 } else { 300 };
            bytes(r, max)
        }
        "text" | "tinytext" | "mediumtext" | "longtext" => {
            let s = text(r, if word == "tinytext" { 60 } else { 2000 }, wide);
            if word != "tinytext" && r.once_in(30) { quoted(&s.repeat(100)) } else { quoted(&s) }
        }
        "uuid" => format!(
            "'{:08x}-{:04x}-{:04x}-8{:03x}-{:012x}'",
            r.below(1 << 32),
            r.below(1 << 16),
            r.below(1 << 16),
            r.below(1 << 12),
            r.below(1 << 48)
        ),
        "inet6" => format!("'{:x}::{:x}'", 1 + r.below(0xffff), r.below(0xffff)),
        "point" => format!("ST_GeomFromText('POINT({} {})')", r.below(100), r.below(100)),
        _ => quoted(&text(r, n.max(1), wide)),
    }
}
