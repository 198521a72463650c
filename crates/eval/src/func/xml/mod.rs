//! EXTRACTVALUE and UPDATEXML: texts in XML, found by an XPath.

mod document;
mod eval;
mod path;

use super::pure;
use super::{Call, Definition, Resolve};
use crate::error::codes::ER_ILLEGAL_VALUE_FOR_TYPE;
use crate::error::{ER_STACK_OVERRUN_NEED_MORE, ER_UNKNOWN_ERROR, ER_WRONG_VALUE, SqlError, SqlResult};
use crate::expr::{Expr, Node};
use crate::types::{Class, Derivation, FieldType, Kind, Value, ValueRef, convert};
use charset::derivation::Purpose;
use eval::{Evaluation, Found};
use path::{Mistake, Path};
use std::borrow::Cow;

pub(super) const LIST: &[Definition] = &[
    pure("extractvalue", 2, 2, |r| resolve(r, 2), extract_value),
    pure("updatexml", 3, 3, |r| resolve(r, 3), update_xml),
];

/// What a message shows of a path.
fn shown(rest: &[u8]) -> String {
    const MOST: usize = 32;
    let text = String::from_utf8_lossy(rest);
    if text.chars().count() <= MOST {
        return text.into_owned();
    }
    text.chars().take(MOST - 3).chain("...".chars()).collect()
}

fn mistaken(mistake: &Mistake) -> SqlError {
    let told = |text: String| SqlError::with_message(ER_UNKNOWN_ERROR, text);
    match mistake {
        Mistake::Syntax(rest) => told(format!("XPATH syntax error: '{}'", shown(rest))),
        Mistake::TwoSets(rest) => {
            told(format!("XPATH error: comparison of two nodesets is not supported: '{}'", shown(rest)))
        }
        Mistake::Unknown(rest) => told(format!("Unknown XPATH variable at: '{}'", shown(rest))),
        Mistake::TooLarge(digits) => {
            let mut text = String::from_utf8_lossy(digits).into_owned();
            if text.chars().count() > 192 {
                text = text.chars().take(189).chain("...".chars()).collect();
            }
            SqlError::new(ER_ILLEGAL_VALUE_FOR_TYPE, &[&"double", &text])
        }
        Mistake::TooDeep => {
            let stack = 393_216;
            SqlError::new(ER_STACK_OVERRUN_NEED_MORE, &[&stack, &stack, &1024])
        }
    }
}

/// The path is read when the statement is bound, so that a wrong one is told of without any row. The variables
/// in it become arguments: so the call is known to depend on them.
fn resolve(r: &mut Resolve<'_>, texts: usize) -> SqlResult<FieldType> {
    let locals = std::mem::take(&mut r.ctx.statement.path_variables);
    let d = r.texts(0..texts, Purpose::Comparison)?;
    let charset = d.collation.charset;
    if charset.mbminlen > 1 {
        let text = format!("Character set '{}' is not supported by XPATH", charset.name);
        return Err(SqlError::with_message(ER_UNKNOWN_ERROR, text));
    }
    let mut constant = true;
    r.args[1].walk(&mut |e| {
        constant &= match &e.node {
            Node::Column(_) | Node::Aggregate(_) | Node::Outer(_) | Node::Window(_) => false,
            Node::Assign(..) | Node::Param(_) => false,
            Node::Call(f, _) => f.is_pure(),
            _ => true,
        };
    });
    if !constant {
        return Err(SqlError::with_message(ER_UNKNOWN_ERROR, "Only constant XPATH queries are supported"));
    }
    // a subquery has its value when it is executed
    let mut known = true;
    r.args[1].walk(&mut |e| known &= !matches!(e.node, Node::Subquery(_)));
    // what there is to warn of is told when it is executed
    let mark = r.ctx.warnings.mark();
    let path = if known { r.args[1].value(r.ctx)? } else { Value::Null };
    r.ctx.warnings.rollback_to(mark);
    if let Value::Bytes(text) = path {
        let path = path::read(&text).map_err(|m| mistaken(&m))?;
        for variable in path.variables() {
            let value = match variable {
                Variable::OfSession(name) => {
                    let ty = match r.ctx.variables.get(&*name) {
                        Some(v) if v.ty.class() != Class::Null => v.ty.clone(),
                        _ => super::longest_text(charset::binary(), Derivation::Implicit),
                    };
                    Expr::new(Node::UserVariable(name.into()), ty.with_nullable(true))
                }
                Variable::OfRoutine(name, rest) => {
                    let known = locals.iter().find(|(n, _)| n.eq_ignore_ascii_case(&name));
                    known.ok_or_else(|| mistaken(&Mistake::Unknown(rest.into())))?.1.clone()
                }
            };
            r.args.push(value);
        }
    }
    Ok(super::longest_text(d.collation, d.derivation).with_nullable(true))
}

/// The value of a variable.
fn variable(c: &Call<'_, '_>, i: usize) -> Found<'static> {
    match c.value(i) {
        ValueRef::Null => Found::Null,
        ValueRef::Int(n) => Found::Int(n),
        ValueRef::Double(v) => Found::Real(v, c.ty(i).decimals),
        other if c.ty(i).kind == Kind::Decimal => {
            let mut text = Vec::new();
            convert::write_text(other, c.ty(i), &mut text);
            let decimals = text.iter().rev().position(|b| *b == b'.').unwrap_or(0);
            let value = crate::types::number::read_double(&text).value;
            Found::Real(value, decimals.min(30) as u8)
        }
        other => {
            let mut text = Vec::new();
            convert::write_text(other, c.ty(i), &mut text);
            Found::Text(Cow::Owned(text))
        }
    }
}

/// The document and what the path finds in it, handed to `then`; NULL where there is none.
fn found(
    c: &mut Call<'_, '_>,
    texts: usize,
    then: impl FnOnce(&mut Evaluation<'_, '_>, &Found<'_>) -> Option<Vec<u8>>,
) -> SqlResult<()> {
    let (Some(xml), Some(text)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    let path = path::read(text).map_err(|m| mistaken(&m))?;
    let document = match document::read(xml) {
        Ok(document) => document,
        Err(message) => {
            c.ctx.warnings.warn(ER_WRONG_VALUE, &[&"XML", &message]);
            return c.null();
        }
    };
    let mut variables = Vec::new();
    for (i, name) in path.variables().into_iter().enumerate() {
        let value = match &name {
            // the path came with a subquery, and nobody knew of the variable when the call was bound
            Variable::OfRoutine(_, rest) if texts + i >= c.len() => {
                return Err(mistaken(&Mistake::Unknown(rest.to_vec())));
            }
            _ if texts + i >= c.len() => Found::Null,
            _ => variable(c, texts + i),
        };
        variables.push((name, value));
    }
    let collation = c.collation();
    let mut evaluation =
        Evaluation { document: &document, collation, ctx: &mut *c.ctx, variables: &variables };
    let value = evaluation.run(&path)?;
    match then(&mut evaluation, &value) {
        Some(text) if c.exceeds(text.len()) => c.too_long(),
        Some(text) => c.put_bytes(&text),
        None => c.null(),
    }
}

fn extract_value(c: &mut Call<'_, '_>) -> SqlResult<()> {
    found(c, 2, |e, value| e.text(value).map(Cow::into_owned))
}

fn update_xml(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(new) = c.bytes(2) else { return c.null() };
    found(c, 3, |e, value| {
        let Found::Nodes(nodes) = value else { return None };
        let text = e.document.text;
        // only where one node is found there is something to put in its place
        let [one] = &nodes[..] else { return Some(text.to_vec()) };
        let place = &e.document.nodes[one.node].all;
        Some([&text[..place.start], new, &text[place.end..]].concat())
    })
}

/// What a path names.
#[derive(Debug, PartialEq)]
enum Variable {
    /// A user variable, folded as its name is.
    OfSession(String),
    /// A variable of the routine, and the path from there on.
    OfRoutine(String, Box<[u8]>),
}

impl Variable {
    /// Whether an expression is its name.
    fn is(&self, path: &Path) -> bool {
        match (self, path) {
            (Variable::OfSession(a), Path::UserVariable(b)) => a == b,
            (Variable::OfRoutine(a, _), Path::Local(b, _)) => a.eq_ignore_ascii_case(b),
            _ => false,
        }
    }
}

impl Path {
    /// The variables in it, each once.
    fn variables(&self) -> Vec<Variable> {
        let mut names = Vec::new();
        let mut left = vec![self];
        while let Some(path) = left.pop() {
            match path {
                Path::UserVariable(_) | Path::Local(..) if names.iter().any(|n: &Variable| n.is(path)) => {}
                Path::UserVariable(name) => names.push(Variable::OfSession(name.clone())),
                Path::Local(name, rest) => names.push(Variable::OfRoutine(name.clone(), rest.clone())),
                Path::Step { from, .. } | Path::Negate(from) => left.push(from),
                Path::Filter { from, condition } => left.extend([&**condition, &**from]),
                Path::Union(a, b) | Path::Binary(_, a, b) => left.extend([&**b, &**a]),
                Path::Call(_, arguments) => left.extend(arguments.iter().rev()),
                _ => {}
            }
        }
        names
    }
}
