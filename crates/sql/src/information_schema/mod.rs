//! information_schema: tables whose rows are made when they are read.

mod by_table;
pub(crate) mod columns;
mod consumption;
mod events;
mod granted;
mod objects;
mod partitions;
mod routines;
mod server;
mod system_variables;
mod triggers;
mod views;

pub(crate) use columns::{column_rows, granted};
pub(crate) use objects::index_rows;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use charset::derivation::Derivation;

use self::by_table::{ByTable, RowsOfTable};
use crate::engine::Engine;
use crate::error::SqlResult;
use crate::status::consumption::Consumer;
use crate::table::reader::Reader;
use crate::table::virtual_table::{MadeRows, ScanRequest, VirtualTable};
use crate::types::temporal::{DateTime, TimeZone};
use crate::types::{FieldType, Kind, Value};
use crate::warning::Warning;

/// Columns of the tables: table, column, type, nullable.
const TABLE: &str = include_str!("../../data/information-schema.tsv");

/// The definition of one table.
#[derive(Debug)]
pub struct Definition {
    /// Name in upper case.
    pub name: &'static str,
    /// Columns.
    pub columns: Vec<(String, FieldType)>,
    /// Their types as a definition says them.
    pub declared: Vec<&'static str>,
}

impl Definition {
    /// The column with the database of a routine, in tables that describe routines.
    fn schema_of_routines(&self) -> Option<&'static str> {
        match self.name {
            "ROUTINES" => Some("ROUTINE_SCHEMA"),
            "PARAMETERS" => Some("SPECIFIC_SCHEMA"),
            _ => None,
        }
    }
}

static DEFINITIONS: LazyLock<Vec<Definition>> = LazyLock::new(load);

static BY_NAME: LazyLock<HashMap<String, usize>> =
    LazyLock::new(|| DEFINITIONS.iter().enumerate().map(|(i, d)| (d.name.to_ascii_lowercase(), i)).collect());

fn load() -> Vec<Definition> {
    let mut all: Vec<Definition> = Vec::new();
    for line in TABLE.lines() {
        let mut f = line.split('\t');
        let (Some(table), Some(column), Some(ty), Some(nullable)) = (f.next(), f.next(), f.next(), f.next())
        else {
            continue;
        };
        if all.last().is_none_or(|d| d.name != table) {
            all.push(Definition { name: table, columns: Vec::new(), declared: Vec::new() });
        }
        if let Some(d) = all.last_mut() {
            d.declared.push(ty);
            d.columns.push((column.to_string(), column_type(ty).with_nullable(nullable == "YES")));
        }
    }
    all
}

/// The type of a column from its text.
fn column_type(text: &str) -> FieldType {
    let name = text.split(['(', ' ']).next().unwrap_or("");
    let number = |at: usize| -> u32 {
        text.split(['(', ',', ')']).nth(at).and_then(|n| n.trim().parse().ok()).unwrap_or(0)
    };
    let mut ty = match name {
        "bigint" => FieldType::new(Kind::LongLong, number(1), 0),
        "int" => FieldType::new(Kind::Long, number(1), 0),
        "smallint" => FieldType::new(Kind::Short, number(1), 0),
        "tinyint" => FieldType::new(Kind::Tiny, number(1), 0),
        "decimal" => FieldType::decimal(number(1) as u8, number(2) as u8),
        "double" => FieldType::double(),
        "datetime" => FieldType::datetime(number(1) as u8),
        "longtext" => {
            let mut t = FieldType::string(0, charset::system(), Derivation::Implicit);
            t.kind = Kind::LongBlob;
            t.length = 589_815;
            t
        }
        "blob" => {
            let mut t = FieldType::string(0, charset::binary(), Derivation::Implicit);
            t.kind = Kind::Blob;
            t.length = 65535;
            t
        }
        _ => FieldType::string(u64::from(number(1)), charset::system(), Derivation::Implicit),
    };
    if name == "varchar" {
        ty.decimals = 0;
    }
    ty.unsigned = text.ends_with("unsigned");
    ty
}

/// Finds a table by name, in any case. Tables that only SHOW uses are not found.
pub fn definition(name: &str) -> Option<&'static Definition> {
    BY_NAME.get(&name.to_ascii_lowercase()).map(|i| &DEFINITIONS[*i])
}

/// The names of all tables.
pub fn names() -> impl Iterator<Item = &'static str> {
    DEFINITIONS.iter().map(|d| d.name).filter(|n| !is_private(n))
}

fn is_private(name: &str) -> bool {
    matches!(name, "TABLE_NAMES" | "OPEN_TABLES" | "MYSQL_USER")
}

/// What the rows are made from: a session's sight of the engine.
#[derive(Clone)]
pub struct InfoSchemaContext {
    /// The engine.
    pub(crate) engine: Arc<Engine>,
    /// The session's time zone.
    pub(crate) zone: TimeZone,
    /// Names and values of the session's variables.
    pub(crate) variables: Option<Arc<Vec<(&'static str, String)>>>,
    /// The session's counters.
    pub(crate) connection: u64,
    /// What the session may see.
    pub(crate) rights: crate::rights::Rights,
    /// How it waits for tables that it opens.
    pub(crate) waiter: crate::locks::Waiter,
    /// What was wrong with views on the way.
    pub(crate) warnings: Arc<parking_lot::Mutex<crate::warning::Warnings>>,
}

/// Which objects are wanted: all, or those of one database or one table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// Only of this database.
    pub db: Option<&'a str>,
    /// Only of this table.
    pub table: Option<&'a str>,
}

impl Wanted<'_> {
    fn has_db(&self, name: &str) -> bool {
        self.db.is_none_or(|d| d == name)
    }

    fn has_table(&self, name: &str) -> bool {
        self.table.is_none_or(|t| t == name)
    }
}

/// The columns of TABLES that are known without opening the tables end before this one.
const NAMES_END: usize = 4;

struct Table {
    definition: &'static Definition,
    sight: InfoSchemaContext,
}

impl VirtualTable for Table {
    fn columns(&self) -> &[(String, FieldType)] {
        &self.definition.columns
    }

    fn rows(&self, asked: &ScanRequest) -> SqlResult<Box<dyn Reader>> {
        // what an execution before has left
        self.sight.warnings.lock().clear();
        let place = |name: &str| self.definition.columns.iter().position(|(column, _)| column == name);
        // Names are looked for as they are in the file system.
        let equal = |column: Option<usize>| match asked.equal(column?)? {
            Value::Bytes(name) => std::str::from_utf8(name).ok(),
            _ => None,
        };
        let db = place("TABLE_SCHEMA").or_else(|| place("SCHEMA_NAME"));
        let db = db.or_else(|| place("G_TABLE_SCHEMA"));
        let table = place("TABLE_NAME").or_else(|| place("G_TABLE_NAME"));
        let wanted = Wanted { db: equal(db), table: equal(table) };
        if let Some(schema) = self.definition.schema_of_routines() {
            let name = schema.replace("SCHEMA", "NAME");
            let wanted = Wanted { db: equal(place(schema)), table: equal(place(&name)) };
            let rows = self.sight.rows(self.definition.name, wanted)?;
            return Ok(Box::new(self.sight.held(MadeRows::as_temporary(rows))));
        }
        let by_name = asked.columns.iter().all(|column| *column < NAMES_END);
        if let Some(rows) = self.sight.by_table(self.definition.name, wanted, by_name)? {
            return Ok(Box::new(rows));
        }
        Ok(Box::new(self.sight.held(MadeRows::new(self.sight.rows(self.definition.name, wanted)?))))
    }

    fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut *self.sight.warnings.lock()).entries().to_vec()
    }
}

/// The table of that name, in any case, as this session sees it.
pub fn open(
    name: &str,
    info_schema_context: impl FnOnce(&str) -> InfoSchemaContext,
) -> Option<Arc<dyn VirtualTable>> {
    let definition = definition(name).filter(|d| !is_private(d.name))?;
    Some(Arc::new(Table { definition, sight: info_schema_context(name) }))
}

/// `mysql.user`, a view over the accounts.
pub(crate) fn open_mysql_user(
    info_schema_context: impl FnOnce(&str) -> InfoSchemaContext,
) -> Option<Arc<dyn VirtualTable>> {
    let definition = definition("MYSQL_USER")?;
    Some(Arc::new(Table { definition, sight: info_schema_context(definition.name) }))
}

impl InfoSchemaContext {
    /// The rows of a table.
    ///
    /// # Errors
    /// Those of looking at what it describes.
    pub fn rows(&self, name: &str, wanted: Wanted<'_>) -> SqlResult<Vec<Vec<Value>>> {
        if let Some(mut rows) = self.by_table(name, wanted, false)? {
            return rows.all();
        }
        match name {
            "SCHEMATA" => self.schemata(wanted),
            "TABLE_NAMES" => self.table_names(wanted),
            "OPEN_TABLES" => Ok(self.open_tables(wanted)),
            "ENGINES" => Ok(server::engines()),
            "PLUGINS" => Ok(server::plugins()),
            "CHARACTER_SETS" => Ok(server::character_sets()),
            "COLLATIONS" => Ok(server::collations()),
            "COLLATION_CHARACTER_SET_APPLICABILITY" => Ok(server::applicability()),
            "PROCESSLIST" => Ok(self.processes()),
            "GLOBAL_VARIABLES" => Ok(self.global_variables()),
            "SESSION_VARIABLES" => Ok(self.session_variables()),
            "SYSTEM_VARIABLES" => Ok(self.system_variables()),
            "GLOBAL_STATUS" => Ok(self.status(true)),
            "SESSION_STATUS" => Ok(self.status(false)),
            "KEY_CACHES" => Ok(self.key_caches()),
            "ROUTINES" => self.routines(wanted),
            "EVENTS" => self.events(wanted),
            "PARAMETERS" => self.parameters(wanted),
            "USER_PRIVILEGES" => Ok(self.user_privileges()),
            "SCHEMA_PRIVILEGES" => Ok(self.schema_privileges()),
            "TABLE_PRIVILEGES" => Ok(self.table_privileges()),
            "COLUMN_PRIVILEGES" => Ok(self.column_privileges()),
            "APPLICABLE_ROLES" => Ok(self.applicable_roles()),
            "ENABLED_ROLES" => Ok(self.enabled_roles()),
            "MYSQL_USER" => Ok(self.mysql_user()),
            "USER_STATISTICS" => Ok(self.consumption(Consumer::User)),
            "CLIENT_STATISTICS" => Ok(self.consumption(Consumer::Client)),
            "SQL_FUNCTIONS" => Ok(server::functions()),
            "KEYWORDS" => Ok(server::keywords()),
            "INNODB_FT_DEFAULT_STOPWORD" => Ok(server::innodb_stopwords()),
            // Known, and always empty here.
            _ => Ok(Vec::new()),
        }
    }

    /// The rows of a table that describes tables; `by_name`: of TABLES no more than what is known without opening them is asked for.
    fn by_table(&self, name: &str, wanted: Wanted<'_>, by_name: bool) -> SqlResult<Option<ByTable>> {
        let mut own = Vec::new();
        let make: RowsOfTable = match name {
            "TABLES" => {
                self.own_tables(wanted, &mut own);
                if by_name { Self::table_name } else { Self::table }
            }
            "COLUMNS" => {
                self.own_columns(wanted, &mut own);
                Self::columns
            }
            "GEOMETRY_COLUMNS" => Self::geometry_columns,
            "PARTITIONS" => Self::partitions,
            "STATISTICS" => Self::statistics,
            "ISAMBARD_TABLE_IO" => Self::table_io,
            "KEY_COLUMN_USAGE" => Self::key_columns,
            "TABLE_CONSTRAINTS" => Self::constraints,
            "CHECK_CONSTRAINTS" => Self::checks,
            "TRIGGERS" => Self::triggers,
            "VIEWS" => Self::view_row,
            _ => return Ok(None),
        };
        ByTable::new(self, make, wanted, own).map(Some)
    }

    /// Counts rows among what the session holds.
    fn held(&self, rows: MadeRows) -> MadeRows {
        match self.engine.connections.find(self.connection) {
            Some(c) => rows.held_by(&c.memory),
            None => rows,
        }
    }

    /// Seconds since 1970 in the session's zone; 0 is NULL.
    fn time(&self, seconds: u64) -> Value {
        if seconds == 0 {
            return Value::Null;
        }
        match self.zone.to_local(seconds as i64, 0) {
            Some(t) => Value::DateTime(DateTime { ..t }),
            None => Value::Null,
        }
    }
}

fn s(text: impl AsRef<str>) -> Value {
    Value::Bytes(text.as_ref().as_bytes().to_vec())
}

fn opt(text: Option<impl AsRef<str>>) -> Value {
    text.map_or(Value::Null, s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_complete() {
        let columns = definition("columns").expect("known");
        assert_eq!(columns.columns.len(), 22);
        assert_eq!(columns.columns[3].0, "COLUMN_NAME");
        assert_eq!(columns.columns[3].1.length, 192);
        assert!(definition("nothing").is_none());
        assert!(names().all(|n| n != "TABLE_NAMES"));
    }
}
