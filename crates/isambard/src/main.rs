//! The `isambard` binary.
fn main() {}
