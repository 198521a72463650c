//! Recognition of statements without parsing them: literals are lifted out of the text in one pass.
//!
//! What remains is the statement's fingerprint: the text as typed (names of columns come from it, so blanks and case
//! count) with a marker for each literal. Two texts of one fingerprint can share a plan. Where a literal decides more
//! than a value it stays in the fingerprint: in select lists (it names a column), in ORDER BY, GROUP BY and HAVING
//! (a position, or an expression that must equal another), in types, behind ESCAPE and SEPARATOR, in
//! temporal literals. What introduces a string stays with the string's marker.

mod digest;
pub(crate) mod rows;
mod scan;
#[cfg(test)]
mod tests;

pub use digest::digest_text;
pub use rows::{RowItem, ValuesReader};
pub use scan::recognise;

use crate::ast::TextRows;
use crate::lex::{LexMode, literal};

/// The kind of a literal token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralKind {
    /// Integer up to 2^63-1 (of rows: perhaps with a sign).
    Int,
    /// Integer above that, up to 2^64-1.
    UInt,
    /// With a point, or too long for 64 bits.
    Decimal,
    /// With an exponent.
    Float,
    /// Quoted string.
    String,
    /// `0x...`
    HexNumber,
    /// `X'..'`
    HexString,
    /// `b'..'`, `0b..`
    Bit,
    /// NULL (rows only).
    Null,
    /// TRUE, FALSE (rows only).
    Bool,
    /// DEFAULT (rows only).
    Default,
}

/// A literal in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiteralToken {
    /// First byte: of the sign, the digits, the opening quote, or what introduces the string.
    pub start: u32,
    /// Behind the last byte (the closing quote).
    pub end: u32,
    /// Kind.
    pub kind: LiteralKind,
    /// A minus sign belongs to it (rows only; elsewhere the sign stays in the fingerprint).
    pub negative: bool,
    /// A string that holds escapes (backslashes, doubled quotes): the bytes between the quotes are not the value.
    pub escaped: bool,
    /// A string of pure ASCII.
    pub ascii: bool,
    /// What introduces a string (`_latin1`, `N`; never in rows).
    pub introducer: Option<Introducer>,
}

/// What stands before a string's opening quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Introducer {
    /// The character set, an index of [`literal::CHARSETS`].
    pub charset: u8,
    /// Its length in bytes.
    pub length: u8,
}

impl Introducer {
    /// The canonical name of the character set.
    #[must_use]
    pub fn charset_name(self) -> &'static str {
        literal::charset_name(self.charset)
    }
}

/// What the pass over the text found.
#[derive(Clone, Debug, Default)]
pub struct Fingerprint {
    /// The text with a marker for each lifted literal: equal for texts of one fingerprint, and only for those.
    pub key: Vec<u8>,
    /// A hash of `key`, different in every process.
    pub hash: u64,
    /// The lifted literals from left to right.
    pub literals: Vec<LiteralToken>,
    /// The rows of INSERT ... VALUES, which are not lifted one by one (`exprs` stays empty).
    pub rows: Option<TextRows>,
    /// Where the next statement begins.
    pub end: usize,
}

impl LiteralToken {
    /// The token's bytes.
    pub fn text<'a>(&self, sql: &'a [u8]) -> &'a [u8] {
        sql.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// The bytes a quoted string token stands for: in place when it holds no escapes, else unescaped into `scratch`.
pub fn string_value<'a>(
    token: &LiteralToken,
    sql: &'a [u8],
    mode: LexMode,
    scratch: &'a mut Vec<u8>,
) -> &'a [u8] {
    let text =
        token.text(sql).get(token.introducer.map_or(0, |i| usize::from(i.length))..).unwrap_or_default();
    if !token.escaped {
        return text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    }
    scratch.clear();
    literal::unescape(text, mode, scratch);
    scratch
}
