//! What ANALYZE measures while a statement runs. Operators ask for it once a chunk, and find nothing to do when nobody measures.

use std::time::Duration;

use foldhash::HashMap;

use super::EvalContext;

/// What stands for a part of a plan: the number of its SELECT as EXPLAIN gives it, and the part.
pub type Place = (u64, Part);

/// A part of a SELECT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The whole of it.
    Block,
    /// Its step with this number.
    Step(usize),
    /// The set operation that it is the first arm of.
    Union,
}

/// What was measured of a part.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// How often it began.
    pub loops: u64,
    /// Rows that were read.
    pub rows: u64,
    /// Rows joined, before conditions.
    pub met: u64,
    /// Rows that met the conditions.
    pub passed: u64,
    /// Time spent, with everything below.
    pub time: Duration,
    /// Time of it that reading rows took.
    pub reading: Duration,
    /// Groups made.
    pub groups: Option<u64>,
    /// Bytes written to temporary files, with everything below.
    pub spilled: u64,
    /// How it sorted.
    pub sort: Option<MeasuredSort>,
}

/// A sort.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeasuredSort {
    /// Rows sorted.
    pub rows: u64,
    /// Rows wanted at most; `u64::MAX` without LIMIT.
    pub most: u64,
    /// Bytes it held in memory at its end.
    pub memory: usize,
    /// Rows went to disk.
    pub spilled: bool,
    /// The time of sorting alone.
    pub time: Duration,
}

/// The measurements of a statement, by the places of its plan.
#[derive(Debug, Default)]
pub struct Measuring {
    /// Where the parts of the running plan lie in memory.
    places: HashMap<usize, Place>,
    found: HashMap<Place, Measured>,
}

impl Measuring {
    /// Whether the running plan's parts are known.
    #[must_use]
    pub fn is_named(&self) -> bool {
        !self.places.is_empty()
    }

    /// The part at this address is that place.
    pub fn name(&mut self, address: usize, place: Place) {
        self.places.insert(address, place);
    }

    /// What was measured at a place.
    #[must_use]
    pub fn get(&self, place: Place) -> Option<&Measured> {
        self.found.get(&place)
    }
}

impl EvalContext {
    /// Whether the statement is measured.
    #[inline]
    #[must_use]
    pub fn measures(&self) -> bool {
        self.statement.measuring.is_some()
    }

    /// Adds to what is measured of a part of the plan.
    #[cold]
    pub fn measure<T>(&mut self, part: &T, add: impl FnOnce(&mut Measured)) {
        let Some(m) = &mut self.statement.measuring else { return };
        if let Some(place) = m.places.get(&(std::ptr::from_ref(part).cast::<u8>() as usize)) {
            add(m.found.entry(*place).or_default());
        }
    }
}
