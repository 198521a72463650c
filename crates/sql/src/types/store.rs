//! Values into stored columns.
