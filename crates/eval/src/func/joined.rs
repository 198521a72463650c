//! Which arguments CONCAT and its kin need: those behind a result that is too long already are not made, nor those that
//! are not chosen.

use crate::expr::VecRef;
use crate::types::ValueRef;

fn number(v: &VecRef<'_>, row: usize) -> Option<u64> {
    match v.get(row) {
        ValueRef::Int(n) => Some(n.cast_unsigned()),
        ValueRef::UInt(n) => Some(n),
        _ => None,
    }
}

fn length(v: &VecRef<'_>, row: usize) -> Option<usize> {
    match v.get(row) {
        ValueRef::Bytes(b) => Some(b.len()),
        _ => None,
    }
}

/// All of them, one behind the other; one that is NULL makes all NULL.
pub(super) fn concat(made: &[VecRef<'_>], row: usize, most: usize) -> bool {
    made.iter().map(|v| length(v, row)).sum::<Option<usize>>().is_some_and(|sum| sum <= most)
}

/// As well, with the first between them; NULLs are left out.
pub(super) fn concat_ws(made: &[VecRef<'_>], row: usize, most: usize) -> bool {
    let Some((first, rest)) = made.split_first() else { return true };
    let Some(between) = length(first, row) else { return false };
    let (parts, sum) =
        rest.iter().filter_map(|v| length(v, row)).fold((0, 0), |(n, sum), b| (n + 1, sum + b));
    sum + between * usize::saturating_sub(parts, 1) <= most
}

/// Those whose bits are set in the first.
pub(super) fn make_set(made: &[VecRef<'_>], row: usize, most: usize) -> bool {
    let Some((first, rest)) = made.split_first() else { return true };
    let Some(bits) = number(first, row) else { return false };
    let is_set = |i: usize| i < 64 && bits >> i & 1 != 0;
    let chosen = rest.iter().enumerate().filter(|(i, _)| is_set(*i));
    is_set(rest.len()) && chosen.filter_map(|(_, v)| length(v, row)).sum::<usize>() <= most
}

/// The one that the first names.
pub(super) fn elt(made: &[VecRef<'_>], row: usize, _most: usize) -> bool {
    made.first().is_none_or(|first| number(first, row).is_some_and(|n| n as u32 as usize == made.len()))
}
