//! Isambard as a library.
