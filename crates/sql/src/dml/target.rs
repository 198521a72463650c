//! The table a statement writes: its writer, and what goes through it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::update::ColumnsRead;
use crate::table::PageStore;
use crate::table::write_room::WriteRoom;
use crate::table::{PageSource, RowBuf, RowPos, RowScratch};
use pages::{ExclusiveGuard, PageMut, TableWriter};
use schema::definition::DefaultValue;

use crate::error::{
    ER_BAD_NULL_ERROR, ER_NO_DEFAULT_FOR_FIELD, ER_WARNING_NON_DEFAULT_VALUE_FOR_GENERATED_COLUMN, Origin,
    SqlError, SqlResult, WARN_DATA_TRUNCATED,
};
use crate::exec::Exec;
use crate::expr::EvalContext;
use crate::failure::from_pages;
use crate::plan::change::WriteSchema;
use crate::rights::privilege::SELECT;
use crate::session::Session;
use crate::status::Counter;
use crate::table::OpenTable;
use crate::table::from_engine;
use crate::table::rules::{GeneratedSet, RuleScratch};
use crate::types::store::{self, StoreMode, Stored};
use crate::types::{Batch, FieldType, Kind, Vector, load};
use crate::variables::SqlMode;

/// The lock under which a table is written: the statement's own, or that of LOCK TABLES.
pub(crate) enum Held {
    Own(TableWriter),
    Locked(ExclusiveGuard),
    /// That of LOCK TABLES ... WRITE CONCURRENT.
    Shared(TableWriter),
}

impl Held {
    pub(super) fn get(&self) -> &TableWriter {
        match self {
            Held::Own(w) | Held::Shared(w) => w,
            Held::Locked(g) => g.working(),
        }
    }

    /// The writer, for marks and commits.
    pub fn get_mut(&mut self) -> &mut TableWriter {
        match self {
            Held::Own(w) | Held::Shared(w) => w,
            Held::Locked(g) => g.writer(),
        }
    }
}

impl PageSource for Held {
    fn state(&self) -> &[u8] {
        self.get().state()
    }

    fn index_page(&self, offset: u64, len: usize) -> pages::Result<&[u8]> {
        self.get().index_page(offset, len)
    }

    fn prefetch_index(&self, offsets: &[u64], len: usize) {
        self.get().prefetch_index(offsets, len);
    }

    fn data<'a>(&'a self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> pages::Result<&'a [u8]> {
        self.get().data(offset, len, scratch)
    }

    fn data_run(&self, offset: u64) -> pages::Result<&[u8]> {
        self.get().data_run(offset)
    }
}

impl PageStore for Held {
    type Page<'a> = PageMut<'a>;

    fn state_mut(&mut self) -> &mut [u8] {
        self.get_mut().state_mut()
    }

    fn index_page_mut(&mut self, offset: u64, len: usize) -> pages::Result<PageMut<'_>> {
        self.get_mut().index_page_mut(offset, len)
    }

    fn index_page_new(&mut self, offset: u64, len: usize) -> pages::Result<PageMut<'_>> {
        self.get_mut().index_page_new(offset, len)
    }

    fn data_write(&mut self, offset: u64, bytes: &[u8]) -> pages::Result<()> {
        self.get_mut().data_write(offset, bytes)
    }

    fn raise_auto_increment(&self, value: u64) {
        self.get().table().auto_increment().fetch_max(value, Ordering::AcqRel);
    }
}

/// Calls that write rows, and those that read a row by its place.
#[derive(Default)]
pub(crate) struct Asked {
    /// Handler_write
    pub write: u64,
    /// Handler_update
    pub update: u64,
    /// Handler_delete
    pub delete: u64,
    /// Handler_read_rnd
    pub read: u64,
}

impl Asked {
    fn count(&self, session: &Session) {
        let all = [
            (Counter::HandlerWrite, self.write),
            (Counter::HandlerUpdate, self.update),
            (Counter::HandlerDelete, self.delete),
            (Counter::HandlerReadRnd, self.read),
            (Counter::RowsRead, self.read),
        ];
        for (counter, n) in all.into_iter().filter(|(_, n)| *n > 0) {
            session.connection.counters.add(counter, n);
        }
    }
}

/// A table being written by the running statement.
pub(crate) struct Target {
    pub table: Arc<OpenTable>,
    pub schema: Arc<WriteSchema>,
    pub writer: crate::table::Writer<Held>,
    pub scratch: RowScratch,
    /// The row as it was.
    pub old: RowBuf,
    /// The row as it becomes.
    pub new: RowBuf,
    /// Rows changed by this statement.
    pub changed: u64,
    /// Its triggers have changed rows, which ends strictness as rows of its own do.
    pub(super) wrote: bool,
    /// What it asked of the table, for the status counters.
    pub asked: Asked,
    /// Whether who runs the statement may see the values of rows.
    pub shows_values: bool,
    /// Skipped duplicates raise no warning: UPDATE IGNORE.
    pub quiet: bool,
    /// The statement is an UPDATE: NULL asks for no number.
    pub updates: bool,
    /// The statement supplied an explicit AUTO_INCREMENT value.
    pub explicit_auto_increment: bool,
    bytes: Vec<u8>,
    /// Where what it works in comes from and goes to.
    kept: Box<WriteRoom>,
    pub(super) room: RuleScratch,
    /// All virtual columns of new rows are computed, as in MariaDB once those of an old one were.
    pub(super) all_virtual: bool,
    /// Constraints are checked (`check_constraint_checks`).
    checks: bool,
    /// Rows of a session's own tables concern nobody.
    pub(super) mark: Option<crate::session::writing::WriteIntent>,
    /// Of a MERGE table.
    pub(super) children: Option<Box<super::children::Children>>,
    /// NULLs that triggers may still do away with.
    pub(super) pending: super::triggers::Pending,
    /// What was published for triggers, which the commit waits for.
    pub(super) published: Option<pages::Lsn>,
    /// Stored functions of the statement find the rows so far.
    pub(super) shown: bool,
    /// It has locks for the statements of triggers, which end with it.
    pub(super) lends: bool,
}

impl Target {
    /// Takes the table's write lock, waiting for its turn.
    ///
    /// # Errors
    /// 1205, 1317; the internal error of a stale table.
    pub fn lock(
        session: &mut Session,
        table: &Arc<OpenTable>,
        schema: &Arc<WriteSchema>,
    ) -> SqlResult<Target> {
        if schema.triggers.is_some() {
            let wanted = [(0, Arc::clone(table), Arc::clone(schema))];
            let locked = super::prelock::lock(session, &wanted)?.pop();
            return locked.map(|(_, t)| t).ok_or_else(|| SqlError::internal("no table was locked"));
        }
        Target::lock_alone(session, table, schema)
    }

    /// As [`Target::lock`], without the tables that triggers write.
    ///
    /// # Errors
    /// As there.
    pub(super) fn lock_alone(
        session: &mut Session,
        table: &Arc<OpenTable>,
        schema: &Arc<WriteSchema>,
    ) -> SqlResult<Target> {
        table.check_writable()?;
        if let Some(triggers) = &schema.triggers {
            triggers.broken.clone().map_or(Ok(()), Err)?;
            session.make_host();
        }
        Target::lock_to_note(session, table, schema)
    }

    /// As [`Target::lock`] for CHECK and ANALYZE, which note what they found and change no row: a table that is read only will do.
    ///
    /// # Errors
    /// As there.
    pub fn lock_to_note(
        session: &mut Session,
        table: &Arc<OpenTable>,
        schema: &Arc<WriteSchema>,
    ) -> SqlResult<Target> {
        refuse_taken(session, table)?;
        if session.ctx.host.is_some() {
            session.keep_from_functions(table);
        }
        session.use_in_transaction(std::slice::from_ref(table));
        if session.is_blocked() {
            session.wait_for_blockers()?;
        }
        if table.asks_sequences {
            session.make_host();
        }
        let lasts = |t: &OpenTable| !t.temporary;
        let concerns = lasts(table) || table.children().is_some_and(|c| c.tables().iter().any(|t| lasts(t)));
        let mut mark = if !concerns { None } else { Some(session.begin_write()?) };
        let (writer, children) = super::children::lock(session, table, &mut mark)?;
        let mut kept = session.write_room.take().unwrap_or_default();
        let (old, new) = (kept.row(table), kept.row(table));
        Ok(Target {
            writer: writer.with_scratch(std::mem::take(&mut kept.writer)),
            children,
            pending: super::triggers::Pending::default(),
            published: None,
            shown: false,
            lends: false,
            schema: Arc::clone(schema),
            scratch: std::mem::take(&mut kept.read),
            old,
            new,
            changed: 0,
            wrote: false,
            asked: Asked::default(),
            quiet: false,
            updates: false,
            explicit_auto_increment: false,
            bytes: std::mem::take(&mut kept.bytes),
            kept,
            room: RuleScratch::default(),
            all_virtual: false,
            checks: session.settings().check_constraint_checks,
            shows_values: session.rights.need_table(&table.db, &table.name, SELECT).is_ok(),
            mark,
            table: Arc::clone(table),
        })
    }

    /// Publishes what was changed, gives the lock back, and waits as `durability` asks.
    ///
    /// # Errors
    /// When the journal cannot be written: nothing is changed then.
    pub fn commit(self, session: &mut Session) -> SqlResult<()> {
        let name = Arc::clone(&self.table.name);
        let published = self.commit_published(session)?;
        published.map_or(Ok(()), |lsn| session.await_durable(lsn, &name))
    }

    /// As [`Target::commit`], without waiting: the caller has to, for the commit that is returned.
    ///
    /// # Errors
    /// As there.
    fn commit_published(mut self, session: &mut Session) -> SqlResult<Option<pages::Lsn>> {
        if self.children.is_some() {
            return Target::commit_all(vec![self], session).map(|()| None);
        }
        session.ctx.calls.wrote |= self.changed > 0 || self.wrote;
        self.asked.count(session);
        let (mut lent, before) = match self.lends {
            true => super::prelock::release(session),
            false => Default::default(),
        };
        let published = self.published.max(before);
        let table = Arc::clone(&self.table);
        let (mut held, scratch) = self.writer.into_parts();
        self.kept.fill(scratch, self.scratch, self.bytes, [self.old, self.new]);
        session.write_room = Some(self.kept);
        let mut writers: Vec<&mut TableWriter> = Vec::new();
        let killed = || session.connection.killed();
        writers.extend(lent.iter_mut().map(|(_, held)| held.get_mut()).filter(|writer| writer.is_dirty()));
        let committed = if !writers.is_empty() {
            // with what its triggers have written
            writers.extend(Some(held.get_mut()).filter(|writer| writer.is_dirty()));
            session.engine.store().commit_all(&mut writers, &killed).map(Some)
        } else if held.get().is_dirty() && !super::prelock::waits(session, &table) {
            held.get_mut().commit_unless(&killed).map(Some)
        } else {
            Ok(None)
        };
        give_back(session, &table, held);
        lent.into_iter().for_each(|(table, held)| give_back(session, &table, held));
        let lsn = committed.map_err(|e| from_pages(&e, &table.name))?.or(published);
        if &*table.db == "mysql" && matches!(&*table.name, "proc" | "isambard_proc") && !session.internal {
            session.engine.routines.forget_all();
        }
        Ok(lsn)
    }

    /// As [`Target::commit`] for all tables of a statement: their changes become visible and durable together.
    ///
    /// # Errors
    /// When the journal cannot be written: nothing is changed then.
    pub fn commit_all(targets: Vec<Target>, session: &mut Session) -> SqlResult<()> {
        let store = Arc::clone(session.engine.store());
        session.ctx.calls.wrote |= targets.iter().any(|t| t.changed > 0 || t.wrote);
        let mut name = Arc::default();
        let mut held = Vec::with_capacity(targets.len());
        let mut marks = Vec::with_capacity(targets.len());
        let mut published = targets.iter().filter_map(|t| t.published).max();
        if targets.iter().any(|t| t.lends) {
            let (lent, before) = super::prelock::release(session);
            held.extend(lent);
            published = published.max(before);
        }
        for target in targets {
            target.asked.count(session);
            name = Arc::clone(&target.table.name);
            let (own, mark) = target.into_held();
            held.extend(own);
            marks.push(mark);
        }
        let mut writers: Vec<&mut TableWriter> =
            held.iter_mut().map(|(_, held)| held.get_mut()).filter(|writer| writer.is_dirty()).collect();
        let committed = if writers.is_empty() {
            Ok(None)
        } else {
            store.commit_all(&mut writers, &|| session.connection.killed()).map(Some)
        };
        for (table, held) in held {
            give_back(session, &table, held);
        }
        drop(marks);
        let lsn = committed.map_err(|e| from_pages(&e, &name))?.or(published);
        lsn.map_or(Ok(()), |lsn| session.await_durable(lsn, &name))
    }

    /// Undoes everything the statement did and gives the lock back.
    pub fn rollback(self, session: &mut Session) {
        self.asked.count(session);
        let lends = self.lends;
        let (mut held, _mark) = self.into_held();
        if lends {
            held.extend(super::prelock::release(session).0);
        }
        for (table, mut held) in held {
            held.get_mut().rollback();
            give_back(session, &table, held);
        }
    }

    /// Ends a statement: after a statement error the rows changed so far are kept, as MyISAM does; after a storage error the whole
    /// statement is rolled back.
    ///
    /// # Errors
    /// The statement's own, or that of the commit.
    pub fn end<T>(self, session: &mut Session, result: SqlResult<T>) -> SqlResult<T> {
        let name = Arc::clone(&self.table.name);
        let (result, published) = self.end_published(session, result)?;
        published.map_or(Ok(()), |lsn| session.await_durable(lsn, &name))?;
        result
    }

    /// As [`Target::end`], without waiting as `durability` asks: everybody whose rows are in the commit that is returned has to. The result comes back
    /// where what was changed stays.
    ///
    /// # Errors
    /// What undid the statement.
    pub fn end_published<T>(
        mut self,
        session: &mut Session,
        result: SqlResult<T>,
    ) -> SqlResult<(SqlResult<T>, Option<pages::Lsn>)> {
        if let Err(e) = &result
            && undoes(e)
        {
            let e = e.clone();
            self.rollback(session);
            return Err(e);
        }
        if self.is_bulk()
            && let Err(e) = self.bulk_end(session, result.is_err())
        {
            self.rollback(session);
            return Err(result.err().unwrap_or(e));
        }
        if let Err(e) = self.end_waiting(session) {
            self.rollback(session);
            return Err(result.err().unwrap_or(e));
        }
        let published = self.commit_published(session)?;
        Ok((result, published))
    }

    /// Begins a row, which is the first one while nothing was `changed`. In strict mode it is refused for values that do not
    /// fit, but later ones only under STRICT_ALL_TABLES: what went before cannot be undone.
    pub fn begin_row(&mut self, strict: bool, changed: u64, ctx: &mut EvalContext) {
        self.room.mode = match strict {
            false => StoreMode::Lenient,
            true if changed == 0 && !self.wrote || ctx.sql_mode.has(SqlMode::STRICT_ALL_TABLES) => {
                StoreMode::Strict
            }
            true => StoreMode::LaterRow,
        };
        ctx.set_strict(self.room.mode == StoreMode::Strict);
        self.pending.clear();
    }

    /// What becomes of values that do not fit into the row at hand.
    pub fn mode(&self) -> StoreMode {
        self.room.mode
    }

    /// Reads the row at `pos` as the statement left it into `old`; false when it is gone.
    ///
    /// # Errors
    /// Damaged files.
    pub fn read(&mut self, pos: RowPos, ctx: &mut EvalContext) -> SqlResult<bool> {
        if !self.read_stored(pos)? {
            return Ok(false);
        }
        // keys over virtual columns must find the row's entries
        if let Some(rules) = &self.schema.rules
            && rules.virtual_keys
        {
            rules.complete((GeneratedSet::Keyed, self.updates), &mut self.old, &mut self.room, ctx)?;
        }
        Ok(true)
    }

    /// What lies in the file of the row at `pos`, into `old`; false when it is gone.
    fn read_stored(&mut self, pos: RowPos) -> SqlResult<bool> {
        let pos = self.enter(pos);
        let Target { writer, scratch, old, .. } = self;
        match writer.format().row(writer.store(), pos, scratch) {
            Ok(row) => old.copy_from(&row),
            Err(crate::table::EngineError::Deleted { .. }) => return Ok(false),
            Err(e) => return Err(self.error(&e)),
        }
        Ok(true)
    }

    /// Reads the row that refuses the one in `new` into `old`, with all its virtual columns: as in MariaDB they are computed as
    /// strictly as the new row is stored, and what fails is told as an error of the engine, too.
    ///
    /// # Errors
    /// Those of the expressions; damaged files.
    pub fn read_in_the_way(&mut self, pos: RowPos, ctx: &mut EvalContext) -> SqlResult<()> {
        if !self.read_stored(pos)? {
            return Err(SqlError::internal("the row in the way is gone"));
        }
        let Some(rules) = &self.schema.rules else { return Ok(()) };
        self.all_virtual = true;
        rules.compute(GeneratedSet::Virtual, &mut self.old, &mut self.room, ctx)?;
        if ctx.warnings.has_failed() {
            ctx.warnings.raise(SqlError::new(crate::error::ER_GET_ERRNO, &[&1, &"MyISAM"]));
        }
        ctx.check_failed()
    }

    /// Computes the virtual columns of `old` that were not computed when it was read.
    ///
    /// # Errors
    /// Those of their expressions.
    pub fn complete_old(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        let Some(rules) = &self.schema.rules else { return Ok(()) };
        let which = if rules.virtual_keys { GeneratedSet::Unkeyed } else { GeneratedSet::Virtual };
        rules.complete((which, self.updates), &mut self.old, &mut self.room, ctx)
    }

    /// As [`Target::complete_old`], of `new`.
    ///
    /// # Errors
    /// Those of their expressions.
    pub fn complete_new(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        match &self.schema.rules {
            Some(rules) => rules.complete((GeneratedSet::Virtual, true), &mut self.new, &mut self.room, ctx),
            None => Ok(()),
        }
    }

    /// Sets those of `missing` columns of `new` whose defaults are expressions over the others.
    ///
    /// # Errors
    /// Those of the expressions.
    pub fn late_defaults(&mut self, missing: &[usize], ctx: &mut EvalContext) -> SqlResult<()> {
        let Some(rules) = &self.schema.rules else { return Ok(()) };
        for (column, _) in rules.defaults.iter().filter(|d| missing.contains(&d.0)) {
            rules.set_default(*column, &mut self.new, &mut self.room, ctx)?;
        }
        Ok(())
    }

    /// Computes the generated columns of `new` that a write needs, and `also` those.
    ///
    /// # Errors
    /// Those of their expressions; values that do not fit in strict mode.
    pub fn compute(&mut self, also: &[usize], ctx: &mut EvalContext) -> SqlResult<()> {
        let Some(rules) = &self.schema.rules else { return Ok(()) };
        let which = if self.all_virtual { GeneratedSet::All } else { GeneratedSet::Written };
        rules.compute_with(which, also, &mut self.new, &mut self.room, ctx)?;
        ctx.check_failed()
    }

    /// Forgets virtual columns of `new` that nothing stored needs: rows keep no mark of them.
    pub fn forget_virtual(&mut self) {
        if let Some(rules) = self.schema.rules.as_ref().filter(|r| r.has_virtual) {
            for g in rules.generated.iter().filter(|g| !g.on_write) {
                self.new.set_null(g.column);
            }
        }
    }

    /// Tests the constraints on `new`. False when the row is left out, as IGNORE asks: a warning tells.
    ///
    /// # Errors
    /// 4025 for the first that does not hold.
    pub fn check(&mut self, ignore: bool, exec: Option<&Exec<'_>>, ctx: &mut EvalContext) -> SqlResult<bool> {
        if let Some(check) = &self.schema.check
            && !super::view::is_of_view(check, self, ignore, exec, ctx)?
        {
            return Ok(false);
        }
        let Some(rules) = &self.schema.rules else { return Ok(true) };
        if !self.checks {
            return Ok(true);
        }
        let Some(broken) = rules.broken(&self.new, &mut self.room, ctx)? else { return Ok(true) };
        let e = rules.failed(broken);
        if ignore {
            ctx.warnings.push_error(crate::warning::Level::Warning, &e);
            return Ok(false);
        }
        // what was raised while the constraint was computed goes before
        ctx.warnings.raise(e);
        ctx.check_failed().map(|()| false)
    }

    /// Loads `old` or another row into the slots of a batch, one per column from `base` on.
    pub fn load(schema: &WriteSchema, row: &RowBuf, base: usize, batch: &mut Batch, ctx: &EvalContext) {
        Target::load_these(schema, row, (base, ColumnsRead::ALL), batch, ctx);
    }

    /// As [`Target::load`], no more than some columns.
    pub fn load_these(
        schema: &WriteSchema,
        row: &RowBuf,
        (base, reads): (usize, ColumnsRead),
        batch: &mut Batch,
        ctx: &EvalContext,
    ) {
        let view = row.as_view();
        for (i, c) in schema.columns.iter().enumerate().filter(|(i, _)| reads.has(*i)) {
            let v = &mut batch.columns[base + i];
            v.reset(c.ty.class());
            load::push(view.column(i), &c.ty, v, ctx);
        }
    }

    /// A batch of one row with room for the columns of `rows` rows of this table.
    pub fn batch(schema: &WriteSchema, rows: usize) -> Batch {
        let one = schema.columns.iter().map(|c| Vector::new(c.ty.class()));
        let columns = std::iter::repeat_with(|| one.clone()).take(rows).flatten().collect();
        Batch { columns, len: 1 }
    }

    /// Sets a column of `new` to a value. What is wrong with the value in strict mode is raised in the warnings.
    ///
    /// # Errors
    /// 1048 for NULL, unless `null_is_zero`.
    pub fn set(
        &mut self,
        column: usize,
        value: crate::types::ValueRef<'_>,
        from: &FieldType,
        null_is_zero: bool,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let schema = Arc::clone(&self.schema);
        let to = &schema.columns[column];
        if schema.is_generated(column) {
            // the word NULL stands for the computed value, a NULL that was computed does not
            if !value.is_null() || from.kind != Kind::Null {
                let code = ER_WARNING_NON_DEFAULT_VALUE_FOR_GENERATED_COLUMN;
                ctx.warnings.warn(code, &[&to.name, &to.table]);
            }
            return Ok(());
        }
        self.explicit_auto_increment |= schema.auto == Some(column) && !value.is_null();
        self.bytes.clear();
        match store::store(value, from, to, self.room.mode, &mut self.bytes, ctx) {
            Ok(Stored::Value) => {
                self.new.set(column, &self.bytes);
                if self.pending.on {
                    self.pending.settle(column);
                }
                return Ok(());
            }
            Ok(Stored::Kept) => {
                if self.new.as_view().column(column).is_none() {
                    self.set_zero(column);
                }
                return Ok(());
            }
            Ok(Stored::Null) => {}
            Err(e) => {
                ctx.warnings.raise(e);
                return Ok(());
            }
        }
        if !to.not_null {
            self.new.set_null(column);
            return Ok(());
        }
        if self.pending.on {
            self.pending.add(column, super::triggers::Lack::Given);
            self.set_zero(column);
            return Ok(());
        }
        self.bytes.clear();
        if to.ty.kind == crate::types::Kind::Timestamp {
            store::put_now(to, &mut self.bytes, ctx);
        } else {
            // a column that numbers itself takes its number later
            if schema.auto != Some(column) || self.updates {
                if !null_is_zero {
                    return Err(SqlError::new(ER_BAD_NULL_ERROR, &[&to.name]));
                }
                ctx.warnings.warn(ER_BAD_NULL_ERROR, &[&to.name]);
            }
            store::zero(to, &mut self.bytes);
        }
        self.new.set(column, &self.bytes);
        Ok(())
    }

    /// Tells what is wrong with a value for a column, as [`Target::set`] does, and stores nothing: LOAD DATA has such
    /// for generated columns.
    pub fn judge(
        &mut self,
        column: usize,
        value: crate::types::ValueRef<'_>,
        from: &FieldType,
        ctx: &mut EvalContext,
    ) {
        self.bytes.clear();
        let to = &self.schema.columns[column];
        if let Err(e) = store::store(value, from, to, self.room.mode, &mut self.bytes, ctx) {
            ctx.warnings.raise(e);
        }
    }

    /// Sets a column that takes no NULL to zero for one that an UPDATE has kept for the inner side of an outer join: in MariaDB
    /// what it keeps them in takes NULL, so that it is told of only as the value is copied (1265). False for other columns.
    pub fn set_kept_null(&mut self, column: usize, ctx: &mut EvalContext) -> bool {
        let schema = Arc::clone(&self.schema);
        let to = &schema.columns[column];
        let generated = schema.rules.as_ref().is_some_and(|r| r.is_generated(column));
        // a TIMESTAMP takes the time, as it does everywhere; what triggers may still change is judged behind them
        if !to.not_null || generated || to.ty.kind == Kind::Timestamp || self.pending.on {
            return false;
        }
        let row = ctx.row;
        ctx.warnings.warn(WARN_DATA_TRUNCATED, &[&to.name, &row]);
        self.bytes.clear();
        store::zero(to, &mut self.bytes);
        if to.ty.kind == Kind::Enum {
            self.bytes.fill(0);
        }
        self.new.set(column, &self.bytes);
        true
    }

    /// Sets a column of `new` that is not generated to the stored bytes of a value that `put` makes, if it says that it did.
    #[inline]
    pub(super) fn set_stored(
        &mut self,
        column: usize,
        put: impl FnOnce(&store::Column, &mut Vec<u8>) -> bool,
    ) -> bool {
        self.bytes.clear();
        if !put(&self.schema.columns[column], &mut self.bytes) {
            return false;
        }
        self.explicit_auto_increment |= self.schema.auto == Some(column);
        self.new.set(column, &self.bytes);
        if self.pending.on {
            self.pending.settle(column);
        }
        true
    }

    /// Sets a column of `new` to its default. `asked` when the statement says DEFAULT: 1364 is raised then
    /// without one.
    ///
    /// # Errors
    /// Those of a default that is an expression.
    pub fn set_default(&mut self, column: usize, asked: bool, ctx: &mut EvalContext) -> SqlResult<()> {
        self.explicit_auto_increment |= asked && self.schema.auto == Some(column);
        let table = Arc::clone(&self.table);
        let def = &table.def().columns[column];
        if def.generated.is_some() {
            return Ok(());
        }
        let schema = Arc::clone(&self.schema);
        let to = &schema.columns[column];
        self.bytes.clear();
        match &def.default {
            DefaultValue::Value(bytes) => self.new.set(column, bytes),
            DefaultValue::Now => {
                store::put_now(to, &mut self.bytes, ctx);
                self.new.set(column, &self.bytes);
            }
            DefaultValue::Null => self.new.set_null(column),
            DefaultValue::Expression(_) => {
                let Some(rules) = &schema.rules else { return Ok(()) };
                return rules.set_default(column, &mut self.new, &mut self.room, ctx);
            }
            DefaultValue::None if def.nullable => self.new.set_null(column),
            DefaultValue::None if def.auto_increment => {
                store::zero(to, &mut self.bytes);
                self.new.set(column, &self.bytes);
            }
            DefaultValue::None => {
                let enumeration = to.ty.kind == crate::types::Kind::Enum;
                if self.pending.on && !asked {
                    self.pending.add(column, super::triggers::Lack::Missing);
                }
                if asked && !enumeration {
                    ctx.warnings.warn(ER_NO_DEFAULT_FOR_FIELD, &[&to.name]);
                }
                store::zero(to, &mut self.bytes);
                self.new.set(column, &self.bytes);
            }
        }
        Ok(())
    }

    /// Sets a column of a new row to the zero of its type; an ENUM to its first member.
    pub(super) fn set_zero(&mut self, column: usize) {
        self.bytes.clear();
        store::zero(&self.schema.columns[column], &mut self.bytes);
        self.new.set(column, &self.bytes);
    }

    /// Sets a column of a new row for which DEFAULT stands. Where triggers may still give it a value, one without a default is
    /// told, and is NULL then if the statement lists its columns (`named`).
    ///
    /// # Errors
    /// Those of [`Target::set_default`] and [`Target::set`].
    pub(super) fn put_default(
        &mut self,
        column: usize,
        named: bool,
        null_is_zero: bool,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        self.set_default(column, true, ctx)?;
        let def = &self.table.def().columns[column];
        let lacks = def.default == DefaultValue::None && !def.nullable && !def.auto_increment;
        if !named || !lacks || def.generated.is_some() || !self.judges_nulls() {
            return Ok(());
        }
        if ctx.warnings.has_failed() {
            return Ok(());
        }
        self.set(column, crate::types::ValueRef::Null, &FieldType::null(), null_is_zero, ctx)
    }

    /// The error of a duplicate key, for the row in `new`.
    pub fn duplicate(&self, key: usize, ctx: &mut EvalContext) -> SqlError {
        super::refused::duplicate(&self.table, &self.schema, &self.new.as_view(), key, ctx)
    }

    /// An error of the table's files or keys.
    pub fn error(&self, e: &crate::table::EngineError) -> SqlError {
        from_engine(e, &self.table.db, &self.table.name)
    }
}

/// 1364 when DEFAULT is asked of a column that has none.
///
/// # Errors
/// That one.
pub(crate) fn require_default(table: &OpenTable, column: usize) -> SqlResult<()> {
    let c = &table.def().columns[column];
    if lacks_default(c) {
        return Err(SqlError::new(ER_NO_DEFAULT_FOR_FIELD, &[&c.name]));
    }
    Ok(())
}

/// Whether an INSERT must supply a value for this column.
pub(crate) fn lacks_default(c: &schema::definition::ColumnDef) -> bool {
    let own = matches!(c.ty, schema::definition::ColumnType::Enum { .. });
    c.default == DefaultValue::None && !c.nullable && !c.auto_increment && c.generated.is_none() && !own
}

/// A table that the statement around a function or trigger uses is not for that to change, nor is one over such a table.
///
/// # Errors
/// 1442.
pub(crate) fn refuse_taken(session: &Session, table: &OpenTable) -> SqlResult<()> {
    let calls = &session.ctx.calls;
    let under = table.named_children().iter().map(|t| &**t);
    let taken = std::iter::once(table).chain(under).find(|t| calls.is_taken(&t.db, &t.name));
    taken.map_or(Ok(()), |t| {
        Err(SqlError::new(crate::error::codes::ER_CANT_UPDATE_USED_TABLE_IN_SF_OR_TRG, &[&t.name]))
    })
}

/// Takes the lock of one table: that of LOCK TABLES, or the statement's own when its turn has come. The locks that are there are of
/// lasting tables; a temporary one may have the name of such a table.
///
/// # Errors
/// 1205, 1317; the internal error of a stale table.
pub(crate) fn take(
    session: &mut Session,
    table: &Arc<OpenTable>,
    mark: &mut Option<crate::session::writing::WriteIntent>,
) -> SqlResult<Held> {
    let lasts = !table.temporary;
    if lasts && let Some(held) = super::prelock::borrow(session, table)? {
        return Ok(held);
    }
    if lasts && let Some(hold) = session.locks.concurrent(&table.db, &table.name) {
        let writer = session.with_wait_limit(&table.name, |wait_limit| hold.take(wait_limit))?;
        return Ok(Held::Shared(writer));
    }
    match lasts.then(|| session.locks.take(&table.db, &table.name)).flatten() {
        Some(guard) => Ok(Held::Locked(guard)),
        None => {
            let writer = session.write_lock(table)?;
            if table.is_stale() {
                // Its keys were disabled since the plan was made.
                return Err(SqlError::stale());
            }
            if let Some(mark) = mark {
                mark.note_target();
            }
            Ok(Held::Own(writer))
        }
    }
}

pub(crate) fn give_back(session: &mut Session, table: &OpenTable, held: Held) {
    if table.temporary {
        return;
    }
    let Some(held) = super::prelock::put_back(session, table, held) else { return };
    match held {
        Held::Locked(guard) => session.locks.give(&table.db, &table.name, guard),
        Held::Shared(writer) => {
            if let Some(hold) = session.locks.concurrent(&table.db, &table.name) {
                hold.give(writer);
            }
        }
        Held::Own(_) => {}
    }
}

/// Whether an error rolls back the statement (storage errors) or keeps the rows changed so far (statement errors).
pub(super) fn undoes(e: &SqlError) -> bool {
    match e.origin {
        Origin::Storage | Origin::Stale => true,
        Origin::Statement => false,
    }
}
