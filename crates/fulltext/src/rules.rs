//! Which words count: their length, and the stopwords.

use charset::Collation;

use crate::split::{Word, Words};

/// MariaDB's own list, one word a line.
const BUILT_IN: &str = include_str!("../data/stopwords.txt");

/// Which words of a text are words of the index.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Characters of the shortest word (`ft_min_word_len`).
    pub min: usize,
    /// Characters of the shortest word that is too long (`ft_max_word_len`).
    pub max: usize,
    /// Words that are left out.
    pub stopwords: Stopwords,
}

impl Default for Rules {
    /// The settings that are compiled in, on a latin1 server.
    fn default() -> Rules {
        let collation = Collation::by_name("latin1_swedish_ci").expect("latin1 is always there");
        Rules { min: 4, max: 84, stopwords: Stopwords::built_in(collation, 4) }
    }
}

impl Rules {
    /// Whether a word goes into the index.
    #[must_use]
    pub fn takes(&self, word: &Word<'_>) -> bool {
        self.min <= word.chars && word.chars < self.max && !self.stopwords.contains(word.bytes)
    }
}

/// A set of stopwords. Bytes are compared under one collation, the server's, whatever the character set of the text is.
#[derive(Clone, Debug)]
pub struct Stopwords {
    collation: &'static Collation,
    /// By hash; equal hashes stand side by side.
    words: Box<[(u64, Box<[u8]>)]>,
    longest: usize,
}

impl Stopwords {
    /// No words.
    #[must_use]
    pub fn none() -> Stopwords {
        Stopwords::new(charset::binary(), Vec::new())
    }

    /// MariaDB's own list, without words of less than `min` bytes. `collation` is the server's.
    #[must_use]
    pub fn built_in(collation: &'static Collation, min: usize) -> Stopwords {
        let words = BUILT_IN.lines().filter(|w| w.len() >= min).map(|w| w.as_bytes().into());
        Stopwords::new(bytewise(collation), words.collect())
    }

    /// The words of a file (`ft_stopword_file`) in the server's character set; words of other lengths are not taken.
    #[must_use]
    pub fn of_text(collation: &'static Collation, text: &[u8], min: usize, max: usize) -> Stopwords {
        let collation = bytewise(collation);
        let words = Words::new(collation.charset, text);
        let words = words.filter(|w| min <= w.chars && w.chars < max).map(|w| w.bytes.into());
        Stopwords::new(collation, words.collect())
    }

    fn new(collation: &'static Collation, words: Vec<Box<[u8]>>) -> Stopwords {
        let longest = words.iter().map(|w| w.len()).max().unwrap_or(0);
        let mut words: Box<[_]> = words.into_iter().map(|w| (collation.hash(&w, 0), w)).collect();
        words.sort_unstable();
        Stopwords { collation, words, longest }
    }

    /// Whether a word is left out.
    #[must_use]
    pub fn contains(&self, word: &[u8]) -> bool {
        // What is equal has about as many bytes; four times is more than any collation makes of a letter.
        if self.words.is_empty() || word.len() > 4 * self.longest {
            return false;
        }
        let hash = self.collation.hash(word, 0);
        let from = self.words.partition_point(|(h, _)| *h < hash);
        let same = self.words[from..].iter().take_while(|(h, _)| *h == hash);
        same.into_iter().any(|(_, stop)| self.collation.compare(stop, word).is_eq())
    }
}

/// The server's collation, or latin1's where a character of ASCII takes more than a byte.
fn bytewise(collation: &'static Collation) -> &'static Collation {
    match collation.charset.mbminlen {
        0 | 1 => collation,
        _ => Collation::by_name("latin1_swedish_ci").expect("latin1 is always there"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stopwords_compare_under_the_servers_collation() {
        let rules = Rules::default();
        for word in ["very", "VERY", "Whereafter"] {
            assert!(rules.stopwords.contains(word.as_bytes()), "{word}");
        }
        assert!(rules.stopwords.contains(b"v\xE9ry"), "an accent of latin1");
        assert!(!rules.stopwords.contains("véry".as_bytes()), "the same in UTF-8 are other bytes");
        assert!(!rules.stopwords.contains(b"database"));
        assert!(!rules.stopwords.contains(b"the"), "shorter than the shortest word");
        assert!(!Stopwords::none().contains(b"very"));
    }

    #[test]
    fn a_file_of_stopwords_is_split_like_any_text() {
        let latin1 = Collation::by_name("latin1_swedish_ci").unwrap();
        let stopwords = Stopwords::of_text(latin1, b"o'tool,HAMMER\nax very_long_word", 4, 10);
        assert!(stopwords.contains(b"tool") && stopwords.contains(b"hammer"));
        assert!(!stopwords.contains(b"ax") && !stopwords.contains(b"very_long_word"));
        assert!(!stopwords.contains(b"very"), "the list of its own is not used");
    }
}
