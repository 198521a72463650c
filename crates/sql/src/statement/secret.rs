//! Passwords in the texts of statements: the process list shows `<secret>` in their place.

use std::borrow::Cow;

/// The list of processes shows the beginning of long texts.
const SHOWN: usize = 8192;

/// The text as others may see it.
pub(crate) fn shown(text: &[u8]) -> Cow<'_, [u8]> {
    // No more of it is ever shown.
    masked(&text[..text.len().min(SHOWN)])
}

/// The whole text without its passwords.
pub(super) fn masked(text: &[u8]) -> Cow<'_, [u8]> {
    if may_have_password(text) { mask(text) } else { Cow::Borrowed(text) }
}

/// Whether the statement is of a kind that carries passwords, by its first word.
fn may_have_password(text: &[u8]) -> bool {
    let start = text.trim_ascii_start();
    // Comments may stand before everything.
    let by_comment = start.starts_with(b"/*") || start.starts_with(b"--") || start.starts_with(b"#");
    let words: [&[u8]; 7] = [b"SET", b"CREATE", b"ALTER", b"GRANT", b"CHANGE", b"EXECUTE", b"PREPARE"];
    // Any statement may be the first of several.
    by_comment
        || start.contains(&b';')
        || words.iter().any(|w| start.len() > w.len() && start[..w.len()].eq_ignore_ascii_case(w))
}

fn mask(text: &[u8]) -> Cow<'_, [u8]> {
    if !mentions_password(text) {
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
                // Or it is the text of a statement itself.
                if secret.iter().any(|w| before.eq_ignore_ascii_case(w.as_bytes()))
                    || mentions_password(&text[at..end])
                {
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

/// Whether the words are there that passwords come with.
fn mentions_password(text: &[u8]) -> bool {
    let has = |word: &[u8]| text.windows(word.len()).any(|w| w.eq_ignore_ascii_case(word));
    has(b"IDENTIFIED") || has(b"PASSWORD")
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
        assert_eq!(hidden("prepare s from 'alter user u identified by ''x'' '"), "prepare s from '<secret>'");
        assert_eq!(hidden("EXECUTE IMMEDIATE \"set password='x'\""), "EXECUTE IMMEDIATE '<secret>'");
        assert_eq!(hidden("select 1;set password='x'"), "select 1;set password='<secret>'");
        assert_eq!(
            hidden("change master to master_port=1, master_password = 'x'"),
            "change master to master_port=1, master_password = '<secret>'"
        );
        assert_eq!(
            hidden("GRANT ALL ON *.* TO u IDENTIFIED BY PASSWORD '*AA'"),
            "GRANT ALL ON *.* TO u IDENTIFIED BY PASSWORD '<secret>'"
        );
    }
}
