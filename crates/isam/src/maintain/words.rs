//! Collecting the words of a FULLTEXT key on several threads: texts of rows go in batches to workers, which find their words and weigh
//! them.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use fulltext::{Posting, count_until, weigh};
use parking_lot::Mutex;

use super::word_sort::WordSorter;
use crate::error::{Error, Result};
use crate::key::runs::EntrySorter;
use crate::key::{FulltextKey, KeyInfo};
use crate::row::RowView;
use crate::sorting::SortSettings;

/// Bytes of text that go to a worker at once.
const BATCH: usize = 256 << 10;
/// Batches that wait for a worker.
const WAITING: usize = 2;
/// More workers than this wait for the one who reads the rows.
const MOST_WORKERS: usize = 8;
/// Tables with fewer rows are not worth a thread.
const FEW_ROWS: u64 = 100;
/// How long to wait until KILL is looked at again.
const PAUSE: Duration = Duration::from_millis(1);

fn killed() -> Error {
    Error::Pages(pages::ErrorKind::Killed.into())
}

/// How many workers a table of so many rows is worth.
pub(super) fn workers(rows: u64) -> usize {
    match rows {
        ..FEW_ROWS => 0,
        _ => thread::available_parallelism().map_or(1, |n| n.get().min(MOST_WORKERS)),
    }
}

/// Texts of some rows.
#[derive(Default)]
struct Batch {
    /// Position, and where the row's texts end in `ends`.
    rows: Vec<(u64, usize)>,
    /// Where texts end in `bytes`.
    ends: Vec<usize>,
    bytes: Vec<u8>,
}

impl Batch {
    fn push<'t>(&mut self, pos: u64, texts: impl Iterator<Item = &'t [u8]>) {
        for text in texts {
            self.bytes.extend_from_slice(text);
            self.ends.push(self.bytes.len());
        }
        self.rows.push((pos, self.ends.len()));
    }

    fn texts(&self, ends: std::ops::Range<usize>) -> impl Iterator<Item = &[u8]> {
        ends.map(|i| &self.bytes[if i == 0 { 0 } else { self.ends[i - 1] }..self.ends[i]])
    }
}

/// Puts the words of a row into `sorter`.
pub(super) fn push_words<'t>(
    fulltext: &FulltextKey,
    pos: u64,
    texts: impl Iterator<Item = &'t [u8]>,
    sorter: &mut WordSorter<'_, '_>,
    stop: &dyn Fn() -> bool,
) -> Result<()> {
    let words = count_until(fulltext.collation, &fulltext.rules, texts, stop).map_err(|_| killed())?;
    let mut words = weigh(&words).into_iter();
    words.try_for_each(|w| sorter.push(w.word, Posting { row: pos, weight: w.weight as f32 }))
}

/// Sends rows to the workers.
pub(super) struct Feeder<'f> {
    fulltext: &'f FulltextKey,
    batch: Batch,
    workers: Vec<SyncSender<Batch>>,
    /// Where the next batch goes.
    next: usize,
    stopped: &'f AtomicBool,
    kill: &'f dyn Fn() -> bool,
}

impl Feeder<'_> {
    /// Takes a row. False: nothing more is wanted.
    pub fn push(&mut self, pos: u64, row: &RowView<'_>) -> bool {
        self.batch.push(pos, self.fulltext.texts(row));
        // rows without a word take room, too
        let places =
            self.batch.rows.len() * size_of::<(u64, usize)>() + self.batch.ends.len() * size_of::<usize>();
        self.batch.bytes.len() + places < BATCH || self.send()
    }

    fn send(&mut self) -> bool {
        let mut batch = std::mem::take(&mut self.batch);
        loop {
            for _ in 0..self.workers.len() {
                self.next = (self.next + 1) % self.workers.len();
                match self.workers[self.next].try_send(batch) {
                    Ok(()) => return true,
                    Err(TrySendError::Full(back)) => batch = back,
                    // It failed, and says so in the end.
                    Err(TrySendError::Disconnected(_)) => return false,
                }
            }
            if (self.kill)() {
                self.stopped.store(true, Ordering::Relaxed);
            }
            if self.stopped.load(Ordering::Relaxed) {
                return false;
            }
            thread::sleep(PAUSE);
        }
    }
}

/// Collects the words of the rows that `rows` hands over, with so many workers (at least one).
pub(super) fn collect<'r, 'k>(
    key: &'k KeyInfo,
    fulltext: &FulltextKey,
    (settings, workers, runs): (&SortSettings, usize, &'r Mutex<EntrySorter<'k>>),
    kill: &dyn Fn() -> bool,
    rows: impl FnOnce(&mut Feeder<'_>) -> Result<()>,
) -> Result<Vec<WordSorter<'r, 'k>>> {
    let stopped = &AtomicBool::new(false);
    thread::scope(|scope| {
        let (mut senders, mut running) = (Vec::new(), Vec::new());
        for _ in 0..workers {
            let (sender, batches) = sync_channel(WAITING);
            let sorter = WordSorter::new(key, settings.buffer / workers, runs);
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                let result = work(fulltext, sorter, &batches, stopped);
                stopped.fetch_or(result.is_err(), Ordering::Relaxed);
                result
            });
            match worker {
                Ok(worker) => {
                    senders.push(sender);
                    running.push(worker);
                }
                // fewer do as well
                Err(_) if !running.is_empty() => break,
                Err(e) => return Err(Error::Pages(pages::Error::io(Path::new("a thread"), "start", e))),
            }
        }
        let (batch, next) = (Batch::default(), 0);
        let mut feeder = Feeder { fulltext, batch, workers: senders, next, stopped, kill };
        let mut read = rows(&mut feeder);
        if read.is_ok() {
            feeder.send();
        } else {
            stopped.store(true, Ordering::Relaxed);
        }
        // Without senders the workers come to their end.
        drop(feeder);
        while running.iter().any(|worker| !worker.is_finished()) {
            if !stopped.load(Ordering::Relaxed) && kill() {
                stopped.store(true, Ordering::Relaxed);
            }
            thread::sleep(PAUSE);
        }
        let mut sorters = Vec::with_capacity(workers);
        let mut failed = None;
        for worker in running {
            match worker.join() {
                Ok(Ok(sorter)) => sorters.push(sorter),
                // Those who were stopped are not why.
                Ok(Err(e)) if failed.is_none() || e.number() != killed().number() => failed = Some(e),
                Ok(Err(_)) => {}
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        if let (Ok(()), Some(e)) = (&read, failed) {
            read = Err(e);
        }
        read.and_then(|()| if stopped.load(Ordering::Relaxed) { Err(killed()) } else { Ok(sorters) })
    })
}

fn work<'r, 'k>(
    fulltext: &FulltextKey,
    mut sorter: WordSorter<'r, 'k>,
    batches: &Receiver<Batch>,
    stopped: &AtomicBool,
) -> Result<WordSorter<'r, 'k>> {
    let stop = || stopped.load(Ordering::Relaxed);
    while let Ok(batch) = batches.recv() {
        let mut from = 0;
        for &(pos, to) in &batch.rows {
            push_words(fulltext, pos, batch.texts(from..to), &mut sorter, &stop)?;
            from = to;
        }
        if stop() {
            return Err(killed());
        }
    }
    Ok(sorter)
}
