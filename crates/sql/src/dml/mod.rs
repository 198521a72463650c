//! Statements that change rows.
