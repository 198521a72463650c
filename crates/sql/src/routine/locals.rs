//! The types of a routine's variables, and how values become theirs: as they are stored into a column of the type.

use std::sync::Arc;

use charset::Collation;

use crate::ast::program::{Program, Slot, VariableType};
use crate::ast::{self, DataType, TableName};
use crate::error::{self, SqlError, SqlResult};
use crate::expr::rows::RowVariables;
use crate::rights::privilege::SELECT;
use crate::session::Session;
use crate::session::scope::has_subquery;
use crate::session::tables::{Access, TableSource, opens_no_table};
use crate::types::declared::{TypeContext, resolve};
use crate::types::store::{self, Column, StoreMode, Stored};
use crate::types::{FieldType, Kind, Value, load};
use crate::variables::SqlMode;
use crate::warning::Warnings;
use schema::definition::ColumnDef;

/// The variables of a routine: their slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locals {
    /// The columns that they are stored as; none for those that take any value.
    pub columns: Arc<Vec<Option<Arc<Column>>>>,
    /// The ROW variables.
    pub rows: Arc<RowVariables>,
}

/// The definition of a column of a declared type.
///
/// # Errors
/// Those of the type.
pub(crate) fn definition_of(
    (mode, literals): (SqlMode, &'static Collation),
    name: &str,
    ty: &DataType,
    collation: &'static Collation,
    warnings: &mut Warnings,
) -> SqlResult<ColumnDef> {
    let mut cx = TypeContext { mode, collation, literals, warnings };
    let r = resolve(name, ty, &mut cx)?;
    let mut column = ColumnDef::new(name, r.ty, r.collation);
    column.width = r.width;
    column.unsigned = r.unsigned;
    column.zerofill = r.zerofill;
    column.nullable = true;
    Ok(column)
}

/// What the types of declarations depend on: `sql_mode` and the collation of literals.
pub(crate) fn settings_of(session: &Session) -> (SqlMode, &'static Collation) {
    (session.vars.settings.sql_mode, session.vars.settings.connection)
}

/// A column that a declared type is stored as.
pub(crate) fn column_of(
    session: &Session,
    name: &str,
    ty: &DataType,
    collation: &'static Collation,
) -> SqlResult<Arc<Column>> {
    let def = definition_of(settings_of(session), name, ty, collation, &mut Warnings::new(0))?;
    Ok(nameless(&def))
}

pub(super) fn nameless(def: &ColumnDef) -> Arc<Column> {
    let none: Arc<str> = Arc::from("");
    let mut column = Column::new(def, &none, &none);
    column.not_null = false;
    column.ty = column.ty.with_nullable(true);
    let text = column.ty.is_string() && !column.ty.is_address();
    if text && !matches!(column.ty.kind, Kind::Enum | Kind::Set) {
        // as a number it has the digits that it is written with
        column.ty.decimals = crate::result::NOT_FIXED_DEC;
    }
    Arc::new(column)
}

/// The types of a program's variables. Fields of ROW TYPE OF a cursor have none before they are declared.
///
/// # Errors
/// Those of the types; 1146 and 1054 for TYPE OF.
pub(crate) fn resolve_all(
    session: &mut Session,
    program: &Program,
    collation: &'static Collation,
) -> SqlResult<Locals> {
    let mut columns = Vec::with_capacity(program.variables.len());
    for v in &program.variables {
        columns.push(match &v.ty {
            VariableType::Declared(ty) => Some(column_of(session, &v.name, ty, collation)?),
            VariableType::Like(table, column) => {
                let all = columns_of(session, table)?;
                let def = all.into_iter().find(|c| crate::names::same_name(&c.name, column));
                let Some(def) = def else {
                    return Err(SqlError::new(error::ER_BAD_FIELD_ERROR, &[column, &table.name]));
                };
                need_columns(session, table, std::slice::from_ref(&def))?;
                Some(nameless(&def))
            }
            VariableType::Any
            | VariableType::Record(_)
            | VariableType::Field(..)
            | VariableType::Row { .. } => None,
        });
    }
    let mut locals = Locals { columns: Arc::new(columns), ..Locals::default() };
    super::rows::add_known(session, program, collation, &mut locals)?;
    Ok(locals)
}

/// The columns of a table or view.
///
/// # Errors
/// 1146; 1356.
pub(super) fn columns_of(session: &mut Session, table: &TableName) -> SqlResult<Vec<ColumnDef>> {
    if let Some(view) = session.view_of(table)? {
        return session.view_columns(&view);
    }
    match session.split(b"").0.source(table, &table.name, Access::Read)? {
        TableSource::Base(t) => Ok(t.def().columns.clone()),
        TableSource::View(v) => session.view_columns(&v),
        TableSource::Virtual(_) => {
            let plan = session.plan(&crate::session::facts::all_of(table.clone()), b"")?;
            crate::plan::definition::view_columns(&plan)
        }
    }
}

/// Columns whose types are taken over must be readable.
///
/// # Errors
/// 1143.
pub(super) fn need_columns(session: &mut Session, table: &TableName, columns: &[ColumnDef]) -> SqlResult<()> {
    let (db, name) = session.table_path(table)?;
    if &*db == crate::names::INFORMATION_SCHEMA {
        return Ok(());
    }
    columns.iter().try_for_each(|c| session.rights.need_column(&db, &name, &c.name, SELECT))
}

/// The type that expressions see: integers are as wide as the widest value.
pub(super) fn type_of(column: &Column) -> FieldType {
    let mut ty = column.ty.clone();
    if !ty.zerofill {
        ty.length = ty.length.max(ty.widest_integer());
    }
    ty
}

/// The types that expressions see.
pub(crate) fn types_of(locals: &Locals) -> Vec<FieldType> {
    locals.columns.iter().map(|c| c.as_ref().map_or_else(FieldType::null, |c| type_of(c))).collect()
}

/// A value as a column of the type holds it.
///
/// # Errors
/// In strict mode, those of values that do not fit.
pub(crate) fn converted(
    session: &mut Session,
    column: &Column,
    value: Value,
    from: &FieldType,
) -> SqlResult<Value> {
    let strict = session.vars.settings.sql_mode.strict();
    converted_as(session, column, &value, from, strict)
}

/// As [`converted`], in strict mode or not.
fn converted_as(
    session: &mut Session,
    column: &Column,
    value: &Value,
    from: &FieldType,
    strict: bool,
) -> SqlResult<Value> {
    if strict && (column.ty.is_special() || from.is_special()) {
        column.takes(from)?;
    }
    if value.is_null() {
        session.ctx.calls.rows = 0;
        return Ok(Value::Null);
    }
    let shown = match std::mem::take(&mut session.ctx.calls.rows) {
        0 => crate::types::context::NO_ROW,
        n => n,
    };
    let ctx = &mut session.ctx.conversion;
    let row = std::mem::replace(&mut ctx.row, shown);
    let mut bytes = Vec::new();
    let failed = ctx.warnings.has_failed();
    let mut stored = store::store(value.as_ref(), from, column, StoreMode::of(strict), &mut bytes, ctx);
    ctx.row = row;
    if strict
        && !failed
        && let Some(e) = ctx.warnings.take_failed()
    {
        stored = Err(e);
    }
    Ok(match stored? {
        // spaces that fill up a CHAR are no part of its value, as in a table
        Stored::Value if column.ty.kind == Kind::Char && !column.ty.collation.charset.is_binary() => {
            Value::Bytes(column.ty.collation.charset.trim_spaces(&bytes).to_vec())
        }
        Stored::Value => load::value(Some(&bytes), &column.ty, ctx),
        Stored::Null | Stored::Kept => Value::Null,
    })
}

impl Session {
    /// Gives a variable of the running routine a value.
    ///
    /// # Errors
    /// Those of values that do not fit.
    pub(crate) fn assign_local(&mut self, slot: Slot, value: Value, from: &FieldType) -> SqlResult<()> {
        let at = slot as usize;
        self.may_assign(slot)?;
        self.note_assigned(slot);
        let column = self.column_of_local(slot);
        let value = match &column {
            Some(column) => {
                let strict = self.vars.settings.sql_mode.strict();
                match converted_as(self, column, &value, from, strict) {
                    Ok(value) => value,
                    Err(e) => {
                        self.forget_local(at, column, (&value, from), &e);
                        return Err(e);
                    }
                }
            }
            None => {
                if let Some(ty) = self.statement.param_types.get_mut(at) {
                    *ty = from.clone().with_nullable(true);
                }
                value
            }
        };
        match self.ctx.statement.params.get_mut(at) {
            Some(place) => *place = value,
            None => return Err(SqlError::internal("a variable without a slot")),
        }
        Ok(())
    }

    /// A trigger has a value for a slot: a column of NEW that has one needs no default.
    pub(super) fn note_assigned(&mut self, slot: Slot) {
        if self.ctx.calls.running.last().is_some_and(|r| r.trigger) {
            self.ctx.calls.assigned.push(slot);
        }
    }

    /// Whether a slot has a column of NEW or OLD.
    fn is_of_trigger(&self, slot: Slot) -> bool {
        self.ctx.statement.rows.as_ref().is_some_and(|rows| rows.of_trigger.contains(&slot))
    }

    /// What a handler goes on with when the value of a variable cannot be computed: NULL; what a column of NEW gets of
    /// numbers out of range is 0, unless a query computed them; it stays what it is where that could not even be bound, or a
    /// query not open its tables.
    pub(crate) fn fail_local(
        &mut self,
        slot: Slot,
        (e, computing): (&ast::Expr, bool),
        why: &SqlError,
    ) -> SqlResult<()> {
        let at = slot as usize;
        self.may_assign(slot)?;
        if !computing && (self.is_of_trigger(slot) || has_subquery(e) && opens_no_table(why)) {
            return Ok(());
        }
        self.note_assigned(slot);
        match self
            .column_of_local(slot)
            .filter(|_| why.code == error::ER_DATA_OUT_OF_RANGE && !has_subquery(e))
        {
            Some(column) => {
                self.forget_local(at, &column, (&Value::Int(0), &FieldType::bigint(false)), why);
            }
            None => {
                if let Some(place) = self.ctx.statement.params.get_mut(at) {
                    *place = Value::Null;
                }
            }
        }
        Ok(())
    }

    /// What a handler goes on with when a variable did not take a value: NULL; a column of NEW has what fits of the value.
    fn forget_local(
        &mut self,
        at: usize,
        column: &Column,
        (value, from): (&Value, &FieldType),
        why: &SqlError,
    ) {
        let mut left = Value::Null;
        if self.is_of_trigger(at as Slot) {
            let is = self.ctx.statement.params.get(at);
            if column.ty.kind == Kind::Decimal
                && why.code == error::ER_TRUNCATED_WRONG_VALUE_FOR_FIELD
                && is.is_some_and(|is| !is.is_null())
            {
                // a text without a number leaves a DECIMAL as it was; NULL becomes 0
                return;
            }
            let mark = self.ctx.mark();
            left = converted_as(self, column, value, from, false).unwrap_or_default();
            self.ctx.rollback_to(&mark);
        }
        if let Some(place) = self.ctx.statement.params.get_mut(at) {
            *place = left;
        }
    }
}
