//! Maintenance: building keys, checking tables.

pub mod check;
mod check_data;
pub mod keys;

pub use check::{Check, CheckOptions, Depth, Finding, Severity, check};
pub use keys::SortSettings;
