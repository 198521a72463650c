//! What tells the rows of a batch apart for a GROUP BY: the bytes of their keys, or, where the key is one integer, that number.

use super::sortkey;
use crate::expr::VecRef;
use crate::plan::GroupPlan;
use crate::types::Class;

/// Room for the bytes of a key, used again from batch to batch.
#[derive(Default)]
pub struct KeyRoom {
    key: Vec<u8>,
    scratch: Vec<u8>,
}

/// The keys of the rows of a batch. A row's bytes are made when somebody asks for them: groups by one integer are found without
/// ([`Level::place`](super::level::Level::place)), and most rows belong to a group that was met before.
pub struct GroupKeys<'k> {
    g: &'k GroupPlan,
    values: &'k [VecRef<'k>],
    /// The values, where they are integers of one column and none is NULL.
    integers: Option<&'k [i64]>,
    room: &'k mut KeyRoom,
    /// The row whose bytes are in `room`.
    made: Option<usize>,
}

impl<'k> GroupKeys<'k> {
    /// Keys of these values: all of the plan's keys, or the first of them.
    pub fn new(g: &'k GroupPlan, values: &'k [VecRef<'k>], room: &'k mut KeyRoom) -> GroupKeys<'k> {
        GroupKeys { g, values, integers: integers(g, values), room, made: None }
    }

    /// The only value of a row's key, where no row of the batch has another kind of key.
    #[inline]
    #[must_use]
    pub fn integer(&self, row: usize) -> Option<i64> {
        self.integers.map(|values| values[row])
    }

    /// The bytes of a row's key: by them groups are told apart and ordered.
    #[inline]
    pub fn bytes(&mut self, row: usize) -> &[u8] {
        if self.made != Some(row) {
            let KeyRoom { key, scratch } = &mut *self.room;
            key.clear();
            encode(self.g, self.values, row, key, scratch);
            self.made = Some(row);
        }
        &self.room.key
    }

    /// Appends the bytes of a row's key.
    #[inline]
    pub fn write(&mut self, row: usize, key: &mut Vec<u8>) {
        encode(self.g, self.values, row, key, &mut self.room.scratch);
    }
}

/// The values, where their numbers say all that the bytes of the keys do.
fn integers<'v>(g: &GroupPlan, values: &'v [VecRef<'_>]) -> Option<&'v [i64]> {
    let ([values], [false, ..]) = (values, &*g.descending) else { return None };
    let plain = values.class() == Class::Int && !values.any_null() && !values.is_constant();
    plain.then(|| values.i64s())
}

#[inline]
fn encode(g: &GroupPlan, values: &[VecRef<'_>], row: usize, key: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    for (i, (v, e)) in values.iter().zip(&g.keys).enumerate() {
        let start = key.len();
        sortkey::encode_value(v.get(row), e.ty.collation, key, scratch);
        if g.descending[i] {
            key[start..].iter_mut().for_each(|b| *b = !*b);
        }
    }
}
