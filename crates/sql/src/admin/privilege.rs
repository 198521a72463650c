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

/// The bit of FILE.
pub const FILE: u64 = 1 << 9;

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

/// What an account may do, as a session keeps it.
#[derive(Clone, Debug, Default)]
pub struct Privileges {
    /// On everything.
    pub global: u64,
    /// On databases: a LIKE pattern and bits.
    pub databases: Vec<(String, u64)>,
}

impl Privileges {
    /// What the account may do in a database.
    #[must_use]
    pub fn on(&self, db: &str) -> u64 {
        if self.global & ALL == ALL {
            return self.global;
        }
        if db.eq_ignore_ascii_case(crate::catalog::INFORMATION_SCHEMA) {
            return self.global | 1;
        }
        self.databases
            .iter()
            .filter(|(pattern, _)| super::accounts::wild(pattern.as_bytes(), db.as_bytes()))
            .fold(self.global, |m, (_, b)| m | b)
    }
}
