//! Privileges as bits.

/// The privileges that `access` of an account holds, by bit number.
pub const PRIVILEGES: &[&str] = &[
    "SELECT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "CREATE",
    "DROP",
    "RELOAD",
    "SHUTDOWN",
    "PROCESS",
    "FILE",
    "GRANT OPTION",
    "REFERENCES",
    "INDEX",
    "ALTER",
    "SHOW DATABASES",
    "SUPER",
    "CREATE TEMPORARY TABLES",
    "LOCK TABLES",
    "EXECUTE",
    "REPLICATION SLAVE",
    "BINLOG MONITOR",
    "CREATE VIEW",
    "SHOW VIEW",
    "CREATE ROUTINE",
    "ALTER ROUTINE",
    "CREATE USER",
    "EVENT",
    "TRIGGER",
    "CREATE TABLESPACE",
    "DELETE HISTORY",
    "SET USER",
    "FEDERATED ADMIN",
    "CONNECTION ADMIN",
    "READ_ONLY ADMIN",
    "REPLICATION SLAVE ADMIN",
    "REPLICATION MASTER ADMIN",
    "BINLOG ADMIN",
    "BINLOG REPLAY",
    "SLAVE MONITOR",
];

/// The bit of GRANT OPTION.
pub const GRANT_OPTION: u64 = 1 << 10;

/// All privileges but GRANT OPTION.
pub const ALL: u64 = ((1 << 39) - 1) & !GRANT_OPTION;

/// Privileges of a database or table, without GRANT OPTION, in the order of `mysql.db`.
pub const DATABASE: &[(u8, &str)] = &[
    (0, "Select_priv"),
    (1, "Insert_priv"),
    (2, "Update_priv"),
    (3, "Delete_priv"),
    (4, "Create_priv"),
    (5, "Drop_priv"),
    (10, "Grant_priv"),
    (11, "References_priv"),
    (12, "Index_priv"),
    (13, "Alter_priv"),
    (16, "Create_tmp_table_priv"),
    (17, "Lock_tables_priv"),
    (21, "Create_view_priv"),
    (22, "Show_view_priv"),
    (23, "Create_routine_priv"),
    (24, "Alter_routine_priv"),
    (18, "Execute_priv"),
    (26, "Event_priv"),
    (27, "Trigger_priv"),
    (29, "Delete_history_priv"),
];

/// All privileges a database knows, without GRANT OPTION.
#[must_use]
pub fn all_of_database() -> u64 {
    DATABASE.iter().fold(0, |m, (b, _)| m | 1 << b) & !GRANT_OPTION
}

/// The bit of a privilege named in GRANT, in upper case. ALL and USAGE are not here.
#[must_use]
pub fn bit(name: &str) -> Option<u64> {
    let name = match name {
        "REPLICATION CLIENT" => "BINLOG MONITOR",
        "REPLICA MONITOR" => "SLAVE MONITOR",
        "REPLICATION REPLICA" => "REPLICATION SLAVE",
        "REPLICATION REPLICA ADMIN" => "REPLICATION SLAVE ADMIN",
        "DELETE VERSIONING ROWS" => "DELETE HISTORY",
        other => other,
    };
    PRIVILEGES.iter().position(|p| *p == name).map(|i| 1 << i)
}

/// The privileges that `access` stands for in an account that this version has written; 0 is told by no version.
/// Privileges that were parts of others then come with them, and bits that no privilege had make all worth nothing.
#[must_use]
pub fn of_version(access: u64, version: u64) -> u64 {
    if access == u64::MAX {
        return ALL | GRANT_OPTION;
    }
    let has = |bit: u64| access & bit != 0;
    let known = if version < 100_502 { (1 << 30) - 1 } else { ALL | GRANT_OPTION };
    if access & !known != 0 || (1..100_400).contains(&version) {
        return 0;
    }
    let mut all = access;
    if version < 100_502 {
        if has(SUPER) {
            all |= SET_USER | FEDERATED_ADMIN | CONNECTION_ADMIN | READ_ONLY_ADMIN | REPLICATION_SLAVE_ADMIN;
            all |= BINLOG_ADMIN | BINLOG_REPLAY;
            if has(REPLICATION_SLAVE) {
                all |= REPLICATION_MASTER_ADMIN;
            }
        }
        if has(REPLICATION_SLAVE | BINLOG_MONITOR) {
            all |= SLAVE_MONITOR;
        }
    } else if version < 100_509 && has(REPLICATION_SLAVE_ADMIN) {
        all |= SLAVE_MONITOR;
    }
    if version < 101_100 && has(SUPER) {
        all |= READ_ONLY_ADMIN;
    }
    all
}

/// The list SHOW GRANTS prints; `all` are the privileges that ALL PRIVILEGES stands for.
#[must_use]
pub fn list(access: u64, all: u64) -> String {
    if access & all == all {
        return "ALL PRIVILEGES".into();
    }
    let names: Vec<&str> = PRIVILEGES
        .iter()
        .enumerate()
        .filter(|(i, _)| access & all & (1 << i) != 0)
        .map(|(_, n)| *n)
        .collect();
    if names.is_empty() { "USAGE".into() } else { names.join(", ") }
}

/// Bits by the names of the privileges.
#[allow(missing_docs)]
mod bits {
    pub const SELECT: u64 = 1;
    pub const INSERT: u64 = 1 << 1;
    pub const UPDATE: u64 = 1 << 2;
    pub const DELETE: u64 = 1 << 3;
    pub const CREATE: u64 = 1 << 4;
    pub const DROP: u64 = 1 << 5;
    pub const RELOAD: u64 = 1 << 6;
    pub const SHUTDOWN: u64 = 1 << 7;
    pub const PROCESS: u64 = 1 << 8;
    pub const FILE: u64 = 1 << 9;
    pub const REFERENCES: u64 = 1 << 11;
    pub const INDEX: u64 = 1 << 12;
    pub const ALTER: u64 = 1 << 13;
    pub const SHOW_DATABASES: u64 = 1 << 14;
    pub const SUPER: u64 = 1 << 15;
    pub const CREATE_TEMPORARY: u64 = 1 << 16;
    pub const LOCK_TABLES: u64 = 1 << 17;
    pub const EXECUTE: u64 = 1 << 18;
    pub const REPLICATION_SLAVE: u64 = 1 << 19;
    pub const BINLOG_MONITOR: u64 = 1 << 20;
    pub const CREATE_VIEW: u64 = 1 << 21;
    pub const SHOW_VIEW: u64 = 1 << 22;
    pub const CREATE_ROUTINE: u64 = 1 << 23;
    pub const ALTER_ROUTINE: u64 = 1 << 24;
    pub const CREATE_USER: u64 = 1 << 25;
    pub const EVENT: u64 = 1 << 26;
    pub const TRIGGER: u64 = 1 << 27;
    pub const CREATE_TABLESPACE: u64 = 1 << 28;
    pub const DELETE_HISTORY: u64 = 1 << 29;
    pub const SET_USER: u64 = 1 << 30;
    pub const FEDERATED_ADMIN: u64 = 1 << 31;
    pub const CONNECTION_ADMIN: u64 = 1 << 32;
    pub const READ_ONLY_ADMIN: u64 = 1 << 33;
    pub const REPLICATION_SLAVE_ADMIN: u64 = 1 << 34;
    pub const REPLICATION_MASTER_ADMIN: u64 = 1 << 35;
    pub const BINLOG_ADMIN: u64 = 1 << 36;
    pub const BINLOG_REPLAY: u64 = 1 << 37;
    pub const SLAVE_MONITOR: u64 = 1 << 38;
}
pub use bits::*;

/// What lets somebody into a database.
pub const OF_DATABASE: u64 = SELECT
    | INSERT
    | UPDATE
    | DELETE
    | CREATE
    | DROP
    | GRANT_OPTION
    | REFERENCES
    | INDEX
    | ALTER
    | CREATE_TEMPORARY
    | LOCK_TABLES
    | EXECUTE
    | CREATE_VIEW
    | SHOW_VIEW
    | CREATE_ROUTINE
    | ALTER_ROUTINE
    | EVENT
    | TRIGGER
    | DELETE_HISTORY;

/// What lets somebody see a table's definition.
pub const OF_TABLE: u64 = SELECT
    | INSERT
    | UPDATE
    | DELETE
    | CREATE
    | DROP
    | GRANT_OPTION
    | REFERENCES
    | INDEX
    | ALTER
    | CREATE_VIEW
    | SHOW_VIEW
    | TRIGGER;

/// Privileges of a table, without GRANT OPTION, with their names in the SET columns of `mysql.tables_priv`.
pub const TABLE: &[(u8, &str)] = &[
    (0, "Select"),
    (1, "Insert"),
    (2, "Update"),
    (3, "Delete"),
    (4, "Create"),
    (5, "Drop"),
    (10, "Grant"),
    (11, "References"),
    (12, "Index"),
    (13, "Alter"),
    (21, "Create View"),
    (22, "Show view"),
    (27, "Trigger"),
    (29, "Delete versioning rows"),
];

/// The members of `procs_priv.Proc_priv`: bit and name.
pub const ROUTINE: &[(u8, &str)] = &[(18, "Execute"), (24, "Alter Routine"), (10, "Grant")];

/// Privileges that a column can have.
pub const COLUMN: u64 = 1 | 1 << 1 | 1 << 2 | 1 << 11;

/// All privileges a table knows, without GRANT OPTION.
#[must_use]
pub fn all_of_table() -> u64 {
    TABLE.iter().fold(0, |m, (b, _)| m | 1 << b) & !GRANT_OPTION
}

/// The names of the bits, in the order of their numbers: how messages tell what was missing.
#[must_use]
pub fn names(bits: u64) -> String {
    let name = |n: &'static str| if n == "GRANT OPTION" { "GRANT" } else { n };
    let names: Vec<&str> =
        PRIVILEGES.iter().enumerate().filter(|(i, _)| bits & (1 << i) != 0).map(|(_, n)| name(n)).collect();
    names.join(", ")
}
