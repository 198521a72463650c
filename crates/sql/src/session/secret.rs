//! Passwords in the texts of statements: the process list shows `<secret>` in their place.

use std::borrow::Cow;

/// The text as others may see it.
pub(super) fn shown(text: &[u8]) -> Cow<'_, [u8]> {
    if may_tell(text) { mask(text) } else { Cow::Borrowed(text) }
}

/// Whether the statement is of a kind that carries passwords, by its first word.
fn may_tell(text: &[u8]) -> bool {
    let start = text.trim_ascii_start();
    // Comments may stand before everything.
    let by_comment = start.starts_with(b"/*") || start.starts_with(b"--") || start.starts_with(b"#");
    let words: [&[u8]; 6] = [b"SET", b"CREATE", b"ALTER", b"GRANT", b"CHANGE", b"EXECUTE"];
    by_comment || words.iter().any(|w| start.len() > w.len() && start[..w.len()].eq_ignore_ascii_case(w))
}

fn mask(text: &[u8]) -> Cow<'_, [u8]> {
    let tells = |word: &[u8]| text.windows(word.len()).any(|w| w.eq_ignore_ascii_case(word));
    if !tells(b"IDENTIFIED") && !tells(b"PASSWORD") {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    // The word or sign before the present place.
    let mut before: Vec<u8> = Vec::new();
    while at < text.len() {
        let b = text[at];
        match b {
            b'\'' | b'"' => {
                let end = end_of_string(text, at);
                let secret = ["BY", "PASSWORD", "OLD_PASSWORD", "USING", "AS", "="];
                if secret.iter().any(|w| before.eq_ignore_ascii_case(w.as_bytes())) {
                    out.extend_from_slice(b"'<secret>'");
                } else {
                    out.extend_from_slice(&text[at..end]);
                }
                before.clear();
                at = end;
                continue;
            }
            b'(' | b' ' | b'\t' | b'\r' | b'\n' => {}
            b if b.is_ascii_alphanumeric() || b == b'_' => {
                let end =
                    at + text[at..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
                before = text[at..end].to_vec();
                out.extend_from_slice(&text[at..end]);
                at = end;
                continue;
            }
            b => before = vec![b],
        }
        out.push(b);
        at += 1;
    }
    Cow::Owned(out)
}

/// The place behind the string that begins here.
fn end_of_string(text: &[u8], start: usize) -> usize {
    let quote = text[start];
    let mut at = start + 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            b if b == quote && text.get(at + 1) == Some(&quote) => at += 2,
            b if b == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden() {
        let hidden = |t: &str| String::from_utf8_lossy(&shown(t.as_bytes())).into_owned();
        assert_eq!(
            hidden(
                "create user 'a'@'h' identified by 'it''s', b identified via x using PASSWORD('\\'q') or y"
            ),
            "create user 'a'@'h' identified by '<secret>', b identified via x using PASSWORD('<secret>') or y"
        );
        assert_eq!(hidden("SET PASSWORD FOR 'u' = 'x'"), "SET PASSWORD FOR 'u' = '<secret>'");
        assert_eq!(hidden("/* c */ SET PASSWORD = \"x"), "/* c */ SET PASSWORD = '<secret>'");
        assert_eq!(hidden("SELECT 'x' AS 'PASSWORD'"), "SELECT 'x' AS 'PASSWORD'");
    }
}
