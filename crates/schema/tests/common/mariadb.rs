//! A private MariaDB for the length of a test.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server over a folder of its own, stopped and removed when dropped.
pub struct MariaDb {
    child: Child,
    root: PathBuf,
}

fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/sbin"), PathBuf::from("/usr/local/sbin")])
        .map(|dir| dir.join(name))
        .find(|p| p.is_file())
}

impl MariaDb {
    /// Starts a server, or says why not (the test is skipped then).
    pub fn start(name: &str) -> Result<MariaDb, String> {
        let server = program("mariadbd").ok_or("mariadbd is not installed")?;
        let install = program("mariadb-install-db").ok_or("mariadb-install-db is not installed")?;
        program("mariadb").ok_or("the mariadb client is not installed")?;
        program("myisamchk").ok_or("myisamchk is not installed")?;
        let root = std::env::temp_dir().join(format!("isam-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).map_err(|e| e.to_string())?;
        let data = root.join("data");
        let made = Command::new(install)
            .args([
                "--no-defaults",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--user=root",
            ])
            .arg(format!("--datadir={}", data.display()))
            // In a folder of others a starting MariaDB removes their temporary tables.
            .env("TMPDIR", &root)
            .output()
            .map_err(|e| e.to_string())?;
        let said = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "mariadb-install-db failed: {said}");
        let child = Command::new(server)
            .args(["--no-defaults", "--user=root", "--skip-networking", "--innodb-buffer-pool-size=8M"])
            .args(["--key-buffer-size=16M", "--sql-mode=", "--default-storage-engine=MyISAM"])
            .arg("--concurrent-insert=0")
            .arg(format!("--datadir={}", data.display()))
            .arg(format!("--socket={}", root.join("s").display()))
            .arg(format!("--pid-file={}", root.join("pid").display()))
            .env("TMPDIR", &root)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| e.to_string())?;
        let db = MariaDb { child, root };
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60) {
            if db.try_sql("SELECT 1").is_ok() {
                db.sql("CREATE DATABASE d DEFAULT CHARACTER SET latin1");
                return Ok(db);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("mariadbd is installed and did not start");
    }

    /// Folder of database `d`.
    pub fn dir(&self) -> PathBuf {
        self.root.join("data/d")
    }

    /// A folder for copies.
    pub fn scratch(&self) -> PathBuf {
        let dir = self.root.join("scratch");
        let _ = fs::create_dir_all(&dir);
        dir
    }

    fn run(&self, sql: &str, force: bool) -> Result<String, String> {
        let mut client = Command::new("mariadb");
        client
            .args(["--no-defaults", "--batch", "--raw", "--skip-column-names", "--user=root"])
            .arg("--default-character-set=utf8mb4")
            .arg(format!("--socket={}", self.root.join("s").display()));
        if force {
            client.arg("--force");
        }
        let mut child = client
            .arg(if sql.starts_with("SELECT 1") { "mysql" } else { "d" })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        let mut input = child.stdin.take().ok_or("no pipe")?;
        let text = sql.to_owned();
        let feeder = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let out = child.wait_with_output().map_err(|e| e.to_string())?;
        let _ = feeder.join();
        if !out.status.success() && !force {
            return Err(String::from_utf8_lossy(&out.stderr).into_owned());
        }
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    }

    fn try_sql(&self, sql: &str) -> Result<String, String> {
        self.run(sql, false)
    }

    /// Runs statements in database `d`; their rows, tab separated.
    pub fn sql(&self, sql: &str) -> String {
        if sql.starts_with("CREATE DATABASE") {
            let out = Command::new("mariadb")
                .args(["--no-defaults", "--user=root", "-e", sql])
                .arg(format!("--socket={}", self.root.join("s").display()))
                .output();
            return out.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
        }
        match self.run(sql, false) {
            Ok(out) => out,
            Err(e) => panic!("{e}\nin: {}", &sql[..sql.len().min(2000)]),
        }
    }

    /// Runs statements; those that fail are skipped.
    pub fn sql_force(&self, sql: &str) -> String {
        self.run(sql, true).unwrap_or_default()
    }

    /// `myisamchk` over a table's files without extension: what it prints, progress lines left out.
    pub fn myisamchk(&self, options: &[&str], base: &Path) -> String {
        let out = Command::new(program("myisamchk").unwrap_or_default())
            .args(options)
            .arg(base.with_extension("MYI"))
            .output();
        match out {
            Ok(o) => {
                let text = [o.stdout, o.stderr].concat();
                String::from_utf8_lossy(&text)
                    .lines()
                    .filter(|l| {
                        !l.starts_with("- ")
                            && !l.starts_with("Checking MyISAM file")
                            && !l.starts_with("Data records:")
                            && !l.trim().is_empty()
                    })
                    .collect::<Vec<_>>()
                    .join("\n")
            }
            Err(e) => e.to_string(),
        }
    }
}

impl Drop for MariaDb {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::env::var_os("ISAMBARD_KEEP").is_none() {
            let _ = fs::remove_dir_all(&self.root);
        }
    }
}
