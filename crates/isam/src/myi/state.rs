//! The state of a table: the bytes `0 .. base_pos` of the `.MYI`, read and changed in place.
//!
//! They are one versioned value of the page store, so a reader's counters, roots and file lengths are those of its snapshot.

use super::NIL;

/// Where the fields of the state lie; they depend on the number of keys and block sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateOffsets {
    roots: u32,
    keys: u32,
    blocks: u32,
    part_b: u32,
    key_parts: u32,
}

impl StateOffsets {
    /// Offsets for a header with `state_info_length`, this many keys, block sizes and key parts.
    #[must_use]
    pub fn new(state_info_length: u16, keys: u8, max_block_size_index: u8, key_parts: u16) -> StateOffsets {
        let roots = 124 + u32::from(state_info_length.saturating_sub(176));
        let part_b = roots + 8 * u32::from(keys) + 8 * u32::from(max_block_size_index);
        StateOffsets {
            roots,
            keys: u32::from(keys),
            blocks: u32::from(max_block_size_index),
            part_b,
            key_parts: u32::from(key_parts),
        }
    }

    /// Length of the state blob = offset of the base info.
    #[must_use]
    pub fn len(&self) -> usize {
        (self.part_b + 52 + 4 * self.key_parts) as usize
    }

    /// A state is never empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Offset of the second part of the state (statistics, key map, times).
    #[must_use]
    pub fn part_b(&self) -> usize {
        self.part_b as usize
    }

    fn root(&self, key: usize) -> usize {
        debug_assert!(key < self.keys as usize);
        self.roots as usize + 8 * key
    }

    fn free(&self, index: usize) -> usize {
        debug_assert!(index < self.blocks as usize);
        self.roots as usize + 8 * (self.keys as usize + index)
    }
}

fn get8(b: &[u8], at: usize) -> u64 {
    match b.get(at..at + 8) {
        Some(s) => u64::from_be_bytes([s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]]),
        None => 0,
    }
}

fn get4(b: &[u8], at: usize) -> u32 {
    match b.get(at..at + 4) {
        Some(s) => u32::from_be_bytes([s[0], s[1], s[2], s[3]]),
        None => 0,
    }
}

macro_rules! fields {
    ($($(#[$doc:meta])* $get:ident, $set:ident, $at:expr;)*) => {
        impl StateView<'_> {
            $($(#[$doc])* #[must_use] pub fn $get(&self) -> u64 { get8(self.bytes, $at) })*
        }
        impl StateMut<'_> {
            $($(#[$doc])* pub fn $set(&mut self, value: u64) { self.put($at, &value.to_be_bytes()); })*
        }
    };
}

/// Reads the state.
#[derive(Clone, Copy, Debug)]
pub struct StateView<'a> {
    bytes: &'a [u8],
    offsets: StateOffsets,
}

/// Changes the state.
#[derive(Debug)]
pub struct StateMut<'a> {
    bytes: &'a mut [u8],
    offsets: StateOffsets,
}

fields! {
    /// Live rows.
    records, set_records, 28;
    /// Deleted rows (fixed) or blocks (dynamic).
    del, set_del, 36;
    /// Rows incl. deleted (fixed), blocks of every kind (dynamic).
    split, set_split, 44;
    /// Head of the chain of deleted rows or blocks: a byte offset, or [`NIL`].
    dellink, set_dellink, 52;
    /// Used bytes of the `.MYI`.
    key_file_length, set_key_file_length, 60;
    /// Used bytes of the `.MYD`.
    data_file_length, set_data_file_length, 68;
    /// Bytes in deleted rows or blocks.
    empty, set_empty, 76;
    /// Highest AUTO_INCREMENT value used.
    auto_increment, set_auto_increment, 92;
    /// Table checksum: sum of the row checksums modulo 2^32.
    checksum, set_checksum, 100;
}

impl<'a> StateView<'a> {
    /// A view of `bytes`, which hold at least [`StateOffsets::len`] bytes (missing bytes read as 0).
    #[must_use]
    pub fn new(bytes: &'a [u8], offsets: StateOffsets) -> StateView<'a> {
        StateView { bytes, offsets }
    }

    /// Openers that changed the table and did not close it.
    #[must_use]
    pub fn open_count(&self) -> u16 {
        (get4(self.bytes, 24) >> 16) as u16
    }

    /// The bits of [`super::changed`].
    #[must_use]
    pub fn changed(&self) -> u8 {
        (get4(self.bytes, 24) >> 8) as u8
    }

    /// Option bits of the header.
    #[must_use]
    pub fn options(&self) -> u16 {
        (get4(self.bytes, 4) >> 16) as u16
    }

    /// State write-backs of the last writer instance.
    #[must_use]
    pub fn update_count(&self) -> u32 {
        get4(self.bytes, 120)
    }

    /// Root page of `key`, or [`NIL`].
    #[must_use]
    pub fn key_root(&self, key: usize) -> u64 {
        get8(self.bytes, self.offsets.root(key))
    }

    /// First free page of size `(index + 1) * 1024`, or [`NIL`].
    #[must_use]
    pub fn key_del(&self, index: usize) -> u64 {
        if index < self.offsets.blocks as usize { get8(self.bytes, self.offsets.free(index)) } else { NIL }
    }

    /// Creation time stamp.
    #[must_use]
    pub fn version(&self) -> u32 {
        get4(self.bytes, self.offsets.part_b as usize + 8)
    }

    /// Bit i: key i is active.
    #[must_use]
    pub fn key_map(&self) -> u64 {
        get8(self.bytes, self.offsets.part_b as usize + 12)
    }

    /// Is `key` maintained?
    #[must_use]
    pub fn key_active(&self, key: usize) -> bool {
        self.key_map() >> key.min(63) & 1 == 1
    }

    /// Seconds since 1970.
    #[must_use]
    pub fn create_time(&self) -> u64 {
        get8(self.bytes, self.offsets.part_b as usize + 20)
    }

    /// Last repair, seconds since 1970, or 0.
    #[must_use]
    pub fn recover_time(&self) -> u64 {
        get8(self.bytes, self.offsets.part_b as usize + 28)
    }

    /// Last check, seconds since 1970, or 0.
    #[must_use]
    pub fn check_time(&self) -> u64 {
        get8(self.bytes, self.offsets.part_b as usize + 36)
    }

    /// Rows at the time the statistics were made.
    #[must_use]
    pub fn rec_per_key_rows(&self) -> u64 {
        get8(self.bytes, self.offsets.part_b as usize + 44)
    }

    /// Average rows per distinct value of segment `part` (numbered over all keys in file order); 0 = unknown.
    #[must_use]
    pub fn rec_per_key(&self, part: usize) -> u32 {
        if part < self.offsets.key_parts as usize {
            get4(self.bytes, self.offsets.part_b as usize + 52 + 4 * part)
        } else {
            0
        }
    }
}

impl<'a> StateMut<'a> {
    /// Changes `bytes`, which hold at least [`StateOffsets::len`] bytes.
    pub fn new(bytes: &'a mut [u8], offsets: StateOffsets) -> StateMut<'a> {
        StateMut { bytes, offsets }
    }

    /// The same state for reading.
    #[must_use]
    pub fn view(&self) -> StateView<'_> {
        StateView { bytes: self.bytes, offsets: self.offsets }
    }

    fn put(&mut self, at: usize, value: &[u8]) {
        if let Some(s) = self.bytes.get_mut(at..at + value.len()) {
            s.copy_from_slice(value);
        }
    }

    /// Option bits of the header.
    pub fn set_options(&mut self, value: u16) {
        self.put(4, &value.to_be_bytes());
    }

    /// Openers that changed the table and did not close it.
    pub fn set_open_count(&mut self, value: u16) {
        self.put(24, &value.to_be_bytes());
    }

    /// The bits of [`super::changed`].
    pub fn set_changed(&mut self, value: u8) {
        self.put(26, &[value]);
    }

    /// Adds bits of [`super::changed`].
    pub fn add_changed(&mut self, bits: u8) {
        let value = self.view().changed() | bits;
        self.set_changed(value);
    }

    /// State write-backs of the last writer instance.
    pub fn set_update_count(&mut self, value: u32) {
        self.put(120, &value.to_be_bytes());
    }

    /// Root page of `key`, or [`NIL`].
    pub fn set_key_root(&mut self, key: usize, page: u64) {
        self.put(self.offsets.root(key), &page.to_be_bytes());
    }

    /// First free page of size `(index + 1) * 1024`, or [`NIL`].
    pub fn set_key_del(&mut self, index: usize, page: u64) {
        self.put(self.offsets.free(index), &page.to_be_bytes());
    }

    /// Creation time stamp.
    pub fn set_version(&mut self, value: u32) {
        self.put(self.offsets.part_b as usize + 8, &value.to_be_bytes());
    }

    /// Bit i: key i is active.
    pub fn set_key_map(&mut self, value: u64) {
        self.put(self.offsets.part_b as usize + 12, &value.to_be_bytes());
    }

    /// Seconds since 1970.
    pub fn set_create_time(&mut self, value: u64) {
        self.put(self.offsets.part_b as usize + 20, &value.to_be_bytes());
    }

    /// Last repair, seconds since 1970, or 0.
    pub fn set_recover_time(&mut self, value: u64) {
        self.put(self.offsets.part_b as usize + 28, &value.to_be_bytes());
    }

    /// Last check, seconds since 1970, or 0.
    pub fn set_check_time(&mut self, value: u64) {
        self.put(self.offsets.part_b as usize + 36, &value.to_be_bytes());
    }

    /// Rows at the time the statistics were made.
    pub fn set_rec_per_key_rows(&mut self, value: u64) {
        self.put(self.offsets.part_b as usize + 44, &value.to_be_bytes());
    }

    /// Average rows per distinct value of segment `part` (numbered over all keys in file order).
    pub fn set_rec_per_key(&mut self, part: usize, value: u32) {
        if part < self.offsets.key_parts as usize {
            self.put(self.offsets.part_b as usize + 52 + 4 * part, &value.to_be_bytes());
        }
    }
}
