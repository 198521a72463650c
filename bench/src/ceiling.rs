//! The ceiling server: completes the handshake and answers every statement of sysbench's scripts with a canned
//! result of the right shape. It parses nothing beyond what tells the shapes apart and touches no table, so its
//! throughput is the most any server could reach with this client, kernel and machine.

use std::os::unix::net::UnixListener;
use std::path::Path;
use std::{io, thread};

use server::answer::{ColumnDefinition, Ok as OkPacket, put_column, put_eof, put_ok, put_result_end};
use server::handshake::{Greeting, LoginRequest};
use server::packet::{PacketReader, PacketWriter, ReadError};
use server::protocol::{capability, column_type, command, extended, status};
use server::stream::Stream;
use server::wire::{put_lenenc, put_lenenc_bytes};

/// Rows of a canned range.
const RANGE: usize = 100;

/// What a statement of sysbench is answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// One row of `c`.
    Point,
    /// 100 rows of `c`.
    Range,
    /// One row of `SUM(k)`.
    Sum,
    /// No rows, one affected.
    Ok,
}

impl Shape {
    fn of(sql: &[u8]) -> Self {
        // The texts are those of oltp_common.lua.
        if !sql.starts_with(b"SELECT ") {
            return Self::Ok;
        }
        match sql.get(7) {
            Some(b'D') => Self::Range,
            Some(b'S') => Self::Sum,
            // Behind "SELECT c FROM sbtestN WHERE id" comes "=" or " BETWEEN".
            _ if sql.windows(9).skip(28).take(6).any(|w| w == b" BETWEEN ") => Self::Range,
            _ => Self::Point,
        }
    }
}

/// Answers made once a connection, as they depend on what was negotiated.
struct Canned {
    query: [Vec<u8>; 3],
    execute: [Vec<u8>; 3],
    ok: Vec<u8>,
    capabilities: u32,
    extended: u32,
}

impl Canned {
    fn new(capabilities: u32, extended: u32) -> Self {
        let make = |binary| {
            [Shape::Point, Shape::Range, Shape::Sum].map(|shape| rows(shape, binary, capabilities, extended))
        };
        let mut ok = PacketWriter::new();
        ok.set_sequence(1);
        let answer = OkPacket { affected: 1, status: status::AUTOCOMMIT, ..OkPacket::default() };
        put_ok(ok.begin(), 0, &answer, capabilities);
        ok.end();
        Self { query: make(false), execute: make(true), ok: ok.bytes().to_vec(), capabilities, extended }
    }
}

fn column(shape: Shape) -> ColumnDefinition<'static> {
    let table = ColumnDefinition {
        database: "sbtest",
        table: "sbtest1",
        org_table: "sbtest1",
        name: "c",
        org_name: "c",
        collation: 45,
        length: 480,
        column_type: column_type::STRING,
        flags: 1,
        ..ColumnDefinition::default()
    };
    match shape {
        Shape::Sum => ColumnDefinition {
            name: "SUM(k)",
            collation: 63,
            length: 32,
            column_type: column_type::NEWDECIMAL,
            flags: 128,
            ..ColumnDefinition::default()
        },
        _ => table,
    }
}

/// The packets of a whole result set, numbered from 1.
fn rows(shape: Shape, binary: bool, capabilities: u32, extended_capabilities: u32) -> Vec<u8> {
    let mut writer = PacketWriter::new();
    writer.set_sequence(1);
    let cached = extended_capabilities & extended::CACHE_METADATA != 0;
    let out = writer.begin();
    put_lenenc(out, 1);
    if cached {
        out.push(u8::from(!binary));
    }
    writer.end();
    if !(cached && binary) {
        put_column(writer.begin(), &column(shape), None, extended_capabilities);
        writer.end();
    }
    if capabilities & capability::DEPRECATE_EOF == 0 {
        put_eof(writer.begin(), status::AUTOCOMMIT, 0);
        writer.end();
    }
    let (count, value): (_, &[u8]) = match shape {
        Shape::Range => (RANGE, &[b'7'; 119]),
        Shape::Sum => (1, b"5012345"),
        _ => (1, &[b'7'; 119]),
    };
    for _ in 0..count {
        let out = writer.begin();
        if binary {
            out.extend_from_slice(&[0, 0]);
        }
        put_lenenc_bytes(out, value);
        writer.end();
    }
    let end = OkPacket { status: status::AUTOCOMMIT, ..OkPacket::default() };
    put_result_end(writer.begin(), capabilities, &end);
    writer.end();
    writer.bytes().to_vec()
}

/// Listens on a unix socket and serves for ever.
///
/// # Errors
/// When the socket cannot be made.
pub fn serve(socket: &Path) -> io::Result<()> {
    let _ = std::fs::remove_file(socket);
    let listener = UnixListener::bind(socket)?;
    println!("ceiling server: ready on {}", socket.display());
    for (id, client) in (1..).zip(listener.incoming()) {
        let stream = Stream::from(client?);
        thread::Builder::new().stack_size(256 * 1024).spawn(move || {
            // A client that goes ends its thread.
            let _ = connection(&stream, id);
        })?;
    }
    Ok(())
}

fn connection(stream: &Stream, connection_id: u32) -> Result<(), ReadError> {
    let mut reader = PacketReader::new();
    let mut writer = PacketWriter::new();
    let greeting = Greeting {
        version: "10.11.14-MariaDB-ceiling",
        connection_id,
        scramble: [b'x'; 20],
        capabilities: capability::OFFERED & !capability::COMPRESS,
        collation: 8,
        status: status::AUTOCOMMIT,
    };
    greeting.encode(writer.begin());
    writer.end();
    writer.flush(stream)?;
    let mut sequence = 1;
    let login = reader.read(stream, &mut sequence, usize::MAX)?;
    let (capabilities, extended) =
        LoginRequest::parse(login).map_or((0, 0), |l| (l.capabilities, l.extended));
    let canned = Canned::new(capabilities, extended);
    writer.set_sequence(sequence);
    put_ok(writer.begin(), 0, &OkPacket { status: status::AUTOCOMMIT, ..OkPacket::default() }, 0);
    writer.end();
    writer.flush(stream)?;

    let mut statements = Vec::new();
    loop {
        sequence = 0;
        let request = reader.read(stream, &mut sequence, usize::MAX)?;
        writer.set_sequence(1);
        let Some((&byte, body)) = request.split_first() else { continue };
        let whole = match byte {
            command::QUIT => return Ok(()),
            command::STMT_CLOSE => continue,
            command::STMT_PREPARE => {
                let shape = Shape::of(body);
                statements.push(shape);
                let parameters = body.iter().filter(|&&b| b == b'?').count();
                put_prepared(&mut writer, statements.len(), shape, parameters, &canned);
                writer.flush(stream)?;
                continue;
            }
            command::STMT_EXECUTE => {
                let id = body.first_chunk::<4>().map_or(0, |id| u32::from_le_bytes(*id)) as usize;
                match statements.get(id.wrapping_sub(1)).copied().unwrap_or(Shape::Ok) {
                    Shape::Ok => &canned.ok,
                    shape => &canned.execute[shape as usize],
                }
            }
            command::QUERY => match Shape::of(body) {
                Shape::Ok => &canned.ok,
                shape => &canned.query[shape as usize],
            },
            _ => &canned.ok,
        };
        stream.send(whole)?;
    }
}

fn put_prepared(writer: &mut PacketWriter, id: usize, shape: Shape, parameters: usize, canned: &Canned) {
    let columns = u16::from(shape != Shape::Ok);
    let out = writer.begin();
    out.push(0);
    out.extend_from_slice(&(id as u32).to_le_bytes());
    out.extend_from_slice(&columns.to_le_bytes());
    out.extend_from_slice(&(parameters as u16).to_le_bytes());
    out.extend_from_slice(&[0; 3]);
    writer.end();
    let eof = canned.capabilities & capability::DEPRECATE_EOF == 0;
    let parameter = ColumnDefinition {
        name: "?",
        collation: 63,
        column_type: column_type::NULL,
        ..ColumnDefinition::default()
    };
    for (count, definition) in [(parameters, parameter), (usize::from(columns), column(shape))] {
        for _ in 0..count {
            put_column(writer.begin(), &definition, None, canned.extended);
            writer.end();
        }
        if count > 0 && eof {
            put_eof(writer.begin(), status::AUTOCOMMIT, 0);
            writer.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts_statements_are_told_apart() {
        for (sql, shape) in [
            ("SELECT c FROM sbtest1 WHERE id=?", Shape::Point),
            ("SELECT c FROM sbtest12 WHERE id=50123", Shape::Point),
            ("SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ?", Shape::Range),
            ("SELECT c FROM sbtest123 WHERE id BETWEEN 5 AND 104", Shape::Range),
            ("SELECT c FROM sbtest8 WHERE id BETWEEN ? AND ? ORDER BY c", Shape::Range),
            ("SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN ? AND ? ORDER BY c", Shape::Range),
            ("SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN ? AND ?", Shape::Sum),
            ("UPDATE sbtest1 SET k=k+1 WHERE id=?", Shape::Ok),
            ("BEGIN", Shape::Ok),
        ] {
            assert_eq!(Shape::of(sql.as_bytes()), shape, "{sql}");
        }
    }
}
