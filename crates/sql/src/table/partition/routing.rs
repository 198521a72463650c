//! Which partition a row belongs to.

use std::cmp::Ordering;
use std::sync::Arc;

use isam::key::long_hash::PartitionHash;
use schema::definition::TableDef;

use crate::ast::{
    HashMethod, Hashed, Name, PartitionBound, PartitionBy, PartitionElement, PartitionMethod, PartitionValues,
};
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::{EvalContext, Expr, Frame};
use crate::table::OpenTable;
use crate::table::RowBuf;
use crate::table::rules::Compiler;
use crate::types::decimal::Rounding;
use crate::types::store::{self, Column, StoreMode, Stored};
use crate::types::{Batch, Value, Vector, load};

/// Text of the value in error 1526 when there are several columns.
const COLUMN_LIST: &str = "from column_list";

/// How rows of a table find their partitions.
pub(crate) struct Routing {
    pub(crate) columns: Vec<Column>,
    /// Columns that expressions read, by number.
    reads: Vec<bool>,
    pub(crate) method: Method,
    /// How subpartitions are found, and how many there are in each partition.
    pub(crate) sub: Option<(Hash, usize)>,
}

/// An integer that a partitioning function gives: signed and unsigned ones in one order.
pub(crate) type Number = i128;

pub(crate) enum Method {
    Hash(Hash, usize),
    /// The bound of each partition; `None` is MAXVALUE.
    Range(Expr, Vec<Option<Number>>),
    List(Expr, Values<Option<Number>>),
    RangeColumns(Vec<usize>, Vec<Vec<Bound>>),
    ListColumns(Vec<usize>, Values<Vec<Value>>),
}

/// Values of LIST, each with its partition, and the DEFAULT partition.
pub(crate) struct Values<V> {
    pub of: Vec<(V, usize)>,
    pub default: Option<usize>,
}

/// A bound of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Bound {
    Value(Value),
    Max,
}

/// HASH and KEY.
pub(crate) struct Hash {
    linear: bool,
    pub of: HashOf,
}

pub(crate) enum HashOf {
    Expr(Expr),
    Key(PartitionHash),
}

impl Hash {
    fn compile(by: &HashMethod, def: &TableDef, c: &mut Compiler<'_>) -> SqlResult<Hash> {
        let of = match &by.of {
            Hashed::Expr(e) => HashOf::Expr(c.tree(e, "partition function")?),
            Hashed::Key { algorithm, columns } => {
                let mut columns = key_columns(def, columns)?;
                // they are hashed in the order of the table
                columns.sort_unstable();
                HashOf::Key(PartitionHash::new(def, &columns, *algorithm == Some(1)))
            }
        };
        Ok(Hash { linear: by.linear, of })
    }

    /// The number among `count` for a row, whose columns are in the batch.
    pub fn of(&self, count: usize, row: &RowBuf, batch: &Batch, ctx: &mut EvalContext) -> SqlResult<usize> {
        let value = match &self.of {
            HashOf::Expr(e) => {
                // NULL is the least number
                let n = number(e, batch, ctx)?.unwrap_or(Number::from(i64::MIN));
                n as u64
            }
            HashOf::Key(hash) => hash.of(&row.as_view()),
        };
        Ok(self.place(value, count))
    }

    /// The number among `count` for what was computed.
    pub fn place(&self, value: u64, count: usize) -> usize {
        let signed = matches!(self.of, HashOf::Expr(_));
        let count = count as u64;
        if self.linear {
            let mask = count.next_power_of_two() - 1;
            let n = value & mask;
            return if n < count { n } else { n & (mask >> 1) } as usize;
        }
        let n = match signed {
            true => (value.cast_signed() % count.cast_signed()).unsigned_abs(),
            false => value % count,
        };
        n as usize
    }
}

/// The columns of KEY: those that are named, or those of the primary key, or else of the first unique key without NULL.
///
/// # Errors
/// 1488.
pub(crate) fn key_columns(def: &TableDef, names: &[Name]) -> SqlResult<Vec<usize>> {
    if !names.is_empty() {
        return columns_named(def, names);
    }
    let not_null = |k: &&schema::definition::KeyDef| {
        k.is_unique() && k.parts.iter().all(|p| !def.columns[p.column].nullable)
    };
    let primary = def.primary_key().map(|n| &def.keys[n]);
    match primary.or_else(|| def.keys.iter().find(not_null)) {
        Some(key) => Ok(key.parts.iter().map(|p| p.column).collect()),
        None => Err(SqlError::new(codes::ER_FIELD_NOT_FOUND_PART_ERROR, &[])),
    }
}

/// Columns by name.
///
/// # Errors
/// 1488.
pub(crate) fn columns_named(def: &TableDef, names: &[Name]) -> SqlResult<Vec<usize>> {
    let place = |name: &Name| def.columns.iter().position(|c| crate::names::same_name(&c.name, name));
    let found: Option<Vec<usize>> = names.iter().map(place).collect();
    found.ok_or_else(|| SqlError::new(codes::ER_FIELD_NOT_FOUND_PART_ERROR, &[]))
}

/// The value of a partitioning function; none for NULL.
fn number(e: &Expr, batch: &Batch, ctx: &mut EvalContext) -> SqlResult<Option<Number>> {
    let value = e.value_in(Frame::new(batch), ctx)?;
    Ok(integer_below(&value))
}

/// The integer that what a partitioning function gave stands for: the one below a value between two.
pub(crate) fn integer_below(value: &Value) -> Option<Number> {
    match value {
        Value::Decimal(d) => Some(d.round(0, Rounding::Floor).0.trunc_i128()),
        value => integer(value),
    }
}

/// An integer as numbers are compared.
pub(crate) fn integer(value: &Value) -> Option<Number> {
    match value {
        Value::Int(n) => Some(Number::from(*n)),
        Value::UInt(n) => Some(Number::from(*n)),
        Value::Decimal(d) => Some(d.to_i128()),
        _ => None,
    }
}

/// Error 1526 as those who may not read the table are told of it.
pub(crate) fn without_value(e: SqlError) -> SqlError {
    match e.code {
        codes::ER_NO_PARTITION_FOR_GIVEN_VALUE => {
            SqlError::with_message(e.code, "Table has no partition for some existing values")
        }
        _ => e,
    }
}

impl Routing {
    /// Compiles the partitioning of a definition; tells also whether it holds for other statements.
    ///
    /// # Errors
    /// Those of parsing and binding.
    pub fn compile(
        def: &TableDef,
        by: &PartitionBy,
        (db, name): (&Arc<str>, &Arc<str>),
        ctx: &mut EvalContext,
    ) -> SqlResult<(Routing, bool)> {
        let columns: Vec<Column> = def.columns.iter().map(|c| Column::new(c, db, name)).collect();
        crate::table::rules::compile_with(def, (db, name), &columns, ctx, |c| {
            let method = Method::compile(by, def, &columns, c)?;
            let sub = match &by.sub {
                Some(sub) => {
                    Some((Hash::compile(&sub.method, def, c)?, sub.count.unwrap_or(1).max(1) as usize))
                }
                None => None,
            };
            let sub = sub.map(|(hash, count)| {
                let named = by.partitions.first().map_or(0, |p| p.subpartitions.len());
                (hash, if named > 0 { named } else { count })
            });
            Ok((method, sub))
        })
        .map(|((method, sub), lasting)| {
            let mut reads = vec![false; columns.len()];
            let mut note = |e: &Expr| e.columns(&mut |c| reads[c.column as usize] = true);
            match &method {
                Method::Hash(Hash { of: HashOf::Expr(e), .. }, _)
                | Method::Range(e, _)
                | Method::List(e, _) => note(e),
                _ => {}
            }
            if let Some((Hash { of: HashOf::Expr(e), .. }, _)) = &sub {
                note(e);
            }
            (Routing { columns: columns.clone(), reads, method, sub }, lasting)
        })
    }

    pub(crate) fn load(&self, row: &RowBuf, batch: &mut Batch, ctx: &EvalContext) {
        if batch.columns.len() != self.columns.len() {
            batch.columns = self.columns.iter().map(|c| Vector::new(c.ty.class())).collect();
            batch.len = 1;
        }
        let view = row.as_view();
        for (i, c) in self.columns.iter().enumerate().filter(|(i, _)| self.reads[*i]) {
            let v = &mut batch.columns[i];
            v.reset(c.ty.class());
            load::push(view.column(i), &c.ty, v, ctx);
        }
    }

    fn value(&self, row: &RowBuf, column: usize, ctx: &EvalContext) -> Value {
        load::value(row.as_view().column(column), &self.columns[column].ty, ctx)
    }

    /// The order of two values of a column; NULL is least.
    pub(crate) fn compare(&self, column: usize, a: &Value, b: &Value) -> Ordering {
        order(&self.columns[column], a, b)
    }

    /// The number of the files that a row belongs to.
    ///
    /// # Errors
    /// 1526 when no partition takes it.
    pub fn part(&self, row: &RowBuf, batch: &mut Batch, ctx: &mut EvalContext) -> SqlResult<usize> {
        self.load(row, batch, ctx);
        let none =
            |value: &dyn std::fmt::Display| SqlError::new(codes::ER_NO_PARTITION_FOR_GIVEN_VALUE, &[value]);
        let shown = |n: Option<Number>| n.map_or_else(|| "NULL".to_owned(), |n| n.to_string());
        let part = match &self.method {
            Method::Hash(hash, count) => hash.of(*count, row, batch, ctx)?,
            Method::Range(e, bounds) => {
                let n = number(e, batch, ctx)?;
                let at = bounds.partition_point(|b| b.is_some_and(|b| n.is_some_and(|n| n >= b)));
                if at == bounds.len() {
                    return Err(none(&shown(n)));
                }
                at
            }
            Method::List(e, values) => {
                let n = number(e, batch, ctx)?;
                let found = values.of.binary_search_by(|(v, _)| v.cmp(&n)).map(|at| values.of[at].1);
                found.ok().or(values.default).ok_or_else(|| none(&shown(n)))?
            }
            Method::RangeColumns(columns, bounds) => {
                let row: Vec<Value> = columns.iter().map(|c| self.value(row, *c, ctx)).collect();
                let at = bounds.partition_point(|b| !self.is_below(columns, &row, b));
                if at == bounds.len() {
                    return Err(none(&COLUMN_LIST));
                }
                at
            }
            Method::ListColumns(columns, values) => {
                let row: Vec<Value> = columns.iter().map(|c| self.value(row, *c, ctx)).collect();
                let equal = |v: &Vec<Value>| {
                    columns.iter().zip(v).zip(&row).all(|((c, a), b)| self.compare(*c, a, b).is_eq())
                };
                let found = values.of.iter().find(|(v, _)| equal(v)).map(|(_, part)| *part);
                found.or(values.default).ok_or_else(|| none(&COLUMN_LIST))?
            }
        };
        Ok(match &self.sub {
            Some((hash, count)) => part * count + hash.of(*count, row, batch, ctx)?,
            None => part,
        })
    }

    /// Whether a row is below the bound of a partition.
    fn is_below(&self, columns: &[usize], row: &[Value], bound: &[Bound]) -> bool {
        for ((column, value), bound) in columns.iter().zip(row).zip(bound) {
            let Bound::Value(bound) = bound else { return true };
            match self.compare(*column, value, bound) {
                Ordering::Less => return true,
                Ordering::Greater => return false,
                Ordering::Equal => {}
            }
        }
        false
    }
}

/// The order of two values of a column; NULL is least.
pub(crate) fn order(column: &Column, a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Null, _) => Ordering::Less,
        (_, Value::Null) => Ordering::Greater,
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::UInt(a), Value::UInt(b)) => a.cmp(b),
        (Value::Bytes(a), Value::Bytes(b)) => column.ty.collation.compare(a, b),
        (Value::Date(a) | Value::DateTime(a), Value::Date(b) | Value::DateTime(b)) => a.cmp(b),
        (Value::Time(a), Value::Time(b)) => a.packed().cmp(&b.packed()),
        _ => Ordering::Equal,
    }
}

impl Method {
    fn compile(
        by: &PartitionBy,
        def: &TableDef,
        columns: &[Column],
        c: &mut Compiler<'_>,
    ) -> SqlResult<Method> {
        Ok(match &by.method {
            PartitionMethod::Hash(hash) => {
                let named = by.partitions.len() as u64;
                let count = if named > 0 { named } else { by.count.unwrap_or(1).max(1) };
                Method::Hash(Hash::compile(hash, def, c)?, count as usize)
            }
            PartitionMethod::Range(e) => {
                let e = c.tree(e, "partition function")?;
                let bound = |p: &PartitionElement, c: &mut Compiler<'_>| match &p.values {
                    PartitionValues::LessThan(v) => match v.first() {
                        Some(PartitionBound::Value(v)) => Ok(integer(&c.constant(v)?.0)),
                        _ => Ok(None),
                    },
                    _ => Ok(None),
                };
                let bounds = by.partitions.iter().map(|p| bound(p, c)).collect::<SqlResult<_>>()?;
                Method::Range(e, bounds)
            }
            PartitionMethod::List(e) => {
                let e = c.tree(e, "partition function")?;
                let mut values = Values { of: Vec::new(), default: None };
                for (n, partition) in by.partitions.iter().enumerate() {
                    match &partition.values {
                        PartitionValues::In(list) => {
                            for bound in list.iter().flat_map(|t| &t.values) {
                                let PartitionBound::Value(v) = bound else { continue };
                                values.of.push((integer(&c.constant(v)?.0), n));
                            }
                        }
                        _ => values.default = Some(n),
                    }
                }
                values.of.sort_unstable();
                Method::List(e, values)
            }
            PartitionMethod::RangeColumns(names) => {
                let of = columns_named(def, names)?;
                let mut bounds = Vec::with_capacity(by.partitions.len());
                for partition in &by.partitions {
                    let list = match &partition.values {
                        PartitionValues::LessThan(list) => &list[..],
                        _ => &[],
                    };
                    bounds.push(bounds_of(list, &of, columns, c)?);
                }
                Method::RangeColumns(of, bounds)
            }
            PartitionMethod::ListColumns(names) => {
                let of = columns_named(def, names)?;
                let mut values = Values { of: Vec::new(), default: None };
                for (n, partition) in by.partitions.iter().enumerate() {
                    let PartitionValues::In(list) = &partition.values else {
                        values.default = Some(n);
                        continue;
                    };
                    for tuple in list {
                        let bounds = bounds_of(&tuple.values, &of, columns, c)?;
                        let row = bounds.into_iter().map(|b| match b {
                            Bound::Value(v) => v,
                            Bound::Max => Value::Null,
                        });
                        values.of.push((row.collect(), n));
                    }
                }
                Method::ListColumns(of, values)
            }
        })
    }
}

/// The values of a list as those of columns.
pub(crate) fn bounds_of(
    list: &[PartitionBound],
    of: &[usize],
    columns: &[Column],
    c: &mut Compiler<'_>,
) -> SqlResult<Vec<Bound>> {
    let one = |(bound, column): (&PartitionBound, &usize)| {
        let PartitionBound::Value(v) = bound else { return Ok(Bound::Max) };
        let (value, ty) = c.constant(v)?;
        let to = &columns[*column];
        let mut bytes = Vec::new();
        let stored = store::store(value.as_ref(), &ty, to, StoreMode::Lenient, &mut bytes, c.ctx)?;
        let stored = (stored == Stored::Value).then_some(&bytes[..]);
        Ok(Bound::Value(load::value(stored, &to.ty, c.ctx)))
    };
    list.iter().zip(of).map(one).collect()
}

impl OpenTable {
    /// How the rows of a partitioned table find their partitions; nothing for every other one.
    ///
    /// # Errors
    /// Those of compiling it.
    pub(crate) fn routing(&self, ctx: &mut EvalContext) -> SqlResult<Option<Arc<Routing>>> {
        let Some(partition) = &self.def().partition else { return Ok(None) };
        if let Some(routing) = self.routing.get() {
            return Ok(Some(Arc::clone(routing)));
        }
        let by = super::clause_of(partition)?;
        let (routing, lasting) = Routing::compile(self.def(), &by, (&self.db, &self.name), ctx)?;
        let routing = Arc::new(routing);
        if lasting {
            let _ = self.routing.set(Arc::clone(&routing));
        }
        Ok(Some(routing))
    }
}
