//! Phrases: words that follow each other in a text.

use charset::Collation;

use crate::patience::Patience;
use crate::split::{Word, Words};
use crate::{Rules, Stopped};

/// Phrases of more words are not looked at closely where they are found.
const CLOSELY: usize = 8;

/// What Knuth, Morris and Pratt's search needs to know of a phrase: for each beginning of it, how many of its words
/// are the beginning of the phrase again. So a text is read once, however long the phrase is.
#[derive(Clone, Debug)]
pub(crate) struct Phrase(Box<[usize]>);

impl Phrase {
    pub fn new(collation: &Collation, words: &[Box<[u8]>]) -> Phrase {
        let mut again = vec![0; words.len()];
        let mut n = 0;
        for i in 1..words.len() {
            while n > 0 && collation.compare(&words[i], &words[n]).is_ne() {
                n = again[n - 1];
            }
            n += usize::from(collation.compare(&words[i], &words[n]).is_eq());
            again[i] = n;
        }
        Phrase(again.into())
    }

    /// Looks for the phrase, whose words are `words`, in a text. With `rules` the words are looked at where it is found.
    pub fn find(
        &self,
        collation: &Collation,
        words: &[Box<[u8]>],
        text: &[u8],
        rules: Option<&Rules>,
        patience: &mut Patience,
        stop: &dyn Fn() -> bool,
    ) -> Result<Found, Stopped> {
        let mut n = 0;
        if words.is_empty() {
            return Ok(Found::Here);
        }
        let mut last: [Option<Word<'_>>; CLOSELY] = [None; CLOSELY];
        for (number, word) in Words::new(collation.charset, text).enumerate() {
            patience.steps(1 + word.bytes.len() / 64, stop)?;
            last[number % CLOSELY] = Some(word);
            loop {
                if collation.compare(word.bytes, &words[n]).is_eq() {
                    n += 1;
                    break;
                }
                if n == 0 {
                    break;
                }
                patience.step(stop)?;
                n = self.0[n - 1];
            }
            if n == words.len() {
                let Some(rules) = rules else { return Ok(Found::Here) };
                // A word that is equal to one of the phrase may be shorter, or a stopword.
                let taken = |word: &Word<'_>| rules.takes(word);
                let plain = n <= CLOSELY
                    && words.iter().enumerate().all(|(i, spelled)| {
                        let there = last[(number + 1 + i - n) % CLOSELY];
                        there.is_some_and(|w| w.bytes == &**spelled || taken(&w))
                    });
                return Ok(if plain { Found::Here } else { Found::OddWords });
            }
        }
        Ok(Found::Nowhere)
    }
}

/// Where a phrase is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Nowhere,
    Here,
    /// Here, but the index may not have all of its words as they are spelled here.
    OddWords,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_finds_what_a_comparison_at_every_place_finds(
            phrase in proptest::collection::vec(0u8..2, 0..6),
            text in proptest::collection::vec(0u8..3, 0..40),
        ) {
            let collation = Collation::by_name("latin1_swedish_ci").unwrap();
            let spelled = |w: &u8, lower: bool| -> Box<[u8]> {
                let word = [&b"AB"[..], b"C", b"DEF"][usize::from(*w)];
                if lower { word.to_ascii_lowercase().into() } else { word.into() }
            };
            let words: Vec<_> = phrase.iter().map(|w| spelled(w, true)).collect();
            let bytes = text.iter().map(|w| spelled(w, false)).collect::<Vec<_>>().join(&b' ');
            let found = Phrase::new(collation, &words)
                .find(collation, &words, &bytes, None, &mut Patience::default(), &|| false)
                .unwrap();
            prop_assert_eq!(found == Found::Here, phrase.is_empty() || text.windows(phrase.len()).any(|w| w == phrase));
        }
    }
}
