//! Servers of our own to talk to: Isambard and MariaDB, each on a private socket and directory.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server on a socket of its own; stopped when dropped.
pub struct Peer {
    /// What it is called in messages.
    pub name: &'static str,
    /// Its unix socket.
    pub socket: PathBuf,
    /// Its data directory.
    pub datadir: PathBuf,
    child: Child,
    keep: bool,
    password: String,
}

/// A fresh directory under the system's temporary one.
///
/// # Panics
/// When it cannot be made.
#[must_use]
pub fn scratch(tag: &str) -> PathBuf {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let unique = format!(
        "isambard-{tag}-{}-{}",
        std::process::id(),
        NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    );
    let dir = std::env::temp_dir().join(unique);
    // One that a process of the same number has left.
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("make a scratch directory");
    dir
}

/// Whether the oracle is installed; prints a notice when it is not.
#[must_use]
pub fn oracle_present() -> bool {
    let here = ["/usr/sbin/mariadbd", "/usr/bin/mariadbd"].iter().any(|p| Path::new(p).exists());
    if !here {
        eprintln!(
            "NOTICE: mariadbd is not installed, the comparison did not run (cargo xtask test installs it)"
        );
    }
    here
}

/// The browser that shows a page without a screen, where it is installed; prints a notice when it is not.
#[must_use]
pub fn browser() -> Option<PathBuf> {
    let places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    let found = places.iter().map(PathBuf::from).find(|p| p.exists());
    if found.is_none() {
        eprintln!(
            "NOTICE: chromium is not installed, the page was not looked at (cargo xtask test installs it)"
        );
    }
    found
}

/// The isambard binary: `ISAMBARD_BIN`, or the one beside the test's own target directory,
/// built when it is missing.
///
/// # Panics
/// When it is nowhere and cannot be built.
#[must_use]
pub fn isambard_binary() -> PathBuf {
    if let Some(path) = std::env::var_os("ISAMBARD_BIN") {
        return path.into();
    }
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", "isambard", "--bin", "isambard", "--profile", profile])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .status()
        .expect("run cargo build");
    assert!(status.success(), "the isambard binary does not build");
    // tests run from <target>/<profile>/deps
    let exe = std::env::current_exe().expect("own path");
    let deps = exe.parent().expect("deps directory");
    deps.parent().expect("profile directory").join("isambard")
}

impl Peer {
    /// Starts MariaDB on a fresh data directory, with `extra` options.
    ///
    /// # Panics
    /// When it does not come up.
    #[must_use]
    pub fn mariadb(extra: &[&str]) -> Peer {
        let dir = scratch("maria");
        let datadir = dir.join("data");
        let done = Command::new("mariadb-install-db")
            .args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"])
            .arg(format!("--datadir={}", datadir.display()))
            .env("TMPDIR", &dir)
            .output()
            .expect("run mariadb-install-db");
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(
            done.status.success(),
            "mariadb-install-db failed: {}{}",
            said(&done.stdout),
            said(&done.stderr)
        );
        Peer::mariadb_on(dir, datadir, extra)
    }

    /// Starts MariaDB on an existing data directory; socket and log are put into `dir`.
    ///
    /// # Panics
    /// When it does not come up.
    #[must_use]
    pub fn mariadb_on(dir: PathBuf, datadir: PathBuf, extra: &[&str]) -> Peer {
        let socket = dir.join("s");
        let child = Command::new("mariadbd")
            .arg("--no-defaults")
            .arg("--user=root")
            .arg(format!("--datadir={}", datadir.display()))
            .arg(format!("--socket={}", socket.display()))
            .arg(format!("--pid-file={}", dir.join("pid").display()))
            .args(["--skip-networking", "--default-storage-engine=MyISAM"])
            .args(extra)
            // In a folder of others a starting MariaDB removes their temporary tables.
            .env("TMPDIR", &dir)
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(dir.join("err")).expect("log file"))
            .spawn()
            .expect("start mariadbd");
        let peer = Peer { name: "mariadb", socket, datadir, child, keep: false, password: String::new() };
        peer.wait_ready();
        peer
    }

    /// Starts Isambard on a fresh data directory.
    ///
    /// # Panics
    /// When it does not come up.
    #[must_use]
    pub fn isambard(extra: &[&str]) -> Peer {
        let dir = scratch("isambard");
        Peer::isambard_on(&dir.join("data"), extra)
    }

    /// Starts Isambard on `datadir`, whose parent holds the socket.
    ///
    /// # Panics
    /// When it does not come up.
    #[must_use]
    pub fn isambard_on(datadir: &Path, extra: &[&str]) -> Peer {
        Peer::isambard_with(datadir, "", extra)
    }

    /// As [`Peer::isambard_on`], where root has a password.
    ///
    /// # Panics
    /// When it does not come up.
    #[must_use]
    pub fn isambard_with_password(datadir: &Path, password: &str) -> Peer {
        Peer::isambard_with(datadir, password, &[])
    }

    fn isambard_with(datadir: &Path, password: &str, extra: &[&str]) -> Peer {
        let dir = datadir.parent().expect("a parent").to_path_buf();
        let socket = dir.join("s");
        let log =
            std::fs::OpenOptions::new().create(true).append(true).open(dir.join("err")).expect("log file");
        let child = Command::new(isambard_binary())
            .arg("serve")
            .arg("--datadir")
            .arg(datadir)
            .arg("--socket")
            .arg(&socket)
            .args(["--port", "0"])
            .args(extra)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("start isambard");
        let peer = Peer {
            name: "isambard",
            socket,
            datadir: datadir.to_path_buf(),
            child,
            keep: false,
            password: password.to_owned(),
        };
        peer.wait_ready();
        peer
    }

    /// The process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    fn wait_ready(&self) {
        let end = Instant::now() + Duration::from_secs(60);
        while Instant::now() < end {
            if self.try_connect("").is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let log = self.socket.with_file_name("err");
        panic!(
            "{} does not answer; its log: {}",
            self.name,
            std::fs::read_to_string(log).unwrap_or_default()
        );
    }

    /// A new connection as root, in `db` when it is not empty.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn try_connect(&self, db: &str) -> Result<mysql::Conn, mysql::Error> {
        mysql::Conn::new(self.options(db))
    }

    /// How to connect as root, to `db` when it is not empty.
    #[must_use]
    pub fn options(&self, db: &str) -> mysql::OptsBuilder {
        mysql::OptsBuilder::new()
            .user(Some("root"))
            .pass((!self.password.is_empty()).then_some(&self.password))
            .socket(Some(self.socket.to_string_lossy()))
            .prefer_socket(false)
            .db_name((!db.is_empty()).then_some(db))
    }

    /// A new connection.
    ///
    /// # Panics
    /// When the server refuses.
    #[must_use]
    pub fn connect(&self, db: &str) -> mysql::Conn {
        self.try_connect(db).unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }

    /// SIGKILL, and waits for the end.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// SIGTERM, and waits for a clean end.
    ///
    /// # Panics
    /// When the server does not end within a minute.
    pub fn stop(&mut self) {
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &pid]).status();
        let end = Instant::now() + Duration::from_secs(60);
        while Instant::now() < end {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("{} did not stop on SIGTERM", self.name);
    }

    /// Leaves the directory in place when dropped, for a look.
    pub fn keep(&mut self) {
        self.keep = true;
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.kill();
        if let (false, false, Some(dir)) = (self.keep, std::thread::panicking(), self.socket.parent()) {
            let _ = std::fs::remove_dir_all(dir);
        }
    }
}
