//! How much is measured: what the options say, else what a full or a quick run takes.

use std::path::PathBuf;

use clap::Args;

/// Sizes, seconds and rounds.
#[derive(Debug, Clone, Default, Args)]
pub struct Settings {
    /// A short run: small tables, one round, a second for each point; about 15 minutes on two cores.
    #[arg(long)]
    pub quick: bool,
    /// Reports to be measured, such as report3 or 3 [default: all]; what is known of the others stays.
    #[arg(long, value_delimiter = ',')]
    pub only: Vec<String>,
    /// Seconds for each point [default: 5, quick 1].
    #[arg(long)]
    pub time: Option<u32>,
    /// Rounds; the systems take turns in each, medians are shown [default: 3, quick 1].
    #[arg(long)]
    pub rounds: Option<u32>,
    /// Client threads.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 4, 16, 64, 256])]
    pub threads: Vec<u32>,
    /// sysbench's tables.
    #[arg(long, default_value_t = 8)]
    pub tables: u32,
    /// Rows in each of sysbench's tables [default: 100000, quick 50000].
    #[arg(long)]
    pub rows: Option<u32>,
    /// Sizes of a table whose cost is followed as it grows [default: 10000,100000,1000000, quick 10000,50000,250000].
    #[arg(long, value_delimiter = ',')]
    pub growth: Vec<u32>,
    /// Rows that are grouped in report 3 [default: 1000000,4000000, quick 250000,1000000].
    #[arg(long, value_delimiter = ',')]
    pub group_rows: Vec<u32>,
    /// Documents of report 4, at most [default: all, quick 50000].
    #[arg(long)]
    pub documents: Option<usize>,
    /// Seconds that a statement of report 3 may take [default: 1800, quick 30].
    #[arg(long)]
    pub limit: Option<u32>,
    /// A Python with the module duckdb [default: python3, where it has that module].
    #[arg(long)]
    pub duckdb: Option<PathBuf>,
    /// Lines of id, word and text made by tests/corpus/dictionaries.py before [default: they are made].
    #[arg(long)]
    pub corpus: Option<PathBuf>,
    /// Folder of page and results.
    #[arg(long, default_value = "bench/report")]
    pub directory: PathBuf,
    /// Measure nothing: write the page of the results that are there.
    #[arg(long)]
    pub render: bool,
    /// Folder with the binary `isambard` and `ceiling`.
    #[arg(skip)]
    pub common: crate::options::Common,
}

impl Settings {
    fn of<T>(&self, given: Option<T>, full: T, quick: T) -> T {
        given.unwrap_or(if self.quick { quick } else { full })
    }

    fn list(&self, given: &[u32], full: &[u32], quick: &[u32]) -> Vec<u32> {
        let chosen = if self.quick { quick } else { full };
        if given.is_empty() { chosen.to_vec() } else { given.to_vec() }
    }

    /// Whether a report is to be measured.
    #[must_use]
    pub fn wants(&self, number: u32) -> bool {
        let named = |name: &String| name.trim_start_matches("report").parse() == Ok(number);
        self.only.is_empty() || self.only.iter().any(named)
    }

    /// What `only` names and no report is.
    #[must_use]
    pub fn unknown(&self) -> Option<&str> {
        let known = |name: &str| (1..=5).any(|n| name.trim_start_matches("report").parse() == Ok(n));
        self.only.iter().map(String::as_str).find(|name| !known(name))
    }

    /// Seconds for each point.
    #[must_use]
    pub fn time(&self) -> u32 {
        self.of(self.time, 5, 1).max(1)
    }

    /// Rounds.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.of(self.rounds, 3, 1).max(1)
    }

    /// Rows in each of sysbench's tables; ranges of 20,000 must fit in.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.of(self.rows, 100_000, 50_000).max(20_001)
    }

    /// Sizes of a table that grows.
    #[must_use]
    pub fn growth(&self) -> Vec<u32> {
        self.list(&self.growth, &[10_000, 100_000, 1_000_000], &[10_000, 50_000, 250_000])
    }

    /// Rows that are grouped.
    #[must_use]
    pub fn group_rows(&self) -> Vec<u32> {
        self.list(&self.group_rows, &[1_000_000, 4_000_000], &[250_000, 1_000_000])
    }

    /// Documents.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.of(self.documents, 1_000_000, 50_000)
    }

    /// Seconds that a statement may take.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.of(self.limit, 1800, 30)
    }

    /// Milliseconds that a point of one system takes, all rounds.
    #[must_use]
    pub fn point(&self) -> u64 {
        u64::from(self.rounds()) * (u64::from(self.time()) * 1000 + 300)
    }

    /// In a line.
    #[must_use]
    pub fn summary(&self) -> String {
        let kind = if self.quick { "quick run" } else { "full run" };
        let (rounds, time) = (self.rounds(), self.time());
        let rounds = if rounds == 1 { "1 round".to_owned() } else { format!("medians of {rounds} rounds") };
        format!(
            "{kind}: {rounds} of {time} s a point, the systems in turns; {} rows in each sysbench table",
            self.rows()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_go_before_the_size_of_the_run() {
        let full = Settings::default();
        assert_eq!((full.time(), full.rounds(), full.rows()), (5, 3, 100_000));
        let quick = Settings { quick: true, rows: Some(70_000), group_rows: vec![5], ..full };
        assert_eq!((quick.time(), quick.rounds(), quick.rows()), (1, 1, 70_000));
        assert_eq!(quick.group_rows(), [5]);
        assert_eq!(quick.growth(), [10_000, 50_000, 250_000]);
    }

    #[test]
    fn parts_are_named_with_and_without_the_word() {
        let mut settings = Settings::default();
        assert!(settings.wants(4));
        settings.only = vec!["report3".into(), "5".into()];
        assert_eq!((1..=5).filter(|n| settings.wants(*n)).collect::<Vec<_>>(), [3, 5]);
        assert_eq!(settings.unknown(), None);
        settings.only.push("report6".into());
        assert_eq!(settings.unknown(), Some("report6"));
    }
}
