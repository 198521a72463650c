//! Rows of INSERT ... VALUES without tokens and trees.
//!
//! The text is gone over twice: once to verify that it is rows of values ([`skip_rows`], before anything is
//! stored), once by the executor ([`ValuesReader`]). Both use the same scan of one value.

use super::{LiteralKind, LiteralToken};
use crate::ast::{Span, TextRows};
use crate::lex::{self, LexMode, literal};

/// Where [`skip_rows`] stopped.
pub(crate) struct Stop {
    /// Behind the last complete row, or at the first value that is no plain literal.
    pub at: usize,
    /// Inside a row: the number of values before that one.
    pub columns: Option<u32>,
}

/// Goes over rows of plain literals; `at` is a row's `(`.
pub(crate) fn skip_rows(sql: &[u8], at: usize, mode: LexMode, found: &mut TextRows) -> Stop {
    let mut at = at;
    loop {
        // At `(`.
        let mut columns = 0;
        at += 1;
        loop {
            let start = skip_blanks(sql, at);
            if columns == 0 && sql.get(start) == Some(&b')') {
                at = start + 1;
                break;
            }
            let Some(token) = plain_value(sql, start, mode) else {
                return Stop { at: start, columns: Some(columns) };
            };
            let end = skip_blanks(sql, token.end as usize);
            match sql.get(end) {
                Some(b',') => {
                    columns += 1;
                    at = end + 1;
                }
                Some(b')') => {
                    columns += 1;
                    at = end + 1;
                    break;
                }
                _ => return Stop { at: start, columns: Some(columns) },
            }
        }
        count_row(found, columns);
        let comma = skip_blanks(sql, at);
        if sql.get(comma) != Some(&b',') {
            return Stop { at, columns: None };
        }
        let open = skip_blanks(sql, comma + 1);
        if sql.get(open) != Some(&b'(') {
            return Stop { at, columns: None };
        }
        at = open;
    }
}

/// Counts a row of `columns` values.
pub(crate) fn count_row(found: &mut TextRows, columns: u32) {
    found.rows += 1;
    if found.rows == 1 {
        found.columns = columns;
    } else if columns != found.columns && found.uneven_row.is_none() {
        found.uneven_row = Some(found.rows);
    }
}

/// Whether the text under `span` is exactly one plain literal.
pub(crate) fn is_plain(sql: &[u8], span: Span, mode: LexMode) -> bool {
    plain_value(sql, span.start as usize, mode).is_some_and(|t| t.end == span.end)
}

/// Goes over blanks and comments (but not into version comments: the callers exclude them).
#[inline]
pub(crate) fn skip_blanks(sql: &[u8], mut at: usize) -> usize {
    while let Some(&b) = sql.get(at) {
        if lex::is_space(b) {
            at += 1;
        } else if matches!(b, b'/' | b'-' | b'#') {
            let next = skip_comment(sql, at);
            if next == at {
                return at;
            }
            at = next;
        } else {
            return at;
        }
    }
    at
}

/// Behind the comment that begins at `at`; `at` itself when none does, or when it is a version comment.
#[cold]
fn skip_comment(sql: &[u8], at: usize) -> usize {
    let rest = &sql[at..];
    let line = match rest {
        [b'#', ..] => true,
        [b'-', b'-'] => true,
        [b'-', b'-', c, ..] => lex::is_space(*c) || *c < 0x20 || *c == 0x7f,
        _ => false,
    };
    if line {
        return memchr::memchr(b'\n', rest).map_or(sql.len(), |n| at + n + 1);
    }
    if !rest.starts_with(b"/*") || rest.starts_with(b"/*!") || rest.starts_with(b"/*M!") {
        return at;
    }
    memchr::memmem::find(&rest[2..], b"*/").map_or(at, |n| at + 2 + n + 2)
}

/// The plain literal that begins at `at`.
#[inline]
pub(crate) fn plain_value(sql: &[u8], at: usize, mode: LexMode) -> Option<LiteralToken> {
    let &b = sql.get(at)?;
    match b {
        b'0'..=b'9' | b'.' => number(sql, at, at, false),
        b'-' if sql.get(at + 1).is_some_and(|c| c.is_ascii_digit() || *c == b'.') => {
            number(sql, at, at + 1, true)
        }
        b'\'' => string(sql, at, mode),
        b'"' if !mode.ansi_quotes => string(sql, at, mode),
        _ => word(sql, at),
    }
}

#[inline]
fn string(sql: &[u8], at: usize, mode: LexMode) -> Option<LiteralToken> {
    let scan = literal::string_end(sql, at, mode)?;
    Some(LiteralToken {
        start: at as u32,
        end: scan.end as u32,
        kind: LiteralKind::String,
        negative: false,
        escaped: scan.escaped,
        ascii: sql[at..scan.end].is_ascii(),
        introducer: None,
    })
}

/// A number whose digits begin at `digits`.
#[inline]
pub(crate) fn number(sql: &[u8], start: usize, digits: usize, negative: bool) -> Option<LiteralToken> {
    let mut at = digits;
    while sql.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    let mut kind = if at - digits < 19 { LiteralKind::Int } else { int_kind(&sql[digits..at]) };
    let next = sql.get(at).copied().unwrap_or(0);
    if next == b'.' {
        kind = LiteralKind::Decimal;
        let point = at;
        at += 1;
        while sql.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        if at - digits == 1 {
            debug_assert_eq!(point, digits);
            return None;
        }
    } else if at == digits {
        return None;
    }
    let next = sql.get(at).copied().unwrap_or(0);
    if matches!(next, b'e' | b'E') {
        let sign = usize::from(matches!(sql.get(at + 1), Some(b'+' | b'-')));
        if !sql.get(at + 1 + sign).is_some_and(u8::is_ascii_digit) {
            return None;
        }
        at += 1 + sign;
        while sql.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        kind = LiteralKind::Float;
    } else if matches!(next, b'x' | b'b') && &sql[digits..at] == b"0" {
        return prefixed_number(sql, start, at, negative);
    }
    if sql.get(at).is_some_and(|&b| lex::is_ident(b)) {
        return None;
    }
    Some(LiteralToken {
        start: start as u32,
        end: at as u32,
        kind,
        negative,
        escaped: false,
        ascii: true,
        introducer: None,
    })
}

/// The kind of an integer of 19 digits or more.
#[cold]
fn int_kind(digits: &[u8]) -> LiteralKind {
    match literal::parse_u64(digits) {
        Some(n) if n <= i64::MAX as u64 => LiteralKind::Int,
        Some(_) => LiteralKind::UInt,
        None => LiteralKind::Decimal,
    }
}

/// `0x..` and `0b..`; `at` is the letter.
fn prefixed_number(sql: &[u8], start: usize, letter: usize, negative: bool) -> Option<LiteralToken> {
    if negative {
        return None;
    }
    let hex = sql[letter] == b'x';
    let mut at = letter + 1;
    while sql.get(at).is_some_and(|b| if hex { b.is_ascii_hexdigit() } else { matches!(b, b'0' | b'1') }) {
        at += 1;
    }
    if at == letter + 1 || sql.get(at).is_some_and(|&b| lex::is_ident(b)) {
        return None;
    }
    let kind = if hex { LiteralKind::HexNumber } else { LiteralKind::Bit };
    Some(LiteralToken {
        start: start as u32,
        end: at as u32,
        kind,
        negative: false,
        escaped: false,
        ascii: true,
        introducer: None,
    })
}

/// NULL, DEFAULT, TRUE, FALSE, X'..', B'..'.
fn word(sql: &[u8], at: usize) -> Option<LiteralToken> {
    let token = |kind, end: usize| {
        Some(LiteralToken {
            start: at as u32,
            end: end as u32,
            kind,
            negative: false,
            escaped: false,
            ascii: true,
            introducer: None,
        })
    };
    let quoted_digits = |hex: bool| {
        let digits = at + 2;
        let mut end = digits;
        while sql.get(end).is_some_and(|b| if hex { b.is_ascii_hexdigit() } else { matches!(b, b'0' | b'1') })
        {
            end += 1;
        }
        (sql.get(end) == Some(&b'\'') && !(hex && (end - digits) % 2 == 1)).then_some(end + 1)
    };
    match sql.get(at)? | 0x20 {
        b'n' => keyword(sql, at, b"null").and_then(|end| token(LiteralKind::Null, end)),
        b'd' => {
            // DEFAULT(column) is an expression; the caller sees its parenthesis.
            keyword(sql, at, b"default").and_then(|end| token(LiteralKind::Default, end))
        }
        b't' => keyword(sql, at, b"true").and_then(|end| token(LiteralKind::Bool, end)),
        b'f' => keyword(sql, at, b"false").and_then(|end| token(LiteralKind::Bool, end)),
        b'x' if sql.get(at + 1) == Some(&b'\'') => token(LiteralKind::HexString, quoted_digits(true)?),
        b'b' if sql.get(at + 1) == Some(&b'\'') => token(LiteralKind::Bit, quoted_digits(false)?),
        _ => None,
    }
}

/// The end of the word at `at` if it is `word` (lower case).
fn keyword(sql: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let end = at + word.len();
    let found = sql.get(at..end)?;
    let whole = !sql.get(end).is_some_and(|&b| lex::is_ident(b) || b == b'.');
    (whole && found.eq_ignore_ascii_case(word)).then_some(end)
}

/// What [`ValuesReader::next_value`] finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowItem {
    /// A plain literal.
    Literal(LiteralToken),
    /// Something else: number so-and-so of `TextRows::exprs`.
    Expr(u32),
    /// The row ended.
    EndOfRow,
}

/// Reads the rows of INSERT ... VALUES straight from the text.
///
/// ```text
/// let mut reader = ValuesReader::new(sql, &rows, mode);
/// while reader.next_row() {
///     loop {
///         match reader.next_value() { RowItem::Literal(t) => .., RowItem::Expr(i) => .., RowItem::EndOfRow => break }
///     }
/// }
/// ```
pub struct ValuesReader<'a> {
    sql: &'a [u8],
    at: usize,
    rows: &'a TextRows,
    mode: LexMode,
    next_expr: usize,
    in_row: bool,
}

impl<'a> ValuesReader<'a> {
    /// A reader over rows that were verified (by the parser or [`super::recognise`]).
    pub fn new(sql: &'a [u8], rows: &'a TextRows, mode: LexMode) -> Self {
        ValuesReader { sql, at: rows.span.start as usize, rows, mode, next_expr: 0, in_row: false }
    }

    /// Goes into the next row; false behind the last one. Values of the current row that were not read are
    /// passed over.
    #[inline]
    pub fn next_row(&mut self) -> bool {
        while self.in_row {
            self.next_value();
        }
        let end = self.rows.span.end as usize;
        let mut at = self.at;
        while at < end {
            at = skip_blanks(self.sql, at);
            match self.sql.get(at) {
                Some(b',') => at += 1,
                Some(b'(') if at < end => {
                    self.at = at + 1;
                    self.in_row = true;
                    return true;
                }
                _ => break,
            }
        }
        self.at = end;
        false
    }

    /// The next value of the row.
    #[inline]
    pub fn next_value(&mut self) -> RowItem {
        if !self.in_row {
            return RowItem::EndOfRow;
        }
        let mut at = skip_blanks(self.sql, self.at);
        match self.sql.get(at) {
            Some(b',') => at = skip_blanks(self.sql, at + 1),
            Some(b')') => {
                self.at = at + 1;
                self.in_row = false;
                return RowItem::EndOfRow;
            }
            _ => {}
        }
        if let Some(e) = self.rows.exprs.get(self.next_expr)
            && e.text.start as usize == at
        {
            self.next_expr += 1;
            self.at = e.text.end as usize;
            return RowItem::Expr(self.next_expr as u32 - 1);
        }
        match plain_value(self.sql, at, self.mode) {
            Some(token) => {
                self.at = token.end as usize;
                RowItem::Literal(token)
            }
            None => {
                // Only rows that were not verified come here.
                self.in_row = false;
                self.at = self.rows.span.end as usize;
                RowItem::EndOfRow
            }
        }
    }

    /// Offset of the next byte to read: how far a long statement got.
    pub fn position(&self) -> usize {
        self.at
    }
}
