//! Replacement fields: `{id:[[fill]align][sign][#][0][width][.precision][L][type]}`.

use super::{Argument, Outcome};

/// Where a value stands in its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    /// Not said.
    None,
    Left,
    Right,
    Center,
    /// Zeros after the sign.
    Numeric,
}

/// What is written before numbers that are not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    None,
    Plus,
    Space,
}

/// What a field says of its value.
#[derive(Clone, Debug)]
pub(super) struct Spec<'f> {
    pub(super) fill: &'f [u8],
    pub(super) align: Align,
    pub(super) sign: Sign,
    pub(super) alternate: bool,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
    pub(super) localized: bool,
    /// The letter of the type; 0 where none is said.
    pub(super) kind: u8,
}

impl Default for Spec<'_> {
    fn default() -> Self {
        Spec {
            fill: b" ",
            align: Align::None,
            sign: Sign::None,
            alternate: false,
            width: 0,
            precision: None,
            localized: false,
            kind: 0,
        }
    }
}

/// How many bytes a character has by its first one.
pub(super) fn length_by_lead(lead: u8) -> usize {
    match lead >> 3 {
        0x18..=0x1b => 2,
        0x1c..=0x1d => 3,
        0x1e => 4,
        _ => 1,
    }
}

/// Fields take arguments one after the other, or by number: not both.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Indexing {
    Unknown,
    Automatic(usize),
    Manual,
}

/// A format while it is read, and the arguments that its fields name.
pub(super) struct Reader<'f, 'a> {
    text: &'f [u8],
    pub(super) at: usize,
    arguments: &'a [Argument<'a>],
    indexing: Indexing,
}

const NUMBER_TOO_BIG: &str = "number is too big";
const LARGEST: i64 = i32::MAX as i64;

impl<'f, 'a> Reader<'f, 'a> {
    pub(super) fn new(text: &'f [u8], arguments: &'a [Argument<'a>]) -> Reader<'f, 'a> {
        Reader { text, at: 0, arguments, indexing: Indexing::Unknown }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// The text up to the next brace.
    pub(super) fn plain(&mut self) -> &'f [u8] {
        let rest = &self.text[self.at..];
        let n = rest.iter().position(|b| matches!(b, b'{' | b'}')).unwrap_or(rest.len());
        self.at += n;
        &rest[..n]
    }

    /// Digits as a number; `None` when it is larger than an `int` has room for.
    fn number(&mut self) -> Option<usize> {
        let mut n = 0i64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            n = (n * 10 + i64::from(digit - b'0')).min(LARGEST + 1);
            self.at += 1;
        }
        (n <= LARGEST).then_some(n as usize)
    }

    fn next_argument(&mut self) -> Outcome<&'a Argument<'a>> {
        let i = match self.indexing {
            Indexing::Manual => return Err("cannot switch from manual to automatic argument indexing".into()),
            Indexing::Unknown => 0,
            Indexing::Automatic(i) => i,
        };
        self.indexing = Indexing::Automatic(i + 1);
        self.arguments.get(i).ok_or_else(|| "argument not found".into())
    }

    /// The argument that the field names, by its place or by a number; no argument has a name.
    pub(super) fn argument(&mut self) -> Outcome<&'a Argument<'a>> {
        match self.peek() {
            Some(b'}' | b':') => self.next_argument(),
            Some(b'0'..=b'9') => {
                let i = if self.peek() == Some(b'0') {
                    self.at += 1;
                    Some(0)
                } else {
                    self.number()
                };
                if !matches!(self.peek(), Some(b'}' | b':')) {
                    return Err("invalid format string".into());
                }
                if matches!(self.indexing, Indexing::Automatic(_)) {
                    return Err("cannot switch from automatic to manual argument indexing".into());
                }
                self.indexing = Indexing::Manual;
                i.and_then(|i| self.arguments.get(i)).ok_or_else(|| "argument not found".into())
            }
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => Err("argument not found".into()),
            _ => Err("invalid format string".into()),
        }
    }

    /// What stands behind the colon, for a value of this kind; ends before the closing brace.
    pub(super) fn spec(&mut self, of: &Argument<'_>) -> Outcome<Spec<'f>> {
        let mut s = Spec::default();
        let numeric = || -> Outcome<()> {
            match of {
                Argument::Text(_) => Err("format specifier requires numeric argument".into()),
                _ => Ok(()),
            }
        };
        if let Some([letter, b'}']) = self.text.get(self.at..self.at + 2)
            && letter.is_ascii_alphabetic()
            && *letter != b'L'
        {
            s.kind = self.kind(of)?;
            return Ok(s);
        }
        self.align(&mut s)?;
        if let Some(sign @ (b'+' | b'-' | b' ')) = self.peek() {
            numeric()?;
            s.sign = match sign {
                b'+' => Sign::Plus,
                b' ' => Sign::Space,
                _ => Sign::None,
            };
            self.at += 1;
        }
        if self.peek() == Some(b'#') {
            numeric()?;
            s.alternate = true;
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            numeric()?;
            if s.align == Align::None {
                s.align = Align::Numeric;
            }
            s.fill = b"0";
            self.at += 1;
        }
        self.width(&mut s)?;
        if self.peek() == Some(b'.') {
            self.precision(&mut s)?;
            if matches!(of, Argument::Int(_)) {
                return Err("precision not allowed for this argument type".into());
            }
        }
        if self.peek() == Some(b'L') {
            numeric()?;
            s.localized = true;
            self.at += 1;
        }
        if self.peek().is_some_and(|b| b != b'}') {
            s.kind = self.kind(of)?;
        }
        Ok(s)
    }

    fn align(&mut self, s: &mut Spec<'f>) -> Outcome<()> {
        let rest = &self.text[self.at..];
        let Some(lead) = rest.first() else { return Ok(()) };
        let n = length_by_lead(*lead);
        let places = if rest.len() > n { [n, 0] } else { [0, 0] };
        for place in places {
            let align = match rest[place] {
                b'<' => Align::Left,
                b'>' => Align::Right,
                b'^' => Align::Center,
                _ => continue,
            };
            if place > 0 {
                if *lead == b'{' {
                    return Err("invalid fill character '{'".into());
                }
                s.fill = &rest[..place];
            }
            s.align = align;
            self.at += place + 1;
            return Ok(());
        }
        Ok(())
    }

    fn width(&mut self, s: &mut Spec<'f>) -> Outcome<()> {
        match self.peek() {
            Some(b'0'..=b'9') => s.width = self.number().ok_or(NUMBER_TOO_BIG)?,
            Some(b'{') => s.width = self.dynamic("negative width", "width is not integer")?,
            _ => {}
        }
        Ok(())
    }

    fn precision(&mut self, s: &mut Spec<'f>) -> Outcome<()> {
        self.at += 1;
        s.precision = Some(match self.peek() {
            Some(b'0'..=b'9') => self.number().ok_or(NUMBER_TOO_BIG)?,
            Some(b'{') => self.dynamic("negative precision", "precision is not integer")?,
            _ => return Err("missing precision specifier".into()),
        });
        Ok(())
    }

    /// A width or precision that an argument has.
    fn dynamic(&mut self, negative: &'static str, other: &'static str) -> Outcome<usize> {
        self.at += 1;
        if self.peek().is_none() {
            return Err("invalid format string".into());
        }
        let argument = self.argument()?;
        if self.peek() != Some(b'}') {
            return Err("invalid format string".into());
        }
        self.at += 1;
        match argument {
            Argument::Int(n) if *n < 0 => Err(negative.into()),
            Argument::Int(n) if *n > LARGEST => Err(NUMBER_TOO_BIG.into()),
            Argument::Int(n) => Ok(*n as usize),
            _ => Err(other.into()),
        }
    }

    fn kind(&mut self, of: &Argument<'_>) -> Outcome<u8> {
        let kind = self.peek().unwrap_or(0);
        let known = match of {
            Argument::Text(_) => matches!(kind, b's' | b'?'),
            _ => b"doxXbBaAeEfFgGcsp?".contains(&kind),
        };
        if !known {
            return Err("invalid type specifier".into());
        }
        self.at += 1;
        Ok(kind)
    }
}
