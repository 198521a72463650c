//! Documents of Debian's dictionaries, and their words by how frequent they are.

use fastrand::Rng;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;

/// Documents and words.
pub struct Corpus {
    /// Head word and text.
    pub documents: Vec<(String, String)>,
    /// The most frequent first.
    words: Vec<String>,
    /// The first of them that are in a key.
    frequent: HashSet<String>,
}

/// Where Debian's packages put them.
const DICTIONARIES: [&str; 3] =
    ["/usr/share/dictd/gcide.index", "/usr/share/dictd/foldoc.index", "/usr/share/dictd/wn.index"];

/// The lines of LOAD DATA, as the script writes them, for about `most` documents from all the dictionaries. None: they are not
/// installed.
pub fn unpack(folder: &Path, most: usize) -> Option<String> {
    if !DICTIONARIES.iter().all(|index| Path::new(index).is_file()) {
        eprintln!(
            "NOTICE: dict-gcide, dict-foldoc and dict-wn are not all installed, full text was not compared"
        );
        return None;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/dictionaries.py");
    let all = folder.join("all.tsv");
    let ran = Command::new("python3").arg(script).arg(&all).output().expect("run python3");
    assert!(ran.status.success(), "{script}: {}", String::from_utf8_lossy(&ran.stderr));
    let text = std::fs::read_to_string(&all).expect("read the documents");
    let _ = std::fs::remove_file(&all);
    let step = text.lines().count().div_ceil(most).max(1);
    Some(text.lines().step_by(step).flat_map(|line| [line, "\n"]).collect())
}

impl Corpus {
    /// Of those lines.
    pub fn new(lines: &str) -> Corpus {
        let unescaped =
            |s: &str| s.replace("\\\\", "\0").replace("\\t", "\t").replace("\\n", "\n").replace('\0', "\\");
        let documents: Vec<(String, String)> = lines
            .lines()
            .map(|line| {
                let mut parts = line.splitn(3, '\t').skip(1).map(unescaped);
                (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
            })
            .collect();
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for (head, text) in &documents {
            for word in words_of(head).chain(words_of(text)) {
                *counts.entry(word).or_default() += 1;
            }
        }
        let mut words: Vec<(&str, u32)> = counts.into_iter().collect();
        words.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let words: Vec<String> = words.into_iter().map(|(w, _)| w.to_owned()).collect();
        let frequent = words.iter().filter(|w| w.len() >= 4).take(300).cloned().collect();
        Corpus { documents, words, frequent }
    }

    /// A word: each power of ten of places in the list is drawn alike. `least`: from 0 for all words to 1 for the rarest ones.
    pub fn word(&self, rng: &mut Rng, least: f64) -> &str {
        let place = (self.words.len() as f64).powf(least + rng.f64() * (1.0 - least)) as usize;
        &self.words[place.min(self.words.len() - 1)]
    }

    /// A few words that stand beside each other in a document; `rare`: without the most frequent ones.
    pub fn phrase<'c>(&'c self, rng: &mut Rng, most: usize, rare: bool) -> Vec<&'c str> {
        let mut phrase = self.some_words(rng, most);
        while rare && phrase.iter().any(|w| self.frequent.contains(*w)) {
            phrase = self.some_words(rng, most);
        }
        phrase
    }

    fn some_words<'c>(&'c self, rng: &mut Rng, most: usize) -> Vec<&'c str> {
        let (_, text) = &self.documents[rng.usize(..self.documents.len())];
        let words: Vec<&str> = words_of(text).collect();
        let n = rng.usize(1..=most).min(words.len());
        let from = rng.usize(0..=words.len() - n);
        words[from..from + n].to_vec()
    }

    /// A piece of a document.
    pub fn piece(&self, rng: &mut Rng, most: usize) -> String {
        let (_, text) = &self.documents[rng.usize(..self.documents.len())];
        let from = rng.usize(0..=text.len());
        text.chars().skip(from.min(text.len() / 2)).take(rng.usize(0..=most)).collect()
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty())
}
