//! Errors as clients see them: number, SQLSTATE and text.
//!
//! The numbers, states and texts come from `data/error-messages.tsv`; the build step makes one
//! constant per symbol ([`codes`]), re-exported here.

use std::fmt::{self, Display, Write as _};

/// Every error and warning number by its symbol.
pub mod codes {
    include!(concat!(env!("OUT_DIR"), "/errors.rs"));

    /// The table row of `code`: symbol, SQLSTATE and format.
    pub(super) fn find(code: u16) -> Option<&'static (u16, &'static str, [u8; 5], &'static str)> {
        MESSAGES.binary_search_by_key(&code, |m| m.0).ok().map(|i| &MESSAGES[i])
    }
}
pub use codes::*;

/// Longest text of a message in bytes; longer ones are cut as the protocol's clients expect.
const MAX_MESSAGE: usize = 511;

/// An error of a statement as it is sent to the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlError {
    /// The error number, for example 1062.
    pub code: u16,
    /// The SQLSTATE, for example `23000`.
    pub state: [u8; 5],
    /// The text, already formatted.
    pub message: String,
    /// What went wrong: it decides what becomes of the statement.
    pub origin: Origin,
    /// What SHOW WARNINGS tells of before it.
    pub before: Option<Box<SqlError>>,
}

/// What went wrong when a statement failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The statement, its data or its session: rows written before stay, as MyISAM has it.
    #[default]
    Statement,
    /// Files, disk or journal: everything the statement wrote is undone.
    Storage,
    /// A table was defined anew between its opening and its use, or the statement gave way to one that has it alone:
    /// everything is undone, and the statement begins again. No client sees it.
    Stale,
}

/// The result of anything that may fail with an error for the client.
pub type SqlResult<T> = Result<T, SqlError>;

impl SqlError {
    /// The error `code` with its own text, the placeholders filled from `args` in order.
    #[must_use]
    pub fn new(code: u16, args: &[&dyn Display]) -> SqlError {
        SqlError::with_text(code, message(code, args))
    }

    /// The error `code` with the text of another number (1062 is sent with the text of 1586).
    #[must_use]
    pub fn with_text_of(code: u16, text_of: u16, args: &[&dyn Display]) -> SqlError {
        SqlError::with_text(code, message(text_of, args))
    }

    /// The error `code` with a text of its own.
    #[must_use]
    pub fn with_message(code: u16, text: impl Into<String>) -> SqlError {
        let mut text = text.into();
        cut(&mut text, MAX_MESSAGE);
        SqlError::with_text(code, text)
    }

    fn with_text(code: u16, message: String) -> SqlError {
        SqlError { code, state: sqlstate(code), message, origin: Origin::Statement, before: None }
    }

    /// The error `code` of the files of tables, with SQLSTATE HY000, whose text is no number's own.
    #[must_use]
    pub fn of_files(code: u16, text: impl Into<String>) -> SqlError {
        SqlError { code, state: *b"HY000", message: text.into(), origin: Origin::Storage, before: None }
    }

    /// The same error, told of behind another one.
    #[must_use]
    pub fn behind(self, before: SqlError) -> SqlError {
        SqlError { before: Some(Box::new(before)), ..self }
    }

    /// The same error as one of files, disk or journal.
    #[must_use]
    pub fn of_storage(self) -> SqlError {
        SqlError { origin: Origin::Storage, ..self }
    }

    /// A table was defined anew, or the statement gives way: it begins again.
    #[cold]
    #[must_use]
    pub fn stale() -> SqlError {
        SqlError { origin: Origin::Stale, ..SqlError::new(ER_TABLE_DEF_CHANGED, &[]) }
    }

    /// Whether the statement is to begin again.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.origin == Origin::Stale
    }

    /// 1105 with a text of our own: for conditions that no number describes.
    #[must_use]
    pub fn internal(text: impl Display) -> SqlError {
        SqlError::with_message(ER_UNKNOWN_ERROR, text.to_string())
    }

    /// 1235: the statement or clause `what` is not supported.
    #[must_use]
    pub fn not_supported(what: impl Display) -> SqlError {
        SqlError::new(ER_NOT_SUPPORTED_YET, &[&what])
    }

    /// The SQLSTATE as text.
    #[must_use]
    pub fn state_str(&self) -> &str {
        std::str::from_utf8(&self.state).unwrap_or("HY000")
    }
}

impl Display for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ERROR {} ({}): {}", self.code, self.state_str(), self.message)
    }
}

impl std::error::Error for SqlError {}

/// The SQLSTATE of an error number; `HY000` when the number has none of its own.
#[must_use]
pub fn sqlstate(code: u16) -> [u8; 5] {
    // AUTO_INCREMENT at its end has the number of the storage engine's error
    let other = if code == 167 { *b"22003" } else { *b"HY000" };
    codes::find(code).map_or(other, |m| m.2)
}

/// The symbol of an error number.
#[must_use]
pub fn symbol(code: u16) -> Option<&'static str> {
    codes::find(code).map(|m| m.1)
}

/// The text of `code` with its placeholders filled from `args` in order.
#[must_use]
pub fn message(code: u16, args: &[&dyn Display]) -> String {
    match codes::find(code) {
        Some(row) => format_message(row.3, args),
        None => format!("Unknown error {code}"),
    }
}

/// Cuts `text` to at most `max` bytes at a character boundary.
fn cut(text: &mut String, max: usize) {
    if text.len() > max {
        let mut end = max;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
}

/// Fills the printf-like placeholders of `format`.
///
/// Understood are numbers (`%d %u %lu %lld %x` with widths), text (`%s`, `%-.192s`, `%.*s`), text cut with
/// dots (`%T`), identifiers (`` %`s ``), quoted text (`%Q`, `%sQ`), error numbers with their text
/// (`%M`) and `%%`. A missing argument prints nothing.
fn format_message(format: &str, args: &[&dyn Display]) -> String {
    let bytes = format.as_bytes();
    let mut out = String::with_capacity(format.len() + 32);
    let mut args = args.iter();
    let mut i = 0;
    let mut literal = 0;
    while i < bytes.len() {
        if bytes[i] != b'%' {
            i += 1;
            continue;
        }
        out.push_str(&format[literal..i]);
        i += 1;
        let start = i;
        let placeholder = Placeholder::read(bytes, &mut i);
        let conversion = bytes.get(i).copied().unwrap_or(b'%');
        i += 1;
        if conversion == b'%' {
            out.push('%');
            literal = i.min(bytes.len());
            continue;
        }
        if !conversion.is_ascii() {
            // Not a placeholder after all.
            out.push('%');
            literal = start;
            i = start;
            continue;
        }
        literal = i;
        let Some(arg) = args.next() else { continue };
        let quoted = conversion == b'Q' || conversion == b's' && bytes.get(i) == Some(&b'Q');
        if conversion == b's' && quoted {
            i += 1;
            literal = i;
        }
        placeholder.put(if quoted { b'Q' } else { conversion }, arg.to_string(), &mut out);
    }
    out.push_str(&format[literal..]);
    cut(&mut out, MAX_MESSAGE);
    out
}

/// What stands between `%` and the letter of a placeholder.
#[derive(Default)]
struct Placeholder {
    /// `` %`s ``
    quote: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

impl Placeholder {
    /// Reads up to the letter.
    fn read(bytes: &[u8], at: &mut usize) -> Placeholder {
        let Placeholder { mut quote, mut zero, mut width, mut precision } = Placeholder::default();
        let mut i = *at;
        while let Some(&c) = bytes.get(i) {
            match c {
                b'`' => quote = true,
                b'0' if width == 0 => zero = true,
                b'0'..=b'9' => width = width * 10 + usize::from(c - b'0'),
                b'.' => {
                    let mut p = 0usize;
                    while let Some(d) = bytes.get(i + 1).filter(|d| d.is_ascii_digit()) {
                        p = p * 10 + usize::from(d - b'0');
                        i += 1;
                    }
                    if bytes.get(i + 1) == Some(&b'*') {
                        i += 1;
                    } else {
                        precision = Some(p);
                    }
                }
                b'-' | b'+' | b'l' | b'z' | b'h' | b'*' => {}
                _ => break,
            }
            i += 1;
        }

        *at = i;
        Placeholder { quote, zero, width, precision }
    }

    /// Writes the text of an argument.
    fn put(&self, conversion: u8, text: String, out: &mut String) {
        match conversion {
            b'T' => match self.precision {
                Some(p) if text.len() > p => {
                    let mut head = text;
                    cut(&mut head, p.saturating_sub(3));
                    out.push_str(&head);
                    out.push_str("...");
                }
                _ => out.push_str(&text),
            },
            b's' | b'Q' => {
                let mut text = text;
                if let Some(p) = self.precision {
                    cut(&mut text, p);
                }
                if conversion == b'Q' {
                    out.push('\'');
                    out.push_str(&text.replace('\\', "\\\\").replace('\'', "\\'"));
                    out.push('\'');
                } else if self.quote {
                    out.push('`');
                    out.push_str(&text.replace('`', "``"));
                    out.push('`');
                } else {
                    out.push_str(&text);
                }
            }
            b'M' => match text.parse::<i32>() {
                Ok(number) => {
                    let _ = write!(out, "{number} {:?}", os_error_text(number));
                }
                Err(_) => out.push_str(&text),
            },
            _ => {
                for _ in text.len()..self.width {
                    out.push(if self.zero { '0' } else { ' ' });
                }
                out.push_str(&text);
            }
        }
    }
}

/// The text of an operating system's or table engine's error number.
#[must_use]
pub fn os_error_text(number: i32) -> String {
    let engine = match number {
        120 => "Didn't find the key on read or update",
        121 => "Duplicate key on write or update",
        123 => {
            "Someone has changed the row since it was read (even though the table was locked to prevent it)"
        }
        124 => "Wrong index given to a function",
        126 => "Index is corrupted",
        127 => "Table file is corrupted",
        128 => "Out of memory in engine",
        130 => "Incorrect file format",
        131 => "Command not supported by the engine",
        132 => "Old database file",
        133 => "No record read before update",
        134 => "Record was already deleted (or record file crashed)",
        135 => "No more room in record file",
        136 => "No more room in index file",
        137 => "No more records (read after end of file)",
        138 => "Unsupported extension used for table",
        139 => "Too big row",
        140 => "Wrong create options",
        141 => "Duplicate unique key on write or update",
        142 => "Unknown character set used in table",
        143 => "Conflicting table definitions in sub-tables of MERGE table",
        144 => "Table is crashed and last repair failed",
        145 => "Table was marked as crashed and should be repaired",
        146 => "Lock timed out; Retry transaction",
        155 => "The table does not exist in the storage engine",
        175 => "File too short; Expected more data in file",
        // cut where MariaDB's buffer ends
        190 => {
            "Incompatible key or row definition between the MariaDB .frm file and the information in the \
             storage engine. You may have retry "
        }
        _ => "",
    };
    if !engine.is_empty() {
        return engine.to_string();
    }
    let text = std::io::Error::from_raw_os_error(number).to_string();
    match text.rfind(" (os error") {
        Some(at) => text[..at].to_string(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_as_the_server_prints() {
        let e = SqlError::new(ER_BAD_FIELD_ERROR, &[&"x", &"field list"]);
        assert_eq!((e.code, e.state_str()), (1054, "42S22"));
        assert_eq!(e.message, "Unknown column 'x' in 'field list'");
        let e = SqlError::with_text_of(ER_DUP_ENTRY, ER_DUP_ENTRY_WITH_KEY_NAME, &[&"1", &"PRIMARY"]);
        assert_eq!(e.message, "Duplicate entry '1' for key 'PRIMARY'");
        assert_eq!(
            message(ER_TRUNCATED_WRONG_VALUE, &[&"INTEGER", &"12a"]),
            "Truncated incorrect INTEGER value: '12a'"
        );
        let long = "a".repeat(200);
        let m = message(ER_TRUNCATED_WRONG_VALUE, &[&"INTEGER", &long]);
        assert_eq!(m, format!("Truncated incorrect INTEGER value: '{}...'", "a".repeat(125)));
        assert_eq!(
            message(ER_FILE_NOT_FOUND, &[&"a.frm", &2]),
            "Can't find file: 'a.frm' (errno: 2 \"No such file or directory\")"
        );
        assert_eq!(format_message("100%% of %`s %2d|%02d", &[&"a`b", &7, &7]), "100% of `a``b`  7|07");
        assert_eq!(format_message("cut %-.3s", &[&"éé"]), "cut é");
    }
}
