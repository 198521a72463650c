//! COLUMNS.

use schema::definition::{ColumnDef, ColumnType, DefaultValue, TableDef, Visibility};
use schema::show_create::{ShowOptions, default_text, type_text};

use super::by_table::Rows;
use super::{InfoSchemaContext, Wanted, opt, s};
use crate::error::SqlResult;
use crate::names::INFORMATION_SCHEMA;
use crate::rights::Rights;
use crate::types::{FieldType, Kind, Value};

fn u(v: u64) -> Value {
    Value::UInt(v)
}

/// PRI, UNI or MUL of a column.
pub(crate) fn key_word(def: &TableDef, column: usize) -> &'static str {
    if let Some(k) = def.primary_key()
        && def.keys[k].parts.iter().any(|p| p.column == column)
    {
        return "PRI";
    }
    let first = |k: &&schema::definition::KeyDef| k.parts.first().is_some_and(|p| p.column == column);
    if def.keys.iter().filter(first).any(|k| k.is_unique() && k.parts.len() == 1) {
        return "UNI";
    }
    if def.keys.iter().any(|k| first(&k)) { "MUL" } else { "" }
}

/// The Extra column.
pub(crate) fn extra(c: &ColumnDef) -> String {
    let mut words: Vec<String> = Vec::new();
    if let Some(g) = &c.generated {
        words.push(if g.stored { "STORED GENERATED" } else { "VIRTUAL GENERATED" }.into());
    }
    if c.auto_increment {
        words.push("auto_increment".into());
    }
    if c.on_update_now {
        words.push(format!("on update {}", now_text(c)));
    }
    if c.visibility == Visibility::Invisible {
        words.push("INVISIBLE".into());
    }
    words.join(", ")
}

/// `current_timestamp(n)` with the column's precision.
pub(crate) fn now_text(c: &ColumnDef) -> String {
    match c.ty.fraction() {
        Some(n) if n > 0 => format!("current_timestamp({n})"),
        _ => "current_timestamp()".into(),
    }
}

/// The bare name of a column's type.
fn type_name(full: &str) -> &str {
    full.split(['(', ' ']).next().unwrap_or(full)
}

/// Precision and scale of number types.
fn numeric(c: &ColumnDef) -> (Value, Value) {
    let precision = |p: u64, scale: Option<u64>| (u(p), scale.map_or(Value::Null, u));
    match c.ty {
        ColumnType::Tiny => precision(3, Some(0)),
        ColumnType::Short => precision(5, Some(0)),
        ColumnType::Int24 => precision(7, Some(0)),
        ColumnType::Long => precision(10, Some(0)),
        ColumnType::LongLong => precision(if c.unsigned { 20 } else { 19 }, Some(0)),
        ColumnType::Decimal { precision: p, scale } => precision(u64::from(p), Some(u64::from(scale))),
        ColumnType::OldDecimal { bytes, scale } => precision(u64::from(bytes), Some(u64::from(scale))),
        ColumnType::Float { decimals } | ColumnType::Double { decimals } => {
            precision(u64::from(c.width), (decimals < 31).then_some(u64::from(decimals)))
        }
        ColumnType::Bit { bits, .. } => precision(u64::from(bits), None),
        _ => (Value::Null, Value::Null),
    }
}

/// Longest value in characters and bytes of string types.
fn lengths(c: &ColumnDef) -> (Value, Value) {
    let mb = u64::from(c.collation.charset.mbmaxlen.max(1));
    let min = u64::from(c.collation.charset.mbminlen.max(1));
    match c.ty {
        ColumnType::Char { bytes } | ColumnType::Varchar { bytes } | ColumnType::OldVarchar { bytes } => {
            (u(u64::from(bytes) / mb), u(u64::from(bytes)))
        }
        ColumnType::Blob { length_bytes } => {
            let bytes = (1u64 << (8 * u32::from(length_bytes))) - 1;
            (u(bytes / min), u(bytes))
        }
        ColumnType::Enum { .. } | ColumnType::Set { .. } => {
            let ty = FieldType::from_column(c);
            (u(u64::from(ty.char_length())), u(u64::from(ty.length)))
        }
        _ => (Value::Null, Value::Null),
    }
}

impl InfoSchemaContext {
    pub(super) fn columns(&self, db: &str, name: &str, rows: &mut Rows) -> SqlResult<()> {
        if let Ok(t) = self.opened(db, name)? {
            column_rows(db, name, t.def(), rows);
            rows.retain_mut(|row| granted(&self.rights, db, name, row));
        } else if let Some(view) = self.view(db, name)?
            && let Ok(def) = self.session()?.view_definition(&view)
        {
            column_rows(db, name, &def, rows);
            rows.retain_mut(|row| granted(&self.rights, db, name, row));
        }
        Ok(())
    }

    /// The rows of GEOMETRY_COLUMNS for a table or a view.
    pub(super) fn geometry_columns(&self, db: &str, name: &str, rows: &mut Rows) -> SqlResult<()> {
        if let Ok(t) = self.opened(db, name)? {
            self.geometry_columns_of(db, name, t.def(), rows);
        } else if let Some(view) = self.view(db, name)?
            && let Ok(def) = self.session()?.view_definition(&view)
        {
            self.geometry_columns_of(db, name, &def, rows);
        }
        Ok(())
    }

    fn geometry_columns_of(&self, db: &str, name: &str, def: &TableDef, rows: &mut Rows) {
        /// Geometries are stored as WKB.
        const WKB: u64 = 1;
        const DIMENSIONS: u64 = 2;
        for c in &def.columns {
            let ColumnType::Geometry { kind, srid } = c.ty else { continue };
            let granted = self.rights.unlimited() || !self.rights.column_list(db, name, &c.name).is_empty();
            if c.visibility >= Visibility::System || !granted {
                continue;
            }
            rows.push(vec![
                s("def"),
                s(db),
                s(name),
                s(""),
                s("def"),
                s(db),
                s(name),
                s(&c.name),
                u(WKB),
                u(u64::from(kind as u8)),
                u(DIMENSIONS),
                u(0),
                // the column is a SMALLINT
                u(u64::from(srid.min(i16::MAX as u32))),
            ]);
        }
    }

    /// The columns of information_schema's own tables.
    pub(super) fn own_columns(&self, wanted: Wanted<'_>, rows: &mut Rows) {
        if !wanted.has_db(INFORMATION_SCHEMA) {
            return;
        }
        for name in super::names().filter(|n| wanted.table.is_none_or(|t| t.eq_ignore_ascii_case(n))) {
            let Some(d) = super::definition(name) else { continue };
            for (n, (column, ty)) in d.columns.iter().enumerate() {
                let text = match ty.kind {
                    Kind::Varchar => format!("varchar({})", ty.char_length()),
                    Kind::LongBlob => "longtext".into(),
                    Kind::Blob => "blob".into(),
                    Kind::DateTime if ty.decimals > 0 => format!("datetime({})", ty.decimals),
                    Kind::DateTime => "datetime".into(),
                    Kind::Decimal => format!("decimal({},{})", ty.precision(), ty.decimals),
                    Kind::Long => format!("int({})", ty.length),
                    Kind::Short => format!("smallint({})", ty.length),
                    Kind::Tiny => format!("tinyint({})", ty.length),
                    Kind::Double => "double".into(),
                    _ => format!("bigint({})", ty.length),
                };
                let text = if ty.unsigned { format!("{text} unsigned") } else { text };
                let string = ty.is_string();
                let mut row = vec![s("def"), s(INFORMATION_SCHEMA), s(d.name), s(column), u(n as u64 + 1)];
                row.push(if ty.nullable { s("NULL") } else { Value::Null });
                row.push(s(if ty.nullable { "YES" } else { "NO" }));
                row.push(s(type_name(&text)));
                row.extend(measures(ty));
                row.push(opt(string.then_some("utf8mb3")));
                row.push(opt(string.then_some("utf8mb3_general_ci")));
                row.extend([s(&text), s(""), s(""), s("select"), s(""), s("NEVER"), Value::Null]);
                rows.push(row);
            }
        }
    }
}

/// CHARACTER_MAXIMUM_LENGTH to DATETIME_PRECISION of a column of information_schema.
fn measures(ty: &FieldType) -> [Value; 5] {
    let none = const { Value::Null };
    let number = |digits: u64| [Value::Null, Value::Null, u(digits), u(0), Value::Null];
    match ty.kind {
        Kind::LongBlob => [u(u64::from(u32::MAX)), u(u64::from(u32::MAX)), none, Value::Null, Value::Null],
        Kind::DateTime => [none, Value::Null, Value::Null, Value::Null, u(u64::from(ty.decimals))],
        Kind::Decimal => {
            [none, Value::Null, u(u64::from(ty.precision())), u(u64::from(ty.decimals)), Value::Null]
        }
        Kind::Double => [none, Value::Null, u(21), Value::Null, Value::Null],
        Kind::Long => number(10),
        Kind::Short => number(5),
        Kind::Tiny => number(3),
        _ if ty.is_string() => {
            [u(u64::from(ty.char_length())), u(u64::from(ty.length)), none, Value::Null, Value::Null]
        }
        _ => number(if ty.unsigned { 20 } else { 19 }),
    }
}

/// Fills in what the session may do with the column of a row; false when it may do nothing.
pub(crate) fn granted(rights: &Rights, db: &str, table: &str, row: &mut [Value]) -> bool {
    const NAME: usize = 3;
    const PRIVILEGES: usize = 18;
    let (Some(Value::Bytes(name)), false) = (row.get(NAME), rights.unlimited()) else { return true };
    let text = rights.column_list(db, table, &String::from_utf8_lossy(name));
    let any = !text.is_empty();
    if let Some(cell) = row.get_mut(PRIVILEGES) {
        *cell = Value::Bytes(text.into_bytes());
    }
    any
}

/// What ROUTINES and PARAMETERS tell of a type: its name to its whole text.
pub(super) fn type_columns(c: &ColumnDef) -> [Value; 9] {
    let full = String::from_utf8_lossy(&type_text(c)).into_owned();
    let (chars, bytes) = lengths(c);
    // here they are numbers of INT
    let at_most = |v: Value| match v {
        Value::UInt(n) => Value::UInt(n.min(i32::MAX.unsigned_abs().into())),
        other => other,
    };
    let (precision, scale) = numeric(c);
    let string = c.is_string() && !c.is_binary_string();
    [
        s(type_name(&full)),
        at_most(chars),
        at_most(bytes),
        precision,
        scale,
        c.ty.fraction().map_or(Value::Null, |f| u(u64::from(f))),
        opt(string.then_some(c.collation.charset.name)),
        opt(string.then_some(c.collation.name)),
        s(&full),
    ]
}

/// The rows of one table.
pub(crate) fn column_rows(db: &str, name: &str, def: &TableDef, rows: &mut Vec<Vec<Value>>) {
    let mut place = 0;
    for (n, c) in def.columns.iter().enumerate() {
        if c.visibility >= Visibility::System {
            continue;
        }
        place += 1;
        let default = if c.auto_increment {
            Value::Null
        } else if c.generated.is_some() {
            if c.nullable { s("NULL") } else { Value::Null }
        } else {
            match &c.default {
                DefaultValue::None => Value::Null,
                DefaultValue::Null => s("NULL"),
                DefaultValue::Now => s(now_text(c)),
                _ => match default_text(c, &ShowOptions::default()) {
                    Some(text) => Value::Bytes(text),
                    None => Value::Null,
                },
            }
        };
        let mut row = vec![
            s("def"),
            s(db),
            s(name),
            s(&c.name),
            u(place),
            default,
            s(if c.nullable { "YES" } else { "NO" }),
        ];
        row.extend(type_columns(c));
        row.extend([
            s(key_word(def, n)),
            s(extra(c)),
            s("select,insert,update,references"),
            s(&c.comment),
            s(if c.generated.is_some() { "ALWAYS" } else { "NEVER" }),
            opt(c.generated.as_ref().map(|g| g.expression.as_str())),
        ]);
        rows.push(row);
    }
}
