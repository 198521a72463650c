//! Splitting a page: quadratic, as the reference engine does it.

use super::Rect;
use super::node::{Slot, around};

/// One of the two parts.
struct Part {
    slots: Vec<Slot>,
    rect: Rect,
}

impl Part {
    fn new(first: Slot) -> Part {
        Part { slots: vec![first], rect: first.rect }
    }

    /// By how much it grows with an entry more.
    fn growth(&self, slot: &Slot) -> f64 {
        self.rect.with(&slot.rect).area() - self.rect.area()
    }

    fn take(&mut self, slot: Slot) {
        self.rect = self.rect.with(&slot.rect);
        self.slots.push(slot);
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
    let (mut a, mut b) = (Part::new(slots[first]), Part::new(slots[second]));
    let mut rest: Vec<Slot> =
        slots.iter().enumerate().filter(|(n, _)| *n != first && *n != second).map(|(_, s)| *s).collect();
    let least = least.min(slots.len() / 2);
    while !rest.is_empty() {
        if a.slots.len() + rest.len() <= least {
            rest.drain(..).for_each(|slot| a.take(slot));
            break;
        }
        if b.slots.len() + rest.len() <= least {
            rest.drain(..).for_each(|slot| b.take(slot));
            break;
        }
        let (mut next, mut most) = (0, f64::NEG_INFINITY);
        for (n, slot) in rest.iter().enumerate() {
            let difference = (a.growth(slot) - b.growth(slot)).abs();
            if difference > most {
                (next, most) = (n, difference);
            }
        }
        let slot = rest.remove(next);
        let (x, y) = (a.growth(&slot), b.growth(&slot));
        let to_a = x < y || x == y && a.slots.len() <= b.slots.len();
        if to_a { a.take(slot) } else { b.take(slot) }
    }
    (a.slots, b.slots)
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
