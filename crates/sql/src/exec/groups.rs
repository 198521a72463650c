//! A hash table from key bytes to group numbers, for GROUP BY, DISTINCT and hash joins.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::keysort;

/// So many keys are too many for any memory: their numbers have 32 bits. Rows of a batch may follow.
pub(super) const FULL: usize = u32::MAX as usize - (1 << 20);

/// A key's number, and part of its hash: few other keys are looked at, and growing looks at none.
struct Entry {
    hash: u32,
    number: u32,
}

impl Entry {
    /// The hash as the table wants it, which uses both ends.
    fn spread(hash: u32) -> u64 {
        u64::from(hash) << 32 | u64::from(hash)
    }
}

/// What the key of one integer begins with: it is not NULL.
const INTEGER: u8 = 1;

/// What a key of one integer says, as they all are in most tables of groups.
#[inline]
fn integer(key: &[u8]) -> Option<u64> {
    let [INTEGER, bytes @ ..] = key else { return None };
    <[u8; 8]>::try_from(bytes).ok().map(u64::from_be_bytes)
}

/// The place of an integer among all of them, which its key says.
#[inline]
fn place_of(x: i64) -> u64 {
    x.cast_unsigned() ^ (1 << 63)
}

/// No key has this number.
const NONE: u32 = u32::MAX;

/// From so many integers on it is looked whether they lie close together.
const FIRST_LOOK: usize = 4;

/// Integers of a page of [`Near`].
const PAGE: usize = 64;

/// The numbers of integers that lie close together, by their distance from the first. A thread that reads every other part of a file has
/// wide gaps between them: pages without a key take no memory.
#[derive(Default)]
struct Near {
    base: u64,
    pages: Vec<Option<Box<[u32; PAGE]>>>,
    /// Pages with keys.
    held: usize,
}

impl Near {
    #[inline]
    fn find(&self, x: u64) -> Option<u32> {
        let place = x.wrapping_sub(self.base);
        let page = self.pages.get(usize::try_from(place / PAGE as u64).unwrap_or(usize::MAX))?.as_deref()?;
        Some(page[place as usize % PAGE]).filter(|n| *n != NONE)
    }

    /// Gives a key behind `base` its number.
    #[inline]
    fn put(&mut self, x: u64, number: u32) {
        let place = (x - self.base) as usize;
        if place / PAGE >= self.pages.len() {
            self.pages.resize_with(place / PAGE + 1, || None);
        }
        let held = &mut self.held;
        let page = self.pages[place / PAGE].get_or_insert_with(|| {
            *held += 1;
            Box::new([NONE; PAGE])
        });
        page[place % PAGE] = number;
    }

    /// The keys and their numbers.
    fn iter(&self) -> impl Iterator<Item = (u64, u32)> {
        let pages = self.pages.iter().zip(0u64..).filter_map(|(page, n)| Some((page.as_deref()?, n)));
        let keys = pages.flat_map(|(page, n)| page.iter().zip(n * PAGE as u64..));
        keys.filter(|(number, _)| **number != NONE).map(|(number, place)| (self.base + place, *number))
    }

    fn memory(&self) -> usize {
        self.held * size_of::<[u32; PAGE]>() + self.pages.capacity() * size_of::<Option<Box<[u32; PAGE]>>>()
    }
}

/// Keys of one integer with their numbers. Those that lie close together are found by their place, without a hash.
struct Integers {
    near: Near,
    others: HashTable<(u64, u32)>,
    hasher: FixedState,
    /// All of them, and the bounds between which they are.
    count: usize,
    least: u64,
    most: u64,
    next_look: usize,
}

impl Default for Integers {
    fn default() -> Self {
        Integers {
            near: Near::default(),
            others: HashTable::new(),
            hasher: FixedState::default(),
            count: 0,
            least: u64::MAX,
            most: 0,
            next_look: FIRST_LOOK,
        }
    }
}

impl Integers {
    /// The places that so many keys may take. Order numbers that use every fourth number, in parts of which each of two threads has
    /// every other one, take eight each; beyond twelve a hash table is smaller.
    fn room(&self) -> u64 {
        self.count as u64 * 12 + 64
    }

    #[inline]
    fn find(&self, x: u64) -> Option<u32> {
        match self.near.find(x) {
            Some(n) => Some(n),
            None if self.others.is_empty() => None,
            None => self.others.find(self.hasher.hash_one(x), |e| e.0 == x).map(|e| e.1),
        }
    }

    /// Adds a key that is not there.
    #[inline]
    fn insert(&mut self, x: u64, number: u32) {
        self.count += 1;
        (self.least, self.most) = (self.least.min(x), self.most.max(x));
        let place = x.wrapping_sub(self.near.base);
        let known = (self.near.pages.len() * PAGE) as u64;
        if known > 0 && place < self.room().max(known) {
            self.near.put(x, number);
        } else {
            let hasher = &self.hasher;
            self.others.insert_unique(hasher.hash_one(x), (x, number), |e| hasher.hash_one(e.0));
        }
        if self.count >= self.next_look {
            self.look();
        }
    }

    /// Puts all keys side by side when they lie close together.
    #[cold]
    fn look(&mut self) {
        self.next_look = self.count * 2;
        if self.others.is_empty() || self.most - self.least >= self.room() {
            return;
        }
        let old = std::mem::replace(&mut self.near, Near { base: self.least, ..Near::default() });
        let others = std::mem::take(&mut self.others);
        old.iter().chain(others).for_each(|(x, number)| self.near.put(x, number));
    }

    fn memory(&self) -> usize {
        self.near.memory() + self.others.capacity() * (size_of::<(u64, u32)>() + 1)
    }
}

/// From so many keys on a table is more than the processor's cache holds.
const MANY: usize = 1 << 14;

/// The keys of the rows of a batch, one behind the other.
#[derive(Clone, Default)]
pub struct KeyBatch {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl KeyBatch {
    /// Forgets all keys.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Adds a key, which `write` appends.
    #[inline]
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    /// The key with this number.
    #[inline]
    #[must_use]
    pub fn get(&self, n: usize) -> &[u8] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.bytes[start..self.ends[n]]
    }

    /// The number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The keys.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len()).map(|n| self.get(n))
    }

    /// Bytes held.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<usize>()
    }
}

/// Where keys end that stand one behind the other. As long as all have the same length that is all there is to know.
#[derive(Default)]
struct Ends {
    count: usize,
    each: usize,
    /// The ends, once lengths differ.
    ends: Vec<usize>,
}

impl Ends {
    /// A key was added that ends here.
    #[inline]
    fn push(&mut self, end: usize) {
        if self.count == 0 {
            self.each = end;
        }
        if self.ends.is_empty() && end == (self.count + 1) * self.each {
            self.count += 1;
            return;
        }
        if self.ends.is_empty() {
            self.ends.extend((1..=self.count).map(|n| n * self.each));
        }
        self.ends.push(end);
        self.count += 1;
    }

    /// Where key `n` begins.
    #[inline]
    fn start(&self, n: usize) -> usize {
        match n {
            0 => 0,
            _ if self.ends.is_empty() => n * self.each,
            _ => self.ends[n - 1],
        }
    }
}

/// Keys seen so far, numbered from 0 in the order they came.
pub struct Groups {
    table: HashTable<Entry>,
    /// Keys of one integer.
    integers: Integers,
    hasher: FixedState,
    keys: Vec<u8>,
    ends: Ends,
}

impl Default for Groups {
    fn default() -> Self {
        Groups {
            table: HashTable::new(),
            integers: Integers::default(),
            hasher: FixedState::default(),
            keys: Vec::new(),
            ends: Ends::default(),
        }
    }
}

impl Groups {
    /// Whether the keys are integers that lie close together: they are found faster than in any part of them.
    #[must_use]
    pub fn are_near(&self) -> bool {
        self.table.is_empty() && self.integers.others.is_empty() && self.integers.count > 0
    }

    /// Makes room for so many keys that are not integers.
    pub fn reserve(&mut self, keys: usize) {
        self.table.reserve(keys, |e| Entry::spread(e.hash));
    }

    /// The number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.count
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.count == 0
    }

    /// The bytes of key `n`.
    #[must_use]
    pub fn key(&self, n: usize) -> &[u8] {
        &self.keys[self.ends.start(n)..self.ends.start(n + 1)]
    }

    /// The number of the key of one integer that is not NULL, if it is there.
    #[inline]
    #[must_use]
    pub fn find_integer(&self, x: i64) -> Option<usize> {
        self.integers.find(place_of(x)).map(|n| n as usize)
    }

    /// The number of the key of one integer that is not NULL; true when it is new. The key has the bytes that
    /// [`super::sortkey::encode_value`] makes of it.
    #[inline]
    pub fn insert_integer(&mut self, x: i64) -> (usize, bool) {
        self.insert_place(place_of(x))
    }

    #[inline]
    fn insert_place(&mut self, x: u64) -> (usize, bool) {
        if let Some(n) = self.integers.find(x) {
            return (n as usize, false);
        }
        let n = self.ends.count;
        self.integers.insert(x, n as u32);
        self.keys.push(INTEGER);
        self.keys.extend_from_slice(&x.to_be_bytes());
        self.ends.push(self.keys.len());
        (n, true)
    }

    /// The number of `key`; true when it is new.
    #[inline]
    pub fn insert(&mut self, key: &[u8]) -> (usize, bool) {
        // `memory` is beyond every budget before there are too many
        if let Some(x) = integer(key) {
            return self.insert_place(x);
        }
        let hash = self.hash(key);
        if let Some(n) = self.found(key, hash) {
            return (n, false);
        }
        let n = self.ends.count;
        let entry = Entry { hash, number: n as u32 };
        self.table.insert_unique(Entry::spread(hash), entry, |e| Entry::spread(e.hash));
        self.keys.extend_from_slice(key);
        self.ends.push(self.keys.len());
        (n, true)
    }

    /// Forgets the keys, keeps their room.
    pub fn clear(&mut self) {
        self.table.clear();
        self.integers = Integers::default();
        self.keys.clear();
        self.ends.ends.clear();
        (self.ends.count, self.ends.each) = (0, 0);
    }

    /// Looks at where these keys may be, one after the other, so that the processor waits for many cache lines at once.
    pub fn look_ahead(&self, keys: &KeyBatch) {
        if self.table.len() < MANY {
            return;
        }
        let entry = |n: usize| {
            let hash = self.hash(keys.get(n));
            self.table.find(Entry::spread(hash), |e| e.hash == hash).map(|e| e.number as usize)
        };
        let found: Vec<usize> = (0..keys.len()).filter_map(entry).collect();
        let starts: Vec<usize> = found.iter().map(|n| self.ends.start(*n)).collect();
        let first = |start: &usize| self.keys.get(*start).copied().unwrap_or(0);
        std::hint::black_box(starts.iter().map(first).fold(0, |all, byte| all ^ byte));
    }

    /// The numbers of the first `most` keys in the order of their bytes.
    #[must_use]
    pub fn sorted(&self, most: usize) -> Vec<u32> {
        keysort::order(self.len(), most, |n| self.key(n))
    }

    fn hash(&self, key: &[u8]) -> u32 {
        let hash = self.hasher.hash_one(key);
        (hash >> 32) as u32 ^ hash as u32
    }

    #[inline]
    fn found(&self, key: &[u8], hash: u32) -> Option<usize> {
        let same = |e: &Entry| e.hash == hash && self.key(e.number as usize) == key;
        self.table.find(Entry::spread(hash), same).map(|e| e.number as usize)
    }

    /// The number of `key` when it was seen.
    #[inline]
    #[must_use]
    pub fn find(&self, key: &[u8]) -> Option<usize> {
        match integer(key) {
            Some(x) => self.integers.find(x).map(|n| n as usize),
            None => self.found(key, self.hash(key)),
        }
    }

    /// Bytes held.
    #[inline]
    #[must_use]
    pub fn memory(&self) -> usize {
        if self.ends.count >= FULL {
            return usize::MAX >> 2;
        }
        let tables = self.table.capacity() * (size_of::<Entry>() + 1) + self.integers.memory();
        self.keys.capacity() + self.ends.ends.capacity() * size_of::<usize>() + tables
    }
}

#[cfg(test)]
mod tests {
    use super::super::sortkey;
    use super::*;
    use crate::types::ValueRef;

    #[test]
    fn equal_keys_share_a_number() {
        let mut g = Groups::default();
        for round in 0..2 {
            for i in 0..5_000u32 {
                assert_eq!(g.insert(&i.to_le_bytes()), (i as usize, round == 0));
            }
        }
        assert_eq!(g.find(&7u32.to_le_bytes()), Some(7));
        assert_eq!(g.find(b"none"), None);
        assert_eq!(g.key(9), 9u32.to_le_bytes());
        // integers beside keys that begin as they do
        let mut g = Groups::default();
        let integer = |n: u64| [&[1][..], &n.to_be_bytes()].concat();
        let keys: Vec<Vec<u8>> = (0..9_000u64)
            .map(|n| match n % 3 {
                0 => integer(n / 3),
                1 => [integer(n / 3), b"more".to_vec()].concat(),
                _ => [vec![0], integer(n / 3)[1..].to_vec()].concat(),
            })
            .collect();
        for round in 0..2 {
            for (n, key) in keys.iter().enumerate() {
                assert_eq!(g.find(key), (round == 1).then_some(n));
                assert_eq!(g.insert(key), (n, round == 0));
            }
        }
    }

    #[test]
    fn keys_of_one_length_and_of_several() {
        for differs in [0, 1, 2, 500, 2_000] {
            let mut g = Groups::default();
            let key = |n: usize| match n {
                // an empty one, too
                0 if differs == 1 => Vec::new(),
                n if n < differs => n.to_le_bytes().to_vec(),
                n => [&n.to_le_bytes()[..], &vec![7; n % 5]].concat(),
            };
            for n in 0..1_000 {
                assert_eq!(g.insert(&key(n)), (n, true));
                assert_eq!(g.key(n / 2), key(n / 2));
            }
            assert!((0..1_000).all(|n| g.key(n) == key(n) && g.find(&key(n)) == Some(n)));
            assert_eq!(g.len(), 1_000);
        }
    }

    #[test]
    fn integers_are_found_with_and_without_their_bytes() {
        let values = [0, -1, 1, i64::MIN, i64::MAX, 77, 1 << 40].into_iter().chain(1_000..3_000);
        let mut groups = Groups::default();
        groups.insert(b"none of them");
        for (n, x) in (1..).zip(values) {
            let mut key = Vec::new();
            sortkey::encode_value(ValueRef::Int(x), charset::binary(), &mut key, &mut Vec::new());
            assert_eq!((groups.find_integer(x), groups.find(&key)), (None, None));
            let first = if n % 2 == 0 { groups.insert_integer(x) } else { groups.insert(&key) };
            assert_eq!(first, (n, true));
            assert_eq!((groups.insert_integer(x), groups.insert(&key)), ((n, false), (n, false)));
            assert_eq!((groups.find_integer(x), groups.find(&key)), (Some(n), Some(n)));
            assert_eq!(groups.key(n), key);
        }
    }

    #[test]
    fn looking_ahead_changes_nothing() {
        let mut groups = Groups::default();
        let mut keys = KeyBatch::default();
        for batch in 0..40u32 {
            // half of them are known; one is empty
            keys.clear();
            keys.push(|_| ());
            (0..1_000u32).for_each(|n| keys.push(|key| key.extend((batch * 500 + n).to_le_bytes())));
            groups.look_ahead(&keys);
            for n in 0..keys.len() {
                let known = batch > 0 && n <= 500;
                assert_eq!(groups.find(keys.get(n)).is_some(), known);
                assert_eq!(groups.insert(keys.get(n)).1, !known);
            }
        }
        assert_eq!(groups.len(), 20_501);
    }

    #[test]
    fn integers_near_and_far() {
        // by order: up, down, from the middle, far ones between, both ends of all integers
        let orders: [&dyn Fn(u64) -> u64; 5] = [
            &|n| 5_000 + n,
            &|n| 90_000 - n,
            &|n| (n * 7_919 + 20_000) % 40_009,
            &|n| if n % 50 == 0 { (n + 1) << 40 } else { n },
            &|n| if n % 2 == 0 { u64::MAX - n } else { n },
        ];
        for value in orders {
            let mut integers = Integers::default();
            for n in 0..40_000 {
                assert_eq!(integers.find(value(n)), None);
                integers.insert(value(n), n as u32);
                assert_eq!(integers.find(value(n / 2)), Some((n / 2) as u32));
            }
            assert!((0..40_000).all(|n| integers.find(value(n)) == Some(n as u32)));
            assert_eq!(integers.find(1 << 62), None);
            assert!(integers.memory() < 4 << 20);
        }
    }
}
