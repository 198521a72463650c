//! Changing a table: rows and keys together.

use std::sync::Arc;

use crate::error::Result;
use crate::row::RowView;
use crate::source::PageStore;
use crate::{RowPos, TableFormat};

/// Changes one table through its pages. Rows and keys are kept in step; a change that fails on a duplicate key leaves the
/// table as it was. Statements are made of marks and commits of the page store, reached through [`Writer::store_mut`].
#[derive(Debug)]
pub struct Writer<S> {
    format: Arc<TableFormat>,
    store: S,
}

impl<S: PageStore> Writer<S> {
    /// Writes into `store`, whose files are laid out as `format` says.
    pub fn new(format: Arc<TableFormat>, store: S) -> Writer<S> {
        Writer { format, store }
    }

    /// Layout of the table.
    #[must_use]
    pub fn format(&self) -> &Arc<TableFormat> {
        &self.format
    }

    /// The working view, for reading the writer's own changes.
    #[must_use]
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The store, for marks, rollback and commit.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }

    /// Gives the store back.
    pub fn into_store(self) -> S {
        self.store
    }

    /// Inserts a row.
    ///
    /// # Errors
    /// [`crate::Error::Duplicate`] names the key and the row in the way; nothing is changed then.
    pub fn insert(&mut self, row: &RowView<'_>) -> Result<RowPos> {
        let _ = row;
        todo!()
    }

    /// Changes the row at `pos` from `old` to `new`; its position stays.
    ///
    /// # Errors
    /// [`crate::Error::Duplicate`] names the key and the row in the way; nothing is changed then.
    pub fn update(&mut self, pos: RowPos, old: &RowView<'_>, new: &RowView<'_>) -> Result<()> {
        let _ = (pos, old, new);
        todo!()
    }

    /// Deletes the row at `pos`, whose content is `old`.
    pub fn delete(&mut self, pos: RowPos, old: &RowView<'_>) -> Result<()> {
        let _ = (pos, old);
        todo!()
    }

    /// Finds the row that keeps `row` from being inserted, if any: the first unique key with an equal entry.
    pub fn find_duplicate(&mut self, row: &RowView<'_>) -> Result<Option<(usize, RowPos)>> {
        let _ = row;
        todo!()
    }

    /// Stops maintaining the keys that are not unique and can be built by sorting; [`Writer::enable_keys`] builds them.
    pub fn disable_keys(&mut self) -> Result<()> {
        todo!()
    }

    /// Builds all disabled keys by sorting.
    pub fn enable_keys(&mut self) -> Result<()> {
        todo!()
    }

    /// The highest AUTO_INCREMENT value used so far, as the table state has it.
    #[must_use]
    pub fn auto_increment(&self) -> u64 {
        self.format.state(&self.store).auto_increment()
    }

    /// Raises the AUTO_INCREMENT value (it is never lowered).
    pub fn raise_auto_increment(&mut self, value: u64) {
        let _ = value;
        todo!()
    }
}
