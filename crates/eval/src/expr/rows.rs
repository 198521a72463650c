//! ROW variables of the routine that runs, as far as expressions know of them: each field is a parameter of its own.

use crate::error::{SqlError, SqlResult};

/// The ROW variables of a routine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowVariables {
    /// Those whose fields are known.
    pub list: Vec<RowVariable>,
    /// What is named and is not there, with the error of its use: fields of ROW variables, columns of NEW and OLD.
    pub missing: Vec<(u32, SqlError)>,
    /// The slots that are columns of NEW or OLD.
    pub of_trigger: Vec<u32>,
}

/// A ROW variable.
#[derive(Clone, Debug, PartialEq)]
pub struct RowVariable {
    /// Its own slot, which has no value.
    pub slot: u32,
    /// Its fields: name and slot.
    pub fields: Vec<(Box<str>, u32)>,
}

impl RowVariables {
    /// The ROW variable in a slot.
    #[must_use]
    pub fn row(&self, slot: u32) -> Option<&RowVariable> {
        self.list.iter().find(|r| r.slot == slot)
    }

    /// Whether a slot may be used.
    ///
    /// # Errors
    /// 4082 for a field that is not there, 1054 for a column of NEW or OLD.
    pub fn check(&self, slot: u32) -> SqlResult<()> {
        match self.missing.iter().find(|m| m.0 == slot) {
            Some((_, e)) => Err(e.clone()),
            None => Ok(()),
        }
    }
}
