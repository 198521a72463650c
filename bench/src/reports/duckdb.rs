//! DuckDB, where a Python has it: an analytical engine on the same rows and cores.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::store::Cell;
use crate::process;
use crate::report::median;

const SCRIPT: &str = include_str!("duckdb.py");

/// The Python that has DuckDB.
#[derive(Debug, Clone)]
pub struct DuckDb {
    python: PathBuf,
    /// Its version.
    pub version: String,
}

impl DuckDb {
    /// The one that is wanted, else that of `python3`; none where there is none.
    ///
    /// # Errors
    /// The one that is wanted has no DuckDB.
    pub fn find(wanted: Option<&Path>) -> io::Result<Option<DuckDb>> {
        let python = wanted.unwrap_or_else(|| "python3".as_ref()).to_owned();
        let mut command = Command::new(&python);
        match process::checked(command.args(["-c", "import duckdb; print(duckdb.__version__)"])) {
            Ok(version) => Ok(Some(DuckDb { python, version: version.trim().to_owned() })),
            Err(error) if wanted.is_some() => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Runs statements, each in so many rounds after one that is not measured.
    ///
    /// # Errors
    /// Those of the setup; a statement's is noted in its cell.
    pub fn measure(
        &self,
        (scratch, rounds): (&Path, u32),
        file: &str,
        setup: &[String],
        statements: &[String],
    ) -> io::Result<Vec<Cell>> {
        let rounds = rounds as usize + 1;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut all =
            vec![format!("SET threads = {cores}"), format!("SET temp_directory = '{}'", scratch.display())];
        all.extend_from_slice(setup);
        let task =
            serde_json::json!({"file": file, "setup": all, "statements": statements, "rounds": rounds});
        let mut command = Command::new(&self.python);
        let text = process::checked(command.args(["-c", SCRIPT]).arg(task.to_string()))?;
        let results: Vec<(Option<f64>, serde_json::Value)> = serde_json::from_str(&text)?;
        Ok(results.chunks(rounds).map(|runs| cell(&runs[1..])).collect())
    }
}

fn cell(runs: &[(Option<f64>, serde_json::Value)]) -> Cell {
    let failed = runs.iter().find(|(ms, _)| ms.is_none()).and_then(|(_, error)| error.as_str());
    if let Some(error) = failed {
        let note = error.lines().next().unwrap_or_default().to_owned();
        return Cell { note, ..Cell::default() };
    }
    Cell {
        value: median(&mut runs.iter().filter_map(|(ms, _)| *ms).collect::<Vec<_>>()),
        cpu: median(&mut runs.iter().filter_map(|(_, cpu)| cpu.as_f64()).collect::<Vec<_>>()),
        ..Cell::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_script_prints_is_read() {
        let runs: Vec<(Option<f64>, serde_json::Value)> =
            serde_json::from_str("[[3.0, 6.0], [1.0, 2.0], [2.0, 3.0]]").expect("its form");
        assert_eq!((cell(&runs).value, cell(&runs).cpu), (Some(2.0), Some(3.0)));
        let runs: Vec<(Option<f64>, serde_json::Value)> =
            serde_json::from_str("[[3.0, 6.0], [null, \"Out of Memory\\nmore\"]]").expect("its form");
        assert_eq!(cell(&runs), Cell { note: "Out of Memory".into(), ..Cell::default() });
    }
}
