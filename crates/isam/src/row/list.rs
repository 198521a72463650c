//! Rows of one table that are made and not written yet, one behind the other.

use std::sync::Arc;

use super::buf::RowBuf;
use super::view::{RowLayout, RowView, Source, Span};

/// Rows in the order in which they were pushed.
#[derive(Debug)]
pub struct RowList {
    layout: Arc<RowLayout>,
    bytes: Vec<u8>,
    /// One for each column of each row.
    spans: Vec<Span>,
    rows: usize,
}

impl RowList {
    /// No rows.
    #[must_use]
    pub fn new(layout: &Arc<RowLayout>) -> RowList {
        RowList { layout: Arc::clone(layout), bytes: Vec::new(), spans: Vec::new(), rows: 0 }
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Bytes of its rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len() + self.spans.len() * size_of::<Span>()
    }

    /// Adds a row of the table. False, and nothing is added, where the list would have more than 4 GiB.
    pub fn push(&mut self, row: &RowBuf) -> bool {
        let view = row.as_view();
        let Ok(base) = u32::try_from(self.bytes.len()) else { return false };
        if u32::try_from(self.bytes.len() + view.bytes.len()).is_err() {
            return false;
        }
        self.bytes.extend_from_slice(view.bytes);
        self.spans.extend(view.spans.iter().map(|span| match span.source {
            Source::Row => Span { start: base + span.start, ..*span },
            _ => *span,
        }));
        self.rows += 1;
        true
    }

    /// The row of this number, from 0.
    ///
    /// # Panics
    /// Where there is none.
    #[inline]
    #[must_use]
    pub fn row(&self, number: usize) -> RowView<'_> {
        let columns = self.layout.columns.len();
        let spans = &self.spans[number * columns..][..columns];
        RowView { layout: &self.layout, bytes: &self.bytes, spans, extra: &[], nulls: &[] }
    }
}
