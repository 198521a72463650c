//! Documents walked a match at a time, for JSON_TABLE: nothing is kept of a document but the way to the value at hand.
//!
//! A [`Matches`] gives the places of the values that a path leads to, in the order of the document, and reads no further than it
//! is asked: a fault behind the last value asked for is not seen. Its memory is that of the nesting. [`scalar`] says what stands
//! at such a place. Places are bytes of the text, which stays with the caller.

use super::path::{self, Index};
use super::text::{self, Json, MAX_DEPTH, Reader};
use crate::error::{SqlError, codes};

pub use super::path::Step;
pub use super::text::{Trouble, unescaped};

/// Values that are passed before the caller may look whether it is to go on.
const PORTION: usize = 4096;

/// Steps of a path that have been taken, one bit each.
type Front = u128;

/// What a walk came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// A value that the path leads to begins here.
    Value(usize),
    /// Many values were passed: ask again.
    Nothing,
    /// There are no more.
    End,
}

/// An array or object on the way.
struct Frame {
    array: bool,
    /// Its next value.
    next: usize,
    /// How many it has, where that matters.
    len: usize,
    front: Front,
}

/// The matches of a path in one value.
#[derive(Default)]
pub struct Matches {
    stack: Vec<Frame>,
    at: usize,
    /// The value at `at` is to be looked at, and which steps led to it.
    here: Option<Front>,
    /// The value at `at` was a match, and was not read.
    unread: bool,
    /// What is walked is the whole text.
    whole: bool,
}

impl Matches {
    /// Begins with the value at this place; 0 for the whole document, behind which nothing may stand.
    pub fn begin(&mut self, at: usize, whole: bool) {
        self.stack.clear();
        (self.at, self.here, self.unread, self.whole) = (at, Some(1), false, whole);
    }

    /// Forgets where it was: there are no more.
    pub fn end(&mut self) {
        self.stack.clear();
        (self.here, self.unread, self.whole) = (None, false, false);
    }

    /// The next match.
    ///
    /// # Errors
    /// What is wrong with the text up to there.
    pub fn next(&mut self, text: &[u8], steps: &[Step<'_>]) -> Result<Met, Trouble> {
        let mut r = Reader::at(text, self.at);
        for _ in 0..PORTION {
            if std::mem::take(&mut self.unread) {
                r.skip(self.stack.len())?;
            }
            if let Some(front) = self.here.take() {
                let matched = self.visit(&mut r, front, steps)?;
                if let Some(at) = matched {
                    self.at = r.place();
                    return Ok(Met::Value(at));
                }
            } else if self.stack.is_empty() {
                if std::mem::take(&mut self.whole) {
                    r.end()?;
                }
                self.at = r.place();
                return Ok(Met::End);
            } else {
                self.step(&mut r, steps)?;
            }
        }
        self.at = r.place();
        Ok(Met::Nothing)
    }

    /// Looks at the value that begins here; its place when it is a match.
    fn visit(
        &mut self,
        r: &mut Reader<'_>,
        front: Front,
        steps: &[Step<'_>],
    ) -> Result<Option<usize>, Trouble> {
        let first = r.next()?;
        let at = r.place();
        let array = first == b'[';
        let front = closed(front, array, steps);
        let matched = front >> steps.len() & 1 == 1;
        let leads = |step: &Step<'_>| match step {
            Step::Deep => array || first == b'{',
            Step::Name(_) | Step::AnyName => first == b'{',
            Step::At(_) | Step::Range(..) | Step::AnyElement => array,
        };
        if (0..steps.len()).any(|n| front >> n & 1 == 1 && leads(&steps[n])) {
            if self.stack.len() >= MAX_DEPTH {
                return Err(Trouble::Depth(at + 1));
            }
            let counted = |n: usize| match &steps[n] {
                Step::Range(..) => true,
                Step::At(index) => matches!(index, Index::Last(_)),
                _ => false,
            };
            let counts = array && (0..steps.len()).any(|n| front >> n & 1 == 1 && counted(n));
            let len = if counts { text::count_at(r.text(), at)? } else { usize::MAX };
            r.advance();
            self.stack.push(Frame { array, next: 0, len, front });
        } else if matched {
            self.unread = true;
        } else {
            r.skip(self.stack.len())?;
        }
        Ok(matched.then_some(at))
    }

    /// Goes on to the next value of the innermost array or object, or leaves it.
    fn step(&mut self, r: &mut Reader<'_>, steps: &[Step<'_>]) -> Result<(), Trouble> {
        let depth = self.stack.len();
        let Some(frame) = self.stack.last_mut() else { return Ok(()) };
        let close = if frame.array { b']' } else { b'}' };
        let mut next = r.next()?;
        if next == close {
            r.advance();
            self.stack.pop();
            return Ok(());
        }
        if frame.next > 0 {
            if next != b',' {
                return Err(Trouble::Syntax(r.place() + 1));
            }
            r.advance();
            next = r.next()?;
        }
        let mut name = None;
        if !frame.array {
            if next != b'"' {
                return Err(Trouble::Syntax(r.place() + 1));
            }
            name = Some(r.string()?);
            if r.next()? != b':' {
                return Err(Trouble::Syntax(r.place()));
            }
            r.advance();
        }
        let (n, mut taken) = (frame.next, 0);
        frame.next += 1;
        for (at, step) in steps.iter().enumerate().filter(|(at, _)| frame.front >> at & 1 == 1) {
            match (step, name) {
                (Step::Deep, _) => taken |= 1 << at,
                (Step::AnyName, Some(_)) => taken |= 1 << (at + 1),
                (Step::Name(wanted), Some(raw)) if path::is_named(raw, wanted) => taken |= 1 << (at + 1),
                (step, None) if step.takes(n, frame.len) => taken |= 1 << (at + 1),
                _ => {}
            }
        }
        if taken == 0 {
            return r.skip(depth);
        }
        self.here = Some(taken);
        Ok(())
    }
}

/// Steps that need nothing of the value are taken.
fn closed(mut front: Front, array: bool, steps: &[Step<'_>]) -> Front {
    for (n, step) in steps.iter().enumerate() {
        if front >> n & 1 == 1 && (*step == Step::Deep || !array && step.stays()) {
            front |= 1 << (n + 1);
        }
    }
    front
}

/// What stands at a place of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar<'t> {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number as it was written.
    Number(&'t [u8]),
    /// A string with its escapes.
    Text(&'t [u8]),
    /// An array or an object.
    Container,
}

/// What stands at a place; an array or object is not read.
///
/// # Errors
/// What is wrong with it.
pub fn scalar(text: &[u8], at: usize) -> Result<Scalar<'_>, Trouble> {
    let mut r = Reader::at(text, at);
    Ok(match r.next()? {
        b'{' | b'[' => Scalar::Container,
        first => match r.scalar(first)? {
            Json::Word(b"null") => Scalar::Null,
            Json::Word(word) => Scalar::Bool(word == b"true"),
            Json::Number(number) => Scalar::Number(number),
            Json::Text(raw) => Scalar::Text(raw),
            Json::Array(_) | Json::Object(_) => Scalar::Container,
        },
    })
}

/// The text of the value at a place, as it was written.
///
/// # Errors
/// What is wrong with it.
pub fn written(text: &[u8], at: usize) -> Result<&[u8], Trouble> {
    let mut r = Reader::at(text, at);
    r.next()?;
    let start = r.place();
    r.skip(0)?;
    Ok(&text[start..r.place()])
}

/// The steps of a path: whichever it is, it counts as the second argument.
///
/// # Errors
/// 4041, 4042, 4043.
pub fn path(text: &[u8]) -> Result<Vec<Step<'_>>, SqlError> {
    path::parse(text).map_err(|trouble| match trouble {
        path::Trouble::End => SqlError::new(codes::ER_JSON_PATH_EOS, &[&2, &NAME]),
        path::Trouble::Syntax(at) => SqlError::new(codes::ER_JSON_PATH_SYNTAX, &[&2, &NAME, &at]),
        path::Trouble::Depth(at) => {
            let most = path::MAX_STEPS + 1;
            SqlError::new(codes::ER_JSON_PATH_DEPTH, &[&most, &2, &NAME, &at])
        }
    })
}

/// The steps of a path that gives rows. The reference server takes of a range its first element alone there, and finds nothing by a
/// place that is counted from the end.
///
/// # Errors
/// As [`path`].
pub fn row_path(text: &[u8]) -> Result<Vec<Step<'_>>, SqlError> {
    let mut steps = path(text)?;
    for step in &mut steps {
        match step {
            Step::Range(from @ Index::First(_), _) => *step = Step::At(*from),
            Step::Range(Index::Last(_), _) | Step::At(Index::Last(_)) => {
                *step = Step::At(Index::First(usize::MAX));
            }
            _ => {}
        }
    }
    Ok(steps)
}

/// Whether a path may lead to more than one value.
pub fn is_wild(steps: &[Step<'_>]) -> bool {
    path::is_wild(steps)
}

const NAME: &str = "JSON_TABLE";

/// What is wrong with a document, as an error of JSON_TABLE.
pub fn fault(trouble: Trouble) -> SqlError {
    match trouble {
        Trouble::End => SqlError::new(codes::ER_JSON_EOS, &[&1, &NAME]),
        Trouble::Syntax(at) => SqlError::new(codes::ER_JSON_SYNTAX, &[&1, &NAME, &at]),
        Trouble::Character(at) => SqlError::new(codes::ER_JSON_NOT_JSON_CHR, &[&1, &NAME, &at]),
        Trouble::Broken(at) => SqlError::new(codes::ER_JSON_BAD_CHR, &[&1, &NAME, &at]),
        Trouble::Depth(at) => SqlError::new(codes::ER_JSON_DEPTH, &[&(MAX_DEPTH + 1), &1, &NAME, &at]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matches as they stand in the document, and what ended the walk.
    fn found(doc: &str, of: &str) -> (Vec<String>, Option<Trouble>) {
        let steps = path::parse(of.as_bytes()).unwrap();
        let (mut walk, mut all) = (Matches::default(), Vec::new());
        walk.begin(0, true);
        loop {
            match walk.next(doc.as_bytes(), &steps) {
                Ok(Met::Value(at)) => {
                    let text = written(doc.as_bytes(), at).unwrap_or(b"?");
                    all.push(String::from_utf8(text.to_vec()).unwrap());
                }
                Ok(Met::Nothing) => {}
                Ok(Met::End) => return (all, None),
                Err(trouble) => return (all, Some(trouble)),
            }
        }
    }

    #[test]
    fn matches_come_in_the_order_of_the_document() {
        let doc = "{\"a\":[1,[2,3],{\"b\":[4]}],\"b\":5}";
        for (of, values) in [
            ("$", vec![doc]),
            ("$.a[*]", vec!["1", "[2,3]", "{\"b\":[4]}"]),
            ("$**.b", vec!["[4]", "5"]),
            ("$.a[last].b[0]", vec!["4"]),
            ("$.a[0 to 1][0]", vec!["1", "2"]),
            ("$.*", vec!["[1,[2,3],{\"b\":[4]}]", "5"]),
            ("$.b[0]", vec!["5"]),
            ("$.c", vec![]),
        ] {
            assert_eq!(found(doc, of), (values.iter().map(|v| v.to_string()).collect(), None), "{of}");
        }
    }

    #[test]
    fn faults_are_seen_when_they_are_reached() {
        assert_eq!(found("[1,2", "$[*]"), (vec!["1".into(), "2".into()], Some(Trouble::End)));
        assert_eq!(found("[1] x", "$[*]").1, Some(Trouble::Syntax(5)));
        assert_eq!(found("", "$[*]"), (vec![], Some(Trouble::End)));
        let deep = "[".repeat(40);
        assert!(matches!(found(&deep, "$**.a").1, Some(Trouble::Depth(_))));
    }

    #[test]
    fn long_walks_pause() {
        let doc = format!("[{}0]", "0,".repeat(3 * PORTION));
        let steps = path::parse(b"$[*].a").unwrap();
        let mut walk = Matches::default();
        walk.begin(0, true);
        assert_eq!(walk.next(doc.as_bytes(), &steps), Ok(Met::Nothing));
        assert_eq!(found(&doc, "$[*].a"), (vec![], None));
        assert_eq!(found(&doc, "$[*]").0.len(), 3 * PORTION + 1);
    }
}
