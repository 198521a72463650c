//! Full-text search: the documents, what is asked, and servers under load.

pub mod cases;
pub mod servers;

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::{process, report};

/// A document.
#[derive(Debug)]
pub struct Document {
    /// Its head word.
    pub word: String,
    /// Its text.
    pub text: String,
}

/// How a case is measured.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// Who asks at once.
    pub users: u32,
    /// Documents inserted each second beside.
    pub inserts: Option<u32>,
    /// How long.
    pub time: Duration,
}

/// What came of it.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Questions a second.
    pub rate: f64,
    /// Milliseconds that 95 of 100 questions did not take longer than.
    pub latency95: f64,
    /// Microseconds of the server's CPU a question.
    pub cpu: f64,
    /// Documents inserted a second.
    pub inserts: f64,
}

impl Sample {
    /// From the microseconds of each question, the seconds that passed and those of CPU.
    #[must_use]
    pub fn of(mut latencies: Vec<u32>, wall: f64, cpu: f64, inserts: f64) -> Sample {
        latencies.sort_unstable();
        let at = latencies.len() * 95 / 100;
        Sample {
            rate: latencies.len() as f64 / wall,
            latency95: latencies.get(at).map_or(f64::NAN, |&l| f64::from(l) / 1e3),
            cpu: cpu * 1e6 / latencies.len().max(1) as f64,
            inserts,
        }
    }

    /// The one in the middle, figure by figure.
    #[must_use]
    pub fn median(samples: &[Sample]) -> Sample {
        let of = |f: fn(&Sample) -> f64| {
            report::median(&mut samples.iter().map(f).collect::<Vec<_>>()).unwrap_or(f64::NAN)
        };
        Sample {
            rate: of(|s| s.rate),
            latency95: of(|s| s.latency95),
            cpu: of(|s| s.cpu),
            inserts: of(|s| s.inserts),
        }
    }
}

/// The file of the documents, of which at most as many as wanted are in it.
///
/// # Errors
/// When the dictionaries are not there and cannot be installed.
pub fn corpus(made: Option<&Path>, most: usize, scratch: &Path) -> io::Result<PathBuf> {
    let cut = scratch.join("documents.tsv");
    let Some(made) = made else {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/dictionaries.py");
        let mut command = Command::new("python3");
        process::checked(command.arg(script).arg("--install").arg(&cut).arg(most.to_string()))?;
        return Ok(cut);
    };
    let text = std::fs::read_to_string(made)?;
    let length = text.split_inclusive('\n').take(most).map(str::len).sum();
    std::fs::write(&cut, &text[..length])?;
    Ok(cut)
}

/// The documents of a file as LOAD DATA would read them.
///
/// # Errors
/// When the file cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<Document>> {
    let unescaped = |text: &str| {
        let mut out = String::with_capacity(text.len());
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            out.push(match (c, if c == '\\' { chars.next() } else { None }) {
                (_, Some('n')) => '\n',
                (_, Some('t')) => '\t',
                (_, Some(other)) => other,
                (c, None) => c,
            });
        }
        out
    };
    let text = std::fs::read_to_string(path)?;
    let document = |line: &str| {
        let mut fields = line.split('\t').skip(1).map(unescaped);
        Document { word: fields.next().unwrap_or_default(), text: fields.next().unwrap_or_default() }
    };
    Ok(text.lines().map(document).collect())
}
