//! The pass that lifts literals.

use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;

use super::rows;
use super::{LiteralKind, LiteralToken, Shape};
use crate::ast::{Span, TextRows};
use crate::lex::{self, ClientBytes, LexMode, literal};

/// Deepest nesting of parentheses that is followed.
const DEPTH: usize = 48;
/// Begins the marker of a literal in the key; a text with such a byte has no shape.
const MARK: u8 = 0;

/// Words that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Select,
    Insert,
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
        (7, b'd') if is(b"decimal") => Word::Type,
        (7, b'v') if is(b"varchar") => Word::Type,
        (8, b'd') if is(b"datetime") => Word::Type,
        (9, b'c') if is(b"character") => Word::Type,
        (9, b'p') if is(b"procedure") => Word::Keep,
        (9, b'r') if is(b"returning") => Word::Keep,
        (9, b's') if is(b"separator") => Word::KeepNext,
        (9, b't') if is(b"timestamp") => Word::KeepNext,
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

/// Looks at the first statement of `sql`, reusing `shape`'s memory. False when the text is not one whose plan
/// may be kept: other statements than SELECT, INSERT, REPLACE, UPDATE, DELETE; version comments, placeholders,
/// SELECT ... INTO, rows with expressions, and texts that the lexer would refuse.
pub fn recognise(sql: &[u8], mode: LexMode, shape: &mut Shape) -> bool {
    shape.key.clear();
    shape.literals.clear();
    shape.rows = None;
    shape.hash = 0;
    if sql.len() > u32::MAX as usize || matches!(mode.client, ClientBytes::Double(_)) {
        return false;
    }
    let mut scan = Scan { sql, mode, shape, copied: 0, flags: [0; DEPTH], depth: 0 };
    if scan.run().is_none() {
        return false;
    }
    shape.hash = hash(&shape.key);
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
    shape: &'a mut Shape,
    /// The text up to here is in the key.
    copied: usize,
    flags: [u8; DEPTH],
    depth: usize,
}

impl<'a> Scan<'a> {
    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.sql.get(at).copied().unwrap_or(0)
    }

    /// Copies the text up to `at` into the key and goes on behind `next`.
    #[inline]
    fn cut(&mut self, at: usize, next: usize) {
        self.shape.key.extend_from_slice(&self.sql[self.copied..at]);
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
        let mut end = at;
        while end < sql.len() && lex::is_ident(sql[end]) {
            end += 1;
        }
        let first = word_of(&sql[at..end]);
        match first {
            Word::Select => self.flags[0] = OWN | KEEP,
            Word::Insert | Word::Replace | Word::Update | Word::Delete => {}
            _ => return None,
        }
        let inserts = matches!(first, Word::Insert | Word::Replace);
        let mut rows_done = !inserts;
        at = end;
        let mut before = Before::Word(first);
        let mut before2 = Before::Other;
        let mut adjacent = false;
        loop {
            let Some(&b) = sql.get(at) else {
                self.finish(sql.len(), sql.len());
                return Some(());
            };
            let class = lex::CLASS[b as usize];
            if class & lex::SPACE_BIT != 0 {
                at += 1;
                adjacent = false;
                continue;
            }
            if class & lex::IDENT_BIT != 0 {
                if class & lex::DIGIT_BIT != 0 && !(adjacent && before == Before::Other && self.after_dot(at))
                {
                    let token = rows::number(sql, at, at, false)?;
                    at = self.literal(token, before);
                    before2 = before;
                    before = Before::Other;
                    adjacent = true;
                    continue;
                }
                let start = at;
                at += 1;
                while at < sql.len() && lex::is_ident(sql[at]) {
                    at += 1;
                }
                let text = &sql[start..at];
                if self.after_dot(start) {
                    before2 = before;
                    before = Before::Name;
                    adjacent = true;
                    continue;
                }
                if self.byte(at) == b'\'' && text.len() == 1 {
                    match b | 0x20 {
                        b'x' | b'b' => {
                            let token = rows::plain_value(sql, start, self.mode)?;
                            at = self.literal(token, before);
                            before2 = before;
                            before = Before::Other;
                            continue;
                        }
                        b'n' => {
                            before2 = before;
                            before = Before::Introducer;
                            continue;
                        }
                        _ => {}
                    }
                }
                if b == b'_' && literal::charset_index(&text[1..]).is_some() {
                    before2 = before;
                    before = Before::Introducer;
                    continue;
                }
                let word = if self.byte(at) == b'.' { Word::Other } else { word_of(text) };
                match word {
                    Word::Select => {
                        let inherited = self.flags[self.depth] & INHERITED;
                        self.flags[self.depth] = OWN | KEEP | inherited;
                        rows_done = true;
                    }
                    Word::From if self.flags[self.depth] & OWN != 0 => self.set_keep(false),
                    Word::Where | Word::Limit | Word::Update => self.set_keep(false),
                    Word::Keep => self.set_keep(true),
                    Word::Into if self.flags[self.depth] & OWN != 0 => return None,
                    Word::Values if !rows_done && self.depth == 0 => {
                        rows_done = true;
                        at = self.rows(at)?;
                        before2 = Before::Other;
                        before = Before::Other;
                        adjacent = false;
                        continue;
                    }
                    _ => {}
                }
                before2 = before;
                before = Before::Word(word);
                adjacent = true;
                continue;
            }
            let next = self.byte(at + 1);
            match b {
                b'\'' | b'"' if b == b'\'' || !self.mode.ansi_quotes => {
                    if before == Before::String {
                        // Strings side by side are one literal.
                        return None;
                    }
                    let scan = literal::string_end(sql, at, self.mode)?;
                    let keep =
                        self.keeps() || matches!(before, Before::Introducer | Before::Word(Word::KeepNext));
                    if !keep {
                        let token = LiteralToken {
                            start: at as u32,
                            end: scan.end as u32,
                            kind: LiteralKind::String,
                            negative: false,
                            escaped: scan.escaped,
                            ascii: sql[at..scan.end].is_ascii(),
                        };
                        self.lift(token);
                    }
                    at = scan.end;
                    before2 = before;
                    before = Before::String;
                    adjacent = true;
                    continue;
                }
                b'`' | b'"' => {
                    loop {
                        at += 1 + memchr::memchr(b, sql.get(at + 1..)?)? + 1;
                        if self.byte(at) != b {
                            break;
                        }
                    }
                    before2 = before;
                    before = Before::Name;
                    adjacent = true;
                    continue;
                }
                b'(' => {
                    // Lengths of types: `AS CHAR(10)`, `, DECIMAL(10, 2)`.
                    let length = before == Before::Word(Word::Type)
                        && matches!(before2, Before::Word(Word::As) | Before::Comma);
                    let keep = self.keeps() || length;
                    self.depth += 1;
                    *self.flags.get_mut(self.depth)? = if keep { KEEP | INHERITED } else { 0 };
                    at += 1;
                }
                b')' => {
                    self.depth = self.depth.checked_sub(1)?;
                    at += 1;
                }
                b',' => {
                    at += 1;
                    before2 = before;
                    before = Before::Comma;
                    adjacent = false;
                    continue;
                }
                b';' => {
                    if self.depth > 0 {
                        return None;
                    }
                    self.finish(at, at + 1);
                    return Some(());
                }
                b'.' => {
                    let name = adjacent && matches!(before, Before::Word(_) | Before::Name);
                    if next.is_ascii_digit() && !name {
                        let token = rows::number(sql, at, at, false)?;
                        at = self.literal(token, before);
                    } else {
                        at += 1;
                        adjacent = true;
                        before2 = before;
                        before = Before::Other;
                        continue;
                    }
                }
                b'@' => {
                    at += if next == b'@' { 2 } else { 1 };
                    match self.byte(at) {
                        b'`' | b'\'' | b'"' => {
                            let quote = sql[at];
                            at += 1 + memchr::memchr(quote, sql.get(at + 1..)?)? + 1;
                        }
                        _ => {
                            while at < sql.len() && (lex::is_ident(sql[at]) || sql[at] == b'.') {
                                at += 1;
                            }
                        }
                    }
                    before2 = before;
                    before = Before::Name;
                    adjacent = true;
                    continue;
                }
                b'/' | b'#' | b'-' => {
                    let behind = rows::skip_blanks(sql, at);
                    if behind == at {
                        if b == b'/' && next == b'*' {
                            // A version comment, or one that does not end.
                            return None;
                        }
                        at += 1;
                    } else {
                        if !self.keeps() {
                            // A comment says nothing but "blank"; in a select list it is part of names.
                            self.cut(at, behind);
                            self.shape.key.push(b' ');
                        }
                        at = behind;
                        adjacent = false;
                        continue;
                    }
                }
                MARK => {
                    if !sql[at..].iter().all(|&b| b == 0 || lex::is_space(b)) {
                        return None;
                    }
                    self.finish(at, sql.len());
                    return Some(());
                }
                b'?' | b'{' | b'}' | b'[' | b']' | b'\\' => return None,
                _ => at += 1,
            }
            before2 = before;
            before = Before::Other;
            adjacent = false;
        }
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
        if !self.keeps() && before != Before::Introducer {
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
        self.shape.key.extend_from_slice(&[MARK, kind]);
        if token.kind == LiteralKind::Decimal {
            // The scale decides types.
            let text = token.text(self.sql);
            let scale = memchr::memchr(b'.', text).map_or(0, |n| text.len() - n - 1);
            self.shape.key.push(scale.min(255) as u8);
        }
        self.shape.literals.push(token);
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
        self.shape.key.push(MARK);
        self.shape.key.push(b'R');
        self.shape.key.extend_from_slice(&found.columns.to_le_bytes());
        self.shape.rows = Some(found);
        Some(stop.at)
    }

    /// Ends the key before the blanks at its end.
    fn finish(&mut self, at: usize, end: usize) {
        self.cut(at, at);
        let key = &mut self.shape.key;
        while key.last().is_some_and(|&b| lex::is_space(b)) && key.len() >= 2 && key[key.len() - 2] != MARK {
            key.pop();
        }
        self.shape.end = end;
    }
}
