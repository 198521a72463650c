//! Splitting a page: quadratic, as the reference engine does it.

use super::Rect;
use super::node::{Slot, around};

/// One of the two parts.
struct Part {
    /// Numbers of its entries.
    numbers: Vec<usize>,
    rect: Rect,
}

impl Part {
    fn new(slots: &[Slot], first: usize) -> Part {
        Part { numbers: vec![first], rect: slots[first].rect }
    }

    /// The area that it has with an entry more.
    fn area_with(&self, slot: &Slot) -> f64 {
        self.rect.with(&slot.rect).area()
    }

    fn take(&mut self, slots: &[Slot], number: usize) {
        self.rect = self.rect.with(&slots[number].rect);
        self.numbers.push(number);
    }

    /// Its entries, in the order in which they were.
    fn slots(mut self, slots: &[Slot]) -> Vec<Slot> {
        self.numbers.sort_unstable();
        self.numbers.into_iter().map(|n| slots[n]).collect()
    }
}

/// The two entries that waste most area when they are together.
fn seeds(slots: &[Slot]) -> (usize, usize) {
    let (mut best, mut most) = ((0, 1), f64::NEG_INFINITY);
    for (i, a) in slots.iter().enumerate() {
        for (j, b) in slots.iter().enumerate().skip(i + 1) {
            let waste = around(&[*a, *b]).area() - a.rect.area() - b.rect.area();
            if waste > most {
                (best, most) = ((i, j), waste);
            }
        }
    }
    best
}

/// Parts at least two entries into two parts of at least `least` entries each, where there are so many.
pub(super) fn split(slots: &[Slot], least: usize) -> (Vec<Slot>, Vec<Slot>) {
    let (first, second) = seeds(slots);
    let (mut a, mut b) = (Part::new(slots, first), Part::new(slots, second));
    let mut rest: Vec<usize> = (0..slots.len()).filter(|n| *n != first && *n != second).collect();
    let least = least.min(slots.len() / 2);
    while !rest.is_empty() {
        if a.numbers.len() + rest.len() <= least {
            rest.drain(..).for_each(|n| a.take(slots, n));
            break;
        }
        if b.numbers.len() + rest.len() <= least {
            rest.drain(..).for_each(|n| b.take(slots, n));
            break;
        }
        // the entry goes next for which it matters most where it goes
        let (mut next, mut most, mut to_a) = (0, f64::NEG_INFINITY, true);
        for (at, n) in rest.iter().enumerate() {
            let (in_a, in_b) = (a.area_with(&slots[*n]), b.area_with(&slots[*n]));
            let difference = (in_a - in_b).abs();
            if difference > most {
                (next, most, to_a) = (at, difference, in_a <= in_b);
            }
        }
        let n = rest.remove(next);
        if to_a { a.take(slots, n) } else { b.take(slots, n) }
    }
    (a.slots(slots), b.slots(slots))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parts_have_their_share() {
        let at = |n: u32| {
            let x = f64::from(n);
            Slot { rect: Rect { x: (x, x), y: (x, x) }, to: u64::from(n) }
        };
        for far in [1.0, 1e308] {
            let mut slots: Vec<Slot> = (0..26).map(at).collect();
            slots[3].rect.x.1 = far;
            slots[7].rect.y.0 = -far;
            let (a, b) = split(&slots, 8);
            assert!(a.len() >= 8 && b.len() >= 8 && a.len() + b.len() == 26);
            let mut all: Vec<u64> = a.iter().chain(&b).map(|s| s.to).collect();
            all.sort_unstable();
            assert_eq!(all, (0..26).collect::<Vec<u64>>());
        }
        let same = vec![at(1); 10];
        let (a, b) = split(&same, 3);
        assert!(a.len() >= 3 && b.len() >= 3);
    }
}
