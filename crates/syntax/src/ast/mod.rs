//! The syntax tree of one statement, as the parser leaves it: nothing is resolved, nothing is typed.
//!
//! Identifiers are UTF-8 (the system character set); string literals keep the bytes the client sent, without
//! quotes and escapes, in the character set of the connection or of their introducer. Every expression has
//! its place in the source text, from which names of unaliased columns are taken.

mod admin;
mod children;
mod ddl;
mod dml;
mod event;
mod existence;
mod expr;
mod partition;
mod precedence;
mod print;
pub mod program;
mod query;
mod routine;
mod sequence;
pub mod tables;
mod trigger;
pub mod undeclared;
mod xa;

pub use admin::*;
pub use ddl::*;
pub use dml::*;
pub use event::*;
pub use expr::*;
pub use partition::*;
pub use precedence::Precedence;
pub use print::{Numbers, PrintStyle, ViewText, quote_identifier, quote_string};
pub use query::*;
pub use routine::*;
pub use sequence::*;
pub use trigger::*;
pub use xa::*;

/// An identifier or a short word, in UTF-8, as typed (without quotes).
pub type Name = Box<str>;

/// A stretch of the source text, in bytes: `start..end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The stretch `start..end`.
    pub fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// The text under the span; empty when the span does not lie in `sql`.
    pub fn of<'a>(&self, sql: &'a [u8]) -> &'a [u8] {
        sql.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// The name of a table, view or routine, with its database when it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableName {
    /// Database, when written.
    pub db: Option<Name>,
    /// Table.
    pub name: Name,
    /// Place in the text.
    pub span: Span,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// SELECT, VALUES, TABLE-less queries, UNION ..., with or without WITH.
    Select(Box<Query>),
    /// INSERT and REPLACE.
    Insert(Box<Insert>),
    /// UPDATE of one or several tables.
    Update(Box<Update>),
    /// DELETE from one or several tables.
    Delete(Box<Delete>),
    /// LOAD DATA and LOAD XML.
    LoadData(Box<LoadData>),
    /// DO expr, ...
    Do(Vec<Expr>),
    /// CALL routine(...).
    Call(TableName, Vec<Expr>),
    /// HANDLER ...
    Handler(Box<Handler>),

    /// CREATE TABLE in all forms.
    CreateTable(Box<CreateTable>),
    /// ALTER TABLE.
    AlterTable(Box<AlterTable>),
    /// DROP TABLE.
    DropTable(DropTables),
    /// DROP VIEW.
    DropView(DropTables),
    /// RENAME TABLE.
    RenameTable(RenameTable),
    /// TRUNCATE TABLE.
    Truncate(TableName, LockWait),
    /// CREATE INDEX (kept apart from ALTER TABLE for its error texts).
    CreateIndex(Box<CreateIndex>),
    /// DROP INDEX.
    DropIndex(Box<DropIndex>),
    /// CREATE DATABASE.
    CreateDatabase(CreateDatabase),
    /// ALTER DATABASE; the name is absent for the current database.
    AlterDatabase(Option<Name>, DatabaseOptions),
    /// DROP DATABASE.
    DropDatabase {
        /// IF EXISTS was given.
        if_exists: bool,
        /// Database.
        name: Name,
    },
    /// CREATE VIEW, kept as source text beside its query.
    CreateView(Box<CreateView>),
    /// CREATE PROCEDURE, CREATE FUNCTION.
    CreateRoutine(Box<CreateRoutine>),
    /// ALTER PROCEDURE, ALTER FUNCTION.
    AlterRoutine(Box<AlterRoutine>),
    /// DROP PROCEDURE, DROP FUNCTION.
    DropRoutine(Box<DropRoutine>),
    /// CREATE TRIGGER.
    CreateTrigger(Box<CreateTrigger>),
    /// DROP TRIGGER.
    DropTrigger(DropTrigger),
    /// CREATE SEQUENCE.
    CreateSequence(Box<CreateSequence>),
    /// ALTER SEQUENCE.
    AlterSequence(Box<AlterSequence>),
    /// DROP SEQUENCE.
    DropSequence(DropTables),
    /// CREATE EVENT.
    CreateEvent(Box<CreateEvent>),
    /// ALTER EVENT.
    AlterEvent(Box<AlterEvent>),
    /// DROP EVENT.
    DropEvent(DropEvent),
    /// BEGIN NOT ATOMIC and flow outside of routines.
    Compound(std::sync::Arc<crate::ast::program::Program>),
    /// SIGNAL, RESIGNAL.
    Signal(std::sync::Arc<crate::ast::program::Signal>),
    /// GET DIAGNOSTICS.
    Diagnose(std::sync::Arc<crate::ast::program::Diagnosed>),
    /// CREATE/ALTER/DROP of an object kind that is recognised, not built.
    OtherObject(OtherObject),

    /// USE db.
    Use(Name),
    /// SET in all forms: the assignments from left to right.
    Set(Vec<SetItem>),
    /// SET STATEMENT var = value, ... FOR statement.
    SetStatement(Vec<SetItem>, Box<Statement>),
    /// SHOW ...
    Show(Box<Show>),
    /// BACKUP SERVER TO 'folder' [SKIP DAMAGED].
    BackupServer(Box<[u8]>, bool),
    /// DESCRIBE t [column | 'pattern'], EXPLAIN t.
    Describe(TableName, Option<Name>),
    /// EXPLAIN / ANALYZE of a statement.
    Explain(Box<Explain>),
    /// HELP 'topic'.
    Help(Name),
    /// LOCK TABLES.
    LockTables(LockTables),
    /// UNLOCK TABLES.
    UnlockTables,
    /// CHECK, REPAIR, ANALYZE, OPTIMIZE, CHECKSUM TABLE.
    Maintain(Box<Maintain>),
    /// CACHE INDEX ... IN cache.
    CacheIndex(CacheIndex),
    /// LOAD INDEX INTO CACHE.
    LoadIndex(CacheIndex),
    /// FLUSH ...
    Flush(Flush),
    /// RESET word, ... (MASTER, QUERY CACHE, SLAVE, ...).
    Reset(Vec<Name>),
    /// KILL ...
    Kill(Kill),
    /// SHUTDOWN.
    Shutdown,
    /// PURGE, CHANGE MASTER, START SLAVE, INSTALL PLUGIN, BINLOG ...: first words, nothing is done with it.
    OtherAdmin(Name),

    /// XA ...
    Xa(Xa),
    /// BEGIN, START TRANSACTION.
    Begin(Begin),
    /// COMMIT.
    Commit(Completion),
    /// ROLLBACK.
    Rollback(Completion),
    /// SAVEPOINT name.
    Savepoint(Name),
    /// ROLLBACK TO SAVEPOINT name.
    RollbackTo(Name),
    /// RELEASE SAVEPOINT name.
    ReleaseSavepoint(Name),

    /// PREPARE name FROM text.
    Prepare(Name, Expr),
    /// EXECUTE name USING ...
    Execute(Name, Vec<Argument>),
    /// EXECUTE IMMEDIATE text USING ...
    ExecuteImmediate(Expr, Vec<Argument>),
    /// DEALLOCATE / DROP PREPARE name.
    Deallocate(Name),

    /// CREATE, ALTER USER.
    User(Box<UserStatement>),
    /// DROP USER.
    DropUser {
        /// IF EXISTS was given.
        if_exists: bool,
        /// Accounts.
        users: Vec<Account>,
    },
    /// RENAME USER from TO to, ...
    RenameUser(Vec<(Account, Account)>),
    /// CREATE / DROP ROLE.
    Role(RoleStatement),
    /// CREATE, ALTER, DROP SERVER.
    Server(Box<ServerStatement>),
    /// GRANT, REVOKE.
    Grant(Box<Grant>),
}

/// A parameter's value in EXECUTE ... USING.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A value.
    Value(Expr),
    /// DEFAULT.
    Default,
    /// IGNORE.
    Ignore,
}

impl Statement {
    /// Whether it makes, changes or drops databases, tables, indexes or views.
    #[must_use]
    pub fn defines(&self) -> bool {
        matches!(
            self,
            Self::CreateTable(_)
                | Self::AlterTable(_)
                | Self::DropTable(_)
                | Self::CreateView(_)
                | Self::DropView(_)
                | Self::RenameTable(_)
                | Self::Truncate(..)
                | Self::CreateIndex(_)
                | Self::DropIndex(_)
                | Self::CreateDatabase(_)
                | Self::AlterDatabase(..)
                | Self::DropDatabase { .. }
                | Self::CreateTrigger(_)
                | Self::DropTrigger(_)
                | Self::CreateSequence(_)
                | Self::AlterSequence(_)
                | Self::DropSequence(_)
        )
    }

    /// Whether it makes, changes or drops routines.
    #[must_use]
    pub fn defines_routines(&self) -> bool {
        matches!(self, Self::CreateRoutine(_) | Self::AlterRoutine(_) | Self::DropRoutine(_))
    }

    /// Whether it makes, changes or drops events.
    #[must_use]
    pub fn defines_events(&self) -> bool {
        matches!(self, Self::CreateEvent(_) | Self::AlterEvent(_) | Self::DropEvent(_))
    }

    /// Whether it changes accounts, roles or privileges.
    #[must_use]
    pub fn changes_accounts(&self) -> bool {
        matches!(
            self,
            Self::User(_) | Self::DropUser { .. } | Self::RenameUser(_) | Self::Role(_) | Self::Grant(_)
        )
    }
}
