//! `cargo xtask`: everything a developer runs.
fn main() {}
