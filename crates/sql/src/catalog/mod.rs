//! Databases, tables and what is known about them.

pub mod engines;
