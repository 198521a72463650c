//! Functions that look into documents.

use super::path::{self, Step, Walk, is_named};
use super::text::{self, Json, Style, unescaped};
use super::{
    Stops, document_type, first_type, json, number_type, path_of, paths, plain_path, put, put_text, read,
    texts, told, utf8,
};
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::function::{Call, Definition, Resolve};
use crate::types::{Decimal, FieldType, Kind};
use std::cmp::Ordering;

pub(super) const LIST: &[Definition] = &[
    json("json_extract", 2, 255, extract_type, extract).stopping(Stops::First),
    json("json_value", 2, 2, first_type, value),
    json("json_query", 2, 2, document_type, query),
    json("json_ plain", 1, 1, first_type, plain),
    json("json_ number", 1, 1, first_type, number),
    json("json_exists", 2, 2, truth_type, exists),
    json("json_type", 1, 1, kind_type, kind),
    json("json_length", 1, 2, length_type, length),
    json("json_depth", 1, 1, count_type, depth),
    json("json_keys", 1, 2, first_type, keys).stopping(Stops::First),
    json("json_contains", 2, 3, truth_type, contains).stopping(Stops::First),
    json("json_contains_path", 3, 255, truth_type, contains_path).stopping(Stops::Order(&[&[0], &[1]])),
    json("json_equals", 2, 2, truth_type, equals).stopping(Stops::First),
    json("json_overlaps", 2, 2, truth_type, overlaps).stopping(Stops::First),
];

fn truth_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(FieldType { boolean: true, ..number_type(r, 1)? })
}

fn count_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    number_type(r, 10)
}

fn length_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    if let Some(path) = r.args.get(1).map(|a| &a.ty)
        && (!path.is_string() || path.is_address())
        && path.kind != Kind::Null
    {
        let code = codes::ER_ILLEGAL_PARAMETER_DATA_TYPE_FOR_OPERATION;
        return Err(SqlError::new(code, &[&path.sql_name(), &"json_length"]));
    }
    count_type(r)
}

fn kind_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let d = super::own_collation("utf8mb3_general_ci");
    Ok(FieldType::string(12, d.collation, d.derivation).with_nullable(true))
}

fn extract_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let paths = r.len() as u64 - 1;
    let extra = if paths > 1 { 2 } else { 0 };
    document_type(r)
        .map(|ty| FieldType { json: true, ..super::of_length(ty, |chars| (2 * chars + extra) * paths) })
}

/// What a document that was extracted is beside a text: a string is its text.
fn plain(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    match text::parse(&text) {
        Ok(Json::Text(raw)) => put_text(c, &unescaped(raw)),
        _ => put_text(c, &text),
    }
}

/// What a document that was extracted is as a number: the digits that it begins with, 1 for true, else 0.
fn number(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    match text::parse(&text) {
        Ok(Json::Text(raw)) => {
            let text = unescaped(raw);
            let end = text::number_length(&text);
            put_text(c, if end == 0 { b"0" } else { &text[..end] })
        }
        Ok(Json::Number(n)) => put_text(c, n),
        Ok(Json::Word(b"true")) => put_text(c, b"1"),
        _ => put_text(c, b"0"),
    }
}

fn extract(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    if c.len() == 2 {
        let Some(path) = utf8(c, 1) else { return c.null() };
        let Some(steps) = path_of(c, &path, 1) else { return c.null() };
        if !path::is_wild(&steps) {
            return extract_one(c, &text, &steps);
        }
    }
    let of = texts(c, 1, 1);
    let Some(paths) = paths(c, &of, 1, 1, path_of) else { return c.null() };
    let Some(doc) = read(c, &text, 0) else { return c.null() };
    let mut all: Vec<Json<'_>> = Vec::new();
    Walk::new(&paths).find(&doc, &mut |_, v| {
        all.push(v.clone());
        true
    });
    match all.is_empty() {
        true => c.null(),
        false => put(c, &Json::Array(all), Style::Loose),
    }
}

/// What a path with one end leads to: all of the document is read, but a tree is made of this part alone.
fn extract_one(c: &mut Call<'_, '_>, text: &[u8], steps: &[Step<'_>]) -> SqlResult<()> {
    let part = |text| {
        let (value, _) = match text::seek(text, steps, &|_| true)? {
            Some(at) => text::value_at(text, at)?,
            None => return Ok(None),
        };
        text::check(text).map(|()| Some(value))
    };
    match told(c, part(text), 0).flatten() {
        Some(v) => put(c, &v, Style::Loose),
        None => c.null(),
    }
}

fn value(c: &mut Call<'_, '_>) -> SqlResult<()> {
    // a wrong path is told also where there is no document
    let Some(path) = utf8(c, 1) else { return c.null() };
    let Some(steps) = plain_path(c, &path, 1) else { return c.null() };
    let Some(text) = utf8(c, 0) else { return c.null() };
    let scalar = |b| !matches!(b, b'[' | b'{');
    let Ok(Some(at)) = text::seek(&text, &steps, &scalar) else { return c.null() };
    match text::value_at(&text, at) {
        Ok((Json::Text(raw), _)) if raw.contains(&b'\\') => put_text(c, &unescaped(raw)),
        Ok((Json::Text(raw) | Json::Number(raw), _)) => put_text(c, raw),
        Ok((Json::Word(b"true"), _)) => put_text(c, b"1"),
        Ok((Json::Word(b"false"), _)) => put_text(c, b"0"),
        _ => c.null(),
    }
}

fn query(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(path) = utf8(c, 1) else { return c.null() };
    let Some(steps) = path_of(c, &path, 1) else { return c.null() };
    let Some(text) = utf8(c, 0) else { return c.null() };
    if path::is_deep(&steps) {
        return query_deep(c, &text, steps);
    }
    // other scalars are passed over, null is not
    let Ok(Some(at)) = text::seek(&text, &steps, &|b| matches!(b, b'[' | b'{' | b'n')) else {
        return c.null();
    };
    if text.get(at) == Some(&b'n') {
        return c.null();
    }
    match text::value_at(&text, at) {
        Ok((_, end)) => put_text(c, &text[at..end]),
        Err(_) => c.null(),
    }
}

/// JSON_QUERY of a path for which all of the document is read once.
fn query_deep(c: &mut Call<'_, '_>, text: &[u8], steps: Vec<Step<'_>>) -> SqlResult<()> {
    let Ok(doc) = text::parse(text) else { return c.null() };
    let mut found = None;
    Walk::new(&[steps]).find(&doc, &mut |_, v| {
        found = (!v.is_scalar()).then_some(v);
        found.is_none()
    });
    match found {
        Some(v) => put(c, v, Style::Loose),
        None => c.null(),
    }
}

fn exists(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(text), Some(path)) = (utf8(c, 0), utf8(c, 1)) else { return c.null() };
    let Ok(steps) = path::parse(&path) else { return c.null() };
    if !path::is_deep(&steps) {
        let found = text::seek(&text, &steps, &|_| true);
        return match told(c, found, 0) {
            Some(found) => c.put_int(i64::from(found.is_some())),
            None => c.null(),
        };
    }
    let Some(doc) = read(c, &text, 0) else { return c.null() };
    let none = Walk::new(&[steps]).find(&doc, &mut |_, _| false);
    c.put_int(i64::from(!none))
}

fn kind(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    let Some(doc) = read(c, &text, 0) else { return c.null() };
    let word: &[u8] = match doc {
        Json::Object(_) => b"OBJECT",
        Json::Array(_) => b"ARRAY",
        Json::Text(_) => b"STRING",
        Json::Number(n) if n.contains(&b'.') => b"DOUBLE",
        Json::Number(_) => b"INTEGER",
        Json::Word(b"null") => b"NULL",
        Json::Word(_) => b"BOOLEAN",
    };
    put_text(c, word)
}

/// Where the part of the document begins that the path of argument `i` leads to.
fn part(c: &mut Call<'_, '_>, text: &[u8], i: usize) -> Option<usize> {
    let path = utf8(c, i)?;
    let steps = plain_path(c, &path, i)?;
    let found = text::seek(text, &steps, &|_| true);
    told(c, found, 0)?
}

fn length(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    let at = if c.len() > 1 { part(c, &text, 1) } else { Some(0) };
    let Some(at) = at else { return c.null() };
    let count = match c.len() {
        1 if matches!(text.trim_ascii_start().first(), Some(b'{' | b'[')) => {
            text::check(&text).and_then(|()| text::count_at(&text, 0))
        }
        _ => text::count_at(&text, at),
    };
    match told(c, count, 0) {
        Some(n) => c.put_int(n as i64),
        None => c.null(),
    }
}

fn depth(c: &mut Call<'_, '_>) -> SqlResult<()> {
    fn of(v: &Json<'_>) -> i64 {
        1 + match v {
            Json::Array(list) => list.iter().map(of).max().unwrap_or(0),
            Json::Object(list) => list.iter().map(|(_, v)| of(v)).max().unwrap_or(0),
            _ => 0,
        }
    }
    let Some(text) = utf8(c, 0) else { return c.null() };
    let Some(doc) = read(c, &text, 0) else { return c.null() };
    c.put_int(of(&doc))
}

fn keys(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    let at = if c.len() > 1 { part(c, &text, 1) } else { Some(0) };
    let Some(at) = at else { return c.null() };
    // an array has no names: it is not read
    if text[at..].trim_ascii_start().first() != Some(&b'{') {
        if text[at..].trim_ascii_start().first() != Some(&b'[') {
            told(c, text::value_at(&text, at), 0);
        }
        return c.null();
    }
    let Some((Json::Object(list), _)) = told(c, text::value_at(&text, at), 0) else { return c.null() };
    let mut names: Vec<Json<'_>> = Vec::new();
    for (name, _) in list {
        if !names.contains(&Json::Text(name)) {
            names.push(Json::Text(name));
        }
    }
    put(c, &Json::Array(names), Style::Loose)
}

/// Whether two values that are neither arrays nor objects are equal.
fn same(a: &Json<'_>, b: &Json<'_>) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a == b || Decimal::parse(a).value == Decimal::parse(b).value,
        (Json::Text(a), Json::Text(b)) => a == b || unescaped(a) == unescaped(b),
        (Json::Word(a), Json::Word(b)) => a == b,
        _ => false,
    }
}

fn equal(a: &Json<'_>, b: &Json<'_>) -> bool {
    let form = |v| {
        let mut out = Vec::new();
        normalized(v, &mut out);
        out
    };
    form(a) == form(b)
}

/// Whether `target` has `wanted` in it.
fn has(target: &Json<'_>, wanted: &Json<'_>) -> bool {
    match (target, wanted) {
        (Json::Object(list), Json::Object(all)) => {
            all.iter().all(|(name, v)| list.iter().any(|(own, w)| is_named(own, name) && has(w, v)))
        }
        (Json::Array(list), Json::Array(all)) => all.iter().all(|v| list.iter().any(|own| has(own, v))),
        (Json::Array(list), v) => list.iter().any(|own| has(own, v)),
        _ => same(target, wanted),
    }
}

fn contains(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(text), Some(wanted)) = (utf8(c, 0), utf8(c, 1)) else { return c.null() };
    let mut at = 0;
    if c.len() > 2 {
        let warned = c.ctx.warnings.count_all();
        match part(c, &text, 2) {
            Some(found) => at = found,
            // the path leads nowhere, or there is none
            None => {
                let nowhere = utf8(c, 2).is_some() && c.ctx.warnings.count_all() == warned;
                return if nowhere { c.put_int(0) } else { c.null() };
            }
        }
    }
    // an object has objects only, a scalar has scalars only: no more is read then
    let first = |text: &[u8]| text.trim_ascii_start().first().copied();
    let value = |b: u8| matches!(b, b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n');
    match (first(&text[at..]), first(&wanted)) {
        (Some(b'{'), Some(b)) if value(b) => return c.put_int(0),
        (Some(a), Some(b'{' | b'[')) if !matches!(a, b'{' | b'[') => return c.put_int(0),
        _ => {}
    }
    let Some((found, _)) = told(c, text::value_at(&text, at), 0) else { return c.null() };
    let Some((wanted, _)) = told(c, text::value_at(&wanted, 0), 1) else { return c.null() };
    c.put_int(i64::from(has(&found, &wanted)))
}

/// Whether argument 2 says `all`; it is told when it says something else.
pub(super) fn says_all(c: &mut Call<'_, '_>) -> Option<bool> {
    let word = utf8(c, 1)?;
    if word.eq_ignore_ascii_case(b"all") {
        return Some(true);
    }
    if word.eq_ignore_ascii_case(b"one") {
        return Some(false);
    }
    let name = c.expr_name();
    c.ctx.warnings.warn(codes::ER_JSON_ONE_OR_ALL, &[&name]);
    None
}

fn contains_path(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = utf8(c, 0) else { return c.null() };
    let Some(all) = says_all(c) else { return c.null() };
    let of = texts(c, 2, 1);
    let Some(paths) = paths(c, &of, 2, 1, path_of) else { return c.null() };
    let Some(doc) = read(c, &text, 0) else { return c.null() };
    let mut found = vec![false; paths.len()];
    Walk::new(&paths).find(&doc, &mut |n, _| {
        found[n] = true;
        all
    });
    let holds = if all { found.iter().all(|f| *f) } else { found.contains(&true) };
    c.put_int(i64::from(holds))
}

fn equals(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(a), Some(b)) = (utf8(c, 0), utf8(c, 1)) else { return c.null() };
    let Some(a) = read(c, &a, 0) else { return c.null() };
    let Some(b) = read(c, &b, 1) else { return c.null() };
    c.put_int(i64::from(equal(&a, &b)))
}

/// Whether arrays begin alike, as long as the second is; other values are equal.
fn begins(a: &Json<'_>, b: &Json<'_>) -> bool {
    match (a, b) {
        (Json::Array(a), Json::Array(b)) => b.len() <= a.len() && a.iter().zip(b).all(|(v, w)| begins(v, w)),
        _ => equal(a, b),
    }
}

fn overlaps(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(a), Some(b)) = (utf8(c, 0), utf8(c, 1)) else { return c.null() };
    // what is broken overlaps nothing; only a value that is none at all is told
    let (x, y) = (a, b);
    let (a, b) = match (text::value_at(&x, 0), text::value_at(&y, 0)) {
        (Ok((a, _)), Ok((b, _))) => (a, b),
        (a, b) => {
            for (i, wrong) in [a.err(), b.err()].into_iter().enumerate() {
                let container = |t: &[u8]| matches!(t.trim_ascii_start().first(), Some(b'{' | b'['));
                let open = container(if i == 0 { &x } else { &y });
                if let Some(trouble) = wrong.filter(|_| !open) {
                    super::tell(c, trouble, i, crate::warning::Level::Warning);
                }
            }
            return c.put_int(0);
        }
    };
    let found = match (&a, &b) {
        (Json::Array(a), Json::Array(b)) => a.iter().any(|v| b.iter().any(|w| begins(v, w))),
        (Json::Object(a), Json::Object(b)) => {
            a.iter().any(|(name, v)| b.iter().any(|(other, w)| is_named(other, name) && begins(v, w)))
        }
        (Json::Array(list), v) | (v, Json::Array(list)) => list.iter().any(|w| equal(v, w)),
        (a, b) => equal(a, b),
    };
    c.put_int(i64::from(found))
}

/// The order of values under the same name: by kind, then the shorter one, then by what they hold.
fn order(a: &Json<'_>, b: &Json<'_>) -> Ordering {
    let rank = |v: &Json<'_>| match v {
        Json::Object(_) => 0,
        Json::Array(_) => 1,
        Json::Text(_) => 2,
        Json::Number(_) => 3,
        Json::Word(b"true") => 4,
        Json::Word(b"false") => 5,
        Json::Word(_) => 6,
    };
    match (a, b) {
        (Json::Object(x), Json::Object(y)) => {
            let each = || x.iter().zip(y).map(|(a, b)| a.0.cmp(b.0).then_with(|| order(&a.1, &b.1)));
            x.len().cmp(&y.len()).then_with(|| each().find(|o| o.is_ne()).unwrap_or(Ordering::Equal))
        }
        (Json::Array(x), Json::Array(y)) => {
            let each = || x.iter().zip(y).map(|(a, b)| order(a, b));
            x.len().cmp(&y.len()).then_with(|| each().find(|o| o.is_ne()).unwrap_or(Ordering::Equal))
        }
        (Json::Text(x), Json::Text(y)) | (Json::Number(x), Json::Number(y)) => x.cmp(y),
        _ => rank(a).cmp(&rank(b)),
    }
}

/// Appends the form that equal documents share: names in order, numbers with one digit before the point.
pub(super) fn normalized(value: &Json<'_>, out: &mut Vec<u8>) {
    match value {
        Json::Word(w) => out.extend_from_slice(w),
        Json::Text(raw) => {
            out.push(b'"');
            out.extend_from_slice(raw);
            out.push(b'"');
        }
        Json::Number(n) => normal_number(n, out),
        Json::Array(list) => {
            out.push(b'[');
            for (i, v) in list.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                normalized(v, out);
            }
            out.push(b']');
        }
        Json::Object(list) => {
            let mut sorted: Vec<&(&[u8], Json<'_>)> = list.iter().collect();
            sorted.sort_by(|a, b| a.0.cmp(b.0).then_with(|| order(&a.1, &b.1)));
            out.push(b'{');
            for (i, (name, v)) in sorted.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                out.push(b'"');
                out.extend_from_slice(name);
                out.extend_from_slice(b"\":");
                normalized(v, out);
            }
            out.push(b'}');
        }
    }
}

/// A number as `d.dEn`.
fn normal_number(n: &[u8], out: &mut Vec<u8>) {
    let (negative, n) = match n.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, n),
    };
    let e = n.iter().position(|b| matches!(b, b'e' | b'E')).unwrap_or(n.len());
    let exponent = n.get(e + 1..).and_then(|e| std::str::from_utf8(e).ok());
    let mut exponent: i64 = exponent.and_then(|e| e.parse().ok()).unwrap_or(0);
    let point = n[..e].iter().position(|b| *b == b'.').unwrap_or(e);
    let mut digits: Vec<u8> = n[..e].iter().copied().filter(u8::is_ascii_digit).collect();
    exponent += point as i64 - 1;
    let zeros = digits.iter().take_while(|b| **b == b'0').count();
    if zeros == digits.len() {
        return out.extend_from_slice(b"0.0E0");
    }
    if digits.is_empty() {
        return out.extend_from_slice(b"0.0E0");
    }
    digits.drain(..zeros);
    exponent -= zeros as i64;
    while digits.len() > 1 && digits.last() == Some(&b'0') {
        digits.pop();
    }
    if negative {
        out.push(b'-');
    }
    out.push(digits[0]);
    out.push(b'.');
    out.extend_from_slice(if digits.len() > 1 { &digits[1..] } else { b"0" });
    out.extend_from_slice(format!("E{exponent}").as_bytes());
}
