//! Pages of keys: lengths, pointers, loops, entries out of order.

use crate::header::{Head, be};
use crate::library::{Damage, Edit, Part};

const PAGE: usize = 1024;
const TREES: &str = "pages of keys";
const LOOPS: &str = "loops in key trees";
const ORDER: &str = "entries out of order";
const FREE: &str = "chain of free pages";

/// The pages of all trees, by the roots and the first pointer of each page; the key each belongs to.
fn pages(index: &[u8], head: &Head) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for key in 0..head.keys {
        let root = be(index, head.roots + 8 * key, 8) as usize;
        if root + PAGE > index.len() {
            continue;
        }
        let mut at = root;
        // down the left side, then whatever pages lie in the file: each is damaged once
        loop {
            found.push((key, at));
            if index[at] & 0x80 == 0 {
                break;
            }
            let child = be(index, at + 2, head.key_ref) as usize * PAGE;
            if child + PAGE > index.len() || found.iter().any(|f| f.1 == child) {
                break;
            }
            at = child;
        }
    }
    for at in (head.keystart..index.len().saturating_sub(PAGE - 1)).step_by(PAGE) {
        if !found.iter().any(|f| f.1 == at) {
            found.push((usize::MAX, at));
        }
    }
    found
}

#[allow(clippy::too_many_lines, reason = "a list of damages")]
pub fn damages(index: &[u8]) -> Vec<Damage> {
    let head = Head::of(index);
    let mut all = Vec::new();
    if head.keys == 0 || index.len() <= head.keystart {
        return all;
    }
    let pages = pages(index, &head);
    let put = |kind, what: String, at, bytes: Vec<u8>| Damage::put(kind, Part::Index, what, at, bytes);
    for (key, page) in &pages {
        let page = *page;
        let word = be(index, page, 2);
        let used = (word & 0x7FFF) as usize;
        let node = word & 0x8000 != 0;
        if !(8..=PAGE).contains(&used) {
            // a free page
            continue;
        }
        for len in [0, 1, 2, used - 1, used + 1, used / 2, PAGE, PAGE + 1, 0x7FFF] {
            let bytes = ((len as u16) | (word as u16 & 0x8000)).to_be_bytes().to_vec();
            all.push(put(TREES, format!("page {page}: {used} bytes used -> {len}"), page, bytes));
        }
        all.push(put(TREES, format!("page {page}: node and leaf changed"), page, vec![index[page] ^ 0x80]));
        if node {
            let pointer = |to: usize| ((to / PAGE) as u64).to_be_bytes()[8 - head.key_ref..].to_vec();
            let root = be(index, head.roots + if *key == usize::MAX { 0 } else { 8 * key }, 8) as usize;
            all.push(put(LOOPS, format!("page {page} leads to itself"), page + 2, pointer(page)));
            all.push(put(LOOPS, format!("page {page} leads to a root"), page + 2, pointer(root)));
            let outside = index.len() + 7 * PAGE;
            all.push(put(TREES, format!("page {page} leads outside"), page + 2, pointer(outside)));
            all.push(put(TREES, format!("page {page} leads into the head"), page + 2, pointer(0)));
            let last = page + used - head.key_ref;
            all.push(put(LOOPS, format!("page {page} leads to itself in the end"), last, pointer(page)));
            let first = index[page + 2..page + 2 + head.key_ref].to_vec();
            all.push(put(LOOPS, format!("page {page} leads to one page twice"), last, first));
        }
        // bytes of entries, wherever they are
        for part in 1..4 {
            let at = page + 2 + used * part / 5;
            all.push(put(
                ORDER,
                format!("page {page}: byte {} changed", at - page),
                at,
                vec![index[at] ^ 0x55],
            ));
            all.push(put(
                ORDER,
                format!("page {page}: byte {} plus one", at - page),
                at,
                vec![index[at].wrapping_add(1)],
            ));
        }
        let half = (used - 2) / 2;
        if half > 8 {
            let (a, b) = (page + 2, page + 2 + half);
            let mut edits = vec![Edit::Put(Part::Index, a, index[b..b + half].to_vec())];
            edits.push(Edit::Put(Part::Index, b, index[a..a + half].to_vec()));
            all.push(Damage { kind: ORDER, what: format!("page {page}: halves changed places"), edits });
        }
        all.push(put(TREES, format!("page {page} is zeros"), page, vec![0; PAGE]));
        let (_, other) = pages[(page / PAGE) % pages.len()];
        all.push(put(
            TREES,
            format!("page {page} is that at {other}"),
            page,
            index[other..other + PAGE].to_vec(),
        ));
    }
    for key in 0..head.keys {
        let at = head.roots + 8 * key;
        for (_, page) in pages.iter().take(12) {
            let bytes = (*page as u64).to_be_bytes().to_vec();
            all.push(put(TREES, format!("root of key {key} at {page}"), at, bytes));
        }
    }
    for list in 0..head.blocks {
        let at = head.roots + 8 * (head.keys + list);
        for (_, page) in pages.iter().take(6) {
            let bytes = (*page as u64).to_be_bytes().to_vec();
            all.push(put(FREE, format!("free pages begin at {page}, which is used"), at, bytes));
        }
        let first = be(index, at, 8) as usize;
        if first < index.len() {
            for to in [first, 0, 3, index.len(), pages[0].1] {
                let bytes = (to as u64).to_be_bytes().to_vec();
                all.push(put(FREE, format!("free page {first} leads to {to}"), first, bytes));
            }
        }
    }
    all.retain(|d| {
        d.edits.iter().any(|e| matches!(e, Edit::Put(_, at, b) if index.get(*at..at + b.len()) != Some(b)))
    });
    all
}
