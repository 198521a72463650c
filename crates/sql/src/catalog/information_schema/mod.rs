//! information_schema: tables whose rows are made when they are read.

use std::sync::Arc;

use crate::error::SqlResult;
use crate::session::View;
use crate::types::{FieldType, Value};

/// A table made of rows that the server computes.
pub trait VirtualTable: Send + Sync {
    /// Its columns: name and type.
    fn columns(&self) -> &[(String, FieldType)];
    /// Its rows, each as long as the columns.
    ///
    /// # Errors
    /// Those of looking at what it describes.
    fn rows(&self) -> SqlResult<Vec<Vec<Value>>>;
}

/// The table of that name, in any case, as this session sees it.
pub fn open(_view: &View<'_>, _name: &str) -> Option<Arc<dyn VirtualTable>> {
    None
}
