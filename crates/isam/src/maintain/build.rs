//! Trees of keys whose entries are collected. Entries of several keys are merged and packed into leaves by a thread each, while the one who
//! writes the pages goes from key to key.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Scope};

use crate::beside::{self, FEW_ENTRIES, killed};
use crate::error::{Error, Result};
use crate::key::KeyInfo;
use crate::key::collect::Collector;
use crate::myi::key_flag;
use crate::pointer::pointer;
use crate::sorting::SortSettings;
use crate::source::PageStore;
use crate::statistics::{KeyStatistics, StatsMethod};
use crate::tree::bulk::{Filled, Filling, Levels};
use crate::tree::edit::{TreeEdit, TreeScratch};
use crate::{RowPos, Writer};

/// Leaves that go to the writer at once.
const AT_ONCE: usize = 32;

/// Leaves of a key, in order.
#[derive(Default)]
struct Leaves {
    /// Each leaf, and the entry that goes up from it.
    bytes: Vec<u8>,
    /// Where each leaf ends, and its entry.
    ends: Vec<(usize, usize)>,
}

impl Leaves {
    fn add(&mut self, filled: &Filled) {
        self.bytes.extend_from_slice(&filled.content);
        let leaf = self.bytes.len();
        self.bytes.extend_from_slice(&filled.rising);
        self.ends.push((leaf, self.bytes.len()));
    }
}

/// What comes of a key's entries.
enum Part {
    Leaves(Leaves),
    /// The last leaf, if there was an entry at all.
    End(Result<(Option<Vec<u8>>, KeyStatistics)>),
}

/// Makes leaves of the entries of a key.
fn leaves(
    collector: Collector,
    method: StatsMethod,
    stop: &dyn Fn() -> bool,
    mut full: impl FnMut(&Filled) -> Result<()>,
) -> Result<(Option<Vec<u8>>, KeyStatistics)> {
    let key = &*collector.key.clone();
    let mut statistics = KeyStatistics::new(key, method);
    let (mut leaf, mut filled) = (Filling::default(), Filled::default());
    let nullable = key.flag & key_flag::NULL_PART_KEY != 0;
    collector.finish(stop, |entry, flat, repeats| {
        if repeats && key.is_unique() && !(nullable && has_null(key, &entry[..flat])) {
            // of two rows that are there, the later one is told of
            return Err(Error::Duplicate { key: key.number, existing: RowPos(pointer(&entry[flat..])) });
        }
        statistics.add_next(key, &entry[..flat], Some(repeats));
        if leaf.put(key, entry, None, &mut filled) { full(&filled) } else { Ok(()) }
    })?;
    let last = leaf.last().is_some().then(|| leaf.finish());
    Ok((last, statistics))
}

/// Whether a part of a flat key is NULL.
pub(super) fn has_null(key: &KeyInfo, flat: &[u8]) -> bool {
    KeyStatistics::parts_without_null(key, flat) < key.segments.len()
}

impl<S: PageStore> Writer<S> {
    /// Builds the trees of keys; gives the statistics of each.
    pub(super) fn build_gathered(
        &mut self,
        gathered: Vec<Collector>,
        settings: &SortSettings,
        kill: &dyn Fn() -> bool,
    ) -> Result<Vec<(usize, KeyStatistics)>> {
        let threads = settings.threads();
        let many = gathered.iter().map(Collector::count).sum::<u64>() >= FEW_ENTRIES;
        if threads > 1 && many {
            return self.build_by_threads(gathered, settings, threads, kill);
        }
        let mut built = Vec::with_capacity(gathered.len());
        for collector in gathered {
            let key = collector.key.clone();
            let mut scratch = TreeScratch::default();
            let mut edit = self.edit(&key, &mut scratch);
            let mut above = Levels::default();
            let (last, statistics) = leaves(collector, settings.stats_method, kill, |filled| {
                above.push(&mut edit, &filled.content, &filled.rising)
            })?;
            if let Some(last) = last {
                above.finish(&mut edit, &last)?;
            }
            built.push((key.number, statistics));
        }
        Ok(built)
    }

    fn edit<'a>(&'a mut self, key: &'a KeyInfo, scratch: &'a mut TreeScratch) -> TreeEdit<'a, S> {
        TreeEdit::new(key, self.format().offsets, self.store_mut(), scratch)
    }

    fn build_by_threads(
        &mut self,
        gathered: Vec<Collector>,
        settings: &SortSettings,
        threads: usize,
        kill: &dyn Fn() -> bool,
    ) -> Result<Vec<(usize, KeyStatistics)>> {
        let stopped = &AtomicBool::new(false);
        let method = settings.stats_method;
        let mut built = Vec::with_capacity(gathered.len());
        let keys: Vec<_> = gathered.iter().map(|collector| collector.key.clone()).collect();
        // leaves that wait take no more room than the entries that they are made of
        let most = (settings.buffer / keys.len().max(1) / 2 / (AT_ONCE * 1024)).clamp(2, 4096);
        thread::scope(|scope| {
            let mut waiting = gathered.into_iter();
            let mut running = VecDeque::new();
            let mut result = Ok(());
            for key in &keys {
                while running.len() < threads
                    && let Some(collector) = waiting.next()
                {
                    running.push_back(Source::begin(scope, collector, (method, most), stopped)?);
                }
                let Some(source) = running.pop_front() else { break };
                let mut scratch = TreeScratch::default();
                let mut edit = self.edit(key, &mut scratch);
                match build_from(&source, &mut edit, kill) {
                    Ok(statistics) => built.push((key.number, statistics)),
                    Err(e) => {
                        result = Err(e);
                        break;
                    }
                }
            }
            // who still makes leaves finds nobody who takes them
            stopped.store(true, Ordering::Relaxed);
            drop(running);
            result
        })?;
        Ok(built)
    }
}

/// Where the leaves of a key come from.
struct Source(Receiver<Part>);

impl Source {
    /// Begins a thread that makes leaves of the entries of a key.
    fn begin<'scope>(
        scope: &'scope Scope<'scope, '_>,
        collector: Collector,
        (method, most): (StatsMethod, usize),
        stopped: &'scope AtomicBool,
    ) -> Result<Source> {
        let (to, from) = sync_channel(most);
        let make = move || make(collector, method, stopped, &to);
        match beside::begin(scope, "build", make) {
            Ok(()) => Ok(Source(from)),
            Err(e) => {
                stopped.store(true, Ordering::Relaxed);
                Err(e)
            }
        }
    }
}

fn make(collector: Collector, method: StatsMethod, stopped: &AtomicBool, to: &SyncSender<Part>) {
    let stop = || stopped.load(Ordering::Relaxed);
    let mut some = Leaves::default();
    let made = leaves(collector, method, &stop, |filled| {
        some.add(filled);
        if some.ends.len() < AT_ONCE {
            return Ok(());
        }
        to.send(Part::Leaves(std::mem::take(&mut some))).map_err(|_| killed())
    });
    // who does not listen has another error
    let _ = to.send(Part::Leaves(some)).and_then(|()| to.send(Part::End(made)));
}

/// Gives the leaves of a key their places, and the tree its other levels.
fn build_from<S: PageStore>(
    source: &Source,
    edit: &mut TreeEdit<'_, S>,
    kill: &dyn Fn() -> bool,
) -> Result<KeyStatistics> {
    let mut above = Levels::default();
    loop {
        // one that ends without a word has panicked, which the scope tells
        match beside::receive(&source.0, kill)?.ok_or_else(killed)? {
            Part::Leaves(leaves) => {
                let mut start = 0;
                for &(leaf, rising) in &leaves.ends {
                    above.push(edit, &leaves.bytes[start..leaf], &leaves.bytes[leaf..rising])?;
                    start = rising;
                }
                if kill() {
                    return Err(killed());
                }
            }
            Part::End(made) => {
                let (last, statistics) = made?;
                if let Some(last) = last {
                    above.finish(edit, &last)?;
                }
                return Ok(statistics);
            }
        }
    }
}
