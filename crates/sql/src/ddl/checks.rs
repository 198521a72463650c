//! CHECK constraints of tables: their names, and what becomes of them when columns go.

use super::DefinitionBuilder;
use super::expressions::renamed;
use crate::ast;
use crate::error::{self, SqlError, SqlResult};
use crate::names::same_name;
use schema::definition::{CheckDef, KeyDef, KeyKind, TableDef};

/// 1826.
pub(super) fn duplicate(name: &str) -> SqlError {
    SqlError::new(error::ER_DUP_CONSTRAINT_NAME, &[&"CHECK", &name])
}

/// Whether a column has a CHECK of this name: its own, or the one that comes with JSON.
fn of_column(def: &TableDef, name: &str) -> bool {
    def.columns.iter().any(|c| c.check.is_some() && same_name(&c.name, name))
}

impl DefinitionBuilder<'_> {
    /// Adds CHECK constraints to a table whose columns and keys are known. The names that are there and those that are given are the
    /// table's own: a CHECK of the table shares none with one of a column, a unique key or a foreign key. Then those without a name get
    /// one that no other CHECK has; keys are not looked at for these, as in MariaDB.
    ///
    /// # Errors
    /// 1826 for a name used twice; 1059.
    pub(super) fn checks<'k>(
        &mut self,
        checks: &[ast::CheckDef],
        foreign: impl Iterator<Item = &'k ast::ForeignKey>,
        def: &mut TableDef,
    ) -> SqlResult<()> {
        let first = def.checks.len();
        for check in checks {
            let name = check.name.as_deref().unwrap_or_default();
            if name.chars().count() > crate::names::MAX_NAME {
                return Err(SqlError::new(error::ER_TOO_LONG_IDENT, &[&name]));
            }
            if !name.is_empty() && def.checks.iter().any(|c| same_name(&c.name, name)) {
                return Err(duplicate(name));
            }
            def.checks.push(CheckDef { name: name.to_string(), expression: self.print(&check.expr) });
        }
        let unique = |k: &KeyDef, name: &str| {
            matches!(k.kind, KeyKind::Primary | KeyKind::Unique) && same_name(&k.name, name)
        };
        let foreign: Vec<_> = foreign.filter_map(|k| k.constraint.as_ref()).collect();
        let clashes = |name: &str| {
            of_column(def, name)
                || def.keys.iter().any(|k| unique(k, name))
                || foreign.iter().any(|n| same_name(n, name))
        };
        if let Some(check) = def.checks.iter().find(|c| !c.name.is_empty() && clashes(&c.name)) {
            return Err(duplicate(&check.name));
        }
        for n in first..def.checks.len() {
            if def.checks[n].name.is_empty() {
                let free = |name: &String| {
                    !def.checks.iter().any(|c| same_name(&c.name, name)) && !of_column(def, name)
                };
                let name = (1..).map(|n| format!("CONSTRAINT_{n}")).find(free).unwrap_or_default();
                def.checks[n].name = name;
            }
        }
        Ok(())
    }
}

/// Whether a CHECK of the table goes with its columns: all that it asks for are among those that are `dropped`.
pub(super) fn goes_with(expression: &str, old: &TableDef, dropped: &[String]) -> bool {
    let asks_for = |name: &str| renamed(expression, name, &format!("{name}_")) != expression;
    let is_dropped = |name: &str| dropped.iter().any(|d| same_name(d, name));
    let mut asked = old.columns.iter().filter(|c| asks_for(&c.name)).peekable();
    asked.peek().is_some() && asked.all(|c| is_dropped(&c.name))
}
