//! An XML text as a list of nodes in the order of the text, read as leniently as MariaDB reads it: entities stay as
//! they are, white space is text, and anything may stand outside of the elements.

use std::ops::Range;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Element,
    Attribute,
    Text,
}

/// A node; the first one of a document is its root, which has no name.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) parent: usize,
    /// Where the name stands, or the text.
    pub(super) name: Range<usize>,
    /// The value of an attribute.
    pub(super) value: Range<usize>,
    /// From the first to behind the last byte.
    pub(super) all: Range<usize>,
}

/// A text and its nodes.
#[derive(Debug)]
pub(super) struct Document<'x> {
    pub(super) text: &'x [u8],
    pub(super) nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    End,
    Unknown,
    Name,
    String,
    Comment,
    Cdata,
    Mark(u8),
}

impl Token {
    fn shown(self) -> String {
        match self {
            Token::End => "END-OF-INPUT".to_owned(),
            Token::Unknown => "unknown token".to_owned(),
            Token::Name => "IDENT".to_owned(),
            Token::String => "STRING".to_owned(),
            Token::Comment => "COMMENT".to_owned(),
            Token::Cdata => "CDATA".to_owned(),
            Token::Mark(b) => format!("'{}'", char::from(b)),
        }
    }
}

/// Most bytes of a name in a message.
const SHOWN: usize = 31;

fn begins_name(b: u8) -> bool {
    b.is_ascii_alphabetic() || matches!(b, b'_' | b':') || b >= 0x80
}

fn continues_name(b: u8) -> bool {
    begins_name(b) || b.is_ascii_digit() || matches!(b, b'-' | b'.')
}

struct Reader<'x> {
    text: &'x [u8],
    at: usize,
    nodes: Vec<Node>,
    open: Vec<usize>,
}

/// Reads a text.
///
/// # Errors
/// The text of a message that says what was found where.
pub(super) fn read(text: &[u8]) -> Result<Document<'_>, String> {
    let all = 0..text.len();
    let root = Node { kind: Kind::Element, parent: 0, name: 0..0, value: 0..0, all };
    let mut r = Reader { text, at: 0, nodes: vec![root], open: Vec::new() };
    while r.at < text.len() {
        if text[r.at] == b'<' {
            r.markup()?;
        } else {
            let n = text[r.at..].iter().position(|b| *b == b'<').unwrap_or(text.len() - r.at);
            let range = r.at..r.at + n;
            r.push(Kind::Text, range.clone(), range);
            r.at += n;
        }
    }
    if !r.open.is_empty() {
        return Err(r.told("unexpected END-OF-INPUT"));
    }
    Ok(Document { text, nodes: r.nodes })
}

impl Reader<'_> {
    fn push(&mut self, kind: Kind, name: Range<usize>, all: Range<usize>) -> usize {
        let parent = self.open.last().copied().unwrap_or(0);
        self.nodes.push(Node { kind, parent, name, value: 0..0, all });
        self.nodes.len() - 1
    }

    fn told(&self, what: &str) -> String {
        let before = &self.text[..self.at];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let begin = before.iter().rposition(|b| *b == b'\n').unwrap_or(0);
        format!("parse error at line {line} pos {}: {what}", self.at - begin + 1)
    }

    fn wanted(&self, found: Token, what: &str) -> String {
        self.told(&format!("{} unexpected ({what} wanted)", found.shown()))
    }

    fn skip_until(&mut self, end: &[u8], from: usize) {
        let rest = self.text.get(from..).unwrap_or_default();
        let found = rest.windows(end.len()).position(|w| w == end);
        self.at = found.map_or(self.text.len(), |n| from + n + end.len());
    }

    /// The next token inside of markup, and where it stands.
    fn token(&mut self) -> (Token, Range<usize>) {
        while self.text.get(self.at).is_some_and(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        let from = self.at;
        let rest = &self.text[from..];
        let token = match rest.first() {
            None => Token::End,
            _ if rest.starts_with(b"<!--") => {
                self.skip_until(b"-->", from + 2);
                Token::Comment
            }
            _ if rest.starts_with(b"<![CDATA[") => {
                self.skip_until(b"]]>", from + 9);
                Token::Cdata
            }
            Some(b @ (b'<' | b'>' | b'/' | b'=')) => {
                self.at += 1;
                Token::Mark(*b)
            }
            Some(quote @ (b'"' | b'\'')) => {
                let end = rest[1..].iter().position(|b| b == quote);
                self.at = end.map_or(self.text.len(), |n| from + n + 2);
                let inner = from + 1..end.map_or(self.text.len(), |n| from + 1 + n);
                return (Token::String, inner);
            }
            Some(b) if begins_name(*b) => {
                let n = rest.iter().position(|b| !continues_name(*b)).unwrap_or(rest.len());
                self.at += n;
                Token::Name
            }
            Some(_) => Token::Unknown,
        };
        (token, from..self.at)
    }

    /// What begins with `<`.
    fn markup(&mut self) -> Result<(), String> {
        match self.token() {
            (Token::Comment, _) => return Ok(()),
            (Token::Cdata, range) => {
                let end = range.end - if self.text[range.clone()].ends_with(b"]]>") { 3 } else { 0 };
                self.push(Kind::Text, range.start + 9..end, range);
                return Ok(());
            }
            _ => {}
        }
        if self.text[self.at..].starts_with(b"!DOCTYPE") {
            self.at += 8;
            if self.skip_declaration() {
                return Ok(());
            }
        } else if self.text.get(self.at) == Some(&b'?') && self.skip_instruction() {
            return Ok(());
        }
        match self.token() {
            (Token::Mark(b'/'), _) => self.end_tag(),
            (Token::Name, name) => self.start_tag(name),
            (other, _) => Err(self.wanted(other, "ident or '/'")),
        }
    }

    /// Behind `<!DOCTYPE`, to its end; false where there is none.
    fn skip_declaration(&mut self) -> bool {
        let mut depth = 1;
        loop {
            match self.token().0 {
                Token::End => return false,
                Token::Mark(b'<') => depth += 1,
                Token::Mark(b'>') => {
                    depth -= 1;
                    if depth == 0 {
                        return true;
                    }
                }
                Token::Unknown => self.at += 1,
                _ => {}
            }
        }
    }

    /// Behind `<`, where `?` and perhaps a name follow: true when all up to `?>` was an instruction.
    fn skip_instruction(&mut self) -> bool {
        self.at += 1;
        let rest = &self.text[self.at..];
        if !rest.first().is_some_and(|b| begins_name(*b)) {
            return false;
        }
        self.at += rest.iter().position(|b| !continues_name(*b)).unwrap_or(rest.len());
        let rest = &self.text[self.at..];
        if rest.first().is_some_and(u8::is_ascii_whitespace) || rest.starts_with(b"?>") {
            let whole = rest.windows(2).any(|w| w == b"?>");
            self.skip_until(b"?>", self.at);
            return whole;
        }
        false
    }

    fn shown_name(&self, name: Range<usize>) -> String {
        let name = &self.text[name];
        String::from_utf8_lossy(&name[..name.len().min(SHOWN)]).into_owned()
    }

    fn end_tag(&mut self) -> Result<(), String> {
        let (token, name) = self.token();
        if token != Token::Name {
            return Err(self.wanted(token, "ident"));
        }
        let found = self.shown_name(name.clone());
        let Some(open) = self.open.pop() else {
            return Err(self.told(&format!("'</{found}>' unexpected (END-OF-INPUT wanted)")));
        };
        if self.text[self.nodes[open].name.clone()] != self.text[name] {
            let wanted = self.shown_name(self.nodes[open].name.clone());
            return Err(self.told(&format!("'</{found}>' unexpected ('</{wanted}>' wanted)")));
        }
        self.nodes[open].all.end = (self.at + 1).min(self.text.len());
        self.closing()
    }

    fn closing(&mut self) -> Result<(), String> {
        match self.token() {
            (Token::Mark(b'>'), _) => Ok(()),
            (other, _) => Err(self.wanted(other, "'>'")),
        }
    }

    fn start_tag(&mut self, name: Range<usize>) -> Result<(), String> {
        let all = name.start - 1..self.text.len();
        let element = self.push(Kind::Element, name, all);
        self.open.push(element);
        loop {
            let (token, name) = self.token();
            if token != Token::Name {
                return self.end_of_start(token, element);
            }
            let (next, _) = self.token();
            match next {
                Token::Mark(b'=') => {
                    let (token, value) = self.token();
                    if !matches!(token, Token::Name | Token::String) {
                        return Err(self.wanted(token, "ident or string"));
                    }
                    let all = name.start..self.at;
                    let attribute = self.push(Kind::Attribute, name, all);
                    self.nodes[attribute].value = value;
                }
                // of two names without values the first one counts
                Token::Name => {
                    let all = name.start..self.at;
                    self.push(Kind::Attribute, name, all);
                }
                other => return self.end_of_start(other, element),
            }
        }
    }

    fn end_of_start(&mut self, token: Token, element: usize) -> Result<(), String> {
        match token {
            Token::Mark(b'>') => Ok(()),
            Token::Mark(b'/') => {
                self.nodes[element].all.end = (self.at + 1).min(self.text.len());
                self.open.pop();
                self.closing()
            }
            other => Err(self.wanted(other, "'>'")),
        }
    }
}
