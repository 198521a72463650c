//! Names of the columns of a result that have no alias.

use crate::ast::{self, ExprKind, Literal};
use crate::expr::EvalContext;
use charset::Charset;

/// The character sets that texts of a statement go through.
#[derive(Clone, Copy)]
pub(super) struct Written {
    /// That of the client: the statement's own.
    pub client: &'static Charset,
    /// That of the connection: what literals become.
    pub connection: &'static Charset,
}

impl Written {
    pub(super) fn of(ctx: &EvalContext) -> Written {
        Written { client: ctx.client, connection: ctx.collation.charset }
    }
}

/// The name of an element of a select list; `text` is how it was written, `source` the whole statement.
pub(crate) fn item_name(e: &ast::Expr, text: &[u8], source: &[u8], ctx: &EvalContext) -> String {
    column_name(e, text, source, Written::of(ctx))
}

/// The name of an expression; `text` is how the element of the list was written, `source` the whole statement.
pub(super) fn column_name(e: &ast::Expr, text: &[u8], source: &[u8], sets: Written) -> String {
    let client = sets.client;
    let shown = |text: &[u8]| decoded(text, client);
    let literal = match &e.kind {
        ExprKind::Column(c) => return c.name.to_string(),
        ExprKind::Param(_) => return "?".to_string(),
        ExprKind::Local(_, name) => return name.to_string(),
        ExprKind::Function(f) if f.db.is_none() && f.name.eq_ignore_ascii_case("name_const") => {
            return match f.args.first() {
                Some(name) if matches!(name.kind, ExprKind::Literal(_) | ExprKind::Lifted(..)) => {
                    column_name(name, name.span.of(source), source, sets)
                }
                _ => shown(&without_comments(text)),
            };
        }
        ExprKind::Literal(l) => l,
        ExprKind::Lifted(_, l) => l,
        _ => return shown(&without_comments(text)),
    };
    match literal {
        Literal::Odbc(kind, l) if !crate::bind::literals::is_temporal(*kind, &l.bytes) => {
            trimmed(&literal_name(visible(&l.bytes, client), sets)).to_string()
        }
        Literal::String(l) => match l.charset {
            Some(cs) => {
                let written = e.span.of(source);
                let introducer =
                    written.iter().take_while(|b| **b == b'_' || b.is_ascii_alphanumeric()).count();
                let value = written.get(introducer..).unwrap_or_default().trim_ascii_start();
                if introducer > 1 && written[0] == b'_' && !matches!(value.first(), Some(b'\'' | b'"')) {
                    return shown(written);
                }
                match cs {
                    "binary" => trimmed(&literal_name(visible(&l.bytes, client), sets)).to_string(),
                    _ => introduced(&l.bytes, cs),
                }
            }
            None => trimmed(&literal_name(visible(&l.bytes, client), sets)).to_string(),
        },
        Literal::Null | Literal::NullText(_) => "NULL".to_string(),
        Literal::Bool(b) => if *b { "TRUE" } else { "FALSE" }.to_string(),
        // neither brackets nor a sign belong to it
        _ => shown(e.span.of(source)),
    }
}

/// A text from what can be seen of it on, in sets whose control characters are single bytes.
fn visible<'t>(text: &'t [u8], client: &Charset) -> &'t [u8] {
    let hidden = |b: &u8| client.is_ascii_compatible() && (b.is_ascii_control() || *b == b' ');
    let begin = text.iter().position(|b| !hidden(b)).unwrap_or(text.len());
    &text[begin..]
}

/// A name begins with what can be seen.
fn trimmed(name: &str) -> &str {
    name.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_control())
}

/// A literal as a name: as much of it as its character set has.
fn literal_name(text: &[u8], Written { client, connection }: Written) -> String {
    let same = client.name == connection.name || connection.name == "binary";
    if same || text.is_ascii() && client.is_ascii_compatible() && connection.name != "swe7" {
        return decoded(text, client);
    }
    let mut value = Vec::new();
    client.convert(text, connection, &mut value);
    decoded(&value, connection)
}

/// A text of a character set as a name.
fn decoded(text: &[u8], client: &Charset) -> String {
    if text.is_ascii() && client.is_ascii_compatible()
        || client.name.starts_with("utf8")
        || client.name == "binary"
    {
        return shown(text);
    }
    converted(text, client)
}

/// A text of a character set as a name.
fn introduced(bytes: &[u8], charset: &str) -> String {
    let text = match Charset::by_name(charset) {
        Some(from) => converted(bytes, from),
        None => shown(bytes),
    };
    trimmed(&text).to_string()
}

fn converted(bytes: &[u8], from: &Charset) -> String {
    let mut text = Vec::new();
    match Charset::by_name("utf8mb4") {
        Some(to) => {
            from.convert(bytes, to, &mut text);
        }
        None => text.extend_from_slice(bytes),
    }
    shown(&text)
}

/// A text as a name: zero bytes cannot be in one, nor characters beyond utf8mb3.
pub(super) fn shown(text: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(text);
    if !text.is_ascii() && text.contains(|c| c > '\u{ffff}') {
        text = text.replace(|c| c > '\u{ffff}', "?").into();
    }
    if text.contains('\0') { text.replace('\0', "\\x00") } else { text.into_owned() }
}

/// What is left of an expression's text without the marks of comments whose text is executed, and without such
/// comments as are for later versions.
fn without_comments(text: &[u8]) -> Vec<u8> {
    if !text.windows(2).any(|w| w == b"/*" || w == b"*/") {
        return text.to_vec();
    }
    let mut out = Vec::with_capacity(text.len());
    let (mut at, mut quote) = (0, None);
    while at < text.len() {
        let rest = &text[at..];
        match quote {
            Some(q) => quote = if rest[0] == q { None } else { quote },
            None if matches!(rest[0], b'\'' | b'"' | b'`') => quote = Some(rest[0]),
            None if rest.starts_with(b"/*!") || rest.starts_with(b"/*M!") => {
                let mark = if rest[2] == b'M' { 4 } else { 3 };
                let digits = rest[mark..].iter().take(6).take_while(|b| b.is_ascii_digit()).count();
                let version =
                    std::str::from_utf8(&rest[mark..mark + digits]).ok().and_then(|v| v.parse().ok());
                if !crate::lex::executes(version.unwrap_or(0), rest[2] == b'M') {
                    at += end_of_comment(rest);
                } else {
                    at += mark + digits;
                }
                continue;
            }
            None if rest.starts_with(b"/*") => {
                let end = end_of_comment(rest);
                out.extend_from_slice(&rest[..end]);
                at += end;
                continue;
            }
            // the expression may begin inside of such a comment
            None if rest.starts_with(b"*/") => {
                at += 2;
                continue;
            }
            None => {}
        }
        out.push(rest[0]);
        at += 1;
    }
    out.truncate(out.trim_ascii_end().len());
    out
}

fn end_of_comment(text: &[u8]) -> usize {
    text.windows(2).position(|w| w == b"*/").map_or(text.len(), |at| at + 2)
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn executed_comments_leave_their_text() {
        let plain = |text: &str| String::from_utf8(without_comments(text.as_bytes())).unwrap();
        assert_eq!(plain("1 /*!32301 +1"), "1  +1");
        assert_eq!(plain("1 */ + 1"), "1  + 1");
        assert_eq!(plain("1 /*!99999 +1 */ + 2"), "1  + 2");
        assert_eq!(plain("a/* x */+1"), "a/* x */+1");
        assert_eq!(plain("'/*!' + 1 /*M! +2 */"), "'/*!' + 1  +2");
    }
}
