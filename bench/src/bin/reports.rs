//! The five field reports of the mission, measured beside MariaDB, on one page.

use std::path::PathBuf;
use std::process::ExitCode;

use bench::options::Common;
use bench::reports::{self, settings::Settings};
use clap::Parser;

/// Measures the five field reports and writes `bench/report/`: a page, Markdown, and the results as data.
///
/// Isambard runs beside MariaDB's MyISAM with and without mmap, Aria, InnoDB and MEMORY, DuckDB where a Python has it, and a server
/// that does nothing. A report that is measured again with --only takes the place of what it was. An interrupt ends all servers
/// and leaves the page as it was.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let settings = Settings { common: options.common, ..options.settings };
    if let Some(name) = settings.unknown() {
        eprintln!("bench reports: no report {name}; they are report1 to report5");
        return ExitCode::FAILURE;
    }
    let done = if settings.render {
        reports::render(&settings.directory)
    } else {
        settings.common.in_scratch(|scratch| reports::run(&settings, scratch))
    };
    let copied = |to: &PathBuf| std::fs::copy(settings.directory.join("README.md"), to).map(drop);
    let done = done.and_then(|()| settings.common.output.as_ref().map_or(Ok(()), copied));
    match done {
        Ok(()) => {
            println!("{}", settings.directory.join("index.html").display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("bench reports: {error}");
            ExitCode::FAILURE
        }
    }
}
