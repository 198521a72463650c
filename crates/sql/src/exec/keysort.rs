//! Sorting numbers of keys. What decides most comparisons lies beside the number, so that the keys themselves are seldom looked at.

use std::cmp::Ordering;

/// Bytes an entry takes while it is sorted.
pub const ENTRY: usize = size_of::<(u64, u32)>();

/// The numbers of the first `most` of `count` keys in order; equal keys in the order of their numbers.
pub fn order<'k>(count: usize, most: usize, key: impl Fn(usize) -> &'k [u8]) -> Vec<u32> {
    let mut common = if count == 0 { 0 } else { key(0).len() };
    for n in 1..count {
        let both = key(0)[..common].iter().zip(key(n));
        common = both.take_while(|(a, b)| a == b).count();
        if common == 0 {
            break;
        }
    }
    let prefix = |n: usize| -> u64 {
        let rest = &key(n)[common..];
        match rest.first_chunk::<8>() {
            Some(bytes) => u64::from_be_bytes(*bytes),
            None => rest.iter().enumerate().fold(0, |p, (i, b)| p | u64::from(*b) << (56 - 8 * i)),
        }
    };
    let list = (0..count).map(|n| (prefix(n), n as u32)).collect();
    sorted(list, most, |a, b| {
        a.0.cmp(&b.0).then_with(|| key(a.1 as usize).cmp(key(b.1 as usize))).then(a.1.cmp(&b.1))
    })
}

/// As [`order`], of integers.
pub fn order_integers(values: &[i64], descending: bool, most: usize) -> Vec<u32> {
    let place = |v: &i64| {
        let up = v.cast_unsigned() ^ 1 << 63;
        if descending { !up } else { up }
    };
    sorted(values.iter().enumerate().map(|(n, v)| (place(v), n as u32)).collect(), most, Ord::cmp)
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
        let values: Vec<i64> =
            (0..2_000).map(|_| next() as i64 % 50 - 25).chain([i64::MIN, i64::MAX]).collect();
        for descending in [false, true] {
            let mut expected: Vec<u32> = (0..values.len() as u32).collect();
            expected.sort_by_key(|n| (i128::from(values[*n as usize]) * if descending { -1 } else { 1 }, *n));
            assert_eq!(order_integers(&values, descending, usize::MAX), expected);
            assert_eq!(order_integers(&values, descending, 10), expected[..10]);
        }
        assert_eq!(order(0, 5, |_| &[]), Vec::<u32>::new());
    }
}
