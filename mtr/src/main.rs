//! MariaDB's own tests, as its package mariadb-test installs them, on Isambard: how many of their statements are answered
//! as MariaDB answers them, and why the others are not.
//!
//! A test runs with the real `mysqltest` on a fresh server. What is right is asked of a private MariaDB once, and kept in the
//! target directory; in scope are the tests for which it gives the very bytes that the package expects. The tests
//! themselves are read where they are installed, and run from a copy in the target directory.

mod compare;
mod record;
mod report;
mod server;
mod suite;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use record::{End, Record};
use report::Outcome;
use server::{Kind, Places};
use suite::Test;

const HELP: &str = "\
mtr [OPTIONS] [NAME...]   runs the tests of the baseline, or those named (main.select, or a part of a name with %)
  --all                   every test within reach, to find new ones for the baseline
  --smoke                 the short list of tests that pass; needs no MariaDB server
  --details [CAUSE]       prints every statement that differs (for that cause)
  --update                writes the baseline
  --jobs N                tests at once [default: 1]
  --protocol NAME         has mysqltest send the statements so: ps (prepared), cursor (prepared, rows fetched by a
                          cursor), view (each SELECT through a view), sp (each in a procedure)
";

/// Longest time of a test in which MariaDB is asked.
const PATIENCE: Duration = Duration::from_secs(90);

#[derive(Default)]
struct Options {
    names: Vec<String>,
    help: bool,
    all: bool,
    smoke: bool,
    details: bool,
    cause: Option<String>,
    update: bool,
    jobs: usize,
    protocol: Option<String>,
}

fn main() -> ExitCode {
    let result = match options() {
        Ok(options) if options.help => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        Ok(options) if options.smoke => smoke(&options),
        Ok(options) => run(&options),
        Err(message) => Err(format!("{message}\n\n{HELP}")),
    };
    match result {
        Ok(code) => code,
        Err(message) => {
            eprintln!("mtr: {message}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, String> {
    let mut o = Options { jobs: 1, ..Options::default() };
    let mut rest = std::env::args().skip(1).peekable();
    while let Some(a) = rest.next() {
        match &*a {
            "--help" | "-h" => o.help = true,
            "--all" => o.all = true,
            "--smoke" => o.smoke = true,
            "--update" => o.update = true,
            "--details" => {
                o.details = true;
                // a cause has a space or a capital letter in it, a test has a point
                o.cause = rest.next_if(|n| !n.starts_with('-') && !n.contains('.') && !n.contains('%'));
            }
            "--jobs" => {
                let n = rest.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                o.jobs = n.ok_or("--jobs takes a number")?;
            }
            "--protocol" => match rest.next() {
                Some(name) if ["ps", "cursor", "view", "sp"].contains(&&*name) => o.protocol = Some(name),
                _ => return Err("--protocol takes ps, cursor, view or sp".into()),
            },
            name if !name.starts_with('-') => o.names.push(name.to_owned()),
            other => return Err(format!("unknown option {other}")),
        }
    }
    Ok(o)
}

/// The folder of the workspace.
fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

fn places(tag: &str, protocol: Option<&str>) -> Result<Places, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let work = target.join(protocol.map_or_else(|| tag.to_owned(), |p| format!("{tag}-{p}")));
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let isambard = match std::env::var_os("ISAMBARD_BIN") {
        Some(path) => path.into(),
        None => own.with_file_name("isambard"),
    };
    fs::create_dir_all(work.join("expected")).map_err(|e| format!("{}: {e}", work.display()))?;
    let tests = target.join("mtr/mysql-test");
    let protocol = protocol.map(str::to_owned);
    let places = Places { tests, hook: work.join("hook.so"), work, isambard, protocol };
    suite::copy(&places.tests).map_err(|e| format!("the tests cannot be copied: {e}"))?;
    suite::build_hook(&places.hook)?;
    if !places.isambard.exists() {
        return Err(format!("{} is missing: build it first", places.isambard.display()));
    }
    Ok(places)
}

/// The tests that pass, byte for byte, as a quick proof.
fn smoke(options: &Options) -> Result<ExitCode, String> {
    if !suite::installed() {
        println!("NOTICE: mariadb-test is not installed, nothing was compared");
        return Ok(ExitCode::SUCCESS);
    }
    let places = places("mtr-smoke", None)?;
    let all = suite::tests(&places.tests).map_err(|e| e.to_string())?;
    let list =
        fs::read_to_string(root().join("tests/mtr/smoke.txt")).map_err(|e| format!("smoke.txt: {e}"))?;
    let mut chosen = Vec::new();
    for name in list.split_whitespace() {
        chosen.push(all.get(name).cloned().ok_or_else(|| format!("there is no test {name}"))?);
    }
    server::templates(&places, Kind::Isambard)?;
    let failed = Mutex::new(Vec::new());
    each(&chosen, options.jobs, &|n, test| match record::run(&places, Kind::Isambard, n, test, PATIENCE) {
        Ok(r) if r.end == End::Passed => {}
        other => {
            push(&failed, format!("{}: {}", test.name, other.map_or_else(|e| e, |r| format!("{:?}", r.end))))
        }
    });
    let failed = failed.into_inner().unwrap_or_default();
    println!("{} of {} pass", chosen.len() - failed.len(), chosen.len());
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    Err(failed.join("\n"))
}

fn push<T>(list: &Mutex<Vec<T>>, what: T) {
    list.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(what);
}

/// Hands every test to `work`, `jobs` at once.
fn each(tests: &[Test], jobs: usize, work: &(dyn Fn(usize, &Test) + Sync)) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for n in 0..jobs {
            let next = &next;
            scope.spawn(move || {
                while let Some(test) = tests.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    work(n, test);
                }
            });
        }
    });
}

fn run(options: &Options) -> Result<ExitCode, String> {
    if !suite::installed() {
        return Err("the package mariadb-test is not installed".into());
    }
    let file = root().join("tests/mtr/baseline.txt");
    let before = report::baseline(&file);
    let skipped = report::skipped(&root().join("tests/mtr/skip.txt"))?;
    let places = places("mtr", options.protocol.as_deref())?;
    let all = suite::tests(&places.tests).map_err(|e| e.to_string())?;
    let chosen = choose(options, &all, &before)?;
    let in_scope = expected(&places, &chosen, options.jobs)?;
    server::templates(&places, Kind::Isambard)?;
    let tests: Vec<Test> = in_scope.iter().map(|(t, _)| t.clone()).collect();
    let answers: BTreeMap<&str, &Record> = in_scope.iter().map(|(t, r)| (&*t.name, r)).collect();
    let outcomes = Mutex::new(Vec::new());
    let failed = Mutex::new(Vec::new());
    each(&tests, options.jobs, &|n, test| {
        let Some(expected) = answers.get(&*test.name) else { return };
        let limit = Duration::from_millis(expected.millis * 10)
            .clamp(Duration::from_secs(45), Duration::from_secs(240));
        match record::run(&places, Kind::Isambard, n, test, limit) {
            Ok(mut record) => {
                let comparison = compare::compare(expected, &record);
                let (equal, total) = (comparison.equal, comparison.total);
                let loose = test.is_of_any_engine() || options.protocol.is_some();
                if loose && equal == total && record.end == End::Differs {
                    record.end = End::Passed;
                }
                println!("{:<44} {:?} {equal}/{total} {} ms", test.name, record.end, record.millis);
                push(&outcomes, Outcome { name: test.name.clone(), record, comparison });
            }
            Err(e) => push(&failed, format!("{}: {e}", test.name)),
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap_or_default();
    outcomes.sort_by(|a, b| a.name.cmp(&b.name));
    tell(options, &outcomes, &skipped);
    for line in failed.into_inner().unwrap_or_default() {
        eprintln!("{line}");
    }
    let worse = report::worse(&outcomes, &before);
    if options.update {
        report::update(&file, &outcomes)?;
    } else if !worse.is_empty() {
        println!("worse than the baseline:\n  {}", worse.join("\n  "));
    }
    println!("{}", report::figures(&outcomes));
    Ok(ExitCode::SUCCESS)
}

fn tell(options: &Options, outcomes: &[Outcome], skipped: &BTreeMap<String, String>) {
    let told = report::told_of_skipped(outcomes, skipped);
    if !told.is_empty() {
        println!("tests that cannot pass here, counted as not passed:\n{told}");
    }
    if options.details {
        for o in outcomes {
            print!("{}", report::details(o, options.cause.as_deref()));
        }
        return;
    }
    println!("\n{}\nnearly passing:\n{}", report::causes(outcomes, 100), report::nearly(outcomes, skipped));
    for (word, end) in [("timed out", End::TimedOut), ("the server died or panicked", End::Died)] {
        let names: Vec<&str> = outcomes.iter().filter(|o| o.record.end == end).map(|o| &*o.name).collect();
        println!("{word}: {}", names.join(" "));
    }
}

fn choose(
    options: &Options,
    all: &BTreeMap<String, Test>,
    before: &BTreeMap<String, report::Kept>,
) -> Result<Vec<Test>, String> {
    if options.all {
        return Ok(all.values().filter(|t| suite::within_reach(t)).cloned().collect());
    }
    if options.names.is_empty() {
        return Ok(before.keys().filter_map(|n| all.get(n)).cloned().collect());
    }
    let mut chosen = Vec::new();
    for name in &options.names {
        let part = name.strip_suffix('%').map(|p| p.trim_start_matches('%'));
        let fits = |n: &str| part.map_or(n == name, |p| n.contains(p) && before.contains_key(n));
        let before = chosen.len();
        chosen.extend(all.values().filter(|t| fits(&t.name)).cloned());
        if chosen.len() == before {
            return Err(format!("there is no test {name}"));
        }
    }
    Ok(chosen)
}

/// MariaDB's answers to the tests in scope, asked where they are not kept yet.
fn expected(places: &Places, tests: &[Test], jobs: usize) -> Result<Vec<(Test, Record)>, String> {
    let file = |t: &Test| places.work.join("expected").join(&t.name);
    let unknown: Vec<Test> = tests.iter().filter(|t| !file(t).exists()).cloned().collect();
    if !unknown.is_empty() {
        println!("asking MariaDB {} tests", unknown.len());
        server::templates(places, Kind::MariaDb)?;
        each(&unknown, jobs, &|n, test| match record::run(places, Kind::MariaDb, n, test, PATIENCE) {
            Ok(r) => drop(r.save(&file(test))),
            Err(e) => eprintln!("{}: {e}", test.name),
        });
    }
    let mut in_scope = Vec::new();
    for test in tests {
        match Record::load(&file(test)) {
            Some(r) if r.end == End::Passed => in_scope.push((test.clone(), r)),
            // one that has nothing to ask of this engine is skipped; by another protocol MariaDB answers otherwise than expected too
            Some(r)
                if (test.is_of_any_engine() || places.protocol.is_some())
                    && r.end == End::Differs
                    && !r.statements.is_empty() =>
            {
                in_scope.push((test.clone(), r));
            }
            _ => println!("{} is not in scope: MariaDB itself answers otherwise here", test.name),
        }
    }
    Ok(in_scope)
}
