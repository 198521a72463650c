//! Typed expressions and their evaluation over batches of rows.

pub mod aggregate;
pub mod arguments;
mod arith;
pub mod calls;
mod case;
mod compare;
pub mod context;
pub mod eval;
pub mod full_text;
pub mod function;
mod in_list;
mod logic;
pub mod measured;
mod portions;
pub mod rows;
pub mod sequences;
pub mod typing;
pub mod user_variables;
pub mod window;

pub use aggregate::AggregateCall;
pub use arith::division_by_zero;
pub use compare::order_digits;
pub use context::{ConnectionState, EvalContext, Execution};
pub use eval::truth;
pub use eval::{Frame, Rows, VecRef};
pub use user_variables::UserVariable;

use crate::error::SqlResult;
use crate::types::{Class, FieldType, Kind, Value, Vector};
use charset::Collation;
use function::Function;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A bound expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What is computed.
    pub node: Node,
    /// The type of the value.
    pub ty: FieldType,
}

/// A column of a table of the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColumnRef {
    /// The table's number in the statement.
    pub table: u32,
    /// The column's number in the table.
    pub column: u32,
    /// The vector of the batch that holds the column; the planner sets it.
    pub slot: u32,
}

/// A slot that no planner has set yet.
pub const NO_SLOT: u32 = u32::MAX;

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CompareOp {
    Eq,
    NullSafeEq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// How two values are compared. The binder has converted the operands to the class it needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Comparison {
    /// As integers; each side may be signed or unsigned.
    Int,
    /// As doubles.
    Double,
    /// As doubles that show so many digits after the point: less than half of the last one is no difference.
    Digits(u8),
    /// As decimals.
    Decimal,
    /// As text of this collation.
    Text(&'static Collation),
    /// As packed temporals of one class.
    Temporal,
}

/// Arithmetic and bit operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ArithOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    IntDivide,
    Modulo,
    BitOr,
    BitAnd,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

impl ArithOp {
    /// The sign as it is written.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            ArithOp::Add => "+",
            ArithOp::Subtract => "-",
            ArithOp::Multiply => "*",
            ArithOp::Divide => "/",
            ArithOp::IntDivide => "DIV",
            ArithOp::Modulo => "MOD",
            ArithOp::BitOr => "|",
            ArithOp::BitAnd => "&",
            ArithOp::BitXor => "^",
            ArithOp::ShiftLeft => "<<",
            ArithOp::ShiftRight => ">>",
        }
    }
}

/// What `IS` asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Test {
    Null,
    True,
    False,
}

/// What an expression computes.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A constant of the type's class (or NULL).
    Literal(Value),
    /// Parameter `n` of the statement: `?` or a lifted literal; taken from [`EvalContext::params`].
    Param(u32),
    /// A column.
    Column(ColumnRef),
    /// Value `n` of the outer row: [`EvalContext::outer`].
    Outer(u32),
    /// Aggregate `n` of the query; the planner replaces it by a column
    /// ([`Expr::replace_aggregates`]).
    Aggregate(u32),
    /// Window function `n` of the query; the planner replaces it by a column as well.
    Window(u32),
    /// The operand converted to this expression's type, as the server converts silently.
    Convert(Box<Expr>),
    /// `-x`; the text is that of error 1690.
    Negate(Box<Expr>, Box<str>),
    /// `~x`.
    BitNot(Box<Expr>),
    /// `NOT x`.
    Not(Box<Expr>),
    /// `x IS [NOT] NULL|TRUE|FALSE`.
    Is(Box<Expr>, Test, bool),
    /// Arithmetic; the text is that of error 1690.
    Arith(ArithOp, Box<[Expr; 2]>, Box<str>),
    /// A comparison.
    Compare(CompareOp, Comparison, Box<[Expr; 2]>),
    /// AND of two or more.
    And(Vec<Expr>),
    /// OR of two or more.
    Or(Vec<Expr>),
    /// XOR.
    Xor(Box<[Expr; 2]>),
    /// `a [NOT] BETWEEN b AND c`; each pair by its own comparison.
    Between {
        /// value, low, high.
        args: Box<[Expr; 3]>,
        /// How they are compared.
        by: Comparison,
        /// NOT BETWEEN.
        negated: bool,
    },
    /// `a [NOT] IN (list)`, all of one comparison.
    In {
        /// The value.
        expr: Box<Expr>,
        /// The list.
        list: Vec<Expr>,
        /// How they are compared.
        by: Comparison,
        /// NOT IN.
        negated: bool,
        /// How values are found in it.
        lookup: eval::InLookup,
    },
    /// `a [NOT] LIKE pattern`.
    Like {
        /// value, pattern.
        args: Box<[Expr; 2]>,
        /// The collation.
        collation: &'static Collation,
        /// Escape character, as [`Collation::like`] wants it.
        escape: Option<u32>,
        /// NOT LIKE.
        negated: bool,
    },
    /// `IF(a, b, c)`.
    If(Box<[Expr; 3]>),
    /// `CASE WHEN c THEN v ... ELSE e END`.
    Case {
        /// x of `CASE x WHEN`, as each kind of comparison takes it; without those that may be computed again.
        operands: Vec<Expr>,
        /// Condition and value of each WHEN.
        branches: Vec<(Expr, Expr)>,
        /// ELSE.
        otherwise: Option<Box<Expr>>,
    },
    /// Operand `n` of the innermost CASE around it: the left side of comparisons that CASE makes of its WHENs.
    Operand(u32),
    /// COALESCE, IFNULL.
    Coalesce(Vec<Expr>),
    /// A function.
    Call(Function, Vec<Expr>),
    /// `@name`.
    UserVariable(Box<str>),
    /// `@name := x`.
    Assign(Box<str>, Box<Expr>),
    /// A constant of a comparison that warns or fails when it is computed: that happens once in an execution. The
    /// number tells it from others ([`Expr::once`]).
    Once(u32, Box<Expr>),
    /// What an independent subquery answers, converted for a comparison, and that once in an execution: a text that is no
    /// number warns once, whatever rows it stands beside.
    Answer(u32, Box<Expr>),
    /// A subquery; the executor runs it through [`SubqueryRunner`].
    Subquery(Box<SubqueryNode>),
    /// `MATCH ... AGAINST`.
    Match(Box<full_text::MatchCall>),
    /// A row of values: only as an operand of a subquery comparison.
    Row(Vec<Expr>),
}

/// What is asked of a subquery.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SubqueryKind {
    /// `(SELECT ..)` as a value; error 1242 when it has more rows.
    Scalar,
    /// Column `n` of `(SELECT a, b ..)` as a row of values.
    Column(u32),
    /// `EXISTS (SELECT ..)`.
    Exists,
    /// `x [NOT] IN (SELECT ..)`.
    In {
        /// NOT IN.
        negated: bool,
    },
    /// `x op ANY|ALL (SELECT ..)`.
    Quantified {
        /// The comparison.
        op: CompareOp,
        /// ALL; else ANY.
        all: bool,
    },
}

impl SubqueryKind {
    /// Whether it is true for what is not among the rows: NOT IN, and `<> ALL`.
    #[must_use]
    pub fn is_negated(self) -> bool {
        match self {
            SubqueryKind::In { negated } => negated,
            SubqueryKind::Quantified { all, .. } => all,
            _ => false,
        }
    }
}

/// A subquery in an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct SubqueryNode {
    /// The executor's number for it, from [`crate::bind::Scope::subquery`].
    pub id: u32,
    /// What is asked.
    pub kind: SubqueryKind,
    /// Left operands of IN and of quantified comparisons (several for a row).
    pub left: Vec<Expr>,
    /// How left operand `i` is compared with column `i` of the subquery.
    pub by: Vec<Comparison>,
    /// Column `i` of the subquery's rows, converted to what it is compared as ([`Expr::row_column`] is the
    /// column itself).
    pub compare_as: Vec<Expr>,
    /// Expressions of this query that the subquery refers to, in the order of its
    /// [`Node::Outer`] numbers.
    pub outer: Vec<Expr>,
    /// It refers to nothing outside and to no user variable, and calls nothing that gives another value each time: it has one answer in an
    /// execution, but for what its left operands are.
    pub constant: bool,
    /// It is a condition, or a part of one joined by AND, OR and NOT: what it compares with ANY or ALL is the row that goes
    /// furthest, which the type of the column tells, not that of the comparison.
    pub decides: bool,
}

impl Expr {
    /// Notes that the expression is a condition, for what it asks of subqueries.
    pub fn decides(&mut self) {
        match &mut self.node {
            Node::And(list) | Node::Or(list) => list.iter_mut().for_each(Expr::decides),
            Node::Not(e) => e.decides(),
            Node::Subquery(node) => node.decides = true,
            _ => {}
        }
    }
}

/// Runs subqueries for the evaluator.
pub trait SubqueryRunner {
    /// Runs subquery `node.id` for one outer row. `outer` are the values of `node.outer`, `left`
    /// those of `node.left`. The answer is the scalar, or a truth value (NULL = unknown).
    ///
    /// # Errors
    /// Those of the subquery; 1242 for a scalar of several rows.
    fn run(
        &self,
        node: &SubqueryNode,
        outer: &[Value],
        left: &[Value],
        ctx: &mut EvalContext,
    ) -> SqlResult<Value>;

    /// Appends the answers of a subquery without outer values for the first `rows` values of its only left operand, where these can be
    /// given all at once; false, and nothing is done, where they cannot.
    ///
    /// # Errors
    /// As [`SubqueryRunner::run`].
    fn run_all(
        &self,
        node: &SubqueryNode,
        left: &Vector,
        rows: usize,
        out: &mut Vector,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool>;

    /// The rows that a search which ranks finds, in the order of their positions.
    ///
    /// # Errors
    /// Those of reading the key and of temporary files, of a killed statement; 1191 when the key is disabled by now.
    fn search(
        &self,
        call: &full_text::MatchCall,
        query: &[u8],
        ctx: &mut EvalContext,
    ) -> SqlResult<Arc<dyn full_text::HitList>>;
}

/// Calls `$f` for each direct child; `$iter` goes through lists.
macro_rules! each_child {
    ($node:expr, $f:ident, $iter:ident) => {
        match $node {
            Node::Literal(_)
            | Node::Param(_)
            | Node::Column(_)
            | Node::Outer(_)
            | Node::Aggregate(_)
            | Node::Window(_)
            | Node::Operand(_)
            | Node::UserVariable(_) => {}
            Node::Convert(e) | Node::Negate(e, _) | Node::BitNot(e) | Node::Not(e) | Node::Is(e, _, _) => {
                $f(e)
            }
            Node::Assign(_, e) | Node::Once(_, e) | Node::Answer(_, e) => $f(e),
            Node::Arith(_, a, _) | Node::Compare(_, _, a) | Node::Xor(a) | Node::Like { args: a, .. } => {
                a.$iter().for_each($f);
            }
            Node::And(v) | Node::Or(v) | Node::Coalesce(v) | Node::Call(_, v) | Node::Row(v) => {
                v.$iter().for_each($f);
            }
            Node::Between { args, .. } | Node::If(args) => args.$iter().for_each($f),
            Node::In { expr, list, .. } => {
                $f(expr);
                list.$iter().for_each($f);
            }
            Node::Case { operands, branches, otherwise } => {
                operands.$iter().for_each(&mut *$f);
                for (c, v) in branches {
                    $f(c);
                    $f(v);
                }
                if let Some(e) = otherwise {
                    $f(e);
                }
            }
            Node::Match(m) => m.args.$iter().for_each($f),
            Node::Subquery(s) => {
                s.left.$iter().for_each(&mut *$f);
                s.outer.$iter().for_each($f);
            }
        }
    };
}

/// A number that no other [`Node::Once`] or [`Node::Answer`] has.
fn next_once() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Expr {
    /// An expression.
    #[must_use]
    pub fn new(node: Node, ty: FieldType) -> Expr {
        Expr { node, ty }
    }

    /// A constant.
    #[must_use]
    pub fn literal(value: Value, ty: FieldType) -> Expr {
        let nullable = value.is_null();
        Expr { node: Node::Literal(value), ty: ty.with_nullable(nullable) }
    }

    /// A column.
    #[must_use]
    pub fn column(table: u32, column: u32, ty: FieldType) -> Expr {
        Expr { node: Node::Column(ColumnRef { table, column, slot: NO_SLOT }), ty }
    }

    /// Column `n` of a batch of rows, whatever table it came from.
    #[must_use]
    pub fn row_column(n: u32, ty: FieldType) -> Expr {
        Expr { node: Node::Column(ColumnRef { table: u32::MAX, column: n, slot: n }), ty }
    }

    /// A constant of a comparison, computed once in an execution; anything else as it is.
    #[must_use]
    pub fn once(self) -> Expr {
        if self.is_converted_answer() {
            let ty = self.ty.clone();
            return Expr { node: Node::Answer(next_once(), Box::new(self)), ty };
        }
        if matches!(self.node, Node::Literal(_) | Node::Param(_) | Node::Once(..) | Node::Row(_))
            || !self.is_settled()
        {
            return self;
        }
        let ty = self.ty.clone();
        Expr { node: Node::Once(next_once(), Box::new(self)), ty }
    }

    /// Whether it is the value of a subquery that has one answer in an execution, and a conversion of it.
    #[must_use]
    pub fn is_converted_answer(&self) -> bool {
        let inner = match &self.node {
            Node::Convert(inner) => &**inner,
            Node::Call(f, args) if f.is_pure() => match &args[..] {
                [inner] => inner,
                _ => return false,
            },
            _ => return false,
        };
        matches!(&inner.node, Node::Subquery(s) if s.constant && s.kind == SubqueryKind::Scalar)
    }

    /// The value when this is a literal.
    #[must_use]
    pub fn as_literal(&self) -> Option<&Value> {
        match &self.node {
            Node::Literal(v) => Some(v),
            _ => None,
        }
    }

    /// The column when this is nothing but a column.
    #[must_use]
    pub fn as_column(&self) -> Option<ColumnRef> {
        match &self.node {
            Node::Column(c) => Some(*c),
            _ => None,
        }
    }

    /// The members that order the texts of MIN or MAX of an ENUM or SET, and of a column that has them.
    #[must_use]
    pub fn members(&self) -> Option<&Arc<[Box<[u8]>]>> {
        let taken = matches!(self.node, Node::Column(_) | Node::Aggregate(_));
        let text = !matches!(self.ty.kind, Kind::Enum | Kind::Set);
        self.ty.values.as_ref().filter(|_| taken && text)
    }

    /// The columns of a row.
    #[must_use]
    pub fn as_row(&self) -> Option<&[Expr]> {
        match &self.node {
            Node::Row(list) => Some(list),
            _ => None,
        }
    }

    /// Calls `f` for each direct child.
    pub fn for_children<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        each_child!(&self.node, f, iter);
    }

    /// Calls `f` for each direct child.
    pub fn for_children_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        each_child!(&mut self.node, f, iter_mut);
    }

    /// Calls `f` for this expression and everything below it.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        self.for_children(&mut |e| e.walk(f));
    }

    /// Whether a decimal's values may have more digits behind the point than its type tells, as those of a quotient have.
    #[must_use]
    pub fn has_hidden_digits(&self) -> bool {
        let decimal = |e: &Expr| e.ty.class() == Class::Decimal;
        if !decimal(self) || matches!(self.node, Node::Convert(_)) {
            return false;
        }
        let mut found = false;
        self.walk(&mut |e| found |= matches!(e.node, Node::Arith(ArithOp::Divide, ..)) && decimal(e));
        found
    }

    /// Calls `f` for everything below this expression and then for itself.
    pub fn walk_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        self.for_children_mut(&mut |e| e.walk_mut(f));
        f(self);
    }

    /// Calls `f` for every column reference, to set slots.
    pub fn columns_mut(&mut self, f: &mut dyn FnMut(&mut ColumnRef)) {
        self.walk_mut(&mut |e| {
            if let Node::Column(c) = &mut e.node {
                f(c);
            }
        });
    }

    /// Calls `f` for every column reference.
    pub fn columns(&self, f: &mut dyn FnMut(ColumnRef)) {
        self.walk(&mut |e| {
            if let Node::Column(c) = &e.node {
                f(*c);
            }
        });
    }

    /// Replaces aggregate `n` by a reference to the slot `base + n` of a batch.
    pub fn replace_aggregates(&mut self, base: u32) {
        self.walk_mut(&mut |e| {
            if let Node::Aggregate(n) = e.node {
                e.node = Node::Column(ColumnRef { table: u32::MAX, column: n, slot: base + n });
            }
        });
    }

    /// Gives aggregates with numbers from `lifted` on those from `base` on.
    pub fn settle_lifted(&mut self, lifted: u32, base: u32) {
        self.walk_mut(&mut |e| {
            if let Node::Aggregate(n) = &mut e.node
                && *n >= lifted
            {
                *n = *n - lifted + base;
            }
        });
    }

    /// Whether the value is the same for all rows of one execution (parameters are; columns,
    /// outer references, RAND() and side effects are not).
    #[must_use]
    pub fn is_constant(&self) -> bool {
        let mut constant = true;
        self.walk(&mut |e| {
            constant &= match &e.node {
                Node::Column(_) | Node::Aggregate(_) | Node::Outer(_) | Node::Subquery(_) => false,
                Node::Window(_) | Node::UserVariable(_) | Node::Assign(..) => false,
                Node::Call(f, _) => f.is_pure(),
                _ => true,
            };
        });
        constant
    }

    /// Whether a function in it gives another value with each call, as RAND() does.
    #[must_use]
    pub fn differs_by_row(&self) -> bool {
        let mut differs = false;
        self.walk(&mut |e| differs |= matches!(&e.node, Node::Call(f, _) if !f.is_pure()));
        differs
    }

    /// As [`Expr::is_constant`], in a statement that assigns no user variable.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let mut settled = true;
        self.walk(&mut |e| {
            settled &= match &e.node {
                Node::Column(_)
                | Node::Aggregate(_)
                | Node::Window(_)
                | Node::Outer(_)
                | Node::Subquery(_)
                | Node::Assign(..) => false,
                Node::Call(f, _) => f.is_pure(),
                _ => true,
            };
        });
        settled
    }

    /// Whether computing it twice for the same row is the same as once.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        let mut repeatable = true;
        self.walk(&mut |e| {
            repeatable &= match &e.node {
                Node::Assign(..) => false,
                Node::Call(f, _) => f.is_pure(),
                _ => true,
            };
        });
        repeatable
    }

    /// Whether the value is known when the statement is bound: constant and without parameters.
    #[must_use]
    pub fn is_foldable(&self) -> bool {
        let mut foldable = self.is_constant();
        self.walk(&mut |e| {
            foldable &= match &e.node {
                Node::Param(_) => false,
                Node::Call(f, _) => f.is_immutable(),
                _ => true,
            };
        });
        foldable
    }

    /// The tables that the expression refers to, as a bit mask (tables 0 to 63).
    #[must_use]
    pub fn tables(&self) -> u64 {
        let mut mask = 0;
        self.columns(&mut |c| {
            if c.table < 64 {
                mask |= 1 << c.table;
            }
        });
        mask
    }
}
