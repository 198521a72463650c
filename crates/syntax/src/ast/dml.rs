//! Statements that change or load rows, and HANDLER.

use super::{
    Expr, FileFormat, Limit, Name, OrderItem, Query, SelectItem, Span, TableFactor, TableName, TableRef, With,
};

/// LOW_PRIORITY, DELAYED, HIGH_PRIORITY.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Priority {
    #[default]
    Normal,
    Low,
    Delayed,
    High,
}

/// INSERT and REPLACE.
#[derive(Clone, Debug, PartialEq)]
pub struct Insert {
    /// REPLACE.
    pub replace: bool,
    /// IGNORE.
    pub ignore: bool,
    /// Priority.
    pub priority: Priority,
    /// Target.
    pub table: TableName,
    /// PARTITION (p, ...).
    pub partitions: Vec<Name>,
    /// The columns named; `None` without a list, and for an empty one, which means the same.
    /// INSERT ... SET gives its columns here.
    pub columns: Option<Vec<super::ColumnRef>>,
    /// Where the rows come from.
    pub source: InsertSource,
    /// ON DUPLICATE KEY UPDATE.
    pub on_duplicate: Vec<Assignment>,
    /// RETURNING list; empty without.
    pub returning: Vec<SelectItem>,
}

/// Where an INSERT's rows come from.
#[derive(Clone, Debug, PartialEq)]
pub enum InsertSource {
    /// VALUES, a tree per value; an empty row stands for `()`. DEFAULT is `ExprKind::Default(None)`.
    Values(Vec<Vec<Expr>>),
    /// VALUES left in the text, checked, to be read with [`crate::fingerprint::ValuesReader`]:
    /// only when `Options::rows_as_text` was asked for, and for INSERT/REPLACE VALUES (not SET).
    Rows(TextRows),
    /// SELECT ... (also VALUES or WITH forms that are queries).
    Query(Box<Query>),
}

/// Rows of VALUES, verified but left in the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextRows {
    /// From the first row's `(` to behind the last row's `)`.
    pub span: Span,
    /// Number of rows.
    pub rows: u64,
    /// Values a row; rows with another number than the first end the statement with error 1136.
    pub columns: u32,
    /// The first row (from 1) whose number of values differs from the first row's.
    pub uneven_row: Option<u64>,
    /// The values that are no plain literals, in the order of the text.
    pub exprs: Vec<RowExpr>,
}

/// A value of text rows that is no plain literal.
#[derive(Clone, Debug, PartialEq)]
pub struct RowExpr {
    /// The expression.
    pub expr: Expr,
    /// Its text, parentheses included.
    pub text: Span,
}

/// `column = value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// Column.
    pub column: super::ColumnRef,
    /// Value; `ExprKind::Default(None)` for DEFAULT.
    pub value: Expr,
}

/// UPDATE.
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// WITH (not in MariaDB 10.11; kept for later).
    pub with: Option<Box<With>>,
    /// LOW_PRIORITY.
    pub low_priority: bool,
    /// IGNORE.
    pub ignore: bool,
    /// One plain table, or several.
    pub tables: Vec<TableRef>,
    /// SET.
    pub assignments: Vec<Assignment>,
    /// WHERE.
    pub filter: Option<Expr>,
    /// ORDER BY.
    pub order_by: Vec<OrderItem>,
    /// LIMIT.
    pub limit: Option<Box<Limit>>,
}

/// DELETE.
#[derive(Clone, Debug, PartialEq)]
pub struct Delete {
    /// LOW_PRIORITY.
    pub low_priority: bool,
    /// QUICK.
    pub quick: bool,
    /// IGNORE.
    pub ignore: bool,
    /// What is deleted from.
    pub target: DeleteTarget,
    /// WHERE.
    pub filter: Option<Expr>,
    /// ORDER BY.
    pub order_by: Vec<OrderItem>,
    /// LIMIT.
    pub limit: Option<Box<Limit>>,
    /// RETURNING list; empty without.
    pub returning: Vec<SelectItem>,
}

/// The target of DELETE.
#[derive(Clone, Debug, PartialEq)]
pub enum DeleteTarget {
    /// DELETE FROM t ...
    Single(Box<TableFactor>),
    /// DELETE t, u FROM refs / DELETE FROM t, u USING refs.
    Multi {
        /// The tables (or aliases) whose rows go.
        targets: Vec<TableName>,
        /// The joined references.
        from: Vec<TableRef>,
    },
}

/// LOAD DATA / LOAD XML.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadData {
    /// LOAD XML.
    pub xml: bool,
    /// LOW_PRIORITY or CONCURRENT (as `High`).
    pub priority: Priority,
    /// LOCAL.
    pub local: bool,
    /// REPLACE or IGNORE.
    pub on_duplicate: OnDuplicate,
    /// Target.
    pub table: TableName,
    /// PARTITION (p, ...).
    pub partitions: Vec<Name>,
    /// File and its format.
    pub format: FileFormat,
    /// IGNORE n LINES.
    pub ignore_lines: u64,
    /// Where fields go; empty: all columns in order.
    pub targets: Vec<LoadTarget>,
    /// SET.
    pub assignments: Vec<Assignment>,
}

/// What a duplicate key does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum OnDuplicate {
    #[default]
    Error,
    Ignore,
    Replace,
}

/// A field's target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadTarget {
    /// Column.
    Column(super::ColumnRef),
    /// `@name`.
    Variable(Name),
}

/// HANDLER.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)]
pub enum Handler {
    /// HANDLER t OPEN [AS alias].
    Open(TableName, Option<Name>),
    /// HANDLER t CLOSE.
    Close(TableName),
    /// HANDLER t READ ...
    Read {
        /// The handler.
        table: TableName,
        /// The index, when read by one.
        index: Option<Name>,
        /// Which row.
        how: HandlerRead,
        /// WHERE.
        filter: Option<Expr>,
        /// LIMIT; one row without.
        limit: Option<Limit>,
    },
}

/// Where HANDLER READ goes.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum HandlerRead {
    First,
    Next,
    Prev,
    Last,
    /// `idx op (v, ...)`; the operator is one of = <= >= < >.
    Key(super::BinaryOp, Vec<Expr>),
}
