//! PARTITIONS.

use schema::definition::TableDef;
use schema::show_create::partition_values;

use super::by_table::Rows;
use super::{InfoSchemaContext, s};
use crate::ast::{
    Expr, HashMethod, Hashed, Name, PartitionBound, PartitionBy, PartitionElement, PartitionMethod,
    PartitionTuple, PartitionValues, PrintStyle, quote_identifier,
};
use crate::error::SqlResult;
use crate::table::OpenTable;
use crate::table::partition::clause_of;
use crate::types::Value;

/// A table without partitions has one row, with so many columns of NULL.
const UNKNOWN: usize = 9;

impl InfoSchemaContext {
    /// The rows of PARTITIONS for a table.
    pub(super) fn partitions(&self, db: &str, table: &str, rows: &mut Rows) -> SqlResult<()> {
        let Ok(open) = self.opened(db, table)? else { return Ok(()) };
        let def = open.def();
        let head = [s("def"), s(db), s(table)];
        let Some(partition) = &def.partition else {
            let mut row: Vec<Value> = head.into();
            row.resize(3 + UNKNOWN, Value::Null);
            self.add_state(&open, &mut row);
            row.extend([s(""), s(""), Value::Null]);
            rows.push(row);
            return Ok(());
        };
        let by = clause_of(partition)?;
        let parts = open.children().map_or(&[][..], |c| c.tables());
        let texts = Texts { clause: &partition.clause, def };
        let (mut last, mut place, mut sub_place) = (None, 0u64, 0u64);
        for (file, part) in partition.files.iter().zip(parts) {
            sub_place += 1;
            if last != Some(&file.partition) {
                (place, sub_place, last) = (place + 1, 1, Some(&file.partition));
            }
            let element = by.partitions.get(place as usize - 1);
            let mut row: Vec<Value> = head.to_vec();
            let sub = file.subpartition.as_deref();
            let only_sub = |v: Value| if sub.is_some() { v } else { Value::Null };
            row.extend([
                s(&file.partition),
                sub.map_or(Value::Null, s),
                u(place),
                only_sub(u(sub_place)),
                s(method(&by.method)),
                by.sub.as_ref().map_or(Value::Null, |sub| s(hash_name(&sub.method))),
                s(texts.function(&by.method)),
                by.sub.as_ref().map_or(Value::Null, |sub| s(texts.hash(&sub.method))),
                element.map_or(Value::Null, |e| texts.description(&by, e)),
            ]);
            self.add_state(part, &mut row);
            let own = element.and_then(|e| e.subpartitions.get(sub_place as usize - 1)).or(element);
            let comment = own.and_then(|e| e.options.comment.as_deref()).unwrap_or_default();
            let group = own.and_then(|e| e.options.nodegroup);
            row.extend([
                s(String::from_utf8_lossy(comment)),
                s(group.map_or_else(|| "default".to_owned(), |n| n.to_string())),
                Value::Null,
            ]);
            rows.push(row);
        }
        Ok(())
    }

    /// Rows and lengths of a file.
    fn add_state(&self, t: &OpenTable, row: &mut Vec<Value>) {
        let mut all = Vec::new();
        self.table_row(t, &mut all);
        // those of TABLES, from the number of rows on
        let take = |n: usize| all.get(n).cloned().unwrap_or_default();
        row.extend([take(3), take(4), take(5), take(6), take(7), take(8), take(10), take(11), take(12)]);
        row.push(take(14));
    }
}

fn u(v: u64) -> Value {
    Value::UInt(v)
}

fn method(by: &PartitionMethod) -> &'static str {
    match by {
        PartitionMethod::Hash(hash) => hash_name(hash),
        PartitionMethod::Range(_) => "RANGE",
        PartitionMethod::List(_) => "LIST",
        PartitionMethod::RangeColumns(_) => "RANGE COLUMNS",
        PartitionMethod::ListColumns(_) => "LIST COLUMNS",
    }
}

fn hash_name(by: &HashMethod) -> &'static str {
    match (&by.of, by.linear) {
        (Hashed::Expr(_), false) => "HASH",
        (Hashed::Expr(_), true) => "LINEAR HASH",
        (Hashed::Key { .. }, false) => "KEY",
        (Hashed::Key { .. }, true) => "LINEAR KEY",
    }
}

/// Pieces of a clause.
struct Texts<'a> {
    clause: &'a str,
    def: &'a TableDef,
}

impl Texts<'_> {
    fn expr(&self, e: &Expr) -> &str {
        self.clause.get(e.span.start as usize..e.span.end as usize).unwrap_or_default()
    }

    fn function(&self, by: &PartitionMethod) -> String {
        match by {
            PartitionMethod::Hash(hash) => self.hash(hash),
            PartitionMethod::Range(e) | PartitionMethod::List(e) => self.expr(e).to_owned(),
            PartitionMethod::RangeColumns(names) | PartitionMethod::ListColumns(names) => self.names(names),
        }
    }

    fn hash(&self, by: &HashMethod) -> String {
        match &by.of {
            Hashed::Expr(e) => self.expr(e).to_owned(),
            Hashed::Key { columns, .. } => self.names(columns),
        }
    }

    /// Columns by the names that the table has for them.
    fn names(&self, names: &[Name]) -> String {
        let mut out = String::new();
        for name in names {
            if !out.is_empty() {
                out.push(',');
            }
            let own = self.def.columns.iter().find(|c| crate::names::same_name(&c.name, name));
            quote_identifier(own.map_or(name, |c| &c.name), PrintStyle::default(), &mut out);
        }
        out
    }

    fn description(&self, by: &PartitionBy, element: &PartitionElement) -> Value {
        match &element.values {
            PartitionValues::None => Value::Null,
            PartitionValues::Max => s("MAXVALUE"),
            PartitionValues::LessThan(list) => s(self.bounds(list)),
            PartitionValues::In(list) => {
                let tuple = |t: &PartitionTuple| match t.values.len() {
                    1 => self.bounds(&t.values),
                    _ => format!("({})", self.bounds(&t.values)),
                };
                s(list.iter().map(tuple).collect::<Vec<_>>().join(","))
            }
            PartitionValues::Default => s(match &by.method {
                PartitionMethod::ListColumns(names) if names.len() > 1 => {
                    format!("({})", vec!["MAXVALUE"; names.len()].join(","))
                }
                PartitionMethod::ListColumns(_) => "MAXVALUE".to_owned(),
                _ => "0".to_owned(),
            }),
        }
    }

    fn bounds(&self, list: &[PartitionBound]) -> String {
        let one = |bound: &PartitionBound| match bound {
            PartitionBound::Max => "MAXVALUE".to_owned(),
            PartitionBound::Value(e) => partition_values(self.expr(e)),
        };
        list.iter().map(one).collect::<Vec<_>>().join(",")
    }
}
