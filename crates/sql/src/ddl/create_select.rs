//! CREATE TABLE ... SELECT.

use std::sync::Arc;

use super::partition::fill::{NewRows, detach, files_of};
use crate::plan::definition::add_columns;
use crate::table::engine::{engine_of, exchange_files};
use crate::table::{EngineError as Error, RowBuf, Writer};
use pages::FilePlan;
use schema::definition::{ColumnDef, DefaultValue, TableDef};

use super::DefinitionBuilder;
use super::create::{all_indexes, finish, make, put_in_place};
use crate::ast::{CreateTable, OnDuplicate, Query};
use crate::dml::insert::copied;
use crate::dml::target::lacks_default;
use crate::error::{self, SqlError, SqlResult};
use crate::exec::Exec;
use crate::expr::EvalContext;
use crate::failure::from_pages;
use crate::plan::QueryPlan;
use crate::result::Done;
use crate::session::Session;
use crate::status::Counter;
use crate::table::OpenTable;
use crate::table::from_engine;
use crate::table::rules::{GeneratedSet, RuleScratch, Rules, with_completer};
use crate::types::store::{self, Column, StoreMode, Stored};
use crate::types::{Batch, FieldType, Kind};

/// Makes a table of the columns of a query beside those written, and fills it.
///
/// # Errors
/// Those of the query, of the definition and of the rows; there is no table then.
pub(super) fn create_select(
    session: &mut Session,
    c: &CreateTable,
    query: &Query,
    text: &[u8],
    (db, name): (&Arc<str>, &Arc<str>),
    mut def: TableDef,
) -> SqlResult<Done> {
    let strict = session.settings().sql_mode.strict() && c.on_duplicate != OnDuplicate::Ignore;
    // constants of conditions are computed as it is planned
    session.ctx.set_strict(strict);
    let plan = session.plan(query, text);
    session.ctx.set_strict(false);
    let plan = plan?;
    session.ctx.check_failed()?;
    let sources = add_columns(&plan, &mut def)?;
    let years = plan.types.iter().filter(|t| t.kind == Kind::Year && t.length == 2).count();
    crate::types::declared::warn_short_years(years, &mut session.ctx.warnings);
    let settings = session.settings().clone();
    let database = session.engine.catalog.database(db)?.collation;
    let mut d = DefinitionBuilder {
        enforced: None,
        engine: engine_of(&def),
        ctx: &mut session.ctx,
        settings: &settings,
        text,
        table: name,
        db,
        collation: def.options.collation,
        database_collation: database,
        timestamp_seen: true,
        new_keys_from: 0,
    };
    super::defaults::check_kept(d.ctx, &def)?;
    d.foreign_keys(&def, c.foreign_keys.iter())?;
    d.keys(&mut def, &all_indexes(c))?;
    d.checks(&c.checks, c.foreign_keys.iter(), &mut def)?;
    super::expressions::validate(&mut def, ("", name), d.ctx)?;
    if let Some(by) = &c.partition {
        d.partition(&mut def, by, c.options.engine.as_deref())?;
    }
    finish(&mut def)?;
    if c.temporary {
        make(session, c, db, name, def)?;
        let table = session.temporary(db, name).ok_or_else(|| SqlError::internal("the new table is gone"))?;
        let rows = NewRows::open(session, table.stored(), (db, name), (db, name));
        let result = rows.and_then(|rows| fill(session, c, &plan, &table, rows, &sources));
        if result.is_err() {
            session.drop_temporary(db, name)?;
        }
        return result;
    }
    if plan.tables.iter().any(|t| !t.temporary && t.db == *db && t.name == *name) {
        return Err(SqlError::new(error::ER_UPDATE_TABLE_USED, &[name, &"CREATE TABLE"]));
    }
    let names = session.lock_names(&[(db, name)])?;
    super::folders::check_free(session, &def, (db, name))?;
    // Beside, until its rows are complete: nobody ever sees half of it.
    let beside = super::scratch_table();
    let result = build(session, c, &plan, (db, name, &beside), &def, &sources).and_then(|done| {
        let files = exchange_files(FilePlan::new(), session.engine.store(), &def, (db, &beside), (db, name));
        put_in_place(session, c, db, name, files).map(|()| done)
    });
    if result.is_err() {
        super::discard(session, db, &beside);
    }
    drop(names);
    let done = result?;
    if session.locks.active {
        session.relock(db, name)?;
    }
    Ok(done)
}

/// Makes a table under another name and fills it; its files are complete then.
fn build(
    session: &mut Session,
    c: &CreateTable,
    plan: &Arc<QueryPlan>,
    (db, name, beside): (&Arc<str>, &Arc<str>, &str),
    def: &TableDef,
    sources: &[usize],
) -> SqlResult<Done> {
    let error = |e: crate::table::EngineError| from_engine(&e, db, name);
    let table = super::create_scratch(session, db, beside, def).map_err(error)?;
    let open = Arc::new(OpenTable::of_table(Arc::clone(db), Arc::clone(name), Arc::clone(&table), false));
    let rows = NewRows::open(session, &table, (db, beside), (db, name))?;
    let done = fill(session, c, plan, &open, rows, sources)?;
    let files = files_of(session, &table, (db, beside))?;
    detach(session, &table, &files, name)?;
    Ok(done)
}

/// Fills the new table with the rows of the query.
fn fill(
    session: &mut Session,
    c: &CreateTable,
    plan: &Arc<QueryPlan>,
    table: &Arc<OpenTable>,
    mut to: NewRows,
    places: &[usize],
) -> SqlResult<Done> {
    let def = Arc::clone(table.def());
    let connection = Arc::clone(&session.connection);
    let rules = table.rules(&mut session.ctx)?;
    let strict = session.settings().sql_mode.strict() && c.on_duplicate != OnDuplicate::Ignore;
    let mut room = RuleScratch::new(StoreMode::of(strict));
    let checks = session.settings().check_constraint_checks;
    let ignore = c.on_duplicate == OnDuplicate::Ignore;
    let settings = crate::dml::bulk::sort_settings(session).share(to.writers.len());
    for writer in &mut to.writers {
        writer.bulk_begin(None);
        writer.gather_keys(&settings);
    }
    let mut affected = 0u64;
    let mut records = 0u64;
    let mut duplicates = 0u64;
    let mut row = table.new_row();
    let targets = def.columns.iter().map(|c| Column::new(c, &table.db, &table.name)).collect();
    let mut filler =
        Filler { table, targets, places, types: &plan.types, strict, mode: room.mode, bytes: Vec::new() };
    session.ctx.set_strict(strict);
    warn_of_missing(&def, places, &mut session.ctx)?;
    session.with_snapshot(&plan.tables, |session, exec| {
        let ctx = &mut session.ctx;
        ctx.set_strict(strict && !plan.is_kept_set());
        if let (None, Some(from)) = (&rules, taken_over(plan, places, table, &to, ctx)) {
            records = take_over(exec, plan, from, table, &mut to, ctx)?;
            affected = records;
            session.found_by(exec, plan);
            return Ok(());
        }
        let mut running = exec.open(plan, ctx)?;
        while let Some(batch) = running.next(ctx)? {
            ctx.check_failed()?;
            for r in 0..batch.len {
                connection.check_killed()?;
                ctx.row = records + 1;
                row.clear();
                filler.fill(batch, r, to.auto_increment() + 1, &mut row, ctx)?;
                records += 1;
                if let Some(rules) = &rules
                    && let Some(e) = follow(rules, places, checks, &mut row, &mut room, ctx)?
                {
                    if !ignore {
                        return Err(e);
                    }
                    ctx.warnings.push_error(crate::warning::Level::Warning, &e);
                    records -= 1;
                    continue;
                }
                ctx.row = 0;
                to.route(&row, ctx)?;
                affected += insert(to.writer(), &row, c.on_duplicate, table, ctx, &mut duplicates)?;
                // a table without transactions: what comes behind its first row is kept
                ctx.set_strict(false);
                room.mode = StoreMode::Lenient;
                filler.mode = StoreMode::Lenient;
            }
        }
        running.finish(ctx)?;
        session.found_by(exec, plan);
        session.ctx.check_failed()
    })?;
    session.ctx.set_strict(false);
    build_keys(session, &mut to, rules.as_deref(), table)?;
    if let Some(lsn) = to.commit().map_err(|e| from_pages(&e, &table.name))? {
        session.await_durable(lsn, &table.name)?;
    }
    drop(to);
    session.connection.counters.add(Counter::HandlerWrite, records);
    Ok(Done {
        affected,
        info: format!(
            "Records: {records}  Duplicates: {duplicates}  Warnings: {}",
            session.ctx.warnings.count_all()
        ),
        ..Done::default()
    })
}

/// Tells of columns that get no value and have no default.
fn warn_of_missing(def: &TableDef, places: &[usize], ctx: &mut EvalContext) -> SqlResult<()> {
    for (i, column) in def.columns.iter().enumerate() {
        if !places.contains(&i) && lacks_default(column) {
            ctx.warnings.warn(error::ER_NO_DEFAULT_FOR_FIELD, &[&column.name]);
        }
    }
    ctx.check_failed()
}

/// The table whose rows are those of the new one, in the same bytes, and cannot be refused.
fn taken_over<'p>(
    plan: &'p QueryPlan,
    places: &[usize],
    table: &OpenTable,
    to: &NewRows,
    ctx: &EvalContext,
) -> Option<&'p Arc<OpenTable>> {
    let def = table.def();
    let plain = def.partition.is_none()
        && to.writers.len() == 1
        && table.format().keys.iter().all(|key| !key.is_unique() && key.long_hash.is_none())
        && def.columns.iter().all(|column| !column.auto_increment)
        && places.len() == def.columns.len()
        && places.iter().enumerate().all(|(n, place)| n == *place);
    let from = copied::whole_table(plan, ctx).filter(|_| plain)?;
    copied::is_alike(from, table, ctx.sql_mode).then_some(from)
}

/// Takes the rows of a table over; gives how many.
fn take_over(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    from: &OpenTable,
    table: &OpenTable,
    to: &mut NewRows,
    ctx: &mut EvalContext,
) -> SqlResult<u64> {
    exec.count_plan(plan);
    let mut records = 0;
    copied::each_row(exec, from, ctx, &mut |row, _| {
        to.writer().insert_as_read(row).map_err(|e| from_engine(&e, &table.db, &table.name))?;
        records += 1;
        Ok(())
    })?;
    Ok(records)
}

/// Builds the keys that waited for the rows.
fn build_keys(
    session: &mut Session,
    to: &mut NewRows,
    rules: Option<&Rules>,
    table: &OpenTable,
) -> SqlResult<()> {
    let connection = Arc::clone(&session.connection);
    let settings = crate::dml::bulk::sort_settings(session);
    for writer in &mut to.writers {
        let built = with_completer(rules, &mut session.ctx, |complete| match writer.is_bulk() {
            true => writer.bulk_end_of(&settings, complete, &|| connection.killed()),
            false => writer.end_waiting(&|| connection.killed()),
        });
        built.map_err(|e| table.error(&e))?;
    }
    Ok(())
}

/// Computes what the definition computes of a row; gives the error of a CHECK that it does not pass.
fn follow(
    rules: &Rules,
    places: &[usize],
    checks: bool,
    row: &mut RowBuf,
    room: &mut RuleScratch,
    ctx: &mut EvalContext,
) -> SqlResult<Option<SqlError>> {
    for (column, _) in rules.defaults.iter().filter(|d| !places.contains(&d.0)) {
        rules.set_default(*column, row, room, ctx)?;
    }
    rules.compute(GeneratedSet::Written, row, room, ctx)?;
    ctx.check_failed()?;
    let broken = if checks { rules.broken(row, room, ctx)? } else { None };
    Ok(broken.map(|b| rules.failed(b)))
}

/// Makes rows of the new table of those of the query.
struct Filler<'a> {
    table: &'a OpenTable,
    targets: Vec<Column>,
    /// The columns of the table that those of the query go to.
    places: &'a [usize],
    types: &'a [FieldType],
    strict: bool,
    /// Of the row at hand.
    mode: StoreMode,
    bytes: Vec<u8>,
}

impl Filler<'_> {
    fn fill(
        &mut self,
        batch: &Batch,
        r: usize,
        next_number: u64,
        row: &mut RowBuf,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        for (i, column) in self.table.def().columns.iter().enumerate() {
            if column.generated.is_some() {
                if let Some(from) = self.places.iter().position(|p| *p == i)
                    && (!batch.columns[from].is_null(r) || self.types[from].kind != Kind::Null)
                {
                    ctx.set_strict(self.strict);
                    let code = error::ER_WARNING_NON_DEFAULT_VALUE_FOR_GENERATED_COLUMN;
                    ctx.warnings.warn(code, &[&column.name, &&*self.table.name]);
                    ctx.check_failed()?;
                }
                continue;
            }
            self.bytes.clear();
            let stored = match self.places.iter().position(|p| *p == i) {
                Some(from) => {
                    let (value, ty) = (batch.columns[from].get(r), &self.types[from]);
                    store::store(value, ty, &self.targets[i], self.mode, &mut self.bytes, ctx)?
                        != Stored::Null
                }
                None => default_into(column, &self.targets[i], &mut self.bytes, ctx),
            };
            if stored {
                row.set(i, &self.bytes);
            } else if column.nullable
                || !self.places.contains(&i) && matches!(column.default, DefaultValue::Expression(_))
            {
                row.set_null(i);
            } else if column.auto_increment {
                let next = next_number.to_le_bytes();
                row.set(i, &next[..schema::layout::column_width(column).min(8) as usize]);
            } else if self.strict {
                return Err(SqlError::new(error::ER_BAD_NULL_ERROR, &[&column.name]));
            } else {
                ctx.warnings.warn(error::ER_BAD_NULL_ERROR, &[&column.name]);
                row.set(i, &schema::layout::zero_value(column));
            }
        }
        Ok(())
    }
}

/// The default of a column that the query does not give; false for NULL.
fn default_into(
    column: &ColumnDef,
    target: &Column,
    out: &mut Vec<u8>,
    ctx: &mut crate::expr::EvalContext,
) -> bool {
    match &column.default {
        DefaultValue::Value(v) => {
            out.extend_from_slice(v);
            true
        }
        DefaultValue::Now => {
            store::put_now(target, out, ctx);
            true
        }
        DefaultValue::None if !column.nullable && !column.auto_increment => {
            out.extend_from_slice(&schema::layout::zero_value(column));
            true
        }
        _ => false,
    }
}

/// Inserts one row; the number of rows changed.
fn insert(
    to: &mut Writer<pages::TableWriter>,
    row: &RowBuf,
    on_duplicate: OnDuplicate,
    table: &OpenTable,
    ctx: &mut crate::expr::EvalContext,
    duplicates: &mut u64,
) -> SqlResult<u64> {
    let mut changed = 1;
    loop {
        match to.insert(&row.as_view()) {
            Ok(_) => return Ok(changed),
            Err(Error::Duplicate { key, existing }) => {
                let e = super::alter::duplicate_error(ctx, table.stored(), key, &row.as_view());
                match on_duplicate {
                    OnDuplicate::Error => return Err(e),
                    OnDuplicate::Ignore => {
                        *duplicates += 1;
                        ctx.warnings.push_error(crate::warning::Level::Warning, &e);
                        return Ok(0);
                    }
                    OnDuplicate::Replace => {
                        if changed == 1 {
                            *duplicates += 1;
                        }
                        let mut old = table.new_row();
                        let mut scratch = crate::table::RowScratch::new();
                        let view =
                            table.row(to.store(), existing, &mut scratch).map_err(|e| table.error(&e))?;
                        old.copy_from(&view);
                        to.delete(existing, &old.as_view()).map_err(|e| table.error(&e))?;
                        changed += 1;
                    }
                }
            }
            Err(e) => return Err(from_engine(&e, &table.db, &table.name)),
        }
    }
}
