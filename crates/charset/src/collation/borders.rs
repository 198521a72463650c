//! Searching without looking twice (Knuth, Morris, Pratt): what of a pattern still fits when its next character does not.

/// Who searched was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Characters between two questions whether to stop.
pub(super) const BETWEEN_QUESTIONS: usize = 1 << 18;

/// For each beginning of a pattern, the length of the longest shorter one that fits at its end.
pub(super) struct Borders(Vec<u32>);

impl Borders {
    /// Of a pattern of `len` characters; `same` compares two of them by their places.
    pub fn of(len: usize, same: impl Fn(usize, usize) -> bool) -> Borders {
        let mut borders = Borders(Vec::with_capacity(len));
        borders.0.extend((len > 0).then_some(0));
        let mut fits = 0;
        for i in 1..len {
            fits = borders.step(fits, |n| same(i, n));
            borders.0.push(fits as u32);
        }
        borders
    }

    /// How many characters fit behind one more character of the text, when `fits` did before it; `same` compares it with one of
    /// the pattern.
    #[inline]
    pub fn step(&self, mut fits: usize, same: impl Fn(usize) -> bool) -> usize {
        while fits > 0 && (fits == self.0.len() || !same(fits)) {
            fits = self.0[fits - 1] as usize;
        }
        fits + usize::from(fits < self.0.len() && same(fits))
    }
}
