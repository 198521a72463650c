//! The functions of Oracle that differ from those of the same name: to them an empty text is NULL.
//! They are called `..._ORACLE`, or `oracle_schema.name`.

use super::string::{
    concat_type, pad, pad_type, replace, replace_type, substring_from, substring_type, trim, trim_type,
};
use super::{Arguments, Call, Definition, Resolve, pure};
use crate::error::SqlResult;
use crate::expr::VecRef;
use crate::types::{FieldType, ValueRef};

pub(super) const LIST: &[Definition] = &[
    pure("concat_operator_oracle", 1, 255, |r| named(r, "concat", concat_type), concat)
        .taking(Arguments::Asked(needs_more)),
    pure("lpad_oracle", 2, 3, |r| named(r, "lpad", pad_type), |c| null_if_empty(c, |c| pad(c, true))),
    pure("rpad_oracle", 2, 3, |r| named(r, "rpad", pad_type), |c| null_if_empty(c, |c| pad(c, false))),
    pure(
        "ltrim_oracle",
        1,
        2,
        |r| named(r, "ltrim", trim_type_of),
        |c| null_if_empty(c, |c| trim(c, true, false)),
    ),
    pure(
        "rtrim_oracle",
        1,
        2,
        |r| named(r, "rtrim", trim_type_of),
        |c| null_if_empty(c, |c| trim(c, false, true)),
    ),
    pure(
        "trim_oracle",
        1,
        2,
        |r| named(r, "trim", trim_type_of),
        |c| null_if_empty(c, |c| trim(c, true, true)),
    ),
    pure("replace_oracle", 3, 3, |r| named(r, "replace", replace_type), replace_without_null),
    pure(
        "substr_oracle",
        2,
        3,
        |r| named(r, "substr", substr_type),
        |c| null_if_empty(c, |c| substring_from(c, true)),
    ),
];

/// Messages name these functions as the others.
fn named(
    r: &mut Resolve<'_>,
    name: &str,
    resolve: fn(&mut Resolve<'_>) -> SqlResult<FieldType>,
) -> SqlResult<FieldType> {
    resolve(&mut Resolve { name, args: r.args, ctx: r.ctx })
}

/// Computes a text, and makes NULL of an empty one.
fn null_if_empty(
    c: &mut Call<'_, '_>,
    eval: impl FnOnce(&mut Call<'_, '_>) -> SqlResult<()>,
) -> SqlResult<()> {
    eval(c)?;
    let last = c.out.len() - 1;
    if !c.out.is_null(last) && c.out.bytes(last).is_empty() {
        c.out.set_null(last);
    }
    Ok(())
}

/// NULL only where all are.
fn concat(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (args, row) = (c.args, c.row);
    let texts = || {
        args.iter().filter_map(|a| match a.get(row) {
            ValueRef::Bytes(b) => Some(b),
            _ => None,
        })
    };
    if texts().next().is_none() {
        return c.null();
    }
    if c.exceeds(texts().map(<[u8]>::len).sum()) {
        return c.too_long();
    }
    c.out.push_bytes_with(|out| {
        texts().for_each(|text| out.extend_from_slice(text));
        Ok(true)
    })
}

/// Whatever stands behind a result that is too long is not asked for.
fn needs_more(made: &[VecRef<'_>], row: usize, most: usize) -> bool {
    let length = |v: &VecRef<'_>| match v.get(row) {
        ValueRef::Bytes(b) => b.len(),
        _ => 0,
    };
    made.iter().map(length).sum::<usize>() <= most
}

fn trim_type_of(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(trim_type(r)?.with_nullable(true))
}

fn substr_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let from_start = r.known_int(1) == Some(0);
    let whole = u64::from(r.args[0].ty.char_length());
    let mut ty = substring_type(r)?;
    if from_start {
        // zero is the first character, too
        let chars = r.known_int(2).map_or(whole, |n| whole.min(n.max(0) as u64));
        let plain = ty.clone();
        ty = FieldType::string(chars, plain.collation, plain.derivation);
        ty.ascii = plain.ascii;
    }
    Ok(ty.with_nullable(true))
}

fn replace_without_null(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match (c.bytes(0), c.bytes(1)) {
        (Some(text), None | Some([])) => c.put_bytes(text),
        _ => null_if_empty(c, |c| replace(c, true)),
    }
}
