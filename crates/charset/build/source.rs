//! Reading the files of `data/` and writing to the build's output directory.

use std::{env, fs, path::PathBuf};

/// The text of a data file.
pub fn text(name: &str) -> String {
    fs::read_to_string(PathBuf::from("data").join(name)).unwrap_or_else(|e| panic!("data/{name}: {e}"))
}

/// The lines of a tab-separated text without its comments, split into fields.
pub fn fields(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).map(|l| l.split('\t').collect())
}

/// Writes a generated file.
pub fn emit(name: &str, contents: impl AsRef<[u8]>) {
    let path = PathBuf::from(env::var_os("OUT_DIR").expect("OUT_DIR")).join(name);
    fs::write(path, contents).unwrap_or_else(|e| panic!("{name}: {e}"));
}
