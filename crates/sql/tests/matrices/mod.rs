//! Statements that are made, not listed: each of several kinds in each of several places.

pub mod failing_values;
pub mod refused_targets;
