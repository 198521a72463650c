//! The servers of a run, rounds in turns, and how far the run is.

use std::cell::Cell as Shared;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::settings::Settings;
use super::store::Cell;
use crate::process::{self, ServerProcess, install_mariadb, isambard_command, mariadb_command};
use crate::report::median;
use crate::sysbench::{self, Target, Workload};

/// A server of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    /// Ours.
    Isambard,
    /// MariaDB with large caches; rows of MyISAM by pread.
    MariaDb,
    /// The same with myisam_use_mmap.
    Mapped,
    /// MariaDB whose temporary tables on disk have 8 MB for their keys, the default of 2007.
    SmallKeys,
    /// The same with 1 GB for their keys.
    LargeKeys,
    /// Answers and does nothing.
    Ceiling,
}

/// A storage engine of a server.
#[derive(Debug, Clone, Copy)]
pub struct System {
    /// Its name in tables.
    pub name: &'static str,
    /// Its server.
    pub server: Which,
    /// In CREATE TABLE.
    pub engine: &'static str,
}

const fn system(name: &'static str, server: Which, engine: &'static str) -> System {
    System { name, server, engine }
}

/// All that take part in the reports; the ceiling server stands apart.
pub const SYSTEMS: [System; 6] = [
    system("Isambard", Which::Isambard, "myisam"),
    system("MyISAM", Which::MariaDb, "myisam"),
    system("MyISAM mmap", Which::Mapped, "myisam"),
    system("Aria", Which::MariaDb, "aria"),
    system("InnoDB", Which::MariaDb, "innodb"),
    system("MEMORY", Which::MariaDb, "memory"),
];

/// What no server can go beyond.
pub const CEILING: System = system("ceiling", Which::Ceiling, "myisam");

/// Those of [`SYSTEMS`] with these names.
#[must_use]
pub fn systems(names: &[&str]) -> Vec<System> {
    SYSTEMS.iter().filter(|s| names.contains(&s.name)).copied().collect()
}

/// Servers, folder and progress of a run.
#[derive(Debug)]
pub struct Lab<'a> {
    /// What is wanted.
    pub settings: &'a Settings,
    /// Folder for data.
    pub scratch: &'a Path,
    /// How far the run is.
    pub progress: Progress,
    servers: BTreeMap<Which, Arc<ServerProcess>>,
}

impl<'a> Lab<'a> {
    /// Nothing runs yet.
    ///
    /// # Errors
    /// When the binary is not there.
    pub fn new(settings: &'a Settings, scratch: &'a Path, plan: u64) -> io::Result<Self> {
        let binary = settings.common.binary("isambard")?;
        if !binary.is_file() {
            return Err(io::Error::other(format!("{} is not there", binary.display())));
        }
        Ok(Self { settings, scratch, progress: Progress::new(plan), servers: BTreeMap::new() })
    }

    /// A server; started when it is wanted first.
    ///
    /// # Errors
    /// When it does not come up.
    pub fn server(&mut self, which: Which) -> io::Result<Arc<ServerProcess>> {
        if let Some(server) = self.servers.get(&which) {
            return Ok(Arc::clone(server));
        }
        let name = format!("{which:?}").to_lowercase();
        let (datadir, socket) = (self.scratch.join(&name), self.scratch.join(format!("{name}.sock")));
        let mut command = match which {
            Which::Isambard => isambard_command(&self.settings.common.binary("isambard")?, &datadir, &socket),
            Which::Ceiling => {
                let mut command = Command::new(self.settings.common.binary("ceiling")?);
                command.arg("--socket").arg(&socket);
                command
            }
            _ => {
                install_mariadb(&datadir)?;
                let mut command = mariadb_command(&datadir, &socket);
                command.arg("--myisam-sort-buffer-size=256M").arg("--tmpdir").arg(self.scratch);
                match which {
                    Which::Mapped => command.arg("--myisam-use-mmap=1"),
                    Which::SmallKeys => command.arg("--aria-pagecache-buffer-size=8M"),
                    Which::LargeKeys => command.arg("--aria-pagecache-buffer-size=1G"),
                    _ => command.arg("--aria-pagecache-buffer-size=256M"),
                };
                command
            }
        };
        let log = self.scratch.join(format!("{name}.log"));
        let server = Arc::new(ServerProcess::start(&mut command, &socket, &log)?);
        self.servers.insert(which, Arc::clone(&server));
        Ok(server)
    }

    /// Stops a server that is no longer needed.
    pub fn stop(&mut self, which: Which) {
        self.servers.remove(&which);
    }

    /// All rounds of one point: the systems take turns. What a system cannot do is noted in its cell.
    ///
    /// # Errors
    /// None yet; those of the measurement are notes.
    pub fn rounds<S>(
        &mut self,
        what: &str,
        systems: &[S],
        name: impl Fn(&S) -> &str,
        mut measure: impl FnMut(&mut Self, &S) -> io::Result<Cell>,
    ) -> BTreeMap<String, Cell> {
        let mut samples: Vec<Vec<Cell>> = systems.iter().map(|_| Vec::new()).collect();
        let mut cells = BTreeMap::new();
        for _ in 0..self.settings.rounds() {
            for (system, samples) in systems.iter().zip(&mut samples) {
                let name = name(system);
                if cells.contains_key(name) {
                    continue;
                }
                self.progress.step(&format!("{what}, {name}"));
                let begun = Instant::now();
                match measure(self, system) {
                    Ok(cell) if cell.value.is_some() => samples.push(cell),
                    // It did not end in time; it will not the next time either.
                    Ok(cell) => drop(cells.insert(name.to_owned(), cell)),
                    Err(error) => {
                        let note = error.to_string().trim().chars().take(300).collect();
                        cells.insert(name.to_owned(), Cell { note, ..Cell::default() });
                    }
                }
                self.progress.spent(begun.elapsed());
            }
        }
        for (system, samples) in systems.iter().zip(&samples) {
            cells.entry(name(system).to_owned()).or_insert_with(|| middle(samples));
        }
        cells
    }

    /// Makes sysbench's tables anew.
    ///
    /// # Errors
    /// What the server and sysbench say.
    pub fn prepare(&mut self, system: &System, tables: u32, rows: u32) -> io::Result<()> {
        if system.server == Which::Ceiling {
            return Ok(());
        }
        self.progress.step(&format!("filling {tables} x {rows} rows, {}", system.name));
        let server = self.server(system.server)?;
        let database = format!("sb_{}", system.engine);
        process::client(
            &server.socket,
            &format!(
                "DROP DATABASE IF EXISTS {database}; CREATE DATABASE {database}; \
                 SET GLOBAL default_storage_engine={}, max_heap_table_size=4294967296",
                system.engine
            ),
        )?;
        let target =
            Target { socket: &server.socket, database: &database, engine: system.engine, tables, rows };
        sysbench::prepare(&sysbench::WORKLOADS[0], &target, 4)?;
        if system.engine == "memory" {
            // A hashed key answers no range: it would read the whole table.
            let sorted: Vec<String> = (1..=tables)
                .map(|n| {
                    format!(
                        "ALTER TABLE {database}.sbtest{n} DROP PRIMARY KEY, ADD PRIMARY KEY USING BTREE (id)"
                    )
                })
                .collect();
            process::client(&server.socket, &sorted.join("; "))?;
        }
        Ok(())
    }

    /// Runs sysbench on tables that are there.
    ///
    /// # Errors
    /// What sysbench says.
    pub fn sysbench(&mut self, system: &System, load: &Load<'_>) -> io::Result<Cell> {
        let server = self.server(system.server)?;
        let target = Target {
            socket: &server.socket,
            database: &format!("sb_{}", system.engine),
            engine: system.engine,
            tables: load.tables,
            rows: load.rows,
        };
        let before = server.cpu_time()?;
        let outcome =
            sysbench::run(load.workload, &target, load.threads, self.settings.time(), load.prepared)?;
        let used = server.cpu_time()?.saturating_sub(before);
        Ok(Cell {
            value: Some(outcome.rate()),
            cpu: Some(used.as_secs_f64() * 1e6 / outcome.queries.max(1.0)),
            latency95: Some(outcome.latency95),
            ..Cell::default()
        })
    }

    /// Versions of what was started.
    #[must_use]
    pub fn versions(&self) -> String {
        let said = |command: &mut Command| process::checked(command).unwrap_or_default().trim().to_owned();
        let ours = self.settings.common.binary("isambard").map(|b| said(Command::new(b).arg("--version")));
        let mut all = vec![ours.unwrap_or_default()];
        all.push(said(Command::new("mariadbd").args(["--no-defaults", "--version"])));
        all.push(said(Command::new("sysbench").arg("--version")));
        all.join("; ")
    }
}

/// A load of sysbench.
#[derive(Debug, Clone, Copy)]
pub struct Load<'a> {
    /// Its statements.
    pub workload: &'a Workload,
    /// Tables.
    pub tables: u32,
    /// Rows in each.
    pub rows: u32,
    /// Connections.
    pub threads: u32,
    /// Prepared statements, or text.
    pub prepared: bool,
}

/// The median of each figure.
fn middle(samples: &[Cell]) -> Cell {
    let of =
        |figure: fn(&Cell) -> Option<f64>| median(&mut samples.iter().filter_map(figure).collect::<Vec<_>>());
    Cell {
        value: of(|c| c.value),
        cpu: of(|c| c.cpu),
        latency95: of(|c| c.latency95),
        switches: of(|c| c.switches),
        note: samples.iter().map(|c| c.note.clone()).find(|n| !n.is_empty()).unwrap_or_default(),
    }
}

/// How far the run is, and how long it will take: a bar on a terminal, else lines.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    plain: bool,
    begun: Instant,
    plan: u64,
    part: Shared<u32>,
}

impl Progress {
    fn new(plan: u64) -> Self {
        let plain = !io::stderr().is_terminal();
        let bar = if plain { ProgressBar::hidden() } else { ProgressBar::new(plan) };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3} % {prefix}, {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_length(plan);
        Self { bar, plain, begun: Instant::now(), plan, part: Shared::new(0) }
    }

    /// A report begins.
    pub fn part(&self, number: u32) {
        self.part.set(number);
    }

    /// Says what is measured now, and how long all will take.
    pub fn step(&self, what: &str) {
        let left = left(self.begun.elapsed(), self.bar.position(), self.plan);
        let message = format!("report {}: {what}", self.part.get());
        if self.plain {
            eprintln!("{:>3} % {left}, {message}", self.bar.position() * 100 / self.plan.max(1));
        } else {
            self.bar.set_prefix(left);
            self.bar.set_message(message);
        }
    }

    /// So much of the plan is done.
    fn spent(&self, time: Duration) {
        self.bar.set_position((self.bar.position() + time.as_millis() as u64).min(self.plan));
    }

    /// Sets right what the plan of a report was wrong by.
    pub fn reached(&self, plan: u64) {
        self.bar.set_position(plan);
    }

    /// All is done.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The time left in words, by how long the done part took.
fn left(elapsed: Duration, done: u64, plan: u64) -> String {
    let whole = plan.saturating_sub(done) as f64 / 1e3;
    // The plan alone, until there is something to go by.
    let factor = if done < 20_000 { 1.0 } else { elapsed.as_secs_f64() * 1e3 / done as f64 };
    let seconds = whole * factor;
    match seconds {
        s if s < 90.0 => format!("{s:.0} s left"),
        s if s < 5400.0 => format!("{:.0} min left", s / 60.0),
        s => format!("{:.1} h left", s / 3600.0),
    }
}

/// The first of the system's load averages.
#[must_use]
pub fn load_average() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// Processor, cores, memory and system.
#[must_use]
pub fn machine() -> String {
    let field = |file: &str, key: &str| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let line = text.lines().find(|l| l.starts_with(key)).unwrap_or_default();
        line.split(':').nth(1).unwrap_or_default().trim().to_owned()
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let memory = field("/proc/meminfo", "MemTotal").trim_end_matches(" kB").parse::<f64>().unwrap_or(0.0);
    let system = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{}, {cores} cores, {:.0} GB, Linux {}",
        field("/proc/cpuinfo", "model name"),
        memory / 1e6,
        system.trim()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_each_figure_is_taken() {
        let cell = |value, cpu| Cell { value: Some(value), cpu, ..Cell::default() };
        let found = middle(&[cell(3.0, Some(9.0)), cell(1.0, None), cell(2.0, Some(7.0))]);
        assert_eq!((found.value, found.cpu, found.switches), (Some(2.0), Some(8.0), None));
    }

    #[test]
    fn time_left_goes_by_what_the_done_part_took() {
        let seconds = Duration::from_secs;
        assert_eq!(left(seconds(0), 0, 60_000), "60 s left");
        assert_eq!(left(seconds(120), 60_000, 660_000), "20 min left");
        assert_eq!(left(seconds(60), 60_000, 10_860_000), "3.0 h left");
        assert_eq!(left(seconds(60), 70_000, 60_000), "0 s left");
    }
}
