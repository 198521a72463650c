//! ALTER.

use super::Parser;
use super::create::Element;
use super::index::column_keys;
use crate::ast::*;
use crate::error::{self, SqlError, SqlResult};
use crate::lex::{Kw, T};

impl<'a> Parser<'a> {
    /// ALTER, at the word.
    pub(crate) fn alter(&mut self) -> SqlResult<Statement> {
        self.advance();
        let online = self.eat_kw(Kw::ONLINE);
        let ignore = self.eat_kw(Kw::IGNORE);
        let Some(kw) = self.kw() else { return Err(self.error()) };
        match kw {
            Kw::TABLE => {
                self.advance();
                self.alter_table(ignore, online)
            }
            _ if ignore || online => Err(self.error()),
            Kw::DATABASE | Kw::SCHEMA => {
                self.advance();
                let options_here = match self.kw() {
                    Some(Kw::DEFAULT | Kw::CHARACTER | Kw::CHAR | Kw::COLLATE) => true,
                    Some(Kw::COMMENT) => matches!(self.peek(), T::Eq | T::Str),
                    _ => false,
                };
                let name = if options_here { None } else { Some(self.ident()?) };
                if let Some(name) = &name
                    && self.eat_kw(Kw::UPGRADE)
                {
                    for word in [Kw::DATA, Kw::DIRECTORY, Kw::NAME] {
                        self.expect_kw(word)?;
                    }
                    return old_name(name);
                }
                let options = self.database_options()?;
                if options == DatabaseOptions::default() {
                    return Err(self.error());
                }
                Ok(Statement::AlterDatabase(name, options))
            }
            Kw::USER => self.alter_user(),
            Kw::VIEW | Kw::ALGORITHM | Kw::SQL => self.create_view(false, true),
            Kw::DEFINER => {
                let mut look = self.look();
                for _ in 0..12 {
                    match look.next_token().kind {
                        T::Kw(Kw::EVENT) => {
                            let definer = self.definer()?;
                            if !self.at_kw(Kw::EVENT) {
                                return Err(self.error());
                            }
                            return self.alter_event(Some(definer));
                        }
                        T::Eof | T::Kw(Kw::VIEW | Kw::SQL) => break,
                        _ => {}
                    }
                }
                self.create_view(false, true)
            }
            Kw::PROCEDURE | Kw::FUNCTION => self.alter_routine(),
            Kw::EVENT => self.alter_event(None),
            Kw::SEQUENCE => self.alter_sequence(),
            Kw::SERVER => self.alter_server(),
            Kw::TABLESPACE | Kw::LOGFILE => self.other_object("ALTER", "TABLESPACE"),
            _ => Err(self.error()),
        }
    }

    fn alter_table(&mut self, ignore: bool, online: bool) -> SqlResult<Statement> {
        let if_exists = self.if_exists()?;
        let name = self.table_name()?;
        let wait = self.lock_wait()?;
        let mut ops = Vec::new();
        if let Some(statement) = self.maintain_partition(&name)? {
            return Ok(statement);
        }
        if !matches!(self.tok.kind, T::Eof | T::Semi) {
            if let Some(op) = self.lone_op()? {
                ops.push(op);
            } else {
                loop {
                    self.alter_op(&mut ops)?;
                    let partitioned = matches!(
                        (self.kw(), self.peek()),
                        (Some(Kw::PARTITION), T::Kw(Kw::BY)) | (Some(Kw::REMOVE), T::Kw(Kw::PARTITIONING))
                    );
                    if partitioned {
                        ops.extend(self.lone_op()?);
                        break;
                    }
                    if !self.eat(T::Comma) {
                        break;
                    }
                }
            }
        }
        Ok(Statement::AlterTable(Box::new(AlterTable { ignore, online, if_exists, name, wait, ops })))
    }

    /// The forms that stand alone: those about partitions and tablespaces.
    fn lone_op(&mut self) -> SqlResult<Option<AlterOp>> {
        let next = self.peek();
        if let (Some(Kw::DISCARD | Kw::IMPORT), T::Kw(Kw::TABLESPACE)) = (self.kw(), next) {
            let import = self.at_kw(Kw::IMPORT);
            self.advance();
            self.advance();
            return Ok(Some(AlterOp::Tablespace(import)));
        }
        Ok(self.partition_op()?.map(|op| AlterOp::Partition(Box::new(op))))
    }

    fn alter_op(&mut self, ops: &mut Vec<AlterOp>) -> SqlResult<()> {
        let start = self.tok.start;
        match self.kw() {
            Some(Kw::ADD) => {
                self.advance();
                self.alter_add(ops, start)
            }
            Some(Kw::DROP) => {
                self.advance();
                let op = self.alter_drop(start)?;
                ops.push(op);
                Ok(())
            }
            Some(kw @ (Kw::CHANGE | Kw::MODIFY)) => {
                self.advance();
                self.alter_change(kw, ops)
            }
            Some(Kw::ALTER) => {
                self.advance();
                let op = self.alter_alter()?;
                ops.push(op);
                Ok(())
            }
            Some(Kw::RENAME) => {
                self.advance();
                let op = self.alter_rename()?;
                ops.push(op);
                Ok(())
            }
            Some(kw @ (Kw::DISABLE | Kw::ENABLE)) if self.peek() == T::Kw(Kw::KEYS) => {
                self.advance();
                self.advance();
                ops.push(if kw == Kw::DISABLE { AlterOp::DisableKeys } else { AlterOp::EnableKeys });
                Ok(())
            }
            Some(Kw::ORDER) => {
                self.advance();
                let op = self.alter_order()?;
                ops.push(op);
                Ok(())
            }
            Some(Kw::CONVERT) => {
                self.advance();
                let op = self.alter_convert()?;
                ops.push(op);
                Ok(())
            }
            Some(Kw::FORCE) => {
                self.advance();
                ops.push(AlterOp::Force);
                Ok(())
            }
            Some(Kw::ALGORITHM) => {
                let word = self.alter_word(&["DEFAULT", "INPLACE", "COPY", "INSTANT", "NOCOPY"])?;
                ops.push(AlterOp::Algorithm(word));
                Ok(())
            }
            Some(Kw::LOCK) => {
                let word = self.alter_word(&["DEFAULT", "NONE", "SHARED", "EXCLUSIVE"])?;
                ops.push(AlterOp::Lock(word));
                Ok(())
            }
            _ => {
                let mut options = TableOptions::default();
                if !self.table_option(&mut options)? {
                    return Err(self.error());
                }
                // Further options may follow without a comma.
                while self.table_option(&mut options)? {}
                ops.push(AlterOp::Options(Box::new(options)));
                Ok(())
            }
        }
    }

    fn alter_change(&mut self, kw: Kw, ops: &mut Vec<AlterOp>) -> SqlResult<()> {
        self.eat_kw(Kw::COLUMN);
        let if_exists = self.if_exists()?;
        let old = if kw == Kw::CHANGE { Some(self.ident()?) } else { None };
        let column = Box::new(self.column_def()?);
        let old = old.unwrap_or_else(|| column.name.clone());
        let place = self.column_place()?;
        let mut keys = Vec::new();
        column_keys(&column, &mut keys);
        ops.push(AlterOp::ChangeColumn { if_exists, old, column, place });
        ops.extend(keys.into_iter().map(|k| AlterOp::AddIndex(Box::new(k))));
        Ok(())
    }

    fn alter_order(&mut self) -> SqlResult<AlterOp> {
        self.expect_kw(Kw::BY)?;
        // Plain columns only; no commas are left for further actions.
        let items = self.comma_list(|p| {
            let at = p.tok.start;
            let column = p.column_ref()?;
            let expr = Expr::new(ExprKind::Column(Box::new(column)), p.span_from(at));
            let descending = p.eat_kw(Kw::DESC);
            if !descending {
                p.eat_kw(Kw::ASC);
            }
            Ok(OrderItem { expr, descending })
        })?;
        Ok(AlterOp::OrderBy(items))
    }

    fn alter_convert(&mut self) -> SqlResult<AlterOp> {
        self.expect_kw(Kw::TO)?;
        if !self.eat_charset()? {
            return Err(self.error());
        }
        let charset = if self.eat_kw(Kw::DEFAULT) { None } else { Some(self.charset_name()?) };
        let collation = if self.eat_kw(Kw::COLLATE) && !self.eat_kw(Kw::DEFAULT) {
            Some(self.collation_name()?)
        } else {
            None
        };
        Ok(AlterOp::ConvertTo(charset, collation))
    }

    /// FIRST, AFTER column.
    fn column_place(&mut self) -> SqlResult<ColumnPlace> {
        if self.eat_kw(Kw::FIRST) {
            return Ok(ColumnPlace::First);
        }
        if self.eat_kw(Kw::AFTER) {
            return Ok(ColumnPlace::After(self.ident()?));
        }
        Ok(ColumnPlace::Unsaid)
    }

    fn add_column(
        &mut self,
        if_not_exists: bool,
        column: Box<ColumnDef>,
        ops: &mut Vec<AlterOp>,
    ) -> SqlResult<()> {
        let place = self.column_place()?;
        let mut keys = Vec::new();
        column_keys(&column, &mut keys);
        ops.push(AlterOp::AddColumn { if_not_exists, column, place });
        ops.extend(keys.into_iter().map(|k| AlterOp::AddIndex(Box::new(k))));
        Ok(())
    }

    /// Behind ADD.
    fn alter_add(&mut self, ops: &mut Vec<AlterOp>, start: u32) -> SqlResult<()> {
        if self.at_kw(Kw::SYSTEM) && self.peek() == T::Kw(Kw::VERSIONING) {
            self.advance();
            self.advance();
            ops.push(AlterOp::Versioning(self.span_from(start)));
            return Ok(());
        }
        let column_word = self.eat_kw(Kw::COLUMN);
        let if_not_exists = self.if_not_exists()?;
        if self.at(T::LParen) {
            // ADD (column, index, ...)
            self.advance();
            loop {
                match self.element()? {
                    Element::Column(column) => {
                        let mut keys = Vec::new();
                        column_keys(&column, &mut keys);
                        ops.push(AlterOp::AddColumn { if_not_exists, column, place: ColumnPlace::Unsaid });
                        ops.extend(keys.into_iter().map(|k| AlterOp::AddIndex(Box::new(k))));
                    }
                    element => self.add_element(element, ops, start),
                }
                if !self.eat(T::Comma) {
                    break;
                }
            }
            return self.expect(T::RParen);
        }
        if column_word || if_not_exists {
            let column = Box::new(self.column_def()?);
            return self.add_column(if_not_exists, column, ops);
        }
        match self.element()? {
            Element::Column(column) => self.add_column(false, column, ops),
            element => {
                self.add_element(element, ops, start);
                Ok(())
            }
        }
    }

    fn add_element(&mut self, element: Element, ops: &mut Vec<AlterOp>, start: u32) {
        ops.push(match element {
            Element::Index(index) => AlterOp::AddIndex(index),
            Element::ForeignKey(key) => AlterOp::AddForeignKey(key),
            Element::Check(check) => AlterOp::AddCheck(check),
            Element::Column(_) | Element::Period => AlterOp::Versioning(self.span_from(start)),
        });
    }

    /// Behind DROP.
    fn alter_drop(&mut self, start: u32) -> SqlResult<AlterOp> {
        match self.kw() {
            Some(Kw::PRIMARY) => {
                self.advance();
                self.expect_kw(Kw::KEY)?;
                Ok(AlterOp::DropPrimaryKey { if_exists: false })
            }
            Some(Kw::INDEX | Kw::KEY) => {
                self.advance();
                let if_exists = self.if_exists()?;
                let name = self.index_name()?;
                Ok(AlterOp::DropIndex { if_exists, name })
            }
            Some(Kw::FOREIGN) => {
                self.advance();
                self.expect_kw(Kw::KEY)?;
                let if_exists = self.if_exists()?;
                Ok(AlterOp::DropForeignKey { if_exists, name: self.ident()? })
            }
            Some(Kw::CONSTRAINT) => {
                self.advance();
                let if_exists = self.if_exists()?;
                let name = self.index_name()?;
                if &*name == "PRIMARY" {
                    self.eat_kw(Kw::KEY);
                }
                Ok(AlterOp::DropConstraint { if_exists, name })
            }
            Some(Kw::SYSTEM) if self.peek() == T::Kw(Kw::VERSIONING) => {
                self.advance();
                self.advance();
                Ok(AlterOp::Versioning(self.span_from(start)))
            }
            Some(Kw::PERIOD) if self.peek() == T::Kw(Kw::FOR) => {
                self.advance();
                self.advance();
                self.ident()?;
                Ok(AlterOp::Versioning(self.span_from(start)))
            }
            _ => {
                self.eat_kw(Kw::COLUMN);
                let if_exists = self.if_exists()?;
                let name = self.ident()?;
                if matches!(self.kw(), Some(Kw::RESTRICT | Kw::CASCADE)) {
                    self.advance();
                }
                Ok(AlterOp::DropColumn { if_exists, name })
            }
        }
    }

    /// Behind ALTER, inside ALTER TABLE.
    fn alter_alter(&mut self) -> SqlResult<AlterOp> {
        if matches!(self.kw(), Some(Kw::INDEX | Kw::KEY)) {
            self.advance();
            let if_exists = self.if_exists()?;
            let name = self.ident()?;
            let ignored = !self.eat_kw(Kw::NOT);
            self.expect_kw(Kw::IGNORED)?;
            return Ok(AlterOp::AlterIndex { if_exists, name, ignored });
        }
        self.eat_kw(Kw::COLUMN);
        let if_exists = self.if_exists()?;
        let column = self.ident()?;
        if self.eat_kw(Kw::SET) {
            self.expect_kw(Kw::DEFAULT)?;
            let default = Some(self.default_value()?);
            return Ok(AlterOp::AlterDefault { if_exists, column, default });
        }
        self.expect_kw(Kw::DROP)?;
        self.expect_kw(Kw::DEFAULT)?;
        Ok(AlterOp::AlterDefault { if_exists, column, default: None })
    }

    /// Behind RENAME, inside ALTER TABLE.
    fn alter_rename(&mut self) -> SqlResult<AlterOp> {
        match self.kw() {
            Some(Kw::COLUMN) => {
                self.advance();
                let if_exists = self.if_exists()?;
                let old = self.ident()?;
                self.expect_kw(Kw::TO)?;
                Ok(AlterOp::RenameColumn { if_exists, old, new: self.ident()? })
            }
            Some(Kw::INDEX | Kw::KEY) => {
                self.advance();
                let if_exists = self.if_exists()?;
                let old = self.index_name()?;
                self.expect_kw(Kw::TO)?;
                Ok(AlterOp::RenameIndex { if_exists, old, new: self.ident()? })
            }
            _ => {
                if !self.eat_kw(Kw::TO) && !self.eat_kw(Kw::AS) {
                    self.eat(T::Eq);
                }
                Ok(AlterOp::Rename(self.table_name()?))
            }
        }
    }
}

/// ALTER DATABASE ... UPGRADE DATA DIRECTORY NAME: folders of the servers before 5.1 are never taken for databases.
fn old_name(name: &str) -> SqlResult<Statement> {
    let Some(old) = name.strip_prefix("#mysql50#") else {
        // refused when it runs
        return Ok(Statement::OtherAdmin("UPGRADE".into()));
    };
    // a name that is the same in both forms is none of the old one
    let plain = old.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'));
    Err(SqlError::new(if plain { error::ER_WRONG_DB_NAME } else { error::ER_BAD_DB_ERROR }, &[&name]))
}
