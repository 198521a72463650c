//! Every field of the head of a `.MYI`, wrong in several ways. Where the fields lie is written down here once more, apart from the code
//! that is tested.

use crate::library::{Damage, Part};

pub fn be(bytes: &[u8], at: usize, len: usize) -> u64 {
    bytes[at..at + len].iter().fold(0, |n, b| n << 8 | u64::from(*b))
}

/// What the head says of the other places.
pub struct Head {
    pub keys: usize,
    pub parts: usize,
    pub blocks: usize,
    /// Where the roots of the keys lie.
    pub roots: usize,
    /// Where the second part of the state lies.
    pub counts: usize,
    pub base: usize,
    pub keystart: usize,
    pub rec_ref: usize,
    pub key_ref: usize,
    pub reclength: usize,
    pub pack_reclength: usize,
}

impl Head {
    pub fn of(index: &[u8]) -> Head {
        let state = be(index, 8, 2) as usize;
        let (keys, blocks) = (usize::from(index[18]), usize::from(index[21]));
        let roots = 124 + (state - 176);
        let base = be(index, 12, 2) as usize;
        Head {
            keys,
            parts: be(index, 14, 2) as usize,
            blocks,
            roots,
            counts: roots + 8 * keys + 8 * blocks,
            base,
            keystart: be(index, base, 8) as usize,
            reclength: be(index, base + 44, 4) as usize,
            pack_reclength: be(index, base + 48, 4) as usize,
            rec_ref: usize::from(index[base + 72]),
            key_ref: usize::from(index[base + 73]),
        }
    }
}

type Field = (String, usize, usize);

fn run(fields: &mut Vec<Field>, mut at: usize, list: &[(&str, usize)]) -> usize {
    for (name, len) in list {
        fields.push(((*name).to_owned(), at, *len));
        at += len;
    }
    at
}

/// Names, places and lengths of all fields: those of the file, of the state, and the definitions.
#[allow(clippy::too_many_lines, reason = "a list of the format's fields")]
fn fields(index: &[u8]) -> [(&'static str, Vec<Field>); 3] {
    let head = Head::of(index);
    let (mut file, mut state, mut definitions) = (Vec::new(), Vec::new(), Vec::new());
    run(
        &mut file,
        0,
        &[
            ("magic 1", 1),
            ("magic 2", 1),
            ("magic 3", 1),
            ("version", 1),
            ("options", 2),
            ("header length", 2),
            ("state length", 2),
            ("base length", 2),
            ("base position", 2),
            ("key parts", 2),
            ("unique parts", 2),
            ("keys", 1),
            ("uniques", 1),
            ("language", 1),
            ("block sizes", 1),
            ("fulltext keys", 1),
            ("unused", 1),
        ],
    );
    run(
        &mut state,
        24,
        &[
            ("open count", 2),
            ("changed", 1),
            ("sort key", 1),
            ("records", 8),
            ("deleted", 8),
            ("split", 8),
            ("delete link", 8),
            ("index length", 8),
            ("data length", 8),
            ("empty", 8),
            ("key empty", 8),
            ("auto increment", 8),
            ("checksum", 8),
            ("process", 4),
            ("unique", 4),
            ("status", 4),
            ("updates", 4),
        ],
    );
    for key in 0..head.keys {
        state.push((format!("root of key {key}"), head.roots + 8 * key, 8));
    }
    for list in 0..head.blocks {
        state.push((format!("free pages {list}"), head.roots + 8 * (head.keys + list), 8));
    }
    let at = run(
        &mut state,
        head.counts,
        &[
            ("changed sort", 4),
            ("used sort", 4),
            ("table version", 4),
            ("key map", 8),
            ("created", 8),
            ("recovered", 8),
            ("checked", 8),
            ("rows of statistics", 8),
        ],
    );
    for part in 0..head.parts {
        state.push((format!("rows per key {part}"), at + 4 * part, 4));
    }
    run(
        &mut definitions,
        head.base,
        &[
            ("start of keys", 8),
            ("most data", 8),
            ("most index", 8),
            ("most records", 8),
            ("reloc", 8),
            ("mean row", 4),
            ("row length", 4),
            ("pack row length", 4),
            ("least pack", 4),
            ("most pack", 4),
            ("least block", 4),
            ("columns", 4),
            ("pack columns", 4),
            ("row pointer", 1),
            ("page pointer", 1),
            ("base keys", 1),
            ("auto key", 1),
            ("pack bits", 2),
            ("blobs", 2),
            ("longest block", 2),
            ("longest key", 2),
            ("extra alloc", 2),
            ("extra percent", 1),
            ("raid", 1),
        ],
    );
    let mut at = head.base + be(index, 10, 2) as usize;
    for key in 0..head.keys {
        let parts = index[at];
        let list = [
            ("parts", 1),
            ("algorithm", 1),
            ("flag", 2),
            ("block", 2),
            ("length", 2),
            ("least", 2),
            ("most", 2),
        ];
        let from = definitions.len();
        at = run(&mut definitions, at, &list);
        for part in 0..parts {
            let list = [
                ("type", 1),
                ("language", 1),
                ("null bit", 1),
                ("bit start", 1),
                ("language high", 1),
                ("bits", 1),
                ("flag", 2),
                ("length", 2),
                ("start", 4),
                ("null place", 4),
            ];
            let from = definitions.len();
            at = run(&mut definitions, at, &list);
            definitions[from..].iter_mut().for_each(|f| f.0 = format!("part {part} {}", f.0));
        }
        definitions[from..].iter_mut().for_each(|f| f.0 = format!("key {key} {}", f.0));
    }
    let columns = be(index, head.base + 64, 4);
    for column in 0..columns {
        let from = definitions.len();
        at = run(&mut definitions, at, &[("kind", 2), ("length", 2), ("null bit", 1), ("null place", 2)]);
        definitions[from..].iter_mut().for_each(|f| f.0 = format!("column {column} {}", f.0));
    }
    [("header: file", file), ("header: state", state), ("header: definitions", definitions)]
}

/// Every field with zeros, ones, one more, the highest bit turned, and a low one.
pub fn damages(index: &[u8]) -> Vec<Damage> {
    let mut all = Vec::new();
    for (kind, fields) in fields(index) {
        for (name, at, len) in fields {
            let old = be(index, at, len);
            let ones = if len == 8 { u64::MAX } else { (1 << (8 * len)) - 1 };
            let values = [0, ones, old.wrapping_add(1), old ^ (1 << (8 * len - 1)), old ^ 4];
            let mut met = vec![old];
            for value in values.map(|v| v & ones) {
                if met.contains(&value) {
                    continue;
                }
                met.push(value);
                let bytes = value.to_be_bytes()[8 - len..].to_vec();
                all.push(Damage::put(kind, Part::Index, format!("{name}: {old} -> {value}"), at, bytes));
            }
        }
    }
    all
}
