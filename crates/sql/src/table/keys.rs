//! What keys are to those who plan and walk them.

use std::cmp::Ordering;

use isam::KeyInfo;
use isam::key::compare::compare;
use isam::key::encode::encode;

/// Orders two stored values as entries of a key do that differ in this part alone; whether the part is descending is left out.
#[must_use]
pub fn order_values(key: &KeyInfo, part: usize, a: &[u8], b: &[u8]) -> Ordering {
    let mut one = key.clone();
    one.segments = vec![key.segments[part]];
    one.segments[0].descending = false;
    let (mut first, mut second) = (Vec::new(), Vec::new());
    encode(&one, [Some(a)], &mut first);
    encode(&one, [Some(b)], &mut second);
    compare(&one, &first, &second, 1)
}

/// Orders two entries of a key by so many leading parts.
#[must_use]
pub fn order_entries(key: &KeyInfo, a: &[u8], b: &[u8], parts: usize) -> Ordering {
    compare(key, a, b, parts)
}
