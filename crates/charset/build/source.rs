//! Reading the files of `data/` and writing to the build's output directory.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Read as _;
use std::{env, fs, path::PathBuf};

/// The text of a data file; `.gz` files are unpacked.
pub fn text(name: &str) -> String {
    let raw = fs::read(PathBuf::from("data").join(name)).unwrap_or_else(|e| panic!("data/{name}: {e}"));
    if name.ends_with(".gz") {
        let mut out = String::new();
        flate2::read::GzDecoder::new(&raw[..])
            .read_to_string(&mut out)
            .unwrap_or_else(|e| panic!("data/{name}: {e}"));
        out
    } else {
        String::from_utf8(raw).unwrap_or_else(|e| panic!("data/{name}: {e}"))
    }
}

/// The lines of a tab-separated text without its comments, split into fields.
pub fn fields(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).map(|l| l.split('\t').collect())
}

/// Writes a generated file.
pub fn emit(name: &str, contents: impl AsRef<[u8]>) {
    let path = PathBuf::from(env::var_os("OUT_DIR").expect("OUT_DIR")).join(name);
    fs::write(path, contents).unwrap_or_else(|e| panic!("{name}: {e}"));
}

/// A hexadecimal number.
pub fn hex(s: &str) -> u32 {
    u32::from_str_radix(s, 16).unwrap_or_else(|e| panic!("{s:?}: {e}"))
}

/// Pairs of hexadecimal digits as bytes.
pub fn hex_bytes(s: &str) -> Vec<u8> {
    s.as_bytes().chunks(2).map(|p| hex(std::str::from_utf8(p).expect("ASCII")) as u8).collect()
}

/// A list of hexadecimal numbers separated by spaces.
pub fn hex_list(s: &str) -> Vec<u16> {
    s.split(' ').filter(|w| !w.is_empty()).map(|w| u16::try_from(hex(w)).expect("16 bits")).collect()
}

/// `XXXX` or `XXXX-YYYY` as an inclusive range.
pub fn range(s: &str) -> std::ops::RangeInclusive<u32> {
    let (a, b) = s.split_once('-').unwrap_or((s, s));
    hex(a)..=hex(b)
}

/// A Rust byte-string literal.
pub fn bytes_literal(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 4 + 3);
    out.push_str("b\"");
    for b in bytes {
        let _ = write!(out, "\\x{b:02x}");
    }
    out.push('"');
    out
}

/// Numbers as little-endian bytes.
pub fn le16(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Numbers as little-endian bytes.
pub fn le32(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Of the values of one kind, whether all are different.
pub fn distinct<T: std::hash::Hash + Eq>(values: impl IntoIterator<Item = T>) -> bool {
    let mut seen = HashSet::new();
    values.into_iter().all(|v| seen.insert(v))
}
