//! LIKE: character by character, no padding, no expansion or contraction across characters.

use super::borders::{BETWEEN_QUESTIONS, Borders, Stopped};
use super::simple::general_weight;
use super::special::thai_like;
use super::uca::{Levels, Table};
use super::{Collation, Rules};
use crate::cjk_set::{CjkSet, Code};
use crate::encoding::{BAD, Decoder};
use crate::set::{Encoding, with_decoder};
use crate::tables::single_byte::GERMAN2;
use crate::tables::uca::TAILORINGS;
use std::marker::PhantomData;

/// How a set's strings fall into characters, and which of them are the same.
pub(super) trait Characters {
    /// The first character as a number (of ASCII wildcards: their own) and its bytes; None at the end.
    fn next(&self, s: &[u8]) -> Option<(u32, usize)>;
    /// Whether two characters match.
    fn same(&self, a: u32, b: u32) -> bool;
    /// Whether `_` matches it.
    fn counts(&self, _c: u32) -> bool {
        true
    }
    /// Bytes before the first character that matches `wanted`, and has one behind it that matches `then`, as far as that is seen easily;
    /// all when none does.
    #[inline]
    fn bytes_before(&self, s: &[u8], wanted: u32, _then: Option<u32>) -> usize {
        let mut at = 0;
        while let Some((found, n)) = self.next(&s[at..])
            && !self.same(found, wanted)
        {
            at += n;
        }
        at
    }
}

/// Single bytes through a table of weights.
struct Weighed<'a>(&'a [u8; 256]);

/// Single bytes compared by a function.
struct Bytes<F>(F);

/// Code points compared by a function; `exact`: ill-formed bytes match themselves.
struct Points<D, F> {
    same: F,
    exact: bool,
    decoder: PhantomData<D>,
}

/// East Asian codes.
struct Codes<'a> {
    set: &'a CjkSet,
    bin: bool,
}

fn byte(s: &[u8]) -> Option<(u32, usize)> {
    s.first().map(|b| (u32::from(*b), 1))
}

impl Characters for Weighed<'_> {
    #[inline]
    fn next(&self, s: &[u8]) -> Option<(u32, usize)> {
        byte(s)
    }
    #[inline]
    fn same(&self, a: u32, b: u32) -> bool {
        self.0[a as usize & 0xFF] == self.0[b as usize & 0xFF]
    }
    #[inline]
    fn bytes_before(&self, s: &[u8], wanted: u32, then: Option<u32>) -> usize {
        let weight = |c: u32| self.0[c as usize & 0xFF];
        let is = |b: u8, weight: u8| self.0[usize::from(b)] == weight;
        let first = weight(wanted);
        let found = match then.map(weight) {
            Some(second) => s.windows(2).position(|w| is(w[0], first) && is(w[1], second)),
            None => s.iter().position(|b| is(*b, first)),
        };
        found.unwrap_or(s.len())
    }
}

impl<F: Fn(u8, u8) -> bool> Characters for Bytes<F> {
    #[inline]
    fn next(&self, s: &[u8]) -> Option<(u32, usize)> {
        byte(s)
    }
    #[inline]
    fn same(&self, a: u32, b: u32) -> bool {
        (self.0)(a as u8, b as u8)
    }
}

impl<D: Decoder, F: Fn(u32, u32) -> bool> Characters for Points<D, F> {
    #[inline]
    fn next(&self, s: &[u8]) -> Option<(u32, usize)> {
        D::next(s)
    }
    #[inline]
    fn same(&self, a: u32, b: u32) -> bool {
        if a >= BAD || b >= BAD {
            return self.exact && a == b;
        }
        a == b || (self.same)(a, b)
    }
    #[inline]
    fn counts(&self, c: u32) -> bool {
        c < BAD || self.exact
    }
}

impl Codes<'_> {
    fn weight(&self, number: u32) -> u32 {
        let len = match number {
            0..=0xFF => 1,
            0x100..=0xFFFF => 2,
            _ => 3,
        };
        self.set.weight(Code { number, len, well_formed: number < 0x80 || len > 1 }, false)
    }
}

impl Characters for Codes<'_> {
    #[inline]
    fn next(&self, s: &[u8]) -> Option<(u32, usize)> {
        self.set.next(s).map(|c| (c.number, c.len))
    }
    #[inline]
    fn same(&self, a: u32, b: u32) -> bool {
        a == b || !self.bin && self.weight(a) == self.weight(b)
    }
}

/// What is to be done with the [`Characters`] of a collation.
pub(super) trait Task {
    type Result;
    fn run(self, characters: &impl Characters) -> Self::Result;
}

/// Runs a task with the characters of a collation.
pub(super) fn with_characters<T: Task>(collation: &Collation, task: T) -> T::Result {
    let exact = |a: u8, b: u8| a == b;
    match (&collation.rules, &collation.charset.encoding) {
        (Rules::Table(table), _) => task.run(&Weighed(table)),
        (Rules::German2, _) => {
            let weights = |b: u8| [GERMAN2[0][usize::from(b)], GERMAN2[1][usize::from(b)]];
            task.run(&Bytes(move |a, b| weights(a) == weights(b)))
        }
        (Rules::Thai, _) => task.run(&Bytes(|a, b| thai_like(a) == thai_like(b))),
        (Rules::Cjk | Rules::CjkBin, Encoding::Cjk(set)) => {
            task.run(&Codes { set, bin: matches!(collation.rules, Rules::CjkBin) })
        }
        (rules, encoding) => {
            with_decoder!(encoding, D => with_points::<D, T>(rules, task), _ => task.run(&Bytes(exact)))
        }
    }
}

fn with_points<D: Decoder, T: Task>(rules: &Rules, task: T) -> T::Result {
    let decoder = PhantomData::<D>;
    match *rules {
        Rules::General { mysql500 } => {
            let same = move |a, b| general_weight(a, mysql500) == general_weight(b, mysql500);
            task.run(&Points { same, exact: false, decoder })
        }
        Rules::Uca { tailoring, levels, .. } => {
            let table: &Table = TAILORINGS[tailoring].table();
            let levels: Levels = levels;
            task.run(&Points { same: move |a, b| table.same(a, b, levels), exact: false, decoder })
        }
        _ => task.run(&Points { same: |_, _| false, exact: D::STEP == 1, decoder }),
    }
}

/// A part of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// `%`
    Any,
    /// `_`
    One,
    /// A character.
    Literal(u32),
}

/// The first token of a pattern and its bytes. An escape character at the very end stands for itself.
#[inline]
pub(super) fn token(c: &impl Characters, pattern: &[u8], escape: Option<u32>) -> Option<(Token, usize)> {
    let (first, n) = c.next(pattern)?;
    if Some(first) == escape
        && let Some((escaped, m)) = c.next(&pattern[n..])
    {
        return Some((Token::Literal(escaped), n + m));
    }
    let token = match first {
        0x25 => Token::Any,
        0x5F => Token::One,
        other => Token::Literal(other),
    };
    Some((token, n))
}

/// The escape code point as a character number of the collation's set; `?` when the set lacks it, as conversion has it.
pub(super) fn escape_number(collation: &Collation, escape: Option<u32>) -> Option<u32> {
    let cp = escape?;
    match &collation.charset.encoding {
        Encoding::Byte(set) => Some(u32::from(set.byte(cp).unwrap_or(b'?'))),
        Encoding::Cjk(_) if cp >= 0x80 => {
            let mut bytes = Vec::new();
            if !collation.charset.encode(cp, &mut bytes) {
                bytes.push(b'?');
            }
            Some(bytes.iter().fold(0, |n, b| n << 8 | u32::from(*b)))
        }
        _ => Some(cp),
    }
}

/// Characters that a search may look at again before it is worth to find out how not to.
const FEW: usize = 4096;

struct Like<'a> {
    s: &'a [u8],
    pattern: &'a [u8],
    escape: Option<u32>,
    stop: &'a dyn Fn() -> bool,
}

impl Task for Like<'_> {
    type Result = Result<bool, Stopped>;
    fn run(self, c: &impl Characters) -> Self::Result {
        let Self { s, pattern, escape, stop } = self;
        let (mut at, mut p) = (0, 0);
        // After the last `%`: where its pattern goes on, and where it was last tried.
        let mut retry: Option<(usize, usize)> = None;
        // Bytes that were looked at, and those that will be again.
        let (mut steps, mut again) = (0usize, 0usize);
        loop {
            steps += 1;
            if steps > BETWEEN_QUESTIONS {
                steps = 0;
                if stop() {
                    return Err(Stopped);
                }
            }
            match token(c, &pattern[p..], escape) {
                None if at == s.len() => return Ok(true),
                None => {}
                Some((Token::Any, n)) => {
                    p += n;
                    if p == pattern.len() {
                        return Ok(true);
                    }
                    retry = Some((p, at));
                    continue;
                }
                Some((wanted, n)) => match c.next(&s[at..]) {
                    // The rest is too short for the pattern, wherever it begins.
                    None => return Ok(false),
                    Some((found, m)) => {
                        let matches = match wanted {
                            Token::Literal(literal) => c.same(found, literal),
                            _ => c.counts(found),
                        };
                        if matches {
                            at += m;
                            p += n;
                            continue;
                        }
                    }
                },
            }
            let Some((start, tried)) = retry else { return Ok(false) };
            let Some((_, m)) = c.next(&s[tried..]) else { return Ok(false) };
            again += at - tried + m;
            (p, at) = (start, tried + m);
            // what does not begin as the pattern goes on is passed at once
            if let Some((Token::Literal(literal), n)) = token(c, &pattern[start..], escape) {
                let then = match token(c, &pattern[start + n..], escape) {
                    Some((Token::Literal(then), _)) => Some(then),
                    _ => None,
                };
                let passed = c.bytes_before(&s[at..], literal, then);
                at += passed;
                steps += passed;
            }
            retry = Some((start, at));
            if again > FEW
                && let Some(run) = literals(c, &pattern[start..], escape)
            {
                match end_of_run(c, &s[at..], &run, start + run.bytes == pattern.len(), stop)? {
                    Some(_) if start + run.bytes == pattern.len() => return Ok(true),
                    Some(end) => (p, at) = (start + run.bytes, at + end),
                    None => return Ok(false),
                }
            }
        }
    }
}

/// The characters of a pattern before its end or the next `%`.
struct Run {
    characters: Vec<u32>,
    bytes: usize,
}

/// What a pattern begins with; None when there is a `_` in it.
fn literals(c: &impl Characters, pattern: &[u8], escape: Option<u32>) -> Option<Run> {
    let mut run = Run { characters: Vec::new(), bytes: 0 };
    while let Some((token, n)) = token(c, &pattern[run.bytes..], escape) {
        match token {
            Token::Literal(literal) => run.characters.push(literal),
            Token::One => return None,
            Token::Any => break,
        }
        run.bytes += n;
    }
    (!run.characters.is_empty()).then_some(run)
}

/// The end of the first occurrence of a run of characters, or of that which ends the text.
fn end_of_run(
    c: &impl Characters,
    s: &[u8],
    run: &Run,
    at_end: bool,
    stop: &dyn Fn() -> bool,
) -> Result<Option<usize>, Stopped> {
    let wanted = &run.characters;
    let borders = Borders::of(wanted.len(), |i, j| c.same(wanted[i], wanted[j]));
    let (mut fits, mut at, mut seen) = (0, 0, 0usize);
    while let Some((found, n)) = c.next(&s[at..]) {
        fits = borders.step(fits, |i| c.same(found, wanted[i]));
        at += n;
        seen += 1;
        if fits == wanted.len() && !at_end {
            return Ok(Some(at));
        }
        if seen.is_multiple_of(BETWEEN_QUESTIONS) && stop() {
            return Err(Stopped);
        }
    }
    Ok((fits == wanted.len()).then_some(at))
}

/// `s LIKE pattern ESCAPE escape`.
pub(super) fn like(
    collation: &Collation,
    s: &[u8],
    pattern: &[u8],
    escape: Option<u32>,
    stop: &dyn Fn() -> bool,
) -> Result<bool, Stopped> {
    let escape = escape_number(collation, escape);
    with_characters(collation, Like { s, pattern, escape, stop })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By trying every length for each `%`.
    fn slow(s: &[u8], pattern: &[u8]) -> bool {
        match pattern.split_first() {
            None => s.is_empty(),
            Some((b'%', rest)) => (0..=s.len()).any(|n| slow(&s[n..], rest)),
            Some((b'_', rest)) => !s.is_empty() && slow(&s[1..], rest),
            Some((b, rest)) => s.first().is_some_and(|x| x.eq_ignore_ascii_case(b)) && slow(&s[1..], rest),
        }
    }

    #[test]
    fn long_texts_match_as_short_ones() {
        let mut seed = 11u64;
        let mut next = |most: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % most
        };
        // what makes the search change its way, and is no part of the answer
        let nearly = [vec![b'a'; 6_000], b"b".to_vec()].concat();
        let prefix: Vec<u8> = [b"%".to_vec(), vec![b'A'; 3_000], b"b%".to_vec()].concat();
        for name in ["latin1_swedish_ci", "utf8mb4_general_ci", "utf8mb4_unicode_ci", "gbk_chinese_ci"] {
            let collation = Collation::by_name(name).unwrap();
            for _ in 0..150 {
                let mut text = |letters: &[u8], most: usize| -> Vec<u8> {
                    (0..next(most)).map(|_| letters[next(letters.len())]).collect()
                };
                let (s, pattern) = (text(b"aAb", 12), text(b"aab%_%", 9));
                let long = [&nearly[..], &s].concat();
                let asked = [&prefix[..], &pattern].concat();
                let wanted = (0..=s.len()).any(|n| slow(&s[n..], &pattern));
                assert_eq!(collation.like(&long, &asked, None), wanted, "{name} {s:?} {pattern:?}");
                assert_eq!(
                    collation.like(&s, &pattern, None),
                    slow(&s, &pattern),
                    "{name} {s:?} {pattern:?}"
                );
            }
        }
    }

    #[test]
    fn patterns_that_nearly_fit_are_looked_at_twice_only() {
        let text = vec![b'a'; 1_000_000];
        let pattern = |tail: &str| format!("%{}{tail}", "A".repeat(100_000)).into_bytes();
        for name in ["latin1_swedish_ci", "utf8mb4_general_ci", "utf8mb4_bin", "big5_chinese_ci"] {
            let collation = Collation::by_name(name).unwrap();
            let folds = collation.is_case_insensitive();
            for (tail, wanted) in [("b%", false), ("b", false), ("", folds), ("%", folds), ("%a%b", false)] {
                assert_eq!(collation.like(&text, &pattern(tail), None), wanted, "{name} {tail}");
            }
        }
        // Nothing but stopping helps against this.
        let latin1 = Collation::by_name("latin1_swedish_ci").unwrap();
        let pattern = format!("%{}_b%", "a".repeat(100_000));
        assert_eq!(latin1.like_until(&text, pattern.as_bytes(), None, &|| true), Err(Stopped));
    }
}
