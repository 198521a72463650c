//! Huffman codes: how long they make a column, and the codes themselves.

use crate::row::compressed::bits::BitWriter;

/// Bits of the longest code that is made.
const LONGEST: u32 = 32;

/// Bits that a number needs.
pub fn bits_of(n: u64) -> u32 {
    u64::BITS - n.leading_zeros()
}

/// Bits that so many of each symbol take together.
pub fn cost(counts: impl Iterator<Item = u64>) -> u64 {
    let mut leaves: Vec<u64> = counts.filter(|n| *n > 0).collect();
    if leaves.len() < 2 {
        // a tree has two symbols at least
        return leaves.first().copied().unwrap_or(0);
    }
    leaves.sort_unstable();
    let (mut joined, mut leaf, mut pair, mut bits) = (Vec::with_capacity(leaves.len()), 0, 0, 0u64);
    for _ in 1..leaves.len() {
        let mut next = || match (leaves.get(leaf), joined.get(pair)) {
            (Some(a), Some(b)) if a > b => take(&mut pair, *b),
            (Some(a), _) => take(&mut leaf, *a),
            (None, b) => take(&mut pair, b.copied().unwrap_or(0)),
        };
        let sum = next() + next();
        bits += sum;
        joined.push(sum);
    }
    bits
}

fn take(at: &mut usize, n: u64) -> u64 {
    *at += 1;
    n
}

/// A code.
#[derive(Clone, Copy, Debug, Default)]
pub struct Code {
    pub bits: u64,
    pub length: u32,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    Leaf(u16),
    Pair(u32, u32),
}

/// A tree of symbols.
#[derive(Debug)]
pub struct CodeTree {
    nodes: Vec<Node>,
    root: u32,
    /// By symbol; those that do not occur have none.
    pub codes: Vec<Code>,
    /// Symbols.
    pub elements: usize,
    least: u16,
    most: u16,
}

impl CodeTree {
    /// A tree for bytes that occur so often; it has two at least, as other programs make it, too.
    pub fn of_bytes(counts: &[u64]) -> CodeTree {
        let mut counts = counts.to_vec();
        counts.resize(256, 0);
        for other in 0..2 {
            if counts.iter().filter(|n| **n > 0).count() < 2 && counts[other] == 0 {
                counts[other] = 1;
            }
        }
        CodeTree::new(&counts)
    }

    /// A tree for symbols that occur so often, at least one.
    pub fn new(counts: &[u64]) -> CodeTree {
        let mut present: Vec<(u64, u16)> =
            counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(s, n)| (*n, s as u16)).collect();
        loop {
            let tree = CodeTree::of(&present);
            if tree.codes.iter().all(|code| code.length <= LONGEST) {
                return tree;
            }
            for (n, _) in &mut present {
                *n = *n / 2 + 1;
            }
        }
    }

    fn of(present: &[(u64, u16)]) -> CodeTree {
        let mut sorted = present.to_vec();
        sorted.sort_unstable();
        let mut nodes: Vec<Node> = sorted.iter().map(|(_, s)| Node::Leaf(*s)).collect();
        let mut joined: Vec<(u64, u32)> = Vec::with_capacity(sorted.len());
        let (mut leaf, mut pair) = (0, 0);
        for _ in 1..sorted.len() {
            let mut next = || match (sorted.get(leaf), joined.get(pair)) {
                (Some(a), b) if b.is_none_or(|b| a.0 <= b.0) => {
                    leaf += 1;
                    (a.0, leaf as u32 - 1)
                }
                (_, b) => {
                    pair += 1;
                    b.copied().unwrap_or_default()
                }
            };
            let (a, b) = (next(), next());
            joined.push((a.0 + b.0, nodes.len() as u32));
            nodes.push(Node::Pair(a.1, b.1));
        }
        let symbols = || present.iter().map(|(_, s)| *s);
        let (least, most) = (symbols().min().unwrap_or(0), symbols().max().unwrap_or(0));
        let mut tree = CodeTree {
            root: nodes.len() as u32 - 1,
            nodes,
            codes: vec![Code::default(); usize::from(most) + 1],
            elements: present.len(),
            least,
            most,
        };
        tree.number();
        tree
    }

    /// Gives each symbol its code.
    fn number(&mut self) {
        let mut open = vec![(self.root, Code::default())];
        while let Some((node, code)) = open.pop() {
            match self.nodes[node as usize] {
                Node::Leaf(symbol) => self.codes[usize::from(symbol)] = code,
                Node::Pair(zero, one) => {
                    let length = code.length + 1;
                    // longer ones are not kept
                    let bits = code.bits.wrapping_shl(1);
                    open.push((one, Code { bits: bits | 1, length }));
                    open.push((zero, Code { bits, length }));
                }
            }
        }
    }

    /// Writes the tree as the head of a data file has it; `table` are the values of its symbols, where they are not bytes.
    pub fn write(&self, table: Option<&[u8]>, out: &mut BitWriter) {
        let least = if table.is_some() { 0 } else { self.least };
        let slots = self.slots();
        let farthest = slots.iter().enumerate().map(|(at, slot)| match slot {
            Node::Pair(target, _) => *target as u64 - at as u64,
            Node::Leaf(_) => 0,
        });
        let offset_bits = bits_of(farthest.max().unwrap_or(0)).max(1);
        let char_bits = bits_of(u64::from(self.most - least)).max(1);
        match table {
            None => {
                out.put(0, 1);
                out.put(u64::from(least), 8);
                out.put(self.elements as u64, 9);
            }
            Some(table) => {
                out.put(1, 1);
                out.put(self.elements as u64, 15);
                out.put(table.len() as u64, 16);
            }
        }
        out.put(u64::from(char_bits), 5);
        out.put(u64::from(offset_bits), 5);
        for (at, slot) in slots.iter().enumerate() {
            match slot {
                Node::Pair(target, _) => {
                    out.put(1, 1);
                    out.put(*target as u64 - at as u64, offset_bits);
                }
                Node::Leaf(symbol) => {
                    out.put(0, 1);
                    out.put(u64::from(symbol - least), char_bits);
                }
            }
        }
        out.align();
        out.bytes.extend_from_slice(table.unwrap_or(&[]));
    }

    /// The slots of the file: pairs, each before those that its slots lead to (by their place among the slots).
    fn slots(&self) -> Vec<Node> {
        let mut slots = Vec::with_capacity(2 * self.elements);
        // pairs to be written, and the slot that leads there
        let mut open = vec![(self.root, None)];
        while let Some((node, from)) = open.pop() {
            let Node::Pair(zero, one) = self.nodes[node as usize] else { continue };
            let at = slots.len();
            if let Some(from) = from {
                slots[from] = Node::Pair(at as u32, 0);
            }
            for child in [zero, one] {
                slots.push(self.nodes[child as usize]);
            }
            open.push((one, Some(at + 1)));
            open.push((zero, Some(at)));
        }
        slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::compressed::bits::BitReader;
    use crate::row::compressed::tree::Tree;

    #[test]
    fn trees_are_read_as_they_were_written() {
        // few and many symbols, alike and far apart; the last would have codes of 60 bits
        let fibonacci = (0..60).scan((1u64, 1u64), |s, _| {
            *s = (s.1, s.0 + s.1);
            Some(s.0)
        });
        let kinds: [Vec<u64>; 5] = [
            vec![0, 0, 7],
            vec![5, 9],
            (0..256).map(|n| n * n % 91).collect(),
            vec![1; 256],
            fibonacci.collect(),
        ];
        for counts in kinds {
            let tree = CodeTree::of_bytes(&counts);
            let mut out = BitWriter::default();
            tree.write(None, &mut out);
            let head = out.bytes.len();
            let present: Vec<u16> =
                (0..256u16).filter(|s| counts.get(usize::from(*s)).is_some_and(|n| *n > 0)).collect();
            for symbol in &present {
                let code = tree.codes[usize::from(*symbol)];
                out.put(code.bits, code.length);
            }
            out.align();
            let mut bits = BitReader::new(&out.bytes);
            let read = Tree::read(&mut bits).expect("a tree");
            assert_eq!(bits.align(), head);
            assert_eq!(read.elements, tree.elements);
            let found: Vec<u16> = present.iter().map(|_| read.symbol(&mut bits)).collect();
            assert_eq!(found, present);
            let shortest: u64 =
                counts.iter().zip(&tree.codes).map(|(n, code)| n * u64::from(code.length)).sum();
            let least = cost(counts.iter().copied());
            assert!(least <= shortest && (counts.len() == 60 || least == shortest), "{least} {shortest}");
        }
    }
}
