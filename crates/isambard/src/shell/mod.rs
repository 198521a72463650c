//! `isambard sql`: a shell on a data directory, in the manner of the mariadb client.

mod complete;
mod output;
mod progress;
mod split;
mod table;

use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use isambard::{Connection, Database};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{CompletionType, Config, Editor};
use sql::SqlError;
use tracing::Level;

use self::complete::Words;
use self::output::Output;
use self::progress::{Interrupts, Progress};
use self::split::{COMMANDS, Input, Splitter};
use self::table::{Style, TextResult, TextSink};
use crate::{DataDirectory, log};

/// How deep `source` may nest.
const MAX_SOURCE_DEPTH: usize = 32;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data: DataDirectory,

    /// Run these statements and leave.
    #[arg(long, short, value_name = "SQL")]
    execute: Option<String>,

    /// Print tab-separated, with \t, \n and \\ escaped.
    #[arg(long, short = 'B')]
    batch: bool,

    /// Print aligned tables even when reading from a pipe.
    #[arg(long, short = 't')]
    table: bool,

    /// Print one column per line.
    #[arg(long, short = 'E')]
    vertical: bool,

    /// Print no column headings.
    #[arg(long, short = 'N')]
    skip_column_names: bool,

    /// Escape nothing in tab-separated output.
    #[arg(long, short)]
    raw: bool,

    /// Go on after an error.
    #[arg(long, short)]
    force: bool,

    /// Read no names for completion at the start.
    #[arg(long, short = 'A')]
    no_auto_rehash: bool,

    /// The database to use.
    #[arg(value_name = "DB")]
    database: Option<String>,
}

/// The shell between two statements.
struct Shell<'o> {
    options: &'o Options,
    database: Database,
    connection: Connection,
    current: Option<String>,
    splitter: Splitter,
    style: Style,
    headings: bool,
    /// Timing lines and greetings.
    talkative: bool,
    /// Errors name the line.
    script: bool,
    warnings: bool,
    output: Output,
    interrupts: Arc<Interrupts>,
    words: Words,
    failed: bool,
    depth: usize,
}

/// Whether to go on.
#[derive(PartialEq, Eq)]
enum Next {
    Go,
    Quit,
}

pub fn run(options: &Options) -> Result<ExitCode, String> {
    log::start(Level::WARN);
    let interrupts = Interrupts::start().map_err(|e| format!("cannot take over signals: {e}"))?;
    let database = Database::from_engine(options.data.open()?);
    let connection = match &options.database {
        Some(name) => database.connect_to(name),
        None => database.connect(),
    };
    let connection = match connection {
        Ok(connection) => connection,
        Err(error) => {
            // The directory is left clean all the same.
            let _ = database.close();
            return Err(error.to_string());
        }
    };
    let interactive = options.execute.is_none() && io::stdin().is_terminal();
    let piped = options.execute.is_none() && !interactive;
    let style = if options.vertical {
        Style::Vertical
    } else if options.batch || (piped && !options.table) {
        Style::Tabs
    } else {
        Style::Aligned
    };
    let mut shell = Shell {
        options,
        current: options.database.clone(),
        database,
        connection,
        splitter: Splitter::default(),
        style,
        headings: !options.skip_column_names,
        talkative: interactive && !options.batch,
        script: piped,
        warnings: false,
        output: Output::default(),
        interrupts,
        words: Words::default(),
        failed: false,
        depth: 0,
    };
    let result = match &options.execute {
        Some(text) => shell.run_text(&mut text.as_bytes()).map(|_| ()),
        None if interactive => shell.interact(),
        None => shell.run_text(&mut BufReader::new(io::stdin())).map(|_| ()),
    };
    let failed = shell.failed;
    let Shell { database, connection, .. } = shell;
    drop(connection);
    database.close().map_err(|e| e.to_string())?;
    match result {
        // `isambard sql ... | head` is no error.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {}
        other => other.map_err(|e| e.to_string())?,
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

impl Shell<'_> {
    fn interact(&mut self) -> io::Result<()> {
        let version = sql::VERSION;
        say!("isambard {} on {}", env!("CARGO_PKG_VERSION"), self.database.engine().datadir().display());
        say!("Dialect: {version}. Statements end with ; or \\g.");
        say!("Type 'help;' or '\\h' for help. Type '\\c' to clear the current input statement.\n");
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(false).build();
        let mut editor: Editor<Words, DefaultHistory> =
            Editor::with_config(config).map_err(io::Error::other)?;
        if !self.options.no_auto_rehash {
            self.rehash();
        }
        editor.set_helper(Some(Words { names: self.words.names.clone() }));
        let history = history_file();
        if let Some(path) = &history {
            // The first time there is none.
            let _ = editor.load_history(path);
        }
        loop {
            let prompt = match self.splitter.prompt() {
                Some(prompt) => prompt.to_owned(),
                None => format!("isambard [{}]> ", self.current.as_deref().unwrap_or("(none)")),
            };
            match editor.readline(&prompt) {
                Ok(line) => {
                    if !line.trim().is_empty() {
                        // Failing to remember is no reason to stop.
                        let _ = editor.add_history_entry(line.as_str());
                    }
                    if self.line(&line)? == Next::Quit {
                        break;
                    }
                    if let Some(words) = editor.helper_mut()
                        && words.names != self.words.names
                    {
                        words.names.clone_from(&self.words.names);
                    }
                }
                Err(ReadlineError::Interrupted) => {
                    if !self.splitter.is_empty() {
                        say!("^C");
                    }
                    self.splitter.clear();
                }
                Err(ReadlineError::Eof) => break,
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        if let Some(path) = history {
            // As above.
            let _ = editor.save_history(&path);
        }
        say!("Bye");
        Ok(())
    }

    /// Runs a script to its end.
    fn run_text(&mut self, text: &mut dyn BufRead) -> io::Result<Next> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if text.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            let whole = String::from_utf8_lossy(&line);
            if self.line(whole.trim_end_matches(['\n', '\r']))? == Next::Quit {
                return Ok(Next::Quit);
            }
        }
        match self.splitter.end() {
            Some(input) => self.input(input),
            None => Ok(Next::Go),
        }
    }

    fn line(&mut self, line: &str) -> io::Result<Next> {
        for input in self.splitter.line(line) {
            if self.input(input)? == Next::Quit {
                return Ok(Next::Quit);
            }
        }
        Ok(Next::Go)
    }

    fn input(&mut self, input: Input) -> io::Result<Next> {
        match input {
            Input::Statement { sql, vertical, line } => {
                let result = self.statement(&sql, vertical)?;
                if let Err(error) = result {
                    self.report(&error, line);
                    if !self.talkative && !self.options.force {
                        return Ok(Next::Quit);
                    }
                }
                Ok(Next::Go)
            }
            Input::Command { letter, argument } => self.command(letter, &argument),
        }
    }

    fn report(&mut self, error: &SqlError, line: usize) {
        self.failed |= !self.talkative;
        let place = if self.script || self.depth > 0 { format!(" at line {line}") } else { String::new() };
        complain!("ERROR {} ({}){place}: {}", error.code, error.state_str(), error.message);
    }

    /// Runs one statement and prints what it gives.
    fn statement(&mut self, sql: &str, vertical: bool) -> io::Result<Result<(), SqlError>> {
        let mut sink = TextSink::default();
        let begun = Instant::now();
        let engine = Arc::clone(self.database.engine());
        let id = self.connection.id();
        let progress = Progress::start(&engine, id, &sink.count);
        self.interrupts.running(&engine, id);
        let result = self.connection.session().query(sql.as_bytes(), &mut sink);
        self.interrupts.idle();
        drop(progress);
        let took = begun.elapsed();
        let style = if vertical { Style::Vertical } else { self.style };
        let printed = self.print_all(&sink.results, style, took);
        self.output.flush()?;
        printed?;
        self.current = self.connection.session().database().map(str::to_owned);
        if self.warnings && result.is_ok() {
            self.show_warnings()?;
        }
        Ok(result)
    }

    fn print_all(&mut self, results: &[TextResult], style: Style, took: Duration) -> io::Result<()> {
        for result in results {
            table::print(&mut self.output, result, style, self.headings, self.options.raw)?;
            if self.talkative {
                writeln!(self.output, "{}", summary(result, took))?;
                if !result.done.info.is_empty() {
                    writeln!(self.output, "{}", result.done.info)?;
                }
                writeln!(self.output)?;
            }
        }
        Ok(())
    }

    fn show_warnings(&mut self) -> io::Result<()> {
        for w in self.connection.session().warnings().entries() {
            writeln!(self.output, "{} (Code {}): {}", w.level.name(), w.code, w.message)?;
        }
        self.output.flush()
    }

    fn command(&mut self, letter: char, argument: &str) -> io::Result<Next> {
        match letter {
            'q' => return Ok(Next::Quit),
            'h' | '?' => help(argument),
            'c' => self.splitter.clear(),
            'd' if argument.is_empty() || argument.contains('\\') => {
                complain!(
                    "ERROR: DELIMITER must be followed by a 'delimiter' character or string without backslash"
                );
            }
            'd' => {
                let word = argument.split_whitespace().next().unwrap_or(";");
                self.splitter.set_delimiter(word);
            }
            'e' => self.edit()?,
            'n' => self.output.set_pager(None),
            'P' => self.output.set_pager(Some(argument)),
            't' => self.output.set_tee(None)?,
            'T' => match self.output.set_tee(Some(Path::new(argument))) {
                Ok(()) => say!("Logging to file '{argument}'"),
                Err(e) => complain!("ERROR: cannot open '{argument}': {e}"),
            },
            'p' => say!("--------------\n{}--------------", self.splitter.text()),
            '#' => self.rehash(),
            '.' => return self.source(Path::new(argument)),
            's' => self.status()?,
            '!' => {
                if let Err(e) = Command::new("sh").arg("-c").arg(argument).status() {
                    complain!("ERROR: {e}");
                }
            }
            'u' => {
                let quoted = format!("USE `{}`", argument.replace('`', "``"));
                match self.connection.session().query(quoted.as_bytes(), &mut TextSink::default()) {
                    Ok(()) => {
                        self.current = Some(argument.to_owned());
                        if self.talkative {
                            say!("Database changed");
                            if !self.options.no_auto_rehash {
                                self.rehash();
                            }
                        }
                    }
                    Err(error) => {
                        self.report(&error, 1);
                        if !self.talkative && !self.options.force {
                            return Ok(Next::Quit);
                        }
                    }
                }
            }
            'r' => self.reconnect(argument),
            'W' => {
                self.warnings = true;
                say!("Show warnings enabled.");
            }
            'w' => {
                self.warnings = false;
                say!("Show warnings disabled.");
            }
            _ => complain!("ERROR: Unknown command '\\{letter}'."),
        }
        Ok(Next::Go)
    }

    fn reconnect(&mut self, argument: &str) {
        let name = argument.split_whitespace().next().map(str::to_owned).or_else(|| self.current.clone());
        let fresh = match &name {
            Some(name) => self.database.connect_to(name),
            None => self.database.connect(),
        };
        match fresh {
            Ok(connection) => {
                self.connection = connection;
                self.current = name;
                say!("Connection id:    {}", self.connection.id());
            }
            Err(error) => complain!("{error}"),
        }
    }

    fn source(&mut self, path: &Path) -> io::Result<Next> {
        if self.depth == MAX_SOURCE_DEPTH {
            complain!("ERROR: source nested too deep");
            return Ok(Next::Go);
        }
        let file = match std::fs::File::open(path) {
            Ok(file) => file,
            Err(e) => {
                complain!("ERROR: Failed to open file '{}', error: {e}", path.display());
                self.failed |= !self.talkative;
                return Ok(if self.talkative || self.options.force { Next::Go } else { Next::Quit });
            }
        };
        let mut inner = Splitter::default();
        inner.set_delimiter(self.splitter.delimiter());
        let outer = std::mem::replace(&mut self.splitter, inner);
        self.depth += 1;
        let result = self.run_text(&mut BufReader::new(file));
        self.depth -= 1;
        self.splitter = outer;
        // `quit` in a file ends the file only, as does an error in a script.
        if self.talkative { result.map(|_| Next::Go) } else { result }
    }

    /// Takes the statement through an editor.
    fn edit(&mut self) -> io::Result<()> {
        let path = std::env::temp_dir().join(format!("isambard-{}.sql", std::process::id()));
        std::fs::write(&path, self.splitter.text())?;
        let editor = std::env::var("EDITOR").unwrap_or_else(|_| "vi".into());
        let status = Command::new("sh").arg("-c").arg(format!("{editor} '{}'", path.display())).status()?;
        let text = std::fs::read_to_string(&path)?;
        std::fs::remove_file(&path)?;
        if status.success() {
            self.splitter.clear();
            for line in text.lines() {
                self.line(line)?;
            }
        }
        Ok(())
    }

    /// Reads the names of the current database for completion.
    fn rehash(&mut self) {
        let mut names = Vec::new();
        let mut list = |connection: &Connection, query: &str| -> Vec<String> {
            let Ok(rows) = connection.query(query, ()) else { return Vec::new() };
            let found: Vec<String> = rows.iter().filter_map(|row| row.get(0).ok()).collect();
            names.extend(found.iter().cloned());
            found
        };
        list(&self.connection, "SHOW DATABASES");
        if self.current.is_some() {
            for table in list(&self.connection, "SHOW TABLES") {
                let query = format!("SHOW COLUMNS FROM `{}`", table.replace('`', "``"));
                let columns = list(&self.connection, &query);
                self.words.names.extend(columns.iter().map(|c| format!("{table}.{c}")));
            }
        }
        names.append(&mut self.words.names);
        names.sort();
        names.dedup();
        self.words.names = names;
    }

    fn status(&mut self) -> io::Result<()> {
        let line = self.connection.session().statistics();
        let uptime = self.database.engine().uptime();
        let charset = |connection: &Connection, name: &str| {
            connection.query_value::<String>(&format!("SELECT @@{name}"), ()).unwrap_or_default()
        };
        let out = &mut self.output;
        writeln!(out, "--------------")?;
        writeln!(out, "isambard  Ver {} embedded\n", env!("CARGO_PKG_VERSION"))?;
        for (what, value) in [
            ("Connection id", self.connection.id().to_string()),
            ("Current database", self.current.clone().unwrap_or_default()),
            ("Using outfile", self.options.data.datadir.display().to_string()),
            ("Using delimiter", self.splitter.delimiter().to_owned()),
            ("Server version", sql::VERSION.to_owned()),
            ("Protocol version", "none: in process".to_owned()),
            ("Server characterset", charset(&self.connection, "character_set_server")),
            ("Db     characterset", charset(&self.connection, "character_set_database")),
            ("Client characterset", charset(&self.connection, "character_set_client")),
            ("Conn.  characterset", charset(&self.connection, "character_set_connection")),
            ("Uptime", duration(uptime)),
        ] {
            let what = if what == "Using outfile" { "Data directory" } else { what };
            writeln!(out, "{:<24}{value}", format!("{what}:"))?;
        }
        writeln!(out, "\n{line}")?;
        writeln!(out, "--------------\n")?;
        out.flush()
    }
}

fn help(argument: &str) {
    if !argument.is_empty() {
        say!("No help on '{argument}' here; the SQL is MariaDB 10.11's: https://mariadb.com/kb/en/");
        return;
    }
    say!("\nList of all client commands:");
    for (letter, name, text) in COMMANDS {
        say!("{name:<9} (\\{letter}) {text}");
    }
    say!();
}

/// `2 rows in set, 1 warning (0.001 sec)`.
fn summary(result: &TextResult, took: Duration) -> String {
    let done = &result.done;
    let mut text = match (done.had_rows, result.rows()) {
        (true, 0) => "Empty set".to_owned(),
        (true, 1) => "1 row in set".to_owned(),
        (true, n) => format!("{n} rows in set"),
        (false, _) => {
            format!("Query OK, {} row{} affected", done.affected, if done.affected == 1 { "" } else { "s" })
        }
    };
    match done.warnings {
        0 => {}
        1 => text.push_str(", 1 warning"),
        n => text.push_str(&format!(", {n} warnings")),
    }
    format!("{text} ({})", duration(took))
}

/// `1 hour 2 min 3.456 sec`.
fn duration(took: Duration) -> String {
    let mut text = String::new();
    let whole = took.as_secs();
    let (days, hours, minutes) = (whole / 86400, whole / 3600 % 24, whole / 60 % 60);
    for (n, one, many) in [(days, "day", "days"), (hours, "hour", "hours"), (minutes, "min", "min")] {
        if n > 0 || !text.is_empty() {
            text.push_str(&format!("{n} {} ", if n == 1 { one } else { many }));
        }
    }
    format!("{text}{:.3} sec", (whole % 60) as f64 + f64::from(took.subsec_nanos()) / 1e9)
}

fn history_file() -> Option<PathBuf> {
    std::env::var_os("ISAMBARD_HISTFILE")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".isambard_history")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sql::result::Done;

    #[test]
    fn durations_read_as_the_client_prints_them() {
        assert_eq!(duration(Duration::from_micros(1234)), "0.001 sec");
        assert_eq!(duration(Duration::from_secs(61)), "1 min 1.000 sec");
        assert_eq!(duration(Duration::from_secs(90_061)), "1 day 1 hour 1 min 1.000 sec");
    }

    #[test]
    fn summaries() {
        let done = Done { affected: 1, warnings: 2, ..Done::default() };
        let mut result = TextResult::default();
        result.done = done;
        assert_eq!(summary(&result, Duration::ZERO), "Query OK, 1 row affected, 2 warnings (0.000 sec)");
    }
}
