//! Bytes to tokens.

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
