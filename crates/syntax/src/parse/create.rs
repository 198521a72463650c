//! CREATE, and the parts tables are made of.

use super::Parser;
use super::error;
use super::index::column_keys;
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::lex::{Kw, T};

/// What stands between CREATE and the kind of object.
#[derive(Default)]
pub(crate) struct CreateHead {
    pub or_replace: bool,
    pub temporary: bool,
}

impl<'a> Parser<'a> {
    /// CREATE, at the word.
    pub(crate) fn create(&mut self) -> SqlResult<Statement> {
        let start = self.tok.start;
        self.advance();
        let mut head = CreateHead::default();
        if self.at_kw(Kw::OR) {
            self.advance();
            self.expect_kw(Kw::REPLACE)?;
            head.or_replace = true;
        }
        if self.at_kw(Kw::TEMPORARY) {
            self.advance();
            head.temporary = true;
            if self.at_kw(Kw::SEQUENCE) {
                return self.create_sequence(&head);
            }
            if !self.at_kw(Kw::TABLE) {
                return Err(self.error());
            }
        }
        let Some(kw) = self.kw() else { return Err(self.error()) };
        match kw {
            Kw::TABLE => {
                self.advance();
                self.create_table(head)
            }
            Kw::UNIQUE | Kw::FULLTEXT | Kw::SPATIAL | Kw::INDEX => self.create_index(head),
            Kw::ONLINE | Kw::IGNORE if matches!(self.peek(), T::Kw(Kw::UNIQUE | Kw::INDEX)) => {
                self.advance();
                self.create_index(head)
            }
            Kw::DATABASE | Kw::SCHEMA => {
                self.advance();
                let if_not_exists = self.if_not_exists()?;
                if head.or_replace && if_not_exists {
                    return Err(SqlError::new(error::ER_WRONG_USAGE, &[&"OR REPLACE", &"IF NOT EXISTS"]));
                }
                let name = self.ident()?;
                let options = self.database_options()?;
                let create = CreateDatabase { or_replace: head.or_replace, if_not_exists, name, options };
                Ok(Statement::CreateDatabase(create))
            }
            Kw::USER => self.create_user(head.or_replace),
            Kw::ROLE => self.create_role(head.or_replace),
            Kw::VIEW | Kw::ALGORITHM => self.create_view(head.or_replace, false),
            Kw::SQL if matches!(self.peek(), T::Kw(Kw::SECURITY)) => self.create_view(head.or_replace, false),
            Kw::DEFINER => self.create_defined(head.or_replace, start),
            Kw::TRIGGER => self.create_trigger(head.or_replace, None),
            Kw::PROCEDURE | Kw::FUNCTION | Kw::AGGREGATE => self.create_routine(head.or_replace, None),
            Kw::EVENT => self.create_event(head.or_replace, None),
            Kw::SEQUENCE => self.create_sequence(&head),
            Kw::SERVER => self.create_server(head.or_replace),
            Kw::PACKAGE => self.other_object("CREATE", "PACKAGE"),
            Kw::TABLESPACE | Kw::LOGFILE => self.other_object("CREATE", "TABLESPACE"),
            _ => Err(self.error()),
        }
    }

    /// An object that is only recognised, at its kind's word: reads the name and passes over the rest.
    pub(crate) fn other_object(&mut self, verb: &'static str, object: &'static str) -> SqlResult<Statement> {
        if self.at_kw(Kw::AGGREGATE) {
            self.advance();
        }
        if self.at_kw(Kw::LOGFILE) {
            self.advance();
        }
        self.advance();
        self.eat_kw(Kw::BODY);
        let if_exists = match verb {
            "CREATE" => self.if_not_exists()?,
            _ => self.if_exists()?,
        };
        let name = if self.at_ident() { Some(self.table_name()?) } else { None };
        if name.is_none() {
            return Err(self.error());
        }
        // A body holds statements of its own: everything up to the end belongs to it.
        while !self.at(T::Eof) {
            if self.at(T::Bad) {
                return Err(self.error());
            }
            self.advance();
        }
        Ok(Statement::OtherObject(OtherObject { verb, object, if_exists, name }))
    }

    /// CREATE DEFINER = ... something.
    fn create_defined(&mut self, or_replace: bool, _start: u32) -> SqlResult<Statement> {
        let mut look = self.look();
        // The definer ends before the kind's word.
        for _ in 0..12 {
            match look.next_token().kind {
                T::Kw(Kw::VIEW) => return self.create_view(or_replace, false),
                T::Kw(kw @ (Kw::TRIGGER | Kw::PROCEDURE | Kw::FUNCTION | Kw::EVENT | Kw::PACKAGE)) => {
                    let definer = self.definer()?;
                    if self.at_kw(Kw::AGGREGATE)
                        || self.at_kw(kw) && matches!(kw, Kw::PROCEDURE | Kw::FUNCTION)
                    {
                        return self.create_routine(or_replace, Some(definer));
                    }
                    if self.at_kw(Kw::TRIGGER) {
                        return self.create_trigger(or_replace, Some(definer));
                    }
                    if self.at_kw(Kw::EVENT) {
                        return self.create_event(or_replace, Some(definer));
                    }
                    if !self.at_kw(kw) {
                        return Err(self.error());
                    }
                    return self.other_object("CREATE", kw.word());
                }
                T::Kw(Kw::SQL) => return self.create_view(or_replace, false),
                T::Eof | T::Semi | T::Bad => break,
                _ => {}
            }
        }
        self.definer()?;
        Err(self.error())
    }

    /// DEFINER = account.
    pub(super) fn definer(&mut self) -> SqlResult<Account> {
        self.expect_kw(Kw::DEFINER)?;
        self.expect(T::Eq)?;
        self.account()
    }

    /// CREATE / ALTER VIEW, at the first word behind CREATE [OR REPLACE].
    pub(crate) fn create_view(&mut self, or_replace: bool, alter: bool) -> SqlResult<Statement> {
        let mut algorithm = None;
        if self.eat_kw(Kw::ALGORITHM) {
            self.expect(T::Eq)?;
            algorithm = match self.kw() {
                Some(kw @ (Kw::UNDEFINED | Kw::MERGE | Kw::TEMPTABLE)) => Some(kw.word().into()),
                _ => return Err(self.error()),
            };
            self.advance();
        }
        let definer = if self.at_kw(Kw::DEFINER) { Some(self.definer()?) } else { None };
        let mut invoker = None;
        if self.eat_kw(Kw::SQL) {
            self.expect_kw(Kw::SECURITY)?;
            invoker = Some(self.at_kw(Kw::INVOKER));
            if !self.at_kw(Kw::INVOKER) && !self.at_kw(Kw::DEFINER) {
                return Err(self.error());
            }
            self.advance();
        }
        self.expect_kw(Kw::VIEW)?;
        let if_not_exists = !alter && self.if_not_exists_or_replace(or_replace)?;
        let name = self.table_name()?;
        let columns = if self.at(T::LParen) { self.paren_list(Self::ident)? } else { Vec::new() };
        self.expect_kw(Kw::AS)?;
        let start = self.tok.start;
        let query = self.query()?;
        let mut check_option = None;
        if self.at_kw(Kw::WITH) {
            self.advance();
            check_option = Some(!self.at_kw(Kw::LOCAL));
            if matches!(self.kw(), Some(Kw::LOCAL | Kw::CASCADED)) {
                self.advance();
            }
            self.expect_kw(Kw::CHECK)?;
            self.expect_kw(Kw::OPTION)?;
        }
        Ok(Statement::CreateView(Box::new(CreateView {
            alter,
            or_replace,
            if_not_exists,
            algorithm,
            definer,
            invoker,
            name,
            columns,
            query,
            check_option,
            body: Span::new(start, self.prev_end),
        })))
    }

    /// Behind CREATE TABLE.
    fn create_table(&mut self, head: CreateHead) -> SqlResult<Statement> {
        let if_not_exists = self.if_not_exists_or_replace(head.or_replace)?;
        let name = self.table_name()?;
        let mut table = CreateTable {
            or_replace: head.or_replace,
            temporary: head.temporary,
            if_not_exists,
            name,
            like: None,
            columns: Vec::new(),
            indexes: Vec::new(),
            foreign_keys: Vec::new(),
            checks: Vec::new(),
            options: TableOptions::default(),
            partition: None,
            query: None,
            on_duplicate: OnDuplicate::Error,
            versioned: false,
        };
        if self.eat_kw(Kw::LIKE) {
            table.like = Some(self.table_name()?);
            return Ok(Statement::CreateTable(Box::new(table)));
        }
        if self.at(T::LParen) {
            if self.peek() == T::Kw(Kw::LIKE) {
                self.advance();
                self.advance();
                table.like = Some(self.table_name()?);
                self.expect(T::RParen)?;
                return Ok(Statement::CreateTable(Box::new(table)));
            }
            let query = matches!(self.peek(), T::Kw(Kw::SELECT | Kw::WITH | Kw::VALUES) | T::LParen);
            if query {
                table.query = Some(Box::new(self.query()?));
                return Ok(Statement::CreateTable(Box::new(table)));
            }
            self.advance();
            loop {
                self.table_element(&mut table)?;
                if !self.eat(T::Comma) {
                    break;
                }
            }
            self.expect(T::RParen)?;
        }
        self.table_options(&mut table.options)?;
        if self.at_kw(Kw::PARTITION) {
            table.partition = Some(Box::new(self.partition_by()?));
        }
        match self.kw() {
            Some(Kw::IGNORE) => {
                self.advance();
                table.on_duplicate = OnDuplicate::Ignore;
            }
            Some(Kw::REPLACE) => {
                self.advance();
                table.on_duplicate = OnDuplicate::Replace;
            }
            _ => {}
        }
        let query_must = self.eat_kw(Kw::AS) || table.on_duplicate != OnDuplicate::Error;
        if self.at_query() || self.at(T::LParen) {
            table.query = Some(Box::new(self.query()?));
        } else if query_must {
            return Err(self.error());
        }
        Ok(Statement::CreateTable(Box::new(table)))
    }

    /// A column, index or constraint of CREATE TABLE.
    fn table_element(&mut self, table: &mut CreateTable) -> SqlResult<()> {
        match self.element()? {
            Element::Column(column) => {
                column_keys(&column, &mut table.indexes);
                table.columns.push(*column);
            }
            Element::Index(index) => table.indexes.push(*index),
            Element::ForeignKey(key) => table.foreign_keys.push(*key),
            Element::Check(check) => table.checks.push(*check),
            Element::Period => table.versioned = true,
        }
        Ok(())
    }

    /// A column, index or constraint.
    pub(crate) fn element(&mut self) -> SqlResult<Element> {
        let Some(kw) = self.kw() else { return Ok(Element::Column(Box::new(self.column_def()?))) };
        match kw {
            Kw::CONSTRAINT => {
                self.advance();
                let if_not_exists = self.if_not_exists()?;
                let named = !matches!(self.kw(), Some(Kw::PRIMARY | Kw::UNIQUE | Kw::FOREIGN | Kw::CHECK));
                let name = if named { Some(self.ident()?) } else { None };
                match self.kw() {
                    Some(Kw::PRIMARY | Kw::UNIQUE) => {
                        let mut index = self.index_def()?;
                        index.if_not_exists |= if_not_exists;
                        if index.name.is_none() {
                            index.name = name;
                        }
                        Ok(Element::Index(Box::new(index)))
                    }
                    Some(Kw::FOREIGN) => Ok(Element::ForeignKey(Box::new(self.foreign_key(name)?))),
                    Some(Kw::CHECK) => {
                        let mut check = self.check_def(name)?;
                        check.if_not_exists = if_not_exists;
                        Ok(Element::Check(Box::new(check)))
                    }
                    _ => Err(self.error()),
                }
            }
            Kw::PRIMARY | Kw::UNIQUE | Kw::FULLTEXT | Kw::SPATIAL | Kw::INDEX | Kw::KEY => {
                Ok(Element::Index(Box::new(self.index_def()?)))
            }
            Kw::FOREIGN => Ok(Element::ForeignKey(Box::new(self.foreign_key(None)?))),
            Kw::CHECK => Ok(Element::Check(Box::new(self.check_def(None)?))),
            Kw::PERIOD if matches!(self.peek(), T::Kw(Kw::FOR)) => {
                self.advance();
                self.advance();
                self.ident()?;
                self.paren_list(Self::ident)?;
                Ok(Element::Period)
            }
            _ => Ok(Element::Column(Box::new(self.column_def()?))),
        }
    }
}

/// A part of a table's definition.
pub(crate) enum Element {
    Column(Box<ColumnDef>),
    Index(Box<IndexDef>),
    ForeignKey(Box<ForeignKey>),
    Check(Box<CheckDef>),
    Period,
}
