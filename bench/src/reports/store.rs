//! What was measured, kept as JSON: a report that is measured again takes the place of what it was before.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::process;

/// All reports by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// From the number to what was measured last.
    pub reports: BTreeMap<u32, Report>,
}

/// One report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Its heading.
    pub title: String,
    /// What the field report found, and where its limit was.
    pub story: String,
    /// When it was measured, where and how.
    pub run: Run,
    /// Its tables.
    pub tables: Vec<Table>,
}

/// When, where and how a report was measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Day and time, UTC.
    pub date: String,
    /// Processor, cores, memory, system.
    pub machine: String,
    /// Versions of what was measured.
    pub versions: String,
    /// Load average when the run began: more than nothing is other work on the machine.
    pub load: String,
    /// Sizes, seconds and rounds.
    pub settings: String,
    /// How long it took.
    pub seconds: f64,
}

/// What the figures of a table are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// Queries a second.
    #[default]
    Queries,
    /// Rows a second.
    Rows,
    /// Milliseconds that a statement takes.
    Milliseconds,
}

impl Unit {
    /// As a heading.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Queries => "queries/s",
            Self::Rows => "rows/s",
            Self::Milliseconds => "ms",
        }
    }

    /// What the CPU time is given for.
    #[must_use]
    pub fn cpu(self) -> &'static str {
        match self {
            Self::Queries => "CPU µs per query",
            Self::Rows => "CPU µs per row",
            Self::Milliseconds => "CPU ms",
        }
    }
}

/// A table: groups of points, each with a figure of every system.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Its name in links.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// What the figures are.
    pub unit: Unit,
    /// What the points of a group differ in, such as "threads"; empty where each group has one point.
    pub axis: String,
    /// The system that the others are divided by.
    pub baseline: String,
    /// The systems in their order.
    pub systems: Vec<String>,
    /// The lines.
    pub groups: Vec<Group>,
    /// What must be known to read it.
    pub notes: Vec<String>,
}

/// A workload, at each point of the axis.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its points, in order.
    pub points: Vec<Point>,
}

/// A place on the axis.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// As it is written on the axis.
    pub at: String,
    /// Figures by system.
    pub cells: BTreeMap<String, Cell>,
    /// What the field report has here, in its words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reported: String,
}

/// The figure of one system.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// In the table's unit; none where it failed.
    pub value: Option<f64>,
    /// CPU time of the server: microseconds a query or row; of a table of milliseconds, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<f64>,
    /// 95th percentile of latency in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency95: Option<f64>,
    /// Context switches of the server a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<f64>,
    /// Why there is no figure, or what it must be read with.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Table {
    /// How many times as fast as the baseline a system is at a point.
    #[must_use]
    pub fn ratio(&self, point: &Point, system: &str) -> Option<f64> {
        let value = |name: &str| point.cells.get(name).and_then(|c| c.value).filter(|v| *v > 0.0);
        let (ours, base) = (value(system)?, value(&self.baseline)?);
        Some(if self.unit == Unit::Milliseconds { base / ours } else { ours / base })
    }

    /// The share of the baseline's CPU time that a system takes.
    #[must_use]
    pub fn cpu_ratio(&self, point: &Point, system: &str) -> Option<f64> {
        let cpu = |name: &str| point.cells.get(name).and_then(|c| c.cpu).filter(|v| *v > 0.0);
        Some(cpu(system)? / cpu(&self.baseline)?)
    }
}

impl Results {
    /// Reads a file; none is as an empty one.
    ///
    /// # Errors
    /// When it cannot be read or is not of this form.
    pub fn load(path: &Path) -> io::Result<Self> {
        match std::fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|e| io::Error::other(format!("{}: {e}", path.display()))),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(e) => Err(e),
        }
    }

    /// Writes a file.
    ///
    /// # Errors
    /// Those of the file.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        replace(path, &text)
    }

    /// A report measured anew: it takes the place of what it was.
    pub fn update(&mut self, number: u32, mut report: Report) {
        let points = report.tables.iter_mut().flat_map(|t| &mut t.groups).flat_map(|g| &mut g.points);
        for cell in points.flat_map(|p| p.cells.values_mut()) {
            for figure in [&mut cell.value, &mut cell.cpu, &mut cell.latency95, &mut cell.switches] {
                *figure = figure.map(rounded);
            }
        }
        self.reports.insert(number, report);
    }
}

/// Five digits are more than can be measured.
fn rounded(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

/// Puts a whole file in the place of another; an interrupt leaves the one or the other.
///
/// # Errors
/// Those of the file.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("new");
    process::uninterrupted(|| {
        std::fs::write(&new, text)?;
        std::fs::rename(&new, path)
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A report with one table of two groups; `scale` multiplies all figures of Isambard.
    pub fn example(scale: f64) -> Report {
        let cell = |value, cpu| Cell { value: Some(value), cpu: Some(cpu), ..Cell::default() };
        let point = |at: &str, ours, theirs| Point {
            at: at.into(),
            cells: BTreeMap::from([
                ("Isambard".into(), cell(ours, 10.0)),
                ("MyISAM".into(), cell(theirs, 40.0)),
                ("MEMORY".into(), Cell { note: "gone <away>".into(), ..Cell::default() }),
            ]),
            reported: "8894→9394 (1.06)".into(),
        };
        let group = |name: &str, factor: f64| Group {
            name: name.into(),
            points: vec![
                point("1", 100.0 * factor * scale, 50.0 * factor),
                point("16", 1800.0 * factor * scale, 600.0 * factor),
            ],
        };
        Report {
            title: "Reads".into(),
            story: "Rows were read by pread.".into(),
            run: Run { date: "2026-11-23 10:00".into(), ..Run::default() },
            tables: vec![Table {
                id: "reads".into(),
                title: "Reading".into(),
                axis: "threads".into(),
                baseline: "MyISAM".into(),
                systems: ["Isambard", "MyISAM", "MEMORY"].map(String::from).to_vec(),
                groups: vec![group("point select", 1.0), group("range", 0.1)],
                ..Table::default()
            }],
        }
    }

    #[test]
    fn ratios_say_how_many_times_as_fast() {
        let mut table = example(1.0).tables.remove(0);
        let point = table.groups[0].points[1].clone();
        assert_eq!(table.ratio(&point, "Isambard"), Some(3.0));
        assert_eq!(table.ratio(&point, "MyISAM"), Some(1.0));
        assert_eq!(table.ratio(&point, "MEMORY"), None);
        assert_eq!(table.ratio(&point, "unknown"), None);
        assert_eq!(table.cpu_ratio(&point, "Isambard"), Some(0.25));
        table.unit = Unit::Milliseconds;
        assert_eq!(table.ratio(&point, "Isambard"), Some(1.0 / 3.0));
    }

    #[test]
    fn a_part_measured_again_replaces_that_part_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results.json");
        let mut results = Results::load(&path).expect("none yet");
        assert_eq!(results, Results::default());
        results.update(1, example(1.0));
        results.update(3, example(2.0));
        results.save(&path).expect("saved");
        let mut again = Results::load(&path).expect("read");
        assert_eq!(again, results);
        again.update(3, example(5.0));
        again.save(&path).expect("saved");
        let last = Results::load(&path).expect("read");
        assert_eq!(last.reports[&1], results.reports[&1]);
        assert_eq!(last.reports[&3], example(5.0));
        let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }

    #[test]
    fn a_file_of_another_form_is_not_overwritten_in_silence() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results.json");
        std::fs::write(&path, "{\"reports\": 7}").expect("written");
        let error = Results::load(&path).expect_err("not ours").to_string();
        assert!(error.contains("results.json"), "{error}");
    }
}
