//! The map of the project is true: every path it names exists, and in the files every item of "Where is it?".

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

#[test]
fn every_item_of_the_index_is_in_its_file() {
    let map = std::fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("the map");
    let index = map.split("## Where is it?").nth(1).and_then(|s| s.split("\n## ").next()).expect("the index");
    let mut rows = 0;
    for row in index.lines().filter(|line| line.contains("`crates/")) {
        let [_, _, file, items, _] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("three columns: {row}")
        };
        let path = root().join(file.trim().trim_matches('`'));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for item in items.split('`').skip(1).step_by(2) {
            let defines = |line: &str| {
                let mut words =
                    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
                words.any(|w| ["fn", "struct", "enum", "trait"].contains(&w)) && words.next() == Some(item)
            };
            assert!(text.lines().any(defines), "{item} is not in {}", path.display());
        }
        rows += 1;
    }
    assert!(rows >= 40, "only {rows} rows found");
}

/// A merge that was left half done reads well in code that compiles, and stays in documents for good.
#[test]
fn documents_hold_no_conflict_markers() {
    let mut folders = vec![root().to_owned(), root().join("docs"), root().join("docs/decisions")];
    folders.push(root().join("tests/mtr"));
    let mut read = 0;
    for path in folders.iter().flat_map(|folder| folder.read_dir().expect("a folder of documents")) {
        let path = path.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        read += 1;
        let text = std::fs::read_to_string(&path).expect("UTF-8");
        let marker =
            text.lines().position(|line| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> "));
        assert_eq!(marker, None, "{} is half merged (line counted from 0)", path.display());
    }
    assert!(read > 20, "only {read} documents found");
}
