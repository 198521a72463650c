//! The tests, some programs at a time: most of them start servers and wait for them, for a time to pass or for the disk.

use std::collections::VecDeque;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::{binaries, cargo};

/// What tests inject into the store; with it named, their documentation is built with what they are.
const FAULTS: &str = "isambard-pages/simulation";

/// The programs that take longest begin first, so that none of them runs alone at the end.
const LONG: &[&str] =
    &["differential", "waiting", "parallel_groups", "memory_bounds", "kill", "clients", "files"];

/// A program of tests.
struct Program {
    file: PathBuf,
    /// Where cargo would start it.
    folder: PathBuf,
}

impl Program {
    /// Its name, without what cargo appends.
    fn name(&self) -> &str {
        let name = self.file.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        name.rsplit_once('-').map_or(name, |(name, _)| name)
    }
}

/// How a program ended.
struct Ended {
    name: String,
    well: bool,
    took: Duration,
    /// What it printed.
    printed: String,
}

/// Builds all programs of tests, and with them the binaries that they start: once, with the same features.
///
/// # Errors
/// One of them does not build.
fn build() -> Result<VecDeque<Program>, String> {
    let mut command = cargo(&["test", "--workspace", "--no-run", "--quiet", "--features", FAULTS]);
    command.args(["--message-format", "json-render-diagnostics"]).stderr(Stdio::inherit());
    let output = command.output().map_err(|e| format!("cargo: {e}"))?;
    if !output.status.success() {
        return Err("the tests do not build".into());
    }
    let field = |line: &str, name: &str| {
        let (_, rest) = line.split_once(&format!("\"{name}\":\""))?;
        Some(PathBuf::from(rest.split('"').next()?))
    };
    let mut programs: VecDeque<_> = String::from_utf8_lossy(&output.stdout)
        .lines()
        // Of the profile: a target that has tests says so of itself, too.
        .filter(|line| line.contains("\"test\":true},\"features\""))
        .filter_map(|line| {
            let folder = field(line, "manifest_path")?.parent()?.to_owned();
            Some(Program { file: field(line, "executable")?, folder })
        })
        .collect();
    let place = |p: &Program| LONG.iter().position(|long| p.name() == *long).unwrap_or(LONG.len());
    programs.make_contiguous().sort_by_key(place);
    if programs.len() < LONG.len() {
        return Err(format!("cargo named {} programs of tests", programs.len()));
    }
    Ok(programs)
}

/// Builds all tests and runs them, then those in the documentation.
///
/// # Errors
/// One of them failed.
pub fn run() -> Result<(), String> {
    let begun = Instant::now();
    let waiting = Mutex::new(build()?);
    println!("built in {:.1} s", begun.elapsed().as_secs_f64());
    let cores = thread::available_parallelism().map_or(2, usize::from);
    let ended = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..cores.div_ceil(2) + 1 {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().expect("no panic while it is held").pop_front();
                    let Some(program) = next else { break };
                    let how = one(&program);
                    ended.lock().expect("no panic while it is held").push(how);
                }
            });
        }
    });
    let mut ended = ended.into_inner().expect("no panic while it was held");
    ended.sort_by_key(|e| std::cmp::Reverse(e.took));
    println!("\nthe longest:");
    for e in ended.iter().take(12) {
        println!("{:7.1} s  {}", e.took.as_secs_f64(), e.name);
    }
    let documented =
        crate::run(&mut cargo(&["test", "--workspace", "--doc", "--quiet", "--features", FAULTS]));
    let failed: Vec<_> = ended.iter().filter(|e| !e.well).collect();
    // Once more, last: whoever sees only the end of a long output sees why.
    for e in &failed {
        println!("\n-- {} failed:\n{}", e.name, end_of(&e.printed));
    }
    match &failed[..] {
        [] => documented,
        failed => {
            let names: Vec<_> = failed.iter().map(|e| e.name.as_str()).collect();
            Err(format!("failed: {}", names.join(", ")))
        }
    }
}

/// The last lines of what a program printed.
fn end_of(printed: &str) -> String {
    const LINES: usize = 60;
    let lines: Vec<_> = printed.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

/// Runs a program; what it prints comes in one piece.
fn one(program: &Program) -> Ended {
    let begun = Instant::now();
    let name = program.name().to_owned();
    let printed = env::temp_dir().join(format!("isambard-tests-{}-{name}.txt", std::process::id()));
    let run = || -> std::io::Result<bool> {
        let to = File::create(&printed)?;
        let mut command = Command::new(&program.file);
        command.arg("--quiet").current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
        // Built beside them: cargo need not be asked, whose lock they would wait for.
        command.env("ISAMBARD_BIN", binaries("debug").join("isambard"));
        Ok(command.stdout(to.try_clone()?).stderr(to).status()?.success())
    };
    let result = run();
    let text = String::from_utf8_lossy(&fs::read(&printed).unwrap_or_default()).into_owned();
    // One call, so that another program's text does not come between.
    println!("-- {name}{text}");
    let _ = fs::remove_file(&printed);
    if let Err(error) = &result {
        println!("{name}: {error}");
    }
    Ended { name, well: result.is_ok_and(|well| well), took: begun.elapsed(), printed: text }
}
