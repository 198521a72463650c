//! How keys are sorted: memory, files, threads.

use std::path::PathBuf;

use crate::statistics::StatsMethod;

/// Where and how much is sorted.
#[derive(Clone, Debug)]
pub struct SortSettings {
    /// Bytes of memory (`myisam_sort_buffer_size`).
    pub buffer: usize,
    /// Folder for runs that do not fit.
    pub tmpdir: PathBuf,
    /// How NULLs count in the statistics.
    pub stats_method: StatsMethod,
    /// Threads that sort; 0: as many as there are cores.
    pub threads: usize,
}

impl SortSettings {
    /// A share of memory for each of so many tables; where there are many, no threads for any.
    #[must_use]
    pub fn share(&self, tables: usize) -> SortSettings {
        let threads = if tables > FEW_TABLES { 1 } else { self.threads };
        SortSettings { buffer: self.buffer / tables.max(1), threads, ..self.clone() }
    }

    /// How many threads sort.
    pub(crate) fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        }
        .min(MOST_THREADS)
    }
}

/// Tables written by one statement that have threads of their own.
const FEW_TABLES: usize = 4;

/// More threads than this wait for the one who has the rows.
const MOST_THREADS: usize = 16;

impl Default for SortSettings {
    fn default() -> SortSettings {
        SortSettings {
            buffer: 128 << 20,
            tmpdir: std::env::temp_dir(),
            stats_method: StatsMethod::default(),
            threads: 0,
        }
    }
}
