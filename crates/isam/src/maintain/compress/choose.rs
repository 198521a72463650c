//! How each column is coded best, and which columns share a tree.

use std::collections::HashMap;

use super::huffman::{bits_of, cost};
use super::survey::Survey;
use crate::row::compressed::{Base, FLAG_SELECTED, FLAG_SPACES, FLAG_ZERO_FILL};

/// More trees than these are not compared with each other once more.
const PAIRED: usize = 64;

/// How a column is coded.
#[derive(Debug)]
pub struct Choice {
    pub base: Base,
    pub flags: u8,
    pub length_bits: u32,
    /// With [`FLAG_SELECTED`]: so many spaces are worth their count.
    pub enough: usize,
    /// How often each byte is left to be coded.
    pub bytes: Box<[u64; 256]>,
    /// Values that are told by their number, and how often they occur.
    pub values: Vec<(Box<[u8]>, u64)>,
    /// Number of its tree.
    pub tree: usize,
    /// With values: the best way without them, which may be better where a tree is shared.
    without: Option<Box<Without>>,
}

/// The way that was left out for a table of values.
#[derive(Debug)]
struct Without {
    choice: Choice,
    /// Bits beside those of its bytes and their tree.
    more: u64,
    /// Bits with the table.
    table: u64,
}

impl Choice {
    /// The best way for a column.
    pub fn new(survey: Survey) -> Choice {
        if survey.counted {
            let length_bits = bits_of(survey.longest).max(1);
            let base = if survey.blob { Base::Blob } else { Base::Varchar };
            let bytes = survey.bytes;
            return Choice {
                base,
                flags: 0,
                length_bits,
                enough: 0,
                bytes,
                values: Vec::new(),
                tree: 0,
                without: None,
            };
        }
        let mut best = Candidates { survey: &survey, best: None };
        best.whole();
        best.spaces(Base::EndSpace, &survey.end_spaces);
        best.spaces(Base::PreSpace, &survey.pre_spaces);
        let (found, bits) = best.best.unwrap_or_else(|| (plain(&survey, Base::Normal, 0, 0), 0));
        with_table(survey, found, bits)
    }

    /// Numbers of values.
    pub fn numbers(&self) -> HashMap<&[u8], usize> {
        self.values.iter().enumerate().map(|(n, (value, _))| (&**value, n)).collect()
    }
}

/// Bits that a tree of these bytes takes in the head, and what it codes.
fn with_tree(bytes: &[u64; 256]) -> u64 {
    let elements = bytes.iter().filter(|n| **n > 0).count() as u64;
    // a slot for a byte, and one for a way to it
    cost(bytes.iter().copied()) + elements * (9 + 2 + u64::from(bits_of(elements)))
}

fn plain(survey: &Survey, base: Base, flags: u8, length_bits: u32) -> Choice {
    let bytes = survey.bytes.clone();
    Choice { base, flags, length_bits, enough: 0, bytes, values: Vec::new(), tree: 0, without: None }
}

/// Takes the table of all values if that is less than so many bits.
fn with_table(survey: Survey, best: Choice, bits: u64) -> Choice {
    let Some(values) = survey.values.filter(|v| !v.is_empty() && best.base != Base::Zero) else {
        return best;
    };
    let table = (values.len() * survey.length) as u64 * 8;
    let table = table + cost(values.values().copied()) + values.len() as u64 * 32;
    if values.len() > 1 && table >= bits {
        return best;
    }
    let mut values: Vec<(Box<[u8]>, u64)> = values.into_iter().collect();
    values.sort_unstable();
    let constant = values.len() == 1;
    let base = if constant { Base::Constant } else { Base::Interval };
    let more = bits - with_tree(&best.bytes);
    let without = (!constant).then(|| Box::new(Without { choice: best, more, table }));
    Choice { base, flags: 0, length_bits: 0, enough: 0, bytes: Box::new([0; 256]), values, tree: 0, without }
}

struct Candidates<'a> {
    survey: &'a Survey,
    best: Option<(Choice, u64)>,
}

impl Candidates<'_> {
    /// Takes a way to code, which adds so many bits to those of the bytes, when it is better.
    fn offer(&mut self, choice: Choice, more: u64) {
        let bits = with_tree(&choice.bytes) + more;
        if self.best.as_ref().is_none_or(|(_, least)| bits < *least) {
            self.best = Some((choice, bits));
        }
    }

    /// Values with all their bytes, or but for zeros or spaces that are told by a bit.
    fn whole(&mut self) {
        let s = self.survey;
        let length = s.length as u64;
        if s.zeros == s.rows {
            let mut choice = plain(s, Base::Zero, 0, 0);
            choice.bytes.fill(0);
            return self.offer(choice, 0);
        }
        self.offer(plain(s, Base::Normal, 0, 0), 0);
        if s.spaces > 0 {
            let mut choice = plain(s, Base::Normal, FLAG_SPACES, 0);
            choice.bytes[usize::from(b' ')] -= s.spaces * length;
            self.offer(choice, s.rows);
        }
        // the bytes at the end that are zero in every value are not stored
        let tail = s.zero_tail.min(31);
        let flags = if tail > 0 { FLAG_ZERO_FILL } else { 0 };
        if tail > 0 {
            let mut choice = plain(s, Base::Normal, flags, tail as u32);
            choice.bytes[0] -= s.rows * tail as u64;
            self.offer(choice, 0);
        }
        if s.zeros > 0 {
            let mut choice = plain(s, Base::SkipZero, flags, tail as u32);
            choice.bytes[0] -= s.zeros * length + (s.rows - s.zeros) * tail as u64;
            self.offer(choice, s.rows);
        }
    }

    /// Spaces at one end are counted: always, or where that is worth while; values of nothing but spaces may have a bit.
    fn spaces(&mut self, base: Base, counts: &[u64]) {
        let s = self.survey;
        for flags in [0, FLAG_SPACES, FLAG_SELECTED, FLAG_SELECTED | FLAG_SPACES] {
            let whole = if flags & FLAG_SPACES == 0 { s.spaces } else { 0 };
            let most = if whole > 0 { s.length } else { counts.len().saturating_sub(1) };
            let length_bits = bits_of(most as u64);
            if most == 0 || flags & FLAG_SPACES != 0 && s.spaces == 0 {
                continue;
            }
            let enough = if flags & FLAG_SELECTED == 0 { 0 } else { length_bits as usize / 2 + 1 };
            let mut taken = s.spaces * s.length as u64;
            let mut told = whole;
            for (n, values) in counts.iter().enumerate().skip(enough) {
                taken += n as u64 * values;
                told += values;
            }
            let mut choice = plain(s, base, flags, length_bits);
            choice.enough = enough;
            choice.bytes[usize::from(b' ')] -= taken;
            let mut more = told * u64::from(length_bits);
            if flags & FLAG_SPACES != 0 {
                more += s.rows;
            }
            if flags & FLAG_SELECTED != 0 {
                more += s.rows - (s.spaces - whole);
            }
            self.offer(choice, more);
        }
    }
}

/// What a tree codes.
#[derive(Debug)]
pub enum Symbols {
    /// Bytes.
    Bytes(Box<[u64; 256]>),
    /// The values of the column with this number.
    Values(usize),
}

/// Gives each column its tree; columns share one where that is less.
pub fn trees(columns: &mut [Choice]) -> Vec<Symbols> {
    let mut trees: Vec<Symbols> = Vec::new();
    let has_table = |column: &Choice| !column.values.is_empty();
    // those with a table last: they may join a tree that is there already
    let order: Vec<usize> = (0..columns.len())
        .filter(|n| !has_table(&columns[*n]))
        .chain((0..columns.len()).filter(|n| has_table(&columns[*n])))
        .collect();
    for n in order {
        if has_table(&columns[n]) {
            match columns[n].without.take() {
                Some(without) if shares(&trees, &without) => columns[n] = without.choice,
                _ => {
                    columns[n].tree = trees.len();
                    trees.push(Symbols::Values(n));
                    continue;
                }
            }
        }
        let mine = &columns[n].bytes;
        let alone = with_tree(mine);
        let best = (0..trees.len())
            .filter_map(|t| match &trees[t] {
                Symbols::Bytes(theirs) => Some((gain(theirs, mine, alone)?, t)),
                Symbols::Values(_) => None,
            })
            .max();
        let none = mine.iter().all(|n| *n == 0);
        columns[n].tree = match best {
            Some((_, t)) => {
                if let Symbols::Bytes(theirs) = &mut trees[t] {
                    add(theirs, mine);
                }
                t
            }
            // a column of zeros has any tree
            None if none && columns[n].base == Base::Zero && !trees.is_empty() => 0,
            None => {
                trees.push(Symbols::Bytes(mine.clone()));
                trees.len() - 1
            }
        };
    }
    if trees.len() <= PAIRED {
        join(columns, &mut trees);
    }
    trees
}

/// Whether a column is coded with fewer bits by one of these trees than by its table.
fn shares(trees: &[Symbols], without: &Without) -> bool {
    let more = |tree: &Symbols| match tree {
        Symbols::Bytes(theirs) => {
            let mut both = **theirs;
            add(&mut both, &without.choice.bytes);
            Some(with_tree(&both).saturating_sub(with_tree(theirs)) + without.more)
        }
        Symbols::Values(_) => None,
    };
    trees.iter().filter_map(more).min().is_some_and(|bits| bits < without.table)
}

fn add(to: &mut [u64; 256], more: &[u64; 256]) {
    to.iter_mut().zip(more).for_each(|(a, b)| *a += b);
}

/// Bits that are less when both have one tree, if any.
fn gain(a: &[u64; 256], b: &[u64; 256], alone: u64) -> Option<u64> {
    let mut both = *a;
    add(&mut both, b);
    (with_tree(a) + alone).checked_sub(with_tree(&both))
}

/// Joins two trees while that is less.
fn join(columns: &mut [Choice], trees: &mut Vec<Symbols>) {
    loop {
        let mut best: Option<(u64, usize, usize)> = None;
        for b in 0..trees.len() {
            for a in 0..b {
                if let (Symbols::Bytes(x), Symbols::Bytes(y)) = (&trees[a], &trees[b])
                    && let Some(less) = gain(x, y, with_tree(y))
                {
                    best = best.max(Some((less, a, b)));
                }
            }
        }
        let Some((_, a, b)) = best else { return };
        let gone = trees.remove(b);
        if let (Symbols::Bytes(x), Symbols::Bytes(y)) = (&mut trees[a], gone) {
            add(x, &y);
        }
        for column in columns.iter_mut() {
            column.tree = match column.tree {
                t if t == b => a,
                t if t > b => t - 1,
                t => t,
            };
        }
    }
}
