//! Rows per distinct value of the leading parts of a key.

use crate::error::Result;
use crate::key::KeyInfo;
use crate::key::compare::{same_parts, segment_end};
use crate::myi::StateMut;
use crate::source::{PageSource, PageStore};
use crate::{KeyCursor, SeekMode, TableFormat};

/// How NULLs count (`myisam_stats_method`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatsMethod {
    /// Every NULL is a value of its own.
    #[default]
    NullsUnequal,
    /// All NULLs are one value.
    NullsEqual,
    /// Entries with NULL do not count.
    NullsIgnored,
}

/// Counts changes over the entries of a key in order.
#[derive(Clone, Debug)]
pub(crate) struct KeyStatistics {
    method: StatsMethod,
    /// d(s): neighbours that differ within the first s parts.
    differ: Vec<u64>,
    /// Entries without NULL in the first s parts.
    whole: Vec<u64>,
    before: Vec<u8>,
    entries: u64,
}

impl KeyStatistics {
    pub fn new(key: &KeyInfo, method: StatsMethod) -> KeyStatistics {
        let n = key.segments.len();
        KeyStatistics { method, differ: vec![0; n], whole: vec![0; n], before: Vec::new(), entries: 0 }
    }

    /// The number of leading parts without NULL.
    pub fn parts_without_null(key: &KeyInfo, flat: &[u8]) -> usize {
        let at = |i: usize| flat.get(i).copied();
        let mut start = 0;
        for (i, seg) in key.segments.iter().enumerate() {
            if seg.nullable && at(start) == Some(0) {
                return i;
            }
            match segment_end(seg, start, &at) {
                Some(end) => start = end,
                None => return i,
            }
        }
        key.segments.len()
    }

    /// Takes the next entry's flat key.
    pub fn add(&mut self, key: &KeyInfo, flat: &[u8]) {
        self.add_next(key, flat, None);
    }

    /// As [`KeyStatistics::add`]; `repeats`: whether the key is that of the entry before in all parts, where that is known of all entries.
    pub fn add_next(&mut self, key: &KeyInfo, flat: &[u8], repeats: Option<bool>) {
        let parts = key.segments.len();
        let whole = Self::parts_without_null(key, flat);
        for w in &mut self.whole[..whole] {
            *w += 1;
        }
        if self.entries > 0 {
            // from the first part that differs on all longer prefixes differ, too
            let mut same = match repeats {
                Some(true) => parts,
                Some(false) if parts == 1 => 0,
                _ if self.before == flat => parts,
                _ => same_parts(&key.segments, &self.before, flat),
            };
            if self.method == StatsMethod::NullsUnequal {
                same = same.min(whole);
            }
            for d in &mut self.differ[same..] {
                *d += 1;
            }
        }
        self.entries += 1;
        if repeats.is_none() || parts > 1 {
            self.before.clear();
            self.before.extend_from_slice(flat);
        }
    }

    /// Rows per value for each number of leading parts.
    pub fn rows_per_value(&self, key: &KeyInfo, records: u64) -> Vec<u32> {
        if key.is_fulltext() {
            // Distinct words count, for every column alike; without any seen, as after building by sorting, all rows are one value.
            let unique = self.differ[0] + 1;
            let value = if unique == 1 { records } else { (records + unique / 2) / unique };
            return vec![u32::try_from(value.max(1)).unwrap_or(u32::MAX); key.defined_parts];
        }
        if key.is_spatial() {
            // rectangles have no order, in which values could be counted
            return vec![u32::try_from(records.max(1)).unwrap_or(u32::MAX); key.defined_parts];
        }
        let parts = key.segments.len();
        let nullable = key.segments.iter().any(|s| s.nullable);
        (0..parts)
            .map(|i| {
                if i + 1 == parts && key.is_unique() && !nullable {
                    return 1;
                }
                let (mut rows, mut unique) = (records, self.differ[i] + 1);
                if self.method == StatsMethod::NullsIgnored {
                    let nulls = self.entries - self.whole[i];
                    rows = self.whole[i];
                    unique = unique.saturating_sub(nulls).max(1);
                }
                let value = if self.differ[i] == 0 { rows } else { (rows + unique / 2) / unique };
                u32::try_from(value.max(1)).unwrap_or(u32::MAX)
            })
            .collect()
    }
}

impl TableFormat {
    /// Rows per value of each part of a key, by walking it.
    ///
    /// # Errors
    /// 126 if a page is damaged, 124 if the key is disabled.
    pub fn key_statistics<S: PageSource>(
        &self,
        src: &S,
        key: usize,
        method: StatsMethod,
    ) -> Result<Vec<u32>> {
        let info = &*self.keys[key];
        let mut statistics = KeyStatistics::new(info, method);
        let mut cursor = KeyCursor::new(self, key);
        let mut more = cursor.seek(src, &[], 0, SeekMode::First)?;
        while more {
            statistics.add(info, cursor.key());
            more = cursor.next(src)?;
        }
        Ok(statistics.rows_per_value(info, self.state(src).records()))
    }

    /// Stores statistics made by [`TableFormat::key_statistics`] in the state of `store`.
    pub fn store_key_statistics<S: PageStore>(&self, store: &mut S, key: usize, values: &[u32]) {
        let first = self.keys[key].first_part;
        let records = self.state(store).records();
        let mut state = StateMut::new(store.state_mut(), self.offsets);
        for (i, &v) in values.iter().enumerate() {
            state.set_rec_per_key(first + i, v);
        }
        state.set_rec_per_key_rows(records);
    }
}
