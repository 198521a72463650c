//! `cargo xtask`: everything a developer runs.
//!
//! The task runner itself needs only the standard library, so that it builds at once; what a task needs beyond that
//! is a binary of its crate, which the runner builds and starts.

#[cfg(test)]
mod crates;
#[cfg(test)]
mod floors;
mod fuzz;
#[cfg(test)]
mod map;
mod programs;
mod tests;

use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const HELP: &str = "\
cargo xtask test                 format, clippy, all tests; installs MariaDB and sysbench when missing
cargo xtask soak [ROUNDS [SECONDS]]
                                 the tests with many more iterations, kill -9 rounds [default: 200], each fuzz
                                 target for some seconds [default: 600]; takes hours
cargo xtask fuzz [SECONDS] [TARGET...]
                                 the fuzz targets [default: 600 s each] with cargo-fuzz on nightly
cargo xtask damages              every damage of the library of damaged files: what myisamchk and Isambard find, cure and keep
cargo xtask bench oltp [...]     sysbench on Isambard, MariaDB and the ceiling server; --help for options
cargo xtask bench durability [...]
                                 what the settings of durability cost; commits beside InnoDB
cargo xtask bench queries [...]  loading, grouping, sorting, joins: single statements beside MyISAM; --tpch 0.1 for the
                                 questions of TPC-H, DuckDB beside
cargo xtask bench loads [...]    bulk loads, keys built and checked, INSERT, HANDLER beside MyISAM; --large for 2,000,000 rows
cargo xtask bench fulltext [...] searches in 285,556 documents beside MyISAM, InnoDB and tantivy
cargo xtask bench reports [...]  the five field reports beside MariaDB and DuckDB, on one page in bench/report; --quick for
                                 15 minutes, --only report3 for a part
cargo xtask bench inproc [...]   point selects through the library, SQLite beside it
cargo xtask cluster [...]         tables over 1, 2 and 4 shards by MariaDB's Spider, beside MyISAM shards: load, queries, joins, kills
                                 of shards under load, backups, a shard more; --quick for a minute, --help for options
cargo xtask mtr [NAME...]         MariaDB's own tests on Isambard, as its package mariadb-test installs them; the first run asks
                                 a private MariaDB; --help for options
cargo xtask diff \"SQL\"           the answers of Isambard and MariaDB to a script, side by side
cargo xtask diff @FILE           the same for a script in a file
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (task, rest) =
        arguments.split_first().map_or(("help", &[][..]), |(task, rest)| (task.as_str(), rest));
    let result = match (task, rest) {
        ("test", []) => tests::test(),
        ("soak", [] | [_] | [_, _]) => {
            match rest.iter().map(|n| n.parse::<u32>()).collect::<Result<Vec<_>, _>>() {
                Ok(numbers) => tests::soak(*numbers.first().unwrap_or(&200), *numbers.get(1).unwrap_or(&600)),
                Err(_) => Err(format!("soak takes numbers\n\n{HELP}")),
            }
        }
        ("fuzz", options) => fuzz::run(options),
        ("damages", []) => damages(),
        ("bench", [what, options @ ..]) if what == "oltp" => bench_oltp(options),
        ("bench", [what, options @ ..]) if what == "durability" => bench_durability(options),
        ("bench", [what, options @ ..]) if what == "queries" => bench_queries(options),
        ("bench", [what, options @ ..]) if what == "loads" => bench_loads(options),
        ("bench", [what, options @ ..]) if what == "fulltext" => bench_fulltext(options),
        ("bench", [what, options @ ..]) if what == "reports" => bench_reports(options),
        ("bench", [what, options @ ..]) if what == "inproc" => bench_inproc(options),
        ("cluster", options) => cluster(options),
        ("mtr", options) => mtr(options),
        ("diff", options @ [_, ..]) => diff(options),
        ("help" | "--help" | "-h", _) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => Err(format!("unknown task\n\n{HELP}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's folder.
fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// Where cargo puts binaries of a profile.
fn binaries(profile: &str) -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join(profile)
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments);
    command
}

/// Runs a command to its end; not ending well is an error.
fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().display().to_string();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program}: {status}")),
        Err(error) => Err(format!("{program}: {error}")),
    }
}

fn damages() -> Result<(), String> {
    tests::install_missing()?;
    let test = [
        "test",
        "--quiet",
        "--package",
        "isambard-tests",
        "--test",
        "damaged_files",
        "every",
        "--",
        "--nocapture",
    ];
    run(cargo(&test).env("ISAMBARD_SOAK", "1"))
}

fn bench_oltp(options: &[String]) -> Result<(), String> {
    tests::install_missing()?;
    run(&mut cargo(&["build", "--release", "--package", "isambard", "--package", "isambard-bench"]))?;
    run(Command::new(binaries("release").join("oltp")).args(options))
}

fn bench_durability(options: &[String]) -> Result<(), String> {
    tests::install_missing()?;
    run(&mut cargo(&["build", "--release", "--package", "isambard", "--package", "isambard-bench"]))?;
    run(Command::new(binaries("release").join("durability")).args(options))
}

fn bench_queries(options: &[String]) -> Result<(), String> {
    tests::install_missing()?;
    run(&mut cargo(&["build", "--release", "--package", "isambard", "--package", "isambard-bench"]))?;
    run(Command::new(binaries("release").join("queries")).args(options))
}

fn bench_loads(options: &[String]) -> Result<(), String> {
    tests::install_missing()?;
    run(&mut cargo(&["build", "--release", "--package", "isambard", "--package", "isambard-bench"]))?;
    run(Command::new(binaries("release").join("loads")).args(options))
}

fn bench_fulltext(options: &[String]) -> Result<(), String> {
    tests::install_missing()?;
    let packages = ["build", "--release", "--package", "isambard", "--package", "isambard-bench"];
    run(cargo(&packages).args(["--features", "isambard-bench/tantivy"]))?;
    run(Command::new(binaries("release").join("fulltext")).args(options))
}

fn bench_reports(options: &[String]) -> Result<(), String> {
    tests::install_missing()?;
    run(&mut cargo(&["build", "--release", "--package", "isambard", "--package", "isambard-bench"]))?;
    let mut command = Command::new(binaries("release").join("reports"));
    // In place of this process: a signal sent to it reaches who must stop the servers.
    let error = command.args(options).current_dir(root()).exec();
    Err(format!("{}: {error}", command.get_program().display()))
}

fn bench_inproc(options: &[String]) -> Result<(), String> {
    run(&mut cargo(&["build", "--release", "--package", "isambard-bench", "--bin", "inproc"]))?;
    run(Command::new(binaries("release").join("inproc")).args(options))
}

fn cluster(options: &[String]) -> Result<(), String> {
    tests::install_missing()?;
    run(&mut cargo(&["build", "--release", "--package", "isambard", "--package", "isambard-bench"]))?;
    run(Command::new(binaries("release").join("cluster")).args(options))
}

fn mtr(options: &[String]) -> Result<(), String> {
    tests::install_missing()?;
    run(&mut cargo(&["build", "--release", "--package", "isambard", "--package", "isambard-mtr"]))?;
    run(Command::new(binaries("release").join("mtr")).args(options))
}

fn diff(options: &[String]) -> Result<(), String> {
    tests::install_missing()?;
    run(&mut cargo(&["build", "--quiet", "--package", "isambard", "--package", "isambard-bench"]))?;
    run(Command::new(binaries("debug").join("diff")).args(options))
}
