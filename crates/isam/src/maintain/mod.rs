//! Maintenance: building keys, checking tables.

mod build;
pub mod check;
mod check_data;
mod check_head;
pub mod compress;
pub mod describe;
pub mod index_file;
pub mod keys;
mod rects;
pub mod repair;
pub mod salvage;
mod word_sort;
mod words;

use crate::sorting::SortSettings;
pub use check::{Check, CheckOptions, Depth, Finding, Severity, check};

/// Makes a row of a row that was read, with the columns that keys need and the file does not have (virtual ones).
pub type Complete<'a> = &'a dyn Fn(&crate::RowView<'_>, &mut crate::RowBuf);
