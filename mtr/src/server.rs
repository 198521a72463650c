//! A server for one test, with the settings that MariaDB's tests count on.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Which server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The one whose answers are right.
    MariaDb,
    /// Ours.
    Isambard,
}

/// Where everything lies.
#[derive(Clone, Debug)]
pub struct Places {
    /// Everything that is made here.
    pub work: PathBuf,
    /// The copy of the tests.
    pub tests: PathBuf,
    /// The hook.
    pub hook: PathBuf,
    /// Isambard's binary.
    pub isambard: PathBuf,
    /// How statements are sent, where not as plain text.
    pub protocol: Option<String>,
}

/// A running server.
pub struct Server {
    /// Holds `var`, the socket and the logs.
    pub base: PathBuf,
    /// What the tests know as the folder `var`.
    pub var: PathBuf,
    /// Its port on 127.0.0.1.
    pub port: u16,
    child: Child,
}

/// The settings of MariaDB's own runner that matter to answers.
const SETTINGS: &[(&str, &str)] = &[
    ("character_set_server", "latin1"),
    ("local_infile", "1"),
    ("key_buffer_size", "1048576"),
    ("sort_buffer_size", "262144"),
    ("max_heap_table_size", "1048576"),
    ("use_stat_tables", "preferably"),
    ("histogram_type", "json_hb"),
    ("log_bin_trust_function_creators", "1"),
    ("connect_timeout", "60"),
    ("slave_net_timeout", "120"),
    ("server_id", "1"),
];

const MARIADB: &[&str] = &[
    "--no-defaults",
    "--disable-getopt-prefix-matching",
    "--user=root",
    "--basedir=/usr",
    "--bind-address=127.0.0.1",
    "--plugin-dir=/usr/lib/mysql/plugin",
    "--plugin-maturity=unknown",
    "--skip-innodb",
    "--default-storage-engine=myisam",
    "--performance-schema=OFF",
    "--loose-skip-plugin-feedback",
    "--loose-skip-plugin-unix-socket",
    "--loose-skip-plugin-user-variables",
    "--loose-skip-plugin-thread-pool-groups",
    "--loose-skip-plugin-thread-pool-queues",
    "--loose-skip-plugin-thread-pool-stats",
    "--loose-skip-plugin-thread-pool-waits",
    "--open-files-limit=1024",
    "--loose-aria-pagecache-buffer-size=8M",
    "--log-basename=mysqld",
    "--log-output=file",
];

impl Server {
    /// Starts one on a fresh copy of the template, as number `n`.
    pub fn start(places: &Places, kind: Kind, n: usize) -> Result<Server, String> {
        let base = places.work.join(format!("run{n}"));
        let var = base.join("var");
        let _ = fs::remove_dir_all(&base);
        for folder in ["tmp", "log", "run", "mysqld.1/tmp"] {
            fs::create_dir_all(var.join(folder)).map_err(|e| e.to_string())?;
        }
        let _ = symlink(places.tests.join("std_data"), var.join("std_data"));
        let data = var.join("mysqld.1/data");
        let template = template_of(places, kind);
        let copied = Command::new("cp").arg("-r").arg(&template).arg(&data).status();
        if !copied.is_ok_and(|s| s.success()) {
            return Err(format!("{} cannot be copied", template.display()));
        }
        let port = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).map_or(0, |a| a.port());
        let child = command(places, kind, &base, &data, port).spawn().map_err(|e| e.to_string())?;
        let mut server = Server { base, var, port, child };
        server.wait()?;
        Ok(server)
    }

    /// Its socket.
    pub fn socket(&self) -> PathBuf {
        self.base.join("s.sock")
    }

    /// Runs a statement.
    pub fn sql(&self, text: &str) -> bool {
        sql(&self.socket(), text).is_ok_and(|s| s.success())
    }

    /// Whether it still runs.
    pub fn alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// What it wrote of a panic.
    pub fn panicked(&self) -> bool {
        let log = fs::read(self.base.join("stderr.log")).unwrap_or_default();
        crate::suite::find(&log, b"panicked at").is_some()
    }

    fn wait(&mut self) -> Result<(), String> {
        let end = Instant::now() + Duration::from_secs(60);
        while Instant::now() < end && self.alive() {
            if UnixStream::connect(self.socket()).is_ok() && self.sql("select 1") {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let log = fs::read_to_string(self.base.join("stderr.log")).unwrap_or_default();
        Err(format!("the server does not answer: {log}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn template_of(places: &Places, kind: Kind) -> PathBuf {
    places.work.join(if kind == Kind::MariaDb { "template.mariadb" } else { "template.isambard" })
}

fn command(places: &Places, kind: Kind, base: &Path, data: &Path, port: u16) -> Command {
    let var = base.join("var");
    let option = |name: &str, path: PathBuf| format!("--{name}={}", path.display());
    let mut command = match kind {
        Kind::MariaDb => {
            let mut c = Command::new("mariadbd");
            c.args(MARIADB).args(SETTINGS.iter().map(|(name, value)| format!("--{name}={value}")));
            c.arg(option("datadir", data.into())).arg(option("socket", base.join("s.sock")));
            c.arg(format!("--port={port}")).arg(option("pid-file", base.join("pid")));
            c.arg(option("tmpdir", var.join("mysqld.1/tmp"))).arg(option("secure-file-priv", var));
            c
        }
        Kind::Isambard => {
            let mut c = Command::new(&places.isambard);
            c.arg("serve").arg("--datadir").arg(data).arg("--socket").arg(base.join("s.sock"));
            c.args(["--port", &port.to_string()]);
            for (name, value) in SETTINGS {
                c.args(["--set", &format!("{name}={value}")]);
            }
            c.arg("--set").arg(format!("secure_file_priv={}", var.display()));
            c
        }
    };
    let log = |name| fs::File::create(base.join(name)).map_or_else(|_| Stdio::null(), Stdio::from);
    command.env_remove("LD_PRELOAD").current_dir(base);
    command.stdin(Stdio::null()).stdout(log("stdout.log")).stderr(log("stderr.log"));
    command
}

fn sql(socket: &Path, text: &str) -> std::io::Result<std::process::ExitStatus> {
    let mut client = Command::new("mariadb");
    client.args(["--no-defaults", "--user=root", "--force", "--execute", text]).arg("--socket").arg(socket);
    client.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()
}

/// Makes the data directories that tests begin with.
pub fn templates(places: &Places, kind: Kind) -> Result<(), String> {
    let to = template_of(places, kind);
    if to.join("complete").exists() && kind == Kind::MariaDb {
        return Ok(());
    }
    let _ = fs::remove_dir_all(&to);
    let failed = |e: std::io::Error| e.to_string();
    match kind {
        Kind::MariaDb => mariadb_template(&to)?,
        Kind::Isambard => {
            let base = places.work.join("first");
            let _ = fs::remove_dir_all(&base);
            fs::create_dir_all(base.join("var")).map_err(failed)?;
            let child = command(places, kind, &base, &to, 0).spawn().map_err(failed)?;
            let mut server = Server { var: base.join("var"), base, port: 0, child };
            server.wait()?;
            let zones = fs::File::open("/usr/share/mysql/mysql_test_data_timezone.sql").map_err(failed)?;
            let mut client = Command::new("mariadb");
            client
                .args(["--no-defaults", "--user=root", "--force", "mysql"])
                .arg("--socket")
                .arg(server.socket());
            let _ = client.stdin(zones).stdout(Stdio::null()).stderr(Stdio::null()).status();
            let _ = Command::new("kill").arg(server.child.id().to_string()).status();
            let _ = server.child.wait();
        }
    }
    fs::write(to.join("complete"), "").map_err(failed)
}

/// A data directory of MariaDB as its own runner makes it.
fn mariadb_template(to: &Path) -> Result<(), String> {
    let mut script = b"use mysql;\n".to_vec();
    for file in [
        "mysql_system_tables.sql",
        "maria_add_gis_sp_bootstrap.sql",
        "mysql_performance_tables.sql",
        "mysql_system_tables_data.sql",
        "mysql_test_data_timezone.sql",
        "fill_help_tables.sql",
        "mysql_sys_schema.sql",
    ] {
        script
            .extend(fs::read(Path::new("/usr/share/mysql").join(file)).map_err(|e| format!("{file}: {e}"))?);
        script.push(b'\n');
    }
    script.extend_from_slice(
        b"create database if not exists test character set latin1 collate latin1_swedish_ci;\n\
          alter table mysql.gtid_slave_pos engine=aria transactional=0;\n\
          delete from mysql.global_priv where user = '';\ncreate database mtr charset=latin1;\n",
    );
    fs::create_dir_all(to.join("mysql")).map_err(|e| e.to_string())?;
    let input = to.with_extension("sql");
    fs::write(&input, script).map_err(|e| e.to_string())?;
    let mut boot = Command::new("mariadbd");
    boot.args([
        "--no-defaults",
        "--disable-getopt-prefix-matching",
        "--bootstrap",
        "--user=root",
        "--basedir=/usr",
    ]);
    boot.args(["--default-storage-engine=myisam", "--character-set-server=latin1"]);
    boot.arg("--loose-disable-performance-schema").arg(format!("--datadir={}", to.display()));
    boot.stdin(fs::File::open(&input).map_err(|e| e.to_string())?)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let status = boot.status().map_err(|e| e.to_string())?;
    // the servers run without InnoDB
    for file in fs::read_dir(to).map_err(|e| e.to_string())?.flatten() {
        if file.file_name().to_string_lossy().starts_with("ib") {
            let _ = fs::remove_file(file.path());
        }
    }
    if status.success() { Ok(()) } else { Err(format!("mariadbd --bootstrap: {status}")) }
}
