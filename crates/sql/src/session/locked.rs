//! LOCK TABLES: what it holds, and what it leaves to the statements under it.
//!
//! A statement has one locked table for each time that it, its views, and the functions and triggers that it runs name one: a table
//! that is named twice must have been locked twice, under the names it goes by. LOCK TABLES takes what lies below a view and what the
//! triggers of a table that is locked for writing use along with it.

use std::collections::HashMap;
use std::sync::Arc;

use pages::ExclusiveGuard;
use parking_lot::Mutex;

use super::Session;
use crate::ast::{InsertSource, LockTables, Statement, TableLockKind, TableName};
use crate::catalog::view::StoredView;
use crate::error::{self, SqlError, SqlResult};
use crate::failure::no_such_table;
use crate::locks::names::{MetadataLockGuard, Mode};
use crate::names::INFORMATION_SCHEMA;
use crate::routine::prelock::{add_routines, add_triggers};
use crate::routine::uses::{self, Uses};
use crate::status::Counter;
use crate::table::partition::table_of_part;
use crate::table::triggers::Programs;
use crate::table::{OpenTable, SharedReadLock};
use crate::warning::Level;

/// How a locked table is held.
pub(crate) enum TableHold {
    /// Writers wait.
    Read(Arc<SharedReadLock>),
    /// Writers wait but this one, which readers do not wait for. Shared with the session's functions until UNLOCK TABLES.
    Concurrent(Arc<Mutex<Option<Arc<SharedReadLock>>>>),
    /// Everybody waits. Taken out while a statement writes through it: one of the session's, or one of a function's.
    Write(Arc<Mutex<Option<ExclusiveGuard>>>),
}

/// A table of LOCK TABLES.
pub(crate) struct LockedTable {
    pub db: Arc<str>,
    pub name: Arc<str>,
    pub alias: Box<str>,
    pub write: bool,
    /// One entry of a table holds it, whatever the number of its names.
    pub hold: Option<TableHold>,
    /// Nobody named it, and it was not locked alone for that: its definition stays as it is.
    pub implicit: bool,
    /// There are no files of its own: a view.
    pub view: bool,
    /// It may have triggers.
    pub fires: bool,
    /// READ LOCAL, or WRITE CONCURRENT: who reads and one who writes go on beside each other.
    pub local: bool,
}

impl LockedTable {
    /// A table that goes along with another one; not held yet.
    fn along((db, name, alias): UseKey, write: bool) -> LockedTable {
        LockedTable {
            db,
            name,
            alias,
            write,
            hold: None,
            implicit: true,
            view: false,
            fires: true,
            local: false,
        }
    }

    /// The same under its own name.
    pub fn implicit(db: &Arc<str>, name: &Arc<str>, write: bool) -> LockedTable {
        LockedTable::along((Arc::clone(db), Arc::clone(name), Box::from(&**name)), write)
    }

    fn is(&self, db: &str, name: &str) -> bool {
        *self.db == *db && *self.name == *name
    }
}

/// What LOCK TABLES holds.
#[derive(Default)]
pub(crate) struct TableLocks {
    pub active: bool,
    pub tables: Vec<LockedTable>,
    /// While a table is locked for writing.
    #[expect(dead_code, reason = "it is there to be dropped")]
    pub mark: Option<super::writing::WriteIntent>,
    /// The names of the tables: who waits for one waits without holding any.
    pub names: Option<MetadataLockGuard>,
}

impl TableLocks {
    /// The entries of a table under an alias.
    fn entries<'a>(
        &'a self,
        db: &'a str,
        name: &'a str,
        alias: &'a str,
    ) -> impl Iterator<Item = &'a LockedTable> {
        self.tables.iter().filter(move |t| t.is(db, name) && *t.alias == *alias)
    }

    /// The entry that allows the use of a table under this alias: one that allows to write, where there is one.
    pub fn find<'a>(&'a self, db: &'a str, name: &'a str, alias: &'a str) -> Option<&'a LockedTable> {
        self.entries(db, name, alias).max_by_key(|t| t.write)
    }

    /// Whether a table or view is among them, under whatever alias.
    pub fn has(&self, db: &str, name: &str) -> bool {
        self.tables.iter().any(|t| t.is(db, name))
    }

    /// Whether the definition of a table stays as it is: nobody has locked it for writing but along with another one.
    pub fn is_fixed(&self, db: &str, name: &str) -> bool {
        // a partition goes with its table
        let name = table_of_part(name).unwrap_or(name);
        let mut of_name = self.tables.iter().filter(|t| t.is(db, name)).peekable();
        of_name.peek().is_some() && of_name.all(|t| t.implicit || !t.write || t.local)
    }

    fn write_hold(&self, db: &str, name: &str) -> Option<&Mutex<Option<ExclusiveGuard>>> {
        self.tables.iter().find_map(|t| match &t.hold {
            Some(TableHold::Write(guard)) if t.is(db, name) => Some(&**guard),
            _ => None,
        })
    }

    /// The hold of a table that is locked by WRITE CONCURRENT.
    pub fn concurrent(&self, db: &str, name: &str) -> Option<Arc<SharedReadLock>> {
        self.tables.iter().find_map(|t| match &t.hold {
            Some(TableHold::Concurrent(hold)) if t.is(db, name) => hold.lock().clone(),
            _ => None,
        })
    }

    /// Whether the lock of a table that is held for writing is with a statement, or went with the files it was for.
    pub fn is_taken(&self, db: &str, name: &str) -> bool {
        self.write_hold(db, name).is_some_and(|guard| guard.lock().is_none())
    }

    /// Takes the lock of a table that is held for writing.
    pub fn take(&self, db: &str, name: &str) -> Option<ExclusiveGuard> {
        self.write_hold(db, name)?.lock().take()
    }

    /// Gives it back.
    pub fn give(&self, db: &str, name: &str, guard: ExclusiveGuard) {
        if let Some(slot) = self.write_hold(db, name) {
            *slot.lock() = Some(guard);
        }
    }

    /// A table has another name now, which nobody has locked.
    pub fn forget(&mut self, db: &str, name: &str) {
        let part = |t: &LockedTable| *t.db == *db && table_of_part(&t.name) == Some(name);
        self.tables.retain(|t| !(t.is(db, name) || part(t)));
    }

    /// A trigger of a table was made.
    pub fn note_trigger(&mut self, db: &str, name: &str) {
        self.tables.iter_mut().filter(|t| t.is(db, name)).for_each(|t| t.fires = true);
    }

    /// The same locks, for the functions of a session.
    pub fn shared(&self) -> TableLocks {
        let shared = |t: &LockedTable| LockedTable {
            db: Arc::clone(&t.db),
            name: Arc::clone(&t.name),
            alias: t.alias.clone(),
            write: t.write,
            hold: match &t.hold {
                Some(TableHold::Write(guard)) => Some(TableHold::Write(Arc::clone(guard))),
                Some(TableHold::Concurrent(hold)) => Some(TableHold::Concurrent(Arc::clone(hold))),
                _ => None,
            },
            implicit: t.implicit,
            view: t.view,
            fires: t.fires,
            local: t.local,
        };
        TableLocks {
            active: self.active,
            tables: self.tables.iter().map(shared).collect(),
            ..TableLocks::default()
        }
    }

    /// Lets all go, whoever shares it.
    fn release(&mut self) {
        for t in &self.tables {
            match &t.hold {
                Some(TableHold::Write(guard)) => drop(guard.lock().take()),
                Some(TableHold::Concurrent(hold)) => drop(hold.lock().take()),
                _ => {}
            }
        }
        *self = TableLocks::default();
    }
}

/// A table and the name that it is used under.
type UseKey = (Arc<str>, Arc<str>, Box<str>);

/// A table that a statement uses itself or through its views.
struct Used {
    key: UseKey,
    write: bool,
    view: bool,
}

/// A table that functions and triggers use.
struct Nested {
    key: UseKey,
    write: bool,
    /// As often as one statement of theirs does at once.
    times: usize,
}

/// What a statement uses, or LOCK TABLES along with what it names.
#[derive(Default)]
struct Needs {
    /// In order.
    own: Vec<Used>,
    nested: Vec<Nested>,
    /// Yet to be looked at.
    programs: Programs,
}

impl Session {
    /// What a statement's, a view's or a program's names stand for: tables into `found`, functions and triggers into the list of programs.
    /// `below` is the view that names them.
    fn resolve(
        &mut self,
        db: Option<&Arc<str>>,
        uses: &Uses<'_>,
        (write, below): (bool, Option<&Arc<StoredView>>),
        (found, programs): (&mut Vec<Used>, &mut Programs),
    ) -> SqlResult<()> {
        for t in &uses.tables {
            let of = t.name.db.as_deref().map(Arc::from).or_else(|| db.cloned());
            let Some(of) = of else { continue };
            let name: Arc<str> = Arc::from(&*t.name.name);
            if of.eq_ignore_ascii_case(INFORMATION_SCHEMA)
                || below.is_none() && self.temporary(&of, &name).is_some()
            {
                continue;
            }
            let write = write || t.write;
            let key = (Arc::clone(&of), Arc::clone(&name), t.alias.clone());
            let view = self.engine.catalog.view(&of, &name, &|| self.waiter()).unwrap_or_default();
            found.push(Used { key, write, view: view.is_some() });
            if let Some(view) = view {
                if found.len() > MAX_USES {
                    return Ok(());
                }
                let uses = Uses::of_query(&view.query);
                self.resolve(Some(&view.db), &uses, (write, Some(&view)), (found, programs))?;
                continue;
            }
            if !write {
                continue;
            }
            if let Ok(table) = self.engine.catalog.table(&of, &name, &|| self.waiter()) {
                add_triggers(&table, programs);
            }
        }
        add_routines(&self.engine, db, uses, programs);
        Ok(())
    }

    /// Follows the programs that are to be looked at.
    fn resolve_programs(&mut self, needs: &mut Needs) -> SqlResult<()> {
        let mut at = 0;
        while let Some((db, program)) = needs.programs.get(at).cloned() {
            at += 1;
            for (_, uses) in uses::of_program(&program) {
                let mut found = Vec::new();
                self.resolve(Some(&db), &uses, (false, None), (&mut found, &mut needs.programs))?;
                let tables = || found.iter().filter(|f| !f.view);
                for Used { key, write, .. } in tables() {
                    let times = tables().filter(|f| f.key == *key).count();
                    match needs.nested.iter_mut().find(|n| n.key == *key) {
                        Some(known) => {
                            known.write |= write;
                            known.times = known.times.max(times);
                        }
                        None => needs.nested.push(Nested { key: key.clone(), write: *write, times }),
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a statement names no more than one table, which was locked for that, and nothing goes with it.
    fn is_of_one_table(&self, name: &TableName, alias: &str, write: bool) -> bool {
        let Some(db) = name.db.as_deref().or(self.db.as_deref()) else { return false };
        self.locks.entries(db, &name.name, alias).any(|t| !t.view && (!write || t.write && !t.fires))
    }

    /// As [`Session::check_uses`] for a statement.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn check_locks_for(&mut self, statement: &Statement) -> SqlResult<()> {
        // rows of constants, which are many
        if let Statement::Insert(i) = statement
            && matches!(&i.source, InsertSource::Rows(rows) if rows.exprs.is_empty())
            && i.on_duplicate.is_empty()
            && i.returning.is_empty()
            && self.is_of_one_table(&i.table, &i.table.name, true)
        {
            return Ok(());
        }
        self.check_uses(Uses::of(statement))
    }

    /// Whether all that a statement uses at once was locked. What it names itself first is left to who binds it.
    ///
    /// # Errors
    /// 1066, 1100, 1099.
    pub(crate) fn check_uses(&mut self, mut uses: Uses<'_>) -> SqlResult<()> {
        if self.child {
            return Ok(());
        }
        if let Some(name) = uses.ambiguous {
            return Err(SqlError::new(error::ER_NONUNIQ_TABLE, &[&name]));
        }
        // What a procedure does, its own statements ask for.
        uses.routines.retain(|r| r.0);
        if let (true, [one]) = (uses.routines.is_empty(), &uses.tables[..])
            && self.is_of_one_table(&one.name, &one.alias, one.write)
        {
            return Ok(());
        }
        let mut needs = Needs::default();
        let db = self.db.clone();
        self.resolve(db.as_ref(), &uses, (false, None), (&mut needs.own, &mut needs.programs))?;
        let mut used: HashMap<&UseKey, usize> = HashMap::new();
        for Used { key, view, .. } in &needs.own {
            let locks = &self.locks;
            let there = match view {
                // under whatever name, as often as one likes
                true if locks.has(&key.0, &key.1) => usize::MAX,
                true => 0,
                false => locks.entries(&key.0, &key.1, &key.2).count(),
            };
            if there == 0 {
                return Ok(());
            }
            let times = used.entry(key).or_default();
            *times += 1;
            if *times > there {
                return Err(SqlError::new(error::ER_TABLE_NOT_LOCKED, &[&key.2]));
            }
        }
        let used: HashMap<UseKey, usize> = used.into_iter().map(|(key, n)| (key.clone(), n)).collect();
        self.resolve_programs(&mut needs)?;
        for Nested { key, write, times } in &needs.nested {
            let entries = self.locks.entries(&key.0, &key.1, &key.2);
            if entries.count() < times + used.get(key).copied().unwrap_or(0) {
                return Err(SqlError::new(error::ER_TABLE_NOT_LOCKED, &[&key.2]));
            }
            if *write && self.locks.find(&key.0, &key.1, &key.2).is_some_and(|t| !t.write) {
                return Err(SqlError::new(error::ER_TABLE_NOT_LOCKED_FOR_WRITE, &[&key.2]));
            }
        }
        Ok(())
    }

    /// LOCK TABLES.
    ///
    /// # Errors
    /// 1066 for an alias named twice, 1044, 1146, 1205, 1428, 1556.
    pub(crate) fn lock_tables(&mut self, l: &LockTables) -> SqlResult<()> {
        self.unlock_tables();
        let mut wanted: Vec<LockedTable> = Vec::with_capacity(l.tables.len());
        for t in &l.tables {
            let (db, name) = self.table_path(&t.table)?;
            if &*db == INFORMATION_SCHEMA {
                return Err(self.rights.denied_database(INFORMATION_SCHEMA));
            }
            let alias: Box<str> = t.alias.clone().unwrap_or_else(|| Box::from(&*name));
            if wanted.iter().any(|w| w.db == db && w.alias == alias) {
                return Err(SqlError::new(error::ER_NONUNIQ_TABLE, &[&alias]));
            }
            let write = !matches!(t.kind, TableLockKind::Read | TableLockKind::ReadLocal);
            let along = LockedTable::along((db, name, alias), write);
            let local = matches!(t.kind, TableLockKind::ReadLocal | TableLockKind::WriteConcurrent);
            wanted.push(LockedTable { implicit: false, fires: false, local, ..along });
        }
        check_system_tables(&wanted)?;
        self.add_below(&mut wanted)?;
        let under = self.under_temporary(&wanted)?;
        wanted.extend(under);
        // Nobody else sees a temporary table.
        wanted.retain(|w| self.temporary(&w.db, &w.name).is_none());
        let named = wanted.len();
        loop {
            self.add_children(&mut wanted)?;
            match self.take_locks(wanted, named)? {
                None => return Ok(()),
                Some(tables) => wanted = tables,
            }
            wanted.truncate(named);
            self.connection.check_killed()?;
        }
    }

    /// Takes the locks of LOCK TABLES. Gives the tables back when others lie under the first `named` of them by now: what is behind
    /// those was found before their names were held.
    fn take_locks(
        &mut self,
        mut wanted: Vec<LockedTable>,
        named: usize,
    ) -> SqlResult<Option<Vec<LockedTable>>> {
        let engine = Arc::clone(&self.engine);
        let made = |w: &LockedTable| {
            w.view || &*w.db == INFORMATION_SCHEMA || engine.catalog.is_sequence(&w.db, &w.name)
        };
        let mut modes: Vec<Mode> = wanted.iter().map(|w| mode_of(&wanted, w)).collect();
        for (w, mode) in wanted.iter().zip(&mut modes).filter(|(w, _)| !made(w)) {
            if *mode == Mode::WriteConcurrent && !self.may_write_beside_readers(&w.db, &w.name)? {
                *mode = Mode::ConcurrentAlone;
            }
        }
        // All locks are taken in the order of names, so that two statements never wait for
        // each other.
        let mut order: Vec<usize> = (0..wanted.len()).filter(|i| !made(&wanted[*i])).collect();
        order.sort_by(|a, b| {
            let key =
                |i: &usize| (Arc::clone(&wanted[*i].db), Arc::clone(&wanted[*i].name), !wanted[*i].write);
            key(a).cmp(&key(b))
        });
        // A table under several aliases is locked once, for writing when any of them is.
        order.dedup_by(|a, b| wanted[*a].is(&wanted[*b].db, &wanted[*b].name));
        let (mut names, mut mark);
        'all: loop {
            let path = |w: &LockedTable| (Arc::clone(&w.db), Arc::clone(&w.name));
            let list = order.iter().map(|i| (path(&wanted[*i]), modes[*i])).collect();
            names = engine.catalog.names.hold(list, self.owner(), || self.waiter())?;
            if !self.are_children(&wanted, named) {
                return Ok(Some(wanted));
            }
            mark = match wanted.iter().any(|w| w.write) {
                true => Some(self.begin_write()?),
                false => None,
            };
            for i in &order {
                let (db, name) = path(&wanted[*i]);
                let hold = self.hold(&db, &name, modes[*i])?;
                // rows were removed meanwhile: new ones would lie among those that others read
                if hold.is_none() {
                    modes[*i] = Mode::ConcurrentAlone;
                    wanted.iter_mut().for_each(|w| w.hold = None);
                    drop((mark, names));
                    continue 'all;
                }
                wanted[*i].hold = hold;
            }
            break;
        }
        let locked = wanted.iter().filter(|w| !made(w)).count();
        self.connection.counters.add(Counter::TableLocksImmediate, locked as u64);
        self.locks = TableLocks { active: true, tables: wanted, mark, names: Some(names) };
        Ok(None)
    }

    /// Whether others may read a table while one writes to it under WRITE CONCURRENT: new rows lie behind all others then.
    ///
    /// # Errors
    /// Those of opening it.
    fn may_write_beside_readers(&mut self, db: &str, name: &str) -> SqlResult<bool> {
        if self.engine.variables.named("concurrent_insert").as_text() == "NEVER" {
            return Ok(false);
        }
        let table = self.engine.catalog.table(db, name, &|| self.waiter())?;
        Ok(table.children().is_none() && table.engine().can().durable && !has_gaps(&table))
    }

    /// Adds what lies below the views among what LOCK TABLES names, and what functions and triggers use.
    ///
    /// # Errors
    /// 1356 for a view of tables that are not there.
    fn add_below(&mut self, wanted: &mut Vec<LockedTable>) -> SqlResult<()> {
        let mut needs = Needs::default();
        for w in &mut *wanted {
            if self.temporary(&w.db, &w.name).is_some() {
                continue;
            }
            if let Some(view) = self.engine.catalog.view(&w.db, &w.name, &|| self.waiter())? {
                w.view = true;
                let (uses, from) = (Uses::of_query(&view.query), needs.own.len());
                let to = (&mut needs.own, &mut needs.programs);
                self.resolve(Some(&view.db), &uses, (w.write, Some(&view)), to)?;
                self.check_there(&view, &needs.own[from..])?;
                continue;
            }
            if !self.is_there(&w.db, &w.name) {
                return Err(no_such_table(&w.db, &w.name));
            }
            if w.write
                && let Ok(table) = self.engine.catalog.table(&w.db, &w.name, &|| self.waiter())
            {
                w.fires = table.triggers.is_some();
                add_triggers(&table, &mut needs.programs);
            }
        }
        self.resolve_programs(&mut needs)?;
        for Used { key, write, view } in needs.own {
            // what is changed through a view was locked alone, as if it had been named
            wanted.push(LockedTable { implicit: !write, view, ..LockedTable::along(key, write) });
        }
        // where one is missing, the statement that uses it is told
        for n in needs.nested.iter().filter(|n| self.is_there(&n.key.0, &n.key.1)) {
            wanted.extend((0..n.times).map(|_| LockedTable::along(n.key.clone(), n.write)));
        }
        Ok(())
    }

    /// Whether there is a table of files, or a sequence by its name.
    fn is_there(&self, db: &str, name: &str) -> bool {
        self.engine.catalog.table_exists(db, name) || self.engine.catalog.is_sequence(db, name)
    }

    /// Whether the tables below a view are there.
    ///
    /// # Errors
    /// 1356; why is among the warnings.
    fn check_there(&mut self, view: &StoredView, tables: &[Used]) -> SqlResult<()> {
        match tables.iter().find(|t| !t.view && !self.is_there(&t.key.0, &t.key.1)) {
            None => Ok(()),
            Some(Used { key: (db, name, _), .. }) => {
                self.ctx.warnings.push_error(Level::Error, &no_such_table(db, name));
                Err(view.invalid())
            }
        }
    }

    /// Takes the lock of one table; nothing where WRITE CONCURRENT finds gaps in it.
    fn hold(&mut self, db: &str, name: &str, mode: Mode) -> SqlResult<Option<TableHold>> {
        let waiter = self.waiter();
        self.retry_if_stale(|session| {
            let table = session.engine.catalog.table(db, name, &|| waiter.clone())?;
            match mode {
                Mode::Write | Mode::ConcurrentAlone => {
                    // what asks a sequence for numbers changes it
                    if !table.is_sequence() {
                        table.check_writable()?;
                    }
                    let guard = session.exclusive(&table)?;
                    Ok(Some(TableHold::Write(Arc::new(Mutex::new(Some(guard))))))
                }
                Mode::WriteConcurrent => {
                    table.check_writable()?;
                    let hold = session.hold_for_reading(&table)?;
                    let hold = (!has_gaps(&table)).then(|| Arc::new(Mutex::new(Some(hold))));
                    Ok(hold.map(TableHold::Concurrent))
                }
                _ => session.hold_for_reading(&table).map(|hold| Some(TableHold::Read(hold))),
            }
        })
    }

    /// UNLOCK TABLES.
    pub(crate) fn unlock_tables(&mut self) {
        self.locks.release();
    }
}

/// What the name of a table is held for that is locked under several aliases, perhaps.
fn mode_of(all: &[LockedTable], table: &LockedTable) -> Mode {
    let mut of_name = all.iter().filter(|t| t.is(&table.db, &table.name));
    let write = of_name.clone().any(|t| t.write);
    let alone = of_name.clone().any(|t| t.write && !t.local);
    match (write, alone) {
        (true, true) => Mode::Write,
        (true, false) => Mode::WriteConcurrent,
        (false, _) if of_name.all(|t| t.local) => Mode::ReadLocal,
        (false, _) => Mode::Read,
    }
}

/// Whether there is room of removed rows among the rows of a table.
fn has_gaps(table: &OpenTable) -> bool {
    let state = table.state();
    table.state_of(&state).del() != 0
}

/// A view of views of views: beyond this many tables nobody counts.
const MAX_USES: usize = 10_000;

/// Tables of `mysql` that only the server's own statements change; LOCK TABLES ... WRITE takes them alone.
const SYSTEM_TABLES: &[&str] = &[
    "proc",
    "event",
    "time_zone",
    "time_zone_leap_second",
    "time_zone_name",
    "time_zone_transition",
    "time_zone_transition_type",
    "help_topic",
    "help_category",
    "help_relation",
    "help_keyword",
    "table_stats",
    "column_stats",
    "index_stats",
];

/// Whether LOCK TABLES may take tables of `mysql` so.
///
/// # Errors
/// 1556 for logs; 1428 for system tables that are to be written beside others.
fn check_system_tables(wanted: &[LockedTable]) -> SqlResult<()> {
    let is_log = |w: &LockedTable| &*w.db == "mysql" && matches!(&*w.name, "general_log" | "slow_log");
    if wanted.iter().any(is_log) {
        return Err(SqlError::new(error::ER_CANT_LOCK_LOG_TABLE, &[]));
    }
    let written = |w: &&LockedTable| w.write && &*w.db == "mysql" && SYSTEM_TABLES.contains(&&*w.name);
    let system = wanted.iter().filter(written).count();
    if system > 0 && system < wanted.len() {
        return Err(SqlError::new(error::ER_WRONG_LOCK_OF_SYSTEM_TABLE, &[]));
    }
    Ok(())
}
