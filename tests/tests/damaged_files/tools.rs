//! Both tools, run on files: with a limit of time, and of memory for ours.

use isambard_tests::peers::isambard_binary;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::report::Report;

/// What a tool says of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Fine,
    /// Only warnings.
    Warning,
    Bad,
    /// It did not come to an end, or crashed.
    Lost,
}

/// A tool that takes longer for one table goes round in circles.
const PATIENCE: Duration = Duration::from_secs(20);

/// Memory that a process of ours may come to, in KiB.
const MEMORY: i64 = 400 << 10;

/// Waits for an end; none = killed. Gives what it held in memory at most, in KiB.
fn wait(child: &mut Child, patience: Duration) -> (Option<i32>, i64) {
    let pid = i32::try_from(child.id()).expect("process id");
    let end = Instant::now() + patience;
    loop {
        let (mut status, mut usage) = (0, rusage());
        // SAFETY: both places are ours, and the child is not waited for by others
        #[allow(unsafe_code)]
        let done = unsafe { libc::wait4(pid, &raw mut status, libc::WNOHANG, &raw mut usage) };
        if done == pid {
            let code = libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
            return (code, usage.ru_maxrss);
        }
        if Instant::now() > end {
            let _ = child.kill();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn rusage() -> libc::rusage {
    // SAFETY: zeros are valid for all of its fields
    #[allow(unsafe_code)]
    unsafe {
        std::mem::zeroed()
    }
}

/// A run whose output goes into a file; exit code, output, memory.
fn run(command: &mut Command, patience: Duration, log: &Path) -> (Option<i32>, String, i64) {
    let out = std::fs::File::create(log).expect("log");
    let err = out.try_clone().expect("log");
    let mut child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().expect("start");
    let (code, memory) = wait(&mut child, patience);
    (code, String::from_utf8_lossy(&std::fs::read(log).unwrap_or_default()).into_owned(), memory)
}

/// `myisamchk` on one table.
pub fn myisamchk(arguments: &[&str], base: &Path) -> (Verdict, String) {
    let log = base.with_extension("log");
    let mut command = Command::new("myisamchk");
    command.arg("--no-defaults").args(arguments).arg(base);
    let (code, words, _) = run(&mut command, PATIENCE, &log);
    let verdict = match code {
        Some(0) if words.contains("warning") => Verdict::Warning,
        Some(0) => Verdict::Fine,
        Some(_) if words.contains("is usable but should be fixed") => Verdict::Warning,
        Some(_) => Verdict::Bad,
        None => Verdict::Lost,
    };
    // a repair that ended well warns of what it left out
    let looked = arguments.contains(&"--read-only");
    let verdict = if verdict == Verdict::Warning && !looked { Verdict::Fine } else { verdict };
    (verdict, words)
}

/// Ours on many tables at once; when that does not end well, on each alone, so that the one is known.
pub fn isambard(arguments: &[&str], bases: &[PathBuf], report: &mut Report) -> Vec<(Verdict, String)> {
    let paths = bases.iter().map(|base| base.with_extension("MYI"));
    let mut command = Command::new(isambard_binary());
    command.args(arguments).args(paths);
    let log = bases[0].with_file_name("log");
    let patience = PATIENCE + Duration::from_millis(500) * bases.len() as u32;
    let (code, words, memory) = run(&mut command, patience, &log);
    report.memory = report.memory.max(memory);
    let ended = code.is_some_and(|code| code < 2) && !words.contains("panicked") && memory < MEMORY;
    if !ended && bases.len() > 1 {
        return bases
            .iter()
            .flat_map(|base| isambard(arguments, std::slice::from_ref(base), report))
            .collect();
    }
    if !ended {
        report
            .lost
            .push(format!("{arguments:?} {}: exit code {code:?}, {memory} KiB: {words}", bases[0].display()));
        return vec![(Verdict::Lost, words)];
    }
    let mut said: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in words.lines() {
        let line = line.strip_prefix("isambard: ").unwrap_or(line);
        if let Some((table, text)) = line.split_once(": ") {
            said.entry(table.strip_suffix(".frm").unwrap_or(table)).or_default().push(text);
        }
    }
    let repairs = arguments[0] == "repair";
    bases
        .iter()
        .map(|base| {
            let lines = said.get(&*base.to_string_lossy()).cloned().unwrap_or_default();
            let fine = lines.last() == Some(&"status: OK");
            let verdict = match lines.iter().any(|line| line.starts_with("warning")) {
                _ if !fine => Verdict::Bad,
                true if !repairs => Verdict::Warning,
                _ => Verdict::Fine,
            };
            (verdict, lines.join("; "))
        })
        .collect()
}

/// Rows as the head of the `.MYI` counts them.
pub fn rows_of(base: &Path) -> u64 {
    let bytes = std::fs::read(base.with_extension("MYI")).unwrap_or_default();
    bytes.get(28..36).and_then(|b| b.first_chunk()).map_or(0, |b| u64::from_be_bytes(*b))
}
