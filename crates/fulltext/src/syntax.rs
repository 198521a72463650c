//! The operators of boolean queries (`ft_boolean_syntax`), and queries as trees.

use charset::Charset;

use crate::Rules;
use crate::split::{step, word_at};

/// Meanings of the 14 characters of `ft_boolean_syntax`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Syntax([u8; 14]);

/// The characters cannot be told apart, or are too few, too many or letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError;

impl Default for Syntax {
    fn default() -> Syntax {
        Syntax(*b"+ -><()~*:\"\"&|")
    }
}

impl Syntax {
    /// Syntax of a value of the variable. `charset` is the server's, in which no operator may be a letter or digit.
    ///
    /// # Errors
    /// [`SyntaxError`] for a value the server refuses.
    pub fn new(value: &[u8], charset: &Charset) -> Result<Syntax, SyntaxError> {
        let chars: [u8; 14] = value.try_into().map_err(|_| SyntaxError)?;
        if chars[0] != b' ' && chars[1] != b' ' {
            return Err(SyntaxError);
        }
        for (i, c) in chars.iter().enumerate() {
            let letter = c.is_ascii_alphanumeric() || (*c != b'_' && charset.word_char(&[*c]).0);
            let again = chars[..i].iter().position(|before| before == c);
            if !c.is_ascii() || letter || again.is_some_and(|j| (j, i) != (10, 11)) {
                return Err(SyntaxError);
            }
        }
        Ok(Syntax(chars))
    }

    fn all_must(&self) -> bool {
        self.0[0] == b' '
    }
}

/// What a member of a group asks of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Must,
    Optional,
    Not,
}

/// A word to be looked for.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub word: Box<[u8]>,
    /// Any word that begins so.
    pub truncated: bool,
    pub group: usize,
    pub sign: Sign,
    pub factor: f32,
    /// Of its group, one more if it must not be there.
    pub depth: u32,
}

/// Parentheses, quotes, or the whole query.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// None: the root.
    pub parent: Option<usize>,
    pub sign: Sign,
    pub factor: f32,
    pub depth: u32,
    /// Members that must be there.
    pub need: u32,
    /// All words of a quoted phrase.
    pub phrase: Option<Vec<Box<[u8]>>>,
}

/// A boolean query.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// The first one is the root.
    pub groups: Vec<Group>,
    pub terms: Vec<Term>,
}

/// Factors of `>` and `<` (middle: neither), then the same with `~`.
const FACTORS: [[f32; 11]; 2] = [
    [
        0.131_687_24,
        0.197_530_87,
        0.296_296_3,
        0.444_444_45,
        0.666_666_7,
        1.0,
        1.5,
        2.25,
        3.375,
        5.0625,
        7.593_75,
    ],
    [
        -0.065_843_62,
        -0.098_765_43,
        -0.148_148_15,
        -0.222_222_22,
        -0.333_333_34,
        -0.5,
        -0.75,
        -1.125,
        -1.6875,
        -2.531_25,
        -3.796_875,
    ],
];

/// Operators in front of what follows.
#[derive(Clone, Copy)]
struct Prefix {
    sign: Sign,
    shift: i32,
    negate: bool,
}

impl Prefix {
    fn factor(&self) -> f32 {
        FACTORS[usize::from(self.negate)][(self.shift.clamp(-5, 5) + 5) as usize]
    }
}

struct Parser<'q> {
    syntax: &'q Syntax,
    tree: Tree,
    current: usize,
    in_quote: bool,
    /// The character before what is looked at, as far as operators care; any letter stands for all.
    before: u8,
}

/// Reads a query. There are no errors: what is no operator in its place is a separator.
pub(crate) fn parse(charset: &Charset, rules: &Rules, syntax: &Syntax, query: &[u8]) -> Tree {
    let root = Group { parent: None, sign: Sign::Must, factor: 1.0, depth: 0, need: 0, phrase: None };
    let tree = Tree { groups: vec![root], terms: Vec::new() };
    let mut parser = Parser { syntax, tree, current: 0, in_quote: false, before: b' ' };
    let mut prefix = parser.plain();
    let mut at = 0;
    while at < query.len() {
        if let Some(word) = word_at(charset, query, at) {
            at = word.end;
            parser.before = b'a';
            let truncated = query.get(at) == Some(&syntax.0[8]);
            at += usize::from(truncated);
            let long = word.chars >= rules.min && !rules.stopwords.contains(word.bytes);
            parser.word(word.bytes, truncated, (truncated || long) && word.chars < rules.max, prefix);
            prefix = parser.plain();
            continue;
        }
        let c = query[at];
        at += step(charset, query, at);
        match parser.operator(c, &mut prefix) {
            Read::Prefix => {}
            Read::Done => prefix = parser.plain(),
        }
    }
    parser.tree
}

enum Read {
    /// It belongs to what follows.
    Prefix,
    /// What follows begins anew.
    Done,
}

impl Parser<'_> {
    fn plain(&self) -> Prefix {
        let must = self.in_quote || self.syntax.all_must();
        Prefix { sign: if must { Sign::Must } else { Sign::Optional }, shift: 0, negate: false }
    }

    fn word(&mut self, word: &[u8], truncated: bool, taken: bool, prefix: Prefix) {
        let group = &mut self.tree.groups[self.current];
        if let Some(phrase) = &mut group.phrase {
            phrase.push(word.into());
        }
        if !taken {
            return;
        }
        group.need += u32::from(prefix.sign == Sign::Must);
        let depth = group.depth + u32::from(prefix.sign == Sign::Not);
        let Prefix { sign, .. } = prefix;
        let term =
            Term { word: word.into(), truncated, group: self.current, sign, factor: prefix.factor(), depth };
        self.tree.terms.push(term);
    }

    fn open(&mut self, prefix: Prefix, quoted: bool) {
        let parent = &mut self.tree.groups[self.current];
        parent.need += u32::from(prefix.sign == Sign::Must);
        let group = Group {
            parent: Some(self.current),
            sign: prefix.sign,
            factor: prefix.factor(),
            depth: parent.depth + 1,
            need: 0,
            phrase: quoted.then(Vec::new),
        };
        self.current = self.tree.groups.len();
        self.tree.groups.push(group);
        self.in_quote = quoted;
    }

    fn close(&mut self) {
        // One too many closes nothing.
        self.current = self.tree.groups[self.current].parent.unwrap_or(0);
        self.in_quote = false;
    }

    /// A character that is part of no word.
    fn operator(&mut self, c: u8, prefix: &mut Prefix) -> Read {
        let [plus, blank, minus, up, down, open, close, tilde, _, _, quote, unquote, ..] = self.syntax.0;
        if self.in_quote {
            if c == unquote {
                self.close();
            } else {
                self.before = c;
            }
            return Read::Done;
        }
        if c == open || c == quote {
            self.open(*prefix, c == quote);
            return Read::Done;
        }
        if c == close {
            self.close();
            return Read::Done;
        }
        if self.before == b' ' {
            match c {
                _ if c == plus => prefix.sign = Sign::Must,
                _ if c == blank => prefix.sign = Sign::Optional,
                _ if c == minus => prefix.sign = Sign::Not,
                _ if c == up => prefix.shift = prefix.shift.saturating_add(1),
                _ if c == down => prefix.shift = prefix.shift.saturating_sub(1),
                _ if c == tilde => prefix.negate = !prefix.negate,
                _ => {
                    self.before = c;
                    return Read::Done;
                }
            }
            return Read::Prefix;
        }
        self.before = c;
        Read::Done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(query: &str) -> Vec<(String, Sign, f32, usize)> {
        let set = Charset::by_name("utf8mb4").unwrap();
        let tree = parse(set, &Rules::default(), &Syntax::default(), query.as_bytes());
        let word = |t: &Term| {
            let star = if t.truncated { "*" } else { "" };
            format!("{}{star}", std::str::from_utf8(&t.word).unwrap())
        };
        tree.terms.iter().map(|t| (word(t), t.sign, t.factor, t.group)).collect()
    }

    #[test]
    fn operators_count_after_a_space_only() {
        use Sign::*;
        let want = [("aaaa", Must, 0), ("bbbb", Optional, 0)];
        for query in ["+aaaa\n+bbbb", "+aaaa bbbb", "+aaaa-bbbb", "-+aaaa bbbb", "+aaaa,-bbbb"] {
            let got: Vec<_> = terms(query).into_iter().map(|(w, s, _, g)| (w, s, g)).collect();
            assert_eq!(got, want.map(|(w, s, g)| (w.to_owned(), s, g)), "{query}");
        }
        assert_eq!(terms("+ aaaa")[0].1, Optional, "the space takes the sign back");
        assert_eq!(terms("> aaaa")[0].2, 1.5, "but not the weight");
        assert_eq!(terms("~~<aaaa")[0].2, 0.666_666_7);
        assert_eq!(terms(">>>>>>>>~aaaa")[0].2, -3.796_875);
    }

    #[test]
    fn groups_nest_and_close_as_they_like() {
        use Sign::*;
        assert_eq!(terms("(+aaaa")[0], ("aaaa".into(), Must, 1.0, 1));
        assert_eq!(terms("aaaa(+bbbb)")[1], ("bbbb".into(), Optional, 1.0, 1));
        assert_eq!(terms(")) aaaa")[0].3, 0);
        let phrase = terms("\"the aaaa -bbbb");
        assert_eq!(phrase, [("aaaa".into(), Must, 1.0, 1), ("bbbb".into(), Must, 1.0, 1)]);
        assert_eq!(
            terms("a* the abc abcd*"),
            [("a*".into(), Optional, 1.0, 0), ("abcd*".into(), Optional, 1.0, 0)]
        );
    }

    #[test]
    fn values_of_the_variable() {
        let latin1 = Charset::by_name("latin1").unwrap();
        let ok = |value: &[u8]| Syntax::new(value, latin1).is_ok();
        assert!(ok(b"+ -><()~*:\"\"&|") && ok(b" +-><()~*:\"\"&|") && ok(b"+ -><()~*:\"'&|"));
        assert!(!ok(b"+ -><()~*:\"\"&"), "too short");
        assert!(!ok(b"+x-><()~*:\"\"&|"), "a letter, and no space in front");
        assert!(!ok(b"+ --<()~*:\"\"&|"), "twice the same");
        assert!(!ok(b"+ -><()~*:\"\"&\xE4"), "not ASCII");
    }
}
