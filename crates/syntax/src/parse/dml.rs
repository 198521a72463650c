//! INSERT, REPLACE, UPDATE, DELETE, LOAD DATA, HANDLER.

use super::Parser;
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::fingerprint::rows;
use crate::lex::{Kw, T};

impl<'a> Parser<'a> {
    /// INSERT and REPLACE, at the word.
    pub(crate) fn insert(&mut self) -> SqlResult<Statement> {
        let replace = self.at_kw(Kw::REPLACE);
        self.advance();
        let priority = match self.kw() {
            Some(Kw::LOW_PRIORITY) => Priority::Low,
            Some(Kw::DELAYED) => Priority::Delayed,
            Some(Kw::HIGH_PRIORITY) if !replace => Priority::High,
            _ => Priority::Normal,
        };
        if priority != Priority::Normal {
            self.advance();
        }
        let ignore = !replace && self.eat_kw(Kw::IGNORE);
        self.eat_kw(Kw::INTO);
        let table = self.table_name()?;
        let partitions = self.partition_names()?;
        let mut insert = Insert {
            replace,
            ignore,
            priority,
            table,
            partitions,
            columns: None,
            source: InsertSource::Values(Vec::new()),
            on_duplicate: Vec::new(),
            returning: Vec::new(),
        };
        let list = self.at(T::LParen) && !self.paren_begins_query();
        if list {
            self.advance();
            if !self.at(T::RParen) {
                insert.columns = Some(self.comma_list(Self::column_ref)?);
            }
            self.expect(T::RParen)?;
        }
        match self.kw() {
            Some(kw @ (Kw::VALUES | Kw::VALUE)) => {
                let (start, params) = (self.tok.start, self.params);
                self.advance();
                insert.source = self.insert_values()?;
                if kw == Kw::VALUES && self.at_query_tail() {
                    // VALUES began a query: once more, as one.
                    self.jump(start as usize);
                    self.params = params;
                    insert.source = InsertSource::Query(Box::new(self.query()?));
                }
            }
            Some(Kw::SET) if !list => {
                self.advance();
                let assignments = self.assignments()?;
                let (columns, row) = assignments.into_iter().map(|a| (a.column, a.value)).unzip();
                insert.columns = Some(columns);
                insert.source = InsertSource::Values(vec![row]);
            }
            Some(Kw::SELECT | Kw::WITH) => insert.source = InsertSource::Query(Box::new(self.query()?)),
            _ if self.at(T::LParen) => insert.source = InsertSource::Query(Box::new(self.query()?)),
            _ => return Err(self.error()),
        }
        if !replace && self.at_kw(Kw::ON) {
            self.advance();
            self.expect_kw(Kw::DUPLICATE)?;
            self.expect_kw(Kw::KEY)?;
            self.expect_kw(Kw::UPDATE)?;
            self.on_duplicate = true;
            insert.on_duplicate = self.assignments()?;
            self.on_duplicate = false;
        }
        insert.returning = self.returning()?;
        Ok(Statement::Insert(Box::new(insert)))
    }

    /// Whether the current `(` opens a query (perhaps in more parentheses).
    fn paren_begins_query(&self) -> bool {
        let mut look = self.look();
        loop {
            match look.next_token().kind {
                T::LParen => {}
                T::Kw(Kw::SELECT | Kw::WITH | Kw::VALUES) => return true,
                _ => return false,
            }
        }
    }

    /// The rows behind VALUES.
    fn insert_values(&mut self) -> SqlResult<InsertSource> {
        if self.options.rows_as_text && self.routine.is_none() && !self.has_version_comment() {
            return self.text_rows();
        }
        let rows = self.comma_list(|p| {
            p.expect(T::LParen)?;
            if p.eat(T::RParen) {
                return Ok(Vec::new());
            }
            let row = p.comma_list(Self::expr_or_default)?;
            p.expect(T::RParen)?;
            Ok(row)
        })?;
        Ok(InsertSource::Values(rows))
    }

    /// Whether a version comment is open or follows somewhere: then rows are read by the lexer only.
    fn has_version_comment(&self) -> bool {
        let rest = self.sql().get(self.tok.start as usize..).unwrap_or_default();
        self.lex.in_version_comment()
            || memchr::memmem::find(rest, b"/*!").is_some()
            || memchr::memmem::find(rest, b"/*M!").is_some()
    }

    /// The rows behind VALUES, verified and left where they are.
    fn text_rows(&mut self) -> SqlResult<InsertSource> {
        let (sql, mode) = (self.sql(), self.options.mode);
        let mut found = TextRows { span: Span::new(self.tok.start, self.tok.start), ..TextRows::default() };
        loop {
            if !self.at(T::LParen) {
                return Err(self.error());
            }
            // As far as values are plain literals no token is made of them.
            let stop = rows::skip_rows(sql, self.tok.start as usize, mode, &mut found);
            self.jump(stop.at);
            if let Some(columns) = stop.columns {
                self.slow_row(columns, &mut found)?;
            }
            found.span.end = self.prev_end;
            if !self.eat(T::Comma) {
                return Ok(InsertSource::Rows(found));
            }
        }
    }

    /// The rest of a row, from a value on that is no plain literal; `columns` values were seen.
    fn slow_row(&mut self, mut columns: u32, found: &mut TextRows) -> SqlResult<()> {
        loop {
            let start = self.tok.start;
            let expr = self.expr_or_default()?;
            let text = self.span_from(start);
            if !rows::is_plain(self.sql(), text, self.options.mode) {
                found.exprs.push(RowExpr { expr, text });
            }
            columns += 1;
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::RParen)?;
        rows::count_row(found, columns);
        Ok(())
    }

    /// Goes on at another place of the text.
    fn jump(&mut self, at: usize) {
        self.ahead = None;
        self.lex.seek(at);
        self.tok = self.lex.next_token();
        self.prev_end = at as u32;
    }

    /// RETURNING list.
    fn returning(&mut self) -> SqlResult<Vec<SelectItem>> {
        if self.eat_kw(Kw::RETURNING) { self.select_items() } else { Ok(Vec::new()) }
    }

    /// `column = value, ...`
    pub(crate) fn assignments(&mut self) -> SqlResult<Vec<Assignment>> {
        self.comma_list(|p| {
            let column = p.column_ref()?;
            if !p.eat(T::Eq) && !p.eat(T::Assign) {
                return Err(p.error());
            }
            let value = p.expr_or_default()?;
            Ok(Assignment { column, value })
        })
    }

    /// UPDATE, at the word.
    pub(crate) fn update(&mut self) -> SqlResult<Statement> {
        self.advance();
        let low_priority = self.eat_kw(Kw::LOW_PRIORITY);
        let ignore = self.eat_kw(Kw::IGNORE);
        let tables = self.table_refs()?;
        self.refuse_portion()?;
        self.expect_kw(Kw::SET)?;
        let assignments = self.assignments()?;
        let filter = if self.eat_kw(Kw::WHERE) { Some(self.expr()?) } else { None };
        let order_by = if self.at_kw(Kw::ORDER) { self.order_by()? } else { Vec::new() };
        let limit = self.delete_limit()?;
        let update =
            Update { with: None, low_priority, ignore, tables, assignments, filter, order_by, limit };
        Ok(Statement::Update(Box::new(update)))
    }

    /// FOR PORTION OF, of application-time periods.
    fn refuse_portion(&mut self) -> SqlResult<()> {
        if self.at_kw(Kw::FOR) && self.peek() == T::Kw(Kw::PORTION) {
            return Err(SqlError::not_supported("FOR PORTION OF"));
        }
        Ok(())
    }

    /// LIMIT of UPDATE and DELETE: one number.
    fn delete_limit(&mut self) -> SqlResult<Option<Box<Limit>>> {
        if !self.eat_kw(Kw::LIMIT) {
            return Ok(None);
        }
        let count = if self.at_kw(Kw::ROWS) { None } else { Some(self.limit_number()?) };
        if self.eat_kw(Kw::ROWS) {
            return Err(self.error());
        }
        Ok(Some(Box::new(Limit { count, ..Limit::default() })))
    }

    /// DELETE, at the word.
    pub(crate) fn delete(&mut self) -> SqlResult<Statement> {
        self.advance();
        let mut delete = Delete {
            low_priority: false,
            quick: false,
            ignore: false,
            target: DeleteTarget::Multi { targets: Vec::new(), from: Vec::new() },
            filter: None,
            order_by: Vec::new(),
            limit: None,
            returning: Vec::new(),
        };
        loop {
            match self.kw() {
                Some(Kw::LOW_PRIORITY) => delete.low_priority = true,
                Some(Kw::QUICK) => delete.quick = true,
                Some(Kw::IGNORE) => delete.ignore = true,
                _ => break,
            }
            self.advance();
        }
        if self.at_kw(Kw::HISTORY) && self.peek() == T::Kw(Kw::FROM) {
            return Err(SqlError::not_supported("DELETE HISTORY"));
        }
        if self.at_kw(Kw::FROM) {
            self.advance();
            let first = self.delete_name()?;
            if first.1 || self.at(T::Comma) || self.at_kw(Kw::USING) {
                // DELETE FROM t, u USING refs
                let mut targets = vec![first.0];
                while self.eat(T::Comma) {
                    targets.push(self.delete_name()?.0);
                }
                self.expect_kw(Kw::USING)?;
                let from = self.table_refs()?;
                delete.target = DeleteTarget::Multi { targets, from };
            } else {
                let partitions = self.partition_names()?;
                self.refuse_portion()?;
                let factor = TableFactor {
                    name: first.0,
                    alias: None,
                    partitions,
                    hints: Vec::new(),
                    system_time: false,
                };
                delete.target = DeleteTarget::Single(Box::new(factor));
            }
        } else {
            // DELETE t, u FROM refs
            let targets = self.comma_list(|p| Ok(p.delete_name()?.0))?;
            self.expect_kw(Kw::FROM)?;
            let from = self.table_refs()?;
            delete.target = DeleteTarget::Multi { targets, from };
        }
        if self.eat_kw(Kw::WHERE) {
            delete.filter = Some(self.expr()?);
        }
        let single = matches!(delete.target, DeleteTarget::Single(_));
        // a target that is not in FROM is told before anything that may not stand there
        if single || !is_in_from(&delete.target) {
            if self.at_kw(Kw::ORDER) {
                delete.order_by = self.order_by()?;
            }
            delete.limit = self.delete_limit()?;
        }
        if single {
            delete.returning = self.returning()?;
        }
        Ok(Statement::Delete(Box::new(delete)))
    }

    /// `[db.]t[.*]`; the flag says whether `.*` stood there.
    fn delete_name(&mut self) -> SqlResult<(TableName, bool)> {
        let start = self.tok.start;
        let first = self.ident()?;
        let mut name = TableName { db: None, name: first, span: Span::default() };
        let mut star = false;
        if self.eat(T::Dot) {
            if self.eat(T::Star) {
                star = true;
            } else {
                let table = self.ident_after_dot()?;
                name.db = Some(std::mem::replace(&mut name.name, table));
                if self.eat(T::Dot) {
                    self.expect(T::Star)?;
                    star = true;
                }
            }
        }
        name.span = self.span_from(start);
        Ok((name, star))
    }

    /// LOAD DATA / LOAD XML / LOAD INDEX, at LOAD.
    pub(crate) fn load(&mut self) -> SqlResult<Statement> {
        self.advance();
        if self.at_kw(Kw::INDEX) {
            return self.load_index();
        }
        let xml = self.at_kw(Kw::XML);
        if !xml && !self.at_kw(Kw::DATA) {
            return Err(self.error());
        }
        self.advance();
        let priority = match self.kw() {
            Some(Kw::LOW_PRIORITY) => Priority::Low,
            Some(Kw::CONCURRENT) => Priority::High,
            _ => Priority::Normal,
        };
        if priority != Priority::Normal {
            self.advance();
        }
        let local = self.eat_kw(Kw::LOCAL);
        self.expect_kw(Kw::INFILE)?;
        let mut format = FileFormat { file: self.string_token()?, ..FileFormat::default() };
        let on_duplicate = match self.kw() {
            Some(Kw::REPLACE) => OnDuplicate::Replace,
            Some(Kw::IGNORE) => OnDuplicate::Ignore,
            _ => OnDuplicate::Error,
        };
        if on_duplicate != OnDuplicate::Error {
            self.advance();
        }
        self.expect_kw(Kw::INTO)?;
        self.expect_kw(Kw::TABLE)?;
        let table = self.table_name()?;
        let partitions = self.partition_names()?;
        format.charset = self.file_charset()?;
        if xml && self.eat_kw(Kw::ROWS) {
            self.expect_kw(Kw::IDENTIFIED)?;
            self.expect_kw(Kw::BY)?;
            format.line_terminator = Some(self.text_string()?);
        }
        self.file_format(&mut format)?;
        let mut ignore_lines = 0;
        if self.eat_kw(Kw::IGNORE) {
            ignore_lines = self.integer()?;
            if !self.eat_kw(Kw::LINES) {
                self.expect_kw(Kw::ROWS)?;
            }
        }
        let mut targets = Vec::new();
        if self.eat(T::LParen) {
            if !self.at(T::RParen) {
                targets = self.comma_list(|p| match p.tok.kind {
                    T::UserVar => {
                        let name = p.to_utf8(&p.text(p.tok)[1..])?;
                        p.advance();
                        Ok(LoadTarget::Variable(name))
                    }
                    T::At => Ok(LoadTarget::Variable(p.quoted_variable()?)),
                    _ => Ok(LoadTarget::Column(p.column_ref()?)),
                })?;
            }
            self.expect(T::RParen)?;
        }
        let assignments = if self.eat_kw(Kw::SET) { self.assignments()? } else { Vec::new() };
        Ok(Statement::LoadData(Box::new(LoadData {
            xml,
            priority,
            local,
            on_duplicate,
            table,
            partitions,
            format,
            ignore_lines,
            targets,
            assignments,
        })))
    }

    /// HANDLER, at the word.
    pub(crate) fn handler(&mut self) -> SqlResult<Statement> {
        self.advance();
        let table = self.table_name()?;
        let handler = match self.kw() {
            Some(Kw::OPEN) => {
                self.advance();
                Handler::Open(table, self.table_alias()?)
            }
            Some(Kw::CLOSE) if table.db.is_none() => {
                self.advance();
                Handler::Close(table)
            }
            Some(Kw::READ) if table.db.is_none() => {
                self.advance();
                self.handler_read(table)?
            }
            _ => return Err(self.error()),
        };
        Ok(Statement::Handler(Box::new(handler)))
    }

    fn handler_read(&mut self, table: TableName) -> SqlResult<Handler> {
        let by_row = matches!(self.kw(), Some(Kw::FIRST | Kw::NEXT))
            && !matches!(
                self.peek(),
                T::Kw(Kw::FIRST | Kw::NEXT | Kw::PREV | Kw::LAST) | T::Eq | T::Le | T::Ge | T::Lt | T::Gt
            );
        let (index, how) = if by_row {
            let how = if self.at_kw(Kw::FIRST) { HandlerRead::First } else { HandlerRead::Next };
            self.advance();
            (None, how)
        } else {
            let index = self.ident()?;
            let op = match self.tok.kind {
                T::Eq => BinaryOp::Eq,
                T::Le => BinaryOp::Le,
                T::Ge => BinaryOp::Ge,
                T::Lt => BinaryOp::Lt,
                T::Gt => BinaryOp::Gt,
                T::Kw(Kw::FIRST | Kw::NEXT | Kw::PREV | Kw::LAST) => BinaryOp::Xor,
                _ => return Err(self.error()),
            };
            let how = match self.kw() {
                Some(Kw::FIRST) => HandlerRead::First,
                Some(Kw::NEXT) => HandlerRead::Next,
                Some(Kw::PREV) => HandlerRead::Prev,
                Some(Kw::LAST) => HandlerRead::Last,
                _ => {
                    self.advance();
                    let key = self.paren_list(Self::expr_or_default)?;
                    let filter = if self.eat_kw(Kw::WHERE) { Some(self.expr()?) } else { None };
                    let limit = self.limit()?.map(|l| *l);
                    return Ok(Handler::Read {
                        table,
                        index: Some(index),
                        how: HandlerRead::Key(op, key),
                        filter,
                        limit,
                    });
                }
            };
            self.advance();
            (Some(index), how)
        };
        let filter = if self.eat_kw(Kw::WHERE) { Some(self.expr()?) } else { None };
        let limit = self.limit()?.map(|l| *l);
        Ok(Handler::Read { table, index, how, filter, limit })
    }
}

/// Whether the tables that rows are deleted from go by names of FROM.
fn is_in_from(target: &DeleteTarget) -> bool {
    let DeleteTarget::Multi { targets, from } = target else { return true };
    let mut known = Vec::new();
    for r in from {
        tables::each_table(r, &mut |r| match r {
            TableRef::Table(t) => known.push(t.shown_name()),
            TableRef::Derived(t) => known.push(&t.alias),
            TableRef::JsonTable(t) => known.push(&t.alias),
            TableRef::Nested(_) | TableRef::Join(_) => {}
        });
    }
    targets.iter().all(|t| known.contains(&&*t.name))
}
