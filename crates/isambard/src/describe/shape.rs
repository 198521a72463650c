//! How full blocks are, and how torn apart rows are.

use isam::TableFormat;
use isam::maintain::describe::{DataBlock, Holds, IndexBlock, Owner};
use schema::definition::TableDef;

/// Cells of a map.
pub const CELLS: u64 = 2400;

/// What a cell of the map of an index has.
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexCell {
    /// Bytes of blocks, and used ones of them.
    pub bytes: u64,
    pub used: u64,
    /// The key with the last block, from 0; none for free pages.
    pub key: Option<usize>,
}

/// What a cell of the map of a data file has, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct DataCell {
    pub rows: u64,
    /// Parts of rows that are not their first.
    pub parts: u64,
    pub free: u64,
    pub damaged: u64,
}

/// The blocks of one key.
#[derive(Clone, Copy, Debug, Default)]
struct KeyShape {
    leaves: u64,
    nodes: u64,
    bytes: u64,
    used: u64,
    leaf_bytes: u64,
    leaf_used: u64,
    levels: usize,
    /// Blocks of trees that words have of their own.
    words: u64,
}

/// The index.
pub struct IndexShape {
    keys: Vec<KeyShape>,
    free: u64,
    free_blocks: u64,
    /// Bytes of all blocks that were met.
    pub bytes: u64,
    /// Bytes that a cell stands for.
    pub each: u64,
    pub cells: Vec<IndexCell>,
    pub damage: Vec<String>,
}

/// Bytes of a cell, so that there are not too many.
fn cell_size(length: u64, unit: u64) -> u64 {
    length.div_ceil(CELLS).next_multiple_of(unit).max(unit)
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

impl IndexShape {
    pub fn new(keys: usize, length: u64) -> IndexShape {
        let each = cell_size(length, 1024);
        IndexShape {
            keys: vec![KeyShape::default(); keys],
            free: 0,
            free_blocks: 0,
            bytes: 0,
            each,
            cells: vec![IndexCell::default(); length.div_ceil(each) as usize],
            damage: Vec::new(),
        }
    }

    pub fn add(&mut self, block: &IndexBlock) {
        self.bytes += block.length;
        let key = match block.owner {
            Owner::Free => {
                self.free += block.length;
                self.free_blocks += 1;
                None
            }
            Owner::Key(key) | Owner::Word(key) => Some(key),
        };
        if let Some(shape) = key.and_then(|key| self.keys.get_mut(key)) {
            shape.bytes += block.length;
            shape.used += block.used;
            match block.node {
                true => shape.nodes += 1,
                false => {
                    shape.leaves += 1;
                    shape.leaf_bytes += block.length;
                    shape.leaf_used += block.used;
                }
            }
            match block.owner {
                Owner::Word(_) => shape.words += 1,
                _ => shape.levels = shape.levels.max(block.level + 1),
            }
        }
        // a long block may lie in several cells
        let (mut at, end) = (block.offset, block.offset + block.length);
        while at < end {
            let Some(cell) = self.cells.get_mut((at / self.each) as usize) else { break };
            let stop = ((at / self.each + 1) * self.each).min(end);
            cell.bytes += stop - at;
            cell.used += (block.used * (stop - at)) / block.length;
            cell.key = key.or(cell.key);
            at = stop;
        }
    }

    pub fn print(&self, def: &TableDef, keystart: u64) {
        if def.keys.is_empty() {
            return;
        }
        say!("\nBlocks of keys:                     blocks   levels     bytes    full  leaves full");
        for (key, shape) in def.keys.iter().zip(&self.keys) {
            say!(
                "     {:<27} {:>9} {:>8} {:>9} {:>6.1}% {:>11.1}%",
                key.name,
                shape.leaves + shape.nodes,
                shape.levels,
                shape.bytes,
                percent(shape.used, shape.bytes),
                percent(shape.leaf_used, shape.leaf_bytes)
            );
            if shape.words > 0 {
                say!("     {:<27} {:>9}", "  of words of their own", shape.words);
            }
        }
        say!("     {:<27} {:>9}          {:>9}", "free", self.free_blocks, self.free);
        say!("     {:<27}                    {keystart:>9}", "head");
    }
}

/// The data file.
pub struct DataShape {
    length: u64,
    pub blocks: u64,
    rows: u64,
    used: u64,
    unused: u64,
    free: u64,
    free_blocks: u64,
    parts: u64,
    torn: u64,
    /// Parts that do not follow the one before.
    jumps: u64,
    pub damaged: u64,
    pub each: u64,
    pub cells: Vec<DataCell>,
}

impl DataShape {
    pub fn new(length: u64) -> DataShape {
        let each = cell_size(length, 64);
        DataShape {
            length,
            blocks: 0,
            rows: 0,
            used: 0,
            unused: 0,
            free: 0,
            free_blocks: 0,
            parts: 0,
            torn: 0,
            jumps: 0,
            damaged: 0,
            each,
            cells: vec![DataCell::default(); length.div_ceil(each) as usize],
        }
    }

    pub fn add(&mut self, block: &DataBlock) {
        self.blocks += 1;
        self.used += block.used;
        match block.holds {
            Holds::Row => self.rows += 1,
            Holds::First => {
                self.rows += 1;
                self.torn += 1;
                self.jumps += u64::from(block.next != block.offset + block.length);
            }
            Holds::Part => {
                self.parts += 1;
                self.jumps += u64::from(block.next != 0 && block.next != block.offset + block.length);
            }
            Holds::Free => {
                self.free += block.length;
                self.free_blocks += 1;
            }
            Holds::Damage => self.damaged += block.length,
        }
        if matches!(block.holds, Holds::Row | Holds::First | Holds::Part) {
            self.unused += block.length - block.used.min(block.length);
        }
        let (mut at, end) = (block.offset, block.offset + block.length);
        while at < end {
            let Some(cell) = self.cells.get_mut((at / self.each) as usize) else { break };
            let stop = ((at / self.each + 1) * self.each).min(end);
            let bytes = stop - at;
            match block.holds {
                Holds::Row | Holds::First => cell.rows += bytes,
                Holds::Part => cell.parts += bytes,
                Holds::Free => cell.free += bytes,
                Holds::Damage => cell.damaged += bytes,
            }
            at = stop;
        }
    }

    pub fn print(&self, format: &TableFormat) {
        let share = |bytes: u64| percent(bytes, self.length);
        say!("\nData file:");
        say!("     rows                        {:>12}", self.rows);
        say!("     bytes of rows               {:>12}  {:>5.1}%", self.used, share(self.used));
        if !format.layout.fixed && !format.header.is_compressed() {
            say!("     bytes behind rows           {:>12}  {:>5.1}%", self.unused, share(self.unused));
        }
        say!(
            "     free bytes                  {:>12}  {:>5.1}%  in {} blocks",
            self.free,
            share(self.free),
            self.free_blocks
        );
        if !format.layout.fixed && !format.header.is_compressed() {
            say!(
                "     rows in parts               {:>12}  {:>5.1}%  in {} parts, {} of them elsewhere",
                self.torn,
                percent(self.torn, self.rows),
                self.torn + self.parts,
                self.jumps
            );
        }
        if self.damaged > 0 {
            say!("     damaged bytes               {:>12}  {:>5.1}%", self.damaged, share(self.damaged));
        }
    }
}
