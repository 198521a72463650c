//! Medians, ratios and the markdown table.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use crate::options::Common;

/// Measures in the scratch folder and prints the report; writes it to a file, too, where one is wanted.
///
/// # Errors
/// Those of the measurement and of the files.
pub fn write(common: &Common, measure: impl FnOnce(&Path) -> io::Result<String>) -> io::Result<()> {
    let report = common.in_scratch(measure)?;
    println!("{report}");
    match &common.output {
        Some(path) => std::fs::write(path, report),
        None => Ok(()),
    }
}

/// The value in the middle; none of nothing.
pub fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

/// One run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Queries (bulk_insert: rows) a second.
    pub rate: f64,
    /// CPU time of the server a query, in microseconds.
    pub cpu: f64,
    /// 95th percentile of latency in milliseconds.
    pub latency95: f64,
    /// Errors the load generator was told to go on after.
    pub ignored: f64,
}

/// The runs of one system under one load, or the error that ended them.
#[derive(Debug, Clone, Default)]
pub struct Runs {
    /// One a round.
    pub samples: Vec<Sample>,
    /// The first error.
    pub error: Option<String>,
}

impl Runs {
    fn median(&self, of: impl Fn(&Sample) -> f64) -> Option<f64> {
        if self.error.is_some() {
            return None;
        }
        median(&mut self.samples.iter().map(of).collect::<Vec<f64>>())
    }

    /// Median of the queries a second.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        self.median(|s| s.rate)
    }

    /// Median of the CPU microseconds a query.
    #[must_use]
    pub fn cpu(&self) -> Option<f64> {
        self.median(|s| s.cpu)
    }

    /// Median of the latency in milliseconds.
    #[must_use]
    pub fn latency95(&self) -> Option<f64> {
        self.median(|s| s.latency95)
    }
}

/// A line of the table.
#[derive(Debug, Clone)]
pub struct Line {
    /// Workload.
    pub workload: &'static str,
    /// Client threads.
    pub threads: u32,
    /// The systems' runs, by their names.
    pub systems: Vec<(&'static str, Runs)>,
}

impl Line {
    fn runs(&self, system: &str) -> Option<&Runs> {
        self.systems.iter().find(|(name, _)| *name == system).map(|(_, runs)| runs)
    }
}

fn cell(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".into(), |v| format!("{v:.decimals$}"))
}

fn ratio(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) if b > 0.0 => Some(a / b),
        _ => None,
    }
}

/// The markdown table of `lines`: queries a second of each system, Isambard's ratios, CPU time.
#[must_use]
pub fn table(lines: &[Line]) -> String {
    let mut text = String::new();
    let names: Vec<&str> = lines.first().map_or(vec![], |l| l.systems.iter().map(|(n, _)| *n).collect());
    let mut head = vec!["workload".to_owned(), "threads".to_owned()];
    head.extend(names.iter().map(|n| format!("{n} q/s")));
    head.extend(
        [
            "× MyISAM",
            "of ceiling",
            "CPU µs Isambard",
            "CPU µs MyISAM",
            "CPU µs ceiling",
            "CPU ratio",
            "CPU ratio of MEMORY",
            "p95 ms Isambard",
            "p95 ms MyISAM",
        ]
        .map(str::to_owned),
    );
    // Writing to a string does not fail.
    let _ = writeln!(text, "| {} |", head.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(head.len() - 1));
    for line in lines {
        let ours = line.runs("Isambard");
        let myisam = line.runs("MyISAM");
        let rate = |runs: Option<&Runs>| runs.and_then(Runs::rate);
        let cpu = |runs: Option<&Runs>| runs.and_then(Runs::cpu);
        let mut cells = vec![line.workload.to_owned(), line.threads.to_string()];
        cells.extend(line.systems.iter().map(|(_, runs)| match &runs.error {
            Some(_) => "error".to_owned(),
            None => cell(runs.rate(), 0),
        }));
        cells.push(cell(ratio(rate(ours), rate(myisam)), 2));
        cells.push(cell(ratio(rate(ours), rate(line.runs("ceiling"))), 2));
        cells.push(cell(cpu(ours), 1));
        cells.push(cell(cpu(myisam), 1));
        cells.push(cell(cpu(line.runs("ceiling")), 1));
        cells.push(cell(ratio(cpu(ours), cpu(myisam)), 2));
        cells.push(cell(ratio(cpu(line.runs("Isambard MEMORY")), cpu(line.runs("MEMORY"))), 2));
        cells.push(cell(ours.and_then(Runs::latency95), 2));
        cells.push(cell(myisam.and_then(Runs::latency95), 2));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    for line in lines {
        for (name, runs) in &line.systems {
            let ignored: f64 = runs.samples.iter().map(|s| s.ignored).sum();
            if ignored > 0.0 {
                let _ = writeln!(
                    text,
                    "\n{name}, {} with {} threads: {ignored} duplicate keys between threads (the script deletes and \
                     inserts a row without a transaction).",
                    line.workload, line.threads
                );
            }
            if let Some(error) = &runs.error {
                let _ = writeln!(text, "\n{name}, {} with {} threads: {error}", line.workload, line.threads);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(rates: &[f64]) -> Runs {
        let samples = rates
            .iter()
            .map(|&rate| Sample { rate, cpu: 1e6 / rate, latency95: 0.5, ignored: 0.0 })
            .collect();
        Runs { samples, error: None }
    }

    #[test]
    fn table_has_medians_and_ratios() {
        let failed = Runs { error: Some("gone".into()), ..runs(&[1.0]) };
        let lines = [Line {
            workload: "point_select",
            threads: 8,
            systems: vec![
                ("Isambard", runs(&[100.0, 300.0, 200.0])),
                ("MyISAM", runs(&[100.0])),
                ("ceiling", failed),
            ],
        }];
        let text = table(&lines);
        assert!(
            text.contains(
                "| point_select | 8 | 200 | 100 | error | 2.00 | - | 5000.0 | 10000.0 | - | 0.50 |"
            ),
            "{text}"
        );
        assert!(text.ends_with("ceiling, point_select with 8 threads: gone\n"));
    }
}
