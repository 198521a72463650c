//! CHECK constraints of tables: their names, and what becomes of them when columns go.

use super::DefinitionBuilder;
use super::expressions::renamed;
use crate::ast;
use crate::error::{self, SqlError, SqlResult};
use crate::names::same_name;
use schema::definition::{CheckDef, KeyKind, TableDef};

fn duplicate(name: &str) -> SqlError {
    SqlError::new(error::ER_DUP_CONSTRAINT_NAME, &[&"CHECK", &name])
}

/// Whether a column has a CHECK of this name: its own, or the one that comes with JSON.
fn of_column(def: &TableDef, name: &str) -> bool {
    def.columns.iter().any(|c| c.check.is_some() && same_name(&c.name, name))
}

impl DefinitionBuilder<'_> {
    /// Adds CHECK constraints of the table. Those without a name get one that no other has.
    ///
    /// # Errors
    /// 1826 for a name used twice.
    pub(super) fn checks(&mut self, checks: &[ast::CheckDef], def: &mut TableDef) -> SqlResult<()> {
        let given = |name: &str| checks.iter().any(|c| c.name.as_ref().is_some_and(|n| same_name(n, name)));
        for check in checks {
            let taken = |name: &str| def.checks.iter().any(|c| same_name(&c.name, name));
            let free = |name: &str| !taken(name) && !given(name) && !of_column(def, name);
            let name = match &check.name {
                Some(n) if n.chars().count() > crate::names::MAX_NAME => {
                    return Err(SqlError::new(error::ER_TOO_LONG_IDENT, &[n]));
                }
                Some(n) => n.to_string(),
                None => (1..).map(|n| format!("CONSTRAINT_{n}")).find(|n| free(n)).unwrap_or_default(),
            };
            if taken(&name) {
                let e = duplicate(&name);
                if check.if_not_exists {
                    self.ctx.warnings.push_error(crate::warning::Level::Note, &e);
                    continue;
                }
                return Err(e);
            }
            def.checks.push(CheckDef { name, expression: self.print(&check.expr) });
        }
        Ok(())
    }
}

/// Whether the names of a table's constraints are its own: a CHECK of the table shares none with one of a column, a unique key or a
/// foreign key. Names that were made stand back for none of these but columns.
///
/// # Errors
/// 1826.
pub(super) fn check_names<'k>(
    def: &TableDef,
    mut foreign: impl Iterator<Item = &'k ast::ForeignKey>,
) -> SqlResult<()> {
    let clash = |name: &str| {
        let unique = |k: &schema::definition::KeyDef| {
            matches!(k.kind, KeyKind::Primary | KeyKind::Unique) && same_name(&k.name, name)
        };
        of_column(def, name) || !is_made(name) && def.keys.iter().any(unique)
    };
    if let Some(check) = def.checks.iter().find(|c| clash(&c.name)) {
        return Err(duplicate(&check.name));
    }
    let named = |k: &&ast::ForeignKey| {
        let name = k.constraint.as_ref();
        name.is_some_and(|n| def.checks.iter().any(|c| same_name(&c.name, n)))
    };
    match foreign.find(named).and_then(|k| k.constraint.as_ref()) {
        Some(name) => Err(duplicate(name)),
        None => Ok(()),
    }
}

/// Whether a name is one of those that constraints without a name get.
fn is_made(name: &str) -> bool {
    let number =
        name.get(..11).filter(|p| p.eq_ignore_ascii_case("CONSTRAINT_")).and_then(|_| name.get(11..));
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a CHECK of the table goes with its columns: all that it asks for are among those that are `dropped`.
pub(super) fn goes_with(expression: &str, old: &TableDef, dropped: &[String]) -> bool {
    let asks_for = |name: &str| renamed(expression, name, &format!("{name}_")) != expression;
    let is_dropped = |name: &str| dropped.iter().any(|d| same_name(d, name));
    let mut asked = old.columns.iter().filter(|c| asks_for(&c.name)).peekable();
    asked.peek().is_some() && asked.all(|c| is_dropped(&c.name))
}
