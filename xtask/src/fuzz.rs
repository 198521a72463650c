//! `cargo xtask fuzz`: the targets of `fuzz/` with cargo-fuzz.

use std::process::{Command, Stdio};

use crate::{root, tests};

/// The targets, and folders with files to begin with.
const TARGETS: &[(&str, &[&str])] = &[
    ("frm", &["crates/schema/fixtures/frm", "crates/schema/fixtures/fuzz/frm"]),
    ("myi", &[]),
    ("row", &[]),
    ("packet", &[]),
    ("sql", &["crates/sql/tests/sql"]),
    ("load", &[]),
    ("journal", &[]),
    ("aria", &[]),
    ("fulltext", &[]),
    ("words", &[]),
    ("compressed", &[]),
    ("salvage", &[]),
];

/// Why the targets cannot run here, if so.
pub fn missing() -> Option<&'static str> {
    let works = |command: &mut Command| {
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    if !tests::installed("cargo-fuzz") {
        return Some("cargo-fuzz is not installed (cargo install cargo-fuzz)");
    }
    if !works(Command::new("rustup").args(["run", "nightly", "rustc", "--version"])) {
        return Some("there is no nightly toolchain (rustup toolchain install nightly)");
    }
    None
}

/// A command for each target: builds it and runs it for some seconds.
pub fn steps(seconds: u32, only: &[String]) -> Result<Vec<(String, Command)>, String> {
    if let Some(unknown) = only.iter().find(|name| TARGETS.iter().all(|(target, _)| target != name)) {
        let names: Vec<&str> = TARGETS.iter().map(|t| t.0).collect();
        return Err(format!("no fuzz target {unknown}; there are {}", names.join(", ")));
    }
    let wanted = TARGETS.iter().filter(|(target, _)| only.is_empty() || only.iter().any(|o| o == target));
    wanted
        .map(|(target, seeds)| {
            let corpus = root().join("fuzz/corpus").join(target);
            std::fs::create_dir_all(&corpus).map_err(|e| format!("{}: {e}", corpus.display()))?;
            // The toolchain that runs this would win over the one named.
            let mut command = Command::new("cargo");
            command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").current_dir(root());
            command.args(["+nightly", "fuzz", "run", "-O", target]).arg(corpus);
            command.args(seeds.iter().map(|seed| root().join(seed)));
            command.arg("--");
            command.arg(format!("-max_total_time={seconds}"));
            command.args(["-timeout=30", "-rss_limit_mb=4096", "-print_final_stats=1", "-verbosity=1"]);
            Ok((format!("fuzz {target}, {seconds} s"), command))
        })
        .collect()
}

/// Runs targets, all unless some are named.
pub fn run(options: &[String]) -> Result<(), String> {
    if let Some(why) = missing() {
        return Err(why.into());
    }
    let (seconds, only) = match options.split_first() {
        Some((first, rest)) if first.parse::<u32>().is_ok() => (first.parse().unwrap_or(600), rest),
        _ => (600, options),
    };
    tests::steps(steps(seconds, only)?)
}
