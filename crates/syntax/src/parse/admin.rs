//! Locks, maintenance, key caches, FLUSH, RESET, KILL.

use super::Parser;
use crate::ast::*;
use crate::error::{self, SqlError, SqlResult};
use crate::lex::{Kw, T};

impl<'a> Parser<'a> {
    /// LOCK TABLES, at LOCK.
    pub(crate) fn lock_tables(&mut self) -> SqlResult<Statement> {
        self.advance();
        self.table_word()?;
        let tables = self.comma_list(|p| {
            let table = p.table_name()?;
            let alias = p.table_alias()?;
            let kind = match p.kw() {
                Some(Kw::READ) => {
                    p.advance();
                    if p.eat_kw(Kw::LOCAL) { TableLockKind::ReadLocal } else { TableLockKind::Read }
                }
                Some(Kw::WRITE) => {
                    p.advance();
                    if p.eat_kw(Kw::CONCURRENT) {
                        TableLockKind::WriteConcurrent
                    } else {
                        TableLockKind::Write
                    }
                }
                Some(Kw::LOW_PRIORITY) => {
                    p.advance();
                    p.expect_kw(Kw::WRITE)?;
                    TableLockKind::WriteLowPriority
                }
                _ => return Err(p.error()),
            };
            Ok(TableLock { table, alias, kind })
        })?;
        let wait = self.lock_wait()?;
        Ok(Statement::LockTables(LockTables { tables, wait }))
    }

    /// A statement of this kind without tables and options.
    pub(super) fn bare_maintain(kind: MaintainKind) -> Maintain {
        Maintain {
            kind,
            view: false,
            local: false,
            tables: Vec::new(),
            partitions: None,
            quick: false,
            fast: false,
            medium: false,
            extended: false,
            changed: false,
            for_upgrade: false,
            use_frm: false,
            wait: LockWait::Default,
            persistent: false,
        }
    }

    /// CHECK, REPAIR, ANALYZE, OPTIMIZE, CHECKSUM.
    pub(crate) fn maintain(&mut self) -> SqlResult<Statement> {
        let kind = match self.kw() {
            Some(Kw::CHECK) => MaintainKind::Check,
            Some(Kw::REPAIR) => MaintainKind::Repair,
            Some(Kw::ANALYZE) => MaintainKind::Analyze,
            Some(Kw::OPTIMIZE) => MaintainKind::Optimize,
            _ => MaintainKind::Checksum,
        };
        self.advance();
        let mut maintain = Self::bare_maintain(kind);
        if matches!(kind, MaintainKind::Repair | MaintainKind::Analyze | MaintainKind::Optimize)
            && matches!(self.kw(), Some(Kw::LOCAL | Kw::NO_WRITE_TO_BINLOG))
        {
            self.advance();
            maintain.local = true;
        }
        if matches!(kind, MaintainKind::Check | MaintainKind::Repair) && self.eat_kw(Kw::VIEW) {
            maintain.view = true;
        } else {
            self.table_word()?;
        }
        if kind == MaintainKind::Analyze {
            maintain.tables = self.comma_list(|p| {
                let table = p.table_name()?;
                if p.at_kw(Kw::PERSISTENT) {
                    p.persistent_for()?;
                }
                Ok(table)
            })?;
            maintain.persistent = false;
            return Ok(Statement::Maintain(Box::new(maintain)));
        }
        maintain.tables = self.table_names()?;
        self.maintain_options(&mut maintain)?;
        if kind == MaintainKind::Optimize {
            maintain.wait = self.lock_wait()?;
        }
        Ok(Statement::Maintain(Box::new(maintain)))
    }

    pub(super) fn maintain_options(&mut self, m: &mut Maintain) -> SqlResult<()> {
        loop {
            let check = m.kind == MaintainKind::Check && !m.view;
            let repair = m.kind == MaintainKind::Repair && !m.view;
            let checksum = m.kind == MaintainKind::Checksum;
            match self.kw() {
                Some(Kw::QUICK) if (check || repair) || (checksum && !m.quick && !m.extended) => {
                    m.quick = true
                }
                Some(Kw::EXTENDED) if (check || repair) || (checksum && !m.quick && !m.extended) => {
                    m.extended = true;
                }
                Some(Kw::FAST) if check => m.fast = true,
                Some(Kw::MEDIUM) if check => m.medium = true,
                Some(Kw::CHANGED) if check => m.changed = true,
                Some(Kw::USE_FRM) if repair => m.use_frm = true,
                Some(Kw::FOR)
                    if m.kind == MaintainKind::Check
                        || m.kind == MaintainKind::Repair && m.view && !m.for_upgrade =>
                {
                    self.advance();
                    if !self.at_kw(Kw::UPGRADE) {
                        return Err(self.error());
                    }
                    m.for_upgrade = true;
                }
                Some(Kw::FROM) if m.kind == MaintainKind::Repair && m.view && !m.for_upgrade => {
                    self.advance();
                    if !self.at_kw(Kw::MYSQL) {
                        return Err(self.error());
                    }
                    m.for_upgrade = true;
                }
                _ => return Ok(()),
            }
            self.advance();
        }
    }

    /// PERSISTENT FOR ALL | COLUMNS (..) INDEXES (..).
    fn persistent_for(&mut self) -> SqlResult<()> {
        self.advance();
        self.expect_kw(Kw::FOR)?;
        if self.eat_kw(Kw::ALL) {
            return Ok(());
        }
        for word in [Kw::COLUMNS, Kw::INDEXES] {
            self.expect_kw(word)?;
            if self.eat_kw(Kw::ALL) {
                continue;
            }
            self.expect(T::LParen)?;
            if !self.at(T::RParen) {
                self.comma_list(Self::index_name)?;
            }
            self.expect(T::RParen)?;
        }
        Ok(())
    }

    /// CACHE INDEX, at CACHE.
    pub(crate) fn cache_index(&mut self) -> SqlResult<Statement> {
        self.advance();
        self.expect_kw(Kw::INDEX)?;
        let tables = self.cached_tables(false)?;
        self.expect_kw(Kw::IN)?;
        let cache = if self.eat_kw(Kw::DEFAULT) { None } else { Some(self.ident()?) };
        Ok(Statement::CacheIndex(CacheIndex { tables, cache }))
    }

    /// LOAD INDEX INTO CACHE, at INDEX.
    pub(crate) fn load_index(&mut self) -> SqlResult<Statement> {
        self.advance();
        self.expect_kw(Kw::INTO)?;
        self.expect_kw(Kw::CACHE)?;
        let tables = self.cached_tables(true)?;
        Ok(Statement::LoadIndex(CacheIndex { tables, cache: None }))
    }

    fn cached_tables(&mut self, leaves: bool) -> SqlResult<Vec<CacheIndexTable>> {
        let mut tables = Vec::new();
        loop {
            let table = self.table_name()?;
            let mut partitions = None;
            // Partitions are named of one table that stands alone.
            if tables.is_empty() && self.eat_kw(Kw::PARTITION) {
                self.expect(T::LParen)?;
                let names = if self.eat_kw(Kw::ALL) { Vec::new() } else { self.comma_list(Self::ident)? };
                self.expect(T::RParen)?;
                partitions = Some(names);
            }
            let mut indexes = Vec::new();
            if matches!(self.kw(), Some(Kw::INDEX | Kw::KEY)) {
                self.advance();
                self.expect(T::LParen)?;
                if !self.at(T::RParen) {
                    indexes = self.comma_list(Self::index_name)?;
                }
                self.expect(T::RParen)?;
            }
            let mut ignore_leaves = false;
            if leaves && self.eat_kw(Kw::IGNORE) {
                self.expect_kw(Kw::LEAVES)?;
                ignore_leaves = true;
            }
            let alone = partitions.is_some();
            tables.push(CacheIndexTable { table, partitions, indexes, ignore_leaves });
            if alone || !self.eat(T::Comma) {
                return Ok(tables);
            }
        }
    }

    /// FLUSH, at the word.
    pub(crate) fn flush(&mut self) -> SqlResult<Statement> {
        self.advance();
        if matches!(self.kw(), Some(Kw::LOCAL | Kw::NO_WRITE_TO_BINLOG)) {
            self.advance();
        }
        if matches!(self.kw(), Some(Kw::TABLE | Kw::TABLES)) {
            self.advance();
            let mut tables = Vec::new();
            if self.at_ident() && !self.at_kw(Kw::WITHOUT) {
                tables = self.table_names()?;
            }
            let (mut read_lock, mut export) = (false, false);
            if self.at_kw(Kw::WITH) {
                self.advance();
                self.expect_kw(Kw::READ)?;
                self.expect_kw(Kw::LOCK)?;
                read_lock = true;
                if self.eat_kw(Kw::AND) {
                    self.expect_kw(Kw::DISABLE)?;
                    self.expect_kw(Kw::CHECKPOINT)?;
                }
            } else if self.at_kw(Kw::FOR) && !tables.is_empty() {
                self.advance();
                self.expect_kw(Kw::EXPORT)?;
                export = true;
            }
            return Ok(Statement::Flush(Flush::Tables { tables, read_lock, export }));
        }
        let options = self.comma_list(Self::flush_option)?;
        Ok(Statement::Flush(Flush::Options(options)))
    }

    fn flush_option(&mut self) -> SqlResult<Name> {
        let Some(kw) = self.kw() else {
            // Tables of plug-ins: FLUSH USER_STATISTICS and the like.
            let token = self.tok;
            if !self.at(T::Ident) {
                return Err(self.error());
            }
            let name = self.ident()?.to_ascii_uppercase();
            if !super::show::STATISTICS.contains(&name.as_str()) {
                return Err(self.error_at(token.start as usize));
            }
            return Ok(name.into());
        };
        self.advance();
        let words: String = match kw {
            Kw::QUERY => {
                self.expect_kw(Kw::CACHE)?;
                "QUERY CACHE".into()
            }
            Kw::ERROR | Kw::SLOW | Kw::GENERAL | Kw::BINARY | Kw::ENGINE => {
                if kw == Kw::SLOW && self.eat_kw(Kw::QUERY) {
                    self.expect_kw(Kw::LOGS)?;
                    return Ok("SLOW LOGS".into());
                }
                self.expect_kw(Kw::LOGS)?;
                if kw == Kw::BINARY && self.eat_kw(Kw::DELETE_DOMAIN_ID) {
                    self.expect(T::Eq)?;
                    self.expect(T::LParen)?;
                    if !self.at(T::RParen) {
                        self.comma_list(Self::number)?;
                    }
                    self.expect(T::RParen)?;
                }
                format!("{} LOGS", kw.word())
            }
            Kw::RELAY => {
                self.expect_kw(Kw::LOGS)?;
                if self.at(T::Str) {
                    self.advance();
                }
                "RELAY LOGS".into()
            }
            Kw::LOGS
            | Kw::PRIVILEGES
            | Kw::STATUS
            | Kw::HOSTS
            | Kw::SLAVE
            | Kw::REPLICA
            | Kw::MASTER
            | Kw::DES_KEY_FILE
            | Kw::USER_RESOURCES
            | Kw::THREADS
            | Kw::SSL => kw.word().into(),
            _ => {
                return Err(self.error_at((self.prev_end as usize).saturating_sub(kw.word().len())));
            }
        };
        Ok(words.into())
    }

    /// RESET, at the word.
    pub(crate) fn reset(&mut self) -> SqlResult<Statement> {
        self.advance();
        let words = self.comma_list(|p| {
            let Some(kw) = p.kw() else { return Err(p.error()) };
            match kw {
                Kw::QUERY => {
                    p.advance();
                    p.expect_kw(Kw::CACHE)?;
                    Ok("QUERY CACHE".into())
                }
                Kw::MASTER => {
                    p.advance();
                    if p.eat_kw(Kw::TO) {
                        p.number()?;
                    }
                    Ok("MASTER".into())
                }
                Kw::SLAVE | Kw::REPLICA => {
                    p.advance();
                    if p.at(T::Str) {
                        p.advance();
                    }
                    p.eat_kw(Kw::ALL);
                    Ok("SLAVE".into())
                }
                _ => Err(p.error()),
            }
        })?;
        Ok(Statement::Reset(words))
    }

    /// KILL, at the word.
    pub(crate) fn kill(&mut self) -> SqlResult<Statement> {
        self.advance();
        let mut hard = true;
        if self.at_kw(Kw::HARD) || self.at_kw(Kw::SOFT) {
            hard = self.at_kw(Kw::HARD);
            self.advance();
        }
        let mut query = false;
        let mut query_id = false;
        if self.at_kw(Kw::CONNECTION) {
            self.advance();
        } else if self.at_kw(Kw::QUERY) {
            self.advance();
            query = true;
            query_id = self.eat_kw(Kw::ID);
        }
        if !query_id && self.at_kw(Kw::USER) && self.peek() != T::LParen {
            self.advance();
            let target = KillTarget::User(self.account()?);
            return Ok(Statement::Kill(Kill { hard, query, target }));
        }
        if query_id && self.at_kw(Kw::USER) && self.peek() != T::LParen {
            let name = self.ident()?;
            return Err(SqlError::new(error::ER_BAD_FIELD_ERROR, &[&name, &"KILL"]));
        }
        let id = self.expr()?;
        Ok(Statement::Kill(Kill { hard, query, target: KillTarget::Id { id, query_id } }))
    }
}
