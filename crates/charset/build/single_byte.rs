//! Single-byte sets: maps, case, words, weights.

use crate::source::{bytes_literal, emit, fields, hex, hex_bytes, le16, range, text};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

/// No Unicode value.
const NONE: u16 = 0xFFFF;

/// Writes `single_byte.rs`: a `ByteSet` per set, weight and case tables, the special collations.
pub fn write() {
    let mut out = String::new();
    let (maps, cases, words) =
        (text("single_byte_unicode.tsv"), text("single_byte_case.tsv"), text("word_characters.tsv"));
    let cases: HashMap<&str, (Vec<u8>, Vec<u8>)> =
        fields(&cases).map(|f| (f[0], (hex_bytes(f[1]), hex_bytes(f[2])))).collect();
    let words: HashMap<&str, [u8; 32]> =
        fields(&words).filter(|f| f[0] != "unicode").map(|f| (f[0], word_bits(f[1]))).collect();
    let mut forward: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
    let mut reverse: HashMap<(&str, u16), u8> = HashMap::new();
    for f in fields(&maps) {
        if f[0] == "reverse" {
            reverse.insert((f[1], hex(&f[2][2..]) as u16), hex(f[3]) as u8);
        } else {
            let map = f[1].as_bytes().chunks(4).map(|c| match c {
                b"----" => NONE,
                c => hex(std::str::from_utf8(c).expect("ASCII")) as u16,
            });
            forward.insert(f[0], map.collect());
        }
    }
    for (set, map) in &forward {
        assert_eq!(map.len(), 256, "{set}");
        let mut directory = [0u8; 256];
        let mut pages: Vec<[u8; 256]> = vec![[0; 256]];
        for (byte, &cp) in map.iter().enumerate().filter(|(_, cp)| **cp != NONE) {
            let (high, low) = (usize::from(cp >> 8), usize::from(cp & 0xFF));
            if directory[high] == 0 {
                directory[high] = pages.len() as u8;
                pages.push([0; 256]);
            }
            let cell = &mut pages[usize::from(directory[high])][low];
            let chosen = reverse.get(&(*set, cp)).copied();
            assert!(*cell == 0 || chosen.is_some(), "{set}: two bytes for U+{cp:04X}");
            *cell = chosen.unwrap_or(byte as u8);
        }
        let (lower, upper) = &cases[set];
        let word = words.get(set).copied().unwrap_or_else(|| panic!("word characters of {set}"));
        let ascii = (0..128).all(|b| map[b] == b as u16);
        let _ = writeln!(
            out,
            "pub(crate) static SET_{}: ByteSet = ByteSet {{ ascii: {ascii}, low_bits: {}, to_unicode: {}, \
             directory: {}, pages: {}, lower: {}, upper: {}, word: {} }};",
            set.to_uppercase(),
            *set == "tis620",
            bytes_literal(&le16(map)),
            bytes_literal(&directory),
            bytes_literal(pages.as_flattened()),
            bytes_literal(lower),
            bytes_literal(upper),
            bytes_literal(&word)
        );
    }
    for (name, (lower, upper)) in cases.iter().filter(|(n, _)| n.ends_with("_cs")) {
        for (which, table) in [("LOWER", lower), ("UPPER", upper)] {
            let _ = writeln!(
                out,
                "pub(crate) static {which}_{}: &[u8; 256] = {};",
                name.to_uppercase(),
                bytes_literal(table)
            );
        }
    }
    let weights = text("single_byte_weights.tsv");
    for f in fields(&weights) {
        let table = hex_bytes(f[4]);
        assert_eq!(table.len(), 256);
        if f[0].ends_with("_bin") || f[0] == "binary" {
            assert!(table.iter().enumerate().all(|(i, w)| i == usize::from(*w)), "{}", f[0]);
            continue;
        }
        let _ = writeln!(
            out,
            "pub(crate) static WEIGHTS_{}: &[u8; 256] = {};",
            f[0].to_uppercase(),
            bytes_literal(&table)
        );
    }
    special(&mut out);
    emit("single_byte.rs", out);
}

fn word_bits(ranges: &str) -> [u8; 32] {
    let mut bits = [0u8; 32];
    for b in ranges.split(' ').flat_map(range).chain([0x5F]) {
        bits[b as usize / 8] |= 1 << (b % 8);
    }
    bits
}

/// latin1_german2_ci: first and second weight of a byte (second 0 = none). cp1250_czech_cs: level 1 and 2 of a byte
/// and of ch, Ch, CH (at 256..259). latin2_czech_cs: four levels of the same (0 = empty).
fn special(out: &mut String) {
    let source = text("single_byte_special.tsv");
    let mut german = [[0u8; 256]; 2];
    let mut cp1250 = [[0u8; 259]; 2];
    let mut latin2 = [[0u8; 259]; 4];
    for f in fields(&source) {
        let sequence = hex_bytes(f[1]);
        let at = match sequence[..] {
            [b] => usize::from(b),
            [b'c', b'h'] => 256,
            [b'C', b'h'] => 257,
            [b'C', b'H'] => 258,
            _ => panic!("{f:?}"),
        };
        match f[0] {
            "latin1_german2_ci" => {
                let w: Vec<u8> = f[2].split(' ').flat_map(hex_bytes).collect();
                german[0][at] = w[0];
                german[1][at] = w.get(1).copied().unwrap_or(0);
            }
            "cp1250_czech_cs" => {
                for (level, w) in f[2].split('/').enumerate() {
                    cp1250[level][at] = hex(w) as u8;
                }
            }
            _ if f[2] == "space" => {}
            _ => {
                for (level, w) in f[2].split('/').enumerate().filter(|(_, w)| !w.is_empty()) {
                    latin2[level][at] = hex(w) as u8;
                    assert!(latin2[level][at] > 2, "{f:?}");
                }
            }
        }
    }
    let _ = writeln!(
        out,
        "pub(crate) static GERMAN2: [&[u8; 256]; 2] = [{}, {}];",
        bytes_literal(&german[0]),
        bytes_literal(&german[1])
    );
    let all = |t: &[[u8; 259]]| t.iter().map(|l| bytes_literal(l)).collect::<Vec<_>>().join(", ");
    let _ = writeln!(out, "pub(crate) static CP1250_CZECH: [&[u8; 259]; 2] = [{}];", all(&cp1250));
    let _ = writeln!(out, "pub(crate) static LATIN2_CZECH: [&[u8; 259]; 4] = [{}];", all(&latin2));
}
