//! Indexes and foreign keys, with a table and by themselves.

use super::Parser;
use super::create::CreateHead;
use super::error;
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::lex::{Kw, T};

impl Parser<'_> {
    /// FOREIGN KEY [name] (columns) REFERENCES ..., at the word.
    pub(super) fn foreign_key(&mut self, constraint: Option<Name>) -> SqlResult<ForeignKey> {
        self.expect_kw(Kw::FOREIGN)?;
        self.expect_kw(Kw::KEY)?;
        self.if_not_exists()?;
        let name = if self.at_ident() { Some(self.ident()?) } else { None };
        let columns = self.paren_list(Self::index_part)?;
        self.references(constraint, name, columns)
    }

    /// An index of CREATE / ALTER TABLE, at its first word.
    pub(crate) fn index_def(&mut self) -> SqlResult<IndexDef> {
        let kind = match self.kw() {
            Some(Kw::PRIMARY) => IndexKind::Primary,
            Some(Kw::UNIQUE) => IndexKind::Unique,
            Some(Kw::FULLTEXT) => IndexKind::Fulltext,
            Some(Kw::SPATIAL) => IndexKind::Spatial,
            _ => IndexKind::Plain,
        };
        self.advance();
        if kind == IndexKind::Primary {
            self.expect_kw(Kw::KEY)?;
        } else if kind != IndexKind::Plain && matches!(self.kw(), Some(Kw::INDEX | Kw::KEY)) {
            self.advance();
        }
        let if_not_exists = self.if_not_exists()?;
        let mut index = IndexDef::new(kind);
        index.if_not_exists = if_not_exists;
        if self.at_ident() && !self.at_index_type() {
            index.name = Some(self.ident()?);
        }
        self.index_body(&mut index)?;
        Ok(index)
    }

    /// TYPE BTREE: TYPE is a word that may also be a name.
    fn at_index_type(&mut self) -> bool {
        self.at_kw(Kw::TYPE) && matches!(self.peek(), T::Kw(Kw::BTREE | Kw::HASH | Kw::RTREE))
    }

    /// `[USING x] (parts) options`.
    fn index_body(&mut self, index: &mut IndexDef) -> SqlResult<()> {
        self.index_algorithm(index)?;
        self.index_parts(index)?;
        self.index_options(index)
    }

    fn index_parts(&mut self, index: &mut IndexDef) -> SqlResult<()> {
        self.expect(T::LParen)?;
        loop {
            index.parts.push(self.index_part()?);
            if !self.eat(T::Comma) {
                break;
            }
        }
        if self.at_kw(Kw::WITHOUT) {
            let _ = &index.without_overlaps;
            return Err(SqlError::not_supported("WITHOUT OVERLAPS"));
        }
        self.expect(T::RParen)
    }

    fn index_algorithm(&mut self, index: &mut IndexDef) -> SqlResult<bool> {
        let plain = !matches!(index.kind, IndexKind::Fulltext | IndexKind::Spatial);
        if !plain || (!self.at_kw(Kw::USING) && !self.at_index_type()) {
            return Ok(false);
        }
        self.advance();
        index.algorithm = Some(match self.kw() {
            Some(Kw::BTREE) => IndexAlgorithm::BTree,
            Some(Kw::HASH) => IndexAlgorithm::Hash,
            Some(Kw::RTREE) => IndexAlgorithm::RTree,
            _ => return Err(self.error()),
        });
        self.advance();
        Ok(true)
    }

    fn index_options(&mut self, index: &mut IndexDef) -> SqlResult<()> {
        loop {
            if self.index_algorithm(index)? {
                continue;
            }
            match self.kw() {
                Some(Kw::KEY_BLOCK_SIZE) => {
                    self.advance();
                    self.eat(T::Eq);
                    index.key_block_size = Some(self.number()?);
                }
                Some(Kw::COMMENT) => {
                    self.advance();
                    index.comment = Some(self.string_token()?);
                }
                Some(Kw::WITH) if index.kind == IndexKind::Fulltext && self.peek() == T::Kw(Kw::PARSER) => {
                    self.advance();
                    self.advance();
                    index.parser = Some(self.ident()?);
                }
                Some(Kw::VISIBLE) => self.advance(),
                Some(Kw::IGNORED) => {
                    self.advance();
                    index.ignored = Some(true);
                }
                Some(Kw::NOT) if matches!(self.peek(), T::Kw(Kw::IGNORED)) => {
                    self.advance();
                    self.advance();
                    index.ignored = Some(false);
                }
                _ if matches!(self.tok.kind, T::Ident | T::Quoted) && self.peek() == T::Eq => {
                    let option = self.unknown_option()?;
                    index.attributes.push(option);
                }
                _ => return Ok(()),
            }
        }
    }

    /// CREATE INDEX, at the kind.
    pub(super) fn create_index(&mut self, head: CreateHead) -> SqlResult<Statement> {
        let kind = match self.kw() {
            Some(Kw::UNIQUE) => IndexKind::Unique,
            Some(Kw::FULLTEXT) => IndexKind::Fulltext,
            Some(Kw::SPATIAL) => IndexKind::Spatial,
            _ => IndexKind::Plain,
        };
        if kind != IndexKind::Plain {
            self.advance();
        }
        self.expect_kw(Kw::INDEX)?;
        let mut index = IndexDef::new(kind);
        index.if_not_exists = self.if_not_exists()?;
        index.name = Some(self.ident()?);
        if matches!(kind, IndexKind::Plain | IndexKind::Unique) {
            self.index_algorithm(&mut index)?;
        }
        self.expect_kw(Kw::ON)?;
        let table = self.table_name()?;
        self.index_parts(&mut index)?;
        let wait = self.lock_wait()?;
        self.index_options(&mut index)?;
        let (algorithm, lock) = self.algorithm_and_lock()?;
        let create = CreateIndex { or_replace: head.or_replace, table, index, wait, algorithm, lock };
        Ok(Statement::CreateIndex(Box::new(create)))
    }

    /// ALGORITHM [=] word, LOCK [=] word, in any order.
    pub(crate) fn algorithm_and_lock(&mut self) -> SqlResult<(Option<Name>, Option<Name>)> {
        let (mut algorithm, mut lock) = (None, None);
        loop {
            if self.at_kw(Kw::ALGORITHM) && algorithm.is_none() {
                algorithm = Some(self.alter_word(&["DEFAULT", "INPLACE", "COPY", "INSTANT", "NOCOPY"])?);
            } else if self.at_kw(Kw::LOCK) && lock.is_none() {
                lock = Some(self.alter_word(&["DEFAULT", "NONE", "SHARED", "EXCLUSIVE"])?);
            } else {
                return Ok((algorithm, lock));
            }
        }
    }

    /// `WORD [=] value` with one of the values; another is error 1800 or 1801.
    pub(crate) fn alter_word(&mut self, values: &[&str]) -> SqlResult<Name> {
        let lock = self.at_kw(Kw::LOCK);
        self.advance();
        self.eat(T::Eq);
        if self.eat_kw(Kw::DEFAULT) {
            return Ok("DEFAULT".into());
        }
        let name = self.ident()?;
        let upper = name.to_ascii_uppercase();
        if values.contains(&upper.as_str()) {
            return Ok(upper.into());
        }
        let code = if lock { error::ER_UNKNOWN_ALTER_LOCK } else { error::ER_UNKNOWN_ALTER_ALGORITHM };
        Err(SqlError::new(code, &[&name]))
    }
}

/// The index given with a column, as an index of its own.
pub(crate) fn column_keys(column: &ColumnDef, indexes: &mut Vec<IndexDef>) {
    let Some(key) = column.key else { return };
    let mut index = IndexDef::new(match key {
        ColumnKey::Primary => IndexKind::Primary,
        ColumnKey::Unique => IndexKind::Unique,
    });
    index.from_column = true;
    index.parts.push(IndexPart { column: column.name.clone(), length: None, descending: false });
    indexes.push(index);
}
