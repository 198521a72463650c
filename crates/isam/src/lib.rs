//! MyISAM tables: files, rows, keys. See docs/ARCHITECTURE.md.

pub mod definition;
pub mod layout;
