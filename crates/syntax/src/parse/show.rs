//! SHOW.

use super::Parser;
use crate::ast::*;
use crate::error::SqlResult;
use crate::lex::{Kw, T};

/// Tables of information_schema that SHOW and FLUSH know by name.
pub(crate) const STATISTICS: [&str; 4] =
    ["INDEX_STATISTICS", "USER_STATISTICS", "CLIENT_STATISTICS", "TABLE_STATISTICS"];

/// The pattern of LIKE that only this text fits.
fn escaped(text: &[u8]) -> Box<[u8]> {
    let special = |b: &u8| matches!(b, b'%' | b'_' | b'\\');
    text.iter().flat_map(|b| special(b).then_some(b'\\').into_iter().chain([*b])).collect()
}

impl<'a> Parser<'a> {
    /// SHOW, at the word.
    pub(crate) fn show(&mut self) -> SqlResult<Statement> {
        self.advance();
        let show = self.show_what()?;
        Ok(Statement::Show(Box::new(show)))
    }

    fn show_what(&mut self) -> SqlResult<Show> {
        let Some(kw) = self.kw() else { return self.show_plugin() };
        // The object may stand behind FULL, GLOBAL and the like.
        let full = kw == Kw::FULL;
        let scope = match kw {
            Kw::GLOBAL => Some(VariableScope::Global),
            Kw::SESSION | Kw::LOCAL => Some(VariableScope::Session),
            _ => None,
        };
        if let Some(scope) = scope {
            self.advance();
            return self.show_scoped(scope);
        }
        if full {
            self.advance();
            return self.show_full();
        }
        match kw {
            Kw::VARIABLES | Kw::STATUS => self.show_scoped(VariableScope::Implicit),
            Kw::TABLES | Kw::COLUMNS | Kw::FIELDS | Kw::PROCESSLIST | Kw::TRIGGERS => self.show_object(false),
            Kw::DATABASES | Kw::SCHEMAS => {
                self.advance();
                Ok(Show::Databases(self.show_filter()?))
            }
            Kw::TABLE | Kw::OPEN | Kw::EVENTS | Kw::INDEX | Kw::INDEXES | Kw::KEYS => self.show_of_tables(kw),
            Kw::CREATE => self.show_create(),
            Kw::STORAGE => {
                self.advance();
                self.expect_kw(Kw::ENGINES)?;
                Ok(Show::Engines)
            }
            Kw::ENGINES => self.simple_show(Show::Engines),
            Kw::ENGINE => self.show_engine(),
            Kw::WARNINGS | Kw::ERRORS => {
                self.advance();
                let limit = self.limit()?.map(|l| *l);
                Ok(if kw == Kw::WARNINGS { Show::Warnings(limit) } else { Show::Errors(limit) })
            }
            Kw::GRANTS => {
                self.advance();
                let account = if self.eat_kw(Kw::FOR) { Some(self.account()?) } else { None };
                Ok(Show::Grants(account))
            }
            Kw::PRIVILEGES => self.simple_show(Show::Privileges),
            Kw::PLUGINS => self.show_plugins(),
            Kw::CHARACTER | Kw::CHAR | Kw::CHARSET => {
                if !self.eat_charset()? {
                    self.advance();
                    return Err(self.error());
                }
                Ok(Show::CharacterSet(self.show_filter()?))
            }
            Kw::COLLATION => {
                self.advance();
                Ok(Show::Collation(self.show_filter()?))
            }
            Kw::FUNCTION | Kw::PROCEDURE | Kw::PACKAGE => self.show_routine(),
            Kw::MASTER | Kw::BINARY | Kw::BINLOG | Kw::RELAYLOG | Kw::SLAVE | Kw::REPLICA | Kw::ALL => {
                self.show_replication(kw)
            }
            Kw::PROFILES => self.simple_show(Show::Profiles),
            Kw::PROFILE => self.show_profile(),
            Kw::AUTHORS => self.simple_show(Show::Authors),
            Kw::CONTRIBUTORS => self.simple_show(Show::Contributors),
            Kw::EXPLAIN | Kw::ANALYZE => {
                self.advance();
                if self.at_kw(Kw::FORMAT) {
                    self.advance();
                    self.expect(T::Eq)?;
                    self.ident_or_text()?;
                }
                self.expect_kw(Kw::FOR)?;
                Ok(Show::ExplainFor(self.expr()?))
            }
            _ => self.show_plugin(),
        }
    }

    fn show_plugins(&mut self) -> SqlResult<Show> {
        self.advance();
        if !self.eat_kw(Kw::SONAME) {
            return Ok(Show::Plugins(None));
        }
        if self.at(T::Str) {
            return Ok(Show::Plugins(Some(ShowFilter::Like(escaped(&self.string_token()?)))));
        }
        Ok(Show::Plugins(self.show_filter()?))
    }

    /// Lists of tables, events and keys.
    fn show_of_tables(&mut self, kw: Kw) -> SqlResult<Show> {
        self.advance();
        match kw {
            Kw::TABLE => {
                if !self.at_kw(Kw::STATUS) {
                    self.reject_here()?;
                }
                self.advance();
                let db = self.show_db()?;
                Ok(Show::TableStatus(db, self.show_filter()?))
            }
            Kw::OPEN => {
                self.expect_kw(Kw::TABLES)?;
                let db = self.show_db()?;
                Ok(Show::OpenTables(db, self.show_filter()?))
            }
            Kw::EVENTS => {
                let db = self.show_db()?;
                Ok(Show::Events(db, self.show_filter()?))
            }
            _ => {
                let table = self.show_table()?;
                let filter = if self.at_kw(Kw::WHERE) { self.show_filter()? } else { None };
                Ok(Show::Index(table, filter))
            }
        }
    }

    /// Logs and the state of replication.
    fn show_replication(&mut self, kw: Kw) -> SqlResult<Show> {
        self.advance();
        match kw {
            Kw::MASTER => {
                if self.eat_kw(Kw::STATUS) {
                    return Ok(Show::MasterStatus);
                }
                self.expect_kw(Kw::LOGS)?;
                Ok(Show::BinaryLogs)
            }
            Kw::BINARY => {
                self.expect_kw(Kw::LOGS)?;
                Ok(Show::BinaryLogs)
            }
            Kw::BINLOG | Kw::RELAYLOG => {
                if kw == Kw::BINLOG && self.eat_kw(Kw::STATUS) {
                    return Ok(Show::MasterStatus);
                }
                if kw == Kw::RELAYLOG && self.at(T::Str) {
                    self.advance();
                }
                self.expect_kw(Kw::EVENTS)?;
                if self.eat_kw(Kw::IN) {
                    self.string_token()?;
                }
                if self.eat_kw(Kw::FROM) {
                    self.number()?;
                }
                self.limit()?;
                Ok(if kw == Kw::BINLOG { Show::BinlogEvents } else { Show::RelaylogEvents })
            }
            Kw::SLAVE | Kw::REPLICA => {
                if self.eat_kw(Kw::HOSTS) {
                    return Ok(Show::SlaveHosts);
                }
                if self.at(T::Str) {
                    self.advance();
                }
                self.expect_kw(Kw::STATUS)?;
                if self.eat_kw(Kw::FOR) {
                    self.expect_kw(Kw::CHANNEL)?;
                    self.string_token()?;
                }
                Ok(Show::SlaveStatus)
            }
            _ => {
                if !self.eat_kw(Kw::SLAVES) {
                    self.expect_kw(Kw::REPLICAS)?;
                }
                self.expect_kw(Kw::STATUS)?;
                Ok(Show::SlaveStatus)
            }
        }
    }

    /// The syntax error at the current token.
    fn reject_here(&self) -> SqlResult<()> {
        Err(self.error())
    }

    fn simple_show(&mut self, show: Show) -> SqlResult<Show> {
        self.advance();
        Ok(show)
    }

    /// A table of information_schema that comes with a plug-in.
    fn show_plugin(&mut self) -> SqlResult<Show> {
        if self.at_word("COUNT") {
            self.advance();
            self.expect(T::LParen)?;
            self.expect(T::Star)?;
            self.expect(T::RParen)?;
            if self.eat_kw(Kw::WARNINGS) {
                return Ok(Show::CountWarnings);
            }
            self.expect_kw(Kw::ERRORS)?;
            return Ok(Show::CountErrors);
        }
        if !matches!(self.tok.kind, T::Ident | T::Quoted) {
            return Err(self.error());
        }
        let token = self.tok;
        let name = self.ident()?.to_ascii_uppercase();
        if !STATISTICS.contains(&name.as_str()) {
            return Err(self.error_at(token.start as usize));
        }
        Ok(Show::Plugin(name.into(), None))
    }

    fn show_full(&mut self) -> SqlResult<Show> {
        self.show_object(true)
    }

    /// [FULL] TABLES, COLUMNS, PROCESSLIST, TRIGGERS.
    fn show_object(&mut self, full: bool) -> SqlResult<Show> {
        match self.kw() {
            Some(Kw::TABLES) => {
                self.advance();
                let db = self.show_db()?;
                Ok(Show::Tables { full, db, filter: self.show_filter()? })
            }
            Some(Kw::COLUMNS | Kw::FIELDS) => {
                self.advance();
                let table = self.show_table()?;
                Ok(Show::Columns { full, table, filter: self.show_filter()? })
            }
            Some(Kw::PROCESSLIST) => {
                self.advance();
                Ok(Show::Processlist { full })
            }
            Some(Kw::TRIGGERS) => {
                self.advance();
                let db = self.show_db()?;
                Ok(Show::Triggers(db, self.show_filter()?))
            }
            _ => Err(self.error()),
        }
    }

    fn show_scoped(&mut self, scope: VariableScope) -> SqlResult<Show> {
        match self.kw() {
            Some(Kw::VARIABLES) => {
                self.advance();
                Ok(Show::Variables(scope, self.show_filter()?))
            }
            Some(Kw::STATUS) => {
                self.advance();
                Ok(Show::Status(scope, self.show_filter()?))
            }
            _ => Err(self.error()),
        }
    }

    /// `FROM db` or `IN db`.
    fn show_db(&mut self) -> SqlResult<Option<Name>> {
        if matches!(self.kw(), Some(Kw::FROM | Kw::IN)) {
            self.advance();
            return Ok(Some(self.ident()?));
        }
        Ok(None)
    }

    /// `FROM table [FROM db]`.
    fn show_table(&mut self) -> SqlResult<TableName> {
        if !matches!(self.kw(), Some(Kw::FROM | Kw::IN)) {
            return Err(self.error());
        }
        self.advance();
        let mut table = self.table_name()?;
        if let Some(db) = self.show_db()? {
            table.db = Some(db);
        }
        Ok(table)
    }

    /// LIKE or WHERE.
    fn show_filter(&mut self) -> SqlResult<Option<ShowFilter>> {
        if self.eat_kw(Kw::LIKE) {
            return Ok(Some(ShowFilter::Like(self.string_token()?)));
        }
        if self.eat_kw(Kw::WHERE) {
            return Ok(Some(ShowFilter::Where(self.expr()?)));
        }
        Ok(None)
    }

    fn show_create(&mut self) -> SqlResult<Show> {
        self.advance();
        let Some(kw) = self.kw() else { return Err(self.error()) };
        match kw {
            Kw::TABLE => {
                self.advance();
                Ok(Show::CreateTable(self.table_name()?))
            }
            Kw::VIEW => {
                self.advance();
                Ok(Show::CreateView(self.table_name()?))
            }
            Kw::DATABASE | Kw::SCHEMA => {
                self.advance();
                let if_not_exists = self.if_not_exists()?;
                Ok(Show::CreateDatabase { if_not_exists, name: self.ident()? })
            }
            Kw::USER => {
                self.advance();
                let account =
                    if matches!(self.tok.kind, T::Eof | T::Semi) { None } else { Some(self.account()?) };
                Ok(Show::CreateUser(account))
            }
            Kw::PROCEDURE | Kw::FUNCTION | Kw::EVENT | Kw::TRIGGER => {
                self.advance();
                Ok(Show::CreateOther(kw.word(), self.routine_name()?))
            }
            Kw::SEQUENCE => {
                self.advance();
                Ok(Show::CreateOther(kw.word(), self.table_name()?))
            }
            Kw::PACKAGE => {
                self.advance();
                let kind = if self.eat_kw(Kw::BODY) { "PACKAGE BODY" } else { "PACKAGE" };
                Ok(Show::CreateOther(kind, self.routine_name()?))
            }
            _ => Err(self.error()),
        }
    }

    fn show_routine(&mut self) -> SqlResult<Show> {
        let kind = match self.kw() {
            Some(Kw::FUNCTION) => "FUNCTION",
            Some(Kw::PROCEDURE) => "PROCEDURE",
            _ => "PACKAGE",
        };
        self.advance();
        let kind = if kind == "PACKAGE" && self.eat_kw(Kw::BODY) { "PACKAGE BODY" } else { kind };
        if self.eat_kw(Kw::STATUS) {
            return Ok(Show::RoutineStatus(kind, self.show_filter()?));
        }
        self.expect_kw(Kw::CODE)?;
        Ok(Show::RoutineCode(kind, self.routine_name()?))
    }

    /// ENGINE name STATUS | MUTEX | LOGS.
    fn show_engine(&mut self) -> SqlResult<Show> {
        self.advance();
        let name = if self.eat_kw(Kw::ALL) { "ALL".into() } else { self.ident_or_text()? };
        let what = match self.kw() {
            Some(Kw::STATUS) => "STATUS",
            Some(Kw::MUTEX) => "MUTEX",
            Some(Kw::LOGS) => "LOGS",
            _ => return Err(self.error()),
        };
        self.advance();
        Ok(Show::EngineStatus(name, what))
    }

    fn show_profile(&mut self) -> SqlResult<Show> {
        self.advance();
        let mut shown = ProfileShown::default();
        while let Some(kw) = self.kw() {
            let (of, second) = match kw {
                Kw::CPU => (&mut shown.cpu, None),
                Kw::IPC => (&mut shown.ipc, None),
                Kw::SOURCE => (&mut shown.source, None),
                Kw::SWAPS => (&mut shown.swaps, None),
                Kw::BLOCK => (&mut shown.block, Some(Kw::IO)),
                Kw::CONTEXT => (&mut shown.context, Some(Kw::SWITCHES)),
                Kw::PAGE => (&mut shown.faults, Some(Kw::FAULTS)),
                Kw::ALL => {
                    let ProfileShown { query, .. } = shown;
                    let (cpu, context, block, ipc) = (true, true, true, true);
                    shown = ProfileShown {
                        cpu,
                        context,
                        block,
                        ipc,
                        faults: true,
                        swaps: true,
                        source: true,
                        query,
                    };
                    (&mut shown.cpu, None)
                }
                // nothing is told of memory
                Kw::MEMORY => (&mut false, None),
                _ => break,
            };
            if kw != Kw::MEMORY {
                *of = true;
            }
            self.advance();
            if let Some(second) = second {
                self.expect_kw(second)?;
            }
            if !self.eat(T::Comma) {
                break;
            }
        }
        if self.eat_kw(Kw::FOR) {
            self.expect_kw(Kw::QUERY)?;
            shown.query = Some(self.number()?);
        }
        self.limit()?;
        Ok(Show::Profile(shown))
    }
}
