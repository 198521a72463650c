//! Table references: tables, derived tables, joins.

use std::sync::Arc;

use super::error;
use super::{MAX_DEPTH, Parser};
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::lex::{Kw, T};

impl<'a> Parser<'a> {
    /// The references of FROM.
    pub(crate) fn table_refs(&mut self) -> SqlResult<Vec<TableRef>> {
        self.comma_list(Self::table_ref)
    }

    /// One reference with its joins.
    ///
    /// Joins wait on a stack for their ON. Those that never get one are joined from the left, as they are read:
    /// `a JOIN b LEFT JOIN c ON x` is `(a JOIN b) LEFT JOIN c`, while in `a JOIN b LEFT JOIN c ON x ON y` the
    /// second ON belongs to the first join.
    pub(crate) fn table_ref(&mut self) -> SqlResult<TableRef> {
        self.enter()?;
        let first = self.table_factor()?;
        let joined = self.joins(first)?;
        self.leave();
        Ok(joined)
    }

    fn joins(&mut self, first: TableRef) -> SqlResult<TableRef> {
        let mut current = first;
        let mut waiting: Vec<(TableRef, JoinKind)> = Vec::new();
        let mut count = 0;
        loop {
            if let Some((kind, natural)) = self.join_operator()? {
                count += 1;
                if count > MAX_DEPTH {
                    return Err(SqlError::new(error::ER_TOO_MANY_TABLES, &[&61]));
                }
                let right = self.table_factor()?;
                if natural {
                    current = join(current, right, kind, true, JoinCondition::None);
                } else {
                    waiting.push((current, kind));
                    current = right;
                }
            } else if matches!(self.kw(), Some(Kw::ON | Kw::USING)) && !waiting.is_empty() {
                let condition = if self.eat_kw(Kw::ON) {
                    JoinCondition::On(self.expr()?)
                } else {
                    self.advance();
                    JoinCondition::Using(self.paren_list(Self::ident)?)
                };
                if let Some((left, kind)) = waiting.pop() {
                    current = join(left, current, kind, false, condition);
                }
            } else {
                break;
            }
        }
        while let Some((left, kind)) = waiting.pop() {
            if matches!(kind, JoinKind::Left | JoinKind::Right) {
                return Err(self.error());
            }
            let mut place = &mut current;
            while let TableRef::Join(j) = place {
                place = &mut j.left;
            }
            let right = std::mem::replace(place, TableRef::Nested(Vec::new()));
            *place = join(left, right, kind, false, JoinCondition::None);
        }
        Ok(current)
    }

    fn join_operator(&mut self) -> SqlResult<Option<(JoinKind, bool)>> {
        let natural = self.eat_kw(Kw::NATURAL);
        let kind = match self.kw() {
            Some(Kw::JOIN) => JoinKind::Inner,
            Some(Kw::INNER) => {
                self.advance();
                JoinKind::Inner
            }
            Some(Kw::CROSS) if !natural => {
                self.advance();
                JoinKind::Cross
            }
            Some(Kw::STRAIGHT_JOIN) => JoinKind::Straight,
            Some(Kw::LEFT | Kw::RIGHT) => {
                let kind = if self.at_kw(Kw::LEFT) { JoinKind::Left } else { JoinKind::Right };
                self.advance();
                self.eat_kw(Kw::OUTER);
                kind
            }
            _ if natural => return Err(self.error()),
            _ => return Ok(None),
        };
        if kind == JoinKind::Straight {
            self.advance();
        } else {
            self.expect_kw(Kw::JOIN)?;
        }
        Ok(Some((kind, natural)))
    }

    fn table_factor(&mut self) -> SqlResult<TableRef> {
        let kind = self.tok.kind;
        match kind {
            T::LParen => self.paren_factor(),
            T::LBrace => {
                // {OJ reference} of ODBC.
                self.advance();
                self.ident()?;
                let inner = self.table_ref()?;
                self.expect(T::RBrace)?;
                Ok(TableRef::Nested(vec![inner]))
            }
            T::Kw(Kw::JSON_TABLE) if self.peek() == T::LParen => self.json_table(),
            _ => Ok(TableRef::Table(Box::new(self.plain_table()?))),
        }
    }

    /// A table with alias, partitions and hints.
    fn plain_table(&mut self) -> SqlResult<TableFactor> {
        let name = self.table_name()?;
        let partitions = self.partition_names()?;
        let mut system_time = false;
        if self.at_kw(Kw::FOR) && self.peek() == T::Kw(Kw::SYSTEM_TIME) {
            self.advance();
            self.advance();
            self.system_time()?;
            system_time = true;
        }
        let alias = self.table_alias()?;
        let hints = self.index_hints()?;
        Ok(TableFactor { name, alias, partitions, hints, system_time })
    }

    fn system_time(&mut self) -> SqlResult<()> {
        if self.eat_kw(Kw::ALL) {
            return Ok(());
        }
        if self.eat_kw(Kw::AS) {
            self.expect_kw(Kw::OF)?;
            self.history_point()?;
        } else if self.eat_kw(Kw::FROM) {
            self.history_point()?;
            self.expect_kw(Kw::TO)?;
            self.history_point()?;
        } else {
            self.expect_kw(Kw::BETWEEN)?;
            self.history_point()?;
            self.expect_kw(Kw::AND)?;
            self.history_point()?;
        }
        Ok(())
    }

    fn history_point(&mut self) -> SqlResult<()> {
        if self.at_kw(Kw::TRANSACTION) || (self.at_kw(Kw::TIMESTAMP) && self.peek() != T::Str) {
            self.advance();
        }
        self.binary(crate::ast::Precedence::BitOr)?;
        Ok(())
    }

    /// PARTITION (p, ...).
    pub(crate) fn partition_names(&mut self) -> SqlResult<Vec<Name>> {
        if !self.eat_kw(Kw::PARTITION) {
            return Ok(Vec::new());
        }
        self.paren_list(Self::ident)
    }

    /// `[AS] alias` of a table.
    pub(crate) fn table_alias(&mut self) -> SqlResult<Option<Name>> {
        if self.eat_kw(Kw::AS) || self.eat(T::Eq) {
            return self.ident().map(Some);
        }
        match self.tok.kind {
            T::Quoted => self.ident().map(Some),
            T::Ident if !self.at_word("WINDOW") => self.ident().map(Some),
            T::Kw(kw) if !self.is_reserved(kw) => self.ident().map(Some),
            _ => Ok(None),
        }
    }

    fn index_hints(&mut self) -> SqlResult<Vec<IndexHint>> {
        let mut hints = Vec::new();
        loop {
            let kind = match self.kw() {
                Some(Kw::USE) => IndexHintKind::Use,
                Some(Kw::IGNORE) => IndexHintKind::Ignore,
                Some(Kw::FORCE) => IndexHintKind::Force,
                _ => return Ok(hints),
            };
            if !matches!(self.peek(), T::Kw(Kw::INDEX | Kw::KEY)) {
                return Ok(hints);
            }
            self.advance();
            self.advance();
            let mut scope = None;
            if self.eat_kw(Kw::FOR) {
                scope = Some(match self.kw() {
                    Some(Kw::JOIN) => IndexHintScope::Join,
                    Some(Kw::ORDER) => {
                        self.advance();
                        if !self.at_kw(Kw::BY) {
                            return Err(self.error());
                        }
                        IndexHintScope::OrderBy
                    }
                    Some(Kw::GROUP) => {
                        self.advance();
                        if !self.at_kw(Kw::BY) {
                            return Err(self.error());
                        }
                        IndexHintScope::GroupBy
                    }
                    _ => return Err(self.error()),
                });
                self.advance();
            }
            self.expect(T::LParen)?;
            let indexes = if self.at(T::RParen) && kind == IndexHintKind::Use {
                Vec::new()
            } else {
                self.comma_list(Self::index_name)?
            };
            self.expect(T::RParen)?;
            hints.push(IndexHint { kind, scope, indexes });
        }
    }

    /// An index's name; PRIMARY is the primary key.
    pub(crate) fn index_name(&mut self) -> SqlResult<Name> {
        if self.eat_kw(Kw::PRIMARY) {
            return Ok("PRIMARY".into());
        }
        self.ident()
    }

    /// `( ... )` in FROM: a derived table, or references in parentheses.
    fn paren_factor(&mut self) -> SqlResult<TableRef> {
        self.enter()?;
        let factor = match self.paren_content()? {
            Content::Query(query) => self.derived(query)?,
            Content::Refs(refs) => TableRef::Nested(refs),
        };
        self.leave();
        Ok(factor)
    }

    /// A parenthesis of FROM with everything inside, up to and including `)`.
    fn paren_content(&mut self) -> SqlResult<Content> {
        let start = self.tok.start;
        self.expect(T::LParen)?;
        if self.at_query() {
            return Ok(Content::Query(self.query_in_parens()?));
        }
        if self.at(T::LParen) {
            self.enter()?;
            let inner_start = self.tok.start;
            let inner = self.paren_content()?;
            self.leave();
            let first = match inner {
                Content::Query(query) if self.at_query_tail() => {
                    let query = self.query_from_nested(query, inner_start)?;
                    self.expect(T::RParen)?;
                    self.subquery_height(&query);
                    return Ok(Content::Query(query));
                }
                Content::Query(query) if self.at(T::RParen) => {
                    self.advance();
                    return Ok(Content::Query(query));
                }
                Content::Query(query) => self.derived(query)?,
                Content::Refs(refs) => TableRef::Nested(refs),
            };
            let mut refs = vec![self.joins(first)?];
            while self.eat(T::Comma) {
                refs.push(self.table_ref()?);
            }
            self.expect(T::RParen)?;
            return Ok(Content::Refs(refs));
        }
        let refs = self.table_refs()?;
        self.expect(T::RParen)?;
        let _ = start;
        Ok(Content::Refs(refs))
    }

    /// The alias behind a derived table.
    fn derived(&mut self, query: Query) -> SqlResult<TableRef> {
        let Some(alias) = self.table_alias()? else { return Err(self.error()) };
        let columns = if self.at(T::LParen) { self.paren_list(Self::ident)? } else { Vec::new() };
        Ok(TableRef::Derived(Box::new(DerivedTable {
            query: Arc::new(query),
            alias,
            columns,
            lateral: false,
        })))
    }

    fn json_table(&mut self) -> SqlResult<TableRef> {
        self.advance();
        self.expect(T::LParen)?;
        let expr = self.expr()?;
        self.expect(T::Comma)?;
        let path = self.json_text()?;
        let columns = self.json_columns()?;
        self.expect(T::RParen)?;
        let Some(alias) = self.table_alias()? else {
            return Err(SqlError::new(crate::error::codes::ER_JSON_TABLE_ALIAS_REQUIRED, &[]));
        };
        Ok(TableRef::JsonTable(Box::new(JsonTable { expr, path, columns, alias })))
    }

    /// A string of JSON_TABLE, perhaps with an introducer.
    fn json_text(&mut self) -> SqlResult<Box<[u8]>> {
        if !matches!(self.tok.kind, T::Str | T::NStr | T::Introducer(_)) {
            return Err(self.error());
        }
        match self.literal()? {
            Literal::String(s) => Ok(s.bytes),
            _ => Err(self.error()),
        }
    }

    /// The value behind DEFAULT: a literal, a number perhaps with a sign.
    fn json_default(&mut self) -> SqlResult<Box<Expr>> {
        let start = self.tok.start;
        let date = matches!(self.kw(), Some(Kw::DATE | Kw::TIME | Kw::TIMESTAMP)) && self.peek() == T::Str;
        if date || matches!(self.tok.kind, T::Minus | T::Plus) {
            let e = self.binary(crate::ast::Precedence::Unary)?;
            let literal = |e: &Expr| matches!(e.kind, ExprKind::Literal(_) | ExprKind::Lifted(..));
            let signed = matches!(&e.kind, ExprKind::Unary(_, inner) if literal(inner));
            return if signed || literal(&e) { Ok(Box::new(e)) } else { Err(self.error_at(start as usize)) };
        }
        let literal = self.literal()?;
        Ok(Box::new(Expr::new(ExprKind::Literal(literal), self.span_from(start))))
    }

    fn json_columns(&mut self) -> SqlResult<Vec<JsonColumn>> {
        self.enter()?;
        self.expect_kw(Kw::COLUMNS)?;
        let columns = self.paren_list(Self::json_column)?;
        self.leave();
        Ok(columns)
    }

    fn json_column(&mut self) -> SqlResult<JsonColumn> {
        if self.at_kw(Kw::NESTED) && matches!(self.peek(), T::Kw(Kw::PATH)) {
            self.advance();
            self.advance();
            let path = self.json_text()?;
            return Ok(JsonColumn::Nested(path, self.json_columns()?));
        }
        let name = self.ident()?;
        if self.eat_kw(Kw::FOR) {
            self.expect_kw(Kw::ORDINALITY)?;
            return Ok(JsonColumn::Ordinality(name));
        }
        let start = self.tok.start;
        let ty = self.data_type().map_err(|e| match e.code {
            // other names are none of types here
            error::ER_UNKNOWN_DATA_TYPE => self.error_at(start as usize),
            _ => e,
        })?;
        if !is_json_column_type(ty.name) {
            return Err(self.error_at(start as usize));
        }
        if ty.binary && ty.collation.is_some() {
            // BINARY says the collation already
            let text = ty.span.of(self.sql()).to_ascii_lowercase();
            let at = text.windows(7).rposition(|w| w == b"collate").unwrap_or_default();
            return Err(self.error_at(start as usize + at));
        }
        let exists = self.eat_kw(Kw::EXISTS);
        self.expect_kw(Kw::PATH)?;
        let path = self.json_text()?;
        let (mut on_empty, mut on_error) = (None, None);
        while !exists
            && !self.at(T::Comma)
            && !self.at(T::RParen)
            && (on_empty.is_none() || on_error.is_none())
        {
            let response = if self.eat_kw(Kw::ERROR) {
                JsonResponse::Error
            } else if self.eat_kw(Kw::NULL) {
                JsonResponse::Null
            } else {
                self.expect_kw(Kw::DEFAULT)?;
                JsonResponse::Default(self.json_default()?)
            };
            self.expect_kw(Kw::ON)?;
            if on_empty.is_none() && self.eat_kw(Kw::EMPTY) {
                on_empty = Some(response);
            } else {
                if on_error.is_some() {
                    return Err(self.error());
                }
                self.expect_kw(Kw::ERROR)?;
                on_error = Some(response);
            }
        }
        let shown: Box<str> = match ty.name {
            TypeName::Json => " JSON ".into(),
            _ => String::from_utf8_lossy(ty.span.of(self.sql())).into(),
        };
        Ok(JsonColumn::Path { name, ty, shown, path, exists, on_empty, on_error })
    }
}

/// The types that columns of JSON_TABLE may have.
fn is_json_column_type(name: TypeName) -> bool {
    !matches!(
        name,
        TypeName::Enum
            | TypeName::Set
            | TypeName::Serial
            | TypeName::Geometry
            | TypeName::Point
            | TypeName::LineString
            | TypeName::Polygon
            | TypeName::MultiPoint
            | TypeName::MultiLineString
            | TypeName::MultiPolygon
            | TypeName::GeometryCollection
            | TypeName::Uuid
            | TypeName::Inet4
            | TypeName::Inet6
            | TypeName::Other
    )
}

/// What a parenthesis in FROM held.
enum Content {
    Query(Query),
    Refs(Vec<TableRef>),
}

fn join(
    left: TableRef,
    right: TableRef,
    kind: JoinKind,
    natural: bool,
    condition: JoinCondition,
) -> TableRef {
    TableRef::Join(Box::new(Join { left, right, kind, natural, condition }))
}
