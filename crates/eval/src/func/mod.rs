//! The functions: their definitions, by name.

mod aes;
mod cast;
pub use cast::IMAGE;
mod compress;
mod control;
mod date_format;
mod des;
mod digest;
mod digits;
pub mod dynamic_columns;
mod fraction;
mod histogram;
mod information;
pub mod interval;
mod joined;
pub mod json;
mod locale;
mod members;
mod natural;
mod numeric;
mod oracle;
pub mod refused;
mod regexp;
mod sformat;
mod spatial;
mod string;
mod temporal;
mod time_arithmetic;
mod to_char;
pub mod wrapped;
mod xml;
pub mod years;

use crate::error::{ER_SP_DOES_NOT_EXIST, ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT, SqlError, SqlResult};
use crate::expr::arguments::{Arguments, Stops};
use crate::expr::function::{Call, Definition, Function, Purity, Resolve};
use crate::expr::{EvalContext, Expr, Node};
use crate::types::{Class, Derivation, FieldType, Value};
use charset::Collation;
use foldhash::HashMap;
use std::sync::OnceLock;

pub(crate) use fraction::digits_of_sum;
pub use temporal::{compared, null_again};

/// The width that clients see of a call's value: parts of dates are announced without the sign for which a column
/// of them has room.
pub fn shown_length(e: &Expr) -> u32 {
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
pub fn longest_text(collation: &'static Collation, derivation: Derivation) -> FieldType {
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
    "json_compact",
    "json_detailed",
    "json_loose",
    "json_ array",
    "json_ object",
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
    ("chr", "chr"),
    ("json_merge", "json_merge_preserve"),
    ("json_pretty", "json_detailed"),
];

/// Lets a conversion to a floating-point number and a stored function know their column's heading: what does not fit
/// is noted with it.
pub fn tell_heading(e: &mut Expr, heading: &str, ctx: &EvalContext) {
    crate::expr::calls::tell_heading(e, heading, ctx.collation);
    let decimal = e.ty.class() == Class::Decimal;
    if let Node::Call(f, args) = &mut e.node
        && match f.def.name {
            "cast_as_double" | "cast_as_float" => args.len() == 1,
            "column_get" => decimal && args.len() == 2,
            _ => false,
        }
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
            aes::LIST,
            cast::LIST,
            control::LIST,
            compress::LIST,
            des::LIST,
            digest::LIST,
            digits::LIST,
            dynamic_columns::LIST,
            histogram::LIST,
            information::LIST,
            interval::LIST,
            members::LIST,
            natural::LIST,
            numeric::LIST,
            oracle::LIST,
            regexp::LIST,
            sformat::LIST,
            string::LIST,
            temporal::LIST,
            time_arithmetic::LIST,
            to_char::LIST,
            xml::LIST,
        ];
        for list in lists.iter().chain(&json::LISTS).chain(&spatial::LISTS) {
            for d in *list {
                t.insert(d.name, d);
            }
        }
        for (other, name) in SYNONYMS.iter().chain(spatial::SYNONYMS) {
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
    table.get(lower).map(|def| Function::from(*def))
}

/// The function of this name, which is there, public or hidden.
///
/// # Errors
/// 1305.
pub fn named(name: &str) -> SqlResult<Function> {
    find(name).ok_or_else(|| SqlError::new(ER_SP_DOES_NOT_EXIST, &[&"FUNCTION", &name]))
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
    refused::arguments(def.name, &args)?;
    let strict = ctx.sql_mode.strict();
    let mut r = Resolve { name, args: &mut args, ctx };
    let mut ty = (def.resolve)(&mut r)?;
    // text may always be too long to be given; in strict mode its type tells
    ty.nullable |= ty.is_string() && strict && !matches!(def.name, "version" | "last_value");
    if ty.is_string() && WITHOUT_DIGITS.contains(&def.name) {
        ty.decimals = 0;
    }
    Ok(Expr::new(crate::expr::Node::Call(function, args), ty))
}

/// Whether a type is a number for functions that keep the class of their argument.
pub fn number_class(t: &FieldType) -> Class {
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

/// Makes what builds the entries of the lists of functions: name, fewest and most arguments, type, evaluation.
macro_rules! definitions {
    ($($(#[$doc:meta])* $purpose:ident => $purity:ident;)*) => {$(
        $(#[$doc])*
        const fn $purpose(
            name: &'static str,
            min: u8,
            max: u8,
            resolve: fn(&mut Resolve<'_>) -> SqlResult<FieldType>,
            eval: fn(&mut Call<'_, '_>) -> SqlResult<()>,
        ) -> Definition {
            Definition { name, min, max, purity: Purity::$purity, resolve, eval, arguments: Arguments::All, stops: Stops::Never }
        }
    )*};
}

definitions! {
    /// A function of its arguments alone.
    pure => Immutable;
    /// A function that depends on the clock, the zone, the session or a setting.
    statement => Statement;
    /// A function that may give another value for each row.
    volatile => Volatile;
}
