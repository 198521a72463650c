//! The sort of result lists. Ties come out in the order this very algorithm leaves them in, which is visible in results.

use std::cmp::Ordering;

/// Up to so many elements are sorted by insertion.
const FEW: usize = 10;
/// From so many on the pivot is a median of medians.
const MANY: usize = 40;

/// Sorts in place, as MariaDB's sort does: not stable from ten elements on.
pub(crate) fn sort<T: Clone>(v: &mut [T], cmp: impl Fn(&T, &T) -> Ordering) {
    let less = |a: &T, b: &T| cmp(a, b) == Ordering::Less;
    let mut stack = Vec::new();
    let Some(last) = v.len().checked_sub(1) else { return };
    let (mut lo, mut hi) = (0, last);
    loop {
        let n = hi - lo + 1;
        if n < FEW {
            for i in lo + 1..=hi {
                let mut at = i;
                while at > lo && cmp(&v[at - 1], &v[at]) == Ordering::Greater {
                    v.swap(at - 1, at);
                    at -= 1;
                }
            }
            match stack.pop() {
                Some(range) => (lo, hi) = range,
                None => return,
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
                None => return,
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
    use super::sort;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts(values in proptest::collection::vec(0u8..20, 0..300)) {
            let mut sorted = values.clone();
            sort(&mut sorted, u8::cmp);
            let mut want = values;
            want.sort_unstable();
            prop_assert_eq!(sorted, want);
        }
    }

    #[test]
    fn few_elements_keep_the_order_of_ties() {
        let mut v: Vec<(u8, usize)> = [2, 1, 2, 1, 2, 1, 2, 1, 2].into_iter().zip(0..).collect();
        sort(&mut v, |a, b| a.0.cmp(&b.0));
        assert!(v.is_sorted());
    }
}
