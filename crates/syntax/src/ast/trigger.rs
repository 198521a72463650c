//! Statements about triggers.

use std::sync::Arc;

use super::program::Program;
use super::{Account, Name, Span, TableName};

/// What a trigger waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TriggerEvent {
    /// INSERT, REPLACE, LOAD DATA.
    Insert,
    /// UPDATE, ON DUPLICATE KEY UPDATE.
    Update,
    /// DELETE, and REPLACE of what is in the way.
    Delete,
}

impl TriggerEvent {
    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            TriggerEvent::Insert => "INSERT",
            TriggerEvent::Update => "UPDATE",
            TriggerEvent::Delete => "DELETE",
        }
    }
}

/// CREATE TRIGGER.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateTrigger {
    /// OR REPLACE.
    pub or_replace: bool,
    /// IF NOT EXISTS.
    pub if_not_exists: bool,
    /// DEFINER.
    pub definer: Option<Account>,
    /// Its name.
    pub name: TableName,
    /// AFTER; else BEFORE.
    pub after: bool,
    /// What it waits for.
    pub event: TriggerEvent,
    /// Whose rows.
    pub table: TableName,
    /// FOLLOWS (true) or PRECEDES another one.
    pub order: Option<(bool, Name)>,
    /// The text from the word TRIGGER to FOR EACH ROW.
    pub head: Span,
    /// ON and the table's name in it.
    pub on: Span,
    /// The text behind FOLLOWS or PRECEDES.
    pub tail: Span,
    /// The body in it.
    pub body: Span,
    /// The body.
    pub program: Arc<Program>,
}

/// DROP TRIGGER.
#[derive(Clone, Debug, PartialEq)]
pub struct DropTrigger {
    /// IF EXISTS.
    pub if_exists: bool,
    /// Its name.
    pub name: TableName,
}

impl CreateTrigger {
    /// The columns of NEW and OLD that the body uses: number of the variable, whether it is of NEW, name of the column,
    /// whether it is read and assigned.
    pub fn fields(&self) -> impl Iterator<Item = (usize, (bool, &Name, (bool, bool)))> {
        let variables = self.program.variables.iter().enumerate();
        variables.filter_map(|(slot, v)| v.row_column().map(|field| (slot, field)))
    }
}
