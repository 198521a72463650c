//! Paths into JSON documents: `$.a[0].*`, `$**.b`, `$[last-1]`, `$[1 to 3]`.

use super::text::{Json, unescaped};

/// Most steps of a path.
pub const MAX_STEPS: usize = 31;

/// What is wrong with a path, and at which byte, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It ends too early.
    End,
    /// It is no path.
    Syntax(usize),
    /// More than [`MAX_STEPS`].
    Depth(usize),
}

/// A place in an array, from its beginning or from its last element back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// From the first on.
    First(usize),
    /// From the last back.
    Last(usize),
}

impl Index {
    /// The place in an array of so many elements; none before the first.
    pub fn of(self, len: usize) -> Option<usize> {
        match self {
            Index::First(n) => Some(n),
            Index::Last(n) => len.checked_sub(n + 1),
        }
    }
}

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'p> {
    /// `.name`: as it stands in the path, without quotes.
    Name(&'p [u8]),
    /// `.*`
    AnyName,
    /// `[n]`
    At(Index),
    /// `[a to b]`
    Range(Index, Index),
    /// `[*]`
    AnyElement,
    /// `**`
    Deep,
}

impl Step<'_> {
    /// Whether it leads to element `n` of an array of so many.
    pub fn takes(&self, n: usize, len: usize) -> bool {
        match self {
            Step::At(i) => i.of(len) == Some(n),
            Step::Range(a, b) => a.of(len).is_some_and(|a| a <= n) && b.of(len).is_some_and(|b| n <= b),
            Step::AnyElement => true,
            _ => false,
        }
    }

    /// Whether it leads from a value that is no array to the value itself: it is an array of one element then.
    pub fn stays(&self) -> bool {
        match self {
            Step::At(i) => *i == Index::First(0),
            Step::Range(from, _) => *from == Index::First(0),
            _ => false,
        }
    }
}

/// Reads a path.
///
/// # Errors
/// What is wrong with it.
pub fn parse(text: &[u8]) -> Result<Vec<Step<'_>>, Trouble> {
    let mut r = Reader { text, at: 0 };
    r.space();
    if text[r.at..].starts_with(b"lax") {
        r.at += 3;
        r.space();
    }
    match r.peek() {
        None => return Err(Trouble::End),
        Some(b'$') => r.at += 1,
        Some(_) => return Err(Trouble::Syntax(r.at + 1)),
    }
    let mut steps = Vec::new();
    let mut count = 0;
    loop {
        let last = steps.last();
        match r.peek() {
            None if last == Some(&Step::Deep) => return Err(Trouble::Syntax(r.at + 1)),
            None => return Ok(steps),
            Some(b @ (b'.' | b'[')) => {
                r.at += 1;
                count += 1;
                if count > MAX_STEPS {
                    return Err(Trouble::Depth(r.at + 1));
                }
                steps.push(if b == b'.' { r.name()? } else { r.element()? });
            }
            Some(b'*') if last != Some(&Step::AnyName) && last != Some(&Step::Deep) => {
                r.at += 1;
                if r.peek() != Some(b'*') {
                    return Err(Trouble::Syntax(r.at + 1));
                }
                r.at += 1;
                steps.push(Step::Deep);
            }
            Some(b'*') if last == Some(&Step::Deep) => return Err(Trouble::Syntax(r.at + 2)),
            Some(_) => return Err(Trouble::Syntax(r.at + 1)),
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn name(&mut self) -> Result<Step<'a>, Trouble> {
        match self.peek().ok_or(Trouble::End)? {
            b'*' => {
                self.at += 1;
                Ok(Step::AnyName)
            }
            b'"' => {
                self.at += 1;
                let start = self.at;
                loop {
                    match self.peek().ok_or(Trouble::End)? {
                        b'"' => break,
                        b'\\' => self.at += 2,
                        _ => self.at += 1,
                    }
                }
                self.at += 1;
                Ok(Step::Name(&self.text[start..self.at - 1]))
            }
            b if b.is_ascii_alphanumeric() || matches!(b, b'_' | b' ' | b'$' | 0x80..) => {
                let start = self.at;
                while self.peek().is_some_and(|b| !matches!(b, b'.' | b'[' | b'*')) {
                    self.at += 1;
                }
                Ok(Step::Name(&self.text[start..self.at]))
            }
            _ => Err(Trouble::Syntax(self.at + 1)),
        }
    }

    fn number(&mut self) -> Result<usize, Trouble> {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        if start == self.at {
            return Err(Trouble::Syntax(self.at + 1));
        }
        let digits = std::str::from_utf8(&self.text[start..self.at]).unwrap_or_default();
        Ok(digits.parse().unwrap_or(usize::MAX >> 1))
    }

    fn index(&mut self) -> Result<Index, Trouble> {
        if self.text[self.at..].starts_with(b"last") {
            self.at += 4;
            self.space();
            if self.peek() == Some(b'-') {
                self.at += 1;
                return Ok(Index::Last(self.number()?));
            }
            return Ok(Index::Last(0));
        }
        if self.peek() == Some(b'-') {
            self.at += 1;
            // the last element is -1
            return Ok(match self.number()? {
                0 => Index::First(0),
                n => Index::Last(n - 1),
            });
        }
        Ok(Index::First(self.number()?))
    }

    fn element(&mut self) -> Result<Step<'a>, Trouble> {
        self.space();
        let step = match self.peek().ok_or(Trouble::End)? {
            b'*' => {
                self.at += 1;
                Step::AnyElement
            }
            _ => {
                let from = self.index()?;
                self.space();
                if self.text[self.at..].starts_with(b"to") {
                    self.at += 2;
                    self.space();
                    Step::Range(from, self.index()?)
                } else {
                    Step::At(from)
                }
            }
        };
        self.space();
        match self.peek().ok_or(Trouble::End)? {
            b']' => self.at += 1,
            _ => return Err(Trouble::Syntax(self.at + 1)),
        }
        Ok(step)
    }
}

/// Whether a path may find more than one value.
pub fn is_wild(steps: &[Step<'_>]) -> bool {
    !steps.iter().all(|s| matches!(s, Step::Name(_) | Step::At(_)))
}

/// Whether more than one step is `**`.
pub fn is_deep(steps: &[Step<'_>]) -> bool {
    steps.iter().filter(|s| **s == Step::Deep).count() > 1
}

/// Whether two names, each with its escapes, are the same.
pub fn is_named(raw: &[u8], name: &[u8]) -> bool {
    if raw.contains(&b'\\') || name.contains(&b'\\') {
        unescaped(raw) == unescaped(name)
    } else {
        raw == name
    }
}

/// How far each of several paths has come on the way to a value: numbers of steps taken.
pub struct Walk<'s, 'p> {
    paths: &'s [Vec<Step<'p>>],
}

type Front = Vec<(usize, usize)>;

impl<'s, 'p> Walk<'s, 'p> {
    /// Along these paths.
    pub fn new(paths: &'s [Vec<Step<'p>>]) -> Walk<'s, 'p> {
        Walk { paths }
    }

    fn enter(&self, front: &mut Front, path: usize, step: usize, array: bool) {
        if front.contains(&(path, step)) {
            return;
        }
        front.push((path, step));
        match self.paths[path].get(step) {
            Some(Step::Deep) => self.enter(front, path, step + 1, array),
            Some(s) if !array && s.stays() => self.enter(front, path, step + 1, array),
            _ => {}
        }
    }

    /// Calls `f` for each value that a path finds, with the path's number, in the order of the document, until it
    /// returns false.
    pub fn find<'j, 'a>(&self, value: &'j Json<'a>, f: &mut dyn FnMut(usize, &'j Json<'a>) -> bool) -> bool {
        let start: Front = (0..self.paths.len()).map(|p| (p, 0)).collect();
        self.go(value, &start, f)
    }

    fn go<'j, 'a>(
        &self,
        value: &'j Json<'a>,
        reached: &[(usize, usize)],
        f: &mut dyn FnMut(usize, &'j Json<'a>) -> bool,
    ) -> bool {
        let mut front = Front::new();
        for (path, step) in reached {
            self.enter(&mut front, *path, *step, matches!(value, Json::Array(_)));
        }
        for (path, step) in &front {
            if *step == self.paths[*path].len() && !f(*path, value) {
                return false;
            }
        }
        let next = |takes: &dyn Fn(&Step<'p>) -> bool| -> Front {
            let mut next = Front::new();
            for (path, step) in &front {
                match self.paths[*path].get(*step) {
                    Some(Step::Deep) => next.push((*path, *step)),
                    Some(s) if takes(s) => next.push((*path, *step + 1)),
                    _ => {}
                }
            }
            next
        };
        match value {
            Json::Object(list) => list.iter().all(|(raw, v)| {
                let next = next(&|s| match s {
                    Step::AnyName => true,
                    Step::Name(name) => is_named(raw, name),
                    _ => false,
                });
                next.is_empty() || self.go(v, &next, f)
            }),
            Json::Array(list) => list.iter().enumerate().all(|(n, v)| {
                let next = next(&|s| s.takes(n, list.len()));
                next.is_empty() || self.go(v, &next, f)
            }),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::text;
    use super::*;

    fn found(doc: &str, path: &str) -> Vec<String> {
        let doc = text::parse(doc.as_bytes()).unwrap();
        let mut all = Vec::new();
        let paths = [parse(path.as_bytes()).unwrap()];
        Walk::new(&paths).find(&doc, &mut |_, v| {
            let mut out = Vec::new();
            v.write(text::Style::Compact, &mut out);
            all.push(String::from_utf8(out).unwrap());
            true
        });
        all
    }

    #[test]
    fn paths_find_values() {
        let doc = "{\"a\":[1,2,{\"b\":3}],\"b\":4}";
        assert_eq!(found(doc, "$.a[2].b"), ["3"]);
        assert_eq!(found(doc, "$**.b"), ["3", "4"]);
        assert_eq!(found(doc, "$.a[last]"), ["{\"b\":3}"]);
        assert_eq!(found(doc, "$.a[-2]"), ["2"]);
        assert_eq!(found(doc, "$.a[0 to 1]"), ["1", "2"]);
        assert_eq!(found(doc, "$.\"b\"[0]"), ["4"]);
        assert_eq!(found(doc, "$.*").len(), 2);
        assert_eq!(parse(b"$."), Err(Trouble::End));
        assert_eq!(parse(b"a"), Err(Trouble::Syntax(1)));
        assert!(parse(&[&b"$"[..], &b".a".repeat(31)].concat()).is_ok());
        assert!(matches!(parse(&[&b"$"[..], &b"[0]".repeat(40)].concat()), Err(Trouble::Depth(96))));
    }
}
