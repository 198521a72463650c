//! Statements about events.

use std::sync::Arc;

use super::program::Program;
use super::{Account, Expr, IntervalUnit, Span, TableName};

/// ON SCHEDULE.
#[derive(Clone, Debug, PartialEq)]
pub enum Schedule {
    /// AT.
    At(Expr),
    /// EVERY.
    Every {
        /// How many units.
        amount: Expr,
        /// The unit.
        unit: IntervalUnit,
        /// STARTS.
        starts: Option<Expr>,
        /// ENDS.
        ends: Option<Expr>,
    },
}

/// Whether an event runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventStatus {
    /// ENABLE.
    #[default]
    Enabled,
    /// DISABLE.
    Disabled,
    /// DISABLE ON SLAVE.
    SlavesideDisabled,
}

/// The body behind DO.
#[derive(Clone, Debug, PartialEq)]
pub struct EventBody {
    /// Its text.
    pub text: Span,
    /// What it was compiled to.
    pub program: Arc<Program>,
}

/// What CREATE and ALTER EVENT say of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventClauses {
    /// DEFINER.
    pub definer: Option<Account>,
    /// ON SCHEDULE.
    pub schedule: Option<Schedule>,
    /// ON COMPLETION PRESERVE (true), NOT PRESERVE.
    pub preserve: Option<bool>,
    /// ENABLE, DISABLE.
    pub status: Option<EventStatus>,
    /// COMMENT.
    pub comment: Option<Box<[u8]>>,
    /// DO.
    pub body: Option<EventBody>,
}

/// CREATE EVENT.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateEvent {
    /// OR REPLACE.
    pub or_replace: bool,
    /// IF NOT EXISTS.
    pub if_not_exists: bool,
    /// Its name.
    pub name: TableName,
    /// The rest.
    pub clauses: EventClauses,
}

/// ALTER EVENT.
#[derive(Clone, Debug, PartialEq)]
pub struct AlterEvent {
    /// Its name.
    pub name: TableName,
    /// RENAME TO.
    pub rename: Option<TableName>,
    /// The rest.
    pub clauses: EventClauses,
}

/// DROP EVENT.
#[derive(Clone, Debug, PartialEq)]
pub struct DropEvent {
    /// IF EXISTS.
    pub if_exists: bool,
    /// Its name.
    pub name: TableName,
}

impl EventClauses {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.schedule.is_none()
            && self.preserve.is_none()
            && self.status.is_none()
            && self.comment.is_none()
            && self.body.is_none()
    }
}
