//! A Spider front over 1, 2 and 4 shards of Isambard, and of MyISAM: loads, queries, joins; shards killed under load; a backup of each;
//! a shard more.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bench::cluster::tables::{self, DATABASE, GROUPS, SYSBENCH};
use bench::cluster::{Cluster, Engine, Shard, ask, proof, rows};
use bench::options::Common;
use bench::process;
use bench::report;
use bench::sysbench::{self, Target, WORKLOADS};
use clap::Parser;

/// Runs tables parted over shards by MariaDB's Spider engine, and prints a markdown report.
///
/// For each number of shards: rows are loaded through the front, sysbench asks and changes them, joins are compared with one server,
/// shards are killed under load (fails when an acknowledged row of Isambard is gone), each shard is backed up and the backup
/// started, and a shard is added.
#[derive(Parser)]
struct Options {
    /// Numbers of shards.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 4])]
    shards: Vec<usize>,
    /// Rows of sysbench's table.
    #[arg(long, default_value_t = 200_000)]
    rows: u32,
    /// Seconds of each workload.
    #[arg(long, default_value_t = 10)]
    time: u32,
    /// Client threads.
    #[arg(long, default_value_t = 8)]
    threads: u32,
    /// Kills of shards under load.
    #[arg(long, default_value_t = 6)]
    kills: usize,
    /// Milliseconds between two kills.
    #[arg(long, default_value_t = 1500)]
    pause: u64,
    /// Two shards, few rows, three kills, Isambard alone: a minute.
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    common: Common,
}

/// What sysbench does through the front.
const LOADS: [&str; 4] = ["point_select", "simple_ranges", "update_index", "update_non_index"];

fn main() -> ExitCode {
    let mut options = Options::parse();
    if options.quick {
        options = Options { shards: vec![2], rows: 10_000, time: 3, kills: 3, pause: 700, ..options };
    }
    match report::write(&options.common, |scratch| measure(&options, scratch)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cluster: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The lines of a table, and what stands in their columns.
#[derive(Default)]
struct Sheet {
    columns: Vec<String>,
    lines: Vec<(&'static str, Vec<String>)>,
}

impl Sheet {
    fn put(&mut self, line: &'static str, value: String) {
        let at = self.columns.len();
        let known = self.lines.iter().position(|(name, _)| *name == line);
        let known = known.unwrap_or_else(|| {
            self.lines.push((line, Vec::new()));
            self.lines.len() - 1
        });
        let values = &mut self.lines[known].1;
        values.resize(at - 1, "-".into());
        values.push(value);
    }

    fn markdown(&self) -> String {
        let mut text =
            format!("| | {} |\n|---|{}\n", self.columns.join(" | "), "---:|".repeat(self.columns.len()));
        for (name, values) in &self.lines {
            let mut values = values.clone();
            values.resize(self.columns.len(), "-".into());
            // Writing to a string does not fail.
            let _ = writeln!(text, "| {name} | {} |", values.join(" | "));
        }
        text
    }
}

fn measure(options: &Options, scratch: &Path) -> io::Result<String> {
    let binary = options.common.binary("isambard")?;
    let mut sheet = Sheet::default();
    let engines = if options.quick { &[Engine::Isambard][..] } else { &[Engine::Isambard, Engine::MyIsam] };
    for &count in &options.shards {
        for &engine in engines {
            eprintln!("{count} shards of {}", engine.name());
            sheet.columns.push(format!("{} x {count}", engine.name()));
            let folder = scratch.join(format!("{}-{count}", engine.name()));
            std::fs::create_dir_all(&folder)?;
            one(options, (engine, &binary), &folder, count, &mut sheet)?;
            std::fs::remove_dir_all(&folder)?;
        }
    }
    Ok(format!(
        "{} rows, {} client threads, {} s a workload; CPU in µs a row or query, of all shards and of the front.\n\n{}",
        options.rows,
        options.threads,
        options.time,
        sheet.markdown()
    ))
}

/// One cluster from its start to its end.
fn one(
    options: &Options,
    (engine, binary): (Engine, &PathBuf),
    scratch: &Path,
    count: usize,
    sheet: &mut Sheet,
) -> io::Result<()> {
    let mut cluster = Cluster::start(engine, binary, scratch, count)?;
    let mut front = cluster.connect()?;
    for table in [SYSBENCH, GROUPS] {
        table.create(&mut front, &cluster.shards, table.name)?;
    }
    load(options, &cluster, sheet)?;
    for table in [SYSBENCH, GROUPS] {
        table.copy_to_front(&mut front)?;
    }
    let equal = tables::compare(&mut front)?;
    sheet.put("questions and joins answered as by one server", format!("{equal} of {equal}"));
    workloads(options, &cluster, sheet)?;
    kills(options, engine, &mut cluster, sheet)?;
    if engine == Engine::Isambard {
        let saved = backups(binary, scratch, &cluster)?;
        sheet.put("backups of shards started, with all rows", format!("{saved} of {count}"));
    }
    let seconds = one_more((engine, binary), scratch, &mut cluster)?;
    sheet.put("a shard added, rows copied (rows/s)", format!("{:.0}", f64::from(options.rows) / seconds));
    Ok(())
}

fn load(options: &Options, cluster: &Cluster, sheet: &mut Sheet) -> io::Result<()> {
    let (before, begun) = (cluster.cpu_time()?, Instant::now());
    tables::load(cluster, options.rows.into(), options.threads.into())?;
    let (seconds, after) = (begun.elapsed().as_secs_f64(), cluster.cpu_time()?);
    let rows = f64::from(options.rows);
    sheet.put("load, rows/s", format!("{:.0}", rows / seconds));
    sheet.put("load, CPU", cpu(before, after, rows));
    Ok(())
}

fn cpu(before: (Duration, Duration), after: (Duration, Duration), by: f64) -> String {
    let micros = |a: Duration, b: Duration| b.saturating_sub(a).as_secs_f64() * 1e6 / by;
    format!("{:.1} + {:.1}", micros(before.0, after.0), micros(before.1, after.1))
}

fn workloads(options: &Options, cluster: &Cluster, sheet: &mut Sheet) -> io::Result<()> {
    let target = Target {
        socket: cluster.socket(),
        database: DATABASE,
        engine: "spider",
        tables: 1,
        rows: options.rows,
    };
    let figures = [
        ("point_select, q/s", "point_select, CPU"),
        ("simple_ranges, q/s", "simple_ranges, CPU"),
        ("update_index, q/s", "update_index, CPU"),
        ("update_non_index, q/s", "update_non_index, CPU"),
    ];
    for (name, (rate, used)) in LOADS.iter().zip(figures) {
        let found = WORKLOADS.iter().find(|w| w.name == *name);
        let workload = found.ok_or_else(|| io::Error::other(format!("no workload {name}")))?;
        let before = cluster.cpu_time()?;
        let outcome = sysbench::run(workload, &target, options.threads, options.time, false)?;
        let after = cluster.cpu_time()?;
        sheet.put(rate, format!("{:.0}", outcome.rate()));
        sheet.put(used, cpu(before, after, outcome.queries.max(1.0)));
    }
    Ok(())
}

fn kills(options: &Options, engine: Engine, cluster: &mut Cluster, sheet: &mut Sheet) -> io::Result<()> {
    let pause = Duration::from_millis(options.pause);
    let outcome = match proof::kill_under_load(cluster, options.threads.into(), options.kills, pause) {
        Ok(outcome) => outcome,
        // tables that were not closed may need a repair by hand
        Err(error) if engine == Engine::MyIsam => {
            sheet.put("rows acknowledged, lost, damaged", format!("failed: {error:.80}"));
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    sheet.put("kills of a shard under load", outcome.kills.to_string());
    sheet.put(
        "rows acknowledged, lost, damaged",
        format!("{}, {}, {}", outcome.acknowledged, outcome.lost, outcome.damaged),
    );
    sheet.put("counters that are wrong", outcome.wrong_counters.to_string());
    sheet.put("statements that failed meanwhile", outcome.failed.to_string());
    let whole = (outcome.lost, outcome.damaged, outcome.wrong_counters) == (0, 0, 0);
    match engine == Engine::Isambard && !(whole && outcome.acknowledged > 0) {
        true => Err(io::Error::other(format!("after kills of shards: {outcome:?}"))),
        false => Ok(()),
    }
}

/// Backs every shard up and starts a server on the copy: how many have all rows.
fn backups(binary: &Path, scratch: &Path, cluster: &Cluster) -> io::Result<usize> {
    let count = format!("SELECT COUNT(*), SUM(k), MAX(c) FROM {DATABASE}.{}", SYSBENCH.name);
    for shard in &cluster.shards {
        let folder = scratch.join(format!("backup-{}", shard.name));
        std::fs::create_dir_all(&folder)?;
        let mut command = std::process::Command::new(binary);
        command.arg("backup").arg("--datadir").arg(shard.data()).arg(folder.join("data"));
        command.arg("--socket").arg(shard.socket());
        process::checked(&mut command)?;
        let copy = Shard::start_on(shard, &folder)?;
        let (own, saved) = (rows(&mut shard.connect()?, &count)?, rows(&mut copy.connect()?, &count)?);
        if own != saved {
            return Err(io::Error::other(format!("{} has {own:?}, its backup {saved:?}", shard.name)));
        }
    }
    Ok(cluster.shards.len())
}

/// Adds a shard and spreads the tables over all: seconds that the copying of the large one took.
fn one_more((engine, binary): (Engine, &PathBuf), scratch: &Path, cluster: &mut Cluster) -> io::Result<f64> {
    let mut front = cluster.connect()?;
    let shard = Shard::start(engine, binary, scratch, cluster.shards.len() + 1)?;
    cluster.introduce(&mut front, &shard)?;
    cluster.shards.push(shard);
    // sysbench has changed rows meanwhile
    for table in [SYSBENCH, GROUPS] {
        ask(&mut front, &format!("DROP TABLE {DATABASE}.{}_whole", table.name))?;
        table.copy_to_front(&mut front)?;
    }
    let begun = Instant::now();
    SYSBENCH.spread(&mut front, &cluster.shards)?;
    let seconds = begun.elapsed().as_secs_f64();
    GROUPS.spread(&mut front, &cluster.shards)?;
    tables::compare(&mut front)?;
    Ok(seconds)
}
