//! From a text to its words, and what they weigh.

use std::cmp::Ordering;

use charset::{Collation, KeyPad};

use crate::patience::Patience;
use crate::split::Words;
use crate::{Rules, Stopped};

/// A word and how often it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted<'t> {
    /// The spelling met first.
    pub word: &'t [u8],
    /// Occurrences in any spelling.
    pub count: u64,
}

/// The distinct words of some texts in the order of the collation. The texts of a row are its columns from the last to the first
/// of the key.
pub fn count<'t>(
    collation: &Collation,
    rules: &Rules,
    texts: impl IntoIterator<Item = &'t [u8]>,
) -> Vec<Counted<'t>> {
    // Nothing stops it.
    count_until(collation, rules, texts, &|| false).unwrap_or_default()
}

/// As [`count`], which takes seconds for very long texts.
///
/// # Errors
/// [`Stopped`] when `stop` says so.
pub fn count_until<'t>(
    collation: &Collation,
    rules: &Rules,
    texts: impl IntoIterator<Item = &'t [u8]>,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Counted<'t>>, Stopped> {
    let mut tally = Tally { collation, runs: Vec::new(), run: Vec::new(), patience: Patience::default() };
    for text in texts {
        for word in Words::new(collation.charset, text) {
            tally.patience.steps(1 + word.bytes.len() / 64, stop)?;
            if rules.takes(&word) {
                tally.add(word.bytes, stop)?;
            }
        }
    }
    tally.finish(stop)
}

/// Occurrences that are sorted at once.
const RUN: usize = 1 << 14;

/// Words being counted: sorted runs, each more than twice as long as the next, so that memory follows the distinct words and no step
/// takes long.
struct Tally<'c, 't> {
    collation: &'c Collation,
    runs: Vec<Vec<Occurrence<'t>>>,
    run: Vec<Occurrence<'t>>,
    patience: Patience,
}

#[derive(Clone, Copy)]
struct Occurrence<'t> {
    /// Decides most comparisons.
    prefix: u64,
    counted: Counted<'t>,
}

impl<'t> Tally<'_, 't> {
    fn add(&mut self, word: &'t [u8], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let prefix = self.collation.key_prefix(word, KeyPad::Own);
        self.run.push(Occurrence { prefix, counted: Counted { word, count: 1 } });
        if self.run.len() >= RUN { self.end_run(stop) } else { Ok(()) }
    }

    fn order(&self, a: &Occurrence<'_>, b: &Occurrence<'_>) -> Ordering {
        a.prefix.cmp(&b.prefix).then_with(|| self.collation.compare(a.counted.word, b.counted.word))
    }

    /// The words waiting, sorted, each once. The spelling met first stays.
    fn sorted(&mut self) -> Vec<Occurrence<'t>> {
        let mut run = std::mem::take(&mut self.run);
        // Stable: the spelling met first comes first.
        run.sort_by(|a, b| self.order(a, b));
        run.dedup_by(|later, first| {
            let same = self.order(first, later).is_eq();
            first.counted.count += u64::from(same);
            same
        });
        run
    }

    fn end_run(&mut self, stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let mut run = self.sorted();
        while self.runs.last().is_some_and(|before| before.len() <= 2 * run.len()) {
            let before = self.runs.pop().unwrap_or_default();
            run = self.merged(&before, &run, stop)?;
        }
        self.runs.push(run);
        Ok(())
    }

    fn merged(
        &mut self,
        a: &[Occurrence<'t>],
        b: &[Occurrence<'t>],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Occurrence<'t>>, Stopped> {
        let mut out = Vec::with_capacity(a.len() + b.len());
        let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            let order = self.order(x, y);
            self.patience.step(stop)?;
            let mut next = if order.is_le() { **x } else { **y };
            if order.is_eq() {
                next.counted.count += y.counted.count;
            }
            out.push(next);
            a.next_if(|_| order.is_le());
            b.next_if(|_| order.is_ge());
        }
        out.extend(a.chain(b));
        Ok(out)
    }

    fn finish(mut self, stop: &dyn Fn() -> bool) -> Result<Vec<Counted<'t>>, Stopped> {
        let mut all = self.sorted();
        while let Some(before) = self.runs.pop() {
            all = self.merged(&before, &all, stop)?;
        }
        Ok(all.into_iter().map(|o| o.counted).collect())
    }
}

/// A word and its weight in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed<'t> {
    /// The spelling met first.
    pub word: &'t [u8],
    /// Its weight; entries hold it rounded to single precision.
    pub weight: f64,
}

/// Weights of a row's distinct words, which must be in the order of the collation.
#[must_use]
pub fn weigh<'t>(words: &[Counted<'t>]) -> Vec<Weighed<'t>> {
    let local = |w: &Counted<'_>| (w.count as f64).ln() + 1.0;
    let sum = words.iter().map(local).fold(0.0, |sum, l| sum + l);
    let distinct = words.len() as f64;
    let weight = |w: &Counted<'t>| Weighed {
        word: w.word,
        weight: local(w) / sum * distinct / (1.0 + 0.0115 * distinct),
    };
    words.iter().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use charset::Charset;

    use super::*;

    fn split<'t>(set: &str, text: &'t [u8]) -> Vec<&'t [u8]> {
        Words::new(Charset::by_name(set).unwrap(), text).map(|w| w.bytes).collect()
    }

    #[test]
    fn words_are_runs_of_letters_digits_and_underscores() {
        assert_eq!(split("latin1", b"don't say O'Reilly"), [&b"don"[..], b"t", b"say", b"O", b"Reilly"]);
        assert_eq!(split("latin1", b"__init__ x-y 10.11"), [&b"__init__"[..], b"x", b"y", b"10", b"11"]);
        let mixed = "naïve😀emoji ①② 中文".as_bytes();
        let words = ["naïve", "emoji", "①②", "中文"].map(str::as_bytes);
        assert_eq!(split("utf8mb4", mixed), words);
        assert_eq!(split("utf8mb4", b"ab\xFFcd\xC3"), [&b"ab"[..], b"cd"]);
        assert_eq!(split("latin1", b"a\xAAb"), [&b"a"[..], b"b"], "the ordinal sign is no letter in latin1");
    }

    #[test]
    fn characters_of_ascii_are_told_by_their_bytes() {
        for name in ["utf8mb3", "utf8mb4"] {
            let set = Charset::by_name(name).unwrap();
            for byte in 0..0x80u8 {
                let alone = set.word_char(&[byte]);
                assert_eq!(alone, (charset::is_ascii_word(byte), 1), "{byte:#x} in {name}");
            }
        }
    }

    #[test]
    fn a_row_is_one_bag_of_words() {
        let ci = Collation::by_name("latin1_swedish_ci").unwrap();
        let rules = Rules::default();
        let words = count(ci, &rules, [&b"Zebra apple"[..], b"ZEBRA very tiny box"]);
        let got: Vec<_> = words.iter().map(|w| (w.word, w.count)).collect();
        assert_eq!(got, [(&b"apple"[..], 1), (&b"tiny"[..], 1), (&b"Zebra"[..], 2)]);
        // three words, one of them twice: the weights MariaDB stores for such a row
        let stored: Vec<u32> = weigh(&words).iter().map(|w| (w.weight as f32).to_bits()).collect();
        assert_eq!(stored, [0x3f49_0482, 0x3f49_0482, 0x3faa_2d1c]);
    }
}
