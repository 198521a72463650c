//! Servers started for a measurement: each in a directory of its own, stopped when dropped.

use std::fs::File;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;

/// How long a server may take to answer.
const START_PATIENCE: Duration = Duration::from_secs(60);

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
        let mut child = command
            .stdin(Stdio::null())
            .stdout(log_file.try_clone()?)
            .stderr(log_file)
            .spawn()
            .map_err(|e| io::Error::other(format!("{}: {e}", command.get_program().display())))?;
        loop {
            if UnixStream::connect(socket).is_ok() {
                let start_time = begun.elapsed();
                return Ok(Self { child, socket: socket.to_path_buf(), start_time });
            }
            if let Some(status) = child.try_wait()? {
                let text = std::fs::read_to_string(log).unwrap_or_default();
                return Err(io::Error::other(format!(
                    "{} ended: {status}\n{text}",
                    command.get_program().display()
                )));
            }
            if begun.elapsed() > START_PATIENCE {
                child.kill()?;
                child.wait()?;
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
    let output = Command::new("mariadb-install-db")
        .args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"])
        .arg(format!("--datadir={}", datadir.display()))
        .env("TMPDIR", datadir.parent().unwrap_or(datadir))
        .output()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
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
