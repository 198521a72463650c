//! Tables by code point that belong to no weight file: general_ci, letter case, word characters.

use crate::source::{bytes_literal, emit, fields, hex, le16, range, text};
use std::fmt::Write as _;

/// Writes `unicode.rs`.
pub fn write() {
    let mut out = String::new();
    let mut general: Vec<u16> = (0..=0xFFFFu16).collect();
    let source = text("general_ci.tsv");
    for f in fields(&source) {
        general[hex(f[0]) as usize] = hex(f[1]) as u16;
    }
    let deltas: Vec<u16> = general.iter().enumerate().map(|(cp, w)| w.wrapping_sub(cp as u16)).collect();
    paged(&mut out, "GENERAL", &deltas);
    let _ = writeln!(out, "pub(crate) static GENERAL_LOW: [u16; 256] = {:?};", &general[..256]);

    let source = text("unicode_case.tsv");
    for (i, set) in ["GENERAL", "V520", "V1400"].iter().enumerate() {
        for (j, which) in ["LOWER", "UPPER"].iter().enumerate() {
            let mut deltas = vec![0u16; 0x2_0000];
            for f in fields(&source).filter(|f| f[1 + 2 * i + j] != "-") {
                let (from, to) = (hex(f[0]), hex(f[1 + 2 * i + j]));
                assert_eq!(from >> 16, to >> 16, "case does not leave the plane");
                deltas[from as usize] = (to as u16).wrapping_sub(from as u16);
            }
            paged(&mut out, &format!("{which}_{set}"), &deltas);
        }
    }

    let source = text("word_characters.tsv");
    let ranges = fields(&source).find(|f| f[0] == "unicode").expect("unicode words")[1].to_string();
    let mut bits = vec![0u8; 0x1_0000 / 8];
    for cp in ranges.split(' ').flat_map(range).chain([0x5F]) {
        bits[cp as usize / 8] |= 1 << (cp % 8);
    }
    emit("words.bin", &bits);
    out.push_str(
        "pub(crate) static WORDS: &[u8; 8192] = include_bytes!(concat!(env!(\"OUT_DIR\"), \"/words.bin\"));\n",
    );
    emit("unicode.rs", out);
}

/// A table of differences (mod 2^16) in pages of 256, page 0 being all zero.
fn paged(out: &mut String, name: &str, deltas: &[u16]) {
    let mut directory = vec![0u8; deltas.len() / 256];
    let mut pages: Vec<u16> = vec![0; 256];
    for (i, page) in deltas.chunks(256).enumerate() {
        if page.iter().all(|d| *d == 0) {
            continue;
        }
        directory[i] = u8::try_from(pages.len() / 256).expect("few pages");
        pages.extend_from_slice(page);
    }
    while directory.len() > 1 && directory.last() == Some(&0) {
        directory.pop();
    }
    let _ = writeln!(
        out,
        "pub(crate) static {name}: Deltas = Deltas {{ directory: {}, pages: {} }};",
        bytes_literal(&directory),
        bytes_literal(&le16(&pages))
    );
}
