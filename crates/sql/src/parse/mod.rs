//! Text to [`Statement`]: recursive descent over the lexer's tokens.

use crate::ast::{Expr, Statement};
use crate::error::SqlResult;
use crate::lex::LexMode;
use crate::shape::LiteralToken;

/// The deepest nesting taken, and the greatest height of an expression tree. Beyond it a statement is
/// refused with error 1436, so that recursion over a tree needs a bounded stack.
pub const MAX_DEPTH: u16 = 300;

/// What the parser must know of the session.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// sql_mode's share in reading, and the client's character set.
    pub mode: LexMode,
    /// Leave the rows of INSERT ... VALUES in the text (`InsertSource::Rows`).
    pub rows_as_text: bool,
    /// The literals a shape lifted: they come back as `ExprKind::Lifted`, numbered by their place here.
    pub lifted: &'a [LiteralToken],
    /// Take `?`.
    pub params: bool,
}

/// A parsed statement.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The statement; `None` for an empty one (only blanks and comments before `;` or the end).
    pub statement: Option<Statement>,
    /// Number of `?`.
    pub params: u32,
    /// Number of literals that came back as `ExprKind::Lifted`. When it is less than the number given,
    /// the shape must not be reused with other literals.
    pub lifted: u32,
    /// Where the next statement begins: behind the `;`, or the end of the text.
    pub end: usize,
}

/// Parses the first statement of `sql`.
pub fn parse(sql: &[u8], options: &Options<'_>) -> SqlResult<Parsed> {
    let _ = (sql, options);
    todo!()
}

/// Parses the one expression that starts at `offset`, and says where it ends. Error texts are relative to the whole `sql`.
pub fn parse_expression_at(sql: &[u8], offset: usize, options: &Options<'_>) -> SqlResult<(Expr, usize)> {
    let _ = (sql, offset, options);
    todo!()
}
