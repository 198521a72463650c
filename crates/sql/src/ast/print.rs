//! Expressions back to text.

/// How expressions are printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrintStyle {
    /// ANSI_QUOTES: identifiers in double quotes.
    pub ansi_quotes: bool,
}

/// Appends an identifier in its quotes.
pub fn quote_identifier(name: &str, style: PrintStyle, out: &mut String) {
    let quote = if style.ansi_quotes { '"' } else { '`' };
    out.push(quote);
    for c in name.chars() {
        if c == quote {
            out.push(quote);
        }
        out.push(c);
    }
    out.push(quote);
}

/// Appends a string literal in single quotes, escaped as SHOW CREATE TABLE escapes.
pub fn quote_string(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'\'');
    for &b in text {
        match b {
            b'\'' => out.extend_from_slice(b"''"),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0 => out.extend_from_slice(b"\\0"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            0x1a => out.extend_from_slice(b"\\Z"),
            _ => out.push(b),
        }
    }
    out.push(b'\'');
}
