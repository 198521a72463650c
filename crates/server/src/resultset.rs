//! Result sets on their way to the client: [`ResultSink`] in the text and the binary protocol.

use charset::Charset;
use std::io::{self, Read};
use std::sync::Arc;

use sql::error::{self as code, SqlError};
use sql::number;
use sql::result::{DateTime, Done, ResultSchema, ResultSink, Time};
use sql::session::Tracked;

use crate::answer::{self, Ok as OkPacket};
use crate::cursor::Cursor;
use crate::packet::{PacketReader, PacketWriter, ReadError, WriterMark};
use crate::protocol::{capability, column_flag, column_type, extended, status};
use crate::stream::Stream;
use crate::value;
use crate::wire::{put_lenenc, put_lenenc_bytes};

/// Rows are sent once so many bytes wait. Smaller buffers cost system calls and wake the client more often: a million rows of 30 bytes
/// took 10 % longer with 32 KB. Larger ones cost cache misses.
pub(crate) const FLUSH_AT: usize = 128 * 1024;

/// How values are encoded, and what becomes of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// COM_QUERY: every value as text.
    Text,
    /// COM_STMT_EXECUTE: values in their wire types.
    Binary,
    /// COM_FIELD_LIST: definitions only.
    FieldList,
    /// COM_STMT_BULK_EXECUTE: counts are added up and answered once at the end, behind the rows of all executions
    /// (RETURNING) in their wire types.
    Bulk,
}

impl Format {
    /// Whether values are sent in their wire types.
    #[inline]
    fn is_binary(self) -> bool {
        matches!(self, Format::Binary | Format::Bulk)
    }
}

/// What was agreed on at login.
#[derive(Debug, Clone, Copy, Default)]
pub struct Negotiated {
    /// Capabilities of both sides.
    pub capabilities: u32,
    /// MariaDB's extended capabilities of both sides.
    pub extended: u32,
}

impl Negotiated {
    fn deprecate_eof(self) -> bool {
        self.capabilities & capability::DEPRECATE_EOF != 0
    }

    fn cache_metadata(self) -> bool {
        self.extended & extended::CACHE_METADATA != 0
    }

    /// Which of a schema's encodings serves this client.
    fn encoding(self) -> usize {
        usize::from(self.extended & extended::METADATA != 0)
    }
}

/// What the encoders need to know of a column.
#[derive(Debug, Clone, Copy)]
pub struct ColumnKind {
    column_type: u8,
    zerofill: bool,
    length: u32,
}

/// A LOAD DATA LOCAL in progress: the client sends packets until an empty one.
#[derive(Debug)]
pub struct Infile {
    reader: PacketReader,
    sequence: u8,
    /// Longest packet that is taken.
    most: usize,
    /// The empty packet came, or the stream broke.
    ended: bool,
}

impl Infile {
    fn drain(&mut self, stream: &Stream) -> Result<(), ReadError> {
        while !self.ended {
            self.ended = self.reader.read(stream, &mut self.sequence, self.most)?.is_empty();
        }
        Ok(())
    }

    /// Bytes that arrived behind the file: the client has sent ahead.
    #[must_use]
    pub fn rest(&self) -> &[u8] {
        self.reader.buffered()
    }
}

/// The sink of one command of one connection.
pub struct ResultWriter<'c> {
    writer: &'c mut PacketWriter,
    stream: &'c Stream,
    columns: &'c mut Vec<ColumnKind>,
    negotiated: Negotiated,
    format: Format,
    /// Status flags for the EOF behind column definitions, which is written before the statement's own are known.
    flags: u16,
    /// Those that the statement has announced.
    announced: u16,
    /// The definitions the client has since the prepare.
    known: Option<&'c mut Arc<ResultSchema>>,
    cursor: Option<&'c mut Cursor>,
    /// Column of the next value, and where the null bitmap of this row begins.
    column: usize,
    bitmap: usize,
    any_zerofill: bool,
    start: WriterMark,
    /// Totals of [`Format::Bulk`]; `had_rows` once columns were described.
    pub bulk: Done,
    /// Longest packet of a file that the client may send.
    most: usize,
    /// A file the client is sending or has sent.
    pub infile: Option<Infile>,
    /// The socket failed: nothing more can be sent.
    pub broken: bool,
}

impl<'c> ResultWriter<'c> {
    /// A sink that answers into `writer`. `columns` is memory to be reused; `flags` are the session's status flags.
    pub fn new(
        writer: &'c mut PacketWriter,
        stream: &'c Stream,
        columns: &'c mut Vec<ColumnKind>,
        negotiated: Negotiated,
        format: Format,
        flags: u16,
    ) -> Self {
        let start = writer.mark();
        Self {
            writer,
            stream,
            columns,
            negotiated,
            format,
            flags,
            announced: 0,
            known: None,
            cursor: None,
            column: 0,
            bitmap: 0,
            any_zerofill: false,
            start,
            bulk: Done::default(),
            most: usize::MAX,
            infile: None,
            broken: false,
        }
    }

    /// Leaves out column definitions that the client has since the prepare.
    pub fn with_known(mut self, known: &'c mut Arc<ResultSchema>) -> Self {
        self.known = Some(known);
        self
    }

    /// Takes packets of this length at most of a file that the client sends: `max_allowed_packet`, though one full
    /// packet of the protocol is always taken.
    pub fn with_longest_packet(mut self, most: usize) -> Self {
        self.most = most.max(crate::packet::MAX_PAYLOAD);
        self
    }

    /// Keeps rows for COM_STMT_FETCH.
    pub fn with_cursor(mut self, cursor: &'c mut Cursor) -> Self {
        self.cursor = Some(cursor);
        self
    }

    /// Answers an error, in place of the rest of a result set that has begun; its text is sent in `charset` or as it is.
    pub fn fail(&mut self, error: &SqlError, charset: Option<&'static Charset>) {
        self.end_infile();
        if self.cursor.is_some() {
            // Clients do not expect an error between definitions and the EOF that opens the cursor.
            self.writer.rollback(&self.start);
        }
        answer::put_error(self.writer.begin(), error, charset);
        self.writer.end();
    }

    /// Answers the totals of a bulk execution.
    pub fn finish_bulk(&mut self) {
        let totals = std::mem::take(&mut self.bulk);
        if totals.had_rows {
            self.put_end(totals.status, totals.warnings);
        } else {
            self.put_ok(&totals);
        }
    }

    fn put_end(&mut self, status: u16, warnings: u16) {
        let end = OkPacket { status, warnings, ..OkPacket::default() };
        answer::put_result_end(self.writer.begin(), self.negotiated.capabilities, &end);
        self.writer.end();
    }

    /// Reads what a statement left unread of the file its client sends, so that the answer is read as such.
    fn end_infile(&mut self) {
        let Some(infile) = self.infile.as_mut().filter(|i| !i.ended) else { return };
        match infile.drain(self.stream) {
            Ok(()) => self.writer.set_sequence(infile.sequence),
            Err(error) => {
                tracing::debug!(%error, "cannot read the client's file");
                self.broken = true;
            }
        }
    }

    fn put_ok(&mut self, done: &Done) {
        let mut tracked = Vec::new();
        if !done.tracked.is_empty() {
            put_tracked(&mut tracked, &done.tracked);
        }
        let ok = OkPacket {
            affected: done.affected,
            last_insert_id: done.last_insert_id,
            status: done.status | if done.more_results { status::MORE_RESULTS } else { 0 },
            warnings: done.warnings,
            info: &done.info,
            tracked: &tracked,
        };
        answer::put_ok(self.writer.begin(), 0, &ok, self.negotiated.capabilities);
        self.writer.end();
    }

    /// Column definitions as packets numbered from 2, made once a schema and encoding.
    fn put_definitions(&mut self, schema: &ResultSchema) {
        let cached = schema.cache[self.negotiated.encoding()].get_or_init(|| {
            let mut packets = PacketWriter::new();
            packets.set_sequence(2);
            put_columns(&mut packets, schema, self.negotiated);
            packets.bytes().into()
        });
        self.writer.put_packets(cached, schema.columns.len());
    }

    /// The buffer for the next value of a text row.
    #[inline]
    fn text(&mut self) -> &mut Vec<u8> {
        match &mut self.cursor {
            Some(cursor) => cursor.writer().out(),
            None => self.writer.out(),
        }
    }

    /// The kind of the column whose value comes next, of a binary row; advances.
    #[inline]
    fn next_kind(&mut self) -> u8 {
        let kind = self.columns.get(self.column).map_or(column_type::VAR_STRING, |c| c.column_type);
        self.column += 1;
        kind
    }

    /// The width to which the next integer of a text row is filled with zeros; advances.
    #[inline]
    fn next_width(&mut self) -> usize {
        if !self.any_zerofill {
            return 0;
        }
        let width = self.columns.get(self.column).map_or(0, |c| if c.zerofill { c.length } else { 0 });
        self.column += 1;
        // 255 is the widest display width there is.
        (width as usize).min(255)
    }

    fn network(&mut self, error: &io::Error) -> SqlError {
        self.broken = true;
        tracing::debug!(%error, "cannot write to the client");
        SqlError::new(code::ER_NET_ERROR_ON_WRITE, &[])
    }
}

/// Appends the definitions of all columns.
pub fn put_columns(packets: &mut PacketWriter, schema: &ResultSchema, negotiated: Negotiated) {
    for column in &schema.columns {
        let definition = answer::ColumnDefinition::from(column);
        answer::put_column(packets.begin(), &definition, schema.names, negotiated.extended);
        packets.end();
    }
}

/// Encodes what session tracking reports.
pub(crate) fn put_tracked(out: &mut Vec<u8>, changes: &[Tracked]) {
    let mut data = Vec::new();
    for change in changes {
        data.clear();
        out.push(match change {
            Tracked::Variable(name, value) => {
                put_lenenc_bytes(&mut data, name.as_bytes());
                put_lenenc_bytes(&mut data, value.as_bytes());
                0
            }
            Tracked::Database(name) => {
                put_lenenc_bytes(&mut data, name.as_bytes());
                1
            }
        });
        put_lenenc_bytes(out, &data);
    }
}

impl ResultSink for ResultWriter<'_> {
    fn produced(&self) -> u64 {
        self.writer.sent() + self.writer.pending() as u64
    }

    fn announce(&mut self, status: u16) {
        self.announced = status;
    }

    fn start(&mut self, schema: &Arc<ResultSchema>) -> Result<(), SqlError> {
        self.columns.clear();
        self.columns.extend(schema.columns.iter().map(|c| ColumnKind {
            column_type: c.ty,
            zerofill: c.flags & column_flag::ZEROFILL != 0,
            length: c.length,
        }));
        self.any_zerofill = self.columns.iter().any(|c| c.zerofill);
        match self.format {
            Format::Bulk if std::mem::replace(&mut self.bulk.had_rows, true) => return Ok(()),
            Format::FieldList => {
                for column in &schema.columns {
                    let definition = answer::ColumnDefinition::from(column);
                    let out = self.writer.begin();
                    answer::put_column(out, &definition, schema.names, self.negotiated.extended);
                    // The default value: not told.
                    out.push(0xfb);
                    self.writer.end();
                }
                return Ok(());
            }
            Format::Text | Format::Binary | Format::Bulk => {}
        }
        let skip = match &mut self.known {
            Some(known) if self.negotiated.cache_metadata() => {
                let same = Arc::ptr_eq(known, schema) || known.columns == schema.columns;
                if !same {
                    **known = Arc::clone(schema);
                }
                same
            }
            _ => false,
        };
        let cache_metadata = self.negotiated.cache_metadata();
        let out = self.writer.begin();
        put_lenenc(out, schema.columns.len() as u64);
        if cache_metadata {
            out.push(u8::from(!skip));
        }
        self.writer.end();
        if !skip {
            self.put_definitions(schema);
        }
        if !self.negotiated.deprecate_eof() && self.cursor.is_none() {
            answer::put_eof(self.writer.begin(), self.flags | self.announced, 0);
            self.writer.end();
        }
        Ok(())
    }

    #[inline]
    fn begin_row(&mut self) {
        self.column = 0;
        let packets = match &mut self.cursor {
            Some(cursor) => cursor.writer(),
            None => &mut *self.writer,
        };
        packets.begin();
        if self.format.is_binary() {
            self.bitmap = packets.payload_at() + 1;
            let bytes = 1 + (self.columns.len() + 9) / 8;
            let out = packets.out();
            out.resize(out.len() + bytes, 0);
        }
    }

    #[inline]
    fn end_row(&mut self) {
        match &mut self.cursor {
            Some(cursor) => cursor.writer().end(),
            None => self.writer.end(),
        }
    }

    #[inline]
    fn put_null(&mut self) {
        if self.format.is_binary() {
            let bit = self.column + 2;
            let at = self.bitmap + bit / 8;
            self.column += 1;
            if let Some(byte) = self.text().get_mut(at) {
                *byte |= 1 << (bit % 8);
            }
        } else {
            self.column += 1;
            self.text().push(0xfb);
        }
    }

    #[inline]
    fn put_int(&mut self, v: i64) {
        if self.format.is_binary() {
            let kind = self.next_kind();
            value::binary_int(self.text(), kind, v);
        } else {
            let width = self.next_width();
            value::text_int(self.text(), v < 0, v.unsigned_abs(), width);
        }
    }

    #[inline]
    fn put_uint(&mut self, v: u64) {
        if self.format.is_binary() {
            let kind = self.next_kind();
            value::binary_uint(self.text(), kind, v);
        } else {
            let width = self.next_width();
            value::text_int(self.text(), false, v, width);
        }
    }

    fn put_zerofill(&mut self, v: u64, width: u32) {
        if self.format.is_binary() {
            return self.put_uint(v);
        }
        // the year of a UNION is filled, which its flags do not tell
        self.next_width();
        value::text_int(self.text(), false, v, (width as usize).min(255));
    }

    fn put_double(&mut self, v: f64, decimals: u8) {
        if self.format.is_binary() {
            let kind = self.next_kind();
            value::binary_double(self.text(), kind, v, decimals);
        } else {
            let width = self.next_width();
            value::text_real(self.text(), width, |out| number::put_double(out, v, decimals));
        }
    }

    fn put_float(&mut self, v: f32, decimals: u8) {
        if self.format.is_binary() {
            let kind = self.next_kind();
            value::binary_float(self.text(), kind, v, decimals);
        } else {
            let width = self.next_width();
            value::text_real(self.text(), width, |out| number::put_float(out, v, decimals));
        }
    }

    #[inline]
    fn put_bytes(&mut self, v: &[u8]) {
        if self.format.is_binary() {
            let kind = self.next_kind();
            value::binary_bytes(self.text(), kind, v);
        } else {
            self.column += 1;
            put_lenenc_bytes(self.text(), v);
        }
    }

    fn put_date(&mut self, year: u16, month: u8, day: u8) {
        let moment = DateTime { year, month, day, ..DateTime::default() };
        if self.format.is_binary() {
            let kind = self.next_kind();
            value::binary_date(self.text(), kind, &moment);
        } else {
            self.column += 1;
            value::text_date(self.text(), &moment);
        }
    }

    fn put_time(&mut self, time: Time, dec: u8) {
        if self.format.is_binary() {
            let kind = self.next_kind();
            value::binary_time(self.text(), kind, &time, dec);
        } else {
            self.column += 1;
            value::text_time(self.text(), &time, dec);
        }
    }

    fn put_datetime(&mut self, moment: DateTime, dec: u8) {
        if self.format.is_binary() {
            let kind = self.next_kind();
            value::binary_datetime(self.text(), kind, &moment, dec);
        } else {
            self.column += 1;
            value::text_datetime(self.text(), &moment, dec);
        }
    }

    #[inline]
    fn wants_flush(&self) -> bool {
        match &self.cursor {
            None => self.writer.pending() >= FLUSH_AT,
            Some(cursor) => cursor.is_full(),
        }
    }

    fn flush(&mut self) -> Result<(), SqlError> {
        // the definitions wait with the end: an error must be able to take their place
        if let Some(cursor) = &mut self.cursor {
            return cursor.spill();
        }
        self.writer.flush(self.stream).map_err(|e| self.network(&e))
    }

    fn finish(&mut self, done: &Done) -> Result<(), SqlError> {
        if self.format == Format::Bulk {
            self.bulk.affected += done.affected;
            if self.bulk.last_insert_id == 0 {
                self.bulk.last_insert_id = done.last_insert_id;
            }
            self.bulk.warnings = self.bulk.warnings.saturating_add(done.warnings);
            self.bulk.status = done.status;
            return Ok(());
        }
        self.end_infile();
        if !done.had_rows && self.format != Format::FieldList {
            self.put_ok(done);
            return Ok(());
        }
        let mut flags = done.status | if done.more_results { status::MORE_RESULTS } else { 0 };
        if let Some(cursor) = &mut self.cursor {
            cursor.complete()?;
            cursor.open = true;
            cursor.warnings = done.warnings;
            flags |= status::CURSOR_EXISTS;
        }
        self.put_end(flags, done.warnings);
        Ok(())
    }

    fn local_infile(&mut self, name: &str) -> Result<Box<dyn Read + '_>, SqlError> {
        let out = self.writer.begin();
        out.push(0xfb);
        out.extend_from_slice(name.as_bytes());
        self.writer.end();
        self.flush()?;
        let (reader, sequence) = (PacketReader::new(), self.writer.sequence());
        let infile = Infile { reader, sequence, most: self.most, ended: false };
        Ok(Box::new(InfileReader {
            infile: self.infile.insert(infile),
            stream: self.stream,
            writer: self.writer,
            broken: &mut self.broken,
            packet: Vec::new(),
            at: 0,
        }))
    }
}

/// The file as the client's packets bring it.
struct InfileReader<'s> {
    infile: &'s mut Infile,
    stream: &'s Stream,
    writer: &'s mut PacketWriter,
    broken: &'s mut bool,
    packet: Vec<u8>,
    at: usize,
}

impl Read for InfileReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.packet.len() && !self.infile.ended {
            self.packet.clear();
            self.at = 0;
            let infile = &mut *self.infile;
            match infile.reader.read(self.stream, &mut infile.sequence, infile.most) {
                Ok(bytes) => self.packet.extend_from_slice(bytes),
                Err(error) => {
                    infile.ended = true;
                    *self.broken = true;
                    return Err(io::Error::other(error));
                }
            }
            infile.ended = self.packet.is_empty();
            self.writer.set_sequence(infile.sequence);
        }
        let count = buffer.len().min(self.packet.len() - self.at);
        buffer[..count].copy_from_slice(&self.packet[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}
