//! Stored columns into values.
