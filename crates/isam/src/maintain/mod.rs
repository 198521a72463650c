//! Maintenance: building keys, checking tables.

pub mod keys;

pub use keys::SortSettings;
