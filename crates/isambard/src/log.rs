//! Log lines in the form of MariaDB's error log: `2026-11-21 14:27:45 0 [Note] text`.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// Writes log lines to standard error from now on; `ISAMBARD_LOG` chooses the level (error, warn, info, debug, trace).
pub fn start(default: Level) {
    let level = std::env::var("ISAMBARD_LOG").ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    // A subscriber set before, by a test, stays.
    let _ = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        // A log that nobody reads is no reason to panic.
        .log_internal_errors(false)
        .event_format(ErrorLog)
        .try_init();
}

struct ErrorLog;

impl<S, N> FormatEvent<S, N> for ErrorLog
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut out: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let level = match *event.metadata().level() {
            Level::ERROR => "ERROR",
            Level::WARN => "Warning",
            Level::INFO => "Note",
            Level::DEBUG => "Debug",
            Level::TRACE => "Trace",
        };
        write_time(&mut out)?;
        write!(out, " 0 [{level}] ")?;
        let mut fields = Fields { out: &mut out, result: Ok(()) };
        event.record(&mut fields);
        fields.result?;
        writeln!(out)
    }
}

/// The message, then the other fields in brackets.
struct Fields<'a, 'w> {
    out: &'a mut Writer<'w>,
    result: fmt::Result,
}

impl Visit for Fields<'_, '_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if self.result.is_ok() {
            self.result = if field.name() == "message" {
                write!(self.out, "{value:?}")
            } else {
                write!(self.out, " ({}: {value:?})", field.name())
            };
        }
    }
}

/// Local time to the second, as `date` would print it.
fn write_time(out: &mut Writer<'_>) -> fmt::Result {
    #[allow(clippy::disallowed_methods, reason = "the date of a line in the log")]
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let now = jiff::Timestamp::from_second(i64::try_from(seconds).unwrap_or(0)).unwrap_or_default();
    let local = now.to_zoned(jiff::tz::TimeZone::system());
    write!(out, "{}", local.strftime("%Y-%m-%d %H:%M:%S"))
}
