//! Options of tables and databases.

use super::Parser;
use super::error;
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::lex::{Kw, T};

impl Parser<'_> {
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
            Kw::ENGINE => o.engine = Some(self.option_value(Self::ident_or_text)?),
            Kw::MAX_ROWS => o.max_rows = Some(self.option_number()?),
            Kw::MIN_ROWS => o.min_rows = Some(self.option_number()?),
            Kw::AVG_ROW_LENGTH => o.avg_row_length = Some(self.option_number()?),
            Kw::AUTO_INCREMENT => o.auto_increment = Some(self.option_number()?),
            Kw::KEY_BLOCK_SIZE => o.key_block_size = Some(self.option_number()?),
            Kw::CHECKSUM | Kw::TABLE_CHECKSUM => o.checksum = Some(self.option_number()? != 0),
            Kw::DELAY_KEY_WRITE => o.delay_key_write = Some(self.option_number()? != 0),
            Kw::PAGE_CHECKSUM => o.page_checksum = Some(self.option_value(Self::choice)? == Some(true)),
            Kw::TRANSACTIONAL => o.transactional = Some(self.option_value(Self::choice)?),
            Kw::PACK_KEYS => o.pack_keys = Some(self.option_value(Self::zero_one_default)?),
            Kw::STATS_PERSISTENT => o.stats_persistent = Some(self.option_value(Self::zero_one_default)?),
            Kw::STATS_AUTO_RECALC => o.stats_auto_recalc = Some(self.option_value(Self::zero_one_default)?),
            Kw::STATS_SAMPLE_PAGES => o.stats_sample_pages = Some(self.option_value(Self::sample_pages)?),
            Kw::ROW_FORMAT => o.row_format = Some(self.option_value(Self::row_format)?),
            Kw::COMMENT => o.comment = Some(self.option_value(Self::string_token)?),
            Kw::PASSWORD => o.password = Some(self.option_value(Self::text_string)?),
            Kw::CONNECTION => o.connection = Some(self.option_value(Self::text_string)?),
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
            Kw::INSERT_METHOD => o.insert_method = Some(self.option_value(Self::insert_method)?),
            Kw::UNION => o.union = Some(self.option_value(Self::union_tables)?),
            Kw::DEFAULT => {
                if !matches!(self.peek(), T::Kw(Kw::CHARSET | Kw::CHARACTER | Kw::CHAR | Kw::COLLATE)) {
                    return Ok(false);
                }
                self.advance();
                self.charset_of_table(o)?;
            }
            Kw::CHARSET | Kw::CHARACTER | Kw::CHAR | Kw::COLLATE => {
                self.charset_of_table(o)?;
            }
            Kw::WITH if matches!(self.peek(), T::Kw(Kw::SYSTEM)) => {
                self.advance();
                self.advance();
                self.expect_kw(Kw::VERSIONING)?;
                o.versioned = true;
            }
            Kw::SEQUENCE if self.peek() == T::Eq => {
                self.option_head();
                o.sequence = self.number()? != 0;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `OPTION [=] value`
    pub(super) fn option_value<V>(&mut self, value: impl FnOnce(&mut Self) -> SqlResult<V>) -> SqlResult<V> {
        self.option_head();
        value(self)
    }

    fn sample_pages(&mut self) -> SqlResult<Option<u64>> {
        let place = self.tok;
        let pages = if self.eat_kw(Kw::DEFAULT) { None } else { Some(self.number()?) };
        if pages.is_some_and(|n| n == 0 || n > 65535) {
            self.tok = place;
            return Err(self.error());
        }
        Ok(pages)
    }

    fn insert_method(&mut self) -> SqlResult<InsertMethod> {
        let method = match self.kw() {
            Some(Kw::NO) => InsertMethod::No,
            Some(Kw::FIRST) => InsertMethod::First,
            Some(Kw::LAST) => InsertMethod::Last,
            _ => return Err(self.error()),
        };
        self.advance();
        Ok(method)
    }

    fn union_tables(&mut self) -> SqlResult<Vec<TableName>> {
        self.expect(T::LParen)?;
        let tables = if self.at(T::RParen) { Vec::new() } else { self.table_names()? };
        self.expect(T::RParen)?;
        Ok(tables)
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

    /// CHARACTER SET and COLLATE of a table.
    fn charset_of_table(&mut self, o: &mut TableOptions) -> SqlResult<()> {
        let mut charset = None;
        self.charset_or_collate(&mut charset, &mut o.collation)?;
        let Some(new) = charset else { return Ok(()) };
        match &o.charset {
            Some(old) if (&**old == "default") != (&*new == "default") => {
                o.unlike_default = Some((old.clone(), new));
                Ok(())
            }
            _ => declared("CHARACTER SET ", &mut o.charset, new),
        }
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
                    options.comment = Some(self.string_token()?);
                }
                _ => return Ok(options),
            }
        }
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
