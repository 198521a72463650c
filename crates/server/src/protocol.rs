//! Numbers of the protocol.

/// Command bytes: the first byte of a request.
pub mod command {
    #![allow(missing_docs, reason = "the names are the protocol's own")]
    pub const QUIT: u8 = 0x01;
    pub const INIT_DB: u8 = 0x02;
    pub const QUERY: u8 = 0x03;
    pub const FIELD_LIST: u8 = 0x04;
    pub const REFRESH: u8 = 0x07;
    pub const SHUTDOWN: u8 = 0x08;
    pub const STATISTICS: u8 = 0x09;
    pub const PROCESS_INFO: u8 = 0x0a;
    pub const PROCESS_KILL: u8 = 0x0c;
    pub const DEBUG: u8 = 0x0d;
    pub const PING: u8 = 0x0e;
    pub const CHANGE_USER: u8 = 0x11;
    pub const STMT_PREPARE: u8 = 0x16;
    pub const STMT_EXECUTE: u8 = 0x17;
    pub const STMT_SEND_LONG_DATA: u8 = 0x18;
    pub const STMT_CLOSE: u8 = 0x19;
    pub const STMT_RESET: u8 = 0x1a;
    pub const SET_OPTION: u8 = 0x1b;
    pub const STMT_FETCH: u8 = 0x1c;
    pub const RESET_CONNECTION: u8 = 0x1f;
    pub const STMT_BULK_EXECUTE: u8 = 0xfa;
}

/// Capability bits; both sides have to set one for it to hold.
pub mod capability {
    #![allow(missing_docs, reason = "the names are the protocol's own")]
    /// Set by MySQL; clear in both directions between MariaDB's own.
    pub const LONG_PASSWORD: u32 = 1;
    /// Affected rows count the rows found, not those changed.
    pub const FOUND_ROWS: u32 = 1 << 1;
    pub const LONG_FLAG: u32 = 1 << 2;
    pub const CONNECT_WITH_DB: u32 = 1 << 3;
    pub const NO_SCHEMA: u32 = 1 << 4;
    pub const COMPRESS: u32 = 1 << 5;
    pub const ODBC: u32 = 1 << 6;
    pub const LOCAL_FILES: u32 = 1 << 7;
    pub const IGNORE_SPACE: u32 = 1 << 8;
    pub const PROTOCOL_41: u32 = 1 << 9;
    pub const INTERACTIVE: u32 = 1 << 10;
    pub const SSL: u32 = 1 << 11;
    pub const IGNORE_SIGPIPE: u32 = 1 << 12;
    pub const TRANSACTIONS: u32 = 1 << 13;
    pub const RESERVED: u32 = 1 << 14;
    pub const SECURE_CONNECTION: u32 = 1 << 15;
    pub const MULTI_STATEMENTS: u32 = 1 << 16;
    pub const MULTI_RESULTS: u32 = 1 << 17;
    pub const PS_MULTI_RESULTS: u32 = 1 << 18;
    pub const PLUGIN_AUTH: u32 = 1 << 19;
    pub const CONNECT_ATTRS: u32 = 1 << 20;
    pub const PLUGIN_AUTH_LENENC: u32 = 1 << 21;
    pub const EXPIRED_PASSWORDS: u32 = 1 << 22;
    pub const SESSION_TRACK: u32 = 1 << 23;
    pub const DEPRECATE_EOF: u32 = 1 << 24;
    pub const REMEMBER_OPTIONS: u32 = 1 << 31;

    /// What this server announces: MariaDB 10.11's own set; [`SSL`] beside, where there is TLS.
    pub const OFFERED: u32 = FOUND_ROWS
        | LONG_FLAG
        | CONNECT_WITH_DB
        | NO_SCHEMA
        | COMPRESS
        | ODBC
        | LOCAL_FILES
        | IGNORE_SPACE
        | PROTOCOL_41
        | INTERACTIVE
        | IGNORE_SIGPIPE
        | TRANSACTIONS
        | RESERVED
        | SECURE_CONNECTION
        | MULTI_STATEMENTS
        | MULTI_RESULTS
        | PS_MULTI_RESULTS
        | PLUGIN_AUTH
        | CONNECT_ATTRS
        | PLUGIN_AUTH_LENENC
        | EXPIRED_PASSWORDS
        | SESSION_TRACK
        | DEPRECATE_EOF
        | REMEMBER_OPTIONS;
}

/// MariaDB's extended capability bits, in the last four of the filler bytes.
pub mod extended {
    /// Progress packets while a long statement runs.
    pub const PROGRESS: u32 = 1;
    /// COM_STMT_BULK_EXECUTE.
    pub const STMT_BULK: u32 = 1 << 2;
    /// A block of named types in column definitions.
    pub const METADATA: u32 = 1 << 3;
    /// Column definitions are left out of the answer to an execute when they are those of the prepare.
    pub const CACHE_METADATA: u32 = 1 << 4;

    /// What this server announces.
    pub const OFFERED: u32 = STMT_BULK | METADATA | CACHE_METADATA;
}

/// Status flags in OK and EOF packets.
pub mod status {
    #![allow(missing_docs, reason = "the names are the protocol's own")]
    pub const IN_TRANSACTION: u16 = 0x0001;
    pub const AUTOCOMMIT: u16 = 0x0002;
    pub const MORE_RESULTS: u16 = 0x0008;
    pub const CURSOR_EXISTS: u16 = 0x0040;
    pub const LAST_ROW_SENT: u16 = 0x0080;
    pub const PS_OUT_PARAMS: u16 = 0x1000;
    pub const STATE_CHANGED: u16 = 0x4000;
}

pub use sql::result::{flag as column_flag, wire as column_type};

/// Error numbers the connection itself sends; `sql` has the others.
pub mod error {
    /// Too many connections.
    pub const CON_COUNT: u16 = 1040;
    /// Bad handshake.
    pub const HANDSHAKE: u16 = 1043;
    /// Access denied.
    pub const ACCESS_DENIED: u16 = 1045;
    /// Unknown command.
    pub const UNKNOWN_COM: u16 = 1047;
    /// Server shutdown in progress.
    pub const SERVER_SHUTDOWN: u16 = 1053;
    /// Payload too large.
    pub const NET_PACKET_TOO_LARGE: u16 = 1153;
    /// Sequence numbers wrong.
    pub const NET_OUT_OF_ORDER: u16 = 1156;
    /// No such prepared statement.
    pub const UNKNOWN_STMT_HANDLER: u16 = 1243;
    /// COM_STMT_FETCH without an open cursor.
    pub const STMT_HAS_NO_OPEN_CURSOR: u16 = 1421;
    /// Request cannot be parsed.
    pub const MALFORMED_PACKET: u16 = 1835;
    /// The connection was killed.
    pub const CONNECTION_KILLED: u16 = 1927;
}
