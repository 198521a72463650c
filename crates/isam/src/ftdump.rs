//! What `myisam_ftdump` tells of a FULLTEXT key, in its formats: entries, words with their counts, lengths, statistics.

use std::io::{self, Write};

use charset::Collation;

use crate::key::compare::counted;
use crate::source::PageSource;
use crate::tree::words::Payload;
use crate::{KeyCursor, SeekMode, TableFormat};

/// Entries between two lines of progress.
const PROGRESS: u64 = 10_000;
/// Lengths of words that are told apart.
const LENGTHS: usize = 256;

/// What is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct DumpOptions {
    /// Each word with its rows and its global weight.
    pub counts: bool,
    /// Each entry.
    pub entries: bool,
    /// How many entries have words of each length.
    pub lengths: bool,
    /// Totals; they come as well if nothing else is asked for.
    pub statistics: bool,
    /// Progress.
    pub verbose: bool,
}

/// Why a dump ended early.
#[derive(Debug)]
pub enum DumpError {
    /// The table.
    Table(crate::Error),
    /// The output.
    Output(io::Error),
}

impl From<crate::Error> for DumpError {
    fn from(e: crate::Error) -> DumpError {
        DumpError::Table(e)
    }
}

impl From<io::Error> for DumpError {
    fn from(e: io::Error) -> DumpError {
        DumpError::Output(e)
    }
}

/// What is known so far.
#[derive(Debug, Default)]
struct Totals {
    entries: u64,
    words: u64,
    weights: f64,
    longest: Vec<u8>,
    most: (u64, f64, Vec<u8>),
}

/// Writes what `options` ask for of key `number`, a FULLTEXT key.
///
/// # Errors
/// 124 if the key is disabled, 126 if a page is damaged; those of the output.
pub fn dump<S: PageSource>(
    format: &TableFormat,
    src: &S,
    number: usize,
    options: DumpOptions,
    out: &mut dyn Write,
) -> std::result::Result<(), DumpError> {
    let rows = format.state(src).records();
    // That of the tool, whatever the key's is.
    let latin1 = Collation::by_name("latin1_swedish_ci");
    let mut word = Vec::new();
    let each = if format.layout.fixed { format.layout.pack_reclength as u64 } else { 1 };
    let statistics = options.statistics || !(options.counts || options.entries || options.lengths);
    let mut cursor = KeyCursor::new(format, number);
    let (mut totals, mut lengths) = (Totals::default(), [0u64; LENGTHS]);
    let (mut before, mut count) = (Vec::new(), 0u64);
    let mut more = cursor.seek(src, &[], 0, SeekMode::First)?;
    while more {
        word.clear();
        let spelled = counted(cursor.key()).0;
        match latin1 {
            Some(latin1) => latin1.lower(spelled, &mut word),
            None => word.extend_from_slice(spelled),
        }
        let payload = Payload::read(cursor.key(), cursor.pointer());
        let of_entry = match payload {
            Payload::Row(..) => 1,
            Payload::Tree(n, _) => n,
        };
        if options.entries {
            match payload {
                Payload::Row(weight, row) => {
                    write!(out, "{:9x} {weight:20.7} ", row.saturating_mul(each))?;
                }
                Payload::Tree(n, root) => write!(out, "{root:9x} => {n:17} ")?,
            }
            line(out, &word)?;
        }
        if totals.entries > 0 && word != before {
            end_word(&mut totals, rows, count, &before, options.counts, out)?;
            count = 0;
        }
        count += of_entry;
        totals.entries += 1;
        lengths[word.len().min(LENGTHS - 1)] += 1;
        std::mem::swap(&mut before, &mut word);
        if options.verbose && !options.counts && !options.entries && totals.entries.is_multiple_of(PROGRESS) {
            write!(out, "{:10}\r", totals.entries)?;
        }
        more = cursor.next(src)?;
    }
    if totals.entries > 0 {
        end_word(&mut totals, rows, count, &before, options.counts, out)?;
    }
    if statistics {
        tell(&totals, rows, &lengths, out)?;
    }
    if options.lengths {
        tell_lengths(&totals, &lengths, out)?;
    }
    Ok(())
}

/// The rest of a line. Words are bytes of any character set.
fn line(out: &mut dyn Write, word: &[u8]) -> io::Result<()> {
    out.write_all(word)?;
    out.write_all(b"\n")
}

/// All entries of a word were seen.
fn end_word(
    totals: &mut Totals,
    rows: u64,
    count: u64,
    word: &[u8],
    print: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Others than in a search, words of more than half the rows weigh less than nothing.
    let weight = if count < rows { ((rows - count) as f64 / count as f64).ln() } else { 0.0 };
    totals.words += 1;
    totals.weights += weight;
    if word.len() > totals.longest.len() {
        totals.longest = word.to_vec();
    }
    if count > totals.most.0 {
        totals.most = (count, weight, word.to_vec());
    }
    if print {
        write!(out, "{count:9} {weight:20.7} ")?;
        line(out, word)?;
    }
    Ok(())
}

fn tell(totals: &Totals, rows: u64, lengths: &[u64; LENGTHS], out: &mut dyn Write) -> io::Result<()> {
    let mut seen = 0;
    let median = lengths.iter().position(|n| {
        seen += n;
        seen >= totals.entries / 2
    });
    writeln!(out, "Total rows: {rows}\nTotal words: {}", totals.entries)?;
    write!(out, "Unique words: {}\nLongest word: {} chars (", totals.words, totals.longest.len())?;
    out.write_all(&totals.longest)?;
    writeln!(out, ")\nMedian length: {}", median.unwrap_or(0))?;
    match totals.words {
        0 => writeln!(out, "Average global weight: -nan")?,
        n => writeln!(out, "Average global weight: {:.6}", totals.weights / n as f64)?,
    }
    let (times, weight, word) = &totals.most;
    write!(out, "Most common word: {times} times, weight: {weight:.6} (")?;
    out.write_all(word)?;
    writeln!(out, ")")
}

fn tell_lengths(totals: &Totals, lengths: &[u64; LENGTHS], out: &mut dyn Write) -> io::Result<()> {
    let share = |n: u64| 100.0 * n as f64 / totals.entries as f64;
    let mut seen = 0;
    for (length, &n) in lengths.iter().enumerate().filter(|(_, n)| **n > 0) {
        seen += n;
        writeln!(out, "{length:3}: {n:10} {:5.2}% {seen:20} {:4.1}%", share(n), share(seen))?;
    }
    Ok(())
}
