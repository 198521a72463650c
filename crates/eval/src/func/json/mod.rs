//! Functions of JSON: documents are texts, read in place, or into trees where a function changes or compares them.

mod change;
mod look;
mod make;
mod path;
pub mod rows;
mod search;
pub(super) mod text;
mod valid;

use self::path::Step;
use self::text::{Json, Style, Trouble};
use super::{Arguments, Call, Definition, Purity, Resolve, Stops};
use crate::error::{SqlResult, codes};
use crate::expr::{EvalContext, Expr, Node};
use crate::types::{Derivation, FieldType, Kind, ValueRef, convert};
use crate::warning::Level;
use charset::Charset;
use charset::derivation::{Derived, Purpose};
use std::borrow::Cow;
use std::ops::Range;

/// A function of documents.
const fn json(
    name: &'static str,
    min: u8,
    max: u8,
    resolve: fn(&mut Resolve<'_>) -> SqlResult<FieldType>,
    eval: fn(&mut Call<'_, '_>) -> SqlResult<()>,
) -> Definition {
    // not computed when it is bound: warnings of a document that is none come when it is looked at
    Definition {
        name,
        min,
        max,
        purity: Purity::Statement,
        resolve,
        eval,
        arguments: Arguments::All,
        stops: Stops::Never,
    }
}

pub(super) const LISTS: [&[Definition]; 5] =
    [valid::LIST, make::LIST, look::LIST, search::LIST, change::LIST];

/// A text, long or not, in a collation.
fn text_of(d: Derived) -> FieldType {
    super::longest_text(d.collation, d.derivation).with_nullable(true)
}

/// The collation of texts that a function makes whatever its arguments are.
fn own_collation(name: &str) -> Derived {
    let collation = charset::Collation::by_name(name).unwrap_or_else(charset::system);
    Derived { collation, derivation: Derivation::Implicit, ascii: false }
}

/// All arguments are texts; the value is one in the collation of the first.
fn first_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    for i in 0..r.len() {
        r.text(i)?;
    }
    Ok(of_length(r.args[0].ty.clone(), |chars| chars))
}

/// A text in the collation of `like` whose length in characters is made of that one's.
fn of_length(like: FieldType, length: impl Fn(u64) -> u64) -> FieldType {
    let chars = length(u64::from(like.char_length()).min(1 << 32));
    FieldType::string(chars, like.collation, like.derivation).with_nullable(true)
}

/// Most characters that a value has in a document, as clients are told.
fn value_length(ty: &FieldType) -> u64 {
    let chars = u64::from(ty.char_length());
    let own = match ty.kind {
        Kind::Null => 4,
        _ if ty.boolean => 5,
        _ if ty.json || ty.is_number() || ty.kind == Kind::Bit => chars,
        _ => 2 * chars,
    };
    own.max(4) + 4
}

/// As [`first_type`] of a value that is a document.
fn document_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    first_type(r).map(|ty| FieldType { json: true, ..ty })
}

/// As [`document_type`] for functions that give an integer of so many digits.
fn number_type(r: &mut Resolve<'_>, digits: u32) -> SqlResult<FieldType> {
    for i in 0..r.len() {
        r.text(i)?;
    }
    Ok(FieldType::new(Kind::Long, digits, 0).with_nullable(true))
}

/// The text of argument `i` in UTF-8; none for NULL.
pub(super) fn utf8<'a>(c: &Call<'a, '_>, i: usize) -> Option<Cow<'a, [u8]>> {
    let mut out = Vec::new();
    match c.value(i) {
        ValueRef::Null => return None,
        ValueRef::Bytes(b) => return Some(utf8_of(b, c.ty(i).collation.charset)),
        v => convert::write_text(v, c.ty(i), &mut out),
    }
    Some(Cow::Owned(out))
}

/// A text in UTF-8; bytes are taken for that.
pub fn utf8_of<'a>(text: &'a [u8], charset: &Charset) -> Cow<'a, [u8]> {
    if charset.name.starts_with("utf8") || charset.name == "binary" {
        return Cow::Borrowed(text);
    }
    let Some(utf8) = Charset::by_name("utf8mb4") else { return Cow::Borrowed(text) };
    let mut out = Vec::new();
    charset.convert(text, utf8, &mut out);
    Cow::Owned(out)
}

/// As [`utf8`], for what becomes a part of the value: bytes are characters there, unless the value is bytes as well.
fn recoded<'a>(c: &Call<'a, '_>, i: usize) -> Option<Cow<'a, [u8]>> {
    let text = utf8(c, i)?;
    let ty = c.ty(i);
    let bytes = ty.is_string() && ty.collation.charset.name == "binary";
    if !bytes || text.is_ascii() || c.collation().charset.name == "binary" {
        return Some(text);
    }
    Some(Cow::Owned(text.iter().map(|b| char::from(*b)).collect::<String>().into_bytes()))
}

/// Tells what is wrong with the text of argument `i`.
pub(super) fn tell(c: &mut Call<'_, '_>, trouble: Trouble, i: usize, level: Level) {
    let (name, n) = (c.expr_name(), i + 1);
    let w = &mut c.ctx.warnings;
    match trouble {
        Trouble::End => w.push(level, codes::ER_JSON_EOS, &[&n, &name]),
        Trouble::Syntax(at) => w.push(level, codes::ER_JSON_SYNTAX, &[&n, &name, &at]),
        Trouble::Character(at) => w.push(level, codes::ER_JSON_NOT_JSON_CHR, &[&n, &name, &at]),
        Trouble::Broken(at) => w.push(level, codes::ER_JSON_BAD_CHR, &[&n, &name, &at]),
        Trouble::Depth(at) => w.push(level, codes::ER_JSON_DEPTH, &[&(text::MAX_DEPTH + 1), &n, &name, &at]),
    }
}

/// What was read of argument `i`; what is wrong with it is told as a warning.
fn told<T>(c: &mut Call<'_, '_>, read: Result<T, Trouble>, i: usize) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(trouble) => {
            tell(c, trouble, i, Level::Warning);
            None
        }
    }
}

/// Reads a document; what is wrong with it is told as a warning.
fn read<'t>(c: &mut Call<'_, '_>, text: &'t [u8], i: usize) -> Option<Json<'t>> {
    told(c, text::parse(text), i)
}

/// Reads the path of argument `i`; what is wrong with it is told as a warning.
fn path_of<'t>(c: &mut Call<'_, '_>, text: &'t [u8], i: usize) -> Option<Vec<Step<'t>>> {
    let trouble = match path::parse(text) {
        Ok(steps) => return Some(steps),
        Err(trouble) => trouble,
    };
    let (name, n) = (c.expr_name(), i + 1);
    let w = &mut c.ctx.warnings;
    match trouble {
        path::Trouble::End => w.warn(codes::ER_JSON_PATH_EOS, &[&n, &name]),
        path::Trouble::Syntax(at) => w.warn(codes::ER_JSON_PATH_SYNTAX, &[&n, &name, &at]),
        path::Trouble::Depth(at) => {
            w.warn(codes::ER_JSON_PATH_DEPTH, &[&(path::MAX_STEPS + 1), &n, &name, &at]);
        }
    }
    None
}

/// The paths that are the arguments from `from` on, each `step`th; none when one is NULL or no path.
fn paths<'t>(
    c: &mut Call<'_, '_>,
    texts: &'t [Option<Cow<'_, [u8]>>],
    from: usize,
    step: usize,
    read: fn(&mut Call<'_, '_>, &'t [u8], usize) -> Option<Vec<Step<'t>>>,
) -> Option<Vec<Vec<Step<'t>>>> {
    texts.iter().enumerate().map(|(n, t)| read(c, t.as_ref()?, from + n * step)).collect()
}

/// The texts of the arguments from `from` on, each `step`th.
fn texts<'a>(c: &Call<'a, '_>, from: usize, step: usize) -> Vec<Option<Cow<'a, [u8]>>> {
    (from..c.len()).step_by(step).map(|i| utf8(c, i)).collect()
}

/// A path that leads to one place.
fn plain_path<'t>(c: &mut Call<'_, '_>, text: &'t [u8], i: usize) -> Option<Vec<Step<'t>>> {
    let steps = path_of(c, text, i)?;
    if path::is_wild(&steps) {
        let (name, n) = (c.expr_name(), i + 1);
        c.ctx.warnings.warn(codes::ER_JSON_PATH_NO_WILDCARD, &[&n, &name]);
        return None;
    }
    Some(steps)
}

/// Gives a document.
fn put(c: &mut Call<'_, '_>, value: &Json<'_>, style: Style) -> SqlResult<()> {
    let mut out = Vec::new();
    value.write(style, &mut out);
    put_text(c, &out)
}

/// Gives a text of UTF-8.
fn put_text(c: &mut Call<'_, '_>, text: &[u8]) -> SqlResult<()> {
    if c.exceeds(text.len()) {
        return c.too_long();
    }
    if c.collation().charset.name.starts_with("utf8") {
        return c.put_bytes(text);
    }
    match std::str::from_utf8(text) {
        Ok(text) => c.put_utf8(text),
        Err(_) => c.put_bytes(text),
    }
}

/// Appends an SQL value as JSON text.
fn append_value(c: &Call<'_, '_>, i: usize, out: &mut Vec<u8>) {
    let e = &c.types[i];
    if e.ty.boolean
        && let ValueRef::Int(n) = c.value(i)
    {
        return out.extend_from_slice(if n == 0 { b"false" } else { b"true" });
    }
    let Some(text) = recoded(c, i) else { return out.extend_from_slice(b"null") };
    if e.ty.kind == Kind::Bit {
        return text::escape(&text, out);
    }
    if e.ty.json || e.ty.is_number() {
        out.extend_from_slice(&text);
        return;
    }
    out.push(b'"');
    text::escape(&text, out);
    out.push(b'"');
}

/// A document that was extracted, as it is beside a text or a number.
fn taken_out(e: &mut Expr, name: &str, ctx: &mut EvalContext) -> SqlResult<()> {
    if let Node::Call(f, _) = &e.node
        && f.def.name == "json_extract"
    {
        let inner = std::mem::replace(e, Expr::new(Node::Row(Vec::new()), FieldType::null()));
        *e = super::call(super::named(name)?, name, vec![inner], ctx)?;
    }
    Ok(())
}

/// Of two sides of a comparison with text one is the text of its document.
pub(crate) fn beside_text(a: &mut Expr, b: &mut Expr, ctx: &mut EvalContext) -> SqlResult<()> {
    let side = if a.ty.json { a } else { b };
    taken_out(side, "json_ plain", ctx)
}

/// A document that was extracted where a number is wanted.
pub(crate) fn as_number(e: &mut Expr, ctx: &mut EvalContext) -> SqlResult<()> {
    taken_out(e, "json_ number", ctx)
}

/// The collation of a document made of these arguments: that of the texts among them, or the connection's.
fn made_type(r: &mut Resolve<'_>, which: Range<usize>) -> SqlResult<FieldType> {
    let chars = if r.len() == 0 { 0 } else { 2 + r.args.iter().map(|a| value_length(&a.ty)).sum::<u64>() };
    let nullable = r.nullable();
    for a in &mut r.args[which.clone()] {
        // a layout counts for nothing within another document: it stands there as it was
        if let Node::Call(f, inner) = &mut a.node
            && matches!(f.def.name, "json_compact" | "json_loose" | "json_detailed")
        {
            let mut inner = inner.swap_remove(0);
            inner.ty.json = true;
            *a = inner;
        }
    }
    let mut texts: Vec<Expr> = r.args[which.clone()]
        .iter()
        .filter(|a| a.ty.is_string() || a.ty.kind == Kind::Bit)
        .cloned()
        .collect();
    let d = match texts.len() {
        // NULL alone is bytes
        0 if r.len() > 0 && r.args.iter().all(|a| a.ty.kind == Kind::Null) => {
            Derived { collation: charset::binary(), derivation: Derivation::Implicit, ascii: false }
        }
        0 => Derived { collation: r.ctx.collation, derivation: Derivation::Coercible, ascii: false },
        _ => crate::expr::typing::common_collation(&mut texts, Purpose::Value, r.name, r.ctx)?,
    };
    if !d.collation.charset.is_binary() && d.collation.charset.name != "latin1" {
        for a in &mut r.args[which] {
            variable_as_text(a, d.collation, r.ctx)?;
        }
    }
    let ty = FieldType::string(chars, d.collation, d.derivation).with_nullable(nullable);
    Ok(FieldType { json: true, ..ty })
}

/// Makes a number in a user variable a text: as in MariaDB, where all arguments go into the set of the document, and where the set of
/// such a number is not known.
fn variable_as_text(a: &mut Expr, to: &'static charset::Collation, ctx: &mut EvalContext) -> SqlResult<()> {
    if matches!(a.node, Node::UserVariable(_) | Node::Assign(..)) && a.ty.is_number() {
        let ty = crate::expr::typing::text_type(&a.ty, to);
        crate::expr::typing::coerce(a, ty, ctx)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{path, text};

    /// Bytes that look like documents and paths now and then.
    fn bytes(seed: &mut u64, len: usize) -> Vec<u8> {
        const SOME: &[u8] = b"{}[]\"\\:,.*$0123456789-+eEtrufalsn u\x00\xc3\xff";
        let mut next = || {
            *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*seed >> 33) as usize
        };
        (0..len).map(|_| SOME[next() % SOME.len()]).collect()
    }

    #[test]
    fn any_bytes_are_read_without_harm() {
        let mut seed = 1;
        for n in 0..60_000 {
            let doc = bytes(&mut seed, n % 40);
            let way = bytes(&mut seed, n % 13);
            let tree = text::parse(&doc);
            assert_eq!(tree.as_ref().err(), text::check(&doc).as_ref().err());
            if let Ok(tree) = &tree {
                let mut out = Vec::new();
                tree.write(text::Style::Loose, &mut out);
                // half a number is one where something ends it
                out.push(b' ');
                assert!(text::check(&out).is_ok(), "{}", String::from_utf8_lossy(&doc));
            }
            let way = [b"$", &way[..]].concat();
            if let Ok(steps) = path::parse(&way) {
                assert!(steps.len() <= 2 * path::MAX_STEPS);
                let _ = text::seek(&doc, &steps, &|_| true);
                if let Ok(tree) = &tree {
                    path::Walk::new(&[steps]).find(tree, &mut |_, _| true);
                }
            }
            text::unescaped(&doc);
        }
        for open in ["[", "{\"a\":", "[[{\"\":"] {
            let deep = open.repeat(100_000);
            assert!(matches!(text::parse(deep.as_bytes()), Err(text::Trouble::Depth(_))));
            assert!(matches!(text::check(deep.as_bytes()), Err(text::Trouble::Depth(_))));
        }
    }
}
