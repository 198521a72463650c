//! A server on the real engine, and a client that sends what it is told.

#![allow(dead_code, reason = "each test program uses a part")]

use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use server::handshake::{LoginRequest, ReceivedGreeting};
use server::packet::{PacketReader, PacketWriter, ReadError};
use server::protocol::capability;
use server::stream::Stream;
use server::{ListenOptions, Server, auth};
use sql::{Engine, EngineOptions};

/// A running server in a directory of its own.
pub struct TestServer {
    pub engine: Arc<Engine>,
    pub socket: PathBuf,
    pub port: u16,
    server: Option<Server>,
    directory: tempfile::TempDir,
    /// How often SHUTDOWN was carried out: nothing is stopped by it here.
    pub asked: Arc<AtomicUsize>,
}

impl TestServer {
    pub fn start() -> Self {
        Self::with(&[])
    }

    pub fn with(set: &[(&str, &str)]) -> Self {
        Self::in_directory(tempfile::tempdir().expect("temporary directory"), set, false)
    }

    /// With TLS.
    pub fn encrypted(directory: tempfile::TempDir, set: &[(&str, &str)]) -> Self {
        Self::in_directory(directory, set, true)
    }

    fn in_directory(directory: tempfile::TempDir, set: &[(&str, &str)], tls: bool) -> Self {
        let set = set.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let options = EngineOptions { set, create: true };
        let engine = Engine::open(&directory.path().join("data"), options).expect("engine");
        let socket = directory.path().join("s");
        let asked = Arc::new(AtomicUsize::new(0));
        let stops = Arc::clone(&asked);
        let listen = ListenOptions {
            socket: Some(socket.clone()),
            tcp: vec!["127.0.0.1:0".parse().expect("address")],
            on_shutdown: Some(Arc::new(move || _ = stops.fetch_add(1, Ordering::SeqCst))),
            tls,
        };
        let server = Server::start(Arc::clone(&engine), &listen).expect("server");
        let port = server.addresses()[0].port();
        Self { engine, socket, port, server: Some(server), directory, asked }
    }

    /// A client of the `mysql` crate, as root.
    pub fn client(&self) -> mysql::Conn {
        mysql::Conn::new(self.options()).expect("client")
    }

    pub fn options(&self) -> mysql::OptsBuilder {
        mysql::OptsBuilder::new().socket(self.socket.to_str()).user(Some("root")).prefer_socket(true)
    }

    pub fn directory(&self) -> &std::path::Path {
        self.directory.path()
    }

    /// Still serves: what every test of bad input ends with.
    pub fn assert_alive(&self) {
        use mysql::prelude::Queryable;
        assert_eq!(self.client().query_first::<i64, _>("SELECT 41 + 1").expect("query"), Some(42));
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop();
        }
    }
}

/// A client that speaks in payloads.
pub struct RawClient {
    pub stream: Stream,
    pub reader: PacketReader,
    /// Number of the next packet, of both sides.
    pub sequence: u8,
}

pub const ALL: u32 =
    capability::OFFERED & !capability::CONNECT_ATTRS & !capability::CONNECT_WITH_DB & !capability::COMPRESS;

impl RawClient {
    /// Connects and reads the greeting.
    pub fn connect(server: &TestServer) -> (Self, ReceivedGreeting) {
        let stream = Stream::from(UnixStream::connect(&server.socket).expect("connect"));
        let mut client = Self { stream, reader: PacketReader::new(), sequence: 0 };
        let greeting = ReceivedGreeting::parse(&client.read().expect("greeting")).expect("greeting");
        (client, greeting)
    }

    /// Connects and logs in as root.
    pub fn login(server: &TestServer, capabilities: u32) -> Self {
        let (mut client, greeting) = Self::connect(server);
        let answer = client.log_in(&greeting, capabilities, "root", "", b"mysql_native_password");
        assert_eq!(answer[0], 0, "{answer:?}");
        client
    }

    pub fn log_in(
        &mut self,
        greeting: &ReceivedGreeting,
        capabilities: u32,
        user: &str,
        password: &str,
        plugin: &[u8],
    ) -> Vec<u8> {
        let response = auth::response(&greeting.scramble, password.as_bytes());
        let login = LoginRequest {
            capabilities,
            extended: 0,
            max_packet: 1 << 24,
            collation: 45,
            user: user.as_bytes(),
            auth: if password.is_empty() { b"" } else { &response },
            database: b"",
            plugin,
            attributes: b"",
        };
        let mut payload = Vec::new();
        login.encode(&mut payload);
        self.send(&payload);
        self.read().expect("answer to the login")
    }

    /// Sends a payload with the next number.
    pub fn send(&mut self, payload: &[u8]) {
        let mut writer = PacketWriter::new();
        writer.set_sequence(self.sequence);
        writer.begin().extend_from_slice(payload);
        writer.end();
        self.sequence = writer.sequence();
        writer.flush(&self.stream).expect("send");
    }

    pub fn read(&mut self) -> Result<Vec<u8>, ReadError> {
        self.reader.read(&self.stream, &mut self.sequence, usize::MAX).map(<[u8]>::to_vec)
    }

    /// Sends a command and reads the first packet of its answer.
    pub fn command(&mut self, payload: &[u8]) -> Vec<u8> {
        self.sequence = 0;
        self.send(payload);
        self.read().expect("answer")
    }

    /// Reads packets up to the second EOF, or an OK or ERR in place of the first.
    pub fn result_set(&mut self, payload: &[u8]) -> Vec<Vec<u8>> {
        let mut packets = vec![self.command(payload)];
        if matches!(packets[0][0], 0 | 0xff) {
            return packets;
        }
        let mut ends = 0;
        while ends < 2 {
            let packet = self.read().expect("packet");
            if packet[0] == 0xff {
                packets.push(packet);
                break;
            }
            ends += usize::from(packet[0] == 0xfe && packet.len() < 9);
            packets.push(packet);
        }
        packets
    }

    /// Whether the server has closed the connection.
    pub fn closed(&mut self) -> bool {
        matches!(self.read(), Err(ReadError::Closed | ReadError::Truncated | ReadError::Io(_)))
    }
}

/// Number of an ERR packet.
pub fn error(packet: &[u8]) -> u16 {
    assert_eq!(packet[0], 0xff, "no error: {packet:?}");
    u16::from_le_bytes([packet[1], packet[2]])
}
