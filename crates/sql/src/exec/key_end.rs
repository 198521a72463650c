//! The value at an end of a key.

use std::cmp::Ordering;

use super::Exec;
use crate::error::SqlResult;
use crate::expr::{CompareOp, EvalContext, Expr, Node};
use crate::plan::access::is_true;
use crate::plan::key_end::{Asked, KeyEnd};
use crate::plan::stored::{self, to_stored};
use crate::plan::{BlockPlan, Relation};
use crate::table::keys::order_entries;
use crate::table::{KeyCursor, OpenTable, RowScratch, SeekMode};
use crate::types::store::{Column, StoreMode, Stored, store};
use crate::types::{Class, Kind, Value, load};
use crate::warning::Warnings;

/// What an end of a key has.
pub(super) enum Found {
    /// The value.
    Value(Value),
    /// No row meets the conditions.
    NoRow,
    /// None ever would: something is compared with NULL.
    Impossible,
    /// The key cannot tell.
    Unknown,
}

/// Why there is no place to look at.
type Missed = Found;

/// Where the walk along the key would begin.
struct Place {
    /// The image of the column's value, NULL in front of the others.
    image: Option<Vec<u8>>,
    how: How,
}

/// Where to look, and the conditions to be tested on what is found.
struct Looked<'a> {
    place: Option<Place>,
    tests: Vec<&'a Expr>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// The value itself.
    Equal,
    /// The value and what lies behind it.
    From,
    /// What lies behind the value.
    Behind,
}

/// Looks for the value.
///
/// # Errors
/// Damaged files, those of constants.
pub(super) fn find(exec: &Exec<'_>, b: &BlockPlan, end: &KeyEnd, ctx: &mut EvalContext) -> SqlResult<Found> {
    let Relation::Base(open) = &b.tables[end.table].relation else { return Ok(Found::Unknown) };
    let format = open.format();
    let mut flat = Vec::new();
    for (part, (column, asked)) in end.before.iter().enumerate() {
        let image = match asked {
            Asked::IsNull | Asked::Between(..) => None,
            Asked::Compare(op, e) => match image(e, column, ctx)? {
                Ok(None) if *op != CompareOp::NullSafeEq => return Ok(Found::Impossible),
                Ok(image) => image,
                Err(missed) => return Ok(missed),
            },
        };
        if image.is_none() && !format.keys[end.key].segments[part].nullable {
            return Ok(Found::NoRow);
        }
        format.encode_key_part(end.key, part, image.as_deref(), &mut flat);
    }
    let Looked { place, tests } = match place(end, ctx)? {
        Ok(found) => found,
        Err(missed) => return Ok(missed),
    };
    let Some(value) = seek(exec, open, end, &mut flat, place, ctx)? else { return Ok(Found::NoRow) };
    let value = match value {
        Found::Value(v) => v,
        other => return Ok(other),
    };
    for test in tests {
        let holds = of_value(test, &value).value(ctx)?;
        if !is_true(&holds, &test.ty, ctx) {
            return Ok(Found::NoRow);
        }
    }
    Ok(Found::Value(of_value(&end.value, &value).value(ctx)?))
}

/// An expression of one column with its value in it.
fn of_value(e: &Expr, value: &Value) -> Expr {
    let mut e = e.clone();
    e.walk_mut(&mut |e| {
        if matches!(e.node, Node::Column(_)) {
            e.node = Node::Literal(value.clone());
        }
    });
    e
}

/// A constant as the column would store it, silently; nothing is NULL. A text that the column cannot hold tells nothing.
fn image(e: &Expr, to: &Column, ctx: &mut EvalContext) -> SqlResult<Result<Option<Vec<u8>>, Missed>> {
    // what stands there is stored, not what it is converted to for comparisons
    let mut plain = e;
    loop {
        plain = match &plain.node {
            Node::Convert(inner) => inner,
            Node::Call(f, args) if f.def.name == "full_year" && !args.is_empty() => &args[0],
            _ => break,
        };
    }
    let value = plain.value(ctx)?;
    if value.is_null() {
        // what is no address became NULL when it was compared with some
        return Ok(if to.ty.is_address() { Err(Found::Unknown) } else { Ok(None) });
    }
    let said = std::mem::replace(&mut ctx.warnings, Warnings::new(1));
    let image = stored_image(plain, value, e, to, ctx);
    let complaints = std::mem::replace(&mut ctx.warnings, said);
    let texts = plain.ty.class() == Class::Bytes && to.ty.is_string();
    Ok(match image? {
        Some(_) if texts && complaints.count_all() > 0 => Err(Found::Unknown),
        Some(image) => Ok(Some(image)),
        None => Err(Found::Unknown),
    })
}

/// The image of the constant `plain`, which is `compared` for comparisons; nothing when there is none.
fn stored_image(
    plain: &Expr,
    value: Value,
    compared: &Expr,
    to: &Column,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Vec<u8>>> {
    if to.ty.is_temporal() || to.ty.is_address() {
        // a date is kept as it is compared, even one that does not exist
        let value = compared.value(ctx)?;
        let moment = matches!(value, Value::Date(_) | Value::DateTime(_));
        match to_stored(&value, &to.ty) {
            stored::Stored::Exact(image) | stored::Stored::After(image) => return Ok(Some(image)),
            _ if to.ty.is_address() || moment && to.ty.kind == Kind::Time => return Ok(None),
            _ => {}
        }
    }
    let mut out = Vec::new();
    let stored = store(value.as_ref(), &plain.ty, to, StoreMode::Lenient, &mut out, ctx)?;
    Ok((stored == Stored::Value).then_some(out))
}

/// Where to look for the value, and the conditions that the place does not answer.
fn place<'a>(end: &'a KeyEnd, ctx: &mut EvalContext) -> SqlResult<Result<Looked<'a>, Missed>> {
    let mut place: Option<(Place, &Expr)> = None;
    let mut tests = Vec::new();
    for bound in &end.bounds {
        let (at, how, more) = match &bound.asked {
            Asked::IsNull => (None, How::Equal, false),
            Asked::Compare(op, e) => {
                let how = match (op, end.last) {
                    (CompareOp::Eq | CompareOp::NullSafeEq, _) => Some(How::Equal),
                    (CompareOp::Ge, false) | (CompareOp::Le, true) => Some(How::From),
                    (CompareOp::Gt, false) | (CompareOp::Lt, true) => Some(How::Behind),
                    _ => None,
                };
                let at = match image(e, &end.column, ctx)? {
                    Ok(None) if *op != CompareOp::NullSafeEq => return Ok(Err(Found::Impossible)),
                    Ok(image) => image,
                    Err(missed) => return Ok(Err(missed)),
                };
                let Some(how) = how else {
                    tests.push(&bound.whole);
                    continue;
                };
                (at, how, false)
            }
            Asked::Between(low, high) => {
                let (low, high) = (image(low, &end.column, ctx)?, image(high, &end.column, ctx)?);
                match (low, high) {
                    (Ok(Some(low)), Ok(Some(high))) => {
                        (Some(if end.last { high } else { low }), How::From, true)
                    }
                    (Err(missed), _) | (_, Err(missed)) => return Ok(Err(missed)),
                    _ => return Ok(Err(Found::Impossible)),
                }
            }
        };
        if more {
            tests.push(&bound.whole);
        }
        let new = (Place { image: at, how }, &bound.whole);
        place = Some(match place.take() {
            None => new,
            Some(old) => match (old.0.how, new.0.how) {
                (How::Equal, How::Equal) => return Ok(Err(Found::Unknown)),
                (How::Equal, _) => {
                    tests.push(new.1);
                    old
                }
                (_, How::Equal) => {
                    tests.push(old.1);
                    new
                }
                // as in MariaDB: the bound before stands where its value meets the new condition
                _ => match meets(old.0.image.as_deref(), new.1, end, ctx)? {
                    true => old,
                    false => new,
                },
            },
        });
    }
    Ok(Ok(Looked { place: place.map(|p| p.0), tests }))
}

/// Whether a stored value meets a condition, silently.
fn meets(image: Option<&[u8]>, condition: &Expr, end: &KeyEnd, ctx: &mut EvalContext) -> SqlResult<bool> {
    let value = load::value(image, &end.ty, ctx);
    let said = std::mem::replace(&mut ctx.warnings, Warnings::new(1));
    let holds = of_value(condition, &value).value(ctx).map(|holds| is_true(&holds, &condition.ty, ctx));
    ctx.warnings = said;
    holds
}

/// The value of the entry at a place among those that begin with `flat`; of a MERGE table the first or last of those of its tables.
fn seek(
    exec: &Exec<'_>,
    open: &OpenTable,
    end: &KeyEnd,
    flat: &mut Vec<u8>,
    place: Option<Place>,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Found>> {
    let Some(children) = open.children() else {
        return Ok(seek_in(exec, open, end, flat, place.as_ref(), ctx)?.map(|(found, _)| found));
    };
    let (mut best, mut null): (Option<(Found, Vec<u8>)>, Option<Found>) = (None, None);
    for (_, table) in children.read() {
        let (found, key) = match seek_in(exec, table, end, &mut flat.clone(), place.as_ref(), ctx)? {
            None => continue,
            Some((Found::Value(Value::Null), _)) => {
                null = Some(Found::Value(Value::Null));
                continue;
            }
            Some((Found::Value(value), key)) => (Found::Value(value), key),
            Some((other, _)) => return Ok(Some(other)),
        };
        let info = &open.keys()[end.key];
        let wanted = if end.last { Ordering::Greater } else { Ordering::Less };
        let goes_before =
            |(_, other): &(Found, Vec<u8>)| order_entries(info, &key, other, info.segments.len()) == wanted;
        if best.as_ref().is_none_or(goes_before) {
            best = Some((found, key));
        }
    }
    Ok(best.map(|(found, _)| found).or(null))
}

/// The value of the entry at a place of one table, and the entry.
fn seek_in(
    exec: &Exec<'_>,
    open: &OpenTable,
    end: &KeyEnd,
    flat: &mut Vec<u8>,
    place: Option<&Place>,
    ctx: &mut EvalContext,
) -> SqlResult<Option<(Found, Vec<u8>)>> {
    let format = open.format();
    let pin = exec.snapshot.pin();
    let view = pin.table(open.pages()).map_err(|e| open.error(&e.into()))?;
    if !format.state(&view).key_active(end.key) {
        return Ok(Some((Found::Unknown, Vec::new())));
    }
    let (parts, before) = (end.before.len(), flat.len());
    let nullable = format.keys[end.key].segments[parts].nullable;
    let skips_nulls = place.is_none() && !end.last && nullable;
    let (mode, depth) = match place {
        Some(Place { image, how }) => {
            if image.is_none() && !nullable {
                return Ok(None);
            }
            format.encode_key_part(end.key, parts, image.as_deref(), flat);
            let mode = match (how, end.last) {
                (How::Equal, false) => SeekMode::Exact,
                (How::Equal, true) => SeekMode::ExactLast,
                (How::From, false) => SeekMode::GreaterEqual,
                (How::From, true) => SeekMode::LessEqual,
                (How::Behind, false) => SeekMode::Greater,
                (How::Behind, true) => SeekMode::Less,
            };
            (mode, parts + 1)
        }
        None if skips_nulls => {
            format.encode_key_part(end.key, parts, None, flat);
            (SeekMode::Greater, parts + 1)
        }
        None => at_end(parts, end.last),
    };
    let mut cursor = KeyCursor::new(format, end.key);
    {
        let mut counters = exec.counters.borrow_mut();
        match mode {
            SeekMode::First => counters.first += 1,
            SeekMode::Last => counters.last += 1,
            _ => counters.key += 1,
        }
    }
    let mut find = |flat: &[u8], depth, mode| -> SqlResult<bool> {
        let there = cursor.seek(&view, flat, depth, mode).map_err(|e| open.error(&e))?;
        Ok(there && (parts == 0 || cursor.compare(&flat[..before], parts) == Ordering::Equal))
    };
    if !find(flat, depth, mode)? {
        // rows may be there that have no value
        let nulls = skips_nulls && {
            let (mode, depth) = at_end(parts, end.last);
            find(&flat[..before], depth, mode)?
        };
        return Ok(nulls.then_some((Found::Value(Value::Null), Vec::new())));
    }
    let mut scratch = RowScratch::new();
    let row = format.row(&view, cursor.pos(), &mut scratch).map_err(|e| open.error(&e))?;
    exec.counters.borrow_mut().rows += 1;
    let column = format.keys[end.key].segments[parts].column;
    let value = load::value(row.column(column), &end.ty, ctx);
    Ok(Some((Found::Value(value), cursor.key().to_vec())))
}

/// The first or last entry of those that begin alike in so many parts.
fn at_end(parts: usize, last: bool) -> (SeekMode, usize) {
    let mode = match (parts, last) {
        (0, true) => SeekMode::Last,
        (0, false) => SeekMode::First,
        (_, true) => SeekMode::ExactLast,
        (_, false) => SeekMode::Exact,
    };
    (mode, parts)
}
