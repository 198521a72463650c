//! The answers of Isambard and MariaDB to the same script, side by side.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use bench::process::{ServerProcess, install_mariadb, isambard_command, mariadb_command};
use clap::Parser;

/// Runs a script on both servers, each with an empty database `test`, and prints what they answer.
#[derive(Parser)]
struct Options {
    /// Statements; a file name after @ reads them from there.
    sql: String,
    /// Print both answers even when they are the same.
    #[arg(long, short)]
    verbose: bool,
    /// Width of a column of the output [default: as wide as needed].
    #[arg(long)]
    width: Option<usize>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("diff: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> io::Result<bool> {
    let sql = match options.sql.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path)?,
        None => options.sql.clone(),
    };
    let scratch = std::env::temp_dir().join(format!("isambard-diff-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let result = answers(&sql, &scratch);
    std::fs::remove_dir_all(&scratch)?;
    let (ours, theirs) = result?;
    if ours == theirs && !options.verbose {
        print!("{ours}");
        println!("-- the same on both");
    } else {
        side_by_side(&ours, &theirs, options.width);
    }
    Ok(ours == theirs)
}

fn answers(sql: &str, scratch: &Path) -> io::Result<(String, String)> {
    let own = std::env::current_exe()?;
    let binary = own.parent().map_or_else(|| PathBuf::from("isambard"), |folder| folder.join("isambard"));
    let (socket, datadir) = (scratch.join("isambard.sock"), scratch.join("isambard"));
    let command = &mut isambard_command(&binary, &datadir, &socket);
    let _ours = ServerProcess::start(command, &socket, &scratch.join("isambard.log"))?;
    let ours = answer(&socket, sql)?;
    // Installing takes seconds; a directory kept between runs would not be scratch.
    let (socket, datadir) = (scratch.join("mariadb.sock"), scratch.join("mariadb"));
    install_mariadb(&datadir)?;
    let command = &mut mariadb_command(&datadir, &socket);
    command.arg("--default-storage-engine=MyISAM");
    let _theirs = ServerProcess::start(command, &socket, &scratch.join("mariadb.log"))?;
    let theirs = answer(&socket, sql)?;
    Ok((ours, theirs))
}

/// What the mariadb client prints: tables, counts, warnings and errors, without times.
fn answer(socket: &Path, sql: &str) -> io::Result<String> {
    let script = format!("CREATE DATABASE IF NOT EXISTS test; USE test;\n{sql}");
    let path = socket.with_extension("sql");
    std::fs::write(&path, script)?;
    let output = Command::new("sh")
        .arg("-c")
        .arg("exec mariadb --no-defaults --user=root --socket=\"$0\" --table --force -vv --show-warnings --default-character-set=utf8mb4 <\"$1\" 2>&1")
        .arg(socket)
        .arg(&path)
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The preamble is not part of the question.
    let begin = text.match_indices("--------------\n").nth(3).map_or(0, |(at, rule)| at + rule.len());
    Ok(text[begin..].trim_start().to_owned())
}

fn side_by_side(left: &str, right: &str, width: Option<usize>) {
    let (left, right): (Vec<&str>, Vec<&str>) = (left.lines().collect(), right.lines().collect());
    let width = width.unwrap_or_else(|| left.iter().map(|l| l.chars().count()).max().unwrap_or(0).max(8));
    println!("  {:width$} | MariaDB", "Isambard");
    println!("  {:-<width$}-+-{:-<width$}", "", "");
    for row in 0..left.len().max(right.len()) {
        let (a, b) = (left.get(row).copied().unwrap_or(""), right.get(row).copied().unwrap_or(""));
        let mark = if a == b { ' ' } else { '!' };
        let cut: String = a.chars().take(width).collect();
        println!("{mark} {cut:width$} | {b}");
    }
}
