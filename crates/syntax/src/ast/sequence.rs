//! Statements about sequences.

use super::{TableName, TableOptions};

/// What CREATE and ALTER SEQUENCE say; `Some(None)` is what is left to the other options (NO MINVALUE, RESTART).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SequenceOptions {
    /// INCREMENT BY.
    pub increment: Option<i64>,
    /// MINVALUE.
    pub min: Option<Option<i64>>,
    /// MAXVALUE.
    pub max: Option<Option<i64>>,
    /// START WITH.
    pub start: Option<i64>,
    /// CACHE, NOCACHE.
    pub cache: Option<i64>,
    /// CYCLE, NOCYCLE.
    pub cycle: Option<bool>,
    /// RESTART.
    pub restart: Option<Option<i64>>,
}

/// CREATE SEQUENCE.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateSequence {
    /// OR REPLACE.
    pub or_replace: bool,
    /// TEMPORARY.
    pub temporary: bool,
    /// IF NOT EXISTS.
    pub if_not_exists: bool,
    /// Its name.
    pub name: TableName,
    /// Its options.
    pub options: SequenceOptions,
    /// Those of its table.
    pub table: TableOptions,
}

/// ALTER SEQUENCE.
#[derive(Clone, Debug, PartialEq)]
pub struct AlterSequence {
    /// IF EXISTS.
    pub if_exists: bool,
    /// Its name.
    pub name: TableName,
    /// What changes.
    pub options: SequenceOptions,
}

/// SETVAL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetSequence {
    /// The sequence.
    pub name: TableName,
    /// The number.
    pub value: i64,
    /// It is used: the next one is given next.
    pub used: bool,
    /// The round.
    pub round: i64,
}
