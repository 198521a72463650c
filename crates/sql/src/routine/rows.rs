//! ROW variables: where their fields lie, and how rows are assigned.
//!
//! A field is a variable of its own: in the slot that the program has for it when it is named anywhere, else in one behind those
//! of the program. Fields of ROW and ROW TYPE OF a table are known when a routine begins, those of a cursor when they are declared.

use std::sync::Arc;

use charset::Collation;
use schema::definition::ColumnDef;

use super::frame::{Kept, OpenCursor};
use super::locals::{Locals, column_of, columns_of, nameless, need_columns, type_of};
use super::run::with_kept_plan;
use crate::ast::program::{Place, Program, RecordType, Slot, VariableType};
use crate::ast::{self, Expr, ExprKind};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::expr::Node;
use crate::expr::rows::{RowVariable, RowVariables};
use crate::names::same_name;
use crate::session::Session;
use crate::session::scope::{has_subquery, query_of};
use crate::types::store::Column;
use crate::types::{FieldType, Value};

/// The fields of a row with their types.
pub(super) type Fields = Vec<(Value, FieldType)>;

/// 1241 where a row of so many columns is wanted.
pub(super) fn operand_columns(count: usize) -> SqlError {
    SqlError::new(error::ER_OPERAND_COLUMNS, &[&count])
}

/// 4079 for a parameter of a prepared statement where a row is wanted.
pub(super) fn no_row_of_using() -> SqlError {
    let code = codes::ER_ILLEGAL_PARAMETER_DATA_TYPE_FOR_OPERATION;
    SqlError::new(code, &[&"row", &"EXECUTE ... USING ?"])
}

/// 4078 where a row is assigned to something that is none.
pub(super) fn no_cast(column: &Column) -> SqlError {
    let message =
        format!("Cannot cast 'row' as '{}' in assignment of `{}`", column.ty.sql_name(), column.name);
    SqlError::with_message(codes::ER_ILLEGAL_PARAMETER_DATA_TYPES2_FOR_OPERATION, message)
}

/// Lays out the ROW variables whose fields do not depend on a cursor.
///
/// # Errors
/// Those of the types; 1146.
pub(super) fn add_known(
    session: &mut Session,
    program: &Program,
    collation: &'static Collation,
    locals: &mut Locals,
) -> SqlResult<()> {
    for (slot, v) in program.variables.iter().enumerate() {
        let VariableType::Record(record) = &v.ty else { continue };
        let columns = match record {
            RecordType::Fields(list) => {
                let column =
                    |(name, ty): &(ast::Name, ast::DataType)| column_of(session, name, ty, collation);
                list.iter().map(column).collect::<SqlResult<Vec<_>>>()?
            }
            RecordType::Table(table) => {
                let columns = columns_of(session, table)?;
                need_columns(session, table, &columns)?;
                columns.iter().map(nameless).collect()
            }
            RecordType::Cursor(_) => continue,
        };
        lay_out(program, locals, slot as Slot, columns);
    }
    Ok(())
}

/// Gives the fields of a ROW variable their slots.
fn lay_out(program: &Program, locals: &mut Locals, slot: Slot, columns: Vec<Arc<Column>>) {
    let mut rows = RowVariables::clone(&locals.rows);
    let named = |name: &str| {
        let is = |v: &ast::program::Variable| matches!(&v.ty, VariableType::Field(r, n) if *r == slot && same_name(n, name));
        program.variables.iter().position(is)
    };
    // slots behind those of the program that the variable had before
    let known = |s: &u32| *s as usize >= program.variables.len();
    let before = rows.list.iter().position(|r| r.slot == slot).map(|at| rows.list.remove(at));
    let mut free: Vec<u32> =
        before.into_iter().flat_map(|r| r.fields).map(|(_, s)| s).filter(known).rev().collect();
    let mut fields = Vec::with_capacity(columns.len());
    for column in columns {
        let at =
            named(&column.name).or_else(|| free.pop().map(|s| s as usize)).unwrap_or(locals.columns.len());
        let all = Arc::make_mut(&mut locals.columns);
        if at == all.len() {
            all.push(None);
        }
        fields.push((Box::from(&*column.name), at as u32));
        all[at] = Some(column);
    }
    let row = program.variables.get(slot as usize).map(|v| v.name.clone()).unwrap_or_default();
    rows.missing.retain(|(s, ..)| !matches!(program.variables.get(*s as usize).map(|v| &v.ty), Some(VariableType::Field(r, _)) if *r == slot));
    for (at, v) in program.variables.iter().enumerate() {
        if let VariableType::Field(r, name) = &v.ty
            && *r == slot
            && !fields.iter().any(|(_, s)| *s as usize == at)
        {
            let e = SqlError::new(codes::ER_ROW_VARIABLE_DOES_NOT_HAVE_FIELD, &[&row, name]);
            rows.missing.push((at as u32, e));
        }
    }
    rows.list.push(RowVariable { slot, fields });
    locals.rows = Arc::new(rows);
}

/// A ROW variable gets the columns that a cursor finds.
///
/// # Errors
/// Those of the cursor's query; 1060.
pub(super) fn shape(
    session: &mut Session,
    program: &Arc<Program>,
    (slot, cursor): (Slot, u32),
    at: Place,
) -> SqlResult<()> {
    let Some(c) = program.cursors.get(cursor as usize) else { return Err(SqlError::internal("no cursor")) };
    let plan = |session: &mut Session| session.plan(&c.query, &program.text);
    let columns: Vec<ColumnDef> =
        with_kept_plan(session, program, at, plan, |_, plan| crate::plan::definition::cursor_columns(plan))?;
    let columns: Vec<Arc<Column>> = columns.iter().map(nameless).collect();
    let Some(locals) = session.statement.locals.as_mut() else {
        return Err(SqlError::internal("a ROW variable outside of routines"));
    };
    let known = locals.rows.row(slot).map(|r| of_columns(locals, r));
    let asked: Vec<(&str, &FieldType)> = columns.iter().map(|c| (&*c.name, &c.ty)).collect();
    if known.as_ref().is_some_and(|k| *k == asked) {
        return Ok(());
    }
    let own = Arc::make_mut(locals);
    lay_out(program, own, slot, columns);
    let own = Arc::clone(locals);
    let null = FieldType::null();
    for (_, field) in own.rows.row(slot).iter().flat_map(|r| &r.fields) {
        let at = *field as usize;
        let types = &mut session.statement.param_types;
        if at >= types.len() {
            types.resize(at + 1, null.clone());
            session.ctx.statement.params.resize(at + 1, Value::Null);
        }
        types[at] = own.columns.get(at).and_then(Option::as_ref).map_or_else(|| null.clone(), |c| type_of(c));
    }
    session.ctx.statement.columns = Some(Arc::clone(&own.columns));
    session.ctx.statement.rows = Some(Arc::clone(&own.rows));
    forget_others(session, program, &own);
    Ok(())
}

fn of_columns<'a>(locals: &'a Locals, row: &'a RowVariable) -> Vec<(&'a str, &'a FieldType)> {
    let ty = |s: u32| locals.columns.get(s as usize).and_then(Option::as_ref).map(|c| &c.ty);
    row.fields.iter().filter_map(|(n, s)| Some((&**n, ty(*s)?))).collect()
}

/// What was bound for other variables is forgotten.
pub(super) fn forget_others(session: &mut Session, program: &Arc<Program>, locals: &Arc<Locals>) {
    let types = |l: &Locals| -> Vec<Option<FieldType>> {
        l.columns.iter().map(|c| c.as_ref().map(|c| c.ty.clone())).collect()
    };
    let same = match &session.routines.of(program).bound {
        // the fields of a cursor that is declared later are not known yet
        Some(before) => {
            let known = |r: &RowVariable| before.rows.row(r.slot) == Some(r);
            let (old, new) = (types(before), types(locals));
            let fits = |(i, ty): (usize, &Option<FieldType>)| ty.is_none() || old.get(i) == Some(ty);
            locals.rows.list.iter().all(known) && new.iter().enumerate().all(fits)
        }
        None => false,
    };
    if !same {
        session.routines.forget(program);
        session.routines.of(program).bound = Some(Arc::clone(locals));
    }
}

impl Session {
    /// The ROW variable in a slot.
    pub(crate) fn row_variable(&self, slot: Slot) -> Option<RowVariable> {
        self.ctx.statement.rows.as_ref()?.row(slot).cloned()
    }

    /// What a variable is stored as.
    pub(super) fn column_of_local(&self, slot: Slot) -> Option<Arc<Column>> {
        self.ctx.statement.columns.as_ref()?.get(slot as usize)?.clone()
    }

    /// Whether an expression is a row as it is written.
    pub(crate) fn is_row(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Row(list) => list.len() > 1,
            ExprKind::Local(slot, _) => {
                self.ctx.statement.rows.as_ref().is_some_and(|r| r.row(*slot).is_some())
            }
            _ => false,
        }
    }

    /// Whether a variable may get a value that is no row.
    ///
    /// # Errors
    /// 1241, 4082.
    pub(crate) fn may_assign(&self, slot: Slot) -> SqlResult<()> {
        let Some(rows) = &self.ctx.statement.rows else { return Ok(()) };
        rows.check(slot)?;
        match rows.row(slot) {
            Some(row) => Err(operand_columns(row.fields.len())),
            None => Ok(()),
        }
    }

    /// Gives the fields of a ROW variable values.
    ///
    /// # Errors
    /// 1241; those of values that do not fit.
    pub(crate) fn assign_row(&mut self, row: &RowVariable, values: Fields) -> SqlResult<()> {
        if values.len() != row.fields.len() {
            return Err(operand_columns(row.fields.len()));
        }
        for ((_, slot), (value, ty)) in row.fields.iter().zip(values) {
            self.assign_local(*slot, value, &ty)?;
        }
        Ok(())
    }

    /// The fields of a row that is written or asked for; none of what is no row.
    ///
    /// # Errors
    /// Those of binding and evaluating.
    pub(crate) fn row_of(&mut self, e: &Expr) -> SqlResult<Option<Fields>> {
        if has_subquery(e) {
            let query = row_query(e);
            let plan = self.plan(&query, b"")?;
            return row_of_plan(self, &plan).map(Some);
        }
        let bound = self.bound_row(e)?.0;
        match bound.node {
            Node::Row(list) => fields_of(self, &list).map(Some),
            _ => Ok(None),
        }
    }

    /// 4078 when a row is to be assigned to a variable that is none.
    ///
    /// # Errors
    /// 4078.
    pub(super) fn refuse_row(&self, slot: Slot, e: &Expr) -> SqlResult<()> {
        if !self.is_row(e) {
            return Ok(());
        }
        match self.column_of_local(slot) {
            Some(column) => Err(no_cast(&column)),
            None => Ok(()),
        }
    }
}

fn fields_of(session: &mut Session, list: &[crate::expr::Expr]) -> SqlResult<Fields> {
    let mut values = Vec::with_capacity(list.len());
    for e in list {
        if let Some(inner) = e.as_row() {
            return Err(operand_columns(inner.len()));
        }
        values.push((e.value(&mut session.ctx)?, e.ty.clone()));
    }
    Ok(values)
}

/// The query whose columns are the fields of a row with subqueries in it.
fn row_query(e: &Expr) -> ast::Query {
    match &e.kind {
        ExprKind::Subquery(q) => (**q).clone(),
        ExprKind::Row(list) => {
            let item =
                |e: &Expr| ast::SelectItem::Expr { expr: e.clone(), alias: None, text: ast::Span::default() };
            let select = ast::Select { items: list.iter().map(item).collect(), ..ast::Select::default() };
            ast::Query { first: ast::QueryTerm::Select(Box::new(select)), ..ast::Query::default() }
        }
        _ => query_of(e),
    }
}

fn row_of_plan(session: &mut Session, plan: &Arc<crate::plan::QueryPlan>) -> SqlResult<Fields> {
    let rows = session.with_snapshot(&plan.tables, |s, exec| exec.collect(plan, &mut s.ctx, 2))?;
    if rows.len() > 1 {
        return Err(SqlError::new(error::ER_SUBQUERY_NO_1_ROW, &[]));
    }
    let value = |(i, ty): (usize, &FieldType)| {
        if rows.is_empty() { (Value::Null, FieldType::null()) } else { (rows.value(0, i), ty.clone()) }
    };
    Ok(plan.types.iter().enumerate().map(value).collect())
}

/// SET of a ROW variable.
///
/// # Errors
/// 1241; those of the expression.
pub(super) fn set(
    session: &mut Session,
    program: &Arc<Program>,
    row: &RowVariable,
    e: &Expr,
    at: Place,
) -> SqlResult<()> {
    let null = matches!(e.kind, ExprKind::Default(None) | ExprKind::Literal(ast::Literal::Null));
    if null {
        clear(session, row);
        return Ok(());
    }
    let count = row.fields.len();
    let values = if has_subquery(e) {
        let query = row_query(e);
        let plan = |session: &mut Session| session.plan(&query, &program.text);
        with_kept_plan(session, program, at, plan, row_of_plan)?
    } else {
        let settings = session.plan_settings();
        let (bound, keep) = match session.routines.take(program, at) {
            Kept::Expr(s, bound) if s == settings => (bound, true),
            _ => session.bound_row(e).map(|(bound, keep)| (Arc::new(bound), keep))?,
        };
        let values = match &bound.node {
            Node::Row(list) => fields_of(session, list),
            _ => Err(operand_columns(count)),
        };
        if keep {
            session.routines.put(program, at, Kept::Expr(settings, bound));
        }
        values?
    };
    session.assign_row(row, values)
}

/// All fields become NULL.
pub(super) fn clear(session: &mut Session, row: &RowVariable) {
    for (_, slot) in &row.fields {
        if let Some(place) = session.ctx.statement.params.get_mut(*slot as usize) {
            *place = Value::Null;
        }
    }
}

/// FETCH into a ROW variable; false at the end.
///
/// # Errors
/// 1328; those of the assignments.
pub(super) fn fetch(session: &mut Session, open: &mut OpenCursor, row: &RowVariable) -> SqlResult<bool> {
    if open.types.len() != row.fields.len() {
        return Err(SqlError::new(codes::ER_SP_WRONG_NO_OF_FETCH_ARGS, &[]));
    }
    open.found = false;
    let Some((batch, at)) = open.rows.next_row()? else { return Ok(false) };
    open.found = true;
    for ((_, slot), (c, ty)) in row.fields.iter().zip(batch.columns.iter().zip(&open.types)) {
        session.ctx.calls.rows = 1;
        session.assign_local(*slot, c.value(at), ty)?;
    }
    session.ctx.calls.rows = 0;
    Ok(true)
}
