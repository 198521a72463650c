//! A row being built.

use std::sync::Arc;

use super::view::{ColumnForm, RowLayout, RowView, Source, Span};

/// An owned row: columns are set one by one, in any order; then it is looked at as a [`RowView`].
/// Reuse it from row to row: in the steady state nothing is allocated.
#[derive(Clone, Debug)]
pub struct RowBuf {
    layout: Arc<RowLayout>,
    bytes: Vec<u8>,
    spans: Vec<Span>,
}

impl RowBuf {
    /// A row with all columns NULL.
    #[must_use]
    pub fn new(layout: &Arc<RowLayout>) -> RowBuf {
        RowBuf {
            layout: layout.clone(),
            bytes: Vec::new(),
            spans: vec![Span::default(); layout.columns.len()],
        }
    }

    /// As [`RowBuf::new`], in the room of another row.
    #[must_use]
    pub fn renewed(mut self, layout: &Arc<RowLayout>) -> RowBuf {
        if !Arc::ptr_eq(&self.layout, layout) {
            self.layout = layout.clone();
        }
        self.bytes.clear();
        self.spans.clear();
        self.spans.resize(layout.columns.len(), Span::default());
        self
    }

    /// Bytes it holds.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.capacity() + self.spans.capacity() * size_of::<Span>()
    }

    /// Sets all columns to NULL.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.spans.fill(Span::default());
    }

    /// Sets column `i` to its stored bytes (see [`RowView`] for their form). A value shorter than a fixed-length column
    /// is padded when the row is written; trailing pad spaces of a CHAR are dropped.
    pub fn set(&mut self, i: usize, value: &[u8]) {
        let value = match self.layout.columns[i].form {
            ColumnForm::Char(pad) => pad.trim(value),
            ColumnForm::Virtual(Some(pad)) => pad.trim(value),
            _ => value,
        };
        let span = &mut self.spans[i];
        let (start, len) = (span.start as usize, span.len as usize);
        if span.source == Source::Row && value.len() <= len {
            self.bytes[start..start + value.len()].copy_from_slice(value);
            span.len = value.len() as u32;
            return;
        }
        *span = Span { start: self.bytes.len() as u32, len: value.len() as u32, source: Source::Row };
        self.bytes.extend_from_slice(value);
    }

    /// Sets column `i` to NULL.
    pub fn set_null(&mut self, i: usize) {
        self.spans[i] = Span::default();
    }

    /// Sets all columns to those of `row` (a row of the same table).
    pub fn copy_from(&mut self, row: &RowView<'_>) {
        self.bytes.clear();
        self.bytes.reserve(row.bytes.len());
        for i in 0..self.spans.len() {
            self.spans[i] = match row.column(i) {
                None => Span::default(),
                Some(v) => {
                    let start = self.bytes.len() as u32;
                    self.bytes.extend_from_slice(v);
                    Span { start, len: v.len() as u32, source: Source::Row }
                }
            };
        }
    }

    /// The row.
    #[inline]
    #[must_use]
    pub fn as_view(&self) -> RowView<'_> {
        RowView { layout: &self.layout, bytes: &self.bytes, spans: &self.spans, extra: &[], nulls: &[] }
    }
}
