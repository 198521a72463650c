//! The functions: definitions, argument conversion, evaluation row by row.

mod arguments;
mod cast;
pub(crate) use cast::IMAGE;
mod control;
mod date_format;
mod digest;
mod digits;
mod information;
mod interval;
mod json;
mod locale;
mod numeric;
mod regexp;
mod string;
mod temporal;

use crate::error::{ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT, SqlError, SqlResult};
use crate::expr::{EvalContext, Expr, Frame, Node, Rows, VecRef};
use crate::types::temporal::{DateTime, Time};
use crate::types::{Class, Decimal, Derivation, FieldType, Value, ValueRef, Vector};
use charset::Collation;
use charset::derivation::{Derived, Purpose};
use foldhash::HashMap;
use std::fmt;
use std::sync::OnceLock;

/// A function bound into an expression.
#[derive(Clone, Copy)]
pub struct Function {
    /// Its definition.
    pub def: &'static Definition,
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

    /// Converts argument `i` to a type.
    ///
    /// # Errors
    /// Those of folding a constant.
    pub fn convert(&mut self, i: usize, to: FieldType) -> SqlResult<()> {
        if i < self.args.len() {
            crate::bind::coerce(&mut self.args[i], to, self.ctx)?;
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
            let to = crate::bind::text_type(&self.args[i].ty, self.ctx.collation);
            self.convert(i, to)?;
        }
        Ok(())
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
        crate::bind::common_collation(&mut self.args[which], purpose, &name, self.ctx)
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

    fn expr_name(&self) -> &'static str {
        match &self.expr.node {
            crate::expr::Node::Call(f, _) => f.def.name,
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
        let name = self.expr_name();
        let limit = self.ctx.max_allowed_packet;
        self.ctx.warnings.warn(crate::error::ER_WARN_ALLOWED_PACKET_OVERFLOWED, &[&name, &limit]);
    }
}

/// The values of a function call.
///
/// # Errors
/// Those of the function.
pub(crate) fn eval_call<'a>(
    expr: &Expr,
    function: &Function,
    args: &[Expr],
    frame: Frame<'a>,
    rows: Rows<'_>,
    ctx: &mut EvalContext,
) -> SqlResult<VecRef<'a>> {
    let mut values: Vec<VecRef<'a>> = Vec::with_capacity(args.len());
    let mut held = 0;
    for a in args {
        if held > arguments::MUCH {
            ctx.check_killed()?;
            if !arguments::needed(function.def.name, &values, rows, ctx) {
                values.push(arguments::none(a, ctx));
                continue;
            }
        }
        let value = a.eval(frame, rows, ctx)?;
        held += value.byte_len();
        values.push(value);
    }
    let constant = function.is_pure() && values.iter().all(|v| v.is_constant());
    let n = if constant { rows.len().min(1) } else { rows.len() };
    let mut out = ctx.take(expr.ty.class());
    for row in 0..n {
        // One value may take long, and a client that is gone wants none.
        ctx.check_killed()?;
        let mut call = Call { expr, types: args, args: &values, row, out: &mut out, ctx };
        (function.def.eval)(&mut call)?;
        debug_assert_eq!(out.len(), row + 1, "{} must give one value a row", function.def.name);
    }
    if constant && n == 1 {
        out.set_constant(true);
    }
    ctx.made = ctx.made.wrapping_add(out.byte_len());
    for v in values {
        ctx.done(v);
    }
    Ok(VecRef::Owned(out))
}

/// The width that clients see of a call's value: parts of dates are announced without the sign for which a column
/// of them has room.
pub(crate) fn shown_length(e: &Expr) -> u32 {
    if let (crate::expr::Node::Negate(inner, _), Class::Decimal) = (&e.node, e.ty.class()) {
        // each sign takes a place
        let source = match &inner.node {
            crate::expr::Node::Convert(source) => source,
            _ => inner,
        };
        return shown_length(source) + 1;
    }
    let signless = match &e.node {
        crate::expr::Node::Call(f, args) => match f.def.name {
            "year" | "month" | "day" | "hour" | "minute" | "second" | "microsecond" | "dayofyear"
            | "week" | "weekofyear" | "quarter" | "to_days" => true,
            "extract" => {
                // WEEK, MONTH, QUARTER, YEAR, YEAR_MONTH
                matches!(args.first().and_then(Expr::as_literal), Some(crate::types::Value::Int(5..=8 | 19)))
            }
            _ => false,
        },
        _ => false,
    };
    e.ty.length - u32::from(signless)
}

/// Bytes of text that a function may give when its arguments do not tell.
const LONGEST: u64 = 16_777_216;

/// Text of which only the collation is known.
#[must_use]
pub(crate) fn longest_text(collation: &'static Collation, derivation: Derivation) -> FieldType {
    let mut t = FieldType::string(LONGEST / u64::from(collation.charset.mbmaxlen), collation, derivation);
    t.kind = crate::types::Kind::LongBlob;
    t
}

/// Functions whose text is announced with no digits after a point; that of others has no fixed number of them.
const WITHOUT_DIGITS: &[&str] = &[
    "hex",
    "unhex",
    "date_format",
    "time_format",
    "from_unixtime",
    "dayname",
    "monthname",
    "get_format",
    "inet_ntoa",
    "inet6_aton",
    "inet6_ntoa",
];

/// Other names of functions.
const SYNONYMS: &[(&str, &str)] = &[
    ("ceil", "ceiling"),
    ("power", "pow"),
    ("lcase", "lower"),
    ("ucase", "upper"),
    ("substr", "substring"),
    ("mid", "substring"),
    ("character_length", "char_length"),
    ("octet_length", "length"),
    ("lengthb", "length"),
    ("position", "locate"),
    ("sha", "sha1"),
    ("dayofmonth", "day"),
    ("schema", "database"),
    ("session_user", "user"),
    ("system_user", "user"),
    ("nvl", "ifnull"),
    ("current_date", "curdate"),
    ("current_time", "curtime"),
    ("current_timestamp", "now"),
    ("localtime", "now"),
    ("localtimestamp", "now"),
    ("to_char_oracle", "to_char"),
    ("chr", "chr"),
];

/// Lets a conversion to a floating-point number know its column's heading: what does not fit is noted with it.
pub(crate) fn tell_heading(e: &mut Expr, heading: &str, ctx: &EvalContext) {
    if let Node::Call(f, args) = &mut e.node
        && matches!(f.def.name, "cast_as_double" | "cast_as_float")
        && args.len() == 1
    {
        let ty = FieldType::string(heading.len() as u64, ctx.collation, Derivation::Implicit);
        args.push(Expr::literal(Value::Bytes(heading.as_bytes().to_vec()), ty));
    }
}

/// The definition of a function by its name in any case.
#[must_use]
pub fn find(name: &str) -> Option<Function> {
    static TABLE: OnceLock<HashMap<&'static str, &'static Definition>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut t = HashMap::default();
        let lists = [
            cast::LIST,
            control::LIST,
            digest::LIST,
            digits::LIST,
            information::LIST,
            interval::LIST,
            json::LIST,
            numeric::LIST,
            string::LIST,
            temporal::LIST,
        ];
        for list in lists {
            for d in list {
                t.insert(d.name, d);
            }
        }
        for (other, name) in SYNONYMS {
            if let Some(d) = t.get(name).copied() {
                t.insert(*other, d);
            }
        }
        t
    });
    let mut lower = [0u8; 64];
    let bytes = name.as_bytes();
    let lower = lower.get_mut(..bytes.len())?;
    lower.copy_from_slice(bytes);
    lower.make_ascii_lowercase();
    let lower = std::str::from_utf8(lower).ok()?;
    table.get(lower).map(|def| Function { def })
}

/// Binds a call: counts and converts the arguments.
///
/// # Errors
/// 1582 for a wrong number of arguments, and those of the conversions.
pub fn call(function: Function, name: &str, mut args: Vec<Expr>, ctx: &mut EvalContext) -> SqlResult<Expr> {
    let def = function.def;
    if args.len() < usize::from(def.min) || (def.max != 255 && args.len() > usize::from(def.max)) {
        return Err(SqlError::new(ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT, &[&name]));
    }
    let strict = ctx.sql_mode.strict();
    let mut r = Resolve { name, args: &mut args, ctx };
    let mut ty = (def.resolve)(&mut r)?;
    // text may always be too long to be given; in strict mode its type tells
    ty.nullable |= ty.is_string() && strict && def.name != "version";
    if ty.is_string() && WITHOUT_DIGITS.contains(&def.name) {
        ty.decimals = 0;
    }
    Ok(Expr::new(crate::expr::Node::Call(function, args), ty))
}

/// Whether a type is a number for functions that keep the class of their argument.
pub(crate) fn number_class(t: &FieldType) -> Class {
    match t.class() {
        Class::Int => Class::Int,
        Class::UInt if t.hex || t.is_number() => Class::UInt,
        Class::Decimal => Class::Decimal,
        Class::Date | Class::Time | Class::DateTime => {
            if t.decimals > 0 {
                Class::Decimal
            } else {
                Class::Int
            }
        }
        Class::Bytes if t.hex => Class::UInt,
        Class::Null => Class::Null,
        _ => Class::Double,
    }
}
