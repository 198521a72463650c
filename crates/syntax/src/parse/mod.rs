//! Text to [`Statement`]: recursive descent over the lexer's tokens.

mod account;
mod admin;
mod alter;
mod builder;
mod cast;
mod column;
mod create;
mod dml;
mod drop;
mod dynamic_columns;
mod event;
mod expr;
mod function;
mod index;
mod keyword;
mod oracle;
mod partition;
mod query;
mod routine;
mod routine_declare;
mod routine_head;
pub mod routine_limits;
mod routine_record;
mod sequence;
mod server;
mod set;
mod show;
mod statement;
mod table;
mod table_options;
#[cfg(test)]
mod tests;
mod trigger;
mod xa;

use crate::ast::{Expr, Literal, Name, Query, Span, Statement, StringLiteral, TableName};
use crate::error::{self, SqlError, SqlResult};
use crate::fingerprint::LiteralToken;
use crate::lex::{self, ClientBytes, Kw, LexMode, Lexer, T, Token, literal};
use crate::names::is_needlessly_plain;

/// The deepest nesting taken, and the greatest height of an expression tree. Beyond it a statement is
/// refused with error 1436, so that recursion over a tree needs a bounded stack.
pub const MAX_DEPTH: u16 = 250;

/// The stack a parse may take, in bytes; past it a statement is refused with error 1436, too. Frames differ
/// much between the forms of expressions, so the depth alone does not bound it.
const STACK: usize = 384 * 1024;

/// What the parser must know of the session.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// sql_mode's share in reading, and the client's character set.
    pub mode: LexMode,
    /// Leave the rows of INSERT ... VALUES in the text (`InsertSource::Rows`).
    pub rows_as_text: bool,
    /// The literals a fingerprint lifted: they come back as `ExprKind::Lifted`, numbered by their place here.
    pub lifted: &'a [LiteralToken],
    /// Take `?`.
    pub params: bool,
    /// A further statement may follow behind `;` (multi-statements). Without it text behind `;` is an error.
    pub multi: bool,
}

/// A parsed statement.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The statement; `None` for an empty one (only blanks and comments before `;` or the end).
    pub statement: Option<Statement>,
    /// Number of `?`.
    pub params: u32,
    /// Number of literals that came back as `ExprKind::Lifted`. When it is less than the number given,
    /// the fingerprint must not be reused with other literals.
    pub lifted: u32,
    /// Where the next statement begins: behind the `;`, or the end of the text.
    pub end: usize,
}

/// Parses the first statement of `sql`.
pub fn parse(sql: &[u8], options: &Options<'_>) -> SqlResult<Parsed> {
    if sql.len() > u32::MAX as usize {
        return Err(SqlError::new(error::ER_NET_PACKET_TOO_LARGE, &[]));
    }
    let mut parser = Parser::new(sql, 0, options);
    let statement = match parser.tok.kind {
        T::Eof | T::Semi => None,
        _ => Some(parser.statement()?),
    };
    let end = match parser.tok.kind {
        T::Eof => sql.len(),
        T::Semi => {
            let end = parser.tok.end as usize;
            if !options.multi {
                while parser.at(T::Semi) {
                    parser.advance();
                }
                if !parser.at(T::Eof) {
                    return Err(parser.error());
                }
            }
            end
        }
        _ => return Err(parser.error()),
    };
    Ok(Parsed { statement, params: parser.params, lifted: parser.lifted, end })
}

/// Parses the one expression that starts at `offset`, and says where it ends. Error texts are relative to the whole `sql`.
pub fn parse_expression_at(sql: &[u8], offset: usize, options: &Options<'_>) -> SqlResult<(Expr, usize)> {
    let mut parser = Parser::new(sql, offset, options);
    let expr = parser.expr_or_default()?;
    Ok((expr, parser.prev_end as usize))
}

/// Parses PARTITION BY as a definition has it.
///
/// # Errors
/// 1064; 1235 for ways of partitioning that are unknown.
pub fn parse_partition_by(sql: &[u8], options: &Options<'_>) -> SqlResult<crate::ast::PartitionBy> {
    let mut parser = Parser::new(sql, 0, options);
    let by = parser.partition_by()?;
    parser.expect(T::Eof)?;
    Ok(by)
}

/// The state of one parse.
pub(crate) struct Parser<'a> {
    lex: Lexer<'a>,
    /// The token looked at.
    tok: Token,
    /// The token behind it, when it was looked at.
    ahead: Option<Token>,
    /// End of the token before.
    prev_end: u32,
    options: &'a Options<'a>,
    depth: u16,
    /// Where the stack stood when the parse began.
    stack: usize,
    params: u32,
    lifted: u32,
    /// The next of `options.lifted` to be met.
    next_lifted: usize,
    /// The greatest height of an expression since the current query began.
    height: u16,
    /// Inside ON DUPLICATE KEY UPDATE, where VALUES(column) may stand.
    on_duplicate: bool,
    /// The type read last was COMPRESSED.
    compressed: bool,
    /// SELECTs and beginnings of subqueries read; SQL_CALC_FOUND_ROWS may stand in the first only.
    selects: u32,
    /// The body of a routine that is read.
    routine: Option<Box<builder::Builder>>,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(sql: &'a [u8], offset: usize, options: &'a Options<'a>) -> Self {
        let mut lex = Lexer::new(sql, offset, options.mode);
        let tok = lex.next_token();
        Parser {
            lex,
            tok,
            ahead: None,
            prev_end: offset as u32,
            options,
            depth: 0,
            stack: stack_place(),
            params: 0,
            lifted: 0,
            next_lifted: 0,
            height: 0,
            on_duplicate: false,
            compressed: false,
            selects: 0,
            routine: None,
        }
    }

    fn sql(&self) -> &'a [u8] {
        self.lex.sql()
    }

    fn text(&self, token: Token) -> &'a [u8] {
        self.sql().get(token.start as usize..token.end as usize).unwrap_or_default()
    }

    #[inline]
    fn advance(&mut self) {
        self.prev_end = self.tok.end;
        self.tok = match self.ahead.take() {
            Some(token) => token,
            None => self.lex.next_token(),
        };
    }

    /// The token behind the current one.
    #[inline]
    fn peek(&mut self) -> T {
        self.peek_token().kind
    }

    fn peek_token(&mut self) -> Token {
        *self.ahead.get_or_insert_with(|| self.lex.next_token())
    }

    /// Goes on reading at an offset.
    fn seek(&mut self, at: usize) {
        self.lex.seek(at);
        self.ahead = None;
        self.prev_end = at as u32;
        self.tok = self.lex.next_token();
    }

    /// A lexer that reads on behind the current token without moving the parser.
    fn look(&self) -> Lexer<'a> {
        let mut lex = self.lex.clone();
        if self.ahead.is_some() {
            lex.seek(self.tok.end as usize);
        }
        lex
    }

    #[inline]
    fn at(&self, kind: T) -> bool {
        self.tok.kind == kind
    }

    #[inline]
    fn at_kw(&self, kw: Kw) -> bool {
        self.tok.kind == T::Kw(kw)
    }

    /// The current keyword.
    #[inline]
    fn kw(&self) -> Option<Kw> {
        match self.tok.kind {
            T::Kw(kw) => Some(kw),
            _ => None,
        }
    }

    #[inline]
    fn eat(&mut self, kind: T) -> bool {
        let found = self.tok.kind == kind;
        if found {
            self.advance();
        }
        found
    }

    #[inline]
    fn eat_kw(&mut self, kw: Kw) -> bool {
        self.eat(T::Kw(kw))
    }

    fn expect(&mut self, kind: T) -> SqlResult<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.error()) }
    }

    fn expect_kw(&mut self, kw: Kw) -> SqlResult<()> {
        self.expect(T::Kw(kw))
    }

    /// Whether the current token is a word spelled `word` (upper case) that is no keyword of the grammar.
    fn at_word(&self, word: &str) -> bool {
        self.at(T::Ident) && self.text(self.tok).eq_ignore_ascii_case(word.as_bytes())
    }

    fn span_from(&self, start: u32) -> Span {
        Span { start, end: self.prev_end.max(start) }
    }

    /// The syntax error at the current token.
    #[cold]
    fn error(&self) -> SqlError {
        // At a comma the server has read on already.
        let at = if self.at(T::Comma) { self.tok.end } else { self.tok.start };
        self.error_at(at as usize)
    }

    /// The syntax error at a place.
    ///
    /// As the server sees it, the text begins behind leading blanks and ends before trailing blanks and
    /// semicolons, and a line ends at a newline between tokens: those inside of strings do not count.
    #[cold]
    fn error_at(&self, start: usize) -> SqlError {
        self.error_saying(start, &error::message(error::ER_SYNTAX_ERROR, &[]))
    }

    /// As [`Parser::error_at`], with these words.
    #[cold]
    fn error_saying(&self, start: usize, words: &str) -> SqlError {
        let sql = self.sql();
        let ignored = |b: u8| lex::is_space(b) || b == 0 || b == b';';
        let end = sql.iter().rposition(|&b| !ignored(b)).map_or(0, |n| n + 1);
        let near = sql.get(start.min(end)..end).unwrap_or_default();
        // it is told as a text that ends with a zero byte
        let near = near.split(|b| *b == 0).next().unwrap_or_default();
        let begin = sql.iter().position(|&b| !lex::is_space(b)).unwrap_or(0);
        let mut line = 1;
        let mut lexer = Lexer::new(sql, begin, self.options.mode);
        let mut from = begin;
        loop {
            let token = lexer.next_token();
            let to = (token.start as usize).min(end);
            line += sql.get(from..to).map_or(0, |gap| memchr::memchr_iter(b'\n', gap).count());
            if token.start as usize >= start || matches!(token.kind, T::Eof | T::Bad) {
                break;
            }
            from = token.end as usize;
        }
        SqlError::new(error::ER_PARSE_ERROR, &[&words, &shown(near), &line])
    }

    /// Counts one level of nesting; every caller calls [`Parser::leave`] when it is done.
    #[inline]
    fn enter(&mut self) -> SqlResult<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH || stack_place().abs_diff(self.stack) > STACK {
            return Err(too_deep());
        }
        Ok(())
    }

    #[inline]
    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The text of a name token as UTF-8, quotes removed.
    fn name_of(&self, token: Token) -> SqlResult<Name> {
        let text = self.text(token);
        let name = match token.kind {
            T::Quoted => self.unquote(text)?,
            _ => self.to_utf8(text)?,
        };
        // names are utf8mb3
        match name.find(|c: char| !c.is_ascii()) {
            Some(at) if name.contains(|c| c > '\u{ffff}') => {
                Err(invalid_from(at, "utf8mb4", name.as_bytes()))
            }
            _ => Ok(name),
        }
    }

    /// A name in quotes.
    fn unquote(&self, text: &[u8]) -> SqlResult<Name> {
        let quote = text.first().copied().unwrap_or(b'`');
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        if memchr::memchr(quote, inner).is_none() {
            return self.to_utf8(inner);
        }
        // Converted first: the quote's byte may be a part of a two-byte character.
        let name = self.to_utf8(inner)?;
        let (one, two) = if quote == b'"' { ("\"", "\"\"") } else { ("`", "``") };
        Ok(name.replace(two, one).into_boxed_str())
    }

    /// Text of the client as UTF-8.
    fn to_utf8(&self, text: &[u8]) -> SqlResult<Name> {
        // of the sets a client may have, swe7 alone has other characters in the place of some of ASCII
        if text.is_ascii() && self.options.mode.client != ClientBytes::Single("swe7") {
            // Checked to be ASCII, so nothing is lost.
            return Ok(String::from_utf8_lossy(text).into_owned().into_boxed_str());
        }
        match self.options.mode.client {
            ClientBytes::Utf8 => match std::str::from_utf8(text) {
                Ok(s) => Ok(s.into()),
                Err(_) => Err(invalid_string("utf8mb4", text)),
            },
            ClientBytes::Single(name) | ClientBytes::Double(name) | ClientBytes::Euc(name) => {
                convert_name(name, text)
            }
        }
    }

    /// A string where a name may stand: a question mark stands for what names cannot hold.
    fn to_name(&self, text: &[u8]) -> SqlResult<Name> {
        if self.options.mode.client != ClientBytes::Utf8 || text.iter().all(|&b| b < FOUR_BYTES) {
            return self.to_utf8(text);
        }
        let plain: String = shown(text).chars().map(|c| if c > '\u{ffff}' { '?' } else { c }).collect();
        Ok(plain.into_boxed_str())
    }

    /// Whether the word needs quotes to be an identifier: MINUS only in Oracle's mode, where it is EXCEPT.
    fn is_reserved(&self, kw: Kw) -> bool {
        kw.is_reserved() || (kw == Kw::MINUS && self.options.mode.oracle)
    }

    /// Whether the current token can be an identifier.
    fn at_ident(&self) -> bool {
        match self.tok.kind {
            T::Ident | T::Quoted => true,
            T::Kw(kw) => !self.is_reserved(kw),
            _ => false,
        }
    }

    fn is_ident(&self, kind: T) -> bool {
        match kind {
            T::Ident | T::Quoted => true,
            T::Kw(kw) => !self.is_reserved(kw),
            _ => false,
        }
    }

    /// An identifier.
    fn ident(&mut self) -> SqlResult<Name> {
        if !self.at_ident() {
            return Err(self.error());
        }
        if self.at(T::Ident) && self.before_paren() && function::is_special(self.text(self.tok)) {
            // `count(` is the function even where a name is wanted.
            return Err(self.error());
        }
        let name = self.name_of(self.tok)?;
        self.advance();
        Ok(name)
    }

    /// An identifier behind a point: any word.
    fn ident_after_dot(&mut self) -> SqlResult<Name> {
        if !self.at_ident() {
            return Err(self.error());
        }
        let name = self.name_of(self.tok)?;
        self.advance();
        Ok(name)
    }

    /// Whether `(` follows the current token at once (or behind blanks, under IGNORE_SPACE).
    fn before_paren(&mut self) -> bool {
        match self.sql().get(self.tok.end as usize) {
            Some(b'(') => true,
            _ => self.options.mode.ignore_space && self.peek() == T::LParen,
        }
    }

    /// An identifier or a string.
    fn ident_or_text(&mut self) -> SqlResult<Name> {
        match self.tok.kind {
            T::Str => {
                let s = self.string_token()?;
                self.to_name(&s)
            }
            _ => self.ident(),
        }
    }

    /// `[db.]name`, also `.name`.
    fn table_name(&mut self) -> SqlResult<TableName> {
        let start = self.tok.start;
        if self.eat(T::Dot) {
            let name = self.ident_after_dot()?;
            return Ok(TableName { db: None, name, span: self.span_from(start) });
        }
        let first = self.ident()?;
        if self.eat(T::Dot) {
            let name = self.ident_after_dot()?;
            check_table_name(&name)?;
            check_db_name(&first)?;
            return Ok(TableName { db: Some(first), name, span: self.span_from(start) });
        }
        check_table_name(&first)?;
        Ok(TableName { db: None, name: first, span: self.span_from(start) })
    }

    fn table_names(&mut self) -> SqlResult<Vec<TableName>> {
        self.comma_list(Self::table_name)
    }

    /// One or more elements with commas between.
    fn comma_list<X>(&mut self, mut element: impl FnMut(&mut Self) -> SqlResult<X>) -> SqlResult<Vec<X>> {
        let mut list = vec![element(self)?];
        while self.eat(T::Comma) {
            list.push(element(self)?);
        }
        Ok(list)
    }

    /// `( element, ... )`.
    fn paren_list<X>(&mut self, element: impl FnMut(&mut Self) -> SqlResult<X>) -> SqlResult<Vec<X>> {
        self.expect(T::LParen)?;
        let list = self.comma_list(element)?;
        self.expect(T::RParen)?;
        Ok(list)
    }

    /// The value of the current string token (one token: no joining), which is taken.
    fn string_token(&mut self) -> SqlResult<Box<[u8]>> {
        if !self.at(T::Str) {
            return Err(self.error());
        }
        let bytes = self.string_bytes(self.tok);
        self.advance();
        Ok(bytes)
    }

    /// The value of a string token.
    fn string_bytes(&self, token: Token) -> Box<[u8]> {
        let mut text = self.text(token);
        if token.kind == T::NStr {
            text = &text[1..];
        }
        let quote = text.first().copied().unwrap_or(b'\'');
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        if memchr::memchr2(quote, b'\\', inner).is_none() {
            return inner.into();
        }
        let mut out = Vec::with_capacity(inner.len());
        literal::unescape(text, self.options.mode, &mut out);
        out.into_boxed_slice()
    }

    /// A string where the grammar wants text only: a quoted string, hex or bit string.
    fn text_string(&mut self) -> SqlResult<Box<[u8]>> {
        let token = self.tok;
        let text = self.text(token);
        let value = match token.kind {
            T::Str => return self.string_token(),
            T::HexNum => literal::hex_bytes(&text[2..]),
            T::HexStr => literal::hex_bytes(&text[2..text.len() - 1]),
            T::BitNum => literal::bit_bytes(&text[2..]),
            T::BitStr => literal::bit_bytes(&text[2..text.len() - 1]),
            _ => return Err(self.error()),
        };
        self.advance();
        Ok(value)
    }

    /// A text string as a `StringLiteral`.
    fn text_literal(&mut self) -> SqlResult<StringLiteral> {
        Ok(StringLiteral { bytes: self.text_string()?, charset: None })
    }

    /// An unsigned integer where the grammar wants a number: digits, hex; numbers with a point are cut.
    fn number(&mut self) -> SqlResult<u64> {
        let text = self.text(self.tok);
        let value = match self.tok.kind {
            T::Int => literal::parse_u64(text).unwrap_or(u64::MAX),
            T::HexNum => hex_number(&text[2..]),
            T::HexStr => hex_number(&text[2..text.len() - 1]),
            T::Decimal | T::Float => {
                let s = std::str::from_utf8(text).unwrap_or_default();
                s.parse::<f64>().unwrap_or(0.0) as u64
            }
            _ => return Err(self.error()),
        };
        self.advance();
        Ok(value)
    }

    /// Digits only.
    fn integer(&mut self) -> SqlResult<u64> {
        if !self.at(T::Int) {
            return Err(self.error());
        }
        self.number()
    }

    fn if_exists(&mut self) -> SqlResult<bool> {
        if self.at_kw(Kw::IF) {
            self.advance();
            self.expect_kw(Kw::EXISTS)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// IF NOT EXISTS of a CREATE that may say OR REPLACE: not both.
    fn if_not_exists_or_replace(&mut self, or_replace: bool) -> SqlResult<bool> {
        let found = self.if_not_exists()?;
        if found && or_replace {
            let both: [&dyn std::fmt::Display; 2] = [&"OR REPLACE", &"IF NOT EXISTS"];
            return Err(SqlError::new(error::ER_WRONG_USAGE, &both));
        }
        Ok(found)
    }

    fn if_not_exists(&mut self) -> SqlResult<bool> {
        if self.at_kw(Kw::IF) {
            self.advance();
            self.expect_kw(Kw::NOT)?;
            self.expect_kw(Kw::EXISTS)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// A query as a part of another statement: its height counts for the whole.
    fn subquery_height(&mut self, query: &Query) {
        self.height = self.height.max(query.height);
    }

    /// Whether a literal of that place was lifted; then its number.
    fn take_lifted(&mut self, start: u32) -> Option<u32> {
        let lifted = self.options.lifted;
        while let Some(token) = lifted.get(self.next_lifted) {
            if token.start < start {
                self.next_lifted += 1;
                continue;
            }
            if token.start > start {
                return None;
            }
            let index = self.next_lifted as u32;
            self.next_lifted += 1;
            self.lifted += 1;
            return Some(index);
        }
        None
    }

    /// The character set's name behind CHARACTER SET / CHARSET: a name, a string, or BINARY.
    fn charset_name(&mut self) -> SqlResult<Name> {
        match self.tok.kind {
            T::Kw(Kw::BINARY) => {
                self.advance();
                Ok("binary".into())
            }
            _ => self.ident_or_text(),
        }
    }

    /// The name of a collation: a name, a string, or BINARY.
    fn collation_name(&mut self) -> SqlResult<Name> {
        self.charset_name()
    }

    /// CHARACTER SET, CHARSET.
    fn eat_charset(&mut self) -> SqlResult<bool> {
        if self.eat_kw(Kw::CHARSET) {
            return Ok(true);
        }
        if matches!(self.kw(), Some(Kw::CHARACTER | Kw::CHAR)) && self.peek() == T::Kw(Kw::SET) {
            self.advance();
            self.advance();
            return Ok(true);
        }
        Ok(false)
    }
}

fn hex_number(digits: &[u8]) -> u64 {
    digits.iter().fold(0u64, |v, &b| v << 4 | u64::from((b as char).to_digit(16).unwrap_or(0)))
}

/// The least first byte of a character of four bytes in UTF-8: names are kept in utf8mb3, which has none.
const FOUR_BYTES: u8 = 0xf0;

/// Roughly where the stack stands.
#[inline]
fn stack_place() -> usize {
    let here = 0u8;
    std::ptr::from_ref(std::hint::black_box(&here)) as usize
}

/// 1436: the statement nests too deeply.
#[cold]
fn too_deep() -> SqlError {
    SqlError::new(error::ER_STACK_OVERRUN_NEED_MORE, &[&STACK, &STACK, &(STACK / MAX_DEPTH as usize)])
}

/// Text of the client for a message; a question mark stands for each byte that is no character.
fn shown(text: &[u8]) -> String {
    let mut out = String::new();
    for chunk in text.utf8_chunks() {
        out.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|_| out.push('?'));
    }
    out
}

/// 1300: bytes that are no text of the character set.
#[cold]
fn invalid_string(charset: &str, bytes: &[u8]) -> SqlError {
    let valid = bytes.utf8_chunks().next().map_or("", |c| c.valid());
    invalid_from(valid.len(), charset, bytes)
}

/// Bytes that are no text of a name from a place on.
#[cold]
fn invalid_from(at: usize, charset: &str, bytes: &[u8]) -> SqlError {
    let mut shown = String::from_utf8_lossy(&bytes[..at]).into_owned();
    for &b in &bytes[at..] {
        if b.is_ascii() {
            shown.push(b as char);
        } else {
            shown.push_str(&format!("\\x{b:02X}"));
        }
    }
    SqlError::new(error::ER_INVALID_CHARACTER_STRING, &[&charset, &shown])
}

/// A name in another character set than UTF-8.
#[cold]
fn convert_name(charset: &str, text: &[u8]) -> SqlResult<Name> {
    let (Some(from), Some(to)) = (charset::Charset::by_name(charset), charset::Charset::by_name("utf8mb4"))
    else {
        return Err(invalid_string(charset, text));
    };
    let mut out = Vec::with_capacity(text.len() * 2);
    if from.convert(text, to, &mut out) > 0 {
        return Err(invalid_string(charset, text));
    }
    String::from_utf8(out).map(String::into_boxed_str).map_err(|_| invalid_string(charset, text))
}

/// 1103: names that no table can have.
fn check_table_name(name: &str) -> SqlResult<()> {
    if name.is_empty() || name.ends_with(' ') || name.chars().count() > 64 || is_needlessly_plain(name) {
        return Err(SqlError::new(error::ER_WRONG_TABLE_NAME, &[&name]));
    }
    Ok(())
}

/// 1102: names that no database can have.
fn check_db_name(name: &str) -> SqlResult<()> {
    if name.is_empty() || name.ends_with(' ') || name.chars().count() > 64 || is_needlessly_plain(name) {
        return Err(SqlError::new(error::ER_WRONG_DB_NAME, &[&name]));
    }
    Ok(())
}

/// A literal for a value the parser makes up.
fn int_literal(value: u64, span: Span) -> Expr {
    Expr::new(crate::ast::ExprKind::Literal(Literal::Int(value)), span)
}
