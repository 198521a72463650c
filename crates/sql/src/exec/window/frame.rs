//! Where the partition, the peers and the frame of the current row begin and end. All of these move forwards only while the current
//! row does.

use std::rc::Rc;

use super::rows::{Cursor, PartitionRows};
use crate::error::SqlResult;
use crate::expr::window::{Bound, Offset};
use crate::plan::window::PlannedCall;
use crate::types::decimal::Rounding;
use crate::types::{Decimal, ValueRef};

/// Numbers of rows around the current one; the ends are those of the rows behind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    /// The current row.
    pub row: u64,
    /// The partition.
    pub partition: (u64, u64),
    /// The rows that are equal to the current one in ORDER BY.
    pub peers: (u64, u64),
    /// The frame: empty where the end is not behind the start.
    pub frame: (u64, u64),
    /// A partition begins.
    pub new_partition: bool,
    /// Peers begin.
    pub new_peers: bool,
}

/// A value of the key of RANGE; NULL is a peer of NULL alone.
#[derive(Clone, Debug)]
enum Key {
    Null,
    Int(i128),
    Decimal(Decimal),
    Double(f64),
}

impl Key {
    fn of(v: ValueRef<'_>) -> Key {
        match v {
            ValueRef::Int(n) => Key::Int(n.into()),
            ValueRef::UInt(n) => Key::Int(n.into()),
            ValueRef::Decimal(d) => Key::Decimal(*d),
            ValueRef::Double(d) => Key::Double(d),
            _ => Key::Null,
        }
    }

    fn double(&self) -> f64 {
        match self {
            Key::Null => 0.0,
            Key::Int(n) => *n as f64,
            Key::Decimal(d) => d.to_f64(),
            Key::Double(d) => *d,
        }
    }

    fn decimal(&self) -> Decimal {
        match self {
            Key::Decimal(d) => *d,
            Key::Int(n) => Decimal::parse(n.to_string().as_bytes()).value,
            Key::Null | Key::Double(_) => Decimal::ZERO,
        }
    }

    /// The key so far before this one, or behind it.
    fn moved(&self, by: &Offset, back: bool) -> Key {
        match (self, by) {
            (Key::Null, _) => Key::Null,
            (Key::Int(n), Offset::Int(by)) => {
                let by = i128::from(*by);
                Key::Int(if back { n - by } else { n + by })
            }
            (Key::Double(_), _) | (_, Offset::Double(_)) => {
                let by = match by {
                    Offset::Int(n) => *n as f64,
                    Offset::Decimal(d) => d.to_f64(),
                    Offset::Double(d) => *d,
                };
                let moved = if back { self.double() - by } else { self.double() + by };
                // the bound is a value of the key
                match self {
                    Key::Int(_) => Key::Int(moved.round() as i128),
                    _ => Key::Double(moved),
                }
            }
            (_, Offset::Int(_) | Offset::Decimal(_)) => {
                let by = match by {
                    Offset::Int(n) => Decimal::from(*n),
                    Offset::Decimal(d) => *d,
                    Offset::Double(_) => Decimal::ZERO,
                };
                let own = self.decimal();
                let moved = if back { own.sub(&by).0 } else { own.add(&by).0 };
                match self {
                    Key::Int(_) => Key::Int(moved.to_i128()),
                    _ => Key::Decimal(moved.round(own.scale().into(), Rounding::HalfUp).0),
                }
            }
        }
    }

    fn less(&self, than: &Key) -> bool {
        match (self, than) {
            (_, Key::Null) => false,
            (Key::Null, _) => true,
            (Key::Int(a), Key::Int(b)) => a < b,
            (Key::Double(_), _) | (_, Key::Double(_)) => self.double() < than.double(),
            _ => self.decimal() < than.decimal(),
        }
    }
}

/// Follows the current row through the partitions of one window.
pub(super) struct Tracker {
    /// Keys of PARTITION BY, and with those of ORDER BY.
    keys: (i64, i64),
    rows: bool,
    start: Bound,
    end: Bound,
    /// The key of RANGE, and whether it descends; the column that says how many keys are equal.
    key: usize,
    descending: bool,
    equal: usize,
    /// Looks for the end of the partition, of the peers, for the bounds of RANGE.
    ahead: Cursor,
    peers_ahead: Cursor,
    low: Cursor,
    high: Cursor,
    len: u64,
    now: Bounds,
}

impl Tracker {
    /// At the first of some rows, whose column `equal` says how many keys they share with the row before.
    pub(super) fn new(
        call: &PlannedCall,
        keys: &[(usize, bool)],
        equal: usize,
        rows: &Rc<PartitionRows>,
    ) -> Tracker {
        let key = keys.get(call.partition).copied().unwrap_or_default();
        Tracker {
            keys: (call.partition as i64, (call.partition + call.order) as i64),
            rows: call.frame.rows,
            start: call.frame.start.clone(),
            end: call.frame.end.clone(),
            key: key.0,
            descending: key.1,
            equal,
            ahead: Cursor::new(rows),
            peers_ahead: Cursor::new(rows),
            low: Cursor::new(rows),
            high: Cursor::new(rows),
            len: rows.len(),
            now: Bounds::default(),
        }
    }

    /// The bounds of row `row`, which shares so many keys with the row before. Rows come one after the other.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub(super) fn go(&mut self, row: u64, equal: i64) -> SqlResult<Bounds> {
        let (partition, whole) = self.keys;
        self.now.row = row;
        self.now.new_partition = row == 0 || equal < partition;
        self.now.new_peers = self.now.new_partition || equal < whole;
        if self.now.new_partition {
            let end = end_of(&mut self.ahead, self.equal, row, self.len, partition)?;
            self.now.partition = (row, end);
            self.now.frame = (row, row);
        }
        if self.now.new_peers {
            let most = self.now.partition.1;
            let end = if whole == partition {
                most
            } else {
                end_of(&mut self.peers_ahead, self.equal, row, most, whole)?
            };
            self.now.peers = (row, end);
        }
        if self.rows {
            self.now.frame = self.of_rows(row);
        } else if self.now.new_peers {
            self.now.frame = self.of_range(row)?;
        }
        Ok(self.now)
    }

    fn of_rows(&self, row: u64) -> (u64, u64) {
        let (first, behind) = self.now.partition;
        let so_far = |by: &Offset| if let Offset::Int(n) = by { *n } else { 0 };
        let start = match &self.start {
            Bound::Unbounded => first,
            Bound::Current => row,
            Bound::Preceding(by) => row.saturating_sub(so_far(by)).max(first),
            Bound::Following(by) => row.saturating_add(so_far(by)).min(behind),
        };
        let end = match &self.end {
            Bound::Unbounded => behind,
            Bound::Current => row + 1,
            // the row itself counts
            Bound::Preceding(by) => (row + 1).saturating_sub(so_far(by)).max(first),
            Bound::Following(by) => row.saturating_add(so_far(by)).saturating_add(1).min(behind),
        };
        (start, end)
    }

    fn of_range(&mut self, row: u64) -> SqlResult<(u64, u64)> {
        let (first, behind) = self.now.partition;
        let (mut start, mut end) = self.now.frame;
        let needs_key = |b: &Bound| matches!(b, Bound::Preceding(_) | Bound::Following(_));
        let own = if needs_key(&self.start) || needs_key(&self.end) {
            let (batch, at) = self.low.at(row)?;
            Key::of(batch.columns[self.key].get(at))
        } else {
            Key::Null
        };
        let null = matches!(own, Key::Null);
        match &self.start {
            Bound::Unbounded => start = first,
            Bound::Preceding(by) | Bound::Following(by) if !null => {
                let back = matches!(self.start, Bound::Preceding(_)) != self.descending;
                let least = own.moved(by, back);
                while start < behind {
                    let (batch, at) = self.low.at(start)?;
                    let key = Key::of(batch.columns[self.key].get(at));
                    let before = if self.descending { least.less(&key) } else { key.less(&least) };
                    if !before {
                        break;
                    }
                    start += 1;
                }
            }
            _ => start = self.now.peers.0,
        }
        match &self.end {
            Bound::Unbounded => end = behind,
            Bound::Preceding(by) | Bound::Following(by) if !null => {
                let back = matches!(self.end, Bound::Preceding(_)) != self.descending;
                let most = own.moved(by, back);
                while end < behind {
                    let (batch, at) = self.high.at(end)?;
                    let key = Key::of(batch.columns[self.key].get(at));
                    let past = if self.descending { key.less(&most) } else { most.less(&key) };
                    if past {
                        break;
                    }
                    end += 1;
                }
            }
            _ => end = self.now.peers.1,
        }
        Ok((start, end))
    }
}

/// The row behind those from `row` on that share so many keys.
fn end_of(cursor: &mut Cursor, equal: usize, row: u64, most: u64, keys: i64) -> SqlResult<u64> {
    let mut end = row + 1;
    while end < most {
        let (batch, at) = cursor.at(end)?;
        if batch.columns[equal].i64(at) < keys {
            break;
        }
        end += 1;
    }
    Ok(end)
}
