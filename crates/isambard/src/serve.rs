//! `isambard serve`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use server::{ListenOptions, Server};
use tracing::Level;

use crate::signal::Signals;
use crate::{DataDirectory, log};

/// The port of MySQL.
const PORT: u16 = 3306;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data: DataDirectory,

    /// Unix socket to listen on [default: isambard.sock in the data directory].
    #[arg(long, short = 'S', value_name = "S")]
    socket: Option<PathBuf>,

    /// TCP port to listen on; 0 takes any free one.
    #[arg(long, short = 'P', value_name = "N", default_value_t = PORT)]
    port: u16,

    /// Address to listen on; 0.0.0.0 or :: for all of this machine's.
    #[arg(long, value_name = "A", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,

    /// Offer no TLS. Else the certificate is that of --set ssl_cert and ssl_key, or one of the server's own, made at the first start.
    #[arg(long)]
    skip_ssl: bool,

    /// Listen on the unix socket only.
    #[arg(long)]
    skip_networking: bool,
}

pub fn run(options: &Options) -> Result<ExitCode, String> {
    let begun = Instant::now();
    log::start(Level::INFO);
    // Before the engine starts threads of its own.
    let signals = Signals::block().map_err(|e| format!("cannot take over signals: {e}"))?;
    tracing::info!("isambard {} starting as process {}", env!("CARGO_PKG_VERSION"), std::process::id());
    let engine = options.data.open()?;
    let socket = options.socket.clone().unwrap_or_else(|| options.data.datadir.join("isambard.sock"));
    let tcp =
        if options.skip_networking { vec![] } else { vec![SocketAddr::new(options.bind, options.port)] };
    // COM_SHUTDOWN takes the way of SIGTERM.
    let on_shutdown = Arc::new(crate::signal::terminate_self);
    let listen = ListenOptions {
        socket: Some(socket.clone()),
        tcp,
        on_shutdown: Some(on_shutdown),
        tls: !options.skip_ssl,
    };
    let server = match Server::start(engine.clone(), &listen) {
        Ok(server) => server,
        Err(error) => {
            // The directory is left clean all the same.
            let _ = engine.shutdown();
            return Err(error.to_string());
        }
    };
    warn_of_dangers(&engine);
    ready(engine.datadir(), &socket, server.addresses(), begun);

    let signal = signals.wait();
    tracing::info!("{signal:?}: normal shutdown");
    server.stop();
    engine.shutdown().map_err(|e| e.to_string())?;
    tracing::info!("shutdown complete");
    Ok(ExitCode::SUCCESS)
}

/// One line for each that somebody should know before it is too late.
fn warn_of_dangers(engine: &sql::Engine) {
    if rustix::process::geteuid().is_root() {
        tracing::warn!(
            "running as root: who may use FILE reaches every file of this machine. Let a user of its own own the data \
             directory and run the server, such as: runuser -u mysql -- isambard serve"
        );
    }
    if engine.authenticate("root", "localhost", &[0; 20], &[], sql::rights::login::Client::default()).is_ok()
    {
        tracing::warn!(
            "the account root@localhost has no password: any user of this machine may log in with all privileges. \
             Set one: ALTER USER root@localhost IDENTIFIED BY '...'"
        );
    }
}

/// Says where the server listens and how to get in. The last line is what scripts wait for.
fn ready(datadir: &Path, socket: &Path, addresses: &[SocketAddr], begun: Instant) {
    let absolute = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let socket = absolute(socket);
    say!("data      {}", absolute(datadir).display());
    say!("socket    {}", socket.display());
    say!("connect   mariadb --socket={} --user=root", socket.display());
    for address in addresses {
        say!("address   {address}");
        say!("connect   mariadb --host={} --port={} --user=root", address.ip(), address.port());
    }
    say!("stop      Ctrl-C, or kill {}", std::process::id());
    tracing::info!(
        "isambard: ready for connections. Version: '{}'  socket: '{}'  port: {}  ({} ms)",
        sql::VERSION,
        socket.display(),
        addresses.first().map_or(0, SocketAddr::port),
        begun.elapsed().as_millis(),
    );
}
