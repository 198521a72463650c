//! What the crates may depend on.

use std::collections::BTreeSet;

use crate::cargo;

/// Crates, our own among them, that whoever uses the library builds. Three of them are AES's (`aes`, `cipher`, `inout`).
const MOST: usize = 93;

/// Names of the crates that a program with the library in it consists of.
fn of_the_library() -> BTreeSet<String> {
    let arguments =
        ["tree", "--package", "isambard", "--no-default-features", "--edges", "normal", "--prefix", "none"];
    let output = cargo(&arguments).output().expect("cargo tree");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn the_library_does_without_the_command_line() {
    let crates = of_the_library();
    assert!(crates.contains("isambard-sql"), "{crates:?}");
    for program in
        ["clap", "rustyline", "indicatif", "tracing-subscriber", "mysql", "isambard-server", "mimalloc"]
    {
        assert!(!crates.contains(program), "{program} is for the program only");
    }
    assert!(crates.len() <= MOST, "{} crates: {crates:?}", crates.len());
}

#[test]
fn what_is_shipped_has_no_faults_to_inject() {
    let tree = |edges: &str| {
        let output =
            cargo(&["tree", "--package", "isambard", "--edges", edges]).output().expect("cargo tree");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let shipped = tree("normal,build,features");
    assert!(shipped.contains("isambard-pages v"), "{shipped}");
    assert!(!shipped.contains("feature \"simulation\""), "{shipped}");
}

#[test]
fn every_crate_names_the_rust_it_needs() {
    let root = crate::root();
    let mut seen = 0;
    let mut folders: Vec<_> = ["xtask", "tests", "bench", "mtr"].map(|name| root.join(name)).into();
    for entry in std::fs::read_dir(root.join("crates")).expect("the crates") {
        folders.push(entry.expect("a crate").path());
    }
    for folder in folders {
        let text = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a package");
        assert!(text.contains("\nrust-version.workspace = true\n"), "{}", folder.display());
        seen += 1;
    }
    assert!(seen > 10, "{seen} crates");
    let workspace = std::fs::read_to_string(root.join("Cargo.toml")).expect("the workspace");
    assert!(workspace.contains("\nrust-version = \"") && !workspace.contains("example.invalid"));
}
