//! Routines as SHOW CREATE prints them, and the types of what they return.

use super::store::Routine;
use crate::ast::{DataAccess, quote_string};
use schema::definition::{ColumnDef, ColumnType};

fn name(text: &str, quote: char) -> String {
    let (one, two) = if quote == '"' { ("\"", "\"\"") } else { ("`", "``") };
    format!("{one}{}{one}", text.replace(one, two))
}

/// The statement that makes the routine.
pub(crate) fn definition(r: &Routine) -> String {
    definition_as(r, &r.name)
}

/// As [`definition`], under a name that may be written otherwise.
pub(crate) fn definition_as(r: &Routine, shown: &str) -> String {
    let quote = if r.sql_mode.has(crate::variables::SqlMode::ANSI_QUOTES) { '"' } else { '`' };
    let mut out = format!(
        "CREATE DEFINER={}@{} {}{} {}({})",
        name(&r.definer.0, quote),
        name(&r.definer.1, quote),
        if r.aggregate { "AGGREGATE " } else { "" },
        r.word(),
        name(shown, quote),
        r.parameters
    );
    if r.function {
        out.push_str(" RETURNS ");
        out.push_str(&r.returns);
    }
    out.push('\n');
    match r.access {
        DataAccess::None => out.push_str("    NO SQL\n"),
        DataAccess::Reads => out.push_str("    READS SQL DATA\n"),
        DataAccess::Modifies => out.push_str("    MODIFIES SQL DATA\n"),
        DataAccess::Contains => {}
    }
    if r.deterministic {
        out.push_str("    DETERMINISTIC\n");
    }
    if r.invoker {
        out.push_str("    SQL SECURITY INVOKER\n");
    }
    if !r.comment.is_empty() {
        let mut quoted = Vec::new();
        quote_string(r.comment.as_bytes(), &mut quoted);
        out.push_str("    COMMENT ");
        out.push_str(&String::from_utf8_lossy(&quoted));
        out.push('\n');
    }
    out.push_str(&r.body);
    out
}

/// A type with its character set and collation.
pub(crate) fn type_with_charset(def: &ColumnDef) -> String {
    let mut text = String::from_utf8_lossy(&schema::show_create::type_text(def)).into_owned();
    let of_text = matches!(
        def.ty,
        ColumnType::Char { .. }
            | ColumnType::Varchar { .. }
            | ColumnType::Blob { .. }
            | ColumnType::Enum { .. }
            | ColumnType::Set { .. }
    );
    if of_text && def.collation.id != 63 {
        text.push_str(" CHARSET ");
        text.push_str(def.collation.charset.name);
        text.push_str(" COLLATE ");
        text.push_str(def.collation.name);
    }
    text
}
