//! Texts of expressions as they are stored: just enough of their syntax to
//! quote names anew and to tell a plain value or call from an operation.

/// A piece of an expression.
pub(crate) enum Part<'a> {
    /// As it is.
    Text(&'a str),
    /// A name that was between back quotes.
    Name(String),
}

/// Splits an expression at its back-quoted names.
pub(crate) fn requote(expression: &str, mut part: impl FnMut(Part<'_>)) {
    let bytes = expression.as_bytes();
    let mut start = 0;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'`' => {
                let Some(end) = quoted_end(bytes, at) else {
                    break;
                };
                part(Part::Text(&expression[start..at]));
                part(Part::Name(expression[at + 1..end - 1].replace("``", "`")));
                start = end;
                at = end;
            }
            b'\'' | b'"' => at = quoted_end(bytes, at).unwrap_or(bytes.len()),
            _ => at += 1,
        }
    }
    part(Part::Text(&expression[start..]));
}

/// The position after a quoted run that starts at `at`.
pub(crate) fn quoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = bytes[at];
    let mut i = at + 1;
    while i < bytes.len() {
        if bytes[i] == b'\\' && quote != b'`' {
            i += 2;
        } else if bytes[i] != quote {
            i += 1;
        } else if bytes.get(i + 1) == Some(&quote) {
            i += 2;
        } else {
            return Some(i + 1);
        }
    }
    None
}

/// Whether a default expression stands without parentheses: a literal, a
/// column, or a single call of a function. Operators, CASE and CAST do not.
pub(crate) fn is_simple(expression: &str) -> bool {
    let bytes = expression.as_bytes();
    let word = bytes
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || **b >= 0x80)
        .count();
    let rest = &bytes[word..];
    match (word, rest.first()) {
        (0, Some(b'`' | b'\'')) => quoted_end(bytes, 0) == Some(bytes.len()),
        (0, Some(b'@')) if bytes.get(1) == Some(&b'`') => quoted_end(bytes, 1) == Some(bytes.len()),
        (0, _) => is_number(bytes),
        // NULL, TRUE, 5, 0xff
        (_, None) => true,
        // DATE'...', x'...', _latin1'...'
        (_, Some(b'\'')) => quoted_end(bytes, word) == Some(bytes.len()),
        (_, Some(b'(')) => {
            // COLUMN_GET is printed as a cast, too
            let cast = [&b"cast"[..], b"column_get"].iter().any(|c| bytes[..word].eq_ignore_ascii_case(c));
            !cast && call_end(bytes, word) == bytes.len()
        }
        _ => is_number(bytes),
    }
}

/// What is inside the parentheses around all of an expression, if they are there.
pub(crate) fn in_parentheses(expression: &str) -> Option<&str> {
    let inner = expression.strip_prefix('(')?.strip_suffix(')')?;
    (call_end(expression.as_bytes(), 0) == expression.len()).then_some(inner)
}

fn is_number(bytes: &[u8]) -> bool {
    let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
    digits.first().is_some_and(|b| b.is_ascii_digit() || *b == b'.')
        && std::str::from_utf8(digits).is_ok_and(|d| d.parse::<f64>().is_ok())
}

/// The position after the parenthesis that closes the one at `at`.
fn call_end(bytes: &[u8], at: usize) -> usize {
    let mut depth = 0usize;
    let mut i = at;
    while i < bytes.len() {
        match bytes[i] {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return i + 1;
                }
            }
            b'\'' | b'"' | b'`' => {
                i = quoted_end(bytes, i).unwrap_or(bytes.len());
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    bytes.len() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_or_not() {
        for text in [
            "'a'",
            "1",
            "-1.5",
            "1.5e10",
            "NULL",
            "`a`",
            "concat('a)',`b`)",
            "current_timestamp(3)",
            "DATE'2020-01-01'",
            "0xff",
            "X'41'",
            "convert(`s` using utf8mb3)",
            "'it''s'",
            "'a\\''",
        ] {
            assert!(is_simple(text), "{text}");
        }
        for text in [
            "`a` + 1",
            "-`a`",
            "cast(`a` as char charset utf8mb4)",
            "column_get(`a`,'b' as signed)",
            "case when 1 then 2 end",
            "concat(1) + concat(2)",
            "(1,2)",
            "~`a`",
            "'a' = 'b'",
            "1 + 1",
            "`a` is null",
            "current_timestamp() + interval 1 day",
            "not `a`",
            "'a",
            "f(",
            "",
        ] {
            assert!(!is_simple(text), "{text}");
        }
    }

    #[test]
    fn parentheses() {
        assert_eq!(in_parentheses("(`a` + 1)"), Some("`a` + 1"));
        assert_eq!(in_parentheses("(1) + (2)"), None);
        assert_eq!(in_parentheses("(')')"), Some("')'"));
        assert_eq!(in_parentheses("`a`"), None);
        assert_eq!(in_parentheses("("), None);
    }

    #[test]
    fn names_are_found() {
        let mut out = String::new();
        requote("`a``b` + '`x`' + concat(`c`,\"`\")", |part| match part {
            Part::Text(text) => out.push_str(text),
            Part::Name(name) => out.push_str(&format!("<{name}>")),
        });
        assert_eq!(out, "<a`b> + '`x`' + concat(<c>,\"`\")");
    }
}
