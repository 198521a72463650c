//! Huffman trees of a compressed table, as they are read.

use super::bits::BitReader;

/// Bits that are looked up at once.
const FAST: u32 = 9;

/// What so many bits lead to.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A symbol, after so many bits.
    Symbol { value: u16, bits: u8 },
    /// A pair of slots further down.
    Pair(u16),
}

/// A slot of a tree.
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// A symbol.
    Leaf(u16),
    /// The next pair of slots begins here.
    Pair(u16),
}

/// A tree of symbols: bytes, or numbers of values in its table.
#[derive(Debug)]
pub(crate) struct Tree {
    /// Pairs of slots; none for a tree of one value, whose number takes no bits.
    slots: Vec<Slot>,
    /// By the next [`Tree::fast_bits`] bits.
    fast: Vec<Step>,
    fast_bits: u32,
    /// Bits of the shortest symbol.
    shortest: u32,
    /// Values one after another; none for a tree of bytes.
    pub table: Option<Vec<u8>>,
    /// Symbols.
    pub elements: usize,
}

impl Tree {
    /// Reads a tree, which begins at a whole byte; none if it is damaged.
    pub fn read(bits: &mut BitReader<'_>) -> Option<Tree> {
        bits.align();
        let has_table = bits.bit();
        let (least, elements, table) = if has_table {
            let elements = bits.take(15) as usize;
            (0, elements, Some(bits.take(16) as usize))
        } else {
            (bits.take(8) as u16, bits.take(9) as usize, None)
        };
        let (char_bits, offset_bits) = (bits.take(5), bits.take(5));
        let slots = read_slots(bits, elements, (char_bits, offset_bits), least, has_table)?;
        bits.align();
        let table = match table {
            Some(bytes) => Some(bits.take_bytes(bytes)?.to_vec()),
            None => None,
        };
        if bits.overrun() {
            return None;
        }
        let mut tree = Tree { slots, fast: Vec::new(), fast_bits: 0, shortest: 0, table, elements };
        tree.look_ahead();
        Some(tree)
    }

    /// Makes the table of what the next bits lead to.
    fn look_ahead(&mut self) {
        if self.slots.is_empty() {
            return;
        }
        let deepest = self.depth(FAST);
        self.fast_bits = deepest;
        self.shortest = deepest;
        for prefix in 0..1u32 << deepest {
            let (mut pair, mut used) = (0u16, 0);
            let step = loop {
                if used == deepest {
                    break Step::Pair(pair);
                }
                used += 1;
                match self.slots[usize::from(pair) + (prefix >> (deepest - used) & 1) as usize] {
                    Slot::Leaf(value) => break Step::Symbol { value, bits: used as u8 },
                    Slot::Pair(next) => pair = next,
                }
            };
            if let Step::Symbol { bits, .. } = step {
                self.shortest = self.shortest.min(u32::from(bits));
            }
            self.fast.push(step);
        }
    }

    /// Bits of the longest symbol, or `most` if there are longer ones.
    fn depth(&self, most: u32) -> u32 {
        let mut level = vec![0u16];
        for depth in 1..most {
            let mut below = Vec::new();
            for pair in level {
                for slot in &self.slots[usize::from(pair)..][..2] {
                    if let Slot::Pair(next) = slot {
                        below.push(*next);
                    }
                }
            }
            if below.is_empty() {
                return depth;
            }
            level = below;
        }
        most
    }

    /// The next symbol.
    #[inline]
    pub fn symbol(&self, bits: &mut BitReader<'_>) -> u16 {
        if self.fast.is_empty() {
            return 0;
        }
        let mut pair = match self.fast[bits.peek(self.fast_bits) as usize] {
            Step::Symbol { value, bits: used } => {
                bits.skip(u32::from(used));
                return value;
            }
            Step::Pair(pair) => pair,
        };
        bits.skip(self.fast_bits);
        // each step leads further back in the slots, so there is an end
        loop {
            match self.slots[usize::from(pair) + usize::from(bits.bit())] {
                Slot::Leaf(value) => return value,
                Slot::Pair(next) => pair = next,
            }
        }
    }

    /// Appends the next `n` symbols, which are bytes; false if there are too few bits for them.
    #[inline]
    pub fn bytes(&self, bits: &mut BitReader<'_>, n: usize, out: &mut Vec<u8>) -> bool {
        if n as u64 * u64::from(self.shortest) > bits.left() {
            return false;
        }
        if self.fast.is_empty() {
            // a tree without symbols, for columns without bytes
            return n == 0;
        }
        out.extend((0..n).map(|_| self.symbol(bits) as u8));
        !bits.overrun()
    }
}

/// Reads the slots of a tree of so many symbols; each pair must lie behind the slot that leads to it.
fn read_slots(
    bits: &mut BitReader<'_>,
    elements: usize,
    (char_bits, offset_bits): (u32, u32),
    least: u16,
    has_table: bool,
) -> Option<Vec<Slot>> {
    let count = (2 * elements).saturating_sub(2);
    // a byte always takes a bit at least
    let sound = if has_table { elements > 0 } else { elements != 1 && elements <= 256 };
    if !sound || count as u64 > bits.left() {
        return None;
    }
    let mut slots = Vec::with_capacity(count);
    for at in 0..count {
        slots.push(if bits.bit() {
            let target = at + bits.take(offset_bits) as usize;
            if target <= at || target + 2 > count {
                return None;
            }
            Slot::Pair(target as u16)
        } else {
            let value = bits.take(char_bits) + u32::from(least);
            if value > if has_table { elements as u32 - 1 } else { 255 } {
                return None;
            }
            Slot::Leaf(value as u16)
        });
    }
    Some(slots)
}
