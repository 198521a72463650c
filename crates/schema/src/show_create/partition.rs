//! PARTITION BY as it is shown.

use charset::Charset;

use super::{ShowOptions, Text};
use crate::definition::TableDef;
use crate::expression;

/// What stands before partitioning functions.
const FUNCTIONS: &[&str] = &[" HASH (", " RANGE (", " LIST ("];

impl Text<'_, '_> {
    /// The clause with texts in quotes, which the definition has as hexadecimal numbers with their character set. Columns in
    /// partitioning functions have their own names, whatever case the statement had.
    pub(super) fn partition_clause(&mut self, def: &TableDef, clause: &str) {
        let mut in_function = false;
        expression::requote(clause, |part| match part {
            expression::Part::Text(text) => {
                let line = text.rsplit_once('\n').map_or(text, |(_, line)| line);
                if line.len() < text.len() {
                    in_function = false;
                }
                in_function |= FUNCTIONS.iter().any(|start| line.contains(start));
                self.with_texts(text);
            }
            expression::Part::Name(name) => {
                let lower = name.to_lowercase();
                let column = def.columns.iter().find(|c| in_function && c.name.to_lowercase() == lower);
                self.name(column.map_or(&name, |c| &c.name));
            }
        });
    }

    fn with_texts(&mut self, mut text: &str) {
        while let Some(at) = text.find(['_', '\'']) {
            let (before, rest) = text.split_at(at);
            self.push(before);
            if rest.starts_with('\'') {
                let end = expression::quoted_end(rest.as_bytes(), 0).unwrap_or(rest.len());
                self.push(&rest[..end]);
                text = &rest[end..];
            } else if let Some((shown, behind)) = introduced(rest) {
                self.push("'");
                self.push(&shown.replace('\\', "\\\\").replace('\'', "''"));
                self.push("'");
                text = behind;
            } else {
                self.push("_");
                text = &rest[1..];
            }
        }
        self.push(text);
    }
}

/// Values of partitions as they are shown, of a piece of the clause.
#[must_use]
pub fn partition_values(piece: &str) -> String {
    let options = ShowOptions::default();
    let mut text = Text { out: Vec::new(), options: &options };
    text.with_texts(piece);
    String::from_utf8_lossy(&text.out).into_owned()
}

/// The text that `_charset 0x...` stands for, and what is behind it; not for binary strings.
fn introduced(text: &str) -> Option<(String, &str)> {
    let (set, hex) = text.strip_prefix('_')?.split_once(" 0x")?;
    let set = Charset::by_name(set).filter(|set| set.name != "binary")?;
    let end = hex.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(hex.len());
    let digits = |n: usize| u8::from_str_radix(hex.get(n..n + 2)?, 16).ok();
    let bytes: Vec<u8> = (0..end).step_by(2).map(digits).collect::<Option<_>>()?;
    let mut out = Vec::with_capacity(bytes.len());
    // bytes that are no text of the set stay as they are
    if set.convert(&bytes, Charset::by_name("utf8mb4")?, &mut out) > 0 {
        return None;
    }
    Some((String::from_utf8(out).ok()?, &hex[end..]))
}
