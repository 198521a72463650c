//! Real files.
#![allow(missing_docs)]
pub struct RealStorage;
