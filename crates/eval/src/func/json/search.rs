//! JSON_SEARCH: where strings stand in a document.

use super::look::says_all;
use super::path::Walk;
use super::text::{Json, Style, unescaped};
use super::{Stops, first_type, json, path_of, paths, put, read, texts, utf8};
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::function::{Call, Definition, Resolve};
use crate::types::FieldType;
use charset::Charset;
use charset::derivation::Purpose;
use foldhash::{HashSet, HashSetExt as _};

pub(super) const LIST: &[Definition] =
    &[json("json_search", 3, 255, search_type, search).stopping(Stops::Order(&[&[0, 2], &[1]]))];

fn search_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let ty = super::of_length(first_type(r)?, |chars| chars.saturating_mul(chars).saturating_mul(4));
    let ty = FieldType { json: true, ..ty };
    // the pattern is compared in the collation of the strings
    let mut both = vec![r.args[0].clone(), r.args[2].clone()];
    crate::expr::typing::common_collation(&mut both, Purpose::Comparison, r.name, r.ctx)?;
    Ok(ty)
}

/// What is looked for, and the paths of what was found.
struct Search<'s> {
    pattern: &'s [u8],
    collation: &'static charset::Collation,
    escape: Option<u32>,
    charset: &'static Charset,
    all: bool,
    found: Vec<Vec<u8>>,
}

impl Search<'_> {
    /// The text of a string in the character set of the document.
    fn text(&self, raw: &[u8]) -> Vec<u8> {
        let text = unescaped(raw);
        if self.charset.name.starts_with("utf8") {
            return text;
        }
        let mut out = Vec::new();
        if let Some(from) = Charset::by_name("utf8mb4") {
            from.convert(&text, self.charset, &mut out);
        }
        out
    }

    fn go(&mut self, value: &Json<'_>, place: &mut Vec<u8>) {
        let len = place.len();
        match value {
            _ if !self.all && !self.found.is_empty() => {}
            Json::Text(raw) | Json::Word(raw) | Json::Number(raw) => {
                if self.collation.like(&self.text(raw), self.pattern, self.escape) {
                    self.found.push(place.clone());
                }
            }
            Json::Array(list) => {
                for (n, v) in list.iter().enumerate() {
                    place.extend_from_slice(format!("[{n}]").as_bytes());
                    self.go(v, place);
                    place.truncate(len);
                }
            }
            Json::Object(list) => {
                for (name, v) in list {
                    place.push(b'.');
                    place.extend_from_slice(name);
                    self.go(v, place);
                    place.truncate(len);
                }
            }
        }
    }

    /// Looks at what is below the values that were chosen.
    fn within(&mut self, value: &Json<'_>, chosen: &HashSet<usize>, place: &mut Vec<u8>) {
        if chosen.contains(&std::ptr::from_ref(value).addr()) {
            return self.go(value, place);
        }
        let len = place.len();
        match value {
            Json::Array(list) => {
                for (n, v) in list.iter().enumerate() {
                    place.extend_from_slice(format!("[{n}]").as_bytes());
                    self.within(v, chosen, place);
                    place.truncate(len);
                }
            }
            Json::Object(list) => {
                for (name, v) in list {
                    place.push(b'.');
                    place.extend_from_slice(name);
                    self.within(v, chosen, place);
                    place.truncate(len);
                }
            }
            _ => {}
        }
    }
}

/// The escape character of argument 4; a backslash when there is none.
fn escape(c: &Call<'_, '_>) -> SqlResult<Option<u32>> {
    let Some(text) = utf8(c, 3).filter(|t| !t.is_empty()) else { return Ok(Some(u32::from(b'\\'))) };
    let wrong = || SqlError::new(codes::ER_WRONG_ARGUMENTS, &[&"ESCAPE"]);
    let mut chars = std::str::from_utf8(&text).map_err(|_| wrong())?.chars();
    match (chars.next(), chars.next()) {
        (one, None) => Ok(one.map(u32::from)),
        _ => Err(wrong()),
    }
}

fn search(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let escape = escape(c)?;
    let (Some(text), Some(_)) = (utf8(c, 0), utf8(c, 2)) else { return c.null() };
    let Some(all) = says_all(c) else { return c.null() };
    let of = texts(c, 4, 1);
    let Some(paths) = paths(c, &of, 4, 1, path_of) else { return c.null() };
    let Some(doc) = read(c, &text, 0) else { return c.null() };
    let collation = c.ty(0).collation;
    let mut pattern = Vec::new();
    let raw = c.bytes(2).unwrap_or_default();
    c.ty(2).collation.charset.convert(raw, collation.charset, &mut pattern);
    let mut s =
        Search { pattern: &pattern, collation, escape, charset: collation.charset, all, found: Vec::new() };
    let mut place = vec![b'$'];
    if c.len() > 4 {
        let mut chosen = HashSet::new();
        Walk::new(&paths).find(&doc, &mut |_, v| {
            chosen.insert(std::ptr::from_ref(v).addr());
            true
        });
        s.within(&doc, &chosen, &mut place);
    } else {
        s.go(&doc, &mut place);
    }
    match &s.found[..] {
        [] => c.null(),
        [one] => put(c, &Json::Text(one), Style::Loose),
        _ => {
            let list = s.found.iter().map(|p| Json::Text(p)).collect();
            put(c, &Json::Array(list), Style::Loose)
        }
    }
}
