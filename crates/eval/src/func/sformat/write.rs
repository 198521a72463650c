//! Values into their fields.

use super::float;
use super::spec::{Align, Reader, Sign, Spec, length_by_lead};
use super::{Argument, Failure, Outcome};

/// The text of a format, of at most `limit` bytes.
pub(super) fn format(text: &[u8], arguments: &[Argument<'_>], limit: usize) -> Outcome<Vec<u8>> {
    let mut r = Reader::new(text, arguments);
    let mut out = Vec::with_capacity(text.len());
    loop {
        out.extend_from_slice(r.plain());
        let Some(brace) = r.peek() else { break };
        r.at += 1;
        match (brace, r.peek()) {
            (b'}', Some(b'}')) | (b'{', Some(b'{')) => {
                out.push(brace);
                r.at += 1;
            }
            (b'}', _) => return Err("unmatched '}' in format string".into()),
            (_, None) => return Err("invalid format string".into()),
            _ => field(&mut r, &mut out, limit)?,
        }
        if out.len() > limit {
            return Err(Failure::TooLong);
        }
    }
    if out.len() > limit { Err(Failure::TooLong) } else { Ok(out) }
}

/// One replacement field.
fn field(r: &mut Reader<'_, '_>, out: &mut Vec<u8>, limit: usize) -> Outcome<()> {
    let argument = r.argument()?;
    let with_spec = r.peek() == Some(b':');
    if with_spec {
        r.at += 1;
    }
    let spec = if with_spec { r.spec(argument)? } else { Spec::default() };
    if r.peek() != Some(b'}') {
        return Err("missing '}' in format string".into());
    }
    r.at += 1;
    let digits = if matches!(argument, Argument::Text(_)) { 0 } else { spec.precision.unwrap_or(0) };
    if spec.width.max(digits) > limit {
        return Err(Failure::TooLong);
    }
    match argument {
        Argument::Int(n) => integer(*n, &spec, out),
        Argument::Double(v) => float::write(*v, None, &spec, out),
        Argument::Float(v) => float::write(f64::from(*v), Some(*v), &spec, out),
        Argument::Text(text) => {
            string(text, &spec, out);
            Ok(())
        }
    }
}

/// Something of this width, where `Spec` wants it: `usual` where it does not say.
pub(super) fn padded(body: &[u8], width: usize, usual: Align, spec: &Spec<'_>, out: &mut Vec<u8>) {
    let padding = spec.width.saturating_sub(width);
    let align = if spec.align == Align::None { usual } else { spec.align };
    let before = match align {
        Align::Left | Align::None => 0,
        Align::Right | Align::Numeric => padding,
        Align::Center => padding / 2,
    };
    for _ in 0..before {
        out.extend_from_slice(spec.fill);
    }
    out.extend_from_slice(body);
    for _ in before..padding {
        out.extend_from_slice(spec.fill);
    }
}

/// The sign that is written before a number.
pub(super) fn sign(negative: bool, spec: &Spec<'_>) -> &'static [u8] {
    match spec.sign {
        _ if negative => b"-",
        Sign::Plus => b"+",
        Sign::Space => b" ",
        Sign::None => b"",
    }
}

/// Digits in groups of three.
pub(super) fn grouped(digits: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(digits.len() * 4 / 3 + 1);
    for (i, digit) in digits.iter().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(b',');
        }
        out.push(*digit);
    }
    out
}

fn integer(n: i64, spec: &Spec<'_>, out: &mut Vec<u8>) -> Outcome<()> {
    let size = n.unsigned_abs();
    let mut prefix = sign(n < 0, spec).to_vec();
    let mut digits = match spec.kind {
        0 | b'd' => size.to_string(),
        b'x' => format!("{size:x}"),
        b'X' => format!("{size:X}"),
        b'b' | b'B' => format!("{size:b}"),
        b'o' => format!("{size:o}"),
        b'c' => {
            padded(&[size as u8], 1, Align::Left, spec, out);
            return Ok(());
        }
        _ => return Err("invalid type specifier".into()),
    }
    .into_bytes();
    if spec.alternate {
        match spec.kind {
            b'x' | b'X' | b'b' | b'B' => prefix.extend_from_slice(&[b'0', spec.kind]),
            b'o' if size != 0 => prefix.push(b'0'),
            _ => {}
        }
    }
    if spec.localized && matches!(spec.kind, 0 | b'd') {
        prefix.extend_from_slice(&grouped(&digits));
        padded(&prefix, prefix.len(), Align::Right, spec, out);
        return Ok(());
    }
    if spec.align == Align::Numeric {
        let zeros = spec.width.saturating_sub(prefix.len() + digits.len());
        out.extend_from_slice(&prefix);
        out.resize(out.len() + zeros, b'0');
        out.append(&mut digits);
        return Ok(());
    }
    prefix.append(&mut digits);
    padded(&prefix, prefix.len(), Align::Right, spec, out);
    Ok(())
}

/// The first character of a text that is not empty, and its length; a byte that begins none stands for itself.
fn first_character(text: &[u8]) -> (Option<char>, usize) {
    let n = length_by_lead(text[0]).min(text.len());
    match std::str::from_utf8(&text[..n]).ok().and_then(|t| t.chars().next()) {
        Some(c) => (Some(c), n),
        None => (None, 1),
    }
}

/// Columns of a terminal that a character takes.
fn columns(c: Option<char>) -> usize {
    let wide = matches!(
        c.map_or(0, u32::from),
        0x1100..=0x115f
            | 0x2329..=0x232a
            | 0x2e80..=0x303e
            | 0x3040..=0xa4cf
            | 0xac00..=0xd7a3
            | 0xf900..=0xfaff
            | 0xfe10..=0xfe19
            | 0xfe30..=0xfe6f
            | 0xff00..=0xff60
            | 0xffe0..=0xffe6
            | 0x1f300..=0x1f64f
            | 0x1f900..=0x1f9ff
            | 0x20000..=0x2fffd
            | 0x30000..=0x3fffd
    );
    1 + usize::from(wide)
}

fn string(text: &[u8], spec: &Spec<'_>, out: &mut Vec<u8>) {
    let mut text = text;
    // what is quoted is not cut
    if let Some(most) = spec.precision.filter(|_| spec.kind != b'?') {
        let mut end = 0;
        for _ in 0..most {
            if end == text.len() {
                break;
            }
            end += first_character(&text[end..]).1;
        }
        text = &text[..end];
    }
    let quoted;
    if spec.kind == b'?' {
        quoted = escaped(text);
        text = &quoted;
    }
    let mut width = 0;
    if spec.width > 0 {
        let mut at = 0;
        while at < text.len() {
            let (c, n) = first_character(&text[at..]);
            width += columns(c);
            at += n;
        }
    }
    padded(text, width, Align::Left, spec, out);
}

/// A text in quotes, as a program has it.
fn escaped(text: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    let mut at = 0;
    while at < text.len() {
        let (c, n) = first_character(&text[at..]);
        let bytes = &text[at..at + n];
        at += n;
        match c {
            None => out.extend_from_slice(format!("\\x{:02x}", bytes[0]).as_bytes()),
            Some('\n') => out.extend_from_slice(b"\\n"),
            Some('\r') => out.extend_from_slice(b"\\r"),
            Some('\t') => out.extend_from_slice(b"\\t"),
            Some(c @ ('"' | '\\')) => out.extend_from_slice(&[b'\\', c as u8]),
            Some(c) if is_printable(c) => out.extend_from_slice(bytes),
            Some(c) => {
                let number = u32::from(c);
                let code = match number {
                    0..0x100 => format!("\\x{number:02x}"),
                    0x100..0x1_0000 => format!("\\u{number:04x}"),
                    _ => format!("\\U{number:08x}"),
                };
                out.extend_from_slice(code.as_bytes());
            }
        }
    }
    out.push(b'"');
    out
}

/// Whether a character is shown as itself. Accents that stand behind a letter are.
fn is_printable(c: char) -> bool {
    let behind_a_letter: String = ['a', c].iter().collect();
    c == '\'' || behind_a_letter.escape_debug().nth(1) == Some(c)
}
