//! CREATE, DROP, RENAME, and the parts tables are made of.

use super::Parser;
use super::error;
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
                return self.other_object("CREATE", "SEQUENCE");
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
            Kw::TRIGGER => self.other_object("CREATE", "TRIGGER"),
            Kw::PROCEDURE => self.other_object("CREATE", "PROCEDURE"),
            Kw::FUNCTION | Kw::AGGREGATE => self.other_object("CREATE", "FUNCTION"),
            Kw::EVENT => self.other_object("CREATE", "EVENT"),
            Kw::SEQUENCE => self.other_object("CREATE", "SEQUENCE"),
            Kw::SERVER => self.other_object("CREATE", "SERVER"),
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
                    self.definer()?;
                    if !self.at_kw(kw) && !self.at_kw(Kw::AGGREGATE) {
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
    fn definer(&mut self) -> SqlResult<Account> {
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
            table.partition = Some(self.partition_by()?);
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

    /// PARTITION BY ...: passed over, its text kept.
    pub(crate) fn partition_by(&mut self) -> SqlResult<Span> {
        let start = self.tok.start;
        self.advance();
        self.expect_kw(Kw::BY)?;
        let mut depth = 0u32;
        loop {
            match self.tok.kind {
                T::Eof | T::Semi => break,
                T::Bad => return Err(self.error()),
                T::LParen => depth += 1,
                T::RParen if depth == 0 => break,
                T::RParen => depth -= 1,
                T::Kw(Kw::SELECT | Kw::AS | Kw::IGNORE | Kw::REPLACE | Kw::WITH) if depth == 0 => break,
                _ => {}
            }
            self.advance();
        }
        if depth > 0 {
            return Err(self.error());
        }
        Ok(self.span_from(start))
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

    /// FOREIGN KEY [name] (columns) REFERENCES ..., at the word.
    fn foreign_key(&mut self, constraint: Option<Name>) -> SqlResult<ForeignKey> {
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
        let mut index = new_index(kind);
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
                    index.comment = Some(self.text_string()?);
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
    fn create_index(&mut self, head: CreateHead) -> SqlResult<Statement> {
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
        let mut index = new_index(kind);
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

    /// Table options with blanks or commas between.
    pub(crate) fn table_options(&mut self, options: &mut TableOptions) -> SqlResult<()> {
        let mut any = false;
        loop {
            if any && self.at(T::Comma) {
                self.advance();
                if !self.table_option(options)? {
                    return Err(self.error());
                }
            } else if !self.table_option(options)? {
                return Ok(());
            }
            any = true;
        }
    }

    /// One table option; false when none begins here.
    pub(crate) fn table_option(&mut self, o: &mut TableOptions) -> SqlResult<bool> {
        let Some(kw) = self.kw() else {
            if matches!(self.tok.kind, T::Ident | T::Quoted) {
                let option = self.unknown_option()?;
                o.other.push(option);
                return Ok(true);
            }
            return Ok(false);
        };
        match kw {
            Kw::ENGINE => {
                self.option_head();
                o.engine = Some(self.ident_or_text()?);
            }
            Kw::MAX_ROWS => o.max_rows = Some(self.option_number()?),
            Kw::MIN_ROWS => o.min_rows = Some(self.option_number()?),
            Kw::AVG_ROW_LENGTH => o.avg_row_length = Some(self.option_number()?),
            Kw::AUTO_INCREMENT => o.auto_increment = Some(self.option_number()?),
            Kw::KEY_BLOCK_SIZE => o.key_block_size = Some(self.option_number()?),
            Kw::CHECKSUM | Kw::TABLE_CHECKSUM => o.checksum = Some(self.option_number()? != 0),
            Kw::DELAY_KEY_WRITE => o.delay_key_write = Some(self.option_number()? != 0),
            Kw::PAGE_CHECKSUM => {
                self.option_head();
                o.page_checksum = Some(self.choice()? == Some(true));
            }
            Kw::TRANSACTIONAL => {
                self.option_head();
                o.transactional = Some(self.choice()?);
            }
            Kw::PACK_KEYS => {
                self.option_head();
                o.pack_keys = Some(self.zero_one_default()?);
            }
            Kw::STATS_PERSISTENT => {
                self.option_head();
                o.stats_persistent = Some(self.zero_one_default()?);
            }
            Kw::STATS_AUTO_RECALC => {
                self.option_head();
                o.stats_auto_recalc = Some(self.zero_one_default()?);
            }
            Kw::STATS_SAMPLE_PAGES => {
                self.option_head();
                let place = self.tok;
                let pages = if self.eat_kw(Kw::DEFAULT) { None } else { Some(self.number()?) };
                if pages.is_some_and(|n| n == 0 || n > 65535) {
                    self.tok = place;
                    return Err(self.error());
                }
                o.stats_sample_pages = Some(pages);
            }
            Kw::ROW_FORMAT => {
                self.option_head();
                o.row_format = Some(self.row_format()?);
            }
            Kw::COMMENT => {
                self.option_head();
                o.comment = Some(self.text_string()?);
            }
            Kw::PASSWORD => {
                self.option_head();
                o.password = Some(self.text_string()?);
            }
            Kw::CONNECTION => {
                self.option_head();
                o.connection = Some(self.text_string()?);
            }
            Kw::DATA | Kw::INDEX => {
                self.advance();
                self.expect_kw(Kw::DIRECTORY)?;
                self.eat(T::Eq);
                let path = Some(self.text_string()?);
                if kw == Kw::DATA {
                    o.data_directory = path;
                } else {
                    o.index_directory = path;
                }
            }
            Kw::STORAGE => {
                self.advance();
                if !matches!(self.kw(), Some(Kw::DISK | Kw::MEMORY)) {
                    return Err(self.error());
                }
                self.advance();
            }
            Kw::TABLESPACE => {
                self.advance();
                o.tablespace = Some(self.ident()?);
            }
            Kw::INSERT_METHOD => {
                self.option_head();
                o.insert_method = Some(match self.kw() {
                    Some(Kw::NO) => InsertMethod::No,
                    Some(Kw::FIRST) => InsertMethod::First,
                    Some(Kw::LAST) => InsertMethod::Last,
                    _ => return Err(self.error()),
                });
                self.advance();
            }
            Kw::UNION => {
                self.option_head();
                self.expect(T::LParen)?;
                let tables = if self.at(T::RParen) { Vec::new() } else { self.table_names()? };
                self.expect(T::RParen)?;
                o.union = Some(tables);
            }
            Kw::DEFAULT => {
                if !matches!(self.peek(), T::Kw(Kw::CHARSET | Kw::CHARACTER | Kw::CHAR | Kw::COLLATE)) {
                    return Ok(false);
                }
                self.advance();
                self.charset_or_collate(&mut o.charset, &mut o.collation)?;
            }
            Kw::CHARSET | Kw::CHARACTER | Kw::CHAR | Kw::COLLATE => {
                self.charset_or_collate(&mut o.charset, &mut o.collation)?;
            }
            Kw::WITH if matches!(self.peek(), T::Kw(Kw::SYSTEM)) => {
                self.advance();
                self.advance();
                self.expect_kw(Kw::VERSIONING)?;
                o.versioned = true;
            }
            Kw::SEQUENCE if self.peek() == T::Eq => {
                self.option_head();
                self.number()?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The option's word and an optional `=`.
    fn option_head(&mut self) {
        self.advance();
        self.eat(T::Eq);
    }

    fn option_number(&mut self) -> SqlResult<u64> {
        self.option_head();
        self.number()
    }

    /// 0, 1 or DEFAULT; other numbers are syntax errors.
    fn zero_one_default(&mut self) -> SqlResult<Option<bool>> {
        if self.eat_kw(Kw::DEFAULT) {
            return Ok(None);
        }
        let start = self.tok.start as usize;
        match self.number()? {
            0 => Ok(Some(false)),
            1 => Ok(Some(true)),
            _ => Err(self.error_at(start)),
        }
    }

    /// A number that is true unless zero, or DEFAULT.
    fn choice(&mut self) -> SqlResult<Option<bool>> {
        if self.eat_kw(Kw::DEFAULT) {
            return Ok(None);
        }
        Ok(Some(self.number()? != 0))
    }

    fn row_format(&mut self) -> SqlResult<RowFormat> {
        let format = match self.kw() {
            Some(Kw::DEFAULT) => RowFormat::Default,
            Some(Kw::FIXED) => RowFormat::Fixed,
            Some(Kw::DYNAMIC) => RowFormat::Dynamic,
            Some(Kw::COMPRESSED) => RowFormat::Compressed,
            Some(Kw::REDUNDANT) => RowFormat::Redundant,
            Some(Kw::COMPACT) => RowFormat::Compact,
            Some(Kw::PAGE) => RowFormat::Page,
            _ => return Err(self.error()),
        };
        self.advance();
        Ok(format)
    }

    /// CHARACTER SET [=] name, COLLATE [=] name.
    fn charset_or_collate(
        &mut self,
        charset: &mut Option<Name>,
        collation: &mut Option<Name>,
    ) -> SqlResult<()> {
        if self.eat_kw(Kw::COLLATE) {
            self.eat(T::Eq);
            let name = if self.eat_kw(Kw::DEFAULT) { "default".into() } else { self.collation_name()? };
            return declared("COLLATE ", collation, name);
        }
        if !self.eat_charset()? {
            return Err(self.error());
        }
        self.eat(T::Eq);
        let name = if self.eat_kw(Kw::DEFAULT) { "default".into() } else { self.charset_name()? };
        declared("CHARACTER SET ", charset, name)
    }

    /// Options of CREATE / ALTER DATABASE.
    pub(crate) fn database_options(&mut self) -> SqlResult<DatabaseOptions> {
        let mut options = DatabaseOptions::default();
        loop {
            match self.kw() {
                Some(Kw::DEFAULT) => {
                    self.advance();
                    self.charset_or_collate(&mut options.charset, &mut options.collation)?;
                }
                Some(Kw::CHARSET | Kw::CHARACTER | Kw::CHAR | Kw::COLLATE) => {
                    self.charset_or_collate(&mut options.charset, &mut options.collation)?;
                }
                Some(Kw::COMMENT) => {
                    self.option_head();
                    options.comment = Some(self.text_string()?);
                }
                _ => return Ok(options),
            }
        }
    }

    /// DROP, at the word.
    pub(crate) fn drop(&mut self) -> SqlResult<Statement> {
        self.advance();
        let temporary = self.eat_kw(Kw::TEMPORARY);
        let Some(kw) = self.kw() else { return Err(self.error()) };
        if temporary && !matches!(kw, Kw::TABLE | Kw::TABLES | Kw::SEQUENCE) {
            return Err(self.error());
        }
        match kw {
            Kw::TABLE | Kw::TABLES | Kw::VIEW => {
                self.advance();
                let if_exists = self.if_exists()?;
                let names = self.table_names()?;
                let wait = self.lock_wait()?;
                if matches!(self.kw(), Some(Kw::RESTRICT | Kw::CASCADE)) {
                    self.advance();
                }
                let drop = DropTables { temporary, if_exists, names, wait };
                Ok(if kw == Kw::VIEW { Statement::DropView(drop) } else { Statement::DropTable(drop) })
            }
            Kw::DATABASE | Kw::SCHEMA => {
                self.advance();
                let if_exists = self.if_exists()?;
                Ok(Statement::DropDatabase { if_exists, name: self.ident()? })
            }
            Kw::INDEX => {
                self.advance();
                let if_exists = self.if_exists()?;
                let name = self.ident()?;
                self.expect_kw(Kw::ON)?;
                let table = self.table_name()?;
                let (algorithm, lock) = self.algorithm_and_lock()?;
                let wait = self.lock_wait()?;
                let drop = DropIndex { if_exists, name, table, wait, algorithm, lock };
                Ok(Statement::DropIndex(Box::new(drop)))
            }
            Kw::USER => {
                self.advance();
                let if_exists = self.if_exists()?;
                Ok(Statement::DropUser { if_exists, users: self.comma_list(Self::account)? })
            }
            Kw::ROLE => {
                self.advance();
                let if_exists = self.if_exists()?;
                let roles = self.comma_list(Self::account)?;
                Ok(Statement::Role(RoleStatement {
                    drop: true,
                    or_replace: false,
                    if_exists,
                    roles,
                    admin: None,
                }))
            }
            Kw::PREPARE => {
                self.advance();
                Ok(Statement::Deallocate(self.ident()?))
            }
            Kw::TRIGGER
            | Kw::PROCEDURE
            | Kw::FUNCTION
            | Kw::EVENT
            | Kw::SEQUENCE
            | Kw::SERVER
            | Kw::PACKAGE => self.drop_object(kw),
            _ => Err(self.error()),
        }
    }

    fn drop_object(&mut self, kw: Kw) -> SqlResult<Statement> {
        self.advance();
        self.eat_kw(Kw::BODY);
        let if_exists = self.if_exists()?;
        let name = self.table_name()?;
        while kw == Kw::SEQUENCE && self.eat(T::Comma) {
            self.table_name()?;
        }
        Ok(Statement::OtherObject(OtherObject {
            verb: "DROP",
            object: kw.word(),
            if_exists,
            name: Some(name),
        }))
    }

    /// RENAME TABLE, RENAME USER, at RENAME.
    pub(crate) fn rename(&mut self) -> SqlResult<Statement> {
        self.advance();
        if self.eat_kw(Kw::USER) {
            let pairs = self.comma_list(|p| {
                let from = p.account()?;
                p.expect_kw(Kw::TO)?;
                Ok((from, p.account()?))
            })?;
            return Ok(Statement::RenameUser(pairs));
        }
        self.table_word()?;
        let if_exists = self.if_exists()?;
        let mut wait = LockWait::Default;
        let pairs = self.comma_list(|p| {
            let from = p.table_name()?;
            wait = p.lock_wait()?;
            p.expect_kw(Kw::TO)?;
            Ok((from, p.table_name()?))
        })?;
        Ok(Statement::RenameTable(RenameTable { if_exists, pairs, wait }))
    }
}

/// Keeps the name that a clause gives: two clauses must not give two.
///
/// # Errors
/// 1302.
pub(super) fn declared(clause: &str, kept: &mut Option<Name>, name: Name) -> SqlResult<()> {
    let full = |name: &str| {
        let set = charset::Charset::by_name(name).map(|c| c.name);
        set.or_else(|| charset::Collation::by_name(name).map(|c| c.name)).unwrap_or(name).to_ascii_lowercase()
    };
    match kept {
        Some(old) if full(old) != full(&name) => {
            let (old, new) = (full(old), full(&name));
            Err(SqlError::new(error::ER_CONFLICTING_DECLARATIONS, &[&clause, &old, &clause, &new]))
        }
        _ => {
            *kept = Some(name);
            Ok(())
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

/// An index without anything yet.
pub(crate) fn new_index(kind: IndexKind) -> IndexDef {
    IndexDef {
        kind,
        name: None,
        if_not_exists: false,
        parts: Vec::new(),
        algorithm: None,
        key_block_size: None,
        comment: None,
        parser: None,
        ignored: None,
        from_column: false,
        without_overlaps: None,
        attributes: Vec::new(),
    }
}

/// The index given with a column, as an index of its own.
pub(crate) fn column_keys(column: &ColumnDef, indexes: &mut Vec<IndexDef>) {
    let Some(key) = column.key else { return };
    let mut index = new_index(match key {
        ColumnKey::Primary => IndexKind::Primary,
        ColumnKey::Unique => IndexKind::Unique,
    });
    index.from_column = true;
    index.parts.push(IndexPart { column: column.name.clone(), length: None, descending: false });
    indexes.push(index);
}
