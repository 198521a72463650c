//! Queries: SELECT, set operations, table references.

use std::sync::Arc;

use super::{Expr, ExprKind, Literal, Name, Span, TableName, WindowSpec};

/// A query expression: what may stand alone, in parentheses, behind INSERT or CREATE TABLE.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// WITH.
    pub with: Option<Box<With>>,
    /// The first (mostly only) term.
    pub first: QueryTerm,
    /// UNION, EXCEPT and INTERSECT in their order, grouped from the left; INTERSECT binds tighter, and
    /// is already nested where that matters.
    pub rest: Vec<(SetOp, QueryTerm)>,
    /// ORDER BY of the whole.
    pub order_by: Vec<OrderItem>,
    /// LIMIT of the whole.
    pub limit: Option<Box<Limit>>,
    /// FOR UPDATE and the like.
    pub lock: Option<RowLock>,
    /// INTO.
    pub into: Option<Box<Into>>,
    /// INTO stands at the end.
    pub into_last: bool,
    /// PROCEDURE name(...).
    pub procedure: Option<Box<(Name, Vec<Expr>)>>,
    /// A group of INTERSECTs the parser made, not parentheses of the text.
    pub grouped: bool,
    /// Place in the text, without surrounding parentheses.
    pub span: Span,
    /// The largest height of an expression inside (subqueries included).
    pub height: u16,
}

/// One operand of a set operation.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryTerm {
    /// SELECT ... up to HAVING / WINDOW.
    Select(Box<Select>),
    /// VALUES (...), (...): a table constructor.
    Values(Vec<Vec<Expr>>),
    /// A query in parentheses, or a group of INTERSECTs.
    Nested(Box<Query>),
}

impl QueryTerm {
    /// Whether it stands in brackets.
    #[must_use]
    pub fn in_brackets(&self) -> bool {
        matches!(self, QueryTerm::Nested(query) if !query.grouped)
    }
}

impl Default for QueryTerm {
    fn default() -> Self {
        QueryTerm::Values(Vec::new())
    }
}

/// A set operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetOp {
    /// Which.
    pub kind: SetOpKind,
    /// ALL; else DISTINCT.
    pub all: bool,
}

/// The set operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SetOpKind {
    Union,
    Except,
    Intersect,
}

/// WITH [RECURSIVE] ...
#[derive(Clone, Debug, PartialEq)]
pub struct With {
    /// RECURSIVE.
    pub recursive: bool,
    /// The named queries.
    pub tables: Vec<CommonTable>,
}

/// name [(columns)] AS (query).
#[derive(Clone, Debug, PartialEq)]
pub struct CommonTable {
    /// Name.
    pub name: Name,
    /// Column names, when given.
    pub columns: Vec<Name>,
    /// The query.
    pub query: Arc<Query>,
    /// CYCLE col, ... RESTRICT.
    pub cycle: Vec<Name>,
}

/// Words between SELECT and the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelectOptions {
    /// DISTINCT, DISTINCTROW.
    pub distinct: bool,
    /// STRAIGHT_JOIN.
    pub straight_join: bool,
    /// HIGH_PRIORITY.
    pub high_priority: bool,
    /// SQL_SMALL_RESULT.
    pub small_result: bool,
    /// SQL_BIG_RESULT.
    pub big_result: bool,
    /// SQL_BUFFER_RESULT.
    pub buffer_result: bool,
    /// SQL_CALC_FOUND_ROWS.
    pub calc_found_rows: bool,
    /// SQL_CACHE (true), SQL_NO_CACHE (false).
    pub cache: Option<bool>,
}

/// One SELECT.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Select {
    /// Its number in the statement; set where a statement is printed as it was optimized.
    pub number: u32,
    /// Options.
    pub options: SelectOptions,
    /// The list.
    pub items: Vec<SelectItem>,
    /// FROM: the comma-separated references; empty without FROM (or FROM DUAL).
    pub from: Vec<TableRef>,
    /// FROM DUAL was written (a WHERE may follow).
    pub from_dual: bool,
    /// WHERE.
    pub filter: Option<Expr>,
    /// GROUP BY.
    pub group_by: Vec<OrderItem>,
    /// WITH ROLLUP.
    pub rollup: bool,
    /// HAVING.
    pub having: Option<Expr>,
    /// WINDOW name AS (...).
    pub windows: Vec<(Name, WindowSpec)>,
}

/// One element of the select list.
#[derive(Clone, Debug, PartialEq)]
pub enum SelectItem {
    /// `*`
    Star,
    /// `[db.]table.*`
    TableStar(Option<Name>, Name),
    /// `expr [[AS] alias]`
    Expr {
        /// The expression.
        expr: Expr,
        /// Alias.
        alias: Option<Name>,
        /// The text of the expression as typed (parentheses included): the column's name without an alias.
        text: Span,
    },
}

impl SelectItem {
    /// The name of the column it makes, given the statement's text: the alias, else a column's own name, a string's
    /// value without leading blanks, or the text of the expression as typed. `*` has none.
    pub fn name(&self, sql: &[u8]) -> Vec<u8> {
        let SelectItem::Expr { expr, alias, text } = self else { return Vec::new() };
        if let Some(alias) = alias {
            return alias.as_bytes().to_vec();
        }
        match &expr.kind {
            ExprKind::Column(c) => c.name.as_bytes().to_vec(),
            ExprKind::Local(_, name) => name.as_bytes().to_vec(),
            ExprKind::Literal(Literal::String(s)) if !expr.span.of(sql).ends_with(b")") => {
                // An introducer before a hex literal makes a string, but keeps its text.
                if !expr.span.of(sql).ends_with(b"'") && !expr.span.of(sql).ends_with(b"\"")
                    || s.charset.is_some() && hex_behind_introducer(expr.span.of(sql))
                {
                    return expr.span.of(sql).to_vec();
                }
                {
                    let seen = |b: &u8| !b.is_ascii_whitespace() && !b.is_ascii_control();
                    let begin = s.bytes.iter().position(seen).unwrap_or(s.bytes.len());
                    s.bytes[begin..].to_vec()
                }
            }
            ExprKind::Literal(_) | ExprKind::Lifted(..) | ExprKind::Param(_) => expr.span.of(sql).to_vec(),
            _ => without_version_marks(text.of(sql)),
        }
    }
}

/// `_charset X'..'`.
fn hex_behind_introducer(text: &[u8]) -> bool {
    let quote = text.iter().position(|&b| b == b'\'' || b == b'"').unwrap_or(0);
    quote > 0 && matches!(text[quote - 1], b'x' | b'X' | b'b' | b'B') && text.contains(&b' ')
}

/// The text without the marks of executed version comments.
fn without_version_marks(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut open = false;
    while let Some(&b) = rest.first() {
        let head = if rest.starts_with(b"/*!") {
            3
        } else if rest.starts_with(b"/*M!") {
            4
        } else {
            0
        };
        if head > 0 && !open {
            open = true;
            let digits = rest[head..].iter().take(6).take_while(|b| b.is_ascii_digit()).count();
            rest = &rest[head + if digits >= 5 { digits } else { 0 }..];
        } else if open && rest.starts_with(b"*/") {
            open = false;
            rest = &rest[2..];
        } else {
            out.push(b);
            rest = &rest[1..];
        }
    }
    out.trim_ascii_end().to_vec()
}

/// `expr [ASC|DESC]`.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderItem {
    /// Expression; an integer literal is a position.
    pub expr: Expr,
    /// DESC.
    pub descending: bool,
}

/// LIMIT.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limit {
    /// Number of rows: literal integer, parameter or routine variable.
    pub count: Option<Expr>,
    /// Rows skipped.
    pub offset: Option<Expr>,
    /// ROWS EXAMINED.
    pub examined: Option<Expr>,
    /// FETCH ... WITH TIES.
    pub with_ties: bool,
}

impl Query {
    /// The SELECT when there is no other in it: without a set operation, order or limit, brackets looked through.
    #[must_use]
    pub fn only_select(&self) -> Option<&Select> {
        match &self.first {
            _ if !self.rest.is_empty() => None,
            QueryTerm::Select(select) => Some(select),
            QueryTerm::Nested(inner)
                if inner.with.is_none() && inner.order_by.is_empty() && inner.limit.is_none() =>
            {
                inner.only_select()
            }
            _ => None,
        }
    }

    /// How long it says that it waits for locks.
    #[must_use]
    pub fn lock_wait(&self) -> LockWait {
        self.lock.map_or(LockWait::Default, |lock| lock.wait)
    }
}

/// Row locks asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowLock {
    /// FOR UPDATE; else LOCK IN SHARE MODE.
    pub update: bool,
    /// How long it waits.
    pub wait: LockWait,
}

/// WAIT n, NOWAIT, SKIP LOCKED.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockWait {
    /// Not said.
    #[default]
    Default,
    /// WAIT seconds.
    Seconds(u64),
    /// NOWAIT.
    NoWait,
    /// SKIP LOCKED.
    SkipLocked,
}

/// SELECT ... INTO.
#[derive(Clone, Debug, PartialEq)]
pub enum Into {
    /// INTO OUTFILE.
    Outfile(Box<FileFormat>),
    /// INTO DUMPFILE; the file's name.
    Dumpfile(Box<[u8]>),
    /// INTO @a, b, ...
    Variables(Vec<IntoTarget>),
}

/// A target of INTO.
pub use crate::ast::program::Target as IntoTarget;

/// How a text file is written or read: INTO OUTFILE and LOAD DATA share it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFormat {
    /// The file's name.
    pub file: Box<[u8]>,
    /// CHARACTER SET.
    pub charset: Option<Name>,
    /// FIELDS TERMINATED BY.
    pub field_terminator: Option<Box<[u8]>>,
    /// ENCLOSED BY.
    pub enclosed: Option<Box<[u8]>>,
    /// OPTIONALLY.
    pub optionally: bool,
    /// ESCAPED BY.
    pub escaped: Option<Box<[u8]>>,
    /// LINES STARTING BY.
    pub line_start: Option<Box<[u8]>>,
    /// LINES TERMINATED BY.
    pub line_terminator: Option<Box<[u8]>>,
}

/// A table reference.
#[derive(Clone, Debug, PartialEq)]
pub enum TableRef {
    /// A table or view.
    Table(Box<TableFactor>),
    /// A subquery.
    Derived(Box<DerivedTable>),
    /// A join.
    Join(Box<Join>),
    /// `(a, b JOIN c ...)`: several references in parentheses.
    Nested(Vec<TableRef>),
    /// JSON_TABLE(...).
    JsonTable(Box<JsonTable>),
}

/// A table with alias and hints.
#[derive(Clone, Debug, PartialEq)]
pub struct TableFactor {
    /// Name.
    pub name: TableName,
    /// Alias.
    pub alias: Option<Name>,
    /// PARTITION (p, ...).
    pub partitions: Vec<Name>,
    /// USE/IGNORE/FORCE INDEX.
    pub hints: Vec<IndexHint>,
    /// FOR SYSTEM_TIME was given (nothing is versioned yet).
    pub system_time: bool,
}

impl TableFactor {
    /// The name that the rest of the statement calls it by.
    #[must_use]
    pub fn shown_name(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name.name)
    }
}

/// A hint about indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexHint {
    /// USE, IGNORE or FORCE.
    pub kind: IndexHintKind,
    /// FOR JOIN, ORDER BY, GROUP BY.
    pub scope: Option<IndexHintScope>,
    /// Index names; `PRIMARY` for the primary key. May be empty for USE.
    pub indexes: Vec<Name>,
}

/// Kinds of hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IndexHintKind {
    Use,
    Ignore,
    Force,
}

/// What a hint is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IndexHintScope {
    Join,
    OrderBy,
    GroupBy,
}

/// `(query) AS alias [(columns)]`.
#[derive(Clone, Debug, PartialEq)]
pub struct DerivedTable {
    /// The query.
    pub query: Arc<Query>,
    /// Alias.
    pub alias: Name,
    /// Column names, when given.
    pub columns: Vec<Name>,
    /// LATERAL.
    pub lateral: bool,
}

/// A join of two references.
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    /// Left side.
    pub left: TableRef,
    /// Right side.
    pub right: TableRef,
    /// Kind.
    pub kind: JoinKind,
    /// NATURAL.
    pub natural: bool,
    /// ON or USING.
    pub condition: JoinCondition,
}

/// Kinds of joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinKind {
    /// JOIN, INNER JOIN.
    Inner,
    /// CROSS JOIN (the same as inner; it may take ON).
    Cross,
    /// STRAIGHT_JOIN.
    Straight,
    /// LEFT [OUTER] JOIN.
    Left,
    /// RIGHT [OUTER] JOIN.
    Right,
}

/// The condition of a join.
#[derive(Clone, Debug, PartialEq)]
pub enum JoinCondition {
    /// None.
    None,
    /// ON expr.
    On(Expr),
    /// USING (columns).
    Using(Vec<Name>),
}

/// JSON_TABLE(expr, path COLUMNS (...)) AS alias.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonTable {
    /// The document.
    pub expr: Expr,
    /// Row path.
    pub path: Box<[u8]>,
    /// Columns.
    pub columns: Vec<JsonColumn>,
    /// Alias.
    pub alias: Name,
}

/// A column of JSON_TABLE.
#[derive(Clone, Debug, PartialEq)]
pub enum JsonColumn {
    /// name FOR ORDINALITY.
    Ordinality(Name),
    /// name type PATH 'path' [on empty/error].
    Path {
        /// Name.
        name: Name,
        /// Type.
        ty: super::DataType,
        /// The type as it is printed: as it was written, until it is known what it comes to.
        shown: Box<str>,
        /// Path.
        path: Box<[u8]>,
        /// EXISTS PATH.
        exists: bool,
        /// ON EMPTY.
        on_empty: Option<JsonResponse>,
        /// ON ERROR.
        on_error: Option<JsonResponse>,
    },
    /// NESTED PATH 'path' COLUMNS (...).
    Nested(Box<[u8]>, Vec<JsonColumn>),
}

/// What JSON_TABLE does on an empty or wrong value.
#[derive(Clone, Debug, PartialEq)]
pub enum JsonResponse {
    /// ERROR.
    Error,
    /// NULL.
    Null,
    /// DEFAULT literal.
    Default(Box<Expr>),
}

impl JsonColumn {
    /// Calls `f` for this column and those nested in it.
    pub fn each_mut(&mut self, f: &mut dyn FnMut(&mut JsonColumn)) {
        f(self);
        if let JsonColumn::Nested(_, columns) = self {
            columns.iter_mut().for_each(|c| c.each_mut(f));
        }
    }
}

impl Query {
    /// The one expression that the query is instead of a SELECT: there is no table, no condition and no group.
    /// A column alone is kept, as its name is asked for.
    pub fn reduced(&self) -> Option<&Expr> {
        let bare =
            self.with.is_none() && self.order_by.is_empty() && self.limit.is_none() && self.into.is_none();
        let s = self.only_select().filter(|_| bare && self.lock.is_none() && self.procedure.is_none())?;
        let plain = s.from.is_empty()
            && !s.from_dual
            && s.filter.is_none()
            && s.group_by.is_empty()
            && s.having.is_none()
            && s.windows.is_empty();
        match &s.items[..] {
            [SelectItem::Expr { expr, .. }] if plain && s.options == SelectOptions::default() => {
                let kept =
                    matches!(expr.kind, ExprKind::Column(_) | ExprKind::Field(_)) || expr.has_aggregate();
                (!kept).then_some(expr)
            }
            _ => None,
        }
    }
}
