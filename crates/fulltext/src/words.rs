//! From a text to its words, and what they weigh.

use charset::{Charset, Collation, KeyPad};

use crate::Rules;

/// A run of word characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// Its bytes.
    pub bytes: &'t [u8],
    /// Its characters.
    pub chars: usize,
    /// Place behind it in the text.
    pub end: usize,
}

/// All words of a text, of any length: maximal runs of letters, digits, marks and underscores.
#[derive(Clone, Debug)]
pub struct Words<'t> {
    charset: &'static Charset,
    text: &'t [u8],
    at: usize,
}

impl<'t> Words<'t> {
    /// Words of `text`.
    #[must_use]
    pub fn new(charset: &'static Charset, text: &'t [u8]) -> Words<'t> {
        Words { charset, text, at: 0 }
    }
}

impl<'t> Iterator for Words<'t> {
    type Item = Word<'t>;

    fn next(&mut self) -> Option<Word<'t>> {
        while self.at < self.text.len() {
            if let Some(word) = word_at(self.charset, self.text, self.at) {
                self.at = word.end;
                return Some(word);
            }
            self.at += step(self.charset, self.text, self.at);
        }
        None
    }
}

/// The word that begins at `at`, if one does.
pub(crate) fn word_at<'t>(charset: &Charset, text: &'t [u8], at: usize) -> Option<Word<'t>> {
    let (mut end, mut chars) = (at, 0);
    while let (true, n @ 1..) = charset.word_char(&text[end..]) {
        end += n;
        chars += 1;
    }
    (chars > 0).then(|| Word { bytes: &text[at..end], chars, end })
}

/// Bytes of the separator at `at`.
pub(crate) fn step(charset: &Charset, text: &[u8], at: usize) -> usize {
    charset.word_char(&text[at..]).1.clamp(1, text.len() - at)
}

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
    let mut all: Vec<(u64, &[u8])> = Vec::new();
    for text in texts {
        for word in Words::new(collation.charset, text).filter(|w| rules.takes(w)) {
            all.push((collation.key_prefix(word.bytes, KeyPad::Own), word.bytes));
        }
    }
    // Stable: the spelling met first stays first.
    all.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| collation.compare(a.1, b.1)));
    let mut words: Vec<Counted<'_>> = Vec::new();
    for (_, word) in all {
        match words.last_mut() {
            Some(last) if collation.compare(last.word, word).is_eq() => last.count += 1,
            _ => words.push(Counted { word, count: 1 }),
        }
    }
    words
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
