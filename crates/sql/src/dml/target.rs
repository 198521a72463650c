//! The table a statement writes: its writer, and what goes through it.
