//! One connection: login, then commands until it ends.

use std::collections::HashMap;
use std::net::Shutdown;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sql::error::{self as code, SqlError};
use sql::result::{Param, ResultSchema};
use sql::session::{ConnectInfo, Session, Tracked};

use crate::answer::{self, ColumnDefinition, Ok as OkPacket};
use crate::auth::Scramble;
use crate::cursor::Cursor;
use crate::handshake::ChangeUser;
use crate::listener::Shared;
use crate::login::{Dialogue, LoggedIn, Refusal, check_database, name};
use crate::packet::{PacketReader, PacketWriter, ReadError};
use crate::parameters::{Bulk, Execute, parse_values};
use crate::placement::Placement;
use crate::polling::Polling;
use crate::protocol::{capability, command};
use crate::reply::DurabilityGate;
use crate::resultset::{ColumnKind, Format, Negotiated, ResultWriter, put_columns};
use crate::stream::Stream;
use crate::wire::{Fields, Malformed};

/// Where a client comes from.
#[derive(Debug, Clone)]
pub struct Peer {
    /// `localhost` for the unix socket and the loopback addresses, else the address.
    pub host: String,
    /// The address; none for the unix socket.
    pub address: Option<String>,
    /// 0 for the unix socket.
    pub port: u16,
    /// Who the kernel says is at the other end of the unix socket.
    pub system_user: Option<String>,
}

/// Why a connection is over.
enum End {
    /// COM_QUIT, or nothing more to say.
    Done,
    /// The client went, or was sent away, without COM_QUIT.
    Aborted(ReadError),
}

impl From<ReadError> for End {
    fn from(error: ReadError) -> Self {
        Self::Aborted(error)
    }
}

impl From<std::io::Error> for End {
    fn from(error: std::io::Error) -> Self {
        Self::Aborted(error.into())
    }
}

/// A prepared statement as the connection sees it; `sql` has the rest.
struct Statement {
    parameters: usize,
    /// Types of the parameters as sent with the last execution.
    types: Vec<[u8; 2]>,
    /// Values sent ahead with COM_STMT_SEND_LONG_DATA, until the next execution.
    long: Vec<Option<Vec<u8>>>,
    /// COM_STMT_SEND_LONG_DATA has no answer; the next execution gives its error.
    long_error: Option<SqlError>,
    /// The definitions the client has.
    schema: Arc<ResultSchema>,
    cursor: Cursor,
}

/// So many COM_CHANGE_USER may be refused on a connection, those between that are not change nothing about it:
/// passwords cannot be tried one after another without connecting anew.
const MOST_REFUSED_CHANGES: u32 = 3;

struct Connection<'s> {
    stream: &'s Arc<Stream>,
    shared: &'s Shared,
    peer: &'s Peer,
    writer: PacketWriter,
    session: Session,
    negotiated: Negotiated,
    info: ConnectInfo,
    scramble: Scramble,
    statements: HashMap<u32, Statement, foldhash::fast::RandomState>,
    last_prepared: u32,
    /// How many COM_CHANGE_USER were refused so far.
    refused_changes: u32,
    /// Memory reused by every result set.
    columns: Vec<ColumnKind>,
    /// Memory reused by every execution, empty between them.
    values: Vec<Param<'static>>,
}

/// Serves a client from greeting to end.
pub(crate) fn serve(stream: &Arc<Stream>, peer: &Peer, shared: &Shared) {
    let mut reader = PacketReader::new();
    let mut writer = PacketWriter::new();
    let id = shared.engine.next_connection_id();
    let login = crate::login::log_in(stream, peer, shared, id, &mut reader, &mut writer);
    shared.end_login(stream);
    match login {
        Ok(LoggedIn { session, info, scramble, negotiated, place: _place }) => {
            let mut connection =
                Connection::new(Client { stream, shared, peer }, writer, session, info, scramble, negotiated);
            shared.register(id, stream);
            connection.ok_with_database();
            let end = connection.writer.flush(stream).map_err(End::from).map(|()| {
                if negotiated.capabilities & capability::COMPRESS != 0 {
                    stream.compress();
                }
            });
            let end = match end {
                Ok(()) => match connection.init_connect() {
                    Ok(()) => connection.run(&mut reader),
                    Err(end) => end,
                },
                Err(end) => end,
            };
            shared.unregister(id);
            if matches!(end, End::Done) && connection.session.is_killed() {
                connection.session.count_aborted();
            }
            if let End::Aborted(reason) = end {
                connection.session.count_aborted();
                let info = &connection.info;
                tracing::info!(
                    "Aborted connection {id} to db: '{}' user: '{}' host: '{}' ({reason})",
                    info.db.as_deref().unwrap_or("unconnected"),
                    info.user,
                    info.host,
                );
            }
            writer = connection.writer;
        }
        Err(refusal) => {
            shared.engine.count_aborted_connect();
            match refusal {
                Refusal::Told(error) => {
                    answer::put_error(writer.begin(), &error, None);
                    writer.end();
                }
                Refusal::Lost(reason) => {
                    tracing::debug!("connection {id} from '{}' did not log in: {reason}", peer.host);
                }
            }
        }
    }
    // What could not be sent has no reader any more.
    let _ = writer.flush(stream);
    stream.say_goodbye();
    stream.shutdown(Shutdown::Both);
}

/// Sends an error in place of the greeting: without a SQLSTATE, as nothing is negotiated yet.
pub(crate) fn refuse(stream: &Stream, error: &SqlError) {
    let mut writer = PacketWriter::new();
    let out = writer.begin();
    out.push(0xff);
    out.extend_from_slice(&error.code.to_le_bytes());
    out.extend_from_slice(error.message.as_bytes());
    writer.end();
    // A client that went needs no refusal.
    let _ = writer.flush(stream);
}

/// The client's side of a connection.
struct Client<'s> {
    stream: &'s Arc<Stream>,
    shared: &'s Shared,
    peer: &'s Peer,
}

impl<'s> Connection<'s> {
    fn new(
        client: Client<'s>,
        mut writer: PacketWriter,
        mut session: Session,
        info: ConnectInfo,
        scramble: Scramble,
        negotiated: Negotiated,
    ) -> Self {
        writer.set_gate(DurabilityGate::new(session.defer_durability(), client.stream));
        Connection {
            stream: client.stream,
            shared: client.shared,
            peer: client.peer,
            writer,
            session,
            negotiated,
            info,
            scramble,
            statements: HashMap::default(),
            last_prepared: 0,
            refused_changes: 0,
            columns: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl Connection<'_> {
    /// Answers commands until the connection ends.
    fn run(&mut self, reader: &mut PacketReader) -> End {
        let mut polling = Polling::default();
        let mut idle = None;
        let mut placement =
            Placement::of(self.stream, self.peer.host == "localhost", &self.shared.cheapest_answers);
        let mut write_limit = None;
        let (mut received, mut sent) = (reader.received(), self.writer.sent());
        self.session.count_login(received, sent);
        loop {
            if self.session.is_killed() {
                return End::Done;
            }
            // Sockets are told of a timeout only when it has changed.
            let wanted = self.session.idle_timeout();
            if idle != Some(wanted) {
                if let Err(error) = self.stream.set_read_timeout(positive(wanted)) {
                    return error.into();
                }
                idle = Some(wanted);
            }
            let wanted = self.session.net_write_timeout();
            if write_limit != Some(wanted) {
                if let Err(error) = self.stream.set_write_timeout(positive(wanted)) {
                    return error.into();
                }
                write_limit = Some(wanted);
            }
            let limit = self.session.max_allowed_packet();
            self.session.note_buffers(reader.memory() + self.writer.memory());
            let quiet = self.shared.is_quiet();
            if quiet && reader.buffered().is_empty() {
                polling.look(self.stream);
            }
            let mut sequence = 0;
            let request = match reader.read(self.stream, &mut sequence, limit) {
                Ok(request) => request,
                Err(error) => return self.unreadable(error, sequence),
            };
            self.writer.set_sequence(sequence);
            let begun = self.session.notes_consumption().then(Instant::now);
            match self.command(request) {
                Ok(rest) => {
                    if let Some(rest) = rest {
                        reader.append(&rest);
                    }
                }
                Err(end) => {
                    self.session.count_traffic(reader.received() - received, self.writer.sent() - sent);
                    return end;
                }
            }
            let watched = placement.as_mut().filter(|_| !quiet && self.session.follows_client());
            if let Err(error) = self.finish_answer(watched) {
                return error.into();
            }
            if self.session.shutdown_requested()
                && let Some(ask) = &self.shared.on_shutdown
            {
                ask();
            }
            self.session.count_traffic(reader.received() - received, self.writer.sent() - sent);
            if let Some(begun) = begun {
                self.session.note_consumption(begun.elapsed());
            }
            (received, sent) = (reader.received(), self.writer.sent());
        }
    }

    /// Sends what is left of an answer.
    #[inline]
    fn finish_answer(&mut self, placement: Option<&mut Placement<'_>>) -> std::io::Result<()> {
        let Some(placement) = placement else { return self.writer.finish(self.stream) };
        placement.before_answer(self.writer.sent());
        self.writer.finish(self.stream)?;
        placement.after_answer(self.stream, self.writer.sent());
        Ok(())
    }

    /// Tells the client why its request was not taken, where it can still be told.
    fn unreadable(&mut self, error: ReadError, sequence: u8) -> End {
        self.writer.set_sequence(sequence);
        match error {
            // KILL shuts the socket down.
            ReadError::Closed if self.session.is_killed() => return End::Done,
            ReadError::OutOfOrder { .. } => {
                self.writer.set_sequence(0);
                self.error(&SqlError::new(code::ER_NET_PACKETS_OUT_OF_ORDER, &[]));
            }
            ReadError::TooLarge { .. } => {
                self.error(&SqlError::new(code::ER_NET_PACKET_TOO_LARGE, &[]));
                if self.writer.flush(self.stream).is_ok() {
                    self.discard();
                }
            }
            _ => {}
        }
        End::Aborted(error)
    }

    /// Reads and drops what the client is still sending, for a short while: closing with unread bytes would reset
    /// the connection and take the error message with it.
    fn discard(&mut self) {
        self.stream.shutdown(Shutdown::Write);
        let begun = Instant::now();
        let mut waste = vec![0; 64 * 1024];
        let _ = self.stream.set_read_timeout(Some(Duration::from_secs(1)));
        while begun.elapsed() < Duration::from_secs(5) {
            if !matches!(self.stream.recv(&mut waste), Ok(1..)) {
                break;
            }
        }
    }

    /// Runs one command; its answer is left in the writer. Gives bytes the client sent behind a file.
    #[inline]
    fn command(&mut self, request: &[u8]) -> Result<Option<Vec<u8>>, End> {
        let Some((&byte, body)) = request.split_first() else {
            self.error(&SqlError::new(code::ER_UNKNOWN_COM_ERROR, &[]));
            return Ok(None);
        };
        match byte {
            command::STMT_EXECUTE => {
                self.execute(body)?;
                Ok(None)
            }
            command::QUERY => self.query(body),
            command::QUIT => {
                self.session.note_command("Quit", b"");
                Err(End::Done)
            }
            _ => {
                self.other(byte, body)?;
                Ok(None)
            }
        }
    }

    fn query(&mut self, sql: &[u8]) -> Result<Option<Vec<u8>>, End> {
        // Some clients count the NUL of their string; what ends a statement is no part of it.
        let text = |b: &u8| !matches!(b, 0 | b';') && !b.is_ascii_whitespace();
        let end = sql.iter().rposition(text).map_or(0, |last| last + 1);
        let flags = self.session.status_flags();
        let mut sink = ResultWriter::new(
            &mut self.writer,
            self.stream,
            &mut self.columns,
            self.negotiated,
            Format::Text,
            flags,
        )
        .with_longest_packet(self.session.max_allowed_packet());
        if let Err(error) = self.session.query(&sql[..end], &mut sink) {
            sink.fail(&error, self.session.messages_in());
        }
        if sink.broken {
            return Err(broken());
        }
        Ok(sink.infile.map(|infile| infile.rest().to_vec()))
    }

    fn execute(&mut self, body: &[u8]) -> Result<(), End> {
        let Ok(request) = Execute::parse(body) else {
            self.malformed();
            return Ok(());
        };
        let id = if request.statement == u32::MAX { self.last_prepared } else { request.statement };
        let Some(statement) = self.statements.get_mut(&id) else {
            self.unknown_statement(id, "mysqld_stmt_execute");
            return Ok(());
        };
        if let Some(error) = statement.long_error.take() {
            statement.long.clear();
            self.error(&error);
            return Ok(());
        }
        statement.cursor =
            if request.cursor { Cursor::new(self.session.budget()) } else { Cursor::default() };
        let mut values = recycle(std::mem::take(&mut self.values));
        let parsed = parse_values(
            request.rest,
            statement.parameters,
            &mut statement.types,
            &statement.long,
            &mut values,
        );
        if parsed.is_err() {
            drop(values);
            self.malformed();
            return Ok(());
        }
        let flags = self.session.status_flags();
        let mut sink = ResultWriter::new(
            &mut self.writer,
            self.stream,
            &mut self.columns,
            self.negotiated,
            Format::Binary,
            flags,
        )
        .with_known(&mut statement.schema);
        if request.cursor {
            sink = sink.with_cursor(&mut statement.cursor);
        }
        if let Err(error) = self.session.execute(id, &values, &mut sink) {
            sink.fail(&error, self.session.messages_in());
        }
        let gone = sink.broken;
        self.values = recycle(values);
        if !statement.long.is_empty() {
            statement.long.clear();
        }
        if gone { Err(broken()) } else { Ok(()) }
    }

    fn bulk(&mut self, body: &[u8]) -> Result<(), End> {
        let Ok(mut request) = Bulk::parse(body) else {
            self.malformed();
            return Ok(());
        };
        let id = if request.statement == u32::MAX { self.last_prepared } else { request.statement };
        let Some(statement) = self.statements.get_mut(&id) else {
            self.unknown_statement(id, "mysqld_stmt_bulk_execute");
            return Ok(());
        };
        if request.read_types(statement.parameters, &mut statement.types).is_err() {
            self.malformed();
            return Ok(());
        }
        if let Err(error) = self.session.check_bulk(id) {
            self.error(&error);
            return Ok(());
        }
        let flags = self.session.status_flags();
        let mut sink = ResultWriter::new(
            &mut self.writer,
            self.stream,
            &mut self.columns,
            self.negotiated,
            Format::Bulk,
            flags,
        );
        let mut values = Vec::new();
        let result = loop {
            match request.next_set(&statement.types, &mut values) {
                Ok(false) => break Ok(()),
                Ok(true) => {
                    if let Err(error) = self.session.execute(id, &values, &mut sink) {
                        break Err(error);
                    }
                }
                Err(Malformed) => break Err(malformed_error()),
            }
        };
        match result {
            Ok(()) => sink.finish_bulk(),
            Err(error) => sink.fail(&error, self.session.messages_in()),
        }
        if sink.broken { Err(broken()) } else { Ok(()) }
    }

    /// The commands that are not on the hot path.
    #[cold]
    #[inline(never)]
    fn other(&mut self, byte: u8, body: &[u8]) -> Result<(), End> {
        self.session.begin_command(byte);
        self.note(byte, body);
        match byte {
            command::STMT_PREPARE => self.prepare(body),
            command::STMT_BULK_EXECUTE => return self.bulk(body),
            command::STMT_CLOSE => {
                if let Ok(id) = Fields::new(body).u32() {
                    self.statements.remove(&id);
                    self.session.close_statement(id);
                }
            }
            command::STMT_SEND_LONG_DATA => self.long_data(body),
            command::STMT_RESET => self.reset_statement(body),
            command::STMT_FETCH => return self.fetch(body),
            command::PING => self.ok(),
            command::INIT_DB => {
                let database = name(self.info.collation, body);
                let checked = check_database(self.info.collation, body);
                match checked.and_then(|()| self.session.init_db(&database)) {
                    Ok(()) => {
                        self.info.db = Some(database);
                        self.ok_with_database();
                    }
                    Err(error) => self.error(&error),
                }
            }
            command::FIELD_LIST => return self.field_list(body),
            command::REFRESH => match body.first() {
                Some(&what) => match self.session.refresh(what) {
                    Ok(()) => self.ok(),
                    Err(error) => self.error(&error),
                },
                None => self.malformed(),
            },
            command::STATISTICS => {
                let line = self.session.statistics();
                self.writer.begin().extend_from_slice(line.as_bytes());
                self.writer.end();
            }
            command::PROCESS_INFO => return self.query(b"SHOW PROCESSLIST").map(drop),
            command::PROCESS_KILL => match Fields::new(body).u32() {
                Ok(id) => return self.query(format!("KILL {id}").as_bytes()).map(drop),
                Err(Malformed) => self.malformed(),
            },
            command::SHUTDOWN => return self.query(b"SHUTDOWN").map(drop),
            command::DEBUG => self.eof(),
            command::SET_OPTION => match Fields::new(body).u16() {
                Ok(option @ (0 | 1)) => {
                    self.session.set_multi_statements(option == 0);
                    self.eof();
                }
                _ => self.error(&SqlError::new(code::ER_UNKNOWN_COM_ERROR, &[])),
            },
            command::CHANGE_USER => return self.change_user(body),
            command::RESET_CONNECTION => {
                self.session.reset_connection();
                self.statements.clear();
                self.ok();
            }
            _ => self.error(&SqlError::new(code::ER_UNKNOWN_COM_ERROR, &[])),
        }
        Ok(())
    }

    /// Notes a command that is no statement in the general log.
    fn note(&mut self, byte: u8, body: &[u8]) {
        let text: Vec<u8>;
        let (word, text) = match byte {
            command::STMT_CLOSE => ("Close stmt", &b""[..]),
            command::STMT_SEND_LONG_DATA => ("Long Data", &b""[..]),
            command::STMT_RESET => ("Reset stmt", &b""[..]),
            command::STMT_FETCH => ("Fetch", &b""[..]),
            command::INIT_DB => ("Init DB", body),
            command::STATISTICS => ("Statistics", &b""[..]),
            command::DEBUG => ("Debug", &b""[..]),
            command::REFRESH => ("Refresh", &b""[..]),
            command::FIELD_LIST => {
                text = body.iter().map(|&b| if b == 0 { b' ' } else { b }).collect();
                ("Field List", &text[..])
            }
            _ => return,
        };
        self.session.note_command(word, text);
    }

    fn prepare(&mut self, sql: &[u8]) {
        let end = sql.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
        let prepared = match self.session.prepare(&sql[..end]) {
            Ok(prepared) => prepared,
            Err(error) => {
                self.error(&error);
                return;
            }
        };
        let flags = self.session.status_flags();
        let deprecate_eof = self.negotiated.capabilities & capability::DEPRECATE_EOF != 0;
        let (parameters, columns) = (prepared.params.len(), prepared.columns.columns.len());
        let out = self.writer.begin();
        out.push(0);
        out.extend_from_slice(&prepared.id.to_le_bytes());
        out.extend_from_slice(&(columns as u16).to_le_bytes());
        out.extend_from_slice(&(parameters as u16).to_le_bytes());
        out.push(0);
        out.extend_from_slice(&prepared.warnings.to_le_bytes());
        self.writer.end();
        for parameter in &prepared.params {
            let definition = ColumnDefinition::from(parameter);
            answer::put_column(self.writer.begin(), &definition, None, self.negotiated.extended);
            self.writer.end();
        }
        if parameters > 0 && !deprecate_eof {
            answer::put_eof(self.writer.begin(), flags, 0);
            self.writer.end();
        }
        put_columns(&mut self.writer, &prepared.columns, self.negotiated);
        if columns > 0 && !deprecate_eof {
            answer::put_eof(self.writer.begin(), flags, 0);
            self.writer.end();
        }
        self.last_prepared = prepared.id;
        let statement = Statement {
            parameters,
            types: Vec::new(),
            long: Vec::new(),
            long_error: None,
            schema: prepared.columns,
            cursor: Cursor::default(),
        };
        self.statements.insert(prepared.id, statement);
    }

    /// Has no answer, not even for errors.
    fn long_data(&mut self, body: &[u8]) {
        let mut fields = Fields::new(body);
        let (Ok(id), Ok(parameter)) = (fields.u32(), fields.u16()) else { return };
        let limit = self.session.max_allowed_packet();
        let id = if id == u32::MAX { self.last_prepared } else { id };
        let Some(statement) = self.statements.get_mut(&id) else { return };
        let parameter = usize::from(parameter);
        if parameter >= statement.parameters {
            let error = SqlError::new(code::ER_WRONG_ARGUMENTS, &[&"mysqld_stmt_send_long_data"]);
            statement.long_error = Some(error);
            return;
        }
        statement.long.resize(statement.parameters, None);
        let data = statement.long[parameter].get_or_insert_default();
        if data.len() + fields.rest().len() > limit {
            statement.long_error = Some(SqlError::internal(
                "Parameter of prepared statement which is set through mysql_send_long_data() is longer than \
                 'max_allowed_packet' bytes",
            ));
            return;
        }
        data.extend_from_slice(fields.rest());
    }

    fn reset_statement(&mut self, body: &[u8]) {
        let Ok(id) = Fields::new(body).u32() else {
            self.malformed();
            return;
        };
        let Some(statement) = self.statements.get_mut(&id) else {
            self.unknown_statement(id, "mysqld_stmt_reset");
            return;
        };
        statement.long.clear();
        statement.long_error = None;
        statement.cursor = Cursor::default();
        match self.session.reset_statement(id) {
            Ok(()) => self.ok(),
            Err(error) => self.error(&error),
        }
    }

    fn fetch(&mut self, body: &[u8]) -> Result<(), End> {
        let mut fields = Fields::new(body);
        let (Ok(id), Ok(count)) = (fields.u32(), fields.u32()) else {
            self.malformed();
            return Ok(());
        };
        let flags = self.session.status_flags();
        match self.statements.get_mut(&id) {
            None => self.unknown_statement(id, "mysqld_stmt_fetch"),
            Some(statement) if statement.cursor.open => {
                let sent =
                    statement.cursor.fetch(count, &mut self.writer, self.stream, self.negotiated, flags);
                match sent {
                    Ok(()) => {}
                    Err(None) => return Err(broken()),
                    Err(Some(error)) => {
                        statement.cursor = Cursor::default();
                        self.error(&error);
                    }
                }
            }
            Some(_) => self.error(&SqlError::new(code::ER_STMT_HAS_NO_OPEN_CURSOR, &[&id])),
        }
        Ok(())
    }

    fn field_list(&mut self, body: &[u8]) -> Result<(), End> {
        let mut fields = Fields::new(body);
        let table = name(self.info.collation, fields.nul_bytes_or_rest());
        let wild = name(self.info.collation, fields.rest());
        let flags = self.session.status_flags();
        let mut sink = ResultWriter::new(
            &mut self.writer,
            self.stream,
            &mut self.columns,
            self.negotiated,
            Format::FieldList,
            flags,
        );
        if let Err(error) = self.session.field_list(&table, &wild, &mut sink) {
            sink.fail(&error, self.session.messages_in());
        }
        if sink.broken { Err(broken()) } else { Ok(()) }
    }

    /// Runs the statements of `init_connect`: a client for whom they fail is sent away.
    fn init_connect(&mut self) -> Result<(), End> {
        self.session.run_init_connect().map_err(|error| {
            tracing::warn!("init_connect of user '{}' failed: {}", self.info.user, error.message);
            End::Done
        })
    }

    fn change_user(&mut self, body: &[u8]) -> Result<(), End> {
        if self.refused_changes >= MOST_REFUSED_CHANGES {
            self.error(&SqlError::new(code::ER_UNKNOWN_COM_ERROR, &[]));
            return Ok(());
        }
        let Ok(request) = ChangeUser::parse(body, self.negotiated.capabilities) else {
            self.error(&SqlError::new(code::ER_UNKNOWN_COM_ERROR, &[]));
            return Ok(());
        };
        let collation = request.collation.unwrap_or(self.info.collation);
        let user = name(collation, request.user);
        // The command's own buffer is still in use; a client sends nothing ahead here.
        let mut reader = PacketReader::new();
        let asked = Dialogue {
            stream: self.stream,
            peer: self.peer,
            engine: &self.shared.engine,
            reader: &mut reader,
            writer: &mut self.writer,
            scramble: &mut self.scramble,
            encryption: self.info.encryption.as_deref(),
        }
        .prove(&user, request.plugin, request.auth);
        let checked = match asked {
            Ok(_) => Ok(()),
            Err(Refusal::Told(error)) => Err(error),
            Err(Refusal::Lost(reason)) => return Err(reason.into()),
        };
        let info = ConnectInfo {
            user,
            db: (!request.database.is_empty()).then(|| name(collation, request.database)),
            collation,
            ..self.info.clone()
        };
        match checked.and_then(|()| self.session.change_user(&info)) {
            Ok(()) => {
                self.info = info;
                self.statements.clear();
                let (user, host) = (&self.info.user, &self.info.host);
                let line = format!("{user}@{host} on {}", self.info.db.as_deref().unwrap_or_default());
                self.session.note_command("Change user", line.as_bytes());
                self.ok_with_database();
                self.init_connect()
            }
            Err(error) => {
                // The account before stays, as with MariaDB.
                self.refused_changes += 1;
                self.error(&error);
                Ok(())
            }
        }
    }

    fn ok(&mut self) {
        let ok = OkPacket { status: self.session.status_flags(), ..OkPacket::default() };
        answer::put_ok(self.writer.begin(), 0, &ok, self.negotiated.capabilities);
        self.writer.end();
    }

    /// OK that tells clients who track it the current database.
    fn ok_with_database(&mut self) {
        let status = self.session.status_flags();
        let tracked = self.info.db.iter().map(|db| Tracked::Database(db.clone())).collect::<Vec<_>>();
        let mut encoded = Vec::new();
        crate::resultset::put_tracked(&mut encoded, &tracked);
        let ok = OkPacket { status, tracked: &encoded, ..OkPacket::default() };
        answer::put_ok(self.writer.begin(), 0, &ok, self.negotiated.capabilities);
        self.writer.end();
    }

    fn eof(&mut self) {
        let ok = OkPacket { status: self.session.status_flags(), ..OkPacket::default() };
        answer::put_result_end(self.writer.begin(), self.negotiated.capabilities, &ok);
        self.writer.end();
    }

    fn error(&mut self, error: &SqlError) {
        answer::put_error(self.writer.begin(), error, self.session.messages_in());
        self.writer.end();
    }

    fn malformed(&mut self) {
        self.error(&malformed_error());
    }

    fn unknown_statement(&mut self, id: u32, function: &str) {
        self.error(&SqlError::new(code::ER_UNKNOWN_STMT_HANDLER, &[&id, &function]));
    }
}

fn malformed_error() -> SqlError {
    SqlError::new(code::ER_MALFORMED_PACKET, &[])
}

fn broken() -> End {
    End::Aborted(ReadError::Io(std::io::ErrorKind::BrokenPipe.into()))
}

/// A timeout as sockets take it: zero would be refused.
fn positive(limit: Duration) -> Option<Duration> {
    (limit > Duration::ZERO).then_some(limit)
}

/// Empties the memory of a list of values for values of another lifetime.
fn recycle<'b>(mut values: Vec<Param<'_>>) -> Vec<Param<'b>> {
    values.clear();
    // Same layout, so the standard library collects in place: the allocation stays.
    values.into_iter().map(|_| Param::Null).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recycling_keeps_the_memory() {
        let text = b"abc".to_vec();
        let mut values = Vec::with_capacity(10);
        values.push(Param::Bytes { value: &text, binary: false });
        let recycled: Vec<Param<'static>> = recycle(values);
        assert!(recycled.is_empty() && recycled.capacity() >= 10);
    }
}
