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
    let script = format!("CREATE DATABASE IF NOT EXISTS test; USE test; {sql}");
    let path = socket.with_extension("sql");
    std::fs::write(&path, script)?;
    let output = Command::new("sh")
        .arg("-c")
        // Line by line, so that errors stand behind what they answer.
        .arg("exec stdbuf -oL mariadb --no-defaults --user=root --socket=\"$0\" --table --force -vv --show-warnings --default-character-set=utf8mb4 <\"$1\" 2>&1")
        .arg(socket)
        .arg(&path)
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The preamble is not part of the question.
    let begin = text.match_indices("--------------\n").nth(2).map_or(0, |(at, _)| at);
    Ok(text[begin..].to_owned())
}

/// Lines beside each other: the same ones together, the others marked.
fn side_by_side(left: &str, right: &str, width: Option<usize>) {
    let (left, right): (Vec<&str>, Vec<&str>) = (left.lines().collect(), right.lines().collect());
    let width = width.unwrap_or_else(|| left.iter().map(|l| l.chars().count()).max().unwrap_or(0).max(8));
    println!("  {:width$} | MariaDB", "Isambard");
    println!("  {:-<width$}-+-{:-<width$}", "", "");
    for (a, b) in align(&left, &right) {
        let mark = if a == b { ' ' } else { '!' };
        let cut: String = a.unwrap_or("").chars().take(width).collect();
        println!("{mark} {cut:width$} | {}", b.unwrap_or(""));
    }
}

/// Pairs of lines by their longest common sequence; lines of one side only that stand at the same place share a pair.
fn align<'a>(left: &[&'a str], right: &[&'a str]) -> Vec<(Option<&'a str>, Option<&'a str>)> {
    // common[i][j]: how many lines left[i..] and right[j..] share.
    let columns = right.len() + 1;
    let mut common = vec![0u32; (left.len() + 1) * columns];
    for i in (0..left.len()).rev() {
        for j in (0..right.len()).rev() {
            common[i * columns + j] = if left[i] == right[j] {
                common[(i + 1) * columns + j + 1] + 1
            } else {
                common[(i + 1) * columns + j].max(common[i * columns + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < left.len() || j < right.len() {
        let (from, to) = (i, j);
        while (i < left.len() || j < right.len())
            && !(i < left.len() && j < right.len() && left[i] == right[j])
        {
            let down = i < left.len()
                && (j == right.len() || common[(i + 1) * columns + j] >= common[i * columns + j + 1]);
            *(if down { &mut i } else { &mut j }) += 1;
        }
        for n in 0..(i - from).max(j - to) {
            let of = |lines: &[&'a str], at: usize, end: usize| (at + n < end).then(|| lines[at + n]);
            pairs.push((of(left, from, i), of(right, to, j)));
        }
        if i < left.len() && j < right.len() {
            pairs.push((Some(left[i]), Some(right[j])));
            (i, j) = (i + 1, j + 1);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_lines_stand_together() {
        let pairs = align(&["a", "b", "c", "d"], &["a", "x", "y", "c", "d", "e"]);
        let expected = [
            (Some("a"), Some("a")),
            (Some("b"), Some("x")),
            (None, Some("y")),
            (Some("c"), Some("c")),
            (Some("d"), Some("d")),
            (None, Some("e")),
        ];
        assert_eq!(pairs, expected);
        assert_eq!(align(&[], &["a"]), [(None, Some("a"))]);
    }
}
