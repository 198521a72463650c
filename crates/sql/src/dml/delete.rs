//! DELETE.

use std::sync::Arc;

use super::each_batch;
use super::returning::{self, Returned, RowImage};
use super::target::Target;
use super::update::{by_a_key, row_query, tables_of};
use crate::ast::{
    self, ColumnRef, Delete, DeleteTarget, Expr, ExprKind, Query, QueryTerm, Select, SelectItem, TableFactor,
    TableName, TableRef, TriggerEvent,
};
use crate::error::{SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::plan::change::{DeletePlan, WriteSchema};
use crate::plan::{self, QueryPlan};
use crate::result::{Done, ResultSink};
use crate::rights::privilege::DELETE;
use crate::session::Session;
use crate::session::select::Planning;
use crate::session::tables::Access;
use crate::status::Counter;
use crate::table::myisam::ManyRows;

impl Session {
    /// The plan that finds the rows of a DELETE.
    ///
    /// # Errors
    /// Those of binding.
    pub(crate) fn plan_delete(&mut self, d: &Delete, text: &[u8]) -> SqlResult<Arc<QueryPlan>> {
        Ok(prepare(self, d, text)?.change.rows)
    }
}

/// Whether a table is `mysql.user`, which shows the accounts of another table.
fn shows_accounts(session: &Session, t: &TableFactor) -> bool {
    let db = t.name.db.as_deref().or(session.db.as_deref());
    let named = db == Some("mysql") && &*t.name.name == "user" && t.alias.is_none();
    named && !session.engine.catalog.table_exists("mysql", "user")
}

/// The table below `mysql.user`, which rows are deleted from.
fn accounts_below(session: &Session, t: &TableFactor) -> Box<TableFactor> {
    let mut t = t.clone();
    if shows_accounts(session, &t) {
        t.alias = Some(t.name.name.clone());
        t.name.db = Some("mysql".into());
        t.name.name = session.engine.catalog.table_of_accounts().into();
    }
    Box::new(t)
}

/// The columns of the table below `mysql.user`.
const OF_ACCOUNTS: [&str; 3] = ["Host", "User", "Priv"];

/// Whether a condition names a column that only `mysql.user` has.
fn names_shown_column(e: &Expr) -> bool {
    if let ExprKind::Column(c) = &e.kind {
        return !OF_ACCOUNTS.iter().any(|own| c.name.eq_ignore_ascii_case(own));
    }
    let mut found = false;
    e.kind.for_children(&mut |child| found |= names_shown_column(child));
    found
}

/// The condition of a DELETE FROM `mysql.user` for the table below: where it names columns that are made for `mysql.user`, the
/// accounts that this shows for it.
fn filter_below(session: &Session, d: &Delete) -> Option<Expr> {
    let filter = d.filter.as_ref()?;
    let DeleteTarget::Single(t) = &d.target else { return Some(filter.clone()) };
    if !shows_accounts(session, t) || !names_shown_column(filter) {
        return Some(filter.clone());
    }
    let column = |name: &str| {
        let column = ColumnRef { db: None, table: None, name: name.into() };
        Expr::new(ExprKind::Column(Box::new(column)), filter.span)
    };
    let item = |name| SelectItem::Expr { expr: column(name), alias: None, text: filter.span };
    let select = Select {
        items: vec![item("Host"), item("User")],
        from: vec![TableRef::Table(t.clone())],
        filter: Some(filter.clone()),
        ..Select::default()
    };
    let query = Query {
        first: QueryTerm::Select(Box::new(select)),
        height: filter.height().saturating_add(1),
        ..Query::default()
    };
    let row = Expr::new(ExprKind::Row(vec![column("Host"), column("User")]), filter.span);
    let among = ExprKind::InSubquery { expr: Box::new(row), query: Box::new(query), negated: false };
    Some(Expr::new(among, filter.span))
}

/// Binds a DELETE.
///
/// # Errors
/// Unknown names, 1109 for targets that are not in FROM.
pub(crate) fn prepare(session: &mut Session, d: &Delete, text: &[u8]) -> SqlResult<DeletePlan> {
    let readers = session.ctx.statement.bound_readers;
    let mut named = Vec::new();
    let from: Vec<TableRef> = match &d.target {
        DeleteTarget::Single(t) => vec![TableRef::Table(accounts_below(session, t))],
        DeleteTarget::Multi { targets, from } => {
            // Even where it is the alias of a table whose database is named.
            let current = match targets.iter().any(|t| t.db.is_none()) {
                true => session.current_database()?.to_string(),
                false => session.current_database().map_or_else(|_| String::new(), |db| db.to_string()),
            };
            named = named_targets(targets, from, &current)?;
            from.clone()
        }
    };
    let query = row_query(from, filter_below(session, d).as_ref(), &d.order_by, d.limit.as_deref());
    let targets = Access::Given;
    let reader = session.take_reader();
    let (view, ctx) = session.split(text);
    let mut env = Planning::new(view, &reader, targets);
    let change = plan::plan_change(
        &query,
        &plan::Asked { returning: &d.returning, ..Default::default() },
        &mut env,
        ctx,
    );
    session.give_reader(reader);
    let change = match (change, &d.target) {
        (Err(e), DeleteTarget::Single(t)) => return Err(session.read_only_or(&TableRef::Table(t.clone()), e)),
        (change, _) => change?,
    };
    if session.settings().sql_safe_updates {
        let single = matches!(d.target, DeleteTarget::Single(_));
        if single && d.filter.is_none() {
            return Err(SqlError::new(crate::error::codes::ER_UPDATE_WITHOUT_KEY_IN_SAFE_MODE, &[]));
        }
        if !(single && d.limit.is_some()) {
            by_a_key(&change)?;
        }
    }
    let numbers = target_numbers(&change, &d.target, &named)?;
    refuse_read_targets(session, &change, &numbers, d)?;
    let mut targets = Vec::new();
    for i in numbers {
        if let Some(schema) = through_view(session, &change, i)? {
            targets.push((i, schema));
            continue;
        }
        let (alias, open) = &change.tables[i];
        let Some(open) = open else {
            let name = match &d.target {
                DeleteTarget::Single(t) => t.name.name.as_ref(),
                // a view goes by its own name
                DeleteTarget::Multi { .. } => {
                    let own = named.iter().find(|n| n.alias == *alias).and_then(|n| n.table.as_ref());
                    own.map_or(&**alias, |(_, name)| name)
                }
            };
            return Err(SqlError::new(crate::error::ER_NON_UPDATABLE_TABLE, &[&name, &"DELETE"]));
        };
        session.split(text).0.check_change(open, alias, DELETE)?;
        let schema = WriteSchema::new(open, &mut session.ctx)?;
        targets.push((i, Arc::new(schema)));
    }
    let all = d.limit.is_none()
        && change.tables.len() == 1
        && change.rows.takes_all()
        && matches!(d.target, DeleteTarget::Single(_))
        && targets.iter().all(|(_, schema)| !schema.fires_at(TriggerEvent::Delete));
    let functions_read = session.ctx.statement.bound_readers > readers;
    Ok(DeletePlan { change, targets, all, functions_read })
}

/// A table of FROM, as the targets of a DELETE of several tables name it.
#[derive(Clone, PartialEq)]
struct Named {
    /// What the statement calls it.
    alias: String,
    /// Database and own name; none of what is no table.
    table: Option<(String, String)>,
    /// It has an alias, so that its database does not count.
    aliased: bool,
}

/// What a DELETE of several tables may delete from.
fn in_from(from: &[TableRef], current: &str, out: &mut Vec<Named>) {
    for r in from {
        ast::tables::each_table(r, &mut |r| match r {
            TableRef::Table(t) => {
                let db = t.name.db.as_deref().unwrap_or(current).to_string();
                let table = Some((db, t.name.name.to_string()));
                out.push(Named { alias: t.shown_name().to_string(), table, aliased: t.alias.is_some() });
            }
            TableRef::Derived(t) => {
                out.push(Named { alias: t.alias.to_string(), table: None, aliased: true });
            }
            TableRef::JsonTable(t) => {
                out.push(Named { alias: t.alias.to_string(), table: None, aliased: true });
            }
            TableRef::Join(_) | TableRef::Nested(_) => {}
        });
    }
}

/// The tables of FROM that the targets name: an alias, or a table of the database that is named or current.
///
/// # Errors
/// 1066 for a name of several tables, or that is there twice; 1109 for none.
fn named_targets(targets: &[TableName], from: &[TableRef], current: &str) -> SqlResult<Vec<Named>> {
    let mut all = Vec::new();
    in_from(from, current, &mut all);
    let mut named: Vec<Named> = Vec::new();
    for t in targets {
        let fits = |n: &&Named| {
            *n.alias == *t.name
                && match (&t.db, &n.table) {
                    (None, Some((db, _))) => n.aliased || db == current,
                    (None, None) => true,
                    // with a database it is the table's own name, no alias
                    (Some(db), Some((own, name))) => *own == **db && *name == *t.name,
                    (Some(_), None) => false,
                }
        };
        let mut found = all.iter().filter(fits);
        let Some(first) = found.next() else {
            return Err(SqlError::new(crate::error::ER_UNKNOWN_TABLE, &[&t.name, &"MULTI DELETE"]));
        };
        if found.next().is_some() || named.contains(first) {
            return Err(SqlError::new(crate::error::ER_NONUNIQ_TABLE, &[&t.name]));
        }
        named.push(first.clone());
    }
    Ok(named)
}

/// The numbers of the tables that rows are deleted from; `named` are those of a DELETE of several tables.
///
/// # Errors
/// 1109 for targets that have no rows to delete; 1288 and 1395 for views.
fn target_numbers(change: &plan::Change, target: &DeleteTarget, named: &[Named]) -> SqlResult<Vec<usize>> {
    if let DeleteTarget::Single(t) = target {
        refuse_joined(change, t.alias.as_ref().unwrap_or(&t.name.name), true)?;
        return Ok(vec![0]);
    }
    let mut numbers = Vec::new();
    for t in named {
        let at = change.tables.iter().enumerate().position(|(i, (alias, open))| {
            let view = change.views.iter().find(|v| v.tables.contains(&i)).map(|v| &v.view);
            let own = match (view, open) {
                (Some(v), _) => Some((&*v.db, &*v.name)),
                (None, Some(o)) => Some((&*o.db, &*o.name)),
                (None, None) => None,
            };
            let table = t.table.as_ref().map(|(db, name)| (&**db, &**name));
            *alias == t.alias && (own.is_none() || table.is_none() || own == table)
        });
        match at {
            Some(i) if !is_json_table(change, i) => numbers.push(i),
            _ => {
                refuse_joined(change, &t.alias, false)?;
                return Err(SqlError::new(crate::error::ER_UNKNOWN_TABLE, &[&t.alias, &"MULTI DELETE"]));
            }
        }
    }
    Ok(numbers)
}

/// The subqueries of a DELETE of several tables may not read a table that rows are deleted from, under whichever name, as in
/// MariaDB; what they make rows of first, in their FROM or by WITH, may.
///
/// # Errors
/// 1093.
fn refuse_read_targets(
    session: &Session,
    change: &plan::Change,
    numbers: &[usize],
    d: &Delete,
) -> SqlResult<()> {
    let DeleteTarget::Multi { from, .. } = &d.target else { return Ok(()) };
    let mut conditions: Vec<&Expr> = d.filter.iter().collect();
    from.iter().for_each(|r| ast::tables::each_condition(r, &mut |e| conditions.push(e)));
    for (alias, open) in numbers.iter().filter_map(|n| change.tables.get(*n)) {
        let Some(open) = open else { continue };
        let is_target = |t: &TableName| {
            let db = t.db.as_deref().or(session.db.as_deref());
            db == Some(&*open.db) && *t.name == *open.name
        };
        let mut found = false;
        for e in &conditions {
            ast::tables::subqueries_of(e, &mut |q| found |= ast::tables::reads_table(q, &is_target));
        }
        if found {
            return Err(SqlError::new(crate::error::ER_UPDATE_TABLE_USED, &[alias, &"DELETE"]));
        }
    }
    Ok(())
}

/// Whether table `n` of FROM is a JSON_TABLE, which is no target.
fn is_json_table(change: &plan::Change, n: usize) -> bool {
    let plan::Body::Block(b) = &change.rows.body else { return false };
    b.tables.get(n).is_some_and(|t| matches!(t.relation, plan::Relation::JsonTable(_)))
}

/// A view of several tables gives no rows to delete.
///
/// # Errors
/// 1395; 1288 for one that is not updatable by its file.
fn refuse_joined(change: &plan::Change, name: &str, alone: bool) -> SqlResult<()> {
    let Some(v) = change.views.iter().find(|v| v.alias == *name) else { return Ok(()) };
    if alone && !v.view.def.updatable {
        return Err(SqlError::new(crate::error::ER_NON_UPDATABLE_TABLE, &[&v.alias, &"DELETE"]));
    }
    if v.tables.len() > 1 || v.view.leaves() > 1 {
        let code = crate::error::codes::ER_VIEW_DELETE_MERGE_VIEW;
        return Err(SqlError::new(code, &[&v.view.db, &v.view.name]));
    }
    Ok(())
}

/// A table below a view, for writing; nothing for one that the statement names itself.
///
/// # Errors
/// 1395 for a view of several tables, 1288, 1356.
fn through_view(
    session: &mut Session,
    change: &plan::Change,
    i: usize,
) -> SqlResult<Option<Arc<WriteSchema>>> {
    let below = change.through.get(i).is_some_and(Option::is_some);
    let view = change.views.iter().find(|v| v.tables.contains(&i)).filter(|_| below);
    let (Some(v), Some(open)) = (view, &change.tables[i].1) else { return Ok(None) };
    if v.tables.len() > 1 {
        let code = crate::error::codes::ER_VIEW_DELETE_MERGE_VIEW;
        return Err(SqlError::new(code, &[&v.view.db, &v.view.name]));
    }
    super::view::refuse_fixed(session, v, "DELETE")?;
    super::view::may_change(session, change, i, DELETE)?;
    Ok(Some(Arc::new(WriteSchema::new(open, &mut session.ctx)?)))
}

/// Runs the statement.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(
    session: &mut Session,
    d: &Delete,
    text: &[u8],
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    session.retry_if_stale(|session| {
        let plan = prepare(session, d, text)?;
        execute(session, &plan, sink)
    })
}

/// Runs a bound DELETE.
///
/// # Errors
/// Those of the statement; the internal one of a stale table.
pub(crate) fn execute(
    session: &mut Session,
    plan: &DeletePlan,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    if plan.targets.len() > 1 || plan.change.tables.len() > 1 {
        return super::multi::delete(session, plan);
    }
    let (number, schema) = &plan.targets[0];
    let Some(open) = &plan.change.tables[*number].1 else { return Err(SqlError::internal("no table")) };
    if open.is_stale() {
        return Err(SqlError::stale());
    }
    let list = plan.change.returning.as_ref();
    if plan.all
        && list.is_none()
        && !session.locks.active
        && session.ctx.calls.lent.is_none()
        && open.children().is_none()
        && !session.temporary.iter().any(|t| Arc::ptr_eq(t, open))
        && let Some(affected) = empty(session, open)?
    {
        session.ctx.calls.wrote |= affected > 0;
        return Ok(Done { affected, ..Done::default() });
    }
    if plan.change.rows.scans() {
        session.count(Counter::DeleteScan);
    }
    let mut target = Target::lock(session, open, schema)?;
    target.show_to_functions(plan.functions_read, &mut session.ctx);
    let mut returned = Returned::new(session, list, &target);
    let result = rows(session, plan, &mut target, returned.as_mut());
    match target.end(session, result) {
        Ok(affected) => {
            returning::finish(session, list, returned, sink, Done { affected, ..Done::default() })
        }
        Err(e) => Err(returning::failed(session, list, returned, sink, e)),
    }
}

/// Tables with fewer rows are emptied row by row: that is cheaper than new files.
const WORTH_NEW_FILES: u64 = 1_000;

/// Deletes all rows of a large table by a new generation of its files; running readers keep the old one.
/// Gives the number of rows, or nothing when the table is small.
fn empty(session: &mut Session, open: &Arc<crate::table::OpenTable>) -> SqlResult<Option<u64>> {
    open.check_writable()?;
    let engine = Arc::clone(&session.engine);
    let _mark = session.begin_write()?;
    let _names = session.lock_names(&[(&open.db, &open.name)])?;
    let writer = session.write_lock(open)?;
    let rows = open.state_in(&writer).records();
    if rows < WORTH_NEW_FILES {
        return Ok(None);
    }
    let emptied = open.stored().empty(writer, crate::table::myisam::Emptying::Delete);
    engine.catalog.forget(&open.db, &open.name);
    emptied.map_err(|e| open.error(&e))?;
    Ok(Some(rows))
}

/// Rows are found in the table as it was when the statement began, and deleted as they are found.
fn rows(
    session: &mut Session,
    plan: &DeletePlan,
    target: &mut Target,
    mut returned: Option<&mut Returned>,
) -> SqlResult<u64> {
    let find = Arc::clone(&plan.change.rows);
    let holder = Arc::clone(&plan.change.holder);
    // A table that is emptied: the places that go last are filled first, so that new rows lie in their order again.
    let rows = target.records();
    if rows == 0 && plan.all && returned.is_none() && target.children.is_none() {
        target.writer.note_emptied();
    }
    let mut last_first = (plan.all && returned.is_none() && rows < WORTH_NEW_FILES).then(Vec::new);
    // An order says nothing where all rows go.
    let sorted = find.is_ordered();
    let mut n = 0;
    session.with_snapshot(&tables_of(&find, &holder), |session, exec| {
        let searches = plan.change.returning.as_ref().is_some_and(|list| list.searches);
        let subqueries = (searches || !holder.subqueries.is_empty()).then_some((exec, &*holder));
        each_batch(exec, &find, &mut session.ctx, false, &mut |ctx, found| {
            for row in 0..found.len {
                let pos = crate::table::RowPos(found.columns[0].i64(row).cast_unsigned());
                if let Some(last_first) = &mut last_first {
                    last_first.push(pos);
                    continue;
                }
                ctx.check_killed()?;
                if target.read(pos, ctx)? {
                    remove_row(ctx, target, pos)?;
                    n += 1;
                    target.many_changes((ManyRows::Delete, n), &session.state, ctx);
                    // The row is gone even when the list fails on it; the triggers behind see what the list did.
                    if let (Some(returned), Some(list)) = (&mut returned, &plan.change.returning) {
                        ctx.statement.position = Some(pos.0);
                        returned.add(ctx, list, target, RowImage::Old, subqueries)?;
                    }
                    target.after(TriggerEvent::Delete, ctx)?;
                    target.show_row()?;
                }
            }
            Ok(false)
        })?;
        let mut last_first = last_first.unwrap_or_default();
        if sorted {
            last_first.sort_unstable();
        }
        for pos in last_first.into_iter().rev() {
            session.ctx.check_killed()?;
            if target.read(pos, &mut session.ctx)? {
                delete_row(&mut session.ctx, target, pos)?;
                n += 1;
            }
        }
        Ok(())
    })?;
    Ok(n)
}

/// Deletes the row in `target.old`, which lies at `pos`.
///
/// # Errors
/// Damaged files.
pub(crate) fn delete_row(
    ctx: &mut EvalContext,
    target: &mut Target,
    pos: crate::table::RowPos,
) -> SqlResult<()> {
    remove_row(ctx, target, pos)?;
    target.after(TriggerEvent::Delete, ctx)
}

/// As [`delete_row`], without the triggers that run behind it.
fn remove_row(ctx: &mut EvalContext, target: &mut Target, pos: crate::table::RowPos) -> SqlResult<()> {
    target.before(TriggerEvent::Delete, false, ctx)?;
    target.asked.delete += 1;
    let pos = target.enter(pos);
    let Target { writer, old, .. } = target;
    if let Err(e) = writer.delete(pos, &old.as_view()) {
        return Err(target.error(&e));
    }
    target.changed += 1;
    Ok(())
}
