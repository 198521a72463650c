//! A private MariaDB server for comparisons.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub struct Server {
    dir: PathBuf,
    process: Child,
}

impl Server {
    /// Starts a server in a directory of its own, or says why there is none.
    pub fn start(name: &str) -> Option<Server> {
        let found = Command::new("mariadbd")
            .args(["--no-defaults", "--version"])
            .output()
            .is_ok_and(|o| o.status.success());
        if !found {
            eprintln!("skipped: no mariadbd on this machine to compare with");
            return None;
        }
        let dir = std::env::temp_dir().join(format!("isambard-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let data = dir.join("data");
        let install = || {
            Command::new("mariadb-install-db")
                .arg("--no-defaults")
                .arg("--auth-root-authentication-method=normal")
                .arg("--skip-test-db")
                .arg(format!("--datadir={}", data.display()))
                .output()
                .unwrap()
        };
        let mut installed = install();
        if !installed.status.success() {
            // A machine short of memory may fail once.
            let _ = std::fs::remove_dir_all(&data);
            installed = install();
        }
        assert!(installed.status.success(), "{installed:?}");
        let log = std::fs::File::create(dir.join("log")).unwrap();
        let process = Command::new("mariadbd")
            .args(["--no-defaults", "--user=root", "--skip-networking"])
            .args(["--innodb-buffer-pool-size=8M", "--key-buffer-size=1M"])
            .args(["--default-storage-engine=MyISAM", "--default-time-zone=+00:00"])
            .args(["--character-set-server=latin1", "--sql-mode="])
            .arg("--aria-pagecache-buffer-size=1M")
            .arg("--plugin-maturity=unknown")
            .arg(format!("--datadir={}", data.display()))
            .arg(format!("--socket={}", dir.join("s").display()))
            .stderr(log)
            .spawn()
            .unwrap();
        let server = Server { dir, process };
        let start = Instant::now();
        while !server.try_run("SELECT 1").is_ok_and(|out| out == b"1\n") {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "the server does not start: {}",
                String::from_utf8_lossy(&std::fs::read(server.dir.join("log")).unwrap_or_default())
            );
            std::thread::sleep(Duration::from_millis(100));
        }
        server.run("CREATE DATABASE t CHARACTER SET latin1");
        Some(server)
    }

    /// The directory of database `t`.
    pub fn database(&self) -> PathBuf {
        self.dir.join("data/t")
    }

    pub fn data(&self) -> &Path {
        &self.dir
    }

    fn try_run(&self, sql: &str) -> std::io::Result<Vec<u8>> {
        let mut client = Command::new("mariadb")
            .args(["--no-defaults", "-uroot", "-N", "-B", "--raw", "--force"])
            .args(["--binary-mode", "--default-character-set=utf8mb4"])
            .arg(format!("--socket={}", self.dir.join("s").display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stdin = client.stdin.take().unwrap();
        let sql = sql.to_owned();
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(sql.as_bytes());
        });
        let out = client.wait_with_output()?;
        let _ = writer.join();
        Ok(out.stdout)
    }

    /// Runs statements and gives the raw output; statements that fail give none.
    pub fn run(&self, sql: &str) -> Vec<u8> {
        self.try_run(sql).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}
