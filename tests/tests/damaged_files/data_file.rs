//! Data files of the three kinds: marks, lengths, links, values.

use crate::header::{Head, be};
use crate::library::{Damage, Edit, Part};
use crate::report::TREES;

const CHAIN: &str = "chain of deleted rows";
const PARTS: &str = "rows in parts";
const BLOCKS: &str = "heads of blocks";
const VALUES: &str = "values of rows";
const PACKED: &str = "packed rows";

fn put(kind: &'static str, what: String, at: usize, bytes: Vec<u8>) -> Damage {
    Damage::put(kind, Part::Data, what, at, bytes)
}

fn changed(mut all: Vec<Damage>, data: &[u8]) -> Vec<Damage> {
    all.retain(|d| {
        d.edits.iter().any(|e| match e {
            Edit::Put(Part::Data, at, b) => data.get(*at..at + b.len()) != Some(b),
            _ => true,
        })
    });
    all
}

/// Rows of one length.
pub fn fixed(index: &[u8], data: &[u8]) -> Vec<Damage> {
    let head = Head::of(index);
    let each = head.pack_reclength;
    let mut all = Vec::new();
    let deleted: Vec<usize> = (0..data.len()).step_by(each).filter(|at| data[*at] == 0).collect();
    let rows: Vec<usize> = (0..data.len()).step_by(each).filter(|at| data[*at] != 0).collect();
    for at in deleted.iter().step_by(6) {
        let link = |to: u64| to.to_be_bytes()[8 - head.rec_ref..].to_vec();
        let unit = |at: usize| link((at / each) as u64);
        all.push(put(CHAIN, format!("deleted row {at} leads to itself"), at + 1, unit(*at)));
        all.push(put(CHAIN, format!("deleted row {at} leads to the first"), at + 1, unit(deleted[0])));
        all.push(put(CHAIN, format!("deleted row {at} leads to a row"), at + 1, unit(rows[0])));
        all.push(put(CHAIN, format!("deleted row {at} leads outside"), at + 1, unit(data.len() + each)));
        all.push(put(CHAIN, format!("deleted row {at} is the last"), at + 1, link(u64::MAX)));
        all.push(put(CHAIN, format!("deleted row {at} leads far away"), at + 1, link(u64::MAX / 2)));
        all.push(put(CHAIN, format!("deleted row {at} is a row"), *at, vec![0xFF]));
    }
    for at in rows.iter().step_by(61) {
        all.push(put(VALUES, format!("row {at} is deleted"), *at, vec![0]));
        for place in 0..head.reclength {
            let byte = data[at + place] ^ 0x21;
            all.push(put(VALUES, format!("row {at}: byte {place} changed"), at + place, vec![byte]));
        }
    }
    changed(all, data)
}

/// A block of a dynamic file: place, type, bytes of its head, bytes of its data, bytes of it all.
type Block = (usize, u8, usize, usize, usize);

fn blocks(data: &[u8]) -> Vec<Block> {
    let mut all = Vec::new();
    let mut at = 0;
    while at + 20 <= data.len() {
        let n = |from: usize, len: usize| be(data, at + from, len) as usize;
        let (head, len, unused) = match data[at] {
            0 => (20, 0, n(1, 3) - 20),
            1 | 7 => (3, n(1, 2), 0),
            2 | 8 => (4, n(1, 3), 0),
            3 | 9 => (4, n(1, 2), n(3, 1)),
            4 | 10 => (5, n(1, 3), n(4, 1)),
            5 => (13, n(3, 2), 0),
            6 => (15, n(4, 3), 0),
            11 => (11, n(1, 2), 0),
            12 => (12, n(1, 3), 0),
            13 => (16, n(5, 3), 0),
            kind => panic!("no block at {at}: {kind}"),
        };
        all.push((at, data[at], head, len, head + len + unused));
        at += head + len + unused;
    }
    all
}

/// Rows of any length.
#[allow(clippy::too_many_lines, reason = "a list of damages")]
pub fn dynamic(index: &[u8], data: &[u8]) -> Vec<Damage> {
    let mut all = Vec::new();
    let blocks = blocks(data);
    let mut met = [0; 14];
    for (n, (at, kind, head, len, total)) in blocks.iter().copied().enumerate() {
        let seen = &mut met[usize::from(kind)];
        *seen += 1;
        // the first of each kind, and some later ones
        if *seen > 3 && n % 29 != 0 {
            continue;
        }
        for new in [0, 1, 2, 3, 5, 7, 9, 11, 13, 14, 0xFF] {
            all.push(put(BLOCKS, format!("block {at} of kind {kind} is of kind {new}"), at, vec![new]));
        }
        for place in 1..head.min(5) {
            for new in [
                data[at + place].wrapping_add(1),
                data[at + place].wrapping_add(4),
                data[at + place] ^ 0x80,
                0,
                0xFF,
            ] {
                all.push(put(
                    BLOCKS,
                    format!("block {at} of kind {kind}: byte {place} is {new}"),
                    at + place,
                    vec![new],
                ));
            }
        }
        if len > 0 {
            for place in [0, len / 2, len - 1] {
                let byte = data[at + head + place] ^ 0x21;
                all.push(put(
                    VALUES,
                    format!("block {at}: byte {place} of its data changed"),
                    at + head + place,
                    vec![byte],
                ));
            }
            all.push(put(VALUES, format!("block {at}: its data are ones"), at + head, vec![0xFF; len]));
        }
        if total > head + len {
            all.push(put(BLOCKS, format!("block {at}: a byte behind its data"), at + head + len, vec![7]));
        }
        all.push(put(BLOCKS, format!("block {at}: zeros"), at, vec![0; total]));
        let links: &[usize] = match kind {
            0 => &[4, 12],
            5 => &[5],
            6 => &[7],
            11 => &[3],
            12 => &[4],
            13 => &[8],
            _ => &[],
        };
        for place in links {
            let (group, name) = if kind == 0 { (CHAIN, "deleted block") } else { (PARTS, "part") };
            let first_part = blocks.iter().find(|b| matches!(b.1, 5 | 6)).map_or(0, |b| b.0);
            for to in [
                at,
                blocks[0].0,
                blocks[n.saturating_sub(1)].0,
                first_part,
                at + 2,
                data.len(),
                usize::MAX,
                usize::MAX / 2,
            ] {
                let bytes = (to as u64).to_be_bytes().to_vec();
                all.push(put(group, format!("{name} {at}: link {place} leads to {to}"), at + place, bytes));
            }
        }
    }
    for (at, ..) in blocks.iter().filter(|b| b.1 == 0).step_by(3) {
        let bytes = (*at as u64).to_be_bytes().to_vec();
        all.push(Damage::put(CHAIN, Part::Index, format!("the chain begins at {at}"), 52, bytes));
    }
    all.retain(|d| {
        d.edits.iter().any(|e| match e {
            Edit::Put(part, at, b) => {
                let file = if *part == Part::Data { data } else { index };
                file.get(*at..at + b.len()) != Some(b)
            }
            _ => true,
        })
    });
    all
}

/// A compressed file: its head and its rows.
pub fn packed(index: &[u8], data: &[u8]) -> Vec<Damage> {
    let mut all = Vec::new();
    let head = u32::from_le_bytes([data[4], data[5], data[6], data[7]]) as usize;
    for (at, byte) in data.iter().copied().enumerate().take(32) {
        // how long the head is, and how many trees it has
        let kind = if matches!(at, 4..8 | 24 | 25) { TREES } else { PACKED };
        for new in [byte.wrapping_add(1), byte ^ 0x80, 0, 0xFF] {
            all.push(put(kind, format!("head: byte {at} is {new}"), at, vec![new]));
        }
    }
    for at in (32..head).step_by(5) {
        all.push(put(TREES, format!("trees: byte {at} changed"), at, vec![data[at] ^ 0x11]));
    }
    // rows with BLOBs tell the length of those as well
    let base = Head::of(index).base;
    let lengths = if be(index, base + 78, 2) > 0 { 2 } else { 1 };
    let mut row = head;
    let mut n = 0;
    while row + 7 < data.len() {
        let len = usize::from(data[row]);
        if n % 23 == 0 {
            for new in [data[row].wrapping_add(1), data[row].wrapping_sub(1), 0, 0xFE, 0xFF] {
                all.push(put(PACKED, format!("row {row}: its length {len} is {new}"), row, vec![new]));
            }
            for place in [1, 2, len / 2, lengths + len - 1] {
                let at = row + place;
                all.push(put(PACKED, format!("row {row}: byte {place} changed"), at, vec![data[at] ^ 0x24]));
            }
        }
        n += 1;
        row += lengths + len;
    }
    changed(all, data)
}
