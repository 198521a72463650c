//! Keys that wait while many rows are inserted into a table that has rows already, changed or deleted.
//!
//! In the order of the rows, entries of a key come to pages all over its tree, each of which has to be fetched, changed and, when the
//! statement is larger than its memory, sent away again for one entry. Sorted, those of a page come one after the other. So entries of keys that
//! refuse nothing are collected, and put into the tree when the statement ends, and before it changes or deletes a row: where they are few for
//! the tree one by one, else by building it anew of those that it has and those that come.
//!
//! So are entries that a statement takes out, of keys that it looks nothing up in: a byte behind the row pointer says which of both becomes of
//! an entry, so that they are sorted together.
//!
//! Where there is no room for what waits, all of it goes into the trees, and nothing waits any more.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, Scope};

use crate::TableFormat;
use crate::beside::{self, FEW_ENTRIES, killed};
use crate::error::{Error, Result};
use crate::key::KeyInfo;
use crate::key::collect::{Collector, Helpers};
use crate::sorting::SortSettings;
use crate::source::PageStore;
use crate::tree::edit::{TreeEdit, TreeScratch};
use crate::tree::merge::Rebuild;

/// A tree is built anew where it gets one entry for so many that it has, or more: a few for each leaf.
const FEW: u64 = 32;

/// As [`FEW`], of entries that go and come: an UPDATE has two for each row.
const FEW_CHANGES: u64 = 24;

/// What becomes of an entry. One that goes is before one that comes: the same row may have an equal value again.
const GOES: u8 = 0;
const COMES: u8 = 1;

/// What a statement does with many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManyRows {
    /// It inserts them; rows that are changed or deleted meanwhile end the waiting.
    Insert,
    /// It changes rows, each once.
    Update,
    /// It deletes them, and writes none.
    Delete,
}

/// Bytes of entries that go from a thread to the next at once, and how many such pieces may wait.
const PIECE: usize = 64 << 10;
const PIECES: usize = 4;

/// Entries that are not in their trees yet.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// One for each key; none for keys that do not wait.
    keys: Vec<Option<Box<Collector>>>,
    helpers: Helpers,
    settings: SortSettings,
    work: ManyRows,
}

impl Waiting {
    /// For a table laid out as `format`; none when no key may wait. `active` says which keys are kept at all.
    pub fn new(
        format: &TableFormat,
        settings: &SortSettings,
        work: ManyRows,
        active: impl Fn(usize) -> bool,
    ) -> Option<Waiting> {
        let waits = |key: &KeyInfo| {
            let free = match work {
                ManyRows::Insert | ManyRows::Update => {
                    !key.is_fulltext() && key.may_wait(format.header.base.auto_key)
                }
                ManyRows::Delete => key.is_btree(),
            };
            free && active(key.number)
        };
        let collector = |key: &Arc<KeyInfo>| {
            let key = match work {
                ManyRows::Insert => Arc::clone(key),
                // the byte that says what becomes of an entry is sorted as a part of the row pointer
                _ => Arc::new(KeyInfo { rec_ref: key.rec_ref + 1, ..KeyInfo::clone(key) }),
            };
            Box::new(Collector::new(&key, &settings.tmpdir))
        };
        let keys: Vec<_> = format.keys.iter().map(|key| waits(key).then(|| collector(key))).collect();
        let waiting = keys.iter().flatten().count();
        let helpers = Helpers::new(waiting, settings.buffer, settings.threads().saturating_sub(1));
        (waiting > 0).then(|| Waiting { keys, helpers, settings: settings.clone(), work })
    }

    /// What it is for.
    pub fn work(&self) -> ManyRows {
        self.work
    }

    /// Takes the entry of a key that waits, which `comes` into the tree or goes out of it; false for one that does not wait.
    ///
    /// # Errors
    /// There is no room for more.
    #[inline]
    pub fn take(&mut self, key: &KeyInfo, entry: &mut Vec<u8>, flat: usize, comes: bool) -> Result<bool> {
        let Some(Some(collector)) = self.keys.get_mut(key.number) else { return Ok(false) };
        let told = self.work != ManyRows::Insert;
        if !told && !comes {
            return Ok(false);
        }
        if told {
            entry.push(if comes { COMES } else { GOES });
        }
        let taken = collector.push(&mut self.helpers, entry, flat);
        if told {
            entry.pop();
        }
        taken.map(|()| true)
    }

    /// Forgets the entry of a key that waits which was taken last.
    pub fn pop(&mut self, key: usize) -> bool {
        let Some(Some(collector)) = self.keys.get_mut(key) else { return false };
        collector.pop();
        true
    }

    pub fn is_empty(&self) -> bool {
        self.keys.iter().flatten().all(|collector| collector.count() == 0)
    }

    /// Puts all entries into their trees; others may come behind them. `stop` is asked now and then.
    ///
    /// # Errors
    /// `Killed` when `stop` says so, and those of the files: the statement must be undone.
    pub fn insert<S: PageStore>(
        &mut self,
        format: &TableFormat,
        (store, scratch): (&mut S, &mut TreeScratch),
        stop: &dyn Fn() -> bool,
    ) -> Result<()> {
        let mut all = Vec::new();
        for collector in self.keys.iter_mut().flatten().filter(|collector| collector.count() > 0) {
            let next = Collector::new(&collector.key, &self.settings.tmpdir);
            all.push(std::mem::replace(&mut **collector, next));
        }
        self.helpers.forget();
        let threads = self.settings.threads();
        let many = all.iter().map(Collector::count).sum::<u64>() >= FEW_ENTRIES;
        if threads > 1 && many {
            return insert_by_threads((all, self.work), threads, format, (store, scratch), stop);
        }
        for mut collector in all {
            let key = &*format.keys[collector.key.number];
            let mut edit = TreeEdit::new(key, format.offsets, &mut *store, &mut *scratch);
            let mut into = Edits::begin(&mut edit, collector.count(), self.work)?;
            if self.work == ManyRows::Insert
                && matches!(into.way, Way::Tree(_))
                && let Some(entries) = collector.sorted()
            {
                edit.insert_sorted(entries.iter(key))?;
                continue;
            }
            collector.finish(stop, |entry, flat, _| into.push(&mut edit, entry, flat))?;
            into.finish(&mut edit)?;
        }
        Ok(())
    }
}

/// Entries in order, one behind the other.
#[derive(Default)]
struct Piece {
    bytes: Vec<u8>,
    /// Where each ends, and the length of its flat key.
    ends: Vec<(usize, usize)>,
}

impl Piece {
    #[inline]
    fn push(&mut self, entry: &[u8], flat: usize) {
        self.bytes.extend_from_slice(entry);
        self.ends.push((self.bytes.len(), flat));
    }

    fn is_full(&self) -> bool {
        self.bytes.len() >= PIECE
    }

    fn iter(&self) -> impl Iterator<Item = (&[u8], usize)> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, flat)| (&self.bytes[std::mem::replace(&mut start, end)..end], flat))
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}

/// What is done with entries that come in order.
struct Edits {
    way: Way,
    /// A byte behind each entry says what becomes of it.
    told: bool,
}

enum Way {
    /// They go into the tree as it is, a piece at a time.
    Tree(Piece),
    /// The tree is built anew.
    Anew(Box<Rebuild>),
}

impl Edits {
    /// For so many entries of rows that are counted already, or are counted no more.
    fn begin<S: PageStore>(edit: &mut TreeEdit<'_, S>, entries: u64, work: ManyRows) -> Result<Edits> {
        let records = edit.state().records();
        let few = match work {
            ManyRows::Insert => entries.saturating_mul(FEW) < records.saturating_sub(entries),
            _ => entries.saturating_mul(FEW_CHANGES) < records,
        };
        let way = match few {
            true => Way::Tree(Piece::default()),
            false => Way::Anew(Box::new(Rebuild::begin(edit)?)),
        };
        Ok(Edits { way, told: work != ManyRows::Insert })
    }

    #[inline]
    fn push<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>, entry: &[u8], flat: usize) -> Result<()> {
        let Some((fate, own)) = entry.split_last().filter(|_| self.told) else {
            return self.insert(edit, entry, flat);
        };
        if *fate == COMES {
            return self.insert(edit, own, flat);
        }
        match &mut self.way {
            Way::Anew(tree) => tree.leave_out(edit, own, flat),
            Way::Tree(_) if edit.delete(own, flat)? => Ok(()),
            Way::Tree(_) => Err(Error::index(edit.root(), "the row is not in the index")),
        }
    }

    #[inline]
    fn insert<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>, entry: &[u8], flat: usize) -> Result<()> {
        match &mut self.way {
            Way::Anew(tree) => tree.push(edit, entry, flat),
            Way::Tree(piece) => {
                piece.push(entry, flat);
                if piece.is_full() {
                    edit.insert_sorted(piece.iter())?;
                    piece.clear();
                }
                Ok(())
            }
        }
    }

    fn finish<S: PageStore>(self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        match self.way {
            Way::Anew(tree) => tree.finish(edit),
            Way::Tree(piece) => edit.insert_sorted(piece.iter()),
        }
    }
}

/// As [`Waiting::insert`]: the entries of several keys are merged by a thread each, while the one who writes the pages goes from key to key.
fn insert_by_threads<S: PageStore>(
    (all, work): (Vec<Collector>, ManyRows),
    threads: usize,
    format: &TableFormat,
    (store, scratch): (&mut S, &mut TreeScratch),
    stop: &dyn Fn() -> bool,
) -> Result<()> {
    let stopped = &AtomicBool::new(false);
    let keys: Vec<_> = all.iter().map(|collector| (collector.key.number, collector.count())).collect();
    thread::scope(|scope| {
        let mut waiting = all.into_iter();
        let mut running = VecDeque::new();
        let result = keys.iter().try_for_each(|&(key, count)| {
            while running.len() < threads
                && let Some(collector) = waiting.next()
            {
                running.push_back(merge(scope, collector, stopped)?);
            }
            let Some(pieces) = running.pop_front() else { return Ok(()) };
            let mut edit = TreeEdit::new(&format.keys[key], format.offsets, &mut *store, &mut *scratch);
            let mut into = Edits::begin(&mut edit, count, work)?;
            take(&pieces, stop, |entry, flat| into.push(&mut edit, entry, flat))?;
            into.finish(&mut edit)
        });
        // who still merges finds nobody who takes it
        stopped.store(true, Ordering::Relaxed);
        drop(running);
        result
    })
}

/// Begins a thread that merges the entries of a key. Behind the last piece an empty one says that all was well.
fn merge<'scope>(
    scope: &'scope Scope<'scope, '_>,
    collector: Collector,
    stopped: &'scope AtomicBool,
) -> Result<Receiver<Result<Piece>>> {
    let (to, from) = sync_channel(PIECES);
    let work = move || {
        let mut piece = Piece::default();
        let merged = collector.finish(&|| stopped.load(Ordering::Relaxed), |entry, flat, _| {
            piece.push(entry, flat);
            match piece.is_full() {
                true => to.send(Ok(std::mem::take(&mut piece))).map_err(|_| killed()),
                false => Ok(()),
            }
        });
        // who does not listen has another error
        let _ = match merged {
            Ok(()) => to.send(Ok(piece)).and_then(|()| to.send(Ok(Piece::default()))),
            Err(e) => to.send(Err(e)),
        };
    };
    beside::begin(scope, "merge", work)?;
    Ok(from)
}

/// Hands over the entries of pieces. `stop` is asked now and then.
fn take(
    pieces: &Receiver<Result<Piece>>,
    stop: &dyn Fn() -> bool,
    mut f: impl FnMut(&[u8], usize) -> Result<()>,
) -> Result<()> {
    loop {
        // one that ends without a word has panicked, which the scope tells
        let piece = beside::receive(pieces, stop)?.ok_or_else(killed)??;
        if piece.ends.is_empty() {
            return Ok(());
        }
        piece.iter().try_for_each(|(entry, flat)| f(entry, flat))?;
        if stop() {
            return Err(killed());
        }
    }
}
