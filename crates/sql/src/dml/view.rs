//! Rows that are written through views.

use std::sync::Arc;

use super::target::Target;
use super::update::scope_query;
use crate::ast::{ColumnRef, TableName};
use crate::catalog::view::StoredView;
use crate::error::{self, SqlError, SqlResult, codes};
use crate::exec::Exec;
use crate::exec::subquery::Runner;
use crate::expr::{EvalContext, Expr, Frame};
use crate::plan::changed_view::{ChangedView, ViewCheck};
use crate::plan::{self, Change};
use crate::rights::privilege::{DELETE, INSERT, UPDATE};
use crate::session::Session;
use crate::session::select::Planning;
use crate::session::tables::Access;
use crate::table::OpenTable;

/// What rows are inserted into.
pub(crate) struct InsertTarget {
    /// The table.
    pub table: Arc<OpenTable>,
    /// The view that the statement names.
    pub view: Option<InsertView>,
}

impl InsertTarget {
    /// Leaves the partitions that PARTITION (...) names, where it stands.
    ///
    /// # Errors
    /// 1747, 1735.
    pub fn choose_partitions(&mut self, names: &[crate::ast::Name]) -> SqlResult<()> {
        // it means nothing for a view
        if names.is_empty() || self.view.is_some() {
            return Ok(());
        }
        self.table = self.table.of_partitions(names)?;
        Ok(())
    }
}

/// A view that rows are inserted through.
pub(crate) struct InsertView {
    pub view: Arc<StoredView>,
    /// Its columns and those of the table that they are; none for columns of other tables.
    pub columns: Vec<(String, Option<usize>)>,
    pub check: Option<Arc<ViewCheck>>,
    /// Where it has several tables: which of them.
    pub joined: Option<Joined>,
}

/// The table of a view of several ones that rows are inserted into.
#[derive(Clone, Copy)]
pub(crate) struct Joined {
    /// Its number among the tables of the view.
    pub number: usize,
    /// How many tables there are.
    pub tables: usize,
    /// How many columns it has.
    pub width: usize,
    /// How many columns they all have.
    pub total: usize,
}

impl Joined {
    /// Makes slots of columns of all tables those of the one that is changed, of the row that was to be inserted, and
    /// of what a query gives.
    ///
    /// # Errors
    /// 1393 for other tables' columns.
    pub fn narrow(&self, view: &StoredView, e: &mut Expr) -> SqlResult<()> {
        let mut others = false;
        e.columns_mut(&mut |c| {
            let table = c.table as usize;
            if table == self.number {
                c.slot = c.column;
            } else if table == self.tables + self.number {
                c.slot = self.width as u32 + c.column;
            } else if table == 2 * self.tables {
                c.slot -= 2 * (self.total - self.width) as u32;
            } else {
                others = true;
            }
        });
        if others {
            return Err(SqlError::new(codes::ER_VIEW_MULTIUPDATE, &[&view.db, &view.name]));
        }
        Ok(())
    }
}

impl InsertView {
    /// The place of a column of this name among the table's.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().find(|(n, _)| crate::names::same_name(n, name)).and_then(|c| c.1)
    }
}

/// Why rows cannot be written to what a statement names.
pub(crate) struct Refused {
    pub error: SqlError,
    pub told: Told,
}

/// When an error of the target is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// At once.
    First,
    /// Behind those of tables that the statement reads and that are not there.
    Opened,
    /// Behind all of the values.
    Bound,
}

impl From<SqlError> for Refused {
    fn from(error: SqlError) -> Refused {
        Refused { error, told: Told::First }
    }
}

/// 1471.
fn not_insertable(name: &str, told: Told) -> Refused {
    Refused { error: SqlError::new(error::ER_NON_INSERTABLE_TABLE, &[&name, &"INSERT"]), told }
}

/// The table that a name of INSERT stands for; `named` are the columns that the statement names.
///
/// # Errors
/// 1146, 1471, 1393 and 1394 for views of several tables, 1356.
pub(crate) fn insert_target(
    session: &mut Session,
    name: &TableName,
    named: Option<&[&ColumnRef]>,
    bits: u64,
) -> Result<InsertTarget, Refused> {
    let Some((view, change)) = written_view(session, name)? else {
        return Ok(InsertTarget { table: session.base(name, &name.name, Access::Write)?, view: None });
    };
    let Some(changed) = change.views.first().filter(|v| v.view.def.updatable) else {
        return Err(not_insertable(&name.name, Told::Opened));
    };
    if changed.tables.len() > 1 && named.is_none() {
        let error = SqlError::new(codes::ER_VIEW_NO_INSERT_FIELD_LIST, &[&view.db, &view.name]);
        return Err(Refused { error, told: Told::Opened });
    }
    let told = if named.is_some() { Told::Bound } else { Told::Opened };
    let wanted: Vec<usize> = match named {
        None => (0..changed.columns.len()).collect(),
        Some(list) => {
            let place = |c: &&ColumnRef| {
                changed.columns.iter().position(|(n, _)| crate::names::same_name(n, &c.name))
            };
            list.iter().filter_map(place).collect()
        }
    };
    // what columns are computed from counts, too; constants alone are of no table
    let used = wanted.iter().fold(0, |all, n| all | changed.uses[*n]);
    if changed.tables.len() > 1 && !used.is_power_of_two() && !wanted.is_empty() {
        let error = SqlError::new(codes::ER_VIEW_MULTIUPDATE, &[&view.db, &view.name]);
        return Err(Refused { error, told });
    }
    let wanted: Vec<_> = wanted.into_iter().map(|n| changed.columns[n].1).collect();
    let tables: Vec<usize> = wanted.iter().flatten().map(|place| place.0).collect();
    // only the columns that get values must be columns of a table, each once
    for (n, place) in wanted.iter().enumerate() {
        let base = place.filter(|(t, _)| change.tables[*t].1.is_some());
        if base.is_none() || wanted[..n].contains(place) {
            return Err(not_insertable(&name.name, told));
        }
    }
    let Some(number) = tables.first().or(changed.tables.first()).copied() else {
        return Err(not_insertable(&name.name, told));
    };
    through(session, &change, number, bits)?.ok_or_else(|| not_insertable(&name.name, told))
}

/// The table that a name of LOAD DATA stands for; `named` are the columns that it names, none for all.
///
/// # Errors
/// 1146, 1288, 1221 for views of several tables, 1348, 1356.
pub(crate) fn load_target(
    session: &mut Session,
    name: &TableName,
    named: &[&ColumnRef],
    bits: u64,
) -> SqlResult<InsertTarget> {
    let Some((_, change)) = written_view(session, name)? else {
        return Ok(InsertTarget { table: session.base(name, &name.name, Access::Write)?, view: None });
    };
    let not_updatable = || SqlError::new(error::ER_NON_UPDATABLE_TABLE, &[&name.name, &"LOAD"]);
    let changed = change.views.first().filter(|v| v.view.def.updatable).ok_or_else(not_updatable)?;
    if changed.tables.len() > 1 {
        return Err(SqlError::new(error::ER_WRONG_USAGE, &[&"Multi-table VIEW", &"LOAD"]));
    }
    let is_named = |n: &str| named.is_empty() || named.iter().any(|c| crate::names::same_name(&c.name, n));
    for (n, place) in changed.columns.iter().filter(|(n, _)| is_named(n)) {
        if place.is_none_or(|(t, _)| change.tables[t].1.is_none()) {
            return Err(SqlError::new(codes::ER_NONUPDATEABLE_COLUMN, &[n]));
        }
    }
    let number = changed.tables.first().copied().ok_or_else(not_updatable)?;
    through(session, &change, number, bits)?.ok_or_else(not_updatable)
}

/// The view that rows are written to, with the tables below; none for a table.
fn written_view(session: &mut Session, name: &TableName) -> SqlResult<Option<(Arc<StoredView>, Change)>> {
    let Some(view) = session.view_of(name)? else { return Ok(None) };
    session.split(b"").0.check_locked(&view.db, &view.name, &name.name, Access::Read)?;
    let change = bind(session, name)?;
    Ok(Some((view, change)))
}

/// A table below the first view of a statement, as what rows are written to; none where no row of it can be.
fn through(session: &Session, change: &Change, number: usize, bits: u64) -> SqlResult<Option<InsertTarget>> {
    let (Some(changed), Some(table)) = (change.views.first(), change.tables[number].1.clone()) else {
        return Ok(None);
    };
    may_change(session, change, number, bits)?;
    let columns = changed.columns.iter();
    let columns = columns.map(|(n, p)| (n.clone(), p.filter(|p| p.0 == number).map(|p| p.1))).collect();
    let check = changed.check(number, &change.rows)?.map(Arc::new);
    let joined = (changed.tables.len() > 1).then(|| Joined {
        number,
        tables: change.types.len(),
        width: change.types[number].len(),
        total: change.types.iter().map(Vec::len).sum(),
    });
    let view = Arc::clone(&changed.view);
    Ok(Some(InsertTarget { table, view: Some(InsertView { view, columns, check, joined }) }))
}

fn bind(session: &mut Session, name: &TableName) -> SqlResult<Change> {
    let reader = session.take_reader();
    let (view, ctx) = session.split(b"");
    let mut env = Planning::new(view, &reader, Access::Given);
    let change = plan::plan_change(&scope_query(name), &plan::Asked::default(), &mut env, ctx);
    session.give_reader(reader);
    change
}

/// Whether rows of a table below a view may be changed by who counts there.
///
/// # Errors
/// 1356; 1099 under LOCK TABLES; 1036.
pub(crate) fn may_change(session: &Session, change: &Change, number: usize, bits: u64) -> SqlResult<()> {
    let (Some(through), Some(open)) = (&change.through[number], &change.tables[number].1) else {
        return Ok(());
    };
    let rights = through.rights.as_deref().unwrap_or(&session.rights);
    let top = change.views.iter().find(|v| v.tables.contains(&number));
    if rights.need_table(&open.db, &open.name, bits).is_err() {
        return Err(top.map_or(&through.view, |v| &v.view).invalid());
    }
    let locks = &session.locks;
    let held = |write: bool| {
        locks.tables.iter().any(|l| l.db == open.db && l.name == open.name && (l.write || !write))
    };
    if locks.active && held(false) && !held(true) {
        return Err(SqlError::new(error::ER_TABLE_NOT_LOCKED_FOR_WRITE, &[&open.name]));
    }
    open.check_writable()
}

/// The privileges that the rows written need, by the kinds of changes.
pub(crate) fn bits(replaces: bool, updates: bool) -> u64 {
    INSERT | if replaces { DELETE } else { 0 } | if updates { UPDATE } else { 0 }
}

/// What the columns assigned to say of views: each view changes one table, and is one that rows may be changed through.
///
/// # Errors
/// 1288, 1393, 1099, 1143.
pub(crate) fn check_assigned(session: &mut Session, change: &Change, set: &[bool]) -> SqlResult<()> {
    for (number, v) in change.views.iter().enumerate() {
        let changed = v.tables.iter().filter(|t| set.get(**t) == Some(&true)).count();
        if changed == 0 {
            continue;
        }
        refuse_fixed(session, v, "UPDATE")?;
        if changed > 1 {
            return Err(SqlError::new(codes::ER_VIEW_MULTIUPDATE, &[&v.view.db, &v.view.name]));
        }
        for (of, column) in change.named.iter().flatten() {
            if *of == number {
                session.rights.need_column(&v.view.db, &v.view.name, column, UPDATE)?;
            }
        }
    }
    Ok(())
}

/// Whether rows may be changed through a view at all.
///
/// # Errors
/// 1288; 1099 under LOCK TABLES.
pub(crate) fn refuse_fixed(session: &mut Session, v: &ChangedView, what: &str) -> SqlResult<()> {
    if v.tables.is_empty() {
        return Err(SqlError::new(error::ER_NON_UPDATABLE_TABLE, &[&v.alias, &what]));
    }
    session.split(b"").0.check_locked(&v.view.db, &v.view.name, &v.alias, Access::Read)
}

/// Whether the row in `new` is one of the view that it is written through, as CHECK OPTION asks. Its subqueries read what `exec` sees.
///
/// # Errors
/// 1369 where it is not, a warning with `ignore`.
pub(crate) fn is_of_view(
    check: &ViewCheck,
    target: &Target,
    ignore: bool,
    exec: Option<&Exec<'_>>,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    let mut batch = Target::batch(&target.schema, 1);
    Target::load(&target.schema, &target.new, 0, &mut batch, ctx);
    let value = match exec.zip(check.subqueries.as_deref()) {
        None => check.condition.value_in(Frame::new(&batch), ctx)?,
        Some((exec, holder)) => {
            let runner = Runner::new(exec, holder);
            check.condition.value_in(Frame { batch: &batch, subqueries: Some(&runner) }, ctx)?
        }
    };
    if crate::plan::access::is_true(&value, &check.condition.ty, ctx) {
        return Ok(true);
    }
    let e = ChangedView::failed(&check.view);
    if ignore {
        ctx.warnings.push_error(crate::warning::Level::Warning, &e);
        return Ok(false);
    }
    Err(e)
}

/// Runs `work`, which writes rows, with a snapshot of `tables` where what the views ask of the rows reads some.
///
/// # Errors
/// Those of `work`.
pub(crate) fn with_checked<T>(
    session: &mut Session,
    tables: &[Arc<OpenTable>],
    work: impl FnOnce(&mut Session, Option<&Exec<'_>>) -> SqlResult<T>,
) -> SqlResult<T> {
    match tables {
        [] => work(session, None),
        _ => session.with_snapshot(tables, |session, exec| work(session, Some(exec))),
    }
}
