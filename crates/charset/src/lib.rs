//! Placeholder head: see docs/ARCHITECTURE.md.
