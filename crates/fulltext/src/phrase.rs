//! Phrases: words that follow each other in a text.

use charset::Collation;

use crate::Stopped;
use crate::patience::Patience;
use crate::split::Words;

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

    /// Whether the text has the phrase, whose words are `words`.
    pub fn is_in(
        &self,
        collation: &Collation,
        words: &[Box<[u8]>],
        text: &[u8],
        patience: &mut Patience,
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, Stopped> {
        let mut n = 0;
        if words.is_empty() {
            return Ok(true);
        }
        for word in Words::new(collation.charset, text) {
            patience.steps(1 + word.bytes.len() / 64, stop)?;
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
                return Ok(true);
            }
        }
        Ok(false)
    }
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
                .is_in(collation, &words, &bytes, &mut Patience::default(), &|| false)
                .unwrap();
            prop_assert_eq!(found, phrase.is_empty() || text.windows(phrase.len()).any(|w| w == phrase));
        }
    }
}
