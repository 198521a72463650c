//! Full-text search beside MariaDB's MyISAM and InnoDB, and a search engine in process: real documents, words from frequent to rare.

#[cfg(feature = "tantivy")]
mod engine;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use bench::fulltext::cases::{Answer, Case, cases};
use bench::fulltext::servers::Server;
use bench::fulltext::{Document, Load, Sample, corpus, read};
use bench::options::Common;
use bench::process::{ServerProcess, install_mariadb, isambard_command, mariadb_command};
use bench::report;
use clap::Parser;

/// Measures full-text search and prints a markdown report.
///
/// All systems have the same documents: entries of Debian's dictionaries, made by `tests/corpus/dictionaries.py`. In each round the
/// systems take turns; medians are printed. What Isambard counts is compared with MyISAM.
#[derive(Parser)]
struct Options {
    /// Documents, at most.
    #[arg(long, default_value_t = 1_000_000)]
    documents: usize,
    /// Seconds a run.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Rounds.
    #[arg(long, default_value_t = 1)]
    rounds: u32,
    /// Users at once; cases that are measured with one number of them take the second, or the only one.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 8, 64, 256])]
    users: Vec<u32>,
    /// Documents that a connection inserts each second beside those who ask; 0 leaves that out.
    #[arg(long, default_value_t = 100)]
    inserts: u32,
    /// Cases whose name has this in it.
    #[arg(long, default_value = "")]
    only: String,
    /// Systems: isambard, before, myisam, innodb, tantivy.
    #[arg(long, value_delimiter = ',', default_value = "isambard,before,myisam,innodb,tantivy")]
    systems: Vec<String>,
    /// Another binary `isambard` to be measured as well, for instance one of before a change.
    #[arg(long)]
    before: Option<PathBuf>,
    /// Lines of id, word and text that were made before [default: they are made].
    #[arg(long)]
    corpus: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// Who is asked.
enum System<'p> {
    Server(Server<'p>),
    #[cfg(feature = "tantivy")]
    Engine(engine::Engine),
}

impl System<'_> {
    fn name(&self) -> &'static str {
        match self {
            System::Server(server) => server.name,
            #[cfg(feature = "tantivy")]
            System::Engine(_) => "tantivy",
        }
    }

    fn sum(&self, case: &Case) -> io::Result<u64> {
        match self {
            System::Server(server) => server.sum(&case.questions),
            #[cfg(feature = "tantivy")]
            System::Engine(engine) => engine.sum(&case.questions),
        }
    }

    /// None: it takes no part in this.
    fn ask(&self, case: &Case, load: &Load, documents: &[Document]) -> io::Result<Option<Sample>> {
        match self {
            System::Server(server) => server.ask(&case.questions, load, documents).map(Some),
            #[cfg(feature = "tantivy")]
            System::Engine(_) if load.inserts.is_some() => Ok(None),
            #[cfg(feature = "tantivy")]
            System::Engine(engine) => engine.ask(&case.questions, load).map(Some),
        }
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    match report::write(&options.common, |scratch| measure(&options, scratch)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench fulltext: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The servers that are wanted: name, engine, process, data directory.
type Started = Vec<(Vec<(&'static str, &'static str)>, ServerProcess, PathBuf)>;

fn start(options: &Options, scratch: &Path) -> io::Result<Started> {
    let wanted: HashSet<&str> = options.systems.iter().map(String::as_str).collect();
    let mut started = Vec::new();
    let ours = [
        ("isambard", "Isambard", Some(options.common.binary("isambard")?)),
        ("before", "before", options.before.clone()),
    ];
    for (system, name, binary) in ours {
        let Some(binary) = binary.filter(|_| wanted.contains(system)) else { continue };
        let (datadir, socket) = (scratch.join(system), scratch.join(format!("{system}.sock")));
        let mut command = isambard_command(&binary, &datadir, &socket);
        let process = ServerProcess::start(&mut command, &socket, &scratch.join(format!("{system}.log")))?;
        started.push((vec![(name, "myisam")], process, datadir));
    }
    let engines = [("MyISAM", "myisam"), ("InnoDB", "innodb")];
    let engines: Vec<_> = engines.into_iter().filter(|(_, e)| wanted.contains(e)).collect();
    if !engines.is_empty() {
        let (datadir, socket) = (scratch.join("mariadb"), scratch.join("mariadb.sock"));
        install_mariadb(&datadir)?;
        let mut command = mariadb_command(&datadir, &socket);
        command.args(["--myisam-sort-buffer-size=256M", "--tmpdir"]).arg(scratch);
        let process = ServerProcess::start(&mut command, &socket, &scratch.join("mariadb.log"))?;
        started.push((engines, process, datadir));
    }
    Ok(started)
}

fn measure(options: &Options, scratch: &Path) -> io::Result<String> {
    let path = corpus(options.corpus.as_deref(), options.documents, scratch)?;
    let documents = read(&path)?;
    let started = start(options, scratch)?;
    let mut systems = Vec::new();
    let mut built = "| | build s | index MB |\n|---|---:|---:|\n".to_owned();
    let mut note = |name: &str, time: Duration, bytes: u64| {
        let line = format!("| {name} | {:.2} | {:.1} |\n", time.as_secs_f64(), bytes as f64 / 1e6);
        eprint!("{line}");
        built += &line;
    };
    for (engines, process, datadir) in &started {
        for &(name, engine) in engines {
            let server = Server::new(name, process, engine, documents.len());
            let time = server.build(&path)?;
            note(name, time, server.index_size(datadir)?);
            systems.push(System::Server(server));
        }
    }
    #[cfg(feature = "tantivy")]
    if options.systems.iter().any(|s| s == "tantivy") {
        let (engine, time, bytes) = engine::Engine::build(&scratch.join("tantivy"), &documents)?;
        note("tantivy", time, bytes);
        systems.push(System::Engine(engine));
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let mut report = format!(
        "{} documents, {} rounds of {} s alternating, medians; users and servers on {cores} cores, load {load}\n{built}\n",
        documents.len(),
        options.rounds,
        options.seconds
    );
    report += &table(options, &systems, &documents)?;
    Ok(report)
}

/// Measures all cases: the lines of the table, and what a writer beside costs.
fn table(options: &Options, systems: &[System<'_>], documents: &[Document]) -> io::Result<String> {
    let mut head = vec!["asked".to_owned(), "users".to_owned()];
    head.extend(systems.iter().map(|s| format!("{} q/s", s.name())));
    head.extend(["× MyISAM", "× InnoDB", "CPU µs", "p95 ms", "p95 ms MyISAM"].map(str::to_owned));
    let mut text = format!("| {} |\n|---|{}\n", head.join(" | "), "---:|".repeat(head.len() - 1));
    eprint!("{text}");
    let mut shares = String::new();
    let single = options.users.get(1).or(options.users.first()).copied().unwrap_or(1);
    let cases: Vec<Case> = cases().into_iter().filter(|c| c.name.contains(&options.only)).collect();
    // Before anything is inserted.
    for case in &cases {
        compare(case, systems)?;
    }
    for case in &cases {
        let users = if case.scaled { options.users.clone() } else { vec![single] };
        for users in users {
            let time = Duration::from_secs_f64(options.seconds);
            let mut load = Load { users, inserts: None, time };
            let alone = runs(case, &load, options.rounds, systems, documents)?;
            text += &line(case.name, users, systems, &alone);
            if !case.scaled || options.inserts == 0 {
                continue;
            }
            load.inserts = Some(options.inserts);
            let beside = runs(case, &load, options.rounds, systems, documents)?;
            text += &line(&format!("{}, beside a writer", case.name), users, systems, &beside);
            for (system, (alone, beside)) in systems.iter().zip(alone.iter().zip(&beside)) {
                if let (Some(alone), Some(beside)) = (alone, beside) {
                    let _ = writeln!(
                        shares,
                        "| {} | {users} | {:.0} | {:.0} % |",
                        system.name(),
                        beside.inserts,
                        100.0 * beside.rate / alone.rate
                    );
                }
            }
        }
    }
    if !shares.is_empty() {
        let _ = write!(
            text,
            "\nBeside a connection that inserts {} documents a second, as a share of alone:\n\n\
             | | users | inserts/s | share |\n|---|---:|---:|---:|\n{shares}",
            options.inserts
        );
    }
    Ok(text)
}

/// What is counted must be the same: Isambard finds what MyISAM finds.
fn compare(case: &Case, systems: &[System<'_>]) -> io::Result<()> {
    let mut sums = Vec::new();
    for system in systems {
        sums.push((system.name(), system.sum(case)?));
    }
    let of = |name: &str| sums.iter().find(|(n, _)| *n == name).map(|(_, sum)| *sum);
    let alike = of("Isambard").zip(of("MyISAM")).is_none_or(|(ours, theirs)| ours == theirs);
    eprintln!("{}: {sums:?}", case.name);
    let counted = case.questions.iter().all(|q| q.answer == Answer::Count);
    if counted && !alike {
        return Err(io::Error::other(format!("{}: not the same rows: {sums:?}", case.name)));
    }
    Ok(())
}

fn runs(
    case: &Case,
    load: &Load,
    rounds: u32,
    systems: &[System<'_>],
    documents: &[Document],
) -> io::Result<Vec<Option<Sample>>> {
    let mut samples: Vec<Vec<Sample>> = systems.iter().map(|_| Vec::new()).collect();
    for _ in 0..rounds.max(1) {
        for (system, samples) in systems.iter().zip(&mut samples) {
            samples.extend(system.ask(case, load, documents)?);
        }
    }
    Ok(samples.iter().map(|s| (!s.is_empty()).then(|| Sample::median(s))).collect())
}

fn line(name: &str, users: u32, systems: &[System<'_>], samples: &[Option<Sample>]) -> String {
    let of = |wanted: &str| {
        let at = systems.iter().position(|s| s.name() == wanted)?;
        samples[at]
    };
    let ratio = |other: &str| match (of("Isambard"), of(other)) {
        (Some(ours), Some(other)) => format!("{:.1}", ours.rate / other.rate),
        _ => "-".to_owned(),
    };
    let cell = |sample: Option<Sample>, f: fn(&Sample) -> f64, decimals: usize| {
        sample.map_or("-".to_owned(), |s| format!("{:.decimals$}", f(&s)))
    };
    let mut cells = vec![name.to_owned(), users.to_string()];
    cells.extend(samples.iter().map(|s| cell(*s, |s| s.rate, 0)));
    cells.extend([ratio("MyISAM"), ratio("InnoDB")]);
    cells.push(cell(of("Isambard"), |s| s.cpu, 1));
    cells.push(cell(of("Isambard"), |s| s.latency95, 2));
    cells.push(cell(of("MyISAM"), |s| s.latency95, 2));
    let line = format!("| {} |\n", cells.join(" | "));
    eprint!("{line}");
    line
}
