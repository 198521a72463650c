//! Statements about routines, and the items of conditions.

use std::sync::Arc;

use super::{Account, DataType, Span, TableName};
use crate::ast::program::Program;
use crate::lex::Kw;

/// An item of a condition: SIGNAL sets them, GET DIAGNOSTICS reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SignalItem {
    ReturnedSqlstate,
    ClassOrigin,
    SubclassOrigin,
    ConstraintCatalog,
    ConstraintSchema,
    ConstraintName,
    CatalogName,
    SchemaName,
    TableName,
    ColumnName,
    CursorName,
    MessageText,
    MysqlErrno,
    RowNumber,
}

impl SignalItem {
    /// The item of a word.
    #[must_use]
    pub fn of(kw: Kw) -> Option<SignalItem> {
        Some(match kw {
            Kw::RETURNED_SQLSTATE => SignalItem::ReturnedSqlstate,
            Kw::CLASS_ORIGIN => SignalItem::ClassOrigin,
            Kw::SUBCLASS_ORIGIN => SignalItem::SubclassOrigin,
            Kw::CONSTRAINT_CATALOG => SignalItem::ConstraintCatalog,
            Kw::CONSTRAINT_SCHEMA => SignalItem::ConstraintSchema,
            Kw::CONSTRAINT_NAME => SignalItem::ConstraintName,
            Kw::CATALOG_NAME => SignalItem::CatalogName,
            Kw::SCHEMA_NAME => SignalItem::SchemaName,
            Kw::TABLE_NAME => SignalItem::TableName,
            Kw::COLUMN_NAME => SignalItem::ColumnName,
            Kw::CURSOR_NAME => SignalItem::CursorName,
            Kw::MESSAGE_TEXT => SignalItem::MessageText,
            Kw::MYSQL_ERRNO => SignalItem::MysqlErrno,
            Kw::ROW_NUMBER => SignalItem::RowNumber,
            _ => return None,
        })
    }

    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            SignalItem::ReturnedSqlstate => "RETURNED_SQLSTATE",
            SignalItem::ClassOrigin => "CLASS_ORIGIN",
            SignalItem::SubclassOrigin => "SUBCLASS_ORIGIN",
            SignalItem::ConstraintCatalog => "CONSTRAINT_CATALOG",
            SignalItem::ConstraintSchema => "CONSTRAINT_SCHEMA",
            SignalItem::ConstraintName => "CONSTRAINT_NAME",
            SignalItem::CatalogName => "CATALOG_NAME",
            SignalItem::SchemaName => "SCHEMA_NAME",
            SignalItem::TableName => "TABLE_NAME",
            SignalItem::ColumnName => "COLUMN_NAME",
            SignalItem::CursorName => "CURSOR_NAME",
            SignalItem::MessageText => "MESSAGE_TEXT",
            SignalItem::MysqlErrno => "MYSQL_ERRNO",
            SignalItem::RowNumber => "ROW_NUMBER",
        }
    }
}

/// What a routine says of the data it touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataAccess {
    /// CONTAINS SQL.
    #[default]
    Contains,
    /// NO SQL.
    None,
    /// READS SQL DATA.
    Reads,
    /// MODIFIES SQL DATA.
    Modifies,
}

/// The characteristics of a routine; what was not said is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Characteristics {
    /// COMMENT.
    pub comment: Option<Box<[u8]>>,
    /// [NOT] DETERMINISTIC.
    pub deterministic: Option<bool>,
    /// NO SQL and its like.
    pub access: Option<DataAccess>,
    /// SQL SECURITY INVOKER (true), DEFINER (false).
    pub invoker: Option<bool>,
}

/// CREATE PROCEDURE, CREATE FUNCTION.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateRoutine {
    /// OR REPLACE.
    pub or_replace: bool,
    /// IF NOT EXISTS.
    pub if_not_exists: bool,
    /// DEFINER.
    pub definer: Option<Account>,
    /// FUNCTION; else PROCEDURE.
    pub function: bool,
    /// FETCH GROUP NEXT ROW stands in the body.
    pub fetches_group: bool,
    /// Its name.
    pub name: TableName,
    /// The text of the parameters.
    pub parameters: Span,
    /// The type of a function's result.
    pub returns: Option<Box<DataType>>,
    /// RETURN stands in the body.
    pub returned: bool,
    /// Characteristics.
    pub characteristics: Characteristics,
    /// The text of the body.
    pub body: Span,
    /// The body.
    pub program: Arc<Program>,
}

/// ALTER PROCEDURE, ALTER FUNCTION.
#[derive(Clone, Debug, PartialEq)]
pub struct AlterRoutine {
    /// FUNCTION; else PROCEDURE.
    pub function: bool,
    /// Its name.
    pub name: TableName,
    /// What changes.
    pub characteristics: Characteristics,
}

/// DROP PROCEDURE, DROP FUNCTION.
#[derive(Clone, Debug, PartialEq)]
pub struct DropRoutine {
    /// FUNCTION; else PROCEDURE.
    pub function: bool,
    /// IF EXISTS.
    pub if_exists: bool,
    /// Its name.
    pub name: TableName,
}

/// The word of a kind of routine.
#[must_use]
pub fn routine_word(function: bool) -> &'static str {
    if function { "FUNCTION" } else { "PROCEDURE" }
}
