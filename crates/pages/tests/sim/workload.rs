//! Workloads: what tables should hold, and steps drawn from a seed.

use std::collections::BTreeMap;
use std::rc::Rc;

/// A small generator, the same everywhere.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n.max(1)
    }
}

/// What a table should hold.
#[derive(Clone, PartialEq)]
pub struct Content {
    pub paging: usize,
    pub counter: u64,
    pub blocks: Vec<Vec<u8>>,
    pub data: Vec<u8>,
}

impl Content {
    pub fn empty(paging: usize, counter: u64) -> Content {
        Content { paging, counter, blocks: Vec::new(), data: Vec::new() }
    }
}

/// All tables by name.
pub type State = BTreeMap<&'static str, Rc<Content>>;

/// A change within a statement.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Bytes behind the end.
    Append { len: usize, byte: u8 },
    /// Bytes in the middle.
    Overwrite { at: u64, len: usize, byte: u8 },
    /// Every page of rows and every block.
    All { byte: u8 },
    /// Blocks behind the end.
    Blocks { count: usize, byte: u8 },
    /// Some bytes of a block.
    Block { which: u64, at: usize, len: usize, byte: u8 },
    /// Bytes of a block move inside it, as when an entry is put in front of others, and some are written.
    Shift { which: u64, from: usize, to: usize, len: usize, byte: u8 },
    /// Changes and goes back to a mark.
    Undone { byte: u8 },
}

/// A step of the workload. Tables are numbers of names; a step that makes no sense as things are does nothing.
#[derive(Clone, Debug)]
pub enum Step {
    /// A connection begins a statement on a table, or goes on with it.
    Edit(usize, Edit),
    Commit(usize),
    Rollback(usize),
    /// Two tables in one record.
    CommitBoth(usize, usize),
    /// LOCK TABLES ... WRITE: several statements under exclusive use.
    Locked(usize, Vec<Edit>),
    /// A reader begins, or ends.
    Reader(usize),
    /// A connection waits for its commit under `durability = commit`.
    Durable,
    /// A commit of this table comes in after so many writes of table files.
    Checkpoint(Option<(usize, u64)>),
    CheckpointClean,
    /// FLUSH TABLES of one.
    Flush(usize),
    Create(usize, usize),
    Drop(usize),
    /// New files in the place of the old.
    Truncate(usize),
    /// RENAME TABLE, or the last step of ALTER when the target exists.
    Rename(usize, usize),
    /// CHECK TABLE: clean and unguarded beside readers.
    Check(usize),
    /// REPAIR and OPTIMIZE: built anew beside, row by row, and swapped in.
    Rebuild(usize, usize),
    /// RENAME TABLE a TO x, b TO a, x TO b.
    Exchange(usize, usize),
    /// DROP TABLE of two.
    DropBoth(usize, usize),
}

fn edit(dice: &mut Dice) -> Edit {
    let byte = dice.below(256) as u8;
    match dice.below(17) {
        0..=2 => {
            let most = [200, 200, 9_000, 40_000][dice.below(4) as usize];
            Edit::Append { len: 1 + dice.below(most) as usize, byte }
        }
        3 | 4 => Edit::Overwrite { at: dice.below(1 << 20), len: 1 + dice.below(300) as usize, byte },
        5 | 12 => Edit::All { byte },
        6 | 7 => {
            let most = [2, 2, 2, 20][dice.below(4) as usize];
            Edit::Blocks { count: 1 + dice.below(most) as usize, byte }
        }
        8..=10 => block(dice, byte),
        13..=15 => {
            let (from, to) = (dice.below(600) as usize, dice.below(600) as usize);
            Edit::Shift { which: dice.below(64), from, to, len: 1 + dice.below(400) as usize, byte }
        }
        _ => Edit::Undone { byte },
    }
}

fn block(dice: &mut Dice, byte: u8) -> Edit {
    let at = dice.below(1000) as usize;
    Edit::Block { which: dice.below(64), at, len: 1 + dice.below(24) as usize, byte }
}

/// The workload of a seed.
pub fn steps(seed: u64) -> Vec<Step> {
    let mut dice = Dice::new(seed);
    let mut steps: Vec<Step> = (0..3).map(|t| Step::Create(t, (t + seed as usize) % 3)).collect();
    for _ in 0..15 + dice.below(30) {
        let (table, other) = (dice.below(4) as usize, dice.below(4) as usize);
        if dice.below(25) == 0 {
            // CHECK TABLE beside a reader, who keeps old versions of a page that is changed again.
            steps.extend([Step::Edit(table, Edit::Blocks { count: 1, byte: 1 }), Step::Commit(table)]);
            steps.push(Step::Reader(dice.below(2) as usize));
            for byte in [2, 3, 4] {
                steps.extend([Step::Edit(table, block(&mut dice, byte)), Step::Commit(table)]);
                steps.push(if byte == 4 { Step::Checkpoint(None) } else { Step::Check(table) });
            }
            continue;
        }
        steps.push(match dice.below(48) {
            0..=13 => Step::Edit(table, edit(&mut dice)),
            14..=20 => Step::Commit(table),
            21 => Step::Rollback(table),
            22 | 23 => Step::CommitBoth(table, other),
            24 | 25 => Step::Locked(table, (0..1 + dice.below(4)).map(|_| edit(&mut dice)).collect()),
            26 | 27 => Step::Reader(dice.below(2) as usize),
            28..=30 => Step::Durable,
            31 | 32 => Step::Checkpoint((dice.below(4) > 0).then(|| (table, dice.below(6)))),
            33 => Step::CheckpointClean,
            34 => Step::Flush(table),
            35 => Step::Create(table, dice.below(3) as usize),
            36 => Step::Drop(table),
            37 => Step::Truncate(table),
            38..=40 => Step::Rename(table, other),
            41..=43 => Step::Check(table),
            44 | 45 => Step::Rebuild(table, 1 + dice.below(6) as usize),
            46 => Step::Exchange(table, other),
            _ => Step::DropBoth(table, other),
        });
    }
    steps
}
