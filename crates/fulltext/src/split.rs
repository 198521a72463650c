//! From a text to the runs of characters that are words of any length.

use charset::{Charset, is_ascii_word};

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

    #[inline]
    fn next(&mut self) -> Option<Word<'t>> {
        let ascii = self.charset.has_ascii_words();
        while let Some(&first) = self.text.get(self.at) {
            if ascii && first.is_ascii() && !is_ascii_word(first) {
                self.at += 1;
            } else if let Some(word) = word_at(self.charset, self.text, self.at) {
                self.at = word.end;
                return Some(word);
            } else {
                self.at += step(self.charset, self.text, self.at);
            }
        }
        None
    }
}

/// The word that begins at `at`, if one does.
pub(crate) fn word_at<'t>(charset: &Charset, text: &'t [u8], at: usize) -> Option<Word<'t>> {
    let (mut end, mut chars, ascii) = (at, 0, charset.has_ascii_words());
    loop {
        if ascii {
            // Most letters need no look at the set.
            let run = text[end..].iter().take_while(|b| is_ascii_word(**b)).count();
            end += run;
            chars += run;
            if text.get(end).is_none_or(u8::is_ascii) {
                break;
            }
        }
        let (true, n @ 1..) = charset.word_char(&text[end..]) else { break };
        end += n;
        chars += 1;
    }
    (chars > 0).then(|| Word { bytes: &text[at..end], chars, end })
}

/// Bytes of the separator at `at`.
pub(crate) fn step(charset: &Charset, text: &[u8], at: usize) -> usize {
    charset.word_char(&text[at..]).1.clamp(1, text.len() - at)
}
