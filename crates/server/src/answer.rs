//! Payloads of OK, ERR, EOF and column definitions.

use charset::Charset;

use crate::protocol::{capability, extended};
use crate::wire::{put_lenenc, put_lenenc_bytes};
use sql::result::Finer;

/// What an OK packet says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ok<'a> {
    /// Rows changed.
    pub affected: u64,
    /// LAST_INSERT_ID of the statement.
    pub last_insert_id: u64,
    /// Status flags.
    pub status: u16,
    /// Number of warnings.
    pub warnings: u16,
    /// Text for people, such as `Records: 2  Duplicates: 0  Warnings: 0`.
    pub info: &'a str,
    /// Encoded items of session tracking; empty = nothing changed. Sent only to clients that asked for it.
    pub tracked: &'a [u8],
}

/// Appends an OK payload. `header` is 0x00, or 0xfe when it ends a result set of a client with DEPRECATE_EOF.
#[inline]
pub fn put_ok(out: &mut Vec<u8>, header: u8, ok: &Ok<'_>, capabilities: u32) {
    let tracked = if capabilities & capability::SESSION_TRACK != 0 { ok.tracked } else { &[] };
    let status = ok.status | if tracked.is_empty() { 0 } else { crate::protocol::status::STATE_CHANGED };
    out.push(header);
    put_lenenc(out, ok.affected);
    put_lenenc(out, ok.last_insert_id);
    out.extend_from_slice(&status.to_le_bytes());
    out.extend_from_slice(&ok.warnings.to_le_bytes());
    if !ok.info.is_empty() || !tracked.is_empty() {
        put_lenenc_bytes(out, ok.info.as_bytes());
    }
    if !tracked.is_empty() {
        put_lenenc_bytes(out, tracked);
    }
}

/// Appends an EOF payload.
#[inline]
pub fn put_eof(out: &mut Vec<u8>, status: u16, warnings: u16) {
    let [s0, s1] = status.to_le_bytes();
    let [w0, w1] = warnings.to_le_bytes();
    out.extend_from_slice(&[0xfe, w0, w1, s0, s1]);
}

/// Appends the end of a result set: EOF, or OK with header 0xfe for a client with DEPRECATE_EOF.
#[inline]
pub fn put_result_end(out: &mut Vec<u8>, capabilities: u32, ok: &Ok<'_>) {
    if capabilities & capability::DEPRECATE_EOF != 0 {
        put_ok(out, 0xfe, ok, capabilities);
    } else {
        put_eof(out, ok.status, ok.warnings);
    }
}

/// Appends an ERR payload, its text in `charset` or as it is.
pub fn put_error(out: &mut Vec<u8>, error: &sql::SqlError, charset: Option<&'static Charset>) {
    let (code, state, message) = (error.code, &error.state, &*error.message);
    out.push(0xff);
    out.extend_from_slice(&code.to_le_bytes());
    out.push(b'#');
    out.extend_from_slice(state);
    match charset {
        Some(to) if !(message.is_ascii() && to.is_ascii_compatible()) => put_message(out, message, to),
        _ => out.extend_from_slice(message.as_bytes()),
    }
}

/// Appends a text in a character set; what it does not have is shown by its number.
fn put_message(out: &mut Vec<u8>, message: &str, to: &'static Charset) {
    let utf8 = utf8();
    let mut one = Vec::new();
    for c in message.chars() {
        one.clear();
        if utf8.convert(c.encode_utf8(&mut [0; 4]).as_bytes(), to, &mut one) == 0 {
            out.extend_from_slice(&one);
        } else {
            utf8.convert(format!("\\{:04X}", u32::from(c)).as_bytes(), to, out);
        }
    }
}

fn utf8() -> &'static Charset {
    Charset::by_name("utf8mb4").unwrap_or(charset::system().charset)
}

/// A column of a result set.
#[derive(Debug, Clone, Copy, Default)]
pub struct ColumnDefinition<'a> {
    /// Database of the table.
    pub database: &'a str,
    /// Table, as the statement calls it.
    pub table: &'a str,
    /// Table, as it is called.
    pub org_table: &'a str,
    /// Column, as the statement calls it.
    pub name: &'a str,
    /// Column, as it is called.
    pub org_name: &'a str,
    /// Collation id of the values as sent.
    pub collation: u16,
    /// Maximum length of the values, in bytes.
    pub length: u32,
    /// Type code, see [`crate::protocol::column_type`].
    pub column_type: u8,
    /// See [`crate::protocol::column_flag`].
    pub flags: u16,
    /// Digits behind the point; 31 and 39 = not fixed.
    pub decimals: u8,
    /// What the block of named types says.
    pub finer: Finer,
}

impl<'a> From<&'a sql::result::ColumnMeta> for ColumnDefinition<'a> {
    fn from(column: &'a sql::result::ColumnMeta) -> Self {
        Self {
            database: &column.db,
            table: &column.table,
            org_table: &column.org_table,
            name: &column.name,
            org_name: &column.org_name,
            collation: column.collation,
            length: column.length,
            column_type: column.ty,
            flags: column.flags,
            decimals: column.decimals,
            finer: column.finer,
        }
    }
}

/// Longest heading of a column, in bytes: that of an expression is its text, which may be of any length.
const MAX_HEADING: usize = 255;

fn heading(name: &str) -> &str {
    &name[..name.floor_char_boundary(MAX_HEADING)]
}

/// Appends a name in a character set; `None` is UTF-8, as names are.
fn put_name(out: &mut Vec<u8>, name: &str, charset: Option<&'static Charset>) {
    match charset {
        Some(to) if !(name.is_ascii() && to.is_ascii_compatible()) => {
            let mut converted = Vec::with_capacity(name.len());
            utf8().convert(name.as_bytes(), to, &mut converted);
            put_lenenc_bytes(out, &converted);
        }
        _ => put_lenenc_bytes(out, name.as_bytes()),
    }
}

/// Appends the block of named types: the name of the type is its item 0, the format of its text item 1.
fn put_finer(out: &mut Vec<u8>, finer: Finer) {
    let mut block = Vec::new();
    match finer {
        Finer::Nothing => {}
        Finer::Type(name) => {
            block.push(0);
            put_lenenc_bytes(&mut block, name.as_bytes());
        }
        Finer::Format(name) => {
            block.push(1);
            put_lenenc_bytes(&mut block, name.as_bytes());
        }
    }
    put_lenenc_bytes(out, &block);
}

/// Appends a column definition, without the default value that COM_FIELD_LIST adds. Its names are sent in `charset`,
/// or as they are.
pub fn put_column(
    out: &mut Vec<u8>,
    column: &ColumnDefinition<'_>,
    charset: Option<&'static Charset>,
    extended_capabilities: u32,
) {
    put_lenenc_bytes(out, b"def");
    for name in [column.database, column.table, column.org_table, heading(column.name), column.org_name] {
        put_name(out, name, charset);
    }
    if extended_capabilities & extended::METADATA != 0 {
        put_finer(out, column.finer);
    }
    out.push(0x0c);
    out.extend_from_slice(&column.collation.to_le_bytes());
    out.extend_from_slice(&column.length.to_le_bytes());
    out.push(column.column_type);
    out.extend_from_slice(&column.flags.to_le_bytes());
    out.push(column.decimals);
    out.extend_from_slice(&[0, 0]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_packets_are_as_observed() {
        let ok =
            Ok { affected: 2, status: 2, info: "Records: 2  Duplicates: 0  Warnings: 0", ..Ok::default() };
        let mut out = Vec::new();
        put_ok(&mut out, 0, &ok, capability::OFFERED);
        assert_eq!(out, b"\0\x02\0\x02\0\0\0\x26Records: 2  Duplicates: 0  Warnings: 0");
        let ok = Ok { status: 2, tracked: b"\x01\x05\x04test", ..Ok::default() };
        for (capabilities, expected) in [
            (capability::OFFERED, &b"\0\0\0\x02\x40\0\0\0\x07\x01\x05\x04test"[..]),
            (0, b"\0\0\0\x02\0\0\0"),
        ] {
            out.clear();
            put_ok(&mut out, 0, &ok, capabilities);
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn finer_types_are_as_observed() {
        let block = |finer| {
            let mut out = Vec::new();
            put_finer(&mut out, finer);
            out
        };
        assert_eq!(block(Finer::Nothing), b"\0");
        assert_eq!(block(Finer::Type("point")), b"\x07\0\x05point");
        assert_eq!(block(Finer::Format("json")), b"\x06\x01\x04json");
    }

    #[test]
    fn column_of_select_1_is_as_observed() {
        let column = ColumnDefinition {
            name: "1",
            collation: 63,
            length: 1,
            column_type: 3,
            flags: 0x81,
            ..ColumnDefinition::default()
        };
        let mut out = Vec::new();
        put_column(&mut out, &column, None, 0);
        assert_eq!(out, b"\x03def\0\0\0\x011\0\x0c?\0\x01\0\0\0\x03\x81\0\0\0\0");
        let long = "ä".repeat(1000);
        out.clear();
        put_column(&mut out, &ColumnDefinition { name: &long, ..column }, None, 0);
        assert_eq!(out.len(), 7 + 3 + 254 + 1 + 13);
    }
}
