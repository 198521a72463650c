//! Calls of functions: what a definition has, how its arguments are converted, evaluation row by row.

use super::arguments::{self, Arguments, Made, Open, Stops};
use super::{EvalContext, Expr, Frame, Node, Rows, VecRef};
use crate::error::{ER_DATA_OUT_OF_RANGE, SqlError, SqlResult};
use crate::types::temporal::{DateTime, Time};
use crate::types::{Class, Decimal, Derivation, FieldType, ValueRef, Vector};
use charset::Collation;
use charset::derivation::{Derived, Purpose};
use std::fmt;

/// A function bound into an expression.
#[derive(Clone)]
pub struct Function {
    /// Its definition.
    pub def: &'static Definition,
    /// The call as error 1690 shows it, of functions that give doubles.
    pub text: Option<Box<str>>,
}

impl From<&'static Definition> for Function {
    fn from(def: &'static Definition) -> Function {
        Function { def, text: None }
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        std::ptr::eq(self.def, other.def)
    }
}

/// Whether a function gives the same value again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purity {
    /// Always, for the same arguments: may be computed when the statement is bound.
    Immutable,
    /// Within one statement.
    Statement,
    /// Not even that, or it has effects.
    Volatile,
}

/// A function's definition.
pub struct Definition {
    /// Name in lower case.
    pub name: &'static str,
    /// Fewest arguments.
    pub min: u8,
    /// Most arguments; 255 = any number.
    pub max: u8,
    /// Whether it gives the same value again.
    pub purity: Purity,
    /// Converts the arguments and tells the type of the value.
    pub resolve: fn(&mut Resolve<'_>) -> SqlResult<FieldType>,
    /// Computes the value of one row.
    pub eval: fn(&mut Call<'_, '_>) -> SqlResult<()>,
    /// Which of its arguments it needs at once.
    pub arguments: Arguments,
    /// After which NULLs it looks at no further ones.
    pub stops: Stops,
}

impl Definition {
    /// The same, of a function that needs not all of its arguments at once.
    #[must_use]
    pub const fn taking(self, arguments: Arguments) -> Definition {
        Definition { arguments, ..self }
    }

    /// The same, of a function that looks at no further argument after some that are NULL.
    #[must_use]
    pub const fn stopping(self, stops: Stops) -> Definition {
        Definition { stops, ..self }
    }
}

impl Function {
    /// Same arguments, same value, within one statement.
    #[must_use]
    pub fn is_pure(&self) -> bool {
        self.def.purity != Purity::Volatile
    }

    /// Same arguments, same value, always.
    #[must_use]
    pub fn is_immutable(&self) -> bool {
        self.def.purity == Purity::Immutable
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.def.name)
    }
}

/// A function while its arguments are bound.
pub struct Resolve<'a> {
    /// Its name as it was called.
    pub name: &'a str,
    /// The arguments; converted in place.
    pub args: &'a mut Vec<Expr>,
    /// The session.
    pub ctx: &'a mut EvalContext,
}

fn integer(value: &crate::types::Value) -> Option<i64> {
    match value {
        crate::types::Value::Int(v) => Some(*v),
        crate::types::Value::UInt(v) => Some(i64::try_from(*v).unwrap_or(i64::MAX)),
        _ => None,
    }
}

impl Resolve<'_> {
    /// The number of arguments.
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.args.len()
    }

    /// Whether any argument may be NULL.
    #[must_use]
    pub fn nullable(&self) -> bool {
        self.args.iter().any(|a| a.ty.nullable)
    }

    /// The number that argument `i` is, when nothing but constants is in it. Computing it may warn, as it will again when the
    /// statement is executed.
    #[must_use]
    pub fn known_int(&mut self, i: usize) -> Option<i64> {
        let e = self.args.get(i)?;
        let value = match e.as_literal() {
            Some(value) => value.clone(),
            None => {
                let mut known = e.is_constant();
                e.walk(&mut |e| known &= !matches!(e.node, super::Node::Param(_)));
                if !known {
                    return None;
                }
                let e = e.clone();
                e.value(self.ctx).ok()?
            }
        };
        integer(&value)
    }

    /// As [`Resolve::known_int`], also of what has this value now ([`Resolve::value_now`]).
    #[must_use]
    pub fn int_now(&mut self, i: usize) -> Option<i64> {
        self.known_int(i).or_else(|| integer(&self.value_now(i)?))
    }

    /// The value that argument `i` has now, where it is a constant, a parameter or a user variable, or one that is converted. What
    /// is bound by the value of a parameter serves this execution alone.
    #[must_use]
    pub fn value_now(&mut self, i: usize) -> Option<crate::types::Value> {
        let e = self.args.get(i)?;
        if let Some(value) = e.as_literal() {
            return Some(value.clone());
        }
        let mut plain = true;
        e.walk(&mut |e| {
            use super::Node;
            plain &= matches!(
                e.node,
                Node::Param(_) | Node::UserVariable(_) | Node::Literal(_) | Node::Convert(_)
            );
        });
        if plain { self.ctx.value_while_bound(e) } else { None }
    }

    /// Converts argument `i` to a type.
    ///
    /// # Errors
    /// Those of folding a constant.
    pub fn convert(&mut self, i: usize, to: FieldType) -> SqlResult<()> {
        if i < self.args.len() {
            super::typing::coerce(&mut self.args[i], to, self.ctx)?;
        }
        Ok(())
    }

    /// Argument `i` as an integer.
    ///
    /// # Errors
    /// Those of folding a constant.
    pub fn int(&mut self, i: usize) -> SqlResult<()> {
        match self.args.get(i).map(|a| a.ty.class()) {
            None | Some(Class::Int) => Ok(()),
            Some(Class::UInt) if self.args[i].ty.is_number() => Ok(()),
            _ => self.convert(i, FieldType::bigint(false)),
        }
    }

    /// Argument `i` as a double.
    ///
    /// # Errors
    /// Those of folding a constant.
    pub fn double(&mut self, i: usize) -> SqlResult<()> {
        self.convert(i, FieldType::double())
    }

    /// Argument `i` as text, in its own character set or the connection's.
    ///
    /// # Errors
    /// Those of folding a constant.
    pub fn text(&mut self, i: usize) -> SqlResult<()> {
        if i < self.args.len() {
            let to = super::typing::text_type(&self.args[i].ty, self.ctx.collation);
            self.convert(i, to)?;
        }
        Ok(())
    }

    /// Argument `i` as text, and how many bytes it has at most: of digits, as many as there are.
    ///
    /// # Errors
    /// Those of folding a constant.
    pub fn text_bytes(&mut self, i: usize) -> SqlResult<u64> {
        let digits = self.args.get(i).is_some_and(|a| !a.ty.is_string());
        self.text(i)?;
        Ok(self.args.get(i).map_or(0, |a| u64::from(if digits { a.ty.char_length() } else { a.ty.length })))
    }

    /// Argument `i` as text that is looked at byte by byte (digits, addresses, names): wide character sets give way to UTF-8.
    ///
    /// # Errors
    /// Those of folding a constant.
    pub fn plain_text(&mut self, i: usize) -> SqlResult<()> {
        self.text(i)?;
        match self.args.get(i).map(|a| a.ty.clone()) {
            Some(t) if t.collation.charset.mbminlen > 1 => {
                let chars = u64::from(t.char_length());
                self.convert(
                    i,
                    FieldType::string(chars, charset::system(), t.derivation).with_nullable(t.nullable),
                )
            }
            _ => Ok(()),
        }
    }

    /// Arguments `which` as text of one common collation, which is returned.
    ///
    /// # Errors
    /// 1267, 1270, 1271.
    pub fn texts(&mut self, which: std::ops::Range<usize>, purpose: Purpose) -> SqlResult<Derived> {
        let which = which.start.min(self.args.len())..which.end.min(self.args.len());
        for i in which.clone() {
            self.text(i)?;
        }
        let name = self.name.to_string();
        super::typing::common_collation(&mut self.args[which], purpose, &name, self.ctx)
    }

    /// Argument `i` as a date with time.
    ///
    /// # Errors
    /// Those of folding a constant.
    pub fn datetime(&mut self, i: usize) -> SqlResult<()> {
        match self.args.get(i).map(|a| a.ty.class()) {
            None | Some(Class::Date | Class::DateTime) => Ok(()),
            _ => self.convert(i, FieldType::datetime(6)),
        }
    }

    /// Argument `i` as a time.
    ///
    /// # Errors
    /// Those of folding a constant.
    pub fn time(&mut self, i: usize) -> SqlResult<()> {
        self.convert(i, FieldType::time(6))
    }

    /// The type of a text value of at most `chars` characters in the collation of `d`.
    #[must_use]
    pub fn text_of(&self, chars: u64, d: Derived) -> FieldType {
        let mut t = FieldType::string(chars, d.collation, d.derivation).with_nullable(self.nullable());
        t.ascii = d.ascii;
        t
    }

    /// The type of an ASCII text value in the connection's collation.
    #[must_use]
    pub fn ascii_text(&self, chars: u64) -> FieldType {
        let mut t = FieldType::string(chars, self.ctx.collation, Derivation::Coercible)
            .with_nullable(self.nullable());
        t.ascii = true;
        t
    }

    /// An integer result of this width.
    #[must_use]
    pub fn int_of(&self, length: u32) -> FieldType {
        FieldType::int(length).with_nullable(self.nullable())
    }

    /// An INT, however wide it is shown.
    #[must_use]
    pub fn long_of(&self, length: u32) -> FieldType {
        FieldType::new(crate::types::Kind::Long, length, 0).with_nullable(self.nullable())
    }

    /// A double result.
    #[must_use]
    pub fn double_result(&self) -> FieldType {
        FieldType::double().with_nullable(self.nullable())
    }

    /// The collation of argument `i`.
    #[must_use]
    pub fn derived(&self, i: usize) -> Derived {
        let t = &self.args[i].ty;
        Derived { collation: t.collation, derivation: t.derivation, ascii: t.ascii }
    }
}

/// A function while it computes the value of one row.
pub struct Call<'a, 'b> {
    /// The call itself, for its type.
    pub expr: &'a Expr,
    /// The arguments, for their types.
    pub types: &'a [Expr],
    /// Their values.
    pub args: &'a [VecRef<'b>],
    /// The row.
    pub row: usize,
    /// Where the value goes: exactly one push.
    pub out: &'a mut Vector,
    /// The session.
    pub ctx: &'a mut EvalContext,
}

impl<'a> Call<'a, '_> {
    /// The number of arguments.
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.args.len()
    }

    /// Argument `i`.
    #[must_use]
    pub fn value(&self, i: usize) -> ValueRef<'a> {
        let args = self.args;
        args.get(i).map_or(ValueRef::Null, |v| v.get(self.row))
    }

    /// The type of argument `i`; what is warned of its conversion names the column that it is.
    #[must_use]
    pub(crate) fn operand_type(&mut self, i: usize) -> &'a FieldType {
        let types = self.types;
        self.ctx.of_column = types.get(i).is_some_and(|e| e.as_column().is_some());
        self.ty(i)
    }

    /// Argument `i` as bytes; `None` is NULL.
    #[must_use]
    pub fn bytes(&self, i: usize) -> Option<&'a [u8]> {
        let args = self.args;
        match args.get(i)?.get(self.row) {
            ValueRef::Bytes(b) => Some(b),
            _ => None,
        }
    }

    /// Argument `i` as an integer; `None` is NULL. Unsigned values above 2^63 are given as the
    /// largest integer.
    #[must_use]
    pub fn int(&self, i: usize) -> Option<i64> {
        match self.value(i) {
            ValueRef::Int(v) => Some(v),
            ValueRef::UInt(v) => Some(i64::try_from(v).unwrap_or(i64::MAX)),
            _ => None,
        }
    }

    /// The bits of an integer argument.
    #[must_use]
    pub fn bits(&self, i: usize) -> Option<u64> {
        match self.value(i) {
            ValueRef::Int(v) => Some(v as u64),
            ValueRef::UInt(v) => Some(v),
            _ => None,
        }
    }

    /// The low 32 bits of an integer argument: some functions look at no more.
    #[must_use]
    pub fn short_int(&self, i: usize) -> Option<i32> {
        match self.value(i) {
            ValueRef::Int(v) => Some(v as i32),
            ValueRef::UInt(v) => Some(v as i32),
            _ => None,
        }
    }

    /// Argument `i` as a double; `None` is NULL.
    #[must_use]
    pub fn double(&self, i: usize) -> Option<f64> {
        match self.value(i) {
            ValueRef::Double(v) => Some(v),
            _ => None,
        }
    }

    /// Argument `i` as a decimal; `None` is NULL.
    #[must_use]
    pub fn decimal(&self, i: usize) -> Option<Decimal> {
        match self.value(i) {
            ValueRef::Decimal(v) => Some(*v),
            _ => None,
        }
    }

    /// Argument `i` as a date and time; `None` is NULL.
    #[must_use]
    pub fn datetime(&self, i: usize) -> Option<DateTime> {
        match self.value(i) {
            ValueRef::Date(v) | ValueRef::DateTime(v) => Some(v),
            _ => None,
        }
    }

    /// Argument `i` as a time; `None` is NULL.
    #[must_use]
    pub fn time(&self, i: usize) -> Option<Time> {
        match self.value(i) {
            ValueRef::Time(v) => Some(v),
            _ => None,
        }
    }

    /// The type of argument `i`.
    #[must_use]
    pub fn ty(&self, i: usize) -> &'a FieldType {
        &self.types[i].ty
    }

    /// The collation of the value.
    #[must_use]
    pub fn collation(&self) -> &'static Collation {
        self.expr.ty.collation
    }

    /// The value is NULL.
    ///
    /// # Errors
    /// None.
    pub fn null(&mut self) -> SqlResult<()> {
        self.out.push_null();
        Ok(())
    }

    /// The value is this integer.
    ///
    /// # Errors
    /// None.
    pub fn put_int(&mut self, v: i64) -> SqlResult<()> {
        self.out.push_i64(v);
        Ok(())
    }

    /// The value is this integer, or NULL.
    ///
    /// # Errors
    /// None.
    pub fn put_opt_int(&mut self, v: Option<i64>) -> SqlResult<()> {
        match v {
            Some(v) => self.out.push_i64(v),
            None => self.out.push_null(),
        }
        Ok(())
    }

    /// The value is this double; infinity is error 1690, NaN is NULL.
    ///
    /// # Errors
    /// 1690.
    pub fn put_double(&mut self, v: f64) -> SqlResult<()> {
        if v.is_nan() {
            self.out.push_null();
        } else if v.is_infinite() {
            return Err(self.double_overflow());
        } else {
            self.out.push_f64(v);
        }
        Ok(())
    }

    /// The value is these bytes.
    ///
    /// # Errors
    /// None.
    pub fn put_bytes(&mut self, v: &[u8]) -> SqlResult<()> {
        self.out.push_bytes(v);
        Ok(())
    }

    /// The value is this ASCII text, in the character set of the result.
    ///
    /// # Errors
    /// None.
    pub fn put_ascii(&mut self, v: &[u8]) -> SqlResult<()> {
        let ty = &self.expr.ty;
        if ty.collation.charset.mbminlen == 1 {
            self.out.push_bytes(v);
            return Ok(());
        }
        self.out.push_bytes_with(|b| {
            crate::types::convert::ascii_to(v, ty, b);
            Ok(true)
        })
    }

    /// The value is this UTF-8 text, in the character set of the result.
    ///
    /// # Errors
    /// None.
    pub fn put_utf8(&mut self, v: &str) -> SqlResult<()> {
        let to = self.expr.ty.collation.charset;
        if v.is_ascii() || to.name.starts_with("utf8") {
            return self.put_ascii(v.as_bytes());
        }
        self.out.push_bytes_with(|b| {
            if let Some(from) = charset::Charset::by_name("utf8mb4") {
                from.convert(v.as_bytes(), to, b);
            }
            Ok(true)
        })
    }

    /// Error 1690 with the call's text.
    pub fn double_overflow(&self) -> SqlError {
        let text = match &self.expr.node {
            Node::Call(f, _) => f.text.as_deref().unwrap_or(f.def.name),
            _ => "",
        };
        SqlError::new(ER_DATA_OUT_OF_RANGE, &[&"DOUBLE", &text])
    }

    /// The function's name, as messages about the expression have it.
    pub fn expr_name(&self) -> &'static str {
        match &self.expr.node {
            Node::Call(f, _) => f.def.name,
            _ => "",
        }
    }

    /// Whether a result of so many bytes is longer than `max_allowed_packet`. Asked before it is built.
    #[must_use]
    pub fn exceeds(&self, bytes: usize) -> bool {
        bytes > self.ctx.max_allowed_packet
    }

    /// A result longer than `max_allowed_packet`: warning 1301 and NULL.
    ///
    /// # Errors
    /// None.
    pub fn too_long(&mut self) -> SqlResult<()> {
        self.warn_too_long();
        self.null()
    }

    /// Warning 1301, for a result that is cut.
    pub fn warn_too_long(&mut self) {
        let name = self.expr_name().trim_end_matches("_n").trim_end_matches("_oracle");
        let name = name.trim_end_matches("_operator");
        let limit = self.ctx.max_allowed_packet;
        self.ctx.warnings.warn(crate::error::ER_WARN_ALLOWED_PACKET_OVERFLOWED, &[&name, &limit]);
    }
}

/// The values of a function call.
///
/// # Errors
/// Those of the function.
pub fn eval_call<'a>(
    expr: &Expr,
    function: &Function,
    args: &[Expr],
    frame: Frame<'a>,
    rows: Rows<'_>,
    ctx: &mut EvalContext,
) -> SqlResult<VecRef<'a>> {
    let mut made = Made::new(args.len());
    let stops = function.def.stops;
    if let Stops::Order(order) = stops {
        made.values = arguments::in_order(order, args, frame, rows, ctx)?;
    } else {
        let mut open = Open::default();
        for (i, a) in args.iter().enumerate() {
            if made.is_much() && !made.needs_more(expr, function, args, rows, ctx)? {
                made.values.push(arguments::none(a, ctx));
                continue;
            }
            if let (Stops::Chosen, Some(number)) = (stops, made.values.first()) {
                open = Open::chosen(number, i, rows.len());
            }
            let value = open.eval(a, frame, rows, ctx)?;
            open.close_behind(stops, args, i, &value, rows.len());
            made.push(value);
        }
    }
    let (from, values) = (made.from, made.values);
    let out = values_of(expr, function, &args[from..], &values[from..], rows, ctx)?;
    ctx.made = ctx.made.wrapping_add(out.byte_len());
    for v in values {
        ctx.done(v);
    }
    Ok(VecRef::Owned(out))
}

/// The values of a call of these arguments.
///
/// # Errors
/// Those of the function.
#[inline]
pub(super) fn values_of(
    expr: &Expr,
    function: &Function,
    args: &[Expr],
    values: &[VecRef<'_>],
    rows: Rows<'_>,
    ctx: &mut EvalContext,
) -> SqlResult<Vector> {
    let constant = function.is_pure() && values.iter().all(|v| v.is_constant());
    let n = if constant { rows.len().min(1) } else { rows.len() };
    let mut out = ctx.take(expr.ty.class());
    for row in 0..n {
        // One value may take long, and a client that is gone wants none.
        ctx.check_killed()?;
        let mut call = Call { expr, types: args, args: values, row, out: &mut out, ctx };
        let done = (function.def.eval)(&mut call);
        ctx.of_column = false;
        done?;
        debug_assert_eq!(out.len(), row + 1, "{} must give one value a row", function.def.name);
    }
    if constant && n == 1 {
        out.set_constant(true);
    }
    Ok(out)
}
