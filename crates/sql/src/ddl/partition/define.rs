//! PARTITION BY of CREATE TABLE and ALTER TABLE: what is wrong with it, and the definition that it becomes.

use schema::definition::{ColumnDef, ColumnType, KeyKind, PartitionDef, TableDef};

use super::check;
use super::text;
use crate::ast::{
    self, ExprKind, HashMethod, Hashed, Name, PartitionBound, PartitionBy, PartitionElement, PartitionMethod,
    PartitionValues,
};
use crate::ddl::DefinitionBuilder;
use crate::error::{SqlError, SqlResult, codes};
use crate::names::same_name;
use crate::table::partition::routing::{Number, columns_named, integer, key_columns, order};
use crate::table::partition::{MOST, files_of, fits_file, names_of, rows_of};
use crate::types::store::{self, Column, StoreMode, Stored};
use crate::types::{FieldType, Kind, Value, load};

/// Most columns of KEY and COLUMNS.
const MOST_COLUMNS: usize = 16;

/// Most bytes of the values of KEY and COLUMNS.
const MAX_LENGTH: usize = 3072;

/// Longest comment of a partition, in characters.
const MAX_COMMENT: usize = 1024;

/// What a partitioning function is for.
#[derive(Clone, Copy, PartialEq)]
enum Function {
    /// RANGE and LIST, for which the integer below a value counts.
    Ordered,
    Hash,
    SubHash,
}

impl Function {
    /// What errors call it, and its clause.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Function::Ordered | Function::Hash => ("PARTITION", "PARTITION BY"),
            Function::SubHash => ("SUBPARTITION", "PARTITION BY"),
        }
    }
}

impl DefinitionBuilder<'_> {
    /// Partitions the table of a definition that is complete but for that. `named_engine` is what the statement names.
    ///
    /// # Errors
    /// Those of the clause.
    pub(in crate::ddl) fn partition(
        &mut self,
        def: &mut TableDef,
        by: &PartitionBy,
        named_engine: Option<&str>,
    ) -> SqlResult<()> {
        let mut by = by.clone();
        self.shape(&mut by)?;
        check::engines(&by, named_engine)?;
        self.check_table(def)?;
        let mut functions = (String::new(), String::new());
        let mut used = Vec::new();
        // functions whose values are of the wrong type are told of behind what is wrong with VALUES
        let mut types = [Ok(()), Ok(())];
        if let Some(sub) = &mut by.sub {
            (functions.1, types[1]) = self.hash(def, &mut sub.method, Function::SubHash, &mut used)?;
        }
        match &mut by.method {
            PartitionMethod::Hash(hash) => {
                (functions.0, types[0]) = self.hash(def, hash, Function::Hash, &mut used)?;
            }
            PartitionMethod::Range(e) | PartitionMethod::List(e) => {
                (functions.0, types[0]) = self.function(def, e, Function::Ordered, &mut used)?;
            }
            PartitionMethod::RangeColumns(names) | PartitionMethod::ListColumns(names) => {
                used.extend(self.column_list(def, names)?);
            }
        }
        self.folders_of_parts(&mut by)?;
        let values = self.values(def, &by)?;
        types.into_iter().collect::<SqlResult<()>>()?;
        check_unique_keys(def, &used)?;
        let client = self.settings.client;
        let mut count = 0u64;
        for (_, subs) in names_of(&by) {
            count += subs.len().max(1) as u64;
        }
        if count > MOST {
            return Err(SqlError::new(codes::ER_TOO_MANY_PARTITIONS_ERROR, &[]));
        }
        let engine = self.engine.info().name;
        let clause = text::clause(&by, (&functions.0, &functions.1), &values, engine, &|text| {
            crate::types::convert::text_of(text, client)
        });
        let (files, connections) = files_of(&by);
        if !files.iter().all(|f| fits_file(&rows_of(self.db, self.table, &f.name))) {
            return Err(SqlError::new(codes::ER_CANT_CREATE_TABLE, &[&self.db, &self.table, &36]));
        }
        def.options.engine = "partition".to_owned();
        (def.options.data_directory, def.options.index_directory) = (None, None);
        def.partition = Some(PartitionDef {
            clause,
            engine: engine.to_owned(),
            engine_code: schema::par::MYISAM,
            automatic: false,
            files,
            connections,
        });
        for partition in &by.partitions {
            for o in partition.subpartitions.iter().chain([partition]).map(|p| &p.options) {
                let comment = o.comment.as_deref().unwrap_or_default();
                if crate::types::convert::text_of(comment, client).chars().count() > MAX_COMMENT {
                    let args: [&dyn std::fmt::Display; 2] = [&partition.name, &MAX_COMMENT];
                    return Err(SqlError::new(codes::ER_TOO_LONG_TABLE_PARTITION_COMMENT, &args));
                }
            }
        }
        Ok(())
    }

    /// What partitioned tables may not have.
    fn check_table(&self, def: &TableDef) -> SqlResult<()> {
        match self.engine.info().name {
            "MyISAM" => {}
            "MRG_MyISAM" => return Err(SqlError::new(codes::ER_PARTITION_MERGE_ERROR, &[])),
            other => return Err(SqlError::not_supported(format!("partitions of {other} tables"))),
        }
        if def.columns.iter().any(|c| matches!(c.ty, ColumnType::Geometry { .. })) {
            return Err(SqlError::new(codes::ER_CHECK_NOT_IMPLEMENTED, &[&"GEOMETRY"]));
        }
        match def.keys.iter().any(|k| k.kind == KeyKind::Fulltext) {
            true => Err(SqlError::not_supported("FULLTEXT keys of partitioned tables")),
            false => Ok(()),
        }
    }

    /// HASH or KEY; gives the text of the function, and what is said of its type.
    fn hash(
        &mut self,
        def: &TableDef,
        by: &mut HashMethod,
        what: Function,
        used: &mut Vec<usize>,
    ) -> SqlResult<(String, SqlResult<()>)> {
        match &mut by.of {
            Hashed::Expr(e) => self.function(def, e, what, used),
            Hashed::Key { columns, .. } => {
                if columns.len() > MOST_COLUMNS {
                    return Err(SqlError::new(
                        codes::ER_TOO_MANY_PARTITION_FUNC_FIELDS_ERROR,
                        &[&"list of partition fields"],
                    ));
                }
                let again =
                    columns.iter().enumerate().find(|(n, c)| columns[..*n].iter().any(|o| same_name(o, c)));
                if let (Some((_, name)), Function::Hash) = (again, what) {
                    return Err(SqlError::new(codes::ER_SAME_NAME_PARTITION_FIELD, &[name]));
                }
                let of = key_columns(def, columns)?;
                for n in &of {
                    check_key_column(&def.columns[*n])?;
                }
                used.extend(of);
                Ok((String::new(), Ok(())))
            }
        }
    }

    /// A partitioning function; gives its text, and what is said of its type.
    fn function(
        &mut self,
        def: &TableDef,
        e: &mut ast::Expr,
        what: Function,
        used: &mut Vec<usize>,
    ) -> SqlResult<(String, SqlResult<()>)> {
        let (word, clause) = what.words();
        check::function(e)?;
        let mut columns = Vec::new();
        settle_names(e, def, (self.db, self.table), clause, &mut columns)?;
        for n in &columns {
            if matches!(def.columns[*n].ty, ColumnType::Blob { .. }) {
                return Err(SqlError::new(codes::ER_BLOB_FIELD_IN_PART_FUNC_ERROR, &[]));
            }
        }
        let bound = crate::table::rules::try_bind(e, clause, def, (self.db, self.table), self.ctx)?;
        if columns.is_empty() {
            return Err(SqlError::new(codes::ER_WRONG_EXPR_IN_PARTITION_FUNC_ERROR, &[]));
        }
        check::time_zones(e, def)?;
        let between = what == Function::Ordered && bound.ty.kind == Kind::Decimal;
        let wrong = !between && !bound.ty.class().is_integer() || bound.ty.is_temporal();
        let of_type = match e.kind {
            _ if !wrong => Ok(()),
            ExprKind::Column(_) => Err(SqlError::new(
                codes::ER_FIELD_TYPE_NOT_ALLOWED_AS_PARTITION_FIELD,
                &[&def.columns[columns[0]].name],
            )),
            _ => Err(SqlError::new(codes::ER_PARTITION_FUNC_NOT_ALLOWED_ERROR, &[&word])),
        };
        used.extend(columns);
        Ok((self.print(e), of_type))
    }

    /// The columns of RANGE COLUMNS and LIST COLUMNS.
    fn column_list(&self, def: &TableDef, names: &[Name]) -> SqlResult<Vec<usize>> {
        if names.len() > MOST_COLUMNS {
            return Err(SqlError::new(
                codes::ER_TOO_MANY_PARTITION_FUNC_FIELDS_ERROR,
                &[&"list of partition fields"],
            ));
        }
        let of = columns_named(def, names)?;
        for (i, n) in of.iter().enumerate() {
            if of[..i].contains(n) {
                return Err(SqlError::new(codes::ER_SAME_NAME_PARTITION_FIELD, &[&names[i]]));
            }
        }
        for n in &of {
            let column = &def.columns[*n];
            let allowed = match column.ty {
                ColumnType::Tiny
                | ColumnType::Short
                | ColumnType::Int24
                | ColumnType::Long
                | ColumnType::LongLong
                | ColumnType::Date
                | ColumnType::Time { .. }
                | ColumnType::DateTime { .. }
                | ColumnType::Char { .. }
                | ColumnType::Varchar { .. } => true,
                ColumnType::Blob { .. } => {
                    return Err(SqlError::new(codes::ER_BLOB_FIELD_IN_PART_FUNC_ERROR, &[]));
                }
                _ => false,
            };
            if !allowed {
                return Err(SqlError::new(
                    codes::ER_FIELD_TYPE_NOT_ALLOWED_AS_PARTITION_FIELD,
                    &[&column.name],
                ));
            }
        }
        check_length(def, &of)?;
        Ok(of)
    }

    /// The values of all partitions, as texts; they are constants from now on.
    pub(super) fn values(&mut self, def: &TableDef, by: &PartitionBy) -> SqlResult<text::ValueTexts> {
        match &by.method {
            PartitionMethod::Hash(_) => Ok(Vec::new()),
            PartitionMethod::Range(e) | PartitionMethod::List(e) => {
                let clause = "PARTITION BY";
                let ty = crate::table::rules::try_bind(e, clause, def, (self.db, self.table), self.ctx)?.ty;
                let range = matches!(by.method, PartitionMethod::Range(_));
                self.integers(&by.partitions, range, ty.unsigned)
            }
            PartitionMethod::RangeColumns(names) | PartitionMethod::ListColumns(names) => {
                let of = columns_named(def, names)?;
                let range = matches!(by.method, PartitionMethod::RangeColumns(_));
                self.column_values(def, &by.partitions, range, &of)
            }
        }
    }

    /// The value of a constant.
    pub(super) fn constant(&mut self, e: &ast::Expr) -> SqlResult<(Value, FieldType)> {
        check::constant(e)?;
        let none = TableDef::new("MyISAM", self.collation);
        let bound = crate::table::rules::try_bind_here(e, "PARTITION BY", &none, self.ctx)?;
        Ok((bound.value(self.ctx)?, bound.ty))
    }

    /// Values of RANGE and LIST.
    fn integers(
        &mut self,
        partitions: &[PartitionElement],
        range: bool,
        unsigned: bool,
    ) -> SqlResult<text::ValueTexts> {
        let mut texts = Vec::with_capacity(partitions.len());
        let mut last: Option<Number> = None;
        let mut seen: Vec<Option<Number>> = Vec::new();
        for partition in partitions {
            let bounds: Vec<&PartitionBound> = match &partition.values {
                PartitionValues::LessThan(list) => list.iter().collect(),
                PartitionValues::In(list) => list.iter().flat_map(|t| &t.values).collect(),
                _ => Vec::new(),
            };
            let mut own = Vec::with_capacity(bounds.len());
            for bound in bounds {
                let PartitionBound::Value(e) = bound else { continue };
                let (value, ty) = self.constant(e)?;
                if value != Value::Null && !ty.class().is_integer() || ty.is_temporal() {
                    return Err(SqlError::new(codes::ER_VALUES_IS_NOT_INT_TYPE_ERROR, &[&partition.name]));
                }
                let n = integer(&value);
                if unsigned && n.is_some_and(|n| n < 0) {
                    return Err(SqlError::new(codes::ER_PARTITION_CONST_DOMAIN_ERROR, &[]));
                }
                if range {
                    let Some(n) = n else {
                        return Err(SqlError::new(codes::ER_NULL_IN_VALUES_LESS_THAN, &[]));
                    };
                    if last.is_some_and(|last| n <= last) {
                        return Err(SqlError::new(codes::ER_RANGE_NOT_INCREASING_ERROR, &[]));
                    }
                    last = Some(n);
                } else if seen.contains(&n) {
                    return Err(SqlError::new(codes::ER_MULTIPLE_DEF_CONST_IN_LIST_PART_ERROR, &[]));
                } else {
                    seen.push(n);
                }
                own.push(n);
            }
            // NULL goes first
            own.sort_by_key(Option::is_some);
            let shown: Vec<String> =
                own.iter().map(|n| n.map_or_else(|| "NULL".to_owned(), |n| n.to_string())).collect();
            texts.push(if range { format!("({})", shown.join(",")) } else { shown.join(",") });
        }
        Ok(texts)
    }

    /// Values of RANGE COLUMNS and LIST COLUMNS.
    fn column_values(
        &mut self,
        def: &TableDef,
        partitions: &[PartitionElement],
        range: bool,
        of: &[usize],
    ) -> SqlResult<text::ValueTexts> {
        let (db, table): (std::sync::Arc<str>, std::sync::Arc<str>) = (self.db.into(), self.table.into());
        let columns: Vec<Column> = of.iter().map(|n| Column::new(&def.columns[*n], &db, &table)).collect();
        let mut texts = Vec::with_capacity(partitions.len());
        let mut all: Vec<Vec<Option<Value>>> = Vec::new();
        for partition in partitions {
            let tuples: Vec<&[PartitionBound]> = match &partition.values {
                PartitionValues::LessThan(list) => vec![list],
                PartitionValues::In(list) => list.iter().map(|t| &t.values[..]).collect(),
                _ => Vec::new(),
            };
            let mut shown = Vec::with_capacity(tuples.len());
            for tuple in tuples {
                if tuple.len() != of.len() {
                    return Err(SqlError::new(codes::ER_PARTITION_COLUMN_LIST_ERROR, &[]));
                }
                let (mut values, mut parts) = (Vec::new(), Vec::new());
                for (bound, (column, n)) in tuple.iter().zip(columns.iter().zip(of)) {
                    let (value, text) = self.column_value(bound, column, &def.columns[*n], range)?;
                    values.push(value);
                    parts.push(text);
                }
                all.push(values);
                let list = parts.join(",");
                shown.push(if range || of.len() > 1 { format!("({list})") } else { list });
            }
            texts.push(shown.join(","));
        }
        check_order(&columns, &all, range)?;
        Ok(texts)
    }

    /// A value of a column, `None` for MAXVALUE, and its text.
    fn column_value(
        &mut self,
        bound: &PartitionBound,
        column: &Column,
        def: &ColumnDef,
        range: bool,
    ) -> SqlResult<(Option<Value>, String)> {
        let wrong = || SqlError::new(codes::ER_WRONG_TYPE_COLUMN_VALUE_ERROR, &[]);
        let PartitionBound::Value(e) = bound else { return Ok((None, "MAXVALUE".to_owned())) };
        let (value, ty) = self.constant(e)?;
        if value == Value::Null {
            return match range {
                true => Err(SqlError::new(codes::ER_NULL_IN_VALUES_LESS_THAN, &[])),
                false => Ok((Some(Value::Null), "NULL".to_owned())),
            };
        }
        let number = column.ty.class().is_integer() && !column.ty.is_temporal();
        let fits = match number {
            true => ty.class().is_integer() && !ty.is_temporal(),
            false => ty.is_string() || ty.is_temporal() && column.ty.is_temporal(),
        };
        if !fits {
            return Err(wrong());
        }
        let set = match column.ty.is_temporal() {
            true => charset::Charset::by_name("latin1").unwrap_or(def.collation.charset),
            false => def.collation.charset,
        };
        let mut converted = Vec::new();
        if let Value::Bytes(given) = &value {
            match ty.collation.charset.name {
                "binary" => converted.extend_from_slice(given),
                _ if ty.collation.charset.convert(given, set, &mut converted) > 0 => {
                    return Err(SqlError::new(codes::ER_PARTITION_FUNCTION_IS_NOT_ALLOWED, &[]));
                }
                _ => {}
            }
        }
        let mut bytes = Vec::new();
        let mark = self.ctx.warnings.mark();
        // texts may be longer than the column
        let mode = if column.ty.is_string() { StoreMode::Lenient } else { StoreMode::Strict };
        let stored = store::store(value.as_ref(), &ty, column, mode, &mut bytes, self.ctx);
        self.ctx.warnings.rollback_to(mark);
        if !matches!(stored, Ok(Stored::Value)) {
            return Err(wrong());
        }
        let kept = load::value(Some(&bytes), &column.ty, self.ctx);
        let text = match (&kept, &value) {
            (Value::Int(n), _) => n.to_string(),
            (Value::UInt(n), _) => n.to_string(),
            (_, Value::Bytes(_)) => hexadecimal(set.name, &converted),
            (kept, _) => {
                let mut out = Vec::new();
                crate::types::convert::write_text(kept.as_ref(), &column.ty, &mut out);
                hexadecimal("latin1", &out)
            }
        };
        Ok((Some(kept), text))
    }
}

/// Values of RANGE COLUMNS ascend, those of LIST COLUMNS differ.
fn check_order(columns: &[Column], all: &[Vec<Option<Value>>], range: bool) -> SqlResult<()> {
    let compared = |a: &Vec<Option<Value>>, b: &Vec<Option<Value>>| {
        // behind MAXVALUE nothing counts
        let pairs = columns.iter().zip(a.iter().zip(b));
        let each = pairs.take_while(|(_, (a, b))| a.is_some() || b.is_some());
        let mut orders = each.map(|(c, (a, b))| match (a, b) {
            (Some(a), Some(b)) => order(c, a, b),
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
        orders.find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    };
    if range && all.windows(2).any(|w| compared(&w[0], &w[1]).is_ge()) {
        return Err(SqlError::new(codes::ER_RANGE_NOT_INCREASING_ERROR, &[]));
    }
    let again = |n: usize| all[..n].iter().any(|other| compared(other, &all[n]).is_eq());
    match !range && (0..all.len()).any(again) {
        true => Err(SqlError::new(codes::ER_MULTIPLE_DEF_CONST_IN_LIST_PART_ERROR, &[])),
        false => Ok(()),
    }
}

/// A text as definitions have it.
fn hexadecimal(set: &str, bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "''".to_owned();
    }
    let digits: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    format!("_{set} 0x{digits}")
}

/// Columns of KEY: anything but long texts.
fn check_key_column(column: &ColumnDef) -> SqlResult<()> {
    match column.ty {
        ColumnType::Blob { .. } | ColumnType::Geometry { .. } => {
            Err(SqlError::new(codes::ER_BLOB_FIELD_IN_PART_FUNC_ERROR, &[]))
        }
        ColumnType::Bit { .. } | ColumnType::Inet6 | ColumnType::Inet4 | ColumnType::Uuid => {
            Err(SqlError::not_supported("PARTITION BY KEY over columns of this type"))
        }
        _ => Ok(()),
    }
}

/// Values of the columns are no longer than a key may be.
fn check_length(def: &TableDef, columns: &[usize]) -> SqlResult<()> {
    let length = |n: &usize| match def.columns[*n].ty {
        ColumnType::Varchar { bytes } => usize::from(bytes) + 2,
        ColumnType::Char { bytes } => usize::from(bytes),
        _ => 8,
    };
    match columns.iter().map(length).sum::<usize>() > MAX_LENGTH {
        true => Err(SqlError::new(codes::ER_PARTITION_FIELDS_TOO_LONG, &[])),
        false => Ok(()),
    }
}

/// Every unique key has all columns of the partitioning function.
fn check_unique_keys(def: &TableDef, used: &[usize]) -> SqlResult<()> {
    let primary = def.primary_key();
    for (n, key) in def.keys.iter().enumerate().filter(|(_, k)| k.is_unique()) {
        let has = |column: &usize| key.parts.iter().any(|p| p.column == *column && p.prefix.is_none());
        if !used.iter().all(has) {
            let what = if primary == Some(n) || key.kind == KeyKind::Primary {
                "PRIMARY KEY"
            } else {
                "UNIQUE INDEX"
            };
            return Err(SqlError::new(codes::ER_UNIQUE_KEY_NEED_ALL_FIELDS_IN_PF, &[&what]));
        }
    }
    Ok(())
}

/// Takes the table's name from before those of columns, and finds out which they are.
fn settle_names(
    e: &mut ast::Expr,
    def: &TableDef,
    (db, table): (&str, &str),
    clause: &'static str,
    used: &mut Vec<usize>,
) -> SqlResult<()> {
    if let ExprKind::Column(c) = &mut e.kind {
        let unknown = || SqlError::new(codes::ER_BAD_FIELD_ERROR, &[&c.full_name(), &clause]);
        let own = c.table.as_deref().is_none_or(|t| t == table) && c.db.as_deref().is_none_or(|d| d == db);
        let place = def.columns.iter().position(|d| same_name(&d.name, &c.name)).filter(|_| own);
        let n = place.ok_or_else(unknown)?;
        (c.db, c.table) = (None, None);
        if !used.contains(&n) {
            used.push(n);
        }
    }
    let mut result = Ok(());
    e.kind.for_children_mut(&mut |child| {
        if result.is_ok() {
            result = settle_names(child, def, (db, table), clause, used);
        }
    });
    result
}
