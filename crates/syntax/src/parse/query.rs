//! Queries: SELECT, set operations, WITH, ORDER BY, LIMIT, INTO.

use std::sync::Arc;

use super::error;
use super::{MAX_DEPTH, Parser, too_deep};
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::lex::{Kw, T};

fn misplaced_calc() -> SqlError {
    SqlError::new(error::codes::ER_CANT_USE_OPTION_HERE, &[&"SQL_CALC_FOUND_ROWS"])
}

impl<'a> Parser<'a> {
    /// Whether a query begins here (parentheses not looked through).
    pub(crate) fn at_query(&self) -> bool {
        matches!(self.kw(), Some(Kw::SELECT | Kw::WITH | Kw::VALUES))
            && !(self.on_duplicate && self.at_kw(Kw::VALUES))
    }

    /// Whether something follows that can only continue a query in parentheses.
    pub(crate) fn at_query_tail(&self) -> bool {
        matches!(
            self.kw(),
            Some(
                Kw::UNION
                    | Kw::EXCEPT
                    | Kw::INTERSECT
                    | Kw::MINUS
                    | Kw::ORDER
                    | Kw::LIMIT
                    | Kw::OFFSET
                    | Kw::FETCH
            )
        )
    }

    /// A query with everything that belongs to it, inside of another statement or of parentheses.
    pub(crate) fn query(&mut self) -> SqlResult<Query> {
        self.query_with(false)
    }

    /// A query; INTO may stand only in a SELECT that is a statement of its own, in its last term.
    pub(crate) fn query_with(&mut self, into: bool) -> SqlResult<Query> {
        self.enter()?;
        let start = self.tok.start;
        let outer = std::mem::take(&mut self.height);
        let with = if self.at_kw(Kw::WITH) { Some(Box::new(self.with()?)) } else { None };
        let mut query = Query { with, ..Query::default() };
        query.first = self.query_term(into, &mut query.into)?;
        self.query_rest(&mut query, start, into)?;
        self.close_query(&mut query, start, outer)?;
        self.leave();
        Ok(query)
    }

    /// A query whose first term is the subquery `first`, already read with its parentheses.
    pub(crate) fn query_from_parens(&mut self, first: Expr) -> SqlResult<Query> {
        let start = first.span.start;
        let ExprKind::Subquery(inner) = first.kind else { return Err(self.error()) };
        self.query_from_nested(*inner, start)
    }

    /// As [`Parser::query_from_parens`], for a query.
    pub(crate) fn query_from_nested(&mut self, inner: Query, start: u32) -> SqlResult<Query> {
        let outer = std::mem::take(&mut self.height);
        self.height = inner.height;
        let mut query = Query { first: QueryTerm::Nested(Box::new(inner)), ..Query::default() };
        self.query_rest(&mut query, start, false)?;
        self.close_query(&mut query, start, outer)?;
        Ok(query)
    }

    fn close_query(&mut self, query: &mut Query, start: u32, outer: u16) -> SqlResult<()> {
        query.span = self.span_from(start);
        query.height = self.height.saturating_add(1);
        if query.height > MAX_DEPTH {
            return Err(too_deep());
        }
        self.height = outer;
        Ok(())
    }

    /// Set operations and the clauses behind them.
    fn query_rest(&mut self, query: &mut Query, start: u32, into: bool) -> SqlResult<()> {
        while query.into.is_none()
            && let Some(op) = self.set_op()
        {
            let term = self.query_term(false, &mut query.into)?;
            if op.kind == SetOpKind::Intersect && !self.options.mode.oracle {
                self.intersect(query, op, term, start);
            } else {
                query.rest.push((op, term));
            }
        }
        self.query_tail(query, into)?;
        self.without_brackets(query)
    }

    /// ORDER BY and LIMIT behind the brackets of a query without LIMIT belong to that query.
    fn without_brackets(&mut self, query: &mut Query) -> SqlResult<()> {
        if !query.rest.is_empty() || query.order_by.is_empty() && query.limit.is_none() {
            return Ok(());
        }
        let QueryTerm::Nested(inner) = &mut query.first else { return Ok(()) };
        if inner.limit.is_some() {
            // it becomes a derived table
            if let QueryTerm::Select(s) = &inner.first
                && s.options.calc_found_rows
            {
                return Err(misplaced_calc());
            }
            return Ok(());
        }
        let own = inner.lock.is_some() || inner.into.is_some() || inner.procedure.is_some() || inner.grouped;
        if own || inner.with.is_some() && query.with.is_some() {
            return Ok(());
        }
        let inner = std::mem::take(&mut **inner);
        if query.order_by.is_empty() {
            query.order_by = inner.order_by;
        }
        if query.with.is_none() {
            query.with = inner.with;
        }
        query.first = inner.first;
        query.rest = inner.rest;
        Ok(())
    }

    /// INTERSECT binds tighter: it takes the term before it.
    fn intersect(&mut self, query: &mut Query, op: SetOp, term: QueryTerm, start: u32) {
        // Nothing but INTERSECTs so far: from left to right is right anyway.
        if query.rest.iter().all(|(o, _)| o.kind == SetOpKind::Intersect) {
            query.rest.push((op, term));
            return;
        }
        let Some((_, last)) = query.rest.last_mut() else { return };
        if let QueryTerm::Nested(group) = last
            && group.grouped
        {
            group.rest.push((op, term));
            return;
        }
        let first = std::mem::take(last);
        let mut group = Query { first, rest: vec![(op, term)], grouped: true, ..Query::default() };
        group.span = self.span_from(start);
        group.height = self.height;
        *last = QueryTerm::Nested(Box::new(group));
    }

    fn set_op(&mut self) -> Option<SetOp> {
        let kind = match self.kw()? {
            Kw::UNION => SetOpKind::Union,
            Kw::EXCEPT => SetOpKind::Except,
            Kw::MINUS if self.is_reserved(Kw::MINUS) => SetOpKind::Except,
            Kw::INTERSECT => SetOpKind::Intersect,
            _ => return None,
        };
        self.advance();
        let all = self.eat_kw(Kw::ALL);
        if !all {
            self.eat_kw(Kw::DISTINCT);
        }
        Some(SetOp { kind, all })
    }

    fn query_term(&mut self, may_into: bool, into: &mut Option<Box<Into>>) -> SqlResult<QueryTerm> {
        match self.tok.kind {
            T::Kw(Kw::SELECT) => Ok(QueryTerm::Select(Box::new(self.select(may_into, into)?))),
            T::Kw(Kw::VALUES) => {
                self.advance();
                Ok(QueryTerm::Values(self.value_rows()?))
            }
            T::LParen => {
                self.advance();
                let query = self.query()?;
                self.expect(T::RParen)?;
                self.subquery_height(&query);
                Ok(QueryTerm::Nested(Box::new(query)))
            }
            _ => Err(self.error()),
        }
    }

    /// `(expr, ...), ...` of a table constructor.
    fn value_rows(&mut self) -> SqlResult<Vec<Vec<Expr>>> {
        self.comma_list(|p| {
            p.expect(T::LParen)?;
            if p.eat(T::RParen) {
                return Ok(Vec::new());
            }
            let row = p.comma_list(Self::expr_or_default)?;
            p.expect(T::RParen)?;
            Ok(row)
        })
    }

    /// ORDER BY, LIMIT, locks and INTO at the end of a query.
    fn query_tail(&mut self, query: &mut Query, into: bool) -> SqlResult<()> {
        if self.at_kw(Kw::ORDER) {
            query.order_by = self.order_by()?;
            if query.only_select().is_some_and(|s| s.rollup) {
                return Err(SqlError::new(error::ER_WRONG_USAGE, &[&"CUBE/ROLLUP", &"ORDER BY"]));
            }
        }
        query.limit = self.limit()?;
        if into && query.into.is_none() && self.at_kw(Kw::PROCEDURE) {
            self.advance();
            let name = self.ident()?;
            self.expect(T::LParen)?;
            let args = if self.at(T::RParen) { Vec::new() } else { self.expr_list()? };
            self.expect(T::RParen)?;
            query.procedure = Some(Box::new((name, args)));
        }
        if into && query.procedure.is_none() && self.at_kw(Kw::INTO) {
            if query.into.is_some() {
                return Err(self.error());
            }
            query.into = Some(Box::new(self.select_into()?));
            query.into_last = true;
        }
        query.lock = self.row_lock()?;
        if query.lock.is_some() && query.rest.last().is_some_and(|(_, term)| term.in_brackets()) {
            return Err(SqlError::new(error::ER_WRONG_USAGE, &[&"lock options", &"SELECT in brackets"]));
        }
        if into && query.procedure.is_none() && self.at_kw(Kw::INTO) && query.into.is_none() {
            query.into = Some(Box::new(self.select_into()?));
            query.into_last = true;
        }
        Ok(())
    }

    /// FOR UPDATE, LOCK IN SHARE MODE.
    fn row_lock(&mut self) -> SqlResult<Option<RowLock>> {
        let update = if self.at_kw(Kw::FOR) {
            self.advance();
            self.expect_kw(Kw::UPDATE)?;
            true
        } else if self.at_kw(Kw::LOCK) && self.peek() == T::Kw(Kw::IN) {
            self.advance();
            self.advance();
            self.expect_kw(Kw::SHARE)?;
            self.expect_kw(Kw::MODE)?;
            false
        } else {
            return Ok(None);
        };
        let mut wait = self.lock_wait()?;
        if wait == LockWait::Default && self.at_kw(Kw::SKIP) {
            self.advance();
            self.expect_kw(Kw::LOCKED)?;
            wait = LockWait::SkipLocked;
        }
        Ok(Some(RowLock { update, wait }))
    }

    /// WAIT n, NOWAIT.
    pub(crate) fn lock_wait(&mut self) -> SqlResult<LockWait> {
        if self.eat_kw(Kw::NOWAIT) {
            return Ok(LockWait::NoWait);
        }
        if self.eat_kw(Kw::WAIT) {
            return Ok(LockWait::Seconds(self.integer()?));
        }
        Ok(LockWait::Default)
    }

    /// WITH [RECURSIVE] name [(columns)] AS (query), ...
    pub(crate) fn with(&mut self) -> SqlResult<With> {
        self.expect_kw(Kw::WITH)?;
        let selects = self.selects;
        self.selects += 1;
        let recursive = self.eat_kw(Kw::RECURSIVE);
        let tables = self.comma_list(|p| {
            let name = p.ident()?;
            let columns = if p.at(T::LParen) { p.paren_list(Self::ident)? } else { Vec::new() };
            p.expect_kw(Kw::AS)?;
            let query = Arc::new(p.subquery()?);
            let mut cycle = Vec::new();
            if recursive && p.eat_kw(Kw::CYCLE) {
                cycle = p.comma_list(Self::ident)?;
                p.expect_kw(Kw::RESTRICT)?;
            }
            Ok(CommonTable { name, columns, query, cycle })
        })?;
        self.selects = selects;
        for (n, t) in tables.iter().enumerate() {
            if tables[..n].iter().any(|o| o.name.eq_ignore_ascii_case(&t.name)) {
                return Err(SqlError::new(error::ER_DUP_QUERY_NAME, &[&t.name]));
            }
        }
        Ok(With { recursive, tables })
    }

    /// SELECT up to HAVING and WINDOW.
    fn select(&mut self, may_into: bool, into: &mut Option<Box<Into>>) -> SqlResult<Select> {
        self.expect_kw(Kw::SELECT)?;
        self.selects += 1;
        let mut select = Select { options: self.select_options()?, ..Select::default() };
        select.items = self.select_items()?;
        if may_into && self.at_kw(Kw::INTO) {
            *into = Some(Box::new(self.select_into()?));
        }
        if self.eat_kw(Kw::FROM) {
            if self.at_kw(Kw::DUAL) {
                self.advance();
                select.from_dual = true;
            } else {
                select.from = self.table_refs()?;
            }
        }
        if self.eat_kw(Kw::WHERE) {
            select.filter = Some(self.expr()?);
        }
        if self.at_kw(Kw::GROUP) {
            self.advance();
            self.expect_kw(Kw::BY)?;
            select.group_by = self.comma_list(Self::order_item)?;
            if self.at_kw(Kw::WITH) && self.peek() == T::Kw(Kw::ROLLUP) {
                self.advance();
                self.advance();
                select.rollup = true;
            } else if self.at_kw(Kw::WITH) && self.peek() == T::Kw(Kw::CUBE) {
                return Err(SqlError::not_supported("CUBE"));
            }
        }
        if self.eat_kw(Kw::HAVING) {
            select.having = Some(self.expr()?);
        }
        if self.at_word("WINDOW") {
            self.advance();
            select.windows = self.comma_list(|p| {
                let name = p.ident()?;
                p.expect_kw(Kw::AS)?;
                Ok((name, p.window_spec()?))
            })?;
        }
        Ok(select)
    }

    fn select_options(&mut self) -> SqlResult<SelectOptions> {
        let mut options = SelectOptions::default();
        let mut all = false;
        while let Some(kw) = self.kw() {
            match kw {
                Kw::DISTINCT | Kw::DISTINCTROW | Kw::UNIQUE => options.distinct = true,
                Kw::ALL => all = true,
                Kw::STRAIGHT_JOIN => options.straight_join = true,
                Kw::HIGH_PRIORITY => options.high_priority = true,
                Kw::SQL_SMALL_RESULT => options.small_result = true,
                Kw::SQL_BIG_RESULT => options.big_result = true,
                Kw::SQL_BUFFER_RESULT => options.buffer_result = true,
                Kw::SQL_CALC_FOUND_ROWS if self.selects > 1 => return Err(misplaced_calc()),
                Kw::SQL_CALC_FOUND_ROWS => options.calc_found_rows = true,
                Kw::SQL_CACHE | Kw::SQL_NO_CACHE => {
                    let cache = kw == Kw::SQL_CACHE;
                    if let Some(before) = options.cache {
                        if cache != before {
                            return Err(SqlError::new(
                                error::ER_WRONG_USAGE,
                                &[&"SQL_NO_CACHE", &"SQL_CACHE"],
                            ));
                        }
                        return Err(SqlError::new(error::ER_DUP_ARGUMENT, &[&kw.word()]));
                    }
                    options.cache = Some(cache);
                }
                _ => break,
            }
            if all && options.distinct {
                return Err(SqlError::new(error::ER_WRONG_USAGE, &[&"ALL", &"DISTINCT"]));
            }
            self.advance();
        }
        Ok(options)
    }

    /// The select list (also of RETURNING).
    pub(crate) fn select_items(&mut self) -> SqlResult<Vec<SelectItem>> {
        let mut items = Vec::with_capacity(4);
        if self.eat(T::Star) {
            items.push(SelectItem::Star);
        } else {
            items.push(self.select_item()?);
        }
        while self.eat(T::Comma) {
            items.push(self.select_item()?);
        }
        Ok(items)
    }

    fn select_item(&mut self) -> SqlResult<SelectItem> {
        let start = self.tok.start;
        if self.is_ident(self.tok.kind) && self.peek() == T::Dot {
            // `t.*` and `db.t.*` need a look further on.
            let mut look = self.look();
            if self.ahead.is_some() {
                look.next_token();
            }
            let second = look.next_token();
            if second.kind == T::Star {
                let table = self.ident()?;
                self.advance();
                self.advance();
                return Ok(SelectItem::TableStar(None, table));
            }
            if self.is_ident(second.kind)
                && look.next_token().kind == T::Dot
                && look.next_token().kind == T::Star
            {
                let db = self.ident()?;
                self.advance();
                let table = self.ident_after_dot()?;
                self.advance();
                self.advance();
                return Ok(SelectItem::TableStar(Some(db), table));
            }
        }
        let expr = self.expr()?;
        let text = self.span_from(start);
        let alias = self.select_alias()?;
        Ok(SelectItem::Expr { expr, alias, text })
    }

    /// `[AS] alias`: a name or a string.
    fn select_alias(&mut self) -> SqlResult<Option<Name>> {
        let token = self.tok;
        if self.eat_kw(Kw::AS) {
            return Ok(Some(self.ident_or_text()?));
        }
        match token.kind {
            T::Quoted | T::Str => Ok(Some(self.ident_or_text()?)),
            T::Ident if !self.at_word("SOUNDS") => Ok(Some(self.ident()?)),
            T::Kw(kw) if !self.is_reserved(kw) => Ok(Some(self.ident()?)),
            _ => Ok(None),
        }
    }

    /// ORDER BY list.
    pub(crate) fn order_by(&mut self) -> SqlResult<Vec<OrderItem>> {
        self.expect_kw(Kw::ORDER)?;
        self.expect_kw(Kw::BY)?;
        self.comma_list(Self::order_item)
    }

    pub(crate) fn order_item(&mut self) -> SqlResult<OrderItem> {
        let expr = self.expr()?;
        let descending = self.eat_kw(Kw::DESC);
        if !descending {
            self.eat_kw(Kw::ASC);
        }
        Ok(OrderItem { expr, descending })
    }

    /// LIMIT, OFFSET, FETCH.
    pub(crate) fn limit(&mut self) -> SqlResult<Option<Box<Limit>>> {
        if self.eat_kw(Kw::LIMIT) {
            if self.at_kw(Kw::ROWS) {
                let mut limit = Limit::default();
                self.rows_examined(&mut limit)?;
                return Ok(Some(Box::new(limit)));
            }
            let mut limit = self.limit_numbers()?;
            if self.at_kw(Kw::ROWS) {
                self.rows_examined(&mut limit)?;
            }
            return Ok(Some(Box::new(limit)));
        }
        if !matches!(self.kw(), Some(Kw::OFFSET | Kw::FETCH)) {
            return Ok(None);
        }
        let mut limit = Limit::default();
        if self.eat_kw(Kw::OFFSET) {
            limit.offset = Some(self.limit_number()?);
            if !matches!(self.kw(), Some(Kw::ROW | Kw::ROWS)) {
                return Err(self.error());
            }
            self.advance();
        }
        if self.eat_kw(Kw::FETCH) {
            if !matches!(self.kw(), Some(Kw::FIRST | Kw::NEXT)) {
                return Err(self.error());
            }
            self.advance();
            limit.count = Some(if matches!(self.kw(), Some(Kw::ROW | Kw::ROWS)) {
                super::int_literal(1, self.span_from(self.tok.start))
            } else {
                self.limit_number()?
            });
            if !matches!(self.kw(), Some(Kw::ROW | Kw::ROWS)) {
                return Err(self.error());
            }
            self.advance();
            if self.eat_kw(Kw::WITH) {
                self.expect_kw(Kw::TIES)?;
                limit.with_ties = true;
            } else {
                self.expect_kw(Kw::ONLY)?;
            }
        }
        Ok(Some(Box::new(limit)))
    }

    fn rows_examined(&mut self, limit: &mut Limit) -> SqlResult<()> {
        self.expect_kw(Kw::ROWS)?;
        self.expect_kw(Kw::EXAMINED)?;
        limit.examined = Some(self.limit_number()?);
        Ok(())
    }

    /// `n`, `offset, n`, `n OFFSET offset`.
    pub(crate) fn limit_numbers(&mut self) -> SqlResult<Limit> {
        let first = self.limit_number()?;
        let mut limit = Limit::default();
        if self.eat(T::Comma) {
            limit.offset = Some(first);
            limit.count = Some(self.limit_number()?);
        } else {
            limit.count = Some(first);
            if self.eat_kw(Kw::OFFSET) {
                limit.offset = Some(self.limit_number()?);
            }
        }
        Ok(limit)
    }

    /// A number of LIMIT: digits, a parameter, or a routine's variable.
    pub(crate) fn limit_number(&mut self) -> SqlResult<Expr> {
        let start = self.tok.start;
        match self.tok.kind {
            T::Int | T::HexNum | T::HexStr => {
                let value = self.number()?;
                let literal = Literal::Int(value);
                if let Some(index) = self.take_lifted(start) {
                    return Ok(Expr::new(ExprKind::Lifted(index, Box::new(literal)), self.span_from(start)));
                }
                Ok(Expr::new(ExprKind::Literal(literal), self.span_from(start)))
            }
            T::Param if self.options.params => {
                self.advance();
                self.params += 1;
                Ok(Expr::new(ExprKind::Param(self.params - 1), self.span_from(start)))
            }
            _ if self.at_ident() => {
                // Outside of routines there are no variables.
                let mut name = self.ident()?;
                let mut found = self.routine.as_ref().and_then(|r| r.variable(&name));
                if self.at(T::Dot) {
                    self.advance();
                    let field = self.ident_after_dot()?;
                    let column = ColumnRef { db: None, table: Some(name.clone()), name: field };
                    found = self.local_variable(&column)?;
                    if found.is_some() {
                        name = column.full_name().into_boxed_str();
                    }
                }
                match found {
                    Some(slot) => {
                        self.check_limit(slot)?;
                        Ok(Expr::new(ExprKind::Local(slot, name), self.span_from(start)))
                    }
                    None => Err(SqlError::new(error::ER_SP_UNDECLARED_VAR, &[&name])),
                }
            }
            _ => Err(self.error()),
        }
    }

    /// INTO OUTFILE, DUMPFILE, variables.
    fn select_into(&mut self) -> SqlResult<Into> {
        self.expect_kw(Kw::INTO)?;
        if self.eat_kw(Kw::OUTFILE) {
            let mut format = FileFormat { file: self.string_token()?, ..FileFormat::default() };
            format.charset = self.file_charset()?;
            self.file_format(&mut format)?;
            return Ok(Into::Outfile(Box::new(format)));
        }
        if self.eat_kw(Kw::DUMPFILE) {
            return Ok(Into::Dumpfile(self.string_token()?));
        }
        let targets = self.comma_list(Self::target)?;
        Ok(Into::Variables(targets))
    }

    /// CHARACTER SET of a file; none for DEFAULT.
    ///
    /// # Errors
    /// 1115 for an unknown one.
    pub(crate) fn file_charset(&mut self) -> SqlResult<Option<Name>> {
        if !self.eat_charset()? || self.eat_kw(Kw::DEFAULT) {
            return Ok(None);
        }
        let name = self.charset_name()?;
        match charset::Charset::by_name(&name) {
            Some(_) => Ok(Some(name)),
            None => Err(SqlError::new(error::ER_UNKNOWN_CHARACTER_SET, &[&name])),
        }
    }

    /// FIELDS and LINES.
    pub(crate) fn file_format(&mut self, format: &mut FileFormat) -> SqlResult<()> {
        if matches!(self.kw(), Some(Kw::FIELDS | Kw::COLUMNS)) {
            self.advance();
            let mut any = false;
            loop {
                match self.kw() {
                    Some(Kw::TERMINATED) => {
                        self.advance();
                        self.expect_kw(Kw::BY)?;
                        format.field_terminator = Some(self.text_string()?);
                    }
                    Some(Kw::OPTIONALLY) => {
                        self.advance();
                        self.expect_kw(Kw::ENCLOSED)?;
                        self.expect_kw(Kw::BY)?;
                        format.enclosed = Some(self.text_string()?);
                        format.optionally = true;
                    }
                    Some(Kw::ENCLOSED) => {
                        self.advance();
                        self.expect_kw(Kw::BY)?;
                        format.enclosed = Some(self.text_string()?);
                    }
                    Some(Kw::ESCAPED) => {
                        self.advance();
                        self.expect_kw(Kw::BY)?;
                        format.escaped = Some(self.text_string()?);
                    }
                    _ if any => break,
                    _ => return Err(self.error()),
                }
                any = true;
            }
        }
        if format.escaped.is_none() && self.options.mode.no_backslash_escapes {
            format.escaped = Some(Box::default());
        }
        if self.eat_kw(Kw::LINES) {
            let mut any = false;
            loop {
                match self.kw() {
                    Some(Kw::TERMINATED) => {
                        self.advance();
                        self.expect_kw(Kw::BY)?;
                        format.line_terminator = Some(self.text_string()?);
                    }
                    Some(Kw::STARTING) => {
                        self.advance();
                        self.expect_kw(Kw::BY)?;
                        format.line_start = Some(self.text_string()?);
                    }
                    _ if any => break,
                    _ => return Err(self.error()),
                }
                any = true;
            }
        }
        Ok(())
    }
}
