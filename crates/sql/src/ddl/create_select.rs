//! CREATE TABLE ... SELECT.

use std::sync::Arc;

use crate::table::engine::{engine_of, exchange_files};
use crate::table::{EngineError as Error, RowBuf, Writer};
use pages::FilePlan;
use schema::definition::{ColumnDef, ColumnType, DefaultValue, NOT_FIXED_DECIMALS, TableDef, Visibility};

use super::DefinitionBuilder;
use super::create::{all_indexes, finish, make, put_in_place};
use super::types::MAX_VARCHAR;
use crate::ast::{CreateTable, OnDuplicate, Query};
use crate::dml::target::lacks_default;
use crate::error::{self, SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::failure::from_pages;
use crate::names::same_name;
use crate::plan::temporary::LONGEST_VARCHAR;
use crate::plan::{Body, QueryPlan, Relation};
use crate::result::{Done, NOT_FIXED_DEC};
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
    let plan = session.plan(query, text)?;
    let sources = add_columns(&plan, &mut def)?;
    let years = plan.types.iter().filter(|t| t.kind == Kind::Year && t.length == 2).count();
    super::types::warn_short_years(years, &mut session.ctx.warnings);
    let settings = session.settings().clone();
    let database = session.engine.catalog.database(db)?.collation;
    let mut d = DefinitionBuilder {
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
    d.foreign_keys(&def, c.foreign_keys.iter())?;
    d.keys(&mut def, &all_indexes(c))?;
    super::expressions::validate(&mut def, ("", name), d.ctx)?;
    finish(&mut def)?;
    if c.temporary {
        make(session, c, db, name, def)?;
        let table = session.temporary(db, name).ok_or_else(|| SqlError::internal("the new table is gone"))?;
        let result = fill(session, c, &plan, &table, &sources);
        if result.is_err() {
            session.drop_temporary(db, name);
        }
        return result;
    }
    if plan.tables.iter().any(|t| !t.temporary && t.db == *db && t.name == *name) {
        return Err(SqlError::new(error::ER_UPDATE_TABLE_USED, &[name, &"CREATE TABLE"]));
    }
    let names = session.lock_names(&[(db, name)])?;
    // Beside, until its rows are complete: nobody ever sees half of it.
    let beside = super::scratch_table();
    let result = build(session, c, &plan, (db, name, &beside), &def, &sources).and_then(|done| {
        let files = exchange_files(FilePlan::new(), &def, (db, &beside), (db, name));
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
    let store = Arc::clone(session.engine.store());
    let error = |e: crate::table::EngineError| from_engine(&e, db, name);
    let table = super::create_scratch(session, db, beside, def).map_err(error)?;
    let open = Arc::new(OpenTable::of_table(Arc::clone(db), Arc::clone(name), table, false));
    let done = fill(session, c, plan, &open, sources)?;
    store.detach(open.pages()).map_err(|e| from_pages(&e, name))?;
    Ok(done)
}

/// The columns of a view, as those of a table that is made of it: what is computed has a default.
///
/// # Errors
/// 1060, 1166.
pub(crate) fn view_columns(plan: &QueryPlan) -> SqlResult<Vec<ColumnDef>> {
    let mut def = TableDef::new("MyISAM", charset::system());
    add_columns(plan, &mut def)?;
    for (c, meta) in def.columns.iter_mut().zip(&plan.schema.columns) {
        if !c.nullable && c.default == DefaultValue::None && meta.org_table.is_empty() {
            c.default = DefaultValue::Value(schema::layout::zero_value(c).into());
        }
    }
    Ok(def.columns)
}

/// Adds the columns of the query; those that the statement spells out too keep their definition
/// but stand where the query has them. Gives the place of each column of the query.
fn add_columns(plan: &QueryPlan, def: &mut TableDef) -> SqlResult<Vec<usize>> {
    let mut written = std::mem::take(&mut def.columns);
    let mut of_query: Vec<ColumnDef> = Vec::with_capacity(plan.types.len());
    for (i, meta) in plan.schema.columns.iter().enumerate() {
        let name = &plan.names[i];
        super::columns::check_column_name(name)?;
        if of_query.iter().any(|c| same_name(&c.name, name)) {
            return Err(SqlError::new(error::ER_DUP_FIELDNAME, &[name]));
        }
        if let Some(w) = written.iter().position(|c| same_name(&c.name, name)) {
            of_query.push(written.remove(w));
            continue;
        }
        if let Some(c) = extreme_of_column(plan, i) {
            of_query.push(copied(&ColumnDef { default: DefaultValue::Null, ..c.clone() }, name, true));
            continue;
        }
        let base = plan
            .tables
            .iter()
            .find(|t| !meta.org_name.is_empty() && *t.db == *meta.db && *t.name == *meta.org_table)
            .and_then(|t| t.def().columns.iter().find(|c| c.name == meta.org_name));
        of_query.push(match base {
            Some(c) => copied(c, name, plan.types[i].nullable),
            None if is_computed(plan, i) && plan.types[i].kind == Kind::Char => {
                // what is computed of CHAR values is VARCHAR; an empty text stays CHAR(0)
                let kind = if plan.types[i].length == 0 { Kind::Char } else { Kind::Varchar };
                column_of(name, &FieldType { kind, ..plan.types[i].clone() })
            }
            None => column_of(name, &plan.types[i]),
        });
        if let Some(c) = of_query.last_mut().filter(|c| base.is_none() && is_long(c) && is_made(plan, i)) {
            c.ty = ColumnType::Blob { length_bytes: 2 };
        }
    }
    let first = written.len();
    def.columns = written;
    def.columns.extend(of_query);
    Ok((0..plan.types.len()).map(|i| first + i).collect())
}

/// The column whose least or greatest value column `i` is.
fn extreme_of_column(plan: &QueryPlan, i: usize) -> Option<&ColumnDef> {
    use crate::ast::AggregateFunction as F;
    use crate::expr::Node;
    let Body::Block(block) = &plan.body else { return None };
    let n = match &block.output.get(i)?.node {
        Node::Aggregate(n) => *n,
        Node::Column(c) if c.table == u32::MAX => c.column,
        _ => return None,
    };
    let call = block.group.as_ref()?.aggregates.get(n as usize)?;
    if !matches!(call.function, F::Min | F::Max) {
        return None;
    }
    // words are compared as text
    let arg = match &call.args.first()?.node {
        Node::Convert(inner) => inner,
        _ => call.args.first()?,
    };
    let column = arg.as_column()?;
    let Relation::Base(open) = &block.tables.get(column.table as usize)?.relation else { return None };
    open.def().columns.get(column.column as usize)
}

/// Whether a VARCHAR holds more than what is computed may have: longer texts are TEXT.
fn is_long(c: &ColumnDef) -> bool {
    let ColumnType::Varchar { bytes } = c.ty else { return false };
    u32::from(bytes) > LONGEST_VARCHAR * u32::from(c.collation.charset.mbmaxlen)
}

/// Whether column `i` is computed, if need be in a derived table. What went through the table of a UNION is not.
fn is_made(plan: &QueryPlan, i: usize) -> bool {
    let Body::Block(block) = &plan.body else { return false };
    let Some(e) = block.output.get(i) else { return false };
    match e.as_column().filter(|c| c.table != u32::MAX) {
        None => true,
        Some(c) => match block.tables.get(c.table as usize).map(|t| &t.relation) {
            Some(Relation::Derived(inner)) => is_made(inner, c.column as usize),
            Some(Relation::Base(open)) => {
                let own = open.def().columns.get(c.column as usize).map(|d| d.collation);
                own.is_some_and(|own| !std::ptr::eq(own, e.ty.collation))
            }
            _ => false,
        },
    }
}

/// Whether column `i` is an expression of a single SELECT, and no column of its tables.
fn is_computed(plan: &QueryPlan, i: usize) -> bool {
    match &plan.body {
        Body::Block(block) => {
            block.output.get(i).is_some_and(|e| e.as_column().is_none_or(|c| c.table == u32::MAX))
        }
        _ => false,
    }
}

/// A column as that of another table.
fn copied(c: &ColumnDef, name: &str, nullable: bool) -> ColumnDef {
    let mut new = c.clone();
    new.name = name.to_string();
    if new.auto_increment {
        new.auto_increment = false;
        new.default = DefaultValue::Value(schema::layout::zero_value(&new).into());
    }
    if nullable && !new.nullable {
        new.nullable = true;
        if new.default == DefaultValue::None {
            new.default = DefaultValue::Null;
        }
    }
    if new.generated.take().is_some() && new.nullable && new.default == DefaultValue::None {
        new.default = DefaultValue::Null;
    }
    new.check = None;
    new.visibility = Visibility::Visible;
    new
}

/// A column that holds the values of an expression.
pub(crate) fn column_of(name: &str, ty: &FieldType) -> ColumnDef {
    let ty = &ty.fixed();
    let stored = match ty.kind {
        Kind::Null => ColumnType::Char { bytes: 0 },
        Kind::Tiny => ColumnType::Tiny,
        Kind::Short => ColumnType::Short,
        Kind::Int24 => ColumnType::Int24,
        Kind::Long => ColumnType::Long,
        Kind::LongLong => ColumnType::LongLong,
        Kind::Float | Kind::Double => {
            let decimals = if ty.decimals == NOT_FIXED_DEC { NOT_FIXED_DECIMALS } else { ty.decimals };
            if ty.kind == Kind::Float {
                ColumnType::Float { decimals }
            } else {
                ColumnType::Double { decimals }
            }
        }
        Kind::Decimal => ColumnType::Decimal { precision: ty.precision(), scale: ty.decimals },
        Kind::Year => ColumnType::Year,
        Kind::Bit => ColumnType::Bit { bits: ty.length.clamp(1, 64) as u8, as_char: false },
        Kind::Date => ColumnType::Date,
        Kind::Time => ColumnType::Time { decimals: ty.decimals.min(6) },
        Kind::DateTime => ColumnType::DateTime { decimals: ty.decimals.min(6) },
        Kind::Timestamp => ColumnType::Timestamp { decimals: ty.decimals.min(6) },
        Kind::Char => ColumnType::Char { bytes: ty.length.min(65535) as u16 },
        Kind::Varchar if ty.length == 0 => ColumnType::Char { bytes: 0 },
        Kind::Varchar if u64::from(ty.length) <= MAX_VARCHAR => {
            ColumnType::Varchar { bytes: ty.length as u16 }
        }
        Kind::Enum | Kind::Set => match (&ty.values, ty.kind) {
            (Some(v), Kind::Enum) => ColumnType::Enum { values: Arc::clone(v) },
            (Some(v), _) => ColumnType::Set { values: Arc::clone(v) },
            (None, _) => ColumnType::Varchar { bytes: ty.length.min(65532) as u16 },
        },
        Kind::TinyBlob => ColumnType::Blob { length_bytes: 1 },
        Kind::Varchar | Kind::Blob => {
            ColumnType::Blob { length_bytes: if ty.length > 65535 { 3 } else { 2 } }
        }
        Kind::MediumBlob => ColumnType::Blob { length_bytes: 3 },
        // a parameter tells how long it is
        Kind::LongBlob => ColumnType::Blob {
            length_bytes: match ty.length {
                0..=0xff => 1,
                0x100..=0xffff => 2,
                0x1_0000..=0xff_fffe => 3,
                _ => 4,
            },
        },
        Kind::Geometry => ColumnType::Geometry { kind: schema::definition::GeometryKind::Geometry, srid: 0 },
        Kind::Uuid => ColumnType::Uuid,
        Kind::Inet4 => ColumnType::Inet4,
        Kind::Inet6 => ColumnType::Inet6,
    };
    let mut c = ColumnDef::new(name, stored, ty.collation);
    c.unsigned = ty.unsigned;
    c.zerofill = ty.zerofill;
    if c.ty.is_integer() || matches!(c.ty, ColumnType::Float { .. } | ColumnType::Double { .. }) {
        c.width = if ty.zerofill { u16::from(ty.zeros) } else { ty.length.min(255) as u16 };
    }
    if c.ty == ColumnType::Year && ty.length == 2 {
        c.width = 2;
    }
    c.nullable = ty.nullable;
    c.default = if ty.nullable { DefaultValue::Null } else { DefaultValue::None };
    c
}

/// Fills the new table with the rows of the query.
fn fill(
    session: &mut Session,
    c: &CreateTable,
    plan: &Arc<QueryPlan>,
    table: &Arc<OpenTable>,
    places: &[usize],
) -> SqlResult<Done> {
    let def = Arc::clone(table.def());
    let connection = Arc::clone(&session.connection);
    let rules = table.rules(&mut session.ctx)?;
    let strict = session.settings().sql_mode.strict() && c.on_duplicate != OnDuplicate::Ignore;
    let mut room = RuleScratch::new(StoreMode::of(strict));
    let checks = session.settings().check_constraint_checks;
    let ignore = c.on_duplicate == OnDuplicate::Ignore;
    let writer = table
        .pages()
        .write_lock(session.owner(), session.lock_timeout(), &|| connection.killed())
        .map_err(|e| from_pages(&e, &table.name))?;
    let mut to = Writer::new(Arc::clone(table.format()), writer);
    let bulk = to.bulk_begin(None);
    let mut affected = 0u64;
    let mut records = 0u64;
    let mut duplicates = 0u64;
    let mut row = table.new_row();
    let targets = def.columns.iter().map(|c| Column::new(c, &table.db, &table.name)).collect();
    let mut filler =
        Filler { table, targets, places, types: &plan.types, strict, mode: room.mode, bytes: Vec::new() };
    session.ctx.set_strict(strict);
    for (i, column) in def.columns.iter().enumerate() {
        if !places.contains(&i) && lacks_default(column) {
            session.ctx.warnings.warn(error::ER_NO_DEFAULT_FOR_FIELD, &[&column.name]);
        }
    }
    session.ctx.check_failed()?;
    session.with_snapshot(&plan.tables, |session, exec| {
        let ctx = &mut session.ctx;
        ctx.set_strict(strict);
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
                affected += insert(&mut to, &row, c.on_duplicate, table, ctx, &mut duplicates)?;
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
    if bulk {
        let settings = crate::dml::bulk::sort_settings(session);
        with_completer(rules.as_deref(), &mut session.ctx, |complete| {
            to.bulk_end_of(&settings, complete, &|| connection.killed())
        })
        .map_err(|e| table.error(&e))?;
    }
    let lsn = to.into_store().commit().map_err(|e| from_pages(&e, &table.name))?;
    session.await_durable(lsn, &table.name)?;
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
