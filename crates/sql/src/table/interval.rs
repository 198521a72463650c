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

impl Bound {
    /// The same as keys count the rows before it.
    #[must_use]
    pub fn as_end(&self) -> super::RangeEnd<'_> {
        super::RangeEnd { flat: &self.flat, parts: self.parts, inclusive: self.inclusive }
    }
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

/// Whether the interval that is walked first has no end there.
#[must_use]
pub fn is_open(intervals: &[Interval], descending: bool) -> bool {
    match descending {
        true => intervals.last().is_some_and(|i| i.high.is_none()),
        false => intervals.first().is_some_and(|i| i.low.is_none()),
    }
}

/// Whether each of these intervals is a whole value of this key, which is unique: it has a row at most.
#[must_use]
pub fn is_by_value(format: &super::TableFormat, key: usize, intervals: &[Interval]) -> bool {
    let key = &format.keys[key];
    let whole = |i: &Interval| i.is_point() && i.low.as_ref().is_some_and(|l| l.parts == key.segments.len());
    key.is_unique() && intervals.iter().all(whole)
}

/// Makes the entries that equal these first parts of a key the only interval, in the room that is there.
pub fn only_point(flat: &[u8], parts: usize, intervals: &mut Vec<Interval>) {
    intervals.truncate(1);
    if intervals.is_empty() {
        intervals.push(Interval::default());
    }
    let interval = &mut intervals[0];
    for end in [&mut interval.low, &mut interval.high] {
        let bound = end.get_or_insert_with(Bound::default);
        bound.flat.clear();
        bound.flat.extend_from_slice(flat);
        bound.parts = parts;
        bound.inclusive = true;
    }
}
