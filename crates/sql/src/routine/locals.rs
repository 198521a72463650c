//! The types of a routine's variables, and how values become theirs: as they are stored into a column of the type.

use std::sync::Arc;

use charset::Collation;

use crate::ast::DataType;
use crate::ast::program::{Program, Slot, VariableType};
use crate::ddl::types::{TypeContext, resolve};
use crate::error::{self, SqlError, SqlResult};
use crate::session::Session;
use crate::session::tables::Access;
use crate::types::store::{self, Column, StoreMode, Stored};
use crate::types::{FieldType, Value, load};
use crate::variables::SqlMode;
use crate::warning::Warnings;
use schema::definition::ColumnDef;

/// The columns that variables are stored as; none for those that take any value.
pub(crate) type Locals = Vec<Option<Arc<Column>>>;

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

fn nameless(def: &ColumnDef) -> Arc<Column> {
    let none: Arc<str> = Arc::from("");
    let mut column = Column::new(def, &none, &none);
    column.not_null = false;
    column.ty = column.ty.with_nullable(true);
    Arc::new(column)
}

/// The types of a program's variables. Fields of records have none before their cursor is opened.
///
/// # Errors
/// Those of the types; 1146 and 1054 for TYPE OF.
pub(crate) fn resolve_all(
    session: &mut Session,
    program: &Program,
    collation: &'static Collation,
) -> SqlResult<Locals> {
    let mut locals = Vec::with_capacity(program.variables.len());
    for v in &program.variables {
        locals.push(match &v.ty {
            VariableType::Declared(ty) => Some(column_of(session, &v.name, ty, collation)?),
            VariableType::Like(table, column) => {
                let open = session.base(table, &table.name, Access::Read)?;
                let def = open.def().columns.iter().find(|c| crate::names::same_name(&c.name, column));
                let Some(def) = def else {
                    return Err(SqlError::new(error::ER_BAD_FIELD_ERROR, &[column, &table.name]));
                };
                let mut def = def.clone();
                def.name = v.name.to_string();
                Some(nameless(&def))
            }
            VariableType::Any | VariableType::CursorField(..) | VariableType::Row { .. } => None,
        });
    }
    Ok(locals)
}

/// The types that expressions see.
pub(crate) fn types_of(locals: &Locals) -> Vec<FieldType> {
    locals.iter().map(|c| c.as_ref().map_or_else(FieldType::null, |c| c.ty.clone())).collect()
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
    if matches!((&value, &column.stored), (Value::Null, _)) {
        session.ctx.calls.rows = 0;
        return Ok(Value::Null);
    }
    let strict = session.vars.settings.sql_mode.strict();
    let shown = match std::mem::take(&mut session.ctx.calls.rows) {
        0 => crate::types::context::NO_ROW,
        n => n,
    };
    let ctx = &mut session.ctx.conversion;
    let row = std::mem::replace(&mut ctx.row, shown);
    let mut bytes = Vec::new();
    let stored = store::store(value.as_ref(), from, column, StoreMode::of(strict), &mut bytes, ctx);
    ctx.row = row;
    Ok(match stored? {
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
        if self.ctx.calls.running.last().is_some_and(|r| r.trigger) {
            self.ctx.calls.assigned.push(slot);
        }
        let column = self.statement.locals.as_ref().and_then(|l| l.get(at).cloned()).flatten();
        let value = match &column {
            Some(column) => converted(self, column, value, from)?,
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
}
