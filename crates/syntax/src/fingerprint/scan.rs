//! The pass that lifts literals.

use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;

use super::rows;
use super::{Fingerprint, Introducer, LiteralKind, LiteralToken};
use crate::ast::{Span, TextRows};
use crate::lex::{self, ClientBytes, LexMode, literal};

/// Digits of a decimal that always fit.
const MAX_DECIMAL_TEXT: usize = 65;

/// Deepest nesting of parentheses that is followed.
const DEPTH: usize = 48;
/// Begins the marker of a literal in the key; a text with such a byte has no fingerprint.
const MARK: u8 = 0;

/// Words that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Select,
    Insert,
    Handler,
    Replace,
    Update,
    Delete,
    From,
    Where,
    /// ORDER, GROUP, HAVING, WINDOW, RETURNING, PROCEDURE.
    Keep,
    Limit,
    Values,
    Into,
    As,
    /// ESCAPE, SEPARATOR, DATE, TIME, TIMESTAMP: the string behind them stays.
    KeepNext,
    /// Types of CAST whose parentheses hold lengths.
    Type,
    /// EXTRACTVALUE, UPDATEXML: what they depend on is read from the path among their arguments.
    KeepArguments,
    Other,
}

#[inline]
fn word_of(text: &[u8]) -> Word {
    let is = |w: &[u8]| text.eq_ignore_ascii_case(w);
    let Some(&first) = text.first() else { return Word::Other };
    match (text.len(), first | 0x20) {
        (2, b'a') if is(b"as") => Word::As,
        (4, b'f') if is(b"from") => Word::From,
        (4, b'i') if is(b"into") => Word::Into,
        (4, b'c') if is(b"char") => Word::Type,
        (4, b't') if is(b"time") => Word::KeepNext,
        (4, b'd') if is(b"date") => Word::KeepNext,
        (5, b'w') if is(b"where") => Word::Where,
        (5, b'l') if is(b"limit") => Word::Limit,
        (5, b'o') if is(b"order") => Word::Keep,
        (5, b'g') if is(b"group") => Word::Keep,
        (5, b'v') if is(b"value") => Word::Values,
        (5, b'f') if is(b"float") => Word::Type,
        (5, b'n') if is(b"nchar") => Word::Type,
        (6, b's') if is(b"select") => Word::Select,
        (6, b'i') if is(b"insert") => Word::Insert,
        (6, b'u') if is(b"update") => Word::Update,
        (6, b'd') if is(b"delete") => Word::Delete,
        (6, b'd') if is(b"double") => Word::Type,
        (6, b'v') if is(b"values") => Word::Values,
        (6, b'h') if is(b"having") => Word::Keep,
        (6, b'w') if is(b"window") => Word::Keep,
        (6, b'b') if is(b"binary") => Word::Type,
        (6, b'e') if is(b"escape") => Word::KeepNext,
        (7, b'r') if is(b"replace") => Word::Replace,
        (7, b'h') if is(b"handler") => Word::Handler,
        (7, b'd') if is(b"decimal") => Word::Type,
        (7, b'v') if is(b"varchar") => Word::Type,
        (8, b'd') if is(b"datetime") => Word::Type,
        (9, b'c') if is(b"character") => Word::Type,
        (9, b'p') if is(b"procedure") => Word::Keep,
        (9, b'r') if is(b"returning") => Word::Keep,
        (9, b's') if is(b"separator") => Word::KeepNext,
        (9, b't') if is(b"timestamp") => Word::KeepNext,
        (9, b'u') if is(b"updatexml") => Word::KeepArguments,
        (12, b'e') if is(b"extractvalue") => Word::KeepArguments,
        (3, b'd') if is(b"dec") => Word::Type,
        _ => Word::Other,
    }
}

/// The token before, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Word(Word),
    /// A name in quotes or a word behind a point.
    Name,
    Comma,
    String,
    /// `_charset`.
    Introducer,
    Other,
}

/// Flags of one depth of parentheses.
const KEEP: u8 = 1;
/// A SELECT began at this depth.
const OWN: u8 = 2;
/// The depth around keeps its literals: so does everything inside.
const INHERITED: u8 = 4;

/// Looks at the first statement of `sql`, reusing `fingerprint`'s memory. False when the text is not one whose plan
/// may be kept: other statements than SELECT, INSERT, REPLACE, UPDATE, DELETE, HANDLER; version comments, placeholders,
/// SELECT ... INTO, rows with expressions, and texts that the lexer would refuse.
pub fn recognise(sql: &[u8], mode: LexMode, fingerprint: &mut Fingerprint) -> bool {
    fingerprint.key.clear();
    fingerprint.literals.clear();
    fingerprint.rows = None;
    fingerprint.hash = 0;
    if sql.len() > u32::MAX as usize || matches!(mode.client, ClientBytes::Double(_)) {
        return false;
    }
    let mut scan = Scan { sql, mode, fingerprint, copied: 0, flags: [0; DEPTH], depth: 0 };
    if scan.run().is_none() {
        return false;
    }
    fingerprint.hash = hash(&fingerprint.key);
    true
}

fn hash(key: &[u8]) -> u64 {
    static STATE: OnceLock<foldhash::fast::RandomState> = OnceLock::new();
    let mut hasher = STATE.get_or_init(foldhash::fast::RandomState::default).build_hasher();
    hasher.write(key);
    hasher.finish()
}

struct Scan<'a> {
    sql: &'a [u8],
    mode: LexMode,
    fingerprint: &'a mut Fingerprint,
    /// The text up to here is in the key.
    copied: usize,
    flags: [u8; DEPTH],
    depth: usize,
}

/// Where the scan is, and the tokens before that.
struct Cursor {
    at: usize,
    before: Before,
    /// The one before `before`.
    before2: Before,
    /// Nothing stands between the last token and `at`.
    adjacent: bool,
    /// The rows of the INSERT are passed, or none come.
    rows_done: bool,
}

impl Cursor {
    /// A token was passed.
    #[inline]
    fn pass(&mut self, token: Before, adjacent: bool) {
        self.before2 = self.before;
        self.before = token;
        self.adjacent = adjacent;
    }
}

impl<'a> Scan<'a> {
    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.sql.get(at).copied().unwrap_or(0)
    }

    /// Copies the text up to `at` into the key and goes on behind `next`.
    #[inline]
    fn cut(&mut self, at: usize, next: usize) {
        self.fingerprint.key.extend_from_slice(&self.sql[self.copied..at]);
        self.copied = next;
    }

    #[inline]
    fn keeps(&self) -> bool {
        self.flags[self.depth] & KEEP != 0
    }

    #[inline]
    fn set_keep(&mut self, keep: bool) {
        let f = &mut self.flags[self.depth];
        if keep || *f & INHERITED != 0 {
            *f |= KEEP;
        } else {
            *f &= !KEEP;
        }
    }

    fn run(&mut self) -> Option<()> {
        let sql = self.sql;
        let mut at = rows::skip_blanks(sql, 0);
        self.copied = at;
        // The first word decides.
        let start = at;
        while at < sql.len() && lex::is_ident(sql[at]) {
            at += 1;
        }
        let first = word_of(&sql[start..at]);
        match first {
            Word::Select => self.flags[0] = OWN | KEEP,
            Word::Insert | Word::Replace | Word::Update | Word::Delete | Word::Handler => {}
            _ => return None,
        }
        let rows_done = !matches!(first, Word::Insert | Word::Replace);
        let before2 = Before::Other;
        let mut c = Cursor { at, before: Before::Word(first), before2, adjacent: false, rows_done };
        loop {
            let Some(&b) = sql.get(c.at) else {
                self.finish(sql.len(), sql.len());
                return Some(());
            };
            let class = lex::CLASS[b as usize];
            if class & lex::SPACE_BIT != 0 {
                c.at += 1;
                c.adjacent = false;
            } else if class & lex::IDENT_BIT == 0 {
                if self.symbol(&mut c, b)? {
                    return Some(());
                }
            } else if class & lex::DIGIT_BIT != 0
                && !(c.adjacent && c.before == Before::Other && self.after_dot(c.at))
            {
                let token = rows::number(sql, c.at, c.at, false)?;
                c.at = self.literal(token, c.before);
                c.pass(Before::Other, true);
            } else {
                self.word(&mut c, b)?;
            }
        }
    }

    /// A word that begins with `b`: a name, a keyword, or what stands before a string (`x'00'`, `n'a'`, `_utf8'a'`).
    #[inline]
    fn word(&mut self, c: &mut Cursor, b: u8) -> Option<()> {
        let sql = self.sql;
        let start = c.at;
        c.at += 1;
        while c.at < sql.len() && lex::is_ident(sql[c.at]) {
            c.at += 1;
        }
        let text = &sql[start..c.at];
        if self.after_dot(start) {
            c.pass(Before::Name, true);
            return Some(());
        }
        if self.byte(c.at) == b'\'' && text.len() == 1 {
            match b | 0x20 {
                b'x' | b'b' => {
                    let token = rows::plain_value(sql, start, self.mode)?;
                    c.at = self.literal(token, c.before);
                    c.pass(Before::Other, true);
                    return Some(());
                }
                b'n' => {
                    let charset = literal::charset_index(b"utf8mb3")?;
                    return self.introduced(c, start, Introducer { charset, length: 1 });
                }
                _ => {}
            }
        }
        if b == b'_'
            && let Some(charset) = literal::charset_index(&text[1..])
        {
            return self.introduced(c, start, Introducer { charset, length: text.len() as u8 });
        }
        let word = if self.byte(c.at) == b'.' { Word::Other } else { word_of(text) };
        match word {
            Word::Select => {
                let inherited = self.flags[self.depth] & INHERITED;
                self.flags[self.depth] = OWN | KEEP | inherited;
                c.rows_done = true;
            }
            Word::From if self.flags[self.depth] & OWN != 0 => self.set_keep(false),
            Word::Where | Word::Limit | Word::Update => self.set_keep(false),
            Word::Keep => self.set_keep(true),
            Word::Into if self.flags[self.depth] & OWN != 0 => return None,
            Word::Values if !c.rows_done && self.depth == 0 => {
                c.rows_done = true;
                c.at = self.rows(c.at)?;
                c.before = Before::Other;
                c.pass(Before::Other, false);
                return Some(());
            }
            _ => {}
        }
        c.pass(Before::Word(word), true);
        Some(())
    }

    /// A string, a name in quotes, a variable, a comment or an operator that begins with `b`; true at the end of the
    /// statement.
    #[inline]
    fn symbol(&mut self, c: &mut Cursor, b: u8) -> Option<bool> {
        let sql = self.sql;
        let next = self.byte(c.at + 1);
        match b {
            b'\'' | b'"' if b == b'\'' || !self.mode.ansi_quotes => {
                self.string(c)?;
                return Some(false);
            }
            b'`' | b'"' => {
                loop {
                    c.at += 1 + memchr::memchr(b, sql.get(c.at + 1..)?)? + 1;
                    if self.byte(c.at) != b {
                        break;
                    }
                }
                c.pass(Before::Name, true);
                return Some(false);
            }
            b'(' => {
                // Lengths of types: `AS CHAR(10)`, `, DECIMAL(10, 2)`.
                let length = c.before == Before::Word(Word::Type)
                    && matches!(c.before2, Before::Word(Word::As) | Before::Comma);
                let keep = self.keeps() || length || c.before == Before::Word(Word::KeepArguments);
                self.depth += 1;
                *self.flags.get_mut(self.depth)? = if keep { KEEP | INHERITED } else { 0 };
                c.at += 1;
            }
            b')' => {
                self.depth = self.depth.checked_sub(1)?;
                c.at += 1;
            }
            b',' => {
                c.at += 1;
                c.pass(Before::Comma, false);
                return Some(false);
            }
            b';' => {
                if self.depth > 0 {
                    return None;
                }
                self.finish(c.at, c.at + 1);
                return Some(true);
            }
            b'.' => {
                let name = c.adjacent && matches!(c.before, Before::Word(_) | Before::Name);
                if !next.is_ascii_digit() || name {
                    c.at += 1;
                    c.pass(Before::Other, true);
                    return Some(false);
                }
                let token = rows::number(sql, c.at, c.at, false)?;
                c.at = self.literal(token, c.before);
            }
            b'@' => {
                self.variable(c, next)?;
                return Some(false);
            }
            b'/' | b'#' | b'-' => {
                if self.comment(c) {
                    return Some(false);
                }
                if b == b'/' && next == b'*' {
                    // A version comment, or one that does not end.
                    return None;
                }
                c.at += 1;
            }
            MARK => {
                if !sql[c.at..].iter().all(|&b| b == 0 || lex::is_space(b)) {
                    return None;
                }
                self.finish(c.at, sql.len());
                return Some(true);
            }
            b'?' | b'{' | b'}' | b'[' | b']' | b'\\' => return None,
            _ => c.at += 1,
        }
        c.pass(Before::Other, false);
        Some(false)
    }

    #[inline]
    fn string(&mut self, c: &mut Cursor) -> Option<()> {
        let sql = self.sql;
        if c.before == Before::String {
            // Strings side by side are one literal.
            return None;
        }
        let scan = literal::string_end(sql, c.at, self.mode)?;
        let keep = self.keeps() || matches!(c.before, Before::Introducer | Before::Word(Word::KeepNext));
        if !keep {
            self.lift(LiteralToken {
                start: c.at as u32,
                end: scan.end as u32,
                kind: LiteralKind::String,
                negative: false,
                escaped: scan.escaped,
                ascii: sql[c.at..scan.end].is_ascii(),
                introducer: None,
            });
        }
        c.at = scan.end;
        c.pass(Before::String, true);
        Some(())
    }

    /// A string behind an introducer that has just been read. It is lifted where its bytes are what it stands for in every character
    /// set but those of wide characters.
    fn introduced(&mut self, c: &mut Cursor, start: usize, introducer: Introducer) -> Option<()> {
        let (sql, before) = (self.sql, c.before);
        c.pass(Before::Introducer, true);
        let wide = matches!(introducer.charset_name(), "ucs2" | "utf16" | "utf16le" | "utf32");
        let kept = self.keeps() || matches!(before, Before::String | Before::Word(Word::KeepNext));
        if self.byte(c.at) != b'\'' || wide || kept {
            return Some(());
        }
        let scan = literal::string_end(sql, c.at, self.mode)?;
        if !sql[c.at..scan.end].is_ascii() {
            return Some(());
        }
        self.lift(LiteralToken {
            start: start as u32,
            end: scan.end as u32,
            kind: LiteralKind::String,
            negative: false,
            escaped: scan.escaped,
            ascii: true,
            introducer: Some(introducer),
        });
        c.at = scan.end;
        c.pass(Before::String, true);
        Some(())
    }

    /// `@user` or `@@system`.
    fn variable(&self, c: &mut Cursor, next: u8) -> Option<()> {
        let sql = self.sql;
        c.at += if next == b'@' { 2 } else { 1 };
        match self.byte(c.at) {
            quote @ (b'`' | b'\'' | b'"') => c.at += 1 + memchr::memchr(quote, sql.get(c.at + 1..)?)? + 1,
            _ => {
                while c.at < sql.len() && (lex::is_ident(sql[c.at]) || sql[c.at] == b'.') {
                    c.at += 1;
                }
            }
        }
        c.pass(Before::Name, true);
        Some(())
    }

    /// Goes behind a comment, if one begins here.
    fn comment(&mut self, c: &mut Cursor) -> bool {
        let behind = rows::skip_blanks(self.sql, c.at);
        if behind == c.at {
            return false;
        }
        if !self.keeps() {
            // A comment says nothing but "blank"; in a select list it is part of names.
            self.cut(c.at, behind);
            self.fingerprint.key.push(b' ');
        }
        c.at = behind;
        c.adjacent = false;
        true
    }

    /// Whether the word at `start` stands behind a point: it is a name, whatever it looks like.
    #[inline]
    fn after_dot(&self, start: usize) -> bool {
        start > 0 && self.sql[start - 1] == b'.'
    }

    /// Lifts or keeps a literal that is no string; returns where it ends.
    #[inline]
    fn literal(&mut self, token: LiteralToken, before: Before) -> usize {
        let end = token.end as usize;
        // a number that may be too large is told of where it is bound
        let told = token.kind == LiteralKind::Decimal && end - token.start as usize > MAX_DECIMAL_TEXT;
        if !self.keeps() && before != Before::Introducer && !told {
            self.lift(token);
        }
        end
    }

    #[inline]
    fn lift(&mut self, token: LiteralToken) {
        self.cut(token.start as usize, token.end as usize);
        let kind = match token.kind {
            LiteralKind::Int => b'i',
            LiteralKind::UInt => b'u',
            LiteralKind::Decimal => b'd',
            LiteralKind::Float => b'f',
            LiteralKind::String if token.ascii => b's',
            LiteralKind::String => b'S',
            LiteralKind::HexNumber => b'x',
            LiteralKind::HexString => b'h',
            LiteralKind::Bit => b'b',
            LiteralKind::Null | LiteralKind::Bool | LiteralKind::Default => b'n',
        };
        self.fingerprint.key.extend_from_slice(&[MARK, kind]);
        if let Some(introducer) = token.introducer {
            self.fingerprint.key.extend_from_slice(&[MARK, b'c', introducer.charset]);
        }
        if token.kind == LiteralKind::Decimal {
            // The scale decides types.
            let text = token.text(self.sql);
            let scale = memchr::memchr(b'.', text).map_or(0, |n| text.len() - n - 1);
            self.fingerprint.key.push(scale.min(255) as u8);
        }
        self.fingerprint.literals.push(token);
    }

    /// The rows behind VALUES; returns where they end.
    fn rows(&mut self, at: usize) -> Option<usize> {
        let sql = self.sql;
        let open = rows::skip_blanks(sql, at);
        if self.byte(open) != b'(' {
            return None;
        }
        let mut found = TextRows { span: Span::new(open as u32, open as u32), ..TextRows::default() };
        let stop = rows::skip_rows(sql, open, self.mode, &mut found);
        if stop.columns.is_some() || found.uneven_row.is_some() {
            return None;
        }
        if self.byte(rows::skip_blanks(sql, stop.at)) == b',' {
            return None;
        }
        found.span.end = stop.at as u32;
        self.cut(open, stop.at);
        self.fingerprint.key.push(MARK);
        self.fingerprint.key.push(b'R');
        self.fingerprint.key.extend_from_slice(&found.columns.to_le_bytes());
        self.fingerprint.rows = Some(found);
        Some(stop.at)
    }

    /// Ends the key before the blanks at its end.
    fn finish(&mut self, at: usize, end: usize) {
        self.cut(at, at);
        let key = &mut self.fingerprint.key;
        while key.last().is_some_and(|&b| lex::is_space(b)) && key.len() >= 2 && key[key.len() - 2] != MARK {
            key.pop();
        }
        self.fingerprint.end = end;
    }
}
