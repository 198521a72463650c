//! Expressions.

use super::{Name, OrderItem, Query, Span};
use charset::WeightFormat;

/// An expression with its place in the source text.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands; parentheses around the whole expression are not part of it.
    pub span: Span,
    /// Height of the tree below (a leaf has 1): the parser bounds it, so that recursion over a tree is safe.
    height: u16,
}

/// The kinds of expressions. Parentheses leave no trace.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant.
    Literal(Literal),
    /// A literal that the statement's fingerprint lifted out: its number among the lifted ones, and its value in this text.
    Lifted(u32, Box<Literal>),
    /// `?`, numbered from 0.
    Param(u32),
    /// A routine's variable: its slot and its name.
    Local(u32, Name),
    /// Column (or alias, or routine variable): `[[db.]table.]name`.
    Column(Box<ColumnRef>),
    /// A column whose table is known: stands in statements that were optimized, never in what was parsed.
    Field(Box<Field>),
    /// What the optimizer put around an expression; stands in statements that were optimized only.
    Mark(Mark, Vec<Expr>),
    /// `@name`.
    UserVariable(Name),
    /// `@@...`.
    SystemVariable(Box<SystemVariable>),
    /// `@name := expr`.
    Assign(Name, Box<Expr>),
    /// Prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// Infix operator (all but AND, OR).
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a AND b AND ...`: two or more, flat.
    And(Vec<Expr>),
    /// `a OR b OR ...`: two or more, flat.
    Or(Vec<Expr>),
    /// `expr IS [NOT] NULL|TRUE|FALSE|UNKNOWN`.
    Is {
        /// Operand.
        expr: Box<Expr>,
        /// What is asked.
        test: IsTest,
        /// IS NOT.
        negated: bool,
    },
    /// `expr [NOT] BETWEEN low AND high`.
    Between {
        /// Operand.
        expr: Box<Expr>,
        /// Lower bound, included.
        low: Box<Expr>,
        /// Upper bound, included.
        high: Box<Expr>,
        /// NOT BETWEEN.
        negated: bool,
    },
    /// `expr [NOT] IN (value, ...)`.
    InList {
        /// Operand; may be a row.
        expr: Box<Expr>,
        /// One or more values.
        list: Vec<Expr>,
        /// NOT IN.
        negated: bool,
    },
    /// `expr [NOT] IN (SELECT ...)`.
    InSubquery {
        /// Operand; may be a row.
        expr: Box<Expr>,
        /// The subquery.
        query: Box<Query>,
        /// NOT IN.
        negated: bool,
    },
    /// `expr [NOT] LIKE pattern [ESCAPE e]`.
    Like {
        /// Operand.
        expr: Box<Expr>,
        /// Pattern.
        pattern: Box<Expr>,
        /// The ESCAPE expression.
        escape: Option<Box<Expr>>,
        /// NOT LIKE.
        negated: bool,
    },
    /// `expr [NOT] REGEXP pattern` (and RLIKE).
    Regexp {
        /// Operand.
        expr: Box<Expr>,
        /// Pattern.
        pattern: Box<Expr>,
        /// NOT REGEXP.
        negated: bool,
    },
    /// `(a, b, ...)` or `ROW(a, b, ...)`: two or more.
    Row(Vec<Expr>),
    /// `(SELECT ...)`.
    Subquery(Box<Query>),
    /// `EXISTS (SELECT ...)`.
    Exists(Box<Query>),
    /// `expr op ANY|ALL (SELECT ...)`.
    Quantified {
        /// Left operand.
        expr: Box<Expr>,
        /// A comparison operator.
        op: BinaryOp,
        /// ALL; else ANY/SOME.
        all: bool,
        /// The subquery.
        query: Box<Query>,
    },
    /// `CASE [operand] WHEN .. THEN .. [ELSE ..] END`.
    Case {
        /// The operand of the simple form.
        operand: Option<Box<Expr>>,
        /// (condition or value, result).
        branches: Vec<(Expr, Expr)>,
        /// ELSE.
        otherwise: Option<Box<Expr>>,
    },
    /// `CAST(expr AS type)` and `CONVERT(expr, type)`.
    Cast(Box<Expr>, Box<CastType>),
    /// `expr AS type` among the arguments of COLUMN_CREATE and COLUMN_ADD: stands nowhere else.
    ColumnValue(Box<Expr>, Box<ColumnValueType>),
    /// `CONVERT(expr USING charset)`; DEFAULT is given as the word.
    ConvertUsing(Box<Expr>, Name),
    /// `expr COLLATE name`.
    Collate(Box<Expr>, Name),
    /// `date + INTERVAL value unit`, DATE_ADD, DATE_SUB, ADDDATE, SUBDATE.
    DateArith {
        /// The date operand.
        expr: Box<Expr>,
        /// Amount.
        interval: Box<Expr>,
        /// Unit.
        unit: IntervalUnit,
        /// Subtract.
        subtract: bool,
    },
    /// `EXTRACT(unit FROM expr)`.
    Extract(IntervalUnit, Box<Expr>),
    /// `TIMESTAMPADD(unit, n, date)`: the same as date + INTERVAL n unit.
    TimestampAdd(IntervalUnit, Box<Expr>, Box<Expr>),
    /// `TIMESTAMPDIFF(unit, a, b)`.
    TimestampDiff(IntervalUnit, Box<Expr>, Box<Expr>),
    /// `GET_FORMAT(kind, expr)`.
    GetFormat(TemporalKind, Box<Expr>),
    /// `TRIM([[BOTH|LEADING|TRAILING] [remove] FROM] expr)`.
    Trim {
        /// Which end.
        side: TrimSide,
        /// What is removed; a space when absent.
        remove: Option<Box<Expr>>,
        /// The string.
        expr: Box<Expr>,
        /// As Oracle has it: what is empty is NULL.
        oracle: bool,
    },
    /// `CHAR(n, ... USING charset)`; without USING it is a plain function.
    CharUsing(Vec<Expr>, Name),
    /// `WEIGHT_STRING(expr [AS CHAR(n)|BINARY(n)] [LEVEL ...])`.
    WeightString {
        /// The string.
        expr: Box<Expr>,
        /// How.
        format: WeightFormat,
        /// AS BINARY.
        binary: bool,
    },
    /// Any function without a syntax of its own; special forms that are mere spellings come here too:
    /// SUBSTRING(a FROM b FOR c), POSITION(a IN b) (as `locate`), CURRENT_TIMESTAMP, MOD, IF, LEFT, USER() ...
    Function(Box<FunctionCall>),
    /// COUNT, SUM, GROUP_CONCAT ..., with OVER also as window functions.
    Aggregate(Box<AggregateCall>),
    /// ROW_NUMBER() OVER ... and other functions that exist only with OVER.
    Window(Box<WindowCall>),
    /// `MATCH (col, ...) AGAINST (expr mode)`.
    Match(Box<MatchAgainst>),
    /// `DEFAULT` (the whole value of an assignment) or `DEFAULT(column)`.
    Default(Option<Box<ColumnRef>>),
    /// `VALUES(col)` / `VALUE(col)` in ON DUPLICATE KEY UPDATE.
    Values(Box<ColumnRef>),
    /// `NEXT VALUE FOR seq` / NEXTVAL(seq), `PREVIOUS VALUE FOR seq` / LASTVAL(seq) (true).
    Sequence(super::TableName, bool),
    /// `SETVAL(seq, value, used, round)`.
    SetSequence(Box<super::SetSequence>),
    /// `INTERVAL(n, a, b, ...)`, the comparison function.
    IntervalFunction(Vec<Expr>),
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// NULL (and `\N`).
    Null,
    /// `''` under EMPTY_STRING_IS_NULL: NULL, with the character set of the introducer or of the connection.
    NullText(Option<&'static str>),
    /// TRUE, FALSE: the integers 1, 0 that print as words.
    Bool(bool),
    /// An integer without sign. Up to 2^63-1 it is a signed BIGINT, above it an unsigned one.
    Int(u64),
    /// A number with a point and no exponent, or an integer above 2^64-1; as typed.
    Decimal(Name),
    /// A number with an exponent; as typed.
    Float(Name),
    /// A string, without quotes and escapes, adjacent strings joined.
    String(Box<StringLiteral>),
    /// `0x...` (hex digits behave as number or string), the bytes.
    HexNumber(Box<[u8]>),
    /// `X'...'` (a binary string), the bytes.
    HexString(Box<[u8]>),
    /// `b'...'`, `0b...`: the bytes.
    Bit(Box<[u8]>),
    /// `DATE '...'`, `TIME '...'`, `TIMESTAMP '...'`, `{d '...'}`: the kind and the text.
    Temporal(TemporalKind, Box<[u8]>),
    /// `{d '...'}`, `{t '...'}`, `{ts '...'}`: a temporal literal where the text is one, else the text.
    Odbc(TemporalKind, Box<StringLiteral>),
}

/// A string literal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StringLiteral {
    /// The bytes, unescaped.
    pub bytes: Box<[u8]>,
    /// Introducer (`_latin1`): the character set's canonical name. Without it: the connection's.
    /// `N'...'` is `utf8mb3`. A hex or bit literal behind an introducer is kept as a string with it.
    pub charset: Option<&'static str>,
}

/// DATE, TIME, TIMESTAMP/DATETIME of literals and GET_FORMAT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporalKind {
    /// DATE.
    Date,
    /// TIME.
    Time,
    /// TIMESTAMP or DATETIME.
    DateTime,
}

/// How the optimizer has something computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Once for the statement.
    Cache,
    /// Once for each set of values; the last expression is what is computed, those before are the values.
    ExprCache,
    /// The left side of IN, and the subquery.
    InOptimizer,
    /// IN as EXISTS.
    Exists,
    /// ANY by an extreme of the subquery.
    Nop,
    /// ALL, by what must not be true.
    Not,
    /// The greatest value of a subquery.
    Max,
    /// The least value of a subquery.
    Min,
    /// Columns equal to each other, before one of them was chosen.
    MultipleEqual,
}

/// A column of a table of FROM, as `plan::optimized` prints it.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The number of the SELECT whose table it is.
    pub select: u32,
    /// The table's number there.
    pub table: usize,
    /// The column's number in the table.
    pub column: usize,
    /// How it is named.
    pub name: ColumnRef,
    /// Its value, when the table's one row is known.
    pub value: Option<Literal>,
}

/// A column's name as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnRef {
    /// Database.
    pub db: Option<Name>,
    /// Table or alias.
    pub table: Option<Name>,
    /// Column.
    pub name: Name,
}

impl ColumnRef {
    /// `db.table.column` as written.
    #[must_use]
    pub fn full_name(&self) -> String {
        let mut s = String::new();
        for part in [&self.db, &self.table].into_iter().flatten() {
            s.push_str(part);
            s.push('.');
        }
        s.push_str(&self.name);
        s
    }
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VariableScope {
    /// Not said: the session's value, or the global one when there is no session value.
    #[default]
    Implicit,
    /// GLOBAL, `@@global.`
    Global,
    /// SESSION, LOCAL, `@@session.`
    Session,
}

/// `@@[scope.][base.]name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemVariable {
    /// Scope.
    pub scope: VariableScope,
    /// Instance of a structured variable (key cache).
    pub base: Option<Name>,
    /// Name as typed.
    pub name: Name,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `~`
    BitNot,
    /// `NOT`, `!`
    Not,
    /// `BINARY`
    Binary,
}

/// Infix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `DIV`
    IntDivide,
    /// `%`, `MOD`
    Modulo,
    /// `|`
    BitOr,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `=`
    Eq,
    /// `<=>`
    NullSafeEq,
    /// `<>`, `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `XOR`
    Xor,
    /// `||` under PIPES_AS_CONCAT
    Concat,
    /// `SOUNDS LIKE`
    SoundsLike,
}

/// What IS asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsTest {
    /// IS NULL (IS UNKNOWN means the same).
    Null,
    /// IS TRUE.
    True,
    /// IS FALSE.
    False,
    /// IS UNKNOWN.
    Unknown,
}

/// The ends TRIM works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrimSide {
    /// BOTH, or not said.
    Both,
    /// LEADING.
    Leading,
    /// TRAILING.
    Trailing,
}

/// Units of INTERVAL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntervalUnit {
    Microsecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
    SecondMicrosecond,
    MinuteMicrosecond,
    MinuteSecond,
    HourMicrosecond,
    HourSecond,
    HourMinute,
    DayMicrosecond,
    DaySecond,
    DayMinute,
    DayHour,
    YearMonth,
}

impl IntervalUnit {
    /// Whether an amount of this unit is a plain number (else a text of several numbers).
    #[must_use]
    pub fn is_single(self) -> bool {
        matches!(
            self,
            IntervalUnit::Microsecond
                | IntervalUnit::Second
                | IntervalUnit::Minute
                | IntervalUnit::Hour
                | IntervalUnit::Day
                | IntervalUnit::Week
                | IntervalUnit::Month
                | IntervalUnit::Quarter
                | IntervalUnit::Year
        )
    }

    /// Whether adding this unit to a date gives a date with a time.
    #[must_use]
    pub fn has_time(self) -> bool {
        !matches!(
            self,
            IntervalUnit::Day
                | IntervalUnit::Week
                | IntervalUnit::Month
                | IntervalUnit::Quarter
                | IntervalUnit::Year
                | IntervalUnit::YearMonth
        )
    }

    /// Whether the unit reaches microseconds.
    #[must_use]
    pub fn has_micros(self) -> bool {
        matches!(
            self,
            IntervalUnit::Microsecond
                | IntervalUnit::SecondMicrosecond
                | IntervalUnit::MinuteMicrosecond
                | IntervalUnit::HourMicrosecond
                | IntervalUnit::DayMicrosecond
        )
    }
}

impl IntervalUnit {
    /// The word, as it is printed.
    pub fn word(self) -> &'static str {
        use IntervalUnit::*;
        match self {
            Microsecond => "microsecond",
            Second => "second",
            Minute => "minute",
            Hour => "hour",
            Day => "day",
            Week => "week",
            Month => "month",
            Quarter => "quarter",
            Year => "year",
            SecondMicrosecond => "second_microsecond",
            MinuteMicrosecond => "minute_microsecond",
            MinuteSecond => "minute_second",
            HourMicrosecond => "hour_microsecond",
            HourSecond => "hour_second",
            HourMinute => "hour_minute",
            DayMicrosecond => "day_microsecond",
            DaySecond => "day_second",
            DayMinute => "day_minute",
            DayHour => "day_hour",
            YearMonth => "year_month",
        }
    }
}

/// The types CAST knows.
#[derive(Clone, Debug, PartialEq)]
pub enum CastType {
    /// SIGNED [INTEGER].
    Signed,
    /// UNSIGNED [INTEGER].
    Unsigned,
    /// DECIMAL(m, d); 10, 0 when not given.
    Decimal(u32, u32),
    /// DOUBLE [(m, d)].
    Double(Option<(u32, u32)>),
    /// FLOAT.
    Float,
    /// CHAR(n) [CHARACTER SET cs], NCHAR.
    Char {
        /// Characters.
        length: Option<u64>,
        /// Character set, when given; `binary` makes it a binary string.
        charset: Option<Name>,
        /// BINARY attribute.
        binary: bool,
    },
    /// BINARY(n).
    Binary(Option<u64>),
    /// DATE.
    Date,
    /// TIME(n).
    Time(u8),
    /// DATETIME(n).
    DateTime(u8),
    /// YEAR.
    Year,
    /// INTERVAL DAY_SECOND(n).
    DaySecond(u8),
    /// A plug-in type: UUID, INET4, INET6, GEOMETRY ..., upper case.
    Other(Name),
}

/// The types that a value of a dynamic column may be given. Digits and lengths that the grammar takes are of no effect.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValueType {
    /// INT, INTEGER.
    Int,
    /// UNSIGNED INT.
    Unsigned,
    /// DOUBLE, FLOAT, REAL.
    Double,
    /// DECIMAL.
    Decimal,
    /// DATE.
    Date,
    /// TIME.
    Time,
    /// DATETIME.
    DateTime,
    /// CHAR [CHARACTER SET cs] [COLLATE name], NCHAR.
    Char {
        /// Character set, when given.
        charset: Option<Name>,
        /// Collation, when given.
        collation: Option<Name>,
        /// BINARY attribute.
        binary: bool,
    },
}

/// Characters of the longest text of INTERVAL DAY_SECOND(0).
pub const DAY_SECOND: u32 = 17;

/// A function call.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionCall {
    /// Database of a stored function.
    pub db: Option<Name>,
    /// Name as typed.
    pub name: Name,
    /// Arguments.
    pub args: Vec<Expr>,
    /// A blank stood between a name like COUNT or NOW and its `(`: only a stored function is meant
    /// (error 1630 when there is none).
    pub spaced: bool,
    /// The variables of the routine that an XPath among the arguments names, and their slots.
    pub locals: Vec<(Name, u32)>,
}

/// Aggregate functions of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AggregateFunction {
    /// COUNT(expr); COUNT(*) has no arguments.
    Count,
    Sum,
    Min,
    Max,
    Avg,
    /// STD, STDDEV, STDDEV_POP.
    Std,
    StdSamp,
    /// VARIANCE, VAR_POP.
    Variance,
    VarSamp,
    BitAnd,
    BitOr,
    BitXor,
    GroupConcat,
    JsonArrayAgg,
    JsonObjectAgg,
    /// A stored function; its call is the argument.
    Stored,
}

/// An aggregate.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateCall {
    /// Which.
    pub function: AggregateFunction,
    /// DISTINCT.
    pub distinct: bool,
    /// Arguments; none for COUNT(*).
    pub args: Vec<Expr>,
    /// ORDER BY of GROUP_CONCAT and JSON_ARRAYAGG.
    pub order_by: Vec<OrderItem>,
    /// SEPARATOR of GROUP_CONCAT.
    pub separator: Option<StringLiteral>,
    /// LIMIT of GROUP_CONCAT and JSON_ARRAYAGG.
    pub limit: Option<Box<super::Limit>>,
    /// OVER.
    pub over: Option<Over>,
}

/// A call of a function that needs OVER.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowCall {
    /// Name, lower case: `row_number`, `rank`, `lead` ...
    pub function: Name,
    /// Arguments.
    pub args: Vec<Expr>,
    /// WITHIN GROUP (ORDER BY ...) of percentile functions.
    pub within_group: Vec<OrderItem>,
    /// OVER.
    pub over: Over,
}

/// What follows OVER.
#[derive(Clone, Debug, PartialEq)]
pub enum Over {
    /// The name of a window.
    Name(Name),
    /// A window written in place.
    Spec(WindowSpec),
}

/// A window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WindowSpec {
    /// The window it builds upon.
    pub base: Option<Name>,
    /// PARTITION BY.
    pub partition_by: Vec<Expr>,
    /// ORDER BY.
    pub order_by: Vec<OrderItem>,
    /// ROWS or RANGE.
    pub frame: Option<Box<WindowFrame>>,
}

/// The frame of a window.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowFrame {
    /// RANGE; else ROWS.
    pub range: bool,
    /// First row.
    pub start: FrameBound,
    /// Last row; the current one when absent.
    pub end: Option<FrameBound>,
    /// EXCLUDE clause, upper case words (CURRENT ROW, GROUP, TIES, NO OTHERS).
    pub exclude: Option<Name>,
}

/// One end of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameBound {
    /// UNBOUNDED PRECEDING.
    UnboundedPreceding,
    /// UNBOUNDED FOLLOWING.
    UnboundedFollowing,
    /// CURRENT ROW.
    CurrentRow,
    /// n PRECEDING.
    Preceding(Expr),
    /// n FOLLOWING.
    Following(Expr),
}

/// MATCH ... AGAINST.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchAgainst {
    /// Columns (the grammar takes any simple expression; the binder demands columns).
    pub columns: Vec<Expr>,
    /// What is looked for.
    pub against: Expr,
    /// How.
    pub mode: MatchMode,
}

/// Search modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchMode {
    /// IN NATURAL LANGUAGE MODE, or not said.
    Natural,
    /// [IN NATURAL LANGUAGE MODE] WITH QUERY EXPANSION.
    NaturalExpansion,
    /// IN BOOLEAN MODE.
    Boolean,
}

impl Expr {
    /// A node above its children; its height is taken from theirs.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        let height = kind.child_height().saturating_add(1);
        Expr { kind, span, height }
    }

    /// Height of the tree, 1 for a leaf. The parser refuses statements with trees above
    /// [`crate::parse::MAX_DEPTH`], so recursion over a parsed tree is bounded.
    pub fn height(&self) -> u16 {
        self.height
    }

    /// Whether it sums up rows, or looks at several through a window.
    pub fn has_aggregate(&self) -> bool {
        let mut found = matches!(self.kind, ExprKind::Aggregate(_) | ExprKind::Window(_));
        self.kind.for_children(&mut |child| found |= child.has_aggregate());
        found
    }

    /// Whether it looks at several rows through a window.
    pub fn has_window(&self) -> bool {
        let mut found = match &self.kind {
            ExprKind::Window(_) => true,
            ExprKind::Aggregate(a) => a.over.is_some(),
            _ => false,
        };
        self.kind.for_children(&mut |child| found |= child.has_window());
        found
    }

    /// The column's name if the expression is nothing but an unqualified name.
    pub fn bare_name(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Column(c) if c.table.is_none() => Some(&c.name),
            _ => None,
        }
    }
}

impl ExprKind {
    /// The largest height among the direct children, 0 for a leaf.
    fn child_height(&self) -> u16 {
        let mut max = 0;
        self.for_children(&mut |e| max = max.max(e.height));
        let queries = match self {
            ExprKind::InSubquery { query, .. }
            | ExprKind::Subquery(query)
            | ExprKind::Exists(query)
            | ExprKind::Quantified { query, .. } => query.height,
            _ => 0,
        };
        max.max(queries)
    }
}
