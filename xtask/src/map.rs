//! The map of the project is true: every path it names exists.

use crate::root;

#[test]
fn every_path_of_the_map_exists() {
    let map = std::fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("the map");
    let folders = ["crates/", "docs/", "tests/", "fuzz/", "xtask/", "bench/"];
    // Between backquotes, without patterns.
    let paths: Vec<&str> = map
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|p| folders.iter().any(|f| p.starts_with(f)) && !p.contains(['*', ' ', '{']))
        .collect();
    assert!(paths.len() > 40, "only {} paths found", paths.len());
    let missing: Vec<&&str> =
        paths.iter().filter(|p| !root().join(p).exists() && !root().join("tests").join(p).exists()).collect();
    assert!(missing.is_empty(), "not there: {missing:?}");
}
