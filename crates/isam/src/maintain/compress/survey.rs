//! What the values of a column are like: the first pass over the rows.

use std::collections::HashMap;

/// Most bytes of a table of values, and most values.
const TABLE_BYTES: usize = 65535;
const TABLE_VALUES: usize = 32767;

/// What was seen of a column.
#[derive(Debug)]
pub struct Survey {
    /// Bytes of its place in a row.
    pub length: usize,
    /// Values differ in length: VARCHAR and BLOB.
    pub counted: bool,
    /// A BLOB.
    pub blob: bool,
    pub rows: u64,
    /// How often each byte occurs.
    pub bytes: Box<[u64; 256]>,
    /// Values that are all spaces, all zero (of columns of fixed length), or empty (of others).
    pub spaces: u64,
    pub zeros: u64,
    pub empty: u64,
    /// Zero bytes at the end of every value that is not all zero.
    pub zero_tail: usize,
    /// How many values have so many spaces at the end, and at the beginning; without those that are all spaces.
    pub end_spaces: Vec<u64>,
    pub pre_spaces: Vec<u64>,
    /// Bytes of the longest value.
    pub longest: u64,
    /// Values and how often they occur, while there are few.
    pub values: Option<HashMap<Box<[u8]>, u64>>,
}

impl Survey {
    pub fn new(length: usize, (counted, blob): (bool, bool)) -> Survey {
        Survey {
            length,
            counted,
            blob,
            rows: 0,
            bytes: Box::new([0; 256]),
            spaces: 0,
            zeros: 0,
            empty: 0,
            zero_tail: length,
            end_spaces: Vec::new(),
            pre_spaces: Vec::new(),
            longest: 0,
            values: (!counted).then(HashMap::new),
        }
    }

    /// Notes a value.
    pub fn note(&mut self, value: &[u8]) {
        self.rows += 1;
        for &b in value {
            self.bytes[usize::from(b)] += 1;
        }
        if self.counted {
            self.empty += u64::from(value.is_empty());
            self.longest = self.longest.max(value.len() as u64);
            return;
        }
        let tail = value.iter().rev().take_while(|b| **b == 0).count();
        if tail == value.len() {
            self.zeros += 1;
        } else {
            self.zero_tail = self.zero_tail.min(tail);
        }
        let end = value.iter().rev().take_while(|b| **b == b' ').count();
        if end == value.len() && end > 0 {
            self.spaces += 1;
        } else {
            count(&mut self.end_spaces, end);
            count(&mut self.pre_spaces, value.iter().take_while(|b| **b == b' ').count());
        }
        if let Some(values) = &mut self.values {
            let room = values.len() < TABLE_VALUES && (values.len() + 1) * value.len() <= TABLE_BYTES;
            match values.get_mut(value) {
                Some(n) => *n += 1,
                None if room => {
                    values.insert(value.into(), 1);
                }
                None => self.values = None,
            }
        }
    }
}

fn count(counts: &mut Vec<u64>, n: usize) {
    if counts.len() <= n {
        counts.resize(n + 1, 0);
    }
    counts[n] += 1;
}
