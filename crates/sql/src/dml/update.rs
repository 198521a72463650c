//! UPDATE.

use std::borrow::Cow;
use std::sync::Arc;

use crate::table::RowPos;

use super::each_batch;
use super::target::{Target, require_default};
use crate::ast::{self, ExprKind, Query, QueryTerm, Select, SelectItem, TableRef, Update};
use crate::error::{ER_UNKNOWN_ERROR, SqlError, SqlResult};
use crate::exec::Exec;
use crate::exec::materialize::{MaterializedRows, Materializer};
use crate::exec::subquery::Runner;
use crate::exec::unique::Unique;
use crate::expr::{EvalContext, Expr, Frame};
use crate::memory::BATCH_ROWS;
use crate::plan::change::{Assigned, UpdatePlan, WriteSchema};
use crate::plan::{self, Change, QueryPlan};
use crate::result::Done;
use crate::rights::privilege::UPDATE;
use crate::session::Session;
use crate::session::select::Planning;
use crate::session::tables::Access;
use crate::status::Counter;
use crate::table::OpenTable;
use crate::table::myisam::ManyRows;
use crate::types::casts::Casts;
use crate::types::store::Column;
use crate::types::{Batch, Value};

/// A query that finds the rows of these tables; its list is only a stand-in.
pub(crate) fn row_query(
    from: Vec<TableRef>,
    filter: Option<&ast::Expr>,
    order_by: &[ast::OrderItem],
    limit: Option<&ast::Limit>,
) -> Query {
    let span = ast::Span::default();
    let one = ast::Expr::new(ExprKind::Literal(ast::Literal::Int(1)), span);
    let select = Select {
        items: vec![SelectItem::Expr { expr: one, alias: None, text: span }],
        from,
        filter: filter.cloned(),
        ..Select::default()
    };
    Query {
        first: QueryTerm::Select(Box::new(select)),
        order_by: order_by.to_vec(),
        limit: limit.map(|l| Box::new(l.clone())),
        ..Query::default()
    }
}

/// A query of no row of one table: its scope is what is asked for.
pub(crate) fn scope_query(table: &ast::TableName) -> Query {
    let factor = ast::TableFactor {
        name: table.clone(),
        alias: None,
        partitions: Vec::new(),
        hints: Vec::new(),
        system_time: false,
    };
    let never = ast::Expr::new(ExprKind::Literal(ast::Literal::Int(0)), ast::Span::default());
    row_query(vec![TableRef::Table(Box::new(factor))], Some(&never), &[], None)
}

impl Session {
    /// The plan that finds the rows of an UPDATE.
    ///
    /// # Errors
    /// Those of binding.
    pub(crate) fn plan_update(&mut self, u: &Update, text: &[u8]) -> SqlResult<Arc<QueryPlan>> {
        Ok(prepare(self, u, text)?.change.rows)
    }
}

/// With sql_safe_updates rows must be found by a key.
///
/// # Errors
/// 1175.
pub(super) fn by_a_key(change: &Change) -> SqlResult<()> {
    let plan::Body::Block(b) = &change.rows.body else { return Ok(()) };
    let keyless = |s: &plan::Step| {
        matches!(s.access, plan::Access::Scan | plan::Access::Hash { .. }) && s.possible.is_empty()
    };
    if b.impossible.is_none() && b.steps.iter().any(keyless) {
        return Err(SqlError::new(crate::error::codes::ER_UPDATE_WITHOUT_KEY_IN_SAFE_MODE, &[]));
    }
    Ok(())
}

/// Binds an UPDATE.
///
/// # Errors
/// Unknown names, tables that cannot be written.
pub(crate) fn prepare(session: &mut Session, u: &Update, text: &[u8]) -> SqlResult<UpdatePlan> {
    let readers = session.ctx.statement.bound_readers;
    let query = row_query(u.tables.clone(), u.filter.as_ref(), &u.order_by, u.limit.as_deref());
    let one_table = matches!(u.tables.as_slice(), [ast::TableRef::Table(_)]);
    let columns: Vec<&ast::ColumnRef> = u.assignments.iter().map(|a| &a.column).collect();
    let values: Vec<&ast::Expr> = u
        .assignments
        .iter()
        .map(|a| &a.value)
        .filter(|e| !matches!(e.kind, ExprKind::Default(None)))
        .collect();
    let targets = Access::Given;
    let reader = session.take_reader();
    let (view, ctx) = session.split(text);
    let mut env = Planning::new(view, &reader, targets);
    let strict = ctx.sql_mode.strict() && !u.ignore;
    ctx.set_strict(strict);
    let change = plan::plan_change(
        &query,
        &plan::Asked { exprs: &values, columns: &columns, ..Default::default() },
        &mut env,
        ctx,
    );
    ctx.set_strict(false);
    session.give_reader(reader);
    let mut change = match (change, &u.tables[..]) {
        (Err(e), [target]) => return Err(session.read_only_or(target, e)),
        (change, _) => change?,
    };
    session.ctx.check_failed()?;
    if session.settings().sql_safe_updates && !(one_table && u.limit.is_some()) {
        by_a_key(&change)?;
    }
    let mut sets: Vec<Vec<(usize, Assigned)>> = change.tables.iter().map(|_| Vec::new()).collect();
    let mut casts = Casts::default();
    let computed = u.assignments.iter().zip(&change.columns);
    let computed = computed.filter(|(a, _)| !matches!(a.value.kind, ExprKind::Default(None)));
    for ((_, (table, column)), e) in computed.zip(&change.exprs) {
        if let (_, Some(open)) = &change.tables[*table]
            && (e.ty.is_special() || is_special(&open.def().columns[*column]))
        {
            casts.add(&Column::new(&open.def().columns[*column], &open.db, &open.name), &e.ty);
        }
    }
    for e in &mut change.exprs {
        crate::expr::typing::written_out(e, &mut session.ctx)?;
    }
    let mut exprs = std::mem::take(&mut change.exprs).into_iter();
    for (a, (table, column)) in u.assignments.iter().zip(&change.columns) {
        let value = match a.value.kind {
            ExprKind::Default(None) => {
                if let Some(open) = &change.tables[*table].1 {
                    require_default(open, *column)?;
                }
                Assigned::Default
            }
            _ => Assigned::Expr(exprs.next().ok_or_else(|| SqlError::internal("assignment"))?),
        };
        sets[*table].push((*column, value));
    }
    let schemas = schemas_of(session, &change, &sets, text)?;
    let single = change.tables.len() == 1;
    if single && let Some(rows) = Arc::get_mut(&mut change.rows) {
        plan::number_rows(rows);
    }
    let functions_read = session.ctx.statement.bound_readers > readers;
    Ok(UpdatePlan { change, sets, schemas, casts, ignore: u.ignore, single, functions_read })
}

/// The tables that assignments go to, for writing; that they may be made is found out.
fn schemas_of(
    session: &mut Session,
    change: &Change,
    sets: &[Vec<(usize, Assigned)>],
    text: &[u8],
) -> SqlResult<Vec<Option<Arc<WriteSchema>>>> {
    let set: Vec<bool> = sets.iter().map(|s| !s.is_empty()).collect();
    super::view::check_assigned(session, change, &set)?;
    let mut schemas = Vec::new();
    for (n, (t, s)) in change.tables.iter().zip(sets).enumerate() {
        let schema = match (&t.1, s.is_empty()) {
            (_, true) => None,
            (Some(open), false) if change.through[n].is_some() => {
                super::view::may_change(session, change, n, UPDATE)?;
                let mut schema = WriteSchema::new(open, &mut session.ctx)?;
                let of = change.views.iter().find(|v| v.tables.contains(&n));
                if let Some(v) = of {
                    schema.check = v.check(n, &change.rows)?.map(Arc::new);
                }
                Some(Arc::new(schema))
            }
            (Some(open), false) => {
                session.split(text).0.check_change(open, &t.0, UPDATE)?;
                let names = s.iter().map(|(c, _)| open.def().columns[*c].name.as_str());
                session.rights.need_columns(open, names, UPDATE)?;
                Some(Arc::new(WriteSchema::new(open, &mut session.ctx)?))
            }
            (None, false) => {
                // what lies below a view goes by the view's name
                let of = change.views.iter().find(|v| v.tables.contains(&n));
                let name = of.map_or(&t.0, |v| &v.alias);
                return Err(SqlError::new(crate::error::ER_NON_UPDATABLE_TABLE, &[name, &"UPDATE"]));
            }
        };
        schemas.push(schema);
    }
    Ok(schemas)
}

fn is_special(c: &schema::definition::ColumnDef) -> bool {
    use schema::definition::ColumnType;
    matches!(c.ty, ColumnType::Uuid | ColumnType::Inet4 | ColumnType::Inet6 | ColumnType::Geometry { .. })
}

/// Runs the statement.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(session: &mut Session, u: &Update, text: &[u8]) -> SqlResult<Done> {
    session.retry_if_stale(|session| {
        let plan = prepare(session, u, text)?;
        execute(session, &plan)
    })
}

/// The positions of the rows a plan finds, per table of FROM; each once, in the order they were met.
pub(crate) fn positions(session: &mut Session, change: &Change) -> SqlResult<Vec<MaterializedRows>> {
    let plan = Arc::clone(&change.rows);
    session.with_snapshot(&plan.tables, |session, exec| {
        let width = change.tables.len();
        let budget = session.ctx.budget.clone();
        let mut found: Vec<Materializer> = (0..width).map(|_| Materializer::new(&budget)).collect();
        let mut seen: Vec<Unique> = (0..width).map(|_| Unique::default()).collect();
        let mut running = exec.open(&plan, &mut session.ctx)?;
        while let Some(batch) = running.next(&mut session.ctx)? {
            session.ctx.check_failed()?;
            for row in 0..batch.len {
                for (i, v) in batch.columns.iter().take(width).enumerate() {
                    let one = std::slice::from_ref(v);
                    let pos = v.i64(row).to_be_bytes();
                    if !v.is_null(row) && (width == 1 || seen[i].see(&budget, &pos, one, row)?) {
                        found[i].push(one, row)?;
                    }
                }
            }
        }
        running.finish(&mut session.ctx)?;
        if width > 1 {
            session.found_by(exec, &plan);
        }
        session.ctx.check_failed()?;
        let mut more = Batch::default();
        for (seen, found) in seen.iter_mut().zip(&mut found) {
            let Some(mut rest) = seen.rest(&budget)? else { continue };
            while rest.batch(&mut more, BATCH_ROWS)? {
                found.push_batch(&more)?;
            }
        }
        found.into_iter().map(Materializer::finish).collect()
    })
}

/// Whether rows are changed while others are still looked for: no sort stands between, and the key that finds
/// them stays as it is.
fn changes_as_found(plan: &UpdatePlan) -> bool {
    let plan::Body::Block(b) = &plan.change.rows.body else { return false };
    let (Some(step), Some(open)) = (b.steps.first(), &plan.change.tables[0].1) else { return false };
    if !b.order.is_empty() && !b.ordered_by_access {
        return false;
    }
    let key = match &step.access {
        plan::Access::KeyScan { key, .. }
        | plan::Access::Lookup { key, .. }
        | plan::Access::Range { key, .. } => *key,
        plan::Access::Spatial(search) => {
            let geometry = open.keys()[search.key].geometry;
            return !plan.sets[0].iter().any(|(column, _)| Some(*column) == geometry);
        }
        // all rows are found before one is given
        _ => return true,
    };
    let parts = &open.keys()[key].segments;
    !parts.iter().any(|p| plan.sets[0].iter().any(|(c, _)| *c == p.column))
}

/// Whether it is known before a row is read that there is none.
fn finds_nothing(plan: &UpdatePlan, session: &mut Session) -> SqlResult<bool> {
    let plan::Body::Block(b) = &plan.change.rows.body else { return Ok(false) };
    if b.impossible.is_some() {
        return Ok(true);
    }
    Ok(none(&b.constant, &mut session.ctx)?
        || b.steps.first().is_some_and(|step| reads_nowhere(b, step, &mut session.ctx)))
}

/// Whether a constant is there and not true.
fn none(e: &Option<Expr>, ctx: &mut EvalContext) -> SqlResult<bool> {
    match e {
        Some(e) if e.is_constant() => {
            // the rows' plan tells what there is to warn of
            let mark = ctx.warnings.mark();
            let holds = e.value(ctx).map(|v| plan::access::is_true(&v, &e.ty, ctx));
            ctx.warnings.rollback_to(mark);
            holds.map(|h| !h)
        }
        _ => Ok(false),
    }
}

/// Whether no partition has rows that are looked for, none has any that a key could find, or there are none between the ends of the
/// key's ranges.
fn reads_nowhere(b: &plan::BlockPlan, step: &plan::Step, ctx: &mut EvalContext) -> bool {
    let table = &b.tables[step.table];
    let plan::Relation::Base(open) = &table.relation else { return false };
    let mark = ctx.warnings.mark();
    let left = crate::exec::source::partitions(open, table, ctx);
    let is_read = |n: &usize| open.children().is_none_or(|c| c.is_read(*n));
    let pruned = matches!(&left, Ok(Some(left)) if !left.iter().any(is_read));
    // where a key could find rows it is asked how many, and there are none at all
    let counted = !step.possible.is_empty()
        && match open.children() {
            None => open.state_of(&open.state()).records() == 0,
            Some(children) => (0..).zip(children.tables()).all(|(n, part)| {
                let read = is_read(&n) && !matches!(&left, Ok(Some(left)) if !left.contains(&n));
                !read || part.state_of(&part.state()).records() == 0
            }),
        };
    let empty = match &step.access {
        plan::Access::Range { key, condition, .. } if !pruned => {
            let value = &mut |e: &Expr| e.value(ctx);
            plan::sarg::intervals(open.format(), *key, condition, value).is_ok_and(|list| list.is_empty())
        }
        _ => false,
    };
    ctx.warnings.rollback_to(mark);
    pruned || empty || counted
}

/// Runs a bound UPDATE.
///
/// # Errors
/// Those of the statement; the internal one of a stale table.
pub(crate) fn execute(session: &mut Session, plan: &UpdatePlan) -> SqlResult<Done> {
    if !plan.single {
        return super::multi::update(session, plan);
    }
    let (Some(open), Some(schema)) = (&plan.change.tables[0].1, &plan.schemas[0]) else {
        return Err(SqlError::internal("no table"));
    };
    if open.is_stale() {
        return Err(SqlError::stale());
    }
    if let plan::Body::Block(b) = &plan.change.rows.body
        && none(&b.limit.count, &mut session.ctx)?
    {
        return Ok(Done::default());
    }
    if plan.change.rows.scans() {
        session.count(Counter::UpdateScan);
    }
    let mut target = Target::lock(session, open, schema)?;
    target.quiet = true;
    target.updates = true;
    target.show_to_functions(plan.functions_read, &mut session.ctx);
    let strict = session.ctx.sql_mode.strict() && !plan.ignore;
    let told = plan.casts.tell(strict, &mut session.ctx);
    let result = told.and_then(|()| rows(session, plan, &mut target));
    let (matched, changed) = target.end(session, result)?;
    if matched == 0 && finds_nothing(plan, session)? {
        return Ok(Done::default());
    }
    Ok(answer(session, matched, changed, 0))
}

/// The OK of an UPDATE; `untold` warnings are not counted in its text.
pub(crate) fn answer(session: &Session, matched: u64, changed: u64, untold: u16) -> Done {
    let info = format!(
        "Rows matched: {matched}  Changed: {changed}  Warnings: {}",
        session.ctx.warnings.wire_count().saturating_sub(untold)
    );
    let affected = if session.info.found_rows { matched } else { changed };
    Done { affected, info, ..Done::default() }
}

/// The tables of two plans, each once.
pub(crate) fn tables_of<'a>(rows: &'a QueryPlan, holder: &QueryPlan) -> Cow<'a, [Arc<OpenTable>]> {
    both(&rows.tables, &holder.tables)
}

/// The tables of two lists, each once.
pub(crate) fn both<'a>(some: &'a [Arc<OpenTable>], others: &[Arc<OpenTable>]) -> Cow<'a, [Arc<OpenTable>]> {
    if others.is_empty() {
        return some.into();
    }
    let mut all = some.to_vec();
    all.extend(others.iter().filter(|t| !some.iter().any(|o| Arc::ptr_eq(o, t))).cloned());
    all.into()
}

/// Rows are found in the table as it was when the statement began, and changed as they are found.
fn rows(session: &mut Session, plan: &UpdatePlan, target: &mut Target) -> SqlResult<(u64, u64)> {
    let strict = session.ctx.sql_mode.strict() && !plan.ignore;
    let searching = strict && changes_as_found(plan);
    let (mut matched, mut changed, mut left_out) = (0, 0, 0);
    let (find, holder) = (Arc::clone(&plan.change.rows), Arc::clone(&plan.change.holder));
    let mut old = Target::batch(&target.schema, 1);
    let result = session.with_snapshot(&tables_of(&find, &holder), |session, exec| {
        let searches = |(_, a): &(usize, Assigned)| match a {
            Assigned::Expr(e) => plan::full_text::has_match(e),
            Assigned::Default => false,
        };
        let runs = !holder.subqueries.is_empty() || plan.sets[0].iter().any(searches);
        let checked = target.schema.check.as_ref().is_some_and(|c| c.subqueries.is_some());
        let subqueries = (runs || checked).then_some(exec);
        let reads = if runs { ColumnsRead::ALL } else { ColumnsRead::of(&plan.sets[0]) };
        let rules = target.schema.rules.as_ref();
        let reads_virtual = rules.is_some_and(|r| r.has_virtual_among(|c| reads.has(c)));
        target.all_virtual = reads_virtual;
        each_batch(exec, &find, &mut session.ctx, searching, &mut |ctx, found| {
            for row in 0..found.len {
                let pos = RowPos(found.columns[0].i64(row).cast_unsigned());
                ctx.check_killed()?;
                ctx.row = found.columns.get(1).map_or(matched + 1, |n| n.i64(row).cast_unsigned());
                // every row of it, not the first alone
                target.begin_row(strict, 0, ctx);
                if !target.read(pos, ctx)? {
                    continue;
                }
                if reads_virtual {
                    target.complete_old(ctx)?;
                }
                matched += 1;
                let assignments = Assignments {
                    sets: &plan.sets[0],
                    ignore: plan.ignore,
                    null_is_zero: true,
                    left_null_fails: false,
                    holder: &holder,
                    reads,
                };
                let finished = change_row(ctx, &assignments, target, pos, &mut old, subqueries)?;
                target.show_row()?;
                match finished {
                    Finished::Changed => {
                        changed += 1;
                        target.many_changes((ManyRows::Update, changed), &session.state, ctx);
                    }
                    Finished::Same | Finished::Refused => {}
                    Finished::LeftOut => left_out += 1,
                }
            }
            Ok(searching)
        })
    });
    session.ctx.row = 0;
    result.map(|()| (matched - left_out, changed))
}

/// Assignments of a statement, and how they are made.
pub(crate) struct Assignments<'a> {
    /// Columns and their values.
    pub sets: &'a [(usize, Assigned)],
    /// IGNORE
    pub ignore: bool,
    /// NULL becomes a zero where the column takes none.
    pub null_is_zero: bool,
    /// NULL that a trigger leaves in such a column is an error.
    pub left_null_fails: bool,
    /// Holds the subqueries of the values.
    pub holder: &'a QueryPlan,
    /// What the values are computed from.
    pub reads: ColumnsRead,
}

/// Columns of a row that values are computed from: no other is made a value of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnsRead(u64);

impl ColumnsRead {
    pub const ALL: ColumnsRead = ColumnsRead(u64::MAX);

    /// The bit that stands for all columns from its own on.
    const REST: usize = 63;

    /// Those of these values, which have no subqueries.
    fn of(sets: &[(usize, Assigned)]) -> ColumnsRead {
        let mut read = 0;
        for (_, value) in sets {
            if let Assigned::Expr(e) = value {
                e.columns(&mut |c| read |= 1 << (c.slot as usize).min(Self::REST));
            }
        }
        ColumnsRead(read)
    }

    #[inline]
    pub fn has(self, column: usize) -> bool {
        self.0 >> column.min(Self::REST) & 1 == 1
    }
}

/// Makes assignments to the row in `target.old`, which lies at `pos`.
pub(crate) fn change_row(
    ctx: &mut EvalContext,
    &Assignments { sets, ignore, null_is_zero, left_null_fails, holder, reads }: &Assignments<'_>,
    target: &mut Target,
    pos: RowPos,
    batch: &mut Batch,
    exec: Option<&Exec<'_>>,
) -> SqlResult<Finished> {
    let schema = Arc::clone(&target.schema);
    ctx.statement.position = Some(pos.0);
    target.defer_nulls(ast::TriggerEvent::Update);
    Target::load_these(&schema, &target.old, (0, reads), batch, ctx);
    target.new.copy_from(&target.old.as_view());
    for (column, value) in sets {
        match value {
            Assigned::Default => target.set_default(*column, true, ctx)?,
            Assigned::Expr(e) => {
                let v = match exec {
                    None => e.value_in(Frame::new(batch), ctx),
                    Some(exec) => {
                        let runner = Runner::new(exec, holder);
                        e.value_in(Frame { batch, subqueries: Some(&runner) }, ctx)
                    }
                };
                let Some(v) = ctx.warnings.value_or_raise(v, Value::Null)? else { continue };
                let set = target.set(*column, v.as_ref(), &e.ty, null_is_zero, ctx);
                stop_at_null(set, ctx)?;
            }
        }
        // later assignments see this one
        if !reads.has(*column) {
            continue;
        }
        let c = &schema.columns[*column];
        let v = &mut batch.columns[*column];
        v.reset(c.ty.class());
        match target.pending.has(*column) {
            true => v.push_null(),
            false => crate::types::load::push(target.new.as_view().column(*column), &c.ty, v, ctx),
        }
    }
    ctx.check_failed()?;
    finish_row(ctx, (ignore, left_null_fails), sets, target, pos, exec)
}

/// NULL for a column that takes none ends a row whose columns are assigned by name, with an error more.
///
/// # Errors
/// The first of the row.
pub(crate) fn stop_at_null(set: SqlResult<()>, ctx: &mut EvalContext) -> SqlResult<()> {
    let Err(e) = set else { return Ok(()) };
    ctx.warnings.raise(e);
    ctx.warnings.raise(SqlError::new(ER_UNKNOWN_ERROR, &[]));
    ctx.check_failed()
}

/// What became of a row that was to be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finished {
    /// It was changed.
    Changed,
    /// It stays: the new values are the old ones.
    Same,
    /// It stays: IGNORE passes over a duplicate, or a row that is of no partition.
    Refused,
    /// IGNORE passes over a constraint that the new row breaks.
    LeftOut,
}

/// Writes `target.new` over the row at `pos` when it differs from `target.old`; see [`Assignments`] for `left_null_fails`.
pub(crate) fn finish_row(
    ctx: &mut EvalContext,
    (ignore, left_null_fails): (bool, bool),
    sets: &[(usize, Assigned)],
    target: &mut Target,
    pos: RowPos,
    exec: Option<&Exec<'_>>,
) -> SqlResult<Finished> {
    target.before(ast::TriggerEvent::Update, left_null_fails, ctx)?;
    let finished = write_change(ctx, ignore, sets, target, pos, exec)?;
    if finished != Finished::LeftOut {
        target.after(ast::TriggerEvent::Update, ctx)?;
    }
    Ok(finished)
}

fn write_change(
    ctx: &mut EvalContext,
    ignore: bool,
    sets: &[(usize, Assigned)],
    target: &mut Target,
    pos: RowPos,
    exec: Option<&Exec<'_>>,
) -> SqlResult<Finished> {
    target.compute(&[], ctx)?;
    if same(target) {
        return Ok(Finished::Same);
    }
    let table = Arc::clone(&target.table);
    let schema = Arc::clone(&target.schema);
    let mut stamped = false;
    for (i, c) in table.def().columns.iter().enumerate() {
        if c.on_update_now && !sets.iter().any(|(s, _)| *s == i) {
            let mut bytes = Vec::new();
            crate::types::store::put_now(&schema.columns[i], &mut bytes, ctx);
            target.new.set(i, &bytes);
            stamped = true;
        }
    }
    if stamped {
        target.compute(&[], ctx)?;
    }
    if !target.check(ignore, exec, ctx)? {
        return Ok(Finished::LeftOut);
    }
    target.forget_virtual();
    target.asked.update += 1;
    let moved = match target.leaves(pos, ctx) {
        Err(e) => return target.refuse_or_pass(e, ignore, ctx).map(|()| Finished::Refused),
        Ok(moved) => moved,
    };
    let written = match moved {
        true => target.move_row(pos),
        false => {
            let pos = target.enter(pos);
            let Target { writer, old, new, .. } = target;
            writer.update(pos, &old.as_view(), &new.as_view())
        }
    };
    match written {
        Ok(()) => {
            target.changed += 1;
            Ok(Finished::Changed)
        }
        Err(crate::table::EngineError::Duplicate { key, .. }) => {
            let e = target.duplicate(key, ctx);
            if ignore {
                if !target.quiet {
                    ctx.warnings.push_error(crate::warning::Level::Warning, &e);
                }
                return Ok(Finished::Refused);
            }
            Err(e)
        }
        Err(e) => Err(target.error(&e)),
    }
}

/// Whether the row stays as it is.
pub(crate) fn same(target: &Target) -> bool {
    let (a, b) = (target.old.as_view(), target.new.as_view());
    (0..a.len()).all(|i| a.column(i) == b.column(i))
}
