//! SHOW PROFILES: how long the statements of a session took, while `profiling` is on.

use std::collections::VecDeque;

/// Most bytes of a statement that are kept.
const MOST: usize = 300;

/// A statement.
pub(crate) struct Profile {
    pub(crate) id: u64,
    pub(crate) micros: u64,
    pub(crate) text: Box<[u8]>,
}

/// The last statements of a session.
#[derive(Default)]
pub(crate) struct Profiles {
    pub(crate) kept: VecDeque<Profile>,
    last: u64,
    /// The statement that runs looks at the list, and is not in it.
    pub(crate) looks: bool,
}

impl Profiles {
    /// Notes a statement and forgets what is too old.
    pub(crate) fn note(&mut self, text: &[u8], micros: u64, most: usize) {
        if std::mem::take(&mut self.looks) {
            return;
        }
        self.last += 1;
        let text = text.trim_ascii();
        let text = text.strip_suffix(b";").unwrap_or(text).trim_ascii_end();
        let text = text[..text.len().min(MOST)].into();
        self.kept.push_back(Profile { id: self.last, micros, text });
        self.forget(most);
    }

    /// Keeps so many at most.
    pub(crate) fn forget(&mut self, most: usize) {
        while self.kept.len() > most {
            self.kept.pop_front();
        }
    }
}
