//! Bytes to tokens.
//!
//! The lexer allocates nothing: a token is its kind and its place, and its value is read from the text
//! when somebody wants it ([`literal`]).

pub mod function_names;
mod keyword;
pub mod literal;

pub use keyword::Kw;

/// The server version that conditional comments are compared with: 10.11.
pub const COMMENT_VERSION: u32 = 101_100;

/// Whether the text of a comment for this version counts; `own` is that of `/*M!`.
#[must_use]
pub fn executes(version: u32, own: bool) -> bool {
    // Versions 5.7 to 9.99 mean MySQL's features in `/*!`, not in `/*M!`.
    let reserved = !own && (50_700..=99_999).contains(&version);
    version <= COMMENT_VERSION + 99 && !reserved
}

/// What decides how bytes are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LexMode {
    /// `"` quotes identifiers.
    pub ansi_quotes: bool,
    /// `||` is concatenation.
    pub pipes_as_concat: bool,
    /// `\` is no escape.
    pub no_backslash_escapes: bool,
    /// `NOT` binds as tightly as `!`.
    pub high_not_precedence: bool,
    /// An empty string is NULL.
    pub empty_is_null: bool,
    /// Oracle's grammar and functions: INTERSECT binds no tighter than UNION, MINUS is EXCEPT, `||` and some functions take what is empty
    /// for NULL.
    pub oracle: bool,
    /// Blanks are allowed between a built-in function's name and `(`.
    pub ignore_space: bool,
    /// The client's character set, where it matters to find characters' borders.
    pub client: ClientBytes,
}

/// How the client's character set puts characters into bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClientBytes {
    /// UTF-8 of up to 3 or 4 bytes.
    #[default]
    Utf8,
    /// One byte a character, by the name of the character set (identifiers are converted).
    Single(&'static str),
    /// Two bytes whose second may be a backslash or quote: big5, gbk, cp932, sjis.
    Double(&'static str),
    /// Other multi-byte sets: euckr, ujis, eucjpms, gb2312: the trailing bytes are never ASCII.
    Euc(&'static str),
}

impl ClientBytes {
    /// The reading of a client character set by its canonical name.
    pub fn of(charset: &'static str) -> ClientBytes {
        match charset {
            "utf8mb4" | "utf8mb3" | "utf8" => ClientBytes::Utf8,
            "big5" | "gbk" | "cp932" | "sjis" => ClientBytes::Double(charset),
            "euckr" | "ujis" | "eucjpms" | "gb2312" => ClientBytes::Euc(charset),
            _ => ClientBytes::Single(charset),
        }
    }

    /// Whether the character that begins with `lead` is followed by a byte that must not be looked at.
    #[inline]
    fn hides_next(self, lead: u8) -> bool {
        match self {
            ClientBytes::Double("sjis" | "cp932") => matches!(lead, 0x81..=0x9f | 0xe0..=0xfc),
            ClientBytes::Double(_) => (0x81..=0xfe).contains(&lead),
            _ => false,
        }
    }
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum T {
    /// End of the text.
    Eof,
    /// Something that is no token: a stray byte, an unfinished string or comment.
    Bad,
    /// A name without quotes that is no keyword.
    Ident,
    /// A name in quotes.
    Quoted,
    /// A keyword.
    Kw(Kw),
    /// `'...'`, `"..."`
    Str,
    /// `N'...'`
    NStr,
    /// `X'...'`
    HexStr,
    /// `0x...`
    HexNum,
    /// `B'...'`
    BitStr,
    /// `0b...`
    BitNum,
    /// Digits.
    Int,
    /// Digits with a point.
    Decimal,
    /// With an exponent.
    Float,
    /// `_charset`: its index in [`literal::CHARSETS`].
    Introducer(u8),
    /// `@name`, whole.
    UserVar,
    /// `@` before a quote or something else.
    At,
    /// `@@`
    AtAt,
    /// `?`
    Param,
    /// `\N`
    BackslashN,
    /// `(`
    LParen,
    /// `)`
    RParen,
    /// `,`
    Comma,
    /// `.`
    Dot,
    /// `;`
    Semi,
    /// `*`
    Star,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `~`
    Tilde,
    /// `!`
    Bang,
    /// `&`
    Amp,
    /// `|`
    Pipe,
    /// `^`
    Caret,
    /// `=`
    Eq,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `<>`, `!=`
    Ne,
    /// `<=>`
    NullEq,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&&`
    AndAnd,
    /// `||`
    OrOr,
    /// `:=`
    Assign,
    /// `:`
    Colon,
    /// `{`
    LBrace,
    /// `}`
    RBrace,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Kind.
    pub kind: T,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

/// Class: part of a name.
pub(crate) const IDENT_BIT: u8 = 1;
/// Class: a digit.
pub(crate) const DIGIT_BIT: u8 = 2;
/// Class: a blank.
pub(crate) const SPACE_BIT: u8 = 4;

/// Classes of bytes: part of a name, digit, blank.
pub(crate) static CLASS: [u8; 256] = {
    let mut table = [0u8; 256];
    let mut b = 0;
    while b < 256 {
        let c = b as u8;
        if c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c >= 0x80 {
            table[b] |= IDENT_BIT;
        }
        if c.is_ascii_digit() {
            table[b] |= DIGIT_BIT;
        }
        if matches!(c, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c) {
            table[b] |= SPACE_BIT;
        }
        b += 1;
    }
    table
};

/// Whether a name may hold the byte.
#[inline]
pub(crate) fn is_ident(b: u8) -> bool {
    CLASS[b as usize] & IDENT_BIT != 0
}

/// Whether the byte is a blank.
#[inline]
pub(crate) fn is_space(b: u8) -> bool {
    CLASS[b as usize] & SPACE_BIT != 0
}

/// Reads tokens from a text.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    sql: &'a [u8],
    at: usize,
    /// Inside `/*! ... */`.
    in_comment: bool,
    /// The previous token was a name or a keyword that ended right before this place.
    after_name: bool,
    /// The previous token was a point before a name's byte.
    after_dot: bool,
    mode: LexMode,
}

impl<'a> Lexer<'a> {
    /// A lexer at `offset` of `sql`.
    pub fn new(sql: &'a [u8], offset: usize, mode: LexMode) -> Self {
        Lexer { sql, at: offset.min(sql.len()), in_comment: false, after_name: false, after_dot: false, mode }
    }

    /// The text.
    pub fn sql(&self) -> &'a [u8] {
        self.sql
    }

    /// How it is read.
    pub fn mode(&self) -> LexMode {
        self.mode
    }

    /// Where it stands.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Goes on at another place (between two tokens).
    pub fn seek(&mut self, at: usize) {
        self.at = at.min(self.sql.len());
        self.after_name = false;
        self.after_dot = false;
    }

    /// Whether it stands inside an executed version comment.
    pub fn in_version_comment(&self) -> bool {
        self.in_comment
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.sql.get(at).copied().unwrap_or(0)
    }

    /// The next token.
    pub fn next_token(&mut self) -> Token {
        let after_name = std::mem::take(&mut self.after_name);
        if std::mem::take(&mut self.after_dot) {
            return self.name_after_dot();
        }
        let begin = self.at;
        if let Err(bad) = self.skip_blanks() {
            return bad;
        }
        let start = self.at;
        let Some(&b) = self.sql.get(start) else {
            let kind = if self.in_comment { T::Bad } else { T::Eof };
            return self.token(kind, start, start);
        };
        if is_ident(b) {
            return self.word(start, b);
        }
        let next = self.byte(start + 1);
        let (kind, len) = match b {
            b'(' => (T::LParen, 1),
            b')' => (T::RParen, 1),
            b',' => (T::Comma, 1),
            b'=' => (T::Eq, 1),
            b'*' => (T::Star, 1),
            b'\'' => return self.quoted(start, start, T::Str),
            b'"' if self.mode.ansi_quotes => return self.quoted(start, start, T::Quoted),
            b'"' => return self.quoted(start, start, T::Str),
            b'`' => return self.quoted(start, start, T::Quoted),
            b'.' => {
                let adjacent = after_name && begin == start;
                if next.is_ascii_digit() && !adjacent {
                    return self.fraction(start, start);
                }
                self.after_dot = is_ident(next);
                (T::Dot, 1)
            }
            b'@' => return self.at_sign(start, next),
            b'?' => (T::Param, 1),
            b';' => (T::Semi, 1),
            b'+' => (T::Plus, 1),
            b'-' => (T::Minus, 1),
            b'/' => (T::Slash, 1),
            b'%' => (T::Percent, 1),
            b'~' => (T::Tilde, 1),
            b'^' => (T::Caret, 1),
            b'{' => (T::LBrace, 1),
            b'}' => (T::RBrace, 1),
            b'<' => match next {
                b'=' if self.byte(start + 2) == b'>' => (T::NullEq, 3),
                b'=' => (T::Le, 2),
                b'>' => (T::Ne, 2),
                b'<' => (T::Shl, 2),
                _ => (T::Lt, 1),
            },
            b'>' => match next {
                b'=' => (T::Ge, 2),
                b'>' => (T::Shr, 2),
                _ => (T::Gt, 1),
            },
            b'!' if next == b'=' => (T::Ne, 2),
            b'!' => (T::Bang, 1),
            b'&' if next == b'&' => (T::AndAnd, 2),
            b'&' => (T::Amp, 1),
            b'|' if next == b'|' => (T::OrOr, 2),
            b'|' => (T::Pipe, 1),
            b':' if next == b'=' => (T::Assign, 2),
            b':' => (T::Colon, 1),
            b'\\' if next == b'N' => (T::BackslashN, 2),
            // Some clients send the terminating zero of their buffer along.
            0 if self.sql[start..].iter().all(|&b| b == 0 || is_space(b)) => (T::Eof, 0),
            _ => (T::Bad, 1),
        };
        self.token(kind, start, start + len)
    }

    #[inline]
    fn token(&mut self, kind: T, start: usize, end: usize) -> Token {
        self.at = end;
        Token { kind, start: start as u32, end: end as u32 }
    }

    /// Goes over blanks and comments.
    #[inline]
    fn skip_blanks(&mut self) -> Result<(), Token> {
        loop {
            let b = self.byte(self.at);
            if is_space(b) {
                self.at += 1;
                continue;
            }
            match b {
                b'#' => self.skip_line(),
                b'-' if self.byte(self.at + 1) == b'-' && self.ends_dashes(self.at + 2) => self.skip_line(),
                b'/' if self.byte(self.at + 1) == b'*' => self.comment()?,
                b'*' if self.in_comment && self.byte(self.at + 1) == b'/' => {
                    self.in_comment = false;
                    self.at += 2;
                }
                _ => return Ok(()),
            }
        }
    }

    /// `--` begins a comment only before a blank, a control character or the end.
    fn ends_dashes(&self, at: usize) -> bool {
        self.sql.get(at).is_none_or(|&b| is_space(b) || b < 0x20 || b == 0x7f)
    }

    fn skip_line(&mut self) {
        self.at = match memchr::memchr(b'\n', &self.sql[self.at..]) {
            Some(n) => self.at + n + 1,
            None => self.sql.len(),
        };
    }

    /// At `/*`: goes behind the comment, or behind the head of a version comment whose text counts.
    fn comment(&mut self) -> Result<(), Token> {
        let start = self.at;
        let bang = match (self.byte(start + 2), self.byte(start + 3)) {
            (b'!', _) => Some(start + 3),
            (b'M', b'!') => Some(start + 4),
            _ => None,
        };
        let Some(head) = bang else {
            return self.skip_comment(start, start + 2, false);
        };
        let mut digits = 0;
        let mut version = 0u32;
        while digits < 6 && self.byte(head + digits).is_ascii_digit() {
            version = version * 10 + u32::from(self.byte(head + digits) - b'0');
            digits += 1;
        }
        if digits < 5 {
            digits = 0;
            version = 0;
        }
        if !executes(version, head > start + 3) {
            return self.skip_comment(start, head, true);
        }
        // One within another one that counts: the first end is that of both.
        self.in_comment = true;
        self.at = head + digits;
        Ok(())
    }

    /// Goes behind a comment whose text begins at `from`; `nested`: it may hold further comments.
    fn skip_comment(&mut self, start: usize, from: usize, nested: bool) -> Result<(), Token> {
        let mut at = from;
        let mut depth = 1;
        while let Some(n) = memchr::memchr2(b'*', b'/', &self.sql[at..]) {
            at += n;
            match (self.sql[at], self.byte(at + 1)) {
                (b'*', b'/') => {
                    at += 2;
                    depth -= 1;
                    if depth == 0 {
                        self.at = at;
                        return Ok(());
                    }
                }
                (b'/', b'*') if nested => {
                    at += 2;
                    depth += 1;
                }
                _ => at += 1,
            }
        }
        let bad = self.token(T::Bad, start, self.sql.len());
        Err(bad)
    }

    /// A token that begins with a name's byte: name, keyword, number, introducer or prefixed literal.
    fn word(&mut self, start: usize, first: u8) -> Token {
        if first.is_ascii_digit() {
            return self.number(start);
        }
        if self.byte(start + 1) == b'\'' {
            match first {
                b'x' | b'X' => return self.digits_in_quotes(start, T::HexStr),
                b'b' | b'B' => return self.digits_in_quotes(start, T::BitStr),
                b'n' | b'N' => return self.quoted(start, start + 1, T::NStr),
                _ => {}
            }
        }
        let end = self.name_end(start);
        if end == start {
            return self.token(T::Bad, start, start + 1);
        }
        self.after_name = true;
        let text = &self.sql[start..end];
        // `word.name`: a keyword before a point is a name.
        if self.byte(end) == b'.' && is_ident(self.byte(end + 1)) {
            return self.token(T::Ident, start, end);
        }
        if first == b'_'
            && let Some(i) = literal::charset_index(&text[1..])
        {
            return self.token(T::Introducer(i), start, end);
        }
        match Kw::find(text) {
            Some(kw) => self.token(T::Kw(kw), start, end),
            None => self.token(T::Ident, start, end),
        }
    }

    /// Behind the name that begins at `at`.
    #[inline]
    fn name_end(&self, mut at: usize) -> usize {
        if let ClientBytes::Double(_) = self.mode.client {
            while let Some(&b) = self.sql.get(at) {
                if !is_ident(b) {
                    break;
                }
                at += if self.mode.client.hides_next(b) && at + 1 < self.sql.len() { 2 } else { 1 };
            }
            return at;
        }
        let start = at;
        let mut wide = false;
        while at < self.sql.len() && is_ident(self.sql[at]) {
            wide |= self.sql[at] >= 0x80;
            at += 1;
        }
        if wide && self.mode.client == ClientBytes::Utf8 {
            // Bytes that are no character end a name.
            let valid = self.sql[start..at].utf8_chunks().next().map_or(0, |c| c.valid().len());
            at = start + valid;
        }
        at
    }

    fn name_after_dot(&mut self) -> Token {
        let start = self.at;
        let end = self.name_end(start);
        if end == start {
            return self.token(T::Bad, start, start + 1);
        }
        self.after_name = true;
        self.token(T::Ident, start, end)
    }

    /// A token that begins with a digit: a number, or a name.
    fn number(&mut self, start: usize) -> Token {
        let mut at = start;
        if self.sql[start] == b'0' {
            let digits = start + 2;
            match self.byte(start + 1) {
                b'x' => {
                    at = digits;
                    while self.byte(at).is_ascii_hexdigit() {
                        at += 1;
                    }
                    if at > digits && !is_ident(self.byte(at)) {
                        return self.token(T::HexNum, start, at);
                    }
                    return self.name(start);
                }
                b'b' => {
                    at = digits;
                    while matches!(self.byte(at), b'0' | b'1') {
                        at += 1;
                    }
                    if at > digits && !is_ident(self.byte(at)) {
                        return self.token(T::BitNum, start, at);
                    }
                    return self.name(start);
                }
                _ => {}
            }
        }
        while self.byte(at).is_ascii_digit() {
            at += 1;
        }
        match self.byte(at) {
            b'.' => self.fraction(start, at),
            b'e' | b'E' => {
                let sign = usize::from(matches!(self.byte(at + 1), b'+' | b'-'));
                if self.byte(at + 1 + sign).is_ascii_digit() {
                    at += 1 + sign;
                    while self.byte(at).is_ascii_digit() {
                        at += 1;
                    }
                    return self.token(T::Float, start, at);
                }
                self.name(start)
            }
            b if is_ident(b) => self.name(start),
            _ => self.token(T::Int, start, at),
        }
    }

    /// A name that begins with a digit.
    fn name(&mut self, start: usize) -> Token {
        let end = self.name_end(start);
        self.after_name = true;
        self.token(T::Ident, start, end)
    }

    /// A number from `start` with its point at `dot`.
    fn fraction(&mut self, start: usize, dot: usize) -> Token {
        let mut at = dot + 1;
        while self.byte(at).is_ascii_digit() {
            at += 1;
        }
        if matches!(self.byte(at), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(at + 1), b'+' | b'-'));
            if !self.byte(at + 1 + sign).is_ascii_digit() {
                return self.token(T::Bad, start, at);
            }
            at += 1 + sign;
            while self.byte(at).is_ascii_digit() {
                at += 1;
            }
            return self.token(T::Float, start, at);
        }
        self.token(T::Decimal, start, at)
    }

    /// `x'...'` or `b'...'`.
    fn digits_in_quotes(&mut self, start: usize, kind: T) -> Token {
        let mut at = start + 2;
        let digits = at;
        match kind {
            T::HexStr => {
                while self.byte(at).is_ascii_hexdigit() {
                    at += 1;
                }
            }
            _ => {
                while matches!(self.byte(at), b'0' | b'1') {
                    at += 1;
                }
            }
        }
        if self.byte(at) != b'\'' || (kind == T::HexStr && (at - digits) % 2 == 1) {
            return self.token(T::Bad, start, at);
        }
        self.token(kind, start, at + 1)
    }

    /// A token in quotes; the opening quote is at `open`.
    fn quoted(&mut self, start: usize, open: usize, kind: T) -> Token {
        let end = if kind == T::Quoted {
            self.identifier_end(open)
        } else {
            literal::string_end(self.sql, open, self.mode).map(|s| s.end)
        };
        self.after_name = kind == T::Quoted;
        match end {
            Some(end) => self.token(kind, start, end),
            None => self.token(T::Bad, start, self.sql.len()),
        }
    }

    fn identifier_end(&self, open: usize) -> Option<usize> {
        let quote = self.sql[open];
        let mut at = open + 1;
        while let Some(&b) = self.sql.get(at) {
            if b == quote {
                if self.byte(at + 1) != quote {
                    return Some(at + 1);
                }
                at += 2;
            } else if b == 0 {
                // no name holds one
                return None;
            } else {
                at += if self.mode.client.hides_next(b) { 2 } else { 1 };
            }
        }
        None
    }

    fn at_sign(&mut self, start: usize, next: u8) -> Token {
        if next == b'@' {
            // The variable's name must follow at once.
            let after = self.byte(start + 2);
            if is_space(after) {
                return self.token(T::Bad, start + 2, start + 2);
            }
            return self.token(T::AtAt, start, start + 2);
        }
        let mut end = start + 1;
        while end < self.sql.len() && (is_ident(self.sql[end]) || self.sql[end] == b'.') {
            end += if self.mode.client.hides_next(self.sql[end]) { 2 } else { 1 };
        }
        let end = end.min(self.sql.len());
        let kind = if end > start + 1 { T::UserVar } else { T::At };
        self.token(kind, start, end)
    }
}

#[cfg(test)]
mod tests;
