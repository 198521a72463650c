//! Collations by the Unicode collation algorithm: weights in up to three levels, contractions, tailorings.

use crate::encoding::{BAD, Decoder};
use std::cmp::Ordering;
use std::marker::PhantomData;
use std::sync::OnceLock;

/// The version of the algorithm's table; letter case follows it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    V400,
    V520,
    V1400,
}

/// The levels a collation compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Levels {
    pub second: bool,
    pub third: bool,
}

impl Levels {
    pub const FIRST: Self = Self { second: false, third: false };
    pub const FIRST_SECOND: Self = Self { second: true, third: false };
    pub const FIRST_THIRD: Self = Self { second: false, third: true };
    pub const ALL: Self = Self { second: true, third: true };
}

/// The weight of a code point on the first level, and those on the others.
pub(crate) type OnlyWeights<'a> = (u32, &'a [u16], &'a [u16]);

/// Weight of an ill-formed place on every level.
pub(crate) const BAD_WEIGHT: u32 = 0xFFFF;
/// Weight of a space on the levels after the first.
pub(crate) const SPACE_SECOND: u32 = 0x20;
pub(crate) const SPACE_THIRD: u32 = 2;

/// The untailored weights, as `build/uca.rs` lays them out (numbers little-endian).
#[derive(Debug)]
pub(crate) struct Base {
    pub version: Version,
    pub directory: &'static [u8],
    pub first: &'static [u8],
    pub upper_cells: &'static [u8],
    pub lists: &'static [u16],
    pub upper: &'static [u16],
}

/// A tailoring; its table is made at the first use.
#[derive(Debug)]
pub(crate) struct Tailoring {
    pub base: &'static Base,
    /// The tailoring whose entries come first (itself: none).
    pub parent: usize,
    pub entries: &'static [u8],
    pub table: OnceLock<Box<Table>>,
}

// Cells of level 1: count of weights, flags, weight or place.
const COUNT: u32 = 0x0F00_0000;
const IMPLICIT: u32 = 0x0F00_0000;
/// Begins a contraction.
const STARTER: u32 = 0x4000_0000;
/// Is in a contraction, but not at its end.
const INNER: u32 = 0x8000_0000;
const PLACE: u32 = 0x00FF_FFFF;

/// A state of contraction matching.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Cell with the weights, None while only inside a contraction.
    cell: Option<u32>,
    upper: u16,
}

/// The weights of a tailoring.
#[derive(Debug)]
pub(crate) struct Table {
    base: &'static Base,
    /// Page of 256 code points, from 1; 0: implicit weights. Pages after those of the base are own ones.
    directory: Box<[u16]>,
    base_cells: usize,
    own: Vec<u32>,
    own_upper: Vec<u16>,
    lists: Vec<u16>,
    upper: Vec<u16>,
    /// Weights of ASCII characters on the three levels; 0 where it takes more than a look.
    ascii: [[u16; 128]; 3],
    nodes: Vec<Node>,
    /// (state, code point) to state, sorted.
    edges: Vec<(u16, u32, u16)>,
    /// Code points that begin contractions.
    pub starters: Vec<u32>,
    /// Weight of a space.
    pub space: u32,
    /// The code point with the smallest weight.
    pub lowest: u32,
}

impl Tailoring {
    /// Its table.
    #[inline]
    pub fn table(&self) -> &Table {
        self.table.get_or_init(|| {
            let parent = &crate::tables::uca::TAILORINGS[self.parent];
            let inherited: &[u8] = if std::ptr::eq(parent, self) { &[] } else { parent.entries };
            Box::new(Table::new(self.base, [inherited, self.entries]))
        })
    }
}

fn le16(table: &[u8], at: usize) -> u16 {
    match table.get(at * 2..at * 2 + 2) {
        Some(b) => u16::from_le_bytes([b[0], b[1]]),
        None => 0,
    }
}

impl Table {
    fn new(base: &'static Base, entries: [&[u8]; 2]) -> Self {
        let directory: Box<[u16]> = (0..base.directory.len() / 2).map(|i| le16(base.directory, i)).collect();
        let space = if base.version == Version::V520 { 0x20A } else { 0x209 };
        let mut table = Self {
            base,
            directory,
            base_cells: base.first.len() / 4,
            own: Vec::new(),
            own_upper: Vec::new(),
            lists: base.lists.to_vec(),
            upper: base.upper.to_vec(),
            ascii: [[0; 128]; 3],
            nodes: vec![Node::default()],
            edges: Vec::new(),
            starters: Vec::new(),
            space,
            lowest: 9,
        };
        let mut lowest = 0x201;
        for mut rest in entries {
            while let Some((sequence, levels)) = take_entry(&mut rest) {
                let cell = match levels[0][..] {
                    [w] => 0x0100_0000 | u32::from(w),
                    ref list => (list.len() as u32) << 24 | place(&mut table.lists, list),
                };
                let mut upper = vec![levels[1].len() as u16, levels[2].len() as u16];
                upper.extend(levels[1].iter().chain(&levels[2]));
                let upper = if upper == [1, 1, 0x20, 2] || levels[1].is_empty() && base.upper_cells.is_empty()
                {
                    0
                } else {
                    place(&mut table.upper, &upper) as u16
                };
                if let [cp] = sequence[..] {
                    let at = table.own_cell(cp);
                    table.own[at] = table.own[at] & (STARTER | INNER) | cell;
                    table.own_upper[at] = upper;
                    if cell & COUNT == 0x0100_0000 && cell & PLACE < lowest {
                        (lowest, table.lowest) = (cell & PLACE, cp);
                    }
                } else {
                    table.contract(&sequence, Node { cell: Some(cell), upper });
                }
            }
        }
        table.edges.sort_unstable();
        for c in 0..128u32 {
            let cell = table.cell(c);
            // A starter may go on in ASCII; if not, the reader looks at the next byte.
            let goes_on_in_ascii = cell & STARTER != 0
                && table.step(0, c).is_some_and(|node| (0..128).any(|next| table.step(node, next).is_some()));
            if cell & COUNT == 0x0100_0000 && !goes_on_in_ascii {
                table.ascii[0][c as usize] = cell as u16;
                for (level, third) in [(1, false), (2, true)] {
                    if let [weight] = *table.upper_list(table.upper_place(c), third) {
                        table.ascii[level][c as usize] = weight;
                    }
                }
            }
        }
        table
    }

    /// Position in `own` of a code point; its page is copied from the base when it is not yet there.
    fn own_cell(&mut self, cp: u32) -> usize {
        let page = usize::from(self.directory[(cp >> 8) as usize]);
        let low = (cp & 0xFF) as usize;
        if page > 0 && (page - 1) * 256 >= self.base_cells {
            return (page - 1) * 256 - self.base_cells + low;
        }
        let start = self.own.len();
        for i in 0..256 {
            self.own.push(self.cell(cp & !0xFF | i));
            self.own_upper.push(self.upper_place(cp & !0xFF | i));
        }
        self.directory[(cp >> 8) as usize] = ((self.base_cells + start) / 256 + 1) as u16;
        start + low
    }

    fn contract(&mut self, sequence: &[u32], end: Node) {
        let mut node = 0;
        for (i, &cp) in sequence.iter().enumerate() {
            if i + 1 < sequence.len() {
                let at = self.own_cell(cp);
                self.own[at] |= INNER;
                if i == 0 {
                    self.own[at] |= STARTER;
                    if !self.starters.contains(&cp) {
                        self.starters.push(cp);
                    }
                }
            }
            let known = self.edges.iter().find(|(from, by, _)| *from == node && *by == cp).map(|e| e.2);
            node = known.unwrap_or_else(|| {
                let to = self.nodes.len() as u16;
                self.nodes.push(Node::default());
                self.edges.push((node, cp, to));
                to
            });
        }
        self.nodes[usize::from(node)] = end;
    }

    fn step(&self, node: u16, cp: u32) -> Option<u16> {
        let at = self.edges.binary_search_by_key(&(node, cp), |e| (e.0, e.1)).ok()?;
        Some(self.edges[at].2)
    }

    /// The level 1 cell of a code point.
    #[inline]
    fn cell(&self, cp: u32) -> u32 {
        let page = match self.directory.get((cp >> 8) as usize) {
            None | Some(0) => return IMPLICIT,
            Some(page) => usize::from(*page),
        };
        let at = (page - 1) * 256 + (cp & 0xFF) as usize;
        match at.checked_sub(self.base_cells) {
            None => match self.base.first.get(at * 4..at * 4 + 4) {
                Some(b) => u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
                None => IMPLICIT,
            },
            Some(at) => self.own[at],
        }
    }

    /// Place in `upper` of a code point's weights of levels 2 and 3.
    fn upper_place(&self, cp: u32) -> u16 {
        let page = match self.directory.get((cp >> 8) as usize) {
            None | Some(0) => return 0,
            Some(page) => usize::from(*page),
        };
        let at = (page - 1) * 256 + (cp & 0xFF) as usize;
        match at.checked_sub(self.base_cells) {
            None => le16(self.base.upper_cells, at),
            Some(at) => self.own_upper[at],
        }
    }

    /// The weight of a code point that has one on level 1 and begins no contraction.
    pub fn only_weight(&self, cp: u32) -> Option<u32> {
        let cell = self.cell(cp);
        (cp < BAD && cell & (COUNT | STARTER | INNER) == 0x0100_0000).then_some(cell & PLACE)
    }

    /// The weights on all `levels` of a code point as [`Table::only_weight`] has it: those of texts of such code points, one behind
    /// the other, are the same only where each code point's are. None where that is not certain.
    pub fn only_weights(&self, cp: u32, levels: Levels) -> Option<OnlyWeights<'_>> {
        let first = self.only_weight(cp)?;
        let place = self.upper_place(cp);
        let (second, third) = (self.upper_list(place, false), self.upper_list(place, true));
        // Each code point's second weights begin with that of letters without accents, which no accent has.
        let letter = |list: &[u16]| {
            list.iter().position(|w| u32::from(*w) == SPACE_SECOND) == Some(0)
                && list.iter().skip(1).all(|w| u32::from(*w) != SPACE_SECOND)
        };
        let certain = match (levels.second, levels.third) {
            (true, false) => letter(second),
            (true, true) => letter(second) && third.len() == second.len(),
            (false, true) => third.len() == 1,
            (false, false) => true,
        };
        let none: &[u16] = &[];
        certain.then_some((
            first,
            if levels.second { second } else { none },
            if levels.third { third } else { none },
        ))
    }

    /// Whether contractions may go on after this code point.
    pub fn is_inner(&self, cp: u32) -> bool {
        self.cell(cp) & INNER != 0
    }

    /// The longest contraction at a starter: its node and the bytes after the starter.
    fn contraction<D: Decoder>(&self, starter: u32, mut s: &[u8]) -> Option<(Node, usize)> {
        let mut node = self.step(0, starter)?;
        let (mut used, mut found) = (0, None);
        while let Some((cp, n)) = D::next(s) {
            let Some(next) = self.step(node, cp) else { break };
            node = next;
            used += n;
            s = &s[n..];
            let state = self.nodes[usize::from(node)];
            if state.cell.is_some() {
                found = Some((state, used));
            }
        }
        found
    }

    fn list(&self, cell: u32) -> &[u16] {
        let (place, count) = ((cell & PLACE) as usize, ((cell & COUNT) >> 24) as usize);
        self.lists.get(place..place + count).unwrap_or(&[])
    }

    /// The weights of one place of `upper` on level 2 or 3.
    fn upper_list(&self, place: u16, third: bool) -> &[u16] {
        let at = usize::from(place);
        let (second, thirds) = (usize::from(self.upper[at]), usize::from(self.upper[at + 1]));
        let start = at + 2 + if third { second } else { 0 };
        &self.upper[start..start + if third { thirds } else { second }]
    }

    /// LIKE: whether two characters alone have the same weights on all `levels`.
    pub fn same(&self, a: u32, b: u32, levels: Levels) -> bool {
        if a == b {
            return true;
        }
        // The server does not match other supplementary characters here, whatever their weights.
        if (a > 0xFFFF || b > 0xFFFF)
            && (self.base.version == Version::V400 || self.base.version == Version::V1400 && levels.second)
        {
            return false;
        }
        let (x, y) = (self.cell(a), self.cell(b));
        let (m, n) = (x & COUNT, y & COUNT);
        let first = match m {
            _ if m != n => return false,
            // Implicit weights are the code point's own.
            IMPLICIT => false,
            0x0100_0000 => x & PLACE == y & PLACE,
            _ => self.list(x) == self.list(y),
        };
        let (p, q) = (self.upper_place(a), self.upper_place(b));
        first
            && (p == q
                || (!levels.second || self.upper_list(p, false) == self.upper_list(q, false))
                    && (!levels.third || self.upper_list(p, true) == self.upper_list(q, true)))
    }
}

/// Appends a list and returns its place.
fn place(lists: &mut Vec<u16>, list: &[u16]) -> u32 {
    let at = lists.len() as u32;
    lists.extend_from_slice(list);
    at
}

/// Reads one packed entry: the sequence of code points and the weights of three levels.
fn take_entry(rest: &mut &[u8]) -> Option<(Vec<u32>, [Vec<u16>; 3])> {
    let (&[length, counts @ ..], mut more) = rest.split_first_chunk::<4>()?;
    let mut sequence = Vec::with_capacity(usize::from(length));
    for _ in 0..length {
        let (&[a, b, c], after) = more.split_first_chunk::<3>()?;
        sequence.push(u32::from_le_bytes([a, b, c, 0]));
        more = after;
    }
    let mut levels = [const { Vec::new() }; 3];
    for (level, count) in levels.iter_mut().zip(counts) {
        for _ in 0..count {
            let (&w, after) = more.split_first_chunk::<2>()?;
            level.push(u16::from_le_bytes(w));
            more = after;
        }
    }
    *rest = more;
    Some((sequence, levels))
}

/// The two weights of a code point that has none in the table.
fn implicit(version: Version, cp: u32) -> (u16, u16) {
    let twelve = matches!(
        cp,
        0xFA0E | 0xFA0F | 0xFA11 | 0xFA13 | 0xFA14 | 0xFA1F | 0xFA21 | 0xFA23 | 0xFA24 | 0xFA27..=0xFA29
    );
    let base = match (version, cp) {
        (Version::V1400, 0x1_7000..=0x1_8AFF | 0x1_8D00..=0x1_8D7F) => {
            return (0xFB00, (cp - 0x1_7000) as u16 | 0x8000);
        }
        (Version::V1400, 0x1_B170..=0x1_B2FF) => return (0xFB01, (cp - 0x1_B170) as u16 | 0x8000),
        (Version::V1400, 0x1_8B00..=0x1_8CFF) => return (0xFB02, (cp - 0x1_8B00) as u16 | 0x8000),
        (_, 0x4E00..=0x9FA5) => 0xFB40,
        (Version::V1400, 0x9FA6..=0x9FFF) => 0xFB40,
        (Version::V520 | Version::V1400, _) if twelve => 0xFB40,
        (_, 0x3400..=0x4DB5) => 0xFB80,
        (
            Version::V1400,
            0x4DB6..=0x4DBF
            | 0x2_0000..=0x2_A6DF
            | 0x2_A700..=0x2_B738
            | 0x2_B740..=0x2_B81D
            | 0x2_B820..=0x2_CEA1
            | 0x2_CEB0..=0x2_EBE0
            | 0x3_0000..=0x3_134A,
        ) => 0xFB80,
        _ => 0xFBC0,
    };
    (base + (cp >> 15) as u16, (cp & 0x7FFF) as u16 | 0x8000)
}

/// The weights of level 1.
pub(crate) struct First<'a, D> {
    table: &'a Table,
    s: &'a [u8],
    /// Weights still to give of the last character; then `second`, unless 0.
    list: &'a [u16],
    second: u16,
    decoder: PhantomData<D>,
}

impl<'a, D> First<'a, D> {
    pub fn new(table: &'a Table, s: &'a [u8]) -> Self {
        Self { table, s, list: &[], second: 0, decoder: PhantomData }
    }
}

impl<D: Decoder> Iterator for First<'_, D> {
    type Item = u32;
    #[inline]
    fn next(&mut self) -> Option<u32> {
        if let Some((&weight, rest)) = self.list.split_first() {
            self.list = rest;
            return Some(u32::from(weight));
        }
        if self.second != 0 {
            return Some(u32::from(std::mem::take(&mut self.second)));
        }
        if D::ASCII
            && let Some((&byte, rest)) = self.s.split_first()
            && byte < 0x80
            && rest.first().is_none_or(|next| *next < 0x80)
        {
            let weight = self.table.ascii[0][usize::from(byte)];
            if weight != 0 {
                self.s = rest;
                return Some(u32::from(weight));
            }
        }
        self.character()
    }
}

impl<D: Decoder> First<'_, D> {
    /// The first weight of the next character or contraction that has any.
    fn character(&mut self) -> Option<u32> {
        loop {
            let (cp, n) = D::next(self.s)?;
            self.s = &self.s[n..];
            if cp >= BAD {
                return Some(BAD_WEIGHT);
            }
            let mut cell = self.table.cell(cp);
            if cell & STARTER != 0
                && let Some((node, used)) = self.table.contraction::<D>(cp, self.s)
            {
                self.s = &self.s[used..];
                cell = node.cell.unwrap_or(cell);
            }
            match cell & COUNT {
                0 => {}
                0x0100_0000 => return Some(cell & 0xFFFF),
                IMPLICIT => {
                    let (first, second) = implicit(self.table.base.version, cp);
                    self.second = second;
                    return Some(u32::from(first));
                }
                _ => {
                    if let Some((&weight, rest)) = self.table.list(cell).split_first() {
                        self.list = rest;
                        return Some(u32::from(weight));
                    }
                }
            }
        }
    }
}

/// The weights of level 2, or of level 3.
pub(crate) struct Upper<'a, D> {
    table: &'a Table,
    s: &'a [u8],
    list: &'a [u16],
    third: bool,
    decoder: PhantomData<D>,
}

impl<'a, D> Upper<'a, D> {
    pub fn new(table: &'a Table, s: &'a [u8], third: bool) -> Self {
        Self { table, s, list: &[], third, decoder: PhantomData }
    }
}

impl<D: Decoder> Iterator for Upper<'_, D> {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        loop {
            if let Some((&weight, rest)) = self.list.split_first() {
                self.list = rest;
                return Some(u32::from(weight));
            }
            if D::ASCII
                && let Some((&byte, rest)) = self.s.split_first()
                && byte < 0x80
                && rest.first().is_none_or(|next| *next < 0x80)
            {
                let weight = self.table.ascii[1 + usize::from(self.third)][usize::from(byte)];
                if weight != 0 {
                    self.s = rest;
                    return Some(u32::from(weight));
                }
            }
            let (cp, n) = D::next(self.s)?;
            self.s = &self.s[n..];
            if cp >= BAD {
                return Some(BAD_WEIGHT);
            }
            let mut place = self.table.upper_place(cp);
            if self.table.cell(cp) & STARTER != 0
                && let Some((node, used)) = self.table.contraction::<D>(cp, self.s)
            {
                self.s = &self.s[used..];
                place = node.upper;
            }
            self.list = self.table.upper_list(place, self.third);
        }
    }
}

/// A place at or before `at` (a character boundary of UTF-8 `s`) that no contraction spans.
pub(crate) fn before_contractions<D: Decoder>(table: &Table, s: &[u8], mut at: usize) -> usize {
    if table.starters.is_empty() {
        return at;
    }
    while at > 0 {
        let mut start = at - 1;
        while start > 0 && s[start] & 0xC0 == 0x80 {
            start -= 1;
        }
        match D::next(&s[start..at]) {
            // An ill-formed place is in no contraction.
            Some((cp, n)) if start + n == at && cp < BAD && table.is_inner(cp) => at = start,
            _ => break,
        }
    }
    at
}

/// Compares the ASCII text both strings begin with on level 1: their order if it is settled there, or else
/// a place up to which they are equal and from which they can be weighed.
#[inline]
pub(crate) fn compare_ascii(table: &Table, a: &[u8], b: &[u8]) -> Result<usize, Ordering> {
    let weights = &table.ascii[0];
    let mut at = 0;
    for (&x, &y) in a.iter().zip(b) {
        if (x | y) >= 0x80 {
            break;
        }
        let (v, w) = (weights[usize::from(x)], weights[usize::from(y)]);
        if v == 0 || w == 0 {
            break;
        }
        if v != w {
            let alone = |s: &[u8]| s.get(at + 1).is_none_or(|next| *next < 0x80);
            if alone(a) && alone(b) {
                return Err(v.cmp(&w));
            }
            break;
        }
        at += 1;
    }
    // The last of the equal ones may begin a contraction with what is not ASCII.
    Ok(at.saturating_sub(1))
}
