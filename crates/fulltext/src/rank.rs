//! The sort of result lists. Ties come out in the order this very algorithm leaves them in, which is visible in results.

use std::cmp::Ordering;

use crate::Stopped;

/// Up to so many elements are sorted by insertion.
const FEW: usize = 10;
/// From so many on the pivot is a median of medians.
const MANY: usize = 40;

/// Ranges of so many elements are worth asking whether to go on.
const LONG: usize = 1 << 14;

/// Sorts in place, as MariaDB's sort does: not stable from ten elements on. Only the first `wanted` places are in order then: the
/// others have elements that belong behind them.
pub(crate) fn sort<T: Clone>(
    v: &mut [T],
    wanted: usize,
    cmp: impl Fn(&T, &T) -> Ordering,
    stop: &dyn Fn() -> bool,
) -> Result<(), Stopped> {
    let less = |a: &T, b: &T| cmp(a, b) == Ordering::Less;
    let mut stack = Vec::new();
    let Some(last) = v.len().checked_sub(1) else { return Ok(()) };
    let (mut lo, mut hi) = (0, last);
    loop {
        let n = hi - lo + 1;
        if n >= LONG && stop() {
            return Err(Stopped);
        }
        if n < FEW || lo >= wanted {
            if lo < wanted {
                insert(&mut v[lo..=hi], &cmp);
            }
            match stack.pop() {
                Some(range) => (lo, hi) = range,
                None => return Ok(()),
            }
            continue;
        }
        let m = lo + n / 2;
        let (mut left, mut right);
        if n > MANY {
            let t = n / 8;
            median(v, &less, lo, lo + t, lo + 2 * t);
            median(v, &less, m - t, m, m + t);
            median(v, &less, hi - 2 * t, hi - t, hi);
            median(v, &less, lo + t, m, hi - t);
            (left, right) = (lo, hi);
        } else {
            median(v, &less, lo, m, hi);
            (left, right) = (lo + 1, hi - 1);
        }
        let pivot = v[m].clone();
        loop {
            while less(&v[left], &pivot) {
                left += 1;
            }
            while less(&pivot, &v[right]) {
                right -= 1;
            }
            if left < right {
                v.swap(left, right);
                left += 1;
                right -= 1;
            } else {
                if left == right {
                    left += 1;
                    right -= 1;
                }
                break;
            }
            if left > right {
                break;
            }
        }
        // Of two parts the larger one waits.
        match (lo < right, left < hi) {
            (false, false) => match stack.pop() {
                Some(range) => (lo, hi) = range,
                None => return Ok(()),
            },
            (true, false) => hi = right,
            (false, true) => lo = left,
            (true, true) if right - lo > hi - left => {
                stack.push((lo, right));
                lo = left;
            }
            (true, true) => {
                stack.push((left, hi));
                hi = right;
            }
        }
    }
}

/// Sorts few elements; ties stay in their order.
fn insert<T>(v: &mut [T], cmp: &impl Fn(&T, &T) -> Ordering) {
    for i in 1..v.len() {
        let mut at = i;
        while at > 0 && cmp(&v[at - 1], &v[at]) == Ordering::Greater {
            v.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Orders three places.
fn median<T>(v: &mut [T], less: &impl Fn(&T, &T) -> bool, a: usize, b: usize, c: usize) {
    if less(&v[c], &v[a]) {
        v.swap(a, c);
    }
    if less(&v[b], &v[a]) {
        v.swap(a, b);
    } else if less(&v[c], &v[b]) {
        v.swap(b, c);
    }
}

#[cfg(test)]
mod tests {
    use super::{LONG, sort};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts(values in proptest::collection::vec(0u8..20, 0..300)) {
            let mut sorted = values.clone();
            sort(&mut sorted, usize::MAX, u8::cmp, &|| false).unwrap();
            let mut want = values;
            want.sort_unstable();
            prop_assert_eq!(sorted, want);
        }

        #[test]
        fn the_first_are_those_of_the_whole_sort(
            values in proptest::collection::vec(0u8..20, 0..300),
            wanted in 0usize..40,
        ) {
            let numbered: Vec<(u8, usize)> = values.into_iter().zip(0..).collect();
            let order = |a: &(u8, usize), b: &(u8, usize)| a.0.cmp(&b.0);
            let (mut whole, mut first) = (numbered.clone(), numbered);
            sort(&mut whole, usize::MAX, order, &|| false).unwrap();
            sort(&mut first, wanted, order, &|| false).unwrap();
            let n = wanted.min(whole.len());
            prop_assert_eq!(&first[..n], &whole[..n]);
        }
    }

    #[test]
    fn few_elements_keep_the_order_of_ties() {
        let mut v: Vec<(u8, usize)> = [2, 1, 2, 1, 2, 1, 2, 1, 2].into_iter().zip(0..).collect();
        sort(&mut v, usize::MAX, |a, b| a.0.cmp(&b.0), &|| false).unwrap();
        assert!(v.is_sorted());
    }

    #[test]
    fn a_long_list_can_be_stopped() {
        assert!(sort(&mut vec![0u8; LONG], usize::MAX, u8::cmp, &|| true).is_err());
    }
}
