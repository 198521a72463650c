//! Long arguments are made as long as somebody needs them: of forty that CONCAT joins, the first two may be too long already.

use super::eval::{Rows, VecRef};
use super::{EvalContext, Expr};
use crate::types::ValueRef;

/// Bytes of arguments from which on it is worth to ask whether the next one is needed.
pub(super) const MUCH: usize = 1 << 20;

/// What a function makes of its arguments.
#[derive(Clone, Copy)]
enum Kind {
    /// All of them one behind the other.
    Concat,
    /// As well, with the first between them; NULLs are left out.
    ConcatWs,
    /// Those whose bits are set in the first.
    MakeSet,
    /// That which the first names.
    Elt,
}

/// Whether a row of `rows` needs argument number `made.len()`, after those that are `made`.
#[cold]
pub(super) fn needed(name: &str, made: &[VecRef<'_>], rows: Rows<'_>, ctx: &EvalContext) -> bool {
    let kind = match name {
        "concat" => Kind::Concat,
        "concat_ws" => Kind::ConcatWs,
        "make_set" => Kind::MakeSet,
        "elt" => Kind::Elt,
        _ => return true,
    };
    let constant = made.iter().all(|v| v.is_constant());
    let count = if constant { rows.len().min(1) } else { rows.len() };
    (0..count).any(|row| needed_in(kind, made, row, ctx.max_allowed_packet))
}

fn needed_in(kind: Kind, made: &[VecRef<'_>], row: usize, most: usize) -> bool {
    let number = |v: &VecRef<'_>| match v.get(row) {
        ValueRef::Int(n) => Some(n as u64),
        ValueRef::UInt(n) => Some(n),
        _ => None,
    };
    let length = |v: &VecRef<'_>| match v.get(row) {
        ValueRef::Bytes(b) => Some(b.len()),
        _ => None,
    };
    let next = made.len();
    let Some((first, rest)) = made.split_first() else { return true };
    match kind {
        Kind::Concat => made.iter().map(length).sum::<Option<usize>>().is_some_and(|sum| sum <= most),
        Kind::ConcatWs => {
            let Some(between) = length(first) else { return false };
            let (parts, sum) = rest.iter().filter_map(length).fold((0, 0), |(n, sum), b| (n + 1, sum + b));
            sum + between * usize::saturating_sub(parts, 1) <= most
        }
        Kind::MakeSet => {
            let Some(bits) = number(first) else { return false };
            let is_set = |i: usize| i < 64 && bits >> i & 1 != 0;
            let chosen = rest.iter().enumerate().filter(|(i, _)| is_set(*i));
            is_set(next - 1) && chosen.filter_map(|(_, v)| length(v)).sum::<usize>() <= most
        }
        Kind::Elt => number(first) == Some(next as u64),
    }
}

/// What stands for an argument that no row needs.
pub(super) fn none<'a>(argument: &Expr, ctx: &mut EvalContext) -> VecRef<'a> {
    ctx.constant(ValueRef::Null, argument.ty.class())
}
