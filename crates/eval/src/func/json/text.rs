//! JSON text: read in place, as a tree that borrows from it, and trees as text.

use super::path::{Index, Step, is_named};

/// Deepest nesting that is read.
pub const MAX_DEPTH: usize = 31;

/// What is wrong with a text, and at which byte, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It ends too early.
    End,
    /// It is no JSON.
    Syntax(usize),
    /// A control character stands in a string, or where a value begins.
    Character(usize),
    /// Half of a surrogate pair.
    Broken(usize),
    /// More than [`MAX_DEPTH`].
    Depth(usize),
}

/// A value; texts are as they stand in the source, without quotes.
#[derive(Clone, Debug, PartialEq)]
pub enum Json<'a> {
    /// `null`, `true`, `false`.
    Word(&'a [u8]),
    /// A number as it was written.
    Number(&'a [u8]),
    /// A string with its escapes.
    Text(&'a [u8]),
    /// An array.
    Array(Vec<Json<'a>>),
    /// An object: names with their escapes.
    Object(Vec<(&'a [u8], Json<'a>)>),
}

/// How a tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without blanks.
    Compact,
    /// A blank behind commas and colons.
    Loose,
    /// A line for each value, indented by so many blanks.
    Detailed(usize),
}

/// Reads a document.
///
/// # Errors
/// What is wrong with it.
pub fn parse(text: &[u8]) -> Result<Json<'_>, Trouble> {
    let mut r = Reader { text, at: 0 };
    let value = r.value(0)?;
    r.end()?;
    Ok(value)
}

/// Whether a text is a document, without keeping anything of it.
///
/// # Errors
/// What is wrong with it.
pub fn check(text: &[u8]) -> Result<(), Trouble> {
    let mut r = Reader { text, at: 0 };
    r.skip(0)?;
    r.end()
}

/// Where the first value begins that a path leads to and that is wanted by its first byte. Nothing is read behind it.
/// Each `**` reads what is below a value once more: there should be few.
///
/// # Errors
/// What is wrong with the text before it, or with all of it when there is none.
pub fn seek(text: &[u8], steps: &[Step<'_>], wanted: &dyn Fn(u8) -> bool) -> Result<Option<usize>, Trouble> {
    let mut r = Reader { text, at: 0 };
    let found = r.seek(steps, 0, wanted)?;
    if found.is_none() {
        r.end()?;
    }
    Ok(found)
}

/// The value that begins here, with its end.
///
/// # Errors
/// What is wrong with it.
pub fn value_at(text: &[u8], at: usize) -> Result<(Json<'_>, usize), Trouble> {
    let mut r = Reader { text, at };
    let value = r.value(0)?;
    Ok((value, r.at))
}

/// Bytes of the number that a text begins with.
pub fn number_length(text: &[u8]) -> usize {
    let mut r = Reader { text, at: 0 };
    match r.number() {
        Ok(_) => r.at,
        Err(_) => 0,
    }
}

/// How many values an array or an object that begins here has; 1 for others.
///
/// # Errors
/// What is wrong with it.
pub fn count_at(text: &[u8], at: usize) -> Result<usize, Trouble> {
    let mut r = Reader { text, at };
    let mut count = 0;
    let mut counted = |_: Option<&[u8]>, r: &mut Reader<'_>| {
        count += 1;
        r.skip(1).map(|()| true)
    };
    match r.next()? {
        b'[' | b'{' => r.each(0, &mut counted).map(|_| count),
        _ => r.skip(0).map(|()| 1),
    }
}

/// What is done with each value of an array or object: its name, if it has one, and where it begins.
pub(crate) type Visit<'f, 'a> = dyn FnMut(Option<&'a [u8]>, &mut Reader<'a>) -> Result<bool, Trouble> + 'f;

/// A place in a text.
pub(crate) struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn at(text: &'a [u8], at: usize) -> Reader<'a> {
        Reader { text, at }
    }

    pub(crate) fn text(&self) -> &'a [u8] {
        self.text
    }

    pub(crate) fn place(&self) -> usize {
        self.at
    }

    /// Goes over the byte at hand.
    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// The next byte that is no blank.
    pub(crate) fn next(&mut self) -> Result<u8, Trouble> {
        self.space();
        self.peek().ok_or(Trouble::End)
    }

    pub(super) fn end(&mut self) -> Result<(), Trouble> {
        self.space();
        if self.at < self.text.len() { Err(Trouble::Syntax(self.at + 1)) } else { Ok(()) }
    }

    /// Walks over the values of the array or object that begins here: `f` gets their names and reads them. False when
    /// `f` wants no more.
    pub(crate) fn each(&mut self, depth: usize, f: &mut Visit<'_, 'a>) -> Result<bool, Trouble> {
        if depth >= MAX_DEPTH {
            return Err(Trouble::Depth(self.at + 1));
        }
        let named = self.peek() == Some(b'{');
        let close = if named { b'}' } else { b']' };
        self.at += 1;
        if self.next()? == close {
            self.at += 1;
            return Ok(true);
        }
        loop {
            let mut name = None;
            if named {
                if self.next()? != b'"' {
                    return Err(Trouble::Syntax(self.at + 1));
                }
                name = Some(self.string()?);
                if self.next()? != b':' {
                    return Err(Trouble::Syntax(self.at));
                }
                self.at += 1;
            }
            if !f(name, self)? {
                return Ok(false);
            }
            let next = self.next()?;
            if next != close && next != b',' {
                return Err(Trouble::Syntax(self.at + 1));
            }
            self.at += 1;
            if next == close {
                return Ok(true);
            }
        }
    }

    /// Reads over a value.
    pub(crate) fn skip(&mut self, depth: usize) -> Result<(), Trouble> {
        match self.next()? {
            b'{' | b'[' => self.each(depth, &mut |_, r| r.skip(depth + 1).map(|()| true)).map(|_| ()),
            first => self.scalar(first).map(|_| ()),
        }
    }

    pub(crate) fn scalar(&mut self, first: u8) -> Result<Json<'a>, Trouble> {
        match first {
            b'"' => self.string().map(Json::Text),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            b'-' | b'0'..=b'9' => self.number(),
            ..b' ' => Err(Trouble::Character(self.at + 1)),
            _ => Err(Trouble::Syntax(self.at + 1)),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json<'a>, Trouble> {
        match self.next()? {
            b'{' => {
                let mut list = Vec::new();
                self.each(depth, &mut |name, r| {
                    list.push((name.unwrap_or_default(), r.value(depth + 1)?));
                    Ok(true)
                })?;
                Ok(Json::Object(list))
            }
            b'[' => {
                let mut list = Vec::new();
                self.each(depth, &mut |_, r| {
                    list.push(r.value(depth + 1)?);
                    Ok(true)
                })?;
                Ok(Json::Array(list))
            }
            first => self.scalar(first),
        }
    }

    /// Where a value begins that the steps lead to from here and that is wanted by its first byte; else reads over it.
    fn seek(
        &mut self,
        steps: &[Step<'_>],
        depth: usize,
        wanted: &dyn Fn(u8) -> bool,
    ) -> Result<Option<usize>, Trouble> {
        let first = self.next()?;
        let Some((step, rest)) = steps.split_first() else {
            if wanted(first) {
                return Ok(Some(self.at));
            }
            return self.skip(depth).map(|()| None);
        };
        let mut found = None;
        match (step, first) {
            (Step::Name(wanted_name), b'{') => {
                self.each(depth, &mut |name, r| {
                    if name.is_some_and(|n| is_named(n, wanted_name)) {
                        found = r.seek(rest, depth + 1, wanted)?;
                    } else {
                        r.skip(depth + 1)?;
                    }
                    Ok(found.is_none())
                })?;
            }
            (Step::At(index), b'[') => {
                // from the last one back: they are counted first
                let len = match index {
                    Index::First(_) => usize::MAX,
                    Index::Last(_) => count_at(self.text, self.at)?,
                };
                let (place, mut n) = (index.of(len), 0);
                self.each(depth, &mut |_, r| {
                    if place == Some(n) {
                        found = r.seek(rest, depth + 1, wanted)?;
                    } else {
                        r.skip(depth + 1)?;
                    }
                    n += 1;
                    Ok(found.is_none())
                })?;
            }
            (Step::At(Index::First(0)), _) => return self.seek(rest, depth, wanted),
            (Step::AnyName, b'{') | (Step::AnyElement | Step::Range(..), b'[') => {
                let len = match step {
                    Step::Range(..) => count_at(self.text, self.at)?,
                    _ => 0,
                };
                let mut n = 0;
                self.each(depth, &mut |name, r| {
                    if name.is_some() || step.takes(n, len) {
                        found = r.seek(rest, depth + 1, wanted)?;
                    } else {
                        r.skip(depth + 1)?;
                    }
                    n += 1;
                    Ok(found.is_none())
                })?;
            }
            (Step::Deep, _) => {
                let start = self.at;
                found = self.seek(rest, depth, wanted)?;
                if found.is_none() && matches!(first, b'{' | b'[') {
                    self.at = start;
                    self.each(depth, &mut |_, r| {
                        found = r.seek(steps, depth + 1, wanted)?;
                        Ok(found.is_none())
                    })?;
                }
            }
            _ => self.skip(depth)?,
        }
        Ok(found)
    }

    pub(super) fn string(&mut self) -> Result<&'a [u8], Trouble> {
        self.at += 1;
        let start = self.at;
        loop {
            match self.peek().ok_or(Trouble::End)? {
                0..=0x1f => return Err(Trouble::Character(self.at + 1)),
                b'"' => {
                    self.at += 1;
                    return Ok(&self.text[start..self.at - 1]);
                }
                b'\\' => {
                    self.at += 1;
                    let escape = self.peek().ok_or(Trouble::End)?;
                    self.at += 1;
                    if escape == b'u' {
                        self.unicode()?;
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    /// The digits behind `\u`; a surrogate needs its pair.
    fn unicode(&mut self) -> Result<(), Trouble> {
        match self.hex()? {
            0xd800..=0xdbff => {
                for b in b"\\u" {
                    if self.peek().ok_or(Trouble::End)? != *b {
                        return Err(Trouble::Syntax(self.at));
                    }
                    self.at += 1;
                }
                match self.hex()? {
                    0xdc00..=0xdfff => Ok(()),
                    _ => Err(Trouble::Broken(self.at)),
                }
            }
            0xdc00..=0xdfff => Err(Trouble::Broken(self.at)),
            _ => Ok(()),
        }
    }

    fn hex(&mut self) -> Result<u32, Trouble> {
        let mut n = 0;
        for _ in 0..4 {
            let b = self.peek().ok_or(Trouble::End)?;
            n = n << 4 | char::from(b).to_digit(16).ok_or(Trouble::Syntax(self.at))?;
            self.at += 1;
        }
        Ok(n)
    }

    fn word(&mut self, word: &'static [u8]) -> Result<Json<'a>, Trouble> {
        for b in word {
            if self.peek().ok_or(Trouble::End)? != *b {
                return Err(Trouble::Syntax(self.at));
            }
            self.at += 1;
        }
        Ok(Json::Word(word))
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Result<Json<'a>, Trouble> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let mut whole = true;
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            whole = self.digits() > 0;
        }
        if whole && self.peek() == Some(b'.') {
            self.at += 1;
            self.digits();
        }
        if whole && matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            whole = self.digits() > 0;
        }
        match self.peek() {
            _ if whole => {}
            // a number that something ends is taken as it is
            Some(b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r') => {}
            None => return Err(Trouble::Syntax(self.at)),
            Some(_) => return Err(Trouble::Syntax(self.at + 1)),
        }
        Ok(Json::Number(&self.text[start..self.at]))
    }
}

impl Json<'_> {
    /// Whether it is neither array nor object.
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Json::Array(_) | Json::Object(_))
    }

    /// Writes it.
    pub fn write(&self, style: Style, out: &mut Vec<u8>) {
        self.write_at(style, 0, out);
    }

    fn write_at(&self, style: Style, depth: usize, out: &mut Vec<u8>) {
        match self {
            Json::Word(b) | Json::Number(b) => out.extend_from_slice(b),
            Json::Text(b) => quoted(b, out),
            Json::Array(list) => {
                out.push(b'[');
                // an array of at most one scalar stays on its line
                let short = list.is_empty() || list.len() == 1 && list[0].is_scalar();
                let style = if short && style != Style::Compact { Style::Loose } else { style };
                for (i, v) in list.iter().enumerate() {
                    between(i, style, depth, out);
                    v.write_at(style, depth + 1, out);
                }
                close(b']', style, depth, out);
            }
            Json::Object(list) => {
                out.push(b'{');
                for (i, (name, v)) in list.iter().enumerate() {
                    between(i, style, depth, out);
                    quoted(name, out);
                    out.extend_from_slice(if style == Style::Compact { b":" } else { b": " });
                    if let Style::Detailed(step) = style
                        && !v.is_scalar()
                    {
                        line(step * (depth + 1), out);
                    }
                    v.write_at(style, depth + 1, out);
                }
                close(b'}', style, depth, out);
            }
        }
    }
}

fn quoted(raw: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(raw);
    out.push(b'"');
}

fn line(blanks: usize, out: &mut Vec<u8>) {
    out.push(b'\n');
    out.resize(out.len() + blanks, b' ');
}

fn between(i: usize, style: Style, depth: usize, out: &mut Vec<u8>) {
    if i > 0 {
        out.push(b',');
    }
    match style {
        Style::Detailed(step) => line(step * (depth + 1), out),
        Style::Loose if i > 0 => out.push(b' '),
        _ => {}
    }
}

fn close(bracket: u8, style: Style, depth: usize, out: &mut Vec<u8>) {
    if let Style::Detailed(step) = style {
        line(step * depth, out);
    }
    out.push(bracket);
}

/// The text that a string with escapes means.
pub fn unescaped(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let mut at = 0;
    let hex = |at: usize| -> Option<u32> {
        let digits = std::str::from_utf8(raw.get(at..at + 4)?).ok()?;
        u32::from_str_radix(digits, 16).ok()
    };
    while let Some(&b) = raw.get(at) {
        at += 1;
        if b != b'\\' {
            out.push(b);
            continue;
        }
        let escape = raw.get(at).copied().unwrap_or(b'\\');
        at += 1;
        match escape {
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'u' => {
                let mut code = hex(at).unwrap_or(0xfffd);
                at += 4;
                if (0xd800..0xdc00).contains(&code)
                    && raw.get(at..at + 2) == Some(b"\\u")
                    && let Some(low) = hex(at + 2).filter(|low| (0xdc00..0xe000).contains(low))
                {
                    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                    at += 6;
                }
                let mut room = [0; 4];
                let c = char::from_u32(code).unwrap_or('?');
                out.extend_from_slice(c.encode_utf8(&mut room).as_bytes());
            }
            other => out.push(other),
        }
    }
    out
}

/// Appends a text as the inside of a string.
pub fn escape(text: &[u8], out: &mut Vec<u8>) {
    for &b in text {
        match b {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', b]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            8 => out.extend_from_slice(b"\\b"),
            12 => out.extend_from_slice(b"\\f"),
            0..=0x1f => out.extend_from_slice(format!("\\u{b:04X}").as_bytes()),
            _ => out.push(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, style: Style) -> String {
        let mut out = Vec::new();
        parse(text.as_bytes()).unwrap().write(style, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn trees_are_read_and_written() {
        let text = "{ \"a\" : [1 , {\"b\":2}] ,\"c\":{},\"d\":[] }";
        assert_eq!(written(text, Style::Compact), "{\"a\":[1,{\"b\":2}],\"c\":{},\"d\":[]}");
        assert_eq!(written(text, Style::Loose), "{\"a\": [1, {\"b\": 2}], \"c\": {}, \"d\": []}");
        let lines = "{\n    \"a\": \n    [\n        1,\n        {\n            \"b\": 2\n        }\n    ],\n    \"c\": \n    {\n    },\n    \"d\": \n    []\n}";
        assert_eq!(written(text, Style::Detailed(4)), lines);
        assert_eq!(parse(b"[1"), Err(Trouble::End));
        assert_eq!(parse(b"x"), Err(Trouble::Syntax(1)));
        assert!(matches!(parse("[".repeat(40).as_bytes()), Err(Trouble::Depth(_))));
        assert_eq!(unescaped(b"a\\n\\u0041\\ud83d\\ude00"), "a\nA😀".as_bytes());
    }
}
