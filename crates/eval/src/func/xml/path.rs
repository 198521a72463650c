//! XPath as MariaDB reads it: which expressions there are, and where a mistake is shown.

/// An axis along which a step goes. Axes that MariaDB does not know how to walk are as `Child`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    Child,
    Attribute,
    Parent,
    Own,
    Descendant,
    DescendantOrOwn,
    Ancestor,
    AncestorOrOwn,
}

/// Operators of two operands that give a number or a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Path {
    /// The node in question, or the nodes so far.
    Context,
    Root,
    Step {
        from: Box<Path>,
        axis: Axis,
        name: Option<Box<[u8]>>,
    },
    Filter {
        from: Box<Path>,
        condition: Box<Path>,
    },
    Union(Box<Path>, Box<Path>),
    Binary(Binary, Box<Path>, Box<Path>),
    Negate(Box<Path>),
    Int(i64),
    /// A number with a point, and how many digits behind it.
    Real(f64, u8),
    Text(Box<[u8]>),
    UserVariable(String),
    /// A variable of the routine, and the text from there on.
    Local(String, Box<[u8]>),
    Call(&'static Function, Vec<Path>),
}

/// What a function is, by its name and the arguments it takes.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    min: usize,
    max: usize,
    /// Its arguments are nodes.
    of_nodes: bool,
    /// It says something of the node in question, if it has no arguments.
    of_context: bool,
    pub(super) is_truth: bool,
}

const fn function(name: &'static str, min: usize, max: usize) -> Function {
    Function { name, min, max, of_nodes: false, of_context: false, is_truth: false }
}

const FUNCTIONS: &[Function] = &[
    Function { of_nodes: true, ..function("count", 1, 1) },
    Function { of_nodes: true, ..function("sum", 1, 1) },
    Function { of_context: true, ..function("position", 0, 0) },
    Function { of_context: true, ..function("last", 0, 0) },
    Function { of_context: true, ..function("string-length", 0, 1) },
    Function { is_truth: true, ..function("true", 0, 0) },
    Function { is_truth: true, ..function("false", 0, 0) },
    Function { is_truth: true, ..function("not", 1, 1) },
    Function { is_truth: true, ..function("boolean", 1, 1) },
    Function { is_truth: true, ..function("contains", 2, 2) },
    Function { of_context: true, ..function("number", 0, 1) },
    function("ceiling", 1, 1),
    function("floor", 1, 1),
    function("round", 1, 1),
    function("concat", 2, 255),
    function("substring", 2, 3),
];

const AXES: &[(&[u8], Axis)] = &[
    (b"ancestor", Axis::Ancestor),
    (b"ancestor-or-self", Axis::AncestorOrOwn),
    (b"attribute", Axis::Attribute),
    (b"child", Axis::Child),
    (b"descendant", Axis::Descendant),
    (b"descendant-or-self", Axis::DescendantOrOwn),
    (b"following", Axis::Child),
    (b"following-sibling", Axis::Child),
    (b"namespace", Axis::Child),
    (b"parent", Axis::Parent),
    (b"preceding", Axis::Child),
    (b"preceding-sibling", Axis::Child),
    (b"self", Axis::Own),
];

/// Why a text is no XPath.
#[derive(Debug)]
pub(super) enum Mistake {
    /// What cannot be read, from there on.
    Syntax(Vec<u8>),
    /// Nodes on both sides of a comparison.
    TwoSets(Vec<u8>),
    /// A variable that is none of the routine's, from there on.
    Unknown(Vec<u8>),
    /// Digits without end.
    TooLarge(Vec<u8>),
    /// Brackets in brackets without end.
    TooDeep,
}

/// Expressions within each other.
const DEPTH: usize = 400;

impl Path {
    pub(super) fn is_nodes(&self) -> bool {
        matches!(self, Path::Context | Path::Root | Path::Step { .. } | Path::Filter { .. } | Path::Union(..))
    }

    /// Whether a filter by it asks for a truth, not for a position.
    pub(super) fn is_truth(&self) -> bool {
        use Binary::{Add, Divide, Modulo, Multiply, Subtract};
        match self {
            Path::Binary(op, ..) => !matches!(op, Add | Subtract | Multiply | Divide | Modulo),
            Path::Call(f, _) => f.is_truth,
            other => other.is_nodes(),
        }
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    /// Inside of a filter, where there is a node in question.
    filters: usize,
    depth: usize,
}

type Read<T> = Result<T, Mistake>;

/// Reads an expression.
///
/// # Errors
/// What is wrong and where.
pub(super) fn read(text: &[u8]) -> Read<Path> {
    let mut r = Reader { text, at: 0, filters: 0, depth: 0 };
    let path = r.expression()?;
    r.space();
    if r.at < text.len() { Err(r.mistake()) } else { Ok(path) }
}

fn begins_name(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b >= 0x80
}

fn continues_name(b: u8) -> bool {
    begins_name(b) || b.is_ascii_digit() || matches!(b, b'-' | b'.')
}

impl<'t> Reader<'t> {
    fn space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn rest(&self) -> &'t [u8] {
        &self.text[self.at..]
    }

    fn mistake(&mut self) -> Mistake {
        self.space();
        Mistake::Syntax(self.rest().to_vec())
    }

    fn is(&mut self, mark: &[u8]) -> bool {
        self.space();
        self.rest().starts_with(mark)
    }

    fn take(&mut self, mark: &[u8]) -> bool {
        let there = self.is(mark);
        self.at += if there { mark.len() } else { 0 };
        there
    }

    fn need(&mut self, mark: &[u8]) -> Read<()> {
        if self.take(mark) { Ok(()) } else { Err(self.mistake()) }
    }

    /// The name that stands here, which is not taken yet.
    fn name(&mut self) -> Option<&'t [u8]> {
        self.space();
        let rest = self.rest();
        if !rest.first().is_some_and(|b| begins_name(*b)) {
            return None;
        }
        let n = rest.iter().position(|b| !continues_name(*b)).unwrap_or(rest.len());
        Some(&rest[..n])
    }

    fn word(&mut self, word: &[u8]) -> bool {
        let there = self.name() == Some(word);
        self.at += if there { word.len() } else { 0 };
        there
    }

    fn expression(&mut self) -> Read<Path> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(Mistake::TooDeep);
        }
        let mut left = self.conjunction()?;
        while self.word(b"or") {
            let right = self.conjunction()?;
            left = Path::Binary(Binary::Or, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn conjunction(&mut self) -> Read<Path> {
        let mut left = self.comparison(&[(b"=", Binary::Equal), (b"!=", Binary::Unequal)], true)?;
        while self.word(b"and") {
            let right = self.comparison(&[(b"=", Binary::Equal), (b"!=", Binary::Unequal)], true)?;
            left = Path::Binary(Binary::And, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// Equality of what is compared by order, or that itself.
    fn comparison(&mut self, marks: &[(&[u8], Binary)], equality: bool) -> Read<Path> {
        const ORDER: &[(&[u8], Binary)] = &[
            (b"<=", Binary::LessOrEqual),
            (b"<", Binary::Less),
            (b">=", Binary::GreaterOrEqual),
            (b">", Binary::Greater),
        ];
        let side = |r: &mut Self| if equality { r.comparison(ORDER, false) } else { r.sum() };
        let mut left = side(self)?;
        loop {
            self.space();
            let from = self.at;
            let Some((_, op)) = marks.iter().find(|(mark, _)| self.take(mark)) else { return Ok(left) };
            let right = side(self)?;
            if left.is_nodes() && right.is_nodes() {
                return Err(Mistake::TwoSets(self.text[from..].to_vec()));
            }
            left = Path::Binary(*op, Box::new(left), Box::new(right));
        }
    }

    fn sum(&mut self) -> Read<Path> {
        let mut left = self.product()?;
        loop {
            let op = match () {
                () if self.take(b"+") => Binary::Add,
                () if self.take(b"-") => Binary::Subtract,
                () => return Ok(left),
            };
            let right = self.product()?;
            left = Path::Binary(op, Box::new(left), Box::new(right));
        }
    }

    fn product(&mut self) -> Read<Path> {
        let mut left = self.signed()?;
        loop {
            let op = match () {
                () if self.take(b"*") => Binary::Multiply,
                () if self.word(b"div") => Binary::Divide,
                () if self.word(b"mod") => Binary::Modulo,
                () => return Ok(left),
            };
            let right = self.signed()?;
            left = Path::Binary(op, Box::new(left), Box::new(right));
        }
    }

    fn signed(&mut self) -> Read<Path> {
        let mut signs = 0;
        while self.take(b"-") {
            signs += 1;
            if signs > DEPTH {
                return Err(Mistake::TooDeep);
            }
        }
        let mut path = self.union()?;
        for _ in 0..signs {
            path = Path::Negate(Box::new(path));
        }
        Ok(path)
    }

    fn union(&mut self) -> Read<Path> {
        let mut left = self.path()?;
        while self.take(b"|") {
            let right = self.path()?;
            if !left.is_nodes() || !right.is_nodes() {
                return Err(self.mistake());
            }
            left = Path::Union(Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// A location path, or a primary expression that one may follow.
    fn path(&mut self) -> Read<Path> {
        self.space();
        match self.rest().first() {
            Some(b'(') => {
                self.at += 1;
                let inner = self.expression()?;
                self.need(b")")?;
                self.continued(inner)
            }
            Some(b'$') => {
                let variable = self.variable()?;
                self.continued(variable)
            }
            Some(quote @ (b'"' | b'\'')) => {
                let rest = &self.rest()[1..];
                let Some(n) = rest.iter().position(|b| b == quote) else { return Err(self.mistake()) };
                let text = rest[..n].into();
                self.at += n + 2;
                self.continued(Path::Text(text))
            }
            Some(b'0'..=b'9') => {
                let number = self.number()?;
                self.continued(number)
            }
            _ => match self.call()? {
                Some(call) => self.continued(call),
                None => self.location(),
            },
        }
    }

    /// Steps behind an expression, which must be nodes then.
    fn continued(&mut self, from: Path) -> Read<Path> {
        if !self.is(b"/") {
            return Ok(from);
        }
        if !from.is_nodes() {
            return Err(self.mistake());
        }
        self.steps(from)
    }

    fn number(&mut self) -> Read<Path> {
        let rest = self.rest();
        let count = |t: &[u8]| t.iter().take_while(|b| b.is_ascii_digit()).count();
        let whole = count(rest);
        let mut n = whole;
        let mut decimals = None;
        if rest.get(n) == Some(&b'.') {
            let behind = count(&rest[n + 1..]);
            n += 1 + behind;
            decimals = (behind > 0).then_some(behind);
        }
        self.at += n;
        let text = std::str::from_utf8(&rest[..n]).unwrap_or_default();
        let value: f64 = text.parse().unwrap_or(f64::INFINITY);
        if value.is_infinite() {
            return Err(Mistake::TooLarge(rest.to_vec()));
        }
        Ok(match decimals {
            Some(d) => Path::Real(value, d.min(30) as u8),
            // numbers without room are as the largest one without a sign
            None => Path::Int(text[..whole].parse::<u64>().map_or(-1, |n| n as i64)),
        })
    }

    fn variable(&mut self) -> Read<Path> {
        let from = self.at;
        self.at += 1;
        let of_session = self.take(b"@");
        self.space();
        let name = match self.rest().first() {
            Some(b) if b.is_ascii_digit() => {
                let n = self.rest().iter().take_while(|b| b.is_ascii_digit()).count();
                &self.rest()[..n]
            }
            _ => self.name().unwrap_or_default(),
        };
        if name.is_empty() {
            return Err(self.mistake());
        }
        self.at += name.len();
        if of_session {
            Ok(Path::UserVariable(charset::identifier::fold(&String::from_utf8_lossy(name))))
        } else {
            Ok(Path::Local(String::from_utf8_lossy(name).into_owned(), self.text[from..].into()))
        }
    }

    /// A call of a function, where one stands here: the bracket follows its name at once.
    fn call(&mut self) -> Read<Option<Path>> {
        let Some(name) = self.name() else { return Ok(None) };
        let Some(f) = FUNCTIONS.iter().find(|f| f.name.as_bytes() == name) else { return Ok(None) };
        if self.rest().get(name.len()) != Some(&b'(') {
            return Ok(None);
        }
        self.at += name.len() + 1;
        let mut arguments = Vec::new();
        while arguments.len() < f.max {
            if arguments.len() >= f.min && self.is(b")") {
                break;
            }
            arguments.push(self.expression()?);
            if !self.take(b",") {
                if arguments.len() < f.min {
                    return Err(self.mistake());
                }
                break;
            }
        }
        self.need(b")")?;
        let context_missing = f.of_context && arguments.is_empty() && self.filters == 0;
        if context_missing || f.of_nodes && !arguments.iter().all(Path::is_nodes) {
            return Err(self.mistake());
        }
        Ok(Some(Path::Call(f, arguments)))
    }

    fn location(&mut self) -> Read<Path> {
        if self.is(b"//") {
            return self.steps(Path::Root);
        }
        if self.take(b"/") {
            if !self.begins_step() {
                return Ok(Path::Root);
            }
            let first = self.step(Path::Root)?;
            return self.steps(first);
        }
        let context = if self.filters > 0 { Path::Context } else { Path::Root };
        let first = self.step(context)?;
        self.steps(first)
    }

    fn begins_step(&mut self) -> bool {
        self.is(b".") || self.is(b"@") || self.is(b"*") || self.name().is_some()
    }

    /// More steps, each behind a slash.
    fn steps(&mut self, mut from: Path) -> Read<Path> {
        let mut count = 0;
        loop {
            if self.take(b"//") {
                from = Path::Step { from: Box::new(from), axis: Axis::DescendantOrOwn, name: None };
            } else if !self.take(b"/") {
                return Ok(from);
            }
            from = self.step(from)?;
            count += 1;
            if count > DEPTH * 2 {
                return Err(Mistake::TooDeep);
            }
        }
    }

    fn step(&mut self, from: Path) -> Read<Path> {
        if self.take(b"..") {
            return Ok(Path::Step { from: Box::new(from), axis: Axis::Parent, name: None });
        }
        if self.take(b".") {
            return Ok(from);
        }
        let mut axis = Axis::Child;
        if self.take(b"@") {
            axis = Axis::Attribute;
        } else if let Some(name) = self.name()
            && let Some((_, of_name)) = AXES.iter().find(|(n, _)| *n == name)
            && self.rest()[name.len()..].starts_with(b"::")
        {
            self.at += name.len() + 2;
            axis = *of_name;
        }
        let mut path = self.node_test(from, axis)?;
        while self.take(b"[") {
            self.filters += 1;
            let condition = self.expression()?;
            self.filters -= 1;
            self.need(b"]")?;
            path = Path::Filter { from: Box::new(path), condition: Box::new(condition) };
        }
        Ok(path)
    }

    fn node_test(&mut self, from: Path, axis: Axis) -> Read<Path> {
        if self.take(b"*") {
            return Ok(Path::Step { from: Box::new(from), axis, name: Some(Box::default()) });
        }
        let Some(mut name) = self.name() else { return Err(self.mistake()) };
        let begin = self.at;
        self.at += name.len();
        if matches!(name, b"comment" | b"text" | b"processing-instruction" | b"node")
            && self.rest().first() == Some(&b'(')
        {
            // tests of the kind of a node let pass what is there
            self.at += 1;
            self.need(b")")?;
            return Ok(from);
        }
        if self.take(b":") {
            let Some(local) = self.name() else { return Err(self.mistake()) };
            self.at += local.len();
            name = &self.text[begin..self.at];
        }
        Ok(Path::Step { from: Box::new(from), axis, name: Some(name.into()) })
    }
}
