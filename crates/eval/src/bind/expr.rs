//! Binding of expressions: names are resolved, types derived, operands converted, constants folded,
//! aggregates collected.

use super::describe::describe;
use super::{comparison, operators};
use crate::ast::{self, ExprKind};
use crate::error::{ER_OPERAND_COLUMNS, ER_WRONG_USAGE, SqlError, SqlResult};
use crate::expr::sequences::Action;
use crate::expr::typing::{coerce, force};
use crate::expr::user_variables::{as_condition, kept_type, of_numbers};
use crate::expr::{
    AggregateCall, ArithOp, CompareOp, EvalContext, Expr, Node, SubqueryKind, SubqueryNode, Test,
    UserVariable,
};
use crate::func;
use crate::result::NOT_FIXED_DEC;
use crate::types::{Class, Derivation, FieldType, Kind, Value};

/// What a column name means.
#[derive(Clone, Debug)]
pub enum Resolved {
    /// A column of a table of this query.
    Column {
        /// The table's number.
        table: u32,
        /// The column's number.
        column: u32,
        /// The column's type (nullable when the table is on the inner side of an outer join).
        ty: FieldType,
    },
    /// A value of an outer query: its number among the outer values.
    Outer {
        /// The number: [`crate::expr::Node::Outer`].
        index: u32,
        /// Its type.
        ty: FieldType,
    },
    /// An alias of the select list, or a merged view's expression.
    Expr(Expr),
}

/// A subquery that the planner has bound.
#[derive(Clone, Debug)]
pub struct BoundSubquery {
    /// The planner's number for it.
    pub id: u32,
    /// Its columns.
    pub columns: Vec<FieldType>,
    /// What it refers to in the query around it, in the order of its outer numbers.
    pub outer: Vec<Expr>,
    /// [`SubqueryNode::constant`].
    pub constant: bool,
}

/// The names an expression may use. What a scope does not have, it answers with an error.
pub trait Scope {
    /// Resolves a column; `clause` is the word of error 1054 (`SELECT`, `WHERE` ...).
    ///
    /// # Errors
    /// 1054 unknown, 1052 ambiguous.
    fn column(&mut self, name: &ast::ColumnRef, clause: &str) -> SqlResult<Resolved>;

    /// The arguments of an aggregate begin.
    fn enter_aggregate(&mut self) {}

    /// The arguments of the aggregate that began last end.
    fn leave_aggregate(&mut self) {}

    /// An aggregate of nothing but columns of one query around sums up the rows of that query: its value there. So does one of no column
    /// that may not stand `here`, in the nearest query where it may.
    ///
    /// # Errors
    /// Those of binding it there; 1111 where it may not stand.
    fn lift(
        &mut self,
        a: &ast::AggregateCall,
        call: &AggregateCall,
        here: bool,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<Expr>> {
        let _ = (a, call, here, ctx);
        Ok(None)
    }

    /// The window functions of the SELECT that is bound; none where there is none.
    fn windows(&mut self) -> Option<&mut super::Windows> {
        None
    }

    /// The value of a system variable at this moment.
    ///
    /// # Errors
    /// 1193 unknown, 1238 wrong scope.
    fn system_variable(&mut self, variable: &ast::SystemVariable) -> SqlResult<(Value, FieldType)>;

    /// Tells what the next subquery is compared with, by IN and its like.
    fn sought(&mut self, _left: &[Expr]) {}

    /// Binds and plans a subquery.
    ///
    /// # Errors
    /// Those of the subquery.
    fn subquery(
        &mut self,
        query: &ast::Query,
        kind: SubqueryKind,
        ctx: &mut EvalContext,
    ) -> SqlResult<BoundSubquery>;

    /// The type of parameter `n` (`?`), when it is known: of the value to be executed with.
    fn param(&mut self, n: u32) -> Option<FieldType> {
        let _ = n;
        None
    }

    /// `DEFAULT(col)`.
    ///
    /// # Errors
    /// 1364 without a default.
    fn default_of(&mut self, name: &ast::ColumnRef, ctx: &mut EvalContext) -> SqlResult<Expr>;

    /// A column as error texts name it.
    fn display(&mut self, name: &ast::ColumnRef) -> String {
        let mut out = String::new();
        for part in [&name.db, &name.table].into_iter().flatten().chain([&name.name]) {
            if !out.is_empty() {
                out.push('.');
            }
            ast::quote_identifier(part, ast::PrintStyle::default(), &mut out);
        }
        out
    }

    /// The number and type of a stored aggregate function; `None` when there is none of that name.
    ///
    /// # Errors
    /// Those of the function's binding.
    fn stored_aggregate(
        &mut self,
        call: &ast::FunctionCall,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<(u64, FieldType)>> {
        let _ = (call, ctx);
        Ok(None)
    }

    /// Calls a stored function; `None` when there is none of that name.
    ///
    /// # Errors
    /// Those of the function's binding.
    fn stored_function(
        &mut self,
        call: &ast::FunctionCall,
        args: Vec<Expr>,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<Expr>> {
        let _ = (call, args, ctx);
        Ok(None)
    }

    /// What a sequence answers.
    ///
    /// # Errors
    /// 1046; 4089 and 4091 where it is looked for.
    fn sequence(&mut self, name: &ast::TableName, action: Action, ctx: &mut EvalContext) -> SqlResult<Expr> {
        let _ = (action, ctx);
        match &name.db {
            Some(db) => Ok(crate::expr::sequences::sequence_value(db, &name.name, action)),
            None => Err(SqlError::not_supported("a sequence without its database")),
        }
    }

    /// A MATCH of columns with one query.
    ///
    /// # Errors
    /// 1191 when no key has these columns, 1210 for columns of several tables, 1214 for an engine without full text.
    fn full_text(&mut self, asked: super::full_text::Asked, ctx: &mut EvalContext) -> SqlResult<Expr> {
        let _ = (asked, ctx);
        Err(SqlError::not_supported("MATCH ... AGAINST"))
    }

    /// `VALUES(col)` of ON DUPLICATE KEY UPDATE.
    ///
    /// # Errors
    /// 1054 when there is no such column.
    fn values_of(&mut self, name: &ast::ColumnRef) -> SqlResult<Expr>;
}

/// Binds the expressions of one query level.
pub struct ExprBinder<'a> {
    /// The names.
    pub scope: &'a mut dyn Scope,
    /// Settings, variables; warnings of folded constants go here.
    pub ctx: &'a mut EvalContext,
    /// The clause that is bound now, for error 1054.
    pub clause: &'static str,
    /// Whether aggregates are allowed here; else error 1111.
    pub allow_aggregates: bool,
    /// The aggregates met so far; equal ones share a number.
    pub aggregates: Vec<AggregateCall>,
    /// False once something was bound in that holds only for this execution (a system variable's
    /// value, a folded constant with a warning): the plan must not be kept.
    pub cacheable: bool,
    /// Whether conditions are rewritten before they are tested: those of queries are, of UPDATE and DELETE not.
    pub rewrites: bool,
    /// Inside an aggregate's argument.
    pub(super) in_aggregate: bool,
}

impl<'a> ExprBinder<'a> {
    /// A binder for this scope.
    pub fn new(scope: &'a mut dyn Scope, ctx: &'a mut EvalContext) -> ExprBinder<'a> {
        ExprBinder {
            scope,
            ctx,
            clause: "SELECT",
            allow_aggregates: true,
            aggregates: Vec::new(),
            cacheable: true,
            rewrites: true,
            in_aggregate: false,
        }
    }

    /// An operand: a hex or bit literal that a parameter stands for is a text there, and a number only where it is
    /// stored.
    fn operand(&mut self, e: &ast::Expr) -> SqlResult<Expr> {
        let mut bound = self.bind(e)?;
        bound.ty.hex &= !matches!(e.kind, ExprKind::Param(_));
        Ok(bound)
    }

    /// Binds an expression.
    ///
    /// # Errors
    /// Unknown names, wrong argument counts (1582), mixes of collations (1267), wrong operands (1241).
    pub fn bind(&mut self, e: &ast::Expr) -> SqlResult<Expr> {
        let before = self.kept_while();
        let bound = self.bind_node(e)?;
        if matches!(bound.node, Node::Row(_)) {
            return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&1]));
        }
        let bound = self.fold(bound);
        self.cacheable &= self.kept_while() == before;
        Ok(bound)
    }

    /// Binds an expression whose constants are not yet computed: how it is made is looked at.
    pub(super) fn bind_unfolded(&mut self, e: &ast::Expr) -> SqlResult<Expr> {
        let before = self.kept_while();
        let bound = self.bind_node(e)?;
        self.cacheable &= self.kept_while() == before;
        Ok(bound)
    }

    /// What changes when something is bound that serves this execution alone: warnings told, values of parameters looked at.
    fn kept_while(&self) -> (u64, u32) {
        (self.ctx.warnings.count_all(), self.ctx.statement.bound_values)
    }

    /// Binds a condition (WHERE, HAVING, ON): the result is a truth value.
    ///
    /// # Errors
    /// As [`ExprBinder::bind`].
    pub fn bind_condition(&mut self, e: &ast::Expr) -> SqlResult<Expr> {
        let mut e = self.operand(e)?;
        func::refused::condition(&e, "<>", &FieldType::bigint(false))?;
        as_condition(&mut e);
        e.decides();
        Ok(e)
    }

    /// Binds an expression that may be a row of values.
    ///
    /// # Errors
    /// As [`ExprBinder::bind`].
    pub fn bind_row(&mut self, e: &ast::Expr) -> SqlResult<Expr> {
        match &e.kind {
            ExprKind::Row(list) => {
                let mut values = Vec::with_capacity(list.len());
                for e in list {
                    values.push(self.bind_row(e)?);
                }
                Ok(Expr::new(Node::Row(values), FieldType::null()))
            }
            ExprKind::Subquery(q) if q.reduced().is_some() => self.scalar_subquery(q),
            ExprKind::Local(..) if self.is_row(e) => self.bind_node(e),
            ExprKind::Subquery(q) => {
                let b = self.scope.subquery(q, SubqueryKind::Scalar, self.ctx)?;
                let column = |(n, ty): (usize, &FieldType)| {
                    let ty = ty.clone().with_nullable(true);
                    let kind = match b.columns.len() {
                        1 => SubqueryKind::Scalar,
                        _ => SubqueryKind::Column(n as u32),
                    };
                    subquery(b.clone(), kind, Vec::new(), Vec::new(), Vec::new(), ty)
                };
                let mut values: Vec<Expr> = b.columns.iter().enumerate().map(column).collect();
                match values.pop() {
                    Some(one) if values.is_empty() => Ok(one),
                    last => {
                        values.extend(last);
                        Ok(Expr::new(Node::Row(values), FieldType::null()))
                    }
                }
            }
            _ => self.operand(e),
        }
    }

    /// Whether an expression is written as a row: ROW(...), or a ROW variable.
    pub(super) fn is_row(&self, e: &ast::Expr) -> bool {
        match &e.kind {
            ExprKind::Row(_) => true,
            ExprKind::Local(n, _) => {
                self.ctx.statement.rows.as_ref().is_some_and(|rows| rows.row(*n).is_some())
            }
            _ => false,
        }
    }

    /// Replaces a constant by its value, unless computing it fails or warns: then that happens at
    /// execution, every time.
    pub(super) fn fold(&mut self, e: Expr) -> Expr {
        if matches!(e.node, Node::Literal(_)) || !shallow_foldable(&e) {
            return e;
        }
        if is_long(e.ty.length as usize, &e.ty) && has_computed_child(&e) {
            return e;
        }
        let mark = self.ctx.warnings.mark();
        match e.value(self.ctx) {
            // It is made when somebody needs it, and not kept with the plan.
            Ok(Value::Bytes(b)) if is_long(b.len(), &e.ty) => {
                self.ctx.warnings.rollback_to(mark);
                e
            }
            Ok(v) if self.ctx.warnings.mark() == mark => {
                let mut ty = e.ty;
                ty.hex &= ty.is_string();
                if !v.is_null() && v.class() != ty.class() {
                    return Expr::new(Node::Literal(v), ty);
                }
                ty.nullable = ty.nullable || v.is_null();
                Expr { node: Node::Literal(v), ty }
            }
            _ => {
                self.ctx.warnings.rollback_to(mark);
                e
            }
        }
    }

    /// A variable of the routine that runs: a ROW variable is the row of its fields.
    pub(super) fn local(&mut self, n: u32) -> SqlResult<Expr> {
        if let Some(rows) = self.ctx.statement.rows.clone() {
            rows.check(n)?;
            if let Some(row) = rows.row(n) {
                let field = |(_, slot): &(Box<str>, u32)| {
                    let ty = self.scope.param(*slot).unwrap_or_else(FieldType::null);
                    Expr::new(Node::Param(*slot), ty)
                };
                return Ok(Expr::new(Node::Row(row.fields.iter().map(field).collect()), FieldType::null()));
            }
        }
        let ty = self.scope.param(n).unwrap_or_else(FieldType::null);
        Ok(Expr::new(Node::Param(n), ty))
    }

    pub(super) fn bind_node(&mut self, e: &ast::Expr) -> SqlResult<Expr> {
        match &e.kind {
            ExprKind::Literal(l) if self.ctx.statement.explained => self.literal_as_written(l, e.span),
            ExprKind::Literal(l) => self.literal(l),
            ExprKind::Lifted(n, l) => {
                let bound = self.literal(l)?;
                Ok(match self.scope.param(*n) {
                    // whether other characters fit a column's set depends on the text itself
                    Some(ty) if ty.is_string() && !ty.ascii => {
                        self.cacheable = false;
                        let value =
                            self.ctx.statement.params.get(*n as usize).cloned().unwrap_or(Value::Null);
                        Expr::literal(value, ty)
                    }
                    Some(_) => Expr::new(Node::Param(*n), bound.ty),
                    None => bound,
                })
            }
            ExprKind::Param(n) => {
                let mut ty = self.scope.param(*n).unwrap_or_else(|| {
                    // without a value it fits any character set
                    let mut ty = FieldType::string(0, self.ctx.collation, Derivation::Coercible);
                    ty.ascii = true;
                    ty
                });
                // what is computed from it may be NULL, as it was when the statement was prepared
                ty.nullable = true;
                if ty.kind == Kind::Float {
                    ty.kind = Kind::Double;
                }
                Ok(Expr::new(Node::Param(*n), ty))
            }
            ExprKind::Local(n, _) => self.local(*n),
            ExprKind::Column(c) => match self.scope.column(c, self.clause)? {
                Resolved::Column { table, column, ty } => Ok(Expr::column(table, column, ty)),
                Resolved::Outer { index, ty } => Ok(Expr::new(Node::Outer(index), ty)),
                Resolved::Expr(e) => Ok(e),
            },
            ExprKind::UserVariable(name) => Ok(self.user_variable(name)),
            ExprKind::SystemVariable(v) => {
                let (value, ty) = self.scope.system_variable(v)?;
                self.cacheable = false;
                let mut e = Expr::literal(value, ty);
                e.ty.nullable = true;
                Ok(e)
            }
            ExprKind::Assign(name, e) => self.assign(name, e),
            ExprKind::Unary(op, a) => self.unary(*op, a, e),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e),
            ExprKind::And(list) => self.logic(list, true),
            ExprKind::Or(list) => self.logic(list, false),
            ExprKind::Is { expr, test, negated } => self.is(expr, test, *negated),
            ExprKind::Between { expr, low, high, negated } => self.between(expr, low, high, *negated),
            ExprKind::InList { expr, list, negated } => self.in_list(expr, list, *negated),
            ExprKind::InSubquery { expr, query, negated } => self.in_subquery(expr, query, *negated),
            ExprKind::Quantified { expr, op, all, query } => {
                let op = compare_op(*op).ok_or_else(|| SqlError::internal("not a comparison"))?;
                self.subquery_comparison(expr, query, SubqueryKind::Quantified { op, all: *all })
            }
            ExprKind::Subquery(q) => self.scalar_subquery(q),
            ExprKind::Exists(q) => {
                let b = self.scope.subquery(q, SubqueryKind::Exists, self.ctx)?;
                let ty = FieldType::boolean().with_nullable(false);
                Ok(subquery(b, SubqueryKind::Exists, Vec::new(), Vec::new(), Vec::new(), ty))
            }
            ExprKind::Row(list) if list.len() == 1 => self.bind_node(&list[0]),
            ExprKind::Row(_) => self.bind_row(e),
            ExprKind::Aggregate(a) => self.aggregate(a),
            ExprKind::Window(w) => self.window(w),
            ExprKind::Match(m) => self.match_against(m),
            ExprKind::Sequence(name, last) => {
                let action = if *last { Action::Last } else { Action::Next };
                self.sequence(name, action)
            }
            ExprKind::SetSequence(s) => {
                let action = Action::Set { value: s.value, used: s.used, round: s.round };
                self.sequence(&s.name, action)
            }
            ExprKind::Default(Some(c)) => self.scope.default_of(c, self.ctx),
            ExprKind::Default(None) => Err(SqlError::new(ER_WRONG_USAGE, &[&"DEFAULT", &"expression"])),
            ExprKind::Values(c) => self.scope.values_of(c),
            _ => self.form(e),
        }
    }

    fn sequence(&mut self, name: &ast::TableName, action: Action) -> SqlResult<Expr> {
        self.ctx.statement.bound_volatile += 1;
        self.scope.sequence(name, action, self.ctx)
    }

    /// `@name := e`
    fn assign(&mut self, name: &str, e: &ast::Expr) -> SqlResult<Expr> {
        let mut e = self.bind(e)?;
        self.ctx.statement.by_row = true;
        self.ctx.statement.bound_variables += 1;
        self.cacheable = false;
        let mut ty = kept_type(&e.ty, self.ctx.collation);
        coerce(&mut e, ty.clone(), self.ctx)?;
        if ty.is_string() {
            ty.derivation = Derivation::Implicit;
        } else if ty.kind == Kind::Decimal && ty.decimals == 38 {
            // shown as the variable is: with the digits of the value
            ty.decimals = NOT_FIXED_DEC;
        } else if ty.class() == Class::Double {
            // shown with the digits of what is assigned
            ty.decimals = e.ty.decimals;
        }
        let name: Box<str> = charset::identifier::fold(name).into();
        if ty.class() != Class::Null {
            let collation = if ty.is_string() { ty.collation } else { of_numbers(self.ctx.collation) };
            self.ctx.statement.bound_texts.push((name.clone(), collation));
        }
        // from here on the statement sees it, even when no row assigns a value
        self.ctx.variables.entry(name.clone()).or_insert_with(UserVariable::unset);
        Ok(Expr::new(Node::Assign(name, Box::new(e)), ty))
    }

    fn is(&mut self, expr: &ast::Expr, test: &ast::IsTest, negated: bool) -> SqlResult<Expr> {
        let mut a = self.bind(expr)?;
        if matches!(test, ast::IsTest::Null | ast::IsTest::Unknown) {
            func::null_again(&mut a, self.ctx)?;
        } else {
            as_condition(&mut a);
        }
        let test = match test {
            ast::IsTest::Null | ast::IsTest::Unknown => Test::Null,
            ast::IsTest::True => Test::True,
            ast::IsTest::False => Test::False,
        };
        let ty = FieldType::boolean().with_nullable(false);
        Ok(Expr::new(Node::Is(Box::new(a), test, negated), ty))
    }

    fn user_variable(&mut self, name: &str) -> Expr {
        let folded: Box<str> = charset::identifier::fold(name).into();
        self.ctx.statement.bound_variables += 1;
        let value = self.ctx.variables.get(folded.as_ref());
        let exists = value.is_some();
        // what the statement assigns before is read in the character set it is assigned in
        let assigned =
            self.ctx.statement.bound_texts.iter().rev().find(|(n, _)| *n == folded).map(|(_, c)| *c);
        let ty = match value.filter(|v| v.ty.class() != Class::Null) {
            Some(v) => {
                let mut t = v.ty.clone();
                t.derivation = if t.is_string() { Derivation::Implicit } else { t.derivation };
                t.hex = false;
                match t.class() {
                    Class::Int | Class::UInt => {
                        FieldType { length: 20, unsigned: t.unsigned, ..FieldType::bigint(t.unsigned) }
                    }
                    // shown with the digits the value has
                    Class::Decimal => {
                        FieldType { length: 83, decimals: NOT_FIXED_DEC, ..FieldType::decimal(65, 38) }
                    }
                    Class::Double => FieldType::double(),
                    _ => FieldType { ascii: t.ascii, ..text_of_variable(assigned.unwrap_or(t.collation)) },
                }
            }
            None => func::longest_text(assigned.unwrap_or_else(charset::binary), Derivation::Implicit),
        };
        self.cacheable = false;
        if !exists {
            // what is assigned further on in this statement is not seen here
            return Expr::literal(Value::Null, ty.with_nullable(true));
        }
        Expr::new(Node::UserVariable(folded), ty.with_nullable(true))
    }

    fn unary(&mut self, op: ast::UnaryOp, a: &ast::Expr, whole: &ast::Expr) -> SqlResult<Expr> {
        let mut e = if op == ast::UnaryOp::BitNot { self.bind_no_row("~", a)? } else { self.operand(a)? };
        match op {
            ast::UnaryOp::Negate => {
                let text = describe(whole, self.scope, self.ctx.sql_mode);
                // of what a variable has now depends whether it needs a decimal
                self.cacheable &= !(matches!(e.node, Node::Param(_)) && e.ty.class() == Class::UInt);
                operators::negate(e, text.into(), self.ctx)
            }
            ast::UnaryOp::BitNot => {
                super::comparison::no_special(&e, "~")?;
                func::wrapped::bit_operand(&mut e, self.ctx)?;
                let ty = operators::bits_type().with_nullable(e.ty.nullable);
                Ok(Expr::new(Node::BitNot(Box::new(e)), ty))
            }
            ast::UnaryOp::Not => {
                func::refused::condition(&e, "=", &FieldType::int(1))?;
                as_condition(&mut e);
                Ok(not(e))
            }
            ast::UnaryOp::Binary => self.cast(e, &ast::CastType::Binary(None)),
        }
    }

    fn binary(
        &mut self,
        op: ast::BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        whole: &ast::Expr,
    ) -> SqlResult<Expr> {
        if let Some(op) = compare_op(op) {
            let a = self.bind_row(a)?;
            let b = self.bind_row(b)?;
            return self.compare_rows(op, a, b);
        }
        let [mut x, mut y] = match op {
            ast::BinaryOp::Add => self.bind_pair("+", a, b)?,
            ast::BinaryOp::Subtract => self.bind_pair("-", a, b)?,
            ast::BinaryOp::Multiply => self.bind_pair("*", a, b)?,
            ast::BinaryOp::Divide => self.bind_pair("/", a, b)?,
            ast::BinaryOp::Modulo => self.bind_pair("MOD", a, b)?,
            ast::BinaryOp::BitOr => self.bind_bits("|", a, b)?,
            ast::BinaryOp::BitAnd => self.bind_bits("&", a, b)?,
            ast::BinaryOp::BitXor => self.bind_bits("^", a, b)?,
            ast::BinaryOp::ShiftLeft => self.bind_bits("<<", a, b)?,
            ast::BinaryOp::ShiftRight => self.bind_bits(">>", a, b)?,
            _ => [self.operand(a)?, self.operand(b)?],
        };
        let op = match op {
            ast::BinaryOp::Add => ArithOp::Add,
            ast::BinaryOp::Subtract => ArithOp::Subtract,
            ast::BinaryOp::Multiply => ArithOp::Multiply,
            ast::BinaryOp::Divide => ArithOp::Divide,
            ast::BinaryOp::IntDivide => ArithOp::IntDivide,
            ast::BinaryOp::Modulo => ArithOp::Modulo,
            ast::BinaryOp::BitOr => ArithOp::BitOr,
            ast::BinaryOp::BitAnd => ArithOp::BitAnd,
            ast::BinaryOp::BitXor => ArithOp::BitXor,
            ast::BinaryOp::ShiftLeft => ArithOp::ShiftLeft,
            ast::BinaryOp::ShiftRight => ArithOp::ShiftRight,
            ast::BinaryOp::Xor => {
                let nullable = x.ty.nullable || y.ty.nullable;
                let ty = FieldType::boolean().with_nullable(nullable);
                as_condition(&mut x);
                as_condition(&mut y);
                return Ok(Expr::new(Node::Xor(Box::new([x, y])), ty));
            }
            ast::BinaryOp::Concat => {
                return func::call(func::named("concat")?, "concat", vec![x, y], self.ctx);
            }
            ast::BinaryOp::SoundsLike => {
                x = func::call(func::named("soundex")?, "soundex", vec![x], self.ctx)?;
                y = func::call(func::named("soundex")?, "soundex", vec![y], self.ctx)?;
                return comparison::compare(CompareOp::Eq, x, y, self.ctx);
            }
            _ => return Err(SqlError::internal("unknown operator")),
        };
        let text = describe(whole, self.scope, self.ctx.sql_mode);
        operators::arith(op, x, y, text.into(), self.ctx)
    }

    fn logic(&mut self, list: &[ast::Expr], and: bool) -> SqlResult<Expr> {
        let mut parts = Vec::with_capacity(list.len());
        for e in list {
            let mut e = self.operand(e)?;
            func::refused::condition(&e, "<>", &FieldType::int(1))?;
            as_condition(&mut e);
            parts.push(e);
        }
        Ok(chain(parts, and))
    }

    fn between(
        &mut self,
        v: &ast::Expr,
        low: &ast::Expr,
        high: &ast::Expr,
        negated: bool,
    ) -> SqlResult<Expr> {
        let v = self.bind_row(v)?;
        let low = self.bind_row(low)?;
        let high = self.bind_row(high)?;
        if matches!(v.node, Node::Row(_))
            || matches!(low.node, Node::Row(_))
            || matches!(high.node, Node::Row(_))
        {
            return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&1]));
        }
        for bound in [&low, &high] {
            func::wrapped::meet(&v.ty, &bound.ty, "between")?;
        }
        let nullable = v.ty.nullable || low.ty.nullable || high.ty.nullable;
        if matches!(v.node, Node::Literal(Value::Null)) {
            return Ok(Expr::literal(Value::Null, FieldType::boolean()));
        }
        let mut bounds = [low, high];
        let by = comparison::simplify_bounds(&v, &mut bounds, self.ctx)?;
        let [low, high] = bounds;
        let mut args = [v, low, high];
        let by = comparison::unify_as(by, &mut args, "between", self.ctx)?;
        let ty = FieldType::boolean().with_nullable(nullable);
        Ok(Expr::new(Node::Between { args: Box::new(args), by, negated }, ty))
    }

    pub(super) fn subquery_comparison(
        &mut self,
        left: &ast::Expr,
        query: &ast::Query,
        kind: SubqueryKind,
    ) -> SqlResult<Expr> {
        // LIMIT ROWS EXAMINED alone is none
        if query.limit.as_ref().is_some_and(|l| l.count.is_some()) {
            return Err(SqlError::not_supported("LIMIT & IN/ALL/ANY/SOME subquery"));
        }
        let clause = std::mem::replace(&mut self.clause, "IN/ALL/ANY");
        let bound = self.bind_row(left);
        self.clause = clause;
        let left = bound?;
        let mut left = match left.node {
            Node::Row(list) => {
                // rows have no order here
                let set = match kind {
                    SubqueryKind::Quantified { op: CompareOp::Eq, all } => !all,
                    SubqueryKind::Quantified { op: CompareOp::Ne, all } => all,
                    SubqueryKind::Quantified { .. } => false,
                    _ => true,
                };
                if !set {
                    return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&1]));
                }
                list
            }
            _ => vec![left],
        };
        self.scope.sought(&left);
        let b = self.scope.subquery(query, kind, self.ctx)?;
        if b.columns.len() != left.len() {
            return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&left.len()]));
        }
        if let Some(nested) = left.iter().find_map(Expr::as_row) {
            return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&nested.len()]));
        }
        let sign = match kind {
            // <> ALL is NOT IN
            SubqueryKind::Quantified { op: CompareOp::Ne, all: true } => CompareOp::Eq.sign(),
            SubqueryKind::Quantified { op, .. } => op.sign(),
            _ => CompareOp::Eq.sign(),
        };
        let mut by = Vec::with_capacity(left.len());
        let mut compare_as = Vec::with_capacity(left.len());
        for (i, (e, column)) in left.iter_mut().zip(&b.columns).enumerate() {
            // Both sides are brought to one class as those of `=` are; the executor computes the right one
            // over the subquery's rows.
            let column = Expr::row_column(i as u32, column.clone());
            let taken = std::mem::replace(e, Expr::literal(Value::Null, FieldType::null()));
            let mut pair = [taken, column];
            let [l, r] = &mut pair;
            super::years::complete_years(l, r, self.ctx)?;
            if sign == CompareOp::Eq.sign() {
                comparison::sought_in_subquery(&mut pair, self.ctx)?;
            }
            let how = comparison::unify_with_column(&mut pair, sign, self.ctx)?;
            comparison::round_operands(&mut pair[..1], how, self.ctx)?;
            by.push(how);
            let [l, mut r] = pair;
            if r.ty.kind == Kind::Decimal && r.as_column().is_some() {
                // a quotient has more digits than its type tells, which is what is compared
                let ty = r.ty.clone();
                force(&mut r, ty, self.ctx)?;
            }
            *e = l;
            compare_as.push(r);
        }
        // found in a set or not
        let found = matches!(
            kind,
            SubqueryKind::In { negated: false } | SubqueryKind::Quantified { op: CompareOp::Eq, all: false }
        );
        let ty = FieldType { length: if found { 21 } else { 1 }, ..FieldType::boolean() };
        Ok(subquery(b, kind, left, by, compare_as, ty))
    }
}

/// AND or OR of a list, flattened.
pub(super) fn chain(parts: Vec<Expr>, and: bool) -> Expr {
    let nullable = parts.iter().any(|e| e.ty.nullable);
    let mut flat = Vec::with_capacity(parts.len());
    for e in parts {
        match (e.node, and) {
            (Node::And(list), true) | (Node::Or(list), false) => flat.extend(list),
            (node, _) => flat.push(Expr::new(node, e.ty)),
        }
    }
    let node = if and { Node::And(flat) } else { Node::Or(flat) };
    Expr::new(node, FieldType::boolean().with_nullable(nullable))
}

/// NOT, moved into the operand where that is free.
pub fn not(e: Expr) -> Expr {
    let nullable = e.ty.nullable;
    let ty = FieldType::boolean().with_nullable(nullable);
    let node = match e.node {
        Node::Is(a, t, n) => Node::Is(a, t, !n),
        Node::Between { args, by, negated } => Node::Between { args, by, negated: !negated },
        Node::In { expr, list, by, negated, lookup } => {
            Node::In { expr, list, by, negated: !negated, lookup }
        }
        Node::Like { args, collation, escape, negated } => {
            Node::Like { args, collation, escape, negated: !negated }
        }
        Node::Compare(op, by, args) if op != CompareOp::NullSafeEq => {
            let op = match op {
                CompareOp::Eq => CompareOp::Ne,
                CompareOp::Ne => CompareOp::Eq,
                CompareOp::Lt => CompareOp::Ge,
                CompareOp::Le => CompareOp::Gt,
                CompareOp::Gt => CompareOp::Le,
                _ => CompareOp::Lt,
            };
            Node::Compare(op, by, args)
        }
        node => Node::Not(Box::new(Expr::new(node, e.ty))),
    };
    Expr::new(node, ty)
}

pub(super) fn subquery(
    b: BoundSubquery,
    kind: SubqueryKind,
    left: Vec<Expr>,
    by: Vec<crate::expr::Comparison>,
    compare_as: Vec<Expr>,
    ty: FieldType,
) -> Expr {
    let (outer, constant) = (b.outer, b.constant);
    let node = SubqueryNode { id: b.id, kind, left, by, compare_as, outer, constant, decides: false };
    Expr::new(Node::Subquery(Box::new(node)), ty)
}

pub(super) fn compare_op(op: ast::BinaryOp) -> Option<CompareOp> {
    Some(match op {
        ast::BinaryOp::Eq => CompareOp::Eq,
        ast::BinaryOp::NullSafeEq => CompareOp::NullSafeEq,
        ast::BinaryOp::Ne => CompareOp::Ne,
        ast::BinaryOp::Lt => CompareOp::Lt,
        ast::BinaryOp::Le => CompareOp::Le,
        ast::BinaryOp::Gt => CompareOp::Gt,
        ast::BinaryOp::Ge => CompareOp::Ge,
        _ => return None,
    })
}

/// Whether a text of so many bytes is too long to be kept in a plan.
fn is_long(bytes: usize, ty: &FieldType) -> bool {
    const LONG: usize = 1 << 20;
    bytes > LONG && ty.class() == Class::Bytes
}

/// Whether there is a child that was left to be computed: as long as this one is long, too, it is not tried again.
fn has_computed_child(e: &Expr) -> bool {
    let mut found = false;
    e.for_children(&mut |c| found |= !matches!(c.node, Node::Literal(_)));
    found
}

/// Whether the node can be computed now: its children are literals already.
fn shallow_foldable(e: &Expr) -> bool {
    let own = match &e.node {
        Node::Param(_)
        | Node::Column(_)
        | Node::Aggregate(_)
        | Node::Window(_)
        | Node::Outer(_)
        | Node::Subquery(_)
        | Node::UserVariable(_)
        | Node::Assign(..)
        | Node::Once(..)
        | Node::Answer(..)
        | Node::Operand(_)
        | Node::Match(_)
        | Node::Row(_) => false,
        Node::Call(f, _) => f.is_immutable(),
        _ => true,
    };
    let mut literal = own;
    e.for_children(&mut |c| literal = literal && (matches!(c.node, Node::Literal(_)) || shallow_foldable(c)));
    literal
}

/// The type of a user variable that holds a text.
fn text_of_variable(collation: &'static charset::Collation) -> FieldType {
    FieldType { length: 0xff_ffff, ..func::longest_text(collation, Derivation::Implicit) }
}
