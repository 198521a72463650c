//! Statements that are made, not listed: each of several kinds in each of several places.

pub mod expressions;
pub mod failing_values;
pub mod handlers;
pub mod refused_targets;
pub mod triggers;
