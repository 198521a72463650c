//! The five field reports of the mission measured beside MariaDB, and the page that shows them.
//!
//! | module | subject |
//! |---|---|
//! | [`settings`] | sizes, seconds, rounds: a quick run and a full one |
//! | [`lab`] | the servers, started when first wanted; rounds in turns; progress with the time left |
//! | [`clients`] | connections that run statements at once, and what that costs the server |
//! | [`mapped`] | report 1: data files read through memory mapping |
//! | [`loading`] | report 2: rows loaded in parallel |
//! | [`temporary`] | report 3: internal temporary tables; DuckDB beside |
//! | [`engines`] | report 4: read-only loads and full text on several engines |
//! | [`locking`] | report 5: what table locks and index flushes cost |
//! | [`duckdb`] | DuckDB, where a Python has it |
//! | [`store`] | results as data; a part measured again replaces that part |
//! | [`plot`] | SVG |
//! | [`page`], [`markdown`] | what is read |

pub mod clients;
pub mod duckdb;
mod engines;
pub mod lab;
mod loading;
mod locking;
mod mapped;
pub mod markdown;
pub mod page;
pub mod plot;
pub mod settings;
pub mod store;
mod temporary;

use std::io;
use std::path::Path;
use std::time::Instant;

use lab::Lab;
use settings::Settings;
use store::{Report, Results, Run, Table};

/// A report that can be measured.
struct Part {
    number: u32,
    title: &'static str,
    story: &'static str,
    /// Milliseconds it will take about.
    plan: fn(&Settings) -> u64,
    measure: fn(&mut Lab<'_>) -> io::Result<Vec<Table>>,
}

const PARTS: [Part; 5] = [
    Part {
        number: 1,
        title: "Data files read through memory mapping",
        story: "MyISAM caches index blocks only and reads each row by pread; with myisam_use_mmap it copies from a mapping. \
                The report of 2006 measured what the mapping gains.",
        plan: mapped::plan,
        measure: mapped::measure,
    },
    Part {
        number: 2,
        title: "Loading at 100,000 to 200,000 rows/s",
        story: "Several connections fill several tables with a few indexes. The key cache's mutex cost hundreds of thousands of \
                context switches a second; a key cache per table nearly doubled the rate, PACK_KEYS=0 again (2008).",
        plan: loading::plan,
        measure: loading::measure,
    },
    Part {
        number: 3,
        title: "Internal temporary tables, in memory and on disk",
        story: "SELECT count(*) cnt, c FROM gt GROUP BY c ORDER BY NULL LIMIT 10 over nearly distinct strings. In memory it took \
                3.9 s; on disk 9 minutes, and not even in linear time (2007).",
        plan: temporary::plan,
        measure: temporary::measure,
    },
    Part {
        number: 4,
        title: "MyISAM against InnoDB: reading, and full text",
        story: "On one table MyISAM was 3 to 6 times slower than InnoDB, by the lock of the index root and that of the key cache; its \
                full-text counts read every row (32 cores, 2012).",
        plan: engines::plan,
        measure: engines::measure,
    },
    Part {
        number: 5,
        title: "The cost of table locking and index flushing",
        story: "A table t(int, varchar) with an index on the int. The lock is taken and the index flushed once per statement: under \
                LOCK TABLES, and with many rows in an INSERT, that cost is shared (2008).",
        plan: locking::plan,
        measure: locking::measure,
    },
];

/// Measures the parts that are wanted; after each, writes results and page into the folder.
///
/// # Errors
/// Those of servers and files. What one system cannot do is noted in its cell and is no error.
pub fn run(settings: &Settings, scratch: &Path) -> io::Result<()> {
    let data = settings.directory.join("results.json");
    let mut results = Results::load(&data)?;
    std::fs::create_dir_all(&settings.directory)?;
    let wanted: Vec<&Part> = PARTS.iter().filter(|part| settings.wants(part.number)).collect();
    let plans: Vec<u64> = wanted.iter().map(|part| (part.plan)(settings)).collect();
    let mut lab = Lab::new(settings, scratch, plans.iter().sum())?;
    let mut planned = 0;
    // Later it is our own.
    let load = lab::load_average();
    for (part, plan) in wanted.into_iter().zip(plans) {
        let begun = Instant::now();
        lab.progress.part(part.number);
        let tables = (part.measure)(&mut lab)?;
        let run = Run {
            date: jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M").to_string(),
            machine: lab::machine(),
            versions: lab.versions(),
            load: format!("{load} when the run began"),
            settings: settings.summary(),
            seconds: begun.elapsed().as_secs_f64(),
        };
        let report = Report { title: part.title.into(), story: part.story.into(), run, tables };
        results.update(part.number, report);
        results.save(&data)?;
        write_page(&results, &settings.directory)?;
        planned += plan;
        lab.progress.reached(planned);
    }
    lab.progress.finish();
    Ok(())
}

/// Writes the page and the Markdown of what was measured before.
///
/// # Errors
/// Those of the files.
pub fn render(directory: &Path) -> io::Result<()> {
    write_page(&Results::load(&directory.join("results.json"))?, directory)
}

fn write_page(results: &Results, directory: &Path) -> io::Result<()> {
    store::replace(&directory.join("index.html"), &page::page(results))?;
    store::replace(&directory.join("README.md"), &markdown::markdown(results))
}
