//! Dates and times from text and numbers.
