//! Intervals of a key.

/// One end of an interval: leading key parts in flat form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// Flat bytes of the leading parts.
    pub flat: Vec<u8>,
    /// How many parts they are.
    pub parts: usize,
    /// Whether entries equal in these parts belong to the interval.
    pub inclusive: bool,
}

/// An interval of a key; an absent end is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// Lower end.
    pub low: Option<Bound>,
    /// Upper end.
    pub high: Option<Bound>,
}

impl Interval {
    /// The entries whose leading parts equal `flat`.
    #[must_use]
    pub fn point(flat: Vec<u8>, parts: usize) -> Interval {
        let low = Bound { flat, parts, inclusive: true };
        Interval { high: Some(low.clone()), low: Some(low) }
    }

    /// Whether both ends are the same closed bound.
    #[must_use]
    pub fn is_point(&self) -> bool {
        matches!((&self.low, &self.high), (Some(l), Some(h)) if l.inclusive && l == h)
    }
}
