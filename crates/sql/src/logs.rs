//! The files of the general log and of the log of slow statements. The form of their entries is the one that MariaDB
//! 10.11 writes, which `mysqldumpslow` and `pt-query-digest` read.

use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use crate::file_access::FileAccess;
use crate::variables::{GlobalVariables, definitions};

/// The variables that decide which log is written where.
pub(crate) const VARIABLES: &[&str] = &[
    "general_log",
    "general_log_file",
    "log_output",
    "log_slow_query",
    "log_slow_query_file",
    "slow_query_log",
    "slow_query_log_file",
];

/// What follows the host's name in the usual name of the file that a variable names; none for other variables.
pub(crate) fn file_ending(variable: &str) -> Option<&'static str> {
    match variable {
        "general_log_file" => Some(".log"),
        "log_slow_query_file" | "slow_query_log_file" => Some("-slow.log"),
        _ => None,
    }
}

/// The general log and the log of slow statements.
#[derive(Default)]
pub(crate) struct Logs {
    general: Log,
    slow: Log,
    /// `log_output` has TABLE: entries are rows of `mysql.general_log` and `mysql.slow_log`.
    to_table: AtomicBool,
}

#[derive(Default)]
struct Log {
    on: AtomicBool,
    out: Mutex<Out>,
}

/// The file of a log.
#[derive(Default)]
struct Out {
    file: Option<File>,
    /// Its name, as the variable has it.
    name: String,
    /// The second of the last entry that told its time.
    second: i64,
    /// The database of the last entry of the log of slow statements.
    db: String,
    /// The head, until the first entry: by then it is known where the server listens.
    head: bool,
    /// Where entries are put together.
    buffer: Vec<u8>,
}

/// A statement for the log of slow ones.
#[derive(Debug, Default)]
pub(crate) struct SlowEntry<'a> {
    /// Microseconds since 1970.
    pub now: u64,
    /// `user[user] @ host [address]`.
    pub user_host: String,
    pub thread: u64,
    pub db: &'a str,
    /// In microseconds, as are the others.
    pub query_time: u64,
    pub lock_time: u64,
    pub rows_sent: u64,
    pub rows_examined: u64,
    pub rows_affected: u64,
    pub bytes_sent: u64,
    /// What `log_slow_verbosity` asks for beside that: whole lines.
    pub more: String,
    /// What the statement's clock shows, in seconds since 1970.
    pub timestamp: i64,
    pub text: &'a [u8],
}

impl Logs {
    /// Whether commands are noted at all.
    #[inline]
    pub(crate) fn is_general(&self) -> bool {
        self.general.on.load(Ordering::Relaxed)
    }

    /// Whether slow statements are noted.
    #[inline]
    pub(crate) fn is_slow(&self) -> bool {
        self.slow.on.load(Ordering::Relaxed)
    }

    /// Whether entries are rows of tables (too).
    pub(crate) fn to_table(&self) -> bool {
        self.to_table.load(Ordering::Relaxed)
    }

    /// Takes the variables as they are: opens and closes files. `anew` opens those that are open again, as after they
    /// were renamed.
    pub(crate) fn apply(&self, v: &GlobalVariables, files: &FileAccess, anew: bool) {
        let output = v.named("log_output");
        let def = definitions().get(definitions().named("log_output"));
        let has = |word| def.has_flag(&output, word);
        let none = has("NONE");
        self.to_table.store(has("TABLE") && !none, Ordering::Relaxed);
        for (log, switch, file) in [
            (&self.general, "general_log", "general_log_file"),
            (&self.slow, "slow_query_log", "slow_query_log_file"),
        ] {
            let on = v.named(switch).as_bool() && !none;
            let name = v.named(file);
            let mut out = log.out.lock();
            if !on || !has("FILE") {
                out.file = None;
            } else if out.file.is_none() || out.name != name.as_text() || anew {
                out.open(name.as_text(), files);
            }
            log.on.store(on, Ordering::Relaxed);
        }
    }

    /// Notes a command: when (microseconds since 1970), of which connection, its name and its text.
    pub(crate) fn write_general(
        &self,
        v: &GlobalVariables,
        now: u64,
        thread: u64,
        command: &str,
        text: &[u8],
    ) {
        let mut out = self.general.out.lock();
        if out.file.is_none() {
            return;
        }
        out.begin(v);
        let head = match out.new_second(now) {
            Some(time) => format!("{time}\t{thread:6} {command}\t"),
            None => format!("\t\t{thread:6} {command}\t"),
        };
        out.buffer.extend_from_slice(head.as_bytes());
        out.buffer.extend_from_slice(text);
        out.buffer.push(b'\n');
        out.write();
    }

    /// Notes a slow statement.
    pub(crate) fn write_slow(&self, v: &GlobalVariables, e: &SlowEntry<'_>) {
        let mut out = self.slow.out.lock();
        if out.file.is_none() {
            return;
        }
        out.begin(v);
        if let Some(time) = out.new_second(e.now) {
            out.buffer.extend_from_slice(format!("# Time: {time}\n").as_bytes());
        }
        let seconds = |micros: u64| format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
        let head = format!(
            "# User@Host: {}\n# Thread_id: {}  Schema: {}  QC_hit: No\n\
             # Query_time: {}  Lock_time: {}  Rows_sent: {}  Rows_examined: {}\n\
             # Rows_affected: {}  Bytes_sent: {}\n{}",
            e.user_host,
            e.thread,
            e.db,
            seconds(e.query_time),
            seconds(e.lock_time),
            e.rows_sent,
            e.rows_examined,
            e.rows_affected,
            e.bytes_sent,
            e.more
        );
        out.buffer.extend_from_slice(head.as_bytes());
        if !e.db.is_empty() && out.db != e.db {
            out.buffer.extend_from_slice(format!("use `{}`;\n", e.db.replace('`', "``")).as_bytes());
            e.db.clone_into(&mut out.db);
        }
        out.buffer.extend_from_slice(format!("SET timestamp={};\n", e.timestamp).as_bytes());
        out.buffer.extend_from_slice(e.text);
        out.buffer.extend_from_slice(b";\n");
        out.write();
    }
}

impl Out {
    /// Opens a file to be appended to. One that cannot be opened is told of in the server's log, and
    /// the log stays without a file.
    fn open(&mut self, name: &str, files: &FileAccess) {
        *self = Out { name: name.to_owned(), head: true, ..Out::default() };
        match files.open_log(name) {
            Ok(file) => self.file = Some(file),
            Err(e) => tracing::error!("the log {name} cannot be written: {e}"),
        }
    }

    /// The head, before the first entry.
    fn begin(&mut self, v: &GlobalVariables) {
        if !std::mem::take(&mut self.head) {
            return;
        }
        let head = format!(
            "isambard, Version: {} ({}). started with:\nTcp port: {}  Unix socket: {}\nTime\t\t    Id Command\tArgument\n",
            v.named("version").as_text(),
            v.named("version_comment").as_text(),
            v.named("port").as_u64(),
            v.named("socket").as_text(),
        );
        self.buffer.extend_from_slice(head.as_bytes());
    }

    /// The time in the machine's zone, when it is another second than that of the entry before.
    fn new_second(&mut self, now: u64) -> Option<String> {
        let second = i64::try_from(now / 1_000_000).ok()?;
        if self.second == second {
            return None;
        }
        self.second = second;
        let at = jiff::Timestamp::from_second(second).ok()?.to_zoned(jiff::tz::TimeZone::system());
        Some(format!(
            "{:02}{:02}{:02} {:2}:{:02}:{:02}",
            at.year() % 100,
            at.month(),
            at.day(),
            at.hour(),
            at.minute(),
            at.second()
        ))
    }

    /// Appends what was put together, in one call. A log that cannot be written (a full disk) is closed, and FLUSH LOGS
    /// tries again: statements do not fail for it.
    fn write(&mut self) {
        let written = self.file.as_mut().map_or(Ok(()), |file| file.write_all(&self.buffer));
        self.buffer.clear();
        self.buffer.shrink_to(64 * 1024);
        if let Err(e) = written {
            tracing::error!("the log {} cannot be written: {e}", self.name);
            self.file = None;
        }
    }
}
