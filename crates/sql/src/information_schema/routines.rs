//! ROUTINES and PARAMETERS.

use std::sync::Arc;

use super::by_table::Rows;
use super::columns::type_columns;
use super::{InfoSchemaContext, Wanted, opt, s};
use crate::ast::program::{RecordType, VariableType};
use crate::ast::{DataAccess, PrintStyle, TableName, quote_identifier};
use crate::error::SqlResult;
use crate::routine::locals::definition_of;
use crate::routine::store::{Routine, mode_text};
use crate::show::routines::{reads, sees};
use crate::status::Counter;
use crate::types::Value;
use crate::warning::Warnings;
use schema::definition::ColumnDef;

fn u(v: u64) -> Value {
    Value::UInt(v)
}

/// The columns of a type that is another's, or a row.
fn anchored(ty: &VariableType) -> [Value; 9] {
    let quoted = |t: &TableName, column: Option<&str>| {
        let mut out = String::new();
        for part in [t.db.as_deref(), Some(&*t.name), column].into_iter().flatten() {
            if !out.is_empty() {
                out.push('.');
            }
            quote_identifier(part, PrintStyle::default(), &mut out);
        }
        out
    };
    let (word, full) = match ty {
        VariableType::Like(t, column) => ("TYPE OF", format!("TYPE OF {}", quoted(t, Some(column)))),
        VariableType::Record(RecordType::Table(t)) => {
            ("ROW TYPE OF", format!("ROW TYPE OF {}", quoted(t, None)))
        }
        _ => ("ROW", "ROW".to_string()),
    };
    let mut columns = [const { Value::Null }; 9];
    (columns[0], columns[8]) = (s(word), s(full));
    columns
}

impl InfoSchemaContext {
    /// The routines that one may know of. Which ones a statement looks at is counted as in MariaDB, which reads a key of their table.
    fn seen_routines(&self, wanted: Wanted<'_>) -> SqlResult<Vec<Arc<Routine>>> {
        let mut list = self.engine.routines.all(&self.engine)?;
        let all = list.len();
        let same = |a: &str, b: &str| charset::system().compare(a.as_bytes(), b.as_bytes()).is_eq();
        list.retain(|r| wanted.has_db(&r.db) && wanted.table.is_none_or(|name| same(&r.name, name)));
        if let Some(c) = self.engine.connections.find(self.connection) {
            let read = if wanted.db.is_some() { list.len() } else { all };
            c.counters.add(Counter::HandlerReadNext, read as u64);
        }
        list.retain(|r| sees(&self.rights, r));
        let mut warnings = self.warnings.lock();
        list.iter().for_each(|r| r.check_context(&mut warnings));
        Ok(list)
    }

    /// The rows of ROUTINES.
    pub(super) fn routines(&self, wanted: Wanted<'_>) -> SqlResult<Rows> {
        let mut rows = Vec::new();
        for r in self.seen_routines(wanted)? {
            let result = self.result_of(&r);
            let at = |seconds| self.zone.to_local(seconds, 0).map_or(Value::Null, Value::DateTime);
            let mut row = vec![s(&r.name), s("def"), s(&r.db), s(&r.name), s(r.word())];
            match &result {
                Some(def) => row.extend(type_columns(def)),
                None => {
                    row.push(s(""));
                    row.extend(std::iter::repeat_n(Value::Null, 8));
                }
            }
            row.extend([
                s("SQL"),
                if reads(&self.rights, &r) { s(&r.body) } else { Value::Null },
                Value::Null,
                Value::Null,
                s("SQL"),
                s(if r.deterministic { "YES" } else { "NO" }),
                s(match r.access {
                    DataAccess::Contains => "CONTAINS SQL",
                    DataAccess::None => "NO SQL",
                    DataAccess::Reads => "READS SQL DATA",
                    DataAccess::Modifies => "MODIFIES SQL DATA",
                }),
                Value::Null,
                s(if r.invoker { "INVOKER" } else { "DEFINER" }),
                at(r.created),
                at(r.modified),
                s(mode_text(r.sql_mode)),
                s(&r.comment),
                s(format!("{}@{}", r.definer.0, r.definer.1)),
                s(&r.client),
                s(&r.connection),
                s(&r.db_collation),
            ]);
            rows.push(row);
        }
        Ok(rows)
    }

    /// The rows of PARAMETERS: the result of a function is its parameter 0.
    pub(super) fn parameters(&self, wanted: Wanted<'_>) -> SqlResult<Rows> {
        let mut rows = Vec::new();
        for r in self.seen_routines(wanted)? {
            let head = |place: u64| vec![s("def"), s(&r.db), s(&r.name), u(place)];
            if let Some(def) = self.result_of(&r) {
                let mut row = head(0);
                row.extend([Value::Null, Value::Null]);
                row.extend(type_columns(&def));
                row.push(s(r.word()));
                rows.push(row);
            }
            let Ok(program) = r.program() else { continue };
            for (i, p) in program.parameters.iter().enumerate() {
                let columns = match &p.ty {
                    VariableType::Declared(ty) => self.defined(&r, ty).map(|def| type_columns(&def)),
                    other => Some(anchored(other)),
                };
                let Some(columns) = columns else { continue };
                let mut row = head(i as u64 + 1);
                row.extend([opt(Some(p.mode.word())), opt(Some(&*p.name))]);
                row.extend(columns);
                row.push(s(r.word()));
                rows.push(row);
            }
        }
        Ok(rows)
    }

    fn result_of(&self, r: &Routine) -> Option<ColumnDef> {
        let program = r.program().ok()?;
        self.defined(r, program.returns.as_deref()?)
    }

    fn defined(&self, r: &Routine, ty: &crate::ast::DataType) -> Option<ColumnDef> {
        let (collation, literals) = (r.database_collation(), r.connection_collation());
        definition_of((r.sql_mode, literals), "", ty, collation, &mut Warnings::new(0)).ok()
    }
}
