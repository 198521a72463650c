//! Statements that make, change and drop databases, tables and indexes.
