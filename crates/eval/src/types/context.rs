//! What conversions of values need of the session and the statement.

use super::temporal::{DateTime, TimeZone};
use crate::error::SqlResult;
use crate::variables::SqlMode;
use crate::warning::Warnings;
use charset::Collation;

/// Settings and state of the statement that conversions look at, and where they warn: the low half of
/// [`crate::expr::EvalContext`].
pub struct ConversionContext {
    /// `sql_mode`.
    pub sql_mode: SqlMode,
    /// `time_zone`.
    pub time_zone: TimeZone,
    /// `character_set_results`'s default collation; `None` = no conversion.
    pub results: Option<&'static Collation>,
    /// The warnings of the statement.
    pub warnings: Warnings,
    /// The row being changed, from 1: `at row 3` of warnings. 0 outside.
    pub row: u64,
    /// The row that is read, from 1, where rows are looked at one by one: `at row 3` of conversions of columns.
    pub read_row: u64,
    /// What is converted is a column: its name belongs to the warning.
    pub of_column: bool,
    /// Buffers to be used again.
    pub scratch: Vec<Vec<u8>>,
    now: Option<(i64, u32)>,
    local_now: Option<DateTime>,
    timestamp: Option<(i64, u32)>,
}

impl Default for ConversionContext {
    fn default() -> Self {
        ConversionContext {
            sql_mode: SqlMode::default(),
            time_zone: TimeZone::System,
            results: Some(charset::system()),
            warnings: Warnings::default(),
            row: 0,
            read_row: 0,
            of_column: false,
            scratch: Vec::new(),
            now: None,
            local_now: None,
            timestamp: None,
        }
    }
}

/// No row of a statement: messages name row 0.
pub const NO_ROW: u64 = u64::MAX;

impl ConversionContext {
    /// The row that messages name.
    #[must_use]
    pub fn shown_row(&self) -> u64 {
        if self.row == NO_ROW { 0 } else { self.row.max(1) }
    }

    /// A context of the same settings and the same clock for another thread.
    #[must_use]
    pub fn of_worker(&mut self) -> ConversionContext {
        // all threads of a statement have one time
        self.now();
        let mut warnings = Warnings::default();
        warnings.escalate = self.warnings.escalate;
        ConversionContext {
            sql_mode: self.sql_mode,
            time_zone: self.time_zone.clone(),
            results: self.results,
            warnings,
            row: self.row,
            read_row: self.read_row,
            of_column: false,
            scratch: Vec::new(),
            now: self.now,
            local_now: self.local_now,
            timestamp: self.timestamp,
        }
    }

    /// Makes what an evaluation warns of an error, or a warning, from now on. What becomes of values that a column does
    /// not take is said where they are stored ([`super::store::StoreMode`]).
    pub fn set_strict(&mut self, strict: bool) {
        self.warnings.escalate = strict;
    }

    /// The first error raised while the row at hand was computed.
    ///
    /// # Errors
    /// That one.
    pub fn check_failed(&mut self) -> SqlResult<()> {
        match self.warnings.take_failed() {
            Some(e) => Err(e),
            None => Ok(()),
        }
    }

    /// Begins a statement: the clock is read anew at the first use.
    pub fn forget_time(&mut self) {
        self.now = None;
        self.local_now = None;
    }

    /// `SET timestamp = ..`: a frozen clock (seconds, microseconds), or `None` for the real one.
    pub fn set_timestamp(&mut self, at: Option<(i64, u32)>) {
        self.timestamp = at;
        self.now = None;
        self.local_now = None;
    }

    /// The statement's time as far as it is known: frozen, or asked for before.
    #[must_use]
    pub fn known_time(&self) -> Option<(i64, u32)> {
        self.timestamp.or(self.now)
    }

    /// The statement's time in UTC: seconds since 1970 and microseconds.
    pub fn now_utc(&mut self) -> (i64, u32) {
        if let Some(n) = self.timestamp.or(self.now) {
            return n;
        }
        let n = clock();
        self.now = Some(n);
        n
    }

    /// The statement's time in the session's zone.
    pub fn now(&mut self) -> DateTime {
        if let Some(n) = self.local_now {
            return n;
        }
        let (s, us) = self.now_utc();
        let n = self.time_zone.to_local(s, us).unwrap_or_default();
        self.local_now = Some(n);
        n
    }
}

/// The real clock: seconds since 1970 and microseconds.
#[must_use]
pub fn clock() -> (i64, u32) {
    let now = schema::clock::now();
    (now.as_secs() as i64, now.subsec_micros())
}
