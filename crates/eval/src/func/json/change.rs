//! Functions that give a changed document: JSON_SET and its kin, JSON_REMOVE, JSON_MERGE.

use super::path::{Index, Step, is_named};
use super::text::{Json, Style, value_at};
use super::{
    Stops, append_value, document_type, json, made_type, paths, plain_path, put, read, texts, told, utf8,
};
use crate::error::{SqlResult, codes};
use crate::expr::function::{Call, Definition, Resolve};
use crate::types::FieldType;

pub(super) const LIST: &[Definition] = &[
    json("json_set", 3, 255, set_type, |c| assign(c, true, true)).stopping(Stops::Pairs),
    json("json_insert", 3, 255, set_type, |c| assign(c, true, false)).stopping(Stops::Pairs),
    json("json_replace", 3, 255, set_type, |c| assign(c, false, true)).stopping(Stops::Pairs),
    json("json_remove", 2, 255, document_type, remove).stopping(Stops::First),
    json("json_array_append", 3, 255, array_type, append).stopping(Stops::Pairs),
    json("json_array_insert", 3, 255, array_type, insert).stopping(Stops::Pairs),
    json("json_merge_preserve", 2, 255, merged_type, preserve).stopping(Stops::First),
    json("json_merge_patch", 2, 255, merged_type, patch),
];

fn merged_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let n = r.len();
    for i in 0..n {
        r.text(i)?;
    }
    made_type(r, 0..n)
}

/// A document, then paths and values in turn.
fn set_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    changed_type(r, false)
}

fn array_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    changed_type(r, true)
}

fn changed_type(r: &mut Resolve<'_>, array: bool) -> SqlResult<FieldType> {
    if r.len().is_multiple_of(2) {
        let code = crate::error::ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT;
        return Err(crate::error::SqlError::new(code, &[&r.name]));
    }
    r.text(0)?;
    for i in (1..r.len()).step_by(2) {
        r.text(i)?;
    }
    let mut extra = 0;
    for pair in r.args[1..].chunks(2) {
        extra += if array {
            pair.get(1).map_or(0, |v| u64::from(v.ty.char_length()) + 4)
        } else {
            u64::from(pair[0].ty.char_length()) + 11
        };
    }
    let length = |chars: u64| if array { chars + extra } else { (2 * chars + extra).saturating_sub(1) };
    Ok(FieldType { json: true, ..super::of_length(r.args[0].ty.clone(), length) })
}

/// The value that a path with one end leads to, to be changed.
fn at<'j, 'a>(value: &'j mut Json<'a>, steps: &[Step<'_>]) -> Option<&'j mut Json<'a>> {
    let Some((step, rest)) = steps.split_first() else { return Some(value) };
    match (step, value) {
        (Step::Name(name), Json::Object(list)) => {
            at(&mut list.iter_mut().find(|(raw, _)| is_named(raw, name))?.1, rest)
        }
        (Step::At(i), Json::Array(list)) => {
            let n = i.of(list.len())?;
            at(list.get_mut(n)?, rest)
        }
        (Step::At(Index::First(0)), value) => at(value, rest),
        _ => None,
    }
}

/// Goes through paths and values: `f` changes the document, or gives none.
fn each(
    c: &mut Call<'_, '_>,
    f: &dyn for<'t> Fn(&mut Json<'t>, &[Step<'t>], Json<'t>) -> bool,
) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    let of = texts(c, 1, 2);
    let Some(paths) = paths(c, &of, 1, 2, plain_path) else { return c.null() };
    let values: Vec<Vec<u8>> = (2..c.len())
        .step_by(2)
        .map(|i| {
            let mut out = Vec::new();
            append_value(c, i, &mut out);
            out
        })
        .collect();
    let Some(mut doc) = read(c, &text, 0) else { return c.null() };
    let mut broken = false;
    for (n, steps) in paths.iter().enumerate() {
        let value = match super::text::parse(&values[n]) {
            Ok(value) => value,
            // what is no document breaks the one it is put into
            Err(_) => {
                broken = true;
                Json::Number(&values[n])
            }
        };
        if !f(&mut doc, steps, value) {
            return c.null();
        }
    }
    // a name with a quote in it, or a value that is no document: the result is none
    let mut out = Vec::new();
    doc.write(Style::Loose, &mut out);
    if broken || paths.iter().flatten().any(|s| matches!(s, Step::Name(n) if n.contains(&b'"'))) {
        let whole = super::text::check(&out);
        if told(c, whole, 0).is_none() {
            return c.null();
        }
    }
    super::put_text(c, &out)
}

fn assign(c: &mut Call<'_, '_>, creates: bool, replaces: bool) -> SqlResult<()> {
    each(c, &|doc, steps, value| {
        let Some((last, before)) = steps.split_last() else {
            if replaces {
                *doc = value;
            }
            return true;
        };
        let Some(parent) = at(doc, before) else { return true };
        match (last, parent) {
            (Step::Name(name), Json::Object(list)) => {
                match list.iter_mut().find(|(raw, _)| is_named(raw, name)) {
                    Some((_, old)) if replaces => *old = value,
                    None if creates => list.push((*name, value)),
                    _ => {}
                }
            }
            (Step::At(i), Json::Array(list)) => match i.of(list.len()).filter(|i| *i < list.len()) {
                Some(i) if replaces => list[i] = value,
                None if creates => match i {
                    Index::First(_) => list.push(value),
                    Index::Last(_) => list.insert(0, value),
                },
                _ => {}
            },
            (Step::At(Index::First(0)), old) if replaces => *old = value,
            (Step::At(Index::Last(_)), old) if replaces && creates => *old = value,
            (Step::At(Index::First(1..) | Index::Last(_)), old)
                if creates && !matches!(old, Json::Array(_)) =>
            {
                let own = std::mem::replace(old, Json::Word(b"null"));
                *old = Json::Array(vec![own, value]);
            }
            _ => {}
        }
        true
    })
}

fn append(c: &mut Call<'_, '_>) -> SqlResult<()> {
    each(c, &|doc, steps, value| {
        match at(doc, steps) {
            Some(Json::Array(list)) => list.push(value),
            Some(old) => {
                let own = std::mem::replace(old, Json::Word(b"null"));
                *old = Json::Array(vec![own, value]);
            }
            None => return false,
        }
        true
    })
}

fn insert(c: &mut Call<'_, '_>) -> SqlResult<()> {
    each(c, &|doc, steps, value| {
        let Some((Step::At(i), before)) = steps.split_last() else { return false };
        if let Some(Json::Array(list)) = at(doc, before) {
            let place = match i {
                Index::First(n) => (*n).min(list.len()),
                // behind the one that is counted from the end
                Index::Last(n) => list.len().saturating_sub(*n),
            };
            list.insert(place, value);
        }
        true
    })
}

fn remove(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    let of = texts(c, 1, 1);
    let Some(paths) = paths(c, &of, 1, 1, plain_path) else { return c.null() };
    let Some(mut doc) = read(c, &text, 0) else { return c.null() };
    for (n, steps) in paths.iter().enumerate() {
        let Some((last, before)) = steps.split_last() else {
            let (name, arg) = (c.expr_name(), n + 2);
            c.ctx.warnings.warn(codes::ER_JSON_PATH_EMPTY, &[&arg, &name]);
            return c.null();
        };
        match (last, at(&mut doc, before)) {
            (Step::Name(name), Some(Json::Object(list))) => {
                if let Some(at) = list.iter().position(|(raw, _)| is_named(raw, name)) {
                    list.remove(at);
                }
            }
            (Step::At(i), Some(Json::Array(list))) => {
                if let Some(at) = i.of(list.len()).filter(|at| *at < list.len()) {
                    list.remove(at);
                }
            }
            _ => {}
        }
    }
    put(c, &doc, Style::Loose)
}

/// Puts documents together from left to right.
fn merged(c: &mut Call<'_, '_>, merge: for<'t> fn(Json<'t>, Json<'t>) -> Json<'t>) -> SqlResult<()> {
    let texts = texts(c, 0, 1);
    let mut doc: Option<Json<'_>> = None;
    if texts.iter().any(Option::is_none) {
        return c.null();
    }
    for (i, text) in texts.iter().flatten().enumerate() {
        let Some((next, _)) = told(c, value_at(text, 0), i) else { return c.null() };
        doc = Some(match doc {
            Some(doc) => merge(doc, next),
            None => next,
        });
    }
    match doc {
        Some(doc) => put(c, &doc, Style::Loose),
        None => c.null(),
    }
}

/// Members of an object.
type Members<'t> = Vec<(&'t [u8], Json<'t>)>;

/// Members of a second object by the names of the first, which may have one several times: those that it has too, and the others.
fn parted<'t>(first: &Members<'t>, second: Members<'t>) -> (Members<'t>, Members<'t>) {
    second.into_iter().partition(|(name, _)| first.iter().any(|(own, _)| is_named(own, name)))
}

/// The first of these members that has the name.
fn member<'m, 't>(of: &'m Members<'t>, name: &[u8]) -> Option<&'m Json<'t>> {
    of.iter().find(|(other, _)| is_named(name, other)).map(|(_, v)| v)
}

fn preserve(c: &mut Call<'_, '_>) -> SqlResult<()> {
    fn both<'t>(a: Json<'t>, b: Json<'t>) -> Json<'t> {
        match (a, b) {
            (Json::Object(a), Json::Object(b)) => {
                let (known, fresh) = parted(&a, b);
                let own = a.into_iter().map(|(name, v)| match member(&known, name) {
                    Some(other) => (name, both(v, other.clone())),
                    None => (name, v),
                });
                Json::Object(own.chain(fresh).collect())
            }
            (a, b) => {
                let list = |v| if let Json::Array(list) = v { list } else { vec![v] };
                let mut all = list(a);
                all.extend(list(b));
                Json::Array(all)
            }
        }
    }
    merged(c, both)
}

fn patch(c: &mut Call<'_, '_>) -> SqlResult<()> {
    fn patched<'t>(a: Json<'t>, b: Json<'t>) -> Json<'t> {
        let Json::Object(b) = b else { return b };
        let a = if let Json::Object(a) = a { a } else { Vec::new() };
        let (known, fresh) = parted(&a, b);
        let own = a.into_iter().filter_map(|(name, v)| match member(&known, name) {
            Some(Json::Word(b"null")) => None,
            Some(other) => Some((name, patched(v, other.clone()))),
            None => Some((name, v)),
        });
        let null = |v: &Json<'_>| matches!(v, Json::Word(b"null"));
        let fresh = fresh.into_iter().filter(|(_, v)| !null(v));
        let fresh = fresh.map(|(name, v)| (name, patched(Json::Word(b"null"), v)));
        Json::Object(own.chain(fresh).collect())
    }
    // NULL is what nothing is known of, until a document comes that has no part of what was before
    let texts = texts(c, 0, 1);
    let mut doc: Option<Json<'_>> = None;
    for (i, text) in texts.iter().enumerate() {
        let Some(text) = text else {
            doc = None;
            continue;
        };
        let Some((next, _)) = told(c, value_at(text, 0), i) else { return c.null() };
        doc = match doc {
            Some(doc) => Some(patched(doc, next)),
            None if i == 0 || !matches!(next, Json::Object(_)) => Some(next),
            None => None,
        };
    }
    match doc {
        Some(doc) => put(c, &doc, Style::Loose),
        None => c.null(),
    }
}
