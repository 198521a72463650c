//! Sockets to listen on, the threads of connections, and the end of both.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::os::unix::net::{UnixListener, UnixStream};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use sql::Engine;
use sql::error::{ER_CON_COUNT_ERROR, SqlError};

use crate::certificates::Certificates;
use crate::connection::{self, Peer};
use crate::placement::{Cheapest, processors};
use crate::stream::Stream;

/// Stack of a connection's thread, in bytes. Only the pages touched cost memory. Statements nested as deep as the
/// parser allows took 680 KiB at most, measured in debug and release builds.
const STACK: usize = 2 * 1024 * 1024;

/// How long the end of the server waits for statements that run on after they were killed.
const SHUTDOWN_WAIT: Duration = Duration::from_secs(4);

/// Asks the process to end; called by a connection's thread, must not wait for it.
pub type ShutdownRequest = Arc<dyn Fn() + Send + Sync>;

/// Where to listen.
#[derive(Clone, Default)]
pub struct ListenOptions {
    /// What SHUTDOWN calls, the statement and the command; without it they are refused.
    pub on_shutdown: Option<ShutdownRequest>,
    /// Path of the unix socket.
    pub socket: Option<PathBuf>,
    /// Addresses for TCP; port 0 takes any free one.
    pub tcp: Vec<SocketAddr>,
    /// Offer TLS, with the certificate that the variables name or one of the server's own.
    pub tls: bool,
}

/// Why the server cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Another process answers on the socket.
    #[error("another server listens on {}", path.display())]
    SocketInUse {
        /// The socket.
        path: PathBuf,
    },
    /// The unix socket could not be made.
    #[error("cannot listen on {}: {source}", path.display())]
    Socket {
        /// The socket.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// TLS was asked for and cannot be had.
    #[error("TLS: {0}")]
    Tls(String),
    /// The address could not be bound.
    #[error("cannot listen on {address}: {source}")]
    Tcp {
        /// The address.
        address: SocketAddr,
        /// The cause.
        source: io::Error,
    },
}

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) engine: Arc<Engine>,
    pub(crate) on_shutdown: Option<ShutdownRequest>,
    pub(crate) tls: Option<Arc<Certificates>>,
    pub(crate) cheapest_answers: Cheapest,
    /// `Connections::logged_in`, for statements to read.
    logged_in: AtomicUsize,
    stopping: AtomicBool,
    /// Live connections. Locked when one begins and ends, never by statements.
    connections: Mutex<Connections>,
    changed: Condvar,
}

/// Logins that may be under way beyond `max_connections` of them.
const SPARE_LOGINS: usize = 32;

/// How often it is seen whether those who wait for long statements are still there.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// When more are under way than there is room for, the oldest that takes longer than this has to go.
const LOGIN_PATIENCE: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Connections {
    /// Threads that run, logged in or not.
    threads: usize,
    /// Connections that are logged in: those that `max_connections` limits.
    logged_in: usize,
    /// Logins under way, oldest first.
    logins: VecDeque<(Instant, Weak<Stream>)>,
    streams: HashMap<u64, Weak<Stream>>,
}

impl Shared {
    pub(crate) fn register(&self, id: u64, stream: &Arc<Stream>) {
        self.connections.lock().streams.insert(id, Arc::downgrade(stream));
        if self.stopping.load(Ordering::SeqCst) {
            stream.shutdown(std::net::Shutdown::Both);
        }
    }

    pub(crate) fn unregister(&self, id: u64) {
        self.connections.lock().streams.remove(&id);
    }

    /// A place among the connections for who has just logged in. One more than `max_connections` is for accounts with
    /// SUPER or CONNECTION ADMIN, so that somebody can look at what fills the server.
    pub(crate) fn place(&self, user: &str, peer: &Peer) -> Option<Place<'_>> {
        let limit = self.engine.max_connections();
        let administrator = self.engine.may_exceed_connections(user, &peer.host, peer.address.as_deref());
        let mut connections = self.connections.lock();
        if connections.logged_in >= limit + usize::from(administrator) {
            return None;
        }
        connections.logged_in += 1;
        self.logged_in.store(connections.logged_in, Ordering::Relaxed);
        Some(Place(self))
    }

    /// Whether this machine has a processor for each connection and one for each client; a look at a moment.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        self.logged_in.load(Ordering::Relaxed) * 2 <= processors()
    }

    /// A login has ended, well or not.
    pub(crate) fn end_login(&self, stream: &Arc<Stream>) {
        let own = Arc::downgrade(stream);
        self.connections.lock().logins.retain(|(_, other)| !other.ptr_eq(&own));
    }
}

/// A place among `max_connections`, until dropped.
pub(crate) struct Place<'s>(&'s Shared);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut connections = self.0.connections.lock();
        connections.logged_in -= 1;
        self.0.logged_in.store(connections.logged_in, Ordering::Relaxed);
    }
}

impl Connections {
    /// Whether one more login may begin. Clients that are silent or slow make room for it: they cannot keep others out.
    fn admit(&mut self, limit: usize) -> bool {
        if self.logged_in > limit {
            return false;
        }
        if self.logins.len() < limit + SPARE_LOGINS {
            return true;
        }
        match self.logins.front() {
            Some((begun, stream)) if begun.elapsed() > LOGIN_PATIENCE => {
                if let Some(stream) = stream.upgrade() {
                    stream.shutdown(std::net::Shutdown::Both);
                }
                self.logins.pop_front();
                true
            }
            _ => false,
        }
    }
}

enum Listener {
    Unix(UnixListener),
    Tcp(TcpListener),
}

/// The name of the user whose process is at the other end, for accounts of the plugin unix_socket.
fn system_user(stream: &std::os::unix::net::UnixStream) -> Option<String> {
    let peer = rustix::net::sockopt::socket_peercred(stream).ok()?;
    let id = peer.uid.as_raw().to_string();
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    let line = users.lines().find(|line| line.split(':').nth(2) == Some(id.as_str()))?;
    line.split(':').next().map(str::to_owned)
}

impl Listener {
    fn accept(&self) -> io::Result<(Stream, Peer)> {
        match self {
            Self::Unix(listener) => {
                let (stream, _) = listener.accept()?;
                let system_user = system_user(&stream);
                Ok((stream.into(), Peer { host: "localhost".into(), address: None, port: 0, system_user }))
            }
            Self::Tcp(listener) => {
                let (stream, address) = listener.accept()?;
                stream.set_nodelay(true)?;
                let own = address.ip().to_canonical();
                let peer = Peer {
                    host: host(own),
                    address: Some(own.to_string()),
                    port: address.port(),
                    system_user: None,
                };
                Ok((stream.into(), peer))
            }
        }
    }

    /// Wakes the thread that waits in [`Listener::accept`].
    fn shutdown(&self) {
        // An error means that it does not listen any more.
        let _ = match self {
            Self::Unix(listener) => rustix::net::shutdown(listener, rustix::net::Shutdown::Both),
            Self::Tcp(listener) => rustix::net::shutdown(listener, rustix::net::Shutdown::Both),
        };
    }
}

/// The name accounts know a client's machine by.
fn host(address: IpAddr) -> String {
    if address.is_loopback() { "localhost".into() } else { address.to_string() }
}

/// A server that listens.
pub struct Server {
    shared: Arc<Shared>,
    listeners: Vec<(Arc<Listener>, JoinHandle<()>)>,
    watch: JoinHandle<()>,
    socket: Option<PathBuf>,
    addresses: Vec<SocketAddr>,
}

impl Server {
    /// Binds the sockets and begins to accept.
    ///
    /// # Errors
    /// See [`ListenError`].
    pub fn start(engine: Arc<Engine>, options: &ListenOptions) -> Result<Self, ListenError> {
        raise_open_files();
        if options.on_shutdown.is_some() {
            engine.allow_stop();
        }
        let tls =
            if options.tls { Some(Certificates::open(&engine).map_err(ListenError::Tls)?) } else { None };
        let shared = Arc::new(Shared {
            engine,
            tls,
            on_shutdown: options.on_shutdown.clone(),
            cheapest_answers: Cheapest::default(),
            logged_in: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
            connections: Mutex::default(),
            changed: Condvar::new(),
        });
        let mut bound = Vec::new();
        let mut addresses = Vec::new();
        for &address in &options.tcp {
            let failed = |source| ListenError::Tcp { address, source };
            let listener = TcpListener::bind(address).map_err(failed)?;
            addresses.push(listener.local_addr().map_err(failed)?);
            bound.push(Listener::Tcp(listener));
        }
        if let Some(path) = &options.socket {
            bound.push(Listener::Unix(bind_unix(path)?));
        }
        shared.engine.listens(options.socket.as_deref(), addresses.first().map_or(0, SocketAddr::port));
        let listeners = bound
            .into_iter()
            .map(|listener| {
                let listener = Arc::new(listener);
                let (own, shared) = (Arc::clone(&listener), Arc::clone(&shared));
                (listener, thread::spawn(move || accept_all(&own, &shared)))
            })
            .collect();
        let own = Arc::clone(&shared);
        let watch = thread::spawn(move || watch_clients(&own));
        Ok(Self { shared, listeners, watch, socket: options.socket.clone(), addresses })
    }

    /// The addresses bound, with their real ports.
    #[must_use]
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Stops accepting and ends all connections; statements that run are killed. The engine stays open: its
    /// owner shuts it down.
    pub fn stop(self) {
        self.shared.stopping.store(true, Ordering::SeqCst);
        self.watch.thread().unpark();
        if self.watch.join().is_err() {
            tracing::error!("the thread that looks for clients had panicked");
        }
        for (listener, thread) in self.listeners {
            listener.shutdown();
            if thread.join().is_err() {
                tracing::error!("a listener's thread had panicked");
            }
        }
        if let Some(path) = &self.socket {
            // Whoever removed it before us did our work.
            let _ = std::fs::remove_file(path);
        }
        let deadline = Instant::now() + SHUTDOWN_WAIT;
        let mut connections = self.shared.connections.lock();
        let live: Vec<_> = connections.streams.values().filter_map(std::sync::Weak::upgrade).collect();
        drop(connections);
        self.shared.engine.connections.kill_all();
        for stream in live {
            // Also those that have not logged in.
            stream.shutdown(std::net::Shutdown::Both);
        }
        connections = self.shared.connections.lock();
        while connections.threads > 0 {
            if self.shared.changed.wait_until(&mut connections, deadline).timed_out() {
                tracing::warn!("{} connections did not end in time", connections.threads);
                break;
            }
        }
    }
}

fn bind_unix(path: &Path) -> Result<UnixListener, ListenError> {
    let failed = |source| ListenError::Socket { path: path.to_path_buf(), source };
    if path.exists() {
        // A socket nobody listens on was left behind by a server that was killed.
        if UnixStream::connect(path).is_ok() {
            return Err(ListenError::SocketInUse { path: path.to_path_buf() });
        }
        std::fs::remove_file(path).map_err(failed)?;
    }
    let listener = UnixListener::bind(path).map_err(failed)?;
    // Who may connect is decided by accounts, as with MariaDB.
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(path, mode).map_err(failed)?;
    Ok(listener)
}

/// A connection takes a descriptor, and tables take more: asks for as many as the system allows.
fn raise_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::warn!(%error, "cannot raise the limit of open files");
        }
    }
}

/// Ends long statements whose clients have gone.
fn watch_clients(shared: &Shared) {
    while !shared.stopping.load(Ordering::SeqCst) {
        thread::park_timeout(POLL_INTERVAL);
        shared.engine.end_statements_of_gone_clients(POLL_INTERVAL);
    }
}

fn accept_all(listener: &Listener, shared: &Arc<Shared>) {
    while !shared.stopping.load(Ordering::SeqCst) {
        match listener.accept() {
            Ok((stream, peer)) => admit(stream, peer, shared),
            Err(_) if shared.stopping.load(Ordering::SeqCst) => return,
            Err(error) => {
                tracing::error!(%error, "cannot accept a connection");
                // Out of descriptors, mostly: connections that end give some back.
                thread::sleep(Duration::from_millis(50));
            }
        }
    }
}

/// Starts the thread of a connection, or refuses it.
fn admit(stream: Stream, peer: Peer, shared: &Arc<Shared>) {
    let stream = Arc::new(stream);
    {
        let mut connections = shared.connections.lock();
        if !connections.admit(shared.engine.max_connections()) {
            drop(connections);
            shared.engine.count_refused_connection();
            connection::refuse(&stream, &SqlError::new(ER_CON_COUNT_ERROR, &[]));
            return;
        }
        connections.threads += 1;
        connections.logins.push_back((Instant::now(), Arc::downgrade(&stream)));
    }
    let own = Arc::clone(shared);
    let spawned = thread::Builder::new().name("connection".into()).stack_size(STACK).spawn(move || {
        // One connection's panic is its own affair: the session ends, the process lives.
        let served = std::panic::catch_unwind(AssertUnwindSafe(|| connection::serve(&stream, &peer, &own)));
        if served.is_err() {
            tracing::error!("a connection from '{}' was closed by a panic", peer.host);
            stream.shutdown(std::net::Shutdown::Both);
        }
        drop(stream);
        leave(&own);
    });
    if let Err(error) = spawned {
        tracing::error!(%error, "cannot start a thread for a connection");
        leave(shared);
    }
}

fn leave(shared: &Shared) {
    let mut connections = shared.connections.lock();
    connections.threads -= 1;
    connections.streams.retain(|_, stream| stream.strong_count() > 0);
    connections.logins.retain(|(_, stream)| stream.strong_count() > 0);
    shared.changed.notify_all();
}
