//! What tells the rows of a batch apart for a GROUP BY: the bytes of their keys, or, where the key is one integer, that number. Rows whose
//! values are the same and short are known to belong together before any bytes are made ([`Recent`]).

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
    /// The values may be looked at in one number ([`GroupKeys::packed`]).
    packs: bool,
    room: &'k mut KeyRoom,
    /// The row whose bytes are in `room`.
    made: Option<usize>,
}

impl<'k> GroupKeys<'k> {
    /// Keys of these values: all of the plan's keys, or the first of them.
    pub fn new(g: &'k GroupPlan, values: &'k [VecRef<'k>], room: &'k mut KeyRoom) -> GroupKeys<'k> {
        let packs = packs(values);
        let mut keys = GroupKeys { g, values, integers: integers(g, values), packs, room, made: None };
        // where the first row's values are longer most are
        keys.packs &= values.iter().all(|v| !v.is_empty()) && keys.packed(0).is_some();
        keys
    }

    /// A row's values as they are, one behind the other in one number; none where they are longer. Rows with the same number have the same
    /// key, others may.
    #[inline]
    #[must_use]
    pub fn packed(&self, row: usize) -> Option<u128> {
        let (mut all, mut at) = ([0; size_of::<u128>()], 0);
        for v in self.values.iter().filter(|_| self.packs) {
            if v.class() == Class::Bytes {
                let bytes = v.bytes(row);
                let to = all.get_mut(at..=at + bytes.len())?;
                to[0] = bytes.len() as u8;
                to[1..].iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
                at += 1 + bytes.len();
            } else {
                all.get_mut(at..at + size_of::<i64>())?.copy_from_slice(&v.i64(row).to_le_bytes());
                at += size_of::<i64>();
            }
        }
        self.packs.then(|| u128::from_le_bytes(all))
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

/// Whether a row's values tell its key without their collation and are not NULL.
fn packs(values: &[VecRef<'_>]) -> bool {
    let one =
        |v: &VecRef<'_>| !v.any_null() && !matches!(v.class(), Class::Double | Class::Decimal | Class::Null);
    values.iter().all(one)
}

/// Groups of values that were met, by the values ([`GroupKeys::packed`]); for few groups, where most rows find theirs.
#[derive(Default)]
pub struct Recent {
    slots: Vec<(u128, u32)>,
}

impl Recent {
    /// So many groups are few.
    pub const FEW: usize = 64;

    const SLOTS: usize = 128;

    /// No group.
    const NONE: u32 = u32::MAX;

    fn slot(packed: u128) -> usize {
        let folded = packed as u64 ^ (packed >> 64) as u64;
        (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 57) as usize
    }

    /// The group that rows with these values had.
    #[inline]
    #[must_use]
    pub fn find(&self, packed: u128) -> Option<usize> {
        let (known, group) = *self.slots.get(Recent::slot(packed))?;
        (known == packed && group != Recent::NONE).then_some(group as usize)
    }

    /// Notes the group of rows with these values.
    pub fn note(&mut self, packed: u128, group: usize) {
        if self.slots.is_empty() {
            self.slots = vec![(0, Recent::NONE); Recent::SLOTS];
        }
        self.slots[Recent::slot(packed)] = (packed, group as u32);
    }
}

#[inline]
fn encode(g: &GroupPlan, values: &[VecRef<'_>], row: usize, key: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    for (i, (v, e)) in values.iter().zip(&g.keys).enumerate() {
        let start = key.len();
        sortkey::encode_at(v, row, e.ty.collation, key, scratch);
        if g.descending[i] {
            key[start..].iter_mut().for_each(|b| *b = !*b);
        }
    }
}
