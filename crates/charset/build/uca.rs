//! The weights of the Unicode collation algorithm's three versions, and the tailorings.
//!
//! Level 1 is a table of 32-bit cells in pages of 256 code points: the number of weights in the top
//! byte (0F: implicit weights), and in the rest the weight itself (one) or a place in `lists` (more).
//! Levels 2 and 3 are 16-bit cells parallel to it: places in `upper`, where two counts and the
//! weights of both levels stand; place 0 is the usual (0020)(0002).

use crate::source::{bytes_literal, distinct, emit, fields, hex, hex_list, le16, le32, range, text};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Pages of code points up to 10FFFF.
const DIRECTORY: usize = 0x11_0000 / 256;
const IMPLICIT: u32 = 0x0F00_0000;

#[derive(Default)]
struct Lists {
    data: Vec<u16>,
    places: HashMap<Vec<u16>, usize>,
}

impl Lists {
    fn place(&mut self, list: Vec<u16>) -> usize {
        if let Some(&at) = self.places.get(&list) {
            return at;
        }
        let at = self.data.len();
        self.data.extend_from_slice(&list);
        self.places.insert(list, at);
        at
    }
}

struct Base {
    directory: Vec<u16>,
    first: Vec<u32>,
    upper_cells: Vec<u16>,
    lists: Lists,
    upper: Lists,
}

impl Base {
    fn new() -> Self {
        let mut upper = Lists::default();
        upper.place(vec![1, 1, 0x20, 2]);
        Self {
            directory: vec![0; DIRECTORY],
            first: Vec::new(),
            upper_cells: Vec::new(),
            lists: Lists::default(),
            upper,
        }
    }

    /// Position of a code point's cells; its page is made when absent.
    fn cell(&mut self, cp: u32) -> usize {
        let page = &mut self.directory[cp as usize >> 8];
        if *page == 0 {
            self.first.resize(self.first.len() + 256, IMPLICIT);
            self.upper_cells.resize(self.first.len(), 0);
            *page = (self.first.len() / 256) as u16;
        }
        (usize::from(*page) - 1) * 256 + (cp as usize & 0xFF)
    }

    fn set_first(&mut self, cp: u32, weights: Vec<u16>) {
        let cell = match weights[..] {
            [w] => 0x0100_0000 | u32::from(w),
            _ => (weights.len() as u32) << 24 | self.lists.place(weights) as u32,
        };
        let at = self.cell(cp);
        self.first[at] = cell;
    }

    fn set_upper(&mut self, cp: u32, second: &[u16], third: &[u16]) {
        let mut list = vec![second.len() as u16, third.len() as u16];
        list.extend_from_slice(second);
        list.extend_from_slice(third);
        let place = u16::try_from(self.upper.place(list)).expect("place in upper");
        let at = self.cell(cp);
        self.upper_cells[at] = place;
    }

    fn write(&self, out: &mut String, name: &str) {
        let blob = |part: &str, bytes: Vec<u8>| {
            let file = format!("uca{name}.{part}.bin");
            emit(&file, bytes);
            format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\"))")
        };
        assert!(self.upper.data.len() < 0x8000 && self.lists.data.len() < 0x8000);
        let upper_cells = if self.upper.places.len() > 1 { le16(&self.upper_cells) } else { Vec::new() };
        let _ = writeln!(
            out,
            "pub(crate) static UCA{name}: Base = Base {{ version: Version::V{name}, directory: {}, first: {}, \
             upper_cells: {}, lists: &{:?}, upper: &{:?} }};",
            blob("directory", le16(&self.directory)),
            blob("first", le32(&self.first)),
            blob("upper", upper_cells),
            self.lists.data,
            self.upper.data
        );
    }
}

/// Writes `uca.rs` and its blobs.
pub fn write() {
    let mut out = String::new();
    for name in ["400", "520", "1400"] {
        let mut base = Base::new();
        let source = text(&format!("uca{name}.tsv.gz"));
        for line in source.lines() {
            let (codes, weights) = line.split_once('\t').expect("two fields");
            for cp in range(codes) {
                let mut levels = weights.split('/').map(hex_list);
                base.set_first(cp, levels.next().expect("level 1"));
                if let (Some(second), Some(third)) = (levels.next(), levels.next()) {
                    base.set_upper(cp, &second, &third);
                }
            }
        }
        if name == "400" {
            // All code points above the BMP share one page of FFFD.
            let at = base.cell(0x1_0000);
            base.first[at..at + 256].fill(0x0100_FFFD);
            let page = base.directory[0x100];
            base.directory[0x100..].fill(page);
        }
        if name == "520" {
            for f in fields(&text("uca520_level2.tsv.gz")) {
                for cp in range(f[0]) {
                    base.set_upper(cp, &hex_list(f.get(1).unwrap_or(&"")), &[]);
                }
            }
        }
        base.write(&mut out, name);
    }
    tailorings(&mut out);
    emit("uca.rs", out);
}

/// The tailorings in the order of their first line, each as packed entries: length of the sequence, counts of the
/// three levels, code points of 3 bytes, weights of 2 bytes.
fn tailorings(out: &mut String) {
    let mut all: Vec<(String, Vec<u8>)> =
        ["400 -", "520 -", "1400 -"].iter().map(|n| (n.to_string(), Vec::new())).collect();
    let source = text("tailorings.tsv");
    let mut keys = Vec::new();
    for f in fields(&source) {
        let name = format!("{} {}", f[0], f[1]);
        let at = all.iter().position(|(n, _)| *n == name).unwrap_or_else(|| {
            all.push((name.clone(), Vec::new()));
            all.len() - 1
        });
        let sequence: Vec<u32> = f[2].split(' ').map(hex).collect();
        let levels: Vec<Vec<u16>> = f.get(3).unwrap_or(&"").split('/').map(hex_list).collect();
        let entry = &mut all[at].1;
        entry.push(sequence.len() as u8);
        for level in 0..3 {
            entry.push(levels.get(level).map_or(0, Vec::len) as u8);
        }
        for cp in &sequence {
            entry.extend_from_slice(&cp.to_le_bytes()[..3]);
        }
        entry.extend(levels.iter().flatten().flat_map(|w| w.to_le_bytes()));
        keys.push((at, sequence));
    }
    assert!(distinct(&keys), "a sequence is tailored once");
    let _ = writeln!(out, "pub(crate) static TAILORINGS: [Tailoring; {}] = [", all.len());
    for (i, (name, entries)) in all.iter().enumerate() {
        let (base, _) = name.split_once(' ').expect("base and name");
        let base = if base == "520w2" { "520" } else { base };
        let parent = if base == "1400" && i != 2 { 2 } else { i };
        let _ = writeln!(
            out,
            "    Tailoring {{ base: &UCA{base}, parent: {parent}, entries: {}, table: OnceLock::new() }}, // {name}",
            bytes_literal(entries)
        );
    }
    out.push_str("];\n");
}

/// Place of a tailoring in `TAILORINGS`, for the rules of a collation.
pub fn tailoring_index(family: &str, name: &str) -> usize {
    let base = match family {
        "uca400" => "400",
        "uca520" => "520",
        "uca520_2level" => "520w2",
        _ => "1400",
    };
    let mut order: Vec<(String, String)> =
        ["400", "520", "1400"].iter().map(|b| (b.to_string(), "-".to_string())).collect();
    let source = text("tailorings.tsv");
    for f in fields(&source) {
        let key = (f[0].to_string(), f[1].to_string());
        if !order.contains(&key) {
            order.push(key);
        }
    }
    order.iter().position(|(b, n)| b == base && n == name).unwrap_or_else(|| panic!("{base} {name}"))
}
