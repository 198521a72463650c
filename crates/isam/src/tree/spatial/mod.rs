//! SPATIAL keys: R-trees over the smallest rectangles of geometries.
//!
//! A leaf has entries of a rectangle and a row pointer, a node entries of a child pointer and the rectangle around all of the child;
//! there is no further child pointer behind the last one.

pub(crate) mod build;
mod delete;
mod insert;
pub(crate) mod node;
mod rect;
mod search;
mod split;

pub use rect::Rect;
pub use search::{Relation, SpatialWalk};

pub(crate) use search::is_found;

use crate::TableFormat;
use crate::error::{Error, Result};
use crate::key::KeyInfo;
use crate::row::RowView;

impl TableFormat {
    /// Whether the table has a SPATIAL key.
    #[must_use]
    pub fn has_spatial_keys(&self) -> bool {
        self.keys.iter().any(|key| key.is_spatial())
    }
}

impl KeyInfo {
    /// The rectangle of a row in a SPATIAL key.
    pub(crate) fn rect(&self, row: &RowView<'_>) -> Result<Rect> {
        let value = self.geometry.and_then(|column| row.column(column));
        value.and_then(Rect::of_value).ok_or(Error::NoGeometry { key: self.number })
    }
}
