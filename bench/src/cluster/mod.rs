//! Tables over several machines by MariaDB's Spider engine: a front that has no rows of its own, and shards that have them.
//!
//! | module | subject |
//! |---|---|
//! | here | servers: start, `kill -9`, start again |
//! | [`tables`] | the tables on shards and front, their rows, a shard more |
//! | [`proof`] | shards killed under load: what was acknowledged is there |

pub mod proof;
pub mod tables;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mysql::prelude::Queryable;
use mysql::{Conn, OptsBuilder};

use crate::process::{ServerProcess, install_mariadb, isambard_command, mariadb_command};

/// What has the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Isambard.
    Isambard,
    /// MariaDB with MyISAM tables.
    MyIsam,
}

impl Engine {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Engine::Isambard => "Isambard",
            Engine::MyIsam => "MyISAM",
        }
    }
}

/// A server with a part of the rows.
#[derive(Debug)]
pub struct Shard {
    /// `s1`, `s2` ...: what the front calls it.
    pub name: String,
    engine: Engine,
    binary: PathBuf,
    folder: PathBuf,
    socket: PathBuf,
    process: Option<ServerProcess>,
    /// CPU time of processes that were killed.
    spent: Duration,
}

impl Shard {
    /// Starts an empty shard in a folder of its own below `scratch`.
    ///
    /// # Errors
    /// When the server does not come up.
    pub fn start(engine: Engine, binary: &Path, scratch: &Path, number: usize) -> io::Result<Shard> {
        let name = format!("s{number}");
        let folder = scratch.join(format!("{}-{name}", engine.name()));
        let shard = Shard::over(engine, binary, folder, name);
        std::fs::create_dir_all(&shard.folder)?;
        if engine == Engine::MyIsam {
            install_mariadb(&shard.data())?;
        }
        shard.started()
    }

    /// Starts a shard on a backup of another one.
    ///
    /// # Errors
    /// When the server does not come up.
    pub fn start_on(of: &Shard, folder: &Path) -> io::Result<Shard> {
        Shard::over(of.engine, &of.binary, folder.to_path_buf(), format!("{}-backup", of.name)).started()
    }

    fn over(engine: Engine, binary: &Path, folder: PathBuf, name: String) -> Shard {
        let (socket, binary) = (folder.join("s"), binary.to_path_buf());
        Shard { name, engine, binary, folder, socket, process: None, spent: Duration::ZERO }
    }

    fn started(mut self) -> io::Result<Shard> {
        self.run()?;
        Ok(self)
    }

    /// Its data directory.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Its unix socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// Starts the server on what is there, after [`Shard::kill`].
    ///
    /// # Errors
    /// When it does not come up.
    pub fn run(&mut self) -> io::Result<()> {
        let (data, socket) = (self.data(), &self.socket);
        let mut command = match self.engine {
            Engine::Isambard => isambard_command(&self.binary, &data, socket),
            Engine::MyIsam => mariadb_command(&data, socket),
        };
        self.process = Some(ServerProcess::start(&mut command, socket, &self.folder.join("log"))?);
        Ok(())
    }

    /// SIGKILL.
    ///
    /// # Errors
    /// When it cannot be ended.
    pub fn kill(&mut self) -> io::Result<()> {
        if let Some(mut process) = self.process.take() {
            self.spent += process.cpu_time()?;
            process.kill()?;
        }
        Ok(())
    }

    /// CPU time so far.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn cpu_time(&self) -> io::Result<Duration> {
        let running = self.process.as_ref().map_or(Ok(Duration::ZERO), ServerProcess::cpu_time)?;
        Ok(self.spent + running)
    }

    /// A connection as root.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn connect(&self) -> io::Result<Conn> {
        connect(&self.socket)
    }
}

/// A Spider front with its shards.
#[derive(Debug)]
pub struct Cluster {
    /// The servers that have the rows.
    pub shards: Vec<Shard>,
    front: ServerProcess,
}

impl Cluster {
    /// Starts `count` empty shards and a front that knows them, below `scratch`.
    ///
    /// # Errors
    /// When a server does not come up, or the front has no Spider (Debian: `mariadb-plugin-spider`).
    pub fn start(engine: Engine, binary: &Path, scratch: &Path, count: usize) -> io::Result<Cluster> {
        let shards: io::Result<Vec<Shard>> =
            (1..=count).map(|n| Shard::start(engine, binary, scratch, n)).collect();
        let folder = scratch.join("front");
        std::fs::create_dir_all(&folder)?;
        install_mariadb(&folder.join("data"))?;
        let socket = folder.join("s");
        let mut command = mariadb_command(&folder.join("data"), &socket);
        // By default Spider connects anew for each statement. Connections that sessions share (1) would give a killed shard's dead ones
        // to sessions that begin later.
        command.args([
            "--plugin-load-add=ha_spider",
            "--spider-conn-recycle-mode=2",
            "--spider-connect-timeout=2",
        ]);
        let front = ServerProcess::start(&mut command, &socket, &folder.join("log"))?;
        let cluster = Cluster { shards: shards?, front };
        let mut conn = cluster.connect()?;
        ask(&mut conn, &format!("CREATE DATABASE {}", tables::DATABASE))?;
        for shard in &cluster.shards {
            cluster.introduce(&mut conn, shard)?;
        }
        Ok(cluster)
    }

    /// Makes a shard known to the front, with an empty database.
    ///
    /// # Errors
    /// What the servers say.
    pub fn introduce(&self, front: &mut Conn, shard: &Shard) -> io::Result<()> {
        ask(&mut shard.connect()?, &format!("CREATE DATABASE {}", tables::DATABASE))?;
        let server = format!(
            "CREATE SERVER {} FOREIGN DATA WRAPPER mysql OPTIONS (SOCKET '{}', USER 'root', PASSWORD '', DATABASE '{}')",
            shard.name,
            shard.socket.display(),
            tables::DATABASE
        );
        ask(front, &server)
    }

    /// The front's socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.front.socket
    }

    /// A connection to the front.
    ///
    /// # Errors
    /// When it refuses.
    pub fn connect(&self) -> io::Result<Conn> {
        connect(self.socket())
    }

    /// CPU time of the shards and of the front so far.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn cpu_time(&self) -> io::Result<(Duration, Duration)> {
        let shards: io::Result<Vec<Duration>> = self.shards.iter().map(Shard::cpu_time).collect();
        Ok((shards?.into_iter().sum(), self.front.cpu_time()?))
    }
}

fn connect(socket: &Path) -> io::Result<Conn> {
    let options =
        OptsBuilder::new().user(Some("root")).socket(Some(socket.to_string_lossy())).prefer_socket(false);
    Conn::new(options).map_err(io::Error::other)
}

/// Runs a statement whose rows nobody needs.
///
/// # Errors
/// What the server says, with the statement.
pub fn ask(conn: &mut Conn, sql: &str) -> io::Result<()> {
    conn.query_drop(sql).map_err(|e| io::Error::other(format!("{sql:.200}: {e}")))
}

/// The rows of a statement as text.
///
/// # Errors
/// What the server says, with the statement.
pub fn rows(conn: &mut Conn, sql: &str) -> io::Result<Vec<String>> {
    let failed = |e: mysql::Error| io::Error::other(format!("{sql:.200}: {e}"));
    let rows: Vec<mysql::Row> = conn.query(sql).map_err(failed)?;
    let text = |row: mysql::Row| {
        let value = |v| match v {
            mysql::Value::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            other => other.as_sql(true),
        };
        row.unwrap().into_iter().map(value).collect::<Vec<String>>().join(" ")
    };
    Ok(rows.into_iter().map(text).collect())
}
