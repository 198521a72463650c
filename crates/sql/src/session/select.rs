//! SELECT and EXPLAIN in a session: planning with the session's names, running over a snapshot.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::tables::{Access, TableSource, is_stale};
use super::{Session, View};
use crate::ast::{self, Query};
use crate::catalog::view::StoredView;
use crate::error::{SqlError, SqlResult, codes};
use crate::exec::Exec;
use crate::exec::counters::ReadCounters;
use crate::failure::from_pages;
use crate::locks::Weight;
use crate::plan::{self, Named, PlanEnv, QueryPlan, Relation, TableUse, Through};
use crate::result::{Done, ResultSink};
use crate::rights::Rights;
use crate::rights::privilege::{SELECT, SHOW_VIEW};
use crate::status::Counter;
use crate::table::OpenTable;
use crate::types::{FieldType, Value};

/// A statement that finds its tables stale begins again at once, up to this many times.
const AT_ONCE: u32 = 20;

/// How long it rests between later attempts.
const PAUSE: Duration = Duration::from_millis(1);

/// Bounds of how long it goes on.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);
const MOST_PATIENCE: Duration = Duration::from_secs(60);

/// A session as the planner sees it.
pub(crate) struct Planning<'a> {
    pub view: View<'a>,
    pub reader: &'a pages::ReaderSlot,
    /// What is asked of the tables whose rows a statement may change, where it names them.
    pub targets: Access,
    /// The views that are bound, the innermost last.
    pub views: Vec<Arc<Through>>,
    /// The view that is bound next is named where rows are changed: what that needs was asked before.
    pub changes_view: bool,
}

impl<'a> Planning<'a> {
    /// Of a query that is no view's.
    pub fn new(view: View<'a>, reader: &'a pages::ReaderSlot, targets: Access) -> Planning<'a> {
        Planning { view, reader, targets, views: Vec::new(), changes_view: false }
    }
}

impl Planning<'_> {
    /// Who explains a query must be allowed to read what lies below its views.
    fn may_explain(&self, name: &ast::TableName) -> SqlResult<()> {
        if !self.view.explains {
            return Ok(());
        }
        let (db, name) = self.view.table_path(name)?;
        let own = &*db == crate::names::INFORMATION_SCHEMA;
        match own || self.view.rights.need_table(&db, &name, SELECT).is_ok() {
            true => Ok(()),
            false => Err(SqlError::new(codes::ER_VIEW_NO_EXPLAIN, &[])),
        }
    }

    /// The rights that count now: of the definer of the innermost view that has one, else the session's.
    fn rights(&self) -> &Rights {
        self.views.last().and_then(|w| w.rights.as_deref()).unwrap_or(&self.view.rights)
    }
}

impl Planning<'_> {
    /// A call as it is meant: a view's own functions are those of its database, whatever the current one is.
    fn of_view<'c>(&self, call: &'c ast::FunctionCall) -> std::borrow::Cow<'c, ast::FunctionCall> {
        let mut call = std::borrow::Cow::Borrowed(call);
        if let (None, Some(within)) = (&call.db, self.views.last()) {
            call.to_mut().db = Some((&*within.view.db).into());
        }
        call
    }
}

impl PlanEnv for Planning<'_> {
    fn table(&mut self, name: &ast::TableName, alias: &str, usage: TableUse) -> SqlResult<Named> {
        let access = match usage {
            TableUse::Read => Access::Read,
            TableUse::Lock => Access::Lock,
            TableUse::Change => self.targets,
        };
        let found = match self.views.is_empty() {
            true => self.view.source(name, alias, access)?,
            false => {
                self.may_explain(name)?;
                self.view.source_below_view(name, self.rights(), access)?
            }
        };
        self.changes_view = usage == TableUse::Change && self.views.is_empty();
        Ok(match found {
            TableSource::Base(t) => Named::Relation(Relation::Base(t)),
            TableSource::Virtual(v) => Named::Relation(Relation::Virtual(v)),
            TableSource::View(v) => Named::View(v),
        })
    }

    fn enter_view(&mut self, view: &Arc<StoredView>) -> SqlResult<()> {
        if self.views.iter().any(|w| w.view.db == view.db && w.view.name == view.name) {
            return Err(SqlError::new(codes::ER_VIEW_RECURSIVE, &[&view.db, &view.name]));
        }
        let (db, name) = (&view.db, &view.name);
        let needed = if std::mem::take(&mut self.changes_view) { SHOW_VIEW } else { SELECT | SHOW_VIEW };
        if self.view.explains && self.view.rights.need_table(db, name, needed).is_err() {
            return Err(SqlError::new(codes::ER_VIEW_NO_EXPLAIN, &[]));
        }
        let rights = match view.is_invoker() {
            true => self.views.last().and_then(|w| w.rights.clone()),
            false => Some(Arc::new(self.view.definer_rights(view)?)),
        };
        self.views.push(Arc::new(Through { view: Arc::clone(view), rights }));
        Ok(())
    }

    fn leave_view(&mut self) {
        self.views.pop();
    }

    fn through(&self) -> Option<Arc<Through>> {
        self.views.last().cloned()
    }

    fn view_stamp(&self) -> u64 {
        self.view.view_stamp()
    }

    fn unreadable_columns(&self, db: &str, name: &str, columns: &[String]) -> Option<plan::Unreadable> {
        self.rights().unreadable_columns(db, name, columns.iter().map(String::as_str))
    }

    fn unreadable(&self, table: &OpenTable) -> Option<plan::Unreadable> {
        self.rights().unreadable(table)
    }

    fn system_variable(&mut self, variable: &ast::SystemVariable) -> SqlResult<(Value, FieldType)> {
        self.view.read(variable)
    }

    fn reader(&self) -> &pages::ReaderSlot {
        self.reader
    }

    fn text(&self) -> &[u8] {
        self.views.last().map_or(self.view.text, |w| &w.view.def.query)
    }

    fn param(&self, n: u32) -> Option<FieldType> {
        self.view.params.get(n as usize).cloned()
    }

    fn stored_aggregate(
        &mut self,
        call: &ast::FunctionCall,
        ctx: &mut crate::expr::EvalContext,
    ) -> SqlResult<Option<(u64, crate::types::FieldType)>> {
        let rights = self.views.last().and_then(|w| w.rights.clone());
        let rights = rights.as_deref().unwrap_or(&self.view.rights);
        crate::routine::function::bind_aggregate(&self.view, rights, ctx, &self.of_view(call))
    }

    fn stored_function(
        &mut self,
        call: &ast::FunctionCall,
        args: Vec<crate::expr::Expr>,
        ctx: &mut crate::expr::EvalContext,
    ) -> SqlResult<Option<crate::expr::Expr>> {
        let rights = self.views.last().and_then(|w| w.rights.clone());
        let rights = rights.as_deref().unwrap_or(&self.view.rights);
        crate::routine::function::bind(&self.view, rights, ctx, &self.of_view(call), args, false)
    }

    fn sequence(
        &mut self,
        name: &ast::TableName,
        action: crate::expr::sequences::Action,
        ctx: &mut crate::expr::EvalContext,
    ) -> SqlResult<crate::expr::Expr> {
        let mut name = std::borrow::Cow::Borrowed(name);
        if let (None, Some(within)) = (&name.db, self.views.last()) {
            name.to_mut().db = Some((&*within.view.db).into());
        }
        crate::routine::function::bind_sequence(&self.view, ctx, &name, action)
    }

    fn database(&self) -> Option<&str> {
        self.view.db.as_deref()
    }
}

/// A plan kept for further executions of the same statement.
#[derive(Clone)]
pub(crate) struct CachedPlan {
    pub plan: Arc<QueryPlan>,
    settings: u64,
    /// The rights it was planned with.
    rights: u64,
}

impl Session {
    /// A number that differs when settings differ that trees of statements and their plans depend on.
    pub(crate) fn plan_settings(&self) -> u64 {
        self.vars.settings.plan_key
            ^ self.engine.routines.version().wrapping_mul(0xD6E8_FEB8_6659_FD93)
            ^ self.temporary_names.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Whether a kept plan still fits its tables and the session.
    pub(crate) fn is_plan_valid(&self, kept: &CachedPlan) -> bool {
        kept.settings == self.plan_settings()
            && kept.rights == self.rights.stamp()
            && !self.locks.active
            && !kept.plan.tables.iter().any(|t| t.is_stale())
            && (kept.plan.views == 0 || kept.plan.views == self.view_stamp())
    }

    /// Plans a query.
    ///
    /// # Errors
    /// Those of binding.
    pub(crate) fn plan(&mut self, query: &Query, text: &[u8]) -> SqlResult<Arc<QueryPlan>> {
        let reader = self.take_reader();
        let (view, ctx) = self.split(text);
        let mut env = Planning::new(view, &reader, Access::Read);
        let planned = plan::plan_query(query, &mut env, ctx);
        self.give_reader(reader);
        planned
    }

    /// A plan to keep, when it may be kept.
    pub(crate) fn keep(&self, plan: &Arc<QueryPlan>) -> Option<CachedPlan> {
        let fits = plan.cacheable && !self.locks.active && !has_virtual(plan);
        fits.then(|| CachedPlan {
            plan: Arc::clone(plan),
            settings: self.plan_settings(),
            rights: self.rights.stamp(),
        })
    }

    /// Functions and triggers that the statement calls must leave a table and those under it alone.
    pub(crate) fn keep_from_functions(&mut self, table: &OpenTable) {
        let in_use = &mut self.ctx.calls.in_use;
        in_use.push((Arc::clone(&table.db), Arc::clone(&table.name)));
        in_use.extend(table.named_children().iter().map(|t| (Arc::clone(&t.db), Arc::clone(&t.name))));
    }

    /// Runs `f` over a snapshot of these tables, waiting for tables that are locked.
    ///
    /// # Errors
    /// 1205, 1317, and those of `f`.
    pub(crate) fn with_snapshot<T>(
        &mut self,
        tables: &[Arc<OpenTable>],
        f: impl FnOnce(&mut Session, &Exec<'_>) -> SqlResult<T>,
    ) -> SqlResult<T> {
        if self.ctx.host.is_some() {
            for t in tables {
                self.keep_from_functions(t);
            }
        }
        if self.ctx.calls.lent.is_some() {
            self.publish_lent(tables)?;
        }
        self.use_in_transaction(tables);
        let reader = self.take_reader();
        let result = self.run_over_snapshot(&reader, tables, f);
        self.give_reader(reader);
        result
    }

    fn run_over_snapshot<T>(
        &mut self,
        reader: &pages::ReaderSlot,
        tables: &[Arc<OpenTable>],
        f: impl FnOnce(&mut Session, &Exec<'_>) -> SqlResult<T>,
    ) -> SqlResult<T> {
        let snapshot = match tables {
            // the everyday case without a list on the heap
            [one] if one.children().is_none() => reader.begin(&[one.pages()]),
            many => reader.begin(&many.iter().flat_map(|t| t.all_pages()).collect::<Vec<_>>()),
        };
        let snapshot = match snapshot {
            Ok(s) => s,
            Err(e) if matches!(e.kind(), pages::ErrorKind::ExclusivelyLocked) => {
                if self.connection.targets.load(Ordering::Relaxed) > 0 && !self.statement.cannot_restart {
                    // The exclusive owner may be waiting for a table that this statement has locked: release everything and restart.
                    self.statement.blocked_by = tables.to_vec();
                    return Err(SqlError::stale());
                }
                self.let_go_of_handlers_to_wait();
                self.begin_after_wait(reader, tables)?
            }
            Err(e) => return Err(stale_or(&e, tables.first().map_or("", |t| &t.name))),
        };
        // Defined anew, or its keys disabled, since the plan was made.
        if tables.iter().any(|t| t.is_stale()) {
            return Err(SqlError::stale());
        }
        let exec = Exec::new(&snapshot, self.lookup.take());
        // What another execution found is of another moment.
        self.ctx.statement.searches.clear();
        self.ctx.statement.concat_cuts.clear();
        let mut result = f(self, &exec);
        self.ctx.statement.searches.clear();
        self.count_reads(&exec.counters.borrow());
        self.count_table_locks(tables);
        self.lookup = exec.lookup.take();
        // a page that could not be read was zeros, whatever came of them
        for table in tables {
            for pages in table.all_pages() {
                if let Err(e) = pages.check_read() {
                    result = Err(from_pages(&e, &table.name));
                }
            }
        }
        result
    }

    /// Begins a snapshot once the tables are free.
    #[cold]
    fn begin_after_wait<'r>(
        &self,
        reader: &'r pages::ReaderSlot,
        tables: &[Arc<OpenTable>],
    ) -> SqlResult<pages::Snapshot<'r>> {
        let waiter = self.waiter();
        let waiting = waiter.begin("Waiting for table metadata lock", Weight::Rows);
        let list: Vec<_> = tables.iter().flat_map(|t| t.all_pages()).collect();
        let snapshot = reader.begin_wait(&list, waiter.timeout, &|| waiting.should_give_up_exclusive(&list));
        let name = tables.first().map_or("", |t| &t.name);
        snapshot.map_err(|e| if is_stale(&e) { SqlError::stale() } else { waiting.error(&e, name) })
    }

    /// Waits for the tables that made the statement begin anew, before it has any.
    ///
    /// # Errors
    /// 1205, 1213, 1317; the internal one of a stale table.
    #[cold]
    pub(crate) fn wait_for_blockers(&mut self) -> SqlResult<()> {
        let tables = std::mem::take(&mut self.statement.blocked_by);
        let reader = self.take_reader();
        let result = self.begin_after_wait(&reader, &tables).map(|_| ());
        self.give_reader(reader);
        result
    }

    /// Whether the statement let go of its tables for others.
    pub(crate) fn is_blocked(&self) -> bool {
        !self.statement.blocked_by.is_empty()
    }

    fn count_reads(&self, c: &ReadCounters) {
        let files = self.ctx.budget.take_files();
        if c.is_of_look_ups() && files == 0 {
            // nearly all there are: short statements
            self.connection.counters.add(Counter::HandlerReadKey, c.key);
            self.connection.counters.add(Counter::RowsRead, c.rows);
            return;
        }
        let tables = files.saturating_sub(c.spilled_sorts);
        let files = [(Counter::CreatedTmpFiles, files), (Counter::CreatedTmpDiskTables, tables)];
        for (counter, n) in c.all().into_iter().chain(files) {
            if n > 0 {
                self.connection.counters.add(counter, n);
            }
        }
    }

    /// Runs a statement, or a part of it that nobody has seen anything of, and begins it again as long as a table is
    /// defined anew between its opening and its use: the catalog opens such a table again.
    ///
    /// # Errors
    /// Those of `f`, but not that of a stale table; 1205 and 1317 meanwhile.
    pub(crate) fn retry_if_stale<T>(
        &mut self,
        mut f: impl FnMut(&mut Session) -> SqlResult<T>,
    ) -> SqlResult<T> {
        let (mut attempts, mut begun) = (0, None);
        loop {
            match f(self) {
                Err(e) if e.is_stale() => {
                    attempts += 1;
                    self.rest_if_stale(attempts, *begun.get_or_insert_with(Instant::now))?;
                }
                other => return other,
            }
        }
    }

    /// What comes before another attempt of a statement that finds its tables stale: a pause, where it found them so many times.
    ///
    /// # Errors
    /// 1205 past `lock_wait_timeout`, or a minute: what is stale for so long will not be had; 1317.
    #[cold]
    fn rest_if_stale(&self, attempts: u32, begun: Instant) -> SqlResult<()> {
        self.connection.check_killed()?;
        if attempts < AT_ONCE {
            return Ok(());
        }
        let patience = self.lock_timeout().clamp(LEAST_PATIENCE, MOST_PATIENCE);
        if begun.elapsed() > patience {
            return Err(SqlError::new(crate::error::ER_LOCK_WAIT_TIMEOUT, &[]));
        }
        std::thread::sleep(PAUSE);
        Ok(())
    }

    /// Runs a plan into a sink.
    ///
    /// # Errors
    /// Those of reading, evaluating and sending.
    pub(crate) fn run_plan(&mut self, plan: &Arc<QueryPlan>, sink: &mut dyn ResultSink) -> SqlResult<Done> {
        if plan.tables.iter().any(|t| t.is_stale()) {
            return Err(SqlError::stale());
        }
        let limit = self.vars.settings.sql_select_limit;
        if let Some(e) = limit_of(plan).and_then(|l| l.examined.as_ref()) {
            let most = crate::exec::asked_rows(e, &mut self.ctx)?;
            self.ctx.statement.examined = Some((most, 0));
        }
        let result = self.with_snapshot(&plan.tables, |session, exec| {
            if limit == u64::MAX || is_limited(plan) {
                let sent = exec.send(plan, &mut session.ctx, sink)?;
                return Ok((sent, exec.memory.borrow().found_rows));
            }
            let sent = exec.send_most(plan, limit, &mut session.ctx, sink)?;
            // who stopped was not the plan: what it counted by then is too much, where it did not count all
            let found = exec.memory.borrow().found_rows;
            Ok((sent, found.filter(|_| plan.counts_all())))
        });
        let examined = self.ctx.statement.examined.take().filter(|(most, seen)| seen > most);
        if let Some((most, _)) = examined {
            let what = "LIMIT ROWS EXAMINED";
            self.ctx.warnings.warn(crate::error::codes::ER_QUERY_RESULT_INCOMPLETE, &[&what, &most]);
        }
        let (sent, found) = result?;
        self.connection.counters.add(Counter::RowsSent, sent);
        if sent == 0 && !self.explains {
            self.connection.counters.add(Counter::EmptyQueries, 1);
        }
        self.ctx.calls.rows = sent;
        if !plan.only_values() {
            self.ctx.connection.found_rows = found.unwrap_or(sent);
        }
        Ok(Done { had_rows: true, ..Done::default() })
    }
}

impl Session {
    /// Keeps the number of rows that the query of a statement found, for FOUND_ROWS: none where it read nothing, as
    /// nothing was sent.
    pub(crate) fn found_by(&mut self, exec: &Exec<'_>, plan: &QueryPlan) {
        if !plan.only_values() {
            self.ctx.connection.found_rows = exec.memory.borrow().found_rows.unwrap_or(0);
        }
    }
}

fn stale_or(e: &pages::Error, table: &str) -> SqlError {
    if is_stale(e) { SqlError::stale() } else { from_pages(e, table) }
}

/// Whether `sql_select_limit` leaves a query alone, as it has a limit of its own.
fn is_limited(plan: &QueryPlan) -> bool {
    match &plan.body {
        plan::Body::Set(s) if s.terms.len() == 1 && s.limit.count.is_none() => is_limited(&s.terms[0].1),
        _ => limit_of(plan).is_some_and(|l| l.count.is_some()),
    }
}

fn limit_of(plan: &QueryPlan) -> Option<&plan::LimitPlan> {
    match &plan.body {
        plan::Body::Block(b) => Some(&b.limit),
        plan::Body::Set(s) => Some(&s.limit),
        plan::Body::Values(_) | plan::Body::Recursive(_) | plan::Body::Working(_) => None,
    }
}

fn has_virtual(plan: &QueryPlan) -> bool {
    let below = match &plan.body {
        plan::Body::Block(b) => b.tables.iter().any(|t| match &t.relation {
            Relation::Virtual(_) => true,
            Relation::Derived(p) => has_virtual(p),
            Relation::Base(_) | Relation::JsonTable(_) | Relation::Merged => false,
        }),
        plan::Body::Set(s) => s.terms.iter().any(|(_, p)| has_virtual(p)),
        plan::Body::Recursive(r) => r.plans().any(has_virtual),
        plan::Body::Values(_) | plan::Body::Working(_) => false,
    };
    below || plan.subqueries.iter().any(|s| has_virtual(&s.plan))
}
