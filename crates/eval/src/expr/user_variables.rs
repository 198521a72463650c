//! What user variables keep: integers, doubles, decimals and texts; every other type becomes one of these.

use super::{EvalContext, Expr, Node};
use crate::error::{ER_BAD_DATA, SqlResult};
use crate::result::NOT_FIXED_DEC;
use crate::types::convert::push_converted;
use crate::types::{Class, FieldType, Kind, Value, ValueRef, Vector};
use crate::warning::Level;
use charset::derivation::Derivation;
use charset::{Charset, Collation};

/// A user variable.
#[derive(Clone, Debug)]
pub struct UserVariable {
    /// Its value.
    pub value: Value,
    /// The value's type.
    pub ty: FieldType,
}

impl UserVariable {
    /// A variable that has no value yet.
    #[must_use]
    pub fn unset() -> UserVariable {
        UserVariable { value: Value::Null, ty: FieldType::null() }
    }
}

/// The type that a variable keeps a value of this type in. Dates, times and addresses are texts in the character
/// set of numbers, BIT is a number.
#[must_use]
pub fn kept_type(ty: &FieldType, connection: &'static Collation) -> FieldType {
    match ty.kind {
        Kind::Bit => FieldType { unsigned: true, ..FieldType::int(ty.length) },
        Kind::Enum | Kind::Set => FieldType { decimals: 0, ..crate::expr::typing::text_type(ty, connection) },
        Kind::Uuid | Kind::Inet4 | Kind::Inet6 => {
            let text = FieldType::string(u64::from(ty.length), of_numbers(connection), Derivation::Implicit);
            FieldType { decimals: 0, ascii: true, ..text }
        }
        _ => match ty.class() {
            Class::Int | Class::UInt => FieldType { unsigned: ty.unsigned, ..FieldType::int(ty.length) },
            Class::Double => FieldType { length: ty.length, ..FieldType::double() },
            Class::Date | Class::Time | Class::DateTime => {
                let mut t =
                    FieldType::string(u64::from(ty.length), of_numbers(connection), Derivation::Implicit);
                (t.ascii, t.decimals) = (true, ty.decimals);
                t
            }
            Class::Bytes => {
                let mut t = FieldType { decimals: NOT_FIXED_DEC, hex: false, ascii: false, ..ty.clone() };
                if t.kind == Kind::Char {
                    t.kind = Kind::Varchar;
                }
                t
            }
            Class::Decimal | Class::Null => ty.clone(),
        },
    }
    .with_nullable(ty.nullable)
}

impl EvalContext {
    /// Gives a user variable a value. NULL without a type leaves it the type that it had.
    ///
    /// # Errors
    /// Those of making the value a text.
    pub fn set_user_variable(&mut self, name: &str, value: Value, ty: &FieldType) -> SqlResult<()> {
        let untyped = ty.class() == Class::Null;
        let kept = kept_type(ty, self.collation);
        let value = if kept.class() == ty.class() || value == Value::Null {
            value
        } else {
            let mut out = Vector::new(kept.class());
            push_converted(value.as_ref(), ty, &kept, &mut out, self)?;
            out.value(0)
        };
        match self.variables.get_mut(name) {
            Some(slot) if untyped => slot.value = Value::Null,
            Some(slot) => *slot = UserVariable { value, ty: kept },
            None => {
                self.variables.insert(name.into(), UserVariable { value, ty: kept });
            }
        }
        Ok(())
    }

    /// Puts the value of a user variable into `out` as `to`. A text that is no number counts as far as it is one,
    /// silently; where a decimal is wanted it must begin like one.
    pub(super) fn read_user_variable(
        &mut self,
        name: &str,
        to: &FieldType,
        out: &mut Vector,
    ) -> SqlResult<()> {
        // the variables are out of the way while one of them is converted: nothing of it is copied
        let variables = std::mem::take(&mut self.variables);
        let converted = match variables.get(name) {
            None => {
                out.push_null();
                Ok(())
            }
            Some(variable) => {
                let mark = self.mark();
                let value = variable.value.as_ref();
                // the text of a number has its own digits, which are fewer than those that its type was announced with
                let own = matches!(value, ValueRef::Decimal(_)) && to.class() == Class::Bytes;
                let shown = own.then(|| FieldType { decimals: NOT_FIXED_DEC, ..variable.ty.clone() });
                let converted = push_converted(value, shown.as_ref().unwrap_or(&variable.ty), to, out, self);
                self.rollback_to(&mark);
                if let (ValueRef::Bytes(text), Class::Decimal) = (value, to.class())
                    && !begins_like_a_number(text, variable.ty.collation.charset)
                {
                    self.warnings.push(Level::Warning, ER_BAD_DATA, &[&"", &"DECIMAL"]);
                }
                converted
            }
        };
        self.variables = variables;
        converted
    }
}

/// The collation of what is no text of its own: dates, times, addresses.
#[must_use]
pub fn of_numbers(connection: &'static Collation) -> &'static Collation {
    Collation::by_name("latin1_swedish_ci").unwrap_or(connection)
}

/// Whether a text has digits where a number begins.
fn begins_like_a_number(text: &[u8], charset: &Charset) -> bool {
    let mut plain = Vec::new();
    let text = match charset.mbminlen {
        1 => text,
        _ => {
            charset.convert(text, charset::system().charset, &mut plain);
            &plain
        }
    };
    let text = text.trim_ascii_start();
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    let digits = digits.strip_prefix(b".").unwrap_or(digits);
    digits.first().is_some_and(u8::is_ascii_digit)
}

/// A user variable as a condition: its text is a number there, silently.
pub fn as_condition(e: &mut Expr) {
    if matches!(e.node, Node::UserVariable(_)) && e.ty.class() == Class::Bytes {
        e.ty = FieldType::double().with_nullable(true);
    }
}
