//! SET, SHOW, EXPLAIN, locks, maintenance, transactions, accounts.

use super::{Expr, LockWait, Name, Span, Statement, SystemVariable, TableName, VariableScope};

/// One assignment of SET.
#[derive(Clone, Debug, PartialEq)]
pub enum SetItem {
    /// `@name = expr`.
    User(Name, Expr),
    /// A routine's variable by its slot.
    Local(u32, Expr),
    /// `[GLOBAL|SESSION] name = value`; `None` is DEFAULT. Words like ON, ALL, BINARY, SYSTEM and any bare
    /// name come as a column expression of that name: the receiver takes the name as a string.
    System(SystemVariable, Option<Expr>),
    /// NAMES cs [COLLATE c]; `None` is DEFAULT.
    Names(Option<Name>, Option<Name>),
    /// CHARACTER SET cs; `None` is DEFAULT.
    CharacterSet(Option<Name>),
    /// PASSWORD [FOR user] = ...
    Password(Option<Account>, PasswordValue),
    /// [GLOBAL|SESSION] TRANSACTION ...
    Transaction {
        /// Scope; `Implicit` is for the next transaction.
        scope: VariableScope,
        /// ISOLATION LEVEL.
        isolation: Option<IsolationLevel>,
        /// READ ONLY (true), READ WRITE (false).
        read_only: Option<bool>,
    },
    /// ROLE name | NONE (`None`).
    Role(Option<Name>),
    /// DEFAULT ROLE name|NONE [FOR user].
    DefaultRole(Option<Name>, Option<Account>),
}

/// The new password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PasswordValue {
    /// PASSWORD('text').
    Plain(Box<[u8]>),
    /// OLD_PASSWORD('text').
    Old(Box<[u8]>),
    /// 'hash'.
    Hash(Box<[u8]>),
}

/// Isolation levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IsolationLevel {
    ReadUncommitted,
    ReadCommitted,
    RepeatableRead,
    Serializable,
}

/// LIKE or WHERE of SHOW.
#[derive(Clone, Debug, PartialEq)]
pub enum ShowFilter {
    /// LIKE 'pattern'.
    Like(Box<[u8]>),
    /// WHERE expr.
    Where(Expr),
}

/// SHOW.
#[derive(Clone, Debug, PartialEq)]
pub enum Show {
    /// DATABASES, SCHEMAS.
    Databases(Option<ShowFilter>),
    /// [FULL] TABLES [FROM db].
    Tables {
        /// FULL.
        full: bool,
        /// Database.
        db: Option<Name>,
        /// Filter.
        filter: Option<ShowFilter>,
    },
    /// TABLE STATUS [FROM db].
    TableStatus(Option<Name>, Option<ShowFilter>),
    /// OPEN TABLES [FROM db].
    OpenTables(Option<Name>, Option<ShowFilter>),
    /// [FULL] TRIGGERS [FROM db].
    Triggers(Option<Name>, Option<ShowFilter>),
    /// EVENTS [FROM db].
    Events(Option<Name>, Option<ShowFilter>),
    /// [FULL] COLUMNS / FIELDS FROM t [FROM db].
    Columns {
        /// FULL.
        full: bool,
        /// Table.
        table: TableName,
        /// Filter.
        filter: Option<ShowFilter>,
    },
    /// INDEX / INDEXES / KEYS FROM t [FROM db] [WHERE].
    Index(TableName, Option<ShowFilter>),
    /// CREATE TABLE t.
    CreateTable(TableName),
    /// CREATE VIEW v.
    CreateView(TableName),
    /// CREATE DATABASE [IF NOT EXISTS] d.
    CreateDatabase {
        /// IF NOT EXISTS.
        if_not_exists: bool,
        /// Database.
        name: Name,
    },
    /// CREATE TRIGGER | PROCEDURE | FUNCTION | EVENT | SEQUENCE | PACKAGE | PACKAGE BODY name: the kind in upper case.
    CreateOther(&'static str, TableName),
    /// CREATE USER [account].
    CreateUser(Option<Account>),
    /// VARIABLES.
    Variables(VariableScope, Option<ShowFilter>),
    /// STATUS.
    Status(VariableScope, Option<ShowFilter>),
    /// [STORAGE] ENGINES.
    Engines,
    /// ENGINE name STATUS | MUTEX | LOGS.
    EngineStatus(Name, &'static str),
    /// WARNINGS [LIMIT offset, count].
    Warnings(Option<super::Limit>),
    /// ERRORS [LIMIT].
    Errors(Option<super::Limit>),
    /// COUNT(*) WARNINGS.
    CountWarnings,
    /// COUNT(*) ERRORS.
    CountErrors,
    /// [FULL] PROCESSLIST.
    Processlist {
        /// FULL.
        full: bool,
    },
    /// GRANTS [FOR account].
    Grants(Option<Account>),
    /// PRIVILEGES.
    Privileges,
    /// PLUGINS [SONAME library | filter]: LIKE looks at the library.
    Plugins(Option<ShowFilter>),
    /// CHARACTER SET.
    CharacterSet(Option<ShowFilter>),
    /// COLLATION.
    Collation(Option<ShowFilter>),
    /// FUNCTION | PROCEDURE | PACKAGE | PACKAGE BODY STATUS: the kind in upper case.
    RoutineStatus(&'static str, Option<ShowFilter>),
    /// FUNCTION | PROCEDURE ... CODE name.
    RoutineCode(&'static str, TableName),
    /// MASTER STATUS, BINLOG STATUS.
    MasterStatus,
    /// [ALL] SLAVE[S] | REPLICA[S] STATUS.
    SlaveStatus,
    /// SLAVE HOSTS, REPLICA HOSTS.
    SlaveHosts,
    /// BINARY LOGS, MASTER LOGS.
    BinaryLogs,
    /// BINLOG EVENTS.
    BinlogEvents,
    /// RELAYLOG EVENTS.
    RelaylogEvents,
    /// PROFILES.
    Profiles,
    /// PROFILE [types] [FOR QUERY n] [LIMIT].
    Profile(ProfileShown),
    /// AUTHORS.
    Authors,
    /// CONTRIBUTORS.
    Contributors,
    /// EXPLAIN FOR id.
    ExplainFor(Expr),
    /// An information_schema plug-in table (INDEX_STATISTICS, USER_STATISTICS, CLIENT_STATISTICS,
    /// TABLE_STATISTICS, LOCALES ...), upper case, with its filter.
    Plugin(Name, Option<ShowFilter>),
}

/// EXPLAIN, DESCRIBE, ANALYZE of a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Explain {
    /// ANALYZE: run it and show what happened.
    pub analyze: bool,
    /// EXTENDED.
    pub extended: bool,
    /// PARTITIONS.
    pub partitions: bool,
    /// FORMAT = word.
    pub format: Option<Name>,
    /// The statement, or FOR CONNECTION id.
    pub target: ExplainTarget,
}

impl Explain {
    /// Whether FORMAT = JSON is asked for.
    pub fn is_json(&self) -> bool {
        self.format.as_ref().is_some_and(|f| f.eq_ignore_ascii_case("json"))
    }
}

/// What is explained.
#[derive(Clone, Debug, PartialEq)]
pub enum ExplainTarget {
    /// A statement; its text is under the span.
    Statement(Box<Statement>, Span),
    /// FOR CONNECTION id.
    Connection(Expr),
}

/// LOCK TABLES.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockTables {
    /// Tables.
    pub tables: Vec<TableLock>,
    /// WAIT.
    pub wait: LockWait,
}

/// One table of LOCK TABLES.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableLock {
    /// Table.
    pub table: TableName,
    /// Alias.
    pub alias: Option<Name>,
    /// Kind.
    pub kind: TableLockKind,
}

/// Kinds of table locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TableLockKind {
    Read,
    ReadLocal,
    Write,
    WriteConcurrent,
    WriteLowPriority,
}

/// What a maintenance statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum MaintainKind {
    Check,
    Repair,
    Analyze,
    Optimize,
    Checksum,
}

/// CHECK, REPAIR, ANALYZE, OPTIMIZE, CHECKSUM.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Maintain {
    pub kind: MaintainKind,
    /// VIEW instead of TABLE.
    pub view: bool,
    /// LOCAL, NO_WRITE_TO_BINLOG.
    pub local: bool,
    pub tables: Vec<TableName>,
    /// ALTER TABLE ... CHECK PARTITION and its like: the partitions of the one table.
    pub partitions: Option<super::PartitionSet>,
    pub quick: bool,
    pub fast: bool,
    pub medium: bool,
    pub extended: bool,
    pub changed: bool,
    pub for_upgrade: bool,
    pub use_frm: bool,
    pub wait: LockWait,
    /// ANALYZE ... PERSISTENT FOR ...
    pub persistent: bool,
}

/// CACHE INDEX and LOAD INDEX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheIndex {
    /// Tables.
    pub tables: Vec<CacheIndexTable>,
    /// The cache; `None` is DEFAULT (and LOAD INDEX).
    pub cache: Option<Name>,
}

/// A table of CACHE INDEX or LOAD INDEX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheIndexTable {
    /// Table.
    pub table: TableName,
    /// PARTITION (p, ... | ALL): names, or empty for ALL.
    pub partitions: Option<Vec<Name>>,
    /// INDEX (name, ...).
    pub indexes: Vec<Name>,
    /// IGNORE LEAVES.
    pub ignore_leaves: bool,
}

/// FLUSH.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flush {
    /// TABLES ...
    Tables {
        /// The tables; empty: all.
        tables: Vec<TableName>,
        /// WITH READ LOCK.
        read_lock: bool,
        /// FOR EXPORT.
        export: bool,
    },
    /// PRIVILEGES, STATUS, HOSTS, LOGS, QUERY CACHE ...: upper case words, one string an option.
    Options(Vec<Name>),
}

/// KILL.
#[derive(Clone, Debug, PartialEq)]
pub struct Kill {
    /// HARD (true, default) or SOFT.
    pub hard: bool,
    /// QUERY: only the statement; else the connection.
    pub query: bool,
    /// Whom.
    pub target: KillTarget,
}

/// Whom KILL stops.
#[derive(Clone, Debug, PartialEq)]
pub enum KillTarget {
    /// A connection (or a query when `query_id`).
    Id {
        /// The number.
        id: Expr,
        /// KILL QUERY ID.
        query_id: bool,
    },
    /// USER account: all its connections.
    User(Account),
}

/// BEGIN, START TRANSACTION.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Begin {
    /// WITH CONSISTENT SNAPSHOT.
    pub snapshot: bool,
    /// READ ONLY (true), READ WRITE (false).
    pub read_only: Option<bool>,
}

/// What follows COMMIT and ROLLBACK.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// AND [NO] CHAIN.
    pub chain: Option<bool>,
    /// [NO] RELEASE.
    pub release: Option<bool>,
}

/// An account or role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Account {
    /// 'user'@'host'; without a host it is `%`.
    Named {
        /// User.
        user: Name,
        /// Host.
        host: Option<Name>,
    },
    /// CURRENT_USER.
    CurrentUser,
    /// CURRENT_ROLE.
    CurrentRole,
    /// PUBLIC.
    Public,
}

/// How an account proves itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identified {
    /// BY 'password'.
    By(Box<[u8]>),
    /// BY PASSWORD 'hash'.
    Hash(Box<[u8]>),
    /// VIA plugin [USING 'hash' | USING PASSWORD('text')] [OR ...]: the alternatives.
    Via(Vec<Via>),
}

/// One plug-in of IDENTIFIED VIA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Via {
    /// Plug-in.
    pub plugin: Name,
    /// What follows USING/AS.
    pub value: Option<PasswordValue>,
}

/// An account with its authentication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserSpec {
    /// Account.
    pub account: Account,
    /// IDENTIFIED ...
    pub identified: Option<Identified>,
}

/// CREATE, ALTER USER.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserStatement {
    /// ALTER.
    pub alter: bool,
    /// OR REPLACE.
    pub or_replace: bool,
    /// IF NOT EXISTS (create), IF EXISTS (alter).
    pub if_exists: bool,
    /// Accounts.
    pub users: Vec<UserSpec>,
    /// REQUIRE, limits, lock and expiry.
    pub options: AccountOptions,
}

/// REQUIRE, WITH, ACCOUNT, PASSWORD clauses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountOptions {
    /// REQUIRE: NONE, SSL, X509, or (SUBJECT|ISSUER|CIPHER, text).
    pub require: Vec<(Name, Box<[u8]>)>,
    /// WITH MAX_..._PER_HOUR n: word in upper case and value; MAX_STATEMENT_TIME in microseconds.
    pub limits: Vec<(Name, i64)>,
    /// ACCOUNT LOCK (true), UNLOCK (false).
    pub locked: Option<bool>,
    /// PASSWORD EXPIRE ...: words in upper case.
    pub expire: Option<Name>,
}

/// CREATE / DROP ROLE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleStatement {
    /// DROP.
    pub drop: bool,
    /// OR REPLACE.
    pub or_replace: bool,
    /// IF [NOT] EXISTS.
    pub if_exists: bool,
    /// Roles.
    pub roles: Vec<Account>,
    /// WITH ADMIN.
    pub admin: Option<Account>,
}

/// CREATE, ALTER, DROP SERVER.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerStatement {
    /// Name.
    pub name: Name,
    /// What becomes of it.
    pub what: ServerChange,
}

/// What a statement does to a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerChange {
    /// CREATE.
    Create {
        /// OR REPLACE.
        or_replace: bool,
        /// IF NOT EXISTS.
        if_not_exists: bool,
        /// FOREIGN DATA WRAPPER.
        wrapper: Name,
        /// OPTIONS.
        options: ServerOptions,
    },
    /// ALTER.
    Alter(ServerOptions),
    /// DROP.
    Drop {
        /// IF EXISTS.
        if_exists: bool,
    },
}

/// OPTIONS of a server: those that are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerOptions {
    /// USER.
    pub user: Option<Box<[u8]>>,
    /// HOST.
    pub host: Option<Box<[u8]>>,
    /// DATABASE.
    pub database: Option<Box<[u8]>>,
    /// OWNER.
    pub owner: Option<Box<[u8]>>,
    /// PASSWORD.
    pub password: Option<Box<[u8]>>,
    /// SOCKET.
    pub socket: Option<Box<[u8]>>,
    /// PORT.
    pub port: Option<i32>,
}

/// GRANT, REVOKE.
#[derive(Clone, Debug, PartialEq)]
pub struct Grant {
    /// REVOKE.
    pub revoke: bool,
    /// What is granted.
    pub what: GrantWhat,
    /// To or from whom, with IDENTIFIED for GRANT.
    pub users: Vec<UserSpec>,
    /// WITH GRANT OPTION / ADMIN OPTION.
    pub with_grant: bool,
    /// REQUIRE and limits.
    pub options: AccountOptions,
}

/// The subject of GRANT / REVOKE.
#[derive(Clone, Debug, PartialEq)]
pub enum GrantWhat {
    /// Privileges on an object.
    Privileges {
        /// Each with its columns; upper case words, `ALL` for all.
        privileges: Vec<(Name, Vec<Name>)>,
        /// TABLE, FUNCTION, PROCEDURE, PACKAGE ...: upper case; TABLE when not said.
        object: Name,
        /// On what.
        target: GrantTarget,
    },
    /// PROXY ON account.
    Proxy(Account),
    /// Roles.
    Roles(Vec<Account>),
    /// REVOKE ALL PRIVILEGES, GRANT OPTION.
    Everything,
}

/// ON ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrantTarget {
    /// `*.*`
    Global,
    /// `*`: the current database.
    CurrentDatabase,
    /// `db.*`
    Database(Name),
    /// A table or routine.
    Table(TableName),
}

/// What SHOW PROFILE shows beside the status and the time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(clippy::struct_excessive_bools, missing_docs)]
pub struct ProfileShown {
    pub cpu: bool,
    pub context: bool,
    pub block: bool,
    pub ipc: bool,
    pub faults: bool,
    pub swaps: bool,
    pub source: bool,
    /// FOR QUERY n; else the last one.
    pub query: Option<u64>,
}
