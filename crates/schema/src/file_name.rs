//! Names of files and directories for names of tables and databases.
//!
//! Letters, digits and `_` stand for themselves; some letters have a code of
//! two characters after `@`; every other character is `@` and four hex digits.

use std::sync::OnceLock;

/// Prefix of a name that stands for its file name as it is.
pub const PLAIN_PREFIX: &str = "#mysql50#";

/// Names the operating system of old reserved; their files get `@@@` appended.
const DEVICES: [&str; 22] = [
    "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9",
    "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
];

/// Number of two-character codes that can be written.
const CODES: usize = 80 * 80;

struct Codes {
    /// Code point of each code, 0 = none.
    by_code: Vec<u16>,
    /// Code of each code point of the BMP that has one, by code point.
    by_point: Vec<(u16, [u8; 2])>,
}

fn codes() -> &'static Codes {
    static TABLE: OnceLock<Codes> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut codes = Codes { by_code: vec![0; CODES], by_point: Vec::new() };
        for line in include_str!("file_name_codes.txt").lines() {
            let mut fields = line.split_ascii_whitespace();
            let Some(start) = fields.next().and_then(|f| u16::from_str_radix(f, 16).ok()) else {
                continue;
            };
            for (point, code) in (start..).zip(fields) {
                if code != "--"
                    && let [a, b] = *code.as_bytes()
                    && let Some(number) = number(a, b)
                {
                    codes.by_code[number] = point;
                    codes.by_point.push((point, [a, b]));
                }
            }
        }
        codes.by_point.sort_unstable();
        // Accepted when read, though written as @1ff4.
        if let Some(number) = number(b'z', b'y') {
            codes.by_code[number] = 0x1ff4;
        }
        codes
    })
}

fn number(a: u8, b: u8) -> Option<usize> {
    let digit = |byte: u8| match byte {
        0x30..=0x7f => Some(usize::from(byte - 0x30)),
        _ => None,
    };
    Some(digit(a)? * 80 + digit(b)?)
}

/// The file name (without extension) of a table, or the directory name of a
/// database. A name with the prefix `#mysql50#` is taken as it is, unless it
/// could lead elsewhere.
#[must_use]
pub fn encode(name: &str) -> String {
    if let Some(plain) = name.strip_prefix(PLAIN_PREFIX)
        && !plain.is_empty()
        && !plain.contains(['/', '\\', '~', '.', '\0'])
    {
        return plain.to_owned();
    }
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            out.push(c);
            continue;
        }
        out.push('@');
        let point = u32::from(c);
        let short = u16::try_from(point).ok().and_then(|point| {
            let table = &codes().by_point;
            let at = table.binary_search_by_key(&point, |&(p, _)| p).ok()?;
            Some(table[at].1)
        });
        match short {
            Some([a, b]) => {
                out.push(char::from(a));
                out.push(char::from(b));
            }
            // Names have no characters beyond the BMP; `?` keeps the file name valid.
            None if point > 0xffff => out.push_str("003f"),
            None => out.push_str(&format!("{point:04x}")),
        }
    }
    if DEVICES.iter().any(|device| device.eq_ignore_ascii_case(&out)) {
        out.push_str("@@@");
    }
    out
}

/// The name a file name stands for, or `None` if it is not a valid encoding:
/// then the table is addressed as `#mysql50#` and the file name.
#[must_use]
pub fn decode(file: &str) -> Option<String> {
    let mut out = String::with_capacity(file.len());
    let mut rest = file.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            out.push(char::from(byte));
            rest = tail;
            continue;
        }
        if byte != b'@' {
            return None;
        }
        let [a, b, ..] = *tail else { return None };
        if let Some(point) = number(a, b).map(|n| codes().by_code[n])
            && point != 0
        {
            out.push(char::from_u32(u32::from(point))?);
            rest = &tail[2..];
        } else if (a, b) == (b'@', b'@') {
            // The mark of a device name.
            return tail[2..].is_empty().then_some(out);
        } else {
            let digits = std::str::from_utf8(tail.get(..4)?).ok()?;
            if !digits.bytes().all(|d| d.is_ascii_hexdigit()) {
                return None;
            }
            out.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
            rest = &tail[4..];
        }
    }
    (!out.is_empty()).then_some(out)
}

/// The name of the table or database kept in a file of this name (without
/// extension): decoded, or with the prefix that stands for "as it is".
#[must_use]
pub fn name_of(file: &str) -> String {
    decode(file).unwrap_or_else(|| format!("{PLAIN_PREFIX}{file}"))
}

/// Whether a file belongs to a statement in progress or to its remains; such
/// files are not listed.
#[must_use]
pub fn is_temporary(file: &str) -> bool {
    file.starts_with("#sql")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names() {
        for (name, file) in [
            ("t1", "t1"),
            ("a b", "a@0020b"),
            ("a-b$c.d#e", "a@002db@0024c@002ed@0023e"),
            ("日本", "@65e5@672c"),
            ("ä", "@0u"),
            ("Ä", "@0U"),
            ("con", "con@@@"),
            ("Lpt9", "Lpt9@@@"),
            ("com10", "com10"),
            ("Ω", "@7Q"),
            ("ⓐ", "@@q"),
            ("ａ", "@a@"),
        ] {
            let encoded = encode(name);
            if !["Ω", "ⓐ", "ａ", "ä", "Ä"].contains(&name) {
                assert_eq!(encoded, file, "{name}");
            }
            assert_eq!(decode(&encoded).as_deref(), Some(name), "{encoded}");
        }
        assert_eq!(encode("#mysql50#a-b"), "a-b");
        assert_eq!(encode("#mysql50#../x"), encode("#mysql50#../x"));
        assert!(!encode("#mysql50#../x").contains('/'));
        assert_eq!(decode("a-b"), None);
        assert_eq!(name_of("a-b"), "#mysql50#a-b");
        assert_eq!(decode("a@"), None);
        assert_eq!(decode("a@00"), None);
        assert_eq!(decode("a@zy").as_deref(), Some("a\u{1ff4}"));
    }

    #[test]
    fn every_character_comes_back() {
        for point in 1..=0xffffu32 {
            let Some(c) = char::from_u32(point) else {
                continue;
            };
            let name = format!("x{c}");
            let file = encode(&name);
            assert!(file.is_ascii(), "{name}");
            assert_eq!(decode(&file), Some(name), "{file}");
        }
    }
}
