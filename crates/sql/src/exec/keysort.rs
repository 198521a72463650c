//! Sorting numbers of keys. What decides most comparisons lies beside the number, so that the keys themselves are seldom looked at.

use std::cmp::Ordering;

use super::threads::share;

/// Bytes an entry takes while it is sorted.
pub const ENTRY: usize = size_of::<(u64, u32)>();

/// Bytes of a key that stand beside its number.
const PREFIX: usize = 12;

/// What a key begins with, in [`PREFIX`] bytes, and the key's number: one that is compared without a branch.
#[inline]
fn entry(prefix: u128, number: u32) -> u128 {
    prefix << 32 | u128::from(number)
}

#[inline]
fn prefix_of(entry: u128) -> u128 {
    entry >> 32
}

#[inline]
fn number_of(entry: u128) -> u32 {
    entry as u32
}

/// Sorts entries; leaves the first `most` and those that begin as the last of them.
fn sort_entries(list: &mut Vec<u128>, most: usize) {
    if most == 0 {
        list.clear();
    }
    if most < list.len() {
        let last = prefix_of(*list.select_nth_unstable(most - 1).1);
        list.retain(|e| prefix_of(*e) <= last);
    }
    list.sort_unstable();
}

/// The entries that begin alike.
fn alike_entries(list: &mut [u128]) -> impl Iterator<Item = &mut [u128]> {
    list.chunk_by_mut(|a, b| prefix_of(*a) == prefix_of(*b)).filter(|alike| alike.len() > 1)
}

/// So many keys are compared as they are.
const FEW: usize = 32;

/// How often keys that begin alike are sorted by the bytes that follow.
const DEEPEST: usize = 4;

/// The numbers of the first `most` of `count` keys in order; equal keys in the order of their numbers.
pub fn order<'k>(count: usize, most: usize, key: impl Fn(usize) -> &'k [u8]) -> Vec<u32> {
    let mut list: Vec<u128> = (0..count as u32).map(|n| entry(0, n)).collect();
    let common = take_prefixes(&mut list, 0, &key);
    sort_entries(&mut list, most);
    settle_alike(&mut list, common, &key);
    list.truncate(most);
    list.into_iter().map(number_of).collect()
}

/// Keys that are worth a thread of their own.
const SHARE: usize = 1 << 14;

/// As [`order`], on so many threads, which also make of each number what is wanted.
pub fn order_shared<'k, T: Clone + Send>(
    count: usize,
    most: usize,
    threads: usize,
    key: impl Fn(usize) -> &'k [u8] + Sync,
    out: impl Fn(u32) -> T + Sync,
) -> Vec<T> {
    let threads = threads.min(count / SHARE);
    if threads < 2 || most == 0 {
        return order(count, most, key).into_iter().map(out).collect();
    }
    let each = count.div_ceil(threads);
    let ranges = || (0..threads).map(|t| (t * each).min(count)..((t + 1) * each).min(count));
    let first = key(0);
    let alike = |n: usize, known: usize| {
        let (first, key) = (&first[..known], key(n));
        if key.starts_with(first) { known } else { first.iter().zip(key).take_while(|(a, b)| a == b).count() }
    };
    let common = share(ranges(), threads, |range| range.fold(first.len(), |known, n| alike(n, known)));
    let common = common.into_iter().min().unwrap_or(0);
    // keys that begin alike are of one piece, which is sorted as a whole
    let begins = |n: usize| bytes_of(&key(n)[common..]);
    let bounds = bounds(count, threads * PIECES, |n| short(begins(n)));
    let parted = share(ranges(), threads, |range| {
        let mut pieces = vec![Vec::new(); bounds.len() + 1];
        for n in range {
            let prefix = begins(n);
            // all are compared: no branch is guessed wrong
            let piece = bounds.iter().filter(|b| **b <= short(prefix)).count();
            pieces[piece].push(entry(prefix, n as u32));
        }
        pieces
    });
    let mut pieces: Vec<Vec<Vec<u128>>> = vec![Vec::new(); bounds.len() + 1];
    for list in parted {
        pieces.iter_mut().zip(list).for_each(|(piece, part)| piece.push(part));
    }
    let mut before = 0;
    pieces.retain(|piece| {
        before += piece.iter().map(Vec::len).sum::<usize>();
        before - piece.iter().map(Vec::len).sum::<usize>() < most
    });
    let sorted = share(pieces, threads, |piece| {
        let mut list = piece.concat();
        sort_entries(&mut list, most);
        settle_alike(&mut list, common, &key);
        list.into_iter().map(|e| out(number_of(e))).collect::<Vec<T>>()
    });
    let mut order = sorted.concat();
    order.truncate(most);
    order
}

/// Pieces for each thread: then threads end at about the same time.
const PIECES: usize = 8;

/// The first bytes of a prefix.
#[inline]
fn short(prefix: u128) -> u64 {
    (prefix >> (8 * PREFIX - 64)) as u64
}

/// Keys that are looked at to part all.
const SAMPLE: usize = 1 << 10;

/// Beginnings of keys that part all of them into so many pieces of about one size.
fn bounds(count: usize, pieces: usize, begins: impl Fn(usize) -> u64) -> Vec<u64> {
    let mut sample: Vec<u64> = (0..SAMPLE).map(|n| begins(n * count / SAMPLE)).collect();
    sample.sort_unstable();
    let mut bounds: Vec<u64> = (1..pieces).map(|n| sample[n * SAMPLE / pieces]).collect();
    bounds.dedup();
    bounds
}

/// Keys that are looked at before they are compared, so that the processor waits for many of them at once.
const AHEAD: usize = 256;

/// Sorts those keys of a sorted list that begin alike.
fn settle_alike<'k>(list: &mut [u128], common: usize, key: &impl Fn(usize) -> &'k [u8]) {
    let mut few: Vec<&mut [u128]> = Vec::new();
    let (mut keys, mut count) = (Vec::new(), 0);
    for alike in alike_entries(list) {
        if alike.len() >= FEW {
            settle_keys(alike, common, 1, key);
            continue;
        }
        count += alike.len();
        few.push(alike);
        if count >= AHEAD {
            settle_few(&mut few, common, &mut keys, key);
            count = 0;
        }
    }
    settle_few(&mut few, common, &mut keys, key);
}

/// Sorts lists of few keys each, which begin alike; forgets the lists. `keys` is room.
fn settle_few<'k>(
    lists: &mut Vec<&mut [u128]>,
    common: usize,
    keys: &mut Vec<(&'k [u8], u32)>,
    key: &impl Fn(usize) -> &'k [u8],
) {
    keys.clear();
    let numbers = lists.iter().flat_map(|list| list.iter()).map(|e| number_of(*e));
    keys.extend(numbers.map(|n| (&key(n as usize)[common..], n)));
    let looked_at = keys.iter().fold(0, |all, (key, _)| all ^ key.last().copied().unwrap_or(0));
    std::hint::black_box(looked_at);
    let mut rest = &mut keys[..];
    for list in lists.drain(..) {
        let (now, later) = rest.split_at_mut(list.len());
        now.sort_unstable();
        let prefix = prefix_of(list[0]);
        list.iter_mut().zip(now).for_each(|(e, (_, n))| *e = entry(prefix, *n));
        rest = later;
    }
}

/// Sorts keys that have these bytes in common, and are in the order of their numbers.
fn settle_keys<'k>(list: &mut [u128], common: usize, depth: usize, key: &impl Fn(usize) -> &'k [u8]) {
    if list.len() < FEW || depth == DEEPEST {
        let rest = |e: u128| &key(number_of(e) as usize)[common..];
        return list
            .sort_unstable_by(|a, b| rest(*a).cmp(rest(*b)).then_with(|| number_of(*a).cmp(&number_of(*b))));
    }
    let common = take_prefixes(list, common, key);
    list.sort_unstable();
    let ends = |e: &u128| key(number_of(*e) as usize).len() == common;
    let one = list.first().map(|e| prefix_of(*e)) == list.last().map(|e| prefix_of(*e));
    if one && list.iter().all(ends) {
        // all of them are the same
        return;
    }
    alike_entries(list).for_each(|alike| settle_keys(alike, common, depth + 1, key));
}

/// Gives entries the bytes behind what all keys have in common, of which so many are known; tells how many these are.
fn take_prefixes<'k>(list: &mut [u128], known: usize, key: &impl Fn(usize) -> &'k [u8]) -> usize {
    let Some(first) = list.first().map(|e| key(number_of(*e) as usize)) else { return known };
    let mut common = first.len();
    for e in &list[1..] {
        let both = first[known..common].iter().zip(&key(number_of(*e) as usize)[known..]);
        common = known + both.take_while(|(a, b)| a == b).count();
        if common == known {
            break;
        }
    }
    for e in list {
        let rest = &key(number_of(*e) as usize)[common..];
        *e = entry(bytes_of(rest), number_of(*e));
    }
    common
}

/// The first bytes as a number.
#[inline]
fn bytes_of(rest: &[u8]) -> u128 {
    if let Some(bytes) = rest.first_chunk::<16>() {
        return u128::from_be_bytes(*bytes) >> (8 * (16 - PREFIX));
    }
    let mut bytes = [0; 16];
    let known = rest.len().min(PREFIX);
    bytes[16 - PREFIX..][..known].copy_from_slice(&rest[..known]);
    u128::from_be_bytes(bytes)
}

/// As [`order`], of keys of `parts` numbers each.
pub fn order_numbers(numbers: &[u64], parts: usize, most: usize) -> Vec<u32> {
    let count = numbers.len() / parts;
    let Some(packed) = Packing::of(numbers, parts) else {
        let list = numbers.chunks_exact(parts).zip(0..).map(|(key, n)| (key[0], n)).collect();
        let key = |n: u32| &numbers[n as usize * parts..][..parts];
        return sorted(list, most, |a, b| {
            a.0.cmp(&b.0).then_with(|| key(a.1).cmp(key(b.1))).then(a.1.cmp(&b.1))
        });
    };
    let keys = numbers.chunks_exact(parts).zip(0u64..);
    let place = count.next_power_of_two().trailing_zeros();
    if packed.bits + place > 64 {
        return sorted(keys.map(|(key, n)| (packed.pack(key), n as u32)).collect(), most, Ord::cmp);
    }
    // the key and the number of its row in one
    let mut list: Vec<u64> = keys.map(|(key, n)| packed.pack(key) << place | n).collect();
    if most < list.len() {
        list.select_nth_unstable(most);
        list.truncate(most);
    }
    list.sort_unstable();
    list.into_iter().map(|e| (e & ((1 << place) - 1)) as u32).collect()
}

/// Bytes of keys that are made at once to tell rows apart that begin alike.
const KEYS_AT_ONCE: usize = 1 << 20;

/// Whether numbers that keys begin with say most about their order.
pub fn mostly_differ(prefixes: &[u64]) -> bool {
    let mut sorted = prefixes.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len() * 2 > prefixes.len()
}

/// As [`order`], of keys that are in the order of `prefixes` where these differ. `encode` appends the key with a number.
pub fn order_prefixes(
    prefixes: &[u64],
    most: usize,
    mut encode: impl FnMut(usize, &mut Vec<u8>),
) -> Vec<u32> {
    let mut list: Vec<u128> =
        prefixes.iter().zip(0..).map(|(prefix, n)| entry(u128::from(*prefix), n)).collect();
    sort_entries(&mut list, most);
    alike_entries(&mut list).for_each(|alike| settle(alike, &mut encode));
    list.truncate(most);
    list.into_iter().map(number_of).collect()
}

/// Sorts rows that begin alike and are in the order of their numbers.
fn settle(alike: &mut [u128], encode: &mut impl FnMut(usize, &mut Vec<u8>)) {
    let (mut keys, mut ends) = (Vec::new(), vec![0]);
    for e in alike.iter() {
        encode(number_of(*e) as usize, &mut keys);
        ends.push(keys.len());
        if keys.len() > KEYS_AT_ONCE {
            break;
        }
    }
    if ends.len() == alike.len() + 1 {
        let numbers = order(alike.len(), usize::MAX, |n| &keys[ends[n]..ends[n + 1]]);
        let sorted: Vec<u128> = numbers.into_iter().map(|n| alike[n as usize]).collect();
        return alike.copy_from_slice(&sorted);
    }
    // keys that are too much together are made for each comparison
    let (mut one, mut other) = (Vec::new(), Vec::new());
    alike.sort_unstable_by(|a, b| {
        one.clear();
        other.clear();
        encode(number_of(*a) as usize, &mut one);
        encode(number_of(*b) as usize, &mut other);
        one.cmp(&other).then(number_of(*a).cmp(&number_of(*b)))
    });
}

/// Several numbers in one, without what is equal in all keys.
struct Packing {
    /// The least number of each part, and the bits that the others need above it.
    parts: Vec<(u64, u32)>,
    /// All of them; fewer than 64.
    bits: u32,
}

impl Packing {
    /// None when 63 bits are not enough.
    fn of(numbers: &[u64], parts: usize) -> Option<Packing> {
        let mut range = vec![(u64::MAX, 0u64); parts];
        for key in numbers.chunks_exact(parts) {
            for ((least, most), n) in range.iter_mut().zip(key) {
                *least = (*least).min(*n);
                *most = (*most).max(*n);
            }
        }
        let bits = |(least, most): (u64, u64)| u64::BITS - most.saturating_sub(least).leading_zeros();
        let parts: Vec<(u64, u32)> = range.into_iter().map(|r| (r.0, bits(r))).collect();
        let all = parts.iter().map(|p| p.1).sum();
        (all < u64::BITS).then_some(Packing { parts, bits: all })
    }

    #[inline]
    fn pack(&self, key: &[u64]) -> u64 {
        self.parts.iter().zip(key).fold(0, |packed, ((least, bits), n)| packed << bits | (n - least))
    }
}

fn sorted(
    mut list: Vec<(u64, u32)>,
    most: usize,
    compare: impl Fn(&(u64, u32), &(u64, u32)) -> Ordering,
) -> Vec<u32> {
    if most < list.len() {
        list.select_nth_unstable_by(most, &compare);
        list.truncate(most);
    }
    list.sort_unstable_by(&compare);
    list.into_iter().map(|(_, n)| n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_a_stable_sort() {
        let mut seed = 3u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed >> 33
        };
        for common in [&b""[..], b"\x01", b"a long common part"] {
            let keys: Vec<Vec<u8>> = (0..2_000)
                .map(|_| {
                    let tail = (0..next() % 12).map(|_| (next() % 3) as u8).collect::<Vec<u8>>();
                    [common, &tail].concat()
                })
                .collect();
            let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
            expected.sort_by_key(|n| &keys[*n as usize]);
            for most in [0, 1, 77, 1_999, 2_000, usize::MAX] {
                let cut = &expected[..most.min(expected.len())];
                assert_eq!(order(keys.len(), most, |n| &keys[n]), cut);
            }
        }
        // keys of several threads, many of them equal and shorter than what is compared first
        for (common, spread, longest) in
            [(&b""[..], 3, 12), (b"\x01", 200, 12), (b"a long common part", 7, 12), (b"ab", 2, 30)]
        {
            let keys: Vec<Vec<u8>> = (0..4 * SHARE)
                .map(|_| {
                    let tail = (0..next() % longest).map(|_| (next() % spread) as u8).collect::<Vec<u8>>();
                    [common, &tail].concat()
                })
                .collect();
            let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
            expected.sort_by_key(|n| &keys[*n as usize]);
            for (most, threads) in [(usize::MAX, 2), (usize::MAX, 3), (1_000, 4), (0, 2), (1, 9)] {
                let cut = &expected[..most.min(expected.len())];
                let doubled = order_shared(keys.len(), most, threads, |n| &keys[n], |n| 2 * u64::from(n));
                assert!(doubled.into_iter().eq(cut.iter().map(|n| 2 * u64::from(*n))));
            }
        }
        // keys of which the first bytes are known
        for (tail, many) in [(3, 2_000), (40, 2_000), (400, 9_000)] {
            let keys: Vec<Vec<u8>> = (0..many)
                .map(|_| (0..8 + next() % tail).map(|i| if i < 7 { 1 } else { (next() % 3) as u8 }).collect())
                .collect();
            let prefix = |key: &Vec<u8>| key.first_chunk().map_or(0, |b| u64::from_be_bytes(*b));
            let prefixes: Vec<u64> = keys.iter().map(prefix).collect();
            let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
            expected.sort_by_key(|n| &keys[*n as usize]);
            for most in [0, 1, 77, 1_999, usize::MAX] {
                let found = order_prefixes(&prefixes, most, |n, out| out.extend_from_slice(&keys[n]));
                assert_eq!(found, expected[..most.min(expected.len())]);
            }
        }
        assert!(mostly_differ(&[1, 2, 3, 3]) && !mostly_differ(&[7; 100]));
        // numbers that fit into one with their place, into one, and into none
        for (parts, spread) in [(1, 0), (2, 0), (3, 7), (2, 24), (2, 28), (3, 30)] {
            let numbers: Vec<u64> =
                (0..2_000 * parts).map(|_| ((next() % 40) << spread) | (next() % 3)).collect();
            let mut expected: Vec<u32> = (0..2_000).collect();
            expected.sort_by_key(|n| &numbers[*n as usize * parts..][..parts]);
            for most in [0, 1, 77, 1_999, 2_000, usize::MAX] {
                let cut = &expected[..most.min(expected.len())];
                assert_eq!(order_numbers(&numbers, parts, most), cut, "{parts} {spread}");
            }
        }
        assert_eq!(order_numbers(&[u64::MAX, 0, 5], 1, 9), [1, 2, 0]);
        assert_eq!(order_numbers(&[], 2, 9), Vec::<u32>::new());
        assert_eq!(order(0, 5, |_| &[]), Vec::<u32>::new());
    }
}
