//! The order in which the reference server leaves rows that are equal by ORDER BY: its sort of few rows in memory is not
//! stable, and clients see it. What it does was found by what comes of it.

use std::cmp::Ordering;

/// From so many rows on its sort is a stable one.
pub const MANY: usize = 1000;

/// So many are sorted by insertion.
const INSERTED: usize = 9;

/// Of more than these the middle one is sought among nine.
const SOME: usize = 40;

/// The numbers of `count` keys in order.
pub fn order<'k>(count: usize, key: impl Fn(usize) -> &'k [u8]) -> Vec<u32> {
    let mut list: Vec<u32> = (0..count as u32).collect();
    let compare = |a: u32, b: u32| key(a as usize).cmp(key(b as usize));
    sort(&mut list, &compare);
    list
}

/// The numbers of the first `wanted` of `count` keys in order, where `expected` rows of a table were thought of: of few that are wanted
/// a heap is kept.
pub fn first<'k>(count: usize, wanted: usize, expected: usize, key: impl Fn(usize) -> &'k [u8]) -> Vec<u32> {
    if wanted == 0 || wanted.saturating_mul(3) >= expected + MORE {
        let mut list = order(count, key);
        list.truncate(wanted);
        return list;
    }
    let kept = kept(count, wanted + 1, |a, b| key(a as usize) > key(b as usize));
    let order = order(kept.len(), |n| key(kept[n] as usize));
    order.into_iter().take(wanted).map(|n| kept[n as usize]).collect()
}

/// Rows that may be more than a table tells.
const MORE: usize = 10;

/// What a heap of so many places has kept of all numbers, place by place: the greatest gives its place to the next, whatever
/// that is.
fn kept(count: usize, places: usize, greater: impl Fn(u32, u32) -> bool) -> Vec<u32> {
    let mut kept: Vec<u32> = Vec::with_capacity(places.min(count));
    let mut heap: Vec<usize> = Vec::with_capacity(places.min(count));
    for n in 0..count as u32 {
        if kept.len() < places {
            heap.push(kept.len());
            kept.push(n);
            let mut at = heap.len() - 1;
            while at > 0 && greater(kept[heap[at]], kept[heap[(at - 1) / 2]]) {
                heap.swap(at, (at - 1) / 2);
                at = (at - 1) / 2;
            }
            continue;
        }
        kept[heap[0]] = n;
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child + 1 < heap.len() && greater(kept[heap[child + 1]], kept[heap[child]]) {
                child += 1;
            }
            if child >= heap.len() || !greater(kept[heap[child]], kept[heap[at]]) {
                break;
            }
            heap.swap(at, child);
            at = child;
        }
    }
    kept
}

fn sort(mut list: &mut [u32], compare: &impl Fn(u32, u32) -> Ordering) {
    while list.len() > INSERTED {
        let (left, right) = part(list, compare);
        let (low, rest) = list.split_at_mut(left);
        let high = &mut rest[right - left..];
        // the longer side without a call, so that calls do not nest deeply
        if low.len() < high.len() {
            sort(low, compare);
            list = high;
        } else {
            sort(high, compare);
            list = low;
        }
    }
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && compare(list[at], list[at - 1]) == Ordering::Less {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Puts what is not above a middle one before what is not below it: the ends of the first part and the beginning of the second.
fn part(list: &mut [u32], compare: &impl Fn(u32, u32) -> Ordering) -> (usize, usize) {
    let less = |a: u32, b: u32| compare(a, b) == Ordering::Less;
    let last = list.len() - 1;
    let mut middle = list.len() / 2;
    let (mut i, mut j) = if list.len() > SOME {
        let step = list.len() / 8;
        for at in [step, middle, last - step] {
            three(list, at - step, at, at + step, compare);
        }
        three(list, step, middle, last - step, compare);
        (0, last)
    } else {
        three(list, 0, middle, last, compare);
        (1, last - 1)
    };
    loop {
        while less(list[i], list[middle]) {
            i += 1;
        }
        while less(list[middle], list[j]) {
            j -= 1;
        }
        match i.cmp(&j) {
            Ordering::Less => {
                list.swap(i, j);
                if middle == i {
                    middle = j;
                } else if middle == j {
                    middle = i;
                }
                (i, j) = (i + 1, j - 1);
                if i > j {
                    return (j + 1, i);
                }
            }
            Ordering::Equal => return (i, i + 1),
            Ordering::Greater => return (j + 1, i),
        }
    }
}

/// Puts three in order.
fn three(list: &mut [u32], a: usize, b: usize, c: usize, compare: &impl Fn(u32, u32) -> Ordering) {
    for (low, high) in [(a, c), (a, b), (b, c)] {
        if compare(list[high], list[low]) == Ordering::Less {
            list.swap(low, high);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{first, order};

    fn of(keys: &[u8]) -> Vec<u32> {
        order(keys.len(), |n| &keys[n..=n])
    }

    #[test]
    fn equal_keys_come_as_the_reference_has_them() {
        assert_eq!(of(&[1; 9]), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(of(&[1; 12]), [0, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 11]);
        assert_eq!(of(&[1; 20]), [0, 11, 12, 13, 14, 15, 16, 17, 18, 10, 9, 1, 2, 3, 4, 5, 6, 7, 8, 19]);
        assert_eq!(of(&[10, 2, 4, 7, 2, 0, 1, 9, 8, 6, 0]), [10, 5, 6, 4, 1, 2, 9, 3, 8, 7, 0]);
        let fifty = of(&[1; 50]);
        assert_eq!((fifty[0], fifty[1], fifty[48], fifty[49]), (49, 35, 14, 0));
    }

    #[test]
    fn first_rows_come_from_a_heap() {
        let same = [1u8; 60];
        let of = |wanted, expected| first(60, wanted, expected, |n| &same[n..=n]);
        // all are wanted but a few: as without a limit
        assert_eq!(of(55, 60), order(60, |n| &same[n..=n])[..55]);
        // what comes last has the place of the row before it that is not wanted
        assert_eq!(of(1, 60), [59]);
        assert_eq!(of(3, 60), [59, 1, 2]);
        assert_eq!(of(24, 60).len(), 24);
        let falling: Vec<u8> = (0..100).rev().collect();
        assert_eq!(first(100, 5, 100, |n| &falling[n..=n]), [99, 98, 97, 96, 95]);
    }

    #[test]
    fn keys_are_in_order() {
        let mut state = 7u32;
        for count in [0, 1, 2, 10, 11, 39, 41, 100, 999] {
            for values in [1, 2, 5, 250] {
                let keys: Vec<u8> = (0..count)
                    .map(|_| {
                        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        (state >> 16) as u8 % values
                    })
                    .collect();
                let order = of(&keys);
                assert!(order.windows(2).all(|w| keys[w[0] as usize] <= keys[w[1] as usize]));
                let mut all = order.clone();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..count as u32));
            }
        }
        let falling: Vec<u8> = (0..200).rev().collect();
        assert!(of(&falling).into_iter().eq((0..200).rev()));
    }
}
