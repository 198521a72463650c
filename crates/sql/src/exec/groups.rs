//! A hash table from key bytes to group numbers, for GROUP BY, DISTINCT and hash joins.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Keys seen so far, numbered from 0 in the order they came.
pub struct Groups {
    table: HashTable<u32>,
    hasher: FixedState,
    keys: Vec<u8>,
    ends: Vec<usize>,
}

impl Default for Groups {
    fn default() -> Self {
        Groups { table: HashTable::new(), hasher: FixedState::default(), keys: Vec::new(), ends: Vec::new() }
    }
}

impl Groups {
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

    /// The bytes of key `n`.
    #[must_use]
    pub fn key(&self, n: usize) -> &[u8] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.keys[start..self.ends[n]]
    }

    /// The number of `key`; true when it is new.
    #[inline]
    pub fn insert(&mut self, key: &[u8]) -> (usize, bool) {
        let hash = self.hasher.hash_one(key);
        let (keys, ends, hasher) = (&self.keys, &self.ends, &self.hasher);
        let slice = |n: u32| {
            let n = n as usize;
            let start = if n == 0 { 0 } else { ends[n - 1] };
            &keys[start..ends[n]]
        };
        if let Some(n) = self.table.find(hash, |n| slice(*n) == key) {
            return (*n as usize, false);
        }
        let n = self.ends.len();
        self.table.insert_unique(hash, n as u32, |n| hasher.hash_one(slice(*n)));
        self.keys.extend_from_slice(key);
        self.ends.push(self.keys.len());
        (n, true)
    }

    /// The number of `key` when it was seen.
    #[inline]
    #[must_use]
    pub fn find(&self, key: &[u8]) -> Option<usize> {
        let hash = self.hasher.hash_one(key);
        self.table.find(hash, |n| self.key(*n as usize) == key).map(|n| *n as usize)
    }

    /// Bytes held.
    #[inline]
    #[must_use]
    pub fn memory(&self) -> usize {
        self.keys.capacity() + self.ends.capacity() * 8 + self.table.capacity() * 5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
