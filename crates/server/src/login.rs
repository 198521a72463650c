//! From the greeting to a session: TLS, the proof of the account, the place among the connections.

use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use charset::{Charset, Collation};
use sql::Engine;
use sql::error::{self as code, SqlError};
use sql::old_password;
use sql::rights::accounts::OLD;
use sql::rights::login::{Attempt, Challenge, Client, Short, Step};
use sql::rights::{caching_sha2, ed25519};
use sql::session::{ConnectInfo, GoneHook, KillHook, Session};
use sql::status::encryption::Encryption;

use crate::auth::{self, HASH, NATIVE_PASSWORD, Scramble};
use crate::connection::Peer;
use crate::handshake::{Greeting, LoginRequest, is_ssl_request, put_auth_switch};
use crate::listener::{Place, Shared};
use crate::packet::{PacketReader, PacketWriter, ReadError};
use crate::protocol::{capability, status};
use crate::resultset::Negotiated;
use crate::stream::Stream;

/// The longest login request taken, in bytes: names and attributes, nothing more.
const LOGIN_LIMIT: usize = 128 * 1024;

/// `caching_sha2_password`: the answer was right.
const FAST: u8 = 3;

/// `caching_sha2_password`: the password itself is needed.
const FULL: u8 = 4;

/// Why there is no session.
pub(crate) enum Refusal {
    /// The client is told.
    Told(SqlError),
    /// There is nobody to tell.
    Lost(ReadError),
}

impl From<SqlError> for Refusal {
    fn from(error: SqlError) -> Self {
        Self::Told(error)
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        Self::Lost(error)
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        Self::Lost(error.into())
    }
}

/// A client that is logged in.
pub(crate) struct LoggedIn<'s> {
    pub session: Session,
    pub info: ConnectInfo,
    pub scramble: Scramble,
    pub negotiated: Negotiated,
    pub place: Place<'s>,
}

/// Logs a client in; what it is told at the end, OK or error, is left to the caller.
pub(crate) fn log_in<'s>(
    stream: &Arc<Stream>,
    peer: &Peer,
    shared: &'s Shared,
    id: u64,
    reader: &mut PacketReader,
    writer: &mut PacketWriter,
) -> Result<LoggedIn<'s>, Refusal> {
    let engine = &shared.engine;
    // One for the whole login, whatever its bytes drip in.
    let deadline = Instant::now() + engine.connect_timeout();
    reader.set_deadline(Some(deadline));
    stream.set_write_timeout(Some(engine.connect_timeout()))?;
    let mut scramble = auth::scramble()?;
    let mut capabilities = capability::OFFERED;
    // Nobody listens on a socket of this machine, so that TLS would be for nothing, unless an account insists on it.
    let tls = shared.tls.as_ref().filter(|_| !stream.is_local() || engine.demands_encryption());
    if tls.is_some() {
        capabilities |= capability::SSL;
    }
    greet(engine, id, scramble, capabilities, writer);
    writer.flush(stream)?;

    let mut sequence = 1;
    let mut request = read_request(stream, reader, writer, &mut sequence)?;
    let mut encryption = None;
    if let Some(tls) = tls
        && is_ssl_request(&request)
    {
        engine.encryption.accepts.fetch_add(1, Ordering::Relaxed);
        let early = reader.take_buffered();
        encryption = Some(Arc::new(stream.encrypt(tls.current(), &early, deadline)?));
        engine.encryption.finished.fetch_add(1, Ordering::Relaxed);
        request = read_request(stream, reader, writer, &mut sequence)?;
    }
    let request = LoginRequest::parse(&request).map_err(|_| SqlError::new(code::ER_HANDSHAKE_ERROR, &[]))?;
    let negotiated = Negotiated { capabilities: request.capabilities, extended: request.extended };
    let user = name(request.collation, request.user);
    let noted = connect_line(stream, peer, &request, &user);
    let refused = |refusal: Refusal| {
        if let Refusal::Told(error) = &refusal {
            engine.note_refused(id, &[&noted, &error.message]);
        }
        refusal
    };
    let attempt = Dialogue {
        stream,
        peer,
        engine,
        reader,
        writer,
        scramble: &mut scramble,
        encryption: encryption.as_deref(),
    }
    .prove(&user, request.plugin, request.auth)
    .map_err(refused)?;
    let Some(place) = shared.place(&user, peer) else {
        engine.count_refused_connection();
        return Err(SqlError::new(code::ER_CON_COUNT_ERROR, &[]).into());
    };
    reader.set_deadline(None);
    check_database(request.collation, request.database)?;
    let mut info = connect_info(id, stream, peer, &request, user);
    info.with_password = attempt.with_password();
    info.encryption = encryption;
    let mut session = engine.connect(&info).map_err(|error| refused(error.into()))?;
    session.note_command("Connect", noted.as_bytes());
    Ok(LoggedIn { session, info, scramble, negotiated, place })
}

/// The next request of a login.
fn read_request(
    stream: &Stream,
    reader: &mut PacketReader,
    writer: &mut PacketWriter,
    sequence: &mut u8,
) -> Result<Vec<u8>, Refusal> {
    let request = reader.read(stream, sequence, LOGIN_LIMIT).map(<[u8]>::to_vec);
    if let Err(ReadError::OutOfOrder { .. }) = request {
        return Err(SqlError::new(code::ER_NET_PACKETS_OUT_OF_ORDER, &[]).into());
    }
    writer.set_sequence(*sequence);
    match request {
        Err(ReadError::TooLarge { .. }) => Err(SqlError::new(code::ER_HANDSHAKE_ERROR, &[]).into()),
        Err(error) => Err(error.into()),
        Ok(request) => Ok(request),
    }
}

fn greet(engine: &Engine, id: u64, scramble: Scramble, capabilities: u32, writer: &mut PacketWriter) {
    Greeting {
        version: engine.version(),
        connection_id: id as u32,
        scramble,
        capabilities,
        collation: engine.default_collation(),
        status: status::AUTOCOMMIT,
    }
    .encode(writer.begin());
    writer.end();
}

/// Questions to a client and its answers, until an account is proven.
pub(crate) struct Dialogue<'d> {
    pub stream: &'d Stream,
    pub peer: &'d Peer,
    pub engine: &'d Engine,
    pub reader: &'d mut PacketReader,
    pub writer: &'d mut PacketWriter,
    /// What the client has been sent last for `mysql_native_password`.
    pub scramble: &'d mut Scramble,
    pub encryption: Option<&'d Encryption>,
}

impl Dialogue<'_> {
    /// Asks until the account of this user is proven. `plugin` and `auth` are what the client sent unasked, made with the scramble that it
    /// has.
    ///
    /// # Errors
    /// Those of [`Engine::end_login`], and those of the stream.
    pub fn prove(mut self, user: &str, plugin: &[u8], auth: &[u8]) -> Result<Attempt, Refusal> {
        let client = Client {
            system_user: self.peer.system_user.as_deref(),
            encryption: self.encryption,
            secure: self.stream.is_secure(),
            refuse_old: self.engine.refuses_old_passwords(),
        };
        let native = plugin.is_empty() || plugin == NATIVE_PASSWORD.as_bytes();
        let mut unasked = (native && matches!(auth.len(), 0 | HASH)).then_some(auth);
        // The greeting's scramble serves the plugin that the client began with.
        let sha2 = plugin == caching_sha2::PLUGIN.as_bytes() && matches!(auth.len(), 0 | 32);
        let mut unasked_sha2 = sha2.then_some(auth);
        let mut unasked_old = (plugin == OLD.as_bytes()).then_some(auth);
        let mut attempt = self.engine.accounts.attempt(user, &self.peer.host, self.peer.address.as_deref());
        while let Step::Ask(challenge) = attempt.step(client) {
            let proven = match (challenge, unasked.take()) {
                (Challenge::Native, Some(answer)) => attempt.answer(challenge, &*self.scramble, answer),
                (Challenge::Native, None) => {
                    *self.scramble = auth::scramble()?;
                    let answer = self.ask(NATIVE_PASSWORD, &self.scramble.clone(), true)?;
                    attempt.answer(challenge, &*self.scramble, &answer)
                }
                (Challenge::Ed25519, _) => {
                    let scramble: [u8; 32] = auth::random()?;
                    let answer = self.ask(ed25519::CLIENT_PLUGIN, &scramble, false)?;
                    attempt.answer(challenge, &scramble, &answer)
                }
                (Challenge::Old, _) => {
                    let answer = match unasked_old.take() {
                        Some(answer) => answer.to_vec(),
                        None => self.ask_old()?,
                    };
                    let end = answer.len().min(old_password::SCRAMBLE);
                    let answer = if answer.first() == Some(&0) { &[] } else { &answer[..end] };
                    attempt.answer(challenge, &*self.scramble, answer)
                }
                (Challenge::CachingSha2, _) => {
                    let answer = match unasked_sha2.take() {
                        Some(answer) => answer.to_vec(),
                        None => {
                            *self.scramble = auth::scramble()?;
                            self.ask(caching_sha2::PLUGIN, &self.scramble.clone(), true)?
                        }
                    };
                    self.prove_by_sha2(&mut attempt, &answer, client.secure)?
                }
            };
            if proven {
                break;
            }
        }
        self.engine.end_login(&attempt, client)?;
        Ok(attempt)
    }

    /// Goes on from an answer to a scramble of `caching_sha2_password`: a password that the server does not know yet is asked for, where nobody
    /// listens. Elsewhere MySQL would have the client encrypt it for a key of RSA; here the client gets to know that there is none.
    fn prove_by_sha2(&mut self, attempt: &mut Attempt, answer: &[u8], secure: bool) -> Result<bool, Refusal> {
        match attempt.answer_short(self.scramble, answer) {
            Short::Empty => return Ok(attempt.is_admitted()),
            Short::Proven => {
                self.say_of_sha2(FAST)?;
                return Ok(true);
            }
            Short::Unknown => {}
        }
        self.say_of_sha2(FULL)?;
        let shown = self.next_answer()?;
        if !secure {
            return Ok(false);
        }
        Ok(attempt.answer_password(shown.strip_suffix(&[0]).unwrap_or(&shown)))
    }

    /// Tells the client how `caching_sha2_password` goes on.
    fn say_of_sha2(&mut self, what: u8) -> Result<(), Refusal> {
        self.writer.begin().extend_from_slice(&[1, what]);
        self.writer.end();
        self.writer.flush(self.stream)?;
        Ok(())
    }

    /// Asks the client for an answer of another plugin.
    fn ask(&mut self, plugin: &str, scramble: &[u8], terminated: bool) -> Result<Vec<u8>, Refusal> {
        put_auth_switch(self.writer.begin(), plugin, scramble, terminated);
        self.writer.end();
        self.writer.flush(self.stream)?;
        self.next_answer()
    }

    /// Asks the client for an answer of servers before 4.1 to the scramble that it has: the packet has no plugin in it.
    fn ask_old(&mut self) -> Result<Vec<u8>, Refusal> {
        self.writer.begin().push(0xfe);
        self.writer.end();
        self.writer.flush(self.stream)?;
        self.next_answer()
    }

    /// What the client answers.
    fn next_answer(&mut self) -> Result<Vec<u8>, Refusal> {
        let mut sequence = self.writer.sequence();
        let answer = self.reader.read(self.stream, &mut sequence, LOGIN_LIMIT)?.to_vec();
        self.writer.set_sequence(sequence);
        Ok(answer)
    }
}

/// A login as the general log has it.
fn connect_line(stream: &Stream, peer: &Peer, request: &LoginRequest<'_>, user: &str) -> String {
    let way = match (stream.is_local(), stream.is_secure()) {
        (true, _) => "Socket",
        (false, true) => "SSL/TLS",
        (false, false) => "TCP/IP",
    };
    format!("{user}@{} on {} using {way}", peer.host, name(request.collation, request.database))
}

/// What the engine is told of a connection.
fn connect_info(
    id: u64,
    stream: &Arc<Stream>,
    peer: &Peer,
    request: &LoginRequest<'_>,
    user: String,
) -> ConnectInfo {
    let caller = std::thread::current().id();
    let woken = Arc::downgrade(stream);
    let hook = KillHook(Arc::new(move || {
        // A connection that kills itself still answers.
        if std::thread::current().id() != caller
            && let Some(stream) = woken.upgrade()
        {
            stream.shutdown(Shutdown::Both);
        }
    }));
    let looked = Arc::downgrade(stream);
    let gone = GoneHook(Arc::new(move || looked.upgrade().is_none_or(|stream| stream.is_closed())));
    let has = |bit| request.capabilities & bit != 0;
    ConnectInfo {
        id,
        kill: Some(hook),
        gone: Some(gone),
        port: peer.port,
        user,
        host: peer.host.clone(),
        address: peer.address.clone(),
        db: (!request.database.is_empty()).then(|| name(request.collation, request.database)),
        collation: request.collation,
        compressed: has(capability::COMPRESS),
        found_rows: has(capability::FOUND_ROWS),
        multi_statements: has(capability::MULTI_STATEMENTS),
        out_parameters: has(capability::PS_MULTI_RESULTS),
        local_files: has(capability::LOCAL_FILES),
        ignore_space: has(capability::IGNORE_SPACE),
        interactive: has(capability::INTERACTIVE),
        ..ConnectInfo::default()
    }
}

/// Refuses a database's name that is no text of UTF-8 with at most three bytes a character.
///
/// # Errors
/// 1300.
pub(crate) fn check_database(collation: u16, bytes: &[u8]) -> Result<(), SqlError> {
    let Some(charset) = Collation::by_id(collation).map(|c| c.charset) else { return Ok(()) };
    if !matches!(charset.name, "binary" | "utf8mb3" | "utf8mb4") {
        return Ok(());
    }
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => match text.char_indices().find(|(_, c)| c.len_utf8() > 3) {
            None => return Ok(()),
            Some((at, _)) => at,
        },
        Err(e) => e.valid_up_to(),
    };
    let mut shown = String::from_utf8_lossy(&bytes[..valid]).into_owned();
    for b in &bytes[valid..] {
        if b.is_ascii() {
            shown.push(*b as char);
        } else {
            shown.push_str(&format!("\\x{b:02X}"));
        }
    }
    Err(SqlError::new(code::ER_INVALID_CHARACTER_STRING, &[&charset.name, &shown]))
}

/// A name in the client's character set as UTF-8.
pub(crate) fn name(collation: u16, bytes: &[u8]) -> String {
    if bytes.is_ascii() {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let from = Collation::by_id(collation).map(|c| c.charset);
    match (from, Charset::by_name("utf8mb4")) {
        (Some(from), Some(utf8)) => {
            let mut text = Vec::new();
            from.convert(bytes, utf8, &mut text);
            String::from_utf8_lossy(&text).into_owned()
        }
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}
