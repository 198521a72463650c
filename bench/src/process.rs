//! Servers started for a measurement: each in a directory of its own, stopped when dropped.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, Signal, killpg};
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;

/// How long a server may take to answer.
const START_PATIENCE: Duration = Duration::from_secs(60);

/// How long files of ended processes may come back while their folder is removed.
const REMOVE_PATIENCE: Duration = Duration::from_secs(10);

/// The groups of the processes that run for us, each named by its leader. Who holds this is not interrupted.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn groups() -> MutexGuard<'static, BTreeSet<u32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does what an interrupt shall not cut in two, such as replacing a file.
pub fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let _held = groups();
    work()
}

/// From here on SIGINT, SIGTERM and SIGHUP end every process started here and remove `scratch`. To be called before there are
/// threads: they inherit the blocked signals.
///
/// # Errors
/// When signals cannot be blocked.
pub fn end_on_signals(scratch: &Path) -> io::Result<()> {
    let signals = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]);
    signals.thread_block()?;
    let scratch = scratch.to_path_buf();
    thread::Builder::new().name("interrupts".into()).spawn(move || {
        let Ok(signal) = signals.wait() else { return };
        // Held to the end: nothing more is started.
        let running = groups();
        for &group in running.iter() {
            // It may have ended just now.
            let _ = killpg(Pid::from_raw(group.cast_signed()), Signal::SIGKILL);
        }
        let begun = Instant::now();
        // What dies may still make a file.
        loop {
            let _ = std::fs::remove_dir_all(&scratch);
            if !scratch.exists() {
                break;
            }
            if begun.elapsed() > REMOVE_PATIENCE {
                eprintln!("{} could not be removed", scratch.display());
                break;
            }
            sleep(Duration::from_millis(20));
        }
        eprintln!("interrupted ({signal})");
        std::process::exit(128 + signal as i32);
    })?;
    Ok(())
}

/// Starts a process in a group of its own, which an interrupt ends.
fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut running = groups();
    let program = command.get_program().display().to_string();
    let child =
        command.process_group(0).spawn().map_err(|e| io::Error::new(e.kind(), format!("{program}: {e}")))?;
    running.insert(child.id());
    Ok(child)
}

/// Runs a command to its end and returns what it printed.
///
/// # Errors
/// When it cannot be started.
pub fn output(command: &mut Command) -> io::Result<Output> {
    let child = spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let id = child.id();
    let output = child.wait_with_output();
    groups().remove(&id);
    output
}

/// As [`output`], where not ending well is an error that has what was printed.
///
/// # Errors
/// When it cannot be started or fails.
pub fn checked(command: &mut Command) -> io::Result<String> {
    let output = output(command)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("{}: {}: {said}", command.get_program().display(), output.status)))
}

/// A running server.
#[derive(Debug)]
pub struct ServerProcess {
    child: Child,
    /// Its unix socket.
    pub socket: PathBuf,
    /// From start to the first accepted connection.
    pub start_time: Duration,
}

impl ServerProcess {
    /// Starts `command` and waits until `socket` accepts. Its output goes to `log`.
    ///
    /// # Errors
    /// When it cannot be started, ends at once, or does not accept in time.
    pub fn start(command: &mut Command, socket: &Path, log: &Path) -> io::Result<Self> {
        let log_file = File::create(log)?;
        // What an earlier server left would answer too early.
        let _ = std::fs::remove_file(socket);
        let begun = Instant::now();
        let mut child = spawn(command.stdin(Stdio::null()).stdout(log_file.try_clone()?).stderr(log_file))?;
        loop {
            if UnixStream::connect(socket).is_ok() {
                let start_time = begun.elapsed();
                return Ok(Self { child, socket: socket.to_path_buf(), start_time });
            }
            if let Some(status) = child.try_wait()? {
                groups().remove(&child.id());
                let text = std::fs::read_to_string(log).unwrap_or_default();
                return Err(io::Error::other(format!(
                    "{} ended: {status}\n{text}",
                    command.get_program().display()
                )));
            }
            if begun.elapsed() > START_PATIENCE {
                child.kill()?;
                child.wait()?;
                groups().remove(&child.id());
                return Err(io::Error::other(format!("{} does not answer", command.get_program().display())));
            }
            sleep(Duration::from_micros(500));
        }
    }

    /// Process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// CPU time used so far, user and system, of all its threads, also of those that ended. (/proc counts in ticks of 10 ms.)
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn cpu_time(&self) -> io::Result<Duration> {
        let id = Pid::from_raw(self.id().cast_signed());
        Ok(clock_gettime(clock_getcpuclockid(id)?)?.into())
    }

    /// Resident memory in bytes.
    ///
    /// # Errors
    /// When /proc cannot be read.
    pub fn resident(&self) -> io::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()))?;
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).unwrap_or("0");
        Ok(line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap_or(0) * 1024)
    }

    /// Context switches of its threads so far, voluntary or not; those of threads that ended are not known.
    ///
    /// # Errors
    /// When /proc cannot be read.
    pub fn context_switches(&self) -> io::Result<u64> {
        let mut switches = 0;
        for task in std::fs::read_dir(format!("/proc/{}/task", self.id()))? {
            // It may end meanwhile.
            let status = std::fs::read_to_string(task?.path().join("status")).unwrap_or_default();
            let counts = status.lines().filter(|l| l.contains("ctxt_switches:"));
            switches += counts.filter_map(|l| l.split_whitespace().nth(1)?.parse::<u64>().ok()).sum::<u64>();
        }
        Ok(switches)
    }

    /// SIGKILL, and waits for the end.
    ///
    /// # Errors
    /// When it cannot be ended.
    pub fn kill(&mut self) -> io::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        groups().remove(&self.id());
        Ok(())
    }

    /// Asks it to end and waits.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub fn stop(&mut self) -> io::Result<()> {
        if self.child.try_wait()?.is_none() {
            Command::new("kill").arg("-TERM").arg(self.id().to_string()).status()?;
            let begun = Instant::now();
            while self.child.try_wait()?.is_none() {
                if begun.elapsed() > START_PATIENCE {
                    self.child.kill()?;
                }
                sleep(Duration::from_millis(5));
            }
        }
        groups().remove(&self.id());
        Ok(())
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // Nothing more can be done about a process that does not end.
        let _ = self.stop();
    }
}

/// Makes a fresh MariaDB data directory.
///
/// # Errors
/// When `mariadb-install-db` fails.
pub fn install_mariadb(datadir: &Path) -> io::Result<()> {
    let mut command = Command::new("mariadb-install-db");
    command
        .args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"])
        .arg(format!("--datadir={}", datadir.display()))
        .env("TMPDIR", datadir.parent().unwrap_or(datadir));
    checked(&mut command).map(drop)
}

/// Runs statements with the mariadb client.
///
/// # Errors
/// What the client says.
pub fn client(socket: &Path, sql: &str) -> io::Result<()> {
    let mut command = Command::new("mariadb");
    command.args(["--no-defaults", "--user=root"]).arg(format!("--socket={}", socket.display()));
    let result = checked(command.args(["-e", sql]));
    result.map(drop).map_err(|e| io::Error::other(format!("{sql:.200}: {e}")))
}

/// The command of a private MariaDB, with caches large enough for every table of the benchmark.
#[must_use]
pub fn mariadb_command(datadir: &Path, socket: &Path) -> Command {
    let mut command = Command::new("mariadbd");
    command.args([
        "--no-defaults",
        "--user=root",
        "--skip-networking",
        "--max-connections=600",
        "--key-buffer-size=256M",
        "--innodb-buffer-pool-size=512M",
        "--innodb-flush-log-at-trx-commit=2",
        "--max-heap-table-size=4G",
        "--max-prepared-stmt-count=200000",
    ]);
    command.arg(format!("--datadir={}", datadir.display()));
    command.arg(format!("--socket={}", socket.display()));
    command.arg(format!("--pid-file={}", datadir.join("pid").display()));
    // In a folder of others a starting MariaDB removes their temporary tables.
    command.env("TMPDIR", datadir.parent().unwrap_or(datadir));
    command
}

/// The command of an Isambard server.
#[must_use]
pub fn isambard_command(binary: &Path, datadir: &Path, socket: &Path) -> Command {
    let mut command = Command::new(binary);
    command.arg("serve").arg("--datadir").arg(datadir).arg("--socket").arg(socket);
    command.args([
        "--skip-networking",
        "--set",
        "max_connections=600",
        "--set",
        "max_prepared_stmt_count=200000",
    ]);
    command
}
