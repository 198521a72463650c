//! `isambard pack` and `isambard unpack`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use isam::SortSettings;
use isam::maintain::compress::files::{ClosedTable, PackOptions, Report, Step, ToolError, finish_earlier};

use crate::files::bar;

#[derive(Args)]
pub struct PackArguments {
    #[command(flatten)]
    common: Common,

    /// Tables that are too small, too.
    #[arg(long, short)]
    force: bool,

    /// Say what would come of it, and leave the tables as they are.
    #[arg(long, short)]
    test: bool,

    /// Keep the rows as they were, as NAME.OLD.
    #[arg(long, short)]
    backup: bool,

    /// Leave the index without keys, as myisampack does; `myisamchk -rq` builds them.
    #[arg(long)]
    without_keys: bool,
}

#[derive(Args)]
pub struct UnpackArguments {
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Common {
    /// Print nothing but what went wrong.
    #[arg(long, short)]
    silent: bool,

    /// Print more about each table.
    #[arg(long, short)]
    verbose: bool,

    /// Bytes of memory for building keys.
    #[arg(long, value_name = "BYTES", default_value_t = 128 << 20)]
    sort_buffer_size: usize,

    /// Paths of tables, with or without an extension (NAME.MYI).
    #[arg(required = true)]
    tables: Vec<PathBuf>,
}

/// Compresses the tables one after another; those that cannot be are told, and the others are done.
///
/// # Errors
/// None: each table has its own line.
#[allow(clippy::unnecessary_wraps)] // as all commands
pub fn pack(arguments: &PackArguments) -> Result<ExitCode, String> {
    let options = PackOptions {
        force: arguments.force,
        test: arguments.test,
        backup: arguments.backup,
        without_keys: arguments.without_keys,
    };
    Ok(each(&arguments.common, |table, sort, progress| table.pack(options, sort, progress)))
}

/// Makes the tables plain again.
///
/// # Errors
/// As [`pack`].
#[allow(clippy::unnecessary_wraps)]
pub fn unpack(arguments: &UnpackArguments) -> Result<ExitCode, String> {
    Ok(each(&arguments.common, |table, sort, progress| table.unpack(sort, progress)))
}

type Work<'w> =
    &'w dyn Fn(&ClosedTable, &SortSettings, &mut dyn FnMut(Step) -> bool) -> Result<Report, ToolError>;

fn each(
    common: &Common,
    work: impl Fn(&ClosedTable, &SortSettings, &mut dyn FnMut(Step) -> bool) -> Result<Report, ToolError>,
) -> ExitCode {
    let mut fine = true;
    for table in &common.tables {
        match one(common, table, &work) {
            Ok(report) if !common.silent => tell(common, table, &report),
            Ok(_) => {}
            Err(e @ ToolError::Refused(_)) => {
                complain!("isambard: {} {e}", table.display());
                fine = false;
            }
            Err(e) => {
                complain!("isambard: {}: {e}", table.display());
                fine = false;
            }
        }
    }
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn one(common: &Common, table: &Path, work: Work<'_>) -> Result<Report, ToolError> {
    if finish_earlier(table)? {
        return Ok(Report { finished: true, ..Report::default() });
    }
    let bar = bar(None, common.silent);
    let sort = SortSettings { buffer: common.sort_buffer_size, ..SortSettings::default() };
    let result = ClosedTable::open(table).and_then(|open| {
        work(&open, &sort, &mut |step| {
            bar.set_message(match step {
                Step::Survey(n) => format!("{}: looked at {n} rows", table.display()),
                Step::Rows(n) => format!("{}: wrote {n} rows", table.display()),
                Step::Keys => format!("{}: building keys", table.display()),
            });
            true
        })
    });
    bar.finish_and_clear();
    result
}

fn tell(common: &Common, table: &Path, report: &Report) {
    let name = table.display();
    if report.finished {
        say!("{name}: finished what an earlier run had begun");
        return;
    }
    let (before, after) = report.bytes;
    let change = match before {
        0 => String::new(),
        _ => format!(" ({:+.1}%)", (after as f64 - before as f64) / before as f64 * 100.0),
    };
    say!("{name}: {} rows, {before} -> {after} bytes{change}", report.rows);
    if common.verbose && report.trees.0 > 0 {
        let ((least, most), (columns, trees)) = (report.row_lengths, report.trees);
        say!("{name}: rows of {least} to {most} bytes, {columns} columns with {trees} trees");
    }
    if report.keys_off {
        say!("{name}: its keys are not built; myisamchk -rq does that");
    }
}
