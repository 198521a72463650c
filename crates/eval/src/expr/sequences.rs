//! NEXTVAL, LASTVAL and SETVAL in expressions: whoever runs functions for a context asks the sequence.

use super::arguments::Arguments;
use super::function::{Call, Definition, Function, Purity, Resolve};
use super::{Expr, Node};
use crate::error::{SqlError, SqlResult};
use crate::types::{FieldType, Value, ValueRef};

/// What is asked of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Its next number.
    Next,
    /// The number that this connection got last.
    Last,
    /// SETVAL.
    Set {
        /// The number.
        value: i64,
        /// It is used already.
        used: bool,
        /// How often the sequence began anew.
        round: i64,
    },
}

/// The definition of all of them: database, name, action and its numbers are literals.
static SEQUENCE: Definition = Definition {
    name: "sequence_value",
    min: 6,
    max: 6,
    purity: Purity::Volatile,
    resolve,
    eval,
    arguments: Arguments::All,
    stops: super::arguments::Stops::Never,
};

fn resolve(_: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(value_type())
}

fn value_type() -> FieldType {
    FieldType { length: 20, ..FieldType::bigint(false) }.with_nullable(true)
}

fn eval(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let text = |i: usize| match c.value(i) {
        ValueRef::Bytes(b) => String::from_utf8_lossy(b).into_owned(),
        _ => String::new(),
    };
    let number = |i: usize| match c.value(i) {
        ValueRef::Int(n) => n,
        _ => 0,
    };
    let (db, name) = (text(0), text(1));
    let action = match number(2) {
        0 => Action::Next,
        1 => Action::Last,
        _ => Action::Set { value: number(3), used: number(4) != 0, round: number(5) },
    };
    let Some(mut host) = c.ctx.host.take() else {
        return Err(SqlError::not_supported("a number of a sequence here"));
    };
    let value = host.sequence(c.ctx, (&db, &name), action);
    c.ctx.host = Some(host);
    c.out.push(value?.map_or(ValueRef::Null, ValueRef::Int));
    Ok(())
}

/// What a sequence answers to an action.
#[must_use]
pub fn sequence_value(db: &str, name: &str, action: Action) -> Expr {
    let text = |t: &str| {
        Expr::literal(
            Value::Bytes(t.as_bytes().to_vec()),
            FieldType::string(64, charset::system(), crate::types::Derivation::Coercible),
        )
    };
    let number = |n: i64| Expr::literal(Value::Int(n), FieldType::bigint(false));
    let (what, value, used, round) = match action {
        Action::Next => (0, 0, false, 0),
        Action::Last => (1, 0, false, 0),
        Action::Set { value, used, round } => (2, value, used, round),
    };
    let list =
        vec![text(db), text(name), number(what), number(value), number(i64::from(used)), number(round)];
    Expr::new(Node::Call(Function::from(&SEQUENCE), list), value_type())
}
